/* ladder_layout.h -- where the nodes of a ladder stand in a picture.
 *
 * The ladder of the two masses of ladder.h, drawn as in Schubert et al. 2011, figures 2 to 4. Each
 * body structure is a band, that which carries it below, branches side by side:
 *
 *     structure 0      q2   a2        f2   f2 = u2
 *     structure 1      q1   a1        f1   f1 = u1
 *                      tearing kinematic step kinetic residual       <- lanes
 *
 * A pair stands in the kinematic lane if structures farther from the ground depend on it, in the
 * kinetic lane if it depends on them, else in the lane of steps; in a structure that carries
 * nothing the nearer end of the handle decides. Linear.
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
    LANE_LOOP, /* closes a loop: above all bands        */
    LANE_REST, /* of no structure: below all bands      */
    LANES
} Lane;

/* x to the right, y down, in units of a node's width; nodes that are not shown have no place. */
typedef struct LayoutNode {
    double x, y;
    Lane lane;
    uint32_t structure; /* INC_NONE for those of none */
    bool shown;
} LayoutNode;

typedef struct Band {
    double x, y, width, height;
    bool shown;
} Band;

typedef struct LadderLayout {
    LayoutNode *eq, *var; /* per equation, per unknown  */
    Band *band;           /* per structure              */
    double lane_x[LANES]; /* left ends, relative to the band's, of the first five lanes */
    double width, height;
    uint32_t n_hidden; /* structures that are not shown */
} LadderLayout;

/* At most `most` structures are shown, those next to the ground. Only of a ladder that is one
 * (Ladder.why is NULL). */
LadderLayout ladder_layout(const Ladder *l, const Incidence *g, uint32_t most, Arena *mem);

#endif
