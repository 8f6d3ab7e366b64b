#include "study/auditing.h"

#include "eliminate/block/linear_form.h"
#include "eliminate/verify/audit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps looked into. */
enum { INSIDE = 1000 };

/* How much of the tolerance the derivative of a method's interpolant may miss, as a multiple of it;
 * measured on the examples, it is 3 as a rule and up to
 * 150 with BDF methods, up to 90 with dopri5, whose interpolant is of lower order than its steps.
 * One-step methods are given a tenth of the tolerance, but no less than 1e-12: finer than ten times
 * that, a tolerance tells nothing of their interpolants.
 * Methods of fixed steps hold no tolerance: there a defect as such is a fault only if it is this
 * large. */
typedef struct Bound {
    const char *method;
    double of_tolerance, fixed;
} Bound;

static const Bound bounds[] = {
    {"rk4", 0, 0.05},  {"trapezoid", 0, 0.05}, {"ali3p", 0, 0.05},        {"penalty", 0, 0.05},
    {"euler", 0, 0.2}, {"bdf", 0, 0.05},       {"half-explicit", 0, 0.2}, {NULL, 300, 0},
};

static double bound_of(const char *method, double tolerance)
{
    const Bound *b = bounds;
    while (b->method && strcmp(b->method, method) != 0)
        b++;
    static const double FINEST = 1e-11;
    return b->fixed > 0 ? b->fixed : b->of_tolerance * fmax(tolerance, FINEST);
}

struct Auditing {
    Arena *mem;
    Compilation *flat;
    Audit *audit;
    const RungModel *model;
    uint32_t n;
    VarId *var;           /* per variable of the model: that of the flat System, or VAR_NONE */
    bool *is_set;         /* per variable of the flat System */
    double *v[3];         /* per variable of the model, at three times */
    double *value, *rate; /* per variable of the flat System */
    bool has_before;      /* the audit knows what was before the last event */
    double next;          /* when to look inside a step again */
    double bound;
    uint64_t n_events;
    bool has_begun;
};

Auditing *auditing_new(const RunRequest *r, const RungModel *model, Arena *mem)
{
    Auditing *a = arena_make(mem, Auditing);
    Request plain = r->translation;
    plain.plain_consing = true;
    *a = (Auditing){.mem = mem, .model = model, .n = model->n_variables, .next = -INFINITY};
    a->flat = compilation_open(&plain, mem);
    if (!driver_run(a->flat, driver_find("clocks"))) {
        compilation_report(a->flat, stderr);
        auditing_free(a);
        return NULL;
    }
    System *s = a->flat->sys;
    a->var = arena_array(mem, VarId, a->n + 1);
    a->is_set = arena_array(mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < a->n; k++)
        a->var[k] = system_find_var(s, name_of(s->names, rung_name(model, k)));
    for (uint32_t k = 0; k < r->set.n; k++) {
        const char *eq = strrchr(r->set.at[k], '=');
        VarId v = eq ? system_find_var(
                           s, name_printf(s->names, "%.*s", (int)(eq - r->set.at[k]), r->set.at[k]))
                     : VAR_NONE;
        if (var_exists(v))
            a->is_set[v.i] = true;
    }
    for (int i = 0; i < 3; i++)
        a->v[i] = arena_array(mem, double, a->n + 1);
    a->value = arena_array(mem, double, s->var.n + 1);
    a->rate = arena_array(mem, double, s->var.n + 1);
    return a;
}

void auditing_free(Auditing *a)
{
    if (a)
        compilation_free(a->flat);
}

static void begin(Auditing *a, const SimulateStep *step)
{
    System *s = a->flat->sys;
    a->has_begun = true;
    // without states nothing is integrated
    a->bound = bound_of(a->model->n_states > 0 ? step->method : "ida", step->tolerance);
    a->audit = audit_new(s, a->bound, 10 * step->tolerance, a->is_set, a->mem);
}

/* Values and derivatives at t inside the step, into a->value and a->rate. *is_too_short: nothing.
 */
static bool values_at(Auditing *a, const SimulateStep *step, double t, bool *is_too_short)
{
    System *s = a->flat->sys;
    double span = step->t1 - step->t0, d = fmin(1e-3 * step->h, span / 4);
    *is_too_short = !(d > 1e-6 * step->h); /* rounding would be all of a difference */
    if (*is_too_short)
        return true;
    /* three times d apart, t among them: in the middle but at the ends of the step */
    int at = t - d < step->t0 ? 0 : t + d > step->t1 ? 2 : 1;
    double first = t - at * d;
    for (int i = 0; i < 3; i++)
        if (step->values(step, i == at ? t : first + i * d, a->v[i]))
            return false;
    for (uint32_t k = 0; k < s->var.n; k++)
        a->value[k] = a->rate[k] = NAN;
    for (uint32_t k = 0; k < a->n; k++) {
        if (!var_exists(a->var[k]))
            continue;
        double x = a->v[0][k], y = a->v[1][k], z = a->v[2][k];
        a->value[a->var[k].i] = a->v[at][k];
        a->rate[a->var[k].i] = (at == 1   ? z - x
                                : at == 0 ? 4 * (y - x) - (z - x)
                                          : (z - x) - 4 * (y - x) + 2 * (z - x)) /
                               (2 * d);
    }
    return true;
}

/* Events are found no better than states are known: off by this share of the run, times the
 * tolerance. */
static AuditPoint point(const Auditing *a, const SimulateStep *step, double t)
{
    static const double SHARE = 0.01;
    double late = SHARE * step->tolerance * (step->stop - step->start);
    return (AuditPoint){.t = t, .step = step->h, .value = a->value, .rate = a->rate, .late = late};
}

static bool look_at(Auditing *a, const SimulateStep *step, double t)
{
    bool is_too_short;
    if (!values_at(a, step, t, &is_too_short))
        return false;
    AuditPoint p = point(a, step, t);
    if (!is_too_short)
        audit_point(a->audit, &p);
    return true;
}

/* The beginning of a step behind the start or an event. */
static bool look_at_begin(Auditing *a, const SimulateStep *step, bool is_start)
{
    static const double BEHIND = 0.01;
    bool is_too_short;
    if (!values_at(a, step, step->t0, &is_too_short))
        return false;
    AuditPoint p = point(a, step, step->t0);
    p.is_start = is_start;
    if (is_too_short)
        return true;
    audit_begin(a->audit, &p);
    p.t = step->t0 + BEHIND * (step->t1 - step->t0);
    if (!values_at(a, step, p.t, &is_too_short))
        return false;
    audit_behind(a->audit, &p);
    return true;
}

/* The end of a step before an event. */
static bool look_before(Auditing *a, const SimulateStep *step)
{
    bool is_too_short;
    if (!values_at(a, step, step->t1, &is_too_short))
        return false;
    AuditPoint before = point(a, step, step->t1);
    a->has_before = !is_too_short;
    if (!is_too_short)
        audit_before(a->audit, &before);
    return true;
}

/* The other side of the event between the last step and this one. */
static bool look_at_jump(Auditing *a, const SimulateStep *step)
{
    enum { ONCE = 1, TWICE }; /* the second round may be that of pre(condition) alone */
    bool is_too_short;
    if (!a->has_before || step->n_events != a->n_events + 1 || step->rounds > TWICE)
        return true;
    if (!values_at(a, step, step->t0, &is_too_short))
        return false;
    AuditPoint after = point(a, step, step->t0);
    if (!is_too_short)
        audit_jump(a->audit, &after, step->rounds > ONCE);
    return true;
}

int auditing_look(void *user, const SimulateStep *step)
{
    Auditing *a = user;
    bool is_start = !a->has_begun, ok = true;
    bool begins = is_start || step->n_events != a->n_events;
    if (is_start)
        begin(a, step);
    if (begins) {
        audit_event(a->audit);
        ok = look_at_jump(a, step) && look_at_begin(a, step, is_start);
    }
    a->n_events = step->n_events;
    a->has_before = false;
    for (uint64_t k = 0; ok; k++) {
        double t = step->next_row + (double)k * step->interval;
        /* a row at an event is a side of it */
        if (!(t <= step->t1) || t < step->t0 || (t >= step->t1 && step->ends_in_event))
            break;
        ok = (begins && t == step->t0) || look_at(a, step, t);
    }
    if (ok && step->t1 > a->next) {
        ok = look_at(a, step, step->t0 + 0.61 * (step->t1 - step->t0));
        a->next = fmax(a->next, step->t0) + (step->stop - step->start) / INSIDE;
    }
    ok = ok && (!step->ends_in_event || look_before(a, step));
    return !ok;
}

/* A variable of which the derivative, marked as bad, stands in x; or VAR_NONE. */
static VarId bad_rate_in(const System *s, ExprId x, const bool *is_bad, Arena *mem)
{
    const ExprPool *p = s->pool;
    Map seen = map_new(mem);
    VEC(ExprId) todo = {0};
    vec_push(mem, todo, x);
    while (todo.n) {
        ExprId y = todo.at[--todo.n];
        if (map_get(&seen, y.i) != MAP_NONE)
            continue;
        map_put(&seen, y.i, 1);
        ExprId of = expr_op(p, y) == OP_DER ? expr_arg(p, y, 0) : y;
        if (expr_op(p, y) == OP_DER && expr_op(p, of) == OP_VAR && is_bad[expr_var_of(p, of).i])
            return expr_var_of(p, of);
        for (uint32_t k = 0; k < expr_n_args(p, y); k++)
            vec_push(mem, todo, expr_arg(p, y, k));
    }
    return VAR_NONE;
}

/* Whether all values in the equation are numbers but one, or but the derivative of one; then says
 * so. */
static bool explains(Auditing *a, const Eq *eq, double t, const bool *any, const bool *bad_rate,
                     char *text, size_t size)
{
    enum { SHOWN = 8 };
    System *s = a->flat->sys;
    ArenaMark mark = arena_mark(a->mem);
    VarId *side[2], bad = VAR_NONE;
    uint32_t n[2] = {unknowns_of(s, any, eq->lhs, UINT32_MAX - 1, a->mem, &side[0]),
                     unknowns_of(s, any, eq->rhs, UINT32_MAX - 1, a->mem, &side[1])};
    bool alone = true;
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < n[i]; k++) {
            VarId v = side[i][k];
            if (isfinite(a->value[v.i]))
                continue;
            alone = alone && (!var_exists(bad) || bad.i == v.i);
            bad = v;
        }
    VarId rate = VAR_NONE;
    for (int i = 0; bad_rate && alone && i < 2 && !var_exists(rate); i++)
        rate = bad_rate_in(s, i == 0 ? eq->lhs : eq->rhs, bad_rate, a->mem);
    if (!alone || var_exists(bad) == var_exists(rate)) {
        arena_rollback(a->mem, mark);
        return false;
    }
    const char *of = var_exists(rate) ? "der(" : "";
    const char *with = "";
    uint32_t shown = 0;
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < n[i] && shown < SHOWN; k++) {
            VarId v = side[i][k];
            bool again = var_exists(bad) && v.i == bad.i;
            for (uint32_t j = 0; i == 1 && j < n[0]; j++)
                again = again || side[0][j].i == v.i;
            if (again)
                continue;
            with = arena_printf(a->mem, "%s%s%s = %.9g", with, shown ? ", " : " with ",
                                s->var.at[v.i].name.s, a->value[v.i]);
            shown++;
        }
    const char *where = diags_where(s->diags, eq->span);
    snprintf(text, size, "%s%s%s = %s%s at time = %.9g gives no '%s%s%s'%s%s", where,
             *where ? ": " : "", expr_text(s, eq->lhs, a->mem), expr_text(s, eq->rhs, a->mem), with,
             t, of, s->var.at[(*of ? rate : bad).i].name.s, *of ? ")" : "",
             eq->origin && *eq->origin ? ", in " : "", eq->origin ? eq->origin : "");
    return true;
}

void auditing_explain(Auditing *a, double t, const double *value, char *text, size_t size)
{
    System *s = a->flat->sys;
    bool *any = arena_array(a->mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++) {
        a->value[k] = 0;
        any[k] = true;
    }
    bool *bad_rate = arena_array(a->mem, bool, s->var.n + 1), has_bad_rate = false;
    for (uint32_t k = 0; k < a->n; k++) {
        const char *name = rung_name(a->model, k);
        size_t length = strlen(name);
        if (var_exists(a->var[k])) {
            a->value[a->var[k].i] = value[k];
        } else if (!isfinite(value[k]) && length > 5 && !strncmp(name, "der(", 4)) {
            VarId of =
                system_find_var(s, name_printf(s->names, "%.*s", (int)(length - 5), name + 4));
            has_bad_rate = has_bad_rate || var_exists(of);
            if (var_exists(of))
                bad_rate[of.i] = true;
        }
    }
    const bool *rates = has_bad_rate ? bad_rate : NULL;
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (!expr_exists(v->binding) || isfinite(a->value[k]))
            continue;
        Eq is = {.lhs = system_var_expr(s, (VarId){k}), .rhs = v->binding, .span = v->span};
        if (explains(a, &is, t, any, rates, text, size))
            return;
    }
    for (uint32_t e = 0; e < s->eq.n; e++)
        if (explains(a, &s->eq.at[e], t, any, rates, text, size))
            return;
}

static const char *kind_text(AuditKind k)
{
    switch (k) {
    case AUDIT_EQUATION:
        return "equation";
    case AUDIT_INITIAL:
        return "initial equation";
    case AUDIT_FIXED:
        return "fixed start value";
    case AUDIT_BINDING:
        return "binding of a parameter";
    case AUDIT_JUMP:
        return "what an event should have done";
    case AUDIT_EVENT:
        return "relation that changed without an event";
    case AUDIT_CAUSE:
        return "event at which no relation changes";
    }
    return "";
}

bool auditing_worst(Auditing *a, double *worst, double *bound, uint32_t *n)
{
    if (!a->audit)
        return false;
    AuditReport r = audit_report(a->audit);
    *worst = r.worst;
    *bound = a->bound;
    *n = r.n_faults;
    return true;
}

bool auditing_report(Auditing *a, FILE *summary)
{
    enum { SHOWN = 5 };
    if (!a->audit) {
        if (summary)
            fputs("audit: no step was made, nothing was looked at\n", summary);
        return true;
    }
    System *s = a->flat->sys;
    AuditReport r = audit_report(a->audit);
    if (summary) {
        fprintf(summary,
                "audit: %u equations at %u points, largest defect %.3g of their terms, bound %.3g",
                r.n_equations - r.n_open, r.n_points, r.worst, a->bound);
        if (r.n_open)
            fprintf(summary, "; %u more hold texts, delays or external functions", r.n_open);
        fputc('\n', summary);
    }
    for (uint32_t k = 0; k < r.n_faults && k < SHOWN; k++) {
        const AuditFault *f = &r.fault[k];
        const char *where = diags_where(s->diags, f->span);
        const char *origin = f->origin && *f->origin ? f->origin : NULL;
        if (f->kind == AUDIT_EVENT)
            fprintf(stderr, "rung: audit: t = %.9g: a relation changed without an event: %s\n",
                    f->t, expr_text(s, f->left, a->mem));
        else if (f->kind == AUDIT_CAUSE)
            fprintf(stderr, "rung: audit: an event at t = %.9g, where no relation changes\n", f->t);
        else
            fprintf(stderr,
                    "rung: audit: %s%s%s does not hold at t = %.9g%s%s: %s = %s, %.9g = %.9g, "
                    "defect %.3g\n",
                    where, *where ? ": " : "", kind_text(f->kind), f->t, origin ? ", in " : "",
                    origin ? origin : "", expr_text(s, f->left, a->mem),
                    expr_text(s, f->right, a->mem), f->lhs, f->rhs, f->defect);
    }
    if (r.n_faults > SHOWN)
        fprintf(stderr, "rung: audit: %u more do not hold\n", r.n_faults - SHOWN);
    return r.n_faults == 0;
}
