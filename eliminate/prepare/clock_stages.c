#include "eliminate/prepare/clock_work.h"

/* The equations of a partition in a stage of the step from the tick before to this one: in the
 * middle of them, or at this one (MLS 16.8.2). */
typedef struct Stage {
    Clocks *c;
    uint32_t partition;
    const Rows *rows;
    const Columns *columns;
    const Matching *m;
    bool is_middle;
    Map *input;      /* VarId.i -> ExprId.i: inputs of the partition, at ticks */
    Map value;       /* VarId.i -> ExprId.i of its value in the stage     */
    Map made;        /* node -> ExprId.i of the node in the stage         */
    VEC(VarId) todo; /* variables whose equations are to be written */
} Stage;

static ExprId half(ExprPool *p, ExprId x)
{
    return expr_div(p, x, expr_int(p, 2));
}

typedef enum Look { LOOK_BELOW, LOOK_AWAY, LOOK_FOUND } Look;

/* Is a node found in x; `look` says where to look on. */
static bool any_node(Stage *g, ExprId root, Look (*look)(Stage *, ExprId))
{
    Arena *mem = g->c->scratch;
    const ExprPool *p = clock_pool(g->c);
    Map seen = map_new(mem);
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        Look at = map_add(&seen, x.i) ? look(g, x) : LOOK_AWAY;
        if (at == LOOK_FOUND)
            return true;
        for (uint32_t k = 0; at == LOOK_BELOW && k < expr_n_args(p, x); k++)
            vec_push(mem, stack, expr_arg(p, x, k));
    }
    return false;
}

/* A value of the tick before, other than in interval() and firstTick(). */
static Look for_memory(Stage *g, ExprId x)
{
    const Partition *part = &g->c->partition.at[g->partition];
    if (expr_same(x, part->interval) || expr_same(x, part->first))
        return LOOK_AWAY;
    return expr_op(clock_pool(g->c), x) == OP_PRE ? LOOK_FOUND : LOOK_BELOW;
}

/* A continuous-time Real, though not in a relation. */
static Look for_continuous(Stage *g, ExprId x)
{
    const ExprPool *p = clock_pool(g->c);
    Op op = expr_op(p, x);
    if (expr_is_fixed(p, x) || op_is_logical(op) || op == OP_PRE)
        return LOOK_AWAY;
    if (op == OP_TIME || op == OP_DER)
        return LOOK_FOUND;
    if (op != OP_VAR)
        return LOOK_BELOW;
    const Var *v = var_at(g->c->s, expr_var_of(p, x));
    bool is_clocked = clock_partition_of_var(g->c, expr_var_of(p, x)) != CONTINUOUS;
    return v->kind != VAR_DISCRETE && v->type == TYPE_REAL && !is_clocked ? LOOK_FOUND : LOOK_AWAY;
}

/* A continuous-time input is interpolated between ticks, a discrete one keeps its value (the u_c
 * and u_d of MLS 16.8.2). */
static bool is_interpolated(Stage *g, VarId v)
{
    const Var *var = var_at(g->c->s, v);
    if (var->kind == VAR_MEMORY)
        return any_node(g, g->c->s->memory.at[var->index].of, for_continuous);
    uint32_t of = clock_partition_of_var(g->c, v);
    return var->type == TYPE_REAL && of != CONTINUOUS && g->c->partition.at[of].is_integrated;
}

/* The value at ticks of a variable from outside. It is kept by a variable of the partition, since
 * others tick at other times. */
static ExprId kept_input(Stage *g, VarId v)
{
    Clocks *c = g->c;
    uint32_t known = map_get(g->input, v.i);
    if (known != MAP_NONE)
        return (ExprId){known};
    VarId own = clock_hidden(c, "input", var_at(c->s, v)->type);
    ExprId x = system_var_expr(c->s, own);
    var_at(c->s, own)->kind = VAR_DISCRETE;
    var_at(c->s, own)->attr.start = expr_int(clock_pool(c), 0);
    Eq e = {.lhs = x, .rhs = system_var_expr(c->s, v), .group = GROUP_NONE, .span = c->span};
    clock_hold(c, &e, x, c->partition.at[g->partition].fires);
    system_add_eq(c->s, e);
    map_put(g->input, v.i, x.i);
    return x;
}

static ExprId input_in(Stage *g, VarId v)
{
    ExprPool *p = clock_pool(g->c);
    ExprId now = system_var_expr(g->c->s, v);
    if (!g->is_middle)
        return now;
    ExprId last = clock_before(g->c, kept_input(g, v));
    return is_interpolated(g, v) ? half(p, expr_add(p, last, now)) : last;
}

/* The row that determines a variable of the partition; NULL if v is none. */
static const Row *row_of(const Stage *g, VarId v)
{
    uint32_t column = map_get(&g->columns->of, v.i);
    if (column == MAP_NONE || clock_partition_of_var(g->c, v) != g->partition)
        return NULL;
    return &g->rows->at[g->m->eq_of[column]];
}

/* A copy of the variable, whose equation is written later. */
static ExprId copy_of(Stage *g, VarId v)
{
    Clocks *c = g->c;
    Var of = *var_at(c->s, v);
    VarId copy = clock_hidden(c, "stage", of.type);
    Var *to = var_at(c->s, copy);
    to->kind = VAR_DISCRETE;
    to->attr.start = expr_exists(of.attr.start) ? of.attr.start : expr_int(clock_pool(c), 0);
    to->attr.nominal = of.attr.nominal;
    vec_push(c->scratch, g->todo, v);
    return system_var_expr(c->s, copy);
}

static ExprId value_of(Stage *g, VarId v)
{
    Clocks *c = g->c;
    uint32_t known = map_get(&g->value, v.i);
    if (known != MAP_NONE)
        return (ExprId){known};
    const Row *row = row_of(g, v);
    ExprId x = system_var_expr(c->s, v), value;
    const Eq *e = row ? &c->s->eq.at[row->eq] : NULL;
    if (!row)
        value = input_in(g, v);
    else if (var_exists(row->state)) /* the slope of an input over the step */
        value = x;
    else if (any_node(g, e->lhs, for_memory) || any_node(g, e->rhs, for_memory)) /* discrete */
        value = g->is_middle ? clock_before(c, x) : x;
    else
        value = copy_of(g, v);
    map_put(&g->value, v.i, value.i);
    return value;
}

/* A node that is not looked into; its value in the stage. */
static bool is_leaf(Stage *g, ExprId x, ExprId *value)
{
    Clocks *c = g->c;
    ExprPool *p = clock_pool(c);
    const Partition *part = &c->partition.at[g->partition];
    *value = x;
    if (expr_is_fixed(p, x) || expr_same(x, part->interval) || expr_same(x, part->first))
        return true;
    switch (expr_op(p, x)) {
    case OP_TIME:
        if (g->is_middle)
            *value = expr_sub(p, x, half(p, clock_interval(c, &c->partition.at[g->partition])));
        return true;
    case OP_VAR:
        if (var_is_unknown(var_at(c->s, expr_var_of(p, x))) ||
            var_at(c->s, expr_var_of(p, x))->kind == VAR_MEMORY)
            *value = value_of(g, expr_var_of(p, x));
        return true;
    case OP_PRE:
        return true;
    default:
        return expr_n_args(p, x) == 0;
    }
}

static ExprId in_stage(Stage *g, ExprId root)
{
    Clocks *c = g->c;
    ExprPool *p = clock_pool(c);
    VEC(ExprId) stack = {0}, arg = {0};
    vec_push(c->scratch, stack, root);
    while (stack.n) {
        ExprId x = vec_last(stack), value;
        if (map_get(&g->made, x.i) != MAP_NONE) {
            stack.n--;
            continue;
        }
        if (is_leaf(g, x, &value)) {
            map_put(&g->made, x.i, value.i);
            continue;
        }
        uint32_t open = stack.n;
        arg.n = 0;
        for (uint32_t k = 0; k < expr_n_args(p, x); k++) {
            uint32_t made = map_get(&g->made, expr_arg(p, x, k).i);
            if (made == MAP_NONE)
                vec_push(c->scratch, stack, expr_arg(p, x, k));
            vec_push(c->scratch, arg, (ExprId){made});
        }
        if (stack.n == open)
            map_put(&g->made, x.i, expr_rebuild(p, x, arg.at).i);
    }
    return (ExprId){map_get(&g->made, root.i)};
}

/* From the second tick on, since the first one makes no step. */
static void write_copies(Stage *g)
{
    Clocks *c = g->c;
    ExprPool *p = clock_pool(c);
    Partition *part = &c->partition.at[g->partition];
    ExprId fires = expr_and(p, part->fires, expr_not(p, clock_first_tick(c, part)));
    for (uint32_t k = 0; k < g->todo.n; k++) { /* grows */
        VarId v = g->todo.at[k];
        Eq e = c->s->eq.at[row_of(g, v)->eq];
        c->span = e.span;
        e.lhs = in_stage(g, e.lhs);
        e.rhs = in_stage(g, e.rhs);
        e.group = GROUP_NONE;
        e.state = 0;
        clock_hold(c, &e, value_of(g, v), fires);
        system_add_eq(c->s, e);
    }
}

/* The step of a state. */
typedef struct Step {
    ExprId before; /* its value at the tick before      */
    VarId x;
    ExprId slope, sum; /* of the last stage; of all, weighted */
} Step;

typedef VEC(Step) Steps;

/* A stage that begins at x + h*share*slope, with the slopes of the stage before. */
static void run_stage(Stage *g, const Steps *steps, long weight)
{
    Clocks *c = g->c;
    ExprPool *p = clock_pool(c);
    ExprId h = clock_interval(c, &c->partition.at[g->partition]);
    ExprId share = g->is_middle ? half(p, h) : h;
    g->value = map_new(c->scratch);
    g->made = map_new(c->scratch);
    g->todo.n = 0;
    for (uint32_t k = 0; k < steps->n; k++) {
        const Step *s = &steps->at[k];
        map_put(&g->value, s->x.i, expr_add(p, s->before, expr_mul(p, share, s->slope)).i);
    }
    for (uint32_t k = 0; k < steps->n; k++) {
        Step *s = &steps->at[k];
        c->span = var_at(c->s, s->x)->span;
        s->slope = value_of(g, var_at(c->s, s->x)->der);
        s->sum = expr_add(p, s->sum, expr_mul(p, expr_int(p, weight), s->slope));
    }
    write_copies(g);
}

/* The first stage has the slope of the tick before. */
static void run_stages(Stage *g, const Steps *steps)
{
    Clocks *c = g->c;
    ExprPool *p = clock_pool(c);
    Partition *part = &c->partition.at[g->partition];
    g->is_middle = true;
    if (part->method == EXPLICIT_MIDPOINT) {
        run_stage(g, steps, 1);
    } else {
        for (uint32_t k = 0; k < steps->n; k++)
            steps->at[k].sum = steps->at[k].slope;
        run_stage(g, steps, 2);
        run_stage(g, steps, 2);
        g->is_middle = false;
        run_stage(g, steps, 1);
    }
    ExprId h = clock_interval(c, part);
    ExprId weights = expr_int(p, part->method == EXPLICIT_MIDPOINT ? 1 : 6);
    for (uint32_t k = 0; k < steps->n; k++) {
        const Step *s = &steps->at[k];
        ExprId by = expr_mul(p, h, expr_div(p, s->sum, weights));
        map_put(&c->step, s->x.i, expr_add(p, s->before, by).i);
    }
}

void clock_stages(Clocks *c, const Rows *rows, const Columns *columns, const Matching *m)
{
    ExprPool *p = clock_pool(c);
    Steps *steps = arena_array(c->scratch, Steps, c->partition.n + 1);
    for (uint32_t k = 0; k < rows->n; k++) {
        const Row *row = &rows->at[k];
        if (!var_exists(row->state) || row->is_dummy)
            continue;
        ExprId x = system_var_expr(c->s, row->state);
        ExprId slope = system_var_expr(c->s, var_at(c->s, row->state)->der);
        Step s = {clock_before(c, x), row->state, clock_before(c, slope), expr_int(p, 0)};
        vec_push(c->scratch, steps[row->partition], s);
    }
    for (uint32_t i = 0; i < c->partition.n; i++) {
        Method method = c->partition.at[i].method;
        if (steps[i].n == 0 || (method != EXPLICIT_MIDPOINT && method != EXPLICIT_RUNGE_KUTTA))
            continue;
        Map input = map_new(c->scratch);
        Stage g = {
            .c = c, .partition = i, .rows = rows, .columns = columns, .m = m, .input = &input};
        run_stages(&g, &steps[i]);
    }
}
