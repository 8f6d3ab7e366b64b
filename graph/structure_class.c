#include "graph/structure_class.h"

#include "base/map.h"

#include <stdlib.h>

static uint64_t mix(uint64_t h, uint64_t x)
{
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

/* What tells pairs from each other. */
typedef enum Sight {
    SIGHT_SHAPE, /* labels alone: alike for hinges about y and z            */
    SIGHT_FULL   /* signs and places in arrays too */
} Sight;

/* What a pair looks like: lengths and labels of its row and column, its place in arrays. */
static uint64_t look_of_pair(const Incidence *g, uint32_t e, uint32_t v, Sight sight)
{
    uint64_t rows[LABEL_NONLINEAR + 1] = {0}, cols[LABEL_NONLINEAR + 1] = {0}, h = 0;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        rows[g->label[k]]++;
    for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
        cols[g->label[g->edge[k]]]++;
    for (uint32_t k = 0; k <= LABEL_NONLINEAR; k++)
        h = mix(mix(h, rows[k]), cols[k]);
    if (sight == SIGHT_FULL && g->row_index && g->col_index)
        h = mix(mix(h, g->row_index[e]), g->col_index[v]);
    return h;
}

/* Looks of all pairs by place in the order; each round of refinement takes in the neighbours'
 * (Weisfeiler & Leman 1968), which tells pairs of equal shape by what they are connected to. After
 * some rounds, `outside`, only neighbours in the same structure, so that its pairs have each a
 * role while structures farther away make no difference. */
static uint64_t *looks_of(const Order *o, const Incidence *g, Sight sight, int outside, Arena *mem)
{
    enum { ROUNDS = 10 };
    uint64_t *look = arena_array(mem, uint64_t, o->n), *next = arena_array(mem, uint64_t, o->n);
    uint32_t *of_eq = arena_array(mem, uint32_t, o->n), *of_var = arena_array(mem, uint32_t, o->n);
    for (uint32_t k = 0; k < o->n; k++) {
        of_eq[o->eq[k]] = of_var[o->var[k]] = k;
        look[k] = look_of_pair(g, o->eq[k], o->var[k], sight);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < o->n; k++) {
            uint64_t rows = 0, cols = 0;
            for (uint32_t i = g->row_begin[o->eq[k]]; i < g->row_begin[o->eq[k] + 1]; i++) {
                uint32_t other = of_var[g->col[i]];
                if (round < outside || o->stage[other] == o->stage[k])
                    rows += mix(look[other],
                                g->label[i] * 4u + (sight == SIGHT_FULL ? g->sign[i] + 1u : 0));
            }
            for (uint32_t i = g->col_begin[o->var[k]]; i < g->col_begin[o->var[k] + 1]; i++) {
                uint32_t other = of_eq[g->row[i]];
                if (round < outside || o->stage[other] == o->stage[k])
                    cols += mix(look[other], g->label[g->edge[i]] + 64u);
            }
            next[k] = mix(mix(look[k], rows), cols);
        }
        uint64_t *t = look;
        look = next;
        next = t;
    }
    return look;
}

typedef struct Seen {
    uint64_t role; /* look within the structure */
    uint64_t look;
    uint32_t place;
} Seen;

static int compare_seen(const void *a, const void *b)
{
    const Seen *x = a, *y = b;
    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    if (x->look != y->look)
        return x->look < y->look ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static uint32_t kind_of(Map *known, const Stretch *s, const Seen *seen)
{
    uint64_t look = s->n;
    for (uint32_t i = 0; i < s->n; i++)
        look = mix(mix(look, seen[i].role), seen[i].look);
    uint32_t number = map_get(known, look);
    if (number == MAP_NONE) {
        number = known->n;
        map_put(known, look, number);
    }
    return number;
}

static void rank_by_shape(const Stretch *s, const uint64_t *shape, const Kinds *k, Seen *room)
{
    for (uint32_t i = 0; i < s->n; i++)
        room[i] = (Seen){.role = shape[k->slot[s->begin + i]], .place = i};
    qsort(room, s->n, sizeof *room, compare_seen);
    for (uint32_t i = 0; i < s->n; i++)
        k->by_shape[s->begin + i] = room[i].place;
}

Kinds kinds_find(const Order *o, const Incidence *g, Arena *mem)
{
    Kinds r = {.stretch = arena_array(mem, Stretch, o->n),
               .slot = arena_array(mem, uint32_t, o->n),
               .by_shape = arena_array(mem, uint32_t, o->n)};
    uint64_t *role = looks_of(o, g, SIGHT_FULL, 0, mem), *look = looks_of(o, g, SIGHT_FULL, 3, mem);
    uint64_t *shape = looks_of(o, g, SIGHT_SHAPE, 0, mem);
    Seen *seen = arena_array(mem, Seen, o->n);
    Map known = map_new(mem);
    for (uint32_t k = 0; k < o->n;) {
        Stretch s = {.begin = k};
        for (; k < o->n && o->stage[k] == o->stage[s.begin]; k++)
            seen[k] = (Seen){role[k], look[k], k};
        s.n = k - s.begin;
        qsort(seen + s.begin, s.n, sizeof *seen, compare_seen);
        for (uint32_t i = s.begin; i < k; i++)
            r.slot[i] = seen[i].place;
        s.kind = kind_of(&known, &s, seen + s.begin);
        rank_by_shape(&s, shape, &r, seen + s.begin);
        r.stretch[r.n_stretches++] = s;
    }
    r.n = known.n;
    return r;
}
