/* A Newton iteration against the matrix I - gamma J of the whole. */
#include "eliminate/forms/newton_system.h"

#include "tests/eliminate/evaluate.h"
#include "tests/eliminate/model.h"

#include <math.h>

enum { MOST = 64 };

/* The 2 x 2 system a z = b. */
static void solve_pair(const double a[2][2], const double b[2], double z[2])
{
    double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    z[0] = (b[0] * a[1][1] - b[1] * a[0][1]) / det;
    z[1] = (a[0][0] * b[1] - a[1][0] * b[0]) / det;
}

Test(newton_system, increments_of_two_states)
{
    /* f = (y - x^2, x y^2), J = (-2 x, 1; y^2, 2 x y) */
    Model m = model_of("model M Real x, y; equation der(x) = y - x^2; der(y) = x*y^2; end M;");
    model_sort(&m);
    model_solve(&m);
    Program *g = &m.dae.solution.program;
    System *s = m.dae.sys;
    uint32_t n = s->var.n;
    NewtonPoint at = {.n = n,
                      .n_states = g->n_states,
                      .value = g->value,
                      .state = g->state,
                      .is_rate_free = arena_array(m.mem, bool, n),
                      .is_residual = arena_array(m.mem, bool, n),
                      .stays = arena_array(m.mem, bool, n)};
    LoopCut none = {0};
    NewtonView v;
    cr_assert(newton_view(&m.dae.blt, g, &none, &at, &v, m.scratch));
    cr_assert_eq(v.structure.n, 2);
    cr_assert_eq(v.newton->n_inputs, 5, "gamma, two weights, a base per state");
    cr_assert_eq(v.newton->n_residuals, 2);
    newton_matrix(&v, g, m.scratch);
    const ExprColumns *c = &v.newton->matrix;

    double var[MOST] = {0};
    cr_assert_leq(v.sys->var.n, MOST);
    const double state[] = {0.7, -1.3}, base[] = {0.6, -1.1}, gamma = 0.25;
    bool x_first = g->state[0].i == model_var(&m, "x").i;
    const double x = state[x_first ? 0 : 1], y = state[x_first ? 1 : 0];
    var[v.newton->input[0].i] = gamma;
    var[v.newton->input[1].i] = var[v.newton->input[2].i] = 1;
    for (uint32_t k = 0; k < 2; k++) {
        var[g->state[k].i] = state[k];
        var[v.newton->input[3 + k].i] = base[k];
    }
    const Point here = {.var = var};
    double a[2][2] = {{0}}, b[2], z[2];
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t e = c->col_start[k]; e < c->col_start[k + 1]; e++)
            a[c->row[e]][k] = evaluate(s->pool, c->entry[e], &here);
    for (uint32_t k = 0; k < 2; k++)
        b[k] = evaluate(s->pool, v.newton->right[k], &here);
    solve_pair(a, b, z);

    const double f[] = {y - x * x, x * y * y};
    const double whole[2][2] = {{1 + gamma * 2 * x, -gamma},
                                {-gamma * y * y, 1 - gamma * 2 * x * y}};
    double off[2], want[2];
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t i = x_first ? k : 1 - k;
        off[k] = gamma * f[k] - (state[i] - base[i]);
        double residual = evaluate(s->pool, v.newton->residual[i], &here);
        cr_assert_float_eq(residual, off[k], 1e-14);
    }
    solve_pair(whole, off, want);
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t i = x_first ? k : 1 - k;
        uint32_t column = v.structure.column[s->var.at[g->state[i].i].der.i];
        double have = gamma * z[column] + evaluate(s->pool, v.defect[i], &here);
        cr_assert_float_eq(have, want[k], 1e-13, "%u: %.15g, %.15g", k, have, want[k]);
    }
    model_done(&m);
}

Test(newton_system, blocks_that_are_solved_at_run_time_have_none)
{
    Model m = model_of("model M Real x, y; equation der(x) = y; y^5 + y = x; end M;");
    model_sort(&m);
    model_solve(&m);
    Program *g = &m.dae.solution.program;
    cr_assert_gt(g->n_blocks, 0);
    NewtonPoint at = {
        .n = m.dae.sys->var.n, .n_states = g->n_states, .value = g->value, .state = g->state};
    LoopCut none = {0};
    NewtonView v;
    cr_assert_not(newton_view(&m.dae.blt, g, &none, &at, &v, m.scratch));
    model_done(&m);
}
