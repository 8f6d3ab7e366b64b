/* runtime_files.h -- the sources of the runtime that a program of our own needs beside a model's.
 */
#ifndef RUNG_EMIT_MODEL_RUNTIME_FILES_H
#define RUNG_EMIT_MODEL_RUNTIME_FILES_H

#include "emit/emit.h"

/* The files `root`, n of them, all that they include, and the sources of these headers, without
 * those that `model` has. */
EmitFiles runtime_files(const EmitFiles *model, const char *const root[], size_t n, const char *id,
                        Arena *mem);

#endif
