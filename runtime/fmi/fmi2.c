/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi2.c -- the functions of FMI 2.0 (Functional Mock-up Interface, version 2.0.5, sections 2.1,
 * 3.2 and 4.2), as the standard's text defines them.
 */
#include "fmi2_types.h"
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
    const fmi2CallbackFunctions *f = it->environment;
    if (f && f->logger && fmi_is_wanted(it, status, category))
        f->logger(f->environment, it->name, (fmi2Status)status, category, "%s", text);
}

#define REQUIRE(modes, function)                                                                   \
    do {                                                                                           \
        if (!fmi_is_allowed(c, (modes), "fmi2" function " is not allowed in this mode"))           \
            return fmi2Error;                                                                      \
    } while (0)

/* ------------------------------------------------------------------ life */

EXPORT fmi2GetTypesPlatformTYPE fmi2GetTypesPlatform;
EXPORT const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

EXPORT fmi2GetVersionTYPE fmi2GetVersion;
EXPORT const char *fmi2GetVersion(void)
{
    return "2.0";
}

EXPORT fmi2SetDebugLoggingTYPE fmi2SetDebugLogging;
EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                                      const fmi2String category[])
{
    REQUIRE(FMI_ANY_MODE, "SetDebugLogging");
    return (fmi2Status)fmi_set_logging(c, on, n, category);
}

EXPORT fmi2InstantiateTYPE fmi2Instantiate;
EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token,
                                     fmi2String resources, const fmi2CallbackFunctions *callback,
                                     fmi2Boolean visible, fmi2Boolean logging)
{
    (void)visible;
    const char *wrong = "there is no such type of FMU";
    FmiInstance *it = NULL;
    if (type == fmi2ModelExchange || type == fmi2CoSimulation)
        it = fmi_new(type == fmi2CoSimulation, name, token, say, &wrong);
    if (it && !fmi_place(it, resources)) {
        fmi_free(it);
        it = NULL;
        wrong = "out of memory";
    }
    if (!it) {
        if (callback && callback->logger)
            callback->logger(callback->environment, name, fmi2Error, "logStatusError", "%s", wrong);
        return NULL;
    }
    it->environment = (void *)callback;
    fmi_set_logging(it, logging, 0, NULL);
    return it;
}

EXPORT fmi2FreeInstanceTYPE fmi2FreeInstance;
EXPORT void fmi2FreeInstance(fmi2Component c)
{
    fmi_free(c);
}

EXPORT fmi2ResetTYPE fmi2Reset;
EXPORT fmi2Status fmi2Reset(fmi2Component c)
{
    REQUIRE(FMI_ANY_MODE | FMI_IN(FMI_FAILED), "Reset");
    return (fmi2Status)fmi_reset(c);
}

EXPORT fmi2SetupExperimentTYPE fmi2SetupExperiment;
EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance,
                                      fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                                      fmi2Real stop)
{
    REQUIRE(FMI_IN(FMI_INSTANTIATED), "SetupExperiment");
    return (fmi2Status)fmi_set_experiment(c, has_tolerance ? tolerance : NAN, start,
                                          has_stop ? stop : NAN);
}

EXPORT fmi2EnterInitializationModeTYPE fmi2EnterInitializationMode;
EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    REQUIRE(FMI_IN(FMI_INSTANTIATED), "EnterInitializationMode");
    FmiInstance *it = c;
    it->mode = FMI_INITIALIZATION;
    return fmi2OK;
}

EXPORT fmi2ExitInitializationModeTYPE fmi2ExitInitializationMode;
EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    REQUIRE(FMI_IN(FMI_INITIALIZATION), "ExitInitializationMode");
    FmiInstance *it = c;
    FmiStatus status = fmi_initialise(it);
    if (!status)
        it->mode = it->is_cosimulation ? FMI_STEP : FMI_EVENT;
    return (fmi2Status)status;
}

EXPORT fmi2TerminateTYPE fmi2Terminate;
EXPORT fmi2Status fmi2Terminate(fmi2Component c)
{
    REQUIRE(FMI_DURING, "Terminate");
    FmiInstance *it = c;
    const FmiStatus status = fmi_terminate(it);
    it->mode = status ? it->mode : FMI_TERMINATED;
    return (fmi2Status)status;
}

/* ------------------------------------------------------------------ values */

static FmiStatus get(fmi2Component c, unsigned types, const fmi2ValueReference r[], size_t n,
                     double *real, int *integer)
{
    FmiStatus worst = FMI_OK;
    for (size_t k = 0; k < n && worst < FMI_ERROR; k++) {
        double value = 0;
        FmiStatus status = fmi_get(c, types, r[k], &value);
        worst = status > worst ? status : worst;
        if (real)
            real[k] = value;
        else
            integer[k] = (int)value;
    }
    return worst;
}

static FmiStatus set(fmi2Component c, unsigned types, const fmi2ValueReference r[], size_t n,
                     const double *real, const int *integer)
{
    FmiStatus worst = FMI_OK;
    for (size_t k = 0; k < n && worst < FMI_ERROR; k++) {
        FmiStatus status = fmi_set(c, types, r[k], real ? real[k] : integer[k]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

static const unsigned WHOLE = FMI_TYPE(FMI_INTEGER) | FMI_TYPE(FMI_ENUMERATION);

EXPORT fmi2GetRealTYPE fmi2GetReal;
EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                              fmi2Real value[])
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetReal");
    return (fmi2Status)get(c, FMI_TYPE(FMI_REAL), r, n, value, NULL);
}

EXPORT fmi2GetIntegerTYPE fmi2GetInteger;
EXPORT fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                 fmi2Integer value[])
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetInteger");
    return (fmi2Status)get(c, WHOLE, r, n, NULL, value);
}

EXPORT fmi2GetBooleanTYPE fmi2GetBoolean;
EXPORT fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                 fmi2Boolean value[])
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetBoolean");
    return (fmi2Status)get(c, FMI_TYPE(FMI_BOOLEAN), r, n, NULL, value);
}

EXPORT fmi2GetStringTYPE fmi2GetString;
EXPORT fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                fmi2String value[])
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetString");
    FmiStatus status = FMI_OK;
    for (size_t k = 0; k < n && status == FMI_OK; k++)
        status = fmi_get_text(c, r[k], &value[k]);
    return (fmi2Status)status;
}

EXPORT fmi2SetRealTYPE fmi2SetReal;
EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                              const fmi2Real value[])
{
    REQUIRE(FMI_BEFORE | FMI_DURING, "SetReal");
    return (fmi2Status)set(c, FMI_TYPE(FMI_REAL), r, n, value, NULL);
}

EXPORT fmi2SetIntegerTYPE fmi2SetInteger;
EXPORT fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                 const fmi2Integer value[])
{
    REQUIRE(FMI_BEFORE | FMI_DURING, "SetInteger");
    return (fmi2Status)set(c, WHOLE, r, n, NULL, value);
}

EXPORT fmi2SetBooleanTYPE fmi2SetBoolean;
EXPORT fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                 const fmi2Boolean value[])
{
    REQUIRE(FMI_BEFORE | FMI_DURING, "SetBoolean");
    FmiStatus worst = FMI_OK;
    for (size_t k = 0; k < n && worst < FMI_ERROR; k++) {
        FmiStatus status = fmi_set(c, FMI_TYPE(FMI_BOOLEAN), r[k], value[k] != 0);
        worst = status > worst ? status : worst;
    }
    return (fmi2Status)worst;
}

EXPORT fmi2SetStringTYPE fmi2SetString;
EXPORT fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                const fmi2String value[])
{
    REQUIRE(FMI_BEFORE | FMI_DURING, "SetString");
    FmiStatus status = FMI_OK;
    for (size_t k = 0; k < n && status == FMI_OK; k++)
        status = fmi_set_text(c, r[k], value[k]);
    return (fmi2Status)status;
}

/* ------------------------------------------------------------------ states of an instance */

EXPORT fmi2GetFMUstateTYPE fmi2GetFMUstate;
EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetFMUstate");
    return (fmi2Status)fmi_state_get(c, (FmiState **)state);
}

EXPORT fmi2SetFMUstateTYPE fmi2SetFMUstate;
EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    REQUIRE(FMI_ANY_MODE, "SetFMUstate");
    return (fmi2Status)fmi_state_set(c, state);
}

EXPORT fmi2FreeFMUstateTYPE fmi2FreeFMUstate;
EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    REQUIRE(FMI_ANY_MODE, "FreeFMUstate");
    fmi_state_free((FmiState **)state);
    return fmi2OK;
}

EXPORT fmi2SerializedFMUstateSizeTYPE fmi2SerializedFMUstateSize;
EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    REQUIRE(FMI_ANY_MODE, "SerializedFMUstateSize");
    *size = fmi_state_size(state);
    return fmi2OK;
}

EXPORT fmi2SerializeFMUstateTYPE fmi2SerializeFMUstate;
EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                        size_t size)
{
    REQUIRE(FMI_ANY_MODE, "SerializeFMUstate");
    return (fmi2Status)fmi_state_write(c, state, bytes, size);
}

EXPORT fmi2DeSerializeFMUstateTYPE fmi2DeSerializeFMUstate;
EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                          fmi2FMUstate *state)
{
    REQUIRE(FMI_ANY_MODE, "DeSerializeFMUstate");
    return (fmi2Status)fmi_state_read(c, bytes, size, (FmiState **)state);
}

/* ------------------------------------------------------------------ derivatives of values */

EXPORT fmi2GetDirectionalDerivativeTYPE fmi2GetDirectionalDerivative;
EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                               size_t n_unknown, const fmi2ValueReference known[],
                                               size_t n_known, const fmi2Real seed[],
                                               fmi2Real sensitivity[])
{
    REQUIRE(FMI_IN(FMI_INITIALIZATION) | FMI_DURING, "GetDirectionalDerivative");
    return (fmi2Status)fmi_sensitivity(c, false, unknown, n_unknown, known, n_known, seed,
                                       sensitivity);
}

/* ------------------------------------------------------------------ model exchange */

EXPORT fmi2EnterEventModeTYPE fmi2EnterEventMode;
EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    REQUIRE(FMI_IN(FMI_CONTINUOUS) | FMI_IN(FMI_EVENT), "EnterEventMode");
    FmiInstance *it = c;
    it->mode = FMI_EVENT;
    return fmi2OK;
}

EXPORT fmi2NewDiscreteStatesTYPE fmi2NewDiscreteStates;
EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    REQUIRE(FMI_IN(FMI_EVENT), "NewDiscreteStates");
    FmiEvent e = {0};
    FmiStatus status = fmi_handle_event(c, &e);
    if (status)
        return (fmi2Status)status;
    *info = (fmi2EventInfo){.terminateSimulation = e.terminate,
                            .valuesOfContinuousStatesChanged = e.states_changed,
                            .nextEventTimeDefined = isfinite(e.next_time),
                            .nextEventTime = isfinite(e.next_time) ? e.next_time : 0};
    return fmi2OK;
}

EXPORT fmi2EnterContinuousTimeModeTYPE fmi2EnterContinuousTimeMode;
EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    REQUIRE(FMI_IN(FMI_EVENT), "EnterContinuousTimeMode");
    FmiInstance *it = c;
    it->mode = FMI_CONTINUOUS;
    return fmi2OK;
}

EXPORT fmi2CompletedIntegratorStepTYPE fmi2CompletedIntegratorStep;
EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_earlier_state,
                                              fmi2Boolean *enter_event_mode, fmi2Boolean *terminate)
{
    REQUIRE(FMI_IN(FMI_CONTINUOUS), "CompletedIntegratorStep");
    (void)no_earlier_state;
    bool enter = false;
    FmiStatus status = fmi_completed_step(c, &enter);
    *enter_event_mode = enter;
    *terminate = 0;
    return (fmi2Status)status;
}

EXPORT fmi2SetTimeTYPE fmi2SetTime;
EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    REQUIRE(FMI_IN(FMI_CONTINUOUS) | FMI_IN(FMI_EVENT), "SetTime");
    return (fmi2Status)fmi_set_time(c, time);
}

EXPORT fmi2SetContinuousStatesTYPE fmi2SetContinuousStates;
EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n)
{
    REQUIRE(FMI_IN(FMI_CONTINUOUS) | FMI_IN(FMI_EVENT), "SetContinuousStates");
    return (fmi2Status)fmi_set_states(c, x, n);
}

EXPORT fmi2GetDerivativesTYPE fmi2GetDerivatives;
EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t n)
{
    REQUIRE(FMI_DURING | FMI_ENDED, "GetDerivatives");
    return (fmi2Status)fmi_derivatives(c, derivatives, n);
}

EXPORT fmi2GetEventIndicatorsTYPE fmi2GetEventIndicators;
EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n)
{
    REQUIRE(FMI_DURING | FMI_ENDED, "GetEventIndicators");
    return (fmi2Status)fmi_indicators(c, z, n);
}

EXPORT fmi2GetContinuousStatesTYPE fmi2GetContinuousStates;
EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetContinuousStates");
    return (fmi2Status)fmi_states(c, x, n);
}

EXPORT fmi2GetNominalsOfContinuousStatesTYPE fmi2GetNominalsOfContinuousStates;
EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominal[], size_t n)
{
    REQUIRE(FMI_BEFORE | FMI_DURING | FMI_ENDED, "GetNominalsOfContinuousStates");
    return (fmi2Status)fmi_nominals(c, nominal, n);
}

/* ------------------------------------------------------------------ co-simulation */

EXPORT fmi2SetRealInputDerivativesTYPE fmi2SetRealInputDerivatives;
EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[],
                                              size_t n, const fmi2Integer order[],
                                              const fmi2Real value[])
{
    REQUIRE(FMI_BEFORE | FMI_IN(FMI_STEP), "SetRealInputDerivatives");
    FmiStatus status = FMI_OK;
    for (size_t k = 0; k < n && !status; k++)
        status = fmi_set_input_rate(c, r[k], order[k], value[k]);
    return (fmi2Status)status;
}

EXPORT fmi2GetRealOutputDerivativesTYPE fmi2GetRealOutputDerivatives;
EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[],
                                               size_t n, const fmi2Integer order[],
                                               fmi2Real value[])
{
    REQUIRE(FMI_IN(FMI_STEP) | FMI_ENDED, "GetRealOutputDerivatives");
    return (fmi2Status)fmi_output_rates(c, r, order, n, value);
}

EXPORT fmi2DoStepTYPE fmi2DoStep;
EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_earlier_state)
{
    REQUIRE(FMI_IN(FMI_STEP), "DoStep");
    FmiInstance *it = c;
    (void)no_earlier_state;
    double reached;
    bool event;
    FmiStatus status = fmi_step(it, t, h, &reached, &event);
    // the model has ended the run: fmi2GetBooleanStatus returns true
    return !status && it->events.is_over ? fmi2Discard : (fmi2Status)status;
}

EXPORT fmi2CancelStepTYPE fmi2CancelStep;
EXPORT fmi2Status fmi2CancelStep(fmi2Component c)
{
    if (c)
        say(c, FMI_ERROR, "logStatusError", "steps do not run asynchronously");
    return fmi2Error;
}

EXPORT fmi2GetStatusTYPE fmi2GetStatus;
EXPORT fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status *value)
{
    REQUIRE(FMI_IN(FMI_STEP) | FMI_ENDED, "GetStatus");
    if (s != fmi2DoStepStatus)
        return fmi2Discard;
    *value = fmi2OK;
    return fmi2OK;
}

EXPORT fmi2GetRealStatusTYPE fmi2GetRealStatus;
EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real *value)
{
    REQUIRE(FMI_ANY_MODE, "GetRealStatus");
    if (s != fmi2LastSuccessfulTime)
        return fmi2Discard;
    *value = ((FmiInstance *)c)->run.t;
    return fmi2OK;
}

EXPORT fmi2GetIntegerStatusTYPE fmi2GetIntegerStatus;
EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer *value)
{
    (void)c;
    (void)s;
    (void)value;
    return fmi2Discard;
}

EXPORT fmi2GetBooleanStatusTYPE fmi2GetBooleanStatus;
EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean *value)
{
    REQUIRE(FMI_ANY_MODE, "GetBooleanStatus");
    if (s != fmi2Terminated)
        return fmi2Discard;
    *value = ((FmiInstance *)c)->events.is_over;
    return fmi2OK;
}

EXPORT fmi2GetStringStatusTYPE fmi2GetStringStatus;
EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String *value)
{
    (void)c;
    (void)s;
    (void)value;
    return fmi2Discard;
}
