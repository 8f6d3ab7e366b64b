/* op_counter.h -- number of operations to evaluate expressions, each node of the pool counted once.
 *
 *     a = x*y + z;  b = x*y - z      op_counter_more(a): 2,  then op_counter_more(b): 1 more
 *
 * The only exact count: of a program, of the operations that a block adds to a growing program, of
 * blocks one after the other. All counts together are near-linear in the nodes of the program.
 */
#ifndef RUNG_IR_OP_COUNTER_H
#define RUNG_IR_OP_COUNTER_H

#include "ir/expr.h"

/* Operations of straight-line code; expressions of parameters and constants alone are evaluated
 * before a run and not counted, negation is not an operation. */
typedef struct OpCount {
    uint64_t add, mul, div, call; /* additions and subtractions together; call: functions */
} OpCount;

/* One operation with a result that varies so much. */
void op_count_add(OpCount *c, Op op, Variability how);

typedef struct OpCounter {
    const ExprPool *p;
    Arena *mem;
    const bool *only; /* per node: whether it counts; NULL: all do */
    uint32_t *stamp;  /* per node: number of the last count that reached it */
    uint32_t n;       /* nodes there is room for */
    uint32_t question;
    VEC(ExprId) stack;
} OpCounter;

OpCounter op_counter_new(const ExprPool *p, Arena *mem);
/* Begins a new count: from now on only kept nodes count as reached. */
void op_counter_begin(OpCounter *r);
/* Operations in the roots that were not reached since op_counter_begin. */
OpCount op_counter_more(OpCounter *r, uint32_t n, const ExprId *root);
/* The nodes of the roots cost nothing in later counts. */
void op_counter_keep(OpCounter *r, uint32_t n, const ExprId *root);
/* After the pool was rolled back from `before` nodes. */
void op_counter_forget(OpCounter *r, uint32_t before);

#endif
