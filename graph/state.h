/* state.h -- static selection of states by dummy derivatives (Mattsson & Söderlind 1993).
 *
 * After index reduction there are more equations than unknowns, so as many derivatives become
 * ordinary (dummy) unknowns, and their antiderivatives are no states. Which ones: level by level
 * from the highest order down, the differentiated equations are matched with derivatives, the
 * unknowns with the lowest state priority first. The sets that can be matched are a matroid, so
 * this greedy choice is the best one for the given priorities. Among equals, unknowns with a
 * constant coefficient are taken first: their Jacobian cannot become singular along the way; then
 * those whose derivative index reduction met last.
 * Structural only; a choice that becomes singular at run time needs another selection there.
 */
#ifndef RUNG_GRAPH_STATE_H
#define RUNG_GRAPH_STATE_H

#include "graph/pantelides.h"

/* MLS 3.6 §4.4.4.2, StateSelect. One more than each of these: the start value is fixed, which
 * decides among equals. PRIORITY_ADDED: preferred, and no equation of the model differentiates
 * it. */
typedef enum StatePriority {
    PRIORITY_NEVER = 0,
    PRIORITY_AVOID = 4,
    PRIORITY_DEFAULT = 8,
    PRIORITY_ADDED = 10,
    PRIORITY_PREFER = 12,
    PRIORITY_ALWAYS = 16,
} StatePriority;

typedef struct States {
    bool ok; /* false: some differentiated equations of one order hold too few derivatives */
    uint32_t n_vars;
    bool *dummy; /* per variable: a derivative that is solved for like an algebraic unknown */
    uint32_t n;  /* states: variables whose derivative exists and is no dummy, ascending */
    uint32_t *state;
    uint32_t n_lost; /* of PRIORITY_ALWAYS, and still no states */
    uint32_t *lost;
    uint32_t n_unwanted; /* of PRIORITY_NEVER, and still states */
    uint32_t *unwanted;
} States;

/* priority: per variable of the model, NULL: all are of PRIORITY_DEFAULT. A derivative that index
 * reduction made has the priority of the variable that it is the derivative of, without a fixed
 * start value. */
States states_find(const Pantelides *p, const uint8_t *priority, Arena *mem);
bool states_check(const States *s, const Pantelides *p);
void states_dump(const States *s, FILE *f);

#endif
