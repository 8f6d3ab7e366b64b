/* event_parts.h -- the values computed at events, in parts that can be evaluated one by one.
 *
 * Roots that share more than a few operations are in one part, and so are neighbours that are
 * small. The dependencies of each part are known, so that an event evaluates only the parts that
 * read a changed value. For
 *
 *     y = if c and not pre(c) then f(time, x) else pre(y)
 *
 * the dependencies are c, pre(c) and pre(y): once an event is over pre(c) is c, and the branch of
 * an edge is not taken. Near-linear in the size of the expressions.
 */
#ifndef RUNG_EMIT_MODEL_EVENT_PARTS_H
#define RUNG_EMIT_MODEL_EVENT_PARTS_H

#include "emit/model/event_code.h"

/* Whether x is true only during an event: edge(c), change(v), and combinations of these. */
bool event_is_edge(const Program *g, ExprId x);
/* The roots in parts of about `size`; no parts if that is 0, or for few roots. tie[k] is a root
 * that must be in the part of root k, or k; idle[k]: root k is used only in events of its own, so
 * changed operands alone need no evaluation. idle NULL: the roots are relations. */
EventParts event_parts_find(const EventTables *e, uint32_t size, uint32_t n, const Root *root,
                            const uint32_t *tie, const bool *idle);

#endif
