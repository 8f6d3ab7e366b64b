/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_contrary.h -- relations without a consistent value, and the time from which one exists.
 *
 * e > top with e = if e > top then top else u has no solution while u > top: if it is true, e is
 * top, which is not above top; if it is false, e is u, which is. The event iteration then takes the
 * value with which both sides are equal, here true (RungRelations.keeps). Its zero-crossing
 * function stays at zero, so that it has no crossing when u falls below top and false becomes a
 * solution. Therefore it is evaluated with the other value of the relation:
 *
 *     g with false: top - u    negative while false is no solution, positive from then on
 */
#ifndef RUNG_CONTRARY_H
#define RUNG_CONTRARY_H

#include "rung_relation.h"

/* After an event iteration: per memory, whether it is such a relation. is_unread per relation: it
 * does not matter now; NULL: none. Returns how many there are. */
static inline uint32_t rung_contrary_find(const RungRelations *r, const unsigned char *is_unread,
                                          unsigned char *is_contrary)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < r->n; k++) {
        const uint32_t at = r->relation[k];
        const int is_floor = rung_is_first_of_floor(r, k) || rung_is_second_of_floor(r, k);
        const int agrees = rung_is_true(rung_memory_of(r, at), r->g[k]) == (r->memory[at] != 0);
        is_contrary[at] = r->has_kept != RUNG_KEEPS_NONE && r->cycles[at] && !agrees && !is_floor &&
                          !(is_unread && is_unread[k]);
        found += is_contrary[at];
    }
    return found;
}

/* In g, the zero-crossing functions at a point at which `ask` evaluates all of them: those of such
 * relations become those with their other values, unless they have left their noise, as g does when
 * it is zero at the time of the event alone. other: room for n. Nonzero where ask fails. */
static inline int rung_contrary_ask(const RungRelations *r, const unsigned char *is_contrary,
                                    int (*ask)(void *user, double *g), void *user, double *other,
                                    double *g)
{
    int status = 0;
    for (uint32_t k = 0; k < r->n && !status; k++) {
        const uint32_t at = r->relation[k];
        const double value = r->memory[at];
        if (!is_contrary[at] || fabs(g[k]) > rung_noise(r, at))
            continue;
        r->memory[at] = value == 0;
        status = ask(user, other);
        r->memory[at] = value;
        if (!status)
            g[k] = other[k];
    }
    return status;
}

#endif
