#include "eliminate/prepare/string_check.h"

#include "ir/body.h"

/* ---- they change at events ---- */

/* Whether x is true at events alone: an edge, c and not pre(c); change(v), v <> pre(v); a sample, a
 * tick of a clock; initial(). */
static bool is_pulse(const System *s, ExprId x, Arena *mem)
{
    const ExprPool *p = s->pool;
    VEC(ExprId) part = {0}; /* of a conjunction */
    vec_push(mem, part, x);
    for (uint32_t k = 0; k < part.n; k++)
        for (uint32_t i = 0; expr_op(p, part.at[k]) == OP_AND && i < 2; i++)
            vec_push(mem, part, expr_arg(p, part.at[k], i));
    Map all = map_new(mem);
    for (uint32_t k = 0; k < part.n; k++)
        map_put(&all, part.at[k].i, 1);
    for (uint32_t k = 0; k < part.n; k++) {
        ExprId y = part.at[k];
        Op op = expr_op(p, y);
        ExprId a = op == OP_NOT || op == OP_NE || op == OP_OR ? expr_arg(p, y, 0) : EXPR_NONE;
        ExprId b = op == OP_NE || op == OP_OR ? expr_arg(p, y, 1) : EXPR_NONE;
        bool is_memory = op == OP_VAR && s->var.at[expr_var_of(p, y).i].kind == VAR_MEMORY;
        bool is_edge = op == OP_NOT && expr_op(p, a) == OP_PRE &&
                       map_get(&all, expr_arg(p, a, 0).i) != MAP_NONE;
        bool is_change =
            op == OP_NE && ((expr_op(p, a) == OP_PRE && expr_same(expr_arg(p, a, 0), b)) ||
                            (expr_op(p, b) == OP_PRE && expr_same(expr_arg(p, b, 0), a)));
        bool is_one_of = op == OP_OR && is_pulse(s, a, mem) && is_pulse(s, b, mem);
        if (op == OP_INITIAL || is_memory || is_edge || is_change || is_one_of)
            return true;
    }
    return false;
}

static bool is_step(const ExprPool *p, ExprId x)
{
    Op op = expr_op(p, x);
    if (op == OP_FN)
        return expr_fn_of(p, x) == FN_FLOOR || expr_fn_of(p, x) == FN_CEIL;
    return op == OP_LT || op == OP_LE || op == OP_EQ || op == OP_NE ||
           (op == OP_FN2 && expr_fn2_of(p, x) == FN2_DIV);
}

typedef struct Visit {
    ExprId x;
    bool has_events; /* relations make some here */
} Visit;

/* Which locals of a function at work change with its moving arguments. */
typedef struct Flow {
    const ExprPool *p;
    bool *moves; /* per local */
    bool is_changed, is_everything;
    Arena *mem;
} Flow;

static bool reads_moving(const Flow *w, ExprId root)
{
    ArenaMark mark = arena_mark(w->mem);
    Map seen = map_new(w->mem);
    VEC(ExprId) stack = {0};
    bool found = false;
    vec_push(w->mem, stack, root);
    while (stack.n && !found) {
        ExprId x = stack.at[--stack.n];
        if (map_get(&seen, x.i) != MAP_NONE)
            continue;
        map_put(&seen, x.i, 1);
        found = expr_op(w->p, x) == OP_LOCAL && w->moves[expr_local_of(w->p, x)];
        for (uint32_t k = 0; k < expr_n_args(w->p, x); k++)
            vec_push(w->mem, stack, expr_arg(w->p, x, k));
    }
    arena_rollback(w->mem, mark);
    return found;
}

static void flow_in(Flow *w, const StatementList *list, bool is_moving)
{
    for (uint32_t k = 0; k < list->n; k++) {
        const Statement *st = list->at[k];
        bool leaves = st->kind == STATEMENT_BREAK || st->kind == STATEMENT_RETURN;
        w->is_everything = w->is_everything || (leaves && is_moving);
        for (uint32_t i = 0; st->kind == STATEMENT_ASSIGN && i < st->n; i++) {
            if (w->moves[st->to[i]] || !(is_moving || reads_moving(w, st->value[i])))
                continue;
            w->moves[st->to[i]] = w->is_changed = true;
        }
        bool has_condition = st->kind == STATEMENT_IF || st->kind == STATEMENT_LOOP;
        bool is_inside = is_moving || (has_condition && reads_moving(w, st->cond));
        flow_in(w, &st->body, is_inside);
        flow_in(w, &st->otherwise, is_inside);
    }
}

/* Whether result k of a function depends on inputs that move. */
static bool result_moves(const System *s, const Function *f, uint32_t k, const bool *input,
                         Arena *mem)
{
    bool any = false;
    for (uint32_t i = 0; i < f->n_in; i++)
        any = any || input[i];
    if (!any || !f->body || f->body->external)
        return any;
    Flow w = {.p = s->pool, .moves = arena_array(mem, bool, f->body->local.n + 1), .mem = mem};
    for (uint32_t i = 0; i < f->n_in; i++)
        w.moves[f->body->input[i]] = input[i];
    do {
        w.is_changed = false;
        flow_in(&w, &f->body->list, false);
    } while (w.is_changed && !w.is_everything);
    return w.is_everything || w.moves[f->body->output[k]];
}

static bool moves(const System *s, ExprId root, bool has_events, Arena *mem);

static bool call_moves(const System *s, ExprId x, bool has_events, Arena *mem)
{
    ExprId call = expr_arg(s->pool, x, 0);
    const Function *f = &s->function->at[expr_func_of(s->pool, call).i];
    bool *input = arena_array(mem, bool, f->n_in + 1);
    for (uint32_t k = 0; k < f->n_in; k++)
        input[k] = moves(s, expr_arg(s->pool, call, k), has_events, mem);
    return result_moves(s, f, expr_proj_of(s->pool, x), input, mem);
}

/* Whether the value of x changes between events. */
static bool moves(const System *s, ExprId root, bool has_events_there, Arena *mem)
{
    const ExprPool *p = s->pool;
    VEC(Visit) stack = {0};
    Map seen = map_new(mem);
    vec_push(mem, stack, ((Visit){root, has_events_there}));
    while (stack.n) {
        Visit at = stack.at[--stack.n];
        Op op = expr_op(p, at.x);
        uint64_t key = map_key_pair(at.x.i, at.has_events);
        bool is_known = map_get(&seen, key) != MAP_NONE;
        map_put(&seen, key, 1);
        if (is_known || op == OP_PRE || (at.has_events && is_step(p, at.x)))
            continue;
        if (op == OP_TIME || op == OP_DER)
            return true;
        if (op == OP_VAR) {
            const Var *v = &s->var.at[expr_var_of(p, at.x).i];
            if (v->kind == VAR_CONTINUOUS || (v->kind == VAR_INPUT && v->type == TYPE_REAL))
                return true;
        }
        if (op == OP_PROJ && call_moves(s, at.x, at.has_events, mem))
            return true;
        if (op == OP_PROJ)
            continue;
        bool has_events = at.has_events && op != OP_NOEVENT && op != OP_SMOOTH;
        bool is_at_events = op == OP_SELECT && is_pulse(s, expr_arg(p, at.x, 0), mem);
        for (uint32_t k = 0; k < expr_n_args(p, at.x); k++)
            if (!is_at_events || k == 2)
                vec_push(mem, stack, ((Visit){expr_arg(p, at.x, k), has_events}));
    }
    return false;
}

static const Var *string_of(const System *s, ExprId x)
{
    const Var *v = expr_op(s->pool, x) == OP_VAR ? &s->var.at[expr_var_of(s->pool, x).i] : NULL;
    return v && v->type == TYPE_STRING ? v : NULL;
}

bool strings_are_discrete(const System *s, Arena *scratch)
{
    bool ok = true;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        const Eq *e = &s->eq.at[k];
        const Var *left = string_of(s, e->lhs), *v = left ? left : string_of(s, e->rhs);
        ArenaMark mark = arena_mark(scratch);
        if (v && moves(s, left ? e->rhs : e->lhs, true, scratch)) {
            diag_error(s->diags, e->span, "T41",
                       "'%s' changes at events only, and this changes all the time: when-clauses, "
                       "relations and integer() make events (MLS 3.8.5)",
                       v->name.s);
            ok = false;
        }
        arena_rollback(scratch, mark);
    }
    return ok;
}

/* ---- they are assigned ---- */

typedef enum Occurrence { ABSENT, AS_VALUE, INSIDE } Occurrence;

typedef struct Search {
    const System *s;
    const bool *is_unknown; /* the String alone */
    Arena *mem;
} Search;

static bool holds(const Search *w, ExprId x)
{
    VarId *found;
    return unknowns_of(w->s, w->is_unknown, x, 1, w->mem, &found) > 0;
}

/* Whether the value of x can be that of the String, which is nowhere else in it. */
static Occurrence occurrence(const Search *w, ExprId root)
{
    const ExprPool *p = w->s->pool;
    Occurrence found = ABSENT;
    Map seen = map_new(w->mem);
    VEC(ExprId) stack = {0};
    vec_push(w->mem, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        Op op = expr_op(p, x);
        if (map_get(&seen, x.i) != MAP_NONE)
            continue;
        map_put(&seen, x.i, 1);
        if (op == OP_VAR) {
            found = w->is_unknown[expr_var_of(p, x).i] ? AS_VALUE : found;
        } else if (op == OP_SELECT && !holds(w, expr_arg(p, x, 0))) {
            vec_push(w->mem, stack, expr_arg(p, x, 1));
            vec_push(w->mem, stack, expr_arg(p, x, 2));
        } else if (op == OP_NOEVENT || op == OP_SMOOTH) {
            vec_push(w->mem, stack, expr_arg(p, x, 0));
        } else if (holds(w, x)) {
            return INSIDE;
        }
    }
    return found;
}

bool string_is_assigned(const System *s, const Eq *e, VarId v, bool *none, Arena *scratch)
{
    ArenaMark mark = arena_mark(scratch);
    const Search w = {s, none, scratch};
    none[v.i] = true;
    Occurrence left = occurrence(&w, e->lhs), right = occurrence(&w, e->rhs);
    none[v.i] = false;
    arena_rollback(scratch, mark);
    return (left == AS_VALUE && right == ABSENT) || (left == ABSENT && right == AS_VALUE);
}

static bool report(const Blt *b, uint32_t pair, bool is_loop)
{
    const System *s = b->sys;
    const Var *v = &s->var.at[blt_var(b, pair).i];
    diag_error(s->diags, s->eq.at[b->blocks.eq[pair]].span, "S14",
               is_loop ? "the String '%s' depends on itself by this and other equations: only "
                         "assignments in sequence determine Strings"
                       : "this equation would have to be solved for the String '%s': only an "
                         "assignment, %s = ..., determines a String",
               v->name.s, v->name.s);
    diag_note(s->diags, v->span, "'%s' is declared here", v->name.s);
    return false;
}

bool strings_are_assigned(const Blt *b, Arena *scratch)
{
    const System *s = b->sys;
    const Blocks *blocks = &b->blocks;
    bool *none = arena_array(scratch, bool, s->var.n + 1);
    bool ok = true;
    for (uint32_t k = 0; k < blocks->n; k++) {
        uint32_t begin = blocks->begin[k], n = blocks->begin[k + 1] - begin;
        for (uint32_t i = begin; i < begin + n; i++) {
            VarId v = blt_var(b, i);
            if (s->var.at[v.i].type == TYPE_STRING &&
                (n > 1 || !string_is_assigned(s, &s->eq.at[blocks->eq[i]], v, none, scratch)))
                ok = report(b, i, n > 1);
        }
    }
    return ok;
}
