/* chart.h -- curves in a frame with axes and a legend, as SVG: the one way to draw them.
 *
 * Panels stand side by side and share a legend: the k-th curve of every panel has the k-th colour;
 * or one below the other. Axes are linear or logarithmic. Points that fall on the pixel of the
 * point before are left out, so the file stays small whatever the number of points.
 */
#ifndef RUNG_EMIT_PICTURE_CHART_H
#define RUNG_EMIT_PICTURE_CHART_H

#include "emit/code/quote.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ChartCurve {
    const char *name; /* for the legend */
    uint32_t n;
    const double *x, *y; /* a y that is not finite leaves a gap */
    uint32_t colour;     /* from 1 on; 0: that of its place in the panel              */
    uint32_t dash;       /* 0: solid; 1, 2, ...: patterns of dashes                   */
} ChartCurve;

typedef struct Chart {
    const char *title, *x_label, *y_label; /* NULL: none */
    bool log_x, log_y;                     /* points with a coordinate <= 0 are left out */
    bool marks;                            /* a dot at each point                        */
    uint32_t n;
    const ChartCurve *curve;
} Chart;

/* Panels one below the other, each with its own legend; `height` is that of each, more if its
 * legend needs it. */
Text chart_column(const Chart *panel, uint32_t n, uint32_t width, uint32_t height, Arena *mem);
const char *chart_colour(uint32_t k); /* of the k-th curve, as #rrggbb */
/* n panels; width and height of the whole in pixels. */
Text chart_svg(const Chart *panel, uint32_t n, uint32_t width, uint32_t height, Arena *mem);

#endif
