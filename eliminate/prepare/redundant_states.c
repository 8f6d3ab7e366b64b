#include "eliminate/prepare/redundant_states.h"

#include "eliminate/block/linear_form.h"

#include <math.h>
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
            lasts = expr_variability(s->pool, form.coeff[i]) <= VARIES_PARAMETER;
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

/* 100 times the inverse of the run's length, as a number of three digits. */
static ExprId rate(const System *s)
{
    const Experiment *x = &s->experiment;
    double length = (x->has_stop ? x->stop : 1) - (x->has_start ? x->start : 0);
    double a = length > 0 ? 100 / length : 100;
    double scale = pow(10, 2 - floor(log10(a)));
    return scale >= 1 ? expr_ratio(s->pool, (long)round(a * scale), (long)round(scale))
                      : expr_int(s->pool, (long)round(a));
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

/* Below what it is the derivative of, all that goes has been stabilised. */
static uint32_t lowest(const Dae *d, uint32_t e)
{
    const uint32_t *below = d->pantelides.eq_der_of;
    while (below[e] != INC_NONE && d->redundancy.is_invariant[below[e]])
        e = below[e];
    return e;
}

/* What the model calls the derivatives that it has a name for: v of the equation der(x) = v. */
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

/* What constraint e, which goes, ties to each other: what the model calls the derivatives in it
 * where it is the derivative of another, else the variables. */
typedef struct Tied {
    uint32_t e;
    bool are_derivatives;
    VEC(VarId) var;  /* as the model calls them      */
    VEC(VarId) leaf; /* as they stand in the equation */
} Tied;

static Tied tied_by(const Dae *d, uint32_t e, const VarId *name, Arena *tmp)
{
    System *s = d->sys;
    uint32_t n_vars = s->var.n;
    Tied t = {.e = e, .are_derivatives = d->pantelides.eq_der_of[e] != INC_NONE};
    bool *may_be = arena_array(tmp, bool, n_vars + 1),
         *is_here = arena_array(tmp, bool, n_vars + 1);
    for (uint32_t v = 0; v < n_vars; v++)
        may_be[v] = s->var.at[v].kind == VAR_CONTINUOUS &&
                    var_exists(s->var.at[v].der_of) == t.are_derivatives;
    ExprId side[] = {s->eq.at[e].lhs, s->eq.at[e].rhs};
    for (int i = 0; i < 2; i++) {
        VarId *found;
        uint32_t n = unknowns_of(s, may_be, side[i], n_vars, tmp, &found);
        for (uint32_t k = 0; k < n; k++) {
            if (is_here[found[k].i])
                continue;
            is_here[found[k].i] = true;
            vec_push(tmp, t.leaf, found[k]);
            vec_push(tmp, t.var, name[found[k].i]);
        }
    }
    return t;
}

/* What the event of action `of` sets v to; EXPR_NONE: nothing. */
static ExprId set_with(const System *s, const Action *of, VarId v)
{
    for (uint32_t k = 0; k < s->action.n; k++) {
        const Action *a = &s->action.at[k];
        if (a->kind == ACTION_REINIT && a->var.i == v.i && expr_same(a->fires, of->fires))
            return a->value;
    }
    return EXPR_NONE;
}

/* The one variable of the constraint that follows when the action sets others, as by
 * x*der(x) + y*der(y) = 0; false where that is not said. */
static bool follow(System *s, const Tied *t, uint32_t other, const Action *of, Arena *tmp)
{
    ExprPool *p = s->pool;
    bool *is_leaf = arena_array(tmp, bool, s->var.n + 1);
    for (uint32_t k = 0; k < t->leaf.n; k++)
        is_leaf[t->leaf.at[k].i] = true;
    Substitution none = {0};
    ExprId residual = expr_sub(p, s->eq.at[t->e].lhs, s->eq.at[t->e].rhs);
    LinearForm form = linear_form(s, is_leaf, &none, residual, tmp);
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
            sum = expr_add(p, sum, expr_mul(p, form.coeff[k], set_with(s, of, t->var.at[i])));
    }
    if (!expr_exists(own) || expr_is_zero(p, own) == YES)
        return false;
    Action more = *of;
    more.var = t->var.at[other];
    more.value = expr_neg(p, expr_div(p, sum, own));
    vec_push(s->mem, s->action, more);
    return true;
}

/* reinit sets one state (MLS 8.3.6); where that is tied to others by constraint e, which goes, the
 * one speed that is left follows; others stay as they are until the stabilised derivatives have
 * moved all of them. True if something follows, which may be tied to more. */
static bool heed_reinit(Dae *d, uint32_t e, const VarId *name, bool warns, Arena *tmp)
{
    System *s = d->sys;
    Tied t = tied_by(d, e, name, tmp);
    bool follows = false;
    for (uint32_t k = 0, n = s->action.n; k < n; k++) {
        Action a = s->action.at[k];
        bool is_here = false;
        uint32_t n_others = 0, other = 0;
        for (uint32_t i = 0; i < t.var.n && a.kind == ACTION_REINIT; i++) {
            is_here = is_here || t.var.at[i].i == a.var.i;
            if (expr_exists(set_with(s, &a, t.var.at[i])))
                continue;
            other = i;
            n_others++;
        }
        if (!is_here || !n_others)
            continue;
        if (n_others == 1 && follow(s, &t, other, &a, tmp)) {
            follows = true;
            continue;
        }
        if (!warns)
            continue;
        diag_warning(s->diags, a.span, "S10",
                     "reinit of '%s' leaves '%s' as it is, though a constraint ties them: with "
                     "redundant states it is met again only some time after the event; set both",
                     s->var.at[a.var.i].name.s, s->var.at[t.var.at[other].i].name.s);
        diag_note(s->diags, s->eq.at[e].span, "the constraint, or what it is the derivative of");
        return follows;
    }
    return follows;
}

/* While the equations are what they were. */
static void heed_reinits(Dae *d, uint32_t n_eqs)
{
    System *s = d->sys;
    const bool *is_invariant = d->redundancy.is_invariant;
    Arena *tmp = arena_new();
    const VarId *name = s->action.n ? names_of_derivatives(s, tmp) : NULL;
    bool more = name != NULL;
    while (more) {
        more = false;
        for (uint32_t k = 0; k < n_eqs; k++)
            more = (is_invariant[k] && heed_reinit(d, k, name, false, tmp)) || more;
    }
    for (uint32_t k = 0; k < n_eqs && name; k++)
        if (is_invariant[k])
            heed_reinit(d, k, name, true, tmp);
    arena_free(tmp);
}

void redundant_apply(Dae *d)
{
    const bool *is_invariant = d->redundancy.is_invariant;
    System *s = d->sys;
    ExprId a = rate(s);
    uint32_t n_eqs = d->pantelides.n_eqs;
    heed_reinits(d, n_eqs);
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
    d->redundancy = (Redundancy){.is_applied = true};
}
