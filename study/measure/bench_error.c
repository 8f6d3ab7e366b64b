/* How exact the results of a task are: against those of another way to them. */
#include "study/measure/bench.h"

#include "runtime/kernel/rung_lu.h"

#include <math.h>
#include <stdlib.h>

/* Largest difference of n numbers against the largest of the first. */
static double difference(const double *a, const double *b, uint32_t n)
{
    double most = 0, size = 0;
    for (uint32_t k = 0; k < n; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
        size = fmax(size, fabs(a[k]));
    }
    return size > 0 ? most / size : most;
}

/* Tearing variables at a state, as the explicit form has them. */
static int find_torn(Bench *b, uint32_t state)
{
    const RungResidual *r = b->model->residual;
    int status = b->model->outputs(b->ctx, b->t, b->x[state], b->values);
    for (uint32_t k = 0; k < r->n && !status; k++)
        b->input[k] = rung_value(b->ctx, r->variable[k], b->t, b->x[state], b->values);
    return status;
}

/* The residuals at the solution, relative to those with all tearing variables zero. */
double bench_residual_error(Bench *b, uint32_t state)
{
    const RungResidual *r = b->model->residual;
    double *zero = calloc(r->n + (size_t)1, sizeof *zero);
    int status = zero ? find_torn(b, state) : -1;
    if (!status)
        status = r->residual(b->ctx, b->t, b->x[state], b->input, b->other) ||
                 r->residual(b->ctx, b->t, b->x[state], zero, b->out);
    for (uint32_t k = 0; k < r->n && !status; k++)
        b->other[k] += b->out[k];
    free(zero);
    return status ? NAN : difference(b->out, b->other, r->n);
}

/* The matrix that `entries` writes to `entry`, times a vector, against central differences of the
 * rows along it. */
static double matrix_error(Bench *b, uint32_t state, const RungPattern *p, BenchEvaluate entries,
                           const double *entry, BenchEvaluate rows, double *at)
{
    static const double STEP = 1e-5; // truncation and rounding are both about 1e-10
    uint32_t m = p->n_rows, n = p->n_cols;
    double *work = calloc(2 * (size_t)n + 2 * (size_t)m + 1, sizeof *work);
    if (!work || entries(b, state)) {
        free(work);
        return NAN;
    }
    double *kept = work, *along = kept + n, *product = along + n, *slope = product + m;
    uint64_t seed = 1;
    for (uint32_t c = 0; c < n; c++) {
        kept[c] = at[c];
        along[c] = bench_noise(&seed) * fmin(fmax(fabs(at[c]), 1), 1e100);
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            product[p->row[e]] += entry[e] * along[c];
    }
    int status = 0;
    for (int side = -1; side <= 1; side += 2) {
        for (uint32_t c = 0; c < n; c++)
            at[c] = kept[c] + side * STEP * along[c];
        status |= rows(b, state);
        for (uint32_t k = 0; k < m; k++)
            slope[k] += side * b->out[k] / (2 * STEP);
    }
    memcpy(at, kept, n * sizeof *at);
    double error = status ? NAN : difference(product, slope, m);
    free(work);
    return error;
}

static int evaluate_form(Bench *b, uint32_t state)
{
    const RungResidual *r = b->model->residual;
    int status = r->residual(b->ctx, b->t, b->x[state], b->input, b->out);
    return status ? status : r->rates(b->ctx, b->t, b->x[state], b->input, b->out + r->n);
}

double bench_by_torn_error(Bench *b, uint32_t state)
{
    return find_torn(b, state)
               ? NAN
               : matrix_error(b, state, &b->model->residual->by_torn_pattern,
                              bench_residual_by_torn, b->out, evaluate_form, b->input);
}

double bench_by_state_error(Bench *b, uint32_t state)
{
    return find_torn(b, state)
               ? NAN
               : matrix_error(b, state, &b->model->residual->by_state_pattern,
                              bench_residual_by_state, b->out, evaluate_form, b->x[state]);
}

double bench_analytic_error(Bench *b, uint32_t state)
{
    return matrix_error(b, state, &b->model->jacobian->pattern, bench_analytic, b->out,
                        bench_jacobian_rows, b->x[state]);
}

double bench_extended_error(Bench *b, uint32_t state)
{
    bench_give_newton(b, state);
    return matrix_error(b, state, &b->model->newton->pattern, bench_extended_whole, b->matrix,
                        bench_extended_rows, b->z[state]);
}

/* The entries by differences (in b->out) against the analytic ones. */
static double differences_error(Bench *b, uint32_t state, const RungPattern *p,
                                BenchEvaluate analytic, const double *entry,
                                BenchEvaluate differences)
{
    uint32_t n = p->col_start[p->n_cols];
    double *exact = calloc(n + (size_t)1, sizeof *exact);
    int status = exact ? analytic(b, state) : -1;
    if (!status) {
        memcpy(exact, entry, n * sizeof *exact);
        status = differences(b, state);
    }
    double error = status ? NAN : difference(exact, b->out, n);
    free(exact);
    return error;
}

/* Increments of derivatives by the library against those of the straight-line code. */
static double library_error(Bench *b, uint32_t state, BenchEvaluate task)
{
    const RungNewton *w = b->model->newton;
    uint32_t n = b->model->n_states, found = 0;
    if (task(b, state))
        return NAN;
    const double *z = b->out;
    double *by_library = b->other, *by_step = b->other + n;
    for (uint32_t k = 0; k < n; k++)
        if (w->rate[k] != RUNG_NONE)
            by_library[found++] = z[w->rate[k]] * BENCH_GAMMA;
    if (bench_newton(b, state))
        return NAN;
    found = 0;
    for (uint32_t k = 0; k < n; k++)
        if (w->rate[k] != RUNG_NONE)
            by_step[found++] = b->out[k];
    return found > 0 ? difference(by_step, by_library, found) : NAN;
}

double bench_cxsparse_error(Bench *b, uint32_t state)
{
    return library_error(b, state, bench_newton_cxsparse);
}

double bench_klu_error(Bench *b, uint32_t state)
{
    return library_error(b, state, bench_newton_klu);
}

static double jacobian_error(Bench *b, uint32_t state, BenchEvaluate differences)
{
    return bench_has_jacobian(b->model) ? differences_error(b, state, &b->model->jacobian->pattern,
                                                            bench_analytic, b->out, differences)
                                        : NAN;
}

double bench_coloured_error(Bench *b, uint32_t state)
{
    return jacobian_error(b, state, bench_coloured);
}

double bench_dense_error(Bench *b, uint32_t state)
{
    return jacobian_error(b, state, bench_dense);
}

double bench_extended_coloured_error(Bench *b, uint32_t state)
{
    return differences_error(b, state, &b->model->newton->pattern, bench_extended_whole, b->matrix,
                             bench_extended_coloured);
}

double bench_extended_dense_error(Bench *b, uint32_t state)
{
    return differences_error(b, state, &b->model->newton->pattern, bench_extended_whole, b->matrix,
                             bench_extended_dense);
}
