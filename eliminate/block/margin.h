/* margin.h -- by how much a condition holds: a number that is positive where it does, negative
 * where it does not, and as continuous as the operands of its relations.
 *
 *     a < b, a <= b    b - a          not c    -margin(c)
 *     c and d          min of both    c or d   max of both
 *     any other        1 or -1, as relations that change at events only
 *
 * It is zero where the condition may change, so that a search in a step finds how long it holds.
 */
#ifndef RUNG_ELIMINATE_BLOCK_MARGIN_H
#define RUNG_ELIMINATE_BLOCK_MARGIN_H

#include "base/vec.h"
#include "ir/expr.h"

/* EXPR_NONE if no relation of Reals decides. Linear in the number of nodes. is_delayed: by VarId,
 * memory that is a delayed expression, which changes between events; NULL: none is. */
ExprId margin_of(ExprPool *p, ExprId cond, const bool *is_delayed, Arena *scratch);

typedef VEC(ExprId) Margins;
/* The margins of the conditions of if-expressions under the n roots that make no events. Only those
 * that depend on variables with `is_leaf` alone, and that are cheap: together they have at most FEW
 * operations more than 1/SHARE of those of the roots, so that evaluating them once or twice a step
 * is a small part of a run. */
Margins margins_of_choices(ExprPool *p, uint32_t n, const ExprId *root, const bool *is_leaf,
                           const bool *is_delayed, Arena *mem);

#endif
