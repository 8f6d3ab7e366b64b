/* A compilation's life: libraries found, files read, what was said printed. */
#include "cli/data.h"
#include "cli/driver.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Compilation *compilation_new(const Options *o, Arena *mem)
{
    Compilation *c = arena_make(mem, Compilation);
    c->options = o;
    c->mem = mem;
    c->scratch = arena_new();
    c->names = names_new(mem);
    c->diags = diags_new(mem);
    c->sys = system_new(mem, c->names, c->diags, !o->plain_consing);
    c->sys->model = o->model;
    c->order = o->order && strcmp(o->order, "all") != 0 ? o->order : NULL;
    c->library = library_new(mem, c->names, c->diags);
    for (uint32_t k = 0; k < o->libraries.n; k++)
        library_add_root(c->library, o->libraries.at[k]);
    /* what a library leaves to each tool comes before the library's own default for it */
    const char *services = data_directory(mem, "library/tool");
    if (services)
        library_add_root(c->library, services);
    const char *path = getenv("MODELICAPATH");
    if (path && *path)
        library_add_root(c->library, arena_copy(mem, path, strlen(path)));
    const char *own = data_directory(mem, "library");
    if (own)
        library_add_root(c->library, own);
    for (uint32_t k = 0; k < o->files.n; k++)
        library_add_file(c->library, o->files.at[k]);
    c->front = front_new(c->sys, c->library);
    pipeline_lend(c);
    return c;
}

/* Without --model the last class of the last file is meant, as in most tools. */
static const char *default_model(Compilation *c)
{
    uint32_t n = library_n_files(c->library);
    if (n == 0)
        return NULL;
    const SynFile *f = library_file(c->library, n - 1);
    return f->n_classes ? f->class_[f->n_classes - 1]->name.s : NULL;
}

Compilation *compilation_open(const Options *o, Arena *mem)
{
    Compilation *c = compilation_new(o, mem);
    if (o->model)
        return c;
    const char *model = default_model(c);
    if (!model) {
        if (diags_errors(c->diags))
            return c; /* a file that cannot be read says more than a missing option */
        fputs("rung: no model: name one with --model\n", stderr);
        compilation_free(c);
        return NULL;
    }
    Options *named = arena_make(mem, Options);
    *named = *o;
    named->model = model;
    c->options = named;
    c->sys->model = model;
    return c;
}

void compilation_free(Compilation *c)
{
    if (!c)
        return;
    system_free(c->sys);
    front_free(c->front);
    arena_free(c->scratch);
}

Exit compilation_report(Compilation *c)
{
    const Options *o = c->options;
    bool colour = strcmp(o->color, "always") == 0;
    if (strcmp(o->color, "auto") == 0)
        colour = isatty(2) && !getenv("NO_COLOR");
    if (strcmp(o->diagnostics, "json") == 0)
        diags_print_json(c->diags, stderr);
    else
        diags_print(c->diags, stderr, colour);
    for (uint32_t k = 0; k < diags_count(c->diags); k++) {
        if (diags_at(c->diags, k)->severity == DIAG_ERROR &&
            strcmp(diags_at(c->diags, k)->code, "P10") == 0)
            return EXIT_FILE;
    }
    return diags_errors(c->diags) ? EXIT_MODEL : EXIT_GOOD;
}
