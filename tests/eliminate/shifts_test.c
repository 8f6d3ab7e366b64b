/* Vectors measured from where their equations need them: x - g instead of x. */
#include "eliminate/frames/shifts.h"

#include "tests/eliminate/model.h"

/* Forces of masses at x and y, which hang on each other; `g` is what both miss. */
#define MASSES(of_x, of_y)                                                                         \
    "model M\n"                                                                                    \
    "  parameter Real m = 2;\n"                                                                    \
    "  Real p(start = 0.1), u, z, x[2], y[2], f[2], h[2];\n"                                       \
    "  Real R[2, 2] = {{cos(p), sin(p)}, {-sin(p), cos(p)}};\n"                                    \
    "equation\n"                                                                                   \
    "  der(p) = u; der(u) = z;\n"                                                                  \
    "  x = {z*cos(p), z*sin(p)};\n"                                                                \
    "  " of_y ";\n"                                                                                \
    "  h = R*" of_x ";\n"                                                                          \
    "  f = m*R*(y + {u, sin(u)});\n"                                                               \
    "  z = -f[2] - 2*h[2] - f[1];\n"                                                               \
    "end M;\n"

/* Shifts in the one loop; how many vectors were shifted. */
static uint32_t shift(Model *m)
{
    Dae *d = &m->dae;
    System *s = d->sys;
    Arena *row = arena_new(), *loop = arena_new(); /* no other's */
    ExplicitValues values = explicit_values_new(s, m->scratch, row);
    Rewriting r = rewriting_new(s);
    Shifts w = shifts_new(&values, &r, array_shapes(s, false, m->scratch), m->scratch);
    uint32_t n_vars = s->var.n, n_shifted = 0, n_loops = 0;
    const Blocks *b = &d->blt.blocks;
    for (uint32_t k = 0; k < b->n; k++) {
        uint32_t begin = b->begin[k], n = b->begin[k + 1] - begin;
        if (n == 1) {
            explicit_values_solve(&values, (EqId){b->eq[begin]}, blt_var(&d->blt, begin));
            continue;
        }
        EqId *eq = arena_array(m->scratch, EqId, n);
        VarId *var = arena_array(m->scratch, VarId, n);
        for (uint32_t i = 0; i < n; i++) {
            eq[i] = (EqId){b->eq[begin + i]};
            var[i] = blt_var(&d->blt, begin + i);
        }
        Loop l;
        cr_assert(loop_open(&l, &values, n, eq, var, loop));
        n_shifted += shifts_apply(&w, &l, loop);
        loop_close(&l, &values);
        n_loops++;
    }
    cr_assert_eq(n_loops, 1);
    cr_assert_eq(r.added.n, 2 * n_shifted, "coordinates");
    dae_extend(d, n_vars);
    d->frames.rewriting = r;
    arena_free(loop);
    arena_free(row);
    return n_shifted;
}

Test(shifts, vectors_that_are_tied_are_shifted_together)
{
    static const char text[] = MASSES("(x + {u, sin(u)})", "y - x = {-u^2*z, u*z}");
    Model plain = model_of(text), m = model_of(text);
    model_sort(&plain);
    model_solve(&plain);
    model_sort(&m);
    cr_assert_eq(shift(&m), 2);
    cr_assert(equations_sort(&m.dae, m.scratch));
    cr_assert(blt_check(&m.dae.blt));
    model_solve(&m);
    cr_assert(model_holds(&m, text));
    cr_assert_lt(model_operations(&m), model_operations(&plain));
    model_done(&plain);
    model_done(&m);
}

Test(shifts, a_vector_by_itself_stays)
{
    /* what is saved where forces are, is spent where y is determined */
    Model m = model_of(MASSES("x", "y = {z*sin(p), u*z}"));
    model_sort(&m);
    uint32_t n_vars = m.dae.sys->var.n, n_eqs = m.dae.sys->eq.n;
    cr_assert_eq(shift(&m), 0);
    cr_assert_eq(m.dae.sys->var.n, n_vars);
    cr_assert_eq(m.dae.sys->eq.n, n_eqs);
    model_done(&m);
}
