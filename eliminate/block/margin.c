#include "eliminate/block/margin.h"

#include "base/map.h"
#include "ir/program.h"

typedef struct Joiner {
    ExprPool *pool;
    const bool *is_delayed;
    Map done;  /* node -> margin */
    Map known; /* node -> moves() */
    bool has_relation;
} Joiner;

/* An operator whose margin is made of those of its operands. */
static bool is_joint(Op op)
{
    return op == OP_AND || op == OP_OR || op == OP_NOT || op == OP_NOEVENT || op == OP_SMOOTH;
}

/* Whether x changes between events: memory does not, unless it is of a delayed expression. */
static bool moves(Joiner *m, ExprId x)
{
    const ExprPool *p = m->pool;
    Variability how = expr_variability(p, x);
    if (how != VARIES_DISCRETE || !m->is_delayed)
        return how > VARIES_DISCRETE;
    uint32_t known = map_get(&m->known, x.i);
    if (known != MAP_NONE)
        return known != 0;
    bool found = expr_op(p, x) == OP_VAR && m->is_delayed[expr_var_of(p, x).i];
    for (uint32_t k = 0; k < expr_n_args(p, x) && !found; k++)
        found = moves(m, expr_arg(p, x, k));
    map_put(&m->known, x.i, found);
    return found;
}

static ExprId join(Joiner *m, ExprId x)
{
    ExprPool *p = m->pool;
    Op op = expr_op(p, x);
    // between events alone others are zero for long: n < 1 where n is 1
    if ((op == OP_LT || op == OP_LE) && moves(m, x)) {
        m->has_relation = true;
        return expr_sub(p, expr_arg(p, x, 1), expr_arg(p, x, 0));
    }
    if (!is_joint(op))
        return expr_select(p, x, expr_int(p, 1), expr_int(p, -1));
    ExprId a = {map_get(&m->done, expr_arg(p, x, 0).i)};
    if (op == OP_NOT)
        return expr_neg(p, a);
    if (op != OP_AND && op != OP_OR)
        return a;
    ExprId b = {map_get(&m->done, expr_arg(p, x, 1).i)};
    return expr_fn2(p, op == OP_AND ? FN2_MIN : FN2_MAX, a, b);
}

ExprId margin_of(ExprPool *p, ExprId cond, const bool *is_delayed, Arena *scratch)
{
    Joiner m = {
        .pool = p, .is_delayed = is_delayed, .done = map_new(scratch), .known = map_new(scratch)};
    VEC(ExprId) stack = {0};
    vec_push(scratch, stack, cond);
    while (stack.n) {
        ExprId x = vec_last(stack);
        uint32_t n = is_joint(expr_op(p, x)) ? expr_n_args(p, x) : 0;
        bool is_ready = true;
        for (uint32_t k = 0; k < n; k++) {
            ExprId a = expr_arg(p, x, k);
            if (map_get(&m.done, a.i) != MAP_NONE)
                continue;
            vec_push(scratch, stack, a);
            is_ready = false;
        }
        if (!is_ready)
            continue;
        stack.n--;
        if (map_get(&m.done, x.i) == MAP_NONE)
            map_put(&m.done, x.i, join(&m, x).i);
    }
    return m.has_relation ? (ExprId){map_get(&m.done, cond.i)} : EXPR_NONE;
}

/* The nodes under x that none before has counted, up to `most`; more: x is not evaluated. */
static uint32_t price(const ExprPool *p, ExprId x, const bool *is_leaf, uint32_t most,
                      bool *is_counted, Arena *scratch)
{
    VEC(ExprId) stack = {0}, own = {0};
    vec_push(scratch, stack, x);
    bool allowed = true;
    while (stack.n && allowed) {
        ExprId a = stack.at[--stack.n];
        Op op = expr_op(p, a);
        if (is_counted[a.i] || expr_is_fixed(p, a))
            continue;
        is_counted[a.i] = true;
        vec_push(scratch, own, a);
        allowed = own.n <= most && op != OP_CALL && (op != OP_VAR || is_leaf[expr_var_of(p, a).i]);
        for (uint32_t k = 0; k < expr_n_args(p, a) && allowed; k++)
            vec_push(scratch, stack, expr_arg(p, a, k));
    }
    for (uint32_t k = 0; k < own.n && !allowed; k++)
        is_counted[own.at[k].i] = false;
    return allowed ? own.n : UINT32_MAX;
}

Margins margins_of_choices(ExprPool *p, uint32_t n, const ExprId *root, const bool *is_leaf,
                           const bool *is_delayed, Arena *mem)
{
    enum { FEW = 64, SHARE = 64, MOST = 64 /* of one condition */ };
    Arena *scratch = arena_new();
    const uint32_t size = pool_size(p);
    bool *reached = arena_array(scratch, bool, size + 1),
         *seen = arena_array(scratch, bool, size + 1);
    Margins all = {0}, taken = {0};
    program_reach(p, n, root, reached);
    for (uint32_t k = 0; k < size; k++) {
        ExprId x = {k};
        if (!reached[k] || expr_op(p, x) != OP_SELECT)
            continue;
        ExprId cond = expr_arg(p, x, 0);
        Variability least = is_delayed ? VARIES_DISCRETE : VARIES_ALWAYS;
        if (seen[cond.i] || expr_variability(p, cond) < least)
            continue;
        seen[cond.i] = true;
        ExprId margin = margin_of(p, cond, is_delayed, scratch);
        if (expr_exists(margin))
            vec_push(scratch, all, margin);
    }
    uint64_t left = all.n ? FEW + program_operations(p, n, root) / SHARE : 0;
    bool *is_counted = arena_array(scratch, bool, pool_size(p) + 1);
    for (uint32_t k = 0; k < all.n && left; k++) {
        uint32_t most = left < MOST ? (uint32_t)left : MOST;
        uint32_t more = price(p, all.at[k], is_leaf, most, is_counted, scratch);
        if (more > most)
            continue;
        left -= more;
        vec_push(mem, taken, all.at[k]);
    }
    arena_free(scratch);
    return taken;
}
