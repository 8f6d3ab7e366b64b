#include "eliminate/frames/rotations.h"

#include "base/hash.h"
#include "base/map.h"

Rotations rotations_new(System *s, Arena *mem)
{
    return (Rotations){.s = s,
                       .mem = mem,
                       .by_value = map_new(mem),
                       .holders = map_new(mem),
                       .seen = map_new(mem)};
}

static ExprId without_sign(const ExprPool *p, ExprId x)
{
    return expr_op(p, x) == OP_NEG ? expr_arg(p, x, 0) : x;
}

/* Rows times rows: is it I? */
static bool is_orthogonal(const Rotation *r, Fp one)
{
    for (int i = 0; i < DIM; i++) {
        for (int k = 0; k <= i; k++) {
            Fp sum = {{0, 0}};
            for (int j = 0; j < DIM; j++)
                sum = fp_add(sum, fp_mul(r->value[i][j], r->value[k][j]));
            if (i == k ? !fp_same(sum, one) : !fp_is_zero(sum))
                return false;
        }
    }
    return true;
}

static bool is_identity(const Rotation *r, Fp one)
{
    for (int i = 0; i < DIM; i++)
        if (!fp_same(r->value[i][i], one))
            return false;
    return true;
}

static uint64_t hash_of(const Rotation *r)
{
    uint64_t h = 1;
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            h = hash_pair(h, hash_pair(r->value[i][j].r[0], r->value[i][j].r[1]));
    return h;
}

static Rotation transpose(const Rotation *r)
{
    Rotation t = *r;
    for (int i = 0; i < DIM; i++) {
        for (int j = 0; j < DIM; j++) {
            t.x[i][j] = r->x[j][i];
            t.value[i][j] = r->value[j][i];
        }
    }
    return t;
}

static void hold(Rotations *r, ExprId x, uint32_t rotation)
{
    ExprId node = without_sign(r->s->pool, x);
    if (expr_variability(r->s->pool, node) == VARIES_NEVER)
        return;
    uint32_t first = map_get(&r->holders, node.i);
    if (first != MAP_NONE && r->holder.at[first].rotation == rotation)
        return;
    vec_push(r->mem, r->holder, ((struct RotationHolder){rotation, first}));
    map_put(&r->holders, node.i, r->holder.n - 1);
}

uint32_t rotations_offer(Rotations *r, uint32_t d, const ExprId *x, VarId first)
{
    ExprPool *p = r->s->pool;
    Rotation m = {.first = first};
    for (uint32_t i = 0; i < DIM; i++) {
        for (uint32_t j = 0; j < DIM; j++) {
            m.x[i][j] = i < d && j < d ? x[d * i + j] : expr_int(p, i == j);
            m.value[i][j] = expr_fingerprint(p, m.x[i][j]);
        }
    }
    Fp one = expr_fingerprint(p, expr_int(p, 1));
    if (!is_orthogonal(&m, one) || is_identity(&m, one))
        return UINT32_MAX;
    uint32_t known = map_get(&r->by_value, hash_of(&m));
    if (known != MAP_NONE)
        return known;
    Rotation t = transpose(&m);
    uint32_t k = r->at.n;
    bool symmetric = hash_of(&t) == hash_of(&m);
    m.transposed = symmetric ? k : k + 1;
    t.transposed = k;
    map_put(&r->by_value, hash_of(&m), k);
    vec_push(r->mem, r->at, m);
    if (!symmetric) {
        map_put(&r->by_value, hash_of(&t), k + 1);
        vec_push(r->mem, r->at, t);
    }
    for (uint32_t i = 0; i < DIM; i++)
        for (uint32_t j = 0; j < DIM; j++)
            hold(r, m.x[i][j], k);
    return k;
}

static void count(RotationHits *all, uint32_t rotation)
{
    uint32_t k = 0;
    while (k < all->n && all->number[k] != rotation)
        k++;
    if (k == ROTATION_HITS)
        return;
    if (k == all->n) {
        all->number[k] = rotation;
        all->hits[all->n++] = 0;
    }
    all->hits[k]++;
    for (; k > 0 && all->hits[k - 1] < all->hits[k]; k--) {
        uint32_t number = all->number[k], hits = all->hits[k];
        all->number[k] = all->number[k - 1];
        all->hits[k] = all->hits[k - 1];
        all->number[k - 1] = number;
        all->hits[k - 1] = hits;
    }
}

RotationHits rotations_in(Rotations *r, uint32_t n, const ExprId *x,
                          bool (*is_leaf)(const void *data, ExprId x), const void *data)
{
    enum { FARTHEST = 200 }; /* nodes visited */
    const ExprPool *p = r->s->pool;
    RotationHits all = {0};
    r->stack.n = 0;
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(x[k]))
            vec_push(r->mem, r->stack, without_sign(p, x[k]).i);
    for (uint32_t looked = 0; r->stack.n && looked < FARTHEST; looked++) {
        ExprId y = {r->stack.at[--r->stack.n]};
        uint32_t h = map_get(&r->holders, y.i);
        for (; h != MAP_NONE; h = r->holder.at[h].next)
            count(&all, r->holder.at[h].rotation);
        if (map_get(&r->holders, y.i) != MAP_NONE || is_leaf(data, y))
            continue;
        for (uint32_t k = expr_n_args(p, y); k-- > 0;)
            vec_push(r->mem, r->stack, without_sign(p, expr_arg(p, y, k)).i);
    }
    return all;
}
