/* loop_cut.h -- kinematic loops cut open: a tree with multipliers as inputs, and the constraints
 * that close it.
 *
 * The frontend reports each connection that the spanning tree broke: the residuals of its record's
 * equalityConstraint, and that other potentials of the connector are equal. Cutting removes these
 * equations from the System and makes the flow variables of the joint inputs of both sides, so that
 * the rest is a tree whose index is not reduced for the loop's sake, whatever the rank of the
 * constraints. When the tree is solved, forms/loop_constraints.h writes these over its states.
 */
#ifndef RUNG_ELIMINATE_PREPARE_LOOP_CUT_H
#define RUNG_ELIMINATE_PREPARE_LOOP_CUT_H

#include "ir/program.h"

/* The frame that both sides of a loop hang from: scalars of its record; none if it is not known. */
typedef struct Common {
    uint32_t n;
    const ExprId *x;
} Common;

/* The equations that were removed. */
typedef struct LoopCut {
    uint32_t n_loops, n_constraints;
    Name *name;        /* per loop                            */
    Span *span;        /*                                     */
    Name *side;        /* two per loop: the connectors        */
    Common *common;    /* per loop                            */
    uint32_t *first;   /* n_loops + 1                         */
    VarId *multiplier; /* per constraint                      */
    ExprId *phi;       /* per constraint, over all variables  */
    /* Massless coordinates: between the cut and the next mass, the loop closure alone
     * determines a joint's acceleration. It becomes an input, and the joint's balance of forces,
     * which contains the multipliers alone, is taken out. */
    uint32_t n_massless;
    VarId *massless;  /* the input                            */
    ExprId *balance;  /* zero: over all variables             */
    Span *balance_at; /*                                      */
    /* The same as the System was then, of so many equations and variables: for another translation
     * of the model, whose choice among coordinates could be another one. */
    EqId *balance_eq;
    VarId *derivative;
    uint32_t n_eq, n_var;
    /* With derivatives by parameters (sensitivity.h): loops, constraints and massless coordinates
     * of the model, then the same of each direction, times part_size. */
    uint32_t n_parts;
    const double *part_size; /* n_parts */
} LoopCut;

/* The component that a variable or connector belongs to: its path without the last name. */
const char *loop_owner_of(Name path, Arena *mem);

/* The cut, in words: its two connectors, or the component that it is inside. */
const char *cut_joint_text(const CutJoint *j, Arena *mem);

/* The name of a force through it, of variable v of side b: that of v, or that of the same variable
 * of the component that it is inside (ball.f[1] of ball.inner.point.f[1]). */
const char *cut_joint_force(const CutJoint *j, Name v, Arena *mem);

/* Whether each cut joint has as many flows as constraints, so that the one can pair with the
 * other. False too if there is none. */
bool loops_can_cut(const System *s);

/* Arrays to be filled. */
LoopCut loops_empty(uint32_t n_loops, uint32_t n_constraints, Arena *mem);

/* Cuts them all; the equations of the System are renumbered. */
LoopCut loops_cut(System *s, Arena *scratch);

/* Takes n equations out as balances, and makes the n derivatives (of states) inputs. */
void loops_release(System *s, LoopCut *c, uint32_t n, const EqId *balance, const VarId *derivative,
                   Arena *scratch);

#endif
