#include "graph/dependent_rows.h"

#include "base/hash.h"
#include "graph/mindegree.h"
#include "ir/residue.h"

/* What was subtracted from a row: factor times the row of the pivot at that time. */
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
