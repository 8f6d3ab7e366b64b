/* moving_states.h -- states of a mechanism by the motions that it has at the start.
 *
 * Dummy derivatives are chosen by structure: a rod between two ball joints seems to leave both
 * angles of the arm that carries it independent, since Euler parameters seem to follow from the
 * place of its end, and a coordinate that cannot move there seems as good as another. The
 * directions of mobility.h tell by numbers which coordinates are independent.
 */
#ifndef RUNG_STUDY_MECHANISM_MOVING_STATES_H
#define RUNG_STUDY_MECHANISM_MOVING_STATES_H

#include "translate/request.h"

/* Names of coordinates and velocities that are to be avoided as states: all but one for each
 * direction. False if there are none, or the position at the start is not found. Prints nothing. In
 * mem. */
bool moving_states_find(const Request *r, Texts *avoided, Arena *mem);

#endif
