/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_tangents.h"
#include "basic.h"
#include "block_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Larger systems, which are sparse, are left to LU. */
enum { LARGE = 48 };

typedef struct LoopTangents {
    const RungLoopTangents *of;
    RungModel model; /* without derivatives  */
    Problem problem; /* of it                */
    Loops *alone;    /* its                  */
    uint32_t n, m, k, n_by;
    uint32_t width;                     /* of rows of blocks (block_row.h)             */
    const double *sign;                 /* n_by x n: 1 or -1                           */
    double *own_sign;                   /* where that lives                            */
    double *entry, *by;                 /* of matrices, of derivatives by parameters   */
    double *x, *f, *y, *push;           /* n, n, m + k, m + k: of the model            */
    double *s, *rows;                   /* blocks of n, n + k + 2 m rows               */
    double *inputs, *b, *change, *rest; /* of m + k rows; rest: one more than that     */
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

void loop_tangents_delete(struct LoopTangents *it)
{
    if (!it)
        return;
    loops_delete(it->alone);
    free(it->own_sign);
    free(it->entry);
    free(it->by);
    free(it->x);
    free(it->s);
    basic_close(&it->system);
    free(it);
}

/* Memory of it; false when there is none. */
static bool make_room(LoopTangents *it)
{
    const RungLoopTangents *of = it->of;
    size_t n = it->n, s = (size_t)it->m + it->k, w = it->width;
    size_t n_rows = n + it->k + 2 * (size_t)it->m;
    it->own_sign = calloc(it->n_by * n + 1, sizeof(double));
    it->entry =
        calloc(larger(n_entries(&of->rate_pattern), n_entries(&of->push_pattern)) + (size_t)1,
               sizeof(double));
    it->by = calloc(larger(of->n_rate_by, of->n_push_by) + (size_t)1, sizeof(double));
    it->x = calloc(2 * n + 2 * s + 1, sizeof(double));
    it->s = calloc((n + n_rows + 4 * s + 1) * w + 1, sizeof(double));
    it->sign = it->own_sign;
    if (!it->own_sign || !it->entry || !it->by || !it->x || !it->s ||
        !basic_open(&it->system, (uint32_t)s))
        return false;
    it->f = it->x + n;
    it->y = it->f + n;
    it->push = it->y + s;
    it->rows = it->s + n * w;
    it->inputs = it->rows + n_rows * w;
    it->b = it->inputs + s * w;
    it->change = it->b + s * w;
    it->rest = it->change + s * w;
    return true;
}

bool loop_tangents_open(Loops *all, const RungModel *model)
{
    const RungLoopTangents *of = all->l->tangents;
    const RungSensitivity *t = model->sensitivity;
    if (!of || !t || of->loops.n_constraints + of->loops.n_free > LARGE)
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
    it->width = (uint32_t)block_width(of->n_by);
    it->model = *model;
    it->model.n_states = it->n;
    it->model.xdot = of->xdot;
    it->model.loops = &of->loops;
    it->model.sensitivity = NULL;
    it->model.newton = NULL;
    it->alone = loops_new(&it->model);
    if (!it->alone || !make_room(it))
        return false;
    it->alone->is_alone = true;
    for (size_t i = 0; i < (size_t)it->n_by * it->n; i++)
        it->own_sign[i] = t->is_negated[it->n + i] ? -1 : 1;
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

/* ---- blocks: rows of numbers, one of each parameter ---- */

static void take_states(LoopTangents *it, const double *x)
{
    size_t n = it->n, w = it->width;
    for (uint32_t j = 0; j < it->n_by; j++) {
        const double *from = x + (j + 1) * n, *sign = it->sign + j * n;
        for (size_t i = 0; i < n; i++)
            it->s[i * w + j] = sign[i] * from[i];
    }
}

/* Rows of a block become states of the parts; those along time stay. */
static void put_states(const LoopTangents *it, const double *block, double *x)
{
    size_t n = it->n, w = it->width;
    for (uint32_t j = 0; j < it->n_by; j++) {
        double *to = x + (j + 1) * n;
        const double *sign = it->sign + j * n;
        for (size_t i = 0; i < n; i++)
            to[i] = sign[i] * block[i * w + j];
    }
}

/* Where input i of the model, part p, is among those of all. */
static size_t place(const Loops *all, uint32_t p, uint32_t i)
{
    return i < all->m0 ? (size_t)p * all->m0 + i : all->m + (size_t)p * all->k0 + (i - all->m0);
}

/* to += the entries in rows [first, last) and the columns of states times from; the first of these
 * rows is the first of `to`. */
static void add_product(const LoopTangents *it, const RungPattern *p, uint32_t first, uint32_t last,
                        const double *from, double *to)
{
    size_t w = it->width;
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] >= first && p->row[e] < last)
                block_add(it->width, it->entry[e], from + c * w, to + (p->row[e] - first) * w);
}

/* to += G times the inputs, in rows of which constraints know nothing. */
static void add_free_rows(const LoopTangents *it, double *to)
{
    const RungPattern *p = &it->of->rate_pattern;
    size_t w = it->width;
    for (uint32_t c = it->n; c < p->n_cols; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            block_add(it->width, it->entry[e], it->inputs + (c - it->n) * w, to + p->row[e] * w);
}

static void add_by(const LoopTangents *it, uint32_t n, const uint32_t *row, const uint32_t *which,
                   uint32_t first, uint32_t last, double *to)
{
    for (uint32_t e = 0; e < n; e++)
        if (row[e] >= first && row[e] < last)
            to[(row[e] - first) * (size_t)it->width + which[e]] += it->by[e];
}

/* to += factor N y. */
static void add_system(const LoopTangents *it, double factor, const double *y, double *to)
{
    uint32_t s = it->m + it->k;
    size_t w = it->width;
    for (uint32_t j = 0; j < s; j++)
        for (uint32_t i = 0; i < s; i++) {
            double f = factor * it->alone->kkt[i + (size_t)j * s];
            if (f != 0)
                block_add(it->width, f, y + j * w, to + i * w);
        }
}

/* to += G y, the rows of states: all, or those that constraints hold. */
static void add_pushed(const LoopTangents *it, bool all, const double *y, double *to)
{
    const RungPattern *held = &it->of->loops.phi_v_pattern;
    uint32_t s = it->m + it->k, rows = it->n + it->k;
    size_t w = it->width;
    for (uint32_t j = 0; j < s; j++)
        for (uint32_t i = 0; i < it->n; i++) {
            double f = it->alone->g[i + (size_t)j * rows];
            if (f != 0 && (all || held->col_start[i] < held->col_start[i + 1]))
                block_add(it->width, f, y + j * w, to + i * w);
        }
}

/* N; false if its rank is not clear, or if constraints are redundant and how they share a force has
 * a derivative. Where parts have no mass that is left to the smallest change. */
static bool factor(LoopTangents *it)
{
    return basic_factor(&it->system, it->alone->kkt) && (it->system.rank == it->system.n || it->k);
}

/* ---- the two projections ---- */

/* it->s at it->x, before the velocities go: they go by G u, u = it->push. A status of the model. */
static int pushed_states(LoopTangents *it, Problem *own, double t)
{
    const RungLoopTangents *of = it->of;
    uint32_t n = it->n, rows = n + it->k;
    size_t w = it->width;
    loops_put(it->alone, own->ctx, it->push);
    int status = of->push_by_state(own->ctx, t, it->x, it->entry);
    status = status ? status : of->push_by(own->ctx, t, it->x, it->by);
    if (status)
        return status;
    memset(it->rows, 0, rows * w * sizeof(double));
    add_product(it, &of->push_pattern, 0, rows, it->s, it->rows);
    add_by(it, of->n_push_by, of->push_by_row, of->push_by_which, 0, rows, it->rows);
    for (size_t i = 0; i < n * w; i++)
        it->s[i] += it->rows[i];
    // the change of the balances
    for (size_t i = 0; i < it->k * w; i++)
        it->b[it->m * w + i] = -it->rows[n * w + i];
    return 0;
}

/* it->entry and it->by of the rates at x, with the inputs y of the model. A status of the model. */
static int find_rates(LoopTangents *it, Problem *own, double t, const double *x, const double *y)
{
    loops_put(it->alone, own->ctx, y);
    int status = it->of->rate_by_state(own->ctx, t, x, it->entry);
    return status ? status : it->of->rate_by(own->ctx, t, x, it->by);
}

/* it->s with velocities on their constraints; it->b holds the change of the balances. */
static void close_velocities(LoopTangents *it)
{
    const RungLoopTangents *of = it->of;
    uint32_t first = it->n + it->k + it->m, last = first + it->m;
    size_t w = it->width;
    memset(it->rows, 0, it->m * w * sizeof(double));
    add_product(it, &of->rate_pattern, first, last, it->s, it->rows);
    add_by(it, of->n_rate_by, of->rate_by_row, of->rate_by_which, first, last, it->rows);
    for (size_t i = 0; i < it->m * w; i++)
        it->b[i] = -it->rows[i];
    basic_solve(&it->system, it->width, it->b, it->change);
    add_pushed(it, true, it->change, it->s);
}

/* it->rows := xdot', and it->inputs += the change that keeps phi'' and the balances at zero. */
static void close_rates(LoopTangents *it)
{
    const RungLoopTangents *of = it->of;
    uint32_t n = it->n, last = n + it->k + it->m;
    size_t w = it->width, size = ((size_t)it->m + it->k) * w;
    memset(it->rows, 0, last * w * sizeof(double));
    add_product(it, &of->rate_pattern, 0, last, it->s, it->rows);
    add_by(it, of->n_rate_by, of->rate_by_row, of->rate_by_which, 0, last, it->rows);
    for (size_t i = 0; i < it->m * w; i++)
        it->b[i] = -it->rows[(n + it->k) * w + i];
    for (size_t i = 0; i < it->k * w; i++)
        it->b[it->m * w + i] = -it->rows[n * w + i];
    add_system(it, -1, it->inputs, it->b);
    basic_solve(&it->system, it->width, it->b, it->change);
    basic_shorten(&it->system, it->width, it->change, it->rest);
    for (size_t i = 0; i < size; i++)
        it->inputs[i] += it->change[i];
    add_pushed(it, false, it->inputs, it->rows);
    add_free_rows(it, it->rows);
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

static int project(LoopTangents *it, Problem *own, double t, double *x)
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
    status = pushed_states(it, own, t);
    memcpy(it->x, it->f, n * sizeof *x);
    status = status ? status : loops_project_accelerations(own, t, it->x, it->f, it->y);
    status = status ? status : find_rates(it, own, t, it->x, it->y);
    if (status)
        return status;
    close_velocities(it);
    close_rates(it);
    return is_open(it);
}

int loop_tangents_project(Problem *problem, double t, double *x, double *f, double *y)
{
    LoopTangents *it = problem->loops->tangents;
    const Loops *all = problem->loops;
    if (!it)
        return 1;
    take_states(it, x);
    for (uint32_t i = 0; i < it->m + it->k; i++) {
        it->y[i] = y[place(all, 0, i)];
        for (uint32_t j = 0; j < it->n_by; j++)
            it->inputs[i * it->width + j] = y[place(all, j + 1, i)] / all->l->part_size[j + 1];
    }
    int status = project(it, alone(it, problem), t, x);
    if (status)
        return status;
    memcpy(x, it->x, it->n * sizeof *x);
    memcpy(f, it->f, it->n * sizeof *f);
    put_states(it, it->s, x);
    put_states(it, it->rows, f);
    rest_in_time(it, problem, f);
    put_inputs(it, problem, y);
    return 0;
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
    status = find_rates(it, own, t, x, it->y);
    if (status)
        return status;
    take_states(it, x);
    memset(it->inputs, 0, ((size_t)it->m + it->k) * it->width * sizeof(double));
    close_rates(it);
    if (is_open(it))
        return 1;
    memcpy(xdot, it->f, it->n * sizeof *xdot);
    put_states(it, it->rows, xdot);
    rest_in_time(it, problem, xdot);
    put_inputs(it, problem, all->y);
    return 0;
}
