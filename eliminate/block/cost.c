#include "eliminate/block/cost.h"

#include "base/map.h"
#include "ir/op_counter.h"
#include "ir/residue.h"

#include <math.h>
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
    bool has_samples; /* they have been computed */
} Node;

/* A divisor, found again in most orders, and the results that depend on its value alone. */
typedef struct Divisor {
    uint64_t inverse;
    uint32_t n_vanishing; /* UNTESTED until it is a pivot */
} Divisor;

enum { UNTESTED = UINT32_MAX };

/* A place of the table is filled, or filled by another node. */
typedef struct Filled {
    uint32_t place, old;
} Filled;

typedef struct CostEntry {
    uint32_t col;
    Ref x;
} CostEntry;

typedef VEC(CostEntry) CostRow;
typedef VEC(uint32_t) CostColumn;

typedef struct PivotPlace {
    uint32_t row, col;
} PivotPlace;

/* A matrix that is eliminated again and again: the rows and columns that it begins with. */
typedef struct Given {
    CostRow *row;
    CostColumn *col;
    Ref *rhs;
} Given;

struct CostMatrix {
    const ExprPool *pool;
    Arena *mem;
    uint32_t n_rows, n_cols;
    VEC(Node) node;
    VEC(Samples) samples; /* per node, where they have been computed */
    VEC(uint32_t) stack;
    Map divisor_of; /* by residue: a place in divisor */
    VEC(Divisor) divisor;
    bool opens;
    uint32_t *table; /* residues up to sign: node + 1 */
    uint32_t n_places;
    VEC(Filled) filled;
    uint32_t n_leaves, n_filled; /* kept from one order to the next */
    Given given;
    /* as sparse_elimination.inc wants them */
    CostRow *row;
    CostColumn *col;
    Ref *rhs;
    bool *row_done;
    VEC(PivotPlace) step;
    CostRow merged;
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

static void grow(CostMatrix *t)
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
        grow(t);
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
    if (op_is_product(op)) {
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
              .is_number = node_of(t, a)->is_number && node_of(t, b)->is_number};
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

static Divisor *divisor(CostMatrix *t, uint64_t residue)
{
    uint32_t k = map_number(&t->divisor_of, residue, t->divisor.n);
    if (k == t->divisor.n)
        vec_push(t->mem, t->divisor, ((Divisor){residue_inverse(residue), UNTESTED}));
    return &t->divisor.at[k];
}

static Ref divide(CostMatrix *t, Ref a, Ref b)
{
    if (a.i < 2)
        return ZERO;
    if (positive(b).i == ONE.i)
        return is_negated(b) ? negated(a) : a;
    return arithmetic(t, OP_DIV, a, b,
                      residue_mul(residue_of(t, a), divisor(t, residue_of(t, b))->inverse));
}

/* ---- how entries are combined: congruence.inc ---- */

#define CG_POOL CostMatrix
#define CG_REF Ref
#define CG_ADD(t, a, b) add(t, a, b)
#define CG_SUB(t, a, b) sub(t, a, b)
#define CG_MUL(t, a, b) mul(t, a, b)
#define CG_DIV(t, a, b) divide(t, a, b)
#define CG_NEG(t, a) negated(a)
#define CG_ZERO(t) ZERO
#define CG_ONE(t) ONE
#define CG_IS_ZERO(t, a) ((a).i < 2)
#define CG_IS_NUMBER(t, a) (node_of(t, a)->is_number)
#define CG_IS_FIXED(t, a) (node_of(t, a)->variability == VARIES_NEVER)
#define CG_SAME(x, y) ((x).i == (y).i)
#define CG_PARTS(t, a) parts_of(t, a)
#define CG_VALUE uint64_t
#define CG_VALUE_OF(t, a) residue_of(t, a)
#define CG_VALUE_ADD(x, y) residue_add(x, y)
#define CG_VALUE_SUB(x, y) residue_sub(x, y)
#define CG_VALUE_MUL(x, y) residue_mul(x, y)
#define CG_VALUE_SAME(x, y) ((x) == (y))
#define CG_HAS_VALUE(t, x) is_known(t, x)

struct CongruenceParts;
static struct CongruenceParts parts_of(const CostMatrix *t, Ref x);
#include "eliminate/block/congruence.inc"

static CongruenceParts parts_of(const CostMatrix *t, Ref x)
{
    const Node *n = node_of(t, x);
    return (CongruenceParts){is_negated(x), (Op)n->op, n->a, n->b};
}

/* ---- entries of the matrix ---- */

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
                        .has_samples = true});
    vec_reserve(t->mem, t->samples, t->node.n);
    t->samples.n = t->node.n;
    for (uint32_t k = 0; k < ALL_POINTS; k++)
        vec_last(t->samples).at[k] = samples ? samples->at[k] : NAN;
    return x;
}

static Ref imported(CostMatrix *t, ExprId x, const Samples *samples)
{
    return leaf(t, expr_residue(t->pool, x), expr_variability(t->pool, x), expr_is_num(t->pool, x),
                samples);
}

CostMatrix *cost_matrix_new(const ExprPool *pool, uint32_t n_rows, uint32_t n_cols, Arena *mem)
{
#ifdef RUNG_STRESS
    enum { FIRST_PLACES = 2 };
#else
    enum { FIRST_PLACES = 4096 };
#endif
    CostMatrix *t = arena_make(mem, CostMatrix);
    *t =
        (CostMatrix){.pool = pool,
                     .mem = mem,
                     .n_rows = n_rows,
                     .n_cols = n_cols,
                     .divisor_of = map_new(mem),
                     .n_places = FIRST_PLACES,
                     .table = arena_array(mem, uint32_t, FIRST_PLACES),
                     .given = {arena_array(mem, CostRow, n_rows),
                               arena_array(mem, CostColumn, n_cols), arena_array(mem, Ref, n_rows)},
                     .row = arena_array(mem, CostRow, n_rows),
                     .col = arena_array(mem, CostColumn, n_cols),
                     .rhs = arena_array(mem, Ref, n_rows),
                     .row_done = arena_array(mem, bool, n_rows),
                     .outside = arena_array(mem, Ref, n_cols),
                     .unknown = arena_array(mem, Ref, n_cols)};
    for (uint32_t k = 0; k < 2; k++) {
        Samples samples;
        for (uint32_t i = 0; i < ALL_POINTS; i++)
            samples.at[i] = k;
        leaf(t, k, VARIES_NEVER, true, &samples);
    }
    return t;
}

void cost_matrix_open(CostMatrix *t)
{
    t->opens = true;
}

void cost_matrix_set(CostMatrix *t, uint32_t row, uint32_t col, ExprId x, const Samples *samples)
{
    CostRow *r = &t->given.row[row];
    CostEntry e = {col, imported(t, x, samples)};
    vec_push(t->mem, *r, e);
    uint32_t k = r->n - 1;
    for (; k > 0 && r->at[k - 1].col > col; k--)
        r->at[k] = r->at[k - 1];
    r->at[k] = e;
    vec_push(t->mem, t->given.col[col], row);
}

void cost_matrix_set_rhs(CostMatrix *t, uint32_t row, ExprId x)
{
    t->given.rhs[row] = imported(t, x, NULL);
}

/* ---- the elimination: sparse_elimination.inc ---- */

static void subtract_side(CostMatrix *t, uint32_t row, uint32_t pivot_row, Ref factor)
{
    t->rhs[row] = sub(t, t->rhs[row], mul(t, factor, t->rhs[pivot_row]));
}

#define LU_MATRIX CostMatrix
#define LU_ROW CostRow
#define LU_SCALAR Ref
#define LU_VALUE(entry) ((entry).x)
#define LU_ENTRY(col, x) ((CostEntry){col, x})
#define LU_MUL(t, a, b) mul(t, a, b)
#define LU_SUB(t, a, b) difference(t, a, b)
#define LU_NEG(t, a) negated(a)
#define LU_OVER(t, a, pivot) over_pivot(t, a, pivot)
#define LU_IS_ZERO(t, a) ((a).i < 2)
#define LU_NEWEST_FIRST 1
#define LU_ON_FILL(t) (void)0
#define LU_ON_CANCEL(t, row, col) (void)0
#define LU_SIDE_SUB(t, a, b) sub(t, a, b)
#define LU_SUB_SIDE(t, row, pivot_row, factor) subtract_side(t, row, pivot_row, factor)
#include "graph/sparse_elimination.inc"

bool cost_matrix_has(const CostMatrix *t, uint32_t row, uint32_t col)
{
    return lu_find(&t->given.row[row], col) != LU_NONE;
}

void cost_matrix_digest(const CostMatrix *t, Digester *to)
{
    const uint32_t shape[] = {t->n_rows, t->n_cols, t->opens, t->n_leaves};
    digester_add(to, shape, sizeof shape);
    for (uint32_t k = 0; k < t->n_leaves; k++) {
        const Node *n = &t->node.at[k];
        const uint64_t leaf[] = {n->residue, n->variability, n->is_number};
        digester_add(to, leaf, sizeof leaf);
        digester_add(to, &t->samples.at[k], sizeof t->samples.at[k]);
    }
    for (uint32_t i = 0; i < t->n_rows; i++) {
        digester_add(to, t->given.row[i].at, t->given.row[i].n * sizeof *t->given.row[i].at);
        digester_add(to, &t->given.rhs[i], sizeof t->given.rhs[i]);
    }
}

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
    t->node.n = t->n_leaves;
    t->step.n = 0;
    memset(t->row_done, 0, t->n_rows * sizeof *t->row_done);
    memcpy(t->rhs, t->given.rhs, t->n_rows * sizeof *t->rhs);
    memcpy(t->unknown, t->outside, t->n_cols * sizeof *t->unknown);
    for (uint32_t i = 0; i < t->n_rows; i++) {
        uint32_t n = t->given.row[i].n;
        t->row[i].n = 0;
        vec_reserve(t->mem, t->row[i], n);
        if (n)
            memcpy(t->row[i].at, t->given.row[i].at, n * sizeof *t->row[i].at);
        t->row[i].n = n;
    }
    for (uint32_t c = 0; c < t->n_cols; c++) {
        uint32_t n = t->given.col[c].n;
        t->col[c].n = 0;
        vec_reserve(t->mem, t->col[c], n);
        if (n)
            memcpy(t->col[c].at, t->given.col[c].at, n * sizeof *t->col[c].at);
        t->col[c].n = n;
    }
}

/* ---- operations ---- */

static bool is_zero(const Samples *w)
{
    for (uint32_t k = 0; k < ALL_POINTS; k++)
        if (w->at[k] != 0)
            return false;
    return true;
}

/* Computes those of a node whose operands have theirs. */
static void compute_samples(CostMatrix *t, uint32_t k)
{
    Node *n = &t->node.at[k];
    const Samples *b = &t->samples.at[n->b.i / 2];
    Samples *w = &t->samples.at[k];
    *w = samples_of_operation((Op)n->op, is_negated(n->a) ? -1 : 1, &t->samples.at[n->a.i / 2],
                              is_negated(n->b) ? -1 : 1, b);
    if (t->opens && n->op == OP_DIV && is_zero(b))
        *w = (Samples){0};
    n->has_samples = true;
}

/* Of an entry; those of the right-hand side are not known (NAN). */
static const Samples *samples_of(CostMatrix *t, Ref x)
{
    vec_reserve(t->mem, t->samples, t->node.n);
    t->samples.n = t->node.n;
    t->stack.n = 0;
    vec_push(t->mem, t->stack, x.i / 2);
    while (t->stack.n) {
        const Node *n = &t->node.at[vec_last(t->stack)];
        uint32_t a = n->a.i / 2, b = n->b.i / 2;
        if (n->has_samples)
            t->stack.n--;
        else if (!t->node.at[a].has_samples)
            vec_push(t->mem, t->stack, a);
        else if (!t->node.at[b].has_samples)
            vec_push(t->mem, t->stack, b);
        else
            compute_samples(t, t->stack.at[--t->stack.n]);
    }
    return &t->samples.at[x.i / 2];
}

/* Of a pivot where the elimination would stop: more than of all that vanish at other points. */
enum { STOPS = 1 << 16 };

static uint32_t vanishing(CostMatrix *t, Ref pivot)
{
    Divisor *d = divisor(t, residue_of(t, pivot));
    if (d->n_vanishing != UNTESTED)
        return d->n_vanishing;
    const Samples *w = samples_of(t, pivot);
    uint8_t how = node_of(t, pivot)->variability;
    Samples near = how == VARIES_PARAMETER ? samples_of_parameters(w) : *w;
    uint32_t n =
        (samples_vanish_at_sample(w) ? STOPS : 0) + (how > VARIES_NEVER && samples_vanish(&near));
    // an equal value of another order may have samples where this one was divided by zero
    if (samples_are_known(w))
        d->n_vanishing = n;
    return n;
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
        for (uint32_t k = 0; k < t->row[i].n; k++)
            reach(t, t->row[i].at[k].x);
        reach(t, t->rhs[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (wanted[i])
            reach(t, t->unknown[i]);
    }
    OpCount ops = {0};
    for (uint32_t k = t->node.n; k-- > t->n_leaves;) {
        if (!t->reached[k])
            continue;
        const Node *x = &t->node.at[k];
        op_count_add(&ops, (Op)x->op, (Variability)x->variability);
        reach(t, x->a);
        reach(t, x->b);
    }
    return COST_OF_OPERATION * (uint64_t)(ops.add + ops.mul) + COST_OF_DIVISION * (uint64_t)ops.div;
}

Cost cost_of_order(CostMatrix *t, uint32_t n, const uint32_t *row, const uint32_t *col,
                   const bool *wanted, uint32_t most_vanishing)
{
    Cost cost = {0};
    begin(t);
    bool ok = true;
    for (uint32_t k = 0; k < n && ok; k++) {
        int64_t at = lu_find(&t->row[row[k]], col[k]);
        if (at != LU_NONE)
            cost.n_vanishing += vanishing(t, t->row[row[k]].at[at].x);
        ok = at != LU_NONE && cost.n_vanishing <= most_vanishing;
        if (ok) {
            vec_push(t->mem, t->step, ((PivotPlace){row[k], col[k]}));
            lu_eliminate(t, row[k], col[k]);
        }
    }
    if (ok) {
        lu_substitute_back(t, t->unknown);
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
