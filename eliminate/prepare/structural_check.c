#include "eliminate/prepare/structural_check.h"

#include "graph/dulmage.h"
#include "graph/matching.h"

#include <string.h>

/* 'a', 'b' and 7 more */
static const char *list_of_names(const Dae *d, const DulmagePart *part, const VarId *column)
{
    enum { SHOWN = 3 };
    const char *text = part->n_vars ? "" : "nothing";
    for (uint32_t k = 0; k < part->n_vars && k < SHOWN; k++)
        text = arena_printf(d->sys->mem, "%s%s'%s'", text, k ? ", " : "",
                            d->sys->var.at[column[part->var[k]].i].name.s);
    if (part->n_vars > SHOWN)
        text = arena_printf(d->sys->mem, "%s and %u more", text, part->n_vars - SHOWN);
    return text;
}

static bool is_inside(const char *path, const char *name)
{
    size_t n = strlen(path);
    return strncmp(path, name, n) == 0 && strchr(".[", name[n]);
}

/* First of all, where the modeller has to look: connectors with these variables that nothing is
 * connected to. */
static void note_loose(const Dae *d, const DulmagePart *part, const VarId *column,
                       const Var *missing)
{
    const System *s = d->sys;
    for (uint32_t k = 0; k < s->loose.n; k++) {
        const LooseEnd *l = &s->loose.at[k];
        bool concerned = missing && is_inside(l->path, missing->name.s);
        for (uint32_t j = 0; j < part->n_vars && !concerned; j++)
            concerned = is_inside(l->path, s->var.at[column[part->var[j]].i].name.s);
        if (concerned)
            diag_note(s->diags, l->span, "nothing is connected to '%s'", l->path);
    }
}

/* In the modeller's names: which equations clash, what nothing determines. Columns are variables
 * with all their derivatives. */
static void report_singular(const Dae *d, const Incidence *g, const Matching *m,
                            const VarId *column)
{
    System *s = d->sys;
    enum { SHOWN = 8 };
    uint32_t odd_eq = INC_NONE;
    uint32_t odd_var = INC_NONE;
    /* of several, the one written last is the likeliest mistake */
    for (uint32_t e = 0; e < g->n_rows; e++)
        odd_eq = m->var_of[e] == INC_NONE ? e : odd_eq;
    for (uint32_t v = g->n_cols; v-- > 0;)
        odd_var = m->eq_of[v] == INC_NONE ? v : odd_var;
    const char *size = arena_printf(d->sys->mem, "the model has %u equations and %u unknowns",
                                    d->n_flat_equations, d->n_flat_unknowns);
    const Var *missing = odd_var == INC_NONE ? NULL : var_at(s, column[odd_var]);
    if (odd_eq != INC_NONE) {
        DulmagePart clash = dulmage_clash(g, m, odd_eq, d->sys->mem);
        diag_error(s->diags, s->eq.at[odd_eq].span, "S02",
                   "structurally singular: %u equations determine only %s (%s)", clash.n_eqs,
                   list_of_names(d, &clash, column), size);
        note_loose(d, &clash, column, missing);
        for (uint32_t k = 0; k < clash.n_eqs && k < SHOWN; k++) {
            if (clash.eq[k] != odd_eq)
                diag_note(s->diags, s->eq.at[clash.eq[k]].span, "this equation is one of them");
        }
        for (uint32_t k = 0; k < clash.n_vars && k < SHOWN; k++) {
            const Var *v = var_at(s, column[clash.var[k]]);
            diag_note(s->diags, v->span, "they determine '%s'", v->name.s);
        }
        if (missing)
            diag_note(s->diags, missing->span, "no equation is left to determine '%s'",
                      missing->name.s);
        return;
    }
    DulmagePart gap = dulmage_gap(g, m, odd_var, d->sys->mem);
    diag_error(s->diags, missing->span, "S03",
               "structurally singular: no equation determines '%s' (%s)", missing->name.s, size);
    note_loose(d, &gap, column, missing);
    for (uint32_t k = 0; k < gap.n_vars && k < SHOWN; k++) {
        const Var *v = var_at(s, column[gap.var[k]]);
        if (v != missing)
            diag_note(s->diags, v->span, "one more equation is needed for it or for '%s'",
                      v->name.s);
    }
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
