/* SPDX-License-Identifier: BSD-3-Clause */
#include "nonlinear.h"
#include "factor.h"
#include "rung_math.h"
#include "rung_newton_block.h"
#include "singular_jacobian.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One block's Newton's method; the arrays are of the largest block. */
enum { ROOMS = 6 };
struct Nonlinear {
    double *room[ROOMS]; /* of rung_block_newton                             */
    double *guess;       /* where a search began                               */
    double *settled;     /* n_unknowns: at the last step's end                 */
    double *kept;        /* n_unknowns: nonlinear_keep                         */
    bool has_settled, is_first;
    bool *is_far; /* per block: solutions since then that may be another branch's */
    double *last; /* per block: when the latest was                             */
    double *entry;
    uint32_t n_blocks;
    Factor *factor; /* per block */
    uint64_t iterations, solutions;
    bool searches, leaves_kinks, leaves_open;
    bool is_regular;           /* the Jacobian in `entry` could be factored    */
    bool permits_singular;     /* of the solution that is sought               */
    bool is_singular;          /* the Jacobian in `entry`; where it may be     */
    SingularJacobian singular; /* then factored                                */
    bool *is_open;             /* per block: its last solution is of a family  */
};

void nonlinear_free(Nonlinear *w)
{
    if (!w)
        return;
    for (uint32_t k = 0; w->factor && k < w->n_blocks; k++)
        factor_close(&w->factor[k]);
    free(w->factor);
    for (int i = 0; i < ROOMS; i++)
        free(w->room[i]);
    free(w->guess);
    free(w->settled);
    free(w->kept);
    free(w->is_far);
    free(w->last);
    free(w->entry);
    free(w->is_open);
    singular_jacobian_free(&w->singular);
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
    for (int i = 0; i < ROOMS; i++) {
        w->room[i] = calloc(n + 1, sizeof *w->room[i]);
        ok = ok && w->room[i];
    }
    w->guess = calloc(n + 1, sizeof *w->guess);
    w->entry = calloc(entries + 1, sizeof *w->entry);
    w->settled = calloc(m->n_unknowns + (size_t)1, sizeof *w->settled);
    w->kept = calloc(m->n_unknowns + (size_t)1, sizeof *w->kept);
    w->is_far = calloc(m->n_blocks + (size_t)1, sizeof *w->is_far);
    w->last = calloc(m->n_blocks + (size_t)1, sizeof *w->last);
    w->is_open = calloc(m->n_blocks + (size_t)1, sizeof *w->is_open);
    if (!ok || !w->is_open || !w->settled || !w->kept || !w->is_far || !w->last || !w->guess ||
        !w->entry) {
        nonlinear_free(w);
        return NULL;
    }
    return w;
}

void nonlinear_search(Nonlinear *w, bool on)
{
    w->searches = on;
}

bool nonlinear_searches(const Nonlinear *w)
{
    return w->searches;
}

bool nonlinear_leave_kinks(Nonlinear *w, bool on)
{
    bool before = w->leaves_kinks;
    w->leaves_kinks = on;
    return before;
}

void nonlinear_leave_open(Nonlinear *w, bool on)
{
    w->leaves_open = w->permits_singular = on;
}

/* Whether an unknown has changed its sign or its magnitude by a factor of three or more. */
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

double nonlinear_per_solution(const Nonlinear *w)
{
    return (double)w->iterations / fmax(1, (double)w->solutions);
}

/* ------------------------------------------------------------------ Newton's method */

/* A block at (t, x): the constants of one solution. */
typedef struct Solving {
    Nonlinear *w;
    RungContext *ctx;
    const RungBlock *b;
    uint32_t k;
    double t;
    const double *x;
} Solving;

/* Whether the residual of each equation at z is small relative to the largest term in its row of
 * the singular Jacobian, w->entry. The bound in correct_singular is relative to the largest term of
 * all rows and lets pass large residuals of equations with much smaller terms. */
static bool all_hold(const Solving *p, const double *z)
{
    static const double AGREE = 1e-9;
    const Nonlinear *w = p->w;
    const RungBlock *b = p->b;
    const RungPattern *pattern = &b->pattern;
    double *r = w->room[0], *size = w->room[1];
    if (b->residual(p->ctx, b->copy, p->t, p->x, z, r))
        return false;
    for (uint32_t i = 0; i < b->n; i++)
        size[i] = 1;
    for (uint32_t c = 0; c < b->n; c++)
        for (uint32_t k = pattern->col_start[c]; k < pattern->col_start[c + 1]; k++) {
            const double term = fabs(w->entry[k]) * (fabs(z[c]) + b->nominal[c]);
            size[pattern->row[k]] = fmax(size[pattern->row[k]], term);
        }
    bool hold = true;
    for (uint32_t i = 0; i < b->n; i++)
        hold = hold && fabs(r[i]) <= AGREE * size[i];
    return hold;
}

/* Pivots whose ratio is not larger may be rounding. */
static const double ROUNDED = 1e-13;

/* Factors the Jacobian at z. */
static int factor(void *solving, const double *z)
{
    const Solving *p = solving;
    Nonlinear *w = p->w;
    Factor *f = &w->factor[p->k];
    w->iterations++;
    w->is_singular = false;
    int status = p->b->jacobian(p->ctx, p->b->copy, p->t, p->x, z, w->entry);
    if (status)
        return status;
    w->is_regular = factor_entries(f, w->entry);
    if (!w->permits_singular)
        return !w->is_regular;
    w->is_singular = !w->is_regular || !(factor_pivot_ratio(f) > ROUNDED);
    return w->is_singular ? singular_jacobian_make(&w->singular, p->b, w->entry, z) : 0;
}

static int correct(void *solving, const double *z, double *r)
{
    const Solving *p = solving;
    (void)z;
    if (p->w->is_singular)
        return !singular_jacobian_correct(&p->w->singular, r);
    factor_solve(&p->w->factor[p->k], r);
    return 0;
}

/* Whether an unknown has jumped, or the first step was not one of a method that converges from
 * there: its contraction is then below a quarter (Deuflhard (3.37)). */
static bool is_far(const Solving *p, const double *from, const double *to,
                   const RungBlockStep *first)
{
    static const double THETA = 0.25;
    if (first->damping < 1 ||
        (first->length > RUNG_NEWTON_NEAR && first->simplified > THETA * first->length))
        return true;
    return has_jumped(p->b->n, from, to);
}

static bool is_real(const Solving *p, uint32_t i)
{
    uint32_t v = p->b->variable[i];
    return v == RUNG_NONE || rung_variable(p->ctx->model, v).attributes->type == RUNG_REAL;
}

/* Booleans and Integers that depend on each other in a loop are unknowns of it like others, and the
 * equations jump between their values: a number close to one of them is no solution unless the
 * value itself is. Rounded; false: the equations do not hold there. */
static bool is_whole(Solving *p, double *z)
{
    static const double HOLDS = 1e-6;
    const RungBlock *b = p->b;
    bool any = false;
    double size = 1;
    for (uint32_t i = 0; i < b->n; i++) {
        any = any || !is_real(p, i);
        z[i] = is_real(p, i) ? z[i] : nearbyint(z[i]);
        size = fmax(size, fabs(z[i]));
    }
    if (!any)
        return true;
    double *r = p->w->room[0];
    bool holds = !b->residual(p->ctx, b->copy, p->t, p->x, z, r);
    for (uint32_t i = 0; holds && i < b->n; i++)
        holds = fabs(r[i]) <= HOLDS * size;
    return holds;
}

static RungNewtonBlock block_of(Solving *p)
{
    double *const *room = p->w->room;
    return (RungNewtonBlock){.ctx = p->ctx,
                             .b = p->b,
                             .t = p->t,
                             .x = p->x,
                             .user = p,
                             .factor = factor,
                             .correct = correct,
                             .step = room[0],
                             .ahead = room[1],
                             .simplified = room[2],
                             .farther = room[3],
                             .beyond = room[4],
                             .before = room[5]};
}

/* Whether the solution at z is one of a family: with the open unknown k moved by a part of its
 * unit, to one side or the other, the equations can be solved for the determined unknowns again.
 * Not so where the Jacobian is singular at one point only, as at the end of a branch of solutions
 * and in singular positions of mechanisms. */
static bool is_along_family(const Solving *p, const double *z, uint32_t k)
{
    static const double PART = 0.03, HOLDS = 1e-9;
    enum { ROUNDS = 30 };
    Nonlinear *w = p->w;
    const RungBlock *b = p->b;
    double *r = w->room[0], *moved = w->room[1];
    for (int side = -1; side <= 1; side += 2) {
        singular_jacobian_tangent(&w->singular, k, side * PART, moved);
        for (uint32_t i = 0; i < b->n; i++)
            moved[i] += z[i];
        for (int round = 0; round < ROUNDS; round++) {
            if (b->residual(p->ctx, b->copy, p->t, p->x, moved, r))
                break;
            const double size = singular_jacobian_residual(&w->singular, r);
            if (size <= HOLDS)
                return true;
            if (!(size < 1) || !singular_jacobian_correct(&w->singular, r))
                break;
            for (uint32_t i = 0; i < b->n; i++)
                moved[i] -= r[i];
        }
    }
    return false;
}

static bool is_family(const Solving *p, const double *z)
{
    bool good = true;
    for (uint32_t k = 0; good && k < p->b->n - p->w->singular.rank; k++)
        good = is_along_family(p, z, k);
    return good;
}

/* The solution at z, where the last Jacobian was singular. */
static bool is_valid_singular(const Solving *p, const double *z)
{
    return all_hold(p, z) && (p->w->leaves_open || is_family(p, z));
}

static int newton(Solving *p)
{
    Nonlinear *w = p->w;
    double *z = p->ctx->z + p->b->first;
    RungNewtonBlock it = block_of(p);
    w->is_singular = false;
    singular_jacobian_forget(&w->singular);
    int status = rung_block_newton(&it, z);
    if (!status && ((w->is_singular && !is_valid_singular(p, z)) || !is_whole(p, z))) {
        memcpy(z, it.before, p->b->n * sizeof *z);
        status = 1;
    }
    if (!status)
        w->is_far[p->k] = w->is_far[p->k] || is_far(p, it.before, z, &it.first);
    else if (status > 0)
        p->ctx->failed_block = p->k;
    return status;
}

/* Of the only unknown, which is a Real, by changes of sign as far as `most` units away. */
static int bracket(Solving *p, double most)
{
    double *z = p->ctx->z + p->b->first, from = *z;
    const RungNewtonBlock it = block_of(p);
    int status = p->b->n == 1 && is_real(p, 0) ? rung_block_bracket(&it, z, most) : 1;
    if (status)
        return status;
    p->w->is_far[p->k] = p->w->is_far[p->k] || has_jumped(1, &from, z);
    p->ctx->failed_pivot = p->ctx->failed_block = RUNG_NONE;
    return 0;
}

/* ------------------------------------------------------------------ other guesses */

/* A guess within the radius of another one; of a single unknown both sides in turn. */
static void draw_guess(const RungBlock *b, uint32_t round, uint32_t per_radius, double radius,
                       const double *from, double *z)
{
    for (uint32_t i = 0; i < b->n; i++) {
        double side = round % 2 ? -1 : 1;
        double part = (double)(round % per_radius + 2) / (per_radius + 1);
        double way = b->n == 1 ? side * part : rung_scatter(round, i);
        z[i] = from[i] + radius * way * (fabs(from[i]) + b->nominal[i]);
    }
}

/* Guesses around the first, the near ones first, and on the way to the start values before those
 * far off: an unknown whose meaning changes at an event, as the parameter of a diode's curve, may
 * be far away then, where exponentials overflow. */
static int search(Solving *p)
{
    enum { ROUNDS = 60, PER_RADIUS = 6, NEAR = 2 * PER_RADIUS, BACK = 6 };
    const RungBlock *b = p->b;
    double *z = p->ctx->z + b->first, *guess = p->w->guess, radius = 0.1, share = 1;
    memcpy(guess, z, b->n * sizeof *z);
    int status = 1;
    for (uint32_t round = 0, back = 0; round < ROUNDS && status > 0;) {
        if (round == NEAR && back < BACK) {
            share = ++back < BACK ? share / 4 : 0;
            for (uint32_t i = 0; i < b->n; i++)
                z[i] = b->start[i] + share * (guess[i] - b->start[i]);
        } else {
            if (round > 0 && round % PER_RADIUS == 0)
                radius *= 1.6;
            draw_guess(b, round++, PER_RADIUS, radius, guess, z);
        }
        p->ctx->failed_pivot = p->ctx->failed_block = RUNG_NONE;
        status = newton(p);
    }
    if (status > 0)
        memcpy(z, guess, b->n * sizeof *z);
    return status;
}

/* Of a block with a singular Jacobian: open unknowns keep the values they had at the end of the
 * last step. */
static int solve_open(Solving *p)
{
    Nonlinear *w = p->w;
    RungContext *ctx = p->ctx;
    const size_t size = p->b->n * sizeof *ctx->z;
    double *z = ctx->z + p->b->first;
    double *before = malloc(size + 1);
    if (!before)
        return -1;
    memcpy(before, z, size);
    if (w->has_settled)
        memcpy(z, w->settled + p->b->first, size);
    ctx->failed_pivot = ctx->failed_block = RUNG_NONE;
    w->permits_singular = true;
    const int status = newton(p);
    w->permits_singular = w->leaves_open;
    w->is_open[p->k] = !status && w->is_singular;
    if (status)
        memcpy(z, before, size);
    free(before);
    return status;
}

int nonlinear_solve(Nonlinear *w, RungContext *ctx, uint32_t k, double t, const double *x)
{
    Solving p = {w, ctx, &ctx->model->block[k], k, t, x};
    double *z = ctx->z + p.b->first;
    const size_t size = p.b->n * sizeof *z;
    // an attempt that went far may have ended on another branch, so the next one begins at the
    // settled solution; while branches may be left only an attempt at an earlier time does
    bool begins_again = w->has_settled && w->is_far[k] && (!w->leaves_kinks || t < w->last[k]);
    w->last[k] = t;
    w->solutions++;
    if (w->is_open[k] && !solve_open(&p))
        return 0;
    if (begins_again) {
        memcpy(w->guess, z, size);
        memcpy(z, w->settled + p.b->first, size);
    }
    int status = newton(&p);
    const bool is_singular =
        status > 0 && !(w->is_regular && factor_pivot_ratio(&w->factor[k]) > ROUNDED);
    if (status > 0 && (begins_again || (w->has_settled && w->is_first))) {
        memcpy(z, begins_again ? w->guess : w->settled + p.b->first, size);
        ctx->failed_pivot = ctx->failed_block = RUNG_NONE;
        status = newton(&p);
    }
    if (status > 0 && is_singular && !w->leaves_open)
        status = solve_open(&p);
    bool searches = w->searches || (w->leaves_kinks && p.b->has_kinks);
    if (status > 0)
        status = bracket(&p, searches ? RUNG_BRACKET_ANY : RUNG_BRACKET_NEAR);
    if (status > 0 && ctx->unsolved) {
        ctx->unsolved++;
        return 0;
    }
    return status > 0 && searches ? search(&p) : status;
}
