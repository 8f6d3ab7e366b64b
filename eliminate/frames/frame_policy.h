/* frame_policy.h -- vectors are moved into other frames if the program gets cheaper by it.
 *
 * The search of frames.h estimates; whether it is right is found by solving both sets of equations,
 * on trial and with a small budget, and counting the operations. Of large models the search is
 * believed.
 */
#ifndef RUNG_ELIMINATE_FRAMES_FRAME_POLICY_H
#define RUNG_ELIMINATE_FRAMES_FRAME_POLICY_H

#include "eliminate/dae.h"

/* Needs d->blt; gives d->frames, none if nothing is gained. True if variables were added to the
 * System: then d->blt does not hold any more. */
bool frames_apply(Dae *d, Arena *scratch);
/* The same without comparing operations, for models of all sizes: in the time of a search. */
bool frames_apply_believed(Dae *d, Arena *scratch);

#endif
