/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_math.h -- what generated code calls besides libm.
 */
#ifndef RUNG_MATH_H
#define RUNG_MATH_H

#include <float.h>
#include <math.h>

static inline double rung_square(double x)
{
    return x * x;
}

static inline double rung_sign(double x)
{
    return (double)((x > 0) - (x < 0));
}

static inline double rung_min(double x, double y)
{
    return x < y ? x : y;
}

static inline double rung_max(double x, double y)
{
    return x > y ? x : y;
}

/* MLS 3.7.2: quotient without its fraction, and the two remainders that go with it and floor. */
static inline double rung_div(double x, double y)
{
    return trunc(x / y);
}

static inline double rung_rem(double x, double y)
{
    return x - trunc(x / y) * y;
}

static inline double rung_mod(double x, double y)
{
    return x - floor(x / y) * y;
}

/* Fit to divide by: neither zero (or as good as zero), nor infinite, nor not a number. */
static inline int rung_usable(double pivot)
{
    double size = fabs(pivot);
    return size >= DBL_MIN && size <= DBL_MAX;
}

/* Sines and cosines of n angles. */
static inline void rung_sincos(unsigned n, const double *angle, double *sine, double *cosine)
{
    for (unsigned k = 0; k < n; k++) {
        sine[k] = sin(angle[k]);
        cosine[k] = cos(angle[k]);
    }
}

#endif
