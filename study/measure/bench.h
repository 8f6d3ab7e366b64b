/* bench.h -- the measurements of `rung bench`: one model, evaluated in different ways.
 *
 * A task is one of these ways: the derivatives of the states, a Jacobian by differences, an
 * iteration of Newton's method with the linear solver of a library ... Each can be evaluated at any
 * of a few states near the start of a run, and most can be compared with another way to the same
 * numbers.
 *
 *     bench_state.c   the states, and the instance of the model
 *     bench_task.c    the tasks
 *     bench_error.c   how exact they are
 *     bench_lanes.c   tasks of several instances at once
 *     bench_run.c     their times
 */
#ifndef RUNG_STUDY_MEASURE_BENCH_H
#define RUNG_STUDY_MEASURE_BENCH_H

#include "runtime/kernel/lanes.h"
#include "runtime/kernel/rung_model.h"
#include "runtime/problem/context.h"
#include "study/measure/library_lu.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BENCH_STATES = 8 };
#define BENCH_GAMMA 5e-4 /* of an implicit step */

/* The object of measurement: one model at a few states. */
typedef struct Bench {
    const RungModel *model;
    RungContext *ctx;
    double t;
    double *x[BENCH_STATES];
    uint32_t turn;           /* evaluations so far */
    double *out, *other;     /* as long as the longest result */
    double *input;           /* of the residual form: values of its tearing variables */
    double *values;          /* n_values                      */
    double *matrix;          /* of a Newton iteration, entries of parameters set; right sides */
    double *z[BENCH_STATES]; /* its unknowns, then the derivatives of the states */
    LibraryLu *lu[LIBRARIES];
    double *dense; /* n_states squared */
    uint32_t *pivot;
    double *size;
    double *stage;      /* of a step: six times n_states */
    const Lanes *lanes; /* NULL: one instance at a time */
    double *lane_x[BENCH_STATES], *lane_u[BENCH_STATES], *lane_out; /* of these */
    const char *error;
} Bench;

/* Nonzero where the model cannot be evaluated. */
typedef int (*BenchEvaluate)(Bench *b, uint32_t state);

/* of_residual: the time is per tearing variable, else per state. */
typedef struct BenchTask {
    const char *what, *variant, *text;
    bool of_residual;
    bool (*exists)(const RungModel *m);
    BenchEvaluate evaluate;
    double (*error)(Bench *b, uint32_t state); /* NULL: there is nothing to compare with */
    BenchEvaluate of_lanes; /* the same for several instances, at this state and those after it;
                               NULL: there is no such code */
} BenchTask;

extern const BenchTask bench_task[];
extern const uint32_t bench_n_tasks;

/* An instance as the run has it after its start, and room for all results; false with b->error. */
bool bench_open(Bench *b, const RungContext *run, double t, const double *x);
void bench_close(Bench *b);
/* From now on tasks run for so many instances at once; false with b->error. */
bool bench_widen(Bench *b, uint32_t width);
void bench_narrow(Bench *b);

/* ---- inside ---- */

static inline bool bench_has_extended(const RungModel *m)
{
    return m->newton && m->newton->entries;
}
static inline bool bench_has_newton(const RungModel *m)
{
    return bench_has_extended(m) && m->newton->step;
}
static inline bool bench_has_residual(const RungModel *m)
{
    bool has = m->residual && m->residual->n > 0;
    // which it is evaluated with
    for (uint32_t k = 0; has && k < m->residual->n; k++)
        has = m->residual->variable[k] != RUNG_NONE;
    return has;
}
static inline bool bench_has_jacobian(const RungModel *m)
{
    return m->jacobian && m->jacobian->entries;
}
static inline bool bench_has_tangent(const RungModel *m)
{
    return bench_has_newton(m) && !m->loops;
}

/* Between -1 and 1, the same in every run. */
static inline double bench_noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*seed >> 32) / 2147483648.0;
}

static inline double *bench_copy(double *to, const double *from, uint32_t n)
{
    return n ? memcpy(to, from, n * sizeof *to) : to;
}

int bench_residual_by_torn(Bench *b, uint32_t state);
int bench_residual_by_state(Bench *b, uint32_t state);
int bench_analytic(Bench *b, uint32_t state);
void bench_give_newton(Bench *b, uint32_t state);
int bench_find_unknowns(Bench *b, uint32_t state);
int bench_jacobian_rows(Bench *b, uint32_t state);
int bench_extended_rows(Bench *b, uint32_t state);
int bench_coloured(Bench *b, uint32_t state);
int bench_dense(Bench *b, uint32_t state);
int bench_extended_whole(Bench *b, uint32_t state);
int bench_extended_coloured(Bench *b, uint32_t state);
int bench_extended_dense(Bench *b, uint32_t state);
int bench_newton(Bench *b, uint32_t state);
int bench_newton_cxsparse(Bench *b, uint32_t state);
int bench_newton_klu(Bench *b, uint32_t state);

int bench_step(Bench *b, uint32_t state);
int bench_lanes_xdot(Bench *b, uint32_t state);
int bench_lanes_jacobian(Bench *b, uint32_t state);
int bench_lanes_newton(Bench *b, uint32_t state);
int bench_lanes_step(Bench *b, uint32_t state);
/* The largest difference between the results of a task in a lane and for a single instance. */
double bench_lanes_error(Bench *b, const BenchTask *it, uint32_t state);

double bench_residual_error(Bench *b, uint32_t state);
double bench_by_torn_error(Bench *b, uint32_t state);
double bench_by_state_error(Bench *b, uint32_t state);
double bench_analytic_error(Bench *b, uint32_t state);
double bench_extended_error(Bench *b, uint32_t state);
double bench_cxsparse_error(Bench *b, uint32_t state);
double bench_klu_error(Bench *b, uint32_t state);
double bench_coloured_error(Bench *b, uint32_t state);
double bench_dense_error(Bench *b, uint32_t state);
double bench_extended_coloured_error(Bench *b, uint32_t state);
double bench_extended_dense_error(Bench *b, uint32_t state);

#endif
