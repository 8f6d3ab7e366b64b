#include "eliminate/refine.h"

#include "base/bug.h"
#include "base/map.h"
#include "ir/program.h"

#include <string.h>

/* The order inside a structure: the i-th pivot takes the equation of pair row[i] and the unknown of
 * pair col[i]. */
typedef struct Inner {
    uint32_t *row, *col;
} Inner;

typedef struct Known {
    uint32_t n; /* pairs; 0: not known yet */
    Inner best;
} Known;

struct Refinement {
    const Kinds *kinds;
    const uint32_t *group;
    uint32_t n_variants;
    const Order *variant; /* the first is the order itself */
    const bool *is_needed;
    Workspace *workspace;
    uint64_t effort;
    Arena *mem;
    Known *known;  /* per kind */
    uint32_t next; /* stretch  */
};

typedef struct LocalEntry {
    uint32_t row, col;
    ExprId x;
    Worths worth;
} LocalEntry;

/* The part of the matrix that eliminating one structure touches. Rows and columns 0 .. n - 1 are
 * those of its pairs. */
typedef struct Local {
    const ExprPool *pool; /* of the entries */
    uint32_t n, n_rows, n_cols;
    VEC(LocalEntry) entry;
    VEC(ExprId) rhs;
    bool *wanted;         /* per pair: whether its unknown is used outside */
    uint32_t *group;      /* per pair: its vector */
    uint64_t seed, spent; /* of the search */
} Local;

bool cost_less(Cost a, Cost b)
{
    return a.weak != b.weak ? a.weak < b.weak : a.ops < b.ops;
}

uint32_t weak_steps(const Matrix *m, Workspace *w)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->step.n; k++) {
        ExprId x = m->step.at[k].pivot;
        n += expr_variability(m->p, x) > VARIES_PARAMETER && workspace_vanishes(w, x);
    }
    return n;
}

Refinement *refine_new(const Kinds *kinds, const uint32_t *group, uint32_t n_variants,
                       const Order *variant, const bool *is_needed, Workspace *w, uint64_t effort,
                       Arena *mem)
{
    Refinement *r = arena_make(mem, Refinement);
    *r = (Refinement){.kinds = kinds,
                      .group = group,
                      .n_variants = n_variants,
                      .variant = variant,
                      .is_needed = is_needed,
                      .workspace = w,
                      .effort = effort,
                      .mem = mem,
                      .known = arena_array(mem, Known, kinds->n)};
    return r;
}

/* ---- the structure's part of the matrix ---- */

static uint32_t local_number(Map *of, uint32_t id, uint32_t *n)
{
    uint32_t k = map_get(of, id);
    if (k == MAP_NONE) {
        k = (*n)++;
        map_put(of, id, k);
    }
    return k;
}

static void cut_out(Local *l, const Refinement *r, const Matrix *m, const Stretch *t, Arena *mem)
{
    Map row_of = map_new(mem), col_of = map_new(mem);
    VEC(uint32_t) rows = {0};
    *l = (Local){.pool = m->p,
                 .n = t->n,
                 .wanted = arena_array(mem, bool, t->n),
                 .group = arena_array(mem, uint32_t, t->n),
                 .seed = 1};
    for (uint32_t i = 0; i < t->n; i++) {
        l->wanted[i] = r->is_needed[t->begin + i];
        l->group[i] = r->group[t->begin + i];
        local_number(&row_of, t->begin + i, &l->n_rows);
        local_number(&col_of, t->begin + i, &l->n_cols);
        vec_push(mem, rows, t->begin + i);
    }
    for (uint32_t v = t->begin; v < t->begin + t->n; v++) {
        for (uint32_t h = m->head[v]; h != HOLDER_NONE; h = m->holder.at[h].next) {
            uint32_t e = m->holder.at[h].row;
            if (!expr_exists(matrix_entry(m, e, v)))
                continue;
            if (m->row_done[e])
                l->wanted[v - t->begin] = true;
            else if (map_get(&row_of, e) == MAP_NONE) {
                local_number(&row_of, e, &l->n_rows);
                vec_push(mem, rows, e);
            }
        }
    }
    for (uint32_t i = 0; i < l->n_rows; i++) {
        const Row *row = &m->row[rows.at[i]];
        for (uint32_t k = 0; k < row->n; k++) {
            LocalEntry e = {i, local_number(&col_of, row->at[k].col, &l->n_cols), row->at[k].x,
                            workspace_value(r->workspace, row->at[k].x)};
            vec_push(mem, l->entry, e);
        }
        vec_push(mem, l->rhs, m->rhs[rows.at[i]]);
    }
}

/* Stands for the unknown of a column that is not the structure's: no variable of the System. */
static ExprId outer_unknown(ExprPool *p, uint32_t col)
{
    return expr_var(p, (VarId){0x80000000u + col}, VARIES_ALWAYS);
}

/* The entry as a leaf of a pool of trials. */
static ExprId leaf_of(const Local *l, const LocalEntry *e, ExprPool *p, Workspace *w)
{
    ExprId x = expr_import(p, l->pool, e->x);
    Worths worth = e->worth;
    ExprId leaf = x;
    if (expr_op(p, x) == OP_NEG) {
        leaf = expr_arg(p, x, 0);
        for (uint32_t k = 0; k < WORKSPACE_POINTS; k++)
            worth.at[k] = -worth.at[k];
    }
    workspace_set(w, leaf, worth);
    return x;
}

/* Of a pivot where the elimination would stop: more than of all that vanish elsewhere. */
enum { STOPS = 1 << 16 };

/* COST_FAILED if a pivot is zero, or more than `most_weak` can vanish. */
static Cost price(Local *l, Inner inner, uint32_t most_weak)
{
    Arena *mem = arena_new();
    ExprPool *p = pool_new(mem, pool_by_value(l->pool));
    Workspace w = workspace_new(p, NULL, mem);
    Matrix m = matrix_new(p, l->n_rows, l->n_cols, mem);
    for (uint32_t k = 0; k < l->entry.n; k++) {
        const LocalEntry *e = &l->entry.at[k];
        matrix_set(&m, e->row, e->col, leaf_of(l, e, p, &w));
    }
    for (uint32_t i = 0; i < l->n_rows; i++)
        m.rhs[i] = expr_import(p, l->pool, l->rhs.at[i]);
    Cost cost = {0};
    uint32_t k = 0;
    for (; k < l->n && cost.weak <= most_weak; k++) {
        ExprId x = matrix_entry(&m, inner.row[k], inner.col[k]);
        if (!expr_exists(x))
            break;
        cost.weak += workspace_vanishes_at_start(&w, x) ? STOPS : 0;
        cost.weak += expr_variability(p, x) > VARIES_PARAMETER && workspace_vanishes(&w, x);
        matrix_pivot(&m, inner.row[k], inner.col[k]);
    }
    if (k == l->n && cost.weak <= most_weak) {
        VEC(ExprId) root = {0};
        for (uint32_t i = l->n; i < l->n_rows; i++) {
            for (uint32_t j = 0; j < m.row[i].n; j++)
                vec_push(mem, root, m.row[i].at[j].x);
            vec_push(mem, root, m.rhs[i]);
        }
        ExprId *unknown = arena_array(mem, ExprId, l->n_cols);
        for (uint32_t c = l->n; c < l->n_cols; c++)
            unknown[c] = outer_unknown(p, c);
        matrix_solve(&m, unknown);
        for (uint32_t i = 0; i < l->n; i++) {
            if (l->wanted[i])
                vec_push(mem, root, unknown[i]);
        }
        OpCount c = program_count(p, root.n, root.at);
        cost.ops = c.add + c.mul + c.div + c.call;
    } else {
        cost = COST_FAILED;
    }
    l->spent += pool_size(p);
    pool_free(p);
    arena_free(mem);
    return cost;
}

/* ---- the search ---- */

static uint32_t any(Local *l, uint32_t n)
{
    /* Marsaglia's xorshift64 */
    l->seed ^= l->seed << 13;
    l->seed ^= l->seed >> 7;
    l->seed ^= l->seed << 17;
    return (uint32_t)((l->seed >> 20) % n);
}

static void copy_inner(Inner to, Inner from, uint32_t n)
{
    memcpy(to.row, from.row, n * sizeof *to.row);
    memcpy(to.col, from.col, n * sizeof *to.col);
}

/* The pivots marked in `taken` go behind the first `to` of the others; all keep their order. */
static void move_marked(Inner inner, uint32_t n, const bool *taken, uint32_t to, Inner room)
{
    uint32_t n_taken = 0;
    for (uint32_t k = 0; k < n; k++)
        n_taken += taken[k];
    uint32_t other = 0, moved = to;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = taken[k] ? moved++ : other < to ? other++ : n_taken + other++;
        room.row[at] = inner.row[k];
        room.col[at] = inner.col[k];
    }
    copy_inner(inner, room, n);
}

/* Moves a vector, or up to three neighbours, to another place; or two pairs exchange partners. */
static void change(Local *l, Inner inner, bool *taken, Inner room)
{
    enum { LONGEST = 3 };
    uint32_t n = l->n, what = any(l, 8), at = any(l, n), n_taken = 0;
    memset(taken, 0, n * sizeof *taken);
    if (what == 0) {
        uint32_t other = any(l, n), keep = inner.col[at];
        inner.col[at] = inner.col[other];
        inner.col[other] = keep;
        return;
    }
    uint32_t length = 1 + any(l, LONGEST);
    for (uint32_t k = 0; k < n; k++) {
        taken[k] = what < 4 ? l->group[inner.col[k]] == l->group[inner.col[at]]
                            : k >= at && k < at + length;
        n_taken += taken[k];
    }
    move_marked(inner, n, taken, any(l, n - n_taken + 1), room);
}

static Inner inner_new(uint32_t n, Arena *mem)
{
    return (Inner){arena_array(mem, uint32_t, n), arena_array(mem, uint32_t, n)};
}

static void search(Local *l, Inner best, uint64_t effort, Arena *mem)
{
    enum { PATIENCE = 60 }; /* changes without success, per pair */
    Inner trial = inner_new(l->n, mem), room = inner_new(l->n, mem);
    bool *taken = arena_array(mem, bool, l->n);
    Cost lowest = price(l, best, UINT32_MAX - 1);
    for (uint32_t idle = 0; l->spent < effort && idle < PATIENCE * l->n; idle++) {
        copy_inner(trial, best, l->n);
        change(l, trial, taken, room);
        Cost cost = price(l, trial, lowest.weak);
        if (cost_less(lowest, cost))
            continue;
        if (cost_less(cost, lowest))
            idle = 0;
        lowest = cost;
        copy_inner(best, trial, l->n);
    }
}

/* The stretch of order o. False if it is not made of the structure's equations and unknowns. */
static bool inner_of(const Order *o, const Stretch *t, Inner inner)
{
    for (uint32_t i = 0; i < t->n; i++) {
        inner.row[i] = o->eq[t->begin + i] - t->begin;
        inner.col[i] = o->var[t->begin + i] - t->begin;
        if (inner.row[i] >= t->n || inner.col[i] >= t->n)
            return false;
    }
    return true;
}

/* Kinds at the ends of a chain hardly differ from those inside: what was found for another of as
 * many pairs is a good start. True if it is cheaper than the structure's own. */
static bool inherit(const Refinement *r, Local *l, Inner best, Cost *lowest)
{
    enum { MOST = 8 }; /* of those found last: where no two structures are alike there are many */
    uint32_t first = r->kinds->n, n = 0;
    while (first > 0 && n < MOST)
        n += r->known[--first].n == l->n;
    bool found = false;
    for (uint32_t k = first; k < r->kinds->n; k++) {
        const Known *other = &r->known[k];
        if (other->n != l->n)
            continue;
        Cost cost = price(l, other->best, lowest->weak);
        if (!cost_less(cost, *lowest))
            continue;
        *lowest = cost;
        copy_inner(best, other->best, l->n);
        found = true;
    }
    return found;
}

static void find_best(Refinement *r, const Matrix *m, const Stretch *t, Known *known)
{
    enum { LESS = 16 };
    Arena *mem = arena_new();
    Local l;
    cut_out(&l, r, m, t, mem);
    Inner best = inner_new(t->n, r->mem);
    Cost lowest = {0};
    Inner start = inner_new(t->n, mem);
    for (uint32_t k = 0; k < r->n_variants; k++) {
        if (!inner_of(&r->variant[k], t, start))
            continue;
        Cost cost = price(&l, start, UINT32_MAX - 1);
        if (k == 0 || cost_less(cost, lowest)) {
            lowest = cost;
            copy_inner(best, start, t->n);
        }
    }
    bool inherited = inherit(r, &l, best, &lowest);
    search(&l, best, inherited ? r->effort / LESS : r->effort, mem);
    *known = (Known){t->n, best};
    arena_free(mem);
}

uint32_t refine_structure(Refinement *r, const Matrix *m, Order *o, uint32_t begin)
{
    enum { MOST_PAIRS = 200 }; /* more is no body's structure */
    const Stretch *t = &r->kinds->stretch[r->next++];
    if (t->begin != begin)
        bug("refine: a structure begins at %u, not at %u", t->begin, begin);
    if (t->n < 2 || t->n > MOST_PAIRS || o->stage[begin] == INC_NONE)
        return t->n;
    Known *known = &r->known[t->kind];
    if (known->n == 0)
        find_best(r, m, t, known);
    for (uint32_t i = 0; i < t->n; i++) {
        o->eq[begin + i] = begin + known->best.row[i];
        o->var[begin + i] = begin + known->best.col[i];
    }
    return t->n;
}
