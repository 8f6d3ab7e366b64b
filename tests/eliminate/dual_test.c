/* Slopes by dual numbers against derivatives that are expressions. */
#include "eliminate/verify/dual.h"

#include "base/hash.h"
#include "eliminate/prepare/differentiate.h"
#include "tests/eliminate/fixture.h"

enum { NODES = 30, VARS = 3 };

static void grow(Fixture *f, uint64_t seed, ExprId *x)
{
    static const Fn fn[] = {FN_SIN, FN_COS, FN_EXP, FN_ATAN, FN_SQRT, FN_LOG};
    ExprPool *p = f->p;
    char name[16];
    for (uint32_t k = 0; k < NODES; k++) {
        uint64_t h = hash_word(seed * 1000 + k);
        snprintf(name, sizeof name, "v%u", k);
        ExprId a = k ? x[h % k] : EXPR_NONE, b = k ? x[h / 100 % k] : EXPR_NONE;
        if (k < VARS) {
            x[k] = unknown(f, name);
            continue;
        }
        switch (h / 10000 % 7) {
        case 0:
            x[k] = expr_add(p, a, b);
            break;
        case 1:
            x[k] = expr_sub(p, a, expr_mul(p, b, b));
            break;
        case 2:
            x[k] = expr_div(p, a, expr_add(p, expr_mul(p, x[1], x[2]), x[0]));
            break;
        case 3:
            x[k] = expr_fn(p, fn[h / 1000000 % 6], x[h % VARS]);
            break;
        case 4:
            x[k] = expr_pow(p, x[h % VARS], expr_int(p, 3));
            break;
        default:
            x[k] = expr_mul(p, a, b);
            break;
        }
    }
}

/* d x / d direction = sum of d x / d v times the rate of v. */
Test(dual, slopes_are_those_of_the_derivatives)
{
    uint32_t n_moving = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Fixture f = fixture();
        ExprId x[NODES];
        grow(&f, seed, x);
        Exact *e = exact_new(f.s, f.mem, seed, &verify_prime[seed % VERIFY_PRIMES]);
        DualNumbers d = dual_new(e, f.mem);
        for (uint32_t turn = 0; turn < 2; turn++) {
            Number rate[VARS];
            dual_turn(&d);
            for (uint32_t k = 0; k < VARS; k++) {
                rate[k] = dual_random(&d, 10 * turn + k);
                dual_move(&d, expr_var_of(f.p, x[k]), rate[k]);
            }
            for (uint32_t k = 0; k < NODES; k++) {
                Number sum = {.r = 0};
                for (uint32_t i = 0; i < VARS; i++) {
                    Differentiator by = differentiator_partial(f.s, expr_var_of(f.p, x[i]), f.mem);
                    ExprId slope = differentiate(&by, x[k]);
                    cr_assert(expr_exists(slope));
                    sum = number_add(&e->field, sum,
                                     number_mul(&e->field, exact_value(e, slope), rate[i]));
                }
                n_moving += sum.r != 0;
                cr_assert_eq(dual_slope(&d, x[k]).r, sum.r, "seed %lu, node %u", seed, k);
            }
        }
        cr_assert(!exact_is_poor(e) && !d.is_open);
        exact_done(e);
        fixture_done(&f);
    }
    cr_assert_gt(n_moving, 1000);
}

/* Where values are fractions: nothing but arithmetic. */
Test(dual, values_are_the_residues_of_fractions)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Fixture f = fixture();
        ExprId x[NODES];
        for (uint32_t k = 0; k < NODES; k++) {
            uint64_t h = hash_word(seed * 1000 + k);
            ExprId a = k ? x[h % k] : EXPR_NONE, b = k ? x[h / 100 % k] : EXPR_NONE;
            x[k] = k < VARS ? expr_ratio(f.p, (long)(h % 1000) + 1, (long)(h / 999 % 99) + 1)
                   : h / 10000 % 3 == 0 ? expr_add(f.p, a, b)
                   : h / 10000 % 3 == 1
                       ? expr_mul(f.p, a, b)
                       : expr_div(f.p, a, expr_add(f.p, expr_mul(f.p, b, b), x[0]));
        }
        Exact *e = exact_new(f.s, f.mem, seed, NULL);
        Exact *r = exact_new(f.s, f.mem, seed, &verify_prime[seed % VERIFY_PRIMES]);
        for (uint32_t k = NODES; k-- > 0;)
            cr_assert_eq(number_rational(&r->field, exact_value(e, x[k]).q).r,
                         exact_value(r, x[k]).r, "seed %lu, node %u", seed, k);
        exact_done(e);
        exact_done(r);
        fixture_done(&f);
    }
}

/* What nothing moves has no slope; time moves by itself. */
Test(dual, only_what_moves_has_a_slope)
{
    Fixture f = fixture();
    ExprPool *p = f.p;
    ExprId x = unknown(&f, "x"), y = unknown(&f, "y"), t = expr_time(p);
    Exact *e = exact_new(f.s, f.mem, 9, &verify_prime[3]);
    DualNumbers d = dual_new(e, f.mem);
    Number rate = dual_random(&d, 1);
    dual_move_time(&d, rate);
    Field *r = &e->field;
    cr_assert_eq(dual_slope(&d, expr_mul(p, x, y)).r, 0);
    cr_assert_eq(dual_slope(&d, expr_mul(p, x, t)).r, number_mul(r, exact_value(e, x), rate).r);
    Number twice = number_add(r, exact_value(e, t), exact_value(e, t));
    cr_assert_eq(dual_slope(&d, expr_mul(p, t, t)).r, number_mul(r, twice, rate).r);
    exact_done(e);
    fixture_done(&f);
}
