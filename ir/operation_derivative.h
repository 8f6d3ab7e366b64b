/* operation_derivative.h -- the derivative of one operation, by those of its operands:
 *
 *     (a*b)' = a'*b + a*b'    sin(a)' = cos(a)*a'    (if c then a else b)' = if c then a' else b'
 *
 * All operators have one except leaves, relations and calls. At a kink (abs, min, max) it is the
 * one-sided derivative.
 */
#ifndef RUNG_IR_OPERATION_DERIVATIVE_H
#define RUNG_IR_OPERATION_DERIVATIVE_H

#include "ir/expr.h"

/* Operands and their derivatives; that of a condition is not used. */
ExprId operation_derivative(ExprPool *p, ExprId x, const ExprId *arg, const ExprId *der);

/* The partial derivative by operand k, the others held. */
ExprId derivative_by_operand(ExprPool *p, ExprId x, uint32_t k);

#endif
