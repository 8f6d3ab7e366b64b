/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "fmi_unit.h"

#include "external.h"
#include "fmi2_types.h"
#include "fmi3_types.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

_Noreturn void ModelicaError(const char *string);
void ModelicaWarning(const char *string);

/* ------------------------------------------------------------------ functions of an FMU */

/* Functions that every FMU has, those of model exchange, those of co-simulation. */
#define FMI2_COMMON(X)                                                                             \
    X(GetVersion)                                                                                  \
    X(Instantiate)                                                                                 \
    X(FreeInstance)                                                                                \
    X(SetupExperiment)                                                                             \
    X(EnterInitializationMode)                                                                     \
    X(ExitInitializationMode)                                                                      \
    X(Terminate)                                                                                   \
    X(Reset)                                                                                       \
    X(GetReal)                                                                                     \
    X(GetInteger)                                                                                  \
    X(GetBoolean)                                                                                  \
    X(SetReal)                                                                                     \
    X(SetInteger)                                                                                  \
    X(SetBoolean)                                                                                  \
    X(SetString)                                                                                   \
    X(GetDirectionalDerivative)
#define FMI2_EXCHANGE(X)                                                                           \
    X(EnterEventMode)                                                                              \
    X(NewDiscreteStates)                                                                           \
    X(EnterContinuousTimeMode)                                                                     \
    X(CompletedIntegratorStep)                                                                     \
    X(SetTime)                                                                                     \
    X(SetContinuousStates)                                                                         \
    X(GetDerivatives)                                                                              \
    X(GetEventIndicators)                                                                          \
    X(GetContinuousStates)
#define FMI2_COSIMULATION(X)                                                                       \
    X(DoStep)                                                                                      \
    X(GetBooleanStatus)                                                                            \
    X(GetRealStatus)
#define FMI3_COMMON(X)                                                                             \
    X(GetVersion)                                                                                  \
    X(InstantiateModelExchange)                                                                    \
    X(InstantiateCoSimulation)                                                                     \
    X(FreeInstance)                                                                                \
    X(EnterInitializationMode)                                                                     \
    X(ExitInitializationMode)                                                                      \
    X(Terminate)                                                                                   \
    X(Reset)                                                                                       \
    X(GetFloat64)                                                                                  \
    X(GetFloat32)                                                                                  \
    X(GetInt8)                                                                                     \
    X(GetUInt8)                                                                                    \
    X(GetInt16)                                                                                    \
    X(GetUInt16)                                                                                   \
    X(GetInt32)                                                                                    \
    X(GetUInt32)                                                                                   \
    X(GetInt64)                                                                                    \
    X(GetUInt64)                                                                                   \
    X(GetBoolean)                                                                                  \
    X(SetFloat64)                                                                                  \
    X(SetFloat32)                                                                                  \
    X(SetInt8)                                                                                     \
    X(SetUInt8)                                                                                    \
    X(SetInt16)                                                                                    \
    X(SetUInt16)                                                                                   \
    X(SetInt32)                                                                                    \
    X(SetUInt32)                                                                                   \
    X(SetInt64)                                                                                    \
    X(SetUInt64)                                                                                   \
    X(SetBoolean)                                                                                  \
    X(SetString)                                                                                   \
    X(GetDirectionalDerivative)
#define FMI3_EXCHANGE(X)                                                                           \
    X(EnterEventMode)                                                                              \
    X(UpdateDiscreteStates)                                                                        \
    X(EnterContinuousTimeMode)                                                                     \
    X(CompletedIntegratorStep)                                                                     \
    X(SetTime)                                                                                     \
    X(SetContinuousStates)                                                                         \
    X(GetContinuousStateDerivatives)                                                               \
    X(GetEventIndicators)                                                                          \
    X(GetContinuousStates)
#define FMI3_COSIMULATION(X) X(DoStep)

/* No further event. */
static const double NEVER = 1e60;

typedef struct Fmi2 {
#define MEMBER(Name) fmi2##Name##TYPE *Name;
    FMI2_COMMON(MEMBER)
    FMI2_EXCHANGE(MEMBER)
    FMI2_COSIMULATION(MEMBER)
#undef MEMBER
} Fmi2;

typedef struct Fmi3 {
#define MEMBER(Name) fmi3##Name##TYPE *Name;
    FMI3_COMMON(MEMBER)
    FMI3_EXCHANGE(MEMBER)
    FMI3_COSIMULATION(MEMBER)
#undef MEMBER
} Fmi3;

/* Neighbours of a group that have the same type: one call. */
typedef struct Part {
    FmiUnitType type;
    uint32_t first, n;         /* values                                           */
    uint32_t reference, n_own; /* value references: one for all elements of an array */
} Part;

typedef struct Group {
    uint32_t first, n;      /* values in the table of variables */
    uint32_t part, n_parts; /* its parts                        */
    uint32_t own, n_own;    /* its value references             */
    double *last;           /* values last set; NAN at first                            */
    uint32_t *place;        /* of a group that is part of the inputs: in these; else NULL */
} Group;

typedef struct FmiUnit {
    int version;
    bool is_cosimulation, completes, is_dead; /* after fmi2Fatal no function may be called */
    bool has_failed;                          /* after fmi2Error it only ends */
    char *file, *name, *identifier, *token, *names;
    uint32_t n_states, n_indicators, n_groups;
    double tolerance;
    char *dir; /* unpacked */
    void *binary;
    Fmi2 f2;
    Fmi3 f3;
    fmi2CallbackFunctions callbacks;
    void *instance;
    unsigned *reference; /* of all groups, one behind the other */
    FmiUnitType *type;
    Part *part;
    Group *group;
    void *room; /* for the values of the largest group, of any type */
    /* where it stands */
    bool is_started;
    bool quits;     /* it wants the run to end                */
    bool has_ended; /* an event of model exchange has ended it: it takes no values any more */
    double t, count, asked; /* asked: time at which it wants an event */
    double *x;
    double *along;       /* a direction of states, and derivatives along it */
    double *call, *made; /* arguments and results of the last call that has changed it */
    size_t n_call, n_made, most_call, most_made;
    int warnings;
    char log[300];    /* its last message of an error          */
    char error[1200]; /* of the call that has failed last    */
} FmiUnit;

/* ------------------------------------------------------------------ messages */

/* Records why a call has failed; false. */
static bool explain(FmiUnit *u, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool explain(FmiUnit *u, const char *format, ...)
{
    char why[600], when[40] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (isfinite(u->t))
        snprintf(when, sizeof when, ", t = %.9g", u->t);
    snprintf(u->error, sizeof u->error, "FMU '%s'%s: %s%s%s", u->name, when, why,
             *u->log ? ": " : "", u->log);
    *u->log = 0;
    return false;
}

/* Ends the call of the model. */
static _Noreturn void give_up(FmiUnit *u)
{
    ModelicaError(u->error);
}

/* Messages of the FMU: errors are told with the call that fails. */
static void take_message(FmiUnit *u, int status, const char *text)
{
    enum { MOST = 10 };
    size_t n = strcspn(text, "\n");
    if (status >= fmi2Discard) {
        snprintf(u->log, sizeof u->log, "%.*s", (int)(n < 290 ? n : 290), text);
        return;
    }
    if (status != fmi2Warning || u->warnings > MOST)
        return;
    char line[900];
    u->warnings++;
    snprintf(line, sizeof line, "FMU '%s', t = %.9g: %s%s", u->name, u->t, text,
             u->warnings > MOST ? "; further warnings are not shown" : "");
    ModelicaWarning(line);
}

static void take_message_2(void *environment, fmi2String name, fmi2Status status,
                           fmi2String category, fmi2String message, ...)
{
    (void)name;
    (void)category;
    char text[600];
    va_list args;
    va_start(args, message);
    vsnprintf(text, sizeof text, message ? message : "", args);
    va_end(args);
    if (environment)
        take_message(environment, (int)status, text);
}

static void take_message_3(fmi3InstanceEnvironment environment, fmi3Status status,
                           fmi3String category, fmi3String message)
{
    (void)category;
    if (environment)
        take_message(environment, (int)status, message ? message : "");
}

/* Variable k of the table, with " and others" if there are more: in text. */
static const char *variables(const FmiUnit *u, uint32_t k, uint32_t n, char *text, size_t size)
{
    const char *at = u->names;
    for (uint32_t i = 0; i < k && *at; i++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    snprintf(text, size, "%s'%.*s'%s", n ? " for " : "", (int)strcspn(at, "\n"), at,
             n > 1 ? " and others" : "");
    if (!n)
        *text = 0;
    return text;
}

/* Ends the call of the model where a function of the FMU has failed; of variables k .. k + n. */
static void check(FmiUnit *u, int status, const char *function, uint32_t k, uint32_t n)
{
    static const char *const name[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
    char which[200];
    if (status <= fmi2Warning)
        return;
    u->has_failed = u->has_failed || status != fmi2Discard;
    u->is_dead = u->is_dead || status == fmi2Fatal;
    explain(u, "fmi%d%s returns fmi%d%s%s", u->version, function, u->version,
            status <= fmi2Pending ? name[status] : "Error",
            variables(u, k, n, which, sizeof which));
    give_up(u);
}

/* A call of a function that FMI 2.0 and 3.0 name alike, with the same arguments. */
#define CALL(u, Name, ...)                                                                         \
    check(u,                                                                                       \
          (u)->version == 2 ? (int)(u)->f2.Name((u)->instance __VA_ARGS__)                         \
                            : (int)(u)->f3.Name((u)->instance __VA_ARGS__),                        \
          #Name, 0, 0)

/* ------------------------------------------------------------------ the archive */

bool rung_fmu_path_is_inside(const char *path)
{
    if (*path == '/' || strchr(path, '\\') || strchr(path, ':'))
        return false;
    for (const char *at = path; *at;) {
        size_t n = strcspn(at, "/");
        if (n == 2 && at[0] == '.' && at[1] == '.')
            return false;
        at += n + (at[n] == '/');
    }
    return true;
}

static char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text_of(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = malloc((size_t)(n > 0 ? n : 0) + 1);
    if (!text)
        return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)n + 1, format, args);
    va_end(args);
    return text;
}

static void remove_tree(const char *path)
{
    struct stat st;
    if (lstat(path, &st))
        return;
    DIR *d = S_ISDIR(st.st_mode) ? opendir(path) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        char *inside = strcmp(e->d_name, ".") && strcmp(e->d_name, "..")
                           ? text_of("%s/%s", path, e->d_name)
                           : NULL;
        if (inside)
            remove_tree(inside);
        free(inside);
    }
    if (d)
        closedir(d);
    remove(path);
}

/* Folders of a path below u->dir. */
static bool make_folders(char *path, size_t from)
{
    for (char *at = path + from; (at = strchr(at, '/')); at++) {
        *at = 0;
        bool made = !mkdir(path, 0700) || errno == EEXIST;
        *at = '/';
        if (!made)
            return false;
    }
    return true;
}

static bool unpack_entry(zip_t *z, zip_uint64_t k, char *to)
{
    char bytes[16384];
    zip_file_t *in = zip_fopen_index(z, k, 0);
    FILE *out = in ? fopen(to, "wb") : NULL;
    zip_int64_t n = -1;
    bool ok = out;
    while (ok && (n = zip_fread(in, bytes, sizeof bytes)) > 0)
        ok = fwrite(bytes, 1, (size_t)n, out) == (size_t)n;
    if (out && fclose(out))
        ok = false;
    if (in)
        zip_fclose(in);
    return ok && n == 0;
}

static bool begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

/* The binary for this platform, with files beside it, and the resources. */
static bool unpack(FmiUnit *u)
{
    int code = 0;
    zip_t *z = zip_open(u->file, ZIP_RDONLY, &code);
    if (!z) {
        zip_error_t why;
        zip_error_init_with_code(&why, code);
        explain(u, "cannot open '%s': %s", u->file, zip_error_strerror(&why));
        zip_error_fini(&why);
        return false;
    }
    char binaries[64], bad[200] = "";
    snprintf(binaries, sizeof binaries, "binaries/%s/", rung_fmu_platform(u->version));
    bool ok = true;
    int n_binaries = 0;
    zip_int64_t n = zip_get_num_entries(z, 0);
    for (zip_int64_t k = 0; ok && k < n; k++) {
        const char *path = zip_get_name(z, (zip_uint64_t)k, ZIP_FL_ENC_RAW);
        size_t length = path ? strlen(path) : 0;
        bool is_binary = length && begins_with(path, binaries);
        if (!length || path[length - 1] == '/' || !(is_binary || begins_with(path, "resources/")))
            continue;
        char *to = rung_fmu_path_is_inside(path) ? text_of("%s/%s", u->dir, path) : NULL;
        ok = to && make_folders(to, strlen(u->dir) + 1) && unpack_entry(z, (zip_uint64_t)k, to);
        n_binaries += is_binary;
        if (!ok)
            snprintf(bad, sizeof bad, "%.190s", path);
        free(to);
    }
    zip_discard(z);
    if (!ok)
        return explain(u, "cannot unpack '%s' of '%s'", bad, u->file);
    return n_binaries ||
           explain(u, "'%s' has no binary for this platform, in %s", u->file, binaries);
}

/* ------------------------------------------------------------------ its life */

/* ISO C does not convert objects to functions. */
static bool find(FmiUnit *u, int version, const char *name, void *to)
{
    char symbol[80];
    snprintf(symbol, sizeof symbol, "fmi%d%s", version, name);
    void *at = dlsym(u->binary, symbol);
    memcpy(to, &at, sizeof at);
    if (!at)
        snprintf(u->log, sizeof u->log, "there is no function %s", symbol);
    return at;
}

static bool load(FmiUnit *u)
{
    char *path =
        text_of("%s/binaries/%s/%s.so", u->dir, rung_fmu_platform(u->version), u->identifier);
    u->binary = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    free(path);
    if (!u->binary)
        return explain(u, "cannot load its binary: %s", dlerror());
    bool ok = true;
#define FIND2(Name) ok = find(u, 2, #Name, &u->f2.Name) && ok;
#define FIND3(Name) ok = find(u, 3, #Name, &u->f3.Name) && ok;
    if (u->version == 2) {
        FMI2_COMMON(FIND2)
        if (u->is_cosimulation) {
            FMI2_COSIMULATION(FIND2)
        } else {
            FMI2_EXCHANGE(FIND2)
        }
    } else {
        FMI3_COMMON(FIND3)
        if (u->is_cosimulation) {
            FMI3_COSIMULATION(FIND3)
        } else {
            FMI3_EXCHANGE(FIND3)
        }
    }
#undef FIND2
#undef FIND3
    if (!ok)
        return explain(u, "its binary is not one of FMI %d.0", u->version);
    const char *version = u->version == 2 ? u->f2.GetVersion() : u->f3.GetVersion();
    if (!version || version[0] != '0' + u->version || version[1] != '.')
        return explain(u, "its binary is of FMI %s, its description of %d.0",
                       version ? version : "(none)", u->version);
    return true;
}

/* A file URI for FMI 2.0, a path with a last '/' for 3.0. */
static char *resources_of(const FmiUnit *u)
{
    if (u->version == 3)
        return text_of("%s/resources/", u->dir);
    char *uri = malloc(3 * strlen(u->dir) + 32), *to = uri;
    if (!uri)
        return NULL;
    to += sprintf(to, "file://");
    for (const char *c = u->dir; *c; c++)
        to += strchr("/-_.~", *c) || (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
                      (*c >= 'a' && *c <= 'z')
                  ? sprintf(to, "%c", *c)
                  : sprintf(to, "%%%02X", (unsigned char)*c);
    strcpy(to, "/resources");
    return uri;
}

static void instantiate(FmiUnit *u)
{
    char *resources = resources_of(u);
    const char *where = resources ? resources : "";
    if (u->version == 2)
        u->instance =
            u->f2.Instantiate(u->name, u->is_cosimulation ? fmi2CoSimulation : fmi2ModelExchange,
                              u->token, where, &u->callbacks, 0, 0);
    else if (u->is_cosimulation)
        u->instance = u->f3.InstantiateCoSimulation(u->name, u->token, where, false, false, false,
                                                    false, NULL, 0, u, take_message_3, NULL);
    else
        u->instance = u->f3.InstantiateModelExchange(u->name, u->token, where, false, false, u,
                                                     take_message_3);
    free(resources);
    if (u->instance)
        return;
    explain(u, "it makes no instance with the %s '%s' of its description",
            u->version == 2 ? "GUID" : "instantiation token", u->token);
    give_up(u);
}

static void end_instance(FmiUnit *u)
{
    if (!u->instance || u->is_dead)
        return;
    if (u->is_started && !u->has_failed) {
        if (u->version == 2)
            u->f2.Terminate(u->instance);
        else
            u->f3.Terminate(u->instance);
    }
    if (u->version == 2)
        u->f2.FreeInstance(u->instance);
    else
        u->f3.FreeInstance(u->instance);
    u->instance = NULL;
}

void rung_fmu_free(void *unit)
{
    FmiUnit *u = unit;
    if (!u)
        return;
    end_instance(u);
    if (u->binary && !u->is_dead)
        dlclose(u->binary);
    if (u->dir)
        remove_tree(u->dir);
    for (uint32_t g = 0; u->group && g < u->n_groups; g++)
        free(u->group[g].last), free(u->group[g].place);
    void *const all[] = {
        u->dir,  u->file,  u->name, u->identifier, u->token, u->names, u->reference, u->type,
        u->part, u->group, u->room, u->x,          u->along, u->call,  u->made,      u};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

/* ------------------------------------------------------------------ the table of variables */

static bool table_new(FmiUnit *u, const int *reference, size_t n, const int *type, const int *first)
{
    u->reference = calloc(n + 1, sizeof *u->reference);
    u->type = calloc(n + 1, sizeof *u->type);
    u->part = calloc(n + 1, sizeof *u->part);
    u->group = calloc(u->n_groups + (size_t)1, sizeof *u->group);
    u->room = calloc(n + 1, sizeof(double));
    u->x = calloc(u->n_states + (size_t)1, sizeof *u->x);
    u->along = calloc(u->n_states + n + 1, sizeof *u->along);
    if (!u->reference || !u->type || !u->part || !u->group || !u->room || !u->x || !u->along)
        return false;
    uint32_t n_parts = 0, n_own = 0;
    for (uint32_t g = 0; g < u->n_groups; g++) {
        Group *it = &u->group[g];
        *it = (Group){.first = (uint32_t)first[g], .part = n_parts, .own = n_own};
        it->n = (uint32_t)(first[g + 1] - first[g]);
        for (uint32_t k = it->first; k < it->first + it->n; k++) {
            bool begins = k == it->first, is_element = !begins && reference[k] == reference[k - 1];
            u->type[k] = (FmiUnitType)type[k];
            if (begins || type[k] != type[k - 1])
                u->part[n_parts++] = (Part){.type = u->type[k], .first = k, .reference = n_own};
            Part *p = &u->part[n_parts - 1];
            p->n++;
            if (!is_element || p->n == 1) {
                u->reference[n_own++] = (unsigned)reference[k];
                p->n_own++;
            }
        }
        it->n_parts = n_parts - it->part;
        it->n_own = n_own - it->own;
        it->last = malloc((it->n + (size_t)1) * sizeof *it->last);
        if (!it->last)
            return false;
    }
    return true;
}

static void forget_inputs(FmiUnit *u)
{
    for (uint32_t g = 0; g < u->n_groups; g++)
        for (uint32_t k = 0; k < u->group[g].n; k++)
            u->group[g].last[k] = NAN;
}

/* Groups of some of the inputs. False: out of memory. */
static bool find_places(FmiUnit *u, const int *reference)
{
    const Group *inputs = &u->group[FMI_UNIT_INPUTS];
    for (uint32_t g = FMI_UNIT_FIXED_GROUPS; g < u->n_groups; g++) {
        Group *it = &u->group[g];
        uint32_t *place = malloc((it->n + (size_t)1) * sizeof *place), found = 0;
        if (!place)
            return false;
        for (uint32_t k = 0, i = 0; k < it->n && i < inputs->n; i++) {
            // both are in the order of the description
            bool is_same = reference[it->first + k] == reference[inputs->first + i] &&
                           u->type[it->first + k] == u->type[inputs->first + i];
            if (is_same)
                place[k++] = i;
            found = k;
        }
        if (it->n && found == it->n)
            it->place = place;
        else
            free(place);
    }
    return true;
}

static int completed(void *unit, double t);

void *rung_fmu_new(const char *file, const char *identifier, const char *token, int version,
                   int is_able, int n_states, int n_indicators, double tolerance,
                   const int *reference, size_t n, const int *type, size_t n_types,
                   const int *first, size_t n_firsts, const char *names)
{
    FmiUnit *u = calloc(1, sizeof *u);
    if (!u)
        ModelicaError("out of memory");
    const char *tmp = getenv("TMPDIR"), *slash = strrchr(file, '/');
    u->version = version;
    u->is_cosimulation = is_able & FMI_UNIT_COSIMULATION;
    u->completes = is_able & FMI_UNIT_COMPLETES;
    u->file = text_of("%s", file);
    u->name = text_of("%s", slash ? slash + 1 : file);
    u->identifier = text_of("%s", identifier);
    u->token = text_of("%s", token);
    u->names = text_of("%s", names);
    u->n_states = (uint32_t)n_states;
    u->n_indicators = (uint32_t)n_indicators;
    u->n_groups = n_firsts ? (uint32_t)n_firsts - 1 : 0;
    u->tolerance = tolerance;
    u->callbacks = (fmi2CallbackFunctions){take_message_2, calloc, free, NULL, u};
    u->asked = INFINITY;
    u->t = u->count = NAN;
    u->dir = text_of("%s/rung-fmu-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    bool ok = u->file && u->name && u->identifier && u->token && u->names && u->dir &&
              n == n_types && table_new(u, reference, n, type, first) && find_places(u, reference);
    if (!ok) {
        snprintf(u->error, sizeof u->error, "out of memory");
    } else if (!mkdtemp(u->dir)) {
        ok = explain(u, "cannot make a folder '%s': %s", u->dir, strerror(errno));
        free(u->dir);
        u->dir = NULL;
    } else {
        ok = unpack(u) && load(u);
    }
    if (!ok) {
        // the message outlives the unit
        char why[sizeof u->error];
        memcpy(why, u->error, sizeof why);
        rung_fmu_free(u);
        ModelicaError(why);
    }
    if (u->completes)
        rung_object_completes(completed);
    return u;
}

/* ------------------------------------------------------------------ calls of the model */

static void same_sizes(FmiUnit *u, uint32_t group, size_t n)
{
    if (group < u->n_groups && u->group[group].n == n)
        return;
    explain(u, "a call has %zu values where its group of variables has another number", n);
    give_up(u);
}

static void is_at(FmiUnit *u, double count)
{
    // between the iterations of an event equations are evaluated with the count before
    if (u->is_started && !u->has_failed && (count == u->count || count == u->count - 1))
        return;
    if (!u->has_failed)
        explain(u, u->is_started ? "the run goes back to a time before the last event, which an "
                                   "FMU does not"
                                 : "it is called before its initialisation");
    give_up(u);
}

/* Whether the last call that has changed the unit had these arguments: n arrays. */
typedef struct Argument {
    const double *at;
    size_t n;
} Argument;

static bool is_same_call(const FmiUnit *u, int n, const Argument *a)
{
    size_t k = 0;
    for (int i = 0; i < n; k += a[i].n, i++)
        if (k + a[i].n > u->n_call || memcmp(u->call + k, a[i].at, a[i].n * sizeof *u->call) != 0)
            return false;
    return k == u->n_call;
}

static void reserve(FmiUnit *u, double **at, size_t *most, size_t n)
{
    if (n <= *most)
        return;
    double *more = realloc(*at, n * sizeof *more);
    if (!more)
        ModelicaError("out of memory");
    *at = more;
    *most = n;
    (void)u;
}

static void note_call(FmiUnit *u, int n, const Argument *a)
{
    size_t size = 0;
    for (int i = 0; i < n; i++)
        size += a[i].n;
    reserve(u, &u->call, &u->most_call, size + 1);
    u->n_call = 0;
    for (int i = 0; i < n; i++) {
        memcpy(u->call + u->n_call, a[i].at, a[i].n * sizeof *u->call);
        u->n_call += a[i].n;
    }
}

/* The results of that call, to have them again. */
static void note_made(FmiUnit *u, size_t n, const double *y)
{
    reserve(u, &u->made, &u->most_made, n + 1);
    memcpy(u->made, y, n * sizeof *y);
    u->n_made = n;
}

/* Before a call number `count` that changes the unit: true where it is the last one again. */
static bool begin_change(FmiUnit *u, double t, double count, int n, const Argument *a)
{
    if (u->is_started && !u->has_failed && count == u->count && is_same_call(u, n, a))
        return true;
    if (u->is_started && !u->has_failed && count == u->count + 1 && t >= u->t)
        return false;
    if (!u->has_failed)
        explain(u,
                !u->is_started ? "it is called before its initialisation"
                : count == u->count
                    ? "it is called twice at an event, with different values: it is part of an "
                      "algebraic loop with discrete variables"
                    : "the run goes back to a time before the last event, which an FMU does not");
    give_up(u);
}

/* ------------------------------------------------------------------ values */

/* From or to the array `room`, converted to the type of the variables. */
#define GET2(Name, Type)                                                                           \
    do {                                                                                           \
        fmi2##Type *in = u->room;                                                                  \
        status = (int)u->f2.Get##Name(u->instance, r, p->n_own, in);                               \
        for (uint32_t k = 0; k < p->n; k++)                                                        \
            y[k] = (double)in[k];                                                                  \
    } while (0)
#define SET2(Name, Type)                                                                           \
    do {                                                                                           \
        fmi2##Type *to = u->room;                                                                  \
        for (uint32_t k = 0; k < p->n; k++)                                                        \
            to[k] = (fmi2##Type)y[k];                                                              \
        status = (int)u->f2.Set##Name(u->instance, r, p->n_own, to);                               \
    } while (0)
#define GET3(Name)                                                                                 \
    do {                                                                                           \
        fmi3##Name *in = u->room;                                                                  \
        status = (int)u->f3.Get##Name(u->instance, r, p->n_own, in, p->n);                         \
        for (uint32_t k = 0; k < p->n; k++)                                                        \
            y[k] = (double)in[k];                                                                  \
    } while (0)
#define SET3(Name)                                                                                 \
    do {                                                                                           \
        fmi3##Name *to = u->room;                                                                  \
        for (uint32_t k = 0; k < p->n; k++)                                                        \
            to[k] = (fmi3##Name)y[k];                                                              \
        status = (int)u->f3.Set##Name(u->instance, r, p->n_own, to, p->n);                         \
    } while (0)
#define OF_TYPE(Action)                                                                            \
    case FMI_UNIT_FLOAT32:                                                                         \
        Action(Float32);                                                                           \
        break;                                                                                     \
    case FMI_UNIT_INT8:                                                                            \
        Action(Int8);                                                                              \
        break;                                                                                     \
    case FMI_UNIT_UINT8:                                                                           \
        Action(UInt8);                                                                             \
        break;                                                                                     \
    case FMI_UNIT_INT16:                                                                           \
        Action(Int16);                                                                             \
        break;                                                                                     \
    case FMI_UNIT_UINT16:                                                                          \
        Action(UInt16);                                                                            \
        break;                                                                                     \
    case FMI_UNIT_INT32:                                                                           \
        Action(Int32);                                                                             \
        break;                                                                                     \
    case FMI_UNIT_UINT32:                                                                          \
        Action(UInt32);                                                                            \
        break;                                                                                     \
    case FMI_UNIT_INT64:                                                                           \
        Action(Int64);                                                                             \
        break;                                                                                     \
    case FMI_UNIT_UINT64:                                                                          \
        Action(UInt64);                                                                            \
        break;                                                                                     \
    case FMI_UNIT_BOOLEAN:                                                                         \
        Action(Boolean);                                                                           \
        break;                                                                                     \
    case FMI_UNIT_STRING:                                                                          \
        break;

static const char *name_of_type(const FmiUnit *u, FmiUnitType type)
{
    static const char *const name[] = {"Float64", "Float32", "Int8",    "UInt8",
                                       "Int16",   "UInt16",  "Int32",   "UInt32",
                                       "Int64",   "UInt64",  "Boolean", "String"};
    return u->version == 3            ? name[type]
           : type == FMI_UNIT_REAL    ? "Real"
           : type == FMI_UNIT_BOOLEAN ? "Boolean"
                                      : "Integer";
}

static void get_part(FmiUnit *u, const Part *p, double *y)
{
    const unsigned *r = u->reference + p->reference;
    int status = 0;
    char function[20];
    if (u->version == 2)
        switch (p->type) {
        case FMI_UNIT_REAL:
            status = (int)u->f2.GetReal(u->instance, r, p->n_own, y);
            break;
        case FMI_UNIT_BOOLEAN:
            GET2(Boolean, Boolean);
            break;
        default:
            GET2(Integer, Integer);
        }
    else
        switch (p->type) {
        case FMI_UNIT_REAL:
            status = (int)u->f3.GetFloat64(u->instance, r, p->n_own, y, p->n);
            break;
            OF_TYPE(GET3)
        }
    snprintf(function, sizeof function, "Get%s", name_of_type(u, p->type));
    check(u, status, function, p->first, p->n);
}

static void set_part(FmiUnit *u, const Part *p, const double *y)
{
    const unsigned *r = u->reference + p->reference;
    int status = 0;
    char function[20];
    if (u->version == 2)
        switch (p->type) {
        case FMI_UNIT_REAL:
            status = (int)u->f2.SetReal(u->instance, r, p->n_own, y);
            break;
        case FMI_UNIT_BOOLEAN:
            SET2(Boolean, Boolean);
            break;
        default:
            SET2(Integer, Integer);
        }
    else
        switch (p->type) {
        case FMI_UNIT_REAL:
            status = (int)u->f3.SetFloat64(u->instance, r, p->n_own, y, p->n);
            break;
            OF_TYPE(SET3)
        }
    snprintf(function, sizeof function, "Set%s", name_of_type(u, p->type));
    check(u, status, function, p->first, p->n);
}

static void get(FmiUnit *u, uint32_t group, double *y)
{
    const Group *g = &u->group[group];
    for (uint32_t k = 0; k < g->n_parts; k++) {
        const Part *p = &u->part[g->part + k];
        get_part(u, p, y + (p->first - g->first));
    }
    for (uint32_t k = 0; k < g->n; k++)
        if (isnan(y[k])) {
            char which[200];
            explain(u, "its value is not a number%s",
                    variables(u, g->first + k, 1, which, sizeof which));
            give_up(u);
        }
}

static double *last_of(FmiUnit *u, const Group *g, uint32_t k)
{
    return g->place ? &u->group[FMI_UNIT_INPUTS].last[g->place[k]] : &g->last[k];
}

static void set(FmiUnit *u, uint32_t group, const double *y)
{
    const Group *g = &u->group[group];
    for (uint32_t k = 0; k < g->n; k++)
        if (!isfinite(y[k])) {
            char which[200];
            explain(u, "the value to set is not finite%s",
                    variables(u, g->first + k, 1, which, sizeof which));
            give_up(u);
        }
    for (uint32_t k = 0; k < g->n_parts; k++) {
        const Part *p = &u->part[g->part + k];
        set_part(u, p, y + (p->first - g->first));
    }
    for (uint32_t k = 0; k < g->n; k++)
        *last_of(u, g, k) = y[k];
}

static void set_changed(FmiUnit *u, uint32_t group, const double *y)
{
    const Group *g = &u->group[group];
    bool changes = false;
    for (uint32_t k = 0; k < g->n && !changes; k++)
        changes = *last_of(u, g, k) != y[k];
    if (changes)
        set(u, group, y);
}

/* ------------------------------------------------------------------ start */

static void enter_initialisation(FmiUnit *u, double t)
{
    bool has_tolerance = u->tolerance > 0;
    if (u->version == 3) {
        check(u,
              (int)u->f3.EnterInitializationMode(u->instance, has_tolerance, u->tolerance, t, false,
                                                 0),
              "EnterInitializationMode", 0, 0);
        return;
    }
    check(u, (int)u->f2.SetupExperiment(u->instance, has_tolerance, u->tolerance, t, 0, 0),
          "SetupExperiment", 0, 0);
    check(u, (int)u->f2.EnterInitializationMode(u->instance), "EnterInitializationMode", 0, 0);
}

static void set_texts(FmiUnit *u, const char *texts)
{
    const Group *g = &u->group[FMI_UNIT_TEXTS];
    for (uint32_t k = 0; k < g->n; k++) {
        size_t length = strcspn(texts, "\a");
        char *text = text_of("%.*s", (int)length, texts);
        const char *value = text ? text : "";
        unsigned reference = u->reference[g->own + k];
        int status = u->version == 2 ? (int)u->f2.SetString(u->instance, &reference, 1, &value)
                                     : (int)u->f3.SetString(u->instance, &reference, 1, &value, 1);
        free(text);
        texts += length + (texts[length] == '\a');
        check(u, status, "SetString", g->first + k, 1);
    }
}

/* Event mode: iterations until nothing changes; the time of the next event, whether the FMU wants
 * the run to end, whether it has changed states. */
static void iterate_events(FmiUnit *u, double *next, bool *quits, bool *changes)
{
    enum { MOST = 1000 };
    *quits = *changes = false;
    for (int k = 0;; k++) {
        bool again, has_next;
        double at;
        if (u->version == 2) {
            fmi2EventInfo e = {0};
            check(u, (int)u->f2.NewDiscreteStates(u->instance, &e), "NewDiscreteStates", 0, 0);
            again = e.newDiscreteStatesNeeded;
            *quits = *quits || e.terminateSimulation;
            *changes = *changes || e.valuesOfContinuousStatesChanged;
            has_next = e.nextEventTimeDefined;
            at = e.nextEventTime;
        } else {
            bool quit = false, nominals = false, values = false;
            again = has_next = false;
            check(u,
                  (int)u->f3.UpdateDiscreteStates(u->instance, &again, &quit, &nominals, &values,
                                                  &has_next, &at),
                  "UpdateDiscreteStates", 0, 0);
            *quits = *quits || quit;
            *changes = *changes || values;
        }
        if (isnan(at) && has_next) {
            explain(u, "the time of its next event is not a number");
            give_up(u);
        }
        *next = has_next ? at : NEVER;
        again = again || *next <= u->t;
        if (!again || *quits)
            return;
        if (k == MOST) {
            explain(u, "its event iteration does not end%s",
                    *next <= u->t ? ": its next event is not later" : "");
            give_up(u);
        }
    }
}

static void take_states(FmiUnit *u, double *x)
{
    if (u->n_states)
        CALL(u, GetContinuousStates, , x, u->n_states);
    memcpy(u->x, x, u->n_states * sizeof *x);
}

void rung_fmu_start(void *unit, double t, const double *parameter, size_t n_parameters,
                    const char *texts, const double *input, size_t n_inputs, const double *discrete,
                    size_t n_discrete, int out, double *count, double *next, double *y, size_t n_y)
{
    FmiUnit *u = unit;
    const Argument a[] = {
        {&t, 1}, {parameter, n_parameters}, {input, n_inputs}, {discrete, n_discrete}};
    enum { N = sizeof a / sizeof *a };
    *count = 0;
    if (u->is_started && u->count == 0 && is_same_call(u, N, a) && u->n_made == n_y + 1) {
        memcpy(y, u->made, n_y * sizeof *y);
        *next = u->made[n_y];
        return;
    }
    u->t = t;
    // FMUs exist that do not support fmi2Reset
    end_instance(u);
    if (u->is_dead)
        give_up(u);
    u->is_started = u->has_failed = u->quits = u->has_ended = false;
    u->count = NAN;
    u->asked = INFINITY;
    forget_inputs(u);
    same_sizes(u, FMI_UNIT_PARAMETERS, n_parameters);
    same_sizes(u, FMI_UNIT_INPUTS, n_inputs);
    same_sizes(u, FMI_UNIT_DISCRETE_INPUTS, n_discrete);
    instantiate(u);
    set(u, FMI_UNIT_PARAMETERS, parameter);
    set_texts(u, texts);
    enter_initialisation(u, t);
    set(u, FMI_UNIT_INPUTS, input);
    set(u, FMI_UNIT_DISCRETE_INPUTS, discrete);
    *next = NEVER;
    CALL(u, ExitInitializationMode, );
    if (u->is_cosimulation) {
        same_sizes(u, (uint32_t)out, n_y);
        get(u, (uint32_t)out, y);
    } else {
        bool quits, changes;
        iterate_events(u, next, &quits, &changes);
        if (quits) {
            explain(u, "it asks for the end of the run at its start");
            give_up(u);
        }
        CALL(u, EnterContinuousTimeMode, );
        take_states(u, y);
    }
    u->is_started = true;
    u->count = 0;
    note_call(u, N, a);
    note_made(u, n_y, y);
    reserve(u, &u->made, &u->most_made, n_y + 1);
    u->made[n_y] = *next;
    u->n_made = n_y + 1;
}

/* ------------------------------------------------------------------ model exchange */

/* Time, states and inputs, those that have changed. */
static void go_to(FmiUnit *u, double t, const double *x, size_t n_x, int in, const double *input,
                  size_t n_inputs)
{
    same_sizes(u, (uint32_t)in, n_inputs);
    if (n_x != u->n_states) {
        explain(u, "a call has %zu states instead of %u", n_x, u->n_states);
        give_up(u);
    }
    if (u->has_ended)
        return;
    if (t != u->t) {
        u->t = t;
        CALL(u, SetTime, , t);
    }
    if (n_x && memcmp(u->x, x, n_x * sizeof *x) != 0) {
        u->x[0] = NAN; // in case of a failure
        CALL(u, SetContinuousStates, , x, n_x);
        memcpy(u->x, x, n_x * sizeof *x);
    }
    set_changed(u, (uint32_t)in, input);
}

void rung_fmu_rates(void *unit, double t, const double *x, size_t n_x, const double *input,
                    size_t n_inputs, double count, double *rate, size_t n_rates)
{
    FmiUnit *u = unit;
    is_at(u, count);
    go_to(u, t, x, n_x, FMI_UNIT_INPUTS, input, n_inputs);
    check(u,
          u->version == 2 ? (int)u->f2.GetDerivatives(u->instance, rate, n_rates)
                          : (int)u->f3.GetContinuousStateDerivatives(u->instance, rate, n_rates),
          u->version == 2 ? "GetDerivatives" : "GetContinuousStateDerivatives",
          u->group[FMI_UNIT_STATES].first, u->group[FMI_UNIT_STATES].n);
}

void rung_fmu_values(void *unit, double t, const double *x, size_t n_x, int in, const double *input,
                     size_t n_inputs, int out, double count, double *y, size_t n_y)
{
    FmiUnit *u = unit;
    is_at(u, count);
    go_to(u, t, x, n_x, in, input, n_inputs);
    same_sizes(u, (uint32_t)out, n_y);
    get(u, (uint32_t)out, y);
}

void rung_fmu_indicators(void *unit, double t, const double *x, size_t n_x, const double *input,
                         size_t n_inputs, double count, double *z, size_t n_z)
{
    FmiUnit *u = unit;
    is_at(u, count);
    go_to(u, t, x, n_x, FMI_UNIT_INPUTS, input, n_inputs);
    CALL(u, GetEventIndicators, , z, n_z);
}

/* Adds the derivatives of a group along those of another one. */
static void add_slopes(FmiUnit *u, uint32_t of, uint32_t by, const double *seed, size_t n,
                       double *dy, size_t n_dy)
{
    const Group *unknown = &u->group[of], *known = &u->group[by];
    double *part = u->room;
    bool moves = false;
    for (size_t k = 0; k < n && !moves; k++)
        moves = seed[k] != 0;
    if (!moves)
        return;
    same_sizes(u, by, n);
    const unsigned *r = u->reference + unknown->own, *q = u->reference + known->own;
    check(u,
          u->version == 2 ? (int)u->f2.GetDirectionalDerivative(u->instance, r, unknown->n_own, q,
                                                                known->n_own, seed, part)
                          : (int)u->f3.GetDirectionalDerivative(u->instance, r, unknown->n_own, q,
                                                                known->n_own, seed, n, part, n_dy),
          "GetDirectionalDerivative", unknown->first, unknown->n);
    for (size_t k = 0; k < n_dy; k++)
        dy[k] += part[k];
}

void rung_fmu_slopes(void *unit, double t, const double *x, size_t n_x, int in, const double *input,
                     size_t n_inputs, int out, double count, double dt, const double *dx,
                     size_t n_dx, const double *du, size_t n_du, double *dy, size_t n_dy)
{
    FmiUnit *u = unit;
    is_at(u, count);
    same_sizes(u, (uint32_t)out, n_dy);
    for (size_t k = 0; k < n_dy; k++)
        dy[k] = 0;
    if (dt != 0) {
        const double step = 1e-7 * fmax(1, fabs(t));
        double *y = u->room;
        go_to(u, t + step, x, n_x, in, input, n_inputs);
        get(u, (uint32_t)out, dy);
        go_to(u, t, x, n_x, in, input, n_inputs);
        get(u, (uint32_t)out, y);
        for (size_t k = 0; k < n_dy; k++)
            dy[k] = (dy[k] - y[k]) / step * dt;
    }
    go_to(u, t, x, n_x, in, input, n_inputs);
    add_slopes(u, (uint32_t)out, FMI_UNIT_STATES, dx, n_dx, dy, n_dy);
    add_slopes(u, (uint32_t)out, (uint32_t)in, du, n_du, dy, n_dy);
}

void rung_fmu_factors(void *unit, double count, int out, const int *row, size_t n, const int *state,
                      size_t n_states, double *factor, size_t n_factors)
{
    FmiUnit *u = unit;
    const size_t size = u->n_states, n_values = u->group[out].n;
    double *seed = u->along, *dy = u->along + size;
    is_at(u, count);
    memset(factor, 0, n_factors * sizeof *factor);
    for (size_t i = 0; i < size && n == n_states && n == n_factors; i++) {
        bool is_used = false;
        for (size_t k = 0; k < n && !is_used; k++)
            is_used = (size_t)state[k] == i;
        if (!is_used)
            continue;
        memset(u->along, 0, (size + n_values) * sizeof *u->along);
        seed[i] = 1;
        add_slopes(u, (uint32_t)out, FMI_UNIT_STATES, seed, size, dy, n_values);
        for (size_t k = 0; k < n; k++)
            if ((size_t)state[k] == i)
                factor[k] = dy[row[k]];
    }
}

void rung_fmu_held(void *unit, int out, double count, double *y, size_t n_y)
{
    FmiUnit *u = unit;
    is_at(u, count);
    same_sizes(u, (uint32_t)out, n_y);
    get(u, (uint32_t)out, y);
}

double rung_fmu_asks(void *unit, double t, double count)
{
    const FmiUnit *u = unit;
    (void)count;
    return t >= u->asked;
}

static int completed(void *unit, double t)
{
    FmiUnit *u = unit;
    if (!u->is_started || u->has_failed || u->t != t)
        return 0;
    bool asks = false, quits = false;
    int status;
    if (u->version == 2) {
        fmi2Boolean event = 0, quit = 0;
        status = (int)u->f2.CompletedIntegratorStep(u->instance, 1, &event, &quit);
        asks = event;
        quits = quit;
    } else {
        status = (int)u->f3.CompletedIntegratorStep(u->instance, true, &asks, &quits);
    }
    if (status > fmi2Warning) {
        // the next call of the model tells
        u->has_failed = true;
        explain(u, "fmi%dCompletedIntegratorStep fails", u->version);
        return 0;
    }
    u->quits = u->quits || quits;
    if (!asks && !quits)
        return 0;
    u->asked = t;
    return 1;
}

void rung_fmu_event(void *unit, double t, double count, const double *x, size_t n_x,
                    const double *input, size_t n_inputs, const double *discrete, size_t n_discrete,
                    double *done, double *next, double *quit, double *x_new, size_t n_new)
{
    FmiUnit *u = unit;
    const Argument a[] = {{&t, 1}, {x, n_x}, {input, n_inputs}, {discrete, n_discrete}};
    enum { N = sizeof a / sizeof *a };
    *done = count;
    if (begin_change(u, t, count, N, a)) {
        memcpy(x_new, u->made, n_new * sizeof *x_new);
        *next = u->made[n_new];
        *quit = u->made[n_new + 1];
        return;
    }
    go_to(u, t, x, n_x, FMI_UNIT_INPUTS, input, n_inputs);
    same_sizes(u, FMI_UNIT_DISCRETE_INPUTS, n_discrete);
    // the step up to a state event is completed by it
    if (u->completes && u->asked > t)
        completed(u, t);
    if (u->has_failed)
        give_up(u);
    bool quits, changes;
    CALL(u, EnterEventMode, );
    set_changed(u, FMI_UNIT_DISCRETE_INPUTS, discrete);
    iterate_events(u, next, &quits, &changes);
    u->has_ended = quits;
    if (!quits)
        CALL(u, EnterContinuousTimeMode, );
    memcpy(x_new, x, n_x * sizeof *x);
    if (changes)
        take_states(u, x_new);
    *quit = quits || u->quits;
    u->asked = INFINITY;
    u->count = count;
    note_call(u, N, a);
    reserve(u, &u->made, &u->most_made, n_new + 2);
    note_made(u, n_new, x_new);
    u->made[n_new] = *next;
    u->made[n_new + 1] = *quit;
}

/* ------------------------------------------------------------------ co-simulation */

static void do_step(FmiUnit *u, double t, double *quit)
{
    double from = u->t;
    int status;
    if (u->version == 3) {
        bool event = false, ends = false, early = false;
        double reached = t;
        status =
            (int)u->f3.DoStep(u->instance, from, t - from, true, &event, &ends, &early, &reached);
        *quit = ends;
        if (status <= fmi3Warning && !ends && early && reached < t) {
            explain(u, "fmi3DoStep from there to t = %.9g ends at t = %.9g", t, reached);
            u->has_failed = true;
            give_up(u);
        }
    } else {
        fmi2Boolean ends = 0;
        status = (int)u->f2.DoStep(u->instance, from, t - from, 1);
        if (status == fmi2Discard &&
            u->f2.GetBooleanStatus(u->instance, fmi2Terminated, &ends) <= fmi2Warning && ends) {
            *quit = 1;
            *u->log = 0;
            return;
        }
    }
    if (status == fmi2Discard) {
        double reached = NAN;
        if (u->version == 2)
            u->f2.GetRealStatus(u->instance, fmi2LastSuccessfulTime, &reached);
        char until[60] = "";
        if (isfinite(reached))
            snprintf(until, sizeof until, ", done until t = %.9g", reached);
        explain(u,
                "fmi%dDoStep discards the step to t = %.9g%s; a smaller communicationStep may "
                "help",
                u->version, t, until);
        u->has_failed = true;
        give_up(u);
    }
    check(u, status, "DoStep", 0, 0);
}

void rung_fmu_step(void *unit, double t, double count, const double *input, size_t n_inputs,
                   int out, double *done, double *quit, double *y, size_t n_y)
{
    FmiUnit *u = unit;
    const Argument a[] = {{&t, 1}, {input, n_inputs}};
    enum { N = sizeof a / sizeof *a };
    *done = count;
    if (begin_change(u, u->t, count, N, a)) {
        memcpy(y, u->made, n_y * sizeof *y);
        *quit = u->made[n_y];
        return;
    }
    same_sizes(u, FMI_UNIT_INPUTS, n_inputs);
    same_sizes(u, (uint32_t)out, n_y);
    set_changed(u, FMI_UNIT_INPUTS, input);
    *quit = 0;
    if (t > u->t)
        do_step(u, t, quit);
    u->t = t;
    get(u, (uint32_t)out, y);
    u->count = count;
    note_call(u, N, a);
    reserve(u, &u->made, &u->most_made, n_y + 1);
    note_made(u, n_y, y);
    u->made[n_y] = *quit;
}
