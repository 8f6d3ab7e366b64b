#include "ir/program.h"

void program_reach(const ExprPool *p, uint32_t n, const ExprId *root, bool *mark)
{
    Arena *mem = arena_new();
    VEC(ExprId) stack = {0};
    for (uint32_t k = 0; k < n; k++) {
        mark[root[k].i] = true;
        vec_push(mem, stack, root[k]);
    }
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        for (uint32_t k = expr_n_args(p, x); k-- > 0;) {
            ExprId a = expr_arg(p, x, k);
            if (!mark[a.i]) {
                mark[a.i] = true;
                vec_push(mem, stack, a);
            }
        }
    }
    arena_free(mem);
}

void op_count_node(OpCount *c, const ExprPool *p, ExprId x)
{
    if (expr_variability(p, x) <= VARIES_PARAMETER)
        return;
    switch (expr_op(p, x)) {
    case OP_ADD:
    case OP_SUB:
        c->add++;
        break;
    case OP_MUL:
        c->mul++;
        break;
    case OP_DIV:
        c->div++;
        break;
    case OP_POW:
    case OP_FN:
    case OP_FN2:
    case OP_CALL:
        c->call++;
        break;
    default:
        break;
    }
}

OpCount program_count(const ExprPool *p, uint32_t n, const ExprId *root)
{
    Arena *mem = arena_new();
    uint32_t size = pool_size(p);
    bool *mark = arena_array(mem, bool, size);
    program_reach(p, n, root, mark);
    OpCount c = {0};
    for (uint32_t k = 0; k < size; k++) {
        if (mark[k])
            op_count_node(&c, p, (ExprId){k});
    }
    arena_free(mem);
    return c;
}
