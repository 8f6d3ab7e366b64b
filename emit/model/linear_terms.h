/* linear_terms.h -- the linear terms of an expression, in variables and time, whose coefficients
 * are constants or parameters:
 *
 *     2*(x - y)/C + 3*time - L     terms 2/C x, -2/C y, 3 time, and the constant -L
 *
 * Nonlinear terms, as sin(z), are left out, and those with products of two parameters; so are the
 * terms of an expression behind its first LINEAR_TERMS operations.
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
    ExprId leaf; /* a variable or time; EXPR_NONE: the constant term */
    Factor factor;
} LinearTerm;

typedef struct LinearTerms {
    const ExprPool *p;
    uint32_t n, left; /* operations that may follow */
    bool is_whole;    /* no term is left out        */
    LinearTerm term[LINEAR_TERMS];
} LinearTerms;

void linear_terms_begin(LinearTerms *it, const ExprPool *p);
/* Adds the terms of f * x. */
void linear_terms_add(LinearTerms *it, ExprId x, Factor f);

#endif
