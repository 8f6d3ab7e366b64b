/* SPDX-License-Identifier: BSD-3-Clause */
#include "state_scale.h"
#include "problem.h"
#include "rung_relation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A state that can reach this share of its scale keeps that scale. */
static const double SMALL = 1e-3;
/* Relative rounding error of a value; a derivative counts from so many times its rounding error on.
 */
static const double DIGITS = 8 * DBL_EPSILON, CLEAR = 100;

/* The arrays of sums: of n_terms terms in n of them. */
static bool open_sums(Scale *it, const RungModel *m)
{
    uint32_t n = it->sums.n;
    const size_t n_terms = m->n_sum_terms, doubles = 5 * (size_t)n + n_terms;
    if (!n)
        return true;
    it->room = calloc(doubles * sizeof(double) + (n + 1 + n_terms) * sizeof(uint32_t), 1);
    if (!it->room)
        return false;
    it->offset = it->room;
    it->slope = it->offset + n;
    it->nominal = it->slope + n;
    it->sums.size = it->nominal + n;
    it->sums.terms = it->sums.size + n;
    it->sums.factor = it->sums.terms + n;
    it->sums.begin = (uint32_t *)(it->sums.factor + n_terms);
    it->sums.state = it->sums.begin + n + 1;
    return true;
}

bool scale_open(Scale *it, const Problem *problem)
{
    const RungModel *m = problem->model;
    size_t n = problem->n;
    *it = (Scale){.n = problem->n};
    for (uint32_t k = 0; k < m->n_sum_terms; k++)
        it->sums.n += m->sum_term[k].begins;
    it->now = calloc(9 * n + it->sums.n + 1, sizeof *it->now);
    if (!it->now || !open_sums(it, m))
        return false;
    it->least = it->now + n;
    it->last = it->now + 2 * n;
    it->change = it->now + 3 * n;
    it->turns = it->now + 4 * n;
    it->turn = it->now + 5 * n;
    it->seen = it->now + 6 * n;
    it->reach = it->now + 7 * n;
    it->floor = it->now + 8 * n;
    it->most = it->now + 9 * n;
    for (size_t k = 0; k < n; k++) {
        it->now[k] = it->least[k] = m->nominal[k];
        it->turn[k] = INFINITY;
        it->is_open = it->is_open || (m->is_nominal_open && m->is_nominal_open[k]);
    }
    return true;
}

void scale_close(Scale *it)
{
    free(it->now);
    free(it->work);
    free(it->room);
    *it = (Scale){0};
}

uint32_t scale_n_kept(const Scale *it)
{
    return 3 * it->n + it->sums.n;
}

void scale_forget(Scale *it)
{
    memset(it->seen, 0, scale_n_kept(it) * sizeof *it->seen);
    it->searches = 0;
}

static bool is_open(const Problem *problem, uint32_t k)
{
    return problem->model->is_nominal_open[k] && k < problem_own_states(problem);
}

/* ------------------------------------------------------------------ sizes that states can reach */

typedef struct Search {
    Scale *it;
    Problem *problem;
    const ScaleRun *run;
    const double *x;
    double *f;      /* derivatives at a point                           */
    double *near;   /* the same, moved by rounding                      */
    double *to;     /* states there                                     */
    double *by;     /* how far they are moved                           */
    double *noise;  /* rounding of each state, that of the run included */
    double *size;   /* that each state can reach                        */
    double *at;     /* states of a point                                */
    double *off;    /* differences by rounding there */
    double *quiet;  /* the most that is rounding at the points looked at; -1: a rate is clear */
    uint32_t draws; /* of pseudo-random points       */
} Search;

static bool begin_search(Search *s, Scale *it, Problem *problem, const ScaleRun *run,
                         const double *x)
{
    enum { VECTORS = 9 };
    const size_t n = it->n;
    if (!it->work)
        it->work = malloc(VECTORS * (n + 1) * sizeof *it->work);
    double *w = it->work;
    *s = (Search){it,        problem,   run,       x,         w,         w + n,     w + 2 * n,
                  w + 3 * n, w + 4 * n, w + 5 * n, w + 6 * n, w + 7 * n, w + 8 * n, 0};
    return w != NULL;
}

/* Derivatives at (t, x), as a method finds them, without the help for points that fail. */
static bool derive(const Search *s, double t, const double *x, double *f)
{
    Problem *problem = s->problem;
    bool ok;
    if (problem->closed_xdot) {
        ok = !problem_xdot(problem, t, x, f);
    } else {
        problem_refresh(problem, t, x);
        ok = !rung_ask(problem->ctx, RUNG_ASK_XDOT, t, x, f);
    }
    for (uint32_t k = 0; k < problem->n && ok; k++)
        ok = isfinite(f[k]);
    return ok;
}

/* s->to = x with each state moved by about s->by. */
static void draw(Search *s, const double *x)
{
    for (uint32_t k = 0; k < s->it->n; k++)
        s->to[k] = x[k] + rung_draw(s->draws, k) * s->by[k];
    s->draws++;
}

/* s->off = the largest change of each derivative when the states x and the time move by rounding.
 */
static bool move_by_rounding(Search *s, double t, const double *x)
{
    enum { DRAWS = 3 };
    memset(s->off, 0, s->it->n * sizeof *s->off);
    for (uint32_t k = 0; k < s->it->n; k++)
        s->by[k] = fmax(s->noise[k], DIGITS * fabs(x[k]));
    for (int i = 0; i < DRAWS; i++) {
        draw(s, x);
        if (!derive(s, t * (i % 2 ? 1 - DIGITS : 1 + DIGITS), s->to, s->near))
            return false;
        for (uint32_t k = 0; k < s->it->n; k++)
            s->off[k] = fmax(s->off[k], fabs(s->near[k] - s->f[k]));
    }
    return true;
}

/* The size of which state k has rounding errors: its own, and the one that its derivative s->f
 * gives it in the run if that is an ordinary one. At rest at zero no state has a last digit yet. */
static double size_of_rounding(const Search *s, uint32_t k)
{
    double now = s->it->now[k], reach = fmin(now, s->run->span * fabs(s->f[k]));
    return fmax(fabs(s->x[k]), reach >= SMALL * now ? reach : 0);
}

/* The rounding errors that accumulate in each state in the whole run: those of derivatives in
 * velocities, those of velocities in positions. In ordinary states they are no more than some
 * digits. */
static bool find_noise(Search *s, double t)
{
    enum { ROUNDS = 3 };
    static const double MOST = 1e3 * DIGITS;
    const uint32_t n = s->it->n;
    for (uint32_t k = 0; k < n; k++)
        s->noise[k] = DIGITS * size_of_rounding(s, k);
    for (int round = 0; round < ROUNDS; round++) {
        if (!move_by_rounding(s, t, s->x))
            return false;
        for (uint32_t k = 0; k < n; k++) {
            double noise = fmax(s->noise[k], s->run->span * s->off[k]);
            double size = size_of_rounding(s, k);
            s->noise[k] = size >= SMALL * s->it->now[k] ? fmin(noise, MOST * size) : noise;
        }
    }
    return true;
}

/* The size that the derivatives s->f give state k in the run; 0 if they are rounding. */
static double size_by_rate(const Search *s, uint32_t k, double noise)
{
    static const double LEAST = 1e-35; // of the scale; products of smaller numbers may underflow
    double size = s->run->span * fabs(s->f[k]);
    return size > fmax(CLEAR * noise, LEAST * s->it->least[k]) ? size : 0;
}

/* A state that changes is assumed to grow no larger than its nominal value, or than it is. */
static double bounded(const Search *s, uint32_t k, double size)
{
    return fmin(size, fmax(fabs(s->x[k]), s->problem->model->nominal[k]));
}

/* Raises the sizes of the states in `may` to what their derivatives give at t and at states moved
 * by `by`. */
static void look_at(Search *s, double t, const bool *may)
{
    draw(s, s->x);
    memcpy(s->at, s->to, s->it->n * sizeof *s->at);
    if (!derive(s, t, s->at, s->f) || !move_by_rounding(s, t, s->at))
        return;
    for (uint32_t k = 0; k < s->it->n; k++) {
        double noise = fmax(s->noise[k], s->run->span * s->off[k]);
        double size = bounded(s, k, size_by_rate(s, k, noise));
        s->quiet[k] = size > 0 || s->quiet[k] < 0 ? -1 : fmax(s->quiet[k], CLEAR * noise);
        if (may[k])
            s->size[k] = fmax(s->size[k], size);
    }
}

/* Whether the search may find a smaller scale for state k: it has not moved so far. */
static bool is_candidate(const Search *s, uint32_t k)
{
    const Scale *it = s->it;
    return is_open(s->problem, k) && fabs(s->x[k]) < SMALL * it->least[k] && !(it->reach[k] > 0) &&
           (it->searches <= 1 || it->seen[k] == 0);
}

static bool is_small(const Search *s, uint32_t k)
{
    return is_candidate(s, k) && s->size[k] < SMALL * s->it->least[k];
}

/* Sizes by derivatives at other times of the run and at states as large as they can become until
 * then: first of small states that time and ordinary states move, again as long as some of them
 * turn out to be ordinary (a front that moves along a rod), then of those that only small states
 * move. A known size is not raised by small states: an oscillation would seem to grow with the
 * length of the run. */
static void look_around(Search *s, bool *may)
{
    enum { ROUNDS = 100, UNKNOWN_ROUNDS = 3, DRAWS = 3 };
    static const double when[DRAWS] = {0.21, 0.55, 0.89};
    const uint32_t n = s->it->n;
    uint32_t n_small = n + 1, left = UNKNOWN_ROUNDS;
    bool grows = true;
    memset(s->quiet, 0, n * sizeof *s->quiet);
    for (int round = 0; round < ROUNDS && left > 0; round++) {
        uint32_t before = n_small;
        bool any = false;
        n_small = 0;
        for (uint32_t k = 0; k < n; k++)
            n_small += is_small(s, k);
        grows = n_small < before;
        left -= !grows;
        for (uint32_t k = 0; k < n; k++) {
            may[k] = is_small(s, k) && (grows || s->size[k] == 0);
            any = any || may[k];
        }
        for (int i = 0; i < (round && grows ? 1 : DRAWS) && any; i++) {
            for (uint32_t k = 0; k < n; k++)
                s->by[k] = grows && is_small(s, k) ? 0 : s->size[k];
            look_at(s, s->run->t + when[(round + i) % DRAWS] * s->run->span, may);
        }
        // where forces grow from zero rounding does, too
        for (uint32_t k = 0; k < n && round == 0; k++)
            s->size[k] = may[k] && s->size[k] <= s->quiet[k] ? 0 : s->size[k];
    }
    // a front that was not followed to its end: the sizes are not known
    for (uint32_t k = 0; k < n && grows; k++)
        s->size[k] = is_small(s, k) ? 0 : s->size[k];
}

/* Behind an event other equations hold: a voltage behind a thyristor that has not fired yet is no
 * size. */
static void raise_reach(Scale *it, Problem *problem, const ScaleRun *run, const double *x)
{
    static const double MORE = 1e3;
    Search s;
    bool any = false;
    for (uint32_t k = 0; k < it->n && !any; k++)
        any = it->reach[k] > 0 && it->reach[k] < SMALL * it->least[k];
    if (!any || problem->loops || !begin_search(&s, it, problem, run, x) ||
        !derive(&s, run->t, x, s.f))
        return;
    for (uint32_t k = 0; k < it->n; k++) {
        double size = bounded(&s, k, run->span * fabs(s.f[k]));
        if (it->reach[k] > 0 && size > MORE * it->reach[k])
            it->reach[k] = size;
    }
}

/* Closed loops are left out, whose accelerations are not those of the model alone, and delays,
 * whose values are interpolated: both have errors that are no rounding. */
static void find_reach(Scale *it, Problem *problem, const ScaleRun *run, const double *x)
{
    enum { FIRST = 10 };
    Search s;
    if (problem->loops || problem->delays || !(run->span > 0) || !isfinite(run->span))
        return;
    // where many pieces begin most of these searches find nothing new
    const uint32_t number = it->searches++;
    if ((number >= FIRST && (number & (number - 1))) || !begin_search(&s, it, problem, run, x))
        return;
    bool any = false;
    for (uint32_t k = 0; k < it->n && !any; k++)
        any = is_candidate(&s, k);
    if (!any)
        return;
    const size_t size_z = problem->model->n_unknowns * sizeof(double);
    double *z = malloc(size_z + 1);
    bool *may = calloc(it->n, sizeof *may);
    if (!z || !may) {
        free(z);
        free(may);
        return;
    }
    memcpy(z, problem->ctx->z, size_z);
    bool ok = derive(&s, run->t, x, s.f);
    any = false;
    for (uint32_t k = 0; k < it->n && ok; k++)
        any = any || (is_candidate(&s, k) && run->span * fabs(s.f[k]) < SMALL * it->least[k]);
    ok = ok && any && find_noise(&s, run->t);
    for (uint32_t k = 0; k < it->n && ok; k++) {
        double by_rate = bounded(&s, k, size_by_rate(&s, k, s.noise[k]));
        s.size[k] = is_candidate(&s, k) ? by_rate : fmax(fabs(x[k]), by_rate);
    }
    if (ok)
        look_around(&s, may);
    for (uint32_t k = 0; k < it->n && ok; k++)
        if (is_candidate(&s, k) && s.size[k] > 0) {
            // of an ordinary size no floor is needed, which follows the length of the run
            if (is_small(&s, k))
                it->floor[k] = fmax(it->floor[k], s.noise[k] / run->tolerance);
            it->reach[k] = fmax(it->reach[k], fmax(s.size[k], it->floor[k]));
        }
    memcpy(problem->ctx->z, z, size_z);
    free(z);
    free(may);
    problem_refresh(problem, run->t, x);
}

/* The scale that the model gives; for a reach below SMALL of it the reach, with a smooth
 * transition.
 */
static double scale_by_reach(double given, double reach)
{
    double share = reach / (SMALL * given), smooth = share * share * share * share;
    return reach > 0 ? fmax(fmin(reach, given), given * fmin(1, smooth)) : given;
}

/* ------------------------------------------------------------------ along the run */

/* The size that state k reaches if it goes on as it has so far: of an oscillation that is less than
 * by its derivative. */
static double reach_at_pace(const Scale *it, uint32_t k, double t)
{
    static const double LEAST = 1e-6;
    double passed = t - it->start;
    double size = passed > 0 ? it->seen[k] * (it->span / passed) : INFINITY;
    return fmax(it->floor[k], fmin(it->reach[k], fmax(size, LEAST * it->reach[k])));
}

static void renew(Scale *it, const Problem *problem, double t, const double *x)
{
    for (uint32_t k = 0; k < it->n; k++) {
        if (!problem->model->is_nominal_open[k])
            continue;
        double least = it->least[k];
        it->seen[k] = fmax(it->seen[k], fabs(x[k]));
        if (it->reach[k] > 0 && it->reach[k] < SMALL * least)
            least = scale_by_reach(least, reach_at_pace(it, k, t));
        it->now[k] = fmax(least, fmin(1, it->seen[k]));
    }
}

/* ------------------------------------------------------------------ sums of states */

/* The sums by their terms, with the present parameters. */
static void set_sums(Scale *it, const Problem *problem)
{
    const RungModel *m = problem->model;
    const RungSums *s = &it->sums;
    uint32_t sum = 0, n = 0;
    for (uint32_t k = 0; k < m->n_sum_terms; k++) {
        const RungSumTerm *t = &m->sum_term[k];
        if (t->begins) {
            s->begin[sum] = n;
            it->offset[sum] = it->slope[sum] = 0;
            it->nominal[sum++] = t->nominal;
        }
        double c = t->constant == RUNG_NONE ? 1 : problem->ctx->c[t->constant];
        double by = t->is_divisor ? t->number / c : t->number * c;
        by = isfinite(by) ? by : 0;
        if (t->is_time)
            it->slope[sum - 1] += by;
        else if (t->state == RUNG_NONE)
            it->offset[sum - 1] += by;
        else {
            s->state[n] = t->state;
            s->factor[n++] = by;
        }
    }
    s->begin[sum] = n;
}

static void renew_sums(Scale *it, double t, const double *x)
{
    const RungSums *s = &it->sums;
    for (uint32_t k = 0; k < s->n; k++) {
        double y = it->offset[k] + it->slope[k] * t,
               terms = fabs(it->offset[k]) + fabs(it->slope[k] * t);
        for (uint32_t i = s->begin[k]; i < s->begin[k + 1]; i++) {
            double term = s->factor[i] * x[s->state[i]];
            y += term;
            terms += fabs(term);
        }
        it->most[k] = fmax(it->most[k], fabs(y));
        s->size[k] = it->nominal[k] + it->most[k];
        s->terms[k] = terms;
    }
}

void scale_begin(Scale *it, Problem *problem, const ScaleRun *run, const double *x)
{
    const RungModel *m = problem->model;
    for (uint32_t k = 0; k < it->n; k++) {
        it->least[k] = m->nominal[k];
        it->turn[k] = INFINITY;
    }
    for (uint32_t k = 0; k < m->n_state_scales; k++) {
        const RungStateScale *s = &m->state_scale[k];
        double c = s->constant == RUNG_NONE ? 1 : fabs(problem->ctx->c[s->constant]);
        double size = s->is_divisor ? s->number * c : s->number / c,
               *of = s->is_turn ? it->turn : it->least;
        if (size > 0 && isfinite(size))
            of[s->state] = fmin(of[s->state], size);
    }
    if (it->sums.n) {
        set_sums(it, problem);
        renew_sums(it, run->t, x);
    }
    if (!it->is_open)
        return;
    it->start = run->start;
    it->span = run->span;
    renew(it, problem, run->t, x);
    raise_reach(it, problem, run, x);
    find_reach(it, problem, run, x);
    memcpy(it->last, x, it->n * sizeof *x);
    memset(it->change, 0, 2 * (size_t)it->n * sizeof *it->change);
    renew(it, problem, run->t, x);
}

/* A state whose changes in successive steps go up and down is noise, after all. */
static void widen(Scale *it, const double *x)
{
    static const double MOST = 4, LESS = 0.25, WIDER = 1e3;
    for (uint32_t k = 0; k < it->n; k++) {
        if (!(it->reach[k] > 0))
            continue;
        double change = x[k] - it->last[k];
        it->turns[k] = change * it->change[k] < 0 ? it->turns[k] + 1 : fmax(0, it->turns[k] - LESS);
        it->last[k] = x[k];
        it->change[k] = change;
        if (it->turns[k] < MOST)
            continue;
        it->turns[k] = 0;
        it->floor[k] = WIDER * fmax(it->floor[k], it->now[k]);
        it->reach[k] = fmax(it->reach[k], it->floor[k]);
    }
}

void scale_step(Scale *it, const Problem *problem, double t, const double *x)
{
    renew_sums(it, t, x);
    if (!it->is_open)
        return;
    widen(it, x);
    renew(it, problem, t, x);
}

/* Marks small states whose derivatives are rounding errors: they change by about as much as they
 * are when all states move by their last digits, the marked ones by their whole values. */
static bool find_rounding(Search *s, bool *is_noise)
{
    enum { ROUNDS = 4 };
    const uint32_t n = s->it->n;
    bool any = true;
    for (int round = 0; round < ROUNDS && any; round++) {
        any = false;
        for (uint32_t k = 0; k < n; k++)
            s->noise[k] = (is_noise[k] ? 1 : DIGITS) * fabs(s->x[k]);
        if (!move_by_rounding(s, s->run->t, s->x))
            return false;
        for (uint32_t k = 0; k < n; k++) {
            bool now = is_noise[k] || fabs(s->f[k]) <= CLEAR * s->off[k];
            now = now && s->it->seen[k] <= s->run->tolerance * s->it->now[k];
            any = any || now != is_noise[k];
            is_noise[k] = now;
        }
    }
    return true;
}

uint32_t scale_unseen(Scale *it, Problem *problem, const ScaleRun *run, const double *x,
                      uint32_t *first)
{
    uint32_t n = 0;
    Search s;
    bool any = false;
    for (uint32_t k = 0; k < it->n && it->is_open; k++)
        any = any || (is_open(problem, k) && it->seen[k] > 0 &&
                      it->seen[k] <= run->tolerance * it->now[k]);
    if (!any || problem->loops || !begin_search(&s, it, problem, run, x) ||
        !derive(&s, run->t, x, s.f))
        return 0;
    bool *is_noise = calloc(it->n, sizeof *is_noise);
    bool ok = is_noise && find_rounding(&s, is_noise);
    for (uint32_t k = 0; k < it->n && ok; k++)
        if (is_open(problem, k) && it->seen[k] > 0 && !is_noise[k] &&
            it->seen[k] <= run->tolerance * it->now[k]) {
            *first = n ? *first : k;
            n++;
        }
    free(is_noise);
    return n;
}
