#include "eliminate/forms/residual_form.h"

#include "eliminate/block/ordering.h"
#include "eliminate/forms/base_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/solution.h"

/* Adds a variable of the program as input for each tearing variable, and lists the tearing
 * variables and their residual equations in the same order. */
static void add_inputs(Program *g, const Program *torn, ResidualForm *out)
{
    System *s = g->sys;
    VarId *variable = arena_array(s->mem, VarId, out->n + 1);
    VarId *input = arena_array(s->mem, VarId, out->n + 1);
    EqId *eq = arena_array(s->mem, EqId, out->n + 1);
    uint32_t n_before = s->var.n;
    uint32_t at = 0;
    for (uint32_t b = 0; b < torn->n_blocks; b++) {
        for (uint32_t k = 0; k < torn->block[b].n; k++, at++) {
            variable[at] = torn->block[b].unknown[k];
            eq[at] = torn->block[b].eq[k];
            input[at] = system_add_hidden(s, arena_printf(s->mem, "torn %u", at));
        }
    }
    program_extend(g, n_before);
    out->torn = variable;
    out->input = input;
    out->eq = eq;
}

void residual_form_find(Program *g, const Program *torn, uint32_t limit, Arena *scratch)
{
    System *s = g->sys;
    ExprPool *p = s->pool;
    ResidualForm *out = arena_make(s->mem, ResidualForm);
    for (uint32_t b = 0; b < torn->n_blocks; b++)
        out->n += torn->block[b].n;
    add_inputs(g, torn, out);
    ExprId *leaf = arena_array(scratch, ExprId, s->var.n);
    uint32_t *place = arena_array(scratch, uint32_t, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++) {
        leaf[k] = EXPR_NONE;
        place[k] = UINT32_MAX;
    }
    for (uint32_t k = 0; k < out->n; k++) {
        leaf[out->torn[k].i] = system_var_expr(s, out->input[k]);
        place[out->torn[k].i] = k;
    }
    Substitution leaves = {.value = leaf, .n = s->var.n, .mem = scratch};

    /* residuals, then rates */
    ExprId *row = arena_array(s->mem, ExprId, out->n + g->n_states + 1);
    uint32_t *state = arena_array(s->mem, uint32_t, out->n + 1);
    uint32_t *rate_of = arena_array(s->mem, uint32_t, g->n_states + 1);
    uint32_t at = 0;
    for (uint32_t b = 0; b < torn->n_blocks; b++) {
        for (uint32_t k = 0; k < torn->block[b].n; k++, at++) {
            state[at] = UINT32_MAX;
            row[at] = expr_substitute(p, &leaves, torn->block[b].residual[k]);
        }
    }
    for (uint32_t k = 0; k < g->n_states; k++) {
        uint32_t own = place[s->var.at[g->state[k].i].der.i];
        if (own != UINT32_MAX) {
            state[own] = k;
            continue;
        }
        rate_of[out->n_rates] = k;
        row[out->n + out->n_rates++] = expr_substitute(p, &leaves, torn->derivative[k]);
    }
    out->program = torn;
    out->state = state;
    out->residual = row;
    out->rate_of = rate_of;
    out->rate = row + out->n;
    uint32_t n_rows = out->n + out->n_rates;
    out->has_jacobians =
        jacobian_columns(s, n_rows, row, out->n, out->input, limit, &out->by_torn, scratch) &&
        jacobian_columns(s, n_rows, row, g->n_states, g->state, limit, &out->by_state, scratch);
    g->residual = out;
}

void residual_form_make(Dae *d, uint32_t limit, Arena *scratch)
{
    OrderPolicy torn = {.is_torn = true};
    Program *p = arena_make(d->sys->mem, Program);
    BaseForm base = {0};
    if (d->wants_base)
        base_form_find(d, &torn, &base, scratch);
    if (!solution_again(d, &torn, p, scratch))
        return;
    base_form_put_in(d, &base, p);
    residual_form_find(&d->solution.program, p, limit, scratch);
}
