/* rung gradient: how objectives of a run change with parameters. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/simulation.h"
#include "runtime/context.h"
#include "runtime/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 17 };

typedef enum Kind { AT_STOP, INTEGRAL, MAXIMUM, MINIMUM } Kind;

/* y, integral(y), max(y) or min(y), over the run. */
typedef struct Objective {
    Kind kind;
    const char *text;
    const char *variable; /* of the model: of an integral that itself */
    uint32_t row;
    uint32_t *by; /* n_parameters: rows of its derivatives */
    double value, t;
    double *gradient; /* n_parameters                                */
    bool is_sharp;    /* an extremum at an event, or a kink */
    bool is_found;
} Objective;

typedef struct Gradient {
    const Options *o;
    Arena *mem;
    VEC(Objective) objective;
    uint32_t n_parameters;
    const char **parameter;
    bool after_event; /* the last step ended in one */
    double t;         /* of the last row            */
    bool failed;
} Gradient;

/* ---- what is asked for ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* y of "max(y)", or NULL. */
static const char *inside(const char *text, const char *function, Arena *mem)
{
    size_t n = strlen(text), m = strlen(function);
    return begins(text, function) && n > m + 1 && text[n - 1] == ')'
               ? arena_copy(mem, text + m, n - m - 1)
               : NULL;
}

static void read_objectives(Gradient *g)
{
    for (const char *p = g->o->objective; *p;) {
        const char *end = result_pattern_end(p);
        Objective it = {.kind = AT_STOP};
        it.text = it.variable = arena_copy(g->mem, p, (size_t)(end - p));
        const char *y;
        if (inside(it.text, "integral(", g->mem))
            it.kind = INTEGRAL;
        else if ((y = inside(it.text, "max(", g->mem)))
            it = (Objective){.kind = MAXIMUM, .text = it.text, .variable = y};
        else if ((y = inside(it.text, "min(", g->mem)))
            it = (Objective){.kind = MINIMUM, .text = it.text, .variable = y};
        vec_push(g->mem, g->objective, it);
        p = *end ? end + 1 : end;
    }
}

/* The variables whose derivatives are wanted, as patterns. */
static const char *variables(const Gradient *g)
{
    const char *all = "";
    for (uint32_t k = 0; k < g->objective.n; k++) {
        const Objective *it = &g->objective.at[k];
        const char *y = inside(it->variable, "der(", g->mem);
        all = arena_printf(g->mem, "%s%s%s", all, k ? "," : "", y ? y : it->variable);
    }
    return all;
}

static uint32_t row_of(const RungModel *m, const char *name)
{
    for (uint32_t k = 0; k < m->n_variables; k++)
        if (strcmp(rung_name(m, k), name) == 0)
            return k;
    return RUNG_NONE;
}

/* der(y,p), of der(y) der(der(y,p)). */
static const char *derivative(const Gradient *g, const char *variable, const char *p)
{
    const char *y = inside(variable, "der(", g->mem);
    return y ? arena_printf(g->mem, "der(der(%s,%s))", y, p)
             : arena_printf(g->mem, "der(%s,%s)", variable, p);
}

/* The parameters, by the derivatives of the first objective that there are. */
static void find_parameters(Gradient *g, const RungModel *m)
{
    const char *y = g->objective.at[0].variable, *of = inside(y, "der(", g->mem);
    const char *begin = arena_printf(g->mem, "der(%s,", of ? of : y);
    VEC(const char *) found = {0};
    for (uint32_t k = 0; k < m->n_variables; k++) {
        const char *name = rung_name(m, k), *rest = name + strlen(begin);
        size_t n = strlen(name);
        if (begins(name, begin) && name[n - 1] == ')')
            vec_push(g->mem, found,
                     (const char *)arena_copy(g->mem, rest, (size_t)(name + n - 1 - rest)));
    }
    g->parameter = found.at;
    g->n_parameters = found.n;
}

static bool find_rows(Gradient *g, const RungModel *m)
{
    find_parameters(g, m);
    for (uint32_t k = 0; k < g->objective.n; k++) {
        Objective *it = &g->objective.at[k];
        it->row = row_of(m, it->variable);
        it->by = arena_array(g->mem, uint32_t, g->n_parameters + 1);
        it->gradient = arena_array(g->mem, double, g->n_parameters + 1);
        bool ok = it->row != RUNG_NONE && g->n_parameters &&
                  rung_variable(m, it->row).attributes->kind >= RUNG_STATE;
        for (uint32_t j = 0; j < g->n_parameters && ok; j++) {
            it->by[j] = row_of(m, derivative(g, it->variable, g->parameter[j]));
            ok = it->by[j] != RUNG_NONE;
        }
        if (ok)
            continue;
        fprintf(stderr, "rung: --objective '%s': %s\n", it->text,
                it->row == RUNG_NONE ? "the model has no such variable"
                                     : "it is no Real that moves, and has no derivatives");
        return false;
    }
    return true;
}

/* ---- along the run ---- */

static bool is_extremum(const Objective *it)
{
    return it->kind == MAXIMUM || it->kind == MINIMUM;
}

/* Larger is better. */
static bool value_at(const Objective *it, const SimulateStep *s, double t, double *value)
{
    if (s->some(s, t, 1, &it->row, value))
        return false;
    *value = it->kind == MINIMUM ? -*value : *value;
    return true;
}

/* Whether the value falls from t to the side in proportion to the distance: not as at a smooth
 * extremum, where half as far it falls a fourth as deep. */
static bool falls_straight(const Objective *it, const SimulateStep *s, double t, double value,
                           double side)
{
    static const double NEAR = 1e-2, NOISE = 1e-9, BETWEEN = 3;
    double step = side * NEAR * (s->t1 - s->t0), far, half;
    if (t + step < s->t0 || t + step > s->t1)
        return false;
    if (!value_at(it, s, t + step, &far) || !value_at(it, s, t + step / 2, &half))
        return true;
    double fall = value - far;
    return fall > NOISE * (fabs(value) + fabs(far)) && fall < BETWEEN * (value - half);
}

static bool take(Gradient *g, Objective *it, const SimulateStep *s, double t, double value)
{
    it->is_found = true;
    it->t = t;
    it->value = it->kind == MINIMUM ? -value : value;
    bool at_event = (t == s->t1 && s->ends_in_event) || (t == s->t0 && g->after_event);
    bool at_end = t == s->start || t == s->stop;
    it->is_sharp =
        at_event ||
        (!at_end && (falls_straight(it, s, t, value, -1) || falls_straight(it, s, t, value, 1)));
    return !s->some(s, t, g->n_parameters, it->by, it->gradient);
}

/* Golden sections around the best of some points; the derivative by parameters at the time of an
 * extremum is that of the extremum, for there the variable does not move, or the time is that of
 * the start or the stop. */
static bool look_for(Gradient *g, Objective *it, const SimulateStep *s)
{
    enum { POINTS = 8, SECTIONS = 60 };
    static const double GOLDEN = 0.6180339887498949;
    double best = -INFINITY, at = s->t0, h = (s->t1 - s->t0) / POINTS, v;
    for (int k = 0; k <= POINTS; k++) {
        double t = k == POINTS ? s->t1 : s->t0 + k * h;
        if (!value_at(it, s, t, &v))
            return false;
        if (v > best) {
            best = v;
            at = t;
        }
    }
    double low = fmax(s->t0, at - h), high = fmin(s->t1, at + h), a[2], f[2];
    for (int k = 0; k < 2; k++) {
        a[k] = k ? low + GOLDEN * (high - low) : high - GOLDEN * (high - low);
        if (!value_at(it, s, a[k], &f[k]))
            return false;
    }
    for (int n = 0; n < SECTIONS && high - low > 1e-12 * (fabs(high) + h); n++) {
        bool left = f[0] >= f[1];
        if (left)
            high = a[1];
        else
            low = a[0];
        int to = left ? 0 : 1;
        a[1 - to] = a[to];
        f[1 - to] = f[to];
        a[to] = left ? high - GOLDEN * (high - low) : low + GOLDEN * (high - low);
        if (!value_at(it, s, a[to], &f[to]))
            return false;
    }
    for (int k = 0; k < 2; k++)
        if (f[k] > best) {
            best = f[k];
            at = a[k];
        }
    double known = it->kind == MINIMUM ? -it->value : it->value;
    return (it->is_found && best <= known) || take(g, it, s, at, best);
}

static int look(void *user, const SimulateStep *s)
{
    Gradient *g = user;
    for (uint32_t k = 0; k < g->objective.n && !g->failed; k++)
        if (is_extremum(&g->objective.at[k]))
            g->failed = !look_for(g, &g->objective.at[k], s);
    g->after_event = s->ends_in_event;
    return g->failed;
}

/* The last row is that of the stop time. */
static int row(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    Gradient *g = user;
    for (uint32_t k = 0; k < g->objective.n; k++) {
        Objective *it = &g->objective.at[k];
        if (is_extremum(it))
            continue;
        it->t = t;
        it->is_found = true;
        it->value = rung_value(ctx, it->row, t, x, v);
        for (uint32_t j = 0; j < g->n_parameters; j++)
            it->gradient[j] = rung_value(ctx, it->by[j], t, x, v);
    }
    g->t = t;
    return 0;
}

/* ---- the result ---- */

static void print_json(const Gradient *g, const SimulateSummary *s)
{
    Text text = text_new(g->mem);
    Json j = json_new(&text);
    json_object(&j, NULL);
    json_text(&j, "model", g->o->model);
    json_text(&j, "method", s->method);
    json_number(&j, "start", s->start, DIGITS);
    json_number(&j, "stop", s->t, DIGITS);
    json_number(&j, "tolerance", s->tolerance, DIGITS);
    json_array(&j, "objectives");
    for (uint32_t k = 0; k < g->objective.n; k++) {
        const Objective *it = &g->objective.at[k];
        json_object(&j, NULL);
        json_text(&j, "name", it->text);
        json_number(&j, "value", it->value, DIGITS);
        json_number(&j, "time", it->t, DIGITS);
        json_object(&j, "gradient");
        for (uint32_t i = 0; i < g->n_parameters; i++)
            json_number(&j, g->parameter[i], it->gradient[i], DIGITS);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    puts(text.at);
}

static void print(const Gradient *g)
{
    for (uint32_t k = 0; k < g->objective.n; k++) {
        const Objective *it = &g->objective.at[k];
        printf("%s = %.10g", it->text, it->value);
        if (is_extremum(it))
            printf(" at t = %.9g", it->t);
        putchar('\n');
        for (uint32_t j = 0; j < g->n_parameters; j++)
            printf("  by %-20s %.10g\n", g->parameter[j], it->gradient[j]);
    }
}

static Exit run(Gradient *g, Simulation *s)
{
    const RungModel *m = s->build.model;
    if (!find_rows(g, m))
        return EXIT_MODEL;
    SimulateOptions so = simulation_options(s);
    SimulateSummary summary;
    so.row = row;
    so.look = look;
    so.user = g;
    int status = simulate(m, &so, &summary);
    if (status != SIMULATE_OK) {
        fprintf(stderr, "rung: %s\n", summary.error);
        return (Exit)status;
    }
    if (summary.t < summary.stop) {
        fprintf(stderr,
                "rung: the model ends the run at t = %.9g: that time may depend on parameters, and "
                "the objectives have no derivatives that are known\n",
                summary.t);
        return EXIT_MODEL;
    }
    for (uint32_t k = 0; k < g->objective.n; k++)
        if (g->objective.at[k].is_sharp || !g->objective.at[k].is_found) {
            fprintf(stderr,
                    "rung: '%s' is taken at t = %.9g, at an event or a kink: its derivatives there "
                    "are not known\n",
                    g->objective.at[k].text, g->objective.at[k].t);
            return EXIT_MODEL;
        }
    if (options_want_json(g->o))
        print_json(g, &summary);
    else
        print(g);
    return EXIT_GOOD;
}

Exit command_gradient(const Options *given)
{
    if (!given->objective || !given->sensitivity) {
        fputs("rung: gradient needs --objective 'y,integral(y),max(y)' and --by 'p'\n", stderr);
        return EXIT_USAGE;
    }
    if (!simulation_usable(given))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    Gradient g = {.o = given, .mem = mem};
    read_objectives(&g);
    Options o = *given;
    o.of = variables(&g);
    Simulation s;
    Exit status = simulation_open(&s, &o, false, (BuildOptions){0}, mem);
    if (status == EXIT_GOOD)
        status = run(&g, &s);
    simulation_free(&s);
    arena_free(mem);
    return status;
}
