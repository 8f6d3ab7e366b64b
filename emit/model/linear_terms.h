/* linear_terms.h -- an expression as a sum of leaves times factors that do not vary:
 *
 *     2*(x - y)/C + 3*time - L     2/C x, -2/C y, 3 time, -1 L
 *
 * Only as far as it is one: a term that is none, sin(z), is left out, and so are those of sums of
 * more than LINEAR_TERMS operations, and of products of more than one parameter.
 */
#ifndef RUNG_EMIT_MODEL_LINEAR_TERMS_H
#define RUNG_EMIT_MODEL_LINEAR_TERMS_H

#include "ir/expr.h"

enum { LINEAR_TERMS = 64 };

/* number * c, number / c, or the number alone; c a node of parameters. */
typedef struct Factor {
    double number;
    ExprId c; /* EXPR_NONE: none */
    bool is_divisor;
} Factor;

typedef struct LinearTerm {
    ExprId leaf; /* a variable or time; EXPR_NONE: 1 */
    Factor factor;
} LinearTerm;

typedef struct LinearTerms {
    const ExprPool *p;
    uint32_t n, left; /* operations that may follow */
    bool is_whole;    /* nothing is left out        */
    LinearTerm term[LINEAR_TERMS];
} LinearTerms;

void linear_terms_begin(LinearTerms *it, const ExprPool *p);
/* Adds the terms of f * x. */
void linear_terms_add(LinearTerms *it, ExprId x, Factor f);

#endif
