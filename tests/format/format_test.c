/* Formatting changes white space alone, and changes nothing the second time. */
#include "format/format.h"
#include "format/line_diff.h"
#include "format/token_list.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/source.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static bool format_text(Arena *mem, Diags *d, const char *text, size_t n, Text *out)
{
    uint32_t file = diags_add_source(d, "x.mo", text, (uint32_t)n);
    *out = text_new(mem);
    return format_source(mem, d, file, out);
}

static void expect_layout(const char *before, const char *after)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    Text out;
    bool ok = format_text(mem, d, before, strlen(before), &out);
    if (!ok)
        diags_print(d, stderr, false);
    cr_expect(ok);
    if (ok)
        cr_expect_str_eq(out.at, after);
    arena_free(mem);
}

Test(format, one_line_becomes_many)
{
    expect_layout("model A Real x(start=1)=2 \"d\";equation der(x)=-x*( 2+3 )^2;if x>1 then "
                  "x=1;end if;end A;",
                  "model A\n"
                  "  Real x(start = 1) = 2 \"d\";\n"
                  "equation\n"
                  "  der(x) = -x*(2 + 3)^2;\n"
                  "  if x > 1 then\n"
                  "    x = 1;\n"
                  "  end if;\n"
                  "end A;\n");
}

Test(format, comments_stay)
{
    expect_layout("// first\n\n\n\nwithin A ;//behind\n"
                  "model A //of the class\n"
                  "     // own line\n"
                  "Real x /*kind*/ ;  /* behind */\n"
                  "   // last\n"
                  "end A; /* end */",
                  "// first\n\nwithin A; //behind\n"
                  "model A //of the class\n"
                  "  // own line\n"
                  "  Real x /*kind*/; /* behind */\n"
                  "  // last\n"
                  "end A; /* end */\n");
}

Test(format, comments_inside_lists)
{
    expect_layout(
        "model A Real x(start=1, // why\n fixed=true, /*a*/ min /*b*/ =0\n// last\n); end A;",
        "model A\n"
        "  Real x(start = 1, // why\n"
        "    fixed = true, /*a*/ min /*b*/ = 0\n"
        "    // last\n"
        "    );\n"
        "end A;\n");
}

Test(format, lines_of_a_comment_move_together)
{
    expect_layout("model A\n/* a\n     b\n   c */\nReal x; end A;",
                  "model A\n  /* a\n       b\n     c */\n  Real x;\nend A;\n");
}

Test(format, rows_of_a_matrix_stay)
{
    expect_layout("model A parameter Real m[2,2]=[1,2;\n3,4], k[2,2]=[1,2;3,4]; end A;",
                  "model A\n"
                  "  parameter Real m[2, 2] = [\n"
                  "    1, 2;\n"
                  "    3, 4], k[2, 2] = [1, 2; 3, 4];\n"
                  "end A;\n");
}

Test(format, numbers_below_each_other)
{
    expect_layout("model A parameter Real m[:,2]=[0,-1.5;\n10,+2;-1e3, 4]; end A;",
                  "model A\n"
                  "  parameter Real m[:, 2] = [\n"
                  "       0, -1.5;\n"
                  "      10,   +2;\n"
                  "    -1e3,    4];\n"
                  "end A;\n");
    expect_layout("model A parameter Real m[:,2]=[0,a;\n10,2]; end A;",
                  "model A\n"
                  "  parameter Real m[:, 2] = [\n"
                  "    0, a;\n"
                  "    10, 2];\n"
                  "end A;\n");
}

Test(format, numbers_keep_off_dots)
{
    expect_layout("model A Real x[2]=2 .*{1,2}.^2.-3.*{1,1}; end A;",
                  "model A\n  Real x[2] = 2 .* {1, 2}.^2. - 3.*{1, 1};\nend A;\n");
}

Test(format, annotation_is_folded_or_has_a_line_for_each)
{
    expect_layout("model A\n annotation(\n  Icon(\n graphics={\n Line(points={{0,0}})}));\nend A;",
                  "model A\n  annotation(Icon(graphics = {Line(points = {{0, 0}})}));\nend A;\n");
    expect_layout("model A annotation(Documentation(info=\"a\nb\"),experiment(StopTime=1));end A;",
                  "model A\n"
                  "  annotation(\n"
                  "    Documentation(info = \"a\nb\"),\n"
                  "    experiment(StopTime = 1));\n"
                  "end A;\n");
}

Test(format, line_ends_and_mark_of_the_file)
{
    expect_layout("\xEF\xBB\xBFmodel A\r\n\r\n\r\n  Real x \"a\nb\";\r\nend A;",
                  "\xEF\xBB\xBFmodel A\r\n\r\n  Real x\r\n    \"a\nb\";\r\nend A;\r\n");
    expect_layout("", "");
    expect_layout("\n\n", "");
    expect_layout("// only a comment", "// only a comment\n");
    expect_layout("model A \"\xE9\" end A;", "model A \"\xE9\"\nend A;\n"); /* Latin-1 */
}

Test(format, syntax_error_gives_nothing)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    Text out;
    cr_expect_not(format_text(mem, d, "model A Real end A;", 19, &out));
    cr_expect(diags_errors(d) > 0);
    cr_expect_eq(out.n, 0);
    arena_free(mem);
}

/* ---- Files, as they are and with other white space and comments ---------------------------- */

static const char *random_gap(unsigned *seed)
{
    static const char *const gaps[] = {
        " ",         " ",          " ",    " ",          " ",        " ",
        " ",         "\n",         "\n\n", "\n\n\n",     " // c \n", " //\n",
        " /* c */ ", "\n/* c */ ", "\t",   "\n  // c\n", " /**/\n",  "\n /*a\n b\n*/\n",
        " /*a\nb*/ "};
    *seed = *seed * 1103515245u + 12345u;
    return gaps[(*seed >> 16) % (sizeof gaps / sizeof *gaps)];
}

/* The tokens of the source with random gaps; with_lines: else blanks alone. */
static Text scramble(Arena *mem, Diags *d, uint32_t file, unsigned seed, bool with_lines)
{
    TokenList list = token_list(mem, names_new(mem), d, file);
    const char *text = diags_source(d, file)->text;
    Text out = text_new(mem);
    text_put(&out, "");
    for (uint32_t k = 0; k < list.token.n; k++) {
        const SourceToken *t = &list.token.at[k];
        text_put_n(&out, text + t->begin, t->end - t->begin);
        if (t->kind == TOK_EOF)
            break;
        text_put(&out, with_lines ? random_gap(&seed) : seed % 2 ? "\t " : " ");
    }
    return out;
}

static void expect_same_again(Arena *mem, Diags *d, const char *path, unsigned seed,
                              const Text *text)
{
    Text again;
    bool ok = format_text(mem, d, text->at, text->n, &again);
    cr_expect(ok, "%s, seed %u: the result does not parse", path, seed);
    cr_expect(ok && strcmp(text->at, again.at) == 0, "%s, seed %u: not the same again", path, seed);
}

static size_t without_blanks(const char *text, size_t n, char *out)
{
    size_t m = 0;
    for (size_t k = 0; k < n; k++)
        if ((unsigned char)text[k] > ' ')
            out[m++] = text[k];
    return m;
}

/* A second look at the text: all that is no white space stays. */
static void expect_same_characters(Arena *mem, const char *path, const Source *s, const Text *text)
{
    char *a = arena_alloc(mem, s->size + 1), *b = arena_alloc(mem, text->n + 1);
    size_t n = without_blanks(s->text, s->size, a), m = without_blanks(text->at, text->n, b);
    cr_expect(n == m && memcmp(a, b, n) == 0, "%s: other characters", path);
}

/* Lines with more than 100 columns, outside of texts and comments, have a word that is long. */
static void expect_short_lines(const char *path, const Text *text)
{
    bool in_text = false, in_comment = false;
    uint32_t column = 0, word = 0, longest = 0, line = 1;
    bool counts = true; /* the line has no part of a text of several lines, no comment */
    for (size_t k = 0; k < text->n; k++) {
        char c = text->at[k];
        if (c == '\n') {
            cr_expect(!counts || column <= 100 || longest > 48, "%s:%u: %u columns", path, line,
                      column);
            column = word = longest = 0;
            line++;
            counts = !in_text && !in_comment;
            continue;
        }
        column += ((unsigned char)c & 0xC0) != 0x80;
        word = c == ' ' && !in_text ? 0 : word + 1;
        longest = word > longest ? word : longest;
        if (in_text && c == '\\')
            column++, k++;
        else if (in_comment)
            in_comment = !(c == '/' && text->at[k - 1] == '*');
        else if (c == '"')
            in_text = !in_text;
        else if (!in_text && c == '/' && (text->at[k + 1] == '*' || text->at[k + 1] == '/')) {
            counts = false;
            in_comment = text->at[k + 1] == '*';
            while (!in_comment && k + 1 < text->n && text->at[k + 1] != '\n')
                k++;
        }
        counts = counts && !(in_text && strchr("\n\r", text->at[k + 1]));
    }
}

static uint32_t check_files(const char *folder, unsigned seeds)
{
    Arena *mem = arena_new();
    Texts files = {0};
    Diags *d = diags_new(mem);
    uint32_t n = 0;
    source_find(mem, d, folder, &files);
    for (uint32_t k = 0; k < files.n; k++) {
        Arena *scratch = arena_new();
        Diags *own = diags_new(scratch);
        Text text = text_new(scratch), spaced[2];
        uint32_t file = source_read(scratch, own, files.at[k]);
        Source s = file ? *diags_source(own, file) : (Source){0};
        bool parses = file && format_source(scratch, own, file, &text);
        for (uint32_t i = 0; i < diags_count(own); i++)
            cr_expect_str_neq(diags_at(own, i)->code, "P16", "%s", files.at[k]);
        if (parses) {
            n++;
            expect_same_characters(scratch, files.at[k], &s, &text);
            expect_same_again(scratch, own, files.at[k], 0, &text);
            expect_short_lines(files.at[k], &text);
            for (unsigned seed = 1; seed <= seeds; seed++) {
                Text wild = scramble(scratch, own, file, seed, true), out;
                bool ok = format_text(scratch, own, wild.at, wild.n, &out);
                cr_expect(ok, "%s, seed %u", files.at[k], seed);
                if (ok)
                    expect_same_again(scratch, own, files.at[k], seed, &out);
            }
            for (unsigned i = 0; i < 2; i++) {
                Text flat = scramble(scratch, own, file, i, false);
                cr_expect(format_text(scratch, own, flat.at, flat.n, &spaced[i]));
            }
            cr_expect_str_eq(spaced[0].at, spaced[1].at, "%s: two layouts", files.at[k]);
        }
        arena_free(scratch);
    }
    arena_free(mem);
    return n;
}

Test(format, files_of_this_repository)
{
    cr_expect(check_files(RUNG_SOURCE_DIR "/library", 1) > 100);
    cr_expect(check_files(RUNG_SOURCE_DIR "/examples", 5) > 10);
    cr_expect(check_files(RUNG_SOURCE_DIR "/tests", 1) > 300);
}

/* Those of MODELICAPATH: the Modelica Standard Library, if it is there. */
Test(format, files_of_libraries)
{
    const char *folders = getenv("MODELICAPATH");
    Arena *mem = arena_new();
    uint32_t n = 0;
    for (const char *at = folders ? folders : ""; *at; at += strcspn(at, ":"), at += *at == ':')
        n += check_files(arena_copy(mem, at, strcspn(at, ":")), 1);
    if (n == 0)
        fputs("skipped: MODELICAPATH names no libraries\n", stderr);
    arena_free(mem);
}

/* ---- Differences ------------------------------------------------------------------------- */

static void expect_diff(const char *old, const char *new, const char *diff)
{
    Arena *mem = arena_new();
    Text out = text_new(mem), a = text_new(mem), b = text_new(mem);
    text_put(&a, old);
    text_put(&b, new);
    text_put(&out, "");
    line_diff("f", &a, &b, &out);
    cr_expect_str_eq(out.at, diff);
    arena_free(mem);
}

Test(line_diff, changed_lines_with_three_around)
{
    expect_diff("a\nb\n", "a\nb\n", "");
    expect_diff(
        "a\n b\nc", "a\nb\n\nc\n",
        "--- f\n+++ f\n@@ -1,3 +1,4 @@\n a\n- b\n-c\n\\ No newline at end of file\n+b\n+\n+c\n");
    expect_diff("1\n2\n3\n4\n 5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
                "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n- 5\n+5\n 6\n 7\n 8\n");
    expect_diff("", "a\n", "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n");
}
