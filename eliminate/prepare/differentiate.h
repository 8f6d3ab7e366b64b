/* differentiate.h -- derivatives of pool expressions.
 *
 * Calls of functions use their derivative annotations (MLS 12.7.1); a function without one is
 * expanded first. Shared nodes are differentiated once; expressions may be as deep as the model is
 * long. For an expression without a derivative (a call that can neither be differentiated nor
 * expanded) the result is EXPR_NONE and `failed` names the function. With excludes_branches, a
 * choice by parameters needs the derivative of one branch only: that of the other is no number.
 */
#ifndef RUNG_ELIMINATE_PREPARE_DIFFERENTIATE_H
#define RUNG_ELIMINATE_PREPARE_DIFFERENTIATE_H

#include "ir/system.h"

typedef struct Differentiator {
    System *s;
    Arena *mem;
    VarId by; /* partial derivative with respect to this variable; VAR_NONE: time */
    /* Along a direction instead: per variable its component, EXPR_NONE for 0; or NULL. */
    const ExprId *direction;
    uint32_t n_direction; /* variables that are given one; others do not move */
    ExprId time;          /* along the direction, that of time; EXPR_NONE: 0 */
    bool excludes_branches;
    Map memo;            /* node -> its derivative */
    Map unknown;         /* derivatives that are no numbers: 1; of others, whether they need one */
    const ExprId *local; /* in a body: the derivative of each local, EXPR_NONE for 0; or NULL */
    uint32_t n_locals;
    VEC(ExprId) stack;
    Name failed;
    ExprId failed_at; /* the call, if its function has no derivative by arguments that move */
} Differentiator;

/* d/dt: variables become their derivative variables, made on first use. */
Differentiator differentiator_time(System *s, Arena *mem);
/* d/dv, all other variables held. */
Differentiator differentiator_partial(System *s, VarId v, Arena *mem);
/* The directional derivative: sum over v of d x / d v * direction[v.i], parameters included. */
Differentiator differentiator_along(System *s, uint32_t n, const ExprId *direction, ExprId time,
                                    Arena *mem);
ExprId differentiate(Differentiator *d, ExprId x);

/* x with each der(...) node carried out, so that only derivative variables remain. */
ExprId expand_derivatives(System *s, Arena *mem, ExprId x, Name *failed);

/* x with each kept call expanded by its algorithm; calls that cannot be stay. memo: results by
 * node, empty at first, for a series of expressions that share calls; NULL: for x alone. */
ExprId expand_calls(System *s, Map *memo, ExprId x);

#endif
