/* inverse.h -- the flat model with motions given and efforts asked for: inverse dynamics.
 *
 * Coordinates become inputs together with their first and second derivatives; the efforts along
 * them, which a top-level input or a constant fixes through aliases, become unknowns:
 *
 *     J*der(w) = tau,  w = der(phi),  tau = u,  u an input
 *     phi, der(phi), der(der(phi)) inputs, u unknown:  tau = J*der(der(phi))
 */
#ifndef RUNG_ELIMINATE_PREPARE_INVERSE_H
#define RUNG_ELIMINATE_PREPARE_INVERSE_H

#include "ir/system.h"

typedef struct InverseDynamics {
    uint32_t n;
    const VarId *position, *effort;
    VarId *velocity, *acceleration; /* n each, made by inverse_make */
} InverseDynamics;

/* position and effort are given, n each. After derivatives of expressions were carried out, before
 * aliases are removed. False if an effort is fixed by something else, or a motion is no unknown
 * (reported). */
bool inverse_make(System *s, InverseDynamics *it, Arena *scratch);

#endif
