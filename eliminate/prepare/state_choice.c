#include "eliminate/prepare/state_choice.h"

#include "eliminate/prepare/sensitivity.h"

uint8_t *state_priorities(Dae *d, Arena *mem)
{
    const Structure *t = &d->structure;
    uint8_t *priority = arena_array(mem, uint8_t, t->n);
    for (uint32_t k = 0; k < t->n; k++) {
        const Var *v = &d->sys->var.at[t->var[k].i];
        const Var *der = var_exists(v->der) ? &d->sys->var.at[v->der.i] : NULL;
        bool is_added = v->attr.select == STATE_PREFER && der &&
                        (der->is_by_preference || der->is_by_reduction);
        const int select = is_added ? PRIORITY_ADDED : PRIORITY_AVOID * (int)v->attr.select;
        priority[k] = (uint8_t)(select + (v->attr.fixed == YES));
    }
    if (!d->sensitivities)
        return priority;
    // the derivative of a state by a parameter is a state, too
    uint32_t *place = arena_array(mem, uint32_t, d->sys->var.n + 1); // + 1; 0: none
    bool *is_given = arena_array(mem, bool, t->n + 1);
    for (uint32_t k = 0; k < t->n; k++)
        place[t->var[k].i] = k + 1;
    for (uint32_t k = 0; k < t->n; k++)
        for (uint32_t j = 0; j < d->sensitivities->n_directions; j++) {
            const VarId v = sensitivities_of(d, j, t->var[k]);
            uint32_t at = var_exists(v) ? place[v.i] : 0;
            // of variables that differ by what the parameter does not change, the first in priority
            if (!at || (is_given[at - 1] && priority[at - 1] >= priority[k]))
                continue;
            priority[at - 1] = priority[k];
            is_given[at - 1] = true;
        }
    return priority;
}

/* Of each variable its first reinit; NULL: there is none. */
static const Action **reinits(const System *s, Arena *mem)
{
    const Action **of = arena_array(mem, const Action *, s->var.n + 1);
    for (uint32_t k = s->action.n; k-- > 0;)
        if (s->action.at[k].kind == ACTION_REINIT)
            of[s->action.at[k].var.i] = &s->action.at[k];
    return of;
}

bool states_choose(Dae *d, Arena *scratch)
{
    System *s = d->sys;
    const Structure *t = &d->structure;
    d->states = states_find(&d->pantelides, state_priorities(d, scratch), s->mem);
    if (!d->states.ok) {
        diag_error(s->diags, SPAN_NONE, "S09",
                   "no choice of states: differentiated equations hold too few derivatives");
        return false;
    }
    d->is_state = arena_array(s->mem, bool, s->var.n);
    for (uint32_t k = 0; k < d->states.n; k++)
        d->is_state[t->var[d->states.state[k]].i] = true;
    const Action **reinit = reinits(s, scratch);
    for (uint32_t k = 0; k < d->states.n_lost; k++) {
        const Var *v = var_at(s, t->var[d->states.lost[k]]);
        const Action *set = reinit[t->var[d->states.lost[k]].i];
        /* a differentiated variable is a state at least where states are redundant */
        if (set && !var_exists(v->der)) {
            diag_error(s->diags, set->span, "S04",
                       "'reinit' of '%s', which is no state of the model (MLS 8.3.6)", v->name.s);
            return false;
        }
        if (!set)
            (s->strict ? diag_error : diag_warning)(
                s->diags, v->span, "S04",
                "'%s' has stateSelect = StateSelect.always but cannot be a state (MLS 4.9.7.1)",
                v->name.s);
    }
    for (uint32_t k = 0; k < d->states.n; k++) {
        const Var *v = var_at(s, t->var[d->states.state[k]]);
        if (v->attr.select == STATE_NEVER)
            (s->strict ? diag_error : diag_warning)(
                s->diags, v->span, "S04",
                "'%s' has stateSelect = StateSelect.never but no other variable can be a state in "
                "its place (MLS 4.9.7.1)",
                v->name.s);
    }
    if (diags_errors(s->diags))
        return false;
    /* a derivative of an input cannot be known, unless it is an input, too */
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (v->kind == VAR_INPUT && var_exists(v->der) && var_at(s, v->der)->kind != VAR_INPUT) {
            diag_error(s->diags, v->span, "S05",
                       "the input '%s' would have to be differentiated to reduce the index",
                       v->name.s);
            return false;
        }
    }
    return true;
}

void states_print(Dae *d, FILE *f)
{
    for (uint32_t k = 0; k < d->states.n; k++)
        fprintf(f, "state '%s'\n", d->sys->var.at[d->structure.var[d->states.state[k]].i].name.s);
    for (uint32_t k = 0; k < d->pantelides.n_vars; k++) {
        if (d->states.dummy[k])
            fprintf(f, "dummy derivative '%s'\n", d->sys->var.at[d->structure.var[k].i].name.s);
    }
}
