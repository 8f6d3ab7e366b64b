/* rung parse: reads all files, prints their size, the speed, and syntax errors. */
#include "base/json.h"
#include "cli/command.h"
#include "frontend/syntax/load.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_text(const ParseReport *it)
{
    printf("files    %u\nclasses  %llu\nlines    %llu\nbytes    %llu\n", it->files,
           (unsigned long long)it->classes, (unsigned long long)it->lines,
           (unsigned long long)it->bytes);
    printf("parse    %.3f s, %.2f million lines/s\n", it->seconds,
           it->seconds > 0 ? 1e-6 * (double)it->lines / it->seconds : 0.0);
    printf("errors   %u\n", it->errors);
}

static void print_json(const ParseReport *it, Arena *mem)
{
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_count(&j, "files", it->files);
    json_count(&j, "classes", it->classes);
    json_count(&j, "lines", it->lines);
    json_count(&j, "bytes", it->bytes);
    json_number(&j, "seconds", it->seconds, 3);
    json_count(&j, "errors", it->errors);
    json_close(&j);
    puts(t.at);
}

Exit command_parse(const Options *o)
{
    if (o->files.n == 0) {
        fputs("rung: parse needs files or directories\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    ParseReport it =
        parse_report(mem, d, (char *const *)o->files.at, (int)o->files.n, o->round_trip);
    if (options_want_json(o))
        print_json(&it, mem);
    else
        print_text(&it);
    if (strcmp(o->diagnostics, "json") == 0)
        diags_print_json(d, stderr);
    else
        diags_print(d, stderr, false);
    arena_free(mem);
    return it.errors == 0 ? EXIT_GOOD : EXIT_MODEL;
}
