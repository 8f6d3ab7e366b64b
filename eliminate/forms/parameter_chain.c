#include "eliminate/forms/parameter_chain.h"

ExprId parameter_binding(const System *s, VarId v)
{
    const Var *it = &s->var.at[v.i];
    if (it->kind != VAR_PARAMETER && it->kind != VAR_CONSTANT)
        return EXPR_NONE;
    // MLS 8.6: without a value, the start value
    return expr_exists(it->binding) ? it->binding : it->attr.start;
}

/* Operands stand before their users, but the binding of a parameter may stand behind it. */
const bool *parameter_followers(System *s, uint32_t n_chosen, const VarId *chosen, Arena *scratch)
{
    const ExprPool *p = s->pool;
    // before their number is taken
    for (uint32_t k = 0; k < n_chosen; k++)
        system_var_expr(s, chosen[k]);
    uint32_t n = pool_size(p);
    bool *follows = arena_array(scratch, bool, n + 1);
    for (uint32_t k = 0; k < n_chosen; k++)
        follows[system_var_expr(s, chosen[k]).i] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < n; k++) {
            ExprId x = {k};
            bool now = follows[k];
            if (now)
                continue;
            if (expr_op(p, x) == OP_VAR && expr_var_of(p, x).i < s->var.n) {
                ExprId binding = parameter_binding(s, expr_var_of(p, x));
                now = expr_exists(binding) && follows[binding.i];
            }
            for (uint32_t i = 0; i < expr_n_args(p, x) && !now; i++)
                now = follows[expr_arg(p, x, i).i];
            follows[k] = now;
            changed = changed || now;
        }
    }
    return follows;
}
