/* natural_matching.c -- natural matching, declared in matching.h. */
#include "graph/blocks.h"
#include "graph/heap.h"
#include "graph/matching.h"

/* The ONE edges between free nodes, and those nodes that have one such edge only: equations first,
 * then unknowns, those that appear most in the whole system before the others. So it is the unknown
 * that appears least that stays free, which leaves joint accelerations as tearing variables. */
typedef struct Peel {
    const Incidence *g;
    Matching *m;
    const uint32_t *row_weight, *col_weight; /* appearances in the whole system */
    uint32_t *row_degree, *col_degree;       /* ONE edges to free partners */
    Heap single;                             /* a row e, or n_rows + v */
} Peel;

static void note_row(Peel *p, uint32_t e)
{
    if (p->row_degree[e] == 1)
        heap_set(&p->single, e, p->row_weight[e]);
}

static void note_col(Peel *p, uint32_t v)
{
    if (p->col_degree[v] == 1)
        heap_set(&p->single, p->g->n_rows + v, UINT64_MAX - p->col_weight[v]);
}

static void take(Peel *p, uint32_t e, uint32_t v)
{
    const Incidence *g = p->g;
    p->m->var_of[e] = v;
    p->m->eq_of[v] = e;
    p->m->size++;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        if (g->label[k] == LABEL_ONE && p->m->eq_of[g->col[k]] == INC_NONE) {
            p->col_degree[g->col[k]]--;
            note_col(p, g->col[k]);
        }
    for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
        if (g->label[g->edge[k]] == LABEL_ONE && p->m->var_of[g->row[k]] == INC_NONE) {
            p->row_degree[g->row[k]]--;
            note_row(p, g->row[k]);
        }
}

/* The free unknown of e with fewest other chances; of those, the heaviest. */
static uint32_t best_col(const Peel *p, uint32_t e)
{
    const Incidence *g = p->g;
    uint32_t best = INC_NONE;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
        uint32_t v = g->col[k];
        if (g->label[k] != LABEL_ONE || p->m->eq_of[v] != INC_NONE)
            continue;
        if (best == INC_NONE || p->col_degree[v] < p->col_degree[best] ||
            (p->col_degree[v] == p->col_degree[best] && p->col_weight[v] > p->col_weight[best]))
            best = v;
    }
    return best;
}

/* The free equation of v with fewest other chances; of those, the lightest. */
static uint32_t best_row(const Peel *p, uint32_t v)
{
    const Incidence *g = p->g;
    uint32_t best = INC_NONE;
    for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
        uint32_t e = g->row[k];
        if (g->label[g->edge[k]] != LABEL_ONE || p->m->var_of[e] != INC_NONE)
            continue;
        if (best == INC_NONE || p->row_degree[e] < p->row_degree[best] ||
            (p->row_degree[e] == p->row_degree[best] && p->row_weight[e] < p->row_weight[best]))
            best = e;
    }
    return best;
}

/* Nodes of degree one first (Karp & Sipser 1981); if there are none, the next equation, unless
 * only_forced. */
static void peel(Matching *m, const Incidence *g, const uint32_t *row_weight,
                 const uint32_t *col_weight, bool only_forced, Arena *scratch)
{
    Peel p = {.g = g,
              .m = m,
              .row_weight = row_weight,
              .col_weight = col_weight,
              .row_degree = arena_array(scratch, uint32_t, g->n_rows),
              .col_degree = arena_array(scratch, uint32_t, g->n_cols),
              .single = heap_new(g->n_rows + g->n_cols, scratch)};
    for (uint32_t e = 0; e < g->n_rows; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            if (g->label[k] != LABEL_ONE || m->var_of[e] != INC_NONE ||
                m->eq_of[g->col[k]] != INC_NONE)
                continue;
            p.row_degree[e]++;
            p.col_degree[g->col[k]]++;
        }
    for (uint32_t v = 0; v < g->n_cols; v++)
        note_col(&p, v);
    for (uint32_t e = 0; e < g->n_rows; e++)
        note_row(&p, e);

    uint32_t node, next = 0;
    for (;;) {
        uint32_t e, v;
        if (heap_pop(&p.single, &node)) {
            if (node < g->n_rows) {
                e = node;
                if (m->var_of[e] != INC_NONE || p.row_degree[e] != 1)
                    continue;
                v = best_col(&p, e);
                e = best_row(&p, v);
            } else {
                v = node - g->n_rows;
                if (m->eq_of[v] != INC_NONE || p.col_degree[v] != 1)
                    continue;
                e = best_row(&p, v);
                v = best_col(&p, e);
            }
        } else {
            while (next < g->n_rows && (m->var_of[next] != INC_NONE || p.row_degree[next] == 0))
                next++;
            if (next == g->n_rows || only_forced)
                break;
            e = next;
            v = best_col(&p, e);
        }
        take(&p, e, v);
    }
}

/* Unmatched members of each group, in a list per group. */
typedef struct Members {
    uint32_t *begin, *at;
} Members;

static Members members(const uint32_t *group, const uint32_t *partner, uint32_t n,
                       uint32_t n_groups, Arena *mem)
{
    Members t = {arena_array(mem, uint32_t, n_groups + 2), arena_array(mem, uint32_t, n)};
    for (uint32_t k = 0; k < n; k++)
        if (group[k] != INC_NONE && partner[k] == INC_NONE)
            t.begin[group[k] + 2]++;
    for (uint32_t a = 2; a <= n_groups; a++)
        t.begin[a] += t.begin[a - 1];
    for (uint32_t k = 0; k < n; k++)
        if (group[k] != INC_NONE && partner[k] == INC_NONE)
            t.at[t.begin[group[k] + 1]++] = k;
    return t;
}

/* The edge of e to the scalar of group c with the same index, when it is the only edge of e to c
 * and +-1; else INC_NONE. n_edges: how many edges e has to c. */
static uint32_t diagonal_edge(const Incidence *g, uint32_t e, uint32_t c, uint32_t *n_edges)
{
    uint32_t found = INC_NONE;
    *n_edges = 0;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
        if (g->col_group[g->col[k]] != c)
            continue;
        bool diagonal = g->label[k] == LABEL_ONE && g->col_index[g->col[k]] == g->row_index[e];
        found = ++*n_edges == 1 && diagonal ? k : INC_NONE;
    }
    return found;
}

/* Whether the rows hold the n_cols scalars of group c as a +-identity. Components may be missing on
 * either side, where an earlier pass found them to be constant: a row without any of c is no harm,
 * it is left for others, but each scalar of c has its row. */
static bool is_identity(const Incidence *g, const uint32_t *rows, uint32_t n, uint32_t c,
                        uint32_t n_cols)
{
    int sign = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t n_edges;
        uint32_t k = diagonal_edge(g, rows[i], c, &n_edges);
        if (n_edges == 0)
            continue;
        if (k == INC_NONE || (sign && g->sign[k] != sign))
            return false;
        sign = g->sign[k];
        n_cols--;
    }
    return n_cols == 0;
}

/* Pairs of array equations and array unknowns with a +-identity block, peeled as one node each. */
static void peel_groups(Matching *m, const Incidence *g, Arena *scratch)
{
    uint32_t n_r = g->n_row_groups, n_c = g->n_col_groups;
    Members rows = members(g->row_group, m->var_of, g->n_rows, n_r, scratch);
    Members cols = members(g->col_group, m->eq_of, g->n_cols, n_c, scratch);
    uint32_t *row_weight = arena_array(scratch, uint32_t, n_r);
    uint32_t *col_weight = arena_array(scratch, uint32_t, n_c);
    uint32_t *stamp = arena_array(scratch, uint32_t, n_c);
    IncidenceBuilder b = incidence_begin(scratch, n_c);
    for (uint32_t r = 0; r < n_r; r++) {
        incidence_row(&b);
        uint32_t n = rows.begin[r + 1] - rows.begin[r];
        if (n < 2)
            continue;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t e = rows.at[rows.begin[r] + i];
            for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
                uint32_t c = g->col_group[g->col[k]];
                if (g->label[k] != LABEL_ONE || c == INC_NONE || stamp[c] == r + 1)
                    continue;
                stamp[c] = r + 1;
                uint32_t n_cols = cols.begin[c + 1] - cols.begin[c];
                if (n_cols >= 2 && is_identity(g, rows.at + rows.begin[r], n, c, n_cols))
                    incidence_edge(&b, c, LABEL_ONE, 1);
            }
        }
    }
    Incidence groups = incidence_done(&b);
    for (uint32_t e = 0; e < g->n_rows; e++)
        if (g->row_group[e] != INC_NONE)
            row_weight[g->row_group[e]] += g->row_begin[e + 1] - g->row_begin[e];
    for (uint32_t v = 0; v < g->n_cols; v++)
        if (g->col_group[v] != INC_NONE)
            col_weight[g->col_group[v]] += g->col_begin[v + 1] - g->col_begin[v];
    Matching found = matching_empty(&groups, scratch);
    peel(&found, &groups, row_weight, col_weight, false, scratch);
    for (uint32_t r = 0; r < n_r; r++)
        for (uint32_t i = rows.begin[r]; found.var_of[r] != INC_NONE && i < rows.begin[r + 1];
             i++) {
            uint32_t e = rows.at[i], n_edges, v;
            v = diagonal_edge(g, e, found.var_of[r], &n_edges);
            if (v == INC_NONE)
                continue;
            v = g->col[v];
            m->var_of[e] = v;
            m->eq_of[v] = e;
            m->size++;
        }
}

/* Cycles of the matched graph: in- and out-degree of each equation within its strong component.
 * Nodes that lost all their arcs on one side are on no cycle and leave; when none is left to
 * leave, the one with most arcs is unmatched. */
typedef struct Cycles {
    const Incidence *g;
    const Matching *m;
    const Blocks *b;
    uint32_t *in, *out;
    bool *gone;
    uint32_t *leave, n_leave;
} Cycles;

static bool is_arc(const Cycles *c, uint32_t from, uint32_t to)
{
    return from != INC_NONE && to != INC_NONE && from != to && !c->gone[from] && !c->gone[to] &&
           c->b->block_of[from] == c->b->block_of[to];
}

static void leave_cycles(Cycles *c, uint32_t e)
{
    const Incidence *g = c->g;
    c->leave[0] = e;
    c->n_leave = 1;
    while (c->n_leave) {
        e = c->leave[--c->n_leave];
        if (c->gone[e])
            continue;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t from = c->m->eq_of[g->col[k]];
            if (is_arc(c, from, e) && --c->out[from] == 0)
                c->leave[c->n_leave++] = from;
        }
        uint32_t v = c->m->var_of[e];
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            if (c->m->var_of[g->row[k]] != INC_NONE && is_arc(c, e, g->row[k]) &&
                --c->in[g->row[k]] == 0)
                c->leave[c->n_leave++] = g->row[k];
        c->gone[e] = true;
    }
}

static void break_cycles(Matching *m, const Incidence *g, Arena *scratch)
{
    Blocks b = blocks_find(g, m, scratch);
    uint32_t n = g->n_rows;
    Cycles c = {.g = g,
                .m = m,
                .b = &b,
                .in = arena_array(scratch, uint32_t, n),
                .out = arena_array(scratch, uint32_t, n),
                .gone = arena_array(scratch, bool, n),
                .leave = arena_array(scratch, uint32_t, 2 * n + 1)};
    for (uint32_t e = 0; e < n; e++)
        c.gone[e] =
            m->var_of[e] == INC_NONE || b.begin[b.block_of[e] + 1] - b.begin[b.block_of[e]] < 2;
    for (uint32_t e = 0; e < n; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t from = m->eq_of[g->col[k]];
            if (is_arc(&c, from, e)) {
                c.out[from]++;
                c.in[e]++;
            }
        }
    /* by falling product of degrees, a counting sort over capped products */
    enum { CAP = 1024 };
    uint32_t begin[CAP + 2] = {0};
    uint32_t *sorted = arena_array(scratch, uint32_t, n);
    uint8_t *drop = arena_array(scratch, uint8_t, n);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t e = 0; e < n; e++) {
            if (c.gone[e])
                continue;
            uint64_t product = (uint64_t)c.in[e] * c.out[e];
            uint32_t key = CAP - (uint32_t)(product < CAP ? product : CAP);
            if (pass == 0)
                begin[key + 1]++;
            else
                sorted[begin[key]++] = e;
        }
        for (uint32_t k = 0; pass == 0 && k <= CAP; k++)
            begin[k + 1] += begin[k];
    }
    uint32_t n_sorted = begin[CAP];
    for (uint32_t i = 0; i < n_sorted; i++)
        if (!c.gone[sorted[i]]) {
            drop[sorted[i]] = 1;
            leave_cycles(&c, sorted[i]);
        }
    for (uint32_t e = 0; e < n; e++)
        if (drop[e]) {
            m->eq_of[m->var_of[e]] = INC_NONE;
            m->var_of[e] = INC_NONE;
            m->size--;
        }
}

Matching matching_natural(const Incidence *g, Arena *mem)
{
    Matching m = matching_empty(g, mem);
    ArenaMark mark = arena_mark(mem);
    uint32_t *row_weight = arena_array(mem, uint32_t, g->n_rows);
    uint32_t *col_weight = arena_array(mem, uint32_t, g->n_cols);
    for (uint32_t e = 0; e < g->n_rows; e++)
        row_weight[e] = g->row_begin[e + 1] - g->row_begin[e];
    for (uint32_t v = 0; v < g->n_cols; v++)
        col_weight[v] = g->col_begin[v + 1] - g->col_begin[v];
    /* Forced pairs go first: if aliases replaced some elements of an array, the group would pair
     * the others wrongly. */
    peel(&m, g, row_weight, col_weight, true, mem);
    if (g->row_group && g->col_group)
        peel_groups(&m, g, mem);
    peel(&m, g, row_weight, col_weight, false, mem);
    break_cycles(&m, g, mem);
    arena_rollback(mem, mark);
    return m;
}
