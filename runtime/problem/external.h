/* SPDX-License-Identifier: BSD-3-Clause
 *
 * external.h -- calls of external C functions (MLS 12.9): the utility functions that they may call
 * (ModelicaUtilities.h, MLS 12.9.6, in external.c), and external objects.
 *
 *     RungCall call;
 *     rung_call_enter(&call, ctx, "model.mo:3:5");
 *     if (setjmp(call.jump))
 *         return rung_call_failed(&call);
 *     ...
 *     rung_call_leave(&call);
 */
#ifndef RUNG_RUNTIME_EXTERNAL_H
#define RUNG_RUNTIME_EXTERNAL_H

#include "rung_model.h"

#include <stdbool.h>
#if defined(__wasm__) // has no jumps out of a function, and no external functions
typedef int jmp_buf;
#define longjmp(jump, value) abort()
#else
#include <setjmp.h>
#endif

/* An external object; slots are given by the compiler, one for each call of a constructor. */
struct RungObject {
    void *at;
    void (*destroy)(void *at);
};

typedef struct RungString RungString;
typedef struct RungCall RungCall;
struct RungCall {
    RungContext *ctx;
    const char *where;
    RungCall *outer;
    RungString *string; /* those that the function has asked for: freed when it has ended */
    jmp_buf jump;       /* ModelicaError comes back here */
};

/* Receives the messages and warnings of functions (without the last newline) instead of stderr, if
 * not NULL: set before anything runs. */
extern void (*rung_message)(RungContext *ctx, const char *text, bool is_warning);

void rung_call_enter(RungCall *call, RungContext *ctx, const char *where);
void rung_call_leave(RungCall *call);
int rung_call_failed(RungCall *call); /* leaves it, too */

/* Where the file is that was at this path. */
const char *rung_file(const RungContext *ctx, const char *path);

/* Takes the object; one that was there is destroyed. */
void rung_object_keep(RungContext *ctx, double slot, void *at, void (*destroy)(void *at));
static inline void *rung_object(const RungContext *ctx, double slot)
{
    return ctx->object[(uint32_t)slot].at;
}

#endif
