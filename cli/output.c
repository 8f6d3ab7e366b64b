#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool output_open(Output *out, const char *path, Arena *mem)
{
    *out = (Output){.file = stdout};
    if (!path || strcmp(path, "-") == 0)
        return true;
    out->path = path;
    out->temporary = arena_printf(mem, "%s.%ld.tmp", path, (long)getpid());
    out->file = fopen(out->temporary, "w");
    if (!out->file)
        fprintf(stderr, "rung: cannot write '%s': %s\n", path, strerror(errno));
    return out->file != NULL;
}

bool output_close(Output *out)
{
    if (!out->path)
        return fflush(stdout) == 0;
    bool ok = ferror(out->file) == 0;
    ok = fclose(out->file) == 0 && ok;
    ok = ok && rename(out->temporary, out->path) == 0;
    if (!ok) {
        fprintf(stderr, "rung: cannot write '%s': %s\n", out->path, strerror(errno));
        remove(out->temporary);
    }
    return ok;
}
