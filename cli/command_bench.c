/* rung bench: translate, compile, and measure how long an evaluation of the model takes.
 *
 * Measured is at states near the start of a run, a different one each time, so that neither a
 * nonlinear block starts from its solution nor a constant is predicted. Of many batches the
 * fastest counts: what disturbs a measurement makes it longer, never shorter.
 */
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/library_lu.h"
#include "cli/newton.h"
#include "cli/residual.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "emit/model/build.h"
#include "runtime/context.h"
#include "runtime/dense.h"
#include "runtime/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BENCH_NODES = 100000, /* of the expressions of a Jacobian, at most */
    STATES = 8,           /* different states                             */
    BATCHES = 400,        /* per measurement, at most                     */
    MIN_BATCHES = 5,      /* also where one evaluation is long            */
    MAX_SHRINKS = 30,     /* of the distance from the start               */
};
static const double BATCH_SECONDS = 1e-3, TOTAL_SECONDS = 0.4;
static const double GAMMA = 5e-4; /* of an implicit step */

/* What is measured: one model at a few states. */
typedef struct Bench {
    const RungModel *model;
    RungContext *ctx;
    double t;
    double *x[STATES];
    uint32_t turn;       /* evaluations so far */
    double *out, *other; /* as long as the longest result */
    double *input;       /* of the residual form: what its tearing variables are */
    double *values;      /* n_values                      */
    double *matrix;    /* of a Newton iteration, what parameters settle being there; right sides */
    double *z[STATES]; /* its unknowns, then the derivatives of the states */
    LibraryLu *lu[LIBRARIES];
    double *dense; /* n_states squared */
    uint32_t *pivot;
    double *size;
    bool csv;
    const char *error;
} Bench;

/* What the command line asks for. NULL: everything there is. */
typedef struct Wanted {
    const char *what;     /* a list                           */
    const char *jacobian; /* one of its variants, or "all" */
} Wanted;

typedef int (*Task)(Bench *b, uint32_t state);

typedef struct Timing {
    double best, median; /* ns per evaluation */
} Timing;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds for n evaluations; negative if one fails. */
static double run_batch(Bench *b, Task evaluate, uint64_t n)
{
    int status = 0;
    double begun = now();
    for (uint64_t k = 0; k < n; k++)
        status |= evaluate(b, b->turn++ % STATES);
    double seconds = now() - begun;
    return status ? -1 : seconds;
}

static bool measure(Bench *b, Task evaluate, Timing *out)
{
    /* as many evaluations as make a batch long against the clock, but no more: what disturbs takes
     * its time by milliseconds. All code is warm by then */
    uint64_t n = 1;
    double seconds;
    while ((seconds = run_batch(b, evaluate, n)) >= 0 && seconds < BATCH_SECONDS)
        n *= 2;
    double batch[BATCHES], total = 0;
    int batches = 0;
    while (seconds >= 0 && batches < BATCHES && (total < TOTAL_SECONDS || batches < MIN_BATCHES)) {
        seconds = run_batch(b, evaluate, n);
        total += seconds;
        batch[batches++] = 1e9 * seconds / (double)n;
    }
    if (seconds < 0)
        return false;
    qsort(batch, (size_t)batches, sizeof *batch, by_value);
    *out = (Timing){batch[0], batch[batches / 2]};
    return true;
}

/* Between -1 and 1, the same in every run. */
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*seed >> 32) / 2147483648.0;
}

static double *copied(double *to, const double *from, uint32_t n)
{
    return n ? memcpy(to, from, n * sizeof *to) : to;
}

/* ------------------------------------------------------------------ what can be evaluated */

static int evaluate_xdot(Bench *b, uint32_t state)
{
    return b->model->xdot(b->ctx, b->t, b->x[state], b->out);
}

static int evaluate_residual(Bench *b, uint32_t state)
{
    return b->model->residual->residual(b->ctx, b->t, b->x[state], b->input, b->out);
}

static int evaluate_residual_by_torn(Bench *b, uint32_t state)
{
    return b->model->residual->by_torn(b->ctx, b->t, b->x[state], b->input, b->out);
}

static int evaluate_residual_by_state(Bench *b, uint32_t state)
{
    return b->model->residual->by_state(b->ctx, b->t, b->x[state], b->input, b->out);
}

static int evaluate_analytic(Bench *b, uint32_t state)
{
    return b->model->jacobian->entries(b->ctx, b->t, b->x[state], b->out);
}

/* What an iteration is given, at a state: a step of length 2 gamma that ends there. */
static void give_newton(Bench *b, uint32_t state)
{
    const RungNewton *w = b->model->newton;
    uint32_t n = b->model->n_states, m = (w->n - 2 - n) / 2;
    const double *rate = b->z[state] + w->pattern.n_cols;
    double *u = b->ctx->u + w->first;
    u[0] = GAMMA;
    u[1] = 1;
    for (uint32_t k = 0; k < n; k++)
        u[2 + k] = b->x[state][k] - GAMMA * rate[k];
    for (uint32_t k = 0; k < m; k++)
        u[2 + n + k] = 1;
}

/* The unknowns there, if derivatives that nothing determines are a little of the states. */
static int find_unknowns(Bench *b, uint32_t state)
{
    const RungNewton *w = b->model->newton;
    double *rate = b->z[state] + w->pattern.n_cols;
    for (uint32_t k = 0; k < b->model->n_states; k++)
        rate[k] = 0.2 * b->x[state][k];
    give_newton(b, state);
    return w->point(b->ctx, b->t, b->x[state], b->z[state]);
}

/* A matrix of derivatives, by what and of what. */
typedef struct Slope {
    const RungPattern *pattern;
    double *by;            /* n_cols */
    const double *nominal; /* NULL: 1 */
    int (*rows)(Bench *b, uint32_t state, double *out);
} Slope;

/* What the Jacobian is that of: derivatives of the states, and behind them the balances of cut
 * loops, with the multipliers as they are. */
static int jacobian_rows(Bench *b, uint32_t state, double *out)
{
    const RungModel *m = b->model;
    int status = m->xdot(b->ctx, b->t, b->x[state], out);
    if (m->loops && m->loops->n_free)
        status |= m->loops->balance(b->ctx, b->t, b->x[state], out + m->n_states);
    return status;
}

/* With b as it was given. */
static int extended_rows(Bench *b, uint32_t state, double *out)
{
    return b->model->newton->form(b->ctx, b->t, b->x[state], b->z[state], out);
}

static Slope jacobian_slope(const Bench *b, uint32_t state)
{
    return (Slope){b->model->jacobian ? &b->model->jacobian->pattern : NULL, b->x[state],
                   b->model->nominal, jacobian_rows};
}

static Slope extended_slope(Bench *b, uint32_t state)
{
    give_newton(b, state);
    return (Slope){&b->model->newton->pattern, b->z[state], NULL, extended_rows};
}

static int evaluate_jacobian_rows(Bench *b, uint32_t state)
{
    return jacobian_rows(b, state, b->out);
}

static int evaluate_extended_rows(Bench *b, uint32_t state)
{
    return extended_rows(b, state, b->out);
}

/* The step that balances rounding and truncation of a forward difference. */
static double difference_step(const double *nominal, uint32_t k, double x)
{
    return 1.5e-8 * fmax(fabs(x), nominal ? nominal[k] : 1);
}

/* Finite differences, columns of one colour at once. */
static int difference_colours(Bench *b, uint32_t state, Slope s)
{
    const RungPattern *p = s.pattern;
    double *x = s.by, *f = b->other, *g = f + p->n_rows, *kept = g + p->n_rows;
    int status = s.rows(b, state, f);
    for (uint32_t c = 0; c < p->n_colours; c++) {
        for (uint32_t k = 0; k < p->n_cols; k++)
            if (p->colour[k] == c) {
                kept[k] = x[k];
                x[k] += difference_step(s.nominal, k, x[k]);
            }
        status |= s.rows(b, state, g);
        for (uint32_t k = 0; k < p->n_cols; k++)
            if (p->colour[k] == c) {
                double h = x[k] - kept[k];
                x[k] = kept[k];
                for (uint32_t e = p->col_start[k]; e < p->col_start[k + 1]; e++)
                    b->out[e] = (g[p->row[e]] - f[p->row[e]]) / h;
            }
    }
    return status;
}

/* Finite differences, column by column; no pattern is needed, what is kept is that of the entries,
 * if there is one. */
static int difference_columns(Bench *b, uint32_t state, Slope s, uint32_t rows, uint32_t n)
{
    const RungPattern *p = s.pattern;
    double *x = s.by, *f = b->other, *g = f + rows;
    int status = s.rows(b, state, f);
    for (uint32_t k = 0; k < n; k++) {
        double kept = x[k];
        x[k] += difference_step(s.nominal, k, kept);
        status |= s.rows(b, state, g);
        double h = x[k] - kept;
        x[k] = kept;
        for (uint32_t i = 0; i < rows; i++)
            g[i] = (g[i] - f[i]) / h;
        for (uint32_t e = p ? p->col_start[k] : 0; p && e < p->col_start[k + 1]; e++)
            b->out[e] = g[p->row[e]];
    }
    return status;
}

static int evaluate_coloured(Bench *b, uint32_t state)
{
    return difference_colours(b, state, jacobian_slope(b, state));
}

static int evaluate_dense(Bench *b, uint32_t state)
{
    const RungModel *m = b->model;
    uint32_t rows = m->n_states + (m->loops ? m->loops->n_free : 0);
    return difference_columns(b, state, jacobian_slope(b, state), rows, m->n_states);
}

static int evaluate_extended(Bench *b, uint32_t state)
{
    give_newton(b, state);
    return b->model->newton->entries(b->ctx, b->t, b->x[state], b->out);
}

/* Puts what was found into the matrix. */
static void assemble(Bench *b, uint32_t n, const uint32_t *place)
{
    for (uint32_t k = 0; k < n; k++)
        b->matrix[place[k]] = b->out[k];
}

static int evaluate_extended_whole(Bench *b, uint32_t state)
{
    int status = evaluate_extended(b, state);
    assemble(b, b->model->newton->n_entries, b->model->newton->entry_place);
    return status;
}

static int evaluate_extended_coloured(Bench *b, uint32_t state)
{
    return difference_colours(b, state, extended_slope(b, state));
}

static int evaluate_extended_dense(Bench *b, uint32_t state)
{
    const RungPattern *p = &b->model->newton->pattern;
    return difference_columns(b, state, extended_slope(b, state), p->n_rows, p->n_cols);
}

static int evaluate_newton(Bench *b, uint32_t state)
{
    give_newton(b, state);
    return b->model->newton->step(b->ctx, b->t, b->x[state], b->out);
}

static int evaluate_newton_matrix(Bench *b, uint32_t state)
{
    give_newton(b, state);
    int status = b->model->newton->matrix(b->ctx, b->t, b->x[state], b->out);
    assemble(b, b->model->newton->n_matrix, b->model->newton->place);
    return status;
}

/* The same equations by a library, its symbolic part being done. */
static int solve_newton(Bench *b, uint32_t state, LibraryKind kind)
{
    const RungPattern *p = &b->model->newton->pattern;
    int status = evaluate_newton_matrix(b, state);
    if (!b->lu[kind] && !status)
        b->lu[kind] = library_lu_new(kind, p->n_cols, p->col_start, p->row, b->matrix);
    if (status || !b->lu[kind])
        return -1;
    copied(b->out, b->matrix + p->col_start[p->n_cols], p->n_rows); // solving changes it
    return !library_lu_solve(b->lu[kind], b->matrix, b->out);
}

static int evaluate_newton_cxsparse(Bench *b, uint32_t state)
{
    return solve_newton(b, state, LIBRARY_CXSPARSE);
}

static int evaluate_newton_klu(Bench *b, uint32_t state)
{
    return solve_newton(b, state, LIBRARY_KLU);
}

/* 1 - gamma d xdot/dx by differences, in full, factored in full. */
static int evaluate_newton_dense(Bench *b, uint32_t state)
{
    uint32_t n = b->model->n_states;
    double *x = b->x[state], *f = b->other, *a = b->dense;
    int status = b->model->xdot(b->ctx, b->t, x, f);
    for (uint32_t k = 0; k < n; k++) {
        double keep = x[k], *column = a + (size_t)k * n;
        x[k] += difference_step(b->model->nominal, k, keep);
        status |= b->model->xdot(b->ctx, b->t, x, column);
        double h = x[k] - keep;
        x[k] = keep;
        for (uint32_t i = 0; i < n; i++)
            column[i] = (i == k) - GAMMA * (column[i] - f[i]) / h;
    }
    status |= dense_factor(n, a, b->pivot, b->size) >= 0;
    dense_solve(n, a, b->pivot, f);
    return status;
}

// clang-format off
static bool has_extended(const RungModel *m) { return m->newton && m->newton->entries; }
static bool has_newton(const RungModel *m) { return has_extended(m) && m->newton->step; }
static bool has_klu(const RungModel *m) { return has_newton(m) && library_lu_exists(LIBRARY_KLU); }
static bool has_tangent(const RungModel *m) { return has_newton(m) && !m->loops; }
static bool always(const RungModel *m) { return m->n_states > 0; }
static bool has_residual(const RungModel *m) { return m->residual && m->residual->n > 0; }
static bool has_slope(const RungModel *m) { return has_residual(m) && m->residual->by_torn; }
static bool has_jacobian(const RungModel *m) { return m->jacobian && m->jacobian->entries; }
static bool has_colours(const RungModel *m) { return m->jacobian && m->jacobian->pattern.colour; }

// clang-format on

/* ------------------------------------------------------------------ how exact they are */

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

/* What is left of the residuals there, against what they are where the tearing variables are zero.
 */
static double residual_error(Bench *b, uint32_t state)
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
static double matrix_error(Bench *b, uint32_t state, const RungPattern *p, Task entries,
                           const double *entry, Task rows, double *at)
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
        along[c] = noise(&seed) * fmin(fmax(fabs(at[c]), 1), 1e100);
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

static double by_torn_error(Bench *b, uint32_t state)
{
    return find_torn(b, state)
               ? NAN
               : matrix_error(b, state, &b->model->residual->by_torn_pattern,
                              evaluate_residual_by_torn, b->out, evaluate_form, b->input);
}

static double by_state_error(Bench *b, uint32_t state)
{
    return find_torn(b, state)
               ? NAN
               : matrix_error(b, state, &b->model->residual->by_state_pattern,
                              evaluate_residual_by_state, b->out, evaluate_form, b->x[state]);
}

static double analytic_error(Bench *b, uint32_t state)
{
    return matrix_error(b, state, &b->model->jacobian->pattern, evaluate_analytic, b->out,
                        evaluate_jacobian_rows, b->x[state]);
}

static double extended_error(Bench *b, uint32_t state)
{
    give_newton(b, state);
    return matrix_error(b, state, &b->model->newton->pattern, evaluate_extended_whole, b->matrix,
                        evaluate_extended_rows, b->z[state]);
}

/* The entries by differences (in b->out) against the analytic ones. */
static double differences_error(Bench *b, uint32_t state, const RungPattern *p, Task analytic,
                                const double *entry, Task differences)
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
static double library_error(Bench *b, uint32_t state, Task task)
{
    const RungNewton *w = b->model->newton;
    uint32_t n = b->model->n_states, found = 0;
    if (task(b, state))
        return NAN;
    const double *z = b->out;
    double *by_library = b->other, *by_step = b->other + n;
    for (uint32_t k = 0; k < n; k++)
        if (w->rate[k] != RUNG_NONE)
            by_library[found++] = z[w->rate[k]] * GAMMA;
    if (evaluate_newton(b, state))
        return NAN;
    found = 0;
    for (uint32_t k = 0; k < n; k++)
        if (w->rate[k] != RUNG_NONE)
            by_step[found++] = b->out[k];
    return found > 0 ? difference(by_step, by_library, found) : NAN;
}

static double cxsparse_error(Bench *b, uint32_t state)
{
    return library_error(b, state, evaluate_newton_cxsparse);
}

static double klu_error(Bench *b, uint32_t state)
{
    return library_error(b, state, evaluate_newton_klu);
}

static double jacobian_error(Bench *b, uint32_t state, Task differences)
{
    return has_jacobian(b->model) ? differences_error(b, state, &b->model->jacobian->pattern,
                                                      evaluate_analytic, b->out, differences)
                                  : NAN;
}

static double coloured_error(Bench *b, uint32_t state)
{
    return jacobian_error(b, state, evaluate_coloured);
}

static double dense_error(Bench *b, uint32_t state)
{
    return jacobian_error(b, state, evaluate_dense);
}

static double extended_coloured_error(Bench *b, uint32_t state)
{
    return differences_error(b, state, &b->model->newton->pattern, evaluate_extended_whole,
                             b->matrix, evaluate_extended_coloured);
}

static double extended_dense_error(Bench *b, uint32_t state)
{
    return differences_error(b, state, &b->model->newton->pattern, evaluate_extended_whole,
                             b->matrix, evaluate_extended_dense);
}

// clang-format off
/* `size` is what the time is divided by: states, or inputs of the residual. */
static const struct Measurement {
    const char *what, *variant, *text;
    bool of_residual;
    bool (*exists)(const RungModel *m);
    Task evaluate;
    double (*error)(Bench *b, uint32_t state); /* NULL: there is nothing to compare with */
} measurements[] = {
    {"xdot",     "explicit", "derivatives of the states", false, always, evaluate_xdot, NULL},
    {"residual", "inverse",  "residual form, torn variables as inputs", true, has_residual,
     evaluate_residual, residual_error},
    {"residual", "by_torn",  "its derivatives by the torn variables", true, has_slope,
     evaluate_residual_by_torn, by_torn_error},
    {"residual", "by_state", "its derivatives by the states", true, has_slope,
     evaluate_residual_by_state, by_state_error},
    {"jacobian", "analytic", "derivatives by the states, generated", false, has_jacobian,
     evaluate_analytic, analytic_error},
    {"jacobian", "coloured", "the same by differences, many columns at once", false, has_colours,
     evaluate_coloured, coloured_error},
    {"jacobian", "dense",    "the same by differences, column by column", false, always,
     evaluate_dense, dense_error},
    {"extended", "analytic", "derivatives with frames as unknowns, generated", false, has_extended,
     evaluate_extended, extended_error},
    {"extended", "equations", "the equations themselves", false, has_extended,
     evaluate_extended_rows, NULL},
    {"extended", "coloured", "derivatives by differences, many columns at once", false,
     has_extended, evaluate_extended_coloured, extended_coloured_error},
    {"extended", "dense",    "the same by differences, column by column", false, has_extended,
     evaluate_extended_dense, extended_dense_error},
    {"newton",   "straight", "an implicit step's iteration, generated", false, has_newton,
     evaluate_newton, NULL},
    {"newton",   "matrix",   "the entries of its equations alone", false, has_newton,
     evaluate_newton_matrix, NULL},
    {"newton",   "cxsparse", "entries, and LU and solution by CXSparse", false, has_newton,
     evaluate_newton_cxsparse, cxsparse_error},
    {"newton",   "klu",      "entries, and LU and solution by KLU", false, has_klu,
     evaluate_newton_klu, klu_error},
    {"newton",   "dense",    "differences of xdot, dense LU", false, has_tangent,
     evaluate_newton_dense, NULL},
};
// clang-format on
enum { MEASUREMENTS = sizeof measurements / sizeof *measurements };

/* ------------------------------------------------------------------ states to measure at */

/* States around x at which the model can be evaluated: the distance shrinks until it can. */
static bool choose_states(Bench *b, const double *x)
{
    double distance = 0.1;
    for (int tries = 0; tries <= MAX_SHRINKS; tries++, distance /= 2) {
        uint64_t seed = 1;
        bool good = true;
        for (uint32_t s = 0; good && s < STATES; s++) {
            for (uint32_t k = 0; k < b->model->n_states; k++) {
                double size = fmin(fmax(fabs(x[k]), b->model->nominal[k]), 1e100);
                b->x[s][k] = x[k] + distance * size * noise(&seed);
            }
            good = b->model->xdot(b->ctx, b->t, b->x[s], b->out) == 0;
            for (uint32_t k = 0; good && k < b->model->n_states; k++)
                good = isfinite(b->out[k]);
        }
        if (good)
            return true;
    }
    b->error = "the derivatives cannot be evaluated near the start of a run";
    return false;
}

/* An instance as the run has it after its start, and room for all results. */
static bool bench_open(Bench *b, const RungContext *run, double t, const double *x)
{
    const RungModel *m = b->model = run->model;
    b->ctx = context_new(m);
    b->t = t;
    size_t most = 3 * (size_t)m->n_states + (m->loops ? 2 * (size_t)m->loops->n_free : 0);
    if (m->jacobian) {
        const RungPattern *p = &m->jacobian->pattern;
        size_t n = p->col_start[p->n_cols];
        most = n > most ? n : most;
    }
    if (m->residual) {
        const RungPattern *p[] = {&m->residual->by_torn_pattern, &m->residual->by_state_pattern};
        size_t rows = (size_t)m->residual->n + m->residual->n_rates;
        most = rows > most ? rows : most;
        for (int k = 0; k < 2; k++) {
            size_t n = p[k]->col_start ? p[k]->col_start[p[k]->n_cols] : 0;
            most = n > most ? n : most;
        }
    }
    if (has_extended(m)) {
        const RungPattern *p = &m->newton->pattern;
        size_t entries = p->col_start[p->n_cols] + (size_t)p->n_rows;
        size_t work = 3 * (size_t)p->n_rows; // it is square
        most = entries > most ? entries : most;
        most = work > most ? work : most;
        b->matrix = calloc(entries + 1, sizeof *b->matrix);
        for (uint32_t s = 0; s < STATES; s++)
            b->z[s] = calloc(p->n_cols + (size_t)m->n_states + 1, sizeof(double));
    }
    if (has_tangent(m)) {
        b->dense = calloc((size_t)m->n_states * m->n_states, sizeof *b->dense);
        b->pivot = calloc(m->n_states, sizeof *b->pivot);
        b->size = calloc(m->n_states, sizeof *b->size);
    }
    b->out = calloc(most + 1, sizeof *b->out);
    b->other = calloc(most + 1, sizeof *b->other);
    b->input = calloc(most + 1, sizeof *b->input);
    b->values = calloc(m->n_values + (size_t)1, sizeof *b->values);
    bool ok = b->ctx && b->out && b->other && b->input && b->values;
    ok = ok && (!has_extended(m) || b->matrix);
    ok = ok && (!has_tangent(m) || (b->dense && b->pivot && b->size));
    for (uint32_t s = 0; s < STATES; s++) {
        b->x[s] = calloc(m->n_states + (size_t)1, sizeof(double));
        ok = ok && b->x[s] && (!has_extended(m) || b->z[s]);
    }
    if (!ok) {
        b->error = "out of memory";
        return false;
    }
    copied(b->ctx->p, run->p, m->n_parameters);
    copied(b->ctx->c, run->c, m->n_constants);
    // what is remembered between events stands behind the inputs
    copied(b->ctx->u, run->u, m->n_inputs + (m->event ? m->event->n_memory : 0));
    copied(b->ctx->z, run->z, m->n_unknowns);
    memcpy(b->ctx->is_set, run->is_set, m->n_parameters);
    if (!choose_states(b, x))
        return false;
    if (!has_extended(m))
        return true;
    int status = m->newton->settled(b->ctx, b->matrix);
    for (uint32_t s = 0; s < STATES; s++)
        status |= find_unknowns(b, s);
    if (status)
        b->error = "the equations of an implicit step cannot be evaluated near the start of a run";
    return !status;
}

static void bench_close(Bench *b)
{
    for (uint32_t s = 0; s < STATES; s++) {
        free(b->x[s]);
        free(b->z[s]);
    }
    free(b->out);
    free(b->other);
    free(b->input);
    free(b->values);
    free(b->matrix);
    free(b->dense);
    free(b->pivot);
    free(b->size);
    for (int k = 0; k < LIBRARIES; k++)
        library_lu_free(b->lu[k]);
    context_free(b->ctx);
}

/* ------------------------------------------------------------------ the command */

/* Whether the list a,b,c has the word. NULL has every word. */
static bool lists(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *c = list; c; c = strchr(c, ',')) {
        c += *c == ',';
        if (strncmp(c, word, n) == 0 && (c[n] == 0 || c[n] == ','))
            return true;
    }
    return !list;
}

/* Every word of the list is something that can be measured. */
static bool what_known(const char *list)
{
    for (const char *c = list; c;) {
        size_t n = strcspn(c, ",");
        bool known = false;
        for (int k = 0; k < MEASUREMENTS; k++)
            known |= strlen(measurements[k].what) == n && !strncmp(measurements[k].what, c, n);
        if (!known) {
            fprintf(stderr,
                    "rung: --what does not know '%.*s'; it takes xdot, residual, jacobian, "
                    "extended, newton\n",
                    (int)n, c);
            return false;
        }
        c = c[n] ? c + n + 1 : NULL;
    }
    return true;
}

static bool is_difference(const struct Measurement *it)
{
    return strcmp(it->variant, "coloured") == 0 || strcmp(it->variant, "dense") == 0;
}

/* Of derivatives the variants asked for; differences of many equations only then. */
static bool wanted(Wanted w, const struct Measurement *it)
{
    bool extended = strcmp(it->what, "extended") == 0;
    if (!lists(w.what, it->what))
        return false;
    if (!w.jacobian)
        return !extended || !is_difference(it);
    bool has_variants =
        strcmp(it->what, "jacobian") == 0 || (extended && strcmp(it->variant, "equations") != 0);
    return !has_variants || strcmp(w.jacobian, "all") == 0 || strcmp(it->variant, w.jacobian) == 0;
}

/* What is asked for by name must be there in at least one variant. */
static bool has_all(const RungModel *m, Wanted w)
{
    for (int k = 0; w.what && k < MEASUREMENTS; k++) {
        const char *what = measurements[k].what;
        bool exists = !lists(w.what, what);
        for (int i = 0; i < MEASUREMENTS; i++)
            exists |= strcmp(measurements[i].what, what) == 0 && wanted(w, &measurements[i]) &&
                      measurements[i].exists(m);
        if (!exists) {
            fprintf(stderr, "rung: the generated model has no %s\n", what);
            return false;
        }
    }
    return true;
}

/* The largest over all states. */
static const char *error_text(Bench *b, const struct Measurement *it, char text[32])
{
    double error = 0;
    for (uint32_t s = 0; it->error && s < STATES; s++) {
        double e = it->error(b, s);
        error = isnan(e) ? e : fmax(error, e);
    }
    if (!it->error || isnan(error))
        strcpy(text, b->csv ? "" : "-");
    else
        snprintf(text, 32, "%.1e", error);
    return text;
}

static Exit print_measurements(Bench *b, Wanted w)
{
    if (!has_all(b->model, w))
        return EXIT_MODEL;
    Exit status = EXIT_GOOD;
    bool errors = w.jacobian && strcmp(w.jacobian, "all") == 0; // programs rely on four columns
    if (b->csv)
        printf("what,variant,ns,size%s\n", errors ? ",error" : "");
    else
        printf("%-10s%-11s%11s%12s%12s%9s%11s\n", "what", "variant", "ns", "ns each", "median ns",
               "size", "error");
    for (int k = 0; k < MEASUREMENTS; k++) {
        const struct Measurement *it = &measurements[k];
        if (!wanted(w, it))
            continue;
        if (!it->exists(b->model)) {
            // a list for programs holds what was measured, one for people also says what was not
            if (!b->csv)
                printf("%-10s%-11s%11s   %s: not in the generated model\n", it->what, it->variant,
                       "-", it->text);
            continue;
        }
        Timing t;
        char text[32];
        uint32_t size = it->of_residual ? b->model->residual->n : b->model->n_states;
        if (!measure(b, it->evaluate, &t)) {
            fprintf(stderr, "rung: %s, %s: an evaluation failed\n", it->what, it->variant);
            status = EXIT_RUN;
        } else if (b->csv) {
            printf("%s,%s,%.6g,%u%s%s\n", it->what, it->variant, t.best, size, errors ? "," : "",
                   errors ? error_text(b, it, text) : "");
        } else {
            printf("%-10s%-11s%11.5g%12.4g%12.5g%9u%11s\n", it->what, it->variant, t.best,
                   t.best / (size ? size : 1), t.median, size, error_text(b, it, text));
        }
        fflush(stdout);
    }
    if (has_residual(b->model) && !b->csv && w.what && lists(w.what, "residual"))
        printf("residual: %llu operations\n", (unsigned long long)b->model->residual->operations);
    if (has_extended(b->model) && !b->csv && w.what && lists(w.what, "extended"))
        printf("extended: %llu operations, the equations %llu\n",
               (unsigned long long)b->model->newton->entry_operations,
               (unsigned long long)b->model->newton->form_operations);
    return status;
}

/* What the run hands over, with the first row. */
typedef struct Handover {
    Wanted wanted;
    bool csv;
    Exit status;
    const char *error;
} Handover;

static int at_start(void *user, const RungContext *run, double t, const double *x, const double *v)
{
    (void)v;
    Handover *h = user;
    Bench b = {.csv = h->csv};
    h->status = bench_open(&b, run, t, x) ? print_measurements(&b, h->wanted) : EXIT_RUN;
    h->error = b.error;
    bench_close(&b);
    return 0;
}

static Exit measure_model(const Options *o, const RungModel *model)
{
    Handover h = {.wanted = {o->what, o->jacobian},
                  .csv = o->format && strcmp(o->format, "csv") == 0};
    if (model->n_states == 0) {
        fputs("rung: the model has no states: nothing is evaluated in a step\n", stderr);
        return EXIT_MODEL;
    }
    // parameters are set and start values found as in every run
    SimulateOptions so = simulate_defaults();
    so.start = so.stop = model->experiment.has_start ? model->experiment.start : 0;
    so.set = o->set.at;
    so.n_set = o->set.n;
    so.progress = PROGRESS_NONE;
    so.row = at_start;
    so.user = &h;
    SimulateSummary s;
    int status = simulate(model, &so, &s);
    if (status != SIMULATE_OK)
        fprintf(stderr, "rung: %s\n", s.error);
    else if (h.error)
        fprintf(stderr, "rung: %s\n", h.error);
    return status != SIMULATE_OK ? (Exit)status : h.status;
}

Exit command_bench(const Options *o)
{
    if (!what_known(o->what))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    Compilation *c = compilation_open(o, mem);
    EmitFiles files = {0};
    bool ok = c && pipeline_run(c, NULL);
    if (ok && lists(o->what, "jacobian"))
        jacobian_of_states(&c->solution.program, BENCH_NODES, c->scratch);
    if (ok && lists(o->what, "residual"))
        residual_make(c, BENCH_NODES);
    if (ok && o->what && lists(o->what, "newton"))
        newton_make(c, NEWTON_STEP | NEWTON_MATRIX);
    else if (ok && o->what && lists(o->what, "extended"))
        newton_make(c, NEWTON_MATRIX);
    ok = ok && emit_program(&c->solution.program, options_emission(o), mem, &files);
    Exit status = c ? compilation_report(c) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        Build b;
        if (build_model(&files, (BuildOptions){.optimise = "-O2"}, mem, &b)) {
            status = measure_model(o, b.model);
            build_close(&b);
        } else {
            fprintf(stderr, "rung: %s\n", b.error);
            status = (Exit)b.status;
        }
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
