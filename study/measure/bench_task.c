/* The tasks: evaluations of a model. */
#include "study/measure/bench.h"

#include "runtime/kernel/rung_lu.h"

#include <math.h>
#include <stdlib.h>

static int evaluate_xdot(Bench *b, uint32_t state)
{
    return b->model->xdot(b->ctx, b->t, b->x[state], b->out);
}

static int evaluate_residual(Bench *b, uint32_t state)
{
    return b->model->residual->residual(b->ctx, b->t, b->x[state], b->input, b->out);
}

int bench_residual_by_torn(Bench *b, uint32_t state)
{
    return b->model->residual->by_torn(b->ctx, b->t, b->x[state], b->input, b->out);
}

int bench_residual_by_state(Bench *b, uint32_t state)
{
    return b->model->residual->by_state(b->ctx, b->t, b->x[state], b->input, b->out);
}

int bench_analytic(Bench *b, uint32_t state)
{
    return b->model->jacobian->entries(b->ctx, b->t, b->x[state], b->out);
}

/* The inputs of a Newton iteration at a state: a step of length 2 gamma that ends there. */
void bench_give_newton(Bench *b, uint32_t state)
{
    const RungNewton *w = b->model->newton;
    uint32_t n = b->model->n_states, m = (w->n - RUNG_NEWTON_BASE - n) / 2;
    const double *rate = b->z[state] + w->pattern.n_cols;
    double *u = b->ctx->u + w->first, *base = u + RUNG_NEWTON_BASE, *penalty = base + n;
    u[RUNG_NEWTON_GAMMA] = BENCH_GAMMA;
    u[RUNG_NEWTON_WEIGHT] = u[RUNG_NEWTON_BALANCE_WEIGHT] = 1;
    for (uint32_t k = 0; k < n; k++)
        base[k] = b->x[state][k] - BENCH_GAMMA * rate[k];
    for (uint32_t k = 0; k < m; k++)
        penalty[k] = 1;
}

/* The unknowns there, if derivatives that nothing determines are a little of the states. */
int bench_find_unknowns(Bench *b, uint32_t state)
{
    const RungNewton *w = b->model->newton;
    double *rate = b->z[state] + w->pattern.n_cols;
    for (uint32_t k = 0; k < b->model->n_states; k++)
        rate[k] = 0.2 * b->x[state][k];
    bench_give_newton(b, state);
    return w->point(b->ctx, b->t, b->x[state], b->z[state]);
}

/* A matrix of derivatives: of `rows` by `by`. */
typedef struct Slope {
    const RungPattern *pattern;
    double *by;            /* n_cols */
    const double *nominal; /* NULL: 1 */
    int (*rows)(Bench *b, uint32_t state, double *out);
} Slope;

/* The functions that the Jacobian differentiates: derivatives of the states, then the balances of
 * cut loops with constant multipliers. */
static int jacobian_rows(Bench *b, uint32_t state, double *out)
{
    const RungModel *m = b->model;
    int status = m->xdot(b->ctx, b->t, b->x[state], out);
    if (m->loops && m->loops->n_free)
        status |= m->loops->balance(b->ctx, b->t, b->x[state], out + m->n_states);
    return status;
}

/* The equations of the iteration at the inputs that are set. */
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
    bench_give_newton(b, state);
    return (Slope){&b->model->newton->pattern, b->z[state], NULL, extended_rows};
}

int bench_jacobian_rows(Bench *b, uint32_t state)
{
    return jacobian_rows(b, state, b->out);
}

int bench_extended_rows(Bench *b, uint32_t state)
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

/* Finite differences, column by column, for a dense matrix; with a pattern only its entries are
 * kept. */
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

int bench_coloured(Bench *b, uint32_t state)
{
    return difference_colours(b, state, jacobian_slope(b, state));
}

int bench_dense(Bench *b, uint32_t state)
{
    const RungModel *m = b->model;
    uint32_t rows = m->n_states + (m->loops ? m->loops->n_free : 0);
    return difference_columns(b, state, jacobian_slope(b, state), rows, m->n_states);
}

static int evaluate_extended(Bench *b, uint32_t state)
{
    bench_give_newton(b, state);
    return b->model->newton->entries(b->ctx, b->t, b->x[state], b->out);
}

/* Puts the computed entries into the matrix. */
static void assemble(Bench *b, uint32_t n, const uint32_t *place)
{
    for (uint32_t k = 0; k < n; k++)
        b->matrix[place[k]] = b->out[k];
}

int bench_extended_whole(Bench *b, uint32_t state)
{
    int status = evaluate_extended(b, state);
    assemble(b, b->model->newton->n_entries, b->model->newton->entry_place);
    return status;
}

int bench_extended_coloured(Bench *b, uint32_t state)
{
    return difference_colours(b, state, extended_slope(b, state));
}

int bench_extended_dense(Bench *b, uint32_t state)
{
    const RungPattern *p = &b->model->newton->pattern;
    return difference_columns(b, state, extended_slope(b, state), p->n_rows, p->n_cols);
}

int bench_newton(Bench *b, uint32_t state)
{
    bench_give_newton(b, state);
    return b->model->newton->step(b->ctx, b->t, b->x[state], b->out);
}

static int evaluate_newton_matrix(Bench *b, uint32_t state)
{
    bench_give_newton(b, state);
    int status = b->model->newton->matrix(b->ctx, b->t, b->x[state], b->out);
    assemble(b, b->model->newton->n_matrix, b->model->newton->place);
    return status;
}

/* Solves the same equations by a library, after its symbolic analysis. */
static int solve_newton(Bench *b, uint32_t state, LibraryKind kind)
{
    const RungPattern *p = &b->model->newton->pattern;
    int status = evaluate_newton_matrix(b, state);
    if (!b->lu[kind] && !status)
        b->lu[kind] = library_lu_new(kind, p->n_cols, p->col_start, p->row, b->matrix);
    if (status || !b->lu[kind])
        return -1;
    bench_copy(b->out, b->matrix + p->col_start[p->n_cols], p->n_rows); // solving changes it
    return !library_lu_solve(b->lu[kind], b->matrix, b->out);
}

int bench_newton_cxsparse(Bench *b, uint32_t state)
{
    return solve_newton(b, state, LIBRARY_CXSPARSE);
}

int bench_newton_klu(Bench *b, uint32_t state)
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
            column[i] = (i == k) - BENCH_GAMMA * (column[i] - f[i]) / h;
    }
    status |= rung_lu_factor(n, a, b->pivot, b->size) >= 0;
    rung_lu_solve(n, a, b->pivot, f);
    return status;
}

// clang-format off
static bool has_klu(const RungModel *m) { return bench_has_newton(m) && library_lu_exists(LIBRARY_KLU); }
static bool always(const RungModel *m) { return m->n_states > 0; }
static bool has_slope(const RungModel *m) { return bench_has_residual(m) && m->residual->by_torn; }
static bool has_colours(const RungModel *m) { return m->jacobian && m->jacobian->pattern.colour; }

const BenchTask bench_task[] = {
    {"xdot",     "explicit", "derivatives of the states", false, always, evaluate_xdot, NULL,
     bench_lanes_xdot},
    {"residual", "inverse",  "residual form, torn variables as inputs", true, bench_has_residual,
     evaluate_residual, bench_residual_error, NULL},
    {"residual", "by_torn",  "its derivatives by the torn variables", true, has_slope,
     bench_residual_by_torn, bench_by_torn_error, NULL},
    {"residual", "by_state", "its derivatives by the states", true, has_slope,
     bench_residual_by_state, bench_by_state_error, NULL},
    {"jacobian", "analytic", "derivatives by the states, generated", false, bench_has_jacobian,
     bench_analytic, bench_analytic_error, bench_lanes_jacobian},
    {"jacobian", "coloured", "the same by differences, many columns at once", false, has_colours,
     bench_coloured, bench_coloured_error, NULL},
    {"jacobian", "dense",    "the same by differences, column by column", false, always,
     bench_dense, bench_dense_error, NULL},
    {"extended", "analytic", "derivatives with frames as unknowns, generated", false, bench_has_extended,
     evaluate_extended, bench_extended_error, NULL},
    {"extended", "equations", "the equations themselves", false, bench_has_extended,
     bench_extended_rows, NULL, NULL},
    {"extended", "coloured", "derivatives by differences, many columns at once", false,
     bench_has_extended, bench_extended_coloured, bench_extended_coloured_error, NULL},
    {"extended", "dense",    "the same by differences, column by column", false, bench_has_extended,
     bench_extended_dense, bench_extended_dense_error, NULL},
    {"newton",   "straight", "an implicit step's iteration, generated", false, bench_has_newton,
     bench_newton, NULL, bench_lanes_newton},
    {"newton",   "matrix",   "the entries of its equations alone", false, bench_has_newton,
     evaluate_newton_matrix, NULL, NULL},
    {"newton",   "cxsparse", "entries, and LU and solution by CXSparse", false, bench_has_newton,
     bench_newton_cxsparse, bench_cxsparse_error, NULL},
    {"newton",   "klu",      "entries, and LU and solution by KLU", false, has_klu,
     bench_newton_klu, bench_klu_error, NULL},
    {"newton",   "dense",    "differences of xdot, dense LU", false, bench_has_tangent,
     evaluate_newton_dense, NULL, NULL},
    {"step",     "rk4",      "a step of the classical Runge-Kutta method", false, always, bench_step,
     NULL, bench_lanes_step},
};
// clang-format on
const uint32_t bench_n_tasks = sizeof bench_task / sizeof *bench_task;
