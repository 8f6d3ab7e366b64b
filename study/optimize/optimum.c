#include "study/optimize/optimum.h"

#include "study/input_file.h"
#include "study/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Relative to the value of the first run. */
static const double SMALL = 1e-15;

typedef struct Search {
    const OptimizeRequest *r;
    Arena *mem;
    Simulation s;
    const InputData *input;
    uint32_t first_set;             /* the first of s.request.set that is a parameter of these */
    double *start;                  /* per parameter                                 */
    uint32_t *place;                /* of each, among the parameters of the objectives */
    double scale;                   /* of the value                                  */
    double sign;                    /* -1: maximise                                  */
    double *last_u, *last_gradient; /* of the last run: some algorithms evaluate a point twice */
    Optimum *out;
    Exit status;
    bool
        is_trial; /* the adjoint was taken by the number of parameters: a run without one ends it */
} Search;

/* ---- values of the model ---- */

/* The value of a parameter as the model and --set give it, at the first row of a run. */
typedef struct First {
    Search *w;
    const uint32_t *row;
} First;

static int take_start(void *user, const RungContext *ctx, double t, const double *x,
                      const double *v)
{
    const First *f = user;
    for (uint32_t k = 0; k < f->w->r->n; k++)
        f->w->start[k] = rung_value(ctx, f->row[k], t, x, v);
    return 1; // that is all
}

static bool find_start(Search *w)
{
    const RungModel *m = w->s.build.model;
    uint32_t *row = arena_array(w->mem, uint32_t, w->r->n + 1);
    for (uint32_t k = 0; k < w->r->n; k++)
        for (uint32_t i = 0; i < m->n_variables; i++)
            if (strcmp(rung_name(m, i), w->r->bound[k].name) == 0)
                row[k] = i;
    First first = {w, row};
    SimulateOptions so = simulation_options(&w->s);
    SimulateSummary summary;
    so.input = w->input;
    so.progress = PROGRESS_NONE;
    so.row = take_start;
    so.user = &first;
    for (uint32_t k = 0; k < w->r->n; k++)
        w->start[k] = NAN;
    simulate(m, &so, &summary);
    for (uint32_t k = 0; k < w->r->n; k++) {
        if (isnan(w->start[k])) {
            fprintf(stderr, "rung: %s\n", summary.error);
            w->status = EXIT_RUN;
            return false;
        }
        if (!(w->start[k] >= w->r->bound[k].low && w->start[k] <= w->r->bound[k].high)) {
            fprintf(stderr,
                    "rung: '%s' is %.9g, where the search begins, which is not between %.9g and "
                    "%.9g; --set gives it another value\n",
                    w->r->bound[k].name, w->start[k], w->r->bound[k].low, w->r->bound[k].high);
            w->status = EXIT_MODEL;
            return false;
        }
    }
    return true;
}

/* Finds the places of the derivatives by the parameters. */
static bool find_places(Search *w)
{
    const Objectives *g = &w->out->objectives;
    for (uint32_t k = 0; k < w->r->n; k++) {
        uint32_t at = 0;
        while (at < g->n_parameters && strcmp(g->parameter[at], w->r->bound[k].name) != 0)
            at++;
        w->place[k] = at;
        if (at < g->n_parameters)
            continue;
        fprintf(stderr, "rung: '%s' does not depend on '%s'\n", g->each.at[0].text,
                w->r->bound[k].name);
        return false;
    }
    return true;
}

/* ---- the search ---- */

static void tell(const Search *w)
{
    if (w->r->report)
        w->r->report(w->r->user, w->out);
}

static bool is_better(const Search *w, double a, double b)
{
    return w->sign * a < w->sign * b;
}

/* The objective of the last run. u: 0 at the lower bound, 1 at the upper one. */
static double value_again(const Search *w, double *gradient)
{
    if (gradient)
        memcpy(gradient, w->last_gradient, w->r->n * sizeof *gradient);
    return w->sign * w->scale * w->out->history.at[w->out->history.n - 1].value;
}

static double value(void *user, const double *u, double *gradient, bool *stop)
{
    Search *w = user;
    if (w->out->history.n && !memcmp(u, w->last_u, w->r->n * sizeof *u))
        return value_again(w, gradient);
    double *x = arena_array(w->mem, double, w->r->n + 1);
    for (uint32_t k = 0; k < w->r->n; k++) {
        x[k] = fmin(fmax(w->r->bound[k].low + u[k] * (w->r->bound[k].high - w->r->bound[k].low),
                         w->r->bound[k].low),
                    w->r->bound[k].high);
        w->s.request.set.at[w->first_set + k] =
            arena_printf(w->mem, "%s=%.17g", w->r->bound[k].name, x[k]);
    }
    SimulateOptions so = simulation_options(&w->s);
    SimulateSummary summary;
    so.input = w->input;
    so.progress = PROGRESS_NONE;
    w->status = objectives_run(&w->out->objectives, w->s.build.model, so, &summary);
    w->out->method = summary.method;
    const Objective *it = &w->out->objectives.each.at[0];
    if (w->status != EXIT_GOOD && w->status != EXIT_INTERRUPTED && w->is_trial) {
        *stop = true;
        return 0;
    }
    if (w->status != EXIT_GOOD)
        fprintf(stderr, "rung: %s\n", w->out->objectives.why);
    if (w->status == EXIT_GOOD && !isfinite(it->value)) {
        fprintf(stderr, "rung: '%s' is not finite\n", it->text);
        w->status = EXIT_RUN;
    }
    if (w->status != EXIT_GOOD) {
        fputs("rung: this was the run with", stderr);
        for (uint32_t k = 0; k < w->r->n; k++)
            fprintf(stderr, "%s %s = %.9g", k ? "," : "", w->r->bound[k].name, x[k]);
        fputc('\n', stderr);
        *stop = true;
        return 0;
    }
    OptimumPoint p = {it->value, x};
    vec_push(w->mem, w->out->history, p);
    if (w->out->history.n == 1)
        w->scale = p.value != 0 ? 1 / fabs(p.value) : 1;
    if (is_better(w, p.value, w->out->history.at[w->out->best].value))
        w->out->best = w->out->history.n - 1;
    tell(w);
    memcpy(w->last_u, u, w->r->n * sizeof *u);
    for (uint32_t k = 0; k < w->r->n; k++) {
        w->out->matters[k] = w->out->matters[k] || it->gradient[w->place[k]] != 0;
        w->last_gradient[k] = w->sign * w->scale * it->gradient[w->place[k]] *
                              (w->r->bound[k].high - w->r->bound[k].low);
    }
    return value_again(w, gradient);
}

static Exit search(Search *w)
{
    const OptimizeRequest *r = w->r;
    Optimum *out = w->out;
    uint32_t n = r->n;
    if (!objectives_find(&out->objectives, w->s.build.model) || !find_places(w))
        return EXIT_MODEL;
    if (r->run.input &&
        !(w->input = input_file_read(&r->run, w->s.build.model, w->mem, &w->status)))
        return w->status;
    if (!find_start(w))
        return w->status;
    out->matters = arena_array(w->mem, bool, n + 1);
    w->last_u = arena_array(w->mem, double, n + 1);
    w->last_gradient = arena_array(w->mem, double, n + 1);
    double *u = arena_array(w->mem, double, n + 1);
    double *zero = arena_array(w->mem, double, n + 1);
    double *one = arena_array(w->mem, double, n + 1);
    Texts set = {0};
    for (uint32_t k = 0; k < w->s.request.set.n; k++)
        vec_push(w->mem, set, w->s.request.set.at[k]);
    w->first_set = set.n;
    for (uint32_t k = 0; k < n; k++) {
        const Bound *b = &r->bound[k];
        one[k] = 1;
        u[k] = (w->start[k] - b->low) / (b->high - b->low);
        vec_push(w->mem, set, "");
    }
    w->s.request.set = set;
    tell(w);
    Minimum m = {.n = n,
                 .low = zero,
                 .high = one,
                 .x = u,
                 .x_tolerance = OPTIMUM_CLOSE,
                 .f_tolerance = SMALL,
                 .most = r->most,
                 .value = value,
                 .user = w};
    w->status = EXIT_GOOD;
    out->ending = nlopt_minimum(out->algorithm, &m);
    if (w->status != EXIT_GOOD)
        return w->status;
    return out->ending == MINIMUM_FOUND || out->ending == MINIMUM_ROUNDING ? EXIT_GOOD : EXIT_RUN;
}

static const char *names(const OptimizeRequest *r, Arena *mem)
{
    const char *all = "";
    for (uint32_t k = 0; k < r->n; k++)
        all = arena_printf(mem, "%s%s%s", all, k ? "," : "", r->bound[k].name);
    return all;
}

/* The model with derivatives by this mode; by the number of parameters, along the run where it has
 * no adjoint. */
static Exit open(Search *w, RunRequest run, GradientMode mode)
{
    RunRequest with = run;
    objectives_choose_mode(mode, &with);
    Exit status = simulation_open_set(&w->s, &with, false, w->mem);
    w->is_trial = with.is_trial;
    if (!with.is_trial || status == EXIT_INTERRUPTED || status == EXIT_GOOD)
        return status;
    simulation_free(&w->s);
    return open(w, run, GRADIENT_DIRECT);
}

/* *is_trial: if a run has no gradient, another mode is to be tried. */
static Exit optimize_by(const OptimizeRequest *r, GradientMode mode, Optimum *out, bool *is_trial,
                        Arena *mem)
{
    *out = (Optimum){.objectives = objectives_read(r->objective, mem),
                     .algorithm = r->algorithm ? r->algorithm : "slsqp"};
    Search w = {.r = r, .mem = mem, .sign = r->is_maximum ? -1 : 1, .out = out};
    w.start = arena_array(mem, double, r->n + 1);
    w.place = arena_array(mem, uint32_t, r->n + 1);
    RunRequest run = r->run;
    run.translation.objective = r->objective;
    run.translation.sensitivity_by = names(r, mem);
    run.translation.sensitivity_of = objectives_variables(&out->objectives);
    Exit status = open(&w, run, mode);
    if (status == EXIT_GOOD) {
        const char *model = w.s.request.translation.model;
        out->model = arena_copy(mem, model, strlen(model));
        status = search(&w);
    }
    *is_trial = w.is_trial;
    simulation_free(&w.s);
    return status;
}

Exit optimize(const OptimizeRequest *r, Optimum *out, Arena *mem)
{
    *out = (Optimum){.objectives = objectives_read(r->objective, mem)};
    if (out->objectives.each.n != 1) {
        fputs("rung: optimize takes one objective\n", stderr);
        return EXIT_USAGE;
    }
    if (!nlopt_is_there()) {
        fputs("rung: optimize searches by NLopt (libnlopt0), which cannot be loaded, or was not "
              "there when rung was built (libnlopt-dev)\n",
              stderr);
        return EXIT_FILE;
    }
    bool is_trial;
    Exit status = optimize_by(r, r->mode, out, &is_trial, mem);
    if (status == EXIT_GOOD || status == EXIT_INTERRUPTED || !is_trial || !out->objectives.why)
        return status;
    fprintf(stderr, "rung: %s; once more with --mode direct\n", out->objectives.why);
    return optimize_by(r, GRADIENT_DIRECT, out, &is_trial, mem);
}
