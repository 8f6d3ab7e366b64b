/* emission.h -- a compiled model as C files, with its fallback.
 *
 * The model and its fallback, in which linear equations are left to the runtime, know nothing of
 * each other: each is made in a copy of the process (branch.h). Only where functions are called
 * they share these, and are made one after the other.
 */
#ifndef RUNG_TRANSLATE_EMISSION_H
#define RUNG_TRANSLATE_EMISSION_H

#include "emit/emit.h"
#include "translate/driver.h"

/* After all passes. False after an error. */
bool emission_with_fallback(Compilation *c, Arena *mem, EmitFiles *out);
/* Likewise: a program that stands alone, with a Makefile and the runtime, to build without rung.
 * By default it takes the method of the request. */
bool emission_standalone(Compilation *c, bool has_no_fallback, Arena *mem, EmitFiles *files);

#endif
