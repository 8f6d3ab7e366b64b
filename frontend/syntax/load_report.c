/* `rung parse`: every file under some directories, and how fast. */
#include "frontend/syntax/load.h"

#include "frontend/syntax/parser.h"
#include "frontend/syntax/source.h"
#include "frontend/syntax/syntax_print.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t count_classes(const SynClass *c)
{
    uint64_t n = 1;
    for (uint32_t k = 0; k < c->n_elements; k++) {
        if (c->elements[k]->kind == SYN_CLASS)
            n += count_classes(c->elements[k]->class_);
    }
    return n;
}

/* print, parse, compare */
static bool round_trips(Arena *scratch, Names *names, const SynFile *f)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    print_file(f, out);
    fclose(out);
    Diags *d = diags_new(scratch);
    uint32_t file = diags_add_source(d, "printed", text, (uint32_t)n);
    const SynFile *again = parse_file(scratch, names, d, file);
    free(text);
    return again->errors == 0 && syntax_equal(f, again);
}

static double seconds(struct timespec a, struct timespec b)
{
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

ParseReport parse_report(Arena *mem, Diags *d, char *const *path, int n_paths, bool round_trip)
{
    uint32_t errors = diags_errors(d);
    Names *names = names_new(mem);
    Texts files = {0};
    for (int k = 0; k < n_paths; k++)
        source_find(mem, d, path[k], &files);

    Arena *scratch = arena_new();
    ParseReport it = {.files = files.n};
    for (uint32_t k = 0; k < files.n; k++) {
        uint32_t file = source_read(mem, d, files.at[k]);
        if (!file)
            continue;
        ArenaMark mark = arena_mark(scratch);
        struct timespec begin;
        struct timespec end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        const SynFile *f = parse_file(scratch, names, d, file);
        clock_gettime(CLOCK_MONOTONIC, &end);
        it.seconds += seconds(begin, end);
        it.lines += f->lines;
        it.bytes += diags_source(d, file)->size;
        for (uint32_t c = 0; c < f->n_classes; c++)
            it.classes += count_classes(f->class_[c]);
        if (round_trip && f->errors == 0 && !round_trips(scratch, names, f))
            diag_error(d, (Span){file, 0, 0}, "P15",
                       "the syntax tree printed and parsed again is another one");
        arena_rollback(scratch, mark);
    }
    arena_free(scratch);

    it.errors = diags_errors(d) - errors;
    return it;
}
