/* SPDX-License-Identifier: BSD-3-Clause */
#include "integrator.h"
#include "delay.h"
#include "fallback.h"
#include "input.h"
#include "loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *run_state_name(const Run *run, uint32_t k)
{
    return rung_name(run->model, run->model->state[k]);
}

void run_explain(const Run *run, char *text, size_t size)
{
    const RungContext *ctx = fallback_blamed(run);
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
            snprintf(text, size,
                     "the %u linear equations of '%s' and others are singular%s%s%s%s%s%s%s%s",
                     b->n, rung_name(run->model, b->variable[0]), known ? ", '" : "",
                     known ? rung_name(run->model, ctx->failed_unknown) : "",
                     known ? "' is open" : "", run->bad_state != RUNG_NONE ? " and moves '" : "",
                     run->bad_state != RUNG_NONE ? run_state_name(run, run->bad_state) : "",
                     run->bad_state != RUNG_NONE ? "'" : "",
                     *b->equation[0] ? ", first equation " : "", b->equation[0]);
        else
            snprintf(
                text, size,
                "Newton's method did not converge for the nonlinear equations of '%s'%s, first "
                "equation %s",
                rung_name(m, b->variable[0]), b->n > 1 ? " and others" : "", b->equation[0]);
    } else if (run->bad_state != RUNG_NONE) {
        snprintf(text, size, "the derivative of '%s' is not finite",
                 run_state_name(run, run->bad_state));
    } else {
        snprintf(text, size, "the model cannot be evaluated");
    }
}

void run_refresh(const Run *run, double t, const double *x)
{
    inputs_refresh(run->inputs, run->ctx, t);
    delays_refresh(run->delays, run->ctx, t, x);
}

const char *run_blame(const Run *run)
{
    double near = 1e-6 * (run->stop - run->start);
    return *run->blame && fabs(run->t - run->blame_t) <= near ? run->blame : NULL;
}

int run_xdot(Run *run, double t, const double *x, double *xdot)
{
    return run->loops ? loops_xdot(run, t, x, xdot) : run_xdot_open(run, t, x, xdot);
}

int run_xdot_open(Run *run, double t, const double *x, double *xdot)
{
    run->s->evaluations++;
    int status = run_evaluate(run, PART_XDOT, t, x, xdot);
    if (!status) {
        // a sum of products with zero is zero unless a derivative is not finite
        double sum = 0;
        for (uint32_t k = 0; k < run->n; k++)
            sum += 0 * xdot[k];
        if (sum == 0)
            return 0;
        status = 1;
        for (uint32_t k = 0; k < run->n && run->bad_state == RUNG_NONE; k++)
            if (!isfinite(xdot[k]))
                run->bad_state = k;
    }
    run_explain(run, run->blame, sizeof run->blame);
    run->blame_t = t;
    bool by_rate = run->bad_state != RUNG_NONE;
    if (by_rate && !run->blame_x)
        run->blame_x = malloc(run->n * sizeof *x);
    if (by_rate && run->blame_x)
        memcpy(run->blame_x, x, run->n * sizeof *x);
    return status;
}
