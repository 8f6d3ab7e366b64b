#include "eliminate/forms/loop_products.h"

#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/sensitivity.h"

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

static VarId input_of(const Work *w, uint32_t k)
{
    return k < w->m ? w->l->multiplier[k] : w->l->massless[k - w->m];
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
        value[input_of(w, k).i] = expr_int(s->pool, 0);
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
        ExprId y = system_var_expr(w->s, input_of(w, j));
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
        ExprId *along = arena_array(w->scratch, ExprId, w->by->n_vars + 1);
        for (uint32_t k = 0; k < w->by->n_vars; k++)
            along[k] = s->var.at[k].kind == VAR_PARAMETER ? w->by->of[j][k] : EXPR_NONE;
        Differentiator diff = differentiator_along(s, w->by->n_vars, along, false, w->scratch);
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

/* ---- what it costs ---- */

typedef struct Roots {
    Arena *mem;
    VEC(ExprId) at;
} Roots;

static void add_roots(Roots *to, uint32_t n, const ExprId *x)
{
    for (uint32_t k = 0; k < n; k++)
        vec_push(to->mem, to->at, x[k]);
}

static void add_entries(Roots *to, const ExprColumns *c)
{
    add_roots(to, c->col_start[c->n_cols], c->entry);
}

/* Of a projection, which evaluates all of these, the rates twice. */
static uint64_t cost_of_parts(const Work *w)
{
    const ExprPool *p = w->s->pool;
    const LoopConstraints *l = w->l;
    Roots rates = {.mem = w->scratch}, rest = {.mem = w->scratch};
    add_roots(&rates, w->g->n_states, w->g->derivative);
    add_roots(&rates, l->n_massless, l->balance);
    add_roots(&rest, l->n_constraints, l->phi_rest);
    add_roots(&rest, l->n_constraints, l->phi_dot);
    add_entries(&rest, &l->phi_v);
    add_entries(&rest, &l->by_input->columns);
    return 2 * program_operations(p, rates.at.n, rates.at.at) +
           program_operations(p, rest.at.n, rest.at.at);
}

static uint64_t cost_of(const Work *w, const LoopTangents *t)
{
    const ExprPool *p = w->s->pool;
    Roots rates = {.mem = w->scratch}, rest = {.mem = w->scratch}, own = {.mem = w->scratch};
    add_roots(&rates, w->n + w->k, t->rate);
    add_roots(&rest, w->m, w->l->phi_rest);
    add_roots(&rest, w->m, w->l->phi_dot);
    add_entries(&rest, &t->phi_v);
    add_entries(&rest, &t->by_input.columns);
    const ExprColumns *rate = &t->rate_by_state.columns, *push = &t->push_by_state.columns;
    add_entries(&own, rate);
    add_entries(&own, push);
    add_roots(&own, t->rate_by.n, t->rate_by.entry);
    add_roots(&own, t->push_by.n, t->push_by.entry);
    uint64_t products =
        2 * (uint64_t)w->by->n * (rate->col_start[rate->n_cols] + push->col_start[w->n]);
    return 2 * program_operations(p, rates.at.n, rates.at.at) +
           program_operations(p, rest.at.n, rest.at.at) +
           program_operations(p, own.at.n, own.at.at) + products;
}

static bool corresponds(const Work *w)
{
    uint32_t parts = w->by->n_directions + 1;
    return w->l->n_parts == parts && w->n * parts == w->g->n_states && w->n > 0;
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
    if (!corresponds(&w))
        return;
    LoopTangents *t = arena_make(s->mem, LoopTangents);
    *t = (LoopTangents){.n_states = w.n,
                        .n_constraints = w.m,
                        .n_massless = w.k,
                        .phi_x = own_columns(&w, &l->phi_x, w.m),
                        .phi_v = own_columns(&w, &l->phi_v, w.m),
                        .by_input = own_inputs(&w)};
    uint32_t n_rates;
    const ExprColumns *by_input = &t->by_input.columns;
    if (!stays(&w, &t->phi_v, by_input))
        return;
    const ExprId *rest = at_rest(&w, by_input);
    t->rate = rate_rows(&w, &t->phi_v, &n_rates);
    t->push = push_rows(&w, by_input, rest);
    if (!jacobian_columns(s, n_rates, t->rate, w.n, g->state, limit, &t->rate_by_state, scratch) ||
        !jacobian_columns(s, w.n + w.k, t->push, w.n, g->state, limit, &t->push_by_state,
                          scratch) ||
        !add_free_rows(&w, &t->phi_v, by_input, rest, &t->rate_by_state) ||
        !by_parameters(&w, n_rates, t->rate, &t->rate_by) ||
        !by_parameters(&w, w.n + w.k, t->push, &t->push_by) || cost_of(&w, t) >= cost_of_parts(&w))
        return;
    LoopConstraints *with = arena_make(s->mem, LoopConstraints);
    *with = *l;
    with->tangents = t;
    g->loops = with;
}
