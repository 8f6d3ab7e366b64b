/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_tangents.h"
#include "basic.h"
#include "block_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A matrix, or some rows of one, by products with rows of a block. */
typedef struct Products {
    uint32_t n;
    BlockProduct *at;
} Products;

/* Entry `from` of the derivatives by parameters is added to number `to` of a block. */
typedef struct Addition {
    uint32_t from, to;
} Addition;

typedef struct Additions {
    uint32_t n;
    Addition *at;
} Additions;

typedef struct LoopTangents {
    const RungLoopTangents *of;
    RungModel model; /* without derivatives  */
    Problem problem; /* of it                */
    Loops *alone;    /* its                  */
    uint32_t n, m, k, n_by;
    uint32_t width;              /* of rows of blocks (block_row.h)                        */
    uint32_t n_negated;          /* states that are minus the model's derivatives:         */
    size_t *negated;             /* ... places behind the model's states; then in a block  */
    Additions rate_by, dot_by;   /* to rows of `rate` and of `dot`                         */
    double *entry;               /* of a matrix, behind them of derivatives by parameters  */
    double *x;                   /* n, the model's; then those of its parts                */
    double *f, *y, *push;        /* n, m + k, m + k: of the model                          */
    double *s, *rows, *pushed;   /* blocks of n, n + k + 2 m, n + k rows                   */
    double *inputs, *b, *change; /* of m + k rows                                          */
    double *rest;                /* of one                                                 */
    Products rate, dot, free;    /* by states: all rates but phi', phi'; by inputs         */
    Products by_push;            /* by states: G u                                         */
    Products held, all;          /* G in rows that constraints hold and balances; in all   */
    Products phi;                /* phi_v                                                  */
    Basic system;
} LoopTangents;

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t n_entries(const RungPattern *p)
{
    return p->col_start[p->n_cols];
}

static void products_free(Products *p)
{
    free(p->at);
}

void loop_tangents_delete(struct LoopTangents *it)
{
    if (!it)
        return;
    loops_delete(it->alone);
    free(it->negated);
    free(it->rate_by.at);
    free(it->dot_by.at);
    free(it->entry);
    free(it->x);
    free(it->s);
    Products *all[] = {&it->rate, &it->dot, &it->free, &it->by_push, &it->held, &it->all, &it->phi};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        products_free(all[k]);
    basic_close(&it->system);
    free(it);
}

void loop_tangents_forget(struct LoopTangents *it)
{
    if (it)
        it->system.has_order = false;
}

/* Memory of it; false when there is none. */
static bool make_room(LoopTangents *it)
{
    const RungLoopTangents *of = it->of;
    size_t n = it->n, s = (size_t)it->m + it->k, w = it->width;
    size_t n_rows = n + it->k + 2 * (size_t)it->m, n_push = n + it->k;
    uint32_t n_rates = n_entries(&of->rate_pattern) + of->n_rate_by;
    it->negated = calloc(2 * it->n_by * n + 1, sizeof *it->negated);
    it->rate_by.at = calloc(of->n_rate_by + (size_t)1, sizeof *it->rate_by.at);
    it->dot_by.at = calloc(of->n_rate_by + (size_t)1, sizeof *it->dot_by.at);
    uint32_t n_pushes = of->along_rate ? 0 : n_entries(&of->push_pattern) + of->n_push_by;
    it->entry = calloc(larger(n_rates, n_pushes) + (size_t)1, sizeof(double));
    it->x = calloc((it->n_by + 2) * n + 2 * s + 1, sizeof(double));
    it->s = calloc((n + n_rows + n_push + 3 * s + 1) * w + 1, sizeof(double));
    if (!it->negated || !it->rate_by.at || !it->dot_by.at || !it->entry || !it->x || !it->s ||
        !basic_open(&it->system, (uint32_t)s))
        return false;
    it->f = it->x + (it->n_by + 1) * n;
    it->y = it->f + n;
    it->push = it->y + s;
    it->rows = it->s + n * w;
    it->pushed = it->rows + n_rows * w;
    it->inputs = it->pushed + n_push * w;
    it->b = it->inputs + s * w;
    it->change = it->b + s * w;
    it->rest = it->change + s * w;
    return true;
}

/* Of the entries in rows [first, last) and in columns [first_col, last_col); the first of them are
 * number 0. False when out of memory. */
static bool products_make(Products *out, const RungPattern *p, uint32_t first, uint32_t last,
                          uint32_t first_col, uint32_t last_col)
{
    out->n = 0;
    out->at = calloc(n_entries(p) + (size_t)1, sizeof *out->at);
    for (uint32_t c = first_col; c < last_col && out->at; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] >= first && p->row[e] < last)
                out->at[out->n++] = (BlockProduct){e, c - first_col, p->row[e] - first};
    return out->at != NULL;
}

/* G, in full at alone->g, by its pattern: rows of states, or those that constraints hold and
 * balances. */
static bool make_pushes(LoopTangents *it)
{
    const RungLoops *l = &it->of->loops;
    const RungPattern *p = &l->by_input_pattern, *held = &l->phi_v_pattern;
    uint32_t rows = it->n + it->k;
    it->held.at = calloc(n_entries(p) + (size_t)1, sizeof *it->held.at);
    it->all.at = calloc(n_entries(p) + (size_t)1, sizeof *it->all.at);
    for (uint32_t j = 0; j < it->m + it->k && it->held.at && it->all.at; j++)
        for (uint32_t e = p->col_start[j]; e < p->col_start[j + 1]; e++) {
            uint32_t i = p->row[e];
            BlockProduct x = {i + j * rows, j, i};
            if (i < it->n)
                it->all.at[it->all.n++] = x;
            if (i >= it->n || held->col_start[i] < held->col_start[i + 1])
                it->held.at[it->held.n++] = x;
        }
    return it->held.at && it->all.at;
}

static bool make_products(LoopTangents *it)
{
    const RungLoopTangents *of = it->of;
    const RungPattern *rate = &of->rate_pattern;
    uint32_t n = it->n, last = n + it->k + it->m;
    return products_make(&it->rate, rate, 0, last, 0, n) &&
           products_make(&it->dot, rate, last, last + it->m, 0, n) &&
           products_make(&it->free, rate, 0, n, n, rate->n_cols) &&
           (of->along_rate || products_make(&it->by_push, &of->push_pattern, 0, n + it->k, 0, n)) &&
           products_make(&it->phi, &of->loops.phi_v_pattern, 0, it->m, 0, n) && make_pushes(it);
}

static void find_negated(LoopTangents *it, const RungSensitivity *t)
{
    size_t n = it->n, n_all = it->n_by * n;
    for (size_t i = 0; i < n_all; i++)
        it->n_negated += t->is_negated[n + i] != 0;
    for (size_t i = 0, found = 0; i < n_all; i++) {
        if (!t->is_negated[n + i])
            continue;
        it->negated[found] = i;
        it->negated[it->n_negated + found++] = i % n * it->width + i / n;
    }
}

/* Those of rows [first, last). */
static void find_additions(const LoopTangents *it, uint32_t first, uint32_t last, Additions *out)
{
    const RungLoopTangents *of = it->of;
    for (uint32_t e = 0; e < of->n_rate_by; e++)
        if (of->rate_by_row[e] >= first && of->rate_by_row[e] < last)
            out->at[out->n++] =
                (Addition){e, (of->rate_by_row[e] - first) * it->width + of->rate_by_which[e]};
}

bool loop_tangents_open(Loops *all, const RungModel *model)
{
    const RungLoopTangents *of = all->l->tangents;
    const RungSensitivity *t = model->sensitivity;
    if (!of || !t)
        return true;
    LoopTangents *it = calloc(1, sizeof *it);
    if (!it)
        return false;
    all->tangents = it;
    it->of = of;
    it->n = of->n_states;
    it->m = of->loops.n_constraints;
    it->k = of->loops.n_free;
    it->n_by = of->n_by;
    it->width = of->width;
    it->model = *model;
    it->model.n_states = it->n;
    it->model.xdot = of->xdot;
    it->model.loops = &of->loops;
    it->model.sensitivity = NULL;
    it->model.newton = NULL;
    it->alone = loops_new(&it->model);
    if (!it->alone || !make_room(it) || !make_products(it))
        return false;
    it->alone->is_alone = true;
    find_negated(it, t);
    find_additions(it, 0, it->n + it->k + it->m, &it->rate_by);
    find_additions(it, it->n + it->k + it->m, it->n + it->k + 2 * it->m, &it->dot_by);
    return true;
}

Loops *loop_tangents_alone(const Loops *all)
{
    return all->tangents ? all->tangents->alone : NULL;
}

/* The problem of the model alone, at work in the same instance. */
static Problem *alone(LoopTangents *it, const Problem *problem)
{
    it->problem = *problem;
    it->problem.model = &it->model;
    it->problem.n = it->n;
    it->problem.loops = it->alone;
    it->problem.closed_xdot = loops_xdot;
    it->problem.failure_x = NULL;
    it->alone->relax = problem->loops->relax;
    return &it->problem;
}

Problem *loop_tangents_problem(Problem *problem)
{
    Loops *all = problem->loops;
    return all && all->tangents ? alone(all->tangents, problem) : NULL;
}

/* ---- blocks: rows of numbers, one of each parameter ---- */

BLOCK_VECTORS
static void take_states(LoopTangents *it, const double *x)
{
    const size_t *place = it->negated + it->n_negated;
    block_put_columns(it->width, it->n, it->n_by, it->n, x + it->n, it->s);
    for (uint32_t k = 0; k < it->n_negated; k++)
        it->s[place[k]] = -it->s[place[k]];
}

/* Rows of a block become states of the parts; those along time stay. */
BLOCK_VECTORS
static void put_states(const LoopTangents *it, const double *block, double *x)
{
    double *to = x + it->n;
    block_take_columns(it->width, it->n, it->n_by, it->n, block, to);
    for (uint32_t k = 0; k < it->n_negated; k++)
        to[it->negated[k]] = -to[it->negated[k]];
}

/* Where input i of the model, part p, is among those of all. */
static size_t place(const Loops *all, uint32_t p, uint32_t i)
{
    return i < all->m0 ? (size_t)p * all->m0 + i : all->m + (size_t)p * all->k0 + (i - all->m0);
}

BLOCK_VECTORS
static void multiply(const LoopTangents *it, const Products *p, const double *factor,
                     const double *from, double *to)
{
    block_products(it->width, p->n, p->at, 1, factor, from, to);
}

/* += the derivatives of the rates by the parameters. */
static void add_rates_by(const LoopTangents *it, const Additions *which, double *to)
{
    const double *by = it->entry + n_entries(&it->of->rate_pattern);
    for (uint32_t e = 0; e < which->n; e++)
        to[which->at[e].to] += by[which->at[e].from];
}

static void add_push_by(const LoopTangents *it, double *to)
{
    const RungLoopTangents *of = it->of;
    const double *by = it->entry + n_entries(&of->push_pattern);
    for (uint32_t e = 0; e < of->n_push_by; e++)
        to[of->push_by_row[e] * (size_t)it->width + of->push_by_which[e]] += by[e];
}

/* Whether each row of N is zero or larger than the regularisation e of loops.h. The rank is not
 * clear with others: axes that are parallel to 1e-12 have rows of 1e-12 and diagonal entries of
 * 1e-24. Rows of heavy parts are small, too, but with diagonal entries of the same size. */
static bool rows_are_clear(const LoopTangents *it)
{
    uint32_t s = it->m + it->k;
    double most = 0;
    for (size_t i = 0; i < (size_t)s * s; i++)
        most = fmax(most, fabs(it->alone->kkt[i]));
    for (uint32_t r = 0; r < s; r++) {
        double size = 0, own = fabs(it->alone->kkt[r + (size_t)r * s]);
        for (uint32_t c = 0; c < s; c++)
            size = fmax(size, fabs(it->alone->kkt[r + (size_t)c * s]));
        if (size > 0 && size <= sqrt(LOOPS_REGULAR) * most && own <= LOOPS_REGULAR * most)
            return false;
    }
    return true;
}

/* N; false if its rank is not clear, or if constraints are redundant and how they share a force has
 * a derivative. Where parts have no mass that is left to the smallest change. */
static bool factor(LoopTangents *it)
{
    return rows_are_clear(it) && basic_factor(&it->system, it->alone->kkt) &&
           (it->system.rank == it->system.n || it->k);
}

/* ---- rows along each parameter, by matrices or as the model has them ---- */

/* it->x with it->s as the states of its parts. */
static const double *all_states(LoopTangents *it)
{
    put_states(it, it->s, it->x);
    return it->x;
}

/* it->rows := (G u)', n + k rows, with u = it->push at x: it->x and the states of its parts. */
static int push_rows(LoopTangents *it, Problem *own, double t, const double *x)
{
    const RungLoopTangents *of = it->of;
    uint32_t rows = it->n + it->k;
    loops_put(it->alone, own->ctx, it->push);
    if (of->along_rate)
        return of->along_push(own->ctx, t, x, it->rows);
    int status = of->push_entries(own->ctx, t, it->x, it->entry);
    memset(it->rows, 0, rows * (size_t)it->width * sizeof(double));
    multiply(it, &it->by_push, it->entry, it->s, it->rows);
    add_push_by(it, it->rows);
    return status;
}

/* it->entry of the rates at it->x, with the inputs y of the model. */
static int find_rates(LoopTangents *it, Problem *own, double t, const double *y)
{
    const RungLoopTangents *of = it->of;
    loops_put(it->alone, own->ctx, y);
    return it->free.n || !of->along_rate ? of->rate_entries(own->ctx, t, it->x, it->entry) : 0;
}

/* it->rows := those of phi', m rows. Behind find_rates, as the next. */
static int dot_rows(LoopTangents *it, Problem *own, double t)
{
    const RungLoopTangents *of = it->of;
    if (of->along_rate)
        return of->along_dot(own->ctx, t, all_states(it), it->rows);
    memset(it->rows, 0, it->m * (size_t)it->width * sizeof(double));
    multiply(it, &it->dot, it->entry, it->s, it->rows);
    add_rates_by(it, &it->dot_by, it->rows);
    return 0;
}

/* it->rows := those of xdot, balances and phi'', inputs held. */
static int rate_rows(LoopTangents *it, Problem *own, double t)
{
    const RungLoopTangents *of = it->of;
    uint32_t last = it->n + it->k + it->m;
    if (of->along_rate)
        return of->along_rate(own->ctx, t, all_states(it), it->rows);
    memset(it->rows, 0, last * (size_t)it->width * sizeof(double));
    multiply(it, &it->rate, it->entry, it->s, it->rows);
    add_rates_by(it, &it->rate_by, it->rows);
    return 0;
}

/* ---- the two projections ---- */

/* it->s at it->x, before the velocities go: they go by G u, u = it->push. x: all parts there. A
 * status of the model. */
static int pushed_states(LoopTangents *it, Problem *own, double t, const double *x)
{
    uint32_t n = it->n;
    size_t w = it->width;
    int status = push_rows(it, own, t, x);
    if (status)
        return status;
    for (size_t i = 0; i < n * w; i++)
        it->s[i] += it->rows[i];
    // the change of the balances
    for (size_t i = 0; i < it->k * w; i++)
        it->b[it->m * w + i] = -it->rows[n * w + i];
    return 0;
}

/* it->s with velocities on their constraints; it->b holds the change of the balances, it->rows
 * those of phi'. */
static void close_velocities(LoopTangents *it)
{
    for (size_t i = 0; i < it->m * (size_t)it->width; i++)
        it->b[i] = -it->rows[i];
    basic_solve(&it->system, it->width, it->b, it->change);
    multiply(it, &it->all, it->alone->g, it->change, it->s);
}

/* it->rows := xdot', and it->inputs += the change that keeps phi'' and the balances at zero. */
static int close_rates(LoopTangents *it, Problem *own, double t)
{
    uint32_t n = it->n;
    size_t w = it->width, of_states = n * w, of_phi = it->m * w, of_balance = it->k * w;
    int status = rate_rows(it, own, t);
    const double *balance = it->rows + of_states, *second = balance + of_balance;
    memset(it->pushed, 0, (of_states + of_balance) * sizeof(double));
    multiply(it, &it->held, it->alone->g, it->inputs, it->pushed);
    for (size_t i = 0; i < of_phi; i++)
        it->b[i] = -second[i];
    block_products(w, it->phi.n, it->phi.at, -1, it->alone->v, it->pushed, it->b);
    for (size_t i = 0; i < of_balance; i++)
        it->b[of_phi + i] = -balance[i] - it->pushed[of_states + i];
    basic_solve(&it->system, it->width, it->b, it->change);
    basic_shorten(&it->system, it->width, it->change, it->rest);
    for (size_t i = 0; i < of_phi + of_balance; i++)
        it->inputs[i] += it->change[i];
    multiply(it, &it->held, it->alone->g, it->change, it->pushed);
    for (size_t i = 0; i < of_states; i++)
        it->rows[i] += it->pushed[i];
    multiply(it, &it->free, it->entry, it->inputs, it->rows);
    return status;
}

/* y of all parts from it->y and it->inputs, which are put into the model. */
static void put_inputs(LoopTangents *it, const Problem *problem, double *y)
{
    const Loops *all = problem->loops;
    uint32_t s = it->m + it->k;
    for (uint32_t i = 0; i < s; i++)
        y[place(all, 0, i)] = it->y[i];
    for (uint32_t j = 0; j < it->n_by; j++)
        for (uint32_t i = 0; i < s; i++)
            y[place(all, j + 1, i)] = all->l->part_size[j + 1] * it->inputs[i * it->width + j];
    loops_put(all, problem->ctx, y);
}

/* What is not finite is not found here. */
static int is_open(const LoopTangents *it)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)it->n * it->width; i++)
        sum += 0 * it->s[i] + 0 * it->rows[i];
    return sum != 0;
}

/* The same for the part along time, which means nothing between events. */
static void rest_in_time(const LoopTangents *it, const Problem *problem, double *f)
{
    size_t from = (size_t)it->n * (it->n_by + 1);
    memset(f + from, 0, (problem->n - from) * sizeof *f);
}

/* it->x on the constraints of velocities, and it->s pushed there. */
static int push(LoopTangents *it, Problem *own, double t, const double *x)
{
    uint32_t n = it->n, s = it->m + it->k;
    memcpy(it->f, x, n * sizeof *x);
    int status = loops_linearise(own, t, it->f);
    status = status ? status : !factor(it);
    status = status ? status : loops_project_velocities(own, t, it->f);
    if (status)
        return status;
    memcpy(it->push, it->alone->rest, s * sizeof(double));
    memcpy(it->x, x, n * sizeof *x);
    status = pushed_states(it, own, t, x);
    memcpy(it->x, it->f, n * sizeof *x);
    return status;
}

static int project(LoopTangents *it, Problem *own, double t, double *x)
{
    int status = push(it, own, t, x);
    status = status ? status : loops_project_accelerations(own, t, it->x, it->f, it->y);
    status = status ? status : find_rates(it, own, t, it->y);
    status = status ? status : dot_rows(it, own, t);
    if (status)
        return status;
    close_velocities(it);
    status = close_rates(it, own, t);
    if (!status && it->alone->idle > 0)
        basic_shorten(&it->system, it->width, it->inputs, it->rest);
    return status ? status : is_open(it);
}

/* The parts of x and y. */
static void take_parts(LoopTangents *it, const Loops *all, const double *x, const double *y)
{
    take_states(it, x);
    for (uint32_t i = 0; i < it->m + it->k; i++) {
        it->y[i] = y[place(all, 0, i)];
        for (uint32_t j = 0; j < it->n_by; j++)
            it->inputs[i * it->width + j] = y[place(all, j + 1, i)] / all->l->part_size[j + 1];
    }
}

static void put_parts(LoopTangents *it, const Problem *problem, double *x, double *f, double *y)
{
    put_states(it, it->s, x);
    put_states(it, it->rows, f);
    rest_in_time(it, problem, f);
    put_inputs(it, problem, y);
}

int loop_tangents_project(Problem *problem, double t, double *x, double *f, double *y)
{
    LoopTangents *it = problem->loops->tangents;
    if (!it)
        return 1;
    take_parts(it, problem->loops, x, y);
    it->alone->idle = problem->loops->idle;
    int status = project(it, alone(it, problem), t, x);
    if (status)
        return status;
    problem->loops->dropped = it->alone->idle > 0;
    memcpy(x, it->x, it->n * sizeof *x);
    memcpy(f, it->f, it->n * sizeof *f);
    put_parts(it, problem, x, f, y);
    return 0;
}

/* it->rows := those of phi' without the matrix of the rates: as all parts have them. */
static int dot_rows_of_parts(LoopTangents *it, Problem *own, const Loops *all, double t)
{
    double *dot = all->b;
    if (it->of->along_rate)
        return dot_rows(it, own, t);
    int status = all->l->phi_dot(own->ctx, t, all_states(it), dot);
    for (uint32_t j = 0; j < it->n_by; j++)
        for (uint32_t i = 0; i < it->m; i++)
            it->rows[i * (size_t)it->width + j] =
                dot[(j + (size_t)1) * it->m + i] / all->l->part_size[j + 1];
    return status;
}

int loop_tangents_project_rates(Problem *problem, double t, double *x)
{
    LoopTangents *it = problem->loops->tangents;
    if (!it)
        return 1;
    Problem *own = alone(it, problem);
    take_states(it, x);
    int status = push(it, own, t, x);
    status = status ? status : dot_rows_of_parts(it, own, problem->loops, t);
    if (status)
        return status;
    close_velocities(it);
    if (is_open(it))
        return 1;
    memcpy(x, it->x, it->n * sizeof *x);
    put_states(it, it->s, x);
    return 0;
}

int loop_tangents_project_parts(Problem *problem, double t, double *x, double *f, double *y)
{
    LoopTangents *it = problem->loops->tangents;
    if (!it)
        return 1;
    Problem *own = alone(it, problem);
    int status = loops_linearise(own, t, x);
    status = status ? status : !factor(it);
    if (status)
        return status;
    take_parts(it, problem->loops, x, y);
    memcpy(it->x, x, it->n * sizeof *x);
    memset(it->b, 0, ((size_t)it->m + it->k) * it->width * sizeof(double));
    status = find_rates(it, own, t, it->y);
    status = status ? status : dot_rows(it, own, t);
    if (status)
        return status;
    close_velocities(it);
    status = close_rates(it, own, t);
    if (status || is_open(it))
        return status ? status : 1;
    put_parts(it, problem, x, f, y);
    return 0;
}

int loop_tangents_own_xdot(Problem *problem, double t, const double *x, double *xdot)
{
    LoopTangents *it = problem->loops->tangents;
    return it ? loops_xdot(alone(it, problem), t, x, xdot) : 1;
}

int loop_tangents_xdot(Problem *problem, double t, const double *x, double *xdot)
{
    LoopTangents *it = problem->loops->tangents;
    Loops *all = problem->loops;
    if (!it || all->relax > 0)
        return 1;
    Problem *own = alone(it, problem);
    int status = loops_xdot(own, t, x, it->f);
    status = status ? status : !factor(it);
    if (status)
        return status;
    memcpy(it->y, it->alone->y, ((size_t)it->m + it->k) * sizeof(double));
    memcpy(it->x, x, it->n * sizeof *x);
    take_states(it, x);
    memset(it->inputs, 0, ((size_t)it->m + it->k) * it->width * sizeof(double));
    status = find_rates(it, own, t, it->y);
    status = status ? status : close_rates(it, own, t);
    if (status || is_open(it))
        return status ? status : 1;
    memcpy(xdot, it->f, it->n * sizeof *xdot);
    put_states(it, it->rows, xdot);
    rest_in_time(it, problem, xdot);
    put_inputs(it, problem, all->y);
    return 0;
}
