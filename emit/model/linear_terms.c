#include "emit/model/linear_terms.h"

enum { DEEPEST = 24 };

/* Multiplies f by one more factor; false for a second factor of parameters, since their product has
 * no node. */
static bool times(const ExprPool *p, Factor *f, ExprId x, bool is_divisor)
{
    double value;
    if (expr_constant(p, x, &value)) {
        f->number = is_divisor ? f->number / value : f->number * value;
        return true;
    }
    if (expr_exists(f->c))
        return false;
    f->c = x;
    f->is_divisor = is_divisor;
    return true;
}

static void put(LinearTerms *it, ExprId leaf, Factor f)
{
    if (it->n < LINEAR_TERMS)
        it->term[it->n++] = (LinearTerm){leaf, f};
    else
        it->is_whole = false;
}

static void walk(LinearTerms *it, ExprId x, Factor f, uint32_t depth)
{
    const ExprPool *p = it->p;
    if (depth > DEEPEST || it->left == 0) {
        it->is_whole = false;
        return;
    }
    it->left--;
    if (expr_is_fixed(p, x)) {
        if (times(p, &f, x, false))
            put(it, EXPR_NONE, f);
        else
            it->is_whole = false;
        return;
    }
    switch (expr_op(p, x)) {
    case OP_VAR:
    case OP_TIME:
        put(it, x, f);
        return;
    case OP_NEG:
        f.number = -f.number;
        walk(it, expr_arg(p, x, 0), f, depth + 1);
        return;
    case OP_ADD:
    case OP_SUB:
        walk(it, expr_arg(p, x, 0), f, depth + 1);
        f.number = expr_op(p, x) == OP_SUB ? -f.number : f.number;
        walk(it, expr_arg(p, x, 1), f, depth + 1);
        return;
    case OP_MUL:
        for (uint32_t k = 0; k < 2; k++)
            if (expr_is_fixed(p, expr_arg(p, x, k)) && times(p, &f, expr_arg(p, x, k), false)) {
                walk(it, expr_arg(p, x, 1 - k), f, depth + 1);
                return;
            }
        break;
    case OP_DIV:
        if (expr_is_fixed(p, expr_arg(p, x, 1)) && times(p, &f, expr_arg(p, x, 1), true)) {
            walk(it, expr_arg(p, x, 0), f, depth + 1);
            return;
        }
        break;
    default:
        break;
    }
    it->is_whole = false;
}

void linear_terms_begin(LinearTerms *it, const ExprPool *p)
{
    it->p = p;
    it->n = 0;
    it->left = LINEAR_TERMS;
    it->is_whole = true;
}

void linear_terms_add(LinearTerms *it, ExprId x, Factor f)
{
    walk(it, x, f, 0);
}
