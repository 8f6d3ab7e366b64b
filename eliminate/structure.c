#include "eliminate/structure.h"

Structure structure_of(const System *s, const bool *is_unknown, Arena *mem)
{
    Structure t = {0};
    t.var = arena_array(mem, VarId, s->var.n);
    t.column = arena_array(mem, uint32_t, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++) {
        t.column[k] = is_unknown[k] ? t.n : INC_NONE;
        if (is_unknown[k])
            t.var[t.n++] = (VarId){k};
    }
    IncidenceBuilder b = incidence_begin(mem, t.n);
    Arena *tmp = arena_new(), *kept = arena_new();
    Series series = series_new(s, is_unknown, kept);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        ArenaMark m = arena_mark(tmp);
        incidence_row(&b);
        const ExprId side[] = {s->eq.at[e].lhs, s->eq.at[e].rhs};
        for (int k = 0; k < 2; k++) {
            VarId *v;
            uint32_t n = series_unknowns(&series, side[k], UINT32_MAX - 1, tmp, &v);
            for (uint32_t i = 0; i < n; i++)
                incidence_edge(&b, t.column[v[i].i], LABEL_OTHER, 0);
        }
        arena_rollback(tmp, m);
    }
    arena_free(tmp);
    arena_free(kept);
    t.g = incidence_done(&b);
    return t;
}

Structure structure_of_chains(const System *s, const bool *is_unknown, Arena *mem)
{
    Structure t = structure_of(s, is_unknown, mem);
    Structure out = {.var = arena_array(mem, VarId, t.n + 1),
                     .column = arena_array(mem, uint32_t, s->var.n)};
    for (uint32_t k = 0; k < s->var.n; k++)
        out.column[k] = INC_NONE;
    /* a derivative comes after its base variable */
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = t.var[k], below = s->var.at[v.i].der_of;
        bool follows = var_exists(below) && is_unknown[below.i];
        out.column[v.i] = follows ? out.column[below.i] : out.n;
        if (!follows)
            out.var[out.n++] = v;
    }
    IncidenceBuilder b = incidence_begin(mem, out.n);
    for (uint32_t e = 0; e < t.g.n_rows; e++) {
        incidence_row(&b);
        for (uint32_t k = t.g.row_begin[e]; k < t.g.row_begin[e + 1]; k++)
            incidence_edge(&b, out.column[t.var[t.g.col[k]].i], LABEL_OTHER, 0);
    }
    out.g = incidence_done(&b);
    return out;
}

/* The label of a coefficient; EXPR_NONE is nonlinear, and so counts one that vanishes for this
 * model's parameters: nothing may be solved through it. */
static Label coefficient_label(const System *s, Sample *sample, ExprId coeff, int *sign)
{
    *sign = 0;
    if (!expr_exists(coeff))
        return LABEL_NONLINEAR;
    if (expr_is(s->pool, coeff, 1) || expr_is(s->pool, coeff, -1)) {
        *sign = expr_is(s->pool, coeff, 1) ? 1 : -1;
        return LABEL_ONE;
    }
    if (sample_vanishes(sample, coeff))
        return LABEL_NONLINEAR;
    switch (expr_variability(s->pool, coeff)) {
    case VARIES_NEVER:
        return LABEL_CONST;
    case VARIES_PARAMETER:
        return LABEL_PARAM;
    default:
        return LABEL_OTHER;
    }
}

void structure_label(const System *s, Sample *sample, const Structure *t, const bool *is_highest,
                     uint32_t e, Incidence *g, Arena *tmp)
{
    Substitution none = {0};
    ExprId residual = expr_sub(s->pool, s->eq.at[e].lhs, s->eq.at[e].rhs);
    LinearForm form = linear_form(s, is_highest, &none, residual, tmp);
    for (uint32_t k = 0; form.is_linear && k < form.n; k++) {
        int sign;
        uint32_t edge = incidence_find(g, e, t->column[form.var[k].i]);
        if (edge == INC_NONE)
            continue;
        Label label = coefficient_label(s, sample, form.coeff[k], &sign);
        g->label[edge] = (uint8_t)(label == LABEL_NONLINEAR ? LABEL_OTHER : label);
        g->sign[edge] = (int8_t)sign;
    }
}

/* Local numbers for the groups that occur. */
static uint32_t local_group(Map *groups, uint32_t group)
{
    if (group == GROUP_NONE)
        return INC_NONE;
    uint32_t k = map_get(groups, group);
    if (k == MAP_NONE) {
        k = groups->n;
        map_put(groups, group, k);
    }
    return k;
}

/* Values of coefficients, if every row is linear and equal values are one. */
static void add_residues(Incidence *g, const System *s, const LinearForm *form, const Map *column,
                         Arena *mem)
{
    const ExprPool *p = s->pool;
    if (!pool_by_value(p))
        return;
    for (uint32_t r = 0; r < g->n_rows; r++)
        if (!form[r].is_linear)
            return;
    g->residue = arena_array(mem, uint64_t, g->n_edges);
    for (uint32_t r = 0; r < g->n_rows; r++) {
        for (uint32_t k = 0; k < form[r].n; k++) {
            uint32_t edge = incidence_find(g, r, map_get(column, form[r].var[k].i));
            g->residue[edge] = expr_residue(p, form[r].coeff[k]);
        }
    }
}

Incidence structure_of_block(const System *s, Sample *sample, uint32_t n, const EqId *eq,
                             const VarId *var, const LinearForm *form, Arena *mem)
{
    Map column = map_with_room(n, mem);
    for (uint32_t k = 0; k < n; k++)
        map_put(&column, var[k].i, k);
    IncidenceBuilder b = incidence_begin(mem, n);
    for (uint32_t r = 0; r < n; r++) {
        incidence_row(&b);
        for (uint32_t k = 0; k < form[r].n; k++) {
            int sign;
            Label label = coefficient_label(s, sample, form[r].coeff[k], &sign);
            incidence_edge(&b, map_get(&column, form[r].var[k].i), label, sign);
        }
    }
    Incidence g = incidence_done(&b);
    uint32_t *row_group = arena_array(mem, uint32_t, n);
    uint32_t *row_index = arena_array(mem, uint32_t, n);
    uint32_t *col_group = arena_array(mem, uint32_t, n);
    uint32_t *col_index = arena_array(mem, uint32_t, n);
    Map row_groups = map_new(mem);
    Map col_groups = map_new(mem);
    for (uint32_t k = 0; k < n; k++) {
        const Eq *e = &s->eq.at[eq[k].i];
        const Var *v = &s->var.at[var[k].i];
        row_group[k] = local_group(&row_groups, e->group);
        row_index[k] = e->index;
        col_group[k] = local_group(&col_groups, v->group);
        col_index[k] = v->index;
    }
    incidence_set_row_groups(&g, row_group, row_index, row_groups.n);
    incidence_set_col_groups(&g, col_group, col_index, col_groups.n);
    add_residues(&g, s, form, &column, mem);
    return g;
}
