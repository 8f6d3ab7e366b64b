/* M.c: constant tables behind RungModel, and the functions of M.h. */
#include "emit/library/library_model.h"

#include <string.h>

void library_place(const Model *m, VarId var, const char *ctx, Text *t)
{
    const Row *r = &m->row.at[m->row_of[var.i]];
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

/* What operands of loops are found by. */
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
            model_attribute(m, m->sys->var.at[it->unknown[i].i].attr.start, &start[at]);
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
                    "NULL},\n",
                    it->n, m->block_first[b], m->id, m->block_first[b], m->id, m->block_first[b],
                    functions[0], it->n, it->n, m->id, head, m->id, head, functions[1],
                    it->is_linear, copies[head]++);
    }
    put_doubles(t, arena_printf(m->mem, "%s_start_of", m->id), n, start);
    put_doubles(t, arena_printf(m->mem, "%s_size", m->id), n, size);
    text_printf(t, "static const RungBlock %s_block[%u] = {\n%s};\n", m->id, g->n_blocks, rows.at);
}

/* What rung_instance.h looks at; there are no names. */
static void put_model(const LibraryModel *l, const Model *m, bool with_linearisation, Text *t)
{
    const Program *g = m->g;
    block_tables(m, t);
    double *nominal = arena_array(m->mem, double, g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        nominal[k] = model_nominal(m, g->state[k]);
    put_doubles(t, arena_printf(m->mem, "%s_nominal", m->id), g->n_states, nominal);
    const Linearisation *lin = with_linearisation ? g->linearisation : NULL;
    if (lin) {
        const char *column = arena_printf(m->mem, "%s_column", l->id);
        const char *row = arena_printf(m->mem, "%s_row", l->id);
        const ExprColumns *a = &lin->matrix.columns;
        const char *storage = lin->n_implicit ? "static " : "";
        put_indices(t, storage, column, a->n_cols + 1, a->col_start);
        put_indices(t, storage, row, a->col_start[a->n_cols], a->row);
        text_printf(t,
                    "static const RungLinearisation %s_table = {\n"
                    "    .pattern = {%uu, %uu, %s, %s, NULL, 0},\n    .n_outputs = %uu,\n"
                    "    .n_inputs = %uu,\n    .n_implicit = %uu,\n    .entries = "
                    "%s_linearisation,\n};\n",
                    m->id, a->n_rows, a->n_cols, column, row, lin->n_outputs, lin->n_inputs,
                    lin->n_implicit, m->id);
    }
    text_printf(t,
                "static const RungModel %s_model = {\n    .version = RUNG_MODEL_VERSION,\n"
                "    .n_states = %uu,\n    .n_blocks = %uu,\n    .nominal = %s_nominal,\n"
                "    .xdot = %s_xdot,\n",
                m->id, g->n_states, g->n_blocks, m->id, m->id);
    if (g->n_blocks)
        text_printf(t, "    .block = %s_block,\n", m->id);
    if (lin)
        text_printf(t, "    .linearisation = &%s_table,\n", m->id);
    text_put(t, "};\n\n");
}

static void put_names(const LibraryModel *l, const Members *it, Text *t)
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

/* A context whose arrays are those of the instance. */
static void put_open(const LibraryModel *l, Text *t)
{
    text_printf(t,
                "static void open_context(%s_Instance *m, RungContext *ctx, RungRoom *room)\n{\n"
                "    memset(ctx, 0, sizeof *ctx);\n"
                "    room->block = m->block;\n    room->matrix = m->matrix;\n"
                "    room->pivot = m->pivot;\n    room->block_pivot = m->block_pivot;\n"
                "    ctx->model = &%s_model;\n    ctx->p = m->p;\n    ctx->is_set = m->is_set;\n"
                "    ctx->c = m->c;\n    ctx->u = m->u;\n    ctx->z = m->z;\n    ctx->w = m->w;\n"
                "    ctx->solve = rung_solve_block;\n    ctx->user = room;\n"
                "    ctx->failed_pivot = ctx->failed_block = RUNG_NONE;\n}\n\n",
                l->id, l->m.id);
}

static const char opened[] = "    RungContext ctx;\n    RungRoom room;\n"
                             "    open_context(m, &ctx, &room);\n";

/* Values of the initial system, where they belong. */
static void put_take_over(const LibraryModel *l, Text *t)
{
    const Model *m = &l->m, *i = &l->initial;
    const InitialProgram *p = m->g->initial;
    Text from = text_new(m->mem);
    for (uint32_t k = 0; k < m->g->n_states; k++) {
        text_printf(t, "    x[%u] = ", k);
        library_place(i, m->g->state[k], "init.", t);
        text_put(t, ";\n");
    }
    for (uint32_t k = 0; k < p->n_free; k++) {
        VarId to = p->free[k].parameter;
        text_clear(&from);
        library_place(i, p->free[k].unknown, "init.", &from);
        if (m->leaf[to.i] == LEAF_PARAMETER)
            text_printf(t, "    m->p[%u] = %s;\n    m->is_set[%u] = 1;\n", m->leaf_index[to.i],
                        from.at, m->leaf_index[to.i]);
        else
            text_printf(t, "    m->u[%u] = %s;\n", m->leaf_index[to.i], from.at);
    }
    for (uint32_t b = 0; b < m->g->n_blocks; b++)
        for (uint32_t k = 0; k < m->g->block[b].n; k++) {
            VarId v = m->g->block[b].unknown[k];
            if (!p->is_solved[v.i])
                continue;
            text_printf(t, "    m->z[%u] = ", m->leaf_index[v.i]);
            library_place(i, v, "init.", t);
            text_put(t, ";\n");
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
                "    m->p[parameter] = value;\n    m->is_set[parameter] = 1;\n}\n\n"
                "int %s_update(%s_Instance *m)\n{\n%s    return %s_update(&ctx);\n}\n\n",
                id, id, id, id, opened, in);
    text_printf(t, "int %s_init(%s_Instance *m, double t, double *x)\n{\n%s", id, id, opened);
    if (m->g->n_blocks)
        text_printf(t, "    memcpy(m->z, %s_start_of, sizeof %s_start_of);\n", in, in);
    text_printf(t,
                "    int status = %s_update(&ctx);\n"
                "    status = status ? status : %s_start(&ctx, t, x);\n",
                in, in);
    if (l->initial.g) {
        const char *initial = l->initial.id;
        text_printf(t,
                    "    RungContext init = ctx;\n    double *v = m->v;\n"
                    "    init.model = &%s_model;\n    init.c = m->initial_c;\n"
                    "    init.z = m->initial_z;\n    init.w = m->initial_w;\n",
                    initial);
        if (l->initial.g->n_blocks)
            text_printf(t, "    memcpy(init.z, %s_start_of, sizeof %s_start_of);\n", initial,
                        initial);
        text_printf(t,
                    "    status = status ? status : %s_update(&init);\n"
                    "    status = status ? status : %s_start(&init, t, m->matrix);\n"
                    "    status = status ? status : %s_outputs(&init, t, m->matrix, v);\n"
                    "    if (status)\n        return status;\n",
                    initial, initial, initial);
        put_take_over(l, t);
        text_printf(t, "    status = %s_update(&ctx);\n", in);
    }
    text_put(t, "    return status;\n}\n\n");
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
    text_printf(t,
                "void %s_set(%s_Instance *m, unsigned parameter, double value)\n{\n"
                "    m->p[parameter] = value;\n    m->is_set[parameter] = 1;\n}\n\n"
                "int %s_update(%s_Instance *m)\n{\n%s    return %s_update(&ctx);\n}\n\n",
                id, id, id, id, opened, in);
    text_printf(t,
                "int %s_inverse(%s_Instance *m, double t, const double *q, const double *qd, const "
                "double *qdd,\n    double *effort)\n{\n%s",
                id, id, opened);
    for (uint32_t k = 0; k < n; k++)
        text_printf(t, "    m->u[%u] = q[%u];\n    m->u[%u] = qd[%u];\n    m->u[%u] = qdd[%u];\n",
                    m->leaf_index[i->position[k].i], k, m->leaf_index[i->velocity[k].i], k,
                    m->leaf_index[i->acceleration[k].i], k);
    text_printf(t,
                "    double *v = m->v;\n    int status = %s_outputs(&ctx, t, m->matrix, v);\n"
                "    (void)v;\n",
                in);
    for (uint32_t k = 0; k < n; k++) {
        text_printf(t, "    effort[%u] = ", k);
        library_place(m, i->effort[k], "m->", t);
        text_put(t, ";\n");
    }
    text_printf(t,
                "    return status;\n}\n\n"
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

static void put_outputs(const LibraryModel *l, Text *t)
{
    const char *id = l->id, *in = l->m.id;
    text_printf(t,
                "int %s_xdot(%s_Instance *m, double t, const double *x, double *xdot)\n{\n%s"
                "    return %s_xdot(&ctx, t, x, xdot);\n}\n\n",
                id, id, opened, in);
    text_printf(t, "int %s_outputs(%s_Instance *m, double t, const double *x, double *y)\n{\n%s",
                id, id, opened);
    text_printf(t,
                "    double *v = m->v;\n    int status = %s_outputs(&ctx, t, x, v);\n    (void)v;\n"
                "    (void)y;\n",
                in);
    for (uint32_t k = 0; k < l->output.n; k++) {
        text_printf(t, "    y[%u] = ", k);
        library_place(&l->m, l->output.var[k], "m->", t);
        text_put(t, ";\n");
    }
    text_put(t, "    return status;\n}\n\n");
}

static void put_derivatives(const LibraryModel *l, Text *t)
{
    const char *id = l->id, *in = l->m.id;
    const Linearisation *lin = l->m.g->linearisation;
    uint32_t n = l->m.g->n_states;
    if (lin)
        text_printf(t,
                    "int %s_jacobian(%s_Instance *m, double t, const double *x, double *abcd)\n{\n"
                    "%s    return rung_linearise(&ctx, t, x, abcd);\n}\n\n",
                    id, id, opened);
    if (lin && !lin->n_implicit)
        text_printf(t,
                    "int %s_entries(%s_Instance *m, double t, const double *x, double *entry)\n{\n"
                    "%s    return %s_linearisation(&ctx, t, x, entry);\n}\n\n",
                    id, id, opened, in);
    text_printf(t,
                "int %s_step(%s_Instance *m, double t, double h, double *x, double *error)\n{\n%s",
                id, id, opened);
    if (lin && lin->n_outputs && n > 1)
        text_printf(t,
                    "    int status = rung_linearise(&ctx, t, x, m->derivatives);\n"
                    "    for (uint32_t c = 1; c < %uu; c++) /* A alone */\n"
                    "        memmove(m->derivatives + c * %uu, m->derivatives + c * %uu, %uu * "
                    "sizeof *m->derivatives);\n",
                    n, n, n + lin->n_outputs, n);
    else if (lin)
        text_put(t, "    int status = rung_linearise(&ctx, t, x, m->derivatives);\n");
    text_printf(t, "    return %srung_step(&ctx, t, h, x, %s, error);\n}\n\n",
                lin ? "status ? status : " : "", lin ? "m->derivatives" : "NULL");
    if (l->m.g->residual && l->m.g->residual->n)
        text_printf(t,
                    "int %s_residual(%s_Instance *m, double t, const double *x, const double *a, "
                    "double *r)\n{\n%s    return %s_form(&ctx, t, x, a, r);\n}\n\n",
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
    text_printf(t, "#include \"%s.h\"\n#include \"%s.h\"\n", l->id, l->m.id);
    if (l->initial.g)
        text_printf(t, "#include \"%s.h\"\n", l->initial.id);
    text_put(t, "#include \"rung_instance.h\"\n\n");
    index_tables(&l->m, t);
    if (l->initial.g) {
        index_tables(&l->initial, t);
        Text *entries = coder_entries(l->initial.code);
        text_put_n(t, entries->at, entries->n);
        put_model(l, &l->initial, false, t);
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
    put_derivatives(l, t);
    if (l->how.kind == LIBRARY_EMBEDDED)
        return;
    put_names(l, &l->state, t);
    put_names(l, &l->input, t);
    put_names(l, &l->output, t);
    put_names(l, &l->parameter, t);
}
