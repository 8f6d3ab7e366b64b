/* SPDX-License-Identifier: BSD-3-Clause
 *
 * implicit_steps.h -- the common part of the implicit methods of fixed steps: Newton's method, the
 * steps, the right-hand side of the formula; and the functions of an Integrator that are the same
 * for all.
 */
#ifndef RUNG_RUNTIME_IMPLICIT_STEPS_H
#define RUNG_RUNTIME_IMPLICIT_STEPS_H

#include "stage.h"
#include "steps.h"

/* Begins each method's own struct. */
typedef struct ImplicitSteps {
    Implicit implicit;
    Steps steps;
    double *base;   /* n: x = base + gamma f           */
    double gamma;   /* as advance has set it           */
    double *shift;  /* n: of closing the loops, beyond that */
    bool augmented; /* loops by an augmented Lagrangian */
} ImplicitSteps;

/* A struct of `size` bytes that begins with ImplicitSteps, the rest zero; NULL as open is. */
void *implicit_steps_open(Run *run, size_t size);
void implicit_steps_close(void *self);
/* Inside the last step. */
void implicit_steps_at(void *self, const Run *run, double t, double *x);
/* Multipliers become those of an augmented Lagrangian, those of the start at first. */
void implicit_steps_augment(ImplicitSteps *it);
/* One step on the grid: `advance` sets base and gamma and goes from the kept start to t, from the
 * first guess in steps.x. One that fails, or leads to another assembly of a closed loop, is tried
 * again with half the length, and the rest of it is the next step. */
int implicit_steps_take(ImplicitSteps *it, Run *run,
                        int (*advance)(void *self, Run *run, double t));
/* f of the step from its solution x. */
void implicit_steps_finish(ImplicitSteps *it);

#endif
