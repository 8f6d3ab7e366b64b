/* M.h: the interface of a library for its users. */
#include "emit/library/library_model.h"

#include "emit/model/kinks.h"

#include <ctype.h>
#include <string.h>

static const char *upper(const char *s, Arena *mem)
{
    char *out = arena_copy(mem, s, strlen(s));
    for (char *c = out; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return out;
}

/* [unit] description, = default. */
static void put_remark(const LibraryModel *l, VarId var, Text *t)
{
    const Model *m = &l->m;
    const Var *v = &m->sys->var.at[var.i];
    Text remark = text_new(m->mem);
    text_put(&remark, v->name.s);
    if (v->attr.unit.s && *v->attr.unit.s)
        text_printf(&remark, " [%s]", v->attr.unit.s);
    if (m->leaf[var.i] == LEAF_PARAMETER && expr_exists(m->binding[var.i]))
        text_put(&remark, ", computed unless it is set");
    else if (m->leaf[var.i] == LEAF_PARAMETER || m->leaf[var.i] == LEAF_INPUT)
        text_printf(&remark, " = %.9g", m->fallback[var.i]);
    if (v->description.s && *v->description.s)
        text_printf(&remark, ": %s", v->description.s);
    text_put(t, " ");
    text_comment(t, remark.at);
    text_put(t, "\n");
}

static void put_members(const LibraryModel *l, const EmitMembers *it, Text *t)
{
    const char *sort = it->sort;
    text_printf(t, "#define %s_N_%sS %uu\n", l->id, sort, it->n);
    if (!it->n) {
        text_put(t, "\n");
        return;
    }
    text_put(t, "enum {\n");
    for (uint32_t k = 0; k < it->n; k++) {
        text_printf(t, "    %s_%s_%s = %u,", l->id, sort, it->name[k], it->place[k]);
        put_remark(l, it->var[k], t);
    }
    text_put(t, "};\n\n");
}

static void put_own_states(const LibraryModel *l, Text *t)
{
    const Program *g = l->m.g;
    if (!g->sensitivity)
        return;
    text_printf(
        t,
        "/* These are the model's own. Behind them are their derivatives by parameters, by one "
        "after the other:\n * %s_init starts them, %s_step carries them along, and "
        "%s_outputs has those of outputs.\n * Steps, and their errors, are as without them. "
        "*/\n#define %s_N_OWN_STATES %uu\n\n",
        l->id, l->id, l->id, l->id, library_own_states(g));
}

static uint32_t some(uint32_t n)
{
    return n ? n : 1;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

bool library_watches_branches(const Model *m)
{
    const bool *has_kinks = kinks_find(m->g, m->sys->pool, m->mem);
    for (uint32_t b = 0; b < m->g->n_blocks; b++)
        if (!m->g->block[b].is_linear && !has_kinks[b])
            return true;
    return false;
}

static void put_instance(const LibraryModel *l, Text *t)
{
    const Model *m = &l->m, *i = &l->initial, *other = &l->other;
    const Linearisation *lin = m->g->linearisation;
    bool has_initial = i->g != NULL, has_other = other->g != NULL;
    uint32_t n_memory = m->g->n_memory, n_values = m->output.n;
    uint32_t n = m->g->n_states, own = library_own_states(m->g);
    uint32_t b = l->largest_block, entries = 0, implicit = 0;
    uint32_t dense = 1;
    if (lin) {
        entries = lin->matrix.columns.col_start[lin->matrix.columns.n_cols];
        implicit = lin->n_implicit;
        dense = (own + lin->n_outputs) * (own + lin->n_inputs + lin->n_parameters);
    }
    if (event_has_delays(m->g))
        text_printf(t,
                    "/* Points in the history of each delayed signal: at least five for each step "
                    "within the longest delay,\n * and two more for each event. A step fails if "
                    "they are too few. */\n"
                    "#ifndef %s_HISTORY\n#define %s_HISTORY 1000u\n#endif\n\n",
                    l->id, l->id);
    text_printf(t,
                "/* An instance: as many as you like, where you like; %s.\n"
                " * Inputs are yours to set: m.u[%s_INPUT_...]. Leave the rest alone. */\n"
                "typedef struct %s_Instance {\n    double u[%u]; /* inputs%s */\n"
                "    double p[%u]; /* parameters */\n    unsigned char is_set[%u];\n"
                "    double c[%u], z[%u];\n",
                m->sys->n_objects ? "it holds external objects: not to be copied"
                                  : "it holds no pointers and may be copied",
                l->id, l->id,
                some(m->input.n + n_memory + (m->g->adjoint ? m->g->adjoint->n_inputs : 0)),
                n_memory ? ", then the memory of the last event" : "", some(m->parameter.n),
                some(m->parameter.n), some(coder_n_constants(m->code)),
                some(m->block_first[m->g->n_blocks]));
    // work arrays, without values from call to call, come last
    Text work = text_new(m->mem);
    text_printf(&work,
                "    double w[%u], z_before[%u]; /* from here on all is work */\n"
                "    double block[%u], matrix[%u], derivatives[%u];\n"
                "    uint32_t pivot[%u], block_pivot[%u];\n",
                some(coder_n_work(m->code)), some(m->block_first[m->g->n_blocks]),
                some(b * b + 7 * b + l->largest_entries),
                some(larger(own * own + 12 * n, entries + implicit * implicit + 2 * implicit)),
                some(dense), some(larger(own, implicit)), some(b));
    if (has_initial)
        n_values = larger(n_values, i->output.n);
    if (has_other)
        n_values = larger(n_values, other->output.n);
    uint32_t n_assertions = m->g->n_assertions;
    if (has_initial)
        n_assertions = larger(n_assertions, i->g->n_assertions);
    text_printf(&work, "    double v[%u];\n    unsigned char holds[%u];\n", some(n_values),
                some(n_assertions));
    if (event_exists(m->g)) {
        enum { LEVELS = 40 }; // rung_place_events
        uint32_t relations = event_n_relations(m->g);
        if (l->n_calls)
            text_printf(&work, "    double call[%u];\n", l->call_room);
        text_printf(t,
                    "    double event[%u], start;\n    unsigned char ended, at_zero[%u];\n"
                    "    uint32_t handled;\n",
                    some(9 * n_memory + 2 * m->g->n_actions + (9 + LEVELS) * relations + 12 * n +
                         2 * m->block_first[m->g->n_blocks]),
                    some(6 * n_memory));
    }
    const Sensitivity *s = m->g->sensitivity;
    if (s)
        text_printf(&work, "    double side[%u]; /* of derivatives by parameters */\n",
                    some(own * s->n));
    if (l->derives_at_once)
        text_printf(&work, "    double along[%u];\n    uint32_t along_pivot[%u];\n",
                    entries + implicit * implicit + 2 * implicit + own * own,
                    some(larger(own, implicit)));
    if (s && event_exists(m->g)) {
        uint32_t directions = s->n_directions;
        uint32_t n_slopes = (s->n_relations + 2 * s->n_actions + 1) * directions;
        text_printf(&work, "    double jump[%u];\n    uint32_t set_by[%u];\n",
                    some(5 * n + n_slopes + 2 * event_n_relations(m->g) + 2 * n_memory +
                         m->block_first[m->g->n_blocks]),
                    some(own));
    }
    if (library_watches_branches(m)) {
        text_printf(t, "    unsigned char of_step[%u];\n", m->g->n_blocks);
        text_printf(&work,
                    "    double branch_x[%u], branch_z[%u]; /* equations of outputs alone */\n",
                    some(2 * n), some(3 * m->block_first[m->g->n_blocks]));
    }
    if (event_has_delays(m->g))
        text_printf(t,
                    "    double history[%s_HISTORY * %uu], delayed[%u];\n"
                    "    uint32_t history_first, history_points;\n",
                    l->id, event_n_delays(m->g) + 1, event_n_delays(m->g));
    if (has_other) {
        text_printf(t, "    double other_c[%u], other_z[%u]; /* with pivoting */\n",
                    some(coder_n_constants(other->code)),
                    some(other->block_first[other->g->n_blocks]));
        text_printf(&work, "    double other_w[%u];\n", some(coder_n_work(other->code)));
    }
    if (m->sys->n_objects)
        text_printf(t,
                    "    struct {\n        void *at;\n        void (*destroy)(void *at);\n"
                    "        int (*completed)(void *at, double t);\n        double *in;\n"
                    "        uint32_t n_in;\n    } object[%u]; /* external ones */\n",
                    m->sys->n_objects);
    if (l->how.kind != LIBRARY_EMBEDDED)
        text_put(&work, "    char why[240];\n");
    if (has_initial)
        text_printf(&work,
                    "    double initial_c[%u], initial_z[%u], initial_w[%u]; /* M_init's */\n",
                    some(coder_n_constants(i->code)), some(i->block_first[i->g->n_blocks]),
                    some(coder_n_work(i->code)));
    if (has_initial && i->g->n_memory)
        text_printf(&work, "    double initial_u[%u], initial_g[%u], initial_kept[%u];\n",
                    i->input.n + i->g->n_memory, some(event_n_relations(i->g)),
                    some(i->block_first[i->g->n_blocks]));
    text_put_n(t, work.at, work.n);
    text_printf(t, "} %s_Instance;\n\n", l->id);
}

static void put_inverse_functions(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    const Model *m = &l->m;
    ExprId *effort = arena_array(m->mem, ExprId, l->output.n + 1);
    for (uint32_t k = 0; k < l->output.n; k++)
        effort[k] = m->g->value[l->output.var[k].i];
    text_printf(
        t,
        "/* Functions return 0; a positive number where they cannot be computed. */\n\n"
        "/* Parameters and inputs get their defaults. First of all. */\n"
        "int %s_defaults(%s_Instance *m);\n"
        "/* Gives parameter %s_PARAMETER_... a value, to be followed by %s_update. */\n"
        "void %s_set(%s_Instance *m, unsigned parameter, double value);\n"
        "/* Computes the values that depend on parameters alone. */\nint %s_update(%s_Instance "
        "*m);\n\n"
        "/* Efforts that move q with the velocities qd and the accelerations qdd: %llu operations. "
        "*/\n"
        "int %s_inverse(%s_Instance *m, double t, const double *q, const double *qd, const double "
        "*qdd,\n    double *effort);\n"
        "/* Efforts that hold q at rest. */\n"
        "int %s_gravity(%s_Instance *m, double t, const double *q, double *effort);\n"
        "/* d effort / d qdd, by columns. */\n"
        "int %s_mass_matrix(%s_Instance *m, double t, const double *q, double *mass);\n",
        id, id, id, id, id, id, id, id, program_operations(m->sys->pool, l->output.n, effort), id,
        id, id, id, id, id);
    text_printf(t,
                "\n/* Names as in the model, NULL behind the last. */\n"
                "extern const char *const %s_motion_name[], *const %s_effort_name[];\n",
                id, id);
}

static void put_functions(const LibraryModel *l, Text *t)
{
    const char *id = l->id;
    const Program *g = l->m.g;
    bool has_events = event_exists(g), says = l->how.kind != LIBRARY_EMBEDDED;
    text_printf(t,
                "/* Functions return 0; a positive number where they cannot be computed: a pivot "
                "vanishes, a\n * block does not converge (a smaller step may help); a negative one "
                "where nothing will: an\n * assertion of level error does not hold%s. */\n\n",
                says ? arena_printf(l->m.mem, ". %s_why says which", id) : "");
    text_printf(
        t,
        "/* Parameters and inputs get their defaults. First of all. */\n"
        "void %s_defaults(%s_Instance *m);\n"
        "/* Gives parameter %s_PARAMETER_... a value, to be followed by %s_init or %s_update. */\n"
        "void %s_set(%s_Instance *m, unsigned parameter, double value);\n"
        "/* Dependent parameters, then states at time t: start values and initial equations. */\n"
        "int %s_init(%s_Instance *m, double t, double *x);\n"
        "/* Dependent parameters alone: after %s_set while the model runs. */\n"
        "int %s_update(%s_Instance *m);\n\n",
        id, id, id, id, id, id, id, id, id, id, id, id);
    text_printf(
        t,
        "/* Derivatives of the states x at time t, and the outputs y, with the inputs in m. */\n"
        "int %s_xdot(%s_Instance *m, double t, const double *x, double *xdot);\n"
        "int %s_outputs(%s_Instance *m, double t, const double *x, double *y);\n\n"
        "/* One step of an implicit method (ESDIRK of order 5, stiff): x becomes the states at t + "
        "h.\n"
        " * *error is the estimated one, relative to nominal values + |x|. Positive: x is as it "
        "was.%s */\n"
        "int %s_step(%s_Instance *m, double t, double h, double *x, double *error);\n",
        id, id, id, id,
        has_events
            ? "\n * Events inside the step, and at its end, are found and handled; a relation "
              "that becomes another\n * and back is seen if it is another at an eighth of the "
              "step, two, and so on."
            : "",
        id, id);
    if (says)
        text_printf(t,
                    "/* Of the last function that did not return 0. */\n"
                    "const char *%s_why(const %s_Instance *m);\n",
                    id, id);
    if (l->m.sys->n_objects)
        text_printf(
            t,
            "\n/* Frees the external objects that %s_init and %s_update have made: the last "
            "of all. */\nvoid %s_free(%s_Instance *m);\n",
            id, id, id, id);
    if (g->n_assertions)
        text_printf(t,
                    "\n/* Whether each assertion of the model holds, with those of level warning: "
                    "%s_init and %s_step\n * look at those of level error. */\n"
                    "#define %s_N_ASSERTIONS %uu\n"
                    "int %s_assertions(%s_Instance *m, double t, const double *x, unsigned char "
                    "*holds);\n",
                    id, id, id, g->n_assertions, id, id);
    if (has_events)
        text_printf(
            t,
            "\n/* For your own integrator. relations: left minus right sides of the relations; at "
            "an event one of\n * them crosses zero. is_event: whether a relation has changed. "
            "next_event: the time of the next time\n * event (DBL_MAX: none). event: handles an "
            "event, with when-clauses and reinit. has_ended: whether\n * the model has called "
            "terminate(); steps end there, and further steps do nothing. */\n"
            "#define %s_N_RELATIONS %uu\n"
            "int %s_relations(%s_Instance *m, double t, const double *x, double *g);\n"
            "int %s_is_event(%s_Instance *m, double t, const double *x);\n"
            "double %s_next_event(%s_Instance *m);\n"
            "int %s_event(%s_Instance *m, double t, double *x);\n"
            "int %s_has_ended(const %s_Instance *m);\n",
            id, event_n_relations(g), id, id, id, id, id, id, id, id, id, id);
    if (event_has_delays(g))
        text_printf(
            t,
            "/* Records the delayed signals, as %s_step does. Call it at the end of each step of "
            "your own integrator;\n * a step must not be longer than the shortest delay. */\n"
            "int %s_record(%s_Instance *m, double t, const double *x);\n",
            id, id, id);
    if (g->linearisation) {
        const Linearisation *lin = g->linearisation;
        uint32_t columns = lin->n_states + lin->n_inputs + lin->n_parameters;
        if (lin->n_parameters) {
            text_put(t,
                     "\n/* Columns of the Jacobian that are derivatives by parameters; those that "
                     "follow from them follow,\n * unless they are set. States are given, at the "
                     "start too. */\n");
            put_members(l, &l->by, t);
        }
        text_printf(
            t,
            "\n/* Derivatives of (states' derivatives, outputs) by (states, inputs): (A B; C D), "
            "by columns,\n * %u rows, %u columns. Rows of outputs and columns of inputs are those "
            "of type Real%s. */\n#define %s_JACOBIAN_ROWS %uu\n#define %s_JACOBIAN_COLUMNS %uu\n"
            "int %s_jacobian(%s_Instance *m, double t, const double *x, double *abcd);\n",
            lin->n_states + lin->n_outputs, columns,
            lin->n_parameters ? ";\n * behind them are those by parameters" : "", id,
            lin->n_states + lin->n_outputs, id, columns, id, id);
        if (!lin->n_implicit)
            text_printf(
                t,
                "/* The same, its %u entries that are not zero: column c has the rows %s_row[e], "
                "for e from\n * %s_column[c] to before %s_column[c + 1]. */\n"
                "#define %s_N_ENTRIES %uu\nextern const uint32_t %s_column[], %s_row[];\n"
                "int %s_entries(%s_Instance *m, double t, const double *x, double *entry);\n",
                lin->matrix.columns.col_start[lin->matrix.columns.n_cols], id, id, id, id,
                lin->matrix.columns.col_start[lin->matrix.columns.n_cols], id, id, id, id);
    }
    if (g->residual && g->residual->n) {
        text_printf(t,
                    "\n/* The residual form: the residuals of the equations of the tearing "
                    "variables\n * a (accelerations) for given a; zero for the values that "
                    "%s_xdot computes. */\n"
                    "enum {\n",
                    id);
        for (uint32_t k = 0; k < g->residual->n; k++) {
            text_printf(t, "    %s_TORN_%u = %u,", id, k, k);
            put_remark(l, g->residual->torn[k], t);
        }
        text_printf(t,
                    "};\n#define %s_N_RESIDUALS %uu\n"
                    "int %s_residual(%s_Instance *m, double t, const double *x, const double *a, "
                    "double *r);\n",
                    id, g->residual->n, id, id);
    }
    library_lanes_header(l, t);
    library_adjoint_header(l, t);
    if (l->how.kind != LIBRARY_EMBEDDED)
        text_printf(t,
                    "\n/* Names as in the model, NULL behind the last. */\n"
                    "extern const char *const %s_state_name[], *const %s_input_name[];\n"
                    "extern const char *const %s_output_name[], *const %s_parameter_name[];\n",
                    id, id, id, id);
}

void library_header(const LibraryModel *l, Text *t)
{
    const System *s = l->m.sys;
    const char *guard = upper(l->id, l->m.mem);
    text_put(t, "/* Generated by rung. SPDX-License-Identifier: BSD-3-Clause */\n");
    text_comment(t, arena_printf(l->m.mem, "%s.h -- %s%s%s", l->id, s->model ? s->model : "",
                                 s->description.s && *s->description.s ? ": " : "",
                                 s->description.s ? s->description.s : ""));
    text_printf(t,
                "\n#ifndef %s_LIBRARY_H\n#define %s_LIBRARY_H\n\n#include <stdint.h>\n\n"
                "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                guard, guard);
    text_put(t, "/* Places in x, u, y and of parameters. */\n");
    put_members(l, &l->state, t);
    put_own_states(l, t);
    put_members(l, &l->input, t);
    put_members(l, &l->output, t);
    put_members(l, &l->parameter, t);
    put_instance(l, t);
    if (l->how.kind == LIBRARY_INVERSE)
        put_inverse_functions(l, t);
    else
        put_functions(l, t);
    text_put(t, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}
