#include "base/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of random length, put and printed in turn, against one array. */
Test(text, holds_what_was_put)
{
    enum { PIECES = 300, LONGEST = 900 };
    Arena *mem = arena_new();
    for (unsigned seed = 0; seed < 20; seed++) {
        srand(seed);
        char *want = arena_array(mem, char, PIECES *LONGEST + 1), piece[LONGEST + 1];
        size_t n = 0;
        Text t = text_new(mem);
        for (int k = 0; k < PIECES; k++) {
            size_t size = (size_t)(rand() % 4 ? rand() % 20 : rand() % LONGEST);
            memset(piece, 'a' + k % 26, size);
            piece[size] = 0;
            if (k % 3 == 0)
                text_put(&t, piece);
            else if (k % 3 == 1)
                text_put_n(&t, piece, size);
            else
                text_printf(&t, "%s", piece);
            memcpy(want + n, piece, size + 1);
            n += size;
            cr_assert_eq(t.n, n);
        }
        cr_assert_str_eq(t.at, want, "seed %u", seed);
    }
    arena_free(mem);
}

Test(text, is_empty_again_once_cleared)
{
    Arena *mem = arena_new();
    Text t = text_new(mem);
    text_clear(&t);
    text_put(&t, "before");
    size_t bytes = arena_bytes(mem);
    text_clear(&t);
    cr_assert_eq(t.n, 0u);
    cr_assert_str_eq(t.at, "");
    text_printf(&t, "%d", 7);
    cr_assert_str_eq(t.at, "7");
    cr_assert_eq(arena_bytes(mem), bytes);
    arena_free(mem);
}

/* The test vectors of RFC 4648, section 10. */
Test(text, puts_base64)
{
    static const char *const want[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                       "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    Arena *mem = arena_new();
    for (size_t n = 0; n <= 6; n++) {
        Text t = text_new(mem);
        text_put(&t, "");
        text_put_base64(&t, "foobar", n);
        cr_assert_str_eq(t.at, want[n]);
    }
    arena_free(mem);
}

/* As many digits as read back, and one less does not. */
Test(text, fewest_digits)
{
    static const struct {
        double value;
        int digits;
    } of[] = {{0, 1}, {-1e22, 1}, {0.005, 1}, {1500, 2}, {0.1 + 0.2, 17}, {1. / 3, 16}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        cr_assert_eq(text_digits(of[k].value), of[k].digits, "%.17g", of[k].value);
}
