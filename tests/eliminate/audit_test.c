/* Trajectories that are exact, and such that are wrong in one place, against the flat equations. */
#include "eliminate/verify/audit.h"

#include "tests/eliminate/model.h"

#include <math.h>

static const char oscillator[] = "model M Real x(start = 1, fixed = true), v(fixed = true);\n"
                                 "equation der(x) = v; der(v) = -x; end M;";
static const double BOUND = 1e-6;

/* A model and a point of its trajectory. */
typedef struct Watch {
    Model m;
    Audit *a;
    double *value, *rate;
} Watch;

static Watch watch(const char *text)
{
    Watch w = {.m = model_flat(text, false)};
    w.a = audit_new(w.m.dae.sys, BOUND, 1e-6, NULL, w.m.mem);
    uint32_t n = w.m.dae.sys->var.n;
    w.value = arena_array(w.m.mem, double, n);
    w.rate = arena_array(w.m.mem, double, n);
    return w;
}

static AuditPoint at(Watch *w, double t, const char *name, double value, double rate)
{
    uint32_t v = model_var(&w->m, name).i;
    w->value[v] = value;
    w->rate[v] = rate;
    return (AuditPoint){.t = t, .step = 0.01, .value = w->value, .rate = w->rate};
}

/* The oscillator from 0 to 2 in 20 steps, x = size cos t, v = -size (1 + rate_error) sin t, by
 * Simpson's rule; `moved`: the states are off by one tolerance of 1e-6. */
static AuditReport swing(Watch *w, double size, double rate_error)
{
    static const double tau[] = {0, 0.5, 1}, weight[] = {1. / 6, 4. / 6, 1. / 6};
    uint32_t n = w->m.dae.sys->var.n, x = model_var(&w->m, "x").i, v = model_var(&w->m, "v").i;
    double *value[4];
    for (int k = 0; k < 4; k++)
        value[k] = arena_array(w->m.mem, double, n);
    audit_prepare(w->a, NULL);
    at(w, 0, "x", size, 0);
    AuditPoint start = at(w, 0, "v", 0, -size);
    start.is_start = true;
    audit_begin(w->a, &start);
    audit_begin_judge(w->a);
    audit_calm(w->a, &start);
    for (int step = 0; step < 20; step++) {
        AuditNodes nodes = {.t0 = 0.1 * step, .h = 0.1, .span = 0.1, .whole = 0.1, .n = 3};
        nodes.tau = tau;
        nodes.weight = weight;
        for (uint32_t k = 0; k < 3; k++) {
            double t = nodes.t0 + tau[k] * nodes.h;
            value[k][x] = size * cos(t);
            value[k][v] = -size * (1 + rate_error) * sin(t);
            nodes.value[k] = value[k];
        }
        value[3][x] = value[1][x] + 1e-6;
        value[3][v] = value[1][v] - 1e-6;
        AuditPoint middle = {.t = nodes.t0 + 0.05, .step = 0.1, .value = value[1], .rate = w->rate};
        audit_integral_moved(w->a, &middle, nodes.span, value[3], true);
        audit_integrate(w->a, &nodes, true);
        audit_screen(w->a, &middle);
        if (!audit_integral_suspects(w->a))
            continue;
        audit_integral_moved(w->a, &middle, nodes.span, value[3], true);
        if (audit_integral_explained(w->a) &&
            audit_integral_judge(w->a, &middle, nodes.h, nodes.t0 + nodes.h))
            audit_integral_judge(w->a, &middle, nodes.h, nodes.t0 + nodes.h);
    }
    return audit_report(w->a);
}

Test(audit, an_exact_trajectory_passes)
{
    Watch w = watch(oscillator);
    AuditReport r = swing(&w, 1, 0);
    cr_assert_eq(r.n_equations, 2);
    cr_assert_eq(r.n_open, 0);
    cr_assert_eq(r.n_faults, 0);
    cr_assert_lt(r.worst, 1);
    model_done(&w.m);
}

/* der(x) = v: the integral of v over a step is off by 1 % of the way that x goes in it. */
Test(audit, a_wrong_derivative_is_found)
{
    Watch w = watch(oscillator);
    AuditReport r = swing(&w, 1, 0.01);
    cr_assert_eq(r.n_faults, 2);
    const AuditFault *f = r.fault;
    cr_assert_eq(f->kind, AUDIT_STEP);
    double way = cos(1.5) - cos(1.6);
    double off = 0.1 * fabs(f->lhs - f->rhs);
    cr_assert(off <= 1.01e-2 * 0.1 && off > 0.9e-2 * way);
    const char *place = diags_where(w.m.diags, f->span);
    cr_assert_eq(strncmp(place, "M.mo:2:", 7), 0, "%s", place);
    cr_assert_gt(f->defect, AUDIT_TOLERANCES);
    cr_assert_eq(f->defect, r.worst);
    model_done(&w.m);
}

/* One that is off by less than a few tolerances is not. */
Test(audit, what_tolerances_explain_is_no_fault)
{
    Watch w = watch(oscillator);
    AuditReport r = swing(&w, 1, 2e-5);
    cr_assert_eq(r.n_faults, 0);
    cr_assert(r.worst > 0.1 && r.worst < AUDIT_TOLERANCES, "%g", r.worst);
    model_done(&w.m);
}

Test(audit, a_wrong_start_value_is_found)
{
    Watch w = watch(oscillator);
    AuditReport r = swing(&w, 1.01, 0); /* a solution from elsewhere */
    cr_assert_eq(r.n_faults, 1);
    cr_assert_eq(r.fault[0].kind, AUDIT_FIXED);
    cr_assert_eq(r.fault[0].lhs, 1.01);
    cr_assert_eq(r.fault[0].rhs, 1);
    model_done(&w.m);
}

/* y = x^2 with an error of ten tolerances in y is a fault, unless an error of one tolerance in x
 * gives the same residual, as in a constraint that projections keep. */
Test(audit, moved_states_say_what_a_tolerance_is)
{
    for (int moves = 0; moves < 2; moves++) {
        Watch w = watch("model M Real x(start = 1), y; equation der(x) = 0; y = x^2; end M;");
        audit_prepare(w.a, NULL);
        at(&w, 0, "x", 1, 0);
        AuditPoint p = at(&w, 0, "y", 1 + 1e-5, 0);
        audit_calm(w.a, &p);
        cr_assert_eq(audit_screen(w.a, &p), 1);
        uint32_t n = w.m.dae.sys->var.n;
        double *moved = arena_array(w.m.mem, double, n);
        moved[model_var(&w.m, "x").i] = 1 + 1e-6;
        moved[model_var(&w.m, "y").i] = moves ? 1 + 1e-5 : 1 + 1e-5 + 2e-6;
        audit_screen_moved(w.a, 0, moved);
        audit_screen_judge(w.a);
        cr_assert_eq(audit_report(w.a).n_faults, moves ? 0 : 1);
        model_done(&w.m);
    }
}

/* A step begins where the last one has ended. */
Test(audit, a_gap_is_found)
{
    Watch w = watch(oscillator);
    audit_prepare(w.a, NULL);
    audit_gap(w.a, 1, model_var(&w.m, "x"), 0.5, 0.6, 1e5);
    AuditReport r = audit_report(w.a);
    cr_assert_eq(r.n_faults, 1);
    cr_assert(r.fault[0].kind == AUDIT_GAP && r.fault[0].lhs == 0.5 && r.fault[0].rhs == 0.6);
    model_done(&w.m);
}

Test(audit, a_relation_changes_at_events_only)
{
    for (int event = 0; event < 2; event++) {
        Watch w = watch("model M Real x; Boolean b; equation der(x) = 1; b = x > 0.5; end M;");
        at(&w, 0.25, "b", 0, 0);
        AuditPoint p = at(&w, 0.25, "x", 0.25, 1);
        audit_point(w.a, &p);
        if (event)
            audit_event(w.a);
        at(&w, 0.75, "b", 1, 0);
        p = at(&w, 0.75, "x", 0.75, 1);
        audit_point(w.a, &p);
        AuditReport r = audit_report(w.a);
        cr_assert_eq(r.n_faults, event ? 0 : 1);
        if (!event)
            cr_assert(r.fault[0].kind == AUDIT_EVENT && r.fault[0].t == 0.75);
        model_done(&w.m);
    }
}

/* x has passed 0.5 a millisecond ago, and b has not become true. */
Test(audit, events_are_late_by_the_time_that_they_may)
{
    for (int late = 0; late < 2; late++) {
        Watch w = watch("model M Real x; Boolean b; equation der(x) = 1; b = x > 0.5; end M;");
        at(&w, 0.501, "b", 0, 0);
        AuditPoint p = at(&w, 0.501, "x", 0.501, 1);
        p.late = late ? 2e-3 : 0.5e-3;
        audit_point(w.a, &p);
        cr_assert_eq(audit_report(w.a).n_faults, late ? 0 : 1);
        model_done(&w.m);
    }
}

/* Where a step begins der(x) = 0 does not hold; behind it, it does or does not. */
Test(audit, what_a_step_hides_at_its_beginning_is_judged_behind_it)
{
    for (int dies_out = 0; dies_out < 2; dies_out++) {
        Watch w =
            watch("model M Real x; initial equation der(x) = 0; equation der(x) = -x; end M;");
        AuditPoint p = at(&w, 0, "x", 0, -100);
        p.is_start = true;
        audit_begin(w.a, &p);
        p = at(&w, 1e-4, "x", 0, dies_out ? 0 : -100);
        p.is_start = true;
        audit_behind(w.a, &p);
        AuditReport r = audit_report(w.a);
        cr_assert_eq(r.n_faults, dies_out ? 0 : 1);
        cr_assert(dies_out || r.fault[0].t == 1e-4);
        model_done(&w.m);
    }
}

/* Values of clauses are evaluated at events, so that their relations make none. */
Test(audit, a_relation_in_the_value_of_a_clause_makes_no_event)
{
    Watch w = watch("model M Real x; Boolean b; discrete Real a; Integer n; equation der(x) = 1;\n"
                    "  b = x > 5; algorithm when b then a := 2*x; n := if a > 1 then 1 else 0;\n"
                    "  end when; end M;");
    at(&w, 0, "b", 0, 0);
    at(&w, 0, "a", 0, 0);
    at(&w, 0, "n", 0, 0);
    AuditPoint p = at(&w, 0, "x", 0.4, 1);
    audit_point(w.a, &p);
    p = at(&w, 0.2, "x", 0.6, 1);
    audit_point(w.a, &p);
    cr_assert_eq(audit_report(w.a).n_faults, 0);
    p = at(&w, 5, "x", 5.6, 1);
    audit_point(w.a, &p);
    cr_assert_neq(audit_report(w.a).n_faults, 0);
    model_done(&w.m);
}

/* At an event of the second relation the first one is found to have changed before, or is at zero
 * as well; and an event at which none is at zero has no cause. */
Test(audit, relations_before_an_event_are_as_they_were)
{
    static const struct {
        double x, y;
        bool is_known; /* the relations were looked at before */
        uint32_t n_faults;
        AuditKind kind;
    } run[] = {{0.4, 1, true, 0, AUDIT_EVENT},
               {0.5, 1, true, 0, AUDIT_EVENT},
               {0.6, 1, true, 1, AUDIT_EVENT},
               {0.6, 1, false, 0, AUDIT_EVENT},
               {0.4, 0.9, true, 1, AUDIT_CAUSE}};
    for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
        Watch w = watch("model M Real x, y; Boolean b, c; equation der(x) = 1; der(y) = 1;\n"
                        "  b = x > 0.5; c = y > 1; end M;");
        at(&w, 0, "b", 0, 0);
        at(&w, 0, "c", 0, 0);
        at(&w, 0, "x", 0.1, 1);
        AuditPoint p = at(&w, 0, "y", 0.7, 1);
        audit_point(w.a, &p);
        if (!run[k].is_known)
            audit_event(w.a);
        at(&w, 1, "x", run[k].x, 1);
        p = at(&w, 1, "y", run[k].y, 1);
        audit_before(w.a, &p);
        AuditReport r = audit_report(w.a);
        cr_assert_eq(r.n_faults, run[k].n_faults, "run %zu: %u", k, r.n_faults);
        if (r.n_faults)
            cr_assert(r.fault[0].kind == run[k].kind && r.fault[0].t == 1);
        model_done(&w.m);
    }
}

/* A relation that has changed unseen is a fault unless an error of a tenth of that in x, which is a
 * tolerance, changes it: as the voltage of an open diode at an inductance, which a tolerance of the
 * current moves by any number of volts. */
Test(audit, moved_states_say_which_relations_are_sure)
{
    static const double moved_by[] = {0, 0.005, 0.02};
    for (int k = 0; k < 3; k++) {
        Watch w = watch("model M Real x, y; Boolean b, c; equation der(x) = 1; der(y) = 1;\n"
                        "  b = 1000*x > 500; c = y > 1; end M;");
        audit_prepare(w.a, NULL);
        at(&w, 0, "b", 0, 0);
        at(&w, 0, "c", 0, 0);
        at(&w, 0, "x", 0.1, 1);
        AuditPoint p = at(&w, 0, "y", 0.7, 1);
        audit_calm(w.a, &p);
        cr_assert(audit_unsure(w.a, 0, w.value)); // before the first point nothing is known
        audit_point(w.a, &p);
        cr_assert(!audit_unsure(w.a, 0, w.value));
        at(&w, 1, "x", 0.6, 1);
        p = at(&w, 1, "y", 1, 1);
        cr_assert(audit_unsure(w.a, 1, w.value));
        uint32_t n = w.m.dae.sys->var.n;
        double *moved = arena_array(w.m.mem, double, n);
        memcpy(moved, w.value, n * sizeof *moved);
        moved[model_var(&w.m, "x").i] += moved_by[k];
        audit_unsure_moved(w.a, 1, moved);
        audit_before(w.a, &p);
        audit_sure(w.a);
        cr_assert_eq(audit_report(w.a).n_faults, moved_by[k] < 0.01 ? 1 : 0, "%d", k);
        model_done(&w.m);
    }
}

/* One event, at which `name` goes from `before` to `after` while x goes past 0.5, or over it; what
 * that is found to have done wrong. */
static AuditReport jump(Watch *w, double x, const char *name, double before, double after)
{
    uint32_t v = model_var(&w->m, name).i;
    AuditPoint left = at(w, 1, "x", 0.5 - x, 1);
    uint32_t n = w->m.dae.sys->var.n;
    double *was = arena_array(w->m.mem, double, n);
    w->value[v] = before;
    memcpy(was, w->value, n * sizeof *was);
    left.value = was;
    audit_before(w->a, &left);
    AuditPoint right = at(w, 1, "x", 0.5 + x, 1);
    w->value[v] = after;
    audit_jump(w->a, &right, false);
    AuditReport r = audit_report(w->a);
    AuditFault *done = arena_array(w->m.mem, AuditFault, r.n_faults + 1);
    uint32_t n_done = 0;
    for (uint32_t k = 0; k < r.n_faults; k++)
        if (r.fault[k].kind == AUDIT_JUMP)
            done[n_done++] = r.fault[k];
    r.fault = done;
    r.n_faults = n_done;
    return r;
}

Test(audit, a_wrong_result_of_a_when_clause_is_found)
{
    static const struct {
        double x, n;
        bool is_right;
    } run[] = {{0.1, 3, true}, {0.1, 2, false}, {0.1, 4, false}, /* certainly true after it */
               {0, 3, true},   {0, 2, true},    {0, 4, false}};  /* may be either            */
    for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
        Watch w = watch("model M Real x; Integer n; equation der(x) = 1;\n"
                        "  when x > 0.5 then n = pre(n) + 1; end when; end M;");
        AuditReport r = jump(&w, run[k].x, "n", 2, run[k].n);
        cr_assert_eq(r.n_faults, run[k].is_right ? 0 : 1, "run %zu", k);
        if (r.n_faults)
            cr_assert(r.fault[0].kind == AUDIT_JUMP && r.fault[0].lhs == run[k].n);
        model_done(&w.m);
    }
}

Test(audit, what_remembers_itself_does_not_change_too_early)
{
    for (int early = 0; early < 2; early++) {
        Watch w = watch(early ? "model M Real x; Boolean b(start = true); equation der(x) = 1; "
                                "b = x < 2 and (pre(b) or x < 0.1); end M;"
                              : "model M Real x; Boolean b(start = true); equation der(x) = 1; "
                                "b = x < 0.5 and (pre(b) or x < 0.1); end M;");
        AuditReport r = jump(&w, 1e-9, "b", 1, 0);
        cr_assert_eq(r.n_faults, (uint32_t)early);
        model_done(&w.m);
    }
}

Test(audit, a_wrong_restart_is_found)
{
    static const struct {
        double x, v;
        bool is_right;
    } run[] = {{0, 2, true},   {0, -4, true},    {0, 1, false},    /* bounced, passed, too slow */
               {0.1, 2, true}, {0.1, -4, false}, {0.1, 1, false}}; /* certainly true after it   */
    for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
        Watch w = watch("model M Real x, v; equation der(x) = 1; der(v) = -9.81;\n"
                        "  when x > 0.5 then reinit(v, -0.5*v); end when; end M;");
        AuditReport r = jump(&w, run[k].x, "v", -4, run[k].v);
        cr_assert_eq(r.n_faults, run[k].is_right ? 0 : 1, "run %zu", k);
        if (r.n_faults)
            cr_assert(r.fault[0].kind == AUDIT_JUMP && r.fault[0].rhs == 2);
        model_done(&w.m);
    }
}

/* The size of the terms of asin(x) grows without bound towards 1, its part in the product is
 * nothing. */
Test(audit, what_is_multiplied_by_nothing_has_no_size)
{
    for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
        Watch w = watch("model M Real x(start = 1), y, z; equation der(x) = 0;\n"
                        "  y = z*asin(x); z = x - 1; end M;");
        at(&w, 0, "x", 1, 0);
        at(&w, 0, "z", 0, 0);
        AuditPoint p = at(&w, 0, "y", is_wrong ? 1e-3 : 1e-17, 0);
        audit_point(w.a, &p);
        AuditReport r = audit_report(w.a);
        cr_assert_eq(r.n_faults, (uint32_t)is_wrong);
        model_done(&w.m);
    }
}
