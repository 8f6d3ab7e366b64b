/* SPDX-License-Identifier: BSD-3-Clause */
#include "iteration_matrix.h"
#include "delay.h"
#include "jacobian.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void iteration_matrix_close(IterationMatrix *it)
{
    free(it->jacobian);
    free(it->work);
    free(it->col_start);
    free(it->row);
    free(it->place);
    free(it->diagonal);
    free(it->entry);
    factor_close(&it->lu);
    *it = (IterationMatrix){0};
}

/* The model's pattern with the diagonal in it; rows stay ascending. */
static bool add_diagonal(IterationMatrix *it, const RungPattern *p)
{
    uint32_t n = it->n, at = 0;
    size_t most = p->col_start[n] + (size_t)n + 1;
    it->col_start = calloc(n + (size_t)1, sizeof *it->col_start);
    it->row = calloc(most, sizeof *it->row);
    it->place = calloc(most, sizeof *it->place);
    it->diagonal = calloc(n + (size_t)1, sizeof *it->diagonal);
    it->entry = calloc(most, sizeof *it->entry);
    if (!it->col_start || !it->row || !it->place || !it->diagonal || !it->entry)
        return false;
    for (uint32_t c = 0; c < n; c++) {
        bool has = false;
        it->col_start[c] = at;
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++) {
            it->place[e] = RUNG_NONE;
            if (p->row[e] >= n)
                continue; // a derivative by a parameter
            if (!has && p->row[e] > c) {
                it->diagonal[c] = at;
                it->row[at++] = c;
                has = true;
            }
            if (p->row[e] == c) {
                it->diagonal[c] = at;
                has = true;
            }
            it->place[e] = at;
            it->row[at++] = p->row[e];
        }
        if (!has) {
            it->diagonal[c] = at;
            it->row[at++] = c;
        }
    }
    it->col_start[n] = at;
    it->n_entries = p->col_start[n];
    it->pattern =
        (RungPattern){.n_rows = n, .n_cols = n, .col_start = it->col_start, .row = it->row};
    return true;
}

bool iteration_matrix_open(IterationMatrix *it, Problem *problem, uint32_t n_states)
{
    *it = (IterationMatrix){.n = n_states, .in_pattern = jacobian_is_sparse(problem)};
    size_t n = it->n, entries = n * n;
    bool ok = true;
    if (it->in_pattern) {
        const RungPattern *p = &problem->model->jacobian->pattern;
        entries = p->col_start[p->n_cols];
        ok = add_diagonal(it, p);
    }
    it->jacobian = calloc(entries + 1, sizeof *it->jacobian);
    it->work = calloc(it->in_pattern ? jacobian_work(problem) : 3 * (size_t)problem->n + 1,
                      sizeof *it->work);
    ok = ok && it->jacobian && it->work &&
         factor_open(&it->lu, it->n, it->in_pattern ? &it->pattern : NULL, NULL);
    if (!ok)
        iteration_matrix_close(it);
    return ok;
}

static int renew(IterationMatrix *it, Problem *problem, double t, const double *x)
{
    problem->counts->jacobians++;
    if (it->in_pattern) {
        problem_refresh(problem, t, x);
        return jacobian_entries(problem, t, x, NULL, it->jacobian, it->work);
    }
    uint32_t n = problem->n;
    double *moved = it->work, *f = it->work + n, *g = f + n;
    memcpy(moved, x, n * sizeof *x);
    int status = problem_xdot(problem, t, x, f);
    for (uint32_t c = 0; c < it->n && !status; c++) {
        double *column = it->jacobian + (size_t)c * it->n;
        moved[c] = x[c] + sqrt(DBL_EPSILON) * fmax(fabs(x[c]), problem->model->nominal[c]);
        status = jacobian_beside(problem, t, x, NULL, moved, g);
        double h = moved[c] - x[c];
        for (uint32_t r = 0; r < it->n; r++)
            column[r] = (g[r] - f[r]) / h;
        moved[c] = x[c];
    }
    return status;
}

int iteration_matrix_renew(IterationMatrix *it, Problem *problem, double t, const double *x)
{
    ProfilePart before = profile_enter(problem->profile, PROFILE_JACOBIAN);
    int status = renew(it, problem, t, x);
    profile_leave(problem->profile, before);
    return status;
}

const double *iteration_matrix_entries(IterationMatrix *it, double shift, double scale)
{
    memset(it->entry, 0, it->col_start[it->n] * sizeof *it->entry);
    for (uint32_t c = 0; c < it->n; c++)
        it->entry[it->diagonal[c]] = shift;
    for (uint32_t e = 0; e < it->n_entries; e++)
        if (it->place[e] != RUNG_NONE)
            it->entry[it->place[e]] += scale * it->jacobian[e];
    return it->entry;
}

static bool make_factors(IterationMatrix *it, double gamma)
{
    uint32_t n = it->n;
    if (it->in_pattern)
        return factor_entries(&it->lu, iteration_matrix_entries(it, 1, -gamma));
    double *a = factor_matrix(&it->lu);
    for (size_t k = 0; k < (size_t)n * n; k++)
        a[k] = -gamma * it->jacobian[k];
    for (size_t k = 0; k < n; k++)
        a[k * n + k] += 1;
    return factor_make(&it->lu);
}

bool iteration_matrix_factor(IterationMatrix *it, Problem *problem, double gamma)
{
    problem->counts->factorisations++;
    ProfilePart before = profile_enter(problem->profile, PROFILE_FACTORS);
    bool ok = make_factors(it, gamma);
    profile_leave(problem->profile, before);
    return ok;
}

void iteration_matrix_solve(const IterationMatrix *it, double *b)
{
    factor_solve(&it->lu, b);
}

void iteration_matrix_solve_transposed(const IterationMatrix *it, double *b)
{
    factor_solve_transposed(&it->lu, b);
}
