#include "eliminate/forms/newton_order.h"

#include "eliminate/block/growth.h"
#include "eliminate/block/ordering.h"
#include "eliminate/block/sample_points.h"
#include "eliminate/forms/newton_right.h"
#include "eliminate/forms/newton_system.h"
#include "eliminate/prepare/sensitivity.h"
#include "graph/blocks.h"
#include "graph/ladder.h"
#include "graph/ladder_degree.h"
#include "graph/matching.h"
#include "graph/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the residual form ---- */

/* The algebraic loops and the derivatives of states that they determine. */
typedef struct Form {
    const Dae *d;
    Arena *mem;
    const bool *in_loop; /* per variable                                              */
    uint32_t *column;    /* per variable                                              */
    bool *is_unknown;    /* per variable                                              */
    bool *in_group;      /* per column: in a loop, or between one and a derivative that is free */
    VEC(uint32_t) way;   /* columns walked through */
    /* of the group, without the equations for which the derivatives are free */
    Incidence inner;
    Ladder ladder; /* of that */
    uint32_t n;
    EqId *eq;
    VarId *var;
    VarId
        *name_of; /* per column of the ladder: the derivative that it is by name_eq, or VAR_NONE */
    EqId *name_eq;
} Form;

static LinearForm form_of(Form *w, uint32_t eq, Substitution *values, Arena *mem)
{
    System *s = w->d->sys;
    const Eq *e = &s->eq.at[eq];
    return linear_form(s, w->is_unknown, values, expr_sub(s->pool, e->lhs, e->rhs), mem);
}

/* Whether the equation's coefficients do not vary with time. */
static bool is_plain(Form *w, uint32_t eq)
{
    Arena *tmp = arena_new();
    Substitution none = {0};
    LinearForm f = form_of(w, eq, &none, tmp);
    bool plain = f.is_linear;
    for (uint32_t k = 0; k < f.n && plain; k++)
        plain = expr_is_fixed(w->d->sys->pool, f.coeff[k]);
    arena_free(tmp);
    return plain;
}

/* Whether the derivative of a state depends on unknowns of loops through at most LONGEST equations,
 * all with constant coefficients: then it may be taken as known, and the loops have one equation
 * left over for each. Marks the columns in between. */
static bool find_free(Form *w, uint32_t der)
{
    enum { LONGEST = 64 };
    const Dae *d = w->d;
    const Incidence *g = &d->blt.columns.g;
    bool plain = true, loops = false;
    w->way.n = 0;
    vec_push(w->mem, w->way, der);
    for (uint32_t k = 0; k < w->way.n && plain; k++) {
        uint32_t v = w->way.at[k];
        if (w->in_loop[d->blt.columns.var[v].i]) {
            loops = true;
            continue;
        }
        uint32_t e = d->blt.matching.eq_of[v];
        plain = w->way.n < LONGEST && is_plain(w, e);
        for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1] && plain; i++) {
            bool known = g->col[i] == v;
            for (uint32_t j = 0; j < w->way.n && !known; j++)
                known = w->way.at[j] == g->col[i];
            if (!known)
                vec_push(w->mem, w->way, g->col[i]);
        }
    }
    for (uint32_t k = 0; k < w->way.n && plain && loops; k++)
        w->in_group[w->way.at[k]] = true;
    return plain && loops;
}

/* The ladder of the group, `own` matching its columns `col`. A column that only names a free
 * derivative is replaced by it. `own` becomes the ladder's natural matching if that is as large. */
static bool shorten_ends(Form *w, const Incidence *g, Matching *own, const bool *is_free,
                         const uint32_t *col, const EqId *eq, const VarId *var)
{
    uint32_t n = g->n_rows;
    uint32_t *rows = arena_array(w->mem, uint32_t, n), *cols = arena_array(w->mem, uint32_t, n);
    bool *gone_row = arena_array(w->mem, bool, n), *gone_col = arena_array(w->mem, bool, n);
    w->eq = arena_array(w->mem, EqId, n);
    w->var = arena_array(w->mem, VarId, n);
    w->name_eq = arena_array(w->mem, EqId, n);
    w->name_of = arena_array(w->mem, VarId, n);
    uint32_t *name = arena_array(w->mem, uint32_t, n); /* per column: its derivative's */
    for (uint32_t k = 0; k < n; k++)
        name[k] = INC_NONE;
    for (uint32_t r = 0; r < n; r++) {
        uint32_t first = g->row_begin[r];
        if (own->var_of[r] == INC_NONE || g->row_begin[r + 1] - first != 2)
            continue;
        uint32_t a = col[own->var_of[r]];
        uint32_t d = g->col[first] == a ? g->col[first + 1] : g->col[first];
        if (is_free[var[d].i] && g->col_begin[d + 1] - g->col_begin[d] == 1) {
            gone_row[r] = gone_col[d] = true;
            name[a] = d;
            w->name_eq[a] = eq[r];
        }
    }
    uint32_t n_cols = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!gone_row[k])
            rows[w->n++] = k;
        if (!gone_col[k])
            cols[n_cols++] = k;
    }
    Incidence part = incidence_part(g, rows, w->n, cols, n_cols, w->mem);
    for (uint32_t r = 0; r < w->n; r++) {
        w->eq[r] = eq[rows[r]];
        w->var[r] = var[cols[r]];
        uint32_t a = cols[r];
        w->name_of[r] = name[a] == INC_NONE ? VAR_NONE : var[name[a]];
        w->name_eq[r] = w->name_eq[a];
        for (uint32_t e = part.row_begin[r]; e < part.row_begin[r + 1]; e++)
            if (name[cols[part.col[e]]] != INC_NONE)
                part.label[e] = LABEL_OTHER;
    }
    w->inner = part;
    w->ladder = ladder_find(&part, w->mem);
    const Matching *natural = &w->ladder.natural;
    uint32_t *of_col = arena_array(w->mem, uint32_t, n); /* of `own` */
    for (uint32_t k = 0; k < own->n_cols; k++)
        of_col[col[k]] = k;
    bool is_apart = true; /* no pair joins the model with the derivatives by parameters */
    for (uint32_t k = 0; k < w->n && !w->ladder.why; k++)
        is_apart = is_apart && (natural->eq_of[k] == INC_NONE ||
                                sensitivities_have(w->d, var[cols[k]]) ==
                                    sensitivities_have(w->d, var[rows[natural->eq_of[k]]]));
    if (!w->ladder.why && is_apart && natural->size + (n - w->n) == own->size) {
        for (uint32_t k = 0; k < w->n; k++) {
            uint32_t r = natural->eq_of[k];
            if (r == INC_NONE)
                continue;
            own->eq_of[of_col[cols[k]]] = rows[r];
            own->var_of[rows[r]] = of_col[cols[k]];
        }
    }
    return true;
}

/* A maximum matching with as many pairs as possible that are solved by addition alone. */
static Matching match_simply(const Incidence *g, Arena *mem)
{
    Matching m = matching_natural(g, mem);
    for (Label worst = LABEL_CONST; worst <= LABEL_OTHER; worst++)
        matching_extend(&m, g, worst, mem);
    return m;
}

/* Matches the equations of the model with its variables, and the equations of derivatives by
 * parameters with those derivatives, so that each part has one residual equation per free
 * derivative. Row k of g determines var[k] in the Blt; column k of g is var[col[k]]. */
static Matching match_parts(const Form *w, const Incidence *g, const VarId *var,
                            const uint32_t *col)
{
    Matching all = matching_empty(g, w->mem);
    uint32_t *rows = arena_array(w->mem, uint32_t, g->n_rows + 1);
    uint32_t *cols = arena_array(w->mem, uint32_t, g->n_cols + 1);
    for (int by_parameters = 0; by_parameters < 2; by_parameters++) {
        uint32_t n_rows = 0, n_cols = 0;
        for (uint32_t r = 0; r < g->n_rows; r++)
            if (sensitivities_have(w->d, var[r]) == by_parameters)
                rows[n_rows++] = r;
        for (uint32_t c = 0; c < g->n_cols; c++)
            if (sensitivities_have(w->d, var[col[c]]) == by_parameters)
                cols[n_cols++] = c;
        Incidence part = incidence_part(g, rows, n_rows, cols, n_cols, w->mem);
        Matching m = match_simply(&part, w->mem);
        for (uint32_t c = 0; c < n_cols; c++) {
            if (m.eq_of[c] == INC_NONE)
                continue;
            all.eq_of[cols[c]] = rows[m.eq_of[c]];
            all.var_of[rows[m.eq_of[c]]] = cols[c];
        }
        all.size += m.size;
    }
    return all;
}

/* The group without its free derivatives, by adding and subtracting where that can be. The
 * unmatched equations are the residual equations. False if that is not possible. */
static bool match_group(Form *w, const bool *is_free, Matching *m)
{
    const Dae *d = w->d;
    System *s = d->sys;
    const Incidence *g = &d->blt.columns.g;
    VEC(EqId) eq = {0};
    VEC(VarId) var = {0};
    VEC(uint32_t) rows = {0}, cols = {0}, column = {0};
    for (uint32_t v = 0; v < g->n_cols; v++) {
        w->is_unknown[d->blt.columns.var[v].i] = w->in_group[v];
        if (!w->in_group[v])
            continue;
        if (!is_free[d->blt.columns.var[v].i])
            vec_push(w->mem, cols, var.n);
        vec_push(w->mem, rows, eq.n);
        vec_push(w->mem, eq, ((EqId){d->blt.matching.eq_of[v]}));
        vec_push(w->mem, var, d->blt.columns.var[v]);
        vec_push(w->mem, column, v);
    }
    uint32_t n = eq.n;
    LinearForm *form = arena_array(w->mem, LinearForm, n);
    Substitution values = {.value = d->solution.program.value, .n = s->var.n, .mem = w->mem};
    for (uint32_t k = 0; k < n; k++) {
        form[k] = form_of(w, eq.at[k].i, &values, w->mem);
        if (!form[k].is_linear)
            return false;
    }
    Sample sample = sample_new(s, w->mem);
    Incidence whole = structure_of_block(s, &sample, n, eq.at, var.at, form, w->mem);
    Incidence part = incidence_part(&whole, rows.at, n, cols.at, cols.n, w->mem);
    Matching own = match_parts(w, &part, var.at, cols.at);
    if (own.size < cols.n)
        return false;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t e = whole.row_begin[r]; e < whole.row_begin[r + 1]; e++)
            if (own.var_of[r] == INC_NONE || is_free[var.at[whole.col[e]].i])
                whole.label[e] = LABEL_OTHER;
    if (!shorten_ends(w, &whole, &own, is_free, cols.at, eq.at, var.at))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        m->eq_of[column.at[k]] = INC_NONE;
        m->var_of[eq.at[k].i] = INC_NONE;
    }
    m->size -= n - cols.n;
    for (uint32_t k = 0; k < cols.n; k++) {
        uint32_t v = column.at[cols.at[k]], r = own.eq_of[k];
        m->eq_of[v] = eq.at[r].i;
        m->var_of[eq.at[r].i] = v;
    }
    return true;
}

/* Values given the derivatives that algebraic loops determine. Without such a form, or where it is
 * singular, these are values of the program as others are. is_free: per variable. */
static Form residual_form(const Dae *d, const bool *in_loop, const bool *is_state, bool *is_free,
                          NewtonPoint *at, Blt *sorted, Arena *scratch)
{
    System *s = d->sys;
    const Program *g = &d->solution.program;
    const Incidence *inc = &d->blt.columns.g;
    bool *is_rate_free = arena_array(s->mem, bool, g->n_states);
    bool *is_residual = arena_array(s->mem, bool, s->eq.n);
    bool *stays = arena_array(s->mem, bool, s->var.n + 1);
    memcpy(stays, in_loop, s->var.n * sizeof *stays);
    *at = (NewtonPoint){.n = s->var.n,
                        .value = g->value,
                        .state = g->state,
                        .is_rate_free = is_rate_free,
                        .is_residual = is_residual,
                        .stays = stays};
    *sorted = d->blt;
    sorted->is_state = is_state;
    Form w = {.d = d,
              .mem = scratch,
              .in_loop = in_loop,
              .column = arena_array(scratch, uint32_t, s->var.n),
              .is_unknown = arena_array(scratch, bool, s->var.n),
              .in_group = arena_array(scratch, bool, inc->n_cols)};
    for (uint32_t v = 0; v < inc->n_cols; v++) {
        w.column[d->blt.columns.var[v].i] = v + 1;
        w.is_unknown[d->blt.columns.var[v].i] = true;
        w.in_group[v] = in_loop[d->blt.columns.var[v].i];
    }
    for (uint32_t k = 0; k < g->n_states; k++) {
        VarId der = s->var.at[g->state[k].i].der;
        if (w.column[der.i] > 0)
            is_rate_free[k] = is_free[der.i] = find_free(&w, w.column[der.i] - 1);
    }
    Matching m = matching_empty(inc, scratch); /* as that of the model at first */
    memcpy(m.eq_of, d->blt.matching.eq_of, inc->n_cols * sizeof *m.eq_of);
    memcpy(m.var_of, d->blt.matching.var_of, inc->n_rows * sizeof *m.var_of);
    m.size = d->blt.matching.size;
    Solution solution;
    Diags *diags = s->diags;
    s->diags = diags_new(s->mem);
    uint32_t before = pool_size(s->pool);
    bool ok = match_group(&w, is_free, &m);
    if (ok) {
        Blt blt = blt_of_matching(sorted, &m, scratch);
        OrderPolicy policy = {0};
        Orders orders = ordering_of(&policy);
        ok = solve(&blt, &orders, &solution, scratch);
        if (ok)
            *sorted = blt;
    }
    s->diags = diags;
    // in these nodes free derivatives may cancel, of which an iteration's values must be free
    pool_set_apart(s->pool, before);
    if (ok) {
        at->value = solution.program.value;
        for (uint32_t r = 0; r < inc->n_rows; r++)
            is_residual[r] = m.var_of[r] == INC_NONE;
        // a tearing variable that only names a free derivative is replaced by it (find_ladder)
        for (uint32_t k = 0; k < w.ladder.n && !w.ladder.why; k++)
            if (!var_exists(w.name_of[w.ladder.handle[k].var]))
                stays[w.var[w.ladder.handle[k].var].i] = true;
        return w;
    }
    memset(is_rate_free, 0, g->n_states * sizeof *is_rate_free);
    memset(is_free, 0, s->var.n * sizeof *is_free);
    w.ladder.why = "no residual form";
    return w;
}

/* ---- the order ---- */

/* The data from which the order of the iteration is made. */
typedef struct Plan {
    OrderSource source;
    const Form *form;
    const NewtonView *view;
    const NewtonPoint *at;
    const bool *is_model; /* NULL: all is */
    const Blocks *blocks;
    Ladder ladder;
    uint64_t counted; /* the ladder's estimate if a count decides between its orders, else 0 */
    OrderPolicy others;
} Plan;

/* The part of the residual form for the model, without the derivatives by parameters. Its ladder
 * has a reason if there is none. */
static Form form_of_model(const Plan *plan, Arena *mem)
{
    const Form *f = plan->form;
    Form out = {.d = f->d, .mem = mem, .ladder = f->ladder};
    if (f->ladder.why)
        return out;
    uint32_t *rows = arena_array(mem, uint32_t, f->n + 1), n = 0;
    uint32_t *cols = arena_array(mem, uint32_t, f->n + 1);
    const Blt *b = &f->d->blt;
    for (uint32_t k = 0; k < f->n; k++) {
        uint32_t c = b->matching.var_of[f->eq[k].i];
        if (c != INC_NONE && plan->is_model[b->columns.var[c].i])
            rows[n++] = k;
        if (plan->is_model[f->var[k].i])
            cols[out.n++] = k;
    }
    if (n != out.n || n == 0) {
        out.ladder.why = "the residual form of the model is not square";
        return out;
    }
    out.eq = arena_array(mem, EqId, n);
    out.var = arena_array(mem, VarId, n);
    out.name_of = arena_array(mem, VarId, n);
    out.name_eq = arena_array(mem, EqId, n);
    for (uint32_t k = 0; k < n; k++) {
        out.eq[k] = f->eq[rows[k]];
        out.var[k] = f->var[cols[k]];
        out.name_of[k] = f->name_of[cols[k]];
        out.name_eq[k] = f->name_eq[cols[k]];
    }
    out.inner = incidence_part(&f->inner, rows, n, cols, n, mem);
    out.ladder = ladder_find(&out.inner, mem);
    return out;
}

/* The ladder of the residual form, with all that moves besides. */
static Ladder find_ladder(const Plan *plan, const Incidence *g, Arena *mem)
{
    const Form *f = plan->form;
    Form of_model;
    const NewtonView *v = plan->view;
    const uint32_t *row_at = plan->blocks->eq;
    if (plan->is_model) {
        of_model = form_of_model(plan, mem);
        f = &of_model;
    }
    Ladder none = f->ladder;
    if (none.why)
        return none;
    Map row_of = map_new(mem), col_of = map_new(mem);
    Matching natural = matching_empty(g, mem);
    const uint32_t *col_at = plan->blocks->var;
    for (uint32_t r = 0; r < g->n_rows; r++) {
        if (row_at[r] < v->n_equations)
            map_put(&row_of, v->equation[row_at[r]].i, r);
        map_put(&col_of, v->structure.var[col_at[r]].i, r);
        /* balances are residuals */
        bool pair = row_at[r] < v->n_equations + v->n_constraints;
        natural.eq_of[r] = natural.var_of[r] = pair ? r : INC_NONE;
    }
    uint32_t *row = arena_array(mem, uint32_t, f->n), *col = arena_array(mem, uint32_t, f->n);
    for (uint32_t k = 0; k < f->n; k++) {
        uint32_t r = map_get(&row_of, f->eq[k].i), c = map_get(&col_of, f->var[k].i);
        row[k] = r == MAP_NONE ? INC_NONE : r;
        col[k] = c == MAP_NONE ? INC_NONE : c;
        if (!var_exists(f->name_of[k]))
            continue;
        uint32_t by = map_get(&row_of, f->name_eq[k].i);
        uint32_t d = map_get(&col_of, f->name_of[k].i);
        if (c == MAP_NONE) {
            col[k] = d;
        } else if (by != MAP_NONE && d != MAP_NONE) {
            natural.var_of[by] = d;
            natural.eq_of[d] = by;
        }
    }
    for (uint32_t k = 0; k < f->n; k++) {
        uint32_t e = k, u = f->ladder.natural.var_of[e];
        if (row[e] == INC_NONE)
            continue;
        uint32_t to = u == INC_NONE ? INC_NONE : col[u];
        natural.var_of[row[e]] = to;
    }
    for (uint32_t k = 0; k < f->n; k++) {
        uint32_t e = f->ladder.natural.eq_of[k];
        if (col[k] != INC_NONE)
            natural.eq_of[col[k]] = e == INC_NONE ? INC_NONE : row[e];
    }
    for (uint32_t r = 0; r < g->n_rows; r++)
        natural.size += natural.var_of[r] != INC_NONE;
    for (uint32_t k = 0; k < f->ladder.n; k++)
        if (row[f->ladder.handle[k].eq] == INC_NONE || col[f->ladder.handle[k].var] == INC_NONE)
            none.why = "a handle has no increment";
    if (!none.why && !matching_check(&natural, g))
        none.why = "pairs of the residual form have no increments";
    return none.why ? none : ladder_extend(&f->ladder, row, col, &natural, g, mem);
}

/* Per edge of g, its coefficient at the sample points. */
static double *numbers_of(const Plan *plan, const Incidence *g, Arena *mem)
{
    const NewtonView *v = plan->view;
    System *s = v->sys;
    double *number = arena_array(mem, double, (size_t)g->n_edges *SAMPLE_POINTS + 1);
    Arena *tmp = arena_new();
    PoolMark mark = pool_mark(s->pool);
    bool *is_unknown = arena_array(tmp, bool, s->var.n);
    uint32_t *col = arena_array(tmp, uint32_t, s->var.n);
    for (uint32_t c = 0; c < g->n_cols; c++) {
        VarId u = v->structure.var[plan->blocks->var[c]];
        is_unknown[u.i] = true;
        col[u.i] = c;
    }
    Sample sample = sample_new(s, tmp);
    SamplePoints points = sample_points_new(s->pool, &sample, tmp);
    Series series = series_new(s, is_unknown, tmp);
    Substitution none = {0};
    Substitution step = {.value = newton_small_step(v, plan->at, tmp), .n = s->var.n, .mem = tmp};
    for (uint32_t r = 0; r < g->n_rows; r++) {
        const Eq *e = &s->eq.at[plan->blocks->eq[r]];
        LinearForm f = series_form(&series, &none, expr_sub(s->pool, e->lhs, e->rhs), tmp);
        for (uint32_t k = 0; k < f.n; k++) {
            uint32_t edge = incidence_find(g, r, col[f.var[k].i]);
            if (edge == INC_NONE)
                continue;
            ExprId x = expr_substitute(s->pool, &step, f.coeff[k]);
            Samples at = sample_points_value(&points, x);
            memcpy(number + (size_t)edge * SAMPLE_POINTS, at.at, SAMPLE_POINTS * sizeof *at.at);
        }
    }
    pool_rollback(s->pool, mark);
    arena_free(tmp);
    return number;
}

/* The ladder of the residual form with its rules. */
static void propose_ladder(const Plan *plan, const Incidence *g, Arena *mem, Candidate *out)
{
    enum { BUDGET = 1000000 };
    const Ladder *l = &plan->ladder;
    Order *variant = arena_array(mem, Order, LADDER_RULES);
    *out = (Candidate){.name = "ladder of the residual form",
                       .variant = variant,
                       .estimate = plan->counted,
                       .is_last = true,
                       .budget = BUDGET};
    out->order.why = l->why;
    for (LadderRule rule = 0; rule < LADDER_RULES && !l->why; rule++) {
        Order o = ladder_order(l, g, rule, mem);
        if (rule == 0)
            out->order = o;
        if (!o.why)
            variant[out->n_variants++] = o;
    }
}

static uint64_t operations_of(const Order *o, const Incidence *g)
{
    Arena *tmp = arena_new();
    OrderEstimate e = o->why ? (OrderEstimate){0} : order_estimate(o, g, tmp);
    arena_free(tmp);
    return e.ok ? e.ops : UINT64_MAX;
}

/* Whether rounding errors grow along the order at more points than along the other one, or than at
 * half of them where there is no other: near singular positions, where some points are, they grow
 * along both. */
static bool loses_digits(const Incidence *g, const double *number, const Order *o,
                         const Order *other)
{
    uint32_t n = 0, n_other = other->why ? SAMPLE_POINTS / 2 : 0;
    for (uint32_t k = 0; k < SAMPLE_POINTS; k++) {
        double growth = growth_at_point(g, o, number, SAMPLE_POINTS, k);
        double least = other->why ? 1 : growth_at_point(g, other, number, SAMPLE_POINTS, k);
        if (isnan(growth) || isnan(least))
            continue;
        n += growth_is_too_much(growth, 1);
        n_other += !other->why && growth_is_too_much(least, 1);
    }
    return n > n_other;
}

/* Per column: whether it is the derivative of a state, or the one increment of which such a
 * derivative is made. */
static bool *rates_of(const Plan *plan, const Incidence *g, Arena *mem)
{
    const NewtonView *v = plan->view;
    System *s = v->sys;
    bool *is_rate = arena_array(mem, bool, g->n_cols + 1);
    bool *is_unknown = arena_array(mem, bool, s->var.n);
    uint32_t *col = arena_array(mem, uint32_t, s->var.n);
    for (uint32_t c = 0; c < g->n_cols; c++) {
        VarId u = v->structure.var[plan->blocks->var[c]];
        is_unknown[u.i] = true;
        col[u.i] = c;
    }
    for (uint32_t k = 0; k < v->n_states; k++) {
        VarId rate = s->var.at[plan->at->state[k].i].der, *var = &rate;
        ExprId x = v->explicit_value[rate.i];
        uint32_t n = is_unknown[rate.i];
        if (expr_exists(x))
            n = unknowns_of(s, is_unknown, x, 2, mem, &var);
        if (n == 1)
            is_rate[col[var[0].i]] = true;
    }
    return is_rate;
}

/* The cheapest order of the ladder's pairs by minimum degree that is estimated below *most
 * operations. */
static Order try_prices(const Ladder *l, const Incidence *g, const double *number,
                        const Order *by_fill, uint64_t *most, Arena *mem)
{
    static const DegreePrice PRICE[] = {{16, true},  {32, true},  {64, true},  {0, false},
                                        {16, false}, {32, false}, {64, false}, {200, false}};
    enum { WORTH = 40 }; /* another order must save this part */
    Arena *tmp = arena_new();
    LadderPairs *pairs = ladder_pairs(l, g, number, SAMPLE_POINTS, tmp);
    Order best = order_failed("no price of minimum degree gives an order");
    for (uint32_t k = 0; k < sizeof PRICE / sizeof *PRICE; k++) {
        Order o = ladder_degree_order(pairs, PRICE[k], *most, mem);
        if (o.why || loses_digits(g, number, &o, by_fill))
            continue;
        best = o;
        *most = o.ops - o.ops / WORTH;
    }
    arena_free(tmp);
    return best;
}

/* The same, with the handles of the ladder, and with derivatives of states as handles. */
static Order find_degree(const Plan *plan, const Incidence *g, uint64_t most, Arena *mem)
{
    Ladder l = plan->ladder;
    const double *number = numbers_of(plan, g, mem);
    Order best = try_prices(&l, g, number, &plan->ladder.by_fill, &most, mem);
    if (ladder_exchange_handles(&l, g, rates_of(plan, g, mem), mem) > 0) {
        Order o = try_prices(&l, g, number, &plan->ladder.by_fill, &most, mem);
        best = o.why ? best : o;
    }
    return best;
}

/* The pairs of the ladder by minimum degree: closed legs go before the body that all legs carry,
 * which in the tree of the cut mechanism is no nearer to the ground; forces between bodies far
 * apart wait for both. Estimates see neither the symmetry of the ladder nor the gain of its search:
 * an order that is far cheaper is taken, one that is a little cheaper is not, and between the two
 * both are counted. */
static void propose_degree(Plan *plan, const Incidence *g, Arena *mem, Candidate *out)
{
    static const double NEAR = 0.9, FAR = 0.6;
    Ladder *l = &plan->ladder;
    *out = (Candidate){.name = "minimum degree on the ladder", .order = order_failed(l->why)};
    if (l->why)
        return;
    l->by_fill = ladder_order(l, g, LADDER_FILL, mem);
    uint64_t ladder = operations_of(&l->by_fill, g);
    double far = FAR * (double)ladder, near = NEAR * (double)ladder;
    out->order = find_degree(plan, g, (uint64_t)(g->n_rows > MOST_COUNTED ? far : near), mem);
    if (!out->order.why && (double)out->order.ops > far) {
        out->estimate = out->order.ops;
        plan->counted = ladder;
    }
}

/* One of the orders of graph/, unless it fills the matrix: then the runtime's own is better. */
static bool propose_other(Plan *plan, const Incidence *g, uint32_t k, Arena *mem, Candidate *out)
{
    if (!ordering_next(&plan->others, g, k, mem, out))
        return false;
    if (order_fills(out->estimate, g))
        out->order = order_failed(ORDER_FILLS);
    return true;
}

/* The ladder of the residual form by minimum degree or structure by structure, then the orders of
 * graph/. */
static bool propose(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem, Candidate *out)
{
    Plan *plan = (Plan *)self;
    if (k == 0)
        plan->ladder = find_ladder(plan, g, mem);
    if (k == 0)
        propose_degree(plan, g, mem, out);
    else if (k == 1)
        propose_ladder(plan, g, mem, out);
    else
        return propose_other(plan, g, k - 2, mem, out);
    return true;
}

/* Marks all that the model's own variables are determined by. */
static bool *variables_of_model(const Dae *d, Arena *mem)
{
    const Incidence *g = &d->blt.columns.g;
    bool *is_model = arena_array(mem, bool, d->sys->var.n + 1);
    uint32_t *stack = arena_array(mem, uint32_t, g->n_cols + 1);
    uint32_t n = 0;
    for (uint32_t v = 0; v < d->sys->var.n; v++)
        is_model[v] = !sensitivities_have(d, (VarId){v});
    for (uint32_t c = 0; c < g->n_cols; c++)
        if (is_model[d->blt.columns.var[c].i])
            stack[n++] = c;
    while (n > 0) {
        uint32_t e = d->blt.matching.eq_of[stack[--n]];
        for (uint32_t k = g->row_begin[e]; e != INC_NONE && k < g->row_begin[e + 1]; k++) {
            uint32_t v = d->blt.columns.var[g->col[k]].i;
            if (is_model[v])
                continue;
            is_model[v] = true;
            stack[n++] = g->col[k];
        }
    }
    return is_model;
}

/* The rows of the view in its order, with their unknowns. */
static Blocks one_block(const NewtonView *v, Arena *mem)
{
    uint32_t n = v->structure.n;
    uint32_t *begin = arena_array(mem, uint32_t, 2);
    uint32_t *row = arena_array(mem, uint32_t, n + 1), *col = arena_array(mem, uint32_t, n + 1);
    begin[1] = n;
    for (uint32_t r = 0; r < n; r++) {
        row[r] = r;
        col[r] = v->structure.column[v->determines[r].i];
    }
    return (Blocks){.n = 1, .begin = begin, .eq = row, .var = col};
}

void newton_system_make(Dae *d, NewtonParts parts, Arena *scratch)
{
    System *s = d->sys;
    Program *g = &d->solution.program;
    NewtonView v;
    NewtonPoint at;
    Blt sorted;
    ArenaMark mark = arena_mark(scratch);
    uint32_t n_before = s->var.n;
    Blocks blocks;
    bool *in_loop = arena_array(scratch, bool, s->var.n);
    for (uint32_t b = 0; b < d->solution.n_reports; b++)
        for (uint32_t k = 0; k < d->solution.report[b].n; k++)
            in_loop[d->solution.report[b].var[k].i] = true;
    bool *is_state = arena_array(s->mem, bool, s->var.n);
    for (uint32_t k = 0; k < g->n_states; k++)
        is_state[g->state[k].i] = true;
    bool *is_free = arena_array(scratch, bool, s->var.n);
    Form form = residual_form(d, in_loop, is_state, is_free, &at, &sorted, scratch);
    at.is_form_wanted = parts & NEWTON_MATRIX;
    at.is_model = d->sensitivities ? variables_of_model(d, s->mem) : NULL;
    at.n_states = d->sensitivities ? sensitivities_states(d) : g->n_states;
    if (newton_view(&sorted, g, &d->loops, &at, &v, scratch)) {
        blocks = one_block(&v, scratch);
        /* where these equations cannot be solved the runtime's own matrix does it */
        v.sys->diags = diags_new(s->mem);
        is_state = arena_array(s->mem, bool, v.sys->var.n);
        for (uint32_t k = 0; k < g->n_states; k++)
            is_state[g->state[k].i] = true;
        Plan plan = {.source = {propose},
                     .form = &form,
                     .view = &v,
                     .at = &at,
                     .is_model = at.is_model,
                     .blocks = &blocks};
        Blt blt = {.sys = v.sys, .columns = v.structure, .blocks = blocks, .is_state = is_state};
        Orders orders = {.source = &plan.source};
        Solution solution;
        if (parts & NEWTON_MATRIX) {
            newton_matrix(&v, g, scratch);
            newton_form(&v, g, scratch);
        }
        if (!(parts & NEWTON_STEP))
            g->newton = v.newton;
        else if (solve(&blt, &orders, &solution, scratch) && solution.program.n_blocks == 0)
            newton_finish(&v, &solution.program, g);
        if (g->newton && v.right)
            newton_right_split(&v, d, scratch);
    }
    if (!g->newton)
        program_extend(g, n_before); // the variables added for it stay unused
    arena_rollback(scratch, mark);
}
