/* Constraints over the states, their derivatives against differences. */
#include "eliminate/forms/loop_constraints.h"

#include "eliminate/prepare/constraint_cut.h"
#include "tests/eliminate/evaluate.h"
#include "tests/eliminate/model.h"

#include <ctype.h>
#include <math.h>

/* Two pendulums in a row, the first on a rope that is pulled in. */
static const char pendulums[] = "model M\n"
                                "  Real x, y, vx, vy, f, X, Y, VX, VY, F;\n"
                                "equation\n"
                                "  der(x) = vx; der(y) = vy; der(X) = VX; der(Y) = VY;\n"
                                "  der(vx) = f*x + F*(x - X); der(vy) = f*y + F*(y - Y) - 9.81;\n"
                                "  der(VX) = F*(X - x); der(VY) = F*(Y - y) - 9.81;\n"
                                "  x^2 + y^2 = (2 - sin(time))^2;\n"
                                "  (X - x)^2 + (Y - y)^2 = 1;\n"
                                "end M;";

enum { MOST = 64 };

typedef struct Where {
    double time, var[MOST];
} Where;

static double at(const Program *g, ExprId x, const Where *w)
{
    return evaluate(g->sys->pool, x, &(Point){.time = w->time, .var = w->var});
}

/* Along the motion: states by their derivatives, time by 1. */
static Where moved(const Program *g, const Where *from, double h)
{
    Where to = *from;
    to.time += h;
    for (uint32_t k = 0; k < g->n_states; k++)
        to.var[g->state[k].i] += h * at(g, g->derivative[k], from);
    return to;
}

static void near(double have, double want, const char *what)
{
    cr_assert(fabs(have - want) < 1e-7 * (1 + fabs(want)), "%s: %.12g, differences %.12g", what,
              have, want);
}

/* Of matrix row `row` times the derivatives of the states. */
static double row_times_rates(const Program *g, const ExprColumns *a, uint32_t row, const Where *w)
{
    double sum = 0;
    for (uint32_t c = 0; c < a->n_cols; c++)
        for (uint32_t e = a->col_start[c]; e < a->col_start[c + 1]; e++)
            if (a->row[e] == row)
                sum += at(g, a->entry[e], w) * at(g, g->derivative[c], w);
    return sum;
}

Test(loop_constraints, derivatives_agree_with_differences)
{
    Model m = model_of(pendulums);
    System *s = m.dae.sys;
    cr_assert(der_expand(s, m.scratch));
    LoopCut cut = constraints_cut(s, 1, m.scratch);
    cr_assert_eq(cut.n_constraints, 2);
    model_sort(&m);
    model_solve(&m);
    Program *g = &m.dae.solution.program;
    cr_assert(loop_constraints_find(&cut, &m.dae.aliases, g, m.scratch));
    const LoopConstraints *l = g->loops;
    cr_assert_eq(l->n_constraints, 2);
    cr_assert_eq(l->n_velocities, 4);
    cr_assert_leq(s->var.n, MOST);
    Where w = {.time = 0.3};
    for (uint32_t k = 0; k < s->var.n; k++)
        w.var[k] = sin(1.7 * k + 0.4);
    const double h = 1e-5;
    Where left = moved(g, &w, -h), right = moved(g, &w, h);
    for (uint32_t r = 0; r < 2; r++) {
        for (uint32_t c = 0; c < g->n_states; c++) {
            Where lo = w, hi = w;
            lo.var[g->state[c].i] -= h;
            hi.var[g->state[c].i] += h;
            double entry = 0;
            for (uint32_t e = l->phi_x.col_start[c]; e < l->phi_x.col_start[c + 1]; e++)
                if (l->phi_x.row[e] == r)
                    entry = at(g, l->phi_x.entry[e], &w);
            near(entry, (at(g, l->phi[r], &hi) - at(g, l->phi[r], &lo)) / (2 * h), "phi_x");
        }
        double dot = (at(g, l->phi[r], &right) - at(g, l->phi[r], &left)) / (2 * h);
        near(at(g, l->phi_dot[r], &w), dot, "phi_dot");
        near(at(g, l->phi_t[r], &w) + row_times_rates(g, &l->phi_x, r, &w), dot, "phi_t");
        double second = (at(g, l->phi_dot[r], &right) - at(g, l->phi_dot[r], &left)) / (2 * h);
        near(at(g, l->phi_rest[r], &w) + row_times_rates(g, &l->phi_v, r, &w), second, "phi_rest");
    }
    for (uint32_t k = 0; k < g->n_states; k++) {
        bool is_velocity = tolower(*var_at(s, g->state[k])->name.s) == 'v';
        cr_assert_eq(l->moved[k], is_velocity);
    }
    model_done(&m);
}

Test(loop_constraints, a_constraint_on_a_force_is_refused)
{
    Model m = model_of(pendulums);
    System *s = m.dae.sys;
    cr_assert(der_expand(s, m.scratch));
    LoopCut cut = constraints_cut(s, 1, m.scratch);
    cut.phi[0] = expr_add(s->pool, cut.phi[0], model_expr(&m, "f"));
    model_sort(&m);
    model_solve(&m);
    cr_assert_not(loop_constraints_find(&cut, &m.dae.aliases, &m.dae.solution.program, m.scratch));
    cr_assert(model_says(&m, "E04"));
    model_done(&m);
}
