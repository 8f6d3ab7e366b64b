/* SPDX-License-Identifier: BSD-3-Clause */
#define RUNG_SALTATION
#include "saltation.h"
#include "crossing.h"

#include <stdlib.h>
#include <string.h>

bool sensitivity_new(Sensitivity *it, const RungModel *m)
{
    const RungSensitivity *t = m->sensitivity;
    bool any = t && (t->n_relations || t->n_actions || m->loops);
    *it = (Sensitivity){.table = any ? t : NULL};
    if (!any)
        return true;
    it->number = calloc(rung_saltation_size(m) + 1, sizeof *it->number);
    it->set_by = calloc(m->n_states + (size_t)1, sizeof *it->set_by);
    it->x_begin = calloc(m->n_states + (size_t)1, sizeof *it->x_begin);
    it->g_by_inputs = calloc(m->n_events + (size_t)1, sizeof *it->g_by_inputs);
    if (!it->number || !it->set_by || !it->x_begin || !it->g_by_inputs)
        return false;
    rung_open_saltation(&it->rules, m, it->number, it->set_by);
    it->rules.g_by_inputs = it->g_by_inputs;
    return true;
}

void sensitivity_free(Sensitivity *it)
{
    free(it->number);
    free(it->set_by);
    free(it->x_begin);
    free(it->g_by_inputs);
    *it = (Sensitivity){0};
}

/* With the reason in run->problem.why. */
static int explained(const Sensitivity *it, Run *run, int status)
{
    const RungCrossingFault *fault = &it->rules.fault;
    if (!status)
        return 0;
    if (it->rules.why != fault->why)
        return problem_fail(&run->problem, it->rules.why);
    crossing_explain(&run->problem, fault->of, fault->why);
    return 1;
}

static int note_actions(void *user, Run *run, uint32_t n, const uint32_t *action)
{
    Sensitivity *it = user;
    int is_noted = 0, status = 0;
    for (uint32_t i = 0; i < n && !status; i++)
        status = rung_saltation_act(&it->rules, run->t, run->x, action[i], &is_noted);
    return explained(it, run, status);
}

bool sensitivity_watch(Sensitivity *it, Events *e)
{
    e->acts = it->table ? note_actions : NULL;
    e->acts_user = it;
    return true;
}

void sensitivity_look(Sensitivity *it, const Run *run, const Integrator *method, void *self,
                      double t0)
{
    if (!it || !it->table || !it->table->n_relations)
        return;
    method->at(self, run, t0, it->x_begin);
    it->t_begin = t0;
    it->has_begin = true;
}

int sensitivity_enter(Sensitivity *it, Run *run, Events *e, bool at_start)
{
    if (!it->table)
        return 0;
    RungSaltation *s = &it->rules;
    s->ctx = run->problem.ctx;
    s->by = crossing_evaluation(&run->problem);
    s->r = &e->r;
    s->is_unread = e->watch.is_unread;
    s->tolerance = run->tolerance;
    RungCause cause = at_start              ? RUNG_CAUSE_START
                      : e->at_cut           ? RUNG_CAUSE_TIME
                      : e->step.is_crossing ? RUNG_CAUSE_SEARCH
                                            : RUNG_CAUSE_OTHER;
    bool is_timed = events_next_time(e, run) <= run->t;
    int status = rung_saltation_enter(s, run->t, run->x, cause, is_timed, it->t_begin,
                                      it->has_begin ? it->x_begin : NULL);
    // where closed loops were projected the crossing may have been taken back: it comes again
    if (!status && s->is_unknown && !run->problem.loops)
        return problem_fail(&run->problem, rung_no_cause);
    return explained(it, run, status);
}

int sensitivity_leave(Sensitivity *it, Run *run, Events *e)
{
    const RungSensitivity *t = it->table;
    if (!t)
        return 0;
    if (it->rules.is_unknown && (e->now.restarts || rung_has_changed_held(&it->rules)))
        return problem_fail(&run->problem, rung_no_cause);
    if (rung_saltation_leave(&it->rules, run->t, run->x))
        return explained(it, run, 1);
    it->has_begin = false;
    for (uint32_t k = 0; k < run->problem.n; k++)
        if (t->of[k] != RUNG_NONE && t->by[k] != t->n)
            e->now.restarts = e->now.restarts || run->x[k] != it->rules.x[k];
    return 0;
}
