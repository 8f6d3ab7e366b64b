/* data.h -- where rung's own files are: its Modelica library, the runtime's sources. */
#ifndef RUNG_TRANSLATE_DATA_H
#define RUNG_TRANSLATE_DATA_H

#include "base/arena.h"

/* The directory of that name beside the source tree's build folder, or in share/rung of the
 * installation, next to the program first; $RUNG_HOME overrides. NULL if there is none. */
const char *data_directory(Arena *mem, const char *name);

/* A module of the program, beside it in the build folder, or in lib/rung of the installation. NULL
 * if it was not built. */
const char *data_module(Arena *mem, const char *name);

#endif
