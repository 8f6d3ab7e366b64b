/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi_unit.h -- FMUs as parts of a model: external functions (MLS 12.9) that unpack an FMU, load
 * its binary and call it, for FMI 2.0 and 3.0, model exchange and co-simulation. The functions of
 * library/Linkage/Fmu call them; `rung import` writes the class that does it for an FMU.
 *
 * An FMU remembers, so a model numbers the calls that change it: `count` is the number of a call,
 * from 1 on, and that of the last one in calls that only ask. A call with the last number again has
 * the last results if its arguments are the same, else it is an error, since an FMU does not go
 * back. `start` may be called again with other arguments until something else has changed the FMU.
 *
 *     t0    start      parameters, initialisation, first events        count 0
 *     t     rates, values, indicators, slopes: of model exchange, at states and inputs
 *     t     event      model exchange: the FMU's event iteration       count + 1
 *     t     step       co-simulation: from the time of the last call   count + 1
 *
 * Variables are in groups, by their number in the table that the constructor takes: values of a
 * call are those of a group, in its order, Integers and Booleans as Reals. The first groups are
 * those below.
 *
 * Errors end the call with ModelicaError and a message that names the FMU, the variable where it
 * is known, and the time. Warnings of the FMU go to ModelicaWarning, a few of each instance.
 */
#ifndef RUNG_FMI_UNIT_H
#define RUNG_FMI_UNIT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    FMI_UNIT_PARAMETERS,      /* and start values: set before the initialisation    */
    FMI_UNIT_INPUTS,          /* continuous ones; of co-simulation all              */
    FMI_UNIT_DISCRETE_INPUTS, /* of model exchange: they change at events           */
    FMI_UNIT_TEXTS,           /* parameters of type String                          */
    FMI_UNIT_STATES,          /* of model exchange                                  */
    FMI_UNIT_RATES,           /* their derivatives                                  */
    FMI_UNIT_FIXED_GROUPS
};

/* Types of variables; those of FMI 2.0 are REAL, INT32 and BOOLEAN. */
typedef enum FmiUnitType {
    FMI_UNIT_REAL,
    FMI_UNIT_FLOAT32,
    FMI_UNIT_INT8,
    FMI_UNIT_UINT8,
    FMI_UNIT_INT16,
    FMI_UNIT_UINT16,
    FMI_UNIT_INT32,
    FMI_UNIT_UINT32,
    FMI_UNIT_INT64,
    FMI_UNIT_UINT64,
    FMI_UNIT_BOOLEAN,
    FMI_UNIT_STRING
} FmiUnitType;

/* Whether the path of an entry of an archive stays in the folder that it is unpacked into. */
bool rung_fmu_path_is_inside(const char *path);

/* How a model uses an FMU. */
enum {
    FMI_UNIT_COSIMULATION = 1, /* how it is used                                     */
    FMI_UNIT_COMPLETES = 2     /* model exchange: it wants to know of accepted steps */
};

/* The folder of its binary, and the ending. */
static inline const char *rung_fmu_platform(int version)
{
#if defined(__x86_64__)
    return version == 2 ? "linux64" : "x86_64-linux";
#elif defined(__i386__)
    return version == 2 ? "linux32" : "x86-linux";
#elif defined(__aarch64__)
    return "aarch64-linux"; // FMI 2.0 has no name for it
#else
    return version == 2 ? "unknown" : "unknown-linux";
#endif
}

/* file: the archive; identifier: of its binary; version: 2 or 3; is_able: a sum of the above.
 * Variable k of n is `reference[k]` (a value reference, or the same again for the next element of
 * an array) of type `type[k]`; group g has those from first[g] to first[g + 1]; `names`: of all, in
 * lines, for messages. */
void *rung_fmu_new(const char *file, const char *identifier, const char *token, int version,
                   int is_able, int n_states, int n_indicators, double tolerance,
                   const int *reference, size_t n, const int *type, size_t n_types,
                   const int *first, size_t n_firsts, const char *names);
void rung_fmu_free(void *unit);

/* texts: values of group TEXTS, each ended by '\a'. Results: count, 0; model exchange: next, the
 * time of the next event, 1e60 if there is none; the states; co-simulation: group `out`. */
void rung_fmu_start(void *unit, double t, const double *parameter, size_t n_parameters,
                    const char *texts, const double *input, size_t n_inputs, const double *discrete,
                    size_t n_discrete, int out, double *count, double *next, double *y, size_t n_y);

/* Inputs of group `in`, one of those above or a group that is part of it. */
void rung_fmu_rates(void *unit, double t, const double *x, size_t n_x, const double *input,
                    size_t n_inputs, double count, double *rate, size_t n_rates);
void rung_fmu_values(void *unit, double t, const double *x, size_t n_x, int in, const double *input,
                     size_t n_inputs, int out, double count, double *y, size_t n_y);
void rung_fmu_indicators(void *unit, double t, const double *x, size_t n_x, const double *input,
                         size_t n_inputs, double count, double *z, size_t n_z);
/* Derivatives of group `out`, of Reals, along dx and du by the FMU's directional derivatives, and
 * along dt by differences. */
void rung_fmu_slopes(void *unit, double t, const double *x, size_t n_x, int in, const double *input,
                     size_t n_inputs, int out, double count, double dt, const double *dx,
                     size_t n_dx, const double *du, size_t n_du, double *dy, size_t n_dy);
/* factor[k]: the derivative of value row[k] of group `out` by state[k]. */
void rung_fmu_factors(void *unit, double count, int out, const int *row, size_t n, const int *state,
                      size_t n_states, double *factor, size_t n_factors);
/* Values of a group that change at events alone. */
void rung_fmu_held(void *unit, int out, double count, double *y, size_t n_y);
/* 1 from the time at which the FMU has asked for an event behind an accepted step, else 0. */
double rung_fmu_asks(void *unit, double t, double count);

/* quit: 1 where the FMU asks for the end of the run. */
void rung_fmu_event(void *unit, double t, double count, const double *x, size_t n_x,
                    const double *input, size_t n_inputs, const double *discrete, size_t n_discrete,
                    double *done, double *next, double *quit, double *x_new, size_t n_new);
void rung_fmu_step(void *unit, double t, double count, const double *input, size_t n_inputs,
                   int out, double *done, double *quit, double *y, size_t n_y);

#endif
