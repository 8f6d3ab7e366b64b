/* rewriting.h -- equations of the System exchanged for equivalent ones, and back.
 *
 * Changes and additions can be taken back, and put in once more, at the cost of the changes alone.
 */
#ifndef RUNG_ELIMINATE_FRAMES_REWRITING_H
#define RUNG_ELIMINATE_FRAMES_REWRITING_H

#include "ir/system.h"

typedef struct RewrittenEq {
    EqId eq;
    Eq other; /* the original, or after an exchange the new equation */
} RewrittenEq;

typedef struct Rewriting {
    System *s;
    VEC(VarId) added; /* hidden variables */
    VEC(RewrittenEq) changed;
    Map place;      /* equation -> place in `changed` */
    uint32_t n_eqs; /* before; after an exchange with those added */
} Rewriting;

Rewriting rewriting_new(System *s);
/* An element of the array `group`, after which it is named: array[index + 1], then `more`. */
VarId rewriting_add_var(Rewriting *r, const char *array, const char *more, uint32_t group,
                        uint32_t index);
/* The name of the array of so many dimensions that v is an element of: R[2] of R[2,1,3] for two. */
const char *name_of_array(const System *s, VarId v, uint32_t n_dims, Arena *mem);
/* The equation becomes lhs = rhs, as element `index` of its array. */
void rewriting_set(Rewriting *r, EqId e, ExprId lhs, ExprId rhs, uint32_t index);
/* The equations as they were, and at the next call as they became. The variables stay, in no
 * equation then. */
void rewriting_exchange(Rewriting *r);

#endif
