/* occurrence.h -- the variables that the expressions of a System read.
 */
#ifndef RUNG_ELIMINATE_PREPARE_OCCURRENCE_H
#define RUNG_ELIMINATE_PREPARE_OCCURRENCE_H

#include "eliminate/dae.h"

/* Per variable: whether an equation, a condition, an action or a constraint of a cut loop reads
 * it, or an alias of a variable that was removed. without: per equation, true for those that are
 * not looked at; NULL: all are. Linear. */
bool *occurrence_find(const Dae *d, const bool *without, Arena *mem);

#endif
