/* runtime_files.h -- the sources of the runtime that a program of our own needs beside a model's.
 */
#ifndef RUNG_EMIT_MODEL_RUNTIME_FILES_H
#define RUNG_EMIT_MODEL_RUNTIME_FILES_H

#include "base/digest.h"
#include "emit/emit.h"

/* The files `root`, n of them, all that they include, and the sources of these headers, without
 * those that `model` has. */
EmitFiles runtime_files(const EmitFiles *model, const char *const root[], size_t n, const char *id,
                        Arena *mem);
/* Whether it is a source of the runtime, the same beside every model. */
bool runtime_has(const EmitFile *file);
/* Of all sources of the runtime, with their headers. */
Digest runtime_digest(void);

#endif
