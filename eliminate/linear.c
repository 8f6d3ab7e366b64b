#include "eliminate/linear.h"

#include "base/bug.h"

#include <stdlib.h>

/* What begins with an id. */
static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

Series series_new(const System *s, const bool *is_unknown, Arena *mem)
{
    return (Series){.s = s, .is_unknown = is_unknown, .mem = mem, .round = 1};
}

void series_restart(Series *q)
{
    q->round++;
}

#define FREE (MAP_NONE - 1)

/* One expression's nodes that depend on unknowns, operands before users. */
typedef struct Walk {
    Series *series;
    Arena *mem;
    uint32_t number;
    Map place; /* where nothing is remembered: node -> FREE, or place in `node` */
    VEC(ExprId) node;
} Walk;

static Walk walk_new(Series *q, Arena *mem)
{
    return (Walk){.series = q, .mem = mem, .number = ++q->walks, .place = map_new(mem)};
}

/* FREE if x does not depend on unknowns, MAP_NONE if it was not met. */
static uint32_t place_of(const Walk *w, ExprId x)
{
    const Series *q = w->series;
    if (!q->mem)
        return map_get(&w->place, x.i);
    if (x.i >= q->node.n)
        return MAP_NONE;
    const SeriesNode *n = &q->node.at[x.i];
    return n->free_in == q->round ? FREE : n->met_in == w->number ? n->place : MAP_NONE;
}

static void put_place(Walk *w, ExprId x, uint32_t place)
{
    Series *q = w->series;
    if (!q->mem) {
        map_put(&w->place, x.i, place);
        return;
    }
    if (x.i >= q->node.n) {
        vec_reserve(q->mem, q->node, x.i + 1);
        memset(q->node.at + q->node.n, 0, (x.i + 1 - q->node.n) * sizeof *q->node.at);
        q->node.n = x.i + 1;
    }
    SeriesNode *n = &q->node.at[x.i];
    if (place == FREE) {
        n->free_in = q->round;
    } else {
        n->met_in = w->number;
        n->place = place;
    }
}

static bool depends(const Walk *w, ExprId x)
{
    return place_of(w, x) != FREE;
}

/* Stops after `most` + 1 unknowns. */
static void walk(Walk *w, ExprId root, uint32_t most)
{
    Series *q = w->series;
    const ExprPool *p = q->s->pool;
    VEC(ExprId) stack = {0};
    uint32_t n = 0;
    vec_push(w->mem, stack, root);
    while (stack.n && n <= most) {
        ExprId x = vec_last(stack);
        if (place_of(w, x) != MAP_NONE) {
            stack.n--;
            continue;
        }
        bool dep = false;
        bool ready = true;
        if (expr_op(p, x) == OP_VAR) {
            dep = q->is_unknown[expr_var_of(p, x).i];
            n += dep;
        } else {
            for (uint32_t k = expr_n_args(p, x); k-- > 0;) {
                ExprId a = expr_arg(p, x, k);
                uint32_t place = place_of(w, a);
                if (place == MAP_NONE) {
                    vec_push(w->mem, stack, a);
                    ready = false;
                }
                dep = dep || place != FREE;
            }
        }
        if (!ready)
            continue;
        stack.n--;
        put_place(w, x, dep ? w->node.n : FREE);
        if (dep)
            vec_push(w->mem, w->node, x);
    }
}

uint32_t series_unknowns(Series *q, ExprId x, uint32_t most, Arena *mem, VarId **out)
{
    Walk w = walk_new(q, mem);
    VEC(VarId) found = {0};
    walk(&w, x, most);
    for (uint32_t k = 0; k < w.node.n; k++) {
        if (expr_op(q->s->pool, w.node.at[k]) == OP_VAR)
            vec_push(mem, found, expr_var_of(q->s->pool, w.node.at[k]));
    }
    if (found.n)
        qsort(found.at, found.n, sizeof(VarId), by_id);
    *out = found.at;
    return found.n;
}

uint32_t unknowns_of(const System *s, const bool *is_unknown, ExprId x, uint32_t most, Arena *mem,
                     VarId **out)
{
    Series one = {.s = s, .is_unknown = is_unknown};
    return series_unknowns(&one, x, most, mem, out);
}

typedef struct Leaf {
    VarId var;
    uint32_t place;
} Leaf;

/* A residual on its way to a linear form. */
typedef struct Sweep {
    ExprPool *p;
    Walk walk;
    Substitution *values;
    bool *is_idle;   /* holds only unknowns whose factors cancel */
    ExprId *factor;  /* d residual / d node, EXPR_NONE: none yet */
    bool *nonlinear; /* below a nonlinear operation              */
    ExprId *at_zero; /* value with the unknowns at zero          */
} Sweep;

static ExprId value_of(Sweep *w, ExprId x)
{
    return w->values->n ? expr_substitute(w->p, w->values, x) : x;
}

static void add_factor(Sweep *w, ExprId x, ExprId f, bool negative, bool nonlinear)
{
    uint32_t k = place_of(&w->walk, x);
    if (k == FREE || w->is_idle[k])
        return;
    ExprPool *p = w->p;
    if (nonlinear) {
        w->nonlinear[k] = true;
        return;
    }
    ExprId old = w->factor[k];
    if (!expr_exists(old))
        w->factor[k] = negative ? expr_neg(p, f) : f;
    else
        w->factor[k] = negative ? expr_sub(p, old, f) : expr_add(p, old, f);
}

/* ---- what cancels ---- */

/* The factors as residues (Fp), which need no nodes. */
typedef struct Residues {
    const Sweep *w;
    Fp *factor;
    bool *is_hidden; /* no residue: below what is not linear, or depends on conditions */
} Residues;

static void add_residue(Residues *r, ExprId x, Fp f, bool is_hidden)
{
    uint32_t k = place_of(&r->w->walk, x);
    if (k == FREE)
        return;
    r->factor[k] = fp_add(r->factor[k], f);
    r->is_hidden[k] = r->is_hidden[k] || is_hidden;
}

static void hand_down_residue(Residues *r, Sweep *w, uint32_t i)
{
    ExprPool *p = w->p;
    ExprId x = w->walk.node.at[i];
    uint32_t n = expr_n_args(p, x);
    ExprId a = n > 0 ? expr_arg(p, x, 0) : EXPR_NONE;
    ExprId b = n > 1 ? expr_arg(p, x, 1) : EXPR_NONE;
    Fp f = r->factor[i], over;
    bool hidden = r->is_hidden[i];
    switch (expr_op(p, x)) {
    case OP_NEG:
        add_residue(r, a, fp_neg(f), hidden);
        return;
    case OP_ADD:
        add_residue(r, a, f, hidden);
        add_residue(r, b, f, hidden);
        return;
    case OP_SUB:
        add_residue(r, a, f, hidden);
        add_residue(r, b, fp_neg(f), hidden);
        return;
    case OP_MUL:
        if (depends(&w->walk, a) && depends(&w->walk, b))
            break;
        if (depends(&w->walk, a))
            add_residue(r, a, fp_mul(f, expr_fingerprint(p, value_of(w, b))), hidden);
        else
            add_residue(r, b, fp_mul(f, expr_fingerprint(p, value_of(w, a))), hidden);
        return;
    case OP_DIV:
        if (depends(&w->walk, b) || !fp_inverse(expr_fingerprint(p, value_of(w, b)), &over))
            break;
        add_residue(r, a, fp_mul(f, over), hidden);
        return;
    default:
        break;
    }
    for (uint32_t k = 0; k < n; k++)
        add_residue(r, expr_arg(p, x, k), f, true);
}

/* Shorter ones are as soon swept. */
static bool is_long(const Sweep *w)
{
    enum { LONG = 64 };
    return w->walk.node.n >= LONG && pool_by_value(w->p);
}

/* Positions compared in a common frame depend on all joints below, but these cancel: told before
 * anything is built, so that a long expression costs what is left of it. */
static void find_idle(Sweep *w)
{
    uint32_t n = w->walk.node.n;
    if (!is_long(w))
        return;
    Arena *mem = w->walk.mem;
    Residues r = {w, arena_array(mem, Fp, n), arena_array(mem, bool, n)};
    r.factor[n - 1] = expr_fingerprint(w->p, expr_int(w->p, 1));
    for (uint32_t i = n; i-- > 0;)
        hand_down_residue(&r, w, i);
    for (uint32_t i = 0; i < n; i++) {
        ExprId x = w->walk.node.at[i];
        w->is_idle[i] = expr_op(w->p, x) != OP_VAR || (!r.is_hidden[i] && fp_is_zero(r.factor[i]));
        for (uint32_t k = expr_n_args(w->p, x); k-- > 0;) {
            uint32_t place = place_of(&w->walk, expr_arg(w->p, x, k));
            w->is_idle[i] = w->is_idle[i] && (place == FREE || w->is_idle[place]);
        }
    }
}

static bool rest_cancels(const Sweep *w, uint32_t n, const Leaf *leaf, ExprId root)
{
    if (!is_long(w) || w->values->n > 0)
        return false;
    Fp rest = expr_fingerprint(w->p, root);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = leaf[k].place;
        Fp x = expr_fingerprint(w->p, w->walk.node.at[i]);
        rest = fp_sub(rest, fp_mul(expr_fingerprint(w->p, w->factor[i]), x));
    }
    return fp_is_zero(rest);
}

/* ---- the form ---- */

/* Hands the factor of a node down to its operands. */
static void sweep_node(Sweep *w, ExprId x, ExprId f, bool nonlinear)
{
    ExprPool *p = w->p;
    uint32_t n = expr_n_args(p, x);
    ExprId a = n > 0 ? expr_arg(p, x, 0) : EXPR_NONE;
    ExprId b = n > 1 ? expr_arg(p, x, 1) : EXPR_NONE;
    switch (expr_op(p, x)) {
    case OP_VAR:
        return;
    case OP_NEG:
        add_factor(w, a, f, true, nonlinear);
        return;
    case OP_ADD:
        add_factor(w, a, f, false, nonlinear);
        add_factor(w, b, f, false, nonlinear);
        return;
    case OP_SUB:
        add_factor(w, a, f, false, nonlinear);
        add_factor(w, b, f, true, nonlinear);
        return;
    case OP_MUL:
        if (nonlinear || (depends(&w->walk, a) && depends(&w->walk, b)))
            break;
        if (depends(&w->walk, a))
            add_factor(w, a, expr_mul(p, f, value_of(w, b)), false, false);
        else
            add_factor(w, b, expr_mul(p, f, value_of(w, a)), false, false);
        return;
    case OP_DIV:
        if (nonlinear || depends(&w->walk, b))
            break;
        add_factor(w, a, expr_div(p, f, value_of(w, b)), false, false);
        return;
    case OP_NOEVENT:
    case OP_SMOOTH:
        add_factor(w, a, f, false, nonlinear);
        return;
    case OP_SELECT: {
        if (nonlinear || depends(&w->walk, a))
            break;
        ExprId cond = value_of(w, a);
        ExprId zero = expr_int(p, 0);
        add_factor(w, b, expr_select(p, cond, f, zero), false, false);
        add_factor(w, expr_arg(p, x, 2), expr_select(p, cond, zero, f), false, false);
        return;
    }
    default:
        break;
    }
    for (uint32_t k = 0; k < n; k++)
        add_factor(w, expr_arg(p, x, k), f, false, true);
}

/* The residual with the unknowns at zero, bottom-up. */
static ExprId rest_of(Sweep *w, ExprId root)
{
    ExprPool *p = w->p;
    if (!depends(&w->walk, root))
        return value_of(w, root);
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < w->walk.node.n; i++) {
        ExprId x = w->walk.node.at[i];
        if (expr_op(p, x) == OP_VAR) {
            w->at_zero[i] = expr_int(p, 0);
            continue;
        }
        args.n = 0;
        uint32_t n = expr_n_args(p, x);
        for (uint32_t k = 0; k < n; k++) {
            ExprId a = expr_arg(p, x, k);
            uint32_t place = place_of(&w->walk, a);
            vec_push(w->walk.mem, args, place == FREE ? value_of(w, a) : w->at_zero[place]);
        }
        w->at_zero[i] = expr_rebuild(p, x, args.at);
    }
    return w->at_zero[place_of(&w->walk, root)];
}

LinearForm series_form(Series *q, Substitution *values, ExprId residual, Arena *mem)
{
    ExprPool *p = q->s->pool;
    Sweep w = {.p = p, .walk = walk_new(q, mem), .values = values};
    walk(&w.walk, residual, UINT32_MAX - 1);
    w.is_idle = arena_array(mem, bool, w.walk.node.n + 1);
    find_idle(&w);
    w.factor = arena_array(mem, ExprId, w.walk.node.n + 1);
    w.nonlinear = arena_array(mem, bool, w.walk.node.n + 1);
    w.at_zero = arena_array(mem, ExprId, w.walk.node.n + 1);
    for (uint32_t i = 0; i < w.walk.node.n; i++)
        w.factor[i] = EXPR_NONE;
    LinearForm form = {.is_linear = true, .rest = EXPR_NONE};
    VEC(Leaf) leaf = {0};
    if (w.walk.node.n)
        w.factor[w.walk.node.n - 1] = expr_int(p, 1); /* the residual itself comes last */
    for (uint32_t i = w.walk.node.n; i-- > 0;) {
        ExprId x = w.walk.node.at[i];
        if (w.is_idle[i])
            continue;
        ExprId f = expr_exists(w.factor[i]) ? w.factor[i] : expr_int(p, 0);
        sweep_node(&w, x, f, w.nonlinear[i]);
        if (expr_op(p, x) == OP_VAR)
            vec_push(mem, leaf, ((Leaf){expr_var_of(p, x), i}));
    }
    if (leaf.n)
        qsort(leaf.at, leaf.n, sizeof(Leaf), by_id);
    form.var = arena_array(mem, VarId, leaf.n + 1);
    form.coeff = arena_array(mem, ExprId, leaf.n + 1);
    /* an unknown whose factors cancel is not there */
    for (uint32_t k = 0; k < leaf.n; k++) {
        uint32_t i = leaf.at[k].place;
        if (w.nonlinear[i]) {
            form.is_linear = false;
        } else if (expr_is_zero(p, w.factor[i]) == YES) {
            continue;
        }
        form.var[form.n] = leaf.at[k].var;
        form.coeff[form.n++] = w.nonlinear[i] ? EXPR_NONE : w.factor[i];
    }
    if (form.is_linear)
        form.rest =
            rest_cancels(&w, leaf.n, leaf.at, residual) ? expr_int(p, 0) : rest_of(&w, residual);
    return form;
}

LinearForm linear_form(const System *s, const bool *is_unknown, Substitution *values,
                       ExprId residual, Arena *mem)
{
    Series one = {.s = s, .is_unknown = is_unknown};
    return series_form(&one, values, residual, mem);
}

LinearForm linear_copy(const LinearForm *f, Arena *mem)
{
    LinearForm c = *f;
    c.var = arena_array(mem, VarId, f->n);
    c.coeff = arena_array(mem, ExprId, f->n);
    if (f->n) {
        memcpy(c.var, f->var, f->n * sizeof *c.var);
        memcpy(c.coeff, f->coeff, f->n * sizeof *c.coeff);
    }
    return c;
}

ExprId linear_solution(System *s, bool *is_unknown, Substitution *values, EqId e, VarId v,
                       Arena *mem)
{
    const Eq *q = &s->eq.at[e.i];
    is_unknown[v.i] = true;
    LinearForm f = linear_form(s, is_unknown, values, expr_sub(s->pool, q->lhs, q->rhs), mem);
    is_unknown[v.i] = false;
    if (!f.is_linear || f.n != 1)
        return EXPR_NONE;
    return expr_neg(s->pool, expr_div(s->pool, f.rest, f.coeff[0]));
}
