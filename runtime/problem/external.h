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
#include <stdlib.h>
#if defined(__wasm__) // has no jumps out of a function, and no external functions
typedef int jmp_buf;
#define longjmp(jump, value) abort()
#else
#include <setjmp.h>
#endif

/* Called after each step of the method that a run accepts, at the time `t` at which the equations
 * were evaluated last; nonzero asks for an event there. */
typedef int (*RungCompleted)(void *at, double t);

/* An external object; slots are given by the compiler, one for each call of a constructor. */
struct RungObject {
    void *at;
    void (*destroy)(void *at);
    RungCompleted completed; /* may be NULL */
    double *in;              /* n_in: the arguments of its constructor */
    uint32_t n_in;
};

typedef struct RungString RungString;
typedef struct RungCall RungCall;
struct RungCall {
    RungContext *ctx;
    const char *where;
    RungCall *outer;
    RungString *string;      /* those that the function has asked for: freed when it has ended */
    RungCompleted completed; /* of the object that a constructor makes */
    jmp_buf jump;            /* ModelicaError comes back here */
};

void rung_call_enter(RungCall *call, RungContext *ctx, const char *where);
void rung_call_leave(RungCall *call);
int rung_call_failed(RungCall *call); /* leaves it, too */

/* Where the file is that was at this path. */
const char *rung_file(const RungContext *ctx, const char *path);

/* Called by a constructor: its object wants to know of accepted steps. */
void rung_object_completes(RungCompleted completed);
/* Takes the object that a call of a constructor with n arguments has made, in[0] its slot; one that
 * was there is destroyed. */
void rung_object_keep(const RungCall *call, uint32_t n, const double *in, void *at,
                      void (*destroy)(void *at));
/* Whether there is an object that was made of the same numbers: it stays, with its memory. */
bool rung_object_stays(const RungContext *ctx, uint32_t n, const double *in);
/* The slot is empty afterwards. */
static inline void rung_object_destroy(struct RungObject *o)
{
    if (o->at && o->destroy)
        o->destroy(o->at);
    free(o->in);
    *o = (struct RungObject){0};
}
static inline void *rung_object(const RungContext *ctx, double slot)
{
    return ctx->object[(uint32_t)slot].at;
}

#endif
