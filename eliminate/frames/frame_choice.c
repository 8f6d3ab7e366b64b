#include "base/hash.h"
#include "eliminate/frames/frame_work.h"

/* ---- what turning does ---- */

const Rotation *frame_rotation(const Move *w, uint32_t frame)
{
    return &w->rotations.at.at[frame];
}

static uint32_t inverse(const Move *w, uint32_t frame)
{
    return frame == AS_IS ? AS_IS : frame_rotation(w, frame)->transposed;
}

Fp frame_value(const Move *w, uint32_t frame, uint32_t i, uint32_t k)
{
    if (frame != AS_IS)
        return frame_rotation(w, frame)->value[i][k];
    return i == k ? w->one : (Fp){{0, 0}};
}

ExprId frame_entry(const Move *w, uint32_t frame, uint32_t i, uint32_t k)
{
    return frame == AS_IS ? expr_int(w->s->pool, i == k) : frame_rotation(w, frame)->x[i][k];
}

uint32_t mask_of(const uint32_t at[DIM])
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < DIM; k++)
        mask |= (uint32_t)(at[k] != NOWHERE) << k;
    return mask;
}

uint32_t turned_mask(const Move *w, uint32_t frame, uint32_t mask)
{
    uint32_t out = 0;
    for (uint32_t i = 0; i < DIM; i++)
        for (uint32_t k = 0; k < DIM; k++)
            if (mask >> k & 1 && !fp_is_zero(frame_value(w, frame, i, k)))
                out |= 1u << i;
    return __builtin_popcount(out) == __builtin_popcount(mask) ? out : 0;
}

/* sum + a*b, most matrices being sparse */
static Fp add_product(Fp sum, Fp a, Fp b)
{
    return fp_is_zero(a) || fp_is_zero(b) ? sum : fp_add(sum, fp_mul(a, b));
}

void times_left(const Move *w, uint32_t frame, Fp a[DIM][DIM], Fp out[DIM][DIM])
{
    for (uint32_t i = 0; i < DIM; i++) {
        for (uint32_t j = 0; j < DIM; j++) {
            out[i][j] = frame == AS_IS ? a[i][j] : (Fp){{0, 0}};
            for (uint32_t k = 0; k < DIM && frame != AS_IS; k++)
                out[i][j] = add_product(out[i][j], frame_value(w, frame, i, k), a[k][j]);
        }
    }
}

void times_right(const Move *w, uint32_t frame, Fp a[DIM][DIM], Fp out[DIM][DIM])
{
    for (uint32_t i = 0; i < DIM; i++) {
        for (uint32_t j = 0; j < DIM; j++) {
            out[i][j] = frame == AS_IS ? a[i][j] : (Fp){{0, 0}};
            for (uint32_t k = 0; k < DIM && frame != AS_IS; k++)
                out[i][j] = add_product(out[i][j], a[i][k], frame_value(w, frame, j, k));
        }
    }
}

/* ---- costs ---- */

/* Operations, as far as one equation shows them. */
enum { COST_ONE = 0, COST_REST = 1, COST_PARAMETER = 2, COST_ENTRY = 2, COST_NEW = 9 };

/* Of a coefficient with that value. */
static uint32_t entry_cost(Move *w, Fp f)
{
    ExprPool *p = w->s->pool;
    if (fp_is_zero(f))
        return 0;
    if (fp_same(f, w->one) || fp_same(fp_neg(f), w->one))
        return COST_ONE;
    uint64_t key = hash_pair(f.r[0], f.r[1]);
    uint32_t cost = map_get(&w->costs, key);
    if (cost != MAP_NONE)
        return cost;
    ExprId x = expr_of_value(p, f);
    if (!expr_exists(x)) {
        cost = COST_NEW;
    } else if (expr_variability(p, x) <= VARIES_PARAMETER) {
        cost = COST_PARAMETER;
    } else {
        cost = COST_ENTRY + explicit_values_operations(&w->explicit, 1, &x);
    }
    map_put(&w->costs, key, cost);
    return cost;
}

static uint32_t matrix_cost(Move *w, Fp a[DIM][DIM])
{
    uint32_t cost = 0;
    for (uint32_t i = 0; i < DIM; i++)
        for (uint32_t j = 0; j < DIM; j++)
            cost += entry_cost(w, a[i][j]);
    return cost;
}

/* Of what is no unknown: new sums cost as much as all that they are made of. */
static uint32_t rest_cost(Move *w, const VectorEq *e, uint32_t by)
{
    ExprPool *p = w->s->pool;
    ExprId root[2 * DIM];
    uint32_t cost = 0, n = 0;
    bool is_new = false;
    for (uint32_t i = 0; i < DIM; i++) {
        Fp sum = {{0, 0}};
        for (uint32_t k = 0; k < DIM; k++)
            if (expr_exists(e->rest[k]))
                sum = add_product(sum, frame_value(w, by, i, k), expr_fingerprint(p, e->rest[k]));
        if (fp_is_zero(sum))
            continue;
        ExprId x = expr_of_value(p, sum);
        cost += expr_exists(x) ? COST_REST : COST_NEW;
        if (expr_exists(x))
            root[n++] = x;
        is_new = is_new || !expr_exists(x);
    }
    for (uint32_t k = 0; k < DIM && is_new; k++)
        if (expr_exists(e->rest[k]))
            root[n++] = e->rest[k];
    return cost + explicit_values_operations(&w->explicit, n, root);
}

uint32_t link_cost(Move *w, uint32_t a, uint32_t b, uint32_t mask)
{
    uint64_t key = hash_pair(map_key_pair(a, b), mask);
    uint32_t cost = map_get(&w->links, key);
    if (cost != MAP_NONE)
        return cost;
    Fp to[DIM][DIM], relative[DIM][DIM];
    for (uint32_t i = 0; i < DIM; i++)
        for (uint32_t k = 0; k < DIM; k++)
            to[i][k] = mask >> k & 1 ? frame_value(w, b, i, k) : (Fp){{0, 0}};
    times_right(w, a, to, relative);
    cost = matrix_cost(w, relative);
    map_put(&w->links, key, cost);
    return cost;
}

uint32_t frame_tree(Move *w, const Vector *v, uint32_t *parent, uint32_t *order)
{
    enum { MANY = 16 }; /* frames: all over the first */
    uint32_t n = v->image.n, total = 0, mask = mask_of(v->at);
    for (uint32_t k = 0; k < n && n > MANY; k++) {
        order[k] = k;
        parent[k] = 0;
        total += k ? link_cost(w, v->image.at[0].frame, v->image.at[k].frame, mask) : 0;
    }
    if (n > MANY)
        return total;
    bool *in = arena_array(w->tmp, bool, n + 1);
    uint32_t *cost = arena_array(w->tmp, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        cost[k] = UINT32_MAX;
    for (uint32_t step = 0; step < n; step++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t k = 0; k < n; k++)
            if (!in[k] && (best == UINT32_MAX || cost[k] < cost[best]))
                best = k;
        in[best] = true;
        order[step] = best;
        total += step ? cost[best] : 0;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t c =
                in[k] ? 0 : link_cost(w, v->image.at[best].frame, v->image.at[k].frame, mask);
            if (!in[k] && c < cost[k]) {
                cost[k] = c;
                parent[k] = best;
            }
        }
    }
    return total;
}

static uint32_t ties_cost(Move *w, const Vector *v)
{
    if (v->image.n < 2)
        return 0;
    ArenaMark m = arena_mark(w->tmp);
    uint32_t *parent = arena_array(w->tmp, uint32_t, v->image.n);
    uint32_t *order = arena_array(w->tmp, uint32_t, v->image.n);
    uint32_t cost = frame_tree(w, v, parent, order);
    arena_rollback(w->tmp, m);
    return cost;
}

/* ---- choices ---- */

/* The frame in which the term of the turned equation costs least; that cost. */
static uint32_t best_frame(Move *w, Term *t, uint32_t by, const RotationHits *hits, uint32_t *frame)
{
    Fp left[DIM][DIM], both[DIM][DIM];
    uint32_t mask = mask_of(w->vector.at[t->vector].at), least = UINT32_MAX;
    uint32_t option[2 + 2 * ROTATION_HITS], n = 0;
    option[n++] = AS_IS;
    if (by != AS_IS)
        option[n++] = by;
    for (uint32_t k = 0; k < hits->n; k++) {
        option[n++] = hits->number[k];
        option[n++] = inverse(w, hits->number[k]);
    }
    times_left(w, by, t->value, left);
    for (uint32_t k = 0; k < n; k++) {
        if (turned_mask(w, option[k], mask) == 0)
            continue;
        times_right(w, option[k], left, both);
        uint32_t cost = matrix_cost(w, both);
        if (cost < least) {
            least = cost;
            *frame = option[k];
        }
    }
    return least;
}

static Choice choice_of(Move *w, VectorEq *e, uint32_t by, const RotationHits *hits)
{
    ExprPool *p = w->s->pool;
    Choice c = {.by = by, .frame = arena_array(w->tmp, uint32_t, e->term.n)};
    c.cost = rest_cost(w, e, by);
    for (uint32_t k = 0; k < e->term.n; k++)
        c.cost += best_frame(w, &e->term.at[k], by, hits, &c.frame[k]);
    for (uint32_t k = 0; k < e->column.n; k++) {
        Fp a[DIM][DIM] = {0}, turned[DIM][DIM];
        for (uint32_t i = 0; i < DIM; i++)
            if (expr_exists(e->column.at[k].x[i]))
                a[i][0] = expr_fingerprint(p, e->column.at[k].x[i]);
        times_left(w, by, a, turned);
        c.cost += matrix_cost(w, turned);
    }
    return c;
}

static void find_choices(Move *w, VectorEq *e)
{
    VEC(ExprId) entry = {0};
    for (uint32_t k = 0; k < e->term.n; k++)
        for (uint32_t i = 0; i < DIM * DIM; i++)
            vec_push(w->tmp, entry, e->term.at[k].x[i / DIM][i % DIM]);
    RotationHits in_terms =
        rotations_in(&w->rotations, entry.n, entry.at, explicit_values_is_value, &w->explicit);
    for (uint32_t k = 0; k < e->column.n; k++)
        for (uint32_t i = 0; i < DIM; i++)
            vec_push(w->tmp, entry, e->column.at[k].x[i]);
    for (uint32_t i = 0; i < DIM; i++)
        vec_push(w->tmp, entry, e->rest[i]);
    RotationHits hits =
        rotations_in(&w->rotations, entry.n, entry.at, explicit_values_is_value, &w->explicit);
    e->choice = arena_array(w->tmp, Choice, 1 + 2 * ROTATION_HITS);
    e->choice[e->n_choices++] = choice_of(w, e, AS_IS, &in_terms);
    uint32_t mask = mask_of(e->row);
    if (e->term.n == 0 || (mask & (mask - 1)) == 0)
        return;
    for (uint32_t k = 0; k < hits.n; k++) {
        uint32_t both[] = {hits.number[k], inverse(w, hits.number[k])};
        for (uint32_t i = 0; i < 2 && (i == 0 || both[1] != both[0]); i++)
            if (turned_mask(w, both[i], mask))
                e->choice[e->n_choices++] = choice_of(w, e, both[i], &in_terms);
    }
}

/* One reader more, or one less, of a vector in a frame. */
static void add_reader(Move *w, Vector *v, uint32_t frame, int more)
{
    uint32_t k = 0;
    while (k < v->image.n && v->image.at[k].frame != frame)
        k++;
    if (k == v->image.n)
        vec_push(w->mem, v->image, ((Image){.frame = frame}));
    v->image.at[k].readers += (uint32_t)more;
    if (v->image.at[k].readers == 0)
        v->image.at[k] = v->image.at[--v->image.n];
}

static void read_by(Move *w, const VectorEq *e, const Choice *c, int more)
{
    for (uint32_t k = 0; k < e->term.n; k++)
        add_reader(w, &w->vector.at[e->term.at[k].vector], c->frame[k], more);
}

/* With the ties of the vectors that the equation reads. */
static uint32_t cost_with(Move *w, const VectorEq *e, const Choice *c)
{
    uint32_t cost = c->cost;
    read_by(w, e, c, 1);
    for (uint32_t k = 0; k < e->term.n; k++)
        cost += ties_cost(w, &w->vector.at[e->term.at[k].vector]);
    read_by(w, e, c, -1);
    return cost;
}

static bool improve(Move *w, VectorEq *e)
{
    read_by(w, e, &e->choice[e->taken], -1);
    uint32_t before = e->taken, best = cost_with(w, e, &e->choice[before]);
    for (uint32_t k = 0; k < e->n_choices; k++) {
        uint32_t cost = k == before ? best : cost_with(w, e, &e->choice[k]);
        if (cost < best || (cost == best && k == 0)) {
            best = cost;
            e->taken = k;
        }
    }
    read_by(w, e, &e->choice[e->taken], 1);
    return e->taken != before;
}

static uint64_t total_cost(Move *w)
{
    uint64_t cost = 0;
    for (uint32_t k = 0; k < w->equation.n; k++)
        cost += w->equation.at[k].choice[w->equation.at[k].taken].cost;
    for (uint32_t k = 0; k < w->vector.n; k++)
        cost += ties_cost(w, &w->vector.at[k]);
    return cost;
}

bool frames_choose(Move *w)
{
    enum { ROUNDS = 6 };
    bool any = false;
    for (uint32_t k = 0; k < w->equation.n; k++) {
        VectorEq *e = &w->equation.at[k];
        find_choices(w, e);
        any = any || e->n_choices > 1;
        read_by(w, e, &e->choice[0], 1);
    }
    if (!any)
        return false;
    uint64_t as_is = total_cost(w);
    for (uint32_t k = 0; k < w->equation.n; k++) {
        VectorEq *e = &w->equation.at[k];
        read_by(w, e, &e->choice[0], -1);
        for (uint32_t i = 1; i < e->n_choices; i++)
            if (e->choice[i].cost < e->choice[e->taken].cost)
                e->taken = i;
        read_by(w, e, &e->choice[e->taken], 1);
    }
    bool moves = true;
    for (uint32_t round = 0; round < ROUNDS && moves; round++) {
        moves = false;
        for (uint32_t k = 0; k < w->equation.n; k++) {
            uint32_t i = round % 2 ? w->equation.n - 1 - k : k;
            if (w->equation.at[i].n_choices > 1)
                moves = improve(w, &w->equation.at[i]) || moves;
        }
    }
    return total_cost(w) < as_is;
}
