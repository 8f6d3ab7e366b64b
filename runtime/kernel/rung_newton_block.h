/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_newton_block.h -- the equations of a block solved by damped Newton's method (Deuflhard 2004,
 * Newton Methods for Nonlinear Problems, 3.3), in the memory of the caller: for runs, which factor
 * sparse matrices and search for other guesses around it, and for C libraries.
 */
#ifndef RUNG_NEWTON_BLOCK_H
#define RUNG_NEWTON_BLOCK_H

#include "rung_question.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A damped step: its length, the damping factor, the length of the simplified correction after it;
 * lengths are in units of z. */
typedef struct RungBlockStep {
    double length, damping, simplified;
} RungBlockStep;

typedef struct RungNewtonBlock {
    RungContext *ctx;
    const RungBlock *b;
    double t;
    const double *x;
    void *user;
    /* Factors the Jacobian at z. 0, positive if that fails, negative: stop. */
    int (*factor)(void *user, const double *z);
    /* r, the residual at a point, becomes the correction by the factors, which are of z. Likewise.
     */
    int (*correct)(void *user, const double *z, double *r);
    /* Work arrays of b->n: Newton's correction at z; z - damping * step; the correction there with
     * the Jacobian of z; both with a larger damping; z at the beginning. */
    double *step, *ahead, *simplified, *farther, *beyond, *before;
    RungBlockStep first; /* the first one that was taken */
} RungNewtonBlock;

/* Lengths of a step: below the first a step may be mostly, below the second it is only rounding. */
#define RUNG_NEWTON_NEAR (DBL_EPSILON < 1e-10 ? 1e-9 : 1e4 * DBL_EPSILON)
#define RUNG_NEWTON_ROUNDING (DBL_EPSILON < 1e-10 ? 1e-14 : 32 * DBL_EPSILON)
#define RUNG_NEWTON_LEAST_DAMPING 1e-10
/* The largest last correction of a linear block, in units of z. */
#define RUNG_LINEAR_LEFT (DBL_EPSILON < 1e-10 ? 1e-6 : 1e-2)

/* The longest component; NaN if one is. */
RUNG_PART double rung_block_length(const RungBlock *b, const double *z, const double *step)
{
    double length = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const double part = fabs(step[i]) / (fabs(z[i]) + b->nominal[i]);
        length = part > length || !(part <= DBL_MAX) ? part : length;
    }
    return length;
}

/* The correction at `at` by the factored Jacobian of z, and its length. */
RUNG_PART int rung_block_correction(const RungNewtonBlock *p, const double *at, const double *z,
                                    double *out, double *length)
{
    int status = p->b->residual(p->ctx, p->b->copy, p->t, p->x, at, out);
    status = status ? status : p->correct(p->user, z, out);
    if (status)
        return status;
    *length = rung_block_length(p->b, z, out);
    return *length <= DBL_MAX ? 0 : 1;
}

/* The damping that the curvature seen along the last step suggests (Deuflhard (3.50)): half of the
 * step's length over the distance between the simplified correction and a linear prediction. */
RUNG_PART double rung_block_damping(const RungNewtonBlock *p, const double *z,
                                    const RungBlockStep *s)
{
    double distance = 0;
    for (uint32_t i = 0; i < p->b->n; i++) {
        const double d = p->simplified[i] - (1 - s->damping) * p->step[i];
        distance = fmax(distance, fabs(d) / (fabs(z[i]) + p->b->nominal[i]));
    }
    return distance > 0 ? 0.5 * s->length * s->damping * s->damping / distance : 1;
}

/* Takes as much of the step from z as passes the natural monotonicity test; the rest of the share
 * tried first is in s->damping. *next: the share to try first at the next step. */
RUNG_PART int rung_block_damped(const RungNewtonBlock *p, const double *z, RungBlockStep *s,
                                double *next)
{
    while (s->damping >= RUNG_NEWTON_LEAST_DAMPING) {
        int status;
        double better;
        for (uint32_t i = 0; i < p->b->n; i++)
            p->ahead[i] = z[i] - s->damping * p->step[i];
        status = rung_block_correction(p, p->ahead, z, p->simplified, &s->simplified);
        if (status < 0)
            return status;
        better = status ? 0 : rung_block_damping(p, z, s);
        if (!status && (s->simplified < s->length || s->length <= RUNG_NEWTON_NEAR)) {
            // of a step that is mostly rounding the curvature is, too
            *next = s->length <= RUNG_NEWTON_NEAR ? 1 : fmin(1, better);
            return 0;
        }
        // the curvature seen far away need not hold near the solution
        s->damping *= status ? 0.25 : fmax(0.1, fmin(better / s->damping, 0.5));
    }
    return 1;
}

/* Whether both corrections point to the same side, in units of z. */
RUNG_PART int rung_block_agree(const RungBlock *b, const double *z, const double *one,
                               const double *other)
{
    double sum = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const double unit = fabs(z[i]) + b->nominal[i];
        sum += one[i] / unit * (other[i] / unit);
    }
    return sum > 0;
}

/* Down an exponential, full steps are far too short: each shortens its argument by one, and of an
 * exponential of another one by less and less. The step is doubled while the simplified correction
 * after it gets shorter and keeps its direction. */
RUNG_PART int rung_block_lengthen(RungNewtonBlock *p, const double *z, RungBlockStep *s)
{
    for (;;) {
        double damping = 2 * s->damping, length = 0, *ahead = p->ahead, *simplified = p->simplified;
        int status;
        for (uint32_t i = 0; i < p->b->n; i++)
            p->farther[i] = z[i] - damping * p->step[i];
        status = rung_block_correction(p, p->farther, z, p->beyond, &length);
        if (status < 0)
            return status;
        if (status || !(length < s->simplified) || !rung_block_agree(p->b, z, p->beyond, p->step))
            return 0;
        p->ahead = p->farther;
        p->farther = ahead;
        p->simplified = p->beyond;
        p->beyond = simplified;
        s->damping = damping;
        s->simplified = length;
    }
}

/* The solution is reached: the full step was taken, and the error after the simplified correction
 * is rounding, or steps near the solution no longer get shorter. */
RUNG_PART int rung_block_converged(const RungBlockStep *s)
{
    double contraction;
    if (s->length <= RUNG_NEWTON_ROUNDING)
        return 1;
    contraction = s->simplified / s->length;
    return s->damping >= 1 && s->damping <= 1 &&
           (s->simplified * contraction <= RUNG_NEWTON_ROUNDING ||
            (s->length <= RUNG_NEWTON_NEAR && contraction > 0.1));
}

/* Of a block with kinks that seems solved. Where one side of a kink is steep, as of an amplifier at
 * its limit, steps from there are short however far the equations are from holding; from the other
 * side they are not. */
typedef enum RungBlockKink { RUNG_KINK_NONE, RUNG_KINK_POSSIBLE, RUNG_KINK_CROSSED } RungBlockKink;

/* Whether a kink lies between the last two points: corrections at z by the same Jacobian, or after
 * the step that led there, do not get shorter, which may be rounding, too; or get longer. */
RUNG_PART RungBlockKink rung_block_kink(const RungNewtonBlock *p, const double *z,
                                        const RungBlockStep *s)
{
    const double shorter = 0.1, longer = 10, none = 0.01 * RUNG_NEWTON_ROUNDING;
    double length = 0;
    if (s->simplified > longer * fmax(s->length, RUNG_NEWTON_ROUNDING))
        return RUNG_KINK_CROSSED;
    if (s->simplified > shorter * s->length)
        return RUNG_KINK_POSSIBLE;
    return s->simplified > none && (rung_block_correction(p, z, z, p->beyond, &length) ||
                                    length > shorter * s->simplified)
               ? RUNG_KINK_POSSIBLE
               : RUNG_KINK_NONE;
}

/* Whether corrections after two steps are about as long: both rounding. */
RUNG_PART int rung_block_alike(double one, double other)
{
    const double longer = 10;
    return fmax(one, other) <= longer * fmax(fmin(one, other), RUNG_NEWTON_ROUNDING);
}

/* z becomes the solution. 0; positive, z unchanged: none was found; negative: stop. */
RUNG_PART int rung_block_newton(RungNewtonBlock *p, double *z)
{
    // of an exponential each iteration may shorten the argument by one only
    enum { ITERATIONS = 1000, PATIENCE = 10, CROSSINGS = 20 };
    const double slow = 0.2;
    const size_t size = p->b->n * sizeof *z;
    RungBlockStep s = {0, 1, 0};
    double first = 1, last = -1;
    int status = 0, crossings = 0;
    RungBlockKink kink = RUNG_KINK_NONE;
    memcpy(p->before, z, size);
    p->first = s;
    for (int i = 0; !status && i < ITERATIONS; i++) {
        int is_slow;
        status = p->factor(p->user, z);
        if (!status)
            status = rung_block_correction(p, z, z, p->step, &s.length);
        s.damping = first;
        if (!status)
            status = rung_block_damped(p, z, &s, &first);
        is_slow = i >= PATIENCE && s.damping >= 1 && s.length > RUNG_NEWTON_NEAR &&
                  s.simplified > slow * s.length;
        if (!status && is_slow)
            status = rung_block_lengthen(p, z, &s);
        if (status)
            break;
        if (i == 0)
            p->first = s;
        memcpy(z, p->ahead, size);
        if (rung_block_converged(&s)) {
            const int is_rounding =
                kink == RUNG_KINK_POSSIBLE && rung_block_alike(last, s.simplified);
            for (uint32_t q = 0; s.simplified < s.length && q < p->b->n; q++)
                z[q] -= p->simplified[q];
            // a possible kink is none if the step from its other side ends here, too
            kink = p->b->has_kinks ? rung_block_kink(p, z, &s) : RUNG_KINK_NONE;
            if (kink == RUNG_KINK_NONE || (kink == RUNG_KINK_POSSIBLE && is_rounding))
                return 0;
            crossings += kink == RUNG_KINK_CROSSED || last >= 0;
            last = kink == RUNG_KINK_POSSIBLE ? s.simplified : -1;
        } else {
            crossings += kink == RUNG_KINK_POSSIBLE;
            kink = RUNG_KINK_NONE;
            last = -1;
        }
        if (crossings > CROSSINGS)
            break; // to and fro over a kink at which the equations do not hold
    }
    if (status < 0)
        return status;
    memcpy(z, p->before, size);
    return 1;
}

/* Search radius of rung_block_bracket around the guess, in units of z: for the same branch of
 * solutions, and for any solution. */
#define RUNG_BRACKET_NEAR 0.1
#define RUNG_BRACKET_ANY 100

/* The residual of the only equation at z. */
RUNG_PART int rung_block_residual(const RungNewtonBlock *p, double z, double *f)
{
    const int status = p->b->residual(p->ctx, p->b->copy, p->t, p->x, &z, f);
    return status ? status : fabs(*f) <= DBL_MAX ? 0 : 1;
}

/* A change of sign between neighbours among points around z, at distances that grow by `faster` on
 * either side, the nearest one: at[2] with their residuals f[2]. 0 if there is none within `most`
 * units. */
RUNG_PART int rung_block_find_bracket(const RungNewtonBlock *p, double z, double most, double *at,
                                      double *f)
{
    const double least = 4 * DBL_EPSILON, faster = 4, unit = fabs(z) + p->b->nominal[0];
    double here, inner[2], f_inner[2], f_next, far;
    int is_open[2] = {1, 1};
    if (rung_block_residual(p, z, &here))
        return 0;
    inner[0] = inner[1] = z;
    f_inner[0] = f_inner[1] = here;
    for (far = least; far <= most; far *= faster)
        for (int side = 0; side < 2; side++) {
            const double next = side ? z - far * unit : z + far * unit;
            is_open[side] = is_open[side] && !rung_block_residual(p, next, &f_next);
            if (!is_open[side])
                continue;
            if ((f_next > 0) != (f_inner[side] > 0)) {
                at[0] = inner[side];
                at[1] = next;
                f[0] = f_inner[side];
                f[1] = f_next;
                return 1;
            }
            inner[side] = next;
            f_inner[side] = f_next;
        }
    return 0;
}

/* One equation, where Newton's method has ended at a kink, or where the slope vanishes at the
 * solution: bisection, every second time by the secant, between points of unlike sign. What changes
 * its sign in a jump is no solution: the change over the last interval is not much less than that
 * over the first. 0, or positive, z unchanged. */
RUNG_PART int rung_block_bracket(const RungNewtonBlock *p, double *z, double most)
{
    enum { ROUNDS = 200 };
    const double jumps = 1e-3;
    double at[2], f[2], f_next, change;
    if (!rung_block_find_bracket(p, *z, most, at, f))
        return 1;
    change = fabs(f[1] - f[0]);
    for (int round = 0; round < ROUNDS; round++) {
        const double low = fmin(at[0], at[1]), high = fmax(at[0], at[1]);
        const double middle = low + (high - low) / 2;
        double next = round % 2 ? at[0] - f[0] * (at[1] - at[0]) / (f[1] - f[0]) : middle;
        int side;
        if (!(next > low && next < high))
            next = middle;
        if (!(next > low && next < high) || rung_block_residual(p, next, &f_next))
            break;
        side = (f_next > 0) != (f[0] > 0);
        at[side] = next;
        f[side] = f_next;
    }
    if (fabs(f[1] - f[0]) > jumps * change)
        return 1;
    *z = fabs(f[1]) < fabs(f[0]) ? at[1] : at[0];
    return 0;
}

/* A linear block with its matrix factored: z becomes the solution, from any z. Iterative refinement
 * until the correction is at most RUNG_LINEAR_LEFT of z; positive where the factors are too inexact
 * for that. r: work array of b->n. */
RUNG_PART int rung_block_linear(RungContext *ctx, const RungBlock *b, double t, const double *x,
                                void *user, int (*correct)(void *user, const double *z, double *r),
                                double *z, double *r)
{
    enum { REFINEMENTS = 2, MOST = 6 };
    double length = 1;
    for (int i = 0; i < REFINEMENTS || (i < MOST && length > RUNG_LINEAR_LEFT); i++) {
        int status = b->residual(ctx, b->copy, t, x, z, r);
        status = status ? status : correct(user, z, r);
        if (status)
            return status;
        for (uint32_t q = 0; q < b->n; q++)
            z[q] -= r[q];
        length = rung_block_length(b, z, r);
    }
    return !(length <= RUNG_LINEAR_LEFT);
}

#endif
