#include "eliminate/verify/slopes.h"

static void compare(Slopes *c, const char *what, uint32_t row, Fp a, Fp b)
{
    c->n_rows++;
    if (!c->failed && !c->at->at->poor_point && !c->at->is_open && !fp_same(a, b)) {
        c->failed = what;
        c->failed_row = row;
    }
}

/* out[row] += entry * rate[column] */
static void add_product(Slopes *c, const ExprColumns *m, const Fp *rate, Fp *out)
{
    for (uint32_t col = 0; col < m->n_cols; col++)
        for (uint32_t k = m->col_start[col]; k < m->col_start[col + 1]; k++)
            out[m->row[k]] =
                fp_add(out[m->row[k]], fp_mul(dual_value(c->at, m->entry[k]), rate[col]));
}

/* The matrix is that of the rows by the columns' variables, those with `only` (NULL: all). */
static void check_matrix(Slopes *c, const char *what, const ExprColumns *m, const ExprId *row,
                         const VarId *by, const bool *only)
{
    if (c->failed)
        return;
    Fp *rate = arena_array(c->mem, Fp, m->n_cols + 1);
    dual_turn(c->at);
    for (uint32_t k = 0; k < m->n_cols; k++) {
        if (only && !only[k])
            continue;
        rate[k] = dual_random(c->at, k + 1);
        dual_move(c->at, by[k], rate[k]);
    }
    Fp *product = arena_array(c->mem, Fp, m->n_rows + 1);
    add_product(c, m, rate, product);
    for (uint32_t r = 0; r < m->n_rows; r++)
        compare(c, what, r, dual_slope(c->at, row[r]), product[r]);
}

static void check_residual(Slopes *c)
{
    const Program *g = c->g;
    const ResidualForm *r = g->residual;
    /* residuals, then rates, as they lie */
    if (r->has_jacobians) {
        check_matrix(c, "the residual form by its tearing variables", &r->by_torn.columns,
                     r->residual, r->input, NULL);
        check_matrix(c, "the residual form by the states", &r->by_state.columns, r->residual,
                     g->state, NULL);
    }
}

static void check_blocks(Slopes *c)
{
    for (uint32_t b = 0; b < c->g->n_blocks; b++) {
        const NonlinearBlock *it = &c->g->block[b];
        if (!it->col_start)
            continue;
        ExprColumns m = {it->n, it->n, it->col_start, it->row, it->entry};
        check_matrix(c, "a nonlinear block by its unknowns", &m, it->residual, it->unknown, NULL);
    }
}

/* Along the motion itself: phi' and phi'' are derivatives of phi with respect to time, and their
 * parts make them up. */
static void check_motion(Slopes *c)
{
    const Program *g = c->g;
    const LoopConstraints *l = g->loops;
    if (c->failed)
        return;
    Fp *rate = arena_array(c->mem, Fp, g->n_states + 1);
    dual_turn(c->at);
    dual_move_time(c->at, dual_value(c->at, expr_int(g->sys->pool, 1)));
    for (uint32_t k = 0; k < g->n_states; k++) {
        rate[k] = dual_value(c->at, g->derivative[k]);
        dual_move(c->at, g->state[k], rate[k]);
    }
    Fp *first = arena_array(c->mem, Fp, l->n_constraints + 1);
    Fp *second = arena_array(c->mem, Fp, l->n_constraints + 1);
    add_product(c, &l->phi_x, rate, first);
    add_product(c, &l->phi_v, rate, second);
    for (uint32_t k = 0; k < l->n_constraints; k++) {
        compare(c, "the rate of a constraint", k, dual_slope(c->at, l->phi[k]),
                dual_value(c->at, l->phi_dot[k]));
        first[k] = fp_add(first[k], dual_value(c->at, l->phi_t[k]));
        compare(c, "the parts of a constraint's rate", k, first[k],
                dual_value(c->at, l->phi_dot[k]));
        second[k] = fp_add(second[k], dual_value(c->at, l->phi_rest[k]));
        compare(c, "the parts of a constraint's second derivative", k, second[k],
                dual_slope(c->at, l->phi_dot[k]));
    }
}

static void check_loops(Slopes *c)
{
    const Program *g = c->g;
    const LoopConstraints *l = g->loops;
    check_matrix(c, "the constraints by the states", &l->phi_x, l->phi, g->state, NULL);
    check_matrix(c, "the constraints' rates by the velocities", &l->phi_v, l->phi_dot, g->state,
                 l->moved);
    check_motion(c);
}

/* With the formula's derivatives those of the program, nothing is left of the residuals. */
static void check_newton_residuals(Slopes *c, const char *what)
{
    const Program *g = c->g;
    ExprPool *p = g->sys->pool;
    const NewtonSystem *w = g->newton;
    uint32_t n_vars = g->sys->var.n;
    ExprId *base = arena_array(c->mem, ExprId, n_vars);
    for (uint32_t k = 0; k < n_vars; k++)
        base[k] = EXPR_NONE;
    for (uint32_t k = 0; k < g->n_states; k++) {
        ExprId step = expr_mul(p, system_var_expr(g->sys, w->input[0]), g->derivative[k]);
        base[w->input[3 + k].i] = expr_sub(p, system_var_expr(g->sys, g->state[k]), step);
    }
    Substitution solved = {.value = base, .n = n_vars, .mem = c->mem};
    for (uint32_t k = 0; k < g->n_states; k++)
        compare(c, what, k, dual_value(c->at, expr_substitute(p, &solved, w->residual[k])),
                (Fp){0});
}

/* residual + d residual = 0, d multiplier + penalty d phi = s */
static void check_newton(Slopes *c)
{
    static const char what[] = "a Newton iteration";
    const Program *g = c->g;
    const NewtonSystem *w = g->newton;
    const LoopConstraints *l = g->loops;
    uint32_t n = g->n_states;
    uint32_t n_massless = l ? l->n_massless : 0;
    uint32_t m = l ? l->n_constraints : 0;
    if (c->failed)
        return;
    Fp *input = arena_array(c->mem, Fp, w->n_inputs);
    for (uint32_t k = 0; k < w->n_inputs; k++)
        input[k] = dual_value(c->at, system_var_expr(g->sys, w->input[k]));
    dual_turn(c->at);
    for (uint32_t k = 0; k < w->n_delta; k++) {
        VarId v = k < n                ? g->state[k]
                  : k < n + n_massless ? l->massless[k - n]
                                       : l->multiplier[k - n - n_massless];
        dual_move(c->at, v, dual_value(c->at, w->delta[k]));
    }
    for (uint32_t k = 0; k < w->n_residuals; k++) {
        Fp weight = input[k < n ? 1 : 2];
        compare(c, what, k, dual_slope(c->at, w->residual[k]),
                fp_neg(fp_mul(weight, dual_value(c->at, w->residual[k]))));
    }
    for (uint32_t k = 0; k < m; k++) {
        Fp pushed = fp_mul(input[3 + n + k], dual_slope(c->at, l->phi[k]));
        compare(c, what, n + n_massless + k,
                fp_add(dual_value(c->at, w->delta[n + n_massless + k]), pushed),
                input[3 + n + m + k]);
    }
    check_newton_residuals(c, "the residuals of Newton's iteration");
}

static void check_inputs(Slopes *c, const ExprId *row)
{
    const LoopConstraints *l = c->g->loops;
    VarId *input = arena_array(c->mem, VarId, l->n_constraints + l->n_massless + 1);
    for (uint32_t k = 0; k < l->n_constraints + l->n_massless; k++)
        input[k] = k < l->n_constraints ? l->multiplier[k] : l->massless[k - l->n_constraints];
    check_matrix(c, "the derivatives of the states by the multipliers", &l->by_input->columns, row,
                 input, NULL);
}

/* All columns move: those that are leaves as they like, the others as their values do; their
 * equations stay zero then. */
static void check_linearisation(Slopes *c)
{
    const Program *g = c->g;
    const Linearisation *l = g->linearisation;
    const ExprColumns *m = &l->matrix.columns;
    uint32_t first = m->n_cols - l->n_implicit;
    if (c->failed)
        return;
    Fp *rate = arena_array(c->mem, Fp, m->n_cols + 1);
    dual_turn(c->at);
    for (uint32_t k = 0; k < m->n_cols; k++) {
        VarId v = l->column[k];
        if (k >= first && !expr_same(g->value[v.i], system_var_expr(g->sys, v)))
            continue;
        rate[k] = dual_random(c->at, k + 1);
        dual_move(c->at, v, rate[k]);
    }
    for (uint32_t k = first; k < m->n_cols; k++) {
        VarId v = l->column[k];
        if (!expr_same(g->value[v.i], system_var_expr(g->sys, v)))
            rate[k] = dual_slope(c->at, g->value[v.i]);
    }
    Fp *product = arena_array(c->mem, Fp, m->n_rows + 1);
    add_product(c, m, rate, product);
    for (uint32_t r = 0; r < m->n_rows; r++)
        compare(c, "the linearisation", r, dual_slope(c->at, l->row[r]), product[r]);
}

void slopes_check(Slopes *c)
{
    const Program *g = c->g;
    /* derivatives of the states, then balances */
    uint32_t n_massless = g->loops ? g->loops->n_massless : 0;
    ExprId *row = arena_array(c->mem, ExprId, g->n_states + n_massless + 1);
    for (uint32_t k = 0; k < g->n_states + n_massless; k++)
        row[k] = k < g->n_states ? g->derivative[k] : g->loops->balance[k - g->n_states];
    if (g->jacobian && g->jacobian->columns.entry)
        check_matrix(c, "the derivatives of the states by the states", &g->jacobian->columns, row,
                     g->state, NULL);
    if (g->loops && g->loops->by_input)
        check_inputs(c, row);
    if (g->residual)
        check_residual(c);
    check_blocks(c);
    if (g->loops)
        check_loops(c);
    if (g->linearisation && g->linearisation->matrix.columns.entry)
        check_linearisation(c);
    if (g->newton)
        check_newton(c);
}
