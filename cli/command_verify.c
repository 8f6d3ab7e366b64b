/* rung verify: the program put into the model's equations, with exact numbers. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "study/verification.h"
#include "translate/method.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A larger formal degree is not reported: each operation on a shared result can double it, and the
 * degree of an unreduced fraction is then far above the true one. */
static const double DEGREE_OF_USE = 1e12;

/* Schwartz and Zippel. */
static void print_bound(const VerifyReport *r)
{
    bool residues = r->done.residues > 0;
    unsigned points = residues ? r->done.residues : r->done.fractions;
    double range = residues ? (double)VERIFY_RESIDUES : (double)VERIFY_RANGE;
    if (r->degree < DEGREE_OF_USE)
        printf("  a wrong program passes with a probability below %.1e (degree %.3g)\n",
               pow(r->degree / range, points), r->degree);
    else
        printf("  a program wrong by fractions of degree d passes with a probability below\n"
               "  (d / %.1e)^%u: %.0e for d = 10^9\n",
               range, points, pow(1e9 / range, points));
}

static void put_report(Json *j, const VerifyReport *r)
{
    json_bool(j, "holds", r->ok);
    json_count(j, "points", r->done.residues);
    json_count(j, "points_wanted", r->wanted.residues);
    json_count(j, "points_in_fractions", r->done.fractions);
    json_count(j, "points_in_fractions_wanted", r->wanted.fractions);
    json_count(j, "equations", r->n_equations);
    json_count(j, "equations_of_cuts", r->n_cut);
    json_count(j, "equations_by_newton", r->n_newton);
    json_count(j, "equations_turned", r->n_turned);
    json_count(j, "equations_if_factors_are_zero", r->n_assumed);
    json_count(j, "equations_not_proved", r->n_skipped);
    json_count(j, "rows_of_derivatives", r->n_slopes);
    json_count(j, "integers_by_division", r->n_divided);
    json_number(j, "degree", r->degree, 6);
}

/* residual NULL: there is no such form, or it was not verified. */
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

static void print_points(const VerifyReport *r, const char *model)
{
    uint32_t n = r->done.residues, exact = r->done.fractions;
    printf("%s: %u equations hold", model, r->n_equations);
    if (exact)
        printf(" exactly at %u random points", exact);
    if (n)
        printf(exact ? ", and at %u modulo primes of 61 bits"
                     : " at %u random points modulo primes of 61 bits",
               n);
    putchar('\n');
}

static Exit report(const VerifyReport *r, Compilation *flat, const char *model)
{
    uint32_t wanted = r->wanted.residues + r->wanted.fractions;
    uint32_t poor = wanted - r->done.residues - r->done.fractions;
    if (r->ok && poor) {
        printf("%s: not proved, a division by zero at %u of %u random points\n", model, poor,
               wanted);
        return EXIT_MODEL;
    }
    if (r->ok && r->n_skipped == 0) {
        print_points(r, model);
        if (r->n_cut)
            printf("  %u more close the loops that are cut\n", r->n_cut);
        if (r->n_newton + r->n_turned)
            printf("  %u of them where Newton's method has found the unknowns of a loop\n",
                   r->n_newton + r->n_turned);
        if (r->n_assumed)
            printf("  %u of them if factors of derivatives are zero, which a run checks\n",
                   r->n_assumed);
        if (r->n_slopes)
            printf("  %u rows of derivatives and of Newton's iterations are exact along random "
                   "directions\n",
                   r->n_slopes);
        if (r->n_divided)
            printf("  Integers that are found by division, which a run checks to be whole numbers: "
                   "%u, '%s' first\n",
                   r->n_divided, flat->sys->var.at[r->divided.i].name.s);
        print_bound(r);
        if (verify_has_conditions(flat->sys))
            printf("  a branch behind k conditions is not tested with a probability of"
                   " (1 - 2^-k)^%u\n",
                   r->done.residues);
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
    if (var_exists(r->failed_whole)) {
        const Var *v = &flat->sys->var.at[r->failed_whole.i];
        diag_error(flat->diags, v->span, "E02",
                   "the equations hold for a fraction as the value of '%s', which is an Integer",
                   v->name.s);
        return compilation_report(flat, stderr);
    }
    if (var_exists(r->failed_rate)) {
        const Var *v = &flat->sys->var.at[r->failed_rate.i];
        diag_error(flat->diags, v->span, "E02",
                   "der(%s) of the program is not the derivative of its %s", v->name.s, v->name.s);
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

/* Several equations may miss one residual, of which a sum of them was made. */
static bool residual_is_proved(const VerifyReport *r)
{
    return r->ok && r->n_skipped == 0;
}

/* The same equations with the tearing variables given: all hold but the residual equations, whose
 * residuals are those of the residual form. */
static Exit report_residual(const VerifyReport *r, Compilation *flat, uint32_t n, const Frames *f)
{
    if (residual_is_proved(r)) {
        printf("  residual form: exact, too; with random numbers for accelerations its %u "
               "residuals are\n  those of %u equations%s, all others hold\n",
               n, r->n_newton + r->n_turned, r->n_turned ? ", some of them in other frames" : "");
        return EXIT_GOOD;
    }
    if (r->ok) {
        printf("  residual form: not proved, %u equations have residuals that the form lacks\n",
               r->n_skipped);
        if (f->n_rates + f->n_points == 0)
            return EXIT_MODEL;
        printf("  since it has angular accelerations, or torques about other points, in their "
               "place\n");
        return EXIT_GOOD;
    }
    diag_error(flat->diags, flat->sys->eq.at[r->failed.i].span, "E02",
               "the residual form does not satisfy this equation: %s = %s",
               expr_text(flat->sys, flat->sys->eq.at[r->failed.i].lhs, flat->mem),
               expr_text(flat->sys, flat->sys->eq.at[r->failed.i].rhs, flat->mem));
    return compilation_report(flat, stderr);
}

static bool write(const Verification *v, const char *file)
{
    FILE *f = fopen(file, "w");
    if (f)
        verification_certificate(v, f);
    bool good = f && !ferror(f);
    if (f && fclose(f) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "rung: cannot write '%s': %s\n", file, strerror(errno));
    return good;
}

Exit command_verify(const Options *o)
{
    if (o->method && !method_known(o->method))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    VerificationRequest r = {
        .translation = request_of(o),
        .points = o->points >= 1 ? (uint32_t)o->points : 0,
        .in_fractions = o->rational,
    };
    Verification v;
    Exit status = verification_make(&r, &v, mem);
    bool may_certify = status == EXIT_GOOD && v.program.ok && o->certificate;
    if (may_certify && v.program.n_assumed) {
        fputs("rung: no certificate: equations hold if factors of derivatives are zero, which only "
              "runs check\n",
              stderr);
        status = EXIT_MODEL;
    } else if (may_certify && !write(&v, o->certificate)) {
        status = EXIT_USAGE;
    }
    if (status == EXIT_GOOD) {
        bool json = options_want_json(o);
        // where it fails the text is the error
        status = json && v.program.ok ? verify_is_proved(&v.program) ? EXIT_GOOD : EXIT_MODEL
                                      : report(&v.program, v.flat, v.c->request.model);
        bool has_residual = status == EXIT_GOOD && v.n_residuals > 0;
        if (has_residual && !(json && residual_is_proved(&v.residual)))
            status = report_residual(&v.residual, v.flat, v.n_residuals, &v.c->dae.frames);
        if (!json && status == EXIT_GOOD && v.only_method)
            printf("  derivatives: those of the method %s alone (--method)\n", v.only_method);
        if (json)
            print_json(v.c, &v.program, has_residual ? &v.residual : NULL, status == EXIT_GOOD);
    }
    verification_free(&v);
    arena_free(mem);
    return status;
}
