/* The description of an FMU of a model, read back by the reader of other tools' FMUs
 * (import/imported_fmu.h); its terminals. */
#include "emit/code/quote.h"
#include "emit/fmu/fmu.h"
#include "emit/fmu/fmu_archive.h"
#include "emit/fmu/fmu_description.h"
#include "emit/fmu/fmu_terminal.h"
#include "emit/fmu/fmu_variable.h"
#include "import/imported_fmu.h"
#include "runtime/problem/context.h"
#include "tests/emit/fixture.h"
#include "translate/driver.h"

#include <string.h>

static const char drive[] =
    "model M\n"
    "  connector Shaft input Real tau; output Real phi; end Shaft;\n"
    "  Shaft a;\n"
    "  parameter Real J(min = 0.1) = 2, c = 3*J, every = 0.5;\n"
    "  constant Real g = 9.81; parameter String label = \"motor\";\n"
    "  Real w(start = 0.25, fixed = true, unit = \"rad/s\"), same(unit = \"rad/s\"), opposite;\n"
    "  discrete Real n(start = 0, fixed = true); Boolean fast = w > 10; output Real y[3]; Real "
    "load;\n"
    "equation\n"
    "  der(a.phi) = w; J*der(w) = a.tau - c*a.phi; same = w; opposite = -w; load = g*w;\n"
    "  y = {w, 2*w, 3*w};\n"
    "  when sample(0, every) then n = pre(n) + 1; end when;\n"
    "end M;\n";

typedef struct Made {
    Arena *mem;
    Compilation *c;
    EmitFiles files;
    Build built;
    FmuModel model;
} Made;

/* With the values that are known before a run. In its place: parts point to others. */
static void make(Made *it)
{
    it->mem = arena_new();
    it->c = compilation_new(&(Request){.model = "M"}, it->mem);
    library_add_text(it->c->library, "M.mo", drive);
    cr_assert(driver_run(it->c, NULL));
    const Program *g = &it->c->dae.solution.program;
    cr_assert(emit_program(g, emit_defaults(), it->mem, &it->files));
    BuildOptions how = {.optimise = "-O0", .keep = true};
    cr_assert(build_model(&it->files, how, it->mem, &it->built), "%s", it->built.error);
    const RungModel *m = it->built.model;
    double *value = arena_array(it->mem, double, m->n_variables + 1);
    RungContext *ctx = context_new(m);
    cr_assert_eq(context_update(ctx), 0);
    for (uint32_t k = 0; k < m->n_variables; k++) {
        RungPlace place = rung_variable(m, k).place;
        bool is_known = place == RUNG_IN_PARAMETERS || place == RUNG_IN_NUMBERS;
        value[k] = is_known ? rung_value(ctx, k, 0, NULL, NULL) : NAN;
    }
    context_free(ctx);
    it->model = (FmuModel){g, g->sys, &it->files, m, value};
}

static void done(Made *it)
{
    build_remove(&it->built);
    build_close(&it->built);
    compilation_free(it->c);
    arena_free(it->mem);
}

/* Also by another name of it (FMI 3). */
static const FmuVariable *entry(const FmuVariables *v, const char *name)
{
    for (uint32_t k = 0; k < v->at.n; k++)
        for (const FmuVariable *at = &v->at.at[k]; at; at = at->alias)
            if (strcmp(at->name, name) == 0)
                return &v->at.at[k];
    cr_assert_fail("no variable %s", name);
    return NULL;
}

Test(fmu_variable, attributes_follow_from_the_model)
{
    Made it;
    make(&it);
    for (uint32_t row = 0; row < it.model.model->n_variables; row++) {
        VarId v = fmu_var_of_row(&it.model, row);
        cr_assert_str_eq(it.model.sys->var.at[v.i].name.s, rung_name(it.model.model, row));
    }
    const bool *fixed = fmu_fixed_parameters(it.model.program, it.mem);
    for (int version = 2; version <= 3; version++) {
        FmuVariables v = fmu_variables(&it.model, version, it.mem);
        const struct {
            const char *name;
            FmuCausality causality;
            FmuVariability variability;
        } want[] = {{"time", FMU_INDEPENDENT, FMU_CONTINUOUS},
                    {"J", FMU_PARAMETER, FMU_TUNABLE},
                    {"c", FMU_CALCULATED_PARAMETER, FMU_TUNABLE},
                    {"every", FMU_PARAMETER, FMU_FIXED},
                    {"g", FMU_LOCAL, FMU_CONSTANT},
                    {"a.tau", FMU_INPUT, FMU_CONTINUOUS},
                    {"a.phi", FMU_OUTPUT, FMU_CONTINUOUS},
                    {"w", FMU_LOCAL, FMU_CONTINUOUS},
                    {"n", FMU_LOCAL, FMU_DISCRETE}};
        for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
            const FmuVariable *have = entry(&v, want[k].name);
            cr_assert_eq(have->causality, want[k].causality, "FMI %d: %s", version, want[k].name);
            cr_assert_eq(have->variability, want[k].variability, "FMI %d: %s", version,
                         want[k].name);
            if (have->var && have->var->kind == VAR_PARAMETER)
                cr_assert_eq(fixed[have->var - it.model.sys->var.at],
                             have->variability == FMU_FIXED, "%s", have->name);
        }
        // the same value, the same reference; its negative is another one
        cr_assert_eq(entry(&v, "same")->reference, entry(&v, "w")->reference);
        cr_assert_neq(entry(&v, "opposite")->reference, entry(&v, "w")->reference);
        cr_assert_neq(entry(&v, "load")->reference, entry(&v, "w")->reference);
        for (uint32_t k = 0; k < it.model.program->n_states; k++) {
            const FmuVariable *rate = &v.at.at[v.derivative[k]];
            cr_assert_eq(rate->derivative_of, v.state[k]);
            cr_assert_eq(rate->reference, v.reference[k]);
        }
        cr_assert_eq(entry(&v, version == 2 ? "y[1]" : "y")->n, version == 2 ? 1 : 3);
        cr_assert_eq(v.n_indicators, version == 2 ? 0 : it.model.model->n_events);
    }
    done(&it);
}

/* A reader finds the attributes that were written. */
Test(fmu_description, is_read_back)
{
    Made it;
    make(&it);
    for (int version = 2; version <= 3; version++) {
        FmuOptions o = {.version = version, .model_exchange = true, .co_simulation = true};
        o.tool = "rung";
        FmuVariables v = fmu_variables(&it.model, version, it.mem);
        FmuNames none = {0};
        Text text = fmu_description(&it.model, &v, &o, "{token}", &none, it.mem);
        FmuArchive archive = {0};
        vec_push(it.mem, archive.entry, ((FmuEntry){"modelDescription.xml", text.at, text.n}));
        const char *bytes, *error, *dir = scratch_directory();
        size_t size;
        cr_assert(fmu_archive_pack(&archive, it.mem, &bytes, &size, &error), "%s", error);
        const char *path = arena_printf(it.mem, "%s/M.fmu", dir);
        FILE *f = fopen(path, "wb");
        cr_assert_eq(fwrite(bytes, 1, size, f), size);
        cr_assert_eq(fclose(f), 0);
        ImportedFmu in;
        Diags *d = diags_new(it.mem);
        bool is_read = imported_fmu_read(&in, path, it.mem, d);
        shell("rm -r '%s'", dir);
        cr_assert(is_read, "%s", diags_count(d) ? diags_at(d, 0)->text : "");
        cr_assert_eq(in.version, version);
        cr_assert_str_eq(in.model, "M");
        cr_assert_str_eq(in.token, "{token}");
        cr_assert_str_eq(in.of_exchange, it.files.id);
        cr_assert_eq(in.n_states, it.model.program->n_states);
        uint32_t seen = 0;
        for (uint32_t k = 0; k < in.quantity.n; k++) {
            const FmuQuantity *q = &in.quantity.at[k];
            if (q->is_alias)
                continue;
            const FmuVariable *have = entry(&v, q->name);
            cr_assert_eq(q->reference, have->reference, "%s", q->name);
            cr_assert_eq(q->n, have->n, "%s", q->name);
            cr_assert_eq(q->causality == IMPORTED_INPUT, have->causality == FMU_INPUT, "%s",
                         q->name);
            cr_assert_eq(q->causality == IMPORTED_OUTPUT, have->causality == FMU_OUTPUT, "%s",
                         q->name);
            cr_assert_eq(q->variability == IMPORTED_TUNABLE, have->variability == FMU_TUNABLE, "%s",
                         q->name);
            seen++;
            if (strcmp(q->name, "J") == 0)
                cr_assert_eq(q->min, 0.1);
            if (strcmp(q->name, "w") == 0)
                cr_assert_str_eq(q->unit, "rad/s");
        }
        cr_assert_gt(seen, it.model.program->n_states);
        for (uint32_t k = 0; k < in.state.n; k++) {
            cr_assert_str_eq(in.quantity.at[in.state.at[k]].name, v.at.at[v.state[k]].name);
            cr_assert_eq(in.quantity.at[in.rate.at[k]].derivative_of, in.state.at[k]);
        }
    }
    done(&it);
}

static uint32_t times(const char *text, const char *word)
{
    uint32_t n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    return n;
}

/* Each source once; those that are not rung's are a set of their own. */
Test(fmu_description, build_names_each_source)
{
    Made it;
    make(&it);
    FmuNames source = {0};
    const char *const name[] = {"M.c", "advance.c", "of_the_user.c"};
    for (int k = 0; k < 3; k++)
        vec_push(it.mem, source, name[k]);
    FmuLinked linked = {0};
    vec_push(it.mem, linked.outside, "blas");
    Text text = fmu_build_description(&it.model, &source, 2, &linked, it.mem);
    for (int k = 0; k < 3; k++)
        cr_assert_eq(times(text.at, arena_printf(it.mem, "name=\"%s\"", name[k])), 1, "%s",
                     name[k]);
    cr_assert_eq(times(text.at, "<SourceFileSet"), 2);
    cr_assert_eq(times(text.at, "\"blas\""), 1);
    done(&it);
}

/* A connector is a terminal; its members are variables of the FMU. */
Test(fmu_terminal, a_connector_is_one)
{
    Made it;
    make(&it);
    FmuVariables v = fmu_variables(&it.model, 3, it.mem);
    FmuArchive a = {0};
    cr_assert_eq(fmu_terminals(&it.model, &v, 3, &a, it.mem), 1);
    cr_assert_eq(a.entry.n, 1);
    const char *text = arena_copy(it.mem, a.entry.at[0].bytes, a.entry.at[0].size);
    cr_assert_str_eq(a.entry.at[0].path, "terminalsAndIcons/terminalsAndIcons.xml");
    cr_assert_eq(times(text, "<Terminal "), 1, "%s", text);
    cr_assert_eq(times(text, "<TerminalMemberVariable "), 2, "%s", text);
    for (const char *at = text; (at = strstr(at, "variableName=\"")); at++) {
        const char *begin = at + strlen("variableName=\"");
        const char *name = arena_copy(it.mem, begin, strcspn(begin, "\""));
        FmuCausality causality = entry(&v, name)->causality;
        cr_assert(causality == FMU_INPUT || causality == FMU_OUTPUT, "%s", name);
    }
    done(&it);
}

/* An interrupt ends the build of the binary: there is no archive without one. */
Test(fmu, interrupt_ends_the_build)
{
    Made it;
    make(&it);
    static const volatile sig_atomic_t interrupt = 1;
    FmuOptions o = {.version = 3, .model_exchange = true, .tool = "rung", .interrupt = &interrupt};
    FmuResult out;
    cr_assert_not(fmu_make(&it.model, o, &it.built, it.mem, &out));
    cr_assert_neq(out.status, 0);
    cr_assert_eq(out.n_terminals, 1);
    done(&it);
}
