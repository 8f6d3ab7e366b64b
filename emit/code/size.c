/* size.c -- how large the terms are of which sums are made that may vanish, by parameters alone.
 *
 *     l*cos(phi) + r*cos(psi)     max(|l|, |r|)
 *
 * Where such a sum cancels, as an entry of a rotation matrix does in a singular position, its value
 * is rounding of that size, and a pivot that consists of it is, too, however large it is against
 * its own operands: 2.8e-16 against 3e-35. A sine is of size 1, a product has the product of sizes;
 * of a sum the largest of those that are known counts, which is no bound, but does not grow along a
 * chain of rotations as the sum of sizes would. */
#include "emit/code/coder.h"

typedef struct Sizes {
    ExprPool *pool;
    uint32_t n;     /* nodes of the pool before */
    uint32_t *size; /* per node: that expression, + 1; 0: not known, or not looked at */
    bool *is_known; /* it was looked at */
    VEC(ExprId) stack;
    Arena *mem;
} Sizes;

static ExprId size_of(const Sizes *s, ExprId x)
{
    bool negated = false;
    return (ExprId){s->size[code_strip(s->pool, x, &negated).i] - 1};
}

/* From those of its operands. */
static ExprId find_size(const Sizes *s, ExprId x)
{
    ExprPool *p = s->pool;
    Op op = expr_op(p, x);
    if (expr_is_fixed(p, x))
        return expr_fn(p, FN_ABS, x);
    if (op == OP_FN)
        return expr_fn_of(p, x) == FN_SIN || expr_fn_of(p, x) == FN_COS ? expr_int(p, 1)
                                                                        : EXPR_NONE;
    if (!op_is_sum(op) && op != OP_MUL)
        return EXPR_NONE;
    ExprId a = size_of(s, expr_arg(p, x, 0)), b = size_of(s, expr_arg(p, x, 1));
    if (op == OP_MUL)
        return expr_exists(a) && expr_exists(b) ? expr_mul(p, a, b) : EXPR_NONE;
    if (!expr_exists(a) || !expr_exists(b))
        return expr_exists(a) ? a : b;
    return a.i == b.i ? a : expr_fn2(p, FN2_MAX, a, b);
}

/* Whether the operands of x have been looked at; else they are put on the stack. */
static bool is_ready(Sizes *s, ExprId x)
{
    Op op = expr_op(s->pool, x);
    bool ready = true;
    if (expr_is_fixed(s->pool, x) || (!op_is_sum(op) && op != OP_MUL))
        return true;
    for (uint32_t k = 0; k < 2; k++) {
        bool negated = false;
        ExprId a = code_strip(s->pool, expr_arg(s->pool, x, k), &negated);
        if (s->is_known[a.i])
            continue;
        vec_push(s->mem, s->stack, a);
        ready = false;
    }
    return ready;
}

static void look_at(Sizes *s, ExprId x)
{
    bool negated = false;
    vec_push(s->mem, s->stack, code_strip(s->pool, x, &negated));
    while (s->stack.n) {
        ExprId top = vec_last(s->stack);
        if (!s->is_known[top.i] && !is_ready(s, top))
            continue;
        s->stack.n--;
        if (s->is_known[top.i])
            continue;
        s->size[top.i] = find_size(s, top).i + 1;
        s->is_known[top.i] = true;
    }
}

const uint32_t *code_sizes(const Program *g, Arena *mem)
{
    Sizes s = {.pool = g->sys->pool, .n = pool_size(g->sys->pool), .mem = mem};
    s.size = arena_array(mem, uint32_t, s.n + 1);
    s.is_known = arena_array(mem, bool, s.n + 1);
    for (uint32_t k = 0; k < g->n_pivots; k++)
        look_at(&s, g->pivot[k].value);
    // sizes that the code asks for: of sums and products that vary
    for (uint32_t k = 0; k < s.n; k++) {
        ExprId x = {k};
        Op op = expr_op(s.pool, x);
        bool is_asked = (op_is_sum(op) || op == OP_MUL) && !expr_is_fixed(s.pool, x);
        if (s.size[k] && !is_asked)
            s.size[k] = 0;
    }
    return s.size;
}
