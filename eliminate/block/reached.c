#include "eliminate/block/reached.h"

enum { KEPT = 1 }; /* stamps: 0 never reached, then KEPT, then questions */

Reached reached_new(const ExprPool *p, Arena *mem)
{
    return (Reached){.p = p, .mem = mem, .question = KEPT};
}

void reached_begin(Reached *r)
{
    r->question++;
}

static OpCount walk(Reached *r, uint32_t n_roots, const ExprId *root, uint32_t stamp)
{
    uint32_t n = pool_size(r->p);
    if (n > r->n)
        r->stamp = vec_grow(r->mem, r->stamp, sizeof *r->stamp, r->n, &r->n, n);
    OpCount count = {0};
    for (uint32_t k = 0; k < n_roots; k++)
        vec_push(r->mem, r->stack, root[k]);
    while (r->stack.n) {
        ExprId x = r->stack.at[--r->stack.n];
        if (r->stamp[x.i] == KEPT || r->stamp[x.i] == stamp)
            continue;
        r->stamp[x.i] = stamp;
        op_count_node(&count, r->p, x);
        for (uint32_t k = expr_n_args(r->p, x); k-- > 0;)
            vec_push(r->mem, r->stack, expr_arg(r->p, x, k));
    }
    return count;
}

OpCount reached_more(Reached *r, uint32_t n, const ExprId *root)
{
    return walk(r, n, root, r->question);
}

void reached_keep(Reached *r, uint32_t n, const ExprId *root)
{
    walk(r, n, root, KEPT);
}

void reached_forget(Reached *r, uint32_t before)
{
    for (uint32_t k = pool_size(r->p); k < r->n && k < before; k++)
        r->stamp[k] = 0;
}
