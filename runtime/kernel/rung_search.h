/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_search.h -- the time in a step at which a relation changes (rung_relation.h), for runs and C
 * libraries. The zero-crossing functions g are sampled on the dense output of the method until
 * divided differences exclude two zeros of one g between two samples; the first crossing is found
 * by bisection with linear interpolation. The result depends neither on the length of the step nor
 * on the output times inside it.
 *
 *     begin          m          end       samples; m is off the middle, so that a g periodic
 *       |------------|-----------|        in the step length is not sampled at equal phases
 */
#ifndef RUNG_SEARCH_H
#define RUNG_SEARCH_H

#include "rung_relation.h"

/* The zero-crossing functions at one time. */
typedef struct RungSample {
    double t, *g;
    const struct RungSample *next; /* the next known sample to its right */
} RungSample;

enum {
    RUNG_LEVELS = 40,          /* depth of the subdivision at most */
    RUNG_MOST_SAMPLES = 20000, /* in a step                                */
    RUNG_DIPS = 8              /* that one search notes */
};

/* A zero-crossing function, of relation number `relation`, that dips below zero (above zero for a
 * relation that holds) by less than its noise, at t. */
typedef struct RungDip {
    uint32_t relation;
    double t;
} RungDip;

typedef struct RungSearch {
    RungRelations *r;
    void *user;
    /* Evaluates g of the relations under test at t inside the step. Nonzero where they cannot be
     * evaluated. */
    int (*sample)(void *user, double t, double *g);
    /* Memory of n numbers for a sample at this depth of the search; NULL: out of memory. */
    double *(*level)(void *user, int depth);
    /* focus restricts the test to the relations that, by g, differ from memory; unfocus tests all
     * those from before again. NULL: all are always tested. */
    void (*focus)(void *user, const double *g);
    void (*unfocus)(void *user);
    RungSample past[2]; /* n_past: before the step, newest last */
    int n_past;
    double *low_g, *high_g; /* n each              */
    double low, high; /* neighbouring doubles: at low relations equal memory, at high, the event,
                         one differs */
    int left;         /* samples still allowed */
    uint32_t unclear; /* memory index of the relation not resolved when they ran out */
    /* With RungRelations.noise. */
    RungDip dip[RUNG_DIPS];
    int n_dips;
} RungSearch;

static inline uint32_t rung_n_watched(const RungRelations *r)
{
    return r->watched ? r->n_watched : r->n;
}

static inline uint32_t rung_watched(const RungRelations *r, uint32_t i)
{
    return r->watched ? r->watched[i] : i;
}

static inline void rung_copy_watched(const RungRelations *r, double *to, const double *from)
{
    for (uint32_t i = 0; i < rung_n_watched(r); i++)
        to[rung_watched(r, i)] = from[rung_watched(r, i)];
}

/* Whether a relation under test differs from memory. */
static inline int rung_differs(RungRelations *r, const double *g)
{
    int differ = 0;
    for (uint32_t i = 0; i < rung_n_watched(r); i++)
        differ = rung_is_other(r, rung_watched(r, i), g[rung_watched(r, i)]) || differ;
    return differ;
}

/* Weights of a third divided difference times the largest |cubic node polynomial| on the interval:
 * the interpolation error of the quadratic polynomial through the last three points; and the sum of
 * |weights|, which amplifies rounding. */
typedef struct RungDifference {
    const double *g; /* at the first point; the other three are a, m, b of the interval */
    double weight[4], sum;
} RungDifference;

static inline RungDifference rung_third_difference(const double *g, double t0, double t1, double t2,
                                                   double t3, double most)
{
    const double t[4] = {t0, t1, t2, t3};
    RungDifference d = {g, {0}, 0};
    for (int i = 0; i < 4; i++) {
        double product = 1;
        for (int j = 0; j < 4; j++)
            product *= j == i ? 1 : t[i] - t[j];
        d.weight[i] = most / product;
        d.sum += fabs(d.weight[i]);
    }
    return d;
}

/* The data about g between a and b: samples there and at m, third differences with other samples.
 */
typedef struct RungLook {
    const RungSample *a, *m, *b;
    double share;     /* of the interval, left of m */
    int begins, ends; /* the interval begins, ends with an event */
    int n;
    RungDifference other[4];
} RungLook;

/* 0: too few samples for an error estimate. */
static inline int rung_look_between(const RungSearch *s, const RungSample *a, const RungSample *m,
                                    const RungSample *b, RungLook *look)
{
    // the largest of |s (s - share) (s - 1)| on [0, 1]
    const double h = b->t - a->t, most = 0.071 * h * h * h;
    int n = 0;
    memset(look, 0, sizeof *look);
    look->a = a;
    look->m = m;
    look->b = b;
    look->share = (m->t - a->t) / h;
    look->begins = s->n_past > 0 && s->past[0].t > a->t;
    look->ends = b->t == s->low;
    for (int k = 0; k < s->n_past; k++)
        look->other[n++] =
            rung_third_difference(s->past[k].g, s->past[k].t, a->t, m->t, b->t, most);
    for (const RungSample *right = b->next; right && n < 4; right = right->next)
        look->other[n++] = rung_third_difference(right->g, right->t, a->t, m->t, b->t, most);
    look->n = n;
    return n >= 2;
}

/* The least value of the parabola through three values of g on [0, 1]; *at: where, -1 for an end.
 */
static inline double rung_bottom(double share, double fa, double fm, double fb, double *at)
{
    // fa + s (slope + s bend)
    const double chord = (fm - fa) / share;
    const double bend = (fb - fa - chord) / (1 - share), slope = chord - share * bend;
    const double bottom = bend > 0 ? -slope / (2 * bend) : -1;
    const int dips = bottom > 0 && bottom < 1;
    *at = dips ? bottom : -1;
    return dips ? fa + bottom * (slope + bottom * bend) : fmin(fa, fmin(fm, fb));
}

/* Where g of relation k, all within its noise, has its minimum between a and b below zero. */
static inline void rung_note_dip(RungSearch *s, const RungLook *look, uint32_t k)
{
    const RungRelations *r = s->r;
    const uint32_t memory = r->relation[k];
    const double sign = r->memory[memory] != 0 ? -1 : 1;
    const double fa = sign * look->a->g[k], fm = sign * look->m->g[k], fb = sign * look->b->g[k];
    double at, bottom, least;
    if (!r->noise || r->noise[memory] != 0 || s->n_dips == RUNG_DIPS ||
        rung_memory_of(r, memory)->is_exact || rung_is_first_of_floor(r, k) ||
        rung_is_second_of_floor(r, k))
        return;
    bottom = rung_bottom(look->share, fa, fm, fb, &at);
    // at a sample
    if (at < 0)
        at = bottom == fa ? 0 : bottom == fm ? look->share : 1;
    // what has rested at zero moves by rounding
    least = r->is_at_zero[memory] ? RUNG_ROUNDED * r->size[memory] : 0;
    if (!(bottom < -least) || fmax(fa, fmax(fm, fb)) > 4 * rung_noise(r, memory))
        return;
    for (int i = 0; i < s->n_dips; i++)
        if (s->dip[i].relation == k)
            return;
    s->dip[s->n_dips++] = (RungDip){k, look->a->t + at * (look->b->t - look->a->t)};
}

/* Whether g of relation k, which equals memory at a, m and b, has no zero between them: neither the
 * quadratic polynomial through these samples has one, nor would it with an error many times the one
 * that a fourth and a fifth sample show. */
static inline int rung_is_clear(const RungRelations *r, const RungLook *look, uint32_t k)
{
    const double far = 300, near = 60, close = 4, end = 1e-3;
    const double rounding = 1e-3; // relative to the noise of g
    const uint32_t memory = r->relation[k];
    const double noise = rung_noise(r, memory);
    const double sign = r->memory[memory] != 0 ? -1 : 1, share = look->share;
    const double fa = sign * look->a->g[k], fm = sign * look->m->g[k], fb = sign * look->b->g[k];
    double off = 0, low, high, at, bottom;
    int dips, is_event, falls;
    for (int i = 0; i < look->n; i++) {
        const RungDifference *d = &look->other[i];
        const double *w = d->weight;
        const double sum = w[0] * sign * d->g[k] + w[1] * fa + w[2] * fm + w[3] * fb;
        off = fmax(off, fabs(sum) - d->sum * rounding * noise);
    }
    low = fmin(fa, fmin(fm, fb));
    high = fmax(fa, fmax(fm, fb));
    // a g this close to zero can cross it by noise only
    if (fmax(high, -low) + off <= close * noise)
        return 1;
    bottom = rung_bottom(share, fa, fm, fb, &at);
    dips = at > end && at < 1 - end;
    // a decreasing g may have a kink close to its lower end, as |x| - c has; not where that end is
    // an event
    is_event = (look->begins && low == fa) || (look->ends && fb <= 2 * noise);
    falls = high - low > far * off && (is_event || bottom > near * off);
    return bottom > far * off || (!dips && falls);
}

/* Whether all relations under test are clear between a and b. */
static inline int rung_is_resolved(RungSearch *s, const RungSample *a, const RungSample *m,
                                   const RungSample *b)
{
    RungLook look;
    if (!rung_look_between(s, a, m, b, &look))
        return 0;
    for (uint32_t i = 0; i < rung_n_watched(s->r); i++)
        if (!rung_is_clear(s->r, &look, rung_watched(s->r, i))) {
            s->unclear = s->r->relation[rung_watched(s->r, i)];
            return 0;
        }
    for (uint32_t i = 0; i < rung_n_watched(s->r) && s->r->noise; i++)
        rung_note_dip(s, &look, rung_watched(s->r, i));
    return 1;
}

/* a and m become the two samples before the next interval. */
static inline void rung_keep_past(RungSearch *s, const RungSample *a, const RungSample *m)
{
    rung_copy_watched(s->r, s->past[0].g, a->g);
    s->past[0].t = a->t;
    rung_copy_watched(s->r, s->past[1].g, m->g);
    s->past[1].t = m->t;
    s->n_past = 2;
}

/* The earliest zero of g by lines through its values at low and high, over the relations that
 * differ at high; outside of (low, high) if the lines have none. */
static inline double rung_first_by_lines(RungSearch *s, double low, double high)
{
    RungRelations *r = s->r;
    double first = INFINITY;
    for (uint32_t i = 0; i < rung_n_watched(r); i++) {
        const uint32_t k = rung_watched(r, i);
        if (rung_is_other(r, k, s->high_g[k]))
            first = fmin(first, rung_crossing(r, k, low, s->low_g[k], high, s->high_g[k]));
    }
    return first;
}

static inline int rung_scan(RungSearch *s, const RungSample *a, const RungSample *b, int depth);

/* At a all relations equal memory, at b one differs: s->high becomes the time at which the first of
 * those that differ at b changes; double crossings of the others before that are found first. Both
 * sides of the zero of the line are tried, and the middle where that gains nothing. */
static inline void rung_narrow(RungSearch *s, const RungSample *a, const RungSample *b, int depth)
{
    double low = a->t, high = b->t;
    // down to neighbouring doubles, so that an event at a time of the model is found exactly there
    const double ulp = DBL_EPSILON * fmax(fabs(low), fabs(high)), least = ulp / 4;
    int by_lines = 1, rose = 0;
    RungSample last;
    if (s->focus)
        s->focus(s->user, b->g);
    rung_copy_watched(s->r, s->high_g, b->g);
    rung_copy_watched(s->r, s->low_g, a->g);
    for (int round = 0; high - low > least; round++) {
        const double middle = low + (high - low) / 2;
        double next = middle;
        int known;
        if (by_lines && round % 3 != 2) {
            const double at = rung_first_by_lines(s, low, high) + (rose ? ulp : -ulp);
            next = at > low && at < high ? at : middle;
        }
        if (next <= low || next >= high)
            break;
        known = !s->sample(s->user, next, s->r->g);
        rose = known && !rung_differs(s->r, s->r->g);
        if (rose) {
            low = next;
            rung_copy_watched(s->r, s->low_g, s->r->g);
        } else {
            high = next;
            by_lines = known;
            if (known)
                rung_copy_watched(s->r, s->high_g, s->r->g);
        }
    }
    if (s->unfocus)
        s->unfocus(s->user);
    s->high = high;
    s->low = low;
    if (low <= a->t)
        return;
    // the other relations up to that time
    last.t = low;
    last.g = s->level(s->user, depth);
    last.next = NULL;
    if (!last.g || s->sample(s->user, low, last.g))
        return;
    if (rung_differs(s->r, last.g))
        rung_narrow(s, a, &last, depth);
    else
        rung_scan(s, a, &last, depth + 1);
}

/* The sample between a and b: at the golden section, so that a g periodic in the step length is not
 * sampled at equal phases. */
static inline double rung_inner(const RungSample *a, const RungSample *b)
{
    return a->t + 0.3819660112501051 * (b->t - a->t);
}

/* Samples between a and b, where all relations equal memory. Whether one differs inside. */
static inline int rung_scan(RungSearch *s, const RungSample *a, const RungSample *b, int depth)
{
    RungSample m = {rung_inner(a, b), NULL, b};
    if (depth >= RUNG_LEVELS || s->left <= 0 || m.t <= a->t || m.t >= b->t)
        return 0;
    m.g = s->level(s->user, depth);
    s->left--;
    if (!m.g || s->sample(s->user, m.t, m.g))
        return 0;
    if (rung_differs(s->r, m.g)) {
        rung_narrow(s, a, &m, depth);
        return 1;
    }
    if (rung_is_resolved(s, a, &m, b)) {
        rung_keep_past(s, a, &m);
        return 0;
    }
    return rung_scan(s, a, &m, depth + 1) || rung_scan(s, &m, b, depth + 1);
}

/* Without samples before the step, two samples close behind its start t0 give the initial slope of
 * g, which the samples of a long step h do not show. None if g cannot be evaluated there. */
static inline void rung_look_ahead(RungSearch *s, double t0, double h)
{
    const double near = 1e-4;
    s->n_past = 0;
    for (int k = 0; k < 2; k++) {
        s->past[k].t = t0 + (double)(k + 1) * near * h;
        if (s->past[k].t <= t0 || s->sample(s->user, s->past[k].t, s->past[k].g))
            return;
    }
    s->n_past = 2;
}

static inline void rung_search_begin(RungSearch *s)
{
    s->left = RUNG_MOST_SAMPLES;
    s->n_dips = 0;
    s->low = INFINITY;
    s->high = INFINITY;
}

/* Whether the search has to be repeated: it used up its samples without an event, at a relation
 * whose noise was estimated at a dip. The function of that relation moves by quanta of its last
 * digits, and its noise is a share of its size again. */
static inline int rung_has_quanta(RungSearch *s, int found)
{
    RungRelations *r = s->r;
    if (found || s->left > 0 || !r->noise || !(r->noise[s->unclear] > 0))
        return 0;
    r->noise[s->unclear] = RUNG_QUANTA;
    return 1;
}

/* Tests the noise of the dips before the event that the search has found, if it has: whether there
 * is less of it than was assumed, so that the search has to be repeated; or if there is more. */
static inline int rung_refine_dips(RungSearch *s, int found,
                                   int (*refine)(void *user, const RungDip *dip))
{
    int any = rung_has_quanta(s, found), tested = 0;
    const int n = s->n_dips;
    for (int i = 0; i < n; i++)
        if (!found || s->dip[i].t < s->high) {
            any = refine(s->user, &s->dip[i]) || any;
            tested++;
        }
    s->n_dips = 0;
    // there may be more than there is room for
    return any || tested == RUNG_DIPS;
}

/* Whether a relation changes in the step between two samples, the second included; s->high is the
 * time. */
static inline int rung_search(RungSearch *s, const RungSample *begin, const RungSample *end)
{
    if (!rung_differs(s->r, end->g))
        return rung_scan(s, begin, end, 0);
    rung_narrow(s, begin, end, 0);
    return 1;
}

/* Likewise of relation number k. */
static inline int rung_is_past(const RungRelations *r, uint32_t k, double g)
{
    return rung_has_passed(r, r->relation[k], g);
}

/* Whether relation number k is one that changes only behind its noise, and has not rested there. */
static inline int rung_is_late(const RungRelations *r, uint32_t k)
{
    const uint32_t at = r->relation[k];
    const RungMemory *m = rung_memory_of(r, at);
    return (m->is_strict != 0) == (r->memory[at] == 0) && !m->is_exact &&
           !rung_is_first_of_floor(r, k) && !rung_is_second_of_floor(r, k) && !r->is_at_zero[at];
}

/* Whether relation number k came from far on the other side in this step, or in the one before, by
 * its g at the begin of the step. */
static inline int rung_comes_from_far(const RungRelations *r, uint32_t k, double g)
{
    const uint32_t at = r->relation[k];
    const double far = RUNG_FAR * rung_noise(r, at);
    const int is_far = (rung_memory_of(r, at)->is_strict ? g : -g) > far;
    return rung_is_late(r, k) && (is_far || (r->steps_from_far[at] == 1 && !rung_is_past(r, k, g)));
}

/* Samples at the event at s->high in a step from t0 to `end`, into s->high_g, and a little before,
 * into s->low_g; how long before, 0 if they cannot be evaluated. */
static inline double rung_sample_event(RungSearch *s, double t0, double end)
{
    const double near = 1e-7;
    const double before = s->high - fmin(near * (end - t0), s->high - t0);
    return before < s->high && !s->sample(s->user, s->high, s->high_g) &&
                   !s->sample(s->user, before, s->low_g)
               ? s->high - before
               : 0;
}

/* The event found at s->high in a step from t0, with samples there: a relation that goes
 * through all of its noise in the step changes behind it, which may be late, as 1e8*(x - y) < 0
 * does if y follows x closely. The event moves to where it passes zero. Whether it does. */
static inline int rung_find_zero(RungSearch *s, double t0)
{
    enum { STAYS = 4 };
    RungRelations *r = s->r;
    const double found = s->high;
    double low = t0, high = found;
    uint32_t k = 0, i = 0;
    for (; i < rung_n_watched(r); i++) {
        k = rung_watched(r, i);
        // later than the samples are apart
        if (rung_is_other(r, k, s->high_g[k]) && rung_is_past(r, k, s->low_g[k]))
            break;
    }
    if (i == rung_n_watched(r) || s->sample(s->user, t0, r->g) ||
        !rung_comes_from_far(r, k, r->g[k]))
        return 0;
    for (double middle = low + (high - low) / 2; middle > low && middle < high;
         middle = low + (high - low) / 2) {
        if (s->sample(s->user, middle, r->g))
            return 0;
        if (rung_is_past(r, k, r->g[k]))
            high = middle;
        else
            low = middle;
    }
    // not if it comes back in between
    for (int j = 1; j < STAYS; j++)
        if (s->sample(s->user, high + (double)j / STAYS * (found - high), r->g) ||
            !rung_is_past(r, k, r->g[k]))
            return 0;
    s->high = high;
    r->is_due[r->relation[k]] = RUNG_DUE_PAST;
    return 1;
}

/* Whether a relation of time alone differs from memory at t. */
static inline int rung_is_time_due(RungSearch *s, double t)
{
    RungRelations *r = s->r;
    int due = 0;
    if (s->sample(s->user, t, r->g))
        return 0;
    for (uint32_t i = 0; i < rung_n_watched(r) && !due; i++) {
        const uint32_t k = rung_watched(r, i);
        due = rung_memory_of(r, r->relation[k])->is_exact && rung_is_other(r, k, r->g[k]);
    }
    return due;
}

static inline int rung_has_time(const RungSearch *s)
{
    for (uint32_t i = 0; i < rung_n_watched(s->r); i++)
        if (rung_memory_of(s->r, s->r->relation[rung_watched(s->r, i)])->is_exact)
            return 1;
    return 0;
}

/* Behind the event at s->high, in the step up to `end`: a relation of time alone that changes
 * within `soon` does so in the same event, which moves there. */
static inline void rung_join_time(RungSearch *s, double end, double soon)
{
    double low = s->high, high = fmin(end, s->high + soon);
    if (!(high > low) || !rung_has_time(s) || !rung_is_time_due(s, high) ||
        rung_is_time_due(s, low))
        return;
    for (double middle = low + (high - low) / 2; middle > low && middle < high;
         middle = low + (high - low) / 2) {
        if (rung_is_time_due(s, middle))
            high = middle;
        else
            low = middle;
    }
    s->high = high;
}

/* An event of a step from t0 to `end`. With is_found it is that at s->high, which moves to where
 * its relation passes zero, and to others that are later by rounding only: a relation of time, or
 * the next sample or clock at `next`. Otherwise it is at `end`. Finds which relations change there,
 * too (RungRelations.is_due, which has been cleared). */
static inline void rung_settle_event(RungSearch *s, double t0, double end, double next,
                                     int is_found)
{
    RungRelations *r = s->r;
    double earlier, before, soon;
    if (!is_found)
        s->high = end;
    earlier = rung_sample_event(s, t0, end);
    if (is_found) {
        const double found = s->high;
        if (earlier > 0)
            rung_find_zero(s, t0);
        before = s->high;
        soon = rung_soon(before, end - t0);
        rung_join_time(s, end, soon);
        if (next > s->high && next <= fmin(end, before + soon))
            s->high = next;
        if (s->high != found)
            earlier = rung_sample_event(s, t0, end);
    }
    soon = rung_soon(s->high, end - t0);
    for (uint32_t i = 0; i < rung_n_watched(r) && earlier > 0 && soon > 0; i++) {
        const uint32_t k = rung_watched(r, i), at = r->relation[k];
        if (rung_is_late(r, k) && r->steps_from_far[at] && rung_is_past(r, k, s->high_g[k]))
            r->is_due[at] = RUNG_DUE_PAST;
        if (!rung_is_first_of_floor(r, k) && !rung_is_second_of_floor(r, k))
            rung_find_due(r, k, s->low_g[k], s->high_g[k], earlier, soon);
    }
}

#endif
