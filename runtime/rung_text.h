/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_text.h -- messages with values in them, put together in ctx->text.
 */
#ifndef RUNG_TEXT_H
#define RUNG_TEXT_H

#include "rung_model.h"

#include <stdio.h>
#include <string.h>

static inline void rung_text_begin(RungContext *ctx)
{
    ctx->text[0] = 0;
}

static inline void rung_text_put(RungContext *ctx, const char *text)
{
    size_t n = strlen(ctx->text);
    snprintf(ctx->text + n, sizeof ctx->text - n, "%s", text);
}

/* The text just put together as an argument of a function: a number for it, good for the next
 * few. */
static inline double rung_text_keep(RungContext *ctx)
{
    const uint32_t k = ctx->n_kept++ % 8;
    memcpy(ctx->kept[k], ctx->text, sizeof ctx->text);
    return k;
}

static inline const char *rung_text_kept(const RungContext *ctx, double number)
{
    return ctx->kept[(uint32_t)number % 8];
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
        snprintf(ctx->text + n, sizeof ctx->text - n, format, value);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
        return;
    }
    const char *line = format + 1;
    for (double k = 1; k < value && *line; k++) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    snprintf(ctx->text + n, sizeof ctx->text - n, "%.*s", (int)strcspn(line, "\n"), line);
}

#endif
