/* zero_factors.h -- derivatives whose factors are zero for the parameters that a model has.
 *
 *     C*der(v) = sin(t) - R*v              with the parameter C = 0 determines v, no state then
 *     d = if eddy then k*der(B) else 0     with the parameter eddy = false has no derivative
 *
 * Index reduction sees who occurs where, so that v is a state, and nothing is left that gives
 * der(v). In F(t, x, x') = 0 the rank in x' hangs on parameters here, and index reduction has to
 * begin without the products that are zero (reduce.c). Where they change nothing, as a damper
 * without damping, the parameters stay. What varies counts as zero if it is at all points of
 * sample_points.h; a run that finds another value ends there.
 */
#ifndef RUNG_ELIMINATE_PREPARE_ZERO_FACTORS_H
#define RUNG_ELIMINATE_PREPARE_ZERO_FACTORS_H

#include "eliminate/dae.h"

/* A factor; and its value, which is another expression where it is a variable with an equation of
 * its own, as a capacitance by a function of voltages. */
typedef struct ZeroFactor {
    ExprId x, value;
} ZeroFactor;

/* An equation without its products of zero. */
typedef struct ZeroFactors {
    EqId eq; /* as it was before index reduction */
    ExprId lhs, rhs;
    uint32_t n;
    const ZeroFactor *factor;
} ZeroFactors;

typedef struct ZeroFactorsList {
    uint32_t n;
    ZeroFactors *at; /* in mem */
} ZeroFactorsList;

/* Sets Var.scales_rates, before index reduction. */
void zero_factors_mark(System *s, Arena *tmp);
/* Of the n equations before index reduction. */
ZeroFactorsList zero_factors_find(System *s, uint32_t n, Arena *mem);
/* After index reduction, which needs d->pantelides: those of `all` whose equation does not contain
 * any more what it determines. */
ZeroFactorsList zero_factors_that_determine(const Dae *d, const ZeroFactorsList *all, Arena *mem);
/* Removes unused derivative variables, as der(v) where only a zero constant multiplies it, before
 * index reduction differentiates v for them. */
void zero_factors_drop_rates(Dae *d);
/* Replaces these equations, and removes the derivatives that are unused then. */
void zero_factors_put_in(Dae *d, const ZeroFactorsList *list);
/* The parameters that make them zero have their values everywhere, and cannot be set in a run any
 * more; what varies and is not zero there ends it (an assertion). */
void zero_factors_settle(Dae *d, const ZeroFactorsList *list, Arena *tmp);

#endif
