/* section_unit.h -- sections and tables that a test asks for, compiled into a shared object without
 * the rest of the model, and a second way of computing their expressions.
 *
 *     Unit u = unit_of("model M ... end M;", &request);
 *     ... forms of u.g ...
 *     unit_code(&u);
 *     jacobian_section(u.g, u.m.code);
 *     jacobian_table(u.g, &u.tables, "M");
 *     const RungJacobian *j = unit_load(&u, "&jacobian");
 */
#ifndef RUNG_TESTS_EMIT_SECTION_UNIT_H
#define RUNG_TESTS_EMIT_SECTION_UNIT_H

#include "emit/model/model.h"
#include "tests/emit/fixture.h"
#include "translate/driver.h"

#include <dlfcn.h>
#include <string.h>

typedef struct Unit {
    Arena *mem;
    Compilation *c;
    Program *g;
    Model m;
    Tables tables;
    EmitFiles more; /* beside M.h and unit.c */
    void *library;
    RungContext ctx;
    double *x, *torn, *var; /* var: a value per variable that is a leaf */
    double t;
    unsigned random;
} Unit;

typedef int (*Section)(RungContext *ctx, double t, const double *x, double *out);
typedef int (*TornSection)(RungContext *ctx, double t, const double *x, const double *torn,
                           double *out);

static inline Unit unit_of(const char *text, const Request *r)
{
    Unit u = {.mem = arena_new(), .random = 1};
    u.c = compilation_new(r, u.mem);
    library_add_text(u.c->library, "M.mo", text);
    cr_assert(driver_run(u.c, NULL), "%s",
              diags_count(u.c->diags) ? diags_at(u.c->diags, 0)->text : "no reason");
    u.g = &u.c->dae.solution.program;
    return u;
}

/* After the forms of the Program are made: leaves, places, a coder. */
static inline void unit_code(Unit *u)
{
    u->m = (Model){.g = u->g, .sys = u->g->sys, .mem = u->mem, .id = "M"};
    u->m.functions = function_use_new(u->m.sys, u->mem, "M");
    model_find_leaves(&u->m);
    u->m.code = coder_new(u->g, emit_defaults(), u->mem, "M", u->m.leaf, u->m.leaf_index,
                          u->m.binding, u->m.block_first, u->m.functions);
    model_find_places(&u->m);
    u->m.tables = text_new(u->mem);
    u->tables = tables_new(&u->m.tables, u->mem);
}

/* Parameters that depend on others, and the constants of the sections so far. */
static inline void unit_update(Unit *u)
{
    Coder *c = u->m.code;
    uint32_t n_parameters = u->m.parameter.n, n_constants = coder_n_constants(c), n = 0;
    Root *root = arena_array(u->mem, Root, n_parameters + n_constants + 1);
    for (uint32_t k = 0; k < n_parameters; k++) {
        VarId v = u->m.parameter.at[k];
        if (expr_exists(u->m.binding[v.i]))
            root[n++] =
                (Root){.x = u->m.binding[v.i], .kind = ROOT_PARAMETER, .index = k, .var = v};
    }
    for (uint32_t k = 0; k < n_constants; k++)
        root[n++] = (Root){.x = coder_constant_at(c, k), .kind = ROOT_CONSTANT, .index = k};
    coder_section(c, SECTION_UPDATE, "update", UINT32_MAX, n, root, NULL);
    coder_blocks_done(c);
    cr_assert(!coder_failed(c));
}

/* M.h, which the files of the coder include, and all code. */
static inline void unit_files(Unit *u, const char *table, EmitFiles *f)
{
    Coder *c = u->m.code;
    Text *header = arena_make(u->mem, Text), *all = arena_make(u->mem, Text);
    Text functions = text_new(u->mem), external = text_new(u->mem);
    *header = text_new(u->mem);
    *all = text_new(u->mem);
    text_put(header, "#ifndef M_H\n#define M_H\n#include \"rung_math.h\"\n"
                     "#include \"rung_model.h\"\n#include \"rung_table.h\"\n");
    text_put_n(header, coder_prototypes(c)->at, coder_prototypes(c)->n);
    function_definitions(c, &functions, &external);
    function_prototypes(u->m.functions, header);
    text_put(header, "#endif\n");
    for (uint32_t k = 0; k < coder_n_files(c); k++) {
        bool is_cold;
        uint32_t repeats;
        const Text *file = coder_file(c, k, &is_cold, &repeats);
        text_put_n(all, file->at, file->n);
    }
    tables_done(&u->tables, "M_fill");
    text_put(all, "#include \"M.h\"\n");
    text_put_n(all, functions.at, functions.n);
    text_put_n(all, coder_entries(c)->at, coder_entries(c)->n);
    text_put_n(all, u->m.tables.at, u->m.tables.n);
    text_printf(all, "\nconst void *unit_table(void)\n{\n    M_fill();\n    return %s;\n}\n",
                table ? table : "0");
    EmitFile file[] = {{.name = "M.h", .text = header->at, .size = header->n},
                       {.name = "unit.c", .text = all->at, .size = all->n}};
    vec_push(u->mem, f->file, file[0]);
    vec_push(u->mem, f->file, file[1]);
    for (uint32_t k = 0; k < u->more.file.n; k++)
        vec_push(u->mem, f->file, u->more.file.at[k]);
    emit_headers(f);
}

/* POSIX wants this detour: ISO C does not convert objects to functions. */
typedef union UnitSymbol {
    void *object;
    Section section;
    TornSection torn;
    int (*update)(RungContext *ctx);
    int (*still)(RungContext *ctx, double *out); /* a section of parameters alone */
    RungLaneFunction lanes;
    int (*call)(RungContext *ctx, const double *in, double *out);
    const void *(*table)(void);
} UnitSymbol;

static inline UnitSymbol unit_symbol(const Unit *u, const char *name)
{
    UnitSymbol s = {.object = dlsym(u->library, name)};
    cr_assert_not_null(s.object, "%s", name);
    return s;
}

/* A point by chance: time, states, inputs, tearing variables. Parameters are those of ctx. */
static inline void unit_draw(Unit *u)
{
    Bench b = {.random = u->random};
    u->t = unit(&b);
    for (uint32_t k = 0; k < u->g->n_states; k++)
        u->x[k] = unit(&b);
    for (uint32_t k = 0; k < u->m.input.n; k++)
        u->ctx.u[k] = unit(&b);
    for (uint32_t k = 0; k < u->m.sys->var.n; k++) {
        uint32_t at = u->m.leaf_index[k];
        if (u->m.leaf[k] == LEAF_TORN)
            u->torn[at] = unit(&b);
        u->var[k] = u->m.leaf[k] == LEAF_STATE       ? u->x[at]
                    : u->m.leaf[k] == LEAF_PARAMETER ? u->ctx.p[at]
                    : u->m.leaf[k] == LEAF_INPUT     ? u->ctx.u[at]
                    : u->m.leaf[k] == LEAF_TORN      ? u->torn[at]
                                                     : NAN;
    }
    u->random = b.random;
}

/* Compiles all of it; returns the address `table`, a C expression, or NULL. */
static inline const void *unit_load(Unit *u, const char *table)
{
    unit_update(u);
    EmitFiles f = {.mem = u->mem, .id = "M"};
    unit_files(u, table, &f);
    const char *error = "", *dir = scratch_directory();
    cr_assert(emit_write(&f, dir, u->mem, &error), "%s", error);
    int status = shell("cd '%s' && cc -std=c11 -w -O0 -shared -fPIC -o unit.so *.c -lm", dir);
    u->library =
        status ? NULL : dlopen(arena_printf(u->mem, "%s/unit.so", dir), RTLD_NOW | RTLD_LOCAL);
    shell("rm -r '%s'", dir); // the directory goes, whatever has failed
    cr_assert_not_null(u->library, "status %d", status);
    enum { SPARE = 64 };
    uint32_t n_work = coder_n_work(u->m.code) + SPARE, n_var = u->m.sys->var.n;
    u->ctx.p = arena_array(u->mem, double, u->m.parameter.n + 1);
    u->ctx.is_set = arena_array(u->mem, unsigned char, u->m.parameter.n + 1);
    u->ctx.c = arena_array(u->mem, double, coder_n_constants(u->m.code) + 1);
    u->ctx.u = arena_array(u->mem, double, n_var + SPARE);
    u->ctx.w = arena_array(u->mem, double, n_work);
    u->ctx.failed_pivot = u->ctx.failed_block = RUNG_NONE;
    u->x = arena_array(u->mem, double, u->g->n_states + 1);
    u->torn = arena_array(u->mem, double, n_var + 1);
    u->var = arena_array(u->mem, double, n_var + 1);
    for (uint32_t k = 0; k < u->m.parameter.n; k++)
        u->ctx.p[k] = u->m.fallback[u->m.parameter.at[k].i];
    const void *at = unit_symbol(u, "unit_table").table();
    cr_assert_eq(unit_symbol(u, "M_update").update(&u->ctx), 0);
    unit_draw(u);
    return at;
}

static inline void unit_done(Unit *u)
{
    if (u->library)
        dlclose(u->library);
    compilation_free(u->c);
    arena_free(u->mem);
}

/* An expression at the point, by the fixture's evaluation. */
static inline double unit_value(Unit *u, ExprId x)
{
    Bench b = {.pool = u->m.sys->pool};
    uint32_t n = pool_size(b.pool);
    double *memo = calloc(n + 1, sizeof *memo);
    bool *known = calloc(n + 1, sizeof *known);
    double value = value_at(&b, x, u->t, u->var, memo, known);
    free(memo);
    free(known);
    return value;
}

/* Its derivative by the leaf v, as a central difference. */
static inline double unit_slope(Unit *u, ExprId x, VarId v)
{
    static const double STEP = 1e-5;
    double was = u->var[v.i];
    u->var[v.i] = was + STEP;
    double high = unit_value(u, x);
    u->var[v.i] = was - STEP;
    double low = unit_value(u, x);
    u->var[v.i] = was;
    return (high - low) / (2 * STEP);
}

static inline VarId unit_var(const Unit *u, const char *name)
{
    VarId v = system_find_var(u->m.sys ? u->m.sys : u->g->sys, name_of(u->g->sys->names, name));
    cr_assert(var_exists(v), "no variable %s", name);
    return v;
}

#define UNIT_NEAR(have, want, ...)                                                                 \
    cr_assert_lt(fabs((have) - (want)), 1e-7 * (1 + fabs(want)), __VA_ARGS__)

#endif
