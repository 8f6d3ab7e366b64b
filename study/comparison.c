#include "study/comparison.h"

#include "base/map.h"
#include "base/name.h"
#include "base/result_table.h"

#include <math.h>
#include <stdio.h>
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
    v.kind = v.outside ? FIT_OUTSIDE : FIT_INSIDE;
    arena_rollback(scratch, mark);
    return v;
}

static void compare(const Table *result, const Table *ref, const CompareRequest *r, Comparison *out,
                    Arena *mem)
{
    Arena *scratch = arena_new();
    Names *names = names_new(scratch);
    out->tolerance = isnan(r->tolerance) ? 2e-3 : r->tolerance;
    out->end = cell(ref, ref->n_rows - 1, ref->time);
    if (!isnan(r->stop))
        out->end = fmin(out->end, r->stop);
    out->reached = cell(result, result->n_rows - 1, result->time);
    out->ends_early = out->reached < out->end - 1e-6 * fmax(1, fabs(out->end));
    out->n_bad = out->ends_early;
    out->signal = arena_array(mem, SignalFit, ref->n_cols);
    Map column = map_new(scratch);
    for (uint32_t k = 0; k < result->n_cols; k++)
        map_put(&column, map_key_ptr(name_of(names, result->in.column[k].name).s), k);
    for (uint32_t k = 0; k < ref->n_cols; k++) {
        if (k == ref->time)
            continue;
        const char *name = ref->in.column[k].name;
        uint32_t rc = map_get(&column, map_key_ptr(name_of(names, name).s));
        SignalFit fit = {.kind = FIT_MISSING};
        if (rc != MAP_NONE)
            fit = compare_signal(result, rc, ref, k, out->tolerance, out->end, scratch);
        fit.name = name;
        out->n_bad += fit.kind != FIT_INSIDE;
        out->signal[out->n++] = fit;
    }
    arena_free(scratch);
}

Exit compare_results(const CompareRequest *r, Comparison *out, Arena *mem)
{
    Table result, ref;
    *out = (Comparison){0};
    if (!read_table(r->result, mem, &result) || !read_table(r->reference, mem, &ref) ||
        !time_ascends(&result) || !time_ascends(&ref))
        return EXIT_FILE;
    compare(&result, &ref, r, out, mem);
    return EXIT_GOOD;
}
