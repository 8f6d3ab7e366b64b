/* shifts.h -- unknown vectors measured from where their equations need them: y = x + d.
 *
 * Where equations read R (x + d), d being known (an acceleration without that of gravity), all
 * vectors that are tied to x by differences, whose d cancels, are shifted by d together: R d is
 * needed no more. A vector tied to no other stays: the operations saved would be spent where it is
 * determined. Done where the equations then take fewer operations. Near-linear.
 */
#ifndef RUNG_ELIMINATE_FRAMES_SHIFTS_H
#define RUNG_ELIMINATE_FRAMES_SHIFTS_H

#include "eliminate/frames/explicit_values.h"
#include "eliminate/frames/rewriting.h"

typedef struct Shifts {
    ExplicitValues *values;
    Rewriting *rewriting;
    const Shape *shape; /* of arrays of variables, by group */
    Substitution by;
    ExprId *value;
    bool of_rows; /* also m*x + r in an equation, m and r being parameters: x less gravity */
    Arena *mem;
} Shifts;

Shifts shifts_new(ExplicitValues *values, Rewriting *r, const Shape *shape, Arena *mem);
/* Rewrites equations of the loop; l becomes the loop that is left (opened in mem). Returns how many
 * vectors were shifted. */
uint32_t shifts_apply(Shifts *w, Loop *l, Arena *mem);

#endif
