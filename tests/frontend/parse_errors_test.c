/* tests/errors/parse: each error stands on its own line as `// error P03: text`. */
#include "frontend/syntax/load.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/source.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <string.h>

/* The k-th error, notes left out; NULL behind the last. */
static const Diag *error_at(const Diags *d, uint32_t k)
{
    for (uint32_t i = 0; i < diags_count(d); i++) {
        const Diag *x = diags_at(d, i);
        if (x->severity == DIAG_ERROR && k-- == 0)
            return x;
    }
    return NULL;
}

static void check_file(const char *path)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    uint32_t file = source_read(mem, d, path);
    cr_assert(file, "%s", path);
    const SynFile *f = parse_file(mem, names_new(mem), d, file);
    cr_expect(f->errors > 0, "%s has no error", path);
    cr_expect_eq(f->errors, diags_errors(d), "%s", path);

    const char *text = diags_source(d, file)->text;
    uint32_t line = 1;
    uint32_t n = 0;
    for (const char *at = text; at && *at; line++) {
        const char *end = strchr(at, '\n');
        const char *mark = strstr(at, "// error ");
        if (mark && (!end || mark < end)) {
            int len = end ? (int)(end - mark) : (int)strlen(mark);
            const Diag *x = error_at(d, n++);
            cr_assert_not_null(x, "%s:%u: not reported: %.*s", path, line, len, mark);
            Place p = diags_place(d, file, x->span.begin);
            cr_expect_eq(p.line, line, "%s:%u: '%s' where '%.*s' was due (line %u)", path, p.line,
                         x->text, len, mark, line);
            cr_expect_eq(strncmp(mark + 9, x->code, 3), 0, "%s:%u: %s", path, line, x->code);
            const char *want = arena_copy(mem, mark + 14, (size_t)len - 14);
            cr_expect_not_null(strstr(x->text, want), "%s:%u: '%s' does not say '%s'", path, line,
                               x->text, want);
        }
        at = end ? end + 1 : NULL;
    }
    const Diag *more = error_at(d, n);
    cr_expect_null(more, "%s: not expected: %s", more ? diags_where(d, more->span) : "",
                   more ? more->text : "");
    arena_free(mem);
}

Test(parse_errors, on_their_lines)
{
    const char *folder = RUNG_SOURCE_DIR "/tests/errors/parse";
    DIR *dir = opendir(folder);
    cr_assert_not_null(dir);
    int n = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        if (!strstr(e->d_name, ".mo"))
            continue;
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        check_file(path);
        n++;
    }
    closedir(dir);
    cr_expect(n >= 10);
}

Test(parse_errors, files_that_are_no_text)
{
    static const struct {
        const char *text;
        size_t n;
        const char *code;
        bool is_read;
    } cases[] = {
        {"\x7F"
         "ELF\0\1\2",
         7, "P09", false},
        {"model A \0 end A;", 16, "P09", false},
        {"model A \"\xC3\x28\" end A;", 19, "P09", true},
        {"model A \"\xED\xA0\x80\" end A;", 20, "P09", true},
        {"model A \"\xC0\xAF\" end A;", 19, "P09", true},
        {"model A \"\xF4\x90\x80\x80\" end A;", 21, "P09", true},
        {"// \xC3", 4, "P09", true},
        {"model A \xE2\x82\xAC end A;", 17, "P04", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Arena *mem = arena_new();
        Diags *d = diags_new(mem);
        const char *text = arena_copy(mem, cases[k].text, cases[k].n);
        uint32_t file = diags_add_source(d, "x.mo", text, (uint32_t)cases[k].n);
        bool is_read = parse_file(mem, names_new(mem), d, file)->errors == 0;
        cr_expect_eq(is_read, cases[k].is_read, "case %zu", k);
        cr_expect_str_eq(diags_at(d, 0)->code, cases[k].code, "case %zu", k);
        arena_free(mem);
    }
}

/* The same class, its text in one encoding and in the other. */
Test(parse_errors, latin_1_is_read_as_such)
{
    static const char *const texts[] = {
        "model A \"Gr\xC3\xB6\xC3\x9F"
        "e\" parameter Real x = 1; end A; // \xC3\xA4",
        "model A \"Gr\xF6\xDF"
        "e\" parameter Real x = 1; end A; // \xE4",
    };
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    const char *read[2];
    for (int k = 0; k < 2; k++) {
        uint32_t file = diags_add_source(d, "x.mo", texts[k], (uint32_t)strlen(texts[k]));
        cr_expect_eq(parse_file(mem, names_new(mem), d, file)->errors, 0);
        read[k] = diags_source(d, file)->text;
    }
    cr_expect_str_eq(read[0], read[1]);
    cr_expect_eq(diags_count(d), 1);
    cr_expect_str_eq(diags_where(d, diags_at(d, 0)->span), "x.mo:1:12");
    arena_free(mem);
}

Test(parse_errors, own_models_round_trip)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    char *paths[] = {RUNG_SOURCE_DIR "/library", RUNG_SOURCE_DIR "/examples"};
    cr_expect_eq(parse_report(mem, d, paths, 2, true).errors, 0);
    diags_print(d, stderr, false);
    char *broken[] = {RUNG_SOURCE_DIR "/tests/errors/parse", "/dev/null/below.mo"};
    cr_expect_gt(parse_report(mem, d, broken, 2, true).errors, 0);
    arena_free(mem);
}
