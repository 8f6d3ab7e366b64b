#include "base/result_table.h"

#include "base/csv_reader.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* ---- CSV ---- */

const char *result_table_place(const ResultTable *t, uint32_t row, uint32_t col, Arena *mem)
{
    CsvReader csv;
    const char *place = arena_printf(mem, "%s: row %u", t->path, row + 1);
    if (!t->is_csv || !csv_reader_open(&csv, t->path, mem))
        return place;
    bool found = true;
    for (uint32_t k = 0; k < row + 2 && found; k++)
        found = csv_reader_next(&csv);
    uint32_t field = t->column[col].field;
    if (found && field < csv.n)
        place = arena_printf(mem, "%s:%u:%u", t->path, csv.line, csv.column[field]);
    csv_reader_close(&csv);
    return place;
}

/* A head `u [m3/s]` is a name and a unit; the space distinguishes it from an element's name,
 * `u[3]`. */
static void read_head(ResultColumn *c, const char *head, Arena *mem)
{
    size_t n = strlen(head);
    const char *bracket = n && head[n - 1] == ']' ? strstr(head, " [") : NULL;
    c->description = c->unit = c->display_unit = "";
    if (!bracket || strchr(bracket + 2, '[')) {
        c->name = arena_copy(mem, head, n);
        return;
    }
    c->unit = arena_copy(mem, bracket + 2, n - 1 - (size_t)(bracket + 2 - head));
    while (bracket > head && bracket[-1] == ' ')
        bracket--;
    c->name = arena_copy(mem, head, (size_t)(bracket - head));
}

/* A column of the file, while it is read. */
typedef struct Kind {
    bool is_bare; /* some field of it is not quoted */
    bool is_text; /* it is no column of numbers     */
} Kind;

static double cell_of(ResultTable *t, const CsvReader *csv, uint32_t k, Kind *kind, Arena *mem)
{
    const char *field = csv->field[k];
    double x = field[0] == 't';
    kind->is_bare = kind->is_bare || !csv->is_quoted[k];
    if (strcmp(field, "true") == 0 || strcmp(field, "false") == 0 || csv_reader_number(field, &x))
        return x;
    kind->is_text = kind->is_text || (k > 0 && !kind->is_bare);
    if (!kind->is_text)
        t->error = arena_printf(mem, "%s:%u:%u: '%s' is no number", t->path, csv->line,
                                csv->column[k], field);
    return x;
}

static bool read_csv(ResultTable *t, const char *path, Arena *mem)
{
    CsvReader csv;
    VEC(double) cell = {0};
    if (!csv_reader_open(&csv, path, mem)) {
        t->error = arena_printf(mem, "%s: %s", path, strerror(errno));
        return false;
    }
    Kind *kind = NULL;
    if (csv_reader_next(&csv)) {
        kind = arena_array(mem, Kind, csv.n + 1);
        t->n_cols = csv.n;
        t->column = arena_array(mem, ResultColumn, csv.n + 1);
        for (uint32_t k = 0; k < csv.n; k++)
            read_head(&t->column[k], csv.field[k], mem);
    }
    while (!t->error && csv_reader_next(&csv)) {
        for (uint32_t k = 0; k < csv.n && !t->error; k++) {
            Kind more = {0};
            vec_push(mem, cell, cell_of(t, &csv, k, k < t->n_cols ? &kind[k] : &more, mem));
        }
        if (!t->error && csv.n != t->n_cols)
            t->error = arena_printf(mem, "%s:%u: %u values in %u columns", path, csv.line, csv.n,
                                    t->n_cols);
        t->n_rows++;
    }
    csv_reader_close(&csv);
    uint32_t n = t->n_cols;
    t->n_cols = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (kind[k].is_text)
            continue;
        ResultColumn *c = &t->column[t->n_cols++];
        *c = t->column[k];
        c->first = cell.at + k;
        c->stride = n;
        c->field = k;
    }
    return !t->error;
}

/* ---- MAT ---- */

typedef struct Matrix {
    char name[16];
    uint32_t rows, cols;
    double *at; /* by columns; characters and integers too */
} Matrix;

enum { MATRICES = 16, MOST_CELLS = 1 << 30 };

/* The size of an element of precision p: doubles, floats, int32, int16, uint16, uint8. */
static size_t size_of(int p)
{
    static const size_t size[] = {8, 4, 4, 2, 2, 1};
    return p >= 0 && p < 6 ? size[p] : 0;
}

static double element(const unsigned char *raw, int p)
{
    double d;
    float f;
    int32_t i;
    int16_t s;
    uint16_t u;
    switch (p) {
    case 0:
        memcpy(&d, raw, sizeof d);
        return d;
    case 1:
        memcpy(&f, raw, sizeof f);
        return (double)f;
    case 2:
        memcpy(&i, raw, sizeof i);
        return i;
    case 3:
        memcpy(&s, raw, sizeof s);
        return s;
    case 4:
        memcpy(&u, raw, sizeof u);
        return u;
    default:
        return *raw;
    }
}

/* One matrix; false at the end of the file, or with an error. */
static bool read_matrix(FILE *f, const char *path, Matrix *m, ResultTable *t, Arena *mem)
{
    int32_t field[5];
    size_t got = fread(field, sizeof *field, 5, f);
    if (got == 0 && feof(f))
        return false;
    int p = field[0] / 10 % 10;
    size_t size = size_of(p), n = 0;
    bool good = got == 5 && field[0] >= 0 && field[0] < 100 && size && field[1] >= 0 &&
                field[2] >= 0 && field[3] == 0 && field[4] > 0 && field[4] <= (int)sizeof m->name;
    if (good) {
        m->rows = (uint32_t)field[1];
        m->cols = (uint32_t)field[2];
        n = (size_t)m->rows * m->cols;
        good = n < MOST_CELLS && fread(m->name, 1, (size_t)field[4], f) == (size_t)field[4] &&
               m->name[field[4] - 1] == 0;
    }
    if (good) {
        m->at = arena_array(mem, double, n + 1);
        unsigned char raw[8];
        for (size_t k = 0; k < n && good; k++) {
            good = fread(raw, size, 1, f) == 1;
            m->at[k] = good ? element(raw, p) : 0;
        }
    }
    if (!good)
        t->error = arena_printf(mem, "%s: no MAT file of version 4, or it is cut off", path);
    return good;
}

static const Matrix *find(const Matrix *all, uint32_t n, const char *name)
{
    for (uint32_t k = 0; k < n; k++)
        if (strcmp(all[k].name, name) == 0)
            return &all[k];
    return NULL;
}

/* Matrices stand by variables (binTrans: one column each) or the other way round (binNormal). */
static double item(const Matrix *m, bool by_columns, uint32_t variable, uint32_t k)
{
    return by_columns ? m->at[(size_t)variable * m->rows + k]
                      : m->at[(size_t)k * m->rows + variable];
}

/* "text [unit]" or "text [unit|display unit]", each part perhaps absent. */
static void describe(ResultColumn *c, const Matrix *m, bool by_columns, uint32_t k, Arena *mem)
{
    uint32_t letters = !m ? 0 : by_columns ? m->rows : m->cols;
    bool has = m && k < (by_columns ? m->cols : m->rows);
    char *text = arena_array(mem, char, letters + 1);
    for (uint32_t i = 0; i < letters && has; i++)
        text[i] = (char)item(m, by_columns, k, i);
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        text[--n] = 0;
    c->description = text;
    c->unit = c->display_unit = "";
    char *open = n && text[n - 1] == ']' ? strrchr(text, '[') : NULL;
    if (!open)
        return;
    text[n - 1] = 0;
    size_t own = strcspn(open + 1, "|");
    c->unit = arena_copy(mem, open + 1, own);
    if (open[1 + own])
        c->display_unit = open + 2 + own;
    while (open > text && open[-1] == ' ')
        open--;
    *open = 0;
}

static bool read_mat(ResultTable *t, FILE *f, const char *path, Arena *mem)
{
    Matrix all[MATRICES] = {0};
    uint32_t n = 0;
    while (n < MATRICES && read_matrix(f, path, &all[n], t, mem))
        n++;
    const Matrix *class = find(all, n, "Aclass"), *name = find(all, n, "name");
    const Matrix *info = find(all, n, "dataInfo"), *still = find(all, n, "data_1");
    const Matrix *moving = find(all, n, "data_2"), *description = find(all, n, "description");
    if (t->error || !class || !name || !info || !still || !moving || class->rows < 4) {
        if (!t->error)
            t->error = arena_printf(mem, "%s: no trajectory of a Modelica tool", path);
        return false;
    }
    /* the fourth line of Aclass: binTrans or binNormal */
    bool by_columns = class->cols < 4 || class->at[3 * (size_t) class->rows + 3] == 'T';
    t->n_cols = by_columns ? name->cols : name->rows;
    t->n_rows = by_columns ? moving->cols : moving->rows;
    uint32_t letters = by_columns ? name->rows : name->cols;
    t->column = arena_array(mem, ResultColumn, t->n_cols + 1);
    char *text = arena_array(mem, char, letters + 1);
    bool good = (by_columns ? info->cols : info->rows) >= t->n_cols &&
                (by_columns ? info->rows : info->cols) >= 2;
    for (uint32_t k = 0; k < t->n_cols && good; k++) {
        ResultColumn *c = &t->column[k];
        for (uint32_t i = 0; i < letters; i++)
            text[i] = (char)item(name, by_columns, k, i);
        size_t length = letters; /* blanks or zeros fill it up */
        while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == 0))
            length--;
        c->name = arena_copy(mem, text, length);
        // 0 is the time, which both have
        double which = item(info, by_columns, k, 0), row = item(info, by_columns, k, 1);
        const Matrix *in = which == 1 ? still : moving;
        uint32_t rows = by_columns ? in->rows : in->cols;
        good = (which == 1 || which == 2 || (which == 0 && k == 0)) && fabs(row) >= 1 &&
               fabs(row) <= rows && (by_columns ? in->cols : in->rows) > 0;
        uint32_t at = good ? (uint32_t)fabs(row) : 1;
        describe(c, description, by_columns, k, mem);
        c->negated = row < 0;
        c->first = in->at + (by_columns ? at - 1 : (size_t)(at - 1) * in->rows);
        c->stride = in == still ? 0 : by_columns ? in->rows : 1;
    }
    if (!good)
        t->error = arena_printf(mem, "%s: dataInfo points outside of the data", path);
    return good;
}

bool result_table_read(ResultTable *t, const char *path, Arena *mem)
{
    *t = (ResultTable){.path = path};
    FILE *f = fopen(path, "rb");
    if (!f) {
        t->error = arena_printf(mem, "%s: %s", path, strerror(errno));
        return false;
    }
    /* a MAT file begins with a small integer, so with zeros among the first bytes */
    unsigned char begin[4] = {1, 1, 1, 1};
    bool is_mat = fread(begin, 1, 4, f) == 4 && !begin[2] && !begin[3];
    rewind(f);
    t->is_csv = !is_mat;
    bool ok = is_mat ? read_mat(t, f, path, mem) : true;
    fclose(f);
    return is_mat ? ok : read_csv(t, path, mem);
}

uint32_t result_table_find(const ResultTable *t, const char *name)
{
    uint32_t k = 0;
    while (k < t->n_cols && strcmp(t->column[k].name, name) != 0)
        k++;
    return k;
}
