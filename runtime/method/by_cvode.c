/* SPDX-License-Identifier: BSD-3-Clause
 *
 * by_cvode.c -- SUNDIALS CVODE: variable-order BDF for x' = f(t, x), Newton with a sparse matrix or
 * a dense one.
 */
#include "by_sundials.h"
#include "loops.h"

#include <cvode/cvode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rhs(realtype t, N_Vector x, N_Vector xdot, void *user)
{
    Sundials *it = user;
    const double *at = N_VGetArrayPointer(x);
    double *to = N_VGetArrayPointer(xdot);
    if (!it->is_alone)
        return problem_xdot(&it->run->problem, t, at, to);
    memset(to + it->n_own, 0, (it->run->problem.n - it->n_own) * sizeof *to);
    return sundials_own_xdot(it, t, at, to);
}

static int jacobian(realtype t, N_Vector x, N_Vector f, SUNMatrix matrix, void *user, N_Vector w1,
                    N_Vector w2, N_Vector w3)
{
    (void)f, (void)w1, (void)w2, (void)w3;
    return sundials_jacobian(user, t, N_VGetArrayPointer(x), 0, 1, matrix);
}

/* The solution of a step onto the constraints of closed loops. Its estimated error stays as it is:
 * the part across the constraints is an error of the forces. Except where that forbids the step and
 * is small: near a singular position (loops_forgive). */
static int project(realtype t, N_Vector x, N_Vector correction, realtype small, N_Vector error,
                   void *user)
{
    (void)small;
    Sundials *it = user;
    const double *from = N_VGetArrayPointer(x);
    double *to = N_VGetArrayPointer(correction);
    memcpy(to, from, it->run->problem.n * sizeof *to);
    int status = loops_project(&it->run->problem, t, to);
    N_Vector weight = it->xdot;
    if (!status && !CVodeGetErrWeights(it->memory, weight) && N_VWrmsNorm(error, weight) > 1)
        status = loops_forgive(&it->run->problem, it->run->t, it->run->x, t, to,
                               N_VGetArrayPointer(error)) < 0
                     ? -1
                     : 0;
    for (uint32_t k = 0; k < it->run->problem.n; k++)
        to[k] -= from[k];
    return status;
}

static void on_error(int code, const char *module, const char *function, char *text, void *user)
{
    // step failures come back as return values; the text of CVODE repeats them
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

static void cvode_close(void *self)
{
    Sundials *it = self;
    if (it->memory)
        CVodeFree(&it->memory);
    sundials_close(it);
}

static void *cvode_open(Run *run)
{
    Sundials *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    if (!sundials_open(it, run, false) || !(it->memory = CVodeCreate(CV_BDF, it->context))) {
        cvode_close(it);
        return NULL;
    }
    /* The derivatives of a model at rest do not show its time scale, and a first step may end where
     * it is at rest again: a rectifier's source after half a period. */
    static const double SHARE = 1e-4, FASTEST = 10; /* of the time to go; growth of the step */
    it->residual_unit = 1;                          // of x - base - gamma f
    double first = SHARE * (run->stop - run->problem.piece_start);
    int bad = CVodeSetErrHandlerFn(it->memory, on_error, it) ||
              CVodeInit(it->memory, rhs, run->t, it->x) ||
              CVodeWFtolerances(it->memory, sundials_weights) || CVodeSetUserData(it->memory, it) ||
              (run->problem.loops &&
               (CVodeSetProjFn(it->memory, project) || CVodeSetProjErrEst(it->memory, 1))) ||
              CVodeSetLinearSolver(it->memory, it->solver, it->matrix) ||
              (it->has_jacobian && CVodeSetJacFn(it->memory, jacobian)) || !sundials_newton(it) ||
              CVodeSetNonlinearSolver(it->memory, it->newton) || sundials_test_newton(it) ||
              CVodeSetMaxNonlinIters(it->memory, SUNDIALS_ITERATIONS) ||
              CVodeSetMaxConvFails(it->memory, SUNDIALS_FAILS) ||
              CVodeSetMaxNumSteps(it->memory, -1) ||
              CVodeSetMaxErrTestFails(it->memory, SUNDIALS_FAILS) ||
              CVodeSetStopTime(it->memory, run->stop) ||
              CVodeSetInitStep(it->memory, run->step > 0 ? run->step : first) ||
              CVodeSetEtaMaxFirstStep(it->memory, FASTEST);
    if (bad || problem_xdot(&run->problem, run->t, run->x, it->f)) {
        if (bad)
            snprintf(run->problem.why, sizeof run->problem.why, "CVODE cannot be set up");
        else
            problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        cvode_close(it);
        return NULL;
    }
    return it;
}

static int cvode_resume(void *self, const Run *run)
{
    const Sundials *it = self;
    return CVodeSetStopTime(it->memory, run->stop);
}

static int cvode_step(void *self, Run *run)
{
    Sundials *it = self;
    realtype t = run->t;
    it->n_taylor = 0;
    int status = CVode(it->memory, run->stop, it->x, &t, CV_ONE_STEP);
    long count = 0;
    run->problem.counts->rejected = it->rejected;
    CVodeGetNumErrTestFails(it->memory, &count);
    run->problem.counts->rejected += (uint64_t)count;
    CVodeGetNumNonlinSolvConvFails(it->memory, &count);
    run->problem.counts->rejected += (uint64_t)count;
    CVodeGetNumNonlinSolvIters(it->memory, &count);
    run->problem.counts->iterations = it->iterations + (uint64_t)count;
    CVodeGetNumJacEvals(it->memory, &count);
    run->problem.counts->jacobians = it->jacobians + (uint64_t)count;
    CVodeGetLastStep(it->memory, &run->h);
    if (status >= 0) {
        if (run->problem.loops)
            memcpy(run->x, N_VGetArrayPointer(it->x), run->problem.n * sizeof *run->x);
        run->t = t;
        return 0;
    }
    CVodeGetCurrentStep(it->memory, &run->h);
    const char *text;
    switch (status) {
    case CV_ERR_FAILURE:
        text = "the step became too small: the error test failed again and again";
        break;
    case CV_CONV_FAILURE:
        text = "Newton's method of the integrator did not converge with the smallest step";
        break;
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
        text = "the matrix of the integrator's Newton method cannot be solved";
        break;
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR:
        return status; // loops_project has recorded the reason
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        return status;
    case CV_TOO_MUCH_ACC:
        text = "the tolerance is below what rounding allows";
        break;
    default:
        text = "CVODE failed";
    }
    const char *failure = run_last_failure(run);
    snprintf(run->problem.why, sizeof run->problem.why, "%s%s%s", text, failure ? "; " : "",
             failure ? failure : "");
    return status;
}

static void cvode_at(void *self, const Run *run, double t, double *x)
{
    Sundials *it = self;
    N_Vector v = N_VMake_Serial((sunindextype)run->problem.n, x, it->context);
    CVodeGetDky(it->memory, t, 0, v);
    N_VDestroy(v);
}

static bool cvode_some_at(void *self, const Run *run, double t, uint32_t n, const uint32_t *state,
                          double *x)
{
    Sundials *it = self;
    (void)run;
    realtype end;
    int order;
    return !CVodeGetCurrentTime(it->memory, &end) && !CVodeGetLastOrder(it->memory, &order) &&
           sundials_some_at(it, order, end, CVodeGetDky, t, n, state, x);
}

const Integrator integrator_cvode = {
    .name = "cvode",
    .text = "SUNDIALS CVODE: implicit BDF of order 1 to 5, adaptive, for stiff models",
    .open = cvode_open,
    .step = cvode_step,
    .at = cvode_at,
    .some_at = cvode_some_at,
    .close = cvode_close,
    .resume = cvode_resume,
    .growth = 10,
    .multistep = true,
    .needs = NEEDS_JACOBIAN | NEEDS_SUNDIALS,
};
