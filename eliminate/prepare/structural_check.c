#include "eliminate/prepare/structural_check.h"

#include "eliminate/prepare/singular_report.h"
#include "graph/dulmage.h"
#include "graph/matching.h"

/* The part in terms of the System; columns are variables with all their derivatives. */
static SingularPart part_of(const Dae *d, const DulmagePart *part, const VarId *column)
{
    Arena *mem = d->sys->mem;
    EqId *eq = arena_array(mem, EqId, part->n_eqs + 1);
    VarId *var = arena_array(mem, VarId, part->n_vars + 1);
    for (uint32_t k = 0; k < part->n_eqs; k++)
        eq[k] = (EqId){part->eq[k]};
    for (uint32_t k = 0; k < part->n_vars; k++)
        var[k] = column[part->var[k]];
    const char *size = arena_printf(mem, "the model has %u equation%s and %u unknown%s",
                                    d->n_flat_equations, d->n_flat_equations == 1 ? "" : "s",
                                    d->n_flat_unknowns, d->n_flat_unknowns == 1 ? "" : "s");
    return (SingularPart){part->n_eqs, part->n_vars, eq, var, size};
}

/* Reports, in the modeller's names, the equations that clash and the unknowns that no equation
 * determines. */
static void report_singular(const Dae *d, const Incidence *g, const Matching *m,
                            const VarId *column)
{
    System *s = d->sys;
    uint32_t odd_eq = INC_NONE;
    uint32_t odd_var = INC_NONE;
    /* of several, the one written last is the likeliest mistake */
    for (uint32_t e = 0; e < g->n_rows; e++)
        odd_eq = m->var_of[e] == INC_NONE ? e : odd_eq;
    for (uint32_t v = g->n_cols; v-- > 0;)
        odd_var = m->eq_of[v] == INC_NONE ? v : odd_var;
    const Var *missing = odd_var == INC_NONE ? NULL : var_at(s, column[odd_var]);
    if (odd_eq != INC_NONE) {
        DulmagePart clash = dulmage_clash(g, m, odd_eq, s->mem);
        SingularPart p = part_of(d, &clash, column);
        report_too_many(s, &p, (EqId){odd_eq});
        if (missing)
            diag_note(s->diags, singular_place(s, missing), "no equation is left to determine '%s'",
                      missing->name.s);
        return;
    }
    DulmagePart gap = dulmage_gap(g, m, odd_var, s->mem);
    SingularPart p = part_of(d, &gap, column);
    report_too_few(s, &p, column[odd_var]);
}

void structural_note_loops(const Dae *d)
{
    const System *s = d->sys;
    for (uint32_t k = 0; k < s->cut.n && d->loops.n_loops == 0 && loops_can_cut(s); k++)
        diag_note(s->diags, s->cut.at[k].span,
                  "this closes a kinematic loop; with --loops ali3p or penalty it is cut here, and "
                  "its constraints may be redundant");
}

bool structural_check(Dae *d, Arena *scratch)
{
    System *s = d->sys;
    bool *unknown = arena_array(scratch, bool, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        unknown[k] = var_is_unknown(&s->var.at[k]);
    Structure t = structure_of_chains(s, unknown, scratch);
    Matching m = matching_find(&t.g, scratch);
    if (m.size == t.g.n_rows && m.size == t.n)
        return true;
    report_singular(d, &t.g, &m, t.var);
    structural_note_loops(d);
    return false;
}
