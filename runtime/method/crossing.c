/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossing.h"
#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int rates_by_inputs(void *user, double t, const double *x, double *rate)
{
    Problem *problem = user;
    const uint32_t n = problem->model->n_events;
    const double h = inputs_smooth_for(problem->inputs, t);
    memset(rate, 0, n * sizeof *rate);
    if (!(h > 0))
        return 0;
    double *g = malloc((n + (size_t)1) * sizeof *g);
    int status = !g;
    for (int side = -1; side <= 1 && !status; side += 2) {
        inputs_lead(problem->inputs, side * h);
        status = problem_evaluate(problem, RUNG_ASK_RELATIONS, t, x, g);
        for (uint32_t k = 0; k < n && !status; k++)
            rate[k] += side * g[k] / (2 * h);
    }
    inputs_lead(problem->inputs, 0);
    problem_refresh(problem, t, x);
    free(g);
    return status;
}

RungEvaluation crossing_evaluation(Problem *problem)
{
    return (RungEvaluation){.user = problem,
                            .evaluate = evaluate,
                            .refresh = refresh,
                            .rates_by_inputs =
                                inputs_move(problem->inputs) ? rates_by_inputs : NULL};
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
