/* invariant_code.h -- the constraints that redundant states keep, as functions of the model
 * (RungInvariants). */
#ifndef RUNG_EMIT_MODEL_INVARIANT_CODE_H
#define RUNG_EMIT_MODEL_INVARIANT_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

void invariants_sections(const Program *g, Coder *c);
/* The struct `invariants`; parameter_of: per variable, its place in p. */
void invariants_table(const Program *g, Tables *t, const char *id, const uint32_t *parameter_of);

#endif
