/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "profile.h"

#include <time.h>

const char *const profile_names[PROFILE_PARTS] = {
    [PROFILE_REST] = "rest",
    [PROFILE_RESIDUAL] = "residual",
    [PROFILE_FACTORS] = "factors",
    [PROFILE_SOLVE] = "solve",
    [PROFILE_CONSTRAINT] = "constraints",
    [PROFILE_JACOBIAN] = "Jacobian",
    [PROFILE_NEWTON] = "Newton step",
    [PROFILE_EVENTS] = "events",
    [PROFILE_ROWS] = "rows",
    [PROFILE_LOOK] = "audit",
};

double profile_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void profile_switch(Profile *it, ProfilePart part)
{
    double now = profile_clock();
    it->seconds[it->now] += now - it->since;
    it->since = now;
    it->now = part;
}
