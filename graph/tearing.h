/* tearing.h -- a block as a sequence of explicit assignments and a small dense rest.
 *
 * Some unknowns (tearing variables) are assumed known, all others follow one after another, and as
 * many equations (residuals) are left to determine the tearing variables. Of two methods it uses
 * the result with fewer tearing variables: the natural matching with all pairs that can be added
 * without a cycle, and the greedy choice of Cellier & Elmqvist (1993), which assigns equations with
 * one unknown left and else tears the unknown that brings most equations nearest to that.
 *
 * In the order, the explicit part comes first in the order of evaluation; the last n_torn pairs are
 * residuals with tearing variables, paired so that each residual depends on its variable.
 */
#ifndef RUNG_GRAPH_TEARING_H
#define RUNG_GRAPH_TEARING_H

#include "graph/incidence.h"

/* worst: the worst label across which an equation may be solved explicitly, LABEL_OTHER at most:
 * LABEL_PARAM never divides by an expression that varies. */
Order tearing_find(const Incidence *g, Label worst, Arena *mem);
/* The explicit part is explicit, across labels up to worst. */
bool tearing_check(const Order *o, const Incidence *g, Label worst);

#endif
