#include "eliminate/frames/known_images.h"

enum { NO_LEAF = UINT32_MAX, MOST_LEAVES = 80, MOST_FRAMES = 6 };

typedef struct KnownImage {
    uint32_t frame;
    bool is_own;   /* not turned from another image */
    ExprId x[DIM]; /* values */
} KnownImage;

typedef struct KnownVector {
    VarId var[DIM]; /* VAR_NONE: no unknown of the model */
    EqId eq[DIM];
    ExprId alias[DIM];      /* of those: the expressions they are aliases of */
    uint32_t n, n_expected; /* coordinates */
    VEC(KnownImage) image;
} KnownVector;

typedef struct KnownMatrix {
    Fp value[DIM][DIM];
    uint32_t rotation;
} KnownMatrix;

/* The role of a variable: a coordinate of a vector, an entry of a rotation, or neither. */
typedef struct KnownLeaf {
    uint32_t vector, matrix;
    uint32_t waiting; /* first of the vectors that it is in before its matrix is known */
    uint8_t k, i, j;
    bool is_entry; /* of a possible rotation */
} KnownLeaf;

typedef struct WaitingVector {
    uint32_t vector, next;
} WaitingVector;

typedef struct PendingImage {
    uint32_t vector, frame, k;
    uint32_t group;
} PendingImage;

/* Arrays of one dimension and of other lengths are no vectors: angles, say. */
static bool has_vectors(Shape g)
{
    return g.rows > 0 || g.columns == 0 || g.columns == 2 || g.columns == 3;
}

/* Calls back for a value without a variable: that of an image gets one. */
static ExprId name_image(void *data, ExprId x, ExprId written)
{
    KnownImages *k = data;
    uint32_t at = map_get(&k->pending, x.i);
    if (at == MAP_NONE)
        return EXPR_NONE;
    System *s = k->explicit->s;
    const PendingImage *i = &k->image.at[at];
    const KnownVector *v = &k->vector.at[i->vector];
    const Rotation *r = &k->rotations->at.at[i->frame];
    uint32_t first = 0;
    while (!var_exists(v->var[first]))
        first++;
    const char *frame = arena_printf(k->mem, " in %s%s", name_of_array(s, r->first, 2, k->mem),
                                     r->transposed < i->frame ? " transposed" : "");
    const char *array = name_of_array(s, v->var[first], 1, k->mem);
    VarId y = rewriting_add_var(k->rewriting, array, frame, i->group, i->k);
    Eq e = s->eq.at[v->eq[first].i];
    e.lhs = system_var_expr(s, y);
    e.rhs = written;
    e.group = i->group;
    e.index = i->k;
    system_add_eq(s, e);
    map_put(&k->explicit->var_of, x.i, y.i);
    return e.lhs;
}

void known_images_begin(KnownImages *k, const Blt *b, ExplicitValues *explicit,
                        Rotations *rotations, Rewriting *r, const Shape *shape, Arena *mem)
{
    System *s = explicit->s;
    uint32_t n = s->var.n;
    *k = (KnownImages){.explicit = explicit,
                       .rotations = rotations,
                       .rewriting = r,
                       .shape = shape,
                       .mem = mem,
                       .n_vars = n,
                       .leaf = arena_array(mem, KnownLeaf, n),
                       .value = arena_array(mem, ExprId, n),
                       .nothing = arena_array(mem, ExprId, n),
                       .pending = map_new(mem)};
    for (uint32_t v = 0; v < n; v++) {
        k->leaf[v] = (KnownLeaf){.vector = NO_LEAF, .matrix = NO_LEAF, .waiting = NO_LEAF};
        k->value[v] = k->nothing[v] = EXPR_NONE;
    }
    k->by = (Substitution){.value = k->value, .n = n, .mem = mem};
    k->none = (Substitution){.value = k->nothing, .n = n, .mem = mem};
    Map known = map_new(mem);
    for (uint32_t c = 0; c < b->columns.n; c++) {
        VarId v = blt_var(b, c);
        const Var *x = &s->var.at[v.i];
        if (x->group == GROUP_NONE || x->type != TYPE_REAL || !has_vectors(shape[x->group]))
            continue;
        Coordinate at = coordinate_of(x->group, x->index, shape[x->group]);
        uint32_t number = map_number(&known, at.vector, k->vector.n);
        if (number == k->vector.n)
            vec_push(mem, k->vector,
                     ((KnownVector){.var = {VAR_NONE, VAR_NONE, VAR_NONE},
                                    .alias = {EXPR_NONE, EXPR_NONE, EXPR_NONE}}));
        k->vector.at[number].n_expected++;
        k->leaf[v.i].vector = number;
        k->leaf[v.i].k = (uint8_t)at.k;
    }
    for (uint32_t v = 0; v < n; v++) {
        const Var *x = &s->var.at[v];
        if (x->group == GROUP_NONE || !b->aliases || v >= b->aliases->n ||
            !expr_exists(b->aliases->value[v]) || !has_vectors(shape[x->group]))
            continue;
        Coordinate at = coordinate_of(x->group, x->index, shape[x->group]);
        uint32_t number = map_get(&known, at.vector);
        if (number != MAP_NONE)
            k->vector.at[number].alias[at.k] = b->aliases->value[v];
    }
    explicit->named = name_image;
    explicit->named_data = k;
}

void known_images_expect(KnownImages *k, uint32_t d, const VarId *var)
{
    for (uint32_t e = 0; e < d * d; e++)
        k->leaf[var[e].i].is_entry = true;
}

static void find_images(KnownImages *k, uint32_t number);

void known_images_matrix(KnownImages *k, uint32_t d, const VarId *var, const ExprId *x,
                         uint32_t rotation)
{
    const ExprPool *p = k->explicit->s->pool;
    KnownMatrix m = {.rotation = rotation};
    for (uint32_t i = 0; i < DIM; i++)
        m.value[i][i] = expr_fingerprint(p, expr_int(k->explicit->s->pool, 1));
    for (uint32_t e = 0; e < d * d; e++) {
        m.value[e / d][e % d] = expr_fingerprint(p, x[e]);
        KnownLeaf *l = &k->leaf[var[e].i];
        l->matrix = k->matrix.n;
        l->i = (uint8_t)(e / d);
        l->j = (uint8_t)(e % d);
    }
    vec_push(k->mem, k->matrix, m);
    for (uint32_t e = 0; e < d * d; e++) {
        uint32_t at = k->leaf[var[e].i].waiting;
        k->leaf[var[e].i].waiting = NO_LEAF;
        for (; at != NO_LEAF; at = k->waiting.at[at].next)
            find_images(k, k->waiting.at[at].vector);
    }
}

/* ---- turning ---- */

static Fp entry(const KnownImages *k, uint32_t frame, uint32_t i, uint32_t j)
{
    return k->rotations->at.at[frame].value[i][j];
}

static Fp times(Fp sum, Fp a, Fp b)
{
    return fp_is_zero(a) || fp_is_zero(b) ? sum : fp_add(sum, fp_mul(a, b));
}

/* The expression that has the value, if there is one. */
static ExprId existing(KnownImages *k, Fp f)
{
    ExprPool *p = k->explicit->s->pool;
    ExprId x = fp_is_zero(f) ? expr_int(p, 0) : expr_of_value(p, f);
    return !expr_exists(x) || fp_same(expr_fingerprint(p, x), f) ? x : expr_neg(p, x);
}

static void keep(KnownImages *k, uint32_t vector, uint32_t frame, const ExprId x[DIM], bool is_paid)
{
    const ExprPool *p = k->explicit->s->pool;
    KnownImage image = {.frame = frame, .is_own = true};
    uint32_t group = GROUP_NONE;
    for (uint32_t i = 0; i < DIM; i++) {
        image.x[i] = x[i];
        ExprId node = without_sign(p, x[i]);
        if (expr_is_fixed(p, node) || expr_n_args(p, node) == 0 ||
            map_get(&k->explicit->var_of, node.i) != MAP_NONE ||
            map_get(&k->pending, node.i) != MAP_NONE)
            continue;
        if (group == GROUP_NONE)
            group = system_new_group(k->explicit->s);
        map_put(&k->pending, node.i, k->image.n);
        vec_push(k->mem, k->image, ((PendingImage){vector, frame, i, group}));
    }
    if (is_paid)
        op_counter_keep(&k->explicit->counter, DIM, x);
    vec_push(k->mem, k->vector.at[vector].image, image);
}

/* The vector in the frame, perhaps from its coordinates in another by their relative rotation; NULL
 * if neither is there. */
static const KnownImage *image_in(KnownImages *k, uint32_t vector, uint32_t frame)
{
    KnownVector *v = &k->vector.at[vector];
    ExprPool *p = k->explicit->s->pool;
    for (uint32_t n = 0; n < v->image.n; n++)
        if (v->image.at[n].frame == frame)
            return &v->image.at[n];
    for (uint32_t n = 0; n < v->image.n; n++) {
        ExprId relative[DIM][DIM], x[DIM];
        bool exists = true;
        for (uint32_t i = 0; i < DIM && exists; i++) {
            for (uint32_t j = 0; j < DIM && exists; j++) {
                Fp sum = {{0, 0}};
                for (uint32_t m = 0; m < DIM; m++)
                    sum = times(sum, entry(k, frame, i, m), entry(k, v->image.at[n].frame, j, m));
                relative[i][j] = existing(k, sum);
                exists = expr_exists(relative[i][j]);
            }
        }
        if (!exists)
            continue;
        for (uint32_t i = 0; i < DIM; i++) {
            x[i] = expr_int(p, 0);
            for (uint32_t j = 0; j < DIM; j++)
                if (expr_is_zero(p, relative[i][j]) != YES)
                    x[i] = expr_add(p, x[i], expr_mul(p, relative[i][j], v->image.at[n].x[j]));
        }
        keep(k, vector, frame, x, true);
        vec_last(k->vector.at[vector].image).is_own = false;
        return &vec_last(k->vector.at[vector].image);
    }
    return NULL;
}

/* Entry i, j of a rotation: turned as one of its columns, or as one of its rows. */
static ExprId turned_entry(KnownImages *k, const KnownLeaf *l, uint32_t frame, bool of_column)
{
    const KnownMatrix *q = &k->matrix.at[l->matrix];
    Fp sum = {{0, 0}};
    for (uint32_t m = 0; m < DIM; m++)
        sum = of_column ? times(sum, entry(k, frame, l->i, m), q->value[m][l->j])
                        : times(sum, entry(k, frame, l->j, m), q->value[l->i][m]);
    return existing(k, sum);
}

/* Variables in the expressions, into k->leaves; false if there are too many. */
static bool find_leaves(KnownImages *k, uint32_t n, const ExprId *x)
{
    enum { FARTHEST = 2000 };
    const ExprPool *p = k->explicit->s->pool;
    ArenaMark m = arena_mark(k->explicit->tmp);
    Map seen = map_new(k->explicit->tmp);
    bool few = true;
    k->leaves.n = k->stack.n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (expr_exists(x[i]))
            vec_push(k->mem, k->stack, x[i]);
    for (uint32_t looked = 0; k->stack.n && few; looked++) {
        ExprId y = k->stack.at[--k->stack.n];
        if (!map_add(&seen, y.i))
            continue;
        if (expr_op(p, y) == OP_VAR && expr_var_of(p, y).i < k->n_vars)
            vec_push(k->mem, k->leaves, expr_var_of(p, y).i);
        few = k->leaves.n <= MOST_LEAVES && looked <= FARTHEST;
        for (uint32_t i = expr_n_args(p, y); i-- > 0;)
            vec_push(k->mem, k->stack, expr_arg(p, y, i));
    }
    arena_rollback(k->explicit->tmp, m);
    return few;
}

/* How leaves are read. */
typedef struct Reading {
    bool columns; /* entries of rotations: as coordinates of their columns, or of their rows */
    bool aliases; /* variables that stand for a coordinate of a vector are that coordinate */
} Reading;

static bool is_leaf(const KnownImages *k, uint32_t v)
{
    for (uint32_t n = 0; n < k->leaves.n; n++)
        if (k->leaves.at[n] == v)
            return true;
    return false;
}

static void exchange_aliases(KnownImages *k, const KnownVector *v, const KnownImage *image)
{
    ExprPool *p = k->explicit->s->pool;
    for (uint32_t c = 0; c < DIM; c++) {
        if (var_exists(v->var[c]) || !expr_exists(v->alias[c]))
            continue;
        ExprId node = without_sign(p, v->alias[c]);
        if (expr_op(p, node) != OP_VAR || !is_leaf(k, expr_var_of(p, node).i))
            continue;
        bool negative = !expr_same(node, v->alias[c]);
        k->value[expr_var_of(p, node).i] = negative ? expr_neg(p, image->x[c]) : image->x[c];
    }
}

/* Sets the replacement of each leaf; false if none is rotated. */
static bool exchange_leaves(KnownImages *k, uint32_t frame, Reading how)
{
    bool any = false;
    for (uint32_t n = 0; n < k->leaves.n; n++)
        k->value[k->leaves.at[n]] = k->explicit->value[k->leaves.at[n]];
    for (uint32_t n = 0; n < k->leaves.n; n++) {
        uint32_t v = k->leaves.at[n];
        const KnownLeaf *l = &k->leaf[v];
        ExprId y = EXPR_NONE;
        if (l->matrix != NO_LEAF) {
            y = turned_entry(k, l, frame, how.columns);
        } else if (l->vector != NO_LEAF) {
            const KnownImage *i = image_in(k, l->vector, frame);
            y = i ? i->x[l->k] : EXPR_NONE;
            if (i && how.aliases)
                exchange_aliases(k, &k->vector.at[l->vector], i);
        }
        any = any || expr_exists(y);
        if (expr_exists(y))
            k->value[v] = y;
    }
    return any;
}

static bool turn_so(KnownImages *k, const ExprId x[DIM], const Fp value[DIM], uint32_t frame,
                    Reading how, ExprId out[DIM])
{
    ExprPool *p = k->explicit->s->pool;
    bool same = exchange_leaves(k, frame, how);
    k->by.is_tentative = true;
    for (uint32_t i = 0; i < DIM && same; i++) {
        Fp sum = {{0, 0}};
        for (uint32_t m = 0; m < DIM; m++)
            sum = times(sum, entry(k, frame, i, m), value[m]);
        out[i] = expr_exists(x[i]) ? expr_substitute(p, &k->by, x[i]) : expr_int(p, 0);
        same = fp_same(sum, expr_fingerprint(p, out[i]));
    }
    substitution_go_back(&k->by);
    for (uint32_t n = 0; n < k->leaves.n; n++)
        k->value[k->leaves.at[n]] = EXPR_NONE;
    return same;
}

static bool turn(KnownImages *k, const ExprId x[DIM], const Fp value[DIM], uint32_t frame,
                 ExprId out[DIM])
{
    if (!find_leaves(k, DIM, x))
        return false;
    for (int how = 0; how < 4; how++)
        if (turn_so(k, x, value, frame, (Reading){how % 2 == 0, how >= 2}, out))
            return true;
    return false;
}

bool known_images_turn(KnownImages *k, const ExprId x[DIM], uint32_t frame, ExprId out[DIM])
{
    ExprPool *p = k->explicit->s->pool;
    Fp value[DIM];
    for (uint32_t i = 0; i < DIM; i++)
        value[i] = expr_exists(x[i])
                       ? expr_fingerprint(p, expr_substitute(p, &k->explicit->values, x[i]))
                       : (Fp){{0, 0}};
    return turn(k, x, value, frame, out);
}

/* ---- which frames ---- */

static void count_frame(uint32_t *n, uint32_t *frame, uint32_t *hits, uint32_t f)
{
    uint32_t i = 0;
    while (i < *n && frame[i] != f)
        i++;
    if (i == *n && *n == 4 * MOST_FRAMES)
        return;
    if (i == *n) {
        frame[i] = f;
        hits[i] = 0;
        ++*n;
    }
    hits[i]++;
    for (; i > 0 && hits[i - 1] < hits[i]; i--) {
        uint32_t a = frame[i], h = hits[i];
        frame[i] = frame[i - 1];
        hits[i] = hits[i - 1];
        frame[i - 1] = a;
        hits[i - 1] = h;
    }
}

uint32_t known_images_frames(KnownImages *k, uint32_t n, const ExprId *x, uint32_t most,
                             uint32_t *frame)
{
    uint32_t all[4 * MOST_FRAMES], hits[4 * MOST_FRAMES], n_all = 0;
    find_leaves(k, n, x);
    for (uint32_t i = 0; i < k->leaves.n; i++) {
        const KnownLeaf *l = &k->leaf[k->leaves.at[i]];
        if (l->matrix != NO_LEAF) {
            uint32_t r = k->matrix.at[l->matrix].rotation;
            count_frame(&n_all, all, hits, k->rotations->at.at[r].transposed);
            count_frame(&n_all, all, hits, r);
        } else if (l->vector != NO_LEAF) {
            const KnownVector *v = &k->vector.at[l->vector];
            for (uint32_t m = 0; m < v->image.n; m++)
                if (v->image.at[m].is_own)
                    count_frame(&n_all, all, hits, v->image.at[m].frame);
        }
    }
    uint32_t taken = n_all < most ? n_all : most;
    for (uint32_t i = 0; i < taken; i++)
        frame[i] = all[i];
    return taken;
}

static bool has_image(const KnownVector *v, uint32_t frame)
{
    for (uint32_t n = 0; n < v->image.n; n++)
        if (v->image.at[n].frame == frame)
            return true;
    return false;
}

/* Images of a vector that is known now, by its equations. */
static void find_images(KnownImages *k, uint32_t number)
{
    ExprPool *p = k->explicit->s->pool;
    KnownVector *vector = &k->vector.at[number];
    ExprId x[DIM], out[DIM];
    Fp value[DIM];
    for (uint32_t i = 0; i < DIM; i++) {
        x[i] = vector->alias[i];
        if (var_exists(vector->var[i])) {
            ArenaMark m = arena_mark(k->explicit->tmp);
            x[i] = linear_solution(k->explicit->s, k->explicit->is_unknown, &k->none, vector->eq[i],
                                   vector->var[i], k->explicit->tmp);
            arena_rollback(k->explicit->tmp, m);
            if (!expr_exists(x[i]))
                return;
        }
        value[i] = expr_exists(x[i])
                       ? expr_fingerprint(p, expr_substitute(p, &k->explicit->values, x[i]))
                       : (Fp){{0, 0}};
    }
    uint32_t frame[MOST_FRAMES];
    uint32_t n = known_images_frames(k, DIM, x, MOST_FRAMES, frame);
    bool is_waiting = false, is_first = true;
    for (uint32_t i = 0; i < k->leaves.n; i++) {
        KnownLeaf *l = &k->leaf[k->leaves.at[i]];
        is_first = is_first && (l->is_entry || l->vector == NO_LEAF);
        if (!l->is_entry || l->matrix != NO_LEAF)
            continue;
        is_waiting = true;
        vec_push(k->mem, k->waiting, ((WaitingVector){number, l->waiting}));
        l->waiting = k->waiting.n - 1;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!has_image(vector, frame[i]) && turn(k, x, value, frame[i], out))
            keep(k, number, frame[i], out, true);
    if (n == 0 || vector->image.n > 0 || is_waiting || !is_first)
        return;
    /* the first of a chain, where coordinates of the vectors before are constants or scalars */
    for (uint32_t i = 0; i < DIM; i++) {
        out[i] = expr_int(p, 0);
        for (uint32_t m = 0; m < DIM; m++)
            if (expr_exists(x[m]))
                out[i] = expr_add(p, out[i],
                                  expr_mul(p, k->rotations->at.at[frame[0]].x[i][m],
                                           expr_substitute(p, &k->explicit->values, x[m])));
    }
    keep(k, number, frame[0], out, false);
}

void known_images_solved(KnownImages *k, EqId e, VarId v)
{
    if (v.i >= k->n_vars || k->leaf[v.i].vector == NO_LEAF || k->leaf[v.i].is_entry)
        return;
    KnownVector *vector = &k->vector.at[k->leaf[v.i].vector];
    vector->var[k->leaf[v.i].k] = v;
    vector->eq[k->leaf[v.i].k] = e;
    if (++vector->n == vector->n_expected)
        find_images(k, k->leaf[v.i].vector);
}
