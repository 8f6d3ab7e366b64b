/* SPDX-License-Identifier: BSD-3-Clause
 *
 * by_ida.c -- SUNDIALS IDA: variable-order BDF for F(t, y, y') = 0, sparse matrix or
 * dense. F is x' - f(t, x), or as `ida-residual` the model's residual form.
 */
#include "by_sundials.h"
#include "loops.h"

#include <float.h>
#include <ida/ida.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The error allowed for Newton's method, relative to that of a step: 0.1 to 0.01 (Hairer and
 * Wanner, Solving ODEs II, IV.8). With the 0.33 of IDA these errors add up to more than those of
 * the steps. */
#define NEWTON 0.1

/* The share of the violation of the constraints that a step removes: without it x drifts off, and
 * its projection is not where the derivatives along the way lead. */
static const double BACK = 0.1;

/* Projects x onto the constraints of closed loops, which IDA does not: for the evaluation of the
 * derivative, and for the states that the run reads. */
static int onto_constraints(Run *run, double t, const double *x, double *to)
{
    if (to != x)
        memcpy(to, x, run->problem.n * sizeof *to);
    return run->problem.loops ? loops_project(&run->problem, t, to) : 0;
}

static int residual(realtype t, N_Vector x, N_Vector xdot, N_Vector r, void *user)
{
    Sundials *it = user;
    const double *at = N_VGetArrayPointer(x);
    int status = 0;
    if (it->run->problem.loops) {
        status = onto_constraints(it->run, t, at, it->point);
        at = it->point;
    }
    status = status ? status : problem_xdot(&it->run->problem, t, at, it->f);
    double h = 0, cj = 0;
    if (!IDAGetCurrentCj(it->memory, &cj) && cj > 0)
        it->residual_unit = 1 / cj;
    if (it->run->problem.loops && !IDAGetCurrentStep(it->memory, &h) && h > 0)
        for (uint32_t k = 0; k < it->run->problem.n; k++)
            it->f[k] -= BACK / h * (N_VGetArrayPointer(x)[k] - at[k]);
    const double *slope = N_VGetArrayPointer(xdot);
    double *out = N_VGetArrayPointer(r);
    for (uint32_t k = 0; k < it->run->problem.n; k++)
        out[k] = slope[k] - it->f[k];
    return status;
}

static int form_residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    Sundials *it = user;
    return residual_form_f(&it->form, it->run, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                           N_VGetArrayPointer(r));
}

static int form_jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r,
                         SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    (void)r, (void)w1, (void)w2, (void)w3;
    Sundials *it = user;
    ResidualForm *f = &it->form;
    int status =
        residual_form_entries(f, it->run, t, c, N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
    if (!status)
        sundials_put(f->n, f->col_start, f->row_of, f->entry, matrix);
    return status;
}

/* dF/dx + c dF/dx' = c I - df/dx */
static int jacobian(realtype t, realtype c, N_Vector x, N_Vector xdot, N_Vector r, SUNMatrix matrix,
                    void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    (void)xdot, (void)r, (void)w1, (void)w2, (void)w3;
    return sundials_jacobian(user, t, N_VGetArrayPointer(x), c, -1, matrix);
}

static void on_error(int code, const char *module, const char *function, char *text, void *user)
{
    // step failures come back as return values; the text of IDA repeats them
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

static void ida_close(void *self)
{
    Sundials *it = self;
    if (it->memory)
        IDAFree(&it->memory);
    sundials_close(it);
}

/* Tearing variables that no state integrates have no part in the error of a step. */
static int leave_extras_out(Sundials *it)
{
    N_Vector id = N_VClone(it->x);
    if (!id)
        return 1;
    double *is_state = N_VGetArrayPointer(id);
    for (uint32_t k = 0; k < it->form.n; k++)
        is_state[k] = k < it->form.n_states;
    int bad = IDASetId(it->memory, id) || IDASetSuppressAlg(it->memory, 1);
    N_VDestroy(id);
    return bad;
}

/* IDA's own first step moves x by half of the tolerance; behind a large jump of the derivative that
 * is less than rounding of t, and fails. Then one of some digits of t: the first order is exact for
 * a straight solution, and the error test shortens the step of any other. 0: IDA's own. */
static double first_step(const Sundials *it, const Run *run)
{
    static const double DIGITS = 1e3 * DBL_EPSILON;
    if (run->step > 0)
        return run->step;
    const double *x = N_VGetArrayPointer(it->x), *slope = N_VGetArrayPointer(it->xdot);
    double sum = 0;
    for (uint32_t k = 0; k < run->problem.n; k++) {
        double share = slope[k] / (sundials_tolerance(run) * problem_size(&run->problem, k, x[k]));
        sum += share * share / run->problem.n;
    }
    double least = DIGITS * fabs(run->t);
    return 0.5 < least * sqrt(sum) ? fmin(least, run->stop - run->t) : 0;
}

static void *open_with(Run *run, bool residual_form)
{
    Sundials *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    if (!sundials_open(it, run, residual_form) || !(it->memory = IDACreate(it->context))) {
        ida_close(it);
        return NULL;
    }
    // consistent: x' = f(t, x)
    double *slope = N_VGetArrayPointer(it->xdot);
    int status = it->has_form
                     ? residual_form_start(&it->form, run, N_VGetArrayPointer(it->x), slope)
                     : problem_xdot(&run->problem, run->t, run->x, slope);
    if (status) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        ida_close(it);
        return NULL;
    }
    int bad =
        IDASetErrHandlerFn(it->memory, on_error, it) ||
        IDAInit(it->memory, it->has_form ? form_residual : residual, run->t, it->x, it->xdot) ||
        IDAWFtolerances(it->memory, sundials_weights) || IDASetUserData(it->memory, it) ||
        (it->has_form && leave_extras_out(it)) ||
        IDASetLinearSolver(it->memory, it->solver, it->matrix) || !sundials_newton(it) ||
        IDASetNonlinearSolver(it->memory, it->newton) || sundials_test_newton(it) ||
        IDASetNonlinConvCoef(it->memory, NEWTON) ||
        (it->has_jacobian && IDASetJacFn(it->memory, it->has_form ? form_jacobian : jacobian)) ||
        IDASetMaxNumSteps(it->memory, -1) || IDASetMaxErrTestFails(it->memory, SUNDIALS_FAILS) ||
        IDASetMaxConvFails(it->memory, SUNDIALS_FAILS) || IDASetStopTime(it->memory, run->stop) ||
        IDASetInitStep(it->memory, first_step(it, run));
    if (bad) {
        snprintf(run->problem.why, sizeof run->problem.why, "IDA cannot be set up");
        ida_close(it);
        return NULL;
    }
    return it;
}

static void *ida_open(Run *run)
{
    return open_with(run, false);
}

static void *ida_residual_open(Run *run)
{
    const char *missing = residual_form_missing(run);
    if (!missing)
        return open_with(run, true);
    snprintf(run->problem.why, sizeof run->problem.why, "%s; --method ida goes on x' = f(t, x)",
             missing);
    return NULL;
}

static int ida_resume(void *self, const Run *run)
{
    const Sundials *it = self;
    return IDASetStopTime(it->memory, run->stop);
}

static int ida_step(void *self, Run *run)
{
    Sundials *it = self;
    realtype t = run->t;
    it->n_taylor = 0;
    int status = IDASolve(it->memory, run->stop, &t, it->x, it->xdot, IDA_ONE_STEP);
    long count = 0;
    run->problem.counts->rejected = it->rejected;
    IDAGetNumErrTestFails(it->memory, &count);
    run->problem.counts->rejected += (uint64_t)count;
    IDAGetNumNonlinSolvConvFails(it->memory, &count);
    run->problem.counts->rejected += (uint64_t)count;
    IDAGetNumNonlinSolvIters(it->memory, &count);
    run->problem.counts->iterations = it->iterations + (uint64_t)count;
    IDAGetNumJacEvals(it->memory, &count);
    run->problem.counts->jacobians = it->jacobians + (uint64_t)count;
    IDAGetLastStep(it->memory, &run->h);
    if (status >= 0) {
        if (it->has_form || run->problem.loops)
            status = onto_constraints(run, t, N_VGetArrayPointer(it->x), run->x);
        run->t = t;
        return status < 0 ? status : status != 0 && run->problem.loops && *run->problem.why;
    }
    IDAGetCurrentStep(it->memory, &run->h);
    const char *text;
    switch (status) {
    case IDA_ERR_FAIL:
        text = "the step became too small: the error test failed again and again";
        break;
    case IDA_CONV_FAIL:
        text = "Newton's method of the integrator did not converge with the smallest step";
        break;
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
        text = "the matrix of the integrator's Newton method cannot be solved";
        break;
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        return status;
    case IDA_TOO_MUCH_ACC:
        text = "the tolerance is below what rounding allows";
        break;
    default:
        text = "IDA failed";
    }
    const char *failure = run_last_failure(run);
    snprintf(run->problem.why, sizeof run->problem.why, "%s%s%s", text, failure ? "; " : "",
             failure ? failure : "");
    return status;
}

static void ida_at(void *self, const Run *run, double t, double *x)
{
    Sundials *it = self;
    N_Vector v = N_VClone(it->x);
    if (!v)
        return;
    IDAGetDky(it->memory, t, 0, v);
    memcpy(x, N_VGetArrayPointer(v), run->problem.n * sizeof *x);
    if (it->run->problem.loops)
        loops_project(&it->run->problem, t, x);
    N_VDestroy(v);
}

static bool ida_some_at(void *self, const Run *run, double t, uint32_t n, const uint32_t *state,
                        double *x)
{
    Sundials *it = self;
    (void)run;
    realtype end;
    int order;
    return !IDAGetCurrentTime(it->memory, &end) && !IDAGetLastOrder(it->memory, &order) &&
           sundials_some_at(it, order, end, IDAGetDky, t, n, state, x);
}

const Integrator integrator_ida = {
    .name = "ida",
    .text = "SUNDIALS IDA: implicit BDF of order 1 to 5, adaptive, on x' = f(t, x)",
    .form = "x' = f(t, x)",
    .open = ida_open,
    .step = ida_step,
    .at = ida_at,
    .some_at = ida_some_at,
    .close = ida_close,
    .resume = ida_resume,
    .growth = 2,
    .multistep = true,
    .needs = NEEDS_JACOBIAN | NEEDS_SUNDIALS,
};

const Integrator integrator_ida_residual = {
    .name = "ida-residual",
    .text = "the same on the residual form F(t, y, y') = 0, where the model has it",
    .form = "F(t, y, y') = 0",
    .open = ida_residual_open,
    .step = ida_step,
    .at = ida_at,
    .some_at = ida_some_at,
    .close = ida_close,
    .resume = ida_resume,
    .growth = 2,
    .multistep = true,
    .needs = NEEDS_RESIDUAL | NEEDS_SUNDIALS,
};
