/* event_parts.h -- what is found at events, in parts that can be evaluated one by one.
 *
 * Roots that share more than a few operations are in one part, and so are neighbours that are
 * small. Of each part it is known what it depends on, so that at an event only those are evaluated
 * that read something new. Of
 *
 *     y = if c and not pre(c) then f(time, x) else pre(y)
 *
 * it is enough to look at c, pre(c) and pre(y): once an event is over pre(c) is c, and the branch
 * of an edge is not taken. Near-linear in the size of the expressions.
 */
#ifndef RUNG_EMIT_MODEL_EVENT_PARTS_H
#define RUNG_EMIT_MODEL_EVENT_PARTS_H

#include "emit/model/event_code.h"

/* The roots in parts of about `size`; all in none where that is 0, or they are few. tie[k] is a
 * root that has to be where root k is, or k; idle[k]: what it reads brings nothing about. NULL: the
 * roots are what relations compare. */
/* Whether x is true only while an event goes on: edge(c), change(v), and what needs one of them. */
bool event_is_edge(const Program *g, ExprId x);
EventParts event_parts_find(const EventTables *e, uint32_t size, uint32_t n, const Root *root,
                            const uint32_t *tie, const bool *idle);

#endif
