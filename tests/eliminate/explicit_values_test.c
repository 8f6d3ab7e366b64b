/* Values of what explicit equations determine, and the way back to variables. */
#include "eliminate/frames/explicit_values.h"

#include "tests/eliminate/fixture.h"

typedef struct Model {
    Fixture f;
    ExprId a, b, c, d, u, v, w;
    ExplicitValues k;
} Model;

static EqId add(Fixture *f, ExprId lhs, ExprId rhs)
{
    equation(f, lhs, rhs);
    return (EqId){f->s->eq.n - 1};
}

/* b = 2 a + 1, c = b sin(a): explicit; u + c v = a, v - w = 0, w - u = b: a loop. */
static Model *model(void)
{
    Fixture f = fixture();
    Model *m = arena_make(f.mem, Model);
    m->f = f;
    ExprPool *p = f.p;
    m->a = unknown(&f, "a");
    m->b = unknown(&f, "b");
    m->c = unknown(&f, "c");
    m->d = unknown(&f, "d");
    m->u = unknown(&f, "u");
    m->v = unknown(&f, "v");
    m->w = unknown(&f, "w");
    m->k = explicit_values_new(f.s, f.mem, arena_new());
    EqId of_b = add(&f, m->b, expr_add(p, expr_mul(p, expr_int(p, 2), m->a), expr_int(p, 1)));
    EqId of_c =
        add(&f, expr_neg(p, m->c), expr_neg(p, expr_mul(p, m->b, expr_fn(p, FN_SIN, m->a))));
    EqId of_d = add(&f, expr_mul(p, m->d, m->d), m->a); /* not linear */
    explicit_values_solve(&m->k, of_b, expr_var_of(p, m->b));
    explicit_values_solve(&m->k, of_c, expr_var_of(p, m->c));
    explicit_values_solve(&m->k, of_d, expr_var_of(p, m->d));
    return m;
}

static void done(Model *m)
{
    Fixture f = m->f;
    arena_free(m->k.tmp);
    fixture_done(&f);
}

static ExprId value_of(const Model *m, ExprId x)
{
    return m->k.value[expr_var_of(m->f.p, x).i];
}

Test(explicit_values, are_over_what_has_none)
{
    Model *m = model();
    ExprPool *p = m->f.p;
    ExprId b = expr_add(p, expr_mul(p, expr_int(p, 2), m->a), expr_int(p, 1));
    ExprId c = expr_mul(p, b, expr_fn(p, FN_SIN, m->a));
    cr_assert(expr_same(value_of(m, m->b), b));
    cr_assert(expr_same(value_of(m, m->c), c));
    cr_assert(!expr_exists(value_of(m, m->d)) && !expr_exists(value_of(m, m->a)));
    cr_assert(explicit_values_is_value(&m->k, c) && !explicit_values_is_value(&m->k, m->a));
    done(m);
}

/* A value and what is built of values is written over the variables that have them. */
Test(explicit_values, are_written_over_variables_again)
{
    Model *m = model();
    ExprPool *p = m->f.p;
    ExprId b = value_of(m, m->b), c = value_of(m, m->c);
    cr_assert(expr_same(explicit_values_written(&m->k, c), m->c));
    cr_assert(expr_same(explicit_values_written(&m->k, expr_neg(p, b)), expr_neg(p, m->b)));
    ExprId sum = expr_fn(p, FN_COS, expr_add(p, c, m->a));
    cr_assert(expr_same(explicit_values_written(&m->k, sum),
                        expr_fn(p, FN_COS, expr_add(p, m->c, m->a))));
    /* values are paid: cos and the sum are left */
    cr_assert_eq(explicit_values_operations(&m->k, 1, &sum), 2);
    cr_assert_eq(explicit_values_operations(&m->k, 1, &c), 0);
    done(m);
}

Test(explicit_values, a_loop_has_forms_over_its_unknowns)
{
    Model *m = model();
    Fixture *f = &m->f;
    ExprPool *p = f->p;
    EqId eq[] = {add(f, expr_add(p, m->u, expr_mul(p, m->c, m->v)), m->a), add(f, m->v, m->w),
                 add(f, expr_sub(p, m->w, m->u), m->b)};
    VarId var[] = {expr_var_of(p, m->u), expr_var_of(p, m->v), expr_var_of(p, m->w)};
    Loop l;
    cr_assert(loop_open(&l, &m->k, 3, eq, var, f->mem));
    cr_assert(m->k.is_unknown[var[0].i] && m->k.is_unknown[var[2].i]);
    cr_assert_eq(l.form[0].n, 2);
    cr_assert(expr_same(l.form[0].coeff[1], value_of(m, m->c)), "c has its value");
    cr_assert(expr_same(l.form[2].rest, expr_neg(p, value_of(m, m->b))));
    cr_assert(!loop_is_name(&l, f->s, 0) && loop_is_name(&l, f->s, 1) &&
              !loop_is_name(&l, f->s, 2));
    cr_assert(l.same[0] != l.same[1] && l.same[1] == l.same[2], "v = w");
    loop_close(&l, &m->k);
    cr_assert(!m->k.is_unknown[var[0].i] && !m->k.is_unknown[var[2].i]);
    /* a loop that is not linear */
    EqId bad[] = {eq[0], add(f, expr_mul(p, m->v, m->v), m->w), eq[2]};
    cr_assert(!loop_open(&l, &m->k, 3, bad, var, f->mem));
    done(m);
}
