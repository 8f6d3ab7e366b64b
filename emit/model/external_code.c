#include "emit/model/external_code.h"

#include "base/map.h"
#include "base/name.h"
#include "emit/code/quote.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef VEC(const char *) Strings;

static void add_once(Arena *mem, void *list, const char *text)
{
    Strings *s = list;
    for (uint32_t k = 0; k < s->n; k++)
        if (strcmp(s->at[k], text) == 0)
            return;
    vec_push(mem, *s, text);
}

static bool is_file(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The C files of a directory, in the order of their names. */
static Strings sources_in(Arena *mem, const char *dir)
{
    Strings out = {0};
    DIR *d = opendir(dir);
    if (!d)
        return out;
    for (struct dirent *e; (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n > 2 && strcmp(e->d_name + n - 2, ".c") == 0)
            vec_push(mem, out, arena_printf(mem, "%s/%s", dir, e->d_name));
    }
    closedir(d);
    if (out.n)
        qsort(out.at, out.n, sizeof *out.at, by_name);
    return out;
}

static const char *text_of(Arena *mem, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return "";
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *text = arena_alloc(mem, n > 0 ? (size_t)n + 1 : 1);
    text[n > 0 ? fread(text, 1, (size_t)n, f) : 0] = 0;
    fclose(f);
    return text;
}

static bool speaks_of(Arena *mem, const char *path, const char *word)
{
    return text_has_word(text_of(mem, path), word);
}

/* The next identifier with a parenthesis behind it, from *at on, outside of comments; NULL at the
 * end. */
static const char *next_call(Arena *mem, const char **at)
{
    const char *c = *at;
    while (*c) {
        if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            c = end ? end + 2 : c + strlen(c);
            continue;
        }
        if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n");
            continue;
        }
        if (!isalpha((unsigned char)*c) && *c != '_') {
            c++;
            continue;
        }
        const char *begin = c;
        while (isalnum((unsigned char)*c) || *c == '_')
            c++;
        const char *end = c;
        while (*c == ' ')
            c++;
        if (*c != '(')
            continue;
        *at = c;
        return arena_copy(mem, begin, (size_t)(end - begin));
    }
    return NULL;
}

/* Whether a body { follows the parentheses at c. */
static bool has_body(const char *c)
{
    int depth = 0;
    for (; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (*c == ')' && depth == 0)
            return c[1 + strspn(c + 1, " \t\r\n")] == '{';
    }
    return false;
}

/* Names of the functions that a C file defines, each on a line that begins with its type. */
static void definitions_in(Arena *mem, const char *text, Map *names, Names *pool)
{
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        if (isalpha((unsigned char)*line) && strncmp(line, "static", 6) != 0) {
            const char *paren = memchr(line, '(', n);
            const char *one = arena_copy(mem, line, n);
            const char *name = paren ? next_call(mem, &one) : NULL;
            if (name && has_body(paren))
                map_put(names, map_key_ptr(name_of(pool, name).s), 1);
        }
        line += n + (line[n] == '\n');
    }
}

/* Adds files in the same directory that define functions called by the files to build: not all of a
 * library's functions are in the file that the model names. */
static void add_called(ExternalBuild *b, Arena *mem)
{
    Arena *scratch = arena_new();
    Names *pool = names_new(scratch);
    for (uint32_t k = 0; k < b->source.n; k++) { /* grows */
        const char *path = b->source.at[k], *slash = strrchr(path, '/');
        Map called = map_new(scratch);
        const char *at = text_of(scratch, path);
        for (const char *name; (name = next_call(scratch, &at));)
            map_put(&called, map_key_ptr(name_of(pool, name).s), 1);
        Strings beside =
            sources_in(mem, arena_copy(scratch, path, slash ? (size_t)(slash - path) : 0));
        for (uint32_t j = 0; j < beside.n; j++) {
            Map own = map_new(scratch);
            definitions_in(scratch, text_of(scratch, beside.at[j]), &own, pool);
            for (uint32_t i = 0; i < own.cap; i++)
                if (own.slot[i].val && map_get(&called, own.slot[i].key) != MAP_NONE)
                    add_once(mem, &b->source, beside.at[j]);
        }
    }
    arena_free(scratch);
}

/* Finds a library as the platform's linker does, in the library directory or its subdirectory for
 * this platform. */
static bool link_library(ExternalBuild *b, const External *x, const char *name, Arena *mem)
{
    const char *const platform[] = {sizeof(void *) == 8 ? "/linux64" : "/linux32", ""};
    for (int k = 0; k < 2; k++) {
        const char *at = arena_printf(mem, "%s%s", x->library_dir, platform[k]);
        const char *archive = arena_printf(mem, "%s/lib%s.a", at, name);
        if (is_file(archive)) {
            add_once(mem, &b->link, archive);
            return true;
        }
        if (!is_file(arena_printf(mem, "%s/lib%s.so", at, name)))
            continue;
        add_once(mem, &b->link, arena_printf(mem, "-L%s", at));
        add_once(mem, &b->link, arena_printf(mem, "-Wl,-rpath,%s", at));
        add_once(mem, &b->link, arena_printf(mem, "-l%s", name));
        return true;
    }
    return false;
}

/* MLS 12.9.6: functions that the runtime has itself. */
static bool is_utility(const char *function)
{
    static const char *const names[] = {
        "ModelicaMessage",
        "ModelicaFormatMessage",
        "ModelicaVFormatMessage",
        "ModelicaWarning",
        "ModelicaFormatWarning",
        "ModelicaVFormatWarning",
        "ModelicaError",
        "ModelicaFormatError",
        "ModelicaVFormatError",
        "ModelicaAllocateString",
        "ModelicaAllocateStringWithErrorReturn",
        "ModelicaDuplicateString",
        "ModelicaDuplicateStringWithErrorReturn",
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], function) == 0)
            return true;
    return false;
}

static void find_library(ExternalBuild *b, const External *x, const char *name, Arena *mem)
{
    if (link_library(b, x, name, mem))
        return;
    const char *source = arena_printf(mem, "%s/%s.c", x->include_dir, name);
    if (is_file(source)) {
        add_once(mem, &b->source, source);
        return;
    }
    const char *dir = arena_printf(mem, "%s/%s", x->include_dir, name);
    Strings all = sources_in(mem, dir);
    for (uint32_t k = 0; k < all.n; k++)
        add_once(mem, &b->source, all.at[k]);
    if (all.n) {
        add_once(mem, &b->include, dir);
        return;
    }
    bool found = false;
    all = sources_in(mem, x->include_dir);
    for (uint32_t k = 0; k < all.n; k++)
        if (speaks_of(mem, all.at[k], x->function)) {
            add_once(mem, &b->source, all.at[k]);
            found = true;
        }
    if (!found)
        add_once(mem, &b->link, arena_printf(mem, "-l%s", name));
}

/* Was the same list of libraries searched already for another function. */
static bool is_known(const EmitFiles *f, uint32_t k)
{
    const External *x = f->external[k];
    for (uint32_t i = 0; i < k; i++) {
        const External *y = f->external[i];
        bool same = y->n_libraries == x->n_libraries && strcmp(y->function, x->function) == 0 &&
                    strcmp(y->include_dir, x->include_dir) == 0 &&
                    strcmp(y->library_dir, x->library_dir) == 0;
        for (uint32_t n = 0; same && n < x->n_libraries; n++)
            same = strcmp(x->library[n], y->library[n]) == 0;
        if (same)
            return true;
    }
    return false;
}

ExternalBuild external_build(const EmitFiles *f, Arena *mem)
{
    ExternalBuild b = {0};
    for (uint32_t k = 0; k < f->n_externals; k++) {
        const External *x = f->external[k];
        add_once(mem, &b.include, x->include_dir);
        bool needed = !is_known(f, k) && !is_utility(x->function);
        for (uint32_t i = 0; i < x->n_libraries && needed; i++)
            find_library(&b, x, x->library[i], mem);
    }
    add_called(&b, mem);
    return b;
}

void external_depends(const EmitFiles *f, Dependencies *d)
{
    for (uint32_t k = 0; k < f->n_externals; k++) {
        dependencies_add(d, DEPENDS_ON_TREE, f->external[k]->include_dir);
        dependencies_add(d, DEPENDS_ON_TREE, f->external[k]->library_dir);
    }
}
