#include "study/run_report.h"

#include "base/json.h"

#include <math.h>
#include <stdio.h>

enum { DIGITS = 17 };

static void put_counts(Json *j, const SimulateSummary *s)
{
    json_count(j, "steps", s->counts.steps);
    json_count(j, "rejected", s->counts.rejected);
    json_count(j, "evaluations", s->counts.evaluations);
    json_count(j, "jacobians", s->counts.jacobians);
    json_count(j, "factorisations", s->counts.factorisations);
    json_count(j, "iterations", s->counts.iterations);
    if (s->counts.rates) {
        json_number(j, "newton_rate", exp(s->counts.log_rates / (double)s->counts.rates), DIGITS);
        json_number(j, "worst_newton_rate", s->counts.worst_rate, DIGITS);
    }
    json_count(j, "events", s->events);
    json_count(j, "event_values", s->counts.event_values);
    json_count(j, "rows", s->rows);
    json_count(j, "fallbacks", s->counts.fallbacks);
}

/* Residuals of the equations of closed loops at the ends of steps, and the audit's of all
 * equations. */
static void put_residuals(Json *j, const Simulation *it, const SimulateSummary *s)
{
    double worst = 0, bound;
    uint32_t faults;
    json_object(j, "residuals");
    if (s->has_loops) {
        json_number(j, "phi", s->worst_phi, DIGITS);
        json_number(j, "phi_dot", s->worst_phi_dot, DIGITS);
        worst = fmax(s->worst_phi, s->worst_phi_dot);
    }
    if (s->has_balances) {
        json_number(j, "balance", s->worst_balance, DIGITS);
        worst = fmax(worst, s->worst_balance);
    }
    // no residual was measured: null
    json_number(j, "worst", s->has_loops || s->has_balances ? worst : NAN, DIGITS);
    json_close(j);
    double defect = 0;
    if (!it->audit || !auditing_worst(it->audit, &defect, &bound, &faults))
        return;
    json_object(j, "audit");
    json_number(j, "worst", defect, DIGITS);
    json_number(j, "bound", bound, DIGITS);
    json_count(j, "violated", faults);
    json_close(j);
}

static void put_profile(Json *j, const Profile *p)
{
    json_object(j, "profile");
    for (int k = 0; k < PROFILE_PARTS; k++)
        json_number(j, profile_names[k], p->seconds[k], 4);
    json_close(j);
}

void run_report_print(const Simulation *it, const RunReport *r)
{
    const SimulateSummary *s = r->summary;
    Text text = text_new(it->mem);
    Json j = json_new(&text);
    json_object(&j, NULL);
    json_text(&j, "model", it->request.translation.model);
    json_count(&j, "status", (uint64_t)r->status);
    json_text(&j, "error", s->error);
    json_text(&j, "method", s->method ? s->method : "");
    if (s->later_method) {
        json_text(&j, "later_method", s->later_method);
        json_number(&j, "later_from", s->later_t, DIGITS);
        json_count(&j, "method_changes", s->n_changes);
    }
    json_number(&j, "start", s->start, DIGITS);
    json_number(&j, "stop", s->stop, DIGITS);
    json_number(&j, "reached", s->t, DIGITS);
    json_number(&j, "tolerance", s->tolerance, DIGITS);
    json_number(&j, "interval", s->interval, DIGITS);
    put_counts(&j, s);
    put_residuals(&j, it, s);
    if (it->error)
        error_estimate_json(it->error, &j);
    json_object(&j, "seconds");
    json_number(&j, "translate", it->seconds, 4);
    json_number(&j, "compile", it->build.seconds, 4);
    json_number(&j, "run", s->wall, 4);
    json_close(&j);
    if (it->request.is_profiled)
        put_profile(&j, &it->profile);
    json_bool(&j, "compiled", !it->build.from_cache);
    json_object(&j, "files");
    if (r->result)
        json_text(&j, "result", r->result);
    if (r->plot)
        json_text(&j, "plot", r->plot);
    if (r->state)
        json_text(&j, "state", r->state);
    json_close(&j);
    json_close(&j);
    puts(text.at);
}
