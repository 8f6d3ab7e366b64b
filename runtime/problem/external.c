/* SPDX-License-Identifier: BSD-3-Clause */
#include "external.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct RungString {
    RungString *next;
    char text[];
};

/* The innermost call of this thread: ModelicaError and its like (MLS 12.9.6) have no argument that
 * names their call. */
static _Thread_local RungCall *current;

void rung_call_enter(RungCall *call, RungContext *ctx, const char *where)
{
    call->ctx = ctx;
    call->where = where;
    call->outer = current;
    call->string = NULL;
    call->completed = NULL;
    current = call;
}

void rung_call_leave(RungCall *call)
{
    current = call->outer;
    while (call->string) {
        RungString *next = call->string->next;
        free(call->string);
        call->string = next;
    }
}

int rung_call_failed(RungCall *call)
{
    rung_call_leave(call);
    return rung_fail(call->ctx, call->ctx->text, call->where);
}

const char *rung_file(const RungContext *ctx, const char *path)
{
    const RungFiles *f = ctx->files;
    for (uint32_t k = 0; f && k < f->n; k++)
        if (f->now[k] && !strcmp(f->path[k], path))
            return f->now[k];
    return path;
}

void rung_object_completes(RungCompleted completed)
{
    if (current)
        current->completed = completed;
}

void rung_object_keep(const RungCall *call, uint32_t n, const double *in, void *at,
                      void (*destroy)(void *at))
{
    struct RungObject *o = &call->ctx->object[(uint32_t)in[0]];
    rung_object_destroy(o);
    o->at = at;
    o->destroy = destroy;
    o->completed = call->completed;
    o->in = malloc(n * sizeof *in);
    o->n_in = o->in ? n : 0;
    if (o->in)
        memcpy(o->in, in, n * sizeof *in);
}

bool rung_object_stays(const RungContext *ctx, uint32_t n, const double *in)
{
    const struct RungObject *o = &ctx->object[(uint32_t)in[0]];
    return o->at && o->n_in == n && memcmp(o->in, in, n * sizeof *in) == 0;
}

/* ---- MLS 12.9.6: utility functions ---- */

void ModelicaVFormatMessage(const char *format, va_list args);
void ModelicaFormatMessage(const char *format, ...);
void ModelicaMessage(const char *string);
void ModelicaVFormatWarning(const char *format, va_list args);
void ModelicaFormatWarning(const char *format, ...);
void ModelicaWarning(const char *string);
_Noreturn void ModelicaVFormatError(const char *format, va_list args);
_Noreturn void ModelicaFormatError(const char *format, ...);
_Noreturn void ModelicaError(const char *string);
char *ModelicaAllocateString(size_t length);
char *ModelicaAllocateStringWithErrorReturn(size_t length);
char *ModelicaDuplicateString(const char *text);
char *ModelicaDuplicateStringWithErrorReturn(const char *text);

/* Passes a message to the instance of the innermost call of this thread, if it has a receiver. */
static void tell(bool is_warning, const char *format, va_list args)
{
    if (current && current->ctx->message) {
        char text[1000];
        vsnprintf(text, sizeof text, format, args);
        size_t n = strlen(text);
        if (n > 0 && text[n - 1] == '\n')
            text[n - 1] = 0;
        current->ctx->message(current->ctx, text, is_warning);
        return;
    }
    fflush(stdout);
    if (is_warning)
        fputs("warning: ", stderr);
    vfprintf(stderr, format, args);
    // a message may be printed in pieces, a warning is one line
    size_t n = strlen(format);
    if (is_warning && (n == 0 || format[n - 1] != '\n'))
        fputc('\n', stderr);
}

void ModelicaVFormatMessage(const char *format, va_list args)
{
    tell(false, format, args);
}

void ModelicaFormatMessage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ModelicaVFormatMessage(format, args);
    va_end(args);
}

void ModelicaMessage(const char *string)
{
    ModelicaFormatMessage("%s", string);
}

void ModelicaVFormatWarning(const char *format, va_list args)
{
    tell(true, format, args);
}

void ModelicaFormatWarning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ModelicaVFormatWarning(format, args);
    va_end(args);
}

void ModelicaWarning(const char *string)
{
    ModelicaFormatWarning("%s", string);
}

void ModelicaVFormatError(const char *format, va_list args)
{
    if (!current) {
        /* from a destructor, without an instance to report to */
        vfprintf(stderr, format, args);
        exit(1);
    }
    vsnprintf(current->ctx->text, sizeof current->ctx->text, format, args);
    size_t n = strlen(current->ctx->text);
    while (n > 0 && current->ctx->text[n - 1] == '\n')
        current->ctx->text[--n] = 0;
    longjmp(current->jump, 1);
}

void ModelicaFormatError(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ModelicaVFormatError(format, args);
}

void ModelicaError(const char *string)
{
    ModelicaFormatError("%s", string);
}

char *ModelicaAllocateStringWithErrorReturn(size_t length)
{
    RungString *s = calloc(1, sizeof *s + length + 1);
    if (!s)
        return NULL;
    s->next = current ? current->string : NULL;
    if (current)
        current->string = s;
    return s->text;
}

char *ModelicaAllocateString(size_t length)
{
    char *text = ModelicaAllocateStringWithErrorReturn(length);
    if (!text)
        ModelicaError("out of memory");
    return text;
}

char *ModelicaDuplicateStringWithErrorReturn(const char *text)
{
    size_t n = strlen(text);
    char *copy = ModelicaAllocateStringWithErrorReturn(n);
    return copy ? memcpy(copy, text, n + 1) : NULL;
}

char *ModelicaDuplicateString(const char *text)
{
    size_t n = strlen(text);
    return memcpy(ModelicaAllocateString(n), text, n + 1);
}
