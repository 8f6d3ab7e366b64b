/* value.h -- the value of a Modelica expression: an array of pool expressions with a type.
 *
 * Arrays are row-major. A scalar has no dimensions and one element. A record has one Value per
 * field; an array of records keeps the record's dimensions in front of each field's own
 * (field.dims = dims ++ declared dims), so fields stay arrays of pool expressions.
 *
 * In the body of a function that is written down an array may have a size that is known in a run
 * only (VALUE_DYNAMIC): it is a local of the body, or an expression of arrays (dynamic_array.h).
 * Its dimensions read as 0.
 *
 * Values share their parts freely: never change memory that a Value points to.
 */
#ifndef RUNG_FRONTEND_EVALUATE_VALUE_H
#define RUNG_FRONTEND_EVALUATE_VALUE_H

#include "ir/system.h"

typedef struct Class Class; /* scope.h */

typedef enum ValueKind {
    VALUE_NONE,
    VALUE_PLAIN,
    VALUE_RECORD,
    VALUE_FUNCTION, /* an argument of a function: cls with some inputs given (MLS 12.4.2) */
    VALUE_DYNAMIC,  /* an array whose size is known in a run only */
} ValueKind;

struct DynamicView; /* dynamic_array.h */

typedef struct Value Value;
struct Value {
    ValueKind kind;
    BaseType type;    /* VALUE_PLAIN                                              */
    const Class *cls; /* enumeration type, record, function; NULL otherwise       */
    uint32_t n_dims;
    const uint32_t *dims;
    ExprId *elem; /* VALUE_PLAIN: value_size() of them; VALUE_DYNAMIC: the local */
    const struct DynamicView *view; /* VALUE_DYNAMIC: the expression, NULL for a local */
    uint32_t n_fields;              /* VALUE_RECORD; the inputs given of a VALUE_FUNCTION       */
    const Name *field_name;
    Value *field;
    Name unit; /* of a Real, when known; NULL otherwise                    */
};

uint32_t value_size(const Value *v);      /* product of the dimensions; 1 for a scalar */
uint32_t value_n_scalars(const Value *v); /* all scalars and dynamic arrays, fields included */
Value value_scalar(Arena *mem, BaseType type, ExprId x);
Value value_array(Arena *mem, BaseType type, uint32_t n_dims,
                  const uint32_t *dims); /* elements EXPR_NONE */
/* All scalars in order (fields in declaration order): the flat form for calls and equations. */
void value_flatten(const Value *v, ExprId *out);
const Value *value_field(const Value *v, Name field); /* NULL if there is none */

Value value_copy(Arena *mem, const Value *v); /* shares nothing with v */
bool value_is_scalar(const Value *v);         /* VALUE_PLAIN without dimensions */
bool value_same_dims(const Value *a, const Value *b);
/* The value shaped as v whose scalars are at[0..]: the inverse of value_flatten. */
Value value_unflatten(Arena *mem, const Value *v, const ExprId *at);

/* v with its first n_lead dimensions replaced by `dims`: block k of the result is block pick[k]
 * of v, where a block is all that one index of the first n_lead dimensions holds. */
Value value_pick(Arena *mem, const Value *v, uint32_t n_lead, const uint32_t *pick, uint32_t n_dims,
                 const uint32_t *dims);
/* The array with leading dimensions `dims` whose k-th block is block[k]; all blocks have the
 * shape and type of `like` (also when there are none). */
Value value_stack(Arena *mem, const Value *like, uint32_t n_dims, const uint32_t *dims,
                  const Value *block);

#endif
