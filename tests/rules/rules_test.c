/* tests/rules/<section>.mo: rules of the Modelica specification, each with models that break it and
 * the nearest ones that do not. A case begins with one of the lines
 *
 *     // legal NAME
 *     // warning NAME: CODE text      accepted, with such a warning
 *     // illegal NAME: CODE text      refused, with such an error
 *     // open NAME                    illegal, but accepted so far
 *
 * and is all the text up to the next; its last class is translated as by `rung check --strict`. A
 * name that has illegal cases has a legal one. usage: test_rules [--list] FOLDER [NAME] */
#include "translate/compilation.h"
#include "translate/driver.h"

#include "base/map.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef enum Want { LEGAL, WARNING, ILLEGAL, OPEN } Want;

typedef struct Case {
    Want want;
    const char *name, *code, *part; /* part of the message; "" if any will do */
    const char *text;
    uint32_t line;
} Case;

typedef VEC(Case) Cases;

static const struct {
    const char *mark;
    Want want;
} head[] = {
    {"// legal ", LEGAL}, {"// warning ", WARNING}, {"// illegal ", ILLEGAL}, {"// open ", OPEN}};

static bool read_head(Arena *mem, const char *line, size_t n, Case *out)
{
    for (size_t k = 0; k < sizeof head / sizeof *head; k++) {
        size_t len = strlen(head[k].mark);
        if (strncmp(line, head[k].mark, len) != 0)
            continue;
        char *name = arena_copy(mem, line + len, n - len);
        char *colon = strchr(name, ':');
        *out = (Case){.want = head[k].want, .name = name, .code = "", .part = ""};
        if (!colon)
            return true;
        *colon = 0;
        char *code = colon + 1 + strspn(colon + 1, " ");
        char *part = code + strcspn(code, " ");
        out->part = part + strspn(part, " ");
        *part = 0;
        out->code = code;
        return true;
    }
    return false;
}

static Cases read_cases(Arena *mem, const char *path)
{
    Cases all = {0};
    FILE *f = fopen(path, "rb");
    if (!f)
        return all;
    char *line = NULL;
    size_t size = 0;
    char *text = NULL;
    size_t n_text = 0;
    FILE *to = NULL;
    ssize_t n;
    for (uint32_t at = 1; (n = getline(&line, &size, f)) > 0; at++) {
        Case c;
        size_t len = (size_t)n - (line[n - 1] == '\n');
        if (read_head(mem, line, len, &c)) {
            if (to) {
                fclose(to);
                vec_last(all).text = arena_copy(mem, text, n_text);
                free(text);
            }
            c.line = at;
            vec_push(mem, all, c);
            to = open_memstream(&text, &n_text);
            for (uint32_t k = 0; k < at; k++)
                fputc('\n', to); /* messages name the lines of the file */
        } else if (to) {
            fwrite(line, 1, (size_t)n, to);
        }
    }
    if (to) {
        fclose(to);
        vec_last(all).text = arena_copy(mem, text, n_text);
        free(text);
    }
    free(line);
    fclose(f);
    return all;
}

/* One case: NULL if it came out as it must, else what is wrong. */
static const char *run(Arena *mem, const char *path, const Case *x, FILE *messages)
{
    Request r = {.strict = true, .units = RULE_WARN, .ranges = RULE_WARN};
    Compilation *c = compilation_new(&r, mem);
    library_add_text(c->library, path, x->text);
    uint32_t n = library_n_files(c->library);
    const SynFile *file = n ? library_file(c->library, n - 1) : NULL;
    if (file && file->n_classes && diags_errors(c->diags) == 0) {
        compilation_name(c, file->class_[file->n_classes - 1]->name.s);
        driver_run(c, driver_find("blocks"));
    }
    uint32_t errors = diags_errors(c->diags);
    bool found = false;
    bool by_code = false, in_note = false; /* the words may be in a note of the error */
    bool placed = true;
    bool has_false_warning = false;
    for (uint32_t k = 0; k < diags_count(c->diags); k++) {
        const Diag *d = diags_at(c->diags, k);
        has_false_warning =
            has_false_warning || strcmp(d->code, "U01") == 0 || strcmp(d->code, "R01") == 0;
        in_note = in_note || (d->severity == DIAG_NOTE && strstr(d->text, x->part));
        by_code = by_code || (d->severity == DIAG_ERROR && strcmp(d->code, x->code) == 0);
        Severity wanted = x->want == WARNING ? DIAG_WARNING : DIAG_ERROR;
        if (d->severity != wanted || strncmp(d->code, x->code, strlen(x->code)) != 0 ||
            !strstr(d->text, x->part))
            continue;
        found = true;
        placed = d->span.file != 0;
    }
    found = found || (x->want == ILLEGAL && by_code && in_note);
    const char *wrong = NULL;
    if (x->want == ILLEGAL && errors == 0)
        wrong = "accepted";
    else if (x->want == OPEN && errors > 0)
        wrong = "is refused by now: no longer open";
    else if (x->want != ILLEGAL && errors > 0)
        wrong = "refused";
    else if (x->want != LEGAL && x->want != OPEN && !found)
        wrong = "other words";
    else if (x->want == LEGAL && has_false_warning)
        wrong = "its units or ranges are said not to fit";
    else if (x->want == ILLEGAL && !placed)
        wrong = "no place";
    if (wrong && messages)
        diags_print(c->diags, messages, false);
    compilation_free(c);
    return wrong;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    bool list = argc > 1 && strcmp(argv[1], "--list") == 0;
    const char *folder = argv[list ? 2 : 1];
    const char *only = argc > (list ? 3 : 2) ? argv[list ? 3 : 2] : NULL;
    Arena *mem = arena_new();
    DIR *dir = folder ? opendir(folder) : NULL;
    if (!dir) {
        fprintf(stderr, "no folder\n");
        return 2;
    }
    VEC(char *) file = {0};
    for (struct dirent *e; (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n > 3 && strcmp(e->d_name + n - 3, ".mo") == 0)
            vec_push(mem, file, arena_copy(mem, e->d_name, n));
    }
    closedir(dir);
    if (file.n)
        qsort(file.at, file.n, sizeof *file.at, by_name);
    uint32_t n[4] = {0};
    uint32_t good[4] = {0};
    uint32_t failed = 0;
    for (uint32_t k = 0; k < file.n; k++) {
        const char *path = arena_printf(mem, "%s/%s", folder, file.at[k]);
        Cases all = read_cases(mem, path);
        for (uint32_t j = 0; j < all.n; j++) {
            const Case *x = &all.at[j];
            if (only && strcmp(only, x->name) != 0 && strcmp(only, file.at[k]) != 0)
                continue;
            Arena *own = arena_new();
            const char *wrong = run(own, path, x, list ? NULL : stderr);
            n[x->want]++;
            /* for the counts it matters whether it is refused, not how */
            good[x->want] += !wrong || strcmp(wrong, "other words") == 0;
            failed += wrong != NULL;
            if (list || wrong)
                printf("%s:%u: %s%s: %s\n", path, x->line, head[x->want].mark + 3, x->name,
                       wrong ? wrong : "good");
            arena_free(own);
            /* a rule that is tested by what breaks it alone might refuse everything */
            bool has_legal = x->want == LEGAL || x->want == WARNING;
            for (uint32_t i = 0; i < all.n && !has_legal; i++)
                has_legal = all.at[i].want <= WARNING && strcmp(all.at[i].name, x->name) == 0;
            if (!has_legal) {
                printf("%s:%u: %s has no legal case\n", path, x->line, x->name);
                failed++;
            }
        }
    }
    printf("illegal: %u of %u refused; legal: %u of %u accepted; with a warning: %u of %u\n",
           good[ILLEGAL], n[ILLEGAL] + n[OPEN], good[LEGAL], n[LEGAL], good[WARNING], n[WARNING]);
    arena_free(mem);
    return failed > 0 || n[ILLEGAL] + n[LEGAL] == 0;
}
