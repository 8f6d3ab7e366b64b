/* string_check.h -- Strings change at events (MLS 3.8.5), and are assigned: an equation gives a
 * String its value as it stands.
 *
 * s = "a" + t, s = if c then t else pre(s) do; s + "x" = t, size(s) = 3 and loops of Strings do
 * not: nothing solves equations for texts.
 */
#ifndef RUNG_ELIMINATE_PREPARE_STRING_CHECK_H
#define RUNG_ELIMINATE_PREPARE_STRING_CHECK_H

#include "eliminate/blt.h"

/* False for a String whose equation has a value that changes between events (reported), as
 * s = String(time). Before events.h, after clocks.h. Linear in these equations. */
bool strings_are_discrete(const System *s, Arena *scratch);
/* Whether equation e gives the String v its value. none: false for each variable. */
bool string_is_assigned(const System *s, const Eq *e, VarId v, bool *none, Arena *scratch);
/* False for a String that its equation does not assign (reported). Linear in these equations. */
bool strings_are_assigned(const Blt *b, Arena *scratch);

#endif
