#define _XOPEN_SOURCE 700 /* realpath */
#include "doc_pages/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char list_name[] = "rung-doc.txt";
static const char list_head[] = "files written by rung doc, which replaces them\n";

static bool fail(const char *action, const char *path)
{
    fprintf(stderr, "rung: cannot %s '%s': %s\n", action, path, strerror(errno));
    return false;
}

static bool has_text(const Texts *list, const char *s)
{
    for (uint32_t k = 0; k < list->n; k++)
        if (strcmp(list->at[k], s) == 0)
            return true;
    return false;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* ---- folders that exist --------------------------------------------------------------------- */

/* Files below a folder and folders, relative to it; links are files. */
static bool find_files(Folder *f, const char *inside, int depth)
{
    const char *path = *inside ? arena_printf(f->mem, "%s/%s", f->path, inside) : f->path;
    DIR *dir = opendir(path);
    if (!dir)
        return fail("read", path);
    bool ok = true;
    for (const struct dirent *e; ok && (e = readdir(dir));) {
        struct stat st;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        const char *name = *inside ? arena_printf(f->mem, "%s/%s", inside, e->d_name)
                                   : arena_copy(f->mem, e->d_name, strlen(e->d_name));
        const char *whole = arena_printf(f->mem, "%s/%s", f->path, name);
        if (lstat(whole, &st) != 0)
            ok = fail("read", whole);
        else if (!S_ISDIR(st.st_mode))
            vec_push(f->mem, f->old_files, name);
        else if (depth < 4) {
            vec_push(f->mem, f->old_folders, name);
            ok = find_files(f, name, depth + 1);
        } else
            vec_push(f->mem, f->old_files, name); /* no file of rung's is that deep */
    }
    closedir(dir);
    return ok;
}

/* The names in the list of an earlier run, sorted. */
static bool read_list(Folder *f, Texts *listed)
{
    const char *path = arena_printf(f->mem, "%s/%s", f->path, list_name);
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0;
    ssize_t n = in ? getline(&line, &cap, in) : -1;
    bool ok = n > 0 && strcmp(line, list_head) == 0;
    while (ok && (n = getline(&line, &cap, in)) > 0)
        vec_push(f->mem, *listed, arena_copy(f->mem, line, (size_t)n - (line[n - 1] == '\n')));
    free(line);
    if (in)
        fclose(in);
    if (ok && listed->n)
        qsort(listed->at, listed->n, sizeof *listed->at, by_text);
    return ok;
}

static bool foreign_file(const Folder *f, const char *name)
{
    fprintf(stderr,
            "rung: '%s' has the file '%s', which rung doc has not written: name another folder, or "
            "move it\n",
            f->path, name);
    return false;
}

/* Without a list nothing may be in the folder, which may be large. */
static bool is_empty(const Folder *f)
{
    DIR *dir = opendir(f->path);
    if (!dir)
        return fail("read", f->path);
    bool ok = true;
    for (const struct dirent *e; ok && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            ok = foreign_file(f, e->d_name);
    closedir(dir);
    return ok;
}

/* A folder that is replaced cannot be the working folder, which would be gone for its users. */
static bool is_around(const Folder *f)
{
    char *here = realpath(".", NULL);
    size_t n = strlen(f->path);
    bool around = here && strncmp(here, f->path, n) == 0 &&
                  (here[n] == 0 || here[n] == '/' || f->path[n - 1] == '/');
    free(here);
    if (around)
        fprintf(stderr, "rung: '%s' is the working folder or around it: name another folder\n",
                f->path);
    return around;
}

static bool may_replace(Folder *f)
{
    Texts listed = {0};
    if (is_around(f))
        return false;
    if (!read_list(f, &listed))
        return is_empty(f);
    if (!find_files(f, "", 0))
        return false;
    for (uint32_t k = 0; k < f->old_files.n; k++) {
        const char *name = f->old_files.at[k];
        bool is_own = strcmp(name, list_name) == 0 ||
                      bsearch(&name, listed.at, listed.n, sizeof name, by_text);
        if (!is_own)
            return foreign_file(f, name);
    }
    return true;
}

/* ---- writing -------------------------------------------------------------------------------- */

bool folder_open(Folder *f, const char *path, Arena *mem)
{
    struct stat st;
    size_t n = strlen(path);
    *f = (Folder){.mem = mem};
    while (n > 1 && path[n - 1] == '/')
        n--;
    f->path = arena_copy(mem, path, n);
    char *real = realpath(f->path, NULL); /* of a link: the folder it leads to */
    if (real)
        f->path = arena_copy(mem, real, strlen(real));
    free(real);
    if (lstat(f->path, &st) == 0) {
        f->exists = true;
        if (!S_ISDIR(st.st_mode)) {
            fprintf(stderr, "rung: '%s' is no folder\n", f->path);
            return false;
        }
        if (!may_replace(f))
            return false;
    } else if (errno != ENOENT) {
        return fail("read", f->path);
    }
    const char *slash = strrchr(f->path, '/');
    f->part = arena_printf(mem, "%.*s.%s.%ld.part", slash ? (int)(slash + 1 - f->path) : 0, f->path,
                           slash ? slash + 1 : f->path, (long)getpid());
    return mkdir(f->part, 0777) == 0 || fail("create", f->path);
}

static bool make_folder(Folder *f, const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *inside = slash ? arena_copy(f->mem, name, (size_t)(slash - name)) : NULL;
    if (!inside || has_text(&f->folders, inside))
        return true;
    vec_push(f->mem, f->folders, inside);
    const char *path = arena_printf(f->mem, "%s/%s", f->part, inside);
    return mkdir(path, 0777) == 0 || fail("create", path);
}

bool folder_put(Folder *f, const char *name, const void *bytes, size_t n)
{
    if (!make_folder(f, name))
        return false;
    const char *path = arena_printf(f->mem, "%s/%s", f->part, name);
    vec_push(f->mem, f->files, name);
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(bytes, 1, n, out) == n;
    if (out)
        ok = fclose(out) == 0 && ok;
    return ok || fail("write", path);
}

bool folder_copy(Folder *f, const char *name, const char *from)
{
    Text t = text_new(f->mem);
    char part[65536];
    FILE *in = fopen(from, "rb");
    text_put(&t, "");
    for (size_t n; in && (n = fread(part, 1, sizeof part, in)) > 0;)
        text_put_n(&t, part, n);
    bool ok = in && !ferror(in);
    if (in)
        fclose(in);
    return ok ? folder_put(f, name, t.at, t.n) : fail("read", from);
}

/* A name is listed after the folders around it. */
static bool remove_files(Arena *mem, const char *path, const Texts *files, const Texts *folders)
{
    for (uint32_t k = 0; k < files->n; k++)
        remove(arena_printf(mem, "%s/%s", path, files->at[k]));
    for (uint32_t k = folders->n; k-- > 0;)
        rmdir(arena_printf(mem, "%s/%s", path, folders->at[k]));
    return rmdir(path) == 0;
}

void folder_discard(Folder *f)
{
    if (f->part)
        remove_files(f->mem, f->part, &f->files, &f->folders);
    f->part = NULL;
}

bool folder_close(Folder *f)
{
    Text list = text_new(f->mem);
    text_put(&list, list_head);
    if (f->files.n)
        qsort(f->files.at, f->files.n, sizeof *f->files.at, by_text);
    for (uint32_t k = 0; k < f->files.n; k++)
        text_printf(&list, "%s\n", f->files.at[k]);
    if (!folder_put(f, list_name, list.at, list.n)) {
        folder_discard(f);
        return false;
    }
    const char *old = arena_printf(f->mem, "%s.old", f->part);
    if (f->exists && rename(f->path, old) != 0) {
        fail("replace", f->path);
        folder_discard(f);
        return false;
    }
    if (rename(f->part, f->path) != 0) {
        fail("write", f->path);
        if (f->exists && rename(old, f->path) != 0)
            fprintf(stderr, "rung: the earlier folder is '%s'\n", old);
        folder_discard(f);
        return false;
    }
    if (f->exists && !remove_files(f->mem, old, &f->old_files, &f->old_folders))
        fprintf(stderr, "rung: files that came in the meantime are in '%s'\n", old);
    return true;
}
