/* Terms of time alone: their bounds hold what they are in between, and steps end at pulses. */
#include "runtime/event/time_terms.h"
#include "tests/runtime/fixture.h"

#include <stdlib.h>

enum { OPS = 12, SAMPLES = 40 };

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 24);
}

static uint32_t below(unsigned *seed, uint32_t n)
{
    return (uint32_t)(uniform(seed) * n) % n;
}

/* Time, three numbers (zero, a whole one, any), then operations of what stands before. */
typedef struct Terms {
    uint32_t op[OPS], a[OPS], b[OPS], c[OPS], term[1];
    double number[3];
    RungTimeTerms table;
} Terms;

static void random_terms(Terms *t, unsigned *seed)
{
    static const double wholes[] = {-3, -2, -1, 1, 2, 3};
    t->number[0] = 0;
    t->number[1] = wholes[below(seed, 6)];
    t->number[2] = 4 * uniform(seed) - 2;
    for (uint32_t k = 0; k < OPS; k++) {
        t->op[k] = k == 0   ? RUNG_TIME_NOW
                   : k <= 3 ? RUNG_TIME_NUMBER
                            : RUNG_TIME_NEG + below(seed, RUNG_TIME_CEIL + 1 - RUNG_TIME_NEG);
        t->a[k] = k == 0 ? 0 : k <= 3 ? k - 1 : below(seed, k);
        t->b[k] = k <= 3 ? 0 : below(seed, k);
        t->c[k] = k <= 3 ? 0 : below(seed, k);
    }
    t->term[0] = OPS - 1;
    t->table = (RungTimeTerms){OPS, 1, t->op, t->a, t->b, t->c, t->number, t->term};
}

Test(time_terms, bounds_hold_every_value_in_between)
{
    static const double ROUNDING = 1e-9;
    uint32_t n_bounded = 0;
    for (unsigned first = 1; first <= 4000; first++) {
        unsigned seed = first;
        Terms t;
        random_terms(&t, &seed);
        RungModel m = fixture_model();
        m.time_terms = &t.table;
        RungContext *ctx = context_new(&m);
        TimeTerms *it = time_terms_new(&m);
        double t0 = 6 * uniform(&seed) - 3, t1 = t0 + pow(10, -3 * uniform(&seed)), lo, hi;
        time_terms_bounds(it, ctx, 0, t0, t1, &lo, &hi);
        cr_assert(lo <= hi, "seed %u", first);
        n_bounded += isfinite(lo) && isfinite(hi) && lo < hi;
        for (int s = 0; s <= SAMPLES; s++) {
            double at = t0 + (t1 - t0) * s / SAMPLES, v, same;
            time_terms_bounds(it, ctx, 0, at, at, &v, &same);
            if (v != same || isinf(v)) // no number
                continue;
            double spare = ROUNDING * (1 + fabs(v) + (isfinite(lo) ? fabs(lo) : 0));
            cr_assert(v >= lo - spare && v <= hi + spare, "seed %u: %g not in [%g, %g]", first, v,
                      lo, hi);
        }
        time_terms_free(it);
        context_free(ctx);
    }
    cr_assert_gt(n_bounded, 300);
}

/* x0' = exp(-((t - 3)/w)^2)/w */
static const double WIDTH = 1e-7;
static int pulse_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    (void)ctx, (void)x;
    double u = (t - 3) / WIDTH;
    xdot[0] = exp(-u * u) / WIDTH;
    xdot[1] = 0;
    return 0;
}

Test(time_terms, a_step_ends_on_a_pulse)
{
    static const uint32_t op[] = {RUNG_TIME_NOW, RUNG_TIME_NUMBER, RUNG_TIME_SUB, RUNG_TIME_NUMBER,
                                  RUNG_TIME_DIV, RUNG_TIME_MUL,    RUNG_TIME_NEG, RUNG_TIME_EXP};
    static const uint32_t a[] = {0, 0, 0, 1, 2, 4, 5, 6}, b[] = {0, 0, 1, 0, 3, 4, 0, 0},
                          c[8] = {0}, term[] = {7};
    static const double number[] = {3, 1e-7};
    static const RungTimeTerms table = {8, 1, op, a, b, c, number, term};
    static SimulateOptions o;
    o = simulate_defaults();
    RungModel m = fixture_model();
    m.time_terms = &table;
    m.xdot = pulse_xdot;
    Fixture it;
    fixture_open(&it, &m, &o);
    it.run.tolerance = 1e-6;
    it.run.stop = 10;
    TimeTerms *terms = time_terms_new(&m);
    cr_assert_eq(time_terms_stop(terms, &it.run, &integrator_rk4, NULL, 10, true), 0);
    cr_assert_eq(it.run.stop, 10, "steps of one length end where they do");
    time_terms_stop(terms, &it.run, &integrator_dopri5, NULL, 10, true);
    cr_assert_float_eq(it.run.stop, 3, WIDTH);
    // behind it there is none
    it.run.t = it.run.stop;
    it.run.h = 1;
    time_terms_stop(terms, &it.run, &integrator_dopri5, NULL, 10, false);
    cr_assert_eq(it.run.stop, 10);
    time_terms_free(terms);
    fixture_close(&it);
}
