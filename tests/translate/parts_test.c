/* The parts between a request and its program: values of --set and --start, modifiers, motions
 * given, warnings, the C with its fallback, records of translations. */
#include "base/temporary.h"
#include "emit/emit.h"
#include "tests/eliminate/evaluate.h"
#include "translate/data.h"
#include "translate/driver.h"
#include "translate/emission.h"
#include "translate/inversion.h"
#include "translate/open_warning.h"
#include "translate/order_warning.h"
#include "translate/setting_values.h"
#include "translate/start_values.h"
#include "translate/structural_set.h"
#include "translate/translation_record.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Compilation *compiled(const char *text, const Request *r, const char *pass, Arena *mem)
{
    Compilation *c = compilation_new(r, mem);
    library_add_text(c->library, "M.mo", text);
    cr_assert(driver_run(c, pass ? driver_find(pass) : NULL), "%s",
              diags_count(c->diags) ? diags_at(c->diags, 0)->text : "no reason");
    return c;
}

static VarId var_of(const Compilation *c, const char *name)
{
    VarId v = system_find_var(c->sys, name_of(c->names, name));
    cr_assert(var_exists(v), "%s", name);
    return v;
}

static uint32_t count_of(const Compilation *c, const char *code)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < diags_count(c->diags); k++)
        n += strcmp(diags_at(c->diags, k)->code, code) == 0;
    return n;
}

/* ---- setting_values.h, structural_set.h ---- */

static const char plant[] =
    "model M\n"
    "  type Speed = enumeration(slow, fast);\n"
    "  parameter Real L(unit = \"m\") = 1, v[2] = {1, 2}; parameter Speed kind = Speed.slow;\n"
    "  parameter Integer n = 2; parameter String name = \"\"; Real x[n];\n"
    "equation\n"
    "  for i in 1:n loop der(x[i]) = L*v[1]*i; end for;\n"
    "end M;\n";

/* The number of a setting "name=value". */
static double number_of(const char *text)
{
    return strtod(strchr(text, '=') + 1, NULL);
}

Test(setting_values, units_literals_arrays)
{
    Arena *mem = arena_new();
    Compilation *c = compiled(plant, &(Request){.model = "M"}, "flatten", mem);
    Texts set = {0}, out;
    const char *const given[] = {"L=5 mm", "kind=fast", "v={4, 5}", "name=\"pump\""};
    for (int k = 0; k < 4; k++)
        vec_push(mem, set, given[k]);
    const char *error = setting_values_read_flat(c->sys, &set, &out, mem);
    cr_assert_null(error, "%s", error);
    cr_assert_eq(out.n, 5);
    cr_assert_float_eq(number_of(out.at[0]), 5 * 1e-3, 1e-18);
    const char *dot = strrchr(out.at[1], '.');
    cr_assert(dot && strcmp(dot + 1, "fast") == 0, "%s", out.at[1]);
    cr_assert_eq(strncmp(out.at[2], "v[1]=", 5), 0);
    cr_assert_eq(strncmp(out.at[3], "v[2]=", 5), 0);
    cr_assert_eq(number_of(out.at[2]), 4);
    cr_assert_eq(number_of(out.at[3]), 5);
    cr_assert_str_eq(out.at[4], given[3]);
    /* written and read again, values are the same */
    Texts again;
    cr_assert_null(setting_values_read_flat(c->sys, &out, &again, mem));
    for (uint32_t k = 0; k < out.n; k++)
        cr_assert_str_eq(again.at[k], out.at[k]);
    const char *const wrong[] = {"L=5 kg", "kind=quick", "n=1.5",    "gone=1",
                                 "L",      "L=x",        "name=pump"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Texts one = {0};
        vec_push(mem, one, wrong[k]);
        cr_assert_not_null(setting_values_read_flat(c->sys, &one, &out, mem), "%s", wrong[k]);
    }
    compilation_free(c);
    arena_free(mem);
}

Test(structural_set, structural_values_become_modifiers)
{
    Arena *mem = arena_new();
    Compilation *c = compiled(plant, &(Request){.model = "M"}, "flatten", mem);
    Texts set = {0}, left;
    vec_push(mem, set, "L=2");
    cr_assert_null(structural_model_flat(c->sys, "M", &set, &left, mem));
    cr_assert_eq(left.n, 1);
    vec_push(mem, set, "n=5");
    const char *model = structural_model_flat(c->sys, "M(L=3)", &set, &left, mem);
    cr_assert_str_eq(model, "M(L=3, n=5)");
    cr_assert_eq(left.n, 1);
    cr_assert_str_eq(left.at[0], "L=2");
    /* such a model has as many states */
    Compilation *d = compiled(plant, &(Request){.model = model}, NULL, mem);
    cr_assert_eq(d->dae.solution.program.n_states, 5);
    compilation_free(d);
    /* --set replaces the modifier of the same parameter in the model text; other modifiers are
     * unchanged */
    static const char *const given[][2] = {
        {"M(n=4)", "M(n=5)"},
        {"M(L=3, n = 4)", "M(L=3, n=5)"},
        {"M(k(b={1, 2}, c(d=f(1, \"),(\"))), n=4)", "M(k(b={1, 2}, c(d=f(1, \"),(\"))), n=5)"},
        {"M(redeclare package P = Q(n=2), L=1)", "M(redeclare package P = Q(n=2), L=1, n=5)"},
        {"M(x(start=1) = 2)", "M(x(start=1) = 2, n=5)"},
        {"M()", "M(n=5)"},
        {"M", "M(n=5)"},
    };
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        cr_assert_str_eq(structural_model_flat(c->sys, given[k][0], &set, &left, mem), given[k][1]);
    compilation_free(c);
    arena_free(mem);
}

/* ---- start_values.h ---- */

Test(start_values, of_variables_and_of_elements)
{
    Arena *mem = arena_new();
    Request r = {.model = "M"};
    vec_push(mem, r.start, "x[2]=0.25");
    Compilation *c = compiled(plant, &(Request){.model = "M"}, "flatten", mem);
    double value;
    ExprId before = c->sys->var.at[var_of(c, "x[2]").i].attr.start;
    cr_assert(!expr_exists(before) || !expr_constant(c->sys->pool, before, &value) ||
              value != 0.25);
    c->request.start = r.start;
    cr_assert(start_values_apply(c));
    cr_assert(expr_constant(c->sys->pool, c->sys->var.at[var_of(c, "x[2]").i].attr.start, &value));
    cr_assert_eq(value, 0.25);
    Texts wrong = {0};
    vec_push(mem, wrong, "y=1");
    c->request.start = wrong;
    cr_assert_not(start_values_apply(c));
    cr_assert_eq(count_of(c, "N30"), 1);
    compilation_free(c);
    arena_free(mem);
}

/* ---- inversion.h ---- */

/* The force of a given motion is that of the equation of motion. */
Test(inversion, effort_of_a_motion)
{
    Arena *mem = arena_new();
    static const char mass[] = "model M Real x(start = 0), v(start = 0); input Real f; equation\n"
                               "  der(x) = v; 2*der(v) = f - 3*x^3 - v; end M;";
    Request r = {.model = "M", .loops = LOOPS_INDEX_REDUCTION};
    Compilation *c = compilation_new(&r, mem);
    library_add_text(c->library, "M.mo", mass);
    InverseDynamics it;
    cr_assert(inversion_run(c, "x", "f", &it));
    cr_assert(driver_run(c, NULL));
    const Program *g = &c->dae.solution.program;
    cr_assert_eq(it.n, 1);
    cr_assert_eq(g->n_states, 0);
    cr_assert_eq(it.position[0].i, var_of(c, "x").i);
    double *var = calloc(c->sys->var.n, sizeof *var);
    const double x = 0.7, v = -1.3, a = 2.1;
    var[it.position[0].i] = x;
    var[it.velocity[0].i] = v;
    var[it.acceleration[0].i] = a;
    Point at = {.var = var};
    cr_assert_float_eq(evaluate(c->sys->pool, g->value[it.effort[0].i], &at),
                       2 * a + 3 * x * x * x + v, 1e-12);
    free(var);
    compilation_free(c);
    arena_free(mem);
}

/* ---- open_warning.h ---- */

/* k (a + b) = k x, a - b = x: for k = 0 no equation determines a. */
Test(open_warning, names_the_parameter)
{
    for (int k = 0; k < 2; k++) {
        Arena *mem = arena_new();
        char text[200];
        snprintf(text, sizeof text,
                 "model M parameter Real k = %d; Real a, b, x(start = 1); equation\n"
                 "  der(x) = a; k*(a + b) = k*x; a - b = x; end M;",
                 k);
        Compilation *c = compiled(text, &(Request){.model = "M"}, "blocks", mem);
        cr_assert_eq(count_of(c, "E05"), 0);
        uint32_t size = pool_size(c->sys->pool);
        open_warning_ahead(c);
        cr_assert_eq(count_of(c, "E05"), k == 0, "k = %d", k);
        cr_assert_eq(pool_size(c->sys->pool), size);
        if (k == 0)
            cr_assert(strstr(diags_at(c->diags, 0)->text, "'k' is zero"), "%s",
                      diags_at(c->diags, 0)->text);
        compilation_free(c);
        Compilation *d = compiled(text, &(Request){.model = "M"}, NULL, mem);
        uint32_t n = count_of(d, "E05");
        open_warning(d, &d->dae.solution);
        cr_assert_eq(count_of(d, "E05"), 2 * n);
        cr_assert_eq(n, k == 0);
        compilation_free(d);
        arena_free(mem);
    }
}

/* ---- order_warning.h ---- */

/* The accelerations of masses on a line whose mass matrix is full, of 4 and of 10: the equations
 * are named, nothing of the trial is left. */
Test(order_warning, names_the_unknown_of_full_matrices)
{
    for (int n = 4; n <= 10; n += 6) {
        Arena *mem = arena_new();
        char text[400];
        snprintf(text, sizeof text,
                 "model M Real q[%d](each start = 0.1), w[%d]; equation der(q) = w;\n"
                 "  for k in 1:%d loop sum((10 - max(j, k) + cos(q[j] - q[k]))*der(w[j]) for j in "
                 "1:%d) = -q[k]; end for; end M;",
                 n, n, n, n);
        Compilation *c = compiled(text, &(Request){.model = "M"}, "blocks", mem);
        uint32_t size = pool_size(c->sys->pool), n_vars = c->sys->var.n;
        open_warning_ahead(c);
        cr_assert_eq(count_of(c, "E07"), n == 10, "n = %d", n);
        cr_assert_eq(pool_size(c->sys->pool), size);
        cr_assert_eq(c->sys->var.n, n_vars);
        if (n == 10)
            cr_assert(strstr(diags_at(c->diags, 0)->text, "'w[1]'"), "%s",
                      diags_at(c->diags, 0)->text);
        compilation_free(c);
        Compilation *d = compiled(text, &(Request){.model = "M"}, NULL, mem);
        cr_assert_eq(count_of(d, "E07"), n == 10);
        order_warning(d, &d->dae.solution);
        cr_assert_eq(count_of(d, "E07"), n == 10 ? 2 : 0);
        compilation_free(d);
        arena_free(mem);
    }
}

/* ---- emission.h ---- */

static const EmitFile *file_of(const EmitFiles *f, const char *name)
{
    for (uint32_t k = 0; k < f->file.n; k++)
        if (strcmp(f->file.at[k].name, name) == 0)
            return &f->file.at[k];
    return NULL;
}

/* The model that is made beside its fallback, in a copy of the process, has the bytes of one that
 * is made alone; a program that stands alone has a Makefile, and no fallback if it is to have
 * none. */
Test(emission, model_and_fallback)
{
    Arena *mem = arena_new();
    static const char text[] = "model M parameter Real k = 2; Real a, b, x(start = 1); equation\n"
                               "  der(x) = a; k*(a + b) = x; a - b = x*time; end M;";
    Request r = {.model = "M"};
    Compilation *c = compiled(text, &r, NULL, mem);
    EmitFiles both, alone, program;
    cr_assert(emission_with_fallback(c, mem, &both));
    cr_assert_not_null(file_of(&both, "M_numeric.c"));
    EmitOptions o = request_emission(&r);
    o.fallback_apart = true;
    cr_assert(emit_program(&c->dae.solution.program, o, mem, &alone));
    cr_assert_gt(alone.file.n, 1);
    for (uint32_t k = 0; k < alone.file.n; k++) {
        const EmitFile *other = file_of(&both, alone.file.at[k].name);
        cr_assert(other && other->size == alone.file.at[k].size);
        cr_assert_eq(memcmp(other->text, alone.file.at[k].text, other->size), 0);
    }
    for (int none = 0; none < 2; none++) {
        Compilation *d = compiled(text, &r, NULL, mem);
        cr_assert(emission_standalone(d, none, mem, &program));
        cr_assert_not_null(file_of(&program, "Makefile"));
        cr_assert_not_null(file_of(&program, "simulate.c"));
        cr_assert_eq(file_of(&program, "M_numeric.c") == NULL, none);
        compilation_free(d);
    }
    compilation_free(c);
    arena_free(mem);
}

/* ---- data.h ---- */

Test(data, home_comes_first)
{
    Arena *mem = arena_new();
    const char *library = data_directory(mem, "library");
    cr_assert_not_null(library);
    cr_assert_eq(access(arena_printf(mem, "%s/Linkage/package.mo", library), R_OK), 0);
    setenv("RUNG_HOME", library, 1);
    const char *inside = data_directory(mem, "Linkage");
    cr_assert_str_eq(inside, arena_printf(mem, "%s/Linkage", library));
    cr_assert_null(data_directory(mem, "library"));
    cr_assert_null(data_module(mem, "no_such_module.so"));
    arena_free(mem);
}

/* ---- translation_record.h ---- */

Test(translation_record, holds_until_a_file_changes)
{
    Arena *mem = arena_new();
    const char *dir;
    cr_assert_not_null(temporary_folder(mem, "record-test", &dir));
    setenv("XDG_CACHE_HOME", dir, 1);
    const char *path = arena_printf(mem, "%s/M.mo", dir);
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs("model M end M;", f) >= 0 && fclose(f) == 0);
    Request r = {.model = "M"}, other = {.model = "M", .strict = true};
    vec_push(mem, r.files, path);
    vec_push(mem, other.files, path);
    const char *name = translation_record_name(&r, mem);
    cr_assert_not_null(name);
    cr_assert_str_eq(translation_record_name(&r, mem), name);
    cr_assert_str_neq(translation_record_name(&other, mem), name);
    Dependencies d = dependencies_new(mem);
    dependencies_add(&d, DEPENDS_ON_BYTES, path);
    Text lines = text_new(mem);
    dependencies_print(&d, &lines);
    Cache *cache = cache_open(mem);
    cr_assert_not_null(cache);
    const TranslationRecord kept = {.model = "M(k=2)",
                                    .class_name = "M",
                                    .may_be_redundant = true,
                                    .has_preferred = true,
                                    .entry = "7f.so",
                                    .messages = "warning: two\nlines\n",
                                    .geometry = "{}",
                                    .depends = lines.at};
    TranslationRecord got;
    cr_assert_not(translation_record_read(&got, cache, name, mem));
    translation_record_keep(&kept, cache, name, mem);
    cr_assert(translation_record_read(&got, cache, name, mem));
    cr_assert_str_eq(got.model, kept.model);
    cr_assert_str_eq(got.class_name, kept.class_name);
    cr_assert(got.may_be_redundant);
    cr_assert(got.has_preferred);
    cr_assert_str_eq(got.entry, kept.entry);
    cr_assert_str_eq(got.messages, kept.messages);
    cr_assert_str_eq(got.geometry, kept.geometry);
    cr_assert_str_eq(got.depends, kept.depends);
    f = fopen(path, "a");
    cr_assert(f && fputs("\n", f) >= 0 && fclose(f) == 0);
    cr_assert_not(translation_record_read(&got, cache, name, mem));
    cr_assert_eq(system(arena_printf(mem, "rm -r '%s'", dir)), 0);
    arena_free(mem);
}
