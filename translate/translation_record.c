#include "translate/translation_record.h"

#include "emit/model/build.h"
#include "translate/compilation.h"
#include "translate/data.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Raised when a record holds something else. */
static const char HEAD[] = "rung translation 4";

const char *translation_record_name(const Request *r, Arena *mem)
{
    Digest self, compiler = build_compiler(mem);
    char path[PATH_MAX], digits[DIGEST_TEXT];
    // warnings on coloured differences come from the method, not from the translation: not recorded
    bool is_coloured = r->jacobian == DERIVATIVES_COLOURED;
    if (is_coloured || !digest_file("/proc/self/exe", &self) || !getcwd(path, sizeof path))
        return NULL;
    Digester *to = digester_new();
    digester_text(to, HEAD);
    digester_add(to, &self, sizeof self);
    digester_add(to, &compiler, sizeof compiler);
    digester_text(to, path);
    digester_text(to, getenv("MODELICAPATH"));
    digester_text(to, data_directory(mem, "library/tool"));
    digester_text(to, data_directory(mem, "library"));
    request_digest(r, to);
    digest_print(digester_end(to), digits);
    return arena_printf(mem, "%s.txt", digits);
}

/* "word rest of the line", taken from *at; NULL if the line does not begin so. */
static char *line_of(char **at, const char *word)
{
    size_t n = strlen(word);
    char *line = *at, *end = strchr(line, '\n');
    if (!end || strncmp(line, word, n) != 0 || (line[n] != ' ' && line[n] != '\n'))
        return NULL;
    *end = 0;
    *at = end + 1;
    return line[n] ? line + n + 1 : line + n;
}

/* A text of several lines, whose length stands in a line before it; NULL if there is none. */
static const char *text_of(char **at, const char *word, Arena *mem)
{
    const char *size = line_of(at, word);
    size_t n = size ? strtoul(size, NULL, 10) : 0;
    if (!size || strlen(*at) < n)
        return NULL;
    *at += n;
    return arena_copy(mem, *at - n, n);
}

bool translation_record_read(TranslationRecord *r, Cache *cache, const char *name, Arena *mem)
{
    size_t n;
    char *at = cache_read(cache, name, mem, &n);
    *r = (TranslationRecord){0};
    if (!at || !line_of(&at, HEAD) || !(r->model = line_of(&at, "model")) ||
        !(r->class_name = line_of(&at, "class")))
        return false;
    const char *redundant = line_of(&at, "redundant");
    const char *preferred = redundant ? line_of(&at, "preferred") : NULL;
    r->entry = preferred ? line_of(&at, "entry") : NULL;
    r->messages = r->entry ? text_of(&at, "said", mem) : NULL;
    r->geometry = r->messages ? text_of(&at, "geometry", mem) : NULL;
    if (!r->geometry)
        return false;
    r->may_be_redundant = *redundant == '1';
    r->has_preferred = *preferred == '1';
    r->depends = at;
    return dependencies_hold(r->depends);
}

void translation_record_keep(const TranslationRecord *r, Cache *cache, const char *name, Arena *mem)
{
    if (strchr(r->model, '\n'))
        return;
    Text t = text_new(mem);
    text_printf(&t,
                "%s\nmodel %s\nclass %s\nredundant %d\npreferred %d\nentry %s\nsaid "
                "%zu\n%sgeometry %zu\n%s%s",
                HEAD, r->model, r->class_name, r->may_be_redundant, r->has_preferred, r->entry,
                strlen(r->messages), r->messages, strlen(r->geometry), r->geometry, r->depends);
    cache_put(cache, name, t.at, t.n);
}
