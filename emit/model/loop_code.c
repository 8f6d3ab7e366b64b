#include "emit/model/loop_code.h"

#include "emit/model/jacobian_code.h"

static void section_of_columns(Coder *c, const char *name, const ExprColumns *p)
{
    coder_section_of(c, SECTION_XDOT, name, p->col_start[p->n_cols], p->entry);
}

/* Entries of a matrix, and behind them the derivatives by parameters: most of their operands are
 * the same. */
static void section_with(Coder *c, Arena *mem, const char *name, const ExprColumns *a,
                         const ParameterEntries *by)
{
    uint32_t n = a->col_start[a->n_cols];
    ExprId *x = arena_array(mem, ExprId, n + by->n + 1);
    for (uint32_t k = 0; k < n + by->n; k++)
        x[k] = k < n ? a->entry[k] : by->entry[k - n];
    coder_section_of(c, SECTION_XDOT, name, n + by->n, x);
}

static void tangents_sections(const Program *g, Coder *c, Arena *mem)
{
    const LoopConstraints *l = g->loops;
    const LoopTangents *t = l->tangents;
    coder_section_of(c, SECTION_XDOT, "alone_xdot", t->n_states, g->derivative);
    coder_section_of(c, SECTION_XDOT, "alone_phi", t->n_constraints, l->phi);
    coder_section_of(c, SECTION_XDOT, "alone_phi_dot", t->n_constraints, l->phi_dot);
    coder_section_of(c, SECTION_XDOT, "alone_phi_t", t->n_constraints, l->phi_t);
    coder_section_of(c, SECTION_XDOT, "alone_balance", t->n_massless, l->balance);
    coder_section_of(c, SECTION_XDOT, "alone_phi_rest", t->n_constraints, l->phi_rest);
    section_of_columns(c, "alone_phi_x", &t->phi_x);
    section_of_columns(c, "alone_phi_v", &t->phi_v);
    section_of_columns(c, "alone_by_input", &t->by_input.columns);
    if (t->along_rate) {
        section_of_columns(c, "rate_entries", &t->rate_by_state.columns);
        uint32_t n = t->n_states + t->n_massless;
        coder_section_of(c, SECTION_XDOT, "along_push", n * t->width, t->along_push);
        coder_section_of(c, SECTION_XDOT, "along_dot", t->n_constraints * t->width, t->along_dot);
        coder_section_of(c, SECTION_XDOT, "along_rate", (n + t->n_constraints) * t->width,
                         t->along_rate);
        return;
    }
    section_with(c, mem, "rate_entries", &t->rate_by_state.columns, &t->rate_by);
    section_with(c, mem, "push_entries", &t->push_by_state.columns, &t->push_by);
}

void loops_sections(const Program *g, Coder *c, Arena *mem)
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
    if (l->tangents)
        tangents_sections(g, c, mem);
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

/* Functions and patterns, named with the prefix. */
static void put_functions(Text *t, const char *id, const char *prefix, const ExprColumns *phi_x,
                          const ExprColumns *phi_v)
{
    static const char *const functions[] = {"phi",     "phi_dot", "phi_t", "phi_rest",
                                            "balance", "phi_x",   "phi_v"};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        text_printf(t, "    .%s = %s_%s%s,\n", functions[k], id, prefix, functions[k]);
    text_put(t, "    .phi_x_pattern = ");
    pattern(t, phi_x);
    text_printf(t, "%sphi_x_column, %sphi_x_row, NULL, 0},\n    .phi_v_pattern = ", prefix, prefix);
    pattern(t, phi_v);
    text_printf(t, "%sphi_v_column, %sphi_v_row, NULL, 0},\n", prefix, prefix);
}

/* Fields of all parts and of one. */
static void put_shared(Text *t)
{
    text_put(t,
             "    .loop_name = loop_name,\n    .joint = loop_joint,\n    .joints = loop_joints,\n"
             "    .given = loop_given,\n    .where = loop_where,\n    .first = loop_first,\n"
             "    .multiplier = loop_multiplier,\n    .held = loop_held,\n    .free = loop_free,\n"
             "    .moved = loop_moved,\n    .part_size = loop_part_size,\n");
}

/* A table of numbers and its row in the struct. */
static void entry_tables(Tables *t, const char *name, const ParameterEntries *e)
{
    table_indices(t, arena_printf(t->mem, "%s_row", name), e->n, e->row, NULL);
    table_indices(t, arena_printf(t->mem, "%s_which", name), e->n, e->by, NULL);
}

static void entry_fields(Text *t, const char *name, const ParameterEntries *e)
{
    text_printf(t, "    .n_%s = %uu,\n    .%s_row = %s_row,\n    .%s_which = %s_which,\n", name,
                e->n, name, name, name, name);
}

/* The struct `loop_tangents`; shares the tables of `loops` where its numbers are the first. */
static void tangents_tables(const Program *g, Tables *tables, const char *id, uint32_t n_loops)
{
    const LoopConstraints *l = g->loops;
    const LoopTangents *of = l->tangents;
    Text *t = tables->out;
    jacobian_column_tables(tables, "alone_phi_x", &of->phi_x);
    jacobian_column_tables(tables, "alone_phi_v", &of->phi_v);
    jacobian_pattern_tables(&of->by_input, tables, "alone_by_input");
    jacobian_pattern_tables(&of->rate_by_state, tables, "rate_by_state");
    if (!of->along_rate) {
        jacobian_pattern_tables(&of->push_by_state, tables, "push_by_state");
        entry_tables(tables, "rate_by", &of->rate_by);
        entry_tables(tables, "push_by", &of->push_by);
    }
    text_printf(t,
                "\nstatic const RungLoopTangents loop_tangents = {\n    .loops = {\n"
                "    .n_loops = %uu,\n    .n_constraints = %uu,\n    .n_free = %uu,\n"
                "    .n_velocities = %uu,\n    .n_parts = 1,\n",
                n_loops, of->n_constraints, of->n_massless, l->n_velocities);
    put_shared(t);
    put_functions(t, id, "alone_", &of->phi_x, &of->phi_v);
    text_put(t, "    .by_input_pattern = ");
    jacobian_pattern(&of->by_input, t, "alone_by_input");
    text_printf(t, ",\n    .by_input = %s_alone_by_input,\n    },\n", id);
    text_printf(t,
                "    .n_states = %uu,\n    .n_by = %uu,\n    .width = %uu,\n    .xdot = "
                "%s_alone_xdot,\n    .rate_entries = %s_rate_entries,\n    .rate_pattern = ",
                of->n_states, of->n_by, of->width, id, id);
    jacobian_pattern(&of->rate_by_state, t, "rate_by_state");
    if (of->along_rate) {
        text_printf(t,
                    ",\n    .along_push = %s_along_push,\n    .along_dot = %s_along_dot,\n"
                    "    .along_rate = %s_along_rate,\n};\n",
                    id, id, id);
        return;
    }
    text_put(t, ",\n    .push_pattern = ");
    jacobian_pattern(&of->push_by_state, t, "push_by_state");
    text_printf(t, ",\n    .push_entries = %s_push_entries,\n", id);
    entry_fields(t, "rate_by", &of->rate_by);
    entry_fields(t, "push_by", &of->push_by);
    text_put(t, "};\n");
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
    names(tables, "loop_given", n_loops, l->given);
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
    text_put(t, "};\n");
    if (l->tangents)
        tangents_tables(g, tables, id, n_loops);
    text_put(t, "\nstatic const RungLoops loops = {\n");
    text_printf(
        t,
        "    .n_loops = %uu,\n    .n_constraints = %uu,\n    .n_free = %uu,\n    .n_velocities = "
        "%uu,\n",
        n_loops, l->n_constraints, l->n_massless, l->n_velocities);
    put_shared(t);
    text_printf(t, "    .n_parts = %uu,\n", l->n_parts);
    if (l->tangents)
        text_put(t, "    .tangents = &loop_tangents,\n");
    if (l->n_late)
        text_printf(t,
                    "    .n_late = %uu,\n    .late = loop_late,\n    .late_row = loop_late_row,\n",
                    l->n_late);
    put_functions(t, id, "", &l->phi_x, &l->phi_v);
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
