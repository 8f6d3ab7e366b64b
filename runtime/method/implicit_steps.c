/* SPDX-License-Identifier: BSD-3-Clause */
#include "implicit_steps.h"

#include <stdlib.h>
#include <string.h>

void implicit_steps_close(void *self)
{
    ImplicitSteps *it = self;
    if (!it)
        return;
    implicit_close(&it->implicit);
    steps_close(&it->steps);
    free(it->base);
    free(it->shift);
    free(it);
}

void *implicit_steps_open(Run *run, size_t size)
{
    ImplicitSteps *it = calloc(1, size);
    if (!it)
        return NULL;
    it->base = calloc(run->problem.n + (size_t)1, sizeof *it->base);
    it->shift = calloc(run->problem.n + (size_t)1, sizeof *it->shift);
    if (steps_open(&it->steps, run) && implicit_open(&it->implicit, run) && it->base && it->shift &&
        !steps_start(&it->steps, run))
        return it;
    implicit_steps_close(it);
    return NULL;
}

void implicit_steps_at(void *self, const Run *run, double t, double *x)
{
    const ImplicitSteps *it = self;
    steps_at(&it->steps, run, t, x);
}

void implicit_steps_augment(ImplicitSteps *it)
{
    it->augmented = true;
    for (uint32_t i = 0; i < it->implicit.m; i++) // which come first
        it->implicit.multiplier[i] = -it->steps.y[i];
}

void implicit_steps_finish(ImplicitSteps *it)
{
    Steps *st = &it->steps;
    for (uint32_t i = 0; i < st->n; i++)
        st->f[i] = (st->x[i] - it->base[i]) / it->gamma;
}

/* Advances, and rejects a solution in another assembly of a loop. */
static int advance_and_look(ImplicitSteps *it, Run *run, double t,
                            int (*advance)(void *self, Run *run, double t))
{
    const Steps *st = &it->steps;
    int status = advance(it, run, t);
    if (status || !run->problem.loops)
        return status;
    for (uint32_t i = 0; i < st->n; i++)
        it->shift[i] = st->x[i] - it->base[i] - it->gamma * st->f[i];
    return loops_leap(&run->problem, t, run->h, run->x, st->f_old, st->x, it->shift);
}

int implicit_steps_take(ImplicitSteps *it, Run *run, int (*advance)(void *self, Run *run, double t))
{
    enum { HALVINGS = 10 };
    Steps *st = &it->steps;
    Implicit *im = &it->implicit;
    double t = steps_next(st, run);
    run->h = t - run->t;
    steps_predict(st, run, run->h, st->x);
    steps_keep(st, run);
    int status = advance_and_look(it, run, t, advance);
    for (int k = 0; status > 0 && k < HALVINGS; k++) {
        run->problem.counts->rejected++;
        run->h /= 2;
        t = run->t + run->h;
        im->has_jacobian = false;
        for (uint32_t i = 0; i < st->n; i++)
            st->x[i] = run->x[i] + run->h * st->f_old[i];
        for (uint32_t i = 0; i < im->m && it->augmented; i++)
            im->multiplier[i] = -st->y_old[i];
        if (im->loops)
            loops_take_own(im->loops, st->y_old, im->y);
        status = advance_and_look(it, run, t, advance);
    }
    return status ? status : steps_done(st, run, t);
}
