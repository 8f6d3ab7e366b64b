/* body.h -- the algorithm of a function that stays a call: what cannot be expanded.
 *
 * Scalars only, arrays and records being spread out. Local k is the node OP_LOCAL k of the pool, in
 * each body anew. What a statement reads are the values before it; locals that are no inputs begin
 * as 0. Between statements nothing is remembered but the locals, so an expression
 * belongs to the statement in which it stands.
 *
 * An external function has no statements: see External.
 */
#ifndef RUNG_IR_BODY_H
#define RUNG_IR_BODY_H

#include "ir/system.h"

typedef enum StatementKind {
    STATEMENT_ASSIGN, /* to[k] := value[k] for all k at once                              */
    STATEMENT_IF,     /* cond; body, otherwise                                            */
    STATEMENT_LOOP,   /* body while cond holds, which is looked at before each round      */
    STATEMENT_BLOCK,  /* body, once; a break in it leaves it                              */
    STATEMENT_BREAK,  /* leaves the innermost loop or block                               */
    STATEMENT_RETURN,
    STATEMENT_ASSERT, /* cond, else the call fails with the message                       */
    STATEMENT_RUN,    /* a call for what it does: value[0]                                */
} StatementKind;

typedef struct Statement Statement;
typedef VEC(Statement *) StatementList;
struct Statement {
    StatementKind kind;
    uint32_t n;
    const uint32_t *to;
    const ExprId *value;
    ExprId cond;
    StatementList body, otherwise;
    ExprId message;
    bool is_warning;
    Span span;
};

typedef struct BodyLocal {
    Name name; /* for comments: v[2], r.x */
    BaseType type;
} BodyLocal;

struct Body {
    VEC(BodyLocal) local;
    uint32_t *input;  /* n_in of the function: locals */
    uint32_t *output; /* n_out                        */
    const struct External *external;
    StatementList list;
};

const Body *function_body(const System *s, FuncId f); /* NULL: it is expanded, or opaque */

/* As a Modelica function. */
void body_print(const System *s, const Function *f, FILE *out);

/* The function that is `f` where its first input, one more, is true, and 0 elsewhere; for calls
 * under a condition. Made on first use. */
FuncId function_guarded(System *s, FuncId f);

/* The element number (1 ...) of n values: inputs are the number and the values. */
FuncId function_element(System *s, uint32_t n);

#endif
