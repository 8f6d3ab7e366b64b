/* Clocks by random chains of conversions, against the same in fractions of whole numbers. */
#include "eliminate/prepare/clock_calculus.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

typedef struct Setting {
    Arena *mem;
    Diags *diags;
    System *s;
    ClockCalculus *c;
} Setting;

static Setting setting(void)
{
    Setting t = {.mem = arena_new()};
    t.diags = diags_new(t.mem);
    t.s = system_new(t.mem, names_new(t.mem), t.diags, true);
    t.c = clock_calculus_new(t.s, t.mem);
    return t;
}

static void done(Setting *t)
{
    clock_calculus_free(t->c);
    system_free(t->s);
    arena_free(t->mem);
}

static uint32_t node(Setting *t)
{
    return clock_node(t->c, "c", SPAN_NONE);
}

static void every(Setting *t, uint32_t a, long num, unsigned long den)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_si(q, num, den);
    mpq_canonicalize(q);
    clock_is(t->c, a, CLOCK_PERIODIC, expr_int(t->s->pool, 1), q, SPAN_NONE);
    mpq_clear(q);
}

static double tick(const ClockTicks *t, double k)
{
    return (t->shift + k * t->factor) / t->per;
}

Test(clock_calculus, ticks_of_one_instant_are_one_number)
{
    Setting t = setting();
    uint32_t base = node(&t), slow = node(&t), fast = node(&t), late = node(&t), back = node(&t);
    every(&t, slow, 7, 30);
    clock_tie(t.c, slow, TIE_SUB, base, 7, 1, SPAN_NONE);
    clock_tie(t.c, fast, TIE_SUPER, base, 3, 1, SPAN_NONE);
    clock_tie(t.c, late, TIE_SHIFT, fast, 5, 2, SPAN_NONE);
    clock_tie(t.c, back, TIE_BACK, late, 1, 2, SPAN_NONE);
    cr_assert(clock_solve(t.c));
    ClockTicks b = clock_ticks(t.c, base), s = clock_ticks(t.c, slow), f = clock_ticks(t.c, fast);
    ClockTicks l = clock_ticks(t.c, late), k = clock_ticks(t.c, back);
    for (int n = 0; n < 1000000; n++) {
        cr_assert_eq(tick(&b, n), n / 30.0, "%d", n);
        cr_assert_eq(tick(&s, n), tick(&b, 7.0 * n), "%d", n);
        cr_assert_eq(tick(&f, 3.0 * n), tick(&b, n), "%d", n);
        cr_assert_eq(tick(&l, n), (5 + 2.0 * n) / 180, "%d", n);
        cr_assert_eq(tick(&k, n), (4 + 2.0 * n) / 180, "%d", n);
    }
    done(&t);
}

/* A ring of conversions that are undone again: any other last one contradicts. */
Test(clock_calculus, rings_close_or_contradict)
{
    srand(7);
    for (int round = 0; round < 200; round++) {
        Setting t = setting();
        enum { N = 12 };
        uint32_t at[N + 1];
        long shift = 0; /* in units of the first interval, whose factor stays 1 */
        at[0] = node(&t);
        every(&t, at[0], 1 + rand() % 9, (unsigned long)(1 + rand() % 9));
        for (int k = 0; k < N; k++) {
            long n = 1 + rand() % 5;
            at[k + 1] = node(&t);
            clock_tie(t.c, at[k + 1], TIE_SHIFT, at[k], n, 1, SPAN_NONE);
            shift += n;
        }
        bool wrong = round % 2;
        clock_tie(t.c, at[0], TIE_BACK, at[N], shift + wrong, 1, SPAN_NONE);
        cr_assert_eq(clock_solve(t.c), !wrong, "round %d", round);
        cr_assert_eq(diags_errors(t.diags) > 0, wrong);
        if (!wrong) {
            ClockTicks first = clock_ticks(t.c, at[0]), last = clock_ticks(t.c, at[N]);
            cr_assert_eq(tick(&last, 0), tick(&first, (double)shift));
        }
        done(&t);
    }
}

Test(clock_calculus, factors_that_are_left_open_are_whole)
{
    for (long n = 1; n <= 4; n++) {
        Setting t = setting();
        uint32_t fast = node(&t), slow = node(&t), open = node(&t);
        every(&t, fast, 1, 10);
        every(&t, slow, n, 20);
        clock_tie(t.c, slow, TIE_SUB, fast, 0, 1, SPAN_NONE);
        clock_tie(t.c, open, TIE_SUPER, slow, 0, 1, SPAN_NONE);
        cr_assert_eq(clock_solve(t.c), n % 2 == 0, "%ld", n);
        if (n % 2 == 0) {
            ClockTicks a = clock_ticks(t.c, slow), b = clock_ticks(t.c, open);
            cr_assert_eq(tick(&a, 1), tick(&b, 1));
        }
        done(&t);
    }
}

Test(clock_calculus, what_is_not_periodic_has_no_ticks_between)
{
    Setting t = setting();
    uint32_t event = node(&t), sub = node(&t), both = node(&t), between = node(&t);
    clock_is(t.c, event, CLOCK_EVENT, expr_time(t.s->pool), NULL, SPAN_NONE);
    clock_tie(t.c, sub, TIE_SUB, event, 4, 1, SPAN_NONE);
    clock_tie(t.c, both, TIE_SUPER, sub, 2, 1, SPAN_NONE);
    cr_assert(clock_solve(t.c));
    cr_assert_eq(clock_ticks(t.c, both).factor, 2);
    done(&t);
    t = setting();
    event = node(&t);
    between = node(&t);
    clock_is(t.c, event, CLOCK_EVENT, expr_time(t.s->pool), NULL, SPAN_NONE);
    clock_tie(t.c, between, TIE_SUPER, event, 2, 1, SPAN_NONE);
    cr_assert_not(clock_solve(t.c));
    done(&t);
}
