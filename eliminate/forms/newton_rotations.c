#include "eliminate/forms/newton_rotations.h"

#include "base/map.h"
#include "eliminate/frames/explicit_values.h"
#include "eliminate/frames/rotations.h"

#include <stdlib.h>

/* A matrix of variables. */
typedef struct Array {
    uint32_t turn;
    ExprId x[DIM][DIM]; /* over variables, those of the turn's rotation */
} Array;

/* A rotation and its angles. */
typedef struct Turn {
    uint32_t rotation;
    VarId angle[DIM];
    const Array *array; /* gives the angles; NULL: they are not used */
    bool has[DIM];      /* per row of the array: its elements have increments */
    uint32_t row[DIM];  /* of the equations, those that the angles get */
} Turn;

struct NewtonRotations {
    Rotations list;
    VEC(Turn) turn;
    VEC(Array) array;
    const bool *is_state;    /* per variable                                    */
    ExplicitValues elements; /* of rotations by more states than there are angles */
    Arena *mem;
};

/* Over variables, aliases replaced. */
static ExprId element_of(const Blt *b, uint32_t v)
{
    const Aliases *a = b->aliases;
    return a && v < a->n && expr_exists(a->value[v]) ? a->value[v]
                                                     : system_var_expr(b->sys, (VarId){v});
}

/* A new turn. */
static uint32_t add_turn(NewtonRotations *w, uint32_t rotation, System *view, const char *of)
{
    Turn t = {.rotation = rotation};
    for (int k = 0; k < DIM; k++) {
        const char *name = arena_printf(view->mem, "%s rotation %u.%d", of, w->turn.n, k + 1);
        t.angle[k] = system_add_hidden(view, name);
    }
    vec_push(w->mem, w->turn, t);
    return w->turn.n - 1;
}

NewtonRotations *newton_rotations_find(const Blt *b, Substitution *value, System *view,
                                       const char *of, Arena *scratch)
{
    System *s = b->sys;
    NewtonRotations *w = arena_make(scratch, NewtonRotations);
    *w = (NewtonRotations){.list = rotations_new(s, scratch), .mem = scratch};
    if (!pool_by_value(s->pool))
        return w;
    Shape *shape = array_shapes(s, false, scratch);
    Map known = map_new(scratch); /* rotation -> its turn */
    for (uint32_t v = 0; v < s->var.n; v++) {
        ExprId x[DIM * DIM];
        Array a;
        if (matrix_at(s, shape, v) != DIM)
            continue;
        for (uint32_t k = 0; k < DIM * DIM; k++)
            x[k] = expr_substitute(s->pool, value, element_of(b, v + k));
        uint32_t number = rotations_offer(&w->list, DIM, x, (VarId){v});
        if (number == UINT32_MAX)
            continue;
        uint32_t other = w->list.at.at[number].transposed;
        bool is_transposed = other < number;
        uint32_t rotation = is_transposed ? other : number;
        a.turn = map_get(&known, rotation);
        if (a.turn == MAP_NONE) {
            a.turn = add_turn(w, rotation, view, of);
            map_put(&known, rotation, a.turn);
        }
        for (uint32_t k = 0; k < DIM * DIM; k++) {
            uint32_t i = k / DIM, j = k % DIM;
            a.x[is_transposed ? j : i][is_transposed ? i : j] = element_of(b, v + k);
        }
        vec_push(scratch, w->array, a);
    }
    return w;
}

/* ---- rotations that more states turn than there are angles ---- */

/* Notes the variables of the array's elements by their values, unknowns alone. */
static void note_elements(NewtonRotations *w, const Array *a, const bool *is_unknown)
{
    const ExprPool *p = w->list.s->pool;
    const Rotation *r = &w->list.at.at[w->turn.at[a->turn].rotation];
    for (int k = 0; k < DIM * DIM; k++) {
        ExprId x = a->x[k / DIM][k % DIM], value = r->x[k / DIM][k % DIM];
        ExprId node = without_sign(p, x), of = without_sign(p, value);
        if (expr_op(p, node) != OP_VAR || !is_unknown[expr_var_of(p, node).i] ||
            expr_is_fixed(p, of) || map_get(&w->elements.var_of, of.i) != MAP_NONE)
            continue;
        VarId v = expr_var_of(p, node);
        map_put(&w->elements.var_of, of.i, v.i);
        w->elements.value[v.i] = x.i == node.i ? value : expr_neg(w->list.s->pool, value);
    }
}

/* States in the expressions, up to `most` + 1: a rotation at the end of a chain depends on all. */
static uint32_t count_states(const NewtonRotations *w, uint32_t n, const ExprId *x, uint32_t most)
{
    System *s = w->list.s;
    ExprId sum = expr_int(s->pool, 0);
    for (uint32_t k = 0; k < n; k++)
        sum = expr_add(s->pool, sum, x[k]);
    VarId *state;
    return unknowns_of(s, w->is_state, sum, most, w->mem, &state);
}

void newton_rotations_note_states(NewtonRotations *w, const bool *is_state, const bool *is_unknown,
                                  Arena *tmp)
{
    w->is_state = is_state;
    w->elements = explicit_values_new(w->list.s, w->mem, tmp);
    for (uint32_t k = 0; k < w->array.n; k++) {
        const Array *a = &w->array.at[k];
        const Rotation *r = &w->list.at.at[w->turn.at[a->turn].rotation];
        if (count_states(w, DIM * DIM, &r->x[0][0], DIM) > DIM)
            note_elements(w, a, is_unknown);
    }
}

ExprId newton_rotations_written(NewtonRotations *r, ExprId phi)
{
    if (!r->is_state || r->elements.var_of.n == 0)
        return EXPR_NONE;
    ExprId x = explicit_values_written(&r->elements, phi);
    uint32_t most = UINT32_MAX - 1;
    return count_states(r, 1, &x, most) + DIM < count_states(r, 1, &phi, most) ? x : EXPR_NONE;
}

/* A part of a coefficient of the unknown or defect `of`. */
typedef struct Product {
    VarId of;
    ExprId factor[DIM];
} Product;

/* The work of one view. */
typedef struct Work {
    NewtonRotations *r;
    NewtonView *v;
    ExprPool *p;
    bool *is_unknown;
    const bool *is_defect, *may_go;
    Series series;    /* of the unknowns and defects */
    uint32_t *row_of; /* per variable of the view: the row that determines it, or INC_NONE */
    Map owner;        /* variable -> turn by which it moves */
    ExprId gamma;     /* the step */
    ExprId *element;  /* per variable of the view: its increment by the angles, or EXPR_NONE */
    bool *is_any;     /* per variable: true */
    VEC(Product) product;
    VEC(ExprId) factor; /* of products of one coefficient */
    Arena *scratch;
} Work;

/* The unknown that an element is, but for its sign; VAR_NONE: it is none, or stays. */
static VarId unknown_of(const Work *w, ExprId x)
{
    ExprId node = without_sign(w->p, x);
    if (expr_op(w->p, node) != OP_VAR)
        return VAR_NONE;
    VarId u = expr_var_of(w->p, node);
    bool goes = w->is_unknown[u.i] && w->row_of[u.i] != INC_NONE && w->may_go[w->row_of[u.i]];
    return goes ? u : VAR_NONE;
}

/* The increment of an element, not an unknown itself, over the unknowns and defects, by its
 * equation; false: the view has none. */
static bool increment_of(Work *w, ExprId x, LinearForm *out)
{
    ExprPool *p = w->p;
    ExprId node = without_sign(p, x);
    *out = (LinearForm){.is_linear = true};
    if (expr_is_fixed(p, node))
        return true;
    if (expr_op(p, node) != OP_VAR)
        return false;
    VarId u = expr_var_of(p, node);
    Substitution none = {0};
    ExprId sum = w->v->explicit_value[u.i];
    if (!expr_exists(sum) && w->row_of[u.i] != INC_NONE) {
        const Eq *e = &w->v->sys->eq.at[w->row_of[u.i]];
        sum = expr_add(p, system_var_expr(w->v->sys, u), expr_sub(p, e->rhs, e->lhs));
    }
    if (!expr_exists(sum))
        return false;
    *out = series_form(&w->series, &none, node.i == x.i ? sum : expr_neg(p, sum), w->scratch);
    for (uint32_t k = 0; k < out->n && out->is_linear; k++)
        out->is_linear = out->var[k].i != u.i;
    return out->is_linear && expr_is_zero(p, out->rest) == YES;
}

/* Whether the elements of row i have increments. */
static bool has_increments(Work *w, const Array *a, int i)
{
    LinearForm f;
    bool all = true;
    for (int j = 0; j < DIM && all; j++)
        all = increment_of(w, a->x[i][j], &f);
    return all;
}

/* Whether the array's rotation has more than three elements that are unknowns by rows of their own,
 * and angles by these rows. Then these unknowns are its own. */
static void take(Work *w, const Array *a)
{
    Turn *t = &w->r->turn.at[a->turn];
    VarId own[DIM * DIM];
    uint32_t n = 0;
    for (int k = 0; k < DIM * DIM; k++) {
        VarId u = unknown_of(w, a->x[k / DIM][k % DIM]);
        if (!var_exists(u) || map_get(&w->owner, u.i) != MAP_NONE)
            continue;
        bool known = false;
        for (uint32_t l = 0; l < n; l++)
            known = known || own[l].i == u.i;
        if (!known)
            own[n++] = u;
    }
    if (!t->array) {
        bool has[DIM];
        for (int i = 0; i < DIM; i++)
            has[i] = n > DIM && has_increments(w, a, i);
        // each angle comes from one of two rows
        if (has[0] + has[1] + has[2] < 2)
            return;
        t->array = a;
        for (int i = 0; i < DIM; i++) {
            t->has[i] = has[i];
            t->row[i] = w->row_of[own[i].i];
        }
    }
    for (uint32_t k = 0; k < n; k++)
        map_put(&w->owner, own[k].i, a->turn);
}

/* -skew(d) R, of the elements that are the rotation's own. */
static void put_in_elements(Work *w, const Array *a, bool *is_left)
{
    ExprPool *p = w->p;
    const Turn *t = &w->r->turn.at[a->turn];
    const Rotation *r = &w->r->list.at.at[t->rotation];
    ExprId d[DIM];
    for (int k = 0; k < DIM; k++)
        d[k] = system_var_expr(w->v->sys, t->angle[k]);
    for (int i = 0; i < DIM; i++) {
        int k = (i + 1) % DIM, l = (i + 2) % DIM;
        for (int j = 0; j < DIM; j++) {
            VarId u = unknown_of(w, a->x[i][j]);
            if (!var_exists(u) || map_get(&w->owner, u.i) != a->turn)
                continue;
            ExprId x = expr_sub(p, expr_mul(p, d[l], r->x[k][j]), expr_mul(p, d[k], r->x[l][j]));
            bool is_positive = without_sign(p, a->x[i][j]).i == a->x[i][j].i;
            w->element[u.i] = is_positive ? x : expr_neg(p, x);
            is_left[w->row_of[u.i]] = true;
        }
    }
}

/* Adds  x * y * increment of u, elements by the angles. */
static void add_product(Work *w, ExprId x, ExprId y, VarId u)
{
    ExprPool *p = w->p;
    if (!expr_exists(w->element[u.i])) {
        vec_push(w->scratch, w->product, ((Product){u, {x, y, expr_int(p, 1)}}));
        return;
    }
    Substitution none = {0};
    LinearForm f = series_form(&w->series, &none, w->element[u.i], w->scratch);
    for (uint32_t k = 0; k < f.n; k++)
        vec_push(w->scratch, w->product, ((Product){f.var[k], {x, y, f.coeff[k]}}));
}

static int by_variable(const void *a, const void *b)
{
    const Product *x = a, *y = b;
    return (x->of.i > y->of.i) - (x->of.i < y->of.i);
}

/* Angle k of d in products, by variables, from two rows of  skew(d) = -dR R'. */
static void find_products(Work *w, const Turn *t, int k)
{
    ExprPool *p = w->p;
    const Rotation *r = &w->r->list.at.at[t->rotation];
    int from = (k + 1) % DIM, by = (k + 2) % DIM;
    bool swap = !t->has[from];
    if (swap) {
        from = by;
        by = (k + 1) % DIM;
    }
    w->product.n = 0;
    for (int j = 0; j < DIM; j++) {
        LinearForm f;
        increment_of(w, t->array->x[from][j], &f);
        ExprId x = swap ? expr_neg(p, r->x[by][j]) : r->x[by][j];
        for (uint32_t c = 0; c < f.n; c++)
            add_product(w, x, f.coeff[c], f.var[c]);
    }
    if (w->product.n)
        qsort(w->product.at, w->product.n, sizeof *w->product.at, by_variable);
}

/* value / y as a node, times y; EXPR_NONE: there is none. */
static ExprId known_multiple(Work *w, Fp value, ExprId y)
{
    ExprPool *p = w->p;
    Fp per;
    if (!fp_inverse(expr_fingerprint(p, y), &per))
        return EXPR_NONE;
    ExprId x = expr_known(p, fp_mul(value, per), w->factor.n, w->factor.at);
    return expr_exists(x) ? expr_mul(p, x, y) : x;
}

/* The sum of n products: a value that is there, such a value times a state or the step, or written
 * out. */
static ExprId coefficient_of(Work *w, const Product *product, uint32_t n)
{
    enum { MOST = 5, STEPS = 2 }; /* states of a joint and the step; powers of the step */
    ExprPool *p = w->p;
    ExprId one = expr_int(p, 1);
    Fp sum = {{0, 0}};
    w->factor.n = 0;
    for (uint32_t k = 0; k < n; k++) {
        Fp x = expr_fingerprint(p, one);
        for (int i = 0; i < DIM; i++) {
            vec_push(w->scratch, w->factor, product[k].factor[i]);
            x = fp_mul(x, expr_fingerprint(p, product[k].factor[i]));
        }
        sum = fp_add(sum, x);
    }
    ArenaMark mark = arena_mark(w->scratch);
    VarId *leaf;
    uint32_t n_leaves =
        unknowns_of(w->v->sys, w->is_any, product->factor[1], MOST, w->scratch, &leaf);
    ExprId x = EXPR_NONE, power = one;
    for (int e = 0; e <= STEPS && !expr_exists(x); e++) {
        x = known_multiple(w, sum, power);
        for (uint32_t k = 0; k < n_leaves && n_leaves <= MOST && !expr_exists(x); k++)
            x = known_multiple(w, sum, expr_mul(p, system_var_expr(w->v->sys, leaf[k]), power));
        power = expr_mul(p, power, w->gamma);
    }
    arena_rollback(w->scratch, mark);
    if (expr_exists(x))
        return x;
    x = expr_int(p, 0);
    for (uint32_t k = 0; k < n; k++) {
        const ExprId *f = product[k].factor;
        x = expr_add(p, x, expr_mul(p, f[0], expr_mul(p, f[1], f[2])));
    }
    return x;
}

/* The row of angle k, in place of that of an element. */
static Eq angle_row(Work *w, const Turn *t, int k)
{
    ExprPool *p = w->p;
    System *s = w->v->sys;
    Eq e = s->eq.at[t->row[k]];
    e.lhs = system_var_expr(s, t->angle[k]);
    e.rhs = expr_int(p, 0);
    find_products(w, t, k);
    for (uint32_t c = 0, end; c < w->product.n; c = end) {
        VarId u = w->product.at[c].of;
        for (end = c + 1; end < w->product.n && w->product.at[end].of.i == u.i;)
            end++;
        ExprId x = coefficient_of(w, &w->product.at[c], end - c);
        x = expr_mul(p, x, system_var_expr(s, u));
        if (w->is_defect[u.i])
            e.rhs = expr_add(p, e.rhs, x);
        else
            e.lhs = expr_sub(p, e.lhs, x);
    }
    return e;
}

bool *newton_rotations_apply(NewtonRotations *r, NewtonView *v, bool *is_unknown,
                             const bool *is_defect, const bool *may_go, Arena *scratch)
{
    if (r->array.n == 0)
        return NULL;
    System *s = v->sys;
    Work w = {.r = r,
              .v = v,
              .p = s->pool,
              .is_unknown = is_unknown,
              .is_defect = is_defect,
              .may_go = may_go,
              .row_of = arena_array(scratch, uint32_t, s->var.n),
              .owner = map_new(scratch),
              .gamma = system_var_expr(s, v->newton->input[0]),
              .element = arena_array(scratch, ExprId, s->var.n),
              .is_any = arena_array(scratch, bool, s->var.n),
              .scratch = scratch};
    bool *is_linear = arena_array(scratch, bool, s->var.n); /* in these the increments are */
    for (uint32_t k = 0; k < s->var.n; k++) {
        w.row_of[k] = INC_NONE;
        w.element[k] = EXPR_NONE;
        w.is_any[k] = true;
        is_linear[k] = is_unknown[k] || is_defect[k];
    }
    for (uint32_t k = 0; k < r->turn.n; k++)
        for (int i = 0; i < DIM; i++)
            is_linear[r->turn.at[k].angle[i].i] = true;
    for (uint32_t k = 0; k < s->eq.n; k++)
        w.row_of[v->determines[k].i] = k;
    w.series = series_new(s, is_linear, scratch);
    for (uint32_t k = 0; k < r->array.n; k++)
        take(&w, &r->array.at[k]);
    bool *is_left = arena_array(scratch, bool, s->eq.n + 1);
    for (uint32_t k = 0; k < r->array.n; k++)
        if (r->turn.at[r->array.at[k].turn].array)
            put_in_elements(&w, &r->array.at[k], is_left);
    // rows of angles need those of elements as they were
    VEC(Eq) row = {0};
    for (uint32_t k = 0; k < r->turn.n; k++) {
        const Turn *t = &r->turn.at[k];
        for (int i = 0; i < DIM && t->array; i++) {
            vec_push(scratch, row, angle_row(&w, t, i));
            is_left[t->row[i]] = false;
        }
    }
    for (uint32_t k = 0, next = 0; k < r->turn.n; k++) {
        const Turn *t = &r->turn.at[k];
        for (int i = 0; i < DIM && t->array; i++) {
            s->eq.at[t->row[i]] = row.at[next++];
            v->determines[t->row[i]] = t->angle[i];
            is_unknown[t->angle[i].i] = true;
        }
    }
    for (uint32_t k = 0; k < s->var.n; k++) {
        if (!expr_exists(w.element[k]))
            continue;
        is_unknown[k] = false;
        v->explicit_value[k] = w.element[k];
    }
    return is_left;
}
