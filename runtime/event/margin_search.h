/* SPDX-License-Identifier: BSD-3-Clause
 *
 * margin_search.h -- where in a step the condition of an assertion is violated for a while.
 *
 *     margin  ---.      .----      by how much the condition holds: sampled on the dense output
 *                 \    /           as zero-crossing functions are (rung_search.h), so that a
 *     0  ----------\--/-------     violation does not pass between the rows and the ends of
 *                   \/             steps, whatever the interval of the rows
 *
 * Behind a violation that goes on, a warning, or an event, the search begins anew.
 *
 * Conditions in derivatives that make no events (noEvent, smooth) have margins, too. The search
 * finds those that change to and fro inside a step and are equal at its two ends.
 */
#ifndef RUNG_RUNTIME_MARGIN_SEARCH_H
#define RUNG_RUNTIME_MARGIN_SEARCH_H

#include "integrator.h"
#include "rung_search.h"

typedef struct MarginSearch {
    RungQuestion question; /* of assertions or of choices */
    RungRelations r;       /* number k: margin k is negative                    */
    RungSearch search;
    RungSample begin, end; /* of the step: `end` has become the next one's `begin` */
    bool has_begin;
    double *level[RUNG_LEVELS];
    RungMemory *table; /* n relations `margin < 0` */
    uint32_t *number;  /* n: 0, 1, ..              */
    double *x, *z;     /* states inside the step; saved first guesses of blocks */
} MarginSearch;

/* Of a model without margins it is empty. False when out of memory. */
bool margin_search_new(MarginSearch *it, const RungModel *m, RungQuestion question);
void margin_search_free(MarginSearch *it);
/* The samples so far are not those before the next step, and how large margins were is unknown. */
void margin_search_forget(MarginSearch *it);
/* Whether a margin of assertions that are not in `left_out` (per assertion) becomes negative
 * between t0 and t, where the states are x, in the last step of the method; *at is the time.
 * Returns false also if the evaluation of the margins fails. */
bool margin_search_find(MarginSearch *it, Run *run, const Integrator *method, void *self,
                        const unsigned char *left_out, double t0, double t, const double *x,
                        double *at);

/* A choice that is another one in a part of the step alone. */
typedef struct MarginWindow {
    uint32_t choice;
    double at, width; /* inside of it; up to a factor of two */
} MarginWindow;

/* The first window between t0 and t in the last step for which `counts`; of margins of choices.
 * *exhausted: the search has ended early, among too many samples. */
bool margin_search_window(MarginSearch *it, Run *run, const Integrator *method, void *self,
                          double t0, double t, bool (*counts)(void *user, const MarginWindow *w),
                          void *user, MarginWindow *w, bool *exhausted);

#endif
