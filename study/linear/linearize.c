#include "study/linear/linearize.h"

#include "study/linear/steady_state.h"
#include "study/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The point of linearisation, found at a row of a run. */
typedef struct Point {
    const LinearizeRequest *request;
    Simulation *run;
    Arena *mem;
    double at;
    bool is_found;
    double independence; /* of the states that were chosen, linearise_independence */
    LinearSystem system;
    const char *error;
    bool is_silent;         /* no error messages: other states are tried next          */
    bool chooses_pivots;    /* the equations are solved at run time                    */
    bool lacks_derivatives; /* a pivot vanishes there, or something has no derivative  */
} Point;

/* At the row the run is there for, the last of them if it is an event; the run may be over then. */
static int look(void *user, const RungContext *const_ctx, double t, const double *x,
                const double *v)
{
    Point *p = user;
    simulation_look_at_start(p->run, const_ctx, t, x, v);
    if (t < p->at)
        return 0;
    RungContext *ctx = (RungContext *)(uintptr_t)const_ctx; // the run is at its end
    const RungModel *m = ctx->model;
    double *state = arena_array(p->mem, double, m->n_states + 1);
    memcpy(state, x, m->n_states * sizeof *state);
    Linearise *l = linearise_new(ctx);
    p->error = NULL;
    p->is_found = p->lacks_derivatives = false;
    if (!l)
        p->error = "out of memory";
    else if (p->request->is_steady && m->n_states && !m->linearisation->entries)
        p->error = "a steady state needs derivatives, and something in the model has none";
    else if (!p->request->is_steady || steady_state_find(l, ctx, t, state, p->mem, &p->error))
        p->is_found = !linearise_at(l, t, state);
    if (p->is_found)
        p->independence = linearise_independence(l, state);
    if (p->is_found)
        p->is_found =
            linear_system_find(l, ctx, t, state, p->request->states, &p->system, p->mem, &p->error);
    else if (!p->error) {
        p->lacks_derivatives = true;
        p->error = "the derivatives do not exist there";
    }
    linearise_free(l);
    return !p->is_found;
}

static Exit run_to(Simulation *s, Point *p)
{
    const LinearizeRequest *r = p->request;
    const RungModel *m = s->build.model;
    if (!m->linearisation) {
        fputs("rung: something in the model has no derivative, and differences do not close its "
              "kinematic loops\n",
              stderr);
        return EXIT_MODEL;
    }
    SimulateOptions so = simulation_options(s);
    double start = m->experiment.has_start ? m->experiment.start : 0;
    so.stop = p->at = isnan(r->at) ? start : r->at;
    if (so.stop < start) {
        fprintf(stderr, "rung: --at %.9g is before the start of a run, at t = %.9g\n", r->at,
                start);
        return EXIT_USAGE;
    }
    if (m->delays && !r->run.quiet && !p->is_silent)
        fputs("warning: delayed values count as constants: no derivative goes through them\n",
              stderr);
    if (so.stop > start)
        so.interval = so.stop - start;
    so.row = look;
    so.user = p;
    SimulateSummary summary;
    int status = simulate(m, &so, &summary);
    bool is_tried_again = p->is_silent || (p->lacks_derivatives && !p->chooses_pivots);
    if (status != SIMULATE_OK && is_tried_again)
        return (Exit)status;
    if (p->error)
        fprintf(stderr, "rung: t = %.9g: %s\n", p->at, p->error);
    else if (status != SIMULATE_OK)
        fprintf(stderr, "rung: %s\n", summary.error);
    else if (!p->is_found)
        fprintf(stderr, "rung: the run ends at t = %.9g, before t = %.9g\n", summary.t, p->at);
    if (status == SIMULATE_OK && !p->is_found)
        return EXIT_RUN;
    return (Exit)status;
}

/* Independence below which derivatives by the states have lost digits that others would have. */
static const double POOR = 1e-3, NONE_LEFT = 1e-8;

/* *again, on entry: a repetition is possible; on return: the chosen states may be the cause of a
 * failure, and there are others. *lacks: there are no derivatives at the point. */
static Exit attempt(LinearizeRequest *r, LinearSystem *out, bool *again, bool *lacks, Arena *mem)
{
    bool may_be_again = *again;
    Simulation s;
    Exit status = simulation_open_set(&s, &r->run, *again, mem);
    if (status == EXIT_GOOD) {
        // values of structural parameters are modifiers of the model from here on
        r->run.translation.model = s.request.translation.model;
        r->run.set = s.request.set;
    }
    Point p = {.request = r,
               .run = &s,
               .mem = mem,
               .is_silent = may_be_again && s.may_be_redundant,
               .chooses_pivots = r->run.translation.order != NULL};
    bool is_open = status == EXIT_GOOD;
    if (is_open)
        status = run_to(&s, &p);
    bool fails = status == EXIT_RUN || status == EXIT_MODEL;
    bool is_poor = status == EXIT_GOOD && p.independence < POOR;
    *again =
        may_be_again && s.may_be_redundant && (fails || is_poor) && (is_open || !s.build.error);
    if (status == EXIT_GOOD && !*again && s.may_be_redundant && p.independence < NONE_LEFT) {
        fprintf(stderr,
                "rung: t = %.9g: the states that were chosen depend on each other there: "
                "derivatives by them do not exist\n",
                p.at);
        status = EXIT_MODEL;
    }
    if (status == EXIT_GOOD)
        *out = p.system;
    *lacks = p.lacks_derivatives;
    simulation_free(&s);
    return status;
}

/* Where a pivot of an order vanishes at the point, by equations that are solved at run time. */
static Exit linearize_once(LinearizeRequest *r, LinearSystem *out, bool *again, Arena *mem)
{
    bool may_be_again = *again, lacks;
    Exit status = attempt(r, out, again, &lacks, mem);
    if (!lacks || r->run.translation.order)
        return status;
    LinearizeRequest pivoted = *r;
    pivoted.run.translation.order = "numeric";
    *again = may_be_again;
    return attempt(&pivoted, out, again, &lacks, mem);
}

Exit linearize(const LinearizeRequest *asked, LinearSystem *out, Arena *mem)
{
    LinearizeRequest r = *asked;
    r.run.translation.linearisation = true;
    bool again = r.run.translation.loops == LOOPS_DEFAULT;
    Exit status = linearize_once(&r, out, &again, mem);
    if (!again)
        return status;
    if (!r.run.quiet)
        fputs("rung: the states that were chosen depend on each other there: constraints are "
              "closed by multipliers, as by --loops ali3p\n",
              stderr);
    LinearizeRequest cut = r;
    cut.run.translation.loops = LOOPS_ALI3P;
    again = false;
    Exit other = linearize_once(&cut, out, &again, mem);
    // constraints that cannot be cut
    return other == EXIT_MODEL ? linearize_once(&r, out, &again, mem) : other;
}
