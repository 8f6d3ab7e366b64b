/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem.h"
#include "block_row.h"
#include "delay.h"
#include "fallback.h"
#include "input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *problem_state_name(const Problem *problem, uint32_t k)
{
    const RungModel *m = problem->model;
    // derivatives along time are in no results
    if (m->state[k] == RUNG_NONE && m->sensitivity && m->sensitivity->of[k] != RUNG_NONE)
        k = m->sensitivity->of[k];
    return m->state[k] == RUNG_NONE ? "a hidden state" : rung_name(m, m->state[k]);
}

BLOCK_VECTORS
bool problem_is_finite(uint32_t n, const double *x)
{
    // 0 * x is no number where x is none, or infinite; sums of which compilers make vectors
    enum { SUMS = 8 };
    double sum[SUMS] = {0}, all = 0;
    size_t k = 0;
    for (; k + SUMS <= n; k += SUMS)
        for (size_t i = 0; i < SUMS; i++)
            sum[i] += 0 * x[k + i];
    for (; k < n; k++)
        all += 0 * x[k];
    for (size_t i = 0; i < SUMS; i++)
        all += sum[i];
    return all == 0;
}

int problem_fail(Problem *problem, const char *why)
{
    snprintf(problem->why, sizeof problem->why, "%s", why);
    return 1;
}

void problem_explain(const Problem *problem, char *text, size_t size)
{
    const RungContext *ctx = fallback_that_failed(problem);
    const RungModel *m = ctx->model;
    if (ctx->failed_pivot != RUNG_NONE) {
        const RungPivot *p = &m->pivot[ctx->failed_pivot];
        snprintf(text, size,
                 "the pivot that determines '%s' vanished or is not finite, equation %s%s%s",
                 p->variable, p->equation, *p->instance ? " in " : "", p->instance);
    } else if (ctx->failed_message) {
        context_failed_call(ctx, text, size);
    } else if (ctx->failed_block != RUNG_NONE) {
        const RungBlock *b = &m->block[ctx->failed_block];
        bool known = ctx->failed_unknown != RUNG_NONE;
        if (b->is_linear)
            snprintf(
                text, size,
                "the %u linear equations of '%s' and others are singular%s%s%s%s%s%s%s%s", b->n,
                rung_name(problem->model, b->variable[0]), known ? ", '" : "",
                known ? rung_name(problem->model, ctx->failed_unknown) : "",
                known ? "' is open" : "", problem->bad_state != RUNG_NONE ? " and moves '" : "",
                problem->bad_state != RUNG_NONE ? problem_state_name(problem, problem->bad_state)
                                                : "",
                problem->bad_state != RUNG_NONE ? "'" : "",
                *b->equation[0] ? ", first equation " : "", b->equation[0]);
        else
            snprintf(
                text, size,
                "Newton's method did not converge for the nonlinear equations of '%s'%s, first "
                "equation %s",
                rung_name(m, b->variable[0]), b->n > 1 ? " and others" : "", b->equation[0]);
    } else if (problem->bad_state != RUNG_NONE) {
        snprintf(text, size, "the derivative of '%s' is not finite",
                 problem_state_name(problem, problem->bad_state));
    } else {
        snprintf(text, size, "the model cannot be evaluated");
    }
}

void problem_refresh(const Problem *problem, double t, const double *x)
{
    inputs_refresh(problem->inputs, problem->ctx, t);
    delays_refresh(problem->delays, problem->ctx, t, x);
}

int problem_xdot(Problem *problem, double t, const double *x, double *xdot)
{
    return problem->closed_xdot ? problem->closed_xdot(problem, t, x, xdot)
                                : problem_xdot_open(problem, t, x, xdot);
}

int problem_own_xdot(Problem *problem, double t, const double *x, double *xdot)
{
    if (!problem->along)
        return problem_xdot(problem, t, x, xdot);
    const RungRatesAlong *of = problem->model->sensitivity->along;
    problem_refresh(problem, t, x);
    int status = of->xdot(problem->ctx, t, x, xdot);
    if (status || !problem_is_finite(of->n_states, xdot))
        return problem_xdot(problem, t, x, xdot);
    problem->counts->evaluations++;
    return 0;
}

static int find_xdot(Problem *problem, double t, const double *x, double *xdot)
{
    problem->counts->evaluations++;
    int status = problem_evaluate(problem, RUNG_ASK_XDOT, t, x, xdot);
    if (!status) {
        if (problem->looked || problem_is_finite(problem->n, xdot))
            return 0;
        status = 1;
        for (uint32_t k = 0; k < problem->n && problem->bad_state == RUNG_NONE; k++)
            if (!isfinite(xdot[k]))
                problem->bad_state = k;
    }
    problem_explain(problem, problem->failure, sizeof problem->failure);
    problem->failure_t = t;
    const RungContext *ctx = problem->ctx;
    problem->failure_block = ctx->failed_pivot == RUNG_NONE ? ctx->failed_block : RUNG_NONE;
    bool by_rate = problem->bad_state != RUNG_NONE;
    if (by_rate && !problem->failure_x)
        problem->failure_x = malloc(problem->n * sizeof *x);
    if (by_rate && problem->failure_x)
        memcpy(problem->failure_x, x, problem->n * sizeof *x);
    return status;
}

int problem_xdot_open(Problem *problem, double t, const double *x, double *xdot)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_RESIDUAL);
    int status = find_xdot(problem, t, x, xdot);
    profile_leave(problem->profile, before);
    return status;
}

static int find_balance(Problem *problem, double t, const double *x, double *balance)
{
    int status = problem_evaluate(problem, RUNG_ASK_BALANCE, t, x, balance);
    if (status) {
        problem_explain(problem, problem->failure, sizeof problem->failure);
        problem->failure_t = t;
    }
    return status;
}

int problem_balance(Problem *problem, double t, const double *x, double *balance)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_RESIDUAL);
    int status = find_balance(problem, t, x, balance);
    profile_leave(problem->profile, before);
    return status;
}
