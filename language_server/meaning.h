/* meaning.h -- the declaration that the name at a token means: one resolution for all answers. */
#ifndef RUNG_LANGUAGE_SERVER_MEANING_H
#define RUNG_LANGUAGE_SERVER_MEANING_H

#include "frontend/instantiate/declaration.h"
#include "language_server/cursor.h"

typedef struct Meaning {
    Declaration declaration; /* empty for an iterator                            */
    Span name;               /* in the declaration; file 0 for predefined names  */
    Span iterator;           /* with its range; empty if it is none              */
} Meaning;

/* The token of the name at the position; UINT32_MAX if there is none. */
uint32_t cursor_name(const Cursor *p);
bool meaning_of(const Cursor *p, uint32_t k, Meaning *out);
/* Is it an element of a value whose type is not looked up: f(x).a, or i.a of an iterator i. */
bool meaning_is_of_value(const Cursor *p, uint32_t k);
/* The declaration without redeclarations of it: all names of one element have the same. */
Span meaning_origin(const Meaning *m);

#endif
