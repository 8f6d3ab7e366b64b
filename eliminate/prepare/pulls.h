/* pulls.h -- forces from outside at the frames of a mechanism, as inputs of the model: a live page
 * moves a body by them.
 *
 * The flow variables of a connection set sum to zero (MLS 9.2). Where these are the forces of
 * frames (ir/geometry.h), they sum to an input instead, which is zero at the start:
 *
 *     a.f + b.f = 'pull a',
 *
 * resolved as the flow variables are. Each frame has GeometryFrame.pull; frames that are connected
 * share one.
 */
#ifndef RUNG_ELIMINATE_PREPARE_PULLS_H
#define RUNG_ELIMINATE_PREPARE_PULLS_H

#include "ir/system.h"

void pulls_add(System *s, Arena *scratch);

#endif
