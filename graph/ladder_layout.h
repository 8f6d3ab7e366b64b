/* ladder_layout.h -- where the nodes of a ladder stand in a picture.
 *
 * As in Schubert et al. 2011, figures 2 to 4, the ladder stands on the ground: each body structure
 * is a band, those that carry it below, branches side by side. In a band, from left to right: the
 * tearing variable, the kinematic leg, the steps, the kinetic leg, the residual equation. A pair is
 * on the kinematic leg if structures farther out need it, on the kinetic leg if it needs them; in
 * a terminal structure the nearer end decides. Linear.
 */
#ifndef RUNG_GRAPH_LADDER_LAYOUT_H
#define RUNG_GRAPH_LADDER_LAYOUT_H

#include "graph/ladder.h"

typedef enum Lane {
    LANE_TEARING,
    LANE_KINEMATIC,
    LANE_STEP,
    LANE_KINETIC,
    LANE_RESIDUAL,
    LANE_LOOP, /* closes a loop: above everything      */
    LANE_REST, /* of no structure: below everything    */
    LANES
} Lane;

/* x to the right, y down, in units of a node; hidden nodes stand nowhere. */
typedef struct Standing {
    double x, y;
    Lane lane;
    uint32_t structure; /* INC_NONE for those of none */
    bool shown;
} Standing;

typedef struct Band {
    double x, y, width, height;
    bool shown;
} Band;

typedef struct Portrait {
    Standing *eq, *var;   /* per equation, per unknown  */
    Band *band;           /* per structure              */
    double lane_x[LANES]; /* left ends, relative to a band, of the first five */
    double width, height;
    uint32_t n_hidden; /* structures left out */
} Portrait;

/* At most `most` structures are shown, those next to the ground. The ladder must be good. */
Portrait portrait_of(const Ladder *l, const Incidence *g, uint32_t most, Arena *mem);

#endif
