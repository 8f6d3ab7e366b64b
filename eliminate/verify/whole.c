#include "eliminate/verify/whole.h"

#include "base/bug.h"

/* A whole number and one that is none have a sum that is none. */
static Truth of_sum(Truth x, Truth y)
{
    return x == YES ? y : y == YES ? x : UNKNOWN;
}

static Truth of_product(Truth x, Truth y)
{
    return x == YES && y == YES ? YES : UNKNOWN;
}

static Truth of_function(const ExprPool *p, ExprId x, Truth operand)
{
    switch (expr_fn_of(p, x)) {
    case FN_FLOOR:
    case FN_CEIL:
    case FN_SIGN:
        return YES;
    case FN_ABS:
        return operand;
    default:
        return UNKNOWN;
    }
}

static Truth of_function_of_two(const ExprPool *p, ExprId x, Truth a, Truth b)
{
    switch (expr_fn2_of(p, x)) {
    case FN2_DIV:
        return YES;
    case FN2_MIN:
    case FN2_MAX:
    case FN2_MOD:
    case FN2_REM:
        return of_product(a, b);
    default:
        return UNKNOWN;
    }
}

static Truth of_variable(const System *s, VarId v)
{
    if (v.i >= s->var.n)
        return UNKNOWN; // of another view
    const Var *x = &s->var.at[v.i];
    bool is_floor = x->kind == VAR_MEMORY && s->memory.at[x->index].kind == MEMORY_FLOOR;
    return is_floor || x->type != TYPE_REAL ? YES : UNKNOWN;
}

static Truth of_result(const System *s, ExprId x)
{
    ExprId call = expr_arg(s->pool, x, 0);
    const Function *f = &s->function->at[expr_func_of(s->pool, call).i];
    BaseType type = f->out_type ? f->out_type[expr_proj_of(s->pool, x)] : TYPE_REAL;
    return type != TYPE_REAL ? YES : UNKNOWN;
}

typedef struct WholeNumbers {
    const System *s;
    const Truth *whole; /* per node */
} WholeNumbers;

static Truth of_operand(const WholeNumbers *in, ExprId x, uint32_t k)
{
    return in->whole[expr_arg(in->s->pool, x, k).i];
}

static Truth of_leaf(const WholeNumbers *in, ExprId x, Op op)
{
    const ExprPool *p = in->s->pool;
    switch (op) {
    case OP_NUM:
        return mpz_cmp_ui(mpq_denref(expr_rational(p, x)), 1) == 0 ? YES : NO;
    case OP_VAR:
        return of_variable(in->s, expr_var_of(p, x));
    case OP_PRE:
        return of_operand(in, x, 0);
    case OP_PROJ:
        return of_result(in->s, x);
    case OP_INITIAL:
        return YES;
    default:
        return UNKNOWN;
    }
}

static Truth of_choice(const WholeNumbers *in, ExprId x)
{
    Truth first = of_operand(in, x, 1);
    return first == of_operand(in, x, 2) ? first : UNKNOWN;
}

#define EVAL_FUNCTION of_operation
#define EVAL_VALUE Truth
#define EVAL_NODE ExprId
#define EVAL_CONTEXT const WholeNumbers
#define EVAL_OPERAND(k) of_operand(in, x, k)
#define EVAL_LEAF(op) of_leaf(in, x, op)
#define EVAL_NEG(a) (a)
#define EVAL_ADD(a, b) of_sum(a, b)
#define EVAL_SUB(a, b) of_sum(a, b)
#define EVAL_MUL(a, b) of_product(a, b)
#define EVAL_DIV(a, b) ((void)(a), (void)(b), UNKNOWN)
#define EVAL_POW(a, b) ((void)(a), (void)(b), UNKNOWN)
#define EVAL_FN(a) of_function(in->s->pool, x, a)
#define EVAL_FN2(a, b) of_function_of_two(in->s->pool, x, a, b)
#define EVAL_RELATION(op, a, b) ((void)(a), (void)(b), YES)
#define EVAL_AND(a, b) ((void)(a), (void)(b), YES)
#define EVAL_OR(a, b) ((void)(a), (void)(b), YES)
#define EVAL_NOT(a) ((void)(a), YES)
#define EVAL_SELECT() of_choice(in, x)
#define EVAL_SAME(op, a) (a)
#include "ir/evaluate.inc"

const Truth *whole_numbers(const Program *g, Arena *mem)
{
    const System *s = g->sys;
    uint32_t n = pool_size(s->pool);
    Truth *whole = arena_array(mem, Truth, n);
    for (uint32_t k = 0; k < n; k++)
        whole[k] = UNKNOWN;
    /* operands come before users, but for a negation found later: two rounds find those */
    for (int round = 0; round < 2; round++)
        for (uint32_t k = 0; k < n; k++)
            whole[k] =
                of_operation(&(WholeNumbers){s, whole}, (ExprId){k}, expr_op(s->pool, (ExprId){k}));
    return whole;
}
