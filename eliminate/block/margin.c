#include "eliminate/block/margin.h"

#include "base/map.h"
#include "base/vec.h"

typedef struct Margins {
    ExprPool *pool;
    Map done; /* node -> margin */
    bool has_relation;
} Margins;

/* An operator whose margin is made of those of its operands. */
static bool is_joint(Op op)
{
    return op == OP_AND || op == OP_OR || op == OP_NOT || op == OP_NOEVENT || op == OP_SMOOTH;
}

static ExprId join(Margins *m, ExprId x)
{
    ExprPool *p = m->pool;
    Op op = expr_op(p, x);
    // between events alone others are zero for long: n < 1 where n is 1
    bool moves = expr_variability(p, x) > VARIES_DISCRETE;
    if ((op == OP_LT || op == OP_LE) && moves) {
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

ExprId margin_of(ExprPool *p, ExprId cond, Arena *scratch)
{
    Margins m = {.pool = p, .done = map_new(scratch)};
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
