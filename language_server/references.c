#include "language_server/references.h"

#include "frontend/syntax/source.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files ------------------------------------------------------------------------------- */

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

bool search_is_target(const Search *s, const Meaning *m)
{
    Span at = meaning_origin(m);
    const Source *source = diags_source(s->c->diags, at.file);
    return source && at.begin == s->target.name.begin && at.end == s->target.name.end &&
           same_file(source->path, s->target.path);
}

const SearchedFile *search_home(const Search *s)
{
    for (uint32_t k = 0; k < s->file.n; k++)
        if (same_file(s->file.at[k].path, s->target.path))
            return &s->file.at[k];
    return NULL;
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

bool search_token_is(const SearchedFile *f, uint32_t k, const char *word)
{
    const SourceToken *t = cursor_token(&f->cursor, k);
    size_t n = strlen(word);
    return t->kind == TOK_IDENT && t->end - t->begin == n &&
           memcmp(f->cursor.text + t->begin, word, n) == 0;
}

/* Is the class the one that its name finds: a copy elsewhere may come first. */
static bool is_visible(const Search *s, const SearchedFile *f, const SynClass *c)
{
    for (uint32_t k = 0; k < f->cursor.list.token.n; k++) {
        Meaning m;
        const SourceToken *t = cursor_token(&f->cursor, k);
        if (t->begin != c->name_span.begin)
            continue;
        if (!meaning_of(&f->cursor, k, &m) || m.name.begin != t->begin)
            return false;
        const Source *source = diags_source(s->c->diags, m.name.file);
        return source && same_file(source->path, f->path);
    }
    return false;
}

bool search_is_hidden(const SearchedFile *f, uint32_t k)
{
    uint32_t begin = cursor_token(&f->cursor, k)->begin;
    for (uint32_t i = 0; i < f->cursor.tree->n_classes; i++) {
        Span of = f->cursor.tree->class_[i]->span;
        if (f->hidden[i] && begin >= of.begin && begin < of.end)
            return true;
    }
    return false;
}

/* Names that the file gives to the target by import C = A.B. */
static Texts aliases(const Search *s, const SearchedFile *f)
{
    Texts all = {0};
    const Cursor *p = &f->cursor;
    for (uint32_t k = 2; k + 2 < p->list.token.n; k++) {
        const SourceToken *t = cursor_token(p, k - 1);
        if (cursor_token(p, k - 2)->kind != TOK_IMPORT || cursor_token(p, k)->kind != TOK_EQUALS)
            continue;
        if (search_token_is(f, cursor_last(p, k + 1), s->target.word.s))
            vec_push(s->a->mem, all, arena_copy(s->a->mem, p->text + t->begin, t->end - t->begin));
    }
    return all;
}

static void search_file(Search *s, uint32_t file, bool with_aliases)
{
    const SearchedFile *f = &s->file.at[file];
    Texts words = with_aliases ? aliases(s, f) : (Texts){0};
    vec_push(s->a->mem, words, s->target.word.s);
    for (uint32_t k = 0; k < f->cursor.list.token.n; k++) {
        bool is_word = false;
        for (uint32_t i = 0; i < words.n; i++)
            is_word |= search_token_is(f, k, words.at[i]);
        Meaning m;
        if (is_word && !search_is_hidden(f, k) && meaning_of(&f->cursor, k, &m) &&
            search_is_target(s, &m))
            vec_push(s->a->mem, s->found, ((Occurrence){file, k}));
    }
}

void search_run(Search *s, bool with_aliases)
{
    for (uint32_t k = 0; k < s->file.n; k++)
        search_file(s, k, with_aliases);
}

static void add_file(Search *s, const SynFile *tree)
{
    SearchedFile f = {.cursor = cursor_in(s->a, s->c, tree),
                      .path = diags_source(s->c->diags, tree->file)->path,
                      .hidden = arena_array(s->a->mem, bool, tree->n_classes)};
    for (uint32_t i = 0; i < tree->n_classes; i++)
        f.hidden[i] = !is_visible(s, &f, tree->class_[i]);
    vec_push(s->a->mem, s->file, f);
}

bool search_open(Search *s, const Analysis *a, const char *other)
{
    *s = (Search){.a = a};
    Cursor p = cursor_open(a);
    uint32_t at = cursor_name(&p);
    if (!find_target(&p, at, &s->target))
        return false;
    const SourceToken *t = cursor_token(&p, at);
    s->word = arena_copy(a->mem, p.text + t->begin, t->end - t->begin);
    /* files come before names are looked up */
    const SynFile *tree;
    s->c = analysis_open(a, &tree);
    s->target.word = name_of(s->c->names, s->target.word.s);
    Texts files = files_around(a);
    for (uint32_t k = 0; k < files.n; k++)
        if (has_word(a, files.at[k], s->target.word.s) ||
            (other && *other && has_word(a, files.at[k], other)))
            library_add_file(s->c->library, files.at[k]);
    uint32_t first = 0, n = library_n_files(s->c->library);
    while (first < n && library_file(s->c->library, first) != tree)
        first++;
    for (uint32_t k = first; k < n; k++)
        add_file(s, library_file(s->c->library, k));
    return true;
}

Lines search_lines(const Search *s, const SearchedFile *f)
{
    const char *text = f->cursor.text;
    return lines_of(text, (uint32_t)strlen(text), s->a->documents->utf8, s->a->mem);
}

void analysis_references(const Analysis *a, Text *answer)
{
    Search s;
    if (!search_open(&s, a, NULL)) {
        text_put(answer, "null");
        return;
    }
    search_run(&s, true);
    Json j = json_new(answer);
    Lines lines = {0};
    json_array(&j, NULL);
    for (uint32_t k = 0; k < s.found.n; k++) {
        Occurrence o = s.found.at[k];
        const SearchedFile *f = &s.file.at[o.file];
        const SourceToken *t = cursor_token(&f->cursor, o.token);
        if (k == 0 || o.file != s.found.at[k - 1].file)
            lines = search_lines(&s, f);
        bool is_declaration = t->begin == s.target.name.begin && same_file(f->path, s.target.path);
        if (is_declaration && !a->with_declaration)
            continue;
        json_object(&j, NULL);
        json_text(&j, "uri", analysis_uri(a, f->path));
        put_range(&j, "range", &lines, (Span){0, t->begin, t->end});
        json_close(&j);
    }
    json_close(&j);
}
