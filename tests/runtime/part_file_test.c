/* A file that is there whole or not at all, beside links, pipes and other processes. */
#define _XOPEN_SOURCE 700
#include "runtime/result/part_file.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* An empty folder, in which the test then is. */
static void enter_folder(char *folder)
{
    strcpy(folder, "/tmp/part_test_XXXXXX");
    cr_assert(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

/* How many files the folder has, hidden ones too. */
static int files(void)
{
    int n = 0;
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return n;
}

static void leave_folder(const char *folder)
{
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));)
        unlink(e->d_name);
    closedir(d);
    cr_assert_eq(chdir("/") || rmdir(folder), 0);
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    cr_assert(f);
    fputs(text, f);
    fclose(f);
}

static bool holds(const char *name, const char *text)
{
    char got[100] = "";
    FILE *f = fopen(name, "r");
    if (!f)
        return false;
    got[fread(got, 1, sizeof got - 1, f)] = 0;
    fclose(f);
    return !strcmp(got, text);
}

static void write_part(const char *name, const char *text)
{
    PartFile p;
    cr_assert(part_open(&p, name));
    fputs(text, p.f);
    cr_assert_eq(part_close(&p), 0);
}

Test(part_file, has_its_name_when_it_is_closed_and_never_when_discarded)
{
    char folder[32];
    enter_folder(folder);
    PartFile p;
    cr_assert(part_open(&p, "new"));
    fputs("text", p.f);
    cr_assert(access("new", F_OK));
    cr_assert_eq(part_close(&p), 0);
    cr_assert(holds("new", "text"));
    cr_assert(part_open(&p, "new"));
    fputs("another", p.f);
    fflush(p.f);
    cr_assert(holds("new", "text"));
    part_discard(&p);
    part_discard(&p);
    cr_assert(holds("new", "text"));
    cr_assert_eq(files(), 1);
    cr_assert(!part_open(&p, "nowhere/new"));
    leave_folder(folder);
}

Test(part_file, a_name_that_cannot_be_taken_leaves_nothing)
{
    char folder[32];
    enter_folder(folder);
    PartFile p;
    cr_assert(part_open(&p, "taken"));
    fputs("text", p.f);
    cr_assert_eq(mkdir("taken", 0700), 0);
    cr_assert_eq(part_close(&p), -1);
    cr_assert_eq(errno, EISDIR);
    cr_assert_eq(files(), 1);
    cr_assert_eq(rmdir("taken"), 0);
    leave_folder(folder);
}

Test(part_file, a_link_stays_and_its_target_is_written)
{
    char folder[32], to[100];
    enter_folder(folder);
    put("target", "old");
    cr_assert_eq(symlink("target", "link") || symlink("not_yet", "dangling"), 0);
    write_part("link", "new");
    write_part("dangling", "first");
    cr_assert(holds("target", "new") && holds("not_yet", "first"));
    cr_assert_eq(readlink("link", to, sizeof to), 6);
    cr_assert_eq(readlink("dangling", to, sizeof to), 7);
    cr_assert_eq(files(), 4);
    leave_folder(folder);
}

Test(part_file, what_is_no_file_is_written_through)
{
    char folder[32], got[10] = "";
    enter_folder(folder);
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    cr_assert_geq(reader, 0);
    cr_assert(part_is_special("pipe") && part_is_special("-") && part_is_special("/dev/null"));
    cr_assert(!part_is_special("none"));
    write_part("pipe", "through");
    // not /dev/null: a fault here would replace the device when run by root
    cr_assert_eq(read(reader, got, sizeof got), 7);
    cr_assert_str_eq(got, "through");
    close(reader);
    struct stat st;
    cr_assert(!stat("pipe", &st) && S_ISFIFO(st.st_mode));
    cr_assert_eq(files(), 1);
    leave_folder(folder);
}

/* Another process writes the same name: its part stays while it lives, that of a dead one goes. */
Test(part_file, parts_of_living_processes_stay_and_of_dead_ones_go)
{
    char folder[32], byte = 0;
    int started[2], go_on[2], status;
    enter_folder(folder);
    cr_assert_eq(pipe(started) || pipe(go_on), 0);
    pid_t other = fork();
    if (!other) {
        close(go_on[1]); // ends with this process when that fails
        PartFile p;
        bool good = part_open(&p, "both") && fputs("other", p.f) >= 0 && !fflush(p.f);
        good = write(started[1], &byte, 1) == 1 && read(go_on[0], &byte, 1) == 1 && good;
        _exit(!good || part_close(&p));
    }
    cr_assert_eq(read(started[0], &byte, 1), 1);
    put(".both.999999999.part", "of nobody");
    put(".both.x.part", "not ours");
    put(".other.999999999.part", "of another name");
    write_part("both", "own");
    cr_assert(holds("both", "own"));
    cr_assert(access(".both.999999999.part", F_OK));
    cr_assert_eq(files(), 4); // own, the other's part, the two that are not ours
    cr_assert_eq(write(go_on[1], &byte, 1), 1);
    cr_assert_eq(waitpid(other, &status, 0), other);
    cr_assert_eq(status, 0);
    cr_assert(holds("both", "other"));
    cr_assert_eq(files(), 3);
    leave_folder(folder);
}

/* Two of one name in one process: each is whole, the one that is closed last stays. */
Test(part_file, the_same_name_twice)
{
    char folder[40];
    enter_folder(folder);
    PartFile one, other, third;
    cr_assert(part_open(&one, "r.csv"));
    fputs("first, ", one.f);
    cr_assert(part_open(&other, "r.csv"));
    fputs("second", other.f);
    fflush(other.f);
    fputs("on it goes", one.f);
    cr_assert_eq(part_close(&other), 0);
    cr_assert(holds("r.csv", "second"));
    cr_assert(part_open(&third, "r.csv"));
    part_discard(&third);
    cr_assert_eq(part_close(&one), 0);
    cr_assert(holds("r.csv", "first, on it goes"));
    cr_assert_eq(files(), 1);
    leave_folder(folder);
}

/* Each open looks for stale parts; one that another process has just made is none. */
Test(part_file, of_one_name_are_written_by_many_processes_at_once)
{
    enum { PROCESSES = 4, TURNS = 300 };
    char folder[40];
    enter_folder(folder);
    for (int k = 0; k < PROCESSES; k++) {
        if (fork())
            continue;
        bool ok = true;
        for (int i = 0; ok && i < TURNS; i++) {
            PartFile p;
            ok = part_open(&p, "same") && fputs("whole", p.f) >= 0 && !part_close(&p);
        }
        _exit(ok ? 0 : 1);
    }
    for (int k = 0, status; k < PROCESSES; k++) {
        cr_assert(wait(&status) > 0);
        cr_expect(WIFEXITED(status) && !WEXITSTATUS(status));
    }
    cr_expect(holds("same", "whole"));
    cr_expect_eq(files(), 1);
    leave_folder(folder);
}
