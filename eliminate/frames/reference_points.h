/* reference_points.h -- torques about the point for which a joint's law holds.
 *
 * A model may write torques t about any point, the centre of a body or the origin; the law of a
 * hinge with the axis u reads them about the hinge, with the force f there:
 *     u*(t - d x f) = 0
 * With y = t - d x f for unknown the law reads y alone, and so do the equations that carry torques
 * from body to body. All that is known of t and f is that the law, a single equation, subtracts
 * terms that are linear in another vector from each coordinate of one.
 *
 * Whether that is cheaper is found by counting (frame_policy.h). Near-linear.
 */
#ifndef RUNG_ELIMINATE_FRAMES_REFERENCE_POINTS_H
#define RUNG_ELIMINATE_FRAMES_REFERENCE_POINTS_H

#include "eliminate/blt.h"
#include "eliminate/frames/rewriting.h"

/* Returns how many vectors of b->sys are measured from elsewhere; b does not hold any more if there
 * are any. */
uint32_t reference_points_apply(const Blt *b, bool of_balances, Rewriting *out, Arena *scratch);

#endif
