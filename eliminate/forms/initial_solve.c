#include "eliminate/forms/initial_solve.h"

#include "eliminate/block/ordering.h"
#include "eliminate/forms/initial_system.h"
#include "eliminate/prepare/sensitivity.h"
#include "eliminate/prepare/string_check.h"
#include "graph/blocks.h"
#include "graph/matching.h"

#include <string.h>

/* The model's own pairs stay, so that each state is free and costs one augmenting path; then the
 * rows that must hold are matched, then the start candidates, the best first: the columns that can
 * be matched are a matroid, so this greedy choice is the best one. Coefficients that are zero come
 * last: a condition that has no others repeats those that parameters leave. */
static Matching match(const Blt *b, const InitialView *v, Arena *mem, Arena *scratch)
{
    const Structure *t = &v->structure;
    Matching m = matching_empty(&t->g, mem);
    for (uint32_t e = 0; e < v->n_model; e++) {
        uint32_t column = t->column[b->columns.var[b->matching.var_of[e]].i];
        m.var_of[e] = column;
        m.eq_of[column] = e;
        m.size++;
    }
    for (int l = LABEL_ONE; l <= LABEL_ZERO; l++)
        matching_extend(&m, &t->g, (Label)l, scratch);
    return m;
}

/* Where the conditions leave a choice, the modeller may have meant another one. */
static void report_choice(const Dae *d, const InitialView *v, const bool *taken)
{
    System *s = d->sys;
    uint32_t first = v->n_model + v->n_conditions;
    uint32_t n_taken = 0;
    uint32_t n_open = 0; /* states that nothing fixes by itself */
    for (uint32_t k = 0; k < v->n_candidates; k++) {
        const Var *x = var_at(s, v->candidate[k]);
        if (sensitivities_have(d, v->candidate[k]))
            continue; /* its base variable decides */
        if (x->kind == VAR_MEMORY || v->is_late[k])
            continue; /* pre(v) at the start is the start value by default */
        bool is_fixed = x->attr.fixed == YES || x->is_initial;
        n_taken += taken[first + k];
        n_open += !is_fixed && d->is_state[v->candidate[k].i];
    }
    // closing a loop determines as many positions and velocities as it has constraints
    uint32_t n_closed = 2 * d->loops.n_constraints;
    if (n_taken <= n_closed || n_taken == n_open)
        return;
    n_taken -= n_closed;
    for (uint32_t k = 0, n_named = 0; k < v->n_candidates && n_named < 10; k++) {
        const Var *x = var_at(s, v->candidate[k]);
        if (!taken[first + k] || x->kind == VAR_MEMORY || v->is_late[k] ||
            sensitivities_have(d, v->candidate[k]))
            continue;
        diag_warning(s->diags, x->span, "S07",
                     "the initial conditions leave %u unknowns open; '%s' starts from its start "
                     "value, as if it were fixed",
                     n_taken, x->name.s);
        n_named++;
    }
}

/* Marks the blocks that the states, the free parameters and the assertions need, and those whose
 * solution homotopy() selects; the rest of the model is evaluated by the model itself. */
static Blocks needed_blocks(const Dae *d, const InitialView *v, const Blocks *all, bool redundant,
                            Arena *scratch)
{
    const Structure *t = &v->structure;
    const System *s = v->sys;
    bool *needed = arena_array(scratch, bool, all->n);
    uint32_t *block_of = arena_array(scratch, uint32_t, t->n);
    for (uint32_t b = 0; b < all->n; b++)
        for (uint32_t k = all->begin[b]; k < all->begin[b + 1]; k++)
            block_of[all->var[k]] = b;
    for (uint32_t k = 0; k < d->states.n; k++)
        needed[block_of[t->column[d->structure.var[d->states.state[k]].i]]] = true;
    for (uint32_t k = 0; redundant && k < d->structure.n; k++) {
        VarId x = d->structure.var[k];
        if (d->redundancy.is_redundant[x.i])
            needed[block_of[t->column[x.i]]] = true;
    }
    for (uint32_t k = 0; k < v->n_free; k++)
        needed[block_of[t->column[v->free[k].unknown.i]]] = true;
    bool *is_share = arena_array(scratch, bool, s->var.n);
    if (var_exists(v->share))
        is_share[v->share.i] = true;
    for (uint32_t b = 0; var_exists(v->share) && b < all->n; b++) {
        for (uint32_t k = all->begin[b]; !needed[b] && k < all->begin[b + 1]; k++) {
            const Eq *e = &s->eq.at[all->eq[k]];
            VarId *found;
            needed[b] = unknowns_of(s, is_share, e->lhs, 1, scratch, &found) > 0 ||
                        unknowns_of(s, is_share, e->rhs, 1, scratch, &found) > 0;
        }
    }
    bool *all_vars = arena_array(scratch, bool, s->var.n);
    memset(all_vars, 1, s->var.n);
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        VarId *var;
        uint32_t n =
            unknowns_of(s, all_vars, s->assertion.at[k].cond, UINT32_MAX - 1, scratch, &var);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t column = t->column[var[i].i];
            if (column != INC_NONE)
                needed[block_of[column]] = true;
        }
    }
    Blocks out = {.begin = arena_array(d->sys->mem, uint32_t, all->n + 1),
                  .eq = arena_array(d->sys->mem, uint32_t, all->begin[all->n]),
                  .var = arena_array(d->sys->mem, uint32_t, all->begin[all->n])};
    for (uint32_t b = all->n; b-- > 0;) {
        for (uint32_t k = all->begin[b]; needed[b] && k < all->begin[b + 1]; k++) {
            uint32_t e = all->eq[k];
            for (uint32_t i = t->g.row_begin[e]; i < t->g.row_begin[e + 1]; i++)
                needed[block_of[t->g.col[i]]] = true;
        }
    }
    uint32_t n = 0;
    for (uint32_t b = 0; b < all->n; b++) {
        for (uint32_t k = all->begin[b]; needed[b] && k < all->begin[b + 1]; k++) {
            out.eq[n] = all->eq[k];
            out.var[n++] = all->var[k];
        }
        if (needed[b])
            out.begin[++out.n] = n;
    }
    return out;
}

static bool takes_states_alone(const Dae *d, const InitialView *v, const bool *taken)
{
    uint32_t first = v->n_model + v->n_conditions;
    for (uint32_t k = 0; k < v->n_candidates; k++)
        if (taken[first + k] && !d->is_state[v->candidate[k].i])
            return false;
    return true;
}

bool initial_solve(Dae *d, bool redundant, Arena *scratch)
{
    System *s = d->sys;
    uint32_t n_before = s->var.n;
    InitialView v;
    initial_view(s, &d->aliases, d->is_state, d->loops.n_loops > 0, scratch, &v);
    dae_extend(d, n_before);
    d->initial = NULL;
    bool is_trivial = v.is_trivial && !redundant;
    if (is_trivial && v.n_preferred == 0) {
        system_view_free(v.sys);
        return true;
    }

    Matching m = match(&d->blt, &v, s->mem, scratch);
    bool *taken = arena_array(scratch, bool, v.structure.g.n_rows);
    for (uint32_t e = 0; e < v.structure.g.n_rows; e++)
        taken[e] = m.var_of[e] != INC_NONE;
    if (is_trivial && takes_states_alone(d, &v, taken)) {
        system_view_free(v.sys);
        return true;
    }
    uint32_t first = v.n_model + v.n_conditions;
    VarId *starts = arena_array(scratch, VarId, v.n_candidates + 1);
    for (uint32_t k = 0; k < v.n_candidates; k++) {
        starts[k] = v.candidate[k];
        for (uint32_t i = 0; i < v.n_free; i++)
            if (v.free[i].unknown.i == starts[k].i)
                starts[k] = v.free[i].parameter;
    }
    if (!sensitivities_start_alike(d, v.n_candidates, starts, taken + first))
        return false;
    report_choice(d, &v, taken);
    initial_assert_others(&v, taken);
    Blocks all = blocks_find(&v.structure.g, &m, scratch);
    Blocks needed = needed_blocks(d, &v, &all, redundant, scratch);
    initial_remember(s, &v, &needed, scratch);
    Blt blt = {.sys = v.sys,
               .columns = v.structure,
               .matching = m,
               .blocks = needed,
               .is_state = arena_array(s->mem, bool, v.sys->var.n)}; /* none */
    if (!strings_are_assigned(&blt, scratch))
        return false;
    OrderPolicy policy = {.too_long = TOO_LONG_NUMERIC};
    Orders orders = ordering_of(&policy);
    Solution solution;
    if (!solve(&blt, &orders, &solution, scratch))
        return false;
    bool *is_solved = arena_array(s->mem, bool, s->var.n);
    for (uint32_t k = 0; k < blt.blocks.begin[blt.blocks.n]; k++)
        is_solved[blt_var(&blt, k).i] = true;
    d->initial_blt = arena_make(s->mem, Blt);
    *d->initial_blt = blt;
    d->initial = arena_make(s->mem, InitialProgram);
    *d->initial = (InitialProgram){
        .program = solution.program, .is_solved = is_solved, .n_free = v.n_free, .free = v.free};
    return true;
}

void initial_print(Dae *d, FILE *f)
{
    const InitialProgram *p = d->initial;
    if (!p) {
        fputs("// each state starts from its start value\n", f);
        return;
    }
    const System *s = p->program.sys;
    for (uint32_t b = 0; b < p->program.n_blocks; b++) {
        const NonlinearBlock *it = &p->program.block[b];
        fprintf(f, "// nonlinear block %u:", b);
        for (uint32_t k = 0; k < it->n; k++)
            fprintf(f, "%s '%s'", k ? "," : "", s->var.at[it->unknown[k].i].name.s);
        fputc('\n', f);
    }
    for (uint32_t k = 0; k < p->program.n_memory; k++)
        fprintf(f, "// relation in a loop: %s\n", p->program.memory[k].text);
    for (uint32_t k = 0; k < p->n_free; k++)
        fprintf(f, "// parameter '%s'\n", s->var.at[p->free[k].parameter.i].name.s);
    fprintf(f, "// %u conditions repeat others\n", s->assertion.n);
}
