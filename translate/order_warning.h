/* order_warning.h -- the equation and the unknown to blame where the ladder's order of elimination
 * is lost, in the modeller's names:
 *
 *     x[k] = sum(l*sin(phi[j]) for j in 1:k)   each acceleration of x contains all of phi before it
 *     x[k] = x[k - 1] + l*sin(phi[k])          contains those of one neighbour
 *
 * The second costs the same number of operations for each k, the first costs more with each.
 */
#ifndef RUNG_TRANSLATE_ORDER_WARNING_H
#define RUNG_TRANSLATE_ORDER_WARNING_H

#include "translate/compilation.h"

/* Warns for a solved program. */
void order_warning(Compilation *c, const Solution *s);
/* Warns for sorted equations that were solved along the ladder for the warnings' sake alone. Where
 * that takes many operations vectors are moved into other frames, in a view of the System, and
 * other orders are tried. */
void order_warning_ahead(Compilation *c, const Orders *ladder, const Solution *s);

#endif
