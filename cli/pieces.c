#include "cli/pieces.h"

#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "runtime/simulate.h"

#include <stdio.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++) {
        if (strcmp(name, *list) == 0)
            return true;
    }
    return false;
}

bool pieces_method_known(const char *name)
{
    const char *const *all = simulate_methods();
    if (is_one_of(name, all))
        return true;
    fprintf(stderr, "rung: --method does not know '%s'; it takes", name);
    for (const char *const *m = all; *m; m++)
        fprintf(stderr, "%s %s", m == all ? "" : ",", *m);
    fputc('\n', stderr);
    return false;
}

/* Methods that solve their steps by runtime/implicit.h. */
static const char *const implicit_methods[] = {"trapezoid", "ali3p", "penalty",
                                               "euler",     "bdf",   NULL};

static bool is_jacobian(const Options *o, const char *which)
{
    return o->jacobian && strcmp(o->jacobian, which) == 0;
}

const char *pieces_method(const Options *o, Compilation *c)
{
    Program *g = &c->dae.solution.program;
    bool closed = c->dae.loops.n_loops > 0;
    if (o->method)
        return o->method;
    if (!closed && simulate_needs_pattern(g->n_states) && !is_jacobian(o, "dense"))
        jacobian_of_states(g, JACOBIAN_NODES, c->scratch);
    return simulate_default_method(g->n_states, closed, g->jacobian != NULL);
}

/* Whether the method solves its steps by the model's own Newton iteration. That of redundant states
 * would hold derivatives that no equation determines. */
static bool wants_newton(const Compilation *c, const char *method)
{
    return !c->dae.redundancy.is_applied &&
           (is_one_of(method, implicit_methods) || strcmp(method, "esdirk") == 0) &&
           (!c->options->jacobian || is_jacobian(c->options, "analytic"));
}

/* Whether the method takes the residual form, which there is where no loop is cut. */
static bool wants_residual(const Compilation *c, const char *method)
{
    return strcmp(method, "ida-residual") == 0 && c->dae.loops.n_loops == 0;
}

/* Whether the method takes derivatives of the model in its pattern. A Newton iteration of the
 * model's own does without; the pivots of one of loops may vanish. */
static bool wants_jacobian(const Compilation *c, const char *method)
{
    static const char *const by_sundials[] = {"ida", "cvode", NULL};
    bool loops = c->dae.loops.n_loops > 0;
    if (wants_residual(c, method) || is_jacobian(c->options, "dense"))
        return false;
    if (strcmp(method, "esdirk") == 0)
        return !loops && !c->dae.solution.program.newton;
    return is_one_of(method, implicit_methods) ? loops || !c->dae.solution.program.newton
                                               : !loops && is_one_of(method, by_sundials);
}

void pieces_make(Compilation *c, const char *method)
{
    Program *g = &c->dae.solution.program;
    // before pieces with leaves of their own: what is equal by value is shared, a / gamma * gamma
    // too
    jacobian_of_inputs(g, JACOBIAN_NODES, c->scratch);
    if (wants_newton(c, method))
        newton_system_make(&c->dae, NEWTON_STEP, c->scratch);
    if (wants_residual(c, method))
        residual_form_make(&c->dae, JACOBIAN_NODES, c->scratch);
    if (wants_jacobian(c, method) && !g->jacobian)
        jacobian_of_states(g, JACOBIAN_NODES, c->scratch);
    if (wants_jacobian(c, method) && is_jacobian(c->options, "coloured") && g->n_states > 0 &&
        !g->jacobian)
        fputs("warning: --jacobian coloured: too many derivatives depend on too many states for a "
              "pattern; their differences are taken one state after the other\n",
              stderr);
}
