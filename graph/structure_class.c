#include "graph/structure_class.h"

#include "base/map.h"
#include "graph/by_igraph.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t h, uint64_t x)
{
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

/* The data by which pairs are distinguished. */
typedef enum Detail {
    DETAIL_SHAPE, /* labels alone: equal for hinges about y and z            */
    DETAIL_FULL   /* signs and places in arrays too */
} Detail;

/* The first colour of a pair: lengths and labels of its row and column, its place in arrays. */
static uint64_t colour_of_pair(const Incidence *g, uint32_t e, uint32_t v, Detail detail)
{
    uint64_t rows[LABEL_NONLINEAR + 1] = {0}, cols[LABEL_NONLINEAR + 1] = {0}, h = 0;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        rows[g->label[k]]++;
    for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
        cols[g->label[g->edge[k]]]++;
    for (uint32_t k = 0; k <= LABEL_NONLINEAR; k++)
        h = mix(mix(h, rows[k]), cols[k]);
    if (detail == DETAIL_FULL && g->row_index && g->col_index)
        h = mix(mix(h, g->row_index[e]), g->col_index[v]);
    return h;
}

/* Colours of all pairs by place in the order; each round of refinement takes in the neighbours'
 * (Weisfeiler & Leman 1968), which distinguishes pairs of equal shape by their neighbours. After
 * some rounds, `outside`, only neighbours in the same structure, so that its pairs have each a role
 * while structures farther away make no difference. */
static uint64_t *colours_of(const Order *o, const Incidence *g, Detail detail, int outside,
                            Arena *mem)
{
    enum { ROUNDS = 10 };
    uint64_t *colour = arena_array(mem, uint64_t, o->n), *next = arena_array(mem, uint64_t, o->n);
    uint32_t *of_eq = arena_array(mem, uint32_t, o->n), *of_var = arena_array(mem, uint32_t, o->n);
    for (uint32_t k = 0; k < o->n; k++) {
        of_eq[o->eq[k]] = of_var[o->var[k]] = k;
        colour[k] = colour_of_pair(g, o->eq[k], o->var[k], detail);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < o->n; k++) {
            uint64_t rows = 0, cols = 0;
            for (uint32_t i = g->row_begin[o->eq[k]]; i < g->row_begin[o->eq[k] + 1]; i++) {
                uint32_t other = of_var[g->col[i]];
                if (round < outside || o->stage[other] == o->stage[k])
                    rows += mix(colour[other],
                                g->label[i] * 4u + (detail == DETAIL_FULL ? g->sign[i] + 1u : 0));
            }
            for (uint32_t i = g->col_begin[o->var[k]]; i < g->col_begin[o->var[k] + 1]; i++) {
                uint32_t other = of_eq[g->row[i]];
                if (round < outside || o->stage[other] == o->stage[k])
                    cols += mix(colour[other], g->label[g->edge[i]] + 64u);
            }
            next[k] = mix(mix(colour[k], rows), cols);
        }
        uint64_t *t = colour;
        colour = next;
        next = t;
    }
    return colour;
}

typedef struct Colour {
    uint64_t role; /* colour within the structure */
    uint64_t colour;
    uint32_t place;
} Colour;

static int compare_colours(const void *a, const void *b)
{
    const Colour *x = a, *y = b;
    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

typedef struct Finder {
    const Order *o;
    const Incidence *g;
    Arena *scratch;
    uint32_t *place_of_var;    /* place in the order of each unknown */
    uint32_t *role_at;         /* by place */
    Colour *pair;              /* by structure and role */
    Map known;                 /* classes by the colours of their pairs */
    VEC(StructureRange) first; /* of each class */
} Finder;

/* ---- pairs of one colour ---- */

/* The graph of a structure: a vertex per pair, by role, and one per entry between two pairs, whose
 * colour is the entry's label and sign. */
static Digraph graph_of(const Finder *f, const StructureRange *s, const Colour *pair)
{
    enum { ENTRY = 1u << 16 }; /* colours from here on */
    const Incidence *g = f->g;
    VEC(uint32_t) colour = {0}, from = {0}, to = {0};
    for (uint32_t i = 0; i < s->n; i++) {
        bool is_same =
            i && pair[i].role == pair[i - 1].role && pair[i].colour == pair[i - 1].colour;
        vec_push(f->scratch, colour, is_same ? colour.at[i - 1] : i);
        f->role_at[pair[i].place] = i;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t e = f->o->eq[pair[i].place];
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t place = f->place_of_var[g->col[k]];
            if (place < s->begin || place >= s->begin + s->n || place == pair[i].place)
                continue;
            vec_push(f->scratch, from, i);
            vec_push(f->scratch, to, colour.n);
            vec_push(f->scratch, from, colour.n);
            vec_push(f->scratch, to, f->role_at[place]);
            vec_push(f->scratch, colour, ENTRY + g->label[k] * 4u + g->sign[k] + 1u);
        }
    }
    return (Digraph){colour.n, from.n, from.at, to.at, colour.at};
}

static bool has_equal_colours(const StructureRange *s, const Colour *pair)
{
    for (uint32_t i = 1; i < s->n; i++)
        if (pair[i].role == pair[i - 1].role && pair[i].colour == pair[i - 1].colour)
            return true;
    return false;
}

/* Refinement cannot distinguish the pairs of two equal bars side by side, and sorting may bring the
 * equation of one beside the unknown of the other. So the pairs of s take the order that those of
 * the first structure of their class have. False if there is no such order: then the classes
 * differ. */
static bool follow_first(const Finder *f, const StructureRange *first, const Colour *first_pair,
                         const StructureRange *s, Colour *pair)
{
    enum { MOST_PAIRS = 200 }; /* of a body's structure; isomorphism may be expensive beyond */
    if (s->n > MOST_PAIRS || !has_equal_colours(s, pair))
        return true;
    ArenaMark mark = arena_mark(f->scratch);
    Digraph a = graph_of(f, first, first_pair), b = graph_of(f, s, pair);
    Colour *sorted = arena_array(f->scratch, Colour, s->n);
    uint32_t *map = arena_array(f->scratch, uint32_t, a.n);
    memcpy(sorted, pair, s->n * sizeof *sorted);
    bool is_alike = a.n == b.n && a.n_edges == b.n_edges && igraph_isomorphism(&a, &b, map);
    for (uint32_t i = 0; is_alike && i < s->n; i++)
        pair[i] = sorted[map[i]];
    arena_rollback(f->scratch, mark);
    return is_alike;
}

/* The class of s among those found, which differ in a number from others of equal colours. */
static uint32_t class_of(Finder *f, const StructureRange *s, Colour *pair)
{
    uint64_t colour = s->n;
    for (uint32_t i = 0; i < s->n; i++)
        colour = mix(mix(colour, pair[i].role), pair[i].colour);
    for (;; colour = mix(colour, 1)) {
        uint32_t number = map_get(&f->known, colour);
        if (number == MAP_NONE) {
            number = f->known.n;
            map_put(&f->known, colour, number);
            vec_push(f->scratch, f->first, *s);
            return number;
        }
        const StructureRange *first = &f->first.at[number];
        if (follow_first(f, first, f->pair + first->begin, s, pair))
            return number;
    }
}

/* ---- all structures ---- */

static void rank_by_shape(const StructureRange *s, const uint64_t *shape, const StructureClasses *k,
                          Colour *room)
{
    for (uint32_t i = 0; i < s->n; i++)
        room[i] = (Colour){.role = shape[k->by_role[s->begin + i]], .place = i};
    qsort(room, s->n, sizeof *room, compare_colours);
    for (uint32_t i = 0; i < s->n; i++)
        k->by_shape[s->begin + i] = room[i].place;
}

StructureClasses structure_classes(const Order *o, const Incidence *g, Arena *mem)
{
    StructureClasses r = {.range = arena_array(mem, StructureRange, o->n),
                          .by_role = arena_array(mem, uint32_t, o->n),
                          .by_shape = arena_array(mem, uint32_t, o->n)};
    Arena *scratch = arena_new();
    uint64_t *role = colours_of(o, g, DETAIL_FULL, 0, scratch),
             *colour = colours_of(o, g, DETAIL_FULL, 3, scratch),
             *shape = colours_of(o, g, DETAIL_SHAPE, 0, scratch);
    Finder f = {.o = o,
                .g = g,
                .scratch = scratch,
                .place_of_var = arena_array(scratch, uint32_t, g->n_cols),
                .role_at = arena_array(scratch, uint32_t, o->n),
                .pair = arena_array(scratch, Colour, o->n),
                .known = map_new(scratch)};
    Colour *room = arena_array(scratch, Colour, o->n);
    for (uint32_t k = 0; k < o->n; k++)
        f.place_of_var[o->var[k]] = k;
    for (uint32_t k = 0; k < o->n;) {
        StructureRange s = {.begin = k};
        for (; k < o->n && o->stage[k] == o->stage[s.begin]; k++)
            f.pair[k] = (Colour){role[k], colour[k], k};
        s.n = k - s.begin;
        qsort(f.pair + s.begin, s.n, sizeof *f.pair, compare_colours);
        s.class = class_of(&f, &s, f.pair + s.begin);
        for (uint32_t i = s.begin; i < k; i++)
            r.by_role[i] = f.pair[i].place;
        rank_by_shape(&s, shape, &r, room);
        r.range[r.n_ranges++] = s;
    }
    r.n = f.known.n;
    arena_free(scratch);
    return r;
}

static bool is_permutation(const uint32_t *at, uint32_t first, uint32_t n, Arena *scratch)
{
    bool *seen = arena_array(scratch, bool, n);
    for (uint32_t i = 0; i < n; i++) {
        if (at[i] - first >= n || seen[at[i] - first])
            return false;
        seen[at[i] - first] = true;
    }
    return true;
}

bool structure_classes_check(const StructureClasses *c, const Order *o)
{
    Arena *scratch = arena_new();
    uint32_t next = 0, n_classes = 0, *size = arena_array(scratch, uint32_t, c->n);
    bool ok = true;
    for (uint32_t k = 0; ok && k < c->n_ranges; k++) {
        StructureRange s = c->range[k];
        ok = s.n > 0 && s.begin == next && s.n <= o->n - next && s.class <= n_classes &&
             s.class < c->n;
        if (!ok)
            break;
        n_classes += s.class == n_classes;
        if (size[s.class] == 0)
            size[s.class] = s.n;
        ok = size[s.class] == s.n && is_permutation(c->by_role + s.begin, s.begin, s.n, scratch) &&
             is_permutation(c->by_shape + s.begin, 0, s.n, scratch);
        for (uint32_t i = s.begin + 1; ok && i < s.begin + s.n; i++)
            ok = o->stage[i] == o->stage[s.begin];
        next += s.n;
    }
    arena_free(scratch);
    return ok && next == o->n && n_classes == c->n;
}

void structure_classes_dump(const StructureClasses *c, const Order *o, FILE *f)
{
    for (uint32_t k = 0; k < c->n_ranges; k++) {
        StructureRange s = c->range[k];
        fprintf(f, "class %u:", s.class);
        for (uint32_t i = s.begin; i < s.begin + s.n; i++)
            fprintf(f, " (%u, %u)", o->eq[c->by_role[i]], o->var[c->by_role[i]]);
        fputc('\n', f);
    }
}
