/* parameter_chain.h -- parameters that follow from others through their bindings.
 *
 *     parameter Real a = 2, b = 3*a, c = a + b;      b and c follow from a
 */
#ifndef RUNG_ELIMINATE_FORMS_PARAMETER_CHAIN_H
#define RUNG_ELIMINATE_FORMS_PARAMETER_CHAIN_H

#include "ir/system.h"

/* The binding of a parameter; EXPR_NONE: a number, or set by the user. */
ExprId parameter_binding(const System *s, VarId v);

/* Per node of the pool, in scratch: whether it depends on one of n parameters, by way of others
 * too. */
const bool *parameter_followers(System *s, uint32_t n, const VarId *chosen, Arena *scratch);

#endif
