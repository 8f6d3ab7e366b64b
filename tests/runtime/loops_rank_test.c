/* A point in space, tied by four constraints of which some say what others say already. */
#include "runtime/linear/rank.h"
#include "runtime/loop/loops.h"
#include "runtime/loop/loops_rank.h"
#include "tests/runtime/fixture.h"

#include <stdlib.h>

enum { SPACE = 3, STATES = 2 * SPACE, N = 4 };

/* Constraint k holds when direction[k] . position = 0. */
static double direction[N][SPACE];

static int update(RungContext *ctx)
{
    (void)ctx;
    return 0;
}

static int start(RungContext *ctx, double t, double *x)
{
    (void)ctx, (void)t;
    for (int i = 0; i < STATES; i++)
        x[i] = i + 1;
    return 0;
}

/* a unit mass on which the constraints push along their directions */
static int xdot(RungContext *ctx, double t, const double *x, double *f)
{
    (void)t;
    for (int i = 0; i < SPACE; i++) {
        f[i] = x[SPACE + i];
        f[SPACE + i] = 0;
        for (int k = 0; k < N; k++)
            f[SPACE + i] += direction[k][i] * ctx->u[k];
    }
    return 0;
}

static int outputs(RungContext *ctx, double t, const double *x, double *v)
{
    (void)ctx, (void)t, (void)x, (void)v;
    return 0;
}

static int phi(RungContext *ctx, double t, const double *x, double *c)
{
    (void)ctx, (void)t;
    for (int k = 0; k < N; k++)
        c[k] = direction[k][0] * x[0] + direction[k][1] * x[1] + direction[k][2] * x[2];
    return 0;
}

static int phi_dot(RungContext *ctx, double t, const double *x, double *c)
{
    return phi(ctx, t, x + SPACE, c);
}

static int nothing(RungContext *ctx, double t, const double *x, double *c)
{
    (void)ctx, (void)t, (void)x;
    memset(c, 0, N * sizeof *c);
    return 0;
}

static int gradient(RungContext *ctx, double t, const double *x, double *entry)
{
    (void)ctx, (void)t, (void)x;
    for (int i = 0; i < SPACE; i++)
        for (int k = 0; k < N; k++)
            entry[i * N + k] = direction[k][i];
    return 0;
}

static const uint32_t in_positions[] = {0, 4, 8, 12, 12, 12, 12};
static const uint32_t in_velocities[] = {0, 0, 0, 0, 4, 8, 12};
static const uint32_t rows[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
static const uint32_t first[] = {0, N}, multiplier[] = {0, 1, 2, 3}, state[] = {0, 1, 2, 3, 4, 5};
static const uint8_t held[STATES], moved[STATES] = {0, 0, 0, 1, 1, 1};
static const char *const names[] = {"tie"}, *const places[] = {"tie.mo:1:1"};
static const RungLoops ties = {
    .n_loops = 1,
    .n_parts = 1,
    .n_constraints = N,
    .n_velocities = SPACE,
    .loop_name = names,
    .where = places,
    .first = first,
    .multiplier = multiplier,
    .held = held,
    .moved = moved,
    .phi = phi,
    .phi_dot = phi_dot,
    .phi_t = nothing,
    .phi_rest = nothing,
    .balance = nothing,
    .phi_x_pattern = {.n_rows = N, .n_cols = STATES, .col_start = in_positions, .row = rows},
    .phi_v_pattern = {.n_rows = N, .n_cols = STATES, .col_start = in_velocities, .row = rows},
    .phi_x = gradient,
    .phi_v = gradient,
    .joint = names,
    .joints = names,
};
static const uint32_t variable[] = {
    FIXTURE_ROW(0, RUNG_IN_STATES, 0, 0, 0),  FIXTURE_ROW(2, RUNG_IN_STATES, 1, 0, 0),
    FIXTURE_ROW(4, RUNG_IN_STATES, 2, 0, 0),  FIXTURE_ROW(6, RUNG_IN_STATES, 3, 0, 0),
    FIXTURE_ROW(8, RUNG_IN_STATES, 4, 0, 0),  FIXTURE_ROW(10, RUNG_IN_STATES, 5, 0, 0),
    FIXTURE_ROW(12, RUNG_IN_INPUTS, 0, 0, 1), FIXTURE_ROW(14, RUNG_IN_INPUTS, 1, 0, 1),
    FIXTURE_ROW(16, RUNG_IN_INPUTS, 2, 0, 1), FIXTURE_ROW(18, RUNG_IN_INPUTS, 3, 0, 1),
};
static const RungAttributes attributes[] = {
    {"", "", "", RUNG_STATE, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"", "", "", RUNG_INPUT, RUNG_REAL, 0, 0, 0, NULL, 0, NULL}};
static const RungInput input[] = {{6, 0}, {7, 0}, {8, 0}, {9, 0}};
static const double ones[] = {1, 1, 1, 1, 1, 1};
static const RungModel model = {
    .version = RUNG_MODEL_VERSION,
    .size = sizeof(RungModel),
    .name = "Ties",
    .n_states = STATES,
    .n_variables = 10,
    .n_inputs = N,
    .variable = variable,
    .names = "x\0y\0z\0u\0v\0w\0e\0f\0g\0h",
    .attributes = attributes,
    .input = input,
    .state = state,
    .nominal = ones,
    .update = update,
    .start = start,
    .xdot = xdot,
    .outputs = outputs,
    .loops = &ties,
};

/* The share of constraint k that is across all those which are not redundant, by Gram-Schmidt. */
static double across(const unsigned char *is_redundant, int k)
{
    double basis[SPACE][SPACE], left[SPACE];
    int n = 0;
    for (int j = 0; j <= N; j++) { // k itself at last
        int c = j < N ? j : k;
        if (j < N && (is_redundant[c] || c == k))
            continue;
        cr_assert_lt(n, SPACE + (j == N));
        memcpy(left, direction[c], sizeof left);
        for (int b = 0; b < n; b++) {
            double along = left[0] * basis[b][0] + left[1] * basis[b][1] + left[2] * basis[b][2];
            for (int i = 0; i < SPACE; i++)
                left[i] -= along * basis[b][i];
        }
        double size = sqrt(left[0] * left[0] + left[1] * left[1] + left[2] * left[2]);
        if (j == N)
            return size;
        for (int i = 0; i < SPACE; i++)
            basis[n][i] = left[i] / size;
        n++;
    }
    return 0;
}

Test(rank, finds_what_follows_from_other_vectors)
{
    static const struct {
        double direction[N][SPACE];
        uint32_t rank;
    } cases[] = {
        {{{1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {1, 1, 0}}, 2},
        {{{1, 2, 3}, {0, 1, -1}, {1, 3, 2}, {4, 0, 1}}, 3},
        {{{1, 2, 3}, {-1, -2, -3}, {0.1, 0.2, 0.3}, {7, 14, 21}}, 1},
        {{{0, 0, 0}, {0, 0, 1}, {0, 1e-4, 1}, {0, 0, 1 + 1e-12}}, 2},
        {{{0, 1, 0}, {1e-12, 1, 0}, {0, 1, 1e-12}, {0, -1, 0}}, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        memcpy(direction, cases[c].direction, sizeof direction);
        double row[N * SPACE], smallest;
        uint32_t order[N];
        memcpy(row, direction, sizeof row);
        uint32_t rank = rank_find(SPACE, N, row, 1e-8, order, NULL, &smallest);
        cr_assert_eq(rank, cases[c].rank, "%zu: %u", c, rank);
        unsigned char is_redundant[N] = {0};
        for (uint32_t k = rank; k < N; k++)
            is_redundant[order[k]] = 1;
        for (int k = 0; k < N; k++) {
            double share = across(is_redundant, k);
            cr_assert(is_redundant[k] ? share < 1e-7 : share > 1e-5, "%zu, %d: %g", c, k, share);
        }
    }
}

/* Close to a position where one more follows from the others, the ratio says how close. */
Test(loops_rank, a_run_tells_how_far_it_is_from_a_singular_position)
{
    static const double near[N][SPACE] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 1e-5}, {0, 1, 0}};
    memcpy(direction, near, sizeof direction);
    double x[STATES] = {0};
    Run run = {.problem = {.model = &model, .ctx = context_new(&model), .n = STATES}, .x = x};
    loops_attach(&run.problem, loops_new(&model));
    uint32_t which;
    double ratio = loops_rank_ratio(&run.problem, run.t, run.x, &which);
    // the longest is sqrt(2); what is left at last is 1e-5 / sqrt(2) or so
    cr_assert(ratio > 2e-6 && ratio < 2e-5, "%g", ratio);
    cr_assert_lt(which, N);
    direction[2][2] = 1;
    cr_assert_gt(loops_rank_ratio(&run.problem, run.t, run.x, &which), 0.1);
    loops_delete(run.problem.loops);
    context_free(run.problem.ctx);
}
