/* sample.h -- what expressions are worth at one ordinary point, in floating point.
 *
 * Parameters have the values the model gives them, everything else an arbitrary but fixed number
 * near one. A pivot that is zero there is zero for this model though not for all parameters: a
 * centre of mass in the joint's axis, say.
 */
#ifndef RUNG_IR_SAMPLE_H
#define RUNG_IR_SAMPLE_H

#include "ir/system.h"

typedef struct Sample {
    const System *s;
    Arena *mem;
    double *value; /* per node             */
    bool *known;   /* per node             */
    uint32_t n;    /* nodes there is room for */
    VEC(ExprId) stack;
} Sample;

Sample sample_new(const System *s, Arena *mem);
/* NAN for what has no number: strings, calls. Near-linear over all questions together. */
double sample_value(Sample *m, ExprId x);
/* Zero, or so small that only rounding is left. */
bool sample_vanishes(Sample *m, ExprId x);

#endif
