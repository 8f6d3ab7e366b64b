/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_initial.h -- the initial system, in runs (initial.c) and C libraries (rung_instance.h):
 * first from the simplified expression of homotopy() to the actual one (MLS 3.7.4.4), if it has
 * any; then with relations evaluated in place; then with the relations fixed.
 */
#ifndef RUNG_INITIAL_H
#define RUNG_INITIAL_H

#include "rung_model.h"

#include <math.h>
#include <string.h>

typedef struct RungStart {
    RungContext *init; /* u: the inputs, then the memory of the initial system */
    double *kept;      /* n_unknowns */
    void *user;
    /* Callbacks: 0, positive where there is no solution, negative: stop. */
    int (*evaluate)(void *user);
    /* with relations that are fixed until they agree with the solution */
    int (*iterate)(void *user);
    void (*search)(void *user, int thorough); /* more ways to a solution. NULL: there are none */
} RungStart;

/* How much of homotopy() is simplified; NULL without. */
static inline double *rung_start_share(RungContext *init)
{
    const RungEvents *table = init->model->event;
    for (uint32_t k = 0; table && k < table->n_memory; k++)
        if (table->memory[k].kind == RUNG_HOMOTOPY)
            return &init->u[init->model->n_inputs + k];
    return NULL;
}

static inline void rung_start_guess(RungContext *init)
{
    const RungModel *m = init->model;
    for (uint32_t k = 0; k < m->n_blocks; k++)
        memcpy(init->z + m->block[k].first, m->block[k].start, m->block[k].n * sizeof *init->z);
}

/* Relations are evaluated in place; homotopy() is its actual expression. */
static inline void rung_start_afresh(RungContext *init)
{
    const RungModel *m = init->model;
    rung_start_guess(init);
    for (uint32_t k = 0; m->event && k < m->event->n_memory; k++)
        init->u[m->n_inputs + k] = m->event->memory[k].kind == RUNG_HOMOTOPY ? 0 : -1;
}

static inline void rung_start_search(const RungStart *it, int thorough)
{
    if (it->search)
        it->search(it->user, thorough);
}

/* From the simplified problem to the actual one, in steps that Newton's method follows. */
static inline int rung_follow_homotopy(const RungStart *it, double *share)
{
    const double least = 1e-5, longer = 2, shorter = 0.25;
    const size_t size = it->init->model->n_unknowns * sizeof *it->kept;
    double step = 0.1;
    int status = 1;
    for (int tries = 0; tries < (it->search ? 2 : 1) && status > 0; tries++) {
        rung_start_search(it, tries > 0);
        rung_start_afresh(it->init);
        *share = 1;
        status = it->evaluate(it->user);
    }
    rung_start_search(it, 0);
    while (!status && *share > 0) {
        const double last = *share;
        memcpy(it->kept, it->init->z, size);
        *share = fmax(0, last - step);
        status = it->evaluate(it->user);
        if (status > 0 && step > least) {
            memcpy(it->init->z, it->kept, size);
            *share = last;
            status = 0;
            step *= shorter;
        } else {
            step *= longer;
        }
    }
    return status;
}

/* Where Newton's method finds no values, relations are in its way, or the first guesses. */
static inline int rung_start_solve(const RungStart *it)
{
    RungContext *init = it->init;
    double *share = rung_start_share(init);
    int status = share ? rung_follow_homotopy(it, share) : 1;
    for (int tries = 0; tries < (it->search ? 2 : 1) && status > 0; tries++) {
        rung_start_search(it, tries > 0);
        rung_start_afresh(init);
        status = it->evaluate(it->user);
        if (status <= 0 || !init->model->event)
            continue;
        const uint32_t pivot = init->failed_pivot, block = init->failed_block;
        const char *message = init->failed_message;
        status = it->iterate(it->user);
        if (status > 0) {
            // the failure of the first evaluation, before relations were fixed, says more
            init->failed_pivot = pivot;
            init->failed_block = block;
            init->failed_message = message;
            rung_start_guess(init);
        }
    }
    return status;
}

#endif
