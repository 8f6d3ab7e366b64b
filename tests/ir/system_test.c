#include "ir/system.h"

#include <criterion/criterion.h>

/* Expressions of a view and of the system are in one pool: what a call names must be one function
 * to both, also beyond the room that the table had when the view was made. */
Test(system, a_view_shares_functions)
{
    Arena *mem = arena_new();
    System *s = system_new(mem, names_new(mem), diags_new(mem), true);
    Function f = {.name = name_of(s->names, "f"), .n_in = 1, .n_out = 1};
    system_add_function(s, f);
    System *view = system_view(s);
    bool used[101] = {true};
    for (uint32_t k = 0; k < 100; k++) {
        FuncId id = system_add_function(k % 3 ? view : s, f);
        cr_assert(id.i <= 100 && !used[id.i]);
        used[id.i] = true;
        cr_assert_eq(s->function->at[id.i].key.s, view->function->at[id.i].key.s);
    }
    system_view_free(view);
    cr_assert_str_eq(s->function->at[100].key.s, "f:101");
    system_free(s);
    arena_free(mem);
}
