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

/* Names of variables that were renamed are free again, those of a view are its own, and all are
 * found after names were put back. */
Test(system, variables_are_found_by_their_names)
{
    Arena *mem = arena_new();
    System *s = system_new(mem, names_new(mem), diags_new(mem), true);
    enum { N = 200 };
    Name name[N];
    for (uint32_t k = 0; k < N; k++) {
        name[k] = name_printf(s->names, "x%u", k);
        cr_assert_eq(system_add_var(s, var_plain(name[k])).i, k);
    }
    for (uint32_t k = 0; k < N; k += 7)
        s->var.at[k].name = name_printf(s->names, "unused %u", k);
    System *view = system_view(s);
    VarId of_view = system_add_var(view, var_plain(name_of(s->names, "y")));
    cr_assert_eq(of_view.i, N);
    cr_assert(!var_exists(system_find_var(s, name_of(s->names, "y"))));
    for (uint32_t k = 0; k < N; k++)
        cr_assert_eq(system_find_var(view, name[k]).i, k % 7 ? k : VAR_NONE.i);
    system_view_free(view);
    cr_assert_eq(system_add_var(s, var_plain(name[7])).i, N);
    cr_assert_eq(system_find_var(s, name[7]).i, N);
    s->var.n = N;
    for (uint32_t k = 0; k < N; k += 7)
        s->var.at[k].name = name[k];
    system_index_names(s);
    for (uint32_t k = 0; k < N; k++)
        cr_assert_eq(system_find_var(s, name[k]).i, k);
    system_free(s);
    arena_free(mem);
}

/* Equations that are derivatives of others keep to these when numbers change: 1' = 2, 2' = 4,
 * 3' = 5. */
Test(system, derivatives_of_equations_are_renumbered)
{
    Arena *mem = arena_new();
    System *s = system_new(mem, names_new(mem), diags_new(mem), true);
    const uint32_t der_of[] = {0, 0, 2, 0, 3, 4};
    for (uint32_t k = 0; k < 6; k++)
        system_add_eq(s, (Eq){.lhs = expr_int(s->pool, (int)k), .der_of = der_of[k]});
    system_drop_eqs(s, 3, (const bool[]){true, false, true});
    const uint32_t left[] = {1, 3, 4, 5}, now[] = {0, 0, 1, 2};
    cr_assert_eq(s->eq.n, 4);
    for (uint32_t k = 0; k < 4; k++) {
        cr_assert_eq(s->eq.at[k].lhs.i, expr_int(s->pool, (int)left[k]).i);
        cr_assert_eq(s->eq.at[k].der_of, now[k]);
    }
    system_drop_eqs(s, 1, (const bool[]){true});
    cr_assert_eq(s->eq.at[1].der_of, 0);
    cr_assert_eq(s->eq.at[2].der_of, 1);
    system_free(s);
    arena_free(mem);
}
