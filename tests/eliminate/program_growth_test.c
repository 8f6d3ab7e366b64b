/* Digits lost, against what is known of the expressions. */
#include "eliminate/block/program_growth.h"

#include "ir/program.h"
#include "tests/eliminate/fixture.h"

#include <math.h>

static double error_at(Fixture *f, ExprId x, uint32_t point)
{
    bool *mark = arena_array(f->mem, bool, pool_size(f->p));
    program_reach(f->p, 1, &x, mark);
    Sample sample = sample_new(f->s, f->mem);
    ProgramGrowth r = program_growth_new(f->s, &sample, mark, point, f->mem);
    return program_growth_of(&r, 1, &x);
}

Test(program_growth, a_sum_is_good_and_a_cancellation_is_not)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x");
    ExprId y = unknown(&f, "y");
    /* 1 - cos(x/1000) is about 5e-7, cos is rounded to half a unit of 1 */
    ExprId small = expr_mul(f.p, x, expr_ratio(f.p, 1, 1000));
    ExprId bad = expr_sub(f.p, expr_int(f.p, 1), expr_fn(f.p, FN_COS, small));
    double worst = 0;
    for (uint32_t point = 1; point < 20; point++) {
        double good = error_at(&f, expr_add(f.p, expr_mul(f.p, x, y), x), point);
        cr_assert(good <= 2, "point %u: %g", point, good);
        worst = fmax(worst, error_at(&f, bad, point));
    }
    cr_assert(worst > 1e3, "%g", worst);
    /* a leaf is exact */
    cr_assert_eq(error_at(&f, x, 1), 0);
    fixture_done(&f);
}

Test(program_growth, points_differ_and_repeat)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x");
    ExprId e = expr_fn(f.p, FN_SIN, expr_mul(f.p, x, x));
    cr_assert_eq(error_at(&f, e, 1), error_at(&f, e, 1));
    cr_assert_neq(error_at(&f, e, 1), error_at(&f, e, 2));
    fixture_done(&f);
}
