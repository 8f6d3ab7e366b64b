/* dependency.h -- the files and directories that a result depends on, to decide later whether it is
 * still valid.
 *
 *     Dependencies d = dependencies_new(mem);
 *     dependencies_add(&d, DEPENDS_ON_BYTES, "a.mo");    before it is read: a file that changes
 *     ...                                                meanwhile is then seen to have changed
 *     dependencies_print(&d, &text);                     one line each
 *     bool same = dependencies_hold(text);               in another process
 */
#ifndef RUNG_BASE_DEPENDENCY_H
#define RUNG_BASE_DEPENDENCY_H

#include "base/digest.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

typedef enum DependencyKind {
    DEPENDS_ON_BYTES, /* of a file, or that it cannot be read               */
    DEPENDS_ON_KIND,  /* whether it is a file, a directory or nothing       */
    DEPENDS_ON_NAMES, /* in a directory                                     */
    DEPENDS_ON_TREE,  /* all files below a directory, names and bytes: a few thousand at most */
    DEPENDENCY_KINDS
} DependencyKind;

typedef struct Dependency {
    DependencyKind kind;
    const char *path;
    Digest digest;
    bool is_known; /* false: too many files; never holds */
} Dependency;

typedef struct Dependencies {
    Arena *mem;
    VEC(Dependency) list;
    Map index[DEPENDENCY_KINDS]; /* digest of a path -> list */
} Dependencies;

Dependencies dependencies_new(Arena *mem);
/* Once for each kind and path; d NULL: nothing. */
void dependencies_add(Dependencies *d, DependencyKind kind, const char *path);
/* Whether all of them are known. */
bool dependencies_known(const Dependencies *d);

void dependencies_print(const Dependencies *d, Text *out);
/* Whether each line still holds. Stops at the first that does not, or is malformed. */
bool dependencies_hold(const char *lines);

#endif
