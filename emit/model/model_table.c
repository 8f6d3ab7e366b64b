/* The tables of the interface. */
#include "base/bug.h"
#include "base/hash.h"
#include "emit/code/message.h"
#include "emit/model/kinks.h"
#include "emit/model/model.h"

#include <math.h>
#include <string.h>

static const char *kind_text(const Model *m, VarId v)
{
    if (m->leaf[v.i] == LEAF_STATE)
        return "RUNG_STATE";
    switch (m->sys->var.at[v.i].kind) {
    case VAR_CONSTANT:
        return "RUNG_CONSTANT";
    case VAR_PARAMETER:
        return "RUNG_PARAMETER";
    case VAR_INPUT:
        return "RUNG_INPUT";
    case VAR_MEMORY:
    case VAR_DISCRETE:
        return "RUNG_DISCRETE";
    case VAR_CONTINUOUS:
        break;
    }
    return "RUNG_ALGEBRAIC";
}

static const char *type_text(BaseType type)
{
    return type == TYPE_INTEGER       ? "RUNG_INTEGER"
           : type == TYPE_BOOLEAN     ? "RUNG_BOOLEAN"
           : type == TYPE_ENUMERATION ? "RUNG_ENUMERATION"
                                      : "RUNG_REAL";
}

/* The attributes that rows share. */
typedef struct Common {
    const char *text[3], *kind;
    BaseType type;
    const Enumeration *enumeration; /* NULL: of another type */
    bool is_output, is_protected, hides_result;
    double min, max;
    uint32_t min_in, max_in; /* RUNG_NONE: the number */
} Common;

static Common common_of(const Model *m, VarId var)
{
    const Var *v = &m->sys->var.at[var.i];
    Common it = {.text = {v->attr.unit.s, v->attr.display_unit.s, v->description.s},
                 .kind = kind_text(m, var),
                 .type = v->type,
                 .enumeration = v->enumeration < m->sys->enumeration.n
                                    ? &m->sys->enumeration.at[v->enumeration]
                                    : NULL,
                 .is_output = v->is_output,
                 .is_protected = v->is_protected,
                 .hides_result = v->hides_result,
                 .min = -INFINITY,
                 .max = INFINITY};
    model_bound(m, v->attr.min, &it.min, &it.min_in);
    model_bound(m, v->attr.max, &it.max, &it.max_in);
    return it;
}

static bool has_bounds(const Common *a)
{
    return a->min != -INFINITY || a->max != INFINITY || a->min_in != RUNG_NONE ||
           a->max_in != RUNG_NONE;
}

static void put_bounds(Text *t, const Common *a)
{
    const double bound[] = {a->min, a->max};
    const uint32_t in[] = {a->min_in, a->max_in};
    text_put(t, "    {");
    for (int i = 0; i < 2; i++) {
        if (isinf(bound[i]))
            text_put(t, bound[i] < 0 ? "-INFINITY" : "INFINITY");
        else
            text_number(t, bound[i]);
        text_put(t, ", ");
    }
    for (int i = 0; i < 2; i++) {
        if (in[i] == RUNG_NONE)
            text_put(t, "RUNG_NONE");
        else
            text_printf(t, "%uu", in[i]);
        text_put(t, i ? "},\n" : ", ");
    }
}

/* bounds: its place in their table. */
static void put_common(Text *t, const Common *a, uint32_t bounds)
{
    text_put(t, "    {");
    for (int i = 0; i < 3; i++) {
        text_string(t, a->text[i]);
        text_put(t, ", ");
    }
    text_printf(t, "%s, %s, %d, %d, %d", a->kind, type_text(a->type), a->is_output, a->is_protected,
                a->hides_result);
    if (has_bounds(a))
        text_printf(t, ", bounds + %u", bounds);
    else
        text_put(t, ", NULL");
    text_printf(t, ", %u, ", a->enumeration ? a->enumeration->n : 0);
    if (a->enumeration)
        text_string(t, enumeration_text(a->enumeration, t->mem));
    else
        text_put(t, "NULL");
    text_put(t, "},\n");
}

/* Per row, its attributes; rows of equal attributes share them. */
static const uint32_t *attribute_table(Model *m)
{
    Text *t = &m->tables;
    Map known = map_new(m->mem);
    VEC(Common) common = {0};
    uint32_t *of = arena_array(m->mem, uint32_t, m->row.n);
    for (uint32_t k = 0; k < m->row.n; k++) {
        Common it = common_of(m, m->row.at[k].var);
        uint64_t key = hash_pair(map_key_ptr(it.text[0]), map_key_ptr(it.text[1]));
        key = hash_pair(hash_pair(key, map_key_ptr(it.text[2])), map_key_ptr(it.kind));
        key = hash_pair(key, (uint64_t)it.type << 3 | (uint64_t)it.is_output << 2 |
                                 (uint64_t)it.is_protected << 1 | it.hides_result);
        key = hash_pair(hash_pair(key, hash_bytes(&it.min, sizeof it.min)),
                        hash_bytes(&it.max, sizeof it.max));
        key = hash_pair(hash_pair(key, (uint64_t)it.min_in << 32 | it.max_in),
                        map_key_ptr(it.enumeration));
        of[k] = map_get(&known, key);
        if (of[k] == MAP_NONE) {
            of[k] = common.n;
            map_put(&known, key, of[k]);
            vec_push(m->mem, common, it);
        }
    }
    uint32_t n_bounds = 0;
    for (uint32_t k = 0; k < common.n; k++)
        if (has_bounds(&common.at[k])) {
            if (!n_bounds++)
                text_put(t, "\nstatic const RungBounds bounds[] = {\n");
            put_bounds(t, &common.at[k]);
        }
    if (n_bounds)
        text_put(t, "};\n");
    text_put(t, "\nstatic const RungAttributes attributes[] = {\n");
    n_bounds = 0;
    for (uint32_t k = 0; k < common.n; k++) {
        put_common(t, &common.at[k], n_bounds);
        n_bounds += has_bounds(&common.at[k]);
    }
    text_put(t, "};\n");
    return of;
}

const char *model_name(const Model *m, VarId v)
{
    return m->sys->var.at[v.i].name.s;
}

static void variable_table(Model *m)
{
    if (!m->row.n)
        return;
    Tables *t = &m->filled;
    uint32_t n = m->row.n;
    const uint32_t *attributes = attribute_table(m);
    uint32_t *index = arena_array(m->mem, uint32_t, n), *rest = arena_array(m->mem, uint32_t, n);
    uint64_t *token = arena_array(m->mem, uint64_t, n);
    Patterns names = {0};
    for (uint32_t k = 0; k < n; k++) {
        const ModelRow *r = &m->row.at[k];
        index[k] = r->index;
        rest[k] = attributes[k] << 4 | (uint32_t)r->place << 1 | r->negated;
        const char *name = model_name(m, r->var);
        token[k] =
            hash_pair(m->is_shadow ? table_shape(name) : table_text(t, &names, name), rest[k]);
    }
    Repeats repeats = table_repeats(n, token, m->mem);
    text_printf(&m->tables, "\nstatic uint32_t variable[%u][3];\n", n);
    if (!m->is_shadow)
        table_texts(t, (TableColumn){"variable[0][0]", "sizeof *variable", n, &repeats}, &names,
                    "names", true);
    table_numbers(t, (TableColumn){"variable[0][1]", "sizeof *variable", n, &repeats}, index);
    table_numbers(t, (TableColumn){"variable[0][2]", "sizeof *variable", n, &repeats}, rest);
}

static void string_table(Model *m)
{
    Text *t = &m->tables;
    if (m->string.n)
        text_put(t, "\nstatic const RungStringVariable string[] = {\n");
    for (uint32_t k = 0; k < m->string.n; k++) {
        const ModelRow *r = &m->string.at[k];
        const Var *v = &m->sys->var.at[r->var.i];
        text_put(t, "    {");
        text_string(t, v->name.s);
        text_put(t, ", ");
        text_string(t, v->description.s ? v->description.s : "");
        text_printf(t, ", %uu, %uu, %d, %d, %d},\n", (unsigned)r->place, r->index, v->is_output,
                    v->is_protected, v->hides_result);
    }
    if (m->string.n)
        text_put(t, "};\n");
}

static void number_table(Model *m, const char *name, uint32_t n, const double *value)
{
    if (!n)
        return;
    text_printf(&m->tables, "\nstatic const double %s[%u] = {", name, n);
    for (uint32_t k = 0; k < n; k++) {
        text_put(&m->tables, k % 8 ? " " : "\n    ");
        text_number(&m->tables, value[k]);
        text_put(&m->tables, ",");
    }
    text_put(&m->tables, "\n};\n");
}

static void parameter_tables(Model *m)
{
    Text *t = &m->tables;
    uint32_t n = m->parameter.n;
    if (n) {
        uint64_t *token = arena_array(m->mem, uint64_t, n);
        uint32_t *column[3];
        for (int c = 0; c < 3; c++)
            column[c] = arena_array(m->mem, uint32_t, n);
        double *value = arena_array(m->mem, double, n);
        for (uint32_t k = 0; k < n; k++) {
            VarId v = m->parameter.at[k];
            const Var *var = &m->sys->var.at[v.i];
            column[0][k] = m->row_of[v.i];
            column[1][k] = expr_exists(m->binding[v.i]);
            bool is_settable =
                var->kind == VAR_PARAMETER && !var->is_final && var->type != TYPE_OBJECT;
            column[2][k] = !is_settable        ? RUNG_NOT_SETTABLE
                           : var->scales_rates ? RUNG_SETTABLE_RATE
                                               : RUNG_SETTABLE;
            value[k] = m->fallback[v.i];
            token[k] = hash_pair(table_shape(var->name.s), 3 * column[1][k] + column[2][k]);
        }
        Repeats repeats = table_repeats(n, token, m->mem);
        static const char *const field[] = {"variable", "is_dependent", "is_settable"};
        text_printf(t, "\nstatic RungParameter parameter[%u];\n", n);
        for (int c = 0; c < 3; c++)
            table_numbers(&m->filled,
                          (TableColumn){arena_printf(m->mem, "parameter->%s", field[c]),
                                        "sizeof *parameter", n, &repeats},
                          column[c]);
        table_values(&m->filled,
                     (TableColumn){"parameter->default_value", "sizeof *parameter", n, &repeats},
                     value);
    }
    if (m->input.n) {
        text_printf(t, "\nstatic const RungInput input[%u] = {\n", m->input.n);
        for (uint32_t k = 0; k < m->input.n; k++) {
            text_printf(t, "    {%uu, ", m->row_of[m->input.at[k].i]);
            text_number(t, m->fallback[m->input.at[k].i]);
            text_put(t, "},\n");
        }
        text_put(t, "};\n");
    }
}

static void state_tables(Model *m)
{
    uint32_t n = m->g->n_states;
    uint32_t *row = arena_array(m->mem, uint32_t, n + 1);
    double *size = arena_array(m->mem, double, n + 1);
    uint32_t *is_open = arena_array(m->mem, uint32_t, n + 1);
    uint64_t *token = arena_array(m->mem, uint64_t, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        is_open[k] = !model_has_nominal(m, m->g->state[k]);
        row[k] = m->row_of[m->g->state[k].i];
        size[k] = model_state_size(m, m->g->state[k]);
        token[k] = table_shape(model_name(m, m->g->state[k]));
    }
    Repeats repeats = table_repeats(n, token, m->mem);
    if (n) {
        table_indices(&m->filled, "state", n, row, &repeats);
        table_doubles(&m->filled, "nominal", n, size, &repeats);
        table_indices(&m->filled, "is_nominal_open", n, is_open, &repeats);
    }
    double *value = arena_array(m->mem, double, m->number.n + 1);
    for (uint32_t k = 0; k < m->number.n; k++)
        expr_constant(m->sys->pool, m->number.at[k], &value[k]);
    number_table(m, "number", m->number.n, value);
}

static const char *where_of(const Model *m, Span s)
{
    return s.file ? diags_where(m->sys->diags, s) : "";
}

/* Table columns of the unknowns of all blocks. */
static void unknown_columns(Model *m)
{
    const Program *g = m->g;
    uint32_t n = m->block_first[g->n_blocks], at = 0;
    uint32_t *row = arena_array(m->mem, uint32_t, n + 1);
    double *start = arena_array(m->mem, double, n + 1);
    double *size = arena_array(m->mem, double, n + 1);
    uint64_t *token = arena_array(m->mem, uint64_t, n + 1);
    const char **where = arena_array(m->mem, const char *, n + 1);
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t i = 0; i < g->block[b].n; i++, at++) {
            VarId v = g->block[b].unknown[i];
            const EqId *eq = g->block[b].eq;
            const Eq *e = eq ? &m->sys->eq.at[eq[i].i] : NULL;
            row[at] = m->row_of[(g->block[b].named ? g->block[b].named : g->block[b].unknown)[i].i];
            // of a hidden variable of an adjoint
            row[at] = row[at] == UINT32_MAX && g->block[b].named ? 0 : row[at];
            model_attribute(m, model_first_guess(m, v), &start[at]);
            size[at] = model_nominal(m, v);
            where[at] = e ? where_of(m, e->span) : "";
            if (e && e->origin && *e->origin)
                where[at] = arena_printf(m->mem, "%s in %s", where[at], e->origin);
            token[at] = hash_pair(table_shape(model_name(m, v)), table_shape(where[at]));
        }
    Repeats repeats = table_repeats(n, token, m->mem);
    Tables *t = &m->filled;
    table_indices(t, "block_variable", n, row, &repeats);
    table_doubles(t, "block_start", n, start, &repeats);
    table_doubles(t, "block_nominal", n, size, &repeats);
    table_strings(t, "block_equation", n, where, &repeats);
}

/* The table of a kind of blocks, from the first block of that kind. */
static void block_kind(Model *m, uint32_t kind, uint32_t b, bool has_kinks, Text *rows)
{
    const NonlinearBlock *it = &m->g->block[b];
    const char *name = arena_printf(m->mem, "block_kind_%u", kind);
    table_indices(&m->filled, arena_printf(m->mem, "%s_column", name), it->n + 1, it->col_start,
                  NULL);
    table_indices(&m->filled, arena_printf(m->mem, "%s_row", name), it->col_start[it->n], it->row,
                  NULL);
    if (it->column_order)
        table_indices(&m->filled, arena_printf(m->mem, "%s_order", name), it->n, it->column_order,
                      NULL);
    text_printf(rows, "    {%uu, 0, NULL, NULL, NULL, NULL, ", it->n);
    // a block whose unknowns nothing needs is not solved
    if (coder_solves(m->code, b))
        text_printf(rows, "%s_residual_%u, ", m->id, b);
    else
        text_put(rows, "NULL, ");
    text_printf(rows, "{%uu, %uu, %s_column, %s_row, NULL, 0},", it->n, it->n, name, name);
    if (coder_solves(m->code, b))
        text_printf(rows, " %s_jacobian_%u, %d, 0,", m->id, b, it->is_linear);
    else
        text_printf(rows, " NULL, %d, 0,", it->is_linear);
    if (it->column_order)
        text_printf(rows, " %s_order, %d},\n", name, has_kinks);
    else
        text_printf(rows, " NULL, %d},\n", has_kinks);
}

static void block_tables(Model *m)
{
    const Program *g = m->g;
    uint32_t *kind = arena_array(m->mem, uint32_t, g->n_blocks + 1), n_kinds = 0;
    uint32_t *copy = arena_array(m->mem, uint32_t, g->n_blocks + 1);
    uint32_t *copies = arena_array(m->mem, uint32_t, g->n_blocks + 1); /* per kind */
    Text rows = text_new(m->mem);
    if (!g->n_blocks)
        return;
    unknown_columns(m);
    const bool *has_kinks = kinks_find(g, m->sys->pool, m->mem);
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        uint32_t head = coder_block_head(m->code, b);
        kind[b] = head == b ? n_kinds : kind[head];
        if (head == b)
            block_kind(m, n_kinds++, b, has_kinks[b], &rows);
        copy[b] = copies[kind[b]]++;
    }
    table_indices(&m->filled, "block_kind", g->n_blocks, kind, NULL);
    table_indices(&m->filled, "block_copy", g->n_blocks, copy, NULL);
    text_printf(&m->tables, "\nstatic const RungBlock block_kinds[%u] = {\n%s};\n", n_kinds,
                rows.at);
    text_printf(&m->tables, "\nstatic RungBlock block[%u];\n", g->n_blocks);
    text_printf(&m->filled.fill,
                "    rung_fill_blocks(%uu, block, block_kinds, block_kind, block_copy,\n        "
                "(RungBlock){.variable "
                "= block_variable, .start = block_start,\n            .nominal = block_nominal, "
                ".equation = block_equation});\n",
                g->n_blocks);
}

static void pivot_table(Model *m)
{
    uint32_t n = m->g->n_pivots;
    if (!n)
        return;
    uint64_t *token = arena_array(m->mem, uint64_t, n);
    uint32_t *alone = arena_array(m->mem, uint32_t, n);
    Patterns text[3] = {0};
    for (uint32_t k = 0; k < n; k++) {
        const Pivot *p = &m->g->pivot[k];
        const Eq *e = &m->sys->eq.at[p->eq.i];
        const char *const part[3] = {model_name(m, p->var), where_of(m, e->span),
                                     e->origin ? e->origin : ""};
        token[k] = alone[k] = p->is_alone;
        for (int c = 0; c < 3; c++)
            token[k] = hash_pair(token[k], table_text(&m->filled, &text[c], part[c]));
    }
    Repeats repeats = table_repeats(n, token, m->mem);
    static const char *const field[] = {"variable", "equation", "instance"};
    text_printf(&m->tables, "\nstatic RungPivot pivot[%u];\n", n);
    for (int c = 0; c < 3; c++)
        table_texts(&m->filled,
                    (TableColumn){arena_printf(m->mem, "pivot->%s", field[c]), "sizeof *pivot", n,
                                  &repeats},
                    &text[c], arena_printf(m->mem, "pivot_%s", field[c]), false);
    table_numbers(&m->filled, (TableColumn){"pivot->is_alone", "sizeof *pivot", n, &repeats},
                  alone);
}

static void message_tables(Model *m)
{
    Text *t = &m->tables;
    const Program *g = m->g;
    pivot_table(m);
    if (g->n_assertions) {
        text_printf(t, "\nstatic const RungAssertion assertion[%u] = {\n", g->n_assertions);
        for (uint32_t k = 0; k < g->n_assertions; k++) {
            const Assertion *a = &g->assertion[k];
            bool literal =
                expr_exists(a->message) && expr_op(m->sys->pool, a->message) == OP_STRING;
            text_put(t, "    {");
            text_string(t, literal ? expr_text_of(m->sys->pool, a->message).s
                                   : "the condition of an assertion is false");
            text_put(t, ", ");
            text_string(t, assertion_where(m->sys->diags, a));
            text_printf(t, ", %d, ", a->is_warning);
            if (expr_is_fixed(m->sys->pool, a->cond))
                text_printf(t, "%uu},\n", coder_constant(m->code, a->cond));
            else
                text_put(t, "RUNG_NONE},\n");
        }
        text_put(t, "};\n");
    }
    if (!m->n_margins)
        return;
    text_printf(t, "\nstatic const uint32_t margin[%u] = {", m->n_margins);
    for (uint32_t k = 0; k < g->n_assertions; k++)
        if (expr_exists(g->margin[k]))
            text_printf(t, "%u,", k);
    text_put(t, "};\n");
}

/* The states that choices are read from. */
static void choice_table(Model *m)
{
    if (!m->has_choices)
        return;
    const ExprPool *p = m->sys->pool;
    bool *reached = arena_array(m->mem, bool, pool_size(p) + 1);
    VEC(uint32_t) state = {0};
    program_reach(p, m->g->n_choices, m->g->choice, reached);
    for (uint32_t k = 0; k < pool_size(p); k++) {
        ExprId x = {k};
        if (reached[k] && expr_op(p, x) == OP_VAR && m->leaf[expr_var_of(p, x).i] == LEAF_STATE)
            vec_push(m->mem, state, m->leaf_index[expr_var_of(p, x).i]);
    }
    m->n_choice_states = state.n;
    if (state.n)
        table_indices(&m->filled, "choice_state", state.n, state.at, NULL);
}

static void experiment(Model *m)
{
    const Experiment *e = &m->sys->experiment;
    const double value[] = {e->start, e->stop, e->tolerance, e->interval};
    text_put(&m->tables, "    .experiment = {");
    for (int k = 0; k < 4; k++) {
        text_number(&m->tables, value[k]);
        text_put(&m->tables, ", ");
    }
    text_printf(&m->tables, "%d, %d, %d, %d},\n", e->has_start, e->has_stop, e->has_tolerance,
                e->has_interval);
}

/* May x be NaN or infinite for finite operands. */
static bool is_open(const System *s, ExprId x)
{
    const ExprPool *p = s->pool;
    switch (expr_op(p, x)) {
    case OP_DIV:
        return !expr_is_fixed(p, expr_arg(p, x, 1));
    case OP_POW:
        return !expr_is_num(p, expr_arg(p, x, 1));
    case OP_CALL:
        return !intrinsic_is_text(s->function->at[expr_func_of(p, x).i].intrinsic);
    case OP_FN:
        switch (expr_fn_of(p, x)) {
        case FN_TAN:
        case FN_ASIN:
        case FN_ACOS:
        case FN_SINH:
        case FN_COSH:
        case FN_EXP:
        case FN_LOG:
        case FN_LOG10:
        case FN_SQRT:
            return true;
        case FN_SIN:
        case FN_COS:
        case FN_ATAN:
        case FN_TANH:
        case FN_ABS:
        case FN_SIGN:
        case FN_FLOOR:
        case FN_CEIL:
        case FN_COUNT:
            break;
        }
        return false;
    default:
        return false;
    }
}

/* Whether outputs hold such that derivatives of states do not show. */
static bool has_open_values(const Model *m)
{
    const Program *g = m->g;
    const ExprPool *p = m->sys->pool;
    uint32_t n = pool_size(p);
    bool *shown = arena_array(m->mem, bool, n + 1), *found = arena_array(m->mem, bool, n + 1);
    ExprId *root = arena_array(m->mem, ExprId, m->output.n + 1);
    for (uint32_t k = 0; k < m->output.n; k++)
        root[k] = m->output.at[k].x;
    program_reach(p, g->n_states, g->derivative, shown);
    for (uint32_t k = 0; k < g->n_blocks; k++) {
        program_reach(p, g->block[k].n, g->block[k].residual, shown);
        ExprId unknown = system_var_expr(m->sys, g->block[k].unknown[0]);
        if (unknown.i < n && !shown[unknown.i])
            return true; /* its unknowns may serve outputs alone */
    }
    program_reach(p, m->output.n, root, found);
    for (uint32_t k = 0; k < n; k++)
        if (found[k] && !shown[k] && is_open(m->sys, (ExprId){k}))
            return true;
    return false;
}

void model_struct(Model *m, EmitOptions o, bool has_initial)
{
    Text *t = &m->tables;
    const Program *g = m->g;
    struct {
        const char *field;
        uint32_t n;
        const char *table;
    } size[] = {
        {"n_states", g->n_states, "state"},
        {"n_variables", m->row.n, NULL},
        {"n_values", m->output.n, NULL},
        {"n_parameters", m->parameter.n, "parameter"},
        {"n_constants", coder_n_constants(m->code), NULL},
        {"n_inputs", m->input.n, "input"},
        {"n_unknowns", m->block_first[g->n_blocks], NULL},
        {"n_work", coder_n_work(m->code), NULL},
        {"n_numbers", m->number.n, "number"},
        {"n_blocks", g->n_blocks, "block"},
        {"n_pivots", g->n_pivots, "pivot"},
        {"n_assertions", g->n_assertions, "assertion"},
        {"n_events", event_n_relations(g), NULL},
        {"n_strings", m->string.n, "string"},
    };
    tables_done(&m->filled, arena_printf(m->mem, "%s_fill", m->id));
    text_printf(t, "\n%s = {\n",
                m->is_part ? arena_printf(m->mem, "const RungModel %s", m->id)
                           : "static const RungModel model");
    text_put(t, "    .version = RUNG_MODEL_VERSION,\n    .size = (uint32_t)sizeof(RungModel),\n    "
                ".name = ");
    text_string(t, m->sys->model);
    text_put(t, ",\n    .description = ");
    text_string(t, m->sys->description.s);
    text_put(t, ",\n    .generator = ");
    text_string(t, o.generator);
    text_put(t, ",\n");
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        text_printf(t, "    .%s = %uu,\n", size[k].field, size[k].n);
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        if (size[k].table && size[k].n)
            text_printf(t, "    .%s = %s,\n", size[k].table, size[k].table);
    if (m->row.n)
        text_printf(t,
                    "    .names = %s,\n    .variable = variable[0],\n"
                    "    .attributes = attributes,\n",
                    m->is_shadow ? "\"\"" : "names");
    if (g->n_states)
        text_put(t, "    .nominal = nominal,\n    .is_nominal_open = is_nominal_open,\n");
    if (m->scale.n)
        text_printf(t, "    .n_state_scales = %uu,\n    .state_scale = state_scale,\n", m->scale.n);
    if (m->sum.n)
        text_printf(t, "    .n_sum_terms = %uu,\n    .sum_term = sum_term,\n", m->sum.n);
    experiment(m);
    if (o.method) {
        text_put(t, "    .method = ");
        text_string(t, o.method);
        text_put(t, ",\n");
    }
    static const char *const functions[] = {"update", "start", "xdot", "outputs", "assertions"};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (k < 4 || m->has_assertions)
            text_printf(t, "    .%s = %s_%s,\n", functions[k], m->id, functions[k]);
    if (event_has_delays(g))
        text_printf(t, "    .delays = %s_delays,\n", m->id);
    if (m->n_margins)
        text_printf(t, "    .n_margins = %uu,\n    .margin = margin,\n    .margins = %s_margins,\n",
                    m->n_margins, m->id);
    if (m->has_choices)
        text_printf(t, "    .n_choices = %uu,\n    .choices = %s_choices,\n", g->n_choices, m->id);
    if (m->n_choice_states)
        text_printf(t, "    .n_choice_states = %uu,\n    .choice_state = choice_state,\n",
                    m->n_choice_states);
    if (m->n_differentiated)
        text_printf(t, "    .n_differentiated = %uu,\n    .differentiated = differentiated,\n",
                    m->n_differentiated);
    if (m->has_message)
        text_printf(t, "    .message = %s_message,\n", m->id);
    if (has_open_values(m))
        text_put(t, "    .has_open_values = 1,\n");
    text_printf(t, "    .fill = %s_fill,\n", m->id);
    if (m->sys->n_objects)
        text_printf(t, "    .n_objects = %uu,\n", m->sys->n_objects);
    if (event_n_relations(g))
        text_printf(t, "    .events = %s_events,\n", m->id);
    if (event_exists(g))
        text_put(t, "    .event = &event_table,\n");
    if (m->outputs.n)
        text_put(t, "    .output_parts = &outputs_parts,\n");
    if (has_initial)
        text_put(t, "    .initial = &initial,\n");
    if (g->loops)
        text_put(t, "    .loops = &loops,\n");
    if (g->numeric || (o.fallback_apart && !m->is_part))
        text_printf(t, "    .fallback = &%s_numeric,\n", m->id);
    if (g->jacobian)
        text_put(t, "    .jacobian = &jacobian,\n");
    if (g->invariants)
        text_put(t, "    .invariants = &invariants,\n");
    if (g->residual)
        text_put(t, "    .residual = &residual_form,\n");
    if (g->newton)
        text_put(t, "    .newton = &newton,\n");
    if (g->linearisation)
        text_put(t, "    .linearisation = &linearisation,\n");
    if (m->time_terms.op.n)
        text_put(t, "    .time_terms = &time_terms,\n");
    if (m->state_terms.op.n)
        text_put(t, "    .state_terms = &state_terms,\n");
    if (g->sensitivity)
        text_put(t, "    .sensitivity = &sensitivity,\n");
    if (g->adjoint)
        text_put(t, "    .adjoint = &adjoint,\n");
    if (m->n_lanes)
        text_printf(t, "    .lanes = lanes,\n    .n_lanes = %uu,\n", m->n_lanes);
    text_put(t, "};\n");
    if (m->is_part)
        return;
    text_printf(t, "\nconst RungModel *rung_model(void)\n{\n    %s_fill();\n", m->id);
    if (has_initial)
        text_printf(t, "    %s_initial_fill();\n", m->id);
    text_put(t, "    return &model;\n}\n");
}

/* Tables of indices for operands of loops that do not advance by constants. */
static void index_tables(Model *m)
{
    for (uint32_t k = 0; k < coder_n_indices(m->code); k++) {
        uint32_t n;
        const uint32_t *index = coder_indices(m->code, k, &n);
        Repeats repeats = table_steady(n, index, m->mem);
        const char *name = arena_printf(m->mem, "%s_index_%u", m->id, k);
        text_printf(&m->tables, "\nuint32_t %s[%u];\n", name, coder_index_room(n));
        table_numbers(
            &m->filled,
            (TableColumn){arena_printf(m->mem, "%s[0]", name), "sizeof(uint32_t)", n, &repeats},
            index);
    }
}

void model_tables(Model *m)
{
    variable_table(m);
    string_table(m);
    parameter_tables(m);
    state_tables(m);
    model_scale_table(m);
    model_sum_table(m);
    block_tables(m);
    message_tables(m);
    choice_table(m);
    model_jump_table(m);
    index_tables(m);
}
