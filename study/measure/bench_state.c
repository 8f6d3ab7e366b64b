/* The states at which a model is measured. */
#include "study/measure/bench.h"

#include "runtime/kernel/rung_lu.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_SHRINKS = 30 }; /* of the distance from the start */

/* States around x at which the model can be evaluated: the distance shrinks until it can. */
static bool choose_states(Bench *b, const double *x)
{
    double distance = 0.1;
    for (int tries = 0; tries <= MAX_SHRINKS; tries++, distance /= 2) {
        uint64_t seed = 1;
        bool good = true;
        for (uint32_t s = 0; good && s < BENCH_STATES; s++) {
            for (uint32_t k = 0; k < b->model->n_states; k++) {
                double size = fmin(fmax(fabs(x[k]), b->model->nominal[k]), 1e100);
                b->x[s][k] = x[k] + distance * size * bench_noise(&seed);
            }
            good = b->model->xdot(b->ctx, b->t, b->x[s], b->out) == 0;
            for (uint32_t k = 0; good && k < b->model->n_states; k++)
                good = isfinite(b->out[k]);
        }
        if (good)
            return true;
    }
    b->error = "the derivatives cannot be evaluated near the start of a run";
    return false;
}

/* An instance as the run has it after its start, and room for all results. */
bool bench_open(Bench *b, const RungContext *run, double t, const double *x)
{
    const RungModel *m = b->model = run->model;
    b->ctx = context_new(m);
    b->t = t;
    size_t most = 3 * (size_t)m->n_states + (m->loops ? 2 * (size_t)m->loops->n_free : 0);
    if (m->jacobian) {
        const RungPattern *p = &m->jacobian->pattern;
        size_t n = p->col_start[p->n_cols];
        most = n > most ? n : most;
    }
    if (m->residual) {
        const RungPattern *p[] = {&m->residual->by_torn_pattern, &m->residual->by_state_pattern};
        size_t rows = (size_t)m->residual->n + m->residual->n_rates;
        most = rows > most ? rows : most;
        for (int k = 0; k < 2; k++) {
            size_t n = p[k]->col_start ? p[k]->col_start[p[k]->n_cols] : 0;
            most = n > most ? n : most;
        }
    }
    if (bench_has_extended(m)) {
        const RungPattern *p = &m->newton->pattern;
        size_t entries = p->col_start[p->n_cols] + (size_t)p->n_rows;
        size_t work = 3 * (size_t)p->n_rows; // it is square
        most = entries > most ? entries : most;
        most = work > most ? work : most;
        b->matrix = calloc(entries + 1, sizeof *b->matrix);
        for (uint32_t s = 0; s < BENCH_STATES; s++)
            b->z[s] = calloc(p->n_cols + (size_t)m->n_states + 1, sizeof(double));
    }
    if (bench_has_tangent(m)) {
        b->dense = calloc((size_t)m->n_states * m->n_states, sizeof *b->dense);
        b->pivot = calloc(m->n_states, sizeof *b->pivot);
        b->size = calloc(m->n_states, sizeof *b->size);
    }
    b->out = calloc(most + 1, sizeof *b->out);
    b->other = calloc(most + 1, sizeof *b->other);
    b->input = calloc(most + 1, sizeof *b->input);
    b->stage = calloc(6 * (size_t)m->n_states + 1, sizeof *b->stage);
    b->values = calloc(m->n_values + (size_t)1, sizeof *b->values);
    bool ok = b->ctx && b->out && b->other && b->input && b->values && b->stage;
    ok = ok && (!bench_has_extended(m) || b->matrix);
    ok = ok && (!bench_has_tangent(m) || (b->dense && b->pivot && b->size));
    for (uint32_t s = 0; s < BENCH_STATES; s++) {
        b->x[s] = calloc(m->n_states + (size_t)1, sizeof(double));
        ok = ok && b->x[s] && (!bench_has_extended(m) || b->z[s]);
    }
    if (!ok) {
        b->error = "out of memory";
        return false;
    }
    bench_copy(b->ctx->p, run->p, m->n_parameters);
    bench_copy(b->ctx->c, run->c, m->n_constants);
    // the memory of events stands behind the inputs
    bench_copy(b->ctx->u, run->u, m->n_inputs + (m->event ? m->event->n_memory : 0));
    bench_copy(b->ctx->z, run->z, m->n_unknowns);
    memcpy(b->ctx->is_set, run->is_set, m->n_parameters);
    if (!choose_states(b, x))
        return false;
    if (!bench_has_extended(m))
        return true;
    int status = m->newton->parameter_entries(b->ctx, b->matrix);
    for (uint32_t s = 0; s < BENCH_STATES; s++)
        status |= bench_find_unknowns(b, s);
    if (status)
        b->error = "the equations of an implicit step cannot be evaluated near the start of a run";
    return !status;
}

void bench_close(Bench *b)
{
    bench_narrow(b);
    for (uint32_t s = 0; s < BENCH_STATES; s++) {
        free(b->x[s]);
        free(b->z[s]);
    }
    free(b->out);
    free(b->other);
    free(b->input);
    free(b->values);
    free(b->stage);
    free(b->matrix);
    free(b->dense);
    free(b->pivot);
    free(b->size);
    for (int k = 0; k < LIBRARIES; k++)
        library_lu_free(b->lu[k]);
    context_free(b->ctx);
}
