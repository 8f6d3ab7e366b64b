#include "eliminate/frames/axis_points.h"

#include "base/map.h"
#include "eliminate/frames/explicit_values.h"
#include "graph/matching.h"

#include <string.h>

enum { COORDINATES = 3, NONE = UINT32_MAX };

/* ---- a loop at a random point ---- */

/* An element of a vector of parameters. */
typedef struct Lever {
    VarId var;
    bool is_bad;  /* some equation is not linear in it */
    ExprId value; /* as it will be */
} Lever;

typedef struct Vector {
    uint32_t at[COORDINATES]; /* places in the loop, NONE: not unknown there */
    VEC(uint32_t) reader;     /* places in `equation` */
    uint32_t position;        /* of its last coordinate in the order of evaluation */
} Vector;

typedef struct VectorTerm {
    uint32_t vector;
    Fp at[COORDINATES][COORDINATES];
} VectorTerm;

typedef struct LeverTerm {
    uint32_t lever;
    Fp by[COORDINATES]; /* the derivative of the rows by it, at the point */
} LeverTerm;

/* Up to three rows of the loop. */
typedef struct VectorEq {
    uint32_t row[COORDINATES]; /* NONE: not in the loop */
    VEC(VectorTerm) vector;
    VEC(LeverTerm) lever;
    bool has_scalars; /* unknowns of no vector */
} VectorEq;

/* What a change of levers by 1 moves a vector by. */
typedef struct Moved {
    uint32_t vector;
    uint32_t known; /* coordinates, as bits */
    Fp by[COORDINATES];
} Moved;

typedef struct Member {
    uint32_t lever;
    int sign;
} Member;

/* Levers that change together; the first is to vanish. */
typedef struct Together {
    VEC(Member) member;
} Together;

typedef struct Pair {
    uint32_t row, unknown;
} Pair;

typedef struct AxisWork {
    System *s;
    const Shape *var_shape, *eq_shape;
    Rewriting *rewriting;
    ExplicitValues *values;
    Arena *mem; /* one loop */
    Substitution none, by;
    ExprId *nothing, *value; /* per variable; EXPR_NONE: stays */
    bool *is_lever;          /* per variable */
    Loop loop;
    VEC(Lever) lever;
    Map lever_of; /* variable -> place in `lever` */
    VEC(Vector) vector;
    uint32_t *vector_of, *coordinate; /* per unknown */
    VEC(VectorEq) equation;
    uint32_t *equation_of, *row_of; /* per row: its vector equation, and which of its rows */
    VEC(Pair) order;                /* of evaluation: unknowns that follow from others */
    Fp *x;                          /* per unknown */
    bool *has_lever;                /* per row */
    VEC(Together) found;
} AxisWork;

static Fp fp_of_form(const AxisWork *w, const LinearForm *f, const Fp *x)
{
    const ExprPool *p = w->s->pool;
    Fp sum = expr_fingerprint(p, f->rest);
    for (uint32_t k = 0; k < f->n; k++)
        sum = fp_add(
            sum, fp_mul(expr_fingerprint(p, f->coeff[k]), x[map_get(&w->loop.place, f->var[k].i)]));
    return sum;
}

static bool is_unit(const AxisWork *w, ExprId x)
{
    return expr_is(w->s->pool, x, 1) || expr_is(w->s->pool, x, -1);
}

/* Unknowns that follow from others by adding and subtracting, in that order; the others, such as
 * accelerations of joints, are drawn at random. */
static void find_order(AxisWork *w)
{
    const Loop *l = &w->loop;
    IncidenceBuilder b = incidence_begin(w->mem, l->n);
    for (uint32_t e = 0; e < l->n; e++) {
        incidence_row(&b);
        for (uint32_t k = 0; k < l->form[e].n; k++) {
            ExprId c = l->form[e].coeff[k];
            incidence_edge(&b, map_get(&l->place, l->form[e].var[k].i),
                           is_unit(w, c) ? LABEL_ONE : LABEL_OTHER,
                           expr_is(w->s->pool, c, 1) ? 1 : -1);
        }
    }
    Incidence g = incidence_done(&b);
    Matching m = matching_natural(&g, w->mem);
    uint32_t *open = arena_array(w->mem, uint32_t, l->n), n = 0;
    uint32_t *queue = arena_array(w->mem, uint32_t, l->n);
    w->order.n = 0;
    for (uint32_t e = 0; e < l->n; e++)
        open[e] = g.row_begin[e + 1] - g.row_begin[e];
    for (uint32_t u = 0; u < l->n; u++)
        if (m.eq_of[u] == INC_NONE)
            queue[n++] = u;
    for (uint32_t e = 0; e < l->n; e++)
        if (open[e] == 1 && m.var_of[e] != INC_NONE) {
            vec_push(w->mem, w->order, ((Pair){e, m.var_of[e]}));
            queue[n++] = m.var_of[e];
        }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t u = queue[k];
        for (uint32_t i = g.col_begin[u]; i < g.col_begin[u + 1]; i++) {
            uint32_t e = g.row[i], v = m.var_of[e];
            if (--open[e] == 1 && v != INC_NONE && v != u) {
                vec_push(w->mem, w->order, ((Pair){e, v}));
                queue[n++] = v;
            }
        }
    }
}

/* Values of the unknowns for the forms of the rows; false if an unknown does not follow. */
static bool evaluate(const AxisWork *w, const LinearForm *form, Fp *x)
{
    const ExprPool *p = w->s->pool;
    for (uint32_t u = 0; u < w->loop.n; u++)
        x[u] = fp_random(0x61786973, w->loop.var[u].i);
    for (uint32_t k = 0; k < w->order.n; k++) {
        Pair a = w->order.at[k];
        const LinearForm *f = &form[a.row];
        int sign = 0;
        for (uint32_t i = 0; i < f->n; i++)
            if (f->var[i].i == w->loop.var[a.unknown].i)
                sign = expr_is(p, f->coeff[i], 1) ? 1 : expr_is(p, f->coeff[i], -1) ? -1 : 0;
        if (sign == 0)
            return false;
        x[a.unknown] = (Fp){{0, 0}};
        Fp sum = fp_of_form(w, f, x);
        x[a.unknown] = sign > 0 ? fp_neg(sum) : sum;
    }
    return true;
}

/* ---- vectors, and the levers in their equations ---- */

static uint32_t lever_number(AxisWork *w, VarId v)
{
    uint32_t k = map_number(&w->lever_of, v.i, w->lever.n);
    if (k == w->lever.n)
        vec_push(w->mem, w->lever, ((Lever){.var = v, .value = system_var_expr(w->s, v)}));
    return k;
}

static void find_vectors(AxisWork *w)
{
    const Loop *l = &w->loop;
    Map number = map_new(w->mem);
    w->vector.n = 0;
    w->vector_of = arena_array(w->mem, uint32_t, l->n);
    w->coordinate = arena_array(w->mem, uint32_t, l->n);
    uint32_t *position = arena_array(w->mem, uint32_t, l->n);
    for (uint32_t k = 0; k < w->order.n; k++)
        position[w->order.at[k].unknown] = k + 1;
    for (uint32_t u = 0; u < l->n; u++) {
        const Var *x = &w->s->var.at[l->var[u].i];
        w->vector_of[u] = NONE;
        if (x->group == GROUP_NONE)
            continue;
        Coordinate c = coordinate_of(x->group, x->index, w->var_shape[x->group]);
        uint32_t k = map_number(&number, c.vector, w->vector.n);
        if (k == w->vector.n)
            vec_push(w->mem, w->vector, ((Vector){.at = {NONE, NONE, NONE}}));
        w->vector_of[u] = k;
        w->coordinate[u] = c.k;
        w->vector.at[k].at[c.k] = u;
        if (position[u] > w->vector.at[k].position)
            w->vector.at[k].position = position[u];
    }
}

static VectorTerm *term_of(AxisWork *w, VectorEq *e, uint32_t vector)
{
    for (uint32_t k = 0; k < e->vector.n; k++)
        if (e->vector.at[k].vector == vector)
            return &e->vector.at[k];
    vec_push(w->mem, e->vector, ((VectorTerm){.vector = vector}));
    return &vec_last(e->vector);
}

static void add_levers(AxisWork *w, VectorEq *e, uint32_t i, uint32_t row)
{
    System *s = w->s;
    const Eq *q = &s->eq.at[w->loop.eq[row].i];
    ExprId residual = expr_sub(s->pool, q->lhs, q->rhs);
    Arena *tmp = w->values->tmp;
    ArenaMark m = arena_mark(tmp);
    LinearForm f = linear_form(s, w->is_lever, &w->none, residual, tmp);
    for (uint32_t k = 0; k < f.n; k++) {
        uint32_t lever = lever_number(w, f.var[k]);
        w->has_lever[row] = true;
        if (!f.is_linear) {
            w->lever.at[lever].is_bad = true;
            continue;
        }
        LinearForm c = linear_form(s, w->values->is_unknown, &w->values->values, f.coeff[k], tmp);
        if (!c.is_linear) {
            w->lever.at[lever].is_bad = true;
            continue;
        }
        LeverTerm *term = NULL;
        for (uint32_t n = 0; n < e->lever.n && !term; n++)
            term = e->lever.at[n].lever == lever ? &e->lever.at[n] : NULL;
        if (!term) {
            vec_push(w->mem, e->lever, ((LeverTerm){.lever = lever}));
            term = &vec_last(e->lever);
        }
        term->by[i] = fp_of_form(w, &c, w->x);
    }
    arena_rollback(tmp, m);
}

static void find_equations(AxisWork *w)
{
    const Loop *l = &w->loop;
    const System *s = w->s;
    Map number = map_new(w->mem);
    w->equation.n = 0;
    for (uint32_t r = 0; r < l->n; r++) {
        const Eq *q = &s->eq.at[l->eq[r].i];
        uint32_t i = 0, k = MAP_NONE;
        if (q->group != GROUP_NONE) {
            Coordinate c = coordinate_of(q->group, q->index, w->eq_shape[q->group]);
            i = c.k;
            k = map_get(&number, c.vector);
            if (k == MAP_NONE || w->equation.at[k].row[i] != NONE) {
                map_put(&number, c.vector, w->equation.n);
                k = MAP_NONE;
            }
        }
        if (k == MAP_NONE) {
            k = w->equation.n;
            vec_push(w->mem, w->equation, ((VectorEq){.row = {NONE, NONE, NONE}}));
        }
        VectorEq *e = &w->equation.at[k];
        e->row[i] = r;
        for (uint32_t n = 0; n < l->form[r].n; n++) {
            uint32_t u = map_get(&l->place, l->form[r].var[n].i);
            if (w->vector_of[u] == NONE) {
                e->has_scalars = true;
                continue;
            }
            VectorTerm *t = term_of(w, e, w->vector_of[u]);
            t->at[i][w->coordinate[u]] = expr_fingerprint(s->pool, l->form[r].coeff[n]);
        }
        add_levers(w, e, i, r);
    }
    for (uint32_t k = 0; k < w->equation.n; k++)
        for (uint32_t n = 0; n < w->equation.at[k].vector.n; n++)
            vec_push(w->mem, w->vector.at[w->equation.at[k].vector.at[n].vector].reader, k);
}

/* ---- levers that change together ---- */

/* The vector's coordinates stand alone in the rows, times 1 or -1. */
static bool is_plain(const VectorEq *e, const VectorTerm *t)
{
    static const Fp one = {{1, 1}};
    for (uint32_t i = 0; i < COORDINATES; i++)
        for (uint32_t k = 0; k < COORDINATES && e->row[i] != NONE; k++)
            if (i != k ? !fp_is_zero(t->at[i][k])
                       : !fp_is_zero(t->at[i][i]) && !fp_same(t->at[i][i], one) &&
                             !fp_same(fp_neg(t->at[i][i]), one))
                return false;
    return true;
}

/* The change of the vector that leaves nothing of the rows' imbalance: the rows are solved for
 * those of its coordinates that they read. False if there is none, or not only one. */
static bool move_vector(const VectorEq *e, const VectorTerm *t, const Fp *imbalance, Moved *out)
{
    Fp a[COORDINATES][COORDINATES + 1];
    uint32_t n = 0, rank = 0, pivot[COORDINATES];
    *out = (Moved){.vector = t->vector};
    for (uint32_t i = 0; i < COORDINATES; i++) {
        if (e->row[i] == NONE)
            continue;
        memcpy(a[n], t->at[i], sizeof t->at[i]);
        a[n++][COORDINATES] = fp_neg(imbalance[i]);
        for (uint32_t k = 0; k < COORDINATES; k++)
            out->known |= fp_is_zero(t->at[i][k]) ? 0 : 1U << k;
    }
    for (uint32_t k = 0; k < COORDINATES && rank < n; k++) {
        uint32_t r = rank;
        Fp inverse;
        while (r < n && !fp_inverse(a[r][k], &inverse))
            r++;
        if (r == n)
            continue;
        for (uint32_t c = 0; c <= COORDINATES; c++) {
            Fp x = a[r][c];
            a[r][c] = a[rank][c];
            a[rank][c] = fp_mul(x, inverse);
        }
        for (uint32_t i = 0; i < n; i++) {
            Fp factor = fp_neg(a[i][k]);
            for (uint32_t c = 0; c <= COORDINATES && i != rank; c++)
                a[i][c] = fp_add(a[i][c], fp_mul(factor, a[rank][c]));
        }
        pivot[rank++] = k;
    }
    for (uint32_t i = rank; i < n; i++)
        if (!fp_is_zero(a[i][COORDINATES]))
            return false;
    for (uint32_t i = 0; i < rank; i++)
        out->by[pivot[i]] = a[i][COORDINATES];
    return rank == (uint32_t)__builtin_popcount(out->known);
}

enum { MOST_MOVED = 8 };

typedef struct Closure {
    Moved moved[MOST_MOVED];
    uint32_t n;
    Together *levers;
} Closure;

/* What the changes of vectors and levers so far leave in the rows of an equation. False if that
 * depends on a coordinate whose change is not known. */
static bool imbalance_of(const Closure *c, const VectorEq *e, Fp out[COORDINATES])
{
    memset(out, 0, COORDINATES * sizeof *out);
    for (uint32_t n = 0; n < e->vector.n; n++) {
        const VectorTerm *t = &e->vector.at[n];
        const Moved *m = NULL;
        for (uint32_t k = 0; k < c->n && !m; k++)
            m = c->moved[k].vector == t->vector ? &c->moved[k] : NULL;
        for (uint32_t i = 0; i < COORDINATES && m; i++)
            for (uint32_t k = 0; k < COORDINATES; k++) {
                if (fp_is_zero(t->at[i][k]))
                    continue;
                if (!(m->known >> k & 1))
                    return false;
                out[i] = fp_add(out[i], fp_mul(t->at[i][k], m->by[k]));
            }
    }
    for (uint32_t n = 0; n < e->lever.n; n++)
        for (uint32_t k = 0; k < c->levers->member.n; k++) {
            Member a = c->levers->member.at[k];
            for (uint32_t i = 0; i < COORDINATES && a.lever == e->lever.at[n].lever; i++)
                out[i] = fp_add(out[i],
                                a.sign > 0 ? e->lever.at[n].by[i] : fp_neg(e->lever.at[n].by[i]));
        }
    return true;
}

static bool all_zero(const Fp x[COORDINATES])
{
    return fp_is_zero(x[0]) && fp_is_zero(x[1]) && fp_is_zero(x[2]);
}

/* Another lever of the equation, or the other of its two vectors, changes as well. */
static bool balance(AxisWork *w, Closure *c, const VectorEq *e, const Fp left[COORDINATES])
{
    for (uint32_t n = 0; n < e->lever.n; n++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            bool fits = !w->lever.at[e->lever.at[n].lever].is_bad;
            for (uint32_t i = 0; i < COORDINATES && fits; i++) {
                Fp by = e->lever.at[n].by[i];
                fits = fp_is_zero(fp_add(left[i], sign > 0 ? by : fp_neg(by)));
            }
            if (!fits)
                continue;
            vec_push(w->mem, c->levers->member, ((Member){e->lever.at[n].lever, sign}));
            return true;
        }
    if (e->vector.n != 2 || e->has_scalars || c->n == MOST_MOVED)
        return false;
    for (uint32_t n = 0; n < 2; n++) {
        const VectorTerm *t = &e->vector.at[n];
        bool is_moved = false;
        for (uint32_t k = 0; k < c->n; k++)
            is_moved = is_moved || c->moved[k].vector == t->vector;
        if (!is_moved && move_vector(e, t, left, &c->moved[c->n])) {
            c->n++;
            return true;
        }
    }
    return false;
}

/* From one lever and a vector that takes its change in one equation. */
static bool close_over(AxisWork *w, Together *levers, const Moved *first)
{
    enum { MOST_READERS = 64 };
    Closure c = {.moved = {*first}, .n = 1, .levers = levers};
    for (uint32_t k = 0; k < c.n; k++) {
        const Vector *v = &w->vector.at[c.moved[k].vector];
        if (v->reader.n > MOST_READERS)
            return false;
        for (uint32_t r = 0; r < v->reader.n; r++) {
            const VectorEq *e = &w->equation.at[v->reader.at[r]];
            Fp left[COORDINATES];
            if (!imbalance_of(&c, e, left) || (!all_zero(left) && !balance(w, &c, e, left)))
                return false;
        }
    }
    return levers->member.n > 1;
}

/* An equation ties two vectors by a lever: an element moves to the other side of the hinge at the
 * vector that is evaluated first. */
static void find_together(AxisWork *w, const VectorEq *e)
{
    for (uint32_t n = 0; n < e->lever.n; n++) {
        const LeverTerm *q = &e->lever.at[n];
        if (w->lever.at[q->lever].is_bad || all_zero(q->by))
            continue;
        const VectorTerm *near = NULL, *far = NULL;
        for (uint32_t k = 0; k < e->vector.n; k++) {
            const VectorTerm *t = &e->vector.at[k];
            if (!is_plain(e, t))
                continue;
            uint32_t at = w->vector.at[t->vector].position;
            if (!near || at < w->vector.at[near->vector].position)
                near = t;
            if (!far || at >= w->vector.at[far->vector].position)
                far = t;
        }
        Moved first;
        if (!near || near == far || !move_vector(e, near, q->by, &first))
            continue;
        Together levers = {0};
        vec_push(w->mem, levers.member, ((Member){q->lever, 1}));
        if (close_over(w, &levers, &first))
            vec_push(w->mem, w->found, levers);
    }
}

/* Levers that vanish are not to come back: those whose value goes to a lever that vanishes come
 * before it. Others, around a circle, stay. */
static void sort_together(AxisWork *w)
{
    uint32_t n = w->found.n, *by_first = arena_array(w->mem, uint32_t, w->lever.n);
    uint32_t *before = arena_array(w->mem, uint32_t, n);
    for (uint32_t k = 0; k < w->lever.n; k++)
        by_first[k] = NONE;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t first = w->found.at[k].member.at[0].lever;
        if (by_first[first] == NONE)
            by_first[first] = k;
    }
    VEC(uint32_t) ready = {0};
    VEC(Together) sorted = {0};
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 1; i < w->found.at[k].member.n; i++) {
            uint32_t to = by_first[w->found.at[k].member.at[i].lever];
            if (to != NONE && by_first[w->found.at[k].member.at[0].lever] == k)
                before[to]++;
        }
    for (uint32_t k = 0; k < n; k++)
        if (before[k] == 0 && by_first[w->found.at[k].member.at[0].lever] == k)
            vec_push(w->mem, ready, k);
    for (uint32_t r = 0; r < ready.n; r++) {
        const Together *a = &w->found.at[ready.at[r]];
        vec_push(w->mem, sorted, *a);
        for (uint32_t i = 1; i < a->member.n; i++) {
            uint32_t to = by_first[a->member.at[i].lever];
            if (to != NONE && --before[to] == 0)
                vec_push(w->mem, ready, to);
        }
    }
    w->found.n = 0;
    for (uint32_t k = 0; k < sorted.n; k++)
        vec_push(w->mem, w->found, sorted.at[k]);
}

/* ---- the loop with other levers ---- */

/* Values of the levers once so many of those found, from `first` on, have changed. */
static void change_levers(AxisWork *w, uint32_t n, const uint32_t *which)
{
    ExprPool *p = w->s->pool;
    for (uint32_t k = 0; k < w->lever.n; k++)
        w->lever.at[k].value = system_var_expr(w->s, w->lever.at[k].var);
    for (uint32_t k = 0; k < n; k++) {
        const Together *a = &w->found.at[which[k]];
        Lever *first = &w->lever.at[a->member.at[0].lever];
        for (uint32_t i = 1; i < a->member.n; i++) {
            Lever *other = &w->lever.at[a->member.at[i].lever];
            other->value = a->member.at[i].sign > 0 ? expr_sub(p, other->value, first->value)
                                                    : expr_add(p, other->value, first->value);
        }
        first->value = expr_int(p, 0);
    }
    for (uint32_t k = 0; k < w->lever.n; k++)
        w->value[w->lever.at[k].var.i] = w->lever.at[k].value;
    w->by.is_tentative = true;
}

static void forget_levers(AxisWork *w)
{
    for (uint32_t k = 0; k < w->lever.n; k++)
        w->value[w->lever.at[k].var.i] = EXPR_NONE;
    substitution_go_back(&w->by);
}

/* Values of the unknowns with the levers as they are; whether the equations that determine none say
 * the same of those drawn at random. */
static bool says_the_same(AxisWork *w, Fp *x)
{
    const Loop *l = &w->loop;
    System *s = w->s;
    Arena *mem = arena_new();
    LinearForm *form = arena_array(mem, LinearForm, l->n);
    bool ok = true;
    for (uint32_t e = 0; e < l->n && ok; e++) {
        form[e] = l->form[e];
        if (!w->has_lever[e])
            continue;
        const Eq *q = &s->eq.at[l->eq[e].i];
        ExprId residual = expr_substitute(s->pool, &w->by, expr_sub(s->pool, q->lhs, q->rhs));
        form[e] = linear_form(s, w->values->is_unknown, &w->values->values, residual, mem);
        ok = form[e].is_linear;
    }
    ok = ok && evaluate(w, form, x);
    for (uint32_t e = 0; e < l->n && ok; e++)
        ok = fp_same(fp_of_form(w, &form[e], x), fp_of_form(w, &l->form[e], w->x));
    arena_free(mem);
    return ok;
}

/* Those of `which` that leave the loop as it is; returns how many. */
static uint32_t keep_sound(AxisWork *w, uint32_t n, uint32_t *which, uint32_t *attempts, Fp *x)
{
    if (n == 0 || *attempts == 0)
        return 0;
    --*attempts;
    change_levers(w, n, which);
    bool ok = says_the_same(w, x);
    forget_levers(w);
    if (ok || n == 1)
        return ok ? n : 0;
    uint32_t half = n / 2;
    uint32_t a = keep_sound(w, half, which, attempts, x);
    uint32_t b = keep_sound(w, n - half, which + half, attempts, x);
    memmove(which + a, which + half, b * sizeof *which);
    return a + b;
}

/* ---- carrying it out ---- */

/* Equations of the model that give unknowns that have moved their own values; false if there are
 * not enough. eq: per such unknown, by its place among them. */
static bool find_own(AxisWork *w, uint32_t n, const uint32_t *number, uint32_t *row)
{
    const Loop *l = &w->loop;
    IncidenceBuilder b = incidence_begin(w->mem, n);
    for (uint32_t e = 0; e < l->n; e++) {
        incidence_row(&b);
        for (uint32_t k = 0; k < l->form[e].n; k++) {
            uint32_t u = map_get(&l->place, l->form[e].var[k].i);
            ExprId c = l->form[e].coeff[k];
            if (number[u] != NONE)
                incidence_edge(&b, number[u], is_unit(w, c) ? LABEL_ONE : LABEL_OTHER,
                               expr_is(w->s->pool, c, 1) ? 1 : -1);
        }
    }
    Incidence g = incidence_done(&b);
    Matching m = matching_natural(&g, w->mem);
    memcpy(row, m.eq_of, n * sizeof *row);
    return m.size == n;
}

static uint32_t rewrite(AxisWork *w, uint32_t n, const uint32_t *which)
{
    System *s = w->s;
    const Loop *l = &w->loop;
    Fp *x = arena_array(w->mem, Fp, l->n);
    change_levers(w, n, which);
    if (!says_the_same(w, x)) {
        forget_levers(w);
        return 0;
    }
    uint32_t n_moved = 0, *number = arena_array(w->mem, uint32_t, l->n);
    for (uint32_t u = 0; u < l->n; u++)
        number[u] = fp_same(x[u], w->x[u]) ? NONE : n_moved++;
    uint32_t *row = arena_array(w->mem, uint32_t, n_moved + 1);
    if (!find_own(w, n_moved, number, row)) {
        forget_levers(w);
        return 0;
    }
    Eq *own = arena_array(w->mem, Eq, n_moved + 1);
    for (uint32_t k = 0; k < n_moved; k++)
        own[k] = s->eq.at[l->eq[row[k]].i];
    Map group = map_new(w->mem);
    for (uint32_t u = 0; u < l->n; u++) {
        if (number[u] == NONE)
            continue;
        VarId v = l->var[u];
        uint32_t g = w->vector_of[u] == NONE ? NONE : map_get(&group, w->vector_of[u]);
        if (g == MAP_NONE) {
            g = system_new_group(s);
            if (w->vector_of[u] != NONE)
                map_put(&group, w->vector_of[u], g);
        }
        const char *array = arena_printf(w->mem, "%s at its axis", name_of_array(s, v, 1, w->mem));
        VarId y = rewriting_add_var(w->rewriting, array, "", g, w->coordinate[u]);
        w->value[v.i] = system_var_expr(s, y);
    }
    substitution_go_back(&w->by); /* nodes were met before these values were there */
    w->by.is_tentative = true;
    for (uint32_t e = 0; e < l->n; e++) {
        const Eq *q = &s->eq.at[l->eq[e].i];
        ExprId lhs = expr_substitute(s->pool, &w->by, q->lhs);
        ExprId rhs = expr_substitute(s->pool, &w->by, q->rhs);
        if (!expr_same(lhs, q->lhs) || !expr_same(rhs, q->rhs))
            rewriting_set(w->rewriting, l->eq[e], lhs, rhs, q->index);
    }
    for (uint32_t k = 0; k < n_moved; k++) {
        own[k].group = GROUP_NONE;
        system_add_eq(s, own[k]);
    }
    for (uint32_t u = 0; u < l->n; u++)
        w->value[l->var[u].i] = EXPR_NONE;
    forget_levers(w);
    return n;
}

static uint32_t change_loop(AxisWork *w)
{
    enum { MOST_ATTEMPTS = 64 };
    const Loop *l = &w->loop;
    w->lever.n = w->found.n = 0;
    w->lever_of = map_new(w->mem);
    w->x = arena_array(w->mem, Fp, l->n);
    w->has_lever = arena_array(w->mem, bool, l->n);
    find_order(w);
    if (!evaluate(w, l->form, w->x))
        return 0;
    find_vectors(w);
    find_equations(w);
    for (uint32_t k = 0; k < w->equation.n; k++)
        find_together(w, &w->equation.at[k]);
    if (w->found.n == 0)
        return 0;
    sort_together(w);
    uint32_t *which = arena_array(w->mem, uint32_t, w->found.n), attempts = MOST_ATTEMPTS;
    for (uint32_t k = 0; k < w->found.n; k++)
        which[k] = k;
    Fp *x = arena_array(w->mem, Fp, l->n);
    uint32_t n = keep_sound(w, w->found.n, which, &attempts, x);
    return n > 0 ? rewrite(w, n, which) : 0;
}

/* Elements of vectors of parameters; NULL: there are none. */
static bool *find_levers(const System *s, const Shape *shape, Arena *mem)
{
    bool *is_lever = arena_array(mem, bool, s->var.n), any = false;
    for (uint32_t v = 0; v < s->var.n; v++) {
        const Var *x = &s->var.at[v];
        is_lever[v] = x->kind == VAR_PARAMETER && x->type == TYPE_REAL && x->group != GROUP_NONE &&
                      shape[x->group].columns != 2 && shape[x->group].size % COORDINATES == 0;
        any = any || is_lever[v];
    }
    return any ? is_lever : NULL;
}

enum { LEAST = 8 }; /* equations of a loop */

/* Whether an equation of some loop reads one. */
static bool loops_read(const Blt *b, const bool *is_lever)
{
    const System *s = b->sys;
    const Blocks *blocks = &b->blocks;
    Arena *mem = arena_new(), *tmp = arena_new();
    Series series = series_new(s, is_lever, mem);
    bool any = false;
    for (uint32_t k = 0; k < blocks->n && !any; k++) {
        uint32_t begin = blocks->begin[k], end = blocks->begin[k + 1];
        for (uint32_t i = begin; i < end && end - begin >= LEAST && !any; i++) {
            const Eq *q = &s->eq.at[blocks->eq[i]];
            VarId *found;
            any = series_unknowns(&series, q->lhs, 0, tmp, &found) > 0 ||
                  series_unknowns(&series, q->rhs, 0, tmp, &found) > 0;
            arena_rollback(tmp, (ArenaMark){0});
        }
    }
    arena_free(tmp);
    arena_free(mem);
    return any;
}

uint32_t axis_points_apply(const Blt *b, Rewriting *out, Arena *scratch)
{
    System *s = b->sys;
    const Blocks *blocks = &b->blocks;
    uint32_t n_vars = s->var.n, n = 0;
    const Shape *shape = array_shapes(s, false, scratch);
    bool *is_lever = pool_by_value(s->pool) ? find_levers(s, shape, scratch) : NULL;
    if (!is_lever || !loops_read(b, is_lever))
        return 0;
    Arena *row = arena_new();
    ExplicitValues values = explicit_values_new(s, scratch, row);
    AxisWork w = {.s = s,
                  .var_shape = shape,
                  .eq_shape = array_shapes(s, true, scratch),
                  .rewriting = out,
                  .values = &values,
                  .is_lever = is_lever,
                  .value = arena_array(scratch, ExprId, n_vars),
                  .nothing = arena_array(scratch, ExprId, n_vars)};
    for (uint32_t v = 0; v < n_vars; v++)
        w.value[v] = w.nothing[v] = EXPR_NONE;
    w.none = (Substitution){.value = w.nothing, .n = n_vars, .mem = scratch};
    w.by = (Substitution){.value = w.value, .n = n_vars, .mem = scratch};
    for (uint32_t k = 0; k < blocks->n; k++) {
        uint32_t begin = blocks->begin[k], size = blocks->begin[k + 1] - begin;
        if (size == 1)
            explicit_values_solve(&values, (EqId){blocks->eq[begin]}, blt_var(b, begin));
        if (size < LEAST)
            continue;
        w.mem = arena_new();
        memset(&w.lever, 0, sizeof w.lever);
        memset(&w.vector, 0, sizeof w.vector);
        memset(&w.equation, 0, sizeof w.equation);
        memset(&w.order, 0, sizeof w.order);
        memset(&w.found, 0, sizeof w.found);
        EqId *eq = arena_array(w.mem, EqId, size);
        VarId *var = arena_array(w.mem, VarId, size);
        blt_block(b, k, eq, var);
        if (loop_open(&w.loop, &values, size, eq, var, w.mem))
            n += change_loop(&w);
        loop_close(&w.loop, &values);
        arena_free(w.mem);
    }
    arena_free(row);
    return n;
}
