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

/* Rows [first, first + n_rows) of `rows` by n. */
typedef struct Part {
    uint32_t rows, n, first, n_rows;
    const double *a;
} Part;

static bool is_zero(const Part *p, uint32_t column)
{
    for (uint32_t r = 0; r < p->n_rows; r++)
        if (p->a[(size_t)column * p->rows + p->first + r] != 0)
            return false;
    return true;
}

/* Marks as many of the states that may depend as the rank of their columns, and returns it. */
static uint32_t mark_dependent(const Part *p, const bool *may, bool *depends, Arena *mem)
{
    double *some = arena_array(mem, double, (size_t)p->n_rows * p->n + 1);
    uint32_t *of = arena_array(mem, uint32_t, p->n + 1);
    uint32_t *order = arena_array(mem, uint32_t, p->n + 1), n = 0;
    for (uint32_t c = 0; c < p->n; c++) {
        if (!may[c])
            continue;
        memcpy(some + (size_t)n * p->n_rows, p->a + (size_t)c * p->rows + p->first,
               p->n_rows * sizeof *some);
        of[n++] = c;
    }
    uint32_t rank = p->n_rows && n ? rank_of(p->n_rows, n, some, order, mem) : 0;
    for (uint32_t k = 0; k < rank; k++)
        depends[of[order[k]]] = true;
    return rank;
}

/* Whether phi' depends on state v as phi on x: as on the velocity of x. */
static bool is_velocity_of(const Part *phi, const Part *dot, uint32_t x, uint32_t v)
{
    static const double ALIKE = 1e-12;
    double xx = 0, vv = 0, xv = 0;
    for (uint32_t r = 0; r < phi->n_rows; r++) {
        double of_x = phi->a[(size_t)x * phi->rows + phi->first + r];
        double of_v = dot->a[(size_t)v * dot->rows + dot->first + r];
        xx += of_x * of_x;
        vv += of_v * of_v;
        xv += of_x * of_v;
    }
    return vv > 0 && xv * xv >= (1 - ALIKE) * xx * vv;
}

/* Marks as many states as the rank that depend on the others: none that is wanted, if they are
 * enough. a: rows by n, of that rank: phi, then phi'. First positions by phi, then their
 * velocities by phi', or others: coordinates stay free with their own derivatives. */
static bool find_dependent(uint32_t rows, uint32_t n, const double *a, uint32_t rank,
                           const bool *wanted, bool *depends, Arena *mem)
{
    const Part phi = {rows, n, 0, rows / 2, a}, dot = {rows, n, rows / 2, rows - rows / 2, a};
    const Part both = {rows, n, 0, rows, a};
    bool *may = arena_array(mem, bool, n + 1);
    for (uint32_t c = 0; c < n; c++)
        may[c] = !is_zero(&phi, c) && !(wanted && wanted[c]);
    uint32_t found = mark_dependent(&phi, may, depends, mem);
    for (int own = 1; own >= 0; own--) {
        bool *by_dot = arena_array(mem, bool, n + 1);
        for (uint32_t c = 0; c < n; c++) {
            may[c] = is_zero(&phi, c) && !(wanted && wanted[c]);
            bool pairs = !own;
            for (uint32_t x = 0; x < n && may[c] && !pairs; x++)
                pairs = depends[x] && is_velocity_of(&phi, &dot, x, c);
            may[c] = may[c] && pairs;
        }
        if (found + mark_dependent(&dot, may, by_dot, mem) != rank)
            continue;
        for (uint32_t c = 0; c < n; c++)
            depends[c] = depends[c] || by_dot[c];
        return true;
    }
    memset(depends, 0, n * sizeof *depends);
    for (uint32_t c = 0; c < n; c++)
        may[c] = !(wanted && wanted[c]);
    return mark_dependent(&both, may, depends, mem) >= rank;
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
