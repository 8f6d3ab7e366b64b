#include "eliminate/verify/dual.h"

#include "eliminate/prepare/tangent.h"

DualNumbers dual_new(Exact *at, Arena *mem)
{
    DualNumbers r = {.at = at, .mem = mem, .value_at = map_new(mem)};
    dual_turn(&r);
    return r;
}

Fp dual_random(const DualNumbers *r, uint64_t key)
{
    return fp_random(r->at->seed, key);
}

void dual_turn(DualNumbers *r)
{
    r->moving = map_new(r->mem);
    r->slope_at = map_new(r->mem);
    r->rate.n = r->slope.n = 0;
    r->time_rate = (Fp){0};
}

void dual_move(DualNumbers *r, VarId v, Fp rate)
{
    vec_push(r->mem, r->rate, rate);
    map_put(&r->moving, v.i, r->rate.n - 1);
}

void dual_move_time(DualNumbers *r, Fp rate)
{
    r->time_rate = rate;
}

static Fp reduced(DualNumbers *r, mpq_srcptr q)
{
    Fp x = {0};
    if (!fp_rational(q, &x))
        r->at->poor_point = true;
    return x;
}

static Fp divided(DualNumbers *r, Fp a, Fp b)
{
    Fp inverse = {0};
    if (!fp_inverse(b, &inverse))
        r->at->poor_point = true;
    return fp_mul(a, inverse);
}

/* ---- values ---- */

static bool is_arithmetic(Op op)
{
    return op == OP_NEG || op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV ||
           op == OP_NOEVENT || op == OP_SMOOTH || op == OP_SELECT;
}

static Fp known_value(const DualNumbers *r, ExprId x)
{
    return r->value.at[map_get(&r->value_at, x.i)];
}

static Fp compute_value(DualNumbers *r, ExprId x)
{
    const ExprPool *p = r->at->s->pool;
    Op op = expr_op(p, x);
    if (!is_arithmetic(op) || exact_is_known(r->at, x))
        return reduced(r, exact_value(r->at, x));
    if (op == OP_SELECT)
        return known_value(r, exact_branch(r->at, x));
    Fp a = known_value(r, expr_arg(p, x, 0));
    if (op == OP_NEG)
        return fp_neg(a);
    if (expr_n_args(p, x) == 1)
        return a;
    Fp b = known_value(r, expr_arg(p, x, 1));
    return op == OP_ADD   ? fp_add(a, b)
           : op == OP_SUB ? fp_sub(a, b)
           : op == OP_MUL ? fp_mul(a, b)
                          : divided(r, a, b);
}

/* Pushes what the value or slope of x waits for; true if nothing is missing. */
static bool push_missing(DualNumbers *r, const Map *known, ExprId x)
{
    const ExprPool *p = r->at->s->pool;
    Op op = expr_op(p, x);
    bool ready = true;
    uint32_t n = op == OP_SELECT ? 1 : op == OP_PRE ? 0 : expr_n_args(p, x);
    for (uint32_t k = 0; k < n; k++) {
        ExprId a = op == OP_SELECT ? exact_branch(r->at, x) : expr_arg(p, x, k);
        if (map_get(known, a.i) != MAP_NONE)
            continue;
        vec_push(r->mem, r->stack, a);
        ready = false;
    }
    return ready;
}

Fp dual_value(DualNumbers *r, ExprId root)
{
    const ExprPool *p = r->at->s->pool;
    uint32_t bottom = r->stack.n;
    vec_push(r->mem, r->stack, root);
    while (r->stack.n > bottom) {
        ExprId x = vec_last(r->stack);
        bool done = map_get(&r->value_at, x.i) != MAP_NONE;
        bool alone = !is_arithmetic(expr_op(p, x)) || exact_is_known(r->at, x);
        if (!done && !alone && !push_missing(r, &r->value_at, x))
            continue;
        r->stack.n--;
        if (done)
            continue;
        Fp v = compute_value(r, x);
        vec_push(r->mem, r->value, v);
        map_put(&r->value_at, x.i, r->value.n - 1);
    }
    return known_value(r, root);
}

/* ---- slopes ---- */

static Fp fp_int(DualNumbers *r, long k)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_si(q, k, 1);
    Fp x = reduced(r, q);
    mpq_clear(q);
    return x;
}

/* A function at a fraction that is no node. */
static Fp function_at(DualNumbers *r, Fn f, mpq_srcptr a)
{
    mpq_t v;
    mpq_init(v);
    exact_function(r->at, f, a, v);
    Fp x = reduced(r, v);
    mpq_clear(v);
    return x;
}

/* sqrt(1 - a a) */
static Fp opposite(DualNumbers *r, mpq_srcptr a)
{
    mpq_t u;
    mpq_init(u);
    exact_opposite(a, u);
    Fp x = function_at(r, FN_SQRT, u);
    mpq_clear(u);
    return x;
}

/* The factor of a' in f(a)', as the rules of calculus write it. */
static Fp function_slope(DualNumbers *r, ExprId x)
{
    const ExprPool *p = r->at->s->pool;
    ExprId arg = expr_arg(p, x, 0);
    Fp a = dual_value(r, arg);
    Fp v = dual_value(r, x);
    Fp one = fp_int(r, 1);
    Fn f = expr_fn_of(p, x);
    mpq_srcptr cosine;
    mpq_srcptr sine;
    switch (f) {
    case FN_SIN:
        exact_circle(r->at, arg, &cosine, &sine);
        return reduced(r, cosine);
    case FN_COS:
        exact_circle(r->at, arg, &cosine, &sine);
        return fp_neg(reduced(r, sine));
    case FN_TAN:
        return fp_add(one, fp_mul(v, v));
    case FN_ASIN:
        return divided(r, one, opposite(r, exact_value(r->at, arg)));
    case FN_ACOS:
        return fp_neg(divided(r, one, opposite(r, exact_value(r->at, arg))));
    case FN_ATAN:
        return divided(r, one, fp_add(one, fp_mul(a, a)));
    case FN_SINH:
        return function_at(r, FN_COSH, exact_value(r->at, arg));
    case FN_COSH:
        return function_at(r, FN_SINH, exact_value(r->at, arg));
    case FN_TANH:
        return fp_sub(one, fp_mul(v, v));
    case FN_EXP:
        return v;
    case FN_LOG:
        return divided(r, one, a);
    case FN_LOG10: {
        mpq_t ten;
        mpq_init(ten);
        mpq_set_ui(ten, 10, 1);
        Fp log = function_at(r, FN_LOG, ten);
        mpq_clear(ten);
        return divided(r, one, fp_mul(a, log));
    }
    case FN_SQRT:
        return divided(r, one, fp_add(v, v));
    case FN_ABS:
        return fp_int(r, mpq_sgn(exact_value(r->at, arg)));
    case FN_SIGN:
    case FN_FLOOR:
    case FN_CEIL:
    case FN_COUNT:
        break;
    }
    return (Fp){0};
}

static Fp power_slope(DualNumbers *r, ExprId x, Fp da, Fp db)
{
    const ExprPool *p = r->at->s->pool;
    mpq_srcptr a = exact_value(r->at, expr_arg(p, x, 0));
    mpq_srcptr b = exact_value(r->at, expr_arg(p, x, 1));
    mpq_t u;
    mpq_t lower;
    mpq_init(u);
    mpq_init(lower);
    mpq_set_ui(u, 1, 1);
    mpq_sub(u, b, u);
    exact_power(r->at, a, u, lower);
    Fp out = fp_mul(fp_mul(reduced(r, b), reduced(r, lower)), da);
    if (!fp_is_zero(db))
        out = fp_add(out, fp_mul(fp_mul(function_at(r, FN_LOG, a), dual_value(r, x)), db));
    mpq_clear(u);
    mpq_clear(lower);
    return out;
}

static Fp function2_slope(DualNumbers *r, ExprId x, Fp da, Fp db)
{
    const ExprPool *p = r->at->s->pool;
    mpq_srcptr a = exact_value(r->at, expr_arg(p, x, 0));
    mpq_srcptr b = exact_value(r->at, expr_arg(p, x, 1));
    Fp fa = reduced(r, a);
    Fp fb = reduced(r, b);
    Fp out = {0};
    mpq_t u;
    mpq_init(u);
    switch (expr_fn2_of(p, x)) {
    case FN2_ATAN2:
        out = divided(r, fp_sub(fp_mul(fb, da), fp_mul(fa, db)),
                      fp_add(fp_mul(fa, fa), fp_mul(fb, fb)));
        break;
    case FN2_MIN:
        out = mpq_cmp(a, b) < 0 ? da : db;
        break;
    case FN2_MAX:
        out = mpq_cmp(b, a) < 0 ? da : db;
        break;
    case FN2_MOD:
        /* a - floor(a / b) b */
        if (mpq_sgn(b) == 0) {
            r->at->poor_point = true;
            break;
        }
        mpq_div(u, a, b);
        mpz_fdiv_q(mpq_numref(u), mpq_numref(u), mpq_denref(u));
        mpz_set_ui(mpq_denref(u), 1);
        out = fp_sub(da, fp_mul(reduced(r, u), db));
        break;
    case FN2_REM:
        exact_function2(r->at, FN2_DIV, a, b, u);
        out = fp_sub(da, fp_mul(reduced(r, u), db));
        break;
    case FN2_DIV:
    case FN2_COUNT:
        break;
    }
    mpq_clear(u);
    return out;
}

static Fp known_slope(const DualNumbers *r, ExprId x)
{
    return r->slope.at[map_get(&r->slope_at, x.i)];
}

/* By the function that gives the derivative: linear in the rates (exact.h). */
static Fp call_slope(DualNumbers *r, ExprId x)
{
    const System *s = r->at->s;
    const ExprPool *p = s->pool;
    ExprId call = expr_arg(p, x, 0);
    const Function *f = &s->function->at[expr_func_of(p, call).i];
    const DerivativeRule *rule = !f->has_tangent && f->n_derivatives ? &f->derivative[0] : NULL;
    Fp out = {0};
    if (f->intrinsic == INTRINSIC_DELAY)
        return out;
    if (f->intrinsic == INTRINSIC_HOMOTOPY)
        return known_slope(r, expr_arg(p, call, 0));
    if (f->out_type && f->out_type[expr_proj_of(p, x)] != TYPE_REAL)
        return out;
    const Function *g = rule ? &s->function->at[rule->func.i] : NULL;
    Name name = g ? g->key : tangent_key(r->at->s, f);
    bool moves = false;
    uint64_t key = exact_call_key(r->at, name, call, f->n_in);
    uint32_t rate = 0;
    mpq_t q;
    mpq_init(q);
    for (uint32_t k = 0; k < f->n_in; k++) {
        bool skip = rule ? (rule->no_derivative && rule->no_derivative[k]) ||
                               (rule->zero_derivative && rule->zero_derivative[k])
                         : f->in_type && f->in_type[k] != TYPE_REAL;
        if (skip)
            continue;
        Fp slope = known_slope(r, expr_arg(p, call, k));
        moves = moves || !fp_is_zero(slope);
        exact_partial(r->at, key, rate++, expr_proj_of(p, x), q);
        out = fp_add(out, fp_mul(reduced(r, q), slope));
    }
    mpq_clear(q);
    bool gives = g ? g->n_primal == f->n_in && !(g->inlining == INLINE_DEFAULT && g->expand)
                   : f->body != NULL;
    if (moves && !gives)
        r->is_open = true;
    return moves ? out : (Fp){0};
}

static Fp compute_slope(DualNumbers *r, ExprId x)
{
    const ExprPool *p = r->at->s->pool;
    Op op = expr_op(p, x);
    uint32_t n = op == OP_PRE ? 0 : expr_n_args(p, x);
    if (op == OP_VAR) {
        uint32_t k = map_get(&r->moving, expr_var_of(p, x).i);
        return k != MAP_NONE ? r->rate.at[k] : (Fp){0};
    }
    if (op == OP_TIME)
        return r->time_rate;
    if (op == OP_SELECT)
        return known_slope(r, exact_branch(r->at, x));
    if (op == OP_CALL)
        return (Fp){0}; /* its results have slopes */
    if (op == OP_PROJ)
        return call_slope(r, x);
    bool moves = false;
    for (uint32_t k = 0; k < n; k++)
        moves = moves || !fp_is_zero(known_slope(r, expr_arg(p, x, k)));
    if (!moves)
        return (Fp){0}; /* what does not move has no slope, even where the function has none */
    Fp da = known_slope(r, expr_arg(p, x, 0));
    Fp db = n > 1 ? known_slope(r, expr_arg(p, x, 1)) : (Fp){0};
    switch (op) {
    case OP_NEG:
        return fp_neg(da);
    case OP_ADD:
        return fp_add(da, db);
    case OP_SUB:
        return fp_sub(da, db);
    case OP_MUL:
        return fp_add(fp_mul(da, dual_value(r, expr_arg(p, x, 1))),
                      fp_mul(db, dual_value(r, expr_arg(p, x, 0))));
    case OP_DIV:
        return divided(r, fp_sub(da, fp_mul(dual_value(r, x), db)),
                       dual_value(r, expr_arg(p, x, 1)));
    case OP_FN:
        return fp_mul(function_slope(r, x), da);
    case OP_FN2:
        return function2_slope(r, x, da, db);
    case OP_POW:
        return power_slope(r, x, da, db);
    case OP_NOEVENT:
    case OP_SMOOTH:
        return da;
    default:
        return (Fp){0}; /* claims */
    }
}

Fp dual_slope(DualNumbers *r, ExprId root)
{
    uint32_t bottom = r->stack.n;
    vec_push(r->mem, r->stack, root);
    while (r->stack.n > bottom) {
        ExprId x = vec_last(r->stack);
        bool done = map_get(&r->slope_at, x.i) != MAP_NONE;
        if (!done && !push_missing(r, &r->slope_at, x))
            continue;
        r->stack.n--;
        if (done)
            continue;
        Fp v = compute_slope(r, x);
        vec_push(r->mem, r->slope, v);
        map_put(&r->slope_at, x.i, r->slope.n - 1);
    }
    return known_slope(r, root);
}
