#include "eliminate/prepare/clock_work.h"
#include "eliminate/prepare/differentiate.h"
#include "graph/matching.h"

#include <string.h>

/* ---- when partitions tick ----------------------------------------------------------------------
 */

static ExprId yes(const Clocks *c)
{
    return expr_int(clock_pool(c), 1);
}

static ExprId rises(const Clocks *c, ExprId x)
{
    ExprPool *p = clock_pool(c);
    return expr_and(p, x, expr_not(p, expr_wrap(p, OP_PRE, x)));
}

static ExprId rewrite(Clocks *c, uint32_t partition, ExprId x);

/* At times that are known beforehand. */
static ExprId fires_periodic(Clocks *c, const ClockTicks *t)
{
    ExprPool *p = clock_pool(c);
    Memory m = {.kind = MEMORY_CLOCK,
                .of = EXPR_NONE,
                .start = expr_int(p, 0),
                .interval = t->of,
                .shift = t->shift,
                .factor = t->factor,
                .per = t->per,
                .span = c->span};
    return rises(c, system_var_expr(c->s, system_add_memory(c->s, m, TYPE_BOOLEAN, "tick")));
}

/* v = if fires then x else pre(v) */
static ExprId kept(Clocks *c, const char *what, BaseType type, ExprId start, ExprId fires, ExprId x)
{
    ExprPool *p = clock_pool(c);
    VarId v = clock_hidden(c, what, type);
    var_at(c->s, v)->kind = VAR_DISCRETE;
    var_at(c->s, v)->attr.start = start;
    ExprId at = system_var_expr(c->s, v);
    clock_add_eq(c, v, expr_select(p, fires, x, expr_wrap(p, OP_PRE, at)));
    return at;
}

ExprId clock_before(Clocks *c, ExprId x)
{
    return expr_wrap(clock_pool(c), OP_PRE, x);
}

/* Clock(counter, resolution), Clock(interval) of clocked variables: the interval from the last tick
 * to the next (MLS 16.3). Whole counters are summed, so that no rounding accumulates. */
static ExprId fires_varying(Clocks *c, ExprId clock)
{
    ExprPool *p = clock_pool(c);
    ExprId interval = clock_input(c, clock, 0);
    bool is_rational = clock_operator_of(c, clock) == INTRINSIC_CLOCK_RATIONAL;
    ExprId next = system_var_expr(c->s, clock_hidden(c, "next", TYPE_REAL));
    Var *v = var_at(c->s, expr_var_of(p, next));
    v->kind = VAR_DISCRETE;
    v->attr.start = expr_literal(p, "-1e300");
    ExprId due = expr_and(p, expr_compare(p, OP_LE, clock_before(c, next), expr_time(p)),
                          expr_not(p, expr_initial(p)));
    ExprId fires = rises(c, due);
    ExprId ticked = kept(c, "ticked", TYPE_BOOLEAN, expr_int(p, 0), fires, yes(c));
    ExprId first = expr_not(p, clock_before(c, ticked));
    ExprId begin =
        kept(c, "begin", TYPE_REAL, expr_int(p, 0), expr_and(p, fires, first), expr_time(p));
    ExprId sum = system_var_expr(c->s, clock_hidden(c, "sum", TYPE_REAL));
    v = var_at(c->s, expr_var_of(p, sum));
    v->kind = VAR_DISCRETE;
    v->attr.start = expr_int(p, 0);
    ExprId by = is_rational ? interval : clock_before(c, interval);
    clock_add_eq(
        c, expr_var_of(p, sum),
        expr_select(p, fires, expr_add(p, clock_before(c, sum), by), clock_before(c, sum)));
    ExprId after = is_rational ? expr_div(p, sum, clock_input(c, clock, 1)) : sum;
    clock_add_eq(c, expr_var_of(p, next),
                 expr_select(p, fires, expr_add(p, begin, after), clock_before(c, next)));
    return fires;
}

/* v = x with a discrete v. */
static ExprId discrete(Clocks *c, const char *what, ExprId x)
{
    VarId v = clock_hidden(c, what, TYPE_BOOLEAN);
    var_at(c->s, v)->kind = VAR_DISCRETE;
    clock_add_eq(c, v, x);
    return system_var_expr(c->s, v);
}

/* edge(condition), one event iteration later: the partition may change a variable of the condition.
 * A condition that is true from the start on ticks there. */
static ExprId fires_event(Clocks *c, ExprId clock)
{
    ExprId now = discrete(c, "condition", rewrite(c, CONTINUOUS, clock_input(c, clock, 0)));
    return rises(c, discrete(c, "trigger", clock_before(c, now)));
}

/* Of the ticks of the base those numbered shift, shift + factor, ... */
static ExprId every(Clocks *c, ExprId base, const ClockTicks *t)
{
    ExprPool *p = clock_pool(c);
    if (t->shift == 0 && t->factor == 1)
        return base;
    ExprId n = system_var_expr(c->s, clock_hidden(c, "count", TYPE_INTEGER));
    Var *v = var_at(c->s, expr_var_of(p, n));
    v->kind = VAR_DISCRETE;
    v->attr.start = expr_int(p, -1);
    clock_add_eq(
        c, expr_var_of(p, n),
        expr_select(p, base, expr_add(p, clock_before(c, n), expr_int(p, 1)), clock_before(c, n)));
    ExprId since = expr_sub(p, n, expr_double(p, t->shift));
    ExprId now =
        expr_and(p, expr_compare(p, OP_LE, expr_int(p, 0), since),
                 expr_compare(p, OP_EQ, expr_fn2(p, FN2_MOD, since, expr_double(p, t->factor)),
                              expr_int(p, 0)));
    return expr_and(p, base, now);
}

/* One expression for clocks that tick at the same times. */
ExprId clock_fires(Clocks *c, const ClockTicks *t)
{
    for (uint32_t k = 0; k < c->instant.n; k++) {
        const Instants *i = &c->instant.at[k];
        if (i->ticks.source == t->source && expr_same(i->ticks.of, t->of) &&
            i->ticks.shift == t->shift && i->ticks.factor == t->factor && i->ticks.per == t->per)
            return i->fires;
    }
    ExprId fires;
    ClockTicks base = *t;
    base.shift = 0;
    base.factor = base.per = 1;
    if (t->source == CLOCK_PERIODIC)
        fires = fires_periodic(c, t);
    else if (t->shift != 0 || t->factor != 1)
        fires = every(c, clock_fires(c, &base), t);
    else
        fires = t->source == CLOCK_EVENT ? fires_event(c, t->of) : fires_varying(c, t->of);
    vec_push(c->scratch, c->instant, ((Instants){*t, fires}));
    return fires;
}

/* firstTick() of the partition */
ExprId clock_first_tick(Clocks *c, Partition *part)
{
    ExprPool *p = clock_pool(c);
    if (!expr_exists(part->first)) {
        ExprId ticked = kept(c, "ticked", TYPE_BOOLEAN, expr_int(p, 0), part->fires, yes(c));
        part->first = expr_not(p, clock_before(c, ticked));
    }
    return part->first;
}

/* interval() of the partition (MLS 16.10) */
ExprId clock_interval(Clocks *c, Partition *part)
{
    ExprPool *p = clock_pool(c);
    if (expr_exists(part->interval))
        return part->interval;
    const ClockTicks *t = &part->ticks;
    if (t->source == CLOCK_PERIODIC) {
        part->interval = expr_mul(p, t->of, clock_factor(c->calculus, part->node));
        return part->interval;
    }
    if (t->source == CLOCK_VARYING && t->shift == 0 && t->factor == 1 &&
        clock_operator_of(c, t->of) == INTRINSIC_CLOCK_RATIONAL) {
        part->interval =
            expr_div(p, clock_before(c, clock_input(c, t->of, 0)), clock_input(c, t->of, 1));
        return part->interval;
    }
    ExprId last = kept(c, "last", TYPE_REAL, expr_int(p, 0), part->fires, expr_time(p));
    ExprId start = clock_input(c, t->of, 1);
    if (t->source == CLOCK_VARYING) {
        const Var *v = clock_unknown(c, clock_input(c, t->of, 0));
        start = v && expr_exists(v->attr.start) ? v->attr.start : expr_int(p, 0);
        if (clock_operator_of(c, t->of) == INTRINSIC_CLOCK_RATIONAL)
            start = expr_div(p, start, clock_input(c, t->of, 1));
    }
    part->interval = expr_select(p, clock_first_tick(c, part), start,
                                 expr_sub(p, expr_time(p), clock_before(c, last)));
    return part->interval;
}

/* ---- equations
 * ------------------------------------------------------------------------------------ */

/* The value of x before the event at which the partition ticks. */
static ExprId sampled(Clocks *c, ExprId x)
{
    if (expr_is_fixed(clock_pool(c), x))
        return x;
    uint32_t known = map_get(&c->before, x.i);
    if (known == MAP_NONE) {
        Memory m = {.kind = MEMORY_LEFT_LIMIT,
                    .of = x,
                    .start = EXPR_NONE,
                    .interval = EXPR_NONE,
                    .span = c->span};
        known = system_add_memory(c->s, m, TYPE_REAL, "left limit").i;
        map_put(&c->before, x.i, known);
    }
    return system_var_expr(c->s, (VarId){known});
}

static ExprId become(void *data, ExprId x)
{
    Clocks *c = data;
    Intrinsic i = clock_operator_of(c, x);
    if (i == INTRINSIC_NONE)
        return x;
    ExprId u = clock_n_inputs(c, x) ? clock_input(c, x, 0) : EXPR_NONE;
    bool is_known = expr_exists(u) && expr_is_fixed(clock_pool(c), u);
    Partition *part =
        c->partition_at_work == CONTINUOUS ? NULL : &c->partition.at[c->partition_at_work];
    switch (i) {
    case INTRINSIC_SAMPLE:
        return sampled(c, u); /* rewritten already */
    case INTRINSIC_PREVIOUS:
        if (!is_known && expr_op(clock_pool(c), u) == OP_VAR)
            map_add(&c->previous, expr_var_of(clock_pool(c), u).i);
        return is_known ? u : clock_before(c, u);
    case INTRINSIC_INTERVAL:
    case INTRINSIC_FIRST_TICK:
        if (part)
            return i == INTRINSIC_INTERVAL ? clock_interval(c, part) : clock_first_tick(c, part);
        clock_fail(c, "K05", "this is of a clocked partition (MLS 16.10)");
        return x;
    case INTRINSIC_HOLD:
    case INTRINSIC_NO_CLOCK:
    case INTRINSIC_SUB_SAMPLE:
    case INTRINSIC_SUPER_SAMPLE:
    case INTRINSIC_SHIFT_SAMPLE:
    case INTRINSIC_BACK_SAMPLE:
        return u;
    default: /* the clock that something is sampled with */
        return x;
    }
}

static ExprId rewrite(Clocks *c, uint32_t partition, ExprId x)
{
    uint32_t outer = c->partition_at_work;
    c->partition_at_work = partition;
    ExprId y = expr_map(clock_pool(c), c->walk, x, become, c);
    c->partition_at_work = outer;
    return y;
}

/* ---- from tick to tick (MLS 16.8.2) ------------------------------------------------------------
 */

/* The method for "External" is chosen here; an unknown method is treated like it, with a warning.
 */
static Method method_of(Clocks *c, const Partition *part)
{
    const char *name = part->solver.s ? part->solver.s : "";
    if (strcmp(name, "ExplicitEuler") == 0)
        return EXPLICIT_EULER;
    if (strcmp(name, "ExplicitMidPoint2") == 0)
        return EXPLICIT_MIDPOINT;
    if (strcmp(name, "ExplicitRungeKutta4") == 0)
        return EXPLICIT_RUNGE_KUTTA;
    if (strcmp(name, "ImplicitEuler") == 0)
        return IMPLICIT_EULER;
    if (!*name) {
        c->span = part->span;
        clock_fail(c, "K07",
                   "no method is given for the derivatives in this clocked partition: "
                   "Clock(c, solverMethod = \"ImplicitTrapezoid\") (MLS 16.8.4)");
        return IMPLICIT_TRAPEZOID;
    }
    if (strcmp(name, "ImplicitTrapezoid") != 0 && strcmp(name, "External") != 0)
        diag_warning(c->s->diags, part->span, "K07",
                     "the method '%s' is not known here: the implicit trapezoidal rule is taken",
                     name);
    return IMPLICIT_TRAPEZOID;
}

/* x from its previous value. */
static ExprId step_of(Clocks *c, const Row *row)
{
    ExprPool *p = clock_pool(c);
    Partition *part = &c->partition.at[row->partition];
    ExprId x = system_var_expr(c->s, row->state);
    ExprId dx = system_var_expr(c->s, var_at(c->s, row->state)->der);
    Method m = part->method;
    uint32_t staged = map_get(&c->step, row->state.i);
    if (staged != MAP_NONE)
        return (ExprId){staged};
    ExprId slope = m == EXPLICIT_EULER ? clock_before(c, dx) : dx;
    if (m == IMPLICIT_TRAPEZOID)
        slope = expr_div(p, expr_add(p, dx, clock_before(c, dx)), expr_int(p, 2));
    return expr_add(p, clock_before(c, x), expr_mul(p, clock_interval(c, part), slope));
}

/* At the first tick the initial equation holds, if there is one, else x has its start value. */
static void write_step(Clocks *c, const Row *row)
{
    ExprPool *p = clock_pool(c);
    Partition *part = &c->partition.at[row->partition];
    ExprId x = system_var_expr(c->s, row->state), lhs = x, rhs;
    if (row->is_dummy) {
        lhs = system_var_expr(c->s, var_at(c->s, row->state)->der);
        rhs = expr_div(p, expr_sub(p, x, clock_before(c, x)), clock_interval(c, part));
    } else if (row->initial == UINT32_MAX) {
        ExprId first = clock_first_tick(c, part),
               step = step_of(c, row); /* in this order: they add */
        rhs = expr_select(p, first, clock_before(c, x), step);
    } else {
        const Eq e = c->s->initial_eq.at[row->initial];
        ExprId a = rewrite(c, row->partition, e.lhs), b = rewrite(c, row->partition, e.rhs);
        ExprId first = clock_first_tick(c, part), step = step_of(c, row);
        bool is_plain = expr_same(a, x) || expr_same(b, x);
        lhs = is_plain ? x : expr_select(p, first, expr_sub(p, a, b), expr_sub(p, x, step));
        rhs = is_plain ? expr_select(p, first, expr_same(a, x) ? b : a, step) : expr_int(p, 0);
    }
    uint32_t state = var_at(c->s, row->state)->state;
    if (state && !row->is_dummy) {
        /* MLS 17.1: where its state is reset it begins at its start value */
        const Var *v = var_at(c->s, row->state);
        ExprId reset = c->s->state.at[state - 1].reset;
        ExprId start = expr_exists(v->attr.start) ? v->attr.start : expr_int(p, 0);
        rhs = expr_same(lhs, x) ? expr_select(p, reset, start, rhs) : rhs;
        lhs = expr_same(lhs, x) ? lhs : expr_select(p, reset, expr_sub(p, x, start), lhs);
    }
    c->s->eq.at[row->eq].lhs = lhs;
    c->s->eq.at[row->eq].rhs = rhs;
}

/* The partition of a variable that may be the derivative of one of the flat model. */
uint32_t clock_partition_of_var(Clocks *c, VarId v)
{
    while (var_exists(var_at(c->s, v)->der_of))
        v = var_at(c->s, v)->der_of;
    return v.i < c->n_vars ? clock_partition_of(c, v.i) : CONTINUOUS;
}

/* One more equation for each derivative. */
static void add_steps(Clocks *c, Rows *rows)
{
    for (uint32_t k = 0; k < c->s->var.n; k++) {
        VarId x = {k};
        if (!var_exists(var_at(c->s, x)->der))
            continue;
        uint32_t of = clock_partition_of_var(c, x);
        if (of == CONTINUOUS)
            continue;
        Partition *part = &c->partition.at[of];
        c->span = var_at(c->s, x)->span;
        if (!part->is_integrated)
            part->method = method_of(c, part);
        part->is_integrated = true;
        vec_push(c->scratch, *rows, ((Row){c->s->eq.n, of, UINT32_MAX, x, false}));
        clock_add_eq(c, x, system_var_expr(c->s, x)); /* to be */
        vec_last(c->s->eq).state = var_at(c->s, x)->state;
    }
}

/* ---- equations that hold at ticks
 * ---------------------------------------------------------------- */

/* An edge for each unknown in x; values from before the tick are known. */
static void edges(Clocks *c, const Columns *columns, IncidenceBuilder *b, ExprId root, Map *seen)
{
    const ExprPool *p = clock_pool(c);
    VEC(ExprId) stack = {0};
    vec_push(c->scratch, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        Op op = expr_op(p, x);
        if (expr_is_fixed(p, x) || op == OP_PRE || !map_add(seen, x.i))
            continue;
        uint32_t column = op == OP_VAR ? map_get(&columns->of, expr_var_of(p, x).i) : MAP_NONE;
        if (column != MAP_NONE)
            incidence_edge(b, column, expr_same(x, root) ? LABEL_ONE : LABEL_OTHER, 1);
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(c->scratch, stack, expr_arg(p, x, k));
    }
}

static Incidence incidence_of(Clocks *c, const Rows *rows, const Columns *columns)
{
    IncidenceBuilder b = incidence_begin(c->scratch, columns->var.n);
    for (uint32_t k = 0; k < rows->n; k++) {
        const Row *row = &rows->at[k];
        const Eq *e = &c->s->eq.at[row->eq];
        incidence_row(&b);
        if (var_exists(row->state)) { /* for x, or for its derivative if x is no state */
            VarId dx = var_at(c->s, row->state)->der;
            incidence_edge(&b, map_get(&columns->of, row->state.i), LABEL_ONE, 1);
            incidence_edge(&b, map_get(&columns->of, dx.i), LABEL_NONLINEAR, 1);
            continue;
        }
        Map seen = map_new(c->scratch);
        edges(c, columns, &b, e->lhs, &seen);
        edges(c, columns, &b, e->rhs, &seen);
    }
    return incidence_done(&b);
}

/* Which equation determines which variable. Where the equations leave fewer states than there are
 * derivatives, the steps of the others give derivatives. */
static bool match(Clocks *c, Rows *rows, const Columns *columns, Matching *m)
{
    Incidence g = incidence_of(c, rows, columns);
    *m = matching_empty(&g, c->scratch);
    matching_extend(m, &g, LABEL_ONE, c->scratch);
    matching_extend(m, &g, LABEL_OTHER, c->scratch);
    matching_extend(m, &g, LABEL_NONLINEAR, c->scratch);
    for (uint32_t k = 0; k < columns->var.n; k++) {
        const Var *v = var_at(c->s, columns->var.at[k]);
        if (m->eq_of[k] == INC_NONE)
            diag_error(c->s->diags, v->span, "S03",
                       "structurally singular: no clocked equation determines '%s'", v->name.s);
    }
    for (uint32_t k = 0; k < rows->n; k++) {
        Row *row = &rows->at[k];
        if (m->var_of[k] == INC_NONE)
            diag_error(c->s->diags, c->s->eq.at[row->eq].span, "S02",
                       "structurally singular: no clocked variable is left for this equation");
        else
            row->is_dummy =
                var_exists(row->state) && columns->var.at[m->var_of[k]].i != row->state.i;
    }
    return m->size == columns->var.n && m->size == rows->n;
}

/* v = w of one partition holds between ticks as well, unless v has to show its start value. */
static bool holds_always(Clocks *c, const Row *row, VarId v, ExprId other)
{
    const Var *w = clock_unknown(c, other);
    uint32_t state = c->s->eq.at[row->eq].state;
    if ((v.i < c->n_vars && c->shows_start[v.i]) || (w && state && w->state != state))
        return false;
    return expr_is_fixed(clock_pool(c), other) ||
           (w && clock_partition_of_var(c, expr_var_of(clock_pool(c), other)) == row->partition);
}

static void hold_between_ticks(Clocks *c, const Row *row, VarId v)
{
    ExprPool *p = clock_pool(c);
    Eq *e = &c->s->eq.at[row->eq];
    ExprId x = system_var_expr(c->s, v), fires = c->partition.at[row->partition].fires;
    if (e->state) /* MLS 17.3.3: suspended variables keep their values */
        fires = expr_and(p, fires, c->s->state.at[e->state - 1].active);
    bool left = expr_same(e->lhs, x), right = expr_same(e->rhs, x);
    ExprId other = left ? e->rhs : e->lhs;
    if (!(left || right) || !holds_always(c, row, v, other))
        clock_hold(c, e, x, fires);
}

void clock_hold(Clocks *c, Eq *e, ExprId x, ExprId fires)
{
    ExprPool *p = clock_pool(c);
    bool left = expr_same(e->lhs, x), right = expr_same(e->rhs, x);
    ExprId other = left ? e->rhs : e->lhs;
    if (left || right) {
        e->lhs = x;
        e->rhs = expr_select(p, fires, expr_wrap(p, OP_NOEVENT, other), clock_before(c, x));
    } else {
        ExprId defect = expr_wrap(p, OP_NOEVENT, expr_sub(p, e->lhs, e->rhs));
        e->lhs = expr_select(p, fires, defect, expr_sub(p, x, clock_before(c, x)));
        e->rhs = expr_int(p, 0);
    }
}

static void rewrite_equations(Clocks *c, Rows *rows)
{
    System *s = c->s;
    for (uint32_t k = 0; k < c->n_eqs; k++) {
        Eq e = s->eq.at[k];
        if (is_clock_equation(c, &e))
            continue;
        uint32_t of = clock_partition_of(c, c->n_vars + k);
        c->span = e.span;
        e.lhs = rewrite(c, of, e.lhs);
        e.rhs = rewrite(c, of, e.rhs);
        if (of != CONTINUOUS) {
            Name failed = {NULL};
            e.lhs = expand_derivatives(s, c->walk, e.lhs, &failed);
            e.rhs = expand_derivatives(s, c->walk, e.rhs, &failed);
            if (failed.s || !expr_exists(e.lhs) || !expr_exists(e.rhs)) {
                clock_fail(c, "E03", "this clocked equation cannot be differentiated");
                return;
            }
            vec_push(c->scratch, *rows, ((Row){k, of, UINT32_MAX, VAR_NONE, false}));
        }
        s->eq.at[k] = e;
    }
}

/* The partition of the first clocked variable in x, or CONTINUOUS. */
static uint32_t partition_in(Clocks *c, ExprId root)
{
    const ExprPool *p = clock_pool(c);
    Map seen = map_new(c->scratch);
    VEC(ExprId) stack = {0};
    vec_push(c->scratch, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        if (!map_add(&seen, x.i) || clock_operator_of(c, x) == INTRINSIC_HOLD)
            continue;
        const Var *v = clock_unknown(c, x);
        uint32_t of = v ? clock_partition_of_var(c, expr_var_of(p, x)) : CONTINUOUS;
        if (of != CONTINUOUS)
            return of;
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(c->scratch, stack, expr_arg(p, x, k));
    }
    return CONTINUOUS;
}

/* Each to a state of its partition, to the one that it names if it can be (MLS 16.8.2). */
static void give_initial_equations(Clocks *c, Rows *rows)
{
    System *s = c->s;
    for (int named = 1; named >= 0; named--)
        for (uint32_t k = 0; k < s->initial_eq.n; k++) {
            const Eq *e = &s->initial_eq.at[k];
            uint32_t of = partition_in(c, e->lhs);
            of = of == CONTINUOUS ? partition_in(c, e->rhs) : of;
            if (of == CONTINUOUS || !c->partition.at[of].is_integrated || c->is_given[k])
                continue;
            for (uint32_t j = 0; j < rows->n && !c->is_given[k]; j++) {
                Row *row = &rows->at[j];
                if (row->partition != of || !var_exists(row->state) || row->is_dummy ||
                    row->initial != UINT32_MAX)
                    continue;
                ExprId x = system_var_expr(s, row->state);
                if (named && !expr_same(e->lhs, x) && !expr_same(e->rhs, x))
                    continue;
                row->initial = k;
                c->is_given[k] = true;
            }
        }
}

void clock_equations(Clocks *c)
{
    System *s = c->s;
    Rows rows = {0};
    rewrite_equations(c, &rows);
    if (c->failed)
        return;
    add_steps(c, &rows);
    Columns columns = {.of = map_new(c->scratch)};
    for (uint32_t k = 0; k < s->var.n; k++) {
        bool is_own = k < c->n_vars || var_exists(s->var.at[k].der_of);
        if (!is_own || !var_is_unknown(&s->var.at[k]) || s->var.at[k].type == TYPE_CLOCK ||
            clock_partition_of_var(c, (VarId){k}) == CONTINUOUS)
            continue;
        const Var *v = &s->var.at[k];
        c->span = v->span;
        // where previous() is applied to it the attribute is true anyway (MLS 16.9)
        if (v->attr.fixed == YES && !var_exists(v->der) && !var_exists(v->der_of) &&
            map_get(&c->previous, k) == MAP_NONE)
            clock_fail(c, "K08",
                       arena_printf(c->scratch,
                                    "'%s' is clocked, and previous() is not applied to it: it "
                                    "cannot be fixed at the start (MLS 16.9)",
                                    v->name.s));
        map_put(&columns.of, k, columns.var.n);
        vec_push(c->scratch, columns.var, ((VarId){k}));
    }
    Matching m;
    if (!match(c, &rows, &columns, &m)) {
        c->failed = true;
        return;
    }
    give_initial_equations(c, &rows);
    clock_stages(c, &rows, &columns, &m);
    for (uint32_t k = 0; k < rows.n; k++) {
        const Row *row = &rows.at[k];
        c->span = s->eq.at[row->eq].span;
        if (var_exists(row->state))
            write_step(c, row);
    }
    for (uint32_t k = 0; k < columns.var.n; k++) {
        Var *v = var_at(s, columns.var.at[k]);
        v->kind = VAR_DISCRETE;
        v->der = v->der_of = VAR_NONE;
    }
    for (uint32_t k = 0; k < rows.n; k++)
        hold_between_ticks(c, &rows.at[k], columns.var.at[m.var_of[k]]);
}

/* ---- memory, actions, assertions ---- */

void clock_rest(Clocks *c)
{
    System *s = c->s;
    ExprPool *p = clock_pool(c);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        Eq *e = &s->initial_eq.at[k];
        if (c->is_given[k])
            continue;
        s->initial_eq.at[kept] = *e;
        e = &s->initial_eq.at[kept++];
        c->span = e->span;
        if (partition_in(c, e->lhs) != CONTINUOUS || partition_in(c, e->rhs) != CONTINUOUS)
            clock_fail(c, "K08", "a clocked variable stands in no initial equation (MLS 16.9)");
        e->lhs = rewrite(c, CONTINUOUS, e->lhs);
        e->rhs = rewrite(c, CONTINUOUS, e->rhs);
    }
    s->initial_eq.n = kept;
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        Assertion *a = &s->assertion.at[k];
        uint32_t of = partition_in(c, a->cond);
        c->span = a->span;
        ExprId cond = rewrite(c, of, a->cond);
        a->cond =
            of == CONTINUOUS ? cond : expr_or(p, expr_not(p, c->partition.at[of].fires), cond);
        if (expr_exists(a->message))
            a->message = rewrite(c, of, a->message);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        Action *a = &s->action.at[k];
        uint32_t of = partition_in(c, a->fires);
        c->span = a->span;
        a->fires = rewrite(c, of, a->fires);
        a->value = rewrite(c, of, a->value);
    }
}
