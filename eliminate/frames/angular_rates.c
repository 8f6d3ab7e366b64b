#include "eliminate/frames/angular_rates.h"

#include "base/hash.h"
#include "eliminate/frames/explicit_values.h"
#include "eliminate/frames/rotations.h"

/* A scalar variable with a sign; none: zero. */
typedef struct Signed {
    VarId var;
    bool negative;
} Signed;

typedef struct RateMatrix {
    VarId var[DIM][DIM];
    bool is_transposed; /* its rows turn, not its columns */
    Signed omega[DIM];  /* of the rotating vectors: der(x) = omega x x */
    bool is_active;     /* its derivatives are replaced in the loop at work */
} RateMatrix;

typedef struct AngularRates {
    ExplicitValues *values;
    Rotations *rotations;
    Rewriting *rewriting;
    const Blt *blt;
    const Shape *var_shape, *eq_shape; /* of arrays of variables and equations, by group */
    Arena *mem;
    uint32_t n_vars;
    EqId *eq_of; /* per variable: the explicit equation of it */
    VEC(RateMatrix) matrix;
    Map matrix_of; /* entry -> place in `matrix`, NO_MATRIX: in none that turns */
    bool *is_rate; /* per variable: a derivative of a matrix at work */
    OpCounter as_written;
    Substitution none;
    ExprId *nothing; /* per variable: EXPR_NONE */
} AngularRates;

enum { NO_MATRIX = UINT32_MAX - 1 };

/* ---- derivatives of known variables ---- */

static const Fp zero = {{0, 0}};

static ExprId alias_of(const AngularRates *w, VarId v)
{
    const Aliases *a = w->blt->aliases;
    return a && v.i < a->n ? a->value[v.i] : EXPR_NONE;
}

static VarId der_of(const AngularRates *w, VarId v)
{
    return w->values->s->var.at[v.i].der;
}

/* The variable that v is an alias of, or v. False: v is constant. */
static bool resolve(const AngularRates *w, VarId v, Signed *out)
{
    const ExprPool *p = w->values->s->pool;
    *out = (Signed){v, false};
    ExprId a = alias_of(w, v);
    if (!expr_exists(a))
        return true;
    ExprId node = without_sign(p, a);
    if (expr_op(p, node) != OP_VAR || expr_is_fixed(p, node))
        return false;
    *out = (Signed){expr_var_of(p, node), !expr_same(node, a)};
    return true;
}

/* Of a variable or removed one, over the states. */
static ExprId value_of(const AngularRates *w, VarId v)
{
    ExprId x = alias_of(w, v);
    if (!expr_exists(x))
        x = system_var_expr(w->values->s, v);
    return expr_substitute(w->values->s->pool, &w->values->values, x);
}

static bool is_constant(const AngularRates *w, VarId v)
{
    return expr_is_fixed(w->values->s->pool, value_of(w, v));
}

/* Whether v is known before the loop at work. */
static bool is_before(const AngularRates *w, VarId v)
{
    return !w->values->is_unknown[v.i] &&
           (w->blt->is_state[v.i] || expr_exists(w->values->value[v.i]));
}

/* The derivative's value; false if it has none. */
static bool rate_value(const AngularRates *w, VarId v, Fp *out)
{
    const System *s = w->values->s;
    Signed x;
    if (is_constant(w, v) || !resolve(w, v, &x)) {
        *out = zero;
        return is_constant(w, v);
    }
    VarId d = der_of(w, x.var);
    Signed y;
    if (!var_exists(d))
        return false;
    if (is_constant(w, d)) {
        *out = expr_fingerprint(s->pool, value_of(w, d));
    } else {
        if (!resolve(w, d, &y) || !is_before(w, y.var))
            return false;
        *out = expr_fingerprint(s->pool, value_of(w, d));
    }
    if (x.negative)
        *out = fp_neg(*out);
    return true;
}

/* ---- angular velocities ---- */

typedef struct Search {
    AngularRates *w;
    Loop *l;
    Arena *mem;
    Map first; /* hash of a value -> 1 + the last variable that has it, up to sign */
    Map next;  /* variable -> 1 + one before it */
    Map kept;  /* equations that determine entries of matrices or angular velocities */
    VEC(uint32_t) active;
} Search;

static uint64_t key_of(Fp f)
{
    return hash_pair(f.r[0], f.r[1]) ^ hash_pair(fp_neg(f).r[0], fp_neg(f).r[1]);
}

/* Known variables that have a derivative. */
static void list_rates(Search *f)
{
    const AngularRates *w = f->w;
    const System *s = w->values->s;
    for (uint32_t v = 0; v < w->n_vars; v++) {
        VarId x = {v}, d = s->var.at[v].der;
        if (!var_exists(d) || expr_exists(alias_of(w, x)) || !is_before(w, x) ||
            (!w->values->is_unknown[d.i] && !is_before(w, d)))
            continue;
        uint64_t key = key_of(expr_fingerprint(s->pool, value_of(w, x)));
        uint32_t before = map_get(&f->first, key);
        if (before != MAP_NONE)
            map_put(&f->next, v, before);
        map_put(&f->first, key, v);
    }
}

/* Whether v has the value, perhaps negative. */
static bool has_value(const AngularRates *w, VarId v, Fp value, Signed *out)
{
    Fp f = expr_fingerprint(w->values->s->pool, value_of(w, v));
    *out = (Signed){v, !fp_same(f, value)};
    return fp_same(f, value) || fp_same(fp_neg(f), value);
}

/* The variable of that value; of several, that whose neighbours in its array have the values
 * beside.
 */
static bool find_rate(const Search *f, const Fp omega[DIM], uint32_t k, Signed *out)
{
    enum { MOST = 16 };
    const System *s = f->w->values->s;
    uint32_t best = 0;
    uint32_t v = map_get(&f->first, key_of(omega[k]));
    for (uint32_t looked = 0; v != MAP_NONE && looked < MOST; looked++) {
        Signed x, y;
        if (has_value(f->w, (VarId){v}, omega[k], &x)) {
            uint32_t score = 2 + f->w->blt->is_state[v];
            const Var *at = &s->var.at[v];
            for (uint32_t b = 0; b < DIM; b++) {
                uint32_t other = v + b - k;
                if (b == k || at->group == GROUP_NONE || other >= f->w->n_vars ||
                    s->var.at[other].group != at->group ||
                    s->var.at[other].index != at->index + b - k)
                    continue;
                if (has_value(f->w, (VarId){other}, omega[b], &y) && y.negative == x.negative)
                    score += 2;
            }
            if (score > best) {
                best = score;
                *out = x;
            }
        }
        v = map_get(&f->next, v);
    }
    return best > 0;
}

static VarId entry_of(const RateMatrix *m, uint32_t i, uint32_t j)
{
    return m->is_transposed ? m->var[j][i] : m->var[i][j];
}

/* der(M) M' is skew: omega. */
static bool find_omega(const Search *f, RateMatrix *m)
{
    const AngularRates *w = f->w;
    const ExprPool *p = w->values->s->pool;
    Fp x[DIM][DIM], rate[DIM][DIM], omega[DIM];
    for (uint32_t i = 0; i < DIM; i++) {
        for (uint32_t j = 0; j < DIM; j++) {
            x[i][j] = expr_fingerprint(p, value_of(w, entry_of(m, i, j)));
            if (!rate_value(w, entry_of(m, i, j), &rate[i][j]))
                return false;
        }
    }
    for (uint32_t k = 0; k < DIM; k++) {
        omega[k] = zero;
        for (uint32_t j = 0; j < DIM; j++)
            omega[k] = fp_add(omega[k], fp_mul(rate[(k + 2) % DIM][j], x[(k + 1) % DIM][j]));
        m->omega[k] = (Signed){VAR_NONE, false};
        if (!fp_is_zero(omega[k]) && !find_rate(f, omega, k, &m->omega[k]))
            return false;
    }
    for (uint32_t j = 0; j < DIM; j++) {
        for (uint32_t k = 0; k < DIM; k++) {
            uint32_t a = (k + 1) % DIM, b = (k + 2) % DIM;
            Fp cross = fp_sub(fp_mul(omega[a], x[b][j]), fp_mul(omega[b], x[a][j]));
            if (!fp_same(cross, rate[k][j]))
                return false;
        }
    }
    return true;
}

/* ---- equations that stay ---- */

static void keep(Search *f, VarId v)
{
    Signed x;
    if (resolve(f->w, v, &x) && f->w->eq_of[x.var.i].i != EQ_NONE.i)
        map_put(&f->kept, f->w->eq_of[x.var.i].i, 1);
}

/* Whether it is a derivative of one of those. */
static bool is_kept(const Search *f, EqId e)
{
    const System *s = f->w->values->s;
    for (uint32_t d = s->eq.at[e.i].der_of; d > 0; d = s->eq.at[d - 1].der_of)
        if (map_get(&f->kept, d - 1) != MAP_NONE)
            return true;
    return false;
}

/* The matrix whose derivative of that order has v as an entry, and which one. */
static RateMatrix *matrix_of(const Search *f, VarId v, uint32_t order, uint32_t *i, uint32_t *j)
{
    const System *s = f->w->values->s;
    for (; order > 0 && var_exists(v); order--)
        v = s->var.at[v.i].der_of;
    uint32_t k = var_exists(v) ? map_get(&f->w->matrix_of, v.i) : MAP_NONE;
    if (k == MAP_NONE || k == NO_MATRIX)
        return NULL;
    RateMatrix *m = &f->w->matrix.at[k];
    for (*i = 0; *i < DIM; ++*i)
        for (*j = 0; *j < DIM; ++*j)
            if (entry_of(m, *i, *j).i == v.i)
                return m;
    return NULL;
}

/* The rotation that v is an entry of, if it is one of 3 x 3 that is known and whose angular
 * velocity is; NULL else. */
static RateMatrix *examine(Search *f, VarId v)
{
    AngularRates *w = f->w;
    const System *s = w->values->s;
    uint32_t known = map_get(&w->matrix_of, v.i);
    if (known != MAP_NONE)
        return known == NO_MATRIX ? NULL : &w->matrix.at[known];
    uint32_t back = s->var.at[v.i].index % (DIM * DIM);
    if (s->var.at[v.i].group == GROUP_NONE || back > v.i ||
        matrix_at(s, w->var_shape, v.i - back) != DIM)
        return NULL;
    RateMatrix m = {0};
    ExprId x[DIM * DIM];
    bool is_known = true;
    for (uint32_t k = 0; k < DIM * DIM; k++) {
        Signed e;
        VarId entry = {v.i - back + k};
        m.var[k / DIM][k % DIM] = entry;
        x[k] = value_of(w, entry);
        if (!is_constant(w, entry) && (!resolve(w, entry, &e) || !is_before(w, e.var)))
            is_known = false;
    }
    bool turns = is_known && rotations_offer(w->rotations, DIM, x, m.var[0][0]) != UINT32_MAX;
    if (turns) {
        if (f->first.n == 0)
            list_rates(f);
        turns = find_omega(f, &m);
        if (!turns) {
            m.is_transposed = true;
            turns = find_omega(f, &m);
        }
    }
    for (uint32_t k = 0; k < DIM * DIM; k++)
        map_put(&w->matrix_of, v.i - back + k, turns ? w->matrix.n : NO_MATRIX);
    if (!turns)
        return NULL;
    vec_push(w->mem, w->matrix, m);
    return &vec_last(w->matrix);
}

static bool is_second_rate(const Search *f, VarId unknown)
{
    uint32_t i, j;
    const RateMatrix *m = matrix_of(f, unknown, 2, &i, &j);
    return m && m->is_active;
}

static void find_active(Search *f)
{
    const System *s = f->w->values->s;
    const Loop *l = f->l;
    f->kept = map_new(f->mem);
    f->first = map_new(f->mem);
    f->next = map_new(f->mem);
    for (uint32_t u = 0; u < l->n; u++) {
        VarId d = s->var.at[l->var[u].i].der_of;
        VarId v = var_exists(d) ? s->var.at[d.i].der_of : VAR_NONE;
        RateMatrix *m = var_exists(v) ? examine(f, v) : NULL;
        if (!m || m->is_active)
            continue;
        m->is_active = true;
        vec_push(f->mem, f->active, (uint32_t)(m - f->w->matrix.at));
    }
}

/* Equations of the loop that determine second derivatives or angular accelerations stay as they
 * are: as many equations as unknowns leave the loop. False: they do not. */
static bool find_kept(Search *f, bool *leaves)
{
    const Loop *l = f->l;
    for (uint32_t k = 0; k < f->active.n; k++) {
        const RateMatrix *m = &f->w->matrix.at[f->active.at[k]];
        for (uint32_t i = 0; i < DIM * DIM; i++)
            keep(f, m->var[i / DIM][i % DIM]);
    }
    uint32_t n_eqs = 0, n_vars = 0;
    for (uint32_t e = 0; e < l->n; e++) {
        leaves[e] = is_kept(f, l->eq[e]);
        n_eqs += leaves[e];
        n_vars += is_second_rate(f, l->var[e]);
    }
    for (uint32_t k = 0; k < f->active.n; k++)
        for (uint32_t i = 0; i < DIM; i++)
            if (var_exists(f->w->matrix.at[f->active.at[k]].omega[i].var))
                keep(f, f->w->matrix.at[f->active.at[k]].omega[i].var);
    /* of those that determine angular accelerations none may read second derivatives */
    for (uint32_t e = 0; e < l->n; e++) {
        if (leaves[e] || !is_kept(f, l->eq[e]))
            continue;
        for (uint32_t k = 0; k < l->form[e].n; k++)
            if (is_second_rate(f, l->form[e].var[k]))
                return false;
    }
    return n_eqs == n_vars && n_eqs > 0;
}

/* ---- writing ---- */

static ExprId signed_var(System *s, Signed x, bool is_rate)
{
    if (!var_exists(x.var))
        return expr_int(s->pool, 0);
    ExprId y = system_var_expr(s, is_rate ? s->var.at[x.var.i].der : x.var);
    return x.negative ? expr_neg(s->pool, y) : y;
}

static void cross(ExprPool *p, const ExprId a[DIM], const ExprId b[DIM], ExprId out[DIM])
{
    for (uint32_t k = 0; k < DIM; k++) {
        uint32_t i = (k + 1) % DIM, j = (k + 2) % DIM;
        out[k] = expr_sub(p, expr_mul(p, a[i], b[j]), expr_mul(p, a[j], b[i]));
    }
}

/* d is turned by the matrix: row i of its first or second derivative. */
static ExprId rate_of(const Search *f, const RateMatrix *m, const ExprId d[DIM], uint32_t order,
                      uint32_t i)
{
    System *s = f->w->values->s;
    ExprPool *p = s->pool;
    ExprId omega[DIM], alpha[DIM], a[DIM], b[DIM], c[DIM];
    for (uint32_t k = 0; k < DIM; k++) {
        omega[k] = signed_var(s, m->omega[k], false);
        alpha[k] = signed_var(s, m->omega[k], true);
    }
    cross(p, omega, d, b);
    if (order == 1)
        return b[i];
    cross(p, alpha, d, a);
    cross(p, omega, b, c);
    return expr_add(p, a[i], c[i]);
}

/* Marks the derivatives of active matrices, or takes that back. */
static void mark_rates(Search *f, bool is_marked)
{
    const System *s = f->w->values->s;
    for (uint32_t k = 0; k < f->active.n; k++) {
        for (uint32_t e = 0; e < DIM * DIM; e++) {
            VarId d = der_of(f->w, f->w->matrix.at[f->active.at[k]].var[e / DIM][e % DIM]);
            for (; var_exists(d); d = s->var.at[d.i].der)
                f->w->is_rate[d.i] = is_marked;
        }
    }
}

/* Equation e by angular velocities and accelerations; false if it reads no derivatives of active
 * matrices. */
static bool rewrite(Search *f, EqId e)
{
    AngularRates *w = f->w;
    System *s = w->values->s;
    ExprPool *p = s->pool;
    const Eq *q = &s->eq.at[e.i];
    ArenaMark mark = arena_mark(w->values->tmp);
    LinearForm form =
        linear_form(s, w->is_rate, &w->none, expr_sub(p, q->lhs, q->rhs), w->values->tmp);
    bool ok = form.is_linear && form.n > 0;
    ExprId sum = form.rest;
    for (uint32_t n = 0; n < form.n && ok; n++) {
        uint32_t order = 1, row, i, j;
        const RateMatrix *m = matrix_of(f, form.var[n], order, &row, &j);
        if (!m)
            m = matrix_of(f, form.var[n], ++order, &row, &j);
        bool is_first = m != NULL;
        for (uint32_t k = 0; k < n && is_first; k++)
            is_first = matrix_of(f, form.var[k], order, &i, &j) != m || i != row;
        if (!is_first)
            continue;
        ExprId d[DIM] = {expr_int(p, 0), expr_int(p, 0), expr_int(p, 0)};
        for (uint32_t k = n; k < form.n; k++) {
            if (matrix_of(f, form.var[k], order, &i, &j) != m || i != row)
                continue;
            ExprId c = expr_substitute(p, &w->values->values, form.coeff[k]);
            for (uint32_t b = 0; b < DIM; b++)
                d[b] = expr_add(p, d[b], expr_mul(p, c, value_of(w, entry_of(m, b, j))));
        }
        for (uint32_t b = 0; b < DIM; b++)
            d[b] = explicit_values_written(w->values, d[b]);
        sum = expr_add(p, sum, rate_of(f, m, d, order, row));
    }
    arena_rollback(w->values->tmp, mark);
    if (ok)
        rewriting_set(w->rewriting, e, sum, expr_int(p, 0), q->index);
    return ok;
}

/* Whether the equations that read second derivatives are linear in all derivatives. */
static bool can_rewrite(Search *f, const bool *leaves)
{
    AngularRates *w = f->w;
    System *s = w->values->s;
    for (uint32_t e = 0; e < f->l->n; e++) {
        const LinearForm *form = &f->l->form[e];
        uint32_t k = 0;
        while (k < form->n && !is_second_rate(f, form->var[k]))
            k++;
        if (leaves[e] || k == form->n)
            continue;
        const Eq *q = &s->eq.at[f->l->eq[e].i];
        ArenaMark mark = arena_mark(w->values->tmp);
        bool is_linear =
            linear_form(s, w->is_rate, &w->none, expr_sub(s->pool, q->lhs, q->rhs), w->values->tmp)
                .is_linear;
        arena_rollback(w->values->tmp, mark);
        if (!is_linear)
            return false;
    }
    return true;
}

static void leave(Search *f, const bool *leaves)
{
    Loop *l = f->l;
    EqId *eq = arena_array(f->mem, EqId, l->n);
    VarId *var = arena_array(f->mem, VarId, l->n);
    uint32_t n_eqs = 0, n_vars = 0;
    for (uint32_t e = 0; e < l->n; e++) {
        if (!leaves[e])
            eq[n_eqs++] = l->eq[e];
        if (!is_second_rate(f, l->var[e]))
            var[n_vars++] = l->var[e];
    }
    loop_close(l, f->w->values);
    loop_open(l, f->w->values, n_vars, eq, var, f->mem);
}

/* ---- gyroscopic parts ---- */

typedef struct Rows {
    uint32_t at[DIM]; /* places in the loop; UINT32_MAX: no such row */
} Rows;

static uint32_t operations(AngularRates *w, uint32_t n, const ExprId *root)
{
    op_counter_begin(&w->as_written);
    OpCount c = op_counter_more(&w->as_written, n, root);
    return (uint32_t)(c.add + c.mul + c.div + c.call);
}

/* The known part of the rows, if it is omega x (M omega) up to sign: written so
 * where that is cheaper. */
static bool write_gyroscopic(Search *f, const Rows *r, const RateMatrix *m)
{
    AngularRates *w = f->w;
    System *s = w->values->s;
    ExprPool *p = s->pool;
    Loop *l = f->l;
    Fp omega[DIM], h[DIM] = {zero, zero, zero}, c[DIM][DIM] = {0}, rest[DIM];
    ExprId coeff[DIM][DIM];
    for (uint32_t b = 0; b < DIM; b++) {
        omega[b] =
            var_exists(m->omega[b].var) ? expr_fingerprint(p, value_of(w, m->omega[b].var)) : zero;
        if (m->omega[b].negative)
            omega[b] = fp_neg(omega[b]);
    }
    for (uint32_t i = 0; i < DIM; i++) {
        rest[i] = zero;
        for (uint32_t b = 0; b < DIM; b++)
            coeff[i][b] = expr_int(p, 0);
        if (r->at[i] == UINT32_MAX)
            continue;
        const LinearForm *form = &l->form[r->at[i]];
        rest[i] = expr_fingerprint(p, form->rest);
        for (uint32_t n = 0; n < form->n; n++) {
            for (uint32_t b = 0; b < DIM; b++) {
                if (!var_exists(m->omega[b].var) ||
                    s->var.at[m->omega[b].var.i].der.i != form->var[n].i)
                    continue;
                coeff[i][b] = m->omega[b].negative ? expr_neg(p, form->coeff[n]) : form->coeff[n];
                c[i][b] = expr_fingerprint(p, coeff[i][b]);
            }
        }
        for (uint32_t b = 0; b < DIM; b++)
            h[i] = fp_add(h[i], fp_mul(c[i][b], omega[b]));
    }
    bool plus = true, minus = true, any = false;
    for (uint32_t i = 0; i < DIM; i++) {
        uint32_t a = (i + 1) % DIM, b = (i + 2) % DIM;
        Fp g = fp_sub(fp_mul(omega[a], h[b]), fp_mul(omega[b], h[a]));
        any = any || (r->at[i] != UINT32_MAX && !fp_is_zero(g));
        plus = plus && (r->at[i] == UINT32_MAX || fp_same(g, rest[i]));
        minus = minus && (r->at[i] == UINT32_MAX || fp_same(fp_neg(g), rest[i]));
    }
    if (!any || (!plus && !minus))
        return false;
    ExprId x[DIM], g[DIM], o[DIM];
    for (uint32_t i = 0; i < DIM; i++) {
        o[i] = signed_var(s, m->omega[i], false);
        x[i] = expr_int(p, 0);
        for (uint32_t b = 0; b < DIM; b++) {
            ExprId c = explicit_values_written(w->values, coeff[i][b]);
            x[i] = expr_add(p, x[i], expr_mul(p, c, signed_var(s, m->omega[b], false)));
        }
    }
    cross(p, o, x, g);
    ExprId lhs[DIM], before[DIM], after[DIM];
    uint32_t n_rows = 0;
    for (uint32_t i = 0; i < DIM; i++) {
        if (r->at[i] == UINT32_MAX)
            continue;
        const LinearForm *form = &l->form[r->at[i]];
        ExprId sum = expr_int(p, 0);
        for (uint32_t n = 0; n < form->n; n++)
            sum = expr_add(p, sum,
                           expr_mul(p, explicit_values_written(w->values, form->coeff[n]),
                                    system_var_expr(s, form->var[n])));
        const Eq *q = &s->eq.at[l->eq[r->at[i]].i];
        lhs[i] = sum;
        before[n_rows] = expr_sub(p, q->lhs, q->rhs);
        after[n_rows++] = expr_add(p, sum, plus ? g[i] : expr_neg(p, g[i]));
    }
    if (operations(w, n_rows, after) >= operations(w, n_rows, before))
        return false;
    for (uint32_t i = 0; i < DIM; i++)
        if (r->at[i] != UINT32_MAX)
            rewriting_set(w->rewriting, l->eq[r->at[i]], lhs[i], plus ? expr_neg(p, g[i]) : g[i],
                          s->eq.at[l->eq[r->at[i]].i].index);
    return true;
}

static uint32_t find_gyroscopic(Search *f)
{
    AngularRates *w = f->w;
    const System *s = w->values->s;
    Loop *l = f->l;
    uint32_t found = 0;
    Map matrix_by_rate = map_new(f->mem), number = map_new(f->mem);
    VEC(Rows) rows = {0};
    for (uint32_t k = 0; k < f->active.n; k++) {
        const RateMatrix *m = &w->matrix.at[f->active.at[k]];
        for (uint32_t i = 0; i < DIM; i++)
            if (var_exists(m->omega[i].var))
                map_put(&matrix_by_rate, s->var.at[m->omega[i].var.i].der.i, f->active.at[k]);
    }
    for (uint32_t e = 0; e < l->n; e++) {
        const Eq *q = &s->eq.at[l->eq[e].i];
        if (q->group == GROUP_NONE)
            continue;
        Coordinate c = coordinate_of(q->group, q->index, w->eq_shape[q->group]);
        uint32_t k = map_number(&number, c.vector, rows.n);
        if (k == rows.n)
            vec_push(f->mem, rows, ((Rows){{UINT32_MAX, UINT32_MAX, UINT32_MAX}}));
        rows.at[k].at[c.k] = e;
    }
    for (uint32_t k = 0; k < rows.n; k++) {
        uint32_t m = MAP_NONE;
        for (uint32_t i = 0; i < DIM; i++) {
            const LinearForm *form =
                rows.at[k].at[i] == UINT32_MAX ? NULL : &l->form[rows.at[k].at[i]];
            for (uint32_t n = 0; form && n < form->n && m == MAP_NONE; n++)
                m = map_get(&matrix_by_rate, form->var[n].i);
        }
        if (m != MAP_NONE && write_gyroscopic(f, &rows.at[k], &w->matrix.at[m]))
            found++;
    }
    return found;
}

/* Rewrites equations of the loop that is open; how many. */
static uint32_t rewrite_loop(AngularRates *w, Loop *l, Arena *mem)
{
    Search f = {.w = w, .l = l, .mem = mem};
    uint32_t n = 0;
    bool *leaves = arena_array(mem, bool, l->n);
    find_active(&f);
    mark_rates(&f, true);
    if (f.active.n > 0 && find_kept(&f, leaves) && can_rewrite(&f, leaves)) {
        for (uint32_t e = 0; e < l->n; e++)
            n += !leaves[e] && rewrite(&f, l->eq[e]);
        leave(&f, leaves);
        n += find_gyroscopic(&f);
    }
    mark_rates(&f, false);
    for (uint32_t k = 0; k < f.active.n; k++)
        w->matrix.at[f.active.at[k]].is_active = false;
    return n;
}

/* Whether an unknown of the block is the second derivative of something. */
static bool has_second_rate(const Blt *b, uint32_t block)
{
    const System *s = b->sys;
    for (uint32_t k = b->blocks.begin[block]; k < b->blocks.begin[block + 1]; k++) {
        VarId d = s->var.at[blt_var(b, k).i].der_of;
        if (var_exists(d) && var_exists(s->var.at[d.i].der_of))
            return true;
    }
    return false;
}

uint32_t angular_rates_apply(const Blt *b, Rewriting *out, Arena *scratch)
{
    System *s = b->sys;
    const Blocks *blocks = &b->blocks;
    enum { LEAST = 4 }; /* equations of a loop */
    bool any = false;
    for (uint32_t k = 0; k < blocks->n && !any; k++)
        any = blocks->begin[k + 1] - blocks->begin[k] >= LEAST && has_second_rate(b, k);
    if (!any || !pool_by_value(s->pool))
        return 0;
    Arena *tmp = arena_new(), *row = arena_new();
    ExplicitValues values = explicit_values_new(s, scratch, row);
    Rotations rotations = rotations_new(s, scratch);
    uint32_t n_vars = s->var.n, n = 0;
    AngularRates w = {.values = &values,
                      .rotations = &rotations,
                      .rewriting = out,
                      .blt = b,
                      .var_shape = array_shapes(s, false, scratch),
                      .eq_shape = array_shapes(s, true, scratch),
                      .mem = scratch,
                      .n_vars = n_vars,
                      .eq_of = arena_array(scratch, EqId, n_vars),
                      .matrix_of = map_new(scratch),
                      .is_rate = arena_array(scratch, bool, n_vars),
                      .as_written = op_counter_new(s->pool, scratch),
                      .nothing = arena_array(scratch, ExprId, n_vars)};
    for (uint32_t v = 0; v < n_vars; v++) {
        w.eq_of[v] = EQ_NONE;
        w.nothing[v] = EXPR_NONE;
    }
    w.none = (Substitution){.value = w.nothing, .n = n_vars, .mem = scratch};
    for (uint32_t k = 0; k < blocks->n; k++) {
        uint32_t begin = blocks->begin[k], size = blocks->begin[k + 1] - begin;
        if (size == 1) {
            EqId e = {blocks->eq[begin]};
            explicit_values_solve(&values, e, blt_var(b, begin));
            w.eq_of[blt_var(b, begin).i] = e;
        }
        if (size < LEAST || !has_second_rate(b, k))
            continue;
        ArenaMark m = arena_mark(tmp);
        EqId *eq = arena_array(tmp, EqId, size);
        VarId *unknown = arena_array(tmp, VarId, size);
        blt_block(b, k, eq, unknown);
        Loop loop;
        if (loop_open(&loop, &values, size, eq, unknown, tmp))
            n += rewrite_loop(&w, &loop, tmp);
        loop_close(&loop, &values);
        arena_rollback(tmp, m);
    }
    arena_free(row);
    arena_free(tmp);
    return n;
}
