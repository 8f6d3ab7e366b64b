/* rung compare: a trajectory against a reference. */
#include "base/json.h"
#include "cli/command.h"
#include "study/comparison.h"

#include <math.h>
#include <stdio.h>

static void put_signal(Json *j, const SignalFit *v)
{
    static const char *const status[] = {
        [FIT_INSIDE] = "inside", [FIT_OUTSIDE] = "outside", [FIT_MISSING] = "missing"};
    json_line(j, 4);
    json_object(j, NULL);
    json_text(j, "name", v->name);
    json_text(j, "status", status[v->kind]);
    if (v->kind != FIT_MISSING) {
        json_number(j, "of_the_tube", fmax(v->worst, 0), 6);
        json_number(j, "time", v->time, 9);
        json_count(j, "samples_outside", v->outside);
    }
    json_close(j);
}

static void print_json(const Options *o, const Comparison *c, Arena *mem)
{
    Text text = text_new(mem);
    Json j = json_new(&text);
    json_object(&j, NULL);
    json_text(&j, "result", o->files.at[0]);
    json_text(&j, "reference", o->files.at[1]);
    json_number(&j, "tolerance", c->tolerance, 17);
    json_bool(&j, "ends_early", c->ends_early);
    json_line(&j, 2);
    json_array(&j, "signals");
    for (uint32_t k = 0; k < c->n; k++)
        put_signal(&j, &c->signal[k]);
    json_line(&j, 2);
    json_close(&j);
    json_bool(&j, "ok", c->n_bad == 0);
    json_close(&j);
    puts(text.at);
}

static void print(const Options *o, const Comparison *c)
{
    if (c->ends_early)
        printf("FAIL  the result ends at %g, the reference at %g\n", c->reached, c->end);
    for (uint32_t k = 0; k < c->n; k++) {
        const SignalFit *v = &c->signal[k];
        if (v->kind == FIT_MISSING)
            printf("FAIL  %s: not in the result\n", v->name);
        else if (v->kind == FIT_OUTSIDE)
            printf("FAIL  %s: %u samples outside, worst by %g at t=%g\n", v->name, v->outside,
                   v->over, v->time);
        else if (!o->quiet)
            printf("ok    %s: at most %.0f %% of the tube, at t=%g\n", v->name,
                   100 * fmax(v->worst, 0), v->time);
    }
    if (!o->quiet)
        printf("%s: %u of %u signals inside\n", c->n_bad ? "FAIL" : "ok",
               c->n > c->n_bad ? c->n - c->n_bad : 0, c->n);
}

Exit command_compare(const Options *o)
{
    if (o->files.n != 2) {
        fputs("rung: compare needs two files, RESULT REFERENCE, each CSV or MAT\n", stderr);
        return EXIT_USAGE;
    }
    if (!isnan(o->tolerance) && !(o->tolerance > 0)) {
        fputs("rung: --tolerance needs a positive number\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    CompareRequest r = {o->files.at[0], o->files.at[1], o->tolerance, o->stop};
    Comparison c;
    Exit status = compare_results(&r, &c, mem);
    if (status == EXIT_GOOD && options_want_json(o))
        print_json(o, &c, mem);
    else if (status == EXIT_GOOD)
        print(o, &c);
    if (status == EXIT_GOOD && c.n_bad)
        status = EXIT_MODEL;
    arena_free(mem);
    return status;
}
