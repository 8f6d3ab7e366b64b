#include "emit/model/residual_code.h"

#include "emit/model/jacobian_code.h"

static void matrix_section(Coder *c, const char *name, const SparseJacobian *j)
{
    coder_section_of(c, SECTION_TORN, name, j->columns.col_start[j->columns.n_cols],
                     j->columns.entry);
}

void residual_sections(const Program *g, Coder *c)
{
    const ResidualForm *r = g->residual;
    coder_section_of(c, SECTION_TORN, "form", r->n, r->residual);
    coder_section_of(c, SECTION_TORN, "form_rates", r->n_rates, r->rate);
    if (!r->has_jacobians)
        return;
    matrix_section(c, "form_by_torn", &r->by_torn);
    matrix_section(c, "form_by_state", &r->by_state);
}

void residual_tables(const Program *g, Tables *tables, const char *id, const uint32_t *row_of)
{
    Text *t = tables->out;
    const ResidualForm *r = g->residual;
    uint32_t *row = arena_array(tables->mem, uint32_t, r->n + 1);
    for (uint32_t k = 0; k < r->n; k++)
        row[k] = row_of[r->torn[k].i];
    table_indices(tables, "residual_variable", r->n, row, NULL);
    table_indices(tables, "residual_state", r->n, r->state, NULL);
    table_indices(tables, "residual_rate_of", r->n_rates, r->rate_of, NULL);
    if (r->has_jacobians) {
        jacobian_pattern_tables(&r->by_torn, tables, "by_torn");
        jacobian_pattern_tables(&r->by_state, tables, "by_state");
    }
    text_printf(
        t,
        "\nstatic const RungResidual residual_form = {\n    .n = %uu,\n    .n_rates = %uu,\n"
        "    .variable = residual_variable,\n    .state = residual_state,\n"
        "    .rate_of = residual_rate_of,\n    .residual = %s_form,\n"
        "    .rates = %s_form_rates,\n    .operations = %lluu,\n",
        r->n, r->n_rates, id, id, program_operations(g->sys->pool, r->n, r->residual));
    if (r->has_jacobians) {
        text_put(t, "    .by_torn_pattern = ");
        jacobian_pattern(&r->by_torn, t, "by_torn");
        text_put(t, ",\n    .by_state_pattern = ");
        jacobian_pattern(&r->by_state, t, "by_state");
        text_printf(t, ",\n    .by_torn = %s_form_by_torn,\n    .by_state = %s_form_by_state,\n",
                    id, id);
    }
    text_put(t, "};\n");
}
