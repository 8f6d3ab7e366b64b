/* rung view: a mechanism in motion, as one page. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "emit/picture/geometry.h"
#include "emit/picture/live.h"
#include "emit/picture/view.h"
#include "study/instance_code.h"
#include "study/output.h"
#include "study/scratch.h"
#include "study/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_result(const char *file)
{
    return text_ends_with(file, ".mat") || text_ends_with(file, ".csv");
}

static Exit show(const Options *o, const char *const *result, uint32_t n, const LiveModule *live)
{
    const ViewOptions how = {.signals = o->curves,
                             .play = o->play,
                             .speed = isnan(o->speed) ? 1 : o->speed,
                             .up = o->up,
                             .follow = o->follow,
                             .tolerance = o->tolerance,
                             .live = live};
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

/* The model for the page itself. */
static Exit make_live(const Options *o, LiveModule *live)
{
    RunRequest r = run_request_of(o);
    InstanceCode code = instance_code_make(&r, false, o->mem);
    Exit status = code.c ? compilation_report(code.c, stderr) : EXIT_USAGE;
    simulation_catch_interrupts();
    BuildOptions build = {.optimise = "-O1",
                          .sections = true,
                          .interrupt = &simulation_interrupted,
                          .cache = o->no_cache ? NULL : cache_open(o->mem)};
    if (code.is_good && status == EXIT_GOOD &&
        !live_make(&code.c->dae.solution.program, &code.files, build, o->mem, live)) {
        status = simulation_interrupted ? EXIT_INTERRUPTED : (Exit)live->status;
        if (!simulation_interrupted)
            fprintf(stderr, "rung: %s\n", live->error);
    }
    compilation_free(code.c);
    return status;
}

/* The result of a run goes into a directory that is gone afterwards. */
static Exit simulate_and_show(const Options *o)
{
    LiveModule live;
    Exit made = o->live ? make_live(o, &live) : EXIT_GOOD;
    if (made != EXIT_GOOD)
        return made;
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
        Exit shown = show(o, &result, 1, o->live ? &live : NULL); // also the part of a failed run
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
    else if (strcmp(o->output, "-") != 0 && !text_ends_with(o->output, ".html"))
        wrong = "a page is called .html";
    else if (results > 0 && (results < o->files.n || o->model))
        wrong = "view takes results, or a model, not both";
    else if (o->speed <= 0)
        wrong = "--speed is positive";
    else if (o->live && results > 0)
        wrong = "--live is of a model, not of a result";
    else if (o->live && (o->set.n > 0 || o->input))
        wrong = "--live: the page sets parameters and inputs; a modifier gives another value, "
                "--model 'M(p = 2)'";
    if (wrong) {
        fprintf(stderr, "rung: %s\n", wrong);
        return EXIT_USAGE;
    }
    return results > 0 ? show(o, o->files.at, o->files.n, NULL) : simulate_and_show(o);
}
