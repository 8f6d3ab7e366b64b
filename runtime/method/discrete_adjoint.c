/* SPDX-License-Identifier: BSD-3-Clause */
#include "discrete_adjoint.h"
#include "crossing.h"
#include "input.h"
#include "iteration_matrix.h"
#include "loop_adjoint.h"
#include "rung_saltation_adjoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one objective: its derivatives by the present state, kept values and shared values. Those by
 * values of the present step: its stages, its beginning, its end, and the state inside of it at an
 * event that does not end it. */
typedef struct Bars {
    double *state, *kept, *shared; /* the last two one behind the other */
    double *stage, *begin, *end, *inside;
    bool has_cut, has_inside;
} Bars;

struct AdjointSweep {
    Run *run;
    const RungAdjoint *a;
    const TapeMark *mark; /* per objective */
    LoopAdjoint *loops;   /* NULL: none are closed */
    IterationMatrix matrix;
    bool has_matrix, is_factored;
    double gamma, t_matrix; /* as factored; where J is of */
    uint32_t n;
    double *memory;           /* of the three numbers below, and of all bars */
    double *out;              /* of the products                             */
    Bars *of;                 /* per objective                               */
    double *s, *m, *r, *mine; /* per stage; one stage each            */
    RungEventAdjoint event;   /* the rules of events                  */
    uint32_t *relation;       /* n_events: index of each in memory    */
};

/* Of each relation its index in memory; NULL when out of memory. */
static uint32_t *relations_of(const RungModel *m)
{
    uint32_t *of = calloc(m->n_events + (size_t)1, sizeof *of), n = 0;
    for (uint32_t k = 0; of && m->event && k < m->event->n_memory && n < m->n_events; k++)
        if (m->event->memory[k].kind == RUNG_RELATION)
            of[n++] = k;
    return of;
}

AdjointSweep *adjoint_new(const Run *run)
{
    const RungModel *model = run->problem.model;
    const RungAdjoint *a = model->adjoint;
    AdjointSweep *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    *it = (AdjointSweep){.a = a, .n = model->n_states};
    size_t n = it->n, of = a->n_objectives, rest = rung_n_rest(a);
    size_t per = (TAPE_STAGES + 4) * n + rest, n_out = n + rest + a->n_loop_weights + 1;
    size_t own = (TAPE_STAGES + 8) * n + n_out + n + rest + 1;
    it->memory = calloc(own + of * per + 1, sizeof *it->memory);
    it->of = calloc(of + 1, sizeof *it->of);
    RungEventAdjoint *e = &it->event;
    e->g_begin = calloc(3 * (model->n_events + (size_t)1), sizeof *e->g_begin);
    e->relation = it->relation = relations_of(model);
    it->loops = run->problem.loops ? loop_adjoint_new(&run->problem) : NULL;
    if (!it->memory || !it->of || !e->g_begin || !it->relation ||
        (run->problem.loops && !it->loops)) {
        adjoint_free(it);
        return NULL;
    }
    e->g = e->g_begin + model->n_events + 1;
    e->g_by_inputs = e->g + model->n_events + 1;
    double *at = it->memory;
    it->s = at;
    it->m = (at += TAPE_STAGES * n);
    it->r = (at += n);
    it->mine = (at += n);
    e->before = (at += n);
    e->behind = (at += n);
    e->at_begin[0] = (at += n);
    e->at_begin[1] = (at += n);
    it->out = e->out = (at += n);
    e->cause = (at += n_out);
    at += n + rest + 1;
    for (size_t k = 0; k < of; k++) {
        Bars *b = &it->of[k];
        b->state = at;
        b->kept = (at += n);
        b->shared = (at += a->n_kept);
        b->stage = (at += a->n_shared);
        b->begin = (at += TAPE_STAGES * n);
        b->end = (at += n);
        b->inside = (at += n);
        at += n;
    }
    return it;
}

void adjoint_free(AdjointSweep *it)
{
    if (!it)
        return;
    free(it->memory);
    free(it->of);
    free(it->event.g_begin);
    free(it->relation);
    loop_adjoint_free(it->loops);
    if (it->has_matrix)
        iteration_matrix_close(&it->matrix);
    free(it);
}

static int fail(AdjointSweep *it, double t, const char *why)
{
    snprintf(it->run->problem.why, sizeof it->run->problem.why, "no adjoint at t = %.9g: %s", t,
             why);
    return 1;
}

/* ---- products ---- */

static double *weights_of(const AdjointSweep *it)
{
    return rung_adjoint_weights(it->run->problem.ctx);
}

/* The reason is in the problem's why. */
static int fail_as_said(AdjointSweep *it, double t)
{
    char why[256];
    snprintf(why, sizeof why, "%.255s", it->run->problem.why);
    return fail(it, t, why);
}

static int find_product(AdjointSweep *it, double t, const double *x)
{
    if (it->loops)
        return loop_adjoint_product(it->loops, &it->run->problem, t, x, it->out)
                   ? fail_as_said(it, t)
                   : 0;
    problem_refresh(&it->run->problem, t, x);
    if (it->a->product(it->run->problem.ctx, t, x, it->out))
        return fail(it, t, "the model cannot be evaluated");
    return 0;
}

/* it->out := the product with the weights of the states; of objective k alone if w is NULL. */
static int multiply(AdjointSweep *it, double t, const double *x, const double *w, uint32_t k)
{
    double *u = weights_of(it);
    if (w)
        memcpy(u, w, it->n * sizeof *u);
    else
        u[it->n + k] = 1;
    return find_product(it, t, x);
}

/* times: those behind the states in it->out. */
static void add_rest(const AdjointSweep *it, Bars *b, double times)
{
    const double *restrict rest = it->out + it->n;
    double *restrict to = b->kept;
    size_t n = rung_n_rest(it->a);
    for (size_t c = 0; c < n; c++)
        to[c] += times * rest[c];
}

static void set_memory(const AdjointSweep *it, const double *memory)
{
    const RungModel *m = it->run->problem.model;
    if (m->event)
        memcpy(it->run->problem.ctx->u + m->n_inputs, memory, m->event->n_memory * sizeof *memory);
}

/* The unknowns of blocks, behind the states, are first guesses. */
static void set_guess(const AdjointSweep *it, const double *state)
{
    const RungModel *m = it->run->problem.model;
    memcpy(it->run->problem.ctx->z, state + it->n, m->n_unknowns * sizeof *state);
}

/* By the parameters, of the derivatives by the states and kept values at the start (NULL: none),
 * and by shared values. */
static int by_parameters(AdjointSweep *it, const Tape *tape, const double *state,
                         const double *kept, const double *shared, double *gradient)
{
    const RungAdjoint *a = it->a;
    RungContext *ctx = it->run->problem.ctx;
    double *u = weights_of(it);
    if (state)
        memcpy(u, state, it->n * sizeof *u);
    u += it->n + a->n_objectives + a->n_loop_weights + a->n_relations + a->n_actions;
    if (kept)
        memcpy(u, kept, a->n_kept * sizeof *u);
    u += a->n_kept;
    memcpy(u, shared, a->n_shared * sizeof *u);
    u += a->n_shared;
    for (uint32_t i = 0; i < a->n_dependent; i++)
        u[i] = !ctx->is_set[a->dependent[i]];
    set_memory(it, tape->memory_start);
    set_guess(it, tape->start);
    problem_refresh(&it->run->problem, tape->t_start, tape->start);
    if (a->by_parameter(ctx, tape->t_start, tape->start, gradient))
        return fail(it, tape->t_start, "the start cannot be evaluated");
    return 0;
}

/* ---- steps ---- */

/* Of the iteration, of the right-hand side. */
static double largest(uint32_t n, const double *v)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(v[i]) <= most))
            most = fabs(v[i]);
    return most;
}

/* The matrix of stages with this gamma, of J at (t, x) if that is to be another one. */
static int renew(AdjointSweep *it, double t, const double *x, double gamma, bool with_jacobian)
{
    Problem *p = &it->run->problem;
    if (!it->has_matrix && !iteration_matrix_open(&it->matrix, p, it->n))
        return fail(it, t, "out of memory");
    it->has_matrix = true;
    it->is_factored = (!with_jacobian || !iteration_matrix_renew(&it->matrix, p, t, x)) &&
                      iteration_matrix_factor(&it->matrix, p, gamma);
    it->gamma = gamma;
    it->t_matrix = with_jacobian ? t : it->t_matrix;
    return it->is_factored ? 0 : fail(it, t, "its matrix is singular");
}

/* it->m of (1 - gamma f_x)' m = r, it->out with it. */
static int solve(AdjointSweep *it, double t, const double *x, double gamma, const double *r)
{
    enum { ROUNDS = 40 };
    static const double CLOSE = 1e-15;
    // a rate of convergence that requires another J; steps of another length, for other factors
    static const double STALE = 0.01, OTHER = 0.02;
    uint32_t n = it->n;
    double size = largest(n, r), *left = it->r, before = INFINITY;
    int status = 0;
    if (!it->is_factored || fabs(gamma - it->gamma) > OTHER * gamma)
        status = renew(it, t, x, gamma, !it->is_factored);
    memset(it->m, 0, n * sizeof *it->m);
    memcpy(left, r, n * sizeof *left);
    for (int round = 0; round < ROUNDS && !status; round++) {
        iteration_matrix_solve_transposed(&it->matrix, left);
        for (uint32_t i = 0; i < n; i++)
            it->m[i] += left[i];
        status = multiply(it, t, x, it->m, 0);
        for (uint32_t i = 0; i < n; i++)
            left[i] = r[i] + gamma * it->out[i] - it->m[i];
        double now = largest(n, left), scale = size + largest(n, it->m);
        if (!isfinite(now))
            return status ? status : fail(it, t, "a derivative is not finite");
        // the last digits go up and down
        if (now <= CLOSE * scale || (now >= before / 2 && now <= 1e2 * CLOSE * scale))
            return status;
        if (now > STALE * before && it->t_matrix != t)
            status = status ? status : renew(it, t, x, gamma, true);
        before = now;
    }
    return status ? status : fail(it, t, "the equations of an implicit stage are not solved");
}

/* What the state inside of a step gives to its stages and its beginning: `bar` is by that state. */
static int cut_back(AdjointSweep *it, const TapeRecord *r, const double *bar, Bars *b)
{
    const TapeCut *cut = r->cut;
    uint32_t n = it->n;
    if (!b->has_cut) {
        memset(b->stage, 0, TAPE_STAGES * (size_t)n * sizeof *b->stage);
        memset(b->begin, 0, n * sizeof *b->begin);
        memset(b->end, 0, n * sizeof *b->end);
    }
    b->has_cut = true;
    for (uint32_t c = 0; c < n; c++) {
        b->begin[c] += (1 - cut->of_end) * bar[c];
        b->end[c] += cut->of_end * bar[c];
        for (uint32_t j = 0; j < TAPE_STAGES; j++)
            b->stage[(size_t)j * n + c] += cut->dense[j] * bar[c];
    }
    for (uint32_t k = 0; k < cut->n_follows; k++) {
        const TapeFollow *f = &cut->follow[k];
        for (uint32_t c = 0; c < n; c++)
            it->mine[c] = f->factor[c] * bar[c];
        set_guess(it, r->state);
        int status = solve(it, f->t, f->x, f->gamma, it->mine);
        if (status)
            return status;
        add_rest(it, b, f->gamma);
        for (uint32_t c = 0; c < n; c++) {
            b->begin[c] += it->m[c] - it->mine[c];
            for (uint32_t j = 0; j < TAPE_STAGES; j++)
                b->stage[(size_t)j * n + c] += f->base[j] * it->m[c] - f->dense[j] * it->mine[c];
        }
    }
    return 0;
}

/* Back over the solutions that have closed loops: bar, by the states behind them. */
static int closing_back(AdjointSweep *it, double t, const LoopTrace *trace, double gamma,
                        double *bar, Bars *b)
{
    Problem *p = &it->run->problem;
    return loop_adjoint_back(it->loops, p, t, trace, gamma, bar, b->kept) ? fail_as_said(it, t) : 0;
}

/* With closed loops: stage i is where the sum of its formula has been closed, b_j = a_nj, and the
 * bars in it->s are by these sums. */
static int closed_step_back(AdjointSweep *it, const Tape *tape, const TapeRecord *step, Bars *b)
{
    const TapeFormula *f = &tape->formula;
    uint32_t n = it->n;
    double h = step->h, *r = it->mine;
    for (uint32_t i = f->n; i-- > 0;) {
        double *s = it->s + (size_t)i * n, t = step->t_stage[i];
        bool any = false;
        for (uint32_t c = 0; c < n; c++) {
            double sum = b->has_cut ? b->stage[(size_t)i * n + c] : 0;
            for (uint32_t j = i + 1; j < f->n; j++)
                sum += f->a[j][i] * it->s[(size_t)j * n + c];
            r[c] = h * sum;
            any = any || r[c] != 0;
            s[c] = i + 1 < f->n ? 0 : b->state[c] + (b->has_cut ? b->end[c] : 0);
        }
        int status = any ? multiply(it, t, tape_stage_of(tape, step, i), r, 0) : 0;
        if (status)
            return status;
        for (uint32_t c = 0; c < n && any; c++)
            s[c] += it->out[c];
        if (any)
            add_rest(it, b, 1);
        status = closing_back(it, t, &step->trace[i], h * f->a[i][i], s, b);
        if (status)
            return status;
    }
    for (uint32_t c = 0; c < n; c++) {
        b->state[c] = b->has_cut ? b->begin[c] : 0;
        for (uint32_t i = 0; i < f->n; i++)
            b->state[c] += it->s[(size_t)i * n + c];
    }
    b->has_cut = false;
    return 0;
}

static int step_back(AdjointSweep *it, const Tape *tape, const TapeRecord *step, Bars *b)
{
    if (it->loops)
        return closed_step_back(it, tape, step, b);
    const TapeFormula *f = &tape->formula;
    uint32_t n = it->n;
    double h = step->h, *r = it->mine, *l = b->state;
    for (uint32_t i = f->n; i-- > 0;) {
        bool any = false;
        for (uint32_t c = 0; c < n; c++) {
            double sum = f->b[i] * l[c];
            if (b->has_cut)
                sum += b->stage[(size_t)i * n + c];
            for (uint32_t j = i + 1; j < f->n; j++)
                sum += f->a[j][i] * it->s[(size_t)j * n + c];
            r[c] = h * sum;
            any = any || r[c] != 0;
        }
        double *s = it->s + (size_t)i * n, gamma = h * f->a[i][i], t = step->t_stage[i];
        memset(s, 0, n * sizeof *s);
        if (!any)
            continue;
        const double *at = tape_stage_of(tape, step, i);
        set_guess(it, at);
        int status = gamma == 0 ? multiply(it, t, at, r, 0) : solve(it, t, at, gamma, r);
        if (status)
            return status;
        memcpy(s, it->out, n * sizeof *s);
        add_rest(it, b, 1);
    }
    for (uint32_t c = 0; c < n && b->has_cut; c++)
        l[c] += b->begin[c];
    for (uint32_t i = 0; i < f->n; i++)
        for (uint32_t c = 0; c < n; c++)
            l[c] += it->s[(size_t)i * n + c];
    b->has_cut = false;
    return 0;
}

/* ---- events ---- */

/* The reason in the problem's why, with the time. */
static int explained(AdjointSweep *it, double t, int status)
{
    const RungEventAdjoint *e = &it->event;
    if (!status)
        return 0;
    if (e->why != e->fault.why)
        return fail(it, t, e->why);
    crossing_explain(&it->run->problem, e->fault.of, e->why);
    return fail_as_said(it, t);
}

static RungTapeState place_of(const AdjointSweep *it, const double *state, const double *memory)
{
    return (RungTapeState){.x = state, .memory = memory, .z = state + it->n};
}

/* Record i, an event, and the step in which it has been found. */
static RungPassed passed(const AdjointSweep *it, const Tape *tape, size_t i)
{
    const TapeEvent *e = tape->record[i]->event;
    const RungAction *all = it->run->problem.model->event->action;
    RungPassed to = {.t = tape->record[i]->t,
                     .is_timed = e->is_timed,
                     .here = place_of(it, e->state, e->before),
                     .behind = place_of(it, e->state_after, e->after)};
    for (uint32_t k = 0; k < e->n_rounds; k++)
        for (uint32_t j = 0; j < e->round[k].n_actions; j++)
            to.sets = to.sets || all[e->round[k].action[j]].kind == RUNG_REINIT;
    while (i-- > 0 && !to.has_begin) {
        const TapeRecord *step = tape->record[i];
        if (step->kind == TAPE_EVENT && !step->keeps_step)
            break;
        if (step->kind != TAPE_STEP)
            continue;
        to.has_begin = true;
        to.begin_t = step->t - step->h;
        to.begin = step->begin;
        to.begin_z = step->begin + it->n;
    }
    return to;
}

/* Whether two derivatives by states, kept and shared values are the same; by shared values both are
 * made derivatives by parameters, as b and 2*b may be two of them. */
static int compare(AdjointSweep *it, const Tape *tape, const double *one, const double *other,
                   bool *same)
{
    const RungAdjoint *a = it->a;
    size_t n = it->n + (size_t)a->n_kept, n_all = n + a->n;
    double *both = calloc(2 * n_all + 1, sizeof *both);
    int status = both ? 0 : fail(it, tape->t_start, "out of memory");
    for (int k = 0; k < 2 && !status; k++) {
        const double *from = k ? other : one;
        memcpy(both + k * n_all, from, n * sizeof *both);
        status = by_parameters(it, tape, NULL, NULL, from + n, both + k * n_all + n);
    }
    *same = status || rung_are_alike(n_all, both, both + n_all);
    free(both);
    return status;
}

/* it->event.cause := -dt/d(states, kept and shared values) of the time at which relations change,
 * in one way. */
static int find_causes(AdjointSweep *it, const Tape *tape, const RungPassed *p, const TapeEvent *e)
{
    static const char *const other = "changes at the same time as something else that may depend "
                                     "on parameters in another way (--mode direct)";
    RungEventAdjoint *event = &it->event;
    int status = rung_look_at_event(event, p);
    for (uint32_t k = 0; k < e->n_crossings && !status && !event->fault.why; k++) {
        bool same = true;
        status = rung_find_cause(event, p, e->crossing[k], e->size[k]);
        if (status || event->fault.why)
            break;
        if (!event->is_first && compare(it, tape, event->out, event->cause, &same))
            return 1;
        rung_add_cause(event, p, e->crossing[k], same ? NULL : other);
    }
    return explained(it, p->t, status ? status : rung_end_causes(event, p));
}

/* Adds to *bar_t the derivative by the time of the event. */
static int round_back(AdjointSweep *it, double t, const TapeRound *round, double *state, Bars *b,
                      double *bar_t)
{
    const RungContext *ctx = it->run->problem.ctx;
    const RungTapeState place = place_of(it, round->state, round->memory);
    double *u = rung_event_weights(ctx);
    int any = 0;
    for (uint32_t k = 0; k < round->n_actions; k++) {
        if (ctx->model->event->action[round->action[k]].kind != RUNG_REINIT)
            continue;
        any = 1;
        rung_weigh_action(ctx, u, round->action[k], state);
    }
    return explained(it, t, rung_round_back(&it->event, t, &place, u, any, state, b->kept, bar_t));
}

/* Of one objective. An event that does not end the step changes no state; the derivatives by the
 * state at the event are b->inside. */
static int event_back(AdjointSweep *it, const TapeRecord *r, Bars *b)
{
    const TapeEvent *e = r->event;
    bool has_cause = it->event.has_cause;
    uint32_t n = it->n;
    double *state = b->state, bar_t = 0;
    if (has_cause && !r->keeps_step)
        bar_t = -rung_dot(n, it->event.behind, state);
    if (r->keeps_step) {
        state = b->inside;
        if (!b->has_inside)
            memset(state, 0, n * sizeof *state);
        b->has_inside = true;
        memcpy(it->mine, state, n * sizeof *state);
        memset(state, 0, n * sizeof *state);
    }
    for (uint32_t k = e->n_rounds; k-- > 0;) {
        int status = round_back(it, r->t, &e->round[k], state, b, &bar_t);
        if (status)
            return status;
    }
    if (has_cause)
        rung_cause_back(&it->event, bar_t, state, b->kept);
    for (uint32_t c = 0; c < n && r->keeps_step; c++)
        state[c] += it->mine[c];
    return 0;
}

static int all_events_back(AdjointSweep *it, const Tape *tape, size_t i)
{
    const TapeRecord *r = tape->record[i];
    const TapeEvent *e = r->event;
    int status = 0;
    it->event.ctx = it->run->problem.ctx;
    it->event.by = crossing_evaluation(&it->run->problem);
    it->event.tolerance = it->run->tolerance;
    it->event.has_cause = false;
    if (e->n_crossings) {
        const RungPassed p = passed(it, tape, i);
        status = find_causes(it, tape, &p, e);
    }
    for (uint32_t k = 0; k < it->a->n_objectives && !status; k++)
        status = event_back(it, r, &it->of[k]);
    set_memory(it, e->before);
    return status;
}

/* ---- the whole ---- */

int adjoint_begin(AdjointSweep *it, Run *run, const Tape *tape)
{
    int status = 0;
    it->run = run;
    it->mark = tape->mark;
    for (uint32_t k = 0; k < it->a->n_objectives && !status; k++) {
        if (it->mark[k].cut)
            continue;
        status = multiply(it, run->t, run->x, NULL, k);
        memcpy(it->of[k].state, it->out, it->n * sizeof *it->out);
        add_rest(it, &it->of[k], 1);
    }
    return status;
}

/* An extremum: the rate of the variable is zero, or the time is that of the start or the stop. */
static int mark_back(AdjointSweep *it, uint32_t k)
{
    const TapeRecord *cut = it->mark[k].cut;
    set_guess(it, cut->state);
    int status = multiply(it, cut->t, cut->state, NULL, k);
    if (status)
        return status;
    memcpy(it->event.before, it->out, it->n * sizeof *it->out);
    add_rest(it, &it->of[k], 1);
    status = cut->trace ? closing_back(it, cut->t, cut->trace, 0, it->event.before, &it->of[k]) : 0;
    return status ? status : cut_back(it, cut, it->event.before, &it->of[k]);
}

/* Of all objectives: they share the matrix of a step. */
static int record_back(AdjointSweep *it, const Tape *tape, size_t i)
{
    const TapeRecord *r = tape->record[i];
    uint32_t n = it->n;
    int status = 0;
    inputs_go(it->run->problem.inputs, r->place);
    // solutions of blocks depend in their last bits on those before: not on how far back these go
    if (it->run->problem.model->n_blocks && !context_forget(it->run->problem.ctx))
        return fail(it, r->t, "out of memory");
    if (r->kind == TAPE_EVENT)
        return all_events_back(it, tape, i);
    for (uint32_t k = 0; k < it->a->n_objectives && !status; k++) {
        Bars *b = &it->of[k];
        // by the state at the event, inside of the step or at its end
        double *bar = r->keeps_step ? b->inside : b->state;
        if (r->kind == TAPE_CLOSING) {
            if (!r->keeps_step || b->has_inside)
                status = closing_back(it, r->t, r->trace, 0, bar, b);
            continue;
        }
        if (r->kind == TAPE_CUT) {
            if (!r->keeps_step || b->has_inside)
                status = cut_back(it, r, bar, b);
            if (!r->keeps_step)
                memset(b->state, 0, n * sizeof *b->state);
            b->has_inside = false;
            continue;
        }
        for (uint32_t c = 0; c < n && b->has_inside; c++)
            b->state[c] += b->inside[c];
        b->has_inside = false;
        if (it->mark[k].cut && it->mark[k].step == tape->from + i)
            status = mark_back(it, k);
        status = status ? status : step_back(it, tape, r, b);
    }
    return status;
}

int adjoint_back(AdjointSweep *it, Run *run, const Tape *tape)
{
    int status = 0;
    it->run = run;
    for (size_t i = tape->n; i-- > 0 && !status;)
        status = record_back(it, tape, i);
    return status;
}

static int gradient_of(AdjointSweep *it, const Tape *tape, Bars *b, double *gradient)
{
    const RungAdjoint *a = it->a;
    int status = 0;
    set_memory(it, tape->memory_start);
    if (it->loops)
        status = closing_back(it, tape->t_start, &tape->start_trace, 0, b->state, b);
    status = status ? status : by_parameters(it, tape, b->state, b->kept, b->shared, gradient);
    for (uint32_t i = 0; i < a->n && !status; i++)
        if (!isfinite(gradient[i])) {
            snprintf(it->run->problem.why, sizeof it->run->problem.why,
                     "the derivative by '%s' is not finite", a->name[i]);
            return 1;
        }
    return status;
}

int adjoint_end(AdjointSweep *it, Run *run, const Tape *tape, double *gradient)
{
    int status = 0;
    it->run = run;
    for (uint32_t k = 0; k < it->a->n_objectives && !status; k++)
        status = gradient_of(it, tape, &it->of[k], gradient + (size_t)k * it->a->n);
    return status;
}
