/* events.h -- values that change at events only become memory (MLS 3.6, 3.7.5, 8.5, appendix B).
 *
 * Relations of moving expressions, outside noEvent and smooth, are replaced by their values at the
 * last event; so are floor, ceil, integer, div, mod, rem (MLS 3.7.2), pre(v) and initial(). From
 * here on no equation jumps between events, and memory counts as known. Functions generate no
 * events, nor do relations in assertions; those that are remembered anyway are so there, too.
 */
#ifndef RUNG_ELIMINATE_PREPARE_EVENTS_H
#define RUNG_ELIMINATE_PREPARE_EVENTS_H

#include "base/map.h"
#include "ir/system.h"

void events_remember(System *s, Arena *scratch);

/* After events_remember, per equation: where it jumps, relations under noEvent() and sign() make
 * events, too; where it bends, so do kinks (nonsmooth_kinks): abs(), min(), max(), and relations in
 * conditions of branches. */
void events_make(System *s, const bool *jumps, const bool *bends, const Map *kinks, Arena *scratch);

/* The memory of delay(x, by): the value of x `by` seconds ago (MLS 3.7.4.1); if `lag` exists, as
 * many seconds as that memory says, at most `by`. */
VarId events_delay(System *s, ExprId x, ExprId by, ExprId lag, Span span);

/* The memory of initial(), added where there is none; O(memory). */
ExprId events_initial(System *s, Span span);

#endif
