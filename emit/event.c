#include "emit/event.h"
#include "runtime/rung_model.h"

bool event_exists(const Program *g)
{
    return g->n_memory > 0 || g->n_actions > 0;
}

bool event_has_delays(const Program *g)
{
    for (uint32_t k = 0; k < g->n_memory; k++)
        if (g->memory[k].kind == MEMORY_DELAY)
            return true;
    return false;
}

uint32_t event_n_relations(const Program *g)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->n_memory; k++)
        n += g->memory[k].kind == MEMORY_RELATION;
    return n;
}

static bool is_number(const EventTables *e, ExprId x, double *value)
{
    *value = 0;
    return !expr_exists(x) || expr_constant(e->g->sys->pool, x, value);
}

/* The state that an action sets, and whether it is named by its negative. */
static uint32_t state_of(const EventTables *e, const Action *a, bool *negated)
{
    const System *s = e->g->sys;
    *negated = false;
    ExprId x = code_strip(s->pool, e->g->value[a->var.i], negated);
    if (expr_op(s->pool, x) != OP_VAR)
        return RUNG_NONE;
    VarId v = expr_var_of(s->pool, x);
    return e->leaf[v.i] == LEAF_STATE ? e->leaf_index[v.i] : RUNG_NONE;
}

static Root out_root(const EventTables *e, ExprId x, uint32_t index, const char *name)
{
    return (Root){
        .x = x, .kind = ROOT_OUT, .index = index, .name = name_of(e->g->sys->names, name)};
}

bool event_sections(const EventTables *e, const char *first)
{
    const Program *g = e->g;
    System *s = g->sys;
    Root *root = arena_array(e->mem, Root, g->n_memory + 2 * g->n_actions + 1);
    uint32_t mark = coder_mark(e->code);
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->n_memory; k++)
        if (g->memory[k].kind == MEMORY_RELATION) {
            root[n] = out_root(e, g->memory[k].of, n, "relation");
            n++;
        }
    if (n)
        coder_section(e->code, SECTION_XDOT, "events", UINT32_MAX, n, root, first);
    coder_forget(e->code, mark);

    n = 0;
    for (uint32_t k = 0; k < g->n_memory; k++)
        if (g->memory[k].kind == MEMORY_DELAY) {
            root[n] = out_root(e, g->memory[k].of, n, "delayed");
            n++;
        }
    if (n)
        coder_section(e->code, SECTION_XDOT, "delays", UINT32_MAX, n, root, first);
    coder_forget(e->code, mark);

    n = 0;
    for (uint32_t k = 0; k < g->n_memory; k++) {
        const Memory *m = &g->memory[k];
        double value;
        if (m->kind != MEMORY_RELATION && !is_number(e, m->start, &value))
            coder_constant(e->code, m->start);
        if (m->kind == MEMORY_SAMPLE && !is_number(e, m->interval, &value))
            coder_constant(e->code, m->interval);
        if (m->kind == MEMORY_RELATION || m->kind == MEMORY_PRE)
            root[n++] = out_root(e, m->of, k, s->var.at[m->var.i].name.s);
    }
    for (uint32_t k = 0; k < g->n_actions; k++) {
        const Action *a = &g->action[k];
        bool negated;
        root[n++] = out_root(e, a->fires, g->n_memory + 2 * k, "active");
        if (a->kind != ACTION_REINIT)
            continue;
        if (state_of(e, a, &negated) == RUNG_NONE) {
            diag_error(s->diags, a->span, "G03",
                       "the variable that reinit sets is no state of the model");
            return false;
        }
        ExprId x = negated ? expr_neg(s->pool, a->value) : a->value;
        root[n++] = out_root(e, x, g->n_memory + 2 * k + 1, "reinit");
    }
    coder_section(e->code, SECTION_XDOT, "event", UINT32_MAX, n, root, first);
    coder_forget(e->code, mark);
    return true;
}

/* A value of parameters: a number, or a place in c. */
static void put_value(const EventTables *e, Text *t, ExprId x)
{
    double value;
    bool known = is_number(e, x, &value);
    text_put(t, ", ");
    text_number(t, value);
    if (known)
        text_put(t, ", RUNG_NONE");
    else
        text_printf(t, ", %uu", coder_constant(e->code, x));
}

static void put_message(const EventTables *e, Text *t, const Action *a)
{
    const System *s = e->g->sys;
    bool literal = a->kind == ACTION_TERMINATE && expr_op(s->pool, a->value) == OP_STRING;
    text_string(t, literal ? expr_text_of(s->pool, a->value).s : "the model ends the run");
    text_put(t, ", ");
    text_string(t, a->span.file ? diags_where(s->diags, a->span) : "");
}

void event_tables(const EventTables *e, Text *t)
{
    static const char *const kinds[] = {
        [MEMORY_RELATION] = "RUNG_RELATION", [MEMORY_PRE] = "RUNG_PRE",
        [MEMORY_INITIAL] = "RUNG_INITIAL",   [MEMORY_TERMINAL] = "RUNG_TERMINAL",
        [MEMORY_SAMPLE] = "RUNG_SAMPLE",     [MEMORY_DELAY] = "RUNG_DELAY",
    };
    static const char *const actions[] = {
        [ACTION_REINIT] = "RUNG_REINIT",
        [ACTION_TERMINATE] = "RUNG_TERMINATE",
    };
    const Program *g = e->g;
    if (g->n_memory) {
        text_printf(t, "\nstatic const RungMemory memory[%u] = {\n", g->n_memory);
        for (uint32_t k = 0; k < g->n_memory; k++) {
            const Memory *m = &g->memory[k];
            text_printf(t, "    {%s, %d, %d", kinds[m->kind], m->is_strict, m->is_exact);
            put_value(e, t, m->kind == MEMORY_RELATION ? EXPR_NONE : m->start);
            put_value(e, t, m->kind == MEMORY_SAMPLE ? m->interval : EXPR_NONE);
            text_put(t, "},\n");
        }
        text_put(t, "};\n");
    }
    if (g->n_actions) {
        text_printf(t, "\nstatic const RungAction action[%u] = {\n", g->n_actions);
        for (uint32_t k = 0; k < g->n_actions; k++) {
            const Action *a = &g->action[k];
            bool negated;
            uint32_t state = a->kind == ACTION_REINIT ? state_of(e, a, &negated) : RUNG_NONE;
            text_printf(t, "    {%s, %uu, ", actions[a->kind], state);
            put_message(e, t, a);
            text_put(t, "},\n");
        }
        text_put(t, "};\n");
    }
    text_printf(t,
                "\nstatic const RungEvents event_table = {\n    .n_memory = %uu,\n"
                "    .n_actions = %uu,\n%s%s    .event = %s_event,\n};\n",
                g->n_memory, g->n_actions, g->n_memory ? "    .memory = memory,\n" : "",
                g->n_actions ? "    .action = action,\n" : "", e->id);
}
