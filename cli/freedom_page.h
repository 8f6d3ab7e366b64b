/* freedom_page.h -- the degrees of freedom of a mechanism as a page (emit/picture/view.h): each one
 * moves to and fro a little, to first order, side by side, with arrows where its frames go. */
#ifndef RUNG_CLI_FREEDOM_PAGE_H
#define RUNG_CLI_FREEDOM_PAGE_H

#include "cli/command.h"
#include "cli/mobility.h"

enum { FREEDOMS_SHOWN = 12 }; /* the first of them */

/* Into o->output, at the position of m. Says what went wrong on stderr. */
Exit freedom_page(const Options *o, Mechanism *m, const Mobility *at, Arena *mem);

#endif
