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
    if (n <= m->n)
        return;
    uint32_t cap = m->n ? m->n : 1024;
    while (cap < n)
        cap *= 2;
    struct SampleValue *at = arena_array(m->mem, struct SampleValue, cap);
    if (m->n)
        memcpy(at, m->at, sizeof *at * m->n);
    m->at = at;
    m->n = cap;
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

static struct SampleValue variable(const Sample *m, ExprId x)
{
    const Var *v = &m->s->var.at[expr_var_of(m->s->pool, x).i];
    ExprId from = source_of(m->s, x);
    double any = arbitrary(expr_var_of(m->s->pool, x).i);
    struct SampleValue w = {any, 0, true};
    bool fixed = v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT;
    if (expr_exists(from) && from.i < m->n && m->at[from.i].known) {
        w.start = m->at[from.i].start;
        if (fixed)
            w.usual = m->at[from.i].usual;
    } else if (fixed || v->kind == VAR_INPUT) {
        w.start = any;
    }
    enum { NEAR = 16 }; /* perturbation: 1/NEAR of the value */
    bool is_moved = m->moves == MOVES_ALL || (fixed && expr_var_of(m->s->pool, x).i == m->moved.i);
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
        if (expr_exists(from) && from.i < m->n && !m->at[from.i].known &&
            m->stack.n <= pool_size(p)) {
            vec_push(m->mem, m->stack, from);
            ready = false;
        }
        return ready;
    }
    for (uint32_t k = expr_n_args(p, x); k-- > 0;) {
        ExprId y = expr_arg(p, x, k);
        if (!m->at[y.i].known) {
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

double sample_value(Sample *m, ExprId root)
{
    const ExprPool *p = m->s->pool;
    fit(m);
    m->stack.n = 0;
    vec_push(m->mem, m->stack, root);
    while (m->stack.n) {
        ExprId x = vec_last(m->stack);
        struct SampleValue *w = &m->at[x.i];
        if (w->known) {
            m->stack.n--;
            continue;
        }
        if (!push_missing(m, x))
            continue;
        m->stack.n--;
        Op op = expr_op(p, x);
        if (op == OP_VAR) {
            *w = variable(m, x);
        } else if (op == OP_TIME) {
            *w = (struct SampleValue){0.7371, 0, true};
        } else {
            struct SampleValue a[3] = {{0}};
            for (uint32_t k = 0; k < expr_n_args(p, x) && k < 3; k++)
                a[k] = m->at[expr_arg(p, x, k).i];
            w->usual = apply(p, x, a[0].usual, a[1].usual, a[2].usual);
            w->start = apply(p, x, a[0].start, a[1].start, a[2].start);
            w->known = true;
        }
    }
    return m->at[root.i].usual;
}

double sample_start(Sample *m, ExprId x)
{
    sample_value(m, x);
    return m->at[x.i].start;
}

void sample_forget(Sample *m, uint32_t before)
{
    for (uint32_t k = pool_size(m->s->pool); k < m->n && k < before; k++)
        m->at[k].known = false;
}

bool sample_vanishes(Sample *m, ExprId x)
{
    sample_value(m, x);
    return fabs(m->at[x.i].usual) < 1e-12 || fabs(m->at[x.i].start) < 1e-12;
}
