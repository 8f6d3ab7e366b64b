/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_rank.h"
#include "loop_tangents.h"
#include "rank.h"

#include <stdlib.h>

static const double REDUNDANT = 1e-10;

/* The rank of d phi' / d velocities by rank_find, its rows being the vectors, and one more if
 * `alone` is a state: that state alone; RUNG_NONE when out of memory. */
static uint32_t rank_of(const RungLoops *l, uint32_t n, const double *entry, uint32_t alone,
                        double small, uint32_t *order, double *smallest)
{
    const RungPattern *p = &l->phi_v_pattern;
    uint32_t m = l->n_constraints / l->n_parts, more = alone != RUNG_NONE;
    double *row = calloc(((size_t)m + more) * n + 1, sizeof *row);
    if (!row)
        return RUNG_NONE;
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] < m)
                row[(size_t)p->row[e] * n + c] = entry[e];
    if (more)
        row[(size_t)m * n + alone] = 1;
    uint32_t rank = rank_find(n, m + more, row, small, order, NULL, smallest);
    free(row);
    return rank;
}

double loops_rank_ratio(Problem *problem, double t, const double *x, uint32_t *which)
{
    const Loops *alone = loop_tangents_alone(problem->loops);
    const RungLoops *l = alone ? alone->l : problem->loops->l;
    uint32_t n = alone ? alone->n : problem->n;
    double share = 1, *entry = calloc(l->phi_v_pattern.col_start[n] + (size_t)1, sizeof *entry);
    uint32_t *order = calloc(l->n_constraints + (size_t)1, sizeof *order);
    uint32_t rank = 0;
    if (entry && order && !l->phi_v(problem->ctx, t, x, entry))
        rank = rank_of(l, n, entry, RUNG_NONE, REDUNDANT, order, &share);
    bool known = rank > 0 && rank != RUNG_NONE;
    problem->loops->rank = known ? rank : problem->loops->most_rank;
    if (problem->loops->rank > problem->loops->most_rank)
        problem->loops->most_rank = problem->loops->rank;
    *which = known ? order[rank - 1] : 0;
    free(entry);
    free(order);
    return known ? share : 1;
}

uint32_t loops_stuck(Problem *problem, double t, const double *x, const uint8_t *held, bool *all)
{
    const RungLoops *l = problem->loops->l;
    const RungPattern *p = &l->phi_v_pattern;
    uint32_t n = problem->n, found = RUNG_NONE, n_moving = 0;
    double smallest, *entry = calloc(p->col_start[n] + (size_t)1, sizeof *entry);
    uint32_t *order = calloc(l->n_constraints + (size_t)2, sizeof *order);
    *all = false;
    if (entry && order && !l->phi_v(problem->ctx, t, x, entry)) {
        uint32_t rank = rank_of(l, n, entry, RUNG_NONE, REDUNDANT, order, &smallest);
        for (uint32_t c = 0; c < n; c++)
            n_moving += p->col_start[c + 1] > p->col_start[c];
        *all = rank != RUNG_NONE && rank == n_moving / l->n_parts;
        for (uint32_t c = 0; c < n && rank != RUNG_NONE && found == RUNG_NONE; c++) {
            bool counts = held[c] && x[c] != 0 && p->col_start[c + 1] > p->col_start[c];
            if (counts && rank_of(l, n, entry, c, REDUNDANT, order, &smallest) == rank)
                found = c;
        }
    }
    free(entry);
    free(order);
    return found;
}
