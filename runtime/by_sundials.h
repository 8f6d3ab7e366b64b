/* SPDX-License-Identifier: BSD-3-Clause
 *
 * by_sundials.h -- what by_ida.c and by_cvode.c share: vectors, tolerances, the dense Jacobian.
 */
#ifndef RUNG_RUNTIME_BY_SUNDIALS_H
#define RUNG_RUNTIME_BY_SUNDIALS_H

#include "dae_residual.h"
#include "jacobian.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct Sundials {
    SUNContext context;
    N_Vector x, xdot, absolute;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    double *f;     /* n: a derivative                       */
    double *work;  /* of coloured differences                */
    double *entry; /* entries of the model's Jacobian       */
    void *memory;  /* IDA's or CVODE's                      */
    Run *run;
    ResidualForm form; /* where the integrator goes on it */
    bool has_form;
} Sundials;

/* Everything but memory; false when out of memory. has_form: vectors are those of the residual
 * form, which is there. */
bool sundials_open(Sundials *it, Run *run, bool has_form);
void sundials_close(Sundials *it);

/* Whether the model has d xdot / d x as these integrators see it: multipliers of cut loops are
 * functions of the states to them. */
bool sundials_has_jacobian(const Run *run);

/* matrix = shift * I + scale * df/dx from the model's analytic entries; 0 or the model's status. */
int sundials_jacobian(Sundials *it, double t, const double *x, double shift, double scale,
                      SUNMatrix matrix);

#endif
