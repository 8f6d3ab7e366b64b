/* dae.h -- the results of passes over a System: facts that the parts of eliminate/ hand on.
 *
 * The System is the only state: passes change its equations and leave their results here. Every
 * pass takes a Dae, reads the results of passes before it, and fills in its own part:
 *
 *     Dae d = dae_new(s);
 *     bool ok = aliases_remove(s, &d.aliases, scratch) && reduce_index(&d, scratch) &&
 *               states_choose(&d, scratch) && equations_sort(&d) &&
 *               solution_find(&d, &orders, scratch);
 *
 * Arrays live in the System's arena. Which part holds when is kept by the driver (cli/driver.c).
 */
#ifndef RUNG_ELIMINATE_DAE_H
#define RUNG_ELIMINATE_DAE_H

#include "eliminate/block/solve.h"
#include "eliminate/blt.h"
#include "eliminate/frames/frames.h"
#include "eliminate/prepare/loop_cut.h"
#include "graph/pantelides.h"
#include "graph/state.h"

/* Constraints that determine no variable safely (redundant_states.h). */
typedef struct Redundancy {
    bool is_applied;    /* these are states now, none is left */
    uint32_t n;         /* variables                                     */
    bool *is_invariant; /* per equation: the constraint, it may go       */
    bool *is_redundant; /* per variable: then it is a state              */
    /* Once applied: the hidden parameter at which errors decay, 1/s; residuals of the constraints
     * that have gone, in unknowns of the model. */
    VarId rate;
    uint32_t n_kept;
    ExprId *kept;
} Redundancy;

/* Equations in base parameters (forms/base_form.h): operations of the requested outputs. */
typedef struct BaseForm {
    bool is_taken;
    uint32_t n_parameters, n_base; /* of bodies; of these not zero                  */
    uint64_t as_is, grouped;       /* operations; UINT64_MAX: it could not be solved */
    uint32_t n;                    /* derivatives, efforts and residuals in them */
    const ExprId *root;
    uint32_t n_pivots; /* divisors that elimination chose for these */
    const Pivot *pivot;
} BaseForm;

/* The derivatives of an adjoint (forms/adjoint.h): by parameters, or by start values of variables;
 * of any moving variables. */
typedef struct AdjointChoice {
    uint32_t n, n_objectives;
    const VarId *by, *objective;
    const char *const *name; /* n */
    const char *instead;     /* the option that has derivatives along the run */
    bool has_kinks;          /* where no event is made                        */
} AdjointChoice;

typedef struct Dae {
    System *sys;
    uint32_t n_flat_equations, n_flat_unknowns; /* as the model wrote them */
    LoopCut loops;                              /* none unless loops are cut */
    const LoopCut
        *loops_as; /* of another translation, whose massless coordinates are taken, or NULL */
    Aliases aliases;
    Structure
        structure; /* all unknowns and their derivatives, equations differentiated with them */
    Pantelides pantelides;               /* over the columns of `structure` */
    struct Sensitivities *sensitivities; /* NULL: none were asked for */
    AdjointChoice *adjoint;              /* NULL: likewise */
    struct Unreduced *unreduced; /* the System before, while functions are calls; else NULL */
    States states;               /* over the columns of `structure` */
    bool *is_state;              /* per variable */
    Blt blt;
    uint32_t n_efforts; /* asked for (inverse.h) */
    const VarId *effort;
    Redundancy redundancy;
    bool has_preferred;      /* states that no equation of the model differentiates */
    InitialProgram *initial; /* NULL: states start from their start values */
    Blt *initial_blt;        /* likewise: its sorted equations */
    Frames frames;           /* none unless vectors were moved */
    bool wants_base;         /* derivatives, efforts and residuals come of base parameters */
    BaseForm base;
    Solution solution;
} Dae;

/* Of a flat System: counts its variables and equations. */
Dae dae_new(System *s);
/* After variables were added to the n_before of the System: they are no states. */
void dae_extend(Dae *d, uint32_t n_before);

/* Puts values into equations, initial equations, aliases, memory, actions and the conditions of
 * assertions. */
void dae_substitute(Dae *d, Substitution *values);

/* Drops the expressions that neither the System nor the Dae holds any longer. After aliases are
 * removed; the System has no functions, whose bodies hold expressions, too. */
void dae_compact(Dae *d, Arena *scratch);

/* Per variable: an unknown that an effort asked for is, up to aliases; NULL: none is asked for. */
const bool *dae_efforts(const Dae *d, Arena *mem);

/* The System as flat Modelica that can be read back, with the removed variables and which equations
 * are derivatives of others. with_cuts: kinematic loops too, while they are whole. */
void dae_print(Dae *d, bool with_cuts, FILE *f);
void dae_print_aliases(Dae *d, FILE *f); /* and how many were removed */

#endif
