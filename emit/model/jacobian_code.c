#include "emit/model/jacobian_code.h"

void jacobian_section(const Program *g, Coder *c)
{
    const ExprColumns *j = &g->jacobian->columns;
    if (j->entry)
        coder_section_of(c, SECTION_XDOT, "entries", j->col_start[j->n_cols], j->entry);
}

void jacobian_column_tables(Tables *t, const char *name, const ExprColumns *p)
{
    uint32_t n = p->n_cols;
    table_indices(t, arena_printf(t->mem, "%s_column", name), n + 1, p->col_start, NULL);
    table_indices(t, arena_printf(t->mem, "%s_row", name), p->col_start[n], p->row, NULL);
}

void jacobian_pattern_tables(const SparseJacobian *j, Tables *t, const char *name)
{
    jacobian_column_tables(t, name, &j->columns);
    table_indices(t, arena_printf(t->mem, "%s_colour", name), j->columns.n_cols, j->colour, NULL);
}

void jacobian_pattern(const SparseJacobian *j, Text *t, const char *name)
{
    text_printf(t, "{%uu, %uu, %s_column, %s_row, %s_colour, %uu}", j->columns.n_rows,
                j->columns.n_cols, name, name, name, j->n_colours);
}

void jacobian_table(const Program *g, Tables *t, const char *id)
{
    jacobian_pattern_tables(g->jacobian, t, "jacobian");
    text_put(t->out, "\nstatic const RungJacobian jacobian = {\n    .pattern = ");
    jacobian_pattern(g->jacobian, t->out, "jacobian");
    if (g->jacobian->columns.entry)
        text_printf(t->out, ",\n    .entries = %s_entries,\n};\n", id);
    else
        text_put(t->out, ",\n};\n");
}
