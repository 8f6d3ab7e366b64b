/* alias.h -- unknowns that need no equation system: a = +-b, and a = number or parameters.
 *
 * Run to the end: a zero found in one equation may leave another with one or two unknowns. Each
 * removed unknown keeps its value for the output (value[v.i]: an expression of parameters, or plus
 * or minus one remaining variable); each equation used is removed from the System. Derivative
 * variables are not tied to others, so that states stay visible. Near-linear in the size of the
 * System.
 */
#ifndef RUNG_ELIMINATE_PREPARE_ALIAS_H
#define RUNG_ELIMINATE_PREPARE_ALIAS_H

#include "ir/system.h"

typedef struct Aliases {
    ExprId *value; /* per variable; EXPR_NONE: it stays */
    uint32_t n;    /* variables there were              */
    uint32_t n_aliases, n_constants;
} Aliases;

/* False if two equations contradict each other (reported). */
bool aliases_remove(System *s, Aliases *out, Arena *scratch);

/* The value at the end of the chain: never an alias of an alias. EXPR_NONE if v stays. */
ExprId alias_value(System *s, Aliases *a, VarId v);

#endif
