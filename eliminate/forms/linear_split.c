#include "eliminate/forms/linear_split.h"

#include "base/map.h"
#include "ir/program.h"

typedef struct Split {
    System *s;
    ExprPool *p;
    Arena *scratch;
    const char *name;
    const bool *is_right;
    Map moves; /* per node: 1 if such a leaf is in it, else 0 */
    /* Per node with one: it is factor * base, base an expression over kept values and leaves. */
    Map base, factor;
    Map kept_at; /* per node that is kept: its place */
    VEC(ExprId) kept;
    VEC(VarId) leaf;
} Split;

/* Nodes that the roots reach, operands before users. */
static const uint32_t *reached(Split *w, uint32_t n, const ExprId *root, uint32_t *n_reached)
{
    bool *mark = arena_array(w->scratch, bool, pool_size(w->p) + 1);
    VEC(uint32_t) found = {0};
    program_reach(w->p, n, root, mark);
    for (uint32_t k = 0, end = pool_size(w->p); k < end; k++)
        if (mark[k])
            vec_push(w->scratch, found, k);
    *n_reached = found.n;
    return found.at;
}

static bool is_moved(const Split *w, ExprId x)
{
    return map_get(&w->moves, x.i) == 1;
}

/* The value of x, where no such leaf is in it: itself where it is at hand anyway, else a leaf
 * that stands for it. */
static ExprId keep(Split *w, ExprId x)
{
    if (expr_op(w->p, x) == OP_NEG)
        return expr_neg(w->p, keep(w, expr_arg(w->p, x, 0)));
    if (expr_op(w->p, x) == OP_VAR || expr_variability(w->p, x) <= VARIES_PARAMETER)
        return x;
    uint32_t at = map_get(&w->kept_at, x.i);
    if (at == MAP_NONE) {
        at = w->kept.n;
        map_put(&w->kept_at, x.i, at);
        vec_push(w->s->mem, w->kept, x);
        vec_push(w->s->mem, w->leaf,
                 system_add_hidden(w->s, arena_printf(w->s->mem, "%s %u", w->name, at)));
    }
    return system_var_expr(w->s, w->leaf.at[at]);
}

/* x over kept values and leaves. */
static ExprId solved(Split *w, ExprId x)
{
    if (!is_moved(w, x))
        return keep(w, x);
    ExprId base = {map_get(&w->base, x.i)}, factor = {map_get(&w->factor, x.i)};
    return expr_mul(w->p, keep(w, factor), base);
}

static ExprId factor_of(const Split *w, ExprId x)
{
    return (ExprId){map_get(&w->factor, x.i)};
}

/* x = factor * base. */
static bool put(Split *w, ExprId x, ExprId factor, uint32_t base)
{
    map_put(&w->factor, x.i, factor.i);
    map_put(&w->base, x.i, base);
    return true;
}

/* x, the sum or difference of two nodes: of multiples of one base such a multiple. */
static bool put_sum(Split *w, ExprId x, ExprId a, ExprId b, bool is_difference)
{
    ExprPool *p = w->p;
    ExprId (*sum)(ExprPool *, ExprId, ExprId) = is_difference ? expr_sub : expr_add;
    uint32_t base = is_moved(w, a) ? map_get(&w->base, a.i) : MAP_NONE;
    if (is_moved(w, a) && is_moved(w, b) && base == map_get(&w->base, b.i))
        return put(w, x, sum(p, factor_of(w, a), factor_of(w, b)), base);
    return put(w, x, expr_int(p, 1), sum(p, solved(w, a), solved(w, b)).i);
}

/* False if x is not linear in the right-hand sides, as far as that is seen. */
static bool split_node(Split *w, ExprId x)
{
    ExprPool *p = w->p;
    Op op = expr_op(p, x);
    uint32_t n = expr_n_args(p, x), n_moved = 0;
    ExprId a = n > 0 ? expr_arg(p, x, 0) : EXPR_NONE, b = n > 1 ? expr_arg(p, x, 1) : EXPR_NONE;
    for (uint32_t k = 0; k < n; k++)
        n_moved += is_moved(w, expr_arg(p, x, k));
    bool is_leaf = op == OP_VAR && w->is_right[expr_var_of(p, x).i];
    map_put(&w->moves, x.i, n_moved > 0 || is_leaf);
    if (is_leaf)
        return put(w, x, expr_int(p, 1), x.i);
    if (!n_moved)
        return true;
    ExprId m = is_moved(w, a) ? a : b, other = is_moved(w, a) ? b : a;
    uint32_t base = map_get(&w->base, m.i);
    if (op == OP_NEG)
        return put(w, x, expr_neg(p, factor_of(w, a)), base);
    if (op == OP_ADD || op == OP_SUB)
        return put_sum(w, x, a, b, op == OP_SUB);
    if (op == OP_MUL && n_moved == 1)
        return put(w, x, expr_mul(p, factor_of(w, m), other), base);
    // a division costs more than all the rest of a row
    if (op == OP_DIV && !is_moved(w, b))
        return put(w, x, expr_mul(p, factor_of(w, a), expr_div(p, expr_int(p, 1), b)), base);
    return false;
}

bool linear_split(System *s, const bool *is_right, uint32_t n, const ExprId *root, const char *name,
                  LinearSplit *out, Arena *scratch)
{
    Split w = {.s = s,
               .p = s->pool,
               .scratch = scratch,
               .name = name,
               .is_right = is_right,
               .moves = map_new(scratch),
               .base = map_new(scratch),
               .factor = map_new(scratch),
               .kept_at = map_new(scratch)};
    uint32_t n_nodes;
    const uint32_t *node = reached(&w, n, root, &n_nodes);
    for (uint32_t k = 0; k < n_nodes; k++)
        if (!split_node(&w, (ExprId){node[k]}))
            return false;
    ExprId *to = arena_array(s->mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        to[k] = solved(&w, root[k]);
    *out = (LinearSplit){w.kept.n, w.kept.at, w.leaf.at, to};
    return true;
}
