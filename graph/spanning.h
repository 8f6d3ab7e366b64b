/* spanning.h -- spanning trees of overconstrained connections (MLS 3.6 §9.4).
 *
 * The virtual connection graph has one node per overconstrained record, a required branch per
 * Connections.branch and an optional edge per connect. Optional edges are broken until every
 * tree has exactly one root; a broken edge between multibody frames is a loop's cut joint.
 * Definite roots stay roots; a component without one takes its potential root of lowest
 * priority number (the first listed among equals). Connects are kept in the order of their ranks,
 * and of equal ones in the order given, so the last connect that closes a loop is the one broken;
 * one of a node with itself says nothing, and is not. Union-find, near-linear.
 */
#ifndef RUNG_GRAPH_SPANNING_H
#define RUNG_GRAPH_SPANNING_H

#include "base/arena.h"
#include "graph/incidence.h"

typedef struct SpanningEdge {
    uint32_t a, b;
} SpanningEdge;

typedef struct SpanningGraph {
    uint32_t n_nodes;
    uint32_t n_branches, n_connects, n_roots, n_potential;
    const SpanningEdge *branch;  /* Connections.branch(a, b) */
    const SpanningEdge *connect; /* connect(a, b) */
    const uint32_t *root;        /* Connections.root */
    const uint32_t *potential;   /* Connections.potentialRoot */
    const uint32_t *priority;    /* of each potential root, NULL = all 0 */
    const uint8_t *rank;         /* of each connect, NULL = all 0 */
} SpanningGraph;

typedef enum SpanningFault {
    SPANNING_GOOD,
    SPANNING_BRANCH_LOOP, /* branch[fault_at] closes a loop of required branches */
    SPANNING_TWO_ROOTS,   /* branch[fault_at] ties two definite roots together */
    SPANNING_NO_ROOT      /* the component of node fault_at has no root; its lowest node serves */
} SpanningFault;

typedef struct Spanning {
    uint32_t n_nodes, n_branches, n_connects;
    bool *broken;        /* per connect */
    uint32_t *root_of;   /* per node: the root of its tree */
    uint32_t *parent;    /* per node: the next node towards its root, INC_NONE for a root */
    bool *rooted;        /* per branch: Connections.rooted(a), a is nearer to the root than b */
    SpanningFault fault; /* the first one met, in the order of the list above */
    uint32_t fault_at;
} Spanning;

Spanning spanning_find(const SpanningGraph *g, Arena *mem);
/* Connections.isRoot */
static inline bool spanning_is_root(const Spanning *s, uint32_t node)
{
    return s->root_of[node] == node;
}
bool spanning_check(const Spanning *s, const SpanningGraph *g);
void spanning_dump(const Spanning *s, const SpanningGraph *g, FILE *f);

#endif
