/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_lanes.h -- functions called by generated code that computes RUNG_WIDTH instances at once,
 * one in each lane of vectors.
 *
 * A lane has the same operations in the same order as the code of one instance, so the same bits. A
 * branch of the scalar code is a mask here: both values are computed and one is selected. Vectors
 * are those of gcc and clang; the including file defines RUNG_WIDTH.
 */
#ifndef RUNG_LANES_H
#define RUNG_LANES_H

#include "rung_math.h"
#include "rung_model.h"

#if !defined(__GNUC__)
#error "code for several instances at once needs the vectors of gcc or clang"
#endif
/* The processor's vectors: RUNG_SLICES of them hold a number of all instances, and the code runs
 * once for each slice, so that w is that of one. Wider ones the compiler would take apart badly. */
#if defined(__AVX512F__)
#define RUNG_VECTOR 8
#elif defined(__AVX__)
#define RUNG_VECTOR 4
#else
#define RUNG_VECTOR 2
#endif
#if RUNG_WIDTH < RUNG_VECTOR
#define RUNG_SLICE RUNG_WIDTH
#else
#define RUNG_SLICE RUNG_VECTOR
#endif
#define RUNG_SLICES (RUNG_WIDTH / RUNG_SLICE)

/* As it lies in arrays: of doubles, for others. */
typedef double RungLane __attribute__((vector_size(RUNG_SLICE * 8), may_alias));
typedef long long RungMask __attribute__((vector_size(RUNG_SLICE * 8)));
typedef RungLane RungRow[RUNG_SLICES]; /* of all instances */

/* A number as one in each lane, a vector as it is: nothing else changes no bit, minus zero
 * included.
 */
#define RUNG_LANE(x) ((x) - (RungLane){0})

#define RUNG_LANE_INLINE static inline __attribute__((always_inline))

RUNG_LANE_INLINE RungLane rung_lane_square(RungLane x)
{
    return x * x;
}

RUNG_LANE_INLINE RungLane rung_lane_select(RungMask yes, RungLane a, RungLane b)
{
    return (RungLane)(((RungMask)a & yes) | ((RungMask)b & ~yes));
}

/* A condition as a number, 0 or 1. */
RUNG_LANE_INLINE RungLane rung_lane_truth(RungMask yes)
{
    return rung_lane_select(yes, RUNG_LANE(1.0), RUNG_LANE(0.0));
}

RUNG_LANE_INLINE RungLane rung_lane_fabs(RungLane x)
{
    return (RungLane)((RungMask)x & 0x7fffffffffffffffLL);
}

RUNG_LANE_INLINE RungLane rung_lane_min(RungLane x, RungLane y)
{
    return rung_lane_select((RungMask)(x >= y) | (RungMask)(y != y), y, x);
}

RUNG_LANE_INLINE RungLane rung_lane_max(RungLane x, RungLane y)
{
    return rung_lane_select((RungMask)(x <= y) | (RungMask)(y != y), y, x);
}

/* Functions of libm, lane by lane. */
#define RUNG_LANE_FUNCTION(name, function)                                                         \
    RUNG_LANE_INLINE RungLane rung_lane_##name(RungLane x)                                         \
    {                                                                                              \
        for (int k = 0; k < RUNG_SLICE; k++)                                                       \
            x[k] = function(x[k]);                                                                 \
        return x;                                                                                  \
    }
#define RUNG_LANE_FUNCTION2(name, function)                                                        \
    RUNG_LANE_INLINE RungLane rung_lane_##name(RungLane x, RungLane y)                             \
    {                                                                                              \
        for (int k = 0; k < RUNG_SLICE; k++)                                                       \
            x[k] = function(x[k], y[k]);                                                           \
        return x;                                                                                  \
    }

RUNG_LANE_FUNCTION(sin, sin)
RUNG_LANE_FUNCTION(cos, cos)
RUNG_LANE_FUNCTION(tan, tan)
RUNG_LANE_FUNCTION(asin, asin)
RUNG_LANE_FUNCTION(acos, acos)
RUNG_LANE_FUNCTION(atan, atan)
RUNG_LANE_FUNCTION(sinh, sinh)
RUNG_LANE_FUNCTION(cosh, cosh)
RUNG_LANE_FUNCTION(tanh, tanh)
RUNG_LANE_FUNCTION(exp, exp)
RUNG_LANE_FUNCTION(log, log)
RUNG_LANE_FUNCTION(log10, log10)
RUNG_LANE_FUNCTION(sqrt, sqrt)
RUNG_LANE_FUNCTION(sign, rung_sign)
RUNG_LANE_FUNCTION(floor, floor)
RUNG_LANE_FUNCTION(ceil, ceil)
RUNG_LANE_FUNCTION2(pow, pow)
RUNG_LANE_FUNCTION2(atan2, atan2)
RUNG_LANE_FUNCTION2(mod, rung_mod)
RUNG_LANE_FUNCTION2(rem, rung_rem)
RUNG_LANE_FUNCTION2(div, rung_div)

/* rung_usable and rung_pivot_ok in each lane. */
RUNG_LANE_INLINE RungMask rung_lane_usable(RungLane pivot)
{
    const RungLane size = rung_lane_fabs(pivot);
    return (RungMask)(size >= DBL_MIN) & (RungMask)(size <= DBL_MAX);
}

RUNG_LANE_INLINE RungMask rung_lane_pivot_ok(RungLane pivot, RungLane least)
{
    return (RungMask)(rung_lane_fabs(pivot) >= least) & rung_lane_usable(pivot);
}

/* A bit for each lane where the mask is set. */
RUNG_LANE_INLINE unsigned rung_lane_bits(RungMask yes)
{
    unsigned bits = 0;
    for (int k = 0; k < RUNG_SLICE; k++)
        bits |= (unsigned)(yes[k] & 1) << k;
    return bits;
}

/* Before code of numbers, in other files: with anything in the upper halves of the processor's
 * vectors its instructions wait for each other. Functions that take vectors leave it there. */
RUNG_LANE_INLINE void rung_lane_leave(void)
{
#if defined(__AVX__)
    __builtin_ia32_vzeroupper();
#endif
}

/* A function of the model with n_in arguments and n_out results, for one lane after the other of
 * those that are evaluated. scratch: of n_in + n_out numbers. */
typedef int (*RungFunction)(RungContext *ctx, const double *in, double *out);

static inline void rung_lane_call(RungLaneContext *ctx, unsigned h, RungFunction f, size_t n_in,
                                  size_t n_out, const RungLane *in, RungLane *out, double *scratch)
{
    for (unsigned k = 0; k < RUNG_SLICE; k++) {
        const unsigned lane = h * RUNG_SLICE + k;
        if (!(ctx->active >> lane & 1))
            continue;
        for (size_t i = 0; i < n_in; i++)
            scratch[i] = in[i][k];
        rung_lane_leave();
        if (f(ctx->instance[lane], scratch, scratch + n_in))
            ctx->failed |= 1u << lane;
        for (size_t i = 0; i < n_out; i++)
            out[i][k] = scratch[n_in + i];
    }
}

/* Solves a block for one lane after the other by its instance, into whose w the n numbers that its
 * functions read go from w. */
static inline void rung_lane_solve(RungLaneContext *ctx, unsigned h, RungLane t, const RungRow *x,
                                   uint32_t block, size_t n, const uint32_t *from,
                                   const uint32_t *to)
{
    const RungLane *w = (const RungLane *)ctx->w;
    for (unsigned k = 0; k < RUNG_SLICE; k++) {
        const unsigned lane = h * RUNG_SLICE + k;
        if (!(ctx->active >> lane & 1))
            continue;
        RungContext *own = ctx->instance[lane];
        const RungBlock *b = &own->model->block[block];
        for (size_t i = 0; i < n; i++)
            own->w[to[i]] = w[from[i]][k];
        for (size_t i = 0; i < own->model->n_states; i++)
            ctx->x[i] = x[i][h][k];
        const double time = t[k];
        rung_lane_leave();
        if (own->solve(own, block, time, ctx->x))
            ctx->failed |= 1u << lane;
        for (size_t i = b->first; i < (size_t)b->first + b->n; i++)
            ((RungRow *)ctx->z)[i][h][k] = own->z[i];
    }
}

/* Evaluates one part of the lanes and copies the n numbers that other functions read to w[to] ..;
 * scratch for them in all lanes is at w[rows]. */
typedef int (*RungLanePart)(RungLaneContext *ctx, unsigned h, RungLane t, const RungRow *restrict x,
                            RungRow *restrict out);

static inline int rung_lane_first(RungLanePart part, RungLaneContext *ctx, unsigned h, RungLane t,
                                  const RungRow *x, size_t rows, size_t to, size_t n)
{
    RungLane *w = (RungLane *)ctx->w;
    RungRow *row = (RungRow *)(w + rows);
    const int status = part(ctx, h, t, x, row);
    for (size_t k = 0; k < n; k++)
        w[to + k] = row[k][h];
    return status;
}

/* Adds zero times each of n numbers to `sum`: no number if one is not finite. */
RUNG_LANE_INLINE void rung_lane_finite(size_t n_numbers, const double *v, double *sum)
{
    RungLane *to = (RungLane *)sum;
    for (size_t k = 0; k < n_numbers; k++)
        for (size_t p = 0; p < RUNG_SLICES; p++)
            to[p] += 0 * ((const RungRow *)v)[k][p];
}

/* One step of the classical Runge-Kutta method, with the operations of rk4.c: from x at t, where
 * the slope is k[0], to x_new at t_new, where it is f_new. k: four of n vectors one behind the
 * other, of which the first is given; stage: one more. grows: 1 where h times the dominating
 * eigenvalue is beyond the region of stability by the rule of rk4.c, no number where the end of the
 * step is none, else 0. */
typedef int (*RungLaneXdot)(RungLaneContext *ctx, const double *t, const double *x, double *xdot);

/* At the same time t in all lanes. */
RUNG_LANE_INLINE void rung_lane_at(RungLaneXdot xdot, RungLaneContext *ctx, double t,
                                   const double *x, double *rate)
{
    RungRow time;
    for (size_t p = 0; p < RUNG_SLICES; p++)
        time[p] = RUNG_LANE(t);
    xdot(ctx, (const double *)time, x, rate);
}

RUNG_LANE_INLINE void rung_lane_rk4(RungLaneXdot xdot, RungLaneContext *ctx, size_t n_states,
                                    double t, double t_new, const double *x_in, double *k_in,
                                    double *stage, double *x_out, double *f_new, double *grows)
{
    const size_t n = n_states * RUNG_SLICES;
    const double h = t_new - t, share[4] = {0, 0.5, 0.5, 1};
    const RungLane *x = (const RungLane *)x_in;
    RungLane *x_stage = (RungLane *)stage, *x_new = (RungLane *)x_out;
    RungLane *k[4];
    for (size_t s = 0; s < 4; s++)
        k[s] = (RungLane *)k_in + s * n;
    for (size_t s = 1; s < 4; s++) {
        const double part = share[s] * h;
        for (size_t i = 0; i < n; i++)
            x_stage[i] = x[i] + part * k[s - 1][i];
        rung_lane_at(xdot, ctx, t + share[s] * h, stage, (double *)k[s]);
    }
    for (size_t i = 0; i < n; i++)
        x_new[i] = x[i] + h / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    rung_lane_at(xdot, ctx, t_new, x_out, f_new);
    for (size_t p = 0; p < RUNG_SLICES; p++) {
        RungLane num = {0}, den = {0};
        for (size_t i = p; i < n; i += RUNG_SLICES) {
            const RungLane df = k[2][i] - k[1][i], dx = h / 2 * (k[1][i] - k[0][i]);
            num += df * df;
            den += dx * dx;
        }
        ((RungLane *)grows)[p] = rung_lane_truth((RungMask)(den > 0.0) &
                                                 (RungMask)(h * rung_lane_sqrt(num / den) > 3.25));
    }
    rung_lane_finite(n_states, x_out, grows);
    rung_lane_finite(n_states, f_new, grows);
}

#endif
