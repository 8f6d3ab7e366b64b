/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_adjoint.h"
#include "stage_adjoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct LoopAdjoint {
    const RungAdjoint *a;
    uint32_t n, m, k, s; /* states, constraints, free accelerations, both */
    size_t n_rest;
    double *memory;
    double *out;           /* of a product             */
    double *xdot, *w, *to; /* n                       */
    double *y, *z;         /* s                        */
    double *c, *d;         /* m                        */
    double *entry;         /* of phi_x or phi_v        */
    double most;           /* the largest weight of an input that a product has had */
    StageAdjoint *stage;   /* NULL: none has been seen */
};

LoopAdjoint *loop_adjoint_new(const Problem *problem)
{
    const RungModel *model = problem->model;
    const RungLoops *l = model->loops;
    LoopAdjoint *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->a = model->adjoint;
    it->n = model->n_states;
    it->m = l->n_constraints;
    it->k = l->n_free;
    it->s = it->m + it->k;
    it->n_rest = it->a->n_kept + (size_t)it->a->n_shared;
    size_t n = it->n, s = it->s, m = it->m;
    size_t entries = l->phi_x_pattern.col_start[n], of_v = l->phi_v_pattern.col_start[n];
    double *at = it->memory = calloc(
        4 * n + it->n_rest + 3 * s + 2 * m + (entries > of_v ? entries : of_v) + 1, sizeof *at);
    if (!at) {
        free(it);
        return NULL;
    }
    it->out = at;
    it->xdot = (at += n + it->n_rest + s);
    it->w = (at += n);
    it->to = (at += n);
    it->y = (at += n);
    it->z = (at += s);
    it->c = (at += s);
    it->d = (at += m);
    it->entry = at + m;
    return it;
}

void loop_adjoint_free(LoopAdjoint *it)
{
    if (!it)
        return;
    stage_adjoint_free(it->stage);
    free(it->memory);
    free(it);
}

/* The place of the constraints' weights; those of the states are the first. */
static double *weights(const LoopAdjoint *it, const Problem *problem)
{
    return problem->ctx->u + it->a->first;
}

static double *loop_weights(const LoopAdjoint *it, const Problem *problem)
{
    return weights(it, problem) + it->n + it->a->n_objectives;
}

typedef int (*Product)(RungContext *ctx, double t, const double *x, double *out);

static int evaluate(Problem *problem, Product product, double t, const double *x, double *out)
{
    problem_refresh(problem, t, x);
    return product(problem->ctx, t, x, out) ? problem_fail(problem, "the model cannot be evaluated")
                                            : 0;
}

static double largest(size_t n, const double *v)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(v[i]) <= most))
            most = fabs(v[i]);
    return most;
}

int loop_adjoint_product(LoopAdjoint *it, Problem *problem, double t, const double *x, double *out)
{
    // redundant forces have no derivative; below ROUNDING the adjoint variables are rounding errors
    static const double OPEN = 1e-7, ROUNDING = 1e-12;
    Loops *loops = problem->loops;
    const double *by_input = out + it->n + it->n_rest;
    double *at = loop_weights(it, problem);
    int status = problem_xdot(problem, t, x, it->xdot);
    if (!status && loops->by_newton)
        status = loops_linearise(problem, t, x);
    if (status)
        return problem_fail(problem, "the accelerations cannot be evaluated");
    loops_apply(loops, problem->ctx);
    memset(at, 0, it->s * sizeof *at);
    status = evaluate(problem, it->a->product, t, x, out);
    double before = largest(it->s, by_input);
    it->most = fmax(it->most, before);
    if (status || before == 0)
        return status;
    for (uint32_t i = 0; i < it->s; i++)
        it->z[i] = -by_input[i];
    loops_solve_transposed(loops, it->z);
    memcpy(at, it->z, it->s * sizeof *at);
    status = evaluate(problem, it->a->product, t, x, out);
    if (!status && !(largest(it->s, by_input) <= fmax(OPEN * before, ROUNDING * it->most)))
        return problem_fail(problem,
                            "it depends on forces in redundant constraints, or the loops are in a "
                            "singular position (--mode direct)");
    return status;
}

/* With the weights w and a, b (NULL: zero) adds the product to bar and rest. */
static int add_product(LoopAdjoint *it, Problem *problem, Product product, double t,
                       const double *x, const double *w, const double *a, const double *b,
                       double *bar, double *rest)
{
    double *to = weights(it, problem), *of_loops = loop_weights(it, problem);
    memset(to, 0, it->n * sizeof *to);
    memset(of_loops, 0, it->s * sizeof *of_loops);
    if (w)
        memcpy(to, w, it->n * sizeof *w);
    memcpy(of_loops, a, it->m * sizeof *a);
    if (b)
        memcpy(of_loops + it->m, b, it->k * sizeof *b);
    int status = evaluate(problem, product, t, x, it->out);
    for (uint32_t c = 0; c < it->n; c++)
        bar[c] += it->out[c];
    for (size_t c = 0; c < it->n_rest; c++)
        rest[c] += it->out[it->n + c];
    return status;
}

static int impulse_back(LoopAdjoint *it, Problem *problem, double t, const double *x, double *bar,
                        double *rest)
{
    Loops *loops = problem->loops;
    const RungAdjointLoops *of = it->a->loops;
    uint32_t n = it->n;
    int status = loops_linearise(problem, t, x);
    status = status ? status : loops_impulse(problem, t, x, it->y);
    if (status)
        return problem_fail(problem, "a projection of velocities cannot be evaluated");
    loops_push_transposed(loops, bar, it->z);
    loops_solve_transposed(loops, it->z);
    memset(it->to, 0, n * sizeof *it->to);
    loops_push(loops, it->y, it->to);
    memcpy(it->w, bar, n * sizeof *bar);
    loops_hold_transposed(loops, it->z, it->w);
    for (uint32_t i = 0; i < it->s; i++)
        it->z[i] = -it->z[i];
    loops_put(loops, problem->ctx, it->y);
    memset(it->d, 0, it->m * sizeof *it->d);
    status = add_product(it, problem, of->push, t, x, it->w, it->d, it->z + it->m, bar, rest);
    status =
        status ? status : add_product(it, problem, of->dot, t, x, NULL, it->z, NULL, bar, rest);
    return status ? status
                  : add_product(it, problem, of->by_v, t, x, it->to, it->z, NULL, bar, rest);
}

/* to := A' c, without the states that are held. */
static void times_rows(const LoopAdjoint *it, const RungPattern *p, const uint8_t *held,
                       const double *c, double *to)
{
    for (uint32_t k = 0; k < it->n; k++) {
        to[k] = 0;
        for (uint32_t e = p->col_start[k]; e < p->col_start[k + 1] && !(held && held[k]); e++)
            to[k] += it->entry[e] * c[p->row[e]];
    }
}

static int smallest_back(LoopAdjoint *it, Problem *problem, double t, const LoopStep *step,
                         const double *x, double *bar, double *rest)
{
    enum { CORRECTIONS = 3 };
    Loops *loops = problem->loops;
    const RungLoops *l = loops->l;
    const RungAdjointLoops *of = it->a->loops;
    const uint8_t *held = step->holds ? l->held : NULL;
    bool of_positions = step->kind == LOOP_POSITIONS;
    const RungPattern *p = of_positions ? &l->phi_x_pattern : &l->phi_v_pattern;
    Normal *normal = of_positions ? loops->by_x : loops->by_v;
    problem_refresh(problem, t, x);
    int status = (of_positions ? l->phi : l->phi_dot)(problem->ctx, t, x, it->c);
    status = status ? status : (of_positions ? l->phi_x : l->phi_v)(problem->ctx, t, x, it->entry);
    if (status || !normal_factor(normal, it->entry, held, step->regular))
        return problem_fail(problem, "a projection cannot be evaluated");
    for (uint32_t i = 0; i < it->m; i++)
        it->c[i] = -it->c[i];
    normal_solve(normal, it->c);
    times_rows(it, p, held, it->c, it->to);
    // of the step that is shortened to a length
    double *w = it->w, along = 0;
    for (uint32_t k = 0; k < it->n; k++) {
        w[k] = held && held[k] ? 0 : step->share * bar[k];
        along += bar[k] * it->to[k];
    }
    if (step->share < 1)
        w[step->farthest] -= along * step->share / it->to[step->farthest];
    // the part of w across the constraints, but for the regular one's share of it
    memset(it->d, 0, it->m * sizeof *it->d);
    for (int round = 0; round < (step->is_last ? CORRECTIONS : 1); round++) {
        memset(it->z, 0, it->m * sizeof *it->z);
        for (uint32_t k = 0; k < it->n; k++)
            for (uint32_t e = p->col_start[k]; e < p->col_start[k + 1]; e++)
                it->z[p->row[e]] += it->entry[e] * w[k];
        normal_solve(normal, it->z);
        times_rows(it, p, held, it->z, it->xdot);
        for (uint32_t k = 0; k < it->n; k++)
            w[k] -= it->xdot[k];
        for (uint32_t i = 0; i < it->m; i++)
            it->d[i] -= it->z[i];
    }
    status = add_product(it, problem, of_positions ? of->stage : of->dot, t, x, NULL, it->d, NULL,
                         bar, rest);
    // of a step that is zero, A' c is
    if (status || step->is_last)
        return status;
    Product along_rows = of_positions ? of->by_x : of->by_v;
    status = add_product(it, problem, along_rows, t, x, w, it->c, NULL, bar, rest);
    return status ? status
                  : add_product(it, problem, along_rows, t, x, it->to, it->d, NULL, bar, rest);
}

static int stage_back(LoopAdjoint *it, Problem *problem, double t, const double *x, double gamma,
                      double *bar, double *rest)
{
    if (!it->stage)
        it->stage = stage_adjoint_new(problem);
    if (!it->stage)
        return problem_fail(problem, "out of memory");
    return stage_adjoint_back(it->stage, problem, (StagePoint){t, gamma, x, x + it->n}, bar, rest);
}

int loop_adjoint_back(LoopAdjoint *it, Problem *problem, double t, const LoopTrace *trace,
                      double gamma, double *bar, double *rest)
{
    int status = 0;
    for (size_t i = trace->n; i-- > 0 && !status;) {
        const LoopStep *step = &trace->step[i];
        const double *x = trace->number + step->at;
        if (step->kind == LOOP_STAGE)
            status = stage_back(it, problem, t, x, gamma, bar, rest);
        else if (step->kind == LOOP_IMPULSE)
            status = impulse_back(it, problem, t, x, bar, rest);
        else
            status = smallest_back(it, problem, t, step, x, bar, rest);
    }
    return status;
}
