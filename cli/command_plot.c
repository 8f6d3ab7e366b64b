/* rung plot: pictures of results that are there. */
#include "cli/command.h"
#include "cli/plotting.h"

#include <stdio.h>

Exit command_plot(const Options *o)
{
    if (o->files.n == 0 || !o->output) {
        fputs("rung: plot needs results and -o F.svg, .png or .html\n", stderr);
        return EXIT_USAGE;
    }
    const char *wrong = plot_wrong_name(o->output);
    if (wrong) {
        fprintf(stderr, "rung: '%s': %s\n", o->output, wrong);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    PlotReport report;
    bool ok = plot_results(o->files.at, o->files.n, o->output, (PlotOptions){.signals = o->signals},
                           &report, mem);
    plot_report_print(&report, o, o->output);
    arena_free(mem);
    return ok ? EXIT_GOOD : EXIT_FILE;
}

void plot_report_print(const PlotReport *r, const Options *o, const char *out)
{
    if (r->error)
        fprintf(stderr, "rung: %s\n", r->error);
    if (r->error)
        return;
    if (r->remark)
        fprintf(stderr, "rung: %s\n", r->remark);
    if (r->left_out)
        fprintf(stderr, "rung: the first %u are drawn, %u more move: name those you want\n",
                r->drawn, r->left_out);
    if (!r->drawn)
        fputs("rung: nothing moves: the picture is empty\n", stderr);
    bool is_json = o->format && o->format[0] == 'j';
    if (!o->quiet && !is_json)
        printf("picture in %s\n", out);
}
