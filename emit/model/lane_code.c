#include "emit/model/lane_code.h"

#include "emit/model/event_parts.h"

#include <string.h>

/* Says why there is no such code. */
static bool refuse(const Program *g, Span span, const char *why)
{
    diag_error(g->sys->diags, span, "G07",
               "no code for several instances at once can be made of this model: %s", why);
    return true;
}

/* Whether it is a call that lanes have not: of a function with Strings, and in a library, whose
 * lanes have no instances, of any. */
static bool is_call(const Program *g, ExprId x, bool apart)
{
    const ExprPool *p = g->sys->pool;
    if (expr_op(p, x) == OP_STRING)
        return true;
    if (expr_op(p, x) != OP_CALL)
        return false;
    const Function *f = &g->sys->function->at[expr_func_of(p, x).i];
    return apart || intrinsic_is_text(f->intrinsic) || function_n_texts(f) > 0;
}

/* Whether the n expressions have such calls. */
static bool calls(const Program *g, uint32_t n, const ExprId *root, bool apart, bool *mark)
{
    const ExprPool *p = g->sys->pool;
    program_reach(p, n, root, mark);
    for (uint32_t k = 0; k < pool_size(p); k++)
        if (mark[k] && is_call(g, (ExprId){k}, apart))
            return true;
    return false;
}

/* The same for one expression and its operands, with a diagnostic. */
static bool is_refused(const Program *g, ExprId x, Name of, Span span, bool apart, bool *mark)
{
    if (!calls(g, 1, &x, apart, mark))
        return false;
    return refuse(
        g, span,
        arena_printf(g->sys->mem, "%s calls a function%s", of.s, apart ? "" : " that has Strings"));
}

/* Of a library, whose lanes have the inputs of the model alone: no memory of events and no
 * multipliers of cut loops. */
static bool can_be_apart(const Program *g)
{
    if (g->n_blocks) {
        const Var *v = &g->sys->var.at[g->block[0].unknown[0].i];
        return !refuse(g, v->span,
                       arena_printf(g->sys->mem,
                                    "%s is among the unknowns of equations that are solved at "
                                    "run time",
                                    v->name.s));
    }
    if (g->loops)
        return !refuse(g, SPAN_NONE, "its kinematic loops are cut, and closed in each step");
    if (g->n_memory)
        return !refuse(g, g->memory[0].span, "it has events, the first one from here");
    return !g->n_actions || !refuse(g, SPAN_NONE, "it has events");
}

static bool can_be(const Program *g, bool apart, Arena *mem)
{
    const System *s = g->sys;
    bool *mark = arena_array(mem, bool, pool_size(s->pool) + 1);
    if (calls(g, g->n_states, g->derivative, apart, mark))
        for (uint32_t k = 0; k < g->n_states; k++) {
            const Var *v = &s->var.at[g->state[k].i];
            if (is_refused(g, g->derivative[k], name_printf(s->names, "der(%s)", v->name.s),
                           v->span, apart, mark))
                return false;
        }
    return true;
}

static void put_member(LaneCode *l, const char *field, const char *section)
{
    bool of_lanes = strcmp(field, "constants") != 0;
    text_printf(&l->row, " .%s = %s_%s,", field, l->id, section);
    text_printf(&l->declared, "int %s_%s(%s);\n", l->id, section,
                of_lanes ? "RungLaneContext *ctx, const double *t, const double *x, double *out"
                         : "RungContext *ctx");
}

/* A function that stands by itself. */
typedef struct LaneFunction {
    const char *field, *section;
    uint32_t n;
    const ExprId *x;
} LaneFunction;

/* Unless it has calls that are not in lanes. */
static void put_function(const Model *m, LaneCode *l, LaneFunction f, bool *mark)
{
    // with blocks Newton's iteration and the Jacobian are those of one instance
    if (f.n == 0 || m->g->n_blocks || calls(m->g, f.n, f.x, l->apart, mark))
        return;
    coder_section_of(l->code, SECTION_XDOT, f.section, f.n, f.x);
    put_member(l, f.field, f.section);
}

/* Of those of cut loops the ones that steps call. */
static void loops_functions(const Model *m, LaneCode *l, bool *mark)
{
    const LoopConstraints *it = m->g->loops;
    const ExprColumns *by = it->by_input ? &it->by_input->columns : NULL;
    const LaneFunction all[] = {
        {"phi", "phi", it->n_constraints, it->phi},
        {"phi_dot", "phi_dot", it->n_constraints, it->phi_dot},
        {"balance", "balance", it->n_massless, it->balance},
        {"phi_rest", "phi_rest", it->n_constraints, it->phi_rest},
        {"phi_v", "phi_v", it->phi_v.col_start[it->phi_v.n_cols], it->phi_v.entry},
        {"by_input", "by_input", by ? by->col_start[by->n_cols] : 0, by ? by->entry : NULL}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        put_function(m, l, all[k], mark);
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
    if (g->loops || g->newton || g->jacobian || g->residual || g->adjoint || g->along)
        coder_forget(c, 0);
    bool *mark = arena_array(m->mem, bool, pool_size(m->sys->pool) + 1);
    if (g->jacobian && g->jacobian->columns.entry) {
        const ExprColumns *j = &g->jacobian->columns;
        put_function(m, l, (LaneFunction){"entries", "entries", j->col_start[j->n_cols], j->entry},
                     mark);
    }
    if (g->loops)
        loops_functions(m, l, mark);
    if (g->newton && g->newton->n_delta)
        put_function(m, l, (LaneFunction){"step", "newton", g->newton->n_delta, g->newton->delta},
                     mark);
    enum { LEAST_VECTOR = 2 }; // doubles: a value takes width / LEAST_VECTOR vectors at most
    uint32_t rows = coder_work(c, n * (l->width / LEAST_VECTOR)), found = coder_work(c, n);
    for (uint32_t k = 0; k < n; k++)
        coder_found_in_work(c, g->derivative[k], found + k);
    return arena_printf(m->mem, "rung_lane_first(%s_xdot_part, ctx, h, t, x, %u, %u, %u)", l->id,
                        rows, found, n);
}

static bool root_calls(const Model *m, uint32_t n, const Root *root, bool apart, bool *mark)
{
    ExprId *x = arena_array(m->mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        x[k] = root[k].x;
    return calls(m->g, n, x, apart, mark);
}

/* In the order of model_section.c: the values that a section reuses from another one decide how its
 * sums are grouped, hence the digits. */
static void sections(const Model *m, LaneCode *l)
{
    const Program *g = m->g;
    Coder *c = l->code;
    const char *first = derivatives(m, l);
    bool all_solved = true; // what the derivatives leave is solved by the outputs
    for (uint32_t b = 0; b < g->n_blocks; b++)
        all_solved = all_solved && coder_solves(c, b);
    uint32_t mark = coder_mark(c), n_assertions = 0;
    bool *seen = arena_array(m->mem, bool, pool_size(m->sys->pool) + 1);
    // outputs that change at events only have parts of their own before the last one
    const EventParts *p = &m->outputs;
    uint32_t begin = p->n ? p->first[m->n_still] : 0, n_values = m->output.n - begin;
    const Root *output = p->n ? p->root + begin : m->output.at;
    if (n_values > 0 && !root_calls(m, n_values, output, l->apart, seen)) {
        coder_section(c, SECTION_OUTPUTS, "outputs", UINT32_MAX, n_values, output, first);
        put_member(l, "outputs", "outputs");
    }
    coder_forget(c, mark);
    Root *root = arena_array(m->mem, Root, g->n_assertions + 1);
    for (uint32_t k = 0; k < g->n_assertions; k++)
        if (!expr_is_fixed(m->sys->pool, g->assertion[k].cond))
            root[n_assertions++] = (Root){.x = g->assertion[k].cond, .kind = ROOT_OUT, .index = k};
    if (n_assertions && (all_solved || !g->n_blocks) &&
        !root_calls(m, n_assertions, root, l->apart, seen)) {
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

/* A step, whose arithmetic belongs with vectors. */
static void methods(const Model *m, LaneCode *l)
{
    static const char rk4[] =
        "int %s_rk4(RungLaneContext *ctx, double t, double t_new, const double *x, double *k, "
        "double *stage, double *x_new, double *f_new, double *grows)";
    Text *t = &l->tables;
    text_printf(&l->row, ", .rk4 = %s_rk4", l->id);
    text_printf(&l->declared, rk4, l->id);
    text_put(&l->declared, ";\n\n");
    text_put(t, "\n");
    text_printf(t, rk4, l->id);
    text_printf(
        t,
        "\n{\n    rung_lane_rk4(%s_xdot, ctx, %u, t, t_new, x, k, stage, x_new, f_new, grows);\n"
        "    return 0;\n}\n",
        l->id, m->g->n_states);
}

bool lane_code_make(const Model *m, EmitOptions o, bool apart, LaneCode *out)
{
    if (!can_be(m->g, apart, m->mem) || (apart && !can_be_apart(m->g)))
        return false;
    *out = (LaneCode){.id = arena_printf(m->mem, "%s_lanes%u", m->id, o.width),
                      .width = o.width,
                      .apart = apart,
                      .functions = m->functions,
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
    if (m->g->n_blocks)
        coder_take_blocks(out->code, m->code);
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
    if (!l->apart)
        function_prototypes(l->functions, &header);
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
