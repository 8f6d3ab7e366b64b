/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_math.h -- functions of generated code besides libm.
 */
#ifndef RUNG_MATH_H
#define RUNG_MATH_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double rung_square(double x)
{
    return x * x;
}

static inline double rung_sign(double x)
{
    return (double)((x > 0) - (x < 0));
}

/* NaN where x or y is: Newton's method must see that a point has no residual. */
static inline double rung_min(double x, double y)
{
    return x >= y ? y : y == y ? x : y;
}

static inline double rung_max(double x, double y)
{
    return x <= y ? y : y == y ? x : y;
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

/* A number in -1 .. 1 that depends on the draw and on i alone: runs repeat. */
static inline double rung_scatter(uint32_t draw, uint32_t i)
{
    uint64_t h = (uint64_t)draw * 0x9e3779b97f4a7c15u + (uint64_t)(i + 1) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 30)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    return (double)(h >> 11) / 4503599627370496.0 - 1;
}

/* Likewise, of size 3/4 .. 5/4: by how much of its error state i moves in a draw. With signs alone
 * two states would move alike in many draws, and their difference would not move at all. */
static inline double rung_draw(uint32_t draw, uint32_t i)
{
    const double part = rung_scatter(draw, i);
    return part / 2 + (part < 0 ? -0.75 : 0.75);
}

/* Fit to divide by: neither zero (or as good as zero), nor infinite, nor not a number. */
static inline int rung_usable(double pivot)
{
    double size = fabs(pivot);
    return size >= DBL_MIN && size <= DBL_MAX;
}

/* nominal + |x|; of an angle, whose half turn is finite, no more than that for |x|, unless the
 * digits of x do not allow it. */
static inline double rung_size(double nominal, double half_turn, double x)
{
    const double digits = 1e-4, size = fabs(x);
    return nominal + fmin(size, fmax(half_turn, digits * size));
}

/* RUNG_SCALAR: no vectors, for small targets. */
#if defined(__GNUC__) && !defined(RUNG_SCALAR)
#if defined(__AVX512F__)
enum { RUNG_LANES = 8 };
#elif defined(__AVX__)
enum { RUNG_LANES = 4 };
#else
enum { RUNG_LANES = 2 };
#endif
typedef double RungReals __attribute__((vector_size(RUNG_LANES * 8)));
typedef long long RungBits __attribute__((vector_size(RUNG_LANES * 8)));

/* RUNG_LANES sines and cosines; `near` keeps the bits where the angle was small enough.
 *
 * The angle less a multiple of pi/2, which is taken away in three parts so short that the first
 * two products are exact; then the polynomials of least error on [-pi/4, pi/4] (Remez); the
 * quadrant says which is which. */
static inline void rung_sincos_lanes(const double *angle, double *sine, double *cosine,
                                     RungBits *near)
{
    RungReals a;
    memcpy(&a, angle, sizeof a);
    *near &= (a <= 1e6) & (a >= -1e6);
    const double shift = 0x1.8p52; /* x + shift has the integer next to x in its lowest bits */
    const RungReals shifted = a * 0x1.45f306dc9c883p-1 + shift, quarters = shifted - shift;
    const RungReals r = a - quarters * 0x1.921fb544p+0 - quarters * 0x1.0b4611a6p-34 -
                        quarters * 0x1.3198a2e037073p-69;
    const RungReals z = r * r, half = 0.5 * z, w = 1.0 - half;
    const RungReals p = -0x1.5555555555549p-3 +
                        z * (0x1.111111110f87ap-7 +
                             z * (-0x1.a01a019c118bdp-13 +
                                  z * (0x1.71de3577acb26p-19 +
                                       z * (-0x1.ae5e6633c3432p-26 + z * 0x1.5d92ff36ba70dp-33))));
    const RungReals q = 0x1.555555555554cp-5 +
                        z * (-0x1.6c16c16c1517ep-10 +
                             z * (0x1.a01a019cb1bc1p-16 +
                                  z * (-0x1.27e4f809efa2ap-22 +
                                       z * (0x1.1ee9ebe8950afp-29 + z * -0x1.8fae9c2f71c69p-37))));
    const RungReals s = r + r * z * p, c = w + ((1.0 - w - half) + z * z * q);
    const RungBits quadrant = (RungBits)shifted, odd = -(quadrant & 1);
    const RungBits minus_s = (quadrant & 2) << 62, minus_c = ((quadrant + 1) & 2) << 62;
    const RungBits sb = (((RungBits)s & ~odd) | ((RungBits)c & odd)) ^ minus_s;
    const RungBits cb = (((RungBits)c & ~odd) | ((RungBits)s & odd)) ^ minus_c;
    memcpy(sine, &sb, sizeof sb);
    memcpy(cosine, &cb, sizeof cb);
}
#else
enum { RUNG_LANES = 0 };
#endif

/* Sines and cosines of n angles, several at a time where the compiler knows vectors (gcc, clang):
 * to 2.1 units in the last place, the same digits for every width of vectors. Large angles are
 * left to libm. */
static inline void rung_sincos(unsigned n, const double *angle, double *sine, double *cosine)
{
    int all = 0;
#if defined(__GNUC__) && !defined(RUNG_SCALAR)
    const unsigned whole = n - n % RUNG_LANES;
    RungBits near = ~(RungBits){0};
    for (unsigned k = 0; k < whole; k += RUNG_LANES)
        rung_sincos_lanes(angle + k, sine + k, cosine + k, &near);
    if (whole < n) {
        double a[RUNG_LANES] = {0}, s[RUNG_LANES], c[RUNG_LANES];
        memcpy(a, angle + whole, (n - whole) * sizeof *a);
        rung_sincos_lanes(a, s, c, &near);
        memcpy(sine + whole, s, (n - whole) * sizeof *s);
        memcpy(cosine + whole, c, (n - whole) * sizeof *c);
    }
    all = 1;
    for (int k = 0; k < RUNG_LANES; k++)
        all = all && near[k];
#endif
    for (unsigned k = 0; k < n && !all; k++)
        if (!(fabs(angle[k]) <= 1e6) || !RUNG_LANES) {
            sine[k] = sin(angle[k]);
            cosine[k] = cos(angle[k]);
        }
}

/* A usable divisor, not the rounding of terms that cancel. */
static inline int rung_pivot_ok(double pivot, double least)
{
    return fabs(pivot) >= least && rung_usable(pivot);
}

#endif
