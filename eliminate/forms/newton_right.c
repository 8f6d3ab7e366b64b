#include "eliminate/forms/newton_right.h"

#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/sensitivity.h"

typedef struct Split {
    System *s;
    ExprPool *p;
    Arena *scratch;
    bool *is_right; /* per variable: a leaf of the right-hand side */
    Map moves;      /* per node: 1 if such a leaf is in it, else 0 */
    Map solved;     /* per node with one: its expression over kept nodes */
    Map kept_at;    /* per node that is kept: its place */
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

/* The value of x, where no right-hand side is in it: itself where it is at hand anyway, else a leaf
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
                 system_add_hidden(w->s, arena_printf(w->s->mem, "newton kept %u", at)));
    }
    return system_var_expr(w->s, w->leaf.at[at]);
}

static ExprId solved(Split *w, ExprId x)
{
    return is_moved(w, x) ? (ExprId){map_get(&w->solved, x.i)} : keep(w, x);
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
        map_put(&w->solved, x.i, x.i);
    if (!n_moved)
        return true;
    ExprId to = EXPR_NONE;
    if (op == OP_NEG)
        to = expr_neg(p, solved(w, a));
    else if (op == OP_ADD)
        to = expr_add(p, solved(w, a), solved(w, b));
    else if (op == OP_SUB)
        to = expr_sub(p, solved(w, a), solved(w, b));
    else if (op == OP_MUL && n_moved == 1)
        to = expr_mul(p, solved(w, a), solved(w, b));
    else if (op == OP_DIV && !is_moved(w, b))
        // a division costs more than all the rest of a row
        to = expr_mul(p, solved(w, a), keep(w, expr_div(p, expr_int(p, 1), b)));
    if (!expr_exists(to))
        return false;
    map_put(&w->solved, x.i, to.i);
    return true;
}

/* `out->kept` and `out->delta` of n increments that are linear in the leaves. */
static bool split(Split *w, uint32_t n, const ExprId *delta, NewtonSolve *out)
{
    uint32_t n_nodes;
    const uint32_t *node = reached(w, n, delta, &n_nodes);
    for (uint32_t k = 0; k < n_nodes; k++)
        if (!split_node(w, (ExprId){node[k]}))
            return false;
    ExprId *to = arena_array(w->s->mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        to[k] = solved(w, delta[k]);
    out->n_kept = w->kept.n;
    out->kept = w->kept.at;
    out->delta = to;
    return true;
}

/* ---- derivatives by parameters ---- */

typedef struct Entries {
    VEC(uint32_t) by, place;
    VEC(ExprId) entry;
} Entries;

static bool add_entry(System *s, Differentiator *d, ExprId of, uint32_t by, uint32_t place,
                      Entries *out)
{
    ExprId x = differentiate(d, of);
    if (!expr_exists(x))
        return false;
    if (expr_is_zero(s->pool, x) == YES)
        return true;
    vec_push(s->mem, out->by, by);
    vec_push(s->mem, out->place, place);
    vec_push(s->mem, out->entry, x);
    return true;
}

/* Of the equations at hand, states, multipliers and derivatives that are free held. */
static bool by_parameters(const NewtonView *v, const Dae *d, Entries *out, Arena *scratch)
{
    System *s = d->sys;
    ExprPool *p = s->pool;
    const Sensitivities *t = d->sensitivities;
    const NewtonRight *r = v->right;
    const Program *g = &d->solution.program;
    ExprId *none = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        none[k] = EXPR_NONE;
    // as in an iteration, whose weights are 1
    for (uint32_t k = 1; k < 3; k++)
        none[v->newton->input[k].i] = expr_int(p, 1);
    Substitution weights = {.value = none, .n = s->var.n, .mem = scratch};
    bool ok = true;
    for (uint32_t j = 0; j < t->n && ok; j++) {
        ExprId *along = arena_array(scratch, ExprId, t->n_vars + 1);
        for (uint32_t k = 0; k < t->n_vars; k++)
            along[k] = s->var.at[k].kind == VAR_PARAMETER ? t->of[j][k] : EXPR_NONE;
        Differentiator diff = differentiator_along(s, t->n_vars, along, false, scratch);
        for (uint32_t k = 0; k < r->n_rows && ok; k++)
            ok = add_entry(s, &diff, expr_substitute(p, &weights, r->row_value[k]), j, k, out);
        for (uint32_t k = 0; k < r->n_states && ok; k++)
            ok = add_entry(s, &diff, expr_substitute(p, &weights, r->defect_value[k]), j,
                           r->n_rows + k, out);
        for (uint32_t k = 0; k < v->n_constraints && ok; k++)
            ok = add_entry(s, &diff, expr_neg(p, g->loops->phi[k]), j, r->n_rows + r->n_states + k,
                           out);
    }
    return ok;
}

void newton_right_split(NewtonView *v, Dae *d, Arena *scratch)
{
    System *s = d->sys;
    NewtonSystem *w = v->newton;
    NewtonRight *r = v->right;
    Split split_of = {.s = s,
                      .p = s->pool,
                      .scratch = scratch,
                      .is_right = arena_array(scratch, bool, s->var.n + 1),
                      .moves = map_new(scratch),
                      .solved = map_new(scratch),
                      .kept_at = map_new(scratch)};
    NewtonSolve *out = arena_make(s->mem, NewtonSolve);
    Entries entries = {0};
    uint32_t n_before = s->var.n;
    for (uint32_t k = 0; k < r->n_rows; k++)
        split_of.is_right[r->row[k].i] = true;
    for (uint32_t k = 0; k < r->n_states; k++)
        split_of.is_right[r->defect[k].i] = true;
    uint32_t first_s = w->n_inputs - v->n_constraints;
    for (uint32_t k = 0; k < v->n_constraints; k++)
        split_of.is_right[w->input[first_s + k].i] = true;
    bool ok = split(&split_of, w->n_delta, w->delta, out) && by_parameters(v, d, &entries, scratch);

    // the iteration itself, whose right-hand sides are known
    ExprId *value = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = EXPR_NONE;
    for (uint32_t k = 0; k < r->n_rows; k++)
        value[r->row[k].i] = r->row_value[k];
    for (uint32_t k = 0; k < r->n_states; k++)
        value[r->defect[k].i] = r->defect_value[k];
    Substitution known = {.value = value, .n = s->var.n, .mem = scratch};
    for (uint32_t k = 0; k < w->n_delta; k++)
        w->delta[k] = expr_substitute(s->pool, &known, w->delta[k]);
    if (!ok) {
        program_extend(&d->solution.program, n_before);
        return;
    }
    out->n_rows = r->n_rows;
    out->n_states = r->n_states;
    out->n_constraints = v->n_constraints;
    out->first = w->n_inputs;
    out->n_entries = entries.entry.n;
    out->by = entries.by.at;
    out->place = entries.place.at;
    out->entry = entries.entry.at;
    VarId *input = arena_array(s->mem, VarId,
                               w->n_inputs + out->n_rows + out->n_states + out->n_kept +
                                   (size_t)out->n_entries + 1);
    for (uint32_t k = 0; k < w->n_inputs; k++)
        input[k] = w->input[k];
    uint32_t n = w->n_inputs;
    for (uint32_t k = 0; k < r->n_rows; k++)
        input[n++] = r->row[k];
    for (uint32_t k = 0; k < r->n_states; k++)
        input[n++] = r->defect[k];
    for (uint32_t k = 0; k < out->n_kept; k++)
        input[n++] = split_of.leaf.at[k];
    for (uint32_t k = 0; k < out->n_entries; k++)
        input[n++] = system_add_hidden(s, arena_printf(s->mem, "newton entry %u", k));
    program_extend(&d->solution.program, n_before);
    w->input = input;
    w->n_inputs = n;
    w->solve = out;
}
