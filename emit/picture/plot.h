/* plot.h -- a result file becomes a picture: curves over the first column, as SVG.
 *
 * Reads the CSV once; memory is that of the chosen columns. Points that fall on the pixel of the
 * point before are left out, so the file stays small whatever the number of rows.
 */
#ifndef RUNG_EMIT_PICTURE_PLOT_H
#define RUNG_EMIT_PICTURE_PLOT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct PlotOptions {
    const char *title;         /* NULL: none                                                    */
    const char *const *column; /* names to draw; NULL: the first `most` columns that vary       */
    uint32_t n_columns;
    uint32_t most;          /* 0: 6 */
    uint32_t width, height; /* pixels; 0: 900 by 480 */
} PlotOptions;

/* False with a message in mem when a file cannot be read or written, or a name is not there. */
bool plot_result(const char *result, const char *svg, PlotOptions o, Arena *mem,
                 const char **error);

#endif
