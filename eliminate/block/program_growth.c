#include "eliminate/block/program_growth.h"

#include <math.h>

/* Between 0.3 and 1.7. */
static double arbitrary(uint32_t var, uint32_t point)
{
    uint64_t h = ((uint64_t)point << 32 | var) * 0x9e3779b97f4a7c15u + 0x94d049bb133111ebu;
    h ^= h >> 31;
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 27;
    return 0.3 + 1.4 * (double)(h >> 11) / 9007199254740992.0;
}

static double leaf(const System *s, Sample *sample, ExprId x, uint32_t point)
{
    if (expr_op(s->pool, x) != OP_VAR || expr_is_fixed(s->pool, x))
        return sample_value(sample, x);
    return arbitrary(expr_var_of(s->pool, x).i, point);
}

ProgramGrowth program_growth_new(const System *s, Sample *sample, const bool *mark, uint32_t point,
                                 Arena *mem)
{
    const ExprPool *p = s->pool;
    uint32_t size = pool_size(p);
    ProgramGrowth r = {arena_array(mem, double, size), arena_array(mem, double, size)};
    for (uint32_t k = 0; k < size; k++) {
        ExprId x = {k};
        if (!mark[k])
            continue;
        uint32_t n = expr_n_args(p, x);
        /* an expression of parameters alone is computed once, in full precision */
        if (n == 0 || expr_is_fixed(p, x)) {
            r.exact[k] = r.rounded[k] = leaf(s, sample, x, point);
            continue;
        }
        uint32_t a[3] = {0};
        for (uint32_t i = 0; i < n && i < 3; i++)
            a[i] = expr_arg(p, x, i).i;
        r.exact[k] = expr_apply(p, x, r.exact[a[0]], r.exact[a[1]], r.exact[a[2]]);
        r.rounded[k] = (float)expr_apply(p, x, r.rounded[a[0]], r.rounded[a[1]], r.rounded[a[2]]);
    }
    return r;
}

double program_growth_of(const ProgramGrowth *r, uint32_t n, const ExprId *x)
{
    double error = 0;
    double size = 0;
    for (uint32_t k = 0; k < n; k++) {
        double e = fabs(r->rounded[x[k].i] - r->exact[x[k].i]);
        if (!isfinite(e))
            return NAN;
        error = fmax(error, e);
        size = fmax(size, fabs(r->exact[x[k].i]));
    }
    return size > 0 ? error / size * 16777216.0 : 0;
}
