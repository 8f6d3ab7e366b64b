/* SPDX-License-Identifier: BSD-3-Clause
 *
 * closing_choice.h -- the free choices of the methods ali3p and penalty (Lopez Varela 2023, eqs.
 * 9-11; Callejo 2014, eqs. 20-26): penalty factors, projection matrix, number of projections. All
 * zero: the defaults.
 *
 *     (P + alpha phi_v' phi_v) v_i = P v_(i-1) - ...,    i = 1..K
 */
#ifndef RUNG_RUNTIME_CLOSING_CHOICE_H
#define RUNG_RUNTIME_CLOSING_CHOICE_H

#include <stdint.h>

typedef enum ProjectionMatrix {
    PROJECTION_DEFAULT, /* ali3p: the mass matrix; penalty: that of the step */
    PROJECTION_MASS,    /* P = M (Lopez Varela 2023, section 10)             */
    PROJECTION_ALPHA    /* P = M + h/2 C + h^2/4 K, which Newton's method has factored with the
                           penalties (Callejo 2014, eq. 25)                  */
} ProjectionMatrix;

typedef struct ClosingChoice {
    double alpha;         /* penalty factor of each constraint; 0: by its inertia              */
    double penalty;       /* times the inertia that a constraint moves, in a step; 0: the default */
    uint32_t projections; /* of velocities and of accelerations in a step; 0: until the residual
                             is rounding, with penalty one                                     */
    ProjectionMatrix matrix;
} ClosingChoice;

static inline int closing_choice_is_made(const ClosingChoice *it)
{
    return it->alpha > 0 || it->penalty > 0 || it->projections || it->matrix;
}

#endif
