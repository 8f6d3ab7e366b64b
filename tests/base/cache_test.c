/* Files kept from run to run: whole or not at all, bounded, of one user; and what they were made
 * of.
 */
#define _XOPEN_SOURCE 700
#include "base/cache.h"
#include "base/dependency.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[40];

static void enter(void)
{
    strcpy(folder, "/tmp/cache_test_XXXXXX");
    cr_assert(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("RUNG_CACHE_SIZE");
}

static void leave(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert(chdir("/") == 0 && system(command) == 0);
}

static bool is_there(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/rung/%s", folder, name);
    return access(path, F_OK) == 0;
}

Test(cache, what_was_put_is_read_again, .init = enter, .fini = leave)
{
    Arena *mem = arena_new();
    Cache *c = cache_open(mem);
    size_t n;
    cr_assert(c);
    cr_assert_null(cache_find(c, "a"));
    cr_assert(cache_put(c, "a", "some bytes", 10));
    cr_assert_str_eq(cache_read(c, "a", mem, &n), "some bytes");
    cr_assert_eq(n, 10);
    cr_assert(cache_put(c, "a", "", 0));
    cr_assert(cache_read(c, "a", mem, &n) && n == 0);
    cr_assert(cache_put(c, "a", "x", 1));
    cr_assert(cache_put_file(c, "b", cache_find(c, "a")) && cache_find(c, "b"));
    arena_free(mem);
}

/* At every length, and with every byte changed. */
Test(cache, a_damaged_entry_is_none, .init = enter, .fini = leave)
{
    Arena *mem = arena_new();
    Cache *c = cache_open(mem);
    char path[200], all[200];
    snprintf(path, sizeof path, "%s/rung/a", folder);
    cr_assert(cache_put(c, "a", "bytes", 5));
    FILE *f = fopen(path, "rb");
    size_t n = fread(all, 1, sizeof all, f);
    fclose(f);
    for (size_t k = 0; k < 2 * n; k++) {
        char damaged[200];
        memcpy(damaged, all, n);
        if (k >= n)
            damaged[k - n] ^= 1;
        f = fopen(path, "wb");
        fwrite(damaged, 1, k < n ? k : n, f);
        fclose(f);
        cr_assert_null(cache_find(c, "a"), "%zu", k);
        cr_assert(!is_there("a"));
    }
    arena_free(mem);
}

Test(cache, the_longest_unused_goes_first, .init = enter, .fini = leave)
{
    setenv("RUNG_CACHE_SIZE", "10k", 1);
    Arena *mem = arena_new();
    Cache *c = cache_open(mem);
    char bytes[2000] = "";
    for (int k = 0; k < 4; k++) {
        const char *name = arena_printf(mem, "%d", k);
        cr_assert(cache_put(c, name, bytes, sizeof bytes));
        char path[200];
        snprintf(path, sizeof path, "%s/rung/%d", folder, k);
        const struct timespec then[2] = {{1000 + k, 0}, {1000 + k, 0}};
        utimensat(AT_FDCWD, path, then, 0);
    }
    cr_assert(cache_find(c, "0")); // used now
    cr_assert(cache_put(c, "5", bytes, sizeof bytes));
    cr_assert(is_there("0") && !is_there("1") && is_there("5"));
    cr_assert(!cache_put(c, "huge", bytes, 20000));
    arena_free(mem);
}

/* Bytes of all entries. */
static long long all_bytes(Arena *mem)
{
    long long all = 0;
    DIR *d = opendir(arena_printf(mem, "%s/rung", folder));
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (e->d_name[0] != '.' && !fstatat(dirfd(d), e->d_name, &st, 0))
            all += st.st_size;
    }
    closedir(d);
    return all;
}

Test(cache, many_small_entries_keep_to_the_limit, .init = enter, .fini = leave)
{
    setenv("RUNG_CACHE_SIZE", "2M", 1);
    Arena *mem = arena_new();
    Cache *c = cache_open(mem);
    bool was_over = false;
    for (int k = 0; k < 2000; k++) {
        char bytes[5000];
        memset(bytes, k, sizeof bytes);
        memcpy(bytes, &k, sizeof k);
        cr_assert(cache_put(c, arena_printf(mem, "%d", k), bytes, sizeof bytes));
        long long all = k % 10 == 9 ? all_bytes(mem) : 0;
        was_over = was_over || all > 1800000;
        cr_assert(all < 2500000, "%lld bytes after %d", all, k + 1);
    }
    cr_assert(was_over);
    arena_free(mem);
}

Test(cache, several_processes_write_the_same, .init = enter, .fini = leave)
{
    enum { PROCESSES = 4, ROUNDS = 50, SIZE = 30000 };
    static char bytes[SIZE];
    for (int p = 0; p < PROCESSES; p++)
        if (fork() == 0) {
            Arena *mem = arena_new();
            Cache *c = cache_open(mem);
            size_t n;
            bool good = c;
            for (int k = 0; k < ROUNDS && good; k++) {
                good = cache_put(c, "same", bytes, SIZE);
                const char *got = good ? cache_read(c, "same", mem, &n) : NULL;
                good = got && n == SIZE && !memcmp(got, bytes, SIZE);
            }
            _exit(!good);
        }
    for (int p = 0; p < PROCESSES; p++) {
        int status;
        cr_assert(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

Test(cache, there_may_be_none, .init = enter, .fini = leave)
{
    Arena *mem = arena_new();
    size_t n;
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    cr_assert_null(cache_open(mem));
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    cr_assert_null(cache_open(mem));
    cr_assert(!cache_find(NULL, "a") && !cache_read(NULL, "a", mem, &n));
    cr_assert(!cache_put(NULL, "a", "", 0) && !cache_put_file(NULL, "a", "/dev/null"));
    // what others may write is not loaded
    setenv("XDG_CACHE_HOME", folder, 1);
    cr_assert(cache_open(mem));
    char path[200];
    snprintf(path, sizeof path, "%s/rung", folder);
    chmod(path, 0770);
    cr_assert_null(cache_open(mem));
    arena_free(mem);
}

/* ---- what a result was made of ---- */

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    fputs(text, f);
    fclose(f);
}

static const char *lines_of(DependencyKind kind, const char *path, Arena *mem)
{
    Dependencies d = dependencies_new(mem);
    dependencies_add(&d, kind, path);
    dependencies_add(&d, kind, path);
    cr_assert_eq(d.list.n, 1);
    Text t = text_new(mem);
    dependencies_print(&d, &t);
    return t.at;
}

Test(dependency, each_kind_sees_its_changes_alone, .init = enter, .fini = leave)
{
    Arena *mem = arena_new();
    cr_assert(!mkdir("d", 0700) && !mkdir("d/e", 0700));
    put("d/f", "one");
    put("d/e/g", "two");
    const char *bytes = lines_of(DEPENDS_ON_BYTES, "d/f", mem);
    const char *kind = lines_of(DEPENDS_ON_KIND, "d/f", mem);
    const char *names = lines_of(DEPENDS_ON_NAMES, "d", mem);
    const char *tree = lines_of(DEPENDS_ON_TREE, "d", mem);
    const char *absent = lines_of(DEPENDS_ON_BYTES, "none", mem);
    cr_assert(dependencies_hold(bytes) && dependencies_hold(kind) && dependencies_hold(names));
    cr_assert(dependencies_hold(tree) && dependencies_hold(absent) && dependencies_hold(""));
    put("d/e/g", "other");
    cr_assert(dependencies_hold(bytes) && dependencies_hold(names) && !dependencies_hold(tree));
    put("d/f", "ONE");
    cr_assert(!dependencies_hold(bytes) && dependencies_hold(kind) && dependencies_hold(names));
    put("d/new", "");
    cr_assert(!dependencies_hold(names));
    put("none", "");
    cr_assert(!dependencies_hold(absent));
    unlink("d/f");
    cr_assert(!dependencies_hold(kind));
    cr_assert(!dependencies_hold("nonsense") && !dependencies_hold("b 00 x\n"));
    // a name that does not fit on a line
    cr_assert(!dependencies_hold(lines_of(DEPENDS_ON_KIND, "a\nb", mem)));
    arena_free(mem);
}

Test(digest, pieces_are_told_apart)
{
    Digester *a = digester_new(), *b = digester_new();
    digester_text(a, "ab");
    digester_text(a, "c");
    digester_text(b, "a");
    digester_text(b, "bc");
    Digest x = digester_end(a), y = digester_end(b), z;
    cr_assert(!digest_same(x, y));
    char text[DIGEST_TEXT];
    digest_print(x, text);
    cr_assert(digest_scan(text, &z) && digest_same(x, z));
    cr_assert(!digest_scan("12", &z));
}
