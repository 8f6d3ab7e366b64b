#include "graph/ladder.h"

#include "graph/matching.h"

#include <stdlib.h>

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

/* Trees over the ends of one direction: who is met first when walking from the ground. */
typedef struct Trees {
    uint32_t *up, *depth, *kids; /* per end */
    uint32_t *label;             /* per node: the deepest end it depends on, or INC_NONE */
} Trees;

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

static uint32_t deeper(const Trees *t, uint32_t a, uint32_t b)
{
    if (a == INC_NONE || b == INC_NONE)
        return a == INC_NONE ? b : a;
    if (t->depth[a] != t->depth[b])
        return t->depth[a] > t->depth[b] ? a : b;
    return a < b ? a : b;
}

static bool is_above(const Trees *t, uint32_t a, uint32_t of)
{
    for (; of != INC_NONE; of = t->up[of])
        if (of == a)
            return true;
    return false;
}

static void hang(Trees *t, uint32_t a, uint32_t under)
{
    if (t->up[a] != INC_NONE)
        t->kids[t->up[a]]--;
    t->up[a] = under;
    t->depth[a] = t->depth[under] + 1;
    t->kids[under]++;
}

/* Where an end meets the leg of another one, it hangs under that. Two ends without anything under
 * them that meet are of one joint and hang in a row. */
static void meet(const Legs *l, Direction d, Trees *t, uint32_t e)
{
    uint32_t node, end, found = INC_NONE;
    for (uint32_t k = inputs_begin(l, d, e); k < inputs_end(l, d, e); k++) {
        input(l, d, e, k, &node, &end);
        if (node == INC_NONE)
            continue;
        uint32_t other = t->label[node];
        if (other != INC_NONE && found != INC_NONE && other != found && !t->kids[other] &&
            !t->kids[found] && t->up[other] == t->up[found])
            hang(t, other, found);
        found = deeper(t, found, other);
    }
    uint32_t label = found;
    for (uint32_t k = inputs_begin(l, d, e); k < inputs_end(l, d, e); k++) {
        input(l, d, e, k, &node, &end);
        if (end == INC_NONE)
            continue;
        if (found != INC_NONE && end != found && t->up[end] == INC_NONE &&
            !(t->kids[end] && is_above(t, end, found)))
            hang(t, end, found);
        label = deeper(t, label, end);
    }
    t->label[e] = label;
}

static Trees trees_of(const Legs *l, Direction d, Arena *mem)
{
    Trees t = {.up = arena_array(mem, uint32_t, l->n),
               .depth = arena_array(mem, uint32_t, l->n),
               .kids = arena_array(mem, uint32_t, l->n),
               .label = arena_array(mem, uint32_t, l->g->n_rows)};
    for (uint32_t a = 0; a < l->n; a++)
        t.up[a] = INC_NONE;
    for (uint32_t i = 0; i < l->n_topo; i++)
        meet(l, d, &t, l->topo[d == FORWARD ? i : l->n_topo - 1 - i]);
    return t;
}

/* The ends' numbers with every end after what it hangs under; sets depth anew. */
static uint32_t *from_the_ground(Trees *t, uint32_t n, Arena *mem)
{
    uint32_t *begin = arena_array(mem, uint32_t, n + 2), *kid = arena_array(mem, uint32_t, n);
    uint32_t *order = arena_array(mem, uint32_t, n), n_order = 0;
    for (uint32_t a = 0; a < n; a++)
        if (t->up[a] != INC_NONE)
            begin[t->up[a] + 2]++;
    for (uint32_t a = 0; a < n; a++)
        begin[a + 1] += begin[a];
    for (uint32_t a = 0; a < n; a++)
        if (t->up[a] != INC_NONE)
            kid[begin[t->up[a] + 1]++] = a;
    for (uint32_t a = 0; a < n; a++)
        if (t->up[a] == INC_NONE) {
            t->depth[a] = 0;
            order[n_order++] = a;
        }
    for (uint32_t i = 0; i < n_order; i++)
        for (uint32_t k = begin[order[i]]; k < begin[order[i] + 1]; k++) {
            t->depth[kid[k]] = t->depth[order[i]] + 1;
            order[n_order++] = kid[k];
        }
    return order;
}

/* ---- handles ---------------------------------------------------------------------------- */

/* A residual at some distance from a tearing variable. */
typedef struct Reach {
    uint32_t distance, tear, residual;
} Reach;

static int compare_reaches(const void *a, const void *b)
{
    const Reach *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->tear != y->tear)
        return x->tear < y->tear ? -1 : 1;
    return (x->residual > y->residual) - (x->residual < y->residual);
}

/* How far the search for a tearing variable's residual goes: it is near or it is not its own. */
enum { MAX_REACHES = 4, MAX_VISITED = 400 };

typedef struct Pairing {
    const Legs *l;
    const bool *loop_residual;
    VEC(Reach) reaches;
    uint32_t *seen_eq, stamp; /* seen by the current search */
    uint32_t *queue, *distance;
} Pairing;

/* Breadth-first from tearing variable t along the natural order; notes the nearest residuals. */
static void find_reaches(Pairing *p, uint32_t t, Arena *mem)
{
    const Legs *l = p->l;
    uint32_t n_queue = 0, n_found = 0;
    p->stamp++;
    p->queue[n_queue] = l->end_id[FORWARD][t];
    p->distance[n_queue++] = 0;
    for (uint32_t i = 0; i < n_queue && n_found < MAX_REACHES && n_queue < MAX_VISITED; i++) {
        uint32_t v = p->queue[i];
        for (uint32_t k = l->g->col_begin[v]; k < l->g->col_begin[v + 1]; k++) {
            uint32_t e = l->g->row[k], r = l->end_no[BACKWARD][e];
            if (p->seen_eq[e] == p->stamp || l->m->var_of[e] == v)
                continue;
            p->seen_eq[e] = p->stamp;
            if (r != INC_NONE && !p->loop_residual[r]) {
                vec_push(mem, p->reaches, ((Reach){p->distance[i], t, r}));
                n_found++;
            } else if (r == INC_NONE && n_queue < MAX_VISITED) {
                p->queue[n_queue] = l->m->var_of[e];
                p->distance[n_queue++] = p->distance[i] + 1;
            }
        }
    }
}

/* The residual of each tearing variable, nearest pairs first; INC_NONE for those of loops. */
static uint32_t *pair_ends(const Legs *l, const bool *loop_tear, const bool *loop_residual,
                           Arena *mem)
{
    Pairing p = {.l = l,
                 .loop_residual = loop_residual,
                 .seen_eq = arena_array(mem, uint32_t, l->g->n_rows),
                 .queue = arena_array(mem, uint32_t, MAX_VISITED),
                 .distance = arena_array(mem, uint32_t, MAX_VISITED)};
    uint32_t *residual = arena_array(mem, uint32_t, l->n);
    bool *taken = arena_array(mem, bool, l->n);
    for (uint32_t t = 0; t < l->n; t++) {
        residual[t] = INC_NONE;
        if (!loop_tear[t])
            find_reaches(&p, t, mem);
    }
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

/* A multiplier enters the kinetic leg: what needs it lies above fewer residuals than it hangs
 * under tearing variables. Backwards the same tells the equations of a cut. */
static bool *loop_ends(const Legs *l, Direction d, const Trees *own, const Trees *other, Arena *mem)
{
    bool *is_loop = arena_array(mem, bool, l->n);
    const Incidence *g = l->g;
    for (uint32_t a = 0; a < l->n; a++) {
        uint32_t id = l->end_id[d][a], deep = INC_NONE;
        const uint32_t *begin = d == FORWARD ? g->col_begin : g->row_begin;
        for (uint32_t k = begin[id]; k < begin[id + 1]; k++) {
            uint32_t e = d == FORWARD ? g->row[k] : l->m->eq_of[g->col[k]];
            uint32_t end = d == FORWARD ? l->end_no[BACKWARD][e] : l->end_no[FORWARD][g->col[k]];
            deep = deeper(other, deep, end != INC_NONE ? end : other->label[e]);
        }
        is_loop[a] = deep != INC_NONE && own->depth[a] > other->depth[deep];
    }
    return is_loop;
}

/* ---- structures --------------------------------------------------------------------------- */

/* Handles of paired ends, numbered so that terminal structures come first: a structure follows
 * all that hang under it, and one branch is finished before the next begins. */
static uint32_t *number_handles(Ladder *r, const Legs *l, Trees *t, const uint32_t *residual,
                                Arena *mem)
{
    /* hang each pair under the next pair, skipping ends that are in none */
    uint32_t *order = from_the_ground(t, l->n, mem);
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t a = order[i], up = t->up[a];
        if (up != INC_NONE && residual[up] == INC_NONE)
            t->up[a] = t->up[up];
    }
    order = from_the_ground(t, l->n, mem);
    /* sizes of subtrees give post-order numbers without a stack */
    uint32_t *size = arena_array(mem, uint32_t, l->n), *number = arena_array(mem, uint32_t, l->n);
    uint32_t *next = arena_array(mem, uint32_t, l->n), ground = 0;
    for (uint32_t i = l->n; i-- > 0;) {
        uint32_t a = order[i];
        size[a] += residual[a] != INC_NONE;
        if (t->up[a] != INC_NONE)
            size[t->up[a]] += size[a];
    }
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t a = order[i], *first = t->up[a] == INC_NONE ? &ground : &next[t->up[a]];
        next[a] = *first;
        *first += size[a];
        number[a] = residual[a] == INC_NONE ? INC_NONE : next[a] + size[a] - 1;
    }
    r->n = ground;
    r->handle = arena_array(mem, LadderHandle, r->n);
    for (uint32_t a = 0; a < l->n; a++)
        if (number[a] != INC_NONE)
            r->handle[number[a]] =
                (LadderHandle){.eq = l->end_id[BACKWARD][residual[a]],
                               .var = l->end_id[FORWARD][a],
                               .parent = t->up[a] == INC_NONE ? INC_NONE : number[t->up[a]],
                               .depth = t->depth[a]};
    return number;
}

static uint32_t deeper_stage(const Ladder *r, uint32_t a, uint32_t b)
{
    if (a == INC_NONE || b == INC_NONE)
        return a == INC_NONE ? b : a;
    if (r->handle[a].depth != r->handle[b].depth)
        return r->handle[a].depth > r->handle[b].depth ? a : b;
    return a < b ? a : b;
}

/* Deepest structure among all ends of one direction that a node depends on. */
static uint32_t *deepest(const Ladder *r, const Legs *l, Direction d, const uint32_t *stage_of_end,
                         Arena *mem)
{
    uint32_t *deep = arena_array(mem, uint32_t, l->g->n_rows), node, end;
    for (uint32_t i = 0; i < l->n_topo; i++) {
        uint32_t e = l->topo[d == FORWARD ? i : l->n_topo - 1 - i];
        deep[e] = INC_NONE;
        for (uint32_t k = inputs_begin(l, d, e); k < inputs_end(l, d, e); k++) {
            input(l, d, e, k, &node, &end);
            if (end != INC_NONE)
                deep[e] = deeper_stage(r, deep[e], stage_of_end[end]);
            else if (node != INC_NONE)
                deep[e] = deeper_stage(r, deep[e], deep[node]);
        }
    }
    return deep;
}

/* Where the branches to structures a and b part; INC_NONE is the ground. */
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
static uint32_t home_of(const Ladder *r, const Legs *l, Direction d, uint32_t id,
                        const uint32_t *deep, const uint32_t *stage_of_end)
{
    const Incidence *g = l->g;
    const uint32_t *begin = d == FORWARD ? g->row_begin : g->col_begin;
    uint32_t home = INC_NONE, first = INC_NONE;
    bool parted = false;
    for (uint32_t k = begin[id]; k < begin[id + 1]; k++) {
        uint32_t node = d == FORWARD ? l->m->eq_of[g->col[k]] : g->row[k];
        uint32_t end = l->end_no[d][d == FORWARD ? g->col[k] : g->row[k]];
        uint32_t stage = end != INC_NONE ? stage_of_end[end] : deep[node];
        if (stage == INC_NONE)
            continue;
        if (first == INC_NONE) {
            first = home = stage;
        } else if (stage != first) {
            home = fork_of(r, home, stage);
            parted = true;
        }
    }
    return parted ? home : INC_NONE;
}

static void find_structures(Ladder *r, const Legs *l, Trees *forward, const Trees *backward,
                            Arena *mem)
{
    bool *loop_tear = loop_ends(l, FORWARD, forward, backward, mem);
    bool *loop_residual = loop_ends(l, BACKWARD, backward, forward, mem);
    uint32_t *residual = pair_ends(l, loop_tear, loop_residual, mem);
    uint32_t *stage_of_tear = number_handles(r, l, forward, residual, mem);
    uint32_t *stage_of_residual = arena_array(mem, uint32_t, l->n);
    for (uint32_t a = 0; a < l->n; a++)
        stage_of_residual[a] = INC_NONE;
    for (uint32_t a = 0; a < l->n; a++)
        if (residual[a] != INC_NONE)
            stage_of_residual[residual[a]] = stage_of_tear[a];

    /* A node of the kinematic leg depends on tearing variables towards the ground, its own being
     * the deepest, and leads to residuals up to the tips; on the kinetic leg it is the reverse. So
     * the shallower of the two deepest is its own. */
    uint32_t *needs = deepest(r, l, FORWARD, stage_of_tear, mem);
    uint32_t *leads = deepest(r, l, BACKWARD, stage_of_residual, mem);
    for (uint32_t i = 0; i < l->n_topo; i++) {
        uint32_t e = l->topo[i], a = needs[e], b = leads[e];
        if (a == INC_NONE || b == INC_NONE)
            r->stage_of[e] = a == INC_NONE ? b : a;
        else
            r->stage_of[e] = r->handle[a].depth <= r->handle[b].depth ? a : b;
    }
    for (uint32_t k = 0; k < r->n; k++)
        r->stage_of[r->handle[k].eq] = k;

    r->loop_eq = arena_array(mem, LadderLoop, l->n - r->n);
    r->loop_var = arena_array(mem, LadderLoop, l->n - r->n);
    uint32_t n = 0;
    for (uint32_t a = 0; a < l->n; a++) {
        uint32_t e = l->end_id[BACKWARD][a], v = l->end_id[FORWARD][a];
        if (stage_of_residual[a] == INC_NONE)
            r->loop_eq[n++] = (LadderLoop){e, home_of(r, l, FORWARD, e, needs, stage_of_tear)};
        if (stage_of_tear[a] == INC_NONE)
            r->loop_var[r->n_loops++] =
                (LadderLoop){v, home_of(r, l, BACKWARD, v, leads, stage_of_residual)};
    }
}

Ladder ladder_find(const Incidence *g, Arena *mem)
{
    Ladder r = {0};
    if (g->n_rows != g->n_cols) {
        r.why = "the block is not square";
        return r;
    }
    r.natural = matching_natural(g, mem);
    r.stage_of = arena_array(mem, uint32_t, g->n_rows);
    for (uint32_t e = 0; e < g->n_rows; e++)
        r.stage_of[e] = INC_NONE;
    if (r.natural.size == 0) {
        r.why = "no equation can be solved by adding and subtracting";
        return r;
    }
    Legs l = legs_of(g, &r.natural, mem);
    Trees forward = trees_of(&l, FORWARD, mem), backward = trees_of(&l, BACKWARD, mem);
    find_structures(&r, &l, &forward, &backward, mem);
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
