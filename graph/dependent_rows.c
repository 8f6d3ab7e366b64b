#include "graph/dependent_rows.h"

#include "base/hash.h"
#include "graph/mindegree.h"
#include "ir/residue.h"

/* A row operation: factor times the row of the pivot at that time was subtracted. */
typedef struct Subtraction {
    uint32_t row, pivot_row;
    uint64_t factor;
} Subtraction;

typedef VEC(Subtraction) Subtractions;

static void keep_factors(const SymbolicLu *f, uint32_t e, uint32_t v, Subtractions *done,
                         Arena *tmp)
{
    uint64_t inverse = residue_inverse(symbolic_lu_find(f, e, v)->residue);
    const SymbolicCol *c = &f->col[v];
    for (uint32_t i = 0; i < c->n; i++)
        if (c->at[i] != e) {
            uint64_t entry = symbolic_lu_find(f, c->at[i], v)->residue;
            vec_push(tmp, *done, ((Subtraction){c->at[i], e, residue_mul(entry, inverse)}));
        }
}

/* A sum of the rows that are empty now, each times a random factor, is one of all rows as they
 * were, in which whatever takes part in one of them has a factor. */
static void follow_back(const Subtractions *done, uint64_t *factor)
{
    for (uint32_t k = done->n; k-- > 0;) {
        const Subtraction *s = &done->at[k];
        factor[s->pivot_row] =
            residue_sub(factor[s->pivot_row], residue_mul(s->factor, factor[s->row]));
    }
}

uint32_t dependent_rows_mark(const Incidence *g, bool *takes_part, Arena *tmp)
{
    Mindegree m = mindegree_begin(g, tmp);
    Subtractions done = {0};
    uint32_t e, v, n = 0;
    while (mindegree_next(&m, &e, &v)) {
        keep_factors(&m.f, e, v, &done, tmp);
        mindegree_pivot(&m, e, v);
    }
    uint64_t *factor = arena_array(tmp, uint64_t, g->n_rows + 1);
    for (e = 0; e < g->n_rows; e++)
        if (!m.f.row_done[e]) {
            factor[e] = 1 + (hash_word(e) >> 4);
            n++;
        }
    if (n > 0)
        follow_back(&done, factor);
    for (e = 0; e < g->n_rows; e++)
        takes_part[e] = factor[e] != 0;
    return n;
}

/* ---- in a given order ---- */

/* A row with its pivot's entry made 1. */
typedef struct Pivoted {
    uint32_t n, pivot;
    uint32_t *col;
    uint64_t *entry;
} Pivoted;

/* A row that is being added to. */
typedef struct Open {
    uint64_t *entry; /* per column                                  */
    bool *listed;    /* per column                                  */
    VEC(uint32_t) col;
    VEC(uint32_t) to_clear; /* pivots' rows, by number, that it may hold   */
} Open;

static void open_add(Open *o, uint32_t col, uint64_t x, const uint32_t *row_of, Arena *tmp)
{
    o->entry[col] = residue_add(o->entry[col], x);
    if (o->listed[col])
        return;
    o->listed[col] = true;
    vec_push(tmp, o->col, col);
    if (row_of[col] != INC_NONE)
        vec_push(tmp, o->to_clear, row_of[col]);
}

/* Subtracts the pivots' rows, the oldest first: a pivot's row holds none of an older one. */
static void open_reduce(Open *o, const Pivoted *row, const uint32_t *row_of, Arena *tmp)
{
    for (;;) {
        uint32_t oldest = INC_NONE;
        for (uint32_t k = 0; k < o->to_clear.n; k++) {
            uint32_t r = o->to_clear.at[k];
            if (o->entry[row[r].pivot] != 0 && r < oldest)
                oldest = r;
        }
        if (oldest == INC_NONE)
            return;
        const Pivoted *by = &row[oldest];
        uint64_t factor = residue_negated(o->entry[by->pivot]);
        for (uint32_t k = 0; k < by->n; k++)
            open_add(o, by->col[k], residue_mul(factor, by->entry[k]), row_of, tmp);
    }
}

/* Takes the remaining entries out of o, scaled to pivot 1; n is 0 if none is left. */
static Pivoted open_close(Open *o, Arena *tmp)
{
    Pivoted p = {.pivot = INC_NONE,
                 .col = arena_array(tmp, uint32_t, o->col.n + 1),
                 .entry = arena_array(tmp, uint64_t, o->col.n + 1)};
    uint64_t inverse = 0;
    for (uint32_t k = 0; k < o->col.n; k++) {
        uint32_t c = o->col.at[k];
        if (o->entry[c] != 0) {
            if (p.n == 0) {
                p.pivot = c;
                inverse = residue_inverse(o->entry[c]);
            }
            p.col[p.n] = c;
            p.entry[p.n++] = residue_mul(o->entry[c], inverse);
        }
        o->entry[c] = 0;
        o->listed[c] = false;
    }
    o->col.n = o->to_clear.n = 0;
    return p;
}

uint32_t dependent_rows_surplus(const Incidence *g, const uint32_t *order, uint32_t *out,
                                Arena *tmp)
{
    bool *takes_part = arena_array(tmp, bool, g->n_rows + 1);
    uint32_t n = dependent_rows_mark(g, takes_part, tmp), found = 0, n_pivots = 0;
    Pivoted *row = arena_array(tmp, Pivoted, g->n_rows + 1);
    uint32_t *row_of = arena_array(tmp, uint32_t, g->n_cols + 1);
    Open o = {.entry = arena_array(tmp, uint64_t, g->n_cols + 1),
              .listed = arena_array(tmp, bool, g->n_cols + 1)};
    for (uint32_t c = 0; c < g->n_cols; c++)
        row_of[c] = INC_NONE;
    for (uint32_t i = 0; i < g->n_rows && found < n; i++) {
        uint32_t e = order[i];
        if (!takes_part[e])
            continue;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            open_add(&o, g->col[k], g->residue[k], row_of, tmp);
        open_reduce(&o, row, row_of, tmp);
        Pivoted p = open_close(&o, tmp);
        if (p.n > 0) {
            row_of[p.pivot] = n_pivots;
            row[n_pivots++] = p;
        } else {
            out[found++] = e;
        }
    }
    return found;
}
