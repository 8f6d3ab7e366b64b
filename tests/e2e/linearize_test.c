/* linearize_test.c -- A, B, C, D of models against central differences.
 *
 * At a time of a run, along random directions of the states and inputs, on the constraints where
 * loops are closed: the derivative by the model's own entries and the difference of its
 * evaluations, with multipliers found anew, and the transposed product by <J v, w> = <v, J' w>.
 *
 * usage: linearize_test TIME MODEL.mo|MODEL...
 */
#include "runtime/problem/linearise.h"
#include "study/linear/free_states.h"
#include "study/simulation.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 3 };

static uint64_t seed = 1;

/* Between -1 and 1. */
static double drawn(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(seed >> 11 << 1) / 9007199254740992.0 - 1;
}

typedef struct Look {
    Arena *mem;
    double at;
    uint32_t n_looks, n_rows, n_columns, n_implicit;
    double worst, worst_dot;
    bool failed;
} Look;

/* xdot, then outputs; the loops are closed by multipliers. */
static int evaluate(Linearise *l, RungContext *ctx, double t, const double *x, double *v,
                    double *out)
{
    const RungModel *m = ctx->model;
    int status = m->loops ? linearise_at(l, t, x) : 0;
    status = status ? status : m->xdot(ctx, t, x, out);
    status = status ? status : m->outputs(ctx, t, x, v);
    for (uint32_t k = 0; k < m->linearisation->n_outputs && !status; k++)
        out[m->n_states + k] = rung_value(ctx, m->linearisation->output[k], t, x, v);
    return status;
}

static void check_direction(Look *it, Linearise *l, RungContext *ctx, double t, const double *x)
{
    const RungModel *m = ctx->model;
    const RungLinearisation *lin = m->linearisation;
    uint32_t n = m->n_states, n_u = lin->n_inputs, n_rows = n + lin->n_outputs;
    double *d = arena_array(it->mem, double, n + n_u + 1);
    double *at = arena_array(it->mem, double, n + 1),
           *v = arena_array(it->mem, double, m->n_values + 1);
    double *out[4], *exact = arena_array(it->mem, double, n_rows + 1);
    FreeStates f;
    if (!free_states_find(l, m, NULL, &f, it->mem)) {
        it->failed = true;
        return;
    }
    for (uint32_t c = 0; c < f.n_free; c++) {
        double move = drawn();
        for (uint32_t r = 0; r < n; r++)
            d[r] += f.move[(size_t)c * n + r] * move * fmax(m->nominal[f.at[c]], fabs(x[f.at[c]]));
    }
    for (uint32_t k = 0; k < n_u; k++)
        d[n + k] = drawn();
    linearise_forward(l, d, d + n, exact, exact + n);

    /* the transpose */
    double *w = arena_array(it->mem, double, n_rows + 1),
           *back = arena_array(it->mem, double, n + n_u + 1);
    double left = 0, right = 0, size = 0;
    for (uint32_t k = 0; k < n_rows; k++) {
        w[k] = isnan(exact[k]) ? 0 : drawn();
        left += isnan(exact[k]) ? 0 : w[k] * exact[k];
        size += isnan(exact[k]) ? 0 : fabs(w[k] * exact[k]);
    }
    linearise_adjoint(l, w, w + n, back, back + n);
    for (uint32_t k = 0; k < n + n_u; k++) {
        right += back[k] * d[k];
        size += fabs(back[k] * d[k]);
    }
    it->worst_dot = fmax(it->worst_dot, size > 0 ? fabs(left - right) / size : 0);

    /* fourth order: steps of h and 2 h to both sides */
    static const double step[4] = {1, -1, 2, -2};
    const double h = 1e-3; // unknowns of blocks are exact to 1e-9
    for (int k = 0; k < 4; k++) {
        out[k] = arena_array(it->mem, double, n_rows + 1);
        for (uint32_t i = 0; i < n; i++)
            at[i] = x[i] + step[k] * h * d[i];
        for (uint32_t i = 0; i < n_u; i++)
            ctx->u[lin->input[i]] += step[k] * h * d[n + i];
        it->failed = it->failed || evaluate(l, ctx, t, at, v, out[k]);
        for (uint32_t i = 0; i < n_u; i++)
            ctx->u[lin->input[i]] -= step[k] * h * d[n + i];
    }
    for (uint32_t k = 0; k < n_rows; k++) {
        if (isnan(exact[k]))
            continue; // not unique among redundant forces
        double slope = (8 * (out[0][k] - out[1][k]) - (out[2][k] - out[3][k])) / (12 * h);
        double scale = fabs(exact[k]) + fabs(out[0][k]);
        for (uint32_t i = 0; i < n_rows; i++)
            scale = fmax(scale, 1e-3 * fabs(exact[i]));
        double off = fabs(slope - exact[k]) / (scale + 1);
        if (!(off <= 1e-6))
            printf("  row %u: %.12g, by differences %.12g\n", k, exact[k], slope);
        it->worst = isfinite(off) ? fmax(it->worst, off) : INFINITY;
    }
}

static int look(void *user, const RungContext *const_ctx, double t, const double *x,
                const double *v)
{
    Look *it = user;
    RungContext *ctx = (RungContext *)(uintptr_t)const_ctx; // the run is at its end
    (void)v;
    if (t < it->at)
        return 0;
    const RungLinearisation *lin = ctx->model->linearisation;
    Linearise *l = linearise_new(ctx);
    for (uint32_t k = 0; k < DIRECTIONS && l && !it->failed; k++) {
        it->failed = linearise_at(l, t, x) != 0;
        if (!it->failed)
            check_direction(it, l, ctx, t, x);
    }
    it->failed = it->failed || !l;
    linearise_free(l);
    it->n_looks++;
    it->n_rows = ctx->model->n_states + lin->n_outputs;
    it->n_columns = ctx->model->n_states + lin->n_inputs;
    it->n_implicit = lin->n_implicit;
    return 0;
}

static bool check(const char *model, double at)
{
    Arena *mem = arena_new();
    size_t n = strlen(model);
    bool is_file = n > 3 && strcmp(model + n - 3, ".mo") == 0;
    RunRequest r = run_request_defaults();
    r.translation.linearisation = true;
    r.quiet = true;
    if (is_file)
        vec_push(mem, r.translation.files, model);
    else
        r.translation.model = model;
    Simulation s = {0};
    Look it = {.mem = mem, .at = at};
    bool ok = simulation_translate(&s, &r, mem);
    ok = ok && simulation_build(&s, (BuildOptions){0}, mem) && s.build.model->linearisation;
    if (ok) {
        SimulateOptions so = simulation_options(&s);
        SimulateSummary summary;
        so.stop = at;
        so.row = look;
        so.user = &it;
        ok = simulate(s.build.model, &so, &summary) == SIMULATE_OK && it.n_looks > 0 && !it.failed;
        if (!ok)
            printf("  %s\n", summary.error);
    } else if (s.c) {
        compilation_report(s.c, stderr);
    }
    const char *name = strrchr(model, '/');
    printf("%s %s: %u rows, %u columns, %u implicit: %.1e off, %.1e the transpose\n",
           ok && it.worst <= 1e-6 && it.worst_dot <= 1e-12 ? "ok" : "FAILED",
           name ? name + 1 : model, it.n_rows, it.n_columns, it.n_implicit, it.worst, it.worst_dot);
    simulation_free(&s);
    arena_free(mem);
    return ok && it.worst <= 1e-6 && it.worst_dot <= 1e-12;
}

int main(int argc, char **argv)
{
    bool ok = argc > 2;
    for (int k = 2; k < argc; k++)
        ok = check(argv[k], atof(argv[1])) && ok;
    return ok ? 0 : 1;
}
