#include "eliminate/forms/linearisation.h"

#include "eliminate/forms/parameter_chain.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/prepare/sensitivity.h"
#include "eliminate/solution.h"

#include <string.h>

static bool is_of_loops(const LoopConstraints *l, VarId v)
{
    for (uint32_t k = 0; l && k < l->n_constraints; k++)
        if (l->multiplier[k].i == v.i)
            return true;
    for (uint32_t k = 0; l && k < l->n_massless; k++)
        if (l->massless[k].i == v.i)
            return true;
    return false;
}

LinearisationChoice linearisation_top_level(const Program *g, Arena *mem)
{
    const System *s = g->sys;
    VEC(VarId) output = {0}, input = {0};
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (v->type != TYPE_REAL || v->is_hidden || v->is_initial)
            continue;
        if (v->is_output)
            vec_push(mem, output, ((VarId){k}));
        if (v->kind == VAR_INPUT && !is_of_loops(g->loops, (VarId){k}))
            vec_push(mem, input, ((VarId){k}));
    }
    return (LinearisationChoice){
        .n_outputs = output.n, .n_inputs = input.n, .output = output.at, .input = input.at};
}

typedef struct Rows {
    System *s;
    const Program *g;    /* the program of the rows: the explicit one, or one with more blocks */
    const Program *main; /* the program */
    const LinearisationChoice *choice;
    const VarId *own; /* per chosen parameter: the variable added to its binding, or itself */
    VEC(ExprId) row;
    VEC(VarId) column;
    uint32_t n_states; /* of the rows, and of the columns */
    uint32_t n_implicit, n_dependent, n_constraints;
    Arena *mem;
} Rows;

/* Blocks whose unknowns the rows depend on, through other blocks too. Those in front are solved
 * first. */
static bool *needed_blocks(const Rows *w, Arena *scratch)
{
    const Program *g = w->g;
    bool *needed = arena_array(scratch, bool, g->n_blocks + 1);
    bool *mark = arena_array(scratch, bool, pool_size(w->s->pool) + 1);
    program_reach(w->s->pool, w->row.n, w->row.at, mark);
    for (uint32_t b = g->n_blocks; b-- > 0;) {
        for (uint32_t k = 0; k < g->block[b].n; k++)
            needed[b] = needed[b] || mark[system_var_expr(w->s, g->block[b].unknown[k]).i];
        if (needed[b])
            program_reach(w->s->pool, g->block[b].n, g->block[b].residual, mark);
    }
    return needed;
}

static void add_implicit(Rows *w, ExprId residual, VarId unknown)
{
    vec_push(w->mem, w->row, residual);
    vec_push(w->mem, w->column, unknown);
    w->n_implicit++;
}

/* Second derivatives of the constraints, for the multipliers, and balances, for the accelerations
 * of massless coordinates: phi'' = phi_v xdot + rest. */
static void add_loops(Rows *w)
{
    const LoopConstraints *l = w->main->loops;
    ExprPool *p = w->s->pool;
    ExprId *second = arena_array(w->mem, ExprId, l->n_constraints + 1);
    for (uint32_t k = 0; k < l->n_constraints; k++)
        second[k] = l->phi_rest[k];
    for (uint32_t c = 0; c < l->phi_v.n_cols; c++)
        for (uint32_t e = l->phi_v.col_start[c]; e < l->phi_v.col_start[c + 1]; e++) {
            uint32_t r = l->phi_v.row[e];
            second[r] = expr_add(p, second[r], expr_mul(p, l->phi_v.entry[e], w->g->derivative[c]));
        }
    for (uint32_t k = 0; k < l->n_constraints; k++)
        add_implicit(w, second[k], l->multiplier[k]);
    for (uint32_t k = 0; k < l->n_massless; k++)
        add_implicit(w, l->balance[k], l->massless[k]);
}

/* The variables of the columns of chosen parameters. A parameter bound to others gets a variable
 * that is added to its binding, so that its own change and that through the others are separate. */
static const VarId *own_columns(Program *g, const LinearisationChoice *choice)
{
    System *s = g->sys;
    uint32_t n = s->var.n;
    VarId *own = arena_array(s->mem, VarId, choice->n_parameters + 1);
    for (uint32_t k = 0; k < choice->n_parameters; k++) {
        ExprId binding = parameter_binding(s, choice->parameter[k]);
        double value;
        own[k] = choice->parameter[k];
        if (expr_exists(binding) && !expr_constant(s->pool, binding, &value))
            own[k] = system_add_hidden(s, arena_printf(s->mem, "by parameter %u", k));
    }
    program_extend(g, n);
    return own;
}

/* Parameters that the rows need and that follow from chosen ones: 0 = parameter - binding - own. */
static void add_dependent(Rows *w, Arena *scratch)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    if (!w->choice->n_parameters)
        return;
    for (uint32_t k = 0; k < s->var.n; k++)
        if (expr_exists(parameter_binding(s, (VarId){k})))
            system_var_expr(s, (VarId){k});
    const bool *follows =
        parameter_followers(s, w->choice->n_parameters, w->choice->parameter, 0, NULL, scratch);
    bool *mark = arena_array(scratch, bool, pool_size(p) + 1);
    bool *done = arena_array(scratch, bool, s->var.n + 1);
    ExprId *own = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        own[k] = EXPR_NONE;
    for (uint32_t k = 0; k < w->choice->n_parameters; k++) {
        VarId v = w->choice->parameter[k];
        done[v.i] = v.i == w->own[k].i;
        if (!done[v.i])
            own[v.i] = system_var_expr(s, w->own[k]);
    }
    program_reach(p, w->row.n, w->row.at, mark);
    VEC(VarId) found = {0};
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < s->var.n; k++) {
            ExprId binding = parameter_binding(s, (VarId){k});
            if (done[k] || !expr_exists(binding) || !(follows[binding.i] || expr_exists(own[k])) ||
                !mark[system_var_expr(s, (VarId){k}).i])
                continue;
            done[k] = changed = true;
            vec_push(scratch, found, ((VarId){k}));
            program_reach(p, 1, &binding, mark);
        }
    }
    for (uint32_t k = 0; k < found.n; k++, w->n_dependent++) {
        VarId v = found.at[k];
        ExprId row = expr_sub(p, system_var_expr(s, v), parameter_binding(s, v));
        add_implicit(w, expr_exists(own[v.i]) ? expr_sub(p, row, own[v.i]) : row, v);
    }
}

static Rows rows_of(const Dae *d, const Program *g, const LinearisationChoice *choice,
                    const VarId *own, Arena *scratch)
{
    const Program *main = &d->solution.program;
    Rows w = {.s = main->sys,
              .g = g,
              .main = main,
              .choice = choice,
              .own = own,
              .n_states = sensitivities_states(d),
              .mem = main->sys->mem};
    for (uint32_t k = 0; k < w.n_states; k++) {
        vec_push(w.mem, w.row, g->derivative[k]);
        vec_push(w.mem, w.column, g->state[k]);
    }
    for (uint32_t k = 0; k < choice->n_outputs; k++)
        vec_push(w.mem, w.row, g->value[choice->output[k].i]);
    for (uint32_t k = 0; k < choice->n_inputs; k++)
        vec_push(w.mem, w.column, choice->input[k]);
    for (uint32_t k = 0; k < choice->n_parameters; k++)
        vec_push(w.mem, w.column, own[k]);
    const LoopConstraints *l = main->loops;
    if (l)
        add_loops(&w);
    bool *needed = needed_blocks(&w, scratch);
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t k = 0; needed[b] && k < g->block[b].n; k++)
            add_implicit(&w, g->block[b].residual[k], g->block[b].unknown[k]);
    add_dependent(&w, scratch);
    for (uint32_t k = 0; l && k < 2 * l->n_constraints; k++, w.n_constraints++)
        vec_push(w.mem, w.row, k < l->n_constraints ? l->phi[k] : l->phi_dot[k - l->n_constraints]);
    return w;
}

static void keep(const Rows *w, SparseJacobian matrix, Program *main)
{
    Linearisation *out = arena_make(w->s->mem, Linearisation);
    *out = (Linearisation){.n_states = w->n_states,
                           .n_outputs = w->choice->n_outputs,
                           .n_inputs = w->choice->n_inputs,
                           .n_parameters = w->choice->n_parameters,
                           .n_implicit = w->n_implicit,
                           .n_dependent = w->n_dependent,
                           .n_constraints = w->n_constraints,
                           .output = w->choice->output,
                           .input = w->choice->input,
                           .parameter = w->choice->parameter,
                           .column = w->column.at,
                           .row = w->row.at,
                           .matrix = matrix};
    main->linearisation = out;
}

/* With the unknowns of more blocks than the program has: in the entries their values are put, and
 * with these their equations hold. */
static void put_values(Rows *w, SparseJacobian *matrix, Arena *scratch)
{
    System *s = w->s;
    const Program *main = w->main;
    ExprId *value = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = EXPR_NONE;
    uint32_t first = w->column.n - w->n_implicit;
    uint32_t first_row = w->row.n - w->n_constraints - w->n_implicit;
    for (uint32_t k = 0; k < w->n_implicit; k++) {
        VarId v = w->column.at[first + k];
        ExprId x = main->value[v.i];
        if (expr_same(x, system_var_expr(s, v)))
            continue;
        value[v.i] = x;
        w->row.at[first_row + k] = expr_int(s->pool, 0);
    }
    Substitution solved = {.value = value, .n = s->var.n, .mem = scratch};
    uint32_t n = matrix->columns.col_start[matrix->columns.n_cols];
    ExprId *entry = arena_array(s->mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        entry[k] = expr_substitute(s->pool, &solved, matrix->columns.entry[k]);
    matrix->columns.entry = entry;
    for (uint32_t k = 0; k < w->row.n; k++)
        w->row.at[k] = expr_substitute(s->pool, &solved, w->row.at[k]);
}

static bool differentiate_rows(Rows *w, uint32_t limit, SparseJacobian *out, Arena *scratch)
{
    return jacobian_columns(w->s, w->row.n, w->row.at, w->column.n, w->column.at, limit, out,
                            scratch);
}

void linearisation_make(Dae *d, const LinearisationChoice *choice, uint32_t limit, Arena *scratch)
{
    Program *g = &d->solution.program, numeric;
    SparseJacobian matrix;
    const VarId *own = own_columns(g, choice);
    Rows w = rows_of(d, g, choice, own, scratch);
    if (differentiate_rows(&w, limit, &matrix, scratch)) {
        keep(&w, matrix, g);
        return;
    }
    if (solution_numeric(d, false, &numeric, scratch)) {
        w = rows_of(d, &numeric, choice, own, scratch);
        if (differentiate_rows(&w, UINT32_MAX, &matrix, scratch)) {
            put_values(&w, &matrix, scratch);
            keep(&w, matrix, g);
            return;
        }
    }
    if (g->loops)
        return;
    w = rows_of(d, g, choice, own, scratch);
    w.row.n -= w.n_implicit;
    w.column.n -= w.n_implicit;
    w.n_implicit = 0;
    if (jacobian_pattern_of(g, w.row.n, w.row.at, w.column.n, w.column.at, UINT32_MAX, &matrix,
                            scratch))
        keep(&w, matrix, g);
}
