/* SPDX-License-Identifier: BSD-3-Clause */
#include "snapshot.h"

#include "context.h"
#include "rung_text.h"

#include <stdlib.h>
#include <string.h>

static const char magic[12] = "rung state\n";
enum { VERSION = 6 };
static const uint32_t byte_order = 0x01020304;

/* FNV-1a of 64 bits (Fowler, Noll, Vo). */
static const uint64_t FNV_BEGIN = 0xcbf29ce484222325u;

static uint64_t mix(uint64_t h, const void *data, size_t size)
{
    const unsigned char *at = data;
    for (size_t k = 0; k < size; k++)
        h = (h ^ at[k]) * 0x100000001b3u;
    return h;
}

/* A number that changes with the names and places of variables and with the memory of events. */
static uint64_t snapshot_layout(const RungModel *m)
{
    const uint32_t n[] = {m->n_states,     m->n_variables, m->n_values,
                          m->n_parameters, m->n_constants, m->n_inputs,
                          m->n_unknowns,   m->n_blocks,    m->event ? m->event->n_memory : 0};
    uint64_t h = mix(FNV_BEGIN, n, sizeof n);
    for (uint32_t k = 0; k < m->n_variables; k++) {
        const RungVariable v = rung_variable(m, k);
        const uint32_t place[] = {v.index, v.place, v.negated, v.attributes->kind};
        h = mix(h, v.name, strlen(v.name) + 1);
        h = mix(h, place, sizeof place);
    }
    h = mix(h, m->state, m->n_states * sizeof *m->state);
    for (uint32_t k = 0; m->event && k < m->event->n_memory; k++) {
        const RungMemory *it = &m->event->memory[k];
        const uint32_t kind[] = {it->kind, it->is_strict, it->is_exact};
        h = mix(h, kind, sizeof kind);
        if (it->is_string)
            h = mix(h, &k, sizeof k);
    }
    return h;
}

/* ------------------------------------------------------------------ bytes */

void snapshot_free(Snapshot *s)
{
    free(s->at);
    *s = (Snapshot){0};
}

static void append(Snapshot *s, const void *data, size_t size)
{
    if (s->failed)
        return;
    if (s->room - s->n < size) {
        size_t room = 2 * s->room + size + 256;
        unsigned char *at = realloc(s->at, room);
        if (!at) {
            s->failed = true;
            return;
        }
        s->at = at;
        s->room = room;
    }
    if (size)
        memcpy(s->at + s->n, data, size);
    s->n += size;
}

static bool take(Snapshot *s, void *data, size_t size)
{
    s->failed = s->failed || s->n - s->next < size;
    if (s->failed)
        return false;
    if (size)
        memcpy(data, s->at + s->next, size);
    s->next += size;
    return true;
}

void snapshot_put(Snapshot *s, const void *array, size_t size)
{
    const uint64_t length = size;
    append(s, &length, sizeof length);
    append(s, array, size);
}

size_t snapshot_next(const Snapshot *s)
{
    uint64_t length = 0;
    if (!s->failed && s->n - s->next >= sizeof length)
        memcpy(&length, s->at + s->next, sizeof length);
    return (size_t)length;
}

bool snapshot_get(Snapshot *s, void *array, size_t size)
{
    uint64_t length;
    if (take(s, &length, sizeof length) && length != size)
        s->failed = true;
    return !s->failed && take(s, array, size);
}

void snapshot_begin(Snapshot *s, const RungModel *m)
{
    const uint32_t version = VERSION;
    const uint64_t layout = snapshot_layout(m);
    s->n = s->next = 0;
    s->failed = false;
    append(s, magic, sizeof magic);
    append(s, &version, sizeof version);
    append(s, &byte_order, sizeof byte_order);
    append(s, &layout, sizeof layout);
}

void snapshot_end(Snapshot *s)
{
    const uint64_t sum = mix(FNV_BEGIN, s->at, s->n);
    append(s, &sum, sizeof sum);
}

bool snapshot_is_whole(Snapshot *s)
{
    uint64_t sum;
    if (s->n < sizeof sum)
        return false;
    memcpy(&sum, s->at + s->n - sizeof sum, sizeof sum);
    if (sum != mix(FNV_BEGIN, s->at, s->n - sizeof sum))
        return false;
    s->n -= sizeof sum;
    return true;
}

void snapshot_read(Snapshot *s, const void *bytes, size_t n)
{
    s->n = s->next = 0;
    s->failed = false;
    append(s, bytes, n);
}

const char *snapshot_check(Snapshot *s, const RungModel *m)
{
    char head[sizeof magic];
    uint32_t version, order;
    uint64_t layout;
    s->next = 0;
    s->failed = false;
    if (!take(s, head, sizeof head) || memcmp(head, magic, sizeof magic) != 0)
        return "it is not a saved state";
    if (!take(s, &version, sizeof version) || !take(s, &order, sizeof order) ||
        !take(s, &layout, sizeof layout))
        return "it is cut off or damaged";
    if (order != byte_order)
        return "it is of a machine with another byte order";
    if (version != VERSION)
        return "it is of another version of the format";
    if (layout != snapshot_layout(m))
        return "it belongs to another model, or to another version of it";
    return NULL;
}

/* ------------------------------------------------------------------ an instance */

bool context_can_save(const RungModel *m)
{
    return m->n_objects == 0;
}

static size_t n_remembered(const RungModel *m)
{
    return m->n_inputs + (m->event ? m->event->n_memory : (size_t)0);
}

static bool is_string(const RungModel *m, uint32_t k)
{
    return m->event->memory[k].is_string;
}

/* Numbers of texts stand for them in one run alone. */
static void save_strings(const RungContext *ctx, Snapshot *s)
{
    const RungModel *m = ctx->model;
    for (uint32_t k = 0; m->event && k < m->event->n_memory; k++)
        if (is_string(m, k)) {
            size_t n;
            const char *text = rung_text_kept(ctx, ctx->u[m->n_inputs + k], &n);
            snapshot_put(s, text, n);
        }
}

static bool restore_strings(RungContext *ctx, Snapshot *s)
{
    const RungModel *m = ctx->model;
    bool any = m->n_strings || (ctx->texts && ctx->texts->n_kept), ok = true;
    for (uint32_t k = 0; m->event && k < m->event->n_memory && ok; k++) {
        if (!is_string(m, k))
            continue;
        size_t n = snapshot_next(s);
        char *text = n <= s->n - s->next ? malloc(n + 1) : NULL;
        ok = text && snapshot_get(s, text, n);
        if (ok) {
            text[n] = 0;
            ctx->u[m->n_inputs + k] = context_keep_text(ctx, text);
        }
        free(text);
        any = true;
    }
    // the texts of constants follow from the parameters
    return ok && (!any || !context_update(ctx));
}

void context_save(const RungContext *ctx, double t, const double *x, Snapshot *s)
{
    const RungModel *m = ctx->model;
    snapshot_put(s, &t, sizeof t);
    snapshot_put(s, x, m->n_states * sizeof *x);
    snapshot_put(s, ctx->p, m->n_parameters * sizeof *ctx->p);
    snapshot_put(s, ctx->is_set, m->n_parameters);
    snapshot_put(s, ctx->c, m->n_constants * sizeof *ctx->c);
    snapshot_put(s, ctx->u, n_remembered(m) * sizeof *ctx->u);
    snapshot_put(s, ctx->z, m->n_unknowns * sizeof *ctx->z);
    save_strings(ctx, s);
}

bool context_restore(RungContext *ctx, double *t, double *x, Snapshot *s)
{
    const RungModel *m = ctx->model;
    return context_forget(ctx) && snapshot_get(s, t, sizeof *t) &&
           snapshot_get(s, x, m->n_states * sizeof *x) &&
           snapshot_get(s, ctx->p, m->n_parameters * sizeof *ctx->p) &&
           snapshot_get(s, ctx->is_set, m->n_parameters) &&
           snapshot_get(s, ctx->c, m->n_constants * sizeof *ctx->c) &&
           snapshot_get(s, ctx->u, n_remembered(m) * sizeof *ctx->u) &&
           snapshot_get(s, ctx->z, m->n_unknowns * sizeof *ctx->z) && restore_strings(ctx, s);
}
