/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi3.c -- the functions of FMI 3.0 (Functional Mock-up Interface, version 3.0.2, sections 2.2,
 * 3.2 and 4.2), as the standard's text defines them. Models have values of types Float64, Int32
 * (Integers), Int64 (enumerations) and Boolean; clocks and scheduled execution are refused.
 */
#include "fmi3_types.h"
#include "fmi_instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GNUC__
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

/* ------------------------------------------------------------------ messages, modes */

static void say(FmiInstance *it, FmiStatus status, const char *category, const char *text)
{
    fmi3LogMessageCallback log = (fmi3LogMessageCallback)it->logger;
    if (log && fmi_is_wanted(it, status, category))
        log(it->environment, (fmi3Status)status, category, text);
}

#define REQUIRE(modes, function)                                                                   \
    do {                                                                                           \
        if (!fmi_is_allowed(instance, (modes), "fmi3" function " is not allowed in this mode"))    \
            return fmi3Error;                                                                      \
    } while (0)

static fmi3Status refuse(fmi3Instance instance, const char *why)
{
    if (instance)
        say(instance, FMI_ERROR, "logStatusError", why);
    return fmi3Error;
}

/* ------------------------------------------------------------------ life */

EXPORT fmi3GetVersionTYPE fmi3GetVersion;
EXPORT const char *fmi3GetVersion(void)
{
    return "3.0";
}

EXPORT fmi3SetDebugLoggingTYPE fmi3SetDebugLogging;
EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t n,
                                      const fmi3String category[])
{
    REQUIRE(FMI_ANY_MODE, "SetDebugLogging");
    return (fmi3Status)fmi_set_logging(instance, on, n, category);
}

static FmiInstance *instantiate(bool cosimulation, fmi3String name, fmi3String token,
                                fmi3String resources, fmi3Boolean logging,
                                fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    const char *wrong;
    FmiInstance *it = fmi_new(cosimulation, name, token, say, &wrong);
    if (it && !fmi_place(it, resources)) {
        fmi_free(it);
        it = NULL;
        wrong = "out of memory";
    }
    if (!it) {
        if (log)
            log(environment, fmi3Error, "logStatusError", wrong);
        return NULL;
    }
    it->environment = environment;
    it->logger = (void (*)(void))log;
    fmi_set_logging(it, logging, 0, NULL);
    return it;
}

EXPORT fmi3InstantiateModelExchangeTYPE fmi3InstantiateModelExchange;
EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                 fmi3String resources, fmi3Boolean visible,
                                                 fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment,
                                                 fmi3LogMessageCallback log)
{
    (void)visible;
    return instantiate(false, name, token, resources, logging, environment, log);
}

/* Reports an internal step to the importer, which may end its own there. */
static void stepped(FmiInstance *it, double t, bool *now)
{
    fmi3IntermediateUpdateCallback tell = (fmi3IntermediateUpdateCallback)it->intermediate;
    fmi3Boolean shall_return = false;
    fmi3Float64 until = t;
    tell(it->environment, t, false, true, true, it->returns_early, &shall_return, &until);
    *now = *now || (shall_return && it->returns_early && until <= t);
}

EXPORT fmi3InstantiateCoSimulationTYPE fmi3InstantiateCoSimulation;
EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean uses_events, fmi3Boolean returns_early,
    const fmi3ValueReference required[], size_t n_required, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback intermediate)
{
    (void)visible;
    (void)required;
    (void)n_required;
    FmiInstance *it = instantiate(true, name, token, resources, logging, environment, log);
    if (!it)
        return NULL;
    it->uses_events = uses_events;
    it->returns_early = returns_early;
    it->intermediate = (void (*)(void))intermediate;
    it->stepped = intermediate ? stepped : NULL;
    return it;
}

EXPORT fmi3InstantiateScheduledExecutionTYPE fmi3InstantiateScheduledExecution;
EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock)
{
    (void)name;
    (void)token;
    (void)resources;
    (void)visible;
    (void)logging;
    (void)update;
    (void)lock;
    (void)unlock;
    if (log)
        log(environment, fmi3Error, "logStatusError", "the FMU has no scheduled execution");
    return NULL;
}

EXPORT fmi3FreeInstanceTYPE fmi3FreeInstance;
EXPORT void fmi3FreeInstance(fmi3Instance instance)
{
    fmi_free(instance);
}

EXPORT fmi3EnterInitializationModeTYPE fmi3EnterInitializationMode;
EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                              fmi3Float64 tolerance, fmi3Float64 start,
                                              fmi3Boolean has_stop, fmi3Float64 stop)
{
    REQUIRE(FMI_IN(FMI_INSTANTIATED), "EnterInitializationMode");
    FmiInstance *it = instance;
    FmiStatus status =
        fmi_set_experiment(it, has_tolerance ? tolerance : NAN, start, has_stop ? stop : NAN);
    if (!status)
        it->mode = FMI_INITIALIZATION;
    return (fmi3Status)status;
}

EXPORT fmi3ExitInitializationModeTYPE fmi3ExitInitializationMode;
EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    REQUIRE(FMI_IN(FMI_INITIALIZATION), "ExitInitializationMode");
    FmiInstance *it = instance;
    FmiStatus status = fmi_initialise(it);
    if (!status)
        it->mode = it->is_cosimulation && !it->uses_events ? FMI_STEP : FMI_EVENT;
    return (fmi3Status)status;
}

EXPORT fmi3EnterEventModeTYPE fmi3EnterEventMode;
EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    REQUIRE(FMI_DURING, "EnterEventMode");
    FmiInstance *it = instance;
    if (it->is_cosimulation && !it->uses_events)
        return refuse(it, "the importer has said that it does not use event mode");
    it->mode = FMI_EVENT;
    return fmi3OK;
}

EXPORT fmi3TerminateTYPE fmi3Terminate;
EXPORT fmi3Status fmi3Terminate(fmi3Instance instance)
{
    REQUIRE(FMI_DURING, "Terminate");
    FmiInstance *it = instance;
    const FmiStatus status = fmi_terminate(it);
    it->mode = status ? it->mode : FMI_TERMINATED;
    return (fmi3Status)status;
}

EXPORT fmi3ResetTYPE fmi3Reset;
EXPORT fmi3Status fmi3Reset(fmi3Instance instance)
{
    REQUIRE(FMI_ANY_MODE, "Reset");
    return (fmi3Status)fmi_reset(instance);
}

/* ------------------------------------------------------------------ values */

/* The elements of all values in turn: value number r[*k], element *i. False at the end. */
static bool next(const fmi3ValueReference r[], size_t n, size_t *k, uint32_t *i)
{
    if (++*i >= fmi_size(r[*k])) {
        *i = 0;
        ++*k;
    }
    return *k < n;
}

/* How many elements there are. */
static size_t elements(const fmi3ValueReference r[], size_t n)
{
    size_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += fmi_size(r[k]);
    return sum;
}

static fmi3Status wrong_number(fmi3Instance instance)
{
    return refuse(instance, "the number of values is not that of the elements of the variables");
}

/* A function that gets and one that sets for each type of the standard, alike but for the type. */
#define GET(Type)                                                                                  \
    EXPORT fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference r[], size_t n, \
                                    fmi3##Type value[], size_t n_values)
#define SET(Type)                                                                                  \
    EXPORT fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference r[], size_t n, \
                                    const fmi3##Type value[], size_t n_values)

/* No variable of the model is of this type. */
#define ABSENT(Type)                                                                               \
    EXPORT fmi3Get##Type##TYPE fmi3Get##Type;                                                      \
    GET(Type)                                                                                      \
    {                                                                                              \
        (void)r, (void)value;                                                                      \
        return n || n_values ? refuse(instance, "the model has no variables of type " #Type)       \
                             : fmi3OK;                                                             \
    }                                                                                              \
    EXPORT fmi3Set##Type##TYPE fmi3Set##Type;                                                      \
    SET(Type)                                                                                      \
    {                                                                                              \
        (void)r, (void)value;                                                                      \
        return n || n_values ? refuse(instance, "the model has no variables of type " #Type)       \
                             : fmi3OK;                                                             \
    }

/* Gets variables of these types of the model, converted from the number `element` by `as`. */
#define PRESENT(Type, types, as)                                                                   \
    EXPORT fmi3Get##Type##TYPE fmi3Get##Type;                                                      \
    GET(Type)                                                                                      \
    {                                                                                              \
        REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "Get" #Type);                                 \
        if (n_values != elements(r, n))                                                            \
            return wrong_number(instance);                                                         \
        FmiStatus status = FMI_OK;                                                                 \
        size_t k = 0, to = 0;                                                                      \
        uint32_t i = 0;                                                                            \
        for (bool more = n > 0; more && status <= FMI_WARNING; more = next(r, n, &k, &i)) {        \
            double element = 0;                                                                    \
            status = fmi_get(instance, (types), r[k] + i, &element);                               \
            value[to++] = as;                                                                      \
        }                                                                                          \
        return (fmi3Status)status;                                                                 \
    }                                                                                              \
    EXPORT fmi3Set##Type##TYPE fmi3Set##Type;                                                      \
    SET(Type)                                                                                      \
    {                                                                                              \
        REQUIRE(FMI_BEFORE | FMI_DURING, "Set" #Type);                                             \
        if (n_values != elements(r, n))                                                            \
            return wrong_number(instance);                                                         \
        FmiStatus status = FMI_OK;                                                                 \
        size_t k = 0, from = 0;                                                                    \
        uint32_t i = 0;                                                                            \
        for (bool more = n > 0; more && status <= FMI_WARNING; more = next(r, n, &k, &i))          \
            status = fmi_set(instance, (types), r[k] + i, (double)value[from++]);                  \
        return (fmi3Status)status;                                                                 \
    }

ABSENT(Float32)
PRESENT(Float64, FMI_TYPE(FMI_REAL), element)
ABSENT(Int8)
ABSENT(UInt8)
ABSENT(Int16)
ABSENT(UInt16)
PRESENT(Int32, FMI_TYPE(FMI_INTEGER), (fmi3Int32)element)
ABSENT(UInt32)
PRESENT(Int64, FMI_TYPE(FMI_ENUMERATION) | FMI_TYPE(FMI_INTEGER), (fmi3Int64)element)
ABSENT(UInt64)
PRESENT(Boolean, FMI_TYPE(FMI_BOOLEAN), element != 0)

EXPORT fmi3GetStringTYPE fmi3GetString;
GET(String)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetString");
    if (n_values != elements(r, n))
        return wrong_number(instance);
    FmiStatus status = FMI_OK;
    size_t k = 0, to = 0;
    uint32_t i = 0;
    for (bool more = n > 0; more && status == FMI_OK; more = next(r, n, &k, &i))
        status = fmi_get_text(instance, r[k] + i, &value[to++]);
    return (fmi3Status)status;
}

EXPORT fmi3SetStringTYPE fmi3SetString;
SET(String)
{
    REQUIRE(FMI_BEFORE | FMI_DURING, "SetString");
    if (n_values != elements(r, n))
        return wrong_number(instance);
    FmiStatus status = FMI_OK;
    size_t k = 0, from = 0;
    uint32_t i = 0;
    for (bool more = n > 0; more && status == FMI_OK; more = next(r, n, &k, &i))
        status = fmi_set_text(instance, r[k] + i, value[from++]);
    return (fmi3Status)status;
}

EXPORT fmi3GetBinaryTYPE fmi3GetBinary;
EXPORT fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                                size_t size[], fmi3Binary value[], size_t n_values)
{
    (void)r;
    (void)size;
    (void)value;
    return n || n_values ? refuse(instance, "the model has no variables of type Binary") : fmi3OK;
}

EXPORT fmi3SetBinaryTYPE fmi3SetBinary;
EXPORT fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                                const size_t size[], const fmi3Binary value[], size_t n_values)
{
    (void)r;
    (void)size;
    (void)value;
    return n || n_values ? refuse(instance, "the model has no variables of type Binary") : fmi3OK;
}

EXPORT fmi3GetClockTYPE fmi3GetClock;
EXPORT fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                               fmi3Clock value[])
{
    (void)r;
    (void)value;
    return n ? refuse(instance, "the model has no clocks") : fmi3OK;
}

EXPORT fmi3SetClockTYPE fmi3SetClock;
EXPORT fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                               const fmi3Clock value[])
{
    (void)r;
    (void)value;
    return n ? refuse(instance, "the model has no clocks") : fmi3OK;
}

EXPORT fmi3GetNumberOfVariableDependenciesTYPE fmi3GetNumberOfVariableDependencies;
EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference r,
                                                      size_t *n)
{
    (void)r;
    *n = 0;
    return refuse(instance, "there are no dependencies per element");
}

EXPORT fmi3GetVariableDependenciesTYPE fmi3GetVariableDependencies;
EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference r,
                                              size_t element[], fmi3ValueReference known[],
                                              size_t element_of_known[], fmi3DependencyKind kind[],
                                              size_t n)
{
    (void)r;
    (void)element;
    (void)known;
    (void)element_of_known;
    (void)kind;
    (void)n;
    return refuse(instance, "there are no dependencies per element");
}

/* ------------------------------------------------------------------ states of an instance */

EXPORT fmi3GetFMUStateTYPE fmi3GetFMUState;
EXPORT fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *state)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetFMUState");
    return (fmi3Status)fmi_state_get(instance, (FmiState **)state);
}

EXPORT fmi3SetFMUStateTYPE fmi3SetFMUState;
EXPORT fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state)
{
    REQUIRE(FMI_ANY_MODE, "SetFMUState");
    return (fmi3Status)fmi_state_set(instance, state);
}

EXPORT fmi3FreeFMUStateTYPE fmi3FreeFMUState;
EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *state)
{
    REQUIRE(FMI_ANY_MODE, "FreeFMUState");
    fmi_state_free((FmiState **)state);
    return fmi3OK;
}

EXPORT fmi3SerializedFMUStateSizeTYPE fmi3SerializedFMUStateSize;
EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state,
                                             size_t *size)
{
    REQUIRE(FMI_ANY_MODE, "SerializedFMUStateSize");
    *size = fmi_state_size(state);
    return fmi3OK;
}

EXPORT fmi3SerializeFMUStateTYPE fmi3SerializeFMUState;
EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                        size_t size)
{
    REQUIRE(FMI_ANY_MODE, "SerializeFMUState");
    return (fmi3Status)fmi_state_write(instance, state, bytes, size);
}

EXPORT fmi3DeserializeFMUStateTYPE fmi3DeserializeFMUState;
EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[],
                                          size_t size, fmi3FMUState *state)
{
    REQUIRE(FMI_ANY_MODE, "DeserializeFMUState");
    return (fmi3Status)fmi_state_read(instance, bytes, size, (FmiState **)state);
}

/* ------------------------------------------------------------------ derivatives of values */

/* References of all elements of n values; NULL when out of memory. */
static uint32_t *references(const fmi3ValueReference r[], size_t n)
{
    size_t room = elements(r, n), to = 0, k = 0;
    uint32_t *out = malloc((room + 1) * sizeof *out), i = 0;
    for (bool more = out && n > 0; more; more = next(r, n, &k, &i))
        out[to++] = r[k] + i;
    return out;
}

static fmi3Status derive(fmi3Instance instance, bool adjoint, const fmi3ValueReference unknown[],
                         size_t n_unknown, const fmi3ValueReference known[], size_t n_known,
                         const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                         size_t n_sensitivity)
{
    size_t unknowns = elements(unknown, n_unknown), knowns = elements(known, n_known);
    if (n_seed != (adjoint ? unknowns : knowns) || n_sensitivity != (adjoint ? knowns : unknowns))
        return wrong_number(instance);
    uint32_t *u = references(unknown, n_unknown), *v = references(known, n_known);
    FmiStatus status = FMI_ERROR;
    if (u && v)
        status = fmi_sensitivity(instance, adjoint, u, unknowns, v, knowns, seed, sensitivity);
    free(u);
    free(v);
    return (fmi3Status)status;
}

EXPORT fmi3GetDirectionalDerivativeTYPE fmi3GetDirectionalDerivative;
EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance,
                                               const fmi3ValueReference unknown[], size_t n_unknown,
                                               const fmi3ValueReference known[], size_t n_known,
                                               const fmi3Float64 seed[], size_t n_seed,
                                               fmi3Float64 sensitivity[], size_t n_sensitivity)
{
    REQUIRE(FMI_IN(FMI_INITIALIZATION) | FMI_DURING, "GetDirectionalDerivative");
    return derive(instance, false, unknown, n_unknown, known, n_known, seed, n_seed, sensitivity,
                  n_sensitivity);
}

EXPORT fmi3GetAdjointDerivativeTYPE fmi3GetAdjointDerivative;
EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance,
                                           const fmi3ValueReference unknown[], size_t n_unknown,
                                           const fmi3ValueReference known[], size_t n_known,
                                           const fmi3Float64 seed[], size_t n_seed,
                                           fmi3Float64 sensitivity[], size_t n_sensitivity)
{
    REQUIRE(FMI_IN(FMI_INITIALIZATION) | FMI_DURING, "GetAdjointDerivative");
    return derive(instance, true, unknown, n_unknown, known, n_known, seed, n_seed, sensitivity,
                  n_sensitivity);
}

/* ------------------------------------------------------------------ configuration, clocks,
 * scheduled execution */

EXPORT fmi3EnterConfigurationModeTYPE fmi3EnterConfigurationMode;
EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    return refuse(instance, "the model has no structural parameters that could be changed");
}

EXPORT fmi3ExitConfigurationModeTYPE fmi3ExitConfigurationMode;
EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    return refuse(instance, "the model has no structural parameters that could be changed");
}

EXPORT fmi3GetIntervalDecimalTYPE fmi3GetIntervalDecimal;
EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference r[],
                                         size_t n, fmi3Float64 interval[],
                                         fmi3IntervalQualifier qualifier[])
{
    (void)r;
    (void)n;
    (void)interval;
    (void)qualifier;
    return refuse(instance, "the model has no clocks");
}

EXPORT fmi3GetIntervalFractionTYPE fmi3GetIntervalFraction;
EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference r[],
                                          size_t n, fmi3UInt64 counter[], fmi3UInt64 resolution[],
                                          fmi3IntervalQualifier qualifier[])
{
    (void)r;
    (void)n;
    (void)counter;
    (void)resolution;
    (void)qualifier;
    return refuse(instance, "the model has no clocks");
}

EXPORT fmi3GetShiftDecimalTYPE fmi3GetShiftDecimal;
EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                                      fmi3Float64 shift[])
{
    (void)r;
    (void)n;
    (void)shift;
    return refuse(instance, "the model has no clocks");
}

EXPORT fmi3GetShiftFractionTYPE fmi3GetShiftFraction;
EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference r[],
                                       size_t n, fmi3UInt64 counter[], fmi3UInt64 resolution[])
{
    (void)r;
    (void)n;
    (void)counter;
    (void)resolution;
    return refuse(instance, "the model has no clocks");
}

EXPORT fmi3SetIntervalDecimalTYPE fmi3SetIntervalDecimal;
EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference r[],
                                         size_t n, const fmi3Float64 interval[])
{
    (void)r;
    (void)n;
    (void)interval;
    return refuse(instance, "the model has no clocks");
}

EXPORT fmi3SetIntervalFractionTYPE fmi3SetIntervalFraction;
EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference r[],
                                          size_t n, const fmi3UInt64 counter[],
                                          const fmi3UInt64 resolution[])
{
    (void)r;
    (void)n;
    (void)counter;
    (void)resolution;
    return refuse(instance, "the model has no clocks");
}

EXPORT fmi3SetShiftDecimalTYPE fmi3SetShiftDecimal;
EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                                      const fmi3Float64 shift[])
{
    (void)r;
    (void)n;
    (void)shift;
    return refuse(instance, "the model has no clocks");
}

EXPORT fmi3SetShiftFractionTYPE fmi3SetShiftFraction;
EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference r[],
                                       size_t n, const fmi3UInt64 counter[],
                                       const fmi3UInt64 resolution[])
{
    (void)r;
    (void)n;
    (void)counter;
    (void)resolution;
    return refuse(instance, "the model has no clocks");
}

EXPORT fmi3ActivateModelPartitionTYPE fmi3ActivateModelPartition;
EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock,
                                             fmi3Float64 t)
{
    (void)clock;
    (void)t;
    return refuse(instance, "the FMU has no scheduled execution");
}

/* ------------------------------------------------------------------ events */

EXPORT fmi3EvaluateDiscreteStatesTYPE fmi3EvaluateDiscreteStates;
EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    REQUIRE(FMI_IN(FMI_INITIALIZATION) | FMI_IN(FMI_EVENT), "EvaluateDiscreteStates");
    return fmi3OK;
}

EXPORT fmi3UpdateDiscreteStatesTYPE fmi3UpdateDiscreteStates;
EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *again,
                                           fmi3Boolean *terminate, fmi3Boolean *nominals_changed,
                                           fmi3Boolean *states_changed, fmi3Boolean *has_next_time,
                                           fmi3Float64 *next_time)
{
    REQUIRE(FMI_IN(FMI_EVENT), "UpdateDiscreteStates");
    FmiEvent e = {0};
    FmiStatus status = fmi_handle_event(instance, &e);
    if (status)
        return (fmi3Status)status;
    *again = false;
    *terminate = e.terminate;
    *nominals_changed = false;
    *states_changed = e.states_changed;
    *has_next_time = isfinite(e.next_time);
    *next_time = *has_next_time ? e.next_time : 0;
    return fmi3OK;
}

/* ------------------------------------------------------------------ model exchange */

EXPORT fmi3EnterContinuousTimeModeTYPE fmi3EnterContinuousTimeMode;
EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    REQUIRE(FMI_IN(FMI_EVENT), "EnterContinuousTimeMode");
    FmiInstance *it = instance;
    if (it->is_cosimulation)
        return refuse(it, "co-simulation has a step mode, no continuous-time mode");
    it->mode = FMI_CONTINUOUS;
    return fmi3OK;
}

EXPORT fmi3CompletedIntegratorStepTYPE fmi3CompletedIntegratorStep;
EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean no_earlier_state,
                                              fmi3Boolean *enter_event_mode, fmi3Boolean *terminate)
{
    REQUIRE(FMI_IN(FMI_CONTINUOUS), "CompletedIntegratorStep");
    (void)no_earlier_state;
    *terminate = false;
    return (fmi3Status)fmi_completed_step(instance, enter_event_mode);
}

EXPORT fmi3SetTimeTYPE fmi3SetTime;
EXPORT fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time)
{
    REQUIRE(FMI_IN(FMI_CONTINUOUS), "SetTime");
    return (fmi3Status)fmi_set_time(instance, time);
}

EXPORT fmi3SetContinuousStatesTYPE fmi3SetContinuousStates;
EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 x[], size_t n)
{
    REQUIRE(FMI_IN(FMI_CONTINUOUS), "SetContinuousStates");
    return (fmi3Status)fmi_set_states(instance, x, n);
}

EXPORT fmi3GetContinuousStateDerivativesTYPE fmi3GetContinuousStateDerivatives;
EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance,
                                                    fmi3Float64 derivatives[], size_t n)
{
    REQUIRE(FMI_IN(FMI_INITIALIZATION) | FMI_DURING | FMI_ENDED, "GetContinuousStateDerivatives");
    return (fmi3Status)fmi_derivatives(instance, derivatives, n);
}

EXPORT fmi3GetEventIndicatorsTYPE fmi3GetEventIndicators;
EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 z[], size_t n)
{
    REQUIRE(FMI_IN(FMI_INITIALIZATION) | FMI_DURING | FMI_ENDED, "GetEventIndicators");
    return (fmi3Status)fmi_indicators(instance, z, n);
}

EXPORT fmi3GetContinuousStatesTYPE fmi3GetContinuousStates;
EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 x[], size_t n)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetContinuousStates");
    return (fmi3Status)fmi_states(instance, x, n);
}

EXPORT fmi3GetNominalsOfContinuousStatesTYPE fmi3GetNominalsOfContinuousStates;
EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominal[],
                                                    size_t n)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetNominalsOfContinuousStates");
    return (fmi3Status)fmi_nominals(instance, nominal, n);
}

EXPORT fmi3GetNumberOfEventIndicatorsTYPE fmi3GetNumberOfEventIndicators;
EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *n)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetNumberOfEventIndicators");
    *n = rung_n_indicators(((FmiInstance *)instance)->model);
    return fmi3OK;
}

EXPORT fmi3GetNumberOfContinuousStatesTYPE fmi3GetNumberOfContinuousStates;
EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *n)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetNumberOfContinuousStates");
    *n = ((FmiInstance *)instance)->model->n_states;
    return fmi3OK;
}

/* ------------------------------------------------------------------ co-simulation */

EXPORT fmi3EnterStepModeTYPE fmi3EnterStepMode;
EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    REQUIRE(FMI_IN(FMI_EVENT), "EnterStepMode");
    FmiInstance *it = instance;
    if (!it->is_cosimulation)
        return refuse(it, "model exchange has no step mode");
    it->mode = FMI_STEP;
    return fmi3OK;
}

EXPORT fmi3GetOutputDerivativesTYPE fmi3GetOutputDerivatives;
EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference r[],
                                           size_t n, const fmi3Int32 order[], fmi3Float64 value[],
                                           size_t n_values)
{
    REQUIRE(FMI_IN(FMI_STEP) | FMI_ENDED, "GetOutputDerivatives");
    if (n_values != elements(r, n))
        return wrong_number(instance);
    uint32_t *all = references(r, n), i = 0;
    int *orders = malloc((n_values + 1) * sizeof *orders);
    size_t k = 0, to = 0;
    for (bool more = orders && n > 0; more; more = next(r, n, &k, &i))
        orders[to++] = order[k];
    FmiStatus status = FMI_ERROR;
    if (all && orders)
        status = fmi_output_rates(instance, all, orders, n_values, value);
    free(all);
    free(orders);
    return (fmi3Status)status;
}

EXPORT fmi3DoStepTYPE fmi3DoStep;
EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h,
                             fmi3Boolean no_earlier_state, fmi3Boolean *event,
                             fmi3Boolean *terminate, fmi3Boolean *early_return,
                             fmi3Float64 *reached)
{
    REQUIRE(FMI_IN(FMI_STEP), "DoStep");
    FmiInstance *it = instance;
    (void)no_earlier_state;
    *event = *terminate = *early_return = false;
    FmiStatus status = fmi_step(it, t, h, reached, event);
    *terminate = it->events.is_over;
    *early_return = *reached < t + h && !*terminate;
    return (fmi3Status)status;
}
