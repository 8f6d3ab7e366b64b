/* dependent_equations.h -- linear equations of one algebraic loop that depend on each other.
 *
 * Index reduction sees who occurs where, not with which coefficients: that i1 + i2 + i3 = -3 i0 and
 * i1 + i2 + i3 = 0 say nothing of two currents but i0 = 0 escapes it, and the loop in which they
 * stand is singular. Where equations of a loop have constant coefficients, numbers or parameters,
 * such a dependence is found exactly, by elimination over the pool's expressions, and the last of
 * the equations is replaced by their combination, in which the loop's unknowns cancel: a constraint
 * among variables known to the loop, which index reduction then differentiates if these are states.
 * It has the factor 1 in the combination, so that solutions stay the same; the others' factors are
 * quotients of coefficients. Where nothing is left of a combination, the equations repeat or
 * contradict each other, and stay. (Otter and Elmqvist 2017, Transformation of Differential
 * Algebraic Array Equations to Index One Form.)
 *
 * An equation takes part only while each of its unknowns occurs in another one of them, and if it
 * depends on others by its values modulo a prime (graph/dependent_rows.h): expressions are made of
 * the few that are left.
 */
#ifndef RUNG_ELIMINATE_PREPARE_DEPENDENT_EQUATIONS_H
#define RUNG_ELIMINATE_PREPARE_DEPENDENT_EQUATIONS_H

#include "eliminate/dae.h"

/* The replacement of an equation. */
typedef struct Replacement {
    EqId eq; /* as it was before index reduction */
    ExprId lhs, rhs;
} Replacement;

typedef struct Replacements {
    uint32_t n;
    Replacement *at; /* in mem */
} Replacements;

/* After index reduction: needs d->structure and d->pantelides, and that there is a choice of
 * states. The System is not changed. */
Replacements dependent_find(Dae *d, Arena *mem);

#endif
