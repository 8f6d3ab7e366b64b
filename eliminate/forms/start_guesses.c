#include "eliminate/forms/start_guesses.h"

#include "eliminate/block/linear_form.h"

#include <string.h>

enum { TWO = 2 };

typedef struct Work {
    System *s;
    const Structure *t; /* of its equations over the unknowns */
    Arena *mem, *tmp;   /* tmp: of one equation */
    bool *is_unknown;
    Series series; /* of is_unknown */
    /* The unknowns of equation e, if there are two, are the places 2 e and 2 e + 1: per column the
     * first place, per place the next one of the same column; UINT32_MAX: none. */
    uint32_t *head, *next;
    ExprId *guess;       /* per column: the start value or the guess; EXPR_NONE: neither */
    VEC(uint32_t) queue; /* columns */
} Work;

static bool needs_guess(const System *s, VarId v)
{
    return s->var.at[v.i].type == TYPE_REAL && !expr_exists(s->var.at[v.i].attr.start);
}

static bool any_needs_guess(const Program *g, const System *s)
{
    bool any = false;
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t k = 0; k < g->block[b].n && !g->block[b].is_linear; k++)
            any = any || needs_guess(s, g->block[b].unknown[k]);
    return any;
}

/* The equations of two unknowns, listed by unknown. */
static void find_pairs(Work *w, const Matching *m)
{
    const Incidence *g = &w->t->g;
    w->head = arena_array(w->mem, uint32_t, w->t->n + 1);
    w->next = arena_array(w->mem, uint32_t, 2 * g->n_rows + 1);
    memset(w->head, 0xff, w->t->n * sizeof *w->head);
    for (uint32_t e = g->n_rows; e-- > 0;) {
        const bool is_pair = g->row_begin[e + 1] - g->row_begin[e] == TWO;
        for (uint32_t i = 0; i < TWO && is_pair && m->var_of[e] != INC_NONE; i++) {
            uint32_t *first = &w->head[g->col[g->row_begin[e] + i]];
            w->next[2 * e + i] = *first;
            *first = 2 * e + i;
        }
    }
}

/* The guess of y by equation e, a*x + b*y + c = 0, if b is a number; EXPR_NONE if not. */
static ExprId guess_by(Work *w, uint32_t e, VarId x, VarId y, ExprId guess)
{
    ExprPool *p = w->s->pool;
    const Eq *q = &w->s->eq.at[e];
    Substitution none = {.mem = w->tmp};
    ArenaMark m = arena_mark(w->tmp);
    ExprId out = EXPR_NONE;
    LinearForm f = series_form(&w->series, &none, expr_sub(p, q->lhs, q->rhs), w->tmp);
    if (f.is_linear && f.n == TWO && expr_is_fixed(p, f.rest)) {
        const uint32_t at = f.var[0].i == x.i ? 0 : 1;
        const ExprId a = f.coeff[at], b = f.coeff[1 - at];
        if (f.var[at].i == x.i && f.var[1 - at].i == y.i && expr_is_num(p, b) &&
            expr_is_fixed(p, a))
            out = expr_neg(p, expr_div(p, expr_add(p, f.rest, expr_mul(p, a, guess)), b));
    }
    arena_rollback(w->tmp, m);
    return out;
}

/* Breadth-first: guesses of all unknowns that are connected with an unknown of the queue. */
static void spread(Work *w)
{
    const Incidence *g = &w->t->g;
    for (uint32_t k = 0; k < w->queue.n; k++) {
        const uint32_t x = w->queue.at[k];
        for (uint32_t end = w->head[x]; end != UINT32_MAX; end = w->next[end]) {
            const uint32_t e = end / 2, y = g->col[g->row_begin[e] + (end + 1) % 2];
            const VarId of = w->t->var[y];
            if (expr_exists(w->guess[y]) || !needs_guess(w->s, of))
                continue;
            w->guess[y] = guess_by(w, e, w->t->var[x], of, w->guess[x]);
            if (expr_exists(w->guess[y]))
                vec_push(w->mem, w->queue, y);
        }
    }
}

/* The unknowns with a start value become the queue. chosen: as Attributes.start_is_chosen. */
static void start_with(Work *w, bool chosen)
{
    w->queue.n = 0;
    for (uint32_t k = 0; k < w->t->n; k++) {
        const Attributes *a = &w->s->var.at[w->t->var[k].i].attr;
        if (expr_exists(w->guess[k]) || !expr_exists(a->start) || a->start_is_chosen != chosen ||
            !expr_is_fixed(w->s->pool, a->start))
            continue;
        w->guess[k] = a->start;
        vec_push(w->mem, w->queue, k);
    }
}

void start_guesses_find(Dae *d, Arena *scratch)
{
    const Blt *b = d->initial ? d->initial_blt : &d->blt;
    if (!any_needs_guess(&d->solution.program, d->sys) &&
        !(d->initial && any_needs_guess(&d->initial->program, b->sys)))
        return;
    const Structure *t = &b->columns;
    Work w = {.s = b->sys, .t = t, .mem = scratch, .tmp = arena_new()};
    w.guess = arena_array(scratch, ExprId, t->n + 1);
    w.is_unknown = arena_array(scratch, bool, w.s->var.n + 1);
    for (uint32_t k = 0; k < t->n; k++) {
        w.guess[k] = EXPR_NONE;
        w.is_unknown[t->var[k].i] = true;
    }
    w.series = series_new(w.s, w.is_unknown, scratch);
    find_pairs(&w, &b->matching);
    start_with(&w, true);
    spread(&w);
    start_with(&w, false);
    spread(&w);
    for (uint32_t k = 0; k < t->n; k++) {
        const VarId v = t->var[k];
        if (!expr_exists(w.guess[k]) || !needs_guess(w.s, v))
            continue;
        w.s->var.at[v.i].guess = w.guess[k];
        if (v.i < d->sys->var.n)
            d->sys->var.at[v.i].guess = w.guess[k];
    }
    arena_free(w.tmp);
}
