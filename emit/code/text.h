/* text.h -- growing text in an arena, and what C needs quoted. */
#ifndef RUNG_EMIT_CODE_TEXT_H
#define RUNG_EMIT_CODE_TEXT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Text {
    Arena *mem;
    char *at; /* ends with 0 once something was put */
    size_t n, cap;
} Text;

Text text_new(Arena *mem);
void text_put(Text *t, const char *s);
void text_put_n(Text *t, const char *s, size_t n);
void text_printf(Text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_clear(Text *t); /* keeps the memory */

/* A C literal of type double: the fewest digits that read back as value. */
void text_number(Text *t, double value);
/* A C string literal of at most C11's guaranteed length; NULL is "". */
void text_string(Text *t, const char *s);
void text_quoted(Text *t, const char *s, size_t n); /* what stands between the quotes */
/* Comment with s inside, on one line; nothing in s can end it. */
void text_comment(Text *t, const char *s);
/* s as the text of an XML element or the value of an attribute. */
void text_xml(Text *t, const char *s);
/* Whether an identifier stands in a text. */
bool text_has_word(const char *text, const char *word);
/* An identifier made of s: letters and digits stay, anything else is '_'. */
const char *text_identifier(Arena *mem, const char *s);

#endif
