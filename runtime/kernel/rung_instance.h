/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_instance.h -- a model in a C library, without the runtime: the solution of its blocks, its
 * derivatives, one implicit step, and evaluations that switch to the model with pivoting where a
 * pivot vanishes (fallback.h). No memory is allocated, no text is printed: all arrays are the
 * caller's. All functions are static, so that several models link into one program; each includes
 * this file once.
 */
#ifndef RUNG_INSTANCE_H
#define RUNG_INSTANCE_H

#include "rung_branch.h"
#include "rung_esdirk.h"
#include "rung_initial.h"
#include "rung_lu.h"
#include "rung_math.h"
#include "rung_model.h"
#include "rung_newton_block.h"
#include "rung_question.h"

RUNG_PART int rung_solve_block(RungContext *ctx, uint32_t k, double t, const double *x);

/* The size of state k by which its error is divided (state_scale.h). */
static inline double rung_state_size(const RungModel *m, uint32_t k, double x)
{
    return rung_size(m->nominal[k], m->turn ? m->turn[k] : INFINITY, x);
}

/* Work arrays and status of an instance, in ctx->user. */
typedef struct RungRoom {
    double *block;   /* of the largest block of n unknowns: n n + 7 n and its entries            */
    double *matrix;  /* n n, of the model's own states, + 12 n, of all; the entries of the
                        linearisation and, of its n implicit equations, n n + 2 n                */
    uint32_t *pivot; /* of the larger of all these                                               */
    uint32_t *block_pivot;
    double *derivatives; /* A, by columns; NULL: none are symbolic */
    double *z_before;    /* of the blocks at the start of a step   */
    /* Of derivatives by parameters: n for each; as `matrix` for the linearisation, and n n; as
     * `pivot`. NULL: they are found by evaluations. */
    double *side, *along;
    uint32_t *along_pivot;
    /* The same model with its linear blocks solved with pivoting, with the same p, u and memory,
     * for where a pivot vanishes; NULL: then that is a failure. */
    RungContext *other;
    RungEsdirk step;              /* the last one */
    int is_other;                 /* the last evaluation was the other's                 */
    struct RungEventRoom *events; /* rung_event.h; NULL: the model has none */
    struct RungHistory *history;  /* rung_delay.h; likewise                */
    /* Refreshes memory (delays) before an evaluation at (t, x); NULL: not needed. */
    int (*refresh)(RungContext *ctx, double t, const double *x);
    unsigned char *holds;    /* n_assertions                                      */
    int ends;                /* the solution of the failed block has ended        */
    const char *why, *where; /* the failure; NULL: see the contexts */
} RungRoom;

/* A context of the model over the arrays of an instance (rung_model.h has their lengths). */
RUNG_PART void rung_open_context(RungContext *ctx, RungRoom *room, const RungModel *model,
                                 double *p, unsigned char *is_set, double *c, double *u, double *z,
                                 double *w)
{
    memset(ctx, 0, sizeof *ctx);
    ctx->model = model;
    ctx->p = p;
    ctx->is_set = is_set;
    ctx->c = c;
    ctx->u = u;
    ctx->z = z;
    ctx->w = w;
    ctx->solve = rung_solve_block;
    ctx->user = room;
    ctx->least = sqrt(DBL_EPSILON);
    ctx->failed_pivot = ctx->failed_block = RUNG_NONE;
}

/* External objects (external.h). */
RUNG_PART void rung_open_objects(RungContext *ctx, void *object)
{
    ctx->object = object;
}

/* Constants are computed elsewhere, into c, with w for work. */
RUNG_PART void rung_open_constants(RungContext *ctx, double *c, double *w)
{
    ctx->c = c;
    ctx->w = w;
}

/* Several instances at once, over the arrays of all of them. */
RUNG_PART RungLaneContext rung_open_lanes(double *p, double *c, double *u, double *w)
{
    RungLaneContext ctx;
    memset(&ctx, 0, sizeof ctx);
    ctx.p = p;
    ctx.c = c;
    ctx.u = u;
    ctx.w = w;
    ctx.least = sqrt(DBL_EPSILON);
    return ctx;
}

/* The work arrays of RungRoom; all else of it is zero. */
RUNG_PART void rung_open_room(RungRoom *room, double *block, double *matrix, uint32_t *pivot,
                              uint32_t *block_pivot, double *derivatives, double *z_before,
                              unsigned char *holds)
{
    memset(room, 0, sizeof *room);
    room->block = block;
    room->matrix = matrix;
    room->pivot = pivot;
    room->block_pivot = block_pivot;
    room->derivatives = derivatives;
    room->z_before = z_before;
    room->holds = holds;
}

/* Where there are derivatives by parameters. */
RUNG_PART void rung_open_along(RungRoom *room, double *side, double *along, uint32_t *pivot)
{
    room->side = side;
    room->along = along;
    room->along_pivot = pivot;
}

/* The same instance with its linear blocks solved with pivoting, by a program of its own with its
 * own constants, block unknowns and work. */
RUNG_PART void rung_open_other(const RungContext *ctx, RungContext *other, const RungModel *model,
                               double *c, double *z, double *w)
{
    *other = *ctx;
    other->model = model;
    other->c = c;
    other->z = z;
    other->w = w;
    ((RungRoom *)ctx->user)->other = other;
}

/* From here on ctx, a copy with a room of its own, is about the initial system. */
RUNG_PART void rung_open_initial(RungContext *ctx, RungRoom *room, const RungModel *model,
                                 double *c, double *z, double *w)
{
    ctx->model = model;
    ctx->c = c;
    ctx->z = z;
    ctx->w = w;
    ctx->least = 0;
    ctx->user = room;
    room->other = NULL;
    room->refresh = NULL;
}

/* Positive; the text is kept for rung_explain. */
RUNG_PART int rung_fails(const RungContext *ctx, const char *why)
{
    ((RungRoom *)ctx->user)->why = why;
    return 1;
}

/* Whether the last evaluation was by the program of rung_open_other. */
RUNG_PART int rung_is_by_other(const RungContext *ctx)
{
    return ((const RungRoom *)ctx->user)->is_other;
}

RUNG_PART int rung_refresh(RungContext *ctx, double t, const double *x)
{
    const RungRoom *room = (const RungRoom *)ctx->user;
    return room->refresh ? room->refresh(ctx, t, x) : 0;
}

/* The model's return value; positive where derivatives are not finite. Where a pivot vanishes, or
 * has lost half of its digits, the other model is evaluated; then room->is_other. */
RUNG_PART int rung_evaluate(RungContext *ctx, RungQuestion question, double t, const double *x,
                            void *out)
{
    RungRoom *room = (RungRoom *)ctx->user;
    const RungModel *m = ctx->model;
    const double least = ctx->least;
    int status = rung_refresh(ctx, t, x), finite = 1;
    room->is_other = 0;
    if (status)
        return status;
    status = rung_ask(ctx, question, t, x, out);
    if (status > 0 && ctx->failed_pivot != RUNG_NONE && m->pivot[ctx->failed_pivot].is_alone) {
        // an equation by itself: no other pivot could be taken
        ctx->least = 0;
        status = rung_ask(ctx, question, t, x, out);
        ctx->least = least;
    }
    const uint32_t n_rates = question == RUNG_ASK_XDOT       ? m->n_states
                             : question == RUNG_ASK_OWN_XDOT ? rung_own_states(m)
                             : question == RUNG_ASK_SLOPES   ? rung_n_slopes(m->sensitivity)
                                                             : 0;
    for (uint32_t k = 0; !status && k < n_rates; k++)
        finite = finite && fabs(((const double *)out)[k]) <= DBL_MAX;
    if ((!status && finite) || status < 0)
        return status;
    if (!room->other || !m->n_pivots ||
        (status && (ctx->failed_pivot == RUNG_NONE || m->pivot[ctx->failed_pivot].is_alone)))
        return 1;
    room->is_other = 1;
    // which has all of them
    question = question == RUNG_ASK_OWN_XDOT ? RUNG_ASK_XDOT : question;
    return rung_ask(room->other, question, t, x, out);
}

/* 0, or negative where an assertion of level error does not hold. */
RUNG_PART int rung_assert(RungContext *ctx, double t, const double *x)
{
    RungRoom *room = (RungRoom *)ctx->user;
    const RungModel *m = ctx->model;
    int status = m->assertions ? rung_evaluate(ctx, RUNG_ASK_ASSERTIONS, t, x, room->holds) : 0;
    for (uint32_t k = 0; k < m->n_assertions && !status; k++) {
        const RungAssertion *a = &m->assertion[k];
        if (a->is_warning || (a->constant != RUNG_NONE ? ctx->c[a->constant] != 0 : room->holds[k]))
            continue;
        room->why = a->message;
        room->where = a->where;
        status = -1;
    }
    return status;
}

/* The initial system while it is solved: for rung_initial.h. */
typedef struct RungStarting {
    RungContext *init;
    double t, *x, *v;
    double *g; /* n_events */
    int (*start)(RungContext *ctx, double t, double *x);
} RungStarting;

RUNG_PART int rung_starting_evaluate(void *user)
{
    const RungStarting *it = (const RungStarting *)user;
    const int status = it->start(it->init, it->t, it->x);
    return status ? status : rung_evaluate(it->init, RUNG_ASK_OUTPUTS, it->t, it->x, it->v);
}

/* Relations change all at once until they agree with the solution. */
RUNG_PART int rung_starting_iterate(void *user)
{
    enum { MOST = 50 };
    const RungStarting *it = (const RungStarting *)user;
    const RungModel *m = it->init->model;
    double *memory = it->init->u + m->n_inputs;
    int changed = 1, status = 0;
    for (uint32_t k = 0; k < m->event->n_memory; k++) {
        memory[k] = 0;
        if (m->event->memory[k].kind == RUNG_FLOOR)
            return 1;
    }
    rung_start_guess(it->init);
    for (int round = 0; round < MOST && changed && !status; round++) {
        uint32_t r = 0;
        changed = 0;
        status = rung_starting_evaluate(user);
        if (!status && m->n_events)
            status = rung_evaluate(it->init, RUNG_ASK_RELATIONS, it->t, it->x, it->g);
        for (uint32_t k = 0; k < m->event->n_memory && !status; k++) {
            const RungMemory *of = &m->event->memory[k];
            double now = memory[k];
            if (of->kind == RUNG_RELATION) {
                now = of->is_strict ? it->g[r] < 0 : it->g[r] <= 0;
                r++;
            }
            changed = changed || now != memory[k];
            memory[k] = now;
        }
    }
    return status ? status : changed;
}

/* Solves the initial system, whose equations may contradict each other. kept: n_unknowns. */
RUNG_PART int rung_start(RungStarting *it, double *kept)
{
    const RungStart of = {it->init, kept, it, rung_starting_evaluate, rung_starting_iterate, NULL};
    const int status = rung_start_solve(&of);
    return status ? status : rung_assert(it->init, it->t, it->x);
}

/* The failure of the last function as text. */
RUNG_PART void rung_explain(const RungContext *ctx, const char *const *block_text, char *to,
                            size_t size)
{
    const RungRoom *room = (const RungRoom *)ctx->user;
    const RungContext *it = room->is_other ? room->other : ctx;
    const char *part[5] = {"", "", "", "", ""};
    size_t n = 0;
    if (room->why) {
        part[0] = room->where ? room->where : "";
        part[2] = room->why;
    } else if (it->failed_message) {
        part[0] = it->failed_where ? it->failed_where : "";
        part[2] = it->failed_message;
        part[3] = it->failed_of ? ", in " : "";
        part[4] = it->failed_of ? it->failed_of : "";
    } else if (it->failed_pivot != RUNG_NONE) {
        const RungPivot *p = &it->model->pivot[it->failed_pivot];
        part[0] = p->equation;
        part[2] = "the divisor vanishes that determines ";
        part[3] = p->variable;
    } else if (it->failed_block != RUNG_NONE) {
        part[2] = room->ends ? "the solution ends, and there is another one, of the equations of "
                             : "equations find no solution: those of ";
        part[3] = room->is_other ? "a singular block" : block_text[it->failed_block];
    } else {
        part[2] = "values are not finite, or a step does not converge";
    }
    part[1] = *part[0] ? ": " : "";
    for (int k = 0; k < 5; k++)
        for (const char *c = part[k]; *c && n + 1 < size; c++)
            to[n++] = *c;
    to[n] = 0;
}

/* Entries in a pattern as a full matrix. */
RUNG_PART void rung_fill_matrix(const RungPattern *p, const double *entry, double *a)
{
    memset(a, 0, (size_t)p->n_rows * p->n_cols * sizeof *a);
    for (uint32_t c = 0; c < p->n_cols; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            a[(size_t)c * p->n_rows + p->row[e]] += entry[e];
}

/* A block while it is solved: the entries of its Jacobian, the factors, the largest of each row. */
typedef struct RungSolving {
    RungContext *ctx;
    const RungBlock *b;
    double t;
    const double *x;
    double *entry, *a, *size;
    uint32_t *pivot;
} RungSolving;

RUNG_PART int rung_factor_block(void *solving, const double *z)
{
    // a pivot this small is the rounding of terms that cancel
    const double least = 450 * DBL_EPSILON;
    const RungSolving *it = (const RungSolving *)solving;
    const RungBlock *b = it->b;
    const int status = b->jacobian(it->ctx, b->copy, it->t, it->x, z, it->entry);
    if (status)
        return status;
    rung_fill_matrix(&b->pattern, it->entry, it->a);
    if (rung_lu_factor(b->n, it->a, it->pivot, it->size) >= 0)
        return 1;
    return b->is_linear && !(rung_lu_ratio(b->n, it->a, it->size) > least);
}

RUNG_PART int rung_correct_block(void *solving, const double *z, double *r)
{
    const RungSolving *it = (const RungSolving *)solving;
    (void)z;
    rung_lu_solve(it->b->n, it->a, it->pivot, r);
    return 0;
}

/* Solves block k from the last solution, which stays if the iteration fails. For RungContext.solve.
 */
RUNG_PART int rung_solve_block(RungContext *ctx, uint32_t k, double t, const double *x)
{
    enum { ROOMS = 7 };
    const RungBlock *b = &ctx->model->block[k];
    const RungRoom *room = (const RungRoom *)ctx->user;
    const size_t n = b->n;
    double *z = ctx->z + b->first, *free = room->block + n * n, *entry = free + ROOMS * n;
    RungSolving solving = {ctx, b, t, x, entry, room->block, free + 6 * n, room->block_pivot};
    RungNewtonBlock it = {.ctx = ctx,
                          .b = b,
                          .t = t,
                          .x = x,
                          .user = &solving,
                          .factor = rung_factor_block,
                          .correct = rung_correct_block,
                          .step = free,
                          .ahead = free + n,
                          .simplified = free + 2 * n,
                          .farther = free + 3 * n,
                          .beyond = free + 4 * n,
                          .before = free + 5 * n};
    int status;
    if (!b->is_linear) {
        status = rung_block_newton(&it, z);
        if (status > 0 && n == 1)
            status = rung_block_bracket(&it, z, RUNG_BRACKET_NEAR);
    } else {
        for (size_t i = 0; i < n; i++)
            z[i] = fabs(z[i]) <= DBL_MAX ? z[i] : 0;
        status = rung_factor_block(&solving, z);
        status = status ? status
                        : rung_block_linear(ctx, b, t, x, &solving, rung_correct_block, z, it.step);
    }
    if (status > 0 && ctx->unsolved) {
        ctx->unsolved++;
        return 0;
    }
    if (status > 0)
        ctx->failed_block = k;
    return status;
}

/* d (xdot, outputs) / d (states, inputs, parameters), by columns; the equations solved at run time
 * are eliminated. work: as `matrix` of RungRoom has for it; pivot likewise. */
RUNG_PART int rung_linearise_in(RungContext *ctx, double t, const double *x, double *abcd,
                                double *work, uint32_t *pivot)
{
    const RungLinearisation *l = ctx->model->linearisation;
    const RungPattern *p = &l->pattern;
    const uint32_t n_own = rung_own_states(ctx->model);
    uint32_t rows = n_own + l->n_outputs, cols = n_own + l->n_inputs + l->n_parameters;
    uint32_t n = l->n_implicit;
    double *entry = work, *k = entry + p->col_start[p->n_cols], *z = k + (size_t)n * n;
    int status = rung_refresh(ctx, t, x);
    status = status ? status : l->entries(ctx, t, x, entry);
    if (status)
        return status;
    // a parameter that is set depends on no other
    for (uint32_t c = 0; c < p->n_cols && l->n_dependent; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++) {
            const uint32_t at = p->row[e] - rows - (n - l->n_dependent);
            if (p->row[e] >= rows + n - l->n_dependent && at < l->n_dependent &&
                c + l->n_dependent != p->n_cols + at && c != l->own[at] &&
                ctx->is_set[l->dependent[at]])
                entry[e] = 0;
        }
    memset(abcd, 0, (size_t)rows * cols * sizeof *abcd);
    memset(k, 0, (size_t)n * n * sizeof *k);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = p->col_start[cols + c]; e < p->col_start[cols + c + 1]; e++)
            if (p->row[e] >= rows && p->row[e] < rows + n)
                k[(size_t)c * n + (p->row[e] - rows)] += entry[e];
    if (n && rung_lu_factor(n, k, pivot, z + n) >= 0)
        return 1;
    for (uint32_t c = 0; c < cols; c++) {
        double *to = abcd + (size_t)c * rows;
        int any = 0;
        memset(z, 0, n * sizeof *z);
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++) {
            if (p->row[e] < rows)
                to[p->row[e]] += entry[e];
            else if (p->row[e] < rows + n) {
                z[p->row[e] - rows] -= entry[e];
                any = 1;
            }
        }
        if (any)
            rung_lu_solve(n, k, pivot, z);
        for (uint32_t q = 0; q < n && any; q++)
            for (uint32_t e = p->col_start[cols + q]; e < p->col_start[cols + q + 1]; e++)
                if (p->row[e] < rows)
                    to[p->row[e]] += entry[e] * z[q];
    }
    return 0;
}

RUNG_PART int rung_linearise(RungContext *ctx, double t, const double *x, double *abcd)
{
    const RungRoom *room = (const RungRoom *)ctx->user;
    return rung_linearise_in(ctx, t, x, abcd, room->matrix, room->pivot);
}

/* d xdot / d x of the model's own states by differences, n n, by columns. f is xdot at x; work has
 * room for x and xdot. */
RUNG_PART int rung_differences(RungContext *ctx, double t, const double *x, const double *f,
                               double *a, double *work)
{
    const uint32_t n = rung_own_states(ctx->model), n_all = ctx->model->n_states;
    int status = 0;
    memcpy(work, x, n_all * sizeof *x);
    for (uint32_t c = 0; c < n && !status; c++) {
        work[c] = x[c] + sqrt(DBL_EPSILON) * fmax(fabs(x[c]), ctx->model->nominal[c]);
        status = rung_evaluate(ctx, RUNG_ASK_XDOT, t, work, work + n_all);
        for (uint32_t r = 0; r < n; r++)
            a[(size_t)c * n + r] = (work[n_all + r] - f[r]) / (work[c] - x[c]);
        work[c] = x[c];
    }
    return status;
}

/* For RungEsdirk.correct: by the factors in room->matrix. */
RUNG_PART int rung_correct_stage(void *user, double t, double h, const double *extra)
{
    RungEsdirk *it = (RungEsdirk *)user;
    const RungRoom *room = (const RungRoom *)it->ctx->user;
    const RungSensitivity *by = it->ctx->model->sensitivity;
    const RungQuestion rates = by && by->own_xdot ? RUNG_ASK_OWN_XDOT : RUNG_ASK_XDOT;
    const int status = rung_evaluate(it->ctx, rates, t, it->x, it->delta);
    if (status)
        return status;
    for (uint32_t i = 0; i < it->n_own; i++)
        it->delta[i] = esdirk_gamma * h * it->delta[i] - it->z[i] + (extra ? extra[i] : 0);
    it->defect = it->is_tried ? 0 : rung_esdirk_norm(it, it->n_own, it->delta);
    rung_lu_solve(it->n_own, room->matrix, room->pivot, it->delta);
    return 0;
}

/* The derivatives s of the states by parameters, of

       s = base + gamma h (f_x s + f_p)

   which is linear in s, by the linearisation at the stage. Positive: it has none there. */
RUNG_PART int rung_derive_at_once(RungEsdirk *it, double t, double h)
{
    RungContext *ctx = it->ctx;
    const RungModel *m = ctx->model;
    const RungSensitivity *by = m->sensitivity;
    const RungLinearisation *l = m->linearisation;
    const RungRoom *room = (const RungRoom *)ctx->user;
    const uint32_t n = it->n_own;
    const size_t rows = (size_t)n + l->n_outputs, entries = l->pattern.col_start[l->pattern.n_cols];
    double *lu = room->along + entries + ((size_t)l->n_implicit + 2) * l->n_implicit;
    double *side = room->side;
    if (rung_linearise_in(ctx, t, it->x, room->derivatives, room->along, room->along_pivot))
        return 1;
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t r = 0; r < n; r++)
            lu[(size_t)c * n + r] =
                (double)(r == c) - esdirk_gamma * h * room->derivatives[c * rows + r];
    if (rung_lu_factor(n, lu, room->along_pivot, it->delta) >= 0)
        return 1;
    // states may be minus the derivatives of the model's
    for (uint32_t j = 0; j < by->n; j++) {
        const double *column =
            by->column[j] == RUNG_NONE ? NULL : room->derivatives + by->column[j] * rows;
        const size_t first = ((size_t)j + 1) * n;
        for (uint32_t i = 0; i < n; i++) {
            const double base = it->base[first + i];
            side[(size_t)i * by->n + j] = (by->is_negated[first + i] ? -base : base) +
                                          (column ? esdirk_gamma * h * column[i] : 0);
        }
    }
    rung_lu_solve_sides(n, lu, room->along_pivot, by->n, side);
    for (uint32_t j = 0; j < by->n; j++)
        for (uint32_t i = 0; i < n; i++) {
            const double now = side[(size_t)i * by->n + j];
            const size_t k = ((size_t)j + 1) * n + i;
            it->x[k] = by->is_negated[k] ? -now : now;
            if (!(fabs(now) <= DBL_MAX))
                return 1;
        }
    for (uint32_t i = n; i < it->n; i++)
        it->z[i] = it->x[i] - it->base[i];
    return 0;
}

/* The same by evaluations of the derivatives' own equations, and the factors of the step. Those
 * along time stay: at events they are set. */
RUNG_PART int rung_derive_in_rounds(RungEsdirk *it, double t, double h)
{
    enum { ROUNDS = 30 };
    const double exact = 4 * DBL_EPSILON, close = 1e4 * DBL_EPSILON;
    const RungModel *m = it->ctx->model;
    const RungSensitivity *by = m->sensitivity;
    const RungRoom *room = (const RungRoom *)it->ctx->user;
    const uint32_t n = it->n_own;
    double before = INFINITY, *side = room->side;
    memcpy(it->x + n, it->base + n, (it->n - n) * sizeof *it->x);
    for (int round = 0; round < ROUNDS; round++) {
        const int status = rung_evaluate(it->ctx, RUNG_ASK_XDOT, t, it->x, it->delta);
        double size = 0, rate;
        if (status)
            return status;
        for (uint32_t j = 0; j < by->n; j++)
            for (uint32_t i = 0; i < n; i++) {
                const size_t k = ((size_t)j + 1) * n + i;
                const double left = it->base[k] + esdirk_gamma * h * it->delta[k] - it->x[k];
                side[(size_t)i * by->n + j] = by->is_negated[k] ? -left : left;
            }
        rung_lu_solve_sides(n, room->matrix, room->pivot, by->n, side);
        for (uint32_t j = 0; j < by->n; j++)
            for (uint32_t i = 0; i < n; i++) {
                const size_t k = ((size_t)j + 1) * n + i;
                const double by_now = side[(size_t)i * by->n + j];
                it->x[k] += by->is_negated[k] ? -by_now : by_now;
                size = fmax(size, fabs(by_now) / (m->nominal[k] + fabs(it->x[k])));
                if (!(fabs(it->x[k]) <= DBL_MAX))
                    return 1;
            }
        rate = round ? size / before : 1;
        if (size <= exact || (rate < 1 && size * rate / (1 - rate) <= exact) ||
            (round && rate > 0.5 && size <= close)) {
            for (uint32_t i = n; i < it->n; i++)
                it->z[i] = it->x[i] - it->base[i];
            return 0;
        }
        if (round && rate >= 1)
            return 1;
        before = size;
    }
    return 1;
}

/* For RungEsdirk.derive. */
RUNG_PART int rung_derive_stage(void *user, double t, double h)
{
    RungEsdirk *it = (RungEsdirk *)user;
    const RungRoom *room = (const RungRoom *)it->ctx->user;
    if (room->along && !rung_derive_at_once(it, t, h))
        return 0;
    return rung_derive_in_rounds(it, t, h);
}

/* A step that has not begun, in room->matrix behind the factors: twelve numbers for each state. The
 * stages are solved as if for a tolerance that is near rounding. */
RUNG_PART void rung_open_esdirk(RungContext *ctx)
{
    const double exact = 50 * sqrt(DBL_EPSILON * sqrt(DBL_EPSILON)), roundings = 2250;
    const RungModel *m = ctx->model;
    RungRoom *room = (RungRoom *)ctx->user;
    RungEsdirk *it = &room->step;
    const uint32_t n = m->n_states, n_own = rung_own_states(m);
    double *at = room->matrix + (size_t)n_own * n_own;
    it->n = n;
    it->n_own = n_own;
    it->derive = m->sensitivity ? rung_derive_stage : NULL;
    it->note_rate = NULL;
    it->ctx = ctx;
    it->user = it;
    it->correct = rung_correct_stage;
    it->tolerance = exact;
    it->least_change = roundings * DBL_EPSILON;
    for (int s = 0; s < ESDIRK_STAGES; s++, at += n)
        it->k[s] = it->before[s] = at;
    it->x = at;
    it->base = at + n;
    it->z = at + 2 * (size_t)n;
    it->delta = at + 3 * (size_t)n;
    it->scale = at + 4 * (size_t)n;
    it->by_model = it->is_tried = it->has_lost = 0;
    it->has_dense = it->has_ends = it->is_stiff = 0;
    it->h_before = it->worst_rate = it->defect = it->curvature = 0;
    it->eta = 1;
}

/* I - gamma h J, factored, and the first stage. */
RUNG_PART int rung_factor_step(RungContext *ctx, double t, double h, const double *x)
{
    const RungModel *m = ctx->model;
    const RungRoom *room = (const RungRoom *)ctx->user;
    const RungEsdirk *it = &room->step;
    const uint32_t n = it->n_own;
    const size_t rows = (size_t)n + (m->linearisation ? m->linearisation->n_outputs : 0);
    double *lu = room->matrix;
    // not where one of their own pivots vanishes; before xdot, since they use its room
    const int has_derivatives = m->linearisation && !rung_linearise(ctx, t, x, room->derivatives);
    // behind it too: it has used this room
    for (uint32_t i = 0; i < it->n; i++)
        it->scale[i] = it->tolerance * rung_state_size(m, i, x[i]);
    int status = rung_evaluate(ctx, RUNG_ASK_XDOT, t, x, it->k[0]);
    for (uint32_t c = 0; c < n && has_derivatives; c++)
        memcpy(lu + (size_t)c * n, room->derivatives + (size_t)c * rows, n * sizeof *lu);
    if (!status && !has_derivatives)
        status = rung_differences(ctx, t, x, it->k[0], lu, it->x);
    if (status)
        return status;
    for (uint32_t q = 0; q < n * n; q++)
        lu[q] *= -esdirk_gamma * h;
    for (uint32_t q = 0; q < n; q++)
        lu[(size_t)q * n + q] += 1;
    for (uint32_t q = 0; q < it->n; q++)
        it->k[0][q] *= h;
    // derivatives along time
    for (uint32_t q = m->sensitivity ? n * (m->sensitivity->n + 1) : it->n; q < it->n; q++)
        it->k[0][q] = 0;
    return rung_lu_factor(n, lu, room->pivot, it->delta) >= 0;
}

RUNG_PART double rung_stage_time(int s, double t, double h)
{
    return s == ESDIRK_STAGES - 1 ? t + h : t + esdirk_c[s] * h;
}

/* Stage s > 0 of the step from x, behind those before it. */
RUNG_PART int rung_step_stage(RungEsdirk *it, int s, double t, double h, const double *x)
{
    const double t_stage = rung_stage_time(s, t, h);
    int status;
    rung_esdirk_begin(it, s, h, x);
    status = rung_esdirk_solve(it, t_stage, h);
    if (it->derive && !status)
        status = it->derive(it->user, t_stage, h);
    for (uint32_t q = 0; q < it->n; q++)
        it->k[s][q] = it->z[q] / esdirk_gamma;
    return status;
}

/* The stages of rung_step. */
RUNG_PART int rung_stages(RungContext *ctx, double t, double h, double *x, double *error)
{
    // stiff components are those whose error the matrix reduces by this factor
    const double stiff = 2;
    RungEsdirk *it = &((RungRoom *)ctx->user)->step;
    const RungRoom *room = (const RungRoom *)ctx->user;
    const RungModel *m = ctx->model;
    double by_formula = 0;
    int status;
    rung_open_esdirk(ctx);
    status = rung_factor_step(ctx, t, h, x);
    for (int s = 1; s < ESDIRK_STAGES && !status; s++)
        status = rung_step_stage(it, s, t, h, x);
    if (status)
        return status;
    for (uint32_t q = 0; q < it->n_own; q++) {
        const double size = rung_state_size(m, q, fmax(fabs(x[q]), fabs(it->x[q])));
        it->delta[q] = rung_esdirk_error(it, q);
        by_formula = fmax(by_formula, fabs(it->delta[q]) / size);
    }
    rung_lu_solve(it->n_own, room->matrix, room->pivot, it->delta);
    *error = 0;
    memcpy(x, it->x, it->n * sizeof *x);
    for (uint32_t q = 0; q < it->n_own; q++)
        *error = fmax(*error, fabs(it->delta[q]) / rung_state_size(m, q, x[q]));
    it->is_stiff = by_formula > stiff * *error;
    it->t_old = t;
    it->h_before = h;
    return 0;
}

/* One step of the method `esdirk` (order 5, L-stable), x becomes the states at t + h; *error is the
 * estimated one, relative to nominal + |x|. 0; positive, with x unchanged: a shorter step may
 * succeed. */
RUNG_PART int rung_step(RungContext *ctx, double t, double h, double *x, double *error)
{
    const RungRoom *room = (const RungRoom *)ctx->user;
    const size_t n = ctx->model->n_unknowns;
    memcpy(room->z_before, ctx->z, n * sizeof *ctx->z);
    int status = rung_stages(ctx, t, h, x, error);
    // the solutions of blocks in a failed step are no first guess for a shorter one
    if (status)
        memcpy(ctx->z, room->z_before, n * sizeof *ctx->z);
    return status;
}

/* ---- equations of outputs alone, over a step of the caller's (rung_branch.h) ---- */

typedef struct RungBranches {
    RungContext *ctx;
    double *value;             /* the result of RUNG_ASK_OUTPUTS */
    double *x, *z;             /* twice n_states, three times n_unknowns */
    unsigned char *is_of_step; /* n_blocks: not to be watched, kept from step to step */
    double t;
    int is_open;
} RungBranches;

RUNG_PART RungBranches rung_open_branches(RungContext *ctx, double *value, double *x, double *z,
                                          unsigned char *is_of_step)
{
    RungBranches b;
    memset(&b, 0, sizeof b);
    b.ctx = ctx;
    b.value = value;
    b.x = x;
    b.z = z;
    b.is_of_step = is_of_step;
    return b;
}

RUNG_PART int rung_branches_are_open(const RungBranches *it)
{
    const RungModel *m = it->ctx->model;
    int any = 0;
    for (uint32_t k = 0; k < m->n_blocks; k++)
        any = any || rung_branch_is_open(&m->block[k], it->is_of_step[k]);
    return any;
}

RUNG_PART int rung_branches_evaluate(void *user, double t, const double *x)
{
    const RungBranches *it = (const RungBranches *)user;
    return rung_evaluate(it->ctx, RUNG_ASK_OUTPUTS, t, x, it->value);
}

/* Marks the blocks that an evaluation of the question solves, or (marked 0) those that it does not.
 * The guesses are moved before it, so that the unknowns of solved blocks change. */
RUNG_PART int rung_branches_mark(RungBranches *it, RungQuestion question, double t, const double *x,
                                 void *out, int marked)
{
    const double off = sqrt(DBL_EPSILON);
    RungContext *ctx = it->ctx;
    const RungModel *m = ctx->model;
    const size_t size = m->n_unknowns * sizeof *it->z;
    double *guess = it->z + m->n_unknowns;
    int status;
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const RungBlock *b = &m->block[k];
        for (uint32_t i = b->first; i < b->first + b->n; i++)
            ctx->z[i] += off * (fabs(ctx->z[i]) + b->nominal[i - b->first]);
    }
    memcpy(guess, ctx->z, size);
    status = rung_evaluate(ctx, question, t, x, out);
    for (uint32_t k = 0; k < m->n_blocks && !status; k++) {
        const RungBlock *b = &m->block[k];
        const int is_solved =
            memcmp(guess + b->first, ctx->z + b->first, b->n * sizeof *guess) != 0;
        if (is_solved == marked)
            it->is_of_step[k] = 1;
    }
    memcpy(ctx->z, it->z, size);
    return status;
}

/* Before a step from (t, x). */
RUNG_PART int rung_branches_begin(RungBranches *it, double t, const double *x)
{
    const RungModel *m = it->ctx->model;
    int status;
    it->is_open = rung_branches_are_open(it);
    if (!it->is_open)
        return 0;
    status = rung_branches_evaluate(it, t, x);
    it->t = t;
    memcpy(it->x, x, m->n_states * sizeof *x);
    memcpy(it->z, it->ctx->z, m->n_unknowns * sizeof *it->z);
    // not those of derivatives, nor those of relations alone
    if (!status)
        status = rung_branches_mark(it, RUNG_ASK_XDOT, t, x, it->x + m->n_states, 1);
    if (!status)
        status = rung_branches_mark(it, RUNG_ASK_OUTPUTS, t, x, it->value, 0);
    if (status > 0) // no outputs here, which M_outputs reports
        it->is_open = 0;
    return status > 0 ? 0 : status;
}

/* After a step to (t, x), which events may have made jump. Positive, x being the states before the
 * step, where a solution has ended, or there is none. */
RUNG_PART int rung_branches_end(RungBranches *it, double t, double *x, int has_jumped)
{
    RungContext *ctx = it->ctx;
    const RungModel *m = ctx->model;
    const size_t n = m->n_states, n_z = m->n_unknowns;
    RungBranch between;
    uint32_t ends = RUNG_NONE;
    int looked = 0, status;
    if (!it->is_open || has_jumped || !rung_branches_are_open(it))
        return 0;
    status = rung_branches_evaluate(it, t, x);
    memset(&between, 0, sizeof between);
    between.ctx = ctx;
    between.user = it;
    between.evaluate = rung_branches_evaluate;
    between.t0 = it->t;
    between.t1 = t;
    between.x0 = it->x;
    between.x1 = x;
    between.x = it->x + n;
    between.z0 = it->z;
    between.z1 = it->z + n_z;
    between.z = it->z + 2 * n_z;
    memcpy(it->z + n_z, ctx->z, n_z * sizeof *ctx->z);
    memcpy(it->z + 2 * n_z, ctx->z, n_z * sizeof *ctx->z);
    if (!status)
        ends = rung_branch_find(&between, it->is_of_step, &looked);
    if (status < 0 || (!status && ends == RUNG_NONE))
        return status;
    memcpy(x, it->x, n * sizeof *x);
    memcpy(ctx->z, it->z, n_z * sizeof *ctx->z);
    if (!status) {
        ((RungRoom *)ctx->user)->ends = 1;
        ctx->failed_pivot = RUNG_NONE;
        ctx->failed_block = ends;
    }
    return 1;
}

#endif
