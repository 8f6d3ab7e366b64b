/* SPDX-License-Identifier: BSD-3-Clause */
#include "fmi_pulse.h"

#include "rung_hermite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fmi_pulse_new(FmiPulse *it, const RungModel *m)
{
    double **const all[] = {&it->x0, &it->f0, &it->x1, &it->f1};
    bool ok = true;
    *it = (FmiPulse){.at = INFINITY, .next = INFINITY};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        ok = (*all[k] = calloc(m->n_states + (size_t)1, sizeof(double))) && ok;
    return ok;
}

void fmi_pulse_free(FmiPulse *it)
{
    free(it->x0);
    free(it->f0);
    free(it->x1);
    free(it->f1);
    *it = (FmiPulse){0};
}

/* For Integrator.at. */
static void at(void *self, const Run *run, double t, double *x)
{
    const FmiPulse *it = self;
    const double h = run->t - it->t0;
    for (uint32_t k = 0; k < run->problem.n; k++)
        x[k] = rung_hermite(h, (t - it->t0) / h, it->x0[k], it->f0[k], it->x1[k], it->f1[k]);
}

static const Integrator importer = {.name = "importer", .at = at, .by_importer = true};

static void end(FmiPulse *it, const Run *run, const double *f)
{
    memcpy(it->x1, run->x, run->problem.n * sizeof *it->x1);
    memcpy(it->f1, f, run->problem.n * sizeof *it->f1);
}

void fmi_pulse_begin(FmiPulse *it, const Run *run, const double *f)
{
    it->has_begin = f != NULL;
    it->t0 = run->t;
    // one that is ahead stays: it was found in a longer step, and its event may be due
    if (it->at < INFINITY && it->peak <= run->t)
        it->at = INFINITY;
    memcpy(it->x0, run->x, run->problem.n * sizeof *it->x0);
    if (f)
        memcpy(it->f0, f, run->problem.n * sizeof *it->f0);
}

void fmi_pulse_search(FmiPulse *it, Run *run, const double *f, TimeTermsAsk ask, void *user)
{
    static const double LEAST = 1e-3; // behind the begin of the step, if the pulse begins there
    double back;
    if (!it->has_begin || it->at < INFINITY || !(run->t > it->t0))
        return;
    end(it, run, f);
    if (!time_terms_passed(run->time_terms, run, &importer, it, it->t0, run->t, ask, user, &back))
        return;
    it->peak = time_terms_met(run->time_terms);
    it->at = fmax(back, it->t0 + LEAST * (it->peak - it->t0));
}

double fmi_pulse_indicator(const FmiPulse *it, double t)
{
    return it->at < INFINITY ? it->at - t : 1;
}

void fmi_pulse_pass(FmiPulse *it, Run *run)
{
    const double t = run->t;
    // the importer's time of the event may be earlier by rounding
    static const double SAME = 1e-9;
    if (it->next <= t)
        it->next = INFINITY;
    if (it->at < INFINITY && t >= it->at - SAME * (it->peak - it->t0) && t < it->peak)
        it->next = it->peak;
    else if (it->at < INFINITY)
        time_terms_begin(run->time_terms); // it may be another one now
    it->at = INFINITY;
}

int fmi_pulse_record(FmiPulse *it, Run *run, const double *f)
{
    if (!it->has_begin || !f || !(run->t > it->t0))
        return delays_note(run->problem.delays, &run->problem, run->t, run->x);
    end(it, run, f);
    const Inside inside = inside_of(run, &importer, it);
    return delays_record(run->problem.delays, &run->problem, &inside.interpolant, run->tolerance,
                         it->t0, run->t);
}
