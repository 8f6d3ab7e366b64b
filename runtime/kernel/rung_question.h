/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_question.h -- the parts of a model that can be evaluated at (t, x), and their evaluation:
 * one enumeration for runs, FMUs and C libraries.
 */
#ifndef RUNG_QUESTION_H
#define RUNG_QUESTION_H

#include "rung_model.h"

#include <stddef.h>

/* The storage class of functions in these headers. They allocate no memory; all arrays are the
 * caller's. */
#if defined(__GNUC__)
#define RUNG_PART static __attribute__((unused))
#else
#define RUNG_PART static
#endif

/* The states without their derivatives by parameters, which come behind, direction after direction,
 * those along time last. */
static inline uint32_t rung_own_states(const RungModel *m)
{
    return m->sensitivity ? m->n_states / (m->sensitivity->n_directions + 1) : m->n_states;
}

/* Of RungSensitivity.slopes. */
static inline uint32_t rung_n_slopes(const RungSensitivity *s)
{
    return (s->n_relations + s->n_actions) * s->n_directions;
}

typedef enum RungQuestion {
    RUNG_ASK_XDOT,       /* derivatives, n_states                            */
    RUNG_ASK_OWN_XDOT,   /* without those of derivatives by parameters       */
    RUNG_ASK_OUTPUTS,    /* values, n_values                                 */
    RUNG_ASK_ASSERTIONS, /* whether each holds, n_assertions unsigned chars  */
    RUNG_ASK_RELATIONS,  /* zero-crossing functions, n_events */
    RUNG_ASK_EVENT,      /* memory and actions: n_memory + 2 n_actions       */
    RUNG_ASK_DELAYS,     /* delayed expressions, one per delay               */
    RUNG_ASK_MARGINS,    /* by how much conditions of assertions hold, n_margins */
    RUNG_ASK_CHOICES,    /* likewise, of choices without events, n_choices   */
    RUNG_ASK_BALANCE,    /* balances of massless coordinates, loops->n_free  */
    RUNG_ASK_SLOPES      /* of relations and reinit by parameters, rung_n_slopes */
} RungQuestion;

/* The model's return value; on failure ctx->failed_* give the place. Memory and inputs are used as
 * they are. */
RUNG_PART int rung_ask(RungContext *ctx, RungQuestion question, double t, const double *x,
                       void *out)
{
    const RungModel *m = ctx->model;
    ctx->failed_pivot = ctx->failed_block = ctx->failed_unknown = RUNG_NONE;
    ctx->failed_message = NULL;
    switch (question) {
    case RUNG_ASK_XDOT:
        return m->xdot(ctx, t, x, (double *)out);
    case RUNG_ASK_OWN_XDOT:
        return m->sensitivity->own_xdot(ctx, t, x, (double *)out);
    case RUNG_ASK_OUTPUTS:
        return m->outputs(ctx, t, x, (double *)out);
    case RUNG_ASK_ASSERTIONS:
        return m->assertions(ctx, t, x, (unsigned char *)out);
    case RUNG_ASK_RELATIONS:
        return m->events(ctx, t, x, (double *)out);
    case RUNG_ASK_EVENT:
        return m->event->event(ctx, t, x, (double *)out);
    case RUNG_ASK_DELAYS:
        return m->delays(ctx, t, x, (double *)out);
    case RUNG_ASK_MARGINS:
        return m->margins(ctx, t, x, (double *)out);
    case RUNG_ASK_CHOICES:
        return m->choices(ctx, t, x, (double *)out);
    case RUNG_ASK_BALANCE:
        return m->loops->balance(ctx, t, x, (double *)out);
    case RUNG_ASK_SLOPES:
        return m->sensitivity->slopes(ctx, t, x, (double *)out);
    }
    return -1;
}

#endif
