#include "base/workers.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- distribution of pieces ---- */

WorkQueue work_queue_new(const Work *w, Arena *mem)
{
    WorkQueue q = {.n_groups = w->n > 0};
    for (uint32_t k = 1; k < w->n && w->group; k++)
        q.n_groups += w->group[k] != w->group[k - 1];
    q.next = arena_array(mem, uint32_t, q.n_groups + 1);
    q.end = arena_array(mem, uint32_t, q.n_groups + 1);
    q.returned = arena_array(mem, uint32_t, w->n + 1);
    uint32_t at = 0;
    for (uint32_t k = 0; k < w->n; k++) {
        if (k > 0 && w->group && w->group[k] != w->group[k - 1])
            q.next[++at] = k;
        q.end[at] = k + 1;
    }
    return q;
}

uint32_t work_queue_take(WorkQueue *q, uint32_t *group)
{
    if (q->n_returned > 0)
        return q->returned[--q->n_returned];
    uint32_t g = *group;
    if (g == NO_PIECE || q->next[g] == q->end[g]) {
        if (q->fresh < q->n_groups) {
            g = q->fresh++;
        } else {
            // help where most is left
            g = 0;
            for (uint32_t k = 1; k < q->n_groups; k++)
                if (q->end[k] - q->next[k] > q->end[g] - q->next[g])
                    g = k;
            if (q->n_groups == 0 || q->next[g] == q->end[g])
                return NO_PIECE;
        }
    }
    *group = g;
    return q->next[g]++;
}

static void work_queue_return(WorkQueue *q, uint32_t piece)
{
    q->returned[q->n_returned++] = piece;
}

/* ---- processes ---- */

/* Pieces given to a worker in advance, so that it need not wait for the next. */
enum { AHEAD = 2 };

typedef struct Worker {
    pid_t pid;
    int socket; /* pieces one way, answers the other way */
    uint32_t group;
    uint32_t n_has, has[AHEAD]; /* its pieces, the current one first */
} Worker;

static bool send_all(int to, const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        ssize_t done = send(to, at, n, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

static bool receive_all(int from, void *bytes, size_t n)
{
    for (char *at = bytes; n > 0;) {
        ssize_t done = recv(from, at, n, 0);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

static void serve(const Work *w, int socket)
{
    Arena *mem = arena_new();
    Text answer = text_new(mem);
    for (uint32_t id; receive_all(socket, &id, sizeof id);) {
        text_clear(&answer);
        w->run(w->user, id, &answer);
        uint64_t n = answer.n;
        if (n == 0 || !send_all(socket, &n, sizeof n) || !send_all(socket, answer.at, n))
            break;
    }
    arena_free(mem);
}

static bool start(const Work *w, Worker *all, uint32_t n, uint32_t k)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        fprintf(stderr, "rung: no way to another process: %s\n", strerror(errno));
        return false;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        // copies of other workers' sockets would hide from them that the parent is gone
        for (uint32_t i = 0; i < n; i++)
            if (all[i].pid > 0)
                close(all[i].socket);
        close(ends[0]);
        serve(w, ends[1]);
        fflush(NULL);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        fprintf(stderr, "rung: no other process: %s\n", strerror(errno));
        close(ends[0]);
        return false;
    }
    all[k] = (Worker){.pid = pid, .socket = ends[0], .group = NO_PIECE};
    return true;
}

/* Collects a worker that is gone; the signal that ended it, or 0. */
static int collect(Worker *it)
{
    int status = 0;
    close(it->socket);
    while (waitpid(it->pid, &status, 0) < 0 && errno == EINTR)
        ;
    it->pid = 0;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void fill(Worker *it, WorkQueue *q, const Work *w)
{
    while (it->n_has < AHEAD) {
        uint32_t piece = work_queue_take(q, &it->group);
        if (piece == NO_PIECE)
            return;
        // whether it arrives is seen when it answers
        send_all(it->socket, &w->id[piece], sizeof *w->id);
        it->has[it->n_has++] = piece;
    }
}

/* False if the worker is gone. */
static bool hear(Worker *it, const Work *w)
{
    Arena *mem = arena_new();
    uint64_t n;
    bool ok = receive_all(it->socket, &n, sizeof n);
    char *answer = ok ? arena_array(mem, char, n + 1) : NULL;
    ok = ok && it->n_has > 0 && receive_all(it->socket, answer, n);
    if (ok) {
        w->take(w->user, it->has[0], answer, n);
        memmove(it->has, it->has + 1, --it->n_has * sizeof *it->has);
    }
    arena_free(mem);
    return ok;
}

static void bury(Worker *it, WorkQueue *q, const Work *w)
{
    int signal = collect(it);
    bool interrupted = w->interrupt && *w->interrupt;
    if (it->n_has > 0 && !interrupted)
        w->lost(w->user, it->has[0], signal);
    for (uint32_t i = it->n_has; i-- > 1;)
        work_queue_return(q, it->has[i]);
    it->n_has = 0;
}

/* Calls `look` at most ten times a second, since one call per result would cost more than the
 * result. */
void work_look(const Work *w, double *last)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    if (w->look && now - *last >= 0.1) {
        *last = now;
        w->look(w->user);
    }
}

bool workers_run(const Work *w, uint32_t jobs, Arena *mem)
{
    WorkQueue q = work_queue_new(w, mem);
    Worker *worker = arena_array(mem, Worker, jobs);
    struct pollfd *wait = arena_array(mem, struct pollfd, jobs);
    uint32_t *who = arena_array(mem, uint32_t, jobs);
    uint32_t n_done = 0;
    double last = 0;
    bool ok = true, full = false; // full: there is no room for more processes
    while (ok && n_done < w->n && !(w->interrupt && *w->interrupt)) {
        uint32_t n = 0, n_lost = 0;
        for (uint32_t k = 0; k < jobs; k++) {
            uint32_t group = NO_PIECE;
            if (worker[k].pid == 0 && full)
                continue;
            if (worker[k].pid == 0) {
                uint32_t piece = work_queue_take(&q, &group);
                if (piece == NO_PIECE)
                    continue;
                work_queue_return(&q, piece);
                full = !start(w, worker, jobs, k);
                if (full)
                    continue;
                worker[k].group = group;
            }
            fill(&worker[k], &q, w);
            wait[n] = (struct pollfd){.fd = worker[k].socket, .events = POLLIN};
            who[n++] = k;
        }
        ok = n > 0;
        if (!ok || (poll(wait, n, 100) < 0 && errno != EINTR))
            break;
        for (uint32_t i = 0; i < n; i++) {
            Worker *it = &worker[who[i]];
            if (!wait[i].revents)
                continue;
            if (hear(it, w)) {
                n_done++;
            } else {
                n_lost += it->n_has > 0;
                bury(it, &q, w);
            }
        }
        n_done += n_lost;
        work_look(w, &last);
    }
    for (uint32_t k = 0; k < jobs; k++) {
        if (worker[k].pid == 0)
            continue;
        if (n_done < w->n)
            kill(worker[k].pid, SIGTERM);
        shutdown(worker[k].socket, SHUT_WR);
    }
    // an answer that was under way when the interrupt came counts
    for (uint32_t k = 0; k < jobs; k++) {
        while (worker[k].pid > 0 && worker[k].n_has > 0 && hear(&worker[k], w))
            ;
        if (worker[k].pid > 0)
            collect(&worker[k]);
    }
    return ok;
}
