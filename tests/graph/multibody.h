/* multibody.h -- equations of motion of chains and trees of revolute joints, for tests.
 *
 * The unknowns of a body are those of DESIGN.md section 4, frames between components kept:
 * joint acceleration qdd, angular acceleration z, acceleration a of the joint's frame, atip of
 * the body's tip, force f and torque t in the joint's frame, and the same as fp, tp in the
 * parent's. Coefficients are residues modulo a 61-bit prime at a random point: a value is then
 * equal to another exactly when the expressions are, up to an improbable accident, so counting
 * distinct values counts the operations of a program that computes nothing twice.
 */
#ifndef RUNG_TESTS_GRAPH_MULTIBODY_H
#define RUNG_TESTS_GRAPH_MULTIBODY_H

#include "base/map.h"
#include "graph/incidence.h"
#include "ir/residue.h"

#include <stdlib.h>

/* ---- residues ------------------------------------------------------------------------- */

static inline uint64_t residue_any(uint64_t *seed)
{
    /* splitmix64 */
    uint64_t z = (*seed += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (z ^ (z >> 31)) % (RESIDUE_PRIME - 2) + 2;
}

/* ---- the counting machine ---------------------------------------------------------------- */

/* Known values up to sign; the map's value says whether it is of parameters only. */
typedef struct Counter {
    Map known;
    uint64_t ops;
} Counter;

typedef struct Num {
    uint64_t x;
    bool fixed; /* constants and parameters only: computed before the simulation */
} Num;

static inline uint64_t up_to_sign(uint64_t x)
{
    uint64_t y = residue_negated(x);
    return x < y ? x : y;
}

static inline Num num_known(Counter *c, uint64_t x, bool fixed)
{
    uint32_t got = map_get(&c->known, up_to_sign(x));
    if (got == MAP_NONE)
        map_put(&c->known, up_to_sign(x), fixed);
    return (Num){x, got == MAP_NONE ? fixed : got == 1};
}

static inline Num num_result(Counter *c, uint64_t x, bool fixed)
{
    uint32_t got = map_get(&c->known, up_to_sign(x));
    if (got != MAP_NONE)
        return (Num){x, got == 1};
    c->ops += !fixed;
    map_put(&c->known, up_to_sign(x), fixed);
    return (Num){x, fixed};
}

static inline Counter counter_new(Arena *mem)
{
    Counter c = {.known = map_new(mem)};
    num_known(&c, 0, true);
    num_known(&c, 1, true);
    return c;
}

static inline Num num_add(Counter *c, Num a, Num b)
{
    return num_result(c, residue_add(a.x, b.x), a.fixed && b.fixed);
}

static inline Num num_mul(Counter *c, Num a, Num b)
{
    return num_result(c, residue_mul(a.x, b.x), a.fixed && b.fixed);
}

static inline Num num_neg(Num a)
{
    return (Num){residue_negated(a.x), a.fixed};
}

static inline Num num_div(Counter *c, Num a, Num b)
{
    return num_mul(c, a, num_result(c, residue_inverse(b.x), b.fixed));
}

/* ---- linear systems ----------------------------------------------------------------------- */

typedef struct Term {
    uint32_t col;
    Num a;
} Term;

typedef struct LinRow {
    VEC(Term) terms; /* columns ascending after linear_done */
    Num side;
} LinRow;

/* What an equation or unknown is, for tests that drop some and for reading a dump. */
typedef enum Kind {
    QDD,
    Z,
    A,
    ATIP,
    F,
    T,
    FP,
    TP,
    LAMBDA, /* unknowns, then equations */
    ANGULAR,
    ROTATION,
    TRANSLATION,
    PARENT_FORCE,
    PARENT_TORQUE,
    DALEMBERT,
    FORCE,
    TORQUE,
    CLOSURE
} Kind;

typedef struct Linear {
    Arena *mem;
    uint64_t seed;
    Counter counter; /* knows the coefficients */
    VEC(LinRow) rows;
    uint32_t n_cols;
    VEC(uint32_t) row_group;
    VEC(uint32_t) row_index;
    VEC(uint32_t) col_group;
    VEC(uint32_t) col_index;
    uint32_t n_row_groups, n_col_groups;
    VEC(Kind) row_kind;
    VEC(Kind) col_kind;
    VEC(uint32_t) row_body;
    VEC(uint32_t) col_body;
    Incidence g;
} Linear;

static inline uint32_t linear_unknowns(Linear *l, uint32_t n, Kind kind, uint32_t body)
{
    uint32_t first = l->n_cols;
    for (uint32_t i = 0; i < n; i++, l->n_cols++) {
        vec_push(l->mem, l->col_group, l->n_col_groups);
        vec_push(l->mem, l->col_index, i);
        vec_push(l->mem, l->col_kind, kind);
        vec_push(l->mem, l->col_body, body);
    }
    l->n_col_groups++;
    return first;
}

/* Opens n equations with right-hand side 0; returns the first. */
static inline uint32_t linear_equations(Linear *l, uint32_t n, Kind kind, uint32_t body)
{
    uint32_t first = l->rows.n;
    for (uint32_t i = 0; i < n; i++) {
        LinRow r = {.side = {0, true}};
        vec_push(l->mem, l->rows, r);
        vec_push(l->mem, l->row_group, l->n_row_groups);
        vec_push(l->mem, l->row_index, i);
        vec_push(l->mem, l->row_kind, kind);
        vec_push(l->mem, l->row_body, body);
    }
    l->n_row_groups++;
    return first;
}

static inline void linear_term(Linear *l, uint32_t row, uint32_t col, Num a)
{
    if (a.x == 0)
        return;
    LinRow *r = &l->rows.at[row];
    for (uint32_t i = 0; i < r->terms.n; i++)
        if (r->terms.at[i].col == col) {
            r->terms.at[i].a = num_add(&l->counter, r->terms.at[i].a, a);
            return;
        }
    vec_push(l->mem, r->terms, ((Term){col, a}));
    for (uint32_t i = r->terms.n - 1; i && r->terms.at[i - 1].col > col; i--) {
        Term t = r->terms.at[i];
        r->terms.at[i] = r->terms.at[i - 1];
        r->terms.at[i - 1] = t;
    }
}

static inline void linear_done(Linear *l)
{
    IncidenceBuilder b = incidence_begin(l->mem, l->n_cols);
    for (uint32_t e = 0; e < l->rows.n; e++) {
        incidence_row(&b);
        for (uint32_t k = 0; k < l->rows.at[e].terms.n; k++) {
            Term t = l->rows.at[e].terms.at[k];
            bool one = t.a.x == 1 || t.a.x == RESIDUE_PRIME - 1;
            incidence_edge(&b, t.col,
                           one         ? LABEL_ONE
                           : t.a.fixed ? LABEL_PARAM
                                       : LABEL_OTHER,
                           t.a.x == 1 ? 1 : -1);
        }
    }
    l->g = incidence_done(&b);
    l->g.residue = arena_array(l->mem, uint64_t, l->g.n_edges);
    for (uint32_t e = 0; e < l->rows.n; e++)
        for (uint32_t k = 0; k < l->rows.at[e].terms.n; k++)
            l->g.residue[l->g.row_begin[e] + k] = l->rows.at[e].terms.at[k].a.x;
    incidence_set_row_groups(&l->g, l->row_group.at, l->row_index.at, l->n_row_groups);
    incidence_set_col_groups(&l->g, l->col_group.at, l->col_index.at, l->n_col_groups);
}

typedef struct Solution {
    bool ok;
    uint32_t bad; /* the pair whose pivot is zero, when not ok */
    uint64_t ops; /* distinct operations that depend on time */
    uint64_t *x;  /* per column */
} Solution;

static inline uint32_t find_term(const LinRow *r, uint32_t col)
{
    uint32_t lo = 0, hi = r->terms.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (r->terms.at[mid].col < col)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < r->terms.n && r->terms.at[lo].col == col ? lo : UINT32_MAX;
}

/* Gaussian elimination in the given order, counting distinct operations. Entries that cancel
 * leave the row. mem holds everything made here. */
static inline Solution linear_solve(const Linear *l, const Order *o, Arena *mem)
{
    Solution s = {.ok = true, .x = arena_array(mem, uint64_t, l->n_cols)};
    Counter c = {.known = map_new(mem)};
    num_known(&c, 0, true);
    num_known(&c, 1, true);
    uint32_t n = l->rows.n;
    LinRow *row = arena_array(mem, LinRow, n);
    typedef VEC(uint32_t) Ids;
    Ids *col = arena_array(mem, Ids, l->n_cols);
    for (uint32_t e = 0; e < n; e++) {
        row[e].side = num_known(&c, l->rows.at[e].side.x, l->rows.at[e].side.fixed);
        for (uint32_t k = 0; k < l->rows.at[e].terms.n; k++) {
            Term t = l->rows.at[e].terms.at[k];
            t.a = num_known(&c, t.a.x, t.a.fixed);
            vec_push(mem, row[e].terms, t);
            vec_push(mem, col[t.col], e);
        }
    }
    bool *done = arena_array(mem, bool, n);
    VEC(Term) merged = {0};
    for (uint32_t k = 0; k < o->n; k++) {
        LinRow *p = &row[o->eq[k]];
        uint32_t v = o->var[k], at = find_term(p, v);
        if (at == UINT32_MAX) {
            s.ok = false;
            s.bad = k;
            return s;
        }
        Num pivot = p->terms.at[at].a;
        done[o->eq[k]] = true;
        for (uint32_t i = 0; i < col[v].n; i++) {
            uint32_t e = col[v].at[i];
            LinRow *r = &row[e];
            uint32_t mine = done[e] ? UINT32_MAX : find_term(r, v);
            if (mine == UINT32_MAX)
                continue;
            Num factor = num_neg(num_div(&c, r->terms.at[mine].a, pivot));
            r->side = num_add(&c, r->side, num_mul(&c, factor, p->side));
            merged.n = 0;
            for (uint32_t a = 0, b = 0; a < r->terms.n || b < p->terms.n;) {
                uint32_t ca = a < r->terms.n ? r->terms.at[a].col : UINT32_MAX;
                uint32_t cb = b < p->terms.n ? p->terms.at[b].col : UINT32_MAX;
                if (ca == v || cb == v) {
                    a += ca == v;
                    b += cb == v;
                } else if (ca < cb) {
                    vec_push(mem, merged, r->terms.at[a]);
                    a++;
                } else {
                    Num x = num_mul(&c, factor, p->terms.at[b].a);
                    if (ca == cb)
                        x = num_add(&c, r->terms.at[a++].a, x);
                    else
                        vec_push(mem, col[cb], e);
                    if (x.x)
                        vec_push(mem, merged, ((Term){cb, x}));
                    b++;
                }
            }
            r->terms.n = 0;
            for (uint32_t a = 0; a < merged.n; a++)
                vec_push(mem, r->terms, merged.at[a]);
        }
    }
    /* back substitution */
    Num *x = arena_array(mem, Num, l->n_cols);
    for (uint32_t k = o->n; k-- > 0;) {
        LinRow *p = &row[o->eq[k]];
        Num sum = p->side, pivot = {1, true};
        for (uint32_t i = 0; i < p->terms.n; i++) {
            if (p->terms.at[i].col == o->var[k])
                pivot = p->terms.at[i].a;
            else
                sum =
                    num_add(&c, sum, num_neg(num_mul(&c, p->terms.at[i].a, x[p->terms.at[i].col])));
        }
        x[o->var[k]] = num_div(&c, sum, pivot);
        s.x[o->var[k]] = x[o->var[k]].x;
    }
    s.ops = c.ops;
    return s;
}

/* Every original equation holds exactly. */
static inline bool solution_check(const Linear *l, const Solution *s)
{
    for (uint32_t e = 0; e < l->rows.n; e++) {
        uint64_t sum = residue_negated(l->rows.at[e].side.x);
        for (uint32_t k = 0; k < l->rows.at[e].terms.n; k++) {
            Term t = l->rows.at[e].terms.at[k];
            sum = residue_add(sum, residue_mul(t.a.x, s->x[t.col]));
        }
        if (sum)
            return false;
    }
    return true;
}

/* ---- mechanisms ----------------------------------------------------------------------------- */

typedef enum Shape { SHAPE_PLANAR, SHAPE_SLENDER, SHAPE_GENERAL } Shape;

typedef struct Body {
    uint32_t qdd, z, a, atip, f, t, fp, tp; /* first unknowns */
    Num m, c[3], r[3], inertia[3][3], rot[3][3];
    uint32_t axis;
} Body;

typedef struct Mechanism {
    Shape shape;
    uint32_t n;
    const uint32_t *parent; /* smaller number, or INC_NONE for the ground */
    bool keep_torque;       /* keep the joint's torque along its axis as an unknown */
    uint32_t n_loops;
    const uint32_t (*loop)[2]; /* bodies whose tips are pinned together; the second may be INC_NONE,
                                  the ground */
} Mechanism;

static inline Num fresh(Linear *l, bool fixed)
{
    return num_known(&l->counter, residue_any(&l->seed), fixed);
}

static inline Body body_new(Linear *l, Shape shape, uint32_t number)
{
    const Num zero = {0, true}, one = {1, true};
    Body b = {.m = fresh(l, true), .axis = shape == SHAPE_PLANAR || number % 2 == 0 ? 2 : 1};
    for (int i = 0; i < 3; i++) {
        bool along = i == 0, general = shape == SHAPE_GENERAL;
        b.r[i] = along || general ? fresh(l, true) : zero;
        b.c[i] = along || general ? fresh(l, true) : zero;
        for (int k = 0; k <= i; k++)
            b.inertia[i][k] = b.inertia[k][i] = general || (i == k && i) ? fresh(l, true) : zero;
    }
    if (shape == SHAPE_SLENDER)
        b.inertia[2][2] = b.inertia[1][1];
    uint64_t half = residue_any(&l->seed), square = residue_mul(half, half);
    uint64_t inv = residue_inverse(residue_add(1, square));
    Num s = num_known(&l->counter, residue_mul(residue_add(half, half), inv), false);
    Num c =
        num_known(&l->counter, residue_mul(residue_add(1, residue_negated(square)), inv), false);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b.rot[i][k] = zero;
    uint32_t x = (b.axis + 1) % 3, y = (b.axis + 2) % 3;
    b.rot[b.axis][b.axis] = one;
    b.rot[x][x] = b.rot[y][y] = c;
    b.rot[x][y] = s;
    b.rot[y][x] = num_neg(s);
    return b;
}

/* Component i of (w x r) as a sum over components k of w; in three dimensions. */
static inline Num cross_entry(const Num r[3], uint32_t i, uint32_t k)
{
    if (i == k)
        return (Num){0, true};
    uint32_t other = 3 - i - k;
    return (k + 1) % 3 == other ? (Num){r[other].x, r[other].fixed} : num_neg(r[other]);
}

/* Adds w x r for the unknown vector at col to the equations at row, times sign, times factor. */
static inline void add_cross(Linear *l, uint32_t row, uint32_t col, const Num r[3], Num factor)
{
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++)
            linear_term(l, row + i, col + k, num_mul(&l->counter, factor, cross_entry(r, i, k)));
}

static inline void add_vector(Linear *l, uint32_t row, uint32_t col, Num factor)
{
    for (uint32_t i = 0; i < 3; i++)
        linear_term(l, row + i, col + i, factor);
}

/* Adds R w, or R' w, times -1. */
static inline void add_rotated(Linear *l, uint32_t row, uint32_t col, const Body *b,
                               bool transposed)
{
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++)
            linear_term(l, row + i, col + k, num_neg(transposed ? b->rot[k][i] : b->rot[i][k]));
}

/* Drops what a planar mechanism does not have, and known torques along free axes. */
static inline void linear_restrict(Linear *l, const bool *keep_row, const bool *keep_col)
{
    uint32_t n = 0, *number = arena_array(l->mem, uint32_t, l->n_cols);
    for (uint32_t v = 0; v < l->n_cols; v++) {
        number[v] = keep_col[v] ? n : INC_NONE;
        if (!keep_col[v])
            continue;
        l->col_group.at[n] = l->col_group.at[v];
        l->col_index.at[n] = l->col_index.at[v];
        l->col_kind.at[n] = l->col_kind.at[v];
        l->col_body.at[n++] = l->col_body.at[v];
    }
    l->n_cols = n;
    n = 0;
    for (uint32_t e = 0; e < l->rows.n; e++) {
        if (!keep_row[e])
            continue;
        LinRow r = l->rows.at[e];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < r.terms.n; k++)
            if (number[r.terms.at[k].col] != INC_NONE)
                r.terms.at[kept++] = (Term){number[r.terms.at[k].col], r.terms.at[k].a};
        r.terms.n = kept;
        l->row_group.at[n] = l->row_group.at[e];
        l->row_index.at[n] = l->row_index.at[e];
        l->row_kind.at[n] = l->row_kind.at[e];
        l->row_body.at[n] = l->row_body.at[e];
        l->rows.at[n++] = r;
    }
    l->rows.n = n;
}

/* Which right-hand sides are not zero: velocity terms of a body, as its shape has them. A slender
 * body has no inertia about its own axis x, and turns about the other two. */
static inline bool has_side(Shape shape, Kind kind, uint32_t index, uint32_t axis, bool grounded)
{
    switch (kind) {
    case ANGULAR: /* w x axis qd */
        return shape != SHAPE_PLANAR && index != axis;
    case CLOSURE:
        return true;
    case ROTATION: /* gravity, at the ground */
        return grounded;
    case TRANSLATION:
    case FORCE: /* w x (w x r) */
        return shape != SHAPE_PLANAR || index == 0;
    case TORQUE: /* w x I w */
        return shape == SHAPE_GENERAL || (shape == SHAPE_SLENDER && index != 0);
    default:
        return false;
    }
}

/* A pin between two tips: equal accelerations up to velocity terms, opposite forces. The frames are
 * turned against each other about z. */
static inline void add_closure(Linear *l, const Mechanism *mech, uint32_t k, const Body *body,
                               const uint32_t *force, const uint32_t *torque)
{
    const Num one = {1, true}, minus = {RESIDUE_PRIME - 1, true};
    uint32_t i = mech->loop[k][0], j = mech->loop[k][1];
    uint32_t lambda = linear_unknowns(l, 3, LAMBDA, i), e = linear_equations(l, 3, CLOSURE, i);
    Body turn = body_new(l, SHAPE_PLANAR, 0);
    add_vector(l, e, body[i].atip, one);
    add_vector(l, force[i], lambda, minus);
    add_cross(l, torque[i], lambda, body[i].r, one);
    if (j == INC_NONE)
        return;
    add_rotated(l, e, body[j].atip, &turn, false);
    for (uint32_t row = 0; row < 3; row++)
        for (uint32_t c = 0; c < 3; c++) {
            linear_term(l, force[j] + row, lambda + c, turn.rot[c][row]);
            for (uint32_t q = 0; q < 3; q++) {
                Num arm = cross_entry(body[j].r, row, q);
                linear_term(l, torque[j] + row, lambda + c,
                            num_neg(num_mul(&l->counter, arm, turn.rot[c][q])));
            }
        }
}

static inline Linear mechanism_equations(const Mechanism *mech, uint64_t seed, Arena *mem)
{
    Linear l = {.mem = mem, .seed = seed, .counter = counter_new(mem)};
    const Num one = {1, true}, minus = {RESIDUE_PRIME - 1, true};
    Body *body = arena_array(mem, Body, mech->n);
    for (uint32_t i = 0; i < mech->n; i++) {
        Body b = body_new(&l, mech->shape, i);
        b.qdd = linear_unknowns(&l, 1, QDD, i);
        b.z = linear_unknowns(&l, 3, Z, i);
        b.a = linear_unknowns(&l, 3, A, i);
        b.atip = linear_unknowns(&l, 3, ATIP, i);
        b.f = linear_unknowns(&l, 3, F, i);
        b.t = linear_unknowns(&l, 3, T, i);
        b.fp = linear_unknowns(&l, 3, FP, i);
        b.tp = linear_unknowns(&l, 3, TP, i);
        body[i] = b;
    }
    uint32_t *force = arena_array(mem, uint32_t, mech->n);
    uint32_t *torque = arena_array(mem, uint32_t, mech->n);
    for (uint32_t i = 0; i < mech->n; i++) {
        const Body *b = &body[i], *p = mech->parent[i] == INC_NONE ? NULL : &body[mech->parent[i]];
        uint32_t e;
        /* z = R z_parent + axis qdd */
        e = linear_equations(&l, 3, ANGULAR, i);
        add_vector(&l, e, b->z, one);
        if (p)
            add_rotated(&l, e, p->z, b, false);
        linear_term(&l, e + b->axis, b->qdd, minus);
        /* a = R atip_parent */
        e = linear_equations(&l, 3, ROTATION, i);
        add_vector(&l, e, b->a, one);
        if (p)
            add_rotated(&l, e, p->atip, b, false);
        /* atip = a + z x r */
        e = linear_equations(&l, 3, TRANSLATION, i);
        add_vector(&l, e, b->atip, one);
        add_vector(&l, e, b->a, minus);
        add_cross(&l, e, b->z, b->r, minus);
        /* fp = R' f, tp = R' t */
        e = linear_equations(&l, 3, PARENT_FORCE, i);
        add_vector(&l, e, b->fp, one);
        add_rotated(&l, e, b->f, b, true);
        e = linear_equations(&l, 3, PARENT_TORQUE, i);
        add_vector(&l, e, b->tp, one);
        add_rotated(&l, e, b->t, b, true);
        /* axis . t = 0 */
        e = linear_equations(&l, 1, DALEMBERT, i);
        linear_term(&l, e, b->t + b->axis, one);
        /* f = m (a + z x c) + sum of fp */
        force[i] = e = linear_equations(&l, 3, FORCE, i);
        add_vector(&l, e, b->f, one);
        add_vector(&l, e, b->a, num_neg(b->m));
        add_cross(&l, e, b->z, b->c, num_neg(b->m));
        /* t = I z + c x m a + sum of (tp + r x fp) */
        torque[i] = e = linear_equations(&l, 3, TORQUE, i);
        add_vector(&l, e, b->t, one);
        for (uint32_t k = 0; k < 9; k++)
            linear_term(&l, e + k / 3, b->z + k % 3, num_neg(b->inertia[k / 3][k % 3]));
        add_cross(&l, e, b->a, b->c, b->m);
    }
    for (uint32_t i = 0; i < mech->n; i++)
        if (mech->parent[i] != INC_NONE) {
            const Body *b = &body[i], *p = &body[mech->parent[i]];
            add_vector(&l, force[mech->parent[i]], b->fp, minus);
            add_vector(&l, torque[mech->parent[i]], b->tp, minus);
            add_cross(&l, torque[mech->parent[i]], b->fp, p->r, one);
        }

    for (uint32_t k = 0; k < mech->n_loops; k++)
        add_closure(&l, mech, k, body, force, torque);

    bool *keep_row = arena_array(mem, bool, l.rows.n), *keep_col = arena_array(mem, bool, l.n_cols);
    bool planar = mech->shape == SHAPE_PLANAR;
    bool *is_parent = arena_array(mem, bool, mech->n);
    for (uint32_t i = 0; i < mech->n; i++)
        if (mech->parent[i] != INC_NONE)
            is_parent[mech->parent[i]] = true;
    for (uint32_t k = 0; k < 2 * mech->n_loops; k++)
        if (mech->loop[k / 2][k % 2] != INC_NONE)
            is_parent[mech->loop[k / 2][k % 2]] = true;
    for (uint32_t v = 0; v < l.n_cols; v++) {
        Kind kind = l.col_kind.at[v];
        uint32_t i = l.col_body.at[v], index = l.col_index.at[v];
        bool angular = kind == Z || kind == T || kind == TP;
        bool free_torque = (kind == T || kind == TP) && index == body[i].axis;
        keep_col[v] = kind == QDD || !planar || (angular ? index == 2 : index < 2);
        if ((kind == FP || kind == TP) && mech->parent[i] == INC_NONE)
            keep_col[v] = false;
        if ((kind == ATIP && !is_parent[i]) || (free_torque && !mech->keep_torque))
            keep_col[v] = false;
    }
    for (uint32_t e = 0; e < l.rows.n; e++) {
        Kind kind = l.row_kind.at[e];
        uint32_t i = l.row_body.at[e], index = l.row_index.at[e];
        bool angular = kind == ANGULAR || kind == TORQUE || kind == PARENT_TORQUE;
        keep_row[e] = !planar || kind == DALEMBERT || (angular ? index == 2 : index < 2);
        if ((kind == PARENT_FORCE || kind == PARENT_TORQUE) && mech->parent[i] == INC_NONE)
            keep_row[e] = false;
        if (kind == TRANSLATION && !is_parent[i])
            keep_row[e] = false;
        if (!mech->keep_torque &&
            (kind == DALEMBERT || (kind == PARENT_TORQUE && index == body[i].axis)))
            keep_row[e] = false;
    }
    for (uint32_t e = 0; e < l.rows.n; e++) {
        uint32_t i = l.row_body.at[e];
        if (has_side(mech->shape, l.row_kind.at[e], l.row_index.at[e], body[i].axis,
                     mech->parent[i] == INC_NONE))
            l.rows.at[e].side = num_known(&l.counter, residue_any(&l.seed), false);
    }
    linear_restrict(&l, keep_row, keep_col);
    linear_done(&l);
    return l;
}

static inline const uint32_t *chain_parents(uint32_t n, Arena *mem)
{
    uint32_t *parent = arena_array(mem, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        parent[i] = i ? i - 1 : INC_NONE;
    return parent;
}

static inline const uint32_t *random_parents(uint32_t n, Arena *mem)
{
    uint32_t *parent = arena_array(mem, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        parent[i] = i && rand() % 20 ? (uint32_t)rand() % i : INC_NONE;
    return parent;
}

#endif
