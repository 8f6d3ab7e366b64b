/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "progress.h"
#include "profile.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void)
{
    return profile_clock();
}

Progress progress_begin(SimulateProgress kind)
{
    if (kind == PROGRESS_AUTO)
        kind = isatty(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_NONE;
    double now = seconds_now();
    return (Progress){.kind = kind, .begun = now, .last = now};
}

void progress_step(Progress *p, const SimulateSummary *s, double h)
{
    if (p->kind == PROGRESS_NONE)
        return;
    double now = seconds_now();
    if (now - p->last < 0.1)
        return;
    p->last = now;
    p->shown = true;
    double spent = now - p->begun;
    double share = s->stop > s->start ? (s->t - s->start) / (s->stop - s->start) : 1;
    double left = share > 0 ? spent * (1 - share) / share : 0;
    double rate = (double)s->counts.steps / spent;
    if (p->kind == PROGRESS_JSON)
        fprintf(stderr,
                "{\"phase\":\"simulate\",\"share\":%.6g,\"t\":%.9g,\"h\":%.3g,"
                "\"steps_per_second\":%.4g,\"seconds_left\":%.3g}\n",
                share, s->t, h, rate, left);
    else
        fprintf(stderr, "\r\033[Ksimulate %3.0f %%  t = %.5g  h = %.2g  %.0f steps/s  %.0f s left",
                100 * share, s->t, h, rate, left);
    fflush(stderr);
}

void progress_end(Progress *p)
{
    if (p->shown && p->kind == PROGRESS_BAR) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
