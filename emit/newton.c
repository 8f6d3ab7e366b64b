#include "emit/newton.h"

void newton_section(const Program *g, Coder *c, Arena *mem)
{
    const NewtonPieces *w = g->newton;
    Root *root = arena_array(mem, Root, w->n_delta + 1);
    for (uint32_t k = 0; k < w->n_delta; k++)
        root[k] = (Root){.x = w->delta[k], .kind = ROOT_OUT, .index = k};
    coder_section(c, SECTION_XDOT, "newton", UINT32_MAX, w->n_delta, root, NULL);
    coder_forget(c, 0);
}

void newton_table(const Program *g, Text *t, const char *id, uint32_t first)
{
    const NewtonPieces *w = g->newton;
    OpCount n = program_count(g->sys->pool, w->n_delta, w->delta);
    text_printf(t,
                "\nstatic const RungNewton newton = {\n    .first = %uu,\n    .n = %uu,\n"
                "    .operations = %lluu,\n    .step = %s_newton,\n};\n",
                first, w->n_given, (unsigned long long)(n.add + n.mul + n.div + n.call), id);
}
