/* when.h -- when-equations and when-statements (MLS 3.6 §8.3.5, 11.2.7).
 *
 * A variable assigned in a when-clause is discrete-time. In the flat model a clause is gone: the
 * condition of a branch is that one of its Booleans becomes true, `b and not pre(b)`, and not
 * during initialisation (initial() is true then only), and
 *
 *     when b then v = x; elsewhen c then v = y; end when;
 *
 * is v = if fires(b) then x else if fires(c) then y else pre(v) (§8.3.5, 8.6). reinit and terminate
 * become Actions of the System.
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_WHEN_H
#define RUNG_FRONTEND_INSTANTIATE_WHEN_H

#include "frontend/instantiate/instance.h"

/* Marks the variables that the when-clauses of i assign as discrete; before anything of them is
 * evaluated. */
void when_mark_in(Front *f, Instance *i);

/* That a branch with this condition fires, a Boolean or a vector of them; *is_clock: it is a clock
 * (MLS 16.6), at whose ticks the equations hold as they are. */
bool when_fires(Front *f, Scope *s, const SynExpr *x, ExprId *out, bool *is_clock);

/* terminate(message), reinit(x, value) where the current path leads; a call of anything else is no
 * action. */
bool when_is_action(const SynExpr *call);
bool when_action(Front *f, Scope *s, const SynExpr *call);

#endif
