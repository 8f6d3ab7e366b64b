#include "graph/pantelides.h"

#include "graph/matching.h"

#include <stdlib.h>

/* More differentiations of one equation than any sensible system needs. */
enum { MAX_LEVEL = 30 };

typedef VEC(uint32_t) Ids;

/* The growing system. Equation e's edges are edge_begin[e] .. edge_begin[e + 1] - 1. */
typedef struct Growth {
    Arena *mem;
    Ids der, der_of, eq_of;
    Ids eq_der, eq_der_of, var_of, level;
    Ids edge_begin, edge;
    VEC(uint8_t) label;
    VEC(int8_t) sign;
    Ids last; /* per variable: its latest edge */
    /* search: stamps mark variables and equations seen by the current search */
    Ids seen_var, seen_eq, from_eq, queue, vars;
    uint32_t stamp;
    const Differentiation *how; /* NULL: the rule of differentiate() alone */
    bool stopped;
    uint32_t stopped_at;
} Growth;

static uint32_t add_var(Growth *w, uint32_t der_of)
{
    uint32_t v = w->der.n;
    vec_push(w->mem, w->der, INC_NONE);
    vec_push(w->mem, w->der_of, der_of);
    vec_push(w->mem, w->eq_of, INC_NONE);
    vec_push(w->mem, w->seen_var, 0);
    vec_push(w->mem, w->from_eq, INC_NONE);
    vec_push(w->mem, w->last, INC_NONE);
    if (der_of != INC_NONE)
        w->der.at[der_of] = v;
    return v;
}

/* A second edge of the open equation to v is merged with the first: the derivative of y' + f(y) has
 * y' twice, the next one y'' three times. */
static void add_edge(Growth *w, uint32_t v, uint8_t label, int8_t sign)
{
    const uint32_t k = w->last.at[v];
    if (k != INC_NONE && k >= vec_last(w->edge_begin)) {
        w->label.at[k] = label_of_sum(w->label.at[k], label);
        w->sign.at[k] = 0;
        return;
    }
    w->last.at[v] = w->edge.n;
    vec_push(w->mem, w->edge, v);
    vec_push(w->mem, w->label, label);
    vec_push(w->mem, w->sign, sign);
}

/* Opens the next equation; its edges follow. */
static uint32_t add_eq(Growth *w, uint32_t eq_der_of)
{
    uint32_t e = w->eq_der.n;
    vec_push(w->mem, w->eq_der, INC_NONE);
    vec_push(w->mem, w->eq_der_of, eq_der_of);
    vec_push(w->mem, w->var_of, INC_NONE);
    vec_push(w->mem, w->level, eq_der_of == INC_NONE ? 0 : w->level.at[eq_der_of] + 1);
    vec_push(w->mem, w->seen_eq, 0);
    if (eq_der_of != INC_NONE)
        w->eq_der.at[eq_der_of] = e;
    return e;
}

static void close_eq(Growth *w)
{
    vec_push(w->mem, w->edge_begin, w->edge.n);
}

/* d/dt of a term linear in v with a constant coefficient contains der(v) only; otherwise v stays,
 * and der(v) appears linearly whatever v did. */
static uint32_t differentiate(Growth *w, uint32_t e)
{
    uint32_t d = add_eq(w, e);
    uint32_t n = 0;
    const uint32_t *col = NULL;
    bool good = w->level.at[d] <= MAX_LEVEL &&
                (!w->how || w->how->new_eq(w->how->self, e, w->mem, &n, &col));
    if (!good && !w->stopped) {
        w->stopped = true;
        w->stopped_at = e;
    }
    for (uint32_t k = 0; k < n; k++)
        add_edge(w, col[k], LABEL_OTHER, 0);
    for (uint32_t k = w->edge_begin.at[e]; k < w->edge_begin.at[e + 1]; k++) {
        uint32_t v = w->edge.at[k];
        uint8_t label = w->label.at[k];
        int8_t sign = w->sign.at[k];
        add_edge(w, w->der.at[v], label == LABEL_NONLINEAR ? LABEL_OTHER : label, sign);
        if (label >= LABEL_OTHER && !w->how)
            add_edge(w, v, label, 0);
    }
    close_eq(w);
    return d;
}

/* Breadth-first search for an augmenting path from equation e over variables of highest order.
 * When there is none, queue and vars hold all equations and variables it met. */
static bool find_path(Growth *w, uint32_t e)
{
    w->stamp++;
    w->queue.n = w->vars.n = 0;
    vec_push(w->mem, w->queue, e);
    w->seen_eq.at[e] = w->stamp;
    for (uint32_t i = 0; i < w->queue.n; i++) {
        e = w->queue.at[i];
        for (uint32_t k = w->edge_begin.at[e]; k < w->edge_begin.at[e + 1]; k++) {
            uint32_t v = w->edge.at[k];
            if (w->der.at[v] != INC_NONE || w->seen_var.at[v] == w->stamp)
                continue;
            w->seen_var.at[v] = w->stamp;
            w->from_eq.at[v] = e;
            uint32_t next = w->eq_of.at[v];
            if (next == INC_NONE) {
                while (v != INC_NONE) {
                    e = w->from_eq.at[v];
                    uint32_t left = w->var_of.at[e];
                    w->eq_of.at[v] = e;
                    w->var_of.at[e] = v;
                    v = left;
                }
                return true;
            }
            vec_push(w->mem, w->vars, v);
            if (w->seen_eq.at[next] != w->stamp) {
                w->seen_eq.at[next] = w->stamp;
                vec_push(w->mem, w->queue, next);
            }
        }
    }
    return false;
}

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Equation e has no variable left: the search has met one variable less than equations, so it
 * differentiates all of these, and each derivative equation inherits its derivative variable. */
static uint32_t differentiate_met(Growth *w, uint32_t e)
{
    if (w->vars.n > 1)
        qsort(w->vars.at, w->vars.n, sizeof *w->vars.at, compare_ids);
    qsort(w->queue.at, w->queue.n, sizeof *w->queue.at, compare_ids);
    for (uint32_t i = 0; i < w->vars.n; i++)
        add_var(w, w->vars.at[i]);
    for (uint32_t i = 0; i < w->vars.n && w->how; i++)
        w->how->new_var(w->how->self, w->vars.at[i]);
    for (uint32_t i = 0; i < w->queue.n && !w->stopped; i++)
        differentiate(w, w->queue.at[i]);
    if (w->stopped)
        return e;
    for (uint32_t i = 0; i < w->vars.n; i++) {
        uint32_t v = w->vars.at[i], d = w->eq_der.at[w->eq_of.at[v]];
        w->eq_of.at[w->der.at[v]] = d;
        w->var_of.at[d] = w->der.at[v];
        w->var_of.at[w->eq_of.at[v]] = INC_NONE;
        w->eq_of.at[v] = INC_NONE;
    }
    return w->eq_der.at[e];
}

/* A chain is a variable with its derivatives. False when the equations cannot each have one. */
static bool is_regular(Pantelides *p, const Incidence *g, Arena *scratch, Arena *mem)
{
    p->chain_of = arena_array(mem, uint32_t, g->n_cols);
    p->lead = arena_array(mem, uint32_t, g->n_cols);
    for (uint32_t v = 0; v < g->n_cols; v++) {
        if (p->der_of[v] != INC_NONE)
            continue;
        for (uint32_t d = v; d != INC_NONE; d = p->der[d])
            p->chain_of[d] = p->n_chains;
        p->lead[p->n_chains++] = v;
    }
    IncidenceBuilder b = incidence_begin(scratch, p->n_chains);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        incidence_row(&b);
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            incidence_edge(&b, p->chain_of[g->col[k]], LABEL_OTHER, 0);
    }
    Incidence chains = incidence_done(&b);
    Matching m = matching_find(&chains, scratch);
    if (m.size < chains.n_rows || m.size < chains.n_cols) {
        p->part = dulmage_find(&chains, &m, mem);
        return false;
    }
    return true;
}

/* The equations over the variables that are of highest order as given, matched. */
static void match_given(Growth *w, const Incidence *g)
{
    IncidenceBuilder b = incidence_begin(w->mem, g->n_cols);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        incidence_row(&b);
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            if (w->der.at[g->col[k]] == INC_NONE)
                incidence_edge(&b, g->col[k], (Label)g->label[k], g->sign[k]);
    }
    Incidence highest = incidence_done(&b);
    Matching m = matching_find(&highest, w->mem);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        w->var_of.at[e] = m.var_of[e];
        if (m.var_of[e] != INC_NONE)
            w->eq_of.at[m.var_of[e]] = e;
    }
}

static Incidence grown_incidence(const Growth *w, Arena *mem)
{
    IncidenceBuilder b = incidence_begin(mem, w->der.n);
    for (uint32_t e = 0; e < w->eq_der.n; e++) {
        incidence_row(&b);
        for (uint32_t k = w->edge_begin.at[e]; k < w->edge_begin.at[e + 1]; k++)
            incidence_edge(&b, w->edge.at[k], (Label)w->label.at[k], w->sign.at[k]);
    }
    return incidence_done(&b);
}

Pantelides pantelides_find(const Incidence *g, const uint32_t *der, Arena *mem)
{
    return pantelides_carry_out(g, g, der, NULL, mem);
}

/* Copies the derivatives and pairs of variables and equations into mem. */
static void keep(Pantelides *p, const Growth *w, Arena *mem)
{
    const uint32_t *const from[] = {w->der.at,    w->der_of.at,    w->eq_of.at,
                                    w->eq_der.at, w->eq_der_of.at, w->var_of.at};
    uint32_t **to[] = {&p->der, &p->der_of, &p->eq_of, &p->eq_der, &p->eq_der_of, &p->var_of};
    for (uint32_t k = 0; k < sizeof to / sizeof *to; k++) {
        uint32_t n = k < 3 ? w->der.n : w->eq_der.n;
        *to[k] = arena_array(mem, uint32_t, n);
        if (n > 0)
            memcpy(*to[k], from[k], n * sizeof **to[k]);
    }
}

static void carry_out(Pantelides *p, Growth *w, const Incidence *whole, const Incidence *g,
                      const uint32_t *der, Arena *mem)
{
    vec_push(w->mem, w->edge_begin, 0);
    for (uint32_t v = 0; v < g->n_cols; v++)
        add_var(w, INC_NONE);
    for (uint32_t v = 0; v < g->n_cols; v++)
        if (der[v] != INC_NONE) {
            w->der.at[v] = der[v];
            w->der_of.at[der[v]] = v;
        }
    p->der = w->der.at;
    p->der_of = w->der_of.at;
    p->n_vars = g->n_cols;
    p->n_eqs = g->n_rows;
    if (!is_regular(p, whole, w->mem, mem))
        return;

    for (uint32_t e = 0; e < g->n_rows; e++) {
        add_eq(w, INC_NONE);
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            add_edge(w, g->col[k], g->label[k], g->sign[k]);
        close_eq(w);
    }
    match_given(w, g);
    /* an equation without a variable is differentiated, with all it met, until it finds one */
    for (uint32_t e = 0; e < g->n_rows; e++)
        if (w->var_of.at[e] == INC_NONE && w->eq_der.at[e] == INC_NONE)
            for (uint32_t at = e; !w->stopped && !find_path(w, at);)
                at = differentiate_met(w, at);
    if (w->stopped) {
        p->stopped = true;
        p->stopped_at = w->stopped_at;
        return;
    }

    p->ok = true;
    p->n_vars = w->der.n;
    p->n_eqs = w->eq_der.n;
    for (uint32_t e = 0; e < p->n_eqs; e++)
        if (w->level.at[e] > p->max_diffs)
            p->max_diffs = w->level.at[e];
    p->g = grown_incidence(w, mem);
}

Pantelides pantelides_carry_out(const Incidence *whole, const Incidence *g, const uint32_t *der,
                                const Differentiation *how, Arena *mem)
{
    Pantelides p = {.n_old_vars = g->n_cols, .n_old_eqs = g->n_rows};
    Growth w = {.mem = arena_part(mem), .how = how};
    carry_out(&p, &w, whole, g, der, mem);
    keep(&p, &w, mem);
    arena_free(w.mem);
    return p;
}

bool pantelides_check(const Pantelides *p, const Incidence *g)
{
    if (!p->ok)
        return p->stopped || p->part.over.n_eqs || p->part.under.n_vars;
    if (!incidence_check(&p->g) || p->g.n_rows != p->n_eqs || p->g.n_cols != p->n_vars)
        return false;
    for (uint32_t v = 0; v < p->n_vars; v++) {
        if (p->der[v] != INC_NONE && p->der_of[p->der[v]] != v)
            return false;
        if (v >= p->n_old_vars && (p->der_of[v] == INC_NONE || p->der_of[v] >= v))
            return false;
    }
    for (uint32_t e = 0; e < p->n_eqs; e++) {
        if (e >= p->n_old_eqs && (p->eq_der_of[e] >= e || p->eq_der[p->eq_der_of[e]] != e))
            return false;
        /* highest-order equations determine distinct highest-order variables */
        uint32_t v = p->var_of[e];
        if (p->eq_der[e] != INC_NONE) {
            if (v != INC_NONE)
                return false;
            continue;
        }
        if (v == INC_NONE || p->eq_of[v] != e || p->der[v] != INC_NONE ||
            incidence_find(&p->g, e, v) == INC_NONE)
            return false;
    }
    return p->n_old_eqs == g->n_rows && p->n_old_vars == g->n_cols;
}

void pantelides_dump(const Pantelides *p, FILE *f)
{
    if (!p->ok) {
        fprintf(f, "structurally singular; v is the lowest-order variable of its chain\n");
        dulmage_dump(&p->part, f);
        return;
    }
    fprintf(f, "%u new equations, %u new variables, at most %u differentiations\n",
            p->n_eqs - p->n_old_eqs, p->n_vars - p->n_old_vars, p->max_diffs);
    for (uint32_t e = p->n_old_eqs; e < p->n_eqs; e++)
        fprintf(f, "e%u = der(e%u)\n", e, p->eq_der_of[e]);
    for (uint32_t v = p->n_old_vars; v < p->n_vars; v++)
        fprintf(f, "v%u = der(v%u)\n", v, p->der_of[v]);
}
