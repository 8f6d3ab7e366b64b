#include "eliminate/forms/rates_along.h"

#include "eliminate/block/ordering.h"
#include "eliminate/forms/linear_split.h"
#include "eliminate/forms/newton_system.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/sensitivity.h"
#include "graph/matching.h"

#include <stdlib.h>

/* Entry k: minus the derivative of equation row[k] by parameter by[k], all variables held. */
typedef struct Entries {
    VEC(uint32_t) by, row;
    VEC(ExprId) x;
} Entries;

typedef struct Work {
    Dae *d;
    System *s;
    Program *g;
    const Sensitivities *by;
    Arena *scratch;
    NewtonView view;
    NewtonPoint at;
    Entries entry; /* rows: equations of the System, then rates that no equation gives */
    bool *has_right;
    Substitution values; /* those of the program */
} Work;

/* The direction of parameter j with all that moves held. */
static Differentiator parameter(const Work *w, uint32_t j)
{
    const ExprId *along = sensitivities_held(w->d, j, w->by->n_vars, w->scratch);
    return differentiator_along(w->s, w->by->n_vars, along, EXPR_NONE, w->scratch);
}

/* False if x has no derivative. */
static bool add_entry(Work *w, Differentiator *diff, ExprId x, uint32_t by, uint32_t row)
{
    ExprPool *p = w->s->pool;
    x = differentiate(diff, x);
    if (!expr_exists(x))
        return false;
    if (expr_is_zero(p, x) == YES)
        return true;
    x = expr_substitute(p, &w->values, x);
    if (expr_is_zero(p, x) == YES)
        return true;
    vec_push(w->scratch, w->entry.by, by);
    vec_push(w->scratch, w->entry.row, row);
    vec_push(w->scratch, w->entry.x, x);
    return true;
}

/* Of the equations that determine variables of the model. */
static bool find_entries(Work *w)
{
    const Blt *b = &w->d->blt;
    w->has_right = arena_array(w->scratch, bool, w->s->eq.n + 1);
    for (uint32_t j = 0; j < w->by->n; j++) {
        Differentiator diff = parameter(w, j);
        for (uint32_t r = 0; r < b->columns.g.n_rows; r++) {
            uint32_t c = b->matching.var_of[r], n = w->entry.x.n;
            if (c == INC_NONE || !w->at.is_model[b->columns.var[c].i])
                continue;
            const Eq *e = &w->s->eq.at[r];
            if (!add_entry(w, &diff, expr_sub(w->s->pool, e->rhs, e->lhs), j, r))
                return false;
            w->has_right[r] = w->has_right[r] || w->entry.x.n > n;
        }
    }
    return true;
}

/* Whether each variable is of the model, or determined by it. */
static bool *variables_of_model(const Dae *d, Arena *mem)
{
    bool *is_model = arena_array(mem, bool, d->sys->var.n + 1);
    for (uint32_t v = 0; v < d->sys->var.n; v++)
        is_model[v] = !sensitivities_have(d, (VarId){v});
    return is_model;
}

/* Blocks of the view in the order in which the program eliminates its own: most of their factors
 * are its factors then. */
typedef struct OwnOrder {
    OrderSource source;
    const Blt *b;       /* the view's                                              */
    uint32_t block;     /* of these, at work                                       */
    const EqId *eq_of;  /* per row of the view: the equation of the System         */
    uint32_t *step_eq;  /* per equation of the System: the step of its pivot, or INC_NONE */
    uint32_t *step_var; /* per variable                                            */
} OwnOrder;

typedef struct Step {
    uint32_t step, place;
} Step;

static int by_step(const void *a, const void *b)
{
    uint32_t x = ((const Step *)a)->step, y = ((const Step *)b)->step;
    return (x > y) - (x < y);
}

static bool own_order(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem, Candidate *out)
{
    const OwnOrder *it = (const OwnOrder *)self;
    uint32_t n = g->n_rows;
    if (k > 0)
        return false;
    *out = (Candidate){.name = "own", .order = order_failed("the program has no such block")};
    EqId *eq = arena_array(mem, EqId, n);
    VarId *var = arena_array(mem, VarId, n);
    Step *row = arena_array(mem, Step, n), *column = arena_array(mem, Step, n);
    blt_block(it->b, it->block, eq, var);
    for (uint32_t i = 0; i < n; i++) {
        row[i] = (Step){it->step_eq[it->eq_of[eq[i].i].i], i};
        column[i] = (Step){it->step_var[var[i].i], i};
    }
    qsort(row, n, sizeof *row, by_step);
    qsort(column, n, sizeof *column, by_step);
    Order o = order_empty(n, mem);
    o.n = n;
    for (uint32_t i = 0; i < n; i++) {
        if (row[i].step == INC_NONE || row[i].step != column[i].step)
            return true;
        o.eq[i] = row[i].place;
        o.var[i] = column[i].place;
    }
    out->order = o;
    return true;
}

/* The steps of the program's elimination. */
static void find_steps(const Work *w, OwnOrder *out)
{
    uint32_t n_eqs = w->s->eq.n, n_vars = w->view.sys->var.n, step = 0;
    out->step_eq = arena_array(w->scratch, uint32_t, n_eqs + 1);
    out->step_var = arena_array(w->scratch, uint32_t, n_vars + 1);
    for (uint32_t k = 0; k < n_eqs; k++)
        out->step_eq[k] = INC_NONE;
    for (uint32_t k = 0; k < n_vars; k++)
        out->step_var[k] = INC_NONE;
    for (uint32_t b = 0; b < w->d->solution.n_reports; b++) {
        const BlockReport *r = &w->d->solution.report[b];
        for (uint32_t k = 0; k < r->n_steps; k++, step++) {
            out->step_eq[r->eq[r->step_eq[k]].i] = step;
            out->step_var[r->var[r->step_var[k]].i] = step;
        }
    }
}

/* The view's equations in the order of their unknowns, solved. */
static bool solve_view(Work *w, bool is_own, Solution *out)
{
    NewtonView *v = &w->view;
    v->sys->diags = diags_new(w->s->mem);
    bool *is_state = arena_array(w->s->mem, bool, v->sys->var.n);
    for (uint32_t k = 0; k < w->g->n_states; k++)
        is_state[w->g->state[k].i] = true;
    Blt b = {.sys = v->sys, .columns = v->structure, .is_state = is_state};
    Matching m = matching_empty(&b.columns.g, w->scratch);
    for (uint32_t r = 0; r < b.columns.g.n_rows; r++) {
        uint32_t c = b.columns.column[v->determines[r].i];
        m.var_of[r] = c;
        m.eq_of[c] = r;
    }
    m.size = b.columns.g.n_rows;
    if (!matching_check(&m, &b.columns.g))
        m = matching_find(&b.columns.g, w->scratch);
    b = blt_of_matching(&b, &m, w->scratch);
    OrderPolicy policy = {0};
    Orders orders = ordering_of(&policy);
    OwnOrder own = {.source = {own_order}, .b = &b, .eq_of = v->equation};
    if (is_own) {
        find_steps(w, &own);
        orders = (Orders){.source = &own.source, .block = &own.block};
    }
    return blt_is_complete(&b) && solve(&b, &orders, out, w->scratch) && !out->program.n_blocks;
}

/* Rates that no equation gives: those that a parameter is the value of. False if one is another
 * value than of parameters. */
static bool add_given_rates(Work *w, uint32_t n_rows, ExprId *rate, const VarId *extra,
                            uint32_t *n_extra)
{
    const Program *g = w->g;
    for (uint32_t k = 0; k < w->at.n_states; k++) {
        if (w->view.has_rate[k])
            continue;
        uint32_t n = w->entry.x.n;
        if (!expr_is_fixed(w->s->pool, g->derivative[k]))
            return false;
        for (uint32_t j = 0; j < w->by->n; j++) {
            Differentiator diff = parameter(w, j);
            if (!add_entry(w, &diff, g->derivative[k], j, n_rows + *n_extra))
                return false;
        }
        if (w->entry.x.n > n)
            rate[k] = system_var_expr(w->s, extra[(*n_extra)++]);
    }
    return true;
}

/* Divisors of the view's elimination, which are checked as those of the program are. */
static void add_pivots(const Work *w, const Solution *solution)
{
    Program *g = w->g;
    const Program *of = &solution->program;
    Pivot *pivot = arena_array(w->s->mem, Pivot, g->n_pivots + of->n_pivots + 1);
    for (uint32_t k = 0; k < g->n_pivots; k++)
        pivot[k] = g->pivot[k];
    for (uint32_t k = 0; k < of->n_pivots; k++) {
        Pivot p = of->pivot[k];
        if (p.var.i >= w->at.n)
            continue; // an angle: its equation is that of an element
        p.eq = (EqId){w->d->blt.matching.eq_of[w->d->blt.columns.column[p.var.i]]};
        pivot[g->n_pivots++] = p;
    }
    g->pivot = pivot;
}

/* The entries, their rows numbered as right-hand sides; parameter by parameter. */
static ParameterEntries numbered(const Work *w, const uint32_t *row_of)
{
    Arena *mem = w->s->mem;
    uint32_t n = w->entry.x.n;
    uint32_t *by = arena_array(mem, uint32_t, n + 1), *row = arena_array(mem, uint32_t, n + 1);
    uint32_t *next = arena_array(w->scratch, uint32_t, w->by->n + 2);
    ExprId *x = arena_array(mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        if (row_of[w->entry.row.at[k]] != INC_NONE)
            next[w->entry.by.at[k] + 2]++;
    for (uint32_t j = 0; j < w->by->n; j++)
        next[j + 2] += next[j + 1];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t to = row_of[w->entry.row.at[k]], j = w->entry.by.at[k];
        if (to == INC_NONE)
            continue;
        by[next[j + 1]] = j;
        row[next[j + 1]] = to;
        x[next[j + 1]++] = w->entry.x.at[k];
    }
    return (ParameterEntries){next[w->by->n], by, row, x};
}

/* Operations of one evaluation by these, vectors of LANES right-hand sides as one. */
static uint64_t operations_along(const Work *w, const RatesAlong *it)
{
    enum { LANES = 4, PER_STATE = 2 }; // numbers are put into vectors, and taken out of them
    const ExprPool *p = w->s->pool;
    const Program *g = w->g;
    uint32_t n = it->n_states + it->n_kept + it->by.n, to = 0;
    ExprId *x = arena_array(w->scratch, ExprId, n + 1);
    for (uint32_t k = 0; k < it->n_states; k++)
        x[to++] = g->derivative[k];
    for (uint32_t k = 0; k < it->n_kept; k++)
        x[to++] = it->kept[k];
    for (uint32_t k = 0; k < it->by.n; k++)
        x[to++] = it->by.entry[k];
    uint64_t sides = program_operations(p, it->n_states, it->rate), parts = w->by->n;
    return program_operations(p, n, x) + (parts + LANES - 1) / LANES * sides +
           PER_STATE * parts * it->n_states;
}

/* The solved view as right-hand sides and kept values. */
static bool finish(Work *w, const Solution *solution, RatesAlong *out)
{
    System *s = w->s;
    const NewtonRight *r = w->view.right;
    ExprId *rate = newton_rates(&w->view, &solution->program, w->g);
    uint32_t n_extra = 0, n_states = r->n_states, n_most = n_states + r->n_rows + n_states;
    VarId *side = arena_array(w->scratch, VarId, n_most + 1);
    for (uint32_t k = 0; k < n_states + r->n_rows; k++)
        side[k] = k < n_states ? r->defect[k] : r->row[k - n_states];
    for (uint32_t k = n_states + r->n_rows; k < n_most; k++)
        side[k] = system_add_hidden(s, arena_printf(s->mem, "%s given rate %u", w->at.name, k));
    uint32_t n_eqs = s->eq.n, first_extra = n_states + r->n_rows;
    if (!add_given_rates(w, n_eqs, rate, side + first_extra, &n_extra))
        return false;
    uint32_t *row_of = arena_array(w->scratch, uint32_t, n_eqs + n_states + 1);
    for (uint32_t k = 0; k < n_eqs + n_states; k++)
        row_of[k] = k < n_eqs ? INC_NONE : r->n_rows + k - n_eqs;
    for (uint32_t k = 0; k < r->n_rows; k++)
        row_of[r->row_of[k].i] = k;
    uint32_t n_sides = first_extra + n_extra;
    bool *is_right = arena_array(w->scratch, bool, s->var.n + 1);
    for (uint32_t k = 0; k < n_sides; k++)
        is_right[side[k].i] = true;
    LinearSplit split;
    const char *kept = arena_printf(w->scratch, "%s kept", w->at.name);
    if (!linear_split(s, is_right, n_states, rate, kept, &split, w->scratch))
        return false;
    VarId *input = arena_array(s->mem, VarId, n_sides + split.n_kept + 1);
    for (uint32_t k = 0; k < n_sides + split.n_kept; k++)
        input[k] = k < n_sides ? side[k] : split.leaf[k - n_sides];
    *out = (RatesAlong){.n_states = n_states,
                        .n_rows = n_sides - n_states,
                        .n_kept = split.n_kept,
                        .input = input,
                        .kept = split.kept,
                        .rate = split.rest,
                        .by = numbered(w, row_of)};
    return true;
}

/* The view of these equations solved in one order or the other. */
typedef struct Attempt {
    Work work;
    Solution solution;
    RatesAlong along;
    uint64_t operations; /* UINT64_MAX: there are no such derivatives */
} Attempt;

static void attempt(Attempt *it, bool is_own, Arena *scratch)
{
    Work *w = &it->work;
    const Solution *program = &w->d->solution;
    it->operations = UINT64_MAX;
    bool *stays = arena_array(scratch, bool, w->at.n + 1);
    for (uint32_t b = 0; b < program->n_reports && is_own; b++)
        for (uint32_t k = 0; k < program->report[b].n; k++)
            stays[program->report[b].var[k].i] = true;
    w->at.stays = stays;
    w->at.name = is_own ? "along" : "along anew";
    if (newton_view(&w->d->blt, w->g, &w->d->loops, &w->at, &w->view, scratch) &&
        solve_view(w, is_own, &it->solution) && finish(w, &it->solution, &it->along))
        it->operations = operations_along(w, &it->along);
}

void rates_along_make(Dae *d, Arena *scratch)
{
    System *s = d->sys;
    Program *g = &d->solution.program;
    if (!d->sensitivities || d->sensitivities->n < 2 || g->loops || g->n_blocks || !g->n_states)
        return;
    ArenaMark mark = arena_mark(scratch);
    uint32_t n_before = s->var.n;
    Work w = {.d = d,
              .s = s,
              .g = g,
              .by = d->sensitivities,
              .scratch = scratch,
              .values = {.value = g->value, .n = s->var.n, .mem = scratch}};
    bool *none = arena_array(scratch, bool, (s->var.n > s->eq.n ? s->var.n : s->eq.n) + 1);
    w.at = (NewtonPoint){.n = s->var.n,
                         .n_states = sensitivities_states(d),
                         .value = g->value,
                         .state = g->state,
                         .is_rate_free = none,
                         .is_residual = none,
                         .stays = none,
                         .is_model = variables_of_model(d, scratch)};
    if (find_entries(&w)) {
        w.at.has_right = w.has_right;
        uint64_t least = program_operations(s->pool, g->n_states, g->derivative);
        const Attempt *best = NULL;
        for (int k = 0; k < 2; k++) {
            Attempt *it = arena_make(scratch, Attempt);
            it->work = w;
            program_extend(g, n_before); // by variables of the attempt before
            attempt(it, k == 0, scratch);
            if (it->operations < least) {
                least = it->operations;
                best = it;
            }
        }
        if (best) {
            add_pivots(&best->work, &best->solution);
            RatesAlong *along = arena_make(s->mem, RatesAlong);
            *along = best->along;
            g->along = along;
        }
    }
    program_extend(g, n_before); // without `along` the variables added for it stay unused
    arena_rollback(scratch, mark);
}
