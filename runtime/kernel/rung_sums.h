/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_sums.h -- the errors of variables that are sums of states, y = c_1 x_1 + c_2 x_2 + ...
 *
 * Two shafts behind a million radians may have an error of one radian at a tolerance of 1e-6, but
 * not the torque of the spring between them, y = c (x_1 - x_2). Errors that both have in common do
 * not matter to it, so its error is that of the sum, not one of each state. Ten tolerances are
 * allowed: where no term is larger than ten times the sum, the errors of the states are a
 * sufficient bound.
 */
#ifndef RUNG_SUMS_H
#define RUNG_SUMS_H

#include <float.h>
#include <math.h>
#include <stdint.h>

/* y of sum k: terms begin[k] .. begin[k + 1]. */
typedef struct RungSums {
    uint32_t n;
    uint32_t *begin, *state;
    double *factor; /* per term */
    double *size;   /* n: nominal value + the largest |y| so far */
    double *terms;  /* n: sum of the |c x|, whose digits y has                          */
} RungSums;

/* The error that sum k may have. */
static inline double rung_sums_error(const RungSums *s, uint32_t k, double tolerance)
{
    const double times = 10, digits = 16 * DBL_EPSILON;
    return times * tolerance * s->size[k] + digits * s->terms[k];
}

/* The largest error of a sum, v being the errors of the states, in units of the tolerance; 0
 * without sums. */
static inline double rung_sums_norm(const RungSums *s, const double *v, double tolerance)
{
    double most = 0;
    for (uint32_t k = 0; s && k < s->n; k++) {
        double of = 0;
        for (uint32_t i = s->begin[k]; i < s->begin[k + 1]; i++)
            of += s->factor[i] * v[s->state[i]];
        most = fmax(most, fabs(of) / rung_sums_error(s, k, tolerance));
    }
    return most;
}

#endif
