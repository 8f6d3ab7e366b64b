/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi_state.c -- the state of an instance as bytes (snapshot.h), and back: the FMU states of the
 * FMI functions, which are also their serialised form. It fits instances of the same FMU only.
 */
#include "fmi_instance.h"
#include "loops.h"

#include <stdlib.h>
#include <string.h>

struct FmiState {
    uint64_t size;      /* of the whole */
    char fmu[48];       /* its token    */
    unsigned char at[]; /* a snapshot   */
};

size_t fmi_state_size(const FmiState *state)
{
    return state ? (size_t)state->size : 0;
}

/* An array of an instance that is not part of its run, and its size. */
typedef struct Part {
    void *at;
    size_t size;
} Part;

enum { PARTS = 42 };

static void parts_of(FmiInstance *it, Part part[PARTS])
{
    const RungModel *m = it->model;
    Loops *l = it->run.problem.loops;
    const Part all[PARTS] = {
        {&it->mode, sizeof it->mode},
        {&it->is_ready, sizeof it->is_ready},
        {&it->inputs_moved, sizeof it->inputs_moved},
        {&it->has_taylor, sizeof it->has_taylor},
        {it->taylor, FMI_ORDERS * m->n_inputs * sizeof *it->taylor},
        {it->u_rate, m->n_inputs * sizeof *it->u_rate},
        {&it->last_step, sizeof it->last_step},
        {&it->start, sizeof it->start},
        {&it->span, sizeof it->span},
        {&it->tolerance, sizeof it->tolerance},
        {&it->next_event, sizeof it->next_event},
        {&it->pulse.has_begin, sizeof it->pulse.has_begin},
        {&it->pulse.t0, sizeof it->pulse.t0},
        {it->pulse.x0, m->n_states * sizeof *it->pulse.x0},
        {it->pulse.f0, m->n_states * sizeof *it->pulse.f0},
        {&it->pulse.n_before, sizeof it->pulse.n_before},
        {it->pulse.t_before, sizeof it->pulse.t_before},
        {it->pulse.x_before, FMI_STEPS_BEFORE * m->n_states * sizeof *it->pulse.x_before},
        {&it->pulse.at, 3 * sizeof it->pulse.at},
        {&it->pulse.next, sizeof it->pulse.next},
        {&it->h, sizeof it->h},
        {&it->run.tolerance, sizeof it->run.tolerance},
        {&it->run.n_rough, sizeof it->run.n_rough},
        {&it->run.steps_before, sizeof it->run.steps_before},
        {&it->counts.steps, sizeof it->counts.steps},
        {&it->run.problem.newton_pause, sizeof it->run.problem.newton_pause},
        {&it->run.problem.newton_left, sizeof it->run.problem.newton_left},
        {it->p, m->n_parameters * sizeof *it->p},
        {it->p_set, m->n_parameters},
        {it->u, m->n_inputs * sizeof *it->u},
        {it->x, m->n_states * sizeof *it->x},
        {it->x_set, m->n_states},
        {it->warned, m->n_assertions},
        {it->scale.seen, scale_n_kept(&it->scale) * sizeof *it->scale.seen},
        {&it->scale.searches, sizeof it->scale.searches},
        {&it->events.is_over, sizeof it->events.is_over},
        {&it->has_terminated, sizeof it->has_terminated},
        {&it->over, sizeof it->over},
        {l ? l->y : NULL, l ? ((size_t)l->m + l->k) * sizeof *l->y : 0},
        {l ? l->penalty : NULL, l ? l->m * sizeof *l->penalty : 0},
        {l ? &l->relax : NULL, l ? sizeof l->relax : 0},
        {l ? &l->has_penalties : NULL, l ? sizeof l->has_penalties : 0},
    };
    memcpy(part, all, sizeof all);
}

static bool is_possible(FmiInstance *it)
{
    if (context_can_save(it->model))
        return true;
    it->log(it, FMI_ERROR, "logStatusError",
            "the state cannot be saved: the model has external objects");
    return false;
}

static FmiStatus out_of_memory(FmiInstance *it)
{
    return fmi_fail(it, FMI_ERROR, "out of memory");
}

FmiStatus fmi_state_get(FmiInstance *it, FmiState **state)
{
    if (!is_possible(it))
        return FMI_ERROR;
    // the instance has to continue exactly as one restored from the state
    if (fmi_settle(it))
        return FMI_ERROR;
    if (!fmi_renew(it))
        return out_of_memory(it);
    Snapshot s = {0};
    Part part[PARTS];
    it->over = it->events.over ? (uint32_t)(it->events.over - it->events.table->action) : 0;
    parts_of(it, part);
    snapshot_begin(&s, it->model);
    context_save(it->run.problem.ctx, it->run.t, it->run.x, &s);
    events_save(&it->events, &s);
    delays_save(it->run.problem.delays, &s);
    for (int k = 0; k < PARTS; k++)
        snapshot_put(&s, part[k].at, part[k].size);
    FmiState *out = s.failed ? NULL : realloc(*state, sizeof *out + s.n);
    if (out) {
        memset(out, 0, sizeof *out);
        out->size = sizeof *out + s.n;
        strncpy(out->fmu, fmi_config.token, sizeof out->fmu - 1);
        memcpy(out->at, s.at, s.n);
        *state = out;
    }
    snapshot_free(&s);
    return out ? FMI_OK : out_of_memory(it);
}

static bool fits(FmiInstance *it, const FmiState *s, size_t size)
{
    bool ok = size >= sizeof *s && s->size == size &&
              !strncmp(s->fmu, fmi_config.token, sizeof s->fmu - 1);
    if (!ok)
        it->log(it, FMI_ERROR, "logStatusError", "the state is that of another FMU");
    return ok;
}

FmiStatus fmi_state_set(FmiInstance *it, const FmiState *state)
{
    if (!is_possible(it) || !state || !fits(it, state, (size_t)state->size))
        return FMI_ERROR;
    Snapshot s = {0};
    Part part[PARTS];
    parts_of(it, part);
    snapshot_read(&s, state->at, (size_t)state->size - sizeof *state);
    bool ok = !snapshot_check(&s, it->model) &&
              context_restore(it->run.problem.ctx, &it->run.t, it->run.x, &s) &&
              events_restore(&it->events, &s) && delays_restore(it->run.problem.delays, &s);
    for (int k = 0; k < PARTS && ok; k++)
        ok = snapshot_get(&s, part[k].at, part[k].size);
    snapshot_free(&s);
    it->parameters_moved = false;
    branches_forget(&it->branches);
    const RungEvents *table = it->events.table;
    it->events.over = it->events.is_over && table ? &table->action[it->over] : NULL;
    if (!ok)
        return fmi_fail(it, FMI_ERROR, "the state is damaged, or out of memory");
    delays_pass(it->run.problem.delays, &it->run.problem, it->run.t, it->run.x);
    return fmi_renew(it) ? FMI_OK : out_of_memory(it);
}

FmiStatus fmi_state_write(FmiInstance *it, const FmiState *state, void *bytes, size_t size)
{
    if (size < fmi_state_size(state)) {
        it->log(it, FMI_ERROR, "logStatusError", "the state has more bytes than there is room for");
        return FMI_ERROR;
    }
    memcpy(bytes, state, fmi_state_size(state));
    return FMI_OK;
}

void fmi_state_free(FmiState **state)
{
    if (state) {
        free(*state);
        *state = NULL;
    }
}

FmiStatus fmi_state_read(FmiInstance *it, const void *bytes, size_t size, FmiState **state)
{
    FmiState *s = size >= sizeof *s ? malloc(size) : NULL;
    if (s)
        memcpy(s, bytes, size);
    if (!s || !fits(it, s, size)) {
        free(s);
        return FMI_ERROR;
    }
    *state = s;
    return FMI_OK;
}
