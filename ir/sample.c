#include "ir/sample.h"

#include <math.h>

Sample sample_new(const System *s, Arena *mem)
{
    return (Sample){.s = s, .mem = mem};
}

static void fit(Sample *m)
{
    uint32_t n = pool_size(m->s->pool);
    if (n <= m->n)
        return;
    uint32_t cap = m->n ? m->n : 1024;
    while (cap < n)
        cap *= 2;
    double *value = arena_array(m->mem, double, cap);
    bool *known = arena_array(m->mem, bool, cap);
    if (m->n) {
        memcpy(value, m->value, sizeof(double) * m->n);
        memcpy(known, m->known, sizeof(bool) * m->n);
    }
    m->value = value;
    m->known = known;
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

/* What else must be known first: a parameter waits for its binding. */
static ExprId binding_of(const System *s, ExprId x)
{
    const Var *v = &s->var.at[expr_var_of(s->pool, x).i];
    bool fixed = v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT;
    return fixed ? v->binding : EXPR_NONE;
}

double sample_value(Sample *m, ExprId root)
{
    const System *s = m->s;
    const ExprPool *p = s->pool;
    fit(m);
    if (m->known[root.i])
        return m->value[root.i];
    m->stack.n = 0;
    vec_push(m->mem, m->stack, root);
    while (m->stack.n) {
        ExprId x = vec_last(m->stack);
        if (m->known[x.i]) {
            m->stack.n--;
            continue;
        }
        Op op = expr_op(p, x);
        uint32_t n = expr_n_args(p, x);
        bool ready = true;
        double a[3] = {0, 0, 0};
        for (uint32_t k = 0; k < n; k++) {
            ExprId y = expr_arg(p, x, k);
            if (!m->known[y.i]) {
                vec_push(m->mem, m->stack, y);
                ready = false;
            } else if (k < 3) {
                a[k] = m->value[y.i];
            }
        }
        double v = NAN;
        if (op == OP_VAR) {
            ExprId b = binding_of(s, x);
            v = arbitrary(expr_var_of(p, x).i);
            if (expr_exists(b) && b.i < m->n && !m->known[b.i] && m->stack.n < pool_size(p)) {
                vec_push(m->mem, m->stack, b);
                ready = false;
            } else if (expr_exists(b) && b.i < m->n && m->known[b.i]) {
                v = m->value[b.i];
            }
        } else if (ready) {
            v = op == OP_TIME ? 0.7371 : expr_apply(p, x, a[0], a[1], a[2]);
        }
        if (!ready)
            continue;
        m->stack.n--;
        m->value[x.i] = v;
        m->known[x.i] = true;
    }
    return m->value[root.i];
}

bool sample_vanishes(Sample *m, ExprId x)
{
    double v = sample_value(m, x);
    return fabs(v) < 1e-12;
}
