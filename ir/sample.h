/* sample.h -- the values of expressions at two points, in floating point.
 *
 * Parameters have the values the model gives them. At the one point everything else is an arbitrary
 * but fixed number near one, at the other a variable has its start value. A pivot that is zero at
 * one of them will not do for this model: a centre of mass in the joint's axis, an element of a
 * rotation matrix that starts as the identity. A moved sample is near by: where parameters are
 * zero, or variables start at zero, they are not.
 */
#ifndef RUNG_IR_SAMPLE_H
#define RUNG_IR_SAMPLE_H

#include "ir/system.h"

typedef enum SampleMoves {
    MOVES_NOTHING,
    MOVES_STARTS,
    MOVES_ALL, /* parameters, too */
} SampleMoves;

typedef struct SampleValue {
    double usual, start;
} SampleValue;

typedef struct Sample {
    const System *s;
    Arena *mem;
    SampleMoves moves;
    VarId moved;     /* a parameter that is moved, VAR_NONE for none by itself */
    uint32_t *place; /* per node: 1 + index in node and value, 0 if not evaluated */
    uint32_t n_places;
    VEC(uint32_t) node;
    VEC(SampleValue) value;
    VEC(ExprId) stack;
} Sample;

Sample sample_new(const System *s, Arena *mem);
Sample sample_moved(const System *s, SampleMoves moves, Arena *mem);
/* But for one parameter. */
Sample sample_but(const System *s, VarId moved, Arena *mem);
/* At the usual point. NAN for strings and calls. All calls together are near-linear. */
double sample_value(Sample *m, ExprId x);
double sample_start(Sample *m, ExprId x); /* likewise, at the start */
/* Zero at one of the points, or as small as rounding errors. */
bool sample_vanishes(Sample *m, ExprId x);
/* After the pool was rolled back from `before` nodes. */
void sample_forget(Sample *m, uint32_t before);

#endif
