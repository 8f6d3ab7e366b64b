#include "base/branch.h"

#include "base/bug.h"
#include "base/vec.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every copy has memory of its own. */
enum { MOST_AT_ONCE = 4, PIECE = 65536 };

typedef struct Running {
    uint32_t k; /* which way */
    pid_t pid;
    int from; /* end of the pipe to read from */
} Running;

/* False after a message on stderr. */
static bool start(uint32_t k, Way way, void *data, Running *out)
{
    int ends[2];
    if (pipe(ends) != 0) {
        fprintf(stderr, "rung: no pipe to another process: %s\n", strerror(errno));
        return false;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "rung: no other process: %s\n", strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    if (pid == 0) {
        close(ends[0]);
        FILE *f = fdopen(ends[1], "wb");
        if (!f)
            _exit(1);
        way(data, k, f);
        bool written = fclose(f) == 0;
        fflush(NULL);
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    *out = (Running){k, pid, ends[0]};
    return true;
}

static bool came_to_its_end(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Reads more of the output of a way; false at its end. */
static bool take_in(const Running *r, Branch *to, uint32_t *cap, Arena *mem)
{
    if (*cap < to->n + PIECE)
        to->at = vec_grow(mem, to->at, 1, to->n, cap, to->n + PIECE);
    ssize_t n = read(r->from, to->at + to->n, PIECE);
    if (n < 0)
        return errno == EINTR;
    to->n += (uint32_t)n;
    return n > 0;
}

static uint32_t at_once(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MOST_AT_ONCE ? MOST_AT_ONCE : (uint32_t)n;
}

void branch_run(uint32_t n, Way way, void *data, Branch *out, Arena *mem)
{
    Running running[MOST_AT_ONCE];
    struct pollfd wait[MOST_AT_ONCE];
    uint32_t n_running = 0, begun = 0, most = at_once();
    uint32_t *cap = arena_array(mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        out[k] = (Branch){0};
    for (;;) {
        while (n_running < most && begun < n)
            n_running += start(begun++, way, data, &running[n_running]);
        if (n_running == 0)
            return;
        for (uint32_t i = 0; i < n_running; i++)
            wait[i] = (struct pollfd){.fd = running[i].from, .events = POLLIN};
        if (poll(wait, n_running, -1) < 0 && errno != EINTR)
            bug("branch: poll");
        for (uint32_t i = n_running; i-- > 0;) {
            const Running *r = &running[i];
            if (wait[i].revents == 0 || take_in(r, &out[r->k], &cap[r->k], mem))
                continue;
            close(r->from);
            out[r->k].ok = came_to_its_end(r->pid);
            running[i] = running[--n_running];
        }
    }
}

void branch_put_text(const char *text, FILE *f)
{
    uint32_t n = text ? (uint32_t)strlen(text) : UINT32_MAX;
    fwrite(&n, sizeof n, 1, f);
    if (text)
        fwrite(text, 1, n, f);
}

bool branch_get_text(const char **out, FILE *f, Arena *mem)
{
    uint32_t n;
    *out = NULL;
    if (fread(&n, sizeof n, 1, f) != 1)
        return false;
    if (n == UINT32_MAX)
        return true;
    char *text = arena_array(mem, char, (size_t)n + 1);
    *out = text;
    return fread(text, 1, n, f) == n;
}
