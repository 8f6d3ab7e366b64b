#include "frontend/syntax/load.h"

#include "base/text.h"
#include "base/vec.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/source.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A class with a file or a directory of its own in the directory of a package. */
typedef struct Entry {
    Name name;
    const char *path; /* the .mo file */
    const char *dir;  /* the directory when it is a structured package itself, else NULL */
    bool asked;       /* loaded, or tried */
    SynElement *element;
} Entry;

typedef struct Directory {
    VEC(Entry) entry;
    Map index; /* name address -> entry */
    const Name *names;
} Directory;

/* User files that are `within` the same package. */
typedef struct Guests {
    Name within; /* A.B */
    VEC(SynElement *) element;
} Guests;

struct Library {
    Arena *mem;
    Names *names;
    Diags *diags;
    VEC(const char *) root;
    VEC(SynFile *) file;
    VEC(SynClass *) top; /* NULL: searched and not found */
    Map top_index;       /* name address -> top */
    VEC(Guests) guests;
    Map guests_index; /* address of the name A.B -> guests */
    Map guests_of;    /* address of a class -> guests, or their number for none */
    Dependencies *dependencies;
};

Library *library_new(Arena *mem, Names *names, Diags *d)
{
    Library *l = arena_make(mem, Library);
    l->mem = mem;
    l->names = names;
    l->diags = d;
    l->top_index = map_new(mem);
    l->guests_index = map_new(mem);
    l->guests_of = map_new(mem);
    return l;
}

void library_record(Library *l, Dependencies *to)
{
    l->dependencies = to;
}

/* ---- Paths ---------------------------------------------------------------------------- */

static bool is_file(Library *l, const char *path)
{
    struct stat st;
    dependencies_add(l->dependencies, DEPENDS_ON_KIND, path);
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_directory(Library *l, const char *path)
{
    struct stat st;
    dependencies_add(l->dependencies, DEPENDS_ON_KIND, path);
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The directory that a path is in; "." for a plain file name. */
static const char *directory_of(Arena *mem, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_copy(mem, path, slash > path ? (size_t)(slash - path) : 1) : ".";
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a directory in a fixed order, without those that begin with a dot. */
static bool list_directory(Library *l, const char *path, Texts *out)
{
    Arena *mem = l->mem;
    dependencies_add(l->dependencies, DEPENDS_ON_NAMES, path);
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] != '.') {
            const char *name = arena_copy(mem, e->d_name, strlen(e->d_name));
            vec_push(mem, *out, name);
        }
    }
    closedir(dir);
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, by_text);
    return true;
}

/* ---- Files ---------------------------------------------------------------------------- */

static SynFile *load_file(Library *l, const char *path)
{
    dependencies_add(l->dependencies, DEPENDS_ON_BYTES, path);
    uint32_t file = source_read(l->mem, l->diags, path);
    return file ? parse_file(l->mem, l->names, l->diags, file) : NULL;
}

static Span file_span(const SynFile *f)
{
    return (Span){f->file, 0, 0};
}

/* A, A.B, ...: dotted, without regard to a leading dot */
static Name path_name(Library *l, const SynPath *p)
{
    Name n = {""};
    for (uint32_t k = 0; k < p->n; k++)
        n = k ? name_printf(l->names, "%s.%s", n.s, p->name[k].s) : p->name[k];
    return n;
}

static Name class_path(Library *l, const SynClass *c)
{
    return c->parent ? name_printf(l->names, "%s.%s", class_path(l, c->parent).s, c->name.s)
                     : c->name;
}

/* The one class of a file in a structured package: its name and `within` are those of its
 * place (MLS 13.4). NULL with a diagnostic when not. */
static SynClass *only_class(Library *l, SynFile *f, Name name, Name within)
{
    const char *place = within.s ? within.s : "";
    if (f->has_within ? strcmp(path_name(l, &f->within).s, place) != 0 : *place != 0) {
        Span s = f->has_within && f->within.n ? f->within.span : file_span(f);
        if (*place)
            diag_error(l->diags, s, "P11", "expected 'within %s;' for a file at this place", place);
        else
            diag_error(l->diags, s, "P11", "expected 'within;' for a file at the top of a library");
        return NULL;
    }
    for (uint32_t k = 0; k < f->n_classes; k++) {
        if (name_same(f->class_[k]->name, name)) {
            if (f->n_classes > 1)
                diag_error(l->diags, f->class_[k == 0]->name_span, "P12",
                           "expected only class '%s' in this file", name.s);
            return f->class_[k];
        }
    }
    /* A syntax error may have hidden the class; that error is already reported. */
    if (f->n_classes > 0)
        diag_error(l->diags, f->class_[0]->name_span, "P12",
                   "expected class '%s' in a file of this name, found '%s'", name.s,
                   f->class_[0]->name.s);
    else if (f->errors == 0)
        diag_error(l->diags, file_span(f), "P12", "expected class '%s' in a file of this name",
                   name.s);
    return NULL;
}

/* ---- Structured packages -------------------------------------------------------------- */

static void add_entry(Library *l, SynClass *c, Directory *dir, const char *file_name)
{
    const char *path = arena_printf(l->mem, "%s/%s", c->dir, file_name);
    Entry e = {0};
    if (is_directory(l, path)) {
        e.name = name_of(l->names, file_name);
        e.dir = path;
        e.path = arena_printf(l->mem, "%s/package.mo", path);
        if (!is_file(l, e.path))
            return;
    } else if (text_ends_with(file_name, ".mo") && strcmp(file_name, "package.mo") != 0) {
        e.name = name_of_n(l->names, file_name, strlen(file_name) - 3);
        e.path = path;
    } else {
        return;
    }
    const SynElement *inside = syn_class_find(c, e.name);
    uint32_t twin = map_get(&dir->index, map_key_ptr(e.name.s));
    if (inside) {
        diag_error(l->diags, inside->span, "P13",
                   "'%s' is declared here and has a file of its own, '%s'", e.name.s, e.path);
    } else if (twin != MAP_NONE) {
        diag_error(l->diags, c->name_span, "P13", "package '%s' has both '%s' and '%s'", c->name.s,
                   dir->entry.at[twin].path, e.path);
    } else {
        map_put(&dir->index, map_key_ptr(e.name.s), dir->entry.n);
        vec_push(l->mem, dir->entry, e);
    }
}

/* The lines of package.order that name entries, then the other entries. */
static void order_entries(Library *l, const SynClass *c, Directory *dir)
{
    Name *names = arena_array(l->mem, Name, dir->entry.n);
    bool *used = arena_array(l->mem, bool, dir->entry.n);
    uint32_t n = 0;
    const char *order = arena_printf(l->mem, "%s/package.order", c->dir);
    dependencies_add(l->dependencies, DEPENDS_ON_BYTES, order);
    FILE *f = fopen(order, "r");
    char *line = NULL;
    size_t cap = 0;
    while (f && getline(&line, &cap, f) >= 0) {
        line[strcspn(line, "\r\n")] = 0;
        uint32_t k = map_get(&dir->index, map_key_ptr(name_of(l->names, line).s));
        if (k != MAP_NONE && !used[k]) {
            used[k] = true;
            names[n++] = dir->entry.at[k].name;
        }
    }
    free(line);
    if (f)
        fclose(f);
    for (uint32_t k = 0; k < dir->entry.n; k++) {
        if (!used[k])
            names[n++] = dir->entry.at[k].name;
    }
    dir->names = names;
}

static Directory *directory(Library *l, SynClass *c)
{
    if (c->entries || !c->dir)
        return c->entries;
    Directory *dir = c->entries = arena_make(l->mem, Directory);
    dir->index = map_new(l->mem);
    Texts files = {0};
    if (!list_directory(l, c->dir, &files))
        diag_error(l->diags, c->name_span, "P10", "cannot read the directory '%s': %s", c->dir,
                   strerror(errno));
    for (uint32_t k = 0; k < files.n; k++)
        add_entry(l, c, dir, files.at[k]);
    order_entries(l, c, dir);
    return dir;
}

static SynElement *load_entry(Library *l, SynClass *c, Entry *e)
{
    if (e->asked)
        return e->element;
    e->asked = true;
    SynFile *f = load_file(l, e->path);
    SynClass *m = f ? only_class(l, f, e->name, class_path(l, c)) : NULL;
    if (!m)
        return NULL;
    m->parent = c;
    m->element->in = c;
    m->dir = e->dir;
    return e->element = m->element;
}

/* ---- The files of the user ------------------------------------------------------------ */

static void add_top(Library *l, SynClass *c)
{
    uint32_t k = map_get(&l->top_index, map_key_ptr(c->name.s));
    if (k != MAP_NONE && l->top.at[k]) {
        diag_error(l->diags, c->name_span, "P13", "class '%s' is defined twice", c->name.s);
        diag_note(l->diags, l->top.at[k]->name_span, "'%s' is defined here too", c->name.s);
        return;
    }
    map_put(&l->top_index, map_key_ptr(c->name.s), l->top.n);
    vec_push(l->mem, l->top, c);
}

static void add_guest(Library *l, Name within, SynClass *c)
{
    uint32_t k = map_number(&l->guests_index, map_key_ptr(within.s), l->guests.n);
    if (k == l->guests.n)
        vec_push(l->mem, l->guests, ((Guests){.within = within}));
    Guests *g = &l->guests.at[k];
    vec_push(l->mem, g->element, c->element);
}

/* The parent of a directory, from its name, if possible. */
static const char *parent_of(Arena *mem, const char *dir)
{
    const char *slash = strrchr(dir, '/');
    const char *last = slash ? slash + 1 : dir;
    if (*last == 0 || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
        return arena_printf(mem, "%s/..", dir);
    return directory_of(mem, dir);
}

/* A file `within A.B` stands in A/B: then the directory that contains A is a root, too. */
static void add_own_root(Library *l, const char *dir, uint32_t depth)
{
    for (uint32_t k = 0; k < depth; k++) {
        if (!is_file(l, arena_printf(l->mem, "%s/package.mo", dir)))
            return;
        dir = parent_of(l->mem, dir);
    }
    vec_push(l->mem, l->root, dir);
}

static bool add_parsed(Library *l, SynFile *f, const char *path)
{
    if (!f)
        return false;
    vec_push(l->mem, l->file, f);
    const char *dir = NULL;
    if (strcmp(path, "package.mo") == 0 || text_ends_with(path, "/package.mo"))
        dir = directory_of(l->mem, path);
    if (f->has_within && f->within.n)
        add_own_root(l, dir ? parent_of(l->mem, dir) : directory_of(l->mem, path), f->within.n);
    for (uint32_t k = 0; k < f->n_classes; k++) {
        SynClass *c = f->class_[k];
        c->dir = dir;
        if (f->has_within && f->within.n)
            add_guest(l, path_name(l, &f->within), c);
        else
            add_top(l, c);
    }
    return f->errors == 0;
}

bool library_add_file(Library *l, const char *path)
{
    if (is_directory(l, path))
        path = arena_printf(l->mem, "%s/package.mo", path);
    return add_parsed(l, load_file(l, path), path);
}

bool library_add_text(Library *l, const char *path, const char *text)
{
    uint32_t file = diags_add_source(l->diags, path, text, (uint32_t)strlen(text));
    return add_parsed(l, parse_file(l->mem, l->names, l->diags, file), path);
}

uint32_t library_n_files(const Library *l)
{
    return l->file.n;
}

const SynFile *library_file(const Library *l, uint32_t k)
{
    return l->file.at[k];
}

/* ---- Top-level classes ---------------------------------------------------------------- */

void library_add_root(Library *l, const char *path)
{
    while (*path) {
        size_t n = strcspn(path, ":");
        const char *root = arena_copy(l->mem, path, n);
        if (n)
            vec_push(l->mem, l->root, root);
        path += n + (path[n] == ':');
    }
}

/* Versions are numbers with dots; the rest compares as text (MLS 18.8.1). */
static int compare_versions(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *end_a;
            char *end_b;
            unsigned long x = strtoul(a, &end_a, 10);
            unsigned long y = strtoul(b, &end_b, 10);
            if (x != y)
                return x < y ? -1 : 1;
            a = end_a;
            b = end_b;
        } else if (*a != *b) {
            return *a < *b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : 0;
}

/* "A 4.1.0" or "A 4.1.0.mo" in root, the highest version; NULL when there is none. */
static const char *versioned(Library *l, const char *root, Name name, const char **dir)
{
    Texts files = {0};
    if (!list_directory(l, root, &files))
        return NULL;
    size_t n = strlen(name.s);
    const char *best = NULL;
    const char *best_version = NULL;
    for (uint32_t k = 0; k < files.n; k++) {
        const char *file = files.at[k];
        if (strncmp(file, name.s, n) != 0 || file[n] != ' ' || !isdigit((unsigned char)file[n + 1]))
            continue;
        const char *path = arena_printf(l->mem, "%s/%s", root, file);
        const char *package = arena_printf(l->mem, "%s/package.mo", path);
        bool plain = text_ends_with(file, ".mo") && is_file(l, path);
        if (!plain && !is_file(l, package))
            continue;
        size_t len = strlen(file + n + 1) - (plain ? 3 : 0);
        const char *version = arena_copy(l->mem, file + n + 1, len);
        if (best && compare_versions(version, best_version) <= 0)
            continue;
        best = plain ? path : package;
        best_version = version;
        *dir = plain ? NULL : path;
    }
    return best;
}

static SynClass *load_top(Library *l, Name name)
{
    for (uint32_t k = 0; k < l->root.n; k++) {
        const char *root = l->root.at[k];
        const char *dir = arena_printf(l->mem, "%s/%s", root, name.s);
        const char *path = arena_printf(l->mem, "%s/package.mo", dir);
        if (!is_file(l, path)) {
            dir = NULL;
            path = arena_printf(l->mem, "%s/%s.mo", root, name.s);
        }
        if (!is_file(l, path))
            path = versioned(l, root, name, &dir);
        if (!path)
            continue;
        SynFile *f = load_file(l, path);
        /* A file of that name that is part of another package is not the class. */
        if (!f || (!dir && f->has_within && f->within.n))
            continue;
        SynClass *c = only_class(l, f, name, (Name){NULL});
        if (c)
            c->dir = dir;
        return c;
    }
    return NULL;
}

const char *library_missing(Name top, Arena *mem)
{
    const char *path = getenv("MODELICAPATH");
    const char *is_set = path && *path ? path : NULL;
    // the one library that the specification names (MLS 18.8), and that every tool should have
    bool is_standard = !strcmp(top.s, "Modelica");
    return arena_printf(
        mem,
        "no library '%s' was found; set MODELICAPATH (%s%s%s) to the folder that holds "
        "%s/package.mo, or give that with --library%s",
        top.s, is_set ? "now '" : "which is not set", is_set ? is_set : "", is_set ? "'" : "",
        top.s,
        is_standard ? "; the Modelica Standard Library is the project ModelicaStandardLibrary of "
                      "the Modelica Association"
                    : "");
}

SynClass *library_find_top(Library *l, Name name)
{
    uint32_t k = map_get(&l->top_index, map_key_ptr(name.s));
    if (k != MAP_NONE)
        return l->top.at[k];
    SynClass *c = strchr(name.s, '/') ? NULL : load_top(l, name);
    map_put(&l->top_index, map_key_ptr(name.s), l->top.n);
    vec_push(l->mem, l->top, c);
    return c;
}

void library_top_names(Library *l, LibraryNames *out)
{
    for (uint32_t k = 0; k < l->top.n; k++)
        if (l->top.at[k])
            vec_push(l->mem, *out, l->top.at[k]->name);
    for (uint32_t r = 0; r < l->root.n; r++) {
        Texts files = {0};
        list_directory(l, l->root.at[r], &files);
        for (uint32_t k = 0; k < files.n; k++) {
            const char *file = files.at[k];
            const char *path = arena_printf(l->mem, "%s/%s/package.mo", l->root.at[r], file);
            bool is_class = text_ends_with(file, ".mo") && strcmp(file, "package.mo") != 0;
            size_t n = strcspn(file, " ."); /* a version, or the suffix */
            if (n > 0 && (is_class || is_file(l, path)))
                vec_push(l->mem, *out, name_of_n(l->names, file, n));
        }
    }
}

/* ---- Members -------------------------------------------------------------------------- */

/* The user's files within this package, or NULL. Asked once per class by its full name. */
static Guests *guests_of(Library *l, SynClass *c)
{
    uint32_t k = map_get(&l->guests_of, map_key_ptr(c));
    if (k == MAP_NONE) {
        k = map_get(&l->guests_index, map_key_ptr(class_path(l, c).s));
        if (k == MAP_NONE)
            k = UINT32_MAX - 1;
        map_put(&l->guests_of, map_key_ptr(c), k);
    }
    return k < l->guests.n ? &l->guests.at[k] : NULL;
}

static SynElement *find_guest(Library *l, SynClass *c, Name name)
{
    Guests *g = l->guests.n ? guests_of(l, c) : NULL;
    for (uint32_t k = 0; g && k < g->element.n; k++) {
        SynElement *e = g->element.at[k];
        if (name_same(e->class_->name, name)) {
            e->in = c;
            e->class_->parent = c;
            return e;
        }
    }
    return NULL;
}

SynElement *library_member(Library *l, SynClass *c, Name name)
{
    SynElement *e = find_guest(l, c, name);
    if (!e)
        e = syn_class_find(c, name);
    if (e || !c->dir)
        return e;
    Directory *dir = directory(l, c);
    uint32_t k = map_get(&dir->index, map_key_ptr(name.s));
    return k == MAP_NONE ? NULL : load_entry(l, c, &dir->entry.at[k]);
}

const Name *library_entries(Library *l, SynClass *c, uint32_t *n)
{
    Directory *dir = directory(l, c);
    *n = dir ? dir->entry.n : 0;
    return dir ? dir->names : NULL;
}

SynClass *library_find_path(Library *l, const SynPath *path)
{
    SynClass *c = path->n ? library_find_top(l, path->name[0]) : NULL;
    for (uint32_t k = 1; c && k < path->n; k++) {
        const SynElement *e = library_member(l, c, path->name[k]);
        c = e && e->kind == SYN_CLASS ? e->class_ : NULL;
    }
    return c;
}
