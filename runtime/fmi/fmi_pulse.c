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
    it->x_before = calloc(FMI_STEPS_BEFORE * (m->n_states + (size_t)1), sizeof(double));
    it->of_values = calloc(2 * (m->n_states + (size_t)1), sizeof(double));
    return ok && it->x_before && it->of_values;
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
    free(it->x_before);
    free(it->of_values);
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
 * the cubic. Returns whether one does; `bound` has the cubic's defects of these, else -1. */
static bool make_quintic(FmiPulse *it, Run *run)
{
    static const double SHARE = 0.5;
    bool any = false;
    if (!find_defect(it, run, 1.0 / 3, it->bend) || !find_defect(it, run, 2.0 / 3, it->skew))
        return false;
    for (uint32_t k = 0; k < run->problem.n; k++) {
        const double of_cubic = fmax(fabs(it->bend[k]), fabs(it->skew[k]));
        const double skew = 81.0 / 4 * (it->bend[k] + it->skew[k]);
        it->bend[k] = 27.0 / 4 * it->bend[k] - 2.0 / 3 * skew;
        it->skew[k] = skew;
        it->bound[k] = of_cubic;
    }
    it->is_quintic = true;
    it->is_quintic = find_defect(it, run, 0.5, it->defect);
    for (uint32_t k = 0; k < run->problem.n; k++)
        // the derivative of the quintic there is that of the cubic plus skew / 16
        if (it->is_quintic && fabs(it->defect[k] - it->skew[k] / 16) <= SHARE * it->bound[k]) {
            it->bound[k] = -1;
        } else {
            it->bend[k] = it->skew[k] = 0;
            any = true;
        }
    return any;
}

/* Slopes at both ends of the step of the polynomial through the ends of this step and of those
 * before it: of degree 3 at most, which is a cubic with these slopes. Steps before it that are much
 * shorter would amplify the errors of the states. */
static void find_slopes(FmiPulse *it, uint32_t n, double t1)
{
    static const double SHORT = 0.25;
    const double h = t1 - it->t0, *t = it->t_before;
    const double back = it->n_before > 0 ? it->t0 - t[0] : 0;
    const bool is_square = back > SHORT * h;
    const bool is_cube = is_square && it->n_before > 1 && t[0] - t[1] > SHORT * h;
    for (uint32_t k = 0; k < n; k++) {
        // divided differences
        const double of_two = (it->x1[k] - it->x0[k]) / h;
        double of_three = 0, of_four = 0;
        if (is_square) {
            const double before = (it->x0[k] - it->x_before[k]) / back;
            of_three = (of_two - before) / (h + back);
            if (is_cube) {
                const double first = (it->x_before[k] - it->x_before[n + k]) / (t[0] - t[1]);
                of_four = (of_three - (before - first) / (it->t0 - t[1])) / (t1 - t[1]);
            }
        }
        it->of_values[k] = of_two - h * (of_three + of_four * back);
        it->of_values[n + k] = of_two + h * (of_three + of_four * (h + back));
    }
}

static void exchange_slopes(FmiPulse *it, uint32_t n, uint32_t k)
{
    const double f0 = it->f0[k], f1 = it->f1[k];
    it->f0[k] = it->of_values[k];
    it->f1[k] = it->of_values[n + k];
    it->of_values[k] = f0;
    it->of_values[n + k] = f1;
}

/* The derivatives of a stiff state amplify its error, and a cubic with these slopes is off by as
 * much times the step. Such a state has kept the cubic: it takes the one through values alone where
 * the defects of that are smaller. */
static void use_values(FmiPulse *it, Run *run)
{
    static const double at[] = {1.0 / 3, 2.0 / 3};
    const uint32_t n = run->problem.n;
    bool ok = true;
    find_slopes(it, n, run->t);
    for (uint32_t k = 0; k < n; k++)
        if (it->bound[k] >= 0)
            exchange_slopes(it, n, k);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ok = ok && find_defect(it, run, at[i], it->defect);
        for (uint32_t k = 0; k < n; k++)
            if (it->bound[k] >= 0 && !(ok && fabs(it->defect[k]) < it->bound[k])) {
                exchange_slopes(it, n, k);
                it->bound[k] = -1;
            }
    }
}

void fmi_pulse_begin(FmiPulse *it, const Run *run, const double *f)
{
    const size_t n = run->problem.n;
    if (run->t > it->t0) {
        if (it->n_before == FMI_STEPS_BEFORE)
            it->n_before--;
        memmove(it->t_before + 1, it->t_before, it->n_before * sizeof *it->t_before);
        memmove(it->x_before + n, it->x_before, it->n_before * n * sizeof *it->x_before);
        it->t_before[0] = it->t0;
        memcpy(it->x_before, it->x0, n * sizeof *it->x0);
        it->n_before++;
    }
    it->has_begin = f != NULL;
    it->t0 = run->t;
    // one that is ahead stays: it was found in a longer step, and its event may be due
    if (it->at < INFINITY && it->peak <= run->t)
        it->at = INFINITY;
    memcpy(it->x0, run->x, run->problem.n * sizeof *it->x0);
    if (f)
        memcpy(it->f0, f, run->problem.n * sizeof *it->f0);
}

void fmi_pulse_search(FmiPulse *it, Run *run, const double *f, double until, TimeTermsAsk ask,
                      void *user)
{
    // of the part of the step before the peak: behind the begin of the step, if the pulse begins
    // there, and before a narrow pulse, as far as importers find the time of an event
    static const double LEAST = 1e-3;
    double back;
    if (!it->has_begin || it->at < INFINITY || !(run->t > it->t0))
        return;
    end(it, run, f);
    if (!time_terms_passed(run->time_terms, run, &importer, it, it->t0, fmin(run->t, until), ask,
                           user, &back))
        return;
    it->peak = time_terms_met(run->time_terms);
    it->part = it->peak - it->t0;
    it->at = fmax(fmin(back, it->peak - LEAST * it->part), it->t0 + LEAST * it->part);
}

double fmi_pulse_indicator(const FmiPulse *it, double t)
{
    return it->at < INFINITY ? (it->at - t) / it->part : 1;
}

void fmi_pulse_pass(FmiPulse *it, Run *run, bool jumps)
{
    const double t = run->t;
    // the importer's time of the event may be earlier by rounding
    static const double SAME = 1e-9;
    if (it->next <= t)
        it->next = INFINITY;
    if (it->at < INFINITY && t >= it->at - SAME * it->part && t < it->peak)
        it->next = it->peak;
    else if (it->at < INFINITY)
        time_terms_begin(run->time_terms); // it may be another one now
    it->at = INFINITY;
    if (jumps) {
        it->n_before = 0;
        it->t0 = t;
    }
}

int fmi_pulse_record(FmiPulse *it, Run *run, const double *f)
{
    if (!it->has_begin || !f || !(run->t > it->t0))
        return delays_note(run->problem.delays, &run->problem, run->t, run->x);
    end(it, run, f);
    if (make_quintic(it, run))
        use_values(it, run);
    const Inside inside = inside_of(run, &importer, it);
    return delays_record(run->problem.delays, &run->problem, &inside.interpolant, run->tolerance,
                         it->t0, run->t);
}
