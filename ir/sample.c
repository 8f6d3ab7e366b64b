#include "ir/sample.h"

#include <math.h>

Sample sample_new(const System *s, Arena *mem)
{
    return sample_moved(s, MOVES_NOTHING, mem);
}

Sample sample_moved(const System *s, SampleMoves moves, Arena *mem)
{
    return (Sample){.s = s, .mem = mem, .moves = moves, .moved = VAR_NONE};
}

Sample sample_but(const System *s, VarId moved, Arena *mem)
{
    return (Sample){.s = s, .mem = mem, .moved = moved};
}

static void fit(Sample *m)
{
    uint32_t n = pool_size(m->s->pool);
    if (m->n_places < n)
        m->place = vec_grow_own(m->mem, m->place, sizeof *m->place, &m->n_places, n);
}

/* NULL if it is not known. */
static const SampleValue *known(const Sample *m, ExprId x)
{
    uint32_t k = x.i < m->n_places ? m->place[x.i] : 0;
    return k ? &m->value.at[k - 1] : NULL;
}

static void keep(Sample *m, ExprId x, SampleValue w)
{
    vec_push_own(m->mem, m->node, x.i);
    vec_push_own(m->mem, m->value, w);
    m->place[x.i] = m->value.n;
}

/* Between 0.3 and 1.7, from the variable's number alone. */
static double arbitrary(uint32_t k)
{
    uint64_t h = (k + 1) * 0x9e3779b97f4a7c15u;
    h ^= h >> 31;
    h *= 0xbf58476d1ce4e5b9u;
    return 0.3 + 1.4 * (double)(h >> 11) / 9007199254740992.0;
}

/* The expression of a variable's value: a parameter's binding, any other one's start value at the
 * start. EXPR_NONE if the model gives none. */
static ExprId source_of(const System *s, ExprId x)
{
    const Var *v = &s->var.at[expr_var_of(s->pool, x).i];
    bool fixed = v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT;
    return fixed && expr_exists(v->binding) ? v->binding : v->attr.start;
}

static SampleValue variable(const Sample *m, ExprId x)
{
    const Var *v = &m->s->var.at[expr_var_of(m->s->pool, x).i];
    ExprId from = source_of(m->s, x);
    double any = arbitrary(expr_var_of(m->s->pool, x).i);
    SampleValue w = {any, 0};
    bool fixed = v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT;
    const SampleValue *source = expr_exists(from) ? known(m, from) : NULL;
    if (source) {
        w.start = source->start;
        if (fixed)
            w.usual = source->usual;
    } else if (fixed || v->kind == VAR_INPUT) {
        w.start = any;
    }
    enum { NEAR = 16 }; /* perturbation: 1/NEAR of the value */
    bool is_moved = m->moves == MOVES_ALL || (fixed && expr_var_of(m->s->pool, x).i == m->moved.i);
    // one parameter alone: the other of two values, or the next
    if (v->type != TYPE_REAL && m->moves != MOVES_ALL && is_moved)
        w.usual = w.start = v->type == TYPE_BOOLEAN ? w.usual == 0 : w.usual + 1;
    if (v->type != TYPE_REAL || (!is_moved && m->moves == MOVES_NOTHING))
        return w;
    if (!fixed) {
        w.start += any / NEAR;
    } else if (is_moved) {
        w.usual = w.usual == 0 ? any / NEAR : w.usual * (1 + any / NEAR);
        w.start = w.usual;
    }
    return w;
}

/* All that x waits for is pushed; true if nothing is missing. */
static bool push_missing(Sample *m, ExprId x)
{
    const ExprPool *p = m->s->pool;
    bool ready = true;
    if (expr_op(p, x) == OP_VAR) {
        ExprId from = source_of(m->s, x);
        /* a variable whose value depends on itself ends here */
        if (expr_exists(from) && from.i < m->n_places && !known(m, from) &&
            m->stack.n <= pool_size(p)) {
            vec_push(m->mem, m->stack, from);
            ready = false;
        }
        return ready;
    }
    for (uint32_t k = expr_n_args(p, x); k-- > 0;) {
        ExprId y = expr_arg(p, x, k);
        if (!known(m, y)) {
            vec_push(m->mem, m->stack, y);
            ready = false;
        }
    }
    return ready;
}

/* A product with a factor of zero is zero, whatever the other one is, of which calls give no value.
 */
static double apply(const ExprPool *p, ExprId x, double a, double b, double c)
{
    return expr_op(p, x) == OP_MUL && (a == 0 || b == 0) ? 0 : expr_apply(p, x, a, b, c);
}

static SampleValue value_of(const Sample *m, ExprId x)
{
    const ExprPool *p = m->s->pool;
    Op op = expr_op(p, x);
    if (op == OP_VAR)
        return variable(m, x);
    if (op == OP_TIME)
        return (SampleValue){0.7371, 0};
    SampleValue a[3] = {{0}};
    for (uint32_t k = 0; k < expr_n_args(p, x) && k < 3; k++)
        a[k] = *known(m, expr_arg(p, x, k));
    return (SampleValue){apply(p, x, a[0].usual, a[1].usual, a[2].usual),
                         apply(p, x, a[0].start, a[1].start, a[2].start)};
}

static const SampleValue *evaluate(Sample *m, ExprId root)
{
    fit(m);
    m->stack.n = 0;
    vec_push(m->mem, m->stack, root);
    while (m->stack.n) {
        ExprId x = vec_last(m->stack);
        if (!known(m, x)) {
            if (!push_missing(m, x))
                continue;
            keep(m, x, value_of(m, x));
        }
        m->stack.n--;
    }
    return known(m, root);
}

double sample_value(Sample *m, ExprId x)
{
    return evaluate(m, x)->usual;
}

double sample_start(Sample *m, ExprId x)
{
    return evaluate(m, x)->start;
}

void sample_forget(Sample *m, uint32_t before)
{
    uint32_t n = pool_size(m->s->pool);
    for (uint32_t k = n; k < m->n_places && k < before; k++)
        m->place[k] = 0;
    while (m->node.n && vec_last(m->node) >= n)
        m->value.n = --m->node.n;
}

bool sample_vanishes(Sample *m, ExprId x)
{
    const SampleValue *w = evaluate(m, x);
    return fabs(w->usual) < 1e-12 || fabs(w->start) < 1e-12;
}
