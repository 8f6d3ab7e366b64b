/* SPDX-License-Identifier: BSD-3-Clause */
#include "stage_adjoint.h"
#include "factor.h"
#include "jacobian.h"
#include "loops.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct StageAdjoint {
    const RungAdjoint *a;
    uint32_t n, m, k, s; /* states, constraints, free accelerations, both */
    uint32_t all;        /* n + s */
    size_t n_rest;
    bool is_factored;
    double gamma, t;  /* as factored; where the Jacobian is of */
    double *memory;   /* of all arrays                                    */
    double *jacobian; /* (n + k) x n by columns: xdot and balances        */
    double *entry;    /* in the pattern of the model                      */
    double *of_phi;   /* entries of phi_x                                 */
    double held;      /* the largest of these                             */
    double pushed;    /* the largest of g                                 */
    double *g;        /* (n + k) x s by columns: as loops_inputs          */
    double *diagonal; /* m                                                */
    double *work;     /* of jacobian_entries, or of differences           */
    double *z, *left; /* n + s                                            */
    double *out;      /* of a product                                     */
    Factor lu;
};

StageAdjoint *stage_adjoint_new(const Problem *problem)
{
    const RungModel *model = problem->model;
    const RungLoops *l = model->loops;
    StageAdjoint *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->a = model->adjoint;
    it->n = model->n_states;
    it->m = l->n_constraints;
    it->k = l->n_free;
    it->s = it->m + it->k;
    it->all = it->n + it->s;
    it->n_rest = it->a->n_kept + (size_t)it->a->n_shared;
    size_t n = it->n, s = it->s, rows = n + it->k;
    const RungPattern *p = jacobian_is_sparse(problem) ? &model->jacobian->pattern : NULL;
    size_t work = jacobian_work(problem), differences = 2 * rows + n;
    size_t sizes[] = {rows * n,
                      p ? p->col_start[n] : 0,
                      l->phi_x_pattern.col_start[n],
                      rows * s,
                      it->m,
                      work > differences ? work : differences,
                      it->all,
                      it->all,
                      it->all + it->n_rest};
    double **to[] = {&it->jacobian, &it->entry, &it->of_phi, &it->g,  &it->diagonal,
                     &it->work,     &it->z,     &it->left,   &it->out};
    size_t sum = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        sum += sizes[i];
    double *at = it->memory = calloc(sum + 1, sizeof *at);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && at; i++) {
        *to[i] = at;
        at += sizes[i];
    }
    if (!at || !factor_open(&it->lu, it->all, NULL, NULL)) {
        free(it->memory);
        free(it);
        return NULL;
    }
    return it;
}

void stage_adjoint_free(StageAdjoint *it)
{
    if (!it)
        return;
    factor_close(&it->lu);
    free(it->memory);
    free(it);
}

static double largest(size_t n, const double *v)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(v[i]) <= most))
            most = fabs(v[i]);
    return most;
}

/* it->jacobian, by columns. */
static int find_jacobian(StageAdjoint *it, Problem *problem, const StagePoint *at)
{
    uint32_t n = it->n, rows = n + it->k;
    problem_refresh(problem, at->t, at->x);
    if (jacobian_is_sparse(problem)) {
        const RungPattern *p = &problem->model->jacobian->pattern;
        int status = jacobian_entries(problem, at->t, at->x, at->y, it->entry, it->work);
        memset(it->jacobian, 0, (size_t)rows * n * sizeof *it->jacobian);
        for (uint32_t c = 0; c < n; c++)
            for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
                it->jacobian[p->row[e] + (size_t)c * rows] = it->entry[e];
        return status;
    }
    double *f = it->work, *beside = f + rows, *moved = beside + rows;
    memcpy(moved, at->x, n * sizeof *moved);
    int status = loops_g(problem, at->t, at->x, at->y, f);
    for (uint32_t c = 0; c < n && !status; c++) {
        moved[c] += sqrt(DBL_EPSILON) * fmax(fabs(moved[c]), problem->model->nominal[c]);
        status = jacobian_beside(problem, at->t, at->x, at->y, moved, beside);
        for (uint32_t r = 0; r < rows; r++)
            it->jacobian[r + (size_t)c * rows] = (beside[r] - f[r]) / (moved[c] - at->x[c]);
        memcpy(moved, at->x, n * sizeof *moved);
    }
    return status;
}

/* Evaluates the blocks of K. */
static int renew(StageAdjoint *it, Problem *problem, const StagePoint *at)
{
    int status = loops_linearise(problem, at->t, at->x);
    if (!status) {
        loops_inputs(problem->loops, it->g);
        loops_diagonal(problem->loops, it->diagonal);
    }
    status = status ? status : find_jacobian(it, problem, at);
    status = status ? status : problem->loops->l->phi_x(problem->ctx, at->t, at->x, it->of_phi);
    it->held = largest(problem->loops->l->phi_x_pattern.col_start[it->n], it->of_phi);
    it->pushed = largest((size_t)(it->n + it->k) * it->s, it->g);
    it->t = at->t;
    return status;
}

static bool factor(StageAdjoint *it, const Problem *problem, double gamma)
{
    // two corrections remove its effect; weights of redundant constraints are rounding errors over
    // it
    static const double REGULAR = 1e-7;
    uint32_t n = it->n, m = it->m, rows = n + it->k, all = it->all;
    const RungPattern *p = &problem->loops->l->phi_x_pattern;
    double *to = factor_matrix(&it->lu), most = largest(m, it->diagonal);
    memset(to, 0, (size_t)all * all * sizeof *to);
    for (uint32_t c = 0; c < n; c++) {
        double *column = to + (size_t)c * all;
        const double *from = it->jacobian + (size_t)c * rows;
        for (uint32_t r = 0; r < n; r++)
            column[r] = (r == c) - gamma * from[r];
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            column[n + p->row[e]] = -it->of_phi[e];
        for (uint32_t r = 0; r < it->k; r++)
            column[n + m + r] = -from[n + r];
    }
    for (uint32_t j = 0; j < it->s; j++) {
        double *column = to + (size_t)(n + j) * all;
        const double *from = it->g + (size_t)j * rows;
        for (uint32_t r = 0; r < n; r++)
            column[r] = -gamma * from[r];
        for (uint32_t r = 0; r < it->k; r++)
            column[n + m + r] = -from[n + r];
        if (j < m)
            column[n + j] = -copysign(REGULAR * gamma * gamma * (most > 0 ? most : 1),
                                      it->diagonal[j] != 0 ? it->diagonal[j] : 1);
    }
    it->gamma = gamma;
    return factor_make(&it->lu);
}

/* The residuals of the transposed equations at the present z. */
static int find_left(StageAdjoint *it, Problem *problem, const StagePoint *at, const double *bar)
{
    const RungAdjoint *a = it->a;
    uint32_t n = it->n;
    double *u = problem->ctx->u + a->first;
    loops_put(problem->loops, problem->ctx, at->y);
    for (uint32_t c = 0; c < n; c++)
        u[c] = at->gamma * it->z[c];
    memcpy(u + n + a->n_objectives, it->z + n, it->s * sizeof *u);
    problem_refresh(problem, at->t, at->x);
    if (a->loops->stage(problem->ctx, at->t, at->x, it->out))
        return problem_fail(problem, "the model cannot be evaluated");
    const double *by_input = it->out + n + it->n_rest;
    for (uint32_t c = 0; c < n; c++)
        it->left[c] = bar[c] - it->z[c] + it->out[c];
    memcpy(it->left + n, by_input, it->s * sizeof *by_input);
    return 0;
}

static int prepare(StageAdjoint *it, Problem *problem, const StagePoint *at, bool again)
{
    int status = again ? renew(it, problem, at) : 0;
    it->is_factored = !status && factor(it, problem, at->gamma);
    return it->is_factored ? 0
                           : problem_fail(problem, "the matrix of an implicit stage is singular");
}

int stage_adjoint_back(StageAdjoint *it, Problem *problem, StagePoint at, double *bar, double *rest)
{
    enum { ROUNDS = 40 };
    // as of stages without loops (discrete_adjoint.c)
    static const double CLOSE = 1e-15, ROUNDING = 1e-14, STALE = 0.01, OTHER = 0.02;
    uint32_t n = it->n;
    double size = largest(n, bar), before = INFINITY;
    int status = 0;
    memset(it->z, 0, it->all * sizeof *it->z);
    if (!it->is_factored || fabs(at.gamma - it->gamma) > OTHER * at.gamma)
        status = prepare(it, problem, &at, !it->is_factored);
    memcpy(it->left, bar, n * sizeof *bar);
    memset(it->left + n, 0, it->s * sizeof *it->left);
    for (int round = 0; round < ROUNDS && !status; round++) {
        factor_solve_transposed(&it->lu, it->left);
        for (uint32_t i = 0; i < it->all; i++)
            it->z[i] += it->left[i];
        double moved = largest(n, it->left), scale = size + largest(n, it->z);
        double terms = scale + it->held * largest(it->m, it->z + n);
        status = find_left(it, problem, &at, bar);
        double left = largest(n, it->left), forces = largest(it->s, it->left + n);
        if (status || !isfinite(moved + left + forces))
            return status ? status : problem_fail(problem, "a derivative is not finite");
        bool holds = left <= ROUNDING * terms && forces <= ROUNDING * at.gamma * it->pushed * scale;
        // the rounding of velocities over gamma moves positions, no further round takes that away
        if (moved <= CLOSE * scale || (holds && moved >= before / 2)) {
            memcpy(bar, it->z, n * sizeof *bar);
            for (size_t c = 0; c < it->n_rest; c++)
                rest[c] += it->out[n + c];
            return 0;
        }
        if (round > 0 && moved > STALE * before && it->t != at.t)
            status = prepare(it, problem, &at, true);
        before = moved;
    }
    return status ? status
                  : problem_fail(problem, "the equations of an implicit stage are not solved");
}
