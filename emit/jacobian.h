/* jacobian.h -- d xdot / d x as a function of the model, with pattern and colours (RungJacobian).
 */
#ifndef RUNG_EMIT_JACOBIAN_H
#define RUNG_EMIT_JACOBIAN_H

#include "emit/code.h"

void jacobian_section(const Program *g, Coder *c, Arena *mem);
void jacobian_table(const Program *g, Text *tables, const char *id);

#endif
