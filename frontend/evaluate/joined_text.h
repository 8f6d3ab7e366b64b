/* joined_text.h -- texts that a function puts together piece by piece while it is expanded.
 *
 *     s := ""; for i in 1:n loop s := s + String(i) + ","; end for;
 *
 * A text of the pool is kept for good, so that the texts on the way would take O(n^2) bytes. A long
 * one that is joined with another is therefore the call join(a, b) of the two (expr_join) in the
 * variables of the function. It becomes one text, in O(length), where it is read for another
 * use than to be a part of a longer one, and where the function returns.
 */
#ifndef RUNG_FRONTEND_EVALUATE_JOINED_TEXT_H
#define RUNG_FRONTEND_EVALUATE_JOINED_TEXT_H

#include "frontend/evaluate/expression.h"

/* Is x a known text, whole or in pieces? */
bool joined_text_is(const Front *f, ExprId x);
/* One of some length, or in pieces. */
bool joined_text_is_long(const Front *f, ExprId x);
/* The text a, followed by b. */
ExprId joined_text_append(Front *f, ExprId a, ExprId b);
/* Makes texts in pieces whole: in v, whose elements are copied before they change. */
void joined_text_make_whole(Front *f, Value *v);
ExprId joined_text_whole(Front *f, ExprId x);

#endif
