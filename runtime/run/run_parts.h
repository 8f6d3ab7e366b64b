/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_parts.h -- the parts of a run, for the files of this folder: who asks for a run calls
 * simulate.h.
 */
#ifndef RUNG_RUNTIME_RUN_PARTS_H
#define RUNG_RUNTIME_RUN_PARTS_H

#include "branches.h"
#include "checkpoint.h"
#include "drift.h"
#include "event.h"
#include "integrator.h"
#include "jump_watch.h"
#include "margin_search.h"
#include "progress.h"
#include "range.h"
#include "result.h"
#include "simulate.h"
#include "spectral_radius.h"
#include "valid.h"

/* Rows of the result (rows.c). */
typedef struct Rows {
    Result *file;
    double *x, *v, *xdot; /* at a row: states, values, derivatives */
    Parts *parts;         /* of v, or NULL                         */
    double t, tried;      /* of the last row; of the one that was begun last */
    double *guess, *left; /* first guesses of blocks, as a step has left them; before the step */
    bool has_left;
    Branches branches; /* of blocks that only rows solve */
    uint64_t n_events; /* at the last row */
    bool closes_loops; /* the method does, and has the multipliers of any time in a step    */
    Ranges ranges;
    JumpWatch jumps;
    Valid valid;
    RowGrid grid;
    uint64_t next; /* the row at origin + next * interval is due */
} Rows;

/* When it was looked last whether steps get the run on. */
typedef struct Pace {
    uint64_t steps, rejected;
    double t;
    bool is_told; /* how many steps are to come */
} Pace;

/* Warnings of functions, each reported once. */
enum { MOST_WARNINGS = 32 };
typedef struct Warned {
    const char *where[MOST_WARNINGS];
    uint32_t n;
} Warned;

/* Conditions under which a run ends or warns (watch.c). */
typedef struct Watch {
    Pace pace;
    int tiny;                      /* steps that are too short, one after the other */
    double shortest;               /* of these                                       */
    unsigned char *holds, *warned; /* per assertion                                 */
    bool any_varying;              /* assertion                                     */
    double held, *x;  /* the time in the last step up to which assertions held; states in it */
    bool is_violated; /* an assertion, at that time */
    MarginSearch margins;
    Warned warnings;
} Watch;

/* One piece of a run between two starts of the method (piece.c). */
typedef struct Piece {
    double next_cut; /* of the inputs; infinity: there is none                       */
    bool jumps;      /* an input does, there                                         */
    bool is_cut;     /* the piece has reached it                                     */
    bool is_first;   /* no step has been made                                        */
    bool is_rest;    /* of a step, behind an event in it                             */
    bool is_arrival; /* the piece has reached a jump that was delayed                */
    bool is_asked;   /* an external object wants an event at the end of the last step, or no step
                        is possible without one */
    double *end;     /* states at the end of the step, while the run is inside it    */
    double known;    /* the event at a known time where a step was to end; infinity  */
    bool goes_over;  /* such events change no derivative of late: steps go over them */
    int status;      /* SimulateStatus of the failure */
} Piece;

/* The data by which the default method is chosen (methods.c). */
typedef struct Behaviour {
    SpectralRadius radius;
    double h_explicit;      /* of late, a step of the explicit method                             */
    double limited;         /* how often of late its stability may have held it up                */
    uint64_t steps, smooth; /* of an implicit method; the last of them that an explicit one could */
    bool is_trial;          /* the implicit method is to show that its steps are worth their cost */
    double trial_t;         /* since when that is measured                                        */
    bool is_limited;        /* an implicit method is to be tried                                  */
    bool is_smooth;         /* an explicit method is to go on                                     */
} Behaviour;

typedef struct Simulation {
    Run run;
    const SimulateOptions *o;
    SimulateSummary *s;
    Events events;
    Rows rows;
    Watch watch;
    Piece piece;
    Progress progress;
    const Integrator *method;
    Behaviour behaviour;
    Drift drift;
    void *self;              /* of the method, while a piece lasts                  */
    Snapshot saved;          /* the last state saved or restored */
    double next_save;        /* infinite: none                                      */
    uint64_t events_before;  /* of the run that this one continues */
    uint32_t jumps_reported; /* warnings of given velocities that jump              */
} Simulation;

/* simulate.c */
void simulation_fail(Simulation *it, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void simulation_say(const Simulation *it, const char *text); /* a warning */
double simulation_least_step(const Simulation *it);

/* methods.c: which method a run takes, and which goes on. */
const Integrator *methods_find(const char *name);
/* By the options; NULL where there is none of that name. */
const Integrator *methods_choose(Simulation *it);
/* After a step: whether another method is to go on. */
bool methods_change(Simulation *it);
/* For the next piece. */
void methods_next(Simulation *it);
/* Of a run that was saved: the method it had come to. */
void methods_resume(Simulation *it);

/* rows.c. Statuses are of SimulateStatus, with the message written. */
double rows_time(const Rows *rows, uint64_t k);
/* Grid points so close to a time are that time but for rounding. */
double rows_near(const Rows *rows);
/* No rows of the grid up to t any more. */
void rows_pass(Rows *rows, double t);
int rows_write(Simulation *it, double t, const double *x);
/* Those due after a step to run->t; before `end`, unless it is NAN. */
int rows_write_due(Simulation *it, double end);
/* The values at the end of a step that no row shows: one that is not a number ends the run, too. */
int rows_check(Simulation *it);
/* Parameters and constants that mean nothing; after the start. */
int rows_check_constants(Simulation *it);
int rows_check_ranges(Simulation *it, double t, const double *x, const double *v);
void rows_count_ranges(Simulation *it);
/* Restores the first guesses of blocks from the end of the step, so that a run does not depend on
 * its rows. */
void rows_guess_as_step(Simulation *it);
/* Shows the step from t0 to t1 to SimulateOptions.look. */
int rows_look(Simulation *it, double t0, double t1, bool is_event);

/* watch.c */
void watch_warn(RungContext *ctx, const char *message, const char *where);
int watch_assertions(Simulation *it, bool at_start);
/* At the rows of the step from t0 to (t, x), and at its end. */
int watch_assertions_inside(Simulation *it, double t0, double t, const double *x);
int watch_in_event(void *simulation, Run *run);
bool watch_stands_still(Simulation *it);
bool watch_makes_no_progress(Simulation *it);
void watch_note_unresolved(Simulation *it);
int watch_loops(Simulation *it);
int watch_balances(Simulation *it);
void watch_explain_rate(Simulation *it, char *text, size_t size);
int watch_fail_step(Simulation *it);

/* piece.c: from run->t to the next event, to where the data have a cut, to the next save or the
 * end. */
int piece_integrate(Simulation *it);
/* Handles an event at run->t, with the projection of closed loops. Nonzero with the problem's why.
 */
int piece_handle_event(Simulation *it);

#endif
