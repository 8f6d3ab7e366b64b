/* open_unknown.h -- unknowns that nothing determines for the parameters that a model has.
 *
 *     (I + 0)*a = 0    with the parameter I = 0 leaves a open: a rod that turns about its own line
 *
 * Found by the pivot (OpenPivot in elimination.h). The cause is a parameter that is zero and that,
 * were it anything else, would make the pivot usable.
 */
#ifndef RUNG_ELIMINATE_BLOCK_OPEN_UNKNOWN_H
#define RUNG_ELIMINATE_BLOCK_OPEN_UNKNOWN_H

#include "ir/system.h"

typedef struct OpenUnknown {
    VarId var;
    EqId eq;         /* its pivot's */
    VarId parameter; /* the cause; VAR_NONE if it is no single one */
} OpenUnknown;

/* The parameter that makes a pivot of parameters alone zero, rather one that it reads than one that
 * those are bound to; of several the one that counts most. */
VarId open_unknown_parameter(System *s, ExprId pivot, Arena *mem);

#endif
