/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_relation.h -- the rules of events that runs (event.c) and C libraries (rung_event.h) share:
 * when a relation changes its value, how the values of all relations are made consistent with the
 * equations, and the event iteration (MLS 3.6, 8.6, appendix B). A relation holds while its
 * zero-crossing function g is negative (strict) or not positive. The caller supplies the evaluation
 * of g, the writing of memory and the actions of an event, as callbacks of RungRelations.
 */
#ifndef RUNG_RELATION_H
#define RUNG_RELATION_H

#include "rung_math.h"
#include "rung_model.h"

#include <float.h>
#include <math.h>
#include <string.h>
#ifndef RUNG_NEAREST
#include <fenv.h>
#endif

/* Noise of a zero-crossing function g, relative to the largest |g| so far, and the part of it that
 * is rounding. Larger in single precision, in which a C library may be compiled. */
#define RUNG_NOISE (DBL_EPSILON < 1e-10 ? 1e-10 : cbrt(DBL_EPSILON) * cbrt(DBL_EPSILON))
#define RUNG_ROUNDED (45 * DBL_EPSILON)
/* In noise: a g this large comes from somewhere else than zero. */
#define RUNG_FAR 4
/* Likewise: a g this far behind zero has passed it, where it came from far or goes on. */
#define RUNG_PAST 1e-3

/* For RungRelations.noise: within the share of its size g goes by steps of its last digits, which
 * no search in time resolves. */
#define RUNG_QUANTA (-2)

/* After so many steps with the same slope g is no noise. */
enum { RUNG_SURE = 5 };

/* Of a relation at an event. */
typedef enum RungDue {
    RUNG_DUE_NOT,
    RUNG_DUE_SOON,   /* g is zero but for its noise, and would pass zero a rounding error of time
                        later */
    RUNG_DUE_PAST,   /* g has passed zero, and leaves its noise later in the step  */
    RUNG_DUE_LEAVES, /* g is zero, and leaves zero behind the event, where the equations of this
                        side have no solution */
    RUNG_DUE_AGAIN   /* g has passed zero once more just behind an event that has led back to the
                        old value */
} RungDue;

/* Where values of relations lead back to each other in a cycle, the relations that then change only
 * when g has left its noise. */
typedef enum RungKeeps {
    RUNG_KEEPS_NONE,
    RUNG_KEEPS_CYCLES, /* those of the cycle */
    RUNG_KEEPS_ALL
} RungKeeps;

/* The slope of g over the last steps. Noise changes the slope in each step; a g that crosses its
 * noise in many steps keeps it. */
typedef struct RungTrend {
    double slope;   /* in the last step */
    uint32_t steps; /* with about that slope */
    double past;    /* with this slope in the present step: distance behind zero at which the
                       relation changes; else 0 */
} RungTrend;

typedef struct RungRelations {
    RungContext *ctx;
    const RungMemory *table;  /* NULL: the memory of the model's events */
    const uint32_t *relation; /* n: index of each relation in memory */
    uint32_t n;
    const double *scale; /* n_states: to which errors are relative, besides the value of the state;
                            NULL: nominal values */
    double *memory;      /* u + n_inputs of the context */
    double *g;           /* n: zero-crossing functions */
    double *size;        /* per memory: largest |g| of a relation so far */
    /* per memory: where g dips below zero by less than a share of its size, its noise there; 0: the
     * share of its size, negative: that holds for all dips of this step, RUNG_QUANTA until g has
     * left that share. NULL: everywhere (margins) */
    double *noise;
    /* per memory: g has been zero up to rounding since the end of the last event */
    unsigned char *is_at_zero;
    /* per memory: 2 where g was far from zero at the end of the last step, 1 where that was one
     * step earlier, 0 otherwise. NULL with is_due */
    unsigned char *steps_from_far;
    /* per memory: how g moved in the last steps. NULL: that is not followed */
    RungTrend *trend;
    /* per memory: RungDue, at this event. NULL: none is */
    unsigned char *is_due;
    double *entry_g;              /* n: where an iteration begins. NULL: that is not known */
    double *seen;                 /* per memory: its value some rounds ago */
    uint64_t *changes;            /* per memory: changes of a relation, lately; NULL: not counted */
    uint32_t *watched, n_watched; /* relations under test, ascending; NULL: all */
    int is_iterating;             /* during the event iteration */
    RungKeeps keeps;              /* of which relations g within its noise changes none */
    RungKeeps has_kept; /* that was needed at this event, and no state has been set since */
    /* per memory: it has changed within a cycle of values at this event. NULL: not known */
    unsigned char *cycles;
    int is_contrary; /* no consistent values of the relations were found */
    /* Callbacks of the caller. Status 0, or nonzero, which ends the iteration. */
    void *user;
    void (*set)(void *user, uint32_t k, double value); /* memory[k] = value */
    void (*note)(void *user);    /* saves memory, clears the remembered function results */
    void (*go_back)(void *user); /* restores the saved memory */
    int (*compare)(void *user);  /* evaluates the zero-crossing functions into g */
    /* likewise; a block without a solution keeps its unknowns */
    int (*compare_unsolved)(void *user);
    int (*follow)(void *user); /* evaluates the equations of the event at this memory */
    /* executes the actions that are due; *moved: a state has changed */
    int (*act)(void *user, int *moved);
    int (*take)(void *user); /* pre(v) = v; nonzero if some pre(v) changed */
} RungRelations;

static inline const RungMemory *rung_memory_of(const RungRelations *r, uint32_t k)
{
    return r->table ? &r->table[k] : &r->ctx->model->event->memory[k];
}

/* Whether relation memory[k] keeps its value while g is within its noise. */
static inline int rung_keeps(const RungRelations *r, uint32_t k)
{
    return r->keeps == RUNG_KEEPS_ALL || (r->keeps == RUNG_KEEPS_CYCLES && r->cycles[k]);
}

static inline int rung_is_true(const RungMemory *m, double g)
{
    return m->is_strict ? g < 0 : g <= 0;
}

/* Of the zero-crossing function of relation memory[k]. That of a dip is of one set of equations:
 * where values of relations lead back to each other, and it is less than the digits of g, it is not
 * that of the other side. */
static inline double rung_noise(const RungRelations *r, uint32_t k)
{
    const double of_size = RUNG_NOISE * r->size[k], digits = 1e-3 * DBL_EPSILON * r->size[k];
    const int is_known = r->noise && r->noise[k] > 0 && !(rung_keeps(r, k) && r->noise[k] < digits);
    return is_known ? r->noise[k] : of_size;
}

/* Whether relation memory[k], whose zero-crossing function is g, has passed zero by a small part of
 * its noise, in the direction in which it changes only behind all of it. */
static inline int rung_has_passed(const RungRelations *r, uint32_t k, double g)
{
    const double noise = RUNG_PAST * rung_noise(r, k);
    return rung_memory_of(r, k)->is_strict ? g < -noise : g > noise;
}

/* Whether it has done so by the trend of its steps. */
static inline int rung_passes(const RungRelations *r, uint32_t k, double g)
{
    const int counts = r->trend && (!r->is_at_zero[k] || r->trend[k].steps >= RUNG_SURE);
    const double past = counts ? r->trend[k].past : 0;
    return past > 0 && (rung_memory_of(r, k)->is_strict ? g < -past : g > past);
}

/* Whether relation memory[k] holds, given its zero-crossing function g. Newton's method and
 * interpolation find the time of a crossing up to some noise only, so g has a hysteresis: a
 * relation that holds at zero keeps holding until g leaves the noise, and one that does not hold at
 * zero likewise; without it one crossing would cause a thousand events. A relation never changes
 * before g reaches zero, because the equations of the new side may have no solution on the old one.
 * An event sets g to zero up to rounding, e.g. the acceleration where friction begins to slide;
 * such a relation (is_at_zero) changes only when g has passed zero by more than rounding, until g
 * has left zero once. Relations of time alone have no noise. Of two relations that pass zero at the
 * same time one is found first, by rounding: the other (RUNG_DUE_SOON) counts as zero, too. Where g
 * goes through all of its noise in a step, its event is at zero (RUNG_DUE_PAST), unless that has no
 * consistent values: a current of rounding. So has a g whose trend passes zero: behind the event it
 * is another function, the current of a diode instead of its voltage.
 * With the new value g may be zero exactly, as the acceleration of a shaft in two brakes one of
 * which begins to slide while the other sticks. The event then leads back to the old value, with
 * which g passes zero in the next step, too: there (RUNG_DUE_AGAIN) zero agrees with the new value.
 */
static inline int rung_holds(RungRelations *r, uint32_t k, double g, int fresh)
{
    const RungMemory *m = rung_memory_of(r, k);
    // at inconsistent values (fresh) only the last g counts, and of the event iteration its result
    if (fresh || (!r->is_iterating && fabs(g) > r->size[k]))
        r->size[k] = fabs(g);
    if (m->is_exact || fresh || fabs(g) > rung_noise(r, k))
        return rung_is_true(m, g);
    const int keeps = rung_keeps(r, k);
    if (!keeps && rung_passes(r, k, g))
        return rung_is_true(m, g);
    const double rounding = RUNG_ROUNDED * r->size[k];
    const int due = r->is_iterating && r->is_due && !keeps ? r->is_due[k] : RUNG_DUE_NOT;
    if (due == RUNG_DUE_PAST || due == RUNG_DUE_LEAVES)
        return (int)m->is_strict;
    if (due == RUNG_DUE_AGAIN && (m->is_strict ? g <= rounding : g >= -rounding))
        return (int)m->is_strict;
    const double near = due == RUNG_DUE_SOON ? rung_noise(r, k) : rounding;
    const double zero = r->is_iterating ? near : r->is_at_zero[k] ? -rounding : 0;
    // a g that has been zero only, as a derivative that its own relation stops, has no size
    const int stays = !r->is_iterating && r->is_at_zero[k] && g == 0;
    const int is_zero = !keeps && !stays && (m->is_strict ? g >= -zero : g <= zero);
    return is_zero ? !m->is_strict : r->memory[k] != 0;
}

/* Whether relation number k, with zero-crossing function g, differs from its value in memory. */
static inline int rung_is_other(RungRelations *r, uint32_t k, double g)
{
    const uint32_t at = r->relation[k];
    return rung_holds(r, at, g, 0) != (r->memory[at] != 0);
}

/* The value of g at which relation number k changes. */
static inline double rung_threshold(const RungRelations *r, uint32_t k)
{
    const uint32_t at = r->relation[k];
    const RungMemory *m = rung_memory_of(r, at);
    const int is_true = r->memory[at] != 0;
    const double noise = m->is_exact || (int)m->is_strict == is_true ? 0 : rung_noise(r, at);
    return m->is_strict ? -noise : noise;
}

/* The time at which relation number k changes, by linear interpolation of g between two times. */
static inline double rung_crossing(const RungRelations *r, uint32_t k, double low, double g_low,
                                   double high, double g_high)
{
    const double zero = rung_threshold(r, k), from = g_low - zero, to = g_high - zero;
    return low + (high - low) * from / (from - to);
}

/* The part of a step, and of the time, within which two events are one. */
static inline double rung_soon(double t, double h)
{
    const double of_step = 1e-6, of_time = 1e-10;
    return fmin(of_step * h, of_time * fabs(t));
}

/* Sets is_due of relation number k, from g at the event and `earlier` before it. */
static inline void rung_find_due(RungRelations *r, uint32_t k, double before, double g,
                                 double earlier, double soon)
{
    const uint32_t at = r->relation[k];
    const double gone = fabs(before) - fabs(g);
    if (r->is_due[at] == RUNG_DUE_NOT)
        r->is_due[at] = !rung_memory_of(r, at)->is_exact && fabs(g) <= rung_noise(r, at) &&
                        before * g > 0 && gone > 0 && fabs(g) * earlier <= soon * gone;
}

/* Sets is_at_zero of relation number k from g at the end of an event; with `since`, at the end of a
 * step after it, only clears it. */
static inline void rung_find_at_zero(RungRelations *r, uint32_t k, double g, int since)
{
    const uint32_t at = r->relation[k];
    if (r->steps_from_far && fabs(g) > RUNG_FAR * rung_noise(r, at))
        r->steps_from_far[at] = 2;
    else if (r->steps_from_far)
        r->steps_from_far[at] = since && r->steps_from_far[at] == 2;
    r->is_at_zero[at] = fabs(g) <= RUNG_ROUNDED * r->size[at] && (!since || r->is_at_zero[at]);
}

/* How g of relation number k moves in a step of length h, from `before` to `g`; with a step behind
 * it that has found no event, `is_over`, it is part of the trend. */
static inline void rung_follow_trend(RungRelations *r, uint32_t k, double before, double g,
                                     double h, int is_over)
{
    const uint32_t most = 1000;
    // a g that decays to zero has another slope in the step in which rounding moves it behind zero
    const double alike = 1.5;
    const uint32_t at = r->relation[k];
    RungTrend *it = &r->trend[at];
    const double slope = (g - before) / h, ratio = slope / it->slope;
    const int goes_on = ratio > 1 / alike && ratio < alike;
    // less where a share of the noise takes time, but more than the rounding at zero
    const double noise = rung_noise(r, at), moved = fabs(g - before);
    const double past = moved > noise ? RUNG_PAST : 1.2 * RUNG_ROUNDED / RUNG_NOISE;
    it->past = is_over || !goes_on || it->steps < RUNG_SURE ? 0 : past * noise;
    if (!is_over)
        return;
    it->slope = slope;
    it->steps = !goes_on ? 0 : it->steps < most ? it->steps + 1 : most;
}

/* floor(x) takes three memories: its value, then relations k and k + 1, which change together with
 * it. */
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

/* Sets relation number k in memory from g; whether it has changed. The two relations of a floor,
 * and its value, are set together. */
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

/* Sets all relations under test from g, beginning with number `first`; with `one`, stops at the
 * first that changes. Whether one has changed. */
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

/* A pseudo-random start below n for the search of a relation to change, the same in every run. */
static inline uint32_t rung_somewhere(uint32_t round, uint32_t n)
{
    return (uint32_t)((uint64_t)(round * 2654435769u) * n >> 32);
}

/* At the end of a branch of solutions the change of the one relation that marks it may lead back to
 * the old value: a comparator with feedback has, between its limits, a solution that leads back to
 * the limit just left, and no consistent one. Then another relation, which agrees with g, has to
 * change, by itself or together with the first. 0; positive if no such change is consistent;
 * negative: stop. */
static inline int rung_find_beyond(RungRelations *r, int fresh)
{
    enum { ROUNDS = 10, MOST = 200 };
    r->keeps = RUNG_KEEPS_NONE; // at the end of a branch every g is within noise
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

/* Iterates that diverged leave sizes against which every later g is noise: the sizes of floors are
 * reset from their values. Whether one was reset. */
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

/* The sizes of relations that agree with g. On the way there diodes may conduct that short-circuit
 * a source: the currents then are those of no state of the model. The noise of a dip is that of one
 * set of equations; with others g is another function, a current instead of a voltage. */
static inline void rung_settle_sizes(RungRelations *r)
{
    const uint32_t n = r->watched ? r->n_watched : r->n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = r->watched ? r->watched[i] : i, at = r->relation[k];
        if (fabs(r->g[k]) > r->size[at])
            r->size[at] = fabs(r->g[k]);
        // kept within its noise, it begins anew
        if (rung_keeps(r, at) && r->trend && fabs(r->g[k]) <= rung_noise(r, at))
            r->trend[at] = (RungTrend){0};
        if (!r->noise || !r->entry_g || r->noise[at] == RUNG_QUANTA)
            continue;
        const int is_another = fabs(r->g[k] - r->entry_g[k]) > r->noise[at];
        const int was_noise = rung_keeps(r, at) && r->noise[at] > 0 && fabs(r->g[k]) > r->noise[at];
        if (is_another || was_noise)
            r->noise[at] = 0;
    }
}

/* Marks the relations that differ from an earlier round, and so change within a cycle. */
static inline void rung_find_cycle(RungRelations *r)
{
    for (uint32_t k = 0; k < r->n; k++) {
        const uint32_t at = r->relation[k];
        r->cycles[at] = r->cycles[at] || r->memory[at] != r->seen[at];
    }
}

/* Changes relations until their values agree with the g that these values give, then evaluates the
 * equations once (a function that they call may count its calls). First all relations that disagree
 * change at once, starting from the saved memory. If that cycles, noise may be the cause, of the
 * relations in the cycle (others, that change once, do so); then, if that does not help, of any.
 * Only the first that disagrees changes in each round, again from the saved memory, which
 * terminates for linear complementarity problems with a P-matrix (Murty 1974, Opsearch 11; all at
 * once, then one: Judice and Pires 1994, Computers and Operations Research 21). For other problems
 * a pseudo-random one changes. */
static inline int rung_find_relations(RungRelations *r, int fresh)
{
    enum { MOST = 5000, MOST_FEW = 200, MOST_ALONE = 1000, START = 10, MOST_UNSOLVED = 20 };
    enum { TOGETHER, CYCLE, FEW, ALONE, ANYONE } way = TOGETHER;
    const size_t size = r->ctx->model->event->n_memory * sizeof *r->memory;
    int mark = 1, marked = 0, begun = 0, unsolved = 0;
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
            status = r->compare(r->user); // fails again, now with the message
            status = status ? status : 1;
        }
        r->ctx->contradictions = 0;
        if (status)
            return status;
        if (round == 0 && r->entry_g)
            memcpy(r->entry_g, r->g, r->n * sizeof *r->g);
        const uint32_t first = way == ANYONE ? rung_somewhere((uint32_t)round, r->n) : 0;
        if (!rung_renew_all(r, fresh && round < START, (way > CYCLE), first)) {
            if (rung_renew_sizes(r))
                continue;
            rung_settle_sizes(r);
            return r->follow(r->user); // all relations agree with g
        }
        if (way == TOGETHER && round > START && !memcmp(r->seen, r->memory, size)) {
            way = r->cycles ? CYCLE : ALONE;
            begun = round + (way == CYCLE ? round - marked : 0);
            if (way == ALONE) {
                r->keeps = RUNG_KEEPS_ALL;
                r->go_back(r->user);
            } else if (r->keeps == RUNG_KEEPS_NONE) {
                memset(r->cycles, 0, r->ctx->model->event->n_memory);
            }
        } else if (way == CYCLE) {
            rung_find_cycle(r);
            if (round < begun)
                continue;
            way = FEW;
            r->keeps = r->keeps == RUNG_KEEPS_ALL ? r->keeps : RUNG_KEEPS_CYCLES;
            r->go_back(r->user);
        } else if (way == FEW && round - begun > MOST_FEW) {
            way = ALONE;
            begun = round;
            r->keeps = RUNG_KEEPS_ALL;
            r->go_back(r->user);
        } else if (way == ALONE && round - begun > MOST_ALONE) {
            way = ANYONE;
            r->go_back(r->user);
            if (r->changes)
                memset(r->changes, 0, r->ctx->model->event->n_memory * sizeof *r->changes);
        }
        if (round == mark && way == TOGETHER) {
            if (2 * mark > START) // not read before round START
                memcpy(r->seen, r->memory, size);
            marked = mark;
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
    r->keeps = r->has_kept;
    const int status = rung_find_relations(r, fresh);
    r->has_kept = status ? RUNG_KEEPS_NONE : r->keeps;
    r->is_iterating = 0;
    r->keeps = RUNG_KEEPS_NONE;
    return status;
}

/* No values of the relations are consistent at the present pre(v), as in a clutch whose sliding
 * torque is below its breakaway torque. Evaluates the equations once with the relations that the
 * old values give and takes pre(v) = v from them. False if no pre(v) changes by it. */
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

/* MLS 8.6, appendix B: solve, then pre(v) = v, until nothing changes any more. *rounds counts the
 * rounds with a change; on failure is_contrary or *is_endless gives the reason. */
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
        r->has_kept = moved ? RUNG_KEEPS_NONE : r->has_kept;
        ++*rounds;
    }
    *is_endless = 1;
    return 1;
}

/* ---- guards ---- */

/* is_unread, per relation: 1 if its guard is false for these values of the memory. value: room for
 * the results of the guards' operations. */
static inline void rung_find_unread(const RungGuards *t, uint32_t n_relations, const double *memory,
                                    double *value, unsigned char *is_unread)
{
    for (uint32_t k = 0; k < t->n; k++) {
        const RungGuardOp op = (RungGuardOp)t->op[k];
        const int is_leaf = op == RUNG_GUARD_MEMORY || op == RUNG_GUARD_NUMBER;
        const double a = is_leaf ? 0 : value[t->a[k]], b = is_leaf ? 0 : value[t->b[k]];
        switch (op) {
        case RUNG_GUARD_MEMORY:
            value[k] = memory[t->a[k]];
            break;
        case RUNG_GUARD_NUMBER:
            value[k] = t->number[t->a[k]];
            break;
        case RUNG_GUARD_LT:
            value[k] = a < b;
            break;
        case RUNG_GUARD_LE:
            value[k] = a <= b;
            break;
        case RUNG_GUARD_EQ:
            value[k] = a == b;
            break;
        case RUNG_GUARD_NE:
            value[k] = a != b;
            break;
        case RUNG_GUARD_AND:
            value[k] = a != 0 && b != 0;
            break;
        case RUNG_GUARD_OR:
            value[k] = a != 0 || b != 0;
            break;
        case RUNG_GUARD_NOT:
            value[k] = a == 0;
            break;
        }
    }
    for (uint32_t k = 0; k < n_relations; k++)
        is_unread[k] = value[t->of[k]] == 0;
}

/* ---- time events ---- */

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

/* The time of event `number` of sample() or of a clock; clocks begin at `start`. */
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

/* Times within a few roundings are equal: the latest time that counts as t. */
static inline double rung_latest(double t)
{
    return t + 8 * DBL_EPSILON * fabs(t);
}

/* ---- sizes ---- */

/* to = x with each state moved by about `share` of its size, which is besides its value `scale`. */
static inline void rung_move_states(const RungModel *m, const double *scale, const double *x,
                                    double share, uint32_t draw, double *to)
{
    for (uint32_t k = 0; k < m->n_states; k++)
        to[k] = x[k] + share * rung_draw(draw, k) * (scale[k] + fabs(x[k]));
}

/* Whether g jumps at x: it changes by low .. high when the last digits of the states change.
 * Rounding moves g to both sides and in proportion to the digits of its terms; a jump, as of
 * sign(x) at x = 0, does not. */
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

/* Scratch of rung_find_sizes: n_states numbers, then three times n. */
typedef struct RungSizesRoom {
    double *x, *near, *low, *high;
} RungSizesRoom;

/* Sizes for relations whose g rests at zero and is nothing but noise. The noise of g is at least
 * the change of g when each state is moved by the error allowed for it, a share of its size, and at
 * least the change when only the last digits of the states move: g may be a difference that another
 * equation keeps at zero, and then consists of rounding alone. `all` evaluates all g at the states
 * x. */
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
    // each point at full and at an eighth of the distance: a change out of proportion (an angle of
    // a tiny vector) is ignored
    for (uint32_t round = 0; ok && round < BY_ERRORS; round++) {
        const int is_far = round % 2 == 0;
        rung_move_states(m, r->scale ? r->scale : m->nominal, x, is_far ? share : closer * share,
                         round / 2, room->x);
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
        rung_move_states(m, m->nominal, x, less * digits, round + POINTS, room->x);
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

/* Operations are rounded upward, downward or towards zero in draws 1, 2 and 3, to the nearest
 * number in draw 4 and so on: voltages that follow a source are computed with its digits, which do
 * not change with those of the states. RUNG_NEAREST: the target always rounds to the nearest. */
static inline void rung_round_as(uint32_t draw)
{
#if !defined RUNG_NEAREST && defined FE_UPWARD && defined FE_DOWNWARD && defined FE_TOWARDZERO
    static const int way[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    fesetround(way[draw % 4]);
#else
    (void)draw;
#endif
}

/* The noise of a zero-crossing function is a share of the largest it has had. Where it dips to zero
 * as (x - a)^2 < 1e-12 does, its slope is small, and so is the noise that the states make there: if
 * the dip of relation number k at (t, x) is deeper, that is its noise. Whether it is; if not, its
 * dips count no more in this step. Room: `high` is not used; `user` is that of `all`. */
static inline int rung_refine_noise(RungRelations *r, uint32_t k, double t, const double *x,
                                    const RungSizesRoom *room, void *user,
                                    int (*all)(void *user, double t, const double *x, double *g))
{
    enum { BY_ERRORS = 4, BY_ROUNDING = 8 };
    const double digits = 8 * DBL_EPSILON, roundings = 10;
    const double deeper = 4, at_rest = 20; // where g has rested at zero up to rounding
    const uint32_t at = r->relation[k];
    double *here = room->low, *near = room->near, noise, depth;
    int ok = !all(user, t, x, here);
    depth = ok ? fabs(here[k]) : 0;
    noise = r->is_at_zero[at] ? RUNG_ROUNDED * r->size[at] : DBL_EPSILON * depth;
    ok = ok && rung_is_true(rung_memory_of(r, at), here[k]) != (r->memory[at] != 0);
    for (uint32_t draw = 0; draw < BY_ERRORS + BY_ROUNDING && ok; draw++) {
        const int rounds = draw >= BY_ERRORS;
        // other points each time: rounding may be the same at some
        const double less = 1 - (double)draw / (2 * (BY_ERRORS + BY_ROUNDING));
        const double by = rounds ? less * digits : RUNG_NOISE, off = draw % 2 ? by : -by;
        rung_move_states(r->ctx->model, r->ctx->model->nominal, x, by, draw, room->x);
        rung_round_as(rounds ? draw : 0);
        ok = !all(user, t + off * fabs(t), room->x, near);
        rung_round_as(0);
        if (ok)
            noise = fmax(noise, (rounds ? roundings : 1) * fabs(near[k] - here[k]));
    }
    ok = ok && depth > (r->is_at_zero[at] ? at_rest : deeper) * noise;
    r->noise[at] = ok ? noise : -1;
    return ok;
}

/* Before the search of a step. */
static inline void rung_allow_dips(RungRelations *r)
{
    for (uint32_t k = 0; k < r->n; k++) {
        double *noise = &r->noise[r->relation[k]];
        *noise = *noise == RUNG_QUANTA ? RUNG_QUANTA : fmax(*noise, 0);
    }
}

/* Behind a dip noise is a share of the size again. */
static inline void rung_forget_noise(RungRelations *r, const double *g)
{
    const uint32_t n = r->watched ? r->n_watched : r->n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = r->watched ? r->watched[i] : i, at = r->relation[k];
        if (fabs(g[k]) > RUNG_NOISE * r->size[at])
            r->noise[at] = 0;
    }
}

#endif
