/* name.h -- interned text: equal text, equal pointer.
 *
 * A Name carries its text, so it prints without a table; `a.s == b.s` compares.
 */
#ifndef RUNG_BASE_NAME_H
#define RUNG_BASE_NAME_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct Name {
    const char *s; /* ends with 0; NULL is "no name" */
} Name;

typedef struct Names Names;

Names *names_new(Arena *mem); /* lives in mem */
Name name_of(Names *t, const char *text);
Name name_of_n(Names *t, const char *text, size_t n);
Name name_printf(Names *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static inline bool name_same(Name a, Name b)
{
    return a.s == b.s;
}

#endif
