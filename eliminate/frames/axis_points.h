/* axis_points.h -- accelerations and torques about points chosen along the axes of hinges.
 *
 * Two bodies that turn against each other about an axis u share all of its points. With levers r to
 * the hinge in the one body and q from it in the other, their motion is the same for
 *     r + s*u,   q - s*u
 * whatever s is: the point in which the hinge is cut moves along the axis. With s such that one
 * element of q vanishes, translations of inertia, forces and accelerations over q lose its terms,
 * and r has as many as before (Denavit and Hartenberg 1955 place frames by the same freedom).
 *
 *     levers of a chain with axes z, y, z, ...    (r1, r2, r3)  (q1, q2, q3)  ...
 *     moved                                       (r1, r2 + q2, r3)  (q1, 0, q3 + ...)  ...
 *
 * The pass knows no hinges. A lever is a vector of three parameters that are linear in equations of
 * a linear loop. Its element k moves a vector x that stands plainly in these equations by a vector
 * d; where all equations that read x hold again once elements of other levers have changed as much,
 * or x is tied to another vector y by a matrix and the same is true of y, these elements belong
 * together. Vectors d are compared by residues at a random point, at which all equations of the
 * loop hold but those that determine the accelerations; and there too the rewritten loop is
 * compared with the loop as it was: unknowns that have moved get new variables, and their own
 * values by equations of the model. Near-linear.
 */
#ifndef RUNG_ELIMINATE_FRAMES_AXIS_POINTS_H
#define RUNG_ELIMINATE_FRAMES_AXIS_POINTS_H

#include "eliminate/blt.h"
#include "eliminate/frames/rewriting.h"

/* Returns the number of lever elements that equations of b->sys do not read any more; if there are
 * any, variables were added and b is no longer valid. */
uint32_t axis_points_apply(const Blt *b, Rewriting *out, Arena *scratch);

#endif
