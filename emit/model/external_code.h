/* external_code.h -- the ingredients of a build with external functions: directories, sources,
 * libraries.
 *
 * A library named by the annotation (MLS 12.9.4) is linked from the library directory or its
 * platform's part. Where it is not there it is built from its sources in the include directory:
 * NAME.c, or all of a directory NAME, or the files that mention the function; else the linker has
 * to find it.
 */
#ifndef RUNG_EMIT_MODEL_EXTERNAL_CODE_H
#define RUNG_EMIT_MODEL_EXTERNAL_CODE_H

#include "base/dependency.h"
#include "emit/emit.h"

typedef struct ExternalBuild {
    VEC(const char *) include; /* directories                 */
    VEC(const char *) source;  /* C files                     */
    VEC(const char *) link;    /* arguments of the linker     */
} ExternalBuild;

ExternalBuild external_build(const EmitFiles *f, Arena *mem);
/* Adds all files that such a build may read: those of the directories. */
void external_depends(const EmitFiles *f, Dependencies *d);

#endif
