#include "cli/method.h"

#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "runtime/simulate.h"

#include <stdio.h>
#include <string.h>

bool method_known(const char *name)
{
    const char *const *all = simulate_methods();
    for (const char *const *m = all; *m; m++)
        if (strcmp(name, *m) == 0)
            return true;
    fprintf(stderr, "rung: --method does not know '%s'; it takes", name);
    for (const char *const *m = all; *m; m++)
        fprintf(stderr, "%s %s", m == all ? "" : ",", *m);
    fputc('\n', stderr);
    return false;
}

static bool is_jacobian(const Compilation *c, const char *which)
{
    return c->options->jacobian && strcmp(c->options->jacobian, which) == 0;
}

const char *method_of(Compilation *c)
{
    Program *g = &c->dae.solution.program;
    bool closed = c->dae.loops.n_loops > 0;
    if (c->options->method)
        return c->options->method;
    if (!closed && simulate_needs_pattern(g->n_states) && !is_jacobian(c, "dense"))
        jacobian_of_states(g, JACOBIAN_NODES, c->scratch);
    return simulate_default_method(g->n_states, closed, g->jacobian != NULL);
}

void method_prepare(Compilation *c, const char *method)
{
    unsigned needs = simulate_method_needs(method);
    Program *g = &c->dae.solution.program;
    bool loops = c->dae.loops.n_loops > 0;
    // before forms with leaves of their own: what is equal by value is shared, a / gamma * gamma
    // too
    jacobian_of_inputs(g, JACOBIAN_NODES, c->scratch);
    if (needs & NEEDS_NEWTON && (!c->options->jacobian || is_jacobian(c, "analytic")))
        newton_system_make(&c->dae, NEWTON_STEP, c->scratch);
    if (needs & NEEDS_RESIDUAL && !loops)
        residual_form_make(&c->dae, JACOBIAN_NODES, c->scratch);
    bool wanted = loops ? needs & NEEDS_LOOP_JACOBIAN : needs & NEEDS_JACOBIAN && !g->newton;
    if (!wanted || is_jacobian(c, "dense"))
        return;
    if (!g->jacobian)
        jacobian_of_states(g, JACOBIAN_NODES, c->scratch);
    if (is_jacobian(c, "coloured") && g->n_states > 0 && !g->jacobian)
        fputs("warning: --jacobian coloured: too many derivatives depend on too many states for a "
              "pattern; their differences are taken one state after the other\n",
              stderr);
}
