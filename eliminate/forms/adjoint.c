#include "eliminate/forms/adjoint.h"

#include "eliminate/forms/loop_roots.h"
#include "eliminate/forms/parameter_chain.h"
#include "eliminate/prepare/differentiate.h"
#include "graph/lu_cost.h"
#include "ir/operation_derivative.h"

#include <stdlib.h>
#include <string.h>

typedef struct Reverse {
    Dae *d;
    System *s;
    ExprPool *p;
    Arena *scratch;
    const char *instead; /* of AdjointChoice */
    uint32_t n_nodes;    /* of the pool, of which derivatives are taken */
    uint32_t n_values;   /* variables of which the program knows values */
    const bool *active;  /* per node: it depends on a state, or on a parameter of the choice */
    ExprId *bar;         /* per node: the derivative by it, EXPR_NONE for 0 */
    bool *with_time;     /* likewise, or on time */
    bool stops;          /* at shared values, which are collected; else at variables */
    VEC(ExprId) shared;
    bool *is_shared; /* per node: among these */
    VEC(VarId) input;
    VEC(NonlinearBlock) block; /* the transposed ones */
    LoopRoots roots;           /* with cut loops */
    uint32_t first_constraint; /* of their weights among the inputs */
    VEC(uint32_t) kept;        /* memory of discrete Real variables that may have derivatives */
} Reverse;

static bool refuse(const Reverse *w, Span span, const char *what)
{
    diag_error(w->s->diags, span, "S12", "no adjoint: %s (%s)", what, w->instead);
    return false;
}

static VarId add_input(Reverse *w, const char *what, uint32_t k)
{
    VarId v = system_add_hidden(w->s, arena_printf(w->s->mem, "adjoint %s %u", what, k));
    vec_push(w->s->mem, w->input, v);
    return v;
}

static void add_to(Reverse *w, ExprId x, ExprId by)
{
    if (!w->active[x.i] || expr_is_zero(w->p, by) == YES)
        return;
    ExprId before = w->bar[x.i];
    w->bar[x.i] = expr_exists(before) ? expr_add(w->p, before, by) : by;
}

/* The partial derivative of x, a result of a call, by argument k: along a variable in its place. */
static ExprId by_argument(Reverse *w, ExprId x, uint32_t k)
{
    ExprPool *p = w->p;
    System *s = w->s;
    ExprId call = expr_arg(p, x, 0);
    uint32_t n = expr_n_args(p, call);
    ArenaMark mark = arena_mark(w->scratch);
    ExprId *args = arena_array(w->scratch, ExprId, n + 1);
    VarId v = system_add_hidden(s, arena_printf(s->mem, "adjoint argument %u", s->var.n));
    for (uint32_t i = 0; i < n; i++)
        args[i] = i == k ? system_var_expr(s, v) : expr_arg(p, call, i);
    ExprId of = expr_proj(p, expr_call(p, expr_func_of(p, call), n, args), expr_proj_of(p, x));
    Differentiator d = differentiator_partial(s, v, w->scratch);
    ExprId slope = differentiate(&d, of);
    if (!expr_exists(slope)) {
        arena_rollback(w->scratch, mark);
        return slope;
    }
    ExprId *value = arena_array(w->scratch, ExprId, s->var.n + 1);
    for (uint32_t i = 0; i < s->var.n; i++)
        value[i] = EXPR_NONE;
    value[v.i] = expr_arg(p, call, k);
    Substitution at = {.value = value, .n = s->var.n, .mem = w->scratch};
    slope = expr_substitute(p, &at, slope);
    arena_rollback(w->scratch, mark);
    return slope;
}

static bool pass_on_call(Reverse *w, ExprId x)
{
    ExprPool *p = w->p;
    ExprId bar = w->bar[x.i], call = expr_arg(p, x, 0);
    const Function f = w->s->function->at[expr_func_of(p, call).i];
    for (uint32_t k = 0; k < expr_n_args(p, call); k++) {
        ExprId arg = expr_arg(p, call, k);
        bool is_real = !f.in_type || f.in_type[k] == TYPE_REAL;
        if (!is_real || !w->active[arg.i])
            continue;
        ExprId slope = by_argument(w, x, k);
        if (!expr_exists(slope))
            return refuse(w, SPAN_NONE,
                          arena_printf(w->scratch, "function '%s' has no derivative that is known",
                                       f.name.s));
        add_to(w, arg, expr_mul(p, bar, slope));
    }
    return true;
}

/* Of the derivative by x those by its operands. */
static bool pass_on(Reverse *w, ExprId x)
{
    ExprPool *p = w->p;
    ExprId bar = w->bar[x.i], zero = expr_int(p, 0);
    switch (expr_op(p, x)) {
    case OP_SELECT:
        add_to(w, expr_arg(p, x, 1), expr_select(p, expr_arg(p, x, 0), bar, zero));
        add_to(w, expr_arg(p, x, 2), expr_select(p, expr_arg(p, x, 0), zero, bar));
        return true;
    case OP_NOEVENT:
    case OP_SMOOTH:
        add_to(w, expr_arg(p, x, 0), bar);
        return true;
    case OP_PROJ:
        return pass_on_call(w, x);
    default:
        // relations, and other values that jump only at events
        if (!op_is_arithmetic(expr_op(p, x)))
            return true;
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            if (w->active[expr_arg(p, x, k).i])
                add_to(w, expr_arg(p, x, k), expr_mul(p, bar, derivative_by_operand(p, x, k)));
        return true;
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* From the roots of which bars are given, users before their operands, which have smaller numbers.
 * Bars of variables and of shared values are kept, all others are passed on. */
static bool go_back(Reverse *w, uint32_t n, const ExprId *root)
{
    ExprPool *p = w->p;
    Arena *tmp = arena_new();
    Map seen = map_new(tmp);
    VEC(uint32_t) stack = {0}, reached = {0};
    for (uint32_t k = 0; k < n; k++)
        vec_push(tmp, stack, root[k].i);
    while (stack.n) {
        ExprId x = {stack.at[--stack.n]};
        if (!w->active[x.i] || map_get(&seen, x.i) != MAP_NONE)
            continue;
        map_put(&seen, x.i, 1);
        vec_push(tmp, reached, x.i);
        bool is_end = expr_op(p, x) == OP_VAR || (w->stops && expr_is_fixed(p, x));
        for (uint32_t k = 0; k < expr_n_args(p, x) && !is_end; k++)
            vec_push(tmp, stack, expr_arg(p, x, k).i);
    }
    if (reached.n)
        qsort(reached.at, reached.n, sizeof *reached.at, by_number);
    bool ok = true;
    for (uint32_t k = reached.n; k-- > 0 && ok;) {
        ExprId x = {reached.at[k]};
        if (!expr_exists(w->bar[x.i]))
            continue;
        if (w->stops && expr_is_fixed(p, x)) {
            if (!w->is_shared[x.i])
                vec_push(w->s->mem, w->shared, x);
            w->is_shared[x.i] = true;
        } else if (expr_op(p, x) != OP_VAR && expr_op(p, x) != OP_TIME) {
            ok = pass_on(w, x);
            w->bar[x.i] = EXPR_NONE;
        }
    }
    arena_free(tmp);
    return ok;
}

/* ---- equations that are solved at run time ---- */

/* The unknowns m of J' m + bar = 0, the bars by the unknowns of the block. */
static const VarId *transpose(Reverse *w, const NonlinearBlock *b, const ExprId *bar)
{
    System *s = w->s;
    ExprPool *p = w->p;
    uint32_t n = b->n, n_entries = b->col_start[n];
    VarId *unknown = arena_array(s->mem, VarId, n + 1);
    ExprId *residual = arena_array(s->mem, ExprId, n + 1);
    uint32_t *start = arena_array(s->mem, uint32_t, n + 1);
    uint32_t *row = arena_array(s->mem, uint32_t, n_entries + 1);
    ExprId *entry = arena_array(s->mem, ExprId, n_entries + 1);
    for (uint32_t k = 0; k < n; k++) {
        unknown[k] =
            system_add_hidden(s, arena_printf(s->mem, "adjoint equation %u.%u", w->block.n, k));
        residual[k] = bar[k];
    }
    // rows to columns, by counting
    for (uint32_t k = 0; k < n_entries; k++)
        start[b->row[k] + 1]++;
    for (uint32_t k = 0; k < n; k++)
        start[k + 1] += start[k];
    uint32_t *next = arena_array(w->scratch, uint32_t, n + 1);
    memcpy(next, start, n * sizeof *next);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t k = b->col_start[c]; k < b->col_start[c + 1]; k++) {
            uint32_t at = next[b->row[k]]++;
            ExprId m = system_var_expr(s, unknown[b->row[k]]);
            row[at] = c;
            entry[at] = b->entry[k];
            residual[c] = expr_add(p, residual[c], expr_mul(p, b->entry[k], m));
        }
    NonlinearBlock made = {.n = n,
                           .unknown = unknown,
                           .eq = b->eq,
                           .residual = residual,
                           .col_start = start,
                           .row = row,
                           .entry = entry,
                           .is_linear = true,
                           .column_order = lu_column_order(n, start, row, s->mem),
                           .named = b->named ? b->named : b->unknown};
    vec_push(s->mem, w->block, made);
    return unknown;
}

/* The derivatives by the unknowns z of a block become those by its other variables x (implicit
 * function theorem): r(z, x) = 0 gives bar_x += r_x' m with r_z' m = -bar_z. Clears bar_z. */
static bool pass_block(Reverse *w, const NonlinearBlock *b)
{
    ExprId *bar = arena_array(w->scratch, ExprId, b->n + 1), zero = expr_int(w->p, 0);
    bool any = false;
    for (uint32_t k = 0; k < b->n; k++) {
        ExprId at = w->bar[system_var_expr(w->s, b->unknown[k]).i];
        any = any || expr_exists(at);
        bar[k] = expr_exists(at) ? at : zero;
    }
    if (!any)
        return true;
    const VarId *m = transpose(w, b, bar);
    for (uint32_t k = 0; k < b->n; k++)
        add_to(w, b->residual[k], system_var_expr(w->s, m[k]));
    bool ok = go_back(w, b->n, b->residual);
    for (uint32_t k = 0; k < b->n; k++)
        w->bar[system_var_expr(w->s, b->unknown[k]).i] = EXPR_NONE;
    return ok;
}

/* go_back, and back over the blocks, users before the ones that they use. */
static bool go_back_over_blocks(Reverse *w, uint32_t n, const ExprId *root)
{
    const Program *g = &w->d->solution.program;
    bool ok = go_back(w, n, root);
    for (uint32_t b = g->n_blocks; b-- > 0 && ok;)
        ok = pass_block(w, &g->block[b]);
    return ok;
}

/* The expression that determines v: of the initial system, if v is one of its unknowns. */
static ExprId value_of(const Reverse *w, VarId v)
{
    const InitialProgram *i = w->d->solution.program.initial;
    for (uint32_t k = 0; i && k < i->n_free; k++)
        if (i->free[k].parameter.i == v.i)
            return i->program.value[i->free[k].unknown.i];
    return parameter_binding(w->s, v);
}

static bool is_free(const Reverse *w, VarId v)
{
    const InitialProgram *i = w->d->solution.program.initial;
    for (uint32_t k = 0; i && k < i->n_free; k++)
        if (i->free[k].parameter.i == v.i)
            return true;
    return false;
}

typedef VEC(VarId) Vars;

static void push_unknowns(const Reverse *w, const Program *g, Vars *all)
{
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t k = 0; k < g->block[b].n; k++)
            vec_push(w->scratch, *all, g->block[b].unknown[k]);
}

static uint32_t n_loop_inputs(const Program *g)
{
    return g->loops ? g->loops->n_constraints + g->loops->n_massless : 0;
}

/* Per node: active, or dependent on time; active: per node, NULL: none is. */
static bool *active_with_time(const Reverse *w, const bool *active)
{
    bool *with = arena_array(w->scratch, bool, w->n_nodes + 1);
    for (uint32_t k = 0; k < w->n_nodes; k++) {
        ExprId x = {k};
        with[k] = (active && active[k]) || expr_op(w->p, x) == OP_TIME;
        for (uint32_t i = 0; i < expr_n_args(w->p, x) && !with[k]; i++)
            with[k] = with[expr_arg(w->p, x, i).i];
    }
    return with;
}

/* Per node, as parameter_followers, with the states, unknowns of blocks, and free parameters that
 * the initial system finds. */
static const bool *active_nodes(Reverse *w, const AdjointChoice *choice)
{
    const Program *g = &w->d->solution.program;
    const InitialProgram *i = g->initial;
    Vars all = {0};
    for (uint32_t k = 0; k < choice->n; k++)
        vec_push(w->scratch, all, choice->by[k]);
    for (uint32_t k = 0; k < g->n_states; k++)
        vec_push(w->scratch, all, g->state[k]);
    for (uint32_t k = 0; i && k < i->n_free; k++)
        vec_push(w->scratch, all, i->free[k].parameter);
    push_unknowns(w, g, &all);
    if (i)
        push_unknowns(w, &i->program, &all);
    for (uint32_t k = 0; k < n_loop_inputs(g); k++)
        vec_push(w->scratch, all, loop_input(g->loops, k));
    VEC(ParameterLink) link = {0};
    VEC(uint32_t) memory = {0};
    bool has_relations = false;
    for (uint32_t k = 0; k < g->n_memory; k++)
        has_relations = has_relations || g->memory[k].kind == MEMORY_RELATION;
    const bool *with_time = active_with_time(w, NULL);
    for (uint32_t k = 0; k < g->n_memory; k++) {
        const Memory *m = &g->memory[k];
        if (m->kind != MEMORY_PRE || w->s->var.at[m->var.i].type != TYPE_REAL)
            continue;
        vec_push(w->scratch, memory, k);
        vec_push(w->scratch, link, ((ParameterLink){m->of, m->var}));
        if (expr_exists(m->start))
            vec_push(w->scratch, link, ((ParameterLink){m->start, m->var}));
        // the time of an event may depend on the parameters
        if (is_free(w, m->var) || (has_relations && with_time[m->of.i]))
            vec_push(w->scratch, all, m->var);
    }
    const bool *active = parameter_followers(w->s, all.n, all.at, link.n, link.at, w->scratch);
    for (uint32_t k = 0; k < memory.n; k++)
        if (active[system_var_expr(w->s, g->memory[memory.at[k]].var).i])
            vec_push(w->s->mem, w->kept, memory.at[k]);
    return active;
}

/* Parameters that others give and that have a derivative, or come to have one, and blocks of the
 * initial system: users last. */
typedef struct Link {
    VarId v;        /* or VAR_NONE: */
    uint32_t block; /* of the initial system */
} Link;

typedef struct Chain {
    bool *done;         /* per variable */
    bool *done_block;   /* per block    */
    uint32_t *block_of; /* per variable: whose unknown it is, + 1 */
    VEC(Link) link;
} Chain;

static Chain chain_new(const Reverse *w)
{
    const InitialProgram *i = w->d->solution.program.initial;
    uint32_t n = w->s->var.n + 1, n_blocks = i ? i->program.n_blocks : 0;
    Chain chain = {.done = arena_array(w->scratch, bool, n),
                   .done_block = arena_array(w->scratch, bool, n_blocks + 1),
                   .block_of = arena_array(w->scratch, uint32_t, n)};
    for (uint32_t b = 0; b < n_blocks; b++)
        for (uint32_t k = 0; k < i->program.block[b].n; k++)
            chain.block_of[i->program.block[b].unknown[k].i] = b + 1;
    return chain;
}

typedef struct Visit {
    ExprId x;
    Link of; /* whose value x is; of a block x is EXPR_NONE */
    bool left;
} Visit;
typedef VEC(Visit) Visits;

/* v, or the block that determines it, comes before its users. */
static void visit(const Reverse *w, VarId v, Chain *chain, Visits *stack)
{
    uint32_t block = chain->block_of[v.i];
    if (block && !chain->done_block[block - 1]) {
        chain->done_block[block - 1] = true;
        vec_push(w->scratch, *stack, ((Visit){EXPR_NONE, {VAR_NONE, block - 1}, false}));
    } else if (!block && !chain->done[v.i] && expr_exists(value_of(w, v))) {
        chain->done[v.i] = true;
        vec_push(w->scratch, *stack, ((Visit){value_of(w, v), {v, 0}, false}));
    }
}

static void put_in_order(Reverse *w, VarId root, Chain *chain)
{
    static const Link none = {{UINT32_MAX}, UINT32_MAX};
    ExprPool *p = w->p;
    Visits stack = {0};
    Map seen = map_new(w->scratch);
    visit(w, root, chain, &stack);
    while (stack.n) {
        Visit *at = &stack.at[stack.n - 1];
        bool is_root = at->of.block != none.block;
        if (at->left) {
            if (is_root)
                vec_push(w->scratch, chain->link, at->of);
            stack.n--;
            continue;
        }
        at->left = true;
        ExprId x = at->x;
        if (is_root && !var_exists(at->of.v)) {
            const NonlinearBlock *b = &w->d->solution.program.initial->program.block[at->of.block];
            for (uint32_t k = 0; k < b->n; k++)
                vec_push(w->scratch, stack, ((Visit){b->residual[k], none, false}));
            continue;
        }
        if (!expr_exists(x) || x.i >= w->n_nodes || !w->active[x.i] ||
            (!is_root && map_get(&seen, x.i) != MAP_NONE))
            continue;
        map_put(&seen, x.i, 1);
        if (expr_op(p, x) == OP_VAR) {
            visit(w, expr_var_of(p, x), chain, &stack);
            continue;
        }
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(w->scratch, stack, ((Visit){expr_arg(p, x, k), none, false}));
    }
}

static ExprId kept_leaf(const Reverse *w, uint32_t k)
{
    return system_var_expr(w->s, w->d->solution.program.memory[w->kept.at[k]].var);
}

static void forget(Reverse *w)
{
    for (uint32_t k = 0; k < w->n_nodes; k++)
        w->bar[k] = EXPR_NONE;
}

static ExprId bar_of(const Reverse *w, ExprId x)
{
    return x.i < w->n_nodes && expr_exists(w->bar[x.i]) ? w->bar[x.i] : expr_int(w->p, 0);
}

/* The present bars by the states, kept values, the shared values so far. */
typedef struct Taken {
    ExprId *bar;
    uint32_t n;
    ExprId *by_input, by_time;
} Taken;

static Taken take_bars(Reverse *w)
{
    const Program *g = &w->d->solution.program;
    uint32_t n_kept = g->n_states + w->kept.n, n_inputs = n_loop_inputs(g);
    Taken out = {.n = n_kept + w->shared.n};
    out.bar = arena_array(w->s->mem, ExprId, out.n + 1);
    out.by_input = arena_array(w->s->mem, ExprId, n_inputs + 1);
    for (uint32_t k = 0; k < out.n; k++) {
        ExprId x = k < g->n_states ? system_var_expr(w->s, g->state[k])
                   : k < n_kept    ? kept_leaf(w, k - g->n_states)
                                   : w->shared.at[k - n_kept];
        out.bar[k] = bar_of(w, x);
    }
    for (uint32_t k = 0; k < n_inputs; k++)
        out.by_input[k] = bar_of(w, system_var_expr(w->s, loop_input(g->loops, k)));
    out.by_time = bar_of(w, expr_time(w->p));
    return out;
}

/* With zeros for the values that have come to be shared since, and `more` behind. */
static const ExprId *widen(const Reverse *w, const Taken *t, uint32_t n_more, const ExprId *more)
{
    uint32_t n = w->d->solution.program.n_states + w->kept.n + w->shared.n;
    ExprId *to = arena_array(w->s->mem, ExprId, n + n_more + 1), zero = expr_int(w->p, 0);
    for (uint32_t k = 0; k < n; k++)
        to[k] = k < t->n ? t->bar[k] : zero;
    for (uint32_t k = 0; k < n_more; k++)
        to[n + k] = more[k];
    return to;
}

/* Roots with the inputs from `first` on as weights. */
typedef struct Weighted {
    uint32_t n, first;
    const ExprId *root;
} Weighted;

static bool find_sum(Reverse *w, uint32_t n_sums, const Weighted *sum, Taken *out)
{
    VEC(ExprId) root = {0};
    forget(w);
    w->stops = true;
    for (uint32_t i = 0; i < n_sums; i++)
        for (uint32_t k = 0; k < sum[i].n; k++) {
            vec_push(w->scratch, root, sum[i].root[k]);
            add_to(w, sum[i].root[k], system_var_expr(w->s, w->input.at[sum[i].first + k]));
        }
    if (!go_back_over_blocks(w, root.n, root.at))
        return false;
    *out = take_bars(w);
    return true;
}

static bool find_product(Reverse *w, const AdjointChoice *choice, Taken *out)
{
    const Program *g = &w->d->solution.program;
    const LoopConstraints *l = g->loops;
    uint32_t m = l ? l->n_constraints : 0, k = l ? l->n_massless : 0, first = w->first_constraint;
    ExprId *objective = arena_array(w->scratch, ExprId, choice->n_objectives + 1);
    for (uint32_t i = 0; i < choice->n_objectives; i++)
        objective[i] = g->value[choice->objective[i].i];
    const Weighted sum[] = {{g->n_states, 0, g->derivative},
                            {choice->n_objectives, g->n_states, objective},
                            {m, first, w->roots.second},
                            {k, first + m, l ? l->balance : NULL}};
    return find_sum(w, sizeof sum / sizeof *sum, sum, out);
}

/* Of AdjointLoops, in its order. */
enum { LOOP_SUMS = 5 };

static bool find_loop_sums(Reverse *w, Taken *out)
{
    const Program *g = &w->d->solution.program;
    const LoopConstraints *l = g->loops;
    uint32_t n = g->n_states, m = l->n_constraints, k = l->n_massless, first = w->first_constraint;
    const LoopRoots *r = &w->roots;
    const Weighted stage[] = {
        {n, 0, g->derivative}, {m, first, l->phi}, {k, first + m, l->balance}};
    const Weighted push[] = {{n, 0, r->push}, {k, first + m, r->push + n}};
    const Weighted dot = {m, first, l->phi_dot}, by_x = {m, first, r->by_x},
                   by_v = {m, first, r->by_v};
    return find_sum(w, 3, stage, &out[0]) && find_sum(w, 2, push, &out[1]) &&
           find_sum(w, 1, &dot, &out[2]) && find_sum(w, 1, &by_x, &out[3]) &&
           find_sum(w, 1, &by_v, &out[4]);
}

/* out->at_event, and more shared values. */
static bool find_at_event(Reverse *w, Adjoint *out, Taken *taken)
{
    const Program *g = &w->d->solution.program;
    const bool *active = w->active;
    VEC(ExprId) root = {0};
    for (uint32_t k = 0; k < g->n_memory; k++)
        if (g->memory[k].kind == MEMORY_RELATION)
            vec_push(w->scratch, root, g->memory[k].of);
    out->n_relations = root.n;
    out->n_actions = g->n_actions;
    for (uint32_t k = 0; k < g->n_actions; k++) {
        bool sets = g->action[k].kind == ACTION_REINIT;
        vec_push(w->scratch, root, sets ? g->action[k].value : expr_int(w->p, 0));
    }
    for (uint32_t k = 0; k < w->kept.n; k++)
        vec_push(w->scratch, root, g->memory[w->kept.at[k]].of);
    out->n_kept = w->kept.n;
    out->kept = w->kept.at;
    forget(w);
    w->active = w->with_time;
    for (uint32_t k = 0; k < root.n; k++)
        add_to(w, root.at[k], system_var_expr(w->s, add_input(w, "event", k)));
    bool ok = go_back_over_blocks(w, root.n, root.at);
    *taken = ok ? take_bars(w) : (Taken){0};
    w->active = active;
    for (uint32_t k = 0; ok && k < n_loop_inputs(g); k++)
        if (expr_is_zero(w->p, taken->by_input[k]) != YES)
            return refuse(w, SPAN_NONE, "an event depends on forces in closed kinematic loops");
    return ok;
}

/* The products, of all shared values. */
static void put_products(Reverse *w, const Taken *product, const Taken *at_event,
                         const Taken *of_loops, Adjoint *out)
{
    const Program *g = &w->d->solution.program;
    uint32_t n_inputs = n_loop_inputs(g);
    out->n_shared = w->shared.n;
    out->product = widen(w, product, n_inputs, product->by_input);
    if (at_event->bar)
        out->at_event = widen(w, at_event, 1, &at_event->by_time);
    if (!g->loops)
        return;
    AdjointLoops *loops = arena_make(w->s->mem, AdjointLoops);
    const ExprId **to[LOOP_SUMS] = {&loops->stage, &loops->push, &loops->dot, &loops->by_x,
                                    &loops->by_v};
    for (uint32_t k = 0; k < LOOP_SUMS; k++)
        *to[k] = widen(w, &of_loops[k], n_inputs, of_loops[k].by_input);
    out->loops = loops;
    out->n_loop_inputs = out->n_loop_weights = n_inputs;
}

/* The start of state k, over parameters. */
static ExprId start_of(const Reverse *w, uint32_t k)
{
    const Program *g = &w->d->solution.program;
    return g->initial ? g->initial->program.value[g->state[k].i] : g->start[k];
}

static ExprId start_of_kept(const Reverse *w, uint32_t k)
{
    const Program *g = &w->d->solution.program;
    const Memory *m = &g->memory[w->kept.at[k]];
    ExprId start = is_free(w, m->var) ? value_of(w, m->var) : m->start;
    return expr_exists(start) ? start : expr_int(w->p, 0);
}

/* The value in the model, at the start, of an unknown of the initial system. */
static ExprId in_model(const Reverse *w, VarId v)
{
    const Program *g = &w->d->solution.program;
    for (uint32_t k = 0; k < g->initial->n_free; k++)
        if (g->initial->free[k].unknown.i == v.i)
            return system_var_expr(w->s, g->initial->free[k].parameter);
    return v.i < w->n_values ? g->value[v.i] : EXPR_NONE;
}

/* What is found at the start stands in the model's own variables: blocks from `first` on, and n
 * expressions. Behind homotopy() the expressions are the actual ones. */
static bool leave_initial(Reverse *w, uint32_t first, uint32_t n, ExprId *x)
{
    const InitialProgram *i = w->d->solution.program.initial;
    System *s = w->s;
    if (!i)
        return true;
    Substitution at = {.n = s->var.n, .mem = w->scratch};
    ExprId *value = arena_array(w->scratch, ExprId, s->var.n + 1);
    bool *reached = arena_array(w->scratch, bool, pool_size(w->p) + 1);
    program_reach(w->p, n, x, reached);
    for (uint32_t b = first; b < w->block.n; b++) {
        program_reach(w->p, w->block.at[b].n, w->block.at[b].residual, reached);
        program_reach(w->p, w->block.at[b].col_start[w->block.at[b].n], w->block.at[b].entry,
                      reached);
    }
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = EXPR_NONE;
    for (uint32_t b = 0; b < i->program.n_blocks; b++)
        for (uint32_t k = 0; k < i->program.block[b].n; k++) {
            VarId v = i->program.block[b].unknown[k];
            ExprId own = system_var_expr(s, v), other = in_model(w, v);
            if (!expr_exists(other) && reached[own.i])
                return refuse(w, s->var.at[v.i].span,
                              "initial equations determine what the model itself does not");
            value[v.i] = expr_same(own, other) ? EXPR_NONE : other;
        }
    for (uint32_t k = 0; k < i->program.n_memory; k++) {
        const Memory *m = &i->program.memory[k];
        if (m->kind == MEMORY_HOMOTOPY)
            value[m->var.i] = expr_int(w->p, 0);
        else if (m->kind == MEMORY_RELATION)
            value[m->var.i] = expr_int(w->p, -1); // it is evaluated in place (RungInitial)
        else if (reached[system_var_expr(s, m->var).i])
            return refuse(w, m->span,
                          "floor() or the like in initial equations, solved at run time");
    }
    at.value = value;
    for (uint32_t k = 0; k < n; k++)
        x[k] = expr_substitute(w->p, &at, x[k]);
    for (uint32_t b = first; b < w->block.n; b++) {
        NonlinearBlock *it = &w->block.at[b];
        ExprId *residual = arena_array(s->mem, ExprId, it->n + 1),
               *entry = arena_array(s->mem, ExprId, it->col_start[it->n] + 1);
        VarId *named = arena_array(s->mem, VarId, it->n + 1);
        for (uint32_t k = 0; k < it->n; k++) {
            residual[k] = expr_substitute(w->p, &at, it->residual[k]);
            named[k] = it->named[k];
            for (uint32_t f = 0; f < i->n_free; f++)
                named[k] = i->free[f].unknown.i == named[k].i ? i->free[f].parameter : named[k];
        }
        for (uint32_t k = 0; k < it->col_start[it->n]; k++)
            entry[k] = expr_substitute(w->p, &at, it->entry[k]);
        it->residual = residual;
        it->entry = entry;
        it->named = named;
        it->eq = NULL; // of another system
    }
    return true;
}

static bool find_by_parameter(Reverse *w, const AdjointChoice *choice, Adjoint *out)
{
    const Program *g = &w->d->solution.program;
    uint32_t n_kept = g->n_states + w->kept.n, n = n_kept + w->shared.n;
    uint32_t first_kept =
        g->n_states + choice->n_objectives + n_loop_inputs(g) + out->n_relations + out->n_actions;
    ExprId *root = arena_array(w->scratch, ExprId, n + 1);
    VEC(VarId) dependent = {0};
    Chain chain = chain_new(w);
    uint32_t first_block = w->block.n;
    forget(w);
    w->stops = false;
    for (uint32_t k = 0; k < n; k++) {
        root[k] = k < g->n_states ? start_of(w, k)
                  : k < n_kept    ? start_of_kept(w, k - g->n_states)
                                  : w->shared.at[k - n_kept];
        VarId weight = k < g->n_states ? w->input.at[k]
                       : k < n_kept    ? w->input.at[first_kept + k - g->n_states]
                                       : add_input(w, "shared", k - n_kept);
        if (root[k].i >= w->n_nodes)
            return refuse(w, SPAN_NONE, "start values are made of what no equation holds");
        add_to(w, root[k], system_var_expr(w->s, weight));
    }
    if (!go_back(w, n, root))
        return false;
    for (uint32_t k = 0; k < w->n_nodes; k++)
        if (expr_exists(w->bar[k]) && expr_op(w->p, (ExprId){k}) == OP_VAR)
            put_in_order(w, expr_var_of(w->p, (ExprId){k}), &chain);
    for (uint32_t k = chain.link.n; k-- > 0;) {
        VarId v = chain.link.at[k].v;
        if (!var_exists(v)) {
            if (!pass_block(w, &g->initial->program.block[chain.link.at[k].block]))
                return false;
            continue;
        }
        ExprId bar = w->bar[system_var_expr(w->s, v).i], value = value_of(w, v);
        if (!expr_exists(bar) || value.i >= w->n_nodes || !w->active[value.i])
            continue;
        if (!is_free(w, v)) {
            vec_push(w->s->mem, dependent, v);
            bar = expr_mul(w->p, bar, system_var_expr(w->s, add_input(w, "follows", dependent.n)));
        }
        add_to(w, value, bar);
        if (!go_back(w, 1, &value))
            return false;
    }
    ExprId *to = arena_array(w->s->mem, ExprId, choice->n + 1);
    for (uint32_t j = 0; j < choice->n; j++) {
        VarId v = choice->by[j];
        to[j] = EXPR_NONE;
        if (w->s->var.at[v.i].kind == VAR_PARAMETER)
            to[j] = w->bar[system_var_expr(w->s, v).i];
        else
            for (uint32_t k = 0; k < g->n_states; k++)
                to[j] = g->state[k].i == v.i ? system_var_expr(w->s, w->input.at[k]) : to[j];
        if (!expr_exists(to[j]))
            to[j] = expr_int(w->p, 0);
    }
    out->by_parameter = to;
    if (!leave_initial(w, first_block, choice->n, to))
        return false;
    out->dependent = dependent.at;
    out->n_dependent = dependent.n;
    return true;
}

/* A start value is asked for: of a state that begins there and nowhere else. */
static bool starts_are_states(const Reverse *w, const AdjointChoice *choice)
{
    const Program *g = &w->d->solution.program;
    for (uint32_t j = 0; j < choice->n; j++) {
        const Var *v = &w->s->var.at[choice->by[j].i];
        bool is_state = v->kind == VAR_PARAMETER;
        ExprId own = expr_exists(v->attr.start) ? v->attr.start : expr_int(w->p, 0);
        for (uint32_t k = 0; k < g->n_states && !g->initial; k++)
            is_state =
                is_state || (g->state[k].i == choice->by[j].i && expr_same(g->start[k], own));
        if (!is_state)
            return refuse(w, v->span,
                          arena_printf(w->scratch,
                                       "'%s' is the start value of no state, or initial "
                                       "equations determine it",
                                       choice->name[j]));
    }
    return true;
}

static bool loops_are_supported(const Reverse *w)
{
    const Program *g = &w->d->solution.program;
    if (!g->loops)
        return true;
    if (g->loops->n_conditions)
        return refuse(w, g->loops->condition_span[0],
                      "initial equations wait for closed kinematic loops to close");
    return !g->n_blocks || refuse(w, SPAN_NONE,
                                  "closed kinematic loops are cut, and equations beside them are "
                                  "solved at run time");
}

/* Times of sample() stay where they are. */
static bool samples_stay(const Reverse *w)
{
    const Program *g = &w->d->solution.program;
    for (uint32_t k = 0; k < g->n_memory; k++) {
        const Memory *m = &g->memory[k];
        if (m->kind == MEMORY_SAMPLE && ((expr_exists(m->start) && w->active[m->start.i]) ||
                                         (expr_exists(m->interval) && w->active[m->interval.i])))
            return refuse(w, m->span, "times of sample() depend on a parameter");
    }
    return true;
}

/* The transposed blocks behind those of the model. */
static void add_blocks(Reverse *w, Program *g, Adjoint *out)
{
    out->n_blocks = w->block.n;
    if (!w->block.n)
        return;
    NonlinearBlock *all = arena_array(w->s->mem, NonlinearBlock, g->n_blocks + w->block.n);
    if (g->n_blocks)
        memcpy(all, g->block, g->n_blocks * sizeof *all);
    memcpy(all + g->n_blocks, w->block.at, w->block.n * sizeof *all);
    g->block = all;
    g->n_blocks += w->block.n;
}

bool adjoint_make(Dae *d, const AdjointChoice *choice, Arena *scratch)
{
    Program *g = &d->solution.program;
    System *s = d->sys;
    Reverse w = {.d = d,
                 .s = s,
                 .p = s->pool,
                 .scratch = scratch,
                 .instead = choice->instead ? choice->instead : ""};
    uint32_t n_before = w.n_values = s->var.n;
    if (!loops_are_supported(&w) || !starts_are_states(&w, choice))
        return false;
    Adjoint *out = arena_make(s->mem, Adjoint);
    *out = (Adjoint){.n = choice->n,
                     .name = choice->name,
                     .n_objectives = choice->n_objectives,
                     .objective = choice->objective};
    for (uint32_t k = 0; k < g->n_states; k++)
        add_input(&w, "weight", k);
    for (uint32_t k = 0; k < choice->n_objectives; k++)
        add_input(&w, "objective", k);
    w.first_constraint = w.input.n;
    for (uint32_t k = 0; k < n_loop_inputs(g); k++)
        add_input(&w, "constraint", k);
    if (g->loops && !loop_roots_make(d, w.input.at, &w.roots, scratch))
        return refuse(&w, SPAN_NONE, "a rate has no known derivative by the forces of a loop");
    for (uint32_t k = 0; k < s->var.n; k++)
        system_var_expr(s, (VarId){k});
    expr_time(s->pool);
    w.n_nodes = pool_size(s->pool);
    w.active = active_nodes(&w, choice);
    w.bar = arena_array(scratch, ExprId, w.n_nodes + 1);
    w.is_shared = arena_array(scratch, bool, w.n_nodes + 1);
    w.with_time = active_with_time(&w, w.active);
    Taken product = {0}, at_event = {0}, of_loops[LOOP_SUMS] = {0};
    bool ok = samples_stay(&w) && find_product(&w, choice, &product) &&
              (!g->loops || find_loop_sums(&w, of_loops)) &&
              (!g->n_memory || find_at_event(&w, out, &at_event));
    if (ok)
        put_products(&w, &product, &at_event, of_loops, out);
    ok = ok && find_by_parameter(&w, choice, out);
    program_extend(g, n_before);
    if (!ok)
        return false;
    out->input = w.input.at;
    out->n_inputs = w.input.n;
    add_blocks(&w, g, out);
    g->adjoint = out;
    return true;
}
