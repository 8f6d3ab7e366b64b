/* numeric_block.h -- a linear block that is left to the runtime's LU instead of being eliminated.
 *
 * Its unknowns stay leaves of the Program, which gets the residual of each equation and the matrix.
 * Pairs of the order stand on the diagonal, so that the runtime's pivoting starts from an order
 * without much fill.
 */
#ifndef RUNG_ELIMINATE_BLOCK_NUMERIC_BLOCK_H
#define RUNG_ELIMINATE_BLOCK_NUMERIC_BLOCK_H

#include "eliminate/block/linear_form.h"
#include "graph/incidence.h"
#include "ir/program.h"

/* form: per equation, over the block's unknowns. The result is in the System's arena. */
NonlinearBlock numeric_block(System *s, uint32_t n, const EqId *eq, const VarId *var,
                             const LinearForm *form, const Order *o, Arena *tmp);

#endif
