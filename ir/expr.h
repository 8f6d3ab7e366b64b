/* expr.h -- the expression pool: every scalar expression of a compilation, shared by value.
 *
 * Nodes are named by 32-bit ids, operands before users. Each node carries a fingerprint:
 * its value modulo two 61-bit primes at a random point (Schwartz-Zippel). A node whose
 * fingerprint, or its negative, is known already is that node, or its negation; so equal
 * means same id, as rational functions in the variables, sines and cosines, and `==`
 * compares. Building shares and folds constants, it does not reshape.
 *
 * Booleans are 0 and 1, Integers and enumeration literals (from 1) are numbers; types are the
 * frontend's business.
 */
#ifndef RUNG_IR_EXPR_H
#define RUNG_IR_EXPR_H

#include "base/arena.h"
#include "base/map.h"
#include "base/name.h"
#include "base/vec.h"
#include "ir/fingerprint.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ExprId {
    uint32_t i;
} ExprId;
typedef struct VarId {
    uint32_t i;
} VarId;
typedef struct EqId {
    uint32_t i;
} EqId;
typedef struct FuncId {
    uint32_t i;
} FuncId;

#define EXPR_NONE ((ExprId){UINT32_MAX})
#define VAR_NONE ((VarId){UINT32_MAX})
#define EQ_NONE ((EqId){UINT32_MAX})
#define FUNC_NONE ((FuncId){UINT32_MAX})

static inline bool expr_same(ExprId a, ExprId b)
{
    return a.i == b.i;
}
static inline bool expr_exists(ExprId a)
{
    return a.i != UINT32_MAX;
}
static inline bool var_exists(VarId v)
{
    return v.i != UINT32_MAX;
}

typedef enum Truth { NO, YES, UNKNOWN } Truth;

/* How often a value can change (MLS 3.8), from never to always. */
typedef enum Variability {
    VARIES_NEVER,
    VARIES_PARAMETER,
    VARIES_DISCRETE,
    VARIES_ALWAYS
} Variability;

typedef enum Op {
    OP_NUM,    /* exact rational; expr_rational                          */
    OP_STRING, /* literal text                                           */
    OP_VAR,    /* a variable or parameter of the System                  */
    OP_TIME,   /* the independent variable                               */
    OP_LOCAL,  /* a variable of a function's body (body.h)               */
    OP_NEG,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_POW,
    OP_FN,  /* elementary function of one argument: expr_fn_of */
    OP_FN2, /* of two                                          */
    OP_LT,
    OP_LE,
    OP_EQ,
    OP_NE,
    OP_AND,
    OP_OR,
    OP_NOT,
    OP_SELECT,  /* if arg 0 then arg 1 else arg 2                         */
    OP_CALL,    /* function of the System, scalar arguments               */
    OP_PROJ,    /* k-th scalar result of the call arg 0                   */
    OP_DER,     /* time derivative, gone after index reduction            */
    OP_PRE,     /* left limit of a discrete variable                      */
    OP_NOEVENT, /* noEvent(x): no zero crossings inside, or of x alone    */
    OP_SMOOTH,  /* smooth(p, x): arg 0 is x, without zero crossings inside */
    OP_INITIAL, /* initial()                                              */
    OP_COUNT
} Op;

/* Signs, sums, products, quotients, powers and elementary functions, which have a derivative by
 * each operand (ir/operation_derivative.h). */
static inline bool op_is_arithmetic(Op op)
{
    return op >= OP_NEG && op <= OP_FN2;
}

static inline bool op_is_sum(Op op) /* or a difference */
{
    return op == OP_ADD || op == OP_SUB;
}

static inline bool op_is_product(Op op) /* or a quotient */
{
    return op == OP_MUL || op == OP_DIV;
}

/* The elementary functions, of one argument and of two: the name of the operator, as Modelica
 * writes it, as C does (rung_ in runtime/kernel/rung_math.h). Names in Modelica, C, code of lanes
 * and time terms are made of this table. */
#define ELEMENTARY_FUNCTIONS(X)                                                                    \
    X(SIN, sin, sin)                                                                               \
    X(COS, cos, cos)                                                                               \
    X(TAN, tan, tan)                                                                               \
    X(ASIN, asin, asin)                                                                            \
    X(ACOS, acos, acos)                                                                            \
    X(ATAN, atan, atan)                                                                            \
    X(SINH, sinh, sinh)                                                                            \
    X(COSH, cosh, cosh)                                                                            \
    X(TANH, tanh, tanh)                                                                            \
    X(EXP, exp, exp)                                                                               \
    X(LOG, log, log)                                                                               \
    X(LOG10, log10, log10)                                                                         \
    X(SQRT, sqrt, sqrt)                                                                            \
    X(ABS, abs, fabs)                                                                              \
    X(SIGN, sign, rung_sign)                                                                       \
    X(FLOOR, floor, floor)                                                                         \
    X(CEIL, ceil, ceil)
#define ELEMENTARY_FUNCTIONS_OF_TWO(X)                                                             \
    X(ATAN2, atan2, atan2)                                                                         \
    X(MIN, min, rung_min)                                                                          \
    X(MAX, max, rung_max)                                                                          \
    X(MOD, mod, rung_mod)                                                                          \
    X(REM, rem, rung_rem)                                                                          \
    X(DIV, div, rung_div)

#define FN(op, modelica, c) FN_##op,
typedef enum Fn { ELEMENTARY_FUNCTIONS(FN) FN_COUNT } Fn;
#undef FN
#define FN2(op, modelica, c) FN2_##op,
typedef enum Fn2 { ELEMENTARY_FUNCTIONS_OF_TWO(FN2) FN2_COUNT } Fn2;
#undef FN2

const char *fn_name(Fn f);   /* as Modelica writes it */
const char *fn2_name(Fn2 f); /* as Modelica writes it */

typedef struct ExprPool ExprPool;

/* `by_value` false keeps plain hash-consing (only expressions of the same form are equal), for
 * comparison. */
ExprPool *pool_new(Arena *mem, bool by_value);
void pool_free(ExprPool *p); /* gives the exact numbers back; the arena keeps the rest */
uint32_t pool_size(const ExprPool *p);
bool pool_by_value(const ExprPool *p);
/* Whether new products gather their factors that are numbers or parameters: p*(q*x) becomes
 * (p*q)*x. Operations of parameters alone are none of the run, and q*x may not be needed then. For
 * pools by value. Returns whether it was so. */
bool pool_gather_factors(ExprPool *p, bool on);
/* Whether a new sum a*y + b*y becomes (a + b)*y (common_factor.h). For pools by value. Returns
 * whether it was so. */
bool pool_factor_sums(ExprPool *p, bool on);
/* x stays one factor: values of variables are looked for in what is made of them. */
void pool_keep_whole(ExprPool *p, ExprId x);
/* The nodes from `from` on were made for other equations, those of the start for example: later
 * lookups do not find them. An expression may hold a variable that cancels in it, x - (x - y) for
 * y, which is known there and unknown elsewhere. Constants and expressions of parameters alone are
 * still found. */
void pool_set_apart(ExprPool *p, uint32_t from);
/* Takes the last pool_set_apart back, which was from `from` on: its nodes are found again, but for
 * values that others were made for meanwhile. */
void pool_put_back(ExprPool *p, uint32_t from);

/* A mark for pool_rollback, which removes all nodes built after it. Their ids are used again. Cost:
 * that of building them. */
typedef struct PoolMark {
    uint32_t n, n_text, n_arg, n_angle, n_value;
} PoolMark;

PoolMark pool_mark(const ExprPool *p);
void pool_rollback(ExprPool *p, PoolMark m);
/* Marks all nodes below those that are marked (an entry per node), in one sweep over the pool: for
 * many roots; program_reach is for few. */
void pool_mark_below(const ExprPool *p, bool *mark);
/* Drops all nodes except those marked (an entry per node) and the nodes below them, which it marks,
 * and renumbers the rest in the same order. Returns the new number of each remaining node by its
 * old one. Ids and PoolMarks from before are invalid then. */
const uint32_t *pool_compact(ExprPool *p, bool *mark, Arena *mem);
bool pool_holds(const ExprPool *p, Op op); /* whether any node is of this kind */

/* Leaves. */
ExprId expr_int(ExprPool *p, long n);
ExprId expr_ratio(ExprPool *p, long num, long den);
ExprId expr_literal(ExprPool *p, const char *text); /* "9.81" is 981/100; "1e-3" is 1/1000 */
ExprId expr_double(ExprPool *p, double x);          /* the exact dyadic value; x finite    */
ExprId expr_string(ExprPool *p, Name text);
ExprId expr_var(ExprPool *p, VarId v, Variability how);
ExprId expr_of_var(const ExprPool *p, VarId v); /* EXPR_NONE before the first expr_var */
ExprId expr_time(ExprPool *p);
ExprId expr_local(ExprPool *p, uint32_t k);

/* Operators. Operands may be any node; constants are folded exactly. */
ExprId expr_neg(ExprPool *p, ExprId a);
ExprId expr_add(ExprPool *p, ExprId a, ExprId b);
ExprId expr_sub(ExprPool *p, ExprId a, ExprId b);
ExprId expr_mul(ExprPool *p, ExprId a, ExprId b);
ExprId expr_div(ExprPool *p, ExprId a, ExprId b); /* b must not be the number 0 */
enum { POWER_UNROLLED = 16 };                     /* x^n with |n| up to this becomes products */
ExprId expr_pow(ExprPool *p, ExprId a, ExprId b);
ExprId expr_fn(ExprPool *p, Fn f, ExprId a);
ExprId expr_fn2(ExprPool *p, Fn2 f, ExprId a, ExprId b);
ExprId expr_compare(ExprPool *p, Op op, ExprId a, ExprId b); /* OP_LT, OP_LE, OP_EQ, OP_NE */
ExprId expr_and(ExprPool *p, ExprId a, ExprId b);
ExprId expr_or(ExprPool *p, ExprId a, ExprId b);
ExprId expr_not(ExprPool *p, ExprId a);
ExprId expr_select(ExprPool *p, ExprId cond, ExprId yes, ExprId no);
ExprId expr_call(ExprPool *p, FuncId f, uint32_t n, const ExprId *args);
ExprId expr_proj(ExprPool *p, ExprId call, uint32_t k);
ExprId expr_wrap(ExprPool *p, Op op, ExprId a); /* OP_DER, OP_PRE, OP_NOEVENT, OP_SMOOTH */
/* smooth(0, a): an OP_SMOOTH, also where nothing in a makes an event; it has no derivative that is
 * continuous. */
ExprId expr_smooth(ExprPool *p, ExprId a);
bool expr_smooth_has_kinks(const ExprPool *p, ExprId x); /* of an OP_SMOOTH: it is such a one */
/* A relation or jump a in the body of a function, in its place in an equation (MLS 8.5): an
 * OP_NOEVENT for the operator of a alone, whose operands make events as they do elsewhere, since
 * they may be arguments. Anything else is returned as it is. Dumps show it as any noEvent(). */
ExprId expr_of_function(ExprPool *p, ExprId a);
bool expr_noevent_of_function(const ExprPool *p, ExprId x); /* of an OP_NOEVENT: it is such a one */
ExprId expr_initial(ExprPool *p);

/* The data of a node that the inline functions below read: they run very often. */
typedef struct ExprNode {
    uint8_t op;
    uint8_t fn; /* Fn or Fn2 */
    uint8_t variability;
    uint8_t flags;
    uint32_t a, b, c; /* operands; NUM: number; VAR: variable; STRING: text;
                         CALL: function, first argument, how many; PROJ: call, k */
} ExprNode;
typedef struct ExprEntry {
    ExprNode node;
    Fp fp;
    uint64_t leaves; /* of those below it that vary each a bit, by its hash; of calls too */
} ExprEntry;
typedef struct ExprEntries {
    ExprEntry *at;
    uint32_t n;
} ExprEntries;
extern const uint8_t expr_arity[OP_COUNT]; /* OP_CALL: 0 */

/* Relations and logical operators: results are Boolean. */
static inline bool op_is_logical(Op op)
{
    return op >= OP_LT && op <= OP_NOT;
}

void expr_missing(ExprId x) __attribute__((noreturn));
uint32_t expr_call_size(const ExprPool *p, ExprId x);
ExprId expr_call_arg(const ExprPool *p, ExprId x, uint32_t k);

static inline const ExprEntry *expr_entry(const ExprPool *p, ExprId x)
{
    const ExprEntries *all = (const void *)p; /* a pool begins with them */
    if (x.i >= all->n)
        expr_missing(x);
    return &all->at[x.i];
}

/* Looking at a node. */
static inline Op expr_op(const ExprPool *p, ExprId x)
{
    return (Op)expr_entry(p, x)->node.op;
}
static inline uint32_t expr_n_args(const ExprPool *p, ExprId x)
{
    Op op = expr_op(p, x);
    return op == OP_CALL ? expr_call_size(p, x) : expr_arity[op];
}
static inline ExprId expr_arg(const ExprPool *p, ExprId x, uint32_t k)
{
    const ExprNode *n = &expr_entry(p, x)->node;
    if (n->op == OP_CALL)
        return expr_call_arg(p, x, k);
    return (ExprId){k == 0 ? n->a : k == 1 ? n->b : n->c};
}
static inline VarId expr_var_of(const ExprPool *p, ExprId x) /* OP_VAR */
{
    return (VarId){expr_entry(p, x)->node.a};
}
uint32_t expr_local_of(const ExprPool *p, ExprId x); /* OP_LOCAL */
Fn expr_fn_of(const ExprPool *p, ExprId x);          /* OP_FN   */
Fn2 expr_fn2_of(const ExprPool *p, ExprId x);        /* OP_FN2  */
FuncId expr_func_of(const ExprPool *p, ExprId x);    /* OP_CALL */
uint32_t expr_proj_of(const ExprPool *p, ExprId x);
Name expr_text_of(const ExprPool *p, ExprId x);        /* OP_STRING */
mpq_srcptr expr_rational(const ExprPool *p, ExprId x); /* OP_NUM    */
static inline Variability expr_variability(const ExprPool *p, ExprId x)
{
    return (Variability)expr_entry(p, x)->node.variability;
}

/* A number, or an expression of parameters alone. */
static inline bool expr_is_fixed(const ExprPool *p, ExprId x)
{
    return expr_variability(p, x) <= VARIES_PARAMETER;
}

/* The value modulo 2^61 - 1 at the pool's random point: the first half of the fingerprint. */
static inline uint64_t expr_residue(const ExprPool *p, ExprId x)
{
    return expr_entry(p, x)->fp.r[0];
}

/* The node of this value that holds no variables but those of the n expressions, and varies no more
 * than they; EXPR_NONE: there is none. */
ExprId expr_known(ExprPool *p, Fp value, uint32_t n, const ExprId *x);

/* All of it; and the node that has this value, up to sign, or EXPR_NONE. */
static inline Fp expr_fingerprint(const ExprPool *p, ExprId x)
{
    return expr_entry(p, x)->fp;
}
/* The one node that has the value, or whose negative has it. */
ExprId expr_of_value(const ExprPool *p, Fp value);
static inline bool expr_is_known(const ExprPool *p, Fp value)
{
    return expr_exists(expr_of_value(p, value));
}

Truth expr_is_zero(const ExprPool *p, ExprId x); /* YES only for the number 0 */
/* Whether the operator of x has a kink in the operands that move, a bit of `moved` each: abs, min,
 * max, a choice by a condition. sign() is a jump. */
bool expr_is_kink(const ExprPool *p, ExprId x, uint32_t moved);
bool expr_is_num(const ExprPool *p, ExprId x);
bool expr_is_int(const ExprPool *p, ExprId x, long *value); /* an integer that fits a long */
bool expr_is(const ExprPool *p, ExprId x, long value);      /* is the number `value`       */

/* The double nearest to q, ties to even. */
double rational_double(mpq_srcptr q);

/* The number a variability-constant expression stands for; false if it holds anything that
 * is not a number (variables, strings, calls) or is not finite. */
bool expr_constant(const ExprPool *p, ExprId x, double *value);

/* The value of the node's operator for operands' values a, b, c (MLS 3.7.2 for mod, rem, div); NAN
 * for strings, calls and variables. */
double expr_apply(const ExprPool *p, ExprId x, double a, double b, double c);

/* x with each variable replaced: value[v.i], EXPR_NONE keeps it. The memo makes a series of
 * substitutions with the same values near-linear in the nodes visited; start it empty. */
typedef struct Substitution {
    const ExprId *value; /* per variable                */
    uint32_t n;          /* variables beyond are kept   */
    uint32_t *memo;      /* per node: that of the new one, + 1; grows with the pool */
    uint32_t memo_cap;
    Arena *mem;
    VEC(ExprId) stack; /* of the walk, kept for the next one */
    VEC(ExprId) args;
    bool is_tentative;       /* new entries of the memo are listed ... */
    VEC(uint32_t) tentative; /* ... here, for substitution_go_back      */
} Substitution;
ExprId expr_substitute(ExprPool *p, Substitution *s, ExprId x);
void substitution_forget(Substitution *s); /* after a value has changed */
/* Removes the entries of the memo since is_tentative was set. */
void substitution_go_back(Substitution *s);

/* The node rebuilt with other operands (as many as before). */
ExprId expr_rebuild(ExprPool *p, ExprId x, const ExprId *args);

/* Bottom-up: every node below x is rebuilt from its rewritten operands, then offered to `rewrite`,
 * leaves as often as they are met. EXPR_NONE from it ends the walk with EXPR_NONE. scratch is
 * rolled back, so it must not be the arena of the pool or System. */
typedef ExprId (*ExprRewrite)(void *data, ExprId x);
ExprId expr_map(ExprPool *p, Arena *scratch, ExprId x, ExprRewrite rewrite, void *data);

bool expr_holds_call(const ExprPool *p, ExprId x); /* x itself, or a node below it */
/* As expr_map, restricted to calls and the nodes above calls; all other nodes are kept. memo: node
 * to result, empty at first, for a series of expressions that share calls. */
ExprId expr_map_calls(ExprPool *p, Map *memo, ExprId x, ExprRewrite rewrite, void *data);

#endif
