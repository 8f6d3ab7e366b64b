#include "eliminate/prepare/sensitivity.h"

#include "base/text.h"
#include "eliminate/block/linear_form.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/events.h"
#include "eliminate/prepare/nonsmooth.h"
#include "eliminate/prepare/objective.h"
#include "eliminate/prepare/occurrence.h"

#include <math.h>
#include <string.h>

typedef struct Work {
    Dae *d;
    System *s;
    Arena *scratch;
    const SensitivityChoice *choice;
    uint32_t n_vars, n_eqs, n_initial, n_memory;
    uint32_t n_constraints, n_massless; /* of loops that are cut */
    VEC(VarId) by;                      /* parameters, or variables whose start value is meant */
    VEC(const char *) name;
    bool *is_continuous, *is_discrete; /* per variable; is_discrete: a Real                 */
    uint32_t *pre;                     /* per variable: the memory of pre(v), or UINT32_MAX */
    ExprId *along;                     /* per variable, of the direction at work */
    ExprId time;                       /* along it, that of time; EXPR_NONE: 0   */
    const char *direction;             /* its name, "" along time */
    bool *is_left_out;    /* per variable: it has no derivative, and nothing depends on it    */
    bool *eq_is_left_out; /* per equation: that of such a variable                            */
    uint32_t kink_at;     /* an equation with a kink that makes no event; UINT32_MAX: none    */
    Differentiator diff;
} Work;

static bool is_start(const Work *w, uint32_t j)
{
    return w->s->var.at[w->by.at[j].i].kind != VAR_PARAMETER;
}

/* ---- chosen parameters ---- */

/* The variables of which a final parameter is a function, as text; NULL: none. */
static const char *follows_from(const Work *w, const Var *v)
{
    enum { MOST = 3 };
    System *s = w->s;
    if (!v->is_final || !expr_exists(v->binding))
        return NULL;
    bool *any = arena_array(w->scratch, bool, s->var.n + 1);
    memset(any, true, s->var.n * sizeof *any);
    VarId *found;
    uint32_t n = unknowns_of(s, any, v->binding, MOST, w->scratch, &found);
    Text t = text_new(w->scratch);
    for (uint32_t k = 0; k < n && k < MOST; k++)
        text_printf(&t, "%s'%s'", k ? ", " : "", s->var.at[found[k].i].name.s);
    if (n > MOST)
        text_put(&t, " and others");
    return n ? t.at : NULL;
}

static bool no_parameter(const Work *w, const char *pattern, const Var *v)
{
    const char *what = "it is final or used for the structure of the model", *of;
    if (!v)
        what = "the model has no such parameter";
    else if (v->type != TYPE_REAL)
        what = "it is no Real";
    else if (v->kind != VAR_PARAMETER)
        what = "it is no parameter; x.start means the start value of a variable x";
    else if ((of = follows_from(w, v)) != NULL)
        what = arena_printf(w->scratch, "it is final, and follows from %s", of);
    diag_error(w->s->diags, v ? v->span : SPAN_NONE, "S11", "no derivatives by '%s': %s", pattern,
               what);
    return false;
}

/* x of "x.start", if there is one that moves. */
static VarId start_of(const Work *w, const char *pattern)
{
    static const char end[] = ".start";
    size_t n = strlen(pattern), m = sizeof end - 1;
    if (n <= m || strcmp(pattern + n - m, end) != 0)
        return VAR_NONE;
    VarId v = system_find_var(w->s, name_of(w->s->names, arena_copy(w->scratch, pattern, n - m)));
    bool moves = var_exists(v) && w->s->var.at[v.i].kind == VAR_CONTINUOUS &&
                 w->s->var.at[v.i].type == TYPE_REAL;
    return moves ? v : VAR_NONE;
}

static void choose(Work *w, VarId v, const char *name)
{
    for (uint32_t k = 0; k < w->by.n; k++)
        if (w->by.at[k].i == v.i)
            return;
    vec_push(w->s->mem, w->by, v);
    vec_push(w->s->mem, w->name, name);
}

static bool choose_all(Work *w, const char *pattern)
{
    const Var *found = NULL;
    bool any = false;
    for (uint32_t k = 0; k < w->n_vars; k++) {
        const Var *v = &w->s->var.at[k];
        if (v->is_hidden || !w->choice->means(pattern, v->name.s))
            continue;
        found = v;
        if (v->kind != VAR_PARAMETER || v->type != TYPE_REAL || v->is_final)
            continue;
        choose(w, (VarId){k}, v->name.s);
        any = true;
    }
    VarId start = any ? VAR_NONE : start_of(w, pattern);
    if (var_exists(start))
        choose(w, start, arena_printf(w->s->mem, "%s", pattern));
    return any || var_exists(start) || no_parameter(w, pattern, found);
}

/* Whether there is something to find, and something that it is asked of. */
static bool asks_something(const Work *w)
{
    bool any = !w->choice->of;
    for (uint32_t k = 0; k < w->n_vars && !any; k++)
        any = !w->s->var.at[k].is_hidden && w->choice->means(w->choice->of, w->s->var.at[k].name.s);
    if (!any)
        diag_error(w->s->diags, SPAN_NONE, "S11", "no derivatives of '%s': nothing is called so",
                   w->choice->of);
    if (!w->choice->n)
        diag_error(w->s->diags, SPAN_NONE, "S11", "no parameter is named to take derivatives by");
    return any && w->choice->n > 0;
}

/* ---- expressions without a derivative ---- */

static bool refuse(const Work *w, Span span, const char *what)
{
    diag_error(w->s->diags, span, "S12", "no derivatives by parameters: %s", what);
    return false;
}

static const char JUMP[] =
    "here a value may jump where no event is made, as by sign() or by noEvent() around a relation; "
    "smooth(0, ...) says that it does not";

/* The variable v of v = an expression, or the like; VAR_NONE: none. */
static VarId defined_by(const Work *w, const Eq *e)
{
    const System *s = w->s;
    const ExprId side[] = {e->lhs, e->rhs};
    for (int i = 0; i < 2; i++) {
        if (expr_op(s->pool, side[i]) != OP_VAR)
            continue;
        VarId v = expr_var_of(s->pool, side[i]);
        const Var *x = &s->var.at[v.i];
        if (x->kind == VAR_CONTINUOUS && !var_exists(x->der) && !var_exists(x->der_of))
            return v;
    }
    return VAR_NONE;
}

static bool is_asked(const Work *w, VarId v)
{
    const Var *x = &w->s->var.at[v.i];
    return (w->choice->of && w->choice->means(w->choice->of, x->name.s)) ||
           (w->choice->has_outputs && x->is_output);
}

static void warn_of_left_out(const Work *w, uint32_t n, VarId first, Span span)
{
    if (w->choice->of)
        return;
    diag_warning(w->s->diags, span, "S13",
                 "no derivatives by parameters of '%s'%s: a value may jump here where no event is "
                 "made; nothing else depends on it",
                 w->s->var.at[first.i].name.s,
                 n > 1 ? arena_printf(w->scratch, " and %u more variables", n - 1) : "");
}

/* Discrete variables of an equation that holds at events, the one that it determines first: 0 if it
 * is an equation of continuous ones. A clocked equation may be an implicit one,
 * (if ticks then a*v - b else v - pre(v)) = 0, of all discrete variables in it. */
static uint32_t discretes_of(const Work *w, const Eq *e, VarId **out)
{
    enum { MOST = 2 };
    const System *s = w->s;
    const ExprId side[MOST] = {e->lhs, e->rhs};
    uint32_t n = 0;
    VarId *found = arena_array(w->scratch, VarId, MOST);
    *out = found;
    for (int k = 0; k < MOST; k++) {
        if (expr_op(s->pool, side[k]) != OP_VAR)
            continue;
        const VarId v = expr_var_of(s->pool, side[k]);
        if (s->var.at[v.i].kind == VAR_CONTINUOUS)
            return 0; // it is given the value of a discrete one
        if (s->var.at[v.i].kind == VAR_DISCRETE)
            found[n++] = v;
    }
    if (n || expr_op(s->pool, e->lhs) != OP_SELECT || !expr_is(s->pool, e->rhs, 0))
        return n;
    if (unknowns_of(s, w->is_continuous, e->lhs, 0, w->scratch, &found) > 0)
        return 0;
    return unknowns_of(s, w->is_discrete, e->lhs, w->n_vars, w->scratch, out);
}

static bool may_jump(Nonsmooth *n, const Eq *e)
{
    return nonsmooth_may_jump(n, e->lhs) || nonsmooth_may_jump(n, e->rhs);
}

static bool may_bend(Nonsmooth *n, const Eq *e)
{
    return nonsmooth_may_bend(n, e->lhs) || nonsmooth_may_bend(n, e->rhs);
}

/* Variables of an equation. */
static uint32_t variables_of(const Work *w, const Eq *e, VarId **out)
{
    System *s = w->s;
    VarId *of[2];
    const uint32_t n = unknowns_of(s, w->is_continuous, e->lhs, s->var.n, w->scratch, &of[0]);
    const uint32_t m = unknowns_of(s, w->is_continuous, e->rhs, s->var.n, w->scratch, &of[1]);
    *out = arena_array(w->scratch, VarId, n + m + 1);
    memcpy(*out, of[0], n * sizeof **out);
    memcpy(*out + n, of[1], m * sizeof **out);
    return n + m;
}

/* Of the marked equations, those that define a variable which only such equations read are
 * unmarked, and marked in `alone`; keeps_asked: not those of variables that are asked for. */
static void set_apart(const Work *w, bool keeps_asked, bool *marked, bool *alone)
{
    const System *s = w->s;
    uint32_t *by = arena_array(w->scratch, uint32_t, s->var.n + 1); /* the equation; UINT32_MAX */
    VEC(uint32_t) needed = {0};
    memset(by, 0xff, s->var.n * sizeof *by);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        const VarId v = marked[k] ? defined_by(w, &s->eq.at[k]) : VAR_NONE;
        alone[k] = var_exists(v) && by[v.i] == UINT32_MAX && !(keeps_asked && is_asked(w, v));
        if (alone[k])
            by[v.i] = k;
        marked[k] = marked[k] && !alone[k];
    }
    const bool *occurs = occurrence_find(w->d, alone, w->scratch);
    for (uint32_t v = 0; v < s->var.n; v++)
        if (by[v] != UINT32_MAX && occurs[v])
            vec_push(w->scratch, needed, v);
    while (needed.n) {
        const uint32_t v = needed.at[--needed.n], k = by[v];
        VarId *of;
        if (!alone[k])
            continue;
        alone[k] = false;
        marked[k] = true;
        for (uint32_t n = variables_of(w, &s->eq.at[k], &of); n > 0; n--)
            if (by[of[n - 1].i] != UINT32_MAX && alone[by[of[n - 1].i]])
                vec_push(w->scratch, needed, of[n - 1].i);
    }
}

/* Equations that may jump between events. Variables that they define and on which no other equation
 * depends, as the quaternion of a ball joint that a loop closes, are left out; to the others an
 * event is added where they jump, over which derivatives are known. */
static bool *find_jumps(Work *w, Nonsmooth *n)
{
    const System *s = w->s;
    bool *jumps = arena_array(w->scratch, bool, s->eq.n + 1);
    uint32_t n_out = 0, first = 0;
    VarId *at_events;
    w->is_left_out = arena_array(w->scratch, bool, s->var.n + 1);
    w->eq_is_left_out = arena_array(w->scratch, bool, s->eq.n + 1);
    // the value of a discrete variable is taken at events, whatever it depends on
    for (uint32_t k = 0; k < s->eq.n; k++)
        jumps[k] = !discretes_of(w, &s->eq.at[k], &at_events) && may_jump(n, &s->eq.at[k]);
    set_apart(w, true, jumps, w->eq_is_left_out);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        if (!w->eq_is_left_out[k])
            continue;
        first = n_out++ ? first : k;
        w->is_left_out[defined_by(w, &s->eq.at[k]).i] = true;
    }
    if (n_out)
        warn_of_left_out(w, n_out, defined_by(w, &s->eq.at[first]), s->eq.at[first].span);
    return jumps;
}

/* Equations with kinks whose variables other equations read. */
static bool *find_bends(Work *w, Nonsmooth *n)
{
    const System *s = w->s;
    bool *bends = arena_array(w->scratch, bool, s->eq.n + 1);
    bool *alone = arena_array(w->scratch, bool, s->eq.n + 1);
    VarId *at_events;
    for (uint32_t k = 0; k < s->eq.n; k++)
        bends[k] = !w->eq_is_left_out[k] && !discretes_of(w, &s->eq.at[k], &at_events) &&
                   may_bend(n, &s->eq.at[k]);
    set_apart(w, false, bends, alone);
    return bends;
}

/* Makes events of jumps and kinks. False after an error. */
static bool make_events(Work *w)
{
    System *s = w->s;
    Nonsmooth *n = nonsmooth_new(s, w->scratch);
    const bool *jumps = find_jumps(w, n), *bends = find_bends(w, n);
    const Map kinks = nonsmooth_kinks(n, bends, &w->kink_at);
    events_make(s, jumps, bends, &kinks, w->scratch);
    n = nonsmooth_new(s, w->scratch);
    for (uint32_t k = 0; k < s->eq.n; k++)
        if (jumps[k] && may_jump(n, &s->eq.at[k]))
            return refuse(w, s->eq.at[k].span, JUMP);
    for (uint32_t k = 0; k < s->memory.n; k++)
        if (s->memory.at[k].kind == MEMORY_RELATION && nonsmooth_may_jump(n, s->memory.at[k].of))
            return refuse(w, s->memory.at[k].span, JUMP);
    return true;
}

static void find_kinds(Work *w)
{
    const System *s = w->s;
    w->is_continuous = arena_array(w->scratch, bool, s->var.n + 1);
    w->is_discrete = arena_array(w->scratch, bool, s->var.n + 1);
    w->pre = arena_array(w->scratch, uint32_t, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++) {
        w->is_continuous[k] = s->var.at[k].kind == VAR_CONTINUOUS;
        w->is_discrete[k] = s->var.at[k].kind == VAR_DISCRETE && s->var.at[k].type == TYPE_REAL;
        w->pre[k] = UINT32_MAX;
    }
    for (uint32_t k = 0; k < s->memory.n; k++) {
        const Memory *m = &s->memory.at[k];
        if (m->kind == MEMORY_PRE && expr_op(s->pool, m->of) == OP_VAR)
            w->pre[expr_var_of(s->pool, m->of).i] = k;
    }
}

static bool supported(Work *w)
{
    const System *s = w->s;
    find_kinds(w);
    for (uint32_t k = 0; k < s->memory.n; k++) {
        const Memory *m = &s->memory.at[k];
        if (m->kind == MEMORY_DELAY)
            return refuse(w, m->span, "delay() is not differentiated");
    }
    return make_events(w);
}

bool sensitivities_stay_smooth(Dae *d, uint32_t n_before, Arena *scratch)
{
    const System *s = d->sys;
    Work w = {.d = d, .s = d->sys, .scratch = scratch};
    if (!(d->sensitivities || d->adjoint) || s->eq.n == n_before)
        return true;
    Nonsmooth *n = nonsmooth_new(d->sys, scratch);
    for (uint32_t k = n_before; k < s->eq.n; k++)
        if (may_jump(n, &s->eq.at[k]))
            return refuse(&w, s->eq.at[k].span,
                          "the derivative of this equation by time is needed, and may jump where "
                          "no event is made, as that of abs() or of noEvent() around a relation "
                          "does");
    return true;
}

/* Whether x holds a variable that moves along the direction. */
static bool holds_moving(const Work *w, ExprId root)
{
    const ExprPool *p = w->s->pool;
    Map seen = map_new(w->scratch);
    VEC(ExprId) stack = {0};
    vec_push(w->scratch, stack, root);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        if (map_get(&seen, x.i) != MAP_NONE)
            continue;
        map_put(&seen, x.i, 1);
        if (expr_op(p, x) == OP_VAR) {
            VarId v = expr_var_of(p, x);
            if (v.i < w->n_vars && expr_exists(w->along[v.i]))
                return true;
        }
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(w->scratch, stack, expr_arg(p, x, k));
    }
    return false;
}

/* An external object, as a table, cannot be differentiated by its inputs. */
static bool objects_stay(const Work *w)
{
    for (uint32_t k = 0; k < w->n_vars; k++) {
        const Var *v = &w->s->var.at[k];
        if (v->type == TYPE_OBJECT && expr_exists(v->binding) && holds_moving(w, v->binding))
            return refuse(w, v->span, "this external object is made of one");
    }
    return true;
}

/* ---- derivatives ---- */

/* From here on along the direction, with this derivative of time. */
static void take_direction(Work *w, ExprId time)
{
    w->diff = differentiator_along(w->s, w->n_vars, w->along, time, w->scratch);
    w->diff.excludes_branches = true;
}

static bool along(Work *w, ExprId x, Span span, ExprId *out)
{
    *out = differentiate(&w->diff, x);
    if (expr_exists(*out))
        return true;
    diag_error(w->s->diags, span, "S12",
               "no derivatives by parameters: function '%s' has none that is known",
               w->diff.failed.s ? w->diff.failed.s : "?");
    return false;
}

static bool is_zero(const Work *w, ExprId x)
{
    return expr_is_zero(w->s->pool, x) == YES;
}

static Name name_for(const Work *w, const char *of)
{
    return name_printf(w->s->names, "der(%s,%s)", of, *w->direction ? w->direction : "time");
}

/* The size of a change of the parameter: its nominal value, else its value, else 1. */
static double size_of(const Work *w, uint32_t j)
{
    const ExprPool *p = w->s->pool;
    double value = 0;
    if (j < w->by.n) {
        const Var *v = &w->s->var.at[w->by.at[j].i];
        ExprId known = is_start(w, j) ? v->attr.start : v->binding;
        if (expr_exists(v->attr.nominal) && expr_constant(p, v->attr.nominal, &value) && value != 0)
            return fabs(value);
        if (!expr_exists(known) || !expr_constant(p, known, &value))
            value = 0;
    }
    return value != 0 && isfinite(value) ? fabs(value) : 1;
}

static VarId add_like(Work *w, const Var *v, uint32_t j)
{
    System *s = w->s;
    Var x = var_plain(name_for(w, v->name.s));
    x.kind = v->kind;
    x.type = TYPE_REAL;
    x.span = v->span;
    x.attr.fixed = v->attr.fixed;
    x.attr.select = v->attr.select;
    x.attr.start_is_chosen = v->attr.start_is_chosen;
    double nominal;
    bool known = expr_exists(v->attr.nominal) && expr_constant(s->pool, v->attr.nominal, &nominal);
    x.attr.nominal =
        expr_double(s->pool, (known && nominal != 0 ? fabs(nominal) : 1) / size_of(w, j));
    x.is_protected = v->is_protected;
    x.hides_result = v->hides_result;
    x.is_hidden = v->is_hidden || (w->choice->of && !w->choice->means(w->choice->of, v->name.s));
    if (j == w->by.n) {
        x.is_hidden = true;
        x.description = name_of(s->names, "along time, set at events");
    }
    x.is_output = w->choice->has_outputs && v->is_output && j < w->by.n;
    if (j < w->by.n) {
        const Var *p = &s->var.at[w->by.at[j].i];
        const char *mine = v->attr.unit.s ? v->attr.unit.s : "";
        const char *its = p->attr.unit.s ? p->attr.unit.s : "";
        if (*its || *mine)
            x.attr.unit = !*its ? v->attr.unit
                          : strcmp(mine, its) == 0
                              ? name_of(s->names, "1")
                              : name_printf(s->names, "%s%s%s/(%s)", *mine ? "(" : "",
                                            *mine ? mine : "1", *mine ? ")" : "", its);
    }
    return system_add_var(s, x);
}

/* Part j + 1 of a multiplier or free acceleration, times the size of the parameter: of the size of
 * those of the model, as its constraint is. */
static VarId add_input(Work *w, VarId of, uint32_t j)
{
    System *s = w->s;
    Var v = s->var.at[of.i];
    v.name = name_for(w, v.name.s);
    v.is_hidden = true;
    VarId x = system_add_var(s, v);
    ExprId size = expr_double(s->pool, size_of(w, j));
    w->along[of.i] = expr_div(s->pool, system_var_expr(s, x), size);
    return x;
}

static void add_inputs(Work *w, uint32_t j)
{
    LoopCut *cut = &w->d->loops;
    uint32_t m = w->n_constraints, n = w->n_massless;
    for (uint32_t k = 0; k < m; k++)
        cut->multiplier[(j + 1) * m + k] = add_input(w, cut->multiplier[k], j);
    for (uint32_t k = 0; k < n; k++)
        cut->massless[(j + 1) * n + k] = add_input(w, cut->massless[k], j);
}

/* Adds unknowns for the derivatives of moving variables; those of der(x) are derivatives by time.
 */
static void add_unknowns(Work *w, uint32_t j)
{
    System *s = w->s;
    for (uint32_t k = 0; k < w->n_vars; k++) {
        Var v = s->var.at[k];
        if (v.kind != VAR_CONTINUOUS || v.type != TYPE_REAL || var_exists(v.der_of) ||
            w->is_left_out[k])
            continue;
        VarId x = add_like(w, &v, j), to = x;
        w->along[k] = system_var_expr(s, x);
        for (VarId der = v.der; var_exists(der); der = s->var.at[der.i].der) {
            to = system_der(s, to);
            var_at(s, to)->is_hidden = var_at(s, x)->is_hidden;
            w->along[der.i] = system_var_expr(s, to);
        }
    }
}

static const char FOUND_AT_START[] = "a parameter with fixed = false is found at the start";

/* Parameters that follow from the one that is chosen, in the order of dependence: rounds until
 * nothing new is found. With fixed = false they are found at the start, and so are their
 * derivatives. */
static bool add_parameters(Work *w, uint32_t j)
{
    System *s = w->s;
    if (j < w->by.n && !is_start(w, j))
        w->along[w->by.at[j].i] = expr_int(s->pool, 1);
    for (uint32_t k = 0; k < w->n_vars && j < w->by.n; k++) {
        Var v = s->var.at[k];
        if (v.kind != VAR_PARAMETER || v.type != TYPE_REAL || v.attr.fixed != NO)
            continue;
        if (k == w->by.at[j].i)
            return refuse(w, v.span, FOUND_AT_START);
        w->along[k] = system_var_expr(s, add_like(w, &v, j));
    }
    for (bool changed = true; changed;) {
        changed = false;
        take_direction(w, w->time);
        for (uint32_t k = 0; k < w->n_vars; k++) {
            Var v = s->var.at[k];
            bool is_known = expr_exists(w->along[k]) || (j < w->by.n && k == w->by.at[j].i);
            ExprId value = expr_exists(v.binding) ? v.binding : v.attr.start, slope;
            if (v.kind != VAR_PARAMETER || v.type != TYPE_REAL || is_known || !expr_exists(value))
                continue;
            if (!along(w, value, v.span, &slope))
                return false;
            if (is_zero(w, slope))
                continue;
            // a variable of its own: who sets the parameter sets this one to 0
            VarId x = add_like(w, &v, j);
            var_at(s, x)->binding = slope;
            var_at(s, x)->attr.fixed = UNKNOWN;
            var_at(s, x)->is_hidden = v.is_hidden;
            w->along[k] = system_var_expr(s, x);
            changed = true;
        }
    }
    return true;
}

/* Bindings may hold parameters that became known later than theirs. */
static bool renew_bindings(Work *w)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    take_direction(w, w->time);
    for (uint32_t k = 0; k < w->n_vars; k++) {
        const Var v = s->var.at[k];
        if (v.kind != VAR_PARAMETER || !expr_exists(w->along[k]) ||
            expr_op(p, w->along[k]) != OP_VAR)
            continue;
        VarId x = expr_var_of(p, w->along[k]);
        ExprId slope;
        bool is_free = v.attr.fixed == NO;
        if (expr_exists(v.binding)) {
            if (!along(w, v.binding, v.span, &slope))
                return false;
            var_at(s, x)->binding = slope;
        }
        if (expr_exists(v.attr.start) && (is_free || !expr_exists(v.binding))) {
            if (!along(w, v.attr.start, v.span, &slope))
                return false;
            if (is_free)
                var_at(s, x)->attr.start = slope;
            else
                var_at(s, x)->binding = slope;
        }
    }
    return true;
}

static bool add_starts(Work *w, uint32_t j)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    for (uint32_t k = 0; k < w->n_vars; k++) {
        const Var v = s->var.at[k];
        ExprId slope = expr_int(p, 0);
        bool is_chosen = j < w->by.n && w->by.at[j].i == k && is_start(w, j);
        if ((v.kind != VAR_CONTINUOUS && v.kind != VAR_DISCRETE) || !expr_exists(w->along[k]) ||
            (!expr_exists(v.attr.start) && !is_chosen))
            continue;
        if (expr_exists(v.attr.start) && !along(w, v.attr.start, v.span, &slope))
            return false;
        if (is_chosen)
            slope = expr_add(p, slope, expr_int(p, 1));
        var_at(s, expr_var_of(p, w->along[k]))->attr.start = slope;
    }
    return true;
}

/* Room for the loops of all parts. */
static void make_room(Work *w, uint32_t n_directions)
{
    LoopCut *cut = &w->d->loops, old = *cut;
    Arena *mem = w->s->mem;
    uint32_t parts = n_directions + 1, l = old.n_loops, m = old.n_constraints, n = old.n_massless;
    w->n_constraints = m;
    w->n_massless = n;
    if (!l)
        return;
    *cut = loops_empty(l * parts, m * parts, mem);
    cut->n_massless = n * parts;
    cut->massless = arena_array(mem, VarId, n * parts + 1);
    cut->balance = arena_array(mem, ExprId, n * parts + 1);
    cut->balance_at = arena_array(mem, Span, n * parts + 1);
    cut->n_parts = parts;
    double *size = arena_array(mem, double, parts + 1);
    for (uint32_t p = 0; p < parts; p++) {
        size[p] = p ? size_of(w, p - 1) : 1;
        for (uint32_t k = 0; k < l; k++) {
            cut->name[p * l + k] = old.name[k];
            cut->span[p * l + k] = old.span[k];
            cut->side[2 * (p * l + k)] = old.side[2 * k];
            cut->side[2 * (p * l + k) + 1] = old.side[2 * k + 1];
            cut->common[p * l + k] = p ? (Common){0} : old.common[k];
            cut->first[p * l + k] = p * m + old.first[k];
        }
        for (uint32_t k = 0; k < n; k++)
            cut->balance_at[p * n + k] = old.balance_at[k];
    }
    cut->first[cut->n_loops] = m * parts;
    for (uint32_t k = 0; k < m; k++) {
        cut->multiplier[k] = old.multiplier[k];
        cut->phi[k] = old.phi[k];
    }
    for (uint32_t k = 0; k < n; k++) {
        cut->massless[k] = old.massless[k];
        cut->balance[k] = old.balance[k];
    }
    cut->part_size = size;
}

/* Adds the derivatives of the loops' constraints and balances along the direction. */
static bool add_loops(Work *w, uint32_t j)
{
    LoopCut *cut = &w->d->loops;
    ExprPool *p = w->s->pool;
    uint32_t m = w->n_constraints, n = w->n_massless;
    ExprId size = expr_double(p, size_of(w, j)), slope;
    for (uint32_t k = 0; k < m; k++) {
        if (!along(w, cut->phi[k], cut->span[0], &slope))
            return false;
        cut->phi[(j + 1) * m + k] = expr_mul(p, size, slope);
    }
    for (uint32_t k = 0; k < n; k++) {
        if (!along(w, cut->balance[k], cut->balance_at[k], &slope))
            return false;
        cut->balance[(j + 1) * n + k] = expr_mul(p, size, slope);
    }
    return true;
}

/* ---- values that are kept over events ---- */

/* The derivative of a discrete variable is a discrete variable, with a pre() of its own. */
static void add_discrete(Work *w, VarId d, uint32_t j)
{
    System *s = w->s;
    const Var v = s->var.at[d.i];
    VarId x = add_like(w, &v, j);
    w->along[d.i] = system_var_expr(s, x);
    if (w->pre[d.i] == UINT32_MAX)
        return;
    Memory m = s->memory.at[w->pre[d.i]];
    const VarId pre = m.var;
    m.of = w->along[d.i];
    m.start = differentiate(&w->diff, m.start);
    m.text = v.is_hidden ? NULL : var_at(s, x)->name.s;
    w->along[pre.i] = system_var_expr(s, system_add_memory(s, m, TYPE_REAL, "pre"));
}

/* Adds those whose equations of the list have derivatives. Every second round is backward: one of
 * two is enough for a chain of equations in order. False after an error; *some: there are more. */
static bool add_discretes_of(Work *w, uint32_t j, uint32_t n, const Eq *list, bool is_backward,
                             bool *some)
{
    System *s = w->s;
    for (uint32_t k = 0; k < n; k++) {
        const Eq e = list[is_backward ? n - 1 - k : k];
        ExprId left, right;
        VarId *d;
        const uint32_t n_of = discretes_of(w, &e, &d);
        if (!n_of || s->var.at[d[0].i].type != TYPE_REAL)
            continue;
        if (!along(w, e.lhs, e.span, &left) || !along(w, e.rhs, e.span, &right))
            return false;
        for (uint32_t i = 0; i < n_of && !(is_zero(w, left) && is_zero(w, right)); i++) {
            if (expr_exists(w->along[d[i].i]))
                continue;
            add_discrete(w, d[i], j);
            *some = true;
        }
    }
    return true;
}

static bool is_left_limit(const Work *w, uint32_t k)
{
    const Memory *m = &w->s->memory.at[k];
    return m->kind == MEMORY_LEFT_LIMIT && w->s->var.at[m->var.i].type == TYPE_REAL;
}

/* Values just before an event: the expressions of their derivatives are not known yet. */
static bool add_left_limits(Work *w, bool *some)
{
    System *s = w->s;
    for (uint32_t k = 0; k < w->n_memory; k++) {
        Memory m = s->memory.at[k];
        const VarId limit = m.var;
        if (!is_left_limit(w, k) || expr_exists(w->along[limit.i]))
            continue;
        if (!along(w, m.of, m.span, &m.of))
            return false;
        if (is_zero(w, m.of))
            continue;
        w->along[limit.i] = system_var_expr(s, system_add_memory(s, m, TYPE_REAL, "left limit"));
        *some = true;
    }
    return true;
}

static bool find_left_limits(Work *w)
{
    System *s = w->s;
    take_direction(w, w->time);
    for (uint32_t k = 0; k < w->n_memory; k++) {
        const Memory m = s->memory.at[k];
        if (!is_left_limit(w, k) || !expr_exists(w->along[m.var.i]))
            continue;
        ExprId of;
        if (!along(w, m.of, m.span, &of))
            return false;
        const VarId x = expr_var_of(s->pool, w->along[m.var.i]);
        s->memory.at[s->var.at[x.i].index].of = of;
    }
    return true;
}

/* The derivatives of discrete variables along a parameter. Their values at an event are those at
 * its time, which depends on the parameter. During an event the derivatives of the states are those
 * at that time, and the derivative of time is `shift`, a memory that is 0 otherwise
 * (rung_saltation.h):
 *
 *     d = if fires then time*x else pre(d);
 *     der(d,p) = if fires then shift*x + time*der(x,p) else pre(der(d,p));
 */
static bool add_discretes(Work *w, uint32_t j, VarId *shift)
{
    System *s = w->s;
    bool has_relations = false;
    for (uint32_t k = 0; k < w->n_memory; k++)
        has_relations = has_relations || s->memory.at[k].kind == MEMORY_RELATION;
    const uint32_t n = s->memory.n;
    *shift = VAR_NONE;
    bool is_backward = true;
    for (bool some = true; some;) {
        some = false;
        is_backward = !is_backward;
        // 1 instead of `shift`, to find the variables that depend on it
        take_direction(w, has_relations ? expr_int(s->pool, 1) : EXPR_NONE);
        for (uint32_t k = 0; k < w->n_vars; k++) {
            const Var v = s->var.at[k];
            ExprId slope;
            if (v.kind != VAR_DISCRETE || v.type != TYPE_REAL || expr_exists(w->along[k]) ||
                !expr_exists(v.attr.start))
                continue;
            if (!along(w, v.attr.start, v.span, &slope))
                return false;
            if (is_zero(w, slope))
                continue;
            add_discrete(w, (VarId){k}, j);
            some = true;
        }
        if (!add_left_limits(w, &some) ||
            !add_discretes_of(w, j, w->n_eqs, s->eq.at, is_backward, &some) ||
            !add_discretes_of(w, j, w->n_initial, s->initial_eq.at, is_backward, &some))
            return false;
    }
    if (s->memory.n == n || !has_relations)
        return find_left_limits(w);
    Memory m = {.kind = MEMORY_SHIFT,
                .of = EXPR_NONE,
                .start = expr_int(s->pool, 0),
                .interval = EXPR_NONE,
                .span = SPAN_NONE};
    *shift = system_add_memory(s, m, TYPE_REAL, "time of an event");
    w->time = system_var_expr(s, *shift);
    return find_left_limits(w);
}

static bool add_equations(Work *w, bool by_time)
{
    System *s = w->s;
    for (uint32_t k = 0; k < w->n_eqs; k++) {
        Eq e = s->eq.at[k];
        VarId *d;
        const bool is_at_events = discretes_of(w, &e, &d) > 0;
        // along time discrete variables are constant
        if ((is_at_events && (by_time || s->var.at[d[0].i].type != TYPE_REAL)) ||
            w->eq_is_left_out[k])
            continue;
        if (!along(w, e.lhs, e.span, &e.lhs) || !along(w, e.rhs, e.span, &e.rhs))
            return false;
        e.group = GROUP_NONE;
        if (!is_zero(w, expr_sub(s->pool, e.lhs, e.rhs)))
            system_add_eq(s, e);
    }
    return true;
}

static bool add_initial_equations(Work *w)
{
    System *s = w->s;
    for (uint32_t k = 0; k < w->n_initial; k++) {
        Eq e = s->initial_eq.at[k];
        if (!along(w, e.lhs, e.span, &e.lhs) || !along(w, e.rhs, e.span, &e.rhs))
            return false;
        e.group = GROUP_NONE;
        if (!is_zero(w, expr_sub(s->pool, e.lhs, e.rhs)))
            vec_push(s->mem, s->initial_eq, e);
    }
    return true;
}

/* Along time, states have no start values: the runtime sets them before each evaluation. */
static void start_time_anywhere(Work *w)
{
    System *s = w->s;
    for (uint32_t k = 0; k < w->n_vars; k++) {
        const Var *v = &s->var.at[k];
        if (v->kind != VAR_CONTINUOUS || !expr_exists(w->along[k]) || var_exists(v->der_of))
            continue;
        Attributes *a = &var_at(s, expr_var_of(s->pool, w->along[k]))->attr;
        a->start = expr_int(s->pool, 0);
        a->fixed = UNKNOWN;
    }
}

static bool add_slope(Work *w, ExprId of, Span span, const char *what, uint32_t k, VarId *out)
{
    System *s = w->s;
    ExprId slope;
    if (!along(w, of, span, &slope))
        return false;
    *out = system_add_hidden(s, arena_printf(s->mem, "der(%s %u,%s)", what, k + 1,
                                             *w->direction ? w->direction : "time"));
    system_add_eq(
        s, (Eq){.lhs = system_var_expr(s, *out), .rhs = slope, .group = GROUP_NONE, .span = span});
    return true;
}

static bool add_jumps(Work *w, uint32_t j, Sensitivities *out, VarId *relation, VarId *action)
{
    System *s = w->s;
    for (uint32_t k = 0, n = 0; k < w->n_memory; k++) {
        const Memory m = s->memory.at[k];
        ExprId slope;
        ExprId known[] = {m.start, m.interval};
        for (int i = 0; i < 2; i++) {
            if (!expr_exists(known[i]) || var_at(s, m.var)->type == TYPE_STRING ||
                expr_exists(w->along[m.var.i]))
                continue;
            if (!along(w, known[i], m.span, &slope))
                return false;
            if (!is_zero(w, slope))
                return refuse(w, m.span,
                              m.kind == MEMORY_SAMPLE ? "times of sample() depend on one"
                                                      : "a value before the start depends on one");
        }
        if (m.kind != MEMORY_RELATION)
            continue;
        if (!add_slope(w, m.of, m.span, "relation", n, &relation[n * out->n_directions + j]))
            return false;
        n++;
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        const Action a = s->action.at[k];
        VarId *to = &action[k * out->n_directions + j];
        *to = VAR_NONE;
        if (a.kind == ACTION_REINIT && !add_slope(w, a.value, a.span, "reinit", k, to))
            return false;
    }
    return true;
}

static bool add_direction(Work *w, uint32_t j, Sensitivities *out, VarId *relation, VarId *action,
                          VarId *shift)
{
    System *s = w->s;
    bool by_time = j == w->by.n;
    w->direction = by_time ? "" : w->name.at[j];
    w->along = arena_array(s->mem, ExprId, w->n_vars + 1);
    for (uint32_t k = 0; k < w->n_vars; k++)
        w->along[k] = EXPR_NONE;
    w->time = by_time ? expr_int(s->pool, 1) : EXPR_NONE;
    add_unknowns(w, j);
    add_inputs(w, j);
    if (!add_parameters(w, j) || !renew_bindings(w) || !(by_time || add_discretes(w, j, shift)))
        return false;
    take_direction(w, w->time);
    if (!objects_stay(w) || !(by_time || add_starts(w, j)) || !add_equations(w, by_time) ||
        !add_loops(w, j) || !(by_time || add_initial_equations(w)) ||
        !add_jumps(w, j, out, relation, action))
        return false;
    if (by_time)
        start_time_anywhere(w);
    return true;
}

bool sensitivities_objective(System *s, const char *text)
{
    const char *variable;
    const ObjectiveKind kind = objective_read(text, s->mem, &variable);
    const VarId y = system_find_var(s, name_of(s->names, variable));
    const Var *of = var_exists(y) ? var_at(s, y) : NULL;
    const bool is_integral = kind == OBJECTIVE_INTEGRAL;
    const bool is_discrete = of && of->kind == VAR_DISCRETE && of->type == TYPE_REAL;
    if (!is_integral && !(is_discrete && kind == OBJECTIVE_AT_STOP))
        return true;
    if (!is_discrete && (!of || of->kind != VAR_CONTINUOUS || of->type != TYPE_REAL)) {
        diag_error(s->diags, of ? of->span : SPAN_NONE, "S11", "'%s': %s", text,
                   of ? "it is no Real that changes along the run"
                      : "the model has no such variable");
        return false;
    }
    const Name name = name_of(s->names, is_integral ? text : objective_value(variable, s->mem));
    if (var_exists(system_find_var(s, name)))
        return true;
    Var v = var_plain(name);
    v.span = of->span;
    v.attr.nominal = of->attr.nominal;
    v.attr.unit = of->attr.unit;
    if (is_integral) {
        v.attr.start = expr_int(s->pool, 0);
        v.attr.fixed = YES;
        if (v.attr.unit.s && v.attr.unit.s[0])
            v.attr.unit = name_printf(s->names, "(%s).s", v.attr.unit.s);
    }
    const ExprId value = system_var_expr(s, y);
    const VarId x = system_add_var(s, v);
    system_add_eq(s, (Eq){.lhs = system_var_expr(s, is_integral ? system_der(s, x) : x),
                          .rhs = value,
                          .group = GROUP_NONE,
                          .span = v.span});
    return true;
}

bool sensitivities_choose(Dae *d, const SensitivityChoice *choice, AdjointChoice *out,
                          Arena *scratch)
{
    const System *s = d->sys;
    Work w = {.d = d, .s = d->sys, .scratch = scratch, .choice = choice, .n_vars = s->var.n};
    bool ok = asks_something(&w);
    for (uint32_t k = 0; k < choice->n; k++)
        ok = choose_all(&w, choice->by[k]) && ok;
    if (!ok || !supported(&w))
        return false;
    for (uint32_t k = 0; k < s->memory.n; k++) {
        const Memory *m = &s->memory.at[k];
        if (m->kind == MEMORY_TERMINAL)
            return refuse(&w, m->span,
                          arena_printf(scratch, "the adjoint does not begin behind terminal() (%s)",
                                       out->instead));
        if (m->kind == MEMORY_LEFT_LIMIT)
            return refuse(&w, m->span,
                          arena_printf(scratch,
                                       "the adjoint does not go through pre() of a continuous "
                                       "variable that is no state (%s)",
                                       out->instead));
    }
    for (uint32_t k = 0; k < s->var.n; k++)
        if (s->var.at[k].type == TYPE_OBJECT)
            return refuse(&w, s->var.at[k].span,
                          arena_printf(scratch,
                                       "the adjoint does not look into external objects (%s)",
                                       out->instead));
    for (uint32_t j = 0; j < w.by.n; j++)
        if (!is_start(&w, j) && s->var.at[w.by.at[j].i].attr.fixed == NO)
            return refuse(&w, s->var.at[w.by.at[j].i].span, FOUND_AT_START);
    out->n = w.by.n;
    out->by = w.by.at;
    out->name = w.name.at;
    out->has_kinks = w.kink_at != UINT32_MAX;
    if (out->has_kinks)
        diag_warning(s->diags, s->eq.at[w.kink_at].span, "S14",
                     "derivatives by parameters may be inexact: no event is made where this has a "
                     "kink, as under a root or in a function, and the adjoint has no control of "
                     "errors there (%s)",
                     out->instead);
    return true;
}

bool sensitivities_add(Dae *d, const SensitivityChoice *choice, Arena *scratch)
{
    System *s = d->sys;
    Work w = {.d = d,
              .s = s,
              .scratch = scratch,
              .choice = choice,
              .n_vars = s->var.n,
              .n_eqs = s->eq.n,
              .n_initial = s->initial_eq.n};
    bool ok = asks_something(&w);
    for (uint32_t k = 0; k < choice->n; k++)
        ok = choose_all(&w, choice->by[k]) && ok;
    if (!ok || !supported(&w))
        return false;
    w.n_memory = s->memory.n;
    Sensitivities *out = arena_make(s->mem, Sensitivities);
    for (uint32_t k = 0; k < s->memory.n; k++)
        out->n_relations += s->memory.at[k].kind == MEMORY_RELATION;
    out->n = w.by.n;
    out->n_directions = out->n + (out->n_relations > 0);
    out->n_actions = s->action.n;
    out->has_kinks = w.kink_at != UINT32_MAX;
    out->name = w.name.at;
    VarId *parameter = arena_array(s->mem, VarId, w.by.n + 1);
    for (uint32_t j = 0; j < w.by.n; j++)
        parameter[j] = is_start(&w, j) ? VAR_NONE : w.by.at[j];
    out->parameter = parameter;
    out->n_vars = w.n_vars;
    VarId *relation = arena_array(s->mem, VarId, out->n_relations * out->n_directions + 1);
    VarId *action = arena_array(s->mem, VarId, out->n_actions * out->n_directions + 1);
    VarId *shift = arena_array(s->mem, VarId, out->n_directions + 1);
    make_room(&w, out->n_directions);
    const ExprId **all = arena_array(s->mem, const ExprId *, out->n_directions + 1);
    for (uint32_t j = 0; j < out->n_directions; j++) {
        if (!add_direction(&w, j, out, relation, action, &shift[j]))
            return false;
        all[j] = w.along;
    }
    out->shift = shift;
    out->of = all;
    out->relation = relation;
    out->action = action;
    out->n_vars_with = s->var.n;
    d->sensitivities = out;
    return true;
}

bool sensitivities_have(const Dae *d, VarId v)
{
    const Sensitivities *it = d->sensitivities;
    while (it && var_exists(d->sys->var.at[v.i].der_of))
        v = d->sys->var.at[v.i].der_of;
    return it && v.i >= it->n_vars && v.i < it->n_vars_with;
}

ExprId *sensitivities_held(const Dae *d, uint32_t j, uint32_t n, Arena *mem)
{
    const Sensitivities *it = d->sensitivities;
    ExprId *out = arena_array(mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        const VarKind kind = d->sys->var.at[k].kind;
        const bool is_held = k < it->n_vars && (kind == VAR_PARAMETER || kind == VAR_MEMORY);
        out[k] = is_held ? it->of[j][k] : EXPR_NONE;
    }
    return out;
}

/* ---- the derivatives after all passes ---- */

/* The variable that is the derivative of v along j, and whether it is minus that. For der(x) of
 * index reduction it is der of the derivative of x. */
static VarId derivative_of(Dae *d, uint32_t j, VarId v, bool *is_negated)
{
    System *s = d->sys;
    const Sensitivities *it = d->sensitivities;
    VarId x = VAR_NONE;
    *is_negated = false;
    if (v.i < it->n_vars) {
        ExprId e = it->of[j][v.i];
        x = expr_exists(e) && expr_op(s->pool, e) == OP_VAR ? expr_var_of(s->pool, e) : VAR_NONE;
    } else if (var_exists(s->var.at[v.i].der_of)) {
        bool negated;
        VarId of = derivative_of(d, j, s->var.at[v.i].der_of, &negated);
        x = var_exists(of) ? s->var.at[of.i].der : VAR_NONE;
        *is_negated = negated;
    }
    if (!var_exists(x))
        return VAR_NONE;
    ExprId value = alias_value(s, &d->aliases, x);
    if (!expr_exists(value))
        return x;
    if (expr_op(s->pool, value) == OP_NEG) {
        *is_negated = !*is_negated;
        value = expr_arg(s->pool, value, 0);
    }
    return expr_op(s->pool, value) == OP_VAR ? expr_var_of(s->pool, value) : VAR_NONE;
}

VarId sensitivities_of(Dae *d, uint32_t j, VarId v)
{
    bool is_negated;
    return sensitivities_have(d, v) ? VAR_NONE : derivative_of(d, j, v, &is_negated);
}

bool sensitivities_start_alike(Dae *d, uint32_t n, const VarId *candidate, const bool *taken)
{
    System *s = d->sys;
    const Sensitivities *it = d->sensitivities;
    if (!it)
        return true;
    unsigned char *is_taken = arena_array(s->mem, unsigned char, s->var.n + 1);
    for (uint32_t k = 0; k < n; k++)
        is_taken[candidate[k].i] = taken[k] ? 2 : 1;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < it->n; j++) {
            bool negated;
            // Booleans and Integers have no derivatives
            if (sensitivities_have(d, candidate[k]) || candidate[k].i >= it->n_vars_with ||
                s->var.at[candidate[k].i].type != TYPE_REAL)
                continue;
            VarId x = derivative_of(d, j, candidate[k], &negated);
            const bool is_zero = !var_exists(x) && s->var.at[candidate[k].i].kind != VAR_CONTINUOUS;
            if (is_zero || (var_exists(x) && is_taken[x.i] == is_taken[candidate[k].i]))
                continue;
            diag_error(s->diags, var_at(s, candidate[k])->span, "S12",
                       "no derivatives by parameters: the initial conditions determine '%s' in "
                       "another way than its derivative; say which start values are fixed",
                       var_at(s, candidate[k])->name.s);
            return false;
        }
    return true;
}

void sensitivities_order(Dae *d, Program *g)
{
    const Sensitivities *it = d->sensitivities;
    System *s = d->sys;
    if (!it)
        return;
    uint32_t n = g->n_states, n_placed = 0;
    uint32_t *place = arena_array(s->mem, uint32_t, s->var.n + 1); /* + 1; 0: it has its place */
    uint32_t *from = arena_array(s->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        place[g->state[k].i] = k + 1;
    for (uint32_t k = 0; k < n; k++)
        if (!sensitivities_have(d, g->state[k])) {
            from[n_placed++] = k;
            place[g->state[k].i] = 0;
        }
    uint32_t n_model = n_placed;
    for (uint32_t j = 0; j < it->n_directions; j++)
        for (uint32_t k = 0; k < n_model; k++) {
            bool negated;
            VarId x = derivative_of(d, j, g->state[from[k]], &negated);
            if (!var_exists(x) || !place[x.i])
                continue;
            from[n_placed++] = place[x.i] - 1;
            place[x.i] = 0;
        }
    for (uint32_t k = 0; k < n; k++)
        if (place[g->state[k].i])
            from[n_placed++] = k;
    VarId *state = arena_array(s->mem, VarId, n + 1);
    ExprId *derivative = arena_array(s->mem, ExprId, n + 1);
    ExprId *start = arena_array(s->mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        state[k] = g->state[from[k]];
        derivative[k] = g->derivative[from[k]];
        start[k] = g->start[from[k]];
    }
    g->state = state;
    g->derivative = derivative;
    g->start = start;
}

uint32_t sensitivities_states(const Dae *d)
{
    const Program *g = &d->solution.program;
    uint32_t n = 0;
    while (n < g->n_states && !sensitivities_have(d, g->state[n]))
        n++;
    return n;
}

static uint32_t *all_none(Arena *mem, uint32_t n)
{
    uint32_t *out = arena_array(mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        out[k] = UINT32_MAX;
    return out;
}

/* Whether this memory of the model has derivatives by a parameter. */
static bool is_held(const Sensitivities *it, VarId memory)
{
    bool found = false;
    for (uint32_t j = 0; j < it->n && memory.i < it->n_vars; j++)
        found = found || expr_exists(it->of[j][memory.i]);
    return found;
}

static ExprId *slopes_of(const Sensitivities *it, const Program *g)
{
    System *s = g->sys;
    const uint32_t first_action = it->n_relations * it->n_directions;
    const uint32_t n = first_action + it->n_actions * it->n_directions;
    ExprId *slope = arena_array(s->mem, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        VarId v = k < first_action ? it->relation[k] : it->action[k - first_action];
        slope[k] = var_exists(v) ? g->value[v.i] : expr_int(s->pool, 0);
    }
    return slope;
}

void sensitivities_keep_again(const Dae *d, Program *g)
{
    const Sensitivity *of = d->solution.program.sensitivity;
    if (!of)
        return;
    Sensitivity *out = arena_make(g->sys->mem, Sensitivity);
    *out = *of;
    out->slope = slopes_of(d->sensitivities, g);
    g->sensitivity = out;
}

bool sensitivities_keep(Dae *d)
{
    const Sensitivities *it = d->sensitivities;
    System *s = d->sys;
    Program *g = &d->solution.program;
    if (!it)
        return true;
    uint32_t n = it->n_directions;
    uint32_t *place = arena_array(s->mem, uint32_t, s->var.n + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        place[g->state[k].i] = k + 1;
    uint32_t *of = arena_array(s->mem, uint32_t, g->n_states + 1);
    uint32_t *by = arena_array(s->mem, uint32_t, g->n_states + 1);
    bool *is_negated = arena_array(s->mem, bool, g->n_states + 1);
    bool *is_derivative = arena_array(s->mem, bool, g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        of[k] = UINT32_MAX;
    uint32_t found = 0, first = 0;
    for (uint32_t k = 0; k < g->n_states; k++)
        for (uint32_t j = 0; j < n; j++) {
            bool negated;
            VarId x = derivative_of(d, j, g->state[k], &negated);
            if (!var_exists(x) || !place[x.i])
                continue;
            uint32_t to = place[x.i] - 1;
            of[to] = k;
            by[to] = j;
            is_negated[to] = negated;
            is_derivative[to] = true;
            found++;
        }
    for (uint32_t k = 0; k < g->n_states; k++)
        first += !is_derivative[k];
    // each state of the model has its own, or one would start, or go on over an event, as another
    // variable than that does
    if (found != first * n || first + found != g->n_states) {
        diag_error(s->diags, SPAN_NONE, "S12",
                   "no derivatives by parameters: the states of the derivatives are not the "
                   "derivatives of the states");
        return false;
    }
    uint32_t *shift = NULL, *held = arena_array(s->mem, uint32_t, s->memory.n + 1), n_held = 0;
    for (uint32_t j = 0; j < it->n; j++)
        if (var_exists(it->shift[j])) {
            shift = shift ? shift : all_none(s->mem, it->n);
            shift[j] = s->var.at[it->shift[j].i].index;
        }
    for (uint32_t k = 0; k < s->memory.n; k++)
        if (is_held(it, s->memory.at[k].var))
            held[n_held++] = k;
    Sensitivity *out = arena_make(s->mem, Sensitivity);
    *out = (Sensitivity){.n = it->n,
                         .n_directions = n,
                         .n_relations = it->n_relations,
                         .n_actions = it->n_actions,
                         .has_kinks = it->has_kinks,
                         .parameter = it->parameter,
                         .of = of,
                         .by = by,
                         .is_negated = is_negated,
                         .shift = shift,
                         .held = held,
                         .n_held = n_held,
                         .slope = slopes_of(it, g)};
    g->sensitivity = out;
    return true;
}
