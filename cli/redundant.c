#include "cli/redundant.h"

#include "eliminate/block/linear_form.h"

#include <math.h>
#include <string.h>

typedef struct Search {
    Compilation *c;
    uint32_t *block_of; /* per variable; INC_NONE: of no block */
    bool *taken;        /* per block                           */
    bool *unknown;      /* per variable: of the block at hand  */
    Arena *tmp;         /* one equation                        */
    VEC(uint32_t) todo; /* blocks                              */
} Search;

static VarId variable(const Compilation *c, uint32_t pair)
{
    return blt_var(&c->blt, pair);
}

/* Each equation has been differentiated, each unknown has a derivative that is solved for. */
static bool is_differentiated(const Search *f, uint32_t b)
{
    const Compilation *c = f->c;
    for (uint32_t k = c->blt.blocks.begin[b]; k < c->blt.blocks.begin[b + 1]; k++) {
        uint32_t e = c->blt.blocks.eq[k];
        VarId der = var_at(c->sys, variable(c, k))->der;
        if (e >= c->pantelides.n_eqs || c->pantelides.eq_der[e] == INC_NONE || !var_exists(der) ||
            f->block_of[der.i] == INC_NONE)
            return false;
    }
    return true;
}

static bool is_nonlinear(Search *f, uint32_t b)
{
    Compilation *c = f->c;
    System *s = c->sys;
    const Blocks *all = &c->blt.blocks;
    for (uint32_t k = all->begin[b]; k < all->begin[b + 1]; k++)
        f->unknown[variable(c, k).i] = true;
    Substitution none = {0};
    bool linear = true;
    for (uint32_t k = all->begin[b]; linear && k < all->begin[b + 1]; k++) {
        ArenaMark mark = arena_mark(f->tmp);
        const Eq *e = &s->eq.at[all->eq[k]];
        ExprId residual = expr_sub(s->pool, e->lhs, e->rhs);
        linear = linear_form(s, f->unknown, &none, residual, f->tmp).is_linear;
        arena_rollback(f->tmp, mark);
    }
    for (uint32_t k = all->begin[b]; k < all->begin[b + 1]; k++)
        f->unknown[variable(c, k).i] = false;
    return !linear;
}

static void take(Search *f, uint32_t b)
{
    if (f->taken[b])
        return;
    f->taken[b] = true;
    vec_push(f->c->scratch, f->todo, b);
}

void redundant_find(Compilation *c)
{
    const Blocks *blocks = &c->blt.blocks;
    Search f = {.c = c,
                .block_of = arena_array(c->scratch, uint32_t, c->sys->var.n),
                .taken = arena_array(c->scratch, bool, blocks->n + 1),
                .unknown = arena_array(c->scratch, bool, c->sys->var.n + 1),
                .tmp = arena_new()};
    memset(f.block_of, 0xff, c->sys->var.n * sizeof *f.block_of);
    for (uint32_t b = 0; b < blocks->n; b++)
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++)
            f.block_of[variable(c, k).i] = b;
    for (uint32_t b = 0; b < blocks->n; b++)
        if (is_differentiated(&f, b) && is_nonlinear(&f, b))
            take(&f, b);
    c->is_invariant = arena_array(c->mem, bool, c->sys->eq.n + 1);
    c->is_redundant = arena_array(c->mem, bool, c->sys->var.n + 1);
    c->n_redundant = 0;
    while (f.todo.n) {
        uint32_t b = f.todo.at[--f.todo.n];
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++) {
            VarId v = variable(c, k);
            c->is_invariant[blocks->eq[k]] = true;
            c->is_redundant[v.i] = true;
            c->n_redundant++;
            uint32_t next = f.block_of[var_at(c->sys, v)->der.i];
            if (is_differentiated(&f, next))
                take(&f, next);
        }
    }
    arena_free(f.tmp);
}

bool redundant_wanted(const Compilation *c)
{
    const char *states = c->options->states;
    return states && strcmp(states, "redundant") == 0 && c->n_redundant > 0;
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
static void stabilise(Compilation *c, uint32_t e, ExprId a)
{
    System *s = c->sys;
    ExprPool *p = s->pool;
    ExprId below = expr_sub(p, s->eq.at[e].lhs, s->eq.at[e].rhs);
    for (uint32_t d = c->pantelides.eq_der[e]; d != INC_NONE; d = c->pantelides.eq_der[d]) {
        Eq *eq = &s->eq.at[d];
        ExprId residual = expr_sub(p, eq->lhs, eq->rhs);
        eq->rhs = expr_sub(p, eq->rhs, expr_mul(p, a, below));
        below = residual;
    }
}

/* Below what it is the derivative of, all that goes has been stabilised. */
static uint32_t lowest(const Compilation *c, uint32_t e)
{
    while (c->pantelides.eq_der_of[e] != INC_NONE && c->is_invariant[c->pantelides.eq_der_of[e]])
        e = c->pantelides.eq_der_of[e];
    return e;
}

void redundant_apply(Compilation *c)
{
    System *s = c->sys;
    ExprId a = rate(s);
    uint32_t n_eqs = c->pantelides.n_eqs;
    for (uint32_t k = 0; k < n_eqs; k++) {
        if (!c->is_invariant[k] || lowest(c, k) != k)
            continue;
        for (uint32_t e = k; e != INC_NONE && c->is_invariant[e]; e = c->pantelides.eq_der[e])
            stabilise(c, e, a);
    }
    system_drop_eqs(s, n_eqs, c->is_invariant);
    for (uint32_t k = 0; k < c->structure.n; k++)
        if (c->is_redundant[c->structure.var[k].i])
            c->is_state[c->structure.var[k].i] = true;
}
