/* linear_split.h -- expressions that are linear in right-hand sides r, divided in two:
 * subexpressions without r, evaluated once and kept, and the linear part, in which variables k name
 * the kept values:
 *
 *     (a*b) r1 - r2 / (a*b + c)        kept    k0 = a*b, k1 = 1/(a*b + c)
 *                                      rest    k0 r1 - k1 r2
 *
 * In sums that are used once multiples of one right-hand side become one:
 *
 *     a*b r1 + (r2 - c r1)             kept    k0 = a*b - c
 *                                      rest    r2 + k0 r1
 */
#ifndef RUNG_ELIMINATE_FORMS_LINEAR_SPLIT_H
#define RUNG_ELIMINATE_FORMS_LINEAR_SPLIT_H

#include "ir/system.h"

typedef struct LinearSplit {
    uint32_t n_kept;
    const ExprId *kept; /* per kept value                                    */
    const VarId *leaf;  /* per kept value: the variable that stands for it   */
    const ExprId *rest; /* per root                                          */
} LinearSplit;

/* Of n roots; is_right: per variable, one of these leaves. name: of the new variables. False if a
 * root is not linear in them, as far as that is seen. Linear in the pool. */
bool linear_split(System *s, const bool *is_right, uint32_t n, const ExprId *root, const char *name,
                  LinearSplit *out, Arena *scratch);

#endif
