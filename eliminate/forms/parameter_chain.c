#include "eliminate/forms/parameter_chain.h"

#include <string.h>

ExprId parameter_binding(const System *s, VarId v)
{
    const Var *it = &s->var.at[v.i];
    if (it->kind != VAR_PARAMETER && it->kind != VAR_CONSTANT)
        return EXPR_NONE;
    // MLS 8.6: without a value, the start value
    return expr_exists(it->binding) ? it->binding : it->attr.start;
}

/* Operands stand before their users, but the binding of a parameter may stand behind it. */
/* Per node its users: operations on it, and variables whose value it is. */
typedef struct Users {
    uint32_t *begin, *user; /* of node k: begin[k] .. begin[k + 1] */
} Users;

/* Counts a user, or with `next` puts it in. */
static void put_user(Users *u, uint32_t *next, ExprId x, ExprId user)
{
    if (next)
        u->user[next[x.i]++] = user.i;
    else
        u->begin[x.i + 1]++;
}

static void put_users(System *s, uint32_t n, uint32_t n_links, const ParameterLink *link, Users *u,
                      uint32_t *next)
{
    const ExprPool *p = s->pool;
    for (uint32_t k = 0; k < n; k++) {
        ExprId x = {k};
        for (uint32_t i = 0; i < expr_n_args(p, x); i++)
            put_user(u, next, expr_arg(p, x, i), x);
        if (expr_op(p, x) != OP_VAR || expr_var_of(p, x).i >= s->var.n)
            continue;
        ExprId binding = parameter_binding(s, expr_var_of(p, x));
        if (expr_exists(binding))
            put_user(u, next, binding, x);
    }
    for (uint32_t k = 0; k < n_links; k++)
        put_user(u, next, link[k].from, system_var_expr(s, link[k].to));
}

const bool *parameter_followers(System *s, uint32_t n_chosen, const VarId *chosen, uint32_t n_links,
                                const ParameterLink *link, Arena *scratch)
{
    // before their number is taken
    for (uint32_t k = 0; k < n_chosen; k++)
        system_var_expr(s, chosen[k]);
    for (uint32_t k = 0; k < n_links; k++)
        system_var_expr(s, link[k].to);
    uint32_t n = pool_size(s->pool);
    bool *follows = arena_array(scratch, bool, n + 1);
    Arena *tmp = arena_new();
    Users users = {.begin = arena_array(tmp, uint32_t, n + 1)};
    put_users(s, n, n_links, link, &users, NULL);
    for (uint32_t k = 0; k < n; k++)
        users.begin[k + 1] += users.begin[k];
    users.user = arena_array(tmp, uint32_t, users.begin[n] + 1);
    uint32_t *next = arena_array(tmp, uint32_t, n + 1);
    memcpy(next, users.begin, n * sizeof *next);
    put_users(s, n, n_links, link, &users, next);
    VEC(ExprId) stack = {0};
    for (uint32_t k = 0; k < n_chosen; k++)
        vec_push(tmp, stack, system_var_expr(s, chosen[k]));
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        if (follows[x.i])
            continue;
        follows[x.i] = true;
        for (uint32_t k = users.begin[x.i]; k < users.begin[x.i + 1]; k++)
            vec_push(tmp, stack, ((ExprId){users.user[k]}));
    }
    arena_free(tmp);
    return follows;
}
