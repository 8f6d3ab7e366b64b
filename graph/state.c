#include "graph/state.h"

#include "graph/matching.h"

#include <stdlib.h>

/* A derivative that may become a dummy, and how gladly: the lowest key goes first. */
typedef struct Candidate {
    uint64_t key;
    uint32_t var;
} Candidate;

static int compare_candidates(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->var < y->var) - (x->var > y->var); /* the derivative that was met later goes first */
}

/* Matching of the level's equations with candidates, grown from the candidates' side. A node that
 * a failed search met stays dead: no later path can lead through it to a free equation. */
typedef struct Level {
    const Incidence *g;
    bool *is_row, *seen;     /* per equation */
    uint32_t *var_of, *from; /* per equation: its dummy; the variable it was reached from */
    uint32_t *eq_of;         /* per variable: inverse of var_of */
    uint32_t *queue;
} Level;

static bool try_candidate(Level *t, uint32_t v)
{
    const Incidence *g = t->g;
    uint32_t n_seen = 0, at = 0;
    for (;;) {
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
            uint32_t e = g->row[k];
            if (!t->is_row[e] || t->seen[e])
                continue;
            t->seen[e] = true;
            t->from[e] = v;
            t->queue[n_seen++] = e;
            if (t->var_of[e] != INC_NONE)
                continue;
            while (e != INC_NONE) {
                v = t->from[e];
                uint32_t left = t->eq_of[v];
                t->var_of[e] = v;
                t->eq_of[v] = e;
                e = left;
            }
            for (uint32_t i = 0; i < n_seen; i++)
                t->seen[t->queue[i]] = false;
            return true;
        }
        if (at == n_seen)
            return false;
        v = t->var_of[t->queue[at++]];
    }
}

static uint8_t *inherited_priorities(const Pantelides *p, const uint8_t *priority, Arena *mem)
{
    uint8_t *all = arena_array(mem, uint8_t, p->n_vars);
    for (uint32_t v = 0; v < p->n_vars; v++)
        all[v] = v >= p->n_old_vars ? (uint8_t)(all[p->der_of[v]] / 2 * 2)
                 : priority         ? priority[v]
                                    : (uint8_t)PRIORITY_DEFAULT;
    return all;
}

States states_find(const Pantelides *p, const uint8_t *priority, Arena *mem)
{
    States s = {.n_vars = p->n_vars,
                .dummy = arena_array(mem, bool, p->n_vars),
                .state = arena_array(mem, uint32_t, p->n_vars),
                .lost = arena_array(mem, uint32_t, p->n_vars),
                .unwanted = arena_array(mem, uint32_t, p->n_vars)};
    ArenaMark mark = arena_mark(mem);
    uint8_t *priorities = inherited_priorities(p, priority, mem);
    uint32_t *rows = arena_array(mem, uint32_t, p->n_eqs), n_rows = 0;
    uint32_t *vars = arena_array(mem, uint32_t, p->n_vars), n_vars = 0;
    Candidate *order = arena_array(mem, Candidate, p->n_vars);
    Level t = {.g = &p->g,
               .is_row = arena_array(mem, bool, p->n_eqs),
               .seen = arena_array(mem, bool, p->n_eqs),
               .var_of = arena_array(mem, uint32_t, p->n_eqs),
               .from = arena_array(mem, uint32_t, p->n_eqs),
               .eq_of = arena_array(mem, uint32_t, p->n_vars),
               .queue = arena_array(mem, uint32_t, p->n_eqs)};
    for (uint32_t e = 0; e < p->n_eqs; e++)
        t.var_of[e] = INC_NONE;
    for (uint32_t v = 0; v < p->n_vars; v++)
        t.eq_of[v] = INC_NONE;

    /* start: differentiated equations and derivatives, both of highest order */
    for (uint32_t e = 0; e < p->n_eqs; e++)
        if (p->eq_der[e] == INC_NONE && p->eq_der_of[e] != INC_NONE)
            rows[n_rows++] = e;
    for (uint32_t v = 0; v < p->n_vars; v++)
        if (p->der[v] == INC_NONE && p->der_of[v] != INC_NONE)
            vars[n_vars++] = v;
    while (n_rows) {
        for (uint32_t i = 0; i < n_rows; i++)
            t.is_row[rows[i]] = true;
        for (uint32_t i = 0; i < n_vars; i++) {
            uint32_t v = vars[i], best = LABEL_NONLINEAR + 1;
            for (uint32_t k = p->g.col_begin[v]; k < p->g.col_begin[v + 1]; k++)
                if (t.is_row[p->g.row[k]] && p->g.label[p->g.edge[k]] < best)
                    best = p->g.label[p->g.edge[k]];
            order[i] = (Candidate){(uint64_t)priorities[p->der_of[v]] << 8 | best, v};
        }
        qsort(order, n_vars, sizeof *order, compare_candidates);
        uint32_t n_matched = 0;
        for (uint32_t i = 0; i < n_vars && n_matched < n_rows; i++)
            n_matched += try_candidate(&t, order[i].var);
        if (n_matched < n_rows) {
            arena_rollback(mem, mark);
            return s;
        }

        /* one order down: where both the equation and its dummy are derivatives again */
        uint32_t n_next_rows = 0, n_next_vars = 0;
        for (uint32_t i = 0; i < n_rows; i++) {
            uint32_t e = rows[i], v = t.var_of[e], below = p->der_of[v], eq = p->eq_der_of[e];
            s.dummy[v] = true;
            t.is_row[e] = t.seen[e] = false;
            if (p->eq_der_of[eq] != INC_NONE)
                rows[n_next_rows++] = eq;
            if (p->der_of[below] != INC_NONE)
                vars[n_next_vars++] = below;
        }
        n_rows = n_next_rows;
        n_vars = n_next_vars;
    }
    for (uint32_t v = 0; v < p->n_vars; v++) {
        bool is_state = p->der[v] != INC_NONE && !s.dummy[p->der[v]];
        if (is_state)
            s.state[s.n++] = v;
        if (is_state && priorities[v] < PRIORITY_AVOID)
            s.unwanted[s.n_unwanted++] = v;
        if (!is_state && v < p->n_old_vars && priorities[v] >= PRIORITY_ALWAYS)
            s.lost[s.n_lost++] = v;
    }
    s.ok = true;
    arena_rollback(mem, mark);
    return s;
}

bool states_check(const States *s, const Pantelides *p)
{
    if (!s->ok)
        return false;
    /* one dummy per differentiation, and the rest is square and regular: all equations over the
     * unknowns that are neither states nor known derivatives of lower order */
    uint32_t n_dummies = 0;
    for (uint32_t v = 0; v < p->n_vars; v++) {
        n_dummies += s->dummy[v];
        if (s->dummy[v] && p->der_of[v] == INC_NONE)
            return false;
    }
    if (n_dummies != p->n_eqs - p->n_old_eqs)
        return false;
    Arena *scratch = arena_new();
    bool *is_state = arena_array(scratch, bool, p->n_vars);
    for (uint32_t k = 0; k < s->n; k++)
        is_state[s->state[k]] = true;
    IncidenceBuilder b = incidence_begin(scratch, p->n_vars);
    for (uint32_t e = 0; e < p->n_eqs; e++) {
        incidence_row(&b);
        for (uint32_t k = p->g.row_begin[e]; k < p->g.row_begin[e + 1]; k++)
            if (!is_state[p->g.col[k]])
                incidence_edge(&b, p->g.col[k], (Label)p->g.label[k], p->g.sign[k]);
    }
    Incidence unknowns = incidence_done(&b);
    Matching m = matching_find(&unknowns, scratch);
    bool good = m.size == p->n_eqs && s->n + p->n_eqs == p->n_vars;
    arena_free(scratch);
    return good;
}

void states_dump(const States *s, FILE *f)
{
    fprintf(f, "%u states:", s->n);
    for (uint32_t k = 0; k < s->n; k++)
        fprintf(f, " v%u", s->state[k]);
    fprintf(f, "\ndummy derivatives:");
    for (uint32_t v = 0; v < s->n_vars; v++)
        if (s->dummy[v])
            fprintf(f, " v%u", v);
    fprintf(f, "\n");
}
