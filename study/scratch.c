#include "study/scratch.h"

#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals end the forked process first, then this one, which removes its directory. */
static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT = sizeof caught / sizeof *caught };

static void block_signals(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (int k = 0; k < CAUGHT; k++)
        sigaddset(&set, caught[k]);
    sigprocmask(SIG_BLOCK, &set, before);
}

/* The lock of a directory of ours, or -1: another process has it, or it is gone. */
static int lock_dir(const char *dir, int how)
{
    struct stat held, named;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    bool is_ours = !fstat(fd, &held) && held.st_uid == getuid() && !flock(fd, how) &&
                   !lstat(dir, &named) && named.st_dev == held.st_dev &&
                   named.st_ino == held.st_ino;
    if (is_ours)
        return fd;
    close(fd);
    return -1;
}

/* Removes directories in tmp with this prefix whose lock is free: their processes were killed. */
static void clear_left(const char *tmp, const char *begin, Arena *mem)
{
    DIR *d = opendir(tmp);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strncmp(e->d_name, begin, strlen(begin)) != 0)
            continue;
        Scratch left = {.mem = mem, .dir = arena_printf(mem, "%s/%s", tmp, e->d_name)};
        sigprocmask(SIG_BLOCK, NULL, &left.mask);
        left.lock = lock_dir(left.dir, LOCK_EX | LOCK_NB);
        if (left.lock >= 0)
            scratch_close(&left);
    }
    if (d)
        closedir(d);
}

bool scratch_open(Scratch *a, const char *name, Arena *mem)
{
    enum { TRIES = 10 }; // another process may clear it before it is held
    const char *own = arena_printf(mem, "rung-%s", name);
    clear_left(temporary_place(), arena_printf(mem, "%s-", own), mem);
    sigset_t mask;
    block_signals(&mask); // ended by one outside of scratch_run(), it would leave its directory
    const char *dir = NULL;
    for (int k = 0; k < TRIES; k++) {
        bool made = temporary_folder(mem, own, &dir) != NULL;
        *a = (Scratch){.mem = mem, .dir = dir, .lock = -1, .mask = mask};
        if (!made)
            break;
        a->lock = lock_dir(dir, LOCK_EX);
        if (a->lock >= 0)
            return true;
    }
    fprintf(stderr, "rung: cannot make the directory '%s': %s\n", dir, strerror(errno));
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return false;
}

void scratch_close(const Scratch *a)
{
    temporary_remove(a->dir);
    close(a->lock);
    sigprocmask(SIG_SETMASK, &a->mask, NULL);
}

const char *scratch_path(const Scratch *a, const char *name)
{
    return arena_printf(a->mem, "%s/%s", a->dir, name);
}

Text scratch_read(const Scratch *a, const char *path)
{
    Text t = text_new(a->mem);
    char buffer[1 << 14];
    FILE *f = fopen(path, "r");
    text_put(&t, "");
    if (!f)
        return t;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        text_put_n(&t, buffer, n);
    fclose(f);
    return t;
}

/* A signal handler has no argument of its own: the process to end, and the signal that came. */
static volatile sig_atomic_t asked, interrupted;

static void on_interrupt(int signal)
{
    interrupted = signal;
    if (asked > 0)
        kill((pid_t)asked, SIGTERM);
}

static void handle(void (*handler)(int), struct sigaction *before)
{
    for (int k = 0; k < CAUGHT; k++) {
        struct sigaction action = {.sa_handler = handler};
        sigemptyset(&action.sa_mask);
        sigaction(caught[k], &action, before ? &before[k] : NULL);
    }
}

ScratchOutput scratch_run(const Scratch *a, Exit (*question)(const void *of), const void *of)
{
    const char *out = scratch_path(a, "out"), *err = scratch_path(a, "err");
    fflush(stdout);
    fflush(stderr);
    struct sigaction before[CAUGHT];
    asked = 0;
    handle(on_interrupt, before);
    pid_t pid = fork();
    if (pid == 0) {
        handle(SIG_DFL, NULL);
        sigprocmask(SIG_SETMASK, &a->mask, NULL);
        close(a->lock);
        bool ok = freopen(out, "w", stdout) && freopen(err, "w", stderr);
        Exit status = ok ? question(of) : EXIT_FILE;
        fflush(stdout);
        fflush(stderr);
        _exit(status);
    }
    int status = 0;
    bool ended = pid > 0;
    asked = (sig_atomic_t)pid;
    sigprocmask(SIG_SETMASK, &a->mask, NULL);
    if (ended && interrupted) // the signal came before the child's id was known
        kill(pid, SIGTERM);
    while (ended && waitpid(pid, &status, 0) < 0)
        ended = errno == EINTR;
    asked = 0;
    // ended after this run, the process would leave its directory, too
    block_signals(NULL);
    for (int k = 0; k < CAUGHT; k++)
        sigaction(caught[k], &before[k], NULL);
    if (interrupted) {
        scratch_close(a);
        raise(interrupted);
    }
    ScratchOutput s = {EXIT_RUN, scratch_read(a, out), scratch_read(a, err)};
    if (ended && WIFEXITED(status))
        s.status = (Exit)WEXITSTATUS(status);
    return s;
}
