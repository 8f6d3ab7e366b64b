/* rung plot: pictures of results that are there. */
#include "cli/command.h"
#include "cli/plotting.h"
#include "study/output.h"

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
    return plot_write(o->files.at, o->files.n, o->output, (PlotOptions){.signals = o->signals}, o);
}

static void print_report(const PlotReport *r, const Options *o, const char *out)
{
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

Exit plot_write(const char *const *result, uint32_t n, const char *out, PlotOptions p,
                const Options *o)
{
    Arena *mem = arena_new();
    PlotReport report;
    Text picture;
    Exit status = EXIT_FILE;
    if (!plot_results(result, n, out, p, &picture, &report, mem)) {
        fprintf(stderr, "rung: %s\n", report.error);
    } else if (output_write(out, picture.at, picture.n)) {
        print_report(&report, o, out);
        status = EXIT_GOOD;
    }
    arena_free(mem);
    return status;
}
