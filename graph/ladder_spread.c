#include "graph/ladder_spread.h"

/* Structures by rows and columns. */
typedef struct Stages {
    const Ladder *l;
    const Incidence *g;
    uint32_t *of_var; /* INC_NONE: of none */
    uint32_t *of_eq;
    uint32_t *var_of; /* per equation the unknown that it is for */
    uint32_t *seen;   /* per structure: 1 + the equation that met it last */
} Stages;

static Stages stages_of(const Ladder *l, const Incidence *g, Arena *mem)
{
    Stages s = {.l = l,
                .g = g,
                .of_var = arena_array(mem, uint32_t, g->n_cols + 1),
                .of_eq = arena_array(mem, uint32_t, g->n_rows + 1),
                .var_of = arena_array(mem, uint32_t, g->n_rows + 1),
                .seen = arena_array(mem, uint32_t, l->n + 1)};
    for (uint32_t v = 0; v < g->n_cols; v++) {
        uint32_t e = l->natural.eq_of[v];
        s.of_var[v] = e == INC_NONE ? INC_NONE : l->stage_of[e];
    }
    for (uint32_t e = 0; e < g->n_rows; e++) {
        s.var_of[e] = l->natural.var_of[e];
        s.of_eq[e] = s.var_of[e] == INC_NONE ? INC_NONE : l->stage_of[e];
    }
    for (uint32_t k = 0; k < l->n; k++) {
        const LadderHandle *h = &l->handle[k];
        s.of_var[h->var] = s.of_eq[h->eq] = k;
        s.var_of[h->eq] = h->var;
    }
    return s;
}

static bool are_neighbours(const Ladder *l, uint32_t a, uint32_t b)
{
    return a == b || l->handle[a].parent == b || l->handle[b].parent == a;
}

/* Structures of an equation's unknowns that are no neighbours of its own. */
static uint32_t n_joined(Stages *s, uint32_t e)
{
    uint32_t own = s->of_eq[e], found = 0;
    for (uint32_t k = s->g->row_begin[e]; k < s->g->row_begin[e + 1] && own != INC_NONE; k++) {
        uint32_t other = s->of_var[s->g->col[k]];
        if (other == INC_NONE || s->seen[other] == 1 + e || are_neighbours(s->l, own, other))
            continue;
        s->seen[other] = 1 + e;
        found++;
    }
    return found;
}

/* Structures that one equation joins: per structure, listed[begin[k]] .. listed[begin[k + 1] - 1]
 * those eliminated before it. */
static void list_joined(const Stages *s, uint32_t *begin, uint32_t *listed)
{
    const Incidence *g = s->g;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t e = 0; e < g->n_rows; e++)
            for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
                uint32_t a = s->of_eq[e], b = s->of_var[g->col[k]];
                if (a == INC_NONE || b == INC_NONE || a == b)
                    continue;
                uint32_t before = a < b ? a : b, after = a < b ? b : a;
                if (pass == 0)
                    begin[after + 2]++;
                else
                    listed[begin[after + 1]++] = before;
            }
        for (uint32_t k = 0; pass == 0 && k < s->l->n; k++)
            begin[k + 1] += begin[k];
    }
}

/* A structure is changed by those that it is joined with, and by all that carry these on the way
 * to it (row subtrees of the elimination tree; Liu 1986). Those that it does not carry itself are
 * counted. */
static uint64_t count_changes(const Stages *s, uint64_t most, Arena *scratch)
{
    const Ladder *l = s->l;
    uint32_t *begin = arena_array(scratch, uint32_t, l->n + 2);
    uint32_t *listed = arena_array(scratch, uint32_t, s->g->n_edges + 1);
    uint32_t *last =
        arena_array(scratch, uint32_t, l->n + 1); /* 1 + the one that it changed last */
    list_joined(s, begin, listed);
    uint64_t n = 0;
    for (uint32_t k = 0; k < l->n && n <= most; k++)
        for (uint32_t i = begin[k]; i < begin[k + 1]; i++)
            for (uint32_t at = listed[i]; at < k && last[at] != 1 + k; at = l->handle[at].parent) {
                last[at] = 1 + k;
                n += l->handle[at].parent != k;
            }
    return n;
}

LadderSpread ladder_spread(const Ladder *l, const Incidence *g, Arena *scratch)
{
    enum { MOST = 64 }; /* a structure: more need not be told apart */
    LadderSpread out = {.n = l->n};
    if (l->why)
        return out;
    Stages s = stages_of(l, g, scratch);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        uint32_t joins = n_joined(&s, e);
        if (joins > out.joins) {
            out.eq = e;
            out.var = s.var_of[e];
            out.joins = joins;
        }
    }
    out.extra = count_changes(&s, (uint64_t)MOST * l->n, scratch);
    return out;
}
