/* parameter_chain.h -- parameters that follow from others through their bindings.
 *
 *     parameter Real a = 2, b = 3*a, c = a + b;      b and c follow from a
 */
#ifndef RUNG_ELIMINATE_FORMS_PARAMETER_CHAIN_H
#define RUNG_ELIMINATE_FORMS_PARAMETER_CHAIN_H

#include "ir/system.h"

/* The binding of a parameter; EXPR_NONE: a number, or set by the user. */
ExprId parameter_binding(const System *s, VarId v);

/* The value of a variable that depends on an expression otherwise than by its binding. */
typedef struct ParameterLink {
    ExprId from;
    VarId to;
} ParameterLink;

/* Per node of the pool, in scratch: whether it depends on one of n variables, by way of bindings of
 * parameters and of links too. Linear in the pool. */
const bool *parameter_followers(System *s, uint32_t n, const VarId *chosen, uint32_t n_links,
                                const ParameterLink *link, Arena *scratch);

#endif
