/* state_machine.h -- state machines (MLS 3.6 ch. 17) as clocked equations.
 *
 * Blocks that transition(...) or initialState(...) name are states; those that transitions couple
 * are a machine. A machine may be inside a state of another machine. A state has two Booleans:
 *
 *     active   it is the active state of its machine, and so are all states around it
 *     reset    it is active and restarts, by a transition or with the state around it
 *
 * Equations inside a state get its number (Eq.state): they hold while it is active, otherwise its
 * variables stay (eliminate/prepare/clocks.h). previous(x) of a variable of a state becomes
 *
 *     if reset then start else previous(x)
 *
 * Assignments of states to an outer output v, each to a variable of its own, are merged (17.3.5):
 *
 *     v = if active(a) then v of a elseif active(b) then v of b else previous(v)
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_STATE_MACHINE_H
#define RUNG_FRONTEND_INSTANTIATE_STATE_MACHINE_H

#include "frontend/instantiate/instance.h"

/* Finds the states, after connections and before equations. */
void state_machines_collect(Front *f, Instance *root);
/* A call of transition or initialState as an equation: true, and it has been dealt with. */
bool state_machine_equation(Front *f, Scope *s, const SynExpr *call);
/* Assertions and actions from these on stand in instance i. */
void state_machine_guard(Front *f, const Instance *i, uint32_t assertion, uint32_t action);
/* Whether the equations of i can be balanced only together with those of the machine. */
bool state_machine_concerns(const Front *f, const Instance *i);
/* MLS 17.3.6: merges those of the connected causal variables that are outputs of states of one
 * machine: true, and *out is the merged variable; false if fewer than two are. */
bool state_machine_merge(Front *f, const VarId *giver, uint32_t n, Span span, VarId *out);
/* Writes the equations of all machines, after all others. */
void state_machines_equations(Front *f, Instance *root);

#endif
