/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "result.h"
#include "csv.h"
#include "mat.h"
#include "part_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct Result {
    Csv *csv; /* one of both */
    Mat *mat;
};

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && !strcmp(path + n - m, ending);
}

const char *result_wrong_name(const char *path)
{
    bool special = part_is_special(path);
    if (ends_with(path, ".mat"))
        return special ? "a MAT file cannot be written to a pipe or a device" : NULL;
    if (special || ends_with(path, ".csv"))
        return NULL;
    return "results are .csv or .mat by the ending of their name";
}

/* `text` up to its end against the pattern up to `end`. Linear but for several *. */
static bool matches(const char *pattern, const char *end, const char *text)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (pattern < end && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

/* The end of the pattern that begins at text: a comma outside brackets, or the end:
 * a[1,2],der(x,p).
 */
const char *result_pattern_end(const char *text)
{
    int depth = 0;
    while (*text && (*text != ',' || depth > 0)) {
        depth += (*text == '[' || *text == '(') - (*text == ']' || *text == ')');
        text++;
    }
    return text;
}

bool result_means(const char *signals, const char *name)
{
    bool meant = false;
    for (const char *p = signals; p && !meant;) {
        const char *end = result_pattern_end(p);
        meant = matches(p, end, name);
        p = *end ? end + 1 : NULL;
    }
    return meant;
}

const char *result_unmatched(const RungModel *m, const char *signals, size_t *length)
{
    for (const char *p = signals; p;) {
        const char *end = result_pattern_end(p);
        bool known = matches(p, end, "time"); // which every result has
        for (uint32_t k = 0; k < m->n_variables && !known; k++)
            known = matches(p, end, rung_name(m, k));
        for (uint32_t k = 0; k < m->n_strings && !known; k++)
            known = matches(p, end, m->string[k].name);
        *length = (size_t)(end - p);
        if (!known)
            return p;
        p = *end ? end + 1 : NULL;
    }
    return NULL;
}

uint32_t *result_signals(const RungModel *m, const char *signals, uint32_t *n)
{
    uint32_t *row = malloc((m->n_variables + (size_t)1) * sizeof *row);
    *n = 0;
    for (uint32_t k = 0; row && k < m->n_variables; k++) {
        bool is_meant = signals ? result_means(signals, rung_name(m, k))
                                : !rung_variable(m, k).attributes->hides_result;
        if (is_meant)
            row[(*n)++] = k;
    }
    if (*n || !signals)
        return row;
    free(row);
    return NULL;
}

/* Likewise of the variables of type String: places in RungModel.string; NULL: out of memory. */
static uint32_t *result_strings(const RungModel *m, const char *signals, uint32_t *n)
{
    uint32_t *row = malloc((m->n_strings + (size_t)1) * sizeof *row);
    *n = 0;
    for (uint32_t k = 0; row && k < m->n_strings; k++)
        if (signals ? result_means(signals, m->string[k].name) : !m->string[k].hides_result)
            row[(*n)++] = k;
    return row;
}

const char *result_wrong_signals(const RungModel *m, const char *path, const char *signals)
{
    uint32_t n, n_strings;
    free(result_signals(m, signals, &n));
    free(result_strings(m, signals, &n_strings));
    if (!n && !n_strings)
        return "no variable is called like";
    return !n && path && ends_with(path, ".mat") ? "a .mat file holds numbers alone, no Strings as"
                                                 : NULL;
}

Result *result_open(const char *path, const char *signals, const RungContext *ctx)
{
    Result *r = calloc(1, sizeof *r);
    uint32_t n = 0, n_strings = 0;
    uint32_t *row = result_signals(ctx->model, signals, &n);
    uint32_t *string = result_strings(ctx->model, signals, &n_strings);
    if (!row && string && n_strings)
        row = malloc(sizeof *row); // of Strings alone
    if (r && row && ends_with(path, ".mat"))
        r->mat = mat_open(path, row, n, ctx); // a matrix of numbers
    else if (r && row && string)
        r->csv = csv_open(path, row, n, string, n_strings, ctx);
    int why = errno;
    if (!r || !r->csv)
        free(string);
    if (r && (r->mat || r->csv))
        return r;
    free(row);
    free(r);
    errno = why;
    return NULL;
}

int result_row(Result *r, const RungContext *ctx, double t, const double *x, const double *v)
{
    return r->mat ? mat_row(r->mat, ctx, t, x, v) : csv_row(r->csv, ctx, t, x, v);
}

int result_close(Result *r)
{
    int status = r->mat ? mat_close(r->mat) : csv_close(r->csv);
    int why = errno;
    free(r);
    errno = why;
    return status;
}
