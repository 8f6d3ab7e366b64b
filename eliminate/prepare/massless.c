#include "eliminate/prepare/massless.h"

#include "base/hash.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/parameters.h"
#include "eliminate/structure.h"
#include "graph/dependent_rows.h"
#include "ir/residue.h"

#include <stdlib.h>
#include <string.h>

static bool wants_to_be_state(const System *s, uint32_t k)
{
    const Var *v = &s->var.at[k];
    return v->kind == VAR_CONTINUOUS && var_exists(v->der) && v->attr.select >= STATE_PREFER;
}

/* ---- values where the states are anywhere ---- */

typedef struct Values {
    System *s;
    Arena *mem, *tmp; /* the search; one equation */
    ExprId *value;    /* per variable: over states, multipliers and accelerations */
    Substitution values;
    bool *is_unknown;        /* per variable: has no value yet, and is none of the given ones */
    bool *is_used;           /* per equation: gives a value */
    const bool *is_open_row; /* per equation: without forces of cut joints */
} Values;

static ExprId residual_of(Values *w, uint32_t e)
{
    const Eq *q = &w->s->eq.at[e];
    return expand_calls(w->s, NULL, expr_sub(w->s->pool, q->lhs, q->rhs));
}

/* Solves equation e for its only unknown if it is linear in it. */
static bool solve_one(Values *w, uint32_t e)
{
    ExprPool *p = w->s->pool;
    ArenaMark mark = arena_mark(w->tmp);
    LinearForm f = linear_form(w->s, w->is_unknown, &w->values, residual_of(w, e), w->tmp);
    bool good = f.is_linear && f.n == 1 && expr_is_zero(p, f.coeff[0]) == NO;
    if (good) {
        w->value[f.var[0].i] = expr_neg(p, expr_div(p, f.rest, f.coeff[0]));
        w->is_unknown[f.var[0].i] = false;
        w->is_used[e] = true;
    }
    arena_rollback(w->tmp, mark);
    return good;
}

/* Equations with one unknown, in the order in which they become so. */
typedef struct Ready {
    VEC(uint32_t) open, cut; /* without forces of cut joints, and with some */
} Ready;

static void add_ready(Values *w, Ready *r, uint32_t e)
{
    if (w->is_open_row[e])
        vec_push(w->mem, r->open, e);
    else
        vec_push(w->mem, r->cut, e);
}

/* The next one. At first only those without forces of cut joints, then all that put these forces
 * in before any other: a torque tau = n*t of a hinge is known to be zero and t given by the cut, so
 * that this balance is left over, and not one of the elements of t, whose factor in n may vanish at
 * the start. */
static bool take_ready(Ready *r, bool *with_cut, uint32_t *e)
{
    *with_cut = *with_cut || !r->open.n;
    bool is_cut = *with_cut && r->cut.n;
    if (!is_cut && !r->open.n)
        return false;
    *e = is_cut ? r->cut.at[--r->cut.n] : r->open.at[--r->open.n];
    return true;
}

/* Equations with one unknown give it, then others have one. */
static void propagate(Values *w)
{
    const System *s = w->s;
    Structure t = structure_of(s, w->is_unknown, w->mem);
    uint32_t *open = arena_array(w->mem, uint32_t, t.g.n_rows + 1);
    Ready ready = {0};
    for (uint32_t e = t.g.n_rows; e-- > 0;) {
        open[e] = t.g.row_begin[e + 1] - t.g.row_begin[e];
        if (open[e] == 1)
            add_ready(w, &ready, e);
    }
    bool with_cut = false;
    for (uint32_t e; take_ready(&ready, &with_cut, &e);) {
        uint32_t c = INC_NONE;
        for (uint32_t k = t.g.row_begin[e]; k < t.g.row_begin[e + 1]; k++)
            if (w->is_unknown[t.var[t.g.col[k]].i])
                c = t.g.col[k];
        if (c == INC_NONE || !solve_one(w, e))
            continue;
        for (uint32_t i = t.g.col_begin[c]; i < t.g.col_begin[c + 1]; i++)
            if (--open[t.g.row[i]] == 1)
                add_ready(w, &ready, t.g.row[i]);
    }
}

/* ---- the derivatives of the equations ---- */

/* Of each equation by its unknowns, where they are not zero: rows are equations, columns unknowns,
 * a variable and its derivative being two. */
typedef struct Slopes {
    uint32_t n;       /* columns                            */
    VarId *var;       /* per column                         */
    uint32_t *column; /* per variable; INC_NONE if known    */
    Incidence g;      /* with residues                      */
    bool *is_used;    /* per row: gives a value when states, forces of cut joints and accelerations
                       * are given                          */
} Slopes;

typedef struct Entry {
    uint32_t col;
    uint64_t value;
} Entry;

/* Rows of entries that are not zero, as they are filled. */
typedef struct Rows {
    IncidenceBuilder b;
    VEC(Entry) all;
    VEC(uint32_t) first;
} Rows;

static void add_row(Rows *r, Arena *mem)
{
    incidence_row(&r->b);
    vec_push(mem, r->first, r->all.n);
}

static void add_entry(Rows *r, uint32_t col, uint64_t value, Arena *mem)
{
    if (value == 0)
        return;
    incidence_edge(&r->b, col, LABEL_OTHER, 0);
    vec_push(mem, r->all, ((Entry){col, value}));
}

static Incidence rows_done(Rows *r, Arena *mem)
{
    Incidence g = incidence_done(&r->b);
    vec_push(mem, r->first, r->all.n);
    g.residue = arena_array(mem, uint64_t, g.n_edges + 1);
    for (uint32_t row = 0; row < g.n_rows; row++)
        for (uint32_t k = r->first.at[row]; k < r->first.at[row + 1]; k++)
            g.residue[incidence_find(&g, row, r->all.at[k].col)] = r->all.at[k].value;
    return g;
}

/* The value of a derivative: the coefficient if linear, else by differentiation; random if there is
 * none. */
static uint64_t slope_of(Values *w, ExprId residual, VarId v, ExprId coefficient, uint32_t e)
{
    ExprPool *p = w->s->pool;
    if (!expr_exists(coefficient)) {
        Differentiator d = differentiator_partial(w->s, v, w->tmp);
        coefficient = differentiate(&d, residual);
    }
    if (!expr_exists(coefficient) || !pool_by_value(p))
        return 1 + (hash_word(map_key_pair(e, v.i)) >> 4);
    return expr_residue(p, expr_substitute(p, &w->values, coefficient));
}

static Slopes slopes_of(Values *w, Arena *mem)
{
    System *s = w->s;
    Slopes out = {.is_used = w->is_used,
                  .var = arena_array(mem, VarId, s->var.n + 1),
                  .column = arena_array(mem, uint32_t, s->var.n + 1)};
    bool *unknown = arena_array(mem, bool, s->var.n + 1);
    bool *is_marked = arena_array(mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++) {
        unknown[k] = var_is_unknown(&s->var.at[k]);
        out.column[k] = unknown[k] ? out.n : INC_NONE;
        if (unknown[k])
            out.var[out.n++] = (VarId){k};
    }
    Rows rows = {.b = incidence_begin(mem, out.n)};
    for (uint32_t e = 0; e < s->eq.n; e++) {
        ArenaMark mark = arena_mark(w->tmp);
        ExprId residual = residual_of(w, e);
        VarId *found;
        uint32_t n = unknowns_of(s, unknown, residual, UINT32_MAX - 1, w->tmp, &found);
        for (uint32_t k = 0; k < n; k++)
            is_marked[found[k].i] = true;
        LinearForm f = linear_form(s, is_marked, &w->values, residual, w->tmp);
        add_row(&rows, mem);
        for (uint32_t k = 0; k < f.n; k++)
            add_entry(&rows, out.column[f.var[k].i], slope_of(w, residual, f.var[k], f.coeff[k], e),
                      mem);
        for (uint32_t k = 0; k < n; k++)
            is_marked[found[k].i] = false;
        arena_rollback(w->tmp, mark);
    }
    out.g = rows_done(&rows, mem);
    return out;
}

/* ---- variables determined by states alone ---- */

/* Positions and velocities: columns that equations without multipliers give from states. Each may
 * be differentiated some times before accelerations occur:
 *     phi twice until der(w), where der(phi) = w;   r = f(phi) likewise;   v = der(r) once. */
typedef struct Known {
    const Slopes *t;
    bool *is_known;   /* per column                                                     */
    uint32_t *order;  /* per known column: derivatives that are known, too; ANY if all   */
    uint32_t *gives;  /* per equation: the column that it gives, or INC_NONE             */
    uint32_t *by;     /* per column: the equation that gives it, or INC_NONE             */
    uint32_t *der;    /* per column, or INC_NONE                                         */
    uint32_t *der_of; /* likewise                                                        */
    VEC(uint32_t) in; /* known columns in the order in which they became so              */
} Known;

enum { ANY = 1000 };

static void find_given(Known *n, const bool *is_open_row, Arena *mem)
{
    const Incidence *g = &n->t->g;
    uint32_t *open = arena_array(mem, uint32_t, g->n_rows + 1);
    VEC(uint32_t) ready = {0};
    for (uint32_t e = g->n_rows; e-- > 0;) {
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            open[e] += !n->is_known[g->col[k]];
        if (open[e] == 1 && is_open_row[e])
            vec_push(mem, ready, e);
    }
    while (ready.n) {
        uint32_t e = ready.at[--ready.n], c = INC_NONE;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            if (!n->is_known[g->col[k]])
                c = g->col[k];
        if (c == INC_NONE)
            continue;
        n->is_known[c] = true;
        n->gives[e] = c;
        n->by[c] = e;
        vec_push(mem, n->in, c);
        for (uint32_t i = g->col_begin[c]; i < g->col_begin[c + 1]; i++)
            if (--open[g->row[i]] == 1 && is_open_row[g->row[i]])
                vec_push(mem, ready, g->row[i]);
    }
}

static uint32_t order_of(const Known *n, const bool *is_state, uint32_t c)
{
    const Incidence *g = &n->t->g;
    if (is_state[n->t->var[c].i])
        return n->der[c] != INC_NONE && n->is_known[n->der[c]] ? n->order[n->der[c]] + 1 : 0;
    if (n->by[c] == INC_NONE)
        return n->order[n->der_of[c]] - 1;
    uint32_t e = n->by[c], least = ANY;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        if (g->col[k] != c && n->order[g->col[k]] < least)
            least = n->order[g->col[k]];
    return least;
}

/* Orders as far as they are known; true if a derivative became known by that. */
static bool find_orders(Known *n, const bool *is_state, Arena *mem)
{
    bool changes = true, more = false;
    while (changes) {
        changes = false;
        for (uint32_t k = 0; k < n->in.n; k++) {
            uint32_t c = n->in.at[k], order = order_of(n, is_state, c);
            changes = changes || order != n->order[c];
            n->order[c] = order;
        }
    }
    for (uint32_t k = 0; k < n->in.n; k++) {
        uint32_t c = n->in.at[k], d = n->der[c];
        if (d == INC_NONE || n->is_known[d] || n->order[c] == 0 || is_state[n->t->var[c].i])
            continue;
        n->is_known[d] = more = true;
        n->order[d] = n->order[c] == ANY ? ANY : n->order[c] - 1;
        vec_push(mem, n->in, d);
    }
    return more;
}

static Known known_of(const System *s, const Slopes *t, const bool *is_state,
                      const bool *is_open_row, Arena *mem)
{
    Known n = {.t = t,
               .is_known = arena_array(mem, bool, t->n + 1),
               .order = arena_array(mem, uint32_t, t->n + 1),
               .gives = arena_array(mem, uint32_t, t->g.n_rows + 1),
               .by = arena_array(mem, uint32_t, t->n + 1),
               .der = arena_array(mem, uint32_t, t->n + 1),
               .der_of = arena_array(mem, uint32_t, t->n + 1)};
    for (uint32_t e = 0; e < t->g.n_rows; e++)
        n.gives[e] = INC_NONE;
    for (uint32_t c = 0; c < t->n; c++) {
        const Var *v = &s->var.at[t->var[c].i];
        n.by[c] = INC_NONE;
        n.der[c] = var_exists(v->der) ? t->column[v->der.i] : INC_NONE;
        n.der_of[c] = var_exists(v->der_of) ? t->column[v->der_of.i] : INC_NONE;
        n.is_known[c] = is_state[t->var[c].i];
        if (n.is_known[c])
            vec_push(mem, n.in, c);
    }
    do
        find_given(&n, is_open_row, mem);
    while (find_orders(&n, is_state, mem));
    return n;
}

/* Motions that are prescribed: where an equation without multipliers is of known variables alone,
 * and gives none of them, the states that these follow from are none. False if there is no such
 * state. */
static bool demote_prescribed(const Known *n, const bool *is_open_row, bool *is_state, Arena *mem)
{
    const Incidence *g = &n->t->g;
    bool *seen = arena_array(mem, bool, g->n_rows + 1), any = false;
    VEC(uint32_t) todo = {0};
    for (uint32_t e = 0; e < g->n_rows; e++) {
        bool clashes = is_open_row[e] && n->gives[e] == INC_NONE;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            clashes = clashes && n->is_known[g->col[k]];
        if (clashes)
            vec_push(mem, todo, e);
    }
    while (todo.n) {
        uint32_t e = todo.at[--todo.n];
        if (seen[e])
            continue;
        seen[e] = true;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t c = g->col[k];
            any = any || is_state[n->t->var[c].i];
            is_state[n->t->var[c].i] = false;
            if (n->by[c] != INC_NONE)
                vec_push(mem, todo, n->by[c]);
        }
    }
    return any;
}

/* ---- the Jacobian by accelerations and forces ---- */

/* Columns: of a variable and its derivatives one. */
typedef struct Chains {
    uint32_t n;
    VarId *var;      /* per chain: the lowest                         */
    uint32_t *chain; /* per column of the slopes                      */
    uint32_t *place; /* likewise: which derivative of the lowest it is */
} Chains;

static Chains chains_of(const System *s, const Slopes *t, Arena *mem)
{
    Chains o = {.var = arena_array(mem, VarId, t->n + 1),
                .chain = arena_array(mem, uint32_t, t->n + 1),
                .place = arena_array(mem, uint32_t, t->n + 1)};
    /* a derivative comes after its base variable */
    for (uint32_t c = 0; c < t->n; c++) {
        VarId below = s->var.at[t->var[c].i].der_of;
        uint32_t at = var_exists(below) ? t->column[below.i] : INC_NONE;
        o.chain[c] = at == INC_NONE ? o.n : o.chain[at];
        o.place[c] = at == INC_NONE ? 0 : o.place[at] + 1;
        if (at == INC_NONE)
            o.var[o.n++] = t->var[c];
    }
    return o;
}

/* Whether entry k of row e belongs to the Jacobian with respect to accelerations. An equation that
 * determines a known variable is differentiated until accelerations occur: its entries are the
 * variables of the same order of differentiation, with the partial derivatives of the equation
 * itself (Pryce 2001, A simple structural analysis method for DAEs). In all other equations the
 * entries are the unknowns, and of a variable and its derivatives the highest derivative. */
static bool counts(const Known *n, const Chains *o, uint32_t e, uint32_t k)
{
    const Incidence *g = &n->t->g;
    uint32_t c = g->col[k], given = n->gives[e];
    if (given != INC_NONE)
        return n->is_known[c] && n->order[c] == n->order[given];
    for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1]; i++)
        if (o->chain[g->col[i]] == o->chain[c] && o->place[g->col[i]] > o->place[c])
            return false;
    return !n->is_known[c];
}

static Incidence jacobian_of(const Known *n, const Chains *o, Arena *mem)
{
    const Incidence *g = &n->t->g;
    Rows rows = {.b = incidence_begin(mem, o->n)};
    for (uint32_t e = 0; e < g->n_rows; e++) {
        add_row(&rows, mem);
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            if (counts(n, o, e, k))
                add_entry(&rows, o->chain[g->col[k]], g->residue[k], mem);
    }
    return rows_done(&rows, mem);
}

/* ---- coordinates and balances to leave out ---- */

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

/* Chooses the balances: if possible no sum that a force of a cut joint is put in by, no element of
 * an array of equations, since arrays are regular as a whole, and no assignment, but equations near
 * the cut. Returns how many. */
static uint32_t find_balances(const System *s, const LoopCut *c, const Slopes *t,
                              const Incidence *jacobian, EqId *out, Arena *mem)
{
    uint32_t *distance = distances(s, c, &t->g, mem);
    Wish *wish = arena_array(mem, Wish, jacobian->n_rows + 1);
    for (uint32_t e = 0; e < jacobian->n_rows; e++) {
        uint32_t far = distance[e] == INC_NONE ? jacobian->n_rows : distance[e];
        bool is_array = s->eq.at[e].group != GROUP_NONE;
        uint32_t strength = far == 0        ? 0
                            : t->is_used[e] ? 1
                            : is_array      ? 2
                                            : 3 + jacobian->n_rows - far;
        wish[e] = (Wish){strength, e};
    }
    uint32_t *row = arena_array(mem, uint32_t, jacobian->n_rows + 1);
    uint32_t n = surplus_of(jacobian, wish, row, mem);
    for (uint32_t k = 0; k < n; k++)
        out[k] = (EqId){row[k]};
    return n;
}

static bool is_component_of(const char *component, Name path)
{
    size_t n = strlen(component);
    return n > 0 && strncmp(component, path.s, n) == 0 && path.s[n] == '.';
}

/* Accelerations: derivatives of states, of the joints whose balances are left out if that can be.
 * False if something else has no value then. */
static bool find_accelerations(const System *s, const bool *is_state, const Known *known,
                               const Chains *o, const Incidence *jacobian, uint32_t n,
                               const EqId *balance, VarId *out, Arena *mem)
{
    Incidence g = incidence_transpose(jacobian, mem);
    g.residue = arena_array(mem, uint64_t, g.n_edges + 1);
    for (uint32_t k = 0; k < g.n_edges; k++)
        g.residue[k] = jacobian->residue[jacobian->edge[k]];
    Wish *wish = arena_array(mem, Wish, g.n_rows + 1);
    uint32_t *col = arena_array(mem, uint32_t, g.n_rows + 1);
    bool *is_free = arena_array(mem, bool, g.n_rows + 1);
    for (uint32_t c = 0; c < g.n_rows; c++) {
        VarId state = o->var[c];
        bool is_near = false;
        uint32_t at = known->t->column[state.i];
        is_free[c] = is_state[state.i] && known->der[at] != INC_NONE && known->order[at] == 0;
        for (uint32_t k = 0; is_free[c] && !is_near && k < n; k++) {
            const char *owner = s->eq.at[balance[k].i].origin;
            is_near = owner && is_component_of(owner, s->var.at[state.i].name);
        }
        wish[c] = (Wish){is_free[c] + (uint32_t)is_near, c};
    }
    if (surplus_of(&g, wish, col, mem) != n)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        if (!is_free[col[k]])
            return false;
        out[k] = s->var.at[o->var[col[k]].i].der;
    }
    return true;
}

/* Where nothing is known of the values of states. */
static Slopes slopes_at_any_states(System *s, const bool *is_state, const bool *is_open_row,
                                   Arena *mem)
{
    Values w = {.s = s,
                .mem = mem,
                .tmp = arena_new(),
                .value = parameters_written(s, mem),
                .is_unknown = arena_array(mem, bool, s->var.n + 1),
                .is_used = arena_array(mem, bool, s->eq.n + 1),
                .is_open_row = is_open_row};
    w.values = (Substitution){.value = w.value, .n = s->var.n, .mem = mem};
    for (uint32_t k = 0; k < s->var.n; k++)
        w.is_unknown[k] = var_is_unknown(&s->var.at[k]) && !is_state[k];
    propagate(&w);
    Slopes t = slopes_of(&w, mem);
    arena_free(w.tmp);
    return t;
}

void massless_find(System *s, LoopCut *c, Arena *scratch)
{
    bool *is_state = arena_array(scratch, bool, s->var.n + 1);
    bool *is_multiplier = arena_array(scratch, bool, s->var.n + 1);
    bool *is_open_row = arena_array(scratch, bool, s->eq.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        is_state[k] = wants_to_be_state(s, k);
    for (uint32_t k = 0; k < c->n_constraints; k++)
        is_multiplier[c->multiplier[k].i] = true;
    for (uint32_t e = 0; e < s->eq.n; e++) {
        VarId *found;
        is_open_row[e] = !unknowns_of(s, is_multiplier, s->eq.at[e].lhs, 0, scratch, &found) &&
                         !unknowns_of(s, is_multiplier, s->eq.at[e].rhs, 0, scratch, &found);
    }
    PoolMark mark = pool_mark(s->pool);
    Slopes t = slopes_at_any_states(s, is_state, is_open_row, scratch);
    pool_rollback(s->pool, mark);
    Known known = known_of(s, &t, is_state, is_open_row, scratch);
    while (demote_prescribed(&known, is_open_row, is_state, scratch))
        known = known_of(s, &t, is_state, is_open_row, scratch);
    Chains o = chains_of(s, &t, scratch);
    Incidence jacobian = jacobian_of(&known, &o, scratch);
    EqId *balance = arena_array(scratch, EqId, jacobian.n_rows + 1);
    VarId *acceleration = arena_array(scratch, VarId, jacobian.n_cols + 1);
    uint32_t n = find_balances(s, c, &t, &jacobian, balance, scratch);
    if (n > 0 &&
        find_accelerations(s, is_state, &known, &o, &jacobian, n, balance, acceleration, scratch))
        loops_release(s, c, n, balance, acceleration, scratch);
}
