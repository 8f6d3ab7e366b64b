#include "eliminate/frames/frame_work.h"

#include <stdlib.h>

static void add_image(Move *w, Vector *v, Image *image)
{
    const Rotation *r = frame_rotation(w, image->frame);
    uint32_t mask = turned_mask(w, image->frame, mask_of(v->at)), first = 0;
    while (v->at[first] == NOWHERE)
        first++;
    const char *array = name_of_array(w->s, w->loop.var[v->at[first]], 1, w->tmp);
    const char *frame = arena_printf(w->tmp, " in %s%s", name_of_array(w->s, r->first, 2, w->tmp),
                                     r->transposed < image->frame ? " transposed" : "");
    uint32_t group = system_new_group(w->s);
    for (uint32_t k = 0; k < DIM; k++)
        if (mask >> k & 1)
            image->var[k] = rewriting_add_var(&w->out->rewriting, array, frame, group, k);
}

/* The variable of a coordinate, VAR_NONE for one that is not unknown. */
static VarId image_var(const Move *w, const Vector *v, const Image *image, uint32_t k)
{
    if (image->frame == AS_IS)
        return v->at[k] == NOWHERE ? VAR_NONE : w->loop.var[v->at[k]];
    return turned_mask(w, image->frame, mask_of(v->at)) >> k & 1 ? image->var[k] : VAR_NONE;
}

static void add_product(Move *w, ExprId *sum, ExprId coefficient, VarId v)
{
    ExprPool *p = w->s->pool;
    if (expr_is_zero(p, coefficient) == YES)
        return;
    ExprId x =
        expr_mul(p, explicit_values_written(&w->explicit, coefficient), system_var_expr(w->s, v));
    *sum = expr_add(p, *sum, x);
}

/* Coordinates in one frame from those in another: y_b = (B A') y_a. */
static void add_tie(Move *w, const Tie *t)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    const Vector *v = &w->vector.at[t->vector];
    const Image *a = &v->image.at[t->from], *b = &v->image.at[t->to];
    uint32_t group = system_new_group(s);
    for (uint32_t i = 0; i < DIM; i++) {
        VarId y = image_var(w, v, b, i);
        if (!var_exists(y))
            continue;
        Eq e = t->like;
        e.lhs = system_var_expr(s, y);
        e.rhs = expr_int(p, 0);
        e.group = group;
        e.index = i;
        for (uint32_t j = 0; j < DIM; j++) {
            VarId x = image_var(w, v, a, j);
            if (!var_exists(x))
                continue;
            ExprId c = expr_int(p, 0);
            for (uint32_t k = 0; k < DIM; k++)
                if (v->at[k] != NOWHERE)
                    c = expr_add(p, c,
                                 expr_mul(p, frame_entry(w, b->frame, i, k),
                                          frame_entry(w, a->frame, j, k)));
            add_product(w, &e.rhs, c, x);
        }
        system_add_eq(s, e);
    }
}

static void tie(Move *w, uint32_t vector, uint32_t from, uint32_t to, bool is_turnable,
                const Eq *like)
{
    vec_push(w->tmp, w->tie, ((Tie){vector, from, to, is_turnable, *like}));
}

/* Coordinates in all frames that are read, tied by the cheapest tree; its own come last if no
 * equation of the block reads them. */
static void move_vector(Move *w, uint32_t vector, const Eq *like)
{
    Vector *v = &w->vector.at[vector];
    uint32_t n = v->image.n, own = n, mask = mask_of(v->at);
    uint32_t *parent = arena_array(w->tmp, uint32_t, n), *order = arena_array(w->tmp, uint32_t, n);
    frame_tree(w, v, parent, order);
    for (uint32_t k = 1; k < n; k++)
        tie(w, vector, parent[order[k]], order[k], true, like);
    uint32_t near = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (v->image.at[k].frame == AS_IS)
            own = k;
        else if (link_cost(w, v->image.at[k].frame, AS_IS, mask) <
                 link_cost(w, v->image.at[near].frame, AS_IS, mask))
            near = k;
    }
    if (own == n) {
        vec_push(w->mem, v->image, ((Image){.frame = AS_IS}));
        tie(w, vector, near, own, false, like);
    }
    for (uint32_t k = 0; k < v->image.n; k++) {
        v->image.at[k].number = w->n_images++;
        if (k != own)
            add_image(w, v, &v->image.at[k]);
    }
    v->has_coordinates = true;
    w->out->n_moved++;
}

static const Image *image_in(const Vector *v, uint32_t frame)
{
    const Image *i = v->image.at;
    while (i->frame != frame)
        i++;
    return i;
}

static uint32_t taken_by(const VectorEq *e)
{
    return e->choice.at[e->taken].by;
}

/* Whether the equation, as chosen, has the term's coordinates alone in its rows, but for the sign.
 */
static bool is_plain(Move *w, const VectorEq *e, uint32_t term)
{
    Term t = e->term.at[term];
    const Vector *v = &w->vector.at[t.vector];
    uint32_t frame = v->is_moved ? e->frame[term] : AS_IS;
    uint32_t mask = turned_mask(w, frame, mask_of(v->at));
    Fp left[DIM][DIM], both[DIM][DIM];
    times_left(w, taken_by(e), t.value, left);
    times_right(w, frame, left, both);
    for (uint32_t i = 0; i < DIM; i++) {
        for (uint32_t j = 0; j < DIM; j++) {
            bool is_one = fp_same(both[i][j], w->one) || fp_same(fp_neg(both[i][j]), w->one);
            if (i == j && mask >> i & 1 ? !is_one : !fp_is_zero(both[i][j]))
                return false;
        }
    }
    return true;
}

/* Who may determine coordinates by adding and subtracting: equations, then ties. */
typedef struct Holding {
    uint32_t image, holder;
} Holding;

static int by_image(const void *a, const void *b)
{
    const Holding *x = a, *y = b;
    return x->image != y->image ? (x->image < y->image ? -1 : 1)
                                : (x->holder > y->holder) - (x->holder < y->holder);
}

static int by_holder(const void *a, const void *b)
{
    const Holding *x = a, *y = b;
    return x->holder != y->holder ? (x->holder < y->holder ? -1 : 1)
                                  : (x->image > y->image) - (x->image < y->image);
}

static uint32_t *starts(const Holding *h, uint32_t n, uint32_t n_keys, bool of_image, Arena *mem)
{
    uint32_t *begin = arena_array(mem, uint32_t, n_keys + 1);
    for (uint32_t k = 0; k < n; k++)
        begin[(of_image ? h[k].image : h[k].holder) + 1]++;
    for (uint32_t k = 0; k < n_keys; k++)
        begin[k + 1] += begin[k];
    return begin;
}

/* Natural matching (graph/matching.h) sees a tie in one direction only. So a tie is written for
 * coordinates that no other equation can determine by adding and subtracting; then the rest without
 * that equation or tie is examined (Karp & Sipser 1981). */
static void direct_ties(Move *w)
{
    VEC(Holding) all = {0};
    for (uint32_t k = 0; k < w->equation.n; k++) {
        const VectorEq *e = &w->equation.at[k];
        for (uint32_t t = 0; t < e->term.n; t++) {
            const Vector *v = &w->vector.at[e->term.at[t].vector];
            if (v->is_moved && is_plain(w, e, t)) {
                uint32_t image = image_in(v, e->frame[t])->number;
                vec_push(w->tmp, all, ((Holding){image, k}));
            }
        }
    }
    for (uint32_t k = 0; k < w->tie.n; k++) {
        const Tie *t = &w->tie.at[k];
        const Image *image = w->vector.at[t->vector].image.at;
        vec_push(w->tmp, all, ((Holding){image[t->to].number, w->equation.n + k}));
        if (t->is_turnable)
            vec_push(w->tmp, all, ((Holding){image[t->from].number, w->equation.n + k}));
    }
    if (all.n == 0)
        return;
    uint32_t n_holders = w->equation.n + w->tie.n;
    Holding *of_holder = arena_array(w->tmp, Holding, all.n);
    memcpy(of_holder, all.at, all.n * sizeof *of_holder);
    qsort(all.at, all.n, sizeof *all.at, by_image);
    qsort(of_holder, all.n, sizeof *of_holder, by_holder);
    uint32_t *image_begin = starts(all.at, all.n, w->n_images, true, w->tmp);
    uint32_t *holder_begin = starts(of_holder, all.n, n_holders, false, w->tmp);
    uint32_t *degree = arena_array(w->tmp, uint32_t, w->n_images);
    bool *taken = arena_array(w->tmp, bool, n_holders);
    VEC(uint32_t) single = {0};
    for (uint32_t i = 0; i < w->n_images; i++) {
        degree[i] = image_begin[i + 1] - image_begin[i];
        if (degree[i] == 1)
            vec_push(w->tmp, single, i);
    }
    while (single.n) {
        uint32_t i = single.at[--single.n], k = image_begin[i];
        while (k < image_begin[i + 1] && taken[all.at[k].holder])
            k++;
        if (k == image_begin[i + 1])
            continue;
        uint32_t h = all.at[k].holder;
        taken[h] = true;
        if (h >= w->equation.n) {
            Tie *t = &w->tie.at[h - w->equation.n];
            if (w->vector.at[t->vector].image.at[t->to].number != i) {
                uint32_t from = t->from;
                t->from = t->to;
                t->to = from;
            }
        }
        for (k = holder_begin[h]; k < holder_begin[h + 1]; k++)
            if (of_holder[k].image != i && --degree[of_holder[k].image] == 1)
                vec_push(w->tmp, single, of_holder[k].image);
    }
}

/* Row i of the turned equation, over the coordinates chosen. */
static ExprId turned_row(Move *w, const VectorEq *e, uint32_t i, ExprId *rest)
{
    ExprPool *p = w->s->pool;
    uint32_t by = taken_by(e);
    ExprId sum = expr_int(p, 0);
    for (uint32_t t = 0; t < e->term.n; t++) {
        const Term *term = &e->term.at[t];
        const Vector *v = &w->vector.at[term->vector];
        const Image own = {.frame = AS_IS};
        const Image *image = v->is_moved ? image_in(v, e->frame[t]) : &own;
        for (uint32_t j = 0; j < DIM; j++) {
            VarId x = image_var(w, v, image, j);
            if (!var_exists(x))
                continue;
            ExprId entry = expr_int(p, 0);
            for (uint32_t m = 0; m < DIM; m++) {
                ExprId left = expr_int(p, 0);
                for (uint32_t k = 0; k < DIM; k++)
                    if (expr_exists(term->x[k][m]))
                        left =
                            expr_add(p, left, expr_mul(p, frame_entry(w, by, i, k), term->x[k][m]));
                entry = expr_add(p, entry, expr_mul(p, left, frame_entry(w, image->frame, j, m)));
            }
            add_product(w, &sum, entry, x);
        }
    }
    for (uint32_t t = 0; t < e->column.n; t++) {
        ExprId entry = expr_int(p, 0);
        for (uint32_t k = 0; k < DIM; k++)
            if (expr_exists(e->column.at[t].x[k]))
                entry =
                    expr_add(p, entry, expr_mul(p, frame_entry(w, by, i, k), e->column.at[t].x[k]));
        add_product(w, &sum, entry, w->loop.var[e->column.at[t].unknown]);
    }
    *rest = expr_int(p, 0);
    for (uint32_t k = 0; k < DIM; k++)
        if (expr_exists(e->rest[k]))
            *rest = expr_add(p, *rest, expr_mul(p, frame_entry(w, by, i, k), e->rest[k]));
    *rest = explicit_values_written(&w->explicit, *rest);
    return sum;
}

/* Whether a vector that the equation reads has coordinates elsewhere, or it is turned. */
static bool must_change(const Move *w, const VectorEq *e)
{
    if (taken_by(e) != AS_IS)
        return true;
    for (uint32_t t = 0; t < e->term.n; t++)
        if (w->vector.at[e->term.at[t].vector].is_moved && e->frame[t] != AS_IS)
            return true;
    return false;
}

static uint32_t operations(Move *w, uint32_t n, const ExprId *root)
{
    op_counter_begin(&w->as_written);
    OpCount c = op_counter_more(&w->as_written, n, root);
    return (uint32_t)(c.add + c.mul + c.div + c.call);
}

/* An equation that may stay is exchanged where values known before make it cheaper. */
static void rewrite(Move *w, const VectorEq *e)
{
    System *s = w->s;
    uint32_t mask = turned_mask(w, taken_by(e), mask_of(e->row)), next = 0, n = 0;
    EqId eq[DIM];
    ExprId before[DIM], lhs[DIM], rhs[DIM], after[DIM];
    uint32_t index[DIM];
    for (uint32_t i = 0; i < DIM; i++) {
        if (!(mask >> i & 1))
            continue;
        while (e->row[next] == NOWHERE)
            next++;
        eq[n] = w->loop.eq[e->row[next++]];
        const Eq *q = &s->eq.at[eq[n].i];
        before[n] = expr_sub(s->pool, q->lhs, q->rhs);
        index[n] = q->index + i - (next - 1);
        ExprId rest;
        lhs[n] = turned_row(w, e, i, &rest);
        rhs[n] = expr_neg(s->pool, rest);
        after[n] = expr_sub(s->pool, lhs[n], rhs[n]);
        n++;
    }
    if (!must_change(w, e) && operations(w, n, after) >= operations(w, n, before))
        return;
    for (uint32_t k = 0; k < n; k++)
        rewriting_set(&w->out->rewriting, eq[k], lhs[k], rhs[k], index[k]);
}

void frames_write(Move *w)
{
    w->n_images = 0;
    memset(&w->tie, 0, sizeof w->tie); /* of the last block's memory */
    for (uint32_t k = 0; k < w->equation.n; k++) {
        const VectorEq *e = &w->equation.at[k];
        w->out->n_turned += taken_by(e) != AS_IS;
        for (uint32_t t = 0; t < e->term.n; t++) {
            Vector *v = &w->vector.at[e->term.at[t].vector];
            v->is_moved = v->image.n > 1 || v->image.at[0].frame != AS_IS;
        }
    }
    for (uint32_t k = 0; k < w->equation.n; k++) {
        const VectorEq *e = &w->equation.at[k];
        uint32_t first = 0;
        while (e->row[first] == NOWHERE)
            first++;
        Eq like = w->s->eq.at[w->loop.eq[e->row[first]].i];
        for (uint32_t t = 0; t < e->term.n; t++) {
            Vector *v = &w->vector.at[e->term.at[t].vector];
            if (v->is_moved && !v->has_coordinates)
                move_vector(w, e->term.at[t].vector, &like);
        }
    }
    direct_ties(w);
    for (uint32_t k = 0; k < w->tie.n; k++)
        add_tie(w, &w->tie.at[k]);
    for (uint32_t k = 0; k < w->equation.n; k++)
        rewrite(w, &w->equation.at[k]);
}
