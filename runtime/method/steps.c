/* SPDX-License-Identifier: BSD-3-Clause */
#include "steps.h"
#include "rung_hermite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void steps_close(Steps *it)
{
    free(it->x_old);
    free(it->y_old);
    free(it->f_older);
}

bool steps_open(Steps *it, Run *run)
{
    size_t n = run->problem.n + (size_t)1;
    *it = (Steps){.n = run->problem.n};
    it->n_y = run->problem.loops ? run->problem.loops->m + run->problem.loops->k : 0;
    it->x_old = calloc(4 * n, sizeof *it->x_old);
    it->y_old = calloc(2 * (size_t)it->n_y + 1, sizeof *it->y_old);
    it->n_own = problem_own_states(&run->problem);
    // the less is left to the last iteration, the sooner its matrix serves derivatives by
    // parameters
    if (it->n_own < it->n)
        it->f_older = calloc(it->n_own + (size_t)1, sizeof *it->f_older);
    if (!it->x_old || !it->y_old || (it->n_own < it->n && !it->f_older)) {
        steps_close(it);
        return false;
    }
    it->f_old = it->x_old + n;
    it->f = it->x_old + 2 * n;
    it->x = it->x_old + 3 * n;
    it->y = it->y_old + it->n_y;
    return true;
}

int steps_start(Steps *it, Run *run)
{
    int status = problem_xdot(&run->problem, run->t, run->x, it->f);
    if (status)
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
    if (run->problem.loops)
        memcpy(it->y, run->problem.loops->y, it->n_y * sizeof *it->y);
    return status;
}

double steps_next(const Steps *it, const Run *run)
{
    double t = run->problem.piece_start + (double)(it->count + 1) * run->step;
    // no last step of a rounding error's length
    return t > run->stop - 1e-9 * run->step ? run->stop : t;
}

void steps_predict(const Steps *it, const Run *run, double h, double *x)
{
    double before = it->count > 0 ? run->t - it->t_old : 0;
    double share = before > 0 ? 0.5 * h / before : 0;
    // derivatives by parameters follow from the solution
    for (uint32_t i = 0; i < (it->f_older ? it->n_own : it->n); i++)
        x[i] = run->x[i] + h * (it->f[i] + share * (it->f[i] - it->f_old[i]));
    if (!it->f_older || it->kept < 2 || before <= 0)
        return;
    double earlier = it->t_old - it->t_older, both = before + earlier;
    double weight = h / 2 * h * (h + before) / both;
    for (uint32_t i = 0; i < it->n_own; i++)
        x[i] += weight *
                ((it->f[i] - it->f_old[i]) / before - (it->f_old[i] - it->f_older[i]) / earlier);
}

void steps_keep(Steps *it, Run *run)
{
    if (it->f_older) {
        memcpy(it->f_older, it->f_old, it->n_own * sizeof *it->f);
        it->t_older = it->t_old;
        it->kept += it->kept < 2;
    }
    memcpy(it->x_old, run->x, it->n * sizeof *it->x);
    memcpy(it->f_old, it->f, it->n * sizeof *it->f);
    memcpy(it->y_old, it->y, it->n_y * sizeof *it->y);
    it->t_old = run->t;
}

int steps_done(Steps *it, Run *run, double t)
{
    memcpy(run->x, it->x, it->n * sizeof *it->x);
    it->count += t >= steps_next(it, run);
    run->t = t;
    if (!run->problem.loops)
        return 0;
    memcpy(run->problem.loops->y, it->y, it->n_y * sizeof *it->y);
    loops_apply(run->problem.loops, run->problem.ctx);
    return 0;
}

void steps_at(const Steps *it, const Run *run, double t, double *x)
{
    double h = run->t - it->t_old, s = (t - it->t_old) / h, r = 1 - s;
    for (uint32_t i = 0; i < it->n; i++)
        x[i] = rung_hermite(h, s, it->x_old[i], it->f_old[i], run->x[i], it->f[i]);
    if (!run->problem.loops)
        return;
    for (uint32_t i = 0; i < it->n_y; i++)
        run->problem.loops->y[i] = r * it->y_old[i] + s * it->y[i];
    loops_apply(run->problem.loops, run->problem.ctx);
}
