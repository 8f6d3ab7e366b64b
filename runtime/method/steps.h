/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steps.h -- steps of fixed length on a grid, and the solution inside the last one: a cubic Hermite
 * polynomial in the states, a straight line in the multipliers of closed loops.
 */
#ifndef RUNG_RUNTIME_STEPS_H
#define RUNG_RUNTIME_STEPS_H

#include "integrator.h"
#include "loops.h"

typedef struct Steps {
    uint32_t n, n_y;
    double *x_old, *f_old, *f; /* n: start of the step; f at its end  */
    double *y_old, *y;         /* multipliers and free accelerations  */
    double *x;                 /* n: the end of the step in the making */
    double t_old;
    /* Optional: the model's n_own slopes before f_old, of t_older; kept: how many there are of both
     */
    double *f_older;
    uint32_t n_own, kept;
    double t_older;
    uint64_t count;
} Steps;

/* Takes run->step, the interval if there is none. False when out of memory. */
bool steps_open(Steps *it, Run *run);
void steps_close(Steps *it);

/* f and y at the start of the run, from problem_xdot. 0, or the model's status with
 * run->problem.why. */
int steps_start(Steps *it, Run *run);

/* The end of the next step. Grid points are start + k * step; the last step is shortened. */
double steps_next(const Steps *it, const Run *run);

/* The predicted x at the end of a step of length h, by the last two slopes (Adams and Bashforth).
 * With f_older the model's states are those of the trapezoidal rule with a slope at the end that is
 * on the parabola through the last three. */
void steps_predict(const Steps *it, const Run *run, double h, double *x);

/* Puts the state at the start of the step aside: x_old, f_old, y_old. */
void steps_keep(Steps *it, Run *run);

/* The step to t is done: x, f and y hold its end. Before steps_next there is more to come. */
int steps_done(Steps *it, Run *run, double t);

void steps_at(const Steps *it, const Run *run, double t, double *x);

#endif
