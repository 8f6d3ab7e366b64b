/* tangent.h -- the derivative of a function that stays a call, as a function (forward mode).
 *
 * Inputs: those of the function, then the derivatives of those that are Real. Outputs: the
 * derivatives of the outputs, 0 for an output that is no Real. Each statement is followed by its
 * derivative; branches and loops are those that the function takes, so where they change the
 * derivative is one-sided. Assertions stay with the function itself.
 *
 * Where the function calls another one that has no derivative, an external function without
 * annotation, the inputs on which arguments of that call depend are held: the derivative is that
 * by the other inputs (Function.held), and holds where the derivatives of these are zero.
 *
 *     function head                    // of a pump; V varies, p are parameters
 *       input Real V, p[3];            // p is held
 *       output Real h;
 *     protected
 *       Real c[2] = solve(p);          // external
 *     algorithm
 *       h := c[1] + c[2]*V^2;          // der(h) = 2*c[2]*V*der(V)
 */
#ifndef RUNG_ELIMINATE_PREPARE_TANGENT_H
#define RUNG_ELIMINATE_PREPARE_TANGENT_H

#include "ir/body.h"

Name tangent_key(System *s, const Function *f); /* its name */
/* Made on first use; false if there is none: an external function without derivative annotation. */
bool function_tangent(System *s, FuncId f, FuncId *out);

#endif
