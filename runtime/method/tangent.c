/* SPDX-License-Identifier: BSD-3-Clause */
#include "tangent.h"

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
    size_t n = it->n, n_by = it->n_by, m0 = run->problem.loops ? run->problem.loops->m0 : 0;
    size_t k0 = run->problem.loops ? run->problem.loops->k0 : 0;
    it->sign = calloc(n_by * n + 1, sizeof *it->sign);
    it->entry = calloc((it->solve ? it->solve->n_entries : 0) + (size_t)1, sizeof *it->entry);
    it->delta = calloc(n + k0 + m0 + 1, sizeof *it->delta);
    it->push = calloc(n_by * m0 + 1, sizeof *it->push);
    it->before = calloc(n_by * m0 + 1, sizeof *it->before);
    it->free = calloc(n_by * k0 + 1, sizeof *it->free);
    it->wanted = calloc(m0 + 1, sizeof *it->wanted);
    it->f = calloc((size_t)run->problem.n + (run->problem.loops ? run->problem.loops->k : 0) + 1,
                   sizeof *it->f);
    it->r = calloc(n + k0 + 1, sizeof *it->r);
    if (!it->sign || !it->entry || !it->delta || !it->push || !it->before || !it->free ||
        !it->wanted || !it->f || !it->r) {
        tangents_close(it);
        return false;
    }
    for (size_t k = 0; k < n_by * n; k++)
        it->sign[k] = t->is_negated[n + k] ? -1 : 1;
    return true;
}

void tangents_close(Tangents *it)
{
    free(it->sign);
    free(it->entry);
    free(it->delta);
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

/* The right-hand side of parameter j, of which the entries begin at *next. */
static void put_right(Tangents *it, uint32_t j, const double *base, const double *penalty,
                      uint32_t *next)
{
    const RungNewtonSolve *v = it->solve;
    double *right = it->run->problem.ctx->u + v->first, *defect = right + v->n_rows;
    const double *sign = it->sign + (size_t)j * it->n;
    const double *from = base + ((size_t)j + 1) * it->n;
    uint32_t m = it->run->problem.loops ? it->run->problem.loops->m0 : 0;
    memset(right, 0, v->n_rows * sizeof *right);
    memset(it->wanted, 0, m * sizeof *it->wanted);
    for (uint32_t i = 0; i < it->n; i++)
        defect[i] = sign[i] * from[i];
    for (; *next < v->n_entries && v->by[*next] == j; ++*next) {
        uint32_t at = v->place[*next], of_constraint = v->n_rows + v->n_states;
        if (at < of_constraint)
            right[at] += it->entry[*next];
        else
            it->wanted[at - of_constraint] = penalty[at - of_constraint] * it->entry[*next];
    }
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

/* it->delta: without loops at once. With them a round leaves 1 / (1 + penalty * inertia^-1) of the
 * constraint; the multipliers follow. */
static int solve_one(Tangents *it, double t, const double *x, const double *penalty, double *s,
                     double *push)
{
    enum { ROUNDS = 12 };
    static const double LEFT = 1e-14, SHRINKS = 0.5;
    RungContext *ctx = it->run->problem.ctx;
    const Loops *l = it->run->problem.loops;
    uint32_t m = l ? l->m0 : 0, k = l ? l->k0 : 0;
    double before = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < m; i++)
            s[i] = it->wanted[i] + push[i];
        int status = it->solve->solve(ctx, t, x, it->delta);
        if (status || !m)
            return status;
        double left = 0, size = 0;
        for (uint32_t i = 0; i < it->n; i++)
            size = larger(size, fabs(it->delta[i]));
        for (uint32_t i = 0; i < m; i++) {
            double now = it->delta[it->n + k + i];
            left = larger(left, fabs((now - push[i]) / penalty[i]));
            push[i] = now;
        }
        if (left <= LEFT * size || left > SHRINKS * before)
            break;
        before = left;
    }
    return 0;
}

int tangents_by_model(Tangents *it, double t, double gamma, const double *base,
                      const double *penalty, double *x, double *y)
{
    Run *run = it->run;
    RungContext *ctx = run->problem.ctx;
    const RungNewtonSolve *v = it->solve;
    Loops *l = run->problem.loops;
    uint32_t m = l ? l->m0 : 0;
    double *u = ctx->u + run->problem.model->newton->first, *s = u + RUNG_NEWTON_BASE + it->n + m;
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
    int status = v->factor(ctx, t, x, ctx->u + v->first + v->n_rows + v->n_states);
    status = status ? status : v->by_parameters(ctx, t, x, it->entry);
    double sum = 0;
    uint32_t next = 0;
    for (uint32_t j = 0; j < it->n_by && !status; j++) {
        double *push = it->push + (size_t)j * m;
        put_right(it, j, base, penalty, &next);
        extrapolate(it, j, m);
        status = solve_one(it, t, x, penalty, s, push);
        double *to = x + ((size_t)j + 1) * it->n;
        for (uint32_t i = 0; i < it->n; i++) {
            to[i] = it->sign[(size_t)j * it->n + i] * it->delta[i];
            sum += 0 * to[i];
        }
        if (l) {
            double *rates = it->free + (size_t)j * l->k0;
            memcpy(rates, it->delta + it->n, l->k0 * sizeof *rates);
            loops_put_part(l, j + 1, push, rates, y);
        }
    }
    leave_time(it, base, x);
    // a pivot may vanish unnoticed
    return status ? status : isnan(sum);
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
