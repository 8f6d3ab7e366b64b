/* Tables are read back by what generated code reads them with. */
#include "emit/model/table.h"
#include "runtime/kernel/rung_table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t draw(unsigned *seed, uint32_t n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

/* The rows of the literal that array `name` is initialised with, as a compiler would place them. */
static char *rows_of(const Text *t, const char *name, Arena *mem)
{
    char head[80];
    snprintf(head, sizeof head, "static const char %s[", name);
    const char *s = strstr(t->at, head);
    cr_assert_not_null(s, "%s", name);
    unsigned long n = strtoul(s + strlen(head), NULL, 10);
    char *rows = arena_alloc(mem, (n + 1) * RUNG_ROW);
    for (unsigned long k = 0; k < n; k++) {
        s = strchr(s, '"') + 1;
        size_t used = 0;
        for (; *s != '"'; s++) {
            char c = *s;
            if (c == '\\') {
                bool octal = s[1] >= '0' && s[1] <= '7';
                c = octal ? (char)strtol((char[]){s[1], s[2], s[3], 0}, NULL, 8) : s[1];
                s += octal ? 3 : 1;
            }
            cr_assert_lt(used, (size_t)RUNG_ROW - 1);
            rows[k * RUNG_ROW + used++] = c;
        }
        s++;
    }
    return rows;
}

/* Stretches that move on evenly, with plain numbers between them. */
static uint32_t random_numbers(unsigned *seed, uint32_t *value, uint64_t *token)
{
    uint32_t n = 0;
    for (uint32_t piece = 1 + draw(seed, 6); piece; piece--) {
        uint32_t period = 1 + draw(seed, 30), count = draw(seed, 20), kinds = 1 + draw(seed, 3);
        uint32_t base[30], stride[30];
        for (uint32_t j = 0; j < period; j++) {
            base[j] = draw(seed, 1u << 20);
            stride[j] = draw(seed, 5) - 2;
        }
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < period; j++, n++) {
                value[n] = base[j] + i / kinds * stride[j] + (i % kinds) * 1000;
                token[n] = 100 * piece + j;
            }
        for (uint32_t k = draw(seed, 12); k; k--, n++) {
            value[n] = draw(seed, 1u << 24) << draw(seed, 9);
            token[n] = 1000 + draw(seed, 3);
        }
    }
    return n;
}

enum { MOST = 6 * (30 * 20 + 12) };

Test(table, numbers_read_as_they_were_written)
{
    for (unsigned round = 0; round < 200; round++) {
        Arena *mem = arena_new();
        unsigned seed = round;
        uint32_t *value = arena_array(mem, uint32_t, MOST), *got = arena_array(mem, uint32_t, MOST);
        uint64_t *token = arena_array(mem, uint64_t, MOST);
        uint32_t n = random_numbers(&seed, value, token);
        Text out = text_new(mem);
        Tables t = tables_new(&out, mem);
        Repeats by_token = table_repeats(n, token, mem), steady = table_steady(n, value, mem);
        table_numbers(&t, (TableColumn){"a[0]", "sizeof *a", n, &by_token}, value);
        table_numbers(&t, (TableColumn){"b[0]", "sizeof *b", n, &steady}, value);
        for (int k = 1; n && k <= 2; k++) {
            rung_fill(got, sizeof *got, n,
                      rows_of(&out, k == 1 ? "sequence_1" : "sequence_2", mem));
            for (uint32_t i = 0; i < n; i++)
                cr_assert_eq(got[i], value[i], "round %u, number %u", round, i);
        }
        arena_free(mem);
    }
}

Test(table, what_recurs_is_told_once)
{
    size_t size[2];
    for (int big = 0; big < 2; big++) {
        Arena *mem = arena_new();
        uint32_t n = big ? 70000 : 700;
        uint32_t *value = arena_array(mem, uint32_t, n);
        for (uint32_t k = 0; k < n; k++)
            value[k] = 100 * (k % 7) + k / 7 * 3;
        Text out = text_new(mem);
        Tables t = tables_new(&out, mem);
        Repeats steady = table_steady(n, value, mem);
        table_numbers(&t, (TableColumn){"a[0]", "sizeof *a", n, &steady}, value);
        size[big] = out.n;
        arena_free(mem);
    }
    cr_assert_leq(size[1], size[0] + 8);
}

Test(table, texts_read_as_they_were_written)
{
    Arena *mem = arena_new();
    static const char *const part[] = {"r[%u]",          "T[%u,2]",   "a[0%u]", "plain",
                                       "x[12345678901]", "\"?\\[%u]", "c[%u"};
    enum { BODIES = 300, PARTS = sizeof part / sizeof *part, N = BODIES * PARTS };
    char(*want)[80] = arena_alloc(mem, (size_t)N * 80);
    uint64_t *token = arena_array(mem, uint64_t, N);
    Text out = text_new(mem);
    Tables t = tables_new(&out, mem);
    Patterns texts = {0};
    for (uint32_t k = 0; k < N; k++) {
        char name[40];
        snprintf(name, sizeof name, part[k % PARTS], k % 5);
        snprintf(want[k], sizeof want[k], "body[%u].%s", k / PARTS, name);
        token[k] = table_shape(want[k]);
        table_text(&t, &texts, want[k]);
    }
    Repeats repeats = table_repeats(N, token, mem);
    table_texts(&t, (TableColumn){"a[0]", "4", N, &repeats}, &texts, "buffer", true);
    tables_done(&t, "fill");
    char *names = arena_alloc(mem, texts.size);
    RungTexts from = {names, rows_of(&out, "pattern", mem), rows_of(&out, "sequence_1", mem),
                      rows_of(&out, "sequence_2", mem)};
    uint32_t *offset = arena_array(mem, uint32_t, N);
    const char **pointer = arena_array(mem, const char *, N);
    rung_fill_offsets(offset, sizeof *offset, N, from);
    from.to = arena_alloc(mem, texts.marked);
    rung_fill_texts(pointer, sizeof *pointer, N, from);
    for (uint32_t k = 0; k < N; k++) {
        cr_assert_str_eq(names + offset[k], want[k]);
        cr_assert_str_eq(pointer[k], want[k]);
    }
    arena_free(mem);
}
