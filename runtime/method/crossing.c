/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossing.h"

#include <stdio.h>

static int evaluate(void *problem, RungQuestion question, double t, const double *x, double *out)
{
    return question == RUNG_ASK_XDOT ? problem_xdot(problem, t, x, out)
                                     : problem_evaluate(problem, question, t, x, out);
}

static int refresh(void *problem, double t, const double *x)
{
    problem_refresh(problem, t, x);
    return 0;
}

RungEvaluation crossing_evaluation(Problem *problem)
{
    return (RungEvaluation){.user = problem, .evaluate = evaluate, .refresh = refresh};
}

void crossing_explain(Problem *problem, uint32_t relation, const char *why)
{
    const RungMemory *m = &problem->model->event->memory[relation];
    const bool has_text = m->text && *m->text, has_place = m->where && *m->where;
    const char *quote = has_text ? "'" : "";
    snprintf(problem->why, sizeof problem->why, "%s%s%s%s%s%s %s", quote,
             has_text ? m->text : "a relation", quote, has_place ? " (" : "",
             has_place ? m->where : "", has_place ? ")" : "", why);
}
