/* syntax.h -- the syntax tree of Modelica (MLS 3.6 appendix A), one struct per rule of the grammar.
 *
 * The tree is the text as written: names are not resolved and expressions are not evaluated. Only
 * the parser writes it, so all instances share it. All of it lives in the arena
 * given to the parser; names are interned in one Names table, so `a.s == b.s` compares. Lists are a
 * pointer and a count, and an empty list is {NULL, 0}. A pointer documented "or NULL" is NULL when
 * the part is not in the text. Every node says where it stands (Span).
 *
 * Depth: the parser refuses text nested deeper than SYN_MAX_DEPTH levels (parentheses, calls,
 * arrays, modifications, classes, blocks of equations). One level adds at most 9 nodes, and
 * chains of equal precedence are one flat node (see SYN_CHAIN), so recursion over a syntax
 * tree is at most 9 * SYN_MAX_DEPTH calls deep.
 *
 * Reading order: paths and references, expressions, modifications, elements, classes,
 * equations, statements, files.
 */
#ifndef RUNG_FRONTEND_SYNTAX_SYNTAX_H
#define RUNG_FRONTEND_SYNTAX_SYNTAX_H

#include "base/diag.h"
#include "base/map.h"
#include "base/name.h"

#include <stdbool.h>
#include <stdint.h>

enum { SYN_MAX_DEPTH = 500 };

typedef struct SynExpr SynExpr;
typedef struct SynMod SynMod;
typedef struct SynElement SynElement;
typedef struct SynClass SynClass;
typedef struct SynEquation SynEquation;
typedef struct SynStatement SynStatement;
typedef struct SynFile SynFile;

/* ---- Names ----------------------------------------------------------------------------
 *
 * A quoted identifier keeps its quotes and escapes: 'x' and x are different names.
 */

/* A dotted name without subscripts: a type specifier, the target of an import or a within. */
typedef struct SynPath {
    bool global; /* begins with a dot: looked up from the top (MLS 5.3.3) */
    uint32_t n;
    const Name *name; /* n of them */
    Span span;
} SynPath;

/* A list of expressions. */
typedef struct SynExprs {
    SynExpr **at;
    uint32_t n;
} SynExprs;

/* One part of a component reference: b[1, :] in a.b[1, :].c */
typedef struct SynPart {
    Name name;
    SynExprs sub; /* subscripts; SYN_COLON and SYN_END occur inside */
    Span span;    /* name and subscripts */
} SynPart;

typedef struct SynCref {
    bool global; /* begins with a dot */
    uint32_t n;  /* at least 1 */
    const SynPart *part;
    Span span;
} SynCref;

/* ---- Expressions ---------------------------------------------------------------------- */

typedef enum SynExprKind {
    SYN_INTEGER, /* text: digits as written                                                  */
    SYN_REAL,    /* text: as written, 1.5e-3: exact rationals are possible                   */
    SYN_STRING,  /* text: escapes resolved, ends with 0                                      */
    SYN_BOOLEAN, /* truth                                                                    */
    SYN_CREF,    /* cref                                                                     */
    SYN_UNARY,   /* op, arg.at[0]: - + .- .+ not                                             */
    SYN_CHAIN,   /* arg.n operands, ops[k] stands before arg.at[k], ops[0] unused: see below */
    SYN_BINARY,  /* op, arg.at[0], arg.at[1]: ^ .^ and the relations; never nests by itself  */
    SYN_IF,      /* arg: cond, value, cond, value, ..., value of else; arg.n is odd and >= 3 */
    SYN_RANGE,   /* arg.n = 2: from:to, 3: from:step:to                                      */
    SYN_CALL,    /* cref = function (also der, initial, pure), arg, named, iter              */
    SYN_PARTIAL, /* `function f(x = 1)` as an argument: cref, named (MLS 12.4.2.1)           */
    SYN_ARRAY,   /* {a, b}: arg; with iter: {arg.at[0] for iter}                             */
    SYN_MATRIX,  /* [a, b; c]: row, n_rows                                                   */
    SYN_TUPLE,   /* (a, , b): arg, where an omitted one is NULL; never 1 present element: that
                    is a parenthesis and leaves no node; () has arg.n = 0                    */
    SYN_INDEX,   /* (x)[1, 2] or (x).f: base, arg = subscripts, field (field.s NULL if none) */
    SYN_COLON,   /* the subscript `:`                                                        */
    SYN_END,     /* `end` inside a subscript                                                 */
} SynExprKind;

/* In order of precedence, lowest first, within SYN_CHAIN and within SYN_BINARY. */
typedef enum SynOp {
    SYN_NO_OP,
    SYN_OR,
    SYN_AND,
    SYN_NOT,
    SYN_LT,
    SYN_LE,
    SYN_GT,
    SYN_GE,
    SYN_EQ, /* == */
    SYN_NE, /* <> */
    SYN_ADD,
    SYN_SUB,
    SYN_EL_ADD, /* .+ and so on: elementwise */
    SYN_EL_SUB,
    SYN_MUL,
    SYN_DIV,
    SYN_EL_MUL,
    SYN_EL_DIV,
    SYN_POW,
    SYN_EL_POW,
} SynOp;

/* f(x, n = 3): the n = 3. */
typedef struct SynNamed {
    Name name;
    SynExpr *value;
    Span span;
} SynNamed;

/* `i in range`; range is NULL when it is to be deduced (MLS 11.2.2.1). */
typedef struct SynIter {
    Name name;
    SynExpr *range;
    Span span;
} SynIter;

/* SYN_CHAIN: operators of equal precedence are left-associative and stand in one flat node,
 * so that a sum of 100,000 terms is no deep tree. Evaluate it as
 *
 *     x = arg.at[0];  for k = 1 .. n-1:  x = apply(ops[k], x, arg.at[k]);
 *
 * Chains: {+ - .+ .-}, {* / .* ./}, {and}, {or}. Parentheses give a nested chain. A leading
 * sign is a SYN_UNARY over the first *term*: -a*b + c is chain(unary(chain(a*b)), c).
 */
struct SynExpr {
    SynExprKind kind;
    SynOp op;
    Span span;
    union {
        const char *text; /* SYN_INTEGER, SYN_REAL, SYN_STRING */
        bool truth;       /* SYN_BOOLEAN */
        struct {
            SynExprs arg;
            union {
                const SynCref *cref; /* SYN_CREF, SYN_CALL, SYN_PARTIAL */
                const SynOp *ops;    /* SYN_CHAIN: arg.n of them */
                struct {             /* SYN_INDEX */
                    SynExpr *base;
                    Name field;
                };
                struct { /* SYN_MATRIX */
                    const SynExprs *row;
                    uint32_t n_rows;
                };
            };
            const SynNamed *named; /* SYN_CALL, SYN_PARTIAL: after the positional ones */
            const SynIter *iter;   /* SYN_CALL, SYN_ARRAY: `e for i in r, j in s`, e = arg.at[0] */
            uint32_t n_named, n_iter;
        };
    };
};

/* ---- Modifications (MLS 7.2) and annotations (MLS 18) ----------------------------------
 *
 * Annotations have the same syntax: annotation(Evaluate = true) is a SynMod with one
 * argument.
 */

typedef enum SynArgKind {
    SYN_ARG_MODIFY,        /* path mod "text", with each and final                         */
    SYN_ARG_ELEMENT,       /* redeclare or replaceable of a short class or a component:
                              element (its prefixes carry redeclare, each, final, ...)     */
    SYN_ARG_BREAK_NAME,    /* `break x` in an extends clause (MLS 7.4): path               */
    SYN_ARG_BREAK_CONNECT, /* `break connect(a, b)` in an extends clause: a, b             */
} SynArgKind;

typedef struct SynArg {
    SynArgKind kind;
    bool each, final;    /* SYN_ARG_MODIFY and SYN_ARG_ELEMENT */
    SynPath path;        /* usually one name; a.b = 1 is allowed by the grammar */
    const SynMod *mod;   /* or NULL: `final x` alone */
    const char *comment; /* or NULL */
    SynElement *element;
    const SynCref *a, *b;
    Span span;
} SynArg;

struct SynMod {
    bool has_args;     /* parentheses are there, maybe empty */
    bool assign;       /* := instead of = */
    bool is_break;     /* = break: removes the binding (MLS 7.2.7), value is NULL */
    uint32_t n;        /* arguments */
    const SynArg *arg; /* (a(b = 1) = 2, redeclare ...) */
    SynExpr *value;    /* the binding, or NULL */
    Span span;         /* all of it */
};

/* ---- Elements of a class -------------------------------------------------------------- */

typedef enum SynElementKind {
    SYN_IMPORT,
    SYN_EXTENDS,
    SYN_CLASS,
    SYN_COMPONENT,
} SynElementKind;

typedef enum SynImportKind {
    SYN_IMPORT_NAME, /* import A.B;        path A.B, name B     */
    SYN_IMPORT_AS,   /* import C = A.B;    path A.B, name C     */
    SYN_IMPORT_LIST, /* import A.{B, C};   path A,   list B, C  */
    SYN_IMPORT_ALL,  /* import A.*;        path A               */
} SynImportKind;

typedef struct SynImport {
    SynImportKind kind;
    SynPath path;
    Name name;
    const Name *list;
    uint32_t n_list;
    const char *comment;      /* or NULL */
    const SynMod *annotation; /* or NULL */
} SynImport;

typedef struct SynExtends {
    SynPath base;
    const SynMod *mod;        /* only has_args; or NULL */
    const SynMod *annotation; /* or NULL */
} SynExtends;

/* constrainedby T(mods) "text" annotation(...) (MLS 7.3.2) */
typedef struct SynConstrained {
    SynPath by;
    const SynMod *mod;        /* or NULL */
    const char *comment;      /* or NULL */
    const SynMod *annotation; /* or NULL */
    Span span;
} SynConstrained;

typedef enum SynConnectorPrefix { SYN_NOT_FLOW, SYN_FLOW, SYN_STREAM } SynConnectorPrefix;
typedef enum SynVariability {
    SYN_NO_VARIABILITY,
    SYN_CONSTANT,
    SYN_PARAMETER,
    SYN_DISCRETE,
} SynVariability;
typedef enum SynCausality { SYN_NO_CAUSALITY, SYN_INPUT, SYN_OUTPUT } SynCausality;

/* flow/stream, discrete/parameter/constant, input/output: before a type. */
typedef struct SynTypePrefix {
    SynConnectorPrefix connector;
    SynVariability variability;
    SynCausality causality;
} SynTypePrefix;

/* One declared name. `parameter Real[3] x, y[2](start = 1) = 2 if c "doc"` is two of them
 * that share `type` and `type_dims`. The dimensions of y are own_dims, then type_dims
 * (MLS 10.1): y is Real[2, 3]. */
typedef struct SynComponent {
    Name name;
    Span name_span;
    SynTypePrefix prefix;
    SynPath type;
    SynExprs type_dims;                /* Real[3] x */
    SynExprs own_dims;                 /* Real x[2] */
    const SynMod *mod;                 /* or NULL: arguments and the binding = expr */
    SynExpr *condition;                /* if c; or NULL */
    const char *comment;               /* or NULL */
    const SynMod *annotation;          /* or NULL */
    const SynConstrained *constrained; /* of a replaceable component; or NULL */
} SynComponent;

struct SynElement {
    SynElementKind kind;
    bool is_protected;
    bool is_public; /* behind the keyword: without a keyword it is public, too, but this is false */
    bool redeclare, final, inner, outer, replaceable;
    bool each;    /* only inside a modification: redeclare each T x */
    SynClass *in; /* the class whose text contains it; NULL at the top level */
    Span span;    /* the whole element, for a component the one name with all it shares */
    union {
        SynImport *import;
        SynExtends *extends;
        SynClass *class_;
        SynComponent *component;
    };
};

/* ---- Classes -------------------------------------------------------------------------- */

typedef enum SynRestriction {
    SYN_R_CLASS,
    SYN_R_MODEL,
    SYN_R_RECORD,
    SYN_R_OPERATOR_RECORD,
    SYN_R_BLOCK,
    SYN_R_CONNECTOR,
    SYN_R_EXPANDABLE_CONNECTOR,
    SYN_R_TYPE,
    SYN_R_PACKAGE,
    SYN_R_FUNCTION,
    SYN_R_OPERATOR_FUNCTION,
    SYN_R_OPERATOR,
} SynRestriction;

typedef enum SynPurity { SYN_NO_PURITY, SYN_PURE, SYN_IMPURE } SynPurity;

typedef enum SynClassKind {
    SYN_LONG,          /* model A ... end A                        : elements and sections   */
    SYN_CLASS_EXTENDS, /* model extends A(mods) ... end A          : the same, and base_mod  */
    SYN_SHORT,         /* type A = input T[3](mods)                : prefix, base, dims, mod */
    SYN_ENUM,          /* type A = enumeration(a "text", b)        : literal                 */
    SYN_ENUM_OPEN,     /* type A = enumeration(:)                                            */
    SYN_DER,           /* function A = der(f, x, y) (MLS 12.7.2)   : base = f, der_of = x, y */
} SynClassKind;

typedef struct SynLiteral {
    Name name;
    const char *comment;      /* or NULL */
    const SynMod *annotation; /* or NULL */
    Span span;
} SynLiteral;

typedef struct SynEquations {
    SynEquation **at;
    uint32_t n;
} SynEquations;

typedef struct SynStatements {
    SynStatement **at;
    uint32_t n;
} SynStatements;

/* equation, initial equation, algorithm, initial algorithm: in the order of the text. */
typedef struct SynSection {
    bool initial;
    bool algorithm;
    SynEquations equations;   /* when not algorithm */
    SynStatements statements; /* when algorithm */
    Span span;                /* the keywords */
} SynSection;

/* external "C" y = f(a, b) annotation(...); (MLS 12.9) */
typedef struct SynExternal {
    const char *language;  /* or NULL: "C" is meant */
    const SynCref *result; /* y, or NULL */
    Name function;         /* .s NULL when no call is written */
    SynExprs arg;
    const SynMod *annotation; /* or NULL */
    Span span;
} SynExternal;

struct SynClass {
    Name name;
    Span name_span;
    Span span; /* from the first prefix to `end name` */
    SynRestriction restriction;
    SynPurity purity; /* only functions */
    SynClassKind kind;
    bool partial, encapsulated;

    SynElement *element; /* never NULL: final, replaceable, redeclare, inner, outer, protected */
    SynClass *parent;    /* the lexically enclosing class, through files of a directory too;
                            NULL at the top level and for a class inside a modification */
    SynFile *file;

    /* long classes and class extends */
    SynElement **elements; /* imports, extends, classes, components, in the order of the text */
    uint32_t n_elements;
    SynElement **extends; /* the SYN_EXTENDS among them */
    uint32_t n_extends;
    SynElement **imports; /* the SYN_IMPORT among them */
    uint32_t n_imports;
    const SynSection *section;
    uint32_t n_sections;
    const SynExternal *external; /* or NULL */
    const SynMod *base_mod;      /* SYN_CLASS_EXTENDS: the modification, or NULL */

    /* short classes */
    SynTypePrefix prefix;
    SynPath base;
    SynExprs dims;
    const SynMod *mod; /* or NULL */
    const SynLiteral *literal;
    uint32_t n_literals;
    const Name *der_of;
    uint32_t n_der_of;

    const SynConstrained *constrained; /* of a replaceable class; or NULL */
    const char *comment;               /* or NULL */
    const SynMod *annotation;          /* or NULL; all of a class's annotation */

    Map *lookup;               /* of a class with many elements: name address -> index; or NULL */
    const char *dir;           /* directory of a structured package (package.mo), else NULL */
    struct Directory *entries; /* entries of dir; load.c reads them on first use */
    const SynClass *whole;     /* of a copy from which something is left out (MLS 7.4), else NULL */
};

/* The class as it is written. */
static inline const SynClass *syn_class_whole(const SynClass *c)
{
    return c && c->whole ? c->whole : c;
}

/* The class or component that this class's own text declares under that name, or NULL. Constant
 * time. Not inherited, not imported; for members that live in files of their own (class.dir set)
 * use library_member, which calls this first. */
SynElement *syn_class_find(const SynClass *c, Name name);
void syn_class_index(SynClass *c, Arena *mem); /* the parser's last act on a class */
Name syn_element_name(const SynElement *e);    /* .s is NULL for imports and extends */

/* "model", "expandable connector", "pure function", ... as in the text. */
const char *syn_restriction_text(SynRestriction r);
const char *syn_restriction_phrase(SynRestriction r); /* with its article */
const char *syn_op_text(SynOp op);                    /* "+", ".*", "and", "<>" */

/* The argument of a modification or annotation named `name` (SYN_ARG_MODIFY with a path of
 * one), or NULL. m may be NULL. Linear in the arguments. */
const SynArg *syn_mod_find(const SynMod *m, const char *name);

/* ---- Equations (MLS 8) ---------------------------------------------------------------- */

typedef enum SynEquationKind {
    SYN_EQ_EQUAL,   /* lhs = rhs; lhs may be a SYN_TUPLE     */
    SYN_EQ_CALL,    /* call: assert(...), reinit(...), f(x)  */
    SYN_EQ_CONNECT, /* connect(a, b)                         */
    SYN_EQ_IF,      /* branch                                */
    SYN_EQ_WHEN,    /* branch                                */
    SYN_EQ_FOR,     /* iter, body                            */
} SynEquationKind;

/* if c then ... elseif d then ... else ...: condition is NULL for else. */
typedef struct SynEqBranch {
    SynExpr *condition;
    SynEquations body;
} SynEqBranch;

struct SynEquation {
    SynEquationKind kind;
    Span span;
    union {
        struct {
            SynExpr *lhs, *rhs;
        };
        SynExpr *call; /* SYN_CALL */
        struct {
            const SynCref *a, *b;
        };
        struct {
            const SynEqBranch *branch;
            uint32_t n_branches;
        };
        struct {
            const SynIter *iter;
            uint32_t n_iter;
            SynEquations body;
        };
    };
    const char *comment;      /* or NULL */
    const SynMod *annotation; /* or NULL */
};

/* ---- Statements (MLS 11.2) ------------------------------------------------------------ */

typedef enum SynStatementKind {
    SYN_ST_ASSIGN, /* target := value                            */
    SYN_ST_TUPLE,  /* (a, , b) := f(x): tuple, value             */
    SYN_ST_CALL,   /* value: a SYN_CALL                          */
    SYN_ST_BREAK,
    SYN_ST_RETURN,
    SYN_ST_IF,    /* branch                                      */
    SYN_ST_WHEN,  /* branch                                      */
    SYN_ST_FOR,   /* iter, body                                  */
    SYN_ST_WHILE, /* value: the condition, body                  */
} SynStatementKind;

typedef struct SynStBranch {
    SynExpr *condition; /* NULL for else */
    SynStatements body;
} SynStBranch;

struct SynStatement {
    SynStatementKind kind;
    Span span;
    const SynCref *target;
    SynExprs tuple; /* crefs; an omitted one is NULL */
    SynExpr *value;
    const SynStBranch *branch;
    uint32_t n_branches;
    const SynIter *iter;
    uint32_t n_iter;
    SynStatements body;
    const char *comment;      /* or NULL */
    const SynMod *annotation; /* or NULL */
};

/* Is the variable, or a part of it, assigned by the statement or in it; somewhere in these. */
bool syn_assigns_in(const SynStatement *x, Name name);
bool syn_assigns(const SynStatements *all, Name name);

/* ---- Files ---------------------------------------------------------------------------- */

struct SynFile {
    uint32_t file;   /* in Diags */
    bool has_within; /* `within;` has an empty path */
    SynPath within;
    SynClass **class_;
    uint32_t n_classes;
    uint32_t lines;
    uint32_t errors; /* of this file; the tree holds all phrases without errors */
};

/* ---- Equality ------------------------------------------------------------------------- */

/* Same text up to places, spacing, comments, superfluous parentheses, and declarations
 * split into one per name. The trees must use the same Names. */
bool syntax_equal(const SynFile *a, const SynFile *b);
bool syntax_equal_class(const SynClass *a, const SynClass *b);
bool syntax_equal_expr(const SynExpr *a, const SynExpr *b);
bool syntax_equal_mod(const SynMod *a, const SynMod *b);

#endif
