/* structural_set.h -- `rung simulate --set n=8` of a parameter that is evaluated when the model is
 * compiled: a modifier of the model instead, with which it is translated again. So is C=0 of a
 * factor of derivatives (eliminate/prepare/zero_factors.h).
 */
#ifndef RUNG_TRANSLATE_STRUCTURAL_SET_H
#define RUNG_TRANSLATE_STRUCTURAL_SET_H

#include "base/vec.h"
#include "ir/system.h"
#include "runtime/kernel/rung_model.h"

#include <stdbool.h>

/* Texts "name=value" for parameters that a run of m cannot set become modifiers:
 *
 *     model Chain(k=2), set n=8, m=3    Chain(k=2, n=8), left m=3
 *
 * NULL if the run can set all of them. A name that no modifier can have is left for the run to
 * refuse. The values are those of setting_values.h. */
const char *structural_model(const RungModel *m, const char *model, const Texts *set, Texts *left,
                             Arena *mem);
/* Whether a run of m cannot set the parameter to this value, so that it is such a modifier. */
bool structural_is_modifier(const RungModel *m, const char *name, const char *value);
/* The same as structural_model by the flat model, of one that may have no run. */
const char *structural_model_flat(const System *s, const char *model, const Texts *set, Texts *left,
                                  Arena *mem);

/* The model with all of them as modifiers; NULL, with *wrong a message, where one can be none. */
const char *structural_model_set(const char *model, const Texts *set, const char **wrong,
                                 Arena *mem);

#endif
