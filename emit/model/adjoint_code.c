#include "emit/model/adjoint_code.h"

uint32_t adjoint_first(const Program *g, uint32_t n_inputs)
{
    return n_inputs + g->n_memory + (g->newton ? g->newton->n_inputs : 0);
}

void adjoint_section(const Program *g, Coder *c)
{
    const Adjoint *a = g->adjoint;
    coder_section_of(c, SECTION_XDOT, "adjoint", g->n_states + a->n_shared, a->product);
    coder_section_of(c, SECTION_XDOT, "adjoint_by_parameter", a->n, a->by_parameter);
}

void adjoint_table(const Program *g, Tables *t, const char *id, const uint32_t *leaf_index,
                   uint32_t n_inputs)
{
    const Adjoint *a = g->adjoint;
    uint32_t *place = arena_array(t->mem, uint32_t, a->n_dependent + 1);
    for (uint32_t k = 0; k < a->n_dependent; k++)
        place[k] = leaf_index[a->dependent[k].i];
    table_indices(t, "adjoint_dependent", a->n_dependent, place, NULL);
    table_strings(t, "adjoint_name", a->n, a->name, NULL);
    text_printf(t->out,
                "\nstatic const RungAdjoint adjoint = {\n    .n = %uu,\n    .n_objectives = %uu,\n"
                "    .n_shared = %uu,\n    .n_dependent = %uu,\n    .first = %uu,\n"
                "    .n_inputs = %uu,\n    .name = adjoint_name,\n"
                "    .dependent = adjoint_dependent,\n    .product = %s_adjoint,\n"
                "    .by_parameter = %s_adjoint_by_parameter,\n};\n",
                a->n, a->n_objectives, a->n_shared, a->n_dependent, adjoint_first(g, n_inputs),
                a->n_inputs, id, id);
}
