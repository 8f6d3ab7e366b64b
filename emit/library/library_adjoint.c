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

/* The numbers of the work array of a model without events, as rung_open_back takes them. */
static uint32_t n_work(const Program *g, const Model *m)
{
    const Adjoint *a = g->adjoint;
    return 2 * (a->n_kept + a->n_shared) + (2 * STAGES + 5) * g->n_states +
           STAGES * m->block_first[g->n_blocks] + 1;
}

/* Those of rung_open_event_back besides its records; of a record, of a round. */
typedef struct EventWork {
    uint32_t fixed, record, round;
} EventWork;

static EventWork event_work(const Program *g, const Model *m)
{
    enum { HEAD = 9 }; // RUNG_TAPE_HEAD
    const Adjoint *a = g->adjoint;
    const uint32_t n = g->n_states, events = event_n_relations(g);
    const uint32_t snapshot = n + g->n_memory + m->block_first[g->n_blocks];
    return (EventWork){.fixed = (STAGES + 8) * n + a->n_kept + a->n_shared + 2 * events,
                       .record = HEAD + 2 * snapshot + events,
                       .round = snapshot + g->n_actions};
}

void library_adjoint_header(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    const Program *g = l->m.g;
    const Adjoint *a = g->adjoint;
    if (!a)
        return;
    const uint32_t n = g->n_states;
    const char *more = "";
    text_put(t, "\n/* Places in gradients. */\n");
    put_parameters(l, t);
    if (event_exists(g)) {
        const EventWork w = event_work(g, &l->m);
        text_printf(t,
                    "\n/* Events that %s_adjoint_step has room for in one step. */\n"
                    "#ifndef %s_ADJOINT_EVENTS\n#define %s_ADJOINT_EVENTS 4u\n#endif\n",
                    id, id, id);
        more = arena_printf(t->mem,
                            " + %uu + %uu * (2 * %s_ADJOINT_EVENTS + 1) + %uu * (4 * "
                            "%s_ADJOINT_EVENTS + 4)",
                            w.fixed, w.record, id, w.round, id);
    }
    text_printf(
        t,
        "\n/* Derivatives of a sum of weights times outputs, back from its end: by the "
        "states x, where a weight\n * may be added for each state. m is a copy of an instance, "
        "for %s_why(&a.m); w is work. */\n"
        "typedef struct %s_Adjoint {\n    double x[%u], w[%uu%s];\n    %s_Instance m;\n} "
        "%s_Adjoint;\n",
        id, id, some(n), n_work(g, &l->m), more, id, id);
    text_printf(
        t,
        "/* All zero. */\nvoid %s_adjoint_begin(%s_Adjoint *a);\n"
        "/* Adds the outputs at time t, each times its weight. */\n"
        "int %s_adjoint_outputs(const %s_Instance *m, double t, const double *x, const double "
        "*weight,\n"
        "    %s_Adjoint *a);\n"
        "/* Back over the step of h that %s_step has made from t, x: m and its inputs are as they "
        "were then. The\n * derivatives are those of the step itself, to rounding. */\n"
        "int %s_adjoint_step(const %s_Instance *m, double t, double h, const double *x, %s_Adjoint "
        "*a);\n"
        "/* The derivatives by the parameters, %s_N_GRADIENT, at the start: t and x of %s_init. "
        "*/\n"
        "int %s_adjoint_end(const %s_Instance *m, double t, const double *x, %s_Adjoint *a, double "
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

static const char opened[] = "    Opened o;\n    RungBack back = open_back(m, a, &o);\n";

/* A copy of an instance: of its values from call to call, which lie before its work arrays. */
static void put_open_back(const char *id, Text *t)
{
    text_printf(t,
                "\nstatic RungBack open_back(const %s_Instance *m, %s_Adjoint *a, Opened *o)\n{\n"
                "    memcpy(&a->m, m, offsetof(%s_Instance, w));\n"
                "    return rung_open_back(open_instance(&a->m, o), a->x, a->w);\n}\n",
                id, id, id);
}

static void put_over_steps(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    text_printf(
        t,
        "int %s_adjoint_step(const %s_Instance *m, double t, double h, const double *x, "
        "%s_Adjoint *a)\n{\n%s"
        "    return close_instance(&a->m, &o, rung_back_step(&back, t, h, x));\n}\n\n"
        "int %s_adjoint_end(const %s_Instance *m, double t, const double *x, %s_Adjoint *a, "
        "double *gradient)\n{\n%s"
        "    return close_instance(&a->m, &o, rung_back_end(&back, t, x, gradient));\n}\n\n",
        id, id, id, opened, id, id, id, opened);
}

/* The step, and the start with its event, are made once more, on a tape. */
static void put_over_events(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    const char *tape =
        arena_printf(t->mem,
                     "    RungEventBack events = rung_open_event_back(\n"
                     "        &back, a->w + %u, 2 * %s_ADJOINT_EVENTS + 1, 4 * %s_ADJOINT_EVENTS + "
                     "4);\n",
                     n_work(l->m.g, &l->m), id, id);
    text_printf(
        t,
        "int %s_adjoint_step(const %s_Instance *m, double t, double h, const double *x, "
        "%s_Adjoint *a)\n{\n%s%s"
        "    return close_instance(&a->m, &o, rung_back_events(&events, t, h, x));\n}\n\n"
        "int %s_adjoint_end(const %s_Instance *m, double t, const double *x, %s_Adjoint *a, "
        "double *gradient)\n{\n%s%s    int status;\n    (void)x;\n"
        "    o.events.tape = &events.tape;\n"
        "    status = begin_instance(&a->m, &o, t, back.x);\n"
        "    o.events.tape = NULL;\n"
        "    status = status ? status : rung_start_back(&events, t, gradient);\n"
        "    return close_instance(&a->m, &o, status);\n}\n\n",
        id, id, id, opened, tape, id, id, id, opened, tape);
}

void library_adjoint_code(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    const Adjoint *a = l->m.g->adjoint;
    if (!a)
        return;
    put_objectives(l, t);
    put_open_back(id, t);
    text_printf(
        t,
        "\nvoid %s_adjoint_begin(%s_Adjoint *a)\n{\n    memset(a, 0, sizeof *a);\n}\n\n"
        "int %s_adjoint_outputs(const %s_Instance *m, double t, const double *x, const double "
        "*weight,\n                          %s_Adjoint *a)\n{\n%s"
        "    double of[%u] = {0};\n"
        "    for (uint32_t k = 0; k < %uu; k++)\n"
        "        if (%s_objective[k] != RUNG_NONE)\n"
        "            of[%s_objective[k]] = weight[k];\n"
        "        else if (weight[k] != 0)\n"
        "            return close_instance(\n"
        "                &a->m, &o, -rung_fails(back.ctx, \"an output that moves at events alone "
        "has "
        "no adjoint\"));\n"
        "    return close_instance(&a->m, &o, rung_back_outputs(&back, t, x, of));\n}\n\n",
        id, id, id, id, id, opened, some(a->n_objectives), l->output.n, l->m.id, l->m.id);
    if (event_exists(l->m.g))
        put_over_events(l, t);
    else
        put_over_steps(l, t);
}

/* The RungAdjoint for rung_adjoint.h. */
void library_adjoint_table(const Model *m, Text *t)
{
    const Program *g = m->g;
    const Adjoint *a = g->adjoint;
    if (!a)
        return;
    const char *events = "";
    if (a->at_event) {
        text_printf(t, "static const uint32_t %s_kept[%u] = {", m->id, some(a->n_kept));
        for (uint32_t k = 0; k < a->n_kept; k++)
            text_printf(t, "%s%uu", k ? ", " : "", a->kept[k]);
        text_put(t, a->n_kept ? "};\n" : "0};\n");
        events = arena_printf(m->mem,
                              "    .n_relations = %uu,\n    .n_actions = %uu,\n    .n_kept = "
                              "%uu,\n    .kept = %s_kept,\n    .at_event = %s_adjoint_at_event,\n",
                              a->n_relations, a->n_actions, a->n_kept, m->id, m->id);
    }
    text_printf(t, "static const uint32_t %s_dependents[%u] = {", m->id, some(a->n_dependent));
    for (uint32_t k = 0; k < a->n_dependent; k++)
        text_printf(t, "%s%uu", k ? ", " : "", m->leaf_index[a->dependent[k].i]);
    text_printf(t,
                "%s};\nstatic const RungAdjoint %s_adjoint_table = {\n    .n = %uu,\n"
                "    .n_objectives = %uu,\n    .n_shared = %uu,\n    .n_dependent = %uu,\n"
                "    .first = %uu,\n    .n_inputs = %uu,\n    .dependent = %s_dependents,\n"
                "    .product = %s_adjoint,\n    .by_parameter = %s_adjoint_by_parameter,\n%s};\n",
                a->n_dependent ? "" : "0", m->id, a->n, a->n_objectives, a->n_shared,
                a->n_dependent, adjoint_first(g, m->input.n), a->n_inputs, m->id, m->id, m->id,
                events);
}
