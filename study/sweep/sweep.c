#include "study/sweep/sweep.h"

#include "base/digest.h"
#include "base/hash.h"
#include "base/sort.h"
#include "runtime/problem/context.h"
#include "runtime/result/csv.h"
#include "runtime/result/result.h"
#include "study/input_file.h"
#include "study/sweep/lane_runs.h"
#include "study/sweep/signal_summary.h"
#include "translate/driver.h"
#include "translate/setting_values.h"
#include "translate/structural_set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- variants ---- */

static void variant_free(Variant *v)
{
    if (!v->mem)
        return;
    simulation_free(&v->simulation);
    arena_free(v->mem);
    v->mem = NULL;
}

static uint64_t hash_text(uint64_t h, const char *text)
{
    return hash_pair(h, text ? hash_bytes(text, strlen(text)) : 0);
}

static bool is_shown(const RungModel *m, uint32_t k, bool is_state)
{
    const RungAttributes *a = rung_variable(m, k).attributes;
    return (is_state || a->is_output) && !a->hides_result;
}

/* Chooses the signals: those of the request, else the states and the variables declared as
 * output. */
static bool choose_signals(Variant *v)
{
    const RungModel *m = v->simulation.build.model;
    uint32_t n = 0;
    v->row = arena_array(v->mem, uint32_t, m->n_variables + 1);
    if (v->request.signals) {
        uint32_t *found = result_signals(m, v->request.signals, &n);
        for (uint32_t k = 0; k < n; k++)
            v->row[k] = found[k];
        free(found);
    } else {
        bool *is_state = arena_array(v->mem, bool, m->n_variables + 1);
        for (uint32_t k = 0; k < m->n_states; k++)
            is_state[m->state[k]] = true;
        for (uint32_t k = 0; k < m->n_variables; k++)
            if (is_shown(m, k, is_state[k]))
                v->row[n++] = k;
    }
    v->names = 0;
    for (uint32_t k = 0; k < n; k++) {
        vec_push(v->mem, v->name, rung_name(m, v->row[k]));
        v->names = hash_text(v->names, rung_name(m, v->row[k]));
    }
    return n > 0 || !v->request.signals;
}

/* The first error of a translation, with its place. */
static void keep_error(Variant *v)
{
    Compilation *c = v->simulation.c;
    for (uint32_t k = 0; c && k < diags_count(c->diags); k++) {
        const Diag *d = diags_at(c->diags, k);
        if (d->severity != DIAG_ERROR)
            continue;
        snprintf(v->error, sizeof v->error, "%s: %s", diags_where(c->diags, d->span), d->text);
        return;
    }
    if (v->simulation.build.error)
        snprintf(v->error, sizeof v->error, "%s", v->simulation.build.error);
}

/* Translates the variant, with redundant states if the chosen ones fail. */
static bool translate(Variant *v)
{
    if (simulation_translate(&v->simulation, &v->request, v->mem))
        return true;
    if (!v->simulation.c || !v->simulation.may_be_redundant)
        return false;
    simulation_free(&v->simulation);
    v->request.translation.states = STATES_REDUNDANT;
    return simulation_translate(&v->simulation, &v->request, v->mem);
}

/* Looks up the rows of signals and inputs, anew for each variant. */
static Exit find_rows(Variant *v)
{
    size_t length;
    const char *unmatched =
        result_unmatched(v->simulation.build.model, v->request.signals, &length);
    if (unmatched || !choose_signals(v)) {
        snprintf(v->error, sizeof v->error, "no variable is called like '%.*s'", (int)length,
                 unmatched ? unmatched : v->request.signals);
        return EXIT_USAGE;
    }
    Exit wrong = EXIT_GOOD;
    if (v->request.input)
        v->input = input_file_read(&v->request, v->simulation.build.model, v->mem, &wrong);
    if (v->request.input && !v->input)
        snprintf(v->error, sizeof v->error, "the data of --input do not fit");
    return v->request.input && !v->input ? wrong : EXIT_GOOD;
}

/* Prints nothing; v->error has the reason of a failure. v->request must be set. */
static bool variant_make(Variant *v, uint32_t jobs)
{
    bool ok =
        translate(v) && simulation_build(&v->simulation, (BuildOptions){.jobs = jobs}, v->mem);
    if (!ok)
        keep_error(v);
    v->failed = !ok || find_rows(v) != EXIT_GOOD;
    return !v->failed;
}

static void variant_begin(Variant *v, const RunRequest *r, uint32_t group)
{
    variant_free(v);
    *v = (Variant){.mem = arena_new(), .group = group, .request = *r};
}

/* Whether the k-th value of a run is a modifier of the model; a factor of derivatives is where it
 * is zero, so that one parameter can be both. */
static bool is_modifier(const Sweep *s, uint32_t run, uint32_t k, Arena *mem)
{
    return s->is_structural[k] &&
           structural_is_modifier(s->base.simulation.build.model, s->vary.name.at[k],
                                  vary_value(&s->vary, run, k, mem));
}

static bool has_modifiers(const Sweep *s, uint32_t run, Arena *mem)
{
    for (uint32_t k = 0; k < s->vary.name.n; k++)
        if (is_modifier(s, run, k, mem))
            return true;
    return false;
}

/* The request with the structural values of a run in the model's modifiers; NULL, or the reason why
 * that cannot be. */
static const char *request_of_run(const Sweep *s, uint32_t run, Arena *mem, RunRequest *out)
{
    Texts set = {0}, left;
    for (uint32_t k = 0; k < s->vary.name.n; k++)
        if (is_modifier(s, run, k, mem))
            vec_push(mem, set,
                     (const char *)arena_printf(mem, "%s=%s", s->vary.name.at[k],
                                                vary_value(&s->vary, run, k, mem)));
    const RungModel *base = s->base.simulation.build.model;
    const char *wrong = setting_values_read(base, &set, &set, mem);
    if (wrong)
        return wrong;
    const char *model = structural_model(base, s->request.translation.model, &set, &left, mem);
    if (!model || left.n > 0)
        return arena_printf(mem, "'%s': elements of arrays cannot be set by modifiers of %s",
                            left.n ? left.at[0] : "", s->request.translation.model);
    *out = s->request;
    out->translation.model = model;
    out->quiet = true;
    return NULL;
}

static Variant *variant_for(Sweep *s, uint32_t run, Arena *mem)
{
    if (!has_modifiers(s, run, mem))
        return &s->base;
    Variant *v = &s->variant;
    if (v->mem && v->group == s->group[run])
        return v;
    variant_begin(v, &s->request, s->group[run]);
    const char *wrong = request_of_run(s, run, v->mem, &v->request);
    v->failed = wrong != NULL;
    if (wrong)
        snprintf(v->error, sizeof v->error, "%s", wrong);
    else
        variant_make(v, 1);
    return v;
}

/* The variant with redundant states, for a run that may have failed by the choice of states. */
static Variant *redundant_for(Sweep *s, const Variant *v, uint32_t run)
{
    if (!v->simulation.may_be_redundant)
        return NULL;
    Variant *other = &s->redundant;
    if (!other->mem || other->group != s->group[run]) {
        variant_begin(other, &v->request, s->group[run]);
        other->request.translation.states = STATES_REDUNDANT;
        variant_make(other, 1);
    }
    return other->failed ? NULL : other;
}

/* ---- the request ---- */

static Exit say_setting(const RungModel *m, const char *name, const char *value, ContextSet why)
{
    static const char *const text[] = {
        [SET_UNKNOWN] = "the model has no variable of that name",
        [SET_NOT_PARAMETER] = "it is not a parameter",
        [SET_FIXED] = "it is fixed when the model is compiled",
        [SET_INITIAL] = "the initial equations determine it (fixed = false); its first guess is a "
                        "start value, --start",
        [SET_BAD_VALUE] = "the value does not fit its type",
    };
    fprintf(stderr, "rung: '%s' of %s cannot be %s: %s\n", name, m->name, value, text[why]);
    return EXIT_MODEL;
}

/* All values of a name. */
static Exit check_values(Sweep *s, RungContext *ctx, uint32_t k, bool silent)
{
    const char *value;
    for (uint32_t i = 0; (value = vary_possible(&s->vary, k, i, s->mem)); i++) {
        ContextSet why = context_set(ctx, s->vary.name.at[k], value);
        if (why == SET_FIXED ||
            (why == SET_OK && structural_is_modifier(ctx->model, s->vary.name.at[k], value))) {
            s->is_structural[k] = s->any_structural = true;
            if (why == SET_FIXED)
                return EXIT_GOOD;
        } else if (why != SET_OK) {
            return silent ? EXIT_MODEL : say_setting(ctx->model, s->vary.name.at[k], value, why);
        }
    }
    return EXIT_GOOD;
}

static Exit check_names(Sweep *s, bool silent)
{
    RungContext *ctx = context_new(s->base.simulation.build.model);
    if (!ctx) {
        fputs("rung: out of memory\n", stderr);
        return EXIT_FILE;
    }
    Exit status = EXIT_GOOD;
    for (uint32_t k = 0; k < s->request.set.n && status == EXIT_GOOD; k++) {
        const char *text = s->request.set.at[k], *eq = strrchr(text, '=');
        const char *name = eq ? arena_copy(s->mem, text, (size_t)(eq - text)) : "";
        ContextSet why = eq ? context_set(ctx, name, eq + 1) : SET_UNKNOWN;
        if (!eq)
            fprintf(stderr, "rung: --set '%s' is not of the form name=value\n", text);
        if (why != SET_OK)
            status = silent || !eq ? eq ? EXIT_MODEL : EXIT_USAGE
                                   : say_setting(ctx->model, name, eq + 1, why);
    }
    for (uint32_t k = 0; k < s->vary.name.n && status == EXIT_GOOD; k++)
        status = check_values(s, ctx, k, silent);
    context_free(ctx);
    return status;
}

static void say_untranslated(const Sweep *s, const Variant *v)
{
    compilation_report(v->simulation.c, stderr);
    fprintf(stderr,
            "rung: %s cannot be translated; of the varied parameters, these are fixed when a model "
            "is compiled:",
            v->request.translation.model);
    for (uint32_t k = 0; k < s->vary.name.n; k++)
        if (s->is_structural[k])
            fprintf(stderr, " %s", s->vary.name.at[k]);
    fputc('\n', stderr);
}

/* Whether structural values can be changed from outside at all: with those of the first run. */
static Exit check_structure(Sweep *s, bool silent)
{
    Variant v = {0};
    variant_begin(&v, &s->request, 0);
    Exit status = EXIT_GOOD;
    const char *wrong = request_of_run(s, 0, v.mem, &v.request);
    if (wrong || !translate(&v)) {
        if (wrong && !silent)
            fprintf(stderr, "rung: %s\n", wrong);
        else if (!silent)
            say_untranslated(s, &v);
        status = EXIT_MODEL;
    }
    variant_free(&v);
    return status;
}

/* Runs of the same structural values, numbered as they come. */
static void find_groups(Sweep *s, Arena *mem)
{
    Map seen = map_new(mem);
    Arena *tmp = arena_new();
    for (uint32_t run = 0; run < s->vary.n_runs; run++) {
        ArenaMark mark = arena_mark(tmp);
        uint64_t h = 0;
        for (uint32_t k = 0; k < s->vary.name.n; k++)
            if (is_modifier(s, run, k, tmp))
                h = hash_text(hash_pair(h, k), vary_value(&s->vary, run, k, tmp));
        arena_rollback(tmp, mark);
        uint32_t group = map_get(&seen, h);
        if (group == MAP_NONE)
            map_put(&seen, h, group = s->n_groups++);
        s->group[run] = group;
    }
    arena_free(tmp);
}

/* Digest of all inputs of the results besides the values: this program, the C of the model, the
 * request. */
static uint64_t digest(const Sweep *s)
{
    const RunRequest *r = &s->request;
    const Simulation *it = &s->base.simulation;
    Digester *to = digester_new();
    Digest self;
    if (digest_file("/proc/self/exe", &self))
        digester_add(to, &self, sizeof self);
    digester_text(to, it->build.kept); // a name made of the C and of how it is compiled
    for (uint32_t k = 0; k < it->files.file.n && !it->build.kept; k++)
        digester_add(to, it->files.file.at[k].text, it->files.file.at[k].size);
    // options of the translation that the C does not show; without files and colours, which differ
    // in a batch job
    const Request *t = &r->translation;
    const int choices[] = {(int)t->jacobian, (int)t->loops, (int)t->states};
    digester_add(to, choices, sizeof choices);
    const char *const texts[] = {t->method, r->signals, getenv("CC"), getenv("CFLAGS")};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        digester_text(to, texts[k]);
    Digest input;
    if (r->input && digest_file(r->input, &input))
        digester_add(to, &input, sizeof input);
    digester_add(to, &r->interpolation, sizeof r->interpolation);
    const ClosingChoice *closing = &r->closing;
    const double numbers[] = {r->stop,          r->tolerance,         r->interval,
                              r->step,          r->jacobian_reuse,    closing->alpha,
                              closing->penalty, closing->projections, (double)closing->matrix};
    digester_add(to, numbers, sizeof numbers);
    for (uint32_t k = 0; k < r->set.n; k++)
        digester_text(to, r->set.at[k]);
    return digester_end(to).low;
}

static void find_keys(Sweep *s)
{
    Arena *tmp = arena_new();
    uint64_t shared = digest(s);
    for (uint32_t run = 0; run < s->vary.n_runs; run++) {
        ArenaMark mark = arena_mark(tmp);
        uint64_t sum = 0; // the order of the names does not matter
        for (uint32_t k = 0; k < s->vary.name.n; k++)
            sum += hash_text(hash_text(1, s->vary.name.at[k]), vary_value(&s->vary, run, k, tmp));
        s->key[run] = hash_word(hash_pair(shared, sum));
        arena_rollback(tmp, mark);
    }
    arena_free(tmp);
}

/* Opens the model of the request; prints errors to stderr. */
static Exit open_base(Variant *v)
{
    const BuildOptions how = {0};
    Exit status = simulation_open(&v->simulation, &v->request, true, how, v->mem);
    if (status == EXIT_GOOD || !v->simulation.may_be_redundant || v->simulation.build.error)
        return status;
    simulation_free(&v->simulation);
    v->request.translation.states = STATES_REDUNDANT;
    return simulation_open(&v->simulation, &v->request, false, how, v->mem);
}

/* Both ways; ranks but the first one are silent. */
static Exit load_base(Variant *v, bool silent)
{
    if (!silent)
        return open_base(v);
    v->request.quiet = true;
    return variant_make(v, 1) ? EXIT_GOOD : EXIT_MODEL;
}

static Exit prepare_base(Sweep *s, bool silent)
{
    Variant *v = &s->base;
    variant_begin(v, &s->request, 0);
    Exit status = load_base(v, silent);
    // a structural parameter of --set is a modifier of the model
    RunRequest other;
    if (status == EXIT_GOOD && simulation_set_structure(&v->simulation, s->mem, &other)) {
        variant_begin(v, &other, 0);
        status = load_base(v, silent);
    }
    if (status == EXIT_GOOD && !silent && (status = find_rows(v)) != EXIT_GOOD)
        fprintf(stderr, "rung: %s\n", v->error);
    if (status != EXIT_GOOD)
        return status;
    bool quiet = s->request.quiet;
    s->request = v->request;
    s->request.set = v->simulation.request.set;
    s->request.translation.model = s->model = v->simulation.request.translation.model;
    s->request.quiet = quiet;
    return EXIT_GOOD;
}

Exit sweep_prepare(Sweep *s, const RunRequest *r, bool silent)
{
    Arena *mem = s->mem;
    s->request = *r;
    s->is_structural = arena_array(mem, bool, s->vary.name.n + 1);
    s->group = arena_array(mem, uint32_t, s->vary.n_runs);
    s->key = arena_array(mem, uint64_t, s->vary.n_runs);
    Exit status = prepare_base(s, silent);
    if (status == EXIT_GOOD)
        status = check_names(s, silent);
    if (status == EXIT_GOOD && has_modifiers(s, 0, mem))
        status = check_structure(s, silent);
    if (status != EXIT_GOOD)
        return status;
    find_groups(s, mem);
    find_keys(s);
    return EXIT_GOOD;
}

void sweep_free(Sweep *s)
{
    variant_free(&s->base);
    variant_free(&s->variant);
    variant_free(&s->redundant);
}

/* ---- a run ---- */

typedef struct Watched {
    SignalSummary signals;
    char warning[400]; /* the first one */
    uint32_t n_warnings;
} Watched;

static int watch_row(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    return signal_summary_row(&((Watched *)user)->signals, ctx, t, x, v);
}

static int watch_look(void *user, const SimulateStep *step)
{
    return signal_summary_look(&((Watched *)user)->signals, step);
}

static void watch_message(void *user, const char *text)
{
    Watched *w = user;
    if (w->n_warnings++ == 0)
        snprintf(w->warning, sizeof w->warning, "%s", text);
}

/* The values of --set, then those that vary. */
static Texts settings(const Sweep *s, uint32_t run, Arena *mem)
{
    Texts set = {0};
    for (uint32_t k = 0; k < s->request.set.n; k++)
        vec_push(mem, set, s->request.set.at[k]);
    for (uint32_t k = 0; k < s->vary.name.n; k++)
        if (!is_modifier(s, run, k, mem))
            vec_push(mem, set,
                     (const char *)arena_printf(mem, "%s=%s", s->vary.name.at[k],
                                                vary_value(&s->vary, run, k, mem)));
    return set;
}

/* model: that of the variant, or one with its functions in lanes. */
static int simulate_variant(Variant *v, const RungModel *model, const Texts *set,
                            const char *result, Watched *w, SimulateSummary *out)
{
    SimulateOptions so = simulation_options(&v->simulation);
    so.set = set->at;
    so.n_set = set->n;
    so.progress = PROGRESS_NONE;
    so.result = result;
    so.input = v->input;
    so.message = watch_message;
    so.row = watch_row;
    so.look = watch_look;
    so.user = w;
    w->n_warnings = 0;
    signal_summary_begin(&w->signals);
    return simulate(model, &so, out);
}

static void put_run(const Sweep *s, uint32_t run, Variant *v, RunStatus status,
                    const SimulateSummary *sum, const Watched *w, const char *file,
                    const char *message, Text *answer)
{
    uint32_t n = v->name.n;
    Arena *mem = arena_new();
    double *number = arena_array(mem, double, NUMBERS_OF_SIGNAL *n + 1);
    for (uint32_t k = 0; k < n && w; k++) {
        const SignalSummary *g = &w->signals;
        double *at = number + NUMBERS_OF_SIGNAL * k;
        at[0] = g->last[k];
        at[1] = g->least[k];
        at[2] = g->most[k];
        at[3] = isnan(g->last[k]) ? NAN : g->integral[k];
    }
    if (w && !v->is_named)
        sweep_line_names(answer, v->names, &v->name);
    v->is_named = v->is_named || w;
    sweep_line_run(answer, s->key[run], w ? v->names : 0, status, sum->t, sum->counts.steps, number,
                   w ? NUMBERS_OF_SIGNAL * n : 0, file, message);
    arena_free(mem);
}

static const char *message_of(int status, const SimulateSummary *sum, const Watched *w, Arena *mem)
{
    if (status != SIMULATE_OK)
        return sum->error;
    if (w->n_warnings == 0)
        return "";
    return w->n_warnings == 1
               ? arena_printf(mem, "warning: %s", w->warning)
               : arena_printf(mem, "warning: %s (and %u more)", w->warning, w->n_warnings - 1);
}

static void make_run(Sweep *s, uint32_t run, Variant *v, const RungModel *model, Text *answer,
                     Arena *mem)
{
    const char *file =
        arena_printf(mem, "runs/%u-%08x.mat", run + 1, (unsigned)(s->key[run] & 0xffffffff));
    const char *path = arena_printf(mem, "%s/%s", s->dir, file);
    Texts set = settings(s, run, mem);
    Watched w = {.signals = signal_summary_new(v->name.n, v->row, mem)};
    SimulateSummary sum;
    int status = simulate_variant(v, model, &set, s->keeps ? path : NULL, &w, &sum);
    Variant *other = simulate_may_need_states(status, &sum) ? redundant_for(s, v, run) : NULL;
    if (other) {
        v = other;
        model = v->simulation.build.model;
        w.signals = signal_summary_new(v->name.n, v->row, mem);
        status = simulate_variant(v, model, &set, s->keeps ? path : NULL, &w, &sum);
    }
    bool rows = sum.rows > 0;
    // the trajectory of a run that fails is worth more than the time to have it once more
    if (status == SIMULATE_FAILED && rows && !s->keeps)
        status = simulate_variant(v, model, &set, path, &w, &sum);
    if (status == SIMULATE_INTERRUPTED || simulation_interrupted) {
        remove(path);
        return;
    }
    RunStatus outcome = status == SIMULATE_OK      ? RUN_OK
                        : status == SIMULATE_MODEL ? RUN_INVALID
                                                   : RUN_FAILED;
    bool kept = rows && (s->keeps || status != SIMULATE_OK) && access(path, F_OK) == 0;
    put_run(s, run, v, outcome, &sum, &w, kept ? file : "", message_of(status, &sum, &w, mem),
            answer);
}

void sweep_run(Sweep *s, uint32_t run, Text *answer)
{
    Arena *mem = arena_new();
    Variant *v = variant_for(s, run, mem);
    SimulateSummary none = {.t = NAN};
    if (!v->failed)
        make_run(s, run, v, v->simulation.build.model, answer, mem);
    else if (!simulation_interrupted)
        put_run(s, run, v, RUN_INVALID, &none, NULL, "", v->error, answer);
    arena_free(mem);
}

/* Runs that are made together, and their answers: each is written at once, as its run ends. */
typedef struct Joint {
    Sweep *sweep;
    Variant *variant;
    const uint32_t *run;
    Text *answer;
} Joint;

static void make_run_of(void *user, uint32_t k, const RungModel *model)
{
    const Joint *it = user;
    Arena *mem = arena_new();
    make_run(it->sweep, it->run[k], it->variant, model, it->answer, mem);
    arena_free(mem);
}

void sweep_run_lanes(Sweep *s, uint32_t n, const uint32_t *run, Text *answer)
{
    Arena *mem = arena_new();
    Joint it = {s, variant_for(s, run[0], mem), run, answer};
    bool done = n > 1 && !it.variant->failed &&
                lane_runs(it.variant->simulation.build.model, s->width, n, make_run_of, &it);
    for (uint32_t k = 0; k < n && !done; k++)
        sweep_run(s, run[k], answer);
    arena_free(mem);
}
