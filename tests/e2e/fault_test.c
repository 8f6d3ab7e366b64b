/* fault_test.c -- the audit finds the faults that are put into a program, all but one of a hundred.
 *
 * After flattening, one thing in the System that is compiled is changed: an operation, a
 * derivative, a start value, an initial equation, an event that is not made. The audit evaluates
 * the flat model as it was. A change that does not alter the trajectory is no fault, and one that
 * cannot be translated or run needs no audit: both are passed over. What may be missed, and is
 * named then, is an event of a condition that remembers itself, on = x < 1 and (pre(on) or ...),
 * which comes too early: the values behind it satisfy the equation.
 *
 * usage: fault_test FAULTS MODEL.mo...
 */
#include "cli/requests.h"
#include "emit/model/build.h"
#include "runtime/run/simulate.h"
#include "study/auditing.h"
#include "tests/e2e/faults.h"
#include "translate/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

enum { ROWS = 3 };

/* All values in the first, a middle and the last row, by name. */
typedef struct Trace {
    Arena *mem;
    Names *names;
    VEC(Name) name; /* of the variables */
    Map place;      /* name -> place among them */
    VEC(double) value[ROWS];
    uint32_t n_rows;
} Trace;

static int note_row(Trace *r, const RungContext *ctx, double t, const double *x, const double *v)
{
    uint32_t row = r->n_rows == 0 ? 0 : r->n_rows == 20 ? 1 : 2;
    r->n_rows++;
    r->value[row].n = 0;
    for (uint32_t k = 0; k < ctx->model->n_variables; k++)
        vec_push(r->mem, r->value[row], rung_value(ctx, k, t, x, v));
    return 0;
}

typedef struct Observer {
    Auditing *audit;
    Trace *trace;
} Observer;

static int on_row(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    return note_row(((Observer *)user)->trace, ctx, t, x, v);
}

static int on_step(void *user, const SimulateStep *step)
{
    return auditing_look(((Observer *)user)->audit, step);
}

typedef enum Outcome { OUT_NOT_RUN, OUT_HOLDS, OUT_FOUND } Outcome;

/* Runs the model with a fault of that kind, or none (FAULT_KINDS). */
static Outcome run(const char *file, FaultKind kind, Trace *trace, bool *has_place, Arena *mem)
{
    char *argv[] = {"rung", "simulate", (char *)file, "--audit", "-q", NULL};
    Options o;
    *has_place = true;
    if (!options_read(&o, mem, 5, argv))
        return OUT_NOT_RUN;
    RunRequest r = run_request_of(&o);
    Compilation *c = compilation_open(&r.translation, mem);
    Outcome out = OUT_NOT_RUN;
    bool ok = driver_run(c, driver_find("flatten"));
    if (ok && kind != FAULT_KINDS) {
        *has_place = put_in(c->sys, kind, c->scratch);
        ok = *has_place;
    }
    ok = ok && driver_run(c, NULL);
    EmitFiles files;
    Build b = {0};
    if (ok) {
        method_prepare(c, c->request.method);
        ok =
            emit_program(&c->dae.solution.program, request_emission(&r.translation), mem, &files) &&
            build_model(&files, (BuildOptions){0}, mem, &b);
    }
    if (ok) {
        Observer both = {auditing_new(&r, b.model, mem), trace};
        SimulateOptions so = simulate_defaults();
        so.max_steps = 20000;
        so.progress = PROGRESS_NONE;
        so.look = on_step;
        so.row = on_row;
        so.user = &both;
        SimulateSummary s;
        for (uint32_t k = 0; k < b.model->n_variables; k++) {
            Name name = name_of(trace->names, rung_name(b.model, k));
            map_put(&trace->place, map_key_ptr(name.s), k);
            vec_push(trace->mem, trace->name, name);
        }
        if (simulate(b.model, &so, &s) == SIMULATE_OK)
            out = auditing_report(both.audit, NULL) ? OUT_HOLDS : OUT_FOUND;
        auditing_free(both.audit);
    }
    build_close(&b);
    compilation_free(c);
    return out;
}

static Trace trace_new(Names *names, Arena *mem)
{
    return (Trace){.mem = mem, .names = names, .place = map_new(mem)};
}

/* Whether any variable differs by more than what a run may miss. */
static bool differ(const Trace *a, const Trace *b)
{
    static const double VISIBLE = 0.02;
    for (int row = 0; row < ROWS; row++)
        for (uint32_t k = 0; k < a->value[row].n; k++) {
            uint32_t i = map_get(&b->place, map_key_ptr(a->name.at[k].s));
            if (i == MAP_NONE || i >= b->value[row].n)
                continue;
            double x = a->value[row].at[k], y = b->value[row].at[i];
            if (!(fabs(x - y) <= VISIBLE * (1 + fmin(fabs(x), fabs(y)))))
                return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    uint32_t wanted = faults_wanted(argv[1]), found = 0, missed = 0, tried = 0;
    uint32_t n_models = (uint32_t)argc - 2;
    bool good = true;
    for (uint32_t m = 0; m < n_models; m++) {
        const char *file = argv[2 + m];
        Arena *mem = arena_new();
        Names *names = names_new(mem);
        Trace whole = trace_new(names, mem);
        bool has_place;
        if (run(file, FAULT_KINDS, &whole, &has_place, mem) != OUT_HOLDS) {
            printf("FAILED: %s does not pass as it is\n", file);
            good = false;
            continue;
        }
        uint32_t share = wanted / n_models + (m < wanted % n_models), here = 0;
        for (uint32_t k = 0; here < share && k < 6 * share + 20; k++) {
            FaultKind kind = k % 3 == 0 ? (FaultKind)(k / 3 % FAULT_KINDS) : FAULT_OPERATION;
            Arena *tmp = arena_new();
            Trace trace = trace_new(names, tmp);
            Outcome outcome = run(file, kind, &trace, &has_place, tmp);
            bool is_fault =
                outcome == OUT_FOUND || (outcome == OUT_HOLDS && differ(&whole, &trace));
            tried++;
            here += is_fault;
            found += outcome == OUT_FOUND;
            if (is_fault && outcome == OUT_HOLDS) {
                missed++;
                printf("missed: %s: a wrong %s is not found: %s\n", file, kind_name[kind], changed);
            }
            arena_free(tmp);
        }
        arena_free(mem);
    }
    printf("%u changes made, %u faults found, %u not\n", tried, found, missed);
    return good && 100 * missed <= found && found >= wanted * 9 / 10 ? 0 : 1;
}
