#include "emit/model/external_files.h"

#include "emit/code/quote.h"
#include "emit/model/bundle.h"
#include "emit/model/external_code.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A file to copy: its path, and its name beside the model. */
typedef struct Found {
    const char *path, *name;
} Found;

typedef struct Search {
    const EmitFiles *f;
    const ExternalBuild *build;
    VEC(Found) found;
    ExternalFiles *out;
    Arena *mem;
} Search;

static bool is_file(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A file of the model or of the runtime. */
static bool is_taken(const EmitFiles *f, const char *name)
{
    for (const BundleFile *b = bundle; b->name; b++)
        if (!strcmp(b->name, name))
            return true;
    for (uint32_t k = 0; k < f->file.n; k++)
        if (!strcmp(f->file.at[k].name, name))
            return true;
    return false;
}

static const char *read_whole(Search *s, const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    long n = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    char *at = arena_alloc(s->mem, n > 0 ? (size_t)n + 1 : 1);
    if (f)
        rewind(f);
    *size = n > 0 ? fread(at, 1, (size_t)n, f) : 0;
    at[*size] = 0;
    if (f)
        fclose(f);
    if ((n < 0 || *size != (size_t)n) && !s->out->error)
        s->out->error = arena_printf(s->mem, "'%s' cannot be read", path);
    return at;
}

/* ------------------------------------------------------------------ includes */

/* The name that a line includes, and how; NULL: it includes nothing. */
static const char *included(const char *line, bool *is_quoted, Arena *mem)
{
    const char *at = line + strspn(line, " \t");
    if (*at != '#')
        return NULL;
    at += 1 + strspn(at + 1, " \t");
    if (strncmp(at, "include", 7) != 0)
        return NULL;
    at += 7 + strspn(at + 7, " \t");
    *is_quoted = *at == '"';
    if (*at != '"' && *at != '<')
        return NULL;
    return arena_copy(mem, at + 1, strcspn(at + 1, *is_quoted ? "\"\n" : ">\n"));
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* The path of a header `name` that the file at `path` (NULL: the model) includes; NULL for one of
 * the system. */
static const char *find(const Search *s, const char *path, const char *name, bool is_quoted)
{
    if (path && is_quoted) {
        size_t n = (size_t)(base_of(path) - path);
        const char *beside = arena_printf(s->mem, "%.*s%s", (int)n, path, name);
        if (is_file(beside))
            return beside;
    }
    for (uint32_t k = 0; k < s->build->include.n; k++) {
        const char *there = arena_printf(s->mem, "%s/%s", s->build->include.at[k], name);
        if (is_file(there))
            return there;
    }
    return NULL;
}

static void take_source(Search *s, const char *path, const char *name);

static void take_header(Search *s, const char *path)
{
    const char *name = base_of(path);
    for (uint32_t k = 0; k < s->found.n; k++) {
        const Found *other = &s->found.at[k];
        if (strcmp(other->name, name) != 0)
            continue;
        if (strcmp(other->path, path) != 0 && !s->out->error)
            s->out->error = arena_printf(s->mem, "'%s' is called like '%s'", path, other->path);
        return;
    }
    if (is_taken(s->f, name) && !s->out->error)
        s->out->error =
            arena_printf(s->mem, "'%s' is called like a file of the model or of rung", path);
    take_source(s, path, name);
}

/* Copies a file and the files that it includes, whatever the #if around. */
static void take_source(Search *s, const char *path, const char *name)
{
    vec_push(s->mem, s->found, ((Found){path, name}));
    size_t size;
    const char *text = read_whole(s, path, &size);
    Text own = text_new(s->mem);
    for (const char *line = text, *end; *line; line = end) {
        bool is_quoted;
        const char *what = included(line, &is_quoted, s->mem);
        const char *there = what ? find(s, path, what, is_quoted) : NULL;
        end = next_line(line);
        if (there) {
            take_header(s, there);
            text_printf(&own, "#include \"%s\"\n", base_of(there));
        } else {
            text_put_n(&own, line, (size_t)(end - line));
        }
    }
    vec_push(s->mem, s->out->file,
             ((EmitFile){.name = name, .text = own.at ? own.at : "", .size = own.n}));
}

/* Copies the headers that the model includes. */
static void scan_model(Search *s, const char *text)
{
    for (const char *line = text; *line; line = next_line(line)) {
        bool is_quoted;
        const char *what = included(line, &is_quoted, s->mem);
        const char *there = what && !is_taken(s->f, what) ? find(s, NULL, what, is_quoted) : NULL;
        if (!there)
            continue;
        take_header(s, there);
        vec_push(s->mem, s->out->written, what);
        vec_push(s->mem, s->out->header, base_of(there));
    }
}

/* ------------------------------------------------------------------ the whole */

/* The name of a copied source, which may be renamed since no text refers to it. */
static const char *own_name(const Search *s, const char *path)
{
    const char *base = base_of(path);
    bool is_known = is_taken(s->f, base);
    for (uint32_t k = 0; k < s->found.n; k++)
        is_known = is_known || !strcmp(s->found.at[k].name, base);
    return is_known ? arena_printf(s->mem, "external_%u_%s", s->found.n, base) : base;
}

static ExternalFiles as_they_are(const ExternalBuild *b, const char *error, Arena *mem)
{
    ExternalFiles out = {.error = error};
    for (uint32_t k = 0; k < b->source.n; k++)
        vec_push(mem, out.source, b->source.at[k]);
    for (uint32_t k = 0; k < b->link.n; k++)
        vec_push(mem, out.link, b->link.at[k]);
    for (uint32_t k = 0; k < b->include.n; k++)
        vec_push(mem, out.include, b->include.at[k]);
    return out;
}

ExternalFiles external_files(const EmitFiles *f, Arena *mem)
{
    ExternalFiles out = {0};
    ExternalBuild build = external_build(f, mem);
    Search s = {.f = f, .build = &build, .out = &out, .mem = mem};
    for (uint32_t k = 0; k < build.source.n; k++) {
        const char *name = own_name(&s, build.source.at[k]);
        vec_push(mem, out.source, name);
        take_source(&s, build.source.at[k], name);
    }
    for (uint32_t k = 0; k < f->file.n && f->n_externals; k++)
        scan_model(&s, f->file.at[k].text);
    for (uint32_t k = 0; k < build.link.n; k++) {
        const char *it = build.link.at[k];
        size_t n = strlen(it), size;
        if (*it == '-' || n < 2 || strcmp(it + n - 2, ".a") != 0) {
            vec_push(mem, out.link, it);
            continue;
        }
        const char *name = own_name(&s, it), *bytes = read_whole(&s, it, &size);
        vec_push(mem, out.archive, name);
        vec_push(mem, s.found, ((Found){it, name}));
        vec_push(mem, out.file, ((EmitFile){.name = name, .text = bytes, .size = size}));
    }
    return out.error ? as_they_are(&build, out.error, mem) : out;
}

void external_files_rename(const ExternalFiles *e, EmitFiles *f)
{
    for (uint32_t i = 0; i < f->file.n && e->written.n; i++) {
        Text t = text_new(f->mem);
        bool changed = false;
        for (const char *line = f->file.at[i].text, *end; *line; line = end) {
            bool is_quoted;
            const char *what = included(line, &is_quoted, f->mem), *now = NULL;
            end = next_line(line);
            for (uint32_t k = 0; what && k < e->written.n; k++)
                if (!strcmp(e->written.at[k], what))
                    now = e->header.at[k];
            if (now)
                text_printf(&t, "#include \"%s\"\n", now);
            else
                text_put_n(&t, line, (size_t)(end - line));
            changed = changed || now;
        }
        if (changed) {
            f->file.at[i].text = t.at;
            f->file.at[i].size = t.n;
        }
    }
}

void external_files_add(const ExternalFiles *e, EmitFiles *f)
{
    external_files_rename(e, f);
    for (uint32_t k = 0; k < e->file.n; k++)
        vec_push(f->mem, f->file, e->file.at[k]);
}
