#include "emit/model/sensitivity_code.h"

#include "emit/model/adjoint_code.h"

void sensitivity_section(const Program *g, Coder *c, Arena *mem, const char *first)
{
    const Sensitivity *s = g->sensitivity;
    uint32_t n = (s->n_relations + s->n_actions) * s->n_directions, mark = coder_mark(c);
    Root *root = arena_array(mem, Root, n + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = s->slope[k], .kind = ROOT_OUT, .index = k};
    coder_section(c, SECTION_XDOT, "slopes", UINT32_MAX, n, root, first);
    coder_forget(c, mark);
}

/* ---- derivatives of the rates along any direction ---- */

uint32_t rates_along_first(const Program *g, uint32_t n_inputs)
{
    return adjoint_first(g, n_inputs) + (g->adjoint ? g->adjoint->n_inputs : 0);
}

static uint32_t n_sides(const RatesAlong *a)
{
    return a->n_states + a->n_rows;
}

/* Rates, kept values and right-hand sides have most of their operands in common. */
void rates_along_section(const Program *g, Coder *c, Arena *mem)
{
    const RatesAlong *a = g->along;
    uint32_t n = a->n_states + a->n_kept + a->by.n;
    ExprId *x = arena_array(mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        x[k] = k < a->n_states               ? g->derivative[k]
               : k < a->n_states + a->n_kept ? a->kept[k - a->n_states]
                                             : a->by.entry[k - a->n_states - a->n_kept];
    coder_section_of(c, SECTION_XDOT, "along_xdot", a->n_states, x);
    coder_section_led(c, SECTION_XDOT, "along_factor", a->n_states, n, x);
    coder_section_of_sides(c, "along_solve", a->input[0], n_sides(a), a->n_states, a->rate);
}

static void rates_along_table(const Program *g, Tables *t, const char *id, uint32_t n_inputs)
{
    const RatesAlong *a = g->along;
    uint32_t *place = arena_array(t->mem, uint32_t, a->by.n + 1);
    for (uint32_t k = 0; k < a->by.n; k++)
        place[k] = a->n_states + a->by.row[k];
    table_indices(t, "along_by", a->by.n, a->by.by, NULL);
    table_indices(t, "along_place", a->by.n, place, NULL);
    text_printf(t->out,
                "\nstatic const RungRatesAlong rates_along = {\n    .n_states = %uu,\n"
                "    .n_sides = %uu,\n    .n_kept = %uu,\n    .n_entries = %uu,\n"
                "    .first = %uu,\n    .n_inputs = %uu,\n    .by = along_by,\n"
                "    .place = along_place,\n    .factor = %s_along_factor,\n"
                "    .solve_sides = %s_along_solve,\n    .xdot = %s_along_xdot,\n};\n",
                a->n_states, n_sides(a), a->n_kept, a->by.n,
                rates_along_first(g, n_inputs) + n_sides(a),
                n_sides(a) + a->n_states + a->n_kept + a->by.n, id, id, id);
}

void sensitivity_table(const Program *g, Tables *t, const char *id, uint32_t n_inputs)
{
    if (g->along)
        rates_along_table(g, t, id, n_inputs);
    const Sensitivity *s = g->sensitivity;
    uint32_t *negated = arena_array(t->mem, uint32_t, g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        negated[k] = s->is_negated[k];
    table_indices(t, "sensitivity_of", g->n_states, s->of, NULL);
    table_indices(t, "sensitivity_by", g->n_states, s->by, NULL);
    table_indices(t, "sensitivity_negated", g->n_states, negated, NULL);
    if (s->shift)
        table_indices(t, "sensitivity_shift", s->n, s->shift, NULL);
    if (s->n_held)
        table_indices(t, "sensitivity_held", s->n_held, s->held, NULL);
    text_printf(t->out,
                "\nstatic const RungSensitivity sensitivity = {\n    .n = %uu,\n"
                "    .n_directions = %uu,\n    .n_relations = %uu,\n    .n_actions = %uu,\n"
                "    .of = sensitivity_of,\n    .by = sensitivity_by,\n"
                "    .is_negated = sensitivity_negated,\n    .slopes = %s_slopes,\n%s%s",
                s->n, s->n_directions, s->n_relations, s->n_actions, id,
                g->along ? "    .along = &rates_along,\n" : "",
                s->shift ? "    .shift = sensitivity_shift,\n" : "");
    if (s->n_held)
        text_printf(t->out, "    .held = sensitivity_held,\n    .n_held = %uu,\n", s->n_held);
    text_put(t->out, s->has_kinks ? "    .has_kinks = 1u,\n};\n" : "};\n");
}
