/* SPDX-License-Identifier: BSD-3-Clause
 *
 * problem.h -- a model to evaluate at (t, x): an instance with everything that its values depend on
 * besides (t, x), and the last failure. Below all methods: t and x belong to the method, not to the
 * Problem.
 */
#ifndef RUNG_RUNTIME_PROBLEM_H
#define RUNG_RUNTIME_PROBLEM_H

#include "context.h"
#include "profile.h"
#include "rung_math.h"
#include "rung_question.h"
#include "state_scale.h"

#include <math.h>

struct Loops;
struct Fallback;
struct Delays;
struct Inputs;
struct RatesAlong;

typedef enum JacobianKind {
    JACOBIAN_ANALYTIC, /* the model's own where it has one, else coloured or dense      */
    JACOBIAN_COLOURED, /* differences, columns that share no row at once                */
    JACOBIAN_DENSE     /* differences, column after column                              */
} JacobianKind;

/* Of a run so far. */
typedef struct Counts {
    uint64_t steps, rejected, evaluations, jacobians, factorisations;
    uint64_t iterations;   /* of Newton's method */
    uint64_t operations;   /* of one iteration in the model's own code; 0: not used             */
    uint64_t event_values; /* values of relations and discrete variables evaluated */
    uint64_t fallbacks;    /* evaluations in which a pivot vanished, the first at fallback_t    */
    double fallback_t;
    const char *fallback_variable; /* determined by that pivot */
    /* Rates of convergence of Newton's method, of corrections above rounding: how many, the sum of
     * their logarithms, the largest. */
    uint64_t rates;
    double log_rates, worst_rate;
} Counts;

static inline void counts_rate(Counts *it, double rate)
{
    if (!(rate > 0))
        return;
    it->rates++;
    it->log_rates += log(rate);
    it->worst_rate = fmax(it->worst_rate, rate);
}

/* The states inside the last step, by whichever method has made it. */
typedef struct Interpolant {
    void (*at)(const struct Interpolant *it, double t, double *x);
} Interpolant;

typedef struct Problem Problem;
struct Problem {
    const RungModel *model;
    RungContext *ctx;
    uint32_t n;                /* states */
    double piece_start;        /* where the piece between two events begins     */
    struct Inputs *inputs;     /* NULL: none follows data                       */
    struct Delays *delays;     /* NULL: nothing is delayed                      */
    struct Fallback *fallback; /* for evaluations in which a pivot vanishes     */
    bool is_numeric;           /* the second model evaluates (fallback_probe)   */
    struct RatesAlong *along;  /* NULL: derivatives by parameters are as the model has them */
    struct Loops *loops;       /* NULL: no loop is cut                          */
    Scale *scale;              /* NULL: nominal values, 1 without               */
    /* Derivatives that keep the loops closed (loops_xdot); NULL: no loop is cut. */
    int (*closed_xdot)(Problem *problem, double t, const double *x, double *xdot);
    Counts *counts;
    Profile *profile; /* NULL: times are not taken */
    JacobianKind jacobian;
    uint32_t jacobian_reuse; /* Newton iterations that one Jacobian serves; 0: 3 */
    /* Makes RungModel.fallback when a pivot vanishes for the first time; NULL, or returns NULL:
     * there is none. */
    const RungModel *(*make_fallback)(void *user);
    void *make_fallback_user;
    /* The model's own Newton iteration (newton_step.h) has lost its digits: steps to make without
     * it, and how many of them remain. Kept across events, unlike the data of a method. */
    uint32_t newton_pause, newton_left;
    /* Failures. */
    bool looked;        /* the last evaluation has found all derivatives finite */
    uint32_t bad_state; /* whose derivative was not finite, or RUNG_NONE */
    char why[512];      /* message of any other failure */
    char failure[400];  /* why an evaluation failed last, at failure_t     */
    double failure_t;
    uint32_t failure_block; /* for which Newton's method did not converge there, or RUNG_NONE */
    double *failure_x; /* the states there, if it was a derivative that was not finite; else NULL */
};

/* The scale of state k: the unit in which its error is measured (state_scale.h). */
static inline double problem_nominal(const Problem *problem, uint32_t k)
{
    return problem->scale ? problem->scale->now[k] : problem->model->nominal[k];
}

/* The size of state k at the value x: its error is measured in shares of it (state_scale.h). */
static inline double problem_size(const Problem *problem, uint32_t k, double x)
{
    double turn = problem->scale ? problem->scale->turn[k] : INFINITY;
    return rung_size(problem_nominal(problem, k), turn, x);
}

/* NULL: errors of states alone count. */
static inline const RungSums *problem_sums(const Problem *problem)
{
    return problem->scale ? &problem->scale->sums : NULL;
}

/* The first of the states, without derivatives by parameters: these are the rest, as many for each
 * direction. */
static inline uint32_t problem_own_states(const Problem *problem)
{
    const RungSensitivity *t = problem->model->sensitivity;
    return t ? problem->n / (t->n_directions + 1) : problem->n;
}

/* Inputs that follow data and delayed values at (t, x): before the model is called in another way
 * than by problem_evaluate. */
void problem_refresh(const Problem *problem, double t, const double *x);

/* The model's return value; `out` becomes the result, by the fallback where a pivot vanishes. After
 * a failure problem_explain says why. */
int problem_evaluate(Problem *problem, RungQuestion question, double t, const double *x, void *out);

/* x' = f(t, x), counted, every derivative finite; the model's return value. Where loops are cut,
 * with the multipliers that keep them closed. */
int problem_xdot(Problem *problem, double t, const double *x, double *xdot);
/* Of the model's own states alone, without derivatives by parameters, where these can be left out;
 * otherwise of all. */
int problem_own_xdot(Problem *problem, double t, const double *x, double *xdot);
/* The same with the model's inputs as they are. */
int problem_xdot_open(Problem *problem, double t, const double *x, double *xdot);
/* Balances of the massless coordinates of cut loops, likewise. */
int problem_balance(Problem *problem, double t, const double *x, double *balance);

/* Whether each of n numbers is finite. */
bool problem_is_finite(uint32_t n, const double *x);

/* 1, problem->why being the text. */
int problem_fail(Problem *problem, const char *why);
/* Why an evaluation with a positive status failed: appended to a message of the size given. */
void problem_explain(const Problem *problem, char *text, size_t size);

const char *problem_state_name(const Problem *problem, uint32_t k);

#endif
