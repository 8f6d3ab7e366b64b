/* adjoint_code.h -- the transposed derivatives times a vector (RungAdjoint), as C. */
#ifndef RUNG_EMIT_ADJOINT_CODE_H
#define RUNG_EMIT_ADJOINT_CODE_H

#include "emit/code/coder.h"
#include "emit/model/table.h"

/* Behind `first`, the call that solves the blocks of the model; NULL where it has none. */
void adjoint_section(const Program *g, Coder *c, Arena *mem, const char *first);
/* Whether that is to be the call of the outputs: the derivatives do not solve all that it needs. */
bool adjoint_waits(const Program *g, const Coder *c, Arena *mem);
void adjoint_table(const Program *g, Tables *t, const char *id, const uint32_t *leaf_index,
                   uint32_t n_inputs);
/* The place of its inputs in u, of a model with so many of its own. */
uint32_t adjoint_first(const Program *g, uint32_t n_inputs);

#endif
