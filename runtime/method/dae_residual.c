/* SPDX-License-Identifier: BSD-3-Clause */
#include "dae_residual.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *residual_form_missing(const Run *run)
{
    const RungModel *m = run->problem.model;
    if (run->problem.loops)
        return "a model whose loops are cut has no residual form";
    if (run->problem.delays)
        return "a model with delays has no residual form";
    for (uint32_t k = 0; k < m->n_blocks; k++)
        if (!m->block[k].is_linear)
            return "a model with nonlinear equations that are solved at run time has no residual "
                   "form";
    if (!m->residual)
        return "the model was compiled without its residual form";
    for (uint32_t k = 0; k < m->residual->n; k++)
        if (m->residual->state[k] == RUNG_NONE && m->residual->variable[k] == RUNG_NONE)
            return "the residual form has an unknown that is no variable of the model, and no "
                   "start value of it";
    return NULL;
}

void residual_form_close(ResidualForm *it)
{
    free(it->row);
    free(it->extra);
    free(it->a);
    free(it->out);
    free(it->by_torn);
    free(it->by_state);
    free(it->moved);
    free(it->other);
    free(it->col_start);
    free(it->row_of);
    free(it->entry);
    free(it->state_place);
    free(it->torn_place);
    free(it->rate_place);
}

static size_t entries_of(const RungPattern *p)
{
    return p->col_start ? p->col_start[p->n_cols] : 0;
}

/* The entry of column c in row k of F; `place` has those of this column. */
static uint32_t entry_at(ResidualForm *it, uint32_t *place, uint32_t c, uint32_t k)
{
    uint32_t *end = &it->col_start[c + 1];
    if (place[k] == RUNG_NONE || place[k] < it->col_start[c]) {
        it->row_of[*end] = k;
        place[k] = (*end)++;
    }
    return place[k];
}

static void put_column(ResidualForm *it, uint32_t *place, uint32_t c, const RungPattern *p,
                       uint32_t of, uint32_t *to)
{
    for (uint32_t e = p->col_start[of]; e < p->col_start[of + 1]; e++)
        to[e] = entry_at(it, place, c, it->row[p->row[e]]);
}

/* Where the model's entries lie in dF/dy + c dF/dy'. False when out of memory. */
static bool find_places(ResidualForm *it)
{
    const RungResidual *r = it->r;
    const RungPattern *torn = &r->by_torn_pattern, *state = &r->by_state_pattern;
    size_t most = entries_of(torn) + entries_of(state) + r->n_rates + 1;
    it->col_start = calloc(it->n + (size_t)1, sizeof *it->col_start);
    it->row_of = calloc(most, sizeof *it->row_of);
    it->entry = calloc(most, sizeof *it->entry);
    it->state_place = calloc(entries_of(state) + 1, sizeof *it->state_place);
    it->torn_place = calloc(entries_of(torn) + 1, sizeof *it->torn_place);
    it->rate_place = calloc(r->n_rates + (size_t)1, sizeof *it->rate_place);
    // per column of F: the tearing variable and the rate that are in it; per row: its entry
    uint32_t *torn_of = malloc(3 * (it->n + (size_t)1) * sizeof *torn_of);
    bool ok = it->col_start && it->row_of && it->entry && it->state_place && it->torn_place &&
              it->rate_place && torn_of;
    if (ok) {
        uint32_t *rate = torn_of + it->n, *place = rate + it->n;
        memset(torn_of, 0xff, 3 * (it->n + (size_t)1) * sizeof *torn_of);
        for (uint32_t k = 0; k < r->n; k++)
            torn_of[it->extra[k] == RUNG_NONE ? r->state[k] : it->extra[k]] = k;
        for (uint32_t k = 0; k < r->n_rates; k++)
            rate[r->rate_of[k]] = k;
        for (uint32_t c = 0; c < it->n; c++) {
            it->col_start[c + 1] = it->col_start[c];
            if (c < it->n_states)
                put_column(it, place, c, state, c, it->state_place);
            if (torn_of[c] != RUNG_NONE)
                put_column(it, place, c, torn, torn_of[c], it->torn_place);
            if (rate[c] != RUNG_NONE)
                it->rate_place[rate[c]] = entry_at(it, place, c, c);
        }
    }
    free(torn_of);
    return ok;
}

bool residual_form_open(ResidualForm *it, const Run *run)
{
    const RungResidual *r = run->problem.model->residual;
    size_t rows = (size_t)r->n + r->n_rates;
    *it = (ResidualForm){.r = r, .n_states = run->problem.n, .n = run->problem.n};
    it->row = calloc(rows + 1, sizeof *it->row);
    it->extra = calloc(r->n + (size_t)1, sizeof *it->extra);
    it->a = calloc(r->n + (size_t)1, sizeof *it->a);
    it->out = calloc(rows + 1, sizeof *it->out);
    it->by_torn = calloc(entries_of(&r->by_torn_pattern) + 1, sizeof *it->by_torn);
    it->by_state = calloc(entries_of(&r->by_state_pattern) + 1, sizeof *it->by_state);
    it->moved = calloc((size_t)run->problem.n + r->n + 1, sizeof *it->moved);
    it->other = calloc(rows + 1, sizeof *it->other);
    if (!it->row || !it->extra || !it->a || !it->out || !it->by_torn || !it->by_state ||
        !it->moved || !it->other) {
        residual_form_close(it);
        return false;
    }
    for (uint32_t k = 0; k < r->n; k++) {
        bool is_extra = r->state[k] == RUNG_NONE;
        it->row[k] = is_extra ? it->n : r->state[k];
        it->extra[k] = is_extra ? it->n++ : RUNG_NONE;
    }
    for (uint32_t k = 0; k < r->n_rates; k++)
        it->row[r->n + k] = r->rate_of[k];
    if (r->by_state && !find_places(it)) {
        residual_form_close(it);
        return false;
    }
    return true;
}

int residual_form_start(ResidualForm *it, Run *run, double *y, double *yp)
{
    const RungModel *m = run->problem.model;
    int status = problem_xdot(&run->problem, run->t, run->x, yp);
    memcpy(y, run->x, it->n_states * sizeof *y);
    if (status || it->n == it->n_states)
        return status;
    double *v = calloc(m->n_values + (size_t)1, sizeof *v);
    status = v ? m->outputs(run->problem.ctx, run->t, run->x, v) : -1;
    for (uint32_t k = 0; k < it->r->n && !status; k++)
        if (it->extra[k] != RUNG_NONE) {
            y[it->extra[k]] = rung_value(run->problem.ctx, it->r->variable[k], run->t, run->x, v);
            yp[it->extra[k]] = 0;
        }
    free(v);
    return status;
}

static void put_torn(ResidualForm *it, const double *y, const double *yp)
{
    for (uint32_t k = 0; k < it->r->n; k++)
        it->a[k] = it->extra[k] == RUNG_NONE ? yp[it->r->state[k]] : y[it->extra[k]];
}

/* The rows of the model, finite. */
static int evaluate(ResidualForm *it, Run *run, double t, const double *x, const double *a,
                    double *out)
{
    const RungResidual *r = it->r;
    RungContext *ctx = run->problem.ctx;
    run->problem.counts->evaluations++;
    run->problem.bad_state = RUNG_NONE;
    ctx->failed_pivot = ctx->failed_block = ctx->failed_unknown = RUNG_NONE;
    problem_refresh(&run->problem, t, x);
    int status = r->residual(ctx, t, x, a, out);
    status = status ? status : r->rates(ctx, t, x, a, out + r->n);
    double sum = 0;
    for (uint32_t k = 0; k < r->n + r->n_rates; k++)
        sum += 0 * out[k];
    return status ? status : sum != 0;
}

int residual_form_f(ResidualForm *it, Run *run, double t, const double *y, const double *yp,
                    double *f)
{
    const RungResidual *r = it->r;
    put_torn(it, y, yp);
    int status = evaluate(it, run, t, y, it->a, it->out);
    for (uint32_t k = 0; k < r->n + r->n_rates && !status; k++)
        f[it->row[k]] = it->out[k] - (k < r->n ? 0 : yp[it->row[k]]);
    return status;
}

/* Entries of d rows / d argument in the pattern by differences, the argument being x (of n) or the
 * tearing variables. */
static int differences(ResidualForm *it, Run *run, double t, const double *x, bool by_state,
                       const RungPattern *p, double *entry)
{
    const double *at = by_state ? x : it->a;
    double *moved = it->moved;
    int status = evaluate(it, run, t, x, it->a, it->out);
    for (uint32_t colour = 0; colour < p->n_colours && !status; colour++) {
        memcpy(moved, at, p->n_cols * sizeof *moved);
        for (uint32_t c = 0; c < p->n_cols; c++)
            if (p->colour[c] == colour)
                moved[c] += sqrt(DBL_EPSILON) *
                            fmax(fabs(at[c]), by_state ? run->problem.model->nominal[c] : 1);
        status = evaluate(it, run, t, by_state ? moved : x, by_state ? it->a : moved, it->other);
        for (uint32_t c = 0; c < p->n_cols && !status; c++)
            for (uint32_t e = p->col_start[c]; p->colour[c] == colour && e < p->col_start[c + 1];
                 e++)
                entry[e] = (it->other[p->row[e]] - it->out[p->row[e]]) / (moved[c] - at[c]);
    }
    return status;
}

int residual_form_entries(ResidualForm *it, Run *run, double t, double c, const double *y,
                          const double *yp)
{
    const RungResidual *r = it->r;
    const RungPattern *torn = &r->by_torn_pattern, *state = &r->by_state_pattern;
    int status;
    run->problem.counts->jacobians++;
    put_torn(it, y, yp);
    if (run->problem.jacobian == JACOBIAN_ANALYTIC) {
        status = r->by_torn(run->problem.ctx, t, y, it->a, it->by_torn);
        status = status ? status : r->by_state(run->problem.ctx, t, y, it->a, it->by_state);
    } else {
        status = differences(it, run, t, y, false, torn, it->by_torn);
        status = status ? status : differences(it, run, t, y, true, state, it->by_state);
    }
    if (status)
        return status;
    memset(it->entry, 0, it->col_start[it->n] * sizeof *it->entry);
    for (uint32_t e = 0; e < entries_of(state); e++)
        it->entry[it->state_place[e]] += it->by_state[e];
    for (uint32_t k = 0; k < r->n; k++) {
        double factor = it->extra[k] == RUNG_NONE ? c : 1;
        for (uint32_t e = torn->col_start[k]; e < torn->col_start[k + 1]; e++)
            it->entry[it->torn_place[e]] += factor * it->by_torn[e];
    }
    for (uint32_t k = 0; k < r->n_rates; k++)
        it->entry[it->rate_place[k]] -= c;
    return 0;
}
