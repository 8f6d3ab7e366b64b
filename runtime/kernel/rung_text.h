/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_text.h -- texts: messages with values in them, put together in ctx->text, and the values
 * of Strings.
 *
 * A String of a running model is a number that stands for its text: 0 for "", 1, 2, ... for those
 * that functions at work have made, which are gone when the function returns, and -1, -2, ... for
 * those that the model keeps, each text once, so that equal ones have equal numbers.
 *
 * Texts are a length and bytes. Those bytes may go on: a text to which another is appended shares
 * them with the longer one, so that n concatenations in a row take O(n) in all.
 */
#ifndef RUNG_TEXT_H
#define RUNG_TEXT_H

#include "rung_model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void rung_text_begin(RungContext *ctx)
{
    ctx->text[0] = 0;
}

/* Behind the first n bytes `more` were to be put: a text that has no room for them ends in dots. */
static inline void rung_text_end(RungContext *ctx, size_t n, int more)
{
    if (more > 0 && (size_t)more >= sizeof ctx->text - n)
        memcpy(ctx->text + sizeof ctx->text - 4, "...", 4);
}

static inline void rung_text_put(RungContext *ctx, const char *text)
{
    size_t n = strlen(ctx->text);
    rung_text_end(ctx, n, snprintf(ctx->text + n, sizeof ctx->text - n, "%s", text));
}

/* format: as printf's of a double; or lines, of which the value is the number. */
static inline void rung_text_number(RungContext *ctx, const char *format, double value)
{
    size_t n = strlen(ctx->text);
    if (*format != '\n') {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
        int more = snprintf(ctx->text + n, sizeof ctx->text - n, format, value);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
        rung_text_end(ctx, n, more);
        return;
    }
    const char *line = format + 1;
    for (double k = 1; k < value && *line; k++) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    rung_text_end(
        ctx, n,
        snprintf(ctx->text + n, sizeof ctx->text - n, "%.*s", (int)strcspn(line, "\n"), line));
}

/* ---- Strings as values ---- */

typedef struct RungBytes {
    size_t users, n, room;
    char at[];
} RungBytes;

typedef struct RungText {
    RungBytes *bytes; /* NULL: "" */
    size_t n;
} RungText;

typedef struct RungKept {
    RungText text;  /* without bytes: free, and n the next free one, as 1 + index; 0: none is */
    int is_lasting; /* of a constant                                                          */
    int is_held;    /* rung_texts_collect has found it in memory                              */
} RungKept;

struct RungTextStore {
    uint32_t n_users; /* contexts */
    uint32_t n_made, room_made, n_kept;
    int is_full;                   /* there was no memory for one        */
    int is_lasting;                /* texts that are kept now stay       */
    RungText *made;                /* number 1 is made[0]  */
    RungKept *kept;                /* number -1 is kept[0] */
    size_t first_free;             /* as RungText.n of a free one      */
    size_t n_held, size;           /* of kept ones, and of their bytes */
    size_t n_held_then, size_then; /* after the last collection        */
    uint32_t n_slots;
    uint32_t *slot; /* of a hash table: 1 + index in kept */
};

static inline void rung_text_drop(RungText t)
{
    if (t.bytes && --t.bytes->users == 0)
        free(t.bytes);
}

static inline struct RungTextStore *rung_texts(RungContext *ctx)
{
    if (!ctx->texts)
        ctx->texts = (struct RungTextStore *)calloc(1, sizeof *ctx->texts);
    if (ctx->texts && !ctx->texts->n_users)
        ctx->texts->n_users = 1;
    return ctx->texts;
}

/* `to`, which has no texts yet, gets those of `from`. */
static inline void rung_texts_share(RungContext *to, RungContext *from)
{
    to->texts = rung_texts(from);
    if (to->texts)
        to->texts->n_users++;
}

static inline void rung_texts_free(RungContext *ctx)
{
    struct RungTextStore *all = ctx->texts;
    ctx->texts = NULL;
    if (!all || --all->n_users)
        return;
    for (uint32_t k = 0; k < all->n_made; k++)
        rung_text_drop(all->made[k]);
    for (uint32_t k = 0; k < all->n_kept; k++)
        rung_text_drop(all->kept[k].text);
    free(all->made);
    free(all->kept);
    free(all->slot);
    free(all);
}

/* Whether memory for a text was missing. The text is then "", and the calling function has to fail.
 */
static inline int rung_texts_full(RungContext *ctx)
{
    return !rung_texts(ctx) || ctx->texts->is_full;
}

/* n bytes, with room behind them; copied from `at`. */
static inline RungBytes *rung_bytes(const char *at, size_t n, size_t room)
{
    RungBytes *b = (RungBytes *)malloc(sizeof *b + room + 1);
    if (!b)
        return NULL;
    b->users = 1;
    b->n = n;
    b->room = room;
    memcpy(b->at, at, n);
    b->at[n] = 0;
    return b;
}

static inline RungText *rung_text_at(RungContext *ctx, double number)
{
    struct RungTextStore *all = ctx->texts;
    if (!all || number == 0)
        return NULL;
    return number > 0 ? &all->made[(uint32_t)number - 1] : &all->kept[(uint32_t)-number - 1].text;
}

static inline size_t rung_text_length(RungContext *ctx, double number)
{
    const RungText *t = rung_text_at(ctx, number);
    return t ? t->n : 0;
}

/* Good until the text is gone, or another one is appended to it. */
static inline const char *rung_text_of(RungContext *ctx, double number)
{
    RungText *t = rung_text_at(ctx, number);
    if (!t || !t->bytes)
        return "";
    if (t->bytes->n > t->n) {
        /* another text goes on behind it: bytes of its own, that end */
        RungBytes *own = rung_bytes(t->bytes->at, t->n, t->n);
        if (!own) {
            ctx->texts->is_full = 1;
            return "";
        }
        rung_text_drop(*t);
        t->bytes = own;
    }
    return t->bytes->at;
}

/* Takes the bytes over. */
static inline double rung_text_push(RungContext *ctx, RungBytes *bytes)
{
    struct RungTextStore *all = rung_texts(ctx);
    if (!all)
        return 0;
    if (bytes && all->n_made == all->room_made) {
        uint32_t room = 2 * all->room_made + 16;
        RungText *more = (RungText *)realloc(all->made, room * sizeof *more);
        if (more) {
            all->made = more;
            all->room_made = room;
        }
    }
    if (!bytes || all->n_made == all->room_made) {
        all->is_full = 1;
        if (bytes)
            rung_text_drop((RungText){bytes, 0});
        return 0;
    }
    all->made[all->n_made].bytes = bytes;
    all->made[all->n_made++].n = bytes->n;
    return all->n_made;
}

static inline double rung_text_new(RungContext *ctx, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    return n ? rung_text_push(ctx, rung_bytes(text, n, n)) : 0;
}

static inline double rung_text_join(RungContext *ctx, double a, double b)
{
    size_t n = rung_text_length(ctx, a), more = rung_text_length(ctx, b);
    if (n == 0 || more == 0)
        return n == 0 ? b : a;
    const char *tail = rung_text_of(ctx, b);
    RungText *head = rung_text_at(ctx, a);
    RungBytes *bytes = head->bytes;
    if (bytes->n == n && bytes->room - n >= more && a != b) {
        bytes->users++;
    } else {
        bytes = rung_bytes(bytes->at, n, 2 * (n + more));
        if (!bytes)
            return rung_text_push(ctx, NULL);
    }
    memcpy(bytes->at + n, tail, more);
    bytes->n = n + more;
    bytes->at[bytes->n] = 0;
    return rung_text_push(ctx, bytes);
}

/* The text of a value, by a format as that of rung_text_number. */
static inline double rung_text_value(RungContext *ctx, const char *format, double value)
{
    rung_text_begin(ctx);
    rung_text_number(ctx, format, value);
    return rung_text_new(ctx, ctx->text);
}

/* -1, 0, 1: a comes before b, is equal, comes after (MLS 3.5). */
static inline double rung_text_compare(RungContext *ctx, double a, double b)
{
    if (a == b)
        return 0;
    int order = strcmp(rung_text_of(ctx, a), rung_text_of(ctx, b));
    return order < 0 ? -1 : order > 0;
}

/* Begin and end of a function: the texts that it made in between are freed, except the n results
 * with these indices. */
static inline uint32_t rung_texts_mark(const RungContext *ctx)
{
    return ctx->texts ? ctx->texts->n_made : 0;
}

static inline void rung_texts_release(RungContext *ctx, uint32_t mark)
{
    struct RungTextStore *all = ctx->texts;
    while (all && all->n_made > mark)
        rung_text_drop(all->made[--all->n_made]);
}

static inline void rung_texts_return(RungContext *ctx, uint32_t mark, uint32_t n,
                                     const uint32_t *index, double *result)
{
    struct RungTextStore *all = ctx->texts;
    uint32_t end = rung_texts_mark(ctx), next = mark;
    if (end == mark)
        return;
    for (uint32_t k = 0; k < n; k++) {
        double *number = &result[index[k]];
        if (*number <= mark)
            continue;
        RungText t = *rung_text_at(ctx, *number);
        t.bytes->users++;
        if (rung_text_push(ctx, t.bytes) == 0) {
            *number = 0;
            continue;
        }
        all->made[all->n_made - 1].n = t.n;
        *number = ++next;
    }
    /* the results come behind those that are kept */
    for (uint32_t k = mark; k < end; k++)
        rung_text_drop(all->made[k]);
    memmove(all->made + mark, all->made + end, (all->n_made - end) * sizeof *all->made);
    all->n_made -= end - mark;
}

static inline uint32_t rung_text_hash(const char *text)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    while (*text)
        h = (h ^ (unsigned char)*text++) * 16777619u;
    return h;
}

static inline void rung_texts_enter(struct RungTextStore *all, uint32_t k)
{
    uint32_t at = rung_text_hash(all->kept[k].text.bytes->at) % all->n_slots;
    while (all->slot[at])
        at = (at + 1) % all->n_slots;
    all->slot[at] = k + 1;
}

/* The hash table anew, over the texts that there are. */
static inline void rung_texts_index(struct RungTextStore *all)
{
    memset(all->slot, 0, all->n_slots * sizeof *all->slot);
    for (uint32_t k = 0; k < all->n_kept; k++)
        if (all->kept[k].text.bytes)
            rung_texts_enter(all, k);
}

/* Room for one more text; 0: there is none. */
static inline int rung_texts_room(struct RungTextStore *all)
{
    if (2 * all->n_kept < all->n_slots)
        return 1;
    uint32_t n_slots = all->n_slots ? 2 * all->n_slots : 64;
    uint32_t *slot = (uint32_t *)calloc(n_slots, sizeof *slot);
    RungKept *kept = (RungKept *)realloc(all->kept, n_slots * sizeof *kept);
    all->kept = kept ? kept : all->kept;
    if (!slot || !kept) {
        free(slot);
        all->is_full = 1;
        return 0;
    }
    free(all->slot);
    all->slot = slot;
    all->n_slots = n_slots;
    rung_texts_index(all);
    return 1;
}

/* The number under which the model keeps a text. */
static inline double rung_text_keep(RungContext *ctx, const char *text)
{
    struct RungTextStore *all = rung_texts(ctx);
    size_t n = strlen(text);
    if (!all || n == 0 || !rung_texts_room(all))
        return 0;
    uint32_t at = rung_text_hash(text) % all->n_slots;
    for (; all->slot[at]; at = (at + 1) % all->n_slots) {
        RungKept *found = &all->kept[all->slot[at] - 1];
        if (found->text.n == n && memcmp(found->text.bytes->at, text, n) == 0) {
            found->is_lasting |= all->is_lasting;
            return -(double)all->slot[at];
        }
    }
    RungBytes *bytes = rung_bytes(text, n, n);
    if (!bytes) {
        all->is_full = 1;
        return 0;
    }
    uint32_t k = all->first_free ? (uint32_t)all->first_free - 1 : all->n_kept++;
    if (all->first_free)
        all->first_free = all->kept[k].text.n;
    all->kept[k].text.bytes = bytes;
    all->kept[k].text.n = n;
    all->kept[k].is_lasting = all->is_lasting;
    all->kept[k].is_held = 0;
    all->slot[at] = k + 1;
    all->n_held++;
    all->size += n;
    return -(double)(k + 1);
}

/* A text that is kept, and its length. */
static inline const char *rung_text_kept(const RungContext *ctx, double number, size_t *n)
{
    const RungText *t =
        ctx->texts && number < 0 ? &ctx->texts->kept[(uint32_t)-number - 1].text : NULL;
    *n = t && t->bytes ? t->n : 0;
    return *n ? t->bytes->at : "";
}

/* The kept texts whose numbers are among these, which may be others than texts, too: then a text
 * may be held that need not be. */
static inline void rung_texts_hold(struct RungTextStore *all, size_t n, const double *number)
{
    for (size_t k = 0; k < n; k++)
        if (number[k] < 0 && number[k] >= -(double)all->n_kept)
            all->kept[(uint32_t)-number[k] - 1].is_held = 1;
}

/* Frees the texts that are kept and neither lasting nor among these numbers, of memory and of
 * values. Only where no function is at work and nobody else has their numbers. It waits until so
 * many were kept since the last time that its cost does not count. */
static inline void rung_texts_collect(RungContext *ctx, size_t n, const double *memory,
                                      size_t n_values, const double *value)
{
    enum { FEW = 256, SMALL = 1 << 20 };
    struct RungTextStore *all = ctx->texts;
    if (!all)
        return;
    size_t cost = n + n_values + all->n_slots;
    if (all->n_held < 2 * all->n_held_then + FEW + cost / 4 &&
        all->size < 2 * all->size_then + SMALL + cost)
        return;
    rung_texts_hold(all, n, memory);
    rung_texts_hold(all, n_values, value);
    for (uint32_t k = 0; k < all->n_kept; k++) {
        RungKept *it = &all->kept[k];
        if (it->text.bytes && !it->is_lasting && !it->is_held) {
            all->n_held--;
            all->size -= it->text.n;
            rung_text_drop(it->text);
            it->text.bytes = NULL;
            it->text.n = all->first_free;
            all->first_free = k + 1;
        }
        it->is_held = 0;
    }
    all->n_held_then = all->n_held;
    all->size_then = all->size;
    rung_texts_index(all);
}

/* The n numbers with these indices become those of kept texts. */
static inline void rung_texts_keep(RungContext *ctx, uint32_t n, const uint32_t *index,
                                   double *number)
{
    for (uint32_t k = 0; k < n; k++) {
        double *it = &number[index[k]];
        if (*it > 0)
            *it = rung_text_keep(ctx, rung_text_of(ctx, *it));
    }
}

#endif
