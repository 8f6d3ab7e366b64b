/* sensitivity_code.h -- data for derivatives by parameters at events: which states these are, and
 * the function for the derivatives of relations and of reinit values by parameters and time
 * (RungSensitivity); those of the rates by several parameters at once (RungRatesAlong).
 */
#ifndef RUNG_EMIT_MODEL_SENSITIVITY_CODE_H
#define RUNG_EMIT_MODEL_SENSITIVITY_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

/* `first` as in coder_section. */
void sensitivity_section(const Program *g, Coder *c, Arena *mem, const char *first);
/* The place in u of the numbers of RungRatesAlong, of a model with so many inputs of its own. */
uint32_t rates_along_first(const Program *g, uint32_t n_inputs);
void rates_along_section(const Program *g, Coder *c, Arena *mem);
void sensitivity_table(const Program *g, Tables *t, const char *id, uint32_t n_inputs);

#endif
