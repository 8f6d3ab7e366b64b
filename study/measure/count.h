/* count.h -- the results of `rung count`: a study of one model over the points of a grid. */
#ifndef RUNG_STUDY_MEASURE_COUNT_H
#define RUNG_STUDY_MEASURE_COUNT_H

#include "eliminate/block/ordering.h"
#include "study/measure/grid.h"
#include "study/measure/measure.h"

/* One point of the grid. */
typedef struct Counted {
    const char *model; /* with the point's values */
    Measure choice;    /* the compiler's own      */
    uint32_t n;
    Measure measure[ORDER_NAMES + 1]; /* the choice once more if no single order gives the same */
    ResidualMeasure residual;
    BaseMeasure base;
    uint32_t taken; /* which of them is the choice; n if none */
} Counted;

typedef struct Study {
    Arena *mem;
    const char *model; /* as requested */
    Grid grid;
    const Counted *point;
} Study;

void study_print_table(const Study *s);
void study_print_csv(const Study *s);
void study_print_json(const Study *s);
/* Operations over the first parameter of the grid (Schubert et al. 2011, figures 6 to 9), as SVG.
 * False after a message on stderr. */
bool study_plot(const Study *s, const char *path);

#endif
