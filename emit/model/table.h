/* table.h -- tables of a generated model, compressed by their repetitions
 * (runtime/kernel/rung_table.h).
 *
 * A table is an array that the generated model fills when it is loaded; the emitted text grows with
 * the number of different rows, not with the length. Rows with equal tokens differ in numbers only;
 * where the same rows follow each other again and again, their numbers mostly advance by constants.
 */
#ifndef RUNG_EMIT_MODEL_TABLE_H
#define RUNG_EMIT_MODEL_TABLE_H

#include "base/map.h"
#include "emit/code/quote.h"
#include "emit/code/repeat.h"

#include <stdint.h>

typedef struct KnownPattern {
    const char *text;
    size_t n;
    uint32_t place;
} KnownPattern;

typedef struct Tables {
    Arena *mem;
    Text *out;    /* declarations            */
    Text fill;    /* statements that fill    */
    Text pattern; /* of texts                */
    VEC(KnownPattern) known;
    Map pattern_of; /* by shape              */
    size_t end;     /* of the patterns so far */
    uint32_t n;     /* sequences             */
    VEC(double) value;
    Map value_of; /* bits -> its place in value */
} Tables;

Tables tables_new(Text *out, Arena *mem);
/* Declares the patterns that the tables share and the function `name` that fills them all, once. */
void tables_done(Tables *t, const char *name);

/* The stretches of rows that recur. */
Repeats table_repeats(uint32_t n, const uint64_t *token, Arena *mem);
/* The stretches of numbers whose differences recur. */
Repeats table_steady(uint32_t n, const uint32_t *value, Arena *mem);

/* The place of row k: the lvalue `to` is that of row 0, the next one is `step` bytes further (both
 * are C expressions). */
typedef struct TableColumn {
    const char *to, *step;
    uint32_t n;
    const Repeats *repeats;
} TableColumn;

void table_numbers(Tables *t, TableColumn to, const uint32_t *value);
void table_values(Tables *t, TableColumn to, const double *value);

/* A text as a pattern and the numbers for its marks: subscripts, [12,3]. */
typedef struct Pattern {
    uint32_t place, n;
    uint32_t first; /* of its numbers */
} Pattern;
typedef struct Patterns {
    VEC(Pattern) at;
    VEC(uint32_t) number;
    size_t size, marked; /* of all texts with their ends; of those with numbers */
} Patterns;

uint64_t table_shape(const char *text); /* equal for texts of one pattern */
/* Adds a text and returns its shape. A text longer than the string literals that C11 guarantees is
 * cut.
 */
uint64_t table_text(Tables *t, Patterns *p, const char *text);
/* is_offset: uint32_t offsets from the first of the texts, else pointers. `buffer` is the name of
 * the array that gets the texts. */
void table_texts(Tables *t, TableColumn to, const Patterns *p, const char *buffer, bool is_offset);

/* Arrays of their own, each with one element at least: static uint32_t NAME[n], double NAME[n],
 * const char *NAME[n]. Where `repeats` is NULL, that of the numbers' differences, or the texts'. */
void table_indices(Tables *t, const char *name, uint32_t n, const uint32_t *value,
                   const Repeats *repeats);
void table_doubles(Tables *t, const char *name, uint32_t n, const double *value,
                   const Repeats *repeats);
void table_strings(Tables *t, const char *name, uint32_t n, const char *const *text,
                   const Repeats *repeats);

#endif
