#include "base/cache.h"

#include "base/digest.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct Cache {
    Arena *mem;
    const char *dir;
    unsigned long long most; /* bytes */
    unsigned n_parts;        /* that this process has begun */
};

/* Follows the bytes of an entry. */
typedef struct Trailer {
    char mark[8];
    Digest digest;
} Trailer;
static const char MARK[8] = "rungend";

/* Directories of that path, each as for this user alone. */
static bool make_directories(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = 0;
        bool ok = !mkdir(path, 0700) || errno == EEXIST;
        *at = '/';
        if (!ok)
            return false;
    }
    return !mkdir(path, 0700) || errno == EEXIST;
}

static unsigned long long size_limit(void)
{
    const char *text = getenv("RUNG_CACHE_SIZE");
    char *end;
    double size = text && *text ? strtod(text, &end) : 1e9;
    if (text && *text)
        size *= *end == 'k' || *end == 'K' ? 1e3 : *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : 1;
    return size >= 0 && size < 1e18 ? (unsigned long long)size : 1000000000;
}

Cache *cache_open(Arena *mem)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *dir;
    if (base && *base == '/')
        dir = arena_printf(mem, "%s/rung", base);
    else if (home && *home == '/')
        dir = arena_printf(mem, "%s/.cache/rung", home);
    else
        return NULL;
    struct stat st;
    if (!make_directories(dir) || stat(dir, &st) || !S_ISDIR(st.st_mode))
        return NULL;
    // shared objects from the cache run as this user: nobody else may write them
    if (st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH))
        return NULL;
    Cache *c = arena_make(mem, Cache);
    *c = (Cache){.mem = mem, .dir = dir, .most = size_limit()};
    return c;
}

/* The bytes before the trailer, mapped; NULL if the entry is not whole. */
static void *map_entry(const char *path, size_t *size)
{
    int f = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    bool is_there = f >= 0 && !fstat(f, &st);
    *size = is_there && (size_t)st.st_size >= sizeof(Trailer) ? (size_t)st.st_size : 0;
    void *at = *size ? mmap(NULL, *size, PROT_READ, MAP_PRIVATE, f, 0) : MAP_FAILED;
    if (f >= 0)
        close(f);
    if (at != MAP_FAILED) {
        Trailer t;
        size_t n = *size - sizeof t;
        memcpy(&t, (char *)at + n, sizeof t);
        if (!memcmp(t.mark, MARK, sizeof MARK) && digest_same(t.digest, digest_of(at, n)))
            return at;
        munmap(at, *size);
    }
    if (is_there)
        unlink(path);
    return NULL;
}

static const char *path_of(Cache *c, const char *name)
{
    return arena_printf(c->mem, "%s/%s", c->dir, name);
}

const char *cache_find(Cache *c, const char *name)
{
    if (!c)
        return NULL;
    const char *path = path_of(c, name);
    size_t size;
    void *at = map_entry(path, &size);
    if (!at)
        return NULL;
    munmap(at, size);
    utimensat(AT_FDCWD, path, NULL, 0);
    return path;
}

char *cache_read(Cache *c, const char *name, Arena *mem, size_t *n)
{
    if (!c)
        return NULL;
    const char *path = path_of(c, name);
    size_t size;
    void *at = map_entry(path, &size);
    if (!at)
        return NULL;
    *n = size - sizeof(Trailer);
    char *bytes = arena_alloc(mem, *n + 1);
    memcpy(bytes, at, *n);
    bytes[*n] = 0;
    munmap(at, size);
    utimensat(AT_FDCWD, path, NULL, 0);
    return bytes;
}

/* ---- room ---- */

typedef struct Entry {
    const char *name;
    unsigned long long size;
    struct timespec used;
} Entry;

static int oldest_first(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Two processes at it remove the same files, of which one finds some gone. */
static void make_room(Cache *c)
{
    enum { DAY = 86400 };
    Arena *tmp = arena_new();
    VEC(Entry) entry = {0};
    unsigned long long all = 0;
    DIR *d = opendir(c->dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
            continue;
        // a part that is being written, or that a killed process left
        if (e->d_name[0] == '.') {
            if (time(NULL) - st.st_mtim.tv_sec > DAY)
                unlinkat(dirfd(d), e->d_name, 0);
            continue;
        }
        Entry it = {arena_copy(tmp, e->d_name, strlen(e->d_name)), (unsigned long long)st.st_size,
                    st.st_mtim};
        vec_push(tmp, entry, it);
        all += it.size;
    }
    if (d && all > c->most) {
        qsort(entry.at, entry.n, sizeof *entry.at, oldest_first);
        for (uint32_t k = 0; k < entry.n && all > c->most / 5 * 4; k++) {
            unlinkat(dirfd(d), entry.at[k].name, 0);
            all -= entry.at[k].size;
        }
    }
    if (d)
        closedir(d);
    arena_free(tmp);
}

/* Going over ten thousand entries takes longer than compiling a small model. So a new entry of n
 * bytes has it done with probability n/(most/ROOMS), drawn by its digest: the limit is exceeded by
 * parts of ROOMS. */
static bool room_is_due(const Cache *c, Digest digest, size_t n)
{
    enum { ROOMS = 64, BLOCK = 4096 };
    uint64_t draw;
    memcpy(&draw, &digest, sizeof draw);
    return draw % (c->most / ROOMS + 1) < (n > BLOCK ? n : BLOCK);
}

bool cache_put(Cache *c, const char *name, const void *bytes, size_t n)
{
    if (!c || n > c->most)
        return false;
    Trailer t = {.digest = digest_of(bytes, n)};
    memcpy(t.mark, MARK, sizeof MARK);
    const char *part =
        arena_printf(c->mem, "%s/.%ld.%u.part", c->dir, (long)getpid(), c->n_parts++);
    int to = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *f = to >= 0 ? fdopen(to, "wb") : NULL;
    if (!f)
        return false;
    bool ok = fwrite(bytes, 1, n, f) == n && fwrite(&t, sizeof t, 1, f) == 1;
    ok = !fclose(f) && ok && !rename(part, path_of(c, name));
    if (!ok)
        unlink(part);
    else if (room_is_due(c, t.digest, n))
        make_room(c);
    return ok;
}

bool cache_put_file(Cache *c, const char *name, const char *path)
{
    FILE *f = c ? fopen(path, "rb") : NULL;
    if (!f)
        return false;
    Arena *tmp = arena_new();
    VEC(char) all = {0};
    char piece[1 << 16];
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;) {
        vec_reserve(tmp, all, all.n + (uint32_t)n);
        memcpy(all.at + all.n, piece, n);
        all.n += (uint32_t)n;
    }
    bool ok = !ferror(f);
    fclose(f);
    ok = ok && cache_put(c, name, all.at, all.n);
    arena_free(tmp);
    return ok;
}
