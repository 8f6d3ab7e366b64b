#include "frontend/evaluate/resource.h"

#include <string.h>

const char *resource_directory(Front *f, const SynClass *c)
{
    while (c->parent)
        c = c->parent;
    if (c->dir)
        return c->dir;
    const Source *source = diags_source(f->diags, c->span.file);
    const char *slash = source ? strrchr(source->path, '/') : NULL;
    return slash ? arena_printf(f->mem, "%.*s", (int)(slash - source->path), source->path) : ".";
}

const char *resource_path(Front *f, const SynClass *c, const char *uri)
{
    static const char modelica[] = "modelica://";
    static const char file[] = "file://";
    if (strncmp(uri, file, strlen(file)) == 0)
        return arena_printf(f->mem, "%s", uri + strlen(file));
    if (strncmp(uri, modelica, strlen(modelica)) != 0)
        return arena_printf(f->mem, "%s/%s", resource_directory(f, c), uri);
    const char *name = uri + strlen(modelica);
    size_t whole = strcspn(name, "/"), n = strcspn(name, "/.");
    const char *top = arena_printf(f->scratch, "%.*s", (int)n, name);
    const SynClass *found = library_find_top(f->library, name_of(f->names, top));
    if (!found)
        return NULL;
    /* modelica://A.B/C is A's directory/B/C, wherever B is stored */
    char *inside = arena_printf(f->mem, "%.*s", (int)(whole - n), name + n);
    for (char *dot = inside; (dot = strchr(dot, '.'));)
        *dot = '/';
    return arena_printf(f->mem, "%s%s%s", resource_directory(f, found), inside, name + whole);
}
