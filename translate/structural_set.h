/* structural_set.h -- `rung simulate --set n=8` of a parameter that is evaluated when the model is
 * compiled: a modifier of the model instead, with which it is translated again.
 */
#ifndef RUNG_TRANSLATE_STRUCTURAL_SET_H
#define RUNG_TRANSLATE_STRUCTURAL_SET_H

#include "base/vec.h"
#include "runtime/kernel/rung_model.h"

/* Texts "name=value" for parameters that a run of m cannot set become modifiers:
 *
 *     model Chain(k=2), set n=8, m=3    Chain(k=2, n=8), left m=3
 *
 * NULL if the run can set all of them. A name that no modifier can have is left for the run to
 * refuse. */
const char *structural_model(const RungModel *m, const char *model, const Texts *set, Texts *left,
                             Arena *mem);

#endif
