/* Inputs that follow data: values between rows, cuts, both sides of a jump. */
#include "runtime/problem/input.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 16 };

/* One signal over these rows, from t = start on. */
typedef struct Signal {
    double t[MOST], value[MOST];
    InputSignal signal;
    InputData data;
    Inputs *in;
    double u;
    RungContext ctx;
} Signal;

static void follow(Signal *s, InputKind kind, size_t n, double start)
{
    s->signal = (InputSignal){.input = 0, .kind = kind, .value = s->value, .stride = 1};
    s->data = (InputData){.n_rows = n, .t = s->t, .stride = 1, .n = 1, .signal = &s->signal};
    s->in = inputs_new(&s->data, start);
    s->ctx.u = &s->u;
    cr_assert(s->in);
}

static double at(Signal *s, double t)
{
    inputs_refresh(s->in, &s->ctx, t);
    return s->u;
}

/* The next cut is at t; whether it is a jump; then behind it. */
static void passes(Signal *s, double t, bool jumps)
{
    bool does_jump;
    cr_assert_eq(inputs_next(s->in, &does_jump), t);
    cr_assert_eq(does_jump, jumps);
    inputs_advance(s->in);
}

static void ends(Signal *s)
{
    bool jumps;
    cr_assert_eq(inputs_next(s->in, &jumps), INFINITY);
    inputs_free(s->in);
}

Test(input, lines_have_kinks_and_jumps)
{
    Signal s = {.t = {0, 1, 2, 3, 3, 5}, .value = {0, 2, 4, 4, 7, 3}};
    follow(&s, INPUT_LINEAR, 6, 0);
    // rows 0, 1, 2 lie on a line
    cr_assert_eq(at(&s, 0.5), 1);
    cr_assert_eq(at(&s, 1.5), 3);
    cr_assert_eq(at(&s, 2), 4);
    passes(&s, 2, false);
    cr_assert_eq(at(&s, 2.5), 4);
    cr_assert_eq(at(&s, 3), 4);
    passes(&s, 3, true);
    cr_assert_eq(at(&s, 3), 7);
    cr_assert_eq(at(&s, 4), 5);
    passes(&s, 5, false);
    cr_assert_eq(at(&s, 6), 3);
    ends(&s);
}

Test(input, what_is_held_jumps_where_it_changes)
{
    Signal s = {.t = {0, 1, 2, 3}, .value = {1, 1, 5, 5}};
    follow(&s, INPUT_HOLD, 4, 0);
    cr_assert_eq(at(&s, 1.5), 1);
    cr_assert_eq(at(&s, 2), 1);
    passes(&s, 2, true);
    cr_assert_eq(at(&s, 2), 5);
    cr_assert_eq(at(&s, 9), 5);
    ends(&s);
}

Test(input, a_run_may_begin_inside)
{
    Signal s = {.t = {0, 0, 1, 4}, .value = {9, 1, 2, 5}};
    follow(&s, INPUT_LINEAR, 4, 0);
    cr_assert_eq(at(&s, 0), 1);
    inputs_free(s.in);
    follow(&s, INPUT_HOLD, 4, 2);
    cr_assert_eq(at(&s, 2), 2);
    passes(&s, 4, true);
    ends(&s);
    follow(&s, INPUT_LINEAR, 1, 0);
    cr_assert_eq(at(&s, 3), 9);
    ends(&s);
}

/* Parabolas are found again; across a row value and slope are continuous. */
Test(input, cubics_are_smooth)
{
    Signal s = {.t = {0, 1, 3, 4, 6}};
    for (int k = 0; k < 5; k++)
        s.value[k] = s.t[k] * s.t[k];
    follow(&s, INPUT_CUBIC, 5, 1.5);
    for (double t = 1; t < 3; t += 0.125)
        cr_assert_float_eq(at(&s, t), t * t, 1e-14);
    inputs_free(s.in);
    s.value[2] = 20;
    follow(&s, INPUT_CUBIC, 5, 1);
    const double h = 1e-4;
    double left = at(&s, 3), slope = (left - at(&s, 3 - h)) / h;
    passes(&s, 3, false);
    cr_assert_eq(at(&s, 3), left);
    cr_assert_float_eq((at(&s, 3 + h) - left) / h, slope, 1e-2);
    inputs_free(s.in);
}

/* Pieces one after the other meet all times; in each, methods see one formula: random data. */
Test(input, pieces_cover_the_data)
{
    for (unsigned seed = 1; seed < 200; seed++) {
        srand(seed);
        Signal s = {.t = {0}};
        for (int k = 0; k < MOST; k++) {
            s.t[k] = k ? s.t[k - 1] + rand() % 3 : 0;
            s.value[k] = rand() % 3;
        }
        InputKind kind = (InputKind)(seed % 3);
        follow(&s, kind, MOST, 0);
        bool jumps;
        for (double from = 0, to; isfinite(to = inputs_next(s.in, &jumps)); from = to) {
            cr_assert(to > from, "seed %u", seed);
            double left = at(&s, to), close = at(&s, to - 1e-9);
            cr_assert_float_eq(left, close, 1e-7, "seed %u", seed);
            inputs_advance(s.in);
            if (!jumps)
                cr_assert_eq(at(&s, to), left, "seed %u", seed);
            else
                cr_assert_neq(at(&s, to), left, "seed %u", seed);
        }
        inputs_free(s.in);
    }
}
