#include "study/input_file.h"

#include "base/result_table.h"
#include "base/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "'a', 'b', 'c' and 4 more" */
static const char *some_of(const Texts *names, Arena *mem)
{
    enum { SHOWN = 4 };
    const char *text = "";
    for (uint32_t k = 0; k < names->n && k < SHOWN; k++)
        text = arena_printf(mem, "%s%s'%s'", text, k ? ", " : "", names->at[k]);
    return names->n > SHOWN ? arena_printf(mem, "%s and %u more", text, names->n - SHOWN) : text;
}

static bool is_input(const RungModel *m, const RungVariable *v, uint32_t row)
{
    return v->place == RUNG_IN_INPUTS && v->index < m->n_inputs && !v->negated &&
           m->input[v->index].variable == row && v->attributes->kind == RUNG_INPUT;
}

/* Do times ascend, and does each value fit its type; false after a message with the place. */
static bool check(const ResultTable *t, uint32_t col, RungType type, bool is_time, Arena *mem)
{
    for (uint32_t r = 0; r < t->n_rows; r++) {
        double x = result_table_at(t, r, col);
        const char *wrong = NULL;
        if (!isfinite(x))
            wrong = "the value is not finite";
        else if (is_time && r && x < result_table_at(t, r - 1, col))
            wrong = "the time goes back";
        else if (type == RUNG_BOOLEAN && x != 0 && x != 1)
            wrong = "a Boolean is 0 or 1, true or false";
        else if (type != RUNG_REAL && x != floor(x))
            wrong = "it must be an integer";
        if (wrong) {
            fprintf(stderr, "rung: %s: '%s' = %.9g: %s\n", result_table_place(t, r, col, mem),
                    t->column[col].name, x, wrong);
            return false;
        }
    }
    return true;
}

static InputKind kind_of(const RunRequest *r, RungType type)
{
    return type != RUNG_REAL ? INPUT_HOLD : r->interpolation;
}

/* Converts a value from the unit of a column to that of the model: factor * value + offset. */
typedef struct Conversion {
    double factor, offset;
} Conversion;

static const Conversion NO_CONVERSION = {1, 0};

/* False, after a message, if the units cannot be converted. If one side has no unit the numbers are
 * used as they are. */
static bool convert(const ResultTable *t, uint32_t col, const char *unit, Conversion *out)
{
    const ResultColumn *c = &t->column[col];
    UnitOfMeasure from, to;
    *out = NO_CONVERSION;
    if (!*c->unit || !*unit || strcmp(c->unit, unit) == 0)
        return true;
    if (!unit_read(c->unit, &from) || !unit_read(unit, &to) || !unit_fits(&from, &to)) {
        fprintf(stderr, "rung: %s: column '%s' has unit '%s', which cannot be converted to '%s'\n",
                t->path, c->name, c->unit, unit);
        return false;
    }
    *out = (Conversion){from.factor / to.factor, (from.offset - to.offset) / to.factor};
    return true;
}

/* A column of its own where the file has another number: negated, or in another unit. */
static void values_of(const ResultTable *t, uint32_t col, Conversion to, Arena *mem,
                      const double **at, size_t *stride)
{
    const ResultColumn *c = &t->column[col];
    *at = c->first;
    *stride = c->stride;
    if (!c->negated && to.factor == 1 && to.offset == 0)
        return;
    double *value = arena_array(mem, double, t->n_rows + 1);
    for (uint32_t r = 0; r < t->n_rows; r++)
        value[r] = to.factor * result_table_at(t, r, col) + to.offset;
    *at = value;
    *stride = 1;
}

/* The input whose name the column has: its row among the variables. */
static uint32_t input_called(const RungModel *m, const char *name)
{
    for (uint32_t k = 0; k < m->n_inputs; k++) {
        uint32_t row = m->input[k].variable;
        if (row == RUNG_NONE || strcmp(rung_name(m, row), name) != 0)
            continue;
        RungVariable v = rung_variable(m, row);
        if (is_input(m, &v, row))
            return row;
    }
    return RUNG_NONE;
}

/* Does --set give a value to the same input. */
static bool is_set(const RunRequest *r, const char *name)
{
    size_t n = strlen(name);
    for (uint32_t k = 0; k < r->set.n; k++)
        if (strncmp(r->set.at[k], name, n) == 0 && r->set.at[k][n] == '=')
            return true;
    return false;
}

const InputData *input_file_read(const RunRequest *r, const RungModel *m, Arena *mem, Exit *status)
{
    ResultTable *t = arena_make(mem, ResultTable);
    *status = EXIT_MODEL;
    if (!result_table_read(t, r->input, mem)) {
        fprintf(stderr, "rung: %s\n", t->error);
        FILE *f = fopen(r->input, "r");
        *status = f ? EXIT_MODEL : EXIT_FILE;
        if (f)
            fclose(f);
        return NULL;
    }
    if (t->n_cols == 0 || t->n_rows == 0) {
        fprintf(stderr, "rung: %s: there are no rows in it\n", r->input);
        return NULL;
    }
    Conversion seconds, to;
    if (!check(t, 0, RUNG_REAL, true, mem) || !convert(t, 0, "s", &seconds))
        return NULL;
    InputSignal *signal = arena_array(mem, InputSignal, t->n_cols);
    bool *has = arena_array(mem, bool, m->n_inputs + 1);
    Texts strange = {0}, without = {0};
    uint32_t n = 0;
    for (uint32_t c = 1; c < t->n_cols; c++) {
        const char *name = t->column[c].name;
        uint32_t row = input_called(m, name);
        if (row == RUNG_NONE) {
            vec_push(mem, strange, name);
            continue;
        }
        RungVariable v = rung_variable(m, row);
        if (has[v.index] || is_set(r, name)) {
            fprintf(stderr, "rung: %s: input '%s' is %s\n", r->input, name,
                    has[v.index] ? "in two columns" : "also given by --set");
            return NULL;
        }
        if (!check(t, c, (RungType)v.attributes->type, false, mem) ||
            !convert(t, c, v.attributes->unit, &to))
            return NULL;
        has[v.index] = true;
        signal[n] =
            (InputSignal){.input = v.index, .kind = kind_of(r, (RungType)v.attributes->type)};
        values_of(t, c, to, mem, &signal[n].value, &signal[n].stride);
        n++;
    }
    for (uint32_t k = 0; k < m->n_inputs; k++) {
        uint32_t row = m->input[k].variable;
        RungVariable v = row == RUNG_NONE ? (RungVariable){0} : rung_variable(m, row);
        if (row != RUNG_NONE && is_input(m, &v, row) && !has[k] && !is_set(r, v.name))
            vec_push(mem, without, v.name);
    }
    if (n == 0) {
        fprintf(stderr, "rung: %s: no column has the name of an input%s%s\n", r->input,
                without.n ? " of the model: " : "; the model has none", some_of(&without, mem));
        return NULL;
    }
    if (strange.n && !r->quiet)
        fprintf(stderr, "rung: %s: not used, since no input of the model is called so: %s\n",
                r->input, some_of(&strange, mem));
    if (without.n && !r->quiet)
        fprintf(stderr, "rung: %s: no column for %s: the start value stays\n", r->input,
                some_of(&without, mem));
    InputData *data = arena_make(mem, InputData);
    *data = (InputData){.n_rows = t->n_rows, .n = n, .signal = signal};
    values_of(t, 0, seconds, mem, &data->t, &data->stride);
    *status = EXIT_GOOD;
    return data;
}
