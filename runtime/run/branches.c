/* SPDX-License-Identifier: BSD-3-Clause */
#include "branches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool branches_new(Branches *b, const RungModel *m)
{
    size_t n = m->n_states + (size_t)1, n_z = m->n_unknowns + (size_t)1;
    b->is_alone = calloc(m->n_blocks + (size_t)1, sizeof *b->is_alone);
    b->x = calloc(n, sizeof *b->x);
    b->x_at = calloc(n, sizeof *b->x_at);
    b->z = calloc(n_z, sizeof *b->z);
    b->z_end = calloc(n_z, sizeof *b->z_end);
    b->z_row = calloc(n_z, sizeof *b->z_row);
    if (!b->is_alone || !b->x || !b->x_at || !b->z || !b->z_end || !b->z_row)
        return false;
    for (uint32_t k = 0; k < m->n_blocks; k++)
        b->is_alone[k] = true;
    return true;
}

void branches_free(Branches *b)
{
    free(b->is_alone);
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
            b->is_alone[k] = false;
        any = any || (b->is_alone[k] && !it->is_linear && !it->has_kinks);
    }
    return any;
}

/* The largest change of an unknown, relative to its size. */
static double change(const RungBlock *b, const double *from, const double *to)
{
    double most = 0;
    for (uint32_t i = b->first; i < b->first + b->n; i++) {
        double size = fmax(fabs(from[i]), fabs(to[i])) + b->nominal[i - b->first];
        most = fmax(most, fabs(to[i] - from[i]) / size);
    }
    return most;
}

/* The values at share s between the last row and (t, x), from the guess in ctx->z. */
static int evaluate_between(Branches *b, Problem *problem, double t, const double *x, double s,
                            double *values)
{
    for (uint32_t k = 0; k < problem->model->n_states; k++)
        b->x_at[k] = b->x[k] + s * (x[k] - b->x[k]);
    return problem_evaluate(problem, RUNG_ASK_OUTPUTS, b->t + s * (t - b->t), b->x_at, values);
}

/* Halves the interval between the last row and (t, x) around the largest change of the block. A
 * solution that is continuous changes ever less; near a fold with the root of the interval. Where
 * it does not, and the later solution solves the equations before the jump, too, the branch has
 * ended: equations that jump themselves (noEvent) have no such solution there. *at: the time. */
static bool has_ended(Branches *b, Problem *problem, uint32_t block, double t, const double *x,
                      double *values, double *at)
{
    enum { HALVINGS = 40 };
    static const double CONTINUOUS = 0.3, SAME = 1e-3;
    RungContext *ctx = problem->ctx;
    const RungBlock *it = &problem->model->block[block];
    size_t size = it->n * sizeof(double);
    double *lower = b->z + it->first, *upper = b->z_end + it->first, *z = ctx->z + it->first;
    double low = 0, high = 1, first = change(it, b->z, b->z_end), now = first;
    bool is_open = false; /* no solution was found at `high` from that at `low` */
    for (int k = 0; k < HALVINGS && now > CONTINUOUS * first; k++) {
        double middle = low + (high - low) / 2;
        memcpy(z, lower, size);
        bool fails = evaluate_between(b, problem, t, x, middle, values) != 0;
        is_open = is_open || fails;
        if (fails) {
            high = middle;
        } else if (change(it, b->z, ctx->z) > change(it, ctx->z, b->z_end)) {
            memcpy(upper, z, size);
            high = middle;
        } else {
            memcpy(lower, z, size);
            low = middle;
        }
        now = change(it, b->z, b->z_end);
    }
    *at = b->t + high * (t - b->t);
    if (now <= CONTINUOUS * first)
        return false;
    memcpy(z, upper, size);
    return is_open || evaluate_between(b, problem, t, x, low, values) ||
           change(it, ctx->z, b->z_end) <= SAME * now;
}

bool branches_continue(Branches *b, Problem *problem, double t, const double *x, double *values,
                       char *text, size_t size)
{
    static const double SMALL = 0.1;
    const RungModel *m = problem->model;
    RungContext *ctx = problem->ctx;
    size_t n_z = m->n_unknowns * sizeof *b->z;
    bool goes_on = true, looked = false;
    memcpy(b->z_row, ctx->z, n_z);
    memcpy(b->z_end, ctx->z, n_z);
    for (uint32_t k = 0; k < m->n_blocks && b->has_row && t > b->t && goes_on; k++) {
        const RungBlock *it = &m->block[k];
        double at = t;
        if (!b->is_alone[k] || it->has_kinks || it->is_linear || change(it, b->z, ctx->z) <= SMALL)
            continue;
        looked = true;
        goes_on = !has_ended(b, problem, k, t, x, values, &at);
        memcpy(b->z_end, b->z_row, n_z);
        memcpy(ctx->z, b->z_row, n_z);
        if (!goes_on)
            snprintf(
                text, size,
                "the solution of the nonlinear equations of '%s'%s ends at t = %.9g, where they "
                "have another one, first equation %s",
                rung_name(m, it->variable[0]), it->n > 1 ? " and others" : "", at, it->equation[0]);
    }
    // the values of the row again
    if (goes_on && looked && problem_evaluate(problem, RUNG_ASK_OUTPUTS, t, x, values)) {
        problem_explain(problem, text, size);
        return false;
    }
    b->has_row = true;
    b->t = t;
    memcpy(b->x, x, m->n_states * sizeof *x);
    memcpy(b->z, b->z_row, n_z);
    return goes_on;
}
