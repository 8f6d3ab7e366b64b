#include "frontend/evaluate/clock_operator.h"

#include "frontend/front.h"
#include "ir/body.h"

#include <string.h>

enum { MOST_INPUTS = 3 };

/* The kind of expression required as first input. */
typedef enum Operand {
    OF_NOTHING,
    OF_ANYTHING,
    OF_CLOCKED,   /* an expression or a Clock   */
    OF_COMPONENT, /* a component expression     */
    OF_EITHER,    /* a component expression or a Clock */
} Operand;

/* MLS 16.3, 16.4, 16.5, 16.10. Of the inputs behind the first those with a `least` are Integers
 * that are known when the model is compiled. */
typedef struct Operator {
    const char *name;
    Intrinsic what;
    Operand operand;
    bool is_optional; /* the first input */
    uint32_t n;
    struct {
        const char *name;
        long least, unless; /* unless it is given */
    } input[MOST_INPUTS];
} Operator;

enum { NOT_A_NUMBER = -1 };

/* clang-format off */
static const Operator operators[] = {
    {"sample", INTRINSIC_SAMPLE, OF_ANYTHING, false, 2, {{"u", 0, 0}, {"clock", NOT_A_NUMBER, 0}}},
    {"hold", INTRINSIC_HOLD, OF_COMPONENT, false, 1, {{"u", 0, 0}}},
    {"previous", INTRINSIC_PREVIOUS, OF_COMPONENT, false, 1, {{"u", 0, 0}}},
    {"noClock", INTRINSIC_NO_CLOCK, OF_ANYTHING, false, 1, {{"u", 0, 0}}},
    {"subSample", INTRINSIC_SUB_SAMPLE, OF_CLOCKED, false, 2, {{"u", 0, 0}, {"factor", 0, 0}}},
    {"superSample", INTRINSIC_SUPER_SAMPLE, OF_CLOCKED, false, 2, {{"u", 0, 0}, {"factor", 0, 0}}},
    {"shiftSample", INTRINSIC_SHIFT_SAMPLE, OF_CLOCKED, false, 3,
     {{"u", 0, 0}, {"shiftCounter", 0, 0}, {"resolution", 1, 1}}},
    {"backSample", INTRINSIC_BACK_SAMPLE, OF_EITHER, false, 3,
     {{"u", 0, 0}, {"backCounter", 0, 0}, {"resolution", 1, 1}}},
    {"interval", INTRINSIC_INTERVAL, OF_ANYTHING, true, 1, {{"u", 0, 0}}},
    {"firstTick", INTRINSIC_FIRST_TICK, OF_ANYTHING, true, 1, {{"u", 0, 0}}},
    /* Clock, by the type of its first input */
    {"Clock", INTRINSIC_CLOCK_RATIONAL, OF_ANYTHING, false, 2,
     {{"intervalCounter", 0, 0}, {"resolution", 1, 1}}},
    {"Clock", INTRINSIC_CLOCK_INTERVAL, OF_ANYTHING, false, 1, {{"interval", 0, 0}}},
    {"Clock", INTRINSIC_CLOCK_EVENT, OF_ANYTHING, false, 2,
     {{"condition", 0, 0}, {"startInterval", NOT_A_NUMBER, 0}}},
    {"Clock", INTRINSIC_CLOCK_SOLVER, OF_ANYTHING, false, 2,
     {{"c", 0, 0}, {"solverMethod", NOT_A_NUMBER, 0}}},
    {"Clock", INTRINSIC_CLOCK_INFERRED, OF_NOTHING, true, 0, {{NULL, 0, 0}}},
};
/* clang-format on */

static const Operator *find(const char *name)
{
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (strcmp(operators[k].name, name) == 0)
            return &operators[k];
    return NULL;
}

static const Operator *find_clock(Intrinsic what)
{
    const Operator *o = find("Clock");
    while (o->what != what)
        o++;
    return o;
}

/* The constructor that is meant (MLS 16.3): by the name of an argument, or its type. */
static const Operator *which_clock(Front *f, Scope *s, const SynExpr *call)
{
    if (call->arg.n + call->n_named == 0)
        return find_clock(INTRINSIC_CLOCK_INFERRED);
    const SynExpr *first = call->arg.n ? call->arg.at[0] : NULL;
    for (uint32_t k = 0; !first && k < call->n_named; k++)
        for (const Operator *o = find("Clock"); o->n; o++)
            if (strcmp(call->named[k].name.s, o->input[0].name) == 0)
                return o;
    Value v;
    if (!first) {
        diag_error(f->diags, call->span, "T07", "the first argument of 'Clock' is missing");
        return NULL;
    }
    if (!expression_value(f, s, first, &v))
        return NULL;
    if (value_is_scalar(&v) && v.type == TYPE_INTEGER)
        return find_clock(INTRINSIC_CLOCK_RATIONAL);
    if (value_is_scalar(&v) && v.type == TYPE_REAL)
        return find_clock(INTRINSIC_CLOCK_INTERVAL);
    if (value_is_scalar(&v) && v.type == TYPE_BOOLEAN)
        return find_clock(INTRINSIC_CLOCK_EVENT);
    if (value_is_scalar(&v) && v.type == TYPE_CLOCK)
        return find_clock(INTRINSIC_CLOCK_SOLVER);
    diag_error(f->diags, first->span, "T08",
               "'Clock' needs an Integer, a Real, a Boolean or a Clock, this is %s",
               type_text(f, &v));
    return NULL;
}

/* The arguments by the inputs they are for. */
static bool arguments(Front *f, const Operator *o, const SynExpr *call, const SynExpr **out)
{
    for (uint32_t k = 0; k < o->n; k++)
        out[k] = k < call->arg.n ? call->arg.at[k] : NULL;
    if (call->arg.n > o->n) {
        diag_error(f->diags, call->span, "T07", "'%s' takes up to %u arguments, these are %u",
                   o->name, o->n, call->arg.n);
        return false;
    }
    for (uint32_t k = 0; k < call->n_named; k++) {
        uint32_t i = 0;
        while (i < o->n && strcmp(o->input[i].name, call->named[k].name.s) != 0)
            i++;
        if (i == o->n || out[i]) {
            diag_error(f->diags, call->named[k].span, "T07",
                       i == o->n ? "'%s' has no input '%s'" : "'%s' has two values for '%s'",
                       o->name, call->named[k].name.s);
            return false;
        }
        out[i] = call->named[k].value;
    }
    if (o->n && !out[0] && !o->is_optional) {
        diag_error(f->diags, call->span, "T07", "the first argument of '%s' is missing", o->name);
        return false;
    }
    return true;
}

static bool bad_input(Front *f, const Operator *o, const SynExpr *x, const char *want)
{
    diag_error(f->diags, x->span, "T08", "'%s' needs %s here", o->name, want);
    return false;
}

/* An Integer that is known when the model is compiled. */
static bool counter(Front *f, Scope *s, const Operator *o, uint32_t k, const SynExpr *x,
                    ExprId *out)
{
    Value v;
    long n = o->input[k].unless;
    if (x && (!eval_structural(f, s, x, o->input[k].name, &v) || !value_is_scalar(&v) ||
              v.type != TYPE_INTEGER || !expr_is_int(f->sys->pool, v.elem[0], &n)))
        return bad_input(f, o, x, "an Integer that is known when the model is compiled");
    if (n < o->input[k].least) {
        diag_error(f->diags, x->span, "T08", "'%s' of '%s' must be at least %ld, this is %ld",
                   o->input[k].name, o->name, o->input[k].least, n);
        return false;
    }
    *out = expr_int(f->sys->pool, n);
    return true;
}

static bool typed(Front *f, Scope *s, const Operator *o, const SynExpr *x, BaseType type,
                  ExprId *out)
{
    Value v;
    if (!expression_value(f, s, x, &v))
        return false;
    bool fits =
        value_is_scalar(&v) && (v.type == type || (type == TYPE_REAL && v.type == TYPE_INTEGER));
    if (!fits)
        return bad_input(f, o, x, base_type_text(type));
    *out = v.elem[0];
    return true;
}

/* Input k > 0 as the operators have them; *n counts. */
static bool further(Front *f, Scope *s, const Operator *o, uint32_t k, const SynExpr *x,
                    ExprId *arg, uint32_t *n)
{
    ExprPool *p = f->sys->pool;
    if (o->input[k].least != NOT_A_NUMBER)
        return counter(f, s, o, k, x, &arg[(*n)++]);
    if (o->what == INTRINSIC_SAMPLE)
        return !x || typed(f, s, o, x, TYPE_CLOCK, &arg[(*n)++]);
    ExprId *out = &arg[(*n)++];
    if (o->what == INTRINSIC_CLOCK_EVENT) {
        *out = expr_int(p, 0);
        return !x || typed(f, s, o, x, TYPE_REAL, out);
    }
    Value v;
    *out = expr_string(p, name_of(f->names, ""));
    if (!x)
        return true;
    if (!eval_structural(f, s, x, "the method of a solver", &v) || !value_is_scalar(&v) ||
        v.type != TYPE_STRING || expr_op(p, v.elem[0]) != OP_STRING)
        return bad_input(f, o, x, "a String that is known when the model is compiled");
    *out = v.elem[0];
    return true;
}

/* Each scalar of v through a call of the operator, with the other arguments. */
static void apply(Front *f, const Operator *o, const Value *v, uint32_t n, const ExprId *more,
                  Value *out)
{
    *out = *v;
    if (v->kind == VALUE_RECORD) {
        out->field = arena_array(f->scratch, Value, v->n_fields);
        for (uint32_t k = 0; k < v->n_fields; k++)
            apply(f, o, &v->field[k], n, more, &out->field[k]);
        return;
    }
    ExprId arg[MOST_INPUTS + 1];
    memcpy(arg + 1, more, n * sizeof *arg);
    uint32_t size = value_size(v);
    out->elem = arena_array(f->scratch, ExprId, size);
    for (uint32_t k = 0; k < size; k++) {
        arg[0] = v->elem[k];
        out->elem[k] = expr_of_clock(f->sys, o->what, n + 1, arg);
    }
}

static bool is_component(Front *f, const Value *v)
{
    bool is = true;
    for (uint32_t k = 0; k < v->n_fields; k++)
        is = is && is_component(f, &v->field[k]);
    for (uint32_t k = 0; v->kind == VALUE_PLAIN && k < value_size(v); k++)
        is = is && (expr_op(f->sys->pool, v->elem[k]) == OP_VAR ||
                    expr_is_fixed(f->sys->pool, v->elem[k]));
    return is;
}

static bool operand_fits(Front *f, const Operator *o, const SynExpr *x, const Value *v)
{
    bool is_clock = v->kind == VALUE_PLAIN && v->type == TYPE_CLOCK;
    if (is_clock && o->operand != OF_CLOCKED && o->operand != OF_EITHER)
        return bad_input(f, o, x, "a value and no Clock");
    if ((o->operand == OF_COMPONENT || (o->operand == OF_EITHER && !is_clock)) &&
        !is_component(f, v))
        return bad_input(f, o, x, "a component");
    return true;
}

/* is_variable: the value that an algorithm section has assigned so far does not count. */
static bool operand(Front *f, Scope *s, const SynExpr *x, bool is_variable, Value *out)
{
    bool outer = f->eval.in_left_limit;
    f->eval.in_left_limit = outer || is_variable;
    bool good = expression_value(f, s, x, out);
    f->eval.in_left_limit = outer;
    return good;
}

/* Clock(...): the interval is a number, or a component that is clocked itself. */
static bool clock_value(Front *f, Scope *s, const Operator *o, const SynExpr **x, ExprId *arg,
                        uint32_t n, Value *out)
{
    static const BaseType type_of[] = {
        [INTRINSIC_CLOCK_RATIONAL] = TYPE_INTEGER, [INTRINSIC_CLOCK_INTERVAL] = TYPE_REAL,
        [INTRINSIC_CLOCK_EVENT] = TYPE_BOOLEAN,    [INTRINSIC_CLOCK_SOLVER] = TYPE_CLOCK,
        [INTRINSIC_CLOCK_INFERRED] = TYPE_CLOCK,
    };
    ExprPool *p = f->sys->pool;
    if (o->n && !typed(f, s, o, x[0], type_of[o->what], &arg[0]))
        return false;
    bool is_interval = o->what == INTRINSIC_CLOCK_RATIONAL || o->what == INTRINSIC_CLOCK_INTERVAL;
    bool varies = is_interval && !expr_is_fixed(p, arg[0]);
    if (varies && expr_op(p, arg[0]) != OP_VAR)
        return bad_input(f, o, x[0], "a component or a parameter expression");
    double seconds;
    if (o->what == INTRINSIC_CLOCK_INTERVAL && expr_constant(p, arg[0], &seconds) && seconds <= 0)
        return bad_input(f, o, x[0], "a positive interval");
    if (o->what == INTRINSIC_CLOCK_RATIONAL && !varies && !counter(f, s, o, 0, x[0], &arg[0]))
        return false;
    *out = value_scalar(f->scratch, TYPE_CLOCK, expr_of_clock(f->sys, o->what, o->n ? n : 0, arg));
    return true;
}

static bool evaluate(Front *f, Scope *s, const char *name, const SynExpr *call, Value *out)
{
    const Operator *o = strcmp(name, "Clock") == 0 ? which_clock(f, s, call) : find(name);
    const SynExpr *x[MOST_INPUTS] = {NULL};
    if (!o || !arguments(f, o, call, x))
        return false;
    if (f->eval.in_function) {
        diag_error(f->diags, call->span, "T05", "'%s' cannot be called in a function (MLS 16.2)",
                   name);
        return false;
    }
    ExprId arg[MOST_INPUTS + 1];
    uint32_t n = 1;
    for (uint32_t k = 1; k < o->n; k++)
        if (!further(f, s, o, k, x[k], arg, &n))
            return false;
    if (strcmp(name, "Clock") == 0)
        return clock_value(f, s, o, x, arg, n, out);
    bool is_of_clock = o->what == INTRINSIC_INTERVAL || o->what == INTRINSIC_FIRST_TICK;
    Value u;
    if (x[0] && (!operand(f, s, x[0], is_of_clock || o->operand == OF_COMPONENT, &u) ||
                 !operand_fits(f, o, x[0], &u)))
        return false;
    if (!is_of_clock) {
        apply(f, o, &u, n - 1, arg + 1, out);
        return true;
    }
    ExprId *scalar = arena_array(f->scratch, ExprId, x[0] ? value_n_scalars(&u) + 1 : 1);
    if (x[0])
        value_flatten(&u, scalar);
    ExprId y = expr_of_clock(f->sys, o->what, x[0] && value_n_scalars(&u) ? 1 : 0, scalar);
    *out = value_scalar(f->scratch, o->what == INTRINSIC_INTERVAL ? TYPE_REAL : TYPE_BOOLEAN, y);
    return true;
}

bool clock_operator(Front *f, Scope *s, const char *name, const SynExpr *call, Value *out)
{
    uint32_t before = f->lost.n;
    bool good = evaluate(f, s, name, call, out);
    f->lost.n = before; /* operands of the operator are not in the partition of its result */
    return good;
}
