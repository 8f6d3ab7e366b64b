/* SPDX-License-Identifier: BSD-3-Clause */
#include "checkpoint.h"

#include "delay.h"
#include "loops.h"
#include "part_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool checkpoint_take(Snapshot *s, const Run *run, const Events *e, const RowGrid *grid)
{
    snapshot_begin(s, run->model);
    snapshot_put(s, &grid->origin, sizeof grid->origin);
    snapshot_put(s, &grid->interval, sizeof grid->interval);
    context_save(run->ctx, run->t, run->x, s);
    delays_save(run->delays, s);
    events_save(e, s);
    snapshot_put(s, &run->newton_pause, sizeof run->newton_pause);
    snapshot_put(s, &run->newton_left, sizeof run->newton_left);
    return !s->failed;
}

bool checkpoint_resume(Snapshot *s, Run *run, Events *e, RowGrid *grid)
{
    bool ok =
        !snapshot_check(s, run->model) && snapshot_get(s, &grid->origin, sizeof grid->origin) &&
        snapshot_get(s, &grid->interval, sizeof grid->interval) &&
        context_restore(run->ctx, &run->t, run->x, s) && delays_restore(run->delays, s) &&
        events_restore(e, s) && snapshot_get(s, &run->newton_pause, sizeof run->newton_pause) &&
        snapshot_get(s, &run->newton_left, sizeof run->newton_left);
    if (ok && run->loops)
        loops_take(run->loops, run->ctx);
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
