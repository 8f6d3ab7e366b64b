/* SPDX-License-Identifier: BSD-3-Clause */
#include "integrator.h"

#include <math.h>

const char *run_last_failure(const Run *run)
{
    const Problem *problem = &run->problem;
    double near = 1e-6 * (run->stop - problem->piece_start);
    return *problem->failure && fabs(run->t - problem->failure_t) <= near ? problem->failure : NULL;
}

static void at(const Interpolant *it, double t, double *x)
{
    const Inside *inside = (const Inside *)it;
    inside->method->at(inside->self, inside->run, t, x);
}

Inside inside_of(const Run *run, const Integrator *method, void *self)
{
    return (Inside){{at}, run, method, self};
}
