#include "translate/driver.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const pendulum = "model Pendulum\n"
                                    "  Real x(start = 0.8), y(start = -0.6), u, v, F;\n"
                                    "equation\n"
                                    "  der(x) = u; der(y) = v;\n"
                                    "  der(u) = -F*x; der(v) = -F*y - 10;\n"
                                    "  x^2 + y^2 = 1;\n"
                                    "end Pendulum;\n";

static Compilation *translated(const char *text, const Request *r, const char *pass, Arena *mem)
{
    Compilation *c = compilation_new(r, mem);
    library_add_text(c->library, "test.mo", text);
    if (r->model)
        driver_run(c, pass ? driver_find(pass) : NULL);
    return c;
}

/* A pass that restores what another one broke finds it again: the table alone gives the order. */
Test(driver, passes_need_only_what_earlier_ones_give)
{
    uint32_t given = 0;
    for (uint32_t k = 0; k < driver_n_passes(); k++) {
        const Pass *p = driver_pass(k);
        cr_assert_eq(p->needs & ~given, 0u, "%s", p->name);
        cr_assert(p->run && p->dump, "%s", p->name);
        given |= p->gives;
    }
}

/* Index reduction leaves two states; closed by a multiplier the constraint leaves all four. */
Test(driver, request_chooses_how_loops_are_closed)
{
    Arena *mem = arena_new();
    Request reduced = {.model = "Pendulum"}, cut = {.model = "Pendulum", .loops = LOOPS_ALI3P};
    Compilation *c = translated(pendulum, &reduced, NULL, mem);
    cr_assert(driver_reached(c, "solve"));
    cr_assert_eq(c->dae.solution.program.n_states, 2u);
    cr_assert_eq(c->dae.loops.n_loops, 0u);
    Compilation *d = translated(pendulum, &cut, NULL, mem);
    cr_assert(driver_reached(d, "solve"));
    cr_assert_eq(d->dae.solution.program.n_states, 4u);
    cr_assert_eq(d->dae.loops.n_loops, 1u);
    compilation_free(c);
    compilation_free(d);
    arena_free(mem);
}

Test(driver, request_chooses_the_states)
{
    Arena *mem = arena_new();
    Request r = {.model = "Pendulum", .states = STATES_REDUNDANT};
    Compilation *c = translated(pendulum, &r, NULL, mem);
    cr_assert(driver_reached(c, "solve"));
    cr_assert_eq(c->dae.solution.program.n_states, 4u);
    cr_assert_eq(c->dae.loops.n_loops, 0u);
    compilation_free(c);
    arena_free(mem);
}

Test(driver, stops_after_the_last_pass)
{
    Arena *mem = arena_new();
    Request r = {.model = "Pendulum"};
    Compilation *c = translated(pendulum, &r, "flatten", mem);
    cr_assert(driver_reached(c, "flatten"));
    cr_assert(!driver_reached(c, "blocks"));
    cr_assert_eq(c->dae.n_flat_equations, 5u);
    compilation_free(c);
    arena_free(mem);
}

Test(driver, start_values_are_of_the_flat_model)
{
    Arena *mem = arena_new();
    Request r = {.model = "Pendulum"};
    vec_push(mem, r.start, "x=0.25");
    Compilation *c = translated(pendulum, &r, "flatten", mem);
    VarId x = system_find_var(c->sys, name_of(c->names, "x"));
    double value;
    cr_assert(expr_constant(c->sys->pool, c->sys->var.at[x.i].attr.start, &value));
    cr_assert_eq(value, 0.25);
    vec_push(mem, r.start, "z=1");
    Compilation *wrong = translated(pendulum, &r, "flatten", mem);
    cr_assert_eq(diags_errors(wrong->diags), 1u);
    cr_assert_str_eq(diags_at(wrong->diags, 0)->code, "N30");
    compilation_free(c);
    compilation_free(wrong);
    arena_free(mem);
}
