#include "format/line_diff.h"

#include "base/vec.h"

#include <stdbool.h>

typedef struct DiffLine {
    size_t begin, end;    /* with its line end */
    size_t before, after; /* characters up to its begin and end that are no white space */
} DiffLine;

typedef VEC(DiffLine) DiffLines;

/* Old lines [old, old_end) are replaced by new lines [new, new_end). */
typedef struct Change {
    uint32_t old, old_end, new, new_end;
} Change;

typedef VEC(Change) Changes;

enum { CONTEXT = 3 };

static DiffLines lines_of(const Text *t, Arena *mem)
{
    DiffLines lines = {0};
    size_t count = 0;
    for (size_t k = 0; k < t->n;) {
        DiffLine x = {.begin = k, .before = count};
        while (k < t->n && t->at[k] != '\n') {
            count += (unsigned char)t->at[k] > ' ';
            k++;
        }
        k += k < t->n;
        x.end = k;
        x.after = count;
        vec_push(mem, lines, x);
    }
    return lines;
}

static bool same_line(const Text *a, const DiffLine *x, const Text *b, const DiffLine *y)
{
    size_t n = x->end - x->begin;
    return x->before == y->before && n == y->end - y->begin &&
           memcmp(a->at + x->begin, b->at + y->begin, n) == 0;
}

static Changes changes_of(const Text *old, const DiffLines *a, const Text *new, const DiffLines *b,
                          Arena *mem)
{
    Changes changes = {0};
    uint32_t i = 0, k = 0;
    while (i < a->n || k < b->n) {
        bool both = i < a->n && k < b->n;
        if (both && same_line(old, &a->at[i], new, &b->at[k])) {
            i++;
            k++;
            continue;
        }
        if (changes.n == 0 || vec_last(changes).old_end != i || vec_last(changes).new_end != k)
            vec_push(mem, changes, ((Change){i, i, k, k}));
        size_t x = i < a->n ? a->at[i].after : SIZE_MAX;
        size_t y = k < b->n ? b->at[k].after : SIZE_MAX;
        i += x <= y && i < a->n;
        k += y <= x && k < b->n;
        vec_last(changes).old_end = i;
        vec_last(changes).new_end = k;
    }
    return changes;
}

static void put_lines(const Text *t, const DiffLines *lines, uint32_t from, uint32_t to, char sign,
                      Text *out)
{
    for (uint32_t k = from; k < to; k++) {
        const DiffLine *x = &lines->at[k];
        text_put_n(out, &sign, 1);
        text_put_n(out, t->at + x->begin, x->end - x->begin);
        if (t->at[x->end - 1] != '\n')
            text_put(out, "\n\\ No newline at end of file\n");
    }
}

/* "-12,5": a range without lines is named by the line before it */
static void put_range(Text *out, char sign, uint32_t from, uint32_t to)
{
    uint32_t n = to - from;
    text_printf(out, n == 1 ? "%c%u" : "%c%u,%u", sign, from + (n > 0), n);
}

void line_diff(const char *path, const Text *old, const Text *new, Text *out)
{
    Arena *mem = out->mem;
    DiffLines a = lines_of(old, mem), b = lines_of(new, mem);
    Changes c = changes_of(old, &a, new, &b, mem);
    if (c.n > 0)
        text_printf(out, "--- %s\n+++ %s\n", path, path);
    for (uint32_t k = 0, end; k < c.n; k = end) {
        for (end = k + 1; end < c.n && c.at[end].old <= c.at[end - 1].old_end + 2 * CONTEXT;)
            end++;
        uint32_t before = c.at[k].old < CONTEXT ? c.at[k].old : CONTEXT;
        uint32_t last = c.at[end - 1].old_end;
        uint32_t after = a.n - last < CONTEXT ? a.n - last : CONTEXT;
        text_put(out, "@@ ");
        put_range(out, '-', c.at[k].old - before, last + after);
        text_put(out, " ");
        put_range(out, '+', c.at[k].new - before, c.at[end - 1].new_end + after);
        text_put(out, " @@\n");
        put_lines(old, &a, c.at[k].old - before, c.at[k].old, ' ', out);
        for (uint32_t x = k; x < end; x++) {
            put_lines(old, &a, c.at[x].old, c.at[x].old_end, '-', out);
            put_lines(new, &b, c.at[x].new, c.at[x].new_end, '+', out);
            uint32_t next = x + 1 < end ? c.at[x + 1].old : last + after;
            put_lines(old, &a, c.at[x].old_end, next, ' ', out);
        }
    }
}
