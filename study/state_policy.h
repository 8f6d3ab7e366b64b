/* state_policy.h -- a model translated for what cannot take other states while it runs: an FMU, a
 * program, a library. `rung simulate` starts once more where the states that were chosen become
 * dependent (the height of a pendulum, where it hangs); these have to be right before. */
#ifndef RUNG_STUDY_STATE_POLICY_H
#define RUNG_STUDY_STATE_POLICY_H

#include "study/run_request.h"
#include "translate/compilation.h"

/* The model, translated; *ok as driver_run has it. Where there is another choice of states, and the
 * request makes none, the model's experiment is run, for so many steps at most: if the states fail,
 * the constraints that are written are closed by multipliers (LOOPS_ALI3P, where `may_cut`), or
 * states become redundant. *r is changed to say so and has to stay where it is; stderr
 * tells. NULL: the request names no model. */
Compilation *state_policy_translate(RunRequest *r, bool may_cut, Arena *mem, bool *ok);

#endif
