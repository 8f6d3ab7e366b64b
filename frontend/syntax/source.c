#include "frontend/syntax/source.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

uint32_t source_read(Arena *mem, Diags *d, const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f || fstat(fileno(f), &st) != 0) {
        diag_error(d, SPAN_NONE, "P10", "cannot read '%s': %s", path, strerror(errno));
        if (f)
            fclose(f);
        return 0;
    }
    if (!S_ISREG(st.st_mode) || st.st_size > INT32_MAX) {
        diag_error(d, SPAN_NONE, "P10", "cannot read '%s': %s", path,
                   S_ISREG(st.st_mode) ? "it is larger than 2 GiB" : "it is not a regular file");
        fclose(f);
        return 0;
    }
    char *text = arena_alloc(mem, (size_t)st.st_size + 1);
    size_t n = fread(text, 1, (size_t)st.st_size, f);
    bool failed = ferror(f) != 0;
    fclose(f);
    if (failed) {
        diag_error(d, SPAN_NONE, "P10", "cannot read '%s': %s", path, strerror(errno));
        return 0;
    }
    text[n] = 0;
    return diags_add_source(d, arena_copy(mem, path, strlen(path)), text, (uint32_t)n);
}

/* Length of the UTF-8 character at s, 0 when it is none (overlong, surrogate, cut off). */
static uint32_t utf8_length(const unsigned char *s, uint32_t left)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (n <= 1)
        return n;
    if (n > left || s[0] > 0xF4)
        return 0;
    uint32_t code = s[0] & (0xFFu >> (n + 1));
    for (uint32_t k = 1; k < n; k++) {
        if ((s[k] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (s[k] & 0x3Fu);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[n] || code > 0x10FFFF || surrogate ? 0 : n;
}

/* Each byte the character that ISO 8859-1 has for it, as UTF-8; the place of byte `at` in that. */
static uint32_t read_as_latin_1(Arena *mem, Diags *d, uint32_t file, uint32_t at)
{
    const Source *s = diags_source(d, file);
    const unsigned char *text = (const unsigned char *)s->text;
    uint32_t n = 0, moved = 0;
    char *wider = arena_alloc(mem, 2 * (size_t)s->size + 1);
    for (uint32_t i = 0; i < s->size; i++) {
        if (i == at)
            moved = n;
        if (text[i] >= 0x80)
            wider[n++] = (char)(0xC0 | text[i] >> 6);
        wider[n++] = (char)(text[i] < 0x80 ? text[i] : 0x80 | (text[i] & 0x3F));
    }
    wider[n] = 0;
    diags_set_text(d, file, wider, n);
    return moved;
}

bool source_check(Arena *mem, Diags *d, uint32_t file)
{
    const Source *s = diags_source(d, file);
    const unsigned char *text = (const unsigned char *)s->text;
    const unsigned char *zero = s->size ? memchr(text, 0, s->size) : NULL;
    if (zero) {
        uint32_t i = (uint32_t)(zero - text);
        diag_error(d, (Span){file, i, i + 1}, "P09", "byte 0x%02X: this is not a text file",
                   text[i]);
        return false;
    }
    for (uint32_t i = 0, n; i < s->size; i += n) {
        n = utf8_length(text + i, s->size - i);
        if (n > 0)
            continue;
        unsigned char byte = text[i];
        uint32_t at = read_as_latin_1(mem, d, file, i);
        diag_warning(d, (Span){file, at, at + 2}, "P09",
                     "byte 0x%02X is not UTF-8, as Modelica text is (MLS 13.4); this file is read "
                     "as Latin-1",
                     byte);
        return true;
    }
    return true;
}

uint32_t source_lines(const Source *s)
{
    uint32_t n = 0;
    const char *at = s->text;
    const char *end = s->text + s->size;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        n++;
        at++;
    }
    return n + (s->size > 0 && s->text[s->size - 1] != '\n');
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A directory's own files before those of its directories; the list works as the queue, so depth
 * costs no stack. */
void source_find(Arena *mem, Diags *d, const char *path, Texts *files)
{
    Texts todo = {0};
    vec_push(mem, todo, path);
    for (uint32_t k = 0; k < todo.n; k++) {
        struct stat st;
        const char *at = todo.at[k];
        if (stat(at, &st) != 0 || !S_ISDIR(st.st_mode)) {
            /* A path given by the user is read whatever its name, and complained about. */
            vec_push(mem, *files, at);
            continue;
        }
        DIR *dir = opendir(at);
        if (!dir) {
            diag_error(d, SPAN_NONE, "P10", "cannot read '%s': %s", at, strerror(errno));
            continue;
        }
        uint32_t first = todo.n;
        for (struct dirent *e; (e = readdir(dir)) != NULL;) {
            size_t n = strlen(e->d_name);
            const char *sub = arena_printf(mem, "%s/%s", at, e->d_name);
            bool source = n > 3 && strcmp(e->d_name + n - 3, ".mo") == 0;
            if (e->d_name[0] != '.' && (source || (lstat(sub, &st) == 0 && S_ISDIR(st.st_mode))))
                vec_push(mem, todo, sub);
        }
        closedir(dir);
        if (todo.n > first)
            qsort(todo.at + first, todo.n - first, sizeof *todo.at, by_text);
    }
}
