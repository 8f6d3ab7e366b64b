#include "graph/dulmage.h"

/* Marks equations and unknowns on alternating paths from the queued equations: over an edge to an
 * unknown, back over the matching to its equation. */
static void spread_from_eqs(const Incidence *g, const Matching *m, bool *eq_in, bool *var_in,
                            uint32_t *queue, uint32_t n_queue)
{
    for (uint32_t i = 0; i < n_queue; i++) {
        uint32_t e = queue[i];
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t v = g->col[k], next = m->eq_of[v];
            var_in[v] = true;
            if (next != INC_NONE && !eq_in[next]) {
                eq_in[next] = true;
                queue[n_queue++] = next;
            }
        }
    }
}

static void spread_from_vars(const Incidence *g, const Matching *m, bool *eq_in, bool *var_in,
                             uint32_t *queue, uint32_t n_queue)
{
    for (uint32_t i = 0; i < n_queue; i++) {
        uint32_t v = queue[i];
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
            uint32_t e = g->row[k], next = m->var_of[e];
            eq_in[e] = true;
            if (next != INC_NONE && !var_in[next]) {
                var_in[next] = true;
                queue[n_queue++] = next;
            }
        }
    }
}

static DulmagePart collect(const Incidence *g, const bool *eq_in, const bool *var_in, Arena *mem)
{
    DulmagePart p = {0};
    for (uint32_t e = 0; e < g->n_rows; e++)
        p.n_eqs += eq_in[e];
    for (uint32_t v = 0; v < g->n_cols; v++)
        p.n_vars += var_in[v];
    p.eq = arena_array(mem, uint32_t, p.n_eqs);
    p.var = arena_array(mem, uint32_t, p.n_vars);
    for (uint32_t e = 0, n = 0; e < g->n_rows; e++)
        if (eq_in[e])
            p.eq[n++] = e;
    for (uint32_t v = 0, n = 0; v < g->n_cols; v++)
        if (var_in[v])
            p.var[n++] = v;
    return p;
}

Dulmage dulmage_find(const Incidence *g, const Matching *m, Arena *mem)
{
    uint32_t n = 0, n_max = g->n_rows > g->n_cols ? g->n_rows : g->n_cols;
    uint32_t *queue = arena_array(mem, uint32_t, n_max);
    bool *eq_over = arena_array(mem, bool, g->n_rows),
         *var_over = arena_array(mem, bool, g->n_cols);
    bool *eq_under = arena_array(mem, bool, g->n_rows);
    bool *var_under = arena_array(mem, bool, g->n_cols);
    for (uint32_t e = 0; e < g->n_rows; e++)
        if (m->var_of[e] == INC_NONE) {
            eq_over[e] = true;
            queue[n++] = e;
        }
    spread_from_eqs(g, m, eq_over, var_over, queue, n);
    n = 0;
    for (uint32_t v = 0; v < g->n_cols; v++)
        if (m->eq_of[v] == INC_NONE) {
            var_under[v] = true;
            queue[n++] = v;
        }
    spread_from_vars(g, m, eq_under, var_under, queue, n);
    Dulmage d = {.over = collect(g, eq_over, var_over, mem),
                 .under = collect(g, eq_under, var_under, mem)};
    for (uint32_t e = 0; e < g->n_rows; e++)
        eq_over[e] = !eq_over[e] && !eq_under[e];
    for (uint32_t v = 0; v < g->n_cols; v++)
        var_over[v] = !var_over[v] && !var_under[v];
    d.well = collect(g, eq_over, var_over, mem);
    return d;
}

DulmagePart dulmage_clash(const Incidence *g, const Matching *m, uint32_t e, Arena *mem)
{
    bool *eq_in = arena_array(mem, bool, g->n_rows), *var_in = arena_array(mem, bool, g->n_cols);
    uint32_t *queue = arena_array(mem, uint32_t, g->n_rows);
    queue[0] = e;
    eq_in[e] = true;
    spread_from_eqs(g, m, eq_in, var_in, queue, 1);
    return collect(g, eq_in, var_in, mem);
}

DulmagePart dulmage_gap(const Incidence *g, const Matching *m, uint32_t v, Arena *mem)
{
    bool *eq_in = arena_array(mem, bool, g->n_rows), *var_in = arena_array(mem, bool, g->n_cols);
    uint32_t *queue = arena_array(mem, uint32_t, g->n_cols);
    queue[0] = v;
    var_in[v] = true;
    spread_from_vars(g, m, eq_in, var_in, queue, 1);
    return collect(g, eq_in, var_in, mem);
}

/* Adds the part's members to the marks; false when one is there already. */
static bool mark_part(const DulmagePart *p, bool *eq_in, bool *var_in)
{
    for (uint32_t k = 0; k < p->n_eqs; k++) {
        if (eq_in[p->eq[k]])
            return false;
        eq_in[p->eq[k]] = true;
    }
    for (uint32_t k = 0; k < p->n_vars; k++) {
        if (var_in[p->var[k]])
            return false;
        var_in[p->var[k]] = true;
    }
    return true;
}

bool dulmage_check(const Dulmage *d, const Incidence *g, const Matching *m)
{
    Arena *scratch = arena_new();
    bool *eq_in = arena_array(scratch, bool, g->n_rows);
    bool *var_in = arena_array(scratch, bool, g->n_cols);
    bool good = d->over.n_eqs + d->under.n_eqs + d->well.n_eqs == g->n_rows &&
                d->over.n_vars + d->under.n_vars + d->well.n_vars == g->n_cols &&
                d->well.n_eqs == d->well.n_vars &&
                d->over.n_eqs - d->over.n_vars == g->n_rows - m->size &&
                d->under.n_vars - d->under.n_eqs == g->n_cols - m->size;
    /* an equation of the over-determined part knows no unknown outside it, an unknown of the
     * under-determined part no equation outside that */
    good = good && mark_part(&d->over, eq_in, var_in);
    for (uint32_t i = 0; good && i < d->over.n_eqs; i++)
        for (uint32_t k = g->row_begin[d->over.eq[i]]; k < g->row_begin[d->over.eq[i] + 1]; k++)
            good = good && var_in[g->col[k]];
    good = good && mark_part(&d->well, eq_in, var_in);
    for (uint32_t i = 0; good && i < d->under.n_vars; i++)
        for (uint32_t k = g->col_begin[d->under.var[i]]; k < g->col_begin[d->under.var[i] + 1]; k++)
            good = good && !eq_in[g->row[k]];
    good = good && mark_part(&d->under, eq_in, var_in);
    arena_free(scratch);
    return good;
}

static void dump_part(const char *name, const DulmagePart *p, FILE *f)
{
    fprintf(f, "%s, %u equations, %u unknowns:", name, p->n_eqs, p->n_vars);
    for (uint32_t k = 0; k < p->n_eqs; k++)
        fprintf(f, " e%u", p->eq[k]);
    for (uint32_t k = 0; k < p->n_vars; k++)
        fprintf(f, " v%u", p->var[k]);
    fprintf(f, "\n");
}

void dulmage_dump(const Dulmage *d, FILE *f)
{
    dump_part("over-determined", &d->over, f);
    dump_part("under-determined", &d->under, f);
    dump_part("well determined", &d->well, f);
}
