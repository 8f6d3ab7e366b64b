/* SPDX-License-Identifier: BSD-3-Clause
 *
 * simulate.h -- a run of a generated model: from start to stop, rows out.
 *
 *     SimulateOptions o = simulate_defaults();
 *     o.stop = 10;
 *     o.result = "R.csv";
 *     SimulateSummary s;
 *     int status = simulate(rung_model(), &o, &s);   // s.error says why if not 0
 *
 * Rows are equidistant at `interval`, plus the final time; the integrator's steps are free of
 * them (dense output). A run that fails keeps the rows up to there.
 */
#ifndef RUNG_RUNTIME_SIMULATE_H
#define RUNG_RUNTIME_SIMULATE_H

#include "closing_choice.h"
#include "method_needs.h"
#include "problem.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/* The values are exit statuses of a program that simulates. */
typedef enum SimulateStatus {
    SIMULATE_OK = 0,
    SIMULATE_MODEL = 1,  /* the run has no start: a wrong name or value of a parameter, a violated
                            assertion, no initial values; there is no row       */
    SIMULATE_USAGE = 2,  /* options that make no sense                                         */
    SIMULATE_FAILED = 3, /* the run stopped early: s.error says when, where, why               */
    SIMULATE_FILE = 4,   /* the result cannot be written, out of memory                        */
    SIMULATE_INTERRUPTED = 130
} SimulateStatus;

typedef enum SimulateProgress {
    PROGRESS_AUTO, /* a bar if stderr is a terminal */
    PROGRESS_NONE,
    PROGRESS_BAR,
    PROGRESS_JSON /* one object a line */
} SimulateProgress;

typedef enum SimulateRange {
    RANGE_WARN, /* report values outside min and max of their variables */
    RANGE_OFF,
    RANGE_ERROR /* they end the run */
} SimulateRange;

/* The last accepted step, for someone who looks on. */
typedef struct SimulateStep {
    double t0, t1; /* its ends; t1 is the event in it, if there is one        */
    bool ends_in_event;
    double h;                      /* the integrator's step, t1 - t0 or more                  */
    double next_row, interval;     /* rows in it: next_row, next_row + interval, ... <= t1    */
    double tolerance, start, stop; /* of the run */
    uint64_t n_events;             /* handled so far */
    uint32_t rounds; /* of the iteration of the last one, in which something changed */
    const char *method;
    bool is_fixed; /* of fixed steps: no tolerance is held        */
    bool is_multistep;
    bool is_projected;    /* closed loops are closed behind the step, not by it */
    bool is_resumed;      /* the run goes on from one that was saved */
    uint64_t evaluations; /* of the model so far                         */
    uint32_t n_states;
    /* All variables at t, t0 <= t <= t1: value[k] is that of rung_variable(k). Not 0 if they cannot
     * be evaluated there. */
    int (*values)(const struct SimulateStep *s, double t, double *value);
    /* Of n variables alone: value[k] is that of rung_variable(row[k]). */
    int (*some)(const struct SimulateStep *s, double t, uint32_t n, const uint32_t *row,
                double *value);
    /* The same where each state is off by a tolerance, up or down as `draw` says. */
    int (*moved)(const struct SimulateStep *s, double t, uint32_t draw, uint32_t n,
                 const uint32_t *row, double *value);
    void (*states)(const struct SimulateStep *s, double t, double *x);
    /* Of state k at x: tolerance * (scale + |x|) (state_scale.h). Infinite: errors do not count. */
    double (*unit)(const struct SimulateStep *s, uint32_t k, double x);
    /* With SimulateOptions.gradient: the derivatives of objective k are wanted at t. Not 0 if that
     * fails. */
    int (*mark)(const struct SimulateStep *s, double t, uint32_t k);
    /* Of a step in which an equation does not hold at t: whether pivoting at run time may help
     * (fallback.h). */
    bool (*pivoting_may_help)(const struct SimulateStep *s, double t);
    void *inside;
} SimulateStep;

/* NAN for a number: the model's experiment annotation, else start 0, stop start + 1, tolerance
 * 1e-6, interval (stop - start) / 500. */
typedef struct SimulateOptions {
    const char *method; /* NULL: simulate_default_method */
    double start, stop, tolerance, interval;
    /* of derivatives by parameters; 0: steps are as without them, or `tolerance` if the model's
     * has_kinks (rung_model.h) */
    double sensitivity_tolerance;
    double step;         /* of fixed-step methods, which need it; of others the first one       */
    double longest_step; /* of methods with error control; 0: no limit */
    uint64_t max_steps;  /* 0: no limit */
    /* Of implicit methods: */
    JacobianKind jacobian;
    uint32_t jacobian_reuse; /* Newton iterations that one Jacobian serves; 0: 3        */
    const char *loops;       /* how trapezoid closes loops: ali3p (NULL) or penalty     */
    Profile *profile;        /* receives the times of its parts; NULL: none is taken     */
    ClosingChoice closing;   /* of trapezoid, ali3p and penalty                         */
    const char *const *set;  /* n_set times "name=value" */
    uint32_t n_set;
    const struct InputData *input; /* that inputs follow (input.h); NULL: none does */
    /* Where the run is saved (checkpoint.h): at its end, or where it is interrupted; with an
     * interval at start + k * save_interval, too. NULL: it is not. */
    const char *save_state;
    double save_interval; /* NAN: at the end alone */
    const char *from;     /* such a file: the run goes on there instead of at `start` */
    const char *result;   /* file, .csv or .mat; "-" is CSV on stdout; NULL: none (result.h) */
    const char *signals;  /* patterns of names in the file; NULL: all not hidden (result.h) */
    SimulateRange range;
    SimulateProgress progress;
    const volatile sig_atomic_t *interrupt; /* stops the run when it becomes nonzero; NULL: none */
    /* Receives warnings of assertions during the run. NULL: to stderr. */
    void (*message)(void *user, const char *text);
    /* n_objectives times n of RungModel.adjoint, which the run goes back for: the gradients. NULL:
     * it does not. */
    double *gradient;
    size_t memory; /* bytes for the steps and events that it goes back over; 0: 1 GiB. If that is
                      too little, the run is made again for the earlier ones. */
    /* Each row, in addition to the file; stops the run when not 0. v as filled by outputs. */
    int (*row)(void *user, const RungContext *ctx, double t, const double *x, const double *v);
    /* Each accepted step; stops the run when not 0. */
    int (*look)(void *user, const SimulateStep *step);
    /* SimulateStep.moved finds the multipliers of closed loops anew also with methods that have
     * those of the step, whose last digits it changes. */
    bool moves_multipliers;
    void *user;
    /* Errors of redundant states across their constraints decay at the model's rate, too (drift.h).
     */
    bool stabilises;
    /* Equations are solved at run time, with pivoting, from the start (fallback.h). */
    bool with_pivoting;
    /* Makes RungModel.fallback when a pivot vanishes for the first time; NULL, or returns NULL:
     * there is none. The model must outlive the run. */
    const RungModel *(*fallback)(void *fallback_user);
    /* Likewise, with its initial system, when one vanishes at the start. */
    const RungModel *(*initial_fallback)(void *fallback_user);
    void *fallback_user;
    /* Explains values that are not all finite, one per variable: text, of the size given, ends a
     * message. NULL: no explanation. */
    void (*explain)(void *explain_user, double t, const double *value, char *text, size_t size);
    void *explain_user;
} SimulateOptions;

typedef struct SimulateSummary {
    const char *method;
    const char *form; /* of the equations it solves, where a method has several; else NULL */
    const char *later_method; /* that took over at later_t, where none was named; else NULL */
    double later_t;           /* of the last change */
    uint32_t n_changes;       /* of the method      */
    double start, stop, tolerance, interval; /* as used */
    double step;                             /* of a method of fixed steps; else 0 */
    uint32_t n_sensitivities;                /* parameters that derivatives are by */
    double sensitivity_tolerance;            /* of these; 0: steps are as without them */
    double t;                                /* reached */
    Counts counts;
    uint64_t rows, events;
    bool is_start_singular; /* equations could not be solved at the start that was found, or have no
                               values there */
    bool pivoting_may_help; /* if the run has failed, or equations do not hold (fallback.h) */
    bool is_position_singular; /* it ends where a mechanism may go on in several ways (drift.h) */
    uint64_t saved;            /* states, into files */
    uint64_t missed;           /* steps of one length that have passed over a pulse */
    uint64_t unresolved; /* steps in which a relation moved too fast for all events to be seen */
    /* States that stayed below their tolerance, and are no rounding; the first one's name. */
    uint32_t n_unseen;
    const char *unseen;
    bool has_loops;
    double worst_phi, worst_phi_dot; /* of closed loops, at the ends of the steps */
    bool has_balances;
    double worst_balance; /* of forces on coordinates without mass, likewise */
    double wall;          /* seconds */
    char error[1024];
} SimulateSummary;

/* Whether the choice of states may be the cause of a failure. */
static inline bool simulate_may_need_states(int status, const SimulateSummary *s)
{
    return status == SIMULATE_FAILED || (status == SIMULATE_MODEL && s->is_start_singular);
}

/* Here, for an FMU has runs without simulate.c. */
static inline SimulateOptions simulate_defaults(void)
{
    return (SimulateOptions){.start = NAN,
                             .stop = NAN,
                             .tolerance = NAN,
                             .interval = NAN,
                             .step = NAN,
                             .save_interval = NAN};
}

int simulate(const RungModel *model, const SimulateOptions *o, SimulateSummary *s);
void simulate_print_summary(const SimulateSummary *s, FILE *f);
void simulate_print_profile(const Profile *it, FILE *f);

/* The names of the methods that were built in, in the order of the help; NULL behind the last. */
const char *simulate_method(uint32_t k);
/* The method that a run begins with where none is named: esdirk; dopri5 with many states and no
 * matrix but one of all differences. Without closed loops dopri5 takes over where nothing is stiff.
 */
const char *simulate_default_method(uint32_t n_states, bool has_matrix);
/* NEEDS_ bits of a run without a chosen method: of many states a Jacobian in its pattern serves as
 * well as the model's own Newton iteration, which takes longer to translate. */
unsigned simulate_default_needs(uint32_t n_states, bool closed_loops);
const char *simulate_method_text(const char *name);

unsigned
simulate_method_needs(const char *name); /* NEEDS_ bits; 0 for a name that is no method's */
bool simulate_method_has_adjoint(const char *name);

#endif
