/* SPDX-License-Identifier: BSD-3-Clause */
#include "discrete_adjoint.h"
#include "iteration_matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the recorded run ---- */

enum { TIMES = 2 + TAPE_STAGES };

bool tape_open(Tape *it, uint32_t n_states, size_t bytes)
{
    *it = (Tape){.n_states = n_states, .bytes = bytes};
    it->now = calloc((size_t)TAPE_STAGES * n_states + 1, sizeof *it->now);
    it->x_start = calloc(n_states + (size_t)1, sizeof *it->x_start);
    return it->now && it->x_start;
}

void tape_close(Tape *it)
{
    free(it->time);
    free(it->x);
    free(it->now);
    free(it->x_start);
    *it = (Tape){0};
}

void tape_stage(Tape *it, uint32_t stage, double t, const double *x)
{
    if (!it)
        return;
    it->t_now[stage] = t;
    memcpy(it->now + (size_t)stage * it->n_states, x, it->n_states * sizeof *x);
}

static size_t step_size(const Tape *it)
{
    return (it->formula.n + (size_t)1) * it->n_states;
}

/* The end of step k; where the run begins for k = -1, as k is one more. */
static const double *end_of(const Tape *it, size_t k)
{
    return k ? it->x + (k - 1) * step_size(it) + (size_t)it->formula.n * it->n_states : it->x_start;
}

static bool make_room(Tape *it)
{
    if (it->n < it->most)
        return true;
    size_t most = it->most ? 2 * it->most : 64, size = step_size(it);
    if (most * (size + TIMES) * sizeof(double) > it->bytes)
        return false;
    double *time = realloc(it->time, most * TIMES * sizeof *time);
    it->time = time ? time : it->time;
    double *x = realloc(it->x, (most * size + 1) * sizeof *x);
    it->x = x ? x : it->x;
    if (!time || !x)
        return false;
    it->most = most;
    return true;
}

int tape_step(Tape *it, Run *run, const TapeFormula *formula, double t_old, double h,
              const double *x_old, double t, const double *x)
{
    if (!it)
        return 0;
    uint32_t n = it->n_states;
    if (!it->formula.n) {
        it->formula = *formula;
        it->t_start = t_old;
        memcpy(it->x_start, x_old, n * sizeof *x);
    }
    const char *wrong = NULL;
    if (memcmp(&it->formula, formula, sizeof *formula) != 0)
        wrong = "another method takes over";
    else if (t_old != (it->n ? it->time[(it->n - 1) * TIMES + 1] : it->t_start) ||
             memcmp(x_old, end_of(it, it->n), n * sizeof *x) != 0)
        wrong = "the run goes on from where no step has ended";
    else if (!make_room(it))
        wrong = "its steps take more memory than there is";
    if (wrong) {
        snprintf(run->problem.why, sizeof run->problem.why, "no adjoint: %s (--mode direct)",
                 wrong);
        return 1;
    }
    double *time = it->time + it->n * TIMES, *to = it->x + it->n * step_size(it);
    time[0] = h;
    time[1] = t;
    memcpy(time + 2, it->t_now, sizeof it->t_now);
    memcpy(to, it->now, (size_t)formula->n * n * sizeof *to);
    memcpy(to + (size_t)formula->n * n, x, n * sizeof *to);
    it->n++;
    return 0;
}

/* ---- backwards ---- */

typedef struct Sweep {
    Run *run;
    const RungAdjoint *a;
    IterationMatrix matrix;
    bool has_matrix, is_factored;
    double gamma, t_matrix; /* as factored; where J is of */
    uint32_t n;
    double *out;        /* of the product */
    double *l, *shared; /* per objective */
    double *s, *m, *r;  /* per stage; one stage each */
} Sweep;

static bool sweep_open(Sweep *it, Run *run)
{
    const RungModel *model = run->problem.model;
    const RungAdjoint *a = model->adjoint;
    *it = (Sweep){.run = run, .a = a, .n = model->n_states};
    size_t n = it->n, of = a->n_objectives;
    it->out = calloc(n + a->n_shared + 1, sizeof(double));
    it->l = calloc(of * n + 1, sizeof(double));
    it->shared = calloc(of * a->n_shared + 1, sizeof(double));
    it->s = calloc((TAPE_STAGES + 1) * n + 1, sizeof(double));
    it->m = calloc(n + 1, sizeof(double));
    it->r = calloc(n + 1, sizeof(double));
    return it->out && it->l && it->shared && it->s && it->m && it->r;
}

static void sweep_close(Sweep *it)
{
    free(it->out);
    free(it->l);
    free(it->shared);
    free(it->s);
    free(it->m);
    free(it->r);
    if (it->has_matrix)
        iteration_matrix_close(&it->matrix);
}

static int fail(Sweep *it, double t, const char *why)
{
    snprintf(it->run->problem.why, sizeof it->run->problem.why, "no adjoint at t = %.9g: %s", t,
             why);
    return 1;
}

/* it->out := the product with the weights of the states; of objective k alone if w is NULL. */
static int multiply(Sweep *it, double t, const double *x, const double *w, uint32_t k)
{
    const RungAdjoint *a = it->a;
    RungContext *ctx = it->run->problem.ctx;
    double *u = ctx->u + a->first;
    memset(u, 0, a->n_inputs * sizeof *u);
    if (w)
        memcpy(u, w, it->n * sizeof *u);
    else
        u[it->n + k] = 1;
    problem_refresh(&it->run->problem, t, x);
    if (a->product(ctx, t, x, it->out))
        return fail(it, t, "the model cannot be evaluated");
    return 0;
}

/* Of the iteration, of the right-hand side. */
static double largest(uint32_t n, const double *v)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(v[i]) <= most))
            most = fabs(v[i]);
    return most;
}

/* The matrix of stages with this gamma, of J at (t, x) if that is to be another one. */
static int renew(Sweep *it, double t, const double *x, double gamma, bool with_jacobian)
{
    Problem *p = &it->run->problem;
    if (!it->has_matrix && !iteration_matrix_open(&it->matrix, p, it->n))
        return fail(it, t, "out of memory");
    it->has_matrix = true;
    it->is_factored = (!with_jacobian || !iteration_matrix_renew(&it->matrix, p, t, x)) &&
                      iteration_matrix_factor(&it->matrix, p, gamma);
    it->gamma = gamma;
    it->t_matrix = with_jacobian ? t : it->t_matrix;
    return it->is_factored ? 0 : fail(it, t, "its matrix is singular");
}

/* it->m of (1 - gamma f_x)' m = r, it->out with it. */
static int solve(Sweep *it, double t, const double *x, double gamma, const double *r)
{
    enum { ROUNDS = 40 };
    static const double CLOSE = 1e-15;
    // a rate of convergence that requires another J; steps of another length, for other factors
    static const double STALE = 0.01, OTHER = 0.02;
    uint32_t n = it->n;
    double size = largest(n, r), *left = it->r, before = INFINITY;
    int status = 0;
    if (!it->is_factored || fabs(gamma - it->gamma) > OTHER * gamma)
        status = renew(it, t, x, gamma, !it->is_factored);
    memset(it->m, 0, n * sizeof *it->m);
    memcpy(left, r, n * sizeof *left);
    for (int round = 0; round < ROUNDS && !status; round++) {
        iteration_matrix_solve_transposed(&it->matrix, left);
        for (uint32_t i = 0; i < n; i++)
            it->m[i] += left[i];
        status = multiply(it, t, x, it->m, 0);
        for (uint32_t i = 0; i < n; i++)
            left[i] = r[i] + gamma * it->out[i] - it->m[i];
        double now = largest(n, left), scale = size + largest(n, it->m);
        if (!isfinite(now))
            return status ? status : fail(it, t, "a derivative is not finite");
        // the last digits go up and down
        if (now <= CLOSE * scale || (now >= before / 2 && now <= 1e2 * CLOSE * scale))
            return status;
        if (now > STALE * before && it->t_matrix != t)
            status = status ? status : renew(it, t, x, gamma, true);
        before = now;
    }
    return status ? status : fail(it, t, "the equations of an implicit stage are not solved");
}

/* Step k backwards, for one objective. */
static int step_back(Sweep *it, const Tape *tape, size_t k, double *l, double *shared)
{
    const TapeFormula *f = &tape->formula;
    uint32_t n = it->n;
    const double *time = tape->time + k * TIMES, *x = tape->x + k * step_size(tape);
    double h = time[0], *r = it->s + (size_t)TAPE_STAGES * n; // behind those of the stages
    for (uint32_t i = f->n; i-- > 0;) {
        bool any = false;
        for (uint32_t c = 0; c < n; c++) {
            double sum = f->b[i] * l[c];
            for (uint32_t j = i + 1; j < f->n; j++)
                sum += f->a[j][i] * it->s[(size_t)j * n + c];
            r[c] = h * sum;
            any = any || r[c] != 0;
        }
        double *s = it->s + (size_t)i * n, gamma = h * f->a[i][i];
        memset(s, 0, n * sizeof *s);
        if (!any)
            continue;
        const double *at = x + (size_t)i * n;
        int status =
            gamma == 0 ? multiply(it, time[2 + i], at, r, 0) : solve(it, time[2 + i], at, gamma, r);
        if (status)
            return status;
        memcpy(s, it->out, n * sizeof *s);
        for (uint32_t c = 0; c < it->a->n_shared; c++)
            shared[c] += it->out[n + c];
    }
    for (uint32_t i = 0; i < f->n; i++)
        for (uint32_t c = 0; c < n; c++)
            l[c] += it->s[(size_t)i * n + c];
    return 0;
}

/* The derivatives by the parameters, from those by the states at the start and by shared values. */
static int finish(Sweep *it, const Tape *tape, uint32_t k, double *gradient)
{
    const RungAdjoint *a = it->a;
    RungContext *ctx = it->run->problem.ctx;
    double *u = ctx->u + a->first;
    memset(u, 0, a->n_inputs * sizeof *u);
    memcpy(u, it->l + (size_t)k * it->n, it->n * sizeof *u);
    u += it->n + a->n_objectives;
    memcpy(u, it->shared + (size_t)k * a->n_shared, a->n_shared * sizeof *u);
    u += a->n_shared;
    for (uint32_t i = 0; i < a->n_dependent; i++)
        u[i] = !ctx->is_set[a->dependent[i]];
    problem_refresh(&it->run->problem, tape->t_start, tape->x_start);
    if (a->by_parameter(ctx, tape->t_start, tape->x_start, gradient))
        return fail(it, tape->t_start, "the start cannot be evaluated");
    for (uint32_t i = 0; i < a->n; i++)
        if (!isfinite(gradient[i])) {
            snprintf(it->run->problem.why, sizeof it->run->problem.why,
                     "the derivative by '%s' is not finite", a->name[i]);
            return 1;
        }
    return 0;
}

int adjoint_sweep(const Tape *tape, Run *run, double *gradient)
{
    const RungAdjoint *a = run->problem.model->adjoint;
    Sweep it;
    int status = 0;
    if (!sweep_open(&it, run)) {
        sweep_close(&it);
        snprintf(run->problem.why, sizeof run->problem.why, "out of memory");
        return 1;
    }
    size_t n_steps = tape->n;
    double t_end = n_steps ? tape->time[(n_steps - 1) * TIMES + 1] : run->t;
    const double *x_end = n_steps ? end_of(tape, n_steps) : run->x;
    for (uint32_t k = 0; k < a->n_objectives && !status; k++) {
        status = multiply(&it, t_end, x_end, NULL, k);
        memcpy(it.l + (size_t)k * it.n, it.out, it.n * sizeof *it.l);
        memcpy(it.shared + (size_t)k * a->n_shared, it.out + it.n, a->n_shared * sizeof *it.l);
    }
    // all objectives of a step: they share its matrix
    for (size_t i = n_steps; i-- > 0 && !status;)
        for (uint32_t k = 0; k < a->n_objectives && !status; k++)
            status = step_back(&it, tape, i, it.l + (size_t)k * it.n,
                               it.shared + (size_t)k * a->n_shared);
    for (uint32_t k = 0; k < a->n_objectives && !status; k++)
        status = finish(&it, tape, k, gradient + (size_t)k * a->n);
    sweep_close(&it);
    return status;
}
