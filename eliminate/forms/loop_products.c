#include "eliminate/forms/loop_products.h"

#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/sensitivity.h"

enum {
    LARGE = 48,     /* constraints: larger systems, which are sparse, are left to LU        */
    ROWS_MOST = 16, /* parameters of which rows along each are tried                         */
};

typedef struct Work {
    Dae *d;
    System *s;
    Program *g;
    const LoopConstraints *l;
    const Sensitivities *by;
    uint32_t n, m, k; /* states, constraints, massless coordinates of the model's own part */
    Arena *scratch;
} Work;

/* ---- the model's part ---- */

/* The columns of the model's states, in the rows below `n_rows`. */
static ExprColumns own_columns(const Work *w, const ExprColumns *all, uint32_t n_rows)
{
    Arena *mem = w->s->mem;
    uint32_t most = all->col_start[w->n], n = 0;
    uint32_t *start = arena_array(mem, uint32_t, w->n + 1);
    uint32_t *row = arena_array(mem, uint32_t, most + 1);
    ExprId *entry = arena_array(mem, ExprId, most + 1);
    for (uint32_t c = 0; c < w->n; c++) {
        for (uint32_t e = all->col_start[c]; e < all->col_start[c + 1]; e++)
            if (all->row[e] < n_rows) {
                row[n] = all->row[e];
                entry[n++] = all->entry[e];
            }
        start[c + 1] = n;
    }
    return (ExprColumns){n_rows, w->n, start, row, entry};
}

/* The row of the model's part, INC_NONE of another one, of a row of (xdot, balance). */
static uint32_t own_row(const Work *w, uint32_t row)
{
    uint32_t n_all = w->g->n_states;
    if (row >= n_all)
        return row - n_all < w->k ? w->n + row - n_all : INC_NONE;
    return row < w->n ? row : INC_NONE;
}

static SparseJacobian own_inputs(const Work *w)
{
    Arena *mem = w->s->mem;
    const ExprColumns *all = &w->l->by_input->columns;
    uint32_t most = all->col_start[all->n_cols], n = 0;
    uint32_t *start = arena_array(mem, uint32_t, all->n_cols + 1);
    uint32_t *row = arena_array(mem, uint32_t, most + 1);
    ExprId *entry = arena_array(mem, ExprId, most + 1);
    for (uint32_t c = 0; c < all->n_cols; c++) {
        for (uint32_t e = all->col_start[c]; e < all->col_start[c + 1]; e++) {
            uint32_t r = own_row(w, all->row[e]);
            if (r == INC_NONE)
                continue;
            row[n] = r;
            entry[n++] = all->entry[e];
        }
        start[c + 1] = n;
    }
    SparseJacobian out = {.columns = {w->n + w->k, all->n_cols, start, row, entry}};
    jacobian_colours(&out, mem, w->scratch);
    return out;
}

/* The entries of G with all inputs zero, as used by the projections. Rows of other integrals, such
 * as the work of a force, may be nonlinear in the forces. */
static const ExprId *at_rest(const Work *w, const ExprColumns *g)
{
    System *s = w->s;
    ExprId *value = arena_array(w->scratch, ExprId, s->var.n + 1);
    ExprId *out = arena_array(s->mem, ExprId, g->col_start[g->n_cols] + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = EXPR_NONE;
    for (uint32_t k = 0; k < w->m + w->k; k++)
        value[loop_input(w->l, k).i] = expr_int(s->pool, 0);
    Substitution none = {.value = value, .n = s->var.n, .mem = w->scratch};
    for (uint32_t e = 0; e < g->col_start[g->n_cols]; e++)
        out[e] = expr_substitute(s->pool, &none, g->entry[e]);
    return out;
}

/* Adds to the matrix of the rates columns of the inputs, with G in rows of which constraints know
 * nothing: there it may depend on velocities and forces, in the others on positions. False if such
 * a one holds an input. */
static bool add_free_rows(const Work *w, const ExprColumns *phi_v, const ExprColumns *g,
                          const ExprId *rest, SparseJacobian *rate)
{
    Arena *mem = w->s->mem;
    const ExprColumns *of = &rate->columns;
    uint32_t n = of->col_start[w->n], n_cols = w->n + g->n_cols;
    uint32_t most = n + g->col_start[g->n_cols];
    uint32_t *start = arena_array(mem, uint32_t, n_cols + 1);
    uint32_t *row = arena_array(mem, uint32_t, most + 1);
    ExprId *entry = arena_array(mem, ExprId, most + 1);
    for (uint32_t k = 0; k < n; k++) {
        row[k] = of->row[k];
        entry[k] = of->entry[k];
    }
    for (uint32_t c = 0; c <= w->n; c++)
        start[c] = of->col_start[c];
    for (uint32_t j = 0; j < g->n_cols; j++) {
        for (uint32_t e = g->col_start[j]; e < g->col_start[j + 1]; e++) {
            uint32_t r = g->row[e];
            bool is_held = r >= w->n || phi_v->col_start[r] < phi_v->col_start[r + 1];
            if (is_held && !expr_same(g->entry[e], rest[e]))
                return false;
            if (is_held)
                continue;
            row[n] = r;
            entry[n++] = g->entry[e];
        }
        start[w->n + j + 1] = n;
    }
    *rate = (SparseJacobian){.columns = {of->n_rows, n_cols, start, row, entry}};
    jacobian_colours(rate, mem, w->scratch);
    return true;
}

/* Whether phi_v, and G in the rows that constraints hold, change with positions alone: both are
 * taken from before velocities are projected. */
static bool stays(const Work *w, const ExprColumns *phi_v, const ExprColumns *g)
{
    ExprPool *p = w->s->pool;
    bool *mark = arena_array(w->scratch, bool, pool_size(p) + 1), still = true;
    program_reach(p, phi_v->col_start[phi_v->n_cols], phi_v->entry, mark);
    for (uint32_t e = 0; e < g->col_start[g->n_cols]; e++)
        if (g->row[e] < w->n && phi_v->col_start[g->row[e]] < phi_v->col_start[g->row[e] + 1])
            program_reach(p, 1, &g->entry[e], mark);
    for (uint32_t c = 0; c < w->n; c++)
        if (w->l->moved[c])
            still = still && !mark[system_var_expr(w->s, w->g->state[c]).i];
    return still;
}

/* ---- rows ---- */

/* xdot, balances, phi'' with xdot put in, phi'. */
static const ExprId *rate_rows(const Work *w, const ExprColumns *phi_v, uint32_t *n)
{
    ExprPool *p = w->s->pool;
    ExprId *row = arena_array(w->s->mem, ExprId, w->n + w->k + 2 * w->m + 1);
    ExprId *second = row + w->n + w->k;
    for (uint32_t i = 0; i < w->n; i++)
        row[i] = w->g->derivative[i];
    for (uint32_t i = 0; i < w->k; i++)
        row[w->n + i] = w->l->balance[i];
    for (uint32_t i = 0; i < w->m; i++)
        second[i] = w->l->phi_rest[i];
    for (uint32_t c = 0; c < w->n; c++)
        for (uint32_t e = phi_v->col_start[c]; e < phi_v->col_start[c + 1]; e++) {
            ExprId *to = &second[phi_v->row[e]];
            *to = expr_add(p, *to, expr_mul(p, phi_v->entry[e], w->g->derivative[c]));
        }
    for (uint32_t i = 0; i < w->m; i++)
        second[w->m + i] = w->l->phi_dot[i];
    *n = w->n + w->k + 2 * w->m;
    return row;
}

/* G y, with G at rest and the inputs themselves as y. */
static const ExprId *push_rows(const Work *w, const ExprColumns *c, const ExprId *rest)
{
    ExprPool *p = w->s->pool;
    ExprId *row = arena_array(w->s->mem, ExprId, w->n + w->k + 1);
    for (uint32_t i = 0; i < w->n + w->k; i++)
        row[i] = expr_int(p, 0);
    for (uint32_t j = 0; j < c->n_cols; j++) {
        ExprId y = system_var_expr(w->s, loop_input(w->l, j));
        for (uint32_t e = c->col_start[j]; e < c->col_start[j + 1]; e++)
            row[c->row[e]] = expr_add(p, row[c->row[e]], expr_mul(p, rest[e], y));
    }
    return row;
}

/* False if a row has no derivative. */
static bool by_parameters(const Work *w, uint32_t n, const ExprId *row, ParameterEntries *out)
{
    System *s = w->s;
    VEC(uint32_t) by = {0}, place = {0};
    VEC(ExprId) entry = {0};
    for (uint32_t j = 0; j < w->by->n; j++) {
        const ExprId *along = sensitivities_held(w->d, j, w->by->n_vars, w->scratch);
        Differentiator diff = differentiator_along(s, w->by->n_vars, along, EXPR_NONE, w->scratch);
        for (uint32_t k = 0; k < n; k++) {
            ExprId x = differentiate(&diff, row[k]);
            if (!expr_exists(x))
                return false;
            if (expr_is_zero(s->pool, x) == YES)
                continue;
            vec_push(s->mem, by, j);
            vec_push(s->mem, place, k);
            vec_push(s->mem, entry, x);
        }
    }
    *out = (ParameterEntries){entry.n, by.at, place.at, entry.at};
    return true;
}

/* Even, and from three on a multiple of four (runtime/linear/block_row.h). */
static uint32_t width_of(uint32_t n)
{
    return n <= 2 ? (n + 1) / 2 * 2 : (n + 3) / 4 * 4;
}

/* The derivatives of rows along each parameter, with which the model's states move as the states of
 * its part say and the inputs do not: NULL if a row has none. */
static const ExprId *rows_along(const Work *w, uint32_t n, const ExprId *row)
{
    System *s = w->s;
    const Program *g = w->g;
    uint32_t n_by = w->by->n, width = width_of(n_by);
    ExprId *out = arena_array(s->mem, ExprId, (size_t)n * width + 1);
    for (uint32_t j = 0; j < n_by; j++) {
        ExprId *along = sensitivities_held(w->d, j, s->var.n, w->scratch);
        for (uint32_t c = 0; c < w->n; c++) {
            uint32_t of_part = (j + 1) * w->n + c;
            ExprId x = system_var_expr(s, g->state[of_part]);
            along[g->state[c].i] = g->sensitivity->is_negated[of_part] ? expr_neg(s->pool, x) : x;
        }
        Differentiator diff = differentiator_along(s, s->var.n, along, EXPR_NONE, w->scratch);
        for (uint32_t k = 0; k < n; k++) {
            ExprId x = differentiate(&diff, row[k]);
            if (!expr_exists(x))
                return NULL;
            out[(size_t)k * width + j] = x;
        }
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = n_by; j < width; j++)
            out[(size_t)k * width + j] = expr_int(s->pool, 0);
    return out;
}

/* ---- what it costs ---- */

static uint64_t cost_of_entries(const Work *w, const ExprColumns *c)
{
    return program_operations(w->s->pool, c->col_start[c->n_cols], c->entry);
}

/* Of a projection, which evaluates all of these, the rates twice, and solves twice with three
 * corrections (runtime/loop/loops.c). */
static uint64_t cost_of_parts(const Work *w)
{
    enum { SOLVES = 2, CORRECTIONS = 3 };
    const ExprPool *p = w->s->pool;
    const LoopConstraints *l = w->l;
    uint64_t size = w->m + w->k, n = w->g->n_states + l->n_massless;
    uint64_t solve = 4 * n * size + 4 * (uint64_t)CORRECTIONS * w->by->n_directions * size * size;
    return SOLVES * solve + 2 * program_operations(p, w->g->n_states, w->g->derivative) +
           2 * program_operations(p, l->n_massless, l->balance) +
           program_operations(p, l->n_constraints, l->phi_rest) +
           program_operations(p, l->n_constraints, l->phi_dot) + cost_of_entries(w, &l->phi_v) +
           cost_of_entries(w, &l->by_input->columns);
}

/* The same of the model's part alone. */
static uint64_t cost_alone(const Work *w, const LoopTangents *t)
{
    const ExprPool *p = w->s->pool;
    return 2 * program_operations(p, w->n + w->k, t->rate) +
           program_operations(p, w->m, w->l->phi_rest) +
           program_operations(p, w->m, w->l->phi_dot) + cost_of_entries(w, &t->phi_v) +
           cost_of_entries(w, &t->by_input.columns);
}

/* The entries of a matrix and derivatives by parameters, which have operands in common. */
static uint64_t cost_together(const Work *w, const ExprColumns *a, const ParameterEntries *by)
{
    uint32_t n = a->col_start[a->n_cols];
    ExprId *x = arena_array(w->scratch, ExprId, n + by->n + 1);
    for (uint32_t k = 0; k < n + by->n; k++)
        x[k] = k < n ? a->entry[k] : by->entry[k - n];
    return program_operations(w->s->pool, n + by->n, x);
}

/* What comes to that: matrices and their products. */
static uint64_t cost_of_products(const Work *w, const LoopTangents *t)
{
    const ExprColumns *rate = &t->rate_by_state.columns, *push = &t->push_by_state.columns;
    uint64_t products =
        2 * (uint64_t)w->by->n * (rate->col_start[rate->n_cols] + push->col_start[w->n]);
    return cost_together(w, rate, &t->rate_by) + cost_together(w, push, &t->push_by) + products;
}

/* Or the rows along each parameter. */
static uint64_t cost_along(const Work *w, const LoopTangents *t)
{
    const ExprPool *p = w->s->pool;
    uint32_t n = w->n + w->k, width = t->width;
    return program_operations(p, n * width, t->along_push) +
           program_operations(p, w->m * width, t->along_dot) +
           program_operations(p, (n + w->m) * width, t->along_rate) +
           cost_of_entries(w, &t->rate_by_state.columns);
}

static bool corresponds(const Work *w)
{
    uint32_t parts = w->by->n_directions + 1;
    return w->l->n_parts == parts && w->n * parts == w->g->n_states && w->n > 0;
}

/* The rates' matrix without columns of states. */
static SparseJacobian no_columns(const Work *w, uint32_t n_rows)
{
    Arena *mem = w->s->mem;
    return (SparseJacobian){.columns = {n_rows, w->n, arena_array(mem, uint32_t, w->n + 1),
                                        arena_array(mem, uint32_t, 1),
                                        arena_array(mem, ExprId, 1)}};
}

/* t with matrices; false if there are none. */
static bool with_matrices(const Work *w, uint32_t limit, uint32_t n_rates, const ExprId *rest,
                          LoopTangents *t)
{
    System *s = w->s;
    const VarId *state = w->g->state;
    return jacobian_columns(s, n_rates, t->rate, w->n, state, limit, &t->rate_by_state,
                            w->scratch) &&
           jacobian_columns(s, w->n + w->k, t->push, w->n, state, limit, &t->push_by_state,
                            w->scratch) &&
           add_free_rows(w, &t->phi_v, &t->by_input.columns, rest, &t->rate_by_state) &&
           by_parameters(w, n_rates, t->rate, &t->rate_by) &&
           by_parameters(w, w->n + w->k, t->push, &t->push_by);
}

/* t with rows along each parameter; false if there are none. */
static bool with_rows(const Work *w, uint32_t n_rates, const ExprId *rest, LoopTangents *t)
{
    t->rate_by_state = no_columns(w, n_rates);
    t->push_by_state = no_columns(w, w->n + w->k);
    t->along_push = rows_along(w, w->n + w->k, t->push);
    t->along_dot = rows_along(w, w->m, t->rate + w->n + w->k + w->m);
    t->along_rate = rows_along(w, w->n + w->k + w->m, t->rate);
    return t->along_push && t->along_dot && t->along_rate &&
           add_free_rows(w, &t->phi_v, &t->by_input.columns, rest, &t->rate_by_state);
}

void loop_tangents_make(Dae *d, uint32_t limit, Arena *scratch)
{
    Program *g = &d->solution.program;
    const LoopConstraints *l = g->loops;
    if (!l || !l->by_input || !d->sensitivities || g->n_blocks > 0 || l->n_parts < 2)
        return;
    System *s = d->sys;
    Work w = {.d = d,
              .s = s,
              .g = g,
              .l = l,
              .by = d->sensitivities,
              .n = sensitivities_states(d),
              .m = l->n_constraints / l->n_parts,
              .k = l->n_massless / l->n_parts,
              .scratch = scratch};
    if (!corresponds(&w) || w.m + w.k > LARGE)
        return;
    LoopTangents products = {.n_states = w.n,
                             .n_constraints = w.m,
                             .n_massless = w.k,
                             .n_by = w.by->n,
                             .width = width_of(w.by->n),
                             .phi_x = own_columns(&w, &l->phi_x, w.m),
                             .phi_v = own_columns(&w, &l->phi_v, w.m),
                             .by_input = own_inputs(&w)};
    uint32_t n_rates;
    const ExprColumns *by_input = &products.by_input.columns;
    if (!stays(&w, &products.phi_v, by_input))
        return;
    const ExprId *rest = at_rest(&w, by_input);
    products.rate = rate_rows(&w, &products.phi_v, &n_rates);
    products.push = push_rows(&w, by_input, rest);
    LoopTangents rows = products;
    uint64_t parts = cost_of_parts(&w) - cost_alone(&w, &products);
    uint64_t by_products = UINT64_MAX, by_rows = UINT64_MAX;
    if (with_matrices(&w, limit, n_rates, rest, &products))
        by_products = cost_of_products(&w, &products);
    // many parameters have rows that are longer than the matrices
    if (w.by->n <= ROWS_MOST && with_rows(&w, n_rates, rest, &rows))
        by_rows = cost_along(&w, &rows);
    if (by_products >= parts && by_rows >= parts)
        return;
    LoopConstraints *with = arena_make(s->mem, LoopConstraints);
    LoopTangents *t = arena_make(s->mem, LoopTangents);
    *t = by_rows < by_products ? rows : products;
    *with = *l;
    with->tangents = t;
    g->loops = with;
}
