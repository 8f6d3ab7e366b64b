/* cursor.h -- where the cursor is: the tokens around it, the names in front of it, the class.
 *
 * Text that is being written: classes that are still open at its end are closed, so that they are
 * in the tree.
 */
#ifndef RUNG_LANGUAGE_SERVER_CURSOR_H
#define RUNG_LANGUAGE_SERVER_CURSOR_H

#include "format/token_list.h"
#include "language_server/analysis.h"
#include "language_server/phrase.h"

typedef VEC(Name) NameList;

typedef struct Cursor {
    const Analysis *a;
    Compilation *c;
    const SynFile *tree;
    const char *text;
    TokenList list;
    Phrases phrases;
    uint32_t at; /* the byte of the position */
} Cursor;

Cursor cursor_open(const Analysis *a);
/* In another file of the same compilation. */
Cursor cursor_in(const Analysis *a, Compilation *c, const SynFile *tree);
static inline const SourceToken *cursor_token(const Cursor *p, uint32_t k)
{
    return &p->list.token.at[k];
}
/* a.b[1].c that ends with the name, or the subscripts, at token k: its names, the first one first;
 * none if there is no name. */
NameList cursor_names(const Cursor *p, uint32_t k);
/* The first and the last name of a.b.c around token k, without those behind subscripts. */
uint32_t cursor_first(const Cursor *p, uint32_t k);
uint32_t cursor_last(const Cursor *p, uint32_t k);
/* The bracket around token k that is open there; UINT32_MAX if there is none in its phrase. */
uint32_t cursor_bracket(const Cursor *p, uint32_t k);
/* Is that parenthesis of a modification, of an annotation too; else it is of a call. */
bool cursor_is_modification(const Cursor *p, uint32_t parenthesis);
/* The names whose arguments token k stands among, the outermost first: x, phi of start in
 * x(phi(start = 1)), f of u in f(u = 2). by_type: the type of x instead of x, which may be part of
 * a declaration that is being written. */
NameList cursor_heads(const Cursor *p, uint32_t k, bool by_type);
/* The class around byte `at`, by its full name; empty outside of all. The name of a class itself is
 * outside of it. */
SynPath cursor_class(const Cursor *p, uint32_t at);

#endif
