#include "eliminate/forms/newton_right.h"

#include "eliminate/forms/linear_split.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/sensitivity.h"

/* ---- entries of right-hand sides ---- */

typedef struct Entries {
    VEC(uint32_t) by, place;
    VEC(ExprId) entry;
} Entries;

static void add_entry(const System *s, ExprId x, uint32_t by, uint32_t place, Entries *out)
{
    if (expr_is_zero(s->pool, x) == YES)
        return;
    vec_push(s->mem, out->by, by);
    vec_push(s->mem, out->place, place);
    vec_push(s->mem, out->entry, x);
}

static bool add_derivative(System *s, Differentiator *d, ExprId of, uint32_t by, uint32_t place,
                           Entries *out)
{
    ExprId x = differentiate(d, of);
    if (expr_exists(x))
        add_entry(s, x, by, place, out);
    return expr_exists(x);
}

/* As in an iteration, whose weights are 1. */
static Substitution unit_weights(const NewtonView *v, System *s, Arena *scratch)
{
    ExprId *value = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = EXPR_NONE;
    for (uint32_t k = 1; k < 3; k++)
        value[v->newton->input[k].i] = expr_int(s->pool, 1);
    return (Substitution){.value = value, .n = s->var.n, .mem = scratch};
}

/* Of the iteration itself. Where loops are cut it goes on until the multipliers have converged,
 * and the last one's matrix is not near enough to that at the solution. */
static void of_iteration(const NewtonView *v, System *s, Substitution *weights, Entries *out)
{
    const NewtonRight *r = v->right;
    if (v->n_constraints + v->n_massless > 0)
        return;
    for (uint32_t k = 0; k < r->n_rows; k++)
        add_entry(s, expr_substitute(s->pool, weights, r->row_value[k]), 0, k, out);
    for (uint32_t k = 0; k < r->n_states; k++)
        add_entry(s, expr_substitute(s->pool, weights, r->defect_value[k]), 0, r->n_rows + k, out);
}

/* Of the equations at hand, states, multipliers and derivatives that are free held. */
static bool by_parameters(const NewtonView *v, const Dae *d, Substitution *weights, Entries *out,
                          Arena *scratch)
{
    System *s = d->sys;
    ExprPool *p = s->pool;
    const Sensitivities *t = d->sensitivities;
    const NewtonRight *r = v->right;
    const Program *g = &d->solution.program;
    bool ok = true;
    for (uint32_t j = 0; j < t->n && ok; j++) {
        const ExprId *along = sensitivities_held(d, j, t->n_vars, scratch);
        Differentiator diff = differentiator_along(s, t->n_vars, along, EXPR_NONE, scratch);
        for (uint32_t k = 0; k < r->n_rows && ok; k++)
            ok = add_derivative(s, &diff, expr_substitute(p, weights, r->row_value[k]), j + 1, k,
                                out);
        for (uint32_t k = 0; k < r->n_states && ok; k++)
            ok = add_derivative(s, &diff, expr_substitute(p, weights, r->defect_value[k]), j + 1,
                                r->n_rows + k, out);
        for (uint32_t k = 0; k < v->n_constraints && ok; k++)
            ok = add_derivative(s, &diff, expr_neg(p, g->loops->phi[k]), j + 1,
                                r->n_rows + r->n_states + k, out);
    }
    return ok;
}

void newton_right_split(NewtonView *v, Dae *d, Arena *scratch)
{
    System *s = d->sys;
    NewtonSystem *w = v->newton;
    NewtonRight *r = v->right;
    bool *is_right = arena_array(scratch, bool, s->var.n + 1);
    LinearSplit split;
    NewtonSolve *out = arena_make(s->mem, NewtonSolve);
    Entries entries = {0};
    uint32_t n_before = s->var.n;
    for (uint32_t k = 0; k < r->n_rows; k++)
        is_right[r->row[k].i] = true;
    for (uint32_t k = 0; k < r->n_states; k++)
        is_right[r->defect[k].i] = true;
    uint32_t first_s = w->n_inputs - v->n_constraints;
    for (uint32_t k = 0; k < v->n_constraints; k++)
        is_right[w->input[first_s + k].i] = true;
    Substitution weights = unit_weights(v, s, scratch);
    of_iteration(v, s, &weights, &entries);
    bool ok = linear_split(s, is_right, w->n_delta, w->delta, "newton kept", &split, scratch) &&
              by_parameters(v, d, &weights, &entries, scratch);

    // the iteration itself, whose right-hand sides are known
    ExprId *value = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = EXPR_NONE;
    for (uint32_t k = 0; k < r->n_rows; k++)
        value[r->row[k].i] = r->row_value[k];
    for (uint32_t k = 0; k < r->n_states; k++)
        value[r->defect[k].i] = r->defect_value[k];
    Substitution known = {.value = value, .n = s->var.n, .mem = scratch};
    for (uint32_t k = 0; k < w->n_delta; k++)
        w->delta[k] = expr_substitute(s->pool, &known, w->delta[k]);
    if (!ok) {
        program_extend(&d->solution.program, n_before);
        return;
    }
    out->n_kept = split.n_kept;
    out->kept = split.kept;
    out->delta = split.rest;
    out->n_rows = r->n_rows;
    out->n_states = r->n_states;
    out->n_constraints = v->n_constraints;
    out->first = w->n_inputs;
    out->n_entries = entries.entry.n;
    out->by = entries.by.at;
    out->place = entries.place.at;
    out->entry = entries.entry.at;
    VarId *input = arena_array(s->mem, VarId,
                               w->n_inputs + out->n_rows + out->n_states + out->n_kept +
                                   (size_t)out->n_entries + 1);
    for (uint32_t k = 0; k < w->n_inputs; k++)
        input[k] = w->input[k];
    uint32_t n = w->n_inputs;
    for (uint32_t k = 0; k < r->n_rows; k++)
        input[n++] = r->row[k];
    for (uint32_t k = 0; k < r->n_states; k++)
        input[n++] = r->defect[k];
    for (uint32_t k = 0; k < out->n_kept; k++)
        input[n++] = split.leaf[k];
    for (uint32_t k = 0; k < out->n_entries; k++)
        input[n++] = system_add_hidden(s, arena_printf(s->mem, "newton entry %u", k));
    program_extend(&d->solution.program, n_before);
    w->input = input;
    w->n_inputs = n;
    w->solve = out;
}
