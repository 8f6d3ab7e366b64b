#include "eliminate/prepare/differentiate.h"

#include "eliminate/prepare/events.h"
#include "eliminate/prepare/tangent.h"
#include "ir/operation_derivative.h"

Differentiator differentiator_time(System *s, Arena *mem)
{
    return (Differentiator){.s = s,
                            .mem = mem,
                            .by = VAR_NONE,
                            .time = expr_int(s->pool, 1),
                            .memo = map_new(mem),
                            .unknown = map_new(mem),
                            .failed_at = EXPR_NONE};
}

Differentiator differentiator_partial(System *s, VarId v, Arena *mem)
{
    return (Differentiator){.s = s,
                            .mem = mem,
                            .by = v,
                            .time = EXPR_NONE,
                            .memo = map_new(mem),
                            .unknown = map_new(mem),
                            .failed_at = EXPR_NONE};
}

Differentiator differentiator_along(System *s, uint32_t n, const ExprId *direction, ExprId time,
                                    Arena *mem)
{
    return (Differentiator){.s = s,
                            .mem = mem,
                            .by = VAR_NONE,
                            .direction = direction,
                            .n_direction = n,
                            .time = time,
                            .memo = map_new(mem),
                            .unknown = map_new(mem),
                            .failed_at = EXPR_NONE};
}

/* Whether the derivative is by time; else it is by one variable, or along the direction. */
static bool is_by_time(const Differentiator *d)
{
    return !var_exists(d->by) && !d->direction;
}

static ExprId memo_get(const Map *memo, ExprId x)
{
    return (ExprId){map_get(memo, x.i)}; /* MAP_NONE is EXPR_NONE */
}

/* Nodes whose derivative needs no derivative of operands. */
static bool simple_derivative(Differentiator *d, ExprId x, ExprId *out)
{
    ExprPool *p = d->s->pool;
    bool by_time = is_by_time(d);
    switch (expr_op(p, x)) {
    case OP_VAR: {
        VarId v = expr_var_of(p, x);
        if (d->direction) {
            bool moves = v.i < d->n_direction && expr_exists(d->direction[v.i]);
            *out = moves ? d->direction[v.i] : expr_int(p, 0);
        } else if (!by_time) {
            *out = expr_int(p, v.i == d->by.i);
        } else {
            const Var *w = var_at(d->s, v);
            if (w->kind == VAR_MEMORY && d->s->memory.at[w->index].kind == MEMORY_DELAY)
                return false; /* delayed_derivative */
            bool moves = w->kind == VAR_CONTINUOUS || w->kind == VAR_INPUT;
            *out = moves ? system_var_expr(d->s, system_der(d->s, v)) : expr_int(p, 0);
        }
        return true;
    }
    case OP_TIME:
        *out = expr_exists(d->time) ? d->time : expr_int(p, 0);
        return true;
    case OP_LOCAL: {
        uint32_t k = expr_local_of(p, x);
        bool moves = d->local && k < d->n_locals && expr_exists(d->local[k]);
        *out = moves ? d->local[k] : expr_int(p, 0);
        return true;
    }
    case OP_NUM:
    case OP_STRING:
    case OP_INITIAL:
    case OP_PRE:
        *out = expr_int(p, 0);
        return true;
    default:
        break;
    }
    if (op_is_logical(expr_op(p, x))) {
        *out = expr_int(p, 0);
        return true;
    }
    bool fixed = !d->direction && (by_time || var_at(d->s, d->by)->kind >= VAR_INPUT);
    if (fixed && expr_is_fixed(p, x)) {
        *out = expr_int(p, 0);
        return true;
    }
    return false;
}

/* MLS 12.7.1: the derivative function takes the arguments, then the derivatives of those that
 * are not named noDerivative; the rule holds only if the zeroDerivative ones do not change. */
static const DerivativeRule *rule_for(const Differentiator *d, const Function *f, ExprId call)
{
    ExprPool *p = d->s->pool;
    for (uint32_t r = 0; r < f->n_derivatives; r++) {
        const DerivativeRule *rule = &f->derivative[r];
        if (rule->order != 1)
            continue;
        bool holds = true;
        for (uint32_t k = 0; k < f->n_in && holds; k++) {
            if (rule->zero_derivative && rule->zero_derivative[k])
                holds = expr_is_fixed(p, expr_arg(p, call, k));
        }
        if (holds)
            return rule;
    }
    return NULL;
}

/* In the middle of another derivative. */
static ExprId inner_derivative(Differentiator *d, ExprId x)
{
    Differentiator inner = *d;
    inner.stack.at = NULL;
    inner.stack.n = inner.stack.cap = 0;
    ExprId r = differentiate(&inner, x);
    d->memo = inner.memo;
    d->unknown = inner.unknown;
    d->failed = inner.failed;
    d->failed_at = inner.failed_at;
    return r;
}

/* g takes the arguments of the call, then the derivatives of those that are not skipped. */
static ExprId derivative_call(Differentiator *d, ExprId x, FuncId g, const bool *skip,
                              const bool *skip_too)
{
    System *s = d->s;
    ExprPool *p = s->pool;
    ExprId call = expr_arg(p, x, 0);
    const Function f = s->function->at[expr_func_of(p, call).i];
    VEC(ExprId) args = {0};
    bool moves = false;
    for (uint32_t k = 0; k < f.n_in; k++)
        vec_push(d->mem, args, expr_arg(p, call, k));
    for (uint32_t k = 0; k < f.n_in; k++) {
        if ((skip && skip[k]) || (skip_too && skip_too[k]))
            continue;
        ExprId a = inner_derivative(d, expr_arg(p, call, k));
        if (!expr_exists(a))
            return EXPR_NONE;
        moves = moves || expr_is_zero(p, a) != YES;
        vec_push(d->mem, args, a);
    }
    const Function *into = &s->function->at[g.i];
    if (into->n_in != args.n || into->n_out != f.n_out) {
        d->failed = f.name;
        return EXPR_NONE;
    }
    if (!moves && !skip)
        return expr_int(p, 0);
    if (into->inlining == INLINE_DEFAULT && into->expand) {
        ExprId *results = arena_array(d->mem, ExprId, into->n_out);
        if (into->expand(into->self, s, args.at, results))
            return results[expr_proj_of(p, x)];
    }
    return expr_proj(p, expr_call(p, g, args.n, args.at), expr_proj_of(p, x));
}

static bool is_real(const BaseType *types, uint32_t k)
{
    return !types || types[k] == TYPE_REAL;
}

/* A partial derivative of f'(u) u', which is that of another function by time, by its own
 * derivative g(u, u', u'') = f''(u) u'^2 + f'(u) u'': the arguments u move by a, the rates u' by b,
 *
 *     f''(u) u' a + f'(u) b = (g(u, u' + a, 0) - g(u, u' - a, 0))/4 + f'(u) b
 *
 * EXPR_NONE if a part has no derivative, or for a derivative of higher order. */
static ExprId chain_derivative(Differentiator *d, ExprId x, const DerivativeRule *rule)
{
    enum { SECOND = 2 };
    System *s = d->s;
    ExprPool *p = s->pool;
    ExprId call = expr_arg(p, x, 0);
    FuncId id = expr_func_of(p, call);
    const Function f = s->function->at[id.i];
    uint32_t n_rates = 0, n_chain = 0;
    ExprId *rates = arena_array(d->mem, ExprId, f.n_in + 1); /* arguments with b for u' */
    ExprId *side[2], *a = arena_array(d->mem, ExprId, f.n_in + 1);
    for (int k = 0; k < 2; k++)
        side[k] = arena_array(d->mem, ExprId, 2 * f.n_in + 1);
    bool moves = false;
    for (uint32_t k = 0; k < f.n_in; k++) {
        ExprId arg = expr_arg(p, call, k);
        bool is_rate = is_real(f.in_type, k) && !rule->in_chain[k] &&
                       !(rule->no_derivative && rule->no_derivative[k]);
        rates[k] = side[0][k] = side[1][k] = arg;
        if (!rule->in_chain[k] && !is_rate)
            continue;
        ExprId by = inner_derivative(d, arg);
        if (!expr_exists(by))
            return EXPR_NONE;
        if (rule->in_chain[k] && is_real(f.in_type, k)) {
            a[n_chain++] = by;
            moves = moves || expr_is_zero(p, by) != YES;
        } else if (is_rate) {
            rates[k] = by;
            // the rates stand in the order of what they are the rates of
            ExprId with = n_rates < n_chain ? a[n_rates] : expr_int(p, 0);
            side[0][k] = expr_add(p, arg, with);
            side[1][k] = expr_sub(p, arg, with);
            n_rates++;
        }
    }
    ExprId first = expr_proj(p, expr_call(p, id, f.n_in, rates), expr_proj_of(p, x));
    if (!moves)
        return first;
    const Function *g = &s->function->at[rule->func.i];
    if (rule->chain_order != SECOND || n_rates != n_chain || g->n_in != f.n_in + n_rates)
        return EXPR_NONE;
    ExprId of[2];
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < n_rates; i++)
            side[k][f.n_in + i] = expr_int(p, 0);
        of[k] = expr_proj(p, expr_call(p, rule->func, g->n_in, side[k]), expr_proj_of(p, x));
    }
    return expr_add(p, first, expr_div(p, expr_sub(p, of[0], of[1]), expr_int(p, 4)));
}

/* Whether the rates among the arguments are the derivatives of the others: not in f'(u) s, the
 * derivative of f(u) by a parameter. */
static bool are_rates(Differentiator *d, const DerivativeRule *rule, const Function *f, ExprId call)
{
    ExprPool *p = d->s->pool;
    ExprId *by = arena_array(d->mem, ExprId, f->n_in + 1);
    uint32_t n = 0, n_rates = 0;
    for (uint32_t k = 0; k < f->n_in; k++) {
        if (!is_real(f->in_type, k) ||
            (rule->no_derivative && rule->no_derivative[k] && !rule->in_chain[k]))
            continue;
        if (rule->in_chain[k])
            by[n++] = inner_derivative(d, expr_arg(p, call, k));
        else if (n_rates < n && expr_exists(by[n_rates]) &&
                 expr_same(by[n_rates], expr_arg(p, call, k)))
            n_rates++;
        else
            return false;
    }
    return n_rates == n;
}

/* A partial derivative by the annotation: where arguments it does not differentiate move, the rule
 * does not apply. */
static const DerivativeRule *partial_rule(Differentiator *d, const Function *f, ExprId call)
{
    const DerivativeRule *rule = rule_for(d, f, call);
    if (rule && rule->chain_order > 1)
        return rule;
    for (uint32_t k = 0; rule && k < f->n_in; k++) {
        bool skip = (rule->no_derivative && rule->no_derivative[k]) ||
                    (rule->zero_derivative && rule->zero_derivative[k]);
        if (!skip || !is_real(f->in_type, k))
            continue;
        ExprId a = inner_derivative(d, expr_arg(d->s->pool, call, k));
        if (!expr_exists(a) || expr_is_zero(d->s->pool, a) != YES)
            rule = NULL;
    }
    return rule;
}

/* The rate of an expression as a delay reads it: 0 before the start, where what is delayed has the
 * value of the start (MLS 3.7.4.1). */
static ExprId rate_from_start(const System *s, ExprId initial, ExprId rate)
{
    return expr_select(s->pool, initial, expr_int(s->pool, 0), rate);
}

/* The derivative of a delayed expression: its derivative with the same delay, times 1 - that of the
 * delay. */
static ExprId delayed_derivative(Differentiator *d, ExprId x)
{
    System *s = d->s;
    const Memory m = s->memory.at[var_at(s, expr_var_of(s->pool, x))->index];
    if (m.particle) {
        d->failed = name_of(s->names, "spatialDistribution");
        return EXPR_NONE;
    }
    ExprId rate = inner_derivative(d, m.of);
    if (!expr_exists(rate) || expr_is_zero(s->pool, rate) == YES)
        return rate;
    rate = rate_from_start(s, events_initial(s, m.span), rate);
    rate = system_var_expr(s, events_delay(s, rate, m.start, m.interval, m.span));
    if (!expr_exists(m.interval))
        return rate;
    ExprId lag_rate = inner_derivative(d, m.interval);
    return expr_exists(lag_rate)
               ? expr_mul(s->pool, expr_sub(s->pool, expr_int(s->pool, 1), lag_rate), rate)
               : lag_rate;
}

typedef struct Walk {
    System *s;
    Arena *mem;
    Map *memo; /* of calls */
    Name failed;
    bool unwritten; /* only calls of functions without a body */
} Walk;

static ExprId rewrite_call(void *data, ExprId x)
{
    Walk *w = data;
    System *s = w->s;
    if (expr_op(s->pool, x) != OP_PROJ)
        return x;
    ExprId call = expr_arg(s->pool, x, 0);
    const Function f = s->function->at[expr_func_of(s->pool, call).i];
    ExprId *args = arena_array(w->mem, ExprId, f.n_in + 1);
    ExprId *results = arena_array(w->mem, ExprId, f.n_out + 1);
    for (uint32_t k = 0; k < f.n_in; k++)
        args[k] = expr_arg(s->pool, call, k);
    if (w->unwritten && f.body)
        return x;
    if (!f.expand || !f.expand(f.self, s, args, results))
        return x;
    /* the algorithm may call others that were kept */
    return expr_map_calls(s->pool, w->memo, results[expr_proj_of(s->pool, x)], rewrite_call, w);
}

/* Calls are expanded before anything is made of equations, but for those that come of a derivative
 * later: in a body, and where unknowns are differentiated by. Of a function that is not written
 * down there is nothing to call. */
static ExprId opened(Differentiator *d, ExprId x)
{
    System *s = d->s;
    if (!expr_exists(x) || (is_by_time(d) && !d->local))
        return x;
    Arena *tmp = arena_new();
    uint32_t n = s->assertion.n;
    Map memo = map_new(tmp);
    Walk w = {.s = s, .mem = tmp, .memo = &memo, .unwritten = true};
    x = expr_map_calls(s->pool, &memo, x, rewrite_call, &w);
    s->assertion.n = n; // its assertions repeat those of the function itself
    arena_free(tmp);
    return x;
}

static ExprId proj_derivative(Differentiator *d, ExprId x)
{
    System *s = d->s;
    ExprPool *p = s->pool;
    ExprId call = expr_arg(p, x, 0);
    FuncId id = expr_func_of(p, call);
    const Function f = s->function->at[id.i];
    if (!is_real(f.out_type, expr_proj_of(p, x)))
        return expr_int(p, 0);
    if (f.intrinsic == INTRINSIC_DELAY) {
        ExprId rate = is_by_time(d) ? inner_derivative(d, expr_arg(p, call, 0)) : expr_int(p, 0);
        if (!expr_exists(rate) || expr_is_zero(p, rate) == YES)
            return rate;
        bool varies = f.n_in == 3;
        rate = expr_delay(s, rate_from_start(s, expr_initial(p), rate), expr_arg(p, call, 1),
                          varies ? expr_arg(p, call, 2) : EXPR_NONE);
        if (!varies)
            return rate;
        ExprId lag_rate = inner_derivative(d, expr_arg(p, call, 1));
        return expr_exists(lag_rate) ? expr_mul(p, expr_sub(p, expr_int(p, 1), lag_rate), rate)
                                     : lag_rate;
    }
    if (f.intrinsic == INTRINSIC_HOMOTOPY) /* a path to the start need not be differentiated */
        return inner_derivative(d, expr_arg(p, call, 0));
    if (f.intrinsic == INTRINSIC_ELEMENT) {
        ExprId *args = arena_array(d->mem, ExprId, f.n_in);
        args[0] = expr_arg(p, call, 0);
        bool moves = false;
        for (uint32_t k = 1; k < f.n_in; k++) {
            args[k] = inner_derivative(d, expr_arg(p, call, k));
            if (!expr_exists(args[k]))
                return EXPR_NONE;
            moves = moves || expr_is_zero(p, args[k]) != YES;
        }
        if (!moves)
            return expr_int(p, 0);
        return expr_proj(p, expr_call(p, id, f.n_in, args), 0);
    }
    if (f.intrinsic == INTRINSIC_ARRAY_ELEMENT) { /* that element of the array's derivative */
        ExprId *args = arena_array(d->mem, ExprId, f.n_in);
        uint32_t k = expr_local_of(p, expr_arg(p, call, 0));
        if (!d->local || k >= d->n_locals || !expr_exists(d->local[k]))
            return expr_int(p, 0);
        args[0] = d->local[k];
        for (uint32_t i = 1; i < f.n_in; i++)
            args[i] = expr_arg(p, call, i);
        return expr_proj(p, expr_call(p, id, f.n_in, args), 0);
    }
    const DerivativeRule *rule = is_by_time(d) ? rule_for(d, &f, call) : NULL;
    if (rule && rule->chain_order > 1 && !are_rates(d, rule, &f, call)) {
        ExprId by = chain_derivative(d, x, rule);
        if (expr_exists(by))
            return opened(d, by);
        rule = NULL;
    }
    if (rule)
        return opened(
            d, derivative_call(d, x, rule->func, rule->no_derivative, rule->zero_derivative));
    ExprId plain = expand_calls(s, NULL, x);
    if (!expr_same(plain, x))
        return inner_derivative(d, plain);
    rule = is_by_time(d) ? NULL : partial_rule(d, &f, call);
    if (rule && rule->chain_order > 1) {
        ExprId by = chain_derivative(d, x, rule);
        if (!expr_exists(by) && !d->failed.s)
            d->failed = f.name;
        return expr_exists(by) ? opened(d, by) : by;
    }
    if (rule)
        return opened(
            d, derivative_call(d, x, rule->func, rule->no_derivative, rule->zero_derivative));
    FuncId tangent;
    const bool has_tangent = function_tangent(s, id, &tangent);
    const bool *held = s->function->at[id.i].held;
    bool is_still = true;
    for (uint32_t k = 0; k < f.n_in && is_still; k++)
        if (is_real(f.in_type, k) && (!has_tangent || (held && held[k]))) {
            ExprId by = inner_derivative(d, expr_arg(p, call, k));
            if (!expr_exists(by))
                return by;
            is_still = expr_is_zero(p, by) == YES;
        }
    if (!is_still) {
        d->failed = f.name;
        d->failed_at = call;
        return EXPR_NONE;
    }
    if (!has_tangent)
        return expr_int(p, 0);
    bool *skip = arena_array(d->mem, bool, f.n_in + 1);
    for (uint32_t k = 0; k < f.n_in; k++)
        skip[k] = !is_real(f.in_type, k);
    return derivative_call(d, x, tangent, NULL, skip);
}

/* Not a number; a node of its own for each, so that none cancels another. */
static ExprId unknown_derivative(Differentiator *d)
{
    ExprPool *p = d->s->pool;
    ExprId x = expr_fn(p, FN_LOG, expr_int(p, -1 - (int)d->unknown.n));
    map_put(&d->unknown, x.i, 1);
    return x;
}

/* Whether x is not a number for any values of parameters. */
static bool needs_unknown(Differentiator *d, ExprId root)
{
    const ExprPool *p = d->s->pool;
    VEC(ExprId) stack = {0};
    vec_push(d->mem, stack, root);
    while (stack.n) {
        const ExprId x = vec_last(stack);
        const uint32_t n = expr_n_args(p, x), first = expr_op(p, x) == OP_SELECT;
        const bool is_choice = first && expr_is_fixed(p, expr_arg(p, x, 0));
        bool ready = true, any = false, all = true;
        if (map_get(&d->unknown, x.i) != MAP_NONE) {
            stack.n--;
            continue;
        }
        for (uint32_t k = first; k < n; k++) {
            const uint32_t known = map_get(&d->unknown, expr_arg(p, x, k).i);
            any = any || known == 1;
            all = all && known == 1;
            if (known != MAP_NONE)
                continue;
            vec_push(d->mem, stack, expr_arg(p, x, k));
            ready = false;
        }
        if (!ready)
            continue;
        map_put(&d->unknown, x.i, is_choice ? all : any);
        stack.n--;
    }
    return map_get(&d->unknown, root.i) == 1;
}

ExprId differentiate(Differentiator *d, ExprId x)
{
    ExprPool *p = d->s->pool;
    ExprId r;
    if (simple_derivative(d, x, &r))
        return r;
    uint32_t base = d->stack.n;
    vec_push(d->mem, d->stack, x);
    while (d->stack.n > base) {
        ExprId y = vec_last(d->stack);
        if (expr_exists(memo_get(&d->memo, y))) {
            d->stack.n--;
            continue;
        }
        Op op = expr_op(p, y);
        if (op == OP_PROJ || op == OP_CALL || op == OP_DER || op == OP_VAR) {
            r = EXPR_NONE;
            if (op == OP_VAR)
                r = delayed_derivative(d, y);
            else if (op == OP_PROJ)
                r = proj_derivative(d, y);
            else if (op == OP_DER)
                d->failed = name_of(d->s->names, "der");
            if (!expr_exists(r) && !d->excludes_branches) {
                d->stack.n = base;
                return EXPR_NONE;
            }
            r = expr_exists(r) ? r : unknown_derivative(d);
            map_put(&d->memo, y.i, r.i);
            d->stack.n--;
            continue;
        }
        ExprId arg[3];
        ExprId der[3];
        uint32_t n = expr_n_args(p, y);
        bool ready = true;
        for (uint32_t k = 0; k < n; k++) {
            arg[k] = expr_arg(p, y, k);
            if (op == OP_SELECT && k == 0) {
                der[k] = arg[k]; /* the condition is not differentiated */
            } else if (!simple_derivative(d, arg[k], &der[k])) {
                der[k] = memo_get(&d->memo, arg[k]);
                if (!expr_exists(der[k])) {
                    vec_push(d->mem, d->stack, arg[k]);
                    ready = false;
                }
            }
        }
        if (!ready)
            continue;
        d->stack.n--;
        r = operation_derivative(p, y, arg, der);
        map_put(&d->memo, y.i, r.i);
    }
    r = memo_get(&d->memo, x);
    return d->unknown.n && needs_unknown(d, r) ? EXPR_NONE : r;
}

/* ---- walks that rewrite a kind of node ---- */

/* Most expressions hold no der(): a look is cheaper than a rebuild. */
static bool holds_der(const System *s, Arena *mem, ExprId root)
{
    const ExprPool *p = s->pool;
    ArenaMark m = arena_mark(mem);
    Map seen = map_new(mem);
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, root);
    bool found = false;
    while (stack.n && !found) {
        ExprId y = stack.at[--stack.n];
        found = expr_op(p, y) == OP_DER;
        uint32_t n = expr_n_args(p, y);
        if (n == 0 || map_get(&seen, y.i) != MAP_NONE)
            continue;
        map_put(&seen, y.i, 1);
        for (uint32_t k = 0; k < n; k++)
            vec_push(mem, stack, expr_arg(p, y, k));
    }
    arena_rollback(mem, m);
    return found;
}

static ExprId rewrite_der(void *data, ExprId x)
{
    Walk *w = data;
    if (expr_op(w->s->pool, x) != OP_DER)
        return x;
    Differentiator d = differentiator_time(w->s, w->mem);
    ExprId r = differentiate(&d, expr_arg(w->s->pool, x, 0));
    w->failed = d.failed;
    return r;
}

ExprId expand_derivatives(System *s, Arena *mem, ExprId x, Name *failed)
{
    if (!holds_der(s, mem, x))
        return x;
    Walk w = {.s = s, .mem = mem};
    ExprId r = expr_map(s->pool, mem, x, rewrite_der, &w);
    *failed = w.failed;
    return r;
}

ExprId expand_calls(System *s, Map *memo, ExprId x)
{
    if (!expr_holds_call(s->pool, x))
        return x;
    Arena *mem = arena_new();
    Map own = map_new(mem);
    Walk w = {.s = s, .mem = mem, .memo = memo ? memo : &own};
    ExprId r = expr_map_calls(s->pool, w.memo, x, rewrite_call, &w);
    arena_free(mem);
    return r;
}
