/* Pivots that vanish somewhere are told from those that only vary. */
#include "eliminate/block/sample_points.h"

#include "tests/eliminate/fixture.h"

#include <math.h>

typedef struct Pendulum {
    Fixture f;
    Sample sample;
    SamplePoints w;
    ExprId m, j, q, r, c, s;
} Pendulum;

static void start(Pendulum *t)
{
    t->f = fixture();
    ExprPool *p = t->f.p;
    t->m = parameter(&t->f, "m");
    t->j = parameter(&t->f, "J");
    t->q = unknown(&t->f, "q");
    t->r = unknown(&t->f, "r");
    t->c = expr_fn(p, FN_COS, t->q);
    t->s = expr_fn(p, FN_SIN, t->q);
    t->f.s->var.at[0].binding = expr_int(p, 2);
    t->f.s->var.at[1].binding = expr_int(p, 3);
    t->sample = sample_new(t->f.s, t->f.mem);
    t->w = sample_points_new(p, &t->sample, t->f.mem);
}

Test(sample_points, inertias_do_not_vanish)
{
    Pendulum t;
    start(&t);
    ExprPool *p = t.f.p;
    ExprId square = expr_mul(p, t.s, t.s);
    ExprId turned = expr_add(p, t.m, expr_mul(p, t.j, square)); /* m + J sin(q)^2 */
    cr_assert(!sample_points_vanishes(&t.w, turned));
    cr_assert(!sample_points_vanishes(&t.w, expr_neg(p, turned)));
    /* J - (m cos(q))^2/(m + J) */
    ExprId off = expr_mul(p, t.m, t.c);
    cr_assert(!sample_points_vanishes(
        &t.w, expr_sub(p, t.j, expr_div(p, expr_mul(p, off, off), expr_add(p, t.m, t.j)))));
    cr_assert(!sample_points_vanishes(&t.w, expr_fn(p, FN_EXP, t.q)));
    fixture_done(&t.f);
}

Test(sample_points, what_vanishes_is_found)
{
    Pendulum t;
    start(&t);
    ExprPool *p = t.f.p;
    cr_assert(sample_points_vanishes(&t.w, t.q));
    cr_assert(sample_points_vanishes(&t.w, expr_mul(p, t.m, t.c)), "changes its sign");
    cr_assert(sample_points_vanishes(&t.w, expr_mul(p, t.j, expr_mul(p, t.s, t.s))),
              "touches zero");
    cr_assert(sample_points_vanishes(&t.w, expr_sub(p, expr_int(p, 1), t.c)), "touches zero");
    cr_assert(sample_points_vanishes(&t.w, expr_add(p, t.m, expr_mul(p, t.j, t.c))), "m < J");
    fixture_done(&t.f);
}

Test(sample_points, bounds_are_kept)
{
    Pendulum t;
    start(&t);
    ExprPool *p = t.f.p;
    Var *r = &t.f.s->var.at[3];
    r->attr.min = expr_ratio(p, 1, 10);
    r->attr.start = expr_int(p, 1);
    cr_assert(!sample_points_vanishes(&t.w, expr_mul(p, t.r, t.r)));
    Samples v = sample_points_value(&t.w, t.r);
    for (int k = 0; k < SAMPLE_POINTS; k++)
        cr_assert(v.at[k] >= 0.1 && v.at[k] < 6, "%g", v.at[k]);
    fixture_done(&t.f);
}

/* An angle of 1.5708 is a quarter turn but for 4e-6: its cosine is nearly nothing, its sine is not.
 */
Test(sample_points, parameters_near_a_quarter_turn_vanish)
{
    Pendulum t;
    start(&t);
    ExprPool *p = t.f.p;
    t.f.s->var.at[0].binding = expr_ratio(p, 15708, 10000);
    cr_assert(sample_points_vanishes(&t.w, expr_fn(p, FN_COS, t.m)));
    cr_assert(!sample_points_vanishes(&t.w, expr_fn(p, FN_SIN, t.m)));
    cr_assert(!sample_points_vanishes(&t.w, expr_add(p, t.m, t.j)));
    // a pivot that varies with time is looked at with parameters as they are
    Samples v = sample_points_pivot(&t.w, expr_mul(p, t.m, t.c));
    Samples c = sample_points_pivot(&t.w, t.c);
    for (int k = 0; k < SAMPLE_POINTS; k++)
        cr_assert_float_eq(v.at[k], 1.5708 * c.at[k], 1e-12);
    fixture_done(&t.f);
}

Test(sample_points, what_was_taken_back_is_forgotten)
{
    Pendulum t;
    start(&t);
    ExprPool *p = t.f.p;
    Samples before = sample_points_value(&t.w, t.c);
    PoolMark mark = pool_mark(p);
    cr_assert(sample_points_vanishes(&t.w, expr_mul(p, t.m, t.c)));
    pool_rollback(p, mark);
    sample_points_forget(&t.w);
    /* the same id again */
    cr_assert(!sample_points_vanishes(&t.w, expr_add(p, t.m, t.j)));
    Samples after = sample_points_value(&t.w, t.c);
    for (int k = 0; k < SAMPLE_POINTS; k++)
        cr_assert_eq(before.at[k], after.at[k]);
    fixture_done(&t.f);
}
