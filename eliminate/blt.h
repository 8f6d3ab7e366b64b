/* blt.h -- equations sorted for chosen unknowns: the noun that the storeys of eliminate/ hand on.
 *
 * Block lower triangular form: each equation is matched with the unknown that it determines, and
 * the blocks are in the order in which they can be evaluated (Duff & Reid 1978). With the unknowns
 * {b, c, d} and the equations
 *     e0: b + c = 1,   e1: d = b * c,   e2: b - c = a
 * the blocks are {e0 -> b, e2 -> c}, an algebraic loop, then {e1 -> d}; a is known.
 *
 * The five parts hold for the same equations and variables: a pass that changes these makes
 * another Blt.
 */
#ifndef RUNG_ELIMINATE_BLT_H
#define RUNG_ELIMINATE_BLT_H

#include "eliminate/prepare/alias.h"
#include "eliminate/structure.h"

typedef struct Blt {
    System *sys;
    Structure columns;      /* rows: all equations of sys; columns: the unknowns */
    Matching matching;      /* over these; equations left over are unmatched     */
    Blocks blocks;          /* pairs (equation of sys, column); may be a part of those matched */
    const bool *is_state;   /* per variable of sys */
    const Aliases *aliases; /* variables removed before; NULL: none were */
} Blt;

/* Sorts all equations of sys for the unknowns. Arrays live in mem. O(n * edges) at worst, close to
 * linear on real models. */
Blt blt_find(System *sys, const bool *is_unknown, const bool *is_state, const Aliases *aliases,
             Arena *mem);
/* The blocks of an incomplete matching over columns that there are: as `from` otherwise. */
Blt blt_of_matching(const Blt *from, const Matching *m, Arena *mem);

/* Whether each equation determines one unknown, and each unknown is determined. */
bool blt_is_complete(const Blt *b);
/* The variable of the k-th pair. */
VarId blt_var(const Blt *b, uint32_t pair);
/* The equations and unknowns of a block, into arrays of its size. */
void blt_block(const Blt *b, uint32_t block, EqId *eq, VarId *unknown);

/* Whether the parts belong together: sizes are those of sys, pairs are matched edges, unknowns are
 * no states, and each block only needs unknowns of itself and of earlier blocks. Linear. */
bool blt_check(const Blt *b);
/* Equations as text in the order of evaluation, each with its unknown. */
void blt_print(const Blt *b, FILE *f);

#endif
