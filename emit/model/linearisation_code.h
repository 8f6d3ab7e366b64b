/* linearisation_code.h -- d (xdot, outputs) / d (states, inputs, parameters) as a function of the
 * model, with its pattern (RungLinearisation).
 */
#ifndef RUNG_EMIT_MODEL_LINEARISATION_CODE_H
#define RUNG_EMIT_MODEL_LINEARISATION_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

/* `first` as in coder_section. */
void linearisation_section(const Program *g, Coder *c, Arena *mem, const char *first);
/* row_of, leaf_index: per variable, its row and its place in u or p. */
void linearisation_table(const Program *g, Tables *t, const char *id, const uint32_t *row_of,
                         const uint32_t *leaf_index);

#endif
