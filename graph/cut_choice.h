/* cut_choice.h -- which connects of a virtual connection graph may be broken to open a loop.
 *
 * Frames that are connected are one point, and it does not matter which of them a connect names:
 *
 *     connect(rod.b, knee.a);  connect(knee.a, extra.a);     rod.b, knee.a, extra.a are one set
 *
 * Of a set of three and more the connects are written anew, from one member, the hub, to each
 * other, so that breaking one parts a single member from the rest: knee.a, or extra.a, never both
 * from the rod, which would leave a frame without mass between two hinges. The hub is a member that
 * carries mass rigidly. Then each connect is ranked by the loads on its two sides: where a side has
 * mass, or is the end of one joint alone, the loop may be cut there. A connect that passes on fewer
 * forces than others do, as that in a ball joint, is cut before all of them: it takes fewer
 * constraints, and what moves freely there needs no coordinate.
 *
 * A member of a set is a node seen from one of its faces: the frame of a part that is made of parts
 * is connected inside the part and around it. Near-linear.
 */
#ifndef RUNG_GRAPH_CUT_CHOICE_H
#define RUNG_GRAPH_CUT_CHOICE_H

#include "graph/spanning.h"

/* The later ones are broken rather than those before them. */
typedef enum CutRank {
    CUT_BAD,   /* one side has no mass, and more joints than one, or none            */
    CUT_BARE,  /* both sides are the end of a joint, nothing has mass there          */
    CUT_RIGID, /* both sides have mass                                               */
    CUT_JOINT, /* one side has mass, the other is the end of a joint                 */
    CUT_FREE,  /* fewer forces go through it than through others                     */
    CUT_N_RANKS,
    CUT_REPEATS = CUT_N_RANKS /* implied by other connects of its set: never broken */
} CutRank;

typedef struct CutGraph {
    uint32_t n_nodes, n_branches, n_connects, n_roots;
    const SpanningEdge *branch;
    const bool *moves;         /* per branch: a joint, not a rigid part                        */
    const uint32_t *root;      /* definite and potential ones: bodies, or the ground           */
    const uint32_t *component; /* per node: whose frame it is; equal numbers, same component. Lower
                                  ones become hubs first */
    const uint32_t *n_flows;   /* per connect: forces through it; NULL: all alike */
    SpanningEdge *connect;     /* written anew                                                 */
    bool (*inside)[2];         /* per connect, of its ends: which face, written anew with them */
} CutGraph;

/* The CutRank of each connect; one that others imply becomes a connect of a node with itself. */
uint8_t *cut_choice(CutGraph *g, Arena *mem);

#endif
