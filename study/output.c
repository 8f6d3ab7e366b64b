#include "study/output.h"

#include <errno.h>
#include <string.h>

bool output_open(Output *out, const char *path)
{
    *out = (Output){.file = stdout};
    if (!path || strcmp(path, "-") == 0)
        return true;
    out->path = path;
    bool ok = part_open(&out->part, path);
    out->file = out->part.f;
    if (!ok)
        fprintf(stderr, "rung: cannot write '%s': %s\n", path, strerror(errno));
    return ok;
}

bool output_close(Output *out)
{
    if (!out->path)
        return fflush(stdout) == 0;
    if (part_close(&out->part) == 0)
        return true;
    fprintf(stderr, "rung: cannot write '%s': %s\n", out->path, strerror(errno));
    return false;
}

bool output_write(const char *path, const void *bytes, size_t n)
{
    Output out;
    if (!output_open(&out, path))
        return false;
    fwrite(bytes, 1, n, out.file);
    return output_close(&out);
}
