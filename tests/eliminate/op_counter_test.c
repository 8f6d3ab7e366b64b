/* The exact count against marking by repeated passes over the pool. */
#include "ir/op_counter.h"

#include "base/hash.h"
#include "ir/program.h"
#include "tests/eliminate/fixture.h"

#include <string.h>

enum { NODES = 60, ROOTS = 3 };

/* Random expressions over unknowns and parameters, each made of earlier ones. */
static void grow(Fixture *f, uint64_t seed, ExprId *x)
{
    ExprPool *p = f->p;
    char name[16];
    for (uint32_t k = 0; k < NODES; k++) {
        uint64_t h = hash_word(seed * 1000 + k);
        snprintf(name, sizeof name, "v%u", k);
        if (k < 6) {
            x[k] = k % 2 ? unknown(f, name) : parameter(f, name);
            continue;
        }
        ExprId a = x[h % k], b = x[h / 100 % k];
        bool safe = expr_is_zero(p, b) == NO;
        switch (h / 10000 % 6) {
        case 0:
            x[k] = expr_add(p, a, b);
            break;
        case 1:
            x[k] = expr_sub(p, a, b);
            break;
        case 2:
            x[k] = safe ? expr_div(p, a, b) : a;
            break;
        case 3:
            x[k] = expr_fn(p, FN_SIN, a);
            break;
        case 4:
            x[k] = expr_neg(p, a);
            break;
        default:
            x[k] = expr_mul(p, a, b);
            break;
        }
    }
}

/* Marks operands of what is marked until nothing changes. */
static void mark_all(const ExprPool *p, bool *mark)
{
    for (bool moves = true; moves;) {
        moves = false;
        for (uint32_t k = 0; k < pool_size(p); k++)
            for (uint32_t i = 0; mark[k] && i < expr_n_args(p, (ExprId){k}); i++) {
                bool *m = &mark[expr_arg(p, (ExprId){k}, i).i];
                moves = moves || !*m;
                *m = true;
            }
    }
}

static OpCount counted(const ExprPool *p, const bool *mark, const bool *but, const bool *only)
{
    OpCount c = {0};
    for (uint32_t k = 0; k < pool_size(p); k++) {
        ExprId x = {k};
        if (!mark[k] || (but && but[k]) || (only && !only[k]) || expr_is_fixed(p, x))
            continue;
        Op op = expr_op(p, x);
        c.add += op == OP_ADD || op == OP_SUB;
        c.mul += op == OP_MUL;
        c.div += op == OP_DIV;
        c.call += op == OP_FN;
    }
    return c;
}

static bool same(OpCount a, OpCount b)
{
    return a.add == b.add && a.mul == b.mul && a.div == b.div && a.call == b.call;
}

static bool *reached_from(const Fixture *f, uint32_t n, const ExprId *root)
{
    bool *mark = arena_array(f->mem, bool, pool_size(f->p));
    for (uint32_t k = 0; k < n; k++)
        mark[root[k].i] = true;
    mark_all(f->p, mark);
    return mark;
}

Test(op_counter, counts_each_node_once)
{
    uint64_t all = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        Fixture f = fixture();
        ExprId x[NODES];
        grow(&f, seed, x);
        const ExprId *root = &x[NODES - ROOTS];
        bool *one = reached_from(&f, 1, root), *both = reached_from(&f, ROOTS, root);
        OpCount whole = counted(f.p, both, NULL, NULL);
        all += whole.add + whole.mul + whole.div + whole.call;
        cr_assert(same(program_count(f.p, ROOTS, root), whole), "seed %lu", seed);
        OpCounter c = op_counter_new(f.p, f.mem);
        op_counter_begin(&c);
        cr_assert(same(op_counter_more(&c, 1, root), counted(f.p, one, NULL, NULL)));
        cr_assert(same(op_counter_more(&c, ROOTS, root), counted(f.p, both, one, NULL)));
        op_counter_begin(&c); /* forgets that question */
        cr_assert(same(op_counter_more(&c, ROOTS, root), whole), "seed %lu", seed);
        op_counter_keep(&c, 1, root);
        op_counter_begin(&c); /* but not what was kept */
        cr_assert(same(op_counter_more(&c, ROOTS, root), counted(f.p, both, one, NULL)));
        c = op_counter_new(f.p, f.mem);
        c.only = one;
        op_counter_begin(&c);
        cr_assert(same(op_counter_more(&c, ROOTS, root), counted(f.p, both, NULL, one)));
        fixture_done(&f);
    }
    cr_assert_gt(all, 200);
}

Test(op_counter, forgets_nodes_that_were_taken_back)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x"), y = unknown(&f, "y");
    OpCounter c = op_counter_new(f.p, f.mem);
    PoolMark mark = pool_mark(f.p);
    ExprId product = expr_mul(f.p, x, y);
    op_counter_keep(&c, 1, &product);
    uint32_t before = pool_size(f.p);
    pool_rollback(f.p, mark);
    op_counter_forget(&c, before);
    ExprId sum = expr_add(f.p, x, y); /* has the number that the product had */
    cr_assert(expr_same(sum, product));
    op_counter_begin(&c);
    cr_assert_eq(op_counter_more(&c, 1, &sum).add, 1);
    fixture_done(&f);
}
