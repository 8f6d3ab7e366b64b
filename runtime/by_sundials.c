/* SPDX-License-Identifier: BSD-3-Clause */
#include "by_sundials.h"

#include <stdlib.h>

bool sundials_open(Sundials *it, Run *run, bool has_form)
{
    it->run = run;
    if (SUNContext_Create(NULL, &it->context))
        return false;
    it->has_form = has_form && residual_form_open(&it->form, run);
    if (has_form && !it->has_form)
        return false;
    sunindextype n = (sunindextype)(it->has_form ? it->form.n : run->n);
    it->x = it->has_form ? N_VNew_Serial(n, it->context) : N_VMake_Serial(n, run->x, it->context);
    it->xdot = N_VNew_Serial(n, it->context);
    it->absolute = N_VNew_Serial(n, it->context);
    it->matrix = SUNDenseMatrix(n, n, it->context);
    it->solver = it->x && it->matrix ? SUNLinSol_Dense(it->x, it->matrix, it->context) : NULL;
    it->f = calloc(run->n, sizeof *it->f);
    const RungJacobian *j = run->model->jacobian;
    it->work = calloc(jacobian_work(run), sizeof *it->work);
    it->entry = calloc(j ? j->pattern.col_start[run->n] + (size_t)1 : 1, sizeof *it->entry);
    if (!it->x || !it->xdot || !it->absolute || !it->matrix || !it->solver || !it->f ||
        !it->entry || !it->work)
        return false;
    double *absolute = N_VGetArrayPointer(it->absolute);
    for (sunindextype k = 0; k < n; k++)
        absolute[k] = k < run->n ? run_scale(run, (uint32_t)k, 0) : run->tolerance;
    return true;
}

void sundials_close(Sundials *it)
{
    if (it->solver)
        SUNLinSolFree(it->solver);
    if (it->matrix)
        SUNMatDestroy(it->matrix);
    if (it->x)
        N_VDestroy(it->x);
    if (it->xdot)
        N_VDestroy(it->xdot);
    if (it->absolute)
        N_VDestroy(it->absolute);
    if (it->has_form)
        residual_form_close(&it->form);
    free(it->f);
    free(it->entry);
    free(it->work);
    if (it->context)
        SUNContext_Free(&it->context);
    free(it);
}

bool sundials_has_jacobian(const Run *run)
{
    return !run->loops && jacobian_is_sparse(run);
}

int sundials_jacobian(Sundials *it, double t, const double *x, double shift, double scale,
                      SUNMatrix matrix)
{
    const RungJacobian *j = it->run->model->jacobian;
    it->run->s->jacobians++;
    int status = jacobian_entries(it->run, t, x, NULL, it->entry, it->work);
    if (status)
        return status;
    SUNMatZero(matrix);
    for (uint32_t c = 0; c < it->run->n; c++) {
        double *column = SUNDenseMatrix_Column(matrix, (sunindextype)c);
        for (uint32_t k = j->pattern.col_start[c]; k < j->pattern.col_start[c + 1]; k++)
            column[j->pattern.row[k]] = scale * it->entry[k];
        column[c] += shift;
    }
    return 0;
}
