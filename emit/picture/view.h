/* view.h -- a mechanism in motion, as one HTML page that needs no other file and no network.
 *
 * Positions come from results, the shapes from the geometry files beside them (geometry.h). Drawn
 * by three.js (MIT licence), which is in the page with its licence. Of a run with more rows than
 * `ROWS_MOST`, or than fit into the page, it uses as many, evenly in time; the page interpolates
 * between them. Solids that are in CAD files have their triangles in the page; a file that cannot
 * be read is a warning.
 */
#ifndef RUNG_EMIT_PICTURE_VIEW_H
#define RUNG_EMIT_PICTURE_VIEW_H

#include "base/text.h"
#include "base/vec.h"
#include "emit/picture/live.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ViewOptions {
    const char *signals; /* curves below the picture; NULL: none */
    bool play;           /* from the beginning on                */
    bool loops;          /* from its end on from the beginning again */
    double speed;        /* seconds of the model in one second   */
    const char *up;      /* the axis that points up at first: x, y, z; NULL: y */
    const char
        *follow; /* the part or frame that the camera goes along with; NULL: one that travels far */
    const char *const *title; /* of each result; NULL: its file  */
    /* The model itself, which goes on where the one result gives the scene its size. NULL: none.
     */
    const LiveModule *live;
    double tolerance; /* of it; NAN: the model's */
} ViewOptions;

typedef struct ViewReport {
    uint32_t frames, parts, solids; /* that are drawn, in the first result                  */
    VEC(const char *) warning;      /* parts not drawn, with the reason, in mem             */
    const char *error;              /* why there is no page: a file and its fault, in mem   */
} ViewReport;

/* Several results stand side by side. False with report->error. */
bool view_page(const char *const *result, uint32_t n, ViewOptions o, Text *page, ViewReport *report,
               Arena *mem);

#endif
