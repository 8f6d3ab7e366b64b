#include "eliminate/solve.h"

#include "base/bug.h"
#include "eliminate/differentiate.h"
#include "eliminate/matrix.h"

typedef struct Solver {
    System *s;
    Arena *scratch; /* whole pass  */
    Arena *tmp;     /* one block   */
    OrderSource order;
    void *order_data;
    bool *is_unknown; /* of the block at work */
    ExprId *value;    /* per variable         */
    Substitution values;
    Sample sample;
    VEC(Pivot) pivot;
    VEC(NonlinearBlock) block;
    VEC(BlockReport) report;
    uint32_t n_explicit;
    bool ok;
} Solver;

static ExprId residual_of(const System *s, EqId e)
{
    const Eq *q = &s->eq.at[e.i];
    return expr_sub(s->pool, q->lhs, q->rhs);
}

/* Pivots that are numbers cannot vanish at run time. */
static void note_pivot(Solver *w, ExprId value, EqId eq, VarId var)
{
    if (expr_is_num(w->s->pool, value))
        return;
    Pivot p = {value, eq, var};
    vec_push(w->scratch, w->pivot, p);
}

static void report_singular(Solver *w, uint32_t n, const EqId *eq, const VarId *var,
                            const char *why)
{
    System *s = w->s;
    diag_error(s->diags, s->eq.at[eq[0].i].span, "E01",
               "the algebraic loop of %u equation%s for %s%s is singular: %s", n, n > 1 ? "s" : "",
               s->var.at[var[0].i].name.s, n > 1 ? ", ..." : "", why);
    for (uint32_t k = 1; k < n && k < 6; k++)
        diag_note(s->diags, s->eq.at[eq[k].i].span, "with this equation, for %s",
                  s->var.at[var[k].i].name.s);
    w->ok = false;
}

static void solve_explicit(Solver *w, EqId eq, VarId v, const LinearForm *f)
{
    ExprPool *p = w->s->pool;
    note_pivot(w, f->coeff[0], eq, v);
    w->value[v.i] = expr_neg(p, expr_div(p, f->rest, f->coeff[0]));
    w->n_explicit++;
}

/* One linear block in one order. False with a reason if a pivot is zero. */
static bool eliminate_in(Solver *w, uint32_t n, const EqId *eq, const VarId *var,
                         const LinearForm *form, const Order *o, bool may_swap, BlockReport *r,
                         const char *name)
{
    System *s = w->s;
    Map column = map_new(w->tmp);
    for (uint32_t k = 0; k < n; k++)
        map_put(&column, var[o->var[k]].i, k);
    Matrix m = matrix_new(s->pool, n, w->tmp);
    for (uint32_t k = 0; k < n; k++) {
        const LinearForm *f = &form[o->eq[k]];
        for (uint32_t i = 0; i < f->n; i++)
            matrix_set(&m, k, map_get(&column, f->var[i].i), f->coeff[i]);
        m.rhs[k] = expr_neg(s->pool, f->rest);
    }
    uint32_t reached = matrix_eliminate(&m, &w->sample, may_swap);
    if (reached < n) {
        r->why = arena_printf(s->mem, "%s: zero pivot at step %u of %u, for %s", name, reached + 1,
                              n, s->var.at[var[o->var[m.column[reached]]].i].name.s);
        return false;
    }
    ExprId *x = arena_array(w->tmp, ExprId, n);
    matrix_solve(&m, x);
    for (uint32_t k = 0; k < n; k++) {
        w->value[var[o->var[k]].i] = x[k];
        note_pivot(w, m.pivot[k], eq[o->eq[k]], var[o->var[m.column[k]]]);
    }
    r->order = name;
    r->n_torn = o->n_torn;
    r->fill = m.fill;
    r->swaps = m.swaps;
    return true;
}

/* The proposals one after the other; if each has a zero pivot, the first once more, with columns
 * exchanged where needed. */
static bool solve_linear(Solver *w, uint32_t n, const EqId *eq, const VarId *var,
                         const LinearForm *form)
{
    System *s = w->s;
    Incidence g = structure_of_block(s, &w->sample, n, eq, var, form, w->tmp);
    BlockReport r = {.kind = BLOCK_LINEAR, .n = n, .nonzeros = g.n_edges, .order = ""};
    Order first = {0};
    const char *first_name = NULL;
    bool solved = false;
    for (uint32_t attempt = 0; !solved; attempt++) {
        Order o = {0};
        const char *name = "";
        if (!w->order(w->order_data, &g, attempt, w->tmp, &o, &name))
            break;
        if (o.why) {
            r.why = arena_printf(s->mem, "%s: %s", name, o.why);
            continue;
        }
        if (!first_name) {
            first = o;
            first_name = name;
        }
        solved = eliminate_in(w, n, eq, var, form, &o, false, &r, name);
    }
    if (!solved && first_name)
        solved = eliminate_in(w, n, eq, var, form, &first, true, &r, first_name);
    if (!solved) {
        report_singular(w, n, eq, var, r.why ? r.why : "no order of elimination exists");
        return false;
    }
    VarId *vars = arena_array(s->mem, VarId, n);
    EqId *eqs = arena_array(s->mem, EqId, n);
    memcpy(vars, var, sizeof(VarId) * n);
    memcpy(eqs, eq, sizeof(EqId) * n);
    r.var = vars;
    r.eq = eqs;
    vec_push(w->scratch, w->report, r);
    return true;
}

/* Entry (row, column) of the Jacobian where the residual contains the unknown. */
static bool newton_jacobian(Solver *w, NonlinearBlock *b)
{
    System *s = w->s;
    VEC(uint32_t) row = {0};
    VEC(ExprId) entry = {0};
    uint32_t *start = arena_array(s->mem, uint32_t, b->n + 1);
    for (uint32_t c = 0; c < b->n; c++) {
        Differentiator d = differentiator_partial(s, b->unknown[c], w->tmp);
        for (uint32_t k = 0; k < b->n; k++) {
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
    return true;
}

/* The pairs before the torn part are solved one after another, the rest is left to Newton. */
static bool solve_nonlinear(Solver *w, uint32_t n, const EqId *eq, const VarId *var,
                            const LinearForm *form)
{
    System *s = w->s;
    Incidence g = structure_of_block(s, &w->sample, n, eq, var, form, w->tmp);
    Order o = {0};
    const char *name = "";
    bool torn = n > 1 && w->order(w->order_data, &g, UINT32_MAX, w->tmp, &o, &name) && !o.why;
    uint32_t inner = torn ? n - o.n_torn : 0;
    for (uint32_t k = 0; k < n; k++)
        w->is_unknown[var[k].i] = false;
    for (uint32_t k = 0; k < inner; k++) {
        VarId v = var[o.var[k]];
        EqId e = eq[o.eq[k]];
        w->is_unknown[v.i] = true;
        LinearForm f = linear_form(s, w->is_unknown, &w->values, residual_of(s, e), w->tmp);
        w->is_unknown[v.i] = false;
        if (!f.is_linear || f.n != 1)
            bug("tearing solves equation %u for '%s', in which it is not linear", e.i,
                s->var.at[v.i].name.s);
        note_pivot(w, f.coeff[0], e, v);
        w->value[v.i] = expr_neg(s->pool, expr_div(s->pool, f.rest, f.coeff[0]));
    }
    NonlinearBlock b = {.n = n - inner};
    VarId *unknown = arena_array(s->mem, VarId, b.n);
    EqId *eqs = arena_array(s->mem, EqId, b.n);
    ExprId *residual = arena_array(s->mem, ExprId, b.n);
    for (uint32_t k = 0; k < b.n; k++) {
        unknown[k] = torn ? var[o.var[inner + k]] : var[k];
        eqs[k] = torn ? eq[o.eq[inner + k]] : eq[k];
        residual[k] = expr_substitute(s->pool, &w->values, residual_of(s, eqs[k]));
    }
    b.unknown = unknown;
    b.eq = eqs;
    b.residual = residual;
    if (!newton_jacobian(w, &b))
        return false;
    vec_push(w->scratch, w->block, b);
    BlockReport r = {.kind = BLOCK_NONLINEAR,
                     .n = n,
                     .n_torn = b.n,
                     .nonzeros = g.n_edges,
                     .order = torn ? name : "",
                     .var = unknown,
                     .eq = eqs};
    vec_push(w->scratch, w->report, r);
    return true;
}

static bool solve_block(Solver *w, uint32_t n, const EqId *eq, const VarId *var)
{
    System *s = w->s;
    for (uint32_t k = 0; k < n; k++)
        w->is_unknown[var[k].i] = true;
    LinearForm *form = arena_array(w->tmp, LinearForm, n);
    bool linear = true;
    for (uint32_t k = 0; k < n; k++) {
        form[k] = linear_form(s, w->is_unknown, &w->values, residual_of(s, eq[k]), w->tmp);
        linear = linear && form[k].is_linear;
    }
    bool ok = true;
    if (linear && n == 1 && form[0].n == 0) {
        report_singular(w, n, eq, var, "the unknown drops out");
        ok = false;
    } else if (linear && n == 1) {
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

/* Every variable's value over states, parameters, inputs and block unknowns. */
static void finish(Solver *w, const bool *is_state, Solution *out)
{
    System *s = w->s;
    Program *g = &out->program;
    ExprId *value = arena_array(s->mem, ExprId, s->var.n);
    VEC(VarId) state = {0};
    VEC(ExprId) derivative = {0};
    VEC(ExprId) start = {0};
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
    }
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
                   .n_assertions = s->assertion.n,
                   .assertion = assertion};
    out->n_reports = w->report.n;
    out->report = w->report.at;
    out->n_explicit = w->n_explicit;
}

bool solve(System *s, const Blocks *blocks, const VarId *var, const ExprId *alias, uint32_t n_alias,
           const bool *is_state, OrderSource order, void *order_data, Solution *out, Arena *scratch)
{
    Solver w = {.s = s,
                .scratch = s->mem,
                .tmp = arena_new(),
                .order = order,
                .order_data = order_data,
                .ok = true};
    uint32_t n = s->var.n;
    w.sample = sample_new(s, scratch);
    w.is_unknown = arena_array(scratch, bool, n);
    w.value = arena_array(scratch, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        w.value[k] = EXPR_NONE;
    w.values = (Substitution){.value = w.value, .n = n, .mem = scratch};
    for (uint32_t b = 0; b < blocks->n && w.ok; b++) {
        uint32_t first = blocks->begin[b];
        uint32_t size = blocks->begin[b + 1] - first;
        ArenaMark m = arena_mark(w.tmp);
        EqId *eq = arena_array(w.tmp, EqId, size);
        VarId *v = arena_array(w.tmp, VarId, size);
        for (uint32_t k = 0; k < size; k++) {
            eq[k] = (EqId){blocks->eq[first + k]};
            v[k] = var[blocks->var[first + k]];
        }
        w.ok = solve_block(&w, size, eq, v) && w.ok;
        arena_rollback(w.tmp, m);
    }
    /* by now the variables that removed ones are aliases of have their values */
    if (w.ok) {
        for (uint32_t k = 0; k < s->var.n && k < n_alias; k++) {
            if (expr_exists(alias[k]) && !expr_exists(w.value[k]))
                w.value[k] = expr_substitute(s->pool, &w.values, alias[k]);
        }
        substitution_forget(&w.values);
        finish(&w, is_state, out);
    }
    arena_free(w.tmp);
    return w.ok;
}
