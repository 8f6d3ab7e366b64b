/* expression.h -- the state of evaluation that Front carries.
 *
 * Evaluation turns syntax into pool expressions (scope.h: eval, eval_structural, ...). What it
 * builds on the way lives in Front's scratch arena and is given back when the outermost
 * evaluation returns; its result is copied to Front's mem. So what a Scope hands out during an
 * evaluation may live in either, and what it wants to keep must live in mem.
 */
#ifndef RUNG_FRONTEND_EXPRESSION_H
#define RUNG_FRONTEND_EXPRESSION_H

#include "base/map.h"
#include "frontend/value.h"

#include <stdbool.h>

struct FunctionTable; /* function.c: the functions kept as calls */

/* All zero is the state to begin with. */
typedef struct Evaluator {
    bool structural; /* inside eval_structural: parameters are replaced by their values */
    const char *use; /* what eval_structural was asked for, for messages                */
    uint32_t depth;  /* of nested expressions and statements, limited                   */
    uint32_t calls;  /* of nested function calls, limited                               */
    bool has_end;    /* `end` is end_size: inside the subscripts of an array            */
    uint32_t end_size;
    bool in_function; /* inside an algorithm: no der, pre, ...                           */
    struct FunctionTable *functions;
} Evaluator;

#endif
