#include "eliminate/frames/reference_points.h"

#include "eliminate/frames/equation_sums.h"
#include "eliminate/frames/explicit_values.h"

enum { COORDINATES = 3, NO_VECTOR = UINT32_MAX };

typedef struct Torque {
    VarId var[COORDINATES];    /* VAR_NONE: not unknown in the loop */
    ExprId shift[COORDINATES]; /* the torque less that about the joint */
    uint32_t force;            /* the vector in the shift */
    bool is_force;             /* of another one */
    bool is_shifted;
    bool is_measured;     /* no torque, but shifted */
    VEC(uint32_t) reader; /* places in `rows` where it stands plainly */
} Torque;

typedef struct Plain {
    uint32_t vector;
    int sign; /* its coordinates stand alone in the rows, times 1 or -1 */
} Plain;

typedef struct Rows {
    uint32_t at[COORDINATES]; /* places in the loop, NO_VECTOR: not in it */
    LinearForm form[COORDINATES];
    ExprId residual[COORDINATES];
    VEC(Plain) plain;
    bool is_moved;
} Rows;

typedef struct Points {
    System *s;
    const Shape *var_shape, *eq_shape;
    uint32_t n_eq_groups;
    Rewriting *rewriting;
    const bool *is_unknown;
    const bool *is_known; /* per variable: determined before the loop */
    EqId *eq_of;          /* per variable: its explicit equation      */
    uint32_t *n_readers;  /* per variable: equations of the loop      */
    Arena *mem;
    Map number; /* vector -> place in `torque` */
    VEC(Torque) torque;
    VEC(Rows) rows;
    Substitution by, none;
    ExprId *value, *nothing; /* per variable; EXPR_NONE: stays */
} Points;

/* The vector that v is a coordinate of, and which. */
static uint32_t vector_of(const Points *w, VarId v, uint32_t *k)
{
    const Var *x = &w->s->var.at[v.i];
    if (x->group == GROUP_NONE)
        return NO_VECTOR;
    Coordinate c = coordinate_of(x->group, x->index, w->var_shape[x->group]);
    *k = c.k;
    uint32_t n = map_get(&w->number, c.vector);
    return n == MAP_NONE ? NO_VECTOR : n;
}

static void find_vectors(Points *w, uint32_t n, const VarId *var)
{
    w->number = map_new(w->mem);
    w->torque.n = 0;
    for (uint32_t u = 0; u < n; u++) {
        const Var *x = &w->s->var.at[var[u].i];
        if (x->group == GROUP_NONE)
            continue;
        Coordinate c = coordinate_of(x->group, x->index, w->var_shape[x->group]);
        uint32_t at = map_number(&w->number, c.vector, w->torque.n);
        if (at == w->torque.n)
            vec_push(w->mem, w->torque,
                     ((Torque){.var = {VAR_NONE, VAR_NONE, VAR_NONE},
                               .force = NO_VECTOR,
                               .shift = {EXPR_NONE, EXPR_NONE, EXPR_NONE}}));
        w->torque.at[at].var[c.k] = var[u];
    }
}

/* x + d in an equation, x being a coordinate of one vector and d linear in those of another. */
static void offer(Points *w, ExprId x, ExprId d, bool negative)
{
    ExprPool *p = w->s->pool;
    if (expr_op(p, x) != OP_VAR || !w->is_unknown[expr_var_of(p, x).i])
        return;
    uint32_t k, i, t = vector_of(w, expr_var_of(p, x), &k);
    if (t == NO_VECTOR || expr_exists(w->torque.at[t].shift[k]))
        return;
    LinearForm f = linear_form(w->s, w->is_unknown, &w->none, d, w->mem);
    if (!f.is_linear || f.n == 0 || expr_is_zero(p, f.rest) != YES)
        return;
    uint32_t force = vector_of(w, f.var[0], &i);
    if (force == NO_VECTOR || force == t ||
        (w->torque.at[t].force != NO_VECTOR && w->torque.at[t].force != force))
        return;
    for (uint32_t n = 1; n < f.n; n++)
        if (vector_of(w, f.var[n], &i) != force)
            return;
    w->torque.at[t].force = force;
    w->torque.at[t].shift[k] = negative ? d : expr_neg(p, d);
    w->torque.at[force].is_force = true;
}

static void find_offers(Points *w, const Eq *q)
{
    EquationSums sums = equation_sums(w->s->pool, q, w->mem);
    for (uint32_t k = 0; k < sums.n; k++) {
        const EquationSum *x = &sums.at[k];
        offer(w, x->left, x->right, x->is_difference);
        if (!x->is_difference)
            offer(w, x->right, x->left, false);
    }
}

/* ---- equations of three rows ---- */

static int sign_of(const ExprPool *p, ExprId x)
{
    return expr_is(p, x, 1) ? 1 : expr_is(p, x, -1) ? -1 : 0;
}

static int plain_in(const Rows *r, uint32_t vector)
{
    for (uint32_t m = 0; m < r->plain.n; m++)
        if (r->plain.at[m].vector == vector)
            return r->plain.at[m].sign;
    return 0;
}

/* Whether coordinates of the vector stand alone in the rows, all with the sign. */
static bool is_plain(const Points *w, const Rows *r, Plain x)
{
    for (uint32_t i = 0; i < COORDINATES; i++) {
        bool is_there = r->at[i] == NO_VECTOR || !var_exists(w->torque.at[x.vector].var[i]);
        for (uint32_t n = 0; r->at[i] != NO_VECTOR && n < r->form[i].n; n++) {
            uint32_t k, v = vector_of(w, r->form[i].var[n], &k);
            if (v != x.vector)
                continue;
            if (k != i || sign_of(w->s->pool, r->form[i].coeff[n]) != x.sign)
                return false;
            is_there = true;
        }
        if (!is_there)
            return false;
    }
    return true;
}

/* The vectors that stand plainly in the rows. */
static void find_plain(Points *w, Rows *r)
{
    for (uint32_t i = 0; i < COORDINATES; i++) {
        for (uint32_t n = 0; r->at[i] != NO_VECTOR && n < r->form[i].n; n++) {
            uint32_t k, v = vector_of(w, r->form[i].var[n], &k);
            Plain x = {v, sign_of(w->s->pool, r->form[i].coeff[n])};
            if (v != NO_VECTOR && x.sign != 0 && plain_in(r, v) == 0 && is_plain(w, r, x))
                vec_push(w->mem, r->plain, x);
        }
    }
}

static void find_rows(Points *w, uint32_t n, const EqId *eq)
{
    System *s = w->s;
    Map number = map_new(w->mem);
    memset(&w->rows, 0, sizeof w->rows); /* of the last loop's memory */
    for (uint32_t e = 0; e < n; e++) {
        const Eq *q = &s->eq.at[eq[e].i];
        VarId *reads;
        uint32_t n_reads = unknowns_of(s, w->is_unknown, expr_sub(s->pool, q->lhs, q->rhs),
                                       UINT32_MAX - 1, w->mem, &reads);
        for (uint32_t k = 0; k < n_reads; k++)
            w->n_readers[reads[k].i]++;
        if (q->group == GROUP_NONE || q->group >= w->n_eq_groups)
            continue;
        Coordinate c = coordinate_of(q->group, q->index, w->eq_shape[q->group]);
        uint32_t at = map_number(&number, c.vector, w->rows.n);
        if (at == w->rows.n)
            vec_push(w->mem, w->rows, ((Rows){.at = {NO_VECTOR, NO_VECTOR, NO_VECTOR}}));
        Rows *r = &w->rows.at[at];
        LinearForm f =
            linear_form(s, w->is_unknown, &w->none, expr_sub(s->pool, q->lhs, q->rhs), w->mem);
        if (!f.is_linear)
            continue;
        r->at[c.k] = e;
        r->residual[c.k] = expr_sub(s->pool, q->lhs, q->rhs);
        r->form[c.k] = f;
    }
    for (uint32_t k = 0; k < w->rows.n; k++) {
        Rows *r = &w->rows.at[k];
        find_plain(w, r);
        for (uint32_t m = 0; m < r->plain.n; m++)
            vec_push(w->mem, w->torque.at[r->plain.at[m].vector].reader, k);
    }
}

/* ---- known parts ---- */

typedef struct Sum {
    VEC(VarId) var;
    VEC(ExprId) coeff;
    ExprId rest;
} Sum;

static void add_term(Points *w, Sum *x, VarId v, ExprId c)
{
    ExprPool *p = w->s->pool;
    for (uint32_t k = 0; k < x->var.n; k++)
        if (x->var.at[k].i == v.i) {
            x->coeff.at[k] = expr_add(p, x->coeff.at[k], c);
            if (expr_is_zero(p, x->coeff.at[k]) == YES) {
                x->var.at[k] = x->var.at[--x->var.n];
                x->coeff.at[k] = x->coeff.at[--x->coeff.n];
            }
            return;
        }
    vec_push(w->mem, x->var, v);
    vec_push(w->mem, x->coeff, c);
}

/* x plus factor * y; false if y is not linear in known variables. */
static bool add_known(Points *w, Sum *x, ExprId y, ExprId factor)
{
    ExprPool *p = w->s->pool;
    LinearForm f = linear_form(w->s, w->is_known, &w->none, y, w->mem);
    for (uint32_t k = 0; k < f.n && f.is_linear; k++)
        add_term(w, x, f.var[k], expr_mul(p, factor, f.coeff[k]));
    if (f.is_linear)
        x->rest = expr_add(p, x->rest, expr_mul(p, factor, f.rest));
    return f.is_linear;
}

/* The known variable on the left of its explicit equation, over others; EXPR_NONE: it has none. */
static ExprId definition_of(Points *w, VarId v)
{
    if (w->eq_of[v.i].i == EQ_NONE.i)
        return EXPR_NONE;
    const Eq *q = &w->s->eq.at[w->eq_of[v.i].i];
    const ExprPool *p = w->s->pool;
    return expr_op(p, q->lhs) == OP_VAR && expr_var_of(p, q->lhs).i == v.i ? q->rhs : EXPR_NONE;
}

/* The same over fewer known variables, some written by their equations: m*p*g - m*q*g is m*r*g with
 * p = q + r. */
static ExprId simplified(Points *w, ExprId x)
{
    enum { MOST = 12 };
    ExprPool *p = w->s->pool;
    Sum sum = {.rest = expr_int(p, 0)};
    if (!add_known(w, &sum, x, expr_int(p, 1)) || sum.var.n > MOST)
        return x;
    bool is_less = false;
    for (uint32_t k = 0; k < sum.var.n; k++) {
        ExprId y = definition_of(w, sum.var.at[k]);
        Sum other = {.rest = sum.rest};
        bool ok = expr_exists(y);
        for (uint32_t i = 0; i < sum.var.n && ok; i++) {
            if (i == k)
                ok = add_known(w, &other, y, sum.coeff.at[i]);
            else
                add_term(w, &other, sum.var.at[i], sum.coeff.at[i]);
        }
        if (!ok || other.var.n >= sum.var.n)
            continue;
        sum = other;
        is_less = true;
        k = UINT32_MAX; /* from the first on */
    }
    ExprId out = sum.rest;
    for (uint32_t k = 0; k < sum.var.n; k++)
        out = expr_add(p, out, expr_mul(p, sum.coeff.at[k], system_var_expr(w->s, sum.var.at[k])));
    return is_less ? out : x;
}

/* ---- balances ---- */

/* Whether the balance f of forces has those of the torques in t, and no others: the sign that
 * makes f theirs, or 0. */
static int balance_of(const Points *w, const Rows *t, const Rows *f)
{
    int sign = 0;
    uint32_t n = 0, n_forces = 0;
    for (uint32_t m = 0; m < t->plain.n; m++) {
        const Torque *x = &w->torque.at[t->plain.at[m].vector];
        if (!x->is_shifted)
            continue;
        int here = t->plain.at[m].sign * plain_in(f, x->force);
        if (here == 0 || (n > 0 && here != sign))
            return 0;
        sign = here;
        n++;
    }
    for (uint32_t m = 0; m < f->plain.n; m++)
        n_forces += w->torque.at[f->plain.at[m].vector].is_force;
    return n == n_forces ? sign : 0;
}

/* Rows that read coordinates of the vector. */
static uint32_t count_rows(const Rows *r, const Torque *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < COORDINATES; i++)
        for (uint32_t k = 0; r->at[i] != NO_VECTOR && k < r->form[i].n; k++)
            for (uint32_t c = 0; c < COORDINATES; c++)
                n += var_exists(v->var[c]) && r->form[i].var[k].i == v->var[c].i;
    return n;
}

static uint32_t count_readers(const Points *w, const Torque *v)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < COORDINATES; c++)
        if (var_exists(v->var[c]))
            n += w->n_readers[v->var[c].i];
    return n;
}

/* The residual with coefficients and known part over fewer known variables. */
static ExprId tidy(Points *w, ExprId residual)
{
    ExprPool *p = w->s->pool;
    LinearForm row = linear_form(w->s, w->is_unknown, &w->none, residual, w->mem);
    ExprId x = simplified(w, row.rest);
    for (uint32_t n = 0; n < row.n; n++) {
        ExprId c = simplified(w, row.coeff[n]);
        if (expr_is_zero(p, c) != YES)
            x = expr_add(p, x, expr_mul(p, c, system_var_expr(w->s, row.var[n])));
    }
    return x;
}

/* Adds the shift of v, times the sign of v, to the rows. */
static void shift_rows(Points *w, Rows *r, const Torque *v, int sign)
{
    ExprPool *p = w->s->pool;
    for (uint32_t i = 0; i < COORDINATES; i++) {
        if (r->at[i] == NO_VECTOR || !var_exists(v->var[i]))
            continue;
        ExprId d = sign > 0 ? v->shift[i] : expr_neg(p, v->shift[i]);
        r->residual[i] = tidy(w, expr_add(p, r->residual[i], d));
    }
    r->is_moved = true;
}

/* Another vector in the balance that only one more equation reads, a change of angular momentum, is
 * measured from there too. */
static void measure(Points *w, Rows *t, const ExprId moved[COORDINATES])
{
    ExprPool *p = w->s->pool;
    for (uint32_t m = 0; m < t->plain.n; m++) {
        Torque *v = &w->torque.at[t->plain.at[m].vector];
        bool is_free = !v->is_shifted && !v->is_force && !v->is_measured && v->reader.n == 2;
        for (uint32_t i = 0; i < COORDINATES; i++)
            is_free = is_free && (!var_exists(v->var[i]) || t->at[i] != NO_VECTOR);
        if (!is_free)
            continue;
        Rows *other = &w->rows.at[v->reader.at[0]];
        if (other == t)
            other = &w->rows.at[v->reader.at[1]];
        if (other->is_moved || count_readers(w, v) != count_rows(t, v) + count_rows(other, v))
            continue;
        for (uint32_t i = 0; i < COORDINATES; i++)
            v->shift[i] = t->plain.at[m].sign > 0 ? moved[i] : expr_neg(p, moved[i]);
        v->is_measured = true;
        shift_rows(w, t, v, t->plain.at[m].sign);
        shift_rows(w, other, v, plain_in(other, t->plain.at[m].vector));
        return;
    }
}

/* The balance of torques less that of forces times the lever of one torque. */
static void move_balance(Points *w, Rows *t)
{
    ExprPool *p = w->s->pool;
    uint32_t first = 0;
    while (first < t->plain.n && !w->torque.at[t->plain.at[first].vector].is_shifted)
        first++;
    if (first == t->plain.n || t->is_moved)
        return;
    const Torque *x = &w->torque.at[t->plain.at[first].vector];
    const Torque *force = &w->torque.at[x->force];
    const Rows *f = NULL;
    int sign = 0;
    for (uint32_t k = 0; k < force->reader.n && sign == 0; k++) {
        f = &w->rows.at[force->reader.at[k]];
        sign = f == t || f->is_moved ? 0 : balance_of(w, t, f);
    }
    if (sign == 0)
        return;
    ExprId moved[COORDINATES], residual[COORDINATES];
    for (uint32_t i = 0; i < COORDINATES; i++) {
        moved[i] = expr_int(p, 0);
        residual[i] = t->residual[i];
        if (t->at[i] == NO_VECTOR || !expr_exists(x->shift[i]))
            continue;
        LinearForm lever = linear_form(w->s, w->is_unknown, &w->none, x->shift[i], w->mem);
        for (uint32_t n = 0; n < lever.n; n++) {
            uint32_t k, j;
            vector_of(w, lever.var[n], &k);
            if (f->at[k] == NO_VECTOR)
                return;
            ExprId c = sign > 0 ? lever.coeff[n] : expr_neg(p, lever.coeff[n]);
            residual[i] = expr_sub(p, residual[i], expr_mul(p, c, f->residual[k]));
            const LinearForm *row = &f->form[k];
            for (uint32_t m = 0; m < row->n; m++) {
                uint32_t v = vector_of(w, row->var[m], &j);
                if (v != NO_VECTOR && w->torque.at[v].is_force)
                    continue;
                ExprId y = expr_mul(p, row->coeff[m], system_var_expr(w->s, row->var[m]));
                moved[i] = expr_add(p, moved[i], expr_mul(p, c, y));
            }
        }
    }
    for (uint32_t i = 0; i < COORDINATES; i++) {
        if (t->at[i] == NO_VECTOR)
            continue;
        residual[i] = tidy(w, residual[i]);
        LinearForm row = linear_form(w->s, w->is_unknown, &w->none, residual[i], w->mem);
        moved[i] = expr_sub(p, moved[i], row.rest);
    }
    memcpy(t->residual, residual, sizeof residual);
    t->is_moved = true;
    measure(w, t, moved);
}

/* Equations of arrays with one row in the loop, and those of none. */
static bool *find_single(const Points *w, uint32_t n, const EqId *eq)
{
    bool *is_single = arena_array(w->mem, bool, n);
    Map rows = map_new(w->mem);
    for (uint32_t e = 0; e < n; e++) {
        uint32_t g = w->s->eq.at[eq[e].i].group, k = map_get(&rows, g);
        if (g != GROUP_NONE)
            map_put(&rows, g, k == MAP_NONE ? 1 : k + 1);
    }
    for (uint32_t e = 0; e < n; e++) {
        uint32_t g = w->s->eq.at[eq[e].i].group;
        is_single[e] = g == GROUP_NONE || map_get(&rows, g) == 1;
    }
    return is_single;
}

static uint32_t choose(Points *w)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->torque.n; k++) {
        Torque *t = &w->torque.at[k];
        t->is_shifted = !t->is_force;
        for (uint32_t i = 0; i < COORDINATES; i++)
            if (var_exists(t->var[i]) && !expr_exists(t->shift[i]))
                t->is_shifted = false;
        n += t->is_shifted;
    }
    return n;
}

static void rewrite(Points *w, uint32_t n, const EqId *eq, bool of_balances)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    Eq like = s->eq.at[eq[0].i];
    find_rows(w, n, eq);
    for (uint32_t k = 0; k < w->rows.n && of_balances; k++)
        move_balance(w, &w->rows.at[k]);
    for (uint32_t k = 0; k < w->torque.n; k++) {
        const Torque *t = &w->torque.at[k];
        if (!t->is_shifted && !t->is_measured)
            continue;
        uint32_t group = system_new_group(s);
        for (uint32_t i = 0; i < COORDINATES; i++) {
            if (!var_exists(t->var[i]))
                continue;
            const char *array =
                arena_printf(w->mem, "%s at its joint", name_of_array(s, t->var[i], 1, w->mem));
            VarId y = rewriting_add_var(w->rewriting, array, "", group, i);
            w->value[t->var[i].i] = system_var_expr(s, y);
            if (t->is_shifted)
                w->value[t->var[i].i] = expr_add(p, w->value[t->var[i].i], t->shift[i]);
        }
    }
    for (uint32_t k = 0; k < w->rows.n; k++) {
        const Rows *r = &w->rows.at[k];
        for (uint32_t i = 0; i < COORDINATES && r->is_moved; i++)
            if (r->at[i] != NO_VECTOR)
                rewriting_set(w->rewriting, eq[r->at[i]], r->residual[i], expr_int(p, 0),
                              s->eq.at[eq[r->at[i]].i].index);
    }
    w->by.is_tentative = true;
    for (uint32_t e = 0; e < n; e++) {
        const Eq *q = &s->eq.at[eq[e].i];
        ExprId lhs = expr_substitute(p, &w->by, q->lhs), rhs = expr_substitute(p, &w->by, q->rhs);
        if (!expr_same(lhs, q->lhs) || !expr_same(rhs, q->rhs))
            rewriting_set(w->rewriting, eq[e], lhs, rhs, q->index);
    }
    substitution_go_back(&w->by);
    for (uint32_t k = 0; k < w->torque.n; k++) {
        const Torque *t = &w->torque.at[k];
        for (uint32_t i = 0; i < COORDINATES && (t->is_shifted || t->is_measured); i++) {
            if (!var_exists(t->var[i]))
                continue;
            Eq e = like;
            e.lhs = system_var_expr(s, t->var[i]);
            e.rhs = w->value[t->var[i].i];
            if (t->is_measured)
                e.rhs = expr_add(p, e.rhs, t->shift[i]);
            e.group = GROUP_NONE;
            system_add_eq(s, e);
            w->value[t->var[i].i] = EXPR_NONE;
        }
    }
}

uint32_t reference_points_apply(const Blt *b, bool of_balances, Rewriting *out, Arena *scratch)
{
    System *s = b->sys;
    const Blocks *blocks = &b->blocks;
    enum { LEAST = 4 }; /* equations of a loop */
    uint32_t n_vars = s->var.n, n = 0;
    if (!pool_by_value(s->pool))
        return 0;
    bool *is_unknown = arena_array(scratch, bool, n_vars);
    bool *is_known = arena_array(scratch, bool, n_vars);
    Points w = {.s = s,
                .var_shape = array_shapes(s, false, scratch),
                .eq_shape = array_shapes(s, true, scratch),
                .n_eq_groups = s->n_groups,
                .rewriting = out,
                .is_unknown = is_unknown,
                .is_known = is_known,
                .eq_of = arena_array(scratch, EqId, n_vars),
                .n_readers = arena_array(scratch, uint32_t, n_vars),
                .value = arena_array(scratch, ExprId, n_vars),
                .nothing = arena_array(scratch, ExprId, n_vars)};
    for (uint32_t v = 0; v < n_vars; v++)
        w.value[v] = w.nothing[v] = EXPR_NONE;
    for (uint32_t v = 0; v < n_vars; v++)
        w.eq_of[v] = EQ_NONE;
    w.none = (Substitution){.value = w.nothing, .n = n_vars, .mem = scratch};
    w.by = (Substitution){.value = w.value, .n = n_vars, .mem = scratch};
    for (uint32_t k = 0; k < blocks->n; k++) {
        uint32_t begin = blocks->begin[k], size = blocks->begin[k + 1] - begin;
        for (uint32_t i = begin; i < begin + size && size < LEAST; i++) {
            is_known[blt_var(b, i).i] = true;
            if (size == 1)
                w.eq_of[blt_var(b, i).i] = (EqId){blocks->eq[i]};
        }
        if (size < LEAST)
            continue;
        w.mem = arena_new();
        memset(&w.torque, 0, sizeof w.torque);
        EqId *eq = arena_array(w.mem, EqId, size);
        VarId *var = arena_array(w.mem, VarId, size);
        blt_block(b, k, eq, var);
        for (uint32_t i = 0; i < size; i++)
            is_unknown[var[i].i] = true;
        find_vectors(&w, size, var);
        const bool *is_single = find_single(&w, size, eq);
        for (uint32_t e = 0; e < size; e++)
            if (is_single[e])
                find_offers(&w, &s->eq.at[eq[e].i]);
        uint32_t found = choose(&w);
        if (found > 0)
            rewrite(&w, size, eq, of_balances);
        n += found;
        for (uint32_t i = 0; i < size; i++)
            is_unknown[var[i].i] = false;
        arena_free(w.mem);
    }
    return n;
}
