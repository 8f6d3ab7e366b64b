#include "eliminate/forms/linear_split.h"

#include "base/map.h"
#include "ir/program.h"

/* factor * base: of leaves and kept values. */
typedef struct Term {
    ExprId factor, base;
} Term;

/* A node is the sum of these, each with another base. */
typedef struct Form {
    uint32_t n;
    const Term *term;
} Form;

typedef struct Split {
    System *s;
    ExprPool *p;
    Arena *scratch;
    const char *name;
    const bool *is_right;
    Map moves; /* per node: 1 if such a leaf is in it, else 0 */
    Map uses;  /* per node with one: how often it is an operand, or a root */
    Map form;  /* ... its place among these */
    VEC(Form) forms;
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
    if (expr_op(w->p, x) == OP_VAR || expr_is_fixed(w->p, x))
        return x;
    uint32_t at = map_number(&w->kept_at, x.i, w->kept.n);
    if (at == w->kept.n) {
        vec_push(w->s->mem, w->kept, x);
        vec_push(w->s->mem, w->leaf,
                 system_add_hidden(w->s, arena_printf(w->s->mem, "%s %u", w->name, at)));
    }
    return system_var_expr(w->s, w->leaf.at[at]);
}

static Form form_of(const Split *w, ExprId x)
{
    return w->forms.at[map_get(&w->form, x.i)];
}

static bool put(Split *w, ExprId x, Form form)
{
    map_put(&w->form, x.i, w->forms.n);
    vec_push(w->scratch, w->forms, form);
    return true;
}

static bool put_term(Split *w, ExprId x, ExprId factor, ExprId base)
{
    Term *term = arena_make(w->scratch, Term);
    *term = (Term){factor, base};
    return put(w, x, (Form){1, term});
}

static ExprId product(Split *w, Term t)
{
    return expr_mul(w->p, keep(w, t.factor), t.base);
}

/* The sum of the terms, over kept values and leaves. It begins with a term of positive sign, if
 * there is one; terms of negative sign are subtracted. */
static ExprId sum_of(Split *w, Form form)
{
    ExprPool *p = w->p;
    uint32_t first = 0;
    while (first + 1 < form.n && expr_op(p, form.term[first].factor) == OP_NEG)
        first++;
    ExprId sum = product(w, form.term[first]);
    for (uint32_t k = 0; k < form.n; k++) {
        Term t = form.term[k];
        bool is_minus = expr_op(p, t.factor) == OP_NEG;
        if (k == first)
            continue;
        t.factor = is_minus ? expr_arg(p, t.factor, 0) : t.factor;
        sum = is_minus ? expr_sub(p, sum, product(w, t)) : expr_add(p, sum, product(w, t));
    }
    return sum;
}

/* x over kept values and leaves. */
static ExprId solved(Split *w, ExprId x)
{
    return is_moved(w, x) ? sum_of(w, form_of(w, x)) : keep(w, x);
}

/* The only term of x, which becomes a base itself if it is a sum. */
static Term single(Split *w, ExprId x)
{
    Form form = form_of(w, x);
    if (form.n == 1)
        return form.term[0];
    Term *term = arena_make(w->scratch, Term);
    *term = (Term){expr_int(w->p, 1), sum_of(w, form)};
    w->forms.at[map_get(&w->form, x.i)] = (Form){1, term};
    return *term;
}

/* The terms of an operand of a sum: those of a sum that is used here alone, if they are few. */
static Form terms_of(Split *w, ExprId x)
{
    enum { FEW = 12 };
    if (form_of(w, x).n > 1 && (map_get(&w->uses, x.i) > 1 || form_of(w, x).n > FEW))
        single(w, x);
    return form_of(w, x);
}

/* x, the sum or difference of two nodes: multiples of one base are one term. */
static bool put_sum(Split *w, ExprId x, ExprId a, ExprId b, bool is_difference)
{
    ExprPool *p = w->p;
    Form left = terms_of(w, a), right = terms_of(w, b);
    Term *term = arena_array(w->scratch, Term, left.n + right.n);
    uint32_t n = 0;
    for (uint32_t k = 0; k < left.n; k++)
        term[n++] = left.term[k];
    for (uint32_t k = 0; k < right.n; k++) {
        Term t = right.term[k];
        t.factor = is_difference ? expr_neg(p, t.factor) : t.factor;
        uint32_t q = 0;
        while (q < left.n && !expr_same(left.term[q].base, t.base))
            q++;
        if (q < left.n)
            term[q].factor = expr_add(p, term[q].factor, t.factor);
        else
            term[n++] = t;
    }
    uint32_t n_left = 0;
    for (uint32_t k = 0; k < n; k++)
        if (expr_is_zero(p, term[k].factor) != YES)
            term[n_left++] = term[k];
    if (!n_left)
        term[n_left++] = (Term){expr_int(p, 0), term[0].base};
    return put(w, x, (Form){n_left, term});
}

static bool put_negative(Split *w, ExprId x, ExprId a)
{
    Form form = terms_of(w, a);
    Term *term = arena_array(w->scratch, Term, form.n);
    for (uint32_t k = 0; k < form.n; k++)
        term[k] = (Term){expr_neg(w->p, form.term[k].factor), form.term[k].base};
    return put(w, x, (Form){form.n, term});
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
        return put_term(w, x, expr_int(p, 1), x);
    if (!n_moved)
        return true;
    ExprId m = is_moved(w, a) ? a : b, other = is_moved(w, a) ? b : a;
    if (op == OP_ADD || op == OP_SUB)
        return n_moved == 2 && put_sum(w, x, a, b, op == OP_SUB);
    if (op == OP_NEG)
        return put_negative(w, x, a);
    Term t = single(w, m);
    if (op == OP_MUL && n_moved == 1)
        return put_term(w, x, expr_mul(p, t.factor, other), t.base);
    // a division costs more than all the rest of a row
    if (op == OP_DIV && !is_moved(w, b))
        return put_term(w, x, expr_mul(p, t.factor, expr_div(p, expr_int(p, 1), b)), t.base);
    return false;
}

/* How often each node is an operand of the reached ones, or a root. */
static void count_uses(Split *w, uint32_t n_nodes, const uint32_t *node, uint32_t n,
                       const ExprId *root)
{
    for (uint32_t k = 0; k < n_nodes; k++)
        map_put(&w->uses, node[k], 0);
    for (uint32_t k = 0; k < n_nodes; k++)
        for (uint32_t a = 0; a < expr_n_args(w->p, (ExprId){node[k]}); a++) {
            uint32_t x = expr_arg(w->p, (ExprId){node[k]}, a).i;
            map_put(&w->uses, x, map_get(&w->uses, x) + 1);
        }
    for (uint32_t k = 0; k < n; k++)
        map_put(&w->uses, root[k].i, map_get(&w->uses, root[k].i) + 1);
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
               .uses = map_new(scratch),
               .form = map_new(scratch),
               .kept_at = map_new(scratch)};
    uint32_t n_nodes;
    const uint32_t *node = reached(&w, n, root, &n_nodes);
    count_uses(&w, n_nodes, node, n, root);
    for (uint32_t k = 0; k < n_nodes; k++)
        if (!split_node(&w, (ExprId){node[k]}))
            return false;
    ExprId *to = arena_array(s->mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        to[k] = solved(&w, root[k]);
    *out = (LinearSplit){w.kept.n, w.kept.at, w.leaf.at, to};
    return true;
}
