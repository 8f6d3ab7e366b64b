#include "eliminate/prepare/known_differences.h"

/* p = sign * (another unknown) + value, over states. */
typedef struct Link {
    uint32_t to; /* variable */
    int sign;
    ExprId value;
} Link;

typedef struct Links {
    VEC(Link) at;
} Links;

/* p = sign * root + value. */
typedef struct Standing {
    uint32_t root; /* variable; UINT32_MAX: none */
    int sign;
    ExprId value;
} Standing;

typedef struct Work {
    System *s;
    Standing *standing; /* per variable */
    bool *is_moving;    /* per variable: unknown or state */
    bool *is_linked;    /* per variable: hangs together with others */
    bool has_changed;
    Arena *mem;
} Work;

/* Equation e as  a = sign * b + value  of two unknowns a, b and one state, all with the factors 1
 * and -1 and nothing else; false if it is no such equation. */
static bool links_two(const Work *w, const Dae *d, uint32_t e, VarId *a, VarId *b, Link *out)
{
    enum { THREE = 3 };
    System *s = w->s;
    ExprPool *p = s->pool;
    VarId *v, unknown[2];
    ExprId residual = expr_sub(p, s->eq.at[e].lhs, s->eq.at[e].rhs), coeff[2], state = EXPR_NONE;
    uint32_t n_unknowns = 0;
    if (unknowns_of(s, w->is_moving, residual, THREE, w->mem, &v) != THREE)
        return false;
    Substitution none = {0};
    LinearForm f = linear_form(s, w->is_moving, &none, residual, w->mem);
    if (!f.is_linear || f.n != THREE || expr_is_zero(p, f.rest) != YES)
        return false;
    for (uint32_t k = 0; k < THREE; k++) {
        if (!expr_is(p, f.coeff[k], 1) && !expr_is(p, f.coeff[k], -1))
            return false;
        if (d->is_state[f.var[k].i]) {
            state = expr_mul(p, f.coeff[k], system_var_expr(s, f.var[k]));
        } else if (n_unknowns < 2) {
            unknown[n_unknowns] = f.var[k];
            coeff[n_unknowns++] = f.coeff[k];
        } else {
            return false;
        }
    }
    if (n_unknowns != 2 || !expr_exists(state))
        return false;
    // coeff0 a + coeff1 b + state = 0
    bool alike = expr_is(p, coeff[0], 1) == expr_is(p, coeff[1], 1);
    *a = unknown[0];
    *b = unknown[1];
    *out = (Link){.sign = alike ? -1 : 1,
                  .value = expr_is(p, coeff[0], 1) ? expr_neg(p, state) : state};
    return true;
}

/* Unknowns that hang together, as far as NEAR links from the first one. */
static void find_standings(Work *w, const Links *links, uint32_t n)
{
    enum { NEAR = 3 };
    ExprPool *p = w->s->pool;
    VEC(uint32_t) queue = {0};
    uint32_t *distance = arena_array(w->mem, uint32_t, n + 1);
    for (uint32_t first = 0; first < n; first++) {
        if (links[first].at.n == 0 || w->standing[first].root != UINT32_MAX)
            continue;
        w->standing[first] = (Standing){first, 1, expr_int(p, 0)};
        queue.n = 0;
        vec_push(w->mem, queue, first);
        for (uint32_t i = 0; i < queue.n; i++) {
            uint32_t at = queue.at[i];
            const Standing here = w->standing[at];
            for (uint32_t k = 0; k < links[at].at.n && distance[at] < NEAR; k++) {
                const Link *l = &links[at].at.at[k];
                if (w->standing[l->to].root != UINT32_MAX)
                    continue;
                // to = sign * at + value
                ExprId moved = l->sign > 0 ? here.value : expr_neg(p, here.value);
                w->standing[l->to] =
                    (Standing){first, here.sign * l->sign, expr_add(p, moved, l->value)};
                distance[l->to] = distance[at] + 1;
                vec_push(w->mem, queue, l->to);
            }
        }
    }
}

static bool is_nonlinear(Op op)
{
    return op == OP_FN || op == OP_FN2 || op == OP_POW || op == OP_MUL || op == OP_DIV ||
           op == OP_SELECT || op == OP_LT || op == OP_LE || op == OP_EQ || op == OP_NE;
}

/* Of a sum in which two unknowns stand that are known together, over states; else x. */
static ExprId known(Work *w, ExprId x)
{
    enum { TWO = 2 };
    System *s = w->s;
    ExprPool *p = s->pool;
    if (!op_is_sum(expr_op(p, x)))
        return x;
    ArenaMark mark = arena_mark(w->mem);
    VarId *v;
    ExprId to = x;
    if (unknowns_of(s, w->is_linked, x, TWO, w->mem, &v) == TWO) {
        const Standing *one = &w->standing[v[0].i], *other = &w->standing[v[1].i];
        Substitution none = {0};
        LinearForm f = linear_form(s, w->is_linked, &none, x, w->mem);
        bool known = f.is_linear && f.n == TWO && one->root == other->root;
        // coeff0 sign0 root + coeff1 sign1 root = 0
        if (known &&
            expr_same(f.coeff[0], one->sign == other->sign ? expr_neg(p, f.coeff[1]) : f.coeff[1]))
            to = expr_add(p, f.rest,
                          expr_add(p, expr_mul(p, f.coeff[0], w->standing[f.var[0].i].value),
                                   expr_mul(p, f.coeff[1], w->standing[f.var[1].i].value)));
    }
    arena_rollback(w->mem, mark);
    w->has_changed = w->has_changed || !expr_same(to, x);
    return to;
}

/* For expr_map. */
static ExprId look_below(void *work, ExprId x)
{
    enum { MOST = 3 };
    Work *w = work;
    const ExprPool *p = w->s->pool;
    uint32_t n = expr_n_args(p, x);
    if (!is_nonlinear(expr_op(p, x)) || n > MOST)
        return x;
    ExprId arg[MOST];
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        arg[k] = known(w, expr_arg(p, x, k));
        any = any || !expr_same(arg[k], expr_arg(p, x, k));
    }
    return any ? expr_rebuild(w->s->pool, x, arg) : x;
}

bool known_differences_put_in(Dae *d, Arena *scratch)
{
    System *s = d->sys;
    uint32_t n = s->var.n, n_links = 0;
    Work w = {.s = s,
              .standing = arena_array(scratch, Standing, n + 1),
              .is_moving = arena_array(scratch, bool, n + 1),
              .is_linked = arena_array(scratch, bool, n + 1),
              .mem = scratch};
    for (uint32_t k = 0; k < n; k++) {
        w.standing[k] = (Standing){UINT32_MAX, 0, EXPR_NONE};
        w.is_moving[k] = s->var.at[k].kind == VAR_CONTINUOUS;
    }
    Links *links = arena_array(scratch, Links, n + 1);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        VarId a, b;
        Link l;
        if (!links_two(&w, d, e, &a, &b, &l))
            continue;
        l.to = a.i; // a = sign * b + value
        vec_push(scratch, links[b.i].at, l);
        l.to = b.i; // b = sign * (a - value)
        l.value = l.sign > 0 ? expr_neg(s->pool, l.value) : l.value;
        vec_push(scratch, links[a.i].at, l);
        n_links++;
    }
    if (n_links == 0)
        return false;
    find_standings(&w, links, n);
    for (uint32_t k = 0; k < n; k++)
        w.is_linked[k] = w.standing[k].root != UINT32_MAX;
    Arena *walk = arena_new();
    for (uint32_t e = 0; e < s->eq.n; e++) {
        s->eq.at[e].lhs = expr_map(s->pool, walk, s->eq.at[e].lhs, look_below, &w);
        s->eq.at[e].rhs = expr_map(s->pool, walk, s->eq.at[e].rhs, look_below, &w);
    }
    arena_free(walk);
    return w.has_changed;
}
