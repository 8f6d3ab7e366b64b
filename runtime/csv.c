/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "csv.h"
#include "part_file.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 27, PLACES = RUNG_IS_TIME + 1 };

size_t csv_number(double value, char *text)
{
    if (isnan(value))
        return (size_t)sprintf(text, "nan");
    if (isinf(value))
        return (size_t)sprintf(text, value < 0 ? "-inf" : "inf");
    if (fabs(value) < 1e15 && value == floor(value))
        return (size_t)sprintf(text, "%lld", (long long)value);
    // 16 digits first: of the results of a computation about half need 17, few do with 15
    char shorter[32];
    size_t n = (size_t)sprintf(text, "%.16g", value);
    if (strtod(text, NULL) != value)
        return (size_t)sprintf(text, "%.17g", value);
    size_t m = (size_t)sprintf(shorter, "%.15g", value);
    if (strtod(shorter, NULL) != value)
        return n;
    memcpy(text, shorter, m + 1);
    return m;
}

/* The text of a number, kept while the number stays the same: constants are formatted once, and
 * aliases once for all. */
typedef struct Cell {
    double value;
    char text[NUMBER_MAX];
    unsigned char n; /* 0: nothing yet */
} Cell;

struct Csv {
    PartFile file;
    FILE *f;
    char *buffer;
    uint32_t *variable, n; /* rows of the model's table */
    Cell *cell;
    size_t first[PLACES]; /* cells of each RungPlace */
};

static void csv_free(Csv *f)
{
    free(f->buffer);
    free(f->variable);
    free(f->cell);
    free(f);
}

static void quoted(FILE *f, const char *text)
{
    putc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', f);
        putc(*text, f);
    }
    putc('"', f);
}

Csv *csv_open(const char *path, uint32_t *variable, uint32_t n, const RungContext *ctx)
{
    enum { BUFFER = 1 << 18 };
    const RungModel *m = ctx->model;
    Csv *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    const size_t inputs = m->n_inputs + (size_t)(m->event ? m->event->n_memory : 0);
    const size_t size[PLACES] = {
        [RUNG_IN_VALUES] = m->n_values,
        [RUNG_IN_STATES] = m->n_states,
        [RUNG_IN_PARAMETERS] = m->n_parameters,
        [RUNG_IN_CONSTANTS] = m->n_constants,
        [RUNG_IN_INPUTS] = inputs,
        [RUNG_IN_UNKNOWNS] = m->n_unknowns,
        [RUNG_IN_NUMBERS] = m->n_numbers,
        [RUNG_IS_TIME] = 1,
    };
    size_t cells = 0;
    for (int k = 0; k < PLACES; k++) {
        f->first[k] = cells;
        cells += size[k];
    }
    f->cell = calloc(cells, sizeof *f->cell);
    f->buffer = malloc(BUFFER);
    if (f->cell && f->buffer && part_open(&f->file, path))
        f->f = f->file.f;
    if (!f->f) {
        int why = errno;
        csv_free(f);
        errno = why;
        return NULL;
    }
    f->variable = variable;
    f->n = n;
    if (f->f != stdout)
        setvbuf(f->f, f->buffer, _IOFBF, BUFFER);
    fputs("\"time\"", f->f);
    for (uint32_t k = 0; k < n; k++) {
        putc(',', f->f);
        quoted(f->f, rung_name(m, variable[k]));
    }
    putc('\n', f->f);
    return f;
}

static const Cell *cell_of(Csv *f, size_t place, uint32_t index, double value)
{
    Cell *c = &f->cell[f->first[place] + index];
    if (!c->n || (c->value != value && !(isnan(c->value) && isnan(value)))) {
        c->value = value;
        c->n = (unsigned char)csv_number(value, c->text);
    }
    return c;
}

int csv_row(Csv *f, const RungContext *ctx, double t, const double *x, const double *v)
{
    const RungModel *m = ctx->model;
    const Cell *c = cell_of(f, RUNG_IS_TIME, 0, t);
    fwrite(c->text, 1, c->n, f->f);
    for (uint32_t k = 0; k < f->n; k++) {
        const RungVariable it = rung_variable(m, f->variable[k]);
        double value = rung_value(ctx, f->variable[k], t, x, v);
        putc(',', f->f);
        c = cell_of(f, it.place, it.place == RUNG_IS_TIME ? 0 : it.index,
                    it.negated ? -value : value);
        // minus a number: its text with the sign turned round
        bool minus = c->text[0] == '-';
        if (it.negated && !minus && value != 0 && !isnan(value))
            putc('-', f->f);
        size_t skip = it.negated && minus;
        fwrite(c->text + skip, 1, c->n - skip, f->f);
    }
    putc('\n', f->f);
    return ferror(f->f) ? -1 : 0;
}

int csv_close(Csv *f)
{
    char *buffer = f->buffer; /* of the stream, until that is closed */
    f->buffer = NULL;
    int status = part_close(&f->file), why = errno;
    free(buffer);
    csv_free(f);
    errno = why;
    return status;
}
