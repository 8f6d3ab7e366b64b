/* frames.h -- unknown vectors moved into the frames in which their equations cost least.
 *
 * A model may write a vector x in one frame, as the world's, that its equations need in others:
 *     f = m R_b x + ...,   x = x_a + R_a' (z x r + ...).
 * With coordinates in the frames that are wanted, y = R x, and vector equations multiplied by
 * rotations, coefficients R_b R_a' are relative rotations of two bodies, R_a R_a' is I, and R
 * itself is needed no more. R (an orthogonal matrix, rotations.h) is all that is known: the
 * physical meaning of vectors plays no part.
 *
 * In an algebraic loop that is linear, every vector equation has as choices its being multiplied by
 * one of the rotations that occur in it; each then reads each vector in the frame that leaves the
 * cheapest coefficients, and frames of one vector are tied by the cheapest tree of relative
 * rotations. Choices are improved one at a time while the sum of operations decreases, beginning
 * with the cheapest of each equation by itself, and once more with all that read rotations turned:
 * vectors of one body gain by moving only if all of them move. Fingerprints show which products are
 * zero, one, or present already; vectors known before the loop are rotated one by one
 * (known_images.h). Both sides of an equation are multiplied by orthogonal matrices only, so
 * nothing becomes singular. Near-linear.
 */
#ifndef RUNG_ELIMINATE_FRAMES_FRAMES_H
#define RUNG_ELIMINATE_FRAMES_FRAMES_H

#include "eliminate/blt.h"
#include "eliminate/frames/rewriting.h"

typedef struct Frames {
    uint32_t n_turned;  /* vector equations multiplied by a rotation                */
    uint32_t n_moved;   /* unknown vectors with coordinates in other frames         */
    uint32_t n_shifted; /* unknown vectors measured from somewhere else (shifts.h)  */
    uint32_t n_rates;   /* equations with angular accelerations (angular_rates.h)   */
    uint32_t n_points;  /* torques about joints (reference_points.h)                */
    uint32_t n_axes;    /* levers without an element (axis_points.h)                */
    Rewriting rewriting;
} Frames;

typedef struct FramesHow {
    bool of_rates; /* equations by angular rates: variables that no loop needs have no values, which
                      others would be written over; shifts of rows (shifts.h) */
    /* Operations that an estimate adds where the equation that has a vector's coordinates alone in
     * its rows reads them in a frame where they mix: it determines none of them by adding and
     * subtracting any more. */
    uint32_t mixed_cost;
} FramesHow;

/* Equations of b->sys are changed, and variables added, only if one of the numbers is not 0: then b
 * does not hold any more. */
Frames frames_find(const Blt *b, FramesHow how, Arena *scratch);

#endif
