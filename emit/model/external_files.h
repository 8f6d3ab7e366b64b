/* external_files.h -- copies of the files that external functions are built from, to ship with the
 * C of a model, so that it builds on a machine without their library: sources, the headers that
 * these and the model include, or static libraries where there are no sources. All lie side by
 * side, with includes changed to that. Headers of the system stay where they are.
 */
#ifndef RUNG_EMIT_MODEL_EXTERNAL_FILES_H
#define RUNG_EMIT_MODEL_EXTERNAL_FILES_H

#include "emit/emit.h"

typedef VEC(const char *) ExternalNames;

typedef struct ExternalFiles {
    VEC(EmitFile) file;
    ExternalNames source;          /* names among the files: to compile        */
    ExternalNames archive;         /* names among the files: to link           */
    ExternalNames link;            /* arguments: libraries for the linker to find */
    ExternalNames written, header; /* #include name in the model, and the copied file */
    /* NULL, or a clause: why they cannot be shipped. Then there are no files; sources and libraries
     * are used at their own paths, */
    const char *error;
    ExternalNames include; /* their headers in these directories */
} ExternalFiles;

/* To stand beside the files f and those of the runtime: a source with the name of one of them is
 * renamed, a header with such a name is an error. */
ExternalFiles external_files(const EmitFiles *f, Arena *mem);
/* Appends the files to those of f; changes the #include lines of f to the copies. */
void external_files_add(const ExternalFiles *e, EmitFiles *f);
void external_files_rename(const ExternalFiles *e, EmitFiles *f);

#endif
