#include "eliminate/verify/whole.h"

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

/* From the operands' entries in `whole`. */
static Truth of_node(const System *s, ExprId x, const Truth *whole)
{
    const ExprPool *p = s->pool;
    uint32_t n = expr_n_args(p, x);
    Op op = expr_op(p, x);
    Truth a = n > 0 && op != OP_PROJ ? whole[expr_arg(p, x, 0).i] : UNKNOWN;
    Truth b = n > 1 ? whole[expr_arg(p, x, 1).i] : UNKNOWN;
    switch (op) {
    case OP_NUM:
        return mpz_cmp_ui(mpq_denref(expr_rational(p, x)), 1) == 0 ? YES : NO;
    case OP_VAR:
        return of_variable(s, expr_var_of(p, x));
    case OP_NEG:
    case OP_NOEVENT:
    case OP_SMOOTH:
    case OP_PRE:
        return a;
    case OP_ADD:
    case OP_SUB:
        return of_sum(a, b);
    case OP_MUL:
        return of_product(a, b);
    case OP_FN:
        return of_function(p, x, a);
    case OP_FN2:
        return of_function_of_two(p, x, a, b);
    case OP_SELECT:
        return b == whole[expr_arg(p, x, 2).i] ? b : UNKNOWN;
    case OP_PROJ:
        return of_result(s, x);
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
    case OP_AND:
    case OP_OR:
    case OP_NOT:
    case OP_INITIAL:
        return YES;
    default:
        return UNKNOWN;
    }
}

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
            whole[k] = of_node(s, (ExprId){k}, whole);
    return whole;
}
