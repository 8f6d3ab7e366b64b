/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dae_residual.h -- F(t, y, y') = 0 from the model's residual form, for integrators that take it.
 *
 * y are the states and behind them the tearing variables that are no derivative of a state. Row k
 * of F is, for a state whose derivative is a tearing variable, that variable's residual; for any
 * other state its rate minus y'; behind that the residuals of the other tearing variables.
 */
#ifndef RUNG_RUNTIME_DAE_RESIDUAL_H
#define RUNG_RUNTIME_DAE_RESIDUAL_H

#include "integrator.h"

typedef struct ResidualForm {
    const RungResidual *r;
    uint32_t n_states, n; /* n: of y                                   */
    uint32_t *row;        /* per row of the model: that of F           */
    uint32_t *extra;      /* per tearing variable: its place in y, or RUNG_NONE */
    double *a;            /* tearing variables                         */
    double *out;          /* rows of the model                         */
    double *by_torn, *by_state;
    double *moved, *other; /* of differences */
    /* dF/dy + c dF/dy' by columns; NULL where the model has no derivatives */
    uint32_t *col_start, *row_of;
    double *entry;
    /* the entry to which one of by_state, of by_torn, and of -c per rate belongs */
    uint32_t *state_place, *torn_place, *rate_place;
} ResidualForm;

/* The reason why a run cannot use the residual form; NULL if it can: the model has it, no loop is
 * cut, and nothing in it is left to a block's own Newton's method, which damps its steps and does
 * not depend on the step. */
const char *residual_form_missing(const Run *run);
/* False when out of memory. */
bool residual_form_open(ResidualForm *it, const Run *run);
void residual_form_close(ResidualForm *it);

/* y and y' that are consistent at the run's t and x; the model's status. */
int residual_form_start(ResidualForm *it, Run *run, double *y, double *yp);

/* Counted as one evaluation; the model's status. */
int residual_form_f(ResidualForm *it, Run *run, double t, const double *y, const double *yp,
                    double *f);

/* The entries of dF/dy + c dF/dy', in `entry`: the model's expressions, or differences of all
 * columns of one colour. The model's status. */
int residual_form_entries(ResidualForm *it, Run *run, double t, double c, const double *y,
                          const double *yp);

#endif
