#include "emit/picture/plot.h"

#include "base/result_table.h"
#include "base/unit.h"
#include "base/vec.h"
#include "emit/picture/chart.h"
#include "emit/picture/page.h"
#include "emit/picture/png.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) NameList;

typedef struct Panel {
    NameList name;
    const char *unit;
} Panel;

typedef VEC(Panel) Panels;

typedef struct Data {
    Arena *mem;
    const PlotOptions *o;
    const ResultTable *table;
    const double **time; /* per result: column 0 */
    const char *const *file;
    uint32_t n;
    PlotReport *report;
} Data;

/* ---- which signals ---- */

static double largest_of(const ResultTable *t, uint32_t column, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        double y = result_table_at(t, r, column);
        *low = isfinite(y) ? fmin(*low, y) : *low;
        *high = isfinite(y) ? fmax(*high, y) : *high;
    }
    return fmax(fabs(*low), fabs(*high));
}

/* Does the variable change by more than the integration error. */
static bool moves(const ResultTable *t, uint32_t column)
{
    double low, high, most = largest_of(t, column, &low, &high);
    return high - low > 1e-6 * most;
}

static bool are_equal(const ResultTable *t, uint32_t a, uint32_t b)
{
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (result_table_at(t, r, a) != result_table_at(t, r, b))
            return false;
    return true;
}

/* A column whose derivative stands beside it. */
static bool *states_of(const Data *d, const ResultTable *t, bool *any)
{
    bool *is_state = arena_array(d->mem, bool, t->n_cols + 1);
    *any = false;
    for (uint32_t k = 1; k < t->n_cols; k++) {
        const char *name = t->column[k].name;
        size_t n = strlen(name);
        if (strncmp(name, "der(", 4) != 0 || n < 6 || name[n - 1] != ')')
            continue;
        uint32_t of = result_table_find(t, arena_copy(d->mem, name + 4, n - 5));
        if (of > 0 && of < t->n_cols)
            is_state[of] = *any = true;
    }
    return is_state;
}

/* Without names: of the first result. */
static void choose(const Data *d, NameList *out)
{
    const ResultTable *t = &d->table[0];
    bool has_states;
    const bool *is_state = states_of(d, t, &has_states);
    uint32_t most = d->o->most ? d->o->most : 12;
    VEC(uint32_t) taken = {0};
    for (uint32_t k = 1; k < t->n_cols; k++) {
        bool is_output = d->o->is_output && d->o->is_output(d->o->user, t->column[k].name);
        if ((has_states && !is_state[k] && !is_output) || !moves(t, k))
            continue;
        bool known = false;
        for (uint32_t i = 0; i < taken.n && !known; i++)
            known = are_equal(t, taken.at[i], k);
        if (known)
            continue;
        if (taken.n == most) {
            d->report->left_out++;
            continue;
        }
        vec_push(d->mem, taken, k);
        vec_push(d->mem, *out, t->column[k].name);
    }
}

bool plot_name_matches(const char *pattern, const char *name)
{
    if (*pattern == '*')
        return plot_name_matches(pattern + 1, name) ||
               (*name && plot_name_matches(pattern, name + 1));
    if (!*name || !*pattern)
        return *name == *pattern;
    return (*pattern == '?' || *pattern == *name) && plot_name_matches(pattern + 1, name + 1);
}

/* The columns of the pattern, in the order of the first result that has some. */
static bool add_matching(const Data *d, const char *pattern, NameList *out)
{
    bool found = false;
    for (uint32_t i = 0; i < d->n && !found; i++) {
        const ResultTable *t = &d->table[i];
        uint32_t exact = result_table_find(t, pattern);
        for (uint32_t k = 1; k < t->n_cols; k++) {
            if (exact > 0 && exact < t->n_cols ? k != exact
                                               : !plot_name_matches(pattern, t->column[k].name))
                continue;
            vec_push(d->mem, *out, t->column[k].name);
            found = true;
        }
    }
    if (!found)
        d->report->error = arena_printf(d->mem, "the result has no variable '%s'", pattern);
    return found;
}

/* As the first result says that says it, or the model; "" if unknown. */
static const char *declared(const Data *d, const char *name, bool display)
{
    for (uint32_t i = 0; i < d->n; i++) {
        uint32_t k = result_table_find(&d->table[i], name);
        const ResultColumn *c = k < d->table[i].n_cols ? &d->table[i].column[k] : NULL;
        const char *text = !c ? "" : display ? c->display_unit : c->unit;
        if (*text)
            return text;
    }
    const char *(*ask)(void *, const char *) = display ? d->o->display_unit : d->o->unit;
    const char *text = ask ? ask(d->o->user, name) : NULL;
    return text ? text : "";
}

/* The unit in which a variable is shown; value shown = factor * value + offset. */
static const char *shown_unit(const Data *d, const char *name, double *factor, double *offset)
{
    return unit_shown(declared(d, name, false), declared(d, name, true), factor, offset);
}

static const char *unit_of(const Data *d, const char *name)
{
    double factor, offset;
    return shown_unit(d, name, &factor, &offset);
}

/* A panel for each unit, in the order of the names. */
static void by_unit(const Data *d, const NameList *names, Panels *out)
{
    for (uint32_t k = 0; k < names->n; k++) {
        const char *unit = unit_of(d, names->at[k]);
        uint32_t p = 0;
        while (p < out->n && strcmp(out->at[p].unit, unit) != 0)
            p++;
        if (p == out->n)
            vec_push(d->mem, *out, ((Panel){.unit = unit}));
        vec_push(d->mem, out->at[p].name, names->at[k]);
    }
}

static bool read_signals(const Data *d, const char *text, Panels *out)
{
    bool has_panels = false;
    int depth = 0;
    NameList names = {0};
    const char *from = text;
    for (const char *c = text;; c++) {
        depth += (*c == '[') - (*c == ']');
        if (*c && ((*c != ',' && *c != ';') || depth > 0))
            continue;
        while (*from == ' ')
            from++;
        size_t n = (size_t)(c - from);
        while (n > 0 && from[n - 1] == ' ')
            n--;
        if (n > 0 && !add_matching(d, arena_copy(d->mem, from, n), &names))
            return false;
        has_panels = has_panels || *c == ';';
        if (has_panels && (*c == ';' || !*c) && names.n) {
            Panel p = {.name = names, .unit = unit_of(d, names.at[0])};
            // of several units none is the axis's
            for (uint32_t k = 1; k < names.n; k++)
                if (strcmp(unit_of(d, names.at[k]), p.unit) != 0)
                    p.unit = "";
            vec_push(d->mem, *out, p);
            names = (NameList){0};
        }
        if (!*c)
            break;
        from = c + 1;
    }
    if (!has_panels)
        by_unit(d, &names, out);
    return true;
}

/* ---- curves ---- */

/* In the unit in which they are shown. */
static const double *values_of(const Data *d, const ResultTable *t, uint32_t column)
{
    double *y = arena_array(d->mem, double, t->n_rows + 1), factor = 1, offset = 0;
    if (column > 0)
        shown_unit(d, t->column[column].name, &factor, &offset);
    for (uint32_t r = 0; r < t->n_rows; r++)
        y[r] = factor * result_table_at(t, r, column) + offset;
    return y;
}

/* The file's name without its directory, unless two files have the same name. */
static const char *short_name(const Data *d, uint32_t i)
{
    const char *slash = strrchr(d->file[i], '/'), *name = slash ? slash + 1 : d->file[i];
    for (uint32_t k = 0; k < d->n; k++) {
        const char *other = strrchr(d->file[k], '/');
        if (k != i && strcmp(other ? other + 1 : d->file[k], name) == 0)
            return d->file[i];
    }
    return name;
}

static Chart chart_of(const Data *d, const Panel *p)
{
    ChartCurve *curve = arena_array(d->mem, ChartCurve, p->name.n * d->n + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->name.n; k++)
        for (uint32_t i = 0; i < d->n; i++) {
            const ResultTable *t = &d->table[i];
            uint32_t column = result_table_find(t, p->name.at[k]);
            if (column == t->n_cols)
                continue;
            const char *name = p->name.at[k];
            if (d->n > 1)
                name = arena_printf(d->mem, "%s, %s", name, short_name(d, i));
            curve[n++] = (ChartCurve){.name = name,
                                      .n = t->n_rows,
                                      .x = d->time[i],
                                      .y = values_of(d, t, column),
                                      .colour = k + 1,
                                      .dash = i};
        }
    d->report->drawn += n;
    return (Chart){.y_label = *p->unit ? p->unit : NULL, .n = n, .curve = curve};
}

static bool has_ending(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

const char *plot_wrong_name(const char *out)
{
    bool known = has_ending(out, ".svg") || has_ending(out, ".png") || has_ending(out, ".html");
    return known ? NULL : "pictures are .svg, .png or .html by the ending of their name";
}

static bool draw(const Data *d, const Panels *panels, const char *out, Text *picture)
{
    const PlotOptions *o = d->o;
    uint32_t width = o->width ? o->width : 900, height = o->height ? o->height : 240;
    uint32_t n = panels->n ? panels->n : 1;
    Chart *chart = arena_array(d->mem, Chart, n);
    for (uint32_t k = 0; k < panels->n; k++)
        chart[k] = chart_of(d, &panels->at[k]);
    const char *x = d->table[0].n_cols ? d->table[0].column[0].name : "time";
    bool is_time = strcmp(x, "Time") == 0 || strcmp(x, "time") == 0;
    chart[0].title = o->title;
    chart[n - 1].x_label = is_time ? "time in s" : x;
    Text svg = chart_column(chart, n, width, height, d->mem);
    *picture = svg;
    if (has_ending(out, ".html")) {
        *picture = page_html(chart, panels->n, width, height, o->title, &svg, d->mem);
        if (!page_is_interactive())
            d->report->remark = "this rung was built without uPlot: the page holds a picture "
                                "without zoom and cursor";
    } else if (has_ending(out, ".png")) {
        *picture = text_new(d->mem);
        return png_of_svg(&svg, picture, d->mem, &d->report->error);
    }
    return true;
}

bool plot_results(const char *const *result, uint32_t n, const char *out, PlotOptions o,
                  Text *picture, PlotReport *report, Arena *mem)
{
    *report = (PlotReport){.error = plot_wrong_name(out)};
    ResultTable *table = arena_array(mem, ResultTable, n + 1);
    const double **time = arena_array(mem, const double *, n + 1);
    Data d = {mem, &o, table, time, result, n, report};
    for (uint32_t k = 0; k < n && !report->error; k++) {
        if (!result_table_read(&table[k], result[k], mem))
            report->error = table[k].error;
        else if (table[k].n_cols < 2)
            report->error = arena_printf(mem, "'%s' is no result file: no header", result[k]);
        else
            time[k] = values_of(&d, &table[k], 0);
    }
    if (report->error || !n)
        return false;
    Panels panels = {0};
    NameList names = {0};
    if (o.signals ? !read_signals(&d, o.signals, &panels) : (choose(&d, &names), false))
        return false;
    if (!o.signals)
        by_unit(&d, &names, &panels);
    return draw(&d, &panels, out, picture);
}
