/* SPDX-License-Identifier: BSD-3-Clause */
#include "by_sundials.h"
#include "by_sundials_parts.h"
#include "jacobian.h"
#include "loop_tangents.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

/* The error of a run with BDF is 100 to 1000 times the tolerance of its steps, over spans in which
 * a perturbation grows by no more than 100; with the one-step methods of rung 10 to 100 times
 * (docs/measured/accuracy.md). SHARE makes the same tolerance give about the same error. Besides,
 * IDA and CVODE take the root mean square of all errors, so that one of n states may be off by
 * sqrt(n) times as much; MANY bounds n, since in large models many states move. */
static const double SHARE = 0.05;
static const uint32_t MANY = 16;
/* The weight of a state without error control. */
static const double LEAST_WEIGHT = 1e-200;
static const double FINEST = 1e-13; /* but no less than this: rounding */

/* States whose matrix has no pattern: beyond, Krylov's method solves for a step without one. */
enum { DENSE_MOST = 3000 };

double sundials_tolerance(const Run *run)
{
    uint32_t n = run_controlled_states(run);
    double share = SHARE / sqrt(n < 1 ? 1 : n < MANY ? n : MANY);
    // the mean is over all states
    share *= n < 1 ? 1 : sqrt((double)n / run->problem.n);
    return fmax(share * run->tolerance, fmin(FINEST, run->tolerance));
}

/* ---- operations on vectors: SUNDIALS' own ones, which distributions build without optimisation,
 * take most of the time of a run with many derivatives. The same digits. ---- */

/* z[i] = VALUE(i) for all i, which may read z[i]: all is read before something is written, so that
 * compilers make vectors of it. */
#define FOR_EACH(VALUE)                                                                            \
    do {                                                                                           \
        size_t i = 0;                                                                              \
        for (; i + 4 <= n; i += 4) {                                                               \
            double z0 = VALUE(i), z1 = VALUE(i + 1), z2 = VALUE(i + 2), z3 = VALUE(i + 3);         \
            z[i] = z0;                                                                             \
            z[i + 1] = z1;                                                                         \
            z[i + 2] = z2;                                                                         \
            z[i + 3] = z3;                                                                         \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            z[i] = VALUE(i);                                                                       \
    } while (0)
#define SUM(k) (x[k] + y[k])
#define SUM_OF_MULTIPLE(k) (x[k] + b * y[k])
#define MULTIPLES(k) (c * (a * x[k] + b * y[k]))
#define MULTIPLE(k) (c * x[k])

/* z = c (a x + b y), which may be x or y. */
static void combine(size_t n, double c, double a, const double *x, double b, const double *y,
                    double *z)
{
    if (c == 1 && a == 1 && b == 1)
        FOR_EACH(SUM);
    else if (c == 1 && a == 1)
        FOR_EACH(SUM_OF_MULTIPLE);
    else
        FOR_EACH(MULTIPLES);
}

static void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z)
{
    size_t n = (size_t)N_VGetLength(z);
    const double *from = N_VGetArrayPointer(x), *other = N_VGetArrayPointer(y);
    double *to = N_VGetArrayPointer(z);
    if (a == b || a == -b)
        combine(n, a, 1, from, a == b ? 1 : -1, other, to);
    else
        combine(n, 1, a, from, b, other, to);
}

static void scale(realtype c, N_Vector of, N_Vector to)
{
    size_t n = (size_t)N_VGetLength(to);
    const double *x = N_VGetArrayPointer(of);
    double *z = N_VGetArrayPointer(to);
    FOR_EACH(MULTIPLE);
}

#undef FOR_EACH
#undef SUM
#undef SUM_OF_MULTIPLE
#undef MULTIPLES
#undef MULTIPLE

static void set_all(realtype c, N_Vector z)
{
    size_t n = (size_t)N_VGetLength(z);
    double *to = N_VGetArrayPointer(z);
    if (c == 0)
        memset(to, 0, n * sizeof *to);
    for (size_t i = 0; i < n && c != 0; i++)
        to[i] = c;
}

static realtype mean_norm(N_Vector x, N_Vector weight)
{
    size_t n = (size_t)N_VGetLength(x);
    const double *at = N_VGetArrayPointer(x), *w = N_VGetArrayPointer(weight);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (at[i] * w[i]) * (at[i] * w[i]);
    return sqrt(sum / (double)n);
}

/* Of v, and of vectors made after it. */
static void use_own_operations(N_Vector v)
{
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscale = scale;
    v->ops->nvconst = set_all;
    v->ops->nvwrmsnorm = mean_norm;
}

/* The matrix, of n_own states, and the linear solver. */
static bool open_solver(Sundials *it, bool in_parts)
{
    sunindextype n = (sunindextype)it->n_own;
    const uint32_t *col_start = it->has_form ? it->form.col_start : it->entries.col_start;
    N_Vector of_part = in_parts ? N_VNew_Serial(n, it->context) : NULL;
    N_Vector x = in_parts ? of_part : it->x;
    if (!x)
        return false;
    if (it->has_jacobian && factor_is_sparse(it->n_own, col_start[n])) {
        it->matrix = SUNSparseMatrix(n, n, (sunindextype)col_start[n], CSC_MAT, it->context);
        it->solver = it->matrix ? SUNLinSol_KLU(x, it->matrix, it->context) : NULL;
    } else if (!it->has_jacobian && n > DENSE_MOST) {
        it->solver = SUNLinSol_SPGMR(it->x, SUN_PREC_NONE, 0, it->context);
        in_parts = false;
    } else {
        it->matrix = SUNDenseMatrix(n, n, it->context);
        it->solver = it->matrix ? SUNLinSol_Dense(x, it->matrix, it->context) : NULL;
    }
    if (of_part)
        N_VDestroy(of_part);
    if (it->solver && in_parts) {
        SUNLinearSolver all =
            sundials_parts(&it->run->problem, it->n_own, it->solver, &it->is_alone, it->context);
        it->solver = all ? all : it->solver;
        it->has_jacobian = true;
        return all != NULL;
    }
    return it->solver != NULL;
}

bool sundials_open(Sundials *it, Run *run, bool has_form)
{
    it->run = run;
    it->rejected = run->problem.counts->rejected;
    it->iterations = run->problem.counts->iterations;
    it->jacobians = run->problem.counts->jacobians;
    if (SUNContext_Create(NULL, &it->context))
        return false;
    it->has_form = has_form && residual_form_open(&it->form, run);
    if (has_form && !it->has_form)
        return false;
    sunindextype n = (sunindextype)(it->has_form ? it->form.n : run->problem.n);
    bool own =
        // IDA's states of a mechanism with loops differ from run->x
        it->has_form || run->problem.loops;
    it->x = own ? N_VNew_Serial(n, it->context) : N_VMake_Serial(n, run->x, it->context);
    if (own && it->x)
        memcpy(N_VGetArrayPointer(it->x), run->x, run->problem.n * sizeof *run->x);
    it->xdot = N_VNew_Serial(n, it->context);
    it->f = calloc(2 * (size_t)run->problem.n + 1, sizeof *it->f);
    if (!it->x || !it->xdot || !it->f)
        return false;
    use_own_operations(it->x);
    use_own_operations(it->xdot);
    it->point = it->f + run->problem.n;
    bool in_parts = !has_form && problem_own_states(&run->problem) < run->problem.n;
    it->n_own = in_parts ? problem_own_states(&run->problem) : (uint32_t)n;
    // multipliers of cut loops are functions of the states here, which the model's Jacobian is not
    // of
    it->has_jacobian = has_form ? it->form.r->by_state && run->problem.jacobian != JACOBIAN_DENSE
                                : !run->problem.loops && jacobian_is_sparse(&run->problem);
    if (it->has_jacobian && !has_form &&
        !iteration_matrix_open(&it->entries, &run->problem, it->n_own))
        return it->has_jacobian = false;
    return open_solver(it, in_parts);
}

int sundials_weights(N_Vector x, N_Vector weight, void *user)
{
    const Sundials *it = user;
    const Problem *problem = &it->run->problem;
    const double *at = N_VGetArrayPointer(x), tolerance = sundials_tolerance(it->run);
    double *out = N_VGetArrayPointer(weight);
    uint32_t n = it->has_form ? it->form.n : problem->n, n_own = problem_own_states(problem);
    const Run *run = it->run;
    double looser = run->sensitivity_tolerance / run->tolerance; // 0: these do not count
    for (uint32_t k = 0; k < n; k++)
        out[k] = looser > 0 || k < n_own || k >= problem->n
                     ? 1 / (tolerance *
                            (k < problem->n ? problem_size(problem, k, at[k]) : 1 + fabs(at[k])))
                     : LEAST_WEIGHT;
    for (uint32_t k = n_own; k < problem->n && looser > 0; k++)
        out[k] /= fmax(1, looser);
    // these methods know weights of states alone: each term is as exact as the sum
    const RungSums *sums = problem_sums(problem);
    for (uint32_t k = 0; sums && k < sums->n; k++)
        for (uint32_t i = sums->begin[k]; i < sums->begin[k + 1]; i++) {
            double *weight = &out[sums->state[i]],
                   least = fabs(sums->factor[i]) / rung_sums_error(sums, k, tolerance);
            *weight = isfinite(least) ? fmax(*weight, least) : *weight;
        }
    return 0;
}

/* ---- Newton's method ---- */

/* Minus the residual at x; false if the model fails there. */
static bool evaluate(Sundials *it, N_Vector x, N_Vector to)
{
    SUNNonlinSolSysFn residual = NULL;
    if (SUNNonlinSolGetSysFn_Newton(it->newton, &residual) || residual(x, to, it->memory))
        return false;
    N_VScale(-1, to, to);
    return true;
}

/* Solves the linear system of Newton's method: the residual becomes the correction. */
static bool solve(Sundials *it, N_Vector residual)
{
    const struct _SUNNonlinearSolverContent_Newton *newton = it->newton->content;
    return !newton->LSolve(residual, it->memory);
}

/* Whether the correction at the point beyond is opposed to that at x. */
static bool leads_back(N_Vector at_x, N_Vector beyond, N_Vector weight)
{
    static const double SHARE = 0.1, ALIKE = 0.5;
    const double *a = N_VGetArrayPointer(at_x), *b = N_VGetArrayPointer(beyond);
    const double *w = N_VGetArrayPointer(weight);
    double largest = 0, sum = 0;
    bool changes = true;
    for (sunindextype k = 0; k < N_VGetLength(at_x); k++)
        largest = fmax(largest, fabs(a[k]) * w[k]);
    for (sunindextype k = 0; k < N_VGetLength(at_x); k++) {
        bool counts = fabs(a[k]) * w[k] > SHARE * largest;
        changes = changes && !(counts && b[k] / a[k] > ALIKE);
        sum += (a[k] * w[k]) * (b[k] * w[k]);
    }
    return changes && sum <= 0;
}

/* Whether x is near a solution: the residual changes its sign between x and a point beyond the next
 * correction. A small correction is no proof: with the Jacobian of a steep part of f (dry friction
 * that sticks) corrections are small at points on a flat part, too, far from the solution. The
 * second point is as many corrections away as it takes to exceed rounding errors, and nearer than
 * the tolerance. A residual within the tolerance needs no second point. */
static bool is_near_solution(Sundials *it, N_Vector x, realtype most, N_Vector weight)
{
    static const double SMALL = 1e-9, NEAR = 0.1, LEAST = 10, FAR = 1000;
    N_Vector next = it->trial[0], beyond = it->trial[1];
    if (!evaluate(it, x, next))
        return false;
    if (it->residual_unit > 0 && it->residual_unit * N_VWrmsNorm(next, weight) <= most)
        return true;
    if (!solve(it, next))
        return false;
    double size = N_VWrmsNorm(next, weight);
    if (size <= SMALL * most)
        return true;
    N_VLinearSum(1, x, fmax(LEAST, fmin(FAR, NEAR * most / size)), next, beyond);
    if (!evaluate(it, beyond, it->trial[2]) || !solve(it, it->trial[2]))
        return true;
    return leads_back(next, it->trial[2], weight);
}

/* Derivatives by parameters that do not count in the norm are left out. */
static bool is_solution(Sundials *it, N_Vector x, realtype most, N_Vector weight)
{
    it->is_alone = it->n_own < it->run->problem.n && !(it->run->sensitivity_tolerance > 0);
    bool is_near = is_near_solution(it, x, most, weight);
    it->is_alone = false;
    return is_near;
}

/* Whether Newton's method has converged, by the rate of its corrections (Hairer and Wanner, Solving
 * ODEs II, IV.8). The rate of earlier steps, by which IDA and CVODE judge a first correction, is no
 * measure where this step leaves the steep part of f. */
static int has_converged(SUNNonlinearSolver newton, N_Vector x, N_Vector correction, realtype most,
                         N_Vector weight, void *user)
{
    static const double SLOW = 0.9, ROUNDING = 1e-9; /* of the tolerance */
    Sundials *it = user;
    int round = 0;
    double size = N_VWrmsNorm(correction, weight);
    if (SUNNonlinSolGetCurIter(newton, &round))
        return SUN_NLS_CONV_RECVR;
    it->first = round ? it->first : size;
    if (size <= ROUNDING * most)
        return SUN_NLS_SUCCESS;
    if (!round)
        return SUN_NLS_CONTINUE;
    double rate = pow(size / it->first, 1. / round);
    counts_rate(it->run->problem.counts, rate);
    if (rate > SLOW)
        return SUN_NLS_CONV_RECVR;
    if (rate / (1 - rate) * size > most)
        return SUN_NLS_CONTINUE;
    return is_solution(it, x, most, weight) ? SUN_NLS_SUCCESS : SUN_NLS_CONV_RECVR;
}

bool sundials_newton(Sundials *it)
{
    it->newton = SUNNonlinSol_Newton(it->x, it->context);
    bool ok = it->newton;
    for (int k = 0; k < 3 && ok; k++)
        ok = (it->trial[k] = N_VClone(it->x));
    return ok;
}

int sundials_test_newton(Sundials *it)
{
    return SUNNonlinSolSetConvTestFn(it->newton, has_converged, it);
}

void sundials_close(Sundials *it)
{
    if (it->newton)
        SUNNonlinSolFree(it->newton);
    for (int k = 0; k < 3; k++)
        if (it->trial[k])
            N_VDestroy(it->trial[k]);
    if (it->solver)
        SUNLinSolFree(it->solver);
    if (it->matrix)
        SUNMatDestroy(it->matrix);
    if (it->x)
        N_VDestroy(it->x);
    if (it->xdot)
        N_VDestroy(it->xdot);
    if (it->has_form)
        residual_form_close(&it->form);
    free(it->f);
    free(it->taylor);
    iteration_matrix_close(&it->entries);
    if (it->context)
        SUNContext_Free(&it->context);
    free(it);
}

/* x(end + s) = sum of x^(k) s^k / k!, state by state. */
static bool find_taylor(Sundials *it, int order, double end,
                        int (*derivative)(void *, realtype, int, N_Vector))
{
    enum { MOST = 12 };
    uint32_t n = it->run->problem.n;
    N_Vector v = order < MOST ? N_VClone(it->x) : NULL;
    if (v && !it->taylor)
        it->taylor = malloc(MOST * ((size_t)n + 1) * sizeof *it->taylor);
    bool ok = v && it->taylor;
    double factorial = 1;
    for (int k = 0; k <= order && ok; k++) {
        factorial *= k ? k : 1;
        ok = !derivative(it->memory, end, k, v);
        const double *value = N_VGetArrayPointer(v);
        for (uint32_t i = 0; i < n && ok; i++)
            it->taylor[(size_t)i * ((size_t)order + 1) + (size_t)k] = value[i] / factorial;
    }
    if (v)
        N_VDestroy(v);
    it->n_taylor = ok ? order + 1 : 0;
    it->taylor_t = end;
    return ok;
}

bool sundials_some_at(Sundials *it, int order, double end,
                      int (*derivative)(void *memory, realtype t, int k, N_Vector value), double t,
                      uint32_t n, const uint32_t *state, double *x)
{
    if (it->run->problem.loops || (!it->n_taylor && !find_taylor(it, order, end, derivative)))
        return false;
    double s = t - it->taylor_t;
    for (uint32_t i = 0; i < n; i++) {
        const double *c = it->taylor + (size_t)state[i] * (size_t)it->n_taylor;
        double sum = 0;
        for (int k = it->n_taylor; k-- > 0;)
            sum = sum * s + c[k];
        x[state[i]] = sum;
    }
    return true;
}

void sundials_put(uint32_t n, const uint32_t *col_start, const uint32_t *row, const double *entry,
                  SUNMatrix matrix)
{
    if (SUNMatGetID(matrix) == SUNMATRIX_SPARSE) {
        sunindextype *start = SUNSparseMatrix_IndexPointers(matrix);
        sunindextype *place = SUNSparseMatrix_IndexValues(matrix);
        for (uint32_t c = 0; c <= n; c++)
            start[c] = col_start[c];
        for (uint32_t e = 0; e < col_start[n]; e++)
            place[e] = row[e];
        memcpy(SUNSparseMatrix_Data(matrix), entry, col_start[n] * sizeof *entry);
        return;
    }
    SUNMatZero(matrix);
    for (uint32_t c = 0; c < n; c++) {
        double *column = SUNDenseMatrix_Column(matrix, (sunindextype)c);
        for (uint32_t e = col_start[c]; e < col_start[c + 1]; e++)
            column[row[e]] = entry[e];
    }
}

int sundials_own_xdot(Sundials *it, double t, const double *x, double *xdot)
{
    Problem *problem = &it->run->problem;
    int status = problem->loops ? loop_tangents_own_xdot(problem, t, x, xdot) : 1;
    return status > 0 ? problem_own_xdot(problem, t, x, xdot) : status;
}

/* By differences, column after column, of the model's own part. */
static int dense_jacobian(Sundials *it, double t, const double *x, double shift, double scale,
                          SUNMatrix matrix)
{
    Problem *problem = &it->run->problem;
    uint32_t n = it->n_own, all = problem->n;
    double *work = malloc((3 * (size_t)all + 1) * sizeof *work);
    double *moved = work, *f = work + all, *g = f + all;
    if (!work)
        return -1;
    problem->counts->jacobians++;
    memcpy(moved, x, all * sizeof *x);
    int status = sundials_own_xdot(it, t, x, f);
    for (uint32_t c = 0; c < n && !status; c++) {
        double *column = SUNDenseMatrix_Column(matrix, (sunindextype)c);
        moved[c] += sqrt(DBL_EPSILON) * fmax(fabs(x[c]), problem->model->nominal[c]);
        status = sundials_own_xdot(it, t, moved, g);
        for (uint32_t r = 0; r < n; r++)
            column[r] = (r == c ? shift : 0) + scale * (g[r] - f[r]) / (moved[c] - x[c]);
        moved[c] = x[c];
    }
    free(work);
    return status;
}

int sundials_jacobian(Sundials *it, double t, const double *x, double shift, double scale,
                      SUNMatrix matrix)
{
    const IterationMatrix *m = &it->entries;
    if (!m->n)
        return dense_jacobian(it, t, x, shift, scale, matrix);
    int status = iteration_matrix_renew(&it->entries, &it->run->problem, t, x);
    if (!status)
        sundials_put(m->n, m->col_start, m->row,
                     iteration_matrix_entries(&it->entries, shift, scale), matrix);
    return status;
}
