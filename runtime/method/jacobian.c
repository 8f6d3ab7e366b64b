/* SPDX-License-Identifier: BSD-3-Clause */
#include "jacobian.h"
#include "context.h"
#include "delay.h"
#include "loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool jacobian_is_sparse(const Problem *problem)
{
    return problem->model->jacobian && problem->jacobian != JACOBIAN_DENSE &&
           !delays_any_zero(problem->delays);
}

bool jacobian_in_newton_step(const Problem *problem)
{
    return problem->model->newton && problem->model->newton->step &&
           problem->jacobian == JACOBIAN_ANALYTIC && !delays_any_zero(problem->delays);
}

size_t jacobian_work(const Problem *problem)
{
    const RungJacobian *j = problem->model->jacobian;
    return j ? 2 * (size_t)j->pattern.n_rows + j->pattern.n_cols + 1 : 1;
}

static int evaluate(Problem *problem, double t, const double *x, const double *y, double *f)
{
    return problem->loops ? loops_g(problem, t, x, y, f) : problem_xdot(problem, t, x, f);
}

int jacobian_beside(Problem *problem, double t, const double *x, const double *y, double *moved,
                    double *f)
{
    context_keep_branches(problem->ctx);
    int status = evaluate(problem, t, moved, y, f);
    if (status || !context_has_left_branch(problem->ctx))
        return status;
    for (uint32_t c = 0; c < problem->n; c++)
        moved[c] = x[c] - (moved[c] - x[c]);
    return evaluate(problem, t, moved, y, f);
}

/* Evaluations survive a vanishing pivot (fallback.h). */
static int jacobian_differences(Problem *problem, double t, const double *x, const double *y,
                                double *entry, double *work)
{
    const RungPattern *p = &problem->model->jacobian->pattern;
    uint32_t n = p->n_cols;
    double *f = work, *g = work + p->n_rows, *moved = g + p->n_rows;
    int status = evaluate(problem, t, x, y, f);
    for (uint32_t k = 0; k < p->n_colours && !status; k++) {
        memcpy(moved, x, n * sizeof *x);
        for (uint32_t c = 0; c < n; c++)
            if (p->colour[c] == k)
                moved[c] += sqrt(DBL_EPSILON) * fmax(fabs(x[c]), problem->model->nominal[c]);
        status = jacobian_beside(problem, t, x, y, moved, g);
        for (uint32_t c = 0; c < n && !status; c++)
            for (uint32_t e = p->col_start[c]; p->colour[c] == k && e < p->col_start[c + 1]; e++)
                entry[e] = (g[p->row[e]] - f[p->row[e]]) / (moved[c] - x[c]);
    }
    return status;
}

static bool are_finite(const RungJacobian *j, const double *entry)
{
    for (uint32_t e = 0; e < j->pattern.col_start[j->pattern.n_cols]; e++)
        if (!isfinite(entry[e]))
            return false;
    return true;
}

static int find_entries(Problem *problem, double t, const double *x, const double *y, double *entry,
                        double *work)
{
    if (problem->jacobian != JACOBIAN_ANALYTIC || !problem->model->jacobian->entries)
        return jacobian_differences(problem, t, x, y, entry, work);
    if (problem->loops)
        loops_put(problem->loops, problem->ctx, y);
    int own = problem->model->jacobian->entries(problem->ctx, t, x, entry);
    if (own < 0 || (own == 0 && are_finite(problem->model->jacobian, entry)))
        return own;
    return jacobian_differences(problem, t, x, y, entry, work);
}

int jacobian_entries(Problem *problem, double t, const double *x, const double *y, double *entry,
                     double *work)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_JACOBIAN);
    int status = find_entries(problem, t, x, y, entry, work);
    profile_leave(problem->profile, before);
    return status;
}
