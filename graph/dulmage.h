/* dulmage.h -- the parts of a structurally singular system.
 *
 * The coarse decomposition of Dulmage & Mendelsohn (1958): with a maximum matching, alternating
 * paths from the unmatched equations reach the over-determined part (more equations than unknowns),
 * those from the unmatched unknowns the under-determined part; the rest is well determined. The
 * three parts do not depend on the choice of the maximum matching. Linear.
 */
#ifndef RUNG_GRAPH_DULMAGE_H
#define RUNG_GRAPH_DULMAGE_H

#include "graph/incidence.h"

/* A set of equations and a set of unknowns, ascending. */
typedef struct DulmagePart {
    uint32_t n_eqs, n_vars;
    uint32_t *eq, *var;
} DulmagePart;

typedef struct Dulmage {
    DulmagePart over;  /* more equations than unknowns */
    DulmagePart under; /* more unknowns than equations */
    DulmagePart well;
} Dulmage;

/* m must be maximum. */
Dulmage dulmage_find(const Incidence *g, const Matching *m, Arena *mem);
/* The clash around one unmatched equation: all equations its alternating paths reach and their
 * unknowns. n_eqs = n_vars + 1, and leaving out any one of these equations would resolve it. */
DulmagePart dulmage_clash(const Incidence *g, const Matching *m, uint32_t e, Arena *mem);
/* The same around one unmatched unknown: n_vars = n_eqs + 1; one more equation for any of these
 * would resolve it. */
DulmagePart dulmage_gap(const Incidence *g, const Matching *m, uint32_t v, Arena *mem);

bool dulmage_check(const Dulmage *d, const Incidence *g, const Matching *m);
void dulmage_dump(const Dulmage *d, FILE *f);

#endif
