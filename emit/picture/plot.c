#include "emit/picture/plot.h"

#include "base/csv_reader.h"
#include "emit/picture/chart.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Curve {
    const char *name;
    uint32_t column;
    VEC(double) y;
} Curve;

typedef struct Data {
    Arena *mem;
    VEC(const char *) name; /* of all columns */
    VEC(double) x;
    Curve *curve;
    uint32_t n;
} Data;

static uint32_t column_of(const Data *d, const char *name)
{
    for (uint32_t k = 1; k < d->name.n; k++)
        if (!strcmp(d->name.at[k], name))
            return k;
    return 0;
}

static void read_row(Data *d, const CsvReader *csv)
{
    double x;
    if (!csv_reader_number(csv->field[0], &x))
        return;
    vec_push(d->mem, d->x, x);
    for (uint32_t k = 0; k < d->n; k++) {
        double y = NAN;
        if (d->curve[k].column < csv->n)
            csv_reader_number(csv->field[d->curve[k].column], &y);
        vec_push(d->mem, d->curve[k].y, y);
    }
}

/* Without names: the first columns that move, by more than what integration loses. A run in the
 * middle of its movement differs from its start. */
static void choose_varying(Data *d, CsvReader *csv, uint32_t most)
{
    enum { MIDDLE = 37 };
    d->curve = arena_array(d->mem, Curve, most);
    double *first = arena_array(d->mem, double, d->name.n);
    if (!csv_reader_next(csv))
        return;
    for (uint32_t k = 0; k < d->name.n; k++)
        csv_reader_number(k < csv->n ? csv->field[k] : "", &first[k]);
    for (int k = 0; k < MIDDLE && csv_reader_next(csv); k++)
        ;
    for (uint32_t k = 1; k < d->name.n && k < csv->n && d->n < most; k++) {
        double later;
        csv_reader_number(csv->field[k], &later);
        if (isfinite(later) && fabs(first[k] - later) > 1e-6 * fmax(fabs(first[k]), fabs(later)))
            d->curve[d->n++] = (Curve){.name = d->name.at[k], .column = k};
    }
}

static int by_column(const void *a, const void *b)
{
    const Curve *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

static bool choose_named(Data *d, const PlotOptions *o, const char **error)
{
    d->curve = arena_array(d->mem, Curve, o->n_columns + 1);
    for (uint32_t k = 0; k < o->n_columns; k++) {
        uint32_t column = column_of(d, o->column[k]);
        if (!column) {
            *error = arena_printf(d->mem, "the result has no variable '%s'", o->column[k]);
            return false;
        }
        d->curve[d->n++] = (Curve){.name = o->column[k], .column = column};
    }
    if (d->n)
        qsort(d->curve, d->n, sizeof *d->curve, by_column);
    return true;
}

/* At the first row of a file with a header. */
static bool open_csv(Data *d, CsvReader *csv, const char *path, const char **error)
{
    if (!csv_reader_open(csv, path, d->mem)) {
        *error = arena_printf(d->mem, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    if (csv_reader_next(csv) && csv->n > 1)
        return true;
    *error = arena_printf(d->mem, "'%s' is no result file: no header", path);
    csv_reader_close(csv);
    return false;
}

static bool read_csv(Data *d, const char *path, const PlotOptions *o, const char **error)
{
    CsvReader csv;
    if (!open_csv(d, &csv, path, error))
        return false;
    for (uint32_t k = 0; k < csv.n; k++) {
        const char *name = arena_copy(d->mem, csv.field[k], strlen(csv.field[k]));
        vec_push(d->mem, d->name, name);
    }
    bool ok = true;
    if (o->n_columns) {
        ok = choose_named(d, o, error);
    } else {
        choose_varying(d, &csv, o->most ? o->most : 6);
        csv_reader_close(&csv);
        if (!open_csv(d, &csv, path, error))
            return false;
    }
    while (ok && csv_reader_next(&csv))
        read_row(d, &csv);
    csv_reader_close(&csv);
    return ok;
}

static Text draw(const Data *d, const PlotOptions *o)
{
    ChartCurve *curve = arena_array(d->mem, ChartCurve, d->n);
    for (uint32_t k = 0; k < d->n; k++)
        curve[k] = (ChartCurve){d->curve[k].name, d->x.n, d->x.at, d->curve[k].y.at};
    Chart c = {.title = o->title, .x_label = d->name.at[0], .n = d->n, .curve = curve};
    return chart_svg(&c, 1, o->width ? o->width : 900, o->height ? o->height : 480, d->mem);
}

bool plot_csv(const char *csv, const char *svg, PlotOptions o, Arena *mem, const char **error)
{
    Data d = {.mem = mem};
    if (!read_csv(&d, csv, &o, error))
        return false;
    Text t = draw(&d, &o);
    return chart_write(&t, svg, mem, error);
}
