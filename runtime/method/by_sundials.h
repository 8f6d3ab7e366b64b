/* SPDX-License-Identifier: BSD-3-Clause
 *
 * by_sundials.h -- the common part of by_ida.c and by_cvode.c: vectors, tolerances, the Jacobian.
 *
 * The matrix is sparse, and factored by KLU, where the model has a pattern that is mostly zero;
 * else dense. Where states come in parts it is that of the model's own (by_sundials_parts.h).
 */
#ifndef RUNG_RUNTIME_BY_SUNDIALS_H
#define RUNG_RUNTIME_BY_SUNDIALS_H

#include "dae_residual.h"
#include "iteration_matrix.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* How often one step may fail the error test, and Newton's method in it: each time it becomes a
 * quarter, and the first one may be a million million times too long, as that of a model which
 * begins at rest and is stiff. */
enum { SUNDIALS_FAILS = 40, SUNDIALS_ITERATIONS = 4 };

typedef struct Sundials {
    SUNContext context;
    N_Vector x, xdot;
    uint32_t n_own; /* states that the matrix is of: the model's, or all  */
    SUNMatrix matrix;
    SUNLinearSolver solver;
    double *f;         /* n: a derivative                       */
    double *point;     /* n: of a mechanism with closed loops       */
    bool has_jacobian; /* derivatives come from the model, in their pattern, or are those of the
                          model's own states                              */
    IterationMatrix entries;   /* then, of d f / d x                     */
    void *memory;              /* IDA's or CVODE's                      */
    SUNNonlinearSolver newton; /* Newton's method                         */
    bool is_alone;             /* evaluations and solutions are of the first n_own states alone */
    N_Vector trial[3];         /* for its test of convergence           */
    double first;              /* the size of the first correction of the present iteration */
    double residual_unit;      /* of a residual that is small as a correction; 0: not known */
    Run *run;
    ResidualForm form; /* where the integrator goes on it */
    bool has_form;
    uint64_t rejected, iterations, jacobians; /* of the run before this start */
    double
        *taylor;  /* n_taylor coefficients per state: the polynomial of the last step at taylor_t */
    int n_taylor; /* 0: not asked for yet */
    double taylor_t;
} Sundials;

/* Everything but memory; false when out of memory. has_form: vectors are those of the residual
 * form, which is there. */
bool sundials_open(Sundials *it, Run *run, bool has_form);
void sundials_close(Sundials *it);

/* The tolerance for IDA and CVODE: a share of the run's. */
double sundials_tolerance(const Run *run);
/* The weight of each component of the error, for IDA and CVODE: 1 / (tolerance (|x| + scale)). */
int sundials_weights(N_Vector x, N_Vector weight, void *sundials);

/* it->newton, for the integrator; false when out of memory. And its test of convergence, once the
 * integrator has it; nonzero when that fails. */
bool sundials_newton(Sundials *it);
int sundials_test_newton(Sundials *it);

/* matrix, dense or sparse with room for them := the entries of n columns. */
void sundials_put(uint32_t n, const uint32_t *col_start, const uint32_t *row, const double *entry,
                  SUNMatrix matrix);

/* xdot of the n_own first states. */
int sundials_own_xdot(Sundials *it, double t, const double *x, double *xdot);

/* matrix = shift * I + scale * df/dx of the n_own first states, from the model's entries or
 * differences; 0 or the model's status. */
int sundials_jacobian(Sundials *it, double t, const double *x, double shift, double scale,
                      SUNMatrix matrix);

/* For Integrator.some_at: the polynomial of the last step, which ended at `end`, whose derivatives
 * these functions of IDA or CVODE give. */
bool sundials_some_at(Sundials *it, int order, double end,
                      int (*derivative)(void *memory, realtype t, int k, N_Vector value), double t,
                      uint32_t n, const uint32_t *state, double *x);

#endif
