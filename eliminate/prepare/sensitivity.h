/* sensitivity.h -- the derivatives of all variables by parameters, as equations of the model.
 *
 * Each equation is differentiated along each chosen parameter p, with the variables' derivatives
 * der(x,p) as further unknowns (direct differentiation; MLS 12.7.2 writes
 * partial derivatives like this):
 *
 *     der(x) = -p*x;   becomes   der(x) = -p*x;   der(der(x,p)) = -p*der(x,p) - x;
 *
 * and so are start values, initial equations and the bindings of parameters that follow from p. The
 * passes behind treat them as they treat the model: order, index, states, blocks, initial system;
 * and common subexpressions of the equations of x and der(x,p), as the coefficients of a loop, are
 * shared.
 *
 * At an event der(x,p) jumps, because the time of the event depends on p (saltation: Hiskens and
 * Pai 2000, IEEE Transactions on Circuits and Systems I, 47(2)). For that there is, as far as the
 * model has relations, one more direction, along time, whose states the runtime sets to the
 * derivatives of the model's; and relations and values of reinit are differentiated along each.
 */
#ifndef RUNG_ELIMINATE_PREPARE_SENSITIVITY_H
#define RUNG_ELIMINATE_PREPARE_SENSITIVITY_H

#include "eliminate/dae.h"

typedef struct Sensitivities {
    uint32_t n;              /* parameters                                             */
    uint32_t n_directions;   /* n, and one more along time if there are relations      */
    const char *const *name; /* n: p, or x.start                                       */
    const VarId *parameter;  /* n: p, or VAR_NONE                                      */
    uint32_t n_vars;         /* of the System before                                   */
    uint32_t n_vars_with;    /* and behind                                             */
    const ExprId *const *of; /* per direction, per variable before: its derivative, EXPR_NONE: 0 */
    uint32_t n_relations, n_actions;
    bool has_kinks;        /* in variables, where no event is made                   */
    const VarId *relation; /* per relation, per direction                             */
    const VarId *action;   /* per action, per direction; VAR_NONE: of no reinit        */
    const VarId *shift;    /* n: the memory of the time of an event by p; VAR_NONE: no discrete
                              variable depends on p */
} Sensitivities;

typedef struct SensitivityChoice {
    uint32_t n;
    const char *const *by; /* n patterns of names of parameters; x.start: the start value of x */
    const char *of;        /* variables whose derivatives are in results; NULL: all            */
    bool has_outputs;      /* those of outputs are outputs */
    bool (*means)(const char *patterns, const char *name);
} SensitivityChoice;

/* After events have become memory. Jumps and kinks (nonsmooth.h) become events, too. False after an
 * error: no such parameter, or the model contains an expression without a derivative. */
bool sensitivities_add(Dae *d, const SensitivityChoice *choice, Arena *scratch);

/* After events have become memory: the parameters of the choice, for the adjoint. The System
 * changes only by events at jumps and kinks (nonsmooth.h). False after an error. */
bool sensitivities_choose(Dae *d, const SensitivityChoice *choice, AdjointChoice *out,
                          Arena *scratch);

/* After index reduction, which has added the equations from n_before on, derivatives by time. False
 * after an error: one may jump without an event, at a time that depends on the parameters. */
bool sensitivities_stay_smooth(Dae *d, uint32_t n_before, Arena *scratch);

/* Before them: adds the variable that is differentiated for this objective, if it is not y itself:
 * integral(y), a state, or value(y), equal to y, for the value of a discrete y. False after an
 * error: y is no Real that changes along the run. */
bool sensitivities_objective(System *s, const char *text);

/* Per variable, of n: the derivative of parameters and memory, which only events change, along
 * parameter j; EXPR_NONE: 0, or another kind of variable. */
ExprId *sensitivities_held(const Dae *d, uint32_t j, uint32_t n, Arena *mem);

/* The derivative of v along direction j, as it is named after aliases are removed; VAR_NONE: v has
 * none, or is one. */
VarId sensitivities_of(Dae *d, uint32_t j, VarId v);
/* Whether v is such a derivative, or one of such by time. */
bool sensitivities_have(const Dae *d, VarId v);

/* taken: which start values the initial conditions leave to hold (forms/initial_system.h). False
 * after an error: a variable starts from its start value and its derivative does not, or the other
 * way round. */
bool sensitivities_start_alike(Dae *d, uint32_t n, const VarId *candidate, const bool *taken);

/* The states of g in the order: the model's, then, direction after direction, their derivatives. */
void sensitivities_order(Dae *d, Program *g);
/* How many of them are the model's. */
uint32_t sensitivities_states(const Dae *d);

/* Adds the data of events for the runtime to d->solution.program. False after an error. */
bool sensitivities_keep(Dae *d);
/* Likewise to g, a program of the same states in the same order. */
void sensitivities_keep_again(const Dae *d, Program *g);

#endif
