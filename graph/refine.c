#include "graph/refine.h"

#include "graph/count.h"
#include "graph/order.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/* A stretch of the order that eliminates one structure. */
typedef struct Run {
    uint32_t begin, n, kind;
} Run;

typedef struct Kind {
    uint32_t n_pairs, n_sampled;
    uint32_t *place; /* place[i]: which slot comes i-th */
    uint32_t *trial;
} Kind;

typedef struct Refinement {
    Arena *mem;
    const Order *o;
    VEC(Run) runs;
    VEC(Kind) kinds;
    uint32_t *slot;     /* per place of the order: within each run, its pairs sorted by looks */
    uint32_t n_sampled; /* runs in the sample */
    Incidence g;        /* the sample's part of the incidence */
    Order sample;       /* its pairs, in the part's numbers, in the old order */
    Order tried;
    uint64_t seed;
} Refinement;

static uint64_t mix(uint64_t h, uint64_t x)
{
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

/* What a pair looks like: lengths and labels of its row and column, its place in arrays. */
static uint64_t look_of_pair(const Incidence *g, uint32_t e, uint32_t v)
{
    uint64_t rows[LABEL_NONLINEAR + 1] = {0}, cols[LABEL_NONLINEAR + 1] = {0}, h = 0;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        rows[g->label[k]]++;
    for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
        cols[g->label[g->edge[k]]]++;
    for (uint32_t k = 0; k <= LABEL_NONLINEAR; k++)
        h = mix(mix(h, rows[k]), cols[k]);
    if (g->row_index && g->col_index)
        h = mix(mix(h, g->row_index[e]), g->col_index[v]);
    return h;
}

/* Looks of all pairs by place in the order; each round of refinement takes in the neighbours'
 * (Weisfeiler & Leman 1968), which tells pairs of equal shape by what they are connected to. */
static uint64_t *looks_of(const Order *o, const Incidence *g, Arena *mem)
{
    enum { ROUNDS = 2 };
    uint64_t *look = arena_array(mem, uint64_t, o->n), *next = arena_array(mem, uint64_t, o->n);
    uint32_t *of_eq = arena_array(mem, uint32_t, o->n), *of_var = arena_array(mem, uint32_t, o->n);
    for (uint32_t k = 0; k < o->n; k++) {
        of_eq[o->eq[k]] = of_var[o->var[k]] = k;
        look[k] = look_of_pair(g, o->eq[k], o->var[k]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < o->n; k++) {
            uint64_t rows = 0, cols = 0;
            for (uint32_t i = g->row_begin[o->eq[k]]; i < g->row_begin[o->eq[k] + 1]; i++)
                rows += mix(look[of_var[g->col[i]]], g->label[i]);
            for (uint32_t i = g->col_begin[o->var[k]]; i < g->col_begin[o->var[k] + 1]; i++)
                cols += mix(look[of_eq[g->row[i]]], g->label[g->edge[i]] + 16u);
            next[k] = mix(mix(look[k], rows), cols);
        }
        uint64_t *t = look;
        look = next;
        next = t;
    }
    return look;
}

typedef struct Seen {
    uint64_t look;
    uint32_t place;
} Seen;

static int compare_seen(const void *a, const void *b)
{
    const Seen *x = a, *y = b;
    if (x->look != y->look)
        return x->look < y->look ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The kind of a run whose pairs, sorted by looks, are seen[]; a new kind takes its order. */
static uint32_t kind_of(Refinement *r, Map *known, const Run *run, const Seen *seen)
{
    uint64_t look = run->n;
    for (uint32_t i = 0; i < run->n; i++)
        look = mix(look, seen[i].look);
    uint32_t number = map_get(known, look);
    if (number != MAP_NONE)
        return number;
    map_put(known, look, r->kinds.n);
    Kind kind = {.n_pairs = run->n,
                 .place = arena_array(r->mem, uint32_t, run->n),
                 .trial = arena_array(r->mem, uint32_t, run->n)};
    for (uint32_t i = 0; i < run->n; i++)
        kind.place[seen[i].place - run->begin] = i;
    vec_push(r->mem, r->kinds, kind);
    return r->kinds.n - 1;
}

static void find_kinds(Refinement *r, const Incidence *g)
{
    const Order *o = r->o;
    uint64_t *look = looks_of(o, g, r->mem);
    Seen *seen = arena_array(r->mem, Seen, o->n);
    Map known = map_new(r->mem);
    r->slot = arena_array(r->mem, uint32_t, o->n);
    for (uint32_t k = 0; k < o->n;) {
        Run run = {.begin = k};
        for (; k < o->n && o->stage[k] == o->stage[run.begin]; k++)
            seen[k] = (Seen){look[k], k};
        run.n = k - run.begin;
        qsort(seen + run.begin, run.n, sizeof *seen, compare_seen);
        for (uint32_t i = run.begin; i < k; i++)
            r->slot[i] = seen[i].place;
        run.kind = kind_of(r, &known, &run, seen + run.begin);
        vec_push(r->mem, r->runs, run);
    }
}

/* The first runs, until one kind was met several times; how many come after makes no difference, so
 * that long chains of all lengths are ordered alike. */
static void take_sample(Refinement *r)
{
    enum { ENOUGH_RUNS = 3, FEW_PAIRS = 150, MOST_PAIRS = 500 };
    uint32_t n_pairs = 0;
    bool enough = false;
    for (uint32_t i = 0; i < r->runs.n && (!enough || n_pairs < FEW_PAIRS); i++) {
        n_pairs += r->runs.at[i].n;
        if (n_pairs > MOST_PAIRS)
            break;
        enough |= ++r->kinds.at[r->runs.at[i].kind].n_sampled == ENOUGH_RUNS;
        r->n_sampled++;
    }
}

/* The equations that the sample's elimination can touch, with all their unknowns. */
static void cut_out(Refinement *r, const Incidence *g)
{
    const Order *o = r->o;
    const Run *last = &r->runs.at[r->n_sampled - 1];
    uint32_t n = last->begin + last->n;
    Map row_of = map_new(r->mem), col_of = map_new(r->mem);
    VEC(uint32_t) rows = {0};
    VEC(uint32_t) cols = {0};
    for (uint32_t k = 0; k < n; k++) {
        uint32_t v = o->var[k];
        for (uint32_t i = g->col_begin[v]; i <= g->col_begin[v + 1]; i++) {
            /* the pivot's own row last: fill may have made its entry */
            uint32_t e = i < g->col_begin[v + 1] ? g->row[i] : o->eq[k];
            if (map_get(&row_of, e) != MAP_NONE)
                continue;
            map_put(&row_of, e, rows.n);
            vec_push(r->mem, rows, e);
            for (uint32_t j = g->row_begin[e]; j < g->row_begin[e + 1]; j++)
                if (map_get(&col_of, g->col[j]) == MAP_NONE) {
                    map_put(&col_of, g->col[j], cols.n);
                    vec_push(r->mem, cols, g->col[j]);
                }
        }
        if (map_get(&col_of, v) == MAP_NONE) {
            map_put(&col_of, v, cols.n);
            vec_push(r->mem, cols, v);
        }
    }
    r->g = incidence_part(g, rows.at, rows.n, cols.at, cols.n, r->mem);
    r->g.residue = arena_array(r->mem, uint64_t, r->g.n_edges);
    r->g.side = arena_array(r->mem, uint64_t, rows.n);
    r->g.side_fixed = arena_array(r->mem, bool, rows.n);
    for (uint32_t i = 0; i < rows.n; i++) {
        uint32_t e = rows.at[i];
        r->g.side[i] = g->side[e];
        r->g.side_fixed[i] = g->side_fixed[e];
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            r->g.residue[incidence_find(&r->g, i, map_get(&col_of, g->col[k]))] = g->residue[k];
    }
    r->sample = order_empty(n, r->mem);
    r->tried = order_empty(n, r->mem);
    r->sample.n = r->tried.n = n;
    for (uint32_t k = 0; k < n; k++) {
        r->sample.eq[k] = map_get(&row_of, o->eq[k]);
        r->sample.var[k] = map_get(&col_of, o->var[k]);
    }
}

/* The runs of an order with their pairs at the places of their kinds. */
static void rearrange(const Refinement *r, const Order *from, Order *to, uint32_t n_runs)
{
    for (uint32_t i = 0; i < n_runs; i++) {
        const Run *run = &r->runs.at[i];
        const uint32_t *place = r->kinds.at[run->kind].place;
        for (uint32_t k = 0; k < run->n; k++) {
            uint32_t pair = r->slot[run->begin + place[k]];
            to->eq[run->begin + k] = from->eq[pair];
            to->var[run->begin + k] = from->var[pair];
        }
    }
}

static uint32_t any(Refinement *r, uint32_t n)
{
    r->seed = mix(r->seed, 0x2545f4914f6cdd1du);
    return (uint32_t)((r->seed >> 16) % n);
}

/* Moves up to three neighbouring pairs to another place of the structure. */
static void move(Refinement *r, Kind *kind)
{
    uint32_t n = kind->n_pairs, length = 1 + any(r, n > 3 ? 3 : 1);
    uint32_t from = any(r, n - length + 1), to = any(r, n - length + 1), taken[3];
    uint32_t *place = kind->place;
    memcpy(taken, place + from, length * sizeof *place);
    memmove(place + from, place + from + length, (n - from - length) * sizeof *place);
    memmove(place + to + length, place + to, (n - to - length) * sizeof *place);
    memcpy(place + to, taken, length * sizeof *place);
}

static uint64_t price_sample(Refinement *r, uint64_t limit)
{
    rearrange(r, &r->sample, &r->tried, r->n_sampled);
    OrderCount c = order_count(&r->tried, r->tried.n, &r->g, limit, r->mem);
    return c.ok ? c.ops : UINT64_MAX;
}

static void search(Refinement *r, uint64_t effort)
{
    enum { PATIENCE = 15 }; /* trials without success, per pair of the sample */
    uint64_t best = price_sample(r, UINT64_MAX), spent = best;
    uint32_t idle = 0;
    while (best != UINT64_MAX && spent < effort && idle++ < PATIENCE * r->sample.n) {
        /* long structures have more to try */
        Kind *kind = &r->kinds.at[r->runs.at[any(r, r->n_sampled)].kind];
        if (kind->n_pairs < 2) {
            spent += best;
            continue;
        }
        memcpy(kind->trial, kind->place, kind->n_pairs * sizeof *kind->place);
        move(r, kind);
        uint64_t ops = price_sample(r, best);
        spent += best;
        if (ops < best)
            idle = 0;
        if (ops <= best)
            best = ops;
        else
            memcpy(kind->place, kind->trial, kind->n_pairs * sizeof *kind->place);
    }
}

Order refine_order(const Order *o, const Incidence *g, uint64_t effort, Arena *mem)
{
    if (o->why || !o->stage || !g->residue || !o->n || !effort)
        return *o;
    Order refined = order_empty(o->n, mem);
    refined.n = o->n;
    refined.n_torn = o->n_torn;
    refined.stage = o->stage;
    Refinement r = {.mem = arena_new(), .o = o, .seed = 1};
    find_kinds(&r, g);
    take_sample(&r);
    bool better = false;
    if (r.n_sampled) {
        cut_out(&r, g);
        search(&r, effort);
        rearrange(&r, o, &refined, r.runs.n);
        /* kinds are told by their looks, so only a count of the whole, or of much, is proof */
        enum { MUCH = 20000 };
        uint32_t n = o->n < MUCH ? o->n : MUCH;
        OrderCount before = order_count(o, n, g, UINT64_MAX, r.mem);
        OrderCount after = order_count(&refined, n, g, before.ok ? before.ops : UINT64_MAX, r.mem);
        better = after.ok && (!before.ok || after.ops < before.ops);
    }
    arena_free(r.mem);
    return better ? refined : *o;
}
