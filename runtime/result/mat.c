/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "mat.h"
#include "part_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = RUNG_IS_TIME + 1 };

struct Mat {
    PartFile file;
    uint32_t *variable, n;
    uint32_t *still, n_still;   /* a variable of each row of data_1 but the first, the time */
    uint32_t *moving, n_moving; /* likewise of data_2                                       */
    double *row;
    long at_still, at_moving; /* where the headers of data_1 and data_2 are */
    uint32_t n_rows;
    double t_first, t_last;
};

/* P of the first field of a header. */
typedef enum Precision { DOUBLES = 0, INTEGERS = 20, CHARACTERS = 51 } Precision;

static bool is_big_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 0;
}

static void header(FILE *f, Precision p, uint32_t rows, uint32_t cols, const char *name)
{
    const int32_t field[5] = {(is_big_endian() ? 1000 : 0) + (int)p, (int32_t)rows, (int32_t)cols,
                              0, (int32_t)strlen(name) + 1};
    fwrite(field, sizeof *field, 5, f);
    fwrite(name, 1, strlen(name) + 1, f);
}

/* One column of a matrix of characters, padded with blanks or cut to the number of rows. */
static void column(FILE *f, const char *text, size_t rows)
{
    size_t n = strlen(text);
    fwrite(text, 1, n < rows ? n : rows, f);
    for (; n < rows; n++)
        putc(' ', f);
}

void mat_doubles(FILE *f, const char *name, uint32_t rows, uint32_t cols, const double *value)
{
    header(f, DOUBLES, rows, cols, name);
    fwrite(value, sizeof *value, (size_t)rows * cols, f);
}

void mat_texts(FILE *f, const char *name, uint32_t n, const char *const *text)
{
    size_t longest = 0;
    for (uint32_t k = 0; k < n; k++)
        longest = strlen(text[k]) > longest ? strlen(text[k]) : longest;
    header(f, CHARACTERS, n, (uint32_t)longest, name);
    for (size_t c = 0; c < longest; c++)
        for (uint32_t k = 0; k < n; k++)
            putc(c < strlen(text[k]) ? text[k][c] : ' ', f);
}

static const char *described(const RungAttributes *a, char *text, size_t size)
{
    const char *blank = *a->description && *a->unit ? " " : "";
    if (!*a->unit)
        return a->description;
    if (*a->display_unit && strcmp(a->unit, a->display_unit))
        snprintf(text, size, "%s%s[%s|%s]", a->description, blank, a->unit, a->display_unit);
    else
        snprintf(text, size, "%s%s[%s]", a->description, blank, a->unit);
    return text;
}

static bool moves(RungPlace p)
{
    return p == RUNG_IN_VALUES || p == RUNG_IN_STATES || p == RUNG_IN_INPUTS ||
           p == RUNG_IN_UNKNOWNS;
}

/* Rows of data_1 and data_2, and of each variable which: info[2 k] is the matrix, info[2 k + 1] the
 * row with its sign. */
static bool find_rows(Mat *m, const RungModel *model, int32_t *info)
{
    uint32_t *row_of[PLACES] = {0};
    uint32_t size[PLACES] = {0};
    bool enough = true;
    for (uint32_t k = 0; k < m->n; k++) {
        const RungVariable v = rung_variable(model, m->variable[k]);
        if (v.index + 1 > size[v.place] && v.place != RUNG_IS_TIME)
            size[v.place] = v.index + 1;
    }
    for (int p = 0; p < PLACES; p++) {
        row_of[p] = calloc(size[p] + (size_t)1, sizeof *row_of[p]);
        enough = enough && row_of[p];
    }
    for (uint32_t k = 0; enough && k < m->n; k++) {
        const RungVariable v = rung_variable(model, m->variable[k]);
        bool moving = moves(v.place);
        uint32_t at = 1;
        if (v.place != RUNG_IS_TIME) {
            uint32_t *row = &row_of[v.place][v.index];
            if (!*row) {
                uint32_t *n = moving ? &m->n_moving : &m->n_still;
                (moving ? m->moving : m->still)[*n] = m->variable[k];
                *row = ++*n + 1;
            }
            at = *row;
        }
        info[2 * (size_t)k] = moving || v.place == RUNG_IS_TIME ? 2 : 1;
        info[2 * (size_t)k + 1] = v.negated ? -(int32_t)at : (int32_t)at;
    }
    for (int p = 0; p < PLACES; p++)
        free(row_of[p]);
    return enough;
}

/* The number that all variables of a row share: that of the first, its sign taken back. */
static double shared(const RungContext *ctx, uint32_t k, double t, const double *x, const double *v)
{
    double value = rung_value(ctx, k, t, x, v);
    return rung_variable(ctx->model, k).negated ? -value : value;
}

static void write_names(Mat *m, const RungModel *model)
{
    FILE *f = m->file.f;
    char text[1024];
    size_t names = strlen("Time"), descriptions = strlen("Simulation time [s]");
    static const char aclass[4][12] = {"Atrajectory", "1.1        ", "           ", "binTrans   "};
    header(f, CHARACTERS, 4, 11, "Aclass");
    for (int c = 0; c < 11; c++)
        for (int r = 0; r < 4; r++)
            putc(aclass[r][c], f);
    for (uint32_t k = 0; k < m->n; k++) {
        const RungVariable v = rung_variable(model, m->variable[k]);
        size_t n = strlen(v.name), d = strlen(described(v.attributes, text, sizeof text));
        names = n > names ? n : names;
        descriptions = d > descriptions ? d : descriptions;
    }
    header(f, CHARACTERS, (uint32_t)names, m->n + 1, "name");
    column(f, "Time", names);
    for (uint32_t k = 0; k < m->n; k++)
        column(f, rung_name(model, m->variable[k]), names);
    header(f, CHARACTERS, (uint32_t)descriptions, m->n + 1, "description");
    column(f, "Simulation time [s]", descriptions);
    for (uint32_t k = 0; k < m->n; k++) {
        const RungVariable v = rung_variable(model, m->variable[k]);
        column(f, described(v.attributes, text, sizeof text), descriptions);
    }
}

static void mat_free(Mat *m)
{
    free(m->variable);
    free(m->still);
    free(m->moving);
    free(m->row);
    free(m);
}

Mat *mat_open(const char *path, uint32_t *variable, uint32_t n, const RungContext *ctx)
{
    Mat *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (Mat){.variable = variable,
               .n = n,
               .still = calloc(n + (size_t)1, sizeof *m->still),
               .moving = calloc(n + (size_t)1, sizeof *m->moving),
               .row = calloc(n + (size_t)1, sizeof *m->row)};
    int32_t *info = calloc(2 * (size_t)n + 1, sizeof *info);
    errno = ENOMEM;
    if (!m->still || !m->moving || !m->row || !info || !find_rows(m, ctx->model, info) ||
        !part_open(&m->file, path)) {
        int why = errno;
        free(info);
        m->variable = NULL; /* the caller's still */
        mat_free(m);
        errno = why;
        return NULL;
    }
    FILE *f = m->file.f;
    write_names(m, ctx->model);
    header(f, INTEGERS, 4, n + 1, "dataInfo");
    const int32_t of_time[4] = {0, 1, 0, -1};
    fwrite(of_time, sizeof *of_time, 4, f);
    for (uint32_t k = 0; k < n; k++) {
        const int32_t it[4] = {info[2 * (size_t)k], info[2 * (size_t)k + 1], 0, -1};
        fwrite(it, sizeof *it, 4, f);
    }
    free(info);
    m->at_still = ftell(f);
    return m;
}

/* data_1, two columns that are the same but for time; the header of data_2. */
static void begin(Mat *m, const RungContext *ctx, double t, const double *x, const double *v)
{
    FILE *f = m->file.f;
    m->t_first = t;
    header(f, DOUBLES, m->n_still + 1, 2, "data_1");
    for (int c = 0; c < 2; c++) {
        fwrite(&t, sizeof t, 1, f);
        for (uint32_t k = 0; k < m->n_still; k++) {
            double value = shared(ctx, m->still[k], t, x, v);
            fwrite(&value, sizeof value, 1, f);
        }
    }
    m->at_moving = ftell(f);
    header(f, DOUBLES, m->n_moving + 1, 0, "data_2");
}

int mat_row(Mat *m, const RungContext *ctx, double t, const double *x, const double *v)
{
    FILE *f = m->file.f;
    if (!m->n_rows)
        begin(m, ctx, t, x, v);
    m->row[0] = m->t_last = t;
    for (uint32_t k = 0; k < m->n_moving; k++)
        m->row[k + 1] = shared(ctx, m->moving[k], t, x, v);
    size_t size = m->n_moving + (size_t)1;
    if (fwrite(m->row, sizeof *m->row, size, f) != size || m->n_rows == INT32_MAX)
        return -1;
    m->n_rows++;
    return 0;
}

int mat_close(Mat *m)
{
    FILE *f = m->file.f;
    /* the time in the second column of data_1, and how many columns data_2 has */
    long second = m->at_still + 20 + (long)sizeof "data_1" + 8 * (long)(m->n_still + 1);
    bool ok = m->n_rows && !fseek(f, second, SEEK_SET) &&
              fwrite(&m->t_last, sizeof m->t_last, 1, f) == 1 && !fseek(f, m->at_moving, SEEK_SET);
    if (ok)
        header(f, DOUBLES, m->n_moving + 1, m->n_rows, "data_2");
    int status = part_close(&m->file), why = errno;
    mat_free(m);
    errno = why;
    return ok ? status : -1;
}
