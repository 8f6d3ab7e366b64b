#include "eliminate/block/congruence.h"

#include "ir/fingerprint.h"

#define CG_POOL ExprPool
#define CG_REF ExprId
#define CG_ADD(p, a, b) expr_add(p, a, b)
#define CG_SUB(p, a, b) expr_sub(p, a, b)
#define CG_MUL(p, a, b) expr_mul(p, a, b)
#define CG_DIV(p, a, b) expr_div(p, a, b)
#define CG_NEG(p, a) expr_neg(p, a)
#define CG_ZERO(p) expr_int(p, 0)
#define CG_ONE(p) expr_int(p, 1)
#define CG_IS_ZERO(p, a) (expr_is_zero(p, a) == YES)
#define CG_IS_NUMBER(p, a) expr_is_num(p, a)
#define CG_IS_FIXED(p, a) (expr_variability(p, a) == VARIES_NEVER)
#define CG_SAME(a, b) expr_same(a, b)
#define CG_PARTS(p, a) parts_of(p, a)
#define CG_VALUE Fp
#define CG_VALUE_OF(p, a) expr_fingerprint(p, a)
#define CG_VALUE_ADD(x, y) fp_add(x, y)
#define CG_VALUE_SUB(x, y) fp_sub(x, y)
#define CG_VALUE_MUL(x, y) fp_mul(x, y)
#define CG_VALUE_SAME(x, y) fp_same(x, y)
#define CG_HAS_VALUE(p, x) expr_is_known(p, x)

struct CongruenceParts;
static struct CongruenceParts parts_of(const ExprPool *p, ExprId x);
#include "eliminate/block/congruence.inc"

/* A negation is a node of its own here. */
static CongruenceParts parts_of(const ExprPool *p, ExprId x)
{
    CongruenceParts n = {.negative = expr_op(p, x) == OP_NEG};
    if (n.negative)
        x = expr_arg(p, x, 0);
    n.op = expr_op(p, x);
    if (expr_n_args(p, x) == 2) {
        n.a = expr_arg(p, x, 0);
        n.b = expr_arg(p, x, 1);
    }
    return n;
}

ExprId congruence_sub(ExprPool *p, ExprId a, ExprId b)
{
    return difference(p, a, b);
}

ExprId congruence_over(ExprPool *p, ExprId x, ExprId pivot)
{
    return over_pivot(p, x, pivot);
}
