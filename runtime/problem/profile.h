/* SPDX-License-Identifier: BSD-3-Clause
 *
 * profile.h -- the time of a run by parts, for `--profile`. A part inside another one counts for
 * itself, except inside those from PROFILE_JACOBIAN on, which count as a whole.
 *
 *     ProfilePart before = profile_enter(problem->profile, PROFILE_SOLVE);
 *     factor_solve(&it->lu, b);
 *     profile_leave(problem->profile, before);
 *
 * Without a profile that is one comparison.
 */
#ifndef RUNG_RUNTIME_PROFILE_H
#define RUNG_RUNTIME_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ProfilePart {
    PROFILE_REST,
    PROFILE_RESIDUAL,   /* x' = f(t, x), balances                        */
    PROFILE_FACTORS,    /* of Newton's matrix                            */
    PROFILE_SOLVE,      /* with these factors                            */
    PROFILE_CONSTRAINT, /* of closed loops: systems of multipliers, projections */
    PROFILE_JACOBIAN,   /* entries of the Jacobian                       */
    PROFILE_NEWTON,     /* the model's own iteration: residual, matrix and solution in one */
    PROFILE_EVENTS,
    PROFILE_ROWS,
    PROFILE_LOOK, /* the audit and others who look on */
    PROFILE_PARTS
} ProfilePart;

typedef struct Profile {
    double seconds[PROFILE_PARTS];
    uint64_t calls[PROFILE_PARTS];
    ProfilePart now;
    double since;
} Profile;

extern const char *const profile_names[PROFILE_PARTS];

/* Now, in seconds since some time. */
double profile_clock(void);
void profile_switch(Profile *it, ProfilePart part);

static inline ProfilePart profile_enter(Profile *it, ProfilePart part)
{
    if (!it)
        return PROFILE_REST;
    ProfilePart before = it->now;
    if (before >= PROFILE_JACOBIAN)
        return before;
    profile_switch(it, part);
    it->calls[part]++;
    return before;
}

static inline void profile_leave(Profile *it, ProfilePart before)
{
    if (it && it->now != before)
        profile_switch(it, before);
}

#endif
