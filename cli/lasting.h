/* lasting.h -- a model translated for what cannot take other states while it runs: an FMU, a
 * program, a library. `rung simulate` starts once more where the states that were chosen become
 * dependent (the height of a pendulum, where it hangs); these have to be right before. */
#ifndef RUNG_CLI_LASTING_H
#define RUNG_CLI_LASTING_H

#include "cli/options.h"
#include "translate/compilation.h"

/* The model, translated; *ok as driver_run has it. Where there is another choice of states, and the
 * options make none, the model's experiment is run, for so many steps at most: if the states fail,
 * the constraints that are written are closed by multipliers (--loops ali3p, where `may_cut`), or
 * states become redundant (--states). *o is changed to say so and has to stay where it is; stderr
 * tells. NULL: the options name no model. */
Compilation *lasting_translate(Options *o, bool may_cut, Arena *mem, bool *ok);

#endif
