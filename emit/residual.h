/* residual.h -- the residual form (eliminate/residual.h) as functions and tables of the model
 * (RungResidual).
 */
#ifndef RUNG_EMIT_RESIDUAL_H
#define RUNG_EMIT_RESIDUAL_H

#include "emit/code.h"
#include "emit/table.h"

void residual_sections(const Program *g, Coder *c);
/* The struct `residual_form`; row_of: per variable, its row. */
void residual_tables(const Program *g, Tables *tables, const char *id, const uint32_t *row_of);

#endif
