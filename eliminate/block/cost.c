#include "eliminate/block/cost.h"

#include "ir/residue.h"

#include <string.h>

/* Twice the number of a node, plus 1 for its negative. */
typedef struct Ref {
    uint32_t i;
} Ref;

#define ZERO ((Ref){0})
#define ONE ((Ref){2})

/* As in the pool, but negation is no node. */
typedef struct Node {
    uint64_t residue;
    Ref a, b;
    uint8_t op; /* OP_VAR for leaves; OP_ADD, OP_SUB, OP_MUL, OP_DIV */
    uint8_t variability;
    bool is_number;
    bool is_open; /* has no samples: made of the right-hand side */
} Node;

/* A place of the table is filled, or filled by another node. */
typedef struct Filled {
    uint32_t place, old;
} Filled;

typedef struct Holder {
    uint32_t row, next; /* place of the next + 1, 0 for none */
} Holder;

typedef struct CostRow {
    Ref *at;        /* per column */
    uint64_t *held; /* bit per column that has an entry */
    Ref rhs;
} CostRow;

struct CostMatrix {
    const ExprPool *pool;
    Arena *mem;
    uint32_t n_rows, n_cols, n_words;
    VEC(Node) node;
    VEC(Samples) samples; /* of the first nodes */
    uint32_t *table;      /* residues up to sign: node + 1 */
    uint32_t n_places;
    VEC(Filled) filled;
    CostRow *given, *row;
    /* rows that hold, or held, an entry in a column: as in elimination.h */
    uint32_t *given_head, *head, n_given_holders;
    VEC(Holder) holder;
    uint32_t n_leaves, n_filled; /* what stays from one trial to the next */
    bool *row_done;
    Ref *outside, *unknown; /* per column; unknowns that are no pivot's stand for themselves */
    bool *reached;          /* per node */
    uint32_t n_reached;
    uint64_t n_built; /* nodes, over all orders */
};

bool cost_less(Cost a, Cost b)
{
    return a.n_vanishing != b.n_vanishing ? a.n_vanishing < b.n_vanishing : a.ops < b.ops;
}

/* ---- nodes ---- */

static Ref negated(Ref x)
{
    return x.i < 2 ? x : (Ref){x.i ^ 1};
}

static bool is_negated(Ref x)
{
    return x.i & 1;
}

static Ref positive(Ref x)
{
    return (Ref){x.i & ~1u};
}

static const Node *node_of(const CostMatrix *t, Ref x)
{
    return &t->node.at[x.i / 2];
}

static uint64_t residue_of(const CostMatrix *t, Ref x)
{
    uint64_t r = node_of(t, x)->residue;
    return is_negated(x) ? residue_negated(r) : r;
}

/* Where the value, or its negative, is in the table, or would be. */
static uint32_t place_of(const CostMatrix *t, uint64_t residue)
{
    uint64_t other = residue_negated(residue);
    uint64_t h = (residue < other ? residue : other) * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(h >> 32) & (t->n_places - 1);
    for (; t->table[i]; i = (i + 1) & (t->n_places - 1)) {
        uint64_t own = t->node.at[t->table[i] - 1].residue;
        if (own == residue || own == other)
            break;
    }
    return i;
}

static bool is_known(const CostMatrix *t, uint64_t residue)
{
    return t->table[place_of(t, residue)] != 0;
}

/* The value is known as this node, unless by one that varies less; `place` is that of its value. */
static void enter(CostMatrix *t, uint32_t place, uint32_t node)
{
    uint32_t old = t->table[place];
    if (old && t->node.at[old - 1].variability <= t->node.at[node].variability)
        return;
    vec_push(t->mem, t->filled, ((Filled){place, old}));
    t->table[place] = node + 1;
}

static void widen(CostMatrix *t)
{
    t->n_places *= 2;
    t->table = arena_array(t->mem, uint32_t, t->n_places);
    t->filled.n = 0;
    for (uint32_t k = 0; k < t->node.n; k++) {
        if (k == t->n_leaves)
            t->n_filled = t->filled.n;
        enter(t, place_of(t, t->node.at[k].residue), k);
    }
}

static Ref new_node(CostMatrix *t, uint32_t place, Node n)
{
    vec_push(t->mem, t->node, n);
    if (2 * t->node.n > t->n_places)
        widen(t);
    else
        enter(t, place, t->node.n - 1);
    return (Ref){2 * (t->node.n - 1)};
}

/* The node of the value that has this place, if it varies as little as `how`. */
static bool find(const CostMatrix *t, uint32_t place, uint64_t residue, Variability how, Ref *out)
{
    uint32_t k = t->table[place];
    if (!k || t->node.at[k - 1].variability > how)
        return false;
    *out = (Ref){2 * (k - 1)};
    if (t->node.at[k - 1].residue != residue)
        *out = negated(*out);
    return true;
}

static Variability varies(const CostMatrix *t, Ref a, Ref b)
{
    uint8_t x = node_of(t, a)->variability, y = node_of(t, b)->variability;
    return (Variability)(x > y ? x : y);
}

/* A value that is not known yet, in the sign that needs no negation. */
static Ref arithmetic(CostMatrix *t, Op op, Ref a, Ref b, uint64_t residue)
{
    Ref x;
    uint32_t place = place_of(t, residue);
    if (find(t, place, residue, varies(t, a, b), &x))
        return x;
    bool negative = false;
    if (op == OP_MUL || op == OP_DIV) {
        negative = is_negated(a) != is_negated(b);
        a = positive(a);
        b = positive(b);
    } else if (is_negated(a) && is_negated(b)) {
        negative = op == OP_ADD;
        Ref keep = a;
        a = op == OP_ADD ? positive(a) : positive(b);
        b = op == OP_ADD ? positive(b) : positive(keep);
    } else if (is_negated(b)) {
        op = OP_ADD + OP_SUB - op;
        b = positive(b);
    } else if (is_negated(a)) {
        Ref keep = a;
        negative = op == OP_SUB;
        a = op == OP_ADD ? b : positive(a);
        b = op == OP_ADD ? positive(keep) : b;
        op = OP_ADD + OP_SUB - op;
    }
    Node n = {.residue = negative ? residue_negated(residue) : residue,
              .a = a,
              .b = b,
              .op = (uint8_t)op,
              .variability = (uint8_t)varies(t, a, b),
              .is_number = node_of(t, a)->is_number && node_of(t, b)->is_number,
              .is_open = node_of(t, a)->is_open || node_of(t, b)->is_open};
    x = new_node(t, place, n);
    return negative ? negated(x) : x;
}

static Ref add(CostMatrix *t, Ref a, Ref b)
{
    if (a.i < 2 || b.i < 2)
        return a.i < 2 ? b : a;
    return arithmetic(t, OP_ADD, a, b, residue_add(residue_of(t, a), residue_of(t, b)));
}

static Ref sub(CostMatrix *t, Ref a, Ref b)
{
    if (b.i < 2)
        return a;
    if (a.i < 2)
        return negated(b);
    return arithmetic(t, OP_SUB, a, b,
                      residue_add(residue_of(t, a), residue_negated(residue_of(t, b))));
}

static Ref mul(CostMatrix *t, Ref a, Ref b)
{
    if (a.i < 2 || b.i < 2)
        return ZERO;
    if (positive(a).i == ONE.i)
        return is_negated(a) ? negated(b) : b;
    if (positive(b).i == ONE.i)
        return is_negated(b) ? negated(a) : a;
    return arithmetic(t, OP_MUL, a, b, residue_mul(residue_of(t, a), residue_of(t, b)));
}

static Ref divide(CostMatrix *t, Ref a, Ref b)
{
    if (a.i < 2)
        return ZERO;
    if (positive(b).i == ONE.i)
        return is_negated(b) ? negated(a) : a;
    return arithmetic(t, OP_DIV, a, b,
                      residue_mul(residue_of(t, a), residue_inverse(residue_of(t, b))));
}

/* elimination.c */
static Ref over(CostMatrix *t, Ref x, Ref pivot)
{
    if (node_of(t, pivot)->is_number)
        return divide(t, x, pivot);
    return mul(t, x, divide(t, ONE, pivot));
}

/* ---- congruence.c ---- */

typedef struct Product {
    bool negative;
    Ref factor[2];
} Product;

static bool is_product(const CostMatrix *t, Ref x, Product *out)
{
    const Node *n = node_of(t, x);
    *out = (Product){is_negated(x), {n->a, n->b}};
    return n->op == OP_MUL;
}

static bool is_rotation(const CostMatrix *t, Ref c, Ref s)
{
    uint64_t fc = residue_of(t, c), fs = residue_of(t, s);
    return residue_add(residue_mul(fc, fc), residue_mul(fs, fs)) == 1 &&
           node_of(t, c)->variability != VARIES_NEVER && node_of(t, s)->variability != VARIES_NEVER;
}

typedef struct Rotated {
    Ref of_c, of_s;
} Rotated;

static bool is_multiple(const CostMatrix *t, Ref x, Ref c, Ref s, bool negative, Rotated *out)
{
    Product m;
    if (!is_product(t, x, &m))
        return false;
    for (int k = 0; k < 2; k++) {
        bool of_c = m.factor[k].i == c.i;
        if (!of_c && m.factor[k].i != s.i)
            continue;
        Ref rest = m.factor[1 - k];
        *(of_c ? &out->of_c : &out->of_s) = m.negative != negative ? negated(rest) : rest;
        return true;
    }
    return false;
}

static bool is_rotated(const CostMatrix *t, Ref x, Ref c, Ref s, Rotated *out)
{
    *out = (Rotated){ZERO, ZERO};
    const Node *n = node_of(t, x);
    bool negative = is_negated(x);
    if (n->op != OP_ADD && n->op != OP_SUB)
        return is_multiple(t, x, c, s, false, out);
    Rotated first = *out;
    if (!is_multiple(t, n->a, c, s, negative, &first) ||
        !is_multiple(t, n->b, c, s, negative != (n->op == OP_SUB), out))
        return false;
    if (first.of_c.i < 2) {
        out->of_s = first.of_s;
        return out->of_c.i >= 2;
    }
    out->of_c = first.of_c;
    return out->of_s.i >= 2;
}

/* x*a - y*b is known. */
static bool knows_difference(const CostMatrix *t, Ref x, Ref a, Ref y, Ref b)
{
    uint64_t xa = residue_mul(residue_of(t, x), residue_of(t, a));
    uint64_t yb = residue_mul(residue_of(t, y), residue_of(t, b));
    return is_known(t, residue_add(xa, residue_negated(yb)));
}

static Ref quadratic(CostMatrix *t, Ref c, Ref s, Ref alpha, Ref beta, Ref gamma)
{
    Ref delta = sub(t, alpha, gamma);
    if (knows_difference(t, s, delta, c, beta) ||
        !knows_difference(t, c, delta, s, negated(beta))) {
        Ref u = sub(t, mul(t, s, delta), mul(t, c, beta));
        return sub(t, alpha, mul(t, s, u));
    }
    Ref u = add(t, mul(t, c, delta), mul(t, s, beta));
    return add(t, gamma, mul(t, c, u));
}

static bool congruent(CostMatrix *t, Product first, Product second, Ref *out)
{
    for (int i = 0; i < 4; i++) {
        Ref c = first.factor[i / 2], s = second.factor[i % 2];
        Rotated x, y;
        if (!is_rotation(t, c, s) || !is_rotated(t, first.factor[1 - i / 2], c, s, &x) ||
            !is_rotated(t, second.factor[1 - i % 2], c, s, &y))
            continue;
        if (first.negative)
            x = (Rotated){negated(x.of_c), negated(x.of_s)};
        if (second.negative)
            y = (Rotated){negated(y.of_c), negated(y.of_s)};
        *out = quadratic(t, c, s, x.of_c, add(t, x.of_s, y.of_c), y.of_s);
        return true;
    }
    return false;
}

static Ref congruence(CostMatrix *t, Ref a, Ref b)
{
    Product first, second;
    Ref x;
    if (is_product(t, a, &first) && is_product(t, b, &second)) {
        second.negative = !second.negative;
        if (congruent(t, first, second, &x))
            return x;
    }
    return sub(t, a, b);
}

/* ---- what is given ---- */

static Ref leaf(CostMatrix *t, uint64_t residue, Variability how, bool is_number,
                const Samples *samples)
{
    Ref x;
    uint32_t place = place_of(t, residue);
    if (find(t, place, residue, how, &x))
        return x;
    x = new_node(t, place,
                 (Node){.residue = residue,
                        .op = OP_VAR,
                        .variability = (uint8_t)how,
                        .is_number = is_number,
                        .is_open = !samples});
    vec_push(t->mem, t->samples, samples ? *samples : (Samples){0});
    return x;
}

static Ref imported(CostMatrix *t, ExprId x, const Samples *samples)
{
    return leaf(t, expr_residue(t->pool, x), expr_variability(t->pool, x), expr_is_num(t->pool, x),
                samples);
}

static CostRow *rows_new(uint32_t n_rows, uint32_t n_cols, uint32_t n_words, Arena *mem)
{
    CostRow *row = arena_array(mem, CostRow, n_rows);
    for (uint32_t i = 0; i < n_rows; i++)
        row[i] = (CostRow){.at = arena_array(mem, Ref, n_cols),
                           .held = arena_array(mem, uint64_t, n_words)};
    return row;
}

CostMatrix *cost_matrix_new(const ExprPool *pool, uint32_t n_rows, uint32_t n_cols, Arena *mem)
{
#ifdef RUNG_STRESS
    enum { FIRST_PLACES = 2 };
#else
    enum { FIRST_PLACES = 4096 };
#endif
    enum { BITS = 64 };
    uint32_t n_words = (n_cols + BITS - 1) / BITS;
    CostMatrix *t = arena_make(mem, CostMatrix);
    *t = (CostMatrix){.pool = pool,
                      .mem = mem,
                      .n_rows = n_rows,
                      .n_cols = n_cols,
                      .n_words = n_words,
                      .n_places = FIRST_PLACES,
                      .table = arena_array(mem, uint32_t, FIRST_PLACES),
                      .given = rows_new(n_rows, n_cols, n_words, mem),
                      .row = rows_new(n_rows, n_cols, n_words, mem),
                      .given_head = arena_array(mem, uint32_t, n_cols),
                      .head = arena_array(mem, uint32_t, n_cols),
                      .row_done = arena_array(mem, bool, n_rows),
                      .outside = arena_array(mem, Ref, n_cols),
                      .unknown = arena_array(mem, Ref, n_cols)};
    for (uint32_t k = 0; k < 2; k++) {
        Samples samples;
        for (uint32_t i = 0; i < SAMPLE_POINTS; i++)
            samples.at[i] = k;
        leaf(t, k, VARIES_NEVER, true, &samples);
    }
    return t;
}

static void note_holder(CostMatrix *t, uint32_t *head, uint32_t row, uint32_t col)
{
    vec_push(t->mem, t->holder, ((Holder){row, head[col]}));
    head[col] = t->holder.n;
}

static void set(CostRow *r, uint32_t col, Ref x)
{
    r->at[col] = x;
    if (x.i >= 2)
        r->held[col / 64] |= (uint64_t)1 << col % 64;
    else
        r->held[col / 64] &= ~((uint64_t)1 << col % 64);
}

static bool holds(const CostRow *r, uint32_t col)
{
    return r->held[col / 64] >> col % 64 & 1;
}

void cost_matrix_set(CostMatrix *t, uint32_t row, uint32_t col, ExprId x, const Samples *samples)
{
    set(&t->given[row], col, imported(t, x, samples));
    note_holder(t, t->given_head, row, col);
    t->n_given_holders = t->holder.n;
}

bool cost_matrix_has(const CostMatrix *t, uint32_t row, uint32_t col)
{
    return holds(&t->given[row], col);
}

void cost_matrix_set_rhs(CostMatrix *t, uint32_t row, ExprId x)
{
    t->given[row].rhs = imported(t, x, NULL);
}

/* ---- elimination, as in elimination.c ---- */

/* Everything as it was given. */
static void begin(CostMatrix *t)
{
    if (t->n_leaves == 0) {
        for (uint32_t c = 0; c < t->n_cols; c++)
            t->outside[c] = leaf(t, fp_random(c, 0).r[0], VARIES_ALWAYS, false, NULL);
        t->n_leaves = t->node.n;
        t->n_filled = t->filled.n;
    }
    while (t->filled.n > t->n_filled) {
        Filled f = t->filled.at[--t->filled.n];
        t->table[f.place] = f.old;
    }
    t->node.n = t->samples.n = t->n_leaves;
    t->holder.n = t->n_given_holders;
    memcpy(t->head, t->given_head, t->n_cols * sizeof *t->head);
    memset(t->row_done, 0, t->n_rows * sizeof *t->row_done);
    for (uint32_t i = 0; i < t->n_rows; i++) {
        memcpy(t->row[i].at, t->given[i].at, t->n_cols * sizeof(Ref));
        memcpy(t->row[i].held, t->given[i].held, t->n_words * sizeof(uint64_t));
        t->row[i].rhs = t->given[i].rhs;
    }
}

/* The first column from `col` on that has an entry; n_cols if there is none. */
static uint32_t next_held(const CostMatrix *t, const CostRow *r, uint32_t col)
{
    for (uint32_t word = col / 64; word < t->n_words; word++) {
        uint64_t bits = r->held[word];
        if (word == col / 64)
            bits &= ~(uint64_t)0 << col % 64;
        if (bits)
            return 64 * word + (uint32_t)__builtin_ctzll(bits);
    }
    return t->n_cols;
}

/* row[i] -= factor * row[k]; the entry in the pivot's column goes. */
static void subtract(CostMatrix *t, uint32_t i, uint32_t k, uint32_t pivot_col, Ref factor)
{
    CostRow *a = &t->row[i];
    const CostRow *b = &t->row[k];
    set(a, pivot_col, ZERO);
    for (uint32_t c = next_held(t, b, 0); c < t->n_cols; c = next_held(t, b, c + 1)) {
        if (c == pivot_col)
            continue;
        Ref product = mul(t, factor, b->at[c]);
        if (holds(a, c)) {
            set(a, c, congruence(t, a->at[c], product));
        } else {
            set(a, c, negated(product));
            note_holder(t, t->head, i, c);
        }
    }
    a->rhs = sub(t, a->rhs, mul(t, factor, b->rhs));
}

static void eliminate(CostMatrix *t, uint32_t row, uint32_t col)
{
    Ref pivot = t->row[row].at[col];
    t->row_done[row] = true;
    for (uint32_t h = t->head[col]; h; h = t->holder.at[h - 1].next) {
        uint32_t i = t->holder.at[h - 1].row;
        if (!t->row_done[i] && holds(&t->row[i], col))
            subtract(t, i, row, col, over(t, t->row[i].at[col], pivot));
    }
}

static void substitute_back(CostMatrix *t, uint32_t n, const uint32_t *row, const uint32_t *col)
{
    memcpy(t->unknown, t->outside, t->n_cols * sizeof(Ref));
    for (uint32_t k = n; k-- > 0;) {
        const CostRow *r = &t->row[row[k]];
        Ref sum = r->rhs;
        for (uint32_t c = next_held(t, r, 0); c < t->n_cols; c = next_held(t, r, c + 1)) {
            if (c != col[k])
                sum = sub(t, sum, mul(t, r->at[c], t->unknown[c]));
        }
        t->unknown[col[k]] = over(t, sum, r->at[col[k]]);
    }
}

/* ---- what it costs ---- */

static Samples applied(Op op, double sign_a, const Samples *a, double sign_b, const Samples *b)
{
    Samples w;
    switch (op) {
    case OP_ADD:
    case OP_SUB:
        sign_b = op == OP_ADD ? sign_b : -sign_b;
        for (uint32_t k = 0; k < SAMPLE_POINTS; k++)
            w.at[k] = sign_a * a->at[k] + sign_b * b->at[k];
        break;
    case OP_MUL:
        for (uint32_t k = 0; k < SAMPLE_POINTS; k++)
            w.at[k] = sign_a * sign_b * a->at[k] * b->at[k];
        break;
    default:
        for (uint32_t k = 0; k < SAMPLE_POINTS; k++)
            w.at[k] = sign_a * sign_b * a->at[k] / b->at[k];
    }
    return w;
}

/* Of an entry: the right-hand side has no numbers. */
static const Samples *samples_of(CostMatrix *t, Ref x)
{
    for (uint32_t k = t->samples.n; k <= x.i / 2; k++) {
        const Node *n = &t->node.at[k];
        vec_reserve(t->mem, t->samples, k + 1);
        t->samples.n = k + 1;
        if (!n->is_open)
            t->samples.at[k] =
                applied((Op)n->op, is_negated(n->a) ? -1 : 1, &t->samples.at[n->a.i / 2],
                        is_negated(n->b) ? -1 : 1, &t->samples.at[n->b.i / 2]);
    }
    return &t->samples.at[x.i / 2];
}

/* Of a pivot where the elimination would stop: more than of all that vanish at other points. */
enum { STOPS = 1 << 16 };

static uint32_t vanishing(CostMatrix *t, Ref pivot)
{
    const Samples *w = samples_of(t, pivot);
    uint32_t n = samples_vanish_at_start(w) ? STOPS : 0;
    return n + (node_of(t, pivot)->variability > VARIES_PARAMETER && samples_vanish(w));
}

static void reach(CostMatrix *t, Ref x)
{
    t->reached[x.i / 2] = true;
}

static uint64_t count(CostMatrix *t, uint32_t n, const bool *wanted)
{
    if (t->n_reached < t->node.n)
        t->reached = vec_grow(t->mem, t->reached, sizeof *t->reached, t->n_reached, &t->n_reached,
                              t->node.n);
    memset(t->reached, 0, t->node.n * sizeof *t->reached);
    for (uint32_t i = n; i < t->n_rows; i++) {
        const CostRow *r = &t->row[i];
        for (uint32_t c = next_held(t, r, 0); c < t->n_cols; c = next_held(t, r, c + 1))
            reach(t, r->at[c]);
        reach(t, r->rhs);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (wanted[i])
            reach(t, t->unknown[i]);
    }
    uint64_t ops = 0;
    for (uint32_t k = t->node.n; k-- > t->n_leaves;) {
        if (!t->reached[k])
            continue;
        const Node *x = &t->node.at[k];
        ops += x->variability > VARIES_PARAMETER;
        reach(t, x->a);
        reach(t, x->b);
    }
    return ops;
}

Cost cost_of_order(CostMatrix *t, uint32_t n, const uint32_t *row, const uint32_t *col,
                   const bool *wanted, uint32_t most_vanishing)
{
    Cost cost = {0};
    begin(t);
    uint32_t k = 0;
    for (; k < n && cost.n_vanishing <= most_vanishing && holds(&t->row[row[k]], col[k]); k++) {
        cost.n_vanishing += vanishing(t, t->row[row[k]].at[col[k]]);
        eliminate(t, row[k], col[k]);
    }
    if (k == n && cost.n_vanishing <= most_vanishing) {
        substitute_back(t, n, row, col);
        cost.ops = count(t, n, wanted);
    } else {
        cost = COST_FAILED;
    }
    t->n_built += t->node.n - t->n_leaves;
    return cost;
}

uint64_t cost_nodes_built(const CostMatrix *t)
{
    return t->n_built;
}
