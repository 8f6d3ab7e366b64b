#include "eliminate/verify/dual.h"

#include "base/bug.h"
#include "eliminate/prepare/tangent.h"

#include <string.h>

static const Number ZERO = {.r = 0};

DualNumbers dual_new(Exact *at, Arena *mem)
{
    DualNumbers d = {.at = at, .mem = mem};
    if (!at->angles)
        bug("dual: slopes are residues");
    dual_turn(&d);
    return d;
}

Number dual_random(DualNumbers *d, uint64_t key)
{
    return number_draw(&d->at->field, key + 9000);
}

void dual_turn(DualNumbers *d)
{
    d->turn++;
    d->moving = map_new(d->mem);
    d->rate.n = 0;
    d->time_rate = ZERO;
}

void dual_move(DualNumbers *d, VarId v, Number rate)
{
    vec_push(d->mem, d->rate, rate);
    map_put(&d->moving, v.i, d->rate.n - 1);
}

void dual_move_time(DualNumbers *d, Number rate)
{
    d->time_rate = rate;
}

static bool is_known(const DualNumbers *d, ExprId x)
{
    return x.i < d->turn_of.n && d->turn_of.at[x.i] == d->turn;
}

static void note(DualNumbers *d, ExprId x, Number slope)
{
    if (x.i >= d->turn_of.n) {
        uint32_t n = pool_size(d->at->s->pool);
        vec_reserve(d->mem, d->turn_of, n);
        vec_reserve(d->mem, d->slope, n);
        memset(d->turn_of.at + d->turn_of.n, 0, (n - d->turn_of.n) * sizeof *d->turn_of.at);
        d->turn_of.n = d->slope.n = n;
    }
    d->slope.at[x.i] = slope;
    d->turn_of.at[x.i] = d->turn;
}

/* sqrt(1 - a a) */
static Number opposite(DualNumbers *d, Number a)
{
    Field *f = &d->at->field;
    return exact_function(d->at, FN_SQRT, number_sub(f, number_int(f, 1), number_mul(f, a, a)));
}

/* The factor of a' in f(a)', as the rules of calculus write it. */
static Number function_slope(DualNumbers *d, ExprId x)
{
    const ExprPool *p = d->at->s->pool;
    Field *f = &d->at->field;
    ExprId arg = expr_arg(p, x, 0);
    Number a = exact_value(d->at, arg);
    Number v = exact_value(d->at, x);
    Number one = number_int(f, 1);
    Fn fn = expr_fn_of(p, x);
    Number cosine;
    Number sine;
    switch (fn) {
    case FN_SIN:
        exact_circle(d->at, arg, &cosine, &sine);
        return cosine;
    case FN_COS:
        exact_circle(d->at, arg, &cosine, &sine);
        return number_neg(f, sine);
    case FN_TAN:
        return number_add(f, one, number_mul(f, v, v));
    case FN_ASIN:
        return number_div(f, one, opposite(d, a));
    case FN_ACOS:
        return number_neg(f, number_div(f, one, opposite(d, a)));
    case FN_ATAN:
        return number_div(f, one, number_add(f, one, number_mul(f, a, a)));
    case FN_SINH:
        return exact_function(d->at, FN_COSH, a);
    case FN_COSH:
        return exact_function(d->at, FN_SINH, a);
    case FN_TANH:
        return number_sub(f, one, number_mul(f, v, v));
    case FN_EXP:
        return v;
    case FN_LOG:
        return number_div(f, one, a);
    case FN_LOG10:
        return number_div(f, one,
                          number_mul(f, a, exact_function(d->at, FN_LOG, number_int(f, 10))));
    case FN_SQRT:
        return number_div(f, one, number_add(f, v, v));
    case FN_ABS:
        return number_int(f, exact_sign(d->at, arg));
    case FN_SIGN:
    case FN_FLOOR:
    case FN_CEIL:
    case FN_COUNT:
        break;
    }
    return ZERO;
}

static Number power_slope(DualNumbers *d, ExprId x, Number da, Number db)
{
    const ExprPool *p = d->at->s->pool;
    Field *f = &d->at->field;
    Number a = exact_value(d->at, expr_arg(p, x, 0));
    Number b = exact_value(d->at, expr_arg(p, x, 1));
    Number lower = exact_power(d->at, a, number_sub(f, b, number_int(f, 1)));
    Number out = number_mul(f, number_mul(f, b, lower), da);
    if (!number_is_zero(f, db)) {
        Number log = exact_function(d->at, FN_LOG, a);
        out = number_add(f, out, number_mul(f, number_mul(f, log, exact_value(d->at, x)), db));
    }
    return out;
}

static Number function2_slope(DualNumbers *d, ExprId x, Number da, Number db)
{
    const ExprPool *p = d->at->s->pool;
    Field *f = &d->at->field;
    Number a = exact_value(d->at, expr_arg(p, x, 0));
    Number b = exact_value(d->at, expr_arg(p, x, 1));
    switch (expr_fn2_of(p, x)) {
    case FN2_ATAN2:
        return number_div(f, number_sub(f, number_mul(f, b, da), number_mul(f, a, db)),
                          number_add(f, number_mul(f, a, a), number_mul(f, b, b)));
    case FN2_MIN:
    case FN2_MAX:
        return number_same(f, exact_value(d->at, x), a) ? da : db;
    case FN2_MOD:
    case FN2_REM:
        /* x = a - n b */
        return number_sub(
            f, da, number_mul(f, number_div(f, number_sub(f, a, exact_value(d->at, x)), b), db));
    case FN2_DIV:
    case FN2_COUNT:
        break;
    }
    return ZERO;
}

static Number known_slope(const DualNumbers *d, ExprId x)
{
    return d->slope.at[x.i];
}

/* By the function that gives the derivative: linear in the rates (exact.h). */
static Number call_slope(DualNumbers *d, ExprId x)
{
    const System *s = d->at->s;
    const ExprPool *p = s->pool;
    Field *field = &d->at->field;
    ExprId call = expr_arg(p, x, 0);
    const Function *f = &s->function->at[expr_func_of(p, call).i];
    const DerivativeRule *rule = !f->has_tangent && f->n_derivatives ? &f->derivative[0] : NULL;
    Number out = ZERO;
    if (f->intrinsic == INTRINSIC_DELAY)
        return out;
    if (f->intrinsic == INTRINSIC_HOMOTOPY)
        return known_slope(d, expr_arg(p, call, 0));
    if (f->out_type && f->out_type[expr_proj_of(p, x)] != TYPE_REAL)
        return out;
    const Function *g = rule ? &s->function->at[rule->func.i] : NULL;
    Name name = g ? g->key : tangent_key(d->at->s, f);
    bool moves = false;
    uint64_t key = exact_call_key(d->at, name, call, f->n_in);
    uint32_t rate = 0;
    for (uint32_t k = 0; k < f->n_in; k++) {
        bool skip = rule ? (rule->no_derivative && rule->no_derivative[k]) ||
                               (rule->zero_derivative && rule->zero_derivative[k])
                         : f->in_type && f->in_type[k] != TYPE_REAL;
        if (skip)
            continue;
        Number slope = known_slope(d, expr_arg(p, call, k));
        moves = moves || slope.r != 0;
        Number part = exact_partial(d->at, key, rate++, expr_proj_of(p, x));
        out = number_add(field, out, number_mul(field, part, slope));
    }
    bool gives = g ? g->n_primal == f->n_in && !(g->inlining == INLINE_DEFAULT && g->expand)
                   : f->body != NULL;
    if (moves && !gives)
        d->is_open = true;
    return moves ? out : ZERO;
}

static Number compute(DualNumbers *d, ExprId x)
{
    const ExprPool *p = d->at->s->pool;
    Field *f = &d->at->field;
    Op op = expr_op(p, x);
    uint32_t n = op == OP_PRE ? 0 : expr_n_args(p, x);
    if (op == OP_VAR) {
        uint32_t k = map_get(&d->moving, expr_var_of(p, x).i);
        return k != MAP_NONE ? d->rate.at[k] : ZERO;
    }
    if (op == OP_TIME)
        return d->time_rate;
    if (op == OP_SELECT)
        return known_slope(d, exact_branch(d->at, x));
    if (op == OP_CALL)
        return ZERO; /* its results have slopes */
    if (op == OP_PROJ)
        return call_slope(d, x);
    bool moves = false;
    for (uint32_t k = 0; k < n; k++)
        moves = moves || known_slope(d, expr_arg(p, x, k)).r != 0;
    if (!moves)
        /* the slope of a constant is zero even where that of the function is infinite */
        return ZERO;
    Number da = known_slope(d, expr_arg(p, x, 0));
    Number db = n > 1 ? known_slope(d, expr_arg(p, x, 1)) : ZERO;
    switch (op) {
    case OP_NEG:
        return number_neg(f, da);
    case OP_ADD:
        return number_add(f, da, db);
    case OP_SUB:
        return number_sub(f, da, db);
    case OP_MUL:
        return number_add(f, number_mul(f, da, exact_value(d->at, expr_arg(p, x, 1))),
                          number_mul(f, db, exact_value(d->at, expr_arg(p, x, 0))));
    case OP_DIV:
        return number_div(f, number_sub(f, da, number_mul(f, exact_value(d->at, x), db)),
                          exact_value(d->at, expr_arg(p, x, 1)));
    case OP_FN:
        return number_mul(f, function_slope(d, x), da);
    case OP_FN2:
        return function2_slope(d, x, da, db);
    case OP_POW:
        return power_slope(d, x, da, db);
    case OP_NOEVENT:
    case OP_SMOOTH:
        return da;
    default:
        return ZERO; /* claims */
    }
}

/* Pushes the missing operands of the slope of x; true if none is missing. */
static bool push_missing(DualNumbers *d, ExprId x)
{
    const ExprPool *p = d->at->s->pool;
    Op op = expr_op(p, x);
    bool ready = true;
    uint32_t n = op == OP_SELECT ? 1 : op == OP_PRE ? 0 : expr_n_args(p, x);
    for (uint32_t k = 0; k < n; k++) {
        ExprId a = op == OP_SELECT ? exact_branch(d->at, x) : expr_arg(p, x, k);
        if (is_known(d, a))
            continue;
        vec_push(d->mem, d->stack, a);
        ready = false;
    }
    return ready;
}

Number dual_slope(DualNumbers *d, ExprId root)
{
    if (is_known(d, root))
        return known_slope(d, root);
    vec_push(d->mem, d->stack, root);
    while (d->stack.n) {
        ExprId x = vec_last(d->stack);
        bool done = is_known(d, x);
        if (!done && !push_missing(d, x))
            continue;
        d->stack.n--;
        if (!done)
            note(d, x, compute(d, x));
    }
    return known_slope(d, root);
}
