/* inline_calls.h -- functions that were kept as calls are expanded by their algorithms.
 *
 * MLS 12.7: functions with LateInline, InlineAfterIndexReduction or a derivative annotation stay
 * calls until no equation will be differentiated any more. A function that cannot be expanded stays
 * a call.
 */
#ifndef RUNG_ELIMINATE_PREPARE_INLINE_CALLS_H
#define RUNG_ELIMINATE_PREPARE_INLINE_CALLS_H

#include "eliminate/prepare/alias.h"

/* In the equations alone. */
void inline_equations(System *s, Arena *scratch);
/* Everywhere, in the values of removed variables too. */
void inline_calls(System *s, Aliases *aliases, Arena *scratch);

#endif
