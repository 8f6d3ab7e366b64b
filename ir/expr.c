#include "ir/expr.h"

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/pages.h"
#include "base/vec.h"
#include "ir/common_factor.h"
#include "ir/fingerprint.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ANGLE_DEPTH = 200,     /* a deeper sum of angles counts as one angle            */
    FOLD_BITS = 256,       /* longer fractions stay unfolded, else they grow for ever */
    FLAG_HAS_RELATION = 1, /* a relation or floor below: noEvent means something    */
    FLAG_WHOLE = 2,        /* of pool_keep_whole, of this node alone                */
    FIRST_NODES = 256,     /* fill whole cache lines, so that no node crosses one    */
    SMALL = 4              /* numbers from 0 to this are the first nodes             */
};

#ifdef RUNG_STRESS
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 4096 };
#endif

typedef ExprNode Node;

/* A place of the hash table. The lowest bits of the tag are its place in a table without
 * collisions; the others rule out most other nodes without reading them. */
typedef struct Slot {
    uint32_t tag, node; /* node + 1; 0: free */
} Slot;

/* Two nodes of one value: since `by` varies less or lacks variables of `old`, or `old` was set
 * apart, the value is known as that. */
typedef struct Replaced {
    uint32_t old, by;
} Replaced;

typedef struct Range {
    uint32_t begin, end;
} Range;

struct ExprPool {
    ExprEntries all; /* first: the inline functions of expr.h look there */
    Arena *mem;
    bool by_value, gathers, factors_sums;
    uint32_t cap;
    uint32_t *neg; /* per node: its OP_NEG, or its operand for an OP_NEG; UINT32_MAX none */
    Slot *slot;    /* hash table over fingerprints up to sign */
    uint32_t n_slots, n_used;
    uint32_t ops; /* bit per Op that some node has */
    uint32_t n_num, cap_num;
    mpq_t *num;
    VEC(Name) text;
    VEC(ExprId) arg;
    VEC(FpAngle) angle;
    VEC(uint32_t) angle_node; /* whose it is */
    Map angle_of;             /* the inverse: node -> index in angle */
    VEC(uint32_t) var;        /* node + 1 of each variable */
    Map leaf;                 /* other leaves, OP_STRING by text, with the op as tag */
    Map constant;             /* variability-constant nodes that are no OP_NUM -> index in value */
    VEC(double) value;
    VEC(Replaced) replaced; /* in the table */
    VEC(Range) apart;       /* of pool_set_apart */
    mpq_t scratch;
};

#define NAME(op, modelica, c) #modelica,
static const char *const fn_names[FN_COUNT] = {ELEMENTARY_FUNCTIONS(NAME)};
static const char *const fn2_names[FN2_COUNT] = {ELEMENTARY_FUNCTIONS_OF_TWO(NAME)};
#undef NAME

const char *fn_name(Fn f)
{
    return fn_names[f];
}

const char *fn2_name(Fn2 f)
{
    return fn2_names[f];
}

static void *must_have(void *p, uint32_t n)
{
    if (!p)
        bug("expression pool: out of memory at %u entries", n);
    return p;
}

static void *must_grow(void *p, size_t size, uint32_t n)
{
    void *at = must_have(realloc(p, size * n), n);
    pages_large(at, size * n);
    return at;
}

/* A table of n elements, zero, whose pages are given back as soon as it is freed, or moved when it
 * grows. */
static void *new_table(uint32_t n, size_t size)
{
    return must_have(pages_new(n * size), n);
}

static void *grown_table(void *old, uint32_t n_old, uint32_t n, size_t size)
{
    return old ? must_have(pages_grow(old, n_old * size, n * size), n) : new_table(n, size);
}

static void free_table(void *table, uint32_t n, size_t size)
{
    if (table)
        pages_free(table, n * size);
}

/* With room for n of n_old elements, and the first n_used of them. */
static void *shrunk_table(void *old, uint32_t n_old, uint32_t n, uint32_t n_used, size_t size)
{
    void *table = new_table(n, size);
    memcpy(table, old, n_used * size);
    free_table(old, n_old, size);
    return table;
}

ExprPool *pool_new(Arena *mem, bool by_value)
{
    ExprPool *p = arena_make(mem, ExprPool);
    p->mem = mem;
    p->by_value = by_value;
    p->n_slots = FIRST_SLOTS;
    p->slot = new_table(p->n_slots, sizeof *p->slot);
    p->angle_of = map_new(mem);
    p->leaf = map_new(mem);
    p->constant = map_new(mem);
    mpq_init(p->scratch);
    /* Small numbers exist from the start, so that an expression equal to one becomes it. */
    for (long k = 0; k <= SMALL; k++)
        expr_int(p, k);
    return p;
}

void pool_free(ExprPool *p)
{
    if (!p)
        return;
    for (uint32_t k = 0; k < p->n_num; k++)
        mpq_clear(p->num[k]);
    mpq_clear(p->scratch);
    free(p->num);
    free_table(p->all.at, p->cap, sizeof *p->all.at);
    free_table(p->neg, p->cap, sizeof *p->neg);
    free_table(p->slot, p->n_slots, sizeof *p->slot);
    *p = (ExprPool){0};
}

uint32_t pool_size(const ExprPool *p)
{
    return p->all.n;
}

bool pool_holds(const ExprPool *p, Op op)
{
    return p->ops >> op & 1;
}

bool pool_by_value(const ExprPool *p)
{
    return p->by_value;
}

bool pool_gather_factors(ExprPool *p, bool on)
{
    bool before = p->gathers;
    p->gathers = on && p->by_value;
    return before;
}

bool pool_factor_sums(ExprPool *p, bool on)
{
    bool before = p->factors_sums;
    p->factors_sums = on && p->by_value;
    return before;
}

void pool_keep_whole(ExprPool *p, ExprId x)
{
    Node *n = &p->all.at[x.i].node;
    if (n->op == OP_NEG)
        n = &p->all.at[n->a].node;
    n->flags |= FLAG_WHOLE;
}

void pool_set_apart(ExprPool *p, uint32_t from)
{
    if (from < p->all.n)
        vec_push(p->mem, p->apart, ((Range){from, p->all.n}));
}

void pool_put_back(ExprPool *p, uint32_t from)
{
    if (!p->apart.n || vec_last(p->apart).begin != from)
        bug("pool_put_back: nodes from %u on were not set apart last", from);
    p->apart.n--;
}

static bool is_apart(const ExprPool *p, uint32_t id)
{
    if (p->all.at[id].node.variability <= VARIES_PARAMETER)
        return false;
    for (uint32_t k = 0; k < p->apart.n; k++)
        if (id >= p->apart.at[k].begin && id < p->apart.at[k].end)
            return true;
    return false;
}

/* ---- the table of fingerprints ---- */

/* The tag of a fingerprint, equal for f and -f. */
static uint32_t tag_of(Fp f)
{
    Fp g = fp_neg(f);
    Fp k = f.r[0] < g.r[0] || (f.r[0] == g.r[0] && f.r[1] < g.r[1]) ? f : g;
    return (uint32_t)(hash_pair(k.r[0], k.r[1]) >> 32);
}

static uint32_t next_slot(const ExprPool *p, uint32_t i)
{
    return (i + 1) & (p->n_slots - 1);
}

static uint32_t home_of(const ExprPool *p, uint32_t tag)
{
    return tag & (p->n_slots - 1);
}

static uint32_t table_find(const ExprPool *p, Fp f)
{
    Fp g = fp_neg(f);
    uint32_t tag = tag_of(f);
    for (uint32_t i = home_of(p, tag); p->slot[i].node; i = next_slot(p, i)) {
        if (p->slot[i].tag != tag)
            continue;
        uint32_t k = p->slot[i].node - 1;
        Fp own = p->all.at[k].fp;
        if (fp_same(own, f) || fp_same(own, g))
            return k;
    }
    return UINT32_MAX;
}

static void table_put(ExprPool *p, Slot it)
{
    uint32_t i = home_of(p, it.tag);
    while (p->slot[i].node)
        i = next_slot(p, i);
    p->slot[i] = it;
    p->n_used++;
}

/* Three quarters of them are taken at most. */
static bool is_full(uint64_t n_used, uint32_t n_slots)
{
    return 4 * n_used > 3 * (uint64_t)n_slots;
}

static void table_add(ExprPool *p, uint32_t id)
{
    if (is_full((uint64_t)p->n_used + 1, p->n_slots)) {
        Slot *old = p->slot;
        uint32_t n_old = p->n_slots;
        p->n_slots *= 2;
        p->slot = new_table(p->n_slots, sizeof *p->slot);
        p->n_used = 0;
        for (uint32_t k = 0; k < n_old; k++) {
            if (old[k].node)
                table_put(p, old[k]);
        }
        free_table(old, n_old, sizeof *old);
    }
    table_put(p, (Slot){tag_of(p->all.at[id].fp), id + 1});
}

/* UINT32_MAX if the value of `id` is not known as `id`. */
static uint32_t table_slot(const ExprPool *p, uint32_t id)
{
    uint32_t i = home_of(p, tag_of(p->all.at[id].fp));
    while (p->slot[i].node && p->slot[i].node != id + 1)
        i = next_slot(p, i);
    return p->slot[i].node ? i : UINT32_MAX;
}

/* From now on `id` is the node for its value. */
static void table_replace(ExprPool *p, uint32_t old, uint32_t id)
{
    p->slot[table_slot(p, old)].node = id + 1;
    vec_push(p->mem, p->replaced, ((Replaced){old, id}));
}

/* Knuth, volume 3, 6.4, algorithm R. */
static void table_remove(ExprPool *p, uint32_t gap)
{
    uint32_t mask = p->n_slots - 1;
    for (uint32_t i = next_slot(p, gap); p->slot[i].node; i = next_slot(p, i)) {
        uint32_t home = home_of(p, p->slot[i].tag);
        if (((i - home) & mask) < ((i - gap) & mask))
            continue;
        p->slot[gap] = p->slot[i];
        gap = i;
    }
    p->slot[gap] = (Slot){0};
    p->n_used--;
}

enum {
    HASHED = 62, /* bits that leaves share, by their hash; bits of their own: */
    HAS_LOCAL = HASHED,
    HAS_CALL,
};

static uint64_t leaf_bit(Op op, uint32_t which)
{
    return UINT64_C(1) << (((hash_pair(op, which) >> 32) * HASHED) >> 32);
}

/* The leaves below a node that vary, each a bit by its hash: variables, time, locals of functions,
 * and the functions that are called. */
static uint64_t leaves_of(const ExprPool *p, const Node *n)
{
    const uint32_t operand[3] = {n->a, n->b, n->c};
    uint64_t leaves = 0;
    switch ((Op)n->op) {
    case OP_CALL:
        leaves = leaf_bit(OP_CALL, n->a) | UINT64_C(1) << HAS_CALL;
        for (uint32_t k = 0; k < n->c; k++)
            leaves |= p->all.at[p->arg.at[n->b + k].i].leaves;
        return leaves;
    case OP_NUM:
    case OP_STRING:
        return 0;
    case OP_LOCAL:
        return leaf_bit(OP_LOCAL, n->a) | UINT64_C(1) << HAS_LOCAL;
    default:
        if (expr_arity[n->op] == 0)
            return leaf_bit((Op)n->op, n->a);
        for (uint32_t k = 0; k < expr_arity[n->op]; k++)
            leaves |= p->all.at[operand[k]].leaves;
        if (n->op == OP_PRE) /* becomes a variable of its own: memory */
            leaves |= leaf_bit(OP_PRE, (uint32_t)p->all.at[n->a].fp.r[0]);
        return leaves;
    }
}

bool expr_holds_call(const ExprPool *p, ExprId x)
{
    return expr_entry(p, x)->leaves >> HAS_CALL & 1;
}

static ExprId new_node(ExprPool *p, Node n, Fp f)
{
    if (p->all.n == p->cap) {
        uint32_t old = p->cap;
        p->cap = old ? vec_capacity(old, p->all.n + 1, sizeof *p->all.at) : FIRST_NODES;
        p->all.at = grown_table(p->all.at, old, p->cap, sizeof *p->all.at);
        p->neg = grown_table(p->neg, old, p->cap, sizeof *p->neg);
    }
    p->ops |= UINT32_C(1) << n.op;
    p->all.at[p->all.n] = (ExprEntry){n, f, leaves_of(p, &n)};
    p->neg[p->all.n] = UINT32_MAX;
    return (ExprId){p->all.n++};
}

/* Whether node k, which has the right value, cannot replace a node that varies as `how` and is made
 * of `leaves`: x * (2 / x) must not stand for 2 where a constant is needed, nor for y * (2 / y)
 * where x is not known yet; nor f(x) * (y / f(x)) for its expansion, in which no call may be left.
 */
static bool says_more(const ExprPool *p, uint32_t k, Variability how, uint64_t leaves)
{
    const ExprEntry *e = &p->all.at[k];
    return e->node.variability > how || (e->leaves & ~leaves) || is_apart(p, k);
}

/* The node known under this fingerprint, or its negation; EXPR_NONE if there is none that varies as
 * little as `how` and is made of no variables but `leaves`. */
static ExprId known(ExprPool *p, Fp f, Variability how, uint64_t leaves)
{
    uint32_t k = table_find(p, f);
    if (k == UINT32_MAX || says_more(p, k, how, leaves))
        return EXPR_NONE;
    return fp_same(p->all.at[k].fp, f) ? (ExprId){k} : expr_neg(p, (ExprId){k});
}

ExprId expr_known(ExprPool *p, Fp value, uint32_t n, const ExprId *x)
{
    Variability how = VARIES_NEVER;
    uint64_t leaves = 0;
    for (uint32_t k = 0; k < n; k++) {
        Variability own = expr_variability(p, x[k]);
        how = own > how ? own : how;
        leaves |= p->all.at[x[k].i].leaves;
    }
    return known(p, value, how, leaves);
}

/* Node `id` becomes the one for its value, unless another is known that says no more. */
static void table_enter(ExprPool *p, uint32_t id)
{
    const ExprEntry *e = &p->all.at[id];
    uint32_t old = table_find(p, e->fp);
    if (old == UINT32_MAX)
        table_add(p, id);
    else if (e->node.op == OP_NUM ? p->all.at[old].node.op != OP_NUM
                                  : says_more(p, old, (Variability)e->node.variability, e->leaves))
        table_replace(p, old, id);
}

/* ---- constants in floating point ---- */

double rational_double(mpq_srcptr q)
{
    if (mpq_sgn(q) == 0)
        return 0;
    /* A 64-bit quotient whose last bit also stands for the rest rounds like the exact value. */
    long shift =
        64 - (long)mpz_sizeinbase(mpq_numref(q), 2) + (long)mpz_sizeinbase(mpq_denref(q), 2);
    mpz_t num;
    mpz_t den;
    mpz_init(num);
    mpz_init_set(den, mpq_denref(q));
    mpz_abs(num, mpq_numref(q));
    if (shift > 0)
        mpz_mul_2exp(num, num, (unsigned long)shift);
    else
        mpz_mul_2exp(den, den, (unsigned long)-shift);
    mpz_tdiv_qr(num, den, num, den);
    bool rest = mpz_sgn(den) != 0;
    /* 64 or 65 bits */
    if (mpz_sizeinbase(num, 2) > 64) {
        rest = rest || mpz_odd_p(num);
        mpz_tdiv_q_2exp(num, num, 1);
        shift--;
    }
    uint64_t bits = 0;
    mpz_export(&bits, NULL, -1, sizeof bits, 0, 0, num);
    mpz_clear(num);
    mpz_clear(den);
    double d = ldexp((double)(bits | rest), (int)-shift);
    return mpq_sgn(q) < 0 ? -d : d;
}

bool expr_constant(const ExprPool *p, ExprId x, double *value)
{
    if (p->all.at[x.i].node.op == OP_NUM) {
        *value = rational_double(p->num[p->all.at[x.i].node.a]);
        return true;
    }
    uint32_t k = map_get(&p->constant, x.i);
    if (k == MAP_NONE)
        return false;
    *value = p->value.at[k];
    return true;
}

/* As in runtime/kernel/rung_math.h. */
static double rung_sign(double x)
{
    return (x > 0) - (x < 0);
}

static double fn_apply(Fn f, double x)
{
#define APPLY(op, modelica, c) c,
    static double (*const of[FN_COUNT])(double) = {ELEMENTARY_FUNCTIONS(APPLY)};
#undef APPLY
    return of[f](x);
}

/* MLS 3.7.2: mod(x,y) = x - floor(x/y)*y, div truncates, rem(x,y) = x - div(x,y)*y. */
static double fn2_apply(Fn2 f, double x, double y)
{
    switch (f) {
    case FN2_ATAN2:
        return atan2(x, y);
    case FN2_MIN:
        return x < y ? x : y;
    case FN2_MAX:
        return x > y ? x : y;
    case FN2_MOD:
        return x - floor(x / y) * y;
    case FN2_REM:
        return x - trunc(x / y) * y;
    case FN2_DIV:
        return trunc(x / y);
    case FN2_COUNT:
        break;
    }
    bug("fn2_apply: function %d", (int)f);
}

typedef struct Operands {
    const ExprPool *p;
    double at[3];
} Operands;

static double number_leaf(const Operands *in, ExprId x, Op op)
{
    if (op == OP_NUM)
        return rational_double(in->p->num[in->p->all.at[x.i].node.a]);
    return op == OP_PRE ? in->at[0] : NAN;
}

static double number_relation(Op op, double a, double b)
{
    return op == OP_LT ? a < b : op == OP_LE ? a <= b : (a == b) == (op == OP_EQ);
}

#define EVAL_FUNCTION number_operation
#define EVAL_VALUE double
#define EVAL_NODE ExprId
#define EVAL_CONTEXT const Operands
#define EVAL_OPERAND(k) in->at[k]
#define EVAL_LEAF(op) number_leaf(in, x, op)
#define EVAL_NEG(a) (-(a))
#define EVAL_ADD(a, b) ((a) + (b))
#define EVAL_SUB(a, b) ((a) - (b))
#define EVAL_MUL(a, b) ((a) * (b))
#define EVAL_DIV(a, b) ((a) / (b))
#define EVAL_POW(a, b) pow(a, b)
#define EVAL_FN(a) fn_apply(expr_fn_of(in->p, x), a)
#define EVAL_FN2(a, b) fn2_apply(expr_fn2_of(in->p, x), a, b)
#define EVAL_RELATION(op, a, b) number_relation(op, a, b)
#define EVAL_AND(a, b) ((a) != 0 && (b) != 0)
#define EVAL_OR(a, b) ((a) != 0 || (b) != 0)
#define EVAL_NOT(a) ((a) == 0)
#define EVAL_SELECT() in->at[in->at[0] != 0 ? 1 : 2]
#define EVAL_SAME(op, a) (a)
#include "ir/evaluate.inc"

double expr_apply(const ExprPool *p, ExprId x, double a, double b, double c)
{
    Operands in = {p, {a, b, c}};
    return number_operation(&in, x, expr_op(p, x));
}

/* The value of a new node of constants; false if it has none. */
static bool node_constant(const ExprPool *p, ExprId x, double *out)
{
    double v[3] = {0, 0, 0};
    Op op = (Op)p->all.at[x.i].node.op;
    if (op == OP_CALL || op == OP_PROJ || op == OP_STRING)
        return false;
    for (uint32_t k = expr_n_args(p, x); k-- > 0;) {
        if (!expr_constant(p, expr_arg(p, x, k), &v[k]))
            return false;
    }
    *out = expr_apply(p, x, v[0], v[1], v[2]);
    return isfinite(*out);
}

/* ---- leaves ---- */

/* Takes the value in p->scratch. */
static ExprId number(ExprPool *p)
{
    Fp f;
    if (!fp_rational(p->scratch, &f))
        bug("expression pool: a prime of the fingerprints divides a denominator");
    uint32_t k = table_find(p, f);
    /* an expression of this value is no number */
    bool is_number = k != UINT32_MAX && p->all.at[k].node.op == OP_NUM;
    bool negated = is_number && !fp_same(p->all.at[k].fp, f);
    if (is_number && !negated)
        return (ExprId){k};
    if (negated && p->neg[k] != UINT32_MAX)
        return (ExprId){p->neg[k]};
    if (p->n_num == p->cap_num) {
        p->cap_num = p->cap_num ? 2 * p->cap_num : 64;
        p->num = must_grow(p->num, sizeof(mpq_t), p->cap_num);
    }
    mpq_init(p->num[p->n_num]);
    mpq_set(p->num[p->n_num], p->scratch);
    ExprId x = new_node(p, (Node){.op = OP_NUM, .variability = VARIES_NEVER, .a = p->n_num++}, f);
    if (negated) {
        /* -3 beside 3: a number of its own, tied to it */
        p->neg[k] = x.i;
        p->neg[x.i] = k;
    }
    table_enter(p, x.i);
    return x;
}

ExprId expr_int(ExprPool *p, long n)
{
    if (n >= 0 && n <= SMALL && p->all.n > n)
        return (ExprId){(uint32_t)n};
    mpq_set_si(p->scratch, n, 1);
    return number(p);
}

ExprId expr_ratio(ExprPool *p, long num, long den)
{
    if (den == 0)
        bug("expr_ratio: denominator 0");
    if (den < 0) {
        num = -num;
        den = -den;
    }
    mpq_set_si(p->scratch, num, (unsigned long)den);
    mpq_canonicalize(p->scratch);
    return number(p);
}

ExprId expr_literal(ExprPool *p, const char *text)
{
    /* digits [. digits] [e [sign] digits]: read as an integer, then scaled by a power of ten */
    char *digits = arena_alloc(p->mem, strlen(text) + 2);
    size_t n = 0;
    long exponent = 0;
    bool point = false;
    const char *c = text;
    for (; isdigit((unsigned char)*c) || *c == '.'; c++) {
        if (*c == '.') {
            point = true;
        } else {
            digits[n++] = *c;
            exponent -= point;
        }
    }
    if (*c == 'e' || *c == 'E')
        exponent += strtol(c + 1, NULL, 10);
    if (n == 0)
        digits[n++] = '0';
    digits[n] = 0;
    /* Far beyond the range of a double the exact value is not needed. */
    if (exponent > 400)
        exponent = 400;
    if (exponent < -800)
        exponent = -800;
    mpz_t ten;
    mpz_init(ten);
    mpz_ui_pow_ui(ten, 10, (unsigned long)labs(exponent));
    mpq_set_ui(p->scratch, 0, 1);
    mpz_set_str(mpq_numref(p->scratch), digits, 10);
    if (exponent >= 0)
        mpz_mul(mpq_numref(p->scratch), mpq_numref(p->scratch), ten);
    else
        mpz_set(mpq_denref(p->scratch), ten);
    mpz_clear(ten);
    mpq_canonicalize(p->scratch);
    return number(p);
}

ExprId expr_double(ExprPool *p, double x)
{
    if (!isfinite(x))
        bug("expr_double: %g is not finite", x);
    mpq_set_d(p->scratch, x);
    return number(p);
}

static uint64_t leaf_key(Op op, uint64_t what)
{
    return what * 64 + (uint64_t)op;
}

static ExprId new_leaf(ExprPool *p, Op op, uint32_t a, Variability how)
{
    ExprId x = new_node(p, (Node){.op = (uint8_t)op, .variability = (uint8_t)how, .a = a},
                        fp_random(0x1000 + (uint64_t)op, a));
    table_add(p, x.i);
    return x;
}

static ExprId leaf(ExprPool *p, Op op, uint64_t what, uint32_t a, Variability how)
{
    uint64_t key = leaf_key(op, what);
    uint32_t k = map_get(&p->leaf, key);
    if (k != MAP_NONE)
        return (ExprId){k};
    ExprId x = new_leaf(p, op, a, how);
    map_put(&p->leaf, key, x.i);
    return x;
}

ExprId expr_string(ExprPool *p, Name text)
{
    uint32_t k = map_get(&p->leaf, leaf_key(OP_STRING, map_key_ptr(text.s)));
    if (k != MAP_NONE)
        return (ExprId){k};
    vec_push(p->mem, p->text, text);
    return leaf(p, OP_STRING, map_key_ptr(text.s), p->text.n - 1, VARIES_NEVER);
}

ExprId expr_var(ExprPool *p, VarId v, Variability how)
{
    enum { MANY = 1 << 26 }; /* no variable of a System: a number that stands for something else */
    if (v.i >= MANY)
        return leaf(p, OP_VAR, v.i, v.i, how);
    while (p->var.n <= v.i)
        vec_push(p->mem, p->var, 0);
    if (!p->var.at[v.i])
        p->var.at[v.i] = new_leaf(p, OP_VAR, v.i, how).i + 1;
    return (ExprId){p->var.at[v.i] - 1};
}

ExprId expr_of_var(const ExprPool *p, VarId v)
{
    return v.i < p->var.n && p->var.at[v.i] ? (ExprId){p->var.at[v.i] - 1} : EXPR_NONE;
}

ExprId expr_time(ExprPool *p)
{
    return leaf(p, OP_TIME, 0, 0, VARIES_ALWAYS);
}

ExprId expr_local(ExprPool *p, uint32_t k)
{
    return leaf(p, OP_LOCAL, k, k, VARIES_ALWAYS);
}

ExprId expr_initial(ExprPool *p)
{
    return leaf(p, OP_INITIAL, 0, 0, VARIES_DISCRETE);
}

/* ---- going back ---- */

PoolMark pool_mark(const ExprPool *p)
{
    return (PoolMark){p->all.n, p->text.n, p->arg.n, p->angle.n, p->value.n};
}

static uint64_t leaf_key_of(const ExprPool *p, const Node *n)
{
    uint64_t what = n->op == OP_STRING ? map_key_ptr(p->text.at[n->a].s) : n->a;
    return leaf_key((Op)n->op, what);
}

static void forget_leaf(ExprPool *p, uint32_t id)
{
    const Node *n = &p->all.at[id].node;
    if (n->op == OP_VAR && n->a < p->var.n && p->var.at[n->a] == id + 1)
        p->var.at[n->a] = 0;
    else if (map_get(&p->leaf, leaf_key_of(p, n)) == id)
        map_remove(&p->leaf, leaf_key_of(p, n));
}

/* The last node of the pool. */
static void forget(ExprPool *p)
{
    uint32_t id = p->all.n - 1;
    const Node *n = &p->all.at[id].node;
    uint32_t slot = table_slot(p, id);
    if (slot != UINT32_MAX && p->replaced.n && vec_last(p->replaced).by == id)
        p->slot[slot].node = p->replaced.at[--p->replaced.n].old + 1;
    else if (slot != UINT32_MAX)
        table_remove(p, slot);
    if (p->neg[id] != UINT32_MAX)
        p->neg[p->neg[id]] = UINT32_MAX;
    if (n->op == OP_NUM)
        mpq_clear(p->num[--p->n_num]);
    else if (expr_n_args(p, (ExprId){id}) == 0)
        forget_leaf(p, id);
    if (n->variability == VARIES_NEVER)
        map_remove(&p->constant, id);
    p->all.n--;
}

void pool_rollback(ExprPool *p, PoolMark m)
{
    while (p->all.n > m.n)
        forget(p);
    while (p->apart.n && vec_last(p->apart).begin >= m.n)
        p->apart.n--;
    if (p->apart.n && vec_last(p->apart).end > m.n)
        vec_last(p->apart).end = m.n;
    p->text.n = m.n_text;
    p->arg.n = m.n_arg;
    while (p->angle.n > m.n_angle)
        map_remove(&p->angle_of, p->angle_node.at[--p->angle.n]);
    p->angle_node.n = p->angle.n;
    p->value.n = m.n_value;
}

/* ---- dropping nodes ---- */

void pool_mark_below(const ExprPool *p, bool *mark)
{
    for (uint32_t k = p->all.n; k-- > 0;)
        for (uint32_t i = 0; mark[k] && i < expr_n_args(p, (ExprId){k}); i++)
            mark[expr_arg(p, (ExprId){k}, i).i] = true;
}

static uint32_t room_for_slots(uint32_t n_used)
{
    uint32_t n = FIRST_SLOTS;
    while (is_full((uint64_t)n_used + 1, n))
        n *= 2;
    return n;
}

/* Fills the hash table anew, in the order in which the nodes were added. */
static void fill_table(ExprPool *p)
{
    free_table(p->slot, p->n_slots, sizeof *p->slot);
    p->n_slots = room_for_slots(p->all.n);
    p->slot = new_table(p->n_slots, sizeof *p->slot);
    p->n_used = p->replaced.n = 0;
    for (uint32_t k = 0; k < p->all.n; k++)
        if (p->all.at[k].node.op != OP_NEG) /* found through its operand */
            table_enter(p, k);
}

static void compact_angles(ExprPool *p, const bool *mark, const uint32_t *to)
{
    uint32_t n = 0;
    p->angle_of = map_new(p->mem);
    for (uint32_t k = 0; k < p->angle.n; k++) {
        uint32_t node = p->angle_node.at[k];
        if (!mark[node])
            continue;
        p->angle.at[n] = p->angle.at[k];
        p->angle_node.at[n] = to[node];
        map_put(&p->angle_of, to[node], n++);
    }
    p->angle.n = p->angle_node.n = n;
}

static void compact_values(ExprPool *p, const bool *mark, const uint32_t *to)
{
    Map old = p->constant;
    uint32_t n = 0;
    p->constant = map_new(p->mem);
    for (uint32_t k = 0; k < p->all.n; k++) {
        uint32_t at = mark[k] ? map_get(&old, k) : MAP_NONE;
        if (at == MAP_NONE)
            continue;
        p->value.at[n] = p->value.at[at]; /* they came in the order of the nodes */
        map_put(&p->constant, to[k], n++);
    }
    p->value.n = n;
}

/* Renumbers a leaf where it is looked up. */
static void move_leaf(ExprPool *p, uint32_t id, uint32_t to)
{
    const Node *n = &p->all.at[id].node;
    if (n->op == OP_VAR)
        p->var.at[n->a] = to + 1;
    else
        map_put(&p->leaf, leaf_key_of(p, n), to);
}

/* Node `id` with the new numbers of its operands. */
static Node moved_node(ExprPool *p, uint32_t id, const uint32_t *to)
{
    Node n = p->all.at[id].node;
    uint32_t *operand[3] = {&n.a, &n.b, &n.c};
    for (uint32_t k = 0; k < expr_arity[n.op]; k++)
        *operand[k] = to[*operand[k]];
    for (uint32_t k = 0; n.op == OP_CALL && k < n.c; k++)
        p->arg.at[n.b + k].i = to[p->arg.at[n.b + k].i];
    return n;
}

static void compact_nodes(ExprPool *p, const bool *mark, const uint32_t *to)
{
    uint32_t n_num = 0;
    p->ops = 0;
    for (uint32_t k = 0; k < p->all.n; k++) {
        bool is_number = p->all.at[k].node.op == OP_NUM;
        bool is_leaf = !is_number && expr_n_args(p, (ExprId){k}) == 0;
        if (!mark[k]) {
            if (is_number)
                mpq_clear(p->num[p->all.at[k].node.a]);
            else if (is_leaf)
                forget_leaf(p, k);
            continue;
        }
        if (is_leaf)
            move_leaf(p, k, to[k]);
        ExprEntry *e = &p->all.at[to[k]];
        *e = (ExprEntry){moved_node(p, k, to), p->all.at[k].fp, p->all.at[k].leaves};
        if (is_number) {
            *p->num[n_num] = *p->num[e->node.a];
            e->node.a = n_num++;
        }
        uint32_t neg = p->neg[k];
        p->neg[to[k]] = neg != UINT32_MAX && mark[neg] ? to[neg] : UINT32_MAX;
        p->ops |= UINT32_C(1) << e->node.op;
    }
    p->n_num = n_num;
}

/* Frees the memory of dropped nodes. */
static void shrink(ExprPool *p)
{
    uint32_t old = p->cap;
    p->cap = vec_capacity(FIRST_NODES, p->all.n, sizeof *p->all.at);
    if (p->cap < old) {
        p->all.at = shrunk_table(p->all.at, old, p->cap, p->all.n, sizeof *p->all.at);
        p->neg = shrunk_table(p->neg, old, p->cap, p->all.n, sizeof *p->neg);
    } else {
        p->cap = old;
    }
}

const uint32_t *pool_compact(ExprPool *p, bool *mark, Arena *mem)
{
    for (uint32_t k = 0; k <= SMALL; k++)
        mark[k] = true;
    pool_mark_below(p, mark);
    uint32_t *to = arena_array(mem, uint32_t, p->all.n + 1);
    for (uint32_t k = 0; k < p->all.n; k++)
        to[k + 1] = to[k] + mark[k];
    compact_angles(p, mark, to);
    compact_values(p, mark, to);
    compact_nodes(p, mark, to);
    for (uint32_t k = 0; k < p->apart.n; k++)
        p->apart.at[k] = (Range){to[p->apart.at[k].begin], to[p->apart.at[k].end]};
    p->all.n = to[p->all.n];
    shrink(p);
    fill_table(p);
    return to;
}

/* ---- building ---- */

static Variability max_variability(const ExprPool *p, ExprId a, ExprId b)
{
    uint8_t x = p->all.at[a.i].node.variability;
    uint8_t y = p->all.at[b.i].node.variability;
    return (Variability)(x > y ? x : y);
}

/* Keys for fp_random, made of fingerprints. */
typedef struct ValueKey {
    uint64_t part[2];
} ValueKey;

static ValueKey key_of(const ExprPool *p, uint32_t x, ValueKey key)
{
    Fp f = p->all.at[x].fp;
    return (ValueKey){{hash_word(key.part[0] ^ f.r[0]), hash_word(key.part[1] ^ f.r[1])}};
}

/* Adds a node with a fingerprint that is not known yet. */
static ExprId add_node(ExprPool *p, Node n, Fp f)
{
    ExprId x = new_node(p, n, f);
    table_enter(p, x.i);
    double value;
    if (n.variability == VARIES_NEVER && node_constant(p, x, &value)) {
        map_put(&p->constant, x.i, p->value.n);
        vec_push(p->mem, p->value, value);
    }
    return x;
}

static uint8_t flags2(const ExprPool *p, ExprId a, ExprId b)
{
    return (p->all.at[a.i].node.flags | p->all.at[b.i].node.flags) & ~FLAG_WHOLE;
}

/* A node without a known value: equal to one of the same operator with operands of equal values.
 * Its fingerprint does not depend on ids, so that nodes can be renumbered (pool_compact). */
static ExprId opaque(ExprPool *p, Node n)
{
    const uint32_t operand[3] = {n.a, n.b, n.c};
    ValueKey key = {{(uint64_t)n.op << 8 | n.fn, n.op == OP_PROJ ? n.b : 0}};
    for (uint32_t k = 0; k < expr_arity[n.op]; k++)
        key = key_of(p, operand[k], key);
    Fp f = fp_random(key.part[0], key.part[1]);
    ExprId k = known(p, f, (Variability)n.variability, leaves_of(p, &n));
    return expr_exists(k) ? k : add_node(p, n, f);
}

static ExprId opaque2(ExprPool *p, Op op, uint8_t fn, ExprId a, ExprId b, uint8_t more_flags)
{
    return opaque(p, (Node){.op = (uint8_t)op,
                            .fn = fn,
                            .variability = (uint8_t)max_variability(p, a, b),
                            .flags = flags2(p, a, b) | more_flags,
                            .a = a.i,
                            .b = b.i});
}

ExprId expr_neg(ExprPool *p, ExprId a)
{
    if (p->neg[a.i] != UINT32_MAX)
        return (ExprId){p->neg[a.i]};
    const Node *n = &p->all.at[a.i].node;
    if (n->op == OP_NUM) {
        mpq_neg(p->scratch, p->num[n->a]);
        return number(p);
    }
    Node m = {.op = OP_NEG, .variability = n->variability, .flags = n->flags, .a = a.i};
    ExprId x = new_node(p, m, fp_neg(p->all.at[a.i].fp)); /* found through its operand */
    p->neg[a.i] = x.i;
    p->neg[x.i] = a.i;
    double value;
    if (expr_constant(p, a, &value)) {
        map_put(&p->constant, x.i, p->value.n);
        vec_push(p->mem, p->value, -value);
    }
    return x;
}

static bool is_neg(const ExprPool *p, ExprId x)
{
    return p->all.at[x.i].node.op == OP_NEG;
}

static mpq_srcptr num(const ExprPool *p, ExprId x)
{
    return p->all.at[x.i].node.op == OP_NUM ? p->num[p->all.at[x.i].node.a] : NULL;
}

/* Exact arithmetic on two numbers into scratch; false if the result is too long to keep. */
static bool fold(ExprPool *p, Op op, mpq_srcptr a, mpq_srcptr b)
{
    switch (op) {
    case OP_ADD:
        mpq_add(p->scratch, a, b);
        break;
    case OP_SUB:
        mpq_sub(p->scratch, a, b);
        break;
    case OP_MUL:
        mpq_mul(p->scratch, a, b);
        break;
    default:
        mpq_div(p->scratch, a, b);
        break;
    }
    size_t bits = mpz_sizeinbase(mpq_numref(p->scratch), 2);
    size_t den = mpz_sizeinbase(mpq_denref(p->scratch), 2);
    /* Literals such as 1e-300 are long from the start; folding only must not make things grow. */
    size_t limit = FOLD_BITS;
    for (int k = 0; k < 2; k++) {
        mpq_srcptr q = k ? b : a;
        size_t s = mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2);
        limit = s > limit ? s : limit;
    }
    return bits + den <= limit;
}

/* Whether fixed * of is p*(q*x) with p and q fixed; then it is (p*q)*x. */
static bool gather(ExprPool *p, ExprId fixed, ExprId of, ExprId *product)
{
    Node n = p->all.at[of.i].node;
    if (n.op != OP_MUL || (n.flags & FLAG_WHOLE) || !expr_is_fixed(p, fixed) ||
        expr_is_fixed(p, of))
        return false;
    ExprId q = {n.a}, x = {n.b};
    if (!expr_is_fixed(p, q)) {
        q = (ExprId){n.b};
        x = (ExprId){n.a};
    }
    if (!expr_is_fixed(p, q))
        return false;
    *product = expr_mul(p, expr_mul(p, fixed, q), x);
    return true;
}

/* + - * / with a known fingerprint: the known node, or a new one in the sign that is cheapest. */
static ExprId arithmetic(ExprPool *p, Op op, ExprId a, ExprId b)
{
    mpq_srcptr na = num(p, a);
    mpq_srcptr nb = num(p, b);
    if (na && nb && fold(p, op, na, nb))
        return number(p);

    Fp fa = p->all.at[a.i].fp;
    Fp fb = p->all.at[b.i].fp;
    Fp f = fa;
    switch (op) {
    case OP_ADD:
        f = fp_add(fa, fb);
        break;
    case OP_SUB:
        f = fp_sub(fa, fb);
        break;
    case OP_MUL:
        f = fp_mul(fa, fb);
        break;
    default:
        if (!fp_inverse(fb, &f))
            return opaque2(p, op, 0, a, b, 0); /* a zero divisor: its value is the run's business */
        f = fp_mul(fa, f);
        break;
    }
    if (p->by_value) {
        ExprId k =
            known(p, f, max_variability(p, a, b), p->all.at[a.i].leaves | p->all.at[b.i].leaves);
        if (expr_exists(k))
            return k;
    }
    /* Signs move outwards: a + (-b) is a - b, (-a) * b is -(a * b). */
    bool sum = op_is_sum(op);
    if (is_neg(p, b)) {
        ExprId pos = expr_neg(p, b);
        if (sum)
            return arithmetic(p, op == OP_ADD ? OP_SUB : OP_ADD, a, pos);
        return expr_neg(p, arithmetic(p, op, a, pos));
    }
    if (is_neg(p, a)) {
        ExprId pos = expr_neg(p, a);
        if (op == OP_ADD)
            return arithmetic(p, OP_SUB, b, pos);
        return expr_neg(p, arithmetic(p, op == OP_SUB ? OP_ADD : op, pos, b));
    }
    ExprId product;
    if (op == OP_MUL && p->gathers && (gather(p, a, b, &product) || gather(p, b, a, &product)))
        return product;
    if (sum && p->factors_sums) {
        ExprId total;
        p->factors_sums = false;
        bool found = common_factor_sum(p, op, a, b, &total);
        p->factors_sums = true;
        if (found && !fp_same(p->all.at[total.i].fp, f))
            bug("expression pool: a sum with a common factor has another value");
        if (found)
            return total;
    }
    Node n = {.op = (uint8_t)op,
              .variability = (uint8_t)max_variability(p, a, b),
              .flags = flags2(p, a, b),
              .a = a.i,
              .b = b.i};
    if (p->by_value)
        return add_node(p, n, f);
    return opaque(p, n);
}

ExprId expr_add(ExprPool *p, ExprId a, ExprId b)
{
    if (expr_is(p, a, 0))
        return b;
    if (expr_is(p, b, 0))
        return a;
    return arithmetic(p, OP_ADD, a, b);
}

ExprId expr_sub(ExprPool *p, ExprId a, ExprId b)
{
    if (expr_is(p, b, 0))
        return a;
    if (expr_is(p, a, 0))
        return expr_neg(p, b);
    if (expr_same(a, b))
        return expr_int(p, 0);
    return arithmetic(p, OP_SUB, a, b);
}

ExprId expr_mul(ExprPool *p, ExprId a, ExprId b)
{
    if (expr_is(p, a, 0) || expr_is(p, b, 1))
        return a;
    if (expr_is(p, b, 0) || expr_is(p, a, 1))
        return b;
    if (expr_is(p, a, -1))
        return expr_neg(p, b);
    if (expr_is(p, b, -1))
        return expr_neg(p, a);
    return arithmetic(p, OP_MUL, a, b);
}

ExprId expr_div(ExprPool *p, ExprId a, ExprId b)
{
    if (expr_is(p, b, 0))
        return opaque2(p, OP_DIV, 0, a, b, 0);
    if (expr_is(p, a, 0) || expr_is(p, b, 1))
        return a;
    if (expr_is(p, b, -1))
        return expr_neg(p, a);
    return arithmetic(p, OP_DIV, a, b);
}

ExprId expr_pow(ExprPool *p, ExprId a, ExprId b)
{
    long n;
    if (expr_is_int(p, b, &n) && n >= -POWER_UNROLLED && n <= POWER_UNROLLED) {
        /* by squaring; x^0 is 1 also for x = 0 */
        ExprId r = expr_int(p, 1);
        ExprId square = a;
        for (long m = labs(n); m; m >>= 1) {
            if (m & 1)
                r = expr_mul(p, r, square);
            if (m > 1)
                square = expr_mul(p, square, square);
        }
        return n < 0 ? expr_div(p, expr_int(p, 1), r) : r;
    }
    mpq_srcptr q = num(p, b);
    if (q && mpq_cmp_ui(q, 1, 2) == 0)
        return expr_fn(p, FN_SQRT, a);
    return opaque2(p, OP_POW, 0, a, b, 0);
}

/* Cosine and sine of an angle at the random point; sums by the addition theorems. */
static FpAngle angle_of(ExprPool *p, ExprId x, int depth)
{
    uint32_t known_at = map_get(&p->angle_of, x.i);
    if (known_at != MAP_NONE)
        return p->angle.at[known_at];
    const Node n = p->all.at[x.i].node;
    FpAngle r;
    long k;
    if (expr_is(p, x, 0)) {
        r = fp_angle_zero();
    } else if (depth < ANGLE_DEPTH && op_is_sum(n.op)) {
        FpAngle a = angle_of(p, (ExprId){n.a}, depth + 1);
        FpAngle b = angle_of(p, (ExprId){n.b}, depth + 1);
        r = fp_angle_add(a, n.op == OP_ADD ? b : fp_angle_neg(b));
    } else if (depth < ANGLE_DEPTH && n.op == OP_NEG) {
        r = fp_angle_neg(angle_of(p, (ExprId){n.a}, depth + 1));
    } else if (depth < ANGLE_DEPTH && n.op == OP_MUL &&
               (expr_is_int(p, (ExprId){n.a}, &k) || expr_is_int(p, (ExprId){n.b}, &k)) &&
               labs(k) <= POWER_UNROLLED) {
        bool first = expr_is_int(p, (ExprId){n.a}, &k);
        FpAngle a = angle_of(p, (ExprId){first ? n.b : n.a}, depth + 1);
        r = fp_angle_zero();
        for (long i = 0; i < labs(k); i++)
            r = fp_angle_add(r, a);
        if (k < 0)
            r = fp_angle_neg(r);
    } else if (n.op == OP_NUM && mpq_sgn(p->num[n.a]) < 0) {
        r = fp_angle_neg(angle_of(p, expr_neg(p, x), depth + 1));
    } else {
        ValueKey key = key_of(p, x.i, (ValueKey){{0, 0}});
        r = fp_angle_random(hash_pair(key.part[0], key.part[1]));
    }
    map_put(&p->angle_of, x.i, p->angle.n);
    vec_push(p->mem, p->angle, r);
    vec_push(p->mem, p->angle_node, x.i);
    return r;
}

/* Exact results of elementary functions of numbers; false if the result is not rational. */
static bool fold_fn(ExprPool *p, Fn f, ExprId a, ExprId *out)
{
    mpq_srcptr q = num(p, a);
    if (!q)
        return false;
    switch (f) {
    case FN_SIN:
    case FN_TAN:
    case FN_ASIN:
    case FN_ATAN:
    case FN_SINH:
    case FN_TANH:
        if (mpq_sgn(q) != 0)
            return false;
        *out = expr_int(p, 0);
        return true;
    case FN_COS:
    case FN_COSH:
    case FN_EXP:
        if (mpq_sgn(q) != 0)
            return false;
        *out = expr_int(p, 1);
        return true;
    case FN_LOG:
    case FN_LOG10:
    case FN_ACOS:
        if (mpq_cmp_ui(q, 1, 1) != 0)
            return false;
        *out = expr_int(p, 0);
        return true;
    case FN_SQRT:
        if (mpq_sgn(q) < 0 || !mpz_perfect_square_p(mpq_numref(q)) ||
            !mpz_perfect_square_p(mpq_denref(q)))
            return false;
        mpz_sqrt(mpq_numref(p->scratch), mpq_numref(q));
        mpz_sqrt(mpq_denref(p->scratch), mpq_denref(q));
        *out = number(p);
        return true;
    case FN_ABS:
        mpq_abs(p->scratch, q);
        *out = number(p);
        return true;
    case FN_SIGN:
        *out = expr_int(p, mpq_sgn(q));
        return true;
    case FN_FLOOR:
    case FN_CEIL:
        if (f == FN_FLOOR)
            mpz_fdiv_q(mpq_numref(p->scratch), mpq_numref(q), mpq_denref(q));
        else
            mpz_cdiv_q(mpq_numref(p->scratch), mpq_numref(q), mpq_denref(q));
        mpz_set_ui(mpq_denref(p->scratch), 1);
        *out = number(p);
        return true;
    default:
        return false;
    }
}

ExprId expr_fn(ExprPool *p, Fn f, ExprId a)
{
    ExprId r;
    if (fold_fn(p, f, a, &r))
        return r;
    uint8_t flags = p->all.at[a.i].node.flags;
    if (f == FN_FLOOR || f == FN_CEIL || f == FN_SIGN)
        flags |= FLAG_HAS_RELATION;
    Node n = {.op = OP_FN,
              .fn = (uint8_t)f,
              .variability = p->all.at[a.i].node.variability,
              .flags = flags,
              .a = a.i};
    if (p->by_value && (f == FN_SIN || f == FN_COS)) {
        FpAngle cs = angle_of(p, a, 0);
        Fp v = f == FN_SIN ? cs.sin : cs.cos;
        ExprId k = known(p, v, (Variability)p->all.at[a.i].node.variability, p->all.at[a.i].leaves);
        if (expr_exists(k))
            return k;
        /* sin(-x) = -sin(x), cos(-x) = cos(x) */
        if (is_neg(p, a) || (num(p, a) && mpq_sgn(num(p, a)) < 0)) {
            r = expr_fn(p, f, expr_neg(p, a));
            return f == FN_SIN ? expr_neg(p, r) : r;
        }
        return add_node(p, n, v);
    }
    return opaque(p, n);
}

ExprId expr_fn2(ExprPool *p, Fn2 f, ExprId a, ExprId b)
{
    mpq_srcptr x = num(p, a);
    mpq_srcptr y = num(p, b);
    if (x && y) {
        switch (f) {
        case FN2_MIN:
            return mpq_cmp(x, y) <= 0 ? a : b;
        case FN2_MAX:
            return mpq_cmp(x, y) >= 0 ? a : b;
        case FN2_MOD:
        case FN2_REM:
        case FN2_DIV: {
            if (mpq_sgn(y) == 0)
                break;
            ExprId q = expr_div(p, a, b);
            bool down = f == FN2_MOD || mpq_sgn(x) * mpq_sgn(y) >= 0;
            q = expr_fn(p, down ? FN_FLOOR : FN_CEIL, q);
            return f == FN2_DIV ? q : expr_sub(p, a, expr_mul(p, q, b));
        }
        case FN2_ATAN2:
            if (mpq_sgn(x) == 0 && mpq_sgn(y) > 0)
                return expr_int(p, 0);
            break;
        case FN2_COUNT:
            break;
        }
    }
    bool jumps = f == FN2_MOD || f == FN2_REM || f == FN2_DIV;
    return opaque2(p, OP_FN2, (uint8_t)f, a, b, jumps ? FLAG_HAS_RELATION : 0);
}

ExprId expr_compare(ExprPool *p, Op op, ExprId a, ExprId b)
{
    bool strings = p->all.at[a.i].node.op == OP_STRING && p->all.at[b.i].node.op == OP_STRING;
    double x;
    double y;
    int order = 0;
    bool decided = expr_same(a, b);
    if (!decided && num(p, a) && num(p, b)) {
        order = mpq_cmp(num(p, a), num(p, b));
        decided = true;
    } else if (!decided && expr_constant(p, a, &x) && expr_constant(p, b, &y)) {
        order = x < y ? -1 : x > y;
        decided = true;
    } else if (!decided && strings) {
        order = strcmp(expr_text_of(p, a).s, expr_text_of(p, b).s);
        decided = true;
    }
    if (decided) {
        bool r = op == OP_LT   ? order < 0
                 : op == OP_LE ? order <= 0
                 : op == OP_EQ ? order == 0
                               : order != 0;
        return expr_int(p, r);
    }
    return opaque2(p, op, 0, a, b, FLAG_HAS_RELATION);
}

ExprId expr_and(ExprPool *p, ExprId a, ExprId b)
{
    if (expr_is(p, a, 0) || expr_is(p, b, 0))
        return expr_int(p, 0);
    if (expr_is(p, a, 1) || expr_same(a, b))
        return b;
    if (expr_is(p, b, 1))
        return a;
    return opaque2(p, OP_AND, 0, a, b, 0);
}

ExprId expr_or(ExprPool *p, ExprId a, ExprId b)
{
    if (expr_is(p, a, 1) || expr_is(p, b, 1))
        return expr_int(p, 1);
    if (expr_is(p, a, 0) || expr_same(a, b))
        return b;
    if (expr_is(p, b, 0))
        return a;
    return opaque2(p, OP_OR, 0, a, b, 0);
}

ExprId expr_not(ExprPool *p, ExprId a)
{
    double x;
    if (expr_constant(p, a, &x))
        return expr_int(p, x == 0);
    if (p->all.at[a.i].node.op == OP_NOT)
        return (ExprId){p->all.at[a.i].node.a};
    return opaque2(p, OP_NOT, 0, a, a, 0);
}

ExprId expr_select(ExprPool *p, ExprId cond, ExprId yes, ExprId no)
{
    double x;
    if (expr_constant(p, cond, &x))
        return x != 0 ? yes : no;
    if (expr_same(yes, no))
        return yes;
    uint8_t how = (uint8_t)max_variability(p, yes, no);
    if (p->all.at[cond.i].node.variability > how)
        how = p->all.at[cond.i].node.variability;
    return opaque(p, (Node){.op = OP_SELECT,
                            .variability = how,
                            .flags = flags2(p, yes, no) | p->all.at[cond.i].node.flags,
                            .a = cond.i,
                            .b = yes.i,
                            .c = no.i});
}

ExprId expr_call(ExprPool *p, FuncId f, uint32_t n, const ExprId *args)
{
    ValueKey key = {{(uint64_t)OP_CALL << 8, (uint64_t)f.i << 32 | n}};
    uint64_t leaves = leaf_bit(OP_CALL, f.i) | UINT64_C(1) << HAS_CALL;
    uint8_t how = VARIES_PARAMETER; /* its result is unknown here, even for constants */
    uint8_t flags = 0;
    for (uint32_t k = 0; k < n; k++) {
        key = key_of(p, args[k].i, key);
        const ExprEntry *a = &p->all.at[args[k].i];
        how = a->node.variability > how ? a->node.variability : how;
        flags |= a->node.flags;
        leaves |= a->leaves;
    }
    Fp fp = fp_random(key.part[0], key.part[1]);
    ExprId same = known(p, fp, (Variability)how, leaves);
    if (expr_exists(same))
        return same;
    uint32_t first = p->arg.n;
    for (uint32_t k = 0; k < n; k++)
        vec_push(p->mem, p->arg, args[k]);
    return add_node(
        p, (Node){.op = OP_CALL, .variability = how, .flags = flags, .a = f.i, .b = first, .c = n},
        fp);
}

ExprId expr_proj(ExprPool *p, ExprId call, uint32_t k)
{
    if (p->all.at[call.i].node.op != OP_CALL)
        bug("expr_proj: of a node that is no call");
    return opaque(p, (Node){.op = OP_PROJ,
                            .variability = p->all.at[call.i].node.variability,
                            .flags = p->all.at[call.i].node.flags,
                            .a = call.i,
                            .b = k});
}

ExprId expr_wrap(ExprPool *p, Op op, ExprId a)
{
    const Node *n = &p->all.at[a.i].node;
    uint8_t how = n->variability;
    uint8_t flags = n->flags;
    switch (op) {
    case OP_NOEVENT:
    case OP_SMOOTH:
        if (!(n->flags & FLAG_HAS_RELATION))
            return a;
        flags = 0;
        break;
    case OP_DER:
        if (how <= VARIES_PARAMETER)
            return expr_int(p, 0);
        how = VARIES_ALWAYS;
        break;
    case OP_PRE:
        if (how <= VARIES_PARAMETER)
            return a;
        how = VARIES_DISCRETE;
        break;
    default:
        bug("expr_wrap: operator %d", (int)op);
    }
    return opaque(p, (Node){.op = (uint8_t)op, .variability = how, .flags = flags, .a = a.i});
}

ExprId expr_smooth(ExprPool *p, ExprId a)
{
    Node n = {.op = OP_SMOOTH, .variability = p->all.at[a.i].node.variability, .a = a.i};
    n.fn = 1;
    return opaque(p, n);
}

/* The operator of x makes events. */
static bool makes_events(const ExprPool *p, ExprId x)
{
    const Node *n = &p->all.at[x.i].node;
    switch ((Op)n->op) {
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
        return true;
    case OP_FN:
        return n->fn == FN_FLOOR || n->fn == FN_CEIL || n->fn == FN_SIGN;
    case OP_FN2:
        return n->fn == FN2_MOD || n->fn == FN2_REM || n->fn == FN2_DIV;
    default:
        return false;
    }
}

ExprId expr_of_function(ExprPool *p, ExprId a)
{
    if (expr_op(p, a) == OP_NOT)
        return expr_not(p, expr_of_function(p, expr_arg(p, a, 0)));
    if (!makes_events(p, a))
        return a;
    uint8_t flags = 0;
    for (uint32_t k = 0; k < expr_n_args(p, a); k++)
        flags |= p->all.at[expr_arg(p, a, k).i].node.flags;
    return opaque(p, (Node){.op = OP_NOEVENT,
                            .fn = 1,
                            .variability = p->all.at[a.i].node.variability,
                            .flags = flags,
                            .a = a.i});
}

bool expr_noevent_of_function(const ExprPool *p, ExprId x)
{
    return p->all.at[x.i].node.fn == 1;
}

bool expr_smooth_has_kinks(const ExprPool *p, ExprId x)
{
    return p->all.at[x.i].node.fn == 1;
}

/* ---- looking ---- */

const uint8_t expr_arity[OP_COUNT] = {
    [OP_NEG] = 1,     [OP_FN] = 1,     [OP_NOT] = 1,    [OP_PROJ] = 1, [OP_DER] = 1, [OP_PRE] = 1,
    [OP_NOEVENT] = 1, [OP_SMOOTH] = 1, [OP_ADD] = 2,    [OP_SUB] = 2,  [OP_MUL] = 2, [OP_DIV] = 2,
    [OP_POW] = 2,     [OP_FN2] = 2,    [OP_LT] = 2,     [OP_LE] = 2,   [OP_EQ] = 2,  [OP_NE] = 2,
    [OP_AND] = 2,     [OP_OR] = 2,     [OP_SELECT] = 3,
};

void expr_missing(ExprId x)
{
    bug("expression %u does not exist", x.i);
}

uint32_t expr_call_size(const ExprPool *p, ExprId x)
{
    return p->all.at[x.i].node.c;
}

ExprId expr_call_arg(const ExprPool *p, ExprId x, uint32_t k)
{
    return p->arg.at[p->all.at[x.i].node.b + k];
}

uint32_t expr_local_of(const ExprPool *p, ExprId x)
{
    return p->all.at[x.i].node.a;
}

Fn expr_fn_of(const ExprPool *p, ExprId x)
{
    return (Fn)p->all.at[x.i].node.fn;
}

Fn2 expr_fn2_of(const ExprPool *p, ExprId x)
{
    return (Fn2)p->all.at[x.i].node.fn;
}

FuncId expr_func_of(const ExprPool *p, ExprId x)
{
    return (FuncId){p->all.at[x.i].node.a};
}

uint32_t expr_proj_of(const ExprPool *p, ExprId x)
{
    return p->all.at[x.i].node.b;
}

Name expr_text_of(const ExprPool *p, ExprId x)
{
    return p->text.at[p->all.at[x.i].node.a];
}

mpq_srcptr expr_rational(const ExprPool *p, ExprId x)
{
    if (p->all.at[x.i].node.op != OP_NUM)
        bug("expr_rational: expression %u is no number", x.i);
    return p->num[p->all.at[x.i].node.a];
}

ExprId expr_of_value(const ExprPool *p, Fp value)
{
    return (ExprId){table_find(p, value)};
}

Truth expr_is_zero(const ExprPool *p, ExprId x)
{
    if (expr_is(p, x, 0))
        return YES;
    if (expr_is_num(p, x))
        return NO;
    return UNKNOWN;
}

bool expr_is_kink(const ExprPool *p, ExprId x, uint32_t moved)
{
    switch (expr_op(p, x)) {
    case OP_SELECT:
        return moved & 1;
    case OP_FN:
        return moved && expr_fn_of(p, x) == FN_ABS;
    case OP_FN2:
        return moved && (expr_fn2_of(p, x) == FN2_MIN || expr_fn2_of(p, x) == FN2_MAX);
    default:
        return false;
    }
}

bool expr_is_num(const ExprPool *p, ExprId x)
{
    return p->all.at[x.i].node.op == OP_NUM;
}

bool expr_is_int(const ExprPool *p, ExprId x, long *value)
{
    if (p->all.at[x.i].node.op != OP_NUM)
        return false;
    mpq_srcptr q = p->num[p->all.at[x.i].node.a];
    if (mpz_cmp_ui(mpq_denref(q), 1) != 0 || !mpz_fits_slong_p(mpq_numref(q)))
        return false;
    *value = mpz_get_si(mpq_numref(q));
    return true;
}

bool expr_is(const ExprPool *p, ExprId x, long value)
{
    if (value >= 0 && value <= SMALL)
        return x.i == (uint32_t)value;
    if (value == -1)
        return x.i == p->neg[1];
    return p->all.at[x.i].node.op == OP_NUM &&
           mpq_cmp_si(p->num[p->all.at[x.i].node.a], value, 1) == 0;
}

/* ---- rebuilding ---- */

ExprId expr_rebuild(ExprPool *p, ExprId x, const ExprId *args)
{
    const Node n = p->all.at[x.i].node;
    switch ((Op)n.op) {
    case OP_NUM:
    case OP_STRING:
    case OP_VAR:
    case OP_TIME:
    case OP_LOCAL:
    case OP_INITIAL:
        return x;
    case OP_NEG:
        return expr_neg(p, args[0]);
    case OP_ADD:
        return expr_add(p, args[0], args[1]);
    case OP_SUB:
        return expr_sub(p, args[0], args[1]);
    case OP_MUL:
        return expr_mul(p, args[0], args[1]);
    case OP_DIV:
        return expr_div(p, args[0], args[1]);
    case OP_POW:
        return expr_pow(p, args[0], args[1]);
    case OP_FN:
        return expr_fn(p, (Fn)n.fn, args[0]);
    case OP_FN2:
        return expr_fn2(p, (Fn2)n.fn, args[0], args[1]);
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
        return expr_compare(p, (Op)n.op, args[0], args[1]);
    case OP_AND:
        return expr_and(p, args[0], args[1]);
    case OP_OR:
        return expr_or(p, args[0], args[1]);
    case OP_NOT:
        return expr_not(p, args[0]);
    case OP_SELECT:
        return expr_select(p, args[0], args[1], args[2]);
    case OP_CALL:
        return expr_call(p, (FuncId){n.a}, n.c, args);
    case OP_PROJ:
        return expr_proj(p, args[0], n.b);
    case OP_DER:
    case OP_PRE:
        return expr_wrap(p, (Op)n.op, args[0]);
    case OP_NOEVENT:
        return n.fn ? expr_of_function(p, args[0]) : expr_wrap(p, OP_NOEVENT, args[0]);
    case OP_SMOOTH:
        return n.fn ? expr_smooth(p, args[0]) : expr_wrap(p, OP_SMOOTH, args[0]);
    case OP_COUNT:
        break;
    }
    bug("expr_rebuild: operator %d", n.op);
}

static void memo_fit(Substitution *s, uint32_t n)
{
    if (n <= s->memo_cap)
        return;
    s->memo = vec_grow_own(s->mem, s->memo, sizeof *s->memo, &s->memo_cap, n);
}

static ExprId remembered(const Substitution *s, ExprId x)
{
    return (ExprId){s->memo[x.i] - 1};
}

void substitution_forget(Substitution *s)
{
    if (s->memo_cap > 0)
        memset(s->memo, 0, s->memo_cap * sizeof *s->memo);
}

void substitution_go_back(Substitution *s)
{
    for (uint32_t k = 0; k < s->tentative.n; k++)
        s->memo[s->tentative.at[k]] = 0;
    s->tentative.n = 0;
    s->is_tentative = false;
}

/* Leaves need no visit. */
static bool replaced_leaf(const ExprPool *p, const Substitution *s, ExprId x, ExprId *out)
{
    switch ((Op)p->all.at[x.i].node.op) {
    case OP_VAR: {
        uint32_t v = p->all.at[x.i].node.a;
        *out = v < s->n && expr_exists(s->value[v]) ? s->value[v] : x;
        return true;
    }
    case OP_NUM:
    case OP_STRING:
    case OP_TIME:
    case OP_LOCAL:
    case OP_INITIAL:
        *out = x;
        return true;
    default:
        return false;
    }
}

ExprId expr_substitute(ExprPool *p, Substitution *s, ExprId x)
{
    ExprId out;
    if (replaced_leaf(p, s, x, &out))
        return out;
    memo_fit(s, p->all.n);
    if (s->memo[x.i])
        return remembered(s, x);
    /* An explicit stack: expressions can be as deep as the model is long. */
    s->stack.n = 0;
    vec_push(s->mem, s->stack, x);
    while (s->stack.n) {
        ExprId y = vec_last(s->stack);
        if (s->memo[y.i]) {
            s->stack.n--;
            continue;
        }
        uint32_t n = expr_n_args(p, y);
        bool ready = true;
        bool changed = false;
        s->args.n = 0;
        for (uint32_t k = 0; k < n; k++) {
            ExprId a = expr_arg(p, y, k);
            ExprId b;
            if (!replaced_leaf(p, s, a, &b)) {
                b = remembered(s, a);
                if (!expr_exists(b)) {
                    vec_push(s->mem, s->stack, a);
                    ready = false;
                    continue;
                }
            }
            changed = changed || !expr_same(a, b);
            vec_push(s->mem, s->args, b);
        }
        if (!ready)
            continue;
        s->stack.n--;
        s->memo[y.i] = (changed ? expr_rebuild(p, y, s->args.at) : y).i + 1;
        if (s->is_tentative)
            vec_push(s->mem, s->tentative, y.i);
        memo_fit(s, p->all.n);
    }
    return remembered(s, x);
}

/* only: bits of leaves; a node without any of them is kept. 0: all nodes are rewritten. memo: node
 * to result. */
static ExprId map_nodes(ExprPool *p, Arena *scratch, Map *memo, uint64_t only, ExprId x,
                        ExprRewrite rewrite, void *data)
{
    VEC(ExprId) stack = {0};
    VEC(ExprId) args = {0};
    vec_push(scratch, stack, x);
    ExprId result = EXPR_NONE;
    while (stack.n) {
        ExprId y = vec_last(stack);
        result = (ExprId){map_get(memo, y.i)}; /* MAP_NONE is EXPR_NONE */
        if (expr_exists(result)) {
            stack.n--;
            continue;
        }
        uint32_t n = expr_n_args(p, y);
        bool ready = true;
        bool changed = false;
        args.n = 0;
        for (uint32_t k = 0; k < n; k++) {
            ExprId a = expr_arg(p, y, k);
            bool stays = only && !(expr_entry(p, a)->leaves & only);
            bool is_leaf = stays || expr_n_args(p, a) == 0;
            ExprId b = stays ? a : is_leaf ? rewrite(data, a) : (ExprId){map_get(memo, a.i)};
            if (!expr_exists(b) && is_leaf)
                return EXPR_NONE;
            if (!expr_exists(b)) {
                vec_push(scratch, stack, a);
                ready = false;
                continue;
            }
            changed = changed || !expr_same(a, b);
            vec_push(scratch, args, b);
        }
        if (!ready)
            continue;
        stack.n--;
        result = rewrite(data, changed ? expr_rebuild(p, y, args.at) : y);
        if (!expr_exists(result))
            break;
        map_put(memo, y.i, result.i);
    }
    return result;
}

ExprId expr_map(ExprPool *p, Arena *scratch, ExprId x, ExprRewrite rewrite, void *data)
{
    if (scratch == p->mem)
        bug("expr_map: the pool grows in the arena that would be rolled back");
    if (expr_n_args(p, x) == 0)
        return rewrite(data, x);
    ArenaMark mark = arena_mark(scratch);
    Map memo = map_new(scratch);
    ExprId result = map_nodes(p, scratch, &memo, 0, x, rewrite, data);
    arena_rollback(scratch, mark);
    return result;
}

ExprId expr_map_calls(ExprPool *p, Map *memo, ExprId x, ExprRewrite rewrite, void *data)
{
    if (!expr_holds_call(p, x))
        return x;
    Arena *scratch = arena_new();
    ExprId result = map_nodes(p, scratch, memo, UINT64_C(1) << HAS_CALL, x, rewrite, data);
    arena_free(scratch);
    return result;
}
