#include "ir/program.h"

#include <string.h>

void program_extend(Program *g, uint32_t n_before)
{
    System *s = g->sys;
    ExprId *value = arena_array(s->mem, ExprId, s->var.n);
    if (n_before > 0)
        memcpy(value, g->value, n_before * sizeof *value);
    for (uint32_t k = n_before; k < s->var.n; k++)
        value[k] = system_var_expr(s, (VarId){k});
    g->value = value;
}

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

unsigned long long program_operations(const ExprPool *p, uint32_t n, const ExprId *root)
{
    OpCount c = program_count(p, n, root);
    return c.add + c.mul + c.div + c.call;
}
