#include "eliminate/prepare/open_loops.h"

#include "eliminate/prepare/constraint_cut.h"
#include "eliminate/prepare/massless.h"

/* Of one constraint one coordinate or another follows, and a choice that becomes dependent is seen
 * in a run; of several the choices are many. */
enum { SEVERAL = 2 };

bool loops_open(Dae *d, LoopTreatment how, Arena *scratch)
{
    System *s = d->sys;
    if (how == LOOPS_REDUCED)
        return true;
    if (loops_can_cut(s)) {
        d->loops = loops_cut(s, scratch);
        const LoopCut *as = d->loops_as;
        if (as && as->n_massless > 0 && as->n_eq == s->eq.n && as->n_var == s->var.n)
            loops_release(s, &d->loops, as->n_massless, as->balance_eq, as->derivative, scratch);
        else
            massless_find(s, &d->loops, scratch);
        return true;
    }
    if (s->cut.n == 0 && how != LOOPS_CUT_JOINTS)
        d->loops = constraints_cut(s, how == LOOPS_CUT_SEVERAL ? SEVERAL : 1, scratch);
    if (s->cut.n == 0 || how != LOOPS_CUT_ALL)
        return true;
    diag_error(s->diags, s->cut.at[0].span, "E04",
               "the loop cut here has %u constraints (MLS 9.4) and %u flow variables, so that "
               "forces and constraints cannot be paired; leave --loops out, "
               "and the index is reduced instead",
               s->cut.at[0].eq.n, s->cut.at[0].flow.n);
    return false;
}

void loops_print(Dae *d, FILE *f)
{
    dae_print(d, false, f);
    Arena *mem = arena_new();
    for (uint32_t l = 0; l < d->loops.n_loops; l++) {
        fprintf(f, "// cut: %s\n", d->loops.name[l].s);
        for (uint32_t k = d->loops.first[l]; k < d->loops.first[l + 1]; k++)
            fprintf(f, "// 0 = %s\n", expr_text(d->sys, d->loops.phi[k], mem));
    }
    arena_free(mem);
}
