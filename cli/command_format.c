/* rung format: Modelica files in one layout. */
#include "cli/command.h"
#include "format/format.h"
#include "format/line_diff.h"
#include "frontend/syntax/source.h"
#include "study/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Formatting {
    const Options *o;
    Arena *mem;     /* texts of files, messages */
    Arena *scratch; /* of one file              */
    Diags *diags;
    uint32_t printed; /* messages */
    uint32_t files, changed;
    Exit status;
} Formatting;

static bool is_json(const Formatting *f)
{
    return strcmp(f->o->diagnostics, "json") == 0;
}

static uint32_t read_standard_input(Formatting *f)
{
    Text t = text_new(f->mem);
    char part[4096];
    text_put(&t, "");
    for (size_t n; (n = fread(part, 1, sizeof part, stdin)) > 0;)
        text_put_n(&t, part, n);
    if (ferror(stdin) || t.n > INT32_MAX) {
        diag_error(f->diags, SPAN_NONE, "P10", "cannot read standard input");
        return 0;
    }
    return diags_add_source(f->diags, "<standard input>", t.at, (uint32_t)t.n);
}

/* The file keeps its permissions; a symbolic link stays one. */
static bool write_file(const char *path, const Text *text)
{
    struct stat st;
    Output out;
    if (stat(path, &st) != 0 || access(path, W_OK) != 0) {
        fprintf(stderr, "rung: cannot write '%s': %s\n", path, strerror(errno));
        return false;
    }
    if (!output_open(&out, path))
        return false;
    bool ok = fchmod(fileno(out.file), st.st_mode & 07777) == 0 &&
              fwrite(text->at, 1, text->n, out.file) == text->n;
    if (ok)
        return output_close(&out);
    fprintf(stderr, "rung: cannot write '%s': %s\n", path, strerror(errno));
    part_discard(&out.part);
    return false;
}

static void print_diff(Formatting *f, const char *path, const Text *old, const Text *text)
{
    Text diff = text_new(f->scratch);
    line_diff(path, old, text, &diff);
    fwrite(diff.at, 1, diff.n, stdout);
}

static void give_out(Formatting *f, const char *path, const Text *old, const Text *text)
{
    bool is_input = strcmp(path, "-") == 0;
    bool same = old->n == text->n && memcmp(old->at, text->at, old->n) == 0;
    f->changed += !same;
    if (f->o->diff && !same)
        print_diff(f, is_input ? "<standard input>" : path, old, text);
    if (f->o->check && !same) {
        if (!f->o->diff)
            puts(path);
        f->status = f->status == EXIT_GOOD ? EXIT_MODEL : f->status;
    }
    if (f->o->diff || f->o->check)
        return;
    if (is_input)
        fwrite(text->at, 1, text->n, stdout);
    else if (!same && !write_file(path, text))
        f->status = EXIT_FILE;
}

static void print_messages(Formatting *f)
{
    uint32_t n = diags_count(f->diags);
    if (!is_json(f))
        diags_print_some(f->diags, f->printed, n - f->printed, stderr, false);
    f->printed = n;
}

static void format_file(Formatting *f, const char *path)
{
    bool is_input = strcmp(path, "-") == 0;
    uint32_t file = is_input ? read_standard_input(f) : source_read(f->mem, f->diags, path);
    ArenaMark mark = arena_mark(f->scratch);
    Text text = text_new(f->scratch);
    f->files++;
    if (file) {
        Source s = *diags_source(f->diags, file);
        Text old = {.at = (char *)s.text, .n = s.size};
        if (format_source(f->scratch, f->diags, file, &text))
            give_out(f, path, &old, &text);
    }
    print_messages(f);
    if (!is_json(f)) /* the messages quote the text */
        arena_rollback(f->scratch, mark);
}

Exit command_format(const Options *o)
{
    if (o->files.n == 0) {
        fputs("rung: format needs files or directories, or - for standard input\n", stderr);
        return EXIT_USAGE;
    }
    Formatting f = {.o = o, .mem = arena_new(), .scratch = arena_new()};
    f.diags = diags_new(f.mem);
    for (uint32_t k = 0; k < o->files.n; k++) {
        Texts files = {0};
        if (strcmp(o->files.at[k], "-") == 0)
            vec_push(f.mem, files, o->files.at[k]);
        else
            source_find(f.mem, f.diags, o->files.at[k], &files);
        for (uint32_t i = 0; i < files.n; i++)
            format_file(&f, files.at[i]);
    }
    print_messages(&f);
    if (is_json(&f))
        diags_print_json(f.diags, stderr);
    if (diags_errors(f.diags) > 0 && f.status == EXIT_GOOD)
        f.status = EXIT_MODEL;
    Exit status = f.status;
    arena_free(f.scratch);
    arena_free(f.mem);
    return status;
}
