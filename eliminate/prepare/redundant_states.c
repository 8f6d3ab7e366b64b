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

void redundant_apply(Dae *d)
{
    const bool *is_invariant = d->redundancy.is_invariant;
    System *s = d->sys;
    ExprId a = rate(s);
    uint32_t n_eqs = d->pantelides.n_eqs;
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
