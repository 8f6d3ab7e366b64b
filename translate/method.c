#include "translate/method.h"

#include "base/spelling.h"
#include "eliminate/forms/adjoint.h"
#include "eliminate/forms/invariants.h"
#include "eliminate/forms/linearisation.h"
#include "eliminate/forms/loop_products.h"
#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/parameter_chain.h"
#include "eliminate/forms/rates_along.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/prepare/objective.h"
#include "eliminate/prepare/sensitivity.h"
#include "runtime/result/result.h"
#include "runtime/run/simulate.h"

#include <stdio.h>
#include <string.h>

bool method_known(const char *name)
{
    const char *m;
    for (uint32_t k = 0; (m = simulate_method(k)); k++)
        if (strcmp(name, m) == 0)
            return true;
    Spelling near = spelling_of(name);
    for (uint32_t k = 0; (m = simulate_method(k)); k++)
        spelling_try(&near, m);
    fprintf(stderr, "rung: --method does not know '%s'%s%s%s; it takes", name,
            near.nearest ? ", did you mean '" : "", near.nearest ? near.nearest : "",
            near.nearest ? "'?" : "");
    for (uint32_t k = 0; (m = simulate_method(k)); k++)
        fprintf(stderr, "%s %s", k ? "," : "", m);
    fputc('\n', stderr);
    return false;
}

static unsigned needs_of(const Compilation *c, const char *method)
{
    return method
               ? simulate_method_needs(method)
               : simulate_default_needs(c->dae.solution.program.n_states, c->dae.loops.n_loops > 0);
}

/* Without derivatives by parameters, which sensitivities have made outputs. */
static void leave_derivatives(const Compilation *c, LinearisationChoice *it)
{
    VEC(VarId) output = {0};
    for (uint32_t k = 0; k < it->n_outputs; k++)
        if (!sensitivities_have(&c->dae, it->output[k]))
            vec_push(c->mem, output, it->output[k]);
    it->n_outputs = output.n;
    it->output = output.at;
}

/* The model's variables that match the patterns; a pattern without a match is an error. */
static bool choose(Compilation *c, const char *option, const char *patterns, uint32_t n,
                   const VarId *from, uint32_t *n_chosen, const VarId **chosen)
{
    const System *s = c->sys;
    VEC(VarId) found = {0};
    for (uint32_t k = 0; k < n; k++)
        if (result_means(patterns, s->var.at[from[k].i].name.s))
            vec_push(c->mem, found, from[k]);
    *n_chosen = found.n;
    *chosen = found.at;
    if (!found.n)
        diag_error(c->diags, SPAN_NONE, "G04", "--%s: no %s of type Real is called like '%s'",
                   option,
                   strcmp(option, "inputs") == 0       ? "top-level input"
                   : strcmp(option, "parameters") == 0 ? "parameter that can be set"
                                                       : "variable",
                   patterns);
    return found.n > 0;
}

bool linearisation_prepare(Compilation *c, ParameterColumns which)
{
    const Request *r = &c->request;
    const Program *g = &c->dae.solution.program;
    LinearisationChoice it = linearisation_top_level(g, c->mem);
    leave_derivatives(c, &it);
    VEC(VarId) all = {0};
    for (uint32_t k = 0; k < c->sys->var.n; k++) {
        const Var *v = &c->sys->var.at[k];
        if (v->type == TYPE_REAL && !v->is_hidden && !v->is_initial && expr_exists(g->value[k]))
            vec_push(c->mem, all, ((VarId){k}));
    }
    bool ok = !r->inputs ||
              choose(c, "inputs", r->inputs, it.n_inputs, it.input, &it.n_inputs, &it.input);
    if (r->outputs)
        ok = choose(c, "outputs", r->outputs, all.n, all.at, &it.n_outputs, &it.output) && ok;
    VEC(VarId) parameter = {0};
    for (uint32_t k = 0; k < c->sys->var.n; k++) {
        const Var *v = &c->sys->var.at[k];
        double value;
        ExprId binding = parameter_binding(c->sys, (VarId){k});
        bool follows = expr_exists(binding) && !expr_constant(c->sys->pool, binding, &value);
        if (v->type == TYPE_REAL && v->kind == VAR_PARAMETER && !v->is_final && !v->is_hidden &&
            (which == ALL_PARAMETERS || !follows))
            vec_push(c->mem, parameter, ((VarId){k}));
    }
    if (r->parameters)
        ok = choose(c, "parameters", r->parameters, parameter.n, parameter.at, &it.n_parameters,
                    &it.parameter) &&
             ok;
    if (ok)
        linearisation_make(&c->dae, &it, JACOBIAN_NODES, c->scratch);
    return ok;
}

bool adjoint_of_outputs(Compilation *c)
{
    const System *s = c->sys;
    AdjointChoice *choice = c->dae.adjoint;
    VEC(VarId) found = {0};
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (v->is_output && v->kind == VAR_CONTINUOUS && v->type == TYPE_REAL && !v->is_hidden)
            vec_push(c->mem, found, ((VarId){k}));
    }
    choice->n_objectives = found.n;
    choice->objective = found.at;
    return adjoint_make(&c->dae, choice, c->scratch);
}

bool adjoint_prepare(Compilation *c)
{
    const System *s = c->sys;
    AdjointChoice *choice = c->dae.adjoint;
    Texts text = request_patterns(c->request.objective, c->mem);
    VEC(VarId) found = {0};
    for (uint32_t k = 0; k < text.n; k++) {
        const char *y;
        if (objective_read(text.at[k], c->mem, &y) == OBJECTIVE_INTEGRAL)
            y = text.at[k];
        VarId v = system_find_var(s, name_of(s->names, objective_value(y, c->mem)));
        if (!var_exists(v))
            v = system_find_var(s, name_of(s->names, y));
        bool moves = var_exists(v) && s->var.at[v.i].kind == VAR_CONTINUOUS &&
                     s->var.at[v.i].type == TYPE_REAL;
        if (!moves) {
            diag_error(
                c->diags, SPAN_NONE, "S12",
                "no adjoint of '%s': it is no Real that changes along the run, nor integral(y) of "
                "one (--mode direct)",
                text.at[k]);
            return false;
        }
        vec_push(c->mem, found, v);
    }
    choice->n_objectives = found.n;
    choice->objective = found.at;
    return adjoint_make(&c->dae, choice, c->scratch);
}

void method_prepare(Compilation *c, const char *method)
{
    unsigned needs = needs_of(c, method);
    Program *g = &c->dae.solution.program;
    bool loops = c->dae.loops.n_loops > 0;
    // before forms with leaves of their own: nodes equal by value are shared, a / gamma * gamma too
    jacobian_of_inputs(g, JACOBIAN_NODES, c->scratch);
    loop_tangents_make(&c->dae, JACOBIAN_NODES, c->scratch);
    // an iteration has solved its stages with the derivatives; the default method may go on
    // explicitly
    if (!method || !(needs & NEEDS_NEWTON))
        rates_along_make(&c->dae, c->scratch);
    if (needs & NEEDS_NEWTON && c->request.jacobian <= DERIVATIVES_ANALYTIC)
        newton_system_make(&c->dae, NEWTON_STEP, c->scratch);
    invariants_make(&c->dae, JACOBIAN_NODES, c->scratch);
    if (needs & NEEDS_RESIDUAL && !loops)
        residual_form_make(&c->dae, JACOBIAN_NODES, c->scratch);
    bool wanted = loops ? needs & NEEDS_LOOP_JACOBIAN : needs & NEEDS_JACOBIAN && !g->newton;
    if (!wanted || c->request.jacobian == DERIVATIVES_DENSE)
        return;
    if (!g->jacobian)
        jacobian_of_states(g, JACOBIAN_NODES, c->scratch);
    if (c->request.jacobian == DERIVATIVES_COLOURED && g->n_states > 0 && !g->jacobian)
        fputs("warning: --jacobian coloured: too many derivatives depend on too many states for a "
              "pattern; their differences are taken one state after the other\n",
              stderr);
}
