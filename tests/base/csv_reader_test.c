#include "base/csv_reader.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(char *path, const char *text, size_t n)
{
    strcpy(path, "/tmp/rung-csv-XXXXXX");
    FILE *f = fdopen(mkstemp(path), "w");
    fwrite(text, 1, n, f);
    fclose(f);
}

/* All rows of a text as "field|field;", each row with the line at which it ends. */
static const char *rows_of(const char *text, Arena *mem)
{
    char path[32];
    write_file(path, text, strlen(text));
    CsvReader csv;
    cr_assert(csv_reader_open(&csv, path, mem));
    const char *all = "";
    while (csv_reader_next(&csv)) {
        for (uint32_t k = 0; k < csv.n; k++)
            all = arena_printf(mem, "%s%s%s", all, k ? "|" : "", csv.field[k]);
        all = arena_printf(mem, "%s@%u;", all, csv.line);
    }
    csv_reader_close(&csv);
    remove(path);
    return all;
}

Test(csv_reader, reads_fields_quotes_and_line_ends)
{
    Arena *mem = arena_new();
    const struct {
        const char *text, *rows;
    } cases[] = {
        {"", ""},
        {"\n\r\n", ""},
        {"a", "a@1;"},
        {"a,b\n1,2\n", "a|b@1;1|2@2;"},
        {"a,b\r\n\r\n1,2\r\n", "a|b@1;1|2@3;"},
        {",\n,,\n", "|@1;||@2;"},
        {"\"\"\nx\n", "@1;x@2;"},
        {"\"a,b\",c\n", "a,b|c@1;"},
        {"\"say \"\"c\"\", d\",\"\"\"\"\n", "say \"c\", d|\"@1;"},
        {"\"two\nlines\",2\n3,4\n", "two\nlines|2@2;3|4@3;"},
        {"a \"b\" c,d\n", "a \"b\" c|d@1;"},
        {"\"never closed,\nx", "never closed,\nx@2;"},
        {"\xef\xbb\xbf\"time\",x\n", "time|x@1;"},
        {"a,\xef\xbb\xbf\n\xef\xbb\xbf\n", "a|\xef\xbb\xbf@1;\xef\xbb\xbf@2;"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        cr_assert_str_eq(rows_of(cases[k].text, mem), cases[k].rows, "case %zu: %s", k,
                         rows_of(cases[k].text, mem));
    arena_free(mem);
}

/* Random fields written with quotes wherever they may stand come back as they were. */
Test(csv_reader, what_is_quoted_comes_back)
{
    static const char letters[] = "ab,\"\n\r ";
    Arena *mem = arena_new();
    for (unsigned seed = 0; seed < 300; seed++) {
        srand(seed);
        char field[6][12], text[400];
        size_t n = 0;
        for (int k = 0; k < 6; k++) {
            int size = rand() % 11;
            text[n++] = '"';
            for (int i = 0; i < size; i++) {
                char c = letters[(size_t)rand() % (sizeof letters - 1)];
                field[k][i] = c;
                text[n++] = c;
                if (c == '"')
                    text[n++] = c;
            }
            field[k][size] = 0;
            text[n++] = '"';
            text[n++] = k == 5 ? '\n' : ',';
        }
        char path[32];
        write_file(path, text, n);
        CsvReader csv;
        cr_assert(csv_reader_open(&csv, path, mem));
        cr_assert(csv_reader_next(&csv));
        cr_assert_eq(csv.n, 6, "seed %u", seed);
        for (uint32_t k = 0; k < 6; k++)
            cr_assert_str_eq(csv.field[k], field[k], "seed %u", seed);
        cr_assert(!csv_reader_next(&csv));
        csv_reader_close(&csv);
        remove(path);
    }
    arena_free(mem);
}

Test(csv_reader, a_number_is_the_whole_field)
{
    double x;
    cr_assert(csv_reader_number("-1.5e3", &x) && x == -1500);
    cr_assert(csv_reader_number(" 2\t", &x) && x == 2);
    cr_assert(csv_reader_number("nan", &x) && isnan(x));
    cr_assert(csv_reader_number("-inf", &x) && x == -INFINITY);
    const char *const wrong[] = {"", " ", "x", "1.5x", "1 2", "1,5"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        cr_assert(!csv_reader_number(wrong[k], &x) && isnan(x), "'%s'", wrong[k]);
}

Test(csv_reader, says_when_there_is_no_file)
{
    Arena *mem = arena_new();
    CsvReader csv;
    cr_assert(!csv_reader_open(&csv, "/dev/null/below", mem));
    arena_free(mem);
}
