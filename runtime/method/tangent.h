/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tangent.h -- the derivatives of an implicit stage by parameters, once the stage is solved:
 * staggered direct differentiation (Lopez Varela et al. 2023, eqs. 14-18; Feehery, Tolsma, Barton
 * 1997).
 *
 * States come in parts: the model's n, then, for each direction of RungSensitivity, their
 * derivatives s. Newton's method of a stage x = base + gamma f(t, x, p) solves for the first part
 * alone, as without derivatives. Differentiated, with closed loops of constraints phi and
 * multipliers lambda, it is
 *
 *     (1 - gamma f_x) s - gamma f_lambda lambda' = base' + gamma f_p,    phi_x s + phi_p = 0
 *
 * for each parameter: linear, with the matrix of the stage's last iteration, at the solution. So
 * these are the derivatives of the computed steps, not of the exact solution.
 *
 * The last iteration mostly confirms the one before: its correction is so small that its factors
 * are those at the solution. Then they are kept, and the states' correction is one more right-hand
 * side, beside those of the first parameters.
 */
#ifndef RUNG_RUNTIME_TANGENT_H
#define RUNG_RUNTIME_TANGENT_H

#include "integrator.h"
#include "loops.h"

typedef struct Tangents {
    Run *run;
    uint32_t n, n_by;             /* the model's states; parameters                           */
    const RungNewtonSolve *solve; /* by the model's own elimination; NULL: it has none        */
    bool iterates;                /* ... and its right-hand sides of an iteration             */
    double *sign;                 /* n_by x n: of the states that are derivatives             */
    uint32_t *negated;            /* states of the model whose derivatives by a parameter are */
    uint32_t *first_negated;      /* ... minus those; n_by + 1: those by each                 */
    const double *entry;          /* of the model's `factor`: of right-hand sides             */
    uint32_t next;                /* entry of the sides that come next                        */
    double *memory;               /* of the next three: per number RUNG_SIDES sides           */
    double *delta;                /* n + k + m, of the model                                  */
    double *right, *work;         /* of the model's solution                                  */
    double *push, *free;          /* n_by x m, n_by x k: lambda' and accelerations that are free,
                                     those of the last stage at first */
    double *before;               /* n_by x m: lambda' of the stage before that               */
    double *wanted;               /* m, of RUNG_SIDES sides                                   */
    double *f, *r;                /* all states and balances; the model's                     */
} Tangents;

/* False when out of memory. Without derivatives n_by is 0, and the rest does nothing. */
bool tangents_open(Tangents *it, Run *run);
void tangents_close(Tangents *it);
/* The next stage begins with the multipliers of y, of all parts. */
void tangents_take_inputs(Tangents *it, const double *y);

/* Where it->iterates: the correction delta of the model's states at x, an iterate of a stage, by
 * factors that are kept. base: of all parts. The model's status; positive too if a pivot has
 * vanished. */
int tangents_correct(Tangents *it, double t, double gamma, const double *base, const double *x,
                     double *delta);

/* Whether the factors of an iteration are those at the solution: by the size of its correction,
 * relative to the states. And whether this is to be expected, by that of the correction before, as
 * Newton's method is quadratic: |d_k| = curvature |d_(k-1)|^2. */
bool tangents_are_near(double size);
bool tangents_expect_near(double before, double curvature);

/* x, whose first part solves the stage with the inputs y of the loops (NULL: there are none), gets
 * the others, and y those of their constraints. base: of all parts. penalty: as in the iteration,
 * large. near: by the factors of the last tangents_correct. The model's status; positive too if a
 * pivot has vanished. */
int tangents_by_model(Tangents *it, double t, double gamma, const double *base,
                      const double *penalty, bool near, double *x, double *y);

/* The same where no loop is cut and `apply` solves a matrix near 1 - gamma f_x for r, in place: by
 * corrections, until those that are left are below `close` of the states' sizes. Positive if that
 * does not converge. */
int tangents_by_matrix(Tangents *it, double t, double gamma, const double *base, double close,
                       void (*apply)(const void *user, double *r), const void *user, double *x);

#endif
