/* initial_system.h -- the initial system (MLS 3.6, 8.6): what holds at the start of a run and no
 * later.
 *
 * Its unknowns are all variables with their derivatives, and the parameters with fixed = false; its
 * equations those of the model (the differentiated ones too), the initial equations, and v = start
 * for every v with fixed = true. What these leave open is decided by start
 * candidates, equations v = start of states, the preferred first. Which of them hold, and which
 * conditions repeat others, is found by matching in graph/; here the system is written down as a
 * view beside the model's System, over the same pool.
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
    const VarId *candidate;                       /* per start candidate: its variable */
    const bool *is_late; /* per start candidate: a condition that waits says what it is */
    /* Labels rank the rows: LABEL_ONE must hold, the others are start candidates, the preferred
     * first. */
    Structure structure;
    uint32_t n_free;
    const FreeParameter *free;
    VarId share;         /* MEMORY_HOMOTOPY; VAR_NONE */
    Substitution values; /* what aliases, free parameters and memory are at the start */
} InitialView;

/* Adds the stand-ins of free parameters to s. is_state: per variable of s as it is now. loops_cut:
 * without the conditions that wait for what closes the loops. */
void initial_view(System *s, Aliases *aliases, const bool *is_state, bool loops_cut, Arena *scratch,
                  InitialView *out);

/* Relations that are not smooth inside of a loop of equations that they are part of, as those of
 * dry friction: where the run finds no values with relations that it looks at where they stand, it
 * takes them as given and looks afterwards whether they are what was taken, until they are (mixed
 * equations: MLS 3.6, appendix B). So their memory, where it is negative, stands for the relation
 * itself. blocks: of the view's structure, those that are to be solved. */
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
 * what the others determine. */
void initial_assert_others(InitialView *v, const bool *taken);

#endif
