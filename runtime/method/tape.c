/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape.h"
#include "input.h"
#include "loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tape_open(Tape *it, const RungModel *m, size_t room)
{
    *it = (Tape){.n_states = m->n_states,
                 .n_unknowns = m->n_unknowns,
                 .n_memory = m->event ? m->event->n_memory : 0,
                 .room = room,
                 .to = SIZE_MAX};
    size_t n = tape_state_size(it), follow = it->n_states + (size_t)1;
    it->now = calloc(TAPE_STAGES * n + 1, sizeof *it->now);
    it->start = calloc(n + 1, sizeof *it->start);
    it->memory_start = calloc(it->n_memory + (size_t)1, sizeof *it->memory_start);
    it->last = it->first = calloc(n + 1, sizeof *it->first);
    it->end = calloc(n + 1, sizeof *it->end);
    it->n_marks = m->adjoint ? m->adjoint->n_objectives : 0;
    it->mark = calloc(it->n_marks + (size_t)1, sizeof *it->mark);
    it->has_loops = m->loops;
    it->trace = (LoopTrace){.n_states = m->n_states,
                            .n_inputs = m->loops ? m->loops->n_constraints + m->loops->n_free : 0};
    bool ok = it->now && it->start && it->memory_start && it->first && it->end && it->mark;
    for (int k = 0; k < TAPE_FOLLOWS; k++) {
        TapeFollow *f = &it->room_of_cut.follow[k];
        f->x = calloc(2 * follow, sizeof *f->x);
        f->factor = f->x + follow;
        ok = ok && f->x;
    }
    return ok;
}

static void free_record(TapeRecord *r)
{
    if (!r)
        return;
    for (int k = 0; k < TAPE_FOLLOWS && r->cut; k++)
        free(r->cut->follow[k].x);
    free(r->cut);
    TapeEvent *e = r->event;
    for (uint32_t k = 0; e && k < e->n_rounds; k++) {
        free(e->round[k].memory);
        free(e->round[k].action);
    }
    if (e) {
        free(e->round);
        free(e->crossing);
        free(e->size);
        free(e->before);
    }
    free(e);
    for (int k = 0; k < (r->kind == TAPE_STEP ? TAPE_STAGES : 1) && r->trace; k++)
        loop_trace_free(&r->trace[k]);
    free(r->trace);
    free(r->state);
    free(r);
}

void tape_forget(Tape *it)
{
    for (size_t k = 0; k < it->n; k++)
        free_record(it->record[k]);
    it->n = it->bytes = 0;
}

void tape_close(Tape *it)
{
    tape_forget(it);
    free_record(it->event);
    for (uint32_t k = 0; k < it->n_marks && it->mark; k++)
        free_record(it->mark[k].cut);
    free(it->mark);
    free(it->record);
    free(it->window);
    free(it->now);
    free(it->start);
    free(it->memory_start);
    free(it->first);
    free(it->end);
    for (int k = 0; k < TAPE_FOLLOWS; k++)
        free(it->room_of_cut.follow[k].x);
    for (int k = 0; k < TAPE_STAGES; k++)
        loop_trace_free(&it->now_trace[k]);
    loop_trace_free(&it->trace);
    loop_trace_free(&it->start_trace);
    *it = (Tape){0};
}

void tape_want(Tape *it, size_t from, size_t to)
{
    it->from = from;
    it->to = to;
    it->room = SIZE_MAX;
}

static const double *memory_of(const Run *run)
{
    return run->problem.ctx->u + run->problem.model->n_inputs;
}

static void put_state(const Tape *it, double *to, const double *x)
{
    memcpy(to, x, it->n_states * sizeof *to);
    memcpy(to + it->n_states, it->problem->ctx->z, it->n_unknowns * sizeof *to);
}

void tape_start(Tape *it, const Run *run)
{
    it->problem = &run->problem;
    put_state(it, it->start, run->x);
    run->problem.loops->trace = &it->trace;
    loop_trace_begin(&it->trace);
}

void tape_begin(Tape *it, const Run *run)
{
    it->problem = &run->problem;
    it->t_start = it->t_last = run->t;
    if (it->has_loops) {
        loop_trace_append(&it->start_trace, &it->trace);
        it->trace.is_on = false;
    } else {
        put_state(it, it->start, run->x);
    }
    put_state(it, it->first, run->x);
    memcpy(it->memory_start, memory_of(run), it->n_memory * sizeof(double));
}

static int no_memory(Run *run)
{
    snprintf(run->problem.why, sizeof run->problem.why, "out of memory");
    return 1;
}

static bool is_wanted(const Tape *it)
{
    return it->n_done >= it->from && it->n_done < it->to;
}

/* All records so far are given up; the run is made once more for them. */
static bool begin_window(Tape *it)
{
    size_t *window = realloc(it->window, (it->n_windows + 1) * sizeof *window);
    if (!window)
        return false;
    it->window = window;
    it->window[it->n_windows++] = it->n_done;
    it->from = it->n_done;
    if (it->last != it->first)
        memcpy(it->first, it->last, tape_state_size(it) * sizeof *it->first);
    it->last = it->first;
    tape_forget(it);
    return true;
}

/* Takes the record, whose state is the last one now. */
static bool append(Tape *it, TapeRecord *r, const double *state)
{
    bool is_kept = is_wanted(it);
    size_t size = tape_state_size(it) * sizeof *state;
    if (r->kind == TAPE_STEP) {
        memcpy(it->end, state, size);
        it->t_end = r->t;
        it->last_step = it->n_done;
    }
    it->n_done++;
    it->t_last = r->t;
    if (!is_kept) {
        memcpy(it->first, state, size);
        it->last = it->first;
        free_record(r);
        return true;
    }
    if (it->n == it->most) {
        size_t most = it->most ? 2 * it->most : 64;
        TapeRecord **more = realloc(it->record, most * sizeof *more);
        if (!more) {
            free_record(r);
            return false;
        }
        it->record = more;
        it->most = most;
    }
    it->record[it->n++] = r;
    it->bytes += r->bytes;
    it->last = state;
    return true;
}

static TapeRecord *record_new(const Run *run, TapeKind kind, size_t numbers)
{
    TapeRecord *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->kind = kind;
    r->t = run->t;
    r->place = inputs_place(run->problem.inputs);
    r->cut = kind == TAPE_CUT ? calloc(1, sizeof *r->cut) : NULL;
    r->event = kind == TAPE_EVENT ? calloc(1, sizeof *r->event) : NULL;
    r->bytes = sizeof *r + sizeof r + numbers * sizeof(double) + (r->cut ? sizeof *r->cut : 0) +
               (r->event ? sizeof *r->event : 0);
    r->state = malloc((numbers + 1) * sizeof *r->state);
    bool has_trace = kind == TAPE_CLOSING || (kind == TAPE_STEP && run->problem.loops);
    r->trace = has_trace ? calloc(kind == TAPE_STEP ? TAPE_STAGES : 1, sizeof *r->trace) : NULL;
    if (r->state && (r->trace || !has_trace) && (r->cut || kind != TAPE_CUT) &&
        (r->event || kind != TAPE_EVENT))
        return r;
    free_record(r);
    return NULL;
}

void tape_stage(Tape *it, uint32_t stage, double t, const double *x)
{
    if (!it)
        return;
    it->t_now[stage] = t;
    put_state(it, it->now + stage * tape_state_size(it), x);
    if (!it->has_loops)
        return;
    it->now_trace[stage].n = it->now_trace[stage].n_numbers = 0;
    it->now_trace[stage].is_lost = stage && !loop_trace_append(&it->now_trace[stage], &it->trace);
    loop_trace_begin(&it->trace);
}

/* What has closed the loops in the stages, and behind the last one, becomes that of the record. */
static bool take_traces(Tape *it, TapeRecord *r)
{
    bool ok = loop_trace_append(&it->now_trace[it->formula.n - 1], &it->trace);
    for (uint32_t k = 0; k < it->formula.n; k++) {
        ok = ok && !it->now_trace[k].is_lost && loop_trace_append(&r->trace[k], &it->now_trace[k]);
        r->bytes += loop_trace_bytes(&r->trace[k]);
    }
    it->trace.is_on = false;
    return ok;
}

static uint32_t n_middle(const Tape *it)
{
    return it->formula.n - 1 - it->formula.ends;
}

static const double *end_of(const Tape *it, const TapeRecord *step)
{
    return step->state + n_middle(it) * tape_state_size(it);
}

const double *tape_stage_of(const Tape *it, const TapeRecord *step, uint32_t i)
{
    return i == 0 ? step->begin : step->state + (i - 1) * tape_state_size(it);
}

int tape_step(Tape *it, Run *run, const TapeFormula *formula, double t_old, double h,
              const double *x_old, double t, const double *x)
{
    if (!it)
        return 0;
    if (!it->formula.n)
        it->formula = *formula;
    size_t n = tape_state_size(it), numbers = (n_middle(it) + 1) * n;
    const char *wrong = NULL;
    if (memcmp(&it->formula, formula, sizeof *formula) != 0)
        wrong = "another method takes over";
    else if (t_old != it->t_last || memcmp(x_old, it->last, it->n_states * sizeof *x) != 0)
        wrong = "the run goes on from where no step has ended";
    if (wrong) {
        snprintf(run->problem.why, sizeof run->problem.why, "no adjoint: %s (--mode direct)",
                 wrong);
        return 1;
    }
    if (it->n_done >= it->to) {
        it->is_done = true;
        snprintf(run->problem.why, sizeof run->problem.why, "the adjoint needs no more of it");
        return 1;
    }
    TapeRecord *r = record_new(run, TAPE_STEP, numbers);
    if (!r || (it->has_loops && !take_traces(it, r))) {
        free_record(r);
        return no_memory(run);
    }
    bool is_full = it->n && it->bytes + r->bytes > it->room;
    if (is_full && !begin_window(it)) {
        free_record(r);
        return no_memory(run);
    }
    r->h = h;
    r->t = t;
    memcpy(r->t_stage, it->t_now, sizeof r->t_stage);
    r->begin = it->last;
    memcpy(r->state, it->now + n, n_middle(it) * n * sizeof *r->state);
    double *end = r->state + n_middle(it) * n;
    put_state(it, end, x);
    if (formula->ends)
        memcpy(end + it->n_states, it->now + (formula->n - 1) * n + it->n_states,
               it->n_unknowns * sizeof *end);
    return append(it, r, end) ? 0 : no_memory(run);
}

/* The state of the last step at t; NULL with run->problem.why. */
static TapeRecord *cut_new(Tape *it, Run *run, const Integrator *method, void *self, double t)
{
    TapeCut *cut = &it->room_of_cut;
    if (!method->cut) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "no adjoint: '%s' goes back into a step (--mode direct)", method->name);
        return NULL;
    }
    cut->is_rough = false;
    method->cut(self, run, t, cut);
    if (cut->is_rough) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "no adjoint: inside of a step near a singular position of closed kinematic loops "
                 "(--mode direct)");
        return NULL;
    }
    TapeRecord *r = record_new(run, TAPE_CUT, tape_state_size(it));
    bool ok = r;
    if (ok)
        *r->cut = *cut;
    for (uint32_t k = 0; k < TAPE_FOLLOWS && r; k++) {
        TapeFollow *f = &r->cut->follow[k];
        size_t n = it->n_states;
        f->x = k < cut->n_follows ? malloc((2 * n + 1) * sizeof *f->x) : NULL;
        f->factor = f->x ? f->x + n : NULL;
        ok = ok && (f->x || k >= cut->n_follows);
        if (!f->x)
            continue;
        memcpy(f->x, cut->follow[k].x, n * sizeof *f->x);
        memcpy(f->factor, cut->follow[k].factor, n * sizeof *f->x);
        r->bytes += 2 * n * sizeof *f->x;
    }
    if (ok) {
        r->t = t;
        return r;
    }
    free_record(r);
    no_memory(run);
    return NULL;
}

int tape_cut(Tape *it, Run *run, const Integrator *method, void *self)
{
    if (!it || !it->n_states ||
        (run->t == it->t_last && !memcmp(run->x, it->last, it->n_states * sizeof *run->x)))
        return 0;
    TapeRecord *r = cut_new(it, run, method, self, run->t);
    if (!r)
        return 1;
    put_state(it, r->state, run->x);
    return append(it, r, r->state) ? 0 : no_memory(run);
}

void tape_close_loops(Tape *it)
{
    if (it)
        loop_trace_begin(&it->trace);
}

int tape_closed(Tape *it, Run *run)
{
    if (!it)
        return 0;
    it->trace.is_on = false;
    if (!it->trace.n && !it->trace.is_lost)
        return 0;
    TapeRecord *r = record_new(run, TAPE_CLOSING, tape_state_size(it));
    if (!r || it->trace.is_lost || !loop_trace_append(r->trace, &it->trace)) {
        free_record(r);
        return no_memory(run);
    }
    r->bytes += loop_trace_bytes(r->trace);
    put_state(it, r->state, run->x);
    return append(it, r, r->state) ? 0 : no_memory(run);
}

int tape_mark(Tape *it, Run *run, const Integrator *method, void *self, double t, uint32_t k)
{
    if (!it->n_states) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "no adjoint: extrema of a model without states (--mode direct)");
        return 1;
    }
    TapeRecord *r = cut_new(it, run, method, self, t);
    if (!r)
        return 1;
    put_state(it, r->state, run->x);
    method->at(self, run, t, r->state);
    // as rows inside of a step are
    if (it->has_loops && !method->closes_loops && t != run->t) {
        loop_trace_begin(&it->trace);
        int status = loops_project(&run->problem, t, r->state);
        it->trace.is_on = false;
        r->trace = calloc(1, sizeof *r->trace);
        if (status || !r->trace || it->trace.is_lost || !loop_trace_append(r->trace, &it->trace)) {
            free_record(r);
            return status ? status : no_memory(run);
        }
    }
    free_record(it->mark[k].cut);
    it->mark[k] = (TapeMark){it->last_step, r};
    return 0;
}

/* ---- events ---- */

int tape_event(Tape *it, Run *run)
{
    size_t n = tape_state_size(it), m = it->n_memory;
    TapeRecord *r = it->event = record_new(run, TAPE_EVENT, 2 * n);
    if (!r)
        return no_memory(run);
    TapeEvent *e = r->event;
    e->state = r->state;
    e->state_after = r->state + n;
    e->before = malloc((2 * m + 1) * sizeof *e->before);
    e->crossing = calloc(run->problem.model->n_events + (size_t)1, sizeof *e->crossing);
    e->size = calloc(run->problem.model->n_events + (size_t)1, sizeof *e->size);
    if (!e->before || !e->crossing || !e->size)
        return no_memory(run);
    e->after = e->before + m;
    r->bytes += 2 * m * sizeof *e->before + run->problem.model->n_events * 2 * sizeof(double);
    put_state(it, e->state, run->x);
    memcpy(e->before, memory_of(run), m * sizeof *e->before);
    return 0;
}

int tape_round(Tape *it, Run *run, uint32_t n_actions, const uint32_t *action)
{
    size_t n = tape_state_size(it), m = it->n_memory;
    TapeRecord *r = it->event;
    if (!r)
        return 0;
    TapeEvent *e = r->event;
    TapeRound *more = realloc(e->round, (e->n_rounds + (size_t)1) * sizeof *more);
    if (!more)
        return no_memory(run);
    e->round = more;
    TapeRound *a = &e->round[e->n_rounds];
    *a = (TapeRound){.n_actions = n_actions,
                     .memory = malloc((m + n + 1) * sizeof *a->memory),
                     .action = malloc((n_actions + (size_t)1) * sizeof *a->action)};
    e->n_rounds++;
    if (!a->memory || !a->action)
        return no_memory(run);
    a->state = a->memory + m;
    memcpy(a->memory, memory_of(run), m * sizeof *a->memory);
    put_state(it, a->state, run->x);
    if (n_actions)
        memcpy(a->action, action, n_actions * sizeof *action);
    r->bytes += sizeof *a + (m + n) * sizeof *a->memory + n_actions * sizeof *action;
    return 0;
}

int tape_event_end(Tape *it, Run *run)
{
    TapeRecord *r = it->event;
    it->event = NULL;
    put_state(it, r->event->state_after, run->x);
    memcpy(r->event->after, memory_of(run), it->n_memory * sizeof *r->event->after);
    return append(it, r, r->event->state_after) ? 0 : no_memory(run);
}

void tape_go_on(Tape *it)
{
    size_t k = it->n;
    while (k > 0 && it->record[k - 1]->kind != TAPE_STEP)
        it->record[--k]->keeps_step = true;
    it->t_last = it->t_end;
    if (k > 0 && it->n_done > it->from && it->n_done <= it->to) {
        it->last = end_of(it, it->record[k - 1]);
        return;
    }
    memcpy(it->first, it->end, tape_state_size(it) * sizeof *it->end);
    it->last = it->first;
}
