#include "eliminate/prepare/alias.h"

#include "base/bug.h"
#include "eliminate/block/linear_form.h"

#define LINK_NONE UINT32_MAX

/* A link of the list of equations in which a variable occurs. */
typedef struct Link {
    uint32_t eq, next;
} Link;

typedef struct Work {
    System *s;
    Arena *mem; /* for the whole pass */
    Aliases *out;
    bool *is_unknown;
    Series series; /* of is_unknown: constants may be long chains, y[k] = f(y[k-1]) */
    VEC(Link) link;
    VEC(uint32_t) head, tail; /* per variable */
    VEC(uint32_t) queue;      /* equations to process (again) */
    VEC(bool) queued, gone;   /* per equation */
    /* Per array equation: rows that stay, and those of them that read a = +-b. */
    uint32_t *alive, *tied, *first; /* rows of group g: member[first[g]] .. */
    uint32_t *member;
    VEC(bool) is_tied; /* per equation */
    Substitution none; /* linear forms see no values */
    bool ok;
} Work;

/* New derivative variables may appear during the pass. */
static void fit(Work *w)
{
    System *s = w->s;
    uint32_t n = s->var.n;
    if (w->out->n >= n && w->head.n >= n)
        return;
    ExprId *value = arena_array(s->mem, ExprId, 2 * (size_t)n);
    bool *unknown = arena_array(w->mem, bool, 2 * (size_t)n);
    for (uint32_t k = 0; k < 2 * n; k++)
        value[k] = k < w->out->n ? w->out->value[k] : EXPR_NONE;
    for (uint32_t k = 0; k < n; k++)
        unknown[k] = var_is_unknown(&s->var.at[k]) && !expr_exists(value[k]);
    for (uint32_t k = n; k < 2 * n; k++)
        unknown[k] = true; /* derivative variables to come */
    w->out->value = value;
    w->out->n = 2 * n;
    w->is_unknown = unknown;
    w->series.is_unknown = unknown;
    while (w->head.n < 2 * n) {
        vec_push(w->mem, w->head, LINK_NONE);
        vec_push(w->mem, w->tail, LINK_NONE);
    }
}

static void occurs(Work *w, VarId v, uint32_t eq)
{
    Link l = {eq, w->head.at[v.i]};
    vec_push(w->mem, w->link, l);
    w->head.at[v.i] = w->link.n - 1;
    if (w->tail.at[v.i] == LINK_NONE)
        w->tail.at[v.i] = w->link.n - 1;
}

static void enqueue(Work *w, uint32_t eq)
{
    if (w->queued.at[eq] || w->gone.at[eq])
        return;
    w->queued.at[eq] = true;
    vec_push(w->mem, w->queue, eq);
}

static void enqueue_all(Work *w, VarId v)
{
    for (uint32_t l = w->head.at[v.i]; l != LINK_NONE; l = w->link.at[l].next)
        enqueue(w, w->link.at[l].eq);
}

static void take_occurrences(Work *w, VarId to, VarId from)
{
    if (w->head.at[from.i] == LINK_NONE)
        return;
    if (w->head.at[to.i] == LINK_NONE)
        w->tail.at[to.i] = w->tail.at[from.i];
    else
        w->link.at[w->tail.at[from.i]].next = w->head.at[to.i];
    w->head.at[to.i] = w->head.at[from.i];
    w->head.at[from.i] = w->tail.at[from.i] = LINK_NONE;
}

ExprId alias_value(System *s, Aliases *a, VarId v)
{
    ExprPool *p = s->pool;
    if (v.i >= a->n || !expr_exists(a->value[v.i]))
        return EXPR_NONE;
    ExprId x = a->value[v.i];
    ExprId inner = expr_op(p, x) == OP_NEG ? expr_arg(p, x, 0) : x;
    if (expr_op(p, inner) != OP_VAR)
        return x;
    ExprId further = alias_value(s, a, expr_var_of(p, inner));
    if (!expr_exists(further))
        return x;
    x = expr_same(inner, x) ? further : expr_neg(p, further);
    a->value[v.i] = x; /* path compression */
    return x;
}

static ExprId resolve_leaf(void *data, ExprId x)
{
    Work *w = data;
    if (expr_op(w->s->pool, x) != OP_VAR)
        return x;
    ExprId v = alias_value(w->s, w->out, expr_var_of(w->s->pool, x));
    return expr_exists(v) ? v : x;
}

static void add_equation(Work *w, ExprId lhs, ExprId rhs, const Eq *like)
{
    Eq e = *like;
    e.lhs = lhs;
    e.rhs = rhs;
    e.group = GROUP_NONE;
    system_add_eq(w->s, e);
    vec_push(w->mem, w->queued, false);
    vec_push(w->mem, w->gone, false);
    vec_push(w->mem, w->is_tied, false);
    ArenaMark m = arena_mark(w->none.mem);
    VarId *v;
    uint32_t n = series_unknowns(&w->series, expr_sub(w->s->pool, lhs, rhs), UINT32_MAX - 1,
                                 w->none.mem, &v);
    VEC(VarId) found = {0};
    for (uint32_t k = 0; k < n; k++)
        vec_push(w->mem, found, v[k]);
    arena_rollback(w->none.mem, m);
    for (uint32_t k = 0; k < n; k++)
        occurs(w, found.at[k], w->s->eq.n - 1);
    enqueue(w, w->s->eq.n - 1);
}

/* v gets a value: parameters, or plus or minus another variable. Its derivative follows. */
static void set_value(Work *w, VarId v, ExprId value, const Eq *from)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    const Eq origin = *from;
    w->out->value[v.i] = value;
    w->is_unknown[v.i] = false;
    enqueue_all(w, v);
    ExprId inner = expr_op(p, value) == OP_NEG ? expr_arg(p, value, 0) : value;
    bool is_var = !expr_is_fixed(p, value);
    if (is_var)
        take_occurrences(w, expr_var_of(p, inner), v);

    VarId d = s->var.at[v.i].der;
    if (!var_exists(d))
        return;
    ExprId dv = expr_int(p, 0);
    if (is_var) {
        VarId dy = system_der(s, expr_var_of(p, inner));
        fit(w);
        dv = system_var_expr(s, dy);
        if (!expr_same(inner, value))
            dv = expr_neg(p, dv);
    }
    if (!expr_exists(w->out->value[d.i]))
        set_value(w, d, dv, &origin);
    else
        add_equation(w, system_var_expr(s, d), dv, &origin);
}

/* Which of two tied variables stays: the better state, the one with a derivative, the public one,
 * the earlier one. */
static bool stays_before(const System *s, VarId a, VarId b)
{
    const Var *x = &s->var.at[a.i];
    const Var *y = &s->var.at[b.i];
    if (x->attr.select != y->attr.select)
        return x->attr.select > y->attr.select;
    if (var_exists(x->der) != var_exists(y->der))
        return var_exists(x->der);
    bool fx = x->attr.fixed == YES;
    bool fy = y->attr.fixed == YES;
    if (fx != fy)
        return fx;
    if (x->is_protected != y->is_protected)
        return !x->is_protected;
    return a.i < b.i;
}

/* The tied variable's start value serves when the one that stays has none. */
static void inherit(System *s, VarId keeps, VarId goes, bool negative)
{
    Attributes *k = &s->var.at[keeps.i].attr;
    const Attributes *g = &s->var.at[goes.i].attr;
    bool is_fixed = g->fixed == YES && k->fixed != YES;
    bool stronger = g->start_is_chosen != k->start_is_chosen ? g->start_is_chosen : is_fixed;
    if (expr_exists(g->start) && (!expr_exists(k->start) || stronger))
        k->start = negative ? expr_neg(s->pool, g->start) : g->start;
    if (is_fixed)
        k->fixed = YES;
    if (!expr_exists(k->nominal))
        k->nominal = g->nominal;
    k->start_is_chosen = k->start_is_chosen || g->start_is_chosen;
}

/* Vectors stay whole: an array equation ties its unknowns together when every row of it does, not
 * when a single component happens to (a rotation leaves the one along its axis alone). Otherwise
 * the structure of vectors, which natural matching lives on, would be lost. */
static bool may_tie(Work *w, uint32_t k)
{
    uint32_t g = w->s->eq.at[k].group;
    if (g == GROUP_NONE)
        return true;
    if (!w->is_tied.at[k]) {
        w->is_tied.at[k] = true;
        w->tied[g]++;
    }
    if (w->tied[g] < w->alive[g])
        return false;
    for (uint32_t i = w->first[g]; i < w->first[g + 1]; i++)
        enqueue(w, w->member[i]);
    return true;
}

static void drop(Work *w, uint32_t k)
{
    uint32_t g = w->s->eq.at[k].group;
    w->gone.at[k] = true;
    if (g == GROUP_NONE)
        return;
    w->alive[g]--;
    if (w->is_tied.at[k])
        w->tied[g]--;
    if (w->tied[g] > 0 && w->tied[g] == w->alive[g]) {
        for (uint32_t i = w->first[g]; i < w->first[g + 1]; i++)
            enqueue(w, w->member[i]);
    }
}

static void rows_of_groups(Work *w)
{
    System *s = w->s;
    w->alive = arena_array(w->mem, uint32_t, s->n_groups + 1);
    w->tied = arena_array(w->mem, uint32_t, s->n_groups + 1);
    w->first = arena_array(w->mem, uint32_t, s->n_groups + 2);
    w->member = arena_array(w->mem, uint32_t, s->eq.n);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        if (s->eq.at[k].group != GROUP_NONE)
            w->alive[s->eq.at[k].group]++;
    }
    for (uint32_t g = 0; g < s->n_groups; g++)
        w->first[g + 1] = w->first[g] + w->alive[g];
    uint32_t *next = arena_array(w->mem, uint32_t, s->n_groups + 1);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        uint32_t g = s->eq.at[k].group;
        if (g != GROUP_NONE)
            w->member[w->first[g] + next[g]++] = k;
    }
}

/* A result of a call with many arguments is an alias of nothing, and takes long to rebuild. */
static bool is_wide(const System *s, const Eq *e)
{
    enum { MANY = 32 };
    const ExprPool *p = s->pool;
    ExprId side[2] = {e->lhs, e->rhs};
    for (int k = 0; k < 2; k++)
        if (expr_op(p, side[k]) == OP_PROJ && expr_n_args(p, expr_arg(p, side[k], 0)) > MANY)
            return true;
    return false;
}

static void resolve(Work *w, uint32_t k)
{
    Eq *e = &w->s->eq.at[k];
    Arena *tmp = w->none.mem;
    e->lhs = expr_map(w->s->pool, tmp, e->lhs, resolve_leaf, w);
    e->rhs = expr_map(w->s->pool, tmp, e->rhs, resolve_leaf, w);
}

static void look(Work *w, uint32_t k)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    Arena *tmp = w->none.mem;
    ArenaMark m = arena_mark(tmp);
    if (is_wide(s, &s->eq.at[k]))
        return;
    resolve(w, k);
    const Eq eq = s->eq.at[k];
    ExprId r = expr_sub(p, eq.lhs, eq.rhs);
    VarId *v;
    uint32_t n = series_unknowns(&w->series, r, 2, tmp, &v);
    if (n > 2)
        goto done;
    if (n == 0) {
        if (expr_is_zero(p, r) == YES) {
            drop(w, k);
        } else if (expr_is_num(p, r)) {
            /* contradictions that follow from the first are not reported */
            if (w->ok)
                diag_error(
                    s->diags, eq.span, "S01",
                    "this equation contradicts others: with what they determine it reads %s = %s",
                    expr_text(s, eq.lhs, s->mem), expr_text(s, eq.rhs, s->mem));
            w->ok = false;
            drop(w, k);
        }
        goto done;
    }
    LinearForm f = series_form(&w->series, &w->none, r, tmp);
    if (!f.is_linear || f.n == 0)
        goto done;
    if (f.n == 1) {
        if (!expr_is_num(p, f.coeff[0]) || !expr_is_fixed(p, f.rest) ||
            var_exists(s->var.at[f.var[0].i].der_of))
            goto done;
        ExprId value = expr_neg(p, expr_div(p, f.rest, f.coeff[0]));
        drop(w, k);
        w->out->n_constants++;
        VarId x = f.var[0];
        arena_rollback(tmp, m);
        set_value(w, x, value, &eq);
        return;
    }
    if (expr_is_zero(p, f.rest) == YES && expr_is_num(p, f.coeff[0])) {
        bool opposite = expr_same(f.coeff[1], expr_neg(p, f.coeff[0]));
        bool equal = expr_same(f.coeff[1], f.coeff[0]);
        VarId a = f.var[0];
        VarId b = f.var[1];
        bool derivative = var_exists(s->var.at[a.i].der_of) || var_exists(s->var.at[b.i].der_of);
        bool discrete = s->var.at[a.i].kind != s->var.at[b.i].kind;
        if ((!opposite && !equal) || derivative || discrete || !may_tie(w, k))
            goto done;
        VarId keeps = stays_before(s, a, b) ? a : b;
        VarId goes = keeps.i == a.i ? b : a;
        inherit(s, keeps, goes, equal);
        drop(w, k);
        w->out->n_aliases++;
        ExprId value = system_var_expr(s, keeps);
        arena_rollback(tmp, m);
        set_value(w, goes, equal ? expr_neg(p, value) : value, &eq);
        return;
    }
done:
    arena_rollback(tmp, m);
}

bool aliases_remove(System *s, Aliases *out, Arena *scratch)
{
    Arena *tmp = arena_new();
    *out = (Aliases){0};
    Work w = {.s = s, .mem = scratch, .out = out, .none = {.mem = tmp}, .ok = true};
    w.series = series_new(s, NULL, scratch);
    fit(&w);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        vec_push(scratch, w.queued, false);
        vec_push(scratch, w.gone, false);
        vec_push(scratch, w.is_tied, false);
    }
    rows_of_groups(&w);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        ArenaMark m = arena_mark(tmp);
        VarId *v;
        const ExprId side[] = {s->eq.at[k].lhs, s->eq.at[k].rhs};
        for (int i = 0; i < 2; i++) {
            uint32_t n = series_unknowns(&w.series, side[i], UINT32_MAX - 1, tmp, &v);
            for (uint32_t j = 0; j < n; j++)
                occurs(&w, v[j], k);
        }
        arena_rollback(tmp, m);
        enqueue(&w, k);
    }
    for (uint32_t k = 0; k < w.queue.n; k++) {
        w.queued.at[w.queue.at[k]] = false;
        look(&w, w.queue.at[k]);
    }
    for (uint32_t k = 0; k < s->eq.n; k++)
        if (!w.gone.at[k] && is_wide(s, &s->eq.at[k]))
            resolve(&w, k);
    system_drop_eqs(s, s->eq.n, w.gone.at);
    arena_free(tmp);
    return w.ok;
}
