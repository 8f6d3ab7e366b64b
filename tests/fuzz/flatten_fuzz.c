/* Any text as a model: it flattens to a System that passes its check, or an error says why not. */
#include "frontend/front.h"

#include "base/bug.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* No connection is broken and the first node of all is every root: enough to go on. */
static const char *one_root(const VirtualGraph *g, Arena *mem, uint32_t *at)
{
    (void)mem;
    (void)at;
    for (uint32_t k = 0; k < g->n_connects; k++)
        g->broken[k] = k % 2 == 1;
    for (uint32_t k = 0; k < g->n_nodes; k++)
        g->root_of[k] = 0;
    for (uint32_t k = 0; k < g->n_branches; k++)
        g->rooted[k] = k % 2 == 0;
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *mem = arena_new();
    Names *names = names_new(mem);
    Diags *d = diags_new(mem);
    System *s = system_new(mem, names, d, true);
    Library *l = library_new(mem, names, d);
    Front *f = front_new(s, l);
    f->spanning = one_root;
    bool good = library_add_text(l, "fuzz.mo", arena_copy(mem, (const char *)data, size));
    const SynFile *file = library_n_files(l) ? library_file(l, library_n_files(l) - 1) : NULL;
    if (good && file && file->n_classes) {
        if (flatten(f, file->class_[file->n_classes - 1]->name.s))
            system_check(s);
        else if (diags_errors(d) == 0)
            bug("flattening failed without a word");
    }
    front_free(f);
    system_free(s);
    arena_free(mem);
    return 0;
}
