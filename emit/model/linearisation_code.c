#include "emit/model/linearisation_code.h"

#include "emit/model/jacobian_code.h"

void linearisation_section(const Program *g, Coder *c, Arena *mem, const char *first)
{
    const ExprColumns *j = &g->linearisation->matrix.columns;
    if (!j->entry)
        return;
    uint32_t n = j->col_start[j->n_cols], mark = coder_mark(c);
    Root *root = arena_array(mem, Root, n + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = j->entry[k], .kind = ROOT_OUT, .index = k};
    coder_section(c, SECTION_XDOT, "linearisation", UINT32_MAX, n, root, first);
    coder_forget(c, mark);
}

static void places(Tables *t, const char *name, uint32_t n, const VarId *v, const uint32_t *of)
{
    uint32_t *place = arena_array(t->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        place[k] = of[v[k].i];
    table_indices(t, name, n, place, NULL);
}

void linearisation_table(const Program *g, Tables *t, const char *id, const uint32_t *row_of,
                         const uint32_t *leaf_index)
{
    const Linearisation *l = g->linearisation;
    jacobian_pattern_tables(&l->matrix, t, "linearisation");
    places(t, "linearisation_output", l->n_outputs, l->output, row_of);
    places(t, "linearisation_input", l->n_inputs, l->input, leaf_index);
    if (l->n_parameters)
        places(t, "linearisation_parameter", l->n_parameters, l->parameter, leaf_index);
    text_put(t->out, "\nstatic const RungLinearisation linearisation = {\n    .pattern = ");
    jacobian_pattern(&l->matrix, t->out, "linearisation");
    text_printf(t->out,
                ",\n    .n_outputs = %uu,\n    .n_inputs = %uu,\n    .n_implicit = %uu,\n"
                "    .n_constraints = %uu,\n    .output = linearisation_output,\n"
                "    .input = linearisation_input,\n",
                l->n_outputs, l->n_inputs, l->n_implicit, l->n_constraints);
    if (l->n_parameters)
        text_printf(t->out, "    .n_parameters = %uu,\n    .parameter = linearisation_parameter,\n",
                    l->n_parameters);
    if (l->matrix.columns.entry)
        text_printf(t->out, "    .entries = %s_linearisation,\n", id);
    text_put(t->out, "};\n");
}
