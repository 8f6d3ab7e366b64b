/* A block of equations by damped Newton's method, without a runtime around it: what is said to be
 * solved is, wherever the iteration begins. */
#include "runtime/kernel/rung_newton_block.h"

#include <criterion/criterion.h>

/* n diodes with resistors of 1 kOhm and sources of these voltages, each by itself: currents in mA
 *     1e-9 (exp(z / 0.025) - 1) + z - volt = 0 */
enum { N = 3 };
static const double volt[N] = {1, 5e3, -3}, ones[N] = {1, 1, 1};

static int residual(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                    double *r)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    for (int i = 0; i < N; i++) {
        r[i] = 1e-9 * (exp(z[i] / 0.025) - 1) + z[i] - volt[i];
        if (!isfinite(r[i]))
            return 1;
    }
    return 0;
}

static int factor(void *slope, const double *z)
{
    for (int i = 0; i < N; i++)
        ((double *)slope)[i] = 1e-9 * exp(z[i] / 0.025) / 0.025 + 1;
    return 0;
}

static int correct(void *slope, const double *z, double *r)
{
    (void)z;
    for (int i = 0; i < N; i++)
        r[i] /= ((double *)slope)[i];
    return 0;
}

Test(newton_block, what_is_said_to_be_solved_is)
{
    const RungBlock b = {.n = N, .nominal = ones, .residual = residual};
    for (double start = -10; start < 17; start += 0.25) {
        double room[6][N], slope[N], z[N] = {start, start / 2, start}, r[N];
        RungNewtonBlock it = {.b = &b,
                              .user = slope,
                              .factor = factor,
                              .correct = correct,
                              .step = room[0],
                              .ahead = room[1],
                              .simplified = room[2],
                              .farther = room[3],
                              .beyond = room[4],
                              .before = room[5]};
        cr_assert_eq(rung_block_newton(&it, z), 0, "from %g", start);
        cr_assert_eq(residual(NULL, 0, 0, NULL, z, r), 0);
        factor(slope, z);
        for (int i = 0; i < N; i++)
            cr_assert_lt(fabs(r[i] / slope[i]), 1e-12, "from %g: %g", start, r[i]);
    }
}

Test(newton_block, a_correction_is_no_number_if_a_part_of_it_is_none)
{
    const RungBlock b = {.n = N, .nominal = ones};
    for (int i = 0; i < N; i++) {
        const double z[N] = {1, 2, 3};
        double step[N] = {1, 1, 1};
        step[i] = NAN;
        cr_assert(isnan(rung_block_length(&b, z, step)), "part %d", i);
    }
}

/* There is none: the unknown stays where it was. */
static int no_root(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                   double *r)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    r[0] = z[0] * z[0] + 1;
    return 0;
}

static int no_root_factor(void *slope, const double *z)
{
    *(double *)slope = 2 * z[0];
    return z[0] == 0;
}

static int no_root_correct(void *slope, const double *z, double *r)
{
    (void)z;
    r[0] /= *(double *)slope;
    return 0;
}

Test(newton_block, without_a_solution_all_is_as_it_was)
{
    const RungBlock b = {.n = 1, .nominal = ones, .residual = no_root};
    double room[6], slope, z = 0.7;
    RungNewtonBlock it = {.b = &b,
                          .user = &slope,
                          .factor = no_root_factor,
                          .correct = no_root_correct,
                          .step = room,
                          .ahead = room + 1,
                          .simplified = room + 2,
                          .farther = room + 3,
                          .beyond = room + 4,
                          .before = room + 5};
    cr_assert_gt(rung_block_newton(&it, &z), 0);
    cr_assert_eq(z, 0.7);
}

/* One equation: a limiter with feedback, a parabola on one side of its solution, a jump, no sign
 * change. */
typedef struct One {
    double (*f)(double z);
    double guess, solution; /* NAN: there is none */
} One;

static double limiter(double z)
{
    return z - fmax(-1, fmin(1, 1e6 * (3 - z)));
}

static double flat_on_a_side(double z)
{
    return (z > 2 ? (z - 2) * (z - 2) : z - 2) * 1e-3;
}

static double jump(double z)
{
    return z > 0.25 ? 1 + z : z - 1;
}

static double above(double z)
{
    return z * z + 1;
}

static int one_residual(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                        double *r)
{
    (void)ctx, (void)copy, (void)t;
    *r = ((const One *)(const void *)x)->f(*z);
    return 0;
}

Test(newton_block, one_equation_by_changes_of_sign)
{
    static const One all[] = {{limiter, 0.9, 1},        {limiter, -1, 1}, {flat_on_a_side, 2.2, 2},
                              {flat_on_a_side, 1.9, 2}, {jump, 0.3, NAN}, {jump, -40, NAN},
                              {above, 0, NAN}};
    const RungBlock b = {.n = 1, .nominal = ones, .residual = one_residual};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const RungNewtonBlock it = {.b = &b, .x = (const double *)(const void *)&all[k]};
        double z = all[k].guess;
        int status = rung_block_bracket(&it, &z, RUNG_BRACKET_ANY);
        cr_assert_eq(status, isnan(all[k].solution) ? 1 : 0, "%zu", k);
        cr_assert_float_eq(z, status ? all[k].guess : all[k].solution, 1e-14, "%zu: %.17g", k, z);
    }
    const RungNewtonBlock far = {.b = &b, .x = (const double *)(const void *)&all[1]};
    double z = all[1].guess;
    cr_assert_eq(rung_block_bracket(&far, &z, RUNG_BRACKET_NEAR), 1); // another branch
}
