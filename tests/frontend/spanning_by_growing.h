/* The spanning tree by growing it from the roots, connect by connect: slow and plain. */
#ifndef RUNG_TESTS_FRONTEND_SPANNING_BY_GROWING_H
#define RUNG_TESTS_FRONTEND_SPANNING_BY_GROWING_H

#include "frontend/front.h"

static inline const char *spanning_by_growing(const VirtualGraph *g, Arena *mem, uint32_t *at)
{
    uint32_t *tree = arena_array(mem, uint32_t, g->n_nodes);
    bool *has_root = arena_array(mem, bool, g->n_nodes);
    for (uint32_t k = 0; k < g->n_nodes; k++)
        tree[k] = k;
    for (uint32_t k = 0; k < g->n_roots; k++)
        has_root[g->root[k]] = true;
    for (uint32_t k = 0; k < g->n_branches + g->n_connects; k++) {
        bool is_branch = k < g->n_branches;
        const uint32_t *e = is_branch ? g->branch[k] : g->connect[k - g->n_branches];
        uint32_t a = tree[e[0]];
        uint32_t b = tree[e[1]];
        bool closes = a == b || (has_root[a] && has_root[b]);
        if (!is_branch)
            g->broken[k - g->n_branches] = closes;
        if (closes)
            continue;
        has_root[a] = has_root[a] || has_root[b];
        for (uint32_t v = 0; v < g->n_nodes; v++)
            if (tree[v] == b)
                tree[v] = a;
    }
    for (uint32_t v = 0; v < g->n_nodes; v++)
        g->root_of[v] = UINT32_MAX;
    for (uint32_t k = 0; k < g->n_roots; k++)
        for (uint32_t v = 0; v < g->n_nodes; v++)
            if (tree[v] == tree[g->root[k]])
                g->root_of[v] = g->root[k];
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        if (g->root_of[v] != UINT32_MAX)
            continue;
        uint32_t best = UINT32_MAX;
        for (uint32_t k = 0; k < g->n_potential; k++)
            if (tree[g->potential[k]] == tree[v] &&
                (best == UINT32_MAX || g->priority[k] < g->priority[best]))
                best = k;
        if (best == UINT32_MAX) {
            *at = g->n_branches + v;
            return "no root";
        }
        for (uint32_t u = 0; u < g->n_nodes; u++)
            if (tree[u] == tree[v])
                g->root_of[u] = g->potential[best];
    }
    /* distances from the roots decide rooted: relax until nothing changes */
    uint32_t *far = arena_array(mem, uint32_t, g->n_nodes);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        far[v] = g->root_of[v] == v ? 0 : g->n_nodes;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < g->n_branches + g->n_connects; k++) {
            bool is_branch = k < g->n_branches;
            if (!is_branch && g->broken[k - g->n_branches])
                continue;
            const uint32_t *e = is_branch ? g->branch[k] : g->connect[k - g->n_branches];
            for (int side = 0; side < 2; side++) {
                if (far[e[side]] > far[e[1 - side]] + 1) {
                    far[e[side]] = far[e[1 - side]] + 1;
                    g->above[e[side]] = e[1 - side];
                    changed = true;
                }
            }
        }
    }
    for (uint32_t k = 0; k < g->n_branches; k++)
        g->rooted[k] = far[g->branch[k][0]] < far[g->branch[k][1]];
    return NULL;
}

#endif
