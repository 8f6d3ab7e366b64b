/* live.h -- a model inside a page (docs/live.md): its C and the runtime behind
 * runtime/fmi/fmi_live.h, compiled to WebAssembly.
 */
#ifndef RUNG_EMIT_PICTURE_LIVE_H
#define RUNG_EMIT_PICTURE_LIVE_H

#include "emit/model/build.h"

typedef struct LiveModule {
    const char *bytes;
    size_t size;
    const char *const *fixed; /* n_fixed: names of parameters that are read at the start alone */
    uint32_t n_fixed;
    const char *error; /* why there is none */
    int status;        /* an exit status    */
} LiveModule;

/* `files` is the C of g. False with error and status. */
bool live_make(const Program *g, const EmitFiles *files, BuildOptions o, Arena *mem,
               LiveModule *out);

#endif
