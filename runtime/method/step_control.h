/* SPDX-License-Identifier: BSD-3-Clause
 *
 * step_control.h -- the lengths of the steps of one-step methods with control of the error: the
 * first one, the next one, and the message where none is left (Hairer, Nørsett, Wanner: Solving
 * Ordinary Differential Equations I, II.4; Hairer, Wanner: II, IV.2 and IV.8).
 *
 *     StepControl c = {.order = 3, .proportional = 0.28, .integral = 0.07, .growth = 5};
 *     h = step_first(run, &c, span, least, size, it, xdot, x, f);
 *     while (the step fails, or err > most)
 *         h = step_shorter(&c, h, failed, err, most);
 *     h *= step_growth(&c, err, rejected);
 */
#ifndef RUNG_RUNTIME_STEP_CONTROL_H
#define RUNG_RUNTIME_STEP_CONTROL_H

#include "integrator.h"

typedef struct StepControl {
    int order;                     /* the estimated error shrinks like h^order             */
    double proportional, integral; /* exponents of this error and of that of the last step */
    double growth;                 /* the most that a step is longer than the last one     */
    double last_error;             /* in tolerances                                        */
} StepControl;

/* States that start next to zero count as this much of their nominal values: the residual of
 * closing loops is no measure for the first step. */
static const double FIRST_SIZE = 0.01;

/* The size of a vector over the states; 1 is the tolerance of a step. */
typedef double (*StepSize)(const void *method, const double *v);

/* A first step, not longer than span, whose explicit Euler step is small and whose second
 * derivative is harmless; --step where it is given. xdot is the derivative at run->x, the states
 * count as `least` at least; x and f are room for n numbers. */
double step_first(Run *run, const StepControl *c, double span, double least, StepSize size,
                  const void *method, const double *xdot, double *x, double *f);

/* The next attempt after one of length h that failed, or whose error is larger than most. */
double step_shorter(const StepControl *c, double h, bool failed, double err, double most);

/* The least step: a few roundings of the time reached. */
double step_least(const Run *run);

/* The next attempt of length h after one of length `before`: the least step is tried, too. */
double step_bounded(const Run *run, double h, double before);

/* How many times longer the step after an accepted one is. By the error of two steps it is calmer
 * than by that of one. */
double step_growth(StepControl *c, double err, bool rejected);

/* Explains in run->problem.why that steps became too small, by the state of largest error;
 * error(method, i) is that of state i in tolerances. */
void step_too_small(Run *run, uint32_t n, double (*error)(const void *method, uint32_t i),
                    const void *method);

#endif
