#include "study/auditing.h"

#include "eliminate/block/linear_form.h"
#include "eliminate/verify/audit.h"
#include "translate/setting_values.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a derivative of a method's interpolant at the start or at an event may miss, as a multiple
 * of the tolerance and as a share of its size; measured on the examples, it is 3 as a rule and up
 * to 150 with BDF methods, up to 90 with dopri5, whose interpolant is of lower order than its
 * steps. One-step methods are given a tenth of the tolerance, but no less than 1e-12: finer than
 * ten times that, a tolerance tells nothing of their interpolants. */
static const double OF_TOLERANCE = 300, FINEST = 1e-11;

/* Methods of fixed steps hold no tolerance: what a step may miss of a state's size, and of that of
 * a derivative. */
typedef struct Bound {
    const char *method;
    double of_size;
} Bound;

static const Bound bounds[] = {
    {"rk4", 0.2}, {"trapezoid", 0.2}, {"ali3p", 0.2},       {"penalty", 0.2},
    {"euler", 2}, {"bdf", 0.2},       {"half-explicit", 2}, {NULL, 2},
};

static double fixed_bound(const char *method)
{
    const Bound *b = bounds;
    while (b->method && strcmp(b->method, method) != 0)
        b++;
    return b->of_size;
}

/* Operations of the audit: at first, and for each operation of the run that is known of, which is
 * an evaluation of the model. Compiled code takes about a twentieth of the time of the audit's
 * interpreter for an equation. Beyond that a step is passed over; no clock decides. */
static const uint64_t WORK_AT_FIRST = 10 * 1000 * 1000, WORK_IF_ASKED = 50 * 1000 * 1000;
static const double WORK_PER_EVALUATION = 0.05;

/* Steps that one size of what derivatives are of serves. */
enum { UNITS_SERVE = 64 };

enum { DRAWS = 2 };

struct Auditing {
    Arena *mem;
    Compilation *flat;
    Audit *audit;
    bool is_asked; /* by the user: it may take longer */
    const RungModel *model;
    uint32_t n;
    VarId *var;           /* per variable of the model: that of the flat System, or VAR_NONE */
    bool *is_set;         /* per variable of the flat System */
    double *v[3];         /* per variable of the model, at three times */
    double *value, *rate; /* per variable of the flat System */
    bool has_before;      /* the audit knows what was before the last event */
    double bound;         /* of derivatives at points */
    double units;         /* tolerances of the audit in one of the run: more with fixed steps */
    uint64_t n_events;
    bool has_begun;
    bool has_fault, pivoting_may_help; /* at the first fault: the run has ended there */
    /* inside steps */
    uint32_t n_read;           /* variables that equations inside steps read */
    uint32_t n_moving;         /* these and others that move       */
    uint32_t *row;             /* n_moving: of the model           */
    VarId *to;                 /* n_moving: of the flat System     */
    double *some;              /* n_moving                         */
    double *node[AUDIT_NODES]; /* per variable of the flat System  */
    double *moved;             /* likewise                         */
    bool is_calm;              /* values that events alone change are known */
    bool is_end_known;         /* node[LAST] are those of the end of the last step */
    uint32_t units_age;
    uint64_t n_steps, n_passed_over;
    uint64_t work; /* beside that of the audit's own evaluations */
    /* states */
    double *x, *end;       /* at the beginning; where the last step has ended */
    double *after, *slope; /* at the end of this step; of the last one */
    VarId *state;          /* of the flat System, or VAR_NONE */
    bool has_end;
    bool may_jump;               /* at events, for another reason than an error */
    bool has_stated_derivatives; /* functions with a derivative annotation (MLS 12.7.1) */
};

static VarId var_named(System *s, const char *text, int n)
{
    return system_find_var(s, name_printf(s->names, "%.*s", n, text));
}

Auditing *auditing_new(const RunRequest *r, const RungModel *model, Arena *mem)
{
    Auditing *a = arena_make(mem, Auditing);
    Request plain = r->translation;
    plain.plain_consing = true;
    *a = (Auditing){.mem = mem, .model = model, .n = model->n_variables, .is_asked = r->must_audit};
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
        const char *eq = setting_equals(r->set.at[k]);
        VarId v = eq ? var_named(s, r->set.at[k], (int)(eq - r->set.at[k])) : VAR_NONE;
        if (var_exists(v))
            a->is_set[v.i] = true;
    }
    // which start values hold beside those is for the initial equations to say
    for (uint32_t k = 0; k < s->var.n && r->translation.start.n; k++)
        a->is_set[k] = a->is_set[k] || s->var.at[k].kind == VAR_CONTINUOUS;
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

/* What the table of the model says of the numbers of the result. */
static void prepare(Auditing *a)
{
    System *s = a->flat->sys;
    uint32_t n = s->var.n;
    bool *is_still = arena_array(a->mem, bool, n + 1);
    bool *is_negated = arena_array(a->mem, bool, n + 1);
    uint32_t *place = arena_array(a->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        place[k] = UINT32_MAX;
    for (uint32_t k = 0; k < s->function->n; k++)
        a->has_stated_derivatives =
            a->has_stated_derivatives || s->function->at[k].n_derivatives > 0;
    a->state = arena_array(a->mem, VarId, a->model->n_states + 1);
    for (uint32_t k = 0; k < a->model->n_states; k++)
        a->state[k] = VAR_NONE;
    for (uint32_t k = 0; k < a->n; k++) {
        enum { PLACES = RUNG_IS_TIME + 1 };
        const RungVariable v = rung_variable(a->model, k);
        if (!var_exists(a->var[k]))
            continue;
        uint32_t f = a->var[k].i;
        bool still = v.place == RUNG_IN_PARAMETERS || v.place == RUNG_IN_CONSTANTS ||
                     v.place == RUNG_IN_NUMBERS;
        is_still[f] = still;
        is_negated[f] = v.negated;
        if (!still && v.index < UINT32_MAX / PLACES)
            place[f] = v.index * PLACES + v.place;
        if (v.place == RUNG_IN_STATES && v.index < a->model->n_states && !v.negated)
            a->state[v.index] = a->var[k];
    }
    const AuditColumns columns = {is_still, place, is_negated};
    audit_prepare(a->audit, &columns);
    const bool *reads = audit_reads(a->audit);
    a->row = arena_array(a->mem, uint32_t, a->n + 1);
    a->to = arena_array(a->mem, VarId, a->n + 1);
    a->some = arena_array(a->mem, double, a->n + 1);
    for (int others = 0; others < 2; others++) {
        for (uint32_t k = 0; k < a->n; k++)
            if (var_exists(a->var[k]) && !reads[a->var[k].i] == others && !is_still[a->var[k].i]) {
                a->row[a->n_moving] = k;
                a->to[a->n_moving++] = a->var[k];
            }
        a->n_read = others ? a->n_read : a->n_moving;
    }
    for (int i = 0; i < AUDIT_NODES; i++)
        a->node[i] = arena_array(a->mem, double, n + 1);
    a->moved = arena_array(a->mem, double, n + 1);
    a->x = arena_array(a->mem, double, a->model->n_states + 1);
    a->end = arena_array(a->mem, double, a->model->n_states + 1);
    a->slope = arena_array(a->mem, double, a->model->n_states + 1);
    a->after = arena_array(a->mem, double, a->model->n_states + 1);
    a->may_jump = a->model->loops || s->state.n > 0;
    for (uint32_t k = 0; k < s->action.n; k++)
        a->may_jump = a->may_jump || s->action.at[k].kind == ACTION_REINIT;
}

static void begin(Auditing *a, const SimulateStep *step)
{
    System *s = a->flat->sys;
    a->has_begun = true;
    bool holds_none = step->is_fixed && a->model->n_states > 0;
    double of_size = holds_none ? fixed_bound(step->method) : 0;
    a->bound = holds_none ? of_size : OF_TOLERANCE * fmax(step->tolerance, FINEST);
    a->units = fmax(1, (holds_none ? of_size / AUDIT_TOLERANCES : FINEST) / step->tolerance);
    a->audit = audit_new(s, a->bound, step->tolerance * a->units, a->is_set, a->mem);
    for (uint32_t k = 0; k < s->var.n; k++)
        a->value[k] = a->rate[k] = NAN;
    prepare(a);
}

static bool values_alone(Auditing *a, const SimulateStep *step, double t)
{
    if (step->values(step, t, a->v[0]))
        return false;
    for (uint32_t k = 0; k < a->flat->sys->var.n; k++)
        a->value[k] = a->rate[k] = NAN;
    for (uint32_t k = 0; k < a->n; k++)
        if (var_exists(a->var[k]))
            a->value[a->var[k].i] = a->v[0][k];
    return true;
}

/* Values and derivatives at t inside the step, into a->value and a->rate. *is_too_short: of a step
 * so short that rounding would be all of a difference, values alone. */
static bool values_at(Auditing *a, const SimulateStep *step, double t, bool *is_too_short)
{
    System *s = a->flat->sys;
    double span = step->t1 - step->t0, d = fmin(1e-3 * step->h, span / 4);
    *is_too_short = !(d > 1e-6 * step->h);
    if (*is_too_short)
        return values_alone(a, step, t);
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

static bool fill_moved(Auditing *a, const SimulateStep *step, double t, uint32_t draw, uint32_t n);

/* Where a relation at t, of which a->value has the values, is another one than before: whether
 * states that are off by the tolerance make it so, as the voltage of an open diode at an
 * inductance. */
static void know_unsure(Auditing *a, const SimulateStep *step, double t)
{
    if (!a->is_calm || a->model->n_states == 0)
        return;
    bool differs = audit_unsure(a->audit, t, a->value);
    for (uint32_t draw = 0; draw < DRAWS && differs; draw++)
        if (fill_moved(a, step, t, draw, a->n_read))
            audit_unsure_moved(a->audit, t, a->moved);
}

/* Equations that do not hold at the beginning, in tolerances of the states. */
static void judge_begin(Auditing *a, const SimulateStep *step)
{
    if (audit_begin_suspects(a->audit) == 0)
        return;
    for (uint32_t draw = 0; draw < DRAWS && a->model->n_states > 0; draw++) {
        memcpy(a->moved, a->value, a->flat->sys->var.n * sizeof *a->moved);
        if (!fill_moved(a, step, step->t0, draw, a->n_moving))
            continue;
        AuditPoint p = point(a, step, step->t0);
        p.value = a->moved;
        audit_begin_moved(a->audit, &p);
    }
    audit_begin_judge(a->audit);
}

/* The beginning of a step behind the start or an event. */
static bool look_at_begin(Auditing *a, const SimulateStep *step, bool is_start)
{
    static const double BEHIND = 0.01;
    bool is_too_short;
    if (!values_at(a, step, step->t0, &is_too_short))
        return false;
    AuditPoint p = point(a, step, step->t0);
    p.is_start = is_start && !step->is_resumed;
    if (is_too_short)
        return true;
    audit_begin(a->audit, &p);
    judge_begin(a, step);
    if (!is_start)
        return true;
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
    a->has_before = true;
    know_unsure(a, step, step->t1);
    audit_before(a->audit, &before);
    audit_sure(a->audit);
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
    audit_jump(a->audit, &after, step->rounds > ONCE);
    return true;
}

/* ---- steps ---- */

/* An evaluation of the model and what it takes to read it, in operations of the audit. */
static void count_fill(Auditing *a)
{
    enum { CALLS = 50, FOR_EACH = 4 };
    a->work += CALLS + FOR_EACH * (uint64_t)a->n_read + audit_cells(a->audit) / FOR_EACH;
}

static bool fill(Auditing *a, const SimulateStep *step, double t, double *value)
{
    count_fill(a);
    if (step->some(step, t, a->n_read, a->row, a->some))
        return false;
    for (uint32_t k = 0; k < a->n_read; k++)
        value[a->to[k].i] = a->some[k];
    return true;
}

/* The first n of the variables that move: a->n_read or a->n_moving. False where the model has no
 * values for such states. */
static bool fill_moved(Auditing *a, const SimulateStep *step, double t, uint32_t draw, uint32_t n)
{
    count_fill(a);
    if (step->moved(step, t, draw, n, a->row, a->some))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        double value = a->value[a->to[k].i];
        a->moved[a->to[k].i] = value + a->units * (a->some[k] - value);
    }
    return true;
}

/* What is not among the columns of moving values, after the start and each event. */
static bool know_calm(Auditing *a, const SimulateStep *step)
{
    if (a->is_calm)
        return true;
    if (step->values(step, step->t0, a->v[0]))
        return false;
    for (uint32_t k = 0; k < a->n; k++)
        if (var_exists(a->var[k]))
            a->value[a->var[k].i] = a->v[0][k];
    AuditPoint p = point(a, step, step->t0);
    audit_calm(a->audit, &p);
    a->is_calm = true;
    return true;
}

/* Slopes of a->value at t, by the parabola through three nodes. */
static void find_slopes(Auditing *a, const double *tau, const double *const *node, double at,
                        double h)
{
    double d0 = ((at - tau[1]) + (at - tau[2])) / ((tau[0] - tau[1]) * (tau[0] - tau[2]));
    double d1 = ((at - tau[0]) + (at - tau[2])) / ((tau[1] - tau[0]) * (tau[1] - tau[2]));
    double d2 = ((at - tau[0]) + (at - tau[1])) / ((tau[2] - tau[0]) * (tau[2] - tau[1]));
    for (uint32_t k = 0; k < a->n_read; k++) {
        uint32_t v = a->to[k].i;
        a->rate[v] = (d0 * node[0][v] + d1 * node[1][v] + d2 * node[2][v]) / h;
    }
}

/* Equations without derivatives at a point, whose values and slopes are known. */
static void screen(Auditing *a, const SimulateStep *step, double t)
{
    AuditPoint p = point(a, step, t);
    uint32_t suspects = audit_screen(a->audit, &p);
    if (audit_screen_relations_differ(a->audit)) {
        know_unsure(a, step, t);
        suspects = audit_screen(a->audit, &p);
        audit_screen_relations(a->audit);
        audit_sure(a->audit);
    }
    if (suspects == 0)
        return;
    bool any = a->model->n_states == 0;
    for (uint32_t draw = 0; draw < DRAWS && a->model->n_states > 0; draw++)
        if (fill_moved(a, step, t, draw, a->n_read)) {
            audit_screen_moved(a->audit, t, a->moved);
            any = true;
        }
    if (any)
        audit_screen_judge(a->audit);
}

/* Simpson's rule, and that of Lobatto and Legendre for steps of order 5; the formula of Gauss and
 * Legendre, with the ends for the derivatives. */
static const double simpson_tau[] = {0, 0.5, 1}, simpson[] = {1. / 6, 4. / 6, 1. / 6};
static const double lobatto_tau[] = {0, 0.27639320225002103, 0.72360679774997897, 1};
static const double lobatto[] = {1. / 12, 5. / 12, 5. / 12, 1. / 12};
static const double gauss_tau[] = {0, 0.11270166537925831, 0.5, 0.88729833462074169, 1};
static const double gauss[] = {0, 5. / 18, 8. / 18, 5. / 18, 0};
enum { LAST = AUDIT_NODES - 1 };
typedef struct Rule {
    uint32_t n;
    const double *tau, *weight;
} Rule;
static const Rule rule_simpson = {3, simpson_tau, simpson},
                  rule_lobatto = {4, lobatto_tau, lobatto}, rule_gauss = {5, gauss_tau, gauss};

static AuditNodes nodes_of(const SimulateStep *step, Rule rule, uint32_t part, uint32_t parts)
{
    double span = step->t1 - step->t0;
    return (AuditNodes){.t0 = step->t0 + span * part / parts,
                        .h = span / parts,
                        .span = span,
                        .whole = step->h,
                        .n = rule.n,
                        .tau = rule.tau,
                        .weight = rule.weight};
}

/* The integrals by `parts` formulas, one after the other. */
static bool integrate_parts(Auditing *a, const SimulateStep *step, Rule rule, uint32_t parts)
{
    for (uint32_t i = 0; i < parts; i++) {
        AuditNodes n = nodes_of(step, rule, i, parts);
        for (uint32_t k = 0; k < n.n; k++) {
            n.value[k] = a->node[k];
            if (!fill(a, step, fmin(n.t0 + n.tau[k] * n.h, step->t1), a->node[k]))
                return false;
        }
        audit_integrate(a->audit, &n, i == 0);
    }
    return true;
}

/* What is suspect: the model with moved states says how much a tolerance is, and more nodes how
 * much is the quadrature. */
static bool look_closer(Auditing *a, const SimulateStep *step, const AuditPoint *middle)
{
    enum { COARSE = 4, FINER = 4, FINEST_PARTS = 64 };
    double span = step->t1 - step->t0;
    bool any = false;
    for (uint32_t draw = 0; draw < DRAWS; draw++)
        if (fill_moved(a, step, middle->t, draw, a->n_read)) {
            audit_integral_moved(a->audit, middle, span, a->moved, !any);
            any = true;
        }
    if (!any || audit_integral_explained(a->audit) == 0)
        return true;
    a->is_end_known = false;
    // both rules in turn: a kink near the beginning of the step, before the first node of Gauss in
    // all numbers of parts, costs that rule the same each time
    bool has_ends = false;
    for (uint32_t parts = COARSE; parts <= FINEST_PARTS; parts *= FINER, has_ends = !has_ends) {
        if (!integrate_parts(a, step, has_ends ? rule_lobatto : rule_gauss, parts))
            return false;
        if (audit_integral_judge(a->audit, middle, span, step->t1) == 0)
            break;
    }
    return true;
}

/* At events, where a relation may be either, by nodes inside. */
static bool look_at_step(Auditing *a, const SimulateStep *step, bool begins)
{
    Rule rule = begins || step->ends_in_event ? rule_gauss
                : step->is_multistep          ? rule_simpson
                                              : rule_lobatto;
    AuditNodes nodes = nodes_of(step, rule, 0, 1);
    uint32_t n = rule.n, at = n / 2;
    double span = nodes.span, middle = step->t0 + rule.tau[at] * span;
    if (!know_calm(a, step))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        double *to = k == at ? a->value : k == n - 1 ? a->node[LAST] : a->node[k];
        nodes.value[k] = to;
        if (k == 0 && a->is_end_known)
            memcpy(to, a->node[LAST], a->flat->sys->var.n * sizeof *to);
        else if (!fill(a, step, k == n - 1 ? step->t1 : step->t0 + rule.tau[k] * span, to))
            return false;
    }
    a->is_end_known = !step->ends_in_event;
    const double three[] = {0, rule.tau[at], 1};
    const double *value[] = {nodes.value[0], nodes.value[at], nodes.value[n - 1]};
    find_slopes(a, three, value, rule.tau[at], span);
    screen(a, step, middle);
    // a projection behind the step takes out of the states what rounding has moved across singular
    // constraints, which may be any number of tolerances
    if (step->is_projected)
        return true;
    AuditPoint p = point(a, step, middle);
    if (a->units_age == 0 && fill_moved(a, step, middle, 0, a->n_read))
        audit_integral_moved(a->audit, &p, span, a->moved, true);
    a->units_age = a->units_age == 0 ? UNITS_SERVE : a->units_age - 1;
    audit_integrate(a->audit, &nodes, true);
    return audit_integral_suspects(a->audit) == 0 || look_closer(a, step, &p);
}

/* Rows inside the step. */
static bool look_at_rows(Auditing *a, const SimulateStep *step, bool begins)
{
    for (uint64_t k = 0;; k++) {
        double t = step->next_row + (double)k * step->interval;
        /* a row at an event is a side of it */
        if (!(t <= step->t1) || t < step->t0 || (t >= step->t1 && step->ends_in_event))
            return true;
        if (begins && t == step->t0)
            continue;
        if (!fill(a, step, t, a->value))
            return false;
        screen(a, step, t);
    }
}

/* Where states begin is where they have ended. */
static void look_for_gaps(Auditing *a, const SimulateStep *step, bool begins)
{
    static const double ROUNDINGS = 4; // of the time
    uint32_t n = a->model->n_states;
    if (n == 0)
        return;
    // a projection behind the step moves states as far as the constraints are singular
    bool jumps = step->is_projected || (begins && a->may_jump);
    double span = step->t1 - step->t0;
    step->states(step, step->t0, a->x);
    step->states(step, step->t1, a->after);
    for (uint32_t k = 0; k < n && a->has_end && !jumps; k++) {
        double unit = a->units * step->unit(step, k, a->x[k]), gap = fabs(a->x[k] - a->end[k]);
        double slope = fmax(fabs(a->slope[k]), fabs(a->after[k] - a->x[k]) / span);
        unit += slope * ROUNDINGS * DBL_EPSILON * fabs(step->t0);
        if (gap > AUDIT_TOLERANCES * unit && var_exists(a->state[k]))
            audit_gap(a->audit, step->t0, a->state[k], a->end[k], a->x[k], gap / unit);
    }
    for (uint32_t k = 0; k < n; k++) {
        a->end[k] = a->after[k];
        a->slope[k] = (a->end[k] - a->x[k]) / span;
    }
    a->has_end = true;
}

int auditing_look(void *user, const SimulateStep *step)
{
    Auditing *a = user;
    bool is_start = !a->has_begun, ok = true;
    bool begins = is_start || step->n_events != a->n_events;
    if (is_start)
        begin(a, step);
    a->n_steps++;
    look_for_gaps(a, step, begins);
    double may = (double)(a->is_asked ? WORK_IF_ASKED : WORK_AT_FIRST) +
                 WORK_PER_EVALUATION * (double)step->evaluations * audit_cells(a->audit);
    bool has_work = (double)(audit_work(a->audit) + a->work) < may;
    if (begins) {
        a->is_calm = a->is_end_known = false;
        a->units_age = 0;
        audit_event(a->audit);
        if (is_start || has_work)
            ok = look_at_jump(a, step) && look_at_begin(a, step, is_start);
    }
    a->n_events = step->n_events;
    a->has_before = false;
    if (has_work && step->t1 > step->t0)
        ok = ok && look_at_step(a, step, begins) && look_at_rows(a, step, begins);
    else
        a->is_end_known = false;
    ok = ok && (!has_work || !step->ends_in_event || look_before(a, step));
    // the model may have no values beside its steps
    a->is_end_known = a->is_end_known && ok;
    a->n_passed_over += !has_work || !ok;
    if (!a->has_fault && audit_has_fault(a->audit)) {
        a->has_fault = true;
        a->pivoting_may_help = step->pivoting_may_help(step, audit_report(a->audit).fault[0].t);
    }
    return a->pivoting_may_help;
}

bool auditing_wants_pivoting(const Auditing *a)
{
    return a->pivoting_may_help;
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
    case AUDIT_STEP:
        return "equation";
    case AUDIT_UNDETERMINED:
        return "variable that the states do not determine";
    case AUDIT_GAP:
        return "state that begins elsewhere than it has ended";
    }
    return "";
}

/* The expression that the first derivative in x is of; EXPR_NONE: there is none. */
static ExprId differentiated(System *s, ExprId x)
{
    const ExprPool *p = s->pool;
    if (expr_op(p, x) == OP_DER)
        return expr_arg(p, x, 0);
    if (expr_op(p, x) == OP_VAR) {
        VarId of = s->var.at[expr_var_of(p, x).i].der_of;
        return var_exists(of) ? system_var_expr(s, of) : EXPR_NONE;
    }
    ExprId found = EXPR_NONE;
    for (uint32_t k = 0; k < expr_n_args(p, x) && !expr_exists(found); k++)
        found = differentiated(s, expr_arg(p, x, k));
    return found;
}

/* The expression whose derivative the equation of a fault uses, if that is no state; else
 * EXPR_NONE.
 */
static ExprId algebraic_differentiated(Auditing *a, const AuditFault *f)
{
    System *s = a->flat->sys;
    ExprId of = differentiated(s, f->left);
    of = expr_exists(of) ? of : differentiated(s, f->right);
    for (uint32_t k = 0; k < a->model->n_states && expr_exists(of); k++)
        if (var_exists(a->state[k]) && expr_same(of, system_var_expr(s, a->state[k])))
            return EXPR_NONE;
    return of;
}

/* Whether the defect of a step is that of a function that states its derivative (MLS 12.7.1), which
 * is another one by a small share: approximations of a function and of its inverse, as those of
 * media, agree to some digits. */
static bool is_of_stated_derivative(Auditing *a, const AuditFault *f)
{
    static const double SHARE = 2e-3;
    return a->has_stated_derivatives && f->kind == AUDIT_STEP &&
           fabs(f->lhs - f->rhs) <= SHARE * fmax(fabs(f->lhs), fabs(f->rhs)) &&
           expr_exists(algebraic_differentiated(a, f));
}

bool auditing_worst(Auditing *a, double *worst, double *bound, uint32_t *n)
{
    if (!a->audit)
        return false;
    AuditReport r = audit_report(a->audit);
    *worst = r.worst;
    *bound = AUDIT_TOLERANCES;
    *n = 0;
    for (uint32_t k = 0; k < r.n_faults; k++)
        *n += !is_of_stated_derivative(a, &r.fault[k]);
    return true;
}

/* An expression, or its beginning: an equation of a table may be long. */
static const char *short_text(Auditing *a, ExprId x)
{
    enum { LONGEST = 200 };
    const char *text = expr_text(a->flat->sys, x, a->mem);
    return strlen(text) <= LONGEST ? text : arena_printf(a->mem, "%.*s ...", (int)LONGEST, text);
}

/* The variable that an equation is for, by its looks: one that stands alone on a side, or whose
 * derivative does; else the first that it holds. */
static VarId determined(Auditing *a, const AuditFault *f)
{
    System *s = a->flat->sys;
    const ExprId side[2] = {f->left, f->right};
    for (int i = 0; i < 2; i++) {
        ExprId x = side[i];
        if (expr_op(s->pool, x) == OP_DER)
            x = expr_arg(s->pool, x, 0);
        if (expr_op(s->pool, x) == OP_VAR)
            return expr_var_of(s->pool, x);
    }
    ArenaMark mark = arena_mark(a->mem);
    bool *any = arena_array(a->mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        any[k] = true;
    VarId found = VAR_NONE;
    for (int i = 0; i < 2 && !var_exists(found); i++) {
        VarId *in;
        if (unknowns_of(s, any, side[i], UINT32_MAX - 1, a->mem, &in))
            found = in[0];
    }
    arena_rollback(a->mem, mark);
    return found;
}

static void print_fault(Auditing *a, const AuditFault *f)
{
    const char *where = diags_where(a->flat->sys->diags, f->span);
    fprintf(stderr, "rung: audit: %s%s", where, *where ? ": " : "");
    switch (f->kind) {
    case AUDIT_EVENT:
        fprintf(stderr, "t = %.9g: a relation changed without an event: %s\n", f->t,
                short_text(a, f->left));
        return;
    case AUDIT_CAUSE:
        fprintf(stderr, "an event at t = %.9g, where no relation changes\n", f->t);
        return;
    case AUDIT_UNDETERMINED:
        fprintf(stderr,
                "at t = %.9g the states do not determine %s = %.9g: one tolerance of each of them "
                "changes it by %.3g; take others (stateSelect, --states redundant)\n",
                f->t, short_text(a, f->left), f->lhs, f->rhs);
        return;
    case AUDIT_GAP:
        fprintf(stderr,
                "a step begins at t = %.9g with %s = %.9g, the last one ended with %.9g, %.3g "
                "tolerances apart\n",
                f->t, short_text(a, f->left), f->rhs, f->lhs, f->defect);
        return;
    default:
        break;
    }
    fprintf(stderr, "%s does not hold %s t = %.9g", kind_text(f->kind),
            f->kind == AUDIT_STEP ? "over the step to" : "at", f->t);
    VarId of = determined(a, f);
    if (var_exists(of))
        fprintf(stderr, " for '%s'", a->flat->sys->var.at[of.i].name.s);
    fprintf(stderr, ": %.9g %s %.9g", f->lhs,
            f->kind == AUDIT_STEP ? "on the left, in the mean," : "on the left,", f->rhs);
    fprintf(stderr, " on the right of %s = %s", short_text(a, f->left), short_text(a, f->right));
    if (f->origin && *f->origin)
        fprintf(stderr, " in %s", f->origin);
    fprintf(stderr, ", defect of %.3g tolerances\n", f->defect);
}

static void print_jump(Auditing *a, const AuditFault *f)
{
    const char *where = diags_where(a->flat->sys->diags, f->span);
    ExprId of = algebraic_differentiated(a, f);
    // a state does not jump: the quadrature has not resolved its rate
    if (!expr_exists(of))
        return;
    fprintf(stderr,
            "rung: warning: %s%sin the step to t = %.9g %s jumps without an event, and %s = %s "
            "uses its derivative, which does not contain the jump\n",
            where, *where ? ": " : "", f->t, short_text(a, of), short_text(a, f->left),
            short_text(a, f->right));
}

static void print_stated_derivative(Auditing *a, const AuditFault *f)
{
    const char *where = diags_where(a->flat->sys->diags, f->span);
    fprintf(stderr,
            "rung: warning: %s%sin the step to t = %.9g the derivative of %s is not the change of "
            "its values, %.9g and %.9g are the sides of %s = %s in the mean: a function states a "
            "derivative that is its own to some digits only\n",
            where, *where ? ": " : "", f->t, short_text(a, algebraic_differentiated(a, f)), f->lhs,
            f->rhs, short_text(a, f->left), short_text(a, f->right));
}

bool auditing_report(Auditing *a, FILE *summary)
{
    enum { SHOWN = 5 };
    if (!a->audit) {
        if (summary)
            fputs("audit: no step was made, nothing was looked at\n", summary);
        return true;
    }
    AuditReport r = audit_report(a->audit);
    if (summary) {
        fprintf(
            summary,
            "audit: %u equations over %llu of %llu steps, largest defect %.3g tolerances, bound %d",
            r.n_equations - r.n_open, (unsigned long long)(a->n_steps - a->n_passed_over),
            (unsigned long long)a->n_steps, r.worst, AUDIT_TOLERANCES);
        if (r.n_open)
            fprintf(summary, "; %u more hold texts, delays or external functions", r.n_open);
        fputc('\n', summary);
    }
    uint32_t n_shown = 0, n_stated = 0, n_faults = 0;
    for (uint32_t k = 0; k < r.n_faults; k++) {
        bool is_stated = is_of_stated_derivative(a, &r.fault[k]);
        n_stated += is_stated;
        n_faults += !is_stated;
        if (is_stated && n_stated == 1)
            print_stated_derivative(a, &r.fault[k]);
        else if (!is_stated && n_shown++ < SHOWN)
            print_fault(a, &r.fault[k]);
    }
    if (n_faults > SHOWN)
        fprintf(stderr, "rung: audit: %u more do not hold\n", n_faults - SHOWN);
    for (uint32_t k = 0; k < r.n_jumps && k < SHOWN; k++)
        print_jump(a, &r.jump[k]);
    return n_faults == 0;
}
