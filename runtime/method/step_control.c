/* SPDX-License-Identifier: BSD-3-Clause */
#include "step_control.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

double step_first(Run *run, const StepControl *c, double span, double least, StepSize size,
                  const void *method, const double *xdot, double *x, double *f)
{
    if (!isnan(run->step))
        return fmin(run->step, span);
    double size_x = fmax(size(method, run->x), least), size_f = size(method, xdot);
    double h = size_f < 1e-5 ? 1e-6 : 0.01 * size_x / size_f;
    h = fmin(h, span);
    for (int attempt = 0; attempt < 30; attempt++, h /= 10) {
        for (uint32_t i = 0; i < run->problem.n; i++)
            x[i] = run->x[i] + h * xdot[i];
        if (problem_xdot(&run->problem, run->t + h, x, f))
            continue;
        for (uint32_t i = 0; i < run->problem.n; i++)
            f[i] -= xdot[i];
        double bound = fmax(size(method, f) / h, size_f);
        double h1 = bound <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / bound, 1. / c->order);
        return fmin(fmin(100 * h, h1), span);
    }
    return h;
}

double step_shorter(const StepControl *c, double h, bool failed, double err, double most)
{
    return h * (failed || !isfinite(err) ? 0.25 : fmax(0.1, 0.9 * pow(err / most, -1. / c->order)));
}

double step_least(const Run *run)
{
    return 4 * DBL_EPSILON * fabs(run->t);
}

double step_bounded(const Run *run, double h, double before)
{
    const double least = step_least(run);
    return before > least ? fmax(h, least) : h;
}

double step_growth(StepControl *c, double err, bool rejected)
{
    double grow = 0.9 * pow(fmax(err, 1e-10), -c->proportional) * pow(c->last_error, c->integral);
    c->last_error = fmax(err, 1e-4);
    return fmin(fmax(grow, 0.2), rejected ? 1 : c->growth);
}

void step_too_small(Run *run, uint32_t n, double (*error)(const void *method, uint32_t i),
                    const void *method)
{
    uint32_t worst = 0;
    double most = -1;
    for (uint32_t i = 0; i < n; i++) {
        double e = error(method, i);
        if (e > most) {
            most = e;
            worst = i;
        }
    }
    snprintf(run->problem.why, sizeof run->problem.why,
             "the step became too small; the error of '%s' is %.3g times what the tolerance "
             "allows (a singularity, or a tolerance below rounding)",
             n ? problem_state_name(&run->problem, worst) : "", most);
}
