/* quad_math.h -- takes the place of rung_math.h: the same program with 113 bits instead of 53.
 *
 * After this file `double` is __float128, in generated code and in rung_model.h alike. Numbers
 * written in the code keep the 53 bits they have there, so both programs compute the same thing.
 */
#ifndef RUNG_MATH_H
#define RUNG_MATH_H

#include <float.h>
#include <math.h>
#include <quadmath.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define double __float128
#define sin sinq
#define cos cosq
#define sqrt sqrtq
#define fabs fabsq

static inline double rung_square(double x)
{
    return x * x;
}

static inline double rung_max(double x, double y)
{
    return x > y ? x : y;
}

static inline int rung_usable(double pivot)
{
    return fabs(pivot) >= FLT128_MIN && fabs(pivot) <= FLT128_MAX;
}

static inline int rung_pivot_ok(double pivot, double least)
{
    return fabs(pivot) >= least && rung_usable(pivot);
}

static inline void rung_sincos(unsigned n, const double *angle, double *sine, double *cosine)
{
    for (unsigned k = 0; k < n; k++) {
        sine[k] = sin(angle[k]);
        cosine[k] = cos(angle[k]);
    }
}

#endif
