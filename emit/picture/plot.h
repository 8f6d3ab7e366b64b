/* plot.h -- results become a picture: curves over the first column, as SVG, PNG or HTML.
 *
 * Signals are 'a,b;c': names, or patterns with * and ?; a comma inside brackets belongs to the
 * name. A semicolon begins a new panel below; without one there is a panel for each unit, in the
 * order of the signals. Where none are named: the states that move (a state x is known by the
 * column der(x) beside it), in a result without such columns whatever moves, equal columns once; no
 * more than `most`.
 *
 * Values are shown in the display units of their variables (MLS 4.9.1), where these can be had from
 * the units that they have.
 *
 * Several results are in one picture: colours tell signals apart, dashes results. Memory is that of
 * the results. Points that fall on the pixel of the point before are left out of an SVG; of a page
 * those between the extremes of a four-thousandth of the run.
 */
#ifndef RUNG_EMIT_PICTURE_PLOT_H
#define RUNG_EMIT_PICTURE_PLOT_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct PlotOptions {
    const char *title;   /* NULL: none                     */
    const char *signals; /* NULL: those that change        */
    /* Data of the model that a result file lacks, each NULL if unknown: the units of a variable
     * (for CSV), and whether it is a top-level output, which is chosen for drawing like a state. */
    const char *(*unit)(void *user, const char *name);
    const char *(*display_unit)(void *user, const char *name);
    bool (*is_output)(void *user, const char *name);
    void *user;
    uint32_t most;          /* 0: 12 */
    uint32_t width, height; /* of a panel, in pixels; 0: 900 by 240 */
} PlotOptions;

typedef struct PlotReport {
    uint32_t drawn, left_out; /* curves; those that move but would have been too many */
    const char *error;        /* why nothing was drawn                               */
    const char *remark;       /* NULL, or what could not be drawn                    */
} PlotReport;

/* The bytes of the picture whose kind is in the ending of `out`. False with report->error in mem: a
 * result cannot be read, no picture has such an ending, no variable such a name. */
bool plot_results(const char *const *result, uint32_t n, const char *out, PlotOptions o,
                  Text *picture, PlotReport *report, Arena *mem);
/* The whole name against a pattern in which * stands for any text and ? for one letter. */
bool plot_name_matches(const char *pattern, const char *name);
/* Why no picture can have that name; NULL: it can. */
const char *plot_wrong_name(const char *out);

#endif
