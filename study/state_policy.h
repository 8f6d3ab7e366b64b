/* state_policy.h -- a model translated for targets that cannot change their states during a run: an
 * FMU, a program, a library. `rung simulate` repeats a run with other states if the chosen ones
 * become dependent (the height of a pendulum that hangs down); these targets need the right states
 * from the beginning, so a test run decides. */
#ifndef RUNG_STUDY_STATE_POLICY_H
#define RUNG_STUDY_STATE_POLICY_H

#include "study/run_request.h"
#include "translate/compilation.h"

/* The model, translated; *ok is the result of driver_run. If there is another choice of states, and
 * the request makes none, it runs the model's experiment, for a limited number of steps: if the
 * states fail, preferred ones give way to those that the equations differentiate, the constraints
 * written as equations are closed by multipliers (LOOPS_ALI3P, if `may_cut`), or states become
 * redundant. Then *r is changed, with a note on stderr; it must not move. NULL: the request names
 * no model. */
Compilation *state_policy_translate(RunRequest *r, bool may_cut, Arena *mem, bool *ok);

#endif
