/* rung parse: reads everything, says how much, how fast, and what is wrong. */
#include "cli/command.h"
#include "frontend/syntax/load.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

Exit command_parse(const Options *o)
{
    if (o->files.n == 0) {
        fputs("rung: parse needs files or directories\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    Diags *d = diags_new(mem);
    bool ok =
        parse_report(mem, d, stdout, (char *const *)o->files.at, (int)o->files.n, o->round_trip);
    if (strcmp(o->diagnostics, "json") == 0)
        diags_print_json(d, stderr);
    else
        diags_print(d, stderr, false);
    arena_free(mem);
    return ok ? EXIT_GOOD : EXIT_MODEL;
}
