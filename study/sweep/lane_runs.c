#include "study/sweep/lane_runs.h"

#include "base/coroutine.h"
#include "runtime/kernel/lanes.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WIDTH = 16 };

/* The functions that can be evaluated together. */
typedef enum LaneFunction {
    LANE_XDOT,
    LANE_OUTPUTS, /* in parts: the last one */
    LANE_ASSERTIONS,
    LANE_ENTRIES,
    LANE_STEP,
    LANE_PHI,
    LANE_PHI_DOT,
    LANE_PHI_REST,
    LANE_BALANCE,
    LANE_PHI_V,
    LANE_BY_INPUT,
    LANE_NONE
} LaneFunction;

typedef struct Lane {
    struct Together *of;
    uint32_t number;
    Coroutine *coroutine; /* NULL: no run, none is left */
    uint32_t run;
    RungContext *instance; /* whose parameters are in the lane; NULL: none yet, or they have
                                    changed since */
    double *u;             /* the inputs that are in the lane */
    double *z;             /* unknowns of blocks before the evaluation */
    bool has_numbers;      /* of any run */
    /* The evaluation for which its run has paused: function, arguments, results. */
    LaneFunction waits_for;
    RungContext *ctx;
    double t;
    const double *x;
    void *out;
    uint32_t waited; /* evaluations of other functions since */
    int status;      /* of the evaluation */
} Lane;

typedef struct Together {
    RungModel model; /* of the runs. First: their contexts lead to it, hence to all this */
    RungJacobian jacobian;
    RungNewton newton;
    RungLoops loops;
    RungEventParts outputs;
    int (**part)(RungContext *ctx, double t, const double *x, double *out);
    const RungModel *own;
    Lanes *l;
    uint32_t n_inputs, width;
    double *out;
    RungLaneFunction code[LANE_NONE];
    uint32_t n_out[LANE_NONE];
    const uint32_t *place; /* of the outputs in the last part; NULL: all are */
    Lane lane[MOST_WIDTH];
    const Lane *now; /* that runs */
    uint32_t n_runs, next, n_running;
    LaneRun *run;
    void *user;
} Together;

static Together *together(const RungContext *ctx)
{
    return (Together *)ctx->model;
}

/* ---- one instance ---- */

static int evaluate_alone(const Together *it, LaneFunction function, RungContext *ctx, double t,
                          const double *x, void *out)
{
    const RungModel *m = it->own;
    switch (function) {
    case LANE_XDOT:
        return m->xdot(ctx, t, x, out);
    case LANE_OUTPUTS:
        return m->output_parts ? m->output_parts->evaluate[m->output_parts->n - 1](ctx, t, x, out)
                               : m->outputs(ctx, t, x, out);
    case LANE_ASSERTIONS:
        return m->assertions(ctx, t, x, out);
    case LANE_ENTRIES:
        return m->jacobian->entries(ctx, t, x, out);
    case LANE_STEP:
        return m->newton->step(ctx, t, x, out);
    case LANE_PHI:
        return m->loops->phi(ctx, t, x, out);
    case LANE_PHI_DOT:
        return m->loops->phi_dot(ctx, t, x, out);
    case LANE_PHI_REST:
        return m->loops->phi_rest(ctx, t, x, out);
    case LANE_BALANCE:
        return m->loops->balance(ctx, t, x, out);
    case LANE_PHI_V:
        return m->loops->phi_v(ctx, t, x, out);
    case LANE_BY_INPUT:
        return m->loops->by_input(ctx, t, x, out);
    case LANE_NONE:
        break;
    }
    return -1;
}

/* ---- the functions of the runs' model ---- */

static int evaluate_together(LaneFunction function, RungContext *ctx, double t, const double *x,
                             void *out)
{
    Together *it = together(ctx);
    // estimates of noise round in other directions, which the other lanes must not see
    if (it->n_running == 1 || fegetround() != FE_TONEAREST)
        return evaluate_alone(it, function, ctx, t, x, out);
    Lane *lane = &it->lane[it->now->number];
    lane->waits_for = function;
    lane->waited = 0;
    lane->ctx = ctx;
    lane->t = t;
    lane->x = x;
    lane->out = out;
    coroutine_pause(lane->coroutine);
    return lane->status;
}

#define TOGETHER(name, function)                                                                   \
    static int name(RungContext *ctx, double t, const double *x, double *out)                      \
    {                                                                                              \
        return evaluate_together(function, ctx, t, x, out);                                        \
    }
TOGETHER(together_xdot, LANE_XDOT)
TOGETHER(together_outputs, LANE_OUTPUTS)
TOGETHER(together_entries, LANE_ENTRIES)
TOGETHER(together_step, LANE_STEP)
TOGETHER(together_phi, LANE_PHI)
TOGETHER(together_phi_dot, LANE_PHI_DOT)
TOGETHER(together_phi_rest, LANE_PHI_REST)
TOGETHER(together_balance, LANE_BALANCE)
TOGETHER(together_phi_v, LANE_PHI_V)
TOGETHER(together_by_input, LANE_BY_INPUT)
#undef TOGETHER

static int together_assertions(RungContext *ctx, double t, const double *x, unsigned char *out)
{
    return evaluate_together(LANE_ASSERTIONS, ctx, t, x, out);
}

static int together_output_parts(RungContext *ctx, double t, const double *x, double *out)
{
    const RungEventParts *p = together(ctx)->own->output_parts;
    int status = 0;
    for (uint32_t k = 0; k + 1 < p->n && !status; k++)
        status = p->evaluate[k](ctx, t, x, out);
    return status ? status : together_outputs(ctx, t, x, out);
}

/* Parameters change by this alone. */
static int update(RungContext *ctx)
{
    Together *it = together(ctx);
    it->lane[it->now->number].instance = NULL;
    return it->own->update(ctx);
}

static uint32_t n_entries(const RungPattern *p)
{
    return p->col_start[p->n_cols];
}

static void offer(Together *it, LaneFunction function, RungLaneFunction code, uint32_t n_out)
{
    it->code[function] = code;
    it->n_out[function] = n_out;
}

static void offer_outputs(Together *it, const RungLanes *code)
{
    const RungModel *m = it->own;
    const RungEventParts *p = m->output_parts;
    if (!code->outputs)
        return;
    if (!p) {
        offer(it, LANE_OUTPUTS, code->outputs, m->n_values);
        it->model.outputs = together_outputs;
        return;
    }
    uint32_t last = p->n - 1;
    offer(it, LANE_OUTPUTS, code->outputs, p->first_out[last + 1] - p->first_out[last]);
    it->place = p->out + p->first_out[last];
    memcpy(it->part, p->evaluate, p->n * sizeof *it->part);
    it->part[last] = together_outputs;
    it->outputs = *p;
    it->outputs.evaluate = it->part;
    it->model.output_parts = &it->outputs;
    it->model.outputs = together_output_parts;
}

static void offer_loops(Together *it, const RungLanes *code)
{
    const RungLoops *own = it->own->loops;
    if (!own)
        return;
    RungLoops *to = &it->loops;
    *to = *own;
    it->model.loops = to;
    to->phi = code->phi ? together_phi : own->phi;
    to->phi_dot = code->phi_dot ? together_phi_dot : own->phi_dot;
    to->phi_rest = code->phi_rest ? together_phi_rest : own->phi_rest;
    to->balance = code->balance ? together_balance : own->balance;
    to->phi_v = code->phi_v ? together_phi_v : own->phi_v;
    to->by_input = code->by_input ? together_by_input : own->by_input;
    offer(it, LANE_PHI, code->phi, own->n_constraints);
    offer(it, LANE_PHI_DOT, code->phi_dot, own->n_constraints);
    offer(it, LANE_PHI_REST, code->phi_rest, own->n_constraints);
    offer(it, LANE_BALANCE, code->balance, own->n_free);
    offer(it, LANE_PHI_V, code->phi_v, n_entries(&own->phi_v_pattern));
    offer(it, LANE_BY_INPUT, code->by_input, own->by_input ? n_entries(&own->by_input_pattern) : 0);
}

static void offer_all(Together *it)
{
    const RungModel *m = it->own;
    const RungLanes *code = it->l->code;
    it->model = *m;
    it->model.update = update;
    if (code->xdot) {
        offer(it, LANE_XDOT, code->xdot, m->n_states);
        it->model.xdot = together_xdot;
    }
    offer_outputs(it, code);
    if (code->assertions) {
        offer(it, LANE_ASSERTIONS, code->assertions, m->n_assertions);
        it->model.assertions = together_assertions;
    }
    if (code->entries) {
        offer(it, LANE_ENTRIES, code->entries, n_entries(&m->jacobian->pattern));
        it->jacobian = *m->jacobian;
        it->jacobian.entries = together_entries;
        it->model.jacobian = &it->jacobian;
    }
    // with derivatives by parameters there are fewer increments than states
    if (code->step && !m->sensitivity) {
        const RungLoops *loops = m->loops;
        offer(it, LANE_STEP, code->step,
              m->n_states + (loops ? loops->n_free + loops->n_constraints : 0));
        it->newton = *m->newton;
        it->newton.step = together_step;
        it->model.newton = &it->newton;
    }
    offer_loops(it, code);
}

/* ---- several ---- */

static void give(const Together *it, const Lane *lane, uint32_t n, const double *from, double *to)
{
    lanes_put(it->l, lane->number, n, from, to);
}

/* The parameters of an instance, its inputs as far as they are others than those in the lane. Not
 * 0: they cannot be computed. */
static int load(const Together *it, Lane *lane)
{
    if (lane->instance != lane->ctx) {
        if (lanes_set(it->l, lane->number, lane->ctx))
            return 1;
        give(it, lane, it->n_inputs, lane->ctx->u, it->l->ctx.u);
        memcpy(lane->u, lane->ctx->u, it->n_inputs * sizeof *lane->u);
        lane->instance = lane->ctx;
    }
    for (uint32_t k = 0; k < it->n_inputs; k++)
        if (memcmp(&lane->u[k], &lane->ctx->u[k], sizeof *lane->u) != 0)
            it->l->ctx.u[(size_t)k * it->width + lane->number] = lane->u[k] = lane->ctx->u[k];
    memcpy(lane->z, lane->ctx->z, it->own->n_unknowns * sizeof *lane->z);
    it->l->t[lane->number] = lane->t;
    give(it, lane, it->own->n_states, lane->x, it->l->x);
    lane->has_numbers = true;
    return 0;
}

/* Results begin .. end, or of a list of places those of these numbers in it. */
static void take(const Together *it, const Lane *lane, const uint32_t *place, uint32_t begin,
                 uint32_t end)
{
    const size_t width = it->width;
    const double *from = it->out + lane->number;
    double *to = lane->out;
    unsigned char *byte = lane->out;
    if (lane->waits_for == LANE_ASSERTIONS)
        for (uint32_t k = begin; k < end; k++)
            byte[k] = from[k * width] != 0;
    else if (place)
        for (uint32_t k = begin; k < end; k++)
            to[place[k]] = from[place[k] * width];
    else
        for (uint32_t k = begin; k < end; k++)
            to[k] = from[k * width];
}

/* Copies the results, a few numbers of all lanes at a time: these stay in the cache. */
static void take_all(Together *it, LaneFunction function, uint32_t n, const uint32_t *member)
{
    enum { NUMBERS = 64 };
    const uint32_t *place = function == LANE_OUTPUTS ? it->place : NULL, all = it->n_out[function];
    for (uint32_t begin = 0; begin < all; begin += NUMBERS)
        for (uint32_t i = 0; i < n; i++)
            take(it, &it->lane[member[i]], place, begin,
                 all - begin < NUMBERS ? all : begin + NUMBERS);
    for (uint32_t i = 0; i < n; i++) {
        it->lane[member[i]].status = 0;
        it->lane[member[i]].waits_for = LANE_NONE;
    }
}

static void end_alone(const Together *it, Lane *lane)
{
    lane->status = evaluate_alone(it, lane->waits_for, lane->ctx, lane->t, lane->x, lane->out);
    lane->waits_for = LANE_NONE;
}

/* Lanes without a run, or without one so far, have numbers that are no trouble. */
static void fill(const Together *it, const Lane *from)
{
    for (uint32_t k = 0; k < it->width; k++) {
        const Lane empty = {.number = k};
        if (it->lane[k].has_numbers)
            continue;
        lanes_set(it->l, k, from->ctx);
        give(it, &empty, it->n_inputs, from->ctx->u, it->l->ctx.u);
        give(it, &empty, it->own->n_states, from->x, it->l->x);
        it->l->t[k] = from->t;
    }
}

/* Evaluates the function for all lanes that wait for it, with the same bound of pivots. */
static void evaluate(Together *it, LaneFunction function)
{
    uint32_t n = 0, member[MOST_WIDTH];
    for (uint32_t k = 0; k < it->width; k++) {
        Lane *lane = &it->lane[k];
        if (lane->waits_for != function ||
            (n && lane->ctx->least != it->lane[member[0]].ctx->least))
            continue;
        member[n++] = k;
    }
    for (uint32_t i = 0; i < n && n > 1; i++)
        if (load(it, &it->lane[member[i]]))
            n = 1; // none could have begun with these parameters
    if (n == 1) {
        end_alone(it, &it->lane[member[0]]);
        return;
    }
    fill(it, &it->lane[member[0]]);
    RungLaneContext *ctx = &it->l->ctx;
    ctx->least = it->lane[member[0]].ctx->least;
    ctx->failed = ctx->active = 0;
    for (uint32_t i = 0; i < n; i++)
        ctx->active |= 1u << member[i];
    bool failed = it->code[function](ctx, it->l->t, it->l->x, it->out) != 0;
    uint32_t n_good = 0;
    for (uint32_t i = 0; i < n; i++) {
        Lane *lane = &it->lane[member[i]];
        if (failed || ctx->failed >> lane->number & 1) {
            memcpy(lane->ctx->z, lane->z, it->own->n_unknowns * sizeof *lane->z);
            end_alone(it, lane);
        } else {
            member[n_good++] = member[i];
        }
    }
    take_all(it, function, n_good, member);
}

/* ---- turns ---- */

static void body(void *user)
{
    const Lane *lane = user;
    Together *it = lane->of;
    it->run(it->user, lane->run, &it->model);
}

/* The next run for a lane whose last one has ended. */
static bool begin(Together *it, Lane *lane)
{
    coroutine_free(lane->coroutine);
    lane->coroutine = NULL;
    lane->instance = NULL;
    lane->run = it->next;
    if (it->next < it->n_runs)
        lane->coroutine = coroutine_new(body, lane);
    if (!lane->coroutine)
        return false;
    it->next++;
    it->n_running++;
    return true;
}

/* Up to the next evaluation; after its end the next run. */
static void go_on(Together *it, Lane *lane)
{
    while (lane->coroutine && lane->waits_for == LANE_NONE) {
        it->now = lane;
        if (coroutine_resume(lane->coroutine))
            continue;
        it->n_running--;
        begin(it, lane);
    }
}

/* The function to evaluate next: the last one as long as a lane waits for it, so that lanes reach
 * the next one together. Else the one for which most lanes wait, where a lane counts the more the
 * longer it has waited. */
static LaneFunction next_function(Together *it, LaneFunction last)
{
    enum { PATIENCE = 32 }; // after so many evaluations of other functions a lane counts twice
    uint64_t weight[LANE_NONE + 1] = {0};
    LaneFunction most = LANE_NONE;
    for (uint32_t k = 0; k < it->width; k++) {
        Lane *lane = &it->lane[k];
        weight[lane->waits_for] += PATIENCE + lane->waited++;
    }
    weight[LANE_NONE] = 0;
    if (weight[last])
        return last;
    for (int k = 0; k < LANE_NONE; k++)
        if (weight[k] > weight[most])
            most = (LaneFunction)k;
    return most;
}

static void all_runs(Together *it)
{
    for (uint32_t k = 0; k < it->width; k++)
        begin(it, &it->lane[k]);
    for (LaneFunction function = LANE_NONE;;) {
        for (uint32_t k = 0; k < it->width; k++)
            go_on(it, &it->lane[k]);
        function = next_function(it, function);
        if (function == LANE_NONE)
            return;
        evaluate(it, function);
    }
}

static bool make_room(Together *it)
{
    uint32_t most = it->own->n_values;
    for (int k = 0; k < LANE_NONE; k++)
        most = it->n_out[k] > most ? it->n_out[k] : most;
    it->out = lanes_array(((size_t)most + 1) * it->width);
    bool ok = it->out;
    for (uint32_t k = 0; k < it->width; k++) {
        it->lane[k] = (Lane){.of = it, .number = k, .waits_for = LANE_NONE};
        it->lane[k].u = calloc(it->n_inputs + (size_t)1, sizeof(double));
        it->lane[k].z = calloc(it->own->n_unknowns + (size_t)1, sizeof(double));
        ok = ok && it->lane[k].u && it->lane[k].z;
    }
    return ok;
}

static bool can_begin(const Together *it)
{
    // a coroutine that cannot be made is found before there is a run
    Coroutine *c = coroutine_new(body, (void *)&it->lane[0]);
    coroutine_free(c);
    return c;
}

bool lane_runs(const RungModel *m, uint32_t width, uint32_t n, LaneRun *run, void *user)
{
    Together *it = calloc(1, sizeof *it);
    Lanes *l = it && width <= MOST_WIDTH ? lanes_new(m, width) : NULL;
    bool ok = false;
    if (l) {
        it->own = m;
        it->l = l;
        it->width = width;
        it->n_inputs = lanes_inputs(m);
        it->n_runs = n;
        it->run = run;
        it->user = user;
        uint32_t n_parts = m->output_parts ? m->output_parts->n : 0;
        it->part = calloc(n_parts + (size_t)1, sizeof *it->part);
        if (it->part) {
            offer_all(it);
            ok = make_room(it) && can_begin(it);
        }
        if (ok)
            all_runs(it);
        for (uint32_t k = it->next; ok && k < n; k++) // memory has gone short meanwhile
            run(user, k, m);
        for (uint32_t k = 0; k < width; k++) {
            free(it->lane[k].u);
            free(it->lane[k].z);
        }
        free(it->part);
        free(it->out);
    }
    lanes_free(l);
    free(it);
    return ok;
}
