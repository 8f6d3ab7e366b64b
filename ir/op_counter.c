#include "ir/op_counter.h"

void op_count_add(OpCount *c, Op op, Variability how)
{
    if (how <= VARIES_PARAMETER)
        return;
    c->add += op_is_sum(op);
    c->mul += op == OP_MUL;
    c->div += op == OP_DIV;
    c->call += op == OP_POW || op == OP_FN || op == OP_FN2 || op == OP_CALL;
}

enum { KEPT = 1 }; /* stamps: 0 never reached, then KEPT, then questions */

OpCounter op_counter_new(const ExprPool *p, Arena *mem)
{
    return (OpCounter){.p = p, .mem = mem, .question = KEPT};
}

void op_counter_begin(OpCounter *r)
{
    r->question++;
}

static OpCount walk(OpCounter *r, uint32_t n_roots, const ExprId *root, uint32_t stamp)
{
    uint32_t n = pool_size(r->p);
    if (n > r->n)
        r->stamp = vec_grow_own(r->mem, r->stamp, sizeof *r->stamp, &r->n, n);
    OpCount count = {0};
    for (uint32_t k = 0; k < n_roots; k++)
        vec_push(r->mem, r->stack, root[k]);
    while (r->stack.n) {
        ExprId x = r->stack.at[--r->stack.n];
        if (r->stamp[x.i] == KEPT || r->stamp[x.i] == stamp)
            continue;
        r->stamp[x.i] = stamp;
        if (!r->only || r->only[x.i])
            op_count_add(&count, expr_op(r->p, x), expr_variability(r->p, x));
        for (uint32_t k = expr_n_args(r->p, x); k-- > 0;)
            vec_push(r->mem, r->stack, expr_arg(r->p, x, k));
    }
    return count;
}

OpCount op_counter_more(OpCounter *r, uint32_t n, const ExprId *root)
{
    return walk(r, n, root, r->question);
}

void op_counter_keep(OpCounter *r, uint32_t n, const ExprId *root)
{
    walk(r, n, root, KEPT);
}

void op_counter_forget(OpCounter *r, uint32_t before)
{
    for (uint32_t k = pool_size(r->p); k < r->n && k < before; k++)
        r->stamp[k] = 0;
}
