/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loops.h -- closed loops during a run: multipliers, projections, shared by all methods.
 *
 * With g = (xdot, balance), linear in the inputs y = (multipliers, free accelerations):
 * g = g0 + G y. Constraints may be redundant or lose rank on the way, so nothing here needs
 * full rank: systems in the multipliers are solved as
 *     (N + e 1) y_i = e y_(i-1) + b,  N = phi_v G,
 * which is equivalent to the projections of Lopez Varela 2023, eqs. 10 and 11, with the mass matrix
 * as projection matrix and the penalty 1/e.
 */
#ifndef RUNG_RUNTIME_LOOPS_H
#define RUNG_RUNTIME_LOOPS_H

#include "factor.h"
#include "loop_trace.h"
#include "normal.h"
#include "problem.h"

/* e, relative to the largest entry of N. */
#define LOOPS_REGULAR 1e-10

/* With derivatives by parameters (RungLoops.n_parts) constraints, multipliers and states come in
 * parts, first the model's. Systems are block triangular, with the model's own in the diagonal:
 *     N y_0 = b_0,    N y_p = b_p - N_p y_0,    N_p the derivative of N,
 * so that one factorisation serves all, and the model's part does not depend on the others. */
typedef struct LoopRows {
    RungPattern pattern; /* of the model's part in that of all */
    uint32_t *from;      /* its entries in those of all        */
    double *entry;
} LoopRows;

typedef struct Loops {
    const RungLoops *l;
    uint32_t n, m, k;    /* states, constraints, free accelerations */
    uint32_t own;        /* states of the model: the first           */
    uint32_t parts;      /* 1, and one for each direction           */
    uint32_t m0, k0, s0; /* constraints, free, both: of the model   */
    uint32_t *state_of;  /* parts x n: that part's of a state, RUNG_NONE; NULL: one part */
    double *sign;        /* parts x n: 1 / size of the part, and its sign */
    double *size;        /* own: the unit of a change of a state where loops close */
    LoopRows rows_x, rows_v;
    uint32_t width;     /* of rows of the block: parts - 1, rounded up to an even number */
    double *part;       /* 3 x s0: of the model's part                                   */
    double *consistent; /* s0: a right-hand side without its contradictions */
    double *block;      /* rows of numbers of the other parts, side by side              */
    double *y;          /* m + k: in use, as in the model's inputs */
    /* As of the last loops_linearise: */
    double *g0;    /* n + k: g without inputs; where the model has no columns of its own */
    double *g;     /* (n + k) x s0: columns of the model's own; NULL before the first */
    double *v;     /* entries of phi_v            */
    double *entry; /* of the model's own G      */
    double *kkt;   /* s0 x s0: the model's N                              */
    double *sense; /* m0: 1, or -1 where a force acts against its own constraint  */
    double *along; /* of find_senses                                              */
    double terms;  /* the largest sum of the sizes of the terms of its entries    */
    double *pushed, *product; /* n + k, 2 (m + k): of a product with the N_p        */
    Factor lu;                /* the model's, factored       */
    uint32_t rounds;          /* of corrections, with e_i = 1 / soft_i; 0: to rounding */
    const double *soft;       /* m0 */
    Normal *by_x, *by_v;      /* of projections in the states */
    /* In long chains of loops N is full, so that its O(m^3) are left to the model's own Newton
     * iteration, whose matrix holds it implicitly: O(m). */
    bool by_newton, has_penalties;
    double *penalty, *base, *delta; /* m, n, n + k + m     */
    double *rest, *b, *r;           /* m + k each */
    double *perturbed, *dx;         /* n + k each */
    char name[256];                 /* of loops_name */
    struct LoopTangents *tangents;  /* of all parts but the first, by products; NULL: none */
    bool is_alone;                  /* of the model's part, in an instance of all parts    */
    struct LoopTrace *trace;        /* what moves states is kept; NULL: it is not          */
    double relax;                   /* drift is brought back at this rate, 1/s; 0: not at all */
    bool dropped;                   /* idle forces were subtracted by the last projection    */
    double idle;                    /* the share of the others that they may have; 0: 1     */
    uint32_t rank, most_rank;       /* of loops_rank_ratio: the last, and the largest so far  */
} Loops;

/* NULL when out of memory. */
Loops *loops_new(const RungModel *model);
/* Loops become those of the problem, NULL for none: its derivatives keep them closed. */
void loops_attach(Problem *problem, Loops *loops);
void loops_delete(Loops *it);
/* A piece of a run begins: what earlier points have left, such as an order of pivots, is not used.
 * NULL: nothing. */
void loops_forget(Loops *it);

/* Puts inputs into the model's: any, or those in use. */
void loops_put(const Loops *it, RungContext *ctx, const double *y);
void loops_apply(const Loops *it, RungContext *ctx);
/* Inputs of the model's own constraints alone, m0 + k0. */
void loops_put_own(const Loops *it, RungContext *ctx, const double *y);
/* Of y, of all parts, those of the model's own. */
void loops_take_own(const Loops *it, const double *y, double *own);
/* The places of part p in y, from the derivatives of multipliers and free accelerations by the
 * parameter of part p; the model's own values for p = 0. */
void loops_put_part(const Loops *it, uint32_t p, const double *multiplier, const double *free,
                    double *y);
/* The multipliers' derivatives of these. */
void loops_take_part(const Loops *it, uint32_t p, const double *y, double *multiplier);
/* Those of the model are in use. */
void loops_take(Loops *it, const RungContext *ctx);

/* g at (t, x) with y in the model's inputs; the model's status, counted as one evaluation. */
int loops_g(Problem *problem, double t, const double *x, const double *y, double *g);

/* xdot there, with the y in use. */
int loops_g_applied(Problem *problem, double t, const double *x, double *f);

/* g0, G, phi_v and the factored system of the multipliers, at (t, x). O(m^2) memory, from the first
 * call on. */
int loops_linearise(Problem *problem, double t, const double *x);

/* Until it is called with 0 rounds: systems in the multipliers have the penalties of m0
 * constraints, from the next loops_linearise on, and so many rounds (Lopez Varela 2023, eqs. 10b
 * and 11b). */
void loops_soften(Loops *it, uint32_t rounds, const double *penalty);

/* How far a force of each constraint moves its own: the diagonal of N at (t, x), by the system that
 * loops_linearise makes or, where it is not made, by probing (Tang and Saad 2012): the constraints
 * of a few loops at a time, far from each other, which gives the order of magnitude. */
int loops_delassus_diagonal(Problem *problem, double t, const double *x, double *diagonal);
/* As of the last loops_linearise: G of the model, (n + k) x (m + k) of its own states and inputs;
 * the diagonal, each entry with the sign of what a force does to its own constraint. */
void loops_inputs(const Loops *it, double *g);
void loops_diagonal(const Loops *it, double *diagonal);

/* Products with G and phi_v of the last loops_linearise, of all inputs and states, of one part:
 * states += G y; out := G' w, the rows of states; w -= phi_v' a. z of N' z = b becomes b. */
void loops_push(const Loops *it, const double *y, double *states);
void loops_push_transposed(const Loops *it, const double *w, double *out);
void loops_hold_transposed(const Loops *it, const double *a, double *w);
void loops_solve_transposed(Loops *it, double *b);

/* The derivative that keeps phi'' = 0, and y with it; y is applied. */
int loops_xdot(Problem *problem, double t, const double *x, double *xdot);

/* A stage of a half-explicit method: f is g at (t, x) with those y for which phi' = 0 at (t_to,
 * base
 * + h f), whose positions do not depend on y; the balances hold at (t, x). O(m^3), and of the
 * model's part alone: with derivatives by parameters, and in long chains, f is that of loops_xdot
 * instead, as loops_are_half_explicit says (NULL: false). */
bool loops_are_half_explicit(const Loops *it);
int loops_half_explicit(Problem *problem, double t, const double *x, double t_to,
                        const double *base, double h, double *f);

/* Velocities onto phi' = 0 by an impulse of the constraints, orthogonal in the metric of the mass
 * matrix (Lopez Varela 2023, eq. 10). Linearised at (t, x) before. */
int loops_project_velocities(Problem *problem, double t, double *x);

/* That impulse alone: with y = (impulses, changes of free accelerations) the states move by G y. */
int loops_impulse(Problem *problem, double t, const double *x, double *y);

/* The same, linearising at (t, x) if it has to. */
int loops_project_rates(Problem *problem, double t, double *x);

/* f = xdot at x such that phi'' = 0 and the balances of massless coordinates hold, from y that is
 * near; likewise (eq. 11). Adds the correction to y. Idle forces of
 * redundant constraints are subtracted from y where they exceed a share of the others (idle). */
int loops_project_accelerations(Problem *problem, double t, const double *x, double *f, double *y);

/* Of the derivatives by parameters alone, with the model's part of x, f and y unchanged. */
int loops_project_derivatives(Problem *problem, double t, double *x, double *f, double *y);

/* Positions, then velocities of the start that are not held, onto phi = 0 and phi' = 0, changed as
 * little as possible. False with problem->why naming a loop. */
bool loops_project_start(Problem *problem, double t, double *x);

/* Behind an event: velocities onto phi' = 0 by an impulse of the constraints. States set by the
 * event (x differs from before) keep their values if the others can be made consistent; *set is one
 * that could not be kept, RUNG_NONE if all were. 0, or positive with problem->why. */
int loops_project_event(Problem *problem, double t, double *x, const double *before, uint32_t *set);

/* Positions onto phi = 0, changed as little as possible, then velocities onto phi' = 0. Linearises
 * there. 0, or positive with problem->why naming a loop if the positions do not get there. */
int loops_project(Problem *problem, double t, double *x);

/* Near a singular position of closed loops accelerations across the constraints are hardly
 * determined: rounding of phi is divided by the cube of the distance to it. Projections remove this
 * again, so that it is no part of the error e of a step from x0 to x, and shorter steps would only
 * come closer to the position. Removes from e the components across the constraints, of positions
 * and velocities each; nothing if these are large. 1 if it did, 0, or negative: stop. */
int loops_forgive(Problem *problem, double t0, const double *x0, double t, const double *x,
                  double *e);

/* Removes from a change e of the states, near the last loops_linearise or loops_half_explicit, that
 * of velocities across the constraints: by an impulse of these, orthogonal in the metric of the
 * mass matrix. */
void loops_remove_rates(Loops *it, double *e);

/* Whether a step of length h to x at t, from x_old where the derivative was f, has left the
 * assembly: closing a loop has shifted its positions beyond the formula of the step by no small
 * part of how far they go in it, or they are several times as far as the velocities can take them.
 * Where Newton's method finds another way to close a loop every norm is zero. 0, or positive with
 * problem->why naming the loop. */
int loops_leap(Problem *problem, double t, double h, const double *x_old, const double *f,
               const double *x, const double *shift);
/* loops_project of the end of such a step; positive where it leaps. */
int loops_close_step(Problem *problem, double t, double h, const double *x_old, const double *f,
                     double *x);

/* Largest |phi| and |phi'|; the constraint with the largest in *which (may be NULL). */
int loops_phi(Problem *problem, double t, const double *x, double *phi, double *phi_dot,
              uint32_t *which);

/* Whether |phi| or |phi'| at (t, x) is larger than a projection may leave it. */
bool loops_are_open(Problem *problem, double t, const double *x);

/* Largest |phi'|; the constraint with it in *which. */
int loops_rate(Problem *problem, double t, const double *x, double *rate, uint32_t *which);

/* Largest residual of the balances of massless coordinates with the present inputs: 0 if there are
 * none. */
int loops_balance(Problem *problem, double t, const double *x, double *balance);

/* "joint J (the loop cut at A - B)", of the loop that constraint k belongs to; in its memory,
 * until it is called again. */
const char *loops_name(Loops *it, uint32_t k);
/* The given motions that this loop follows, with commas between them; "" for none. */
const char *loops_given(const Loops *it, uint32_t k);

#endif
