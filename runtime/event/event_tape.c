/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_tape.h"

#include <stdio.h>

static int note_round(void *user, Run *run, uint32_t n, const uint32_t *action)
{
    return tape_round(user, run, n, action);
}

void event_tape_watch(Tape *it, Events *e)
{
    e->acts = note_round;
    e->acts_user = it;
}

int event_tape_enter(Tape *it, Run *run, Events *e, bool at_start)
{
    const RungModel *m = run->problem.model;
    if (tape_event(it, run))
        return 1;
    TapeEvent *event = it->event->event;
    event->at_start = at_start;
    if (at_start || e->at_cut || !e->r.n)
        return 0;
    if (problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, run->t, run->x, e->r.g)) {
        snprintf(run->problem.why, sizeof run->problem.why, "the relations cannot be evaluated");
        return 1;
    }
    event->is_timed = events_next_time(e, run) <= run->t;
    for (uint32_t k = 0; k < m->n_events; k++) {
        if (!events_is_other(e, k, e->r.g[k]))
            continue;
        event->crossing[event->n_crossings] = k;
        event->size[event->n_crossings++] = e->r.size[e->relation[k]];
    }
    return 0;
}

int event_tape_leave(Tape *it, Run *run, Events *e)
{
    const RungAdjoint *a = run->problem.model->adjoint;
    const TapeEvent *event = it->event->event;
    bool is_unknown =
        !event->at_start && !event->n_crossings && !event->is_timed && e->step.is_crossing;
    // derivatives may jump where values do not
    for (uint32_t k = 0; k < event->n_rounds && !event->at_start; k++)
        for (uint32_t i = 0; i < event->round[k].n_actions; i++)
            e->now.restarts |= e->table->action[event->round[k].action[i]].kind == RUNG_REINIT;
    for (uint32_t k = 0; k < a->n_kept && !event->at_start; k++)
        e->now.restarts |= e->table->memory[a->kept[k]].is_driving != 0;
    if (e->now.lost_round) {
        snprintf(run->problem.why, sizeof run->problem.why, "out of memory");
        return 1;
    }
    if (is_unknown && e->now.restarts) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "which relation makes the event is not known, nor how its time depends on "
                 "parameters");
        return 1;
    }
    return tape_event_end(it, run);
}
