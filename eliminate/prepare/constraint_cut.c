#include "eliminate/prepare/constraint_cut.h"

#include "eliminate/structure.h"
#include "graph/matching.h"
#include "graph/pantelides.h"

typedef struct Search {
    System *s;
    Arena *mem;
    bool *is_state;      /* per variable                                               */
    bool *is_constraint; /* per equation                                               */
    uint32_t *column;    /* per variable; INC_NONE if known                            */
    VarId *var;          /* per column: of a variable and its derivatives, the first   */
    uint32_t n;
    Incidence g;      /* rows: these unknowns; columns: equations. LABEL_PARAM: solvable by a
                       * coefficient that does not vary                                     */
    uint32_t *row_of; /* per unknown: the equation that determines it, or INC_NONE    */
    uint32_t *col_of; /* per equation                                                */
} Search;

static LinearForm form_of(const Search *w, const bool *unknown, uint32_t eq)
{
    Substitution none = {0};
    const Eq *e = &w->s->eq.at[eq];
    return linear_form(w->s, unknown, &none, expr_sub(w->s->pool, e->lhs, e->rhs), w->mem);
}

static bool is_constant(const Search *w, const LinearForm *f, uint32_t k)
{
    return expr_exists(f->coeff[k]) && expr_is_fixed(w->s->pool, f->coeff[k]);
}

/* Equations that are differentiated twice and define nothing. Returns how many. */
static uint32_t find_constraints(Search *w)
{
    System *s = w->s;
    bool *unknown = arena_array(w->mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        unknown[k] = var_is_unknown(&s->var.at[k]);
    Structure t = structure_of(s, unknown, w->mem);
    uint32_t *der = arena_array(w->mem, uint32_t, t.n + 1);
    for (uint32_t k = 0; k < t.n; k++) {
        VarId d = s->var.at[t.var[k].i].der;
        der[k] = var_exists(d) ? t.column[d.i] : INC_NONE;
    }
    Pantelides p = pantelides_find(&t.g, der, w->mem);
    uint32_t n = 0;
    for (uint32_t e = 0; p.ok && e < p.n_old_eqs; e++) {
        uint32_t first = p.eq_der[e];
        if (first == INC_NONE || p.eq_der[first] == INC_NONE)
            continue;
        LinearForm f = form_of(w, unknown, e);
        bool defines = false;
        for (uint32_t k = 0; k < f.n; k++)
            defines = defines || is_constant(w, &f, k);
        w->is_constraint[e] = !defines;
        n += !defines;
    }
    return n;
}

/* Columns: states are known, their derivatives unknowns; of others, a variable and its derivatives
 * are one. */
static void find_columns(Search *w)
{
    System *s = w->s;
    w->n = 0;
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        bool follows = var_exists(v->der_of) && w->column[v->der_of.i] != INC_NONE;
        w->column[k] = INC_NONE;
        if (!var_is_unknown(v) || w->is_state[k])
            continue;
        w->column[k] = follows ? w->column[v->der_of.i] : w->n;
        if (!follows)
            w->var[w->n++] = (VarId){k};
    }
    bool *unknown = arena_array(w->mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        unknown[k] = w->column[k] != INC_NONE;
    IncidenceBuilder b = incidence_begin(w->mem, w->n);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        incidence_row(&b);
        if (w->is_constraint[e])
            continue;
        LinearForm f = form_of(w, unknown, e);
        for (uint32_t k = 0; k < f.n; k++)
            incidence_edge(&b, w->column[f.var[k].i],
                           is_constant(w, &f, k) ? LABEL_PARAM : LABEL_OTHER, 0);
    }
    Incidence by_equation = incidence_done(&b);
    w->g = incidence_transpose(&by_equation, w->mem);
}

/* By constant coefficients first; derivatives before other variables. */
static void match(Search *w)
{
    Augmenter path = augmenter_new(&w->g, w->mem);
    static const Label worst[] = {LABEL_PARAM, LABEL_OTHER};
    for (int pass = 0; pass < 4; pass++) {
        for (uint32_t c = 0; c < w->n; c++) {
            const Var *v = &w->s->var.at[w->var[c].i];
            bool moves = var_exists(v->der) || var_exists(v->der_of);
            if (path.m.var_of[c] == INC_NONE && moves == (pass % 2 == 0))
                matching_augment(&path, c, worst[pass / 2]);
        }
    }
    w->row_of = path.m.var_of;
    w->col_of = path.m.eq_of;
}

/* An unmatched equation that determines a state linearly makes it an algebraic variable. True if
 * there was one. */
static bool demote(Search *w)
{
    System *s = w->s;
    bool any = false;
    for (uint32_t e = 0; e < s->eq.n; e++) {
        if (w->is_constraint[e] || w->col_of[e] != INC_NONE)
            continue;
        LinearForm f = form_of(w, w->is_state, e);
        uint32_t best = INC_NONE;
        for (uint32_t k = 0; k < f.n; k++) {
            uint32_t v = f.var[k].i;
            if (is_constant(w, &f, k) &&
                (best == INC_NONE || s->var.at[v].attr.select < s->var.at[best].attr.select))
                best = v;
        }
        if (best == INC_NONE)
            continue;
        w->is_state[best] = false;
        any = true;
    }
    return any;
}

static LoopCut cut_at(const Search *w, uint32_t n)
{
    System *s = w->s;
    LoopCut c = loops_empty(n, n, s->mem);
    uint32_t at = 0;
    for (uint32_t e = 0; e < s->eq.n; e++) {
        if (!w->is_constraint[e])
            continue;
        const Eq *q = &s->eq.at[e];
        c.name[at] = name_printf(s->names, "%s", diags_where(s->diags, q->span));
        c.span[at] = q->span;
        c.side[2 * (size_t)at] = c.side[2 * (size_t)at + 1] = name_of(s->names, "");
        c.first[at] = at;
        c.phi[at++] = expr_sub(s->pool, q->rhs, q->lhs);
    }
    c.first[n] = n;
    at = 0;
    for (uint32_t k = 0; k < w->n; k++) {
        if (w->row_of[k] != INC_NONE)
            continue;
        s->var.at[w->var[k].i].kind = VAR_INPUT;
        c.multiplier[at++] = w->var[k];
    }
    return c;
}

LoopCut constraints_cut(System *s, uint32_t least, Arena *scratch)
{
    Search w = {.s = s,
                .mem = scratch,
                .is_state = arena_array(scratch, bool, s->var.n + 1),
                .is_constraint = arena_array(scratch, bool, s->eq.n + 1),
                .column = arena_array(scratch, uint32_t, s->var.n + 1),
                .var = arena_array(scratch, VarId, s->var.n + 1)};
    LoopCut none = {0};
    uint32_t n = find_constraints(&w);
    if (n == 0 || n < least)
        return none;
    for (uint32_t k = 0; k < s->var.n; k++)
        w.is_state[k] = var_is_unknown(&s->var.at[k]) && var_exists(s->var.at[k].der);
    do {
        find_columns(&w);
        match(&w);
    } while (demote(&w));
    uint32_t n_left = 0;
    for (uint32_t c = 0; c < w.n; c++) {
        const Var *v = &s->var.at[w.var[c].i];
        if (w.row_of[c] != INC_NONE)
            continue;
        n_left++;
        if (var_exists(v->der) || var_exists(v->der_of) || v->kind != VAR_CONTINUOUS)
            return none;
    }
    for (uint32_t e = 0; e < s->eq.n; e++) {
        if (!w.is_constraint[e] && w.col_of[e] == INC_NONE)
            return none;
    }
    if (n_left != n)
        return none;
    LoopCut c = cut_at(&w, n);
    system_drop_eqs(s, s->eq.n, w.is_constraint);
    return c;
}
