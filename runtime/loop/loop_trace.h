/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop_trace.h -- a record of the projection steps of closed loops, in their order, for an adjoint:
 * each with the states before it.
 *
 *     x -> Gauss-Newton step -> Gauss-Newton step -> impulse -> closed
 */
#ifndef RUNG_RUNTIME_LOOP_TRACE_H
#define RUNG_RUNTIME_LOOP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum LoopStepKind {
    LOOP_POSITIONS, /* phi = 0, smallest change            */
    LOOP_RATES,     /* phi' = 0, likewise, of velocities   */
    LOOP_IMPULSE,   /* phi' = 0 by an impulse of the constraints, orthogonal in the mass matrix */
    LOOP_STAGE      /* an implicit stage (stage.h), solved: these are the states behind it */
} LoopStepKind;

typedef struct LoopStep {
    LoopStepKind kind;
    bool holds;     /* states with fixed start values do not move             */
    bool is_last;   /* states are closed: no step, but again and again in its derivatives */
    double regular; /* of the normal equations                                */
    double share;   /* of the step, of which state `farthest` goes too far    */
    uint32_t farthest;
    size_t at; /* of the states, then the inputs of a stage, among all numbers */
} LoopStep;

typedef struct LoopTrace {
    bool is_on, is_lost; /* steps are kept; one was not, for want of memory */
    uint32_t n_states, n_inputs;
    size_t n, most, n_numbers, most_numbers;
    LoopStep *step;
    double *number;
} LoopTrace;

/* Empties the record and starts recording. */
void loop_trace_begin(LoopTrace *it);
/* inputs: NULL for none. No effect on a trace that is off, or NULL. */
void loop_trace_add(LoopTrace *it, LoopStep step, const double *x, const double *inputs);
/* The number of steps, 0 for NULL; and the record shortened to its first n steps. */
size_t loop_trace_mark(const LoopTrace *it);
void loop_trace_cut(LoopTrace *it, size_t n);
/* A copy of its own, behind those in `to`; false when out of memory. */
bool loop_trace_append(LoopTrace *to, const LoopTrace *from);
size_t loop_trace_bytes(const LoopTrace *it);
void loop_trace_free(LoopTrace *it);

#endif
