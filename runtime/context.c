/* SPDX-License-Identifier: BSD-3-Clause */
#include "context.h"
#include "dense.h"
#include "linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scratch of the block solver, of the size of the largest block. */
typedef struct Newton {
    double *r, *z, *entry, *matrix;
    uint32_t *pivot;
    uint64_t iterations;
    double *guess;  /* where a search began       */
    bool searches;  /* other guesses are tried    */
    Linear *linear; /* the blocks that need no iteration */
} Newton;

static void newton_free(Newton *n)
{
    if (!n)
        return;
    free(n->r);
    free(n->z);
    free(n->entry);
    free(n->matrix);
    free(n->pivot);
    free(n->guess);
    linear_free(n->linear);
    free(n);
}

static Newton *newton_new(const RungModel *m)
{
    size_t n = 0, entries = 0;
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const RungBlock *b = &m->block[k];
        if (b->is_linear)
            continue;
        n = b->n > n ? b->n : n;
        entries = b->pattern.col_start[b->n] > entries ? b->pattern.col_start[b->n] : entries;
    }
    Newton *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->r = calloc(2 * n + 1, sizeof *it->r);
    it->z = calloc(n + 1, sizeof *it->z);
    it->entry = calloc(entries + 1, sizeof *it->entry);
    it->matrix = calloc(n * n + 1, sizeof *it->matrix);
    it->pivot = calloc(n + 1, sizeof *it->pivot);
    it->guess = calloc(n + 1, sizeof *it->guess);
    it->linear = linear_new(m);
    if (!it->linear || !it->guess || !it->r || !it->z || !it->entry || !it->matrix || !it->pivot) {
        newton_free(it);
        return NULL;
    }
    return it;
}

static double size_of(uint32_t n, const double *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += r[i] * r[i];
    return sqrt(sum);
}

/* Newton's method with halved steps while the residual grows. Converged when the step is at
 * rounding level, or when it no longer shrinks and is small. */
static int newton(RungContext *ctx, uint32_t k, double t, const double *x)
{
    enum { MAX_ITERATIONS = 50, MAX_HALVINGS = 12 };
    const RungBlock *b = &ctx->model->block[k];
    Newton *w = ctx->user;
    uint32_t n = b->n;
    double *z = ctx->z + b->first, *step = w->r + n;
    double last = INFINITY;

    memcpy(w->z, z, n * sizeof *z);
    int status = b->residual(ctx, t, x, z, w->r);
    if (status < 0)
        return status;
    double r = size_of(n, w->r);
    bool fresh = status == 0 && isfinite(r);
    for (int it = 0; fresh && it < MAX_ITERATIONS; it++) {
        w->iterations++;
        status = b->jacobian(ctx, t, x, z, w->entry);
        if (status)
            break;
        memset(w->matrix, 0, sizeof *w->matrix * n * n);
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t e = b->pattern.col_start[j]; e < b->pattern.col_start[j + 1]; e++)
                w->matrix[b->pattern.row[e] + (size_t)j * n] = w->entry[e];
        if (dense_factor(n, w->matrix, w->pivot) >= 0)
            break;
        memcpy(step, w->r, n * sizeof *step);
        dense_solve(n, w->matrix, w->pivot, step);

        double length = 0;
        for (uint32_t i = 0; i < n; i++)
            length = fmax(length, fabs(step[i]) / (fabs(z[i]) + b->nominal[i]));
        if (!isfinite(length))
            break;

        double share = 1, r_new = INFINITY;
        for (int half = 0; half < MAX_HALVINGS; half++, share /= 2) {
            for (uint32_t i = 0; i < n; i++)
                z[i] -= share * step[i];
            status = b->residual(ctx, t, x, z, w->r);
            r_new = status ? INFINITY : size_of(n, w->r);
            if (status < 0 || r_new <= r || length < 1e-9)
                break;
            for (uint32_t i = 0; i < n; i++)
                z[i] += share * step[i];
        }
        if (status < 0)
            return status;
        if (!isfinite(r_new))
            break;
        if (length <= 1e-14 || r_new == 0 || (length <= 1e-9 && length > 0.1 * last))
            return 0;
        if (share < 1e-3 && length > 1e-9)
            break;
        r = r_new;
        last = length;
    }
    if (status < 0)
        return status;
    memcpy(z, w->z, n * sizeof *z);
    ctx->failed_block = k;
    return 1;
}

/* A number in -1 .. 1 that depends on the trial and the unknown alone: runs repeat. */
static double scatter(uint32_t trial, uint32_t i)
{
    uint64_t h = (uint64_t)trial * 0x9e3779b97f4a7c15u + (uint64_t)(i + 1) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 30)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    return (double)(h >> 11) / 4503599627370496.0 - 1;
}

/* At the start of a run the first guess is the modeller's, and may be one where the Jacobian is
 * singular, or too far away. Then others around it are tried, the near ones first; of a single
 * unknown both sides in turn. */
static int solve(RungContext *ctx, uint32_t k, double t, const double *x)
{
    enum { TRIALS = 60, PER_RADIUS = 6 };
    const RungBlock *b = &ctx->model->block[k];
    Newton *w = ctx->user;
    if (b->is_linear)
        return linear_solve(w->linear, ctx, k, t, x);
    int status = newton(ctx, k, t, x);
    if (status <= 0 || !w->searches)
        return status;
    double *z = ctx->z + b->first;
    memcpy(w->guess, z, b->n * sizeof *z);
    double radius = 0.1;
    for (uint32_t trial = 0; trial < TRIALS && status > 0; trial++) {
        if (trial > 0 && trial % PER_RADIUS == 0)
            radius *= 1.6;
        for (uint32_t i = 0; i < b->n; i++) {
            double side = trial % 2 ? -1 : 1;
            double part = (double)(trial % PER_RADIUS + 2) / (PER_RADIUS + 1);
            double way = b->n == 1 ? side * part : scatter(trial, i);
            z[i] = w->guess[i] + radius * way * (fabs(w->guess[i]) + b->nominal[i]);
        }
        ctx->failed_pivot = ctx->failed_block = RUNG_NONE;
        status = newton(ctx, k, t, x);
    }
    if (status > 0)
        memcpy(z, w->guess, b->n * sizeof *z);
    return status;
}

void context_search(RungContext *ctx, bool on)
{
    Newton *w = ctx->user;
    w->searches = on;
}

void context_free(RungContext *ctx)
{
    if (!ctx)
        return;
    newton_free(ctx->user);
    free(ctx->p);
    free(ctx->is_set);
    free(ctx->c);
    free(ctx->u);
    free(ctx->z);
    free(ctx->w);
    free(ctx);
}

RungContext *context_new(const RungModel *m)
{
    if (m->version != RUNG_MODEL_VERSION || m->size < sizeof(RungModel))
        return NULL;
    RungContext *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return NULL;
    // one more than needed, so that an empty array is not NULL
    ctx->model = m;
    ctx->p = calloc(m->n_parameters + (size_t)1, sizeof *ctx->p);
    ctx->is_set = calloc(m->n_parameters + (size_t)1, sizeof *ctx->is_set);
    ctx->c = calloc(m->n_constants + (size_t)1, sizeof *ctx->c);
    size_t n_memory = m->event ? m->event->n_memory : 0;
    ctx->u = calloc(m->n_inputs + n_memory + (m->newton ? m->newton->n : 0) + 1, sizeof *ctx->u);
    ctx->z = calloc(m->n_unknowns + (size_t)1, sizeof *ctx->z);
    ctx->w = calloc(m->n_work + (size_t)1, sizeof *ctx->w);
    ctx->user = newton_new(m);
    ctx->solve = solve;
    ctx->failed_pivot = ctx->failed_block = ctx->failed_unknown = RUNG_NONE;
    if (!ctx->p || !ctx->is_set || !ctx->c || !ctx->u || !ctx->z || !ctx->w || !ctx->user) {
        context_free(ctx);
        return NULL;
    }
    for (uint32_t k = 0; k < m->n_parameters; k++)
        ctx->p[k] = m->parameter[k].default_value;
    for (uint32_t k = 0; k < m->n_inputs; k++)
        ctx->u[k] = m->input[k].start;
    for (uint32_t k = 0; k < m->n_blocks; k++)
        for (uint32_t i = 0; i < m->block[k].n; i++)
            ctx->z[m->block[k].first + i] = m->block[k].start[i];
    return ctx;
}

uint32_t context_find(const RungContext *ctx, const char *name)
{
    for (uint32_t k = 0; k < ctx->model->n_variables; k++)
        if (!strcmp(rung_name(ctx->model, k), name))
            return k;
    return RUNG_NONE;
}

static bool read_value(RungType type, const char *text, double *value)
{
    char *end;
    if (type == RUNG_BOOLEAN) {
        *value = !strcmp(text, "true");
        return *value != 0 || !strcmp(text, "false");
    }
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) &&
           (type == RUNG_REAL || *value == floor(*value));
}

ContextSet context_set(RungContext *ctx, const char *name, const char *text)
{
    const RungModel *m = ctx->model;
    uint32_t row = context_find(ctx, name);
    if (row == RUNG_NONE)
        return SET_UNKNOWN;
    const RungVariable v = rung_variable(m, row);
    double value;
    bool is_input = v.attributes->kind == RUNG_INPUT && v.place == RUNG_IN_INPUTS && !v.negated;
    bool is_parameter =
        v.place == RUNG_IN_PARAMETERS && !v.negated && m->parameter[v.index].variable == row;
    if (!is_input && !is_parameter)
        return v.attributes->kind == RUNG_PARAMETER || v.attributes->kind == RUNG_CONSTANT
                   ? SET_FIXED
                   : SET_NOT_PARAMETER;
    if (is_parameter && !m->parameter[v.index].is_settable)
        return SET_FIXED;
    if (!read_value((RungType)v.attributes->type, text, &value))
        return SET_BAD_VALUE;
    if (is_input) {
        ctx->u[v.index] = value;
    } else {
        ctx->p[v.index] = value;
        ctx->is_set[v.index] = 1;
    }
    return SET_OK;
}

int context_update(RungContext *ctx)
{
    return ctx->model->update ? ctx->model->update(ctx) : 0;
}

uint64_t context_iterations(const RungContext *ctx)
{
    const Newton *w = ctx->user;
    return w->iterations;
}
