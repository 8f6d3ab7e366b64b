/* SPDX-License-Identifier: BSD-3-Clause */
#include "integrator.h"

#include <math.h>

const char *run_blame(const Run *run)
{
    const Problem *problem = &run->problem;
    double near = 1e-6 * (run->stop - problem->piece_start);
    return *problem->blame && fabs(run->t - problem->blame_t) <= near ? problem->blame : NULL;
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
