/* rung bench: how long an evaluation of the model takes. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "study/measure/bench_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Format { TABLE, CSV, JSON } Format;

typedef struct Report {
    const Options *o;
    Format format;
    bool has_errors; /* a column of them in CSV: programs rely on four columns */
    bool has_begun;
    Json j;
    unsigned long long residual, extended, form; /* operations; 0: not requested, or none */
} Report;

static const char *error_text(const BenchRow *row, Format format, char text[32])
{
    double error = bench_row_error(row);
    if (isnan(error))
        strcpy(text, format == TABLE ? "-" : "");
    else
        snprintf(text, 32, "%.1e", error);
    return text;
}

static void put_json(Json *j, const BenchRow *row)
{
    char text[32];
    error_text(row, JSON, text);
    json_line(j, 4);
    json_object(j, NULL);
    json_text(j, "what", row->task->what);
    json_text(j, "variant", row->variant);
    json_number(j, "ns", row->best, 6);
    json_number(j, "median_ns", row->median, 6);
    json_count(j, "size", row->size);
    json_number(j, "error", *text ? strtod(text, NULL) : NAN, 2);
    json_close(j);
}

static void print_row(const Report *r, const BenchRow *row)
{
    char text[32];
    const char *what = row->task->what;
    if (r->format == CSV)
        printf("%s,%s,%.6g,%u%s%s\n", what, row->variant, row->best, row->size,
               r->has_errors ? "," : "", r->has_errors ? error_text(row, CSV, text) : "");
    else
        printf("%-10s%-11s%11.5g%12.4g%12.5g%9u%11s\n", what, row->variant, row->best,
               row->best / (row->size ? row->size : 1), row->median, row->size,
               error_text(row, TABLE, text));
    fflush(stdout);
}

static void begin(Report *r, const RungModel *m)
{
    const char *what = r->o->what;
    r->has_begun = true;
    json_object(&r->j, NULL);
    json_text(&r->j, "model", m->name);
    json_array(&r->j, "measured");
    if (r->format == CSV)
        printf("what,variant,ns,size%s\n", r->has_errors ? ",error" : "");
    if (r->format == TABLE)
        printf("%-10s%-11s%11s%12s%12s%9s%11s\n", "what", "variant", "ns", "ns each", "median ns",
               "size", "error");
    if (what && bench_lists(what, "residual") && bench_has_residual(m))
        r->residual = m->residual->operations;
    if (what && bench_lists(what, "extended") && bench_has_extended(m)) {
        r->extended = m->newton->entry_operations;
        r->form = m->newton->form_operations;
    }
}

static void report(void *user, const RungModel *m, const BenchRow *row)
{
    Report *r = user;
    if (!row)
        begin(r, m);
    else if (row->exists && r->format == JSON)
        put_json(&r->j, row);
    else if (row->exists)
        print_row(r, row);
    else if (r->format == TABLE)
        // CSV has only measured tasks; the table for people also lists those that do not exist
        printf("%-10s%-11s%11s   %s: not in the generated model\n", row->task->what,
               row->task->variant, "-", row->task->text);
}

static void end(Report *r, const Text *lines)
{
    json_line(&r->j, 0);
    json_close(&r->j);
    json_close(&r->j);
    if (r->format == JSON)
        puts(lines->at);
    if (r->format != TABLE)
        return;
    if (r->residual)
        printf("residual: %llu operations\n", r->residual);
    if (r->extended)
        printf("extended: %llu operations, the equations %llu\n", r->extended, r->form);
}

Exit command_bench(const Options *o)
{
    uint32_t width[MOST_LANES], n_lanes;
    if (!bench_what_known(o->what) || !options_lanes(o, width, &n_lanes))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    Text lines = text_new(mem);
    Report r = {.o = o,
                .format = options_want_json(o)                         ? JSON
                          : o->format && strcmp(o->format, "csv") == 0 ? CSV
                                                                       : TABLE,
                .has_errors = o->jacobian && strcmp(o->jacobian, "all") == 0,
                .j = json_new(&lines)};
    BenchRequest asked = {.translation = request_of(o),
                          .set = o->set,
                          .what = o->what,
                          .variant = o->jacobian,
                          .is_alone = !o->lanes || *o->lanes == '1',
                          .report = report,
                          .user = &r};
    Exit status = bench_run(&asked, mem);
    if (r.has_begun)
        end(&r, &lines);
    arena_free(mem);
    return status;
}
