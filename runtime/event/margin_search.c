/* SPDX-License-Identifier: BSD-3-Clause */
#include "margin_search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Search {
    MarginSearch *it;
    Run *run;
    const Integrator *method;
    void *self;
} Search;

bool margin_search_new(MarginSearch *it, const RungModel *m, RungQuestion question)
{
    const uint32_t n = question == RUNG_ASK_CHOICES ? m->n_choices : m->n_margins;
    *it = (MarginSearch){.question = question, .r = {.n = n}};
    if (!n)
        return true;
    double **all[] = {&it->begin.g,
                      &it->end.g,
                      &it->search.past[0].g,
                      &it->search.past[1].g,
                      &it->search.low_g,
                      &it->search.high_g,
                      &it->r.g,
                      &it->r.memory,
                      &it->r.size};
    it->table = calloc(n, sizeof *it->table);
    it->number = calloc(n, sizeof *it->number);
    it->r.watched = calloc(n, sizeof *it->r.watched);
    it->r.is_at_zero = calloc(n, sizeof *it->r.is_at_zero);
    it->x = calloc(m->n_states + (size_t)1, sizeof *it->x);
    it->z = calloc(m->n_unknowns + (size_t)1, sizeof *it->z);
    bool ok = it->table && it->number && it->r.watched && it->r.is_at_zero && it->x && it->z;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        ok = (*all[k] = calloc(n, sizeof(double))) && ok;
    for (uint32_t k = 0; ok && k < n; k++) {
        it->table[k] = (RungMemory){.kind = RUNG_RELATION, .is_strict = 1};
        it->number[k] = k;
    }
    it->r.table = it->table;
    it->r.relation = it->number;
    return ok;
}

void margin_search_free(MarginSearch *it)
{
    free(it->begin.g);
    free(it->end.g);
    free(it->search.past[0].g);
    free(it->search.past[1].g);
    free(it->search.low_g);
    free(it->search.high_g);
    free(it->r.g);
    free(it->r.memory);
    free(it->r.size);
    free(it->table);
    free(it->number);
    free(it->r.watched);
    free(it->r.is_at_zero);
    free(it->x);
    free(it->z);
    for (int k = 0; k < RUNG_LEVELS; k++)
        free(it->level[k]);
}

void margin_search_forget(MarginSearch *it)
{
    it->has_begin = false;
    if (it->r.n)
        memset(it->r.size, 0, it->r.n * sizeof *it->r.size);
}

/* For RungSearch. */
static int sample(void *search, double t, double *g)
{
    Search *s = search;
    MarginSearch *it = s->it;
    Run *run = s->run;
    const RungModel *m = run->problem.model;
    if (it->question != RUNG_ASK_CHOICES) {
        s->method->at(s->self, run, t, it->x);
        return problem_evaluate(&run->problem, it->question, t, it->x, g);
    }
    if (!s->method->some_at ||
        !s->method->some_at(s->self, run, t, m->n_choice_states, m->choice_state, it->x))
        s->method->at(s->self, run, t, it->x);
    // they need no equations solved at run time, and other code for these has other choices
    problem_refresh(&run->problem, t, it->x);
    return rung_ask(run->problem.ctx, it->question, t, it->x, g);
}

static double *level(void *search, int depth)
{
    MarginSearch *it = ((Search *)search)->it;
    if (!it->level[depth])
        it->level[depth] = calloc(it->r.n, sizeof(double));
    return it->level[depth];
}

/* The relations under test: those of no assertion that is left out. */
static void watch(MarginSearch *it, const RungModel *m, const unsigned char *left_out)
{
    it->r.n_watched = 0;
    for (uint32_t k = 0; k < it->r.n; k++)
        if (!left_out[m->margin[k]])
            it->r.watched[it->r.n_watched++] = k;
}

static void begin(Search *s)
{
    RungSearch *search = &s->it->search;
    search->r = &s->it->r;
    search->user = s;
    search->sample = sample;
    search->level = level;
    rung_search_begin(search);
}

/* The end of this step is the begin of the next one. */
static void exchange(MarginSearch *it)
{
    RungSample next = it->end;
    it->end = it->begin;
    it->begin = next;
}

/* The search, from begin.t to end.t. */
static bool find(Search *s, double t0, double t, const double *x)
{
    MarginSearch *it = s->it;
    RungSearch *search = &it->search;
    begin(s);
    if (!it->has_begin || it->begin.t != t0) {
        it->has_begin = false;
        it->begin.t = t0;
        if (sample(s, t0, it->begin.g))
            return false;
        rung_look_ahead(search, t0, t - t0);
        // violated already, by rounding or by another branch of the equations at an event
        if (rung_differs(&it->r, it->begin.g))
            return false;
    }
    it->end.t = t;
    it->has_begin = !problem_evaluate(&s->run->problem, it->question, t, x, it->end.g);
    if (!it->has_begin)
        return false;
    it->has_begin = !rung_search(search, &it->begin, &it->end);
    exchange(it);
    return !it->has_begin;
}

bool margin_search_find(MarginSearch *it, Run *run, const Integrator *method, void *self,
                        const unsigned char *left_out, double t0, double t, const double *x,
                        double *at)
{
    Search s = {it, run, method, self};
    uint32_t n_before = it->r.n_watched;
    if (!it->r.n || !(t > t0))
        return false;
    watch(it, run->problem.model, left_out);
    if (it->r.n_watched != n_before)
        it->has_begin = false;
    if (!it->r.n_watched)
        return false;
    double *z = run->problem.ctx->z;
    const size_t size = run->problem.model->n_unknowns * sizeof *z;
    memcpy(it->z, z, size);
    bool found = find(&s, t0, t, x);
    memcpy(z, it->z, size);
    *at = it->search.high;
    return found;
}

/* ------------------------------------------------------------------ windows */

/* The choices that are the same at both ends of the step. Whether they are those of the last step.
 */
static bool watch_equal(MarginSearch *it)
{
    const RungMemory *m = &it->table[0];
    uint32_t n = 0;
    bool same = true;
    for (uint32_t k = 0; k < it->r.n; k++) {
        const double a = it->begin.g[k], b = it->end.g[k];
        const bool is_negative = rung_is_true(m, a != 0 ? a : b);
        it->r.memory[k] = is_negative;
        // where a margin is zero the condition may be either
        if (a != 0 && b != 0 && is_negative != rung_is_true(m, b))
            continue;
        same = same && n < it->r.n_watched && it->r.watched[n] == k;
        it->r.watched[n++] = k;
    }
    same = same && n == it->r.n_watched;
    it->r.n_watched = n;
    return same;
}

/* How long choice k remains another one behind `from`: a power of two too much. */
static double width_behind(Search *s, uint32_t k, double from, double end)
{
    MarginSearch *it = s->it;
    double wide = 16 * DBL_EPSILON * fmax(fabs(from), fabs(end));
    for (; from + wide < end; wide *= 2)
        if (sample(s, from + wide, it->r.g) || !rung_is_other(&it->r, k, it->r.g[k]))
            return wide;
    return end - from;
}

/* Takes the choice that is another one at search.high out of those under test. */
static uint32_t take_out(MarginSearch *it)
{
    uint32_t i = 0;
    while (i + 1 < it->r.n_watched &&
           !rung_is_other(&it->r, it->r.watched[i], it->search.high_g[it->r.watched[i]]))
        i++;
    const uint32_t k = it->r.watched[i];
    it->r.n_watched--;
    memmove(it->r.watched + i, it->r.watched + i + 1,
            (it->r.n_watched - i) * sizeof *it->r.watched);
    return k;
}

bool margin_search_window(MarginSearch *it, Run *run, const Integrator *method, void *self,
                          double t0, double t, bool (*counts)(void *user, const MarginWindow *w),
                          void *user, MarginWindow *w, bool *exhausted)
{
    enum { MOST_SAMPLES = 200 };
    Search s = {it, run, method, self};
    *exhausted = false;
    if (!it->r.n || !(t > t0))
        return false;
    bool follows = it->has_begin && it->begin.t == t0;
    it->has_begin = false;
    it->begin.t = t0;
    it->end.t = t;
    if ((!follows && sample(&s, t0, it->begin.g)) || sample(&s, t, it->end.g))
        return false;
    begin(&s);
    it->search.left = MOST_SAMPLES;
    if (!watch_equal(it) || !follows)
        rung_look_ahead(&it->search, t0, t - t0);
    bool found = false, any = false;
    while (!found && it->r.n_watched && rung_search(&it->search, &it->begin, &it->end)) {
        double from = it->search.high;
        any = true;
        w->choice = take_out(it);
        double wide = width_behind(&s, w->choice, from, t);
        *w = (MarginWindow){w->choice, from + wide / 2, wide};
        found = counts(user, w);
    }
    *exhausted = it->search.left <= 0;
    it->has_begin = !any;
    exchange(it);
    return found;
}
