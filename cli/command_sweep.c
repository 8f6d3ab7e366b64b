/* rung sweep: many runs of a model, by all processors, with a table of what they gave. */
#include "base/json.h"
#include "base/workers.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "runtime/run/progress.h"
#include "study/output.h"
#include "study/sweep/ranks.h"
#include "study/sweep/slurm.h"
#include "study/sweep/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The sweep and what is known of its runs, where the work is given from. */
typedef struct Giving {
    Sweep *sweep;
    SweepStore *store;
    Progress progress;
    uint32_t n_done, n_bad;
} Giving;

/* ---- work ---- */

static void run_one(void *user, uint32_t run, Text *answer)
{
    const Giving *g = user;
    sweep_run(g->sweep, run, answer);
}

static void run_piece(void *user, uint32_t piece, Text *answer)
{
    Sweep *s = ((const Giving *)user)->sweep;
    sweep_run_lanes(s, s->first[piece + 1] - s->first[piece], s->todo + s->first[piece], answer);
}

static void note(Giving *g, uint32_t piece)
{
    const Sweep *s = g->sweep;
    for (uint32_t k = s->first[piece]; k < s->first[piece + 1]; k++) {
        g->n_done++;
        g->n_bad += g->store->run[s->todo[k]].status != RUN_OK;
    }
}

static void take_piece(void *user, uint32_t piece, const char *answer, size_t n)
{
    Giving *g = user;
    sweep_store_take(g->store, answer, n);
    note(g, piece);
}

static void lost_piece(void *user, uint32_t piece, int signal)
{
    Giving *g = user;
    const Sweep *s = g->sweep;
    for (uint32_t k = s->first[piece]; k < s->first[piece + 1]; k++) {
        SweepRun *r = &g->store->run[s->todo[k]];
        r->status = RUN_LOST;
        r->message = signal ? arena_printf(g->store->mem, "its process was ended by signal %d (%s)",
                                           signal, strsignal(signal))
                            : "its process ended by itself";
    }
    note(g, piece);
}

static void show(void *user)
{
    Giving *g = user;
    uint32_t n = g->sweep->n_todo;
    double spent = seconds_now() - g->progress.begun;
    double share = n ? (double)g->n_done / n : 1;
    double left = share > 0 ? spent * (1 - share) / share : 0;
    g->progress.shown = true;
    if (g->progress.kind == PROGRESS_JSON)
        fprintf(stderr,
                "{\"phase\":\"sweep\",\"share\":%.6g,\"runs\":%u,\"of\":%u,\"not_ok\":%u,"
                "\"runs_per_second\":%.4g,\"seconds_left\":%.3g}\n",
                share, g->n_done, n, g->n_bad, g->n_done / spent, left);
    else
        fprintf(stderr,
                "\r\033[Ksweep %3.0f %%  %u of %u runs  %u not ok  %.4g runs/s  %.0f s left",
                100 * share, g->n_done, n, g->n_bad, g->n_done / spent, left);
    fflush(stderr);
}

/* ---- what is to be done ---- */

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
        fprintf(stderr, "rung: --part wants I/K with I from 1 to K, not '%s'\n", text);
        return false;
    }
    *i = (uint32_t)a;
    *k = (uint32_t)b;
    return true;
}

/* Runs that are not finished, by groups, and of each the group. */
static uint32_t *find_todo(Sweep *s, const SweepStore *store, uint32_t part, uint32_t parts,
                           Arena *mem)
{
    uint32_t n = s->vary.n_runs, *first = arena_array(mem, uint32_t, s->n_groups + 1);
    bool *open = arena_array(mem, bool, n);
    s->n_todo = 0;
    for (uint32_t k = 0; k < n; k++) {
        open[k] =
            store->run[k].same_as == k && store->run[k].status == RUN_NONE && k % parts == part - 1;
        s->n_todo += open[k];
        if (open[k])
            first[s->group[k] + 1]++;
    }
    for (uint32_t g = 0; g < s->n_groups; g++)
        first[g + 1] += first[g];
    s->todo = arena_array(mem, uint32_t, s->n_todo + 1);
    uint32_t *group = arena_array(mem, uint32_t, s->n_todo + 1);
    for (uint32_t k = 0; k < n; k++)
        if (open[k]) {
            uint32_t at = first[s->group[k]]++;
            s->todo[at] = k;
            group[at] = s->group[k];
        }
    return group;
}

/* What is made at once: one run, or as many of a group as there are lanes. Returns the group of
 * each piece. */
static uint32_t *cut_pieces(Sweep *s, const uint32_t *group, Arena *mem)
{
    uint32_t *of_piece = arena_array(mem, uint32_t, s->n_todo + 1);
    s->first = arena_array(mem, uint32_t, s->n_todo + 1);
    s->n_pieces = 0;
    for (uint32_t k = 0; k < s->n_todo;) {
        uint32_t end = k + 1;
        while (end < s->n_todo && end - k < s->width && group[end] == group[k])
            end++;
        of_piece[s->n_pieces] = group[k];
        s->first[s->n_pieces++] = k;
        k = end;
    }
    s->first[s->n_pieces] = s->n_todo;
    return of_piece;
}

static bool make_directory(const char *path)
{
    struct stat st;
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    fprintf(stderr, "rung: cannot create '%s': %s\n", path, strerror(errno));
    return false;
}

/* ---- what is said ---- */

typedef struct Tally {
    uint32_t n[RUN_LOST + 1];
    uint32_t n_open;
} Tally;

static Tally count(const SweepStore *s)
{
    Tally t = {0};
    for (uint32_t k = 0; k < s->vary->n_runs; k++)
        t.n[s->run[s->run[k].same_as].status]++;
    t.n_open = t.n[RUN_NONE];
    return t;
}

static void put_values(Text *out, const Vary *v, uint32_t run, Arena *mem)
{
    for (uint32_t k = 0; k < v->name.n; k++)
        text_printf(out, "%s%s=%s", k ? ", " : "", v->name.at[k], vary_value(v, run, k, mem));
}

static const char *text_of(const Sweep *s, const SweepStore *store, const Tally *t,
                           uint32_t n_before, Arena *mem)
{
    Text out = text_new(mem);
    Json j = json_new(&out);
    json_object(&j, NULL);
    json_line(&j, 2);
    json_text(&j, "model", s->model);
    json_line(&j, 2);
    json_text(&j, "generator", "rung " RUNG_VERSION);
    json_line(&j, 2);
    json_text(&j, "sampling", sampling_name(s->vary.sampling));
    json_line(&j, 2);
    json_count(&j, "seed", s->vary.seed);
    json_line(&j, 2);
    json_array(&j, "parameters");
    for (uint32_t k = 0; k < s->vary.name.n; k++) {
        json_object(&j, NULL);
        json_text(&j, "name", s->vary.name.at[k]);
        json_bool(&j, "structural", s->is_structural[k]);
        json_close(&j);
    }
    json_close(&j);
    json_line(&j, 2);
    json_count(&j, "runs", s->vary.n_runs);
    for (int k = RUN_OK; k <= RUN_LOST; k++)
        json_count(&j, run_status_name((RunStatus)k), t->n[k]);
    json_count(&j, "not_made", t->n_open);
    json_count(&j, "finished_before", n_before);
    json_line(&j, 2);
    json_text(&j, "table", arena_printf(mem, "%s/table.csv", s->dir));
    json_line(&j, 2);
    json_array(&j, "not_ok");
    for (uint32_t k = 0; k < s->vary.n_runs; k++) {
        const SweepRun *r = &store->run[store->run[k].same_as];
        if (r->status == RUN_OK || r->status == RUN_NONE)
            continue;
        json_line(&j, 4);
        json_object(&j, NULL);
        json_count(&j, "run", k + 1);
        for (uint32_t i = 0; i < s->vary.name.n; i++)
            json_text(&j, s->vary.name.at[i], vary_value(&s->vary, k, i, mem));
        json_text(&j, "status", run_status_name(r->status));
        json_text(&j, "file", r->file ? r->file : "");
        json_text(&j, "message", r->message ? r->message : "");
        json_close(&j);
    }
    json_close(&j);
    json_line(&j, 0);
    json_close(&j);
    text_put(&out, "\n");
    return out.at;
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

static Exit report(const Options *o, const Sweep *s, SweepStore *store, uint32_t n_before,
                   bool is_part)
{
    Arena *mem = arena_new();
    Tally t = count(store);
    const char *json = text_of(s, store, &t, n_before, mem);
    say_not_ok(s, store, mem);
    bool ok = true;
    if (!is_part) {
        Output out;
        ok = sweep_store_table(store) &&
             output_open(&out, arena_printf(mem, "%s/sweep.json", s->dir));
        if (ok)
            fputs(json, out.file);
        ok = ok && output_close(&out);
    }
    uint32_t n_bad = t.n[RUN_FAILED] + t.n[RUN_INVALID] + t.n[RUN_LOST];
    if (ok && o->format && strcmp(o->format, "json") == 0) {
        fputs(json, stdout);
    } else if (ok && !o->quiet) {
        printf("%s: %u of %u runs ok", s->model, t.n[RUN_OK], s->vary.n_runs);
        for (int k = RUN_FAILED; k <= RUN_LOST; k++)
            if (t.n[k])
                printf(", %u %s", t.n[k], run_status_name((RunStatus)k));
        if (n_before)
            printf(", %u of them finished before", n_before);
        putchar('\n');
        if (t.n_open && !is_part)
            printf("%u are left: the same command goes on with them\n", t.n_open);
        if (!is_part)
            printf("table in %s/table.csv\n", s->dir);
    }
    arena_free(mem);
    return !ok                      ? EXIT_FILE
           : simulation_interrupted ? EXIT_INTERRUPTED
           : n_bad                  ? EXIT_RUN
                                    : EXIT_GOOD;
}

static void say_structure(const Options *o, const Sweep *s)
{
    if (!s->any_structural || o->quiet)
        return;
    fputs("rung: fixed when a model is compiled:", stderr);
    const char *separator = "";
    for (uint32_t k = 0; k < s->vary.name.n; k++)
        if (s->is_structural[k]) {
            fprintf(stderr, "%s %s", separator, s->vary.name.at[k]);
            separator = ",";
        }
    fprintf(stderr, "; compiled for each of %u values\n", s->n_groups);
}

/* ---- the command ---- */

/* Lanes have one time and steps of one length. */
static bool lanes_usable(const Options *o)
{
    uint32_t width[MOST_LANES], n;
    if (!options_lanes(o, width, &n))
        return false;
    const char *wrong = n > 1 ? "of one width" : NULL;
    if (n == 1 && (!o->method || strcmp(o->method, "rk4") != 0 || isnan(o->step)))
        wrong = "with --method rk4 --step H";
    else if (n == 1 && o->input)
        wrong = "without --input";
    else if (n == 1 && o->keep)
        wrong = "without --keep: trajectories are those of single runs";
    else if (n == 1 && (o->mpi || o->slurm))
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

/* Ranks but the first one. */
static void help(Sweep *s, const Ranks *ranks, bool able)
{
    Giving giving = {.sweep = s};
    Work work = {.user = &giving, .run = run_one, .interrupt = &simulation_interrupted};
    ranks_serve(ranks, &work, able);
}

static Exit make_all(const Options *o, Sweep *s, const Ranks *ranks, uint32_t part, uint32_t parts)
{
    SweepStore store;
    if (!make_directory(o->output) || !make_directory(arena_printf(o->mem, "%s/runs", o->output)))
        return EXIT_FILE;
    sweep_store_init(&store, o->output, &s->vary, s->key, o->keep, o->mem);
    const char *journal =
        parts > 1 ? arena_printf(o->mem, "finished-%u-of-%u.csv", part, parts) : "finished.csv";
    if (!sweep_store_open(&store, journal)) {
        sweep_store_close(&store);
        return EXIT_FILE;
    }
    Tally before = count(&store);
    say_structure(o, s);
    Giving giving = {s, &store, progress_begin(s->base.simulation.request.progress), 0, 0};
    const uint32_t *group = find_todo(s, &store, part, parts, o->mem);
    const uint32_t *of_piece = cut_pieces(s, group, o->mem);
    uint32_t *piece = arena_array(o->mem, uint32_t, s->n_pieces + 1);
    for (uint32_t k = 0; k < s->n_pieces; k++)
        piece[k] = k;
    Work work = {.n = s->n_pieces,
                 .id = s->width > 1 ? piece : s->todo,
                 .group = of_piece,
                 .user = &giving,
                 .run = s->width > 1 ? run_piece : run_one,
                 .take = take_piece,
                 .lost = lost_piece,
                 .look = giving.progress.kind == PROGRESS_NONE ? NULL : show,
                 .interrupt = &simulation_interrupted};
    uint32_t jobs;
    bool ok = jobs_of(o, &jobs);
    if (ranks)
        ok = ranks_run(ranks, &work, o->mem);
    else if (s->n_todo > 0)
        ok = workers_run(&work, jobs < s->n_pieces ? jobs : s->n_pieces, o->mem);
    progress_end(&giving.progress);
    Exit status = report(o, s, &store, s->vary.n_runs - before.n_open, parts > 1);
    sweep_store_close(&store);
    return ok ? status : EXIT_FILE;
}

static Exit sweep_by(const Options *o, Sweep *s, const Ranks *ranks, uint32_t part, uint32_t parts)
{
    bool helps = ranks && ranks->rank > 0;
    RunRequest r = run_request_of(o);
    Exit status = sweep_prepare(s, &r, helps);
    simulation_catch_interrupts();
    if (helps)
        help(s, ranks, status == EXIT_GOOD);
    else if (status == EXIT_GOOD && o->slurm)
        status = slurm_write(o->output, s->vary.n_runs, isnan(o->jobs) ? 1 : (uint32_t)o->jobs,
                             o->quiet, o->mem)
                     ? EXIT_GOOD
                     : EXIT_FILE;
    else if (status == EXIT_GOOD)
        status = make_all(o, s, ranks, part, parts);
    return status;
}

Exit command_sweep(const Options *o)
{
    Sweep s = {.mem = o->mem, .dir = o->output, .keeps = o->keep, .width = 1};
    VaryRequest vary = vary_request_of(o);
    Ranks ranks;
    uint32_t part, parts, width[MOST_LANES], n_lanes;
    if (!usable(o) || !read_part(o->part, &part, &parts))
        return EXIT_USAGE;
    if (options_lanes(o, width, &n_lanes) && n_lanes)
        s.width = width[0];
    Exit status = vary_read(&s.vary, &vary, o->mem);
    if (status != EXIT_GOOD)
        return status;
    if (o->mpi && !ranks_open(&ranks, o->mem))
        return EXIT_FILE;
    status = sweep_by(o, &s, o->mpi ? &ranks : NULL, part, parts);
    sweep_free(&s);
    // the others do not hear of an interrupt by themselves
    if (o->mpi && ranks.rank == 0 && simulation_interrupted)
        ranks.abort((int)status);
    if (o->mpi)
        ranks.end();
    return status;
}
