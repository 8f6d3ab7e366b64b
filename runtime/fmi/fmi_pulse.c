/* SPDX-License-Identifier: BSD-3-Clause */
#include "fmi_pulse.h"

#include "rung_hermite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fmi_pulse_new(FmiPulse *it, const RungModel *m)
{
    double **const all[] = {&it->x0,   &it->f0, &it->x1,     &it->f1,   &it->bend,
                            &it->skew, &it->fi, &it->defect, &it->bound};
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
    free(it->bend);
    free(it->skew);
    free(it->fi);
    free(it->defect);
    free(it->bound);
    *it = (FmiPulse){0};
}

/* For Integrator.at. */
static void at(void *self, const Run *run, double t, double *x)
{
    const FmiPulse *it = self;
    const double h = run->t - it->t0, s = (t - it->t0) / h, bubble = s * s * (1 - s) * (1 - s);
    for (uint32_t k = 0; k < run->problem.n; k++) {
        x[k] = rung_hermite(h, s, it->x0[k], it->f0[k], it->x1[k], it->f1[k]);
        if (it->is_quintic)
            x[k] += bubble * (it->bend[k] + s * it->skew[k]);
    }
}

static const Integrator importer = {.name = "importer", .at = at, .by_importer = true};

static void end(FmiPulse *it, const Run *run, const double *f)
{
    memcpy(it->x1, run->x, run->problem.n * sizeof *it->x1);
    memcpy(it->f1, f, run->problem.n * sizeof *it->f1);
    it->is_quintic = false;
}

/* The defect of the cubic at the share s of the step, times h: the derivative of the model at the
 * interpolated states less that of the cubic. False if the model cannot be evaluated there. */
static bool find_defect(FmiPulse *it, Run *run, double s, double *defect)
{
    const double h = run->t - it->t0, t = it->t0 + s * h;
    at(it, run, t, defect);
    if (problem_xdot(&run->problem, t, defect, it->fi))
        return false;
    for (uint32_t k = 0; k < run->problem.n; k++)
        defect[k] =
            h * (it->fi[k] - it->f0[k] * (1 - s) * (1 - 3 * s) - it->f1[k] * s * (3 * s - 2)) -
            6 * s * (1 - s) * (it->x1[k] - it->x0[k]);
    return problem_is_finite(run->problem.n, defect);
}

/* A quintic in place of the cubic, so that the interpolated states have the order of an importer's
 * method of order 5: its derivatives at s = 1/3 and 2/3 are those of the model at the states of the
 * cubic (Enright, Jackson, Nørsett, Thomsen, Interpolants for Runge-Kutta formulas, ACM TOMS 12,
 * 1986). It is the cubic plus s^2 (1-s)^2 (bend + s skew). Stiff derivatives amplify the errors of
 * the cubic: a state whose defect in the middle of the step is not below half of the cubic's keeps
 * the cubic. */
static void make_quintic(FmiPulse *it, Run *run)
{
    if (!find_defect(it, run, 1.0 / 3, it->bend) || !find_defect(it, run, 2.0 / 3, it->skew))
        return;
    for (uint32_t k = 0; k < run->problem.n; k++) {
        const double of_cubic = fmax(fabs(it->bend[k]), fabs(it->skew[k]));
        const double skew = 81.0 / 4 * (it->bend[k] + it->skew[k]);
        it->bend[k] = 27.0 / 4 * it->bend[k] - 2.0 / 3 * skew;
        it->skew[k] = skew;
        it->bound[k] = of_cubic / 2;
    }
    it->is_quintic = true;
    it->is_quintic = find_defect(it, run, 0.5, it->defect);
    for (uint32_t k = 0; k < run->problem.n; k++)
        // the derivative of the quintic there is that of the cubic plus skew / 16
        if (!(fabs(it->defect[k] - it->skew[k] / 16) <= it->bound[k]))
            it->bend[k] = it->skew[k] = 0;
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
    make_quintic(it, run);
    const Inside inside = inside_of(run, &importer, it);
    return delays_record(run->problem.delays, &run->problem, &inside.interpolant, run->tolerance,
                         it->t0, run->t);
}
