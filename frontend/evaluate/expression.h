/* expression.h -- inside evaluation: the Evaluator that Front carries, and the functions that the
 * files below share.
 *
 * Evaluation turns syntax into pool expressions (scope.h: eval, eval_structural, ...). Intermediate
 * values live in Front's scratch arena, which is rolled back when the outermost evaluation returns;
 * the result is copied to Front's mem. So a Scope may return values that live in either, and must
 * put into mem those that it keeps.
 *
 * Files: expression.c (syntax to values), expression_operator.c (operators on values),
 * builtin.c (MLS 3.7 and 10.3), function.c (calls of functions and record constructors).
 */
#ifndef RUNG_FRONTEND_EVALUATE_EXPRESSION_H
#define RUNG_FRONTEND_EVALUATE_EXPRESSION_H

#include "base/arena.h"
#include "base/map.h"
#include "frontend/evaluate/value.h"
#include "frontend/syntax/syntax.h"

#include <stdbool.h>

typedef struct Front Front;
typedef struct Scope Scope;
struct FunctionTable; /* function.c: the functions kept as calls */

/* a[i] of an Integer i that varies during a simulation stands for all elements: whoever allows it
 * evaluates the reference once for each choice of such subscripts. */
enum { MAX_VARYING = 4 };
typedef struct VaryingSubscripts {
    uint32_t n;    /* met so far in this reference   */
    uint32_t next; /* the one that is met next       */
    ExprId index[MAX_VARYING];
    uint32_t size[MAX_VARYING];
    uint32_t choice[MAX_VARYING]; /* 0-based */
    const SynExpr *of[MAX_VARYING];
    /* One subscript may be a vector of n_elements that vary; then the reference is evaluated once
     * for each of them, and once before, with the first element n_elements times, for its shape. */
    bool has_elements, is_shape;
    uint32_t n_elements, element;
    uint32_t along; /* of an assignment: the dimension of its value with these elements */
} VaryingSubscripts;

/* The initial state is all zero. */
typedef struct Evaluator {
    bool structural;    /* inside eval_structural: parameters are replaced by their values */
    const char *use;    /* the caller's use of the value, for messages                     */
    bool in_message;    /* text of an assertion: String(x) of a varying x shows x as text  */
    bool in_function;   /* inside a function: no der                                       */
    bool in_when;       /* inside a when-clause: pre of a continuous variable, too         */
    bool in_clocked;    /* inside a when-clause with a clock                               */
    bool in_no_event;   /* inside noEvent: conditions hold as they are at the moment       */
    bool in_body;       /* of a function that is expanded: relations make no events        */
    bool in_initial;    /* inside an initial section                                       */
    ExprId effect;      /* stands for the last call for its effect alone; 0 at first       */
    uint32_t depth;     /* of nested expressions and statements, limited                   */
    uint32_t calls;     /* of nested function calls, limited                               */
    bool has_end;       /* `end` is end_size: inside the subscripts of an array            */
    uint32_t end_size;  /*                                                                 */
    bool end_varies;    /* or `end` is this:                                               */
    ExprId end_expr;    /*                                                                 */
    bool has_path;      /* under branches that depend on variables: path is the condition  */
    ExprId path;        /* under which this is reached                                     */
    bool in_left_limit; /* inside pre: ignore the assignments of the algorithm section */
    const struct Local *section; /* the variables of the algorithm section that runs */
    bool dry;              /* run for the shape of the result only: no assertions recorded    */
    uint32_t placeholders; /* of partial derivatives (MLS 12.7.2) that are at work */
    VaryingSubscripts *varying; /* NULL: subscripts must be known                         */
    const Value *functional; /* n_functional VALUE_FUNCTIONs that the running function can call */
    const Name *functional_name;
    uint32_t n_functional;
    struct FunctionTable *functions;
    const struct CallChain *chain; /* of the functions that are running, innermost first */
    struct Emission *emission;     /* a function is written down: assertions become statements */
    const char *stuck;             /* why the innermost of them cannot be expanded; NULL: it can */
    bool stuck_endless;            /* by calls in calls without an end                      */
    const char *stuck_code;        /*                                                       */
    Span stuck_span;
} Evaluator;

typedef struct CallChain {
    const struct CallChain *outer;
    const Class *c;
} CallChain;

/* Begins an evaluation with a fresh state, since a Scope may start one inside another; the end
 * restores the outer state and rolls scratch back. */
typedef struct Evaluation {
    Evaluator outer;
    ArenaMark mark;
} Evaluation;
Evaluation evaluation_begin(Front *f);
void evaluation_end(Front *f, const Evaluation *e);

/* As eval, result in scratch. The result may be a dynamic array (dynamic_array.h) for the second
 * one only: the first one reports that such an array has no place here. */
bool expression_value(Front *f, Scope *s, const SynExpr *x, Value *out);
bool expression_any(Front *f, Scope *s, const SynExpr *x, Value *out);
/* As expression_any; known texts may be in pieces (joined_text.h). */
bool expression_in_pieces(Front *f, Scope *s, const SynExpr *x, Value *out);
/* The k-th of n_out results of a call go to out[k]; a call with fewer results is reported. */
bool expression_call(Front *f, Scope *s, const SynExpr *x, uint32_t n_out, Value *out);
/* A scalar of that type (for Real also an Integer). */
bool expression_scalar(Front *f, Scope *s, const SynExpr *x, BaseType type, ExprId *out);

/* A relation or jump, that of an operator just evaluated; in the body of a function it makes no
 * event (MLS 8.5). A body that is written down makes none anyway. */
ExprId expression_event(Front *f, ExprId x);

/* Adds cond to the path of the evaluations that follow. */
void expression_path(Front *f, ExprId cond);

bool varying_next(VaryingSubscripts *v);                        /* the next choice, if any    */
ExprId varying_condition(Front *f, const VaryingSubscripts *v); /* it is the actual one */

/* Calls visit for every component reference in x, in the order of the text, until one returns
 * false; false then. */
typedef bool (*CrefVisitor)(void *ctx, const SynCref *cref);
bool visit_crefs(const SynExpr *x, CrefVisitor visit, void *ctx);
bool visit_statements(const SynStatements *list, CrefVisitor visit, void *ctx);

/* All elements of all iterators in turn: body(iteration) is evaluated with the iterators as
 * locals; the first iterator is the fastest (MLS 10.4.1.2: the last is the outermost). */
typedef struct Iteration {
    uint32_t n;           /* iterators */
    const uint32_t *size; /* per iterator */
    uint32_t total;
    const Value *range; /* per iterator: a vector */
    struct Local *local;
    Scope *scope; /* with the iterators over the outer scope */
} Iteration;
bool iteration_new(Front *f, Scope *s, uint32_t n, const SynIter *iter, const SynExpr *body,
                   const SynStatements *statements, Iteration *out);
/* The range of an iterator that has none, by the first array that it subscripts in the body or the
 * statements (MLS 11.2.2.1). */
bool deduced_range(Front *f, Scope *s, const SynIter *iter, const SynExpr *body,
                   const SynStatements *statements, Value *out);
void iteration_set(Front *f, Iteration *it, uint32_t k); /* the k-th element, k < total */
/* A value of the type and shape that `body` has inside an iteration without elements: for 1, or the
 * first literal. False where it has none. */
bool iteration_shape(Front *f, Iteration *it, const SynExpr *body, Value *out);

/* Is the dimension an enumeration type, or Boolean? */
bool dimension_is_type(Front *f, Scope *s, const SynExpr *x, uint32_t *out);

bool value_is_known(const Value *v); /* every scalar has an expression */
/* Some part of a record has a value: functions may leave others without one. */
bool value_is_partly_known(const Value *v);
const char *type_text(Front *f, const Value *v); /* Real[3, 2], MyRecord */
const char *base_type_text(BaseType t);
/* Gives both the same type: Integer becomes Real if the other is Real. False (not reported) if
 * their types do not agree. Dimensions are ignored. */
bool types_unify(Value *a, Value *b);
/* The value of the condition if it is known at compile time; parameters that a user can set count
 * as unknown. */
Truth expression_truth(Front *f, ExprId cond);
/* Parameters replaced by their values; false (not reported) when x does not become constant. */
bool structural_value(Front *f, ExprId x, ExprId *out);
/* v along dimension `along` (0-based) one after the other; dimensions agree and are > along. */
bool value_cat(Front *f, Span span, uint32_t along, uint32_t n, const Value *part, Value *out);
Value value_promote(Front *f, const Value *v, uint32_t n_dims); /* size 1 dimensions at the end */

/* expression_operator.c */
/* Adds an assertion to the model. */
void expression_must_hold(Front *f, ExprId cond, Span span, Name message);
bool operator_unary(Front *f, SynOp op, Span span, const Value *a, Value *out);
bool operator_binary(Front *f, SynOp op, Span span, const Value *a, const Value *b, Value *out);
/* Is v an Integer that is known, the exponent of a matrix (MLS 10.6.7)? */
bool operator_exponent(Front *f, const Value *v, long *out);
Value value_transpose(Front *f, const Value *v); /* swaps the first two dimensions */

/* builtin.c: the predefined function called `name`: one that builtin_is_function knows. */
bool builtin_call(Front *f, Scope *s, const char *name, const SynExpr *call, uint32_t n_out,
                  Value *out);

#endif
