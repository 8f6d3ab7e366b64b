/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "part_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool part_is_special(const char *path)
{
    struct stat st;
    return !strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode));
}

/* dir/.name.middle.part; dir is the path up to and including the last slash */
static char *beside(const char *path, const char *middle)
{
    const char *slash = strrchr(path, '/');
    size_t dir = slash ? (size_t)(slash - path) + 1 : 0;
    size_t size = strlen(path) + strlen(middle) + sizeof "..." + sizeof "part";
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%.*s.%s.%s.part", (int)dir, path, path + dir, middle);
    return text;
}

static struct flock whole(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

/* The process that "PID" or "PID-NUMBER" names; 0 if it is neither. */
static long process_of(const char *middle, size_t n)
{
    long pid = 0;
    size_t k = 0;
    for (; k < n && middle[k] >= '0' && middle[k] <= '9' && k < 12; k++)
        pid = 10 * pid + (middle[k] - '0');
    bool has_number = k < n && middle[k] == '-';
    for (k += has_number; has_number && k < n && middle[k] >= '0' && middle[k] <= '9';)
        k++;
    return k == n ? pid : 0;
}

/* Whether the name still is that of this file: its process may have renamed it and begun another.
 */
static bool is_named(int dir, const char *name, int f)
{
    struct stat open, named;
    return !fstat(f, &open) && !fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/* Removes temporary files of this name whose writers have ended. A remover holds the lock of the
 * file: a process that has just made it and not locked it yet then finds it removed (is_kept).
 * Locks are seen by other processes only, and closing a file here would release its own lock. */
static void clear_stale(const char *path)
{
    char *model = beside(path, "");
    if (!model)
        return;
    char *slash = strrchr(model, '/');
    const char *first = slash ? slash + 1 : model; /* .name..part */
    size_t head = strlen(first) - strlen(".part");
    size_t dir = (size_t)(first - model);
    DIR *d = opendir(dir ? (model[dir - 1] = 0, dir > 1 ? model : "/") : ".");
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n <= head || strncmp(e->d_name, first, head) || strcmp(e->d_name + n - 5, ".part"))
            continue;
        long pid = process_of(e->d_name + head, n - 5 - head);
        bool is_other = pid > 0 && pid != (long)getpid();
        int f = is_other ? openat(dirfd(d), e->d_name, O_RDWR | O_NOFOLLOW) : -1;
        struct flock lock = whole();
        if (f >= 0 && !fcntl(f, F_SETLK, &lock) && is_named(dirfd(d), e->d_name, f))
            unlinkat(dirfd(d), e->d_name, 0);
        if (f >= 0)
            close(f);
    }
    if (d)
        closedir(d);
    free(model);
}

static void forget(PartFile *p)
{
    free(p->path);
    free(p->part);
    *p = (PartFile){0};
}

/* The target of a symbolic link, existing or not; else the path itself. The caller frees it. */
static char *resolved(const char *path)
{
    enum { LONGEST = 4096, MOST_LINKS = 40 };
    char *real = realpath(path, NULL);
    if (real)
        return real;
    char *at = strdup(path), to[LONGEST];
    for (int k = 0; at && k < MOST_LINKS; k++) {
        ssize_t n = readlink(at, to, sizeof to - 1);
        if (n < 0)
            return at;
        to[n] = 0;
        const char *slash = strrchr(at, '/');
        size_t dir = slash && *to != '/' ? (size_t)(slash - at) + 1 : 0;
        size_t size = dir + (size_t)n + 1;
        char *next = malloc(size);
        if (next)
            snprintf(next, size, "%.*s%s", (int)dir, at, to);
        free(at);
        at = next;
    }
    return at;
}

/* Locks a part that was just made; false if another process took it for a stale one. */
static bool is_kept(int f)
{
    struct flock lock = whole();
    struct stat st;
    if (fcntl(f, F_SETLK, &lock) && (errno == EACCES || errno == EAGAIN))
        return false; /* file systems without locks do without */
    return fstat(f, &st) || st.st_nlink > 0;
}

bool part_open(PartFile *p, const char *path)
{
    *p = (PartFile){0};
    if (!strcmp(path, "-")) {
        p->f = stdout;
        return true;
    }
    if (part_is_special(path)) {
        p->f = fopen(path, "w");
        return p->f != NULL;
    }
    p->path = resolved(path);
    if (p->path)
        clear_stale(p->path);
    int f = -1;
    enum { MOST = 10000 };
    for (int k = 0; p->path && k < MOST && f < 0; k++) {
        char number[40];
        snprintf(number, sizeof number, k ? "%ld-%d" : "%ld", (long)getpid(), k);
        free(p->part);
        p->part = beside(p->path, number);
        f = p->part ? open(p->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
        if (f < 0 && errno != EEXIST)
            break;
        if (f >= 0 && !is_kept(f)) {
            close(f);
            f = -1;
        }
    }
    p->f = f >= 0 ? fdopen(f, "w") : NULL;
    if (p->f)
        return true;
    int why = errno;
    forget(p);
    errno = why;
    return false;
}

int part_close(PartFile *p)
{
    int status = fflush(p->f) || ferror(p->f) ? -1 : 0;
    int why = errno;
    if (!status && p->part && rename(p->part, p->path)) {
        status = -1;
        why = errno;
    }
    if (p->f != stdout && fclose(p->f) && !status) {
        status = -1;
        why = errno;
    }
    if (status && p->part)
        unlink(p->part);
    forget(p);
    errno = why;
    return status;
}

void part_discard(PartFile *p)
{
    if (!p->f)
        return;
    if (p->f != stdout)
        fclose(p->f);
    if (p->part)
        unlink(p->part);
    forget(p);
}
