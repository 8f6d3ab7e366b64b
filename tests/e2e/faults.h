/* faults.h -- one thing in a flat System is changed: an operation, a derivative, a start value, an
 * initial equation, an event. */
#ifndef RUNG_TESTS_E2E_FAULTS_H
#define RUNG_TESTS_E2E_FAULTS_H

#include "ir/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum FaultKind {
    FAULT_OPERATION,
    FAULT_DERIVATIVE,
    FAULT_START,
    FAULT_INITIAL,
    FAULT_EVENT,
    FAULT_KINDS
} FaultKind;

static const char *const kind_name[] = {"operation", "derivative", "start value",
                                        "initial equation", "event"};

/* The number of a command line; six times as many by night. */
static uint32_t faults_wanted(const char *number)
{
    const char *size = getenv("RUNG_TEST_SIZE");
    return (uint32_t)atoi(number) * (size && !strcmp(size, "night") ? 6 : 1);
}

static uint64_t seed = 1;

static uint32_t drawn(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return n ? (uint32_t)((seed >> 33) % n) : 0;
}

typedef struct Change {
    System *s;
    FaultKind kind;
    uint32_t n, at; /* places met, the one to change */
    bool done;
} Change;

static bool is_derivative(const System *s, ExprId x)
{
    return expr_op(s->pool, x) == OP_DER ||
           (expr_op(s->pool, x) == OP_VAR &&
            var_exists(s->var.at[expr_var_of(s->pool, x).i].der_of));
}

/* Another derivative than x. */
static ExprId other_derivative(const Change *c, ExprId x)
{
    System *s = c->s;
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        ExprId y = var_exists(v->der) ? system_var_expr(s, v->der) : x;
        if (!expr_same(y, x))
            return y;
    }
    return x;
}

static ExprId rewrite(void *data, ExprId x)
{
    Change *c = data;
    ExprPool *p = c->s->pool;
    Op op = expr_op(p, x);
    bool fits = c->kind == FAULT_OPERATION
                    ? op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV || op == OP_FN
                : c->kind == FAULT_DERIVATIVE ? is_derivative(c->s, x)
                                              : op == OP_LT || op == OP_LE;
    if (!fits || c->n++ != c->at)
        return x;
    c->done = true;
    ExprId a = expr_n_args(p, x) > 0 ? expr_arg(p, x, 0) : x;
    ExprId b = expr_n_args(p, x) > 1 ? expr_arg(p, x, 1) : x;
    if (c->kind == FAULT_DERIVATIVE)
        return other_derivative(c, x);
    if (c->kind == FAULT_EVENT)
        return expr_compare(p, op, expr_add(p, a, expr_ratio(p, 1, 3)), b); /* comes too late */
    switch (op) {
    case OP_ADD:
        return expr_sub(p, a, b);
    case OP_SUB:
        return expr_add(p, a, b);
    case OP_MUL:
        return expr_mul(p, x, expr_ratio(p, 11, 10));
    case OP_DIV:
        return expr_mul(p, a, b);
    default:
        return expr_fn(p, expr_fn_of(p, x) == FN_SIN ? FN_COS : FN_SIN, a);
    }
}

/* Changes one place of equation e. */
static bool change_equation(Change *c, Eq *e, Arena *scratch)
{
    Change count = *c;
    count.at = UINT32_MAX;
    expr_map(c->s->pool, scratch, e->lhs, rewrite, &count);
    expr_map(c->s->pool, scratch, e->rhs, rewrite, &count);
    if (count.n == 0)
        return false;
    c->at = drawn(count.n);
    e->lhs = expr_map(c->s->pool, scratch, e->lhs, rewrite, c);
    e->rhs = expr_map(c->s->pool, scratch, e->rhs, rewrite, c);
    return c->done;
}

static char changed[2000]; /* the equation that was changed last, as it is now */
static EqId changed_eq;    /* EQ_NONE: none was                                */

/* False where the model has no place for such a fault. */
static bool put_in(System *s, FaultKind kind, Arena *scratch)
{
    *changed = 0;
    changed_eq = EQ_NONE;
    Change c = {.s = s, .kind = kind};
    if (kind == FAULT_INITIAL) {
        if (s->initial_eq.n == 0)
            return false;
        uint32_t k = drawn(s->initial_eq.n);
        s->initial_eq.at[k] = s->initial_eq.at[s->initial_eq.n - 1];
        s->initial_eq.n--;
        return true;
    }
    uint32_t first = drawn(kind == FAULT_START ? s->var.n : s->eq.n);
    if (kind == FAULT_START) {
        for (uint32_t i = 0; i < s->var.n; i++) {
            Var *v = &s->var.at[(first + i) % s->var.n];
            if (v->kind != VAR_CONTINUOUS || v->attr.fixed != YES)
                continue;
            ExprId was = expr_exists(v->attr.start) ? v->attr.start : expr_int(s->pool, 0);
            v->attr.start = expr_add(s->pool, was, expr_ratio(s->pool, 1, 10));
            return true;
        }
        return false;
    }
    for (uint32_t i = 0; i < s->eq.n; i++)
        if (change_equation(&c, &s->eq.at[(first + i) % s->eq.n], scratch)) {
            changed_eq = (EqId){(first + i) % s->eq.n};
            const Eq *e = &s->eq.at[changed_eq.i];
            snprintf(changed, sizeof changed, "%s = %s", expr_text(s, e->lhs, scratch),
                     expr_text(s, e->rhs, scratch));
            return true;
        }
    return false;
}

#endif
