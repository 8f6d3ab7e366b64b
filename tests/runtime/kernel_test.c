/* The kernel, which runs, FMUs and C libraries share: the loop of steps and events, the search for
 * crossings, ends of branches, histories, lanes. */
#define RUNG_WIDTH 4
#include "runtime/kernel/rung_advance.h"
#include "runtime/kernel/rung_branch.h"
#include "runtime/kernel/rung_delay.h"
#include "runtime/kernel/rung_hermite.h"
#include "runtime/kernel/rung_instance.h"
#include "runtime/kernel/rung_lanes.h"
#include "runtime/kernel/rung_question.h"
#include "runtime/kernel/rung_relation.h"
#include "runtime/kernel/rung_saltation_adjoint.h"
#include "runtime/kernel/rung_search.h"
#include "tests/runtime/fixture.h"

#include <stdlib.h>

/* ---- rung_advance.h ---- */

/* Steps of 0.3; events at given times, of which those of odd number let the method go on. */
typedef struct Walk {
    const double *event;
    int n_events, passed, fails_at, shortens_at;
    double seen; /* up to here all was observed */
    int n_steps;
} Walk;

static int walk_step(void *self, double t, double stop, double *end)
{
    Walk *w = self;
    cr_assert_eq(t, w->seen, "a step begins where the last one was observed to");
    if (++w->n_steps == w->fails_at)
        return -1;
    *end = fmin(t + 0.3, stop);
    return 0;
}

static int walk_look(void *self, double t, double end, double *at, RungFound *found)
{
    Walk *w = self;
    if (w->n_steps == w->shortens_at) {
        *found = RUNG_FOUND_SHORTER;
        *at = t + 0.1 * (end - t);
    } else if (w->passed < w->n_events && w->event[w->passed] <= end) {
        *found = RUNG_FOUND_EVENT;
        *at = w->event[w->passed];
    }
    return 0;
}

static int walk_observe(void *self, double t, double at, RungFound found)
{
    Walk *w = self;
    (void)found;
    cr_assert_eq(t, w->seen, "nothing is left out, nothing seen twice");
    w->seen = at;
    return 0;
}

static int walk_pass(void *self, double at, double end, double *stop, int *restarts)
{
    Walk *w = self;
    (void)stop, (void)end;
    cr_assert_eq(at, w->event[w->passed]);
    *restarts = w->passed++ % 2 == 0;
    return 0;
}

static const RungAdvance walk = {walk_step, walk_look, walk_observe, walk_pass};

Test(rung_advance, sees_all_of_the_time_and_each_event_once)
{
    static const double event[] = {0.25, 0.4, 0.45, 0.5, 1.7};
    Walk w = {.event = event, .n_events = 5};
    double t = 0;
    int n_restarts = 0;
    RungEnded end;
    while ((end = rung_advance(&walk, &w, &t, 2)) == RUNG_ENDED_AT_EVENT) {
        cr_assert_eq(t, event[w.passed - 1]);
        n_restarts++;
    }
    cr_assert_eq(end, RUNG_ENDED_AT_STOP);
    cr_assert_eq(t, 2);
    cr_assert_eq(w.seen, 2);
    cr_assert_eq(w.passed, 5);
    cr_assert_eq(n_restarts, 3);
    cr_assert_eq(rung_advance(&walk, &w, &t, 2), RUNG_ENDED_AT_STOP, "nothing is left to do");
}

Test(rung_advance, ends_early)
{
    Walk w = {.fails_at = 3};
    double t = 0;
    cr_assert_eq(rung_advance(&walk, &w, &t, 2), RUNG_ENDED_FAILED);
    cr_assert_float_eq(t, 0.6, 1e-15);
    Walk shorter = {.shortens_at = 2};
    t = 0;
    cr_assert_eq(rung_advance(&walk, &shorter, &t, 2), RUNG_ENDED_EARLY);
    cr_assert_float_eq(t, 0.33, 1e-15);
}

/* ---- rung_hermite.h ---- */

/* A cubic is itself, at the ends too; mirrored it is the mirrored one. */
Test(rung_hermite, is_exact_for_cubics)
{
    const double c[] = {0.7, -1.1, 0.4, 2.3}, t0 = -0.4, h = 1.7;
    double x[2], f[2];
    for (int k = 0; k < 2; k++) {
        double t = t0 + k * h;
        x[k] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
        f[k] = c[1] + t * (2 * c[2] + t * 3 * c[3]);
    }
    for (double s = 0; s <= 1; s += 0.125) {
        double t = t0 + s * h, want = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
        cr_assert_float_eq(rung_hermite(h, s, x[0], f[0], x[1], f[1]), want, 1e-14);
        cr_assert_float_eq(rung_hermite(h, 1 - s, x[1], -f[1], x[0], -f[0]), want, 1e-14);
    }
}

/* ---- rung_relation.h, rung_search.h ---- */

enum { MOST = 2 };

typedef struct Signals {
    RungContext ctx;
    RungModel model;
    RungEvents event;
    RungMemory table[MOST];
    uint32_t relation[MOST];
    double memory[MOST], g[MOST], size[MOST], low[MOST], high[MOST], past[2][MOST];
    unsigned char at_zero[MOST];
    double level[RUNG_LEVELS + 1][MOST];
    RungRelations r;
    RungSearch search;
    double (*of[MOST])(double t);
    int samples;
} Signals;

static int signals_at(void *user, double t, double *g)
{
    Signals *s = user;
    s->samples++;
    for (uint32_t k = 0; k < s->r.n; k++)
        g[k] = s->of[k](t);
    return 0;
}

static double *signals_level(void *user, int depth)
{
    return ((Signals *)user)->level[depth];
}

/* Relations g < 0, with memory as at t. */
static void signals_open(Signals *s, uint32_t n, double t)
{
    s->model.event = &s->event;
    s->event.memory = s->table;
    s->ctx.model = &s->model;
    s->r = (RungRelations){.ctx = &s->ctx,
                           .relation = s->relation,
                           .n = n,
                           .memory = s->memory,
                           .g = s->g,
                           .size = s->size,
                           .is_at_zero = s->at_zero};
    for (uint32_t k = 0; k < n; k++) {
        s->table[k] = (RungMemory){.kind = RUNG_RELATION, .is_strict = 1};
        s->relation[k] = k;
        s->memory[k] = s->of[k](t) < 0;
        s->size[k] = fabs(s->of[k](t));
    }
    s->search = (RungSearch){.r = &s->r,
                             .user = s,
                             .sample = signals_at,
                             .level = signals_level,
                             .low_g = s->low,
                             .high_g = s->high,
                             .past = {{.g = s->past[0]}, {.g = s->past[1]}}};
}

/* The time of the first change in one step from t0 to t1; NAN: there is none. */
static double first_change(Signals *s, double t0, double t1)
{
    double from[MOST], to[MOST];
    RungSample end = {t1, to, NULL}, begin = {t0, from, &end};
    signals_at(s, t0, from);
    signals_at(s, t1, to);
    rung_search_begin(&s->search);
    rung_look_ahead(&s->search, t0, t1 - t0);
    return rung_search(&s->search, &begin, &end) ? s->search.high : NAN;
}

static double falling(double t)
{
    return 0.3 - t * t * t;
}

static double dip(double t)
{
    return (t - 0.61) * (t - 0.612) * (3 + cos(t));
}

static double above(double t)
{
    return 1e-3 + (t - 0.61) * (t - 0.61);
}

static double time_itself(double t)
{
    return t - 0.7;
}

/* Up to the noise of g over its slope, whatever the length of the step. */
Test(rung_search, finds_the_first_crossing)
{
    const double root = cbrt(0.3);
    const struct {
        double (*of[MOST])(double);
        uint32_t n;
        double want, near; /* NAN: none */
    } row[] = {{{falling}, 1, root, 1e-8},
               {{dip}, 1, 0.61, 1e-6}, /* equal signs at both ends */
               {{above}, 1, NAN, 0},
               {{time_itself}, 1, 0.7, 1e-9},
               {{falling, dip}, 2, 0.61, 1e-6},
               {{time_itself, falling}, 2, root, 1e-8}};
    static const double span[][2] = {{0, 1}, {0.2, 0.8}, {0.5, 3}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        for (int i = 0; i < 3; i++) {
            Signals s = {.of = {row[k].of[0], row[k].of[1]}};
            signals_open(&s, row[k].n, span[i][0]);
            double have = first_change(&s, span[i][0], span[i][1]);
            if (isnan(row[k].want))
                cr_assert(isnan(have), "%zu: %g", k, have);
            else
                cr_assert_float_eq(have, row[k].want, row[k].near, "%zu: %.17g, not %.17g", k, have,
                                   row[k].want);
            cr_assert_lt(s.samples, 400);
        }
}

/* A relation that holds at zero goes on to hold until g leaves the noise; a line has its zero. */
Test(rung_relation, has_a_hysteresis)
{
    Signals s = {.of = {time_itself}};
    signals_open(&s, 1, 0);
    RungRelations *r = &s.r;
    double noise = rung_noise(r, 0);
    cr_assert_gt(noise, 0);
    cr_assert_eq(s.memory[0], 1, "g < 0");
    cr_assert_not(rung_is_other(r, 0, -noise / 2));
    cr_assert_not(rung_is_other(r, 0, -2 * noise));
    cr_assert(rung_is_other(r, 0, 2 * noise));
    s.memory[0] = 0;
    cr_assert(rung_is_other(r, 0, -2 * noise));
    cr_assert_not(rung_is_other(r, 0, noise / 2));
    cr_assert_not(rung_is_other(r, 0, -noise / 2), "it has not left the noise");
    s.table[0].is_exact = 1;
    cr_assert(rung_is_other(r, 0, -noise / 2), "time has no noise");
    cr_assert_eq(rung_threshold(r, 0), 0);
    cr_assert_float_eq(rung_crossing(r, 0, 2, -1, 4, 3), 2.5, 1e-15);
    s.size[0] = 1;
    rung_find_at_zero(r, 0, DBL_EPSILON, 0);
    cr_assert(s.at_zero[0]);
    s.table[0].is_exact = 0;
    s.memory[0] = 1;
    cr_assert_not(rung_is_other(r, 0, RUNG_ROUNDED / 2), "it rests at zero up to rounding");
    rung_find_at_zero(r, 0, 0.5, 1);
    cr_assert_not(s.at_zero[0]);
    cr_assert(rung_is_other(r, 0, RUNG_ROUNDED / 2), "it has reached zero anew");
    rung_find_at_zero(r, 0, 0, 1);
    cr_assert_not(s.at_zero[0], "since the event it has left zero");
}

/* Relations whose functions depend on memory: g[k] = value[k][memory[0]]. */
typedef struct Diode {
    Signals s;
    double value[MOST][2], saved[MOST], seen[MOST], entry[MOST], noise[MOST];
    unsigned char due[MOST];
} Diode;

static void diode_set(void *user, uint32_t k, double value)
{
    ((Diode *)user)->s.memory[k] = value;
}

static void diode_note(void *user)
{
    Diode *d = user;
    memcpy(d->saved, d->s.memory, sizeof d->saved);
}

static void diode_go_back(void *user)
{
    Diode *d = user;
    memcpy(d->s.memory, d->saved, sizeof d->saved);
}

static int diode_compare(void *user)
{
    Diode *d = user;
    for (uint32_t k = 0; k < d->s.r.n; k++)
        d->s.g[k] = d->value[k][d->s.memory[0] != 0];
    return 0;
}

static int diode_follow(void *user)
{
    (void)user;
    return 0;
}

static void diode_open(Diode *d, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        d->s.of[k] = time_itself;
    signals_open(&d->s, n, 1.7);
    d->s.event.n_memory = n;
    RungRelations *r = &d->s.r;
    r->user = d;
    r->set = diode_set;
    r->note = diode_note;
    r->go_back = diode_go_back;
    r->compare = diode_compare;
    r->follow = diode_follow;
    r->seen = d->seen;
    r->entry_g = d->entry;
    r->noise = d->noise;
    r->is_due = d->due;
}

/* The current of rounding through a diode that conducts (0), 1e-3 V across it when it does not: it
 * goes on to conduct, although its current seems to pass zero in the step. */
Test(rung_relation, keeps_a_current_of_rounding)
{
    Diode d = {.value = {{-1e-12, 1e-3}}, .due = {RUNG_DUE_PAST}};
    diode_open(&d, 1);
    cr_assert_eq(rung_iterate_relations(&d.s.r, 0), 0);
    cr_assert_eq(d.s.memory[0], 0);
    // and one that blocks on the other side of zero blocks
    d.value[0][1] = -1e-12;
    cr_assert_eq(rung_iterate_relations(&d.s.r, 0), 0);
    cr_assert_eq(d.s.memory[0], 0, "what had to be kept at this event is kept in its next round");
    d.s.r.has_kept = 0;
    cr_assert_eq(rung_iterate_relations(&d.s.r, 0), 0);
    cr_assert_eq(d.s.memory[0], 1);
}

/* Likewise where the voltage of a diode that blocks went to zero with a steady slope, or dipped
 * below it with less noise than its current has: both say nothing of the current, and are over once
 * the diode conducts, so that the next step does not find the same event again. */
Test(rung_relation, keeps_it_whatever_led_to_it)
{
    RungTrend trend = {-1, 48, 1e-13};
    Diode d = {.value = {{-1e-12, 1e-3}}};
    diode_open(&d, 1);
    d.s.r.trend = &trend;
    cr_assert_eq(rung_iterate_relations(&d.s.r, 0), 0);
    cr_assert_eq(d.s.memory[0], 0);
    cr_assert_not(rung_is_other(&d.s.r, 0, -2e-12));
    d.s.r.trend = NULL;
    d.s.r.has_kept = 0;
    d.s.memory[0] = 1;
    d.noise[0] = 1e-20;
    cr_assert_eq(rung_iterate_relations(&d.s.r, 0), 0);
    cr_assert_eq(d.s.memory[0], 0);
    cr_assert_not(rung_is_other(&d.s.r, 0, -2e-12));
}

/* While the first relation does not hold yet the second has a short circuit's current, which is no
 * size of it; where a function becomes another one, the noise of a dip of it is not the other's. */
Test(rung_relation, has_the_size_of_values_that_hold)
{
    Diode d = {.value = {{-1, -1}, {6e6, 3}}, .noise = {0, 1e-12}};
    diode_open(&d, 2);
    cr_assert_eq(rung_iterate_relations(&d.s.r, 0), 0);
    cr_assert_eq(d.s.memory[0], 1);
    cr_assert_eq(d.s.size[1], 3);
    cr_assert_eq(d.noise[1], 0);
    d.noise[1] = 1e-12;
    cr_assert_eq(rung_iterate_relations(&d.s.r, 0), 0);
    cr_assert_eq(d.noise[1], 1e-12, "nothing has changed");
}

/* Signals whose only function is the difference of two states. */
typedef struct Difference {
    Signals s;
    double noise[1];
    uint32_t i, j;
} Difference;

static int difference_at(void *user, double t, const double *x, double *g)
{
    const Difference *d = user;
    (void)t;
    g[0] = x[d->i] - x[d->j];
    return 0;
}

/* Of two pressures that became equal one is a last digit below the other: no event, whichever of
 * the states they are. */
Test(rung_relation, knows_the_noise_of_any_difference)
{
    enum { STATES = 60 };
    const double size = 101325;
    double x[STATES], moved[STATES], nominal[STATES], near[1], low[1];
    for (uint32_t k = 0; k < STATES; k++) {
        x[k] = size;
        nominal[k] = 1e5;
    }
    Difference d = {.s = {.of = {time_itself}}};
    signals_open(&d.s, 1, 1.7);
    d.s.model.n_states = STATES;
    d.s.model.nominal = nominal;
    d.s.r.noise = d.noise;
    const RungSizesRoom room = {moved, near, low, NULL};
    for (d.i = 0; d.i < STATES; d.i++)
        for (d.j = d.i + 1; d.j < STATES; d.j++) {
            x[d.i] = size * (1 - DBL_EPSILON);
            d.noise[0] = 0;
            cr_assert_not(rung_refine_noise(&d.s.r, 0, 1, x, &room, &d, difference_at),
                          "states %u and %u", d.i, d.j);
            x[d.i] = size;
        }
}

static double steps_of_digits(double t)
{
    return 1e-12 * floor(3 * (1 + sin(1e4 * t)));
}

static int no_dip(void *user, const RungDip *dip)
{
    (void)user;
    (void)dip;
    cr_assert(false, "there is none");
    return 0;
}

/* Within its usual noise a function goes by steps, as differences of large pressures do, and that
 * of a dip is smaller than these: the search without end is not made again and again. */
Test(rung_search, gives_up_the_noise_of_a_dip)
{
    double noise[1] = {1e-16}, far[1] = {1e-3};
    Signals s = {.of = {steps_of_digits}};
    signals_open(&s, 1, 0);
    s.size[0] = 1;
    s.r.noise = noise;
    cr_assert(isnan(first_change(&s, 0, 1)));
    cr_assert_leq(s.search.left, 0, "the steps are not resolved");
    cr_assert(rung_refine_dips(&s.search, 0, no_dip));
    for (int step = 0; step < 2; step++) {
        s.samples = 0;
        cr_assert(isnan(first_change(&s, step, step + 1)));
        cr_assert_lt(s.samples, 400);
        cr_assert_not(rung_refine_dips(&s.search, 0, no_dip));
        rung_forget_noise(&s.r, s.search.past[1].g);
        rung_allow_dips(&s.r);
    }
    rung_forget_noise(&s.r, far);
    cr_assert_eq(noise[0], 0, "it has left them");
}

/* ---- rung_branch.h, rung_question.h ---- */

/* y^3 - y = 0.5 - t, from the guess in z. */
static int solve_fold(void *user, double t, const double *x)
{
    RungContext *ctx = user;
    double y = ctx->z[0];
    (void)x;
    for (int k = 0; k < 60; k++) {
        double f = y * y * y - y - 0.5 + t, d = 3 * y * y - 1;
        y -= f / d;
    }
    ctx->z[0] = y;
    return !(fabs(y * y * y - y - 0.5 + t) < 1e-12);
}

/* The branch from y > 1 ends where 3 y^2 = 1: t = 0.5 + 2/(3 sqrt(3)). */
Test(rung_branch, finds_the_fold)
{
    static const double one[] = {1};
    RungBlock block = {.n = 1, .nominal = one};
    RungModel m = {.n_unknowns = 1, .n_blocks = 1, .block = &block};
    const double fold = 0.5 + 2 / (3 * sqrt(3));
    for (int beyond = 0; beyond < 2; beyond++) {
        double z = 1.2, z0, z1, end;
        RungContext ctx = {.model = &m, .z = &z};
        cr_assert_eq(solve_fold(&ctx, 0, NULL), 0);
        z0 = z;
        double t1 = beyond ? 2 : 0.85;
        if (beyond)
            z = -1.2;
        cr_assert_eq(solve_fold(&ctx, t1, NULL), 0);
        end = z1 = z;
        RungBranch it = {.ctx = &ctx,
                         .user = &ctx,
                         .evaluate = solve_fold,
                         .t1 = t1,
                         .z0 = &z0,
                         .z1 = &z1,
                         .z = &end};
        int looked;
        static const unsigned char of_step[] = {1}, of_row[] = {0};
        cr_assert_eq(rung_branch_find(&it, of_step, &looked), RUNG_NONE);
        cr_assert_not(looked);
        cr_assert_eq(rung_branch_find(&it, of_row, &looked), beyond ? 0 : RUNG_NONE);
        cr_assert(looked);
        if (beyond)
            cr_assert_float_eq(it.end, fold, 1e-6);
    }
    block.is_linear = 1;
    cr_assert_not(rung_branch_is_open(&block, 0));
}

Test(rung_question, clears_the_place_of_an_earlier_failure)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    double x[] = {2, 3}, f[2];
    cr_assert_eq(context_update(ctx), 0);
    ctx->failed_pivot = ctx->failed_block = 0;
    ctx->failed_message = "before";
    cr_assert_eq(rung_ask(ctx, RUNG_ASK_XDOT, 0, x, f), 0);
    cr_assert_eq(f[0], x[1]);
    cr_assert_eq(f[1], -ctx->p[1] * x[0]);
    cr_assert_eq(ctx->failed_pivot, RUNG_NONE);
    cr_assert_eq(ctx->failed_block, RUNG_NONE);
    cr_assert_null(ctx->failed_message);
    context_free(ctx);
}

/* ---- rung_delay.h, rung_instance.h ---- */

static double quintic(double t)
{
    return 1 + t * (0.5 - t * (0.25 + t * (0.1 - t * (0.3 - 0.2 * t))));
}

/* Six points give a polynomial of degree five, at a jump the value behind it; the oldest points
 * leave their room to new ones. */
Test(rung_delay, interpolates_with_six_points)
{
    enum { ROOM = 12, STEPS = 30, N = 2 };
    static const double lag[] = {0.5, 1};
    static const RungMemory memory[] = {{.kind = RUNG_DELAY, .start = 0.5, .start_in = RUNG_NONE},
                                        {.kind = RUNG_DELAY, .start = 1, .start_in = RUNG_NONE}};
    static const RungEvents event = {.n_memory = N, .memory = memory};
    static const uint32_t of[] = {0, 1};
    RungModel m = fixture_model();
    m.event = &event;
    RungRoom room = {0};
    double p[2], c[1], u[N], z[3], w[1], point[ROOM * (N + 1)], now[N];
    unsigned char is_set[2];
    uint32_t first = 0, points = 0;
    RungContext ctx;
    rung_open_context(&ctx, &room, &m, p, is_set, c, u, z, w);
    cr_assert_eq(ctx.user, &room);
    RungHistory h;
    rung_open_history(&ctx, &h, N, ROOM, of, point, now, &first, &points);
    cr_assert_eq(rung_shortest_lag(&ctx), 0.5);
    double t = 0;
    for (int step = 0; step < STEPS; step++, t += 0.15) {
        if (points == ROOM) {
            first = (first + 1) % ROOM;
            points--;
        }
        double *to = rung_point(&h, points++);
        to[0] = t;
        to[1] = quintic(t);
        to[2] = t < 3 ? 7 : 7 + t;
        if (points < 8)
            continue;
        for (double at = t - 0.8; at <= t; at += 0.07)
            cr_assert_float_eq(rung_delayed(&h, 0, at, 0), quintic(at),
                               1e-9 * (1 + fabs(quintic(at))));
        double x[2] = {0};
        cr_assert_eq(rung_refresh_delays(&ctx, t + 0.4, x), 0);
        cr_assert_float_eq(u[0], quintic(t + 0.4 - lag[0]), 1e-9 * (1 + fabs(u[0])));
        if (t < 2.5)
            cr_assert_eq(u[1], 7, "a constant is exact");
    }
    double x[2] = {0};
    cr_assert_neq(rung_refresh_delays(&ctx, t + 2, x), 0);
    cr_assert(room.why && strstr(room.why, "recorded"), "%s", room.why);
    /* a step that has failed leaves none of its points */
    uint32_t before = points;
    points += h.added = 2;
    rung_withdraw(&h);
    rung_withdraw(&h);
    cr_assert_eq(points, before);
    /* a jump: two points at one time */
    double *last = rung_point(&h, points - 1), at = last[0];
    first = (first + 1) % ROOM;
    double *jump = rung_point(&h, points - 1);
    jump[0] = at;
    jump[1] = -5;
    const double value = rung_point(&h, points - 2)[1];
    cr_assert_eq(rung_delayed(&h, 0, at, 0), -5);
    cr_assert_eq(rung_delayed(&h, 0, at, 1), value);
    cr_assert_eq(rung_delayed(&h, 0, at * (1 + 2e-16), 1), value, "rounding is no time");
    /* it arrives when the shortest delay is over, and at the begin of the next piece it has */
    h.begin = at;
    cr_assert_eq(rung_next_arrival(&ctx, at), at + lag[0]);
    cr_assert_eq(rung_next_arrival(&ctx, at + lag[0] * (1 - 1e-15)), at + lag[0] * (1 - 1e-15));
    h.begin = at + lag[0];
    cr_assert_gt(rung_next_arrival(&ctx, at + lag[0]), at + lag[0]);
}

/* Blocks of a C library are solved as in runs. */
Test(rung_instance, blocks_without_the_runtime)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m), own;
    RungRoom room;
    double p[] = {1, 2}, c[1], u[1], z[3] = {0}, w[1], block[64], matrix[64], before[3];
    unsigned char is_set[2] = {0}, holds[1];
    uint32_t pivot[8], block_pivot[8];
    rung_open_room(&room, block, matrix, pivot, block_pivot, NULL, before, holds);
    rung_open_context(&own, &room, &m, p, is_set, c, u, z, w);
    const double x[] = {1.7, -0.4};
    double v, want;
    cr_assert_eq(m.outputs(&own, 0, x, &v), 0);
    cr_assert_float_eq(z[0], (x[0] + x[1]) / 2, 1e-14);
    cr_assert_float_eq(z[1], (x[0] - x[1]) / 2, 1e-14);
    cr_assert_float_eq(z[2] + z[2] * z[2] * z[2], x[0], 1e-12);
    cr_assert_eq(context_update(ctx), 0);
    cr_assert_eq(m.outputs(ctx, 0, x, &want), 0);
    cr_assert_float_eq(v, want, 1e-12);
    context_free(ctx);
}

/* ---- rung_lanes.h ---- */

/* Each lane has the bits of the function for one number. */
Test(rung_lanes, functions_lane_by_lane)
{
    static const double from[] = {-1.5, -0.0, 0.25, 3, 1e-320, -7.5, INFINITY, 0.75};
    for (int k = 0; k + RUNG_SLICE <= 8; k++) {
        RungLane x, y;
        memcpy(&x, from + k, sizeof x);
        y = x * 0.5 + 1;
#define SAME(name, f)                                                                              \
    for (int i = 0; i < RUNG_SLICE; i++) {                                                         \
        double have = rung_lane_##name(x)[i], want = f(x[i]);                                      \
        cr_assert(memcmp(&have, &want, sizeof have) == 0 || (isnan(have) && isnan(want)), #name);  \
    }
#define SAME2(name, f)                                                                             \
    for (int i = 0; i < RUNG_SLICE; i++) {                                                         \
        double have = rung_lane_##name(x, y)[i], want = f(x[i], y[i]);                             \
        cr_assert(memcmp(&have, &want, sizeof have) == 0 || (isnan(have) && isnan(want)), #name);  \
    }
        SAME(sin, sin)
        SAME(tanh, tanh)
        SAME(exp, exp)
        SAME(sqrt, sqrt)
        SAME(sign, rung_sign)
        SAME(floor, floor)
        SAME(fabs, fabs)
        SAME2(atan2, atan2)
        SAME2(mod, rung_mod)
        SAME2(rem, rung_rem)
        SAME2(div, rung_div)
        const RungLane least = rung_lane_select((RungMask)(x < y), x, y);
        unsigned bits = rung_lane_bits(rung_lane_usable(x));
        unsigned ok = rung_lane_bits(rung_lane_pivot_ok(x, RUNG_LANE(0.5)));
        for (int i = 0; i < RUNG_SLICE; i++) {
            cr_assert_eq(least[i], x[i] < y[i] ? x[i] : y[i]);
            cr_assert_eq(bits >> i & 1, (unsigned)rung_usable(x[i]));
            cr_assert_eq(ok >> i & 1, (unsigned)rung_pivot_ok(x[i], 0.5));
        }
    }
}

/* ---- rung_saltation_adjoint.h ---- */

enum { SLOW = 2, FAST = 5 };

/* x' = SLOW before the event, FAST behind it; g = x - p. */
static int evaluate_ramp(void *user, RungQuestion question, double t, const double *x, double *out)
{
    const RungContext *ctx = user;
    (void)t;
    *out = question == RUNG_ASK_XDOT ? (ctx->u[0] != 0 ? SLOW : FAST) : x[0] - ctx->p[0];
    return 0;
}

static int refresh_nothing(void *user, double t, const double *x)
{
    (void)user, (void)t, (void)x;
    return 0;
}

/* By x, by the shared value p, by time. u: memory, then weights of x, of g. */
static int ramp_at_event(RungContext *ctx, double t, const double *x, double *out)
{
    (void)t, (void)x;
    out[0] = ctx->u[2];
    out[1] = -ctx->u[2];
    out[2] = 0;
    return 0;
}

/* x(T) = p + FAST (T - t), t = (p - x0)/SLOW: 1 - FAST/SLOW by p, FAST/SLOW by x0. */
Test(kernel, adjoint_of_an_event)
{
    static const RungMemory memory[] = {{.kind = RUNG_RELATION}};
    static const RungEvents events = {.memory = memory, .n_memory = 1};
    static const RungAdjoint adjoint = {
        .n_shared = 1, .n_relations = 1, .first = 1, .n_inputs = 2, .at_event = ramp_at_event};
    const RungModel m = {.n_states = 1, .n_events = 1, .event = &events, .adjoint = &adjoint};
    const uint32_t relation[] = {0};
    double u[3] = {0}, p[] = {1}, out[3], rate[4], cause[2], g[2], by_t, state = 1, rest = 0;
    double x[] = {1}, begin[] = {0.5}, before[] = {1}, behind[] = {0}, z[] = {0};
    RungContext ctx = {.model = &m, .u = u, .p = p, .z = z};
    RungEventAdjoint it = {.ctx = &ctx,
                           .by = {&ctx, evaluate_ramp, refresh_nothing, NULL},
                           .relation = relation,
                           .tolerance = 1e-6,
                           .out = out,
                           .before = rate,
                           .behind = rate + 1,
                           .at_begin = {rate + 2, rate + 3},
                           .cause = cause,
                           .g = g,
                           .g_begin = g + 1};
    const RungPassed passed = {.t = 0.5,
                               .begin_t = 0.25,
                               .has_begin = 1,
                               .here = {x, before, z},
                               .behind = {x, behind, z},
                               .begin = begin,
                               .begin_z = z};
    cr_assert_eq(rung_look_at_event(&it, &passed), 0);
    cr_assert_eq(g[1], -0.5);
    cr_assert_eq(rung_find_cause(&it, &passed, 0, 1), 0);
    rung_add_cause(&it, &passed, 0, NULL);
    cr_assert_eq(rung_end_causes(&it, &passed), 0);
    cr_assert(it.has_cause);
    by_t = -rung_dot(1, it.behind, &state);
    rung_cause_back(&it, by_t, &state, &rest);
    cr_assert_float_eq(state, (double)FAST / SLOW, 1e-15);
    cr_assert_float_eq(rest, 1 - (double)FAST / SLOW, 1e-15);
    // a second relation with another gradient: no derivative, as the rates jump
    rung_add_cause(&it, &passed, 0, "depends in another way");
    cr_assert_eq(rung_end_causes(&it, &passed), 1);
    cr_assert_str_eq(it.why, "depends in another way");
    cr_assert_not(it.has_cause);
}

Test(kernel, gradients_that_are_alike)
{
    const double one[] = {1, 1e-14, 0}, other[] = {1 + 1e-6, 0, 1e-13}, third[] = {1.1, 0, 0};
    cr_assert(rung_are_alike(3, one, other));
    cr_assert_not(rung_are_alike(3, one, third));
}
