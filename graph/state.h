/* state.h -- static selection of states by dummy derivatives (Mattsson & Söderlind 1993).
 *
 * After index reduction there are more equations than unknowns, so as many derivatives become
 * ordinary (dummy) unknowns, and their antiderivatives are no states. Which ones: level by level
 * from the highest order down, the differentiated equations are matched with derivatives, the
 * least wanted states first. The sets that can be matched are a matroid, so this greedy choice
 * is the best one for the given preferences. Among equals, unknowns with a constant coefficient
 * are taken first: their Jacobian cannot become singular along the way. Structural only; a
 * choice that becomes singular at run time needs another selection there.
 */
#ifndef RUNG_GRAPH_STATE_H
#define RUNG_GRAPH_STATE_H

#include "graph/pantelides.h"

/* MLS 3.6 §4.4.4.2, StateSelect. One more than these: the start value is fixed, which decides
 * among equals. */
typedef enum StateWish {
    WISH_NEVER = 0,
    WISH_AVOID = 2,
    WISH_DEFAULT = 4,
    WISH_PREFER = 6,
    WISH_ALWAYS = 8,
} StateWish;

typedef struct States {
    bool ok; /* false: some differentiated equations of one order hold too few derivatives */
    uint32_t n_vars;
    bool *dummy; /* per variable: a derivative that is solved for like an algebraic unknown */
    uint32_t n;  /* states: variables whose derivative exists and is no dummy, ascending */
    uint32_t *state;
    uint32_t n_lost; /* wished WISH_ALWAYS, and still not a state */
    uint32_t *lost;
    uint32_t n_unwanted; /* wished WISH_NEVER, and still a state */
    uint32_t *unwanted;
} States;

/* wish: per old variable, NULL = all default; a new derivative inherits from what it derives, but
 * has no fixed start value of its own. */
States states_find(const Pantelides *p, const uint8_t *wish, Arena *mem);
bool states_check(const States *s, const Pantelides *p);
void states_dump(const States *s, FILE *f);

#endif
