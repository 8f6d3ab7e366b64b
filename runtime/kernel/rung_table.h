/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_table.h -- tables of a generated model that are filled when it is loaded.
 *
 * A model of a thousand equal bodies has tables with a thousand equal stretches. They are written
 * once: `count` times the same `period` numbers, each moving on by a constant from one time to the
 * next. A stretch is written count, period, and for each of the numbers its first value and, where
 * count > 1, its increment (modulo 2^32); texts are patterns in which a mark stands for each
 * number. All of it is characters, 5 bits each, least first, with a sixth that says whether more
 * follow, in rows as long as C11 guarantees: a compiler takes twenty times as long for the same as
 * numbers.
 */
#ifndef RUNG_TABLE_H
#define RUNG_TABLE_H

#include "rung_model.h"

#include <stddef.h>
#include <stdint.h>

enum { RUNG_ROW = 4096, RUNG_MARK = 1 };

/* Called often, run once: not worth a copy at every call. */
#if defined(__GNUC__)
#define RUNG_ONE_COPY static __attribute__((noinline, unused))
#else
#define RUNG_ONE_COPY static inline
#endif

typedef struct RungSequence {
    const char *text;
    size_t at, first; /* next digit; first number of the stretch */
    uint32_t count, period, round, place;
} RungSequence;

/* Digits are the characters from '$' on without '?' and '\\', which C gives a meaning. */
static inline uint32_t rung_digits(RungSequence *s)
{
    uint32_t value = 0, shift = 0, digit;
    do {
        if (!s->text[s->at])
            s->at = (s->at / RUNG_ROW + 1) * RUNG_ROW;
        const char c = s->text[s->at++];
        digit = (uint32_t)(c - '$' - (c > '?') - (c > '\\'));
        value |= (digit & 31u) << shift;
        shift += 5;
    } while (digit & 32u);
    return value;
}

static inline uint32_t rung_next(RungSequence *s)
{
    if (s->place == s->period) {
        s->place = 0;
        if (++s->round < s->count) {
            s->at = s->first;
        } else {
            s->count = rung_digits(s);
            s->period = rung_digits(s);
            s->first = s->at;
            s->round = 0;
        }
    }
    s->place++;
    const uint32_t base = rung_digits(s);
    return s->count > 1 ? base + s->round * rung_digits(s) : base;
}

/* n numbers, `step` bytes from one to the next. */
RUNG_ONE_COPY void rung_fill(void *to, size_t step, uint32_t n, const char *text)
{
    RungSequence s = {text, 0, 0, 0, 0, 0, 0};
    for (uint32_t k = 0; k < n; k++)
        *(uint32_t *)(void *)((char *)to + k * step) = rung_next(&s);
}

/* The same, of value[number]. */
RUNG_ONE_COPY void rung_fill_values(void *to, size_t step, uint32_t n, const char *text,
                                    const double *value)
{
    RungSequence s = {text, 0, 0, 0, 0, 0, 0};
    for (uint32_t k = 0; k < n; k++)
        *(double *)(void *)((char *)to + k * step) = value[rung_next(&s)];
}

/* Texts, each with its 0: a pattern, of which `pattern` + number is the beginning, with a number in
 * place of each mark. */
typedef struct RungTexts {
    char *to;
    const char *pattern, *which, *number;
} RungTexts;

RUNG_ONE_COPY void rung_text(RungTexts *t, const char *pattern, RungSequence *number)
{
    for (; *pattern; pattern++) {
        char digit[10];
        uint32_t value, n = 0;
        if (*pattern != RUNG_MARK) {
            *t->to++ = *pattern;
            continue;
        }
        value = rung_next(number);
        do
            digit[n++] = (char)('0' + value % 10);
        while (value /= 10);
        while (n)
            *t->to++ = digit[--n];
    }
    *t->to++ = 0;
}

/* Offsets of n texts, which lie one behind the other. */
RUNG_ONE_COPY void rung_fill_offsets(void *offset, size_t step, uint32_t n, RungTexts t)
{
    RungSequence which = {t.which, 0, 0, 0, 0, 0, 0}, number = {t.number, 0, 0, 0, 0, 0, 0};
    const char *begin = t.to;
    for (uint32_t k = 0; k < n; k++) {
        *(uint32_t *)(void *)((char *)offset + k * step) = (uint32_t)(t.to - begin);
        rung_text(&t, t.pattern + rung_next(&which), &number);
    }
}

/* Pointers to n texts; those without numbers stay where their patterns are. */
RUNG_ONE_COPY void rung_fill_texts(void *pointer, size_t step, uint32_t n, RungTexts t)
{
    RungSequence which = {t.which, 0, 0, 0, 0, 0, 0}, number = {t.number, 0, 0, 0, 0, 0, 0};
    for (uint32_t k = 0; k < n; k++) {
        const char *pattern = t.pattern + rung_next(&which), *p = pattern;
        while (*p && *p != RUNG_MARK)
            p++;
        *(const char **)(void *)((char *)pointer + k * step) = *p ? t.to : pattern;
        if (*p)
            rung_text(&t, pattern, &number);
    }
}

/* n blocks, each a copy of one of its kind; their unknowns, in the arrays of `all`, lie one behind
 * the other. */
RUNG_ONE_COPY void rung_fill_blocks(uint32_t n, RungBlock *block, const RungBlock *kinds,
                                    const uint32_t *kind, const uint32_t *copy, RungBlock all)
{
    uint32_t first = 0;
    for (uint32_t k = 0; k < n; k++) {
        RungBlock *b = &block[k];
        *b = kinds[kind[k]];
        b->copy = copy[k];
        b->first = first;
        b->variable = all.variable + first;
        b->start = all.start + first;
        b->nominal = all.nominal + first;
        b->equation = all.equation + first;
        first += b->n;
    }
}

#endif
