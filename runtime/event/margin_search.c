/* SPDX-License-Identifier: BSD-3-Clause */
#include "margin_search.h"

#include <stdlib.h>
#include <string.h>

typedef struct Search {
    MarginSearch *it;
    Run *run;
    const Integrator *method;
    void *self;
} Search;

bool margin_search_new(MarginSearch *it, const RungModel *m)
{
    const uint32_t n = m->n_margins;
    *it = (MarginSearch){.r = {.n = n}};
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
    s->method->at(s->self, s->run, t, it->x);
    return problem_evaluate(&s->run->problem, RUNG_ASK_MARGINS, t, it->x, g);
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

/* The search, from begin.t to end.t. */
static bool find(Search *s, double t0, double t, const double *x)
{
    MarginSearch *it = s->it;
    RungSearch *search = &it->search;
    search->r = &it->r;
    search->user = s;
    search->sample = sample;
    search->level = level;
    rung_search_begin(search);
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
    it->has_begin = !problem_evaluate(&s->run->problem, RUNG_ASK_MARGINS, t, x, it->end.g);
    if (!it->has_begin)
        return false;
    it->has_begin = !rung_search(search, &it->begin, &it->end);
    RungSample next = it->end;
    it->end = it->begin;
    it->begin = next;
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
