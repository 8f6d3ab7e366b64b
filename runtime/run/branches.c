/* SPDX-License-Identifier: BSD-3-Clause */
#include "branches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool branches_new(Branches *b, const RungModel *m)
{
    size_t n = m->n_states + (size_t)1, n_z = m->n_unknowns + (size_t)1;
    b->is_of_step = calloc(m->n_blocks + (size_t)1, sizeof *b->is_of_step);
    b->x = calloc(n, sizeof *b->x);
    b->x_at = calloc(n, sizeof *b->x_at);
    b->z = calloc(n_z, sizeof *b->z);
    b->z_end = calloc(n_z, sizeof *b->z_end);
    b->z_row = calloc(n_z, sizeof *b->z_row);
    if (!b->is_of_step || !b->x || !b->x_at || !b->z || !b->z_end || !b->z_row)
        return false;
    return true;
}

void branches_free(Branches *b)
{
    free(b->is_of_step);
    free(b->x);
    free(b->x_at);
    free(b->z);
    free(b->z_end);
    free(b->z_row);
}

void branches_forget(Branches *b)
{
    b->has_row = false;
}

bool branches_have_any(Branches *b, const RungModel *m, const double *z)
{
    bool any = false;
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const RungBlock *it = &m->block[k];
        if (b->has_row && memcmp(z + it->first, b->z + it->first, it->n * sizeof *z) != 0)
            b->is_of_step[k] = 1;
        any = any || rung_branch_is_open(it, b->is_of_step[k]);
    }
    return any;
}

typedef struct Evaluating {
    Problem *problem;
    double *values;
} Evaluating;

static int evaluate(void *user, double t, const double *x)
{
    const Evaluating *it = user;
    return problem_evaluate(it->problem, RUNG_ASK_OUTPUTS, t, x, it->values);
}

bool branches_continue(Branches *b, Problem *problem, double t, const double *x, double *values,
                       char *text, size_t size)
{
    const RungModel *m = problem->model;
    RungContext *ctx = problem->ctx;
    size_t n_z = m->n_unknowns * sizeof *b->z;
    int looked = 0;
    Evaluating evaluating = {problem, values};
    RungBranch it = {.ctx = ctx,
                     .user = &evaluating,
                     .evaluate = evaluate,
                     .t0 = b->t,
                     .t1 = t,
                     .x0 = b->x,
                     .x1 = x,
                     .x = b->x_at,
                     .z0 = b->z,
                     .z1 = b->z_end,
                     .z = b->z_row};
    memcpy(b->z_row, ctx->z, n_z);
    memcpy(b->z_end, ctx->z, n_z);
    uint32_t k = b->has_row && t > b->t ? rung_branch_find(&it, b->is_of_step, &looked) : RUNG_NONE;
    if (k != RUNG_NONE)
        snprintf(text, size,
                 "the solution of the nonlinear equations of '%s'%s ends at t = %.9g, where they "
                 "have another one, first equation %s",
                 rung_name(m, m->block[k].variable[0]), m->block[k].n > 1 ? " and others" : "",
                 it.end, m->block[k].equation[0]);
    // the values of the row again
    if (k == RUNG_NONE && looked && problem_evaluate(problem, RUNG_ASK_OUTPUTS, t, x, values)) {
        problem_explain(problem, text, size);
        return false;
    }
    b->has_row = true;
    b->t = t;
    memcpy(b->x, x, m->n_states * sizeof *x);
    memcpy(b->z, b->z_row, n_z);
    return k == RUNG_NONE;
}
