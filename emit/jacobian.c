#include "emit/jacobian.h"

void jacobian_section(const Program *g, Coder *c)
{
    const ExprColumns *j = &g->jacobian->columns;
    coder_section_of(c, SECTION_XDOT, "entries", j->col_start[j->n_cols], j->entry);
}

void jacobian_pattern_tables(const JacobianPieces *j, Text *t, const char *name)
{
    const ExprColumns *p = &j->columns;
    text_indices(t, arena_printf(t->mem, "%s_column", name), p->n_cols + 1, p->col_start);
    text_indices(t, arena_printf(t->mem, "%s_row", name), p->col_start[p->n_cols], p->row);
    text_indices(t, arena_printf(t->mem, "%s_colour", name), p->n_cols, j->colour);
}

void jacobian_pattern(const JacobianPieces *j, Text *t, const char *name)
{
    text_printf(t, "{%uu, %uu, %s_column, %s_row, %s_colour, %uu}", j->columns.n_rows,
                j->columns.n_cols, name, name, name, j->n_colours);
}

void jacobian_table(const Program *g, Text *t, const char *id)
{
    jacobian_pattern_tables(g->jacobian, t, "jacobian");
    text_put(t, "\nstatic const RungJacobian jacobian = {\n    .pattern = ");
    jacobian_pattern(g->jacobian, t, "jacobian");
    text_printf(t, ",\n    .entries = %s_entries,\n};\n", id);
}
