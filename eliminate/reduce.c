#include "eliminate/reduce.h"

#include "eliminate/differentiate.h"

bool reduce_expand(System *s, Arena *scratch)
{
    bool ok = true;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        Name failed = {NULL};
        Eq *e = &s->eq.at[k];
        ExprId lhs = expand_derivatives(s, scratch, e->lhs, &failed);
        ExprId rhs = expand_derivatives(s, scratch, e->rhs, &failed);
        if (!expr_exists(lhs) || !expr_exists(rhs)) {
            diag_error(s->diags, e->span, "E03",
                       "'%s' cannot be differentiated: it has no derivative annotation and its "
                       "algorithm cannot be expanded",
                       failed.s ? failed.s : "der");
            ok = false;
            continue;
        }
        e->lhs = lhs;
        e->rhs = rhs;
    }
    return ok;
}

bool reduce_differentiate(System *s, Structure *t, uint32_t n_vars, const uint32_t *var_der_of,
                          uint32_t n_eqs, const uint32_t *eq_der_of, Arena *mem)
{
    VarId *var = arena_array(mem, VarId, t->n + n_vars);
    memcpy(var, t->var, sizeof(VarId) * t->n);
    for (uint32_t k = 0; k < n_vars; k++)
        var[t->n + k] = system_der(s, var[var_der_of[k]]);
    t->var = var;
    t->n += n_vars;
    Differentiator d = differentiator_time(s, mem);
    for (uint32_t k = 0; k < n_eqs; k++) {
        Eq e = s->eq.at[eq_der_of[k]];
        e.lhs = differentiate(&d, e.lhs);
        e.rhs = expr_exists(e.lhs) ? differentiate(&d, e.rhs) : EXPR_NONE;
        if (!expr_exists(e.rhs)) {
            diag_error(s->diags, e.span, "E03",
                       "this equation must be differentiated to reduce the index, but '%s' has no "
                       "derivative annotation and its algorithm cannot be expanded",
                       d.failed.s ? d.failed.s : "der");
            return false;
        }
        e.group = GROUP_NONE;
        system_add_eq(s, e);
    }
    return true;
}
