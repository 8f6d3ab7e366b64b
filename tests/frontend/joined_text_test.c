/* Texts that functions put together in loops take memory linear in the text, and are the text that
 * a shorter piece after the other gives. */
#include "frontend/evaluate/joined_text.h"

#include "frontend/front.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The parameters f, g, h of a model: a text with n numbers, its pieces put behind each other,
 * before each other, and both in a record's array with texts read on the way. bytes: taken
 * meanwhile. */
static void texts_of(int n, char ***text, size_t *bytes)
{
    static const char model[] =
        "model M\n"
        "  record R\n    String s[2];\n  end R;\n"
        "  function f\n    input Integer n;\n    output String s = \"\";\n  algorithm\n"
        "    for i in 1:n loop\n      s := s + String(i) + \",\";\n    end for;\n  end f;\n"
        "  function g\n    input Integer n;\n    output String s = \"\";\n  algorithm\n"
        "    for i in n:-1:1 loop\n      s := String(i) + \",\" + s;\n    end for;\n  end g;\n"
        "  function h\n    input Integer n;\n    output String s;\n  protected\n    R r, q;\n"
        "  algorithm\n"
        "    r.s := {\"\", \"\"};\n"
        "    for i in 1:n loop\n"
        "      r.s[1] := r.s[1] + String(i) + (if mod(i, 1000) > 0 or r.s[1] <> \"\" then \",\" "
        "else r.s[1]);\n"
        "    end for;\n    q := r;\n    s := q.s[1];\n  end h;\n"
        "  constant String x[3] = {f(%d), g(%d), h(%d)};\n"
        "  parameter String a = x[1], b = x[2], c = x[3];\n"
        "  Real y = time;\nend M;\n";
    Arena *mem = arena_new();
    char *source = arena_printf(mem, model, n, n, n);
    Names *names = names_new(mem);
    Diags *diags = diags_new(mem);
    System *s = system_new(mem, names, diags, true);
    Library *library = library_new(mem, names, diags);
    cr_assert(library_add_text(library, "M.mo", source));
    Front *front = front_new(s, library);
    size_t before = arena_bytes(mem);
    cr_assert(flatten(front, "M"));
    *bytes = arena_bytes(mem) - before;
    *text = calloc(3, sizeof **text);
    uint32_t k = 0;
    for (uint32_t i = 0; i < s->var.n && k < 3; i++)
        if (s->var.at[i].type == TYPE_STRING && strlen(s->var.at[i].name.s) == 1)
            (*text)[k++] = strdup(expr_text_of(s->pool, s->var.at[i].binding).s);
    cr_assert_eq(k, 3);
    front_free(front);
    system_free(s);
    arena_free(mem);
}

static void texts_free(char **text)
{
    for (int k = 0; k < 3; k++)
        free(text[k]);
    free(text);
}

Test(joined_text, is_linear)
{
    enum { N = 1000, TIMES = 8 };
    char **less, **more;
    size_t small, large;
    texts_of(N, &less, &small);
    texts_of(N * TIMES, &more, &large);
    static char want[N * TIMES * 6];
    size_t at = 0;
    for (int i = 1; i <= N * TIMES; i++) {
        if (i == N + 1)
            for (int k = 0; k < 3; k++)
                cr_assert_str_eq(less[k], want, "%d", k);
        at += (size_t)sprintf(want + at, "%d,", i);
    }
    for (int k = 0; k < 3; k++)
        cr_assert_str_eq(more[k], want, "%d", k);
    cr_assert_lt(large, 2 * TIMES * small, "%zu, %zu", small, large);
    texts_free(less);
    texts_free(more);
}

Test(joined_text, is_one_text_for_readers)
{
    Arena *mem = arena_new();
    Names *names = names_new(mem);
    Diags *diags = diags_new(mem);
    System *s = system_new(mem, names, diags, true);
    Front *f = front_new(s, library_new(mem, names, diags));
    ExprId word = expr_string(s->pool, name_of(names, "word "));
    ExprId x = word;
    f->eval.in_function = true;
    char want[2000] = "word ";
    for (int k = 0; k < 300; k++) { /* before and behind */
        x = k % 3 ? joined_text_append(f, x, word) : joined_text_append(f, word, x);
        strcat(want, "word ");
    }
    cr_assert(joined_text_is(f, x) && joined_text_is_long(f, x) && !joined_text_is_long(f, word));
    cr_assert_neq(expr_op(s->pool, x), OP_STRING);
    cr_assert_str_eq(expr_text_of(s->pool, joined_text_whole(f, x)).s, want);
    Value v = value_scalar(mem, TYPE_STRING, x), copy = v;
    joined_text_make_whole(f, &v);
    cr_assert(expr_same(v.elem[0], joined_text_whole(f, x)) && expr_same(copy.elem[0], x));
    front_free(f);
    system_free(s);
    arena_free(mem);
}
