#include "eliminate/frames/explicit_values.h"

/* After variables were added. */
static void explicit_values_grow(ExplicitValues *k)
{
    uint32_t n = k->s->var.n;
    if (n > k->n_flags)
        k->is_unknown =
            vec_grow(k->mem, k->is_unknown, sizeof *k->is_unknown, k->n_flags, &k->n_flags, n);
}

ExplicitValues explicit_values_new(System *s, Arena *mem, Arena *tmp)
{
    uint32_t n = s->var.n;
    ExplicitValues k = {.s = s,
                        .mem = mem,
                        .tmp = tmp,
                        .value = arena_array(mem, ExprId, n),
                        .var_of = map_new(mem),
                        .written = map_new(mem),
                        .counter = op_counter_new(s->pool, mem)};
    for (uint32_t v = 0; v < n; v++)
        k.value[v] = EXPR_NONE;
    explicit_values_grow(&k);
    k.values = (Substitution){.value = k.value, .n = n, .mem = mem};
    return k;
}

ExprId without_sign(const ExprPool *p, ExprId x)
{
    return expr_op(p, x) == OP_NEG ? expr_arg(p, x, 0) : x;
}

void explicit_values_solve(ExplicitValues *k, EqId e, VarId v)
{
    ExprPool *p = k->s->pool;
    ArenaMark m = arena_mark(k->tmp);
    ExprId x = linear_solution(k->s, k->is_unknown, &k->values, e, v, k->tmp);
    arena_rollback(k->tmp, m);
    if (!expr_exists(x))
        return;
    k->value[v.i] = x;
    ExprId node = without_sign(p, x);
    if (expr_is_fixed(p, x) || expr_op(p, node) == OP_VAR)
        return;
    if (map_get(&k->var_of, node.i) == MAP_NONE)
        map_put(&k->var_of, node.i, v.i);
    op_counter_keep(&k->counter, 1, &x);
}

/* The equation's residual, known variables replaced by their values. mem: for the form. */
static LinearForm explicit_values_form(ExplicitValues *k, EqId e, Arena *mem)
{
    const Eq *q = &k->s->eq.at[e.i];
    ArenaMark m = arena_mark(k->tmp);
    LinearForm f =
        linear_form(k->s, k->is_unknown, &k->values, expr_sub(k->s->pool, q->lhs, q->rhs), k->tmp);
    LinearForm copy = linear_copy(&f, mem);
    arena_rollback(k->tmp, m);
    return copy;
}

bool explicit_values_is_value(const void *k, ExprId x)
{
    return map_get(&((const ExplicitValues *)k)->var_of, x.i) != MAP_NONE;
}

/* The variable that has the value, or a leaf as it is. */
static ExprId written_leaf(ExplicitValues *k, ExprId x, uint32_t v)
{
    if (v == MAP_NONE)
        return x;
    ExprId y = system_var_expr(k->s, (VarId){v});
    return v >= k->values.n || expr_same(k->value[v], x) ? y : expr_neg(k->s->pool, y);
}

ExprId explicit_values_written(ExplicitValues *k, ExprId root)
{
    ExprPool *p = k->s->pool;
    ArenaMark m = arena_mark(k->tmp);
    VEC(ExprId) stack = {0};
    VEC(ExprId) args = {0};
    vec_push(k->tmp, stack, root);
    while (stack.n) {
        ExprId x = vec_last(stack);
        uint32_t n = expr_n_args(p, x), v = map_get(&k->var_of, x.i);
        if (map_get(&k->written, x.i) != MAP_NONE) {
            stack.n--;
            continue;
        }
        args.n = 0;
        bool ready = true;
        for (uint32_t i = 0; i < n && v == MAP_NONE; i++) {
            ExprId a = {map_get(&k->written, expr_arg(p, x, i).i)};
            if (a.i == MAP_NONE) {
                vec_push(k->tmp, stack, expr_arg(p, x, i));
                ready = false;
            }
            vec_push(k->tmp, args, a);
        }
        if (!ready)
            continue;
        stack.n--;
        ExprId y = n == 0 || v != MAP_NONE ? written_leaf(k, x, v) : expr_rebuild(p, x, args.at);
        ExprId z = k->named && n > 0 && v == MAP_NONE ? k->named(k->named_data, x, y) : EXPR_NONE;
        if (expr_exists(z))
            y = z;
        map_put(&k->written, x.i, y.i);
    }
    arena_rollback(k->tmp, m);
    return (ExprId){map_get(&k->written, root.i)};
}

uint32_t explicit_values_operations(ExplicitValues *k, uint32_t n, const ExprId *root)
{
    op_counter_begin(&k->counter);
    OpCount c = op_counter_more(&k->counter, n, root);
    return (uint32_t)(c.add + c.mul + c.div + c.call);
}

/* ---- the loop ---- */

bool loop_is_name(const Loop *l, const System *s, uint32_t e)
{
    const ExprPool *p = s->pool;
    const LinearForm *f = &l->form[e];
    return f->n == 2 && expr_is(p, f->rest, 0) &&
           ((expr_is(p, f->coeff[0], 1) && expr_is(p, f->coeff[1], -1)) ||
            (expr_is(p, f->coeff[0], -1) && expr_is(p, f->coeff[1], 1)));
}

static uint32_t root_of(uint32_t *parent, uint32_t u)
{
    while (parent[u] != u)
        u = parent[u] = parent[parent[u]];
    return u;
}

bool loop_open(Loop *l, ExplicitValues *values, uint32_t n, const EqId *eq, const VarId *var,
               Arena *mem)
{
    *l = (Loop){.n = n,
                .eq = arena_array(mem, EqId, n),
                .var = arena_array(mem, VarId, n),
                .form = arena_array(mem, LinearForm, n),
                .place = map_new(mem),
                .same = arena_array(mem, uint32_t, n)};
    explicit_values_grow(values);
    for (uint32_t k = 0; k < n; k++) {
        l->eq[k] = eq[k];
        l->var[k] = var[k];
        l->same[k] = k;
        values->is_unknown[var[k].i] = true;
        map_put(&l->place, var[k].i, k);
    }
    bool linear = true;
    for (uint32_t k = 0; k < n && linear; k++) {
        l->form[k] = explicit_values_form(values, eq[k], mem);
        linear = l->form[k].is_linear;
    }
    for (uint32_t k = 0; k < n && linear; k++) {
        if (!loop_is_name(l, values->s, k))
            continue;
        uint32_t a = root_of(l->same, map_get(&l->place, l->form[k].var[0].i));
        uint32_t b = root_of(l->same, map_get(&l->place, l->form[k].var[1].i));
        bool first = l->var[a].i < l->var[b].i;
        l->same[first ? b : a] = first ? a : b;
    }
    for (uint32_t k = 0; k < n; k++)
        l->same[k] = root_of(l->same, k);
    return linear;
}

void loop_close(const Loop *l, ExplicitValues *values)
{
    for (uint32_t k = 0; k < l->n; k++)
        values->is_unknown[l->var[k].i] = false;
}

/* ---- vectors of arrays ---- */

/* The last two subscripts of a name: x[4,2,3] has 2 and 3; 0 where there is none. */
static void subscripts(const System *s, VarId v, uint32_t last[2])
{
    while (var_exists(s->var.at[v.i].der_of))
        v = s->var.at[v.i].der_of;
    const char *name = s->var.at[v.i].name.s;
    size_t end = strlen(name);
    last[0] = last[1] = 0;
    for (int k = 1; k >= 0 && end > 0 && name[end - 1] == (k ? ']' : ','); k--) {
        uint32_t unit = 1;
        for (end--; end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9'; end--, unit *= 10)
            last[k] += unit * (uint32_t)(name[end - 1] - '0');
    }
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

Shape *array_shapes(const System *s, bool of_equations, Arena *mem)
{
    Shape *shape = arena_array(mem, Shape, s->n_groups + 1);
    for (uint32_t v = 0; v < s->var.n; v++) {
        const Var *x = &s->var.at[v];
        if (x->group == GROUP_NONE)
            continue;
        uint32_t last[2];
        subscripts(s, (VarId){v}, last);
        Shape *g = &shape[x->group];
        g->size = larger(g->size, x->index + 1);
        g->rows = larger(g->rows, last[0]);
        g->columns = larger(g->columns, last[1]);
    }
    if (!of_equations)
        return shape;
    Shape *of_eqs = arena_array(mem, Shape, s->n_groups + 1);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        const Eq *q = &s->eq.at[e];
        if (q->group == GROUP_NONE)
            continue;
        Shape *g = &of_eqs[q->group];
        g->size = larger(g->size, q->index + 1);
        const ExprPool *p = s->pool;
        uint32_t lhs =
            expr_op(p, q->lhs) == OP_VAR ? s->var.at[expr_var_of(p, q->lhs).i].group : GROUP_NONE;
        if (lhs != GROUP_NONE)
            g->columns = shape[lhs].columns;
    }
    return of_eqs;
}

/* Rows and columns of the matrices that an array may consist of; 0 if it cannot. */
static uint32_t matrices_in(Shape g)
{
    if (g.rows > 0)
        return g.rows == g.columns && (g.rows == 2 || g.rows == 3) ? g.rows : 0;
    return g.size > 0 && g.size % 9 == 0 ? 3 : g.size > 0 && g.size % 4 == 0 ? 2 : 0;
}

uint32_t matrix_at(const System *s, const Shape *shape, uint32_t v)
{
    const Var *first = &s->var.at[v];
    uint32_t d = first->group == GROUP_NONE ? 0 : matrices_in(shape[first->group]);
    if (d == 0 || first->type != TYPE_REAL || first->index % (d * d) != 0 || v + d * d > s->var.n)
        return 0;
    for (uint32_t k = 0; k < d * d; k++) {
        const Var *x = &s->var.at[v + k];
        if (x->group != first->group || x->index != first->index + k)
            return 0;
    }
    return d;
}

Coordinate coordinate_of(uint32_t group, uint32_t index, Shape shape)
{
    /* an array of one dimension, or of more than vectors have, may be of vectors one after the
     * other */
    uint32_t n =
        shape.columns > 0 && (shape.rows > 0 || shape.columns <= 3) ? shape.columns : shape.size;
    uint32_t d = n % 3 != 0 && n % 2 == 0 ? 2 : 3;
    return (Coordinate){map_key_pair(group, index / d), index % d};
}
