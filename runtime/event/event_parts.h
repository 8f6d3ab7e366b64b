/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_parts.h -- relations and discrete values, part by part (RungEventParts): only parts whose
 * arguments have changed are evaluated.
 *
 * A model without parts has a single one, due whenever any argument changes.
 */
#ifndef RUNG_RUNTIME_EVENT_PARTS_H
#define RUNG_RUNTIME_EVENT_PARTS_H

#include "fallback.h"

/* Some of n numbers. */
typedef struct Some {
    uint32_t n, *at;
    bool *has;
} Some;

bool some_new(Some *s, uint32_t n);
void some_free(Some *s);
void some_add(Some *s, uint32_t k);
void some_clear(Some *s);
void some_sort(Some *s); /* ascending */

typedef struct Parts {
    RungEventParts table;
    RungQuestion of;                 /* all of them, evaluated together */
    bool is_whole;                   /* there is one part, and no function for it */
    uint32_t *buffer;                /* of the table of one part */
    Some due;                        /* to be evaluated                             */
    Some done;                       /* evaluated since the caller cleared it */
    uint32_t *first_reader, *reader; /* per memory: the parts that read it */
    uint32_t n_moving, n_always, *moving, *always;
} Parts;

/* n_out: values in all. False when out of memory. */
bool parts_new(Parts *p, const RungEventParts *table, RungQuestion of, uint32_t n_out,
               uint32_t n_memory);
void parts_free(Parts *p);

/* Marks parts as due: those that read this memory; those that depend on time, states and inputs;
 * all. */
void parts_touch(Parts *p, uint32_t memory);
void parts_touch_moving(Parts *p);
void parts_touch_all(Parts *p);

/* Evaluates the parts that are due, in order. Return value as problem_evaluate. */
int parts_evaluate(Parts *p, Problem *problem, double t, const double *x, double *out);
/* Part k, due or not; nonzero: it cannot be evaluated by itself. After problem_refresh. */
int parts_evaluate_one(Parts *p, Problem *problem, uint32_t k, double t, const double *x,
                       double *out);

#endif
