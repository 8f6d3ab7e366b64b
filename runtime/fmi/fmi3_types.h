/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi3_types.h -- types of FMI 3.0 (Functional Mock-up Interface, version 3.0.2), as the
 * standard's text defines them: of values, and for each function X its type XTYPE.
 */
#ifndef RUNG_FMI3_TYPES_H
#define RUNG_FMI3_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef bool fmi3Clock;
typedef uint8_t fmi3Byte;
typedef const char *fmi3String;
typedef const fmi3Byte *fmi3Binary;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;
typedef enum {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment, fmi3Float64 t,
                                               fmi3Boolean may_set, fmi3Boolean may_get,
                                               fmi3Boolean is_finished, fmi3Boolean may_return,
                                               fmi3Boolean *shall_return, fmi3Float64 *until);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* functions */
typedef const char *fmi3GetVersionTYPE(void);
typedef fmi3Status fmi3SetDebugLoggingTYPE(fmi3Instance instance, fmi3Boolean on, size_t n,
                                           const fmi3String category[]);
typedef fmi3Instance fmi3InstantiateModelExchangeTYPE(fmi3String name, fmi3String token,
                                                      fmi3String resources, fmi3Boolean visible,
                                                      fmi3Boolean logging,
                                                      fmi3InstanceEnvironment environment,
                                                      fmi3LogMessageCallback log);
typedef fmi3Instance fmi3InstantiateCoSimulationTYPE(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean uses_events, fmi3Boolean returns_early,
    const fmi3ValueReference required[], size_t n_required, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback intermediate);
typedef fmi3Instance fmi3InstantiateScheduledExecutionTYPE(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock);
typedef void fmi3FreeInstanceTYPE(fmi3Instance instance);
typedef fmi3Status fmi3EnterInitializationModeTYPE(fmi3Instance instance, fmi3Boolean has_tolerance,
                                                   fmi3Float64 tolerance, fmi3Float64 start,
                                                   fmi3Boolean has_stop, fmi3Float64 stop);
typedef fmi3Status fmi3ExitInitializationModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3EnterEventModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3TerminateTYPE(fmi3Instance instance);
typedef fmi3Status fmi3ResetTYPE(fmi3Instance instance);
/* A function that gets and one that sets for each type of values, alike but for the type. */
#define FMI3_GET_AND_SET(Type)                                                                     \
    typedef fmi3Status fmi3Get##Type##TYPE(fmi3Instance instance, const fmi3ValueReference r[],    \
                                           size_t n, fmi3##Type value[], size_t n_values);         \
    typedef fmi3Status fmi3Set##Type##TYPE(fmi3Instance instance, const fmi3ValueReference r[],    \
                                           size_t n, const fmi3##Type value[], size_t n_values);
FMI3_GET_AND_SET(Float32)
FMI3_GET_AND_SET(Float64)
FMI3_GET_AND_SET(Int8)
FMI3_GET_AND_SET(UInt8)
FMI3_GET_AND_SET(Int16)
FMI3_GET_AND_SET(UInt16)
FMI3_GET_AND_SET(Int32)
FMI3_GET_AND_SET(UInt32)
FMI3_GET_AND_SET(Int64)
FMI3_GET_AND_SET(UInt64)
FMI3_GET_AND_SET(Boolean)
FMI3_GET_AND_SET(String)
#undef FMI3_GET_AND_SET

typedef fmi3Status fmi3GetBinaryTYPE(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                                     size_t size[], fmi3Binary value[], size_t n_values);
typedef fmi3Status fmi3SetBinaryTYPE(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                                     const size_t size[], const fmi3Binary value[],
                                     size_t n_values);
typedef fmi3Status fmi3GetClockTYPE(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                                    fmi3Clock value[]);
typedef fmi3Status fmi3SetClockTYPE(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                                    const fmi3Clock value[]);
typedef fmi3Status fmi3GetNumberOfVariableDependenciesTYPE(fmi3Instance instance,
                                                           fmi3ValueReference r, size_t *n);
typedef fmi3Status fmi3GetVariableDependenciesTYPE(fmi3Instance instance, fmi3ValueReference r,
                                                   size_t element[], fmi3ValueReference known[],
                                                   size_t element_of_known[],
                                                   fmi3DependencyKind kind[], size_t n);
typedef fmi3Status fmi3GetFMUStateTYPE(fmi3Instance instance, fmi3FMUState *state);
typedef fmi3Status fmi3SetFMUStateTYPE(fmi3Instance instance, fmi3FMUState state);
typedef fmi3Status fmi3FreeFMUStateTYPE(fmi3Instance instance, fmi3FMUState *state);
typedef fmi3Status fmi3SerializedFMUStateSizeTYPE(fmi3Instance instance, fmi3FMUState state,
                                                  size_t *size);
typedef fmi3Status fmi3SerializeFMUStateTYPE(fmi3Instance instance, fmi3FMUState state,
                                             fmi3Byte bytes[], size_t size);
typedef fmi3Status fmi3DeserializeFMUStateTYPE(fmi3Instance instance, const fmi3Byte bytes[],
                                               size_t size, fmi3FMUState *state);
typedef fmi3Status
fmi3GetDirectionalDerivativeTYPE(fmi3Instance instance, const fmi3ValueReference unknown[],
                                 size_t n_unknown, const fmi3ValueReference known[], size_t n_known,
                                 const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                 size_t n_sensitivity);
typedef fmi3Status fmi3GetAdjointDerivativeTYPE(fmi3Instance instance,
                                                const fmi3ValueReference unknown[],
                                                size_t n_unknown, const fmi3ValueReference known[],
                                                size_t n_known, const fmi3Float64 seed[],
                                                size_t n_seed, fmi3Float64 sensitivity[],
                                                size_t n_sensitivity);
typedef fmi3Status fmi3EnterConfigurationModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3ExitConfigurationModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3GetIntervalDecimalTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                              size_t n, fmi3Float64 interval[],
                                              fmi3IntervalQualifier qualifier[]);
typedef fmi3Status fmi3GetIntervalFractionTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                               size_t n, fmi3UInt64 counter[],
                                               fmi3UInt64 resolution[],
                                               fmi3IntervalQualifier qualifier[]);
typedef fmi3Status fmi3GetShiftDecimalTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                           size_t n, fmi3Float64 shift[]);
typedef fmi3Status fmi3GetShiftFractionTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                            size_t n, fmi3UInt64 counter[],
                                            fmi3UInt64 resolution[]);
typedef fmi3Status fmi3SetIntervalDecimalTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                              size_t n, const fmi3Float64 interval[]);
typedef fmi3Status fmi3SetIntervalFractionTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                               size_t n, const fmi3UInt64 counter[],
                                               const fmi3UInt64 resolution[]);
typedef fmi3Status fmi3SetShiftDecimalTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                           size_t n, const fmi3Float64 shift[]);
typedef fmi3Status fmi3SetShiftFractionTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                            size_t n, const fmi3UInt64 counter[],
                                            const fmi3UInt64 resolution[]);
typedef fmi3Status fmi3ActivateModelPartitionTYPE(fmi3Instance instance, fmi3ValueReference clock,
                                                  fmi3Float64 t);
typedef fmi3Status fmi3EvaluateDiscreteStatesTYPE(fmi3Instance instance);
typedef fmi3Status fmi3UpdateDiscreteStatesTYPE(fmi3Instance instance, fmi3Boolean *again,
                                                fmi3Boolean *terminate,
                                                fmi3Boolean *nominals_changed,
                                                fmi3Boolean *states_changed,
                                                fmi3Boolean *has_next_time, fmi3Float64 *next_time);
typedef fmi3Status fmi3EnterContinuousTimeModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3CompletedIntegratorStepTYPE(fmi3Instance instance,
                                                   fmi3Boolean no_earlier_state,
                                                   fmi3Boolean *enter_event_mode,
                                                   fmi3Boolean *terminate);
typedef fmi3Status fmi3SetTimeTYPE(fmi3Instance instance, fmi3Float64 time);
typedef fmi3Status fmi3SetContinuousStatesTYPE(fmi3Instance instance, const fmi3Float64 x[],
                                               size_t n);
typedef fmi3Status fmi3GetContinuousStateDerivativesTYPE(fmi3Instance instance,
                                                         fmi3Float64 derivatives[], size_t n);
typedef fmi3Status fmi3GetEventIndicatorsTYPE(fmi3Instance instance, fmi3Float64 z[], size_t n);
typedef fmi3Status fmi3GetContinuousStatesTYPE(fmi3Instance instance, fmi3Float64 x[], size_t n);
typedef fmi3Status fmi3GetNominalsOfContinuousStatesTYPE(fmi3Instance instance,
                                                         fmi3Float64 nominal[], size_t n);
typedef fmi3Status fmi3GetNumberOfEventIndicatorsTYPE(fmi3Instance instance, size_t *n);
typedef fmi3Status fmi3GetNumberOfContinuousStatesTYPE(fmi3Instance instance, size_t *n);
typedef fmi3Status fmi3EnterStepModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3GetOutputDerivativesTYPE(fmi3Instance instance, const fmi3ValueReference r[],
                                                size_t n, const fmi3Int32 order[],
                                                fmi3Float64 value[], size_t n_values);
typedef fmi3Status fmi3DoStepTYPE(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h,
                                  fmi3Boolean no_earlier_state, fmi3Boolean *event,
                                  fmi3Boolean *terminate, fmi3Boolean *early_return,
                                  fmi3Float64 *reached);

#endif
