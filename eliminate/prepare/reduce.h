/* reduce.h -- index reduction carried out: the differentiations that graph/ asked for.
 *
 * graph/ says, in numbers, which variables get a derivative and which equations are
 * differentiated (Pantelides), and which derivatives are dummies (Mattsson & Soderlind 1993).
 * Here the System gets them.
 */
#ifndef RUNG_ELIMINATE_PREPARE_REDUCE_H
#define RUNG_ELIMINATE_PREPARE_REDUCE_H

#include "eliminate/prepare/differentiate.h"
#include "eliminate/structure.h"

/* Carries out der(...) of expressions, so that only derivative variables remain. False if one has
 * none (reported). */
bool reduce_expand(System *s, Arena *scratch);

/* The structure t without what occurs only where differentiation does not reach: arguments named
 * noDerivative (MLS 12.7.1). */
Incidence reduce_moving(const System *s, const Structure *t, Arena *mem);

/* The differentiations, carried out as graph/ asks for them: new columns follow those of t, new
 * equations those of the System. t grows with them. */
typedef struct Reduction {
    System *s;
    Structure *t;
    Arena *mem;
    Differentiator d;
    VEC(VarId) var; /* per column */
    Map column;     /* VarId.i -> column */
    Map eq_group;   /* of an array of equations -> of their derivatives */
} Reduction;
Reduction reduction_new(System *s, Structure *t, Arena *mem);
void reduction_add_var(void *self, uint32_t der_of);
/* The columns of the derivative of equation eq_der_of; false when it has none (reported). */
bool reduction_add_eq(void *self, uint32_t eq_der_of, Arena *mem, uint32_t *n,
                      const uint32_t **col);
void reduction_done(Reduction *r); /* t has the new columns too */

#endif
