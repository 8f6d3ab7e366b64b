#include "graph/count.h"

#include "base/bug.h"
#include "base/map.h"
#include "graph/residue.h"

/* A value; fixed: constants and parameters only, computed once before the simulation. */
typedef struct Value {
    uint64_t r;
    bool fixed;
} Value;

typedef struct Term {
    uint32_t col;
    Value x;
} Term;

typedef struct TermRow {
    Term *at; /* columns ascending */
    uint32_t n, cap;
} TermRow;

typedef struct Holders {
    uint32_t *at; /* rows that hold, or held, a term in the column */
    uint32_t n, cap;
} Holders;

typedef struct Tally {
    Arena *mem;
    Map known; /* values up to sign: 1 when fixed */
    uint64_t ops;
    TermRow *row;
    Value *side;
    Holders *col;
    bool *done;
    VEC(Term) merged;
} Tally;

/* The same value was there before, or it is an operation more. */
static Value known(Tally *t, uint64_t r, bool fixed, uint32_t price)
{
    uint64_t key = r < residue_negated(r) ? r : residue_negated(r);
    uint32_t got = map_get(&t->known, key);
    if (got != MAP_NONE)
        return (Value){r, got == 1};
    map_put(&t->known, key, fixed);
    t->ops += fixed ? 0 : price;
    return (Value){r, fixed};
}

static Value product(Tally *t, Value a, Value b)
{
    return known(t, residue_mul(a.r, b.r), a.fixed && b.fixed, 1);
}

static Value difference(Tally *t, Value a, Value b)
{
    return known(t, residue_add(a.r, residue_negated(b.r)), a.fixed && b.fixed, 1);
}

static Value over(Tally *t, Value a, Value b)
{
    return product(t, a, known(t, residue_inverse(b.r), b.fixed, 1));
}

static void append_term(Tally *t, TermRow *r, Term x)
{
    if (r->n == r->cap)
        r->at = vec_grow(t->mem, r->at, sizeof *r->at, r->n, &r->cap, r->n + 1);
    r->at[r->n++] = x;
}

static void append_holder(Tally *t, Holders *c, uint32_t e)
{
    if (c->n == c->cap)
        c->at = vec_grow(t->mem, c->at, sizeof *c->at, c->n, &c->cap, c->n + 1);
    c->at[c->n++] = e;
}

static const Term *find_term(const TermRow *r, uint32_t col)
{
    uint32_t lo = 0, hi = r->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (r->at[mid].col < col)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < r->n && r->at[lo].col == col ? &r->at[lo] : NULL;
}

/* Row e -= factor * row p, without column v. Terms that cancel leave the row. */
static void subtract(Tally *t, uint32_t e, uint32_t p, uint32_t v, Value factor)
{
    TermRow *a = &t->row[e];
    const TermRow *b = &t->row[p];
    t->merged.n = 0;
    for (uint32_t i = 0, k = 0; i < a->n || k < b->n;) {
        uint32_t ca = i < a->n ? a->at[i].col : UINT32_MAX;
        uint32_t cb = k < b->n ? b->at[k].col : UINT32_MAX;
        if (ca == v || cb == v) {
            i += ca == v;
            k += cb == v;
        } else if (ca < cb) {
            vec_push(t->mem, t->merged, a->at[i]);
            i++;
        } else {
            Value x = product(t, factor, b->at[k++].x);
            if (ca == cb) {
                x = difference(t, a->at[i++].x, x);
            } else {
                x.r = residue_negated(x.r);
                append_holder(t, &t->col[cb], e);
            }
            if (x.r)
                vec_push(t->mem, t->merged, ((Term){cb, x}));
        }
    }
    a->n = 0;
    for (uint32_t k = 0; k < t->merged.n; k++)
        append_term(t, a, t->merged.at[k]);
    t->side[e] = difference(t, t->side[e], product(t, factor, t->side[p]));
}

static Tally tally_of(const Incidence *g, Arena *mem)
{
    Tally t = {.mem = mem,
               .known = map_new(mem),
               .row = arena_array(mem, TermRow, g->n_rows),
               .side = arena_array(mem, Value, g->n_rows),
               .col = arena_array(mem, Holders, g->n_cols),
               .done = arena_array(mem, bool, g->n_rows)};
    known(&t, 0, true, 0);
    known(&t, 1, true, 0);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        t.side[e] = known(&t, g->side[e], g->side_fixed[e], 0);
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            append_term(&t, &t.row[e],
                        (Term){g->col[k], known(&t, g->residue[k], g->label[k] <= LABEL_PARAM, 0)});
            append_holder(&t, &t.col[g->col[k]], e);
        }
    }
    return t;
}

/* The first n pairs, from the last back. Unknowns of later pairs are taken as known: any values do.
 */
static void substitute_back(Tally *t, const Order *o, uint32_t n, uint32_t n_cols)
{
    Value *x = arena_array(t->mem, Value, n_cols);
    uint64_t seed = 1;
    for (uint32_t v = 0; v < n_cols && n < n_cols; v++) {
        seed = residue_mul(residue_add(seed, 0x9e3779b97f4a7c1u), 0xd1342543de82ef9u);
        x[v] = (Value){seed, false};
    }
    for (uint32_t k = n; k-- > 0;) {
        const TermRow *r = &t->row[o->eq[k]];
        Value sum = t->side[o->eq[k]], pivot = {1, true};
        for (uint32_t i = 0; i < r->n; i++) {
            if (r->at[i].col == o->var[k])
                pivot = r->at[i].x;
            else
                sum = difference(t, sum, product(t, r->at[i].x, x[r->at[i].col]));
        }
        x[o->var[k]] = over(t, sum, pivot);
    }
}

OrderCount order_count(const Order *o, uint32_t n, const Incidence *g, uint64_t limit,
                       Arena *scratch)
{
    if (!g->residue || !g->side || !g->side_fixed)
        bug("count: the incidence has no residues");
    ArenaMark mark = arena_mark(scratch);
    Tally t = tally_of(g, scratch);
    OrderCount count = {.ok = true};
    for (uint32_t k = 0; count.ok && k < n && t.ops <= limit; k++) {
        uint32_t p = o->eq[k], v = o->var[k];
        const Term *pivot = find_term(&t.row[p], v);
        t.done[p] = true;
        if (!pivot) {
            count.ok = false;
            count.bad = k;
            break;
        }
        Value by = pivot->x;
        for (uint32_t i = 0; i < t.col[v].n; i++) {
            uint32_t e = t.col[v].at[i];
            const Term *x = t.done[e] ? NULL : find_term(&t.row[e], v);
            if (x)
                subtract(&t, e, p, v, over(&t, x->x, by));
        }
    }
    if (count.ok && t.ops <= limit)
        substitute_back(&t, o, n, g->n_cols);
    count.ops = t.ops;
    arena_rollback(scratch, mark);
    return count;
}
