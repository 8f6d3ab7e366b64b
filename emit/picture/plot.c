#include "emit/picture/plot.h"

#include "base/result_table.h"
#include "emit/picture/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Data {
    Arena *mem;
    ResultTable table;
    uint32_t *column, n; /* drawn */
} Data;

/* Without names: the first columns that move, by more than what integration loses. A run in the
 * middle of its movement differs from its start. */
static void choose_varying(Data *d, uint32_t most)
{
    enum { MIDDLE = 37 };
    const ResultTable *t = &d->table;
    d->column = arena_array(d->mem, uint32_t, most);
    uint32_t row = t->n_rows > MIDDLE ? MIDDLE : t->n_rows - 1;
    for (uint32_t k = 1; k < t->n_cols && d->n < most && t->n_rows; k++) {
        double first = result_table_at(t, 0, k), later = result_table_at(t, row, k);
        if (isfinite(later) && fabs(first - later) > 1e-6 * fmax(fabs(first), fabs(later)))
            d->column[d->n++] = k;
    }
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool choose_named(Data *d, const PlotOptions *o, const char **error)
{
    d->column = arena_array(d->mem, uint32_t, o->n_columns + 1);
    for (uint32_t k = 0; k < o->n_columns; k++) {
        uint32_t column = result_table_find(&d->table, o->column[k]);
        if (column == 0 || column == d->table.n_cols) {
            *error = arena_printf(d->mem, "the result has no variable '%s'", o->column[k]);
            return false;
        }
        d->column[d->n++] = column;
    }
    if (d->n)
        qsort(d->column, d->n, sizeof *d->column, ascending);
    return true;
}

static double *values_of(const Data *d, uint32_t column)
{
    double *y = arena_array(d->mem, double, d->table.n_rows + 1);
    for (uint32_t r = 0; r < d->table.n_rows; r++)
        y[r] = result_table_at(&d->table, r, column);
    return y;
}

static Text draw(const Data *d, const PlotOptions *o)
{
    const ResultTable *t = &d->table;
    ChartCurve *curve = arena_array(d->mem, ChartCurve, d->n + 1);
    double *x = values_of(d, 0);
    for (uint32_t k = 0; k < d->n; k++)
        curve[k] =
            (ChartCurve){t->column[d->column[k]].name, t->n_rows, x, values_of(d, d->column[k])};
    Chart c = {.title = o->title,
               .x_label = strcmp(t->column[0].name, "Time") ? t->column[0].name : "time",
               .n = d->n,
               .curve = curve};
    return chart_svg(&c, 1, o->width ? o->width : 900, o->height ? o->height : 480, d->mem);
}

bool plot_result(const char *result, const char *svg, PlotOptions o, Arena *mem, const char **error)
{
    Data d = {.mem = mem};
    if (!result_table_read(&d.table, result, mem) || d.table.n_cols < 2) {
        *error = d.table.error ? d.table.error
                               : arena_printf(mem, "'%s' is no result file: no header", result);
        return false;
    }
    if (!o.n_columns)
        choose_varying(&d, o.most ? o.most : 6);
    else if (!choose_named(&d, &o, error))
        return false;
    Text t = draw(&d, &o);
    return chart_write(&t, svg, mem, error);
}
