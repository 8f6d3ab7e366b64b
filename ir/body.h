/* body.h -- the algorithm of a function that stays a call.
 *
 * Scalars, arrays and records of known sizes being spread out. Local k is the node OP_LOCAL k of
 * the pool, in each body anew. A statement reads the values before it; locals that are no inputs
 * begin as 0. Between statements nothing is remembered but the locals, so an expression belongs to
 * the statement in which it stands.
 *
 * An array whose size is known in a run only is one local, a dynamic array. Expressions read its
 * elements and sizes (expr_array_element, expr_array_size), four kinds of statements change it:
 *
 *     output Real y;                   w: an array of rank 1
 *   protected                          RESIZE w to n
 *     Real w[n];                       LOOP i <= n
 *   algorithm                            PUT w[i] := sin(i)
 *     w := {sin(i) for i in 1:n};      y := element(w, n)
 *     y := w[n];
 *
 * It begins without elements and is freed when the call returns.
 *
 * An external function has no statements: see External.
 */
#ifndef RUNG_IR_BODY_H
#define RUNG_IR_BODY_H

#include "ir/system.h"

typedef enum StatementKind {
    STATEMENT_ASSIGN, /* to[k] := value[k] for all k at once                              */
    STATEMENT_IF,     /* cond; body, otherwise                                            */
    STATEMENT_LOOP,   /* body while cond holds, which is evaluated before each iteration  */
    STATEMENT_BLOCK,  /* body, once; a break in it leaves it                              */
    STATEMENT_BREAK,  /* leaves the innermost loop or block                               */
    STATEMENT_RETURN,
    STATEMENT_ASSERT, /* cond, else the call fails with the message                       */
    STATEMENT_RUN,    /* a call for its side effects: value[0]                            */
    STATEMENT_RESIZE, /* array to[0] gets the sizes value[], and zeros as elements        */
    STATEMENT_PUT,    /* element value[1], value[2], ... of array to[0] becomes value[0]  */
    STATEMENT_MOVE,   /* array to[0] becomes array to[1], which is empty then             */
    STATEMENT_CALL, /* result k of the call value[0], which takes or gives arrays, goes to to[k] */
} StatementKind;

enum { MOST_RANK = 8 }; /* of a dynamic array: RUNG_MOST_RANK */

typedef struct Statement Statement;
typedef VEC(Statement *) StatementList;
struct Statement {
    StatementKind kind;
    uint32_t n; /* values; of STATEMENT_CALL results, of which there is one value */
    const uint32_t *to;
    const ExprId *value;
    ExprId cond;
    StatementList body, otherwise;
    ExprId message;
    bool is_warning;
    Span span;
};

/* How many expressions `value` holds. */
static inline uint32_t statement_n_values(const Statement *st)
{
    return st->kind == STATEMENT_CALL ? 1 : st->kind == STATEMENT_MOVE ? 0 : st->n;
}

/* How C is given an argument of an external function (MLS 12.9.1). */
typedef enum ExternalKind {
    EXTERNAL_REAL,     /* double                        */
    EXTERNAL_INTEGER,  /* int: enumerations, Booleans   */
    EXTERNAL_SIZE,     /* size_t: of an array           */
    EXTERNAL_STRING,   /* const char *                  */
    EXTERNAL_OBJECT,   /* void *                        */
    EXTERNAL_REALS,    /* double *, of an array         */
    EXTERNAL_INTEGERS, /* int *, likewise               */
    EXTERNAL_STRINGS,  /* const char **, likewise       */
    EXTERNAL_RECORD,   /* struct *, of an array too     */
} ExternalKind;

typedef struct ExternalArg {
    ExternalKind kind;
    bool is_output;    /* a pointer, of a scalar too                          */
    uint32_t local, n; /* the first local, and how many */
    bool is_dynamic;   /* EXTERNAL_REALS: the local is a dynamic array, an input */
    ExprId value;      /* of an input that is no local                        */
    uint32_t n_dims;   /* of an array                                         */
    const uint32_t *dim;
    /* of n records (MLS 12.9.1.3): the name of their class, and their fields, scalars or records,
     * each with n locals one behind the other */
    Name record;
    uint32_t n_fields;
    const struct ExternalArg *field;
} ExternalArg;

/* external "C" result = function(arg): the body of an external function. With external "FORTRAN 77"
 * all arguments are addresses, and arrays stand by columns (MLS 12.9.1.2, 12.9.2). */
typedef struct External {
    const char *function; /* as the linker knows it */
    bool is_fortran;
    uint32_t n_args;
    const ExternalArg *arg;
    bool has_result;
    ExternalArg result;
    bool is_constructor;            /* result is an object; the first input is its slot */
    const char *destructor;         /* the C function, or NULL                          */
    const char *destructor_include; /* of that function's own annotation, or NULL */
    /* annotations (MLS 12.9.4), URIs resolved; NULL without */
    const char *include, *include_dir, *library_dir;
    uint32_t n_libraries;
    const char *const *library;
} External;

typedef struct BodyLocal {
    Name name;     /* for comments: v[2], r.x */
    BaseType type; /* of its elements         */
    uint8_t rank;  /* of a dynamic array; 0: a scalar */
} BodyLocal;

struct Body {
    VEC(BodyLocal) local;
    uint32_t *input;          /* n_in of the function: locals */
    uint32_t *output;         /* n_out                        */
    const External *external; /* or NULL */
    StatementList list;
};

/* Prints the body as a Modelica function. */
void body_print(const System *s, const Function *f, FILE *out);

/* The scalars and arrays of an argument that is a record, in mem; an argument that is none, alone.
 */
uint32_t external_leaves(const ExternalArg *a, Arena *mem, const ExternalArg ***out);

/* The function that is `f` where its first input, one more, is true, and 0 elsewhere; for calls
 * under a condition. Made on first use. */
FuncId function_guarded(System *s, FuncId f);
/* The same as one more function, which no other call shares: for an impure one (MLS 12.3), of which
 * two calls are two even with equal arguments. */
FuncId function_guarded_anew(System *s, FuncId f);

/* One more function that is `f` where its first input is true; its only result is 1, for equations
 * that call f for its side effects. The second input is not used: it is the result of the previous
 * call, which is thus made first. */
FuncId function_effect(System *s, FuncId f);

/* The text of a number by a format (runtime/kernel/rung_text.h), a String literal; two texts in
 * one. */
ExprId expr_text_of_number(System *s, ExprId number, const char *format);
ExprId expr_join(System *s, ExprId a, ExprId b);
/* -1, 0 or 1: a comes before b, is equal, comes after (MLS 3.5). */
ExprId expr_compare_texts(System *s, ExprId a, ExprId b);

/* delay(x, by): MLS 3.7.4.1. */
ExprId expr_delay(System *s, ExprId x, ExprId by, ExprId most);
/* Of the particle at one end of a transport with the position x: ParticleProperty in system.h. */
ExprId expr_particle(System *s, ExprId x, bool end, ParticleProperty property);
/* homotopy(actual, simplified): MLS 3.7.4.4. */
ExprId expr_homotopy(System *s, ExprId actual, ExprId simplified);

/* A call of a clock operator: an intrinsic with intrinsic_is_clocked, and its inputs. */
ExprId expr_of_clock(System *s, Intrinsic what, uint32_t n, const ExprId *input);

/* The element number (1 ...) of n values: inputs are the number and the values. */
FuncId function_element(System *s, uint32_t n);

/* Of a dynamic array, which is an OP_LOCAL: an element, NaN outside of the array; the size of
 * dimension d, from 1 on. */
ExprId expr_array_element(System *s, ExprId array, uint32_t n, const ExprId *index);
ExprId expr_array_size(System *s, ExprId array, uint32_t d);
/* How many of the inputs, or results, are dynamic arrays. */
uint32_t function_arrays_in(const Function *f);
uint32_t function_arrays_out(const Function *f);

#endif
