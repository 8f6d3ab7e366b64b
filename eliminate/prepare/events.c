#include "eliminate/prepare/events.h"

#include "base/bug.h"
#include "eliminate/block/linear_form.h"

#include <string.h>

/* Outside of noEvent relations make events; inside they are evaluated in place; a relation in the
 * body of a function is, too, while its operands make events. Relations in assertions make none,
 * but those that make some elsewhere have the value that they have there: at an event y = if c then
 * 1 else 2 and assert(y == (if c then 1 else 2)) take the same branch. ALWAYS: noEvent() makes
 * events, and so does sign(). */
typedef enum Mode {
    WITH_EVENTS,
    WITHOUT_EVENTS,
    OPERANDS_WITH_EVENTS,
    KNOWN_EVENTS,
    ALWAYS,
    MODES
} Mode;

typedef struct Work {
    System *s;
    Arena *scratch;
    Map done;         /* node and mode -> rewritten node */
    Map pre;          /* VarId.i of a discrete variable -> memory */
    ExprId initial;   /* its memory */
    Map delay;        /* call -> VarId.i of its memory */
    Map floor;        /* its argument -> VarId.i of its memory */
    Span span;        /* of the equation at work */
    const Map *kinks; /* of events_make; NULL: none */
} Work;

static bool is_relation(Op op)
{
    return op == OP_LT || op == OP_LE || op == OP_EQ || op == OP_NE;
}

static bool is_jump(const ExprPool *p, ExprId x)
{
    if (expr_op(p, x) == OP_FN)
        return expr_fn_of(p, x) == FN_FLOOR || expr_fn_of(p, x) == FN_CEIL;
    Fn2 f = expr_op(p, x) == OP_FN2 ? expr_fn2_of(p, x) : FN2_COUNT;
    return f == FN2_MOD || f == FN2_REM || f == FN2_DIV;
}

static bool is_delayed(const System *s, ExprId x)
{
    const Var *v = &s->var.at[expr_var_of(s->pool, x).i];
    return v->kind == VAR_MEMORY && s->memory.at[v->index].kind == MEMORY_DELAY;
}

/* An input that changes at events only: one that is no Real. */
static bool is_discrete_input(const Var *v)
{
    return v->kind == VAR_INPUT && v->type != TYPE_REAL;
}

/* How an expression changes between events: not at all, as a function of time alone, or with
 * continuous variables. */
typedef enum Motion { STILL, TIME_ALONE, MOVING } Motion;

static Motion motion_of(Work *w, ExprId x)
{
    const ExprPool *p = w->s->pool;
    if (expr_is_fixed(p, x))
        return STILL;
    Motion found = STILL;
    Map seen = map_new(w->scratch);
    VEC(ExprId) stack = {0};
    vec_push(w->scratch, stack, x);
    while (stack.n) {
        ExprId y = stack.at[--stack.n];
        Op op = expr_op(p, y);
        if (map_get(&seen, y.i) != MAP_NONE)
            continue;
        map_put(&seen, y.i, 1);
        if (op == OP_TIME)
            found = TIME_ALONE;
        if (op == OP_DER)
            return MOVING;
        if (op == OP_VAR && is_delayed(w->s, y))
            return MOVING;
        if (op == OP_VAR) {
            const Var *v = &w->s->var.at[expr_var_of(p, y).i];
            if (v->kind == VAR_CONTINUOUS || (v->kind == VAR_INPUT && !is_discrete_input(v)))
                return MOVING;
        }
        for (uint32_t k = 0; k < expr_n_args(p, y) && op != OP_PRE; k++)
            vec_push(w->scratch, stack, expr_arg(p, y, k));
    }
    return found;
}

static ExprId memory_of_initial(Work *w);

/* pre() of a variable that is no state and moves: its left limit (MLS 3.7.5), which may differ from
 * its value after the event. At the start it is the value itself. */
static ExprId left_limit(Work *w, ExprId of)
{
    System *s = w->s;
    uint32_t known = map_get(&w->pre, of.i);
    VarId var = known != MAP_NONE ? s->memory.at[known].var : VAR_NONE;
    if (known == MAP_NONE) {
        map_put(&w->pre, of.i, s->memory.n);
        Memory m = {.kind = MEMORY_LEFT_LIMIT,
                    .of = of,
                    .start = EXPR_NONE,
                    .interval = EXPR_NONE,
                    .span = w->span};
        var = system_add_memory(s, m, var_at(s, expr_var_of(s->pool, of))->type, "left limit");
    }
    return expr_select(s->pool, memory_of_initial(w), of, system_var_expr(s, var));
}

/* The memory of pre(of), its argument being rewritten. */
static ExprId memory_of_pre(Work *w, ExprId of)
{
    System *s = w->s;
    if (expr_is_fixed(s->pool, of))
        return of;
    const Var *v = expr_op(s->pool, of) == OP_VAR ? var_at(s, expr_var_of(s->pool, of)) : NULL;
    // pre of a continuous variable, as in when-clauses: its left limit; not of a state, which
    // reinit sets after all other values
    if (v && v->kind == VAR_CONTINUOUS && !var_exists(v->der))
        return left_limit(w, of);
    bool is_discrete =
        v && (v->kind == VAR_DISCRETE || v->kind == VAR_MEMORY || is_discrete_input(v));
    if (v ? !is_discrete : motion_of(w, of) != STILL)
        return of;
    uint32_t known = map_get(&w->pre, of.i);
    if (known != MAP_NONE)
        return system_var_expr(s, s->memory.at[known].var);
    bool starts = v && expr_exists(v->attr.start);
    Memory m = {.kind = MEMORY_PRE,
                .of = of,
                .start = starts ? v->attr.start : expr_int(s->pool, 0),
                .interval = EXPR_NONE,
                .span = w->span,
                .text = v && !v->is_hidden ? v->name.s : NULL};
    map_put(&w->pre, of.i, s->memory.n);
    return system_var_expr(s, system_add_memory(s, m, v ? v->type : TYPE_BOOLEAN, "pre"));
}

static ExprId memory_of_initial(Work *w)
{
    if (!expr_exists(w->initial))
        w->initial = events_initial(w->s, w->span);
    return w->initial;
}

ExprId events_initial(System *s, Span span)
{
    for (uint32_t k = 0; k < s->memory.n; k++)
        if (s->memory.at[k].kind == MEMORY_INITIAL)
            return system_var_expr(s, s->memory.at[k].var);
    Memory m = {.kind = MEMORY_INITIAL, .of = EXPR_NONE, .span = span};
    return system_var_expr(s, system_add_memory(s, m, TYPE_BOOLEAN, "initial"));
}

/* For messages. */
static const char *text_of(Work *w, ExprId x)
{
    enum { LONG = 100 };
    return arena_printf(w->s->mem, "%s", expr_text_cut(w->s, x, LONG, w->scratch));
}

static VarId add_relation(Work *w, ExprId a, ExprId b, Op op, bool is_exact, const char *text)
{
    Memory m = {.kind = MEMORY_RELATION,
                .of = expr_sub(w->s->pool, a, b),
                .is_strict = op == OP_LT,
                .is_exact = is_exact,
                .start = EXPR_NONE,
                .interval = EXPR_NONE,
                .span = w->span,
                .text = text};
    return system_add_memory(w->s, m, TYPE_BOOLEAN, "relation");
}

/* Relations < and <= of moving expressions get a memory; == does not (MLS 3.5: it is for discrete
 * types only). */
static ExprId memory_of_relation(Work *w, ExprId x)
{
    System *s = w->s;
    Op op = expr_op(s->pool, x);
    Motion motion = op == OP_LT || op == OP_LE ? motion_of(w, x) : STILL;
    if (motion == STILL)
        return x;
    return system_var_expr(s, add_relation(w, expr_arg(s->pool, x, 0), expr_arg(s->pool, x, 1), op,
                                           motion == TIME_ALONE, text_of(w, x)));
}

/* The whole number of x is remembered, with two relations that say when it is another one. */
static ExprId memory_of_floor(Work *w, ExprId x, Motion motion)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    uint32_t known = map_get(&w->floor, x.i);
    if (known != MAP_NONE)
        return system_var_expr(s, (VarId){known});
    Memory m = {.kind = MEMORY_FLOOR,
                .of = x,
                .is_exact = motion == TIME_ALONE,
                .start = EXPR_NONE,
                .interval = EXPR_NONE,
                .span = w->span};
    VarId v = system_add_memory(s, m, TYPE_INTEGER, "floor");
    map_put(&w->floor, x.i, v.i);
    ExprId whole = system_var_expr(s, v), next = expr_add(p, whole, expr_int(p, 1));
    const char *text = text_of(w, expr_fn(p, FN_FLOOR, x));
    add_relation(w, x, whole, OP_LT, m.is_exact, text);
    add_relation(w, next, x, OP_LE, m.is_exact, text);
    return whole;
}

static ExprId memory_of_sign(Work *w, ExprId x)
{
    ExprPool *p = w->s->pool;
    const ExprId a = expr_arg(p, x, 0), zero = expr_int(p, 0);
    const ExprId is_above = memory_of_relation(w, expr_compare(p, OP_LT, zero, a));
    const ExprId is_below = memory_of_relation(w, expr_compare(p, OP_LT, a, zero));
    return expr_select(p, is_above, expr_int(p, 1),
                       expr_select(p, is_below, expr_int(p, -1), zero));
}

/* abs, min or max, which follow one branch between events. */
static ExprId memory_of_kink(Work *w, ExprId x)
{
    ExprPool *p = w->s->pool;
    const ExprId a = expr_arg(p, x, 0);
    if (expr_op(p, x) == OP_FN) {
        const ExprId is_above = memory_of_relation(w, expr_compare(p, OP_LT, expr_int(p, 0), a));
        return expr_select(p, is_above, a, expr_neg(p, a));
    }
    const ExprId b = expr_arg(p, x, 1);
    const ExprId is_less = memory_of_relation(w, expr_compare(p, OP_LT, a, b));
    return expr_fn2_of(p, x) == FN2_MIN ? expr_select(p, is_less, a, b)
                                        : expr_select(p, is_less, b, a);
}

/* MLS 3.7.2: floor, ceil, integer, div, mod and rem make events where they jump. */
static ExprId memory_of_jump(Work *w, ExprId x)
{
    ExprPool *p = w->s->pool;
    Motion motion = motion_of(w, x);
    if (motion == STILL)
        return x;
    ExprId a = expr_arg(p, x, 0);
    if (expr_op(p, x) == OP_FN)
        return expr_fn_of(p, x) == FN_FLOOR
                   ? memory_of_floor(w, a, motion)
                   : expr_neg(p, memory_of_floor(w, expr_neg(p, a), motion));
    Fn2 f = expr_fn2_of(p, x);
    ExprId b = expr_arg(p, x, 1), share = expr_div(p, a, b), whole;
    if (f == FN2_MOD)
        whole = memory_of_floor(w, share, motion);
    else /* towards zero; where the sign changes the quotient is zero */
        whole = expr_mul(p, expr_wrap(p, OP_NOEVENT, expr_fn(p, FN_SIGN, share)),
                         memory_of_floor(w, expr_fn(p, FN_ABS, share), motion));
    return f == FN2_DIV ? whole : expr_sub(p, a, expr_mul(p, whole, b));
}

static bool is_guarded(const System *s, ExprId call)
{
    return s->function->at[expr_func_of(s->pool, call).i].is_guarded;
}

static bool is_call_of(const System *s, ExprId call, Intrinsic what)
{
    return expr_op(s->pool, call) == OP_CALL &&
           s->function->at[expr_func_of(s->pool, call).i].intrinsic == what;
}

static bool is_value_of(const System *s, ExprId x, Intrinsic what)
{
    return expr_op(s->pool, x) == OP_PROJ && is_call_of(s, expr_arg(s->pool, x, 0), what);
}

static ExprId offset_of_homotopy(Work *w, ExprId x)
{
    System *s = w->s;
    ExprId call = expr_arg(s->pool, x, 0);
    Homotopy h = {VAR_NONE, expr_arg(s->pool, call, 0), expr_arg(s->pool, call, 1)};
    Var v = var_plain(name_printf(s->names, "homotopy %u", s->homotopy.n + 1));
    v.kind = VAR_CONSTANT;
    v.binding = expr_int(s->pool, 0);
    v.is_hidden = true;
    v.span = w->span;
    h.offset = system_add_var(s, v);
    vec_push(s->mem, s->homotopy, h);
    return expr_add(s->pool, h.actual, system_var_expr(s, h.offset));
}

static ExprId memory_of_delay(Work *w, ExprId x)
{
    const ExprPool *p = w->s->pool;
    ExprId call = expr_arg(p, x, 0), by = expr_arg(p, call, 1), lag = EXPR_NONE;
    if (expr_is(p, by, 0))
        return expr_arg(p, call, 0); /* not delayed at all */
    uint32_t known = map_get(&w->delay, call.i);
    if (known == MAP_NONE) {
        if (expr_n_args(p, call) == 3) {
            VarId now = events_delay(w->s, by, expr_int(w->s->pool, 0), EXPR_NONE, w->span);
            lag = system_var_expr(w->s, now);
            by = expr_arg(p, call, 2);
        }
        VarId v = events_delay(w->s, expr_arg(p, call, 0), by, lag, w->span);
        known = v.i;
        map_put(&w->delay, call.i, known);
    }
    return system_var_expr(w->s, (VarId){known});
}

VarId events_delay(System *s, ExprId x, ExprId by, ExprId lag, Span span)
{
    Memory m = {.kind = MEMORY_DELAY, .of = x, .start = by, .interval = lag, .span = span};
    return system_add_memory(s, m, TYPE_REAL, "delay");
}

static ParticleProperty particle_of(const ExprPool *p, ExprId x)
{
    ParticleProperty property = PARTICLE_LEFT_AGE;
    while (!expr_is(p, x, property))
        property++;
    return property;
}

static ExprId memory_of_particle(Work *w, ExprId x)
{
    const ExprPool *p = w->s->pool;
    ExprId call = expr_arg(p, x, 0);
    uint32_t known = map_get(&w->delay, call.i);
    if (known == MAP_NONE) {
        Memory m = {.kind = MEMORY_DELAY,
                    .particle = particle_of(p, expr_arg(p, call, 2)),
                    .end = expr_is(p, expr_arg(p, call, 1), 1),
                    .of = expr_arg(p, call, 0),
                    .start = expr_int(w->s->pool, 0),
                    .interval = EXPR_NONE,
                    .span = w->span};
        known = system_add_memory(w->s, m, TYPE_REAL, "particle").i;
        map_put(&w->delay, call.i, known);
    }
    return system_var_expr(w->s, (VarId){known});
}

static ExprId become(Work *w, ExprId x, Mode mode)
{
    Op op = expr_op(w->s->pool, x);
    if (is_value_of(w->s, x, INTRINSIC_PARTICLE))
        return memory_of_particle(w, x);
    if (is_value_of(w->s, x, INTRINSIC_DELAY))
        return memory_of_delay(w, x);
    if (is_value_of(w->s, x, INTRINSIC_HOMOTOPY))
        return offset_of_homotopy(w, x);
    if (op == OP_PRE)
        return memory_of_pre(w, expr_arg(w->s->pool, x, 0));
    if (op == OP_INITIAL)
        return memory_of_initial(w);
    const bool makes_event = mode == WITH_EVENTS || mode == ALWAYS;
    if (is_relation(op) && makes_event)
        return memory_of_relation(w, x);
    if (is_jump(w->s->pool, x) && makes_event)
        return memory_of_jump(w, x);
    if (mode == ALWAYS && op == OP_FN && expr_fn_of(w->s->pool, x) == FN_SIGN)
        return memory_of_sign(w, x);
    if (mode == ALWAYS && op == OP_NOEVENT)
        return expr_arg(w->s->pool, x, 0);
    return x;
}

static uint64_t key(ExprId x, Mode mode)
{
    return map_key_pair(x.i, (uint32_t)mode);
}

typedef struct Visit {
    ExprId x;
    Mode mode;
} Visit;

/* Post-order, with a stack of its own; shared nodes once per mode. */
static ExprId remember(Work *w, ExprId root, Mode mode)
{
    ExprPool *p = w->s->pool;
    VEC(Visit) stack = {0};
    VEC(ExprId) args = {0};
    vec_push(w->scratch, stack, ((Visit){root, mode}));
    while (stack.n) {
        Visit at = vec_last(stack);
        if (map_get(&w->done, key(at.x, at.mode)) != MAP_NONE) {
            stack.n--;
            continue;
        }
        Op op = expr_op(p, at.x);
        Mode around = at.mode == OPERANDS_WITH_EVENTS ? WITH_EVENTS : at.mode;
        if ((op == OP_NOEVENT && around != ALWAYS) || op == OP_SMOOTH)
            around = around == WITH_EVENTS && op == OP_NOEVENT && expr_noevent_of_function(p, at.x)
                         ? OPERANDS_WITH_EVENTS
                         : WITHOUT_EVENTS;
        around = op == OP_PRE ? WITH_EVENTS : around; /* pre() reads memory only */
        /* whether it is called, and its arguments, depend on memory */
        around = op == OP_CALL && is_guarded(w->s, at.x) ? WITH_EVENTS : around;
        uint32_t n = expr_n_args(p, at.x);
        const bool is_kink = w->kinks && map_get(w->kinks, at.x.i) != MAP_NONE;
        const bool is_branch = is_kink && op == OP_SELECT; /* its condition makes the events */
        /* the simplified expression is not used during the run */
        bool is_homotopy = is_call_of(w->s, at.x, INTRINSIC_HOMOTOPY);
        bool ready = true;
        for (uint32_t k = 0; k < n; k++) {
            ExprId a = expr_arg(p, at.x, k);
            Mode below = is_homotopy && k > 0  ? WITHOUT_EVENTS
                         : is_branch && k == 0 ? ALWAYS
                                               : around;
            if (map_get(&w->done, key(a, below)) == MAP_NONE) {
                vec_push(w->scratch, stack, ((Visit){a, below}));
                ready = false;
            }
        }
        if (!ready)
            continue;
        args.n = 0;
        bool changed = false;
        for (uint32_t k = 0; k < n; k++) {
            ExprId a = expr_arg(p, at.x, k);
            Mode below = is_homotopy && k > 0  ? WITHOUT_EVENTS
                         : is_branch && k == 0 ? ALWAYS
                                               : around;
            ExprId b = {map_get(&w->done, key(a, below))};
            changed = changed || !expr_same(a, b);
            vec_push(w->scratch, args, b);
        }
        ExprId y = changed ? expr_rebuild(p, at.x, args.at) : at.x;
        uint32_t known = at.mode == KNOWN_EVENTS && is_relation(op)
                             ? map_get(&w->done, key(at.x, WITH_EVENTS))
                             : MAP_NONE;
        y = known != MAP_NONE       ? (ExprId){known}
            : is_kink && !is_branch ? memory_of_kink(w, y)
                                    : become(w, y, at.mode);
        map_put(&w->done, key(at.x, at.mode), y.i);
        stack.n--;
    }
    return (ExprId){map_get(&w->done, key(root, mode))};
}

static bool has_events(const System *s)
{
    const ExprPool *p = s->pool;
    for (uint32_t k = 0; k < s->function->n; k++)
        if (s->function->at[k].intrinsic == INTRINSIC_DELAY ||
            s->function->at[k].intrinsic == INTRINSIC_PARTICLE ||
            s->function->at[k].intrinsic == INTRINSIC_HOMOTOPY)
            return true;
    return pool_holds(p, OP_LT) || pool_holds(p, OP_LE) || pool_holds(p, OP_EQ) ||
           pool_holds(p, OP_FN) || pool_holds(p, OP_FN2) || pool_holds(p, OP_NE) ||
           pool_holds(p, OP_PRE) || pool_holds(p, OP_INITIAL);
}

static Work work_new(System *s, Arena *scratch)
{
    return (Work){.s = s,
                  .scratch = scratch,
                  .done = map_new(scratch),
                  .pre = map_new(scratch),
                  .delay = map_new(scratch),
                  .floor = map_new(scratch),
                  .initial = EXPR_NONE};
}

void events_make(System *s, const bool *jumps, const bool *bends, const Map *kinks, Arena *scratch)
{
    Work w = work_new(s, scratch);
    w.kinks = kinks;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        const Mode mode = jumps[k] ? ALWAYS : WITHOUT_EVENTS;
        if (!jumps[k] && !bends[k])
            continue;
        w.span = s->eq.at[k].span;
        const ExprId lhs = remember(&w, s->eq.at[k].lhs, mode);
        const ExprId rhs = remember(&w, s->eq.at[k].rhs, mode);
        s->eq.at[k].lhs = lhs;
        s->eq.at[k].rhs = rhs;
    }
}

void events_remember(System *s, Arena *scratch)
{
    if (!has_events(s))
        return;
    Work w = work_new(s, scratch);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        w.span = s->eq.at[k].span;
        s->eq.at[k].lhs = remember(&w, s->eq.at[k].lhs, WITH_EVENTS);
        s->eq.at[k].rhs = remember(&w, s->eq.at[k].rhs, WITH_EVENTS);
    }
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        w.span = s->initial_eq.at[k].span;
        s->initial_eq.at[k].lhs = remember(&w, s->initial_eq.at[k].lhs, WITHOUT_EVENTS);
        s->initial_eq.at[k].rhs = remember(&w, s->initial_eq.at[k].rhs, WITHOUT_EVENTS);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        Action *a = &s->action.at[k];
        w.span = a->span;
        a->fires = remember(&w, a->fires, WITH_EVENTS);
        if (a->kind != ACTION_REINIT)
            continue;
        a->value = remember(&w, a->value, WITH_EVENTS);
        var_at(s, a->var)->attr.select = STATE_ALWAYS; /* MLS 8.3.6: it has to be a state */
    }
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        w.span = s->assertion.at[k].span;
        s->assertion.at[k].cond = remember(&w, s->assertion.at[k].cond, KNOWN_EVENTS);
        if (expr_exists(s->assertion.at[k].message))
            s->assertion.at[k].message = remember(&w, s->assertion.at[k].message, KNOWN_EVENTS);
    }
}
