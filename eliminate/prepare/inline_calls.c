#include "eliminate/prepare/inline_calls.h"

#include "eliminate/prepare/differentiate.h"

static void expand_equations(System *s, Map *memo)
{
    for (uint32_t k = 0; k < s->eq.n; k++) {
        s->eq.at[k].lhs = expand_calls(s, memo, s->eq.at[k].lhs);
        s->eq.at[k].rhs = expand_calls(s, memo, s->eq.at[k].rhs);
    }
}

void inline_equations(System *s, Arena *scratch)
{
    Map memo = map_new(scratch);
    expand_equations(s, &memo);
}

void inline_calls(System *s, Aliases *aliases, Arena *scratch)
{
    Map memo = map_new(scratch);
    expand_equations(s, &memo);
    for (uint32_t k = 0; k < s->var.n; k++) {
        Var *v = &s->var.at[k];
        if (expr_exists(v->binding))
            v->binding = expand_calls(s, &memo, v->binding);
        if (expr_exists(v->attr.start))
            v->attr.start = expand_calls(s, &memo, v->attr.start);
    }
    for (uint32_t k = 0; k < aliases->n; k++) {
        ExprId *value = &aliases->value[k];
        if (expr_exists(*value))
            *value = expand_calls(s, &memo, *value);
    }
    for (uint32_t k = 0; k < s->memory.n; k++) {
        Memory *m = &s->memory.at[k];
        if (expr_exists(m->of))
            m->of = expand_calls(s, &memo, m->of);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        Action *a = &s->action.at[k];
        a->fires = expand_calls(s, &memo, a->fires);
        if (a->kind == ACTION_REINIT)
            a->value = expand_calls(s, &memo, a->value);
    }
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        /* the run of a function may add assertions, and move them all */
        ExprId cond = expand_calls(s, &memo, s->assertion.at[k].cond);
        s->assertion.at[k].cond = cond;
    }
}
