/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crossing.h -- whether the time at which a relation g(t, x, p) crosses zero has a derivative by
 * parameters, -(dg/dp) / (dg/dt): not where g touches zero, and dg/dt is the rounding of zero.
 */
#ifndef RUNG_RUNTIME_CROSSING_H
#define RUNG_RUNTIME_CROSSING_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Crossing {
    double t, rate, now; /* of the event; dg/dt and g there        */
    double since;        /* the length of the step before it ...   */
    double earlier;      /* ... and g where that began             */
    double error;        /* that g may have                        */
    double rounding;     /* that it has                            */
} Crossing;

/* An error of g moves the event by error / rate. dg/dt must not change by as much as itself in that
 * time; how it changes is seen from its mean in the step before. */
static inline bool crossing_is_sharp(const Crossing *c)
{
    static const double DIGITS = 1e3 * DBL_EPSILON;
    const double rate = fabs(c->rate), mean = fabs(c->now - c->earlier) / c->since;
    if (!(c->since > 0) || !isfinite(c->since))
        return rate > 0;
    const double noise = (c->rounding + DIGITS * fabs(c->t) * mean) / c->since;
    const double bend = 2 * fmax(fabs(mean - rate) - noise, 0) / c->since;
    return c->error * bend < rate * rate;
}

/* Whether the derivatives of the n states, before and behind the change of a relation, are the same
 * where it is zero, as of a force max(0, g): then the derivatives by parameters do not jump,
 * whatever the time. from_zero: g at the event over that at a second place, where they are
 * `second_before` and `second_behind`. */
static inline bool crossing_is_smooth(uint32_t n, const double *before, const double *behind,
                                      const double *second_before, const double *second_behind,
                                      double from_zero)
{
    static const double SMALL = 1e-9, ORDERS = 10;
    const bool is_nearer = from_zero < 1;
    const double share = ORDERS * fmin(from_zero, 1 / from_zero);
    for (uint32_t k = 0; k < n; k++) {
        const double jump = fabs(behind[k] - before[k]);
        const double second = fabs(second_behind[k] - second_before[k]);
        const double near = is_nearer ? jump : second, far = is_nearer ? second : jump;
        const double small = SMALL * (fabs(before[k]) + fabs(behind[k]));
        if (!(near <= small + (share < 1 ? share * far : 0)))
            return false;
    }
    return true;
}

#endif
