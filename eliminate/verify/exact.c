#include "eliminate/verify/exact.h"

#include "base/bug.h"
#include "base/hash.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static uint64_t key_of_name(Name n)
{
    return hash_bytes(n.s, strlen(n.s));
}

/* ---- points ---- */

static Exact *level_new(System *s, Arena *mem, uint64_t seed, const Modulus *mod)
{
    Exact *e = arena_make(mem, Exact);
    *e = (Exact){.s = s, .mem = mem, .field = field_new(mod, seed, mem), .angle = map_new(mem)};
    return e;
}

/* Their signs are those that they have as real numbers. */
static void add_constants(Exact *e)
{
    const ExprPool *p = e->s->pool;
    for (uint32_t k = 0; k < pool_size(p); k++)
        if (expr_op(p, (ExprId){k}) == OP_NUM)
            field_add_constant(&e->field, expr_rational(p, (ExprId){k}));
}

Exact *exact_new(System *s, Arena *mem, uint64_t seed, const VerifyPrime *prime)
{
    Exact *e = level_new(s, mem, seed, prime ? &prime->p : NULL);
    e->prime = prime;
    if (prime) {
        e->angles = level_new(s, mem, seed, &prime->q);
        e->angles->real = e;
        add_constants(e);
        add_constants(e->angles);
    }
    return e;
}

Exact *exact_again(const Exact *e, Arena *mem)
{
    Exact *other = exact_new(e->s, mem, e->field.seed, e->prime);
    exact_share_signs(other, e->field.signs);
    return other;
}

void exact_share_signs(Exact *e, Map *signs)
{
    e->field.signs = signs;
}

void exact_done(Exact *e)
{
    field_done(&e->field);
    if (e->angles)
        field_done(&e->angles->field);
}

void exact_define(Exact *e, ExactVariable variable, void *user)
{
    e->variable = variable;
    e->user = user;
    if (e->angles)
        exact_define(e->angles, variable, user);
}

bool exact_is_poor(const Exact *e)
{
    return e->field.poor_point || (e->angles && e->angles->field.poor_point);
}

/* ---- values ---- */

static bool is_known(const Exact *e, ExprId x)
{
    return x.i < e->known.n && e->known.at[x.i];
}

static void note(Exact *e, ExprId x, Number value)
{
    if (x.i >= e->known.n) {
        uint32_t n = pool_size(e->s->pool);
        vec_reserve(e->mem, e->value, n);
        vec_reserve(e->mem, e->known, n);
        memset(e->known.at + e->known.n, 0, n - e->known.n);
        e->value.n = e->known.n = n;
    }
    e->value.at[x.i] = value;
    e->known.at[x.i] = true;
}

/* Where the order of numbers is known. */
static Exact *ordered(Exact *e)
{
    return e->real ? e->real : e;
}

static bool exact_is_true(Exact *e, ExprId condition)
{
    e = ordered(e);
    return !number_is_zero(&e->field, exact_value(e, condition));
}

int exact_sign(Exact *e, ExprId x)
{
    e = ordered(e);
    return number_sign(&e->field, exact_value(e, x));
}

Number exact_floor(Exact *e, ExprId x)
{
    return number_floor(&e->field, exact_value(e, x));
}

static Number truth(Exact *e, bool holds)
{
    return number_int(&e->field, holds);
}

/* ---- functions ---- */

/* A random point of the circle that depends on the angle, opposite for the opposite angle:
 * (1 - u^2) / (1 + u^2), 2u / (1 + u^2). */
static void any_point(Exact *e, Number angle, Number *cosine, Number *sine)
{
    Field *f = &e->field;
    Number u = number_fresh(f);
    if (!number_is_zero(f, angle))
        u = number_draw(f, number_even_key(f, angle, 77));
    Number one = number_int(f, 1);
    Number uu = number_mul(f, u, u);
    Number sum = number_add(f, one, uu);
    *cosine = number_div(f, number_sub(f, one, uu), sum);
    *sine = number_div(f, number_add(f, u, u), sum);
    if (number_is_odd(f, angle))
        *sine = number_neg(f, *sine);
}

static void add_angle(Field *f, Number *c, Number *s, Number cb, Number sb)
{
    Number cosine = number_sub(f, number_mul(f, *c, cb), number_mul(f, *s, sb));
    *s = number_add(f, number_mul(f, *s, cb), number_mul(f, *c, sb));
    *c = cosine;
}

/* Cosine and sine in fractions: sums by the addition theorems, an angle that is no sum gives a
 * random point that depends on its exact value. */
static uint32_t circle(Exact *e, ExprId x, int depth)
{
    uint32_t known = map_get(&e->angle, x.i);
    if (known != MAP_NONE)
        return known;
    const ExprPool *p = e->s->pool;
    Field *f = &e->field;
    Op op = expr_op(p, x);
    bool sum = op_is_sum(op);
    long times = 0;
    bool first = op == OP_MUL && expr_is_int(p, expr_arg(p, x, 0), &times);
    bool multiple = first || (op == OP_MUL && expr_is_int(p, expr_arg(p, x, 1), &times));
    Number c = number_int(f, 1);
    Number s = number_int(f, 0);
    ExactMeaning m;
    if (depth < 200 && op == OP_VAR && e->variable &&
        e->variable(e->user, e, expr_var_of(p, x), &m) && m.in) {
        uint32_t a = circle(m.in, m.x, depth + 1);
        c = m.in->cos.at[a];
        s = m.in->sin.at[a];
    } else if (depth < 200 && (sum || (multiple && labs(times) <= 16))) {
        uint32_t a = circle(e, expr_arg(p, x, sum || !first ? 0 : 1), depth + 1);
        uint32_t b = sum ? circle(e, expr_arg(p, x, 1), depth + 1) : a;
        long n = sum ? 2 : labs(times);
        for (long k = 0; k < n; k++) {
            uint32_t by = k == 0 ? a : b;
            bool minus = op == OP_SUB && k == 1;
            add_angle(f, &c, &s, e->cos.at[by],
                      minus ? number_neg(f, e->sin.at[by]) : e->sin.at[by]);
        }
        if (!sum && times < 0)
            s = number_neg(f, s);
    } else {
        any_point(e, exact_value(e, x), &c, &s);
    }
    vec_push(e->mem, e->cos, c);
    vec_push(e->mem, e->sin, s);
    map_put(&e->angle, x.i, e->cos.n - 1);
    return e->cos.n - 1;
}

void exact_circle(Exact *e, ExprId x, Number *cosine, Number *sine)
{
    if (e->angles) {
        number_circle(&e->field, exact_value(e->angles, x).r, cosine, sine);
    } else if (e->real) { /* angles of angles */
        any_point(e, exact_value(e, x), cosine, sine);
    } else {
        uint32_t point = circle(e, x, 0);
        *cosine = e->cos.at[point];
        *sine = e->sin.at[point];
    }
}

/* Where an elementary function of a rational number is rational. */
static bool is_exact(Exact *e, Fn f, Number a, Number *out)
{
    bool is_zero = number_is_zero(&e->field, a);
    bool is_one = number_same(&e->field, a, number_int(&e->field, 1));
    switch (f) {
    case FN_SQRT:
        return number_sqrt(&e->field, a, out);
    case FN_TAN:
    case FN_ASIN:
    case FN_ATAN:
    case FN_SINH:
    case FN_TANH:
        *out = number_int(&e->field, 0);
        return is_zero;
    case FN_COSH:
    case FN_EXP:
        *out = number_int(&e->field, 1);
        return is_zero;
    case FN_LOG:
    case FN_LOG10:
    case FN_ACOS:
        *out = number_int(&e->field, 0);
        return is_one;
    default:
        return false;
    }
}

Number exact_function(Exact *e, Fn f, Number a)
{
    Number out;
    if (is_exact(e, f, a, &out))
        return out;
    return number_draw(&e->field, number_key(&e->field, a, 1000 + (uint64_t)f));
}

static Number times_sign(Exact *e, Number a, int sign)
{
    return sign < 0 ? number_neg(&e->field, a) : a;
}

static Number function(Exact *e, ExprId x, Number a)
{
    Fn f = expr_fn_of(e->s->pool, x);
    ExprId arg = expr_arg(e->s->pool, x, 0);
    Number c;
    Number s;
    switch (f) {
    case FN_SIN:
    case FN_COS:
        exact_circle(e, arg, &c, &s);
        return f == FN_SIN ? s : c;
    case FN_ABS:
        return times_sign(e, a, exact_sign(e, arg));
    case FN_SIGN:
        return number_int(&e->field, exact_sign(e, arg));
    case FN_FLOOR:
        return number_floor(&e->field, a);
    case FN_CEIL:
        return number_neg(&e->field, number_floor(&e->field, number_neg(&e->field, a)));
    default:
        return exact_function(e, f, a);
    }
}

/* The whole number of times that b is in a, downwards (mod) or towards zero (rem, div). */
static Number quotient(Exact *e, ExprId x, Number a, Number b)
{
    Field *f = &e->field;
    Number ratio = number_div(f, a, b);
    if (expr_fn2_of(e->s->pool, x) == FN2_MOD)
        return number_floor(f, ratio);
    Exact *o = ordered(e);
    Number real = o == e ? ratio
                         : number_div(&o->field, exact_value(o, expr_arg(e->s->pool, x, 0)),
                                      exact_value(o, expr_arg(e->s->pool, x, 1)));
    int sign = number_sign(&o->field, real);
    return times_sign(e, number_floor(f, times_sign(e, ratio, sign)), sign);
}

/* The sign of the difference of its arguments. */
static int compare(Exact *e, ExprId x)
{
    Exact *o = ordered(e);
    const ExprPool *p = e->s->pool;
    Number a = exact_value(o, expr_arg(p, x, 0));
    Number b = exact_value(o, expr_arg(p, x, 1));
    return o->field.mod ? number_sign(&o->field, number_sub(&o->field, a, b)) : mpq_cmp(a.q, b.q);
}

static Number function2(Exact *e, ExprId x, Number a, Number b)
{
    Field *f = &e->field;
    Fn2 fn = expr_fn2_of(e->s->pool, x);
    switch (fn) {
    case FN2_MIN:
    case FN2_MAX:
        return (compare(e, x) < 0) == (fn == FN2_MIN) ? a : b;
    case FN2_MOD:
    case FN2_REM:
    case FN2_DIV:
        if (number_is_zero(f, b))
            break;
        Number whole = quotient(e, x, a, b);
        return fn == FN2_DIV ? whole : number_sub(f, a, number_mul(f, whole, b));
    default:
        break;
    }
    return number_draw(f, number_key(f, a, number_key(f, b, 2000 + (uint64_t)fn)));
}

Number exact_power(Exact *e, Number a, Number b)
{
    Field *f = &e->field;
    mpq_t q;
    mpq_init(q);
    bool known = number_fraction(f, b, q);
    bool is_int = known && mpz_cmp_ui(mpq_denref(q), 1) == 0;
    long n = is_int && mpz_cmpabs_ui(mpq_numref(q), POWER_UNROLLED) <= 0 ? mpz_get_si(mpq_numref(q))
                                                                         : LONG_MAX;
    bool is_root = known && mpq_cmp_ui(q, 1, 2) == 0;
    mpq_clear(q);
    if (n != LONG_MAX)
        return number_power(f, a, n);
    if (is_root)
        return exact_function(e, FN_SQRT, a);
    return number_draw(f, number_key(f, a, number_key(f, b, 3000)));
}

/* ---- leaves and calls ---- */

bool exact_is_before(const System *s, ExprId x)
{
    if (expr_op(s->pool, x) != OP_VAR)
        return false;
    const Var *v = &s->var.at[expr_var_of(s->pool, x).i];
    return v->kind == VAR_CONTINUOUS && var_exists(v->der);
}

Number exact_before(Exact *e, ExprId x)
{
    if (exact_is_before(e->s, x))
        return exact_value(e, x);
    if (expr_op(e->s->pool, x) != OP_VAR)
        return truth(e, false);
    const Var *it = &e->s->var.at[expr_var_of(e->s->pool, x).i];
    if (it->kind == VAR_MEMORY)
        return truth(e, false);
    uint64_t key = hash_word(key_of_name(it->name) + 4000);
    return it->type == TYPE_REAL ? number_draw(&e->field, key)
                                 : truth(e, number_draw_bit(&e->field, key));
}

static Number variable(Exact *e, VarId v)
{
    ExactMeaning m;
    if (e->variable && e->variable(e->user, e, v, &m))
        return m.in ? exact_value(m.in, m.x) : m.value;
    const Var *it = &e->s->var.at[v.i];
    /* memory: sample(), terminal() */
    return it->kind == VAR_MEMORY ? truth(e, false) : number_draw(&e->field, key_of_name(it->name));
}

ExprId exact_branch(Exact *e, ExprId x)
{
    const ExprPool *p = e->s->pool;
    return expr_arg(p, x, exact_is_true(e, expr_arg(p, x, 0)) ? 1 : 2);
}

uint64_t exact_call_key(Exact *e, Name f, ExprId call, uint32_t n)
{
    uint64_t key = key_of_name(f);
    for (uint32_t k = 0; k < n; k++)
        key = number_key(&e->field, exact_value(e, expr_arg(e->s->pool, call, k)), key);
    return key;
}

Number exact_partial(Exact *e, uint64_t key, uint32_t rate, uint32_t result)
{
    return number_draw(&e->field, hash_word(key + 6000 + ((uint64_t)rate << 32) + result));
}

/* Of a function nothing is known but that equal arguments give equal results; of one that is the
 * derivative of another, that it is linear in the rates. */
static Number call_result(Exact *e, ExprId x)
{
    const ExprPool *p = e->s->pool;
    Field *field = &e->field;
    ExprId call = expr_arg(p, x, 0);
    const Function *f = &e->s->function->at[expr_func_of(p, call).i];
    if (f->intrinsic == INTRINSIC_DELAY)
        return number_fresh(field); /* as the memory of it */
    if (f->intrinsic == INTRINSIC_HOMOTOPY)
        return exact_value(e, expr_arg(p, call, 0));
    uint32_t n = f->n_primal ? f->n_primal : f->n_in;
    uint64_t key = exact_call_key(e, f->key, call, n);
    if (!f->n_primal)
        return number_draw(field, hash_word(key + expr_proj_of(p, x)));
    Number out = number_fresh(field);
    for (uint32_t k = n; k < f->n_in; k++) {
        Number part = exact_partial(e, key, k - n, expr_proj_of(p, x));
        out = number_add(field, out, number_mul(field, part, exact_value(e, expr_arg(p, call, k))));
    }
    return out;
}

/* ---- all operators ---- */

static Number leaf(Exact *e, ExprId x, Op op)
{
    const ExprPool *p = e->s->pool;
    switch (op) {
    case OP_NUM:
        return number_rational(&e->field, expr_rational(p, x));
    case OP_VAR:
        return variable(e, expr_var_of(p, x));
    case OP_TIME:
        return number_draw(&e->field, 1);
    case OP_PROJ:
        return call_result(e, x);
    case OP_PRE:
        return exact_before(e, expr_arg(p, x, 0));
    case OP_CALL:
    case OP_STRING:
    case OP_INITIAL:
        return number_fresh(&e->field);
    default:
        bug("verify: operator %d", (int)op);
    }
}

static Number relation(Exact *e, ExprId x, Op op, Number a, Number b)
{
    if (op == OP_LT || op == OP_LE)
        return truth(e, compare(e, x) < (op == OP_LE));
    return truth(e, number_same(&e->field, a, b) == (op == OP_EQ));
}

#define EVAL_FUNCTION operation
#define EVAL_VALUE Number
#define EVAL_NODE ExprId
#define EVAL_CONTEXT Exact
#define EVAL_OPERAND(k) exact_value(in, expr_arg(in->s->pool, x, k))
#define EVAL_LEAF(op) leaf(in, x, op)
#define EVAL_NEG(a) number_neg(&in->field, a)
#define EVAL_ADD(a, b) number_add(&in->field, a, b)
#define EVAL_SUB(a, b) number_sub(&in->field, a, b)
#define EVAL_MUL(a, b) number_mul(&in->field, a, b)
#define EVAL_DIV(a, b) number_div(&in->field, a, b)
#define EVAL_POW(a, b)                                                                             \
    number_draw(&in->field, number_key(&in->field, a, number_key(&in->field, b, 3000)))
#define EVAL_FN(a) function(in, x, a)
#define EVAL_FN2(a, b) function2(in, x, a, b)
#define EVAL_RELATION(op, a, b) relation(in, x, op, a, b)
#define EVAL_AND(a, b) truth(in, !number_is_zero(&in->field, a) && !number_is_zero(&in->field, b))
#define EVAL_OR(a, b) truth(in, !number_is_zero(&in->field, a) || !number_is_zero(&in->field, b))
#define EVAL_NOT(a) truth(in, number_is_zero(&in->field, a))
#define EVAL_SELECT() exact_value(in, exact_branch(in, x))
#define EVAL_SAME(op, a) (a)
#include "ir/evaluate.inc"

static Number compute(Exact *e, ExprId x)
{
    Op op = expr_op(e->s->pool, x);
    bool is_claim = op_is_logical(op) && e->real;
    return is_claim ? truth(e, exact_is_true(e, x)) : operation(e, x, op);
}

/* Pushes x if its value is missing. */
static bool is_there(Exact *e, ExprId x)
{
    if (is_known(e, x))
        return true;
    vec_push(e->mem, e->stack, x);
    return false;
}

/* Pushes the missing operands of x; true if none is missing. The branch of an if-expression that is
 * not taken is not evaluated: the condition may guard against a division by zero. */
static bool push_missing(Exact *e, ExprId x)
{
    const ExprPool *p = e->s->pool;
    Op op = expr_op(p, x);
    if (op == OP_SELECT)
        return (e->real || is_there(e, expr_arg(p, x, 0))) && is_there(e, exact_branch(e, x));
    if (op_is_logical(op) && e->real)
        return true;
    bool ready = true;
    for (uint32_t k = expr_n_args(p, x); k-- > 0;)
        ready &= is_there(e, expr_arg(p, x, k));
    return ready;
}

/* Operands need not be known yet. Called for an angle while another value is computed, so it leaves
 * the lower part of the stack. */
Number exact_value(Exact *e, ExprId root)
{
    if (is_known(e, root))
        return e->value.at[root.i];
    uint32_t bottom = e->stack.n;
    vec_push(e->mem, e->stack, root);
    while (e->stack.n > bottom) {
        ExprId x = vec_last(e->stack);
        if (is_known(e, x)) {
            e->stack.n--;
            continue;
        }
        if (!push_missing(e, x))
            continue;
        e->stack.n--;
        note(e, x, compute(e, x));
    }
    return e->value.at[root.i];
}
