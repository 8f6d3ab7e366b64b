/* newton_system.h -- one Newton iteration of an implicit method as straight-line code.
 *
 * An iteration of x = base + gamma * xdot solves the equations that xdot comes from, linearised:
 * each in its own few unknowns, which keeps the body structures, so that the same orders of
 * elimination make O(n) of it (Schubert et al. 2011, 4.2, for the matrix of Callejo 2014, eq. 20);
 * a derivative of xdot would be full. As there, equations are not solved for the accelerations
 * beforehand: derivatives that algebraic loops determine are (x - base)/gamma, the residual form
 * gives all else, and the iteration makes the loops' residuals vanish. Cut loops add their
 * penalties:
 *     d lambda_k + penalty_k * d phi_k = s_k,
 * over the variables in which phi is written, and their balances, which are residuals too.
 *
 * The unknowns are increments of variables; they are the variables' own leaves, since coefficients
 * hold nothing but states, inputs and time.
 */
#ifndef RUNG_ELIMINATE_FORMS_NEWTON_SYSTEM_H
#define RUNG_ELIMINATE_FORMS_NEWTON_SYSTEM_H

#include "eliminate/blt.h"
#include "eliminate/prepare/loop_cut.h"

/* The right-hand sides, linear in which are the increments, as leaves; and the values they have in
 * an iteration. */
typedef struct NewtonRight {
    uint32_t n_rows; /* residual equations, then balances; of an explicit view those of has_right */
    uint32_t n_states;
    VarId *row;    /* n_rows  */
    EqId *row_of;  /* n_rows, of an explicit view: the equation that it is the right-hand side of */
    VarId *defect; /* n_states: residual of the formula of the state */
    ExprId *row_value, *defect_value;
} NewtonRight;

/* The point of the linearisation. */
typedef struct NewtonPoint {
    uint32_t n;               /* variables of the System                                       */
    uint32_t n_states;        /* the first ones of the program, of which the iteration is      */
    const ExprId *value;      /* each over the states and the derivatives that are free        */
    const VarId *state;       /* as in the program                                             */
    const bool *is_rate_free; /* per state: its derivative is (x - base)/gamma, nothing else   */
    const bool *is_residual;  /* per equation of the System: the values need not satisfy it    */
    const bool *stays;        /* per variable: an algebraic loop determines it, or the ladder of
                                 the residual form has it as a tearing variable                */
    bool is_form_wanted;      /* the equations before they are linearised, too                 */
    /* Per variable: of the model, whose derivatives by parameters are left out, and whose
     * right-hand sides become leaves (newton_right.h). NULL: there are no such derivatives. */
    const bool *is_model;
    /* An explicit view: gamma is zero, increments of the states are given, and those of their
     * derivatives follow. Per equation of the System: its right-hand side becomes a leaf. NULL:
     * gamma is an input. */
    const bool *has_right;
    const char *name; /* with which the names of leaves begin; NULL: newton */
} NewtonPoint;

/* The linearised equations, to be matched and solved. */
typedef struct NewtonView {
    System *sys; /* over the same pool                         */
    Structure structure;
    NewtonSystem *newton;
    NewtonRight *right;   /* NULL: right-hand sides are expressions */
    uint32_t n_equations; /* rows: first these, then constraints, then balances */
    uint32_t n_states, n_constraints, n_massless;
    EqId *equation;         /* the first rows: the equation of s, and its unknown there */
    ExprId *explicit_value; /* per variable of sys: over the unknowns that stay, or EXPR_NONE     */
    /* all rows; those of balances: the unknown that the free acceleration determined */
    VarId *determines;
    bool *has_rate;    /* per state: its derivative is no constant   */
    ExprId *defect;    /* per state: d x = gamma * d xdot + defect     */
    VarId *multiplier; /* per constraint: the variable of d lambda   */
    VarId *massless;   /* per massless coordinate: that of its delta */
    /* Optional, the equations before linearisation, over variables of the model: per row its
     * residual, per variable without a row the right-hand side of its equation; values; leaves for
     * unknowns, as many as there can be. */
    ExprId *form, *whole;
    const ExprId *value;
    VarId *leaf;
} NewtonView;

/* g solves b->sys, whose loops were cut open; the matching of b pairs equations with the values of
 * `at` that they give. False where an equation has no derivative, or the program has nonlinear
 * blocks: then there is no such iteration. */
bool newton_view(const Blt *b, Program *g, const LoopCut *cut, const NewtonPoint *at,
                 NewtonView *out, Arena *scratch);

/* The linearised equations, for a solver at run time; and the equations before linearisation. */
void newton_matrix(NewtonView *v, const Program *g, Arena *scratch);
void newton_form(NewtonView *v, const Program *g, Arena *scratch);

/* Values of the inputs for samples: gamma is small, and xdot is what the variables of the view say
 * that are its increments; a base that has nothing to do with its state would be that of an xdot of
 * the size 1/gamma. Per variable of the view. */
ExprId *newton_small_step(const NewtonView *v, const NewtonPoint *at, Arena *mem);

/* Per state of the view: the increment of its derivative, by the solution of the view. */
ExprId *newton_rates(const NewtonView *v, const Program *solved, const Program *g);

/* Puts the solution of the view into the Newton system. */
void newton_finish(NewtonView *v, const Program *solved, Program *g);

#endif
