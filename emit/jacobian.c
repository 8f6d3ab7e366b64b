#include "emit/jacobian.h"

void jacobian_section(const Program *g, Coder *c, Arena *mem)
{
    const ExprColumns *j = &g->jacobian->columns;
    uint32_t n = j->col_start[j->n_cols];
    Root *root = arena_array(mem, Root, n + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = j->entry[k], .kind = ROOT_OUT, .index = k};
    coder_section(c, SECTION_XDOT, "entries", UINT32_MAX, n, root, NULL);
    coder_forget(c, 0);
}

static void numbers(Text *t, const char *name, uint32_t n, const uint32_t *value)
{
    text_printf(t, "\nstatic const uint32_t %s[%u] = {", name, n ? n : 1);
    for (uint32_t k = 0; k < n; k++)
        text_printf(t, "%s%uu,", k % 10 ? " " : "\n    ", value[k]);
    text_put(t, n ? "\n};\n" : "0};\n");
}

void jacobian_table(const Program *g, Text *t, const char *id)
{
    const ExprColumns *j = &g->jacobian->columns;
    numbers(t, "jacobian_column", j->n_cols + 1, j->col_start);
    numbers(t, "jacobian_row", j->col_start[j->n_cols], j->row);
    numbers(t, "jacobian_colour", j->n_cols, g->jacobian->colour);
    text_printf(t,
                "\nstatic const RungJacobian jacobian = {\n    .pattern = {%uu, %uu, "
                "jacobian_column, jacobian_row, jacobian_colour, %uu},\n    .entries = "
                "%s_entries,\n};\n",
                j->n_rows, j->n_cols, g->jacobian->n_colours, id);
}
