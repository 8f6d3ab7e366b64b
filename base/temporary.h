/* temporary.h -- folders for files of a short life, below $TMPDIR, else /tmp. */
#ifndef RUNG_BASE_TEMPORARY_H
#define RUNG_BASE_TEMPORARY_H

#include "base/arena.h"

const char *temporary_place(void); /* $TMPDIR, or /tmp */
/* Makes a folder of this user alone whose name begins with NAME-, with six letters behind that no
 * other has. NULL, with the cause in errno, if that fails; *path is its name, or the one that was
 * tried. */
const char *temporary_folder(Arena *mem, const char *name, const char **path);
/* Removes it and the files in it; a folder with folders in it stays. NULL is fine. */
void temporary_remove(const char *folder);

#endif
