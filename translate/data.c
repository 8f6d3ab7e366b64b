#include "translate/data.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *if_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? path : NULL;
}

/* The directory of the program's file; NULL if that is not known. */
static const char *program_directory(Arena *mem)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = 0;
    char *slash = strrchr(self, '/');
    return slash ? arena_copy(mem, self, (size_t)(slash - self)) : NULL;
}

const char *data_directory(Arena *mem, const char *name)
{
    const char *home = getenv("RUNG_HOME");
    if (home && *home)
        return if_directory(arena_printf(mem, "%s/%s", home, name));
    const char *self = program_directory(mem);
    const char *near[] = {"../share/rung", "..", "../..", ".", NULL};
    for (int k = 0; self && near[k]; k++) {
        const char *d = if_directory(arena_printf(mem, "%s/%s/%s", self, near[k], name));
        if (d)
            return d;
    }
    return if_directory(arena_printf(mem, "%s/%s", RUNG_DATA_DIR, name));
}

const char *data_module(Arena *mem, const char *name)
{
    const char *self = program_directory(mem);
    const char *near[] = {".", "../lib/rung", NULL};
    for (int k = 0; self && near[k]; k++) {
        const char *path = arena_printf(mem, "%s/%s/%s", self, near[k], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}
