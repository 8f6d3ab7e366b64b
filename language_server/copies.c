#include "language_server/copies.h"

#include "base/bug.h"
#include "language_server/document.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The answer, then this byte if it is whole. */
enum { WHOLE = 1 };

static _Noreturn void run_copy(int to, void (*work)(const void *user, Text *answer),
                               const void *user)
{
    /* neither input nor output of the protocol belong to the copy */
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
    }
    setpgid(0, 0);
    Text answer = text_new(arena_new());
    work(user, &answer);
    char end = WHOLE;
    text_put_n(&answer, &end, 1);
    for (size_t k = 0; k < answer.n;) {
        ssize_t n = write(to, answer.at + k, answer.n - k);
        if (n <= 0 && errno != EINTR)
            _exit(1);
        k += n > 0 ? (size_t)n : 0;
    }
    _exit(0);
}

bool copy_start(Copy *c, void (*work)(const void *user, Text *answer), const void *user,
                double seconds)
{
    int ends[2];
    *c = (Copy){.deadline = clock_now() + seconds};
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    c->process = fork();
    if (c->process == 0) {
        close(ends[0]);
        run_copy(ends[1], work, user);
    }
    close(ends[1]);
    c->from = ends[0];
    if (c->process > 0) {
        setpgid(c->process, c->process); /* the copy does so too: whoever comes first */
        return true;
    }
    close(ends[0]);
    return false;
}

bool copy_read(Copy *c)
{
    enum { PART = 4096 };
    if (c->cap - c->n < PART) {
        c->cap = 2 * c->cap + PART;
        c->answer = realloc(c->answer, c->cap);
        if (!c->answer)
            bug("out of memory");
    }
    ssize_t n;
    do
        n = read(c->from, c->answer + c->n, PART);
    while (n < 0 && errno == EINTR);
    c->n += n > 0 ? (size_t)n : 0;
    return n <= 0;
}

/* Waits for the end of the process; the signal that ended it, or 0. */
static int reap(Copy *c)
{
    int status = 0;
    while (c->process > 0 && waitpid(c->process, &status, 0) < 0 && errno == EINTR)
        ;
    c->process = 0;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

bool copy_is_good(Copy *c, int *signal)
{
    *signal = reap(c);
    bool good = c->n > 0 && c->answer[c->n - 1] == WHOLE;
    c->n -= good;
    return good;
}

void copy_end(Copy *c)
{
    if (c->process > 0) {
        kill(-c->process, SIGTERM); /* programs that it runs end in order */
        kill(c->process, SIGKILL);
    }
    reap(c);
    close(c->from);
    free(c->answer);
    *c = (Copy){0};
}
