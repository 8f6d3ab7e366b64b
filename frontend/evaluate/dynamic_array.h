/* dynamic_array.h -- arrays whose sizes are known in a run only, in the body of a function.
 *
 * Such an array is a Value of the kind VALUE_DYNAMIC: a local of the body, or an expression of
 * arrays whose elements are made where they are needed. x[1:n] + w of a local w is the sum of a
 * slice and w; its element i is x[i] + w[i]. Elements are needed in loops alone, and each operation
 * on an array becomes a loop:
 *
 *     s := sum(x[1:n] + w);      assert(n <= size(x, 1)); assert(n == size(w, 1));
 *                                acc := 0; i := 1;
 *                                while i <= n loop acc := acc + (x[i] + w[i]); i := i + 1; end
 * while; s := acc;
 *
 * There are dynamic arrays only where a function is written down statement by statement
 * (function_body.c), and there directly, not in functions that are expanded inside of it. Elements
 * are Reals, Integers, Booleans or enumerations. All functions that can fail report the error.
 */
#ifndef RUNG_FRONTEND_EVALUATE_DYNAMIC_ARRAY_H
#define RUNG_FRONTEND_EVALUATE_DYNAMIC_ARRAY_H

#include "frontend/evaluate/expression.h"

/* Whether such arrays may be made here. */
bool dynamic_allowed(const Front *f);
/* Whether elements of that type may be in one. */
bool dynamic_holds(BaseType type);
/* v has no place here. */
bool dynamic_unsupported(Front *f, Span span, const char *what);

/* ---- Values ---- */

/* An array of that type and rank, with no elements and no place yet. */
Value dynamic_shape(Arena *mem, BaseType type, const Class *cls, uint32_t rank);
/* A new local of the body. */
Value dynamic_new(Front *f, Name name, BaseType type, const Class *cls, uint32_t rank);
/* The size of dimension d, from 0 on, of any array. */
ExprId dynamic_size(Front *f, const Value *v, uint32_t d);
/* The element with these subscripts, from 1 on, inside of any array. */
bool dynamic_element(Front *f, const Value *v, const ExprId *index, Value *out);
/* A local that has the elements of v, of that type: v itself if it is one. */
bool dynamic_store(Front *f, const Value *v, BaseType type, Span span, Value *out);
/* As dynamic_store, into a local that is no variable. */
bool dynamic_copy(Front *f, const Value *v, BaseType type, Span span, Value *out);
/* The same with elements of another type: Integers as Reals. */
Value dynamic_typed(Front *f, const Value *v, BaseType type);
/* Asserts that dimension d of v has the size. */
bool dynamic_assert_size(Front *f, const Value *v, uint32_t d, ExprId size, Span span);
/* The elements of v for those of `plain`, of the same rank, whose sizes v is asserted to have. */
bool dynamic_elements(Front *f, const Value *v, const Value *plain, Span span, ExprId *out);

/* ---- Expressions ---- */

/* v[subs]: v or a subscript is dynamic. is_slice tells whether a subscript is, is_moving whether
 * one varies, without a trace. */
bool dynamic_is_slice(Front *f, Scope *s, uint32_t n, SynExpr *const *subs, const Value *v);
bool dynamic_is_moving(Front *f, Scope *s, uint32_t n, SynExpr *const *subs, const Value *v);
bool dynamic_subscript(Front *f, Scope *s, const Value *v, uint32_t n, SynExpr *const *subs,
                       Span span, Value *out);
/* v[subs] := value, of a dynamic local v. */
bool dynamic_assign_part(Front *f, Scope *s, const Value *v, uint32_t n, SynExpr *const *subs,
                         Span span, const Value *value);
/* first:step:last, Integers. */
bool dynamic_range(Front *f, Span span, ExprId first, ExprId step, ExprId last, Value *out);
/* An Integer as a size: `varies` if it is not known now. */
bool dynamic_dimension(Front *f, Scope *s, const SynExpr *x, ExprId *out, bool *varies);
/* The scalars map(self, element of of[0], ...); arrays among the n operands have one shape. */
typedef bool (*DynamicMap)(Front *f, void *self, const Value *arg, Value *out);
bool dynamic_map(Front *f, Span span, BaseType type, DynamicMap map, void *self, uint32_t n,
                 const Value *of, Value *out);
bool dynamic_binary(Front *f, SynOp op, Span span, const Value *a, const Value *b, Value *out);
bool dynamic_unary(Front *f, SynOp op, Span span, const Value *a, Value *out);
bool dynamic_select(Front *f, Span span, ExprId cond, const Value *a, const Value *b, Value *out);
/* fill(v, sizes): sizes in front of those of v; linspace(a, b, n); identity, diagonal. */
bool dynamic_fill(Front *f, Span span, const Value *v, uint32_t n, const ExprId *size, Value *out);
bool dynamic_linspace(Front *f, Span span, ExprId a, ExprId b, ExprId n, Value *out);
bool dynamic_diagonal(Front *f, const Value *v, ExprId n, Value *out);
bool dynamic_transpose(Front *f, Span span, const Value *v, Value *out);
bool dynamic_vector(Front *f, Span span, const Value *v, Value *out);
bool dynamic_scalar(Front *f, Span span, const Value *v, Value *out);
bool dynamic_promote(Front *f, const Value *v, uint32_t rank, Value *out);
bool dynamic_cat(Front *f, Span span, uint32_t along, uint32_t n, const Value *part, Value *out);

/* Sums and the like: acc := step(acc, element) for all elements. */
typedef enum DynamicFold { FOLD_SUM, FOLD_PRODUCT, FOLD_MIN, FOLD_MAX } DynamicFold;
bool dynamic_fold(Front *f, Span span, DynamicFold fold, const Value *v, Value *out);

/* ---- Iterators ---- */

/* Whether the range of one is dynamic; the ranges of all, which may follow from the body or the
 * statements. */
bool dynamic_ranges(Front *f, Scope *s, uint32_t n, const SynIter *iter, const SynExpr *body,
                    const SynStatements *statements, Value *range, bool *any);
/* {body for iter in range}, and its sum and the like. */
bool dynamic_comprehension(Front *f, Scope *s, Span span, uint32_t n, const SynIter *iter,
                           const Value *range, const SynExpr *body, Value *out);
bool dynamic_fold_iterated(Front *f, Scope *s, Span span, DynamicFold fold, uint32_t n,
                           const SynIter *iter, const Value *range, const SynExpr *body,
                           Value *out);

#endif
