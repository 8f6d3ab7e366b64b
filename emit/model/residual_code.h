/* residual_code.h -- the residual form (eliminate/forms/residual_form.h) as functions and tables of
 * the model (RungResidual).
 */
#ifndef RUNG_EMIT_MODEL_RESIDUAL_CODE_H
#define RUNG_EMIT_MODEL_RESIDUAL_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

void residual_sections(const Program *g, Coder *c);
/* The struct `residual_form`; row_of: per variable, its row. */
void residual_tables(const Program *g, Tables *tables, const char *id, const uint32_t *row_of);

#endif
