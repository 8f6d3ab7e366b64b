#include "eliminate/prepare/sorting.h"

#include "eliminate/prepare/inline_calls.h"
#include "eliminate/prepare/reduce.h"
#include "eliminate/prepare/state_choice.h"
#include "eliminate/prepare/string_check.h"
#include "eliminate/prepare/structural_check.h"
#include "graph/dulmage.h"

static bool report_incomplete(const Dae *d, Arena *scratch)
{
    System *s = d->sys;
    const Structure *t = &d->blt.columns;
    const Matching *m = &d->blt.matching;
    Dulmage wrong = dulmage_find(&t->g, m, scratch);
    Span span = wrong.over.n_eqs ? s->eq.at[wrong.over.eq[0]].span : SPAN_NONE;
    diag_error(s->diags, span, "S06",
               "after index reduction %u equations remain for %u unknowns, of which %u can be "
               "determined",
               t->g.n_rows, t->n, m->size);
    for (uint32_t k = 0; k < wrong.under.n_vars && k < 8; k++) {
        const Var *v = var_at(s, t->var[wrong.under.var[k]]);
        diag_note(s->diags, v->span, "nothing determines '%s'", v->name.s);
    }
    structural_note_loops(d);
    return false;
}

static void sort(Dae *d, Arena *scratch)
{
    System *s = d->sys;
    const Structure *t = &d->structure;
    const Rewriting *moved = &d->frames.rewriting;
    bool *unknown = arena_array(scratch, bool, s->var.n);
    for (uint32_t k = 0; k < t->n; k++)
        unknown[t->var[k].i] = !d->is_state[t->var[k].i];
    for (uint32_t k = 0; k < moved->added.n; k++)
        unknown[moved->added.at[k].i] = true;
    d->blt = blt_find(s, unknown, d->is_state, &d->aliases, s->mem);
}

bool equations_sort_again(Dae *d, Arena *scratch)
{
    sort(d, scratch);
    return blt_is_complete(&d->blt);
}

bool equations_sort(Dae *d, Arena *scratch)
{
    if (equations_sort_again(d, scratch))
        return strings_are_assigned(&d->blt, scratch);
    /* a call depends on all of its arguments, its expansion perhaps not: states chosen with the
     * calls can turn out to be dependent */
    if (!reduce_index_inlined(d, scratch) || !states_choose(d, scratch))
        return diags_errors(d->sys->diags) == 0 && report_incomplete(d, scratch);
    inline_calls(d->sys, &d->aliases, scratch);
    sort(d, scratch);
    return blt_is_complete(&d->blt) ? strings_are_assigned(&d->blt, scratch)
                                    : report_incomplete(d, scratch);
}
