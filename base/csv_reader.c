#include "base/csv_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool csv_reader_open(CsvReader *csv, const char *path, Arena *mem)
{
    *csv = (CsvReader){.file = fopen(path, "r"), .mem = mem};
    return csv->file != NULL;
}

void csv_reader_close(CsvReader *csv)
{
    fclose(csv->file);
}

static void put(CsvReader *csv, int c)
{
    vec_push(csv->mem, csv->text, (char)c);
    // a byte order mark before the first field
    if (csv->text.n == 3 && csv->line == 0 && memcmp(csv->text.at, "\xef\xbb\xbf", 3) == 0)
        csv->text.n = 0;
}

/* The next line of the file, with the lines that quotes add to it; false if it is empty. */
static bool read_row(CsvReader *csv)
{
    csv->text.n = csv->begins.n = csv->places.n = csv->quotes.n = 0;
    vec_push(csv->mem, csv->begins, 0);
    vec_push(csv->mem, csv->places, 1);
    vec_push(csv->mem, csv->quotes, false);
    bool any = false;
    bool quoted = false;
    uint32_t place = 0;
    for (int c; (c = getc_unlocked(csv->file)) != EOF && (c != '\n' || quoted);) {
        csv->line += c == '\n';
        place = c == '\n' ? 0 : place + 1;
        if (quoted && c == '"') {
            // two of them stand for one
            int next = getc_unlocked(csv->file);
            quoted = next == '"';
            place += quoted;
            if (quoted)
                put(csv, c);
            else
                ungetc(next, csv->file);
        } else if (!quoted && c == '"' && csv->text.n == vec_last(csv->begins)) {
            any = quoted = vec_last(csv->quotes) = true;
        } else if (!quoted && c == ',') {
            any = true;
            vec_push(csv->mem, csv->text, '\0');
            vec_push(csv->mem, csv->begins, csv->text.n);
            vec_push(csv->mem, csv->places, place + 1);
            vec_push(csv->mem, csv->quotes, false);
        } else if (quoted || c != '\r') {
            any = true;
            put(csv, c);
        }
    }
    csv->line++;
    vec_push(csv->mem, csv->text, '\0');
    return any;
}

bool csv_reader_next(CsvReader *csv)
{
    while (!read_row(csv))
        if (feof(csv->file) || ferror(csv->file))
            return false;
    csv->n = csv->begins.n;
    csv->column = csv->places.at;
    csv->is_quoted = csv->quotes.at;
    if (csv->cap < csv->n)
        csv->field = vec_grow(csv->mem, NULL, sizeof *csv->field, 0, &csv->cap, csv->n);
    for (uint32_t k = 0; k < csv->n; k++)
        csv->field[k] = &csv->text.at[csv->begins.at[k]];
    return true;
}

bool csv_reader_number(const char *field, double *value)
{
    char *end;
    *value = strtod(field, &end);
    bool is_number = end != field && end[strspn(end, " \t")] == 0;
    if (!is_number)
        *value = NAN;
    return is_number;
}
