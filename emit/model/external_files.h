/* external_files.h -- what external functions are built from, as files that go along with the C of
 * a model, so that it builds where their library is not: sources, the headers that these and the
 * model include, or static libraries where there are no sources. All lie side by side, with
 * includes changed to that. Headers of the system stay where they are.
 */
#ifndef RUNG_EMIT_MODEL_EXTERNAL_FILES_H
#define RUNG_EMIT_MODEL_EXTERNAL_FILES_H

#include "emit/emit.h"

typedef VEC(const char *) ExternalNames;

typedef struct ExternalFiles {
    VEC(EmitFile) file;
    ExternalNames source;          /* names among the files: to compile        */
    ExternalNames archive;         /* names among the files: to link           */
    ExternalNames link;            /* arguments: what the linker has to find   */
    ExternalNames written, header; /* what the model includes, and the file that this is */
    /* NULL, or a clause: why they cannot go along. Then there are no files, and sources and what is
     * linked are where they were found, */
    const char *error;
    ExternalNames include; /* their headers in these directories */
} ExternalFiles;

/* Beside the files f, and those of the runtime: a source that is called like one of them gets
 * another name, a header that is called so is an error. */
ExternalFiles external_files(const EmitFiles *f, Arena *mem);
/* The files behind those of f, and what f includes changed to where it now is. */
void external_files_add(const ExternalFiles *e, EmitFiles *f);
void external_files_rename(const ExternalFiles *e, EmitFiles *f);

#endif
