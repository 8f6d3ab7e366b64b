/* jacobian_code.h -- d xdot / d x as a function of the model, with pattern and colours
 * (RungJacobian).
 */
#ifndef RUNG_EMIT_MODEL_JACOBIAN_CODE_H
#define RUNG_EMIT_MODEL_JACOBIAN_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

void jacobian_section(const Program *g, Coder *c);
/* Tables NAME_column, NAME_row. */
void jacobian_column_tables(Tables *t, const char *name, const ExprColumns *p);
/* These, NAME_colour, and the RungPattern that is made of them. */
void jacobian_pattern_tables(const SparseJacobian *j, Tables *t, const char *name);
void jacobian_pattern(const SparseJacobian *j, Text *t, const char *name);

void jacobian_table(const Program *g, Tables *t, const char *id);

#endif
