/* M.c: constant tables behind RungModel, and the functions of M.h. */
#include "emit/library/library_model.h"

#include <string.h>

/* The place of a variable's value, as a C expression over ctx, x, v and t. */
static void library_place(const Model *m, VarId var, const char *ctx, Text *t)
{
    const ModelRow *r = &m->row.at[m->row_of[var.i]];
    static const char *const array[] = {[RUNG_IN_PARAMETERS] = "p",
                                        [RUNG_IN_CONSTANTS] = "c",
                                        [RUNG_IN_INPUTS] = "u",
                                        [RUNG_IN_UNKNOWNS] = "z"};
    if (r->negated)
        text_put(t, "-");
    switch (r->place) {
    case RUNG_IN_VALUES:
        text_printf(t, "v[%u]", r->index);
        break;
    case RUNG_IN_STATES:
        text_printf(t, "x[%u]", r->index);
        break;
    case RUNG_IS_TIME:
        text_put(t, "t");
        break;
    case RUNG_IN_NUMBERS: {
        double value = 0;
        expr_constant(m->sys->pool, m->number.at[r->index], &value);
        text_put(t, "(");
        text_number(t, value);
        text_put(t, ")");
        break;
    }
    case RUNG_IN_PARAMETERS:
    case RUNG_IN_CONSTANTS:
    case RUNG_IN_INPUTS:
    case RUNG_IN_UNKNOWNS:
        text_printf(t, "%s%s[%u]", ctx, array[r->place], r->index);
        break;
    }
}

/* ---- tables ---- */

static void put_indices(Text *t, const char *storage, const char *name, uint32_t n,
                        const uint32_t *value)
{
    text_printf(t, "%sconst uint32_t %s[%u] = {", storage, name, n ? n : 1);
    for (uint32_t k = 0; k < n; k++)
        text_printf(t, "%s%u,", k % 12 ? " " : "\n    ", value[k]);
    text_put(t, n ? "\n};\n" : "0};\n");
}

static void put_doubles(Text *t, const char *name, uint32_t n, const double *value)
{
    text_printf(t, "static const double %s[%u] = {", name, n ? n : 1);
    for (uint32_t k = 0; k < n; k++) {
        text_put(t, k % 8 ? " " : "\n    ");
        text_number(t, value[k]);
        text_put(t, ",");
    }
    text_put(t, n ? "\n};\n" : "0};\n");
}

/* Tables of indices, by which loops find their operands. */
static void index_tables(const Model *m, Text *t)
{
    for (uint32_t k = 0; k < coder_n_indices(m->code); k++) {
        uint32_t n, room;
        const uint32_t *index = coder_indices(m->code, k, &n);
        room = coder_index_room(n);
        uint32_t *all = arena_array(m->mem, uint32_t, room + 1);
        memcpy(all, index, n * sizeof *all);
        put_indices(t, "", arena_printf(m->mem, "%s_index_%u", m->id, k), room, all);
    }
}

static void block_tables(const Model *m, Text *t)
{
    const Program *g = m->g;
    uint32_t n = m->block_first[g->n_blocks], at = 0;
    if (!g->n_blocks)
        return;
    double *start = arena_array(m->mem, double, n + 1), *size = arena_array(m->mem, double, n + 1);
    uint32_t *copies = arena_array(m->mem, uint32_t, g->n_blocks + 1);
    Text rows = text_new(m->mem);
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        const NonlinearBlock *it = &g->block[b];
        uint32_t head = coder_block_head(m->code, b);
        for (uint32_t i = 0; i < it->n; i++, at++) {
            model_attribute(m, model_first_guess(m, it->unknown[i]), &start[at]);
            size[at] = model_nominal(m, it->unknown[i]);
        }
        if (head == b) {
            put_indices(t, "static ", arena_printf(m->mem, "%s_block_%u_column", m->id, b),
                        it->n + 1, it->col_start);
            put_indices(t, "static ", arena_printf(m->mem, "%s_block_%u_row", m->id, b),
                        it->col_start[it->n], it->row);
        }
        // of a block whose unknowns nothing needs there are no functions
        bool solved = coder_solves(m->code, b);
        const char *functions[2] = {"NULL", "NULL"};
        if (solved) {
            functions[0] = arena_printf(m->mem, "%s_residual_%u", m->id, head);
            functions[1] = arena_printf(m->mem, "%s_jacobian_%u", m->id, head);
        }
        text_printf(&rows,
                    "    {%uu, %uu, NULL, %s_start_of + %u, %s_size + %u, NULL, %s,\n"
                    "     {%uu, %uu, %s_block_%u_column, %s_block_%u_row, NULL, 0}, %s, %d, %uu, "
                    "NULL, 0},\n",
                    it->n, m->block_first[b], m->id, m->block_first[b], m->id, m->block_first[b],
                    functions[0], it->n, it->n, m->id, head, m->id, head, functions[1],
                    it->is_linear, copies[head]++);
    }
    put_doubles(t, arena_printf(m->mem, "%s_start_of", m->id), n, start);
    put_doubles(t, arena_printf(m->mem, "%s_size", m->id), n, size);
    text_printf(t, "static const RungBlock %s_block[%u] = {\n%s};\n", m->id, g->n_blocks, rows.at);
}

/* A text for error messages; empty for an embedded target. */
static void put_text(const LibraryModel *l, const char *s, Text *t)
{
    text_string(t, l->how.kind == LIBRARY_EMBEDDED || !s ? "" : s);
}

static const char *where_of(const Model *m, Span s)
{
    return s.file ? diags_where(m->sys->diags, s) : "";
}

/* Texts for failures of pivots, blocks and assertions. */
static void failure_tables(const LibraryModel *l, const Model *m, Text *t)
{
    const Program *g = m->g;
    const ExprPool *p = m->sys->pool;
    if (g->n_pivots)
        text_printf(t, "static const RungPivot %s_pivot[%u] = {\n", m->id, g->n_pivots);
    for (uint32_t k = 0; k < g->n_pivots; k++) {
        text_put(t, "    {");
        put_text(l, model_name(m, g->pivot[k].var), t);
        text_put(t, ", ");
        put_text(l, where_of(m, m->sys->eq.at[g->pivot[k].eq.i].span), t);
        text_printf(t, ", \"\", %d},\n", g->pivot[k].is_alone);
    }
    text_put(t, g->n_pivots ? "};\n" : "");
    if (g->n_assertions)
        text_printf(t, "static const RungAssertion %s_assertion[%u] = {\n", m->id, g->n_assertions);
    for (uint32_t k = 0; k < g->n_assertions; k++) {
        const Assertion *a = &g->assertion[k];
        bool literal = expr_exists(a->message) && expr_op(p, a->message) == OP_STRING;
        text_put(t, "    {");
        put_text(l,
                 literal ? expr_text_of(p, a->message).s : "the condition of an assertion is false",
                 t);
        text_put(t, ", ");
        put_text(l, assertion_where(m->sys->diags, a), t);
        text_printf(t, ", %d, ", a->is_warning);
        if (expr_is_fixed(p, a->cond))
            text_printf(t, "%uu},\n", coder_constant(m->code, a->cond));
        else
            text_put(t, "RUNG_NONE},\n");
    }
    text_put(t, g->n_assertions ? "};\n" : "");
}

/* The unknowns of each block, for messages. */
static void block_texts(const Model *m, Text *t)
{
    const Program *g = m->g;
    text_printf(t, "static const char *const %s_block_text[%u] = {\n", m->id, g->n_blocks + 1);
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        const NonlinearBlock *it = &g->block[b];
        const char *name = model_name(m, (it->named ? it->named : it->unknown)[0]);
        text_put(t, "    ");
        text_string(t, it->n > 1 ? arena_printf(m->mem, "%s and %u more", name, it->n - 1) : name);
        text_put(t, ",\n");
    }
    text_put(t, "    \"\"};\n");
}

/* Tables of memory and of the actions at events. */
static void memory_tables(const LibraryModel *l, const Model *m, Text *t)
{
    const Program *g = m->g;
    if (!event_exists(g))
        return;
    EventTables e = model_events(m);
    EventRow *memory = event_rows(&e);
    uint32_t n = event_n_relations(g), *relation = arena_array(m->mem, uint32_t, n + 1), r = 0;
    uint32_t *delay = arena_array(m->mem, uint32_t, g->n_memory + 1), n_delays = 0;
    if (g->n_memory)
        text_printf(t, "static const RungMemory %s_memory[%u] = {\n", m->id, g->n_memory);
    for (uint32_t k = 0; k < g->n_memory; k++) {
        const EventRow *it = &memory[k];
        if (it->kind == RUNG_RELATION)
            relation[r++] = k;
        if (it->kind == RUNG_DELAY)
            delay[n_delays++] = k;
        text_printf(t, "    {%uu, %uu, %uu, ", it->kind, it->is_strict, it->is_exact);
        text_number(t, it->start);
        text_printf(t, ", %uu, ", it->start_in);
        text_number(t, it->interval);
        text_printf(t, ", %uu, ", it->interval_in);
        for (int c = 0; c < 3; c++) {
            text_number(t, c == 0 ? it->shift : c == 1 ? it->factor : it->per);
            text_put(t, ", ");
        }
        text_put(t, "NULL, ");
        put_text(l, it->kind == RUNG_RELATION ? where_of(m, g->memory[k].span) : NULL, t);
        text_printf(t, ", %uu, %uu, %uu, %uu},\n", it->is_driving, it->lag_in, it->particle,
                    it->is_string);
    }
    text_put(t, g->n_memory ? "};\n" : "");
    if (m == &l->m)
        put_indices(t, "static ", arena_printf(m->mem, "%s_relation", m->id), n, relation);
    if (m == &l->m && n_delays)
        put_indices(t, "static ", arena_printf(m->mem, "%s_delay", m->id), n_delays, delay);
    if (g->n_actions)
        text_printf(t, "static const RungAction %s_action[%u] = {\n", m->id, g->n_actions);
    for (uint32_t k = 0; k < g->n_actions; k++)
        text_printf(t, "    {%s, %uu, NULL, NULL},\n",
                    g->action[k].kind == ACTION_REINIT ? "RUNG_REINIT" : "RUNG_TERMINATE",
                    event_state(&e, k));
    text_put(t, g->n_actions ? "};\n" : "");
    text_printf(
        t, "static const RungEvents %s_events_table = {%uu, %uu, %s, %s, %s_event, 0, 0, 0};\n",
        m->id, g->n_memory, g->n_actions,
        g->n_memory ? arena_printf(m->mem, "%s_memory", m->id) : "NULL",
        g->n_actions ? arena_printf(m->mem, "%s_action", m->id) : "NULL", m->id);
}

/* Derivatives by parameters that are states. */
static void sensitivity_tables(const LibraryModel *l, const Model *m, Text *t)
{
    const Program *g = m->g;
    const Sensitivity *s = g->sensitivity;
    if (!s)
        return;
    uint32_t *negated = arena_array(m->mem, uint32_t, g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        negated[k] = s->is_negated[k];
    put_indices(t, "static ", arena_printf(m->mem, "%s_of", m->id), g->n_states, s->of);
    put_indices(t, "static ", arena_printf(m->mem, "%s_by", m->id), g->n_states, s->by);
    put_indices(t, "static ", arena_printf(m->mem, "%s_negated", m->id), g->n_states, negated);
    if (s->shift)
        put_indices(t, "static ", arena_printf(m->mem, "%s_shift", m->id), s->n, s->shift);
    if (s->n_held)
        put_indices(t, "static ", arena_printf(m->mem, "%s_held", m->id), s->n_held, s->held);
    uint32_t *column = arena_array(m->mem, uint32_t, s->n + 1);
    const bool has_columns = l->derives_at_once;
    for (uint32_t j = 0; j < s->n && has_columns; j++)
        column[j] = library_column(g, s->parameter[j]);
    if (has_columns)
        put_indices(t, "static ", arena_printf(m->mem, "%s_parameter_column", m->id), s->n, column);
    text_printf(t,
                "static const RungSensitivity %s_sensitivity = {%uu, %uu, %uu, %uu, %s_of, %s_by, "
                "%s_negated,\n    %s_slopes, 0, %s, %s, %s, %s, %uu, %u};\n",
                m->id, s->n, s->n_directions, s->n_relations, s->n_actions, m->id, m->id, m->id,
                m->id, model_has_own_rates(m) ? arena_printf(m->mem, "%s_own_xdot", m->id) : "NULL",
                has_columns ? arena_printf(m->mem, "%s_parameter_column", m->id) : "NULL",
                s->shift ? arena_printf(m->mem, "%s_shift", m->id) : "NULL",
                s->n_held ? arena_printf(m->mem, "%s_held", m->id) : "NULL", s->n_held,
                s->has_kinks);
}

/* The RungModel for rung_instance.h, without names of variables. */
static void put_model(const LibraryModel *l, Model *m, bool with_linearisation, Text *t)
{
    const Program *g = m->g;
    block_tables(m, t);
    failure_tables(l, m, t);
    if (l->how.kind != LIBRARY_EMBEDDED && m != &l->other)
        block_texts(m, t);
    memory_tables(l, m, t);
    sensitivity_tables(l, m, t);
    library_adjoint_table(m, t);
    double *nominal = arena_array(m->mem, double, g->n_states + 1);
    model_state_scales(m, nominal);
    put_doubles(t, arena_printf(m->mem, "%s_nominal", m->id), g->n_states, nominal);
    const bool turns = model_state_turns(m, nominal);
    if (turns)
        put_doubles(t, arena_printf(m->mem, "%s_turn", m->id), g->n_states, nominal);
    const Linearisation *lin = with_linearisation ? g->linearisation : NULL;
    if (lin) {
        const char *column = arena_printf(m->mem, "%s_column", l->id);
        const char *row = arena_printf(m->mem, "%s_row", l->id);
        const ExprColumns *a = &lin->matrix.columns;
        const char *storage = lin->n_implicit ? "static " : "";
        put_indices(t, storage, column, a->n_cols + 1, a->col_start);
        put_indices(t, storage, row, a->col_start[a->n_cols], a->row);
        uint32_t *dependent = arena_array(m->mem, uint32_t, lin->n_dependent + 1);
        uint32_t *own = arena_array(m->mem, uint32_t, lin->n_dependent + 1);
        for (uint32_t k = 0; k < lin->n_dependent; k++) {
            VarId v = lin->column[a->n_cols - lin->n_dependent + k];
            dependent[k] = m->leaf_index[v.i];
            own[k] = UINT32_MAX;
            for (uint32_t i = 0; i < lin->n_parameters; i++)
                if (lin->parameter[i].i == v.i)
                    own[k] = lin->n_states + lin->n_inputs + i;
        }
        put_indices(t, "static ", arena_printf(m->mem, "%s_own", m->id), lin->n_dependent, own);
        put_indices(t, "static ", arena_printf(m->mem, "%s_dependent", m->id), lin->n_dependent,
                    dependent);
        text_printf(t,
                    "static const RungLinearisation %s_table = {\n"
                    "    .pattern = {%uu, %uu, %s, %s, NULL, 0},\n    .n_outputs = %uu,\n"
                    "    .n_inputs = %uu,\n    .n_parameters = %uu,\n    .n_implicit = %uu,\n"
                    "    .entries = %s_linearisation,\n    .n_dependent = %uu,\n    .dependent = "
                    "%s_dependent,\n  "
                    "  .own = %s_own,\n"
                    "};\n",
                    m->id, a->n_rows, a->n_cols, column, row, lin->n_outputs, lin->n_inputs,
                    lin->n_parameters, lin->n_implicit, m->id, lin->n_dependent, m->id, m->id);
    }
    text_printf(t,
                "static const RungModel %s_model = {\n    .version = RUNG_MODEL_VERSION,\n"
                "    .n_states = %uu,\n    .n_inputs = %uu,\n    .n_unknowns = %uu,\n"
                "    .n_blocks = %uu,\n    .n_pivots = %uu,\n    .n_assertions = %uu,\n"
                "    .n_events = %uu,\n    .nominal = %s_nominal,\n    .xdot = %s_xdot,\n"
                "    .outputs = %s_outputs,\n",
                m->id, g->n_states, m->input.n, m->block_first[g->n_blocks], g->n_blocks,
                g->n_pivots, g->n_assertions, event_n_relations(g), m->id, m->id, m->id);
    if (turns)
        text_printf(t, "    .turn = %s_turn,\n", m->id);
    if (g->n_pivots)
        text_printf(t, "    .pivot = %s_pivot,\n", m->id);
    if (g->n_assertions)
        text_printf(t, "    .assertion = %s_assertion,\n", m->id);
    if (m->has_assertions)
        text_printf(t, "    .assertions = %s_assertions,\n", m->id);
    if (event_n_relations(g))
        text_printf(t, "    .events = %s_events,\n", m->id);
    if (event_exists(g))
        text_printf(t, "    .event = &%s_events_table,\n", m->id);
    if (event_has_delays(g))
        text_printf(t, "    .delays = %s_delays,\n", m->id);
    if (g->n_blocks)
        text_printf(t, "    .block = %s_block,\n", m->id);
    if (lin)
        text_printf(t, "    .linearisation = &%s_table,\n", m->id);
    if (g->adjoint)
        text_printf(t, "    .adjoint = &%s_adjoint_table,\n", m->id);
    if (g->sensitivity)
        text_printf(t, "    .sensitivity = &%s_sensitivity,\n", m->id);
    text_put(t, "};\n\n");
}

static void put_names(const LibraryModel *l, const EmitMembers *it, Text *t)
{
    text_printf(t, "const char *const %s_%s_name[%u] = {\n", l->id, it->what, it->n + 1);
    for (uint32_t k = 0; k < it->n; k++) {
        text_put(t, "    ");
        text_string(t, model_name(&l->m, it->var[k]));
        text_put(t, ",\n");
    }
    text_put(t, "    0};\n");
}

static void default_tables(const LibraryModel *l, Text *t)
{
    const Model *m = &l->m;
    double *p = arena_array(m->mem, double, m->parameter.n + 1);
    double *u = arena_array(m->mem, double, m->input.n + 1);
    for (uint32_t k = 0; k < m->parameter.n; k++)
        p[k] = m->fallback[m->parameter.at[k].i];
    for (uint32_t k = 0; k < m->input.n; k++)
        u[k] = m->fallback[m->input.at[k].i];
    put_doubles(t, arena_printf(m->mem, "%s_parameters", m->id), m->parameter.n, p);
    put_doubles(t, arena_printf(m->mem, "%s_inputs", m->id), m->input.n, u);
}

/* ---- functions ---- */

/* Whether derivatives by parameters may jump. */
static bool has_jumps(const LibraryModel *l)
{
    return l->m.g->sensitivity && event_exists(l->m.g);
}

/* A context whose arrays are those of the instance; and the end of a call, which keeps the error
 * message. */
static void put_open(const LibraryModel *l, Text *t)
{
    const Model *m = &l->m;
    bool has_events = event_exists(m->g), has_other = l->other.g;
    if (l->n_calls) {
        put_indices(t, "static ", arena_printf(m->mem, "%s_call_key", m->id), l->n_calls,
                    l->call_key);
        put_indices(t, "static ", arena_printf(m->mem, "%s_call_at", m->id), l->n_calls,
                    l->call_at);
    }
    text_printf(
        t,
        "typedef struct Opened {\n    RungContext ctx%s;\n    RungRoom room;\n%s%s} Opened;\n\n"
        "static RungContext *open_instance(%s_Instance *m, Opened *o)\n{\n"
        "    RungContext *ctx = &o->ctx;\n"
        "    rung_open_room(&o->room, m->block, m->matrix, m->pivot, m->block_pivot,\n"
        "                   m->derivatives, m->z_before, m->holds);\n"
        "    rung_open_context(ctx, &o->room, &%s_model, m->p, m->is_set, m->c, m->u, m->z,\n"
        "                      m->w);\n",
        has_other ? ", other" : "",
        event_has_delays(m->g) ? "    RungEventRoom events;\n    RungHistory history;\n"
        : has_events           ? "    RungEventRoom events;\n"
                               : "",
        has_jumps(l) ? "    RungSaltation jumps;\n" : "", l->id, m->id);
    if (has_events)
        text_put(t, "    memset(&o->events, 0, sizeof o->events);\n");
    if (m->sys->n_objects)
        text_put(t, "    rung_open_objects(ctx, m->object);\n");
    if (l->n_calls)
        text_printf(
            t, "    rung_open_calls(ctx, &o->events, %uu, %s_call_key, %s_call_at, m->call);\n",
            l->n_calls, m->id, m->id);
    if (has_other)
        text_printf(t,
                    "    rung_open_other(ctx, &o->other, &%s_model, m->other_c, m->other_z,\n"
                    "                    m->other_w);\n",
                    l->other.id);
    if (has_events)
        text_printf(t,
                    "    rung_open_events(ctx, &o->events, %s_relation, m->event, &m->start, "
                    "m->at_zero,\n                     &m->ended, &m->handled);\n",
                    m->id);
    if (m->g->sensitivity)
        text_printf(t, "    rung_open_along(&o->room, m->side, %s);\n",
                    l->derives_at_once ? "m->along, m->along_pivot" : "NULL, NULL");
    if (has_jumps(l))
        text_put(t, "    rung_open_jumps(ctx, &o->events, &o->jumps, m->jump, m->set_by);\n");
    if (event_has_delays(m->g))
        text_printf(
            t,
            "    rung_open_history(ctx, &o->history, %uu, %s_HISTORY, %s_delay, m->history,\n"
            "                      m->delayed, &m->history_first, &m->history_points);\n",
            event_n_delays(m->g), l->id, m->id);
    text_put(t, "    return ctx;\n}\n\n");
    bool says = l->how.kind != LIBRARY_EMBEDDED;
    text_printf(t,
                "static int close_instance(%s_Instance *m, const Opened *o, int status)\n{\n"
                "    %s\n    return status;\n}\n\n",
                l->id,
                says ? arena_printf(m->mem,
                                    "if (status)\n        rung_explain(&o->ctx, %s_block_text, "
                                    "m->why, sizeof m->why);",
                                    m->id)
                     : "(void)m;\n    (void)o;");
    if (says)
        text_printf(t, "const char *%s_why(const %s_Instance *m)\n{\n    return m->why;\n}\n\n",
                    l->id, l->id);
}

static const char opened[] = "    Opened o;\n    RungContext *ctx = open_instance(m, &o);\n";

/* Values of the initial system, where they belong. */
static void put_take_over(const LibraryModel *l, Text *t)
{
    const Model *m = &l->m, *i = &l->initial;
    const InitialProgram *p = m->g->initial;
    Text from = text_new(m->mem);
    for (uint32_t k = 0; k < m->g->n_states; k++) {
        text_printf(t, "    x[%u] = ", k);
        library_place(i, m->g->state[k], "init->", t);
        text_put(t, ";\n");
    }
    for (uint32_t k = 0; k < p->n_free; k++) {
        VarId to = p->free[k].parameter;
        text_clear(&from);
        library_place(i, p->free[k].unknown, "init->", &from);
        if (m->leaf[to.i] == LEAF_PARAMETER)
            text_printf(t, "    m->p[%u] = %s;\n    m->is_set[%u] = 1;\n", m->leaf_index[to.i],
                        from.at, m->leaf_index[to.i]);
        else
            text_printf(t, "    m->u[%u] = %s;\n", m->leaf_index[to.i], from.at);
    }
    for (uint32_t b = 0; b < program_own_blocks(m->g); b++)
        for (uint32_t k = 0; k < m->g->block[b].n; k++) {
            VarId v = m->g->block[b].unknown[k];
            if (!p->is_solved[v.i])
                continue;
            text_printf(t, "    m->z[%u] = ", m->leaf_index[v.i]);
            library_place(i, v, "init->", t);
            text_put(t, ";\n");
        }
}

static void put_guesses(const Model *m, const char *z, Text *t)
{
    if (m->g->n_blocks)
        text_printf(t, "    memcpy(%s, %s_start_of, sizeof %s_start_of);\n", z, m->id, m->id);
}

/* The initial system, solved. */
static void put_initialise(const LibraryModel *l, Text *t)
{
    const Model *i = &l->initial;
    text_printf(t,
                "static int initialise(%s_Instance *m, Opened *o, double t, double *x)\n{\n"
                "    Opened first = *o;\n    RungContext *init = &first.ctx;\n"
                "    double *v = m->v;\n    int status;\n"
                "    rung_open_initial(init, &first.room, &%s_model, m->initial_c, m->initial_z,\n"
                "                      m->initial_w);\n    (void)x;\n",
                l->id, i->id);
    const bool has_memory = i->g->n_memory > 0;
    if (has_memory)
        text_printf(t,
                    "    memcpy(m->initial_u, m->u, %uu * sizeof *m->u);\n"
                    "    init->u = m->initial_u;\n",
                    i->input.n);
    text_printf(t,
                "    RungStarting starting = {init, t, m->matrix, v, %s, %s_start};\n"
                "    status = %s_update(init);\n"
                "    status = status ? status : rung_start(&starting, %s);\n",
                has_memory ? "m->initial_g" : "NULL", i->id, i->id,
                has_memory ? "m->initial_kept" : "NULL");
    if (l->how.kind != LIBRARY_EMBEDDED)
        text_printf(t,
                    "    if (status) {\n        rung_explain(init, %s_block_text, m->why, sizeof "
                    "m->why);\n        rung_fails(&o->ctx, m->why);\n    }\n",
                    i->id);
    text_put(t, "    if (status)\n        return status;\n");
    put_take_over(l, t);
    text_printf(t, "    return %s_update(&o->ctx);\n}\n\n", l->m.id);
}

/* A parameter that is set follows from no other any more: its derivatives by others are 0. */
static void put_independence(const Model *m, Text *t)
{
    for (uint32_t k = 0; k < m->parameter.n && m->g->sensitivity; k++) {
        const char *begin = arena_printf(m->mem, "der(%s,", model_name(m, m->parameter.at[k]));
        for (uint32_t i = 0; i < m->parameter.n; i++)
            if (!strncmp(model_name(m, m->parameter.at[i]), begin, strlen(begin)))
                text_printf(t,
                            "    if (parameter == %u) {\n        m->p[%u] = 0;\n"
                            "        m->is_set[%u] = 1;\n    }\n",
                            k, i, i);
    }
}

static void put_init(const LibraryModel *l, Text *t)
{
    const char *id = l->id, *in = l->m.id;
    const Model *m = &l->m;
    text_printf(t,
                "void %s_defaults(%s_Instance *m)\n{\n    memset(m, 0, sizeof *m);\n"
                "    memcpy(m->p, %s_parameters, sizeof %s_parameters);\n"
                "    memcpy(m->u, %s_inputs, sizeof %s_inputs);\n}\n\n",
                id, id, in, in, in, in);
    text_printf(t,
                "void %s_set(%s_Instance *m, unsigned parameter, double value)\n{\n"
                "    m->p[parameter] = value;\n    m->is_set[parameter] = 1;\n",
                id, id);
    put_independence(m, t);
    text_printf(t,
                "}\n\n"
                "int %s_update(%s_Instance *m)\n{\n%s"
                "    int status = %s_update(ctx);\n",
                id, id, opened, in);
    if (l->other.g)
        text_printf(t, "    status = status ? status : %s_update(&o.other);\n", l->other.id);
    text_put(t, "    return close_instance(m, &o, status);\n}\n\n");
    if (l->initial.g)
        put_initialise(l, t);
    text_printf(t,
                "static int begin_instance(%s_Instance *m, Opened *o, double t, double *x)\n{\n"
                "    RungContext *ctx = &o->ctx;\n    int status;\n",
                id);
    if (l->m.sys->n_objects)
        text_printf(t, "    %s_free(m); // objects begin anew\n", id);
    put_guesses(m, "m->z", t);
    if (l->other.g)
        put_guesses(&l->other, "m->other_z", t);
    text_printf(t,
                "    status = %s_update(ctx);\n"
                "    status = status ? status : %s_start(ctx, t, x);\n",
                in, in);
    if (event_exists(m->g))
        text_put(t, "    m->ended = 0;\n    rung_reset_events(ctx);\n");
    if (l->initial.g)
        text_put(t, "    status = status ? status : initialise(m, o, t, x);\n");
    if (l->other.g)
        text_printf(t, "    status = status ? status : %s_update(&o->other);\n", l->other.id);
    if (event_exists(m->g))
        text_put(t, "    status = status ? status : rung_begin_events(ctx, t, x);\n");
    text_printf(t,
                "    (void)m;\n    return status ? status : rung_assert(ctx, t, x);\n}\n\n"
                "int %s_init(%s_Instance *m, double t, double *x)\n{\n    Opened o;\n"
                "    open_instance(m, &o);\n"
                "    return close_instance(m, &o, begin_instance(m, &o, t, x));\n}\n\n",
                id, id);
}

static void put_inverse(const LibraryModel *l, Text *t)
{
    const char *id = l->id, *in = l->m.id;
    const Model *m = &l->m;
    const LibraryInverse *i = &l->how.inverse;
    uint32_t n = i->n;
    text_printf(t,
                "int %s_defaults(%s_Instance *m)\n{\n    memset(m, 0, sizeof *m);\n"
                "    memcpy(m->p, %s_parameters, sizeof %s_parameters);\n"
                "    memcpy(m->u, %s_inputs, sizeof %s_inputs);\n    return %s_update(m);\n}\n\n",
                id, id, in, in, in, in, id);
    text_printf(
        t,
        "void %s_set(%s_Instance *m, unsigned parameter, double value)\n{\n"
        "    m->p[parameter] = value;\n    m->is_set[parameter] = 1;\n}\n\n"
        "int %s_update(%s_Instance *m)\n{\n%s    return close_instance(m, &o, %s_update(ctx));\n"
        "}\n\n",
        id, id, id, id, opened, in);
    text_printf(t,
                "int %s_inverse(%s_Instance *m, double t, const double *q, const double *qd, const "
                "double *qdd,\n    double *effort)\n{\n%s",
                id, id, opened);
    for (uint32_t k = 0; k < n; k++)
        text_printf(t, "    m->u[%u] = q[%u];\n    m->u[%u] = qd[%u];\n    m->u[%u] = qdd[%u];\n",
                    m->leaf_index[i->position[k].i], k, m->leaf_index[i->velocity[k].i], k,
                    m->leaf_index[i->acceleration[k].i], k);
    text_printf(t, "    double *v = m->v;\n"
                   "    const int status = rung_evaluate(ctx, RUNG_ASK_OUTPUTS, t, m->matrix, v);\n"
                   "    (void)v;\n");
    for (uint32_t k = 0; k < n; k++) {
        text_printf(t, "    effort[%u] = ", k);
        library_place(m, i->effort[k], "m->", t);
        text_put(t, ";\n");
    }
    text_printf(t,
                "    return close_instance(m, &o, status);\n}\n\n"
                "int %s_gravity(%s_Instance *m, double t, const double *q, double *effort)\n{\n"
                "    static const double rest[%u] = {0};\n"
                "    return %s_inverse(m, t, q, rest, rest, effort);\n}\n\n"
                "int %s_mass_matrix(%s_Instance *m, double t, const double *q, double *mass)\n{\n"
                "    static const double rest[%u] = {0};\n    double qdd[%u] = {0}, still[%u];\n"
                "    int status = %s_gravity(m, t, q, still);\n"
                "    for (uint32_t c = 0; c < %uu && !status; c++) {\n        qdd[c] = 1;\n"
                "        status = %s_inverse(m, t, q, rest, qdd, mass + c * %uu);\n"
                "        qdd[c] = 0;\n"
                "        for (uint32_t r = 0; r < %uu; r++)\n"
                "            mass[c * %uu + r] -= still[r];\n    }\n    return status;\n}\n\n",
                id, id, n, id, id, id, n, n, n, id, n, id, n, n, n);
}

/* Copies the outputs from the evaluated values v. */
static void put_values(const LibraryModel *l, const Model *m, const char *ctx, const char *indent,
                       Text *t)
{
    for (uint32_t k = 0; k < l->output.n; k++) {
        text_printf(t, "%sy[%u] = ", indent, k);
        library_place(m, l->output.var[k], ctx, t);
        text_put(t, ";\n");
    }
}

static void put_outputs(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    text_printf(t,
                "int %s_xdot(%s_Instance *m, double t, const double *x, double *xdot)\n{\n%s"
                "    return close_instance(m, &o, rung_evaluate(ctx, RUNG_ASK_XDOT, t, x, xdot));\n"
                "}\n\n",
                id, id, opened);
    text_printf(t,
                "int %s_outputs(%s_Instance *m, double t, const double *x, double *y)\n{\n%s"
                "    double *v = m->v;\n"
                "    int status = rung_evaluate(ctx, RUNG_ASK_OUTPUTS, t, x, v);\n"
                "    (void)v;\n    (void)y;\n",
                id, id, opened);
    if (l->other.g) {
        text_put(t, "    if (rung_is_by_other(ctx)) {\n");
        put_values(l, &l->other, "o.other.", "        ", t);
        text_put(t, "    } else {\n");
        put_values(l, &l->m, "ctx->", "        ", t);
        text_put(t, "    }\n");
    } else {
        put_values(l, &l->m, "ctx->", "    ", t);
    }
    if (l->output.n)
        text_printf(t,
                    "    for (uint32_t k = 0; k < %uu && !status; k++)\n"
                    "        status = !(fabs(y[k]) <= DBL_MAX);\n",
                    l->output.n);
    text_put(t, "    return close_instance(m, &o, status);\n}\n\n");
}

/* The functions of M.h on assertions and events. */
static void put_questions(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    const Program *g = l->m.g;
    if (g->n_assertions) {
        text_printf(t,
                    "int %s_assertions(%s_Instance *m, double t, const double *x, unsigned char "
                    "*holds)\n{\n%s",
                    id, id, opened);
        text_printf(t,
                    "    const int status = %s;\n"
                    "    (void)t;\n    (void)x;\n"
                    "    for (uint32_t k = 0; k < %uu; k++) {\n"
                    "        const uint32_t constant = %s_assertion[k].constant;\n"
                    "        holds[k] = constant != RUNG_NONE ? ctx->c[constant] != 0 : "
                    "m->holds[k] != 0;\n    }\n"
                    "    return close_instance(m, &o, status);\n}\n\n",
                    l->m.has_assertions ? "rung_evaluate(ctx, RUNG_ASK_ASSERTIONS, t, x, m->holds)"
                                        : "0",
                    g->n_assertions, l->m.id);
    }
    if (!event_exists(g))
        return;
    text_printf(t,
                "int %s_relations(%s_Instance *m, double t, const double *x, double *g)\n{\n%s"
                "    return close_instance(m, &o, %s);\n}\n\n",
                id, id, opened,
                event_n_relations(g) ? "rung_evaluate(ctx, RUNG_ASK_RELATIONS, t, x, g)"
                                     : "((void)ctx, (void)t, (void)x, (void)g, 0)");
    text_printf(t,
                "int %s_is_event(%s_Instance *m, double t, const double *x)\n{\n%s"
                "    return rung_is_event(ctx, t, x);\n}\n\n",
                id, id, opened);
    text_printf(t,
                "double %s_next_event(%s_Instance *m)\n{\n%s    return rung_next_time(ctx);\n}\n\n",
                id, id, opened);
    text_printf(t,
                "int %s_event(%s_Instance *m, double t, double *x)\n{\n%s"
                "    return close_instance(m, &o, rung_event_at(ctx, t, x));\n}\n\n",
                id, id, opened);
    if (event_has_delays(g))
        text_printf(t,
                    "int %s_record(%s_Instance *m, double t, const double *x)\n{\n%s"
                    "    return close_instance(m, &o, rung_record_step(ctx, t, x));\n}\n\n",
                    id, id, opened);
    text_printf(t, "int %s_has_ended(const %s_Instance *m)\n{\n    return m->ended;\n}\n\n", id,
                id);
}

/* Where there are nonlinear equations that no step may solve, these are watched over the step. */
static void put_step(const LibraryModel *l, Text *t)
{
    const Program *g = l->m.g;
    bool has_events = event_exists(g), watches = library_watches_branches(&l->m);
    text_printf(t,
                "int %s_step(%s_Instance *m, double t, double h, double *x, double *error)\n{\n%s",
                l->id, l->id, opened);
    if (watches)
        text_put(t, "    RungBranches branches = rung_open_branches(ctx, m->v, m->branch_x, "
                    "m->branch_z, m->of_step);\n"
                    "    int status = rung_branches_begin(&branches, t, x);\n"
                    "    status = status ? status : ");
    else
        text_put(t, "    int status = ");
    text_printf(t, "rung_step%s(ctx, t, h, x, error);\n", has_events ? "_with_events" : "");
    if (watches) {
        text_printf(t,
                    "    if (!status) {\n"
                    "        status = rung_branches_end(&branches, t + h, x, %s);\n",
                    has_events ? "rung_had_event(&o.events)" : "0");
        if (event_has_delays(g))
            text_put(t, "        if (status)\n"
                        "            rung_withdraw(&o.history);\n");
        text_put(t, "    }\n");
    }
    text_put(t, "    status = status ? status : rung_assert(ctx, t + h, x);\n"
                "    return close_instance(m, &o, status);\n}\n\n");
}

static void put_derivatives(const LibraryModel *l, Text *t)
{
    const char *id = l->id, *in = l->m.id;
    const Linearisation *lin = l->m.g->linearisation;
    if (lin)
        text_printf(t,
                    "int %s_jacobian(%s_Instance *m, double t, const double *x, double *abcd)\n{\n"
                    "%s    return close_instance(m, &o, rung_linearise(ctx, t, x, abcd));\n}\n\n",
                    id, id, opened);
    if (lin && !lin->n_implicit)
        text_printf(
            t,
            "int %s_entries(%s_Instance *m, double t, const double *x, double *entry)\n{\n"
            "%s    const int status = rung_refresh(ctx, t, x);\n"
            "    return close_instance(m, &o, status ? status : %s_linearisation(ctx, t, x, "
            "entry));\n}\n\n",
            id, id, opened, in);
    put_step(l, t);
    if (l->m.g->residual && l->m.g->residual->n)
        text_printf(
            t,
            "int %s_residual(%s_Instance *m, double t, const double *x, const double *a, "
            "double *r)\n{\n%s    const int status = rung_refresh(ctx, t, x);\n"
            "    return close_instance(m, &o, status ? status : %s_form(ctx, t, x, a, r));\n}\n\n",
            id, id, opened, in);
}

void library_code(LibraryModel *l, Text *t)
{
    text_put(t, "/* Generated by rung. SPDX-License-Identifier: BSD-3-Clause */\n");
    text_comment(t, l->m.sys->model ? l->m.sys->model : "");
    text_put(t, "\n");
    if (!l->has_functions)
        text_put(t, "#define RUNG_NO_TEXTS\n");
    if (l->how.kind == LIBRARY_EMBEDDED || l->how.single_precision)
        text_put(t, "#define RUNG_SCALAR\n");
    if (l->how.kind == LIBRARY_EMBEDDED) // its C library may have no <fenv.h>
        text_put(t, "#define RUNG_NEAREST\n");
    if (has_jumps(l))
        text_put(t, "#define RUNG_SALTATION\n");
    if (l->m.g->adjoint)
        text_put(t, "#define RUNG_TAPE\n");
    text_printf(t, "#include \"%s.h\"\n#include \"%s.h\"\n", l->id, l->m.id);
    if (l->initial.g)
        text_printf(t, "#include \"%s.h\"\n", l->initial.id);
    if (l->other.g)
        text_printf(t, "#include \"%s.h\"\n", l->other.id);
    if (l->m.sys->n_objects)
        text_put(t, "#include \"external.h\"\n");
    text_printf(t, "#include \"%s\"\n", event_exists(l->m.g) ? "rung_event.h" : "rung_instance.h");
    if (l->m.g->adjoint)
        text_printf(t, "#include \"rung_%sadjoint.h\"\n", event_exists(l->m.g) ? "event_" : "");
    text_put(t, "\n");
    index_tables(&l->m, t);
    if (l->initial.g) {
        index_tables(&l->initial, t);
        Text *entries = coder_entries(l->initial.code);
        text_put_n(t, entries->at, entries->n);
        put_model(l, &l->initial, false, t);
    }
    if (l->other.g) {
        index_tables(&l->other, t);
        Text *entries = coder_entries(l->other.code);
        text_put_n(t, entries->at, entries->n);
        put_model(l, &l->other, false, t);
    }
    Text *entries = coder_entries(l->m.code);
    text_put_n(t, entries->at, entries->n);
    put_model(l, &l->m, true, t);
    default_tables(l, t);
    put_open(l, t);
    if (l->how.kind == LIBRARY_INVERSE) {
        put_inverse(l, t);
        put_names(l, &l->state, t);
        put_names(l, &l->output, t);
        return;
    }
    put_init(l, t);
    put_outputs(l, t);
    if (l->m.sys->n_objects)
        text_printf(t,
                    "void %s_free(%s_Instance *m)\n{\n    for (uint32_t k = 0; k < %uu; k++)\n"
                    "        rung_object_destroy((struct RungObject *)&m->object[k]);\n}\n\n",
                    l->id, l->id, l->m.sys->n_objects);
    put_derivatives(l, t);
    put_questions(l, t);
    library_lanes_code(l, t);
    library_adjoint_code(l, t);
    if (l->how.kind == LIBRARY_EMBEDDED)
        return;
    put_names(l, &l->state, t);
    put_names(l, &l->input, t);
    put_names(l, &l->output, t);
    put_names(l, &l->parameter, t);
}
