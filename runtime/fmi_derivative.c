/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi_derivative.c -- directional and adjoint derivatives (FMI 2.0, 2.1.9; FMI 3.0, 2.2.11):
 * products with the model's linearisation and its transpose. Unknowns are derivatives of states and
 * outputs, knowns are states and inputs.
 */
#include "fmi_instance.h"
#include "linearise.h"

#include <stdlib.h>
#include <string.h>

/* Room of both products. */
typedef struct Vectors {
    double *all, *x, *u, *xdot, *y;
} Vectors;

static bool prepare(FmiInstance *it, Vectors *v)
{
    const RungModel *m = it->model;
    const RungLinearisation *l = m->linearisation;
    size_t n = m->n_states;
    *v = (Vectors){0};
    if (!l || m->loops) {
        it->log(it, FMI_ERROR, "logStatusError", "the FMU has no directional derivatives");
        return false;
    }
    v->all = calloc(2 * n + l->n_inputs + l->n_outputs + 1, sizeof *v->all);
    if (!v->all)
        return false;
    v->x = v->all;
    v->xdot = v->x + n;
    v->u = v->xdot + n;
    v->y = v->u + l->n_inputs;
    if (it->mode == FMI_INITIALIZATION && fmi_initialise(it))
        return false;
    if (!it->linear)
        it->linear = linearise_new(it->run.ctx);
    if (!it->linear)
        return false;
    if (it->has_linear)
        return true;
    delays_refresh(it->run.delays, it->run.ctx, it->run.t, it->run.x);
    it->has_linear = !linearise_at(it->linear, it->run.t, it->run.x);
    if (!it->has_linear)
        it->log(it, FMI_DISCARD, "logStatusDiscard", "the derivatives do not exist here");
    return it->has_linear;
}

/* Where the number of a known is. */
static double *known_at(const FmiInstance *it, const Vectors *v, uint32_t r)
{
    const RungModel *m = it->model;
    const RungLinearisation *l = m->linearisation;
    if (r == 0 || r > m->n_variables)
        return NULL;
    const RungVariable row = rung_variable(m, r - 1);
    if (row.place == RUNG_IN_STATES && m->state[row.index] == r - 1)
        return &v->x[row.index];
    for (uint32_t k = 0; row.place == RUNG_IN_INPUTS && !row.negated && k < l->n_inputs; k++)
        if (l->input[k] == row.index)
            return &v->u[k];
    return NULL;
}

/* near: a place among the derivatives where it may be. */
static double *unknown_at(const FmiInstance *it, const Vectors *v, uint32_t r, size_t near)
{
    const RungModel *m = it->model;
    const RungLinearisation *l = m->linearisation;
    if (near < fmi_config.n_derivatives && fmi_config.derivative[near] == r)
        return &v->xdot[near];
    for (uint32_t k = 0; k < fmi_config.n_derivatives; k++)
        if (fmi_config.derivative[k] == r)
            return &v->xdot[k];
    for (uint32_t k = 0; k < l->n_outputs; k++)
        if (l->output[k] + 1 == r)
            return &v->y[k];
    return m->n_variables < r && r - m->n_variables - 1 < m->n_states
               ? &v->xdot[r - m->n_variables - 1]
               : NULL;
}

static FmiStatus refuse(FmiInstance *it, Vectors *v)
{
    it->log(it, FMI_ERROR, "logStatusError",
            "directional derivatives are those of derivatives of states and of outputs by states "
            "and inputs");
    free(v->all);
    return FMI_ERROR;
}

FmiStatus fmi_directional(FmiInstance *it, const uint32_t *unknown, size_t n_unknown,
                          const uint32_t *known, size_t n_known, const double *seed,
                          double *sensitivity)
{
    Vectors v;
    if (!prepare(it, &v)) {
        free(v.all);
        return FMI_ERROR;
    }
    for (size_t k = 0; k < n_known; k++) {
        double *at = known_at(it, &v, known[k]);
        if (!at)
            return refuse(it, &v);
        *at = seed[k];
    }
    linearise_forward(it->linear, v.x, v.u, v.xdot, v.y);
    for (size_t k = 0; k < n_unknown; k++) {
        const double *at = unknown_at(it, &v, unknown[k], k);
        if (!at)
            return refuse(it, &v);
        sensitivity[k] = *at;
    }
    free(v.all);
    return FMI_OK;
}

FmiStatus fmi_adjoint(FmiInstance *it, const uint32_t *unknown, size_t n_unknown,
                      const uint32_t *known, size_t n_known, const double *seed,
                      double *sensitivity)
{
    Vectors v;
    if (!prepare(it, &v)) {
        free(v.all);
        return FMI_ERROR;
    }
    for (size_t k = 0; k < n_unknown; k++) {
        double *at = unknown_at(it, &v, unknown[k], k);
        if (!at)
            return refuse(it, &v);
        *at += seed[k];
    }
    linearise_adjoint(it->linear, v.xdot, v.y, v.x, v.u);
    for (size_t k = 0; k < n_known; k++) {
        const double *at = known_at(it, &v, known[k]);
        if (!at)
            return refuse(it, &v);
        sensitivity[k] = *at;
    }
    free(v.all);
    return FMI_OK;
}
