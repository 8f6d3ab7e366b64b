#include "base/hash.h"
#include "eliminate/frames/frame_work.h"

/* ---- rotated vectors ---- */

const Rotation *frame_rotation(const Move *w, uint32_t frame)
{
    return &w->rotations.at.at[frame];
}

static uint32_t inverse(const Move *w, uint32_t frame)
{
    return frame == AS_IS ? AS_IS : frame_rotation(w, frame)->transposed;
}

static Fp frame_value(const Move *w, uint32_t frame, uint32_t i, uint32_t k)
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
    } else if (expr_is_fixed(p, x)) {
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

/* The cost of the terms without unknowns: a new sum costs all of its operations. */
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

/* Whether a coordinate stands alone in each row, but for its sign. */
static bool is_plain(const Move *w, const Fp a[DIM][DIM])
{
    for (uint32_t i = 0; i < DIM; i++)
        for (uint32_t j = 0; j < DIM; j++)
            if (!fp_is_zero(a[i][j]) &&
                (i != j || (!fp_same(a[i][j], w->one) && !fp_same(fp_neg(a[i][j]), w->one))))
                return false;
    return true;
}

/* Of the term's coefficients, the equation being multiplied by one rotation and the vector read in
 * a frame; UINT32_MAX where its coordinates there are not as many. */
static uint32_t reading_cost(Move *w, const Term *t, uint32_t by, uint32_t frame)
{
    Fp left[DIM][DIM], both[DIM][DIM];
    Fp value[DIM][DIM];
    if (turned_mask(w, frame, mask_of(w->vector.at[t->vector].at)) == 0)
        return UINT32_MAX;
    memcpy(value, t->value, sizeof value);
    times_left(w, by, value, left);
    times_right(w, frame, left, both);
    return matrix_cost(w, both) + (is_plain(w, t->value) && !is_plain(w, both) ? w->mixed_cost : 0);
}

/* The frame is a candidate from now on. */
static void consider(Move *w, const VectorEq *e, Choice *c, uint32_t term, uint32_t frame)
{
    Readings *r = &c->reading[term];
    for (uint32_t k = 0; k < r->at.n; k++)
        if (r->at.at[k].frame == frame)
            return;
    uint32_t cost = reading_cost(w, &e->term.at[term], c->by, frame);
    vec_push(w->tmp, r->at, ((Reading){frame, cost}));
}

/* Adds the equation multiplied by a rotation, unless it is there or its rows do not stay by
 * themselves. */
static void add_choice(Move *w, VectorEq *e, uint32_t by)
{
    enum { MOST = 16 };
    ExprPool *p = w->s->pool;
    uint32_t mask = mask_of(e->row);
    if (by != AS_IS && ((mask & (mask - 1)) == 0 || turned_mask(w, by, mask) == 0))
        return;
    for (uint32_t k = 0; k < e->choice.n; k++)
        if (e->choice.at[k].by == by)
            return;
    if (e->choice.n == MOST)
        return;
    Choice c = {.by = by, .reading = arena_array(w->tmp, Readings, e->term.n)};
    ExprId turned[DIM];
    if (by != AS_IS)
        known_images_turn(&w->known, e->written, by, turned); /* into the pool, if it is cheap */
    c.cost = rest_cost(w, e, by);
    for (uint32_t k = 0; k < e->term.n; k++) {
        consider(w, e, &c, k, AS_IS);
        if (by != AS_IS)
            consider(w, e, &c, k, by);
        for (uint32_t i = 0; i < e->in_terms.n; i++) {
            consider(w, e, &c, k, e->in_terms.number[i]);
            consider(w, e, &c, k, inverse(w, e->in_terms.number[i]));
        }
    }
    for (uint32_t k = 0; k < e->column.n; k++) {
        Fp a[DIM][DIM] = {0}, both[DIM][DIM];
        for (uint32_t i = 0; i < DIM; i++)
            if (expr_exists(e->column.at[k].x[i]))
                a[i][0] = expr_fingerprint(p, e->column.at[k].x[i]);
        times_left(w, by, a, both);
        c.cost += matrix_cost(w, both);
    }
    vec_push(w->tmp, e->choice, c);
}

/* The rest as the model writes it. */
static void read_rest(Move *w, VectorEq *e)
{
    System *s = w->s;
    for (uint32_t i = 0; i < DIM; i++) {
        e->written[i] = EXPR_NONE;
        if (e->row[i] == NOWHERE)
            continue;
        const Eq *q = &s->eq.at[w->loop.eq[e->row[i]].i];
        ArenaMark m = arena_mark(w->explicit.tmp);
        LinearForm f = linear_form(s, w->explicit.is_unknown, &w->known.none,
                                   expr_sub(s->pool, q->lhs, q->rhs), w->explicit.tmp);
        if (f.is_linear)
            e->written[i] = f.rest;
        arena_rollback(w->explicit.tmp, m);
    }
}

/* Of the known vectors that the equation reads. */
static uint32_t vector_frames(Move *w, const VectorEq *e, uint32_t most, uint32_t *frame)
{
    ExprId side[2 * DIM];
    uint32_t n = 0;
    for (uint32_t i = 0; i < DIM; i++) {
        if (e->row[i] == NOWHERE)
            continue;
        const Eq *q = &w->s->eq.at[w->loop.eq[e->row[i]].i];
        side[n++] = q->lhs;
        side[n++] = q->rhs;
    }
    return known_images_frames(&w->known, n, side, most, frame);
}

static void find_choices(Move *w, VectorEq *e)
{
    VEC(ExprId) entry = {0};
    for (uint32_t k = 0; k < e->term.n; k++)
        for (uint32_t i = 0; i < DIM * DIM; i++)
            vec_push(w->tmp, entry, e->term.at[k].x[i / DIM][i % DIM]);
    e->in_terms =
        rotations_in(&w->rotations, entry.n, entry.at, explicit_values_is_value, &w->explicit);
    for (uint32_t k = 0; k < e->column.n; k++)
        for (uint32_t i = 0; i < DIM; i++)
            vec_push(w->tmp, entry, e->column.at[k].x[i]);
    for (uint32_t i = 0; i < DIM; i++)
        vec_push(w->tmp, entry, e->rest[i]);
    RotationHits hits =
        rotations_in(&w->rotations, entry.n, entry.at, explicit_values_is_value, &w->explicit);
    e->frame = arena_array(w->tmp, uint32_t, e->term.n);
    read_rest(w, e);
    add_choice(w, e, AS_IS);
    uint32_t frame[2 * ROTATION_HITS];
    uint32_t n = e->term.n ? vector_frames(w, e, 2 * ROTATION_HITS, frame) : 0;
    for (uint32_t k = 0; k < n; k++)
        add_choice(w, e, frame[k]);
    for (uint32_t k = 0; k < hits.n && e->term.n; k++) {
        add_choice(w, e, hits.number[k]);
        add_choice(w, e, inverse(w, hits.number[k]));
    }
}

/* ---- readers of vectors ---- */

static bool has_image(const Vector *v, uint32_t frame)
{
    for (uint32_t k = 0; k < v->image.n; k++)
        if (v->image.at[k].frame == frame)
            return true;
    return false;
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

static void read_by(Move *w, const VectorEq *e, int more)
{
    for (uint32_t k = 0; k < e->term.n; k++)
        add_reader(w, &w->vector.at[e->term.at[k].vector], e->frame[k], more);
}

/* The additional cost of ties for a further reader in a frame. */
static uint32_t more_ties(Move *w, Vector *v, uint32_t frame)
{
    if (v->image.n == 0 || has_image(v, frame))
        return 0;
    uint32_t before = ties_cost(w, v);
    add_reader(w, v, frame, 1);
    uint32_t after = ties_cost(w, v);
    add_reader(w, v, frame, -1);
    return after - before;
}

static uint32_t cost_read_in(const Choice *c, uint32_t term, uint32_t frame)
{
    const Readings *r = &c->reading[term];
    uint32_t k = 0;
    while (r->at.at[k].frame != frame)
        k++;
    return r->at.at[k].cost;
}

/* ---- improvements ---- */

/* The frames in which the choice is read with the least cost, the ties of the vectors that others
 * read included; that cost. The equation is no reader now. */
static uint32_t read_best(Move *w, const VectorEq *e, Choice *c, uint32_t *frame)
{
    uint32_t total = c->cost;
    for (uint32_t k = 0; k < e->term.n; k++) {
        Vector *v = &w->vector.at[e->term.at[k].vector];
        for (uint32_t i = 0; i < v->image.n; i++)
            consider(w, e, c, k, v->image.at[i].frame);
        uint32_t least = UINT32_MAX, alone = UINT32_MAX;
        frame[k] = AS_IS;
        for (uint32_t i = 0; i < c->reading[k].at.n; i++) {
            Reading r = c->reading[k].at.at[i];
            if (r.cost > least)
                continue;
            /* as much in a tie as in a turned equation: it is written anew anyway */
            uint32_t cost = r.cost + more_ties(w, v, r.frame);
            if (cost < least || (cost == least && c->by != AS_IS && r.cost < alone)) {
                least = cost;
                alone = r.cost;
                frame[k] = r.frame;
            }
        }
        if (least == UINT32_MAX)
            return UINT32_MAX;
        total += least;
    }
    return total;
}

/* The best choice as things are; the equation may be turned into frames of its vectors too. */
static bool improve(Move *w, VectorEq *e)
{
    read_by(w, e, -1);
    for (uint32_t k = 0; k < e->term.n; k++) {
        const Vector *v = &w->vector.at[e->term.at[k].vector];
        for (uint32_t i = 0; i < v->image.n; i++)
            add_choice(w, e, v->image.at[i].frame);
    }
    uint32_t *best = w->frame_tried, *frame = w->frame_tried + e->term.n;
    uint32_t least = UINT32_MAX, taken = 0;
    for (uint32_t k = 0; k < e->choice.n; k++) {
        uint32_t cost = read_best(w, e, &e->choice.at[k], frame);
        if (cost < least) {
            least = cost;
            taken = k;
            memcpy(best, frame, e->term.n * sizeof *best);
        }
    }
    bool moves = taken != e->taken || memcmp(best, e->frame, e->term.n * sizeof *best) != 0;
    e->taken = taken;
    memcpy(e->frame, best, e->term.n * sizeof *best);
    read_by(w, e, 1);
    return moves;
}

static uint64_t equation_cost(const VectorEq *e)
{
    const Choice *c = &e->choice.at[e->taken];
    uint64_t cost = c->cost;
    for (uint32_t k = 0; k < e->term.n; k++)
        cost += cost_read_in(c, k, e->frame[k]);
    return cost;
}

static uint64_t total_cost(Move *w)
{
    uint64_t cost = 0;
    for (uint32_t k = 0; k < w->equation.n; k++)
        cost += equation_cost(&w->equation.at[k]);
    for (uint32_t k = 0; k < w->vector.n; k++)
        cost += ties_cost(w, &w->vector.at[k]);
    return cost;
}

static void descend(Move *w)
{
    enum { ROUNDS = 6 };
    bool moves = true;
    for (uint32_t round = 0; round < ROUNDS && moves; round++) {
        moves = false;
        for (uint32_t k = 0; k < w->equation.n; k++) {
            uint32_t i = round % 2 ? w->equation.n - 1 - k : k;
            VectorEq *e = &w->equation.at[i];
            if (e->term.n)
                moves = improve(w, e) || moves;
        }
    }
}

/* Where the search begins. */
typedef enum Start {
    START_CHEAPEST, /* each equation as is cheapest for it alone                        */
    START_TURNED,   /* all that read rotations turned by the one they read most, each in
                       its frame: the vectors of a body go together                     */
    N_STARTS
} Start;

static void begin(Move *w, Start start)
{
    for (uint32_t k = 0; k < w->vector.n; k++)
        w->vector.at[k].image.n = 0;
    for (uint32_t k = 0; k < w->equation.n; k++) {
        VectorEq *e = &w->equation.at[k];
        uint32_t least = UINT32_MAX;
        e->taken = 0;
        for (uint32_t i = 0; i < e->choice.n; i++) {
            Choice *c = &e->choice.at[i];
            uint32_t cost = c->cost;
            if (start == START_TURNED && e->choice.n > 1 && i == 0)
                continue;
            for (uint32_t t = 0; t < e->term.n; t++) {
                const Readings *r = &c->reading[t];
                uint32_t best = UINT32_MAX;
                for (uint32_t j = 0; j < r->at.n; j++)
                    if (r->at.at[j].cost < best) {
                        best = r->at.at[j].cost;
                        w->frame_tried[t] = r->at.at[j].frame;
                    }
                cost += best;
            }
            if (cost < least) {
                least = cost;
                e->taken = i;
                memcpy(e->frame, w->frame_tried, e->term.n * sizeof *e->frame);
            }
        }
        read_by(w, e, 1);
    }
}

/* The choices of the equations, one after the other: rotation, then frames of terms. */
static uint32_t *taken_now(Move *w, uint32_t n)
{
    uint32_t *all = arena_array(w->tmp, uint32_t, n), at = 0;
    for (uint32_t k = 0; k < w->equation.n; k++) {
        const VectorEq *e = &w->equation.at[k];
        all[at++] = e->taken;
        for (uint32_t t = 0; t < e->term.n; t++)
            all[at++] = e->frame[t];
    }
    return all;
}

static void take(Move *w, const uint32_t *all)
{
    for (uint32_t k = 0; k < w->vector.n; k++)
        w->vector.at[k].image.n = 0;
    for (uint32_t k = 0, at = 0; k < w->equation.n; k++) {
        VectorEq *e = &w->equation.at[k];
        e->taken = all[at++];
        for (uint32_t t = 0; t < e->term.n; t++)
            e->frame[t] = all[at++];
        read_by(w, e, 1);
    }
}

bool frames_choose(Move *w)
{
    uint32_t n = 0, most_terms = 0;
    bool any = false;
    for (uint32_t k = 0; k < w->equation.n; k++) {
        VectorEq *e = &w->equation.at[k];
        find_choices(w, e);
        any = any || e->choice.n > 1 || e->in_terms.n > 0;
        n += 1 + e->term.n;
        if (e->term.n > most_terms)
            most_terms = e->term.n;
    }
    if (!any)
        return false;
    w->frame_tried = arena_array(w->tmp, uint32_t, 2 * most_terms);
    for (uint32_t k = 0; k < w->equation.n; k++) {
        VectorEq *e = &w->equation.at[k];
        for (uint32_t t = 0; t < e->term.n; t++)
            e->frame[t] = AS_IS;
    }
    uint64_t least = total_cost(w);
    uint32_t *best = NULL;
    for (Start start = 0; start < N_STARTS; start++) {
        begin(w, start);
        descend(w);
        uint64_t cost = total_cost(w);
        if (cost < least) {
            least = cost;
            best = taken_now(w, n);
        }
    }
    if (!best)
        return false;
    take(w, best);
    return true;
}
