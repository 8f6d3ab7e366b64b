#include "eliminate/prepare/redundant_states.h"

#include "eliminate/block/linear_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Search {
    const Dae *d;
    uint32_t *block_of; /* per variable; INC_NONE: of no block */
    bool *taken;        /* per block                           */
    bool *unknown;      /* per variable: of the block at hand  */
    Arena *mem;         /* the search                          */
    Arena *tmp;         /* one equation                        */
    VEC(uint32_t) todo; /* blocks                              */
} Search;

/* Each equation has been differentiated, each unknown has a derivative that is solved for. */
static bool is_differentiated(const Search *f, uint32_t b)
{
    const Dae *d = f->d;
    for (uint32_t k = d->blt.blocks.begin[b]; k < d->blt.blocks.begin[b + 1]; k++) {
        uint32_t e = d->blt.blocks.eq[k];
        VarId der = var_at(d->sys, blt_var(&d->blt, k))->der;
        if (e >= d->pantelides.n_eqs || d->pantelides.eq_der[e] == INC_NONE || !var_exists(der) ||
            f->block_of[der.i] == INC_NONE)
            return false;
    }
    return true;
}

/* Its Jacobian changes along the way. */
static bool is_varying(Search *f, uint32_t b)
{
    const Dae *d = f->d;
    System *s = d->sys;
    const Blocks *all = &d->blt.blocks;
    for (uint32_t k = all->begin[b]; k < all->begin[b + 1]; k++)
        f->unknown[blt_var(&d->blt, k).i] = true;
    Substitution none = {0};
    bool lasts = true;
    for (uint32_t k = all->begin[b]; lasts && k < all->begin[b + 1]; k++) {
        ArenaMark mark = arena_mark(f->tmp);
        const Eq *e = &s->eq.at[all->eq[k]];
        ExprId residual = expr_sub(s->pool, e->lhs, e->rhs);
        LinearForm form = linear_form(s, f->unknown, &none, residual, f->tmp);
        lasts = form.is_linear;
        for (uint32_t i = 0; lasts && i < form.n; i++)
            lasts = expr_is_fixed(s->pool, form.coeff[i]);
        arena_rollback(f->tmp, mark);
    }
    for (uint32_t k = all->begin[b]; k < all->begin[b + 1]; k++)
        f->unknown[blt_var(&d->blt, k).i] = false;
    return !lasts;
}

static void take(Search *f, uint32_t b)
{
    if (f->taken[b])
        return;
    f->taken[b] = true;
    vec_push(f->mem, f->todo, b);
}

bool redundant_find(Dae *d, Arena *scratch)
{
    Redundancy *out = &d->redundancy;
    const Blocks *blocks = &d->blt.blocks;
    Search f = {.d = d,
                .mem = scratch,
                .block_of = arena_array(scratch, uint32_t, d->sys->var.n),
                .taken = arena_array(scratch, bool, blocks->n + 1),
                .unknown = arena_array(scratch, bool, d->sys->var.n + 1),
                .tmp = arena_new()};
    memset(f.block_of, 0xff, d->sys->var.n * sizeof *f.block_of);
    for (uint32_t b = 0; b < blocks->n; b++)
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++)
            f.block_of[blt_var(&d->blt, k).i] = b;
    for (uint32_t b = 0; b < blocks->n; b++)
        if (is_differentiated(&f, b) && is_varying(&f, b))
            take(&f, b);
    out->is_invariant = arena_array(d->sys->mem, bool, d->sys->eq.n + 1);
    out->is_redundant = arena_array(d->sys->mem, bool, d->sys->var.n + 1);
    out->n = 0;
    while (f.todo.n) {
        uint32_t b = f.todo.at[--f.todo.n];
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++) {
            VarId v = blt_var(&d->blt, k);
            out->is_invariant[blocks->eq[k]] = true;
            out->is_redundant[v.i] = true;
            out->n++;
            uint32_t next = f.block_of[var_at(d->sys, v)->der.i];
            if (is_differentiated(&f, next))
                take(&f, next);
        }
    }
    arena_free(f.tmp);
    return true;
}

/* The hidden parameter a: 100 times the inverse of the experiment's length, as a number of three
 * digits. */
static VarId add_rate(Dae *d)
{
    System *s = d->sys;
    const Experiment *x = &s->experiment;
    double length = (x->has_stop ? x->stop : 1) - (x->has_start ? x->start : 0);
    double a = length > 0 ? 100 / length : 100;
    double scale = pow(10, 2 - floor(log10(a)));
    uint32_t n_before = s->var.n;
    VarId rate = system_add_hidden(s, "stabilisation rate");
    var_at(s, rate)->kind = VAR_PARAMETER;
    var_at(s, rate)->binding = scale >= 1
                                   ? expr_ratio(s->pool, (long)round(a * scale), (long)round(scale))
                                   : expr_int(s->pool, (long)round(a));
    dae_extend(d, n_before);
    return rate;
}

/* For e = 0, which goes, its derivatives are stabilised: (e + ...)' + a (e + ...) = 0. */
static void stabilise(Dae *d, uint32_t e, ExprId a)
{
    System *s = d->sys;
    ExprPool *p = s->pool;
    ExprId below = expr_sub(p, s->eq.at[e].lhs, s->eq.at[e].rhs);
    const uint32_t *der = d->pantelides.eq_der;
    for (uint32_t k = der[e]; k != INC_NONE; k = der[k]) {
        Eq *eq = &s->eq.at[k];
        ExprId residual = expr_sub(p, eq->lhs, eq->rhs);
        eq->rhs = expr_sub(p, eq->rhs, expr_mul(p, a, below));
        below = residual;
    }
}

/* The lowest redundant equation of which e is a derivative. */
static uint32_t lowest(const Dae *d, uint32_t e)
{
    const uint32_t *below = d->pantelides.eq_der_of;
    while (below[e] != INC_NONE && d->redundancy.is_invariant[below[e]])
        e = below[e];
    return e;
}

/* The model's own names of derivatives: v in the equation der(x) = v. */
static VarId *names_of_derivatives(const System *s, Arena *tmp)
{
    VarId *name = arena_array(tmp, VarId, s->var.n + 1);
    for (uint32_t v = 0; v < s->var.n; v++)
        name[v] = (VarId){v};
    for (uint32_t e = 0; e < s->eq.n; e++) {
        ExprId side[] = {s->eq.at[e].lhs, s->eq.at[e].rhs};
        if (expr_op(s->pool, side[0]) != OP_VAR || expr_op(s->pool, side[1]) != OP_VAR)
            continue;
        for (int i = 0; i < 2; i++) {
            VarId der = expr_var_of(s->pool, side[i]);
            if (var_exists(s->var.at[der.i].der_of))
                name[der.i] = expr_var_of(s->pool, side[1 - i]);
        }
    }
    return name;
}

/* The reinits of each variable, for the check of removed constraints. */
typedef struct Setters {
    Arena *tmp;
    const VarId *name;      /* of derivatives: their names in the model */
    bool *may_be[2];        /* continuous variables: no derivatives; derivatives   */
    bool *is_here;          /* per variable; false between two uses                */
    uint32_t *first, *last; /* per variable: its reinits, 1 + action; 0: none */
    VEC(uint32_t) next;     /* per action: the next of its variable, likewise */
} Setters;

/* Actions that are new. */
static void list_reinits(Setters *f, const System *s)
{
    for (uint32_t k = f->next.n; k < s->action.n; k++) {
        const Action *a = &s->action.at[k];
        vec_push(f->tmp, f->next, 0);
        if (a->kind != ACTION_REINIT)
            continue;
        uint32_t v = a->var.i, last = f->last[v];
        *(last ? &f->next.at[last - 1] : &f->first[v]) = k + 1;
        f->last[v] = k + 1;
    }
}

static Setters setters_of(const System *s, Arena *tmp)
{
    size_t n = s->var.n + (size_t)1;
    Setters f = {.tmp = tmp, .name = names_of_derivatives(s, tmp)};
    f.is_here = arena_array(tmp, bool, n);
    f.first = arena_array(tmp, uint32_t, n);
    f.last = arena_array(tmp, uint32_t, n);
    for (int k = 0; k < 2; k++)
        f.may_be[k] = arena_array(tmp, bool, n);
    for (uint32_t v = 0; v < s->var.n; v++)
        if (s->var.at[v].kind == VAR_CONTINUOUS)
            f.may_be[var_exists(s->var.at[v].der_of)][v] = true;
    list_reinits(&f, s);
    return f;
}

/* The variables that the removed constraint e ties together: if it is the derivative of another,
 * the model's names of the derivatives in it, else the variables. */
typedef struct Tied {
    uint32_t e;
    bool are_derivatives;
    VEC(VarId) var;  /* as the model calls them      */
    VEC(VarId) leaf; /* as they stand in the equation */
} Tied;

static Tied tied_by(const Dae *d, uint32_t e, const Setters *f)
{
    System *s = d->sys;
    Tied t = {.e = e, .are_derivatives = d->pantelides.eq_der_of[e] != INC_NONE};
    ExprId side[] = {s->eq.at[e].lhs, s->eq.at[e].rhs};
    for (int i = 0; i < 2; i++) {
        VarId *found;
        uint32_t n =
            unknowns_of(s, f->may_be[t.are_derivatives], side[i], s->var.n, f->tmp, &found);
        for (uint32_t k = 0; k < n; k++) {
            if (f->is_here[found[k].i])
                continue;
            f->is_here[found[k].i] = true;
            vec_push(f->tmp, t.leaf, found[k]);
            vec_push(f->tmp, t.var, f->name[found[k].i]);
        }
    }
    for (uint32_t k = 0; k < t.leaf.n; k++)
        f->is_here[t.leaf.at[k].i] = false;
    return t;
}

/* The value to which the event of action `of` sets v; EXPR_NONE: none. */
static ExprId set_with(const System *s, const Setters *f, const Action *of, VarId v)
{
    for (uint32_t k = f->first[v.i]; k; k = f->next.at[k - 1])
        if (expr_same(s->action.at[k - 1].fires, of->fires))
            return s->action.at[k - 1].value;
    return EXPR_NONE;
}

/* The one variable of the constraint that follows when the action sets others, as by x*der(x) +
 * y*der(y) = 0; false where that is not determined. */
static bool follow(System *s, const Tied *t, uint32_t other, const Action *of, Setters *f)
{
    ExprPool *p = s->pool;
    for (uint32_t k = 0; k < t->leaf.n; k++)
        f->is_here[t->leaf.at[k].i] = true;
    Substitution none = {0};
    ExprId residual = expr_sub(p, s->eq.at[t->e].lhs, s->eq.at[t->e].rhs);
    LinearForm form = linear_form(s, f->is_here, &none, residual, f->tmp);
    for (uint32_t k = 0; k < t->leaf.n; k++)
        f->is_here[t->leaf.at[k].i] = false;
    if (!t->are_derivatives || !form.is_linear)
        return false;
    ExprId sum = form.rest, own = EXPR_NONE;
    for (uint32_t k = 0; k < form.n; k++) {
        uint32_t i = 0;
        while (t->leaf.at[i].i != form.var[k].i)
            i++;
        if (i == other)
            own = form.coeff[k];
        else
            sum = expr_add(p, sum, expr_mul(p, form.coeff[k], set_with(s, f, of, t->var.at[i])));
    }
    if (!expr_exists(own) || expr_is_zero(p, own) == YES)
        return false;
    Action more = *of;
    more.var = t->var.at[other];
    more.value = expr_neg(p, expr_div(p, sum, own));
    vec_push(s->mem, s->action, more);
    list_reinits(f, s);
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The reinits of the tied variables, in the order of the model. */
static uint32_t reinits_of(const Tied *t, const Setters *f, uint32_t **out)
{
    VEC(uint32_t) found = {0};
    for (uint32_t i = 0; i < t->var.n; i++)
        for (uint32_t k = f->first[t->var.at[i].i]; k; k = f->next.at[k - 1])
            vec_push(f->tmp, found, k - 1);
    if (found.n > 1)
        qsort(found.at, found.n, sizeof *found.at, by_number);
    uint32_t n = 0;
    for (uint32_t k = 0; k < found.n; k++)
        if (!n || found.at[n - 1] != found.at[k])
            found.at[n++] = found.at[k];
    *out = found.at;
    return n;
}

/* reinit sets one state (MLS 8.3.6); where that is tied to others by constraint e, which goes, the
 * one speed that is left follows; others stay as they are until a projection, or the stabilised
 * derivatives, have moved all of them. True if something follows, which may be tied to more. */
static bool heed_reinit(Dae *d, uint32_t e, bool warns, Setters *f)
{
    System *s = d->sys;
    Tied t = tied_by(d, e, f);
    bool follows = false;
    uint32_t *reinit, n_reinits = reinits_of(&t, f, &reinit);
    for (uint32_t k = 0; k < n_reinits; k++) {
        Action a = s->action.at[reinit[k]];
        uint32_t n_others = 0, other = 0;
        for (uint32_t i = 0; i < t.var.n; i++) {
            if (expr_exists(set_with(s, f, &a, t.var.at[i])))
                continue;
            other = i;
            n_others++;
        }
        if (!n_others)
            continue;
        if (n_others == 1 && follow(s, &t, other, &a, f)) {
            follows = true;
            continue;
        }
        if (!warns)
            continue;
        diag_warning(s->diags, a.span, "S10",
                     "reinit of '%s' leaves '%s' as it is, though a constraint ties them: with "
                     "redundant states both are moved behind the event until it is met; set both",
                     s->var.at[a.var.i].name.s, s->var.at[t.var.at[other].i].name.s);
        diag_note(s->diags, s->eq.at[e].span, "the constraint, or what it is the derivative of");
        return follows;
    }
    return follows;
}

/* Checks reinits against the removed constraints, with the original equations. */
static void heed_reinits(Dae *d, uint32_t n_eqs)
{
    System *s = d->sys;
    const bool *is_invariant = d->redundancy.is_invariant;
    if (!s->action.n)
        return;
    Arena *tmp = arena_new();
    Setters f = setters_of(s, tmp);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < n_eqs; k++)
            more = (is_invariant[k] && heed_reinit(d, k, false, &f)) || more;
    }
    for (uint32_t k = 0; k < n_eqs; k++)
        if (is_invariant[k])
            heed_reinit(d, k, true, &f);
    arena_free(tmp);
}

void redundant_apply(Dae *d)
{
    const bool *is_invariant = d->redundancy.is_invariant;
    System *s = d->sys;
    VarId rate = add_rate(d);
    ExprId a = system_var_expr(s, rate);
    uint32_t n_eqs = d->pantelides.n_eqs;
    heed_reinits(d, n_eqs);
    ExprId *kept = arena_array(s->mem, ExprId, d->redundancy.n + 1);
    uint32_t n_kept = 0;
    for (uint32_t k = 0; k < n_eqs; k++)
        if (is_invariant[k])
            kept[n_kept++] = expr_sub(s->pool, s->eq.at[k].lhs, s->eq.at[k].rhs);
    for (uint32_t k = 0; k < n_eqs; k++) {
        if (!is_invariant[k] || lowest(d, k) != k)
            continue;
        for (uint32_t e = k; e != INC_NONE && is_invariant[e]; e = d->pantelides.eq_der[e])
            stabilise(d, e, a);
    }
    system_drop_eqs(s, n_eqs, is_invariant);
    for (uint32_t k = 0; k < d->structure.n; k++)
        if (d->redundancy.is_redundant[d->structure.var[k].i])
            d->is_state[d->structure.var[k].i] = true;
    d->redundancy = (Redundancy){.is_applied = true, .rate = rate, .n_kept = n_kept, .kept = kept};
}
