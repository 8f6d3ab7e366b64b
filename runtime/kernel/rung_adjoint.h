/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_adjoint.h -- in C libraries: the derivatives of a weighted sum of outputs by all states and
 * parameters at once, back over the steps of rung_step (Sandu 2006). A step of h has stages
 * X_i = x + h sum a_ij f(t_j, X_j) and ends at x + h sum b_j f(t_j, X_j). With l the derivative by
 * the end of the step, from the last stage to the first
 *
 *     m_i = h (b_i l + sum_(j >= i) a_ji s_j),   s_i = f_x(X_i)' m_i,   dJ/dp += f_p(X_i)' m_i
 *
 * and l + sum s_i is that by its beginning: the derivative of the steps themselves, to rounding.
 */
#ifndef RUNG_ADJOINT_H
#define RUNG_ADJOINT_H

#include "rung_instance.h"
#include "rung_saltation_adjoint.h"

typedef struct RungBack {
    RungContext *ctx;
    double *state;            /* n_states: the derivative by the present states            */
    double *rest;             /* by kept values and by shared values (RungAdjoint), summed */
    double *out;              /* n_states, then as `rest`: of a product                    */
    double *stage, *s;        /* ESDIRK_STAGES n_states: X_i, s_i                          */
    double *guess;            /* ESDIRK_STAGES n_unknowns: first guesses of blocks there   */
    double *x, *m, *r, *left; /* n_states                                              */
    const double *of_stage;   /* by stages, beside those by the end of the step; NULL: none */
} RungBack;

/* state: n_states. at: so many numbers as emit/library/library_adjoint.c counts, those of `rest`
 * twice, (2 ESDIRK_STAGES + 5) n_states, ESDIRK_STAGES n_unknowns and 1. */
RUNG_PART RungBack rung_open_back(RungContext *ctx, double *state, double *at)
{
    const RungModel *m = ctx->model;
    const size_t n = m->n_states, rest = m->adjoint->n_kept + (size_t)m->adjoint->n_shared;
    RungBack it;
    it.ctx = ctx;
    it.of_stage = NULL;
    it.state = state;
    it.rest = at;
    it.out = at += rest;
    it.stage = at += n + rest + 1;
    it.s = at += ESDIRK_STAGES * n;
    it.guess = at += ESDIRK_STAGES * n;
    it.x = at += ESDIRK_STAGES * (size_t)m->n_unknowns;
    it.m = at += n;
    it.r = at += n;
    it.left = at + n;
    return it;
}

RUNG_PART int rung_are_finite(size_t n, const double *v)
{
    int ok = 1;
    for (size_t k = 0; k < n; k++)
        ok = ok && fabs(v[k]) <= DBL_MAX;
    return ok;
}

/* it->out, with the weights that are set. */
RUNG_PART int rung_back_product(const RungBack *it, double t, const double *x)
{
    RungContext *ctx = it->ctx;
    const RungAdjoint *a = ctx->model->adjoint;
    int status = rung_refresh(ctx, t, x);
    ctx->failed_pivot = ctx->failed_block = ctx->failed_unknown = RUNG_NONE;
    ctx->failed_message = NULL;
    status = status ? status : a->product(ctx, t, x, it->out);
    if (status)
        return status;
    return !rung_are_finite(ctx->model->n_states + a->n_kept + (size_t)a->n_shared, it->out);
}

RUNG_PART void rung_back_add(const RungBack *it, double times)
{
    const RungModel *m = it->ctx->model;
    const size_t n = m->adjoint->n_kept + (size_t)m->adjoint->n_shared;
    for (size_t k = 0; k < n; k++)
        it->rest[k] += times * it->out[m->n_states + k];
}

/* Adds the derivatives of the sum of weights times objectives at (t, x). */
RUNG_PART int rung_back_outputs(const RungBack *it, double t, const double *x, const double *weight)
{
    const RungModel *m = it->ctx->model;
    int status;
    memcpy(rung_adjoint_weights(it->ctx) + m->n_states, weight,
           m->adjoint->n_objectives * sizeof *weight);
    status = rung_back_product(it, t, x);
    for (uint32_t k = 0; k < m->n_states && !status; k++)
        it->state[k] += it->out[k];
    if (!status)
        rung_back_add(it, 1);
    return status;
}

RUNG_PART double rung_largest(uint32_t n, const double *v)
{
    double most = 0;
    for (uint32_t k = 0; k < n; k++)
        most = fmax(most, fabs(v[k]));
    return most;
}

/* it->m of (1 - gamma f_x)' m = it->r by the factors of the step, and the product with it. */
RUNG_PART int rung_back_solve(const RungBack *it, double t, const double *x, double gamma)
{
    enum { ROUNDS = 40 };
    const double close = 4 * DBL_EPSILON, near = 1e3 * DBL_EPSILON;
    const RungRoom *room = (const RungRoom *)it->ctx->user;
    const uint32_t n = it->ctx->model->n_states;
    const double size = rung_largest(n, it->r);
    double before = INFINITY;
    memset(it->m, 0, n * sizeof *it->m);
    memcpy(it->left, it->r, n * sizeof *it->left);
    for (int round = 0; round < ROUNDS; round++) {
        double now, scale;
        int status;
        rung_lu_solve_transposed(n, room->matrix, room->pivot, it->left);
        for (uint32_t i = 0; i < n; i++)
            it->m[i] += it->left[i];
        memcpy(rung_adjoint_weights(it->ctx), it->m, n * sizeof *it->m);
        status = rung_back_product(it, t, x);
        if (status)
            return status;
        for (uint32_t i = 0; i < n; i++)
            it->left[i] = it->r[i] + gamma * it->out[i] - it->m[i];
        now = rung_largest(n, it->left);
        scale = size + rung_largest(n, it->m);
        // the last digits go up and down
        if (now <= close * scale || (now >= before / 2 && now <= near * scale))
            return 0;
        if (!(now < before))
            return 1;
        before = now;
    }
    return 1;
}

/* The stages of the step of h from x, and the factors of its matrix. */
RUNG_PART int rung_back_forward(const RungBack *it, double t, double h, const double *x)
{
    RungContext *ctx = it->ctx;
    RungEsdirk *step = &((RungRoom *)ctx->user)->step;
    const size_t n = ctx->model->n_states, n_z = ctx->model->n_unknowns;
    int status;
    rung_open_esdirk(ctx);
    status = rung_factor_step(ctx, t, h, x);
    memcpy(it->stage, x, n * sizeof *x);
    memcpy(it->guess, ctx->z, n_z * sizeof *ctx->z);
    for (int s = 1; s < ESDIRK_STAGES && !status; s++) {
        status = rung_step_stage(step, s, t, h, x);
        memcpy(it->stage + (size_t)s * n, step->x, n * sizeof *x);
        memcpy(it->guess + (size_t)s * n_z, ctx->z, n_z * sizeof *ctx->z);
    }
    return status;
}

/* Back over the step of h from (t, x), where the instance is as it was then. */
RUNG_PART int rung_back_step(const RungBack *it, double t, double h, const double *x)
{
    RungContext *ctx = it->ctx;
    const size_t n = ctx->model->n_states, n_z = ctx->model->n_unknowns;
    const double *b = esdirk_a[ESDIRK_STAGES - 1];
    int status = rung_back_forward(it, t, h, x);
    for (int i = ESDIRK_STAGES - 1; i >= 0 && !status; i--) {
        const double gamma = h * esdirk_a[i][i], *at = it->stage + (size_t)i * n;
        const double t_stage = rung_stage_time(i, t, h);
        double *s = it->s + (size_t)i * n;
        for (size_t c = 0; c < n; c++) {
            double sum = b[i] * it->state[c];
            if (it->of_stage)
                sum += it->of_stage[(size_t)i * n + c];
            for (int j = i + 1; j < ESDIRK_STAGES; j++)
                sum += esdirk_a[j][i] * it->s[(size_t)j * n + c];
            it->r[c] = h * sum;
        }
        memcpy(ctx->z, it->guess + (size_t)i * n_z, n_z * sizeof *ctx->z);
        if (i > 0) {
            status = rung_back_solve(it, t_stage, at, gamma);
        } else {
            memcpy(rung_adjoint_weights(it->ctx), it->r, n * sizeof *it->r);
            status = rung_back_product(it, t_stage, at);
        }
        memcpy(s, it->out, n * sizeof *s);
        if (!status)
            rung_back_add(it, 1);
    }
    for (size_t k = 0; k < ESDIRK_STAGES * n && !status; k++)
        it->state[k % n] += it->s[k];
    return status;
}

/* The derivatives by the parameters, from all sums: x at the start t. */
RUNG_PART int rung_back_end(const RungBack *it, double t, const double *x, double *gradient)
{
    RungContext *ctx = it->ctx;
    const RungAdjoint *a = ctx->model->adjoint;
    const uint32_t n = ctx->model->n_states;
    double *u = rung_adjoint_weights(ctx);
    int status = rung_refresh(ctx, t, x);
    memcpy(u, it->state, n * sizeof *u);
    u += n + a->n_objectives + a->n_relations + a->n_actions;
    memcpy(u, it->rest, (a->n_kept + (size_t)a->n_shared) * sizeof *u);
    u += a->n_kept + a->n_shared;
    for (uint32_t k = 0; k < a->n_dependent; k++)
        u[k] = !ctx->is_set[a->dependent[k]];
    ctx->failed_pivot = ctx->failed_block = ctx->failed_unknown = RUNG_NONE;
    ctx->failed_message = NULL;
    status = status ? status : a->by_parameter(ctx, t, x, gradient);
    return status ? status : !rung_are_finite(a->n, gradient);
}

#endif
