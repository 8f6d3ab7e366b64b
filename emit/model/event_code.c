#include "emit/model/event_code.h"

#include "base/hash.h"
#include "emit/model/event_parts.h"
#include "emit/model/relation_guards.h"
#include "runtime/kernel/rung_model.h"

#include <string.h>

bool event_exists(const Program *g)
{
    return g->n_memory > 0 || g->n_actions > 0;
}

static uint32_t count_memory(const Program *g, MemoryKind kind)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->n_memory; k++)
        n += g->memory[k].kind == kind;
    return n;
}

uint32_t event_n_delays(const Program *g)
{
    return count_memory(g, MEMORY_DELAY);
}

bool event_has_delays(const Program *g)
{
    return event_n_delays(g) > 0;
}

uint32_t event_n_relations(const Program *g)
{
    return count_memory(g, MEMORY_RELATION);
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

/* The function `name`: of parts that have functions of their own, or in one piece. */
static void put_section(const EventTables *e, const char *name, const EventParts *parts, uint32_t n,
                        const Root *root, const char *first)
{
    uint32_t mark = coder_mark(e->code);
    for (uint32_t p = 0; p < parts->n; p++) {
        uint32_t begin = parts->first[p];
        coder_section(e->code, SECTION_XDOT, arena_printf(e->mem, "%s_part_%u", name, p),
                      UINT32_MAX, parts->first[p + 1] - begin, parts->root + begin, first);
        coder_forget(e->code, mark);
    }
    if (!parts->n) {
        coder_section(e->code, SECTION_XDOT, name, UINT32_MAX, n, root, first);
        coder_forget(e->code, mark);
        return;
    }
    event_put_parts(e, name, parts);
}

void event_put_parts(const EventTables *e, const char *name, const EventParts *parts)
{
    static const char arguments[] = "RungContext *ctx, double t, const double *x, double *out";
    Text *t = coder_entries(e->code);
    text_printf(t, "\nstatic int (*const %s_part[])(%s) = {\n", name, arguments);
    for (uint32_t p = 0; p < parts->n; p++)
        text_printf(t, "    %s_%s_part_%u,\n", e->id, name, p);
    text_printf(t,
                "};\n\nint %s_%s(%s)\n{\n    int status = 0;\n"
                "    for (uint32_t k = 0; k < %uu && !status; k++)\n"
                "        status = %s_part[k](ctx, t, x, out);\n    return status;\n}\n",
                e->id, name, arguments, parts->n, name);
    text_printf(coder_prototypes(e->code), "int %s_%s(%s);\n", e->id, name, arguments);
}

bool event_sections(const EventTables *e, const char *first)
{
    const Program *g = e->g;
    System *s = g->sys;
    uint32_t most = g->n_memory + 2 * g->n_actions + 1;
    Root *root = arena_array(e->mem, Root, most);
    uint32_t *tie = arena_array(e->mem, uint32_t, most);
    bool *idle = arena_array(e->mem, bool, most);
    uint32_t mark = coder_mark(e->code);
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->n_memory; k++)
        if (g->memory[k].kind == MEMORY_RELATION) {
            root[n] = out_root(e, g->memory[k].of, n, "relation");
            // the second one of a floor changes it together with the first
            tie[n] = k > 1 && g->memory[k - 2].kind == MEMORY_FLOOR ? n - 1 : n;
            n++;
        }
    *e->relations = event_parts_find(e, first ? 0 : e->part, n, root, tie, NULL);
    if (n)
        put_section(e, "events", e->relations, n, root, first);

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
        bool is_timed = m->kind == MEMORY_SAMPLE || m->kind == MEMORY_CLOCK;
        if (m->kind != MEMORY_RELATION && !is_number(e, m->start, &value))
            coder_constant(e->code, m->start);
        if (is_timed && !is_number(e, m->interval, &value))
            coder_constant(e->code, m->interval);
        if (m->kind != MEMORY_PRE && m->kind != MEMORY_LEFT_LIMIT)
            continue;
        tie[n] = n;
        idle[n] = m->kind == MEMORY_LEFT_LIMIT; // computed before all others
        root[n++] = out_root(e, m->of, k, s->var.at[m->var.i].name.s);
    }
    for (uint32_t k = 0; k < g->n_actions; k++) {
        const Action *a = &g->action[k];
        bool negated;
        tie[n] = n;
        idle[n] = false;
        root[n++] = out_root(e, a->fires, g->n_memory + 2 * k, "active");
        if (a->kind != ACTION_REINIT)
            continue;
        if (state_of(e, a, &negated) == RUNG_NONE) {
            diag_error(s->diags, a->span, "G03",
                       "the variable that reinit sets is no state of the model");
            return false;
        }
        ExprId x = negated ? expr_neg(s->pool, a->value) : a->value;
        tie[n] = n - 1;
        idle[n] = event_is_edge(g, a->fires); // it is used in that case only
        root[n++] = out_root(e, x, g->n_memory + 2 * k + 1, "reinit");
    }
    *e->values = event_parts_find(e, first ? 0 : e->part, n, root, tie, idle);
    put_section(e, "event", e->values, n, root, first);
    return true;
}

/* A value of parameters: a number, or a place in c. */
static void value_of(const EventTables *e, ExprId x, double *value, uint32_t *in)
{
    *in = is_number(e, x, value) ? RUNG_NONE : coder_constant(e->code, x);
}

static const char *place_of(const EventTables *e, const Memory *m)
{
    return m->span.file ? diags_where(e->g->sys->diags, m->span) : "";
}

/* The nodes that derivatives of states depend on; with cut loops, all. */
static const bool *what_drives(const EventTables *e)
{
    const Program *g = e->g;
    const ExprPool *p = g->sys->pool;
    for (uint32_t k = 0; k < g->n_memory; k++)
        system_var_expr(g->sys, g->memory[k].var);
    uint32_t n = pool_size(p);
    bool *drives = arena_array(e->mem, bool, n + 1);
    if (g->loops)
        memset(drives, true, n);
    program_reach(p, g->n_states, g->derivative, drives);
    for (uint32_t k = 0; k < program_own_blocks(g); k++) {
        program_reach(p, g->block[k].n, g->block[k].residual, drives);
        program_reach(p, g->block[k].col_start[g->block[k].n], g->block[k].entry, drives);
    }
    return drives;
}

/* The number of the memory that holds how long a delay is. */
static uint32_t lag_memory(const EventTables *e, const Memory *m)
{
    const System *s = e->g->sys;
    return s->var.at[expr_var_of(s->pool, m->interval).i].index;
}

EventRow *event_rows(const EventTables *e)
{
    static const uint32_t kinds[] = {
        [MEMORY_RELATION] = RUNG_RELATION,     [MEMORY_PRE] = RUNG_PRE,
        [MEMORY_INITIAL] = RUNG_INITIAL,       [MEMORY_TERMINAL] = RUNG_TERMINAL,
        [MEMORY_SAMPLE] = RUNG_SAMPLE,         [MEMORY_DELAY] = RUNG_DELAY,
        [MEMORY_FLOOR] = RUNG_FLOOR,           [MEMORY_CLOCK] = RUNG_CLOCK,
        [MEMORY_LEFT_LIMIT] = RUNG_LEFT_LIMIT, [MEMORY_HOMOTOPY] = RUNG_HOMOTOPY,
        [MEMORY_SHIFT] = RUNG_SHIFT,
    };
    uint32_t n = e->g->n_memory;
    const bool *drives = what_drives(e);
    EventRow *row = arena_array(e->mem, EventRow, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        const Memory *m = &e->g->memory[k];
        bool has_start = m->kind != MEMORY_RELATION && m->kind != MEMORY_LEFT_LIMIT;
        bool is_timed = m->kind == MEMORY_SAMPLE || m->kind == MEMORY_CLOCK;
        row[k] = (EventRow){.kind = kinds[m->kind],
                            .is_strict = m->is_strict,
                            .is_exact = m->is_exact,
                            .is_driving = drives[system_var_expr(e->g->sys, m->var).i],
                            .shift = m->shift,
                            .factor = m->factor,
                            .per = m->per};
        value_of(e, has_start ? m->start : EXPR_NONE, &row[k].start, &row[k].start_in);
        value_of(e, is_timed ? m->interval : EXPR_NONE, &row[k].interval, &row[k].interval_in);
        if (m->kind == MEMORY_DELAY && expr_exists(m->interval))
            row[k].lag_in = 1 + lag_memory(e, m);
        if (m->particle)
            row[k].particle = m->particle + (m->end ? RUNG_PARTICLE_KINDS : 0);
        row[k].is_string = e->g->sys->var.at[m->var.i].type == TYPE_STRING;
    }
    return row;
}

uint32_t event_state(const EventTables *e, uint32_t k)
{
    bool negated;
    const Action *a = &e->g->action[k];
    return a->kind == ACTION_REINIT ? state_of(e, a, &negated) : RUNG_NONE;
}

static void memory_table(const EventTables *e, Tables *t)
{
    enum { NUMBERS = 9, VALUES = 5, ALWAYS = 2, ALWAYS_NUMBERS = 6, OF_STRINGS = 8 };
    static const char *const number_of[NUMBERS] = {"kind",     "is_strict",   "is_exact",
                                                   "start_in", "interval_in", "is_driving",
                                                   "lag_in",   "particle",    "is_string"};
    static const char *const value_name[VALUES] = {"start", "interval", "shift", "factor", "per"};
    bool has_clocks = false, has_lags = false, has_strings = false;
    uint32_t n = e->g->n_memory, *number[NUMBERS];
    const EventRow *row = event_rows(e);
    double *value[VALUES];
    uint64_t *token = arena_array(e->mem, uint64_t, n);
    Patterns text = {0}, where = {0};
    for (int c = 0; c < NUMBERS; c++)
        number[c] = arena_array(e->mem, uint32_t, n);
    for (int c = 0; c < VALUES; c++)
        value[c] = arena_array(e->mem, double, n);
    for (uint32_t k = 0; k < n; k++) {
        const Memory *m = &e->g->memory[k];
        const EventRow *r = &row[k];
        const uint32_t numbers[NUMBERS] = {r->kind,     r->is_strict,   r->is_exact,
                                           r->start_in, r->interval_in, r->is_driving,
                                           r->lag_in,   r->particle,    r->is_string};
        const double values[VALUES] = {r->start, r->interval, r->shift, r->factor, r->per};
        for (int c = 0; c < NUMBERS; c++)
            number[c][k] = numbers[c];
        for (int c = 0; c < VALUES; c++)
            value[c][k] = values[c];
        has_lags = has_lags || r->lag_in || r->particle;
        has_strings = has_strings || r->is_string;
        has_clocks = has_clocks || m->kind == MEMORY_CLOCK;
        token[k] = number[5][k] << 8 | number[0][k] << 2 | number[1][k] << 1 | number[2][k];
        token[k] = hash_pair(token[k], table_text(t, &text, m->text ? m->text : ""));
        token[k] = hash_pair(token[k], table_text(t, &where, place_of(e, m)));
    }
    Repeats repeats = table_repeats(n, token, e->mem);
    TableColumn texts = {"memory->text", "sizeof *memory", n, &repeats};
    TableColumn places = {"memory->where", "sizeof *memory", n, &repeats};
    text_printf(t->out, "\nstatic RungMemory memory[%u];\n", n);
    for (int c = 0; c < NUMBERS; c++)
        if (c < ALWAYS_NUMBERS || (c < OF_STRINGS ? has_lags : has_strings))
            table_numbers(t,
                          (TableColumn){arena_printf(e->mem, "memory->%s", number_of[c]),
                                        "sizeof *memory", n, &repeats},
                          number[c]);
    for (int c = 0; c < (has_clocks ? VALUES : ALWAYS); c++)
        table_values(t,
                     (TableColumn){arena_printf(e->mem, "memory->%s", value_name[c]),
                                   "sizeof *memory", n, &repeats},
                     value[c]);
    table_texts(t, texts, &text, "memory_text", false);
    table_texts(t, places, &where, "memory_where", false);
}

static void action_table(const EventTables *e, Tables *t)
{
    static const uint32_t kinds[] = {
        [ACTION_REINIT] = RUNG_REINIT,
        [ACTION_TERMINATE] = RUNG_TERMINATE,
    };
    const System *s = e->g->sys;
    uint32_t n = e->g->n_actions;
    uint32_t *kind = arena_array(e->mem, uint32_t, n), *state = arena_array(e->mem, uint32_t, n);
    uint64_t *token = arena_array(e->mem, uint64_t, n);
    Patterns message = {0}, where = {0};
    for (uint32_t k = 0; k < n; k++) {
        const Action *a = &e->g->action[k];
        bool literal = a->kind == ACTION_TERMINATE && expr_op(s->pool, a->value) == OP_STRING;
        kind[k] = kinds[a->kind];
        state[k] = event_state(e, k);
        token[k] = hash_pair(kind[k], table_text(t, &message,
                                                 literal ? expr_text_of(s->pool, a->value).s
                                                         : "the model ends the run"));
        token[k] = hash_pair(
            token[k], table_text(t, &where, a->span.file ? diags_where(s->diags, a->span) : ""));
    }
    Repeats repeats = table_repeats(n, token, e->mem);
    text_printf(t->out, "\nstatic RungAction action[%u];\n", n);
    table_numbers(t, (TableColumn){"action->kind", "sizeof *action", n, &repeats}, kind);
    table_numbers(t, (TableColumn){"action->state", "sizeof *action", n, &repeats}, state);
    table_texts(t, (TableColumn){"action->message", "sizeof *action", n, &repeats}, &message,
                "action_message", false);
    table_texts(t, (TableColumn){"action->where", "sizeof *action", n, &repeats}, &where,
                "action_where", false);
}

void event_parts_table(const EventTables *e, Tables *t, const char *of, const EventParts *parts)
{
    uint32_t n = parts->first[parts->n], *out = arena_array(e->mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        out[k] = parts->root[k].index;
    const struct {
        const char *name;
        uint32_t n;
        const uint32_t *value;
    } column[] = {{"first_out", parts->n + 1, parts->first},
                  {"out", n, out},
                  {"first_read", parts->n + 1, parts->first_read},
                  {"read", parts->first_read[parts->n], parts->read},
                  {"nature", parts->n, parts->nature},
                  {"first_state", parts->n + 1, parts->first_state},
                  {"state", parts->first_state[parts->n], parts->state}};
    // only relations are evaluated inside steps, and need the list of states
    enum { ALWAYS = 5 };
    bool has_states = parts == e->relations;
    for (size_t c = 0; c < (has_states ? sizeof column / sizeof *column : ALWAYS); c++)
        table_indices(t, arena_printf(e->mem, "%s_%s", of, column[c].name), column[c].n,
                      column[c].value, NULL);
    text_printf(
        t->out,
        "\nstatic const RungEventParts %s_parts = {\n    .n = %uu,\n"
        "    .evaluate = %s_part,\n    .first_out = %s_first_out,\n    .out = %s_out,\n"
        "    .first_read = %s_first_read,\n    .read = %s_read,\n    .nature = %s_nature,\n",
        of, parts->n, of, of, of, of, of, of);
    if (has_states)
        text_printf(t->out, "    .first_state = %s_first_state,\n    .state = %s_state,\n", of, of);
    text_put(t->out, "};\n");
}

static bool guard_table(const EventTables *e, Tables *t)
{
    const Repeats none = {0};
    RelationGuards it = relation_guards_find(e->g, e->mem);
    if (!it.n)
        return false;
    table_indices(t, "guard_op", it.n, it.op, NULL);
    table_indices(t, "guard_a", it.n, it.a, NULL);
    table_indices(t, "guard_b", it.n, it.b, NULL);
    table_doubles(t, "guard_number", it.n_numbers, it.number, &none);
    table_indices(t, "guard_of", it.n_relations, it.of, NULL);
    text_printf(t->out,
                "\nstatic const RungGuards guards = {\n    .n = %uu,\n    .op = guard_op,\n"
                "    .a = guard_a,\n    .b = guard_b,\n    .number = guard_number,\n"
                "    .of = guard_of,\n};\n",
                it.n);
    return true;
}

void event_tables(const EventTables *e, Tables *tables)
{
    const Program *g = e->g;
    bool has_guards = guard_table(e, tables);
    if (e->relations->n)
        event_parts_table(e, tables, "events", e->relations);
    if (e->values->n)
        event_parts_table(e, tables, "event", e->values);
    if (g->n_memory)
        memory_table(e, tables);
    if (g->n_actions)
        action_table(e, tables);
    text_printf(tables->out,
                "\nstatic const RungEvents event_table = {\n    .n_memory = %uu,\n"
                "    .n_actions = %uu,\n%s%s    .event = %s_event,\n%s%s%s};\n",
                g->n_memory, g->n_actions, g->n_memory ? "    .memory = memory,\n" : "",
                g->n_actions ? "    .action = action,\n" : "", e->id,
                e->relations->n ? "    .relations = &events_parts,\n" : "",
                e->values->n ? "    .values = &event_parts,\n" : "",
                has_guards ? "    .guards = &guards,\n" : "");
}
