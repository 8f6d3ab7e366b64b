/* massless.h -- massless coordinates of a tree whose loops are cut.
 *
 * Between the cut and the next mass, the loop closure alone determines the motion of the frames:
 * the balance of forces of a joint there contains multipliers only, and its acceleration occurs
 * nowhere else, or only in a sum with that of another joint about the same axis,
 *
 *     leg --knee-- frame without mass, cut here --extra-- pen      knee.a + extra.a
 *
 * So structure does not tell. With states given anywhere, equations of one unknown give values at
 * which equations are differentiated by their unknowns. Positions and velocities that follow from
 * states count by the accelerations in them: r = f(phi) with v = der(r), m*der(v) = f as
 * r'' = f_phi*phi''. The rank is that of a matrix of residues (graph/dependent_rows.h) at a random
 * point, with the parameters that the model is written with. As many equations depend on others as
 * accelerations are undetermined. Near-linear.
 */
#ifndef RUNG_ELIMINATE_PREPARE_MASSLESS_H
#define RUNG_ELIMINATE_PREPARE_MASSLESS_H

#include "eliminate/prepare/loop_cut.h"

/* Finds them and frees them; does nothing where something else than an acceleration of a state is
 * undetermined. */
void massless_find(System *s, LoopCut *c, Arena *scratch);

#endif
