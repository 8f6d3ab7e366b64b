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

static Number slope_of(const DualNumbers *d, ExprId x, uint32_t k)
{
    return known_slope(d, expr_arg(d->at->s->pool, x, k));
}

static Number value_of(DualNumbers *d, ExprId x, uint32_t k)
{
    return exact_value(d->at, expr_arg(d->at->s->pool, x, k));
}

static Number product_slope(DualNumbers *d, ExprId x, Number da, Number db)
{
    Field *f = &d->at->field;
    return number_add(f, number_mul(f, da, value_of(d, x, 1)),
                      number_mul(f, db, value_of(d, x, 0)));
}

static Number quotient_slope(DualNumbers *d, ExprId x, Number da, Number db)
{
    Field *f = &d->at->field;
    Number above = number_sub(f, da, number_mul(f, exact_value(d->at, x), db));
    return number_div(f, above, value_of(d, x, 1));
}

/* How many operands have a part in the slope of x: of pre() of a state, the state. */
static uint32_t n_moving(const DualNumbers *d, ExprId x, Op op)
{
    const System *s = d->at->s;
    const bool is_held = op == OP_PRE && !exact_is_before(s, expr_arg(s->pool, x, 0));
    return is_held ? 0 : expr_n_args(s->pool, x);
}

static Number leaf_slope(DualNumbers *d, ExprId x, Op op)
{
    if (op == OP_PRE)
        return n_moving(d, x, op) ? slope_of(d, x, 0) : ZERO;
    if (op == OP_PROJ)
        return call_slope(d, x);
    if (op == OP_TIME)
        return d->time_rate;
    if (op != OP_VAR)
        return ZERO; /* of a call the results have slopes */
    uint32_t k = map_get(&d->moving, expr_var_of(d->at->s->pool, x).i);
    return k != MAP_NONE ? d->rate.at[k] : ZERO;
}

#define EVAL_FUNCTION slope_operation
#define EVAL_VALUE Number
#define EVAL_NODE ExprId
#define EVAL_CONTEXT DualNumbers
#define EVAL_OPERAND(k) slope_of(in, x, k)
#define EVAL_LEAF(op) leaf_slope(in, x, op)
#define EVAL_NEG(a) number_neg(&in->at->field, a)
#define EVAL_ADD(a, b) number_add(&in->at->field, a, b)
#define EVAL_SUB(a, b) number_sub(&in->at->field, a, b)
#define EVAL_MUL(a, b) product_slope(in, x, a, b)
#define EVAL_DIV(a, b) quotient_slope(in, x, a, b)
#define EVAL_POW(a, b) power_slope(in, x, a, b)
#define EVAL_FN(a) number_mul(&in->at->field, function_slope(in, x), a)
#define EVAL_FN2(a, b) function2_slope(in, x, a, b)
#define EVAL_RELATION(op, a, b) ((void)(a), (void)(b), ZERO)
#define EVAL_AND(a, b) EVAL_RELATION(OP_AND, a, b)
#define EVAL_OR(a, b) EVAL_RELATION(OP_OR, a, b)
#define EVAL_NOT(a) ((void)(a), ZERO)
#define EVAL_SELECT() known_slope(in, exact_branch(in->at, x))
#define EVAL_SAME(op, a) (a)
#include "ir/evaluate.inc"

/* The slope of a constant is zero even where that of the function is infinite. */
static bool moves(const DualNumbers *d, ExprId x, Op op)
{
    if (op == OP_SELECT || op == OP_PROJ || op == OP_VAR || op == OP_TIME)
        return true;
    uint32_t n = n_moving(d, x, op);
    bool any = false;
    for (uint32_t k = 0; k < n && !any; k++)
        any = slope_of(d, x, k).r != 0;
    return any;
}

static Number compute(DualNumbers *d, ExprId x)
{
    Op op = expr_op(d->at->s->pool, x);
    return moves(d, x, op) ? slope_operation(d, x, op) : ZERO;
}

/* Pushes the missing operands of the slope of x; true if none is missing. */
static bool push_missing(DualNumbers *d, ExprId x)
{
    const ExprPool *p = d->at->s->pool;
    Op op = expr_op(p, x);
    bool ready = true;
    uint32_t n = op == OP_SELECT ? 1 : n_moving(d, x, op);
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
