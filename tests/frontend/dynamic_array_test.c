/* Arrays of functions whose sizes are known in a run only become statements of the function's body;
 * arrays of known sizes stay scalars. */
#include "frontend/evaluate/dynamic_array.h"

#include "frontend/front.h"
#include "ir/body.h"

#include <criterion/criterion.h>

typedef struct Flat {
    Arena *mem;
    Diags *diags;
    System *sys;
    Front *front;
} Flat;

static Flat flat_of(const char *text)
{
    Flat x = {.mem = arena_new()};
    Names *names = names_new(x.mem);
    x.diags = diags_new(x.mem);
    x.sys = system_new(x.mem, names, x.diags, true);
    Library *library = library_new(x.mem, names, x.diags);
    cr_assert(library_add_text(library, "M.mo", text));
    x.front = front_new(x.sys, library);
    cr_assert(flatten(x.front, "M"), "%s", text);
    return x;
}

static void flat_free(Flat *x)
{
    front_free(x->front);
    system_free(x->sys);
    arena_free(x->mem);
}

static uint32_t count(const StatementList *list, StatementKind kind)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < list->n; k++)
        n += (list->at[k]->kind == kind) + count(&list->at[k]->body, kind) +
             count(&list->at[k]->otherwise, kind);
    return n;
}

/* The body of the function with that name; its dynamic arrays. */
static const Body *body_of(const Flat *x, const char *name, uint32_t *n_arrays)
{
    for (uint32_t k = 0; k < x->sys->function->n; k++) {
        const Function *f = &x->sys->function->at[k];
        if (!f->body || strcmp(f->name.s, name) != 0)
            continue;
        *n_arrays = 0;
        for (uint32_t i = 0; i < f->body->local.n; i++)
            *n_arrays += f->body->local.at[i].rank > 0;
        return f->body;
    }
    cr_assert_fail("no function '%s' is written down", name);
    return NULL;
}

Test(dynamic_array, a_size_that_varies_makes_one)
{
    Flat x = flat_of("model M\n"
                     "  function f input Integer n; output Real y; protected Real w[n], fixed[3];\n"
                     "  algorithm fixed := {1, 2, 3};\n"
                     "    for i in 1:n loop w[i] := fixed[1]*i; end for;\n"
                     "    y := sum(w); end f;\n"
                     "  Real y = f(integer(time)); end M;\n");
    uint32_t arrays;
    const Body *b = body_of(&x, "M.f", &arrays);
    cr_assert_eq(arrays, 2, "w, and the zeros that it begins with");
    cr_assert_eq(count(&b->list, STATEMENT_RESIZE), 1);
    cr_assert_eq(count(&b->list, STATEMENT_PUT), 1);
    cr_assert_eq(count(&b->list, STATEMENT_MOVE), 1);
    cr_assert_eq(count(&b->list, STATEMENT_LOOP), 2, "the loop, and the sum");
    flat_free(&x);
}

Test(dynamic_array, a_size_that_is_known_makes_none)
{
    Flat x = flat_of("model M\n"
                     "  function f input Real u; input Integer n; output Real y = u;\n"
                     "  protected Real w[n];\n"
                     "  algorithm w := {i for i in 1:n};\n"
                     "    while y < w[n] loop y := y + 1; end while; end f;\n"
                     "  Real y = f(time, 3); end M;\n");
    uint32_t arrays;
    body_of(&x, "M.f", &arrays);
    cr_assert_eq(arrays, 0);
    flat_free(&x);
}

Test(dynamic_array, holds_numbers_and_literals)
{
    cr_assert(dynamic_holds(TYPE_REAL) && dynamic_holds(TYPE_INTEGER) &&
              dynamic_holds(TYPE_BOOLEAN) && dynamic_holds(TYPE_ENUMERATION));
    cr_assert_not(dynamic_holds(TYPE_STRING));
    cr_assert_not(dynamic_holds(TYPE_OBJECT));
}
