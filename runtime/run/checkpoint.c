/* SPDX-License-Identifier: BSD-3-Clause */
#include "checkpoint.h"

#include "delay.h"
#include "loops.h"
#include "part_file.h"
#include "simulate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The present method if it is not the first, and the data by which the choice is made. */
typedef struct Choice {
    char method[16]; /* or empty */
    double since;
    uint64_t n_changes, n_returns, n_trials, n_rough, steps;
} Choice;

static Choice choice_of(const Run *run)
{
    Choice c = {.since = run->later_t,
                .n_changes = run->n_changes,
                .n_returns = run->n_returns,
                .n_trials = run->n_trials,
                .n_rough = run->n_rough,
                .steps = run->steps_before + run->problem.counts->steps};
    if (run->later_method)
        snprintf(c.method, sizeof c.method, "%s", run->later_method);
    return c;
}

/* A method that is named now stays. */
static void choose(Run *run, const Choice *c)
{
    run->later_method = NULL;
    const char *name;
    for (uint32_t k = 0; (name = simulate_method(k)) && !run->has_named_method; k++)
        if (!strncmp(name, c->method, sizeof c->method))
            run->later_method = name;
    run->later_t = c->since;
    run->n_changes = (uint32_t)c->n_changes;
    run->n_returns = (uint32_t)c->n_returns;
    run->n_trials = (uint32_t)c->n_trials;
    run->n_rough = c->n_rough;
    run->steps_before = c->steps - run->problem.counts->steps;
    run->stiff_score = 0; // as behind any save
}

bool checkpoint_take(Snapshot *s, const Run *run, const Events *e, const RowGrid *grid)
{
    snapshot_begin(s, run->problem.model);
    snapshot_put(s, &grid->origin, sizeof grid->origin);
    snapshot_put(s, &grid->interval, sizeof grid->interval);
    context_save(run->problem.ctx, run->t, run->x, s);
    delays_save(run->problem.delays, s);
    events_save(e, s);
    snapshot_put(s, &run->problem.newton_pause, sizeof run->problem.newton_pause);
    snapshot_put(s, &run->problem.newton_left, sizeof run->problem.newton_left);
    snapshot_put(s, &run->problem.is_numeric, sizeof run->problem.is_numeric);
    snapshot_put(s, run->problem.scale->seen, scale_n_kept(run->problem.scale) * sizeof(double));
    Choice choice = choice_of(run);
    snapshot_put(s, &choice, sizeof choice);
    return !s->failed;
}

bool checkpoint_resume(Snapshot *s, Run *run, Events *e, RowGrid *grid)
{
    Choice choice;
    bool ok = !snapshot_check(s, run->problem.model) &&
              snapshot_get(s, &grid->origin, sizeof grid->origin) &&
              snapshot_get(s, &grid->interval, sizeof grid->interval) &&
              context_restore(run->problem.ctx, &run->t, run->x, s) &&
              delays_restore(run->problem.delays, s) && events_restore(e, s) &&
              snapshot_get(s, &run->problem.newton_pause, sizeof run->problem.newton_pause) &&
              snapshot_get(s, &run->problem.newton_left, sizeof run->problem.newton_left) &&
              snapshot_get(s, &run->problem.is_numeric, sizeof run->problem.is_numeric) &&
              snapshot_get(s, run->problem.scale->seen,
                           scale_n_kept(run->problem.scale) * sizeof(double)) &&
              snapshot_get(s, &choice, sizeof choice);
    if (ok)
        choose(run, &choice);
    if (ok && run->problem.loops)
        loops_take(run->problem.loops, run->problem.ctx);
    return ok;
}

bool checkpoint_write(const Snapshot *s, const char *path)
{
    Snapshot whole = {0};
    PartFile file;
    snapshot_read(&whole, s->at, s->n);
    snapshot_end(&whole);
    errno = ENOMEM;
    bool ok = !whole.failed && part_open(&file, path);
    if (ok) {
        fwrite(whole.at, 1, whole.n, file.f);
        ok = part_close(&file) == 0;
    }
    int why = errno;
    snapshot_free(&whole);
    errno = why;
    return ok;
}

const char *checkpoint_read(Snapshot *s, const char *path, const RungModel *m)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return strerror(errno);
    size_t n = 0, room = 1 << 16;
    char *bytes = malloc(room);
    while (bytes) {
        n += fread(bytes + n, 1, room - n, f);
        if (n < room)
            break;
        char *more = realloc(bytes, room *= 2);
        if (!more)
            free(bytes);
        bytes = more;
    }
    const char *wrong = !bytes ? "out of memory" : ferror(f) ? "it cannot be read" : NULL;
    fclose(f);
    if (!wrong) {
        snapshot_read(s, bytes, n);
        wrong = snapshot_check(s, m);
        if (!wrong && !snapshot_is_whole(s))
            wrong = "it is cut off or damaged";
    }
    free(bytes);
    return wrong;
}
