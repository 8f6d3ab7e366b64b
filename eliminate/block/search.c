#include "eliminate/block/search.h"

#include "base/bug.h"
#include "base/map.h"
#include "ir/program.h"

#include <math.h>
#include <string.h>

/* The order inside a structure: the i-th pivot takes the equation of pair row[i] and the unknown of
 * pair col[i]. */
typedef struct Inner {
    uint32_t *row, *col;
} Inner;

typedef struct Found {
    uint32_t n; /* pairs; 0: not searched yet */
    Inner best;
    const uint32_t *by_shape; /* StructureClasses.by_shape of its structure */
    uint64_t spent;           /* nodes built */
} Found;

struct OrderSearch {
    const StructureClasses *classes;
    const uint32_t *group;
    uint32_t n_variants;
    const Order *variant; /* the first is the order itself */
    const bool *is_needed;
    SamplePoints *points;
    uint64_t budget;
    uint32_t seed;
    Cache *cache;
    Arena *mem;
    Found *found;      /* per class: by its first structure */
    Found *other;      /* likewise: by the last that needed its own */
    uint32_t *n_alike; /* per class: its structures; of the first class of so many pairs: all of
                          so many */
    uint32_t next;     /* stretch */
};

/* The part of the matrix that eliminating one structure touches. Rows and columns 0 .. n - 1 are
 * those of its pairs. */
typedef struct Local {
    uint32_t n, n_rows, n_cols;
    bool *wanted;    /* per pair: whether its unknown is used outside */
    uint32_t *group; /* per pair: its vector */
    CostMatrix *matrix;
    uint64_t seed; /* of the search */
} Local;

uint32_t vanishing_pivots(const Matrix *m, SamplePoints *w)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->step.n; k++) {
        ExprId x = m->step.at[k].pivot;
        n += expr_variability(m->p, x) > VARIES_NEVER && sample_points_vanishes(w, x);
    }
    return n;
}

/* Structures of as many pairs are mostly those of one chain, at its ends and inside, with
 * hinges about one axis and another: the first is searched for all of them, since they inherit. */
static void count_alike(OrderSearch *r)
{
    const StructureClasses *c = r->classes;
    Map first = map_new(r->mem); /* by the number of pairs */
    for (uint32_t k = 0; k < c->n_ranges; k++) {
        uint32_t class = c->range[k].class, of = map_get(&first, c->range[k].n);
        if (of == MAP_NONE)
            map_put(&first, c->range[k].n, class);
        r->n_alike[class]++;
        if (of != MAP_NONE && of != class)
            r->n_alike[of]++;
    }
}

OrderSearch *search_new(const StructureClasses *classes, const uint32_t *group, uint32_t n_variants,
                        const Order *variant, const bool *is_needed, SamplePoints *w,
                        uint64_t budget, uint32_t seed, Cache *cache, Arena *mem)
{
    OrderSearch *r = arena_make(mem, OrderSearch);
    *r = (OrderSearch){.classes = classes,
                       .group = group,
                       .n_variants = n_variants,
                       .variant = variant,
                       .is_needed = is_needed,
                       .points = w,
                       .budget = budget,
                       .seed = seed,
                       .cache = cache,
                       .mem = mem,
                       .found = arena_array(mem, Found, classes->n),
                       .other = arena_array(mem, Found, classes->n),
                       .n_alike = arena_array(mem, uint32_t, classes->n)};
    count_alike(r);
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

static void cut_out(Local *l, const OrderSearch *r, const Matrix *m, const StructureRange *t,
                    Arena *mem)
{
    Map row_of = map_new(mem), col_of = map_new(mem);
    VEC(uint32_t) rows = {0};
    *l = (Local){.n = t->n,
                 .wanted = arena_array(mem, bool, t->n),
                 .group = arena_array(mem, uint32_t, t->n),
                 .seed = r->seed};
    for (uint32_t i = 0; i < t->n; i++) {
        l->wanted[i] = r->is_needed[t->begin + i];
        l->group[i] = r->group[t->begin + i];
        local_number(&row_of, t->begin + i, &l->n_rows);
        local_number(&col_of, t->begin + i, &l->n_cols);
        vec_push(mem, rows, t->begin + i);
    }
    for (uint32_t v = t->begin; v < t->begin + t->n; v++) {
        for (uint32_t h = m->col[v].n; h-- > 0;) {
            uint32_t e = m->col[v].at[h];
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
    for (uint32_t i = 0; i < l->n_rows; i++)
        for (uint32_t k = 0; k < m->row[rows.at[i]].n; k++)
            local_number(&col_of, m->row[rows.at[i]].at[k].col, &l->n_cols);
    l->matrix = cost_matrix_new(m->p, l->n_rows, l->n_cols, mem);
    if (r->points->opens)
        cost_matrix_open(l->matrix);
    for (uint32_t i = 0; i < l->n_rows; i++) {
        const Row *row = &m->row[rows.at[i]];
        for (uint32_t k = 0; k < row->n; k++) {
            Samples samples = sample_points_value(r->points, row->at[k].x);
            cost_matrix_set(l->matrix, i, map_get(&col_of, row->at[k].col), row->at[k].x, &samples);
        }
    }
    for (uint32_t i = 0; i < l->n_rows; i++)
        cost_matrix_set_rhs(l->matrix, i, m->rhs[rows.at[i]]);
}

static Cost cost_of(Local *l, Inner inner, uint32_t most_vanishing)
{
    return cost_of_order(l->matrix, l->n, inner.row, inner.col, l->wanted, most_vanishing);
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

/* The place of any pair but `but` whose unknown is in the row; and whose row holds the unknown of
 * pair `closes`, if that is one. The number of pairs if there is none. */
static uint32_t any_in_row(Local *l, Inner inner, uint32_t row, uint32_t but, uint32_t closes)
{
    uint32_t found = l->n, n_found = 0;
    for (uint32_t k = 0; k < l->n; k++) {
        if (k != but && cost_matrix_has(l->matrix, row, inner.col[k]) &&
            (closes == l->n || cost_matrix_has(l->matrix, inner.row[k], inner.col[closes])) &&
            any(l, ++n_found) == 0)
            found = k;
    }
    return found;
}

/* Two pairs exchange partners, or three in a circle, all with entries in the matrix as it is given
 * where there are such, since few others will do. */
static void exchange(Local *l, Inner inner, uint32_t at)
{
    uint32_t second = any_in_row(l, inner, inner.row[at], at, any(l, 2) ? at : l->n);
    if (second == l->n)
        second = any(l, l->n);
    uint32_t keep = inner.col[at], last = second;
    if (!cost_matrix_has(l->matrix, inner.row[second], keep)) {
        uint32_t third = any_in_row(l, inner, inner.row[second], second, at);
        if (third != l->n && third != at)
            last = third;
    }
    inner.col[at] = inner.col[second];
    inner.col[second] = inner.col[last];
    inner.col[last] = keep;
}

/* Pairs exchange partners, or a vector or up to three neighbours are moved to another place. */
static void change(Local *l, Inner inner, bool *taken, Inner room)
{
    enum { LONGEST = 3, EXCHANGES = 4, VECTORS = 9, ALL = 16 };
    uint32_t n = l->n, what = any(l, ALL), at = any(l, n), n_taken = 0;
    if (what < EXCHANGES) {
        exchange(l, inner, at);
        return;
    }
    memset(taken, 0, n * sizeof *taken);
    uint32_t length = 1 + any(l, LONGEST);
    for (uint32_t k = 0; k < n; k++) {
        taken[k] = what < VECTORS ? l->group[inner.col[k]] == l->group[inner.col[at]]
                                  : k >= at && k < at + length;
        n_taken += taken[k];
    }
    move_marked(inner, n, taken, any(l, n - n_taken + 1), room);
}

static Inner inner_new(uint32_t n, Arena *mem)
{
    return (Inner){arena_array(mem, uint32_t, n), arena_array(mem, uint32_t, n)};
}

/* The additional cost accepted for a changed order: exponentially distributed, as Metropolis et al.
 * (1953) accept it; the temperature in units of 1/1024 of an operation. */
static uint64_t slack(Local *l, uint64_t temperature)
{
    enum { UNIT = 1024, MOST_HALVINGS = 10 };
    uint64_t halvings = (uint64_t)__builtin_ctz(any(l, 1 << MOST_HALVINGS) | 1 << MOST_HALVINGS);
    uint64_t part = any(l, UNIT);
    return temperature * (halvings * UNIT + part) / UNIT * 7 / 10 / UNIT; /* ln 2 */
}

/* Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) from `start`, the temperature falling
 * linearly; an order cheaper than *lowest goes to best. Ends when so many nodes were built: from a
 * start that cannot be carried out rounds become longer. */
static void anneal(Local *l, Inner start, uint64_t rounds, uint64_t nodes, uint64_t temperature,
                   Inner best, Cost *lowest, Arena *mem)
{
    uint64_t last = cost_nodes_built(l->matrix) + nodes;
    Inner now = inner_new(l->n, mem), next = inner_new(l->n, mem), room = inner_new(l->n, mem);
    bool *taken = arena_array(mem, bool, l->n);
    copy_inner(now, start, l->n);
    Cost current = cost_of(l, now, UINT32_MAX - 1);
    for (uint64_t k = 0; k < rounds && cost_nodes_built(l->matrix) <= last; k++) {
        copy_inner(next, now, l->n);
        change(l, next, taken, room);
        if (any(l, 3) == 0)
            change(l, next, taken, room);
        Cost cost = cost_of(l, next, current.n_vanishing);
        if (cost.n_vanishing > current.n_vanishing)
            continue;
        uint64_t most = slack(l, temperature * (rounds - k) / rounds);
        if (cost_less(current, cost) && cost.ops - current.ops > most)
            continue;
        current = cost;
        copy_inner(now, next, l->n);
        if (cost_less(cost, *lowest)) {
            *lowest = cost;
            copy_inner(best, next, l->n);
        }
    }
}

/* So many pairs of `from` exchange partners, as far as the order can still be carried out. */
static void perturb(Local *l, Inner from, uint32_t n, Inner keep)
{
    enum { ATTEMPTS = 100 };
    uint32_t done = 0;
    for (uint32_t k = 0; k < ATTEMPTS && done < n; k++) {
        copy_inner(keep, from, l->n);
        exchange(l, from, any(l, l->n));
        if (cost_of(l, from, UINT32_MAX - 1).ops == COST_FAILED.ops)
            copy_inner(from, keep, l->n);
        else
            done++;
    }
}

/* Valleys are deep, and from one to another several pairs exchange partners at once: a long run
 * from the start, then shorter and colder ones from the best order so far, perturbed (iterated
 * local search: Lourenco, Martin, Stuetzle 2003). One run without heat where a like search has
 * found the best already, or rounds are few. */
static void search(Local *l, Inner start, Inner best, Cost lowest, bool is_cold, uint64_t budget,
                   Arena *mem)
{
    enum { PER_PAIR = 200, UNIT = 1024, PARTS = 8, FIRST = 4, EXCHANGES = 3, HOT = 30, WARM = 15 };
    uint32_t seed = (uint32_t)l->seed; /* farther from the best, the higher it is */
    uint64_t before = cost_nodes_built(l->matrix);
    Cost first = cost_of(l, start, UINT32_MAX - 1);
    /* a thousandth of the start's cost */
    uint64_t unit = first.ops == COST_FAILED.ops ? 0 : first.ops * UNIT / 1000;
    uint64_t rounds = budget / (1 + cost_nodes_built(l->matrix) - before);
    uint64_t most = (uint64_t)PER_PAIR * l->n * l->n; /* in the first run */
    if (is_cold) {
        anneal(l, best, rounds < most ? rounds : most, 2 * budget, 0, best, &lowest, mem);
        return;
    }
    uint64_t n = rounds / FIRST;
    anneal(l, start, n < most ? n : most, budget, unit * HOT, best, &lowest, mem);
    n = rounds / PARTS - n / PARTS;
    most = 2 * most / PARTS;
    Inner from = inner_new(l->n, mem), room = inner_new(l->n, mem);
    for (uint32_t k = 0; k < PARTS; k++) {
        copy_inner(from, best, l->n);
        perturb(l, from, EXCHANGES * seed, room);
        anneal(l, from, n < most ? n : most, budget / PARTS, unit * WARM, best, &lowest, mem);
    }
}

/* ---- orders kept from run to run ---- */

/* The name of the result of a hot search, which is a function of these. NULL: it is not kept. */
static const char *entry_of(const OrderSearch *r, const Local *l, Inner start, Inner best,
                            uint64_t budget, Arena *mem)
{
    if (!r->cache)
        return NULL;
    Digester *to = digester_new();
    digester_text(to, SEARCH_SOURCES);
    digester_add(to, &budget, sizeof budget);
    digester_add(to, &l->seed, sizeof l->seed);
    cost_matrix_digest(l->matrix, to);
    digester_add(to, l->wanted, l->n * sizeof *l->wanted);
    const uint32_t *const numbers[] = {l->group, start.row, start.col, best.row, best.col};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        digester_add(to, numbers[k], l->n * sizeof *numbers[k]);
    char digits[DIGEST_TEXT];
    digest_print(digester_end(to), digits);
    return arena_printf(mem, "%s.order", digits);
}

/* A hot search, or the result of the same one in an earlier run. */
static void search_once(const OrderSearch *r, Local *l, Inner start, Inner best, Cost lowest,
                        uint64_t budget, Arena *mem)
{
    size_t size = l->n * sizeof *best.row, n = 0;
    const char *entry = entry_of(r, l, start, best, budget, mem);
    const char *kept = entry ? cache_read(r->cache, entry, mem, &n) : NULL;
    if (kept && n == 2 * size) {
        memcpy(best.row, kept, size);
        memcpy(best.col, kept + size, size);
        return;
    }
    search(l, start, best, lowest, false, budget, mem);
    if (!entry)
        return;
    char *bytes = arena_alloc(mem, 2 * size);
    memcpy(bytes, best.row, size);
    memcpy(bytes + size, best.col, size);
    cache_put(r->cache, entry, bytes, 2 * size);
}

/* The structure in order o. False if it is not made of the structure's equations and unknowns. */
static bool inner_of(const Order *o, const StructureRange *t, Inner inner)
{
    for (uint32_t i = 0; i < t->n; i++) {
        inner.row[i] = o->eq[t->begin + i] - t->begin;
        inner.col[i] = o->var[t->begin + i] - t->begin;
        if (inner.row[i] >= t->n || inner.col[i] >= t->n)
            return false;
    }
    return true;
}

/* Applies the order found for a structure to another one, whose roles correspond by shape. */
static void translate(const Found *from, const uint32_t *by_shape, uint32_t *role, Inner out)
{
    for (uint32_t i = 0; i < from->n; i++)
        role[from->by_shape[i]] = by_shape[i];
    for (uint32_t k = 0; k < from->n; k++) {
        out.row[k] = role[from->best.row[k]];
        out.col[k] = role[from->best.col[k]];
    }
}

/* Structures at the ends of a chain hardly differ from those inside, hinges about one axis
 * from those about another: the order found for another of as many pairs is a good start. Returns
 * the nodes that finding it took if it is cheaper than the structure's own, or 0. */
static uint64_t inherit(const OrderSearch *r, Local *l, const uint32_t *by_shape, Inner best,
                        Cost *lowest, Arena *mem)
{
    enum { MOST = 8 }; /* of those found last: where no two structures are alike there are many */
    uint32_t first = r->classes->n, n = 0, *role = arena_array(mem, uint32_t, l->n);
    Inner turned = inner_new(l->n, mem);
    while (first > 0 && n < MOST)
        n += r->found[--first].n == l->n;
    uint64_t budget = 0;
    for (uint32_t k = first; k < r->classes->n; k++) {
        const Found *other = &r->found[k];
        if (other->n != l->n)
            continue;
        translate(other, by_shape, role, turned);
        const Inner start[] = {other->best, turned};
        for (int i = 0; i < 2; i++) {
            Cost cost = cost_of(l, start[i], lowest->n_vanishing);
            if (!cost_less(cost, *lowest))
                continue;
            *lowest = cost;
            copy_inner(best, start[i], l->n);
            budget = other->spent;
        }
    }
    return budget;
}

/* The budget grows with the class: a saving in one structure is a saving in all of its class. */
static uint64_t budget_for(const OrderSearch *r, uint32_t class)
{
    enum { MANY = 4 };
    uint64_t n = r->n_alike[class] < MANY ? r->n_alike[class] : MANY;
    return r->budget * n * n;
}

/* The cheapest of the variants. */
static Cost own_start(const OrderSearch *r, Local *l, const StructureRange *t, Inner start,
                      Arena *mem)
{
    Cost lowest = COST_FAILED;
    Inner other = inner_new(t->n, mem);
    for (uint32_t k = 0; k < r->n_variants; k++) {
        if (!inner_of(&r->variant[k], t, other))
            continue;
        Cost cost = cost_of(l, other, UINT32_MAX - 1);
        if (k == 0 || cost_less(cost, lowest)) {
            lowest = cost;
            copy_inner(start, other, t->n);
        }
    }
    return lowest;
}

/* The matrix of a structure at one of the two points of a sample; size: per entry the sum of the
 * absolute values that it is made of. */
static void values_at(const OrderSearch *r, const Matrix *m, const StructureRange *t, bool at_start,
                      double *value, double *size)
{
    memset(value, 0, (size_t)t->n * t->n * sizeof *value);
    for (uint32_t i = 0; i < t->n; i++) {
        const Row *row = &m->row[t->begin + i];
        for (uint32_t k = 0; k < row->n; k++) {
            uint32_t col = row->at[k].col - t->begin;
            if (row->at[k].col < t->begin || col >= t->n)
                continue;
            Sample *sample = r->points->sample;
            value[i * t->n + col] =
                at_start ? sample_start(sample, row->at[k].x) : sample_value(sample, row->at[k].x);
        }
    }
    for (size_t k = 0; k < (size_t)t->n * t->n; k++)
        size[k] = fabs(value[k]);
}

/* Whether no pivot of the order vanishes at a point of the sample, where the elimination would
 * stop: structures of one class have the same form, but other coefficients. */
static bool holds_in(const OrderSearch *r, const Matrix *m, const StructureRange *t, Inner order,
                     Arena *mem)
{
    static const double ROUNDING = 1e-11;
    size_t n = t->n;
    double *value = arena_array(mem, double, n *n), *size = arena_array(mem, double, n *n);
    for (int point = 0; point < 2; point++) {
        values_at(r, m, t, point, value, size);
        bool *is_done = arena_array(mem, bool, n);
        for (uint32_t k = 0; k < n; k++) {
            size_t row = order.row[k] * n, col = order.col[k];
            double pivot = value[row + col];
            if (!(fabs(pivot) > ROUNDING * size[row + col]))
                return false;
            is_done[order.row[k]] = true;
            for (uint32_t i = 0; i < n; i++) {
                double factor = is_done[i] ? 0 : value[i * n + col] / pivot;
                for (uint32_t c = 0; c < n && factor != 0; c++) {
                    value[i * n + c] -= factor * value[row + c];
                    size[i * n + c] += fabs(factor) * size[row + c];
                }
            }
        }
    }
    return true;
}

static void find_best(OrderSearch *r, const Matrix *m, const StructureRange *t, uint64_t budget,
                      Found *found)
{
    enum { LESS = 16, LITTLE = 500000 };
    Arena *mem = arena_new();
    Local l;
    cut_out(&l, r, m, t, mem);
    const uint32_t *by_shape = &r->classes->by_shape[t->begin];
    Inner start = inner_new(t->n, mem), best = inner_new(t->n, r->mem);
    Cost lowest = own_start(r, &l, t, start, mem);
    copy_inner(best, start, t->n);
    bool is_done = inherit(r, &l, by_shape, best, &lowest, mem) >= budget;
    if (is_done || budget < LITTLE)
        search(&l, start, best, lowest, true, is_done ? budget / LESS : budget, mem);
    else
        search_once(r, &l, start, best, lowest, budget, mem);
    *found = (Found){t->n, best, by_shape, budget};
    arena_free(mem);
}

uint32_t search_structure(OrderSearch *r, const Matrix *m, Order *o, uint32_t begin)
{
    enum { MOST_PAIRS = 200 }; /* more is no body's structure */
    const StructureRange *t = &r->classes->range[r->next++];
    if (t->begin != begin)
        bug("search: a structure begins at %u, not at %u", t->begin, begin);
    if (t->n < 2 || t->n > MOST_PAIRS || o->stage[begin] == INC_NONE)
        return t->n;
    Found *found = &r->found[t->class];
    if (found->n == 0) {
        find_best(r, m, t, budget_for(r, t->class), found);
    } else {
        Arena *mem = arena_new();
        Found *other = &r->other[t->class];
        if (!holds_in(r, m, t, found->best, mem)) {
            found = other;
            if (other->n == 0 || !holds_in(r, m, t, other->best, mem))
                find_best(r, m, t, r->budget, other);
        }
        arena_free(mem);
    }
    for (uint32_t i = 0; i < t->n; i++) {
        o->eq[begin + i] = begin + found->best.row[i];
        o->var[begin + i] = begin + found->best.col[i];
    }
    return t->n;
}
