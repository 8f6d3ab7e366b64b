#include "base/hash.h"
#include "emit/code/quote.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Test(quote, numbers_read_back_as_they_are)
{
    Arena *mem = arena_new();
    for (uint64_t k = 0; k < 20000; k++) {
        uint64_t bits = hash_word(k);
        double x, back;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        if (k % 2)
            x = (double)(int64_t)(bits % 2001) / 8 - 125;
        Text t = text_new(mem);
        text_number(&t, x);
        back = strtod(t.at, NULL);
        cr_assert(memcmp(&x, &back, sizeof x) == 0 || x == back, "%a as %s", x, t.at);
        cr_assert_not_null(strpbrk(t.at, ".e"), "%s would be an int", t.at);
        cr_assert_leq(strlen(t.at), 25u);
    }
    const struct {
        double x;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {1, "1.0"},
                 {-2.5, "-2.5"},
                 {1e300, "1e+300"},
                 {NAN, "NAN"},
                 {INFINITY, "HUGE_VAL"},
                 {-INFINITY, "-HUGE_VAL"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Text t = text_new(mem);
        text_number(&t, cases[k].x);
        cr_assert_str_eq(t.at, cases[k].text);
    }
    arena_free(mem);
}

/* What a string literal holds by C11 6.4.4.4, or several of them, one a line (6.4.5); trigraphs
 * would have been replaced before. */
static void read_literal(const char *s, char *out)
{
    cr_assert(*s++ == '"' && !strstr(s, "??"));
    while (*s != '"' || s[1] == '\n') {
        if (*s == '"') {
            cr_assert(s[2] == '"');
            s += 3;
            continue;
        }
        cr_assert(*s >= 32 && *s < 127);
        if (*s != '\\') {
            *out++ = *s++;
        } else if (isdigit((unsigned char)*++s)) {
            int c = 0;
            for (int n = 0; n < 3 && *s >= '0' && *s <= '7'; n++)
                c = 8 * c + *s++ - '0';
            *out++ = (char)c;
        } else {
            *out++ = *s++;
        }
    }
    cr_assert_eq(s[1], 0);
    *out = 0;
}

Test(quote, strings_read_back_as_they_are)
{
    Arena *mem = arena_new();
    char all[256], back[300];
    for (int c = 1; c < 256; c++)
        all[c - 1] = (char)c;
    all[255] = 0;
    const char *const texts[] = {all, "", "\\", "\"", "?\?=", "\n9", "\0011", "a\\\"b", "/* */"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Text t = text_new(mem);
        text_string(&t, texts[k]);
        read_literal(t.at, back);
        cr_assert_str_eq(back, texts[k]);
    }
    // all of a long one
    char *longer = arena_array(mem, char, 9001), *read = arena_array(mem, char, 9001);
    for (int k = 0; k < 4500; k++)
        memcpy(longer + 2 * k, "\xc3\xa4", 2);
    Text t = text_new(mem);
    text_string(&t, longer + 1);
    read_literal(t.at, read);
    cr_assert_str_eq(read, longer + 1);
    arena_free(mem);
}

Test(quote, no_comment_ends_early)
{
    static const char letters[] = "*/?a\\\n";
    Arena *mem = arena_new();
    for (unsigned seed = 0; seed < 2000; seed++) {
        srand(seed);
        char text[12] = "";
        for (int k = 0; k < 11; k++)
            text[k] = letters[(size_t)rand() % (sizeof letters - 1)];
        Text t = text_new(mem);
        text_comment(&t, text);
        cr_assert_eq(strncmp(t.at, "/* ", 3), 0);
        const char *end = strstr(t.at + 2, "*/");
        cr_assert(end && !end[2], "%s", t.at);
        cr_assert(!strchr(t.at, '\n') && !strstr(t.at + 2, "/*") && !strstr(t.at, "??"), "%s",
                  t.at);
    }
    arena_free(mem);
}

Test(quote, xml_has_its_five_characters_replaced)
{
    Arena *mem = arena_new();
    Text t = text_new(mem);
    text_xml(&t, "<a b=\"c\"> & \x01");
    cr_assert_str_eq(t.at, "&lt;a b=&quot;c&quot;&gt; &amp;  ");
    arena_free(mem);
}

Test(quote, identifiers_and_words)
{
    Arena *mem = arena_new();
    const char *const names[] = {
        "A.B(n=3)", "3D", "",
        "'odd'",    "_x", "a_very_long_name_that_goes_on_and_on_until_nobody_wants_to_read_it"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *id = text_identifier(mem, names[k]);
        cr_assert(isalpha((unsigned char)id[0]) && strlen(id) <= 61, "%s", id);
        for (const char *s = id; *s; s++)
            cr_assert(isalnum((unsigned char)*s) || *s == '_');
    }
    cr_assert_str_eq(text_identifier(mem, "A.B"), "A_B");
    cr_assert(text_has_word("t1 + w[3]", "w") && text_has_word("t1", "t1"));
    cr_assert(!text_has_word("t12 + tt1 + t1_", "t1"));
    arena_free(mem);
}
