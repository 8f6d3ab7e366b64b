#include "graph/symbolic_lu.h"

#include "base/bug.h"
#include "ir/residue.h"

static void remove_row(SymbolicCol *c, uint32_t e)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->at[i] == e) {
            c->at[i] = c->at[--c->n];
            return;
        }
}

SymbolicLu symbolic_lu_begin(const Incidence *g, Arena *mem)
{
    SymbolicLu f = {.mem = mem,
                    .n_rows = g->n_rows,
                    .n_cols = g->n_cols,
                    .by_value = g->residue != NULL,
                    .row = arena_array(mem, SymbolicRow, g->n_rows),
                    .col = arena_array(mem, SymbolicCol, g->n_cols),
                    .row_done = arena_array(mem, bool, g->n_rows),
                    .col_done = arena_array(mem, bool, g->n_cols)};
    /* side by side, until they grow */
    SymbolicEntry *entry = arena_array(mem, SymbolicEntry, g->n_edges);
    uint32_t *row = arena_array(mem, uint32_t, g->n_edges);
    for (uint32_t k = 0; k < g->n_edges; k++) {
        uint8_t label = g->label[k] > LABEL_OTHER ? LABEL_OTHER : g->label[k];
        entry[k] = (SymbolicEntry){g->col[k], label, f.by_value ? g->residue[k] : 0};
        row[k] = g->row[k];
    }
    for (uint32_t e = 0; e < g->n_rows; e++) {
        uint32_t n = g->row_begin[e + 1] - g->row_begin[e];
        f.row[e] = (SymbolicRow){entry + g->row_begin[e], n, n};
    }
    for (uint32_t v = 0; v < g->n_cols; v++) {
        uint32_t n = g->col_begin[v + 1] - g->col_begin[v];
        f.col[v] = (SymbolicCol){row + g->col_begin[v], n, n};
    }
    return f;
}

const SymbolicEntry *symbolic_lu_find(const SymbolicLu *f, uint32_t e, uint32_t v)
{
    const SymbolicRow *r = &f->row[e];
    uint32_t lo = 0, hi = r->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (r->at[mid].col < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < r->n && r->at[lo].col == v ? &r->at[lo] : NULL;
}

static uint8_t worse(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static uint8_t label_of_sum(uint8_t a, uint8_t b)
{
    return a == LABEL_ONE && b == LABEL_ONE ? LABEL_CONST : worse(a, b);
}

/* One multiplication, unless by one or of parameters only. */
static uint32_t product_ops(uint8_t a, uint8_t b)
{
    return a != LABEL_ONE && b != LABEL_ONE && worse(a, b) > LABEL_PARAM;
}

/* Those of parameters too. */
static uint32_t whole_ops(uint8_t a, uint8_t b)
{
    return a != LABEL_ONE && b != LABEL_ONE && worse(a, b) > LABEL_CONST;
}

/* The right-hand side is taken to be present and varying everywhere. */
static uint32_t side_ops(uint8_t factor)
{
    return 1 + product_ops(factor, LABEL_OTHER);
}

/* Operations of solving the pivot row in back substitution. */
static uint64_t solve_ops(const SymbolicRow *p, uint32_t v, uint8_t pivot)
{
    uint64_t ops = pivot != LABEL_ONE;
    for (uint32_t k = 0; k < p->n; k++)
        if (p->at[k].col != v)
            ops += 1 + (p->at[k].label != LABEL_ONE);
    return ops;
}

/* The factor is entry / pivot; its label is the worse of the two. */
static uint32_t factor_ops(uint8_t entry, uint8_t pivot)
{
    return pivot != LABEL_ONE && worse(entry, pivot) > LABEL_PARAM;
}

/* Row e += factor * pivot row p, without column v; by: minus the pivot's reciprocal. Returns the
 * operations. */
static uint64_t add_row(SymbolicLu *f, uint32_t e, const SymbolicRow *p, uint32_t v, uint8_t pivot,
                        uint64_t by)
{
    SymbolicRow *r = &f->row[e];
    const SymbolicEntry *first = symbolic_lu_find(f, e, v);
    uint8_t entry = first->label, factor = worse(entry, pivot);
    uint64_t times = f->by_value ? residue_mul(first->residue, by) : 0;
    uint64_t ops = factor_ops(entry, pivot) + side_ops(factor);
    uint64_t all = (pivot != LABEL_ONE && factor > LABEL_CONST) + side_ops(factor);
    f->merged.n = 0;
    for (uint32_t i = 0, k = 0; i < r->n || k < p->n;) {
        uint32_t a = i < r->n ? r->at[i].col : UINT32_MAX;
        uint32_t b = k < p->n ? p->at[k].col : UINT32_MAX;
        if (a == v || b == v) {
            i += a == v;
            k += b == v;
        } else if (a < b) {
            vec_push(f->mem, f->merged, r->at[i]);
            i++;
        } else {
            uint8_t label = worse(factor, p->at[k].label);
            uint64_t x = f->by_value ? residue_mul(times, p->at[k].residue) : 0;
            ops += product_ops(factor, p->at[k].label);
            all += whole_ops(factor, p->at[k].label);
            if (a == b) {
                label = label_of_sum(label, r->at[i].label);
                x = f->by_value ? residue_add(x, r->at[i].residue) : 0;
                i++;
                k++;
                if (f->by_value && x == 0) {
                    remove_row(&f->col[b], e);
                    continue;
                }
                ops += label > LABEL_PARAM;
                all += label > LABEL_CONST;
                vec_push(f->mem, f->merged, ((SymbolicEntry){b, label, x}));
                continue;
            } else {
                vec_push(f->mem, f->col[b], e);
                f->n_fill++;
            }
            vec_push(f->mem, f->merged, ((SymbolicEntry){b, label, x}));
            k++;
        }
    }
    r->n = 0;
    vec_reserve(f->mem, *r, f->merged.n);
    if (f->merged.n)
        memcpy(r->at, f->merged.at, f->merged.n * sizeof *r->at);
    r->n = f->merged.n;
    f->all += all;
    return ops;
}

void symbolic_lu_pivot(SymbolicLu *f, uint32_t e, uint32_t v)
{
    const SymbolicEntry *found = symbolic_lu_find(f, e, v);
    if (!found || f->row_done[e] || f->col_done[v])
        bug("symbolic_lu: no pivot at equation %u, unknown %u", e, v);
    uint8_t pivot = found->label;
    SymbolicRow *p = &f->row[e];
    SymbolicCol *c = &f->col[v];
    bool is_used = f->by_value && c->n > 1;
    uint64_t by = is_used ? residue_negated(residue_inverse(found->residue)) : 0;
    uint64_t solve = solve_ops(p, v, pivot);
    f->ops += solve;
    f->all += solve;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->at[i] != e)
            f->ops += add_row(f, c->at[i], p, v, pivot, by);
    for (uint32_t k = 0; k < p->n; k++)
        remove_row(&f->col[p->at[k].col], e);
    p->n = c->n = 0;
    f->row_done[e] = f->col_done[v] = true;
}

uint64_t symbolic_lu_estimate(const SymbolicLu *f, uint32_t e, uint32_t v)
{
    const SymbolicRow *p = &f->row[e];
    const SymbolicCol *c = &f->col[v];
    uint8_t pivot = symbolic_lu_find(f, e, v)->label;
    uint64_t ops = solve_ops(p, v, pivot);
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->at[i] == e)
            continue;
        const SymbolicRow *r = &f->row[c->at[i]];
        uint8_t entry = symbolic_lu_find(f, c->at[i], v)->label, factor = worse(entry, pivot);
        ops += factor_ops(entry, pivot) + side_ops(factor);
        for (uint32_t j = 0, k = 0; k < p->n; k++) {
            uint32_t b = p->at[k].col;
            if (b == v)
                continue;
            while (j < r->n && r->at[j].col < b)
                j++;
            ops += product_ops(factor, p->at[k].label);
            if (j < r->n && r->at[j].col == b)
                ops += label_of_sum(worse(factor, p->at[k].label), r->at[j].label) > LABEL_PARAM;
        }
    }
    return ops;
}

uint64_t symbolic_lu_fill_by(const SymbolicLu *f, uint32_t e, uint32_t v)
{
    const SymbolicRow *p = &f->row[e];
    const SymbolicCol *c = &f->col[v];
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const SymbolicRow *r = &f->row[c->at[i]];
        if (c->at[i] == e)
            continue;
        for (uint32_t j = 0, k = 0; k < p->n; k++) {
            while (j < r->n && r->at[j].col < p->at[k].col)
                j++;
            n += j == r->n || r->at[j].col != p->at[k].col;
        }
    }
    return n;
}

bool symbolic_lu_check(const SymbolicLu *f)
{
    uint64_t n_rows = 0, n_cols = 0;
    for (uint32_t e = 0; e < f->n_rows; e++) {
        n_rows += f->row[e].n;
        if (f->row_done[e] && f->row[e].n)
            return false;
        for (uint32_t k = 0; k < f->row[e].n; k++) {
            uint32_t v = f->row[e].at[k].col;
            if (v >= f->n_cols || f->col_done[v] || (k && v <= f->row[e].at[k - 1].col))
                return false;
        }
    }
    for (uint32_t v = 0; v < f->n_cols; v++) {
        n_cols += f->col[v].n;
        for (uint32_t k = 0; k < f->col[v].n; k++)
            if (!symbolic_lu_find(f, f->col[v].at[k], v))
                return false;
    }
    return n_rows == n_cols;
}
