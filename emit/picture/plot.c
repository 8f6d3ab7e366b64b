#include "emit/picture/plot.h"

#include "base/vec.h"
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

/* One field, RFC 4180; *at moves behind it and its comma. The text is changed in place. */
static char *field(char **at)
{
    char *s = *at, *out = s, *begin = s;
    if (*s == '"') {
        for (s++; *s && !(s[0] == '"' && s[1] != '"'); s++) {
            s += *s == '"';
            *out++ = *s;
        }
        s += *s == '"';
    } else {
        while (*s && *s != ',' && *s != '\n' && *s != '\r')
            *out++ = *s++;
    }
    bool more = *s == ',';
    *out = 0;
    *at = more ? s + 1 : NULL;
    return begin;
}

static bool read_header(Data *d, char *line)
{
    size_t n = strlen(line);
    while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
        line[--n] = 0;
    for (char *at = line; at;) {
        char *f = field(&at);
        const char *name = arena_copy(d->mem, f, strlen(f));
        vec_push(d->mem, d->name, name);
    }
    return d->name.n > 1;
}

static uint32_t column_of(const Data *d, const char *name)
{
    for (uint32_t k = 1; k < d->name.n; k++)
        if (!strcmp(d->name.at[k], name))
            return k;
    return 0;
}

/* A row into the curves; they are sorted by column. */
static void read_row(Data *d, const char *line)
{
    uint32_t column = 0;
    char *end;
    double x = strtod(line, &end);
    if (end == line)
        return;
    vec_push(d->mem, d->x, x);
    const char *at = line;
    for (uint32_t k = 0; k < d->n; k++) {
        for (; column < d->curve[k].column && at; column++) {
            at = strchr(at, ',');
            at += at != NULL;
        }
        double y = NAN;
        if (at) {
            y = strtod(at, &end);
            y = end == at ? NAN : y;
        }
        vec_push(d->mem, d->curve[k].y, y);
    }
}

/* Without names: the first columns that move, by more than what integration loses. */
static void choose_varying(Data *d, const char *first, const char *last, uint32_t most)
{
    d->curve = arena_array(d->mem, Curve, most);
    for (uint32_t k = 0; k < d->name.n && d->n < most && first && last; k++) {
        char *end;
        double a = strtod(first, NULL), b = strtod(last, &end);
        bool moves = fabs(a - b) > 1e-6 * fmax(fabs(a), fabs(b));
        if (k && moves && isfinite(b) && end != last)
            d->curve[d->n++] = (Curve){.name = d->name.at[k], .column = k};
        first = strchr(first, ',');
        first += first != NULL;
        last = strchr(last, ',');
        last += last != NULL;
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

/* Some row in the middle and the first tell which columns vary. */
static bool choose(Data *d, FILE *f, const PlotOptions *o, char **line, size_t *room,
                   const char **error)
{
    if (o->n_columns)
        return choose_named(d, o, error);
    long begin = ftell(f);
    const char *first = NULL;
    char *last = NULL;
    size_t size = 0;
    if (getline(line, room, f) > 0)
        first = *line;
    // a run in the middle of its movement differs from its start
    for (int k = 0; k < 37 && first; k++)
        if (getline(&last, &size, f) <= 0)
            break;
    choose_varying(d, first, last, o->most ? o->most : 6);
    free(last);
    return !fseek(f, begin, SEEK_SET);
}

static bool read_csv(Data *d, const char *path, const PlotOptions *o, const char **error)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        *error = arena_printf(d->mem, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t room = 0;
    bool ok = getline(&line, &room, f) > 0 && read_header(d, line);
    if (!ok)
        *error = arena_printf(d->mem, "'%s' is no result file: no header", path);
    ok = ok && choose(d, f, o, &line, &room, error);
    while (ok && getline(&line, &room, f) > 0)
        read_row(d, line);
    free(line);
    fclose(f);
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
