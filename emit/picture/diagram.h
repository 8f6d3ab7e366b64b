/* diagram.h -- a graph as picture or data: the bipartite one of equations and unknowns, or the
 * directed one of blocks, where an edge leads to the block that needs the other.
 *
 * One description, four ways to write it: dot (Graphviz), GraphML, JSON, and SVG where the nodes
 * have places. All linear in the number of nodes and edges; all names are escaped.
 */
#ifndef RUNG_EMIT_PICTURE_DIAGRAM_H
#define RUNG_EMIT_PICTURE_DIAGRAM_H

#include "emit/code/quote.h"

#include <stdbool.h>
#include <stdint.h>

#define DIAGRAM_NONE UINT32_MAX

typedef struct DiagramNode {
    const char *kind; /* equation, unknown, block         */
    const char *id;   /* e12, v7: letters and digits      */
    const char *name; /* of the unknown; origin of the equation */
    uint32_t group;   /* block or body structure; DIAGRAM_NONE */
    const char *role; /* "tearing variable", ...; may be NULL  */
    double x, y;      /* for SVG, in units of a node           */
    bool placed;
} DiagramNode;

typedef struct DiagramEdge {
    uint32_t from, to; /* nodes: an equation and its unknown, or two blocks */
    const char *label; /* how the unknown appears; NULL between blocks */
    bool matched;      /* the equation determines the unknown */
} DiagramEdge;

/* A frame around nodes, for SVG. */
typedef struct DiagramFrame {
    double x, y, width, height;
    uint32_t group;
    const char *title;
} DiagramFrame;

typedef struct Diagram {
    const char *title, *group_name; /* the noun for a group: "block", "structure" */
    bool directed;                  /* of blocks */
    const char *note;               /* below the picture; may be NULL */
    uint32_t n_nodes, n_edges, n_frames;
    const DiagramNode *node;
    const DiagramEdge *edge;
    const DiagramFrame *frame;
    double width, height; /* of the places */
} Diagram;

void diagram_dot(const Diagram *d, Text *out);
void diagram_graphml(const Diagram *d, Text *out);
void diagram_json(const Diagram *d, Text *out);
void diagram_svg(const Diagram *d, Text *out);

#endif
