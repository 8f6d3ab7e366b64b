/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* The search for a change of a relation in the last step of `method`. */
typedef struct Search {
    Events *e;
    Run *run;
    const Integrator *method;
    void *self;
    bool is_exact;       /* no Integrator.some_at */
    bool has_taken_some; /* states */
} Search;

bool event_search_new(Events *e, const RungModel *m)
{
    EventSearch *s = &e->step;
    size_t n = m->n_events + (size_t)1;
    s->x = calloc(m->n_states + (size_t)1, sizeof *s->x);
    s->z = calloc(m->n_unknowns + (size_t)1, sizeof *s->z);
    s->few_watched = calloc(e->table->n_memory + (size_t)1, sizeof *s->few_watched);
    double **all[] = {&s->begin.g,          &s->end.g,        &s->search.past[0].g,
                      &s->search.past[1].g, &s->search.low_g, &s->search.high_g};
    bool ok = s->x && s->z && s->few_watched;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        ok = (*all[k] = calloc(n, sizeof(double))) && ok;
    return ok && some_new(&s->few, e->relations.table.n) && some_new(&s->few_states, m->n_states);
}

void event_search_free(Events *e)
{
    EventSearch *s = &e->step;
    free(s->x);
    free(s->z);
    free(s->few_watched);
    free(s->begin.g);
    free(s->end.g);
    free(s->search.low_g);
    free(s->search.high_g);
    free(s->apart);
    for (int k = 0; k < 2; k++)
        free(s->search.past[k].g);
    for (int k = 0; k < RUNG_LEVELS; k++)
        free(s->level[k]);
    some_free(&s->few);
    some_free(&s->few_states);
}

/* The relations under test, into g; nonzero for parts that cannot be evaluated by themselves
 * (`sample` handles these). */
static int compare(Events *e, Run *run, double t, const double *x, double *g)
{
    Parts *r = &e->relations;
    if (e->watch.tested.n == r->table.n) {
        run->problem.counts->event_values += e->r.n;
        return problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, t, x, g);
    }
    problem_refresh(&run->problem, t, x);
    int status = 0;
    for (uint32_t i = 0; i < e->watch.tested.n && !status; i++)
        status = parts_evaluate_one(r, &run->problem, e->watch.tested.at[i], t, x, g);
    return status;
}

/* The states that relations under test read, at t inside the last step, into e->step.x. False: it
 * is no cheaper than to take all. */
static bool take_some(Search *s, double t)
{
    Events *e = s->e;
    bool done =
        e->watch.states.n && !s->is_exact && s->method->some_at &&
        s->method->some_at(s->self, s->run, t, e->watch.states.n, e->watch.states.at, e->step.x);
    s->has_taken_some = s->has_taken_some || done;
    return done;
}

/* The relations at t inside the last step, into g. Nonzero where they cannot be evaluated: the
 * method has its own way with such points. */
static int sample(void *search, double t, double *g)
{
    Search *s = search;
    Run *run = s->run;
    Events *e = s->e;
    const double *x = run->x;
    bool inside = t != run->t, some = inside && !e->contrary.n && take_some(s, t);
    if (inside && !some)
        s->method->at(s->self, run, t, e->step.x);
    if (inside)
        x = e->step.x;
    // looking leaves the first guesses of blocks as the method had them
    size_t n = run->problem.model->n_unknowns;
    memcpy(e->step.z, run->problem.ctx->z, n * sizeof *e->step.z);
    int status = compare(e, run, t, x, g);
    if (status && e->watch.tested.n < e->relations.table.n) {
        if (some)
            s->method->at(s->self, run, t, e->step.x);
        status = problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, t, x, g);
    }
    memcpy(run->problem.ctx->z, e->step.z, n * sizeof *e->step.z);
    return status ? status : event_contrary_ask(e, run, t, x, g);
}

void event_search_find_at_zero(Events *e, const double *g, bool since)
{
    for (uint32_t i = 0; i < e->r.n_watched; i++)
        rung_find_at_zero(&e->r, e->r.watched[i], g[e->r.watched[i]], since);
}

/* The relations under test that differ from memory by g, and their parts. */
static void choose_few(Events *e, const double *g)
{
    some_clear(&e->step.few);
    e->step.n_few = 0;
    for (uint32_t i = 0; i < e->r.n_watched; i++) {
        uint32_t k = e->r.watched[i];
        if (!rung_is_other(&e->r, k, g[k]))
            continue;
        e->step.few_watched[e->step.n_few++] = k;
        some_add(&e->step.few, e->part_of[k]);
    }
    event_watch_states(e, &e->step.few, &e->step.few_states);
}

/* Restricts the test to the few, and extends it again to all before. */
static void exchange_few(Events *e)
{
    Some tested = e->watch.tested, states = e->watch.states;
    e->watch.states = e->step.few_states;
    e->step.few_states = states;
    uint32_t *watched = e->r.watched, n = e->r.n_watched;
    e->watch.tested = e->step.few;
    e->r.watched = e->step.few_watched;
    e->r.n_watched = e->step.n_few;
    e->step.few = tested;
    e->step.few_watched = watched;
    e->step.n_few = n;
}

static void focus(void *search, const double *g)
{
    Events *e = ((Search *)search)->e;
    choose_few(e, g);
    exchange_few(e);
}

static void unfocus(void *search)
{
    exchange_few(((Search *)search)->e);
}

static double *level(void *search, int depth)
{
    Events *e = ((Search *)search)->e;
    if (!e->step.level[depth])
        e->step.level[depth] = calloc(e->r.n + (size_t)1, sizeof *e->r.g);
    return e->step.level[depth];
}

/* Records the slopes of the watched relations in the step; is_over: no event was found in it. */
static void follow_trends(Events *e, bool is_over)
{
    const RungSample *a = &e->step.begin, *b = &e->step.end;
    for (uint32_t i = 0; i < e->r.n_watched; i++) {
        const uint32_t k = e->r.watched[i];
        rung_follow_trend(&e->r, k, a->g[k], b->g[k], b->t - a->t, is_over);
    }
}

/* The two of a floor change together. */
static void pair_floors(Events *e)
{
    for (uint32_t i = 0; i < e->r.n_watched; i++) {
        uint32_t k = e->r.watched[i];
        if (rung_is_second_of_floor(&e->r, k) &&
            e->watch.is_excluded[k] != e->watch.is_excluded[k - 1]) {
            e->watch.is_excluded[k] = e->watch.is_excluded[k - 1] = false;
            e->watch.n_excluded[e->part_of[k]]--;
            e->watch.n_all_excluded--;
        }
    }
}

/* Of many relations nearly all are clear between a and b, the ends of the step: these are excluded,
 * so that the cost of events in the step is that of the others. *m: a sample between. */
static bool exclude(Events *e, const RungSample *a, const RungSample *b, RungSample *m)
{
    enum { MANY = 64 };
    RungSearch *s = &e->step.search;
    RungLook look;
    if (!e->remembers || e->r.n_watched < MANY)
        return false;
    if (!e->step.apart)
        e->step.apart = calloc(e->r.n + (size_t)1, sizeof *e->step.apart);
    *m = (RungSample){rung_inner(a, b), e->step.apart, b};
    if (!m->g || m->t <= a->t || m->t >= b->t || s->left-- <= 0 || s->sample(s->user, m->t, m->g) ||
        !rung_look_between(s, a, m, b, &look))
        return false;
    for (uint32_t i = 0; i < e->r.n_watched; i++) {
        uint32_t k = e->r.watched[i], p = e->part_of[k];
        bool other = rung_is_other(&e->r, k, m->g[k]) || rung_is_other(&e->r, k, b->g[k]);
        // how long others stay is known as it is
        if (!event_watch_is_curved(e, p) || k == e->limit.relation || other ||
            !rung_is_clear(&e->r, &look, k))
            continue;
        rung_find_at_zero(&e->r, k, b->g[k], true);
        e->watch.is_excluded[k] = true;
        e->watch.n_excluded[p]++;
        e->watch.n_all_excluded++;
    }
    pair_floors(e);
    e->watch.is_listed = false;
    return true;
}

/* Single states (some_at) equal those of the full interpolation up to rounding: e->step.search.high
 * is moved by some last digits to a time at which the relations from all states differ from memory.
 */
static void confirm(Search *s, double end)
{
    enum { ROUNDS = 30 };
    Events *e = s->e;
    RungSearch *found = &e->step.search;
    double high = found->high, more = DBL_EPSILON * fabs(high);
    s->is_exact = true;
    for (int round = 0; round < ROUNDS && high < end; round++, more *= 2) {
        if (sample(s, high, e->r.g) || rung_differs(&e->r, e->r.g)) {
            found->high = high;
            break;
        }
        high = fmin(end, found->high + more);
    }
    s->is_exact = false;
}

/* Puts the relations that may change until then under test, in the step that began at t0. Those not
 * tested lately are functions of time, so that their earlier values are known. False: there are
 * none. */
static bool begin_watch(Events *e, Run *run, double until, double t0)
{
    bool *was = e->watch.had_been;
    uint32_t n = e->relations.table.n;
    memcpy(was, e->watch.tested.has, n * sizeof *was);
    event_watch_choose(e, until);
    for (uint32_t i = 0; i < e->watch.tested.n; i++) {
        uint32_t p = e->watch.tested.at[i];
        if (was[p] || !e->step.has_begin || e->step.begin.t != t0)
            continue;
        RungSample *known[] = {&e->step.begin, &e->step.search.past[0], &e->step.search.past[1]};
        for (int k = 0; k < 1 + e->step.search.n_past; k++)
            if (parts_evaluate_one(&e->relations, &run->problem, p, known[k]->t, run->x,
                                   known[k]->g))
                e->step.has_begin = false;
    }
    return e->r.n_watched > 0;
}

/* For rung_refine_noise. */
static int all_at(void *search, double t, const double *x, double *g)
{
    Search *s = search;
    return problem_evaluate(&s->run->problem, RUNG_ASK_RELATIONS, t, x, g);
}

static int refine_noise(void *search, const RungDip *dip)
{
    Search *s = search;
    Events *e = s->e;
    Run *run = s->run;
    const RungSearch *found = &e->step.search;
    const size_t n = run->problem.model->n_unknowns;
    double *moved = malloc((run->problem.n + (size_t)1) * sizeof *moved);
    const RungSizesRoom room = {moved, found->high_g, found->low_g, NULL};
    s->method->at(s->self, run, dip->t, e->step.x);
    memcpy(e->step.z, run->problem.ctx->z, n * sizeof *e->step.z);
    bool ok = moved && rung_refine_noise(&e->r, dip->relation, dip->t, e->step.x, &room, s, all_at);
    memcpy(run->problem.ctx->z, e->step.z, n * sizeof *e->step.z);
    free(moved);
    return ok;
}

/* The earliest time in the last step at which a relation differs from memory, of those that may
 * change until `until`; false if there is none. */
static bool find_among(Events *e, Run *run, const Integrator *method, void *self, double t0,
                       double until, double *when)
{
    Search s = {.e = e, .run = run, .method = method, .self = self};
    RungSearch *search = &e->step.search;
    search->r = &e->r;
    search->user = &s;
    search->sample = sample;
    search->level = level;
    search->focus = focus;
    search->unfocus = unfocus;
    rung_search_begin(search);
    rung_allow_dips(&e->r);
    if (!begin_watch(e, run, until, t0))
        return e->step.has_begin = false;
    if (e->step.begin.t != t0 || !e->step.has_begin) {
        e->step.begin.t = t0;
        search->n_past = 0;
        if (sample(&s, t0, e->step.begin.g))
            return false;
        rung_look_ahead(search, t0, run->t - t0);
    }
    e->step.end.t = run->t;
    e->step.has_begin = !sample(&s, run->t, e->step.end.g);
    if (e->step.has_begin)
        follow_trends(e, false);
    bool found = false, had_excluded = e->watch.n_all_excluded > 0;
    RungSample middle;
    bool has_excluded =
        e->step.has_begin && !e->contrary.n && exclude(e, &e->step.begin, &e->step.end, &middle);
    if (has_excluded)
        event_watch_choose(e, until);
    if (e->step.has_begin && e->r.n_watched)
        found = rung_search(search, &e->step.begin, &e->step.end);
    while (e->step.has_begin && rung_refine_dips(search, found, refine_noise)) {
        // the samples before the step are gone
        rung_search_begin(search);
        rung_look_ahead(search, t0, run->t - t0);
        found = rung_search(search, &e->step.begin, &e->step.end);
    }
    if (!found && e->step.has_begin)
        rung_forget_noise(&e->r, e->step.end.g);
    if (found && s.has_taken_some)
        confirm(&s, run->t);
    // the next step begins with all of them
    if (has_excluded && !found && !had_excluded) {
        event_watch_all_again(e);
        event_watch_choose(e, until);
        rung_keep_past(search, &e->step.begin, &middle);
    }
    if (search->left <= 0 && !found && !e->step.n_unresolved++) {
        e->step.unresolved = &e->table->memory[search->unclear];
        e->step.unresolved_t = t0;
    }
    if (found)
        e->step.has_begin = false;
    else if (e->step.has_begin) {
        event_search_find_at_zero(e, e->step.end.g, true);
        follow_trends(e, true);
    }
    RungSample next = e->step.end;
    e->step.end = e->step.begin;
    e->step.begin = next;
    *when = search->high;
    return found;
}

/* Of all relations. Where one of time alone is going to change, those that do so later are not
 * asked. */
static bool find_crossing(Events *e, Run *run, const Integrator *method, void *self, double t0,
                          double *when)
{
    double sure = e->relations.is_whole ? INFINITY : events_known_time(e);
    return (sure < run->t && find_among(e, run, method, self, t0, sure, when) && *when <= sure) ||
           find_among(e, run, method, self, t0, run->t, when);
}

/* The event in the last step, which began at t0: found at *when, or one that is known at its end.
 */
static void settle(Events *e, Run *run, const Integrator *method, void *self, double t0,
                   bool is_found, double *when)
{
    Search s = {.e = e, .run = run, .method = method, .self = self};
    RungSearch *search = &e->step.search;
    search->r = &e->r;
    search->user = &s;
    search->sample = sample;
    search->high = *when;
    rung_settle_event(search, t0, run->t, events_next_time(e, run), is_found);
    *when = search->high;
}

int events_look(Events *e, Run *run, const Integrator *method, void *self, double t0, bool *found)
{
    *found = false;
    if (!e->table)
        return 0;
    memset(e->r.is_due, RUNG_DUE_NOT, e->table->n_memory);
    double when;
    // if the last search was among some relations only, the others are not known at its end
    if (e->watch.n_all_excluded && (!e->step.goes_on || e->contrary.n)) {
        event_watch_all_again(e);
        e->step.has_begin = false;
    }
    e->step.goes_on = false;
    if (e->r.n && find_crossing(e, run, method, self, t0, &when)) {
        settle(e, run, method, self, t0, true, &when);
        method->at(self, run, when, e->step.x);
        if (when == run->t)
            memcpy(e->step.x, run->x, run->problem.n * sizeof *e->step.x);
        e->step.t = when;
        *found = e->step.is_crossing = true;
        return 0;
    }
    if (e->r.n && e->step.has_begin && event_limit_has_passed(e, run, e->step.begin.g))
        return 1;
    *found = events_next_time(e, run) <= rung_latest(run->t);
    e->step.is_crossing = false;
    when = run->t;
    if (*found && e->r.n)
        settle(e, run, method, self, t0, false, &when);
    memcpy(e->step.x, run->x, run->problem.n * sizeof *e->step.x);
    e->step.t = run->t;
    return 0;
}

void events_go_on(Events *e)
{
    e->step.goes_on = true;
}

void events_go(Events *e, Run *run)
{
    run->t = e->step.t;
    memcpy(run->x, e->step.x, run->problem.n * sizeof *e->step.x);
}
