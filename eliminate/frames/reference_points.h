/* reference_points.h -- torques about the point at which a joint reads them.
 *
 * A model may write torques t about any point, the centre of a body or the origin; the equation of
 * a hinge with the axis u needs the torque about the hinge, with the cut force f:
 *     u*(t - d x f) = 0
 * With the unknown y = t - d x f this equation contains y alone, and the balances of torques of the
 * two bodies contain no lever arm to this joint. The pass finds t and f by structure: a single
 * equation subtracts terms that are linear in one vector from the coordinates of another.
 *
 * Whether that is cheaper is found by counting (frame_policy.h). Near-linear.
 */
#ifndef RUNG_ELIMINATE_FRAMES_REFERENCE_POINTS_H
#define RUNG_ELIMINATE_FRAMES_REFERENCE_POINTS_H

#include "eliminate/blt.h"
#include "eliminate/frames/rewriting.h"

/* Returns the number of vectors of b->sys that got another reference point; if there are any, b is
 * no longer valid. of_balances: also the balances of torques are written about these points. */
uint32_t reference_points_apply(const Blt *b, bool of_balances, Rewriting *out, Arena *scratch);

#endif
