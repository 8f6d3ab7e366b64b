/* matching.h -- a matching of equations with unknowns.
 *
 * matching_find starts greedily, best labels first, and augments in phases (Hopcroft & Karp
 * 1973): O(sqrt(n) * edges) at worst, close to linear on real models. igraph's push-relabel
 * cannot start from a given matching, so natural pairs would be lost in it; the tests use it
 * as the second opinion on sizes.
 *
 * matching_natural pairs only across LABEL_ONE edges: equations solved by adding and subtracting
 * (Schubert 4.2.1). Array equations with a +-identity block go first, then scalars; degree-one
 * nodes first (Karp & Sipser 1981), so that no more equations stay unmatched than necessary. Its
 * pairs, evaluated one after another, form no cycle.
 */
#ifndef RUNG_GRAPH_MATCHING_H
#define RUNG_GRAPH_MATCHING_H

#include "graph/incidence.h"

/* Maximum matching over all edges. */
Matching matching_find(const Incidence *g, Arena *mem);
/* Matches nothing yet. */
Matching matching_empty(const Incidence *g, Arena *mem);
/* Augments m to maximum over the edges whose label is at most worst. Matched nodes stay matched,
 * possibly to other partners. */
void matching_extend(Matching *m, const Incidence *g, Label worst, Arena *scratch);

/* One path at a time, for callers whose rows have an order of precedence: rows and columns that are
 * matched stay matched. */
typedef struct Augmenter {
    const Incidence *g;
    Matching m;            /* empty at first            */
    uint32_t *from, *mark; /* per column; mark: by turn */
    uint32_t *queue;       /* rows                      */
    uint32_t turn;
} Augmenter;

Augmenter augmenter_new(const Incidence *g, Arena *mem);
/* Matches the free row e across edges with labels up to worst; false where there is no way. */
bool matching_augment(Augmenter *w, uint32_t e, Label worst);

/* Acyclic, over LABEL_ONE edges only; not maximum in general. */
Matching matching_natural(const Incidence *g, Arena *mem);

bool matching_check(const Matching *m, const Incidence *g); /* pairs are edges, both ways */
bool matching_is_maximum(const Matching *m, const Incidence *g, Arena *scratch);
void matching_dump(const Matching *m, const Incidence *g, FILE *f);

#endif
