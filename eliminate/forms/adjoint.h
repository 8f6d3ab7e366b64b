/* adjoint.h -- the transposed derivatives of a model times a vector, as expressions.
 *
 * Reverse accumulation over the solved program (Griewank and Walther, Evaluating Derivatives, 2008,
 * ch. 3): of a sum of weights w_i times derivatives of states f_i(x, p) the derivatives by all
 * states and all parameters at once,
 *
 *     f = a*sin(b),  weight w:    by a  w*sin(b),    by b  w*a*cos(b)
 *
 * for about three times the operations of f, however many parameters there are. A subexpression of
 * parameters alone, as m*L^2, is a shared value: derivatives by these are summed up along a run,
 * and become those by parameters once, at its end.
 */
#ifndef RUNG_ELIMINATE_FORMS_ADJOINT_H
#define RUNG_ELIMINATE_FORMS_ADJOINT_H

#include "eliminate/dae.h"

/* For d->solution.program, before forms that have leaves of their own. False after an error for
 * parts without an adjoint: cut loops beside equations that are solved at run time, or that initial
 * equations wait for, functions without a known derivative, floor() and the like
 * in initial equations that are solved at run time. Each block that is solved at run time becomes a
 * further one, linear, with the transposed Jacobian; these are the last blocks of the program.
 * Linear in the program. */
bool adjoint_make(Dae *d, const AdjointChoice *choice, Arena *scratch);

#endif
