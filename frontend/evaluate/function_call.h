/* function_call.h -- the steps of a function call (for function*.c only).
 *
 * function.c fits arguments and calls; function_run.c expands the call; a call that cannot be
 * expanded, or whose function has derivative annotations, stays a call (function_kept.c);
 * function_operator.c finds the overload that takes the arguments. Arguments are per member of the
 * class, VALUE_NONE where there is none; results per output. A failure is reported as an error, or
 * Evaluator.stuck holds the reason why the function cannot be expanded.
 */
#ifndef RUNG_FRONTEND_EVALUATE_FUNCTION_CALL_H
#define RUNG_FRONTEND_EVALUATE_FUNCTION_CALL_H

#include "frontend/front.h"

typedef VEC(const Class *) Overloads;

/* ---- function_run.c ---- */

/* Fitted arguments, VALUE_NONE for defaults, which are filled in; with out NULL only the arguments
 * are completed. */
bool function_run(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out);
uint32_t count_outputs(Front *f, const Class *c);

/* ---- function_kept.c ---- */

InlineKind function_inlining(const SynClass *syn);
/* GenerateEvents = true: relations in its body make events where it is expanded in an equation (MLS
 * 18.3). */
bool function_makes_events(const SynClass *syn);
/* Is it known that calls of c cannot be expanded? */
bool function_lasts(Front *f, const Class *c);
/* The call as a call of a Function of the System. */
bool function_keep(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out);
/* Does a scalar of v change during a simulation? */
bool value_varies(Front *f, const Value *v);
/* Condition -> where it stands among the assertions of the System. */
Map *function_asserted(Front *f);
/* Signature -> FuncId.i of a loop of an algorithm section. */
Map *function_loops(Front *f);
/* A call with more arguments and results than can be compiled is unsupported. */
void function_check_size(Front *f, FuncId id, const ExprId *arg, Span span);
/* A call for its side effects, or since it may fail, among the equations. */
void function_add_effect(Front *f, FuncId id, const ExprId *arg, Span span);

/* ---- partial_derivative.c ---- */

/* A call of c, which is declared as a partial derivative; arguments fitted. */
bool partial_derivative(Front *f, const Class *c, const Value *arg, Span span, uint32_t n_out,
                        Value *out);

/* ---- function_operator.c ---- */

/* The functions that `operator name` of a record holds, or the function itself. */
Overloads overloads_of(Front *f, const Class *record, const char *name);
/* The one that takes the arguments: by number and names and, if there are several, by types (MLS
 * 14.2); NULL if none does. */
const Class *overload_for(Front *f, Scope *s, const Overloads *o, const SynExpr *x);

/* ---- function.c ---- */

/* One call with arguments of the declared ranks. */
bool call_once(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out);

#endif
