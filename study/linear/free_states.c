#include "study/linear/free_states.h"

#include "runtime/kernel/rung_lu.h"
#include "runtime/linear/rank.h"

#include <math.h>
#include <string.h>

/* Relative length below which a column counts as dependent: loops are closed to this accuracy. */
static const double small = 1e-8;

/* Rank of the columns of the m by n matrix, and their order as pivots. */
static uint32_t rank_of(uint32_t m, uint32_t n, const double *a, uint32_t *order, Arena *mem)
{
    double *copy = arena_array(mem, double, (size_t)m *n + 1);
    memcpy(copy, a, (size_t)m * n * sizeof *copy);
    return rank_find(m, n, copy, small, order, NULL, NULL);
}

static uint32_t rank_of_rows(uint32_t m, uint32_t n, const double *a, uint32_t *order, Arena *mem)
{
    double *turned = arena_array(mem, double, (size_t)m *n + 1);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t r = 0; r < m; r++)
            turned[(size_t)r * n + c] = a[(size_t)c * m + r];
    return rank_of(n, m, turned, order, mem);
}

/* Marks as many states as the rank that depend on the others: none that is wanted, if they are
 * enough. a: rows by n, of that rank. */
static bool find_dependent(uint32_t rows, uint32_t n, const double *a, uint32_t rank,
                           const bool *wanted, bool *depends, Arena *mem)
{
    double *some = arena_array(mem, double, (size_t)rows *n + 1);
    uint32_t *of = arena_array(mem, uint32_t, n + 1), *order = arena_array(mem, uint32_t, n + 1);
    uint32_t n_some = 0;
    for (uint32_t c = 0; c < n; c++) {
        if (wanted && wanted[c])
            continue;
        memcpy(some + (size_t)n_some * rows, a + (size_t)c * rows, rows * sizeof *some);
        of[n_some++] = c;
    }
    if (rank > 0 && rank_of(rows, n_some, some, order, mem) < rank)
        return false;
    for (uint32_t k = 0; k < rank; k++)
        depends[of[order[k]]] = true;
    return true;
}

bool free_states_find(const Linearise *l, const RungModel *m, const bool *wanted, FreeStates *out,
                      Arena *mem)
{
    uint32_t n = m->n_states, n_u = m->linearisation->n_inputs;
    uint32_t rows = m->linearisation->n_constraints, rank = 0, n_rows = 0;
    double *p = arena_array(mem, double, (size_t)rows *(n + n_u) + 1);
    double *scaled = arena_array(mem, double, (size_t)rows *n + 1);
    uint32_t *order = arena_array(mem, uint32_t, n + 1),
             *row = arena_array(mem, uint32_t, rows + 1);
    *out = (FreeStates){.n = n,
                        .at = arena_array(mem, uint32_t, n + 1),
                        .error = "the constraints of its loops do not say which states are free "
                                 "there"};
    if (rows) {
        linearise_constraints(l, p);
        for (size_t k = (size_t)rows * n; k < (size_t)rows * (n + n_u); k++)
            if (p[k] != 0)
                return false;
        for (uint32_t c = 0; c < n; c++)
            for (uint32_t r = 0; r < rows; r++)
                scaled[(size_t)c * rows + r] = p[(size_t)c * rows + r] * m->nominal[c];
        rank = rank_of(rows, n, scaled, order, mem);
        n_rows = rank_of_rows(rows, n, scaled, row, mem);
        rank = n_rows < rank ? n_rows : rank;
    }
    bool *depends = arena_array(mem, bool, n + 1);
    if (!find_dependent(rows, n, scaled, rank, wanted, depends, mem)) {
        out->error = "the states of --states depend on each other there";
        return false;
    }
    for (int follows = 0; follows < 2; follows++)
        for (uint32_t k = 0, at = follows ? n - rank : 0; k < n; k++)
            if (depends[k] == (bool)follows)
                out->at[at++] = k;
    out->n_free = n - rank;
    const uint32_t *dependent = out->at + out->n_free;

    /* P_dependent dx_dependent = -P_free dx_free, in independent rows */
    double *lu = arena_array(mem, double, (size_t)rank *rank + 1);
    double *size = arena_array(mem, double, rank + 1), *b = arena_array(mem, double, rank + 1);
    uint32_t *pivot = arena_array(mem, uint32_t, rank + 1);
    for (uint32_t c = 0; c < rank; c++)
        for (uint32_t r = 0; r < rank; r++)
            lu[(size_t)c * rank + r] = p[(size_t)dependent[c] * rows + row[r]];
    if (rank && rung_lu_factor(rank, lu, pivot, size) >= 0)
        return false;
    out->move = arena_array(mem, double, (size_t)n * out->n_free + 1);
    for (uint32_t c = 0; c < out->n_free; c++) {
        double *to = out->move + (size_t)c * n;
        to[out->at[c]] = 1;
        for (uint32_t r = 0; r < rank; r++)
            b[r] = -p[(size_t)out->at[c] * rows + row[r]];
        if (rank)
            rung_lu_solve(rank, lu, pivot, b);
        for (uint32_t r = 0; r < rank; r++)
            to[dependent[r]] = b[r];
    }
    return true;
}
