/* SPDX-License-Identifier: BSD-3-Clause */
#include "normal.h"
#include "factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Part {
    RungPattern pattern;
    uint32_t *col_start, *row; /* of the pattern */
    double *entry;
    Factor lu;
} Part;

struct Normal {
    const RungPattern *p;
    uint32_t m;
    uint32_t *start, *col, *at; /* by rows: columns, and places among the entries */
    uint32_t n_parts;
    uint32_t *first, *member; /* n_parts + 1; rows, part by part   */
    uint32_t *place;          /* per row: in its part              */
    Part *part;
    double *sum;  /* m: a row of A A' */
    double *b;    /* m: of a part     */
    double *rest; /* m: b - A A' y    */
    double e;     /* on the diagonal  */
};

void normal_delete(Normal *it)
{
    if (!it)
        return;
    for (uint32_t k = 0; it->part && k < it->n_parts; k++) {
        factor_close(&it->part[k].lu);
        free(it->part[k].col_start);
        free(it->part[k].row);
        free(it->part[k].entry);
    }
    free(it->part);
    free(it->start);
    free(it->col);
    free(it->at);
    free(it->first);
    free(it->member);
    free(it->place);
    free(it->sum);
    free(it->b);
    free(it->rest);
    free(it);
}

static void transpose(Normal *it)
{
    const RungPattern *p = it->p;
    for (uint32_t e = 0; e < p->col_start[p->n_cols]; e++)
        it->start[p->row[e] + 1]++;
    for (uint32_t r = 0; r < it->m; r++)
        it->start[r + 1] += it->start[r];
    for (uint32_t c = 0; c < p->n_cols; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++) {
            uint32_t to = it->start[p->row[e]]++;
            it->col[to] = c;
            it->at[to] = e;
        }
    for (uint32_t r = it->m; r > 0; r--)
        it->start[r] = it->start[r - 1];
    it->start[0] = 0;
}

/* The rows that share a column with row r, itself among them, each once: marked with `mark`. */
static uint32_t neighbours(const Normal *it, uint32_t r, uint32_t *seen, uint32_t mark,
                           uint32_t *out)
{
    const RungPattern *p = it->p;
    uint32_t n = 0;
    seen[r] = mark;
    out[n++] = r;
    for (uint32_t k = it->start[r]; k < it->start[r + 1]; k++)
        for (uint32_t e = p->col_start[it->col[k]]; e < p->col_start[it->col[k] + 1]; e++)
            if (seen[p->row[e]] != mark) {
                seen[p->row[e]] = mark;
                out[n++] = p->row[e];
            }
    return n;
}

/* Rows part by part, breadth first. */
static void find_parts(Normal *it, uint32_t *seen, uint32_t *near)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < it->m; r++)
        it->place[r] = RUNG_NONE;
    for (uint32_t r = 0; r < it->m; r++) {
        if (it->place[r] != RUNG_NONE)
            continue;
        uint32_t begin = n;
        it->place[r] = 0;
        it->member[n++] = r;
        for (uint32_t k = begin; k < n; k++) {
            uint32_t count = neighbours(it, it->member[k], seen, it->member[k] + 1, near);
            for (uint32_t i = 0; i < count; i++) {
                if (it->place[near[i]] != RUNG_NONE)
                    continue;
                it->place[near[i]] = n - begin;
                it->member[n++] = near[i];
            }
        }
        it->first[++it->n_parts] = n;
    }
}

static bool open_part(Normal *it, uint32_t k, uint32_t *seen, uint32_t *near)
{
    Part *q = &it->part[k];
    const uint32_t *member = it->member + it->first[k];
    uint32_t n = it->first[k + 1] - it->first[k];
    size_t entries = 0;
    for (uint32_t c = 0; c < n; c++)
        entries += neighbours(it, member[c], seen, it->m + member[c] + 1, near);
    q->col_start = calloc(n + (size_t)1, sizeof *q->col_start);
    q->row = calloc(entries + 1, sizeof *q->row);
    q->entry = calloc(entries + 1, sizeof *q->entry);
    if (!q->col_start || !q->row || !q->entry)
        return false;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t to = q->col_start[c];
        uint32_t count = neighbours(it, member[c], seen, 2 * it->m + member[c] + 1, near);
        for (uint32_t i = 0; i < count; i++)
            q->row[to++] = it->place[near[i]];
        q->col_start[c + 1] = to;
    }
    q->pattern = (RungPattern){.n_rows = n, .n_cols = n, .col_start = q->col_start, .row = q->row};
    return factor_open(&q->lu, n, &q->pattern, NULL);
}

Normal *normal_new(const RungPattern *pattern)
{
    Normal *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    *it = (Normal){.p = pattern, .m = pattern->n_rows};
    size_t m = it->m + (size_t)1, entries = pattern->col_start[pattern->n_cols] + (size_t)1;
    it->start = calloc(m, sizeof *it->start);
    it->col = calloc(entries, sizeof *it->col);
    it->at = calloc(entries, sizeof *it->at);
    it->first = calloc(m, sizeof *it->first);
    it->member = calloc(m, sizeof *it->member);
    it->place = calloc(m, sizeof *it->place);
    it->sum = calloc(m, sizeof *it->sum);
    it->b = calloc(m, sizeof *it->b);
    it->rest = calloc(m, sizeof *it->rest);
    uint32_t *seen = calloc(m, sizeof *seen), *near = calloc(m, sizeof *near);
    bool ok = it->start && it->col && it->at && it->first && it->member && it->place && it->sum &&
              it->b && it->rest && seen && near;
    if (ok) {
        transpose(it);
        find_parts(it, seen, near);
        it->part = calloc(it->n_parts + (size_t)1, sizeof *it->part);
        ok = it->part != NULL;
    }
    for (uint32_t k = 0; ok && k < it->n_parts; k++)
        ok = open_part(it, k, seen, near);
    free(seen);
    free(near);
    if (ok)
        return it;
    normal_delete(it);
    return NULL;
}

/* Row r of A A' into it->sum. */
static void add_up(Normal *it, uint32_t r, const double *entry, const uint8_t *held)
{
    const RungPattern *p = it->p;
    for (uint32_t k = it->start[r]; k < it->start[r + 1]; k++) {
        uint32_t c = it->col[k];
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1] && !(held && held[c]); e++)
            it->sum[p->row[e]] += entry[it->at[k]] * entry[e];
    }
}

bool normal_factor(Normal *it, const double *entry, const uint8_t *held, double regular)
{
    double most = 0;
    for (uint32_t k = 0; k < it->n_parts; k++) {
        Part *q = &it->part[k];
        const uint32_t *member = it->member + it->first[k];
        for (uint32_t c = 0; c < q->pattern.n_cols; c++) {
            add_up(it, member[c], entry, held);
            for (uint32_t e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
                uint32_t r = member[q->row[e]];
                q->entry[e] = it->sum[r];
                it->sum[r] = 0;
            }
            // neighbours names the row itself first
            most = fmax(most, q->entry[q->col_start[c]]);
        }
    }
    it->e = regular * (most > 0 ? most : 1);
    bool ok = true;
    for (uint32_t k = 0; k < it->n_parts && ok; k++) {
        Part *q = &it->part[k];
        for (uint32_t c = 0; c < q->pattern.n_cols; c++)
            q->entry[q->col_start[c]] += it->e;
        ok = factor_entries(&q->lu, q->entry);
    }
    return ok;
}

double normal_pivot_ratio(const Normal *it)
{
    double least = 1;
    for (uint32_t k = 0; k < it->n_parts; k++)
        least = fmin(least, factor_pivot_ratio(&it->part[k].lu));
    return least;
}

void normal_solve(Normal *it, double *b)
{
    for (uint32_t k = 0; k < it->n_parts; k++) {
        const uint32_t *member = it->member + it->first[k];
        uint32_t n = it->first[k + 1] - it->first[k];
        for (uint32_t i = 0; i < n; i++)
            it->b[i] = b[member[i]];
        factor_solve(&it->part[k].lu, it->b);
        for (uint32_t i = 0; i < n; i++)
            b[member[i]] = it->b[i];
    }
}

void normal_solve_consistent(Normal *it, double *b)
{
    static const double CONSISTENT = 1e-6;
    double size = 0, rest = 0;
    for (uint32_t r = 0; r < it->m; r++)
        size = fmax(size, fabs(b[r]));
    normal_solve(it, b);
    for (uint32_t r = 0; r < it->m; r++) {
        it->rest[r] = it->e * b[r];
        rest = fmax(rest, fabs(it->rest[r]));
    }
    if (rest <= CONSISTENT * size)
        return;
    normal_solve(it, it->rest);
    for (uint32_t r = 0; r < it->m; r++)
        b[r] -= it->rest[r];
}

void normal_solve_block(Normal *it, uint32_t m, double *b, double *work)
{
    for (uint32_t k = 0; k < it->n_parts; k++) {
        const uint32_t *member = it->member + it->first[k];
        uint32_t n = it->first[k + 1] - it->first[k];
        for (uint32_t i = 0; i < n; i++)
            memcpy(work + (size_t)i * m, b + (size_t)member[i] * m, m * sizeof *b);
        factor_solve_block(&it->part[k].lu, m, work, it->b);
        for (uint32_t i = 0; i < n; i++)
            memcpy(b + (size_t)member[i] * m, work + (size_t)i * m, m * sizeof *b);
    }
}
