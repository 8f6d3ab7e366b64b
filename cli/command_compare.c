/* rung compare: a trajectory against a reference, by the rule of csv-compare (tool of the Modelica
 * Association): around each reference signal lies a tube that the result must not leave.
 *
 * With the tolerance e the tube reaches e * max(tmax - tmin, |tmin|) to both sides in time and
 * e * max(ymax - ymin, |ymin|, 0.001) up and down: at a time x its upper edge is the largest
 * reference value within that time of x, plus that height. Between two samples of the reference
 * the wider one counts. Signals that only the result has are not looked at. */
#include "cli/command.h"

#include "base/json.h"
#include "base/map.h"
#include "base/name.h"
#include "base/result_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Table {
    const char *path;
    uint32_t n_cols, n_rows;
    ResultTable in; /* names without blanks, Time being time */
    uint32_t time;  /* the column */
} Table;

static const char *plain_name(const char *text, Arena *mem)
{
    char *name = arena_copy(mem, text, strlen(text)), *to = name;
    for (const char *from = name; *from; from++)
        if (*from != ' ' && *from != '\t')
            *to++ = *from;
    *to = 0;
    return strcmp(name, "Time") == 0 ? "time" : name;
}

static bool read_table(const char *path, Arena *mem, Table *t)
{
    *t = (Table){.path = path};
    bool ok = result_table_read(&t->in, path, mem);
    for (uint32_t k = 0; ok && k < t->in.n_cols; k++)
        t->in.column[k].name = plain_name(t->in.column[k].name, mem);
    t->n_cols = t->in.n_cols;
    t->n_rows = t->in.n_rows;
    t->time = ok ? result_table_find(&t->in, "time") : 0;
    if (!ok)
        fprintf(stderr, "rung: %s\n", t->in.error);
    else if (t->time == t->n_cols || t->n_rows == 0)
        fprintf(stderr, "rung: %s: %s\n", path,
                t->n_rows ? "no column 'time'" : "no rows of numbers");
    return ok && t->time < t->n_cols && t->n_rows > 0;
}

static double cell(const Table *t, uint32_t row, uint32_t col)
{
    return result_table_at(&t->in, row, col);
}

static bool time_ascends(const Table *t)
{
    for (uint32_t r = 1; r < t->n_rows; r++)
        if (!(cell(t, r, t->time) >= cell(t, r - 1, t->time))) {
            fprintf(stderr, "rung: %s: time does not ascend at row %u\n", t->path, r + 1);
            return false;
        }
    return true;
}

/* ---- the tube -------------------------------------------------------------------------------- */

/* out[i]: the largest of sign * y within dx of the time of row i, for all rows; by a queue of
 * candidates in descending order, so in linear time. */
static void envelope(const Table *t, uint32_t col, double dx, double sign, uint32_t *queue,
                     double *out)
{
    uint32_t head = 0;
    uint32_t tail = 0;
    uint32_t hi = 0;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        double at = cell(t, i, t->time);
        for (; hi < t->n_rows && cell(t, hi, t->time) <= at + dx; hi++) {
            while (tail > head && sign * cell(t, queue[tail - 1], col) <= sign * cell(t, hi, col))
                tail--;
            queue[tail++] = hi;
        }
        while (head < tail && cell(t, queue[head], t->time) < at - dx)
            head++;
        out[i] = cell(t, queue[head], col);
    }
}

/* The last row whose time is at most x, but the last row of all. */
static uint32_t row_at(const Table *t, double x)
{
    uint32_t lo = 0;
    uint32_t hi = t->n_rows - 1;
    while (hi - lo > 1 && hi > lo) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (cell(t, mid, t->time) <= x)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

typedef struct SignalFit {
    uint32_t outside; /* samples                                                          */
    double worst;     /* how far the worst one is from the middle, in halves of the tube: more
                         than 1 is outside                                                */
    double over;      /* how far the worst one is outside, in the signal's unit           */
    double time;      /* of it                                                            */
} SignalFit;

static SignalFit compare_signal(const Table *result, uint32_t rc, const Table *ref, uint32_t fc,
                                double tolerance, double end, Arena *scratch)
{
    ArenaMark mark = arena_mark(scratch);
    double first = cell(ref, 0, ref->time);
    double last = cell(ref, ref->n_rows - 1, ref->time);
    double least = INFINITY;
    double most = -INFINITY;
    for (uint32_t r = 0; r < ref->n_rows; r++) {
        least = fmin(least, cell(ref, r, fc));
        most = fmax(most, cell(ref, r, fc));
    }
    double dx = tolerance * fmax(last - first, fabs(first));
    double dy = tolerance * fmax(fmax(most - least, fabs(least)), 0.001);
    uint32_t *queue = arena_array(scratch, uint32_t, ref->n_rows);
    double *up = arena_array(scratch, double, ref->n_rows);
    double *down = arena_array(scratch, double, ref->n_rows);
    envelope(ref, fc, dx, 1, queue, up);
    envelope(ref, fc, dx, -1, queue, down);
    SignalFit v = {.worst = -INFINITY, .time = first};
    for (uint32_t r = 0; r < result->n_rows; r++) {
        double x = cell(result, r, result->time);
        double y = cell(result, r, rc);
        if (x < first || x > end)
            continue;
        double high;
        double low;
        if (x <= first || x >= last) {
            uint32_t edge = x <= first ? 0 : ref->n_rows - 1;
            high = up[edge] + dy;
            low = down[edge] - dy;
        } else {
            uint32_t k = row_at(ref, x);
            high = fmax(up[k], up[k + 1]) + dy;
            low = fmin(down[k], down[k + 1]) - dy;
        }
        double over = isnan(y) ? INFINITY : fmax(y - high, low - y);
        v.outside += over > 0;
        if (1 + over / dy > v.worst) {
            v.worst = 1 + over / dy;
            v.over = over;
            v.time = x;
        }
    }
    arena_rollback(scratch, mark);
    return v;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void put_signal(Json *j, const char *name, const char *status, const SignalFit *v)
{
    json_line(j, 4);
    json_object(j, NULL);
    json_text(j, "name", name);
    json_text(j, "status", status);
    if (v) {
        json_number(j, "of_the_tube", fmax(v->worst, 0), 6);
        json_number(j, "time", v->time, 9);
        json_count(j, "samples_outside", v->outside);
    }
    json_close(j);
}

static Exit compare(const Options *o, const Table *result, const Table *ref, Arena *scratch)
{
    Text text = text_new(scratch);
    Json json = json_new(&text), *j = options_want_json(o) ? &json : NULL;
    Names *names = names_new(scratch);
    double tolerance = isnan(o->tolerance) ? 2e-3 : o->tolerance;
    double end = cell(ref, ref->n_rows - 1, ref->time);
    if (!isnan(o->stop))
        end = fmin(end, o->stop);
    uint32_t bad = 0;
    uint32_t n = 0;
    double reached = cell(result, result->n_rows - 1, result->time);
    bool early = reached < end - 1e-6 * fmax(1, fabs(end));
    if (j) {
        json_object(j, NULL);
        json_text(j, "result", result->path);
        json_text(j, "reference", ref->path);
        json_number(j, "tolerance", tolerance, 17);
        json_bool(j, "ends_early", early);
        json_line(j, 2);
        json_array(j, "signals");
    }
    if (early) {
        if (!j)
            printf("FAIL  the result ends at %g, the reference at %g\n", reached, end);
        bad++;
    }
    Map column = map_new(scratch);
    for (uint32_t k = 0; k < result->n_cols; k++)
        map_put(&column, map_key_ptr(name_of(names, result->in.column[k].name).s), k);
    for (uint32_t k = 0; k < ref->n_cols; k++) {
        if (k == ref->time)
            continue;
        n++;
        const char *name = name_of(names, ref->in.column[k].name).s;
        uint32_t rc = map_get(&column, map_key_ptr(name));
        if (rc == MAP_NONE) {
            if (j)
                put_signal(j, name, "missing", NULL);
            else
                printf("FAIL  %s: not in the result\n", name);
            bad++;
            continue;
        }
        SignalFit v = compare_signal(result, rc, ref, k, tolerance, end, scratch);
        if (j) {
            put_signal(j, name, v.outside ? "outside" : "inside", &v);
            bad += v.outside > 0;
        } else if (v.outside) {
            printf("FAIL  %s: %u samples outside, worst by %g at t=%g\n", name, v.outside, v.over,
                   v.time);
            bad++;
        } else if (!o->quiet) {
            printf("ok    %s: at most %.0f %% of the tube, at t=%g\n", name, 100 * fmax(v.worst, 0),
                   v.time);
        }
    }
    if (j) {
        json_line(j, 2);
        json_close(j);
        json_bool(j, "ok", bad == 0);
        json_close(j);
        puts(text.at);
    } else if (!o->quiet)
        printf("%s: %u of %u signals inside\n", bad ? "FAIL" : "ok", n > bad ? n - bad : 0, n);
    return bad ? EXIT_MODEL : EXIT_GOOD;
}

Exit command_compare(const Options *o)
{
    if (o->files.n != 2) {
        fputs("rung: compare needs two files, RESULT REFERENCE, each CSV or MAT\n", stderr);
        return EXIT_USAGE;
    }
    if (!isnan(o->tolerance) && !(o->tolerance > 0)) {
        fputs("rung: --tolerance wants a positive number\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    Arena *scratch = arena_new();
    Table result;
    Table ref;
    Exit status = EXIT_FILE;
    if (read_table(o->files.at[0], mem, &result) && read_table(o->files.at[1], mem, &ref) &&
        time_ascends(&result) && time_ascends(&ref))
        status = compare(o, &result, &ref, scratch);
    arena_free(scratch);
    arena_free(mem);
    return status;
}
