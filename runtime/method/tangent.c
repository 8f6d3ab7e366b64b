/* SPDX-License-Identifier: BSD-3-Clause */
#include "tangent.h"
#include "lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tangents_open(Tangents *it, Run *run)
{
    const RungModel *m = run->problem.model;
    const RungSensitivity *t = m->sensitivity;
    *it = (Tangents){.run = run, .n = problem_own_states(&run->problem)};
    if (!t)
        return true;
    it->n_by = t->n;
    it->solve = m->newton ? m->newton->of_any : NULL;
    bool sides = it->solve && it->solve->solve_sides;
    it->width = sides ? RUNG_SIDES : 1;
    size_t n = it->n, n_by = it->n_by, m0 = run->problem.loops ? run->problem.loops->m0 : 0;
    size_t k0 = run->problem.loops ? run->problem.loops->k0 : 0, w = it->width;
    size_t rights = sides ? m0 + it->solve->n_rows + it->solve->n_states : 0;
    size_t works = sides ? m->n_work : 0, deltas = n + k0 + m0;
    it->sign = calloc(n_by * n + 1, sizeof *it->sign);
    it->push = calloc(n_by * m0 + 1, sizeof *it->push);
    it->before = calloc(n_by * m0 + 1, sizeof *it->before);
    it->free = calloc(n_by * k0 + 1, sizeof *it->free);
    it->wanted = calloc(m0 * w + 1, sizeof *it->wanted);
    it->memory = lanes_array((rights + works + deltas) * w);
    it->f = calloc((size_t)run->problem.n + (run->problem.loops ? run->problem.loops->k : 0) + 1,
                   sizeof *it->f);
    it->r = calloc(n + k0 + 1, sizeof *it->r);
    if (!it->sign || !it->memory || !it->push || !it->before || !it->free || !it->wanted ||
        !it->f || !it->r) {
        tangents_close(it);
        return false;
    }
    it->delta = it->memory;
    it->right = it->delta + deltas * w;
    it->work = it->right + rights * w;
    for (size_t k = 0; k < n_by * n; k++)
        it->sign[k] = t->is_negated[n + k] ? -1 : 1;
    return true;
}

void tangents_close(Tangents *it)
{
    free(it->sign);
    free(it->memory);
    free(it->push);
    free(it->before);
    free(it->free);
    free(it->wanted);
    free(it->f);
    free(it->r);
    *it = (Tangents){0};
}

/* Derivatives along time mean nothing between events. */
static void leave_time(const Tangents *it, const double *base, double *x)
{
    size_t from = it->n * ((size_t)it->n_by + 1);
    memcpy(x + from, base + from, (it->run->problem.n - from) * sizeof *x);
}

/* Parameters whose right-hand sides are solved for at once. */
typedef struct Group {
    uint32_t from, n;
} Group;

/* The right-hand sides of a group, whose entries are those from *next to the end that it gets;
 * those of equations are zero elsewhere. */
static void put_right(Tangents *it, Group of, const double *base, const double *penalty,
                      uint32_t *next)
{
    const RungNewtonSolve *v = it->solve;
    uint32_t m = it->run->problem.loops ? it->run->problem.loops->m0 : 0, w = it->width;
    double *right = it->right + (size_t)m * w, *defect = right + (size_t)v->n_rows * w;
    memset(it->wanted, 0, (size_t)m * w * sizeof *it->wanted);
    for (uint32_t j = 0; j < of.n; j++) {
        const double *sign = it->sign + (size_t)(of.from + j) * it->n;
        const double *own = base + ((size_t)of.from + j + 1) * it->n;
        for (uint32_t i = 0; i < it->n; i++)
            defect[(size_t)i * w + j] = sign[i] * own[i];
    }
    for (; *next < v->n_entries && v->by[*next] < of.from + of.n; ++*next) {
        uint32_t at = v->place[*next], of_constraint = v->n_rows + v->n_states;
        uint32_t j = v->by[*next] - of.from;
        if (at < of_constraint)
            right[(size_t)at * w + j] += it->entry[*next];
        else
            it->wanted[(size_t)(at - of_constraint) * w + j] =
                penalty[at - of_constraint] * it->entry[*next];
    }
}

/* The entries [from, to) of equations are zero again: most of the many equations have none. */
static void clear_right(Tangents *it, Group of, uint32_t from, uint32_t to)
{
    const RungNewtonSolve *v = it->solve;
    uint32_t m = it->run->problem.loops ? it->run->problem.loops->m0 : 0, w = it->width;
    for (uint32_t e = from; e < to; e++)
        if (v->place[e] < v->n_rows)
            it->right[((size_t)m + v->place[e]) * w + v->by[e] - of.from] = 0;
}

/* The multipliers of parameter j as a first guess: in a straight line from the last two stages. */
static void extrapolate(Tangents *it, uint32_t j, uint32_t m)
{
    double *push = it->push + (size_t)j * m, *before = it->before + (size_t)j * m;
    for (uint32_t i = 0; i < m; i++) {
        double last = push[i];
        push[i] += last - before[i];
        before[i] = last;
    }
}

/* fmax, which is a call. */
static double larger(double a, double b)
{
    return b > a ? b : a;
}

/* Side j of the increments: the derivatives of the states, and of inputs of the loops. Returns 0,
 * or no number where one of them is none. */
static double take(Tangents *it, Group of, uint32_t j, double *x, double *y)
{
    Loops *l = it->run->problem.loops;
    uint32_t w = it->width, by = of.from + j;
    const double *sign = it->sign + (size_t)by * it->n;
    double *to = x + ((size_t)by + 1) * it->n, sum = 0;
    for (uint32_t i = 0; i < it->n; i++) {
        to[i] = sign[i] * it->delta[(size_t)i * w + j];
        sum += 0 * to[i];
    }
    if (l) {
        double *rates = it->free + (size_t)by * l->k0;
        for (uint32_t i = 0; i < l->k0; i++)
            rates[i] = it->delta[((size_t)it->n + i) * w + j];
        loops_put_part(l, by + 1, it->push + (size_t)by * l->m0, rates, y);
    }
    return sum;
}

/* The multipliers of side j follow the increments. A round leaves 1 / (1 + penalty * inertia^-1) of
 * the constraint; true where that is rounding, or does not shrink. */
static bool follow(Tangents *it, Group of, uint32_t j, const double *penalty, double *before)
{
    static const double LEFT = 1e-14, SHRINKS = 0.5;
    const Loops *l = it->run->problem.loops;
    uint32_t w = it->width;
    double *push = it->push + (size_t)(of.from + j) * l->m0;
    double left = 0, size = 0;
    for (uint32_t i = 0; i < it->n; i++)
        size = larger(size, fabs(it->delta[(size_t)i * w + j]));
    for (uint32_t i = 0; i < l->m0; i++) {
        double now = it->delta[((size_t)it->n + l->k0 + i) * w + j];
        left = larger(left, fabs((now - push[i]) / penalty[i]));
        push[i] = now;
    }
    bool ends = left <= LEFT * size || left > SHRINKS * *before;
    *before = left;
    return ends;
}

/* Without loops at once. A side whose multipliers are there stays as it is in further rounds.
 * Positive too where a pivot has vanished unnoticed. */
static int solve_group(Tangents *it, Group of, double t, const double *penalty, double *x,
                       double *y)
{
    enum { ROUNDS = 12 };
    const RungNewtonSolve *v = it->solve;
    RungContext *ctx = it->run->problem.ctx;
    uint32_t m = it->run->problem.loops ? it->run->problem.loops->m0 : 0, w = it->width;
    double before[RUNG_SIDES], sum = 0;
    bool is_there[RUNG_SIDES] = {false};
    for (uint32_t j = 0; j < of.n; j++)
        before[j] = INFINITY;
    uint32_t open = of.n;
    for (int round = 0; round < ROUNDS && open; round++) {
        for (uint32_t j = 0; j < of.n; j++)
            for (uint32_t i = 0; i < m; i++)
                it->right[(size_t)i * w + j] =
                    it->wanted[(size_t)i * w + j] + it->push[(size_t)(of.from + j) * m + i];
        int status = v->solve_sides
                         ? v->solve_sides(ctx, t, x, of.n, it->right, it->work, it->delta)
                         : v->solve(ctx, t, x, it->delta);
        if (status)
            return status;
        for (uint32_t j = 0; j < of.n; j++) {
            if (is_there[j])
                continue;
            is_there[j] = !m || follow(it, of, j, penalty, &before[j]) || round == ROUNDS - 1;
            if (is_there[j])
                sum += take(it, of, j, x, y);
            open -= is_there[j];
        }
    }
    return isnan(sum);
}

int tangents_by_model(Tangents *it, double t, double gamma, const double *base,
                      const double *penalty, double *x, double *y)
{
    Run *run = it->run;
    RungContext *ctx = run->problem.ctx;
    const RungNewtonSolve *v = it->solve;
    Loops *l = run->problem.loops;
    uint32_t m = l ? l->m0 : 0;
    double *u = ctx->u + run->problem.model->newton->first, *right = ctx->u + v->first;
    if (!it->n_by)
        return 0;
    u[RUNG_NEWTON_GAMMA] = gamma;
    u[RUNG_NEWTON_WEIGHT] = u[RUNG_NEWTON_BALANCE_WEIGHT] = 1;
    memcpy(u + RUNG_NEWTON_BASE, base, it->n * sizeof *u);
    if (l) {
        memcpy(u + RUNG_NEWTON_BASE + it->n, penalty, m * sizeof *u);
        loops_put(l, ctx, y);
    }
    problem_refresh(&run->problem, t, x);
    run->problem.counts->factorisations++;
    it->entry = right + v->n_rows + v->n_states + v->n_kept;
    int status = v->factor(ctx, t, x, right + v->n_rows + v->n_states);
    // s stands before the rest
    if (!v->solve_sides)
        it->right = right - m;
    uint32_t next = 0;
    for (Group of = {0, 0}; of.from < it->n_by && !status; of.from += of.n) {
        uint32_t begin = next;
        of.n = it->n_by - of.from < it->width ? it->n_by - of.from : it->width;
        put_right(it, of, base, penalty, &next);
        for (uint32_t j = 0; j < of.n; j++)
            extrapolate(it, of.from + j, m);
        status = solve_group(it, of, t, penalty, x, y);
        clear_right(it, of, begin, next);
    }
    leave_time(it, base, x);
    return status;
}

int tangents_by_matrix(Tangents *it, double t, double gamma, const double *base, double close,
                       void (*apply)(const void *user, double *r), const void *user, double *x)
{
    enum { ROUNDS = 30 };
    Run *run = it->run;
    double before = INFINITY;
    if (!it->n_by)
        return 0;
    memcpy(x + it->n, base + it->n, (run->problem.n - (size_t)it->n) * sizeof *x);
    for (int round = 0; round < ROUNDS; round++) {
        int status = problem_xdot(&run->problem, t, x, it->f);
        if (status)
            return status;
        double size = 0;
        for (uint32_t j = 0; j < it->n_by; j++) {
            size_t first = ((size_t)j + 1) * it->n;
            for (uint32_t i = 0; i < it->n; i++)
                it->r[i] = it->sign[(size_t)j * it->n + i] *
                           (base[first + i] + gamma * it->f[first + i] - x[first + i]);
            apply(user, it->r);
            for (uint32_t i = 0; i < it->n; i++) {
                double *to = x + first + i, by = it->r[i];
                *to += it->sign[(size_t)j * it->n + i] * by;
                size = fmax(size, fabs(by) / (problem_nominal(&run->problem, (uint32_t)first + i) +
                                              fabs(*to)));
                if (!isfinite(by))
                    return 1;
            }
        }
        // the first correction says nothing of how fast they shrink
        double rate = round ? size / before : 1;
        if (size <= 1e-15 || (rate < 1 && size * rate / (1 - rate) <= close))
            return 0;
        if (round && rate >= 1 && size > close)
            return 1;
        before = size;
    }
    return 1;
}
