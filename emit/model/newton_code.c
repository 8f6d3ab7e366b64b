#include "emit/model/newton_code.h"

#include "emit/model/jacobian_code.h"

/* The factors, and the entries of right-hand sides, which have most of their operands in common;
 * the increments. */
static void solve_sections(const Program *g, Coder *c, Arena *mem)
{
    const NewtonSystem *w = g->newton;
    const NewtonSolve *v = w->solve;
    uint32_t n = v->n_kept + v->n_entries;
    ExprId *x = arena_array(mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        x[k] = k < v->n_kept ? v->kept[k] : v->entry[k - v->n_kept];
    coder_section_led(c, SECTION_XDOT, "newton_factor", v->n_kept, n, x);
    coder_section_of_sides(c, "newton_solve", w->input[v->first - v->n_constraints],
                           v->n_constraints + v->n_rows + v->n_states, w->n_delta, v->delta);
}

void newton_section(const Program *g, Coder *c, Arena *mem, NewtonPlaces *out)
{
    const NewtonSystem *w = g->newton;
    if (w->n_delta > 0)
        coder_section_of(c, SECTION_XDOT, "newton", w->n_delta, w->delta);
    if (w->solve)
        solve_sections(g, c, mem);
    if (!w->has_matrix)
        return;
    const ExprColumns *a = &w->matrix;
    uint32_t n_entries = a->col_start[a->n_cols];
    uint32_t n = w->n_delta > 0 ? n_entries + a->n_rows : n_entries;
    ExprId *x = arena_array(mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        x[k] = k < n_entries ? a->entry[k] : w->right[k - n_entries];
    coder_section_of_parameters(c, "newton_parameter_entries", n, x);
    out->entry_place = arena_array(mem, uint32_t, n_entries + 1);
    out->n_entries = coder_section_varying(c, "newton_entries", n_entries, x, out->entry_place);
    if (w->n_delta > 0) {
        out->place = arena_array(mem, uint32_t, n + 1);
        out->n = coder_section_varying(c, "newton_matrix", n, x, out->place);
    }
    coder_section_of(c, SECTION_TORN, "newton_form", a->n_rows, w->form);
    coder_section_of(c, SECTION_XDOT, "newton_point", a->n_cols + g->n_states, w->point);
}

static void solve_table(const Program *g, Tables *tables, const char *id, uint32_t first)
{
    const NewtonSolve *v = g->newton->solve;
    table_indices(tables, "newton_by", v->n_entries, v->by, NULL);
    table_indices(tables, "newton_by_place", v->n_entries, v->place, NULL);
    text_printf(tables->out,
                "\nstatic const RungNewtonSolve newton_of_any = {\n    .n_states = %uu,\n"
                "    .n_rows = %uu,\n    .n_kept = %uu,\n    .first = %uu,\n"
                "    .n_entries = %uu,\n    .by = newton_by,\n    .place = newton_by_place,\n"
                "    .factor = %s_newton_factor,\n    .solve_sides = %s_newton_solve,\n};\n",
                v->n_states, v->n_rows, v->n_kept, first + v->first, v->n_entries, id, id);
}

void newton_table(const Program *g, const NewtonPlaces *places, Tables *tables, const char *id,
                  uint32_t first)
{
    Text *t = tables->out;
    const NewtonSystem *w = g->newton;
    const ExprColumns *a = &w->matrix;
    if (w->has_matrix) {
        jacobian_column_tables(tables, "newton", a);
        table_indices(tables, "newton_rate", g->n_states, w->rate, NULL);
        table_indices(tables, "newton_colour", a->n_cols, w->colour, NULL);
        table_indices(tables, "newton_entry_place", places->n_entries, places->entry_place, NULL);
        if (w->n_delta > 0)
            table_indices(tables, "newton_place", places->n, places->place, NULL);
    }
    if (w->solve)
        solve_table(g, tables, id, first);
    text_printf(t, "\nstatic const RungNewton newton = {\n    .first = %uu,\n    .n = %uu,\n",
                first, w->n_inputs);
    if (w->n_delta > 0)
        text_printf(t, "    .operations = %lluu,\n    .step = %s_newton,\n",
                    program_operations(g->sys->pool, w->n_delta, w->delta), id);
    if (w->has_matrix)
        text_printf(
            t,
            "    .pattern = {%uu, %uu, newton_column, newton_row, newton_colour, %uu},\n"
            "    .rate = newton_rate,\n    .parameter_entries = %s_newton_parameter_entries,\n"
            "    .entries = %s_newton_entries,\n    .entry_operations = %lluu,\n"
            "    .form = %s_newton_form,\n    .point = %s_newton_point,\n",
            a->n_rows, a->n_cols, w->n_colours, id, id,
            program_operations(g->sys->pool, a->col_start[a->n_cols], a->entry), id, id);
    if (w->has_matrix)
        text_printf(t,
                    "    .n_entries = %uu,\n    .entry_place = newton_entry_place,\n"
                    "    .form_operations = %lluu,\n",
                    places->n_entries, program_operations(g->sys->pool, a->n_rows, w->form));
    if (w->has_matrix && w->n_delta > 0)
        text_printf(t,
                    "    .n_matrix = %uu,\n    .place = newton_place,\n"
                    "    .matrix = %s_newton_matrix,\n",
                    places->n, id);
    if (w->solve)
        text_put(t, "    .of_any = &newton_of_any,\n");
    text_put(t, "};\n");
}
