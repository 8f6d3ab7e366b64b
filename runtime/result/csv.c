/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "csv.h"
#include "part_file.h"
#include "rung_text.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 27, PLACES = RUNG_IS_TIME + 1 };

static size_t number_by_libc(double value, char *text)
{
    size_t n = (size_t)sprintf(text, "%.15g", value);
    for (int p = 16; p <= 17 && strtod(text, NULL) != value; p++)
        n = (size_t)sprintf(text, "%.*g", p, value);
    return n;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 Wide;

enum { LEAST_POWER = -300, MOST_POWER = 330 };

/* 10^k = mantissa * 2^exponent, the mantissa with its highest bit set and short by less than
 * 400 units: a relative error of 2^-118. */
typedef struct Power {
    Wide mantissa;
    int exponent;
} Power;

typedef struct Powers {
    Power of[MOST_POWER - LEAST_POWER + 1];
    bool known;
} Powers;

static const Power *power_of_ten(int k)
{
    static _Thread_local Powers table;
    Power *one = &table.of[-LEAST_POWER];
    if (!table.known) {
        *one = (Power){(Wide)1 << 127, -127};
        for (int i = 1; i <= MOST_POWER; i++) {
            // times 10/16 or 10/8: floor(10 m / 16) is 5 (m / 8) plus the part of the remainder m %
            // 8
            Wide m = one[i - 1].mantissa, up = 5 * (m / 8) + 5 * (m % 8) / 8;
            int e = one[i - 1].exponent + 4;
            while (!(up >> 127)) {
                up <<= 1;
                e--;
            }
            one[i] = (Power){up, e};
        }
        for (int i = -1; i >= LEAST_POWER; i--) {
            Wide m = one[i + 1].mantissa, down = m / 10, rest = m % 10;
            int e = one[i + 1].exponent;
            while (!(down >> 127)) {
                rest *= 2;
                down = down * 2 + rest / 10;
                rest %= 10;
                e--;
            }
            one[i] = (Power){down, e};
        }
        table.known = true;
    }
    return k < LEAST_POWER || k > MOST_POWER ? NULL : one + k;
}

/* As %.<p>g writes it: value = digits * 10^(exponent - p + 1), of p digits. */
static size_t decimal(bool negative, uint64_t digits, int p, int exponent, char *text)
{
    char digit[20], *out = text;
    for (int k = p; k-- > 0; digits /= 10)
        digit[k] = (char)('0' + digits % 10);
    int n = p;
    while (n > 1 && digit[n - 1] == '0')
        n--;
    if (negative)
        *out++ = '-';
    if (exponent < -4 || exponent >= p) {
        *out++ = digit[0];
        if (n > 1)
            *out++ = '.';
        for (int k = 1; k < n; k++)
            *out++ = digit[k];
        return (size_t)(out - text) + (size_t)sprintf(out, "e%+03d", exponent);
    }
    if (exponent < 0) {
        *out++ = '0';
        *out++ = '.';
        for (int k = -1; k > exponent; k--)
            *out++ = '0';
    }
    for (int k = 0; k < n || k <= exponent; k++) {
        if (k > 0 && k == exponent + 1)
            *out++ = '.';
        *out++ = k < n ? digit[k] : '0';
    }
    *out = 0;
    return (size_t)(out - text);
}

/* The same from 17 digits before a binary point and 64 binary places after it, exact to 2^-58; 0
 * where that is not enough to tell. A decimal number reads back if it is nearer than half the
 * distance to the next double (as Grisu does: Loitsch 2010, Printing floating-point numbers quickly
 * and accurately with integers). */
static size_t number_by_integers(double value, char *text)
{
    const Wide ONE = (Wide)1 << 64, UNSURE = (Wide)1 << 16;
    static const uint64_t TEN_16 = 10000000000000000;
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(value), &e), 53);
    // subnormal, or the next double below is nearer than that above
    if (e < -1020 || m == (uint64_t)1 << 52)
        return 0;
    e -= 53;
    // the exponent, or one less
    int exponent = (int)floor((e + 52) * 0.30102999566398119);
    Wide v = 0, half = 0;
    for (int tries = 0; tries < 2; tries++, exponent++) {
        const Power *ten = power_of_ten(16 - exponent);
        if (!ten)
            return 0;
        uint64_t high = (uint64_t)(ten->mantissa >> 64), low = (uint64_t)ten->mantissa;
        int shift = e + ten->exponent + 128;
        if (shift < 1 || shift > 8)
            return 0;
        v = ((Wide)m * high + ((Wide)m * low >> 64)) << shift;
        half = (Wide)high << (shift - 1);
        if (v < 10 * (Wide)TEN_16 * ONE)
            break;
    }
    if (v < TEN_16 * ONE || v >= 10 * (Wide)TEN_16 * ONE)
        return 0;
    uint64_t unit = 100, whole = TEN_16 / 100; // 10^(p - 1)
    for (int p = 15; p <= 17; p++, unit /= 10, whole *= 10) {
        uint64_t digits = (uint64_t)(v / (unit * ONE));
        Wide above = v - digits * unit * ONE, below = unit * ONE - above;
        Wide away = above < below ? above : below, between = below - away + (above - away);
        if (between < UNSURE)
            return 0;
        if (p < 17 && away + UNSURE > half && away < half + UNSURE)
            return 0;
        if (p < 17 && away > half)
            continue;
        digits += above > below;
        bool carry = digits == 10 * whole;
        return decimal(value < 0, carry ? whole : digits, p, exponent + carry, text);
    }
    return 0;
}
#endif

size_t csv_number(double value, char *text)
{
    if (isnan(value))
        return (size_t)sprintf(text, "nan");
    if (isinf(value))
        return (size_t)sprintf(text, value < 0 ? "-inf" : "inf");
    if (fabs(value) < 1e15 && value == floor(value))
        return (size_t)sprintf(text, "%lld", (long long)value);
    size_t n = 0;
#ifdef __SIZEOF_INT128__
    n = number_by_integers(value, text);
#endif
    return n ? n : number_by_libc(value, text);
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
    char *buffer;                /* of the stream */
    char *row;                   /* of text       */
    uint32_t *variable, n;       /* rows of the model's table */
    uint32_t *string, n_strings; /* places in its table of Strings */
    Cell *cell;
    size_t first[PLACES]; /* cells of each RungPlace */
};

static void csv_free(Csv *f)
{
    free(f->buffer);
    free(f->row);
    free(f->variable);
    free(f->string);
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

Csv *csv_open(const char *path, uint32_t *variable, uint32_t n, uint32_t *string,
              uint32_t n_strings, const RungContext *ctx)
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
    f->row = malloc((n + (size_t)1) * (NUMBER_MAX + 1));
    if (f->cell && f->buffer && f->row && part_open(&f->file, path))
        f->f = f->file.f;
    if (!f->f) {
        int why = errno;
        csv_free(f);
        errno = why;
        return NULL;
    }
    f->variable = variable;
    f->n = n;
    f->string = string;
    f->n_strings = n_strings;
    if (f->f != stdout)
        setvbuf(f->f, f->buffer, _IOFBF, BUFFER);
    fputs("\"time\"", f->f);
    for (uint32_t k = 0; k < n; k++) {
        putc(',', f->f);
        quoted(f->f, rung_name(m, variable[k]));
    }
    for (uint32_t k = 0; k < n_strings; k++) {
        putc(',', f->f);
        quoted(f->f, m->string[string[k]].name);
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
    char *out = f->row; /* a call of the stream for each number would take half of the time */
    memcpy(out, c->text, c->n);
    out += c->n;
    for (uint32_t k = 0; k < f->n; k++) {
        const RungVariable it = rung_variable(m, f->variable[k]);
        double value = rung_value(ctx, f->variable[k], t, x, v);
        *out++ = ',';
        c = cell_of(f, it.place, it.place == RUNG_IS_TIME ? 0 : it.index,
                    it.negated ? -value : value);
        // minus a number: its text with the sign turned round
        bool minus = c->text[0] == '-';
        if (it.negated && !minus && value != 0 && !isnan(value))
            *out++ = '-';
        size_t skip = it.negated && minus;
        memcpy(out, c->text + skip, c->n - skip);
        out += c->n - skip;
    }
    if (!f->n_strings)
        *out++ = '\n';
    fwrite(f->row, 1, (size_t)(out - f->row), f->f);
    for (uint32_t k = 0; k < f->n_strings; k++) {
        const RungStringVariable *it = &m->string[f->string[k]];
        size_t n;
        putc(',', f->f);
        double number = rung_at(ctx, (RungPlace)it->place, it->index, t, x, v);
        quoted(f->f, rung_text_kept(ctx, number, &n));
        if (k + 1 == f->n_strings)
            putc('\n', f->f);
    }
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
