#include "language_server/lenses.h"

#include "frontend/syntax/parser.h"
#include "frontend/syntax/syntax_print.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A word of a command line that is FILE, RESULT or PAGE stands for a path. */
static const struct Lens {
    const char *command, *title;
    const char *word[6];
    const char *suffix; /* of the page; ".txt": the output of the program */
} lenses[] = {
    {"rung.simulate", "simulate", {"simulate", "FILE", "-o", "RESULT", "--plot", "PAGE"}, ".html"},
    {"rung.view", "view", {"view", "FILE", "-o", "PAGE"}, ".html"},
    {"rung.count", "count", {"count", "FILE"}, ".txt"},
};
enum { LENSES = sizeof lenses / sizeof *lenses };

void put_lens_commands(Json *j)
{
    for (size_t k = 0; k < LENSES; k++)
        json_text(j, NULL, lenses[k].command);
}

/* ---- above which classes ------------------------------------------------------------------ */

typedef struct Walk {
    Json j;
    Lines lines;
    const char *uri;
    Arena *mem;
} Walk;

static void put_lenses(Walk *w, const SynClass *c, const char *path)
{
    for (size_t k = 0; k < LENSES; k++) {
        json_object(&w->j, NULL);
        put_range(&w->j, "range", &w->lines, c->name_span);
        json_object(&w->j, "command");
        json_text(&w->j, "title", lenses[k].title);
        json_text(&w->j, "command", lenses[k].command);
        json_array(&w->j, "arguments");
        json_text(&w->j, NULL, w->uri);
        json_text(&w->j, NULL, path);
        json_close(&w->j);
        json_close(&w->j);
        json_close(&w->j);
    }
}

/* Partial models are not simulated (MLS 4.7), packages neither; models may be inside both. */
static void walk_class(Walk *w, const SynClass *c, const char *within)
{
    bool is_model = c->restriction == SYN_R_MODEL || c->restriction == SYN_R_BLOCK ||
                    c->restriction == SYN_R_CLASS;
    if (!c->name.s)
        return;
    const char *path = *within ? arena_printf(w->mem, "%s.%s", within, c->name.s) : c->name.s;
    if (is_model && !c->partial)
        put_lenses(w, c, path);
    for (uint32_t k = 0; k < c->n_elements; k++)
        if (c->elements[k]->kind == SYN_CLASS)
            walk_class(w, c->elements[k]->class_, path);
}

void analysis_lenses(const Analysis *a, Text *answer)
{
    const Document *d = a->document;
    Diags *diags = diags_new(a->mem);
    uint32_t file = diags_add_source(diags, d->path, d->text, d->size);
    const SynFile *tree = parse_file(a->mem, names_new(a->mem), diags, file);
    Walk w = {json_new(answer), analysis_lines(a), d->uri, a->mem};
    json_array(&w.j, NULL);
    for (uint32_t k = 0; k < tree->n_classes; k++)
        walk_class(&w, tree->class_[k], tree->within.n ? syn_path_text(a->mem, &tree->within) : "");
    json_close(&w.j);
}

/* ---- their commands ----------------------------------------------------------------------- */

/* Runs argv; its messages, and in `printed` its output. The exit status, -1 without one. */
static int run_program(const char *const *argv, const char *printed, Text *messages)
{
    enum { PART = 4096 };
    char part[PART];
    int ends[2], status = 0;
    pid_t pid;
    if (pipe(ends) != 0)
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, printed, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int why = posix_spawn(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    for (ssize_t n; why == 0 && (n = read(ends[0], part, PART)) > 0;)
        text_put_n(messages, part, (size_t)n);
    close(ends[0]);
    return why == 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                            : -1;
}

static const char *word_of(const LensRun *run, const struct Lens *lens, const char *word,
                           const char *file, Arena *mem)
{
    if (strcmp(word, "FILE") == 0)
        return file;
    const char *suffix = strcmp(word, "PAGE") == 0     ? lens->suffix
                         : strcmp(word, "RESULT") == 0 ? ".mat"
                                                       : NULL;
    return suffix ? arena_printf(mem, "%s/%u%s", run->folder, run->number, suffix) : word;
}

void analysis_run(const Analysis *a, const LensRun *run, Text *answer)
{
    const Document *d = a->document;
    const struct Lens *lens = NULL;
    for (size_t k = 0; k < LENSES; k++)
        lens = strcmp(run->command, lenses[k].command) == 0 ? &lenses[k] : lens;
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    if (!lens)
        *a->refusal = arena_printf(a->mem, "there is no command '%s'", run->command);
    else if (!document_is_in_file(d))
        *a->refusal = arena_printf(a->mem, "save '%s' first: its file is run", d->path);
    else if (n <= 0)
        *a->refusal = "the file of the program is not known";
    if (*a->refusal)
        return;
    VEC(const char *) argv = {0};
    vec_push(a->mem, argv, self);
    for (size_t k = 0; k < sizeof lens->word / sizeof *lens->word && lens->word[k]; k++)
        vec_push(a->mem, argv, word_of(run, lens, lens->word[k], d->path, a->mem));
    vec_push(a->mem, argv, "--model");
    vec_push(a->mem, argv, run->model);
    const Texts libraries = analysis_libraries(a);
    for (uint32_t k = 0; k < libraries.n; k++) {
        vec_push(a->mem, argv, "--library");
        vec_push(a->mem, argv, libraries.at[k]);
    }
    vec_push(a->mem, argv, NULL);

    bool is_text = strcmp(lens->suffix, ".txt") == 0;
    const char *page = word_of(run, lens, "PAGE", d->path, a->mem);
    const char *printed = is_text ? page : "/dev/null";
    Text messages = text_new(a->mem);
    int status = run_program(argv.at, printed, &messages);
    bool has_page = access(page, R_OK) == 0 && !(is_text && status != 0);
    Json j = json_new(answer);
    json_object(&j, NULL);
    json_text(&j, "page", has_page ? page : "");
    json_bool(&j, "external", !is_text);
    json_text(&j, "message", messages.n ? messages.at : "");
    json_bool(&j, "failed", status != 0);
    json_close(&j);
}
