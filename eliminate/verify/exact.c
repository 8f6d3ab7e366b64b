#include "eliminate/verify/exact.h"

#include "base/bug.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

mpq_ptr exact_fresh(Exact *e)
{
    mpq_ptr q = arena_alloc(e->mem, sizeof(mpq_t));
    mpq_init(q);
    vec_push(e->mem, e->owned, q);
    return q;
}

void exact_done(Exact *e)
{
    for (uint32_t k = 0; k < e->owned.n; k++)
        mpq_clear(e->owned.at[k]);
}

/* A small fraction that depends on the key and the point alone. */
void exact_draw(const Exact *e, uint64_t key, mpq_ptr out)
{
    uint64_t h = hash_word(e->seed ^ hash_word(key));
    uint64_t other = hash_word(h);
    long num = (long)((h >> 1) % VERIFY_RANGE) + 1;
    unsigned long den = (unsigned long)((other >> 1) % VERIFY_RANGE) + 1;
    mpq_set_si(out, h & 1 ? -num : num, den);
    mpq_canonicalize(out);
}

/* A key for an exact value: equal values, equal keys. */
uint64_t exact_key(mpq_srcptr q, uint64_t salt)
{
    uint64_t h = hash_word(salt);
    for (int half = 0; half < 2; half++) {
        mpz_srcptr z = half ? mpq_denref(q) : mpq_numref(q);
        size_t n = mpz_size(z);
        for (size_t k = 0; k < n; k++)
            h = hash_word(h ^ mpz_getlimbn(z, (mp_size_t)k));
        h = hash_word(h + (uint64_t)(mpz_sgn(z) + 2));
    }
    return h;
}

static uint64_t key_of_name(Name n)
{
    return hash_bytes(n.s, strlen(n.s));
}

void exact_opposite(mpq_srcptr a, mpq_ptr out)
{
    mpq_mul(out, a, a);
    mpz_sub(mpq_numref(out), mpq_denref(out), mpq_numref(out)); /* stays in lowest terms */
}

/* Cosine and sine: sums by the addition theorems, what is no sum is a random point of the circle
 * that depends on the exact value of the angle. */
static uint32_t circle(Exact *e, ExprId x, int depth)
{
    uint32_t known = map_get(&e->angle, x.i);
    if (known != MAP_NONE)
        return known;
    const ExprPool *p = e->s->pool;
    Op op = expr_op(p, x);
    mpq_ptr c = exact_fresh(e);
    mpq_ptr s = exact_fresh(e);
    mpq_ptr u = exact_fresh(e);
    bool sum = op == OP_ADD || op == OP_SUB;
    long times = 0;
    bool first = op == OP_MUL && expr_is_int(p, expr_arg(p, x, 0), &times);
    bool multiple = first || (op == OP_MUL && expr_is_int(p, expr_arg(p, x, 1), &times));
    if (depth < 200 && (sum || (multiple && labs(times) <= 16))) {
        uint32_t a = circle(e, expr_arg(p, x, sum || !first ? 0 : 1), depth + 1);
        uint32_t b = sum ? circle(e, expr_arg(p, x, 1), depth + 1) : a;
        mpq_set_ui(c, 1, 1);
        mpq_set_ui(s, 0, 1);
        long n = sum ? 2 : labs(times);
        for (long k = 0; k < n; k++) {
            uint32_t by = k == 0 ? a : b;
            mpq_ptr cb = e->cos.at[by];
            mpq_ptr sb = e->sin.at[by];
            bool minus = op == OP_SUB && k == 1;
            mpq_ptr c2 = exact_fresh(e);
            mpq_ptr s2 = exact_fresh(e);
            mpq_mul(c2, c, cb);
            mpq_mul(u, s, sb);
            (minus ? mpq_add : mpq_sub)(c2, c2, u);
            mpq_mul(s2, s, cb);
            mpq_mul(u, c, sb);
            (minus ? mpq_sub : mpq_add)(s2, s2, u);
            mpq_set(c, c2);
            mpq_set(s, s2);
        }
        if (!sum && times < 0)
            mpq_neg(s, s);
    } else {
        mpq_srcptr v = exact_value(e, x);
        bool negative = mpq_sgn(v) < 0;
        mpq_set_ui(u, 0, 1);
        if (mpq_sgn(v) != 0) {
            mpq_abs(c, v);
            exact_draw(e, exact_key(c, 77), u);
        }
        /* (1 - u^2) / (1 + u^2), 2u / (1 + u^2), with 1 + u^2 = 2 - (1 - u^2) */
        mpq_ptr sum = exact_fresh(e);
        mpq_ptr two = exact_fresh(e);
        mpq_set_ui(two, 2, 1);
        exact_opposite(u, c);
        mpq_sub(sum, two, c);
        mpq_div(c, c, sum);
        mpq_mul(s, two, u);
        mpq_div(s, s, sum);
        if (negative)
            mpq_neg(s, s);
    }
    vec_push(e->mem, e->cos, c);
    vec_push(e->mem, e->sin, s);
    map_put(&e->angle, x.i, e->cos.n - 1);
    return e->cos.n - 1;
}

/* Where an elementary function of a rational number is rational. */
static bool is_exact(Fn f, mpq_srcptr a, mpq_ptr out)
{
    switch (f) {
    case FN_SQRT:
        if (mpq_sgn(a) < 0 || !mpz_perfect_square_p(mpq_numref(a)) ||
            !mpz_perfect_square_p(mpq_denref(a)))
            return false;
        mpz_sqrt(mpq_numref(out), mpq_numref(a));
        mpz_sqrt(mpq_denref(out), mpq_denref(a));
        return true;
    case FN_TAN:
    case FN_ASIN:
    case FN_ATAN:
    case FN_SINH:
    case FN_TANH:
        mpq_set_ui(out, 0, 1);
        return mpq_sgn(a) == 0;
    case FN_COSH:
    case FN_EXP:
        mpq_set_ui(out, 1, 1);
        return mpq_sgn(a) == 0;
    case FN_LOG:
    case FN_LOG10:
    case FN_ACOS:
        mpq_set_ui(out, 0, 1);
        return mpq_cmp_ui(a, 1, 1) == 0;
    default:
        return false;
    }
}

static void function(Exact *e, ExprId x, mpq_srcptr a, mpq_ptr out)
{
    Fn f = expr_fn_of(e->s->pool, x);
    ExprId arg = expr_arg(e->s->pool, x, 0);
    uint32_t point = f == FN_SIN || f == FN_COS ? circle(e, arg, 0) : 0;
    switch (f) {
    case FN_SIN:
        mpq_set(out, e->sin.at[point]);
        return;
    case FN_COS:
        mpq_set(out, e->cos.at[point]);
        return;
    case FN_ABS:
        mpq_abs(out, a);
        return;
    case FN_SIGN:
        mpq_set_si(out, mpq_sgn(a), 1);
        return;
    case FN_FLOOR:
        mpz_fdiv_q(mpq_numref(out), mpq_numref(a), mpq_denref(a));
        return;
    case FN_CEIL:
        mpz_cdiv_q(mpq_numref(out), mpq_numref(a), mpq_denref(a));
        return;
    default:
        exact_function(e, f, a, out);
        return;
    }
}

static void function2(Exact *e, ExprId x, mpq_srcptr a, mpq_srcptr b, mpq_ptr out)
{
    Fn2 f = expr_fn2_of(e->s->pool, x);
    if (f == FN2_MIN || f == FN2_MAX)
        mpq_set(out, (mpq_cmp(a, b) < 0) == (f == FN2_MIN) ? a : b);
    else
        exact_function2(e, f, a, b, out);
}

/* What a discrete variable was before: by its name, so that both sides agree. A condition was
 * false. */
void exact_before(const Exact *e, ExprId x, mpq_ptr out)
{
    mpq_set_ui(out, 0, 1);
    if (expr_op(e->s->pool, x) != OP_VAR)
        return;
    const Var *it = &e->s->var.at[expr_var_of(e->s->pool, x).i];
    if (it->kind == VAR_MEMORY)
        return;
    exact_draw(e, hash_word(key_of_name(it->name) + 4000), out);
    if (it->type != TYPE_REAL)
        mpq_set_ui(out, mpz_even_p(mpq_numref(out)) ? 0 : 1, 1);
}

/* The branch an if-expression takes; its condition must have its value. The other branch guards
 * against what must not be evaluated, like a division by zero. */
ExprId exact_branch(Exact *e, ExprId x)
{
    const ExprPool *p = e->s->pool;
    return expr_arg(p, x, mpq_sgn(exact_value(e, expr_arg(p, x, 0))) != 0 ? 1 : 2);
}

uint64_t exact_call_key(Exact *e, Name f, ExprId call, uint32_t n)
{
    uint64_t key = key_of_name(f);
    for (uint32_t k = 0; k < n; k++)
        key = exact_key(exact_value(e, expr_arg(e->s->pool, call, k)), key);
    return key;
}

void exact_partial(const Exact *e, uint64_t key, uint32_t rate, uint32_t result, mpq_ptr out)
{
    exact_draw(e, hash_word(key + 6000 + ((uint64_t)rate << 32) + result), out);
}

/* Of a function nothing is known but that equal arguments give equal results; of one that is the
 * derivative of another, that it is linear in the rates. */
static void call_result(Exact *e, ExprId x, mpq_ptr out)
{
    const ExprPool *p = e->s->pool;
    ExprId call = expr_arg(p, x, 0);
    const Function *f = &e->s->function->at[expr_func_of(p, call).i];
    if (f->intrinsic == INTRINSIC_DELAY)
        return; /* 0, as the memory of it */
    if (f->intrinsic == INTRINSIC_HOMOTOPY) {
        mpq_set(out, exact_value(e, expr_arg(p, call, 0)));
        return;
    }
    uint32_t n = f->n_primal ? f->n_primal : f->n_in;
    uint64_t key = exact_call_key(e, f->key, call, n);
    if (!f->n_primal) {
        exact_draw(e, hash_word(key + expr_proj_of(p, x)), out);
        return;
    }
    mpq_ptr part = exact_fresh(e);
    mpq_set_ui(out, 0, 1);
    for (uint32_t k = n; k < f->n_in; k++) {
        exact_partial(e, key, k - n, expr_proj_of(p, x), part);
        mpq_mul(part, part, exact_value(e, expr_arg(p, call, k)));
        mpq_add(out, out, part);
    }
}

static void compute(Exact *e, ExprId x, mpq_ptr out)
{
    const ExprPool *p = e->s->pool;
    uint32_t n = expr_n_args(p, x);
    if (expr_op(p, x) == OP_SELECT) {
        mpq_set(out, exact_value(e, exact_branch(e, x)));
        return;
    }
    mpq_srcptr a = n > 0 ? exact_value(e, expr_arg(p, x, 0)) : NULL;
    mpq_srcptr b = n > 1 ? exact_value(e, expr_arg(p, x, 1)) : NULL;
    switch (expr_op(p, x)) {
    case OP_NUM:
        mpq_set(out, expr_rational(p, x));
        return;
    case OP_TIME:
        exact_draw(e, 1, out);
        return;
    case OP_INITIAL:
        return;
    case OP_VAR: {
        VarId v = expr_var_of(p, x);
        uint32_t k = map_get(&e->var, v.i);
        if (k != MAP_NONE)
            mpq_set(out, e->var_value.at[k]);
        else if (e->s->var.at[v.i].kind == VAR_MEMORY)
            mpq_set_ui(out, 0, 1); /* sample(), terminal() */
        else
            exact_draw(e, key_of_name(e->s->var.at[v.i].name), out);
        return;
    }
    case OP_NEG:
        mpq_neg(out, a);
        return;
    case OP_ADD:
        mpq_add(out, a, b);
        return;
    case OP_SUB:
        mpq_sub(out, a, b);
        return;
    case OP_MUL:
        mpq_mul(out, a, b);
        return;
    case OP_DIV:
        if (mpq_sgn(b) == 0)
            e->poor_point = true;
        else
            mpq_div(out, a, b);
        return;
    case OP_FN:
        function(e, x, a, out);
        return;
    case OP_FN2:
        function2(e, x, a, b, out);
        return;
    case OP_POW:
        exact_draw(e, exact_key(a, exact_key(b, 3000)), out);
        return;
    case OP_LT:
        mpq_set_ui(out, mpq_cmp(a, b) < 0, 1);
        return;
    case OP_LE:
        mpq_set_ui(out, mpq_cmp(a, b) <= 0, 1);
        return;
    case OP_EQ:
        mpq_set_ui(out, mpq_equal(a, b) != 0, 1);
        return;
    case OP_NE:
        mpq_set_ui(out, mpq_equal(a, b) == 0, 1);
        return;
    case OP_AND:
        mpq_set_ui(out, mpq_sgn(a) != 0 && mpq_sgn(b) != 0, 1);
        return;
    case OP_OR:
        mpq_set_ui(out, mpq_sgn(a) != 0 || mpq_sgn(b) != 0, 1);
        return;
    case OP_NOT:
        mpq_set_ui(out, mpq_sgn(a) == 0, 1);
        return;
    case OP_NOEVENT:
    case OP_SMOOTH:
        mpq_set(out, a);
        return;
    case OP_CALL:
    case OP_STRING:
        return;
    case OP_PROJ:
        call_result(e, x, out);
        return;
    case OP_PRE:
        exact_before(e, expr_arg(p, x, 0), out);
        return;
    default:
        bug("verify: operator %d", (int)expr_op(p, x));
    }
}

/* Pushes what x waits for; true if nothing is missing. */
static bool push_missing(Exact *e, ExprId x)
{
    const ExprPool *p = e->s->pool;
    bool select = expr_op(p, x) == OP_SELECT;
    uint32_t n = select ? 1 : expr_n_args(p, x);
    bool ready = true;
    for (uint32_t k = n; k-- > 0;) {
        ExprId a = expr_arg(p, x, k);
        if (map_get(&e->at, a.i) != MAP_NONE)
            continue;
        vec_push(e->mem, e->stack, a);
        ready = false;
    }
    if (!select || !ready)
        return ready;
    ExprId a = exact_branch(e, x);
    if (map_get(&e->at, a.i) != MAP_NONE)
        return true;
    vec_push(e->mem, e->stack, a);
    return false;
}

/* The value of a node whose operands need not be there yet. Called for an angle while another value
 * is at work, so it leaves what lies on the stack below. */
mpq_ptr exact_value(Exact *e, ExprId root)
{
    uint32_t known = map_get(&e->at, root.i);
    if (known != MAP_NONE)
        return e->value.at[known];
    uint32_t bottom = e->stack.n;
    vec_push(e->mem, e->stack, root);
    while (e->stack.n > bottom) {
        ExprId x = vec_last(e->stack);
        if (map_get(&e->at, x.i) != MAP_NONE) {
            e->stack.n--;
            continue;
        }
        if (!push_missing(e, x))
            continue;
        e->stack.n--;
        mpq_ptr q = exact_fresh(e);
        compute(e, x, q);
        vec_push(e->mem, e->value, q);
        map_put(&e->at, x.i, e->value.n - 1);
    }
    return e->value.at[map_get(&e->at, root.i)];
}

Exact exact_new(System *s, Arena *mem, uint64_t seed)
{
    return (Exact){.s = s,
                   .mem = mem,
                   .seed = seed,
                   .at = map_new(mem),
                   .var = map_new(mem),
                   .angle = map_new(mem)};
}

void exact_set(Exact *e, VarId v, mpq_ptr value)
{
    vec_push(e->mem, e->var_value, value);
    map_put(&e->var, v.i, e->var_value.n - 1);
}

void exact_function(const Exact *e, Fn f, mpq_srcptr a, mpq_ptr out)
{
    if (!is_exact(f, a, out))
        exact_draw(e, exact_key(a, 1000 + (uint64_t)f), out);
}

/* The whole number of times that b is in a, downwards or towards zero. */
static void quotient(mpq_srcptr a, mpq_srcptr b, bool down, mpq_ptr out)
{
    mpq_div(out, a, b);
    if (down)
        mpz_fdiv_q(mpq_numref(out), mpq_numref(out), mpq_denref(out));
    else
        mpz_tdiv_q(mpq_numref(out), mpq_numref(out), mpq_denref(out));
    mpz_set_ui(mpq_denref(out), 1);
}

void exact_function2(const Exact *e, Fn2 f, mpq_srcptr a, mpq_srcptr b, mpq_ptr out)
{
    if ((f == FN2_MOD || f == FN2_REM || f == FN2_DIV) && mpq_sgn(b) != 0) {
        mpq_t whole;
        mpq_init(whole);
        quotient(a, b, f == FN2_MOD, whole);
        if (f != FN2_DIV) {
            mpq_mul(whole, whole, b);
            mpq_sub(whole, a, whole);
        }
        mpq_set(out, whole);
        mpq_clear(whole);
        return;
    }
    exact_draw(e, exact_key(a, exact_key(b, 2000 + (uint64_t)f)), out);
}

void exact_power(Exact *e, mpq_srcptr a, mpq_srcptr b, mpq_ptr out)
{
    bool is_int = mpz_cmp_ui(mpq_denref(b), 1) == 0;
    if (is_int && mpz_cmpabs_ui(mpq_numref(b), POWER_UNROLLED) <= 0) {
        long n = mpz_get_si(mpq_numref(b));
        mpz_pow_ui(mpq_numref(out), mpq_numref(a), (unsigned long)labs(n));
        mpz_pow_ui(mpq_denref(out), mpq_denref(a), (unsigned long)labs(n));
        if (n < 0 && mpq_sgn(out) == 0)
            e->poor_point = true;
        else if (n < 0)
            mpq_inv(out, out);
    } else if (mpq_cmp_ui(b, 1, 2) == 0) {
        exact_function(e, FN_SQRT, a, out);
    } else {
        exact_draw(e, exact_key(a, exact_key(b, 3000)), out);
    }
}

void exact_circle(Exact *e, ExprId x, mpq_srcptr *cosine, mpq_srcptr *sine)
{
    uint32_t point = circle(e, x, 0);
    *cosine = e->cos.at[point];
    *sine = e->sin.at[point];
}

bool exact_is_known(const Exact *e, ExprId x)
{
    return map_get(&e->at, x.i) != MAP_NONE;
}
