#include "graph/spanning.h"

/* Union-find with path halving; the lower number leads, so results do not depend on history. */
static uint32_t leader(uint32_t *up, uint32_t a)
{
    while (up[a] != a)
        a = up[a] = up[up[a]];
    return a;
}

static bool unite(uint32_t *up, uint32_t a, uint32_t b)
{
    a = leader(up, a);
    b = leader(up, b);
    if (a == b)
        return false;
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
    return true;
}

static uint32_t *singletons(Arena *mem, uint32_t n)
{
    uint32_t *up = arena_array(mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        up[k] = k;
    return up;
}

static void note_fault(Spanning *s, SpanningFault fault, uint32_t at)
{
    if (s->fault == SPANNING_GOOD || fault < s->fault) {
        s->fault = fault;
        s->fault_at = at;
    }
}

/* Marks the definite roots, and in each component without one its best potential root. */
static void choose_roots(Spanning *s, const SpanningGraph *g, Arena *mem)
{
    uint32_t n = g->n_nodes;
    uint32_t *up = singletons(mem, n);
    for (uint32_t k = 0; k < g->n_branches; k++)
        unite(up, g->branch[k].a, g->branch[k].b);
    for (uint32_t k = 0; k < g->n_connects; k++)
        unite(up, g->connect[k].a, g->connect[k].b);

    bool *has_root = arena_array(mem, bool, n); /* per leader */
    for (uint32_t k = 0; k < g->n_roots; k++) {
        s->root_of[g->root[k]] = g->root[k];
        has_root[leader(up, g->root[k])] = true;
    }
    uint32_t *best = arena_array(mem, uint32_t, n); /* per leader: potential root's place + 1 */
    for (uint32_t k = 0; k < g->n_potential; k++) {
        uint32_t *b = &best[leader(up, g->potential[k])];
        if (*b == 0 || (g->priority && g->priority[k] < g->priority[*b - 1]))
            *b = k + 1;
    }
    for (uint32_t a = 0; a < n; a++) {
        if (up[a] != a || has_root[a])
            continue;
        uint32_t chosen = best[a] ? g->potential[best[a] - 1] : a;
        s->root_of[chosen] = chosen;
        if (!best[a])
            note_fault(s, SPANNING_NO_ROOT, a);
    }
}

/* Keeps a forest in which every tree has one root: all roots count as united from the start. */
static bool *keep_branches(Spanning *s, const SpanningGraph *g, Arena *mem)
{
    uint32_t n = g->n_nodes;
    bool *kept = arena_array(mem, bool, g->n_branches);
    uint32_t *loop = singletons(mem, n);   /* joined by required branches */
    uint32_t *up = singletons(mem, n + 1); /* the same, with all roots tied to node n */
    for (uint32_t a = 0; a < n; a++)
        if (s->root_of[a] == a)
            unite(up, a, n);
    for (uint32_t k = 0; k < g->n_branches; k++) {
        uint32_t a = g->branch[k].a, b = g->branch[k].b;
        if (!unite(loop, a, b))
            note_fault(s, SPANNING_BRANCH_LOOP, k);
        else if (!(kept[k] = unite(up, a, b)))
            note_fault(s, SPANNING_TWO_ROOTS, k);
    }
    uint32_t last = 0;
    for (uint32_t k = 0; g->rank && k < g->n_connects; k++)
        last = g->rank[k] > last ? g->rank[k] : last;
    for (uint32_t rank = 0; rank <= last; rank++)
        for (uint32_t k = 0; k < g->n_connects; k++)
            if (!g->rank || g->rank[k] == rank)
                s->broken[k] = !unite(up, g->connect[k].a, g->connect[k].b) &&
                               g->connect[k].a != g->connect[k].b;
    return kept;
}

/* Edges that stay: the branch or connect k of them all, or false when it was broken. */
static bool kept_edge(const Spanning *s, const SpanningGraph *g, const bool *kept, uint32_t k,
                      SpanningEdge *e)
{
    bool required = k < g->n_branches;
    *e = required ? g->branch[k] : g->connect[k - g->n_branches];
    return required ? kept[k] : !s->broken[k - g->n_branches];
}

/* Walks every tree from its root, breadth first. */
static void walk(Spanning *s, const SpanningGraph *g, const bool *kept, Arena *mem)
{
    uint32_t n = g->n_nodes, n_edges = g->n_branches + g->n_connects, n_queue = 0;
    uint32_t *begin = arena_array(mem, uint32_t, n + 1), *end = arena_array(mem, uint32_t, n);
    uint32_t *next = arena_array(mem, uint32_t, 2 * n_edges);
    SpanningEdge e;
    for (uint32_t k = 0; k < n_edges; k++)
        if (kept_edge(s, g, kept, k, &e)) {
            begin[e.a + 1]++;
            begin[e.b + 1]++;
        }
    for (uint32_t a = 0; a < n; a++) {
        begin[a + 1] += begin[a];
        end[a] = begin[a];
    }
    for (uint32_t k = 0; k < n_edges; k++)
        if (kept_edge(s, g, kept, k, &e)) {
            next[end[e.a]++] = e.b;
            next[end[e.b]++] = e.a;
        }

    uint32_t *queue = arena_array(mem, uint32_t, n);
    for (uint32_t a = 0; a < n; a++) {
        s->parent[a] = INC_NONE;
        if (s->root_of[a] == a)
            queue[n_queue++] = a;
    }
    for (uint32_t i = 0; i < n_queue; i++) {
        uint32_t a = queue[i];
        for (uint32_t k = begin[a]; k < begin[a + 1]; k++) {
            uint32_t b = next[k];
            if (s->root_of[b] != INC_NONE)
                continue;
            s->root_of[b] = s->root_of[a];
            s->parent[b] = a;
            queue[n_queue++] = b;
        }
    }
    for (uint32_t k = 0; k < g->n_branches; k++)
        s->rooted[k] = s->parent[g->branch[k].b] == g->branch[k].a;
}

Spanning spanning_find(const SpanningGraph *g, Arena *mem)
{
    Spanning s = {.n_nodes = g->n_nodes,
                  .n_branches = g->n_branches,
                  .n_connects = g->n_connects,
                  .broken = arena_array(mem, bool, g->n_connects),
                  .root_of = arena_array(mem, uint32_t, g->n_nodes),
                  .parent = arena_array(mem, uint32_t, g->n_nodes),
                  .rooted = arena_array(mem, bool, g->n_branches),
                  .fault_at = INC_NONE};
    for (uint32_t a = 0; a < g->n_nodes; a++)
        s.root_of[a] = INC_NONE;
    choose_roots(&s, g, mem);
    bool *kept = keep_branches(&s, g, mem);
    walk(&s, g, kept, mem);
    return s;
}

bool spanning_check(const Spanning *s, const SpanningGraph *g)
{
    /* parents lead to the root: root_of agrees along each step, and an edge lies under it */
    for (uint32_t a = 0; a < g->n_nodes; a++) {
        uint32_t up = s->parent[a];
        if (s->root_of[a] >= g->n_nodes || (up == INC_NONE) != (s->root_of[a] == a))
            return false;
        if (up != INC_NONE && s->root_of[up] != s->root_of[a])
            return false;
    }
    for (uint32_t k = 0; k < g->n_roots; k++)
        if (s->root_of[g->root[k]] != g->root[k])
            return false;
    for (uint32_t k = 0; k < g->n_connects; k++) {
        uint32_t a = g->connect[k].a, b = g->connect[k].b;
        if (!s->broken[k] && a != b && s->parent[a] != b && s->parent[b] != a)
            return false;
    }
    if (s->fault == SPANNING_BRANCH_LOOP || s->fault == SPANNING_TWO_ROOTS)
        return s->fault_at < g->n_branches;
    for (uint32_t k = 0; k < g->n_branches; k++) {
        uint32_t a = g->branch[k].a, b = g->branch[k].b;
        if (s->parent[a] != b && s->parent[b] != a)
            return false;
        if (s->rooted[k] != (s->parent[b] == a))
            return false;
    }
    return true;
}

void spanning_dump(const Spanning *s, const SpanningGraph *g, FILE *f)
{
    fprintf(f, "spanning trees over %u nodes\n", s->n_nodes);
    for (uint32_t a = 0; a < s->n_nodes; a++) {
        if (s->parent[a] == INC_NONE)
            fprintf(f, "node %u: root\n", a);
        else
            fprintf(f, "node %u: under %u, root %u\n", a, s->parent[a], s->root_of[a]);
    }
    for (uint32_t k = 0; k < s->n_connects; k++)
        if (s->broken[k])
            fprintf(f, "broken: %u -- %u\n", g->connect[k].a, g->connect[k].b);
}
