#include "eliminate/prepare/massless.h"

#include "base/hash.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/parameters.h"
#include "eliminate/structure.h"
#include "graph/dependent_rows.h"
#include "graph/dulmage.h"
#include "graph/matching.h"
#include "ir/residue.h"

#include <stdlib.h>
#include <string.h>

static bool wants_to_be_state(const System *s, uint32_t k)
{
    const Var *v = &s->var.at[k];
    return v->kind == VAR_CONTINUOUS && var_exists(v->der) && v->attr.select >= STATE_PREFER;
}

/* Columns: unknowns when states are given. Those that want to be states are known; their
 * derivatives are unknowns of their own; of all others a variable and its derivatives are one. */
static Structure given_states(const System *s, const bool *is_state, Arena *mem)
{
    bool *unknown = arena_array(mem, bool, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        unknown[k] = var_is_unknown(&s->var.at[k]) && !is_state[k];
    return structure_of_chains(s, unknown, mem);
}

/* Motions that are prescribed: where equations without multipliers clash, the states in them are
 * none. False if there is no such state. */
static bool demote_prescribed(const System *s, const LoopCut *c, const Structure *u,
                              const Matching *m, bool *is_state, Arena *mem)
{
    bool *is_multiplier = arena_array(mem, bool, s->var.n);
    for (uint32_t k = 0; k < c->n_constraints; k++)
        is_multiplier[c->multiplier[k].i] = true;
    bool any = false;
    for (uint32_t e = 0; e < u->g.n_rows; e++) {
        if (m->var_of[e] != INC_NONE)
            continue;
        DulmagePart clash = dulmage_clash(&u->g, m, e, mem);
        bool of_loop = false;
        VarId *found;
        for (uint32_t k = 0; k < clash.n_eqs && !of_loop; k++)
            of_loop = unknowns_of(s, is_multiplier, s->eq.at[clash.eq[k]].lhs, 0, mem, &found) ||
                      unknowns_of(s, is_multiplier, s->eq.at[clash.eq[k]].rhs, 0, mem, &found);
        for (uint32_t k = 0; k < clash.n_eqs && !of_loop; k++) {
            const ExprId side[] = {s->eq.at[clash.eq[k]].lhs, s->eq.at[clash.eq[k]].rhs};
            for (int i = 0; i < 2; i++) {
                uint32_t n = unknowns_of(s, is_state, side[i], UINT32_MAX - 1, mem, &found);
                for (uint32_t j = 0; j < n; j++)
                    is_state[found[j].i] = false;
                any = any || n > 0;
            }
        }
    }
    return any;
}

/* ---- values where the states are anywhere ---- */

typedef struct Values {
    System *s;
    const Structure *u; /* chains */
    Arena *mem, *tmp;   /* the search; one equation */
    ExprId *value;      /* per variable: over states, multipliers and accelerations */
    Substitution values;
    bool *is_unknown; /* per variable: has no value yet, and is none of the given ones */
    bool *is_used;    /* per equation: gives a value */
} Values;

static ExprId residual_of(Values *w, uint32_t e)
{
    const Eq *q = &w->s->eq.at[e];
    return expand_calls(w->s, w->tmp, expr_sub(w->s->pool, q->lhs, q->rhs));
}

/* What equation e says of its only unknown. */
static void solve_one(Values *w, uint32_t e)
{
    ExprPool *p = w->s->pool;
    ArenaMark mark = arena_mark(w->tmp);
    LinearForm f = linear_form(w->s, w->is_unknown, &w->values, residual_of(w, e), w->tmp);
    if (f.is_linear && f.n == 1 && expr_is_zero(p, f.coeff[0]) == NO) {
        w->value[f.var[0].i] = expr_neg(p, expr_div(p, f.rest, f.coeff[0]));
        w->is_unknown[f.var[0].i] = false;
        w->is_used[e] = true;
    }
    arena_rollback(w->tmp, mark);
}

/* Equations with one unknown give it, then others have one. Of a variable and its derivatives none
 * has a value, since what gives the one would have to be differentiated for the others. */
static void propagate(Values *w)
{
    const System *s = w->s;
    Structure t = structure_of(s, w->is_unknown, w->mem);
    uint32_t *open = arena_array(w->mem, uint32_t, t.g.n_rows + 1);
    bool *is_chain = arena_array(w->mem, bool, t.n + 1);
    VEC(uint32_t) ready = {0};
    for (uint32_t k = 0; k < t.n; k++) {
        const Var *v = &s->var.at[t.var[k].i];
        is_chain[k] = (var_exists(v->der) && w->is_unknown[v->der.i]) ||
                      (var_exists(v->der_of) && w->is_unknown[v->der_of.i]);
    }
    for (uint32_t e = t.g.n_rows; e-- > 0;) {
        open[e] = t.g.row_begin[e + 1] - t.g.row_begin[e];
        if (open[e] == 1)
            vec_push(w->mem, ready, e);
    }
    while (ready.n) {
        uint32_t e = ready.at[--ready.n], c = INC_NONE;
        for (uint32_t k = t.g.row_begin[e]; k < t.g.row_begin[e + 1]; k++)
            if (w->is_unknown[t.var[t.g.col[k]].i])
                c = t.g.col[k];
        if (c == INC_NONE || is_chain[c])
            continue;
        solve_one(w, e);
        if (!w->is_used[e])
            continue;
        for (uint32_t i = t.g.col_begin[c]; i < t.g.col_begin[c + 1]; i++)
            if (--open[t.g.row[i]] == 1)
                vec_push(w->mem, ready, t.g.row[i]);
    }
}

/* ---- the rest, as a matrix ---- */

/* Rows: equations that gave no value. Columns: chains without one. */
typedef struct Rest {
    uint32_t n_rows, n_cols;
    uint32_t *eq;  /* per row                          */
    uint32_t *var; /* per column: of the chain, as in Structure.var */
    Incidence g;   /* with residues                    */
} Rest;

typedef struct Entry {
    uint32_t col;
    uint64_t value;
} Entry;

/* One row. Of a chain the derivative of highest order counts: where it is differentiated the others
 * are of lower order still. What is not linear has any slope. */
static uint32_t row_entries(Values *w, uint32_t e, const uint32_t *column, Entry **out)
{
    const ExprPool *p = w->s->pool;
    LinearForm f = linear_form(w->s, w->is_unknown, &w->values, residual_of(w, e), w->tmp);
    uint32_t n = 0;
    *out = arena_array(w->tmp, Entry, f.n + 1);
    for (uint32_t k = 0; k < f.n; k++) {
        VarId v = f.var[k], der = w->s->var.at[v.i].der;
        bool is_highest = true;
        for (; var_exists(der) && is_highest; der = w->s->var.at[der.i].der)
            for (uint32_t i = 0; i < f.n && is_highest; i++)
                is_highest = f.var[i].i != der.i;
        if (!is_highest)
            continue;
        bool is_known = expr_exists(f.coeff[k]) && pool_by_value(p);
        uint64_t any = 1 + (hash_word(map_key_pair(e, v.i)) >> 4);
        (*out)[n++] =
            (Entry){column[w->u->column[v.i]], is_known ? expr_residue(p, f.coeff[k]) : any};
    }
    return n;
}

static Rest rest_of(Values *w)
{
    const System *s = w->s;
    const Structure *u = w->u;
    Rest r = {.eq = arena_array(w->mem, uint32_t, s->eq.n + 1),
              .var = arena_array(w->mem, uint32_t, u->n + 1)};
    uint32_t *column = arena_array(w->mem, uint32_t, u->n + 1);
    for (uint32_t c = 0; c < u->n; c++) {
        column[c] = w->is_unknown[u->var[c].i] ? r.n_cols : INC_NONE;
        if (w->is_unknown[u->var[c].i])
            r.var[r.n_cols++] = u->var[c].i;
    }
    IncidenceBuilder b = incidence_begin(w->mem, r.n_cols);
    VEC(Entry) all = {0};
    uint32_t *first = arena_array(w->mem, uint32_t, s->eq.n + 2);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        if (w->is_used[e])
            continue;
        ArenaMark mark = arena_mark(w->tmp);
        Entry *entry;
        uint32_t n = row_entries(w, e, column, &entry);
        incidence_row(&b);
        for (uint32_t k = 0; k < n; k++) {
            if (entry[k].value == 0)
                continue;
            incidence_edge(&b, entry[k].col, LABEL_OTHER, 0);
            vec_push(w->mem, all, entry[k]);
        }
        r.eq[r.n_rows++] = e;
        first[r.n_rows] = all.n;
        arena_rollback(w->tmp, mark);
    }
    r.g = incidence_done(&b);
    r.g.residue = arena_array(w->mem, uint64_t, r.g.n_edges + 1);
    for (uint32_t row = 0; row < r.n_rows; row++)
        for (uint32_t k = first[row]; k < first[row + 1]; k++)
            r.g.residue[incidence_find(&r.g, row, all.at[k].col)] = all.at[k].value;
    return r;
}

/* ---- what is left out ---- */

/* Steps from the multipliers to each equation; INC_NONE where there is no way. */
static uint32_t *distances(const System *s, const LoopCut *c, const Incidence *g, Arena *mem)
{
    bool *is_multiplier = arena_array(mem, bool, s->var.n);
    uint32_t *distance = arena_array(mem, uint32_t, g->n_rows + 1);
    uint32_t *queue = arena_array(mem, uint32_t, g->n_rows + 1);
    bool *seen = arena_array(mem, bool, g->n_cols + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->n_constraints; k++)
        is_multiplier[c->multiplier[k].i] = true;
    for (uint32_t r = 0; r < g->n_rows; r++) {
        VarId *found;
        const Eq *e = &s->eq.at[r];
        distance[r] = INC_NONE;
        if (unknowns_of(s, is_multiplier, e->lhs, 0, mem, &found) ||
            unknowns_of(s, is_multiplier, e->rhs, 0, mem, &found)) {
            distance[r] = 0;
            queue[n++] = r;
        }
    }
    for (uint32_t head = 0; head < n; head++) {
        uint32_t r = queue[head];
        for (uint32_t k = g->row_begin[r]; k < g->row_begin[r + 1]; k++) {
            uint32_t v = g->col[k];
            for (uint32_t i = g->col_begin[v]; !seen[v] && i < g->col_begin[v + 1]; i++) {
                if (distance[g->row[i]] != INC_NONE)
                    continue;
                distance[g->row[i]] = distance[r] + 1;
                queue[n++] = g->row[i];
            }
            seen[v] = true;
        }
    }
    return distance;
}

/* How much one likes to leave something out, and its number. */
typedef struct Wish {
    uint32_t strength, at;
} Wish;

static int by_strength(const void *a, const void *b)
{
    const Wish *x = a;
    const Wish *y = b;
    if (x->strength != y->strength)
        return x->strength < y->strength ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static uint32_t surplus_of(const Incidence *g, Wish *wish, uint32_t *out, Arena *mem)
{
    uint32_t *order = arena_array(mem, uint32_t, g->n_rows + 1);
    qsort(wish, g->n_rows, sizeof *wish, by_strength);
    for (uint32_t k = 0; k < g->n_rows; k++)
        order[k] = wish[k].at;
    return dependent_rows_surplus(g, order, out, mem);
}

/* Balances: no element of an array of equations if that can be, since arrays are regular as a
 * whole, but what is near the cut. Returns how many, as equations. */
static uint32_t find_balances(const System *s, const LoopCut *c, const Structure *u, const Rest *r,
                              EqId *out, Arena *mem)
{
    uint32_t *distance = distances(s, c, &u->g, mem);
    Wish *wish = arena_array(mem, Wish, r->n_rows + 1);
    for (uint32_t row = 0; row < r->n_rows; row++) {
        uint32_t e = r->eq[row], far = distance[e] == INC_NONE ? u->g.n_rows : distance[e];
        bool is_array = s->eq.at[e].group != GROUP_NONE;
        wish[row] = (Wish){is_array ? 0 : 1 + u->g.n_rows - far, row};
    }
    uint32_t *row = arena_array(mem, uint32_t, r->n_rows + 1);
    uint32_t n = surplus_of(&r->g, wish, row, mem);
    for (uint32_t k = 0; k < n; k++)
        out[k] = (EqId){r->eq[row[k]]};
    return n;
}

static bool is_component_of(const char *component, Name path)
{
    size_t n = strlen(component);
    return n > 0 && strncmp(component, path.s, n) == 0 && path.s[n] == '.';
}

/* Accelerations: derivatives of states, of the joints whose balances are left out if that can be.
 * False if something else has no value then. */
static bool find_accelerations(const System *s, const bool *is_state, const Rest *r, uint32_t n,
                               const EqId *balance, VarId *out, Arena *mem)
{
    Incidence g = incidence_transpose(&r->g, mem);
    g.residue = arena_array(mem, uint64_t, g.n_edges + 1);
    for (uint32_t k = 0; k < g.n_edges; k++)
        g.residue[k] = r->g.residue[r->g.edge[k]];
    Wish *wish = arena_array(mem, Wish, g.n_rows + 1);
    uint32_t *col = arena_array(mem, uint32_t, g.n_rows + 1);
    bool *is_free = arena_array(mem, bool, r->n_cols + 1);
    for (uint32_t c = 0; c < r->n_cols; c++) {
        VarId below = s->var.at[r->var[c]].der_of;
        bool is_near = false;
        is_free[c] = var_exists(below) && is_state[below.i];
        for (uint32_t k = 0; is_free[c] && !is_near && k < n; k++) {
            const char *owner = s->eq.at[balance[k].i].origin;
            is_near = owner && is_component_of(owner, s->var.at[below.i].name);
        }
        wish[c] = (Wish){is_free[c] + (uint32_t)is_near, c};
    }
    if (surplus_of(&g, wish, col, mem) != n)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        if (!is_free[col[k]])
            return false;
        out[k] = (VarId){r->var[col[k]]};
    }
    return true;
}

/* Where nothing is known of the values of states. */
static Rest rest_at_any_states(System *s, const Structure *u, const bool *is_state, Arena *mem)
{
    Values w = {.s = s,
                .u = u,
                .mem = mem,
                .tmp = arena_new(),
                .value = parameters_written(s, mem),
                .is_unknown = arena_array(mem, bool, s->var.n + 1),
                .is_used = arena_array(mem, bool, s->eq.n + 1)};
    w.values = (Substitution){.value = w.value, .n = s->var.n, .mem = mem};
    for (uint32_t k = 0; k < s->var.n; k++)
        w.is_unknown[k] = var_is_unknown(&s->var.at[k]) && !is_state[k];
    propagate(&w);
    Rest r = rest_of(&w);
    arena_free(w.tmp);
    return r;
}

void massless_find(System *s, LoopCut *c, Arena *scratch)
{
    bool *is_state = arena_array(scratch, bool, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        is_state[k] = wants_to_be_state(s, k);
    Structure u = given_states(s, is_state, scratch);
    Matching m = matching_find(&u.g, scratch);
    while (demote_prescribed(s, c, &u, &m, is_state, scratch)) {
        u = given_states(s, is_state, scratch);
        m = matching_find(&u.g, scratch);
    }
    PoolMark mark = pool_mark(s->pool);
    Rest r = rest_at_any_states(s, &u, is_state, scratch);
    pool_rollback(s->pool, mark);
    EqId *balance = arena_array(scratch, EqId, r.n_rows + 1);
    VarId *acceleration = arena_array(scratch, VarId, r.n_cols + 1);
    uint32_t n = find_balances(s, c, &u, &r, balance, scratch);
    if (n > 0 && find_accelerations(s, is_state, &r, n, balance, acceleration, scratch))
        loops_release(s, c, n, balance, acceleration, scratch);
}
