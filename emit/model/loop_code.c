#include "emit/model/loop_code.h"

#include "emit/model/jacobian_code.h"

void loops_sections(const Program *g, Coder *c)
{
    const LoopConstraints *l = g->loops;
    coder_section_of(c, SECTION_XDOT, "phi", l->n_constraints, l->phi);
    coder_section_of(c, SECTION_XDOT, "phi_dot", l->n_constraints, l->phi_dot);
    coder_section_of(c, SECTION_XDOT, "phi_t", l->n_constraints, l->phi_t);
    coder_section_of(c, SECTION_XDOT, "balance", l->n_massless, l->balance);
    coder_section_of(c, SECTION_XDOT, "phi_rest", l->n_constraints, l->phi_rest);
    coder_section_of(c, SECTION_XDOT, "phi_x", l->phi_x.col_start[g->n_states], l->phi_x.entry);
    coder_section_of(c, SECTION_XDOT, "phi_v", l->phi_v.col_start[g->n_states], l->phi_v.entry);
    if (l->n_conditions)
        coder_section_of(c, SECTION_XDOT, "conditions", l->n_conditions, l->condition);
    if (l->by_input)
        coder_section_of(c, SECTION_XDOT, "by_input",
                         l->by_input->columns.col_start[l->by_input->columns.n_cols],
                         l->by_input->columns.entry);
}

static void pattern(Text *t, const ExprColumns *p)
{
    text_printf(t, "{%uu, %uu, ", p->n_rows, p->n_cols);
}

static void names(Tables *t, const char *table, uint32_t n, const Name *name)
{
    const char **text = arena_array(t->mem, const char *, n + 1);
    for (uint32_t k = 0; k < n; k++)
        text[k] = name[k].s;
    table_strings(t, table, n, text, NULL);
}

/* The places in u of n variables. */
static void places(Tables *t, const char *table, uint32_t n, const VarId *v,
                   const uint32_t *input_of)
{
    uint32_t *place = arena_array(t->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        place[k] = input_of[v[k].i];
    table_indices(t, table, n, place, NULL);
}

static void condition_tables(const Program *g, Tables *tables)
{
    const LoopConstraints *l = g->loops;
    uint32_t n = l->n_conditions;
    const char **where = arena_array(tables->mem, const char *, n + 1);
    uint32_t *by_forces = arena_array(tables->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        where[k] =
            l->condition_span[k].file ? diags_where(g->sys->diags, l->condition_span[k]) : "";
        by_forces[k] = l->condition_by_forces[k];
    }
    table_strings(tables, "condition_where", n, where, NULL);
    table_strings(tables, "condition_origin", n, l->condition_origin, NULL);
    table_indices(tables, "condition_by_forces", n, by_forces, NULL);
}

void loops_tables(const Program *g, Tables *tables, const char *id, const uint32_t *leaf_index,
                  const uint32_t *row_of)
{
    const LoopConstraints *l = g->loops;
    Text *t = tables->out;
    uint32_t n_loops = l->n_loops / l->n_parts;
    const char **where = arena_array(tables->mem, const char *, n_loops + 1);
    for (uint32_t k = 0; k < n_loops; k++)
        where[k] = l->span[k].file ? diags_where(g->sys->diags, l->span[k]) : "";
    names(tables, "loop_name", n_loops, l->name);
    names(tables, "loop_joint", n_loops, l->joint);
    names(tables, "loop_joints", n_loops, l->joints);
    table_strings(tables, "loop_where", n_loops, where, NULL);
    table_indices(tables, "loop_first", n_loops + 1, l->first, NULL);
    places(tables, "loop_multiplier", l->n_constraints, l->multiplier, leaf_index);
    places(tables, "loop_free", l->n_massless, l->massless, leaf_index);
    places(tables, "loop_late", l->n_late, l->late, leaf_index);
    places(tables, "loop_late_row", l->n_late, l->late, row_of);
    jacobian_column_tables(tables, "phi_x", &l->phi_x);
    jacobian_column_tables(tables, "phi_v", &l->phi_v);
    text_printf(t, "\nstatic const uint8_t loop_held[%u] = {", g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        text_printf(t, "%s%d,", k % 20 ? " " : "\n    ", l->held[k]);
    text_printf(t, "\n};\n\nstatic const uint8_t loop_moved[%u] = {", g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        text_printf(t, "%s%d,", k % 20 ? " " : "\n    ", l->moved[k]);
    text_put(t, "\n};\n");
    if (l->n_conditions)
        condition_tables(g, tables);
    if (l->by_input)
        jacobian_pattern_tables(l->by_input, tables, "by_input");
    text_printf(t, "\nstatic const double loop_part_size[%u] = {", l->n_parts);
    for (uint32_t k = 0; k < l->n_parts; k++)
        text_printf(t, "%s%.17g", k ? ", " : "", l->part_size ? l->part_size[k] : 1);
    text_put(t, "};\n\nstatic const RungLoops loops = {\n");
    text_printf(
        t,
        "    .n_loops = %uu,\n    .n_constraints = %uu,\n    .n_free = %uu,\n    .n_velocities = "
        "%uu,\n",
        n_loops, l->n_constraints, l->n_massless, l->n_velocities);
    text_put(t,
             "    .loop_name = loop_name,\n    .joint = loop_joint,\n    .joints = loop_joints,\n"
             "    .where = loop_where,\n    .first = loop_first,\n"
             "    .multiplier = loop_multiplier,\n    .held = loop_held,\n    .free = loop_free,\n"
             "    .moved = loop_moved,\n    .part_size = loop_part_size,\n");
    text_printf(t, "    .n_parts = %uu,\n", l->n_parts);
    if (l->n_late)
        text_printf(t,
                    "    .n_late = %uu,\n    .late = loop_late,\n    .late_row = loop_late_row,\n",
                    l->n_late);
    static const char *const functions[] = {"phi",     "phi_dot", "phi_t", "phi_rest",
                                            "balance", "phi_x",   "phi_v"};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        text_printf(t, "    .%s = %s_%s,\n", functions[k], id, functions[k]);
    text_put(t, "    .phi_x_pattern = ");
    pattern(t, &l->phi_x);
    text_put(t, "phi_x_column, phi_x_row, NULL, 0},\n    .phi_v_pattern = ");
    pattern(t, &l->phi_v);
    text_put(t, "phi_v_column, phi_v_row, NULL, 0},\n");
    if (l->by_input) {
        text_put(t, "    .by_input_pattern = ");
        jacobian_pattern(l->by_input, t, "by_input");
        text_printf(t, ",\n    .by_input = %s_by_input,\n", id);
    }
    if (l->n_conditions)
        text_printf(t,
                    "    .n_conditions = %uu,\n    .conditions = %s_conditions,\n    "
                    ".condition_where = condition_where,\n    .condition_origin = "
                    "condition_origin,\n    .condition_by_forces = condition_by_forces,\n",
                    l->n_conditions, id);
    text_put(t, "};\n");
}
