#include "eliminate/prepare/clocks.h"

#include "base/disjoint.h"
#include "eliminate/prepare/clock_work.h"
#include "ir/body.h"

/* ---- expressions ------------------------------------------------------------------------------
 */

/* The operator on clocks that x is a call of, or INTRINSIC_NONE. */
Intrinsic clock_operator_of(const Clocks *c, ExprId x)
{
    const ExprPool *p = clock_pool(c);
    if (expr_op(p, x) != OP_PROJ)
        return INTRINSIC_NONE;
    Intrinsic i = c->s->function->at[expr_func_of(p, expr_arg(p, x, 0)).i].intrinsic;
    return intrinsic_is_clocked(i) ? i : INTRINSIC_NONE;
}

uint32_t clock_n_inputs(const Clocks *c, ExprId x)
{
    return expr_n_args(clock_pool(c), expr_arg(clock_pool(c), x, 0)) - 1; /* time is the last */
}

ExprId clock_input(const Clocks *c, ExprId x, uint32_t k)
{
    return expr_arg(clock_pool(c), expr_arg(clock_pool(c), x, 0), k);
}

static long counter(const Clocks *c, ExprId x, uint32_t k)
{
    long n = 0;
    expr_is_int(clock_pool(c), clock_input(c, x, k), &n);
    return n;
}

static bool is_conversion(Intrinsic i)
{
    return i == INTRINSIC_SUB_SAMPLE || i == INTRINSIC_SUPER_SAMPLE ||
           i == INTRINSIC_SHIFT_SAMPLE || i == INTRINSIC_BACK_SAMPLE || i == INTRINSIC_NO_CLOCK;
}

const Var *clock_unknown(const Clocks *c, ExprId x)
{
    const Var *v =
        expr_op(clock_pool(c), x) == OP_VAR ? &c->s->var.at[expr_var_of(clock_pool(c), x).i] : NULL;
    return v && var_is_unknown(v) ? v : NULL;
}

static bool is_clock(const Clocks *c, ExprId x)
{
    Intrinsic i = clock_operator_of(c, x);
    if (i >= INTRINSIC_CLOCK_RATIONAL && i <= INTRINSIC_CLOCK_INFERRED)
        return true;
    if (is_conversion(i))
        return is_clock(c, clock_input(c, x, 0));
    return expr_op(clock_pool(c), x) == OP_VAR &&
           c->s->var.at[expr_var_of(clock_pool(c), x).i].type == TYPE_CLOCK;
}

void clock_fail(Clocks *c, const char *code, const char *what)
{
    if (!c->failed)
        diag_error(c->s->diags, c->span, code, "%s", what);
    c->failed = true;
}

VarId clock_hidden(Clocks *c, const char *what, BaseType type)
{
    VarId v = system_add_hidden(c->s, arena_printf(c->s->mem, "clock %s %u", what, ++c->n_hidden));
    var_at(c->s, v)->type = type;
    var_at(c->s, v)->span = c->span;
    return v;
}

void clock_add_eq(Clocks *c, VarId v, ExprId x)
{
    system_add_eq(
        c->s,
        (Eq){.lhs = system_var_expr(c->s, v), .rhs = x, .group = GROUP_NONE, .span = c->span});
}

/* ---- operands of conversion operators become variables (MLS 16.7.1) ---------------------------
 */

static ExprId name_operand(void *data, ExprId x)
{
    Clocks *c = data;
    Intrinsic i = clock_operator_of(c, x);
    if (!is_conversion(i) || is_clock(c, x))
        return x;
    ExprId u = clock_input(c, x, 0);
    if (clock_unknown(c, u) || expr_is_fixed(clock_pool(c), u))
        return x;
    VarId v = clock_hidden(c, "operand",
                           op_is_logical(expr_op(clock_pool(c), u)) ? TYPE_BOOLEAN : TYPE_REAL);
    clock_add_eq(c, v, u);
    ExprId arg[4];
    uint32_t n = clock_n_inputs(c, x);
    for (uint32_t k = 0; k < n; k++)
        arg[k] = k ? clock_input(c, x, k) : system_var_expr(c->s, v);
    return expr_of_clock(c->s, i, n, arg);
}

bool is_clock_equation(const Clocks *c, const Eq *e)
{
    return is_clock(c, e->lhs) || is_clock(c, e->rhs);
}

static void name_operands(Clocks *c)
{
    for (uint32_t k = 0; k < c->s->eq.n; k++) { /* grows */
        Eq e = c->s->eq.at[k];
        if (is_clock_equation(c, &e))
            continue;
        c->span = e.span;
        ExprId lhs = expr_map(clock_pool(c), c->walk, e.lhs, name_operand, c);
        ExprId rhs = expr_map(clock_pool(c), c->walk, e.rhs, name_operand, c);
        c->s->eq.at[k].lhs = lhs;
        c->s->eq.at[k].rhs = rhs;
    }
    for (uint32_t k = 0; k < c->s->lost.n; k++) {
        LostOperand *l = &c->s->lost.at[k];
        c->span = c->s->eq.at[l->eq.i].span;
        l->x = expr_map(clock_pool(c), c->walk, l->x, name_operand, c);
    }
}

/* ---- partitions (MLS 16.7.3, 16.7.4) ------------------------------------------------------------
 */

static void claim(Clocks *c, Claim what)
{
    what.span = c->span;
    vec_push(c->scratch, c->claim, what);
}

/* Records the claims of an operator inside equation `eq`; if the variables of its operand are of
 * another partition, returns true. */
static bool note_operator(Clocks *c, uint32_t eq, ExprId x)
{
    Intrinsic i = clock_operator_of(c, x);
    ExprId u = clock_n_inputs(c, x) ? clock_input(c, x, 0) : EXPR_NONE;
    const Var *v = expr_exists(u) ? clock_unknown(c, u) : NULL;
    Claim from = {.eq = eq, .clock = EXPR_NONE, .of = v ? expr_var_of(clock_pool(c), u) : VAR_NONE};
    from.n = clock_n_inputs(c, x) > 1 ? counter(c, x, 1) : 0;
    from.resolution = clock_n_inputs(c, x) > 2 ? counter(c, x, 2) : 1;
    c->known[c->n_vars + eq] |= i == INTRINSIC_HOLD ? IS_CONTINUOUS : IS_CLOCKED;
    switch (i) {
    case INTRINSIC_SAMPLE:
        if (clock_n_inputs(c, x) > 1)
            claim(c, (Claim){.eq = eq, .clock = clock_input(c, x, 1), .of = VAR_NONE});
        return true;
    case INTRINSIC_SUB_SAMPLE:
        from.tie = TIE_SUB;
        break;
    case INTRINSIC_SUPER_SAMPLE:
        from.tie = TIE_SUPER;
        break;
    case INTRINSIC_SHIFT_SAMPLE:
        from.tie = TIE_SHIFT;
        break;
    case INTRINSIC_BACK_SAMPLE:
        from.tie = TIE_BACK;
        break;
    case INTRINSIC_NO_CLOCK:
        from.tie = TIE_BASE;
        break;
    case INTRINSIC_HOLD:
        break;
    case INTRINSIC_PREVIOUS:
        if (v)
            c->shows_start[from.of.i] = true;
        return false;
    case INTRINSIC_INTERVAL:
    case INTRINSIC_FIRST_TICK:
        return false;
    default:
        clock_fail(c, "K05", "a Clock is no value");
        return true;
    }
    if (v) {
        c->known[from.of.i] |= IS_CLOCKED;
        c->shows_start[from.of.i] = true;
        if (i != INTRINSIC_HOLD)
            claim(c, from);
    }
    return true;
}

typedef struct Visit {
    ExprId x;
    bool is_sampled; /* in the operand of sample(), or a Clock's condition */
} Visit;

/* Variables in x belong to equation eq, those that it samples are continuous. */
static void visit(Clocks *c, uint32_t eq, ExprId root, bool is_sampled, Map *seen)
{
    const ExprPool *p = clock_pool(c);
    VEC(Visit) stack = {0};
    vec_push(c->scratch, stack, ((Visit){root, is_sampled}));
    while (stack.n) {
        Visit at = stack.at[--stack.n];
        if (expr_is_fixed(p, at.x) || !map_add(seen, map_key_pair(at.x.i, at.is_sampled)))
            continue;
        const Var *v = clock_unknown(c, at.x);
        Intrinsic i = clock_operator_of(c, at.x);
        if (v && v->type == TYPE_CLOCK) {
            clock_fail(c, "K05", "a Clock is no value");
        } else if (v && at.is_sampled) {
            c->known[expr_var_of(p, at.x).i] |= IS_CONTINUOUS;
        } else if (v) {
            disjoint_join(c->leader, c->n_vars + eq, expr_var_of(p, at.x).i);
        } else if (i != INTRINSIC_NONE && at.is_sampled) {
            VarId of = clock_n_inputs(c, at.x) && clock_unknown(c, clock_input(c, at.x, 0))
                           ? expr_var_of(p, clock_input(c, at.x, 0))
                           : VAR_NONE;
            if (i != INTRINSIC_HOLD)
                clock_fail(c, "K05", "what is clocked already cannot be sampled");
            else if (var_exists(of)) {
                c->known[of.i] |= IS_CLOCKED;
                c->shows_start[of.i] = true;
            }
        } else if (i != INTRINSIC_NONE) {
            if (i == INTRINSIC_SAMPLE)
                vec_push(c->scratch, stack, ((Visit){clock_input(c, at.x, 0), true}));
            if (!note_operator(c, eq, at.x) && clock_n_inputs(c, at.x))
                vec_push(c->scratch, stack, ((Visit){clock_input(c, at.x, 0), false}));
        } else {
            for (uint32_t k = 0; k < expr_n_args(p, at.x); k++)
                vec_push(c->scratch, stack, ((Visit){expr_arg(p, at.x, k), at.is_sampled}));
        }
    }
}

static void find_partitions(Clocks *c)
{
    System *s = c->s;
    for (uint32_t k = 0; k < c->n_vars; k++)
        if (var_exists(s->var.at[k].der_of))
            disjoint_join(c->leader, k, s->var.at[k].der_of.i);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        const Eq *e = &s->eq.at[k];
        c->span = e->span;
        Map seen = map_new(c->scratch);
        if (!is_clock_equation(c, e)) {
            visit(c, k, e->lhs, false, &seen);
            visit(c, k, e->rhs, false, &seen);
            if (e->state)
                visit(c, k, s->state.at[e->state - 1].active, false, &seen);
        }
    }
    for (uint32_t k = 0; k < s->lost.n; k++) {
        const Eq *e = &s->eq.at[s->lost.at[k].eq.i];
        c->span = e->span;
        Map seen = map_new(c->scratch);
        if (!is_clock_equation(c, e))
            visit(c, s->lost.at[k].eq.i, s->lost.at[k].x, false, &seen);
    }
    for (uint32_t k = 0; k < s->clocked.n; k++) {
        const ClockedWhen *w = &s->clocked.at[k];
        c->span = w->span;
        for (uint32_t j = w->first; j < w->first + w->n; j++) {
            c->known[c->n_vars + j] |= IS_CLOCKED;
            disjoint_join(c->leader, c->n_vars + j, c->n_vars + w->first);
            claim(c, (Claim){.eq = j, .clock = w->clock, .of = VAR_NONE});
        }
    }
    for (uint32_t k = 0; k < c->n_vars + c->n_eqs; k++) {
        uint32_t l = disjoint_leader(c->leader, k);
        c->known[l] |= c->known[k];
    }
}

/* The name of a partition in messages: that of a variable in it. */
static const char *name_in(Clocks *c, uint32_t of)
{
    for (uint32_t k = 0; k < c->n_vars; k++)
        if (disjoint_leader(c->leader, k) == of && var_is_unknown(var_at(c->s, (VarId){k})) &&
            !c->s->var.at[k].is_hidden)
            return c->s->var.at[k].name.s;
    return "an equation";
}

static uint32_t new_node(Clocks *c, const char *name, Span span)
{
    vec_push(c->scratch, c->solver, ((Name){NULL}));
    return clock_node(c->calculus, name, span);
}

static bool partitions_make(Clocks *c)
{
    System *s = c->s;
    uint32_t n = c->n_vars + c->n_eqs;
    c->part_of = arena_array(c->scratch, uint32_t, n);
    const char **name = arena_array(c->scratch, const char *, n);
    for (uint32_t k = n; k-- > 0;) {
        c->part_of[k] = UINT32_MAX;
        if (k < c->n_vars && var_is_unknown(&s->var.at[k]) && !s->var.at[k].is_hidden)
            name[disjoint_leader(c->leader, k)] = s->var.at[k].name.s;
    }
    for (uint32_t k = 0; k < n; k++) {
        if (disjoint_leader(c->leader, k) != k || !(c->known[k] & IS_CLOCKED))
            continue;
        Span span = k < c->n_vars ? s->var.at[k].span : s->eq.at[k - c->n_vars].span;
        if (c->known[k] & IS_CONTINUOUS) {
            diag_error(s->diags, span, "K01",
                       "'%s' is both clocked and continuous: what leads from one to the other is "
                       "sample() or hold() (MLS 16.7.3)",
                       name_in(c, k));
            c->failed = true;
            continue;
        }
        c->part_of[k] = c->partition.n;
        Partition part = {.node = new_node(c, name[k] ? name[k] : "this", span),
                          .fires = EXPR_NONE,
                          .first = EXPR_NONE,
                          .interval = EXPR_NONE,
                          .span = span};
        vec_push(c->scratch, c->partition, part);
    }
    return !c->failed;
}

uint32_t clock_partition_of(Clocks *c, uint32_t k)
{
    return c->part_of[disjoint_leader(c->leader, k)];
}

/* ---- clocks
 * -------------------------------------------------------------------------------------- */

static uint32_t node_of(Clocks *c, ExprId x);

static void tie(Clocks *c, uint32_t a, ClockTie kind, uint32_t b, long n, long resolution)
{
    vec_push(c->scratch, c->link, ((Link){a, b, kind == TIE_SAME}));
    clock_tie(c->calculus, a, kind, b, n, resolution, c->span);
}

/* Defines the clock of the node by the expression. */
static void node_is(Clocks *c, uint32_t node, ExprId x)
{
    static const ClockTie tie_of[] = {
        [INTRINSIC_SUB_SAMPLE] = TIE_SUB,
        [INTRINSIC_SUPER_SAMPLE] = TIE_SUPER,
        [INTRINSIC_SHIFT_SAMPLE] = TIE_SHIFT,
        [INTRINSIC_BACK_SAMPLE] = TIE_BACK,
    };
    ExprPool *p = clock_pool(c);
    Intrinsic i = clock_operator_of(c, x);
    switch (i) {
    case INTRINSIC_NONE:
        if (!is_clock(c, x))
            clock_fail(c, "K05", "this is no Clock that is known when the model is compiled");
        else
            tie(c, node, TIE_SAME, node_of(c, x), 1, 1);
        break;
    case INTRINSIC_SUB_SAMPLE:
    case INTRINSIC_SUPER_SAMPLE:
    case INTRINSIC_SHIFT_SAMPLE:
    case INTRINSIC_BACK_SAMPLE:
        tie(c, node, tie_of[i], node_of(c, clock_input(c, x, 0)), counter(c, x, 1),
            clock_n_inputs(c, x) > 2 ? counter(c, x, 2) : 1);
        break;
    case INTRINSIC_CLOCK_RATIONAL:
    case INTRINSIC_CLOCK_INTERVAL: {
        ExprId interval = clock_input(c, x, 0);
        if (!expr_is_fixed(p, interval)) {
            clock_is(c->calculus, node, CLOCK_VARYING, x, NULL, c->span);
            break;
        }
        if (expr_is(p, interval, 0))
            break; /* to be inferred */
        if (i == INTRINSIC_CLOCK_RATIONAL)
            interval = expr_div(p, interval, clock_input(c, x, 1));
        if (expr_is_num(p, interval) && mpq_sgn(expr_rational(p, interval)) > 0)
            clock_is(c->calculus, node, CLOCK_PERIODIC, expr_int(p, 1), expr_rational(p, interval),
                     c->span);
        else if (expr_is_num(p, interval))
            clock_fail(c, "K05", "the interval of a Clock must be positive");
        else
            clock_is(c->calculus, node, CLOCK_PERIODIC, interval, NULL, c->span);
        break;
    }
    case INTRINSIC_CLOCK_EVENT:
        clock_is(c->calculus, node, CLOCK_EVENT, x, NULL, c->span);
        break;
    case INTRINSIC_CLOCK_SOLVER: {
        Name solver = expr_text_of(p, clock_input(c, x, 1));
        // the clock inside may have another solver
        tie(c, node, TIE_SUB, node_of(c, clock_input(c, x, 0)), 1, 1);
        Name *own = &c->solver.at[node];
        if (*solver.s && own->s && !name_same(*own, solver))
            clock_fail(c, "K06", "two methods of integration are given for one clock (MLS 16.8.5)");
        if (*solver.s)
            *own = solver;
        break;
    }
    default:
        break;
    }
}

static uint32_t node_of(Clocks *c, ExprId x)
{
    const ExprPool *p = clock_pool(c);
    bool is_var = expr_op(p, x) == OP_VAR;
    uint32_t v = is_var ? expr_var_of(p, x).i : 0;
    if (is_var && c->node_of_clock[v] != UINT32_MAX)
        return c->node_of_clock[v];
    uint32_t node = new_node(c, is_var ? c->s->var.at[v].name.s : "a clock", c->span);
    if (is_var)
        c->node_of_clock[v] = node;
    else
        node_is(c, node, x);
    return node;
}

static void clocks_claim(Clocks *c)
{
    System *s = c->s;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        const Eq *e = &s->eq.at[k];
        c->span = e->span;
        if (!is_clock_equation(c, e))
            continue;
        bool left = expr_op(clock_pool(c), e->lhs) == OP_VAR;
        node_is(c, node_of(c, left ? e->lhs : e->rhs), left ? e->rhs : e->lhs);
    }
    for (uint32_t k = 0; k < c->claim.n; k++) {
        const Claim *at = &c->claim.at[k];
        c->span = at->span;
        uint32_t node = c->partition.at[clock_partition_of(c, c->n_vars + at->eq)].node;
        if (expr_exists(at->clock))
            node_is(c, node, at->clock);
        else
            tie(c, node, at->tie, c->partition.at[clock_partition_of(c, at->of.i)].node, at->n,
                at->resolution);
    }
}

/* MLS 16.8.4: a clock has the solver of one that is the same, else of one that it is converted
 * from or into, over as few as may be. */
static void infer_solvers(Clocks *c)
{
    for (int across = 0; across < 2; across++)
        for (bool more = true; more;) {
            more = false;
            for (uint32_t k = 0; k < c->link.n; k++) {
                const Link *l = &c->link.at[k];
                Name *a = &c->solver.at[l->a], *b = &c->solver.at[l->b];
                if ((!across && !l->is_same) || !a->s == !b->s)
                    continue;
                *(a->s ? b : a) = a->s ? *a : *b;
                more = true;
            }
        }
    for (uint32_t k = 0; k < c->link.n; k++) {
        const Link *l = &c->link.at[k];
        Name a = c->solver.at[l->a], b = c->solver.at[l->b];
        if (l->is_same && a.s && b.s && !name_same(a, b))
            clock_fail(c, "K06", "two methods of integration are given for one clock");
    }
}

/* Clocks themselves have no values. */
static void drop_clocks(Clocks *c)
{
    System *s = c->s;
    bool *dropped = arena_array(c->scratch, bool, s->eq.n);
    for (uint32_t k = 0; k < c->n_eqs; k++)
        dropped[k] = is_clock_equation(c, &s->eq.at[k]);
    system_drop_eqs(s, s->eq.n, dropped);
    for (uint32_t k = 0; k < c->n_vars; k++) {
        Var *v = &s->var.at[k];
        if (v->type != TYPE_CLOCK)
            continue;
        v->kind = VAR_CONSTANT;
        v->type = TYPE_REAL;
        v->binding = expr_int(s->pool, 0);
        v->is_hidden = true;
    }
    for (uint32_t k = 0; k < s->eq.n; k++)
        s->eq.at[k].state = 0;
    s->clocked.n = s->state.n = 0;
}

static bool has_clocks(const System *s)
{
    for (uint32_t k = 0; k < s->function->n; k++)
        if (intrinsic_is_clocked(s->function->at[k].intrinsic))
            return true;
    return false;
}

bool clocks_resolve(System *s, Arena *scratch)
{
    if (!has_clocks(s))
        return true;
    Arena *mem = arena_new();
    Clocks c = {.s = s,
                .scratch = mem,
                .walk = scratch,
                .before = map_new(mem),
                .partition_at_work = CONTINUOUS,
                .span = SPAN_NONE};
    name_operands(&c);
    c.n_vars = s->var.n;
    c.n_eqs = s->eq.n;
    uint32_t n = c.n_vars + c.n_eqs;
    c.leader = disjoint_new(n, mem);
    c.known = arena_array(mem, uint8_t, n);
    c.node_of_clock = arena_array(mem, uint32_t, c.n_vars);
    c.shows_start = arena_array(mem, bool, c.n_vars);
    c.previous = map_new(c.scratch);
    c.step = map_new(c.scratch);
    c.is_given = arena_array(mem, bool, s->initial_eq.n + 1);
    for (uint32_t k = 0; k < c.n_vars; k++)
        c.node_of_clock[k] = UINT32_MAX;
    c.calculus = clock_calculus_new(s, mem);
    find_partitions(&c);
    bool ok = !c.failed && partitions_make(&c);
    if (ok)
        clocks_claim(&c);
    ok = ok && !c.failed && clock_solve(c.calculus);
    if (ok) {
        infer_solvers(&c);
        for (uint32_t k = 0; k < c.partition.n; k++) {
            Partition *part = &c.partition.at[k];
            c.span = part->span;
            part->ticks = clock_ticks(c.calculus, part->node);
            part->solver = c.solver.at[part->node];
            part->fires = clock_fires(&c, &part->ticks);
        }
        clock_equations(&c);
    }
    if (ok && !c.failed) {
        clock_rest(&c);
        drop_clocks(&c);
    }
    clock_calculus_free(c.calculus);
    arena_free(mem);
    return ok && !c.failed;
}
