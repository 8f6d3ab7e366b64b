/* initial_system.h -- the initial system (MLS 3.6, 8.6): the equations at the start of a run alone.
 *
 * Its unknowns are all variables with their derivatives, and the parameters with fixed = false; its
 * equations those of the model (the differentiated ones too), the initial equations, and v = start
 * for every v with fixed = true. Unknowns that these do not determine take start candidates,
 * equations v = start of states, the preferred first, and of other preferred variables before those
 * of states that have no start value. Which of them hold, and which conditions repeat others, is
 * found by matching in graph/; here the system is written down as a view beside the model's System,
 * over the same pool.
 */
#ifndef RUNG_ELIMINATE_FORMS_INITIAL_SYSTEM_H
#define RUNG_ELIMINATE_FORMS_INITIAL_SYSTEM_H

#include "eliminate/prepare/alias.h"
#include "eliminate/structure.h"
#include "graph/blocks.h"
#include "ir/program.h"

typedef struct InitialView {
    bool is_trivial; /* every state starts from its own start value, nothing else is asked */
    System *sys;
    uint32_t n_model, n_conditions, n_candidates; /* its equations, in this order */
    uint32_t n_preferred;   /* start candidates of variables that are preferred and no states */
    const VarId *candidate; /* per start candidate: its variable */
    const bool *is_late;    /* per start candidate: a waiting condition (Waiting) determines it */
    /* Labels rank the rows: LABEL_ONE must hold, the others are start candidates, the preferred
     * first. LABEL_ZERO is that of an edge: the row does not determine this unknown. */
    Structure structure;
    uint32_t n_free;
    const FreeParameter *free;
    VarId share;         /* MEMORY_HOMOTOPY; VAR_NONE */
    Substitution values; /* values of aliases, free parameters and memory at the start */
} InitialView;

/* Adds the stand-ins of free parameters to s. is_state: per variable of s as it is now. loops_cut:
 * without the conditions that wait until the loops are closed. */
void initial_view(System *s, Aliases *aliases, const bool *is_state, bool loops_cut, Arena *scratch,
                  InitialView *out);

/* Gives memory to relations that are not smooth and part of an algebraic loop, as those of dry
 * friction. Where the run finds no solution with such relations evaluated in place, it fixes their
 * values, solves, and renews them until they no longer change (mixed equations: MLS 3.6, appendix
 * B). Negative memory means that the relation is evaluated in place. blocks: those of the view's
 * structure to be solved. */
void initial_remember(System *s, InitialView *v, const Blocks *blocks, Arena *scratch);

/* Whether a condition, an initial equation or v = start with fixed = true, is more than the value
 * of one state, parameters or memory. Where loops are cut such a one cannot hold before they are
 * closed, and closing them solves it along (loop_constraints.h). */
typedef struct Waiting {
    System *s;
    Substitution *aliases;
    const bool *is_state, *is_memory, *moves; /* per variable */
    /* Likewise: parameters that only conditions which wait can say, as r in r = rocker.phi with
     * rocker.phi behind the cut; a condition on such a one waits as well. */
    const bool *is_late;
    Arena *mem;
} Waiting;
Waiting initial_waiting(System *s, Substitution *aliases, const bool *is_state, Arena *mem);
bool initial_waits(const Waiting *w, ExprId lhs, ExprId rhs);

/* taken: per row of the view. Conditions that are not taken become assertions: they must agree with
 * the solution of the others. */
void initial_assert_others(InitialView *v, const bool *taken);

#endif
