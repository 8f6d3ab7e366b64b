/* loop_closure.h -- the constraints that close a loop, written from the frame both its sides hang
 * from.
 *
 * Two frames coincide wherever the frame below them is. Positions in the world frame hold the
 * joints of all bodies from there to the loop, though, and these cancel only where a derivative is
 * taken; so the common frame is put at the origin, its axes along the world's. Fingerprints decide
 * whether that changes the constraint's value, so that no member of a record is assumed to have a
 * meaning.
 */
#ifndef RUNG_ELIMINATE_FORMS_LOOP_CLOSURE_H
#define RUNG_ELIMINATE_FORMS_LOOP_CLOSURE_H

#include "eliminate/prepare/loop_cut.h"

typedef struct LoopClosure {
    System *s;
    const ExprId *value; /* per variable of the System */
    const bool *is_any;  /* likewise: true             */
    Substitution all;    /* the values                 */
    Arena *mem;
} LoopClosure;

LoopClosure loop_closure_new(System *s, const ExprId *value, Arena *mem);

/* The constraint phi (over variables) over the states. */
ExprId loop_closure_of(LoopClosure *c, const Common *common, ExprId phi);

#endif
