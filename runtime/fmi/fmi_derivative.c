/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi_derivative.c -- directional and adjoint derivatives (FMI 2.0, 2.1.9; FMI 3.0, 2.2.11):
 * products with the model's linearisation and its transpose; derivatives of outputs by time.
 * Unknowns are derivatives of states and outputs, knowns are states, inputs, and the parameters
 * that the FMU was made for.
 */
#include "fmi_instance.h"
#include "linearise.h"
#include "loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room of both products. */
typedef struct Vectors {
    double *all, *x, *u, *xdot, *y;
} Vectors;

static FmiStatus refuse(FmiInstance *it, const char *why)
{
    it->log(it, FMI_ERROR, "logStatusError", why);
    return FMI_ERROR;
}

/* The linearisation where the instance is. */
static FmiStatus linearise_here(FmiInstance *it)
{
    Run *run = &it->run;
    if (!it->model->linearisation)
        return refuse(it, "the FMU has no directional derivatives");
    FmiStatus status = it->mode == FMI_INITIALIZATION ? fmi_initialise(it) : fmi_settle(it);
    if (status)
        return status;
    if (!it->linear)
        it->linear = linearise_new(run->problem.ctx);
    if (!it->linear)
        return fmi_fail(it, FMI_ERROR, "out of memory");
    if (it->has_linear)
        return FMI_OK;
    // as the derivatives of the states have it
    if (run->problem.loops)
        linearise_relax(it->linear, run->problem.loops->relax);
    problem_refresh(&run->problem, run->t, run->x);
    it->has_linear = !linearise_at(it->linear, run->t, run->x);
    if (it->has_linear)
        return FMI_OK;
    it->log(it, FMI_DISCARD, "logStatusDiscard", "the derivatives do not exist here");
    return FMI_DISCARD;
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
    for (uint32_t k = 0; row.place == RUNG_IN_PARAMETERS && !row.negated && k < l->n_parameters;
         k++)
        if (l->parameter[k] == row.index)
            return &v->u[l->n_inputs + k];
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

typedef struct References {
    const uint32_t *at;
    size_t n;
    bool are_unknowns;
} References;

static double *place_of(const FmiInstance *it, const Vectors *v, const References *r, size_t k)
{
    return r->are_unknowns ? unknown_at(it, v, r->at[k], k) : known_at(it, v, r->at[k]);
}

/* The seeds of `from` through the matrix, or its transpose where these are unknowns, to `to`. */
static FmiStatus multiply(FmiInstance *it, const Vectors *v, References from, const double *seed,
                          References to, double *sensitivity)
{
    static const char wrong[] = "directional derivatives are those of derivatives of states and of "
                                "outputs by states, inputs "
                                "and the parameters of rung fmu --parameters";
    for (size_t k = 0; k < from.n; k++) {
        double *at = place_of(it, v, &from, k);
        if (!at)
            return refuse(it, wrong);
        *at += seed[k];
    }
    if (from.are_unknowns)
        linearise_adjoint(it->linear, v->xdot, v->y, v->x, v->u);
    else
        linearise_forward(it->linear, v->x, v->u, v->xdot, v->y);
    for (size_t k = 0; k < to.n; k++) {
        const double *at = place_of(it, v, &to, k);
        if (!at)
            return refuse(it, wrong);
        sensitivity[k] = *at;
    }
    return FMI_OK;
}

FmiStatus fmi_sensitivity(FmiInstance *it, bool adjoint, const uint32_t *unknown, size_t n_unknown,
                          const uint32_t *known, size_t n_known, const double *seed,
                          double *sensitivity)
{
    FmiStatus status = linearise_here(it);
    if (status)
        return status;
    const RungLinearisation *l = it->model->linearisation;
    size_t n = it->model->n_states;
    size_t n_u = (size_t)l->n_inputs + l->n_parameters;
    Vectors v = {.all = calloc(2 * n + n_u + l->n_outputs + 1, sizeof *v.all)};
    if (!v.all)
        return fmi_fail(it, FMI_ERROR, "out of memory");
    v.x = v.all;
    v.xdot = v.x + n;
    v.u = v.xdot + n;
    v.y = v.u + n_u;
    References unknowns = {unknown, n_unknown, true}, knowns = {known, n_known, false};
    status = multiply(it, &v, adjoint ? unknowns : knowns, seed, adjoint ? knowns : unknowns,
                      sensitivity);
    free(v.all);
    return status;
}

/* ------------------------------------------------------------------ derivatives by time */

/* The values of n variables at a time h from now on the line that states and inputs are on. */
static FmiStatus values_ahead(FmiInstance *it, double h, const double *x, const double *xdot,
                              const uint32_t *r, size_t n, double *value)
{
    Run *run = &it->run;
    const RungModel *m = it->model;
    fmi_set_time(it, run->t + h);
    for (uint32_t k = 0; k < run->problem.n; k++)
        run->x[k] = x[k] + h * xdot[k];
    for (uint32_t k = 0; k < m->n_inputs; k++)
        run->problem.ctx->u[k] += h * it->u_rate[k];
    FmiStatus status = FMI_OK;
    for (size_t k = 0; k < n && !status; k++)
        status = fmi_get(it, FMI_TYPE(FMI_REAL), r[k], &value[k]);
    return status;
}

FmiStatus fmi_output_rates(FmiInstance *it, const uint32_t *r, const int *order, size_t n,
                           double *rate)
{
    // relative to the last communication step, in which the solution is smooth between events
    static const double SHARE = 1e-4;
    Run *run = &it->run;
    const RungModel *m = it->model;
    for (size_t k = 0; k < n; k++) {
        bool is_output = r[k] > 0 && r[k] <= m->n_variables &&
                         rung_variable(m, r[k] - 1).attributes->is_output &&
                         rung_variable(m, r[k] - 1).attributes->type == RUNG_REAL;
        if (!is_output || order[k] != 1)
            return refuse(it, "there are first derivatives of outputs of type Real, no others");
    }
    size_t room = run->problem.n + (size_t)m->n_inputs + m->n_unknowns + 2 * n + 1;
    double *x = calloc(room + run->problem.n, sizeof *x), *xdot = x + run->problem.n,
           *u = xdot + run->problem.n;
    if (!x)
        return fmi_fail(it, FMI_ERROR, "out of memory");
    double *z = u + m->n_inputs, *ahead = z + m->n_unknowns, *behind = ahead + n, t = run->t;
    memcpy(x, run->x, run->problem.n * sizeof *x);
    memcpy(u, run->problem.ctx->u, m->n_inputs * sizeof *u);
    memcpy(z, run->problem.ctx->z, m->n_unknowns * sizeof *z);
    double h = fmax(SHARE * (it->last_step > 0 ? it->last_step : 1e-3), 1e-9 * fabs(t));
    FmiStatus status = fmi_derivatives(it, xdot, run->problem.n);
    for (int side = 1; side >= -1 && !status; side -= 2) {
        status = values_ahead(it, side * h, x, xdot, r, n, side > 0 ? ahead : behind);
        // restores the state of the instance
        memcpy(run->problem.ctx->u, u, m->n_inputs * sizeof *u);
        memcpy(run->problem.ctx->z, z, m->n_unknowns * sizeof *z);
        memcpy(run->x, x, run->problem.n * sizeof *x);
        run->t = t;
    }
    it->has_xdot = it->has_values = it->has_linear = false;
    for (size_t k = 0; k < n && !status; k++)
        rate[k] = (ahead[k] - behind[k]) / (2 * h);
    free(x);
    return status;
}
