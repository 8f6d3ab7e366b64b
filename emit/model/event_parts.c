#include "emit/model/event_parts.h"

#include "base/map.h"
#include "base/sort.h"
#include "runtime/kernel/rung_model.h"

#include <stdlib.h>

typedef struct Finder {
    const Program *g;
    const ExprPool *p;
    const uint8_t *leaf;
    const uint32_t *leaf_index;
    Arena *scratch;
    uint8_t *cost;   /* per node: operations below it, each as often as it is used; 0 unknown */
    uint32_t *owner; /* per node that costs much: the first root that has it, + 1 */
    uint32_t *up;    /* per root: another one of its part, as trees */
    VEC(ExprId) stack;
} Finder;

/* Expressions up to this many operations are computed wherever they are used. */
enum { CHEAP = 8, MOST = 200 };

static uint32_t find_top(Finder *f, uint32_t k)
{
    while (f->up[k] != k)
        k = f->up[k] = f->up[f->up[k]];
    return k;
}

static void join(Finder *f, uint32_t a, uint32_t b)
{
    a = find_top(f, a);
    b = find_top(f, b);
    f->up[a > b ? a : b] = a > b ? b : a;
}

static bool is_still(const Finder *f, ExprId x)
{
    return expr_is_fixed(f->p, x);
}

static void find_cost(Finder *f, ExprId root)
{
    vec_push(f->scratch, f->stack, root);
    while (f->stack.n) {
        ExprId x = vec_last(f->stack);
        uint32_t n = is_still(f, x) ? 0 : expr_n_args(f->p, x);
        uint32_t sum = expr_op(f->p, x) == OP_CALL ? MOST : n > 0 || expr_op(f->p, x) > OP_LOCAL;
        bool ready = true;
        for (uint32_t k = 0; k < n && !f->cost[x.i]; k++) {
            ExprId a = expr_arg(f->p, x, k);
            if (!f->cost[a.i]) {
                vec_push(f->scratch, f->stack, a);
                ready = false;
            }
            sum += f->cost[a.i] - 1u;
        }
        if (!ready)
            continue;
        if (!f->cost[x.i])
            f->cost[x.i] = (uint8_t)((sum < MOST ? sum : MOST) + 1);
        f->stack.n--;
    }
}

static bool is_cheap(const Finder *f, ExprId x)
{
    return f->cost[x.i] <= CHEAP + 1;
}

/* Joins roots that share an expensive expression. Returns whether a function is called. */
static bool own(Finder *f, ExprId root, uint32_t k)
{
    bool calls = false;
    vec_push(f->scratch, f->stack, root);
    while (f->stack.n) {
        ExprId x = f->stack.at[--f->stack.n];
        if (is_cheap(f, x) || is_still(f, x))
            continue;
        calls = calls || expr_op(f->p, x) == OP_CALL;
        if (f->owner[x.i]) {
            join(f, f->owner[x.i] - 1, k);
            continue;
        }
        f->owner[x.i] = k + 1;
        for (uint32_t i = 0; i < expr_n_args(f->p, x); i++)
            vec_push(f->scratch, f->stack, expr_arg(f->p, x, i));
    }
    return calls;
}

/* Whether x is pre(of). */
static bool is_pre(const Program *g, ExprId x, ExprId of)
{
    const ExprPool *p = g->sys->pool;
    if (expr_op(p, x) != OP_VAR)
        return false;
    const Var *v = &g->sys->var.at[expr_var_of(p, x).i];
    return v->kind == VAR_MEMORY && g->memory[v->index].kind == MEMORY_PRE &&
           expr_same(g->memory[v->index].of, of);
}

bool event_is_edge(const Program *g, ExprId x)
{
    const ExprPool *p = g->sys->pool;
    enum { FEW = 16 };
    ExprId term[FEW], todo[FEW];
    uint32_t n = 0, n_todo = 1;
    Op op = expr_op(p, x);
    if (op == OP_OR)
        return event_is_edge(g, expr_arg(p, x, 0)) && event_is_edge(g, expr_arg(p, x, 1));
    if (op == OP_NE) {
        ExprId a = expr_arg(p, x, 0), b = expr_arg(p, x, 1);
        return is_pre(g, a, b) || is_pre(g, b, a);
    }
    if (op != OP_AND)
        return false;
    // one term that is an edge is enough, and so are c and not pre(c) among them
    todo[0] = x;
    while (n_todo) {
        ExprId y = todo[--n_todo];
        if (n < FEW)
            term[n++] = y;
        if (expr_op(p, y) == OP_AND && n_todo + 2 <= FEW) {
            todo[n_todo++] = expr_arg(p, y, 0);
            todo[n_todo++] = expr_arg(p, y, 1);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (expr_op(p, term[i]) != OP_AND && event_is_edge(g, term[i]))
            return true;
        for (uint32_t k = 0; k < n; k++)
            if (expr_op(p, term[i]) == OP_NOT && is_pre(g, expr_arg(p, term[i], 0), term[k]))
                return true;
    }
    return false;
}

typedef struct Reads {
    VEC(uint32_t) memory, state;
    uint32_t nature;
} Reads;

static void read_leaf(const Finder *f, ExprId x, Reads *out)
{
    VarId id = expr_var_of(f->p, x);
    const Var *v = &f->g->sys->var.at[id.i];
    bool is_remembered = v->kind == VAR_MEMORY && f->g->memory[v->index].kind != MEMORY_DELAY;
    if (is_remembered)
        vec_push(f->scratch, out->memory, v->index);
    else
        out->nature |= RUNG_PART_MOVES;
    if (f->leaf[id.i] == LEAF_STATE)
        vec_push(f->scratch, out->state, f->leaf_index[id.i]);
}

/* The variables that a root reads outside of events. */
static void find_reads(Finder *f, ExprId root, Map *seen, Reads *out)
{
    vec_push(f->scratch, f->stack, root);
    while (f->stack.n) {
        ExprId x = f->stack.at[--f->stack.n];
        Op op = expr_op(f->p, x);
        if (is_still(f, x) || (!is_cheap(f, x) && !map_add(seen, x.i)))
            continue;
        if (op == OP_VAR)
            read_leaf(f, x, out);
        else if (op == OP_TIME)
            out->nature |= RUNG_PART_MOVES;
        else if (op == OP_CALL)
            out->nature |= RUNG_PART_ALWAYS;
        bool is_event = op == OP_SELECT && event_is_edge(f->g, expr_arg(f->p, x, 0));
        for (uint32_t k = 0; k < expr_n_args(f->p, x); k++)
            if (!is_event || k != 1)
                vec_push(f->scratch, f->stack, expr_arg(f->p, x, k));
    }
}

/* How x depends on time between events: not at all, linearly, or in another way. */
typedef enum Course { CONSTANT, LINEAR, OTHER } Course;

static Course course_of(const Finder *f, ExprId x, uint32_t depth)
{
    enum { DEEP = 20 };
    if (is_still(f, x))
        return CONSTANT;
    Op op = expr_op(f->p, x);
    if (op == OP_TIME)
        return LINEAR;
    if (op == OP_VAR) {
        Reads r = {0};
        read_leaf(f, x, &r);
        return r.nature ? OTHER : CONSTANT;
    }
    if (depth > DEEP || op == OP_CALL)
        return OTHER;
    Course most = CONSTANT;
    for (uint32_t k = 0; k < expr_n_args(f->p, x); k++) {
        Course c = course_of(f, expr_arg(f->p, x, k), depth + 1);
        bool keeps = op == OP_NEG || op_is_sum(op) || (op == OP_DIV && k == 0) ||
                     (op == OP_MUL && most == CONSTANT);
        keeps = keeps || (op == OP_MUL && c == CONSTANT);
        most = c == CONSTANT ? most : keeps && c == LINEAR ? LINEAR : OTHER;
        if (most == OTHER)
            return OTHER;
    }
    return most;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Numbers once each, ascending, behind those in `to`. */
typedef VEC(uint32_t) Numbers;

static void add_sorted(Arena *mem, Numbers *from, Numbers *to)
{
    if (from->n)
        qsort(from->at, from->n, sizeof *from->at, by_number);
    for (uint32_t q = 0; q < from->n; q++)
        if (!q || from->at[q] != from->at[q - 1])
            vec_push(mem, *to, from->at[q]);
    from->n = 0;
}

/* Components in the order of their first roots, those of one nature side by side, are cut into
 * parts. */
EventParts event_parts_find(const EventTables *e, uint32_t size, uint32_t n, const Root *root,
                            const uint32_t *tie, const bool *idle)
{
    EventParts out = {0};
    const ExprPool *p = e->g->sys->pool;
    if (!size || n <= 2 * size)
        return out;
    Finder f = {
        .g = e->g, .p = p, .leaf = e->leaf, .leaf_index = e->leaf_index, .scratch = arena_new()};
    f.cost = arena_array(f.scratch, uint8_t, pool_size(p) + 1);
    f.owner = arena_array(f.scratch, uint32_t, pool_size(p) + 1);
    f.up = arena_array(f.scratch, uint32_t, n);
    uint32_t caller = UINT32_MAX;
    for (uint32_t k = 0; k < n; k++)
        f.up[k] = k;
    for (uint32_t k = 0; k < n; k++) {
        find_cost(&f, root[k].x);
        join(&f, k, tie[k]);
        // calls stay in their order
        if (!own(&f, root[k].x, k))
            continue;
        if (caller != UINT32_MAX)
            join(&f, k, caller);
        caller = k;
    }

    Reads *reads = arena_array(f.scratch, Reads, n);
    Map seen = map_new(f.scratch);
    for (uint32_t k = 0; k < n; k++) {
        Reads *r = &reads[find_top(&f, k)];
        if (!idle && course_of(&f, root[k].x, 0) != LINEAR)
            r->nature |= RUNG_PART_CURVED;
        if (!idle || !idle[k])
            find_reads(&f, root[k].x, &seen, r);
    }
    uint64_t *key = arena_array(f.scratch, uint64_t, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t top = find_top(&f, k);
        key[k] = (uint64_t)reads[top].nature << 32 | top;
    }
    const uint32_t *order = sort_by_key(n, key, f.scratch);

    VEC(uint32_t) first = {0}, first_read = {0}, nature = {0}, first_state = {0};
    Numbers read = {0}, state = {0}, all_read = {0}, all_states = {0};
    out.root = arena_array(e->mem, Root, n);
    for (uint32_t k = 0, begin = 0; k < n; k++) {
        out.root[k] = root[order[k]];
        bool ends = k + 1 == n || key[order[k]] >> 32 != key[order[k + 1]] >> 32 ||
                    (k + 1 - begin >= size && key[order[k]] != key[order[k + 1]]);
        if (!ends)
            continue;
        vec_push(e->mem, first, begin);
        vec_push(e->mem, first_read, read.n);
        vec_push(e->mem, nature, (uint32_t)(key[order[k]] >> 32));
        vec_push(e->mem, first_state, state.n);
        for (uint32_t i = begin; i <= k; i++) {
            const Reads *r = &reads[order[i]];
            for (uint32_t q = 0; q < r->memory.n; q++)
                vec_push(f.scratch, all_read, r->memory.at[q]);
            for (uint32_t q = 0; q < r->state.n; q++)
                vec_push(f.scratch, all_states, r->state.at[q]);
        }
        add_sorted(e->mem, &all_read, &read);
        add_sorted(e->mem, &all_states, &state);
        begin = k + 1;
    }
    out.n = first.n;
    vec_push(e->mem, first, n);
    vec_push(e->mem, first_read, read.n);
    out.first = first.at;
    out.first_read = first_read.at;
    out.read = read.at;
    out.nature = nature.at;
    vec_push(e->mem, first_state, state.n);
    out.first_state = first_state.at;
    out.state = state.at;
    arena_free(f.scratch);
    return out;
}
