/* SPDX-License-Identifier: BSD-3-Clause
 *
 * integrator.h -- the interface of a method: one accepted step at a time, and the solution inside
 * the last one.
 */
#ifndef RUNG_RUNTIME_INTEGRATOR_H
#define RUNG_RUNTIME_INTEGRATOR_H

#include "closing_choice.h"
#include "method_needs.h"
#include "problem.h"

#include <math.h>

struct TimeTerms;
struct Tape;
struct TapeCut;
struct Sensitivity;

/* Integration in progress: methods move t and x, and count. */
typedef struct Run {
    Problem problem;
    double stop; /* of the piece between two events */
    double tolerance, step;
    double sensitivity_tolerance; /* of derivatives by parameters; 0: their errors do not count */
    double span;                  /* of the whole run; 0: its end is not known */
    double t;                     /* end of the last accepted step */
    double *x;                    /* there                         */
    double h;                     /* its length                    */
    double stability;             /* h times the largest eigenvalue, as an explicit step saw it   */
    double stiff_score;           /* how often of late that was beyond the region of stability;
                                     also beyond the end of a piece                               */
    uint64_t n_rough;             /* steps that were too long for a sudden change, perhaps a kink */
    bool is_stiff;                /* set by an explicit method whose step fails for that          */
    /* branches of solutions that ended at a kink, after which the run switched to another */
    uint32_t branches;
    double branch_t;                 /* where the last one ended: the next step searches   */
    bool by_penalty;                 /* trapezoidal steps close loops by a penalty alone   */
    ClosingChoice closing;           /* of trapezoidal steps                               */
    struct TimeTerms *time_terms;    /* NULL: the model has none */
    struct Sensitivity *sensitivity; /* over events; of `simulate` alone */
    struct Tape *tape;               /* on which steps are kept (tape.h), or NULL */
    /* The method that has taken over from the default one at later_t, the last of so many times,
     * else NULL. */
    const char *later_method;
    double later_t;
    uint32_t n_changes;
    uint32_t n_returns, n_trials; /* among them to an explicit method; to an implicit one to see */
    uint64_t steps_before;        /* of the runs that this one continues */
    bool has_named_method;        /* by the user: none takes over */
} Run;

typedef struct Integrator {
    const char *name, *text;
    /* Memory and first guesses at run->t, run->x; NULL when out of memory, or run->problem.why
     * says. */
    void *(*open)(Run *run);
    /* One accepted step, not beyond run->stop; 0, or nonzero with run->problem.why. */
    int (*step)(void *self, Run *run);
    /* x at t inside the last step. */
    void (*at)(void *self, const Run *run, double t, double *x);
    /* Optional: the same, but for rounding, of these n states alone; false: nothing was done. */
    bool (*some_at)(void *self, const Run *run, double t, uint32_t n, const uint32_t *state,
                    double *x);
    void (*close)(void *self);
    /* run->stop has changed, x' = f(t, x) has not. NULL: the method reads run->stop in each step.
     */
    int (*resume)(void *self, const Run *run);
    /* A method that closes loops itself, in each step; the others see accelerations that do. */
    bool closes_loops;
    double growth;  /* the most that a step is longer than the last one */
    unsigned needs; /* of the model, NEEDS_ bits */
    /* Starts at order 1 with short steps, so that it is to start rarely. */
    bool multistep;
    /* Steps of one length, without control of the error; the length has to be given. */
    bool fixed_step;
    /* The steps are those of an importer (fmi_pulse.h): of time terms nothing is known ahead. */
    bool by_importer;
    bool has_no_derivatives; /* by parameters */
    bool keeps_tape;         /* records each step for an adjoint (tape.h) */
    /* Of a method that does: how x at t inside the last step comes of its stages. */
    void (*cut)(void *self, const Run *run, double t, struct TapeCut *out);
    const char *form; /* of the equations it solves, where there is another method for another; else
                         NULL */
} Integrator;

/* The last step of a method. */
typedef struct Inside {
    Interpolant interpolant;
    const Run *run;
    const Integrator *method;
    void *self;
} Inside;

Inside inside_of(const Run *run, const Integrator *method, void *self);

/* The reason of the last failed evaluation if it was close to the present time of the run, else
 * NULL: the cause of short steps where the steps themselves succeeded. */
const char *run_last_failure(const Run *run);

/* The tolerance of a step of the one-step methods: the error of a run is 10 to 100 times that of
 * its steps, more where a motion is fast in between (docs/measured/accuracy.md). In an undamped
 * oscillation the errors of all steps add up: beyond MANY steps the tolerance of each is smaller,
 * so that the sum of N grows like log(N). No less than 1e-12, near rounding. */
static inline double run_step_tolerance(const Run *run)
{
    static const double SHARE = 0.1, FINEST = 1e-12, MANY = 3e5;
    double steps = (double)(run->steps_before + run->problem.counts->steps);
    double tight = SHARE * run->tolerance * (steps > MANY ? MANY / steps : 1),
           least = run->tolerance < FINEST ? run->tolerance : FINEST;
    return tight > least ? tight : least;
}

/* The share of the tolerance for a step after a rejection by a sudden change such as a kink, whose
 * errors have one sign and add up. It decreases with the number of such steps, so that the sum of N
 * grows like log(N). */
static const double ROUGH_ERROR = 3; /* an error of so many tolerances is a sudden change */
static inline double run_rough_share(const Run *run)
{
    static const double MANY = 100;
    return MANY / (MANY + (double)run->n_rough);
}

/* Size that the error of state k may have in a step of these: as much times its size at x. */
static inline double run_scale(const Run *run, uint32_t k, double x)
{
    double own = run_step_tolerance(run) * problem_size(&run->problem, k, x);
    if (k < problem_own_states(&run->problem))
        return own;
    double of_others = run->sensitivity_tolerance;
    return of_others > 0 ? own * (of_others / run->tolerance) : INFINITY;
}

/* Of how many states errors are controlled. */
static inline uint32_t run_controlled_states(const Run *run)
{
    return run->sensitivity_tolerance > 0 ? run->problem.n : problem_own_states(&run->problem);
}

extern const Integrator integrator_dopri5, integrator_rk4, integrator_trapezoid, integrator_ali3p,
    integrator_penalty, integrator_euler, integrator_bdf, integrator_half_explicit,
    integrator_half_explicit_euler, integrator_hedop5, integrator_gear, integrator_esdirk;
#ifdef RUNG_SUNDIALS
extern const Integrator integrator_ida, integrator_ida_residual, integrator_cvode;
#endif

#endif
