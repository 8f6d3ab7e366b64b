/* der.h -- derivatives of expressions carried out: der(a * b) = der(a) * b + a * der(b).
 *
 * After this pass der(...) is applied to variables alone, and these are variables of their own,
 * der(x). Linear in the size of the expressions.
 */
#ifndef RUNG_ELIMINATE_PREPARE_DER_H
#define RUNG_ELIMINATE_PREPARE_DER_H

#include "ir/system.h"

/* In equations, initial equations and actions. False if an expression has no derivative, or the
 * System contains an operator that cannot be translated (reported). */
bool der_expand(System *s, Arena *scratch);

#endif
