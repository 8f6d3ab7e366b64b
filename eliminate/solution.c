#include "eliminate/solution.h"

#include "eliminate/forms/loop_constraints.h"
#include "eliminate/forms/start_guesses.h"
#include "eliminate/prepare/sensitivity.h"

#include <string.h>

bool solution_find(Dae *d, const Orders *orders, Arena *scratch)
{
    System *s = d->sys;
    /* aliases of aliases end at a remaining variable */
    for (uint32_t k = 0; k < d->aliases.n && k < s->var.n; k++)
        alias_value(s, &d->aliases, (VarId){k});
    bool ok = solve(&d->blt, orders, &d->solution, scratch);
    if (ok)
        sensitivities_order(d, &d->solution.program);
    d->solution.program.initial = d->initial;
    if (ok)
        start_guesses_find(d, scratch);
    return ok && (d->loops.n_loops == 0 || orders->leaves ||
                  loop_constraints_find(&d->loops, &d->aliases, &d->solution.program, scratch));
}

/* The states in the order that they have in `main`. */
static void order_like(const Program *main, Program *g, Arena *mem)
{
    const uint32_t n = g->n_states;
    uint32_t *place = arena_array(mem, uint32_t, g->sys->var.n + 1);
    VarId *state = arena_array(mem, VarId, n + 1);
    ExprId *derivative = arena_array(mem, ExprId, n + 1), *start = arena_array(mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        place[g->state[k].i] = k;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t from = place[main->state[k].i];
        state[k] = main->state[k];
        derivative[k] = g->derivative[from];
        start[k] = g->start[from];
    }
    g->state = state;
    g->derivative = derivative;
    g->start = start;
}

bool solution_again(const Dae *d, OrderPolicy *policy, Program *out, Arena *scratch)
{
    System *s = d->sys;
    Solution again;
    /* the norms were added to the variables since states were chosen */
    bool *is_state = arena_array(s->mem, bool, s->var.n);
    for (uint32_t k = 0; k < d->solution.program.n_states; k++)
        is_state[d->solution.program.state[k].i] = true;
    Blt blt = d->blt;
    blt.is_state = is_state;
    Orders orders = ordering_of(policy);
    bool ok = solve(&blt, &orders, &again, scratch);
    if (ok) {
        *out = again.program;
        order_like(&d->solution.program, out, s->mem);
    }
    return ok;
}

bool solution_numeric(const Dae *d, bool whole, Program *out, Arena *scratch)
{
    OrderPolicy numeric = {.is_numeric = true, .is_whole = whole};
    bool ok = solution_again(d, &numeric, out, scratch);
    /* the expressions added since */
    const LoopConstraints *loops = d->solution.program.loops;
    if (ok && loops) {
        System *s = d->sys;
        ExprId *value = arena_array(s->mem, ExprId, s->var.n);
        memcpy(value, out->value, s->var.n * sizeof *value);
        for (uint32_t k = 0; k < loops->n_norm; k++)
            value[loops->norm[k].i] = d->solution.program.value[loops->norm[k].i];
        out->value = value;
    }
    if (ok)
        sensitivities_keep_again(d, out);
    return ok;
}

bool solution_numeric_initial(const Dae *d, Program *out, Arena *scratch)
{
    OrderPolicy numeric = {.is_numeric = true, .is_whole = true};
    Orders orders = ordering_of(&numeric);
    Solution again;
    if (!solve(d->initial_blt, &orders, &again, scratch))
        return false;
    InitialProgram *initial = arena_make(d->sys->mem, InitialProgram);
    *initial = *d->initial;
    initial->program = again.program;
    out->initial = initial;
    return true;
}

static bool has_pivots(const Program *p)
{
    for (uint32_t k = 0; k < p->n_pivots; k++) {
        if (!p->pivot[k].is_alone)
            return true;
    }
    return false;
}

bool solution_has_pivots(const Dae *d)
{
    return has_pivots(&d->solution.program);
}

bool solution_has_initial_pivots(const Dae *d)
{
    return d->initial && has_pivots(&d->initial->program);
}
