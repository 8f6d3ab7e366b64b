/* ladder.h -- the body structures of a multibody model, seen in the equation graph.
 *
 * Schubert et al. 2011, section 4.2. Natural matching leaves as many equations (residuals) as
 * unknowns (tearing variables); paired up, nearest first, they are the handles. Evaluated in
 * natural order, the matched pairs lead from tearing variables along the kinematic leg and back
 * down the kinetic leg to the residuals. Handles are ranked by where they join the kinematic leg,
 * from the ground; a pair belongs to the last structure of which it is needed on the way from
 * tearing variable to residual. Components of what the residual balances may be brought together in
 * one structure, if that is estimated to be cheaper. The elimination tree of the structures is then
 * the kinematic tree.
 *
 * Elimination takes terminal structures first. What closed loops add (equations of the cut,
 * multipliers) has no place in the tree: such handles come right after the last structure
 * of their loop (4.3), paired when fill has connected them. All near-linear as long as
 * structures stay small.
 */
#ifndef RUNG_GRAPH_LADDER_H
#define RUNG_GRAPH_LADDER_H

#include "graph/incidence.h"

typedef struct LadderHandle {
    uint32_t eq, var; /* residual equation, tearing variable */
    uint32_t parent;  /* the predecessor's structure, INC_NONE at the ground */
    uint32_t depth;   /* handles below it, down to the ground */
} LadderHandle;

/* A residual or tearing variable of a loop, free to be paired once structure home is next. */
typedef struct LadderLoop {
    uint32_t id;   /* equation or unknown */
    uint32_t home; /* structure where the loop's branches meet, INC_NONE at the ground */
} LadderLoop;

typedef struct Ladder {
    const char *why;  /* NULL, or why this is no ladder */
    Matching natural; /* over all equations */
    uint32_t n;       /* body structures, numbered in the order of their elimination */
    LadderHandle *handle;
    uint32_t *stage_of; /* per equation: its structure, INC_NONE for what is left over */
    uint32_t n_loops;   /* residuals, and as many tearing variables, of loops */
    LadderLoop *loop_eq, *loop_var;
    Order by_fill; /* its order by LADDER_FILL, if that is known already; else n = 0 */
} Ladder;

/* The ladder of a larger matrix with the same handles, as Newton's, in which positions and
 * velocities move too. row, col: where those of the inner one are there, INC_NONE for natural pairs
 * that are gone. natural: all pairs but the handles and the ends of loops. What moves with a
 * tearing variable goes into its structure, so that eliminating the handle does not reach back. */
Ladder ladder_widen(const Ladder *inner, const uint32_t *row, const uint32_t *col,
                    const Matching *natural, const Incidence *g, Arena *mem);

/* Elements of one array that natural order put one structure apart go into the earlier one; of
 * unknowns matched with the equations marked in `which`, NULL for all. Returns how many. */
uint32_t ladder_keep_together(Ladder *l, const Incidence *g, const bool *which, Arena *scratch);

/* The order inside a structure. Its handle is always the last. */
typedef enum LadderRule {
    LADDER_FILL,      /* from the pairs farthest from both ends of the handle, level by level; in a
                         level, that with fewest new entries and the shortest row first */
    LADDER_FILL_EVEN, /* the same by two levels at a time, beginning with the nearest one or two */
    LADDER_FILL_ODD,
    LADDER_SCHUBERT, /* from the residual equation to the tearing variable by breadth-first
                        search along the edges (4.2.2) */
    LADDER_RULES
} LadderRule;

Ladder ladder_find(const Incidence *g, Arena *mem);
bool ladder_check(const Ladder *l, const Incidence *g);
void ladder_dump(const Ladder *l, FILE *f);

/* Fails, saying why, when there is no ladder or a handle finds no partner. */
Order ladder_order(const Ladder *l, const Incidence *g, LadderRule rule, Arena *mem);

#endif
