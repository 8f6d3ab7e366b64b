#include "study/sweep/sweep_work.h"

#include "base/workers.h"
#include "runtime/run/progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* State of the process that gives out the work. */
typedef struct Giving {
    Sweep *sweep;
    SweepStore *store;
    Progress progress;
    uint32_t n_done, n_bad;
} Giving;

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

/* Runs of a piece. In lanes several times as many as there are: a run that ends early gives its
 * lane to the next, and only at the end of a piece lanes are empty. Each worker gets some pieces.
 */
static uint32_t piece_length(const Sweep *s, uint32_t workers)
{
    enum { TURNS = 8, PIECES = 4 };
    if (s->width == 1)
        return 1;
    uint32_t turns = s->n_todo / (s->width * PIECES * (workers ? workers : 1));
    return s->width * (turns < 1 ? 1 : turns < TURNS ? turns : TURNS);
}

/* Cuts the runs into pieces, each of one group. Returns the group of each piece. */
static uint32_t *cut_pieces(Sweep *s, const uint32_t *group, uint32_t workers, Arena *mem)
{
    const uint32_t length = piece_length(s, workers);
    uint32_t *of_piece = arena_array(mem, uint32_t, s->n_todo + 1);
    s->first = arena_array(mem, uint32_t, s->n_todo + 1);
    s->n_pieces = 0;
    for (uint32_t k = 0; k < s->n_todo;) {
        uint32_t end = k + 1;
        while (end < s->n_todo && end - k < length && group[end] == group[k])
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

static void say_structure(const Sweep *s)
{
    if (!s->any_structural || s->request.quiet)
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

/* Ranks but the first one. */
void sweep_serve(Sweep *s, const Ranks *ranks, bool able)
{
    Giving giving = {.sweep = s};
    Work work = {.user = &giving, .run = run_one, .interrupt = &simulation_interrupted};
    ranks_serve(ranks, &work, able);
}

Exit sweep_make(Sweep *s, const SweepWork *how, SweepStore *store)
{
    Arena *mem = s->mem;
    if (!make_directory(s->dir) || !make_directory(arena_printf(mem, "%s/runs", s->dir)))
        return EXIT_FILE;
    sweep_store_init(store, s->dir, &s->vary, s->key, s->keeps, mem);
    const char *journal = how->parts > 1
                              ? arena_printf(mem, "finished-%u-of-%u.csv", how->part, how->parts)
                              : "finished.csv";
    if (!sweep_store_open(store, journal)) {
        sweep_store_close(store);
        return EXIT_FILE;
    }
    say_structure(s);
    Giving giving = {s, store, progress_begin(s->request.progress), 0, 0};
    const uint32_t *group = find_todo(s, store, how->part, how->parts, mem);
    const uint32_t *of_piece = cut_pieces(s, group, how->jobs, mem);
    uint32_t *piece = arena_array(mem, uint32_t, s->n_pieces + 1);
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
    bool ok = true;
    if (how->ranks)
        ok = ranks_run(how->ranks, &work, mem);
    else if (s->n_todo > 0)
        ok = workers_run(&work, how->jobs < s->n_pieces ? how->jobs : s->n_pieces, mem);
    progress_end(&giving.progress);
    return ok ? EXIT_GOOD : EXIT_FILE;
}
