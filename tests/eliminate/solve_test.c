#include "eliminate/block/solve.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/verify/verify.h"
#include "tests/eliminate/fixture.h"
#include "tests/eliminate/model.h"

/* A double pendulum in relative coordinates, absolute angles, forces kept: one linear loop for the
 * accelerations and the forces between the rods; one state pair each. */
static void build(Fixture *f)
{
    ExprPool *p = f->p;
    ExprId m = parameter(f, "m");
    ExprId l = parameter(f, "l");
    ExprId g = parameter(f, "g");
    ExprId phi[2];
    ExprId w[2];
    ExprId z[2];
    ExprId a[2][2];
    ExprId force[2][2];
    for (int k = 0; k < 2; k++) {
        phi[k] = unknown(f, k ? "phi2" : "phi1");
        w[k] = unknown(f, k ? "w2" : "w1");
        z[k] = unknown(f, k ? "z2" : "z1");
        a[k][0] = unknown(f, k ? "a2x" : "a1x");
        a[k][1] = unknown(f, k ? "a2y" : "a1y");
        force[k][0] = unknown(f, k ? "f2x" : "f1x");
        force[k][1] = unknown(f, k ? "f2y" : "f1y");
    }
    for (int k = 0; k < 2; k++) {
        ExprId c = expr_fn(p, FN_COS, phi[k]);
        ExprId s = expr_fn(p, FN_SIN, phi[k]);
        ExprId ww = expr_mul(p, w[k], w[k]);
        equation(f, system_var_expr(f->s, system_der(f->s, expr_var_of(p, phi[k]))), w[k]);
        equation(f, system_var_expr(f->s, system_der(f->s, expr_var_of(p, w[k]))), z[k]);
        /* point masses at the tips: a = a of the joint + l*(z x e - w^2 e) */
        ExprId ax =
            expr_neg(p, expr_mul(p, l, expr_add(p, expr_mul(p, z[k], s), expr_mul(p, ww, c))));
        ExprId ay = expr_mul(p, l, expr_sub(p, expr_mul(p, z[k], c), expr_mul(p, ww, s)));
        equation(f, a[k][0], k ? expr_add(p, a[0][0], ax) : ax);
        equation(f, a[k][1], k ? expr_add(p, a[0][1], ay) : ay);
        /* m a = f - f of the next - m g */
        ExprId next_x = k ? expr_int(p, 0) : force[1][0];
        ExprId next_y = k ? expr_int(p, 0) : force[1][1];
        equation(f, expr_mul(p, m, a[k][0]), expr_sub(p, force[k][0], next_x));
        equation(f, expr_mul(p, m, expr_add(p, a[k][1], g)), expr_sub(p, force[k][1], next_y));
        /* no torque about the joint: the force lies along the rod */
        equation(f, expr_mul(p, c, force[k][1]), expr_mul(p, s, force[k][0]));
    }
}

/* The unknowns of the loop in the order of their equations, after two of der(phi), der(w). */
typedef struct Written {
    OrderSource source;
    const uint32_t *order;
} Written;

static bool as_written(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem,
                       Candidate *out)
{
    if (k != 0)
        return false;
    const uint32_t *order = ((const Written *)self)->order;
    *out = (Candidate){.name = "given", .order.n = g->n_rows};
    out->order.eq = arena_array(mem, uint32_t, g->n_rows);
    out->order.var = arena_array(mem, uint32_t, g->n_rows);
    for (uint32_t i = 0; i < g->n_rows; i++) {
        out->order.eq[i] = i;
        out->order.var[i] = order[i];
    }
    return true;
}

/* From the angular accelerations to the forces; what is left are the torques. */
static bool torn(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem, Candidate *out)
{
    static uint32_t order[] = {0, 1, 5, 6, 7, 8, 2, 3, 4, 9};
    (void)self;
    (void)g;
    (void)mem;
    *out = (Candidate){.name = "torn",
                       .is_torn = true,
                       .order = {.n = 10, .eq = order, .var = order, .n_torn = 2}};
    return k == 0;
}

typedef struct Solved {
    Fixture f;
    Solution solution, torn;
} Solved;

static Solved solved(void)
{
    Solved r = {.f = fixture()};
    System *s = r.f.s;
    build(&r.f);
    /* equations: 7 per rod, of which 0 and 1 are der(phi), der(w) and stand alone */
    static uint32_t eq[] = {2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 0, 1, 7, 8};
    static uint32_t begin[] = {0, 10, 11, 12, 13, 14};
    static const char *const names[] = {"a1x",       "a1y",     "f1x",       "f1y",    "z1",
                                        "a2x",       "a2y",     "f2x",       "f2y",    "z2",
                                        "der(phi1)", "der(w1)", "der(phi2)", "der(w2)"};
    VarId *var = arena_array(r.f.mem, VarId, 14);
    uint32_t *column = arena_array(r.f.mem, uint32_t, 14);
    for (uint32_t k = 0; k < 14; k++) {
        var[k] = system_find_var(s, name_of(s->names, names[k]));
        column[k] = k;
    }
    Blocks blocks = {.n = 5, .begin = begin, .eq = eq, .var = column};
    bool *is_state = arena_array(r.f.mem, bool, s->var.n);
    static const char *const states[] = {"phi1", "w1", "phi2", "w2"};
    for (int k = 0; k < 4; k++)
        is_state[system_find_var(s, name_of(s->names, states[k])).i] = true;
    uint32_t order[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    bool *is_unknown = arena_array(r.f.mem, bool, s->var.n);
    for (uint32_t k = 0; k < 14; k++)
        is_unknown[var[k].i] = true;
    Structure t = structure_of(s, is_unknown, r.f.mem);
    for (uint32_t k = 0; k < 14; k++)
        column[k] = t.column[var[k].i];
    Blt b = {.sys = s, .columns = t, .blocks = blocks, .is_state = is_state};
    Written written = {.source = {as_written}, .order = order};
    OrderSource left = {torn};
    Orders given = {.source = &written.source}, tear = {.source = &left};
    cr_assert(solve(&b, &given, &r.solution, r.f.mem));
    cr_assert(solve(&b, &tear, &r.torn, r.f.mem));
    return r;
}

static Fixture flat_model(void)
{
    Fixture f = {.mem = arena_new()};
    f.s = system_new(f.mem, names_new(f.mem), diags_new(f.mem), false);
    f.p = f.s->pool;
    build(&f);
    return f;
}

Test(solve, solution_holds_exactly)
{
    Solved r = solved();
    cr_assert_eq(r.solution.program.n_states, 4);
    Fixture flat = flat_model();
    VerifyReport v = verify(&r.solution.program, flat.s, NULL, (VerifyPoints){5, 5});
    cr_assert(v.ok, "equation %u", v.failed.i);
    cr_assert_eq(v.n_skipped, 0);
    fixture_done(&flat);
    fixture_done(&r.f);
}

/* All nodes rebuilt where node k is its double wherever the program uses it. */
static ExprId *doubled(const Solved *r, uint32_t n, uint32_t k)
{
    ExprPool *p = r->f.p;
    ExprId *memo = arena_array(r->f.mem, ExprId, n);
    for (uint32_t i = 0; i < n; i++) {
        ExprId args[3];
        uint32_t n_args = expr_n_args(p, (ExprId){i});
        for (uint32_t a = 0; a < n_args; a++)
            args[a] = memo[expr_arg(p, (ExprId){i}, a).i];
        memo[i] = expr_rebuild(p, (ExprId){i}, args);
        if (i == k)
            memo[i] = expr_mul(p, memo[i], expr_int(p, 2));
    }
    return memo;
}

static VerifyReport check(const Program *g)
{
    Fixture flat = flat_model();
    VerifyReport v = verify(g, flat.s, NULL, (VerifyPoints){.fractions = 3});
    VerifyReport w = verify(g, flat.s, NULL, (VerifyPoints){.residues = 3});
    cr_assert(w.failed_slope || (v.ok == w.ok && v.failed.i == w.failed.i));
    fixture_done(&flat);
    return w;
}

/* Each operation below the n expressions in turn is made wrong; the check must find each. Returns
 * how many there were. */
static uint32_t spoil(const Solved *r, uint32_t count, ExprId *expr)
{
    System *s = r->f.s;
    uint32_t n = pool_size(r->f.p);
    bool *reached = arena_array(r->f.mem, bool, n);
    ExprId *good = arena_array(r->f.mem, ExprId, count + 1);
    memcpy(good, expr, count * sizeof *good);
    program_reach(r->f.p, count, good, reached);
    uint32_t tried = 0;
    for (uint32_t k = 0; k < n; k++) {
        Op op = expr_op(r->f.p, (ExprId){k});
        if (!reached[k] || op == OP_NUM || op == OP_VAR || op == OP_NEG)
            continue;
        ExprId *memo = doubled(r, n, k);
        bool changed = false;
        for (uint32_t v = 0; v < count; v++) {
            expr[v] = memo[good[v].i];
            changed = changed || !expr_same(expr[v], good[v]);
        }
        if (!changed)
            continue; /* of parameters in states, say */
        VerifyReport v = check(&r->solution.program);
        memcpy(expr, good, count * sizeof *expr);
        cr_assert(!v.ok, "node %u made wrong and not found: %s", k,
                  expr_text(s, (ExprId){k}, r->f.mem));
        tried++;
    }
    return tried;
}

Test(verify, one_wrong_operation_is_found)
{
    Solved r = solved();
    Program *g = &r.solution.program;
    ExprId *value = arena_array(r.f.mem, ExprId, r.f.s->var.n);
    memcpy(value, g->value, r.f.s->var.n * sizeof *value);
    g->value = value;
    cr_assert_gt(spoil(&r, r.f.s->var.n, value), 40);
    fixture_done(&r.f);
}

/* Entries of the matrix in turn are off by one, its operations in turn wrong. */
static uint32_t spoil_matrix(const Solved *r, SparseJacobian *j)
{
    ExprColumns *m = &j->columns;
    uint32_t n = m->col_start[m->n_cols];
    ExprId *entry = arena_array(r->f.mem, ExprId, n + 1);
    memcpy(entry, m->entry, n * sizeof *entry);
    m->entry = entry;
    VerifyReport v = check(&r->solution.program);
    cr_assert(v.ok && v.n_slopes > 0, "%s", v.failed_slope ? v.failed_slope : "");
    for (uint32_t k = 0; k < n; k++) {
        ExprId good = entry[k];
        entry[k] = expr_add(r->f.p, good, expr_int(r->f.p, 1));
        v = check(&r->solution.program);
        cr_assert(!v.ok && v.failed_slope, "entry %u is wrong, and it is not found", k);
        entry[k] = good;
    }
    return spoil(r, n, entry);
}

Test(verify, one_wrong_operation_of_a_jacobian_is_found)
{
    Solved r = solved();
    Program *g = &r.solution.program;
    cr_assert(jacobian_of_states(g, 100000, r.f.mem));
    SparseJacobian j = *g->jacobian;
    g->jacobian = &j;
    cr_assert_gt(spoil_matrix(&r, &j), 40);
    fixture_done(&r.f);
}

Test(verify, one_wrong_operation_of_the_residual_forms_derivatives_is_found)
{
    Solved r = solved();
    Program *g = &r.solution.program;
    residual_form_find(g, &r.torn.program, 100000, r.f.mem);
    ResidualForm form = *g->residual;
    cr_assert_eq(form.n, 2);
    cr_assert_eq(form.n_rates, 4); /* the loop's unknowns are algebraic */
    cr_assert(form.has_jacobians);
    g->residual = &form;
    cr_assert_gt(spoil_matrix(&r, &form.by_torn), 5);
    cr_assert_gt(spoil_matrix(&r, &form.by_state), 10);
    fixture_done(&r.f);
}

/* The equations hold where random accelerations are put in, but for two that are off by what the
 * residuals say. */
Test(verify, the_residual_form_is_that_of_the_equations)
{
    Solved r = solved();
    const Program *g = &r.torn.program;
    cr_assert_eq(g->n_blocks, 1);
    VerifyReport v = check(g);
    cr_assert(v.ok);
    cr_assert_eq(v.n_newton, 2);
    cr_assert_eq(v.n_skipped, 0);
    /* one that is wrong is no residual of an equation */
    NonlinearBlock b = g->block[0];
    ExprId wrong[] = {expr_add(r.f.p, b.residual[0], expr_int(r.f.p, 1)), b.residual[1]};
    b.residual = wrong;
    r.torn.program.block = &b;
    v = check(g);
    cr_assert_eq(v.n_newton, 1);
    cr_assert_eq(v.n_skipped, 1);
    fixture_done(&r.f);
}

/* y = `right` as a model, solved by the expression `value`, built in another pool. */
static VerifyReport verified(ExprId (*right)(ExprPool *, ExprId),
                             ExprId (*value)(ExprPool *, ExprId))
{
    Fixture f[2];
    for (int k = 0; k < 2; k++) {
        f[k] = (Fixture){.mem = arena_new()};
        f[k].s = system_new(f[k].mem, names_new(f[k].mem), diags_new(f[k].mem), false);
        f[k].p = f[k].s->pool;
        ExprId z = parameter(&f[k], "z");
        ExprId y = unknown(&f[k], "y");
        equation(&f[k], y, right(f[k].p, z));
    }
    ExprId z = system_var_expr(f[0].s, (VarId){0});
    ExprId of[2] = {z, value(f[0].p, z)};
    Program g = {.sys = f[0].s, .value = of};
    VerifyReport r = verify(&g, f[1].s, NULL, (VerifyPoints){4, 4});
    fixture_done(&f[0]);
    fixture_done(&f[1]);
    return r;
}

static ExprId one_over_zero(ExprPool *p, ExprId z)
{
    return expr_div(p, expr_int(p, 1), expr_sub(p, z, z));
}

/* if z*z >= 0 then 3 else 1/(z - z) */
static ExprId guarded(ExprPool *p, ExprId z)
{
    ExprId good = expr_compare(p, OP_LE, expr_int(p, 0), expr_mul(p, z, z));
    return expr_select(p, good, expr_int(p, 3), one_over_zero(p, z));
}

static ExprId three(ExprPool *p, ExprId z)
{
    (void)z;
    return expr_int(p, 3);
}

static ExprId four(ExprPool *p, ExprId z)
{
    (void)z;
    return expr_int(p, 4);
}

static ExprId rational(ExprPool *p, ExprId z)
{
    ExprId one_less = expr_sub(p, expr_int(p, 1), z);
    return expr_div(p, expr_div(p, z, one_less), one_less);
}

Test(verify, a_branch_that_is_not_taken_is_not_evaluated)
{
    VerifyReport r = verified(guarded, three);
    cr_assert(verify_is_proved(&r), "%u, %u points", r.done.residues, r.done.fractions);
    cr_assert(!verified(guarded, four).ok);
}

Test(verify, what_cannot_be_evaluated_is_not_proved)
{
    VerifyReport r = verified(one_over_zero, one_over_zero);
    cr_assert_eq(r.wanted.residues, 4);
    cr_assert_eq(r.done.residues + r.done.fractions, 0);
}

Test(verify, the_degree_bounds_the_residual)
{
    VerifyReport r = verified(rational, rational);
    cr_assert(verify_is_proved(&r));
    /* each side p q (q - p)^-2, unreduced: numerator 3, denominator 3 */
    cr_assert_eq(r.degree, 6, "%g", r.degree);
    cr_assert_eq(verified(three, three).degree, 0);
}

/* Values, conditions and texts are over states, parameters, inputs and unknowns of blocks. */
Test(solve, check_finds_variables_without_a_value)
{
    Model m = model_of("model M\n"
                       "  Real x(start = 1, fixed = true), y = sin(x);\n"
                       "equation\n"
                       "  der(x) = -x;\n"
                       "  assert(y > 0.5, \"y is \" + String(y));\n"
                       "end M;\n");
    ExprPool *p = m.dae.sys->pool;
    model_sort(&m);
    model_solve(&m);
    ExprId y = model_expr(&m, "y");
    Program g = m.dae.solution.program;
    Assertion a = g.assertion[0];
    cr_assert(program_check(&g));
    g.assertion = &a;
    a.cond = expr_compare(p, OP_LT, y, expr_int(p, 1));
    cr_assert_not(program_check(&g));
    a = m.dae.solution.program.assertion[0];
    a.message = y;
    cr_assert_not(program_check(&g));
    model_done(&m);
}
