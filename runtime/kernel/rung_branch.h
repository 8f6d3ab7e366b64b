/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_branch.h -- nonlinear equations that no step solves: whether their solution goes on
 * continuously from one time to another, in runs, FMUs and C libraries.
 *
 *     y^3 - y = 0.5 - time          y  1.2 |*
 *                                          |  * *  fold: the branch ends here,
 *     Newton's method finds the             |     *  and the equations have another
 *     other branch behind the fold         |
 *     and would go on there            -1.2 |        * * *
 *
 * Methods notice such an end where states depend on it: no step gets over it. In equations of
 * results alone nothing would.
 */
#ifndef RUNG_BRANCH_H
#define RUNG_BRANCH_H

#include "rung_question.h"

#include <math.h>
#include <string.h>

/* From (t0, x0) to (t1, x1), with the solutions z0 and z1; the states are taken as linear between.
 */
typedef struct RungBranch {
    RungContext *ctx;
    void *user;
    /* Solves all blocks from the guess in ctx->z. Nonzero: one finds no solution. */
    int (*evaluate)(void *user, double t, const double *x);
    double t0, t1;
    const double *x0, *x1;
    double *x;       /* n_states: between */
    double *z0, *z1; /* n_unknowns; overwritten while a block is looked at */
    const double *z; /* n_unknowns: at t1, kept */
    double end;      /* of a solution */
} RungBranch;

/* The largest change of an unknown, relative to its size. */
RUNG_PART double rung_branch_change(const RungBlock *b, const double *from, const double *to)
{
    double most = 0;
    for (uint32_t i = b->first; i < b->first + b->n; i++) {
        const double size = fmax(fabs(from[i]), fabs(to[i])) + b->nominal[i - b->first];
        most = fmax(most, fabs(to[i] - from[i]) / size);
    }
    return most;
}

/* At share s of the way, from the guess in ctx->z. */
RUNG_PART int rung_branch_between(const RungBranch *it, double s)
{
    for (uint32_t k = 0; k < it->ctx->model->n_states; k++)
        it->x[k] = it->x0[k] + s * (it->x1[k] - it->x0[k]);
    return it->evaluate(it->user, it->t0 + s * (it->t1 - it->t0), it->x);
}

/* Whether the solution of a block ends between t0 and t1, at it->end. The interval is halved around
 * the largest change. A solution that is continuous changes ever less; near a fold with the root of
 * the interval. Where it does not, and the later solution solves the equations before the jump,
 * too, the branch has ended: equations that jump themselves (noEvent) have no such solution there.
 */
RUNG_PART int rung_branch_ends(RungBranch *it, const RungBlock *b)
{
    enum { HALVINGS = 40 };
    const double continuous = 0.3, same = 1e-3;
    const size_t size = b->n * sizeof(double);
    double *lower = it->z0 + b->first, *upper = it->z1 + b->first, *z = it->ctx->z + b->first;
    double low = 0, high = 1;
    const double first = rung_branch_change(b, it->z0, it->z1);
    double now = first;
    int is_open = 0; /* no solution was found at `high` from that at `low` */
    for (int k = 0; k < HALVINGS && now > continuous * first; k++) {
        const double middle = low + (high - low) / 2;
        int fails;
        memcpy(z, lower, size);
        fails = rung_branch_between(it, middle) != 0;
        is_open = is_open || fails;
        if (fails) {
            high = middle;
        } else if (rung_branch_change(b, it->z0, it->ctx->z) >
                   rung_branch_change(b, it->ctx->z, it->z1)) {
            memcpy(upper, z, size);
            high = middle;
        } else {
            memcpy(lower, z, size);
            low = middle;
        }
        now = rung_branch_change(b, it->z0, it->z1);
    }
    it->end = it->t0 + high * (it->t1 - it->t0);
    if (now <= continuous * first)
        return 0;
    memcpy(z, upper, size);
    return is_open || rung_branch_between(it, low) ||
           rung_branch_change(b, it->ctx->z, it->z1) <= same * now;
}

/* Whether a block may end there: one that a step solves is watched by the step. */
RUNG_PART int rung_branch_is_open(const RungBlock *b, int is_of_step)
{
    return !is_of_step && !b->is_linear && !b->has_kinks;
}

/* The first block whose solution ends between t0 and t1, or RUNG_NONE: evaluations between are made
 * only where an unknown changes by more than a tenth of its size. ctx->z and z1 are those at t1
 * before and after; *looked: there were evaluations. */
RUNG_PART uint32_t rung_branch_find(RungBranch *it, const unsigned char *is_of_step, int *looked)
{
    const double small = 0.1;
    const RungModel *m = it->ctx->model;
    const size_t size = m->n_unknowns * sizeof(double);
    *looked = 0;
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const RungBlock *b = &m->block[k];
        int ends;
        if (!rung_branch_is_open(b, is_of_step[k]) ||
            rung_branch_change(b, it->z0, it->ctx->z) <= small)
            continue;
        *looked = 1;
        ends = rung_branch_ends(it, b);
        memcpy(it->z1, it->z, size);
        memcpy(it->ctx->z, it->z, size);
        if (ends)
            return k;
    }
    return RUNG_NONE;
}

#endif
