/* freedom_page.h -- the degrees of freedom of a mechanism as a page (emit/picture/view.h): each one
 * moves to and fro a little, to first order, side by side, with arrows where its frames go; or as a
 * picture with the arrows alone. */
#ifndef RUNG_STUDY_MECHANISM_FREEDOM_PAGE_H
#define RUNG_STUDY_MECHANISM_FREEDOM_PAGE_H

#include "base/exit.h"
#include "study/mechanism/mobility.h"

enum { FREEDOMS_SHOWN = 12 }; /* the first of them */

/* Into o->output, at the position of m. Prints errors to stderr. */
Exit freedom_page(const char *path, Mechanism *m, const Mobility *at, Arena *mem);
/* The same as SVG. */
Exit freedom_picture(const char *path, Mechanism *m, const Mobility *at, Arena *mem);

#endif
