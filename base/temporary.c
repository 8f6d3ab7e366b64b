#include "base/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *temporary_place(void)
{
    const char *tmp = getenv("TMPDIR");
    return tmp && *tmp ? tmp : "/tmp";
}

const char *temporary_folder(Arena *mem, const char *name, const char **path)
{
    static const char letters[] = "XXXXXX"; /* mkdtemp replaces them */
    char *folder = arena_printf(mem, "%s/%s-%s", temporary_place(), name, letters);
    *path = folder;
    return mkdtemp(folder);
}

void temporary_remove(const char *folder)
{
    DIR *d = folder ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
    if (folder)
        rmdir(folder);
}
