/* Leaves of the program, and where the value of each variable is found. */
#include "base/bug.h"
#include "emit/model/adjoint_code.h"
#include "emit/model/model.h"
#include "emit/model/sensitivity_code.h"

#include <math.h>
#include <string.h>

bool model_attribute(const Model *m, ExprId x, double *value)
{
    return expr_exists(x) && expr_constant(m->sys->pool, x, value);
}

ExprId model_first_guess(const Model *m, VarId v)
{
    const Var *of = &m->sys->var.at[v.i];
    return expr_exists(of->attr.start) ? of->attr.start : of->guess;
}

bool model_has_nominal(const Model *m, VarId v)
{
    double value;
    return model_attribute(m, m->sys->var.at[v.i].attr.nominal, &value) && value != 0;
}

double model_nominal(const Model *m, VarId v)
{
    double value = 1;
    bool has =
        model_has_nominal(m, v) && model_attribute(m, m->sys->var.at[v.i].attr.nominal, &value);
    return has ? fabs(value) : 1;
}

void model_bound(const Model *m, ExprId x, double *value, uint32_t *in)
{
    *in = RUNG_NONE;
    if (m->is_shadow || model_attribute(m, x, value))
        return;
    if (expr_exists(x) && expr_is_fixed(m->sys->pool, x))
        *in = coder_constant(m->code, x);
}

/* ------------------------------------------------------------------ leaves */

void model_find_leaves(Model *m)
{
    const Program *g = m->g;
    uint32_t n = m->sys->var.n;
    m->n_leaves = n;
    m->leaf = arena_array(m->mem, uint8_t, n + 1);
    m->leaf_index = arena_array(m->mem, uint32_t, n + 1);
    m->binding = arena_array(m->mem, ExprId, n + 1);
    m->fallback = arena_array(m->mem, double, n + 1);
    m->block_first = arena_array(m->mem, uint32_t, g->n_blocks + 1);
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &m->sys->var.at[k];
        m->binding[k] = EXPR_NONE;
        if (v->type == TYPE_STRING || v->is_initial)
            continue;
        if (v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT) {
            m->leaf[k] = LEAF_PARAMETER;
            m->leaf_index[k] = m->parameter.n;
            vec_push(m->mem, m->parameter, (VarId){k});
            // MLS 8.6: without a value, the start value
            ExprId x = expr_exists(v->binding) ? v->binding : v->attr.start;
            if (expr_exists(x) && !expr_constant(m->sys->pool, x, &m->fallback[k]))
                m->binding[k] = x;
        } else if (v->kind == VAR_INPUT) {
            m->leaf[k] = LEAF_INPUT;
            m->leaf_index[k] = m->input.n;
            model_attribute(m, v->attr.start, &m->fallback[k]);
            vec_push(m->mem, m->input, (VarId){k});
        }
    }
    for (uint32_t k = 0; k < g->n_memory; k++) {
        // memory is stored behind the inputs
        m->leaf[g->memory[k].var.i] = LEAF_INPUT;
        m->leaf_index[g->memory[k].var.i] = m->input.n + k;
    }
    for (uint32_t k = 0; g->newton && k < g->newton->n_inputs; k++) {
        // the inputs of a Newton iteration lie behind that
        m->leaf[g->newton->input[k].i] = LEAF_INPUT;
        m->leaf_index[g->newton->input[k].i] = m->input.n + g->n_memory + k;
    }
    for (uint32_t k = 0; g->adjoint && k < g->adjoint->n_inputs; k++) {
        // those of an adjoint behind these
        m->leaf[g->adjoint->input[k].i] = LEAF_INPUT;
        m->leaf_index[g->adjoint->input[k].i] = adjoint_first(g, m->input.n) + k;
    }
    if (g->along) {
        uint32_t first = rates_along_first(g, m->input.n);
        for (uint32_t k = 0; k < g->along->n_states + g->along->n_rows + g->along->n_kept; k++) {
            const RatesAlong *a = g->along;
            uint32_t n_sides = a->n_states + a->n_rows;
            m->leaf[a->input[k].i] = LEAF_INPUT;
            // the rates lie between right-hand sides and kept values
            m->leaf_index[a->input[k].i] = first + k + (k < n_sides ? 0 : a->n_states);
        }
    }
    for (uint32_t k = 0; g->newton && g->newton->has_matrix && k < g->newton->matrix.n_cols; k++) {
        m->leaf[g->newton->unknown[k].i] = LEAF_TORN;
        m->leaf_index[g->newton->unknown[k].i] = k;
    }
    for (uint32_t k = 0; g->residual && k < g->residual->n; k++) {
        m->leaf[g->residual->input[k].i] = LEAF_TORN;
        m->leaf_index[g->residual->input[k].i] = k;
    }
    for (uint32_t k = 0; k < g->n_states; k++) {
        m->leaf[g->state[k].i] = LEAF_STATE;
        m->leaf_index[g->state[k].i] = k;
    }
    uint32_t unknowns = 0;
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        m->block_first[b] = unknowns;
        for (uint32_t i = 0; i < g->block[b].n; i++) {
            m->leaf[g->block[b].unknown[i].i] = LEAF_UNKNOWN;
            m->leaf_index[g->block[b].unknown[i].i] = unknowns++;
        }
    }
    m->block_first[g->n_blocks] = unknowns;
}

/* ------------------------------------------------------------------ variables and their places */

static bool place_of(Model *m, VarId var, uint32_t *known, ModelRow *row)
{
    const ExprPool *p = m->sys->pool;
    ExprId x = m->g->value[var.i];
    uint8_t leaf = m->leaf[var.i];
    double value;
    static const RungPlace places[] = {
        [LEAF_NONE] = RUNG_IS_TIME,
        [LEAF_STATE] = RUNG_IN_STATES,
        [LEAF_PARAMETER] = RUNG_IN_PARAMETERS,
        [LEAF_INPUT] = RUNG_IN_INPUTS,
        [LEAF_UNKNOWN] = RUNG_IN_UNKNOWNS,
    };
    row->negated = false;
    row->var = var;
    // an own place, or that of the variable it is an alias of
    if (leaf == LEAF_NONE && expr_exists(x)) {
        x = code_strip(p, x, &row->negated);
        if (expr_op(p, x) == OP_VAR) {
            var = expr_var_of(p, x);
            leaf = m->leaf[var.i];
        }
    }
    // an initial system must compute its results, not read them from the first guesses
    bool is_asked = m->wanted && leaf == LEAF_UNKNOWN;
    if (leaf != LEAF_NONE && !is_asked) {
        row->place = places[leaf];
        row->index = m->leaf_index[var.i];
        return true;
    }
    if (!expr_exists(x))
        return false;
    if (expr_op(p, x) == OP_TIME) {
        row->place = RUNG_IS_TIME;
        row->index = 0;
        return true;
    }
    if (expr_constant(p, x, &value)) {
        row->place = RUNG_IN_NUMBERS;
        if (known[x.i] == 0) {
            vec_push(m->mem, m->number, x);
            known[x.i] = m->number.n;
        }
        row->index = known[x.i] - 1;
        return true;
    }
    if (expr_is_fixed(p, x)) {
        row->place = RUNG_IN_CONSTANTS;
        row->index = coder_constant(m->code, x);
        return true;
    }
    row->place = RUNG_IN_VALUES;
    if (known[x.i] == 0) {
        Root r = {.x = x,
                  .kind = ROOT_OUT,
                  .index = m->output.n,
                  .name = m->sys->var.at[row->var.i].name};
        vec_push(m->mem, m->output, r);
        known[x.i] = m->output.n;
    }
    row->index = known[x.i] - 1;
    return true;
}

/* Not those of parameters, which are known when the model is compiled. */
static bool is_string_row(const Model *m, uint32_t k)
{
    const Var *v = &m->sys->var.at[k];
    return v->type == TYPE_STRING && var_is_unknown(v) && !v->is_hidden && !v->is_initial &&
           expr_exists(m->g->value[k]);
}

/* Those of other models than the initial system, whose unknowns memory takes. */
static void find_strings(Model *m, uint32_t *known)
{
    for (uint32_t k = 0; k < m->sys->var.n && !m->wanted; k++) {
        ModelRow row;
        if (is_string_row(m, k) && place_of(m, (VarId){k}, known, &row))
            vec_push_own(m->mem, m->string, row);
    }
}

void model_find_places(Model *m)
{
    uint32_t n = m->sys->var.n;
    uint32_t *known = arena_array(m->mem, uint32_t, pool_size(m->sys->pool));
    m->row_of = arena_array(m->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        ModelRow row;
        m->row_of[k] = UINT32_MAX;
        const Var *v = &m->sys->var.at[k];
        if (m->wanted ? !m->wanted[k] : v->is_initial || v->is_hidden)
            continue;
        bool is_string = v->type == TYPE_STRING && (!m->wanted || v->kind < VAR_INPUT);
        if (is_string || v->type == TYPE_OBJECT || !place_of(m, (VarId){k}, known, &row))
            continue;
        m->row_of[k] = m->row.n;
        vec_push_own(m->mem, m->row, row);
    }
    find_strings(m, known);
    /* a block that nothing else needs is solved for its unknowns themselves */
    for (uint32_t b = 0; b < program_own_blocks(m->g) && !m->wanted; b++) {
        VarId v = m->g->block[b].unknown[0];
        Root r = {.x = system_var_expr(m->sys, v),
                  .kind = ROOT_OUT,
                  .index = m->output.n,
                  .name = m->sys->var.at[v.i].name};
        vec_push(m->mem, m->output, r);
    }
}
