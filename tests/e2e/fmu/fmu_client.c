/* fmu_client.c -- an importer of FMUs of our own, which shares no code with what makes them: it
 * loads the binary, and has its own declarations of what it calls and its own integrator.
 *
 *     fmu_client BINARY DESCRIPTION 2|3 STOP me|cs OUT.csv [NAME=VALUE ...]   runs
 *     fmu_client BINARY DESCRIPTION 2|3 STOP check                            checks besides
 *
 * NAME=VALUE@T sets the value at an event (me) or between steps (cs) at T, NAME'=VALUE the slope of
 * an input in each step (FMI 2, cs).
 *
 * Model exchange: Dormand and Prince's method, its steps a fixed one or a part of it, with events
 * found by bisection of the step. The checks: directional derivatives against differences, adjoint
 * against directional ones, dependencies that are not declared, derivatives of outputs by time
 * against differences; a run that is saved, serialised, restored into another instance and gone on
 * with gives the same bits; two instances in two threads give the same bits as one; after an error
 * an instance can be reset. Exit status 1 with a line that says what is wrong.
 */
#define _XOPEN_SOURCE 700
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
static void fail(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("fmu_client: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

/* ------------------------------------------------------------------ the description */

typedef struct Variable {
    char name[200], type[16], causality[24];
    char text[200]; /* the start of a String */
    bool is_known;  /* a constant            */
    unsigned reference, derivative, dimension;
} Variable;

static Variable *variable;
static const char *structure; /* the text from <ModelStructure> on */
static size_t n_variables;
static char token[64];
static char resources[4200];    /* the folder beside the description */
static unsigned state_of[4000]; /* place of the derivative of each state, then its reference */
static size_t n_states, n_indicators;
static int version;
static double stop;

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail("cannot read %s", path);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *text = calloc((size_t)n + 1, 1);
    if (fread(text, 1, (size_t)n, f) != (size_t)n)
        fail("cannot read %s", path);
    fclose(f);
    return text;
}

/* The value of an attribute of the element at `at`; false if it has none of that name. */
static bool attribute(const char *at, const char *name, char *out, size_t size)
{
    const char *end = strchr(at, '>');
    char wanted[80];
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *from = strstr(at, wanted);
    *out = 0;
    if (!from || from > end)
        return false;
    from += strlen(wanted);
    size_t n = strcspn(from, "\"");
    snprintf(out, size, "%.*s", (int)n, from);
    for (char *c; (c = strstr(out, "&lt;"));) {
        *c = '<';
        memmove(c + 1, c + 4, strlen(c + 4) + 1);
    }
    return true;
}

static unsigned number_of(const char *at, const char *name, unsigned otherwise)
{
    char text[40];
    return attribute(at, name, text, sizeof text) ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static const char *element(const char *from, const char *end, const char *name)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, "<%s", name);
    for (const char *at = from; (at = strstr(at, wanted)) && at < end; at++)
        if (strchr(" />", at[strlen(wanted)]))
            return at;
    return NULL;
}

static bool is_string(const Variable *v)
{
    return !strcmp(v->type, "String");
}

static void read_variables(const char *text)
{
    const char *from = element(text, text + strlen(text), "ModelVariables") + 1;
    const char *end = strstr(from, "</ModelVariables>");
    variable = calloc(strlen(text) / 20, sizeof *variable);
    for (const char *at = from; (at = strchr(at, '<')) && at < end; at++) {
        char text_of[40];
        Variable *v = &variable[n_variables];
        if (at[1] == '/' || !attribute(at, "valueReference", text_of, sizeof text_of)) {
            const char *dimension = element(at, at + 1, "Dimension");
            if (dimension)
                variable[n_variables - 1].dimension *= number_of(at, "start", 0);
            Variable *last = &variable[n_variables - 1];
            if (element(at, at + 1, "Start") && !*last->text)
                attribute(at, "value", last->text, sizeof last->text);
            continue;
        }
        attribute(at, "name", v->name, sizeof v->name);
        attribute(at, "causality", v->causality, sizeof v->causality);
        v->is_known =
            attribute(at, "variability", text_of, sizeof text_of) && !strcmp(text_of, "constant");
        v->reference = number_of(at, "valueReference", 0);
        v->dimension = 1;
        const char *type = version == 2 ? strchr(at + 1, '<') : at;
        snprintf(v->type, sizeof v->type, "%.*s", (int)strcspn(type + 1, " />"), type + 1);
        v->derivative = number_of(type, "derivative", UINT32_MAX);
        if (is_string(v))
            attribute(type, "start", v->text, sizeof v->text);
        n_variables++;
    }
}

/* The derivatives of states, in their order. */
static void read_structure(const char *text)
{
    const char *from = strstr(text, version == 2 ? "<Derivatives>" : "<ModelStructure>");
    const char *end =
        from ? strstr(from, version == 2 ? "</Derivatives>" : "</ModelStructure>") : NULL;
    const char *name = version == 2 ? "Unknown" : "ContinuousStateDerivative";
    structure = strstr(text, "<ModelStructure");
    for (const char *at = from; at && (at = element(at, end, name)); at++) {
        unsigned handle = number_of(at, version == 2 ? "index" : "valueReference", 0);
        for (size_t k = 0; k < n_variables; k++)
            if ((version == 2 ? k + 1 : variable[k].reference) == handle)
                for (unsigned i = 0; i < variable[k].dimension; i++)
                    state_of[n_states++] = (unsigned)k;
    }
    n_indicators = version == 2
                       ? number_of(element(text, text + strlen(text), "fmiModelDescription"),
                                   "numberOfEventIndicators", 0)
                       : 0;
    for (const char *at = from; version == 3 && at && (at = element(at, end, "EventIndicator"));
         at++)
        n_indicators++;
}

/* Whether the structure says that the unknown does not depend on the known. */
static bool is_apart(const Variable *unknown, const Variable *known)
{
    char list[40000], wanted[24];
    unsigned handle = version == 2 ? (unsigned)(unknown - variable) + 1 : unknown->reference;
    unsigned other = version == 2 ? (unsigned)(known - variable) + 1 : known->reference;
    const char *name = version == 2 ? "index" : "valueReference", *at = structure;
    const char *end = strstr(structure, "<InitialUnknown");
    snprintf(wanted, sizeof wanted, " %s=\"%u\"", name, handle);
    at = strstr(at, wanted);
    if (!at || (end && at > end) || !attribute(at, "dependencies", list, sizeof list))
        return false;
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " "))
        if (strtoul(word, NULL, 10) == other)
            return false;
    return true;
}

static const Variable *find(const char *name)
{
    for (size_t k = 0; k < n_variables; k++)
        if (!strcmp(variable[k].name, name))
            return &variable[k];
    fail("there is no variable '%s'", name);
}

/* ------------------------------------------------------------------ the binary */

static void *library;

/* What is called, whatever the version: by pointers to functions of its own arguments. */
#define LOAD(type, name) type name = (type)(uintptr_t)dlsym(library, #name)
#define CALL(type, name, ...)                                                                      \
    do {                                                                                           \
        LOAD(type, name);                                                                          \
        if (!name)                                                                                 \
            fail("the binary has no %s", #name);                                                   \
        int status_ = name(__VA_ARGS__);                                                           \
        if (status_ > 1)                                                                           \
            fail("%s: status %d", #name, status_);                                                 \
    } while (0)

typedef struct Instance {
    void *c;
    bool me;
    double t;
    double next_event;
    bool over;
} Instance;

static void log_2(void *environment, const char *name, int status, const char *category,
                  const char *message, ...)
{
    va_list args;
    (void)environment;
    (void)name;
    (void)category;
    va_start(args, message);
    if (status > 0) {
        fputs("log: ", stderr);
        vfprintf(stderr, message, args);
        fputc('\n', stderr);
    }
    va_end(args);
}

static void log_3(void *environment, int status, const char *category, const char *message)
{
    (void)environment;
    (void)category;
    if (status > 0)
        fprintf(stderr, "log: %s\n", message);
}

struct Callbacks2 {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
};

struct EventInfo2 {
    int again, terminate, nominals, states, has_next;
    double next;
};

static const char *wrong_token(const char *t)
{
    static char text[80];
    snprintf(text, sizeof text, "%s0", t);
    return text;
}

static void *instantiate(bool me, const char *with)
{
    static const struct Callbacks2 callbacks = {log_2, calloc, free, NULL, NULL};
    if (version == 2) {
        typedef void *(*F)(const char *, int, const char *, const char *, const struct Callbacks2 *,
                           int, int);
        LOAD(F, fmi2Instantiate);
        char uri[sizeof resources + 8];
        snprintf(uri, sizeof uri, "file://%s", resources);
        return fmi2Instantiate("it", !me, with, uri, &callbacks, 0, 0);
    }
    typedef void (*Log)(void *, int, const char *, const char *);
    typedef void *(*M)(const char *, const char *, const char *, bool, bool, void *, Log);
    typedef void *(*C)(const char *, const char *, const char *, bool, bool, bool, bool,
                       const uint32_t *, size_t, void *, Log, void *);
    LOAD(M, fmi3InstantiateModelExchange);
    LOAD(C, fmi3InstantiateCoSimulation);
    return me ? fmi3InstantiateModelExchange("it", with, resources, false, false, NULL, log_3)
              : fmi3InstantiateCoSimulation("it", with, resources, false, false, false, false, NULL,
                                            0, NULL, log_3, NULL);
}

static void free_instance(Instance *it)
{
    typedef void (*F)(void *);
    if (version == 2) {
        LOAD(F, fmi2FreeInstance);
        fmi2FreeInstance(it->c);
    } else {
        LOAD(F, fmi3FreeInstance);
        fmi3FreeInstance(it->c);
    }
}

typedef int (*Plain)(void *);
typedef int (*Get2)(void *, const unsigned *, size_t, void *);
typedef int (*Get3)(void *, const uint32_t *, size_t, void *, size_t);

#define BOTH_PLAIN(it, two, three)                                                                 \
    do {                                                                                           \
        if (version == 2)                                                                          \
            CALL(Plain, two, (it)->c);                                                             \
        else                                                                                       \
            CALL(Plain, three, (it)->c);                                                           \
    } while (0)

/* The value of a String variable, valid until the next call. Fails if a constant differs from the
 * value in modelDescription.xml. */
static const char *string_of(Instance *it, const Variable *v)
{
    const char **value = calloc(v->dimension + 1, sizeof *value), *first;
    if (version == 2) {
        CALL(Get2, fmi2GetString, it->c, &v->reference, 1, value);
    } else {
        CALL(Get3, fmi3GetString, it->c, &v->reference, 1, value, v->dimension);
    }
    if (v->is_known && strcmp(value[0], v->text) != 0)
        fail("'%s' is \"%s\", not \"%s\"", v->name, value[0], v->text);
    first = value[0];
    free(value);
    return first;
}

/* All elements of a variable, as doubles; of a String a number that differs with the text. */
static void get(Instance *it, const Variable *v, double *out)
{
    size_t n = v->dimension;
    if (is_string(v)) {
        double sum = 0;
        for (const char *at = string_of(it, v); *at; at++)
            sum = fmod(sum * 257 + (unsigned char)*at, 4294967291.0);
        *out = sum;
        return;
    }
    if (version == 2) {
        int whole = 0;
        if (!strcmp(v->type, "Real"))
            CALL(Get2, fmi2GetReal, it->c, &v->reference, 1, out);
        else if (!strcmp(v->type, "Boolean"))
            CALL(Get2, fmi2GetBoolean, it->c, &v->reference, 1, &whole);
        else
            CALL(Get2, fmi2GetInteger, it->c, &v->reference, 1, &whole);
        if (strcmp(v->type, "Real") != 0)
            *out = whole;
        return;
    }
    if (!strcmp(v->type, "Float64")) {
        CALL(Get3, fmi3GetFloat64, it->c, &v->reference, 1, out, n);
    } else if (!strcmp(v->type, "Boolean")) {
        bool *value = calloc(n, sizeof *value);
        CALL(Get3, fmi3GetBoolean, it->c, &v->reference, 1, value, n);
        for (size_t k = 0; k < n; k++)
            out[k] = value[k];
        free(value);
    } else if (!strcmp(v->type, "Int32")) {
        int32_t *value = calloc(n, sizeof *value);
        CALL(Get3, fmi3GetInt32, it->c, &v->reference, 1, value, n);
        for (size_t k = 0; k < n; k++)
            out[k] = value[k];
        free(value);
    } else {
        int64_t *value = calloc(n, sizeof *value);
        CALL(Get3, fmi3GetInt64, it->c, &v->reference, 1, value, n);
        for (size_t k = 0; k < n; k++)
            out[k] = (double)value[k];
        free(value);
    }
}

static void set(Instance *it, const Variable *v, double value)
{
    int whole = (int)value;
    int32_t of32 = whole;
    int64_t of64 = whole;
    bool yes = value != 0;
    if (version == 2) {
        if (!strcmp(v->type, "Real"))
            CALL(Get2, fmi2SetReal, it->c, &v->reference, 1, &value);
        else if (!strcmp(v->type, "Boolean"))
            CALL(Get2, fmi2SetBoolean, it->c, &v->reference, 1, &whole);
        else
            CALL(Get2, fmi2SetInteger, it->c, &v->reference, 1, &whole);
    } else if (!strcmp(v->type, "Float64")) {
        CALL(Get3, fmi3SetFloat64, it->c, &v->reference, 1, &value, 1);
    } else if (!strcmp(v->type, "Boolean")) {
        CALL(Get3, fmi3SetBoolean, it->c, &v->reference, 1, &yes, 1);
    } else if (!strcmp(v->type, "Int32")) {
        CALL(Get3, fmi3SetInt32, it->c, &v->reference, 1, &of32, 1);
    } else {
        CALL(Get3, fmi3SetInt64, it->c, &v->reference, 1, &of64, 1);
    }
}

static char **settings;
static int n_settings;

static void handle_event(Instance *it, bool *changed)
{
    if (version == 2) {
        typedef int (*F)(void *, struct EventInfo2 *);
        struct EventInfo2 info;
        do {
            CALL(F, fmi2NewDiscreteStates, it->c, &info);
            it->over = it->over || info.terminate;
            it->next_event = info.has_next ? info.next : INFINITY;
            *changed = *changed || info.states;
        } while (info.again && !it->over);
    } else {
        typedef int (*F)(void *, bool *, bool *, bool *, bool *, bool *, double *);
        bool again, terminate, nominals, states, has_next;
        double next;
        do {
            CALL(F, fmi3UpdateDiscreteStates, it->c, &again, &terminate, &nominals, &states,
                 &has_next, &next);
            it->over = it->over || terminate;
            it->next_event = has_next ? next : INFINITY;
            *changed = *changed || states;
        } while (again && !it->over);
    }
}

static void initialise(const Instance *it)
{
    if (version == 2) {
        typedef int (*Setup)(void *, int, double, double, int, double);
        CALL(Setup, fmi2SetupExperiment, it->c, 1, 1e-8, 0, 1, stop);
        CALL(Plain, fmi2EnterInitializationMode, it->c);
        CALL(Plain, fmi2ExitInitializationMode, it->c);
    } else {
        typedef int (*Enter)(void *, bool, double, double, bool, double);
        CALL(Enter, fmi3EnterInitializationMode, it->c, true, 1e-8, 0, true, stop);
        CALL(Plain, fmi3ExitInitializationMode, it->c);
    }
}

typedef struct Setting {
    const Variable *of;
    double value, at; /* at < 0: before the start */
    bool is_slope;
} Setting;

static Setting setting(int k)
{
    char name[200];
    const char *eq = strrchr(settings[k], '='), *at = strchr(eq, '@');
    snprintf(name, sizeof name, "%.*s", (int)(eq - settings[k]), settings[k]);
    Setting out = {.value = strtod(eq + 1, NULL), .at = at ? strtod(at + 1, NULL) : -1};
    out.is_slope = eq[-1] == '\'';
    if (out.is_slope)
        name[strlen(name) - 1] = 0;
    out.of = find(name);
    return out;
}

/* An instance at the start of a run. */
static Instance begin(bool me)
{
    Instance it = {.c = instantiate(me, token), .me = me, .next_event = INFINITY};
    if (!it.c)
        fail("no instance");
    for (int k = 0; k < n_settings; k++)
        if (setting(k).at < 0 && !setting(k).is_slope)
            set(&it, setting(k).of, setting(k).value);
    initialise(&it);
    bool changed = false;
    if (me) {
        handle_event(&it, &changed);
        BOTH_PLAIN(&it, fmi2EnterContinuousTimeMode, fmi3EnterContinuousTimeMode);
    }
    return it;
}

static void set_point(Instance *it, double t, const double *x)
{
    typedef int (*Time)(void *, double);
    typedef int (*States)(void *, const double *, size_t);
    if (version == 2) {
        CALL(Time, fmi2SetTime, it->c, t);
        CALL(States, fmi2SetContinuousStates, it->c, x, n_states);
    } else {
        CALL(Time, fmi3SetTime, it->c, t);
        CALL(States, fmi3SetContinuousStates, it->c, x, n_states);
    }
    it->t = t;
}

typedef int (*Values)(void *, double *, size_t);

static void derivatives(Instance *it, double t, const double *x, double *f)
{
    set_point(it, t, x);
    if (version == 2)
        CALL(Values, fmi2GetDerivatives, it->c, f, n_states);
    else
        CALL(Values, fmi3GetContinuousStateDerivatives, it->c, f, n_states);
}

static void indicators(Instance *it, double t, const double *x, double *z)
{
    set_point(it, t, x);
    if (version == 2)
        CALL(Values, fmi2GetEventIndicators, it->c, z, n_indicators);
    else
        CALL(Values, fmi3GetEventIndicators, it->c, z, n_indicators);
}

static void states(Instance *it, double *x)
{
    if (version == 2)
        CALL(Values, fmi2GetContinuousStates, it->c, x, n_states);
    else
        CALL(Values, fmi3GetContinuousStates, it->c, x, n_states);
}

/* ------------------------------------------------------------------ model exchange */

enum { STAGES = 6 };

/* Dormand and Prince's formula of order 5. Returns its estimate of the error against what is
 * allowed, if that is wanted. */
static double step(Instance *it, double t, const double *x, double h, double *out, bool estimate)
{
    static const double relative = 1e-4, absolute = 1e-6;
    static const double c[STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1};
    static const double a[STAGES + 1][STAGES] = {
        {0},
        {1. / 5},
        {3. / 40, 9. / 40},
        {44. / 45, -56. / 15, 32. / 9},
        {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
        {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
        {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    static const double e[STAGES + 1] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                         -17253. / 339200, 22. / 525, -1. / 40};
    size_t n = n_states;
    double *k = calloc((STAGES + 1) * n + 1, sizeof *k), worst = 0;
    for (int s = 0; s <= STAGES; s++) {
        for (size_t i = 0; i < n; i++) {
            out[i] = x[i];
            for (int j = 0; j < s; j++)
                out[i] += h * a[s][j] * k[(size_t)j * n + i];
        }
        if (s < STAGES)
            derivatives(it, t + c[s] * h, out, k + (size_t)s * n);
    }
    if (estimate)
        derivatives(it, t + h, out, k + STAGES * n);
    for (size_t i = 0; estimate && i < n; i++) {
        double error = 0;
        for (int s = 0; s <= STAGES; s++)
            error += h * e[s] * k[(size_t)s * n + i];
        error = fabs(error) / (relative * fabs(out[i]) + absolute);
        worst = error <= worst ? worst : error; // a NAN stays
    }
    free(k);
    return worst;
}

static bool crosses(const double *z, const double *w)
{
    for (size_t k = 0; k < n_indicators; k++)
        if ((z[k] > 0) != (w[k] > 0))
            return true;
    return false;
}

static bool completed(Instance *it)
{
    if (version == 2) {
        typedef int (*F)(void *, int, int *, int *);
        int enter, terminate;
        CALL(F, fmi2CompletedIntegratorStep, it->c, 1, &enter, &terminate);
        return enter;
    }
    typedef int (*F)(void *, bool, bool *, bool *);
    bool enter, terminate;
    CALL(F, fmi3CompletedIntegratorStep, it->c, true, &enter, &terminate);
    return enter;
}

typedef void (*Look)(Instance *it, double t);

static void advance_me(Instance *it, double until, double most, Look look)
{
    enum { HALVED = 64 }; // at most; then it is taken as it is
    size_t n = n_states + n_indicators + 1;
    double *x = calloc(4 * n, sizeof *x), *y = x + n, *z = y + n, *w = z + n;
    states(it, x);
    double t = it->t, fit = most, due = t + most;
    indicators(it, t, x, z);
    while (t < until && !it->over) {
        double end = fmin(until, it->next_event);
        double goal = due + 1e-9 * most >= end ? end : due, h = fmin(fit, goal - t);
        if (t + h * (1 + 1e-9) >= goal)
            h = goal - t;
        double to = h < goal - t ? t + h : goal;
        bool is_time = to == it->next_event, found = false;
        if (h > 0) {
            // where a model is stiff the steps are halved until they are stable
            double error = step(it, t, x, h, y, true);
            if (!(error <= 1) && h > most / HALVED) {
                fit = h / 2;
                continue;
            }
            fit = error < 1. / 64 ? fmin(2 * fit, most) : fit;
            indicators(it, to, y, w);
            if (crosses(z, w)) {
                double low = 0, high = h;
                while (high - low > 1e-14 * fmax(1, fabs(t))) {
                    double middle = (low + high) / 2;
                    if (middle <= low || middle >= high)
                        break;
                    step(it, t, x, middle, y, false);
                    indicators(it, t + middle, y, w);
                    if (crosses(z, w))
                        high = middle;
                    else
                        low = middle;
                }
                found = true;
                is_time = is_time && high == h;
                to = high == h ? to : t + high;
                step(it, t, x, high, y, false);
            }
            memcpy(x, y, n_states * sizeof *x);
            t = to;
            set_point(it, t, x);
            found = completed(it) || found;
        }
        // parts of a step are nobody's business
        bool is_whole = t == goal || found || is_time;
        // at multiples, as results of `rung simulate` have them
        due = is_whole ? (floor(t / most + 1e-6) + 1) * most : due;
        if (look && is_whole)
            look(it, t);
        if (found || is_time) {
            bool changed = false;
            BOTH_PLAIN(it, fmi2EnterEventMode, fmi3EnterEventMode);
            handle_event(it, &changed);
            BOTH_PLAIN(it, fmi2EnterContinuousTimeMode, fmi3EnterContinuousTimeMode);
            if (changed)
                states(it, x);
            if (look)
                look(it, t);
        }
        indicators(it, t, x, z);
    }
    free(x);
}

/* ------------------------------------------------------------------ co-simulation */

typedef int (*Rates2)(void *, const unsigned *, size_t, const int *, const double *);

static void advance_cs(Instance *it, double until, double most, Look look)
{
    while (it->t < until && !it->over) {
        double h = fmin(most, until - it->t);
        if (it->t + h * (1 + 1e-9) >= until)
            h = until - it->t;
        if (version == 2) {
            typedef int (*F)(void *, double, double, int);
            for (int k = 0; k < n_settings; k++) {
                const int first = 1;
                Setting wanted = setting(k);
                if (wanted.is_slope)
                    CALL(Rates2, fmi2SetRealInputDerivatives, it->c, &wanted.of->reference, 1,
                         &first, &wanted.value);
            }
            LOAD(F, fmi2DoStep);
            int status = fmi2DoStep(it->c, it->t, h, 1);
            if (status == 2)
                it->over = true;
            else if (status > 1)
                fail("fmi2DoStep: status %d", status);
            it->t += h;
        } else {
            typedef int (*F)(void *, double, double, bool, bool *, bool *, bool *, double *);
            bool event, terminate, early;
            double reached;
            CALL(F, fmi3DoStep, it->c, it->t, h, true, &event, &terminate, &early, &reached);
            it->over = terminate;
            it->t += h;
        }
        if (fabs(until - it->t) < 1e-12 * fmax(1, fabs(until)))
            it->t = until;
        if (look)
            look(it, it->t);
    }
}

static void advance(Instance *it, double until, double most, Look look)
{
    (it->me ? advance_me : advance_cs)(it, until, most, look);
}

/* ------------------------------------------------------------------ runs */

static FILE *table;

static bool is_shown(const Variable *v)
{
    return strcmp(v->causality, "independent") != 0 && !strstr(v->name, "event_indicator_") &&
           !(is_string(v) && v->is_known);
}

static void write_row(Instance *it, double t)
{
    fprintf(table, "%.17g", t);
    for (size_t k = 0; k < n_variables; k++) {
        double *value = calloc(variable[k].dimension, sizeof *value);
        if (is_string(&variable[k]) && is_shown(&variable[k])) {
            fprintf(table, ",\"%s\"", string_of(it, &variable[k]));
        } else if (is_shown(&variable[k])) {
            get(it, &variable[k], value);
            for (unsigned i = 0; i < variable[k].dimension; i++)
                fprintf(table, ",%.17g", value[i]);
        }
        free(value);
    }
    fputc('\n', table);
}

static void run(bool me, const char *path)
{
    table = fopen(path, "w");
    if (!table)
        fail("cannot write %s", path);
    fputs("\"time\"", table);
    for (size_t k = 0; k < n_variables; k++)
        for (unsigned i = 0; i < variable[k].dimension && is_shown(&variable[k]); i++) {
            fprintf(table, ",\"%s", variable[k].name);
            if (variable[k].dimension > 1)
                fprintf(table, "[%u]", i + 1);
            fputc('"', table);
        }
    fputc('\n', table);
    Instance it = begin(me);
    write_row(&it, 0);
    for (int k = 0; k < n_settings; k++) {
        if (setting(k).at < 0)
            continue;
        advance(&it, setting(k).at, stop / 1000, write_row);
        if (me)
            BOTH_PLAIN(&it, fmi2EnterEventMode, fmi3EnterEventMode);
        set(&it, setting(k).of, setting(k).value);
        bool changed = false;
        if (me) {
            handle_event(&it, &changed);
            BOTH_PLAIN(&it, fmi2EnterContinuousTimeMode, fmi3EnterContinuousTimeMode);
        }
        write_row(&it, it.t);
    }
    advance(&it, stop, stop / 1000, write_row);
    free_instance(&it);
    fclose(table);
}

/* ------------------------------------------------------------------ checks */

/* All values that the description names, in one array. */
static double *all_values(Instance *it, size_t *n)
{
    size_t room = 0;
    for (size_t k = 0; k < n_variables; k++)
        room += variable[k].dimension;
    double *out = calloc(room + 1, sizeof *out);
    *n = 0;
    for (size_t k = 0; k < n_variables; k++) {
        get(it, &variable[k], out + *n);
        *n += variable[k].dimension;
    }
    return out;
}

static void compare(const char *what, Instance *a, Instance *b)
{
    size_t n, m;
    double *x = all_values(a, &n), *y = all_values(b, &m);
    for (size_t k = 0; k < n; k++)
        if (memcmp(&x[k], &y[k], sizeof *x) != 0)
            fail("%s: value %zu is %.17g, not %.17g", what, k, y[k], x[k]);
    free(y);
    // who asks again is told the same
    y = all_values(a, &m);
    for (size_t k = 0; k < n; k++)
        if (memcmp(&x[k], &y[k], sizeof *x) != 0)
            fail("%s: value %zu is %.17g, and then %.17g", what, k, x[k], y[k]);
    free(x);
    free(y);
}

typedef int (*StateGet)(void *, void **);
typedef int (*StateSet)(void *, void *);
typedef int (*StateSize)(void *, void *, size_t *);
typedef int (*StateBytes)(void *, void *, void *, size_t);
typedef int (*StateRead)(void *, const void *, size_t, void **);

/* A run that is interrupted at a third, saved, and gone on with in three ways. */
static void check_state(bool me)
{
    Instance a = begin(me), b = begin(me);
    advance(&a, stop / 3, stop / 300, NULL);
    void *state = NULL, *read = NULL;
    size_t size = 0;
    if (version == 2) {
        CALL(StateGet, fmi2GetFMUstate, a.c, &state);
        CALL(StateSize, fmi2SerializedFMUstateSize, a.c, state, &size);
    } else {
        CALL(StateGet, fmi3GetFMUState, a.c, &state);
        CALL(StateSize, fmi3SerializedFMUStateSize, a.c, state, &size);
    }
    char *bytes = calloc(size, 1);
    Instance at_third = a;
    advance(&a, stop, stop / 300, NULL);
    if (version == 2) {
        CALL(StateBytes, fmi2SerializeFMUstate, a.c, state, bytes, size);
        CALL(StateRead, fmi2DeSerializeFMUstate, b.c, bytes, size, &read);
        CALL(StateSet, fmi2SetFMUstate, b.c, read);
    } else {
        CALL(StateBytes, fmi3SerializeFMUState, a.c, state, bytes, size);
        CALL(StateRead, fmi3DeserializeFMUState, b.c, bytes, size, &read);
        CALL(StateSet, fmi3SetFMUState, b.c, read);
    }
    b.t = at_third.t;
    b.next_event = at_third.next_event;
    advance(&b, stop, stop / 300, NULL);
    compare("restored in another instance", &a, &b);
    // back in the first one
    if (version == 2)
        CALL(StateSet, fmi2SetFMUstate, a.c, state);
    else
        CALL(StateSet, fmi3SetFMUState, a.c, state);
    a.t = at_third.t;
    a.next_event = at_third.next_event;
    a.over = at_third.over;
    advance(&a, stop, stop / 300, NULL);
    compare("restored", &b, &a);
    if (version == 2) {
        CALL(StateGet, fmi2FreeFMUstate, a.c, &state);
        CALL(StateGet, fmi2FreeFMUstate, b.c, &read);
    } else {
        CALL(StateGet, fmi3FreeFMUState, a.c, &state);
        CALL(StateGet, fmi3FreeFMUState, b.c, &read);
    }
    free(bytes);
    free_instance(&a);
    free_instance(&b);
}

static void *in_thread(void *data)
{
    Instance *it = data;
    *it = begin(it->me);
    advance(it, stop, stop / 300, NULL);
    return NULL;
}

static void check_threads(bool me)
{
    Instance one = begin(me), two[2] = {{.me = me}, {.me = me}};
    advance(&one, stop, stop / 300, NULL);
    pthread_t thread[2];
    for (int k = 0; k < 2; k++)
        if (pthread_create(&thread[k], NULL, in_thread, &two[k]))
            fail("no thread");
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    compare("first thread", &one, &two[0]);
    compare("second thread", &one, &two[1]);
    free_instance(&one);
    free_instance(&two[0]);
    free_instance(&two[1]);
}

typedef int (*Directional2)(void *, const unsigned *, size_t, const unsigned *, size_t,
                            const double *, double *);
typedef int (*Directional3)(void *, const unsigned *, size_t, const unsigned *, size_t,
                            const double *, size_t, double *, size_t);

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* Scalars that derivatives are by and of. */
static size_t choose(bool unknown, unsigned *reference, const Variable **v)
{
    size_t n = 0;
    for (size_t k = 0; k < n_variables; k++) {
        const Variable *it = &variable[k];
        bool real = !strcmp(it->type, "Real") || !strcmp(it->type, "Float64");
        bool wanted = !strcmp(it->causality, unknown ? "output" : "input");
        for (size_t s = 0; s < n_states; s++) {
            unsigned of = variable[state_of[s]].derivative; // the state
            wanted = wanted || (unknown ? state_of[s] == k
                                        : (version == 2 ? of == k + 1 : of == it->reference));
        }
        if (real && wanted && it->dimension == 1) {
            v[n] = it;
            reference[n++] = it->reference;
        }
    }
    return n;
}

static void evaluate(Instance *it, const Variable *const *v, size_t n, double *out)
{
    for (size_t k = 0; k < n; k++)
        get(it, v[k], &out[k]);
}

static void move(Instance *it, const Variable *const *v, size_t n, const double *from,
                 const double *by, double h)
{
    double *x = calloc(n_states + 1, sizeof *x);
    states(it, x);
    for (size_t k = 0; k < n; k++) {
        bool is_input = !strcmp(v[k]->causality, "input");
        if (is_input)
            set(it, v[k], from[k] + h * by[k]);
        for (size_t s = 0; s < n_states; s++) {
            unsigned of = variable[state_of[s]].derivative;
            if (!is_input && (version == 2 ? &variable[of - 1] == v[k] : of == v[k]->reference))
                x[s] = from[k] + h * by[k];
        }
    }
    set_point(it, it->t, x);
    free(x);
}

static void check_derivatives(void)
{
    enum { MOST = 2000 };
    static unsigned unknown[MOST], known[MOST];
    static const Variable *y[MOST], *x[MOST];
    static double seed[MOST], out[MOST], plus[MOST], minus[MOST], here[MOST], from[MOST],
        back[MOST];
    size_t n_y = choose(true, unknown, y), n_x = choose(false, known, x);
    unsigned number = 12345;
    Instance it = begin(true);
    for (int round = 1; round <= 3 && n_x && n_y; round++) {
        advance(&it, 0.31 * stop * round, stop / 300, NULL);
        evaluate(&it, x, n_x, from);
        for (size_t k = 0; k < n_x; k++)
            seed[k] = noise(&number);
        int status = 0;
        if (version == 2) {
            LOAD(Directional2, fmi2GetDirectionalDerivative);
            status = fmi2GetDirectionalDerivative(it.c, unknown, n_y, known, n_x, seed, out);
        } else {
            LOAD(Directional3, fmi3GetDirectionalDerivative);
            status =
                fmi3GetDirectionalDerivative(it.c, unknown, n_y, known, n_x, seed, n_x, out, n_y);
        }
        if (status == 2)
            continue; // they do not exist here
        if (status > 1)
            fail("directional derivatives: status %d", status);
        for (size_t j = 0; j < n_x && j < 40; j++) {
            static double unit[MOST];
            unit[j] = 1;
            if (version == 2)
                CALL(Directional2, fmi2GetDirectionalDerivative, it.c, unknown, n_y, known, n_x,
                     unit, plus);
            else
                CALL(Directional3, fmi3GetDirectionalDerivative, it.c, unknown, n_y, known, n_x,
                     unit, n_x, plus, n_y);
            unit[j] = 0;
            for (size_t k = 0; k < n_y; k++)
                if (plus[k] != 0 && is_apart(y[k], x[j]))
                    fail("%s depends on %s, which is not declared", y[k]->name, x[j]->name);
        }
        double h = 1e-6, size = 1e-3, sum = 0, other = 0, terms = 0;
        move(&it, x, n_x, from, seed, h);
        evaluate(&it, y, n_y, plus);
        move(&it, x, n_x, from, seed, -h);
        evaluate(&it, y, n_y, minus);
        move(&it, x, n_x, from, seed, 0);
        evaluate(&it, y, n_y, here);
        for (size_t k = 0; k < n_y; k++)
            size = fmax(size, fabs(out[k]));
        for (size_t k = 0; k < n_y; k++) {
            double difference = (plus[k] - minus[k]) / (2 * h);
            double rounding = 1e-15 * fmax(fabs(plus[k]), fabs(minus[k])) / h;
            double allowed = 1e-5 * size + 100 * rounding;
            // at a kink, as of the largest of many, differences say nothing
            double ahead = (plus[k] - here[k]) / h, behind = (here[k] - minus[k]) / h;
            bool is_kink = fabs(ahead - behind) > 1e-2 * fmax(fabs(ahead), fabs(behind)) + allowed;
            if (!is_kink && !(fabs(difference - out[k]) <= allowed))
                fail("t = %g: directional derivative of %s is %.9g, by differences %.9g", it.t,
                     y[k]->name, out[k], difference);
        }
        if (version == 2)
            continue;
        // <w, J v> = <J' w, v>
        for (size_t k = 0; k < n_y; k++)
            plus[k] = noise(&number);
        CALL(Directional3, fmi3GetAdjointDerivative, it.c, unknown, n_y, known, n_x, plus, n_y,
             back, n_x);
        for (size_t k = 0; k < n_y; k++) {
            sum += plus[k] * out[k];
            terms += fabs(plus[k] * out[k]);
        }
        for (size_t k = 0; k < n_x; k++)
            other += back[k] * seed[k];
        if (!(fabs(sum - other) <= 1e-12 * terms))
            fail("adjoint: %.17g is not %.17g", other, sum);
    }
    printf("derivatives of %zu by %zu\n", n_y, n_x);
    free_instance(&it);
}

/* At the start states, by a parameter: against differences of two instances with other values of
 * it, and the adjoint ones. */
static void check_parameter(const char *name)
{
    enum { MOST = 2000 };
    static unsigned unknown[MOST];
    static const Variable *y[MOST];
    static double out[MOST], side[2][MOST], x[MOST];
    const Variable *p = NULL;
    for (size_t k = 0; k < n_variables; k++)
        if (!strcmp(variable[k].name, name))
            p = &variable[k];
    if (!p)
        fail("no parameter %s", name);
    size_t n_y = choose(true, unknown, y);
    Instance it = begin(true);
    double t = 0.1 * stop, one = 1, value = 0, size = 0, moved = 0;
    advance(&it, t, stop / 300, NULL);
    get(&it, p, &value);
    states(&it, x);
    set_point(&it, t, x);
    if (version == 2)
        CALL(Directional2, fmi2GetDirectionalDerivative, it.c, unknown, n_y, &p->reference, 1, &one,
             out);
    else
        CALL(Directional3, fmi3GetDirectionalDerivative, it.c, unknown, n_y, &p->reference, 1, &one,
             1, out, n_y);
    for (size_t k = 0; k < n_y && version == 3; k++) {
        double back = 0;
        CALL(Directional3, fmi3GetAdjointDerivative, it.c, unknown + k, 1, &p->reference, 1, &one,
             1, &back, 1);
        if (!(fabs(back - out[k]) <= 1e-12 * fabs(out[k])))
            fail("adjoint of %s by %s: %.17g is not %.17g", y[k]->name, name, back, out[k]);
    }
    free_instance(&it);
    double h = 1e-6 * fmax(fabs(value), 1e-3);
    for (int k = 0; k < 2; k++) {
        char *setting = malloc(strlen(name) + 40), **kept = settings;
        int n_kept = n_settings;
        sprintf(setting, "%s=%.17g", name, value + (k ? h : -h));
        settings = &setting;
        n_settings = 1;
        it = begin(true);
        settings = kept;
        n_settings = n_kept;
        set_point(&it, t, x);
        evaluate(&it, y, n_y, side[k]);
        free_instance(&it);
        free(setting);
    }
    for (size_t k = 0; k < n_y; k++)
        size = fmax(size, fabs(out[k]));
    for (size_t k = 0; k < n_y; k++) {
        double difference = (side[1][k] - side[0][k]) / (2 * h);
        double allowed = 1e-6 * size + 1e-13 * fabs(side[0][k]) / h;
        if (!(fabs(difference - out[k]) <= allowed))
            fail("t = %g: derivative of %s by %s is %.9g, by differences %.9g", t, y[k]->name, name,
                 out[k], difference);
        moved = fmax(moved, fabs(difference));
    }
    printf("derivatives by %s: %g\n", name, moved);
}

/* Derivatives of outputs by time, which inputs that stay do not move. */
static void check_rates(void)
{
    enum { MOST = 2000 };
    typedef int (*Rates3)(void *, const unsigned *, size_t, const int *, double *, size_t);
    static const int first = 1;
    Instance it = begin(false);
    size_t n = 0;
    static double rate[MOST], here[MOST], there[MOST];
    for (int round = 1; round <= 3; round++) {
        advance(&it, 0.23 * stop * round, stop / 300, NULL);
        for (size_t k = n = 0; k < n_variables && n < MOST; k++) {
            const Variable *v = &variable[k];
            bool real = !strcmp(v->type, "Real") || !strcmp(v->type, "Float64");
            if (!real || strcmp(v->causality, "output") != 0 || v->dimension != 1)
                continue;
            if (version == 2)
                CALL(Rates2, fmi2GetRealOutputDerivatives, it.c, &v->reference, 1, &first,
                     &rate[n]);
            else
                CALL(Rates3, fmi3GetOutputDerivatives, it.c, &v->reference, 1, &first, &rate[n], 1);
            get(&it, v, &here[n++]);
        }
        double h = 1e-5 * stop;
        advance(&it, it.t + h, h, NULL);
        for (size_t k = 0, j = 0; k < n_variables && j < n; k++) {
            const Variable *v = &variable[k];
            bool real = !strcmp(v->type, "Real") || !strcmp(v->type, "Float64");
            if (!real || strcmp(v->causality, "output") != 0 || v->dimension != 1)
                continue;
            get(&it, v, &there[j]);
            double by = (there[j] - here[j]) / h, size = fabs(by) + fabs(here[j]) / stop;
            if (!(fabs(by - rate[j]) <= 2e-3 * size + 1e-9 / h))
                fail("t = %g: d %s / dt is %.9g, by differences %.9g", it.t, v->name, rate[j], by);
            j++;
        }
    }
    printf("rates of %zu\n", n);
    free_instance(&it);
}

/* What is wrong is refused, and an instance can be used again. */
static void check_refusals(bool me)
{
    if (instantiate(me, wrong_token(token)))
        fail("an instance with the token of another FMU");
    Instance it = begin(me), fresh = begin(me);
    unsigned none = 4000000000u;
    double value;
    const char *text = "another";
    fputs("(a message follows that is wanted) ", stderr);
    if (version == 2) {
        LOAD(Get2, fmi2GetReal);
        LOAD(Get2, fmi2SetString);
        if (fmi2GetReal(it.c, &none, 1, &value) != 3)
            fail("a value reference that is none");
        for (size_t k = 0; k < n_variables; k++)
            if (is_string(&variable[k]) &&
                fmi2SetString(it.c, &variable[k].reference, 1, &text) != 3)
                fail("'%s' is set", variable[k].name);
        for (size_t k = 0; k < n_variables; k++) { /* a start value, as importers set them all */
            const char *own = variable[k].text;
            if (is_string(&variable[k]) && variable[k].is_known &&
                fmi2SetString(it.c, &variable[k].reference, 1, &own) != 0)
                fail("'%s' cannot be set to its value", variable[k].name);
        }
        advance(&it, stop / 10, stop / 100, NULL);
        CALL(Plain, fmi2Reset, it.c);
    } else {
        LOAD(Get3, fmi3GetFloat64);
        LOAD(Get3, fmi3SetString);
        if (fmi3GetFloat64(it.c, &none, 1, &value, 1) != 3)
            fail("a value reference that is none");
        for (size_t k = 0; k < n_variables; k++)
            if (is_string(&variable[k]) && variable[k].dimension == 1 &&
                fmi3SetString(it.c, &variable[k].reference, 1, &text, 1) != 3)
                fail("'%s' is set", variable[k].name);
        for (size_t k = 0; k < n_variables; k++) {
            const char *own = variable[k].text;
            if (is_string(&variable[k]) && variable[k].is_known && variable[k].dimension == 1 &&
                fmi3SetString(it.c, &variable[k].reference, 1, &own, 1) != 0)
                fail("'%s' cannot be set to its value", variable[k].name);
        }
        advance(&it, stop / 10, stop / 100, NULL);
        CALL(Plain, fmi3Reset, it.c);
    }
    Instance again = {.c = it.c, .me = me, .next_event = INFINITY};
    initialise(&again);
    bool changed = false;
    if (me)
        handle_event(&again, &changed);
    compare("after a reset", &fresh, &again);
    free_instance(&again);
    free_instance(&fresh);
}

int main(int argc, char **argv)
{
    if (argc < 6)
        fail("usage: BINARY DESCRIPTION 2|3 STOP me|cs OUT.csv [NAME=VALUE ...], or ... check "
             "[PARAMETER ...]");
    version = atoi(argv[3]);
    stop = strtod(argv[4], NULL);
    char *text = read_text(argv[2]);
    char *whole = realpath(argv[2], NULL);
    snprintf(resources, sizeof resources, "%.*s/resources/",
             whole ? (int)(strrchr(whole, '/') - whole) : 0, whole ? whole : "");
    free(whole);
    const char *root = element(text, text + strlen(text), "fmiModelDescription");
    attribute(root, version == 2 ? "guid" : "instantiationToken", token, sizeof token);
    read_variables(text);
    read_structure(text);
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail("%s", dlerror());
    bool has_me = strstr(text, "<ModelExchange "), has_cs = strstr(text, "<CoSimulation ");
    if (strcmp(argv[5], "check") != 0) {
        if (argc < 7)
            fail("where to?");
        settings = argv + 7;
        n_settings = argc - 7;
        run(!strcmp(argv[5], "me"), argv[6]);
    } else {
        for (int me = 0; me < 2; me++) {
            if (!(me ? has_me : has_cs))
                continue;
            if (strstr(text, version == 2 ? "canGetAndSetFMUstate=\"true\""
                                          : "canGetAndSetFMUState=\"true\""))
                check_state(me);
            check_threads(me);
            check_refusals(me);
        }
        if (has_me && strstr(text, "providesDirectionalDerivative"))
            check_derivatives();
        for (int k = 6; k < argc; k++)
            check_parameter(argv[k]);
        if (has_cs && strstr(text, "maxOutputDerivativeOrder=\"1\""))
            check_rates();
    }
    dlclose(library);
    free(variable);
    free(text);
    return 0;
}
