/* massless.h -- massless coordinates of a tree whose loops are cut.
 *
 * A joint beside the cut may carry nothing but the cut itself: its balance of forces then contains
 * multipliers only, and nothing but the closing of the loop determines its acceleration. Found by
 * structure: with states given, the former equations are one too many, the latter unknowns one too
 * few. */
#ifndef RUNG_ELIMINATE_PREPARE_MASSLESS_H
#define RUNG_ELIMINATE_PREPARE_MASSLESS_H

#include "eliminate/prepare/loop_cut.h"

/* Finds them and frees them; does nothing where the structure says something else. */
void massless_find(System *s, LoopCut *c, Arena *scratch);

#endif
