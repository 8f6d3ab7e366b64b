/* csv_reader.h -- reads comma-separated values (RFC 4180) row by row, in one pass and the memory of
 * a row.
 *
 *     CsvReader csv;
 *     if (!csv_reader_open(&csv, "x.csv", mem)) ...      errno says why
 *     while (csv_reader_next(&csv))                      "t","a ""b"", c"
 *         use(csv.field, csv.n);                  two fields, the second: a "b", c
 *     csv_reader_close(&csv);
 *
 * Fields stand in double quotes or not; a quoted one may hold commas and line ends. Line ends are
 * of either kind, a byte order mark and empty lines are passed over.
 */
#ifndef RUNG_BASE_CSV_READER_H
#define RUNG_BASE_CSV_READER_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct CsvReader {
    char **field; /* of the row read last, n of them, until the next one is read */
    uint32_t n;
    uint32_t line;    /* at which the row ends                                  */
    uint32_t *column; /* of the character where each field begins, from 1 on    */
    bool *is_quoted;  /* each field                                             */

    FILE *file;
    Arena *mem;
    VEC(char) text;       /* of the row, a 0 behind each field */
    VEC(uint32_t) begins; /* the fields in it                  */
    VEC(uint32_t) places; /* column                            */
    VEC(bool) quotes;     /* is_quoted                         */
    uint32_t cap;         /* of field                          */
} CsvReader;

bool csv_reader_open(CsvReader *csv, const char *path, Arena *mem);
bool csv_reader_next(CsvReader *csv); /* false at the end of the file */
void csv_reader_close(CsvReader *csv);

/* Whether the whole field is a number, apart from spaces around it; *value is the number, else
 * NAN. */
bool csv_reader_number(const char *field, double *value);

#endif
