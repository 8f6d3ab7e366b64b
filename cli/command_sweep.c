/* rung sweep: many runs of a model, by all processors, with a table of their results. */
#include "cli/command.h"
#include "cli/requests.h"
#include "study/sweep/slurm.h"
#include "study/sweep/sweep_summary.h"
#include "study/sweep/sweep_work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --part I/K; 1/1 without. */
static bool read_part(const char *text, uint32_t *i, uint32_t *k)
{
    *i = *k = 1;
    if (!text)
        return true;
    char *end;
    long a = strtol(text, &end, 10);
    long b = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (*end || a < 1 || b < a || b > 1000000) {
        fprintf(stderr, "rung: --part needs I/K with I from 1 to K, not '%s'\n", text);
        return false;
    }
    *i = (uint32_t)a;
    *k = (uint32_t)b;
    return true;
}

/* ---- messages ---- */

static void put_values(Text *out, const Vary *v, uint32_t run, Arena *mem)
{
    for (uint32_t k = 0; k < v->name.n; k++)
        text_printf(out, "%s%s=%s", k ? ", " : "", v->name.at[k], vary_value(v, run, k, mem));
}

/* The first runs that are not ok, by name and cause, on stderr. */
static void say_not_ok(const Sweep *s, const SweepStore *store, Arena *mem)
{
    enum { SHOWN = 10 };
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->vary.n_runs; k++) {
        const SweepRun *r = &store->run[store->run[k].same_as];
        if (r->status == RUN_OK || r->status == RUN_NONE || n++ >= SHOWN)
            continue;
        Text values = text_new(mem);
        put_values(&values, &s->vary, k, mem);
        fprintf(stderr, "rung: run %u (%s) %s: %s", k + 1, values.at,
                r->status == RUN_INVALID ? "did not begin"
                : r->status == RUN_LOST  ? "was lost"
                                         : "failed",
                r->message);
        if (r->file && *r->file)
            fprintf(stderr, "; results up to there in %s/%s", s->dir, r->file);
        fputc('\n', stderr);
    }
    if (n > SHOWN)
        fprintf(stderr, "rung: and %u more, all in %s/table.csv\n", n - SHOWN, s->dir);
}

static Exit report(const Options *o, const Sweep *s, SweepStore *store, bool is_part)
{
    Arena *mem = arena_new();
    SweepTally t = sweep_tally(store);
    const char *json = sweep_json(s, store, mem);
    say_not_ok(s, store, mem);
    bool ok = is_part || sweep_write(store, json);
    if (ok && options_want_json(o)) {
        fputs(json, stdout);
    } else if (ok && !o->quiet) {
        printf("%s: %u of %u runs ok", s->model, t.n[RUN_OK], s->vary.n_runs);
        for (int k = RUN_FAILED; k <= RUN_LOST; k++)
            if (t.n[k])
                printf(", %u %s", t.n[k], run_status_name((RunStatus)k));
        if (store->n_before)
            printf(", %u of them finished before", store->n_before);
        putchar('\n');
        if (t.n[RUN_NONE] && !is_part)
            printf("%u are left: the same command goes on with them\n", t.n[RUN_NONE]);
        if (!is_part)
            printf("table in %s/table.csv\n", s->dir);
    }
    arena_free(mem);
    return !ok                      ? EXIT_FILE
           : simulation_interrupted ? EXIT_INTERRUPTED
           : t.n_bad                ? EXIT_RUN
                                    : EXIT_GOOD;
}

/* ---- the command ---- */

static bool lanes_usable(const Options *o)
{
    uint32_t width[MOST_LANES], n;
    if (!options_lanes(o, width, &n))
        return false;
    const char *wrong = n > 1 ? "of one width" : NULL;
    if (n == 1 && (o->mpi || o->slurm))
        wrong = "without --mpi and --slurm";
    if (wrong)
        fprintf(stderr, "rung: --lanes makes runs %s\n", wrong);
    return !wrong;
}

static bool usable(const Options *o)
{
    if (!o->output) {
        fputs("rung: sweep needs -o DIR\n", stderr);
        return false;
    }
    uint32_t jobs;
    if (!jobs_of(o, &jobs))
        return false;
    if (o->mpi && (!isnan(o->jobs) || o->slurm)) {
        fputs("rung: --mpi takes as many processes as mpirun starts; no --jobs, no --slurm\n",
              stderr);
        return false;
    }
    return run_is_usable(o) && lanes_usable(o);
}

static Exit make_all(const Options *o, Sweep *s, const SweepWork *how)
{
    SweepStore store = {0};
    Exit made = sweep_make(s, how, &store);
    Exit status = store.journal ? report(o, s, &store, how->parts > 1) : made;
    sweep_store_close(&store);
    return made == EXIT_GOOD ? status : made;
}

static Exit sweep_by(const Options *o, Sweep *s, const SweepWork *how)
{
    bool helps = how->ranks && how->ranks->rank > 0;
    RunRequest r = run_request_of(o);
    Exit status = sweep_prepare(s, &r, helps);
    simulation_catch_interrupts();
    if (helps)
        sweep_serve(s, how->ranks, status == EXIT_GOOD);
    else if (status == EXIT_GOOD && o->slurm)
        status =
            slurm_write(o->output, s->vary.n_runs, isnan(o->jobs) ? 1 : how->jobs, o->quiet, o->mem)
                ? EXIT_GOOD
                : EXIT_FILE;
    else if (status == EXIT_GOOD)
        status = make_all(o, s, how);
    return status;
}

Exit command_sweep(const Options *o)
{
    Sweep s = {.mem = o->mem, .dir = o->output, .keeps = o->keep, .width = 1};
    VaryRequest vary = vary_request_of(o);
    Ranks ranks;
    SweepWork how = {0};
    uint32_t width[MOST_LANES], n_lanes;
    if (!usable(o) || !read_part(o->part, &how.part, &how.parts) || !jobs_of(o, &how.jobs))
        return EXIT_USAGE;
    if (options_lanes(o, width, &n_lanes) && n_lanes)
        s.width = width[0];
    Exit status = vary_read(&s.vary, &vary, o->mem);
    if (status != EXIT_GOOD)
        return status;
    if (o->mpi && !ranks_open(&ranks, o->mem))
        return EXIT_FILE;
    how.ranks = o->mpi ? &ranks : NULL;
    status = sweep_by(o, &s, &how);
    sweep_free(&s);
    // the others do not hear of an interrupt by themselves
    if (o->mpi && ranks.rank == 0 && simulation_interrupted)
        ranks.abort((int)status);
    if (o->mpi)
        ranks.end();
    return status;
}
