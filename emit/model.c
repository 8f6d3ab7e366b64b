/* model.c -- the tables of the interface, and which sections there are. */
#include "emit/code.h"
#include "emit/emit.h"
#include "runtime/rung_model.h"

#include <math.h>
#include <string.h>

EmitOptions emit_defaults(void)
{
    // longer functions: superlinear in the C compiler; shorter: more values cross through w
    return (EmitOptions){
        .function_statements = 500, .file_statements = 2500, .nesting = 8, .generator = "rung"};
}

typedef struct Row {
    VarId var;
    RungPlace place;
    uint32_t index;
    bool negated;
} Row;

typedef struct Model {
    const Program *g;
    System *sys;
    Arena *mem;
    const char *id;
    Coder *code;
    uint8_t *leaf;        /* LeafKind per variable         */
    uint32_t *leaf_index; /* its place, per variable       */
    ExprId *binding;      /* of dependent parameters       */
    double *fallback;     /* value of independent ones     */
    uint32_t *block_first;
    VEC(VarId) parameter;
    VEC(VarId) input;
    VEC(Row) row;
    uint32_t *row_of; /* per variable; UINT32_MAX for Strings */
    VEC(Root) output;
    VEC(ExprId) number;
    Text tables;
} Model;

static void add_file(EmitFiles *f, const char *name, const Text *t, bool is_cold)
{
    vec_push(f->mem, f->file, ((EmitFile){name, t->at, t->n, is_cold}));
}

/* The number that an attribute stands for when it is known now. */
static bool attribute(const Model *m, ExprId x, double *value)
{
    return expr_exists(x) && expr_constant(m->sys->pool, x, value);
}

static double nominal(const Model *m, VarId v)
{
    double value;
    return attribute(m, m->sys->var.at[v.i].attr.nominal, &value) && value != 0 ? fabs(value) : 1;
}

/* ------------------------------------------------------------------ leaves */

static void find_leaves(Model *m)
{
    const Program *g = m->g;
    uint32_t n = m->sys->var.n;
    m->leaf = arena_array(m->mem, uint8_t, n + 1);
    m->leaf_index = arena_array(m->mem, uint32_t, n + 1);
    m->binding = arena_array(m->mem, ExprId, n + 1);
    m->fallback = arena_array(m->mem, double, n + 1);
    m->block_first = arena_array(m->mem, uint32_t, g->n_blocks + 1);
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &m->sys->var.at[k];
        m->binding[k] = EXPR_NONE;
        if (v->type == TYPE_STRING)
            continue;
        if (v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT) {
            m->leaf[k] = LEAF_PARAMETER;
            m->leaf_index[k] = m->parameter.n;
            vec_push(m->mem, m->parameter, (VarId){k});
            // MLS 8.6: without a value, the start value
            ExprId x = expr_exists(v->binding) ? v->binding : v->attr.start;
            if (expr_exists(x) && !expr_constant(m->sys->pool, x, &m->fallback[k]))
                m->binding[k] = x;
        } else if (v->kind == VAR_INPUT) {
            m->leaf[k] = LEAF_INPUT;
            m->leaf_index[k] = m->input.n;
            attribute(m, v->attr.start, &m->fallback[k]);
            vec_push(m->mem, m->input, (VarId){k});
        }
    }
    for (uint32_t k = 0; k < g->n_states; k++) {
        m->leaf[g->state[k].i] = LEAF_STATE;
        m->leaf_index[g->state[k].i] = k;
    }
    uint32_t unknowns = 0;
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        m->block_first[b] = unknowns;
        for (uint32_t i = 0; i < g->block[b].n; i++) {
            m->leaf[g->block[b].unknown[i].i] = LEAF_UNKNOWN;
            m->leaf_index[g->block[b].unknown[i].i] = unknowns++;
        }
    }
    m->block_first[g->n_blocks] = unknowns;
}

/* ------------------------------------------------------------------ variables and their places */

static bool place_of(Model *m, VarId var, uint32_t *known, Row *row)
{
    const ExprPool *p = m->sys->pool;
    ExprId x = m->g->value[var.i];
    uint8_t leaf = m->leaf[var.i];
    double value;
    static const RungPlace places[] = {
        [LEAF_NONE] = RUNG_IS_TIME,
        [LEAF_STATE] = RUNG_IN_STATES,
        [LEAF_PARAMETER] = RUNG_IN_PARAMETERS,
        [LEAF_INPUT] = RUNG_IN_INPUTS,
        [LEAF_UNKNOWN] = RUNG_IN_UNKNOWNS,
    };
    row->negated = false;
    row->var = var;
    // an own place, or that of the variable it is an alias of
    if (leaf == LEAF_NONE && expr_exists(x)) {
        x = code_strip(p, x, &row->negated);
        if (expr_op(p, x) == OP_VAR) {
            var = expr_var_of(p, x);
            leaf = m->leaf[var.i];
        }
    }
    if (leaf != LEAF_NONE) {
        row->place = places[leaf];
        row->index = m->leaf_index[var.i];
        return true;
    }
    if (!expr_exists(x))
        return false;
    if (expr_op(p, x) == OP_TIME) {
        row->place = RUNG_IS_TIME;
        row->index = 0;
        return true;
    }
    if (expr_constant(p, x, &value)) {
        row->place = RUNG_IN_NUMBERS;
        if (known[x.i] == 0) {
            vec_push(m->mem, m->number, x);
            known[x.i] = m->number.n;
        }
        row->index = known[x.i] - 1;
        return true;
    }
    if (expr_variability(p, x) <= VARIES_PARAMETER) {
        row->place = RUNG_IN_CONSTANTS;
        row->index = coder_constant(m->code, x);
        return true;
    }
    row->place = RUNG_IN_VALUES;
    if (known[x.i] == 0) {
        Root r = {.x = x,
                  .kind = ROOT_OUT,
                  .index = m->output.n,
                  .name = m->sys->var.at[row->var.i].name};
        vec_push(m->mem, m->output, r);
        known[x.i] = m->output.n;
    }
    row->index = known[x.i] - 1;
    return true;
}

static void find_places(Model *m)
{
    uint32_t n = m->sys->var.n;
    uint32_t *known = arena_array(m->mem, uint32_t, pool_size(m->sys->pool));
    m->row_of = arena_array(m->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        Row row;
        m->row_of[k] = UINT32_MAX;
        if (m->sys->var.at[k].type == TYPE_STRING || !place_of(m, (VarId){k}, known, &row))
            continue;
        m->row_of[k] = m->row.n;
        vec_push(m->mem, m->row, row);
    }
}

/* ------------------------------------------------------------------ sections */

/* Parameter-only conditions are hoisted and checked once; the others get an out[] each. */
static uint32_t assertions(Model *m, Root *root)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->g->n_assertions; k++) {
        ExprId x = m->g->assertion[k].cond;
        if (expr_variability(m->sys->pool, x) > VARIES_PARAMETER)
            root[n++] = (Root){
                .x = x, .kind = ROOT_OUT, .index = k, .name = name_of(m->sys->names, "assertion")};
    }
    return n;
}

static void sections(Model *m, bool *has_assertions)
{
    const Program *g = m->g;
    Coder *c = m->code;
    uint32_t n = g->n_states, unknowns = m->block_first[g->n_blocks];
    uint32_t most = n + unknowns + g->n_assertions + m->parameter.n;
    Root *root = arena_array(m->mem, Root, most + 1);

    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){
            .x = g->derivative[k],
            .kind = ROOT_OUT,
            .index = k,
            .name = name_printf(m->sys->names, "der(%s)", m->sys->var.at[g->state[k].i].name.s)};
    coder_section(c, SECTION_XDOT, "xdot", UINT32_MAX, n, root, NULL);
    uint32_t derivatives = coder_work(c, n);
    for (uint32_t k = 0; k < n; k++)
        coder_found_in_work(c, g->derivative[k], derivatives + k);
    const char *first = arena_printf(m->mem, "%s_xdot(ctx, t, x, ctx->w + %u)", m->id, derivatives);

    bool all_solved = true;
    for (uint32_t b = 0; b < g->n_blocks; b++)
        all_solved = all_solved && coder_solves(c, b);
    uint32_t mark = coder_mark(c);
    coder_section(c, SECTION_OUTPUTS, "outputs", UINT32_MAX, m->output.n, m->output.at, first);
    if (!all_solved) {
        // the others are solved by outputs only
        uint32_t values = coder_work(c, m->output.n);
        for (uint32_t k = 0; k < m->output.n; k++)
            coder_found_in_work(c, m->output.at[k].x, values + m->output.at[k].index);
        first = arena_printf(m->mem, "%s_outputs(ctx, t, x, ctx->w + %u)", m->id, values);
    } else {
        coder_forget(c, mark);
    }
    uint32_t n_assertions = assertions(m, root);
    *has_assertions = n_assertions > 0;
    if (n_assertions)
        coder_section(c, SECTION_ASSERTIONS, "assertions", UINT32_MAX, n_assertions, root, first);
    coder_forget(c, 0);

    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = g->start[k],
                         .kind = ROOT_OUT,
                         .index = k,
                         .name = m->sys->var.at[g->state[k].i].name};
    uint32_t starts = n;
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t i = 0; i < g->block[b].n; i++) {
            const Var *v = &m->sys->var.at[g->block[b].unknown[i].i];
            double value;
            if (expr_exists(v->attr.start) && !attribute(m, v->attr.start, &value))
                root[starts++] = (Root){.x = v->attr.start,
                                        .kind = ROOT_UNKNOWN,
                                        .index = m->block_first[b] + i,
                                        .name = v->name};
        }
    coder_section(c, SECTION_START, "start", UINT32_MAX, starts, root, NULL);
    coder_forget(c, 0);

    for (uint32_t k = 0; k < g->n_assertions; k++)
        if (expr_variability(m->sys->pool, g->assertion[k].cond) <= VARIES_PARAMETER)
            coder_constant(c, g->assertion[k].cond);
    uint32_t constants = coder_n_constants(c), roots = 0;
    root = arena_array(m->mem, Root, m->parameter.n + constants + 1);
    for (uint32_t k = 0; k < m->parameter.n; k++) {
        VarId v = m->parameter.at[k];
        if (expr_exists(m->binding[v.i]))
            root[roots++] = (Root){.x = m->binding[v.i],
                                   .kind = ROOT_PARAMETER,
                                   .index = k,
                                   .name = m->sys->var.at[v.i].name,
                                   .var = v};
    }
    for (uint32_t k = 0; k < constants; k++)
        root[roots++] = (Root){.x = coder_constant_at(c, k), .kind = ROOT_CONSTANT, .index = k};
    coder_section(c, SECTION_UPDATE, "update", UINT32_MAX, roots, root, NULL);
    coder_forget(c, 0);
}

/* ------------------------------------------------------------------ tables */

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

/* Rows of equal attributes share one. */
static uint32_t attributes_of(Model *m, Text *row, Map *known, uint32_t *n, VarId var)
{
    const Var *v = &m->sys->var.at[var.i];
    const char *texts[] = {v->attr.unit.s, v->attr.display_unit.s, v->description.s};
    text_clear(row);
    text_put(row, "    {");
    for (int i = 0; i < 3; i++) {
        text_string(row, texts[i]);
        text_put(row, ", ");
    }
    text_printf(row, "%s, %s, %d, %d},\n", kind_text(m, var), type_text(v->type), v->is_output,
                v->is_protected);
    uint64_t key = map_key_ptr(name_of_n(m->sys->names, row->at, row->n).s);
    uint32_t k = map_get(known, key);
    if (k == MAP_NONE) {
        k = (*n)++;
        map_put(known, key, k);
        text_put_n(&m->tables, row->at, row->n);
    }
    return k;
}

/* The names, in literals of lengths that C11 guarantees, in blocks of equal size. */
static uint32_t put_names(Model *m, uint32_t *offset)
{
    enum { BLOCK = 4096, MOST = 4000 };
    Text *t = &m->tables;
    uint32_t blocks = 0, used = MOST;
    Text body = text_new(m->mem);
    for (uint32_t k = 0; k < m->row.n; k++) {
        const char *name = m->sys->var.at[m->row.at[k].var.i].name.s;
        size_t n = strlen(name);
        n = n < MOST - 1 ? n : MOST - 1;
        if (used + n + 1 > MOST) {
            text_put(&body, blocks ? "\",\n    \"" : "    \"");
            blocks++;
            used = 0;
        }
        offset[k] = (blocks - 1) * BLOCK + used;
        text_quoted(&body, name, n);
        text_put(&body, "\\000");
        used += (uint32_t)n + 1;
    }
    text_printf(t, "\nstatic const char names[%u][%d] = {\n", blocks, BLOCK);
    text_put_n(t, body.at, body.n);
    text_put(t, "\",\n};\n");
    return blocks;
}

static void variable_table(Model *m)
{
    if (!m->row.n)
        return;
    Text *t = &m->tables, line = text_new(m->mem);
    Map known = map_new(m->mem);
    uint32_t n = 0;
    uint32_t *offset = arena_array(m->mem, uint32_t, m->row.n);
    uint32_t *attributes = arena_array(m->mem, uint32_t, m->row.n);
    text_put(t, "\nstatic const RungAttributes attributes[] = {\n");
    for (uint32_t k = 0; k < m->row.n; k++)
        attributes[k] = attributes_of(m, &line, &known, &n, m->row.at[k].var);
    text_put(t, "};\n");
    put_names(m, offset);
    text_printf(t, "\nstatic const uint32_t variable[%u] = {\n", 3 * m->row.n);
    for (uint32_t k = 0; k < m->row.n; k++) {
        const Row *r = &m->row.at[k];
        text_printf(t, "    %uu, %uu, %uu,\n", offset[k], r->index,
                    attributes[k] << 4 | (uint32_t)r->place << 1 | r->negated);
    }
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

static void index_table(Model *m, const char *name, uint32_t n, const uint32_t *value)
{
    if (!n)
        return;
    text_printf(&m->tables, "\nstatic const uint32_t %s[%u] = {", name, n);
    for (uint32_t k = 0; k < n; k++)
        text_printf(&m->tables, "%s%uu,", k % 10 ? " " : "\n    ", value[k]);
    text_put(&m->tables, "\n};\n");
}

static void parameter_tables(Model *m)
{
    Text *t = &m->tables;
    if (m->parameter.n) {
        text_printf(t, "\nstatic const RungParameter parameter[%u] = {\n", m->parameter.n);
        for (uint32_t k = 0; k < m->parameter.n; k++) {
            VarId v = m->parameter.at[k];
            const Var *var = &m->sys->var.at[v.i];
            text_printf(t, "    {%uu, %d, %d, ", m->row_of[v.i], expr_exists(m->binding[v.i]),
                        var->kind == VAR_PARAMETER && !var->is_final);
            text_number(t, m->fallback[v.i]);
            text_put(t, "},\n");
        }
        text_put(t, "};\n");
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
    for (uint32_t k = 0; k < n; k++) {
        row[k] = m->row_of[m->g->state[k].i];
        size[k] = nominal(m, m->g->state[k]);
    }
    index_table(m, "state", n, row);
    number_table(m, "nominal", n, size);
    double *value = arena_array(m->mem, double, m->number.n + 1);
    for (uint32_t k = 0; k < m->number.n; k++)
        expr_constant(m->sys->pool, m->number.at[k], &value[k]);
    number_table(m, "number", m->number.n, value);
}

static void put_where(Model *m, Span s)
{
    text_string(&m->tables, s.file ? diags_where(m->sys->diags, s) : "");
}

static void block_tables(Model *m)
{
    Text *t = &m->tables;
    const Program *g = m->g;
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        const NonlinearBlock *it = &g->block[b];
        uint32_t *row = arena_array(m->mem, uint32_t, it->n + 1);
        double *start = arena_array(m->mem, double, it->n + 1);
        double *size = arena_array(m->mem, double, it->n + 1);
        for (uint32_t i = 0; i < it->n; i++) {
            row[i] = m->row_of[it->unknown[i].i];
            attribute(m, m->sys->var.at[it->unknown[i].i].attr.start, &start[i]);
            size[i] = nominal(m, it->unknown[i]);
        }
        index_table(m, arena_printf(m->mem, "block_%u_variable", b), it->n, row);
        number_table(m, arena_printf(m->mem, "block_%u_start", b), it->n, start);
        number_table(m, arena_printf(m->mem, "block_%u_nominal", b), it->n, size);
        index_table(m, arena_printf(m->mem, "block_%u_column", b), it->n + 1, it->col_start);
        index_table(m, arena_printf(m->mem, "block_%u_row", b), it->col_start[it->n], it->row);
        text_printf(t, "\nstatic const char *const block_%u_equation[%u] = {\n", b, it->n);
        for (uint32_t i = 0; i < it->n; i++) {
            text_put(t, "    ");
            put_where(m, m->sys->eq.at[it->eq[i].i].span);
            text_put(t, ",\n");
        }
        text_put(t, "};\n");
    }
    if (!g->n_blocks)
        return;
    text_printf(t, "\nstatic const RungBlock block[%u] = {\n", g->n_blocks);
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        uint32_t n = g->block[b].n;
        text_printf(t,
                    "    {%uu, %uu, block_%u_variable, block_%u_start, block_%u_nominal, "
                    "block_%u_equation,\n",
                    n, m->block_first[b], b, b, b, b);
        // a block whose unknowns nothing needs is not solved
        if (coder_solves(m->code, b))
            text_printf(t, "     %s_residual_%u, ", m->id, b);
        else
            text_put(t, "     NULL, ");
        text_printf(t, "{%uu, %uu, block_%u_column, %s, NULL, 0},", n, n, b,
                    g->block[b].col_start[n] ? arena_printf(m->mem, "block_%u_row", b) : "NULL");
        if (coder_solves(m->code, b))
            text_printf(t, " %s_jacobian_%u},\n", m->id, b);
        else
            text_put(t, " NULL},\n");
    }
    text_put(t, "};\n");
}

static void message_tables(Model *m)
{
    Text *t = &m->tables;
    const Program *g = m->g;
    if (g->n_pivots) {
        text_printf(t, "\nstatic const RungPivot pivot[%u] = {\n", g->n_pivots);
        for (uint32_t k = 0; k < g->n_pivots; k++) {
            const Eq *e = &m->sys->eq.at[g->pivot[k].eq.i];
            text_put(t, "    {");
            text_string(t, m->sys->var.at[g->pivot[k].var.i].name.s);
            text_put(t, ", ");
            put_where(m, e->span);
            text_put(t, ", ");
            text_string(t, e->origin);
            text_put(t, "},\n");
        }
        text_put(t, "};\n");
    }
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
            put_where(m, a->span);
            text_printf(t, ", %d, ", a->is_warning);
            if (expr_variability(m->sys->pool, a->cond) <= VARIES_PARAMETER)
                text_printf(t, "%uu},\n", coder_constant(m->code, a->cond));
            else
                text_put(t, "RUNG_NONE},\n");
        }
        text_put(t, "};\n");
    }
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

static void model_struct(Model *m, EmitOptions o, bool has_assertions)
{
    Text *t = &m->tables;
    const Program *g = m->g;
    struct {
        const char *field;
        uint32_t n;
        const char *table;
    } size[] = {
        {"n_states", g->n_states, "state"},
        {"n_variables", m->row.n, "variable"},
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
    };
    text_put(t, "\nstatic const RungModel model = {\n    .version = RUNG_MODEL_VERSION,\n"
                "    .size = (uint32_t)sizeof(RungModel),\n    .name = ");
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
        text_put(t, "    .names = names[0],\n    .attributes = attributes,\n");
    if (g->n_states)
        text_put(t, "    .nominal = nominal,\n");
    experiment(m);
    static const char *const functions[] = {"update", "start", "xdot", "outputs", "assertions"};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (k < 4 || has_assertions)
            text_printf(t, "    .%s = %s_%s,\n", functions[k], m->id, functions[k]);
    text_put(t, "};\n\nconst RungModel *rung_model(void)\n{\n    return &model;\n}\n");
}

bool emit_program(const Program *g, EmitOptions o, Arena *mem, EmitFiles *out)
{
    System *s = g->sys;
    Model m = {.g = g, .sys = s, .mem = mem};
    m.id = text_identifier(mem, s->class_name.s ? s->class_name.s : "model");
    if (emit_is_runtime_name(m.id))
        m.id = arena_printf(mem, "model_%s", m.id);
    find_leaves(&m);
    m.code = coder_new(g, o, mem, m.id, m.leaf, m.leaf_index, m.binding, m.block_first);
    find_places(&m);
    bool has_assertions = false;
    sections(&m, &has_assertions);
    if (coder_failed(m.code))
        return false;

    const char *notice = "/* Generated by rung. SPDX-License-Identifier: BSD-3-Clause */\n";
    m.tables = text_new(mem);
    text_put(&m.tables, notice);
    text_comment(&m.tables, s->model ? s->model : "");
    text_printf(&m.tables, "\n#include \"%s.h\"\n", m.id);
    variable_table(&m);
    parameter_tables(&m);
    state_tables(&m);
    block_tables(&m);
    message_tables(&m);
    Text *entries = coder_entries(m.code);
    text_put_n(&m.tables, entries->at, entries->n);
    model_struct(&m, o, has_assertions);

    Text header = text_new(mem);
    text_put(&header, notice);
    text_printf(&header,
                "#ifndef MODEL_%s_H\n#define MODEL_%s_H\n\n#include \"rung_math.h\"\n"
                "#include \"rung_model.h\"\n\n",
                m.id, m.id);
    Text *prototypes = coder_prototypes(m.code);
    text_put_n(&header, prototypes->at, prototypes->n);
    text_put(&header, "\n#endif\n");

    *out = (EmitFiles){.mem = mem,
                       .id = m.id,
                       .statements = coder_statements(m.code),
                       .functions = coder_functions(m.code),
                       .work = coder_n_work(m.code),
                       .n_code = coder_n_files(m.code)};
    add_file(out, arena_printf(mem, "%s.h", m.id), &header, true);
    add_file(out, arena_printf(mem, "%s.c", m.id), &m.tables, true);
    for (uint32_t k = 0; k < coder_n_files(m.code); k++) {
        Text whole = text_new(mem);
        text_put(&whole, notice);
        bool is_cold;
        const Text *f = coder_file(m.code, k, &is_cold);
        text_put_n(&whole, f->at, f->n);
        add_file(out, arena_printf(mem, "%s_%u.c", m.id, k + 1), &whole, is_cold);
    }
    return true;
}
