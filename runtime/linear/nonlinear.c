/* SPDX-License-Identifier: BSD-3-Clause */
#include "nonlinear.h"
#include "factor.h"
#include "rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITERATIONS = 1000 }; /* of an exponential each shortens the argument by one only */
static const double LEAST_DAMPING = 1e-10;
/* Lengths of a step: below the first, rounding may be all that is left of it; the second is it. */
static const double NEAR = 1e-9, ROUNDING = 1e-14;

/* One block's Newton's method; the arrays are of the largest block. */
struct Nonlinear {
    double *step;       /* Newton's correction at z                           */
    double *ahead;      /* z - damping * step                                 */
    double *simplified; /* the correction ahead, with the Jacobian of z    */
    double *farther;    /* z - a larger damping * step                        */
    double *beyond;     /* the correction there, likewise                     */
    double *before;     /* z at the beginning                                 */
    double *guess;      /* where a search began                               */
    double *settled;    /* n_unknowns: at the last step's end                 */
    double *kept;       /* n_unknowns: nonlinear_keep                         */
    bool has_settled, is_first;
    bool *is_far; /* per block: solutions since then that may be another branch's */
    double *last; /* per block: when the latest was                             */
    double *entry;
    uint32_t n_blocks;
    Factor *factor; /* per block */
    uint64_t iterations;
    bool searches, leaves_kinks, leaves_open;
    bool is_singular; /* the Jacobian in `entry` */
};

void nonlinear_free(Nonlinear *w)
{
    if (!w)
        return;
    for (uint32_t k = 0; w->factor && k < w->n_blocks; k++)
        factor_close(&w->factor[k]);
    free(w->factor);
    free(w->step);
    free(w->ahead);
    free(w->simplified);
    free(w->farther);
    free(w->beyond);
    free(w->before);
    free(w->guess);
    free(w->settled);
    free(w->kept);
    free(w->is_far);
    free(w->last);
    free(w->entry);
    free(w);
}

Nonlinear *nonlinear_new(const RungModel *m)
{
    size_t n = 0, entries = 0;
    Nonlinear *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->n_blocks = m->n_blocks;
    w->factor = calloc(m->n_blocks + (size_t)1, sizeof *w->factor);
    bool ok = w->factor;
    for (uint32_t k = 0; ok && k < m->n_blocks; k++) {
        const RungBlock *b = &m->block[k];
        if (b->is_linear)
            continue;
        ok = factor_open(&w->factor[k], b->n, &b->pattern, b->column_order);
        n = b->n > n ? b->n : n;
        entries = b->pattern.col_start[b->n] > entries ? b->pattern.col_start[b->n] : entries;
    }
    w->step = calloc(n + 1, sizeof *w->step);
    w->ahead = calloc(n + 1, sizeof *w->ahead);
    w->simplified = calloc(n + 1, sizeof *w->simplified);
    w->farther = calloc(n + 1, sizeof *w->farther);
    w->beyond = calloc(n + 1, sizeof *w->beyond);
    w->before = calloc(n + 1, sizeof *w->before);
    w->guess = calloc(n + 1, sizeof *w->guess);
    w->entry = calloc(entries + 1, sizeof *w->entry);
    w->settled = calloc(m->n_unknowns + (size_t)1, sizeof *w->settled);
    w->kept = calloc(m->n_unknowns + (size_t)1, sizeof *w->kept);
    w->is_far = calloc(m->n_blocks + (size_t)1, sizeof *w->is_far);
    w->last = calloc(m->n_blocks + (size_t)1, sizeof *w->last);
    if (!ok || !w->settled || !w->kept || !w->is_far || !w->last || !w->step || !w->ahead ||
        !w->simplified || !w->farther || !w->beyond || !w->before || !w->guess || !w->entry) {
        nonlinear_free(w);
        return NULL;
    }
    return w;
}

void nonlinear_search(Nonlinear *w, bool on)
{
    w->searches = on;
}

bool nonlinear_leave_kinks(Nonlinear *w, bool on)
{
    bool before = w->leaves_kinks;
    w->leaves_kinks = on;
    return before;
}

void nonlinear_leave_open(Nonlinear *w, bool on)
{
    w->leaves_open = on;
}

/* Whether an unknown has changed its sign or become several times what it was. */
static bool has_jumped(uint32_t n, const double *from, const double *to)
{
    static const double HALF = 0.5;
    for (uint32_t i = 0; i < n; i++)
        if (fabs(to[i] - from[i]) > HALF * (fabs(to[i]) + fabs(from[i])))
            return true;
    return false;
}

static bool leaves_from(const Nonlinear *w, const RungContext *ctx, const double *z)
{
    const RungModel *m = ctx->model;
    bool has_left = false;
    for (uint32_t k = 0; w->leaves_kinks && k < m->n_blocks; k++) {
        const RungBlock *b = &m->block[k];
        has_left = has_left || (b->has_kinks && has_jumped(b->n, z + b->first, ctx->z + b->first));
    }
    return has_left;
}

void nonlinear_keep(Nonlinear *w, const RungContext *ctx)
{
    if (w->leaves_kinks)
        memcpy(w->kept, ctx->z, ctx->model->n_unknowns * sizeof *ctx->z);
}

bool nonlinear_has_left(Nonlinear *w, RungContext *ctx)
{
    bool has_left = leaves_from(w, ctx, w->kept);
    if (has_left)
        memcpy(ctx->z, w->kept, ctx->model->n_unknowns * sizeof *ctx->z);
    return has_left;
}

void nonlinear_settle(Nonlinear *w, const RungContext *ctx)
{
    memcpy(w->settled, ctx->z, ctx->model->n_unknowns * sizeof *ctx->z);
    memset(w->is_far, 0, w->n_blocks * sizeof *w->is_far);
    w->has_settled = w->is_first = true;
}

void nonlinear_go_on(Nonlinear *w, const RungContext *ctx)
{
    if (leaves_from(w, ctx, w->settled))
        w->leaves_kinks = false;
    nonlinear_settle(w, ctx);
    w->is_first = false;
}

uint64_t nonlinear_iterations(const Nonlinear *w)
{
    return w->iterations;
}

/* ------------------------------------------------------------------ Newton's method */

/* A block at (t, x): what does not change while it is solved. */
typedef struct Problem {
    Nonlinear *w;
    RungContext *ctx;
    const RungBlock *b;
    uint32_t k;
    double t;
    const double *x;
} Problem;

/* The longest component; NaN if one is. */
static double length_of(const RungBlock *b, const double *z, const double *step)
{
    double length = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        double part = fabs(step[i]) / (fabs(z[i]) + b->nominal[i]);
        length = part <= length ? length : part;
    }
    return length;
}

/* The correction where the Jacobian in w->entry is singular: of the unknowns that it determines,
 * the others staying as they are. In r the residual first. Positive where the equations contradict
 * each other. */
static int correct_singular(const Problem *p, const double *z, double *r)
{
    static const double SMALL = 1e-12, AGREE = 1e-9;
    enum { DENSE = 500 };
    const Nonlinear *w = p->w;
    const RungBlock *b = p->b;
    const RungPattern *pattern = &b->pattern;
    const size_t n = b->n;
    if (n > DENSE)
        return 1;
    double *a = calloc(n * n + n + 1, sizeof *a), *turned = a ? a + n * n : NULL, size = 0;
    uint32_t *order = calloc(n + 1, sizeof *order);
    bool good = a && order;
    for (uint32_t c = 0; good && c < n; c++)
        for (uint32_t k = pattern->col_start[c]; k < pattern->col_start[c + 1]; k++) {
            a[c * n + pattern->row[k]] = w->entry[k];
            size = fmax(size, fabs(w->entry[k]) * (fabs(z[c]) + b->nominal[c]));
            good = good && isfinite(w->entry[k]);
        }
    uint32_t rank = 0;
    if (good) {
        memcpy(turned, r, n * sizeof *r);
        rank = rank_find(b->n, b->n, a, SMALL, order, turned, NULL);
        for (uint32_t i = 0; i < b->n; i++)
            size = fmax(size, fabs(r[i]));
    }
    for (uint32_t i = rank; good && i < n; i++)
        good = fabs(turned[i]) <= AGREE * size;
    if (good) {
        rank_solve(b->n, a, rank, order, turned);
        memset(r, 0, n * sizeof *r);
        for (uint32_t k = 0; k < rank; k++)
            r[order[k]] = turned[k];
    }
    int status = !a || !order ? -1 : !good;
    free(a);
    free(order);
    return status;
}

/* Factors the Jacobian at z. */
static int factor(const Problem *p, const double *z)
{
    static const double ROUNDED = 1e-13;
    Nonlinear *w = p->w;
    Factor *f = &w->factor[p->k];
    w->iterations++;
    w->is_singular = false;
    int status = p->b->jacobian(p->ctx, p->b->copy, p->t, p->x, z, w->entry);
    if (status)
        return status;
    bool good = factor_entries(f, w->entry);
    if (good && (!w->leaves_open || factor_pivot_ratio(f) > ROUNDED))
        return 0;
    w->is_singular = w->leaves_open;
    return !w->is_singular;
}

/* The correction that the factored Jacobian asks for at `at`, and its length in units of z. */
static int correction(const Problem *p, const double *at, const double *z, double *out,
                      double *length)
{
    int status = p->b->residual(p->ctx, p->b->copy, p->t, p->x, at, out);
    if (status)
        return status;
    if (!p->w->is_singular)
        factor_solve(&p->w->factor[p->k], out);
    else if ((status = correct_singular(p, z, out)))
        return status;
    *length = length_of(p->b, z, out);
    return isfinite(*length) ? 0 : 1;
}

/* What is known of a step: its length, the share of it that is taken, the length of the simplified
 * correction after it. */
typedef struct Step {
    double length, damping, simplified;
} Step;

/* The damping that the curvature seen along the last step suggests (Deuflhard (3.50)): half of the
 * step's length over the distance between the simplified correction and a linear prediction. */
static double damping_after(const Problem *p, const double *z, const Step *s)
{
    double distance = 0;
    for (uint32_t i = 0; i < p->b->n; i++) {
        double d = p->w->simplified[i] - (1 - s->damping) * p->w->step[i];
        distance = fmax(distance, fabs(d) / (fabs(z[i]) + p->b->nominal[i]));
    }
    return distance > 0 ? 0.5 * s->length * s->damping * s->damping / distance : 1;
}

/* Takes as much of the step from z as passes the natural monotonicity test; the rest of the share
 * tried first is in s->damping. *next: the share to try first at the next step. */
static int damped(const Problem *p, const double *z, Step *s, double *next)
{
    Nonlinear *w = p->w;
    while (s->damping >= LEAST_DAMPING) {
        for (uint32_t i = 0; i < p->b->n; i++)
            w->ahead[i] = z[i] - s->damping * w->step[i];
        int status = correction(p, w->ahead, z, w->simplified, &s->simplified);
        if (status < 0)
            return status;
        double better = status ? 0 : damping_after(p, z, s);
        if (!status && (s->simplified < s->length || s->length <= NEAR)) {
            *next = fmin(1, better);
            return 0;
        }
        // far away the curvature says nothing of what is near
        s->damping *= status ? 0.25 : fmax(0.1, fmin(better / s->damping, 0.5));
    }
    return 1;
}

/* Whether both corrections point to the same side, in units of z. */
static bool agree(const Problem *p, const double *z, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->b->n; i++) {
        double unit = fabs(z[i]) + p->b->nominal[i];
        sum += a[i] / unit * (b[i] / unit);
    }
    return sum > 0;
}

/* Down an exponential, full steps are far too short: each shortens its argument by one, and of an
 * exponential of another one by less and less. The step is doubled while what the same Jacobian
 * asks for after it gets less and is on the same side. */
static int lengthen(const Problem *p, const double *z, Step *s)
{
    Nonlinear *w = p->w;
    for (;;) {
        double damping = 2 * s->damping, length;
        for (uint32_t i = 0; i < p->b->n; i++)
            w->farther[i] = z[i] - damping * w->step[i];
        int status = correction(p, w->farther, z, w->beyond, &length);
        if (status < 0)
            return status;
        if (status || !(length < s->simplified) || !agree(p, z, w->beyond, w->step))
            return 0;
        double *ahead = w->ahead, *simplified = w->simplified;
        w->ahead = w->farther;
        w->farther = ahead;
        w->simplified = w->beyond;
        w->beyond = simplified;
        s->damping = damping;
        s->simplified = length;
    }
}

/* The solution is reached: the full step was taken, and what the simplified correction leaves is
 * rounding, or no step near the solution gets shorter any more. */
static bool converged(const Step *s)
{
    if (s->length <= ROUNDING)
        return true;
    double contraction = s->simplified / s->length;
    return s->damping == 1 &&
           (s->simplified * contraction <= ROUNDING || (s->length <= NEAR && contraction > 0.1));
}

/* Whether an unknown has jumped, or the first step was not one of a method that converges from
 * there: its contraction is then below a quarter (Deuflhard (3.37)). */
static bool is_far(const Problem *p, const double *from, const double *to, const Step *first)
{
    static const double THETA = 0.25;
    if (first->damping < 1 || (first->length > NEAR && first->simplified > THETA * first->length))
        return true;
    return has_jumped(p->b->n, from, to);
}

static int newton(const Problem *p)
{
    Nonlinear *w = p->w;
    uint32_t n = p->b->n;
    double *z = p->ctx->z + p->b->first;
    memcpy(w->before, z, n * sizeof *z);
    enum { PATIENCE = 10 };
    static const double SLOW = 0.2;
    Step s = {.damping = 1}, at_first = s;
    double first = 1;
    int status = 0;
    for (int it = 0; !status && it < MAX_ITERATIONS; it++) {
        status = factor(p, z);
        if (!status)
            status = correction(p, z, z, w->step, &s.length);
        s.damping = first;
        if (!status)
            status = damped(p, z, &s, &first);
        bool is_slow =
            it >= PATIENCE && s.damping == 1 && s.length > NEAR && s.simplified > SLOW * s.length;
        if (!status && is_slow)
            status = lengthen(p, z, &s);
        if (status)
            break;
        if (it == 0)
            at_first = s;
        memcpy(z, w->ahead, n * sizeof *z);
        if (!converged(&s))
            continue;
        for (uint32_t i = 0; s.simplified < s.length && i < n; i++)
            z[i] -= w->simplified[i];
        w->is_far[p->k] = w->is_far[p->k] || is_far(p, w->before, z, &at_first);
        return 0;
    }
    if (status >= 0) {
        memcpy(z, w->before, n * sizeof *z);
        p->ctx->failed_block = p->k;
    }
    return status < 0 ? status : 1;
}

/* ------------------------------------------------------------------ other guesses */

/* A number in -1 .. 1 that depends on the round and the unknown alone: runs repeat. */
static double scatter(uint32_t round, uint32_t i)
{
    uint64_t h = (uint64_t)round * 0x9e3779b97f4a7c15u + (uint64_t)(i + 1) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 30)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    return (double)(h >> 11) / 4503599627370496.0 - 1;
}

/* Guesses around the first, the near ones first; of a single unknown both sides in turn. */
static int search(const Problem *p)
{
    enum { ROUNDS = 60, PER_RADIUS = 6 };
    const RungBlock *b = p->b;
    double *z = p->ctx->z + b->first, *guess = p->w->guess, radius = 0.1;
    memcpy(guess, z, b->n * sizeof *z);
    int status = 1;
    for (uint32_t round = 0; round < ROUNDS && status > 0; round++) {
        if (round > 0 && round % PER_RADIUS == 0)
            radius *= 1.6;
        for (uint32_t i = 0; i < b->n; i++) {
            double side = round % 2 ? -1 : 1;
            double part = (double)(round % PER_RADIUS + 2) / (PER_RADIUS + 1);
            double way = b->n == 1 ? side * part : scatter(round, i);
            z[i] = guess[i] + radius * way * (fabs(guess[i]) + b->nominal[i]);
        }
        p->ctx->failed_pivot = p->ctx->failed_block = RUNG_NONE;
        status = newton(p);
    }
    if (status > 0)
        memcpy(z, guess, b->n * sizeof *z);
    return status;
}

int nonlinear_solve(Nonlinear *w, RungContext *ctx, uint32_t k, double t, const double *x)
{
    Problem p = {w, ctx, &ctx->model->block[k], k, t, x};
    double *z = ctx->z + p.b->first;
    const size_t size = p.b->n * sizeof *z;
    // what an attempt that led far off has left may be a solution of another branch; where one has
    // ended, what is gone over to is not left again at the same attempt
    bool begins_again = w->has_settled && w->is_far[k] && (!w->leaves_kinks || t < w->last[k]);
    w->last[k] = t;
    if (begins_again) {
        memcpy(w->guess, z, size);
        memcpy(z, w->settled + p.b->first, size);
    }
    int status = newton(&p);
    if (status > 0 && (begins_again || (w->has_settled && w->is_first))) {
        memcpy(z, begins_again ? w->guess : w->settled + p.b->first, size);
        ctx->failed_pivot = ctx->failed_block = RUNG_NONE;
        status = newton(&p);
    }
    if (status > 0 && ctx->unsolved) {
        ctx->unsolved++;
        return 0;
    }
    bool searches = w->searches || (w->leaves_kinks && p.b->has_kinks);
    return status > 0 && searches ? search(&p) : status;
}
