/* pantelides.h -- how often each equation must be differentiated (Pantelides 1988).
 *
 * Columns of the incidence are all variables of the DAE, a variable and its derivative being two
 * columns joined by der[]. Result: a list of differentiations, in the order the caller performs
 * them, after which every equation of highest order has its own highest derivative. Equations
 * that are already regular cost one maximum matching; the search only starts at those left over.
 *
 * Whether the system is singular at all is decided first, on the system in which a variable and
 * its derivatives are one unknown: only then the search is certain to end.
 */
#ifndef RUNG_GRAPH_PANTELIDES_H
#define RUNG_GRAPH_PANTELIDES_H

#include "graph/dulmage.h"
#include "graph/incidence.h"

/* Callbacks that differentiate an equation on demand, because the incidence does not determine that
 * of the derivative: the derivative function of a function need not depend on the derivatives of
 * all arguments. */
typedef struct Differentiation {
    void *self;
    void (*new_var)(void *self, uint32_t der_of);
    /* The columns in the derivative of equation eq_der_of; false: it has none (reported). */
    bool (*new_eq)(void *self, uint32_t eq_der_of, Arena *mem, uint32_t *n, const uint32_t **col);
} Differentiation;

typedef struct Pantelides {
    bool
        ok; /* false: structurally singular, only part, chain_of and n_chains are set; or stopped */
    bool stopped;        /* an equation has no derivative, or there is no end to it */
    uint32_t stopped_at; /* that equation                                           */
    /* Old numbers stay, new ones follow in order of creation: new variable n_old_vars + k is the
     * derivative of der_of[n_old_vars + k], new equation n_old_eqs + k that of
     * eq_der_of[n_old_eqs + k]. A derivative exists before any equation that needs it. */
    uint32_t n_old_vars, n_old_eqs, n_vars, n_eqs;
    uint32_t *der, *der_of;       /* per variable: derivative, antiderivative, or INC_NONE */
    uint32_t *eq_der, *eq_der_of; /* per equation, likewise */
    uint32_t *eq_of;              /* per variable: the equation that determines it, or INC_NONE */
    uint32_t *var_of;             /* per equation: highest-order equations have one */
    uint32_t max_diffs;           /* most differentiations of one equation */
    Incidence g;                  /* all equations over all variables, new ones included */
    /* A variable and its derivatives are one chain; when not ok, part has the over- and
     * under-determined parts, with chains as unknowns. lead[c] is the lowest-order variable of
     * chain c. */
    uint32_t n_chains;
    uint32_t *chain_of, *lead;
    Dulmage part;
} Pantelides;

/* der[v]: the column that is the derivative of v, or INC_NONE. */
Pantelides pantelides_find(const Incidence *g, const uint32_t *der, Arena *mem);
/* The same, differentiating by `how`. moving: g without the edges that differentiation does not
 * reach. */
Pantelides pantelides_carry_out(const Incidence *g, const Incidence *moving, const uint32_t *der,
                                const Differentiation *how, Arena *mem);
bool pantelides_check(const Pantelides *p, const Incidence *g);
void pantelides_dump(const Pantelides *p, FILE *f);

#endif
