#include "emit/model/sensitivity_code.h"

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

void sensitivity_table(const Program *g, Tables *t, const char *id)
{
    const Sensitivity *s = g->sensitivity;
    uint32_t *negated = arena_array(t->mem, uint32_t, g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        negated[k] = s->is_negated[k];
    table_indices(t, "sensitivity_of", g->n_states, s->of, NULL);
    table_indices(t, "sensitivity_by", g->n_states, s->by, NULL);
    table_indices(t, "sensitivity_negated", g->n_states, negated, NULL);
    text_printf(t->out,
                "\nstatic const RungSensitivity sensitivity = {\n    .n = %uu,\n"
                "    .n_directions = %uu,\n    .n_relations = %uu,\n    .n_actions = %uu,\n"
                "    .of = sensitivity_of,\n    .by = sensitivity_by,\n"
                "    .is_negated = sensitivity_negated,\n    .slopes = %s_slopes,\n};\n",
                s->n, s->n_directions, s->n_relations, s->n_actions, id);
}
