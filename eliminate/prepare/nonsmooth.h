/* nonsmooth.h -- where equations jump, or have a kink, at values of variables and make no event.
 *
 * The derivatives by parameters of an equation that jumps are not known without an event. Those of
 * an equation with a kink,
 *
 *     der(v) = -k*max(0, x - a)
 *
 * are known, but their rates jump at the kink: a step over it gives them an error of first order in
 * the step's length, where the error of the states is of second order.
 */
#ifndef RUNG_ELIMINATE_PREPARE_NONSMOOTH_H
#define RUNG_ELIMINATE_PREPARE_NONSMOOTH_H

#include "base/map.h"
#include "ir/system.h"

typedef struct Nonsmooth Nonsmooth;

/* For the equations as they are now; mem keeps the results. */
Nonsmooth *nonsmooth_new(System *s, Arena *mem);

/* Whether x may jump without an event: noEvent(...) of a relation, sign(). A relation whose two
 * sides the branches agree on, as far as that is seen by value, makes no jump, nor does smooth().
 */
bool nonsmooth_may_jump(Nonsmooth *it, ExprId x);

/* Whether x may have a kink in a variable, of any order: abs(), min(), max(), branches without
 * events, smooth(1, ...) too, calls of functions with such, tables. */
bool nonsmooth_may_bend(Nonsmooth *it, ExprId x);

/* The nodes with a kink of equations, to which an event can be added: a key for each. Its branch
 * is followed a little beyond the kink then, so that it has to be defined there: not where it has,
 * or is an operand of, a square root, a logarithm, a quotient, an exponential function or a call,
 * be it through other variables. *other: the first equation with another kink, UINT32_MAX: none.
 * eq: per equation, whether it is one of them. Linear in the System. */
Map nonsmooth_kinks(Nonsmooth *it, const bool *eq, uint32_t *other);

#endif
