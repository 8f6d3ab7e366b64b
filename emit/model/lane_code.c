#include "emit/model/lane_code.h"

#include "emit/model/jacobian_code.h"

#include <string.h>

/* Says why there is no such code. */
static bool refuse(const Program *g, Span span, const char *why)
{
    diag_error(g->sys->diags, span, "G07",
               "no code for several instances at once can be made of this model: %s", why);
    return true;
}

/* Whether the n expressions call functions or use Strings, which exist for one instance only. */
static bool calls(const Program *g, uint32_t n, const ExprId *root, bool *mark)
{
    const ExprPool *p = g->sys->pool;
    program_reach(p, n, root, mark);
    for (uint32_t k = 0; k < pool_size(p); k++)
        if (mark[k] && (expr_op(p, (ExprId){k}) == OP_CALL || expr_op(p, (ExprId){k}) == OP_STRING))
            return true;
    return false;
}

/* The same for one expression and its operands, with a diagnostic. */
static bool is_refused(const Program *g, ExprId x, Name of, Span span, bool *mark)
{
    if (!calls(g, 1, &x, mark))
        return false;
    return refuse(g, span, arena_printf(g->sys->mem, "%s calls a function", of.s));
}

static bool can_be(const Program *g, Arena *mem)
{
    const System *s = g->sys;
    bool *mark = arena_array(mem, bool, pool_size(s->pool) + 1);
    if (g->loops)
        return !refuse(g, SPAN_NONE, "its kinematic loops are cut, and closed in each step");
    if (g->n_blocks) {
        const Var *v = &s->var.at[g->block[0].unknown[0].i];
        return !refuse(g, v->span,
                       arena_printf(mem,
                                    "%s is among the unknowns of equations that are solved at "
                                    "run time",
                                    v->name.s));
    }
    if (g->n_memory)
        return !refuse(g, g->memory[0].span, "it has events, the first one from here");
    if (g->n_actions)
        return !refuse(g, SPAN_NONE, "it has events");
    if (s->n_objects)
        return !refuse(g, SPAN_NONE, "it has external objects");
    if (calls(g, g->n_states, g->derivative, mark))
        for (uint32_t k = 0; k < g->n_states; k++) {
            const Var *v = &s->var.at[g->state[k].i];
            if (is_refused(g, g->derivative[k], name_printf(s->names, "der(%s)", v->name.s),
                           v->span, mark))
                return false;
        }
    for (uint32_t k = 0; k < g->n_assertions; k++)
        if (is_refused(g, g->assertion[k].cond, name_printf(s->names, "an assertion"),
                       g->assertion[k].span, mark))
            return false;
    return true;
}

static void put_member(LaneCode *l, const char *field, const char *section)
{
    bool of_lanes = strcmp(field, "constants") != 0;
    text_printf(&l->row, " .%s = %s_%s,", field, l->id, section);
    text_printf(&l->declared, "int %s_%s(%s);\n", l->id, section,
                of_lanes ? "RungLaneContext *ctx, double t, const double *x, double *out"
                         : "RungContext *ctx");
}

/* The derivatives of the states; returns the call after which others find them in w. */
static const char *derivatives(const Model *m, LaneCode *l)
{
    const Program *g = m->g;
    Coder *c = l->code;
    uint32_t n = g->n_states;
    Root *root = arena_array(m->mem, Root, n + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = g->derivative[k], .kind = ROOT_OUT, .index = k};
    coder_section(c, SECTION_XDOT, "xdot", UINT32_MAX, n, root, NULL);
    put_member(l, "xdot", "xdot");
    if (g->newton || g->jacobian || g->residual)
        coder_forget(c, 0);
    if (g->jacobian && g->jacobian->columns.entry) {
        jacobian_section(g, c);
        put_member(l, "entries", "entries");
    }
    if (g->newton && g->newton->n_delta) {
        coder_section_of(c, SECTION_XDOT, "newton", g->newton->n_delta, g->newton->delta);
        put_member(l, "step", "newton");
    }
    enum { LEAST_VECTOR = 2 }; // doubles: a value takes width / LEAST_VECTOR vectors at most
    uint32_t rows = coder_work(c, n * (l->width / LEAST_VECTOR)), found = coder_work(c, n);
    for (uint32_t k = 0; k < n; k++)
        coder_found_in_work(c, g->derivative[k], found + k);
    return arena_printf(m->mem, "rung_lane_first(%s_xdot_part, ctx, h, t, x, %u, %u, %u)", l->id,
                        rows, found, n);
}

/* In the order of model_section.c: the values that a section reuses from another one decide how its
 * sums are grouped, hence the digits. */
static void sections(const Model *m, LaneCode *l)
{
    const Program *g = m->g;
    Coder *c = l->code;
    const char *first = derivatives(m, l);
    uint32_t mark = coder_mark(c), n_assertions = 0;
    ExprId *value = arena_array(m->mem, ExprId, m->output.n + 1);
    for (uint32_t k = 0; k < m->output.n; k++)
        value[k] = m->output.at[k].x;
    bool *seen = arena_array(m->mem, bool, pool_size(m->sys->pool) + 1);
    if (!calls(g, m->output.n, value, seen)) {
        coder_section(c, SECTION_OUTPUTS, "outputs", UINT32_MAX, m->output.n, m->output.at, first);
        put_member(l, "outputs", "outputs");
    }
    coder_forget(c, mark);
    Root *root = arena_array(m->mem, Root, g->n_assertions + 1);
    for (uint32_t k = 0; k < g->n_assertions; k++)
        if (expr_variability(m->sys->pool, g->assertion[k].cond) > VARIES_PARAMETER)
            root[n_assertions++] = (Root){.x = g->assertion[k].cond, .kind = ROOT_OUT, .index = k};
    if (n_assertions) {
        coder_section(c, SECTION_ASSERTIONS, "assertions", UINT32_MAX, n_assertions, root, first);
        put_member(l, "assertions", "assertions");
    }
    coder_forget(c, 0);
    uint32_t constants = coder_n_constants(c);
    root = arena_array(m->mem, Root, constants + 1);
    for (uint32_t k = 0; k < constants; k++)
        root[k] = (Root){.x = coder_constant_at(c, k), .kind = ROOT_CONSTANT, .index = k};
    coder_section(c, SECTION_UPDATE, "constants", UINT32_MAX, constants, root, NULL);
    put_member(l, "constants", "constants");
}

static void index_tables(const LaneCode *l, Text *t)
{
    for (uint32_t k = 0; k < coder_n_indices(l->code); k++) {
        uint32_t n;
        const uint32_t *index = coder_indices(l->code, k, &n);
        text_printf(t, "\nconst uint32_t %s_index_%u[%u] = {", l->id, k, coder_index_room(n));
        for (uint32_t i = 0; i < n; i++)
            text_printf(t, "%s%uu", i ? ", " : "", index[i]);
        text_put(t, "};\n");
    }
}

/* Steps, whose arithmetic belongs with vectors. */
static void methods(const Model *m, LaneCode *l)
{
    static const char rk4[] =
        "int %s_rk4(RungLaneContext *ctx, double t, double t_new, const double *x, double *k, "
        "double *stage, double *x_new, double *f_new, double *grows)";
    static const char inside[] =
        "void %s_inside(uint32_t n, const uint32_t *state, double h, double s, const double *x, "
        "const double *f, const double *x_new, const double *f_new, double *out)";
    static const char finite[] = "void %s_finite(uint32_t n, const double *v, double *sum)";
    Text *t = &l->tables;
    text_printf(&l->row, ", .rk4 = %s_rk4, .inside = %s_inside, .finite = %s_finite", l->id, l->id,
                l->id);
    text_printf(&l->declared, finite, l->id);
    text_put(&l->declared, ";\n");
    text_put(t, "\n");
    text_printf(t, finite, l->id);
    text_put(t, "\n{\n    rung_lane_finite(n, v, sum);\n}\n");
    text_printf(&l->declared, rk4, l->id);
    text_put(&l->declared, ";\n");
    text_printf(&l->declared, inside, l->id);
    text_put(&l->declared, ";\n\n");
    text_put(t, "\n");
    text_printf(t, rk4, l->id);
    text_printf(
        t,
        "\n{\n    rung_lane_rk4(%s_xdot, ctx, %u, t, t_new, x, k, stage, x_new, f_new, grows);\n"
        "    return 0;\n}\n\n",
        l->id, m->g->n_states);
    text_printf(t, inside, l->id);
    text_put(t, "\n{\n    rung_lane_inside(n, state, h, s, x, f, x_new, f_new, out);\n}\n");
}

bool lane_code_make(const Model *m, EmitOptions o, LaneCode *out)
{
    if (!can_be(m->g, m->mem))
        return false;
    *out = (LaneCode){.id = arena_printf(m->mem, "%s_lanes%u", m->id, o.width),
                      .width = o.width,
                      .tables = text_new(m->mem),
                      .row = text_new(m->mem),
                      .declared = text_new(m->mem)};
    // all parameters are given: main has found those that follow from others
    uint32_t n = m->sys->var.n;
    ExprId *binding = arena_array(m->mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        binding[k] = EXPR_NONE;
    o.constant_tables = true;
    out->code = coder_new(m->g, o, m->mem, out->id, m->leaf, m->leaf_index, binding, m->block_first,
                          m->functions);
    sections(m, out);
    text_printf(&out->row, " .width = %uu, .n_work = %uu, .n_constants = %uu", o.width,
                coder_n_work(out->code), coder_n_constants(out->code));
    Text *entries = coder_entries(out->code);
    index_tables(out, &out->tables);
    text_put_n(&out->tables, entries->at, entries->n);
    methods(m, out);
    return !coder_failed(out->code);
}

void lane_code_files(const LaneCode *l, EmitFiles *out)
{
    static const char notice[] = "/* Generated by rung. SPDX-License-Identifier: BSD-3-Clause */\n";
    Text header = text_new(out->mem), tables = text_new(out->mem);
    text_printf(&header,
                "%s#ifndef MODEL_%s_H\n#define MODEL_%s_H\n\n#define RUNG_WIDTH %u\n"
                "#include \"rung_lanes.h\"\n#include \"rung_model.h\"\n\n",
                notice, l->id, l->id, l->width);
    const Text *prototypes = coder_prototypes(l->code);
    text_put_n(&header, prototypes->at, prototypes->n);
    text_put(&header, "\n#endif\n");
    text_printf(&tables, "%s#include \"%s.h\"\n", notice, l->id);
    text_put_n(&tables, l->tables.at, l->tables.n);
    EmitFile file = {.is_lanes = true};
    file.name = arena_printf(out->mem, "%s.h", l->id);
    file.text = header.at;
    file.size = header.n;
    file.is_cold = true;
    vec_push(out->mem, out->file, file);
    file.name = arena_printf(out->mem, "%s.c", l->id);
    file.text = tables.at;
    file.size = tables.n;
    file.is_cold = false;
    vec_push(out->mem, out->file, file);
    for (uint32_t k = 0; k < coder_n_files(l->code); k++) {
        Text whole = text_new(out->mem);
        const Text *f = coder_file(l->code, k, &file.is_cold, &file.repeats);
        text_put(&whole, notice);
        text_put_n(&whole, f->at, f->n);
        file.name = arena_printf(out->mem, "%s_%u.c", l->id, k + 1);
        file.text = whole.at;
        file.size = whole.n;
        vec_push(out->mem, out->file, file);
    }
}
