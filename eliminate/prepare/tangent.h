/* tangent.h -- the derivative of a function that stays a call, as a function (forward mode).
 *
 * Inputs: those of the function, then the derivatives of those that are Real. Outputs: the
 * derivatives of the outputs, 0 for an output that is no Real. Each statement is followed by its
 * derivative; branches and loops are those that the function takes, so where they change the
 * derivative is one-sided. Assertions stay with the function itself.
 */
#ifndef RUNG_ELIMINATE_PREPARE_TANGENT_H
#define RUNG_ELIMINATE_PREPARE_TANGENT_H

#include "ir/body.h"

/* Made on first use; false if there is none: an external function without derivative annotation. */
Name tangent_key(System *s, const Function *f); /* its name */
bool function_tangent(System *s, FuncId f, FuncId *out);

#endif
