/* Derivatives of outputs by all parameters, back over the steps: M_Adjoint and its functions. */
#include "emit/library/library_model.h"
#include "emit/model/adjoint_code.h"

enum { STAGES = 7 }; /* rung_esdirk.h */

static uint32_t some(uint32_t n)
{
    return n ? n : 1;
}

static void put_parameters(const LibraryModel *l, Text *t)
{
    const Adjoint *a = l->m.g->adjoint;
    const EmitMembers *by = &l->gradient;
    text_printf(t, "#define %s_N_GRADIENT %uu\nenum {\n", l->id, a->n);
    for (uint32_t k = 0; k < a->n; k++) {
        text_printf(t, "    %s_BY_%s = %u, ", l->id, by->name[k], k);
        text_comment(t, a->name[k]);
        text_put(t, "\n");
    }
    text_put(t, "};\n");
}

void library_adjoint_header(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    const Program *g = l->m.g;
    const Adjoint *a = g->adjoint;
    if (!a)
        return;
    const uint32_t n = g->n_states, rest = a->n_kept + a->n_shared;
    text_put(t, "\n/* Places in gradients. */\n");
    put_parameters(l, t);
    text_printf(t,
                "\n/* Derivatives of a sum of weights times outputs, back from its end: by the "
                "states x, where a weight\n * may be added for each state; w is work. */\n"
                "typedef struct %s_Adjoint {\n    double x[%u], w[%u];\n} %s_Adjoint;\n",
                id, some(n),
                some(2 * rest + (2 * STAGES + 5) * n + STAGES * l->m.block_first[g->n_blocks]), id);
    text_printf(
        t,
        "/* All zero. */\nvoid %s_adjoint_begin(%s_Adjoint *a);\n"
        "/* Adds the outputs at time t, each times its weight. */\n"
        "int %s_adjoint_outputs(%s_Instance *m, double t, const double *x, const double *weight,\n"
        "    %s_Adjoint *a);\n"
        "/* Back over the step of h that %s_step has made from t, x: m and its inputs are as they "
        "were then. The\n * derivatives are those of the step itself, to rounding. */\n"
        "int %s_adjoint_step(%s_Instance *m, double t, double h, const double *x, %s_Adjoint *a);\n"
        "/* The derivatives by the parameters, %s_N_GRADIENT, at the start: t and x of %s_init. "
        "*/\n"
        "int %s_adjoint_end(%s_Instance *m, double t, const double *x, %s_Adjoint *a, double "
        "*gradient);\n",
        id, id, id, id, id, id, id, id, id, id, id, id, id, id);
}

/* Which objective an output is; 2^32 - 1: it does not move, and has no adjoint. */
static void put_objectives(const LibraryModel *l, Text *t)
{
    const Adjoint *a = l->m.g->adjoint;
    text_printf(t, "static const uint32_t %s_objective[%u] = {", l->m.id, some(l->output.n));
    for (uint32_t k = 0; k < l->output.n; k++) {
        uint32_t at = UINT32_MAX;
        for (uint32_t i = 0; i < a->n_objectives; i++)
            at = a->objective[i].i == l->output.var[k].i ? i : at;
        text_printf(t, "%s%uu", k ? ", " : "", at);
    }
    text_put(t, l->output.n ? "};\n" : "0};\n");
}

void library_adjoint_code(const LibraryModel *l, Text *t)
{
    static const char opened[] = "    Opened o;\n    RungContext *ctx = open_instance(m, &o);\n"
                                 "    const RungBack back = rung_open_back(ctx, a->x, a->w);\n";
    const char *id = l->id;
    const Adjoint *a = l->m.g->adjoint;
    if (!a)
        return;
    put_objectives(l, t);
    text_printf(
        t,
        "\nvoid %s_adjoint_begin(%s_Adjoint *a)\n{\n    memset(a, 0, sizeof *a);\n}\n\n"
        "int %s_adjoint_outputs(%s_Instance *m, double t, const double *x, const double "
        "*weight,\n                          %s_Adjoint *a)\n{\n%s"
        "    double of[%u] = {0};\n"
        "    for (uint32_t k = 0; k < %uu; k++)\n"
        "        if (%s_objective[k] != RUNG_NONE)\n"
        "            of[%s_objective[k]] = weight[k];\n"
        "        else if (weight[k] != 0)\n"
        "            return close_instance(\n"
        "                m, &o, -rung_fails(ctx, \"an output that moves at events alone has "
        "no adjoint\"));\n"
        "    return close_instance(m, &o, rung_back_outputs(&back, t, x, of));\n}\n\n",
        id, id, id, id, id, opened, some(a->n_objectives), l->output.n, l->m.id, l->m.id);
    text_printf(t,
                "int %s_adjoint_step(%s_Instance *m, double t, double h, const double *x, "
                "%s_Adjoint *a)\n{\n%s"
                "    return close_instance(m, &o, rung_back_step(&back, t, h, x));\n}\n\n"
                "int %s_adjoint_end(%s_Instance *m, double t, const double *x, %s_Adjoint *a, "
                "double *gradient)\n{\n%s"
                "    return close_instance(m, &o, rung_back_end(&back, t, x, gradient));\n}\n\n",
                id, id, id, opened, id, id, id, opened);
}

/* The RungAdjoint for rung_adjoint.h. */
void library_adjoint_table(const Model *m, Text *t)
{
    const Program *g = m->g;
    const Adjoint *a = g->adjoint;
    if (!a)
        return;
    text_printf(t, "static const uint32_t %s_dependents[%u] = {", m->id, some(a->n_dependent));
    for (uint32_t k = 0; k < a->n_dependent; k++)
        text_printf(t, "%s%uu", k ? ", " : "", m->leaf_index[a->dependent[k].i]);
    text_printf(t,
                "%s};\nstatic const RungAdjoint %s_adjoint_table = {\n    .n = %uu,\n"
                "    .n_objectives = %uu,\n    .n_shared = %uu,\n    .n_dependent = %uu,\n"
                "    .first = %uu,\n    .n_inputs = %uu,\n    .dependent = %s_dependents,\n"
                "    .product = %s_adjoint,\n    .by_parameter = %s_adjoint_by_parameter,\n};\n",
                a->n_dependent ? "" : "0", m->id, a->n, a->n_objectives, a->n_shared,
                a->n_dependent, adjoint_first(g, m->input.n), a->n_inputs, m->id, m->id, m->id);
}
