/* SPDX-License-Identifier: BSD-3-Clause */
#include "initial.h"
#include "event.h"
#include "fallback.h"
#include "rung_initial.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Text {
    char *at;
    size_t size, n;
} Text;

static void say(Text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(Text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->at + t->n, t->size - t->n, fmt, args);
    va_end(args);
    t->n += n < 0 ? 0 : (size_t)n;
    t->n = t->n < t->size ? t->n : t->size - 1;
}

/* The start values are the modeller's handle on Newton's method, so they are reported. */
static void explain(const RungContext *ctx, Text *t)
{
    const RungModel *m = ctx->model;
    enum { SHOWN = 4 };
    if (ctx->failed_pivot != RUNG_NONE) {
        const RungPivot *p = &m->pivot[ctx->failed_pivot];
        say(t, "the pivot that determines '%s' vanished or is not finite, equation %s%s%s",
            p->variable, p->equation, *p->instance ? " in " : "", p->instance);
    } else if (ctx->failed_message) {
        char call[400];
        context_failed_call(ctx, call, sizeof call);
        say(t, "%s", call);
    } else if (ctx->failed_block != RUNG_NONE) {
        const RungBlock *b = &m->block[ctx->failed_block];
        say(t, "Newton's method did not converge from the start values");
        for (uint32_t k = 0; k < b->n && k < SHOWN; k++)
            say(t, "%s %s = %.9g", k ? "," : "", rung_name(m, b->variable[k]),
                ctx->z[b->first + k]);
        if (b->n > SHOWN)
            say(t, " and %u more", b->n - SHOWN);
        say(t, "; first equation %s", b->equation[0]);
    } else {
        say(t, "the initial equations cannot be evaluated");
    }
}

static int check(RungContext *ctx, double t, Text *why)
{
    const RungModel *m = ctx->model;
    unsigned char *holds = calloc(m->n_assertions + (size_t)1, 1);
    if (!holds) {
        say(why, "out of memory");
        return -1;
    }
    int status = m->assertions ? m->assertions(ctx, t, NULL, holds) : 0;
    for (uint32_t k = 0; k < m->n_assertions && !status; k++) {
        const RungAssertion *a = &m->assertion[k];
        if (a->constant != RUNG_NONE ? ctx->c[a->constant] != 0 : holds[k])
            continue;
        say(why, "%s%s%s", a->where, *a->where ? ": " : "", a->message);
        status = -1;
    }
    free(holds);
    return status;
}

/* A row of a model by its name. */
typedef struct Named {
    const char *name;
    uint32_t row;
} Named;

static int compare_names(const void *a, const void *b)
{
    const Named *one = a, *other = b;
    return strcmp(one->name, other->name);
}

/* The rows of `model` with the names of the initial values of `it`, an array of it->n, or NULL: one
 * of them has no row there, or out of memory. */
static uint32_t *rows_by_name(const RungInitial *it, const RungModel *model)
{
    const uint32_t n = model->n_variables;
    Named *all = malloc((n + (size_t)1) * sizeof *all);
    uint32_t *row = malloc((it->n + (size_t)1) * sizeof *row);
    bool good = all && row;
    for (uint32_t k = 0; good && k < n; k++)
        all[k] = (Named){rung_name(model, k), k};
    if (good)
        qsort(all, n, sizeof *all, compare_names);
    for (uint32_t k = 0; good && k < it->n; k++) {
        const Named key = {rung_name(it->model, it->value[k].row), 0};
        const Named *found = bsearch(&key, all, n, sizeof *all, compare_names);
        good = found;
        row[k] = found ? found->row : 0;
    }
    free(all);
    if (!good) {
        free(row);
        row = NULL;
    }
    return row;
}

static int take_values(RungContext *ctx, const RungContext *from, const uint32_t *row, double t,
                       double *x, const double *v, Text *why)
{
    const RungInitial *it = ctx->model->initial;
    for (uint32_t k = 0; k < it->n; k++) {
        const RungInitialValue *to = &it->value[k];
        double value = rung_value(from, row ? row[k] : to->row, t, NULL, v);
        if (!isfinite(value)) {
            say(why, "the initial value of '%s' is not finite", rung_name(from->model, to->row));
            return -1;
        }
        if (to->place == RUNG_IN_STATES) {
            x[to->index] = value;
        } else if (to->place == RUNG_IN_UNKNOWNS) {
            ctx->z[to->index] = value;
        } else if (to->place == RUNG_IN_INPUTS) {
            ctx->u[to->index] = value; // memory, behind the inputs
        } else {
            ctx->p[to->index] = value;
            ctx->is_set[to->index] = 1;
        }
    }
    return context_update(ctx);
}

/* The values of `from`, the initial system of the model, or of its fallback. */
static int take_over(RungContext *ctx, const RungContext *from, double t, double *x,
                     const double *v, Text *why)
{
    const RungInitial *it = ctx->model->initial;
    if (from->model == it->model)
        return take_values(ctx, from, NULL, t, x, v, why);
    uint32_t *row = rows_by_name(it, from->model);
    const int status = row ? take_values(ctx, from, row, t, x, v, why) : -1;
    if (!row)
        say(why, "the fallback of the initial system has other variables");
    free(row);
    return status;
}

static int evaluate(RungContext *init, double t, double *v)
{
    init->failed_pivot = init->failed_block = RUNG_NONE;
    init->failed_message = NULL;
    int status = init->model->start(init, t, NULL);
    return status ? status : init->model->outputs(init, t, NULL, v);
}

/* Solves with the relations fixed, and renews them, until they no longer change. */
static int iterate_relations(RungContext *init, double t, double *v)
{
    Counts counts = {0};
    Run run = {.problem = {.model = init->model,
                           .ctx = init,
                           .piece_start = t,
                           .counts = &counts,
                           .bad_state = RUNG_NONE,
                           .fallback = fallback_new(init, 1)},
               .t = t};
    Events events;
    int status = -1;
    if (events_new(&events, &run) && run.problem.fallback) {
        memset(events.r.memory, 0, events.table->n_memory * sizeof *events.r.memory);
        rung_start_guess(init);
        status = events_iterate(&events, &run);
        if (!status)
            status = evaluate(init, t, v);
    }
    events_free(&events);
    fallback_delete(run.problem.fallback);
    init->least = 0;
    init->recall = NULL;
    init->recall_from = NULL;
    return status;
}

/* The initial system while it is solved: for rung_initial.h. */
typedef struct Start {
    RungContext *init;
    double t, *v;
} Start;

static int evaluate_start(void *start)
{
    const Start *it = start;
    return evaluate(it->init, it->t, it->v);
}

static int iterate_start(void *start)
{
    const Start *it = start;
    return iterate_relations(it->init, it->t, it->v);
}

static void search_start(void *start, int thorough)
{
    context_search(((Start *)start)->init, thorough != 0);
}

static int solve(RungContext *init, double t, double *v)
{
    Start start = {init, t, v};
    RungStart it = {.init = init,
                    .kept = malloc((init->model->n_unknowns + (size_t)1) * sizeof *it.kept),
                    .user = &start,
                    .evaluate = evaluate_start,
                    .iterate = iterate_start,
                    .search = search_start};
    int status = it.kept ? rung_start_solve(&it) : -1;
    free(it.kept);
    return status;
}

/* MLS 12.9.7: the initial system calls functions with the objects of the run, which remember it. */
static void exchange_objects(RungContext *ctx, RungContext *init)
{
    if (!init || init->model->n_objects != ctx->model->n_objects)
        return;
    struct RungObject *mine = ctx->object;
    ctx->object = init->object;
    init->object = mine;
}

/* Solves the initial system `model` and takes its values over. *has_pivot: it is not solved, as a
 * pivot vanished that another may replace. */
static int initialise_by(RungContext *ctx, const RungModel *model, double t, double *x, Text *text,
                         bool *has_pivot)
{
    const RungModel *m = ctx->model;
    RungContext *init = context_new(model);
    double *v = calloc(model->n_values + (size_t)1, sizeof *v);
    int status = -1;
    *has_pivot = false;
    if (!init || !v) {
        say(text, "out of memory");
    } else {
        memcpy(init->p, ctx->p, m->n_parameters * sizeof *ctx->p);
        memcpy(init->is_set, ctx->is_set, m->n_parameters);
        memcpy(init->u, ctx->u, m->n_inputs * sizeof *ctx->u);
        init->message = ctx->message;
        init->warn_to = ctx->warn_to;
        init->files = ctx->files;
        context_share_texts(init, ctx);
        context_leave_open(init, true);
        exchange_objects(ctx, init);
        status = context_update(init);
        if (!status)
            status = solve(init, t, v);
        *has_pivot = status > 0 && init->failed_pivot != RUNG_NONE &&
                     !model->pivot[init->failed_pivot].is_alone;
        if (status)
            explain(init, text);
        else
            status = check(init, t, text);
        exchange_objects(ctx, init);
        if (!status)
            status = take_over(ctx, init, t, x, v, text);
    }
    free(v);
    context_free(init);
    return status;
}

/* The initial system of the fallback; NULL: there is none. */
static const RungModel *fallback_system(const RungModel *m, InitialFallback fallback)
{
    const RungModel *other = m->fallback && m->fallback->initial ? m->fallback
                             : fallback.make                     ? fallback.make(fallback.user)
                                                                 : NULL;
    const RungInitial *it = other ? other->initial : NULL;
    if (!it || it->model->n_parameters != m->n_parameters || it->model->n_inputs != m->n_inputs)
        return NULL;
    if (it->model->fill)
        it->model->fill();
    return it->model;
}

int context_initialise(RungContext *ctx, double t, double *x, InitialFallback fallback, char *why,
                       size_t size)
{
    const RungInitial *it = ctx->model->initial;
    if (!it)
        return 0;
    Text text = {why, size, 0};
    *why = 0;
    bool has_pivot;
    int status = initialise_by(ctx, it->model, t, x, &text, &has_pivot);
    const RungModel *other = has_pivot ? fallback_system(ctx->model, fallback) : NULL;
    if (other) {
        text.n = 0;
        *why = 0;
        status = initialise_by(ctx, other, t, x, &text, &has_pivot);
    }
    return status;
}
