#include "graph/blocks.h"

#include <stdlib.h>

typedef struct Search {
    const Incidence *g;
    const Matching *m;
    uint32_t *number, *low; /* order of discovery + 1, 0 = not yet; lowest number reachable */
    uint32_t *at;           /* next edge of each equation on the path */
    uint32_t *path, *open;  /* equations being searched; those whose component is not complete */
    bool *is_open;
    uint32_t n_path, n_open, n_found;
} Search;

static void enter(Search *s, uint32_t e)
{
    s->number[e] = s->low[e] = ++s->n_found;
    s->at[e] = s->g->row_begin[e];
    s->path[s->n_path++] = e;
    s->open[s->n_open++] = e;
    s->is_open[e] = true;
}

/* Takes the complete component of e off the open stack. An equation is left only after all it
 * depends on, so components come out in the order of evaluation. */
static void close_component(Search *s, Blocks *b, uint32_t e)
{
    uint32_t n = b->begin[b->n], last;
    do {
        last = s->open[--s->n_open];
        s->is_open[last] = false;
        b->block_of[last] = b->n;
        b->eq[n] = last;
        b->var[n++] = s->m->var_of[last];
    } while (last != e);
    /* discovery order reads more naturally than the stack's */
    for (uint32_t i = b->begin[b->n], j = n - 1; i < j; i++, j--) {
        uint32_t t = b->eq[i];
        b->eq[i] = b->eq[j];
        b->eq[j] = t;
        t = b->var[i];
        b->var[i] = b->var[j];
        b->var[j] = t;
    }
    b->begin[++b->n] = n;
}

static void search_from(Search *s, Blocks *b, uint32_t root)
{
    enter(s, root);
    while (s->n_path) {
        uint32_t e = s->path[s->n_path - 1];
        if (s->at[e] < s->g->row_begin[e + 1]) {
            uint32_t next = s->m->eq_of[s->g->col[s->at[e]++]];
            if (next == INC_NONE || next == e)
                continue;
            if (!s->number[next])
                enter(s, next);
            else if (s->is_open[next] && s->number[next] < s->low[e])
                s->low[e] = s->number[next];
            continue;
        }
        s->n_path--;
        if (s->low[e] == s->number[e])
            close_component(s, b, e);
        if (s->n_path && s->low[e] < s->low[s->path[s->n_path - 1]])
            s->low[s->path[s->n_path - 1]] = s->low[e];
    }
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

Blocks blocks_find(const Incidence *g, const Matching *m, Arena *mem)
{
    uint32_t n = g->n_rows;
    Blocks b = {.begin = arena_array(mem, uint32_t, m->size + 1),
                .eq = arena_array(mem, uint32_t, m->size),
                .var = arena_array(mem, uint32_t, m->size),
                .block_of = arena_array(mem, uint32_t, n)};
    ArenaMark mark = arena_mark(mem);
    Search s = {.g = g,
                .m = m,
                .number = arena_array(mem, uint32_t, n),
                .low = arena_array(mem, uint32_t, n),
                .at = arena_array(mem, uint32_t, n),
                .path = arena_array(mem, uint32_t, n),
                .open = arena_array(mem, uint32_t, n),
                .is_open = arena_array(mem, bool, n)};
    for (uint32_t e = 0; e < n; e++)
        b.block_of[e] = INC_NONE;
    for (uint32_t e = 0; e < n; e++)
        if (m->var_of[e] != INC_NONE && !s.number[e])
            search_from(&s, &b, e);
    arena_rollback(mem, mark);
    for (uint32_t k = 0; k < b.n; k++) {
        uint32_t *eq = b.eq + b.begin[k], n_pairs = b.begin[k + 1] - b.begin[k];
        qsort(eq, n_pairs, sizeof *eq, ascending);
        for (uint32_t p = 0; p < n_pairs; p++)
            b.var[b.begin[k] + p] = m->var_of[eq[p]];
    }
    return b;
}

bool blocks_check(const Blocks *b, const Incidence *g, const Matching *m)
{
    if (b->begin[b->n] != m->size)
        return false;
    for (uint32_t k = 0; k < b->n; k++) {
        if (b->begin[k] >= b->begin[k + 1])
            return false;
        for (uint32_t p = b->begin[k]; p < b->begin[k + 1]; p++) {
            uint32_t e = b->eq[p];
            if (e >= g->n_rows || m->var_of[e] != b->var[p] || b->block_of[e] != k)
                return false;
            for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1]; i++) {
                uint32_t from = m->eq_of[g->col[i]];
                if (from != INC_NONE && b->block_of[from] > k)
                    return false;
            }
        }
    }
    return true;
}

void blocks_dump(const Blocks *b, FILE *f)
{
    fprintf(f, "%u blocks\n", b->n);
    for (uint32_t k = 0; k < b->n; k++) {
        fprintf(f, "block %u:", k);
        for (uint32_t p = b->begin[k]; p < b->begin[k + 1]; p++)
            fprintf(f, " e%u->v%u", b->eq[p], b->var[p]);
        fprintf(f, "\n");
    }
}
