#include "frontend/instantiate/section_start.h"

#include "base/disjoint.h"
#include "frontend/instantiate/instance.h"
#include "ir/body.h"

ExprId section_before(Front *f, ExprId v, ExprId start)
{
    ExprId arg[] = {v, start};
    return expr_of_clock(f->sys, INTRINSIC_BEFORE, 2, arg);
}

/* Sets of variables and equations that hang together; one more set is all that is clocked. */
typedef struct Sets {
    System *s;
    Arena *scratch;
    uint32_t *leader;
    uint32_t n_vars, clocked;
    bool any_clock;
} Sets;

static Intrinsic intrinsic_of(const System *s, ExprId x)
{
    return expr_op(s->pool, x) == OP_PROJ
               ? s->function->at[expr_func_of(s->pool, expr_arg(s->pool, x, 0)).i].intrinsic
               : INTRINSIC_NONE;
}

/* Variables of x belong to the equation `at`; operands that are sampled or held do not, and
 * operands on other clocks are clocked by themselves. */
static void join_variables(Sets *t, uint32_t at, ExprId root, Map *seen)
{
    const ExprPool *p = t->s->pool;
    VEC(ExprId) stack = {0};
    vec_push(t->scratch, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        if (expr_is_fixed(p, x) || !map_add(seen, x.i))
            continue;
        Intrinsic i = intrinsic_of(t->s, x);
        if (intrinsic_is_clocked(i)) {
            t->any_clock = true;
            if (i != INTRINSIC_HOLD)
                disjoint_join(t->leader, at, t->clocked);
            ExprId u = expr_arg(p, expr_arg(p, x, 0), 0);
            bool is_own =
                i == INTRINSIC_PREVIOUS || i == INTRINSIC_INTERVAL || i == INTRINSIC_FIRST_TICK;
            if (i == INTRINSIC_SAMPLE)
                continue;
            if (!is_own && expr_op(p, u) == OP_VAR)
                disjoint_join(t->leader, expr_var_of(p, u).i, t->clocked);
            if (is_own)
                vec_push(t->scratch, stack, u);
            continue;
        }
        if (expr_op(p, x) == OP_VAR)
            disjoint_join(t->leader, at, expr_var_of(p, x).i);
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(t->scratch, stack, expr_arg(p, x, k));
    }
}

static void find_clocked(Sets *t)
{
    System *s = t->s;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        const Eq *e = &s->eq.at[k];
        ArenaMark mark = arena_mark(t->scratch);
        Map seen = map_new(t->scratch);
        join_variables(t, t->n_vars + k, e->lhs, &seen);
        join_variables(t, t->n_vars + k, e->rhs, &seen);
        arena_rollback(t->scratch, mark);
        if (e->state)
            disjoint_join(t->leader, t->n_vars + k, t->clocked);
    }
    for (uint32_t k = 0; k < s->lost.n; k++) {
        Map seen = map_new(t->scratch);
        join_variables(t, t->n_vars + s->lost.at[k].eq.i, s->lost.at[k].x, &seen);
    }
    for (uint32_t k = 0; k < s->clocked.n; k++) {
        const ClockedWhen *w = &s->clocked.at[k];
        t->any_clock = true;
        for (uint32_t j = w->first; j < w->first + w->n; j++)
            disjoint_join(t->leader, t->n_vars + j, t->clocked);
    }
}

static ExprId to_start(void *data, ExprId x)
{
    Front *f = data;
    const ExprPool *p = f->sys->pool;
    if (intrinsic_of(f->sys, x) != INTRINSIC_BEFORE)
        return x;
    ExprId call = expr_arg(p, x, 0);
    vec_push(f->mem, f->lookup->assumed, ((Assumed){expr_var_of(p, expr_arg(p, call, 0)), {0}}));
    return expr_arg(p, call, 1);
}

bool section_assume(Front *f, ExprId *cond, Span span)
{
    uint32_t n = f->lookup->assumed.n;
    ExprId known = expr_map(f->sys->pool, f->scratch, *cond, to_start, f);
    if (!expr_is_fixed(f->sys->pool, known)) {
        f->lookup->assumed.n = n;
        return false;
    }
    for (uint32_t k = n; k < f->lookup->assumed.n; k++)
        f->lookup->assumed.at[k].span = span;
    *cond = known;
    return f->lookup->assumed.n > n;
}

static ExprId resolve(void *data, ExprId x)
{
    Sets *t = data;
    System *s = t->s;
    if (intrinsic_of(s, x) != INTRINSIC_BEFORE)
        return x;
    ExprId call = expr_arg(s->pool, x, 0), v = expr_arg(s->pool, call, 0);
    bool is_clocked = t->any_clock && disjoint_leader(t->leader, expr_var_of(s->pool, v).i) ==
                                          disjoint_leader(t->leader, t->clocked);
    return is_clocked ? expr_of_clock(s, INTRINSIC_PREVIOUS, 1, &v) : expr_arg(s->pool, call, 1);
}

void section_starts(Front *f)
{
    System *s = f->sys;
    bool any = false;
    for (uint32_t k = 0; k < s->function->n; k++)
        any = any || s->function->at[k].intrinsic == INTRINSIC_BEFORE;
    if (!any)
        return;
    Arena *walk = arena_new();
    Sets t = {.s = s, .scratch = f->scratch, .n_vars = s->var.n};
    t.clocked = s->var.n + s->eq.n;
    t.leader = disjoint_new(t.clocked + 1, f->scratch);
    find_clocked(&t);
    for (uint32_t k = 0; t.any_clock && k < f->lookup->assumed.n; k++) {
        const Assumed *a = &f->lookup->assumed.at[k];
        if (disjoint_leader(t.leader, a->var.i) == disjoint_leader(t.leader, t.clocked)) {
            diag_error(f->diags, a->span, "F31",
                       "this while loop depends on the value of '%s' at the tick before, so the "
                       "algorithm cannot be expanded",
                       var_at(s, a->var)->name.s);
            break;
        }
    }
    ExprPool *p = s->pool;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        ExprId lhs = expr_map(p, walk, s->eq.at[k].lhs, resolve, &t);
        ExprId rhs = expr_map(p, walk, s->eq.at[k].rhs, resolve, &t);
        s->eq.at[k].lhs = lhs;
        s->eq.at[k].rhs = rhs;
    }
    for (uint32_t k = 0; k < s->lost.n; k++)
        s->lost.at[k].x = expr_map(p, walk, s->lost.at[k].x, resolve, &t);
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        s->assertion.at[k].cond = expr_map(p, walk, s->assertion.at[k].cond, resolve, &t);
        if (expr_exists(s->assertion.at[k].message))
            s->assertion.at[k].message = expr_map(p, walk, s->assertion.at[k].message, resolve, &t);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        s->action.at[k].fires = expr_map(p, walk, s->action.at[k].fires, resolve, &t);
        s->action.at[k].value = expr_map(p, walk, s->action.at[k].value, resolve, &t);
    }
    for (uint32_t k = 0; k < s->memory.n; k++)
        if (expr_exists(s->memory.at[k].of))
            s->memory.at[k].of = expr_map(p, walk, s->memory.at[k].of, resolve, &t);
    arena_free(walk);
}
