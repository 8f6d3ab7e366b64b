/* rung doc: an HTML reference of classes. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "doc_pages/site.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/source.h"
#include "translate/compilation.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The subjects: files, folders, and names of classes in libraries. */
typedef struct Subjects {
    Texts files, names;
    Texts around; /* folders around libraries, which may hold others that these use */
} Subjects;

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void add_subject(Subjects *s, const char *word, Diags *d, Arena *mem)
{
    size_t n = strlen(word);
    bool is_path = access(word, F_OK) == 0 || strchr(word, '/') || text_ends_with(word, ".mo");
    while (n > 1 && word[n - 1] == '/')
        n--;
    const char *path = arena_copy(mem, word, n);
    if (!is_path)
        vec_push(mem, s->names, word);
    else if (is_folder(path) && access(arena_printf(mem, "%s/package.mo", path), F_OK) != 0)
        source_find(mem, d, path, &s->files);
    else
        vec_push(mem, s->files, path);
    if (is_path && is_folder(path))
        vec_push(mem, s->around, arena_printf(mem, "%s/..", path));
}

static SynClass *class_named(Compilation *c, const char *name)
{
    SynInstance x;
    if (!parse_instance(c->mem, c->names, c->diags, name, &x))
        return NULL;
    SynClass *found = library_find_path(c->library, &x.path);
    if (!found)
        diag_error(c->diags, SPAN_NONE, "N01", "there is no file, folder or class '%s'%s", name,
                   library_missing(x.path.name[0], c->mem));
    return found;
}

static void add_classes(Compilation *c, const Subjects *s, Catalogue *catalogue)
{
    for (uint32_t k = 0; k < library_n_files(c->library); k++) {
        const SynFile *f = library_file(c->library, k);
        for (uint32_t i = 0; i < f->n_classes; i++)
            catalogue_add(catalogue, f->class_[i]);
    }
    for (uint32_t k = 0; k < s->names.n; k++) {
        SynClass *x = class_named(c, s->names.at[k]);
        if (x)
            catalogue_add(catalogue, x);
    }
}

static void print_report(const SiteReport *r, const char *path)
{
    enum { NAMED = 5 };
    printf("%u class%s, %u icon%s, %u diagram%s in %s/index.html\n", r->n_classes,
           r->n_classes == 1 ? "" : "es", r->n_icons, r->n_icons == 1 ? "" : "s", r->n_diagrams,
           r->n_diagrams == 1 ? "" : "s", path);
    if (r->unresolved.n == 0)
        return;
    fprintf(stderr, "rung: %u class%s not resolved completely, as %s page%s:", r->unresolved.n,
            r->unresolved.n == 1 ? " is" : "es are", r->unresolved.n == 1 ? "its" : "their",
            r->unresolved.n == 1 ? " says" : "s say");
    for (uint32_t k = 0; k < r->unresolved.n && k < NAMED; k++)
        fprintf(stderr, "%s %s", k ? "," : "", r->unresolved.at[k]->name);
    fputs(r->unresolved.n > NAMED ? ", ...\n" : "\n", stderr);
}

Exit command_doc(const Options *o)
{
    if (o->files.n == 0 || !o->output) {
        fputs("rung: doc needs files, folders or names of libraries, and -o DIR\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    Diags *found = diags_new(mem);
    Subjects s = {0};
    for (uint32_t k = 0; k < o->files.n; k++)
        add_subject(&s, o->files.at[k], found, mem);
    Request r = request_of(o);
    r.files = s.files;
    Compilation *c = compilation_new(&r, mem);
    for (uint32_t k = 0; k < s.around.n; k++)
        library_add_root(c->library, s.around.at[k]);
    Catalogue *catalogue = catalogue_new(c->front, mem);
    add_classes(c, &s, catalogue);
    if (diags_errors(c->diags) == 0 && catalogue->all.n == 0)
        diag_error(c->diags, SPAN_NONE, "P10", "there are no classes");
    Exit status = EXIT_MODEL;
    SiteReport report;
    if (diags_errors(c->diags) > 0) {
        compilation_report(c, stderr);
    } else {
        catalogue_resolve(catalogue);
        status = site_write(catalogue, o->title, o->output, &report) ? EXIT_GOOD : EXIT_FILE;
        if (status == EXIT_GOOD)
            print_report(&report, o->output);
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
