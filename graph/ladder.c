#include "graph/ladder.h"

#include "graph/heap.h"
#include "graph/matching.h"
#include "graph/order.h"
#include "ir/residue.h"

#include <stdlib.h>
#include <string.h>

/* ---- legs: labels along the natural order ------------------------------------------------- */

/* Evaluated in natural order each matched pair is a node that needs other nodes and tearing
 * variables. Seen backwards it is needed by other nodes and residuals. Both directions are swept
 * the same way, so a direction is a parameter; "ends" are tearing variables forward and residuals
 * backward. */
typedef enum Direction { FORWARD, BACKWARD } Direction;

typedef struct Legs {
    const Incidence *g;
    const Matching *m;
    uint32_t n;                      /* ends of each kind */
    uint32_t *end_id[2], *end_no[2]; /* unknown or equation of an end; the inverse */
    uint32_t *topo, n_topo;          /* nodes (their equations) in natural order */
} Legs;

static uint32_t inputs_begin(const Legs *l, Direction d, uint32_t e)
{
    return d == FORWARD ? l->g->row_begin[e] : l->g->col_begin[l->m->var_of[e]];
}

static uint32_t inputs_end(const Legs *l, Direction d, uint32_t e)
{
    return d == FORWARD ? l->g->row_begin[e + 1] : l->g->col_begin[l->m->var_of[e] + 1];
}

/* Input k of a node: another node, or an end, or neither (the node itself). */
static void input(const Legs *l, Direction d, uint32_t e, uint32_t k, uint32_t *node, uint32_t *end)
{
    *node = *end = INC_NONE;
    if (d == FORWARD) {
        uint32_t v = l->g->col[k];
        *end = l->end_no[FORWARD][v];
        if (*end == INC_NONE && l->m->eq_of[v] != e)
            *node = l->m->eq_of[v];
    } else {
        uint32_t r = l->g->row[k];
        *end = l->end_no[BACKWARD][r];
        if (*end == INC_NONE && r != e)
            *node = r;
    }
}

static Legs legs_of(const Incidence *g, const Matching *m, Arena *mem)
{
    Legs l = {.g = g, .m = m};
    uint32_t n_rows = g->n_rows, n = 0;
    l.end_id[FORWARD] = arena_array(mem, uint32_t, n_rows - m->size);
    l.end_id[BACKWARD] = arena_array(mem, uint32_t, n_rows - m->size);
    l.end_no[FORWARD] = arena_array(mem, uint32_t, n_rows);
    l.end_no[BACKWARD] = arena_array(mem, uint32_t, n_rows);
    for (uint32_t v = 0; v < n_rows; v++) {
        l.end_no[FORWARD][v] = m->eq_of[v] == INC_NONE ? l.n : INC_NONE;
        l.end_no[BACKWARD][v] = m->var_of[v] == INC_NONE ? n : INC_NONE;
        if (m->eq_of[v] == INC_NONE)
            l.end_id[FORWARD][l.n++] = v;
        if (m->var_of[v] == INC_NONE)
            l.end_id[BACKWARD][n++] = v;
    }
    /* natural order: a node comes when all it needs is there (Kahn) */
    uint32_t *missing = arena_array(mem, uint32_t, n_rows), node, end;
    l.topo = arena_array(mem, uint32_t, m->size);
    for (uint32_t e = 0; e < n_rows; e++) {
        if (m->var_of[e] == INC_NONE)
            continue;
        for (uint32_t k = inputs_begin(&l, FORWARD, e); k < inputs_end(&l, FORWARD, e); k++) {
            input(&l, FORWARD, e, k, &node, &end);
            missing[e] += node != INC_NONE;
        }
        if (missing[e] == 0)
            l.topo[l.n_topo++] = e;
    }
    for (uint32_t i = 0; i < l.n_topo; i++) {
        uint32_t e = l.topo[i];
        for (uint32_t k = inputs_begin(&l, BACKWARD, e); k < inputs_end(&l, BACKWARD, e); k++) {
            input(&l, BACKWARD, e, k, &node, &end);
            if (node != INC_NONE && --missing[node] == 0)
                l.topo[l.n_topo++] = node;
        }
    }
    return l;
}

/* ---- rank of tearing variables -------------------------------------------------------------- */

enum { WORD = 64 }; /* tearing variables in a batch */

/* The tearing variable that a node depends on, INC_NONE for none, MIXED for several. */
#define MIXED (UINT32_MAX - 1)

/* An equation at which a tearing variable joins a leg: no other operand of the equation depends on
 * it. One of the kinetic leg is none, since the forces of those farther out depend on it already.
 * The components of a vector in space join together: some of them may not contain the motion of
 * another joint. */
typedef struct Joining {
    uint32_t tear, node, place; /* of the node in natural order */
} Joining;

enum { SPACE = 3 };

typedef struct Ranking {
    const Legs *l;
    Arena *mem;
    uint32_t *only;    /* per node: its tearing variable, as above             */
    uint64_t *depends; /* per node: its dependencies in the current batch      */
    uint32_t *next;    /* per node: the next of its vector in space, in a ring */
    uint32_t *place;   /* per node, in natural order                           */
    uint32_t *number;  /* per tearing variable, by where nodes first contain it */
    uint32_t first;    /* number of the batch's first                          */
    uint32_t begin;    /* place of the first node that contains one of the batch */
    VEC(Joining) joining;
} Ranking;

/* Through which tearing variable alone input k of a node comes, INC_NONE if through none, MIXED if
 * through several; then *node is the input. */
static uint32_t only_through(const Ranking *r, uint32_t e, uint32_t k, uint32_t *node)
{
    uint32_t end;
    input(r->l, FORWARD, e, k, node, &end);
    return end != INC_NONE ? end : *node != INC_NONE ? r->only[*node] : INC_NONE;
}

static void find_only(Ranking *r)
{
    const Legs *l = r->l;
    for (uint32_t i = 0; i < l->n_topo; i++) {
        uint32_t e = l->topo[i], only = INC_NONE, node;
        for (uint32_t k = inputs_begin(l, FORWARD, e); k < inputs_end(l, FORWARD, e); k++) {
            uint32_t through = only_through(r, e, k, &node);
            if (only == INC_NONE)
                only = through;
            else if (through != INC_NONE && through != only)
                only = MIXED;
        }
        r->only[e] = only;
    }
}

static void find_vectors(Ranking *r)
{
    const Legs *l = r->l;
    const Incidence *g = l->g;
    uint32_t *size = arena_array(r->mem, uint32_t, g->n_row_groups);
    uint32_t *last = arena_array(r->mem, uint32_t, g->n_row_groups);
    for (uint32_t e = 0; g->row_group && e < g->n_rows; e++)
        if (g->row_group[e] != INC_NONE)
            size[g->row_group[e]]++;
    for (uint32_t i = 0; i < l->n_topo; i++) {
        uint32_t e = l->topo[i], v = g->row_group ? g->row_group[e] : INC_NONE;
        r->next[e] = e;
        if (v == INC_NONE || size[v] > SPACE)
            continue;
        if (last[v]) {
            r->next[e] = r->next[last[v] - 1];
            r->next[last[v] - 1] = e;
        }
        last[v] = e + 1;
    }
}

/* Sets of the batch's tearing variables: those that the node contains, those on which alone an
 * input depends, and those on which inputs with several depend. */
typedef struct Inputs {
    uint64_t direct, alone, others;
} Inputs;

static Inputs inputs_of(const Ranking *r, uint32_t e)
{
    Inputs in = {0};
    for (uint32_t k = inputs_begin(r->l, FORWARD, e); k < inputs_end(r->l, FORWARD, e); k++) {
        uint32_t node, through = only_through(r, e, k, &node);
        if (through == MIXED)
            in.others |= r->place[node] < r->begin ? 0 : r->depends[node];
        else if (through != INC_NONE && r->number[through] - r->first < WORD)
            *(node == INC_NONE ? &in.direct : &in.alone) |= (uint64_t)1
                                                            << (r->number[through] - r->first);
    }
    return in;
}

/* A tearing variable and where nodes, or nodes of a vector with them, contain it. */
typedef struct Extent {
    uint32_t tear, begin, end; /* places in natural order; begin = end: in none */
} Extent;

static int compare_extents(const void *a, const void *b)
{
    const Extent *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->tear > y->tear) - (x->tear < y->tear);
}

/* The tearing variables that nodes contain, sorted by the first such node. */
static uint32_t find_extents(const Ranking *r, Extent *x)
{
    const Legs *l = r->l;
    for (uint32_t t = 0; t < l->n; t++)
        x[t] = (Extent){t, UINT32_MAX, 0};
    for (uint32_t i = 0; i < l->n_topo; i++) {
        uint32_t e = l->topo[i], last = i, node, end;
        for (uint32_t part = r->next[e]; part != e; part = r->next[part])
            last = r->place[part] > last ? r->place[part] : last;
        for (uint32_t k = inputs_begin(l, FORWARD, e); k < inputs_end(l, FORWARD, e); k++) {
            input(l, FORWARD, e, k, &node, &end);
            if (end == INC_NONE)
                continue;
            x[end].begin = i < x[end].begin ? i : x[end].begin;
            x[end].end = last + 1 > x[end].end ? last + 1 : x[end].end;
        }
    }
    if (l->n)
        qsort(x, l->n, sizeof *x, compare_extents);
    uint32_t n = 0;
    while (n < l->n && x[n].end > 0)
        n++;
    return n;
}

/* Joinings of the tearing variables of one batch, by two sweeps over the nodes between the first
 * and the last that contains one. */
static void find_joinings(Ranking *r, uint32_t end, const Extent *x)
{
    const Legs *l = r->l;
    for (uint32_t i = r->begin; i < end; i++) {
        Inputs in = inputs_of(r, l->topo[i]);
        r->depends[l->topo[i]] = in.direct | in.alone | in.others;
    }
    for (uint32_t i = r->begin; i < end; i++) {
        uint32_t e = l->topo[i];
        uint64_t direct = inputs_of(r, e).direct, others = 0;
        if (!direct)
            continue;
        uint32_t part = e;
        do {
            others |= inputs_of(r, part).others;
            part = r->next[part];
        } while (part != e);
        for (uint32_t t = 0; t < WORD && direct >> t; t++) {
            if ((direct & ~others) >> t & 1)
                vec_push(r->mem, r->joining, ((Joining){x[t].tear, e, i}));
        }
    }
}

static int compare_joinings(const void *a, const void *b)
{
    const Joining *x = a, *y = b;
    if (x->tear / WORD != y->tear / WORD)
        return x->tear < y->tear ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->tear > y->tear) - (x->tear < y->tear);
}

static void find_all_joinings(Ranking *r)
{
    uint32_t n_rows = r->l->g->n_rows, n_tears = r->l->n;
    r->depends = arena_array(r->mem, uint64_t, n_rows);
    r->place = arena_array(r->mem, uint32_t, n_rows);
    r->number = arena_array(r->mem, uint32_t, n_tears);
    for (uint32_t i = 0; i < r->l->n_topo; i++)
        r->place[r->l->topo[i]] = i;
    Extent *x = arena_array(r->mem, Extent, n_tears);
    uint32_t n = find_extents(r, x);
    for (uint32_t k = 0; k < n_tears; k++)
        r->number[x[k].tear] = k;
    for (uint32_t first = 0; first < n; first += WORD) {
        uint32_t end = 0;
        for (uint32_t k = first; k < n && k < first + WORD; k++)
            end = x[k].end > end ? x[k].end : end;
        r->first = first;
        r->begin = x[first].begin;
        find_joinings(r, end, &x[first]);
    }
    if (r->joining.n)
        qsort(r->joining.at, r->joining.n, sizeof *r->joining.at, compare_joinings);
}

/* Nodes wait for their inputs, tearing variables for the nodes that they join. Tearing variable t
 * is item n_rows + t. */
typedef struct Waiting {
    uint32_t n, *missing;     /* per item, how many it waits for */
    uint32_t *begin, *waiter; /* who waits for an item           */
} Waiting;

/* Item `who` waits for the inputs of a node; a tearing variable not for others in the same
 * equation. Counted in pass 0, listed in pass 1. */
static void wait_for_inputs(const Ranking *r, Waiting *w, uint32_t who, uint32_t e, int pass)
{
    const Legs *l = r->l;
    bool is_tear = who >= l->g->n_rows;
    for (uint32_t k = inputs_begin(l, FORWARD, e); k < inputs_end(l, FORWARD, e); k++) {
        uint32_t node, through = only_through(r, e, k, &node);
        bool same = is_tear && (node == INC_NONE || l->g->n_rows + through == who);
        if (through == INC_NONE || same)
            continue;
        uint32_t whom = through == MIXED ? node : l->g->n_rows + through;
        if (pass == 0) {
            w->begin[whom + 2]++;
            w->missing[who]++;
        } else {
            w->waiter[w->begin[whom + 1]++] = who;
        }
    }
}

static Waiting find_waiting(const Ranking *r)
{
    const Legs *l = r->l;
    uint32_t n_rows = l->g->n_rows;
    Waiting w = {.n = n_rows + l->n};
    w.missing = arena_array(r->mem, uint32_t, w.n);
    w.begin = arena_array(r->mem, uint32_t, w.n + 2);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < l->n_topo; i++)
            if (r->only[l->topo[i]] == MIXED)
                wait_for_inputs(r, &w, l->topo[i], l->topo[i], pass);
        for (uint32_t i = 0; i < r->joining.n; i++) {
            Joining j = r->joining.at[i];
            uint32_t e = j.node;
            do {
                wait_for_inputs(r, &w, n_rows + j.tear, e, pass);
                e = r->next[e];
            } while (e != j.node);
        }
        if (pass == 0) {
            for (uint32_t k = 0; k < w.n; k++)
                w.begin[k + 1] += w.begin[k];
            w.waiter = arena_array(r->mem, uint32_t, w.begin[w.n] + w.begin[w.n + 1] + 1);
        }
    }
    return w;
}

/* Per tearing variable the longest way to a residual: out to the tips along the kinematic legs and
 * back along the kinetic ones. It falls from the ground to the tips on each branch, also between
 * tearing variables of which neither depends on the other: after a slide, an angular acceleration
 * farther out is that of the slide plus one, whether the slide moves or not. */
static uint32_t *heights_of(const Legs *l, Arena *mem)
{
    const Incidence *g = l->g;
    uint32_t *height = arena_array(mem, uint32_t, l->n);
    uint32_t *of_node = arena_array(mem, uint32_t, g->n_rows), node, end;
    for (uint32_t i = l->n_topo; i-- > 0;) {
        uint32_t e = l->topo[i];
        for (uint32_t k = inputs_begin(l, BACKWARD, e); k < inputs_end(l, BACKWARD, e); k++) {
            input(l, BACKWARD, e, k, &node, &end);
            if (node != INC_NONE && of_node[node] >= of_node[e])
                of_node[e] = of_node[node] + 1;
        }
    }
    for (uint32_t t = 0; t < l->n; t++) {
        uint32_t v = l->end_id[FORWARD][t];
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            if (l->m->var_of[g->row[k]] != INC_NONE && of_node[g->row[k]] >= height[t])
                height[t] = of_node[g->row[k]] + 1;
    }
    return height;
}

/* Rank of each tearing variable along the kinematic legs, from the ground: after all tearing
 * variables on which the nodes where it joins a leg depend; of several that may come now the one
 * that could first, or with heights the highest. If these dependencies form a cycle, the tearing
 * variable that comes first in the model breaks it. */
static uint32_t *rank_tears(const Legs *l, const Waiting *w, const uint32_t *height, Arena *mem)
{
    uint32_t n_rows = l->g->n_rows, n_ranked = 0, oldest = 0;
    uint64_t arrivals = 0;
    uint32_t *rank = arena_array(mem, uint32_t, l->n);
    uint32_t *missing = arena_array(mem, uint32_t, w->n);
    bool *is_ranked = arena_array(mem, bool, l->n);
    Heap ready = heap_new(w->n, mem);
    if (w->n)
        memcpy(missing, w->missing, w->n * sizeof *missing);
    for (uint32_t t = 0; t < l->n; t++)
        if (missing[n_rows + t] == 0)
            heap_set(&ready, n_rows + t, height ? n_rows - height[t] : arrivals++);
    while (n_ranked < l->n) {
        uint32_t x;
        if (!heap_pop(&ready, &x)) {
            while (is_ranked[oldest])
                oldest++;
            x = n_rows + oldest;
        }
        if (x >= n_rows) {
            is_ranked[x - n_rows] = true;
            rank[x - n_rows] = n_ranked++;
        }
        for (uint32_t k = w->begin[x]; k < w->begin[x + 1]; k++) {
            uint32_t y = w->waiter[k];
            if (--missing[y] > 0 || (y >= n_rows && is_ranked[y - n_rows]))
                continue;
            uint64_t by_height = y < n_rows || !height ? 0 : n_rows - height[y - n_rows];
            heap_set(&ready, y, height ? by_height : arrivals++);
        }
    }
    return rank;
}

/* ---- handles ---------------------------------------------------------------------------- */

/* A residual at some distance from a tearing variable. Of a free body all torques depend on all
 * angular accelerations: only where each is paired with its own element are the pivots those of the
 * symmetric mass matrix, which do not vanish. */
typedef struct Reach {
    uint32_t distance, tear, residual;
    bool is_across;  /* they are not the same element of two arrays */
    bool vanishes;   /* of the residual nothing depends on the tearing variable, as far as is seen:
                        a force along an axis on the angular acceleration about it */
    uint32_t spared; /* how many tearing variables reach the residual and cancel in it */
} Reach;

static int compare_reaches(const void *a, const void *b)
{
    const Reach *x = a, *y = b;
    if (x->vanishes != y->vanishes)
        return x->vanishes ? 1 : -1;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->is_across != y->is_across)
        return x->is_across ? 1 : -1;
    if (x->spared != y->spared)
        return x->spared > y->spared ? -1 : 1;
    if (x->tear != y->tear)
        return x->tear < y->tear ? -1 : 1;
    return (x->residual > y->residual) - (x->residual < y->residual);
}

/* How far the search for a tearing variable's residual goes: it is near or it is not its own. */
enum { MAX_REACHES = 4, MAX_VISITED = 400 };

typedef struct Pairing {
    const Legs *l;
    VEC(Reach) reaches;
    uint32_t *seen_eq, stamp; /* seen by the current search */
    uint32_t *queue, *distance;
    uint32_t *place;   /* per node, in natural order */
    uint32_t *node;    /* those of the search, sorted by it */
    uint64_t *residue; /* per unknown of the search: its derivative by the tearing variable */
    uint32_t *known;   /* per unknown: the search that has its residue */
} Pairing;

static bool is_across(const Incidence *g, uint32_t eq, uint32_t var)
{
    return !g->row_group || !g->col_group || g->row_group[eq] == INC_NONE ||
           g->col_group[var] == INC_NONE || g->row_index[eq] != g->col_index[var];
}

static uint64_t derivative_of_row(const Pairing *p, uint32_t e, uint32_t but)
{
    const Incidence *g = p->l->g;
    uint64_t sum = 0;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        if (g->col[k] != but && p->known[g->col[k]] == p->stamp)
            sum = residue_add(sum, residue_mul(g->residue[k], p->residue[g->col[k]]));
    return sum;
}

static int compare_places(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The derivatives of the unknowns that the search met, by its tearing variable, at a random point:
 * along the ways that it went. */
static void find_derivatives(Pairing *p, uint32_t n_queue)
{
    const Legs *l = p->l;
    p->known[p->queue[0]] = p->stamp;
    p->residue[p->queue[0]] = 1;
    for (uint32_t i = 1; i < n_queue; i++)
        p->node[i] = p->place[l->m->eq_of[p->queue[i]]];
    qsort(p->node + 1, n_queue - 1, sizeof *p->node, compare_places);
    for (uint32_t i = 1; i < n_queue; i++) {
        uint32_t e = l->topo[p->node[i]], v = l->m->var_of[e];
        uint64_t pivot = l->g->residue[incidence_find(l->g, e, v)];
        p->residue[v] =
            residue_negated(residue_mul(derivative_of_row(p, e, v), residue_inverse(pivot)));
        p->known[v] = p->stamp;
    }
}

/* Breadth-first from tearing variable t along the natural order; notes the nearest residuals. */
static void find_reaches(Pairing *p, uint32_t t, Arena *mem)
{
    const Legs *l = p->l;
    uint32_t n_queue = 0, first = p->reaches.n;
    p->stamp++;
    p->queue[n_queue] = l->end_id[FORWARD][t];
    p->distance[n_queue++] = 0;
    for (uint32_t i = 0; i < n_queue && p->reaches.n - first < MAX_REACHES && n_queue < MAX_VISITED;
         i++) {
        uint32_t v = p->queue[i];
        for (uint32_t k = l->g->col_begin[v]; k < l->g->col_begin[v + 1]; k++) {
            uint32_t e = l->g->row[k], r = l->end_no[BACKWARD][e];
            if (p->seen_eq[e] == p->stamp || l->m->var_of[e] == v)
                continue;
            p->seen_eq[e] = p->stamp;
            if (r != INC_NONE) {
                bool across = is_across(l->g, e, l->end_id[FORWARD][t]);
                vec_push(mem, p->reaches, ((Reach){p->distance[i], t, r, across, false, 0}));
            } else if (n_queue < MAX_VISITED) {
                p->queue[n_queue] = l->m->var_of[e];
                p->distance[n_queue++] = p->distance[i] + 1;
            }
        }
    }
    if (!l->g->residue || p->reaches.n - first < 2)
        return;
    find_derivatives(p, n_queue);
    for (uint32_t k = first; k < p->reaches.n; k++) {
        uint32_t e = l->end_id[BACKWARD][p->reaches.at[k].residual];
        p->reaches.at[k].vanishes = derivative_of_row(p, e, INC_NONE) == 0;
    }
}

/* The residual of each tearing variable, nearest pairs first; INC_NONE for those of loops. */
static uint32_t *pair_ends(const Legs *l, Arena *mem)
{
    Pairing p = {.l = l,
                 .seen_eq = arena_array(mem, uint32_t, l->g->n_rows),
                 .queue = arena_array(mem, uint32_t, MAX_VISITED),
                 .distance = arena_array(mem, uint32_t, MAX_VISITED),
                 .place = arena_array(mem, uint32_t, l->g->n_rows),
                 .node = arena_array(mem, uint32_t, MAX_VISITED),
                 .residue = arena_array(mem, uint64_t, l->g->n_cols),
                 .known = arena_array(mem, uint32_t, l->g->n_cols)};
    for (uint32_t i = 0; i < l->n_topo; i++)
        p.place[l->topo[i]] = i;
    uint32_t *residual = arena_array(mem, uint32_t, l->n);
    bool *taken = arena_array(mem, bool, l->n);
    for (uint32_t t = 0; t < l->n; t++) {
        residual[t] = INC_NONE;
        find_reaches(&p, t, mem);
    }
    uint32_t *spared = arena_array(mem, uint32_t, l->n);
    for (uint32_t i = 0; i < p.reaches.n; i++)
        spared[p.reaches.at[i].residual] += p.reaches.at[i].vanishes;
    for (uint32_t i = 0; i < p.reaches.n; i++)
        p.reaches.at[i].spared = spared[p.reaches.at[i].residual];
    if (p.reaches.n)
        qsort(p.reaches.at, p.reaches.n, sizeof *p.reaches.at, compare_reaches);
    for (uint32_t i = 0; i < p.reaches.n; i++) {
        Reach r = p.reaches.at[i];
        if (residual[r.tear] != INC_NONE || taken[r.residual])
            continue;
        residual[r.tear] = r.residual;
        taken[r.residual] = true;
    }
    return residual;
}

/* ---- structures --------------------------------------------------------------------------- */

/* Structure numbers, or INC_NONE: while structures are found, numbers rise from the ground to the
 * tips; in the Ladder they fall. */
typedef struct Stages {
    uint32_t n;
    uint32_t *of_end[2]; /* per tearing variable, per residual */
    uint32_t *of_eq;     /* per equation */
    uint32_t *parent;    /* per structure */
} Stages;

static uint32_t later(uint32_t a, uint32_t b)
{
    if (a == INC_NONE || b == INC_NONE)
        return a == INC_NONE ? b : a;
    return a > b ? a : b;
}

/* The last structure among all ends of one direction that a node depends on. */
static uint32_t *latest(const Legs *l, Direction d, const uint32_t *of_end, Arena *mem)
{
    uint32_t *last = arena_array(mem, uint32_t, l->g->n_rows), node, end;
    for (uint32_t i = 0; i < l->n_topo; i++) {
        uint32_t e = l->topo[d == FORWARD ? i : l->n_topo - 1 - i];
        last[e] = INC_NONE;
        for (uint32_t k = inputs_begin(l, d, e); k < inputs_end(l, d, e); k++) {
            input(l, d, e, k, &node, &end);
            if (end != INC_NONE)
                last[e] = later(last[e], of_end[end]);
            else if (node != INC_NONE)
                last[e] = later(last[e], last[node]);
        }
    }
    return last;
}

/* A node of the kinematic leg depends on tearing variables towards the ground, its own being the
 * last, and leads to residuals up to the tips; on the kinetic leg it is the reverse. So the
 * earlier of the two lasts is its own. */
static void assign_nodes(Stages *s, const Legs *l, Arena *mem)
{
    uint32_t *needs = latest(l, FORWARD, s->of_end[FORWARD], mem);
    uint32_t *leads = latest(l, BACKWARD, s->of_end[BACKWARD], mem);
    s->of_eq = arena_array(mem, uint32_t, l->g->n_rows);
    for (uint32_t e = 0; e < l->g->n_rows; e++)
        s->of_eq[e] = INC_NONE;
    for (uint32_t i = 0; i < l->n_topo; i++) {
        uint32_t e = l->topo[i], a = needs[e], b = leads[e];
        s->of_eq[e] = a == INC_NONE ? b : b == INC_NONE || a < b ? a : b;
    }
    for (uint32_t r = 0; r < l->n; r++)
        s->of_eq[l->end_id[BACKWARD][r]] = s->of_end[BACKWARD][r];
}

static uint32_t stage_of_var(const Stages *s, const Legs *l, uint32_t v)
{
    uint32_t t = l->end_no[FORWARD][v];
    return t != INC_NONE ? s->of_end[FORWARD][t] : s->of_eq[l->m->eq_of[v]];
}

static uint32_t top_of(uint32_t *up, uint32_t a)
{
    while (up[a] != INC_NONE && up[up[a]] != INC_NONE)
        a = up[a] = up[up[a]];
    return up[a] == INC_NONE ? a : up[a];
}

/* The elimination tree of structures (Liu 1986): a structure hangs under the first one that its
 * elimination touches. For mechanisms without loops this is the kinematic tree. */
static void find_parents(Stages *s, const Legs *l, Arena *mem)
{
    const Incidence *g = l->g;
    uint32_t *begin = arena_array(mem, uint32_t, s->n + 2), *above;
    s->parent = arena_array(mem, uint32_t, s->n);
    /* pairs (structure nearer to the ground, structure farther out), listed by the former */
    above = arena_array(mem, uint32_t, g->n_edges);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t e = 0; e < g->n_rows; e++)
            for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
                uint32_t a = s->of_eq[e], b = stage_of_var(s, l, g->col[k]);
                if (a == INC_NONE || b == INC_NONE || a == b)
                    continue;
                uint32_t low = a < b ? a : b, high = a < b ? b : a;
                if (pass == 0)
                    begin[low + 2]++;
                else
                    above[begin[low + 1]++] = high;
            }
        for (uint32_t k = 0; pass == 0 && k < s->n; k++)
            begin[k + 1] += begin[k];
    }
    uint32_t *up = arena_array(mem, uint32_t, s->n);
    for (uint32_t k = 0; k < s->n; k++)
        s->parent[k] = up[k] = INC_NONE;
    for (uint32_t k = s->n; k-- > 0;)
        for (uint32_t i = begin[k]; i < begin[k + 1]; i++) {
            uint32_t top = top_of(up, above[i]);
            if (top != k)
                s->parent[top] = up[top] = k;
        }
}

/* Final numbers: a structure follows all that hang under it, and one branch is finished before the
 * next begins. Parents have the smaller numbers so far. */
static uint32_t *number_structures(const Stages *s, Arena *mem)
{
    uint32_t *size = arena_array(mem, uint32_t, s->n), *next = arena_array(mem, uint32_t, s->n);
    uint32_t *number = arena_array(mem, uint32_t, s->n), ground = 0;
    for (uint32_t k = s->n; k-- > 0;) {
        size[k]++;
        if (s->parent[k] != INC_NONE)
            size[s->parent[k]] += size[k];
    }
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t *first = s->parent[k] == INC_NONE ? &ground : &next[s->parent[k]];
        next[k] = *first;
        number[k] = *first + size[k] - 1;
        *first += size[k];
    }
    return number;
}

/* The structure at which the branches to structures a and b part; INC_NONE is the ground. */
static uint32_t fork_of(const Ladder *r, uint32_t a, uint32_t b)
{
    while (a != b && a != INC_NONE && b != INC_NONE) {
        if (r->handle[a].depth >= r->handle[b].depth)
            a = r->handle[a].parent;
        else
            b = r->handle[b].parent;
    }
    return a == b ? a : INC_NONE;
}

/* A loop's residual (or multiplier) touches the structures at both ends of the cut; with one
 * only, the other end is the ground. */
static uint32_t home_of(const Ladder *r, const Stages *s, const Legs *l, const uint32_t *number,
                        uint32_t eq, uint32_t var)
{
    const Incidence *g = l->g;
    uint32_t home = INC_NONE, first = INC_NONE;
    bool parted = false;
    uint32_t k = eq != INC_NONE ? g->row_begin[eq] : g->col_begin[var];
    uint32_t end = eq != INC_NONE ? g->row_begin[eq + 1] : g->col_begin[var + 1];
    for (; k < end; k++) {
        uint32_t stage = eq != INC_NONE ? stage_of_var(s, l, g->col[k]) : s->of_eq[g->row[k]];
        if (stage == INC_NONE)
            continue;
        stage = number[stage];
        if (first == INC_NONE) {
            first = home = stage;
        } else if (stage != first) {
            home = fork_of(r, home, stage);
            parted = true;
        }
    }
    return parted ? home : INC_NONE;
}

/* The forest of structures, for questions about who hangs under whom. The ground is number n. */
typedef struct Forest {
    uint32_t n;
    const uint32_t *parent;
    uint32_t *first, *size; /* those under k, itself included: first[k] <= first < first + size */
    uint32_t *fork;         /* nearest one above k under which several hang, or INC_NONE */
} Forest;

static Forest forest_of(const Stages *s, Arena *mem)
{
    Forest f = {.n = s->n,
                .parent = s->parent,
                .first = arena_array(mem, uint32_t, s->n),
                .size = arena_array(mem, uint32_t, s->n),
                .fork = arena_array(mem, uint32_t, s->n)};
    uint32_t *next = arena_array(mem, uint32_t, s->n), *kids = arena_array(mem, uint32_t, s->n);
    uint32_t ground = 0;
    for (uint32_t k = s->n; k-- > 0;) {
        f.size[k]++;
        if (s->parent[k] != INC_NONE) {
            f.size[s->parent[k]] += f.size[k];
            kids[s->parent[k]]++;
        }
    }
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t up = s->parent[k], *at = up == INC_NONE ? &ground : &next[up];
        f.first[k] = *at;
        next[k] = *at + 1;
        *at += f.size[k];
        f.fork[k] = up == INC_NONE ? INC_NONE : kids[up] > 1 ? up : f.fork[up];
    }
    return f;
}

static bool is_under(const Forest *f, uint32_t k, uint32_t top)
{
    return top == f->n || (k != f->n && f->first[k] - f->first[top] < f->size[top]);
}

/* Joins two dependencies of a node. 2 k: a branch from the ground up to structure k; 2 k + 1:
 * several branches that part at k. */
static uint32_t join(const Forest *f, uint32_t a, uint32_t b)
{
    if (a == INC_NONE || b == INC_NONE)
        return a == INC_NONE ? b : a;
    uint32_t ka = a / 2, kb = b / 2;
    if (is_under(f, ka, kb))
        return b % 2 && ka != kb ? b : a % 2 ? a : b % 2 ? b : a;
    if (is_under(f, kb, ka))
        return a % 2 ? a : b;
    while (!is_under(f, kb, ka))
        ka = f->parent[ka] == INC_NONE ? f->n : f->parent[ka];
    return 2 * ka + 1;
}

/* Along a branch it does not matter how late a node comes. Where branches meet it does: the forces
 * of one branch, and the accelerations that it adds, must be eliminated before the next branch is
 * added to them. So a node of one branch comes no later than the first fork below. */
static void place_at_forks(Stages *s, const Legs *l, Arena *mem)
{
    Forest f = forest_of(s, mem);
    uint32_t *label = arena_array(mem, uint32_t, l->g->n_rows), node, end;
    for (Direction d = FORWARD; d <= BACKWARD; d++) {
        for (uint32_t i = 0; i < l->n_topo; i++) {
            uint32_t e = l->topo[d == FORWARD ? i : l->n_topo - 1 - i];
            label[e] = INC_NONE;
            for (uint32_t k = inputs_begin(l, d, e); k < inputs_end(l, d, e); k++) {
                input(l, d, e, k, &node, &end);
                uint32_t stage = end != INC_NONE ? s->of_end[d][end] : INC_NONE;
                if (stage != INC_NONE)
                    label[e] = join(&f, label[e], 2 * stage);
                else if (node != INC_NONE)
                    label[e] = join(&f, label[e], label[node]);
            }
            uint32_t k = label[e] == INC_NONE ? f.n : label[e] / 2;
            if (k != f.n && f.fork[k] != INC_NONE)
                s->of_eq[e] = later(s->of_eq[e], f.fork[k]);
        }
    }
}

static void find_structures(Ladder *r, const Legs *l, const uint32_t *rank,
                            const uint32_t *residual, Arena *mem)
{
    uint32_t *tear_of_rank = arena_array(mem, uint32_t, l->n);
    Stages s = {.of_end = {arena_array(mem, uint32_t, l->n), arena_array(mem, uint32_t, l->n)}};
    for (uint32_t t = 0; t < l->n; t++) {
        s.of_end[FORWARD][t] = s.of_end[BACKWARD][t] = INC_NONE;
        tear_of_rank[rank[t]] = t;
    }
    for (uint32_t k = 0; k < l->n; k++) {
        uint32_t t = tear_of_rank[k];
        if (residual[t] != INC_NONE)
            s.of_end[FORWARD][t] = s.of_end[BACKWARD][residual[t]] = s.n++;
    }
    assign_nodes(&s, l, mem);
    find_parents(&s, l, mem);
    place_at_forks(&s, l, mem);
    find_parents(&s, l, mem);
    uint32_t *number = number_structures(&s, mem);

    r->n = s.n;
    r->handle = arena_array(mem, LadderHandle, r->n);
    for (uint32_t k = 0; k < l->n; k++) {
        uint32_t t = tear_of_rank[k], stage = s.of_end[FORWARD][t];
        if (stage == INC_NONE)
            continue;
        LadderHandle *h = &r->handle[number[stage]];
        h->eq = l->end_id[BACKWARD][residual[t]];
        h->var = l->end_id[FORWARD][t];
        h->parent = s.parent[stage] == INC_NONE ? INC_NONE : number[s.parent[stage]];
        h->depth = h->parent == INC_NONE ? 0 : r->handle[h->parent].depth + 1;
    }
    for (uint32_t e = 0; e < l->g->n_rows; e++)
        r->stage_of[e] = s.of_eq[e] == INC_NONE ? INC_NONE : number[s.of_eq[e]];

    r->loop_eq = arena_array(mem, LadderLoop, l->n - r->n);
    r->loop_var = arena_array(mem, LadderLoop, l->n - r->n);
    uint32_t n = 0;
    for (uint32_t a = 0; a < l->n; a++) {
        uint32_t e = l->end_id[BACKWARD][a], v = l->end_id[FORWARD][a];
        if (s.of_end[BACKWARD][a] == INC_NONE)
            r->loop_eq[n++] = (LadderLoop){e, home_of(r, &s, l, number, e, INC_NONE)};
        if (s.of_end[FORWARD][a] == INC_NONE)
            r->loop_var[r->n_loops++] = (LadderLoop){v, home_of(r, &s, l, number, INC_NONE, v)};
    }
}

uint32_t ladder_keep_together(Ladder *l, const Incidence *g, const bool *which, Arena *scratch)
{
    uint32_t n_moved = 0;
    l->by_fill = (Order){0};
    if (!g->col_group)
        return 0;
    uint32_t *first = arena_array(scratch, uint32_t, g->n_col_groups + 1);
    memset(first, 0xff, (g->n_col_groups + 1) * sizeof *first);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t v = 0; v < g->n_cols; v++) {
            uint32_t e = l->natural.eq_of[v], group = g->col_group[v];
            if (e == INC_NONE || group == INC_NONE || l->stage_of[e] == INC_NONE ||
                (which && !which[e]))
                continue;
            if (pass == 0 && l->stage_of[e] < first[group])
                first[group] = l->stage_of[e];
            if (pass == 1 && l->stage_of[e] == l->handle[first[group]].parent) {
                l->stage_of[e] = first[group];
                n_moved++;
            }
        }
    }
    return n_moved;
}

/* The residual of a handle is a balance over several parts, which sums and rotations bring to it,
 * without lever arms or inertias: for a hinge these are torques. If the components of a part are in
 * different structures, the tearing variable is eliminated from every part instead of once from
 * their sum. An estimate decides whether it is cheaper to bring the components together, so that
 * they are added first. */
static void sum_before_handles(Ladder *r, const Legs *l, Arena *mem)
{
    const Incidence *g = l->g;
    bool *is_part = arena_array(mem, bool, g->n_rows);
    for (uint32_t i = l->n_topo; i-- > 0;) {
        uint32_t e = l->topo[i], v = l->m->var_of[e];
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
            uint32_t to = g->row[k];
            Label label = (Label)g->label[g->edge[k]];
            bool is_end = l->m->var_of[to] == INC_NONE;
            if (to != e && (label == LABEL_ONE || label == LABEL_OTHER) && (is_end || is_part[to]))
                is_part[e] = true;
        }
    }
    Ladder together = *r;
    together.stage_of = arena_array(mem, uint32_t, g->n_rows);
    memcpy(together.stage_of, r->stage_of, g->n_rows * sizeof *r->stage_of);
    if (ladder_keep_together(&together, g, is_part, mem) == 0)
        return;
    r->by_fill = ladder_order(r, g, LADDER_FILL, mem);
    together.by_fill = ladder_order(&together, g, LADDER_FILL, mem);
    if (!r->by_fill.why && !together.by_fill.why && together.by_fill.ops < r->by_fill.ops)
        *r = together;
}

static Ladder ladder_of(const Ladder *pairs, const Legs *l, const uint32_t *rank,
                        const uint32_t *residual, Arena *mem)
{
    Ladder r = *pairs;
    r.stage_of = arena_array(mem, uint32_t, l->g->n_rows);
    for (uint32_t e = 0; e < l->g->n_rows; e++)
        r.stage_of[e] = INC_NONE;
    find_structures(&r, l, rank, residual, mem);
    sum_before_handles(&r, l, mem);
    return r;
}

/* By the order in which tearing variables may come, or by their heights; an estimate decides. */
static void find_best(Ladder *r, const Legs *l, Arena *mem)
{
    enum { WORTH = 10 }; /* heights must save this part: estimates do not see what is alike */
    Ranking by = {.l = l,
                  .mem = mem,
                  .only = arena_array(mem, uint32_t, l->g->n_rows),
                  .next = arena_array(mem, uint32_t, l->g->n_rows)};
    find_only(&by);
    find_vectors(&by);
    find_all_joinings(&by);
    Waiting w = find_waiting(&by);
    const uint32_t *residual = pair_ends(l, mem);
    const uint32_t *in_turn = rank_tears(l, &w, NULL, mem);
    const uint32_t *by_height = rank_tears(l, &w, heights_of(l, mem), mem);
    Ladder pairs = *r;
    *r = ladder_of(&pairs, l, in_turn, residual, mem);
    if (l->n == 0 || !memcmp(in_turn, by_height, l->n * sizeof *in_turn))
        return;
    Ladder other = ladder_of(&pairs, l, by_height, residual, mem);
    r->by_fill = ladder_order(r, l->g, LADDER_FILL, mem);
    other.by_fill = ladder_order(&other, l->g, LADDER_FILL, mem);
    if (!other.by_fill.why &&
        (r->by_fill.why || other.by_fill.ops < r->by_fill.ops - r->by_fill.ops / WORTH))
        *r = other;
}

Ladder ladder_find(const Incidence *g, Arena *mem)
{
    Ladder r = {0};
    if (g->n_rows != g->n_cols) {
        r.why = "the block is not square";
        return r;
    }
    r.natural = matching_natural(g, mem);
    if (r.natural.size == 0) {
        r.why = "no equation can be solved by adding and subtracting";
        return r;
    }
    Legs l = legs_of(g, &r.natural, mem);
    find_best(&r, &l, mem);
    if (r.n == 0 && l.n > 0)
        r.why = "no tearing variable leads to a residual equation";
    return r;
}

bool ladder_check(const Ladder *r, const Incidence *g)
{
    if (r->why)
        return true;
    if (!matching_check(&r->natural, g) || r->natural.size + r->n + r->n_loops != g->n_rows)
        return false;
    for (uint32_t k = 0; k < r->n; k++) {
        const LadderHandle *h = &r->handle[k];
        if (r->natural.var_of[h->eq] != INC_NONE || r->natural.eq_of[h->var] != INC_NONE)
            return false;
        /* terminal structures first */
        if (h->parent != INC_NONE && (h->parent <= k || h->depth != r->handle[h->parent].depth + 1))
            return false;
    }
    for (uint32_t e = 0; e < g->n_rows; e++)
        if (r->stage_of[e] != INC_NONE && r->stage_of[e] >= r->n)
            return false;
    return true;
}

void ladder_dump(const Ladder *r, FILE *f)
{
    if (r->why) {
        fprintf(f, "no ladder: %s\n", r->why);
        return;
    }
    fprintf(f, "ladder of %u body structures, %u loop handles, %u natural pairs\n", r->n,
            r->n_loops, r->natural.size);
    for (uint32_t k = 0; k < r->n; k++) {
        fprintf(f, "structure %u: e%u ... v%u", k, r->handle[k].eq, r->handle[k].var);
        if (r->handle[k].parent != INC_NONE)
            fprintf(f, ", on structure %u", r->handle[k].parent);
        fprintf(f, "\n");
    }
    for (uint32_t e = 0; e < r->natural.n_rows; e++)
        if (r->natural.var_of[e] != INC_NONE) {
            fprintf(f, "e%u -> v%u", e, r->natural.var_of[e]);
            if (r->stage_of[e] != INC_NONE)
                fprintf(f, ", structure %u", r->stage_of[e]);
            fprintf(f, "\n");
        }
    for (uint32_t k = 0; k < r->n_loops; k++)
        fprintf(f, "loop: e%u, v%u\n", r->loop_eq[k].id, r->loop_var[k].id);
}
