#include "emit/model/invariant_code.h"

#include "emit/model/jacobian_code.h"

void invariants_sections(const Program *g, Coder *c)
{
    const Invariants *it = g->invariants;
    const ExprColumns *by = &it->by_state.columns;
    if (it->n == 0)
        return;
    coder_section_of(c, SECTION_XDOT, "invariants", it->n, it->residual);
    coder_section_of(c, SECTION_XDOT, "invariants_by_state", by->col_start[by->n_cols], by->entry);
}

void invariants_table(const Program *g, Tables *t, const char *id, const uint32_t *parameter_of)
{
    const Invariants *it = g->invariants;
    if (it->n > 0)
        jacobian_pattern_tables(&it->by_state, t, "invariant");
    text_printf(t->out, "\nstatic const RungInvariants invariants = {\n    .rate = %uu,\n",
                parameter_of[it->rate.i]);
    if (it->n > 0) {
        text_put(t->out, "    .by_state_pattern = ");
        jacobian_pattern(&it->by_state, t->out, "invariant");
        text_printf(t->out,
                    ",\n    .residual = %s_invariants,\n    .by_state = %s_invariants_by_state,\n",
                    id, id);
    }
    text_put(t->out, "};\n");
}
