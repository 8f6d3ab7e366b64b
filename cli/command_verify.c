/* rung verify: the program put into the model's equations, with exact numbers. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "eliminate/forms/linearisation.h"
#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/verify/verify.h"
#include "translate/driver.h"

#include <math.h>
#include <stdio.h>

/* Schwartz and Zippel. The degree is that of fractions that are never reduced, which operations on
 * shared results can double each time: then only the real, unknown degree gives a bound. */
static void print_bound(const VerifyReport *r)
{
    double each = r->degree / (double)VERIFY_RANGE;
    if (each < 0.5)
        printf("  a wrong program passes with a probability below %.1e (degree %.3g)\n",
               pow(each, r->n_points), r->degree);
    else
        printf("  a wrong program passes with a probability below (degree / 2^61)^%u\n",
               r->n_points);
}

static void put_report(Json *j, const VerifyReport *r)
{
    json_bool(j, "holds", r->ok);
    json_count(j, "points", r->n_points);
    json_count(j, "points_wanted", r->n_wanted);
    json_count(j, "equations", r->n_equations);
    json_count(j, "equations_of_cuts", r->n_cut);
    json_count(j, "equations_by_newton", r->n_newton);
    json_count(j, "equations_turned", r->n_turned);
    json_count(j, "equations_not_proved", r->n_skipped);
    json_count(j, "rows_of_derivatives", r->n_slopes);
    json_number(j, "degree", r->degree, 6);
}

/* residual NULL: there is no such form, or it was not looked at. */
static void print_json(Compilation *c, const VerifyReport *r, const VerifyReport *residual,
                       bool proved)
{
    Text t = text_new(c->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", c->request.model);
    json_bool(&j, "proved", proved);
    put_report(&j, r);
    if (residual) {
        json_object(&j, "residual_form");
        put_report(&j, residual);
        json_close(&j);
    }
    json_close(&j);
    puts(t.at);
}

static Exit report(const VerifyReport *r, Compilation *flat, const char *model)
{
    if (r->ok && r->n_points < r->n_wanted) {
        printf("%s: not proved, a division by zero at %u of %u random points\n", model,
               r->n_wanted - r->n_points, r->n_wanted);
        return EXIT_MODEL;
    }
    if (r->ok && r->n_skipped == 0) {
        printf("%s: %u equations hold exactly at %u random points\n", model, r->n_equations,
               r->n_points);
        if (r->n_cut)
            printf("  %u more close the loops that are cut\n", r->n_cut);
        if (r->n_newton + r->n_turned)
            printf("  %u of them where Newton's method has found the unknowns of a loop\n",
                   r->n_newton + r->n_turned);
        if (r->n_slopes)
            printf("  %u rows of derivatives and of Newton's iterations are exact along random "
                   "directions\n",
                   r->n_slopes);
        print_bound(r);
        return EXIT_GOOD;
    }
    if (r->ok) {
        printf("%s: %u equations hold exactly, %u hold unknowns that are found numerically and are"
               " not proved\n",
               model, r->n_equations - r->n_skipped, r->n_skipped);
        return EXIT_MODEL;
    }
    if (r->failed_slope) {
        diag_error(flat->diags, SPAN_NONE, "E02",
                   "derivatives of the program are wrong: %s, row %u", r->failed_slope,
                   r->failed_row + 1);
        return compilation_report(flat, stderr);
    }
    if (r->failed_cut != UINT32_MAX) {
        diag_error(flat->diags, flat->sys->cut.at[0].span, "E02",
                   "the program does not close the loops that are cut, here among them: constraint"
                   " %u of %u",
                   r->failed_cut + 1, r->n_cut);
        return compilation_report(flat, stderr);
    }
    diag_error(flat->diags, flat->sys->eq.at[r->failed.i].span, "E02",
               "the program does not satisfy this equation: %s = %s",
               expr_text(flat->sys, flat->sys->eq.at[r->failed.i].lhs, flat->mem),
               expr_text(flat->sys, flat->sys->eq.at[r->failed.i].rhs, flat->mem));
    return compilation_report(flat, stderr);
}

static bool residual_is_proved(const VerifyReport *r, uint32_t n)
{
    return r->ok && r->n_newton <= n && r->n_skipped == 0;
}

/* The same equations with the tearing variables given: all hold but the residual equations, which
 * are off by what the residual form says. */
static Exit report_residual(const VerifyReport *r, Compilation *flat, uint32_t n)
{
    if (residual_is_proved(r, n)) {
        printf(
            "  residual form: exact, too; with random numbers for accelerations its %u residuals "
            "are\n  what %u equations miss%s, all others hold\n",
            n, r->n_newton + r->n_turned, r->n_turned ? ", some of them in other frames" : "");
        return EXIT_GOOD;
    }
    if (r->ok) {
        printf("  residual form: not proved, %u equations miss what is no residual\n",
               r->n_skipped);
        return EXIT_MODEL;
    }
    diag_error(flat->diags, flat->sys->eq.at[r->failed.i].span, "E02",
               "the residual form does not satisfy this equation: %s = %s",
               expr_text(flat->sys, flat->sys->eq.at[r->failed.i].lhs, flat->mem),
               expr_text(flat->sys, flat->sys->eq.at[r->failed.i].rhs, flat->mem));
    return compilation_report(flat, stderr);
}

Exit command_verify(const Options *o)
{
    Arena *mem = arena_new();
    Request r = request_of(o);
    r.states = STATES_DEFAULT; /* redundant ones satisfy the equations on the constraints alone */
    Compilation *c = compilation_open(&r, mem);
    bool ok = c && driver_run(c, NULL);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        /* with all that is made for implicit methods */
        jacobian_of_states(&c->dae.solution.program, JACOBIAN_NODES, c->scratch);
        jacobian_of_inputs(&c->dae.solution.program, JACOBIAN_NODES, c->scratch);
        LinearisationChoice choice = linearisation_top_level(&c->dae.solution.program, c->mem);
        linearisation_make(&c->dae, &choice, JACOBIAN_NODES, c->scratch);
        residual_form_make(&c->dae, JACOBIAN_NODES, c->scratch);
        newton_system_make(&c->dae, NEWTON_STEP, c->scratch);
        /* the equations as written: a second flattening, in a pool that merges nothing */
        Request plain = c->request;
        plain.plain_consing = true;
        Compilation *flat = compilation_open(&plain, mem);
        if (driver_run(flat, driver_find("loops"))) {
            uint32_t points = isnan(o->points) || o->points < 1 ? 3 : (uint32_t)o->points;
            const LoopCut *cut = flat->dae.loops.n_loops ? &flat->dae.loops : NULL;
            VerifyReport r = verify(&c->dae.solution.program, flat->sys, cut, points);
            bool json = options_want_json(o);
            bool proved = r.ok && r.n_points == r.n_wanted && r.n_skipped == 0;
            // where it fails the text is the error
            status =
                json && r.ok ? proved ? EXIT_GOOD : EXIT_MODEL : report(&r, flat, c->request.model);
            const ResidualForm *residual = c->dae.solution.program.residual;
            bool has_residual = status == EXIT_GOOD && residual && residual->n > 0;
            VerifyReport second = {0};
            if (has_residual)
                second = verify(residual->program, flat->sys, NULL, points);
            if (has_residual && !(json && residual_is_proved(&second, residual->n)))
                status = report_residual(&second, flat, residual->n);
            if (json)
                print_json(c, &r, has_residual ? &second : NULL, status == EXIT_GOOD);
        } else {
            status = compilation_report(flat, stderr);
        }
        compilation_free(flat);
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
