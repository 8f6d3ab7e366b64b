/* Each form of a model as C, by the functions of its own header, against differences and other
 * identities of the expressions that it was made of. */
#include "eliminate/forms/invariants.h"
#include "eliminate/forms/linearisation.h"
#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "emit/model/invariant_code.h"
#include "emit/model/jacobian_code.h"
#include "emit/model/linearisation_code.h"
#include "emit/model/loop_code.h"
#include "emit/model/newton_code.h"
#include "emit/model/residual_code.h"
#include "emit/model/sensitivity_code.h"
#include "tests/emit/rods.h"
#include "tests/emit/section_unit.h"

enum { MOST = 200, POINTS = 3 };

static double entry_at(const RungPattern *p, const double *entry, uint32_t row, uint32_t col)
{
    for (uint32_t e = p->col_start[col]; e < p->col_start[col + 1]; e++)
        if (p->row[e] == row)
            return entry[e];
    return 0;
}

/* Columns of one colour share no row, and colours are those that the pattern counts. */
static void check_colours(const RungPattern *p)
{
    for (uint32_t a = 0; a < p->n_cols; a++) {
        cr_assert_lt(p->colour[a], p->n_colours);
        for (uint32_t b = 0; b < a; b++)
            for (uint32_t i = p->col_start[a];
                 p->colour[a] == p->colour[b] && i < p->col_start[a + 1]; i++)
                for (uint32_t k = p->col_start[b]; k < p->col_start[b + 1]; k++)
                    cr_assert_neq(p->row[i], p->row[k], "columns %u and %u share row %u", a, b,
                                  p->row[i]);
    }
}

/* Entries are the derivatives of row[r] by column[c]; those outside the pattern are zero. */
static void check_entries(Unit *u, const RungPattern *p, const double *entry, const ExprId *row,
                          const VarId *column)
{
    for (uint32_t c = 0; c < p->n_cols; c++)
        for (uint32_t r = 0; r < p->n_rows; r++)
            UNIT_NEAR(entry_at(p, entry, r, c), unit_slope(u, row[r], column[c]),
                      "row %u, column %u", r, c);
}

Test(jacobian_code, entries_are_derivatives)
{
    Unit u = unit_of(rods, &(Request){.model = "M"});
    cr_assert(jacobian_of_states(u.g, JACOBIAN_NODES, u.c->scratch));
    unit_code(&u);
    jacobian_section(u.g, u.m.code);
    jacobian_table(u.g, &u.tables, "M");
    const RungJacobian *j = unit_load(&u, "&jacobian");
    cr_assert_eq(j->pattern.n_cols, u.g->n_states);
    check_colours(&j->pattern);
    double entry[MOST];
    for (int point = 0; point < POINTS; point++, unit_draw(&u)) {
        cr_assert_eq(j->entries(&u.ctx, u.t, u.x, entry), 0);
        check_entries(&u, &j->pattern, entry, u.g->derivative, u.g->state);
    }
    unit_done(&u);
}

Test(linearisation_code, has_inputs_and_outputs)
{
    Unit u = unit_of(rods, &(Request){.model = "M"});
    LinearisationChoice choice = linearisation_top_level(u.g, u.mem);
    linearisation_make(&u.c->dae, &choice, JACOBIAN_NODES, u.c->scratch);
    unit_code(&u);
    linearisation_section(u.g, u.m.code, u.mem, NULL);
    linearisation_table(u.g, &u.tables, "M", u.m.row_of, u.m.leaf_index);
    const RungLinearisation *l = unit_load(&u, "&linearisation");
    cr_assert_eq(l->n_outputs, 1);
    cr_assert_eq(l->n_inputs, 1);
    cr_assert_eq(u.m.row.at[l->output[0]].var.i, unit_var(&u, "e").i);
    cr_assert_eq(u.m.input.at[l->input[0]].i, unit_var(&u, "u").i);
    cr_assert_eq(l->pattern.n_rows, u.g->n_states + 1);
    check_colours(&l->pattern);
    double entry[MOST];
    for (int point = 0; point < POINTS; point++, unit_draw(&u)) {
        cr_assert_eq(l->entries(&u.ctx, u.t, u.x, entry), 0);
        check_entries(&u, &l->pattern, entry, u.g->linearisation->row, u.g->linearisation->column);
    }
    unit_done(&u);
}

/* With the accelerations of the explicit form residuals vanish; elsewhere they change as the matrix
 * says, since they are linear in accelerations. */
Test(residual_code, vanishes_with_the_accelerations)
{
    Unit u = unit_of(rods, &(Request){.model = "M"});
    residual_form_make(&u.c->dae, JACOBIAN_NODES, u.c->scratch);
    unit_code(&u);
    residual_sections(u.g, u.m.code);
    residual_tables(u.g, &u.tables, "M", u.m.row_of);
    const RungResidual *f = unit_load(&u, "&residual_form");
    cr_assert_gt(f->n, 0);
    cr_assert_not_null(f->by_torn);
    double zero[MOST], r[MOST], entry[MOST], a[MOST];
    for (int point = 0; point < POINTS; point++, unit_draw(&u)) {
        for (uint32_t k = 0; k < f->n; k++) {
            VarId v = u.m.row.at[f->variable[k]].var;
            cr_assert_eq(v.i, u.g->residual->torn[k].i);
            a[k] = unit_value(&u, u.g->value[v.i]);
        }
        cr_assert_eq(f->residual(&u.ctx, u.t, u.x, a, zero), 0);
        cr_assert_eq(f->residual(&u.ctx, u.t, u.x, u.torn, r), 0);
        cr_assert_eq(f->by_torn(&u.ctx, u.t, u.x, u.torn, entry), 0);
        for (uint32_t k = 0; k < f->n; k++) {
            double moved = 0;
            for (uint32_t c = 0; c < f->n; c++)
                moved += entry_at(&f->by_torn_pattern, entry, k, c) * (u.torn[c] - a[c]);
            UNIT_NEAR(zero[k], 0.0, "residual %u", k);
            UNIT_NEAR(r[k], moved, "residual %u", k);
        }
        cr_assert_eq(f->by_state(&u.ctx, u.t, u.x, u.torn, entry), 0);
        check_entries(&u, &f->by_state_pattern, entry, u.g->residual->residual, u.g->state);
    }
    unit_done(&u);
}

/* The chain rule: the constraints' rate is phi_x times the rates of the states, and phi_t. */
Test(invariant_code, constraints_of_redundant_states)
{
    static const char circle[] = "model M\n"
                                 "  Real x(start = 0.6), y(start = 0.8), v, w, F;\n"
                                 "equation\n"
                                 "  der(x) = v; der(y) = w; der(v) = -F*x; der(w) = -F*y - 9.81;\n"
                                 "  x^2 + y^2 = 1;\n"
                                 "end M;\n";
    Unit u = unit_of(circle, &(Request){.model = "M", .states = STATES_REDUNDANT});
    invariants_make(&u.c->dae, JACOBIAN_NODES, u.c->scratch);
    unit_code(&u);
    invariants_sections(u.g, u.m.code);
    invariants_table(u.g, &u.tables, "M", u.m.leaf_index);
    const RungInvariants *it = unit_load(&u, "&invariants");
    cr_assert_eq(it->by_state_pattern.n_rows, 2);
    cr_assert_lt(it->rate, u.m.parameter.n);
    double entry[MOST], residual[2];
    for (int point = 0; point < POINTS; point++, unit_draw(&u)) {
        cr_assert_eq(it->by_state(&u.ctx, u.t, u.x, entry), 0);
        check_entries(&u, &it->by_state_pattern, entry, u.g->invariants->residual, u.g->state);
        cr_assert_eq(it->residual(&u.ctx, u.t, u.x, residual), 0);
        double x[4]; /* x, y, v, w */
        static const char *const name[] = {"x", "y", "v", "w"};
        for (uint32_t k = 0; k < 4; k++)
            x[k] = unit_value(&u, u.g->value[unit_var(&u, name[k]).i]);
        double off = x[0] * x[0] + x[1] * x[1] - 1, along = 2 * (x[0] * x[2] + x[1] * x[3]);
        UNIT_NEAR(residual[0] + residual[1], off + along, "the constraints");
    }
    unit_done(&u);
}

Test(loop_code, rates_of_constraints)
{
    Unit u = unit_of("model M\n"
                     "  parameter Real L = 2;\n"
                     "  Real x(start = 1.2), y(start = 1.6), vx, vy, f;\n"
                     "equation\n"
                     "  der(x) = vx; der(y) = vy;\n"
                     "  der(vx) = f*x; der(vy) = f*y - 9.81;\n"
                     "  x^2 + y^2 = (L + 0.1*sin(time))^2;\n"
                     "end M;\n",
                     &(Request){.model = "M", .loops = LOOPS_ALI3P});
    unit_code(&u);
    loops_sections(u.g, u.m.code, u.mem);
    loops_tables(u.g, &u.tables, "M", u.m.leaf_index, u.m.row_of);
    const RungLoops *l = unit_load(&u, "&loops");
    cr_assert_eq(l->n_constraints, 1);
    double phi[MOST], dot[MOST], by_time[MOST], phi_x[MOST], phi_v[MOST];
    for (int point = 0; point < POINTS; point++, unit_draw(&u)) {
        cr_assert_eq(l->phi(&u.ctx, u.t, u.x, phi), 0);
        cr_assert_eq(l->phi_dot(&u.ctx, u.t, u.x, dot), 0);
        cr_assert_eq(l->phi_t(&u.ctx, u.t, u.x, by_time), 0);
        cr_assert_eq(l->phi_x(&u.ctx, u.t, u.x, phi_x), 0);
        cr_assert_eq(l->phi_v(&u.ctx, u.t, u.x, phi_v), 0);
        double at[4], sum = by_time[0];
        const char *const name[] = {"x", "y", "vx", "vy"};
        for (int k = 0; k < 4; k++)
            at[k] = u.var[unit_var(&u, name[k]).i];
        double length = 2 + 0.1 * sin(u.t);
        UNIT_NEAR(fabs(phi[0]), fabs(at[0] * at[0] + at[1] * at[1] - length * length), "phi");
        for (uint32_t c = 0; c < u.g->n_states; c++) {
            double by = entry_at(&l->phi_x_pattern, phi_x, 0, c);
            UNIT_NEAR(by, unit_slope(&u, u.g->loops->phi[0], u.g->state[c]), "phi by %u", c);
            sum += by * unit_value(&u, u.g->derivative[c]);
            double by_speed = entry_at(&l->phi_v_pattern, phi_v, 0, c);
            if (u.g->loops->moved[c])
                UNIT_NEAR(by_speed, unit_slope(&u, u.g->loops->phi_dot[0], u.g->state[c]),
                          "phi_dot by %u", c);
        }
        UNIT_NEAR(dot[0], sum, "phi_dot");
    }
    unit_done(&u);
}

/* Behind a step of length gamma the base x - gamma xdot has no defect; moved by a small b it has
 * increments d with (I - gamma J) d = b. */
Test(newton_code, increments)
{
    Unit u = unit_of(rods, &(Request){.model = "M"});
    newton_system_make(&u.c->dae, NEWTON_STEP, u.c->scratch);
    const NewtonSystem *w = u.g->newton;
    cr_assert_not_null(w);
    unit_code(&u);
    newton_section(u.g, u.m.code, u.mem, &u.m.newton);
    uint32_t first = u.m.input.n + u.g->n_memory, n = u.g->n_states;
    newton_table(u.g, &u.m.newton, &u.tables, "M", first);
    const RungNewton *it = unit_load(&u, "&newton");
    cr_assert_eq(it->first, first);
    cr_assert_eq(it->n, w->n_inputs);
    static const double GAMMA = 0.1, SMALL = 1e-7;
    double d[MOST], xdot[MOST], *in = u.ctx.u + it->first;
    uint32_t n_weights = w->n_inputs - 1 - n;
    for (int point = 0; point < POINTS; point++, unit_draw(&u))
        for (uint32_t moved = 0; moved <= n; moved++) {
            in[0] = GAMMA;
            for (uint32_t k = 0; k < n_weights; k++)
                in[1 + k] = 1;
            double *base = in + 1 + n_weights;
            for (uint32_t k = 0; k < n; k++) {
                xdot[k] = unit_value(&u, u.g->derivative[k]);
                base[k] = u.x[k] - GAMMA * xdot[k] + (k == moved ? SMALL : 0);
            }
            cr_assert_eq(it->step(&u.ctx, u.t, u.x, d), 0);
            for (uint32_t r = 0; r < n; r++) {
                double left = d[r];
                for (uint32_t c = 0; c < n; c++)
                    left -= GAMMA * unit_slope(&u, u.g->derivative[r], u.g->state[c]) * d[c];
                cr_assert_float_eq(left, r == moved ? SMALL : 0, 1e-5 * SMALL, "%u by %u: %g", r,
                                   moved, left);
            }
        }
    unit_done(&u);
}

/* The chain rule: along a parameter a relation moves by the parameter itself and by the states,
 * whose derivatives by it are states, too; along time by time and the rates, in their place. */
Test(sensitivity_code, slopes_of_relations)
{
    Unit u = unit_of("model M\n"
                     "  parameter Real g = 9.81, e = 0.7;\n"
                     "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                     "equation\n"
                     "  der(h) = v; der(v) = -g;\n"
                     "  when h + 0.1*e*v < sin(time) then reinit(v, -e*pre(v)); end when;\n"
                     "end M;\n",
                     &(Request){.model = "M", .sensitivity_by = "g,e"});
    const Sensitivity *s = u.g->sensitivity;
    cr_assert_not_null(s);
    cr_assert_eq(s->n, 2);
    cr_assert_eq(s->n_directions, 3);
    unit_code(&u);
    sensitivity_section(u.g, u.m.code, u.mem, NULL);
    sensitivity_table(u.g, &u.tables, "M", 0);
    const RungSensitivity *it = unit_load(&u, "&sensitivity");
    cr_assert_eq(it->n_relations, 1);
    cr_assert_eq(it->n_actions, 1);
    ExprId relation = EXPR_NONE;
    for (uint32_t k = 0; k < u.g->n_memory; k++)
        if (u.g->memory[k].kind == MEMORY_RELATION)
            relation = u.g->memory[k].of;
    double slope[MOST];
    for (int point = 0; point < POINTS; point++, unit_draw(&u)) {
        cr_assert_eq(it->slopes(&u.ctx, u.t, u.x, slope), 0);
        for (uint32_t by = 0; by < 3; by++) {
            static const double STEP = 1e-5;
            double want = 0, t = u.t;
            if (by < 2)
                want = unit_slope(&u, relation, unit_var(&u, by ? "e" : "g"));
            else {
                u.t = t + STEP;
                want = unit_value(&u, relation);
                u.t = t - STEP;
                want = (want - unit_value(&u, relation)) / (2 * STEP);
                u.t = t;
            }
            for (uint32_t k = 0; k < u.g->n_states; k++)
                if (it->of[k] != UINT32_MAX && it->by[k] == by)
                    want += unit_slope(&u, relation, u.g->state[it->of[k]]) * u.x[k] *
                            (it->is_negated[k] ? -1 : 1);
            UNIT_NEAR(slope[by], want, "direction %u", by);
        }
    }
    unit_done(&u);
}
