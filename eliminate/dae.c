#include "eliminate/dae.h"

#include "base/bug.h"
#include "base/sort.h"
#include "eliminate/prepare/sensitivity.h"

#include <string.h>

Dae dae_new(System *s)
{
    Dae d = {.sys = s, .n_flat_equations = s->eq.n};
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        d.n_flat_unknowns += var_is_unknown(v) && !var_exists(v->der_of);
    }
    return d;
}

void dae_extend(Dae *d, uint32_t n_before)
{
    bool *wide = arena_array(d->sys->mem, bool, d->sys->var.n);
    memcpy(wide, d->is_state, n_before * sizeof *wide);
    d->is_state = wide;
    d->blt.is_state = wide;
}

const bool *dae_efforts(const Dae *d, Arena *mem)
{
    System *s = d->sys;
    if (!d->n_efforts)
        return NULL;
    bool *is = arena_array(mem, bool, s->var.n + 1), *any = arena_array(mem, bool, s->var.n + 1);
    memset(any, true, s->var.n * sizeof *any);
    for (uint32_t k = 0; k < d->n_efforts; k++) {
        VarId *v;
        is[d->effort[k].i] = true;
        if (d->effort[k].i >= d->aliases.n || !expr_exists(d->aliases.value[d->effort[k].i]))
            continue;
        uint32_t n = unknowns_of(s, any, alias_value(s, (Aliases *)&d->aliases, d->effort[k]),
                                 UINT32_MAX - 1, mem, &v);
        for (uint32_t i = 0; i < n; i++)
            is[v[i].i] = true;
    }
    return is;
}

static void put_in(System *s, Substitution *values, ExprId *x)
{
    if (expr_exists(*x))
        *x = expr_substitute(s->pool, values, *x);
}

void dae_substitute(Dae *d, Substitution *values)
{
    System *s = d->sys;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        put_in(s, values, &s->eq.at[k].lhs);
        put_in(s, values, &s->eq.at[k].rhs);
    }
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        put_in(s, values, &s->initial_eq.at[k].lhs);
        put_in(s, values, &s->initial_eq.at[k].rhs);
    }
    for (uint32_t k = 0; k < d->aliases.n; k++)
        put_in(s, values, &d->aliases.value[k]);
    for (uint32_t k = 0; k < d->redundancy.n_kept; k++)
        put_in(s, values, &d->redundancy.kept[k]);
    for (uint32_t k = 0; k < s->memory.n; k++) {
        put_in(s, values, &s->memory.at[k].of);
        put_in(s, values, &s->memory.at[k].start);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        put_in(s, values, &s->action.at[k].fires);
        put_in(s, values, &s->action.at[k].value);
    }
    for (uint32_t k = 0; k < s->assertion.n; k++)
        put_in(s, values, &s->assertion.at[k].cond);
}

#if RUNG_CHECKS
/* One that is there twice would be renumbered twice. */
static void check_distinct(const ExprPlaces *place, Arena *scratch)
{
    uint64_t *address = arena_array(scratch, uint64_t, place->n + 1);
    for (uint32_t k = 0; k < place->n; k++)
        address[k] = (uint64_t)(uintptr_t)place->at[k];
    const uint32_t *order = sort_by_key(place->n, address, scratch);
    for (uint32_t k = 1; k < place->n; k++)
        if (address[order[k]] == address[order[k - 1]])
            bug("dae_compact: an expression has two places in one array");
}
#endif

void dae_compact(Dae *d, Arena *scratch)
{
    System *s = d->sys;
    const struct Sensitivities *by = d->sensitivities;
    ExprPlaces place = {0};
    system_expressions(s, &place, scratch);
    expr_places_add(&place, d->aliases.n, d->aliases.value, scratch);
    /* d->loops.common are arrays of the System's cut joints */
    expr_places_add(&place, d->loops.n_constraints, d->loops.phi, scratch);
    expr_places_add(&place, d->loops.n_massless, d->loops.balance, scratch);
    for (uint32_t j = 0; by && j < by->n_directions; j++)
        expr_places_add(&place, by->n_vars, (ExprId *)by->of[j], scratch);
#if RUNG_CHECKS
    check_distinct(&place, scratch);
#endif
    bool *mark = arena_array(scratch, bool, pool_size(s->pool) + 1);
    for (uint32_t k = 0; k < place.n; k++)
        mark[place.at[k]->i] = true;
    const uint32_t *to = pool_compact(s->pool, mark, scratch);
    for (uint32_t k = 0; k < place.n; k++)
        place.at[k]->i = to[place.at[k]->i];
    system_shrink(s);
}

void dae_print(Dae *d, bool with_cuts, FILE *f)
{
    System *s = d->sys;
    Arena *mem = arena_new();
    VarId *removed = arena_array(mem, VarId, s->var.n);
    ExprId *value = arena_array(mem, ExprId, s->var.n);
    SystemFacts facts = {.with_cuts = with_cuts, .removed = removed, .value = value};
    for (uint32_t k = 0; k < s->var.n; k++) {
        ExprId x = alias_value(s, &d->aliases, (VarId){k});
        if (expr_exists(x) && !var_exists(s->var.at[k].der_of)) {
            removed[facts.n_removed] = (VarId){k};
            value[facts.n_removed++] = x;
        }
    }
    if (d->pantelides.ok && !d->redundancy.is_applied)
        facts.derivative_of = d->pantelides.eq_der_of;
    system_dump(s, &facts, f);
    arena_free(mem);
}

void dae_print_aliases(Dae *d, FILE *f)
{
    System *s = d->sys;
    uint32_t n_aliases = 0, n_constants = 0;
    for (uint32_t k = 0; k < s->var.n; k++) {
        ExprId x =
            var_exists(s->var.at[k].der_of) ? EXPR_NONE : alias_value(s, &d->aliases, (VarId){k});
        bool is_constant = expr_exists(x) && expr_is_fixed(s->pool, x);
        n_constants += is_constant;
        n_aliases += expr_exists(x) && !is_constant;
    }
    dae_print(d, false, f);
    fprintf(f, "// %u aliases, %u constants removed\n", n_aliases, n_constants);
}
