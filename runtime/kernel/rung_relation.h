/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_relation.h -- the rules of events, which runs (event.c) and C libraries (rung_event.h)
 * share: when a relation is another one, how relations are brought to agree with what follows from
 * them, and the event iteration (MLS 3.6, 8.6, appendix B). Who uses it says how relations are
 * evaluated, how memory is set, and what is done with what follows.
 */
#ifndef RUNG_RELATION_H
#define RUNG_RELATION_H

#include "rung_model.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Noise of what relations compare, against the largest that it has been, and rounding. More in
 * single precision, of which C libraries may be. */
#define RUNG_NOISE (DBL_EPSILON < 1e-10 ? 1e-10 : cbrt(DBL_EPSILON) * cbrt(DBL_EPSILON))
#define RUNG_ROUNDED (45 * DBL_EPSILON)

typedef struct RungRelations {
    RungContext *ctx;
    const uint32_t *relation; /* n: which of memory they are               */
    uint32_t n;
    double *memory;               /* behind the inputs                         */
    double *g;                    /* n: what they compare                      */
    double *size;                 /* per memory: largest |g| of a relation so far */
    unsigned char *is_loose;      /* per memory: at zero when the last event was over, and since */
    double *seen;                 /* per memory: what it was some rounds ago   */
    uint64_t *changes;            /* per memory: of a relation, lately; NULL: nobody counts */
    uint32_t *watched, n_watched; /* those that are looked at, ascending; NULL: all of them */
    int is_iterating;             /* at an event */
    int keeps;                    /* noise leaves relations as they are      */
    int is_contrary;              /* they found no consistent values         */
    /* Who uses it, and how. Statuses are 0, or nonzero for what ends the iteration. */
    void *user;
    void (*set)(void *user, uint32_t k, double value); /* memory k                   */
    void (*note)(void *user);            /* memory as it is, and forget what calls have returned */
    void (*go_back)(void *user);         /* memory as it was noted                                */
    int (*compare)(void *user);          /* what relations compare, into g                        */
    int (*compare_unsolved)(void *user); /* likewise, blocks without a solution as they are */
    int (*follow)(void *user);           /* finds what follows from memory */
    int (*act)(void *user, int *moved);  /* what is due is done; *moved: a state is another */
    int (*take)(void *user);             /* pre(v) = v; nonzero: it was not so */
} RungRelations;

static inline const RungMemory *rung_memory_of(const RungRelations *r, uint32_t k)
{
    return &r->ctx->model->event->memory[k];
}

static inline int rung_is_true(const RungMemory *m, double g)
{
    return m->is_strict ? g < 0 : g <= 0;
}

/* Whether a relation, memory k, holds that compares g. What is found by Newton's method and by
 * interpolation is zero up to some noise only: a relation that holds at zero holds from there on
 * until the noise is left behind, and so does one that does not; otherwise one crossing would be a
 * thousand events. Never earlier than at zero: what follows from a relation may be consistent on
 * its side alone. Events put to zero but for rounding, so what an event leaves at zero, as friction
 * that begins to slide leaves the acceleration, is behind zero when it is by more than rounding,
 * until it has left zero. Of time alone there is no noise. */
static inline int rung_holds(RungRelations *r, uint32_t k, double g, int fresh)
{
    const RungMemory *m = rung_memory_of(r, k);
    // of values that do not agree with the relations yet nothing is known but the last
    if (fresh || fabs(g) > r->size[k])
        r->size[k] = fabs(g);
    if (m->is_exact || fresh || fabs(g) > RUNG_NOISE * r->size[k])
        return rung_is_true(m, g);
    const double rounding = RUNG_ROUNDED * r->size[k];
    const double zero = r->is_iterating ? rounding : r->is_loose[k] ? -rounding : 0;
    const int is_zero = !r->keeps && (m->is_strict ? g >= -zero : g <= zero);
    return is_zero ? !m->is_strict : r->memory[k] != 0;
}

/* Whether relation number k, which compares g, is not what memory says. */
static inline int rung_is_other(RungRelations *r, uint32_t k, double g)
{
    const uint32_t at = r->relation[k];
    return rung_holds(r, at, g, 0) != (r->memory[at] != 0);
}

/* Where relation number k is another one, of what it compares. */
static inline double rung_threshold(const RungRelations *r, uint32_t k)
{
    const uint32_t at = r->relation[k];
    const RungMemory *m = rung_memory_of(r, at);
    const int is_true = r->memory[at] != 0;
    const double share = m->is_exact || (int)m->is_strict == is_true ? 0 : RUNG_NOISE;
    return (m->is_strict ? -share : share) * r->size[at];
}

/* By a line through what relation number k compares at two times, when it is another one. */
static inline double rung_crossing(const RungRelations *r, uint32_t k, double low, double g_low,
                                   double high, double g_high)
{
    const double zero = rung_threshold(r, k), from = g_low - zero, to = g_high - zero;
    return low + (high - low) * from / (from - to);
}

/* Of relation number k with what it compares when an event is over, or (`since`) at the end of a
 * step after it. */
static inline void rung_find_loose(RungRelations *r, uint32_t k, double g, int since)
{
    const uint32_t at = r->relation[k];
    r->is_loose[at] = fabs(g) <= RUNG_ROUNDED * r->size[at] && (!since || r->is_loose[at]);
}

/* Relations k and k + 1 of a floor change together, with its value, which lies before them. */
static inline int rung_is_first_of_floor(const RungRelations *r, uint32_t k)
{
    const uint32_t at = r->relation[k];
    return at > 0 && rung_memory_of(r, at - 1)->kind == RUNG_FLOOR;
}

static inline int rung_is_second_of_floor(const RungRelations *r, uint32_t k)
{
    const uint32_t at = r->relation[k];
    return at > 1 && rung_memory_of(r, at - 2)->kind == RUNG_FLOOR;
}

/* Relation number k as it is by g; whether that is new. The two of a floor go with it. */
static inline int rung_renew(RungRelations *r, uint32_t k, int fresh)
{
    const uint32_t at = r->relation[k];
    int changed;
    if (!rung_is_first_of_floor(r, k)) {
        const double now = (double)rung_holds(r, at, r->g[k], fresh);
        changed = now != r->memory[at];
        if (changed)
            r->set(r->user, at, now);
    } else {
        const double before = r->memory[at - 1], size = fmax(r->size[at], fabs(before) + 1);
        r->size[at] = r->size[at + 1] = size;
        const int below = rung_holds(r, at, r->g[k], fresh);
        const int above = rung_holds(r, at + 1, r->g[k + 1], fresh);
        const int is_exact = fresh || rung_memory_of(r, at)->is_exact;
        const double noise = is_exact ? 0 : 2 * RUNG_ROUNDED * r->size[at];
        const double whole = below || above ? before + floor(r->g[k] + noise) : before;
        changed = whole != before;
        if (changed)
            r->set(r->user, at - 1, whole);
    }
    if (r->changes)
        r->changes[at] += (uint64_t)changed;
    return changed;
}

/* All at a time, starting with number `first`; or only the first that is new. */
static inline int rung_renew_all(RungRelations *r, int fresh, int one, uint32_t first)
{
    const uint32_t n = r->watched ? r->n_watched : r->n;
    uint32_t begin = 0;
    int changed = 0;
    while (first && begin < n && (r->watched ? r->watched[begin] : begin) < first)
        begin++;
    for (uint32_t i = 0; i < n && !(one && changed); i++) {
        const uint32_t at = begin + i < n ? begin + i : begin + i - n;
        const uint32_t k = r->watched ? r->watched[at] : at;
        if (!rung_is_second_of_floor(r, k))
            changed = rung_renew(r, k, fresh) || changed;
    }
    return changed;
}

/* Where to begin to look for one of n that disagrees: any number will do, the same in every run. */
static inline uint32_t rung_somewhere(uint32_t round, uint32_t n)
{
    return (uint32_t)((uint64_t)(round * 2654435769u) * n >> 32);
}

/* Where a branch of solutions ends, the one relation that says so may bring back what it was: of a
 * comparator with feedback, what holds between its limits leads back to the limit that it has left,
 * and holds nowhere. Then another relation, which agrees, changes, with it or alone. 0, positive if
 * none does, negative: stop. */
static inline int rung_find_beyond(RungRelations *r, int fresh)
{
    enum { ROUNDS = 10, MOST = 200 };
    r->keeps = 0; // at a limit all is noise
    for (uint32_t i = 0; i < 2 * r->n && i < MOST; i++) {
        const uint32_t k = i / 2, at = r->relation[k];
        const int with_others = i % 2 != 0;
        if (rung_is_first_of_floor(r, k) || rung_is_second_of_floor(r, k))
            continue;
        r->go_back(r->user);
        int status = r->compare(r->user);
        const double before = r->memory[at];
        if (!status && with_others)
            rung_renew_all(r, fresh, 0, 0);
        if (status || r->memory[at] != before)
            continue;
        r->set(r->user, at, before == 0);
        for (int round = 0; round < ROUNDS && !status; round++) {
            status = r->compare(r->user);
            if (!status && !rung_renew_all(r, fresh, 0, 0))
                return 0;
        }
        if (status < 0)
            return status;
    }
    return 1;
}

/* Values that go farther and farther away leave sizes beside which all is noise: those of floors
 * are again what their values say. Whether one was not. */
static inline int rung_renew_sizes(RungRelations *r)
{
    const double far = 1e3;
    int changed = 0;
    for (uint32_t k = 0; k < r->n; k++) {
        const uint32_t at = r->relation[k];
        if (!rung_is_first_of_floor(r, k))
            continue;
        const double size = fabs(r->memory[at - 1]) + fabs(r->g[k]) + 1;
        if (r->size[at] <= far * size)
            continue;
        r->size[at] = r->size[at + 1] = size;
        changed = 1;
    }
    return changed;
}

/* The relations as they are, until they agree with what follows from them, which is evaluated once
 * then: functions that it calls may have a memory. First all that disagree change at a time, from
 * what was before. Where that goes round in circles, the first one alone, again from what was
 * before, which comes to an end for complementarity problems (Murty 1974, Opsearch 11; together and
 * alone: Judice and Pires 1994, Computers and Operations Research 21). What follows from relations
 * need not be one; then any of them changes. */
static inline int rung_find_relations(RungRelations *r, int fresh)
{
    enum { MOST = 5000, MOST_ALONE = 1000, START = 10, MOST_UNSOLVED = 20 };
    enum { TOGETHER, ALONE, ANYONE } way = TOGETHER;
    const size_t size = r->ctx->model->event->n_memory * sizeof *r->memory;
    int mark = 1, begun = 0, unsolved = 0;
    r->is_contrary = 0;
    r->note(r->user);
    for (int round = 0; round < MOST && r->n; round++) {
        r->ctx->contradictions = 1;
        int status = r->compare(r->user);
        if (status > 0 && unsolved < MOST_UNSOLVED && !r->compare_unsolved(r->user)) {
            r->ctx->contradictions = 0;
            unsolved++;
            if (rung_renew_all(r, fresh, 0, 0))
                continue;
            status = r->compare(r->user); // fails again, and says why
            status = status ? status : 1;
        }
        r->ctx->contradictions = 0;
        if (status)
            return status;
        const uint32_t first = way == ANYONE ? rung_somewhere((uint32_t)round, r->n) : 0;
        if (!rung_renew_all(r, fresh && round < START, way != TOGETHER, first)) {
            if (rung_renew_sizes(r))
                continue;
            return r->follow(r->user); // what does not agree now never will
        }
        if (way == TOGETHER && round > START && !memcmp(r->seen, r->memory, size)) {
            r->keeps = 1; // perhaps for noise alone
            way = ALONE;
            begun = round;
            r->go_back(r->user);
        } else if (way == ALONE && round - begun > MOST_ALONE) {
            way = ANYONE;
            r->go_back(r->user);
            if (r->changes)
                memset(r->changes, 0, r->ctx->model->event->n_memory * sizeof *r->changes);
        }
        if (round == mark) {
            if (2 * mark > START) // nobody asks for it earlier
                memcpy(r->seen, r->memory, size);
            mark *= 2;
        }
    }
    if (!r->n || !rung_find_beyond(r, fresh))
        return r->follow(r->user);
    r->is_contrary = 1;
    return 1;
}

static inline int rung_iterate_relations(RungRelations *r, int fresh)
{
    r->is_iterating = 1;
    const int status = rung_find_relations(r, fresh);
    r->is_iterating = r->keeps = 0;
    return status;
}

/* Where relations contradict what follows from them while pre(v) is what it was, as a clutch does
 * that slides on at less than it began to slide at: once what follows from the relations as they
 * are with their old values, so that pre(v) gets on. False: there is nothing that pre(v) could
 * change. */
static inline int rung_get_on(RungRelations *r)
{
    r->go_back(r->user);
    if (r->compare(r->user))
        return 0;
    r->is_iterating = 1;
    rung_renew_all(r, 0, 0, 0);
    r->is_iterating = 0;
    return !r->follow(r->user) && r->take(r->user);
}

/* MLS 8.6, appendix B: solve, then pre(v) = v, until nothing changes any more. *rounds counts those
 * in which something did; is_contrary says of a failure why. */
static inline int rung_iterate(RungRelations *r, uint32_t *rounds, int *is_endless)
{
    enum { MOST = 200, MOST_CONTRARY = 5 };
    int n_contrary = 0;
    *is_endless = 0;
    for (int round = 0; round < MOST; round++) {
        int moved = 0, status = rung_iterate_relations(r, 0);
        if (status) {
            if (!r->is_contrary || n_contrary++ == MOST_CONTRARY || !rung_get_on(r))
                return status;
            ++*rounds;
            continue;
        }
        status = r->act(r->user, &moved);
        if (status)
            return status;
        if (!r->take(r->user) && !moved)
            return 0;
        ++*rounds;
    }
    *is_endless = 1;
    return 1;
}

/* ---- times that are known beforehand ---- */

static inline int rung_is_timed(const RungMemory *m)
{
    return m->kind == RUNG_SAMPLE || m->kind == RUNG_CLOCK;
}

static inline double rung_event_value(const RungContext *ctx, double value, uint32_t in)
{
    return in == RUNG_NONE ? value : ctx->c[in];
}

static inline double rung_interval(const RungContext *ctx, const RungMemory *m)
{
    return rung_event_value(ctx, m->interval, m->interval_in);
}

/* Of sample() or a clock, event `number`; clocks begin at `start`. */
static inline double rung_sample_time(const RungContext *ctx, const RungMemory *m, double start,
                                      double number)
{
    if (m->kind == RUNG_CLOCK)
        return start + rung_interval(ctx, m) * ((m->shift + number * m->factor) / m->per);
    return rung_event_value(ctx, m->start, m->start_in) + number * rung_interval(ctx, m);
}

/* The number of the first event in a run that begins at t. */
static inline double rung_first_number(const RungContext *ctx, const RungMemory *m, double t)
{
    const double start = rung_event_value(ctx, m->start, m->start_in);
    const double begun = (t - start) / rung_interval(ctx, m);
    return m->kind == RUNG_SAMPLE && begun > 0 ? ceil(begun) : 0;
}

/* A few roundings apart, times are one: the last that has come at t. */
static inline double rung_latest(double t)
{
    return t + 8 * DBL_EPSILON * fabs(t);
}

/* ---- sizes ---- */

/* Each state off by a share of its size, to one side or the other, into to. */
static inline void rung_move_states(const RungModel *m, const double *x, double share,
                                    uint32_t round, double *to)
{
    for (uint32_t k = 0; k < m->n_states; k++) {
        const double off = share * (m->nominal[k] + fabs(x[k]));
        to[k] = x[k] + (rung_somewhere(k + round * m->n_states + 1, 2) ? off : -off);
    }
}

/* Whether a relation, which changes by low to high where states are off by their last digits,
 * jumps there, as one that holds sign(x) does while x is zero: what is noise goes to both sides,
 * and by the digits of what it is made of. */
static inline int rung_jumps(const RungModel *m, const double *x, double low, double high,
                             double digits)
{
    const double alike = 1e-6, large = 1e6, huge = 1e12; // against the digits of the states
    const double most = fmax(fabs(low), fabs(high));
    double scale = 0;
    for (uint32_t i = 0; i < m->n_states; i++)
        scale = fmax(scale, digits * (m->nominal[i] + fabs(x[i])));
    return most > huge * scale || (most > large * scale && high - low <= alike * most);
}

/* Room for rung_find_sizes: of states, of relations thrice. */
typedef struct RungSizesRoom {
    double *x, *near, *low, *high;
} RungSizesRoom;

/* What relations are made of may be at rest at zero, and they are no more than noise then. They are
 * not to be told from zero better than what the error of the states makes of them: so much they
 * change where each state is off by a share of its size. Nor than what rounding makes of them: one
 * whose sides are equal by another equation is nothing else, and changes so much where states are
 * off by their last digits. `all` finds what all of them compare. */
static inline void rung_find_sizes(RungRelations *r, const double *x, double tolerance,
                                   const RungSizesRoom *room,
                                   int (*all)(void *user, const double *x, double *g))
{
    enum { POINTS = 2, BY_ERRORS = 2 * POINTS, BY_ROUNDING = 8 };
    const double most = 1e-6, digits = 8 * DBL_EPSILON, roundings = 10, closer = 0.125;
    const double share = fmax(most, sqrt(DBL_EPSILON) / 10), part = fmin(1, tolerance / most);
    const RungModel *m = r->ctx->model;
    double *low = room->low, *high = room->high;
    int ok = r->n && !all(r->user, x, r->g);
    // each point from afar, and close by: what is not proportional, as an angle of next to nothing,
    // tells nothing
    for (uint32_t round = 0; ok && round < BY_ERRORS; round++) {
        const int is_far = round % 2 == 0;
        rung_move_states(m, x, is_far ? share : closer * share, round / 2, room->x);
        ok = !all(r->user, room->x, room->near);
        for (uint32_t k = 0; ok && k < r->n; k++) {
            double *known = &r->size[r->relation[k]];
            const double change = fabs(room->near[k] - r->g[k]);
            const double size = part / share * low[k];
            if (is_far)
                low[k] = change;
            else if (change <= 4 * closer * low[k] && isfinite(size) && size > *known)
                *known = size;
        }
    }
    for (uint32_t k = 0; k < r->n; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t round = 0; ok && round < BY_ROUNDING; round++) {
        // other points in each round: rounding may be the same at some
        const double less = 1 - (double)round / (2 * BY_ROUNDING);
        rung_move_states(m, x, less * digits, round + POINTS, room->x);
        ok = !all(r->user, room->x, room->near);
        for (uint32_t k = 0; ok && k < r->n; k++) {
            const double change = room->near[k] - r->g[k];
            if (change == 0 || !isfinite(change))
                continue;
            low[k] = fmin(low[k], change);
            high[k] = fmax(high[k], change);
        }
    }
    for (uint32_t k = 0; k < r->n; k++) {
        double *known = &r->size[r->relation[k]];
        const double size = roundings / RUNG_NOISE * fmax(fabs(low[k]), fabs(high[k]));
        if (low[k] <= high[k] && size > *known && !rung_jumps(m, x, low[k], high[k], digits))
            *known = size;
    }
}

#endif
