/* fixture.h -- a model written by hand, in which a test replaces what it looks at.
 *
 *     x0' = x1, x1' = -b x0, b = 2 a, a = 2 a parameter;  z0 + z1 = x0, z0 - z1 = x1 a linear
 * block, z2 + z2^3 = x0 a nonlinear one;  v = z0 z2.
 */
#ifndef TESTS_RUNTIME_FIXTURE_H
#define TESTS_RUNTIME_FIXTURE_H

#include "runtime/method/integrator.h"
#include "runtime/problem/context.h"
#include "runtime/problem/fallback.h"
#include "runtime/run/simulate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline int fixture_update(RungContext *ctx)
{
    if (!ctx->is_set[1])
        ctx->p[1] = 2 * ctx->p[0];
    ctx->c[0] = ctx->p[0] > 0;
    return 0;
}

static inline int fixture_start(RungContext *ctx, double t, double *x)
{
    (void)ctx, (void)t;
    if (x) {
        x[0] = 1;
        x[1] = 0;
    }
    return 0;
}

static inline int fixture_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    (void)t;
    xdot[0] = x[1];
    xdot[1] = -ctx->p[1] * x[0];
    return 0;
}

static inline int fixture_outputs(RungContext *ctx, double t, const double *x, double *v)
{
    int status = ctx->solve(ctx, 0, t, x);
    status = status ? status : ctx->solve(ctx, 1, t, x);
    v[0] = ctx->z[0] * ctx->z[2];
    return status;
}

static inline int fixture_linear(RungContext *ctx, uint32_t copy, double t, const double *x,
                                 const double *z, double *r)
{
    (void)ctx, (void)copy, (void)t;
    r[0] = z[0] + z[1] - x[0];
    r[1] = z[0] - z[1] - x[1];
    return 0;
}

static inline int fixture_linear_entries(RungContext *ctx, uint32_t copy, double t, const double *x,
                                         const double *z, double *entry)
{
    (void)ctx, (void)copy, (void)t, (void)x, (void)z;
    entry[0] = entry[1] = entry[2] = 1;
    entry[3] = -1;
    return 0;
}

static inline int fixture_cubic(RungContext *ctx, uint32_t copy, double t, const double *x,
                                const double *z, double *r)
{
    (void)ctx, (void)copy, (void)t;
    r[0] = z[0] + z[0] * z[0] * z[0] - x[0];
    return 0;
}

static inline int fixture_cubic_entries(RungContext *ctx, uint32_t copy, double t, const double *x,
                                        const double *z, double *entry)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    entry[0] = 1 + 3 * z[0] * z[0];
    return 0;
}

#define FIXTURE_ROW(name, place, index, negated, attributes)                                       \
    name, index, (attributes) << 4 | (place) << 1 | (negated)

static const char fixture_names[] = "a\0b\0x0\0x1\0z0\0z1\0z2\0v";
static const RungAttributes fixture_attributes[] = {
    {"", "", "", RUNG_PARAMETER, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"", "", "", RUNG_STATE, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"", "", "", RUNG_ALGEBRAIC, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
};
static const uint32_t fixture_variable[] = {
    FIXTURE_ROW(0, RUNG_IN_PARAMETERS, 0, 0, 0), FIXTURE_ROW(2, RUNG_IN_PARAMETERS, 1, 0, 0),
    FIXTURE_ROW(4, RUNG_IN_STATES, 0, 0, 1),     FIXTURE_ROW(7, RUNG_IN_STATES, 1, 0, 1),
    FIXTURE_ROW(10, RUNG_IN_UNKNOWNS, 0, 0, 2),  FIXTURE_ROW(13, RUNG_IN_UNKNOWNS, 1, 0, 2),
    FIXTURE_ROW(16, RUNG_IN_UNKNOWNS, 2, 0, 2),  FIXTURE_ROW(19, RUNG_IN_VALUES, 0, 0, 2),
};
static const RungParameter fixture_parameter[] = {{0, 0, 1, 2}, {1, 1, 0, 0}};
static const uint32_t fixture_state[] = {2, 3};
static const double fixture_ones[] = {1, 1, 1};
static const double fixture_zeros[] = {0, 0, 0};
static const uint32_t fixture_unknown[] = {4, 5, 6};
static const char *const fixture_equation[] = {"tiny.mo:3:1", "tiny.mo:4:1"};
static const uint32_t fixture_full_start[] = {0, 2, 4}, fixture_full_row[] = {0, 1, 0, 1};
static const RungBlock fixture_block[] = {
    {2,
     0,
     fixture_unknown,
     fixture_zeros,
     fixture_ones,
     fixture_equation,
     fixture_linear,
     {2, 2, fixture_full_start, fixture_full_row, NULL, 0},
     fixture_linear_entries,
     1,
     0,
     NULL,
     0},
    {1,
     2,
     fixture_unknown + 2,
     fixture_zeros,
     fixture_ones,
     fixture_equation,
     fixture_cubic,
     {1, 1, (const uint32_t[]){0, 1}, fixture_full_row, NULL, 0},
     fixture_cubic_entries,
     0,
     0,
     NULL,
     0},
};

static inline RungModel fixture_model(void)
{
    return (RungModel){
        .version = RUNG_MODEL_VERSION,
        .size = sizeof(RungModel),
        .name = "Tiny",
        .n_states = 2,
        .n_variables = 8,
        .n_values = 1,
        .n_parameters = 2,
        .n_constants = 1,
        .n_unknowns = 3,
        .n_blocks = 2,
        .variable = fixture_variable,
        .names = fixture_names,
        .attributes = fixture_attributes,
        .parameter = fixture_parameter,
        .state = fixture_state,
        .nominal = fixture_ones,
        .block = fixture_block,
        .update = fixture_update,
        .start = fixture_start,
        .xdot = fixture_xdot,
        .outputs = fixture_outputs,
    };
}

/* A run of it at its start, with the options given. */
typedef struct Fixture {
    Run run;
    Counts counts;
    double x[2];
} Fixture;

static inline void fixture_open(Fixture *it, const RungModel *m, const SimulateOptions *o)
{
    memset(it, 0, sizeof *it);
    it->run = (Run){.problem = {.model = m,
                                .ctx = context_new(m),
                                .n = m->n_states,
                                .counts = &it->counts,
                                .bad_state = RUNG_NONE,
                                .jacobian = o->jacobian,
                                .jacobian_reuse = o->jacobian_reuse,
                                .make_fallback = o->fallback,
                                .make_fallback_user = o->fallback_user},
                    .stop = 1,
                    .tolerance = 1e-6,
                    .x = it->x};
    cr_assert(it->run.problem.ctx);
    it->run.problem.fallback = fallback_new(it->run.problem.ctx, it->run.tolerance);
    cr_assert_eq(context_update(it->run.problem.ctx), 0);
    cr_assert_eq(m->start(it->run.problem.ctx, 0, it->x), 0);
}

static inline void fixture_close(Fixture *it)
{
    fallback_delete(it->run.problem.fallback);
    free(it->run.problem.failure_x);
    context_free(it->run.problem.ctx);
}

#endif
