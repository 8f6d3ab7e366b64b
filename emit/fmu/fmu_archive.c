#include "emit/fmu/fmu_archive.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

static int by_path(const void *a, const void *b)
{
    return strcmp(((const FmuEntry *)a)->path, ((const FmuEntry *)b)->path);
}

static bool add(zip_t *z, const FmuEntry *e)
{
    enum { FIRST_OF_1980 = 1 << 5 | 1, PLAIN_FILE = 0100644 };
    zip_source_t *s = zip_source_buffer(z, e->bytes, e->size, 0);
    zip_int64_t place = s ? zip_file_add(z, e->path, s, ZIP_FL_ENC_GUESS) : -1;
    if (place < 0) {
        zip_source_free(s);
        return false;
    }
    zip_uint64_t at = (zip_uint64_t)place;
    return !zip_set_file_compression(z, at, ZIP_CM_DEFLATE, 9) &&
           !zip_file_set_dostime(z, at, 0, FIRST_OF_1980, 0) &&
           !zip_file_set_external_attributes(z, at, 0, ZIP_OPSYS_UNIX,
                                             (zip_uint32_t)PLAIN_FILE << 16);
}

bool fmu_archive_pack(FmuArchive *a, Arena *mem, const char **bytes, size_t *size,
                      const char **error)
{
    zip_error_t why;
    zip_error_init(&why);
    zip_source_t *whole = zip_source_buffer_create(NULL, 0, 0, &why);
    zip_t *z = whole ? zip_open_from_source(whole, ZIP_TRUNCATE, &why) : NULL;
    bool ok = z;
    qsort(a->entry.at, a->entry.n, sizeof *a->entry.at, by_path);
    for (uint32_t k = 0; ok && k < a->entry.n; k++)
        ok = add(z, &a->entry.at[k]);
    // the bytes are needed after the archive is closed
    if (ok)
        zip_source_keep(whole);
    if (ok && zip_close(z))
        ok = false;
    else if (ok)
        z = NULL;
    zip_stat_t found;
    zip_stat_init(&found);
    char *text = NULL;
    if (!z && ok) {
        ok = !zip_source_stat(whole, &found) && !zip_source_open(whole);
        text = ok ? arena_alloc(mem, found.size + 1) : NULL;
        ok = ok && zip_source_read(whole, text, found.size) == (zip_int64_t)found.size;
        zip_source_close(whole);
        zip_source_free(whole);
    }
    if (!ok)
        *error = arena_printf(mem, "the archive cannot be made: %s",
                              z ? zip_strerror(z) : zip_error_strerror(&why));
    if (!ok && z)
        zip_discard(z);
    zip_error_fini(&why);
    *bytes = text;
    *size = ok ? found.size : 0;
    return ok;
}
