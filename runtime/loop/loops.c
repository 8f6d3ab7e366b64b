/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops.h"
#include "block_row.h"
#include "loop_tangents.h"
#include "loops_rank.h"
#include "loops_start.h"
#include "newton_step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The regularisation of the system of the multipliers, relative to the largest entry of its
 * diagonal: small enough for three corrections to reach rounding, large enough for redundant
 * constraints. */
static const double REGULAR = LOOPS_REGULAR;
/* Of the largest entry of phi_v, of G, of the terms of an entry of phi_v G: what is smaller is
 * rounding, which a redundant constraint leaves of its row. Forces that are rounding by rounding
 * have no bound, and move something by that of G. */
static const double ROUNDED = 1e-13;
enum { CORRECTIONS = 3, PROJECTIONS = 100 };

/* The violation of the constraints allowed after a projection. */
static const double CLOSED = 1e-9;

/* From so many multipliers on a full system takes longer than Newton iterations. */
enum { LONG = 64 };

static void rows_free(LoopRows *it)
{
    free((void *)(uintptr_t)it->pattern.col_start);
    free((void *)(uintptr_t)it->pattern.row);
    free(it->from);
    free(it->entry);
}

void loops_attach(Problem *problem, Loops *loops)
{
    problem->loops = loops;
    problem->closed_xdot = loops ? loops_xdot : NULL;
}

void loops_delete(Loops *it)
{
    if (!it)
        return;
    free(it->y);
    free(it->g0);
    free(it->g);
    free(it->v);
    free(it->entry);
    free(it->kkt);
    free(it->sense);
    free(it->along);
    free(it->pushed);
    free(it->product);
    factor_close(&it->lu);
    normal_delete(it->by_x);
    normal_delete(it->by_v);
    free(it->penalty);
    free(it->base);
    free(it->delta);
    free(it->rest);
    free(it->b);
    free(it->r);
    free(it->perturbed);
    free(it->dx);
    free(it->state_of);
    free(it->sign);
    free(it->size);
    free(it->part);
    free(it->consistent);
    free(it->block);
    rows_free(&it->rows_x);
    rows_free(&it->rows_v);
    loop_tangents_delete(it->tangents);
    free(it);
}

void loops_forget(Loops *it)
{
    if (it)
        loop_tangents_forget(it->tangents);
}

/* ---- parts ---- */

/* The entries of p in the rows of the model. */
static bool rows_new(LoopRows *it, const RungPattern *p, uint32_t m0)
{
    uint32_t n = p->n_cols, *start = calloc(n + (size_t)1, sizeof *start), found = 0;
    size_t most = p->col_start[n] + (size_t)1;
    uint32_t *row = calloc(most, sizeof *row);
    it->from = calloc(most, sizeof *it->from);
    it->entry = calloc(most, sizeof *it->entry);
    it->pattern = (RungPattern){.n_rows = m0, .n_cols = n, .col_start = start, .row = row};
    if (!start || !row || !it->from || !it->entry)
        return false;
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] < m0) {
                row[found] = p->row[e];
                it->from[found++] = e;
            }
        start[c + 1] = found;
    }
    return true;
}

static const double *rows_take(const LoopRows *it, const double *entry)
{
    for (uint32_t e = 0; e < it->pattern.col_start[it->pattern.n_cols]; e++)
        it->entry[e] = entry[it->from[e]];
    return it->entry;
}

/* The unit in which changes of the model's states are measured where loops close: the nominal
 * value. Angles and numbers whose nominal value is just a small start value turn by one as others
 * do. */
static bool find_sizes(Loops *it, const RungModel *model)
{
    it->size = calloc((size_t)it->own + 1, sizeof *it->size);
    for (uint32_t c = 0; it->size && c < it->own; c++) {
        bool is_open = model->is_nominal_open && model->is_nominal_open[c];
        const char *unit = is_open ? rung_variable(model, model->state[c]).attributes->unit : "";
        bool is_number = strcmp(unit, "rad") == 0 || strcmp(unit, "1") == 0;
        it->size[c] = is_number ? 1 : model->nominal[c];
    }
    return it->size != NULL;
}

static bool open_parts(Loops *it, const RungModel *model)
{
    const RungSensitivity *t = model->sensitivity;
    if (!rows_new(&it->rows_x, &it->l->phi_x_pattern, it->m0) ||
        !rows_new(&it->rows_v, &it->l->phi_v_pattern, it->m0))
        return false;
    if (it->parts == 1)
        return true;
    it->state_of = malloc((size_t)it->parts * it->n * sizeof *it->state_of + 1);
    it->sign = calloc((size_t)it->parts * it->n + 1, sizeof *it->sign);
    if (!it->state_of || !it->sign)
        return false;
    for (size_t i = 0; i < (size_t)it->parts * it->n; i++)
        it->state_of[i] = RUNG_NONE;
    for (uint32_t k = 0; k < it->n; k++) {
        if (t->of[k] == RUNG_NONE)
            continue;
        size_t at = (t->by[k] + (size_t)1) * it->n + t->of[k];
        it->state_of[at] = k;
        it->sign[at] = (t->is_negated[k] ? -1 : 1) / it->l->part_size[t->by[k] + 1];
    }
    return true;
}

/* The place of the model's row or column i < s0, part p, among those of all. */
static uint32_t place(const Loops *it, uint32_t p, uint32_t i)
{
    return i < it->m0 ? p * it->m0 + i : it->m + p * it->k0 + (i - it->m0);
}

Loops *loops_new(const RungModel *model)
{
    Loops *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    const RungLoops *l = it->l = model->loops;
    it->n = model->n_states;
    it->own = it->n / l->n_parts;
    it->m = l->n_constraints;
    it->k = l->n_free;
    it->parts = l->n_parts;
    it->m0 = it->m / it->parts;
    it->k0 = it->k / it->parts;
    it->s0 = it->m0 + it->k0;
    size_t s = (size_t)it->m + it->k, rows = (size_t)it->n + it->k;
    it->y = calloc(s + 1, sizeof(double));
    it->g0 = calloc(rows + 1, sizeof(double));
    it->v = calloc(l->phi_v_pattern.col_start[it->n] + (size_t)1, sizeof(double));
    it->entry =
        calloc(l->by_input ? l->by_input_pattern.col_start[it->s0] + (size_t)1 : 1, sizeof(double));
    it->by_newton =
        it->parts == 1 && it->s0 >= LONG && !l->by_input && model->newton && model->newton->step;
    it->penalty = calloc((size_t)it->m + 1, sizeof(double));
    it->base = calloc((size_t)it->n + 1, sizeof(double));
    it->delta = calloc(rows + it->m + 1, sizeof(double));
    bool opened = find_sizes(it, model) && open_parts(it, model);
    it->by_x = opened ? normal_new(&it->rows_x.pattern) : NULL;
    it->by_v = opened ? normal_new(&it->rows_v.pattern) : NULL;
    it->part = calloc(3 * (size_t)it->s0 + 1, sizeof(double));
    it->consistent = calloc(it->s0 + (size_t)1, sizeof(double));
    // of parts but the first: an even number, of which two at once are one instruction
    it->width = it->parts / 2 * 2;
    size_t of_step = (size_t)it->n / it->parts + 2 * (size_t)it->m0, of_solve = 4 * (size_t)it->s0;
    it->block = calloc((of_step > of_solve ? of_step : of_solve) * it->width + 1, sizeof(double));
    it->pushed = calloc(rows + 1, sizeof(double));
    it->product = calloc(2 * s + 1, sizeof(double));
    it->rest = calloc(s + 1, sizeof(double));
    it->b = calloc(s + 1, sizeof(double));
    it->r = calloc(s + 1, sizeof(double));
    it->perturbed = calloc(rows + 1, sizeof(double));
    it->dx = calloc(rows + 1, sizeof(double));
    if (it->pushed && it->product && it->entry && it->y && it->g0 && it->v && it->by_x &&
        it->by_v && it->penalty && it->base && it->delta && it->rest && it->b && it->r &&
        it->perturbed && it->dx && it->part && it->consistent && it->block &&
        loop_tangents_open(it, model))
        return it;
    loops_delete(it);
    return NULL;
}

void loops_put(const Loops *it, RungContext *ctx, const double *y)
{
    for (uint32_t i = 0; i < it->m; i++)
        ctx->u[it->l->multiplier[i]] = y[i];
    for (uint32_t i = 0; i < it->k; i++)
        ctx->u[it->l->free[i]] = y[it->m + i];
}

void loops_put_own(const Loops *it, RungContext *ctx, const double *y)
{
    for (uint32_t i = 0; i < it->m0; i++)
        ctx->u[it->l->multiplier[i]] = y[i];
    for (uint32_t i = 0; i < it->k0; i++)
        ctx->u[it->l->free[i]] = y[it->m0 + i];
}

void loops_take_own(const Loops *it, const double *y, double *own)
{
    for (uint32_t i = 0; i < it->s0; i++)
        own[i] = y[place(it, 0, i)];
}

void loops_put_part(const Loops *it, uint32_t p, const double *multiplier, const double *free,
                    double *y)
{
    double size = p ? it->l->part_size[p] : 1;
    for (uint32_t i = 0; i < it->m0; i++)
        y[place(it, p, i)] = size * multiplier[i];
    for (uint32_t i = 0; i < it->k0; i++)
        y[place(it, p, it->m0 + i)] = size * free[i];
}

void loops_take_part(const Loops *it, uint32_t p, const double *y, double *multiplier)
{
    for (uint32_t i = 0; i < it->m0; i++)
        multiplier[i] = y[place(it, p, i)] / it->l->part_size[p];
}

void loops_apply(const Loops *it, RungContext *ctx)
{
    loops_put(it, ctx, it->y);
}

void loops_take(Loops *it, const RungContext *ctx)
{
    for (uint32_t i = 0; i < it->m; i++)
        it->y[i] = ctx->u[it->l->multiplier[i]];
    for (uint32_t i = 0; i < it->k; i++)
        it->y[it->m + i] = ctx->u[it->l->free[i]];
}

/* The model's derivatives without those by parameters. Who asks does without if that fails. */
static int xdot_alone(Problem *problem, double t, const double *x, double *xdot)
{
    problem->counts->evaluations++;
    ProfilePart before = profile_enter(problem->profile, PROFILE_RESIDUAL);
    problem_refresh(problem, t, x);
    int status = problem->model->xdot(problem->ctx, t, x, xdot);
    profile_leave(problem->profile, before);
    double sum = 0;
    for (uint32_t k = 0; k < problem->n; k++)
        sum += 0 * xdot[k];
    return status ? status : sum != 0;
}

/* Balances with the model's inputs as they are. */
static int find_balance(Problem *problem, double t, const double *x, double *balance)
{
    const Loops *it = problem->loops;
    if (it->k == 0)
        return 0;
    return it->is_alone ? it->l->balance(problem->ctx, t, x, balance)
                        : problem_balance(problem, t, x, balance);
}

int loops_g(Problem *problem, double t, const double *x, const double *y, double *g)
{
    Loops *it = problem->loops;
    loops_put(it, problem->ctx, y);
    int status = (it->is_alone ? xdot_alone : problem_xdot_open)(problem, t, x, g);
    return status ? status : find_balance(problem, t, x, g + it->n);
}

static double largest_of(uint32_t n, const double *v, uint32_t *which)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(v[i]) <= most)) {
            most = fabs(v[i]);
            if (which)
                *which = i;
        }
    return most;
}

/* out[k] = sum of phi_v's column entries with column c of f. */
static void times_velocity(const Loops *it, const double *f, double *out)
{
    const RungPattern *p = &it->l->phi_v_pattern;
    memset(out, 0, it->m * sizeof *out);
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            out[p->row[e]] += it->v[e] * f[c];
}

/* Likewise the model's rows alone. */
static void times_velocity_own(const Loops *it, const double *f, double *out)
{
    const RungPattern *p = &it->rows_v.pattern;
    memset(out, 0, it->m0 * sizeof *out);
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            out[p->row[e]] += it->rows_v.entry[e] * f[c];
}

/* The largest sum of the terms' sizes in the rows of such a product. */
static double terms_of(const Loops *it, const RungPattern *p, const double *entry, const double *f)
{
    double *sum = it->rest;
    memset(sum, 0, p->n_rows * sizeof *sum);
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            sum[p->row[e]] += fabs(entry[e] * f[c]);
    return largest_of(p->n_rows, sum, NULL);
}

/* What remains of G and of the model's rows of phi_v where nothing is moved or held. Accelerations
 * of massless coordinates, which have columns of their own in G, tell its size where no force moves
 * anything. */
static void drop_rounding(Loops *it)
{
    const RungPattern *p = &it->rows_v.pattern;
    uint32_t rows = it->n + it->k, s0 = it->s0;
    double *v = it->rows_v.entry, most = largest_of(p->col_start[p->n_cols], v, NULL);
    for (uint32_t e = 0; e < p->col_start[p->n_cols]; e++)
        v[e] = fabs(v[e]) > ROUNDED * most ? v[e] : 0;
    most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = 0; c < it->n; c++)
            for (uint32_t j = 0; j < s0 && p->col_start[c] < p->col_start[c + 1]; j++) {
                double *at = it->g + c + (size_t)j * rows;
                if (pass == 0)
                    most = fmax(most, fabs(*at));
                else if (fabs(*at) <= ROUNDED * most)
                    *at = 0;
            }
}

/* The model's columns of G, as it has them: at g0, since states besides those of the mechanism need
 * not be linear in the forces. */
static int columns_of_model(Problem *problem, double t, const double *x)
{
    Loops *it = problem->loops;
    uint32_t rows = it->n + it->k;
    const RungPattern *p = &it->l->by_input_pattern;
    loops_put(it, problem->ctx, it->r);
    problem_refresh(problem, t, x);
    int status = it->l->by_input(problem->ctx, t, x, it->entry);
    // where the pattern has nothing, there is nothing
    for (uint32_t j = 0; j < it->s0; j++) {
        for (uint32_t e = p->col_start[j]; e < p->col_start[j + 1]; e++)
            it->g[p->row[e] + (size_t)j * rows] = it->entry[e];
    }
    return status;
}

/* By one evaluation each, where there is no function for them or one of its pivots vanishes. */
static int columns_by_evaluation(Problem *problem, double t, const double *x)
{
    Loops *it = problem->loops;
    uint32_t rows = it->n + it->k;
    double *y = it->r;
    int status = loops_g(problem, t, x, y, it->g0);
    for (uint32_t j = 0; j < it->s0 && !status; j++) {
        double *column = it->g + (size_t)j * rows;
        y[place(it, 0, j)] = 1;
        status = loops_g(problem, t, x, y, column);
        y[place(it, 0, j)] = 0;
        for (uint32_t i = 0; i < rows && !status; i++) {
            column[i] -= it->g0[i];
            if (fabs(column[i]) <= ROUNDED * fabs(it->g0[i]))
                column[i] = 0;
        }
    }
    return status;
}

static int find_columns(Problem *problem, double t, const double *x)
{
    Loops *it = problem->loops;
    memset(it->r, 0, ((size_t)it->m + it->k) * sizeof *it->r);
    int status = it->l->by_input ? columns_of_model(problem, t, x) : 1;
    return status > 0 ? columns_by_evaluation(problem, t, x) : status;
}

static bool make_room(Loops *it)
{
    if (it->g)
        return true;
    size_t s0 = it->s0, m0 = it->m0, k0 = it->k0, rows = (size_t)it->n + it->k;
    it->kkt = calloc(s0 * s0 + 1, sizeof(double));
    it->g = calloc(rows * s0 + 1, sizeof(double));
    it->sense = calloc(m0 + 1, sizeof(double));
    it->along = calloc(4 * m0 * k0 + k0 * k0 + 1, sizeof(double));
    return it->kkt && it->g && it->sense && it->along && factor_open(&it->lu, it->s0, NULL, NULL);
}

void loops_soften(Loops *it, uint32_t rounds, const double *penalty)
{
    it->rounds = rounds;
    it->soft = rounds ? penalty : NULL;
}

/* An orthonormal basis of the k0 vectors of length m0 in q becomes its first vectors: returns how
 * many. Twice each, so that rounding leaves nothing of the others (Giraud and others 2005). */
static uint32_t orthonormalise(const Loops *it, double *q)
{
    static const double DEPENDENT = 1e-8;
    uint32_t m = it->m0, rank = 0;
    for (uint32_t k = 0; k < it->k0; k++) {
        double *v = q + (size_t)k * m, *to = q + (size_t)rank * m, before = 0, left = 0;
        for (uint32_t i = 0; i < m; i++)
            before += v[i] * v[i];
        for (int round = 0; round < 2; round++)
            for (uint32_t j = 0; j < rank; j++) {
                const double *u = q + (size_t)j * m;
                double share = 0;
                for (uint32_t i = 0; i < m; i++)
                    share += u[i] * v[i];
                for (uint32_t i = 0; i < m; i++)
                    v[i] -= share * u[i];
            }
        for (uint32_t i = 0; i < m; i++)
            left += v[i] * v[i];
        if (!(left > DEPENDENT * DEPENDENT * before))
            continue;
        for (uint32_t i = 0; i < m; i++)
            to[i] = v[i] / sqrt(left);
        rank++;
    }
    return rank;
}

/* Whether a force acts along its own constraint or against it. Of the system
 *
 *     [N B; C 0],    C = T B' E,    B of the accelerations of massless coordinates, C of their
 *                                   balances, E the senses,
 *
 * the signs of the diagonal of N are not the senses if a massless coordinate has the same axis as
 * another coordinate: eliminating one of the two adds multiples of B and C, N = N_0 E + B X + Y C,
 * N_0 symmetric and positive semidefinite. The projections P onto the complement of the columns of
 * B and E P E onto that of the rows of C leave P N E P E = P N_0 P E. A constraint of massless
 * coordinates alone, of which nothing is left, has sense 1. O(m0^2 k0). */
static void find_senses(Loops *it)
{
    static const double CLEAR = 1e-9;
    uint32_t m = it->m0, s = it->s0;
    double *b = it->along, *c = b + (size_t)m * it->k0, *by_b = c + (size_t)m * it->k0;
    double *by_c = by_b + (size_t)m * it->k0, *both = by_c + (size_t)m * it->k0, most = 0;
    for (uint32_t k = 0; k < it->k0; k++)
        for (uint32_t i = 0; i < m; i++) {
            b[i + (size_t)k * m] = it->kkt[i + (size_t)(m + k) * s];
            c[i + (size_t)k * m] = it->kkt[m + k + (size_t)i * s];
        }
    uint32_t n_b = orthonormalise(it, b), n_c = orthonormalise(it, c);
    memset(by_b, 0, (2 * (size_t)m * it->k0 + (size_t)n_b * n_c) * sizeof *by_b);
    for (uint32_t j = 0; j < m; j++)
        for (uint32_t i = 0; i < m; i++) {
            double entry = it->kkt[i + (size_t)j * s];
            most = fmax(most, i == j ? fabs(entry) : 0);
            for (uint32_t k = 0; k < n_b && entry != 0; k++)
                by_b[j + (size_t)k * m] += b[i + (size_t)k * m] * entry;
            for (uint32_t k = 0; k < n_c && entry != 0; k++)
                by_c[i + (size_t)k * m] += entry * c[j + (size_t)k * m];
        }
    for (uint32_t k = 0; k < n_b; k++)
        for (uint32_t l = 0; l < n_c; l++)
            for (uint32_t i = 0; i < m; i++)
                both[k + (size_t)l * n_b] += b[i + (size_t)k * m] * by_c[i + (size_t)l * m];
    for (uint32_t i = 0; i < m; i++) {
        double own = it->kkt[i + (size_t)i * s];
        for (uint32_t k = 0; k < n_b; k++)
            own -= b[i + (size_t)k * m] * by_b[i + (size_t)k * m];
        for (uint32_t l = 0; l < n_c; l++) {
            own -= by_c[i + (size_t)l * m] * c[i + (size_t)l * m];
            for (uint32_t k = 0; k < n_b; k++)
                own += b[i + (size_t)k * m] * both[k + (size_t)l * n_b] * c[i + (size_t)l * m];
        }
        it->sense[i] = own < -CLEAR * most ? -1 : 1;
    }
}

/* N = phi_v G of the present phi_v and G, factored. */
static int factor_system(Loops *it)
{
    uint32_t s0 = it->s0, rows = it->n + it->k;
    rows_take(&it->rows_v, it->v);
    drop_rounding(it);
    double largest = 0;
    it->terms = 0;
    for (uint32_t j = 0; j < s0; j++) {
        const double *column = it->g + (size_t)j * rows;
        double *to = it->kkt + (size_t)j * s0;
        times_velocity_own(it, column, to);
        memcpy(to + it->m0, column + it->n, it->k0 * sizeof *to);
        if (j < it->m0) {
            largest = fmax(largest, fabs(to[j]));
            it->terms =
                fmax(it->terms, terms_of(it, &it->rows_v.pattern, it->rows_v.entry, column));
        }
    }
    find_senses(it);
    double *lu = factor_matrix(&it->lu);
    double regular = fmax(REGULAR * largest, ROUNDED * it->terms);
    regular = regular > 0 ? regular : REGULAR;
    memcpy(lu, it->kkt, (size_t)s0 * s0 * sizeof *lu);
    for (uint32_t j = 0; j < s0; j++) {
        double e = it->soft && j < it->m0 ? fmax(regular, 1 / fabs(it->soft[j])) : regular;
        lu[j + (size_t)j * s0] += j < it->m0 ? it->sense[j] * e : -regular * 1e-6;
    }
    return !factor_make(&it->lu);
}

static int linearise(Problem *problem, double t, const double *x)
{
    Loops *it = problem->loops;
    if (!make_room(it))
        return -1;
    int status = find_columns(problem, t, x);
    status = status ? status : it->l->phi_v(problem->ctx, t, x, it->v);
    return status ? status : factor_system(it);
}

int loops_linearise(Problem *problem, double t, const double *x)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_CONSTRAINT);
    int status = linearise(problem, t, x);
    profile_leave(problem->profile, before);
    return status;
}

/* to -= N y, of the model's size. */
static void less_product(const Loops *it, const double *y, double *to)
{
    for (uint32_t j = 0; j < it->s0; j++) {
        const double *column = it->kkt + (size_t)j * it->s0;
        for (uint32_t i = 0; i < it->s0 && y[j] != 0; i++)
            to[i] -= column[i] * y[j];
    }
}

/* The same of all parts but the first at once, as in solve_block. */
static void less_product_block(const Loops *it, const double *restrict y, double *restrict to)
{
    uint32_t s = it->s0, width = it->width;
    for (uint32_t j = 0; j < s; j++)
        for (uint32_t i = 0; i < s; i++) {
            double f = it->kkt[i + (size_t)j * s];
            if (f != 0)
                block_add(width, -f, y + (size_t)j * width, to + (size_t)i * width);
        }
}

/* N_p y of all parts, from y of the model's size. */
static void product_of_parts(const Loops *it, const double *y, double *out)
{
    uint32_t rows = it->n + it->k;
    double *f = it->pushed;
    memset(f, 0, rows * sizeof *f);
    for (uint32_t j = 0; j < it->s0; j++) {
        const double *column = it->g + (size_t)j * rows;
        for (uint32_t i = 0; i < rows && y[j] != 0; i++)
            f[i] += column[i] * y[j];
    }
    times_velocity(it, f, out);
    memcpy(out + it->m, f + it->n, it->k * sizeof *out);
}

/* y of N y = b, both s0, by iterative refinement, which removes the error of the regularisation. */
static void correct(Loops *it, const double *b, double *y)
{
    memset(y, 0, it->s0 * sizeof *y);
    uint32_t rounds = it->rounds ? it->rounds : CORRECTIONS;
    for (uint32_t round = 0; round < rounds; round++) {
        memcpy(it->r, b, it->s0 * sizeof *b);
        less_product(it, y, it->r);
        factor_solve(&it->lu, it->r);
        for (uint32_t i = 0; i < it->s0; i++)
            y[i] += it->r[i];
    }
}

/* y of N y = b for the component of b in the range of N. The rest belongs to inconsistent redundant
 * constraints; only the regularisation would bound the forces against it, which would do work. */
static void solve_part(Loops *it, const double *b, double *y)
{
    static const double ROUNDING = 1e-13;
    uint32_t s = it->s0;
    double *consistent = it->consistent;
    correct(it, b, y);
    memcpy(it->r, b, s * sizeof *b);
    less_product(it, y, it->r);
    if (it->soft || largest_of(s, it->r, NULL) <= ROUNDING * largest_of(s, b, NULL))
        return;
    for (uint32_t i = 0; i < s; i++)
        consistent[i] = b[i] - it->r[i];
    correct(it, consistent, y);
}

static void take_part(const Loops *it, uint32_t p, const double *from, double *to)
{
    for (uint32_t i = 0; i < it->s0; i++)
        to[i] = from[place(it, p, i)];
}

/* y of N y = b as solve_part finds it, of all parts but the first at once: s0 rows, one number of
 * each part in a row. */
static void solve_block(Loops *it, const double *b, double *y, double *r)
{
    uint32_t s = it->s0, width = it->width;
    memset(y, 0, (size_t)s * width * sizeof *y);
    for (int round = 0; round < CORRECTIONS; round++) {
        memcpy(r, b, (size_t)s * width * sizeof *r);
        if (round)
            less_product_block(it, y, r);
        factor_solve_block(&it->lu, width, r, it->r);
        for (size_t i = 0; i < (size_t)s * width; i++)
            y[i] += r[i];
    }
}

/* y of the system that loops_linearise has factored, for a right-hand side b (m for the
 * constraints, k for the balances), which is kept. Forces in redundant constraints are the
 * smallest: those of the form y = E N w, E the senses. Their derivatives are z = E
 * N_p w plus a part E N w_p, which this equation does not give. */
static void loops_solve(Loops *it, const double *b, double *y)
{
    uint32_t s = it->s0, width = it->width;
    double *y0 = it->part, *w = y0 + s, *b0 = w + s;
    double *by_y = it->product, *by_w = by_y + it->m + it->k;
    double *bp = it->block, *z = bp + (size_t)s * width, *yp = z + (size_t)s * width;
    double *r = yp + (size_t)s * width;
    take_part(it, 0, b, b0);
    solve_part(it, b0, y0);
    for (uint32_t i = 0; i < s; i++)
        y[place(it, 0, i)] = y0[i];
    if (it->parts == 1)
        return;
    bool in_range = !it->k0;
    if (in_range) {
        for (uint32_t i = 0; i < s; i++)
            b0[i] = it->sense[i] * y0[i];
        solve_part(it, b0, w);
        product_of_parts(it, w, by_w);
    }
    product_of_parts(it, y0, by_y);
    for (uint32_t i = 0; i < s; i++)
        for (uint32_t p = 1; p < it->parts; p++) {
            uint32_t at = place(it, p, i);
            size_t to = (size_t)i * width + p - 1;
            bp[to] = b[at] - by_y[at];
            z[to] = in_range ? it->sense[i] * by_w[at] : 0;
        }
    if (in_range)
        less_product_block(it, z, bp);
    solve_block(it, bp, yp, r);
    for (uint32_t i = 0; i < s; i++)
        for (uint32_t p = 1; p < it->parts; p++) {
            size_t from = (size_t)i * width + p - 1;
            y[place(it, p, i)] = z[from] + yp[from];
        }
}

void loops_inputs(const Loops *it, double *g)
{
    uint32_t rows = it->n + it->k, own = it->n / it->parts;
    for (uint32_t j = 0; j < it->s0; j++) {
        const double *column = it->g + (size_t)j * rows;
        double *to = g + (size_t)j * (own + it->k0);
        memcpy(to, column, own * sizeof *g);
        memcpy(to + own, column + it->n, it->k0 * sizeof *g);
    }
}

/* f += G y, the first n rows. */
static void add_inputs(const Loops *it, const double *y, double *f)
{
    uint32_t rows = it->n + it->k, own = it->n / it->parts;
    for (uint32_t j = 0; j < it->s0; j++) {
        const double *column = it->g + (size_t)j * rows;
        double y0 = y[place(it, 0, j)];
        for (uint32_t i = 0; i < it->n && y0 != 0; i++)
            f[i] += column[i] * y0;
        for (uint32_t p = 1; p < it->parts; p++) {
            const uint32_t *of = it->state_of + (size_t)p * it->n;
            const double *sign = it->sign + (size_t)p * it->n;
            double yp = y[place(it, p, j)];
            for (uint32_t c = 0; c < own && yp != 0; c++)
                f[of[c]] += sign[c] * column[c] * yp;
        }
    }
}

/* it->b: the value of phi_v f for which phi'' = 0. */
static int find_wanted(Problem *problem, double t, const double *x)
{
    Loops *it = problem->loops;
    int status = it->l->phi_rest(problem->ctx, t, x, it->rest);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] = -it->rest[i];
    if (status || !(it->relax > 0))
        return status;
    // phi'' + 2 c phi' + c^2 phi = 0 instead (Baumgarte 1972)
    double c = it->relax;
    status = it->l->phi_dot(problem->ctx, t, x, it->rest);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] -= 2 * c * it->rest[i];
    status = status ? status : it->l->phi(problem->ctx, t, x, it->rest);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] -= c * c * it->rest[i];
    return status;
}

/* ------------------------------------------------------------ by the model's Newton iteration */

/* The step of the iteration: so short that the arguments of the forces are constant in it. */
static const double MOMENT = 1e-4;
/* How much its penalties outweigh the inertia: the first round reduces a residual of a constraint
 * by this factor, in a long chain by m^2 less. */
static const double OUTWEIGH = 1e7;
enum { ROUNDS = 40, SLOW = 8 };

void loops_diagonal(const Loops *it, double *diagonal)
{
    for (uint32_t i = 0; i < it->m; i++) {
        double own = it->kkt[i % it->m0 + (size_t)(i % it->m0) * it->s0];
        diagonal[i] = fabs(own) > ROUNDED * it->terms ? it->sense[i % it->m0] * fabs(own) : 0;
    }
}

int loops_delassus_diagonal(Problem *problem, double t, const double *x, double *diagonal)
{
    enum { APART = 8 }; /* loops */
    Loops *it = problem->loops;
    const RungLoops *l = it->l;
    uint32_t s = it->m + it->k, widest = 0;
    if (!it->by_newton) {
        int status = loops_linearise(problem, t, x);
        if (!status)
            loops_diagonal(it, diagonal);
        return status;
    }
    for (uint32_t i = 0; i < l->n_loops; i++)
        widest = l->first[i + 1] - l->first[i] > widest ? l->first[i + 1] - l->first[i] : widest;
    memset(it->r, 0, s * sizeof *it->r);
    int status = loops_g(problem, t, x, it->r, it->g0);
    status = status ? status : l->phi_v(problem->ctx, t, x, it->v);
    it->terms = 0;
    for (uint32_t colour = 0; colour < APART * widest && !status; colour++) {
        uint32_t k = colour / APART;
        memset(it->r, 0, s * sizeof *it->r);
        for (uint32_t i = colour % APART; i < l->n_loops; i += APART)
            if (l->first[i] + k < l->first[i + 1])
                it->r[l->first[i] + k] = 1;
        memcpy(it->b, it->r, it->m * sizeof *it->b);
        status = loops_g(problem, t, x, it->r, it->perturbed);
        for (uint32_t i = 0; i < it->n; i++) {
            it->perturbed[i] -= it->g0[i];
            if (fabs(it->perturbed[i]) <= ROUNDED * fabs(it->g0[i]))
                it->perturbed[i] = 0;
        }
        it->terms = fmax(it->terms, terms_of(it, &l->phi_v_pattern, it->v, it->perturbed));
        times_velocity(it, it->perturbed, it->rest);
        for (uint32_t i = 0; i < it->m0; i++)
            if (it->b[i] != 0)
                diagonal[i] = it->rest[i];
    }
    for (uint32_t i = 0; i < it->m0; i++)
        diagonal[i] = fabs(diagonal[i]) > ROUNDED * it->terms ? diagonal[i] : 0;
    for (uint32_t i = it->m0; i < it->m; i++)
        diagonal[i] = diagonal[i % it->m0];
    return status;
}

/* it->delta: the change of velocities or accelerations with phi_v delta = it->b. base: x minus
 * MOMENT times its rates if the residuals of the balances count; else x. */
static int newton_round(Problem *problem, double t, const double *x, const double *y, bool balances)
{
    Loops *it = problem->loops;
    double *s = it->rest;
    for (uint32_t i = 0; i < it->m; i++)
        s[i] = MOMENT * it->penalty[i] * it->b[i];
    NewtonGiven given = {MOMENT, 0, balances ? 1 / MOMENT : 0, it->base, it->penalty, s};
    return newton_step(problem, t, x, y, &given, it->delta);
}

/* The penalties of a nearby point are sufficient. */
static int find_penalties(Problem *problem, double t, const double *x)
{
    Loops *it = problem->loops;
    if (it->has_penalties)
        return 0;
    int status = loops_delassus_diagonal(problem, t, x, it->penalty);
    double most = largest_of(it->m, it->penalty, NULL);
    for (uint32_t i = 0; i < it->m; i++) {
        double own = fmax(fabs(it->penalty[i]), 1e-3 * most);
        it->penalty[i] =
            OUTWEIGH / (MOMENT * MOMENT * copysign(most > 0 ? own : 1, it->penalty[i]));
    }
    it->has_penalties = status == 0;
    return status;
}

/* loops_xdot without the full system. Positive too where that does not converge. */
static int xdot_by_newton(Problem *problem, double t, const double *x, double *xdot)
{
    Loops *it = problem->loops;
    double *y = it->y, before = INFINITY;
    memset(y, 0, ((size_t)it->m + it->k) * sizeof *y);
    int status = find_penalties(problem, t, x);
    for (int round = 0; round < ROUNDS && !status; round++) {
        it->has_penalties &= round < SLOW;
        status = loops_g(problem, t, x, y, it->perturbed);
        status = status ? status : find_wanted(problem, t, x);
        double size = largest_of(it->m, it->b, NULL) + largest_of(it->n, it->perturbed, NULL);
        times_velocity(it, it->perturbed, it->rest);
        for (uint32_t i = 0; i < it->m; i++)
            it->b[i] -= it->rest[i];
        double left =
            largest_of(it->m, it->b, NULL) + largest_of(it->k, it->perturbed + it->n, NULL);
        if (status || !isfinite(left))
            break;
        if (left <= 1e-14 * size || (left <= 1e-9 * size && left > 0.3 * before)) {
            memcpy(xdot, it->perturbed, it->n * sizeof *xdot);
            return 0;
        }
        before = left;
        for (uint32_t i = 0; i < it->n; i++)
            it->base[i] = x[i] - MOMENT * it->perturbed[i];
        status = newton_round(problem, t, x, y, true);
        for (uint32_t i = 0; i < it->k; i++)
            y[it->m + i] += MOMENT * it->delta[it->n + i];
        for (uint32_t i = 0; i < it->m; i++)
            y[i] += MOMENT * it->delta[it->n + it->k + i];
    }
    return status ? status : 1;
}

/* loops_project_velocities likewise. */
static int rates_by_newton(Problem *problem, double t, double *x)
{
    Loops *it = problem->loops;
    double before = INFINITY;
    int status = find_penalties(problem, t, x);
    for (int round = 0; round < ROUNDS && !status; round++) {
        it->has_penalties &= round < SLOW;
        status = it->l->phi_dot(problem->ctx, t, x, it->b);
        double left = largest_of(it->m, it->b, NULL);
        if (status || !isfinite(left))
            break;
        if (left <= 1e-15 || (left <= 1e-10 && left > 0.3 * before))
            return 0;
        before = left;
        for (uint32_t i = 0; i < it->m; i++)
            it->b[i] = -it->b[i];
        memcpy(it->base, x, it->n * sizeof *x);
        status = newton_round(problem, t, x, it->y, false);
        for (uint32_t i = 0; i < it->n; i++)
            x[i] += it->l->moved[i] ? it->delta[i] : 0;
    }
    return status ? status : 1;
}

static int closed_xdot(Problem *problem, double t, const double *x, double *xdot)
{
    Loops *it = problem->loops;
    if (it->by_newton && !xdot_by_newton(problem, t, x, xdot))
        return 0;
    int status = loop_tangents_xdot(problem, t, x, xdot);
    if (status <= 0)
        return status;
    status = loops_linearise(problem, t, x);
    status = status ? status : find_wanted(problem, t, x);
    if (status)
        return status;
    if (it->l->by_input) { // else it is known
        memset(it->r, 0, ((size_t)it->m + it->k) * sizeof *it->r);
        status = loops_g(problem, t, x, it->r, it->g0);
        if (status)
            return status;
    }
    times_velocity(it, it->g0, it->rest);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] -= it->rest[i];
    for (uint32_t i = 0; i < it->k; i++)
        it->b[it->m + i] = -it->g0[it->n + i];
    loops_solve(it, it->b, it->y);
    // states besides those of the mechanism need not be linear in the forces
    return loops_g_applied(problem, t, x, xdot);
}

int loops_xdot(Problem *problem, double t, const double *x, double *xdot)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_CONSTRAINT);
    int status = closed_xdot(problem, t, x, xdot);
    profile_leave(problem->profile, before);
    return status;
}

bool loops_are_half_explicit(const Loops *it)
{
    return it && !it->by_newton && it->parts == 1;
}

static int half_explicit(Problem *problem, double t, const double *x, double t_to,
                         const double *base, double h, double *f)
{
    Loops *it = problem->loops;
    if (!loops_are_half_explicit(it))
        return loops_xdot(problem, t, x, f);
    if (!make_room(it))
        return -1;
    int status = find_columns(problem, t, x);
    if (!status && it->l->by_input) { // else it is known
        memset(it->r, 0, ((size_t)it->m + it->k) * sizeof *it->r);
        status = loops_g(problem, t, x, it->r, it->g0);
    }
    if (status)
        return status;
    double *to = it->dx;
    for (uint32_t i = 0; i < it->n; i++)
        to[i] = base[i] + h * it->g0[i];
    problem_refresh(problem, t_to, to);
    status = it->l->phi_v(problem->ctx, t_to, to, it->v);
    status = status ? status : it->l->phi_dot(problem->ctx, t_to, to, it->b);
    status = status ? status : factor_system(it);
    if (status)
        return status;
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] /= -h;
    for (uint32_t i = 0; i < it->k; i++)
        it->b[it->m + i] = -it->g0[it->n + i];
    loops_solve(it, it->b, it->y);
    return loops_g_applied(problem, t, x, f);
}

int loops_half_explicit(Problem *problem, double t, const double *x, double t_to,
                        const double *base, double h, double *f)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_CONSTRAINT);
    int status = half_explicit(problem, t, x, t_to, base, h, f);
    profile_leave(problem->profile, before);
    return status;
}

int loops_g_applied(Problem *problem, double t, const double *x, double *f)
{
    Loops *it = problem->loops;
    int status = loops_g(problem, t, x, it->y, it->perturbed);
    memcpy(f, it->perturbed, it->n * sizeof *f);
    return status;
}

int loops_impulse(Problem *problem, double t, const double *x, double *y)
{
    Loops *it = problem->loops;
    int status = it->l->phi_dot(problem->ctx, t, x, it->b);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] = -it->b[i];
    memset(it->b + it->m, 0, it->k * sizeof *it->b);
    loops_solve(it, it->b, y);
    return status;
}

void loops_push(const Loops *it, const double *y, double *states)
{
    add_inputs(it, y, states);
}

void loops_push_transposed(const Loops *it, const double *w, double *out)
{
    uint32_t rows = it->n + it->k;
    for (uint32_t j = 0; j < it->s0; j++) {
        const double *column = it->g + (size_t)j * rows;
        out[j] = 0;
        for (uint32_t i = 0; i < it->n; i++)
            out[j] += column[i] * w[i];
    }
}

void loops_hold_transposed(const Loops *it, const double *a, double *w)
{
    const RungPattern *p = &it->rows_v.pattern;
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            w[c] -= it->rows_v.entry[e] * a[p->row[e]];
}

void loops_solve_transposed(Loops *it, double *b)
{
    double *z = it->part;
    memset(z, 0, it->s0 * sizeof *z);
    for (int round = 0; round < CORRECTIONS; round++) {
        memcpy(it->r, b, it->s0 * sizeof *b);
        for (uint32_t j = 0; j < it->s0; j++)
            for (uint32_t i = 0; i < it->s0; i++)
                it->r[j] -= it->kkt[i + (size_t)j * it->s0] * z[i];
        factor_solve_transposed(&it->lu, it->r);
        for (uint32_t i = 0; i < it->s0; i++)
            z[i] += it->r[i];
    }
    memcpy(b, z, it->s0 * sizeof *b);
}

static int project_velocities(Problem *problem, double t, double *x)
{
    Loops *it = problem->loops;
    loop_trace_add(it->trace, (LoopStep){.kind = LOOP_IMPULSE}, x, NULL);
    int status = loops_impulse(problem, t, x, it->rest);
    add_inputs(it, it->rest, x);
    return status;
}

int loops_project_velocities(Problem *problem, double t, double *x)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_CONSTRAINT);
    int status = project_velocities(problem, t, x);
    profile_leave(problem->profile, before);
    return status;
}

static int project_rates(Problem *problem, double t, double *x)
{
    Loops *it = problem->loops;
    if (it->by_newton) {
        memcpy(it->dx, x, it->n * sizeof *x);
        if (!rates_by_newton(problem, t, x)) {
            loop_trace_add(it->trace, (LoopStep){.kind = LOOP_IMPULSE}, it->dx, NULL);
            return 0;
        }
        memcpy(x, it->dx, it->n * sizeof *x);
    }
    int status = loop_tangents_project_rates(problem, t, x);
    if (status <= 0)
        return status;
    status = loops_linearise(problem, t, x);
    return status ? status : loops_project_velocities(problem, t, x);
}

int loops_project_rates(Problem *problem, double t, double *x)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_CONSTRAINT);
    int status = project_rates(problem, t, x);
    profile_leave(problem->profile, before);
    return status;
}

/* Subtracts from part p of y its component in the null space of N, idle forces of redundant
 * constraints, where this exceeds the share Loops.idle of the rest. The rounding of the model's
 * data makes such constraints inconsistent; in each round of an augmented Lagrangian the penalty
 * turns their residual into a force of the null space, and the accelerations by its rounding grow
 * with it. Returns whether the component was subtracted. */
static bool drop_idle_forces(Loops *it, uint32_t p, double *y)
{
    uint32_t s = it->s0;
    double *y0 = it->part, *moving = y0 + s, *b = moving + s;
    take_part(it, p, y, y0);
    memset(b, 0, s * sizeof *b);
    less_product(it, y0, b);
    for (uint32_t i = 0; i < s; i++)
        b[i] = -b[i];
    solve_part(it, b, moving);
    double idle = 0, size = 0;
    for (uint32_t i = 0; i < s; i++) {
        idle = fmax(idle, fabs(y0[i] - moving[i]));
        size = fmax(size, fabs(moving[i]));
    }
    bool drops = idle > (it->idle > 0 ? it->idle : 1) * size;
    for (uint32_t i = 0; i < s && drops; i++)
        y[place(it, p, i)] = moving[i];
    return drops;
}

static int project_accelerations(Problem *problem, double t, const double *x, double *f, double *y)
{
    Loops *it = problem->loops;
    it->dropped = false;
    for (uint32_t p = 0; p < it->parts; p++)
        it->dropped |= drop_idle_forces(it, p, y);
    // the residuals of the balances of massless coordinates are corrected in the same solve
    int status = loops_g(problem, t, x, y, it->perturbed);
    status = status ? status : it->l->phi_rest(problem->ctx, t, x, it->rest);
    times_velocity(it, it->perturbed, it->b);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] = -it->b[i] - it->rest[i];
    for (uint32_t i = 0; i < it->k; i++)
        it->b[it->m + i] = -it->perturbed[it->n + i];
    loops_solve(it, it->b, it->rest);
    for (uint32_t i = 0; i < it->m + it->k; i++)
        y[i] += it->rest[i];
    status = status ? status : loops_g(problem, t, x, y, it->perturbed);
    memcpy(f, it->perturbed, it->n * sizeof *f);
    return status;
}

int loops_project_accelerations(Problem *problem, double t, const double *x, double *f, double *y)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_CONSTRAINT);
    int status = project_accelerations(problem, t, x, f, y);
    profile_leave(problem->profile, before);
    return status;
}

int loops_project_derivatives(Problem *problem, double t, double *x, double *f, double *y)
{
    Loops *it = problem->loops;
    uint32_t own = it->n / it->parts;
    int status = loop_tangents_project_parts(problem, t, x, f, y);
    if (status <= 0)
        return status;
    status = loops_linearise(problem, t, x);
    status = status ? status : it->l->phi_dot(problem->ctx, t, x, it->b);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] = i < it->m0 ? 0 : -it->b[i];
    memset(it->b + it->m, 0, it->k * sizeof *it->b);
    if (status)
        return status;
    loops_solve(it, it->b, it->rest);
    add_inputs(it, it->rest, x);
    status = loops_g(problem, t, x, y, it->perturbed);
    status = status ? status : it->l->phi_rest(problem->ctx, t, x, it->rest);
    if (status)
        return status;
    times_velocity(it, it->perturbed, it->b);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] = i < it->m0 ? 0 : -it->b[i] - it->rest[i];
    for (uint32_t i = 0; i < it->k; i++)
        it->b[it->m + i] = i < it->k0 ? 0 : -it->perturbed[it->n + i];
    loops_solve(it, it->b, it->rest);
    for (uint32_t i = 0; i < it->m + it->k; i++)
        y[i] += it->rest[i];
    status = loops_g(problem, t, x, y, it->perturbed);
    memcpy(f + own, it->perturbed + own, (it->n - own) * sizeof *f);
    return status;
}

/* The loop that constraint k belongs to. */
static uint32_t loop_of(const Loops *it, uint32_t k)
{
    uint32_t i = 0;
    k %= it->m0;
    while (i + 1 < it->l->n_loops && it->l->first[i + 1] <= k)
        i++;
    return i;
}

const char *loops_given(const Loops *it, uint32_t k)
{
    return it->l->given ? it->l->given[loop_of(it, k)] : "";
}

const char *loops_name(Loops *it, uint32_t k)
{
    const RungLoops *l = it->l;
    uint32_t i = loop_of(it, k);
    if (*l->joint[i])
        snprintf(it->name, sizeof it->name, "joint %s (the loop cut at %s)", l->joint[i],
                 l->loop_name[i]);
    else
        snprintf(it->name, sizeof it->name, "the constraint at %s%s%s", l->loop_name[i],
                 *l->joints[i] ? " of " : "", l->joints[i]);
    return it->name;
}

int loops_phi(Problem *problem, double t, const double *x, double *phi, double *phi_dot,
              uint32_t *which)
{
    Loops *it = problem->loops;
    int status = it->l->phi(problem->ctx, t, x, it->rest);
    *phi = largest_of(it->m0, it->rest, which);
    if (phi_dot && !status) {
        status = it->l->phi_dot(problem->ctx, t, x, it->rest);
        *phi_dot = largest_of(it->m0, it->rest, NULL);
    }
    return status;
}

int loops_rate(Problem *problem, double t, const double *x, double *rate, uint32_t *which)
{
    Loops *it = problem->loops;
    int status = it->l->phi_dot(problem->ctx, t, x, it->rest);
    *rate = largest_of(it->m0, it->rest, which);
    return status;
}

int loops_balance(Problem *problem, double t, const double *x, double *balance)
{
    Loops *it = problem->loops;
    *balance = 0;
    if (it->k == 0)
        return 0;
    loops_apply(it, problem->ctx);
    int status = find_balance(problem, t, x, it->perturbed);
    *balance = largest_of(it->k0, it->perturbed, NULL);
    return status;
}

/* ------------------------------------------------------------------ projections in the states */

/* it->dx of the parts: it->block, of the model's states, and the smallest change for the values of
 * the constraints behind it. */
static void step_across(Loops *it, Normal *normal, const LoopRows *rows, const uint8_t *held)
{
    uint32_t m = it->m0, width = it->width, own_n = it->n / it->parts;
    const RungPattern *own = &rows->pattern;
    double *turned = it->block, *yp = turned + (size_t)own_n * width, *dx = it->dx;
    normal_solve_block(normal, width, yp, yp + (size_t)m * width);
    for (uint32_t c = 0; c < own_n; c++) {
        double *sum = turned + (size_t)c * width;
        for (uint32_t e = own->col_start[c]; e < own->col_start[c + 1] && !(held && held[c]); e++) {
            const double *row = yp + (size_t)own->row[e] * width;
            for (uint32_t p = 0; p + 1 < it->parts; p++)
                sum[p] += rows->entry[e] * row[p];
        }
        for (uint32_t p = 1; p < it->parts; p++) {
            size_t at = (size_t)p * it->n + c;
            if (it->state_of[at] != RUNG_NONE)
                dx[it->state_of[at]] = it->sign[at] * sum[p - 1];
        }
    }
}

/* Of the step dx = A' y, A A' y = b, its derivatives along the directions of the parts p:
 *     A A' y_p = b_p - dA dx - A dA' y,    dx_p = dA' y + A' y_p,
 * where dA is that part of the derivatives by the model's states. */
static void step_of_parts(Loops *it, Normal *normal, const LoopRows *rows, const RungPattern *all,
                          const double *entry, const uint8_t *held, const double *y,
                          const double *b)
{
    uint32_t m = it->m0, width = it->width, own_n = it->n / it->parts;
    const RungPattern *own = &rows->pattern;
    double *turned = it->block, *yp = turned + (size_t)own_n * width, *dx = it->dx;
    for (uint32_t r = 0; r < m; r++)
        for (uint32_t p = 1; p < it->parts; p++)
            yp[(size_t)r * width + p - 1] = b[p * m + r];
    memset(turned, 0, (size_t)own_n * width * sizeof *turned);
    for (uint32_t c = 0; c < own_n; c++) {
        double *turned_c = turned + (size_t)c * width;
        if (held && held[c])
            continue;
        for (uint32_t e = all->col_start[c]; e < all->col_start[c + 1]; e++) {
            uint32_t p = all->row[e] / m, r = all->row[e] % m;
            if (!p || it->state_of[(size_t)p * it->n + c] == RUNG_NONE)
                continue;
            yp[(size_t)r * width + p - 1] -= entry[e] * dx[c];
            turned_c[p - 1] += entry[e] * y[r];
        }
        for (uint32_t e = own->col_start[c]; e < own->col_start[c + 1]; e++) {
            double *row = yp + (size_t)own->row[e] * width;
            for (uint32_t p = 0; p + 1 < it->parts; p++)
                row[p] -= rows->entry[e] * turned_c[p];
        }
    }
    step_across(it, normal, rows, held);
}

/* How far a step goes: e relative to the largest entry of A A'; the longest way of a state,
 * relative to its nominal value; and the share of the step that it leaves. */
typedef struct Reach {
    double regular, longest, share;
} Reach;

/* x += the smallest change of states that are not held that takes away b to first order: with the
 * pattern's matrix A, dx = A' (A A' + e 1)^-1 b; shortened where it goes too far for that. Further
 * parts go along with the model's. */
static int minimum_norm_step(Problem *problem, Normal *normal, const LoopRows *rows,
                             const RungPattern *all, const double *entry, const uint8_t *held,
                             const double *b, Reach *reach, double *x)
{
    Loops *it = problem->loops;
    const RungPattern *p = &rows->pattern;
    double *lambda = it->r;
    memcpy(lambda, b, it->m0 * sizeof *b);
    if (!normal_factor(normal, rows_take(rows, entry), held, reach->regular))
        return 1;
    if (reach->regular > REGULAR)
        normal_solve(normal, lambda);
    else
        normal_solve_consistent(normal, lambda);
    double *dx = it->dx, far = 0;
    uint32_t farthest = 0;
    for (uint32_t c = 0; c < it->n; c++) {
        dx[c] = 0;
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1] && !(held && held[c]); e++)
            dx[c] += rows->entry[e] * lambda[p->row[e]];
        double size = fabs(dx[c]) / (problem->model->nominal[c] * reach->longest);
        farthest = size > far ? c : farthest;
        far = fmax(far, size);
    }
    if (it->parts > 1)
        step_of_parts(it, normal, rows, all, entry, held, lambda, b);
    double share = reach->share = far <= 1 ? 1 : 1 / far;
    loop_trace_add(it->trace,
                   (LoopStep){.kind = normal == it->by_x ? LOOP_POSITIONS : LOOP_RATES,
                              .holds = held != NULL,
                              .regular = reach->regular,
                              .share = share,
                              .farthest = farthest},
                   x, NULL);
    for (uint32_t k = 1; k < it->parts && share < 1; k++) {
        // dx / far goes along with far, too
        const uint32_t *of = it->state_of + (size_t)k * it->n;
        const double *sign = it->sign + (size_t)k * it->n;
        if (of[farthest] == RUNG_NONE)
            continue;
        double by = dx[of[farthest]] / (sign[farthest] * dx[farthest]);
        for (uint32_t c = 0; c < it->n; c++)
            if (of[c] != RUNG_NONE)
                dx[of[c]] -= sign[c] * by * dx[c];
    }
    for (uint32_t c = 0; c < it->n; c++)
        x[c] += share * dx[c];
    return 0;
}

/* The same for the positions of the parts alone, once the model's own are closed. own: of the
 * model's part alone. */
static int close_parts(Problem *problem, const Problem *own, double t, double *x, double *entry)
{
    Loops *it = problem->loops, *alone = own->loops;
    uint32_t m = it->m0, width = it->width;
    double *value = it->block + (size_t)alone->n * width;
    int status = it->l->phi(problem->ctx, t, x, it->b);
    status = status ? status : alone->l->phi_x(problem->ctx, t, x, entry);
    if (status || !normal_factor(alone->by_x, rows_take(&alone->rows_x, entry), NULL, REGULAR))
        return status ? status : 1;
    memset(it->block, 0, (size_t)alone->n * width * sizeof *it->block);
    memset(it->dx, 0, it->n * sizeof *it->dx);
    for (uint32_t r = 0; r < m; r++)
        for (uint32_t p = 1; p < it->parts; p++)
            value[(size_t)r * width + p - 1] = -it->b[p * m + r];
    step_across(it, alone->by_x, &alone->rows_x, NULL);
    for (uint32_t c = alone->n; c < it->n; c++)
        x[c] += it->dx[c];
    return 0;
}

/* Of the last step, against the nominal values: the change of the model's states. */
static double size_of_step(const Problem *problem)
{
    const Loops *it = problem->loops;
    double most = 0;
    for (uint32_t c = 0; c < it->own; c++)
        most = fmax(most, fabs(it->dx[c]) / problem->model->nominal[c]);
    return most;
}

/* The longest way of a first step, relative to nominal values. */
static const double FAR = 0.3;

/* The longest way of the next step, where the last one has made of a largest residual `before`
 * one of `left`: it grows while steps that were shortened keep half of their promise, since an
 * angle of 0.001 at the start, which is its nominal value, may have to turn by more. */
static double next_reach(const Reach *reach, double before, double left)
{
    static const double GROWS = 4;
    if (reach->share < 1 && left <= (1 - reach->share / 2) * before)
        return reach->longest * GROWS;
    return left > before ? fmax(FAR, reach->longest / GROWS) : reach->longest;
}

/* Gauss-Newton steps until the largest residual is rounding. */
static int gauss_newton(Problem *problem, double t, double *x, const uint8_t *held,
                        int (*value)(RungContext *, double, const double *, double *),
                        const RungPattern *p,
                        int (*entries)(RungContext *, double, const double *, double *),
                        double *left, uint32_t *which)
{
    Loops *it = problem->loops;
    double *entry = calloc(p->col_start[it->n] + (size_t)1, sizeof *entry);
    if (!entry)
        return -1;
    double before = INFINITY, last_left = INFINITY;
    int status = 0, idle = 0;
    bool is_linear = value == it->l->phi_dot;
    Reach reach = {REGULAR, is_linear ? INFINITY : FAR, 1};
    Normal *normal = is_linear ? it->by_v : it->by_x;
    const LoopRows *rows = is_linear ? &it->rows_v : &it->rows_x;
    /* once the model's own part has converged, the derivative parts are linear: LAST more rounds */
    int last = 0;
    /* From a step of this size on the next one is rounding, and so are its derivatives but for the
     * constraints of these. */
    static const double SMALL = 1e-6;
    /* a residual of which a round leaves this share is that of inconsistent constraints */
    static const double UNMOVED = 0.99;
    Problem *own = held || is_linear ? NULL : loop_tangents_problem(problem);
    for (int round = 0; round < PROJECTIONS && !status; round++) {
        status = value(problem->ctx, t, x, it->b);
        *left = largest_of(it->m0, it->b, which);
        if (status || !isfinite(*left))
            break;
        idle = *left > 0.5 * before ? idle + 1 : 0;
        bool contradicts = *left <= CLOSED && *left > UNMOVED * before;
        if (*left <= 1e-14 || (*left <= 1e-11 && idle > 0) || contradicts) {
            enum { LAST = 2 };
            if (it->parts == 1 || last == LAST)
                break;
            last++;
            memset(it->b, 0, it->m0 * sizeof *it->b);
        }
        before = fmin(before, *left);
        reach.longest = next_reach(&reach, last_left, *left);
        last_left = *left;
        status = entries(problem->ctx, t, x, entry);
        for (uint32_t i = 0; i < it->m; i++)
            it->b[i] = -it->b[i];
        status = status
                     ? status
                     : minimum_norm_step(problem, normal, rows, p, entry, held, it->b, &reach, x);
        if (own && !status && size_of_step(problem) <= SMALL) {
            const RungLoops *l = own->loops->l;
            status =
                gauss_newton(own, t, x, NULL, l->phi, &l->phi_x_pattern, l->phi_x, left, which);
            status = status ? status : close_parts(problem, own, t, x, entry);
            break;
        }
    }
    // the next step would be zero: its derivatives are not, where those of x are across
    loop_trace_add(it->trace,
                   (LoopStep){.kind = is_linear ? LOOP_RATES : LOOP_POSITIONS,
                              .holds = held != NULL,
                              .is_last = true,
                              .regular = REGULAR,
                              .share = 1},
                   x, NULL);
    free(entry);
    return status;
}

static double sum_of_squares(uint32_t n, const double *v)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

/* Steps towards phi = 0, each of which decreases the sum of squares: the damping e grows until it
 * does (Levenberg 1944, Marquardt 1963). `kept`: of all states; `entry`: of phi_x. */
static int damped_steps(Problem *problem, double t, double *x, const uint8_t *held, double *kept,
                        double *entry)
{
    enum { ROUNDS = 200 };
    static const double BEGIN = 1e-3, MOST = 1e8, NEAR = 1e-6, GROWS = 4, SHRINKS = 0.5;
    Loops *it = problem->loops;
    const RungLoops *l = it->l;
    Reach reach = {BEGIN, INFINITY, 1};
    int status = l->phi(problem->ctx, t, x, it->b);
    double sum = sum_of_squares(it->m0, it->b);
    size_t mark = loop_trace_mark(it->trace);
    for (int k = 0; k < ROUNDS && !status && isfinite(sum) && sum > NEAR * NEAR; k++) {
        status = l->phi_x(problem->ctx, t, x, entry);
        memcpy(kept, x, it->n * sizeof *x);
        double now = INFINITY;
        while (!status && !(now < sum) && reach.regular <= MOST) {
            memcpy(x, kept, it->n * sizeof *x);
            loop_trace_cut(it->trace, mark);
            status = l->phi(problem->ctx, t, x, it->b);
            for (uint32_t i = 0; i < it->m; i++)
                it->b[i] = -it->b[i];
            status = status ? status
                            : minimum_norm_step(problem, it->by_x, &it->rows_x, &l->phi_x_pattern,
                                                entry, held, it->b, &reach, x);
            if (!status && !l->phi(problem->ctx, t, x, it->b))
                now = sum_of_squares(it->m0, it->b);
            reach.regular *= now < sum ? SHRINKS : GROWS;
        }
        if (!(now < sum)) { // nothing nearby is closer
            memcpy(x, kept, it->n * sizeof *x);
            loop_trace_cut(it->trace, mark);
            break;
        }
        mark = loop_trace_mark(it->trace);
        reach.regular = fmax(reach.regular, REGULAR);
        sum = now;
    }
    return status;
}

/* Positions onto phi = 0 by the states that are not held. Full steps go to and fro where a loop is
 * almost stretched; then damped ones begin once more at x, which full ones end. */
static int close_start(Problem *problem, double t, double *x, const uint8_t *held, double *left,
                       uint32_t *which)
{
    const RungLoops *l = problem->loops->l;
    uint32_t n = problem->n;
    double *begun = malloc((3 * (size_t)n + 1) * sizeof *begun);
    double *entry = calloc(l->phi_x_pattern.col_start[n] + (size_t)1, sizeof *entry);
    int status = begun && entry ? 0 : -1;
    size_t mark = loop_trace_mark(problem->loops->trace);
    if (!status) {
        memcpy(begun, x, n * sizeof *x);
        status =
            gauss_newton(problem, t, x, held, l->phi, &l->phi_x_pattern, l->phi_x, left, which);
    }
    if (status >= 0 && (status || !(*left <= CLOSED))) {
        double *by_damping = begun + n, again = INFINITY;
        uint32_t at = 0;
        loop_trace_cut(problem->loops->trace, mark);
        memcpy(by_damping, begun, n * sizeof *x);
        int damped = damped_steps(problem, t, by_damping, held, begun + 2 * (size_t)n, entry);
        damped = damped ? damped
                        : gauss_newton(problem, t, by_damping, held, l->phi, &l->phi_x_pattern,
                                       l->phi_x, &again, &at);
        if (!damped && again <= CLOSED) {
            memcpy(x, by_damping, n * sizeof *x);
            *left = again;
            *which = at;
            status = 0;
        }
    }
    free(begun);
    free(entry);
    return status;
}

void loops_remove_rates(Loops *it, double *e)
{
    times_velocity(it, e, it->b);
    for (uint32_t i = 0; i < it->m; i++)
        it->b[i] = -it->b[i];
    memset(it->b + it->m, 0, it->k * sizeof *it->b);
    loops_solve(it, it->b, it->rest);
    add_inputs(it, it->rest, e);
}

/* e minus the part of it that a projection removes to first order. */
static int remove_across(Problem *problem, double t, const double *x, double *e)
{
    Loops *it = problem->loops;
    const RungPattern *p = &it->rows_x.pattern;
    double *lambda = it->r;
    double *all = calloc(it->l->phi_x_pattern.col_start[it->n] + (size_t)1, sizeof *all);
    int status = all ? loops_linearise(problem, t, x) : -1;
    status = status ? status : it->l->phi_x(problem->ctx, t, x, all);
    const double *entry = status ? NULL : rows_take(&it->rows_x, all);
    if (!status && !normal_factor(it->by_x, entry, NULL, REGULAR))
        status = 1;
    if (!status) {
        loops_remove_rates(it, e);
        // positions: the smallest change
        memset(lambda, 0, it->m0 * sizeof *lambda);
        for (uint32_t c = 0; c < it->n; c++)
            for (uint32_t k = p->col_start[c]; k < p->col_start[c + 1]; k++)
                lambda[p->row[k]] += entry[k] * e[c];
        normal_solve(it->by_x, lambda);
        for (uint32_t c = 0; c < it->n; c++)
            for (uint32_t k = p->col_start[c]; k < p->col_start[c + 1]; k++)
                e[c] -= entry[k] * lambda[p->row[k]];
    }
    free(all);
    return status;
}

int loops_forgive(Problem *problem, double t0, const double *x0, double t, const double *x,
                  double *e)
{
    static const double SMALL = 1e-2, NEAR = 0.05;
    uint32_t which;
    if (loops_rank_ratio(problem, t, x, &which) > NEAR &&
        loops_rank_ratio(problem, t0, x0, &which) > NEAR)
        return 0;
    double *along = malloc((problem->n + (size_t)1) * sizeof *along), across = 0;
    if (!along)
        return -1;
    memcpy(along, e, problem->n * sizeof *along);
    int status = remove_across(problem, t, x, along);
    for (uint32_t i = 0; i < problem->n; i++)
        across = fmax(across, fabs(e[i] - along[i]) / (problem_nominal(problem, i) + fabs(x[i])));
    bool forgiven = !status && across <= SMALL;
    if (forgiven)
        memcpy(e, along, problem->n * sizeof *e);
    free(along);
    return status < 0 ? status : forgiven;
}

static int project(Problem *problem, double t, double *x)
{
    const RungLoops *l = problem->loops->l;
    double left = INFINITY;
    uint32_t which = 0;
    int status =
        gauss_newton(problem, t, x, NULL, l->phi, &l->phi_x_pattern, l->phi_x, &left, &which);
    if (!status && !(left <= CLOSED)) {
        snprintf(problem->why, sizeof problem->why,
                 "%s does not close any more, a constraint is off by %.3g",
                 loops_name(problem->loops, which), left);
        return 1;
    }
    status = status ? status : loops_project_rates(problem, t, x);
    if (status)
        problem_explain(problem, problem->why, sizeof problem->why);
    return status;
}

int loops_project(Problem *problem, double t, double *x)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_CONSTRAINT);
    int status = project(problem, t, x);
    profile_leave(problem->profile, before);
    return status;
}

bool loops_are_open(Problem *problem, double t, const double *x)
{
    double phi, rate;
    // a failure is reported by the next evaluation
    return !loops_phi(problem, t, x, &phi, &rate, NULL) && !(phi <= CLOSED && rate <= CLOSED);
}

/* size[i] := the largest |v| / size among the positions of loop i. */
static void largest_of_loops(const Problem *problem, const double *v, double *size)
{
    const RungLoops *l = problem->loops->l;
    const RungPattern *p = &problem->loops->rows_x.pattern;
    memset(size, 0, l->n_loops * sizeof *size);
    for (uint32_t c = 0; c < problem->loops->own; c++) {
        uint32_t loop = 0;
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++) {
            while (l->first[loop + 1] <= p->row[e])
                loop++;
            size[loop] = fmax(size[loop], fabs(v[c]) / problem->loops->size[c]);
        }
    }
}

/* A shift below this is no leap. */
static const double LEAST_LEAP = 1e-3;

static int leaps(Problem *problem, uint32_t loop, double h, double by)
{
    snprintf(problem->why, sizeof problem->why,
             "%s closes in another position than where a step of %.3g leads, off by %.3g: the step "
             "is too long",
             loops_name(problem->loops, problem->loops->l->first[loop]), h, by);
    return 1;
}

/* Positions far from where the velocities of the start lead, and their rates a step later. */
static int is_far(Problem *problem, double t, double h, const double *x_old, const double *f,
                  const double *x)
{
    static const double TIMES = 3; // a velocity may turn round, or be many times as large
    Loops *it = problem->loops;
    const RungLoops *l = it->l;
    double *off = it->rest, *way = it->b, *dx = it->dx, *later = it->perturbed;
    for (uint32_t c = 0; c < it->own; c++)
        dx[c] = x[c] - x_old[c] - h * f[c];
    largest_of_loops(problem, dx, off);
    for (uint32_t c = 0; c < it->own; c++)
        dx[c] = h * f[c];
    largest_of_loops(problem, dx, way);
    uint32_t loop = 0;
    for (uint32_t i = 0; i < l->n_loops; i++)
        if (off[i] - TIMES * way[i] > off[loop] - TIMES * way[loop])
            loop = i;
    if (off[loop] <= TIMES * way[loop] + LEAST_LEAP)
        return 0;
    double by = off[loop];
    for (uint32_t c = 0; c < it->n; c++)
        dx[c] = x_old[c] + h * f[c];
    loops_apply(it, problem->ctx);
    if (!problem_xdot_open(problem, t, dx, later)) {
        for (uint32_t c = 0; c < it->own; c++)
            dx[c] = h * later[c];
        largest_of_loops(problem, dx, off);
        way[loop] = fmax(way[loop], off[loop]);
    }
    return by > TIMES * way[loop] + LEAST_LEAP ? leaps(problem, loop, h, by) : 0;
}

int loops_leap(Problem *problem, double t, double h, const double *x_old, const double *f,
               const double *x, const double *shift)
{
    /* Of the movement: steps that are a fair approximation stay below a twentieth, those to another
     * assembly are near a half. */
    static const double SHARE = 0.2;
    Loops *it = problem->loops;
    double *shifted = it->rest, *moved = it->b;
    for (uint32_t c = 0; c < it->own; c++)
        it->dx[c] = fmax(fabs(x[c] - x_old[c]), h * fabs(f[c]));
    largest_of_loops(problem, it->dx, moved);
    largest_of_loops(problem, shift, shifted);
    for (uint32_t i = 0; i < it->l->n_loops; i++)
        if (shifted[i] > LEAST_LEAP && shifted[i] > SHARE * moved[i])
            return leaps(problem, i, h, shifted[i]);
    return is_far(problem, t, h, x_old, f, x);
}

int loops_close_step(Problem *problem, double t, double h, const double *x_old, const double *f,
                     double *x)
{
    Loops *it = problem->loops;
    double *shift = malloc((it->n + (size_t)1) * sizeof *shift);
    if (!shift) {
        snprintf(problem->why, sizeof problem->why, "out of memory");
        return -1;
    }
    memcpy(shift, x, it->n * sizeof *x);
    int status = loops_project(problem, t, x);
    for (uint32_t c = 0; c < it->n; c++)
        shift[c] = x[c] - shift[c];
    status = status ? status : loops_leap(problem, t, h, x_old, f, x, shift);
    free(shift);
    return status;
}

bool loops_project_start(Problem *problem, double t, double *x)
{
    const RungLoops *l = problem->loops->l;
    double left = INFINITY;
    uint32_t which = 0;
    // only states that are not held move; loops that they cannot close by themselves are an error
    int status = close_start(problem, t, x, l->held, &left, &which);
    if (status || !(left <= CLOSED)) {
        snprintf(problem->why, sizeof problem->why,
                 "%s cannot be closed from these start values: a constraint is off by %.3g (%s)",
                 loops_name(problem->loops, which), left,
                 l->where[0] ? "states with fixed start values are held" : "");
        return false;
    }
    left = INFINITY;
    status = gauss_newton(problem, t, x, l->held, l->phi_dot, &l->phi_v_pattern, l->phi_v, &left,
                          &which);
    if (status || !(left <= CLOSED)) {
        bool none_moves;
        uint32_t stuck = loops_stuck(problem, t, x, l->held, &none_moves);
        if (stuck != RUNG_NONE)
            snprintf(problem->why, sizeof problem->why,
                     "'%s' is %.3g at the start and cannot be: %s",
                     problem_state_name(problem, stuck), x[stuck],
                     none_moves ? "the joints of the closed loops cannot move, `rung dof` says why"
                                : "the closed loops leave it no motion, as `rung dof` says");
        else
            snprintf(problem->why, sizeof problem->why,
                     "the start velocities do not fit %s: a constraint's rate is off by %.3g "
                     "(states with fixed start values are held)",
                     loops_name(problem->loops, which), left);
        return false;
    }
    return loops_meet_conditions(problem, t, x);
}

int loops_project_event(Problem *problem, double t, double *x, const double *before, uint32_t *set)
{
    const RungLoops *l = problem->loops->l;
    uint32_t n = problem->n, which = 0;
    double left = INFINITY;
    *set = RUNG_NONE;
    uint8_t *held = calloc(n + (size_t)1, sizeof *held);
    double *wanted = calloc(n + (size_t)1, sizeof *wanted);
    if (!held || !wanted) {
        free(held);
        free(wanted);
        snprintf(problem->why, sizeof problem->why, "out of memory");
        return -1;
    }
    memcpy(wanted, x, n * sizeof *wanted);
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        held[k] = wanted[k] != before[k];
        any = any || held[k];
    }
    int status = loops_project(problem, t, x);
    if (!status && any) {
        // states set by the event keep their values, the others begin at those of the impulse
        double *y = wanted;
        for (uint32_t k = 0; k < n; k++)
            y[k] = held[k] ? y[k] : x[k];
        int found =
            gauss_newton(problem, t, y, held, l->phi, &l->phi_x_pattern, l->phi_x, &left, &which);
        if (!found && left <= CLOSED)
            found = gauss_newton(problem, t, y, held, l->phi_dot, &l->phi_v_pattern, l->phi_v,
                                 &left, &which);
        if (!found && left <= CLOSED)
            memcpy(x, y, n * sizeof *x);
        else
            for (uint32_t k = n; k-- > 0;)
                *set = held[k] && x[k] != y[k] ? k : *set;
    }
    free(held);
    free(wanted);
    if (status)
        problem_explain(problem, problem->why, sizeof problem->why);
    return status;
}
