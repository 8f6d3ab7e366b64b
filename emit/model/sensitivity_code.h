/* sensitivity_code.h -- what derivatives by parameters need at events: which states they are, and
 * the function that finds how relations and values of reinit depend on parameters and time
 * (RungSensitivity).
 */
#ifndef RUNG_EMIT_MODEL_SENSITIVITY_CODE_H
#define RUNG_EMIT_MODEL_SENSITIVITY_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

/* `first` as in coder_section. */
void sensitivity_section(const Program *g, Coder *c, Arena *mem, const char *first);
void sensitivity_table(const Program *g, Tables *t, const char *id);

#endif
