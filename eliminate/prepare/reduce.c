#include "eliminate/prepare/reduce.h"

#include "base/bug.h"
#include "eliminate/prepare/dependent_equations.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/inline_calls.h"
#include "eliminate/prepare/singular_report.h"
#include "eliminate/prepare/state_choice.h"
#include "eliminate/prepare/structural_check.h"
#include "eliminate/prepare/zero_factors.h"

#include <string.h>

/* ---- the differentiations found by graph/ ---- */

typedef VEC(uint32_t) Columns;

typedef enum Moving { MOVING_ALL, MOVING_DISCRETE, MOVING_CONTINUOUS } Moving;

static bool is_variable(const System *s, ExprId x, VarKind kind)
{
    return expr_op(s->pool, x) == OP_VAR && s->var.at[expr_var_of(s->pool, x).i].kind == kind;
}

/* Discrete variables do not move between events: the equations that give them are theirs alone, and
 * elsewhere they are known. v = ... gives the discrete v, but for v = x with a continuous x. */
static Moving moving_kind(const System *s, const Eq *e)
{
    bool left = is_variable(s, e->lhs, VAR_DISCRETE);
    bool right = is_variable(s, e->rhs, VAR_DISCRETE);
    if ((left && !is_variable(s, e->rhs, VAR_CONTINUOUS)) ||
        (right && !is_variable(s, e->lhs, VAR_CONTINUOUS)))
        return MOVING_DISCRETE;
    return MOVING_CONTINUOUS;
}

/* The nodes visited in an equation, by its stamp: second derivatives have up to a million nodes. */
typedef struct Visited {
    uint32_t *stamp; /* n, per node */
    uint32_t n, now;
} Visited;

/* False if it was visited before. */
static bool visit(Visited *v, ExprId x)
{
    if (v->stamp[x.i] == v->now)
        return false;
    v->stamp[x.i] = v->now;
    return true;
}

/* No node is visited; there is room for all of the pool. */
static void visited_clear(Visited *v, const ExprPool *p, Arena *mem)
{
    if (v->n < pool_size(p)) {
        v->n = 2 * pool_size(p);
        v->stamp = arena_array(mem, uint32_t, v->n);
        v->now = 0;
    }
    v->now++;
}

/* The columns of variables of that kind in x; where a call will use its derivative function,
 * arguments named noDerivative do not count. */
static void moving_columns(const System *s, const Map *column, ExprId x, Moving moving,
                           Visited *visited, Arena *mem, Columns *out)
{
    const ExprPool *p = s->pool;
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, x);
    while (stack.n) {
        ExprId y = stack.at[--stack.n];
        uint32_t n = expr_n_args(p, y);
        Op op = expr_op(p, y);
        if ((n == 0 && op != OP_VAR) || !visit(visited, y))
            continue;
        if (op == OP_VAR) {
            uint32_t c = map_get(column, expr_var_of(p, y).i);
            bool discrete = s->var.at[expr_var_of(p, y).i].kind == VAR_DISCRETE;
            if (c != MAP_NONE && (moving == MOVING_ALL || (moving == MOVING_DISCRETE) == discrete))
                vec_push(mem, *out, c);
            continue;
        }
        const bool *skip = NULL;
        if (op == OP_CALL) {
            const Function *f = &s->function->at[expr_func_of(p, y).i];
            skip = f->n_derivatives > 0 ? f->derivative[0].no_derivative : NULL;
        }
        for (uint32_t k = n; k > 0; k--)
            if (!skip || !skip[k - 1])
                vec_push(mem, stack, expr_arg(p, y, k - 1));
    }
}

static Map columns_of(const Structure *t, Arena *mem)
{
    Map column = map_with_room(t->n, mem);
    for (uint32_t k = 0; k < t->n; k++)
        map_put(&column, t->var[k].i, k);
    return column;
}

/* room: of *visited. */
static void equation_columns(const System *s, const Map *column, uint32_t e, Visited *visited,
                             Arena *room, Arena *mem, Columns *out)
{
    const Eq *eq = &s->eq.at[e];
    Moving moving = moving_kind(s, eq);
    for (;;) {
        visited_clear(visited, s->pool, room);
        moving_columns(s, column, eq->lhs, moving, visited, mem, out);
        moving_columns(s, column, eq->rhs, moving, visited, mem, out);
        if (out->n || moving == MOVING_ALL)
            return;
        moving = MOVING_ALL; /* v is given by an equation of another form */
    }
}

/* The structure t without variables that occur only in arguments that are not differentiated, those
 * named noDerivative (MLS 12.7.1). */
static Incidence moving_part(const System *s, const Structure *t, Arena *mem)
{
    Arena *tmp = arena_new();
    Map column = columns_of(t, tmp);
    IncidenceBuilder b = incidence_begin(mem, t->n);
    Visited visited = {0};
    visited_clear(&visited, s->pool, tmp);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        ArenaMark m = arena_mark(tmp);
        Columns found = {0};
        equation_columns(s, &column, e, &visited, tmp, tmp, &found);
        incidence_row(&b);
        for (uint32_t k = 0; k < found.n; k++)
            incidence_edge(&b, found.at[k], LABEL_OTHER, 0);
        arena_rollback(tmp, m);
    }
    arena_free(tmp);
    return incidence_done(&b);
}

/* The differentiations, carried out as they are asked for: new columns follow those of t, new
 * equations those of the System. */
typedef struct Reduction {
    System *s;
    Structure *t;
    Arena *mem;
    Differentiator d;
    VEC(VarId) var; /* per column */
    Map column;     /* VarId.i -> column */
    Map eq_group;   /* of an array of equations -> of their derivatives */
    Visited visited;
    bool is_trial; /* an expression without a derivative is no error */
} Reduction;

static Reduction reduction_new(System *s, Structure *t, bool is_trial, Arena *mem)
{
    Reduction r = {
        .s = s, .t = t, .mem = mem, .d = differentiator_time(s, mem), .is_trial = is_trial};
    r.column = columns_of(t, mem);
    r.eq_group = map_new(mem);
    for (uint32_t k = 0; k < t->n; k++)
        vec_push(mem, r.var, t->var[k]);
    return r;
}

static void reduction_add_var(void *self, uint32_t der_of)
{
    Reduction *r = self;
    VarId v = system_der(r->s, r->var.at[der_of]);
    var_at(r->s, v)->is_by_reduction = true;
    map_put(&r->column, v.i, r->var.n);
    vec_push(r->mem, r->var, v);
}

/* The derivatives of an array of equations are an array. */
static uint32_t derived_group(Reduction *r, uint32_t group)
{
    if (group == GROUP_NONE)
        return GROUP_NONE;
    uint32_t g = map_get(&r->eq_group, group);
    if (g == MAP_NONE) {
        g = system_new_group(r->s);
        map_put(&r->eq_group, group, g);
    }
    return g;
}

/* The columns of the derivative of equation eq_der_of; false when it has none (reported). */
static bool reduction_add_eq(void *self, uint32_t eq_der_of, Arena *mem, uint32_t *n,
                             const uint32_t **col)
{
    Reduction *r = self;
    System *s = r->s;
    Eq e = s->eq.at[eq_der_of];
    e.lhs = differentiate(&r->d, e.lhs);
    e.rhs = expr_exists(e.lhs) ? differentiate(&r->d, e.rhs) : EXPR_NONE;
    if (!expr_exists(e.rhs)) {
        if (r->is_trial)
            return false;
        diag_error(s->diags, e.span, "E03",
                   "this equation must be differentiated to reduce the index, but '%s' has no "
                   "derivative annotation and its algorithm cannot be expanded",
                   r->d.failed.s ? r->d.failed.s : "der");
        return false;
    }
    e.group = derived_group(r, e.group);
    e.der_of = 1 + eq_der_of;
    EqId id = system_add_eq(s, e);
    Columns found = {0};
    equation_columns(s, &r->column, id.i, &r->visited, r->mem, mem, &found);
    *n = found.n;
    *col = found.at;
    return true;
}

/* The structure of all equations over all columns. */
static void reduction_done(Reduction *r, const Pantelides *p)
{
    Structure *t = r->t;
    Arena *mem = r->s->mem;
    t->n = r->var.n;
    t->var = arena_array(mem, VarId, t->n);
    if (t->n > 0)
        memcpy(t->var, r->var.at, t->n * sizeof *t->var);
    t->column = arena_array(mem, uint32_t, r->s->var.n);
    memset(t->column, 0xff, r->s->var.n * sizeof *t->column); /* INC_NONE */
    for (uint32_t k = 0; k < t->n; k++)
        t->column[t->var[k].i] = k;
    if (p->ok)
        t->g = p->g;
}

/* ---- one attempt ---- */

/* Adds der(v) for variables with StateSelect.always (MLS 4.4.4.2) that no equation differentiates;
 * then the equation that gives v is differentiated. Not for a variable set by reinit alone: one
 * that an algebraic equation gives cannot be set. */
static void derive_states_asked_for(Dae *d)
{
    System *s = d->sys;
    uint32_t n = s->var.n;
    bool *is_set = arena_array(s->mem, bool, n);
    for (uint32_t k = 0; k < s->action.n; k++)
        if (var_exists(s->action.at[k].var))
            is_set[s->action.at[k].var.i] = true;
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &s->var.at[k];
        if (v->kind == VAR_CONTINUOUS && v->attr.select == STATE_ALWAYS && !is_set[k] &&
            !var_exists(v->der_of) && !expr_exists(alias_value(s, &d->aliases, (VarId){k})))
            system_der(s, (VarId){k});
    }
}

/* The derivative of another variable that x, up to its sign, is; VAR_NONE: it is none. */
static VarId derivative_in(const System *s, ExprId x)
{
    const ExprPool *p = s->pool;
    if (expr_op(p, x) == OP_NEG)
        x = expr_arg(p, x, 0);
    if (expr_op(p, x) != OP_VAR)
        return VAR_NONE;
    VarId v = expr_var_of(p, x);
    return var_exists(s->var.at[v.i].der_of) ? v : VAR_NONE;
}

/* StateSelect.prefer applies to variables that do not appear differentiated, too (MLS 4.9.7.1):
 *
 *     der(m) = w;  m = V*d;  d = rho(p);     p is preferred
 *
 * p is the state if m = V*d and d = rho(p) are differentiated. So these get a derivative: speeds,
 * v where v = der(x), and others as far as they then are states. */
typedef enum Preference { PREFERENCE_NONE, PREFERENCE_SPEED, PREFERENCE_OTHER } Preference;

static bool is_open_to_preference(Dae *d, VarId v)
{
    System *s = d->sys;
    const Var *it = &s->var.at[v.i];
    return it->kind == VAR_CONTINUOUS && it->attr.select == STATE_PREFER && !var_exists(it->der) &&
           !expr_exists(alias_value(s, &d->aliases, v));
}

/* Per variable; others: besides speeds. NULL: none. */
static uint8_t *find_preferences(Dae *d, bool others, Arena *mem)
{
    const System *s = d->sys;
    uint8_t *out = arena_array(mem, uint8_t, s->var.n + 1);
    bool any = false;
    for (uint32_t k = 0; others && k < s->var.n; k++)
        if (is_open_to_preference(d, (VarId){k}) && !var_exists(s->var.at[k].der_of)) {
            out[k] = PREFERENCE_OTHER;
            any = true;
        }
    for (uint32_t k = 0; k < s->eq.n; k++) {
        const Eq *e = &s->eq.at[k];
        bool left = var_exists(derivative_in(s, e->rhs)),
             right = var_exists(derivative_in(s, e->lhs));
        ExprId x = left ? e->lhs : e->rhs;
        if (left == right || expr_op(s->pool, x) != OP_VAR)
            continue;
        VarId v = expr_var_of(s->pool, x);
        if (is_open_to_preference(d, v)) {
            out[v.i] = PREFERENCE_SPEED;
            any = true;
        }
    }
    return any ? out : NULL;
}

/* Whether the derivative of an input is needed that is no input itself. */
static bool differentiates_inputs(const System *s)
{
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (v->kind == VAR_INPUT && var_exists(v->der) && s->var.at[v->der.i].kind != VAR_INPUT)
            return true;
    }
    return false;
}

/* States are chosen by the coefficients of constraints in their last derivatives. */
static void label_constraints(Dae *d)
{
    System *s = d->sys;
    Pantelides *p = &d->pantelides;
    Arena *tmp = arena_new();
    Sample sample = sample_new(s, tmp);
    bool *is_highest = arena_array(tmp, bool, s->var.n + 1);
    for (uint32_t v = 0; v < p->n_vars; v++)
        is_highest[d->structure.var[v].i] = p->der[v] == INC_NONE && p->der_of[v] != INC_NONE;
    Arena *row = arena_new();
    for (uint32_t e = 0; e < p->n_eqs; e++) {
        ArenaMark mark = arena_mark(row);
        if (p->eq_der[e] == INC_NONE && p->eq_der_of[e] != INC_NONE)
            structure_label(s, &sample, &d->structure, is_highest, e, &p->g, row);
        arena_rollback(row, mark);
    }
    arena_free(row);
    arena_free(tmp);
}

static bool attempt(Dae *d, bool is_trial)
{
    System *s = d->sys;
    Arena *mem = s->mem, *tmp = arena_new();
    derive_states_asked_for(d);
    bool *unknown = arena_array(tmp, bool, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        unknown[k] =
            var_is_unknown(&s->var.at[k]) && !expr_exists(alias_value(s, &d->aliases, (VarId){k}));
    d->structure = structure_of(s, unknown, mem);
    Structure *t = &d->structure;
    uint32_t *der = arena_array(tmp, uint32_t, t->n);
    for (uint32_t k = 0; k < t->n; k++) {
        VarId v = s->var.at[t->var[k].i].der;
        der[k] = var_exists(v) ? t->column[v.i] : INC_NONE;
    }
    Incidence moving = moving_part(s, t, tmp);
    Reduction reduction = reduction_new(s, t, is_trial, tmp);
    Differentiation how = {&reduction, reduction_add_var, reduction_add_eq};
    d->pantelides = pantelides_carry_out(&t->g, &moving, der, &how, mem);
    reduction_done(&reduction, &d->pantelides);
    if (d->pantelides.ok)
        label_constraints(d);
    bool ok = d->pantelides.ok && states_find(&d->pantelides, state_priorities(d, tmp), tmp).ok;
    arena_free(tmp);
    return ok;
}

/* The parts of the System that an attempt, and the expansion of calls after it, change. */
typedef struct Unreduced {
    Arena *mem; /* its own */
    uint32_t n_vars, n_eqs, n_memory;
    Var *var;
    Eq *eq;
} Unreduced;

static Unreduced *unreduced_keep(System *s)
{
    Arena *mem = arena_part(s->mem);
    Unreduced *f = arena_make(mem, Unreduced);
    *f = (Unreduced){mem,
                     s->var.n,
                     s->eq.n,
                     s->memory.n,
                     arena_array(mem, Var, s->var.n),
                     arena_array(mem, Eq, s->eq.n)};
    if (s->var.n > 0)
        memcpy(f->var, s->var.at, s->var.n * sizeof *f->var);
    if (s->eq.n > 0)
        memcpy(f->eq, s->eq.at, s->eq.n * sizeof *f->eq);
    return f;
}

/* Variables that an attempt has added from number n on. The pool keeps the variability of a number:
 * those of memory, which others must not have, stay as unused constants. */
static void drop_vars(System *s, uint32_t n)
{
    uint32_t end = s->var.n;
    while (end > n && s->var.at[end - 1].kind != VAR_MEMORY)
        end--;
    for (uint32_t k = n; k < end; k++) {
        Var v = var_plain(name_printf(s->names, "unused %u", k));
        v.kind = VAR_CONSTANT;
        v.binding = expr_int(s->pool, 0);
        v.is_hidden = true;
        v.span = s->var.at[k].span;
        s->var.at[k] = v;
    }
    s->var.n = end;
}

static void unreduced_restore(System *s, const Unreduced *f)
{
    if (f->n_vars > 0)
        memcpy(s->var.at, f->var, f->n_vars * sizeof *f->var);
    if (f->n_eqs > 0)
        memcpy(s->eq.at, f->eq, f->n_eqs * sizeof *f->eq);
    drop_vars(s, f->n_vars);
    s->eq.n = f->n_eqs;
    s->memory.n = f->n_memory;
    system_index_names(s);
}

/* ---- derivatives that delays alone read ---- */

/* The variables in x that are derivatives without a column; of each the order, and the variable
 * before the attempt that it is a derivative of. */
typedef struct Missing {
    VarId of;
    uint32_t order;
} Missing;

typedef VEC(Missing) AllMissing;

static void missing_in(Dae *d, ExprId x, uint32_t n_before, Map *seen, AllMissing *found)
{
    System *s = d->sys;
    const ExprPool *p = s->pool;
    VEC(ExprId) stack = {0};
    vec_push(s->mem, stack, x);
    while (stack.n) {
        ExprId y = stack.at[--stack.n];
        if (!map_add(seen, y.i))
            continue;
        for (uint32_t k = 0; k < expr_n_args(p, y); k++)
            vec_push(s->mem, stack, expr_arg(p, y, k));
        if (expr_op(p, y) != OP_VAR)
            continue;
        VarId v = expr_var_of(p, y);
        const Var *it = &s->var.at[v.i];
        if (it->kind != VAR_CONTINUOUS || !var_exists(it->der_of) ||
            d->structure.column[v.i] != INC_NONE || expr_exists(alias_value(s, &d->aliases, v)))
            continue;
        Missing m = {v, 0};
        for (; m.of.i >= n_before || m.order == 0; m.order++)
            m.of = s->var.at[m.of.i].der_of;
        vec_push(s->mem, *found, m);
    }
}

/* One attempt, and those after it: y = delay(w, T) has the derivative der(y) = delay(der(w), T), in
 * which der(w) stands in memory. No equation of the attempt contains it, and none determines it,
 * unless it exists before. w is no better a state than it was. */
static bool reduce_once(Dae *d, bool is_trial)
{
    enum { MOST = 10 };
    System *s = d->sys;
    bool has_delays = false;
    for (uint32_t k = 0; k < s->memory.n; k++)
        has_delays = has_delays || s->memory.at[k].kind == MEMORY_DELAY;
    if (!has_delays)
        return attempt(d, is_trial);
    for (int round = 0; round < MOST; round++) {
        const Unreduced *before = unreduced_keep(s);
        if (!attempt(d, is_trial))
            return false;
        AllMissing missing = {0};
        Map seen = map_new(s->mem);
        for (uint32_t k = before->n_memory; k < s->memory.n; k++)
            if (s->memory.at[k].kind == MEMORY_DELAY)
                missing_in(d, s->memory.at[k].of, before->n_vars, &seen, &missing);
        if (!missing.n)
            return true;
        unreduced_restore(s, before);
        for (uint32_t k = 0; k < missing.n; k++) {
            VarId v = missing.at[k].of;
            for (uint32_t order = 0; order < missing.at[k].order; order++) {
                Attributes *a = &var_at(s, v)->attr;
                a->select = a->select == STATE_DEFAULT ? STATE_AVOID : a->select;
                v = system_der(s, v);
            }
        }
    }
    return false;
}

/* ---- diagnostics ---- */

/* A variable in x that changes at events only, or NULL. */
static const Var *discrete_of(const System *s, ExprId x)
{
    if (expr_op(s->pool, x) == OP_VAR) {
        const Var *v = &s->var.at[expr_var_of(s->pool, x).i];
        return v->kind == VAR_DISCRETE ? v : NULL;
    }
    const Var *found = NULL;
    for (uint32_t k = 0; !found && k < expr_n_args(s->pool, x); k++)
        found = discrete_of(s, expr_arg(s->pool, x, k));
    return found;
}

static bool report_stopped(const Dae *d)
{
    const System *s = d->sys;
    const Eq *e = &s->eq.at[d->pantelides.stopped_at];
    const Var *discrete = NULL;
    /* it is a derivative by now, in which that variable is no more */
    for (uint32_t k = 0; k < s->eq.n && !discrete; k++) {
        const Eq *from = &s->eq.at[k];
        if (from->span.file != e->span.file || from->span.begin != e->span.begin)
            continue;
        discrete = discrete_of(s, from->lhs);
        discrete = discrete ? discrete : discrete_of(s, from->rhs);
    }
    if (diags_errors(s->diags) == 0 && discrete) {
        diag_error(s->diags, e->span, "S08",
                   "'%s' changes at events only, and this equation would have to give it a value "
                   "that changes all the time (MLS 3.8.5)",
                   discrete->name.s);
        diag_note(s->diags, discrete->span,
                  discrete->type == TYPE_REAL
                      ? "assign '%s' in a when-clause"
                      : "declare '%s' as Real, or make an Integer of the value by integer()",
                  discrete->name.s);
    }
    if (diags_errors(s->diags) == 0)
        diag_error(s->diags, s->eq.at[d->pantelides.stopped_at].span, "S08",
                   "index reduction finds no end at this equation");
    return false;
}

static bool report_singular(const Dae *d)
{
    System *s = d->sys;
    const Pantelides *p = &d->pantelides;
    const DulmagePart *over = &p->part.over;
    const DulmagePart *under = &p->part.under;
    const DulmagePart *part = over->n_eqs ? over : under;
    EqId *eq = arena_array(s->mem, EqId, part->n_eqs + 1);
    VarId *var = arena_array(s->mem, VarId, part->n_vars + 1);
    for (uint32_t k = 0; k < part->n_eqs; k++)
        eq[k] = (EqId){part->eq[k]};
    for (uint32_t k = 0; k < part->n_vars; k++)
        var[k] = d->structure.var[p->lead[part->var[k]]];
    SingularPart x = {part->n_eqs, part->n_vars, eq, var, NULL};
    x.size =
        arena_printf(s->mem, "%u unknowns, once aliases and constants are removed", part->n_vars);
    if (over->n_eqs)
        report_too_many(s, &x, eq[0]);
    else
        report_no_level(s, &x, s->mem);
    for (uint32_t k = 0; over->n_eqs && k < under->n_vars && k < 8; k++) {
        const Var *v = var_at(s, d->structure.var[p->lead[under->var[k]]]);
        diag_note(s->diags, v->span, "nothing determines '%s'", v->name.s);
    }
    structural_note_loops(d);
    return false;
}

bool reduce_index_inlined(Dae *d, Arena *scratch)
{
    const Unreduced *before = d->unreduced;
    if (!before || diags_errors(d->sys->diags) > 0)
        return false;
    d->unreduced = NULL;
    unreduced_restore(d->sys, before);
    inline_equations(d->sys, scratch);
    return reduce_once(d, false);
}

/* Replaces equations that depend on others of their loop by the combinations without the loop's
 * unknowns, until there are none. If index reduction does not terminate with these, or the rest
 * does not determine all unknowns, the model is restored. */
static void replace_dependent(Dae *d, Arena *scratch)
{
    enum { ROUNDS = 50 };
    System *s = d->sys;
    const Unreduced *whole = d->unreduced;
    bool good = true;
    uint32_t errors = diags_errors(s->diags);
    for (int round = 0; good && round < ROUNDS; round++) {
        Replacements it = dependent_find(d, scratch);
        if (it.n == 0)
            return;
        unreduced_restore(s, d->unreduced);
        for (uint32_t k = 0; k < it.n; k++) {
            s->eq.at[it.at[k].eq.i].lhs = it.at[k].lhs;
            s->eq.at[it.at[k].eq.i].rhs = it.at[k].rhs;
        }
        d->unreduced = unreduced_keep(s);
        good = reduce_once(d, false);
    }
    if (good || diags_errors(s->diags) > errors)
        return;
    d->unreduced = (Unreduced *)whole;
    unreduced_restore(s, whole);
    reduce_once(d, false);
}

/* ---- derivatives with a factor of zero ---- */

/* How many states there are. */
static uint32_t freedom(const Dae *d)
{
    return d->pantelides.ok ? d->pantelides.n_vars - d->pantelides.n_eqs : UINT32_MAX;
}

/* Reduces the index without these products; false, and the model is as it was, where there are as
 * many states as before and no linear equations that depend on each other, n_dependent before. */
static bool reduce_without(Dae *d, const ZeroFactorsList *zero, uint32_t n_dependent,
                           Arena *scratch)
{
    System *s = d->sys;
    Unreduced *whole = d->unreduced;
    uint32_t before = freedom(d), n_errors = diags_errors(s->diags);
    const size_t size = d->aliases.n * sizeof *d->aliases.value;
    ExprId *aliases = arena_array(scratch, ExprId, d->aliases.n + (size_t)1);
    if (size > 0)
        memcpy(aliases, d->aliases.value, size);
    unreduced_restore(s, whole);
    zero_factors_put_in(d, zero);
    d->unreduced = unreduced_keep(s);
    if (reduce_once(d, true) && (freedom(d) < before || dependent_find(d, scratch).n > n_dependent))
        return true;
    if (diags_errors(s->diags) > n_errors)
        bug("an attempt to reduce the index has reported an error");
    d->unreduced = whole;
    unreduced_restore(s, whole);
    if (size > 0)
        memcpy(d->aliases.value, aliases, size);
    reduce_once(d, false);
    return false;
}

/* Takes out products whose factors are zero, in equations that have lost by it what they determine;
 * then, where linear equations depend on each other by it, in all others. */
static void take_zeros_out(Dae *d, Arena *scratch)
{
    enum { ROUNDS = 10 };
    System *s = d->sys;
    uint32_t n = d->unreduced->n_eqs;
    for (int round = 0; round < ROUNDS; round++) {
        ZeroFactorsList all = zero_factors_find(s, n, scratch);
        if (all.n == 0)
            return;
        ZeroFactorsList some = zero_factors_that_determine(d, &all, scratch);
        bool is_structural = some.n > 0 && reduce_without(d, &some, UINT32_MAX, scratch);
        const ZeroFactorsList *taken = is_structural ? &some : &all;
        if (!is_structural && !reduce_without(d, &all, dependent_find(d, scratch).n, scratch))
            return;
        zero_factors_settle(d, taken, scratch);
        for (uint32_t k = 0; k < d->unreduced->n_vars; k++) {
            Var *before = &d->unreduced->var[k];
            before->is_final = s->var.at[k].is_final;
            before->is_settled = s->var.at[k].is_settled;
            before->is_taken_for_zero = s->var.at[k].is_taken_for_zero;
        }
    }
}

/* Index reduction with derivatives of preferred variables. */
typedef struct Preferring {
    Dae *d;
    const Unreduced *plain;
    const uint8_t *preference;
    bool *is_taken;      /* per variable: gets a derivative       */
    bool is_reduced;     /* the model is, with those that were taken */
    uint32_t n_attempts; /* that are left */
} Preferring;

static void restore_plain(Preferring *it)
{
    if (!it->is_reduced)
        return;
    it->is_reduced = false;
    arena_free(it->d->unreduced->mem);
    unreduced_restore(it->d->sys, it->plain);
}

/* Reduces the index with those taken. */
static bool reduce_with_taken(Preferring *it)
{
    Dae *d = it->d;
    restore_plain(it);
    for (uint32_t k = 0; k < it->plain->n_vars; k++)
        if (it->is_taken[k])
            var_at(d->sys, system_der(d->sys, (VarId){k}))->is_by_preference = true;
    d->unreduced = unreduced_keep(d->sys);
    it->is_reduced = true;
    if (reduce_once(d, true) && !differentiates_inputs(d->sys))
        return true;
    restore_plain(it);
    return false;
}

/* Takes the preferences of variables from .. to, or of those among them with which all equations
 * that must be differentiated have derivatives. */
static void take_preferences(Preferring *it, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t k = from; k < to; k++) {
        it->is_taken[k] = it->preference[k] != PREFERENCE_NONE;
        n += it->is_taken[k];
    }
    if (n == 0 || (it->n_attempts-- > 0 && reduce_with_taken(it)))
        return;
    memset(it->is_taken + from, 0, (to - from) * sizeof *it->is_taken);
    if (n == 1 || it->n_attempts == 0)
        return;
    uint32_t middle = from;
    for (uint32_t half = 0; half < n / 2; middle++)
        half += it->preference[middle] != PREFERENCE_NONE;
    take_preferences(it, from, middle);
    if (it->n_attempts > 0)
        take_preferences(it, middle, to);
}

/* Whether variable k is preferred, differentiated for that alone, and no speed. */
static bool is_other_taken(const Preferring *it, uint32_t k)
{
    return it->is_taken[k] && it->preference[k] == PREFERENCE_OTHER;
}

/* Takes no derivatives of variables that are no states with them, but for speeds; nor of the other
 * elements of their arrays: where the equations' own preferred variables leave one state of a
 * vector of two currents, a single one, in a frame that turns, determines nothing at some angles.
 * How many.
 */
static uint32_t leave_others(Preferring *it)
{
    Dae *d = it->d;
    const uint32_t n = it->plain->n_vars;
    Arena *tmp = arena_new();
    bool *is_state = arena_array(tmp, bool, n + 1);
    if (it->is_reduced) {
        States states = states_find(&d->pantelides, state_priorities(d, tmp), tmp);
        for (uint32_t k = 0; k < states.n; k++) {
            VarId v = d->structure.var[states.state[k]];
            if (v.i < n)
                is_state[v.i] = true;
        }
    }
    Map incomplete = map_new(tmp); // arrays
    for (uint32_t k = 0; k < n; k++)
        if (is_other_taken(it, k) && !is_state[k] && d->sys->var.at[k].group != GROUP_NONE)
            map_add(&incomplete, d->sys->var.at[k].group);
    uint32_t left = 0;
    for (uint32_t k = 0; k < n; k++)
        if (is_other_taken(it, k) &&
            (!is_state[k] || map_get(&incomplete, d->sys->var.at[k].group) != MAP_NONE)) {
            it->is_taken[k] = false;
            left++;
        }
    arena_free(tmp);
    return left;
}

/* Reduces the index with derivatives of preferred variables. False: there are none, and the model
 * is as it was. */
static bool reduce_preferred(Dae *d, const Unreduced *plain, bool others, Arena *scratch)
{
    enum { ATTEMPTS = 16 };
    const uint32_t n = plain->n_vars;
    Preferring it = {.d = d,
                     .plain = plain,
                     .preference = find_preferences(d, others, scratch),
                     .n_attempts = ATTEMPTS};
    if (!it.preference)
        return false;
    it.is_taken = arena_array(scratch, bool, n + 1);
    take_preferences(&it, 0, n);
    for (;;) {
        bool any = false;
        for (uint32_t k = 0; k < n; k++)
            any = any || it.is_taken[k];
        bool good = any && (it.is_reduced || reduce_with_taken(&it));
        if (leave_others(&it) == 0) {
            if (!good)
                restore_plain(&it);
            for (uint32_t k = 0; good && k < n; k++)
                d->has_preferred |= it.is_taken[k] && it.preference[k] == PREFERENCE_OTHER;
            return good;
        }
        restore_plain(&it);
    }
}

/* The model before index reduction. Where there are preferred variables besides speeds, equations
 * that depend on each other are replaced before these are weighed: of a machine whose currents sum
 * to zero, their sum is preferred, and no state. */
static Unreduced *prepare(Dae *d, bool others, Arena *scratch)
{
    System *s = d->sys;
    Unreduced *plain = unreduced_keep(s);
    const uint8_t *preference = find_preferences(d, others, scratch);
    bool any = false;
    for (uint32_t k = 0; preference && k < plain->n_vars; k++)
        any = any || preference[k] == PREFERENCE_OTHER;
    if (!any)
        return plain;
    d->unreduced = plain;
    if (reduce_once(d, true)) {
        take_zeros_out(d, scratch);
        replace_dependent(d, scratch);
    }
    unreduced_restore(s, d->unreduced);
    return d->unreduced;
}

static bool reduce(Dae *d, bool others, Arena *scratch)
{
    System *s = d->sys;
    zero_factors_mark(s, scratch);
    zero_factors_drop_rates(d);
    Unreduced *plain = prepare(d, others, scratch);
    bool good = reduce_preferred(d, plain, others, scratch);
    if (good) {
        arena_free(plain->mem);
    } else {
        d->unreduced = plain;
        good = reduce_once(d, false);
    }
    /* loops may be closed through arguments that are not differentiated: then the algorithms
     * themselves are */
    if (!good) {
        reduce_index_inlined(d, scratch);
    } else {
        take_zeros_out(d, scratch);
        replace_dependent(d, scratch);
    }
    if (s->function->n == 0 && d->unreduced) {
        arena_free(d->unreduced->mem);
        d->unreduced = NULL;
    }
    const Pantelides *p = &d->pantelides;
    return p->ok ? true : p->stopped ? report_stopped(d) : report_singular(d);
}

bool reduce_index(Dae *d, Arena *scratch)
{
    return reduce(d, true, scratch);
}

bool reduce_index_as_written(Dae *d, Arena *scratch)
{
    return reduce(d, false, scratch);
}

bool reduce_check(const Dae *d)
{
    const System *s = d->sys;
    const Pantelides *p = &d->pantelides;
    const Structure *t = &d->structure;
    Incidence before = {.n_rows = p->n_old_eqs, .n_cols = p->n_old_vars};
    if (!p->ok || !pantelides_check(p, &before) || p->n_eqs != s->eq.n || p->n_vars != t->n)
        return false;
    for (uint32_t k = 0; k < p->n_vars; k++) {
        VarId der = s->var.at[t->var[k].i].der;
        if (t->column[t->var[k].i] != k || (p->der[k] != INC_NONE && t->var[p->der[k]].i != der.i))
            return false;
    }
    return true;
}

void reduce_print(Dae *d, FILE *f)
{
    dae_print(d, false, f);
    fprintf(f, "// %u equations differentiated, %u times at most\n",
            d->pantelides.n_eqs - d->pantelides.n_old_eqs, d->pantelides.max_diffs);
}
