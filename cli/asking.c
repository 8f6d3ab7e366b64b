#include "cli/asking.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool asking_open(Asking *a, const char *name, Arena *mem)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(mem, "%s/rung-%s-XXXXXX", tmp && *tmp ? tmp : "/tmp", name);
    *a = (Asking){.mem = mem, .dir = dir};
    if (mkdtemp(dir))
        return true;
    fprintf(stderr, "rung: cannot make the directory '%s': %s\n", dir, strerror(errno));
    return false;
}

void asking_close(const Asking *a)
{
    DIR *d = opendir(a->dir);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.')
            unlink(asking_path(a, e->d_name));
    if (d)
        closedir(d);
    rmdir(a->dir);
}

const char *asking_path(const Asking *a, const char *name)
{
    return arena_printf(a->mem, "%s/%s", a->dir, name);
}

Text asking_read(const Asking *a, const char *path)
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

Said ask(const Asking *a, CommandFn command, const Options *o)
{
    const char *out = asking_path(a, "out"), *err = asking_path(a, "err");
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid == 0) {
        bool ok = freopen(out, "w", stdout) && freopen(err, "w", stderr);
        Exit status = ok ? command(o) : EXIT_FILE;
        fflush(stdout);
        fflush(stderr);
        _exit(status);
    }
    int status = 0;
    bool ended = pid > 0;
    while (ended && waitpid(pid, &status, 0) < 0)
        ended = errno == EINTR;
    Said s = {EXIT_RUN, asking_read(a, out), asking_read(a, err)};
    if (ended && WIFEXITED(status))
        s.status = (Exit)WEXITSTATUS(status);
    return s;
}

Options asking_options(const Options *o)
{
    Options to = *o;
    to.output = NULL;
    to.progress = "none";
    to.color = "never";
    return to;
}
