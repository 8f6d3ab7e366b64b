#include "eliminate/prepare/nonsmooth.h"

#include "ir/body.h"

#include <math.h>

/* Of a node: it depends on variables that move; it may have a kink in them; it holds an operator
 * that is not defined, or not bounded, for all operands. */
enum { MOVES = 1, MAY_BEND = 2, IS_NARROW = 4 };

struct Nonsmooth {
    System *s;
    Arena *mem;
    Map jumps;   /* per node: whether it may jump                                   */
    bool *still; /* per variable: determined by parameters and other such variables */
    Map holds;   /* per node: MOVES, MAY_BEND, IS_NARROW                            */
    Map bends;   /* per function: MAY_BEND, or 0                                    */
};

/* ---- jumps ---- */

/* Whether x changes between events: not if none of its variables does. *by: a variable that
 * changes, or VAR_NONE. */
static bool moves_by(const Nonsmooth *it, ExprId root, VarId *by)
{
    const ExprPool *p = it->s->pool;
    *by = VAR_NONE;
    if (expr_variability(p, root) <= VARIES_DISCRETE)
        return false;
    ArenaMark mark = arena_mark(it->mem);
    Map seen = map_new(it->mem);
    VEC(ExprId) stack = {0};
    bool found = false;
    vec_push(it->mem, stack, root);
    while (stack.n && !found) {
        ExprId x = stack.at[--stack.n];
        if (expr_variability(p, x) <= VARIES_DISCRETE || map_get(&seen, x.i) != MAP_NONE)
            continue;
        map_put(&seen, x.i, 1);
        found = expr_op(p, x) == OP_VAR ? !it->still[expr_var_of(p, x).i] : !expr_n_args(p, x);
        if (found && expr_op(p, x) == OP_VAR)
            *by = expr_var_of(p, x);
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(it->mem, stack, expr_arg(p, x, k));
    }
    arena_rollback(it->mem, mark);
    return found;
}

static bool moves(const Nonsmooth *it, ExprId x)
{
    VarId by;
    return moves_by(it, x, &by);
}

/* The continuous variable v of v = an expression; no derivative. */
static VarId defined_by_side(const System *s, ExprId side)
{
    const VarId v = expr_op(s->pool, side) == OP_VAR ? expr_var_of(s->pool, side) : VAR_NONE;
    const bool is_plain = var_exists(v) && s->var.at[v.i].kind == VAR_CONTINUOUS &&
                          !var_exists(s->var.at[v.i].der_of);
    return is_plain ? v : VAR_NONE;
}

static ExprId side_of(const System *s, uint32_t side)
{
    const Eq *e = &s->eq.at[side / 2];
    return side % 2 ? e->rhs : e->lhs;
}

/* Finds the still variables: v is one if v = an expression of still variables. A side of an
 * equation, 2 k or 2 k + 1, that reads others waits for one of them. */
static void find_still(Nonsmooth *it)
{
    const System *s = it->s;
    Arena *tmp = arena_new();
    bool *done = arena_array(tmp, bool, s->eq.n + 1);
    uint32_t *first = arena_array(tmp, uint32_t, s->var.n + 1); /* that waits for the variable */
    uint32_t *next = arena_array(tmp, uint32_t, 2 * s->eq.n + 1);
    VEC(uint32_t) todo = {0};
    it->still = arena_array(it->mem, bool, s->var.n + 1);
    memset(first, 0xff, (s->var.n + 1) * sizeof *first);
    for (uint32_t side = 2 * s->eq.n; side-- > 0;)
        vec_push(tmp, todo, side);
    while (todo.n) {
        const uint32_t side = todo.at[--todo.n];
        const VarId v = defined_by_side(s, side_of(s, side));
        VarId by;
        if (done[side / 2] || !var_exists(v) || it->still[v.i])
            continue;
        if (!moves_by(it, side_of(s, side ^ 1), &by)) {
            it->still[v.i] = done[side / 2] = true;
            for (uint32_t k = first[v.i]; k != UINT32_MAX; k = next[k])
                vec_push(tmp, todo, k);
        } else if (var_exists(by)) {
            next[side] = first[by.i];
            first[by.i] = side;
        }
    }
    arena_free(tmp);
}

Nonsmooth *nonsmooth_new(System *s, Arena *mem)
{
    Nonsmooth *it = arena_make(mem, Nonsmooth);
    *it = (Nonsmooth){
        .s = s, .mem = mem, .jumps = map_new(mem), .holds = map_new(mem), .bends = map_new(mem)};
    find_still(it);
    return it;
}

static bool is_inequality(Op op)
{
    return op == OP_LT || op == OP_LE;
}

/* Whether a - b is 0 with `to` in the place of v. */
static bool is_same_at(Nonsmooth *it, VarId v, ExprId to, ExprId a, ExprId b)
{
    ExprPool *p = it->s->pool;
    ArenaMark mark = arena_mark(it->mem);
    ExprId *value = arena_array(it->mem, ExprId, v.i + 1);
    for (uint32_t k = 0; k < v.i; k++)
        value[k] = EXPR_NONE;
    value[v.i] = to;
    Substitution at = {.value = value, .n = v.i + 1, .mem = it->mem};
    const bool same = expr_is_zero(p, expr_substitute(p, &at, expr_sub(p, a, b))) == YES;
    arena_rollback(it->mem, mark);
    return same;
}

/* Whether the branches are the same where the two sides of the relation are. */
static bool branches_meet(Nonsmooth *it, ExprId relation, ExprId yes, ExprId no)
{
    const ExprPool *p = it->s->pool;
    bool meet = false;
    for (uint32_t k = 0; k < 2 && !meet; k++) {
        const ExprId x = expr_arg(p, relation, k), to = expr_arg(p, relation, 1 - k);
        meet = expr_op(p, x) == OP_VAR && is_same_at(it, expr_var_of(p, x), to, yes, no);
    }
    return meet;
}

/* Whether the operator of x makes a jump. */
static bool jumps_itself(Nonsmooth *it, ExprId x)
{
    const ExprPool *p = it->s->pool;
    switch (expr_op(p, x)) {
    case OP_FN: {
        const Fn f = expr_fn_of(p, x);
        return (f == FN_SIGN || f == FN_FLOOR || f == FN_CEIL) && moves(it, x);
    }
    case OP_FN2: {
        const Fn2 f = expr_fn2_of(p, x);
        return (f == FN2_MOD || f == FN2_REM || f == FN2_DIV) && moves(it, x);
    }
    case OP_SELECT: {
        const ExprId c = expr_arg(p, x, 0);
        return moves(it, c) && (!is_inequality(expr_op(p, c)) ||
                                !branches_meet(it, c, expr_arg(p, x, 1), expr_arg(p, x, 2)));
    }
    default:
        return false;
    }
}

/* Post-order. A condition alone makes no jump. */
bool nonsmooth_may_jump(Nonsmooth *it, ExprId root)
{
    const ExprPool *p = it->s->pool;
    VEC(ExprId) stack = {0};
    vec_push(it->mem, stack, root);
    while (stack.n) {
        const ExprId x = vec_last(stack);
        const Op op = expr_op(p, x);
        const bool stays = expr_variability(p, x) <= VARIES_DISCRETE || op == OP_SMOOTH;
        bool is_ready = true, any = false;
        for (uint32_t k = op == OP_SELECT; k < expr_n_args(p, x) && !stays; k++) {
            const uint32_t known = map_get(&it->jumps, expr_arg(p, x, k).i);
            any = any || known == 1;
            if (known != MAP_NONE)
                continue;
            vec_push(it->mem, stack, expr_arg(p, x, k));
            is_ready = false;
        }
        if (!is_ready)
            continue;
        stack.n--;
        if (map_get(&it->jumps, x.i) == MAP_NONE)
            map_put(&it->jumps, x.i, !stays && (any || jumps_itself(it, x)));
    }
    return map_get(&it->jumps, root.i) == 1;
}

/* ---- kinks ---- */

/* A bit for each operand that moves; that of the last for all from the 32nd on. */
static uint32_t moved_of(const Nonsmooth *it, ExprId x)
{
    enum { MOST = 32 };
    uint32_t moved = 0;
    for (uint32_t k = 0; k < expr_n_args(it->s->pool, x); k++)
        if (map_get(&it->holds, expr_arg(it->s->pool, x, k).i) & MOVES)
            moved |= 1u << (k < MOST ? k : MOST - 1);
    return moved;
}

/* A bit for each operand that has to be in some range; as moved_of. */
static uint32_t ranged(const ExprPool *p, ExprId x)
{
    double exponent;
    switch (expr_op(p, x)) {
    case OP_DIV:
        return 2;
    case OP_POW:
        return expr_constant(p, expr_arg(p, x, 1), &exponent) && exponent >= 0 &&
                       exponent == floor(exponent)
                   ? 0
                   : 3;
    case OP_FN:
        switch (expr_fn_of(p, x)) {
        case FN_SIN:
        case FN_COS:
        case FN_ATAN:
        case FN_TANH:
        case FN_ABS:
        case FN_SIGN:
            return 0;
        default:
            return 1;
        }
    case OP_FN2:
        switch (expr_fn2_of(p, x)) {
        case FN2_ATAN2:
        case FN2_MIN:
        case FN2_MAX:
            return 0;
        default:
            return 3;
        }
    case OP_CALL:
        return UINT32_MAX;
    default:
        return 0;
    }
}

static uint32_t holds(Nonsmooth *it, ExprId root);

static bool body_bends(Nonsmooth *it, const StatementList *list)
{
    bool found = false;
    for (uint32_t k = 0; k < list->n && !found; k++) {
        const Statement *st = list->at[k];
        found = st->kind == STATEMENT_IF;
        for (uint32_t i = 0; i < statement_n_values(st) && !found; i++)
            found = holds(it, st->value[i]) & MAY_BEND;
        found = found || body_bends(it, &st->body) || body_bends(it, &st->otherwise);
    }
    return found;
}

/* An external function of an object may be a table; others are taken to be smooth. */
static bool external_bends(const Function *f)
{
    bool any = false;
    for (uint32_t k = 0; k < f->n_in && f->in_type; k++)
        any = any || f->in_type[k] == TYPE_OBJECT;
    return any;
}

static bool function_bends(Nonsmooth *it, FuncId f)
{
    const uint32_t known = map_get(&it->bends, f.i);
    if (known != MAP_NONE)
        return known;
    const Function *of = &it->s->function->at[f.i];
    map_put(&it->bends, f.i, 0); // of a call of itself
    const bool found =
        !of->body || of->body->external ? external_bends(of) : body_bends(it, &of->body->list);
    map_put(&it->bends, f.i, found ? MAY_BEND : 0);
    return found;
}

/* Of a node whose operands are known. */
static uint32_t holds_itself(Nonsmooth *it, ExprId x)
{
    const ExprPool *p = it->s->pool;
    const Op op = expr_op(p, x);
    if (op == OP_VAR)
        return it->still[expr_var_of(p, x).i] ? 0 : MOVES;
    if (op == OP_LOCAL)
        return MOVES;
    const uint32_t moved = moved_of(it, x);
    uint32_t of = 0;
    for (uint32_t k = 0; k < expr_n_args(p, x); k++)
        of |= map_get(&it->holds, expr_arg(p, x, k).i);
    if (expr_is_kink(p, x, moved) ||
        (op == OP_CALL && moved && function_bends(it, expr_func_of(p, x))))
        of |= MAY_BEND;
    if (moved & ranged(p, x))
        of |= IS_NARROW;
    return of;
}

/* Post-order, with a stack of its own. */
static uint32_t holds(Nonsmooth *it, ExprId root)
{
    const ExprPool *p = it->s->pool;
    VEC(ExprId) stack = {0};
    vec_push(it->mem, stack, root);
    while (stack.n) {
        const ExprId x = vec_last(stack);
        // parameters, and values that only events change
        const bool stands = expr_variability(p, x) <= VARIES_DISCRETE && expr_op(p, x) != OP_LOCAL;
        bool is_ready = true;
        for (uint32_t k = 0; k < expr_n_args(p, x) && !stands; k++)
            if (map_get(&it->holds, expr_arg(p, x, k).i) == MAP_NONE) {
                vec_push(it->mem, stack, expr_arg(p, x, k));
                is_ready = false;
            }
        if (!is_ready)
            continue;
        stack.n--;
        if (map_get(&it->holds, x.i) == MAP_NONE)
            map_put(&it->holds, x.i, stands ? 0 : holds_itself(it, x));
    }
    return map_get(&it->holds, root.i);
}

bool nonsmooth_may_bend(Nonsmooth *it, ExprId x)
{
    return (holds(it, x) & MAY_BEND) != 0;
}

/* As defined_by_side; no state, either. */
static VarId plain_side(const System *s, ExprId side)
{
    const VarId v = defined_by_side(s, side);
    return var_exists(v) && !var_exists(s->var.at[v.i].der) ? v : VAR_NONE;
}

/* Operands that have to be in some range, and all expressions on which these depend. */
typedef struct Ranged {
    Nonsmooth *it;
    Map node;              /* visited                                                   */
    VEC(ExprId) stack;     /* of them, to look into                                     */
    uint32_t *head, *next; /* per variable, per side of an equation, 2 k and 2 k + 1: the first and
                              the next side that is the variable alone; UINT32_MAX at the end */
} Ranged;

static void add_ranged(Ranged *r, ExprId x)
{
    if (map_add(&r->node, x.i))
        vec_push(r->it->mem, r->stack, x);
}

static void find_sides(Ranged *r)
{
    const System *s = r->it->s;
    r->head = arena_array(r->it->mem, uint32_t, s->var.n + 1);
    r->next = arena_array(r->it->mem, uint32_t, 2 * s->eq.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        r->head[k] = UINT32_MAX;
    for (uint32_t k = 0; k < 2 * s->eq.n; k++) {
        const VarId v = plain_side(s, side_of(s, k));
        if (!var_exists(v))
            continue;
        r->next[k] = r->head[v.i];
        r->head[v.i] = k;
    }
}

/* Operands of operators with a range, of root and of all below it. */
static void add_operands(Ranged *r, ExprId root, Map *seen)
{
    Nonsmooth *it = r->it;
    const ExprPool *p = it->s->pool;
    VEC(ExprId) stack = {0};
    vec_push(it->mem, stack, root);
    while (stack.n) {
        const ExprId x = stack.at[--stack.n];
        if (!(holds(it, x) & IS_NARROW) || !map_add(seen, x.i))
            continue;
        const uint32_t in_range = moved_of(it, x) & ranged(p, x);
        for (uint32_t k = 0; k < expr_n_args(p, x); k++) {
            vec_push(it->mem, stack, expr_arg(p, x, k));
            if (in_range >> (k < 32 ? k : 31) & 1)
                add_ranged(r, expr_arg(p, x, k));
        }
    }
}

static Map find_ranged(Nonsmooth *it)
{
    const System *s = it->s;
    Ranged r = {.it = it, .node = map_new(it->mem)};
    Map seen = map_new(it->mem);
    find_sides(&r);
    for (uint32_t k = 0; k < 2 * s->eq.n; k++)
        add_operands(&r, side_of(s, k), &seen);
    while (r.stack.n) {
        const ExprId x = r.stack.at[--r.stack.n];
        const bool is_select = expr_op(s->pool, x) == OP_SELECT;
        for (uint32_t k = is_select; k < expr_n_args(s->pool, x); k++)
            add_ranged(&r, expr_arg(s->pool, x, k));
        const VarId v = plain_side(s, x);
        for (uint32_t k = var_exists(v) ? r.head[v.i] : UINT32_MAX; k != UINT32_MAX; k = r.next[k])
            add_ranged(&r, side_of(s, k ^ 1));
    }
    return r.node;
}

/* Those of one side; whether there are others. */
static bool find_kinks(Nonsmooth *it, ExprId root, const Map *in_range, Map *seen, Map *kinks)
{
    const ExprPool *p = it->s->pool;
    VEC(ExprId) stack = {0};
    bool others = false;
    vec_push(it->mem, stack, root);
    while (stack.n) {
        const ExprId x = stack.at[--stack.n];
        const uint32_t of = holds(it, x), moved = moved_of(it, x);
        if (!(of & MAY_BEND) || !map_add(seen, x.i))
            continue;
        if (!expr_is_kink(p, x, moved))
            others = others ||
                     (expr_op(p, x) == OP_CALL && moved && function_bends(it, expr_func_of(p, x)));
        else if (!(of & IS_NARROW) && map_get(in_range, x.i) == MAP_NONE)
            map_put(kinks, x.i, 1);
        else
            others = true;
        for (uint32_t k = expr_op(p, x) == OP_SELECT; k < expr_n_args(p, x); k++)
            vec_push(it->mem, stack, expr_arg(p, x, k));
    }
    return others;
}

Map nonsmooth_kinks(Nonsmooth *it, const bool *eq, uint32_t *other)
{
    const System *s = it->s;
    const Map in_range = find_ranged(it);
    Map kinks = map_new(it->mem), seen = map_new(it->mem);
    *other = UINT32_MAX;
    for (uint32_t k = 0; k < 2 * s->eq.n; k++)
        if (eq[k / 2] && find_kinks(it, side_of(s, k), &in_range, &seen, &kinks) &&
            *other == UINT32_MAX)
            *other = k / 2;
    return kinks;
}
