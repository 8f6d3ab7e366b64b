/* function.h -- calls of functions and record constructors (MLS 3.6 chapter 12).
 *
 * A function is run symbolically: its variables hold pool expressions, and its statements are
 * executed on them. Under a condition with unknown value both branches run, and each variable
 * becomes a select of the two results. The results are expressions of the arguments; constant
 * arguments give constants. A function whose annotations ask for it stays a call of a Function of
 * the System until index reduction is done (system.h, InlineKind) and is run then.
 */
#ifndef RUNG_FRONTEND_EVALUATE_FUNCTION_H
#define RUNG_FRONTEND_EVALUATE_FUNCTION_H

#include "frontend/evaluate/expression.h"

/* The call x of the function or record constructor c; results as expression_call. */
bool function_call(Front *f, Scope *s, const Class *c, const SynExpr *x, uint32_t n_out,
                   Value *out);

/* String(...) of a record by its operator (MLS 14.4); *found: it has one that takes the
 * arguments. */
bool function_string_of(Front *f, Scope *s, const Class *record, const SynExpr *x, Value *out,
                        bool *found);

/* The call x of a function given as an argument: the inputs that it has already are no
 * arguments. */
bool function_call_of(Front *f, Scope *s, const Value *function, const SynExpr *x, uint32_t n_out,
                      Value *out);

/* An operator of which an operand is a record (n = 1 or 2 operands): overloaded, or reported. */
bool function_operator(Front *f, SynOp op, Span span, uint32_t n, const Value *const *arg,
                       Value *out);
/* The operator '0' of the record that v is, or that its elements are (MLS 14.3), or reported. */
bool operator_zero(Front *f, Span span, const Value *v, Value *out);
/* Has the record an operator '+'? */
bool operator_adds(Front *f, const Value *record);

/* The result x of a call of constants, evaluated; false if that cannot be. */
bool function_result(Front *f, ExprId x, ExprId *out);

/* The variable of the reference x is read: v, of which is_known tells whether it has a value;
 * `varies`: it is one of several elements. False where it has none, or may have none
 * (unassigned.h). */
bool function_read(Front *f, Scope *s, const SynExpr *x, const Value *v, bool is_known,
                   bool varies);

/* The evaluation stands under a condition that depends on variables. */
bool function_is_conditional(const Front *f);

/* May a String be computed from others at run time. False inside a function that is being expanded,
 * where expressions cannot hold it; that is no error yet (Evaluator.stuck). */
bool function_text_varies(Front *f, Span span);

/* assert(condition, message, level) where the current path leads (MLS 8.3.7): checked now when it
 * is constant, else recorded in the System, once. */
bool function_assert(Front *f, ExprId cond, ExprId message, bool is_warning, Span span);
/* The arguments of an assert call evaluated in s, then as function_assert. */
bool function_assert_call(Front *f, Scope *s, const SynExpr *x);

#endif
