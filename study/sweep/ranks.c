#include "study/sweep/ranks.h"

#include "translate/data.h"

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

bool ranks_open(Ranks *r, Arena *mem)
{
    const char *path = data_module(mem, "rung_mpi.so");
    // MPI's own modules look for its symbols
    void *module = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    union {
        void *object;
        RanksBegin function;
    } begin = {.object = module ? dlsym(module, "rung_ranks") : NULL};
    if (!path)
        fputs("rung: --mpi: this program was built without MPI (on Debian: libopenmpi-dev)\n",
              stderr);
    else if (!begin.object)
        fprintf(stderr, "rung: --mpi: cannot load '%s': %s\n", path, dlerror());
    else if (begin.function(r) != 0)
        fputs("rung: --mpi: MPI cannot be started\n", stderr);
    else
        return true;
    return false;
}

/* A worker's message when it has nothing yet; any other is an answer. */
static const char READY = 'r', UNABLE = 'u';

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static bool is_over(const Work *w)
{
    return w->interrupt && *w->interrupt;
}

static bool alone(const Work *w)
{
    Arena *mem = arena_new();
    Text answer = text_new(mem);
    for (uint32_t k = 0; k < w->n && !is_over(w); k++) {
        text_clear(&answer);
        w->run(w->user, w->id[k], &answer);
        if (answer.n > 0)
            w->take(w->user, k, answer.at, answer.n);
        if (w->look)
            w->look(w->user);
    }
    arena_free(mem);
    return true;
}

bool ranks_run(const Ranks *r, const Work *w, Arena *mem)
{
    if (r->size == 1)
        return alone(w);
    WorkQueue q = work_queue_new(w, mem);
    uint32_t *at = arena_array(mem, uint32_t, r->size);
    uint32_t *group = arena_array(mem, uint32_t, r->size);
    uint32_t n_done = 0;
    int n_there = r->size - 1;
    for (int k = 0; k < r->size; k++)
        at[k] = group[k] = NO_PIECE;
    double last = 0;
    while (n_there > 0 && !is_over(w)) {
        int from;
        size_t n;
        work_look(w, &last);
        if (!r->is_waiting(&from, &n)) {
            nap();
            continue;
        }
        Arena *tmp = arena_new();
        char *answer = arena_array(tmp, char, n + 1);
        r->receive(from, answer, n);
        if (n > 1 && at[from] != NO_PIECE) {
            w->take(w->user, at[from], answer, n);
            n_done++;
        }
        bool able = n != 1 || answer[0] != UNABLE;
        arena_free(tmp);
        if (!able) {
            n_there--;
            continue;
        }
        at[from] = work_queue_take(&q, &group[from]);
        uint32_t id = at[from] == NO_PIECE ? NO_PIECE : w->id[at[from]];
        r->send(from, &id, sizeof id);
        n_there -= id == NO_PIECE;
    }
    if (n_done == w->n || is_over(w))
        return true;
    fputs("rung: --mpi: no rank is left to make the runs\n", stderr);
    return false;
}

void ranks_serve(const Ranks *r, const Work *w, bool able)
{
    r->send(0, able ? &READY : &UNABLE, 1);
    Arena *mem = arena_new();
    Text answer = text_new(mem);
    while (able) {
        uint32_t id;
        size_t n;
        int from;
        while (!r->is_waiting(&from, &n) && !is_over(w))
            nap();
        if (is_over(w))
            break;
        r->receive(from, &id, sizeof id);
        if (id == NO_PIECE)
            break;
        text_clear(&answer);
        w->run(w->user, id, &answer);
        if (answer.n == 0)
            break;
        r->send(0, answer.at, answer.n);
    }
    arena_free(mem);
}
