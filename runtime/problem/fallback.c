/* SPDX-License-Identifier: BSD-3-Clause */
#include "fallback.h"
#include "delay.h"
#include "external.h"
#include "rates_along.h"
#include "rung_relation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot this small against its terms has lost half of the digits; one of the larger size loses
 * those that a tight tolerance asks for. */
static const double LEAST = 1e-8, LEAST_IF_TIGHT = 1e-5;
/* The rounding of a quotient may reach this share of the tolerance. */
static const double ROUNDING = 1.0 / 40;

/* A point at which the blocks were solved, and their unknowns there. */
typedef struct Solved {
    bool is_known;
    double t, *x, *z;
    double *between, *z_between; /* of the way from here */
} Solved;

typedef struct Fallback {
    const RungModel *model;
    RungContext *ctx;
    double *v;         /* its values */
    double *other, *z; /* derivatives with other values of undetermined unknowns; these unknowns */
    Solved last;       /* before now                                           */
    bool tried;        /* to get it */
    bool failed_last;  /* it failed last */
    bool is_guessed;   /* first guesses were sought in the first one's last solution */
    double least;      /* pivots below this share of their terms count as vanished */
    uint32_t n_vain;   /* times that the blocks solved numerically had no more digits */
} Fallback;

struct Fallback *fallback_new(RungContext *ctx, double tolerance)
{
    Fallback *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->least = fmin(fmax(DBL_EPSILON / (ROUNDING * tolerance), LEAST), LEAST_IF_TIGHT);
    ctx->least = f->least;
    return f;
}

void fallback_delete(struct Fallback *f)
{
    if (f) {
        context_free(f->ctx);
        free(f->v);
        free(f->other);
        free(f->z);
        free(f->last.x);
        free(f->last.z);
        free(f->last.between);
        free(f->last.z_between);
    }
    free(f);
}

const RungContext *fallback_that_failed(const Problem *problem)
{
    return problem->fallback && problem->fallback->failed_last ? problem->fallback->ctx
                                                               : problem->ctx;
}

static uint32_t n_remembered(const RungModel *m)
{
    return m->n_inputs + (m->event ? m->event->n_memory : 0);
}

/* The second model, with everything in the place where the first has it. */
static bool get(Problem *problem)
{
    Fallback *f = problem->fallback;
    const RungModel *m = problem->model;
    if (f->tried)
        return f->ctx;
    f->tried = true;
    if (m->fallback)
        f->model = m->fallback;
    else if (problem->make_fallback)
        f->model = problem->make_fallback(problem->make_fallback_user);
    const RungModel *other = f->model;
    if (other && other->fill)
        other->fill();
    if (!other || other->n_states != m->n_states || other->n_parameters != m->n_parameters ||
        other->n_variables != m->n_variables || other->n_events != m->n_events ||
        other->n_strings != m->n_strings || other->n_objects != m->n_objects ||
        n_remembered(other) != n_remembered(m))
        return false;
    f->v = calloc(other->n_values + (size_t)1, sizeof *f->v);
    f->ctx = f->v ? context_new(other) : NULL;
    if (!f->ctx)
        return false;
    f->ctx->files = problem->ctx->files;
    context_share_texts(f->ctx, problem->ctx);
    f->ctx->message = problem->ctx->message;
    f->ctx->warn_to = problem->ctx->warn_to;
    // free parameters have been found by now
    memcpy(f->ctx->p, problem->ctx->p, m->n_parameters * sizeof *problem->ctx->p);
    memcpy(f->ctx->is_set, problem->ctx->is_set, m->n_parameters);
    if (context_update(f->ctx)) {
        context_free(f->ctx);
        f->ctx = NULL;
    }
    // those of its own know nothing of the calls before
    for (uint32_t k = 0; f->ctx && k < other->n_objects; k++)
        rung_object_destroy(&f->ctx->object[k]);
    return f->ctx;
}

static bool is_finite(const Problem *problem, RungQuestion question, const void *out)
{
    uint32_t n = question == RUNG_ASK_XDOT      ? problem->n
                 : question == RUNG_ASK_BALANCE ? problem->model->loops->n_free
                 : question == RUNG_ASK_SLOPES  ? rung_n_slopes(problem->model->sensitivity)
                                                : 0;
    return n == 0 || problem_is_finite(n, out);
}

/* The values, in the places where the first model has them. */
static void hand_over(const Fallback *f, RungContext *to, double t, const double *x, double *v)
{
    for (uint32_t k = 0; k < to->model->n_variables; k++) {
        const RungVariable it = rung_variable(to->model, k);
        double value = rung_value(f->ctx, k, t, x, f->v);
        if (it.place == RUNG_IN_VALUES)
            v[it.index] = it.negated ? -value : value;
        else if (it.place == RUNG_IN_UNKNOWNS)
            to->z[it.index] = it.negated ? -value : value;
    }
    for (uint32_t k = 0; k < to->model->n_strings; k++) {
        const RungStringVariable *it = &to->model->string[k], *from = &f->ctx->model->string[k];
        if (it->place == RUNG_IN_VALUES)
            v[it->index] = rung_at(f->ctx, (RungPlace)from->place, from->index, t, x, f->v);
    }
}

/* Nonzero if a derivative depends on unknowns that singular blocks of ctx do not determine; the
 * block and the unknown are then recorded as failed. */
static int depends_on_open(Problem *problem, RungContext *ctx, double t, const double *x,
                           const double *xdot)
{
    static const double MOVED = 1e-6; /* of a derivative: more than rounding */
    Fallback *f = problem->fallback;
    const RungModel *m = ctx->model;
    const LinearOpen *open;
    uint32_t n = context_open(ctx, &open);
    if (n == 0 || t == problem->piece_start)
        return 0;
    size_t size = (m->n_unknowns + (size_t)1) * sizeof *f->z;
    double *other = realloc(f->other, (problem->n + (size_t)1) * sizeof *other);
    f->other = other ? other : f->other;
    double *z = realloc(f->z, size);
    f->z = z ? z : f->z;
    if (!other || !z)
        return -1;
    memcpy(z, ctx->z, m->n_unknowns * sizeof *z);
    for (uint32_t k = 0; k < n; k++) {
        const RungBlock *b = &m->block[open[k].block];
        double largest = 0;
        for (uint32_t i = 0; i < b->n; i++)
            largest = fmax(largest, fabs(z[b->first + i]));
        // by amounts that do not cancel
        ctx->z[b->first + open[k].unknown] += (1 + largest) * (1 + fmod(0.618 * k, 1));
    }
    uint32_t block = open[0].block, row = m->block[block].variable[open[0].unknown];
    int status = rung_ask(ctx, RUNG_ASK_XDOT, t, x, other);
    for (uint32_t k = 0; k < problem->n && !status; k++)
        if (!(fabs(other[k] - xdot[k]) <= MOVED * (problem->model->nominal[k] + fabs(xdot[k])))) {
            problem->bad_state = k;
            ctx->failed_block = block;
            ctx->failed_unknown = row;
            status = 1;
        }
    memcpy(ctx->z, z, m->n_unknowns * sizeof *z);
    return status;
}

/* RUNG_ASK_XDOT by several parameters at once; as the model has it where that fails. */
static int ask_along(Problem *problem, double t, const double *x, double *xdot)
{
    RungContext *ctx = problem->ctx;
    ctx->failed_pivot = ctx->failed_block = ctx->failed_unknown = RUNG_NONE;
    ctx->failed_message = NULL;
    int status = rates_along_xdot(problem->along, ctx, t, x, xdot);
    return status > 0 ? rung_ask(ctx, RUNG_ASK_XDOT, t, x, xdot) : status;
}

static int call_and_look(Problem *problem, RungContext *ctx, RungQuestion question, double t,
                         const double *x, void *out)
{
    context_watch_open(ctx);
    bool along = question == RUNG_ASK_XDOT && problem->along && ctx == problem->ctx;
    int status = along ? ask_along(problem, t, x, out) : rung_ask(ctx, question, t, x, out);
    return status || question != RUNG_ASK_XDOT ? status : depends_on_open(problem, ctx, t, x, out);
}

/* ---- blocks that Newton's method does not solve from their last solution ---- */

/* Of Newton's method, in all blocks. */
static uint32_t n_nonlinear(const RungModel *m)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->n_blocks; k++)
        n += m->block[k].is_linear ? 0 : m->block[k].n;
    return n;
}

static void note_solved(Problem *problem, double t, const double *x)
{
    Solved *s = &problem->fallback->last;
    const RungModel *m = problem->model;
    if (!s->z && n_nonlinear(m)) {
        s->x = calloc(problem->n + (size_t)1, sizeof *s->x);
        s->z = calloc(m->n_unknowns + (size_t)1, sizeof *s->z);
        s->between = calloc(problem->n + (size_t)1, sizeof *s->between);
        s->z_between = calloc(m->n_unknowns + (size_t)1, sizeof *s->z_between);
    }
    s->is_known = s->x && s->z && s->between && s->z_between;
    if (!s->is_known)
        return;
    s->t = t;
    memcpy(s->x, x, problem->n * sizeof *x);
    memcpy(s->z, problem->ctx->z, m->n_unknowns * sizeof *s->z);
}

/* On the straight way from where the blocks were solved last, in steps that Newton's method can do:
 * a row inside a step that has ended far away, a step that is tried again (continuation; Deuflhard
 * 2004, Newton Methods for Nonlinear Problems, chapter 5). */
static int follow(Problem *problem, RungQuestion question, double t, const double *x, void *out)
{
    static const double LEAST_STEP = 1.0 / 64;
    RungContext *ctx = problem->ctx;
    const Solved *s = &problem->fallback->last;
    size_t size = problem->model->n_unknowns * sizeof *s->z;
    double done = 0, step = 0.5;
    int status = 1;
    memcpy(s->z_between, s->z, size);
    while (step >= LEAST_STEP && status >= 0) {
        double share = fmin(1, done + step), at = share < 1 ? s->t + share * (t - s->t) : t;
        for (uint32_t k = 0; k < problem->n; k++)
            s->between[k] = share < 1 ? s->x[k] + share * (x[k] - s->x[k]) : x[k];
        memcpy(ctx->z, s->z_between, size);
        problem_refresh(problem, at, s->between);
        status = call_and_look(problem, ctx, question, at, s->between, out);
        if (!status && share == 1)
            return 0;
        if (!status) {
            done = share;
            step *= 2;
            memcpy(s->z_between, ctx->z, size);
        } else {
            step /= 2;
        }
    }
    return status;
}

/* Evaluations of these change nothing besides. */
static bool may_be_repeated(RungQuestion question)
{
    return question != RUNG_ASK_EVENT;
}

static bool is_unsolved(const RungContext *ctx, int status)
{
    return status > 0 && ctx->failed_block != RUNG_NONE && ctx->failed_pivot == RUNG_NONE &&
           ctx->failed_unknown == RUNG_NONE && !ctx->model->block[ctx->failed_block].is_linear;
}

static int evaluate(Problem *problem, RungQuestion question, double t, const double *x, void *out)
{
    RungContext *ctx = problem->ctx;
    const Solved *s = &problem->fallback->last;
    problem_refresh(problem, t, x);
    int status = call_and_look(problem, ctx, question, t, x, out);
    if (is_unsolved(ctx, status) && s->is_known && may_be_repeated(question)) {
        uint32_t block = ctx->failed_block;
        status = follow(problem, question, t, x, out);
        if (status > 0) {
            problem_refresh(problem, t, x);
            memcpy(ctx->z, s->z, ctx->model->n_unknowns * sizeof *s->z);
            ctx->failed_block = block;
        }
    }
    if (!status && ctx->unsolved <= 1)
        note_solved(problem, t, x);
    return status;
}

/* ---- the whole ---- */

/* Whether the answer of the second model has the place and the meaning of that of the first: a
 * condition that is constant in one of them may vary in the other. */
static bool fits(const RungModel *m, const RungModel *other, RungQuestion question)
{
    return question == RUNG_ASK_MARGINS      ? other->n_margins == m->n_margins
           : question == RUNG_ASK_ASSERTIONS ? other->n_assertions <= m->n_assertions
           : question == RUNG_ASK_BALANCE ? other->loops && other->loops->n_free == m->loops->n_free
           : question == RUNG_ASK_SLOPES
               ? other->sensitivity &&
                     rung_n_slopes(other->sensitivity) == rung_n_slopes(m->sensitivity)
               : question != RUNG_ASK_CHOICES;
}

/* First guesses for the blocks of the second model: their unknowns where the first has solved its
 * own last, or at (t, x). The second may have more of them, and may have been used long ago. */
static void guess(Problem *problem, double t, const double *x)
{
    Fallback *f = problem->fallback;
    RungContext *ctx = problem->ctx;
    const Solved *s = &f->last;
    const RungModel *m = problem->model, *other = f->model;
    const size_t n_u = n_remembered(m);
    double *v = malloc((m->n_values + (size_t)m->n_unknowns + n_u + 1) * sizeof *v);
    f->is_guessed = true;
    if (!v)
        return;
    double *z = v + m->n_values, *u = z + m->n_unknowns;
    memcpy(z, ctx->z, m->n_unknowns * sizeof *z);
    memcpy(u, ctx->u, n_u * sizeof *u);
    if (s->is_known) {
        memcpy(ctx->z, s->z, m->n_unknowns * sizeof *z);
        problem_refresh(problem, t = s->t, x = s->x);
    }
    bool searched = context_searches(ctx);
    context_search(ctx, false);
    bool is_known = !rung_ask(ctx, RUNG_ASK_OUTPUTS, t, x, v);
    context_search(ctx, searched);
    for (uint32_t k = 0; k < other->n_blocks && is_known; k++)
        for (uint32_t i = 0; i < other->block[k].n; i++) {
            const uint32_t of = other->block[k].variable[i]; // RUNG_NONE: it is in no results
            double value = of != RUNG_NONE ? rung_value(ctx, of, t, x, v) : NAN;
            if (isfinite(value))
                f->ctx->z[other->block[k].first + i] = value;
        }
    memcpy(ctx->z, z, m->n_unknowns * sizeof *z);
    memcpy(ctx->u, u, n_u * sizeof *u);
    free(v);
}

/* By the second model. */
static int evaluate_numerically(Problem *problem, RungQuestion question, double t, const double *x,
                                void *out)
{
    Fallback *f = problem->fallback;
    RungContext *ctx = problem->ctx;
    if (n_nonlinear(f->model) && !(problem->is_numeric && f->is_guessed))
        guess(problem, t, x);
    memcpy(f->ctx->u, ctx->u, n_remembered(problem->model) * sizeof *ctx->u);
    // MLS 12.9.7: external objects may have a memory; they are the run's, who destroys them
    for (uint32_t k = 0; k < problem->model->n_objects; k++)
        f->ctx->object[k].at = ctx->object[k].at;
    context_search(f->ctx, context_searches(ctx));
    f->ctx->recall = ctx->recall;
    f->ctx->recall_from = ctx->recall_from;
    f->ctx->contradictions = ctx->contradictions;
    int status =
        call_and_look(problem, f->ctx, question, t, x, question == RUNG_ASK_OUTPUTS ? f->v : out);
    ctx->contradictions = f->ctx->contradictions;
    return status;
}

static int answer_numerically(Problem *problem, RungQuestion question, double t, const double *x,
                              void *out, const char *variable)
{
    Fallback *f = problem->fallback;
    int status = evaluate_numerically(problem, question, t, x, out);
    if (status) {
        f->failed_last = true;
        return status;
    }
    if (question == RUNG_ASK_OUTPUTS)
        hand_over(f, problem->ctx, t, x, out);
    Counts *counts = problem->counts;
    if (!counts->fallbacks++) {
        counts->fallback_t = t;
        counts->fallback_variable = variable;
    }
    return 0;
}

/* Whether Newton's method has more unknowns in the second model: the first has torn its blocks. */
static bool has_torn(const Problem *problem)
{
    return n_nonlinear(problem->fallback->model) > n_nonlinear(problem->model);
}

/* For a block that the first model solves from none of the guesses: small changes of the tearing
 * variables may be large changes of other unknowns. The second model evaluates from then on. */
static int solve_whole(Problem *problem, RungQuestion question, double t, const double *x,
                       void *out, int status)
{
    Fallback *f = problem->fallback;
    if (!get(problem) || !has_torn(problem) || !fits(problem->model, f->model, question) ||
        answer_numerically(problem, question, t, x, out, "")) {
        f->failed_last = false;
        return status;
    }
    problem->is_numeric = true;
    return 0;
}

int problem_evaluate(Problem *problem, RungQuestion question, double t, const double *x, void *out)
{
    Fallback *f = problem->fallback;
    RungContext *ctx = problem->ctx;
    f->failed_last = problem->looked = false;
    problem->bad_state = RUNG_NONE;
    if (problem->is_numeric && get(problem) && fits(problem->model, f->model, question)) {
        problem_refresh(problem, t, x);
        return answer_numerically(problem, question, t, x, out, "");
    }
    int status = evaluate(problem, question, t, x, out);
    if (is_unsolved(ctx, status) && context_searches(ctx) && !problem->loops)
        return solve_whole(problem, question, t, x, out, status);
    uint32_t pivot = ctx->failed_pivot;
    bool vanished = status > 0 && pivot != RUNG_NONE;
    if (vanished && problem->model->pivot[pivot].is_alone) {
        // an equation by itself: no other pivot could be taken
        ctx->least = 0;
        status = call_and_look(problem, ctx, question, t, x, out);
        ctx->least = f->least;
        pivot = ctx->failed_pivot;
        vanished = status > 0 && pivot != RUNG_NONE && !problem->model->pivot[pivot].is_alone;
    }
    if (!vanished && (status || !problem->model->n_pivots))
        return status;
    problem->looked = !vanished && is_finite(problem, question, out);
    if (problem->looked)
        return 0;
    if (!get(problem)) {
        if (!vanished)
            return status;
        // small is better than nothing
        ctx->least = 0;
        status = call_and_look(problem, ctx, question, t, x, out);
        ctx->least = f->least;
        return status;
    }
    if (!fits(problem->model, f->model, question))
        return status ? status : 1;
    return answer_numerically(problem, question, t, x, out,
                              vanished ? problem->model->pivot[pivot].variable : "");
}

/* ---- digits that the symbolic elimination loses ---- */

/* Derivatives, or all variables, at (t, x) and at nearby points. */
typedef struct Noise {
    RungQuestion question;
    uint32_t n;            /* derivatives or variables                       */
    double *first, *at;    /* n: at (t, x), at the nearby point              */
    double *near, *values; /* the nearby states; the outputs of the model    */
    double *noise, *other; /* n: changes of the first model, of the second   */
} Noise;

static bool noise_open(Noise *it, const Problem *problem, RungQuestion question)
{
    const RungModel *m = problem->model;
    const bool is_rates = question == RUNG_ASK_XDOT;
    const size_t n = is_rates ? problem->n : m->n_variables;
    *it = (Noise){.question = question, .n = (uint32_t)n};
    it->first = calloc(4 * n + problem->n + (is_rates ? 0 : m->n_values) + 1, sizeof *it->first);
    if (!it->first)
        return false;
    it->at = it->first + n;
    it->noise = it->at + n;
    it->other = it->noise + n;
    it->near = it->other + n;
    it->values = it->near + problem->n;
    return true;
}

static int answer(Problem *problem, bool numerically, const Noise *it, double t, double *out)
{
    const Fallback *f = problem->fallback;
    const RungContext *ctx = numerically ? f->ctx : problem->ctx;
    double *to = it->question == RUNG_ASK_XDOT ? out : it->values;
    int status = numerically ? evaluate_numerically(problem, it->question, t, it->near, to)
                             : rung_ask(problem->ctx, it->question, t, it->near, to);
    const double *v = numerically ? f->v : it->values;
    for (uint32_t k = 0; to != out && k < it->n && !status; k++)
        out[k] = rung_value(ctx, k, t, it->near, v);
    return status;
}

/* The largest change of the answer at (t, x) to points that the last digits of x are away. */
static int find_noise(Problem *problem, bool numerically, const Noise *it, double t,
                      const double *x, double *noise)
{
    enum { DRAWS = 3 };
    static const double DIGITS = 4 * DBL_EPSILON;
    int status = 0;
    memset(noise, 0, it->n * sizeof *noise);
    for (uint32_t i = 0; i <= DRAWS && !status; i++) {
        for (uint32_t k = 0; k < problem->n; k++)
            it->near[k] = i == 0 ? x[k] : x[k] * (1 + DIGITS * rung_draw(i, k));
        status = answer(problem, numerically, it, t, i == 0 ? it->first : it->at);
        for (uint32_t k = 0; k < it->n && i > 0 && !status; k++)
            noise[k] = fmax(noise[k], fabs(it->at[k] - it->first[k]));
    }
    return status;
}

/* as much more than that of the second model, for it to take over */
static const double MORE = 100;

/* Whether the second model has much less of the noise that counts; of the other it->noise is 0. */
static bool is_less_numerically(Problem *problem, Noise *it, double t, const double *x)
{
    bool is_better = false;
    if (get(problem) && fits(problem->model, problem->fallback->model, it->question) &&
        !find_noise(problem, true, it, t, x, it->other))
        for (uint32_t k = 0; k < it->n; k++)
            is_better = is_better || it->noise[k] > MORE * it->other[k];
    return is_better;
}

static bool may_lose_digits(const Problem *problem)
{
    const RungModel *m = problem->model;
    return problem->fallback && !problem->is_numeric && !problem->loops && !m->n_objects &&
           (m->n_pivots || m->n_blocks);
}

bool fallback_probe(Problem *problem, double t, const double *x, double h, double tolerance)
{
    /* of the error that a step may have */
    static const double SHARE = 0.1;
    enum { VAIN = 3 };
    Fallback *f = problem->fallback;
    const size_t size = problem->model->n_unknowns * sizeof *problem->ctx->z;
    Noise it = {0};
    if (!may_lose_digits(problem) || !problem->model->n_pivots || f->n_vain >= VAIN)
        return false;
    double *z = malloc(size + 1);
    if (!z || !noise_open(&it, problem, RUNG_ASK_XDOT)) {
        free(z);
        return false;
    }
    memcpy(z, problem->ctx->z, size);
    problem_refresh(problem, t, x);
    bool is_lost = false, is_better = false;
    if (!find_noise(problem, false, &it, t, x, it.noise))
        for (uint32_t k = 0; k < it.n; k++) {
            bool counts = h * it.noise[k] > SHARE * tolerance * problem_size(problem, k, x[k]);
            it.noise[k] = counts ? it.noise[k] : 0;
            is_lost = is_lost || counts;
        }
    is_better = is_lost && is_less_numerically(problem, &it, t, x);
    memcpy(problem->ctx->z, z, size);
    free(it.first);
    free(z);
    problem_refresh(problem, t, x);
    problem->is_numeric = is_better;
    f->n_vain += is_lost && !is_better;
    return is_better;
}

/* 1, 2, 4, 8, ..., and every `often`-th. */
static bool is_turn(uint64_t n, uint64_t often)
{
    return (n & (n - 1)) == 0 || n % often == 0;
}

bool fallback_probe_step(Problem *problem, uint64_t step, bool begins, double t, const double *x,
                         double h, double tolerance)
{
    enum { OFTEN = 256, EARLY = 1000 };
    return (is_turn(step, OFTEN) || (begins && step < EARLY)) &&
           fallback_probe(problem, t, x, h, tolerance);
}

bool fallback_probe_rejected(Problem *problem, double t, const double *x, double h,
                             double tolerance)
{
    enum { OFTEN = 64 };
    return is_turn(problem->counts->rejected, OFTEN) && fallback_probe(problem, t, x, h, tolerance);
}

/* Whether the difference of both models at (t, x) and nearby points counts for a variable and
 * changes there by a part of itself, as rounding errors do. That of other equations stays about the
 * same. */
static bool loses_digits_of(Problem *problem, RungQuestion question, double t, const double *x,
                            double tolerance)
{
    enum { DRAWS = 3 };
    static const double NEAR = 1e-8, SHARE = 0.1, CHANGE = 0.3;
    Noise it;
    bool are_lost = false;
    if (!get(problem) || !fits(problem->model, problem->fallback->model, question) ||
        !noise_open(&it, problem, question))
        return false;
    double *least = it.noise, *most = it.first;
    for (uint32_t i = 0; i <= DRAWS; i++) {
        double at = i ? t * (1 + NEAR * rung_draw(i, problem->n)) : t;
        for (uint32_t k = 0; k < problem->n; k++)
            it.near[k] = i ? x[k] * (1 + NEAR * rung_draw(i, k)) : x[k];
        if (answer(problem, false, &it, at, it.at) || answer(problem, true, &it, at, it.other))
            break;
        for (uint32_t k = 0; k < it.n; k++) {
            double lost = it.at[k] - it.other[k];
            least[k] = i ? fmin(least[k], lost) : lost;
            most[k] = i ? fmax(most[k], lost) : lost;
            double change = most[k] - least[k];
            are_lost = are_lost || (change > SHARE * tolerance * fabs(it.other[k]) &&
                                    change > CHANGE * fmax(fabs(least[k]), fabs(most[k])));
        }
    }
    free(it.first);
    return are_lost;
}

bool fallback_newton_is_slow(const Problem *problem)
{
    static const double USUAL = 4; // iterations from the last solution
    return may_lose_digits(problem) && context_iterations_per_solution(problem->ctx) > USUAL;
}

bool fallback_may_do_better(Problem *problem, double t, const double *x, double tolerance)
{
    enum { MOST = 20000 }; // of variables: the second model has to be made
    if (!may_lose_digits(problem) || problem->model->n_variables > MOST)
        return false;
    if (fallback_newton_is_slow(problem))
        return get(problem) && has_torn(problem);
    const size_t size = problem->model->n_unknowns * sizeof *problem->ctx->z;
    double *z = malloc(size + 1);
    if (!z)
        return false;
    memcpy(z, problem->ctx->z, size);
    problem_refresh(problem, t, x);
    bool are_lost = loses_digits_of(problem, RUNG_ASK_OUTPUTS, t, x, tolerance) ||
                    (problem->n && loses_digits_of(problem, RUNG_ASK_XDOT, t, x, tolerance));
    memcpy(problem->ctx->z, z, size);
    free(z);
    problem_refresh(problem, t, x);
    return are_lost;
}
