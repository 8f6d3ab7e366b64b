#include "eliminate/verify/slopes.h"

static Number value(Slopes *c, ExprId x)
{
    return exact_value(c->at->at, x);
}

static Number plus(Slopes *c, Number a, Number b)
{
    return number_add(&c->at->at->field, a, b);
}

static Number times(Slopes *c, Number a, Number b)
{
    return number_mul(&c->at->at->field, a, b);
}

static void compare(Slopes *c, const char *what, uint32_t row, Number a, Number b)
{
    c->n_rows++;
    if (!c->failed && !exact_is_poor(c->at->at) && !c->at->is_open &&
        !number_same(&c->at->at->field, a, b)) {
        c->failed = what;
        c->failed_row = row;
    }
}

/* out[row] += entry * rate[column] */
static void add_product(Slopes *c, const ExprColumns *m, const Number *rate, Number *out)
{
    for (uint32_t col = 0; col < m->n_cols; col++)
        for (uint32_t k = m->col_start[col]; k < m->col_start[col + 1]; k++)
            out[m->row[k]] = plus(c, out[m->row[k]], times(c, value(c, m->entry[k]), rate[col]));
}

/* The matrix is that of the rows by the columns' variables, those with `only` (NULL: all). */
static void check_matrix(Slopes *c, const char *what, const ExprColumns *m, const ExprId *row,
                         const VarId *by, const bool *only)
{
    if (c->failed)
        return;
    Number *rate = arena_array(c->mem, Number, m->n_cols + 1);
    dual_turn(c->at);
    for (uint32_t k = 0; k < m->n_cols; k++) {
        if (only && !only[k])
            continue;
        rate[k] = dual_random(c->at, k + 1);
        dual_move(c->at, by[k], rate[k]);
    }
    Number *product = arena_array(c->mem, Number, m->n_rows + 1);
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
    Number *rate = arena_array(c->mem, Number, g->n_states + 1);
    dual_turn(c->at);
    dual_move_time(c->at, value(c, expr_int(g->sys->pool, 1)));
    for (uint32_t k = 0; k < g->n_states; k++) {
        rate[k] = value(c, g->derivative[k]);
        dual_move(c->at, g->state[k], rate[k]);
    }
    Number *first = arena_array(c->mem, Number, l->n_constraints + 1);
    Number *second = arena_array(c->mem, Number, l->n_constraints + 1);
    add_product(c, &l->phi_x, rate, first);
    add_product(c, &l->phi_v, rate, second);
    for (uint32_t k = 0; k < l->n_constraints; k++) {
        compare(c, "the rate of a constraint", k, dual_slope(c->at, l->phi[k]),
                value(c, l->phi_dot[k]));
        first[k] = plus(c, first[k], value(c, l->phi_t[k]));
        compare(c, "the parts of a constraint's rate", k, first[k], value(c, l->phi_dot[k]));
        second[k] = plus(c, second[k], value(c, l->phi_rest[k]));
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

/* The states of an iteration are the model's own, without derivatives by parameters. */
static uint32_t own_states(const Program *g)
{
    return g->sensitivity ? g->n_states / (g->sensitivity->n_directions + 1) : g->n_states;
}

/* base = x - gamma x', the limit of Newton's iterations; all other variables are those of `at`. */
typedef struct SolvedBase {
    const Program *g;
    Exact *at;
    Map state; /* VarId.i of a base -> the number of its state */
} SolvedBase;

static bool solved_base(void *user, Exact *in, VarId v, ExactMeaning *out)
{
    SolvedBase *b = user;
    Exact *at = in->real ? b->at->angles : b->at;
    uint32_t k = map_get(&b->state, v.i);
    if (k == MAP_NONE)
        return at->variable && at->variable(at->user, at, v, out);
    Field *f = &at->field;
    System *s = b->g->sys;
    Number gamma = exact_value(at, system_var_expr(s, b->g->newton->input[0]));
    Number step = number_mul(f, gamma, exact_value(at, b->g->derivative[k]));
    Number state = exact_value(at, system_var_expr(s, b->g->state[k]));
    *out = (ExactMeaning){.value = number_sub(f, state, step)};
    return true;
}

/* With the formula's derivatives those of the program, nothing is left of the residuals. */
static void check_newton_residuals(Slopes *c, const char *what)
{
    const Program *g = c->g;
    SolvedBase base = {g, c->at->at, map_new(c->mem)};
    for (uint32_t k = 0; k < own_states(g); k++)
        map_put(&base.state, g->newton->input[3 + k].i, k);
    Exact *end = exact_again(c->at->at, c->mem);
    exact_define(end, solved_base, &base);
    for (uint32_t k = 0; k < own_states(g); k++)
        compare(c, what, k, exact_value(end, g->newton->residual[k]), (Number){.r = 0});
    c->at->at->field.poor_point |= exact_is_poor(end);
    exact_done(end);
}

/* residual + d residual = 0, d multiplier + penalty d phi = s */
static void check_newton(Slopes *c)
{
    static const char what[] = "a Newton iteration";
    const Program *g = c->g;
    const NewtonSystem *w = g->newton;
    const LoopConstraints *l = g->loops;
    uint32_t n = own_states(g), parts = l && l->n_parts ? l->n_parts : 1;
    uint32_t n_massless = l ? l->n_massless / parts : 0;
    uint32_t m = l ? l->n_constraints / parts : 0;
    if (c->failed)
        return;
    Number *input = arena_array(c->mem, Number, w->n_inputs);
    for (uint32_t k = 0; k < w->n_inputs; k++)
        input[k] = value(c, system_var_expr(g->sys, w->input[k]));
    dual_turn(c->at);
    for (uint32_t k = 0; k < w->n_delta; k++) {
        VarId v = k < n                ? g->state[k]
                  : k < n + n_massless ? l->massless[k - n]
                                       : l->multiplier[k - n - n_massless];
        dual_move(c->at, v, value(c, w->delta[k]));
    }
    for (uint32_t k = 0; k < w->n_residuals; k++) {
        Number weight = input[k < n ? 1 : 2];
        compare(c, what, k, dual_slope(c->at, w->residual[k]),
                number_neg(&c->at->at->field, times(c, weight, value(c, w->residual[k]))));
    }
    for (uint32_t k = 0; k < m; k++) {
        Number pushed = times(c, input[3 + n + k], dual_slope(c->at, l->phi[k]));
        compare(c, what, n + n_massless + k,
                plus(c, value(c, w->delta[n + n_massless + k]), pushed), input[3 + n + m + k]);
    }
    check_newton_residuals(c, "the residuals of Newton's iteration");
}

/* Right-hand sides of one parameter, and kept values; all other variables are those of `at`. */
typedef struct Sides {
    Exact *at;
    const RatesAlong *of;
    uint32_t n_sides;
    Number *right; /* n_sides */
    Map input;     /* VarId.i -> its number */
} Sides;

static bool side_value(void *user, Exact *in, VarId v, ExactMeaning *out)
{
    Sides *s = user;
    Exact *at = in->real ? s->at->angles : s->at;
    uint32_t k = map_get(&s->input, v.i);
    if (k == MAP_NONE)
        return at->variable && at->variable(at->user, at, v, out);
    *out = k < s->n_sides ? (ExactMeaning){.value = s->right[k]}
                          : (ExactMeaning){.value = exact_value(at, s->of->kept[k - s->n_sides])};
    return true;
}

/* Rates along each parameter are those of the program. */
static void check_along(Slopes *c)
{
    const Program *g = c->g;
    const RatesAlong *a = g->along;
    const bool *is_negated = g->sensitivity->is_negated;
    uint32_t n = a->n_states, n_sides = n + a->n_rows, n_inputs = n_sides + a->n_kept;
    Field *f = &c->at->at->field;
    Sides s = {.at = c->at->at,
               .of = a,
               .n_sides = n_sides,
               .right = arena_array(c->mem, Number, n_sides + 1),
               .input = map_new(c->mem)};
    for (uint32_t k = 0; k < n_inputs; k++)
        map_put(&s.input, a->input[k].i, k);
    for (uint32_t j = 0, e = 0; j < g->sensitivity->n && !c->failed; j++) {
        uint32_t first = (j + 1) * n;
        for (uint32_t k = 0; k < n_sides; k++) {
            s.right[k] = value(c, k < n ? system_var_expr(g->sys, g->state[first + k])
                                        : expr_int(g->sys->pool, 0));
            if (k < n && is_negated[first + k])
                s.right[k] = number_neg(f, s.right[k]);
        }
        for (; e < a->by.n && a->by.by[e] == j; e++)
            s.right[n + a->by.row[e]] = value(c, a->by.entry[e]);
        Exact *along = exact_again(c->at->at, c->mem);
        exact_define(along, side_value, &s);
        for (uint32_t k = 0; k < n; k++) {
            Number rate = exact_value(along, a->rate[k]);
            compare(c, "the rates along a parameter", first + k,
                    is_negated[first + k] ? number_neg(f, rate) : rate,
                    value(c, g->derivative[first + k]));
        }
        f->poor_point |= exact_is_poor(along);
        exact_done(along);
    }
}

static void check_inputs(Slopes *c, const ExprId *row)
{
    const LoopConstraints *l = c->g->loops;
    VarId *input = arena_array(c->mem, VarId, l->n_constraints + l->n_massless + 1);
    for (uint32_t k = 0; k < l->n_constraints + l->n_massless; k++)
        input[k] = loop_input(l, k);
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
    Number *rate = arena_array(c->mem, Number, m->n_cols + 1);
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
    Number *product = arena_array(c->mem, Number, m->n_rows + 1);
    add_product(c, m, rate, product);
    for (uint32_t r = 0; r < m->n_rows; r++)
        compare(c, "the linearisation", r, dual_slope(c->at, l->row[r]), product[r]);
}

void slopes_check(Slopes *c)
{
    const Program *g = c->g;
    if (g->along)
        check_along(c);
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
    if (g->invariants && g->invariants->n > 0)
        check_matrix(c, "the constraints of redundant states by the states",
                     &g->invariants->by_state.columns, g->invariants->residual, g->state, NULL);
    if (g->loops)
        check_loops(c);
    if (g->linearisation && g->linearisation->matrix.columns.entry)
        check_linearisation(c);
    if (g->newton)
        check_newton(c);
}
