/* newton_rotations.h -- increments of rotation matrices by three angles.
 *
 * The nine elements of a rotation matrix R move in three ways: dR = -skew(d) R, with d the vector
 * of a small rotation, resolved in the frame that R leads to. Where the linearised equations of an
 * iteration (newton_system.h) have more than three elements of R as unknowns, d takes their place:
 *
 *     dR = dR_rel R_a + R_rel dR_a            becomes     d = d_rel + R_rel d_a,
 *     dv = dR v_a + R dv_a                                dv = -cross(d, R v_a) + R dv_a
 *
 * Rotations are found by fingerprints (frames/rotations.h), and by fingerprints the coefficients
 * become elements that are there: nothing is known of frames or joints.
 */
#ifndef RUNG_ELIMINATE_FORMS_NEWTON_ROTATIONS_H
#define RUNG_ELIMINATE_FORMS_NEWTON_ROTATIONS_H

#include "eliminate/blt.h"
#include "eliminate/forms/newton_system.h"

typedef struct NewtonRotations NewtonRotations;

/* The matrices of b->sys that are rotations by `value`, which is over the states, per variable.
 * Adds three variables to the view for each, whose names begin with `of`. */
NewtonRotations *newton_rotations_find(const Blt *b, Substitution *value, System *view,
                                       const char *of, Arena *scratch);

/* Rotations that more states turn than there are angles, as the four parameters of a ball joint do.
 * is_state, is_unknown: per variable of the model; these and tmp, which is no other's while a
 * constraint is written, live as long as the rotations. */
void newton_rotations_note_states(NewtonRotations *r, const bool *is_state, const bool *is_unknown,
                                  Arena *tmp);
/* A constraint over the states, with the unknown elements of such rotations in the place of their
 * states:
 *     phi = r + R(Q) k       becomes     phi = r + R k,
 * which d moves in three ways instead of Q in four. EXPR_NONE: there are none in it. */
ExprId newton_rotations_written(NewtonRotations *r, ExprId phi);

/* Puts d in place of the elements. is_unknown, is_defect: per variable of the view; the rows are
 * linear in both. may_go: per row of v, it may be replaced if it determines an element. Returns per
 * row whether it is left over, or NULL. */
bool *newton_rotations_apply(NewtonRotations *r, NewtonView *v, bool *is_unknown,
                             const bool *is_defect, const bool *may_go, Arena *scratch);

#endif
