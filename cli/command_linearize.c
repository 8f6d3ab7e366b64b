/* rung linearize: A, B, C, D around the start of a run, a time in it, or a steady state. */
#include "cli/command.h"
#include "cli/requests.h"
#include "study/linear/linearize.h"
#include "study/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

static Exit write(const LinearSystem *s, const Options *o, Arena *mem)
{
    bool as_json = o->format && strcmp(o->format, "json") == 0;
    if (as_json)
        linear_system_json(s, stdout, mem);
    else if (!o->quiet && !(o->output && strcmp(o->output, "-") == 0))
        linear_system_print(s, stdout);
    if (!o->output)
        return EXIT_GOOD;
    Output out;
    if (!output_open(&out, o->output))
        return EXIT_FILE;
    if (has(o->output, ".mat"))
        linear_system_mat(s, out.file);
    else
        linear_system_json(s, out.file, mem);
    return output_close(&out) ? EXIT_GOOD : EXIT_FILE;
}

Exit command_linearize(const Options *o)
{
    if (o->output && strcmp(o->output, "-") != 0 && !has(o->output, ".json") &&
        !has(o->output, ".mat")) {
        fprintf(stderr, "rung: '%s': linearize writes .json or .mat\n", o->output);
        return EXIT_USAGE;
    }
    if (o->steady && !isnan(o->at)) {
        fputs("rung: --steady begins at the start of a run, --at is a time in it: one of them\n",
              stderr);
        return EXIT_USAGE;
    }
    if (!run_is_usable(o))
        return EXIT_USAGE;
    bool is_choice =
        o->states && (strcmp(o->states, "static") == 0 || strcmp(o->states, "redundant") == 0);
    LinearizeRequest r = {.run = run_request_of(o),
                          .at = o->at,
                          .is_steady = o->steady,
                          .states = is_choice ? NULL : o->states};
    LinearSystem s;
    Arena *mem = arena_new();
    Exit status = linearize(&r, &s, mem);
    if (status == EXIT_GOOD)
        status = write(&s, o, mem);
    arena_free(mem);
    return status;
}
