#include "eliminate/prepare/der.h"

#include "eliminate/prepare/differentiate.h"

static bool expand_in(System *s, Eq *e, Arena *scratch)
{
    Name failed = {NULL};
    ExprId lhs = expand_derivatives(s, scratch, e->lhs, &failed);
    ExprId rhs = expand_derivatives(s, scratch, e->rhs, &failed);
    if (!expr_exists(lhs) || !expr_exists(rhs)) {
        diag_error(s->diags, e->span, "E03",
                   "'%s' cannot be differentiated: it has no derivative annotation and its "
                   "algorithm cannot be expanded",
                   failed.s ? failed.s : "der");
        return false;
    }
    e->lhs = lhs;
    e->rhs = rhs;
    return true;
}

bool der_expand(System *s, Arena *scratch)
{
    if (!system_supported(s))
        return false;
    bool ok = true;
    for (uint32_t k = 0; k < s->eq.n; k++)
        ok = expand_in(s, &s->eq.at[k], scratch) && ok;
    for (uint32_t k = 0; k < s->initial_eq.n; k++)
        ok = expand_in(s, &s->initial_eq.at[k], scratch) && ok;
    for (uint32_t k = 0; k < s->action.n; k++) {
        Action *a = &s->action.at[k];
        Eq e = {.lhs = a->fires, .span = a->span};
        e.rhs = a->kind == ACTION_REINIT ? a->value : a->fires;
        ok = expand_in(s, &e, scratch) && ok;
        a->fires = e.lhs;
        if (a->kind == ACTION_REINIT)
            a->value = e.rhs;
    }
    return ok;
}
