/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_rank.h"
#include "loops.h"
#include "rank.h"

#include <stdlib.h>

/* The rank of d phi' / d velocities by rank_find, its rows being the vectors; RUNG_NONE when out of
 * memory. */
static uint32_t rank_of(const RungLoops *l, uint32_t n, const double *entry, double small,
                        uint32_t *order, double *smallest)
{
    const RungPattern *p = &l->phi_v_pattern;
    uint32_t m = l->n_constraints / l->n_parts;
    double *row = calloc((size_t)m * n + 1, sizeof *row);
    if (!row)
        return RUNG_NONE;
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] < m)
                row[(size_t)p->row[e] * n + c] = entry[e];
    uint32_t rank = rank_find(n, m, row, small, order, NULL, smallest);
    free(row);
    return rank;
}

double loops_rank_ratio(Problem *problem, double t, const double *x, uint32_t *which)
{
    static const double REDUNDANT = 1e-10;
    const RungLoops *l = problem->loops->l;
    double share = 1,
           *entry = calloc(l->phi_v_pattern.col_start[problem->n] + (size_t)1, sizeof *entry);
    uint32_t *order = calloc(l->n_constraints + (size_t)1, sizeof *order);
    uint32_t rank = 0;
    if (entry && order && !l->phi_v(problem->ctx, t, x, entry))
        rank = rank_of(l, problem->n, entry, REDUNDANT, order, &share);
    bool known = rank > 0 && rank != RUNG_NONE;
    problem->loops->rank = known ? rank : problem->loops->most_rank;
    if (problem->loops->rank > problem->loops->most_rank)
        problem->loops->most_rank = problem->loops->rank;
    *which = known ? order[rank - 1] : 0;
    free(entry);
    free(order);
    return known ? share : 1;
}
