/* references.h -- all names that mean the declaration of one, in the open documents and the files
 * around them.
 *
 * Files are those of the package that an open document belongs to; else those of its folder and of
 * the packages there. Each name is looked up (meaning.h); those of classes that another file of the
 * same names hides are none.
 */
#ifndef RUNG_LANGUAGE_SERVER_REFERENCES_H
#define RUNG_LANGUAGE_SERVER_REFERENCES_H

#include "language_server/meaning.h"

typedef struct Target {
    const char *path; /* of the file of its declaration */
    Span name;
    Name word;
    Declaration declaration;
    bool is_iterator;
} Target;

typedef struct Occurrence {
    uint32_t file, token;
} Occurrence;

typedef struct SearchedFile {
    Cursor cursor;
    const char *path;
    bool *hidden; /* of each class of the file */
} SearchedFile;

typedef struct Search {
    const Analysis *a;
    Compilation *c;
    Target target;
    const char *word; /* at the position: the target's, or another one by import */
    VEC(SearchedFile) file;
    VEC(Occurrence) found;
} Search;

/* False if the name at the position is not declared in any text. other: a second word whose files
 * are wanted, or NULL. */
bool search_open(Search *s, const Analysis *a, const char *other);
/* Fills found; with names by import. */
void search_run(Search *s, bool with_aliases);
bool search_is_target(const Search *s, const Meaning *m);
/* Is token k of a class that another file hides. */
bool search_is_hidden(const SearchedFile *f, uint32_t k);
bool search_token_is(const SearchedFile *f, uint32_t k, const char *word);
/* The file of the declaration; NULL if it is none of those searched. */
const SearchedFile *search_home(const Search *s);
Lines search_lines(const Search *s, const SearchedFile *f);

#endif
