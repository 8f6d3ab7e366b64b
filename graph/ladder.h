/* ladder.h -- the body structures of a multibody model, seen in the equation graph.
 *
 * Two masses on a line, the second carried by the first; q1, q2 are the accelerations at the
 * joints, a1, a2 those of the masses, f1, f2 the forces at the joints:
 *
 *     a1 = q1          a2 = a1 + q2            accelerations, from the ground outwards
 *     f2 = 3*a2        f1 = f2 + 2*a1          forces, from the tip inwards
 *     f2 = u2          f1 = u1                 from the actuators
 *
 * The natural matching (matching.h) solves the first four equations for a1, a2, f2, f1 by adding
 * and subtracting. Two equations are left, the residual equations, and as many unknowns, the
 * tearing variables q1, q2 (Schubert et al. 2011, 4.2). A residual equation and its tearing
 * variable are the handle of one body structure; the others are paired with the handle that they
 * depend on:
 *
 *     structure 0: handle (f2 = u2, q2), pairs a2, f2       carried by structure 1
 *     structure 1: handle (f1 = u1, q1), pairs a1, f1       carried by the ground
 *
 * Structures are eliminated in this order, the tips of the tree first, so each one changes only the
 * equations of the structure that carries it: the cost is that of one structure times their number.
 * Equations and unknowns that closed loops add have no place in the tree; they are eliminated right
 * after the last structure of their loop (4.3). Where several elements of one vector can belong to
 * one structure, an estimate decides. Near-linear as long as structures stay small.
 */
#ifndef RUNG_GRAPH_LADDER_H
#define RUNG_GRAPH_LADDER_H

#include "graph/incidence.h"

typedef struct LadderHandle {
    uint32_t eq, var; /* residual equation, tearing variable */
    uint32_t parent;  /* the structure that carries this one, INC_NONE for the ground */
    uint32_t depth;   /* number of structures between this one and the ground */
} LadderHandle;

/* A residual equation or a tearing variable of a closed loop: paired when structure `home` is the
 * next to be eliminated. */
typedef struct LadderLoop {
    uint32_t id;   /* equation or unknown */
    uint32_t home; /* structure where the loop's branches meet, INC_NONE at the ground */
} LadderLoop;

typedef struct Ladder {
    const char *why;  /* NULL, or why this is no ladder */
    Matching natural; /* over all equations */
    uint32_t n;       /* body structures, numbered in the order of their elimination */
    LadderHandle *handle;
    uint32_t *stage_of; /* per equation: its structure, INC_NONE for an equation without */
    uint32_t n_loops;   /* residuals, and as many tearing variables, of loops */
    LadderLoop *loop_eq, *loop_var;
    Order by_fill; /* its order by LADDER_FILL if that was computed already; else n = 0 */
} Ladder;

/* The ladder of a larger matrix with the same handles, as that of Newton's method, where positions
 * and velocities are unknowns too. row, col: the number in the larger matrix of each equation and
 * unknown of `inner`, INC_NONE for pairs that are not there. natural: all pairs but the handles and
 * those of closed loops. g: the larger matrix. A pair that depends on a tearing variable comes into
 * its structure. */
Ladder ladder_extend(const Ladder *inner, const uint32_t *row, const uint32_t *col,
                     const Matching *natural, const Incidence *g, Arena *mem);

/* Elements of one array in two structures next to each other in the order all go into the earlier
 * one. which: per equation, whether the unknown matched with it may move; NULL for all. Returns how
 * many pairs moved. */
uint32_t ladder_keep_together(Ladder *l, const Incidence *g, const bool *which, Arena *scratch);

/* The order inside a structure. Its handle is always the last. */
typedef enum LadderRule {
    LADDER_FILL,      /* by distance from the handle along edges, the farthest first; at equal
                         distance the pair with fewest new entries and the shortest row */
    LADDER_FILL_EVEN, /* the same, distances 0 and 1 being equal, 2 and 3, ... */
    LADDER_FILL_ODD,  /* the same, distances 1 and 2 being equal, 3 and 4, ... */
    LADDER_SCHUBERT,  /* from the residual equation to the tearing variable by breadth-first
                         search along the edges (4.2.2) */
    LADDER_RULES
} LadderRule;

Ladder ladder_find(const Incidence *g, Arena *mem);
bool ladder_check(const Ladder *l, const Incidence *g);
void ladder_dump(const Ladder *l, FILE *f);

/* Fails with a reason (Order.why) without a ladder, or if a residual equation contains no tearing
 * variable when it is to be eliminated. */
Order ladder_order(const Ladder *l, const Incidence *g, LadderRule rule, Arena *mem);
/* The structures without their handles, which come last: composite bodies, whose matrix of the
 * accelerations q is left (Walker and Orin 1982, method 3), tips first (Featherstone 2008, 6.5).
 * Of the example:
 *
 *     f2 = 3*a2, a2 = a1 + q2, f1 = f2 + 2*a1, a1 = q1:   3*q2 + 3*q1 = u2,  3*q2 + 5*q1 = u1
 *
 * Cheaper than the ladder for short trees. Fails if that matrix alone takes more than `most`
 * operations. */
Order ladder_composite(const Ladder *l, const Incidence *g, LadderRule rule, uint64_t most,
                       Arena *mem);

#endif
