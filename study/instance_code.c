#include "study/instance_code.h"

#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/solution.h"
#include "study/state_policy.h"
#include "translate/driver.h"
#include "translate/emission.h"
#include "translate/method.h"

InstanceCode instance_code_make(RunRequest *r, bool derivatives, Arena *mem)
{
    InstanceCode out = {0};
    Compilation *c = out.c = state_policy_translate(r, true, mem, &out.is_good);
    if (!out.is_good)
        return out;
    Program *g = &c->dae.solution.program;
    if (derivatives && !linearisation_prepare(c, INDEPENDENT_PARAMETERS)) {
        out.is_good = false;
        return out;
    }
    if (g->linearisation && g->linearisation->n_parameters &&
        !g->linearisation->matrix.columns.entry) {
        diag_error(c->diags, SPAN_NONE, "G06",
                   "something in the model has no derivative: --parameters has derivatives of "
                   "expressions alone");
        out.is_good = false;
        return out;
    }
    method_prepare(c, "esdirk");
    if (!g->jacobian)
        jacobian_of_states(g, JACOBIAN_NODES, c->scratch);
    out.is_good = solution_has_pivots(&c->dae) || solution_has_initial_pivots(&c->dae)
                      ? emission_with_fallback(c, mem, &out.files)
                      : emit_program(g, request_emission(&c->request), mem, &out.files);
    return out;
}
