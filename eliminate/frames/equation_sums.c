#include "eliminate/frames/equation_sums.h"

EquationSums equation_sums(const ExprPool *p, const Eq *e, Arena *mem)
{
    EquationSums out = {0};
    VEC(ExprId) stack = {0};
    Map seen = map_new(mem);
    vec_push(mem, stack, e->lhs);
    vec_push(mem, stack, e->rhs);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        if (!map_add(&seen, x.i))
            continue;
        Op op = expr_op(p, x);
        if (op_is_sum(op))
            vec_push(mem, out, ((EquationSum){expr_arg(p, x, 0), expr_arg(p, x, 1), op == OP_SUB}));
        for (uint32_t k = expr_n_args(p, x); k-- > 0;)
            vec_push(mem, stack, expr_arg(p, x, k));
    }
    return out;
}
