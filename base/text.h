/* text.h -- growing text in an arena. */
#ifndef RUNG_BASE_TEXT_H
#define RUNG_BASE_TEXT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Text {
    Arena *mem;
    char *at; /* ends with 0 once something was put */
    size_t n, cap;
} Text;

Text text_new(Arena *mem);
void text_put(Text *t, const char *s);
void text_put_n(Text *t, const char *s, size_t n);
void text_printf(Text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_put_base64(Text *t, const void *bytes, size_t n); /* RFC 4648, one line, padded */
/* The fewest digits with which printf("%.*g") writes a finite value that reads back; 17 at most. */
int text_digits(double value);
void text_clear(Text *t); /* keeps the memory */
bool text_ends_with(const char *s, const char *end);

#endif
