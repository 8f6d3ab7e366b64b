/* references.c -- all names of one declaration: references and rename. */
#include "frontend/syntax/source.h"
#include "language_server/meaning.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files ------------------------------------------------------------------------------- */

typedef struct Target {
    const char *path; /* of the file of its declaration */
    Span name;
    Name word;
    Declaration declaration;
    bool is_iterator;
} Target;

typedef struct Occurrence {
    uint32_t file, token;
} Occurrence;

typedef struct Search {
    const Analysis *a;
    Compilation *c;
    Target target;
    VEC(Cursor) file;
    VEC(Occurrence) found;
} Search;

static bool is_file_in(const Analysis *a, const char *folder, const char *name)
{
    return access(arena_printf(a->mem, "%s/%s", folder, name), F_OK) == 0;
}

static const char *folder_of(const Analysis *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash > path ? arena_copy(a->mem, path, (size_t)(slash - path)) : NULL;
}

/* The files of the package that the folder belongs to; else those in the folder, and the packages
 * there. */
static void add_folder(const Analysis *a, const char *folder, Texts *files)
{
    Diags *unread = diags_new(a->mem);
    if (is_file_in(a, folder, "package.mo")) {
        for (const char *up; (up = folder_of(a, folder)) && is_file_in(a, up, "package.mo");)
            folder = up;
        source_find(a->mem, unread, folder, files);
        return;
    }
    DIR *dir = opendir(folder);
    Texts packages = {0};
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        size_t n = strlen(e->d_name);
        const char *path = arena_printf(a->mem, "%s/%s", folder, e->d_name);
        if (e->d_name[0] == '.')
            continue;
        if (n > 3 && strcmp(e->d_name + n - 3, ".mo") == 0)
            vec_push(a->mem, *files, path);
        else if (is_file_in(a, path, "package.mo"))
            vec_push(a->mem, packages, path);
    }
    if (dir)
        closedir(dir);
    for (uint32_t k = 0; k < packages.n; k++)
        source_find(a->mem, unread, packages.at[k], files);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Files around the open documents, each once, in the order of their names. */
static Texts files_around(const Analysis *a)
{
    Texts all = {0}, once = {0};
    for (const Document *d = a->documents->first; d; d = d->next) {
        const char *folder = d->path[0] == '/' ? folder_of(a, d->path) : NULL;
        if (folder)
            add_folder(a, folder, &all);
    }
    if (all.n > 0)
        qsort(all.at, all.n, sizeof *all.at, by_text);
    for (uint32_t k = 0; k < all.n; k++) {
        bool is_open = false;
        for (const Document *d = a->documents->first; d; d = d->next)
            is_open |= strcmp(d->path, all.at[k]) == 0;
        if (!is_open && (k == 0 || strcmp(all.at[k], all.at[k - 1]) != 0))
            vec_push(a->mem, once, all.at[k]);
    }
    return once;
}

static bool has_word(const Analysis *a, const char *path, const char *word)
{
    Diags *unread = diags_new(a->mem);
    uint32_t file = source_read(a->mem, unread, path);
    return file && strstr(diags_source(unread, file)->text, word);
}

/* ---- Targets ----------------------------------------------------------------------------- */

static bool same_file(const char *x, const char *y)
{
    if (strcmp(x, y) == 0)
        return true;
    struct stat p, q;
    return stat(x, &p) == 0 && stat(y, &q) == 0 && p.st_dev == q.st_dev && p.st_ino == q.st_ino;
}

static bool is_target(const Search *s, const Meaning *m)
{
    Span at = meaning_origin(m);
    const Source *source = diags_source(s->c->diags, at.file);
    return source && at.begin == s->target.name.begin && at.end == s->target.name.end &&
           same_file(source->path, s->target.path);
}

/* The declaration of the name at the position, with its word; false if there is none in a text. */
static bool find_target(const Cursor *p, uint32_t k, Target *out)
{
    Meaning m;
    if (k == UINT32_MAX || !meaning_of(p, k, &m))
        return false;
    Span at = meaning_origin(&m);
    const Source *source = diags_source(p->c->diags, at.file);
    if (!source)
        return false;
    *out = (Target){.path = source->path,
                    .name = at,
                    .word = name_of_n(p->c->names, source->text + at.begin, at.end - at.begin),
                    .declaration = m.declaration,
                    .is_iterator = m.iterator.end > 0};
    return true;
}

/* ---- Occurrences ------------------------------------------------------------------------- */

static bool token_is(const Cursor *p, uint32_t k, const char *word)
{
    const SourceToken *t = cursor_token(p, k);
    size_t n = strlen(word);
    return t->kind == TOK_IDENT && t->end - t->begin == n &&
           memcmp(p->text + t->begin, word, n) == 0;
}

/* Is class k of the file the one that its name finds: a copy elsewhere may come first. */
static bool is_visible(const Search *s, const Cursor *p, const SynClass *c)
{
    for (uint32_t k = 0; k < p->list.token.n; k++) {
        Meaning m;
        const SourceToken *t = cursor_token(p, k);
        if (t->begin != c->name_span.begin)
            continue;
        if (!meaning_of(p, k, &m) || m.name.begin != t->begin)
            return false;
        const Source *source = diags_source(s->c->diags, m.name.file);
        return source && same_file(source->path, diags_source(s->c->diags, p->tree->file)->path);
    }
    return false;
}

/* Names that the file gives to the target by import C = A.B. */
static Texts aliases(const Search *s, const Cursor *p)
{
    Texts all = {0};
    for (uint32_t k = 2; k + 2 < p->list.token.n; k++) {
        const SourceToken *t = cursor_token(p, k - 1);
        if (cursor_token(p, k - 2)->kind != TOK_IMPORT || cursor_token(p, k)->kind != TOK_EQUALS)
            continue;
        if (token_is(p, cursor_last(p, k + 1), s->target.word.s))
            vec_push(s->a->mem, all, arena_copy(s->a->mem, p->text + t->begin, t->end - t->begin));
    }
    return all;
}

static void search_file(Search *s, uint32_t file, bool with_aliases)
{
    const Cursor *p = &s->file.at[file];
    Texts words = with_aliases ? aliases(s, p) : (Texts){0};
    vec_push(s->a->mem, words, s->target.word.s);
    uint32_t n = p->tree->n_classes;
    bool *hidden = arena_array(s->a->mem, bool, n);
    for (uint32_t i = 0; i < n; i++)
        hidden[i] = !is_visible(s, p, p->tree->class_[i]);
    for (uint32_t k = 0; k < p->list.token.n; k++) {
        bool is_word = false, is_hidden = false;
        uint32_t begin = cursor_token(p, k)->begin;
        for (uint32_t i = 0; i < words.n; i++)
            is_word |= token_is(p, k, words.at[i]);
        for (uint32_t i = 0; is_word && i < n; i++) {
            Span of = p->tree->class_[i]->span;
            is_hidden |= hidden[i] && begin >= of.begin && begin < of.end;
        }
        Meaning m;
        if (is_word && !is_hidden && meaning_of(p, k, &m) && is_target(s, &m))
            vec_push(s->a->mem, s->found, ((Occurrence){file, k}));
    }
}

/* The name at the position in all files; false if it is not declared in any text. other: a second
 * word whose files are wanted, or NULL. */
static bool search_open(Search *s, const char *other)
{
    const Analysis *a = s->a;
    Cursor p = cursor_open(a);
    if (!find_target(&p, cursor_name(&p), &s->target))
        return false;
    const SynFile *tree;
    s->c = analysis_open(a, &tree);
    Texts files = files_around(a);
    for (uint32_t k = 0; k < files.n; k++)
        if (has_word(a, files.at[k], s->target.word.s) ||
            (other && has_word(a, files.at[k], other)))
            library_add_file(s->c->library, files.at[k]);
    uint32_t first = 0, n = library_n_files(s->c->library);
    while (first < n && library_file(s->c->library, first) != tree)
        first++;
    for (uint32_t k = first; k < n; k++)
        vec_push(a->mem, s->file, cursor_in(a, s->c, library_file(s->c->library, k)));
    return true;
}

static Lines lines_in(const Search *s, uint32_t file)
{
    const Cursor *p = &s->file.at[file];
    uint32_t size = (uint32_t)strlen(p->text);
    return lines_of(p->text, size, s->a->documents->utf8, s->a->mem);
}

static const char *path_in(const Search *s, uint32_t file)
{
    return diags_source(s->c->diags, s->file.at[file].tree->file)->path;
}

static Span span_of(const Search *s, Occurrence o)
{
    const SourceToken *t = cursor_token(&s->file.at[o.file], o.token);
    return (Span){0, t->begin, t->end};
}

void analysis_references(const Analysis *a, Text *answer)
{
    Search s = {.a = a};
    if (!search_open(&s, NULL)) {
        text_put(answer, "null");
        return;
    }
    for (uint32_t k = 0; k < s.file.n; k++)
        search_file(&s, k, true);
    Json j = json_new(answer);
    Lines lines = {0};
    json_array(&j, NULL);
    for (uint32_t k = 0; k < s.found.n; k++) {
        Occurrence o = s.found.at[k];
        Span at = span_of(&s, o);
        if (k == 0 || o.file != s.found.at[k - 1].file)
            lines = lines_in(&s, o.file);
        bool is_declaration =
            at.begin == s.target.name.begin && same_file(path_in(&s, o.file), s.target.path);
        if (is_declaration && !a->with_declaration)
            continue;
        json_object(&j, NULL);
        json_text(&j, "uri", analysis_uri(a, path_in(&s, o.file)));
        put_range(&j, "range", &lines, at);
        json_close(&j);
    }
    json_close(&j);
}
