/* Expressions at a point, in plain floating point. */
#ifndef RUNG_TESTS_ELIMINATE_EVALUATE_H
#define RUNG_TESTS_ELIMINATE_EVALUATE_H

#include "ir/system.h"

typedef struct Point {
    double time;
    const double *var;   /* per variable of the System       */
    const double *local; /* in the body of a function        */
} Point;

/* Each use of a node anew: for small expressions. */
static inline double evaluate(const ExprPool *p, ExprId x, const Point *at)
{
    switch (expr_op(p, x)) {
    case OP_VAR:
        return at->var[expr_var_of(p, x).i];
    case OP_LOCAL:
        return at->local[expr_local_of(p, x)];
    case OP_TIME:
        return at->time;
    default:
        break;
    }
    double a[3] = {0, 0, 0};
    for (uint32_t k = 0; k < expr_n_args(p, x); k++)
        a[k] = evaluate(p, expr_arg(p, x, k), at);
    return expr_apply(p, x, a[0], a[1], a[2]);
}

#endif
