/* Several instances at once: those of the model at one state of the bench and the states after it.
 */
#include "study/measure/bench.h"

#include <math.h>
#include <stdlib.h>

#define BENCH_STEP 1e-4 /* seconds */

/* One step of the classical Runge-Kutta method, with the slope at its end, as in a run. */
int bench_step(Bench *b, uint32_t state)
{
    const RungModel *m = b->model;
    uint32_t n = m->n_states;
    double *k[4] = {b->stage, b->stage + n, b->stage + 2 * (size_t)n, b->stage + 3 * (size_t)n};
    double *x_stage = b->stage + 4 * (size_t)n, *x_new = b->out;
    const double *x = b->x[state], h = BENCH_STEP, share[4] = {0, 0.5, 0.5, 1};
    int status = 0;
    bench_copy(k[0], x, n); // stands for the slope, which the step before has found
    for (int s = 1; s < 4; s++) {
        for (uint32_t i = 0; i < n; i++)
            x_stage[i] = x[i] + share[s] * h * k[s - 1][i];
        status |= m->xdot(b->ctx, b->t + share[s] * h, x_stage, k[s]);
    }
    for (uint32_t i = 0; i < n; i++)
        x_new[i] = x[i] + h / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    return status | m->xdot(b->ctx, b->t + h, x_new, b->stage + 5 * (size_t)n);
}

static int failed(const Bench *b)
{
    return b->lanes->ctx.failed != 0;
}

static RungLaneContext *context(const Bench *b)
{
    // the arrays are the instances'; the bits are of each evaluation
    RungLaneContext *ctx = (RungLaneContext *)&b->lanes->ctx;
    ctx->failed = 0;
    return ctx;
}

int bench_lanes_xdot(Bench *b, uint32_t state)
{
    b->lanes->code->xdot(context(b), b->lanes->t, b->lane_x[state], b->lane_out);
    return failed(b);
}

int bench_lanes_jacobian(Bench *b, uint32_t state)
{
    b->lanes->code->entries(context(b), b->lanes->t, b->lane_x[state], b->lane_out);
    return failed(b);
}

int bench_lanes_newton(Bench *b, uint32_t state)
{
    const RungNewton *w = b->model->newton;
    size_t width = b->lanes->code->width;
    RungLaneContext *ctx = context(b);
    memcpy(ctx->u + w->first * width, b->lane_u[state], w->n * width * sizeof(double));
    b->lanes->code->step(ctx, b->lanes->t, b->lane_x[state], b->lane_out);
    return failed(b);
}

int bench_lanes_step(Bench *b, uint32_t state)
{
    const Lanes *l = b->lanes;
    RungLaneContext *ctx = context(b);
    memcpy(l->k, b->lane_x[state], b->model->n_states * (size_t)l->code->width * sizeof(double));
    l->code->rk4(ctx, b->t, b->t + BENCH_STEP, b->lane_x[state], l->k, l->stage, b->lane_out,
                 l->f_new, l->grows);
    return failed(b);
}

double bench_lanes_error(Bench *b, const BenchTask *it, uint32_t state)
{
    const RungModel *m = b->model;
    size_t n = m->n_states, width = b->lanes->code->width;
    bool is_jacobian = strcmp(it->what, "jacobian") == 0;
    if (is_jacobian)
        n = m->jacobian->pattern.col_start[m->jacobian->pattern.n_cols];
    double error = it->of_lanes(b, state) ? NAN : 0, size = 0;
    for (uint32_t lane = 0; lane < width; lane++) {
        if (it->evaluate(b, (state + lane) % BENCH_STATES))
            return NAN;
        for (size_t k = 0; k < n; k++) {
            double off = fabs(b->lane_out[k * width + lane] - b->out[k]);
            error = off > error || isnan(off) ? off : error;
            size = fmax(size, fabs(b->out[k]));
        }
    }
    return size > 0 ? error / size : error;
}

void bench_narrow(Bench *b)
{
    for (uint32_t s = 0; s < BENCH_STATES; s++) {
        free(b->lane_x[s]);
        free(b->lane_u[s]);
        b->lane_x[s] = b->lane_u[s] = NULL;
    }
    free(b->lane_out);
    b->lane_out = NULL;
    lanes_free((Lanes *)b->lanes);
    b->lanes = NULL;
}

bool bench_widen(Bench *b, uint32_t width)
{
    const RungModel *m = b->model;
    Lanes *l = lanes_new(m, width);
    b->lanes = l;
    size_t n = m->n_states, n_u = m->newton ? m->newton->n : 0, most = n;
    if (bench_has_jacobian(m) && m->jacobian->pattern.col_start[m->jacobian->pattern.n_cols] > n)
        most = m->jacobian->pattern.col_start[m->jacobian->pattern.n_cols];
    b->lane_out = lanes_array((most + 1) * width);
    bool ok = l && b->lane_out;
    for (uint32_t s = 0; ok && s < BENCH_STATES; s++) {
        b->lane_x[s] = lanes_array((n + 1) * width);
        b->lane_u[s] = lanes_array((n_u + 1) * width);
        ok = b->lane_x[s] && b->lane_u[s];
    }
    if (!ok) {
        b->error = "out of memory";
        return false;
    }
    int status = 0;
    for (uint32_t lane = 0; lane < width; lane++) {
        l->t[lane] = b->t;
        status |= lanes_set(l, lane, b->ctx);
        for (uint32_t s = 0; s < BENCH_STATES; s++) {
            uint32_t at = (s + lane) % BENCH_STATES;
            lanes_put(l, lane, m->n_states, b->x[at], b->lane_x[s]);
            if (!bench_has_newton(m))
                continue;
            bench_give_newton(b, at);
            lanes_put(l, lane, m->newton->n, b->ctx->u + m->newton->first, b->lane_u[s]);
        }
    }
    if (status)
        b->error = "the values that depend on parameters cannot be computed";
    return !status;
}
