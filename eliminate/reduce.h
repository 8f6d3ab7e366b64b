/* reduce.h -- index reduction carried out: the differentiations that graph/ asked for.
 *
 * graph/ says, in numbers, which variables get a derivative and which equations are
 * differentiated (Pantelides), and which derivatives are dummies (Mattsson & Soderlind 1993).
 * Here the System gets them.
 */
#ifndef RUNG_ELIMINATE_REDUCE_H
#define RUNG_ELIMINATE_REDUCE_H

#include "eliminate/structure.h"

/* Carries out der(...) of expressions, so that only derivative variables remain. False if one has
 * none (reported). */
bool reduce_expand(System *s, Arena *scratch);

/* New variable k is the derivative of column var_der_of[k] (columns n_columns + k follow the old
 * ones), new equation k that of equation eq_der_of[k]; each list in order of creation. False if an
 * equation cannot be differentiated (reported). */
bool reduce_differentiate(System *s, Structure *t, uint32_t n_vars, const uint32_t *var_der_of,
                          uint32_t n_eqs, const uint32_t *eq_der_of, Arena *mem);

#endif
