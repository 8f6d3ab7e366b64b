#include "eliminate/frames/shifts.h"

#include "eliminate/frames/equation_sums.h"

/* ---- vectors that are shifted together ---- */

enum { MOST_COORDINATES = 3 };

/* All vectors tied by differences. */
typedef struct Family {
    ExprId by[MOST_COORDINATES]; /* EXPR_NONE: not at all */
    bool is_shifted;
    uint32_t n_vectors;
    VEC(uint32_t) row; /* places of the equations that read it */
} Family;

typedef struct Search {
    Shifts *w;
    Loop *l;
    Arena *mem;
    uint32_t *vector_of; /* per unknown, by the first of equal ones; UINT32_MAX: of none */
    uint32_t *k_of;      /* likewise: which coordinate */
    uint32_t n_vectors;
    uint32_t *parent; /* per vector */
    Family *family;   /* per vector that is its own parent */
} Search;

static uint32_t root_of(uint32_t *parent, uint32_t u)
{
    while (parent[u] != u)
        u = parent[u] = parent[parent[u]];
    return u;
}

static void find_vectors(Search *f)
{
    Loop *l = f->l;
    const System *s = f->w->values->s;
    Map number = map_new(f->mem);
    f->vector_of = arena_array(f->mem, uint32_t, l->n);
    f->k_of = arena_array(f->mem, uint32_t, l->n);
    for (uint32_t u = 0; u < l->n; u++) {
        const Var *v = &s->var.at[l->var[l->same[u]].i];
        f->vector_of[u] = UINT32_MAX;
        if (v->group == GROUP_NONE)
            continue;
        Coordinate c = coordinate_of(v->group, v->index, f->w->shape[v->group]);
        uint32_t k = map_number(&number, c.vector, f->n_vectors);
        f->n_vectors += k == f->n_vectors;
        f->vector_of[u] = k;
        f->k_of[u] = c.k;
    }
    f->parent = arena_array(f->mem, uint32_t, f->n_vectors);
    f->family = arena_array(f->mem, Family, f->n_vectors);
    for (uint32_t k = 0; k < f->n_vectors; k++) {
        f->parent[k] = k;
        for (uint32_t i = 0; i < MOST_COORDINATES; i++)
            f->family[k].by[i] = EXPR_NONE;
    }
}

/* Coefficients c and -c of one coordinate of two vectors: a difference. */
static void find_families(Search *f)
{
    enum { MOST_TERMS = 64 }; /* more is no difference */
    const Loop *l = f->l;
    const ExprPool *p = f->w->values->s->pool;
    for (uint32_t e = 0; e < l->n; e++) {
        const LinearForm *form = &l->form[e];
        if (form->n > MOST_TERMS)
            continue;
        for (uint32_t i = 0; i < form->n; i++) {
            uint32_t u = map_get(&l->place, form->var[i].i);
            for (uint32_t k = 0; k < i && f->vector_of[u] != UINT32_MAX; k++) {
                uint32_t v = map_get(&l->place, form->var[k].i);
                Fp sum = fp_add(expr_fingerprint(p, form->coeff[i]),
                                expr_fingerprint(p, form->coeff[k]));
                if (f->vector_of[v] == UINT32_MAX || f->k_of[u] != f->k_of[v] || !fp_is_zero(sum))
                    continue;
                uint32_t a = root_of(f->parent, f->vector_of[u]);
                uint32_t b = root_of(f->parent, f->vector_of[v]);
                f->parent[a > b ? a : b] = a > b ? b : a;
            }
        }
    }
}

static Family *family_of(Search *f, uint32_t u)
{
    return &f->family[root_of(f->parent, f->vector_of[u])];
}

/* x + d or the like in an equation: notes d, the first that is found. */
static bool offer(Search *f, ExprId x, ExprId d, bool negative)
{
    ExplicitValues *values = f->w->values;
    ExprPool *p = values->s->pool;
    if (expr_op(p, x) != OP_VAR || !values->is_unknown[expr_var_of(p, x).i])
        return false;
    ArenaMark m = arena_mark(values->tmp);
    VarId *v;
    uint32_t n = unknowns_of(values->s, values->is_unknown, d, 0, values->tmp, &v);
    arena_rollback(values->tmp, m);
    uint32_t u = map_get(&f->l->place, expr_var_of(p, x).i);
    if (n > 0 || f->vector_of[u] == UINT32_MAX)
        return false;
    Family *family = family_of(f, u);
    if (expr_exists(family->by[f->k_of[u]]))
        return false;
    family->by[f->k_of[u]] = negative ? expr_neg(p, d) : d;
    return true;
}

static int sign_of(const ExprPool *p, ExprId x)
{
    return expr_is(p, x, 1) ? 1 : expr_is(p, x, -1) ? -1 : 0;
}

/* c*x + r in a row, c and r being parameters: notes r/c. */
static bool offer_of_row(Search *f, const LinearForm *row)
{
    ExprPool *p = f->w->values->s->pool;
    bool any = false;
    if (!expr_is_fixed(p, row->rest) || expr_is_zero(p, row->rest) == YES)
        return false;
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t u = map_get(&f->l->place, row->var[i].i);
        if (f->vector_of[u] == UINT32_MAX || sign_of(p, row->coeff[i]) != 0 ||
            !expr_is_fixed(p, row->coeff[i]))
            continue;
        Family *family = family_of(f, u);
        if (expr_exists(family->by[f->k_of[u]]))
            continue;
        family->by[f->k_of[u]] = expr_div(p, row->rest, row->coeff[i]);
        any = true;
    }
    return any;
}

static bool find_offers(Search *f)
{
    const System *s = f->w->values->s;
    const ExprPool *p = s->pool;
    bool any = false;
    for (uint32_t e = 0; e < f->l->n; e++) {
        const Eq *q = &s->eq.at[f->l->eq[e].i];
        any = (f->w->of_rows && offer_of_row(f, &f->l->form[e])) || any;
        EquationSums sums = equation_sums(p, q, f->mem);
        for (uint32_t k = 0; k < sums.n; k++) {
            const EquationSum *x = &sums.at[k];
            any = offer(f, x->left, x->right, x->is_difference) || any;
            any = offer(f, x->right, x->left, x->is_difference) || any;
        }
    }
    return any;
}

/* ---- operations saved ---- */

static bool is_shifted(Search *f, uint32_t u)
{
    return f->vector_of[u] != UINT32_MAX && family_of(f, u)->is_shifted;
}

static ExprId substituted(Search *f, ExprId x)
{
    return expr_substitute(f->w->values->s->pool, &f->w->by, x);
}

/* Operations of the terms without unknowns in the rows: as they are, or with the substitution. */
static uint32_t cost_of(Search *f, const Family *family, bool shifted)
{
    ExplicitValues *values = f->w->values;
    const System *s = values->s;
    VEC(ExprId) rest = {0};
    ArenaMark m = arena_mark(f->mem);
    for (uint32_t k = 0; k < family->row.n; k++) {
        uint32_t e = family->row.at[k];
        ExprId x = f->l->form[e].rest;
        if (shifted) {
            const Eq *q = &s->eq.at[f->l->eq[e].i];
            ExprId residual = expr_sub(s->pool, substituted(f, q->lhs), substituted(f, q->rhs));
            x = linear_form(values->s, values->is_unknown, &values->values, residual, f->mem).rest;
        }
        if (expr_is_zero(s->pool, x) != YES)
            vec_push(f->mem, rest, x);
    }
    uint32_t cost = rest.n + explicit_values_operations(values, rest.n, rest.at);
    arena_rollback(f->mem, m);
    return cost;
}

/* Each unknown of the shifted families is `to` of the first of its equals, less the shift. */
static void begin_substitution(Search *f, const VarId *to)
{
    System *s = f->w->values->s;
    f->w->by.is_tentative = true;
    for (uint32_t u = 0; u < f->l->n; u++) {
        if (!is_shifted(f, u))
            continue;
        ExprId x = system_var_expr(s, to[f->l->same[u]]), d = family_of(f, u)->by[f->k_of[u]];
        f->w->value[f->l->var[u].i] = expr_exists(d) ? expr_sub(s->pool, x, d) : x;
    }
}

static void end_substitution(Search *f)
{
    for (uint32_t u = 0; u < f->l->n; u++)
        f->w->value[f->l->var[u].i] = EXPR_NONE;
    substitution_go_back(&f->w->by);
}

static void list_rows(Search *f)
{
    const Loop *l = f->l;
    for (uint32_t e = 0; e < l->n; e++) {
        if (loop_is_name(l, f->w->values->s, e))
            continue;
        for (uint32_t i = 0; i < l->form[e].n; i++) {
            uint32_t u = map_get(&l->place, l->form[e].var[i].i);
            if (!is_shifted(f, u))
                continue;
            Family *family = family_of(f, u);
            if (family->row.n == 0 || vec_last(family->row) != e)
                vec_push(f->mem, family->row, e);
        }
    }
}

/* ---- carrying it out ---- */

static void rewrite(Search *f)
{
    Shifts *w = f->w;
    System *s = w->values->s;
    Loop *l = f->l;
    VarId *to = arena_array(f->mem, VarId, l->n);
    Map group = map_new(f->mem);
    for (uint32_t u = 0; u < l->n; u++) {
        if (!is_shifted(f, u) || l->same[u] != u)
            continue;
        uint32_t g = map_get(&group, f->vector_of[u]);
        if (g == MAP_NONE) {
            g = system_new_group(s);
            map_put(&group, f->vector_of[u], g);
        }
        const char *array =
            arena_printf(f->mem, "%s shifted", name_of_array(s, l->var[u], 1, f->mem));
        to[u] = rewriting_add_var(w->rewriting, array, "", g, f->k_of[u]);
    }
    begin_substitution(f, to);
    bool *done = arena_array(f->mem, bool, l->n);
    for (uint32_t k = 0; k < f->n_vectors; k++) {
        const Family *family = &f->family[k];
        for (uint32_t i = 0; i < family->row.n && family->is_shifted; i++) {
            uint32_t e = family->row.at[i];
            const Eq *q = &s->eq.at[l->eq[e].i];
            if (!done[e])
                rewriting_set(w->rewriting, l->eq[e], substituted(f, q->lhs),
                              substituted(f, q->rhs), q->index);
            done[e] = true;
        }
    }
    EqId *eq = arena_array(f->mem, EqId, l->n);
    VarId *var = arena_array(f->mem, VarId, l->n);
    uint32_t n_eqs = 0, n_vars = 0;
    for (uint32_t e = 0; e < l->n; e++) {
        uint32_t u = loop_is_name(l, s, e) ? map_get(&l->place, l->form[e].var[0].i) : UINT32_MAX;
        if (u == UINT32_MAX || !is_shifted(f, u))
            eq[n_eqs++] = l->eq[e];
    }
    for (uint32_t u = 0; u < l->n; u++) {
        if (!is_shifted(f, u)) {
            var[n_vars++] = l->var[u];
        } else if (l->same[u] == u) {
            Eq e = s->eq.at[l->eq[0].i];
            e.lhs = system_var_expr(s, l->var[u]);
            e.rhs = w->value[l->var[u].i];
            e.group = GROUP_NONE;
            system_add_eq(s, e);
            var[n_vars++] = to[u];
        }
    }
    end_substitution(f);
    loop_close(l, w->values);
    loop_open(l, w->values, n_vars, eq, var, f->mem);
}

uint32_t shifts_apply(Shifts *w, Loop *l, Arena *mem)
{
    Search f = {.w = w, .l = l, .mem = mem};
    find_vectors(&f);
    find_families(&f);
    if (f.n_vectors == 0 || !find_offers(&f))
        return 0;
    for (uint32_t k = 0; k < f.n_vectors; k++)
        f.family[root_of(f.parent, k)].n_vectors++;
    for (uint32_t k = 0; k < f.n_vectors; k++)
        for (uint32_t i = 0; i < MOST_COORDINATES && f.family[k].n_vectors > 1; i++)
            f.family[k].is_shifted = f.family[k].is_shifted || expr_exists(f.family[k].by[i]);
    list_rows(&f);
    begin_substitution(&f, l->var);
    for (uint32_t k = 0; k < f.n_vectors; k++) {
        Family *family = &f.family[k];
        if (family->is_shifted)
            family->is_shifted = cost_of(&f, family, true) < cost_of(&f, family, false);
    }
    end_substitution(&f);
    uint32_t n = 0;
    for (uint32_t k = 0; k < f.n_vectors; k++)
        n += f.family[root_of(f.parent, k)].is_shifted;
    if (n > 0)
        rewrite(&f);
    return n;
}

Shifts shifts_new(ExplicitValues *values, Rewriting *r, const Shape *shape, Arena *mem)
{
    uint32_t n = values->s->var.n;
    Shifts w = {.values = values,
                .rewriting = r,
                .shape = shape,
                .value = arena_array(mem, ExprId, n),
                .mem = mem};
    for (uint32_t k = 0; k < n; k++)
        w.value[k] = EXPR_NONE;
    w.by = (Substitution){.value = w.value, .n = n, .mem = mem};
    return w;
}
