/* loop_code.h -- the constraints of cut kinematic loops as functions and tables of the model
 * (RungLoops). */
#ifndef RUNG_EMIT_MODEL_LOOP_CODE_H
#define RUNG_EMIT_MODEL_LOOP_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

/* One section per piece. */
void loops_sections(const Program *g, Coder *c, Arena *mem);
/* The struct `loops`; after the sections' prototypes. input_of: per variable, its place in u. */
void loops_tables(const Program *g, Tables *tables, const char *id, const uint32_t *leaf_index,
                  const uint32_t *row_of);

#endif
