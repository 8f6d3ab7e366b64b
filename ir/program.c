#include "ir/program.h"

#include <string.h>

VarId loop_input(const LoopConstraints *l, uint32_t k)
{
    return k < l->n_constraints ? l->multiplier[k] : l->massless[k - l->n_constraints];
}

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

OpCount program_count(const ExprPool *p, uint32_t n, const ExprId *root)
{
    Arena *mem = arena_new();
    OpCounter counter = op_counter_new(p, mem);
    op_counter_begin(&counter);
    OpCount c = op_counter_more(&counter, n, root);
    arena_free(mem);
    return c;
}

unsigned long long program_operations(const ExprPool *p, uint32_t n, const ExprId *root)
{
    OpCount c = program_count(p, n, root);
    return c.add + c.mul + c.div + c.call;
}

static void mark_roots(uint32_t n, const ExprId *x, bool *mark)
{
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(x[k]))
            mark[x[k].i] = true;
}

bool program_check(const Program *g)
{
    const System *s = g->sys;
    const ExprPool *p = s->pool;
    Arena *mem = arena_new();
    bool *is_known = arena_array(mem, bool, s->var.n + 1);
    bool *reached = arena_array(mem, bool, pool_size(p));
    for (uint32_t k = 0; k < s->var.n; k++)
        is_known[k] = !var_is_unknown(&s->var.at[k]);
    for (uint32_t k = 0; k < g->n_states; k++)
        is_known[g->state[k].i] = true;
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        for (uint32_t k = 0; k < g->block[b].n; k++)
            is_known[g->block[b].unknown[k].i] = true;
        mark_roots(g->block[b].n, g->block[b].residual, reached);
    }
    mark_roots(g->n_states, g->derivative, reached);
    for (uint32_t k = 0; k < s->var.n; k++)
        if (!is_known[k] && expr_op(p, g->value[k]) != OP_VAR)
            mark_roots(1, &g->value[k], reached);
    for (uint32_t k = 0; k < g->n_assertions; k++) {
        mark_roots(1, &g->assertion[k].cond, reached);
        mark_roots(1, &g->assertion[k].message, reached);
    }
    for (uint32_t k = 0; k < g->n_memory; k++)
        mark_roots(1, &g->memory[k].of, reached);
    for (uint32_t k = 0; k < g->n_actions; k++) {
        mark_roots(1, &g->action[k].fires, reached);
        mark_roots(1, &g->action[k].value, reached);
    }
    pool_mark_below(p, reached);
    bool ok = true;
    for (uint32_t k = 0; k < pool_size(p) && ok; k++) {
        ExprId x = {k};
        Op op = expr_op(p, x);
        ok = !reached[k] || (op == OP_VAR ? is_known[expr_var_of(p, x).i] : op != OP_LOCAL);
    }
    arena_free(mem);
    return ok;
}
