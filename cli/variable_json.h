/* variable_json.h -- a variable of a model for programs: name, type, kind, attributes. */
#ifndef RUNG_CLI_VARIABLE_JSON_H
#define RUNG_CLI_VARIABLE_JSON_H

#include "base/json.h"
#include "ir/system.h"

/* Adds the members to the open object; those without a value are left out. `value`, `start`, `min`,
 * `max` and `nominal` are numbers, or expressions as text. */
void variable_json(Json *j, const System *s, const Var *v, Arena *mem);

#endif
