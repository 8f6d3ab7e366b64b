#include "eliminate/block/linear_form.h"

#include "base/bug.h"

#include <stdlib.h>

/* Orders structures by the id at their beginning. */
static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Mostly a few, of one equation. */
static void sort_vars(VarId *v, uint32_t n)
{
    enum { FEW = 16 };
    if (n > FEW) {
        qsort(v, n, sizeof *v, by_id);
        return;
    }
    for (uint32_t k = 1; k < n; k++) {
        VarId x = v[k];
        uint32_t i = k;
        for (; i > 0 && v[i - 1].i > x.i; i--)
            v[i] = v[i - 1];
        v[i] = x;
    }
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

/* FREE if x does not depend on unknowns, MAP_NONE if it was not met. Leaves need not be. */
static uint32_t place_of(const Walk *w, ExprId x)
{
    const Series *q = w->series;
    const ExprPool *p = q->s->pool;
    bool is_unknown = expr_op(p, x) == OP_VAR && q->is_unknown[expr_var_of(p, x).i];
    if (expr_n_args(p, x) == 0 && !is_unknown)
        return FREE;
    if (!q->mem)
        return map_get(&w->place, x.i);
    if (x.i >= q->node.n)
        return MAP_NONE;
    const SeriesNode *n = &q->node.at[x.i];
    return n->free_in == q->round ? FREE : n->met_in == w->number ? n->place : MAP_NONE;
}

static SeriesNode *node_of(Series *q, ExprId x)
{
    if (x.i >= q->node.n) {
        vec_reserve_own(q->mem, q->node, x.i + 1);
        q->node.n = x.i + 1;
    }
    return &q->node.at[x.i];
}

static void put_place(Walk *w, ExprId x, uint32_t place)
{
    Series *q = w->series;
    if (!q->mem) {
        map_put(&w->place, x.i, place);
        return;
    }
    SeriesNode *n = node_of(q, x);
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
        bool dep = expr_op(p, x) == OP_VAR;
        bool ready = true;
        n += dep;
        for (uint32_t k = expr_n_args(p, x); k-- > 0;) {
            ExprId a = expr_arg(p, x, k);
            uint32_t place = place_of(w, a);
            if (place == MAP_NONE) {
                vec_push(w->mem, stack, a);
                ready = false;
            }
            dep = dep || place != FREE;
        }
        if (!ready)
            continue;
        stack.n--;
        put_place(w, x, dep ? w->node.n : FREE);
        if (dep)
            vec_push(w->mem, w->node, x);
    }
}

bool series_holds(Series *q, ExprId root, Arena *mem)
{
    const ExprPool *p = q->s->pool;
    const SeriesNode *known = node_of(q, root);
    if (known->free_in == q->round || known->holds_in == q->round)
        return known->holds_in == q->round;
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, root);
    while (stack.n) {
        ExprId x = vec_last(stack);
        bool holds = expr_op(p, x) == OP_VAR && q->is_unknown[expr_var_of(p, x).i], ready = true;
        for (uint32_t k = expr_n_args(p, x); k-- > 0;) {
            ExprId a = expr_arg(p, x, k);
            const SeriesNode *n = node_of(q, a);
            holds = holds || n->holds_in == q->round;
            if (n->holds_in != q->round && n->free_in != q->round) {
                vec_push(mem, stack, a);
                ready = false;
            }
        }
        if (!ready)
            continue;
        stack.n--;
        if (holds)
            node_of(q, x)->holds_in = q->round;
        else
            node_of(q, x)->free_in = q->round;
    }
    return node_of(q, root)->holds_in == q->round;
}

/* A long expression visited from its root downwards, newest nodes first, factors as residues, which
 * need no nodes. */
typedef struct Front {
    Walk *walk;
    const ExprPool *p;
    VEC(Fp) factor;     /* per place                                                */
    VEC(uint32_t) heap; /* nodes with a factor that are still to come, newest first */
    VEC(ExprId) done;   /* those that had their turn                                */
    VEC(ExprId) leaf;   /* unknowns met                                             */
    Fp left;            /* sum of factor * value over the heap                      */
} Front;

static void heap_push(Front *f, uint32_t id)
{
    vec_push(f->walk->mem, f->heap, id);
    uint32_t k = f->heap.n - 1;
    for (; k > 0 && f->heap.at[(k - 1) / 2] < id; k = (k - 1) / 2)
        f->heap.at[k] = f->heap.at[(k - 1) / 2];
    f->heap.at[k] = id;
}

static uint32_t heap_pop(Front *f)
{
    uint32_t top = f->heap.at[0], last = f->heap.at[--f->heap.n], k = 0;
    for (;;) {
        uint32_t child = 2 * k + 1;
        if (child + 1 < f->heap.n && f->heap.at[child + 1] > f->heap.at[child])
            child++;
        if (child >= f->heap.n || f->heap.at[child] <= last)
            break;
        f->heap.at[k] = f->heap.at[child];
        k = child;
    }
    f->heap.at[k] = last;
    return top;
}

static void front_add(Front *f, ExprId x, Fp factor)
{
    Walk *w = f->walk;
    if (!series_holds(w->series, x, w->mem))
        return;
    uint32_t place = place_of(w, x);
    bool is_leaf = expr_op(f->p, x) == OP_VAR;
    if (place == MAP_NONE) {
        place = f->factor.n;
        put_place(w, x, place);
        vec_push(w->mem, f->factor, ((Fp){{0, 0}}));
        if (is_leaf)
            vec_push(w->mem, f->leaf, x);
        else
            heap_push(f, x.i);
    }
    f->factor.at[place] = fp_add(f->factor.at[place], factor);
    if (!is_leaf)
        f->left = fp_add(f->left, fp_mul(factor, expr_fingerprint(f->p, x)));
}

/* Hands a factor down. False where the expression is not linear, or branches. */
static bool front_pass(Front *f, ExprId x, Fp factor)
{
    const ExprPool *p = f->p;
    uint32_t n = expr_n_args(p, x);
    ExprId a = n > 0 ? expr_arg(p, x, 0) : EXPR_NONE;
    ExprId b = n > 1 ? expr_arg(p, x, 1) : EXPR_NONE;
    Series *q = f->walk->series;
    Fp over;
    switch (expr_op(p, x)) {
    case OP_NEG:
        front_add(f, a, fp_neg(factor));
        return true;
    case OP_ADD:
    case OP_SUB:
        front_add(f, a, factor);
        front_add(f, b, expr_op(p, x) == OP_SUB ? fp_neg(factor) : factor);
        return true;
    case OP_MUL:
        if (series_holds(q, a, f->walk->mem) && series_holds(q, b, f->walk->mem))
            return false;
        front_add(f, a, fp_mul(factor, expr_fingerprint(p, b)));
        front_add(f, b, fp_mul(factor, expr_fingerprint(p, a)));
        return true;
    case OP_DIV:
        if (series_holds(q, b, f->walk->mem) || !fp_inverse(expr_fingerprint(p, b), &over))
            return false;
        front_add(f, a, fp_mul(factor, over));
        return true;
    default:
        return false;
    }
}

/* Positions compared in a common frame depend on all joints below, but these cancel. As soon as the
 * remaining terms add up to zero they are left out, so that a long expression costs only its
 * remaining terms. The unknowns met and the nodes over them become those of the walk, if the whole
 * is linear; false if not, or where the dependence of nodes is not known. */
static bool walk_near(Walk *w, ExprId root)
{
    Series *q = w->series;
    ExprPool *p = q->s->pool;
    if (!q->mem || !pool_by_value(p) || !series_holds(q, root, w->mem))
        return false;
    Front f = {.walk = w, .p = p};
    front_add(&f, root, expr_fingerprint(p, expr_int(p, 1)));
    bool ok = true;
    while (f.heap.n > 0 && !fp_is_zero(f.left) && ok) {
        ExprId x = {heap_pop(&f)};
        Fp factor = f.factor.at[place_of(w, x)];
        f.left = fp_sub(f.left, fp_mul(factor, expr_fingerprint(p, x)));
        vec_push(w->mem, f.done, x);
        ok = front_pass(&f, x, factor);
    }
    w->number = ++q->walks;
    for (uint32_t k = 0; k < f.leaf.n && ok; k++)
        vec_push(w->mem, w->node, f.leaf.at[k]);
    for (uint32_t k = f.done.n; k-- > 0 && ok;)
        vec_push(w->mem, w->node, f.done.at[k]);
    for (uint32_t k = 0; k < w->node.n; k++)
        put_place(w, w->node.at[k], k);
    return ok;
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
    sort_vars(found.at, found.n);
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
typedef struct ReversePass {
    ExprPool *p;
    Walk walk;
    Substitution *values;
    ExprId *factor;  /* d residual / d node, EXPR_NONE: none yet */
    bool *nonlinear; /* below a nonlinear operation              */
    ExprId *at_zero; /* value with the unknowns at zero          */
} ReversePass;

static ExprId value_of(ReversePass *w, ExprId x)
{
    return w->values->n ? expr_substitute(w->p, w->values, x) : x;
}

static void add_factor(ReversePass *w, ExprId x, ExprId f, bool negative, bool nonlinear)
{
    uint32_t k = place_of(&w->walk, x);
    if (k == FREE || k == MAP_NONE)
        return; /* known, or left out since it cancels */
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

/* Hands the factor of a node down to its operands. */
static void reverse_node(ReversePass *w, ExprId x, ExprId f, bool nonlinear)
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
static ExprId rest_of(ReversePass *w, ExprId root)
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

static bool rest_cancels(const ReversePass *w, uint32_t n, const Leaf *leaf, ExprId root)
{
    Fp rest = expr_fingerprint(w->p, root);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = leaf[k].place;
        Fp x = expr_fingerprint(w->p, w->walk.node.at[i]);
        rest = fp_sub(rest, fp_mul(expr_fingerprint(w->p, w->factor[i]), x));
    }
    return w->values->n == 0 && fp_is_zero(rest);
}

LinearForm series_form(Series *q, Substitution *values, ExprId residual, Arena *mem)
{
    ExprPool *p = q->s->pool;
    ReversePass w = {.p = p, .walk = walk_new(q, mem), .values = values};
    bool near = q->cancels && walk_near(&w.walk, residual);
    if (!near)
        walk(&w.walk, residual, UINT32_MAX - 1);
    w.factor = arena_array(mem, ExprId, w.walk.node.n + 1);
    w.nonlinear = arena_array(mem, bool, w.walk.node.n + 1);
    for (uint32_t i = 0; i < w.walk.node.n; i++)
        w.factor[i] = EXPR_NONE;
    LinearForm form = {.is_linear = true, .rest = EXPR_NONE};
    VEC(Leaf) leaf = {0};
    if (w.walk.node.n)
        w.factor[w.walk.node.n - 1] = expr_int(p, 1); /* the residual itself comes last */
    for (uint32_t i = w.walk.node.n; i-- > 0;) {
        ExprId x = w.walk.node.at[i];
        ExprId f = expr_exists(w.factor[i]) ? w.factor[i] : expr_int(p, 0);
        reverse_node(&w, x, f, w.nonlinear[i]);
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
    if (!form.is_linear)
        return form;
    if (near && rest_cancels(&w, leaf.n, leaf.at, residual)) {
        form.rest = expr_int(p, 0);
        return form;
    }
    if (near) {
        w.walk = walk_new(q, mem);
        walk(&w.walk, residual, UINT32_MAX - 1);
    }
    w.at_zero = arena_array(mem, ExprId, w.walk.node.n + 1);
    form.rest = rest_of(&w, residual);
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
