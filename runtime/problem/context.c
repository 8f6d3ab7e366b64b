/* SPDX-License-Identifier: BSD-3-Clause */
#include "context.h"
#include "external.h"
#include "linear.h"
#include "nonlinear.h"
#include "rung_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The solvers of the blocks of a model. */
typedef struct Solver {
    Linear *linear;
    Nonlinear *nonlinear;
    uint64_t iterations; /* of solvers before this one */
} Solver;

static void solver_free(Solver *s)
{
    if (!s)
        return;
    linear_free(s->linear);
    nonlinear_free(s->nonlinear);
    free(s);
}

static Solver *solver_new(const RungModel *m)
{
    Solver *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->linear = linear_new(m);
    s->nonlinear = nonlinear_new(m);
    if (!s->linear || !s->nonlinear) {
        solver_free(s);
        return NULL;
    }
    return s;
}

static int solve(RungContext *ctx, uint32_t k, double t, const double *x)
{
    const Solver *s = ctx->user;
    return ctx->model->block[k].is_linear ? linear_solve(s->linear, ctx, k, t, x)
                                          : nonlinear_solve(s->nonlinear, ctx, k, t, x);
}

void context_search(RungContext *ctx, bool on)
{
    const Solver *s = ctx->user;
    nonlinear_search(s->nonlinear, on);
}

bool context_searches(const RungContext *ctx)
{
    const Solver *s = ctx->user;
    return nonlinear_searches(s->nonlinear);
}

bool context_leave_kinks(RungContext *ctx, bool on)
{
    const Solver *s = ctx->user;
    return nonlinear_leave_kinks(s->nonlinear, on);
}

void context_keep_branches(const RungContext *ctx)
{
    const Solver *s = ctx->user;
    nonlinear_keep(s->nonlinear, ctx);
}

bool context_has_left_branch(RungContext *ctx)
{
    const Solver *s = ctx->user;
    return nonlinear_has_left(s->nonlinear, ctx);
}

void context_leave_open(RungContext *ctx, bool on)
{
    const Solver *s = ctx->user;
    nonlinear_leave_open(s->nonlinear, on);
}

bool context_forget(RungContext *ctx)
{
    Solver *fresh = solver_new(ctx->model);
    if (!fresh)
        return false;
    fresh->iterations = context_iterations(ctx);
    solver_free(ctx->user);
    ctx->user = fresh;
    return true;
}

void context_free(RungContext *ctx)
{
    if (!ctx)
        return;
    solver_free(ctx->user);
    for (uint32_t k = 0; ctx->object && k < ctx->model->n_objects; k++)
        rung_object_destroy(&ctx->object[k]);
    free(ctx->object);
    rung_texts_free(ctx);
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
    bool has_along = m->sensitivity && m->sensitivity->along;
    size_t n_along = has_along ? m->sensitivity->along->n_inputs : 0;
    ctx->u = calloc(m->n_inputs + n_memory + (m->newton ? m->newton->n : 0) +
                        (m->adjoint ? m->adjoint->n_inputs : 0) + n_along + 1,
                    sizeof *ctx->u);
    ctx->z = calloc(m->n_unknowns + (size_t)1, sizeof *ctx->z);
    ctx->object = calloc(m->n_objects + (size_t)1, sizeof *ctx->object);
    ctx->w = calloc(m->n_work + (size_t)1, sizeof *ctx->w);
    ctx->user = solver_new(m);
    ctx->solve = solve;
    ctx->failed_pivot = ctx->failed_block = ctx->failed_unknown = RUNG_NONE;
    if (!ctx->p || !ctx->is_set || !ctx->c || !ctx->u || !ctx->z || !ctx->w || !ctx->object ||
        !ctx->user) {
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

uint32_t context_literal(const RungAttributes *a, const char *text)
{
    const char *at = a->literals;
    size_t size = strlen(text);
    for (uint32_t k = 1; at && k <= a->n_literals; k++) {
        at += strcspn(at, "\n") + 1;
        size_t n = strcspn(at, "\n");
        bool ends = size >= n && !strncmp(text + (size - n), at, n);
        if (ends && (size == n || text[size - n - 1] == '.'))
            return k;
    }
    return 0;
}

static bool read_value(const RungAttributes *a, const char *text, double *value)
{
    RungType type = (RungType)a->type;
    char *end;
    if (type == RUNG_BOOLEAN) {
        *value = !strcmp(text, "true");
        return *value != 0 || !strcmp(text, "false");
    }
    if (type == RUNG_ENUMERATION && (*value = context_literal(a, text)) != 0)
        return true;
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
    for (uint32_t k = 0; is_parameter && m->initial && k < m->initial->n; k++)
        if (m->initial->value[k].place == RUNG_IN_PARAMETERS &&
            m->initial->value[k].index == v.index)
            return SET_INITIAL;
    if (!read_value(v.attributes, text, &value))
        return SET_BAD_VALUE;
    if (is_input) {
        ctx->u[v.index] = value;
    } else {
        ctx->p[v.index] = value;
        ctx->is_set[v.index] = 1;
    }
    return SET_OK;
}

const char *context_message(RungContext *ctx, double t, const double *x, uint32_t k,
                            const char *message)
{
    ctx->text[0] = 0;
    bool good = ctx->model->message && !ctx->model->message(ctx, t, x, k) && ctx->text[0];
    return good ? ctx->text : message;
}

void context_failed_call(const RungContext *ctx, char *text, size_t size)
{
    const char *of = ctx->failed_of;
    snprintf(text, size, "%s%s%s%s%s%s", ctx->failed_message, *ctx->failed_where ? ", " : "",
             ctx->failed_where, of ? ", in '" : "", of ? of : "", of ? "'" : "");
}

int context_update(RungContext *ctx)
{
    ctx->failed_message = NULL;
    ctx->failed_pivot = ctx->failed_block = ctx->failed_unknown = RUNG_NONE;
    if (!ctx->model->update)
        return 0;
    struct RungTextStore *texts = rung_texts(ctx);
    if (!texts)
        return -1;
    texts->is_lasting = 1; // constants hold them
    int status = ctx->model->update(ctx);
    texts->is_lasting = 0;
    return status;
}

void context_share_texts(RungContext *to, RungContext *from)
{
    rung_texts_free(to);
    rung_texts_share(to, from);
}

void context_collect_texts(RungContext *ctx, const double *v)
{
    const RungModel *m = ctx->model;
    if (ctx->texts)
        rung_texts_collect(ctx, m->event ? m->event->n_memory : 0, ctx->u + m->n_inputs,
                           m->n_values, v);
}

const char *context_text(RungContext *ctx, double number)
{
    return rung_text_of(ctx, number);
}

double context_keep_text(RungContext *ctx, const char *text)
{
    return rung_text_keep(ctx, text);
}

uint64_t context_iterations(const RungContext *ctx)
{
    const Solver *s = ctx->user;
    return s->iterations + nonlinear_iterations(s->nonlinear);
}

double context_iterations_per_solution(const RungContext *ctx)
{
    const Solver *s = ctx->user;
    return nonlinear_per_solution(s->nonlinear);
}

void context_watch_open(RungContext *ctx)
{
    const Solver *s = ctx->user;
    linear_watch(s->linear);
}

uint32_t context_open(const RungContext *ctx, const LinearOpen **open)
{
    const Solver *s = ctx->user;
    return linear_open(s->linear, open);
}

void context_settle(RungContext *ctx)
{
    const Solver *s = ctx->user;
    nonlinear_settle(s->nonlinear, ctx);
}

void context_go_on(RungContext *ctx)
{
    const Solver *s = ctx->user;
    nonlinear_go_on(s->nonlinear, ctx);
}
