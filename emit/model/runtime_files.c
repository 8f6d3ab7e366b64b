#include "emit/model/runtime_files.h"

#include "emit/model/bundle.h"

#include <stdio.h>
#include <string.h>

static const BundleFile *find_file(const char *name, size_t n)
{
    for (const BundleFile *b = bundle; b->name; b++)
        if (strlen(b->name) == n && !strncmp(b->name, name, n))
            return b;
    return NULL;
}

/* Marks a file of the runtime and its includes; with X.h also X.c, which defines its functions. */
static void take(bool *taken, const BundleFile *f)
{
    static const char include[] = "\n#include \"";
    if (!f || taken[f - bundle])
        return;
    taken[f - bundle] = true;
    for (const char *at = f->text; (at = strstr(at, include)); at++) {
        const char *name = at + sizeof include - 1;
        size_t n = strcspn(name, "\"\n");
        take(taken, find_file(name, n));
        char source[80];
        snprintf(source, sizeof source, "%.*sc", (int)(n ? n - 1 : 0), name);
        take(taken, find_file(source, strlen(source)));
    }
}

bool runtime_has(const EmitFile *file)
{
    const BundleFile *b = find_file(file->name, strlen(file->name));
    return b && b->text == file->text;
}

Digest runtime_digest(void)
{
    Digester *to = digester_new();
    for (const BundleFile *b = bundle; b->name; b++) {
        digester_text(to, b->name);
        digester_add(to, b->text, b->size);
    }
    return digester_end(to);
}

EmitFiles runtime_files(const EmitFiles *model, const char *const root[], size_t n, const char *id,
                        Arena *mem)
{
    enum { LOOPS = 100 }; // code with loops is worth optimising
    EmitFiles out = {.mem = mem, .id = id};
    uint32_t n_files = 0;
    while (bundle[n_files].name)
        n_files++;
    bool *taken = arena_array(mem, bool, n_files + 1);
    for (size_t k = 0; k < n; k++)
        take(taken, find_file(root[k], strlen(root[k])));
    for (uint32_t k = 0; k < n_files; k++) {
        const BundleFile *b = &bundle[k];
        bool is_there = !strncmp(b->name, "rung_", 5) ||
                        (model->n_externals && !strncmp(b->name, "external.", 9));
        if (taken[k] && !is_there)
            vec_push(
                mem, out.file,
                ((EmitFile){.name = b->name, .text = b->text, .size = b->size, .repeats = LOOPS}));
    }
    return out;
}
