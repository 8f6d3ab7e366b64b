/* structural_set.h -- `rung simulate --set n=8` of a parameter that is evaluated when the model is
 * compiled: a modifier of the model instead, with which it is translated again.
 */
#ifndef RUNG_CLI_STRUCTURAL_SET_H
#define RUNG_CLI_STRUCTURAL_SET_H

#include "cli/options.h"
#include "runtime/kernel/rung_model.h"

/* NULL if the run can set all of them. Else the options with such parameters in the model's
 * modifiers, said on stderr; a name that no modifier can have stays for the run to refuse. */
const Options *structural_set(const Options *o, const RungModel *m, Arena *mem);

#endif
