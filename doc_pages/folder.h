/* folder.h -- a folder of files that is there whole or not at all.
 *
 * Files are written to .NAME.PID.part beside it, which is renamed at the end. A folder of that name
 * that is there already is replaced if it is empty or holds no other files than those that its file
 * rung-doc.txt lists, which were written by an earlier run; else nothing is written,
 * nor where it is the working folder or around it.
 */
#ifndef RUNG_DOC_PAGES_FOLDER_H
#define RUNG_DOC_PAGES_FOLDER_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct Folder {
    Arena *mem;
    const char *path, *part;
    Texts files, folders; /* written, relative */
    bool exists;
    Texts old_files, old_folders; /* of an earlier run */
} Folder;

/* These print errors to stderr, and are false then. */
bool folder_open(Folder *f, const char *path, Arena *mem);
/* name: relative; the folder in front of its last part is made. */
bool folder_put(Folder *f, const char *name, const void *bytes, size_t n);
bool folder_copy(Folder *f, const char *name, const char *from);
bool folder_close(Folder *f);
void folder_discard(Folder *f);

#endif
