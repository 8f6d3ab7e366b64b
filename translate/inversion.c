#include "translate/inversion.h"

#include "runtime/result/result.h"

/* Unknowns and inputs of the flat model that the patterns mean, in its order. */
static uint32_t find(Compilation *c, const char *option, const char *patterns, const VarId **out)
{
    VEC(VarId) found = {0};
    for (uint32_t k = 0; k < c->sys->var.n; k++) {
        const Var *v = &c->sys->var.at[k];
        if (v->type == TYPE_REAL && v->kind >= VAR_INPUT && !v->is_hidden &&
            !var_exists(v->der_of) && result_means(patterns, v->name.s))
            vec_push(c->mem, found, ((VarId){k}));
    }
    if (!found.n)
        diag_error(c->diags, SPAN_NONE, "G04", "--%s: no variable of type Real is called like '%s'",
                   option, patterns);
    *out = found.at;
    return found.n;
}

bool inversion_run(Compilation *c, const char *motion, const char *effort, InverseDynamics *it)
{
    if (!driver_run(c, driver_find("der")))
        return false;
    it->n = find(c, "motion", motion, &it->position);
    uint32_t n = find(c, "effort", effort, &it->effort);
    if (it->n && n && it->n != n)
        diag_error(c->diags, SPAN_NONE, "G04",
                   "--motion means %u variables, --effort %u: one effort belongs to each motion",
                   it->n, n);
    if (!it->n || it->n != n || !inverse_make(c->sys, it, c->scratch))
        return false;
    c->dae.n_efforts = n;
    c->dae.effort = it->effort;
    return true;
}
