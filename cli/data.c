#include "cli/data.h"

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

const char *data_directory(Arena *mem, const char *name)
{
    const char *home = getenv("RUNG_HOME");
    if (home && *home)
        return if_directory(arena_printf(mem, "%s/%s", home, name));
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = 0;
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = 0;
        const char *near[] = {"../share/rung", "..", "../..", NULL};
        for (int k = 0; near[k]; k++) {
            const char *d = if_directory(arena_printf(mem, "%s/%s/%s", self, near[k], name));
            if (d)
                return d;
        }
    }
    return if_directory(arena_printf(mem, "%s/%s", RUNG_DATA_DIR, name));
}
