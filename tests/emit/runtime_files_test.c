#include "emit/model/runtime_files.h"

#include <criterion/criterion.h>
#include <string.h>

static const EmitFile *find(const EmitFiles *f, const char *name, size_t n)
{
    for (uint32_t k = 0; k < f->file.n; k++)
        if (strlen(f->file.at[k].name) == n && !strncmp(f->file.at[k].name, name, n))
            return &f->file.at[k];
    return NULL;
}

/* With a file come the headers that it includes, and the sources of these. rung_*.h are a model's.
 */
Test(runtime_files, are_complete)
{
    static const char include[] = "\n#include \"";
    Arena *mem = arena_new();
    EmitFiles model = {.mem = mem};
    const char *const root[] = {"fmi2.c"};
    EmitFiles f = runtime_files(&model, root, 1, "fmi", mem);
    cr_assert(find(&f, "fmi2.c", 6));
    cr_assert(!find(&f, "fmi3.c", 6));
    for (uint32_t k = 0; k < f.file.n; k++) {
        cr_assert(runtime_has(&f.file.at[k]));
        for (const char *at = f.file.at[k].text; (at = strstr(at, include)); at++) {
            const char *name = at + sizeof include - 1;
            size_t n = strcspn(name, "\"\n");
            cr_assert(!strncmp(name, "rung_", 5) || find(&f, name, n), "%.*s", (int)n, name);
        }
    }
    arena_free(mem);
}

/* A file of a model may have the name of one of the runtime. */
Test(runtime_files, are_known_by_their_text)
{
    Arena *mem = arena_new();
    EmitFiles model = {.mem = mem};
    const char *const root[] = {"csv.c"};
    EmitFiles f = runtime_files(&model, root, 1, "csv", mem);
    cr_assert(f.file.n);
    EmitFile other = f.file.at[0];
    other.text = "";
    cr_assert(!runtime_has(&other));
    other = f.file.at[0];
    other.name = "not_there.c";
    cr_assert(!runtime_has(&other));
    Digest a = runtime_digest(), b = runtime_digest(), none = {0};
    cr_assert(digest_same(a, b));
    cr_assert(!digest_same(a, none));
    arena_free(mem);
}
