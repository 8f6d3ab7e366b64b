/* fmu_archive.h -- a ZIP file in memory, as FMI requires it (FMI 3.0, 2.5): stored or deflated,
 * sorted, with fixed times, so that the same files give the same bytes. */
#ifndef RUNG_EMIT_FMU_FMU_ARCHIVE_H
#define RUNG_EMIT_FMU_FMU_ARCHIVE_H

#include "base/vec.h"

#include <stdbool.h>

typedef struct FmuEntry {
    const char *path; /* with /, from the root of the archive */
    const char *bytes;
    size_t size;
} FmuEntry;

typedef struct FmuArchive {
    VEC(FmuEntry) entry;
} FmuArchive;

/* Sorts the entries. False with *error. */
bool fmu_archive_pack(FmuArchive *a, Arena *mem, const char **bytes, size_t *size,
                      const char **error);

#endif
