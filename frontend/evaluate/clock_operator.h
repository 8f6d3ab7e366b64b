/* clock_operator.h -- clock constructors and operators on clocked values, as calls of the System's
 * own functions (Intrinsic of ir/system.h), scalar by scalar: MLS 3.6 16.3 to 16.10.
 * eliminate/prepare/clocks.h translates these calls later, for the flat model as a whole.
 */
#ifndef RUNG_FRONTEND_EVALUATE_CLOCK_OPERATOR_H
#define RUNG_FRONTEND_EVALUATE_CLOCK_OPERATOR_H

#include "frontend/evaluate/expression.h"

/* The call of the operator `name`; of "sample" only the one of a clock. False after an error. */
bool clock_operator(Front *f, Scope *s, const char *name, const SynExpr *call, Value *out);

#endif
