/* rung view: a mechanism in motion, as one page. */
#include "cli/command.h"
#include "emit/picture/geometry.h"
#include "emit/picture/view.h"
#include "study/output.h"
#include "study/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends_with(const char *s, const char *ending)
{
    size_t n = strlen(s), m = strlen(ending);
    return n >= m && strcmp(s + n - m, ending) == 0;
}

static bool is_result(const char *file)
{
    return ends_with(file, ".mat") || ends_with(file, ".csv");
}

static Exit show(const Options *o, const char *const *result, uint32_t n)
{
    const ViewOptions how = {
        .signals = o->curves, .play = o->play, .speed = isnan(o->speed) ? 1 : o->speed};
    ViewReport report;
    Text page;
    Arena *mem = arena_new();
    Exit status = EXIT_FILE;
    if (!view_page(result, n, how, &page, &report, mem)) {
        fprintf(stderr, "rung: %s\n", report.error);
    } else if (output_write(o->output, page.at, page.n)) {
        status = EXIT_GOOD;
    }
    for (uint32_t k = 0; status == EXIT_GOOD && k < report.warning.n; k++)
        fprintf(stderr, "rung: warning: %s\n", report.warning.at[k]);
    if (status == EXIT_GOOD && !o->quiet && strcmp(o->output, "-") != 0)
        printf("%u parts, %u frames, %u solids in %s\n", report.parts, report.frames, report.solids,
               o->output);
    arena_free(mem);
    return status;
}

/* The result of a run goes into a directory that is gone afterwards. */
static Exit simulate_and_show(const Options *o)
{
    Scratch at;
    if (!scratch_open(&at, "view", o->mem))
        return EXIT_FILE;
    const char *result = scratch_path(&at, "R.mat");
    const char *geometry = geometry_path(result, o->mem);
    Options run = *o;
    run.output = result;
    run.signals = "*"; // curves may be of variables that the model hides
    run.quiet = true;
    Exit status = command_simulate(&run);
    if (status == EXIT_GOOD && access(geometry, R_OK) != 0) {
        fprintf(stderr, "rung: the model has nothing to draw: no connector with a position and a "
                        "rotation matrix, no shapes\n");
        status = EXIT_MODEL;
    } else if (access(geometry, R_OK) == 0) {
        Exit shown = show(o, &result, 1); // also the part of a failed run
        status = status == EXIT_GOOD ? shown : status;
    }
    scratch_close(&at);
    return status;
}

Exit command_view(const Options *o)
{
    uint32_t results = 0;
    for (uint32_t k = 0; k < o->files.n; k++)
        results += is_result(o->files.at[k]);
    const char *wrong = NULL;
    if (!o->output)
        wrong = "view needs -o M.html";
    else if (strcmp(o->output, "-") != 0 && !ends_with(o->output, ".html"))
        wrong = "a page is called .html";
    else if (results > 0 && (results < o->files.n || o->model))
        wrong = "view takes results, or a model, not both";
    else if (o->speed <= 0)
        wrong = "--speed is positive";
    if (wrong) {
        fprintf(stderr, "rung: %s\n", wrong);
        return EXIT_USAGE;
    }
    return results > 0 ? show(o, o->files.at, o->files.n) : simulate_and_show(o);
}
