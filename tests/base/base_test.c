#include "base/diag.h"
#include "base/map.h"
#include "base/name.h"
#include "base/sort.h"
#include "base/thread.h"
#include "base/vec.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(arena, rollback_gives_back_only_what_came_after)
{
    Arena *mem = arena_new();
    char *kept = arena_copy(mem, "kept", 4);
    ArenaMark m = arena_mark(mem);
    for (int k = 0; k < 1000; k++)
        arena_alloc(mem, 100);
    arena_rollback(mem, m);
    cr_assert_str_eq(kept, "kept");
    int *again = arena_array(mem, int, 50);
    for (int k = 0; k < 50; k++)
        cr_assert_eq(again[k], 0, "memory comes zeroed after a rollback too");
    arena_free(mem);
}

/* An array of its own leaves nothing behind when it grows, small, and of pages of its own. */
Test(arena, an_array_of_its_own_grows)
{
    Arena *mem = arena_new(), *other = arena_part(mem);
    VEC(uint64_t) v = {0}, w = {0};
    for (uint64_t k = 0; k < 3000000; k++) {
        vec_push_own(other, v, k * k);
        if (k % 3 == 0)
            vec_push_own(other, w, ~k);
        for (uint32_t j = v.n; v.n < v.cap && j < v.n + 3 && j < v.cap; j++)
            cr_assert_eq(v.at[j], 0u, "new elements are zero");
    }
    for (uint32_t k = 0; k < v.n; k++)
        cr_assert_eq(v.at[k], (uint64_t)k * k);
    for (uint32_t k = 0; k < w.n; k++)
        cr_assert_eq(w.at[k], ~(3 * (uint64_t)k));
    size_t before = arena_bytes(other), size = v.cap * sizeof *v.at;
    arena_drop(other, v.at, size);
    cr_assert(arena_bytes(other) + size <= before);
    arena_free(mem);
}

Test(arena, rolls_back_to_a_mark_behind_an_array_that_has_grown)
{
    Arena *mem = arena_new();
    VEC(uint64_t) v = {0};
    uint64_t k = 0;
    for (; k < 2000000; k++)
        vec_push_own(mem, v, k);
    ArenaMark m = arena_mark(mem);
    char *after = arena_array(mem, char, 100);
    memset(after, 1, 100);
    uint32_t n = v.n;
    for (; k < 9000000; k++)
        vec_push_own(mem, v, k);
    arena_rollback(mem, m);
    uint64_t *again = arena_array(mem, uint64_t, 2 * n);
    for (uint32_t i = 0; i < 2 * n; i++)
        cr_assert_eq(again[i], 0u);
    arena_free(mem);
}

Test(arena, parts_are_freed_with_their_parent_or_before)
{
    Arena *mem = arena_new();
    ArenaMark m = arena_mark(mem);
    Arena *part[3];
    for (int k = 0; k < 3; k++) {
        part[k] = arena_part(mem);
        memset(arena_array(part[k], char, 1000), 1, 1000);
    }
    arena_free(part[1]);
    Arena *inner = arena_part(part[0]);
    char *kept = arena_copy(inner, "kept", 4);
    arena_rollback(mem, m);
    cr_assert_str_eq(kept, "kept", "a rollback leaves parts");
    arena_free(part[2]);
    arena_free(mem); // the leak check sees the others
}

Test(arena, rolls_back_across_chunks_without_new_memory)
{
    Arena *mem = arena_new();
    arena_alloc(mem, 60 * 1024);
    size_t first = 0;
    for (int round = 0; round < 20; round++) {
        ArenaMark m = arena_mark(mem);
        for (int k = 0; k < 8; k++) {
            unsigned char *p = arena_array(mem, unsigned char, 10000);
            for (int i = 0; i < 10000; i++)
                cr_assert_eq(p[i], 0);
            memset(p, 0xff, 10000);
        }
        first = first ? first : arena_bytes(mem);
        cr_assert_leq(arena_bytes(mem), first);
        arena_rollback(mem, m);
    }
    arena_free(mem);
}

Test(name, equal_text_is_equal_pointer)
{
    Arena *mem = arena_new();
    Names *t = names_new(mem);
    VEC(Name) all = {0};
    for (int k = 0; k < 5000; k++)
        vec_push(mem, all, name_printf(t, "name%d", k));
    for (int k = 0; k < 5000; k++)
        cr_assert(name_same(all.at[k], name_printf(t, "name%d", k)));
    cr_assert(!name_same(name_of_n(t, "ab", 1), name_of(t, "ab")));
    arena_free(mem);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

Test(sort, agrees_with_comparing_and_keeps_equal_ones_in_order)
{
    enum { N = 3000 };
    Arena *mem = arena_new();
    for (unsigned seed = 0; seed < 30; seed++) {
        srand(seed);
        uint32_t n = (uint32_t)rand() % N;
        uint64_t key[N], sorted[N];
        for (uint32_t k = 0; k < n; k++)
            sorted[k] = key[k] = ((uint64_t)rand() << 33 ^ (uint64_t)rand()) >> (2 * seed);
        qsort(sorted, n, sizeof *sorted, by_value);
        const uint32_t *order = sort_by_key(n, key, mem);
        for (uint32_t k = 0; k < n; k++) {
            cr_assert_eq(key[order[k]], sorted[k], "seed %u", seed);
            cr_assert(!k || sorted[k - 1] != sorted[k] || order[k - 1] < order[k], "seed %u", seed);
        }
    }
    arena_free(mem);
}

static void square(void *data)
{
    uint64_t *n = data;
    *n *= *n;
}

Test(thread, both_tasks_are_done)
{
    uint64_t here = 12, beside = 25;
    thread_both((Task){square, &here}, (Task){square, &beside});
    cr_assert_eq(here, 144);
    cr_assert_eq(beside, 625);
}

Test(map, finds_what_was_put)
{
    Arena *mem = arena_new();
    Map m = map_new(mem);
    cr_assert_eq(map_get(&m, 7), MAP_NONE);
    for (uint32_t k = 0; k < 3000; k++)
        map_put(&m, (uint64_t)k * 977, k);
    map_put(&m, 0, 42);
    cr_assert_eq(map_get(&m, 0), 42);
    for (uint32_t k = 1; k < 3000; k++)
        cr_assert_eq(map_get(&m, (uint64_t)k * 977), k);
    cr_assert_eq(map_get(&m, 1), MAP_NONE);
    Map copy = map_copy(&m, mem), roomy = map_with_room(3000, mem);
    uint32_t cap = roomy.cap;
    for (uint32_t k = 0; k < 3000; k++) {
        cr_assert_eq(map_get(&copy, (uint64_t)k * 977), map_get(&m, (uint64_t)k * 977));
        cr_assert(map_add(&roomy, (uint64_t)k << 32));
        cr_assert(!map_add(&roomy, (uint64_t)k << 32));
    }
    cr_assert_eq(roomy.cap, cap);
    for (uint32_t k = 0; k < 3000; k++) {
        cr_assert_eq(map_number(&copy, (uint64_t)k * 977 + 1, k + 7), k + 7);
        cr_assert_eq(map_number(&copy, (uint64_t)k * 977 + 1, 0), k + 7);
        cr_assert_eq(map_number(&copy, (uint64_t)k * 977, 7), map_get(&m, (uint64_t)k * 977));
    }
    arena_free(mem);
}

Test(map, what_is_removed_is_gone_and_the_rest_found)
{
    enum { N = 400 };
    Arena *mem = arena_new();
    for (unsigned seed = 1; seed <= 50; seed++) {
        srand(seed);
        Map m = map_new(mem);
        bool there[N] = {0};
        for (int step = 0; step < 3000; step++) {
            uint32_t k = (uint32_t)rand() % N;
            there[k] = rand() % 2;
            if (there[k])
                map_put(&m, (uint64_t)k * 977, k);
            else
                map_remove(&m, (uint64_t)k * 977);
        }
        for (uint32_t k = 0; k < N; k++)
            cr_assert_eq(map_get(&m, (uint64_t)k * 977), there[k] ? k : MAP_NONE, "seed %u", seed);
    }
    arena_free(mem);
}

Test(diag, counts_columns_in_characters_and_adds_context)
{
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    const char *text = "model M\n  Real \xc3\xa4x;\nend M;\n";
    uint32_t f = diags_add_source(d, "M.mo", text, (uint32_t)strlen(text));
    Place p = diags_place(d, f, 17);
    cr_assert_eq(p.line, 2);
    cr_assert_eq(p.column, 9);
    diag_push(d, (Span){f, 0, 5}, "arm.joint");
    diag_error(d, (Span){f, 10, 14}, "T01", "wrong %s", "type");
    diag_pop(d);
    cr_assert_eq(diags_errors(d), 1);
    cr_assert_eq(diags_count(d), 2);
    cr_assert_str_eq(diags_at(d, 1)->text, "in component arm.joint");
    arena_free(mem);
}
