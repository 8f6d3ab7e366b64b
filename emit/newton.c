#include "emit/newton.h"

#include "emit/jacobian.h"

void newton_section(const Program *g, Coder *c, Arena *mem)
{
    const NewtonPieces *w = g->newton;
    coder_section_of(c, SECTION_XDOT, "newton", w->n_delta, w->delta);
    if (!w->has_matrix)
        return;
    const ExprColumns *a = &w->matrix;
    uint32_t n_entries = a->col_start[a->n_cols], n = n_entries + a->n_rows;
    ExprId *x = arena_array(mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        x[k] = k < n_entries ? a->entry[k] : w->right[k - n_entries];
    coder_section_of(c, SECTION_XDOT, "newton_matrix", n, x);
}

void newton_table(const Program *g, Tables *tables, const char *id, uint32_t first)
{
    Text *t = tables->out;
    const NewtonPieces *w = g->newton;
    OpCount n = program_count(g->sys->pool, w->n_delta, w->delta);
    if (w->has_matrix) {
        jacobian_column_tables(tables, "newton", &w->matrix);
        table_indices(tables, "newton_rate", g->n_states, w->rate, NULL);
    }
    text_printf(t,
                "\nstatic const RungNewton newton = {\n    .first = %uu,\n    .n = %uu,\n"
                "    .operations = %lluu,\n    .step = %s_newton,\n",
                first, w->n_given, (unsigned long long)(n.add + n.mul + n.div + n.call), id);
    if (w->has_matrix)
        text_printf(t,
                    "    .pattern = {%uu, %uu, newton_column, newton_row, 0, 0u},\n"
                    "    .matrix = %s_newton_matrix,\n    .rate = newton_rate,\n",
                    w->matrix.n_rows, w->matrix.n_cols, id);
    text_put(t, "};\n");
}
