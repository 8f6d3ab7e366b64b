#include "emit/model/adjoint_code.h"

uint32_t adjoint_first(const Program *g, uint32_t n_inputs)
{
    return n_inputs + g->n_memory + (g->newton ? g->newton->n_inputs : 0);
}

static uint32_t n_product(const Program *g)
{
    return g->n_states + g->adjoint->n_kept + g->adjoint->n_shared;
}

/* Whether an array reaches an unknown of the model's blocks that no section before solves. */
bool adjoint_waits(const Program *g, const Coder *c, Arena *mem)
{
    const Adjoint *a = g->adjoint;
    const ExprPool *p = g->sys->pool;
    bool *reached = arena_array(mem, bool, pool_size(p) + 1), waits = false;
    program_reach(p, n_product(g) + a->n_loop_inputs, a->product, reached);
    if (a->at_event)
        program_reach(p, n_product(g) + 1, a->at_event, reached);
    program_reach(p, a->n, a->by_parameter, reached);
    for (uint32_t b = program_own_blocks(g); b < g->n_blocks; b++) {
        program_reach(p, g->block[b].n, g->block[b].residual, reached);
        program_reach(p, g->block[b].col_start[g->block[b].n], g->block[b].entry, reached);
    }
    for (uint32_t b = 0; b < program_own_blocks(g) && !waits; b++)
        for (uint32_t k = 0; k < g->block[b].n && !coder_solves(c, b); k++)
            waits = waits || reached[system_var_expr(g->sys, g->block[b].unknown[k]).i];
    return waits;
}

static void put(Coder *c, Arena *mem, const char *name, uint32_t n, const ExprId *x,
                const char *first)
{
    Root *root = arena_array(mem, Root, n + 1);
    uint32_t mark = coder_mark(c);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = x[k], .kind = ROOT_OUT, .index = k};
    coder_section(c, SECTION_XDOT, name, UINT32_MAX, n, root, first);
    coder_forget(c, mark);
}

void adjoint_section(const Program *g, Coder *c, Arena *mem, const char *first)
{
    const Adjoint *a = g->adjoint;
    uint32_t n = n_product(g), n_all = n + a->n_loop_inputs;
    put(c, mem, "adjoint", n_all, a->product, first);
    if (a->loops) {
        put(c, mem, "adjoint_stage", n_all, a->loops->stage, first);
        put(c, mem, "adjoint_push", n_all, a->loops->push, first);
        put(c, mem, "adjoint_dot", n, a->loops->dot, first);
        put(c, mem, "adjoint_by_x", n, a->loops->by_x, first);
        put(c, mem, "adjoint_by_v", n, a->loops->by_v, first);
    }
    if (a->at_event)
        put(c, mem, "adjoint_at_event", n_product(g) + 1, a->at_event, first);
    put(c, mem, "adjoint_by_parameter", a->n, a->by_parameter, first);
}

void adjoint_table(const Program *g, Tables *t, const char *id, const uint32_t *leaf_index,
                   uint32_t n_inputs)
{
    const Adjoint *a = g->adjoint;
    uint32_t *place = arena_array(t->mem, uint32_t, a->n_dependent + 1);
    for (uint32_t k = 0; k < a->n_dependent; k++)
        place[k] = leaf_index[a->dependent[k].i];
    table_indices(t, "adjoint_dependent", a->n_dependent, place, NULL);
    table_indices(t, "adjoint_kept", a->n_kept, a->kept, NULL);
    table_strings(t, "adjoint_name", a->n, a->name, NULL);
    if (a->loops)
        text_printf(t->out,
                    "\nstatic const RungAdjointLoops adjoint_loops = {\n"
                    "    .stage = %s_adjoint_stage,\n    .push = %s_adjoint_push,\n"
                    "    .dot = %s_adjoint_dot,\n    .by_x = %s_adjoint_by_x,\n"
                    "    .by_v = %s_adjoint_by_v,\n};\n",
                    id, id, id, id, id);
    text_printf(t->out,
                "\nstatic const RungAdjoint adjoint = {\n    .n = %uu,\n    .n_objectives = %uu,\n"
                "    .n_shared = %uu,\n    .n_dependent = %uu,\n    .first = %uu,\n"
                "    .n_inputs = %uu,\n    .name = adjoint_name,\n"
                "    .dependent = adjoint_dependent,\n    .product = %s_adjoint,\n"
                "    .by_parameter = %s_adjoint_by_parameter,\n    .n_relations = %uu,\n"
                "    .n_actions = %uu,\n    .n_kept = %uu,\n    .kept = adjoint_kept,\n",
                a->n, a->n_objectives, a->n_shared, a->n_dependent, adjoint_first(g, n_inputs),
                a->n_inputs, id, id, a->n_relations, a->n_actions, a->n_kept);
    if (a->at_event)
        text_printf(t->out, "    .at_event = %s_adjoint_at_event,\n", id);
    if (a->loops)
        text_printf(t->out, "    .n_loop_weights = %uu,\n    .loops = &adjoint_loops,\n",
                    a->n_loop_weights);
    text_put(t->out, "};\n");
}
