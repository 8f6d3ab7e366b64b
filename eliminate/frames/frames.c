#include "eliminate/frames/frame_work.h"
#include "eliminate/frames/shifts.h"

#include <stdlib.h>

/* ---- the rotations of the model ---- */

/* An array all of whose scalars are known before block `ready`. */
typedef struct RotationArray {
    uint32_t ready, d;
    const VarId *var;
} RotationArray;

static int by_readiness(const void *a, const void *b)
{
    const RotationArray *x = a, *y = b;
    if (x->ready != y->ready)
        return x->ready < y->ready ? -1 : 1;
    return x->var[0].i < y->var[0].i ? -1 : 1;
}

/* The expression of v if it was removed as an alias; EXPR_NONE else. */
static ExprId alias_of(const Blt *b, VarId v)
{
    return b->aliases && v.i < b->aliases->n ? b->aliases->value[v.i] : EXPR_NONE;
}

static ExprId value_of(Move *w, const Blt *b, VarId v)
{
    ExprId x = alias_of(b, v);
    if (!expr_exists(x))
        x = system_var_expr(w->s, v);
    return expr_substitute(w->s->pool, &w->explicit.values, x);
}

/* Arrays of 9 or 4 scalars, or so many per element, those first that are known first. */
static uint32_t rotation_arrays(Move *w, const Blt *blt, RotationArray **out)
{
    const Blocks *blocks = &blt->blocks;
    System *s = w->s;
    const ExprPool *p = s->pool;
    uint32_t *block_of = arena_array(w->mem, uint32_t, s->var.n);
    for (uint32_t b = 0; b < blocks->n; b++)
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++)
            block_of[blt_var(blt, k).i] = b + 1;
    VEC(RotationArray) found = {0};
    for (uint32_t v = 0; v < s->var.n; v++) {
        uint32_t d = matrix_at(s, w->var_shape, v);
        if (d == 0)
            continue;
        VarId *entry = arena_array(w->mem, VarId, d * d);
        RotationArray c = {.d = d, .var = entry};
        for (uint32_t k = 0; k < d * d; k++) {
            entry[k] = (VarId){v + k};
            VarId of = entry[k];
            ExprId a = alias_of(blt, of);
            if (expr_exists(a) && expr_op(p, without_sign(p, a)) == OP_VAR)
                of = expr_var_of(p, without_sign(p, a));
            if (block_of[of.i] > c.ready)
                c.ready = block_of[of.i];
        }
        vec_push(w->mem, found, c);
    }
    if (found.n)
        qsort(found.at, found.n, sizeof *found.at, by_readiness);
    *out = found.at;
    return found.n;
}

/* ---- vectors and their equations ---- */

/* Groups that were added are vectors. */
static Coordinate coordinate_in(const Move *w, const Shape *shape, uint32_t group, uint32_t index)
{
    return coordinate_of(group, index, group < w->n_groups ? shape[group] : (Shape){.size = DIM});
}

static void find_vectors(Move *w)
{
    const Loop *l = &w->loop;
    Map number = map_new(w->tmp);
    w->vector_of = arena_array(w->tmp, uint32_t, l->n);
    w->coordinate = arena_array(w->tmp, uint32_t, l->n);
    w->vector.n = 0;
    for (uint32_t u = 0; u < l->n; u++) {
        const Var *x = &w->s->var.at[l->var[u].i];
        w->vector_of[u] = NOWHERE;
        if (x->group == GROUP_NONE || l->same[u] != u)
            continue;
        Coordinate c = coordinate_in(w, w->var_shape, x->group, x->index);
        uint32_t k = map_number(&number, c.vector, w->vector.n);
        if (k == w->vector.n)
            vec_push(w->mem, w->vector, ((Vector){.at = {NOWHERE, NOWHERE, NOWHERE}}));
        w->vector_of[u] = k;
        w->coordinate[u] = c.k;
        w->vector.at[k].at[c.k] = u;
    }
}

static Term *term_of(Move *w, VectorEq *e, uint32_t vector)
{
    for (uint32_t k = 0; k < e->term.n; k++)
        if (e->term.at[k].vector == vector)
            return &e->term.at[k];
    Term t = {.vector = vector};
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            t.x[i][j] = EXPR_NONE;
    vec_push(w->tmp, e->term, t);
    return &vec_last(e->term);
}

static Column *column_of(Move *w, VectorEq *e, uint32_t unknown)
{
    for (uint32_t k = 0; k < e->column.n; k++)
        if (e->column.at[k].unknown == unknown)
            return &e->column.at[k];
    vec_push(w->tmp, e->column, ((Column){unknown, {EXPR_NONE, EXPR_NONE, EXPR_NONE}}));
    return &vec_last(e->column);
}

static ExprId plus(ExprPool *p, ExprId a, ExprId b)
{
    return expr_exists(a) ? expr_add(p, a, b) : b;
}

static void add_row(Move *w, VectorEq *e, uint32_t i, uint32_t row)
{
    ExprPool *p = w->s->pool;
    const LinearForm *f = &w->loop.form[row];
    e->row[i] = row;
    e->rest[i] = f->rest;
    for (uint32_t k = 0; k < f->n; k++) {
        uint32_t u = w->loop.same[map_get(&w->loop.place, f->var[k].i)];
        if (w->vector_of[u] == NOWHERE) {
            Column *c = column_of(w, e, u);
            c->x[i] = plus(p, c->x[i], f->coeff[k]);
            continue;
        }
        Term *t = term_of(w, e, w->vector_of[u]);
        uint32_t j = w->coordinate[u];
        t->x[i][j] = plus(p, t->x[i][j], f->coeff[k]);
        t->value[i][j] = expr_fingerprint(p, t->x[i][j]);
    }
}

static void find_equations(Move *w)
{
    Map known = map_new(w->tmp);
    w->equation.n = 0;
    for (uint32_t r = 0; r < w->loop.n; r++) {
        const Eq *q = &w->s->eq.at[w->loop.eq[r].i];
        if (loop_is_name(&w->loop, w->s, r))
            continue;
        bool is_alone = q->group == GROUP_NONE;
        Coordinate c = {0};
        if (!is_alone)
            c = coordinate_in(w, w->eq_shape, q->group, q->index);
        uint32_t k = is_alone ? MAP_NONE : map_get(&known, c.vector);
        if (k == MAP_NONE || w->equation.at[k].row[c.k] != NOWHERE) {
            k = w->equation.n;
            if (!is_alone)
                map_put(&known, c.vector, k);
            VectorEq e = {.row = {NOWHERE, NOWHERE, NOWHERE},
                          .rest = {EXPR_NONE, EXPR_NONE, EXPR_NONE}};
            vec_push(w->mem, w->equation, e);
        }
        add_row(w, &w->equation.at[k], c.k, r);
    }
}

/* ---- loop after loop ---- */

static void move_loop(Move *w, Shifts *shifts, uint32_t n, const EqId *eq, const VarId *var)
{
    if (loop_open(&w->loop, &w->explicit, n, eq, var, w->tmp)) {
        w->out->n_shifted += shifts_apply(shifts, &w->loop, w->tmp);
        find_vectors(w);
        find_equations(w);
        if (frames_choose(w))
            frames_write(w);
    }
    loop_close(&w->loop, &w->explicit);
}

enum { LEAST = 4 }; /* equations of a loop: two coordinates, determined by something */

/* The blocks that loops need, loops themselves too. */
static bool *needed_blocks(const Blt *b, Arena *mem)
{
    const Blocks *blocks = &b->blocks;
    bool *is_needed = arena_array(mem, bool, blocks->n);
    bool *reads = arena_array(mem, bool, b->columns.n); /* per unknown: a loop, or by others */
    for (uint32_t k = blocks->n; k-- > 0;) {
        is_needed[k] = blocks->begin[k + 1] - blocks->begin[k] >= LEAST;
        for (uint32_t i = blocks->begin[k]; i < blocks->begin[k + 1] && !is_needed[k]; i++)
            is_needed[k] = reads[blocks->var[i]];
        for (uint32_t i = blocks->begin[k]; i < blocks->begin[k + 1] && is_needed[k]; i++) {
            const Incidence *g = &b->columns.g;
            for (uint32_t n = g->row_begin[blocks->eq[i]]; n < g->row_begin[blocks->eq[i] + 1]; n++)
                reads[g->col[n]] = true;
        }
    }
    return is_needed;
}

Frames frames_find(const Blt *blt, FramesHow how, Arena *scratch)
{
    System *s = blt->sys;
    const Blocks *blocks = &blt->blocks;
    Frames out = {.rewriting = rewriting_new(s)};
    uint32_t largest = 0;
    for (uint32_t b = 0; b < blocks->n; b++)
        if (blocks->begin[b + 1] - blocks->begin[b] > largest)
            largest = blocks->begin[b + 1] - blocks->begin[b];
    if (largest < LEAST || !pool_by_value(s->pool))
        return out;
    Arena *tmp = arena_new(), *row = arena_new();
    Move w = {.s = s,
              .mem = scratch,
              .tmp = tmp,
              .explicit = explicit_values_new(s, scratch, row),
              .rotations = rotations_new(s, scratch),
              .n_groups = s->n_groups,
              .var_shape = array_shapes(s, false, scratch),
              .eq_shape = array_shapes(s, true, scratch),
              .one = expr_fingerprint(s->pool, expr_int(s->pool, 1)),
              .mixed_cost = how.mixed_cost,
              .costs = map_new(scratch),
              .links = map_new(scratch),
              .as_written = op_counter_new(s->pool, scratch),
              .out = &out};
    const bool *needed = how.of_rates ? needed_blocks(blt, scratch) : NULL;
    Shifts shifts = shifts_new(&w.explicit, &out.rewriting, w.var_shape, scratch);
    shifts.of_rows = how.of_rates;
    RotationArray *array;
    uint32_t n_arrays = rotation_arrays(&w, blt, &array), next = 0;
    known_images_begin(&w.known, blt, &w.explicit, &w.rotations, &out.rewriting, w.var_shape,
                       scratch);
    for (uint32_t k = 0; k < n_arrays; k++)
        if (w.var_shape[s->var.at[array[k].var[0].i].group].rows > 0)
            known_images_expect(&w.known, array[k].d, array[k].var);
    for (uint32_t b = 0; b < blocks->n; b++) {
        uint32_t begin = blocks->begin[b], n = blocks->begin[b + 1] - begin;
        for (; next < n_arrays && array[next].ready <= b; next++) {
            const RotationArray *c = &array[next];
            ExprId x[DIM * DIM];
            for (uint32_t k = 0; k < c->d * c->d; k++)
                x[k] = value_of(&w, blt, c->var[k]);
            uint32_t number = rotations_offer(&w.rotations, c->d, x, c->var[0]);
            if (number != UINT32_MAX)
                known_images_matrix(&w.known, c->d, c->var, x, number);
        }
        if (n == 1 && (!needed || needed[b])) {
            EqId e = {blocks->eq[begin]};
            explicit_values_solve(&w.explicit, e, blt_var(blt, begin));
            known_images_solved(&w.known, e, blt_var(blt, begin));
        }
        if (n < LEAST || w.rotations.at.n == 0)
            continue;
        ArenaMark m = arena_mark(tmp);
        EqId *eq = arena_array(tmp, EqId, n);
        VarId *unknown = arena_array(tmp, VarId, n);
        blt_block(blt, b, eq, unknown);
        move_loop(&w, &shifts, n, eq, unknown);
        arena_rollback(tmp, m);
    }
    arena_free(row);
    arena_free(tmp);
    return out;
}
