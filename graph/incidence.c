#include "graph/incidence.h"

#include "base/bug.h"
#include "base/map.h"

IncidenceBuilder incidence_begin(Arena *mem, uint32_t n_cols)
{
    return (IncidenceBuilder){.mem = mem, .scratch = arena_part(mem), .n_cols = n_cols};
}

uint32_t incidence_row(IncidenceBuilder *b)
{
    vec_push(b->scratch, b->begin, b->col.n);
    return b->begin.n - 1;
}

void incidence_edge(IncidenceBuilder *b, uint32_t col, Label label, int sign)
{
    if (!b->begin.n || col >= b->n_cols)
        bug("incidence: edge to unknown %u of %u in row %u", col, b->n_cols, b->begin.n);
    vec_push(b->scratch, b->col, col);
    vec_push(b->scratch, b->label, (uint8_t)label);
    vec_push(b->scratch, b->sign, (int8_t)(label != LABEL_ONE ? 0 : sign < 0 ? -1 : 1));
}

/* Fills the column side from the row side. */
static void build_columns(Incidence *g, Arena *mem)
{
    g->col_begin = arena_array(mem, uint32_t, g->n_cols + 1);
    g->row = arena_array(mem, uint32_t, g->n_edges);
    g->edge = arena_array(mem, uint32_t, g->n_edges);
    for (uint32_t k = 0; k < g->n_edges; k++)
        g->col_begin[g->col[k] + 1]++;
    for (uint32_t v = 0; v < g->n_cols; v++)
        g->col_begin[v + 1] += g->col_begin[v];
    /* col_begin[v] runs to the end of column v, then all are shifted back by one */
    for (uint32_t e = 0; e < g->n_rows; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t place = g->col_begin[g->col[k]]++;
            g->row[place] = e;
            g->edge[place] = k;
        }
    for (uint32_t v = g->n_cols; v > 0; v--)
        g->col_begin[v] = g->col_begin[v - 1];
    g->col_begin[0] = 0;
}

/* Two passes of a counting sort (by column, then stably by row) give ascending columns within each
 * row in linear time; equal neighbours then merge. */
Incidence incidence_done(IncidenceBuilder *b)
{
    Arena *mem = b->mem, *scratch = b->scratch;
    uint32_t n_rows = b->begin.n, n_cols = b->n_cols, n_raw = b->col.n;
    vec_push(scratch, b->begin, n_raw);

    uint32_t *by_col_begin = arena_array(scratch, uint32_t, n_cols + 1);
    uint32_t *by_col = arena_array(scratch, uint32_t, n_raw);
    uint32_t *row_of = arena_array(scratch, uint32_t, n_raw);
    for (uint32_t k = 0; k < n_raw; k++)
        by_col_begin[b->col.at[k] + 1]++;
    for (uint32_t v = 0; v < n_cols; v++)
        by_col_begin[v + 1] += by_col_begin[v];
    for (uint32_t e = 0; e < n_rows; e++)
        for (uint32_t k = b->begin.at[e]; k < b->begin.at[e + 1]; k++) {
            row_of[k] = e;
            by_col[by_col_begin[b->col.at[k]]++] = k;
        }

    Incidence g = {.n_rows = n_rows, .n_cols = n_cols};
    g.row_begin = arena_array(mem, uint32_t, n_rows + 1);
    g.col = arena_array(mem, uint32_t, n_raw);
    g.label = arena_array(mem, uint8_t, n_raw);
    g.sign = arena_array(mem, int8_t, n_raw);
    uint32_t *end = arena_array(scratch, uint32_t, n_rows); /* filled so far, from the raw start */
    for (uint32_t e = 0; e < n_rows; e++)
        end[e] = b->begin.at[e];
    for (uint32_t i = 0; i < n_raw; i++) {
        uint32_t k = by_col[i], e = row_of[k], at = end[e];
        uint8_t label = b->label.at[k];
        if (at > b->begin.at[e] && g.col[at - 1] == b->col.at[k]) {
            g.label[at - 1] = label_of_sum(g.label[at - 1], label);
            g.sign[at - 1] = 0;
            continue;
        }
        g.col[at] = b->col.at[k];
        g.label[at] = label;
        g.sign[at] = b->sign.at[k];
        end[e]++;
    }
    /* close the gaps that merging left */
    for (uint32_t e = 0; e < n_rows; e++) {
        g.row_begin[e] = g.n_edges;
        for (uint32_t k = b->begin.at[e]; k < end[e]; k++) {
            g.col[g.n_edges] = g.col[k];
            g.label[g.n_edges] = g.label[k];
            g.sign[g.n_edges++] = g.sign[k];
        }
    }
    g.row_begin[n_rows] = g.n_edges;
    build_columns(&g, mem);
    arena_free(scratch);
    return g;
}

void incidence_set_row_groups(Incidence *g, uint32_t *group, uint32_t *index, uint32_t n_groups)
{
    g->row_group = group;
    g->row_index = index;
    g->n_row_groups = n_groups;
}

void incidence_set_col_groups(Incidence *g, uint32_t *group, uint32_t *index, uint32_t n_groups)
{
    g->col_group = group;
    g->col_index = index;
    g->n_col_groups = n_groups;
}

uint32_t incidence_find(const Incidence *g, uint32_t e, uint32_t v)
{
    uint32_t lo = g->row_begin[e], hi = g->row_begin[e + 1];
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (g->col[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < g->row_begin[e + 1] && g->col[lo] == v ? lo : INC_NONE;
}

Incidence incidence_transpose(const Incidence *g, Arena *mem)
{
    Incidence t = {.n_rows = g->n_cols, .n_cols = g->n_rows, .n_edges = g->n_edges};
    t.row_begin = g->col_begin;
    t.col = g->row;
    t.label = arena_array(mem, uint8_t, g->n_edges);
    t.sign = arena_array(mem, int8_t, g->n_edges);
    for (uint32_t k = 0; k < g->n_edges; k++) {
        t.label[k] = g->label[g->edge[k]];
        t.sign[k] = g->sign[g->edge[k]];
    }
    build_columns(&t, mem);
    incidence_set_row_groups(&t, g->col_group, g->col_index, g->n_col_groups);
    incidence_set_col_groups(&t, g->row_group, g->row_index, g->n_row_groups);
    return t;
}

static uint32_t *picked(Arena *mem, const uint32_t *from, const uint32_t *which, uint32_t n)
{
    if (!from)
        return NULL;
    uint32_t *to = arena_array(mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        to[k] = from[which[k]];
    return to;
}

Incidence incidence_part(const Incidence *g, const uint32_t *rows, uint32_t n_rows,
                         const uint32_t *cols, uint32_t n_cols, Arena *mem)
{
    /* a hash and not an array: a model may have as many parts as it has unknowns */
    Map local = map_new(mem);
    for (uint32_t k = 0; k < n_cols; k++)
        map_put(&local, cols[k], k);
    IncidenceBuilder b = incidence_begin(mem, n_cols);
    for (uint32_t i = 0; i < n_rows; i++) {
        incidence_row(&b);
        for (uint32_t k = g->row_begin[rows[i]]; k < g->row_begin[rows[i] + 1]; k++) {
            uint32_t v = map_get(&local, g->col[k]);
            if (v != MAP_NONE)
                incidence_edge(&b, v, (Label)g->label[k], g->sign[k]);
        }
    }
    Incidence p = incidence_done(&b);
    incidence_set_row_groups(&p, picked(mem, g->row_group, rows, n_rows),
                             picked(mem, g->row_index, rows, n_rows), g->n_row_groups);
    incidence_set_col_groups(&p, picked(mem, g->col_group, cols, n_cols),
                             picked(mem, g->col_index, cols, n_cols), g->n_col_groups);
    return p;
}

static bool groups_check(const uint32_t *group, const uint32_t *index, uint32_t n,
                         uint32_t n_groups)
{
    if (!group != !index)
        return false;
    for (uint32_t k = 0; group && k < n; k++)
        if (group[k] != INC_NONE && group[k] >= n_groups)
            return false;
    return true;
}

bool incidence_check(const Incidence *g)
{
    if (g->row_begin[0] != 0 || g->row_begin[g->n_rows] != g->n_edges)
        return false;
    if (g->col_begin[0] != 0 || g->col_begin[g->n_cols] != g->n_edges)
        return false;
    for (uint32_t e = 0; e < g->n_rows; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            if (g->col[k] >= g->n_cols || g->label[k] > LABEL_NONLINEAR)
                return false;
            if (k > g->row_begin[e] && g->col[k] <= g->col[k - 1])
                return false;
            if ((g->label[k] == LABEL_ONE) != (g->sign[k] == 1 || g->sign[k] == -1))
                return false;
        }
    for (uint32_t v = 0; v < g->n_cols; v++)
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
            if (k > g->col_begin[v] && g->row[k] <= g->row[k - 1])
                return false;
            uint32_t i = g->edge[k], e = g->row[k];
            if (e >= g->n_rows || i < g->row_begin[e] || i >= g->row_begin[e + 1] || g->col[i] != v)
                return false;
        }
    return groups_check(g->row_group, g->row_index, g->n_rows, g->n_row_groups) &&
           groups_check(g->col_group, g->col_index, g->n_cols, g->n_col_groups);
}

void incidence_dump(const Incidence *g, FILE *f)
{
    static const char letter[] = {'1', 'c', 'p', 'x', 'n'};
    fprintf(f, "incidence %u x %u, %u edges\n", g->n_rows, g->n_cols, g->n_edges);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        fprintf(f, "e%u:", e);
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            fprintf(f, " %s%c*v%u", g->sign[k] < 0 ? "-" : "", letter[g->label[k]], g->col[k]);
        fprintf(f, "\n");
    }
}
