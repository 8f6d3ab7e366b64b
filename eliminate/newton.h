/* newton.h -- one Newton iteration of an implicit method as straight-line code.
 *
 * An iteration of x = base + gamma * xdot(t, x) solves (1 - gamma * d xdot/dx) delta = r. Here the
 * matrix is not made of xdot, whose derivative is full, but of all equations that xdot comes from:
 * each linearised in its own few unknowns, which keeps the body structures, so that the same orders
 * of elimination make O(n) of it (Schubert et al. 2011, 4.2, for the matrix of Callejo 2014, eq.
 * 20). Cut loops add what their penalties do:
 *     d lambda_k + penalty_k * d phi_k = s_k,   d balance_j = q_j,
 * over the variables in which phi and the balances are written.
 *
 * The unknowns are increments of variables; they are the variables' own leaves, since coefficients
 * hold nothing but states, inputs and time.
 */
#ifndef RUNG_ELIMINATE_NEWTON_H
#define RUNG_ELIMINATE_NEWTON_H

#include "eliminate/loops.h"
#include "eliminate/structure.h"

/* The linearised equations, to be matched and solved. */
typedef struct NewtonView {
    System *sys; /* over the same pool                         */
    Structure structure;
    NewtonPieces *pieces;
    uint32_t n_equations;
    EqId *equation;    /* the first rows: the equation of s, and what it determines there */
    ExprId *known;     /* per variable of sys: over the unknowns that stay, or EXPR_NONE     */
    VarId *determines; /* all rows; those of balances: what the free acceleration determined */
    bool *has_rate;    /* per state: its derivative is no constant   */
    VarId *multiplier; /* per constraint: the variable of d lambda   */
    VarId *free;       /* per massless coordinate: that of its delta */
} NewtonView;

/* g solves s; column and eq_of say which equation of s determines which of the n unknowns, with the
 * structure of s over these columns. in_loop: per variable, whether an algebraic loop determines
 * it. False where an equation has no derivative, or the program has nonlinear blocks: then there is
 * no such iteration. */
bool newton_view(System *s, Program *g, const LoopCut *cut, const ExprId *alias, uint32_t n_alias,
                 const Incidence *structure, const VarId *unknown, const Matching *matching,
                 const bool *in_loop, Arena *scratch, NewtonView *out);

/* Puts what solving the view gave into the pieces. */
void newton_finish(NewtonView *v, const Program *solved, Program *g);

#endif
