/* quote.h -- numbers, strings and comments in the syntax of C and XML.
 *
 *     text_number(t, 0.1)             0.1
 *     text_number(t, INFINITY)        HUGE_VAL
 *     text_string(t, "say \"what?\"")  "say \"what\?\""
 */
#ifndef RUNG_EMIT_CODE_QUOTE_H
#define RUNG_EMIT_CODE_QUOTE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* A C literal of type double: the fewest digits that read back as value. */
void text_number(Text *t, double value);
/* A C string literal of at most C11's guaranteed length; NULL is "". */
void text_string(Text *t, const char *s);
void text_quoted(Text *t, const char *s, size_t n); /* the text between the quotes */
/* Comment with s inside, on one line; nothing in s can end it. */
void text_comment(Text *t, const char *s);
/* s as the text of an XML element or the value of an attribute. */
void text_xml(Text *t, const char *s);
/* Whether an identifier stands in a text. */
bool text_has_word(const char *text, const char *word);
/* An identifier made of s: letters and digits stay, anything else is '_'. */
const char *text_identifier(Arena *mem, const char *s);

#endif
