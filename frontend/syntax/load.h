/* load.h -- where classes come from: the user's files and the library roots (MLS 13).
 *
 * A top-level class A is looked for in the files given by the user, then in each root in
 * order as A/package.mo, A.mo, "A 1.2.3/package.mo" or "A 1.2.3.mo" (the highest version); the
 * first root wins. A structured package (a directory with package.mo) is loaded one file
 * at a time, when a member is asked for. Every file is read once at most; parse errors go
 * to Diags when it happens.
 */
#ifndef RUNG_FRONTEND_SYNTAX_LOAD_H
#define RUNG_FRONTEND_SYNTAX_LOAD_H

#include "base/dependency.h"
#include "base/vec.h"
#include "frontend/syntax/syntax.h"

#include <stdio.h>

typedef struct Library Library;
typedef VEC(Name) LibraryNames;

/* Everything loaded lives in mem. */
Library *library_new(Arena *mem, Names *names, Diags *d);
/* Records in `to` each file and directory that is read from now on; NULL ends the recording. */
void library_record(Library *l, Dependencies *to);

/* One directory, or several separated by ':' as in MODELICAPATH. */
void library_add_root(Library *l, const char *path);
/* A file of the user, or a directory that is a structured package. Its top-level classes
 * come before those of the roots; a file with `within A.B` becomes a member of A.B. False
 * (with a diagnostic) when it cannot be read or parsed. */
bool library_add_file(Library *l, const char *path);
bool library_add_text(Library *l, const char *path, const char *text); /* kept, not copied */

/* The classes of the user's files in the order given: rung's default model is the last. */
uint32_t library_n_files(const Library *l);
const SynFile *library_file(const Library *l, uint32_t k);

/* NULL when there is none: no diagnostic, since the caller knows the place. */
SynClass *library_find_top(Library *l, Name name);
/* Appends the names of classes at the top: of the files, and of files that the roots hold, which
 * are not read. A name may be there twice. */
void library_top_names(Library *l, LibraryNames *out);
/* Advice for an error message when no library of that name is found, in mem. */
const char *library_missing(Name top, Arena *mem);
/* The member that the text of c or its directory declares; not inherited, not imported. */
SynElement *library_member(Library *l, SynClass *c, Name name);
/* The names in the directory of a structured package in package.order (then by name), for
 * `import A.*` and for walks over everything. Loads nothing. */
const Name *library_entries(Library *l, SynClass *c, uint32_t *n);
/* A.B.C from the top by members alone. NULL when there is none. */
SynClass *library_find_path(Library *l, const SynPath *path);

/* `rung parse`: reads all .mo files under the paths (files or directories) and counts; with
 * round_trip it also prints each tree, parses that and compares (P15 when they differ). Errors are
 * in d. Texts live in mem, trees only while their file is processed. */
typedef struct ParseReport {
    uint64_t lines, bytes, classes;
    uint32_t files, errors;
    double seconds; /* for the parser alone */
} ParseReport;

ParseReport parse_report(Arena *mem, Diags *d, char *const *path, int n_paths, bool round_trip);

#endif
