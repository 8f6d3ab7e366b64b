#include "graph/cut_choice.h"

/* The load on one side of a connect. */
typedef struct Load {
    uint32_t heavy;  /* bodies, rigid parts that lead to one */
    uint32_t joints; /* ends of joints                       */
} Load;

typedef struct Choice {
    CutGraph *g;
    Arena *mem;
    uint32_t *point;  /* per node: frames that are connected, in parts and around them */
    uint32_t *set;    /* per member (2 * node + face): the set it is connected in      */
    uint32_t n_sets;  /*                                                               */
    uint32_t *first;  /* per set: its members lie at ...                               */
    uint32_t *member; /* ... first[set] .. first[set + 1] - 1                          */
    Load *own;        /* per node: of its branches and itself                          */
    /* Sets and nodes of one point, as a tree: of a node the set above, of a set the node above. */
    uint32_t *above_node, *above_set; /* INC_NONE: the root; above_node is a set's number   */
    Load *node_load, *set_load;       /* of the subtree, itself included                    */
    Load *whole;                      /* per point                                          */
} Choice;

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
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
    return a != b;
}

static uint32_t *alone(uint32_t n, Arena *mem)
{
    uint32_t *up = arena_array(mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        up[k] = k;
    return up;
}

static uint32_t member_at(const CutGraph *g, uint32_t connect, int end)
{
    uint32_t node = end ? g->connect[connect].b : g->connect[connect].a;
    return 2 * node + g->inside[connect][end];
}

/* ---- points and sets ---- */

static void find_sets(Choice *w)
{
    const CutGraph *g = w->g;
    uint32_t *node = alone(g->n_nodes, w->mem), *member = alone(2 * g->n_nodes, w->mem);
    bool *connected = arena_array(w->mem, bool, 2 * g->n_nodes + 1);
    for (uint32_t k = 0; k < g->n_connects; k++) {
        unite(node, g->connect[k].a, g->connect[k].b);
        unite(member, member_at(g, k, 0), member_at(g, k, 1));
        connected[member_at(g, k, 0)] = connected[member_at(g, k, 1)] = true;
    }
    for (uint32_t k = 0; k < g->n_nodes; k++)
        node[k] = leader(node, k);
    w->point = node;
    w->set = arena_array(w->mem, uint32_t, 2 * g->n_nodes + 1);
    w->first = arena_array(w->mem, uint32_t, 2 * g->n_nodes + 2);
    w->member = arena_array(w->mem, uint32_t, 2 * g->n_nodes + 1);
    for (uint32_t m = 0; m < 2 * g->n_nodes; m++) {
        uint32_t of = leader(member, m); /* not above m */
        w->set[m] = !connected[m] ? INC_NONE : of == m ? w->n_sets++ : w->set[of];
        if (connected[m])
            w->first[w->set[m] + 1]++;
    }
    for (uint32_t k = 0; k < w->n_sets; k++)
        w->first[k + 1] += w->first[k];
    uint32_t *fill = arena_array(w->mem, uint32_t, w->n_sets + 1);
    for (uint32_t m = 0; m < 2 * g->n_nodes; m++)
        if (connected[m])
            w->member[w->first[w->set[m]] + fill[w->set[m]]++] = m;
}

/* ---- mass ---- */

/* A frame without a branch, not connected inside, of a component that has no other such frame: that
 * of a body. A spring has two. */
static uint32_t *find_bodies(Choice *w)
{
    const CutGraph *g = w->g;
    uint32_t *is_body = arena_array(w->mem, uint32_t, g->n_nodes + 1);
    uint32_t n_components = 0;
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        is_body[k] = w->set[2 * k] != INC_NONE || w->set[2 * k + 1] != INC_NONE;
        n_components = g->component[k] < n_components ? n_components : g->component[k] + 1;
    }
    for (uint32_t k = 0; k < g->n_branches; k++)
        is_body[g->branch[k].a] = is_body[g->branch[k].b] = 0;
    uint32_t *count = arena_array(w->mem, uint32_t, n_components + 1);
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        if (w->set[2 * k] != INC_NONE && w->set[2 * k + 1] != INC_NONE)
            is_body[k] = 0;
        count[g->component[k]] += is_body[k];
    }
    for (uint32_t k = 0; k < g->n_nodes; k++)
        is_body[k] = is_body[k] && count[g->component[k]] == 1;
    for (uint32_t k = 0; k < g->n_roots; k++)
        is_body[g->root[k]] = 1;
    return is_body;
}

/* Points tied by rigid branches, walked as trees: finds per branch and end whether there is mass
 * behind it. */
static void find_loads(Choice *w)
{
    const CutGraph *g = w->g;
    uint32_t n = g->n_nodes, n_queue = 0;
    uint32_t *is_body = find_bodies(w);
    uint32_t *below = arena_array(w->mem, uint32_t, n + 1); /* per point: bodies at and below it */
    uint32_t *by = arena_array(w->mem, uint32_t, n + 1);    /* branch to the point above       */
    uint32_t *root = arena_array(w->mem, uint32_t, n + 1);
    uint32_t *begin = arena_array(w->mem, uint32_t, n + 2);
    uint32_t *at = arena_array(w->mem, uint32_t, 2 * g->n_branches + 1);
    uint32_t *fill = arena_array(w->mem, uint32_t, n + 1);
    uint32_t *queue = arena_array(w->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < g->n_branches; k++) {
        begin[w->point[g->branch[k].a] + 1] += !g->moves[k];
        begin[w->point[g->branch[k].b] + 1] += !g->moves[k];
    }
    for (uint32_t k = 0; k < n; k++) {
        begin[k + 1] += begin[k];
        below[w->point[k]] += is_body[k];
        root[k] = INC_NONE;
    }
    for (uint32_t k = 0; k < g->n_branches; k++) {
        if (g->moves[k])
            continue;
        uint32_t a = w->point[g->branch[k].a], b = w->point[g->branch[k].b];
        at[begin[a] + fill[a]++] = k;
        at[begin[b] + fill[b]++] = k;
    }
    for (uint32_t k = 0; k < n; k++) {
        if (w->point[k] != k || root[k] != INC_NONE)
            continue;
        uint32_t head = n_queue;
        root[k] = k;
        by[k] = INC_NONE;
        queue[n_queue++] = k;
        for (; head < n_queue; head++) {
            uint32_t p = queue[head];
            for (uint32_t i = begin[p]; i < begin[p + 1]; i++) {
                const SpanningEdge *e = &g->branch[at[i]];
                uint32_t q = w->point[e->a] == p ? w->point[e->b] : w->point[e->a];
                if (root[q] != INC_NONE)
                    continue;
                root[q] = k;
                by[q] = at[i];
                queue[n_queue++] = q;
            }
        }
    }
    for (uint32_t i = n_queue; i-- > 0;) {
        uint32_t q = queue[i];
        if (by[q] == INC_NONE)
            continue;
        const SpanningEdge *e = &g->branch[by[q]];
        below[w->point[e->a] == q ? w->point[e->b] : w->point[e->a]] += below[q];
    }
    w->own = arena_array(w->mem, Load, n + 1);
    for (uint32_t k = 0; k < n; k++)
        w->own[k].heavy = is_body[k];
    for (uint32_t k = 0; k < g->n_branches; k++) {
        const uint32_t end[] = {g->branch[k].a, g->branch[k].b};
        uint32_t all = below[root[w->point[end[0]]]];
        for (int i = 0; i < 2; i++) {
            uint32_t p = w->point[end[i]], q = w->point[end[1 - i]];
            if (g->moves[k])
                w->own[end[i]].joints++;
            else
                w->own[end[i]].heavy += (by[q] == k   ? below[q]
                                         : by[p] == k ? all - below[p]
                                                      : all) > 0;
        }
    }
}

/* ---- the tree of a point ---- */

static Load plus(Load a, Load b)
{
    return (Load){a.heavy + b.heavy, a.joints + b.joints};
}

static Load minus(Load a, Load b)
{
    return (Load){a.heavy - b.heavy, a.joints - b.joints};
}

/* Builds the trees from the first node of each point: its sets, their other members, the sets of
 * these. */
static void find_trees(Choice *w)
{
    const CutGraph *g = w->g;
    uint32_t n = g->n_nodes, n_queue = 0;
    w->above_node = arena_array(w->mem, uint32_t, n + 1);
    w->above_set = arena_array(w->mem, uint32_t, w->n_sets + 1);
    w->node_load = arena_array(w->mem, Load, n + 1);
    w->set_load = arena_array(w->mem, Load, w->n_sets + 1);
    w->whole = arena_array(w->mem, Load, n + 1);
    bool *met = arena_array(w->mem, bool, n + 1),
         *met_set = arena_array(w->mem, bool, w->n_sets + 1);
    uint32_t *queue = arena_array(w->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        if (w->point[k] != k)
            continue;
        uint32_t head = n_queue;
        met[k] = true;
        w->above_node[k] = INC_NONE;
        queue[n_queue++] = k;
        for (; head < n_queue; head++) {
            uint32_t node = queue[head];
            for (uint32_t face = 0; face < 2; face++) {
                uint32_t set = w->set[2 * node + face];
                if (set == INC_NONE || met_set[set])
                    continue;
                met_set[set] = true;
                w->above_set[set] = node;
                for (uint32_t i = w->first[set]; i < w->first[set + 1]; i++) {
                    uint32_t other = w->member[i] / 2;
                    if (met[other])
                        continue;
                    met[other] = true;
                    w->above_node[other] = set;
                    queue[n_queue++] = other;
                }
            }
        }
    }
    for (uint32_t i = n_queue; i-- > 0;) {
        uint32_t node = queue[i];
        w->node_load[node] = plus(w->node_load[node], w->own[node]);
        w->whole[w->point[node]] = plus(w->whole[w->point[node]], w->own[node]);
        uint32_t set = w->above_node[node];
        if (set == INC_NONE)
            continue;
        w->set_load[set] = plus(w->set_load[set], w->node_load[node]);
        uint32_t up = w->above_set[set];
        w->node_load[up] = plus(w->node_load[up], w->node_load[node]);
    }
}

/* The load of a member on the side away from its set. */
static Load behind(const Choice *w, uint32_t member)
{
    uint32_t node = member / 2, set = w->set[member];
    if (w->above_node[node] == set)
        return w->node_load[node];
    if (w->above_set[set] == node)
        return minus(w->whole[w->point[node]], w->set_load[set]);
    return w->own[node]; /* the point is no tree */
}

/* ---- hubs ---- */

static uint32_t hub_of(const Choice *w, uint32_t set)
{
    uint32_t best = w->member[w->first[set]];
    for (uint32_t i = w->first[set] + 1; i < w->first[set + 1]; i++) {
        uint32_t m = w->member[i];
        bool heavy = behind(w, m).heavy > 0, best_heavy = behind(w, best).heavy > 0;
        uint32_t component = w->g->component[m / 2], best_component = w->g->component[best / 2];
        if (heavy != best_heavy ? heavy : component < best_component)
            best = m;
    }
    return best;
}

/* Each member but the hub has one connect, of those that name it the one towards the hub. */
static void write_anew(Choice *w, uint8_t *rank)
{
    CutGraph *g = w->g;
    uint32_t n = 2 * g->n_nodes;
    uint32_t *begin = arena_array(w->mem, uint32_t, n + 2),
             *fill = arena_array(w->mem, uint32_t, n + 1);
    uint32_t *at = arena_array(w->mem, uint32_t, 2 * g->n_connects + 1);
    uint32_t *queue = arena_array(w->mem, uint32_t, n + 1);
    bool *met = arena_array(w->mem, bool, n + 1);
    SpanningEdge *old = arena_array(w->mem, SpanningEdge, g->n_connects + 1);
    bool(*old_inside)[2] = (bool(*)[2])arena_array(w->mem, bool, 2 * g->n_connects + 2);
    for (uint32_t k = 0; k < g->n_connects; k++) {
        old[k] = g->connect[k];
        old_inside[k][0] = g->inside[k][0];
        old_inside[k][1] = g->inside[k][1];
        rank[k] = CUT_REPEATS;
    }
    for (uint32_t k = 0; k < g->n_connects; k++) {
        begin[2 * old[k].a + old_inside[k][0] + 1]++;
        begin[2 * old[k].b + old_inside[k][1] + 1]++;
    }
    for (uint32_t m = 0; m < n; m++)
        begin[m + 1] += begin[m];
    for (uint32_t k = 0; k < g->n_connects; k++) {
        const uint32_t end[] = {2 * old[k].a + old_inside[k][0], 2 * old[k].b + old_inside[k][1]};
        for (int i = 0; i < 2; i++)
            at[begin[end[i]] + fill[end[i]]++] = k;
    }
    for (uint32_t set = 0; set < w->n_sets; set++) {
        uint32_t hub = hub_of(w, set), n_queue = 0;
        bool is_pair = w->first[set + 1] - w->first[set] < 3;
        met[hub] = true;
        queue[n_queue++] = hub;
        for (uint32_t head = 0; head < n_queue; head++) {
            for (uint32_t i = begin[queue[head]]; i < begin[queue[head] + 1]; i++) {
                uint32_t k = at[i];
                uint32_t a = 2 * old[k].a + old_inside[k][0], b = 2 * old[k].b + old_inside[k][1];
                uint32_t other = a == queue[head] ? b : a;
                if (met[other])
                    continue;
                met[other] = true;
                queue[n_queue++] = other;
                rank[k] = CUT_BAD;
                if (is_pair)
                    continue; /* as it was */
                g->connect[k] = (SpanningEdge){hub / 2, other / 2};
                g->inside[k][0] = hub % 2;
                g->inside[k][1] = other % 2;
            }
        }
    }
}

static bool is_light(Load l)
{
    return l.heavy == 0 && l.joints == 1;
}

/* Less goes through a connect than through another one. */
static void find_free(const CutGraph *g, uint8_t *rank)
{
    uint32_t most = 0;
    for (uint32_t k = 0; g->n_flows && k < g->n_connects; k++)
        most = g->n_flows[k] > most ? g->n_flows[k] : most;
    for (uint32_t k = 0; g->n_flows && k < g->n_connects; k++)
        if (g->n_flows[k] < most && rank[k] != CUT_REPEATS)
            rank[k] = CUT_FREE;
}

uint8_t *cut_choice(CutGraph *g, Arena *mem)
{
    Choice w = {.g = g, .mem = mem};
    uint8_t *rank = arena_array(mem, uint8_t, g->n_connects + 1);
    find_sets(&w);
    find_loads(&w);
    find_trees(&w);
    write_anew(&w, rank);
    for (uint32_t k = 0; k < g->n_connects; k++) {
        if (rank[k] == CUT_REPEATS) {
            g->connect[k].b = g->connect[k].a;
            g->inside[k][1] = g->inside[k][0];
            continue;
        }
        Load far = behind(&w, member_at(g, k, 1));
        Load near = minus(w.whole[w.point[g->connect[k].a]], far);
        if (near.heavy > 0 && far.heavy > 0)
            rank[k] = CUT_RIGID;
        else if ((near.heavy > 0 && is_light(far)) || (far.heavy > 0 && is_light(near)))
            rank[k] = CUT_JOINT;
        else if (is_light(near) && is_light(far))
            rank[k] = CUT_BARE;
    }
    find_free(g, rank);
    return rank;
}
