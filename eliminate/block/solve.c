#include "eliminate/block/solve.h"

#include "base/bug.h"
#include "eliminate/block/candidate.h"
#include "eliminate/block/margin.h"
#include "eliminate/block/numeric_block.h"
#include "eliminate/block/ordering.h"
#include "eliminate/prepare/differentiate.h"
#include "graph/lu_cost.h"

typedef struct Solver {
    Consequences consequences; /* of the block at work */
    System *s;
    Arena *scratch; /* whole pass  */
    Arena *tmp;     /* one block   */
    Arena *row;     /* one equation */
    OrderSource *orders;
    const Blocks *blocks;
    const VarId *var;  /* per column of the blocks */
    uint32_t at;       /* the block at work */
    uint32_t followed; /* while a candidate is counted: the last block that has values */
    const bool *is_state;
    bool *is_needed;    /* by the derivatives of the states, per variable */
    uint32_t *last_use; /* per variable: the last block that reads it     */
    bool *is_unknown;   /* of the block at work */
    Series series;
    ExprId *value; /* per variable         */
    Substitution values;
    Sample sample;
    OpCounter counter;
    VEC(Pivot) pivot;
    VEC(NonlinearBlock) block;
    VEC(BlockReport) report;
    uint32_t n_explicit;
    bool is_numeric; /* linear blocks are left to the runtime */
    bool whole;      /* nonlinear blocks are not torn */
    Failure failure;
    bool ok;
} Solver;

static ExprId residual_of(const System *s, EqId e)
{
    const Eq *q = &s->eq.at[e.i];
    return expr_sub(s->pool, q->lhs, q->rhs);
}

/* Pivots that are numbers cannot vanish at run time. */
static void note_pivot(Solver *w, ExprId value, EqId eq, VarId var, bool is_alone)
{
    if (expr_is_num(w->s->pool, value))
        return;
    Pivot p = {value, eq, var, is_alone};
    vec_push(w->scratch, w->pivot, p);
}

static void report_singular(Solver *w, uint32_t n, const EqId *eq, const VarId *var, Failure why)
{
    System *s = w->s;
    w->failure = why;
    diag_error(s->diags, s->eq.at[eq[0].i].span, "E01",
               "the algebraic loop of %u equation%s for %s%s is singular: %s", n, n > 1 ? "s" : "",
               s->var.at[var[0].i].name.s, n > 1 ? ", ..." : "", failure_text(&why, w->tmp));
    for (uint32_t k = 1; k < n && k < 6; k++)
        diag_note(s->diags, s->eq.at[eq[k].i].span, "with this equation, for %s",
                  s->var.at[var[k].i].name.s);
    w->ok = false;
}

/* A derivative of a state, or read after block `last`. */
static bool is_result(const Solver *w, VarId v, uint32_t last)
{
    VarId below = w->s->var.at[v.i].der_of;
    bool derivative = var_exists(below) && w->is_state[below.i];
    return derivative || (w->is_needed[v.i] && w->last_use[v.i] > last);
}

/* Whether choices can make x zero: `if locked then 0 else s - 1` determines s or does not. *looks:
 * nodes to look at, at most. */
static bool is_chosen_away(const ExprPool *p, ExprId x, uint32_t *looks)
{
    if (*looks == 0 || expr_is_fixed(p, x))
        return expr_is(p, x, 0);
    (*looks)--;
    switch (expr_op(p, x)) {
    case OP_NEG:
        return is_chosen_away(p, expr_arg(p, x, 0), looks);
    case OP_ADD:
    case OP_SUB:
        return is_chosen_away(p, expr_arg(p, x, 0), looks) &&
               is_chosen_away(p, expr_arg(p, x, 1), looks);
    case OP_MUL:
        return is_chosen_away(p, expr_arg(p, x, 0), looks) ||
               is_chosen_away(p, expr_arg(p, x, 1), looks);
    case OP_SELECT:
        return is_chosen_away(p, expr_arg(p, x, 1), looks) ||
               is_chosen_away(p, expr_arg(p, x, 2), looks);
    default:
        return false;
    }
}

static bool may_be_open(const ExprPool *p, ExprId coeff)
{
    uint32_t looks = 200;
    return is_chosen_away(p, coeff, &looks);
}

static void solve_explicit(Solver *w, EqId eq, VarId v, const LinearForm *f)
{
    ExprPool *p = w->s->pool;
    // where it vanishes the numeric twin, to which the equation is a block, keeps the value of v
    note_pivot(w, f->coeff[0], eq, v, !may_be_open(p, f->coeff[0]));
    w->value[v.i] = expr_neg(p, expr_div(p, f->rest, f->coeff[0]));
    if (is_result(w, v, w->at))
        op_counter_keep(&w->counter, 1, &w->value[v.i]);
    w->n_explicit++;
}

/* Its value, if the block is one explicit equation. */
static ExprId explicit_value(Solver *w, uint32_t block)
{
    const Blocks *b = w->blocks;
    uint32_t first = b->begin[block];
    if (b->begin[block + 1] != first + 1)
        return EXPR_NONE;
    ArenaMark mark = arena_mark(w->row);
    ExprId value = linear_solution(w->s, w->is_unknown, &w->values, (EqId){b->eq[first]},
                                   w->var[b->var[first]], w->row);
    arena_rollback(w->row, mark);
    return value;
}

static uint32_t find_consequences(Consequences *self, const ExprId *value, ExprId **out,
                                  uint32_t *n_needed, Arena *mem)
{
    Solver *w = (Solver *)self;
    const Blocks *b = w->blocks;
    uint32_t begin = b->begin[w->at];
    if (!value) {
        for (uint32_t k = begin; k < b->begin[w->followed + 1]; k++)
            w->value[w->var[b->var[k]].i] = EXPR_NONE;
        substitution_go_back(&w->values);
        return 0;
    }
    w->values.is_tentative = true;
    w->followed = w->at;
    for (uint32_t k = begin; k < b->begin[w->at + 1]; k++) {
        VarId v = w->var[b->var[k]];
        w->value[v.i] = value[k - begin];
        w->is_unknown[v.i] = false;
    }
    for (uint32_t k = w->at + 1; k < b->n; k++) {
        ExprId x = explicit_value(w, k);
        if (!expr_exists(x))
            break;
        w->value[w->var[b->var[b->begin[k]]].i] = x;
        w->followed = k;
    }
    uint32_t end = b->begin[w->followed + 1];
    ExprId *root = arena_array(mem, ExprId, end - begin);
    uint32_t n = 0, last = end - begin;
    for (uint32_t k = begin; k < end; k++) {
        VarId v = w->var[b->var[k]];
        root[is_result(w, v, w->followed) ? n++ : --last] = w->value[v.i];
    }
    for (uint32_t k = begin; k < b->begin[w->at + 1]; k++)
        w->is_unknown[w->var[b->var[k]].i] = true;
    *out = root;
    *n_needed = n ? n : end - begin; /* none: the block serves nothing but results */
    return end - begin;
}

/* The rows of each column of a matrix. */
typedef struct Rows {
    uint32_t *start, *row;
} Rows;

/* The residuals that contain each unknown. */
static Rows residuals_with(Solver *w, const NonlinearBlock *b)
{
    Map column = map_with_room(b->n, w->tmp);
    VEC(uint32_t) read = {0}; /* columns, residual after residual */
    Rows out = {.start = arena_array(w->tmp, uint32_t, b->n + 1)};
    uint32_t *end = arena_array(w->tmp, uint32_t, b->n + 1);
    for (uint32_t c = 0; c < b->n; c++) {
        map_put(&column, b->unknown[c].i, c);
        w->is_unknown[b->unknown[c].i] = true;
    }
    for (uint32_t k = 0; k < b->n; k++) {
        VarId *found;
        uint32_t n = unknowns_of(w->s, w->is_unknown, b->residual[k], b->n, w->tmp, &found);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t c = map_get(&column, found[i].i);
            vec_push(w->tmp, read, c);
            out.start[c + 1]++;
        }
        end[k] = read.n;
    }
    for (uint32_t c = 0; c < b->n; c++) {
        w->is_unknown[b->unknown[c].i] = false;
        out.start[c + 1] += out.start[c];
    }
    out.row = arena_array(w->tmp, uint32_t, read.n + 1);
    uint32_t *next = arena_array(w->tmp, uint32_t, b->n + 1);
    memcpy(next, out.start, b->n * sizeof *next);
    for (uint32_t k = 0, i = 0; k < b->n; k++)
        for (; i < end[k]; i++)
            out.row[next[read.at[i]]++] = k;
    return out;
}

/* Entry (row, column) of the Jacobian where the residual contains the unknown. */
static bool newton_jacobian(Solver *w, NonlinearBlock *b)
{
    System *s = w->s;
    VEC(uint32_t) row = {0};
    VEC(ExprId) entry = {0};
    const Rows rows = residuals_with(w, b);
    uint32_t *start = arena_array(s->mem, uint32_t, b->n + 1);
    for (uint32_t c = 0; c < b->n; c++) {
        Differentiator d = differentiator_partial(s, b->unknown[c], w->tmp);
        for (uint32_t i = rows.start[c]; i < rows.start[c + 1]; i++) {
            uint32_t k = rows.row[i];
            ExprId x = differentiate(&d, b->residual[k]);
            if (!expr_exists(x)) {
                diag_error(s->diags, s->eq.at[b->eq[k].i].span, "E03",
                           "'%s' cannot be differentiated", d.failed.s ? d.failed.s : "der");
                return false;
            }
            if (expr_is_zero(s->pool, x) == YES)
                continue;
            vec_push(s->mem, row, k);
            vec_push(s->mem, entry, x);
        }
        start[c + 1] = row.n;
    }
    b->col_start = start;
    b->row = row.at;
    b->entry = entry.at;
    b->column_order = lu_column_order(b->n, start, row.at, s->mem);
    return true;
}

/* Whether each pair before the torn part is linear in its unknown, with a coefficient that does not
 * vary: nothing can vanish on the way to the residuals. */
static bool tears_linearly(const Incidence *g, const Order *o)
{
    for (uint32_t k = 0; k < o->n - o->n_torn; k++) {
        uint32_t edge = incidence_find(g, o->eq[k], o->var[k]);
        if (edge == INC_NONE || g->label[edge] > LABEL_PARAM)
            return false;
    }
    return true;
}

/* The pairs before the torn part are solved one after another, the rest is left to Newton; all of
 * it if o is NULL. */
static NonlinearBlock solve_torn(Solver *w, uint32_t n, const EqId *eq, const VarId *var,
                                 const Order *o)
{
    System *s = w->s;
    uint32_t inner = o ? n - o->n_torn : 0;
    for (uint32_t k = 0; k < n; k++)
        w->is_unknown[var[k].i] = false;
    for (uint32_t k = 0; k < inner; k++) {
        VarId v = var[o->var[k]];
        EqId e = eq[o->eq[k]];
        w->is_unknown[v.i] = true;
        series_restart(&w->series);
        LinearForm f = series_form(&w->series, &w->values, residual_of(s, e), w->tmp);
        w->is_unknown[v.i] = false;
        if (!f.is_linear || f.n != 1)
            bug("tearing solves equation %u for '%s', in which it is not linear", e.i,
                s->var.at[v.i].name.s);
        note_pivot(w, f.coeff[0], e, v, true);
        w->value[v.i] = expr_neg(s->pool, expr_div(s->pool, f.rest, f.coeff[0]));
    }
    NonlinearBlock b = {.n = n - inner};
    VarId *unknown = arena_array(s->mem, VarId, b.n);
    EqId *eqs = arena_array(s->mem, EqId, b.n);
    ExprId *residual = arena_array(s->mem, ExprId, b.n);
    for (uint32_t k = 0; k < b.n; k++) {
        unknown[k] = o ? var[o->var[inner + k]] : var[k];
        eqs[k] = o ? eq[o->eq[inner + k]] : eq[k];
        residual[k] = expr_substitute(s->pool, &w->values, residual_of(s, eqs[k]));
    }
    b.unknown = unknown;
    b.eq = eqs;
    b.residual = residual;
    return b;
}

/* Leaves a nonlinear block to Newton's method, after tearing; for the runtime to solve with
 * pivoting, all of it, as an order that is chosen before the run may divide by small numbers. */
static bool solve_nonlinear(Solver *w, uint32_t n, const EqId *eq, const VarId *var,
                            const LinearForm *form)
{
    Incidence g = structure_of_block(w->s, &w->sample, n, eq, var, form, w->tmp);
    Candidate p = n > 1 && !w->whole ? ordering_torn(&g, w->tmp) : (Candidate){.name = ""};
    bool torn = n > 1 && !w->whole && !candidate_reason(&p).kind && tears_linearly(&g, &p.order);
    NonlinearBlock b = solve_torn(w, n, eq, var, torn ? &p.order : NULL);
    if (!newton_jacobian(w, &b))
        return false;
    vec_push(w->scratch, w->block, b);
    /* all unknowns of the block: those of Newton's method, then those that follow from them */
    VarId *vars = arena_array(w->s->mem, VarId, n);
    EqId *eqs = arena_array(w->s->mem, EqId, n);
    memcpy(vars, b.unknown, sizeof(VarId) * b.n);
    memcpy(eqs, b.eq, sizeof(EqId) * b.n);
    for (uint32_t k = b.n; k < n; k++) {
        vars[k] = var[p.order.var[k - b.n]];
        eqs[k] = eq[p.order.eq[k - b.n]];
    }
    BlockReport r = {.kind = BLOCK_NONLINEAR,
                     .n = n,
                     .n_torn = b.n,
                     .nonzeros = g.n_edges,
                     .order = torn ? p.name : "",
                     .var = vars,
                     .eq = eqs};
    vec_push(w->scratch, w->report, r);
    return true;
}

static bool solve_linear(Solver *w, uint32_t n, const EqId *eq, const VarId *var,
                         const LinearForm *form)
{
    System *s = w->s;
    LinearBlock b = {.s = s,
                     .mem = w->tmp,
                     .n = n,
                     .eq = eq,
                     .var = var,
                     .form = form,
                     .is_needed = w->is_needed,
                     .sample = &w->sample,
                     .orders = w->orders,
                     .counter = &w->counter,
                     .consequences = &w->consequences};
    BlockReport r = {0};
    /* not in explicit equations, which share their products with each other */
    bool factored = pool_factor_sums(s->pool, true);
    bool solved = linear_block_solve(&b, w->value, &r);
    pool_factor_sums(s->pool, factored);
    if (!solved) {
        if (!r.failure.reason.kind)
            r.failure.reason =
                (Reason){.kind = REASON_NO_ORDER, .text = "no order of elimination exists"};
        report_singular(w, n, eq, var, r.failure);
        return false;
    }
    for (uint32_t k = 0; k < b.n_steps; k++)
        note_pivot(w, b.step[k].pivot, eq[b.step[k].row], var[b.step[k].col], false);
    if (b.is_numeric) {
        NonlinearBlock left = numeric_block(s, n, eq, var, form, &b.left_order, w->tmp);
        vec_push(w->scratch, w->block, left);
    }
    if (b.is_torn) {
        NonlinearBlock left = solve_torn(w, n, eq, var, &b.left_order);
        vec_push(w->scratch, w->block, left);
    }
    VarId *vars = arena_array(s->mem, VarId, n);
    EqId *eqs = arena_array(s->mem, EqId, n);
    memcpy(vars, var, sizeof(VarId) * n);
    memcpy(eqs, eq, sizeof(EqId) * n);
    r.var = vars;
    r.eq = eqs;
    uint32_t *step_eq = arena_array(s->mem, uint32_t, b.n_steps + 1);
    uint32_t *step_var = arena_array(s->mem, uint32_t, b.n_steps + 1);
    for (uint32_t k = 0; k < b.n_steps; k++) {
        step_eq[k] = b.step[k].row;
        step_var[k] = b.step[k].col;
    }
    r.n_steps = b.n_steps;
    r.step_eq = step_eq;
    r.step_var = step_var;
    vec_push(w->scratch, w->report, r);
    return true;
}

static bool solve_block(Solver *w, uint32_t n, const EqId *eq, const VarId *var)
{
    System *s = w->s;
    for (uint32_t k = 0; k < n; k++)
        w->is_unknown[var[k].i] = true;
    series_restart(&w->series);
    LinearForm *form = arena_array(w->tmp, LinearForm, n);
    bool linear = true;
    for (uint32_t k = 0; k < n; k++) {
        ArenaMark mark = arena_mark(w->row);
        LinearForm f = series_form(&w->series, &w->values, residual_of(s, eq[k]), w->row);
        form[k] = linear_copy(&f, w->tmp);
        arena_rollback(w->row, mark);
        linear = linear && form[k].is_linear;
    }
    bool ok = true;
    if (linear && n == 1 && form[0].n == 0) {
        report_singular(
            w, n, eq, var,
            (Failure){.reason = {.kind = REASON_NO_ORDER, .text = "the unknown drops out"}});
        ok = false;
    } else if (linear && n == 1 && !(w->is_numeric && may_be_open(s->pool, form[0].coeff[0]))) {
        solve_explicit(w, eq[0], var[0], &form[0]);
    } else if (linear) {
        ok = solve_linear(w, n, eq, var, form);
    } else {
        ok = solve_nonlinear(w, n, eq, var, form);
    }
    for (uint32_t k = 0; k < n; k++)
        w->is_unknown[var[k].i] = false;
    return ok;
}

/* A coefficient of parameters that has cancelled against the rest, as c in c*f = c*x: no division
 * by it remains, so that the equation's being empty where it is zero goes unnoticed. */
static Assertion *with_cancelled(Solver *w, const ExprId *value, Assertion *given, uint32_t *n)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    bool any = false;
    for (uint32_t k = 0; k < w->pivot.n; k++) {
        const Pivot *it = &w->pivot.at[k];
        any = any || (it->is_alone && expr_variability(p, it->value) == VARIES_PARAMETER);
    }
    if (!any)
        return given;
    Arena *mem = arena_new();
    bool *reached = arena_array(mem, bool, pool_size(p));
    bool *divides = arena_array(mem, bool, pool_size(p));
    program_reach(p, s->var.n, value, reached);
    for (uint32_t b = 0; b < w->block.n; b++)
        program_reach(p, w->block.at[b].n, w->block.at[b].residual, reached);
    for (uint32_t k = 0; k < pool_size(p); k++)
        if (reached[k] && expr_op(p, (ExprId){k}) == OP_DIV)
            divides[expr_arg(p, (ExprId){k}, 1).i] = true;
    VEC(Assertion) all = {0};
    for (uint32_t k = 0; k < *n; k++)
        vec_push(s->mem, all, given[k]);
    uint32_t size = pool_size(p);
    for (uint32_t k = 0; k < w->pivot.n; k++) {
        const Pivot *it = &w->pivot.at[k];
        ExprId minus = expr_neg(p, it->value);
        if (!it->is_alone || expr_variability(p, it->value) != VARIES_PARAMETER ||
            (it->value.i < size && divides[it->value.i]) || (minus.i < size && divides[minus.i]))
            continue;
        const Eq *e = &s->eq.at[it->eq.i];
        Assertion a = {
            .cond = expr_not(p, expr_compare(p, OP_EQ, it->value, expr_int(p, 0))),
            .message = expr_string(
                p, name_printf(s->names, "'%s' is not determined: its coefficient %s is zero",
                               s->var.at[it->var.i].name.s, expr_text(s, it->value, w->tmp))),
            .span = e->span};
        vec_push(s->mem, all, a);
    }
    arena_free(mem);
    *n = all.n;
    return all.at;
}

/* By VarId, memory that is a delayed expression; NULL: there is none. */
static bool *delayed_memory(const System *s)
{
    bool *is_delayed = NULL;
    for (uint32_t k = 0; k < s->memory.n; k++) {
        if (s->memory.at[k].kind != MEMORY_DELAY)
            continue;
        is_delayed = is_delayed ? is_delayed : arena_array(s->mem, bool, s->var.n);
        is_delayed[s->memory.at[k].var.i] = true;
    }
    return is_delayed;
}

/* Of derivatives and of equations solved at run time, whose unknowns no choice is read from. */
static Margins choices_of(Solver *w, uint32_t n, const ExprId *derivative, const bool *is_delayed)
{
    Arena *mem = arena_new();
    bool *is_leaf = arena_array(mem, bool, w->s->var.n + 1);
    VEC(ExprId) root = {0};
    for (uint32_t k = 0; k < w->s->var.n; k++)
        is_leaf[k] = true;
    for (uint32_t k = 0; k < n; k++)
        vec_push(mem, root, derivative[k]);
    for (uint32_t b = 0; b < w->block.n; b++)
        for (uint32_t k = 0; k < w->block.at[b].n; k++) {
            vec_push(mem, root, w->block.at[b].residual[k]);
            is_leaf[w->block.at[b].unknown[k].i] = false;
        }
    Margins all = margins_of_choices(w->s->pool, root.n, root.at, is_leaf, is_delayed, w->s->mem);
    arena_free(mem);
    return all;
}

/* Whether v stays a variable in expressions: a state, an unknown of Newton's method, an input or
 * parameter. Any other is replaced by its value. */
static bool *read_by_name(const Solver *w, const bool *is_state, Arena *mem)
{
    const System *s = w->s;
    bool *is = arena_array(mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        is[k] = !expr_exists(w->value[k]) || is_state[k];
    for (uint32_t b = 0; b < w->block.n; b++)
        for (uint32_t k = 0; k < w->block.at[b].n; k++)
            is[w->block.at[b].unknown[k].i] = true;
    return is;
}

static uint32_t block_entries(const NonlinearBlock *b)
{
    return b->entry ? b->col_start[b->n] : 0;
}

/* Those below `reached` that are not read by name, into is_left; whether there are any. */
static bool left_variables(const ExprPool *p, const bool *is_read, const bool *reached,
                           bool *is_left)
{
    bool any = false;
    for (uint32_t k = 0; k < pool_size(p); k++) {
        ExprId x = {k};
        if (!reached[k] || expr_op(p, x) != OP_VAR || is_read[expr_var_of(p, x).i])
            continue;
        is_left[expr_var_of(p, x).i] = any = true;
    }
    return any;
}

/* The pool may take a node that holds x and is free of it, x - (x - y), for the y that is wanted;
 * the variables that are below values for that reason alone, into is_left. */
static bool find_cancelled(const Solver *w, const bool *is_state, bool *is_left, Arena *mem)
{
    const ExprPool *p = w->s->pool;
    const bool *is_read = read_by_name(w, is_state, mem);
    bool *reached = arena_array(mem, bool, pool_size(p));
    for (uint32_t k = 0; k < w->s->var.n; k++)
        if (expr_exists(w->value[k]) && !is_read[k])
            reached[w->value[k].i] = true;
    pool_mark_below(p, reached);
    for (uint32_t b = 0; b < w->block.n; b++) {
        const NonlinearBlock *at = &w->block.at[b];
        program_reach(p, at->n, at->residual, reached);
        program_reach(p, block_entries(at), at->entry, reached);
    }
    return left_variables(p, is_read, reached, is_left);
}

static ExprId *put_in(ExprPool *p, Substitution *q, uint32_t n, const ExprId *x, Arena *mem)
{
    ExprId *y = arena_array(mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        y[k] = expr_exists(x[k]) ? expr_substitute(p, q, x[k]) : x[k];
    return y;
}

static bool divides_by_zero(const ExprPool *p, uint32_t from)
{
    for (uint32_t k = from; k < pool_size(p); k++)
        if (expr_op(p, (ExprId){k}) == OP_DIV && expr_is(p, expr_arg(p, (ExprId){k}, 1), 0))
            return true;
    return false;
}

/* A number in place of each variable that is left in the n expressions x, 0 unless something is
 * divided by it. */
static Substitution numbers_for_cancelled(Solver *w, const bool *is_left, uint32_t n,
                                          const ExprId *x, Arena *mem)
{
    ExprPool *p = w->s->pool;
    pool_set_apart(p, 0);
    ExprId number[] = {expr_int(p, 0), expr_int(p, 1), expr_div(p, expr_int(p, 3), expr_int(p, 7))};
    ExprId *by = arena_array(mem, ExprId, w->s->var.n + 1);
    uint32_t tries = 0, last = sizeof number / sizeof *number - 1;
    Substitution q;
    for (bool again = true; again; tries++) {
        for (uint32_t k = 0; k < w->s->var.n; k++)
            by[k] = is_left[k] ? number[tries] : EXPR_NONE;
        q = (Substitution){.value = by, .n = w->s->var.n, .mem = mem};
        PoolMark mark = pool_mark(p);
        put_in(p, &q, n, x, mem);
        again = tries < last && divides_by_zero(p, mark.n);
        if (again)
            pool_rollback(p, mark);
    }
    return q;
}

/* A variable that cancels in every value is replaced by a number. */
static void drop_cancelled(Solver *w, const bool *is_state)
{
    ExprPool *p = w->s->pool;
    uint32_t n = w->s->var.n;
    Arena *mem = arena_new();
    bool *is_left = arena_array(mem, bool, n + 1);
    if (find_cancelled(w, is_state, is_left, mem)) {
        Substitution q = numbers_for_cancelled(w, is_left, n, w->value, mem);
        memcpy(w->value, put_in(p, &q, n, w->value, mem), n * sizeof *w->value);
        for (uint32_t b = 0; b < w->block.n; b++) {
            NonlinearBlock *at = &w->block.at[b];
            at->residual = put_in(p, &q, at->n, at->residual, w->s->mem);
            if (at->entry)
                at->entry = put_in(p, &q, block_entries(at), at->entry, w->s->mem);
        }
        for (uint32_t k = 0; k < w->pivot.n; k++)
            w->pivot.at[k].value = expr_substitute(p, &q, w->pivot.at[k].value);
    }
    arena_free(mem);
}

/* The same in the n expressions at x, which were made of values without such variables. */
static void drop_cancelled_in(Solver *w, const bool *is_state, uint32_t n, ExprId *const *x)
{
    ExprPool *p = w->s->pool;
    Arena *mem = arena_new();
    bool *is_left = arena_array(mem, bool, w->s->var.n + 1);
    const bool *is_read = read_by_name(w, is_state, mem);
    bool *reached = arena_array(mem, bool, pool_size(p));
    ExprId *at = arena_array(mem, ExprId, n + (size_t)1);
    for (uint32_t k = 0; k < n; k++)
        at[k] = *x[k];
    program_reach(p, n, at, reached);
    if (left_variables(p, is_read, reached, is_left)) {
        Substitution q = numbers_for_cancelled(w, is_left, n, at, mem);
        for (uint32_t k = 0; k < n; k++)
            *x[k] = expr_substitute(p, &q, *x[k]);
    }
    arena_free(mem);
}

/* Every variable's value over states, parameters, inputs and block unknowns. */
static void finish(Solver *w, const bool *is_state, Solution *out)
{
    System *s = w->s;
    Program *g = &out->program;
    ExprId *value = arena_array(s->mem, ExprId, s->var.n);
    VEC(VarId) state = {0};
    VEC(ExprId) derivative = {0};
    VEC(ExprId) start = {0};
    VEC(ExprId *) other = {0};
    for (uint32_t k = 0; k < s->var.n; k++) {
        VarId v = {k};
        value[k] = expr_exists(w->value[k]) ? w->value[k] : system_var_expr(s, v);
    }
    for (uint32_t k = 0; k < s->var.n; k++) {
        if (!is_state[k])
            continue;
        VarId d = s->var.at[k].der;
        if (!var_exists(d))
            bug("state '%s' has no derivative", s->var.at[k].name.s);
        ExprId first = s->var.at[k].attr.start;
        vec_push(s->mem, state, (VarId){k});
        vec_push(s->mem, derivative, value[d.i]);
        vec_push(s->mem, start, expr_exists(first) ? first : expr_int(s->pool, 0));
    }
    Assertion *assertion = arena_array(s->mem, Assertion, s->assertion.n);
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        assertion[k] = s->assertion.at[k];
        assertion[k].cond = expr_substitute(s->pool, &w->values, assertion[k].cond);
        vec_push(w->tmp, other, &assertion[k].cond);
        if (expr_exists(assertion[k].message)) {
            assertion[k].message = expr_substitute(s->pool, &w->values, assertion[k].message);
            vec_push(w->tmp, other, &assertion[k].message);
        }
    }
    Memory *memory = arena_array(s->mem, Memory, s->memory.n);
    for (uint32_t k = 0; k < s->memory.n; k++) {
        memory[k] = s->memory.at[k];
        if (!expr_exists(memory[k].of))
            continue;
        memory[k].of = expr_substitute(s->pool, &w->values, memory[k].of);
        vec_push(w->tmp, other, &memory[k].of);
    }
    Action *action = arena_array(s->mem, Action, s->action.n);
    for (uint32_t k = 0; k < s->action.n; k++) {
        Action *a = &action[k];
        *a = s->action.at[k];
        a->fires = expr_substitute(s->pool, &w->values, a->fires);
        vec_push(w->tmp, other, &a->fires);
        if (!expr_exists(a->value))
            continue;
        a->value = expr_substitute(s->pool, &w->values, a->value);
        vec_push(w->tmp, other, &a->value);
    }
    drop_cancelled_in(w, is_state, other.n, other.at);
    uint32_t n_assertions = s->assertion.n;
    assertion = with_cancelled(w, value, assertion, &n_assertions);
    const bool *is_delayed = delayed_memory(s);
    ExprId *margin = arena_array(s->mem, ExprId, n_assertions + (size_t)1);
    for (uint32_t k = 0; k < n_assertions; k++) {
        bool varies = !expr_is_fixed(s->pool, assertion[k].cond);
        margin[k] = varies ? margin_of(s->pool, assertion[k].cond, is_delayed, w->tmp) : EXPR_NONE;
    }
    Margins choices = choices_of(w, derivative.n, derivative.at, is_delayed);
    *g = (Program){.sys = s,
                   .n_states = state.n,
                   .state = state.at,
                   .derivative = derivative.at,
                   .start = start.at,
                   .value = value,
                   .n_blocks = w->block.n,
                   .block = w->block.at,
                   .n_pivots = w->pivot.n,
                   .pivot = w->pivot.at,
                   .n_assertions = n_assertions,
                   .assertion = assertion,
                   .margin = margin,
                   .n_choices = choices.n,
                   .choice = choices.at,
                   .n_memory = s->memory.n,
                   .memory = memory,
                   .n_actions = s->action.n,
                   .action = action};
    out->n_reports = w->report.n;
    out->report = w->report.at;
    out->n_explicit = w->n_explicit;
}

/* From the last block to the first: variables of earlier blocks that a needed block reads are
 * needed. */
static void find_needed(Solver *w, const Incidence *g)
{
    System *s = w->s;
    const Blocks *blocks = w->blocks;
    const VarId *var = w->var;
    for (uint32_t k = 0; k < s->var.n; k++) {
        VarId below = s->var.at[k].der_of;
        w->is_needed[k] = var_exists(below) && w->is_state[below.i];
    }
    uint32_t *block_of = arena_array(w->scratch, uint32_t, g->n_cols); /* of a column */
    for (uint32_t b = 0; b < blocks->n; b++) {
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++)
            block_of[blocks->var[k]] = b;
    }
    for (uint32_t b = blocks->n; b-- > 0;) {
        bool needed = false;
        for (uint32_t k = blocks->begin[b]; k < blocks->begin[b + 1]; k++)
            needed = needed || w->is_needed[var[blocks->var[k]].i];
        for (uint32_t k = blocks->begin[b]; needed && k < blocks->begin[b + 1]; k++) {
            uint32_t e = blocks->eq[k];
            for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1]; i++) {
                VarId v = var[g->col[i]];
                if (block_of[g->col[i]] == b)
                    continue;
                w->is_needed[v.i] = true;
                if (w->last_use[v.i] < b)
                    w->last_use[v.i] = b;
            }
        }
    }
}

bool solve(const Blt *b, const Orders *orders, Solution *out, Arena *scratch)
{
    System *s = b->sys;
    const Blocks *blocks = &b->blocks;
    const VarId *var = b->columns.var;
    bool gathered = pool_gather_factors(s->pool, true);
    Solver w = {.consequences = {find_consequences},
                .s = s,
                .scratch = s->mem,
                .tmp = arena_new(),
                .row = arena_new(),
                .orders = orders->source,
                .blocks = blocks,
                .var = var,
                .is_state = b->is_state,
                .is_numeric = orders->leaves,
                .whole = orders->whole,
                .ok = true};
    uint32_t n = s->var.n;
    w.sample = sample_new(s, scratch);
    w.counter = op_counter_new(s->pool, scratch);
    w.is_needed = arena_array(scratch, bool, n);
    w.last_use = arena_array(scratch, uint32_t, n);
    find_needed(&w, &b->columns.g);
    w.is_unknown = arena_array(scratch, bool, n);
    w.series = series_new(s, w.is_unknown, scratch);
    w.value = arena_array(scratch, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        w.value[k] = EXPR_NONE;
    w.values = (Substitution){.value = w.value, .n = n, .mem = scratch};
    for (uint32_t at = 0; at < blocks->n && w.ok; at++) {
        uint32_t first = blocks->begin[at];
        uint32_t size = blocks->begin[at + 1] - first;
        ArenaMark m = arena_mark(w.tmp);
        w.at = at;
        if (orders->block)
            *orders->block = at;
        EqId *eq = arena_array(w.tmp, EqId, size);
        VarId *v = arena_array(w.tmp, VarId, size);
        for (uint32_t k = 0; k < size; k++) {
            eq[k] = (EqId){blocks->eq[first + k]};
            v[k] = var[blocks->var[first + k]];
        }
        w.ok = solve_block(&w, size, eq, v) && w.ok;
        for (uint32_t k = 0; k < size && w.ok; k++)
            if (expr_exists(w.value[v[k].i]))
                pool_keep_whole(s->pool, w.value[v[k].i]);
        arena_rollback(w.tmp, m);
    }
    /* by now the variables that removed ones are aliases of have their values */
    if (w.ok) {
        uint32_t n_alias = b->aliases ? b->aliases->n : 0;
        for (uint32_t k = 0; k < s->var.n && k < n_alias; k++) {
            ExprId alias = b->aliases->value[k];
            if (expr_exists(alias) && !expr_exists(w.value[k]))
                w.value[k] = expr_substitute(s->pool, &w.values, alias);
        }
        drop_cancelled(&w, b->is_state);
        substitution_forget(&w.values);
        finish(&w, b->is_state, out);
    } else {
        *out = (Solution){.failure = w.failure};
    }
    arena_free(w.tmp);
    arena_free(w.row);
    pool_gather_factors(s->pool, gathered);
    return w.ok;
}
