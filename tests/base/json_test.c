#include "base/json.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Test(json, separates_nests_and_breaks_lines)
{
    Arena *mem = arena_new();
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_array(&j, "rows");
    for (uint64_t k = 0; k < 2; k++) {
        json_line(&j, 2);
        json_array(&j, NULL);
        json_count(&j, NULL, k);
        json_bool(&j, NULL, k > 0);
        json_close(&j);
    }
    json_line(&j, 0);
    json_close(&j);
    json_object(&j, "none");
    json_close(&j);
    json_close(&j);
    cr_assert_str_eq(t.at, "{\"rows\": [\n  [0, false],\n  [1, true]\n], \"none\": {}}");
    arena_free(mem);
}

Test(json, numbers_keep_what_they_are)
{
    Arena *mem = arena_new();
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_array(&j, NULL);
    json_count(&j, NULL, UINT64_MAX);
    json_number(&j, NULL, 1.0 / 3, 3);
    json_number(&j, NULL, 0.1, 17);
    json_number(&j, NULL, NAN, 3);
    json_number(&j, NULL, -INFINITY, 3);
    json_close(&j);
    cr_assert_str_eq(t.at, "[18446744073709551615, 0.333, 0.10000000000000001, null, null]");
    arena_free(mem);
}

/* What a string means by RFC 8259, section 7. */
static void read_string(const char *s, char *out)
{
    cr_assert_eq(*s++, '"');
    for (; *s != '"'; s++) {
        cr_assert_geq((unsigned char)*s, 32);
        if (*s != '\\')
            *out++ = *s;
        else if (*++s != 'u')
            *out++ = *s;
        else
            *out++ = (char)strtol((char[]){s[1], s[2], s[3], s[4], 0}, NULL, 16), s += 4;
    }
    cr_assert_eq(s[1], 0);
    *out = 0;
}

Test(json, any_text_can_be_read_back)
{
    Arena *mem = arena_new();
    char all[256];
    for (int c = 1; c < 256; c++)
        all[c - 1] = (char)c;
    all[255] = 0;
    const char *const texts[] = {all, "", "\\\"", "\\u0041", "a\n\"b\"\\"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Text t = text_new(mem);
        Json j = json_new(&t);
        json_text(&j, NULL, texts[k]);
        char back[300];
        read_string(t.at, back);
        cr_assert_str_eq(back, texts[k]);
    }
    arena_free(mem);
}
