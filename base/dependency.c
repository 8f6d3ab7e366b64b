#include "base/dependency.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

Dependencies dependencies_new(Arena *mem)
{
    Dependencies d = {.mem = mem};
    for (int k = 0; k < DEPENDENCY_KINDS; k++)
        d.index[k] = map_new(mem);
    return d;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef VEC(const char *) NameList;

/* Names in a directory, sorted, without . and ..; false if it cannot be read. */
static bool names_in(const char *path, Arena *mem, NameList *out)
{
    DIR *d = opendir(path);
    if (!d)
        return false;
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            vec_push(mem, *out, arena_copy(mem, e->d_name, strlen(e->d_name)));
    closedir(d);
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, by_text);
    return true;
}

static char kind_of(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return '-';
    return S_ISREG(st.st_mode) ? 'f' : S_ISDIR(st.st_mode) ? 'd' : '?';
}

static void add_bytes(Digester *to, const char *path)
{
    Digest d;
    bool is_there = digest_file(path, &d);
    digester_add(to, &d, is_there ? sizeof d : 0);
}

/* *left: how many more files may be read, since links may form a cycle. */
static void add_tree(Digester *to, const char *path, Arena *mem, int *left)
{
    NameList name = {0};
    if (!names_in(path, mem, &name))
        return;
    for (uint32_t k = 0; k < name.n && (*left)-- > 0; k++) {
        const char *at = arena_printf(mem, "%s/%s", path, name.at[k]);
        char kind = kind_of(at);
        digester_text(to, name.at[k]);
        digester_add(to, &kind, 1);
        if (kind == 'f')
            add_bytes(to, at);
        else if (kind == 'd')
            add_tree(to, at, mem, left);
    }
}

static Digest digest_now(DependencyKind kind, const char *path, bool *is_known)
{
    enum { MOST = 4000 };
    int left = MOST;
    Arena *tmp = arena_new();
    Digester *to = digester_new();
    char is = kind_of(path);
    digester_add(to, &is, 1);
    if (kind == DEPENDS_ON_BYTES) {
        add_bytes(to, path);
    } else if (kind == DEPENDS_ON_NAMES) {
        NameList name = {0};
        names_in(path, tmp, &name);
        for (uint32_t k = 0; k < name.n; k++)
            digester_text(to, name.at[k]);
    } else if (kind == DEPENDS_ON_TREE) {
        add_tree(to, path, tmp, &left);
    }
    arena_free(tmp);
    *is_known = left >= 0;
    return digester_end(to);
}

void dependencies_add(Dependencies *d, DependencyKind kind, const char *path)
{
    if (!d)
        return;
    uint64_t key = digest_of(path, strlen(path)).low;
    uint32_t known = map_get(&d->index[kind], key);
    if (known != MAP_NONE && strcmp(d->list.at[known].path, path) == 0)
        return;
    map_put(&d->index[kind], key, d->list.n);
    Dependency it = {.kind = kind, .path = arena_copy(d->mem, path, strlen(path))};
    it.digest = digest_now(kind, path, &it.is_known);
    // each takes one line, so a path with a line break cannot be written
    it.is_known = it.is_known && !strchr(path, '\n');
    vec_push(d->mem, d->list, it);
}

bool dependencies_known(const Dependencies *d)
{
    bool known = true;
    for (uint32_t k = 0; k < d->list.n; k++)
        known = known && d->list.at[k].is_known;
    return known;
}

static const char letter[DEPENDENCY_KINDS] = "bknt";

void dependencies_print(const Dependencies *d, Text *out)
{
    for (uint32_t k = 0; k < d->list.n; k++) {
        const Dependency *it = &d->list.at[k];
        char digits[DIGEST_TEXT];
        digest_print(it->digest, digits);
        text_printf(out, "%c %s %s\n", letter[it->kind], digits, it->is_known ? it->path : "");
    }
}

bool dependencies_hold(const char *lines)
{
    Arena *tmp = arena_new();
    bool holds = true;
    while (*lines && holds) {
        size_t n = strcspn(lines, "\n");
        const char *line = arena_copy(tmp, lines, n);
        const char *kind = *line ? memchr(letter, *line, sizeof letter) : NULL;
        Digest was;
        holds = kind && n > DIGEST_TEXT + 2 && line[1] == ' ' && line[DIGEST_TEXT + 1] == ' ' &&
                digest_scan(arena_copy(tmp, line + 2, DIGEST_TEXT - 1), &was);
        if (holds) {
            DependencyKind it = (DependencyKind)(kind - letter);
            bool is_known;
            holds = digest_same(was, digest_now(it, line + DIGEST_TEXT + 2, &is_known)) && is_known;
        }
        lines += n + (lines[n] == '\n');
    }
    arena_free(tmp);
    return holds;
}
