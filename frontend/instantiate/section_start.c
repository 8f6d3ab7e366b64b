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

/* Is x of variables on a clock. */
static bool is_of_clock(const Sets *t, ExprId root)
{
    const ExprPool *p = t->s->pool;
    Map seen = map_new(t->scratch);
    VEC(ExprId) stack = {0};
    vec_push(t->scratch, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        if (expr_variability(p, x) != VARIES_ALWAYS || !map_add(&seen, x.i))
            continue;
        if (expr_op(p, x) == OP_VAR)
            return disjoint_leader(t->leader, expr_var_of(p, x).i) ==
                   disjoint_leader(t->leader, t->clocked);
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(t->scratch, stack, expr_arg(p, x, k));
    }
    return false;
}

static void report_loops(Front *f, const Sets *t)
{
    Map reported = map_new(t->scratch); /* once for all instances */
    for (uint32_t k = 0; k < f->lookup->loop.n; k++) {
        const DiscreteLoop *l = &f->lookup->loop.at[k];
        if ((t->any_clock && is_of_clock(t, l->call)) ||
            !map_add(&reported, map_key_pair(l->span.file, l->span.begin)))
            continue;
        (f->strict ? diag_error : diag_warning)(
            f->diags, l->span, "T41",
            "'%s' changes at events only, and this loop assigns it between them: in a loop whose "
            "rounds depend on variables relations make no events (MLS 3.8.5)",
            l->name.s);
    }
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
    bool any = f->lookup->loop.n > 0;
    for (uint32_t k = 0; k < s->function->n; k++)
        any = any || s->function->at[k].intrinsic == INTRINSIC_BEFORE;
    if (!any)
        return;
    Arena *walk = arena_new();
    Sets t = {.s = s, .scratch = f->scratch, .n_vars = s->var.n};
    t.clocked = s->var.n + s->eq.n;
    t.leader = disjoint_new(t.clocked + 1, f->scratch);
    find_clocked(&t);
    report_loops(f, &t);
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
