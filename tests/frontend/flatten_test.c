/* tests/golden/flatten: x.mo flattens to x.out; tests/errors/flatten: each error stands on its own
 * line as `// error N01: text`. RUNG_BLESS=1 writes the .out files anew. */
#include "tests/frontend/spanning_by_growing.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef struct Flat {
    Arena *mem;
    Diags *diags;
    System *sys;
    Library *library;
    Front *front;
    bool good;
} Flat;

static Flat flat_begin(void)
{
    Flat x = {.mem = arena_new()};
    Names *names = names_new(x.mem);
    x.diags = diags_new(x.mem);
    x.sys = system_new(x.mem, names, x.diags, true);
    x.library = library_new(x.mem, names, x.diags);
    library_add_root(x.library, RUNG_SOURCE_DIR "/library");
    x.front = front_new(x.sys, x.library);
    x.front->spanning = spanning_by_growing;
    x.front->strict = true;
    return x;
}

/* The model asked for, or the last one of the files. */
static void flat_go(Flat *x, const char *model)
{
    if (!model && library_n_files(x->library)) {
        const SynFile *file = library_file(x->library, library_n_files(x->library) - 1);
        model = file->n_classes ? file->class_[file->n_classes - 1]->name.s : "";
    }
    x->good = model && flatten(x->front, model);
    if (x->good)
        system_check(x->sys);
}

static Flat flat_new(const char *path, const char *model)
{
    Flat x = flat_begin();
    if (path)
        library_add_file(x.library, path);
    flat_go(&x, model);
    return x;
}

static void flat_free(Flat *x)
{
    front_free(x->front);
    system_free(x->sys);
    arena_free(x->mem);
}

static char *read_text(Arena *mem, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return arena_copy(mem, "", 0);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *text = arena_copy(mem, "", 0);
    if (n > 0) {
        text = arena_alloc(mem, (size_t)n + 1);
        text[fread(text, 1, (size_t)n, f)] = 0;
    }
    fclose(f);
    return text;
}

static void check_golden(const char *path)
{
    Flat x = flat_new(path, NULL);
    if (!x.good)
        diags_print(x.diags, stderr, false);
    cr_expect(x.good, "%s does not flatten", path);
    char *got = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&got, &n);
    system_print(x.sys, f);
    fclose(f);
    const char *out = arena_printf(x.mem, "%.*s.out", (int)strlen(path) - 3, path);
    if (getenv("RUNG_BLESS")) {
        FILE *w = fopen(out, "wb");
        cr_assert_not_null(w, "%s", out);
        fwrite(got, 1, n, w);
        fclose(w);
    } else {
        cr_expect_str_eq(got, read_text(x.mem, out), "%s differs from %s; it is now:\n%s", path,
                         out, got);
    }
    free(got);
    flat_free(&x);
}

static const Diag *error_at(const Diags *d, uint32_t k)
{
    for (uint32_t i = 0; i < diags_count(d); i++) {
        const Diag *x = diags_at(d, i);
        if (x->severity == DIAG_ERROR && k-- == 0)
            return x;
    }
    return NULL;
}

/* Every marked line has its error, in any order, and there are no others. */
static void check_errors(const char *path)
{
    Flat x = flat_new(path, NULL);
    bool supported = system_supported(x.sys);
    cr_expect_not(x.good && supported, "%s flattens", path);
    const char *text = read_text(x.mem, path);
    uint32_t line = 1;
    uint32_t wanted = 0;
    for (const char *at = text; at; line++) {
        const char *end = strchr(at, '\n');
        const char *mark = strstr(at, "// error ");
        if (mark && (!end || mark < end)) {
            int len = end ? (int)(end - mark) : (int)strlen(mark);
            const char *want = arena_copy(x.mem, mark + 14, (size_t)len - 14);
            bool found = false;
            const Diag *e;
            for (uint32_t k = 0; !found && (e = error_at(x.diags, k)); k++)
                found = e->span.file &&
                        diags_place(x.diags, e->span.file, e->span.begin).line == line &&
                        strncmp(mark + 9, e->code, 3) == 0 && strstr(e->text, want);
            cr_expect(found, "%s:%u: not reported: %.*s", path, line, len, mark);
            wanted++;
        }
        at = end ? end + 1 : NULL;
    }
    cr_expect_eq(wanted, diags_errors(x.diags), "%s: %u errors, %u expected", path,
                 diags_errors(x.diags), wanted);
    if (wanted != diags_errors(x.diags))
        diags_print(x.diags, stderr, false);
    flat_free(&x);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void each_model(const char *folder, void (*check)(const char *path))
{
    Arena *mem = arena_new();
    DIR *dir = opendir(folder);
    cr_assert_not_null(dir, "%s", folder);
    char **name = arena_array(mem, char *, 1000);
    size_t n = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL && n < 1000;)
        if (strlen(e->d_name) > 3 && strcmp(e->d_name + strlen(e->d_name) - 3, ".mo") == 0)
            name[n++] = arena_printf(mem, "%s/%s", folder, e->d_name);
    closedir(dir);
    qsort(name, n, sizeof *name, by_name);
    cr_expect(n > 0, "%s is empty", folder);
    for (size_t k = 0; k < n; k++)
        check(name[k]);
    arena_free(mem);
}

Test(flatten, golden)
{
    each_model(RUNG_SOURCE_DIR "/tests/golden/flatten", check_golden);
}

Test(flatten, errors_on_their_lines)
{
    each_model(RUNG_SOURCE_DIR "/tests/errors/flatten", check_errors);
}

/* The same differences from n to n + 1 however many bodies there are. */
Test(flatten, grows_by_the_same_for_each_body)
{
    uint32_t n_eq[4];
    uint32_t n_var[4];
    for (int k = 0; k < 4; k++) {
        char model[80];
        snprintf(model, sizeof model, "Linkage.Examples.AlternatingPendulum(n=%d)", k + 3);
        Flat x = flat_new(NULL, model);
        cr_assert(x.good);
        n_eq[k] = x.sys->eq.n;
        n_var[k] = x.sys->var.n;
        flat_free(&x);
    }
    for (int k = 2; k < 4; k++) {
        cr_expect_eq(n_eq[k] - n_eq[k - 1], n_eq[1] - n_eq[0]);
        cr_expect_eq(n_var[k] - n_var[k - 1], n_var[1] - n_var[0]);
    }
}

Test(flatten, same_text_every_time)
{
    char *text[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        size_t n;
        Flat x = flat_new(NULL, "Linkage.Examples.MultiPendulum(depth=2)");
        cr_assert(x.good);
        FILE *f = open_memstream(&text[k], &n);
        system_print(x.sys, f);
        fclose(f);
        flat_free(&x);
    }
    cr_expect_str_eq(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}

Test(flatten, models_that_are_none)
{
    static const char *const model[] = {
        "Nothing",
        "Linkage",
        "Real",
        "Linkage.Nothing",
        "Linkage.Examples.Chain",
        "(",
        "",
        "Linkage.Frames.unit",
        "Linkage.World(q = 1)",
        "Linkage.World(g = true)",
        "sin",
        "Linkage.",
    };
    for (size_t k = 0; k < sizeof model / sizeof *model; k++) {
        Flat x = flat_new(NULL, model[k]);
        cr_expect_not(x.good, "%s", model[k]);
        cr_expect(diags_errors(x.diags) > 0, "%s", model[k]);
        flat_free(&x);
    }
}

/* ---- mutations ------------------------------------------------------------------------------- */

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

typedef struct Word {
    const char *at;
    int n;
} Word;

/* Some words of a model replaced by other words of it. */
static char *mutate(Arena *mem, const char *text, uint64_t seed)
{
    Word *word = arena_array(mem, Word, strlen(text) + 1);
    uint32_t n = 0;
    for (const char *at = text; *at;) {
        const char *end = at + 1;
        while (is_word(*at) && is_word(*end))
            end++;
        if (is_word(*at))
            word[n++] = (Word){at, (int)(end - at)};
        at = end;
    }
    Word *by = arena_array(mem, Word, n + 1);
    memcpy(by, word, n * sizeof *by);
    for (uint32_t k = 1 + next_random(&seed) % 3; n && k > 0; k--)
        by[next_random(&seed) % n] = word[next_random(&seed) % n];
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    const char *done = text;
    for (uint32_t k = 0; k < n; k++) {
        fprintf(f, "%.*s%.*s", (int)(word[k].at - done), done, by[k].n, by[k].at);
        done = word[k].at + word[k].n;
    }
    fputs(done, f);
    fclose(f);
    char *kept = arena_copy(mem, out, size);
    free(out);
    return kept;
}

static uint64_t mutation_seed;

static void check_mutations(const char *path)
{
    for (int k = 0; k < 12; k++) {
        Flat x = flat_begin();
        uint64_t seed = mutation_seed++;
        library_add_text(x.library, "mutant.mo", mutate(x.mem, read_text(x.mem, path), seed));
        flat_go(&x, NULL);
        cr_expect(x.good || diags_errors(x.diags) > 0, "%s, seed %u", path, (unsigned)seed);
        flat_free(&x);
    }
}

/* Whatever the model is, it flattens or an error says why not. */
Test(flatten, mutants_give_errors, .timeout = 300)
{
    mutation_seed = 1;
    each_model(RUNG_SOURCE_DIR "/tests/golden/flatten", check_mutations);
}
