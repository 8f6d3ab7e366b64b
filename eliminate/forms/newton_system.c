#include "eliminate/forms/newton_system.h"

#include "eliminate/forms/newton_rotations.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/prepare/differentiate.h"

#include <string.h>

/* A matrix by rows; in phi's, columns are states. */
typedef struct Rows {
    uint32_t *start, *col;
    ExprId *x;
} Rows;

typedef struct Linear {
    System *s;
    Arena *scratch;
    Arena *row; /* one equation */
    const NewtonPoint *at;
    Substitution values, aliases;
    NewtonView *out;
    bool *is_any;            /* per variable: true, to list them                     */
    uint32_t *state_of;      /* per variable: its place among the states, or INC_NONE */
    uint32_t *multiplier_of; /* per variable: its constraint, or INC_NONE            */
    uint32_t *massless_of;   /* likewise                                             */
    bool *is_unknown;        /* per variable of the System                           */
    bool *has_rate;          /* per state: its derivative is an unknown              */
    ExprId *defect;          /* per state: residual of the formula, a leaf of the view or 0 */
    ExprId *
        defect_value; /* the residual that a leaf stands for while rows are written; or EXPR_NONE */
    ExprId *residual; /* per state that has a value, per residual equation, per balance */
    uint32_t n_residuals;
    uint32_t n_states, n_loops, n_constraints, n_massless;
    const Blt *blt;
    Program *g;
    const LoopCut *cut;
    uint32_t *column;           /* per variable of the System: its column of blt, or INC_NONE     */
    bool *needed;               /* per column: states, constraints or balances come from it       */
    ExprId *phi, *balance;      /* over variables that stay; a phi near the states: EXPR_NONE     */
    Rows by_state;              /* the derivatives of these by the states                         */
    bool *is_increment;         /* per variable of the view: an unknown                           */
    NewtonRotations *rotations; /* NULL: elements of matrices stay */
} Linear;

/* Whether v belongs to the linearised model. */
static bool is_of_model(const NewtonPoint *at, VarId v)
{
    return !at->is_model || v.i >= at->n || at->is_model[v.i];
}

enum { GAMMA, WEIGHT, BALANCE_WEIGHT, BASE }; /* places among the inputs */

static ExprId input_expr(const Linear *w, uint32_t k)
{
    return system_var_expr(w->s, w->out->newton->input[k]);
}

static bool is_explicit(const Linear *w)
{
    return w->at->has_right != NULL;
}

static void add_equation(Linear *w, ExprId lhs, ExprId rhs, Span span)
{
    Eq e = {.lhs = lhs, .rhs = rhs, .group = GROUP_NONE, .span = span, .origin = ""};
    system_add_eq(w->out->sys, e);
}

/* Adds slope * d state to the row  sum = right:  d x = gamma * d xdot + its defect. */
static void add_state(Linear *w, uint32_t state, ExprId slope, ExprId *sum, ExprId *right)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    *right = expr_sub(p, *right, expr_mul(p, slope, w->defect[state]));
    if (!w->has_rate[state] || is_explicit(w))
        return;
    ExprId rate = system_var_expr(w->out->sys, s->var.at[w->at->state[state].i].der);
    *sum = expr_add(p, *sum, expr_mul(p, expr_mul(p, slope, input_expr(w, GAMMA)), rate));
}

/* Adds the row  extra + d residual = right  to the view. */
static bool add_row(Linear *w, ExprId residual, ExprId extra, ExprId factor, ExprId right,
                    Span span)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    ArenaMark mark = arena_mark(w->row);
    VarId *var;
    uint32_t n = unknowns_of(s, w->is_any, residual, UINT32_MAX - 1, w->row, &var);
    ExprId sum = extra;
    bool ok = true;
    for (uint32_t k = 0; k < n && ok; k++) {
        uint32_t v = var[k].i;
        bool moves = w->state_of[v] != INC_NONE || w->multiplier_of[v] != INC_NONE ||
                     w->massless_of[v] != INC_NONE || w->is_unknown[v];
        if (!moves)
            continue;
        Differentiator d = differentiator_partial(s, var[k], w->row);
        ExprId x = differentiate(&d, residual);
        ok = expr_exists(x);
        if (!ok || expr_is_zero(p, x) == YES)
            continue;
        x = expr_mul(p, factor, expr_substitute(p, &w->values, x));
        if (w->state_of[v] != INC_NONE) {
            add_state(w, w->state_of[v], x, &sum, &right);
            continue;
        }
        VarId to = var[k];
        if (w->multiplier_of[v] != INC_NONE)
            to = w->out->multiplier[w->multiplier_of[v]];
        else if (w->massless_of[v] != INC_NONE)
            to = w->out->massless[w->massless_of[v]];
        sum = expr_add(p, sum, expr_mul(p, x, system_var_expr(w->out->sys, to)));
    }
    add_equation(w, sum, right, span);
    arena_rollback(w->row, mark);
    return ok;
}

static Rows rows_of(const ExprColumns *c, Arena *mem)
{
    uint32_t n = c->col_start[c->n_cols];
    Rows r = {arena_array(mem, uint32_t, c->n_rows + 1), arena_array(mem, uint32_t, n + 1),
              arena_array(mem, ExprId, n + 1)};
    uint32_t *next = arena_array(mem, uint32_t, c->n_rows + 1);
    for (uint32_t e = 0; e < n; e++)
        r.start[c->row[e] + 1]++;
    for (uint32_t k = 0; k < c->n_rows; k++)
        next[k + 1] = r.start[k + 1] += r.start[k];
    for (uint32_t col = 0; col < c->n_cols; col++) {
        for (uint32_t e = c->col_start[col]; e < c->col_start[col + 1]; e++) {
            r.col[next[c->row[e]]] = col;
            r.x[next[c->row[e]]++] = c->entry[e];
        }
    }
    return r;
}

/* Whether the constraint depends on no more states than variables: then it is linearised by the
 * states directly. With frames compared in a common one, all joints below the loop drop out. */
static bool is_near_states(Linear *w, const Rows *by_state, uint32_t k, ExprId phi)
{
    ArenaMark mark = arena_mark(w->row);
    VarId *var;
    uint32_t n = by_state->start[k + 1] - by_state->start[k];
    bool near = unknowns_of(w->s, w->is_any, phi, n, w->row, &var) >= n;
    arena_rollback(w->row, mark);
    return near;
}

/* Adds  d lambda + penalty * sum phi_x d x = right. */
static void add_constraint(Linear *w, const Rows *by_state, uint32_t k, ExprId penalty,
                           ExprId right, Span span)
{
    ExprPool *p = w->s->pool;
    ExprId sum = system_var_expr(w->out->sys, w->out->multiplier[k]);
    for (uint32_t e = by_state->start[k]; e < by_state->start[k + 1]; e++)
        add_state(w, by_state->col[e], expr_mul(p, penalty, by_state->x[e]), &sum, &right);
    add_equation(w, sum, right, span);
}

/* With which the names of its variables begin. */
static const char *view_name(const Linear *w)
{
    return w->at->name ? w->at->name : "newton";
}

static VarId add_var(const Linear *w, System *s, const char *what, uint32_t k)
{
    return system_add_hidden(s, arena_printf(s->mem, "%s %s %u", view_name(w), what, k));
}

/* Whether all unknowns of the row are of the model. */
static bool is_row_of_model(const Linear *w, uint32_t r)
{
    const Incidence *g = &w->blt->columns.g;
    bool all = true;
    for (uint32_t k = g->row_begin[r]; k < g->row_begin[r + 1]; k++)
        all = all && is_of_model(w->at, w->blt->columns.var[g->col[k]]);
    return all;
}

/* The right-hand sides as leaves of their own: of the residual equations and balances, of the
 * formula of each state. */
static void add_right_sides(Linear *w)
{
    System *s = w->s;
    NewtonRight *p = arena_make(s->mem, NewtonRight);
    uint32_t most = w->n_massless;
    for (uint32_t r = 0; r < w->blt->columns.g.n_rows; r++)
        most += w->at->is_residual[r] || (is_explicit(w) && w->at->has_right[r]);
    p->n_states = w->n_states;
    p->row = arena_array(s->mem, VarId, most + 1);
    p->row_of = arena_array(s->mem, EqId, most + 1);
    p->row_value = arena_array(s->mem, ExprId, most + 1);
    p->defect = arena_array(s->mem, VarId, w->n_states + 1);
    p->defect_value = arena_array(s->mem, ExprId, w->n_states + 1);
    for (uint32_t k = 0; k < most; k++)
        p->row[k] = add_var(w, s, "right", k);
    for (uint32_t k = 0; k < w->n_states; k++)
        p->defect[k] = add_var(w, s, "defect", k);
    w->out->right = p;
}

static void add_inputs(Linear *w)
{
    System *s = w->s;
    NewtonSystem *p = arena_make(s->mem, NewtonSystem);
    w->out->newton = p;
    p->n_inputs = BASE + w->n_states + 2 * w->n_constraints;
    p->input = arena_array(s->mem, VarId, p->n_inputs);
    if (w->at->is_model)
        add_right_sides(w);
    uint32_t n = 0;
    p->input[n++] = add_var(w, s, "gamma", 0);
    p->input[n++] = add_var(w, s, "weight", 0);
    p->input[n++] = add_var(w, s, "weight of balances", 0);
    for (uint32_t k = 0; k < w->n_states; k++) {
        VarId base = p->input[n++] = add_var(w, s, "base", k);
        s->var.at[base.i].attr.start = s->var.at[w->at->state[k].i].attr.start;
    }
    for (uint32_t k = 0; k < w->n_constraints; k++)
        p->input[n++] = add_var(w, s, "penalty", k);
    for (uint32_t k = 0; k < w->n_constraints; k++)
        p->input[n++] = add_var(w, s, "constraint", k);
    /* small steps: start values of these inputs are used to judge pivots */
    s->var.at[p->input[GAMMA].i].attr.start = expr_ratio(s->pool, 1, 1024);
    for (uint32_t k = 0; k < w->n_constraints; k++)
        s->var.at[p->input[BASE + w->n_states + k].i].attr.start = expr_int(s->pool, 1 << 20);
}

/* Values at the iterate: derivatives that no equation gives follow from the formula and the states;
 * the defects of the other states. */
static void find_values(Linear *w, uint32_t n)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    const NewtonPoint *at = w->at;
    ExprId *value = arena_array(s->mem, ExprId, n);
    ExprId *rate = arena_array(w->scratch, ExprId, n);
    ExprId gamma = input_expr(w, GAMMA);
    ExprId per_gamma = expr_div(p, expr_int(p, 1), gamma);
    for (uint32_t k = 0; k < n; k++)
        rate[k] = EXPR_NONE;
    for (uint32_t k = 0; k < w->n_states; k++) {
        ExprId moved = expr_sub(p, system_var_expr(s, at->state[k]), input_expr(w, BASE + k));
        if (at->is_rate_free[k])
            rate[s->var.at[at->state[k].i].der.i] = expr_mul(p, moved, per_gamma);
    }
    Substitution rates = {.value = rate, .n = n, .mem = w->scratch};
    for (uint32_t k = 0; k < n; k++)
        value[k] = k < at->n && is_of_model(at, (VarId){k}) && expr_exists(at->value[k])
                       ? expr_substitute(p, &rates, at->value[k])
                       : system_var_expr(s, (VarId){k});
    w->values = (Substitution){.value = value, .n = n, .mem = w->scratch};
    w->defect = arena_array(s->mem, ExprId, w->n_states);
    w->residual = arena_array(s->mem, ExprId, w->n_states + w->n_massless);
    for (uint32_t k = 0; k < w->n_states; k++) {
        ExprId moved = expr_sub(p, system_var_expr(s, at->state[k]), input_expr(w, BASE + k));
        ExprId step = expr_mul(p, gamma, value[s->var.at[at->state[k].i].der.i]);
        w->defect[k] = expr_int(p, 0);
        if (!at->is_rate_free[k]) {
            ExprId off = expr_sub(p, step, moved);
            w->defect[k] = expr_mul(p, input_expr(w, WEIGHT), off);
            w->residual[w->n_residuals++] = off;
        }
        if (w->out->right) {
            w->out->right->defect_value[k] = w->defect[k];
            w->defect[k] = system_var_expr(s, w->out->right->defect[k]);
        }
    }
}

/* - weight * residual, zero where the values were made to satisfy it. */
static ExprId weighted_defect(Linear *w, ExprId residual, uint32_t weight)
{
    ExprPool *p = w->s->pool;
    ExprId x = expr_substitute(p, &w->values, residual);
    w->residual[w->n_residuals++] = x;
    x = expr_neg(p, expr_mul(p, input_expr(w, weight), x));
    NewtonRight *right = w->out->right;
    if (!right)
        return x;
    right->row_value[right->n_rows] = x;
    return system_var_expr(w->s, right->row[right->n_rows++]);
}

/* The leaf of the right-hand side of equation r of an explicit view; 0: it has none. */
static ExprId given_right(Linear *w, uint32_t r)
{
    NewtonRight *right = w->out->right;
    if (!is_explicit(w) || !w->at->has_right[r])
        return expr_int(w->s->pool, 0);
    right->row_of[right->n_rows] = (EqId){r};
    return system_var_expr(w->s, right->row[right->n_rows++]);
}

/* Marks the columns that the marked ones need, by the equations that determine them. */
static void close_columns(const Incidence *g, const Matching *m, bool *needed, Arena *mem)
{
    uint32_t *stack = arena_array(mem, uint32_t, g->n_cols + 1);
    uint32_t n = 0;
    for (uint32_t c = 0; c < g->n_cols; c++) {
        if (needed[c])
            stack[n++] = c;
    }
    while (n > 0) {
        uint32_t e = m->eq_of[stack[--n]];
        if (e == INC_NONE)
            continue; /* a derivative that is free */
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            if (!needed[g->col[k]]) {
                needed[g->col[k]] = true;
                stack[n++] = g->col[k];
            }
        }
    }
}

static void need(const Linear *w, const uint32_t *column, ExprId x, bool *needed)
{
    VarId *var;
    uint32_t n = unknowns_of(w->s, w->is_unknown, x, UINT32_MAX - 1, w->scratch, &var);
    for (uint32_t k = 0; k < n; k++)
        needed[column[var[k].i]] = true;
}

/* Values over variables that have values themselves: an element, the rate of its angle, the joint's
 * acceleration. No variable depends on itself; each round doubles the length of the chains put in.
 */
static void put_in_themselves(ExprPool *p, ExprId *value, uint32_t n, Arena *scratch)
{
    Arena *mem = arena_new();
    ExprId *next = arena_array(scratch, ExprId, n + 1);
    for (bool changes = true; changes;) {
        ArenaMark mark = arena_mark(mem);
        Substitution s = {.value = value, .n = n, .mem = mem};
        for (uint32_t k = 0; k < n; k++)
            next[k] = expr_exists(value[k]) ? expr_substitute(p, &s, value[k]) : EXPR_NONE;
        changes = n > 0 && memcmp(value, next, n * sizeof *next) != 0;
        memcpy(value, next, n * sizeof *next);
        arena_rollback(mem, mark);
    }
    arena_free(mem);
}

/* The unknown of which u is a multiple after all steps; `of`: per unknown that of which it is a
 * multiple, itself if it stays. */
static uint32_t root_of(uint32_t *of, uint32_t u)
{
    while (of[u] != u)
        u = of[u] = of[of[u]];
    return u;
}

/* Puts the explicit values into all rows but those that go. */
static void put_in(Linear *w, const bool *goes, bool *is_unknown)
{
    NewtonView *out = w->out;
    System *v = out->sys;
    ExprPool *p = v->pool;
    put_in_themselves(p, out->explicit_value, v->var.n, w->scratch);
    Substitution s = {.value = out->explicit_value, .n = v->var.n, .mem = w->row};
    uint32_t kept = 0;
    uint32_t equations = 0;
    for (uint32_t r = 0; r < v->eq.n; r++) {
        if (goes[r]) {
            is_unknown[out->determines[r].i] = false;
            continue;
        }
        Eq e = v->eq.at[r];
        e.lhs = expr_substitute(p, &s, e.lhs);
        e.rhs = expr_substitute(p, &s, e.rhs);
        v->eq.at[kept] = e;
        out->form[kept] = out->form[r];
        out->determines[kept] = out->determines[r];
        if (r < out->n_equations)
            out->equation[equations++] = out->equation[r];
        kept++;
    }
    v->eq.n = kept;
    out->n_equations = equations;
}

/* An unknown that is a multiple of one other is eliminated at once: elements of rotation matrices
 * become multiples of a joint's acceleration. Those to which the orders refer stay. */
static void put_in_multiples(Linear *w, uint32_t n_old, bool *is_unknown)
{
    NewtonView *out = w->out;
    System *v = out->sys;
    ExprPool *p = v->pool;
    bool *goes = arena_array(w->scratch, bool, v->eq.n + 1);
    out->explicit_value = arena_array(v->mem, ExprId, v->var.n);
    out->whole = arena_array(v->mem, ExprId, v->var.n);
    uint32_t *of = arena_array(w->scratch, uint32_t, v->var.n);
    for (uint32_t k = 0; k < v->var.n; k++) {
        out->explicit_value[k] = out->whole[k] = EXPR_NONE;
        of[k] = k;
    }
    bool *is_own = arena_array(w->scratch, bool, v->var.n); /* but for a moment, none is */
    Substitution none = {0};
    Series series = series_new(v, is_unknown, w->scratch);
    for (uint32_t r = 0; r < out->n_equations; r++) {
        uint32_t u = out->determines[r].i;
        ArenaMark mark = arena_mark(w->row);
        ExprId residual = expr_sub(p, v->eq.at[r].lhs, v->eq.at[r].rhs);
        LinearForm f = series_form(&series, &none, residual, w->row);
        if (u < n_old && !w->at->stays[u] && !w->at->is_residual[out->equation[r].i] &&
            f.is_linear && f.n <= 2) {
            ExprId sum = f.rest;
            ExprId own = EXPR_NONE;
            uint32_t other = u;
            for (uint32_t k = 0; k < f.n; k++) {
                if (f.var[k].i == u) {
                    own = f.coeff[k];
                } else {
                    other = f.var[k].i;
                    sum = expr_add(p, sum, expr_mul(p, f.coeff[k], system_var_expr(v, f.var[k])));
                }
            }
            // in a circle of multiples one stays: of an oscillator, der(x) of der(v) and back
            bool circle = other != u && root_of(of, other) == u;
            if (expr_exists(own) && !circle && (expr_is(p, own, 1) || expr_is(p, own, -1))) {
                of[u] = other;
                out->explicit_value[u] = expr_neg(p, expr_div(p, sum, own));
                goes[r] = true;
                if (out->leaf)
                    out->whole[u] = linear_solution(w->s, is_own, &none, out->equation[r],
                                                    out->determines[r], w->row);
            }
        }
        arena_rollback(w->row, mark);
    }
    put_in(w, goes, is_unknown);
}

/* The equation der(w) = b determines b; the balance is left for der(w). */
static void exchange_massless(Linear *w, uint32_t n_massless)
{
    NewtonView *out = w->out;
    System *v = out->sys;
    bool *is_free = arena_array(w->scratch, bool, v->var.n);
    uint32_t first = v->eq.n - n_massless; /* balance */
    for (uint32_t k = 0; k < n_massless; k++)
        is_free[out->massless[k].i] = true;
    Series series = series_new(v, is_free, w->scratch);
    for (uint32_t r = 0; r < out->n_equations && n_massless > 0; r++) {
        ArenaMark mark = arena_mark(w->row);
        VarId *var;
        if (series_unknowns(&series, v->eq.at[r].lhs, 1, w->row, &var) == 1) {
            uint32_t k = var[0].i - out->massless[0].i;
            out->determines[first + k] = out->determines[r];
            out->determines[r] = out->massless[k];
        }
        arena_rollback(w->row, mark);
    }
}

/* Leaves for the inputs and unknowns, the roles of variables, and values over these leaves. */
static void prepare(Linear *w, Arena *scratch)
{
    System *s = w->s;
    const LoopCut *cut = w->cut;
    const Structure *t = &w->blt->columns;
    uint32_t n_old = s->var.n;
    add_inputs(w);
    if (w->at->is_form_wanted) {
        uint32_t n_leaves = t->n + w->n_constraints + w->n_massless;
        w->out->leaf = arena_array(s->mem, VarId, n_leaves + 1);
        for (uint32_t k = 0; k < n_leaves; k++)
            w->out->leaf[k] = add_var(w, s, "unknown", k);
    }
    uint32_t n = s->var.n;
    program_extend(w->g, n_old);
    find_values(w, n);
    w->aliases = (Substitution){.mem = scratch};
    if (w->blt->aliases) {
        w->aliases.value = w->blt->aliases->value;
        w->aliases.n = w->blt->aliases->n;
    }
    w->is_any = arena_array(scratch, bool, n);
    w->is_unknown = arena_array(scratch, bool, n);
    w->state_of = arena_array(scratch, uint32_t, n);
    w->multiplier_of = arena_array(scratch, uint32_t, n);
    w->massless_of = arena_array(scratch, uint32_t, n);
    w->column = arena_array(scratch, uint32_t, n);
    for (uint32_t k = 0; k < n; k++) {
        w->is_any[k] = true;
        w->state_of[k] = w->multiplier_of[k] = w->massless_of[k] = w->column[k] = INC_NONE;
    }
    for (uint32_t k = 0; k < w->n_states; k++)
        w->state_of[w->g->state[k].i] = k;
    for (uint32_t k = 0; k < w->n_constraints; k++)
        w->multiplier_of[cut->multiplier[k].i] = k;
    for (uint32_t k = 0; k < w->n_massless; k++)
        w->massless_of[cut->massless[k].i] = k;
    for (uint32_t c = 0; c < t->n; c++) {
        w->column[t->var[c].i] = c;
        w->is_unknown[t->var[c].i] = true;
    }
}

/* The System of the increments, without equations yet. */
static void open_view(Linear *w)
{
    NewtonView *out = w->out;
    System *v = out->sys = system_view(w->s);
    Arena *mem = w->s->mem;
    uint32_t n_cols = w->blt->columns.n;
    out->multiplier = arena_array(mem, VarId, w->n_constraints + 1);
    out->massless = arena_array(mem, VarId, w->n_massless + 1);
    for (uint32_t k = 0; k < w->n_constraints; k++)
        out->multiplier[k] = add_var(w, v, "multiplier", k);
    for (uint32_t k = 0; k < w->n_massless; k++)
        out->massless[k] = add_var(w, v, "free", k);
    if (!w->at->is_form_wanted)
        w->rotations = newton_rotations_find(w->blt, &w->values, v, view_name(w), w->scratch);
    w->defect_value = arena_array(w->scratch, ExprId, w->n_states);
    for (uint32_t k = 0; k < w->n_states; k++) {
        w->defect_value[k] = EXPR_NONE;
        if (out->right || expr_is_zero(v->pool, w->defect[k]) == YES)
            continue;
        w->defect_value[k] = w->defect[k];
        w->defect[k] = system_var_expr(v, add_var(w, v, "defect", k));
    }
    w->is_increment = arena_array(mem, bool, v->var.n);
    out->form = arena_array(mem, ExprId, n_cols + w->n_constraints + w->n_massless + 1);
    out->equation = arena_array(mem, EqId, n_cols + 1);
    out->determines = arena_array(mem, VarId, v->var.n);
}

/* Finds the variables that derivatives of states, constraints and balances depend on. */
static void find_needed(Linear *w)
{
    System *s = w->s;
    const LoopCut *cut = w->cut;
    const Incidence *g = &w->blt->columns.g;
    w->needed = arena_array(w->scratch, bool, g->n_cols + 1);
    w->phi = arena_array(w->scratch, ExprId, w->n_constraints + 1);
    w->balance = arena_array(w->scratch, ExprId, w->n_massless + 1);
    bool *is_state = arena_array(w->scratch, bool, s->var.n + 1);
    for (uint32_t k = 0; k < w->n_states; k++)
        is_state[w->g->state[k].i] = true;
    if (w->rotations && w->n_constraints > 0)
        newton_rotations_note_states(w->rotations, is_state, w->is_unknown, w->row);
    w->has_rate = arena_array(s->mem, bool, w->n_states);
    if (w->n_constraints > 0)
        w->by_state = rows_of(&w->g->loops->phi_x, w->scratch);
    for (uint32_t k = 0; k < w->n_states; k++) {
        uint32_t c = w->column[s->var.at[w->g->state[k].i].der.i];
        w->has_rate[k] = c != INC_NONE;
        if (w->has_rate[k])
            w->needed[c] = true;
    }
    for (uint32_t k = 0; k < w->n_constraints; k++) {
        w->phi[k] = expr_substitute(s->pool, &w->aliases, expand_calls(s, NULL, cut->phi[k]));
        if (is_near_states(w, &w->by_state, k, w->phi[k]))
            w->phi[k] = w->rotations ? newton_rotations_written(w->rotations, w->g->loops->phi[k])
                                     : EXPR_NONE;
        if (expr_exists(w->phi[k]))
            need(w, w->column, w->phi[k], w->needed);
    }
    for (uint32_t k = 0; k < w->n_massless; k++) {
        w->balance[k] =
            expr_substitute(s->pool, &w->aliases, expand_calls(s, NULL, cut->balance[k]));
        need(w, w->column, w->balance[k], w->needed);
    }
    for (uint32_t r = 0; r < g->n_rows; r++) {
        if (!w->at->is_residual[r] || !is_row_of_model(w, r))
            continue;
        for (uint32_t k = g->row_begin[r]; k < g->row_begin[r + 1]; k++)
            w->needed[g->col[k]] = true;
    }
    close_columns(g, &w->blt->matching, w->needed, w->scratch);
}

/* Records of the last row the equation that it linearises, and its unknown. */
static void note_row(Linear *w, ExprId form, VarId determines)
{
    NewtonView *out = w->out;
    out->form[out->sys->eq.n - 1] = form;
    out->determines[out->sys->eq.n - 1] = determines;
}

/* The model's equations for the needed variables, linearised. */
static bool add_equations(Linear *w)
{
    System *s = w->s;
    NewtonView *out = w->out;
    const Structure *t = &w->blt->columns;
    ExprId zero = expr_int(s->pool, 0), one = expr_int(s->pool, 1);
    /* of the pairs of residuals and free derivatives any will do */
    VEC(uint32_t) residuals = {0};
    for (uint32_t r = 0; r < t->g.n_rows; r++)
        if (w->at->is_residual[r] && is_row_of_model(w, r))
            vec_push(w->scratch, residuals, r);
    for (uint32_t c = 0; c < t->n; c++) {
        if (!w->needed[c])
            continue;
        w->is_increment[t->var[c].i] = true;
        uint32_t r = w->blt->matching.eq_of[c];
        if (r == INC_NONE) {
            if (residuals.n == 0) /* not square: the runtime forms the matrix */
                return false;
            r = residuals.at[--residuals.n];
        }
        const Eq *e = &s->eq.at[r];
        ExprId residual = expr_sub(s->pool, e->lhs, e->rhs);
        ExprId right =
            w->at->is_residual[r] ? weighted_defect(w, residual, WEIGHT) : given_right(w, r);
        if (!add_row(w, residual, zero, one, right, e->span))
            return false;
        note_row(w, residual, t->var[c]);
        out->equation[out->n_equations++] = (EqId){r};
        vec_last(out->sys->eq).group = e->group;
        vec_last(out->sys->eq).index = e->index;
    }
    return true;
}

/* d lambda + penalty * d phi = s, per constraint. */
static bool add_constraints(Linear *w)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    const LoopCut *cut = w->cut;
    uint32_t first_penalty = BASE + w->n_states, first_s = first_penalty + w->n_constraints;
    for (uint32_t l = 0; l < w->n_loops; l++) {
        for (uint32_t k = cut->first[l]; k < cut->first[l + 1]; k++) {
            VarId multiplier = w->out->multiplier[k];
            w->is_increment[multiplier.i] = true;
            ExprId penalty = input_expr(w, first_penalty + k);
            ExprId right = input_expr(w, first_s + k);
            bool far = expr_exists(w->phi[k]);
            if (!far)
                add_constraint(w, &w->by_state, k, penalty, right, cut->span[l]);
            else if (!add_row(w, w->phi[k], system_var_expr(w->out->sys, multiplier), penalty,
                              right, cut->span[l]))
                return false;
            ExprId violation = far ? w->phi[k] : w->g->loops->phi[k];
            note_row(w,
                     expr_add(p, system_var_expr(s, cut->multiplier[k]),
                              expr_mul(p, penalty, violation)),
                     multiplier);
        }
    }
    return true;
}

static bool add_balances(Linear *w)
{
    ExprPool *p = w->s->pool;
    for (uint32_t k = 0; k < w->n_massless; k++) {
        VarId massless = w->out->massless[k];
        w->is_increment[massless.i] = true;
        if (!add_row(w, w->balance[k], expr_int(p, 0), expr_int(p, 1),
                     weighted_defect(w, w->balance[k], BALANCE_WEIGHT), w->cut->balance_at[k]))
            return false;
        note_row(w, w->balance[k], massless);
    }
    return true;
}

/* Rotation matrices move by three angles. Elements to which the orders refer stay. */
static void put_in_rotations(Linear *w, bool *is_unknown)
{
    NewtonView *out = w->out;
    bool *may_go = arena_array(w->scratch, bool, out->sys->eq.n + 1);
    for (uint32_t r = 0; r < out->n_equations; r++) {
        uint32_t u = out->determines[r].i;
        may_go[r] = u < w->at->n && !w->at->stays[u] && !w->at->is_residual[out->equation[r].i];
    }
    bool *is_defect = arena_array(w->scratch, bool, out->sys->var.n);
    for (uint32_t k = 0; k < w->n_states; k++)
        if (expr_op(out->sys->pool, w->defect[k]) == OP_VAR)
            is_defect[expr_var_of(out->sys->pool, w->defect[k]).i] = true;
    for (uint32_t k = 0; is_explicit(w) && k < out->right->n_rows; k++)
        is_defect[out->right->row[k].i] = true;
    const bool *goes =
        newton_rotations_apply(w->rotations, out, is_unknown, is_defect, may_go, w->scratch);
    if (goes)
        put_in(w, goes, is_unknown);
}

/* The defects take the place of their leaves. */
static void put_in_defects(Linear *w)
{
    NewtonView *out = w->out;
    System *v = out->sys;
    ExprPool *p = v->pool;
    ExprId *value = arena_array(w->scratch, ExprId, v->var.n);
    for (uint32_t k = 0; k < v->var.n; k++)
        value[k] = EXPR_NONE;
    for (uint32_t k = 0; k < w->n_states; k++) {
        if (!expr_exists(w->defect_value[k]))
            continue;
        value[expr_var_of(p, w->defect[k]).i] = w->defect_value[k];
        w->defect[k] = w->defect_value[k];
    }
    Substitution s = {.value = value, .n = v->var.n, .mem = w->row};
    for (uint32_t r = 0; r < v->eq.n; r++) {
        v->eq.at[r].lhs = expr_substitute(p, &s, v->eq.at[r].lhs);
        v->eq.at[r].rhs = expr_substitute(p, &s, v->eq.at[r].rhs);
    }
    for (uint32_t k = 0; k < v->var.n; k++)
        if (expr_exists(out->explicit_value[k]))
            out->explicit_value[k] = expr_substitute(p, &s, out->explicit_value[k]);
}

bool newton_view(const Blt *b, Program *g, const LoopCut *cut, const NewtonPoint *at,
                 NewtonView *out, Arena *scratch)
{
    if (program_own_blocks(g) > 0 || g->n_states == 0)
        return false;
    uint32_t n_old = b->sys->var.n, parts = at->is_model && cut->n_parts ? cut->n_parts : 1;
    *out = (NewtonView){.n_states = at->n_states,
                        .n_constraints = cut->n_constraints / parts,
                        .n_massless = cut->n_massless / parts};
    Linear w = {.s = b->sys,
                .scratch = scratch,
                .row = arena_new(),
                .at = at,
                .out = out,
                .n_states = out->n_states,
                .n_loops = cut->n_loops / parts,
                .n_constraints = out->n_constraints,
                .n_massless = out->n_massless,
                .blt = b,
                .g = g,
                .cut = cut};
    prepare(&w, scratch);
    open_view(&w);
    find_needed(&w);
    bool ok = add_equations(&w) && add_constraints(&w) && add_balances(&w);
    out->value = w.values.value;
    if (ok) {
        exchange_massless(&w, w.n_massless);
        put_in_multiples(&w, n_old, w.is_increment);
        if (w.rotations)
            put_in_rotations(&w, w.is_increment);
        if (!out->right)
            put_in_defects(&w);
    }
    arena_free(w.row);
    out->has_rate = w.has_rate;
    out->defect = w.defect;
    out->newton->residual = w.residual;
    out->newton->n_residuals = w.n_residuals;
    ok = ok && (is_explicit(&w) || w.n_residuals == w.n_states + w.n_massless);
    if (ok)
        out->structure = structure_of(out->sys, w.is_increment, b->sys->mem);
    return ok && out->structure.g.n_rows == out->structure.n;
}

void newton_matrix(NewtonView *v, const Program *g, Arena *scratch)
{
    System *s = v->sys;
    NewtonSystem *w = v->newton;
    const Structure *t = &v->structure;
    uint32_t n = t->n;
    bool *is_unknown = arena_array(scratch, bool, s->var.n);
    for (uint32_t c = 0; c < n; c++)
        is_unknown[t->var[c].i] = true;
    LinearForm *form = arena_array(scratch, LinearForm, n);
    uint32_t *start = arena_array(s->mem, uint32_t, n + 1);
    uint32_t *next = arena_array(scratch, uint32_t, n + 1);
    ExprId *right = arena_array(s->mem, ExprId, n + 1);
    Substitution none = {0};
    Series series = series_new(s, is_unknown, scratch);
    for (uint32_t r = 0; r < n; r++) {
        const Eq *e = &s->eq.at[r];
        form[r] = series_form(&series, &none, expr_sub(s->pool, e->lhs, e->rhs), scratch);
        right[r] = expr_neg(s->pool, form[r].rest);
        for (uint32_t k = 0; k < form[r].n; k++)
            start[t->column[form[r].var[k].i] + 1]++;
    }
    for (uint32_t c = 0; c < n; c++)
        next[c + 1] = start[c + 1] += start[c];
    uint32_t *row = arena_array(s->mem, uint32_t, start[n] + 1);
    ExprId *entry = arena_array(s->mem, ExprId, start[n] + 1);
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t k = 0; k < form[r].n; k++) {
            uint32_t at = next[t->column[form[r].var[k].i]]++;
            row[at] = r;
            entry[at] = form[r].coeff[k];
        }
    }
    uint32_t *rate = arena_array(s->mem, uint32_t, g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        rate[k] = expr_is_zero(s->pool, v->defect[k]) == YES
                      ? t->column[s->var.at[g->state[k].i].der.i]
                      : INC_NONE;
    w->matrix = (ExprColumns){n, n, start, row, entry};
    w->right = right;
    w->rate = rate;
    w->has_matrix = true;
}

/* Per variable of the view, that of the model which it is the increment of. */
static VarId *variables_of_model(const NewtonView *v, const LoopConstraints *l, Arena *mem)
{
    VarId *of = arena_array(mem, VarId, v->sys->var.n);
    for (uint32_t k = 0; k < v->sys->var.n; k++)
        of[k] = (VarId){k};
    for (uint32_t k = 0; k < v->n_constraints; k++)
        of[v->multiplier[k].i] = l->multiplier[k];
    for (uint32_t k = 0; l && k < l->n_massless; k++)
        of[v->massless[k].i] = l->massless[k];
    return of;
}

void newton_form(NewtonView *v, const Program *g, Arena *scratch)
{
    System *s = g->sys;
    ExprPool *p = s->pool;
    NewtonSystem *w = v->newton;
    uint32_t n = v->structure.n;
    ExprId *by = arena_array(scratch, ExprId, s->var.n);
    ExprId *form = arena_array(s->mem, ExprId, n + 1);
    ExprId *point = arena_array(s->mem, ExprId, n + g->n_states + 1);
    const VarId *of = variables_of_model(v, g->loops, scratch);
    for (uint32_t k = 0; k < s->var.n; k++)
        by[k] = v->whole[k];
    for (uint32_t c = 0; c < n; c++) {
        VarId u = of[v->structure.var[c].i];
        by[u.i] = system_var_expr(s, v->leaf[c]);
        point[c] = v->value[u.i];
    }
    ExprId gamma = system_var_expr(s, w->input[GAMMA]);
    for (uint32_t k = 0; k < g->n_states; k++) {
        VarId der = s->var.at[g->state[k].i].der;
        point[n + k] = v->value[der.i];
        if (v->has_rate[k])
            by[g->state[k].i] = expr_add(p, system_var_expr(s, w->input[BASE + k]),
                                         expr_mul(p, gamma, system_var_expr(s, der)));
    }
    put_in_themselves(p, by, s->var.n, scratch);
    Substitution all = {.value = by, .n = s->var.n, .mem = scratch};
    for (uint32_t r = 0; r < n; r++)
        form[r] = expr_substitute(p, &all, v->form[r]);
    w->form = form;
    w->point = point;
    w->unknown = v->leaf;
    SparseJacobian colours = {.columns = w->matrix};
    jacobian_colours(&colours, s->mem, scratch);
    w->colour = colours.colour;
    w->n_colours = colours.n_colours;
}

ExprId *newton_small_step(const NewtonView *v, const NewtonPoint *at, Arena *mem)
{
    System *s = v->sys;
    ExprPool *p = s->pool;
    ExprId *value = arena_array(mem, ExprId, s->var.n);
    VarId step = v->newton->input[GAMMA];
    ExprId gamma = s->var.at[step.i].attr.start;
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = EXPR_NONE;
    value[step.i] = gamma;
    for (uint32_t k = 0; k < v->n_states; k++) {
        ExprId rate = system_var_expr(s, s->var.at[at->state[k].i].der);
        ExprId x = system_var_expr(s, at->state[k]);
        value[v->newton->input[BASE + k].i] = expr_sub(p, x, expr_mul(p, gamma, rate));
    }
    return value;
}

ExprId *newton_rates(const NewtonView *v, const Program *solved, const Program *g)
{
    System *s = g->sys;
    ExprPool *p = s->pool;
    ExprId *rate = arena_array(s->mem, ExprId, v->n_states + 1);
    Arena *tmp = arena_new();
    Substitution values = {.value = solved->value, .n = v->sys->var.n, .mem = tmp};
    for (uint32_t k = 0; k < v->n_states; k++) {
        VarId d = s->var.at[g->state[k].i].der;
        rate[k] = expr_int(p, 0);
        if (v->has_rate[k])
            rate[k] = expr_exists(v->explicit_value[d.i])
                          ? expr_substitute(p, &values, v->explicit_value[d.i])
                          : solved->value[d.i];
    }
    arena_free(tmp);
    return rate;
}

void newton_finish(NewtonView *v, const Program *solved, Program *g)
{
    System *s = g->sys;
    ExprPool *p = s->pool;
    NewtonSystem *w = v->newton;
    uint32_t m = v->n_constraints, n_massless = v->n_massless;
    w->n_delta = v->n_states + n_massless + m;
    w->delta = arena_array(s->mem, ExprId, w->n_delta + 1);
    ExprId gamma = system_var_expr(s, w->input[GAMMA]);
    const ExprId *rate = newton_rates(v, solved, g);
    for (uint32_t k = 0; k < v->n_states; k++)
        w->delta[k] = expr_add(p, expr_mul(p, gamma, rate[k]), v->defect[k]);
    for (uint32_t k = 0; k < n_massless; k++)
        w->delta[v->n_states + k] = solved->value[v->massless[k].i];
    for (uint32_t k = 0; k < m; k++)
        w->delta[v->n_states + n_massless + k] = solved->value[v->multiplier[k].i];
    g->newton = w;
}
