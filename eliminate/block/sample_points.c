#include "eliminate/block/sample_points.h"

#include <math.h>

enum { CORNERS = 4, ANYWHERE = SAMPLE_POINTS - 2 - CORNERS };
/* points: the start, all folded up, corners, anywhere; the other point of the Sample */
enum {
    START,
    FOLDED,
    FIRST_CORNER,
    FIRST_ANYWHERE = FIRST_CORNER + CORNERS,
    USUAL = ALL_POINTS - 1
};

static const double QUARTER = 1.5707963267948966;
/* How far parameters are from the values that the model gives them, as part of these. */
static const double NEAR = 0.1;

SamplePoints sample_points_new(const ExprPool *p, Sample *sample, Arena *mem)
{
    return (SamplePoints){.p = p, .sample = sample, .mem = mem};
}

static void fit(SamplePoints *w)
{
    uint32_t n = pool_size(w->p);
    if (w->n_places < n)
        w->place = vec_grow_own(w->mem, w->place, sizeof *w->place, &w->n_places, n);
}

static void keep(SamplePoints *w, uint32_t node, Samples value)
{
    vec_push_own(w->mem, w->node, node);
    vec_push_own(w->mem, w->samples, value);
    w->place[node] = w->node.n;
}

void sample_points_forget(SamplePoints *w)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->node.n; k++) {
        uint32_t node = w->node.at[k];
        w->place[node] = 0;
        if (node >= pool_size(w->p))
            continue;
        w->node.at[n] = node;
        w->samples.at[n] = w->samples.at[k];
        w->place[node] = ++n;
    }
    w->node.n = w->samples.n = n;
}

/* ---- variables ---- */

static uint64_t hash(uint32_t var, uint32_t what)
{
    uint64_t h = ((uint64_t)var << 8 | what) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return h ^ h >> 31;
}

/* Between 0 and 1. */
static double fraction(uint32_t var, uint32_t what)
{
    return (double)(hash(var, what) >> 11) / 9007199254740992.0;
}

/* Numbers 0 .. n - 1 in an order that depends on the variable: every variable is once in each of n
 * stretches (Latin hypercube; McKay, Beckman, Conover 1979). */
static void shuffle(uint32_t *order, uint32_t n, uint32_t var, uint32_t what)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t other = (uint32_t)(hash(var, 100 + 50 * what + k) >> 32) % (k + 1);
        order[k] = order[other];
        order[other] = k;
    }
}

static double bound(Sample *s, ExprId x, double otherwise)
{
    double b = expr_exists(x) ? sample_value(s, x) : NAN;
    return isfinite(b) ? b : otherwise;
}

/* var: its number among those that have values. */
static Samples variable_values(Sample *s, ExprId x, uint32_t var)
{
    const Var *v = &s->s->var.at[expr_var_of(s->s->pool, x).i];
    Samples w;
    double usual = sample_value(s, x);
    if (v->kind == VAR_PARAMETER || v->kind == VAR_CONSTANT) {
        uint32_t part[NEAR_POINTS];
        shuffle(part, NEAR_POINTS, var, 2);
        for (uint32_t k = 0; k < SAMPLE_POINTS; k++)
            w.at[k] = usual;
        for (uint32_t k = 0; k < NEAR_POINTS; k++) {
            double inside = (part[k] + fraction(var, 2 + k)) / NEAR_POINTS;
            w.at[SAMPLE_POINTS + k] =
                v->kind == VAR_PARAMETER ? usual * (1 + NEAR * (2 * inside - 1)) : usual;
        }
        w.at[USUAL] = usual;
        return w;
    }
    double start = sample_start(s, x);
    double around = isfinite(start) ? start : 0;
    double reach = fmax(2.2 * QUARTER * fabs(bound(s, v->attr.nominal, 1)), 0.5 * fabs(around));
    double low = fmax(around - reach, bound(s, v->attr.min, -INFINITY));
    double high = fmin(around + reach, bound(s, v->attr.max, INFINITY));
    uint32_t corner[CORNERS], stretch[ANYWHERE];
    shuffle(corner, CORNERS, var, 0);
    shuffle(stretch, ANYWHERE, var, 1);
    for (uint32_t k = 0; k < ANYWHERE; k++) {
        w.at[FIRST_ANYWHERE + k] =
            low + (high - low) * (stretch[k] + fraction(var, 2 + k)) / ANYWHERE;
    }
    for (uint32_t k = 0; k < FIRST_ANYWHERE; k++) {
        double angle = k < FIRST_CORNER ? 0 : QUARTER * ((double)corner[k - FIRST_CORNER] - 1);
        w.at[k] = angle >= low && angle <= high ? angle : w.at[FIRST_ANYWHERE + k % ANYWHERE];
    }
    w.at[START] = start;
    for (uint32_t k = SAMPLE_POINTS; k < ALL_POINTS; k++)
        w.at[k] = start;
    w.at[USUAL] = usual;
    return w;
}

static Samples leaf_values(SamplePoints *w, ExprId x)
{
    Samples value;
    for (uint32_t k = 0; k < ALL_POINTS; k++)
        value.at[k] = expr_op(w->p, x) == OP_TIME ? 0.7371 * k : expr_apply(w->p, x, 0, 0, 0);
    if (expr_op(w->p, x) == OP_TIME)
        value.at[USUAL] = sample_value(w->sample, x);
    if (expr_op(w->p, x) == OP_VAR)
        value = variable_values(w->sample, x, w->n_variables++);
    return value;
}

/* ---- expressions ---- */

static const Samples *known(const SamplePoints *w, ExprId x)
{
    uint32_t k = w->place[x.i];
    return k ? &w->samples.at[k - 1] : NULL;
}

static Samples node_values(const SamplePoints *w, ExprId x)
{
    Samples value, a[3] = {{{0}}};
    uint32_t n = expr_n_args(w->p, x);
    for (uint32_t k = 0; k < n && k < 3; k++)
        a[k] = *known(w, expr_arg(w->p, x, k));
    Op op = expr_op(w->p, x);
    if (op_is_sum(op) || op_is_product(op))
        return samples_of_operation(op, 1, &a[0], 1, &a[1]);
    for (uint32_t k = 0; k < ALL_POINTS; k++)
        value.at[k] = expr_apply(w->p, x, a[0].at[k], a[1].at[k], a[2].at[k]);
    return value;
}

Samples sample_points_value(SamplePoints *w, ExprId root)
{
    fit(w);
    w->stack.n = 0;
    vec_push(w->mem, w->stack, root);
    while (w->stack.n) {
        ExprId x = vec_last(w->stack);
        uint32_t n = expr_n_args(w->p, x), missing = 0;
        if (known(w, x)) {
            w->stack.n--;
            continue;
        }
        for (uint32_t k = n; k-- > 0;) {
            ExprId y = expr_arg(w->p, x, k);
            if (!known(w, y)) {
                vec_push(w->mem, w->stack, y);
                missing++;
            }
        }
        if (missing)
            continue;
        w->stack.n--;
        keep(w, x.i, n == 0 ? leaf_values(w, x) : node_values(w, x));
    }
    return *known(w, root);
}

bool samples_vanish(const Samples *w)
{
    double low = INFINITY, high = 0;
    bool positive = false, negative = false;
    for (uint32_t k = 0; k < SAMPLE_POINTS; k++) {
        if (!isfinite(w->at[k]))
            continue;
        low = fmin(low, fabs(w->at[k]));
        high = fmax(high, fabs(w->at[k]));
        positive = positive || w->at[k] > 0;
        negative = negative || w->at[k] < 0;
    }
    return (positive && negative) || (isfinite(low) && low <= 1e-9 * high);
}

bool samples_vanish_at(const Samples *w, uint32_t point)
{
    double high = 0;
    for (uint32_t k = 0; k < SAMPLE_POINTS; k++)
        high = isfinite(w->at[k]) ? fmax(high, fabs(w->at[k])) : high;
    return fabs(w->at[point]) <= 1e-9 * high;
}

bool samples_vanish_at_sample(const Samples *w)
{
    double high = 0;
    for (uint32_t k = 0; k < SAMPLE_POINTS; k++)
        high = isfinite(w->at[k]) ? fmax(high, fabs(w->at[k])) : high;
    return fmin(fabs(w->at[START]), fabs(w->at[USUAL])) <= 1e-12 * high;
}

bool samples_are_known(const Samples *w)
{
    for (uint32_t k = 0; k < SAMPLE_POINTS; k++)
        if (!isfinite(w->at[k]))
            return false;
    return true;
}

Samples samples_of_parameters(const Samples *w)
{
    Samples v = *w;
    for (uint32_t k = 0; k < NEAR_POINTS; k++)
        v.at[FIRST_CORNER + k] = w->at[SAMPLE_POINTS + k];
    return v;
}

Samples sample_points_pivot(SamplePoints *w, ExprId x)
{
    Samples v = sample_points_value(w, x);
    return expr_is_fixed(w->p, x) ? samples_of_parameters(&v) : v;
}

bool sample_points_vanishes(SamplePoints *w, ExprId x)
{
    Samples v = sample_points_pivot(w, x);
    return samples_vanish(&v);
}

void sample_points_variables(SamplePoints *w, uint32_t n, const ExprId *x)
{
    Arena *mem = arena_new();
    bool *is_seen = arena_array(mem, bool, pool_size(w->p));
    VEC(ExprId) stack = {0};
    fit(w);
    for (uint32_t i = 0; i < n; i++) {
        vec_push(mem, stack, x[i]);
        while (stack.n) {
            ExprId y = stack.at[--stack.n];
            if (is_seen[y.i])
                continue;
            is_seen[y.i] = true;
            for (uint32_t k = expr_n_args(w->p, y); k-- > 0;)
                vec_push(mem, stack, expr_arg(w->p, y, k));
            if (expr_op(w->p, y) == OP_VAR && !known(w, y))
                keep(w, y.i, leaf_values(w, y));
        }
    }
    arena_free(mem);
}
