/* Positions of editors and bytes of the text, and names of files. */
#include "language_server/document.h"
#include "language_server/fixes.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *random_text(unsigned *seed, uint32_t n)
{
    static const char *const parts[] = {"a", " ", "\n", "\r\n", "ä", "€", "\U0001D11E", "xyz"};
    char *text = calloc(4 * n + 1, 1);
    for (uint32_t k = 0; k < n; k++) {
        *seed = *seed * 1103515245u + 12345u;
        strcat(text, parts[(*seed >> 16) % (sizeof parts / sizeof *parts)]);
    }
    return text;
}

/* Each byte that begins a character, except a line end's second one, has a position of its own,
 * which leads back to it; positions grow with bytes. */
Test(document, positions_and_bytes)
{
    unsigned seed = 1;
    for (uint32_t n = 0; n < 60; n++) {
        char *text = random_text(&seed, n);
        uint32_t size = (uint32_t)strlen(text);
        Arena *mem = arena_new();
        for (int utf8 = 0; utf8 <= 1; utf8++) {
            Lines lines = lines_of(text, size, utf8, mem);
            Position before = {0, 0};
            for (uint32_t k = 0; k <= size; k++) {
                if (((unsigned char)text[k] & 0xC0) == 0x80)
                    continue;
                Position p = lines_position(&lines, k);
                cr_expect(k == 0 || p.line > before.line || p.column > before.column);
                before = p;
                uint32_t back = position_offset(text, size, p, utf8);
                bool is_second = k > 0 && text[k] == '\n' && text[k - 1] == '\r';
                cr_expect_eq(back, is_second ? k - 1 : k, "size %u, byte %u", n, k);
            }
        }
        free(text);
        arena_free(mem);
    }
}

Test(document, positions_beyond_the_end)
{
    const char *text = "ab\ncd";
    cr_expect_eq(position_offset(text, 5, (Position){0, 9}, false), 2);
    cr_expect_eq(position_offset(text, 5, (Position){1, 9}, false), 5);
    cr_expect_eq(position_offset(text, 5, (Position){7, 0}, false), 5);
    cr_expect_eq(position_offset("", 0, (Position){0, 0}, false), 0);
}

Test(document, replaced_parts)
{
    Documents all = {0};
    Document *d = document_open(&all, "file:///x.mo", "model A", 1);
    document_replace(d, 6, 7, "Bc");
    cr_expect_str_eq(d->text, "model Bc");
    document_replace(d, 0, 0, "partial ");
    document_replace(d, d->size, d->size, "\n");
    cr_expect_str_eq(d->text, "partial model Bc\n");
    cr_expect_eq(d->size, strlen(d->text));
    document_replace(d, 0, d->size, "");
    cr_expect_eq(d->size, 0);
    cr_expect_eq(document_open(&all, "file:///x.mo", "again", 2), d);
    document_close(&all, d);
    cr_expect_null(all.first);
}

Test(document, names_of_files)
{
    Arena *mem = arena_new();
    const char *const paths[] = {"/a/b.mo", "/a b/c%20.mo", "/ä/#?.mo"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        Text uri = text_new(mem);
        put_uri(&uri, paths[k]);
        cr_expect_null(strpbrk(uri.at, " #?"), "%s", uri.at);
        char *back = path_of_uri(uri.at);
        cr_expect_str_eq(back, paths[k]);
        free(back);
    }
    char *path = path_of_uri("file://host/a%2fb%zz");
    cr_expect_str_eq(path, "/a/b%zz");
    free(path);
    path = path_of_uri("untitled:1");
    cr_expect_str_eq(path, "untitled:1");
    free(path);
    arena_free(mem);
}

static void expect_fix(const char *message, const char *edit)
{
    Arena *mem = arena_new();
    Documents all = {0};
    Document *d = document_open(&all, "file:///x.mo", "x = an + n;", 1);
    Text request = text_new(mem), answer = text_new(mem);
    text_printf(&request,
                "{\"context\": {\"diagnostics\": [{\"message\": \"%s\", \"range\": {\"start\": "
                "{\"line\": 0, \"character\": 4}, \"end\": {\"line\": 0, \"character\": 10}}}]}}",
                message);
    cJSON *params = cJSON_Parse(request.at);
    fixes_put(d, false, params, &answer);
    cr_expect(edit ? strstr(answer.at, edit) != NULL : strcmp(answer.at, "[]") == 0, "%s: %s",
              message, answer.at);
    cJSON_Delete(params);
    document_close(&all, d);
    arena_free(mem);
}

Test(fixes, names_in_messages)
{
    const char *range =
        "\"range\": {\"start\": {\"line\": 0, \"character\": 9}, \"end\": {\"line\": 0, "
        "\"character\": 10}}, \"newText\": \"m\"";
    expect_fix("there is no 'n'; did you mean 'm'?", range); /* the word, no part of 'an' */
    expect_fix("'an' has no 'n' here; did you mean 'm'?", range);
    expect_fix("there is no 'q'; did you mean 'm'?", NULL);
    expect_fix("there is no n; did you mean 'm'?", NULL);
    expect_fix("; did you mean 'm", NULL);
    expect_fix("there is no 'n'", NULL);
}
