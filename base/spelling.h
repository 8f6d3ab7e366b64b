/* spelling.h -- the nearest of several names to one that is not among them.
 *
 *     Spelling s = spelling_of("tolerence");
 *     spelling_try(&s, "stop"), spelling_try(&s, "tolerance");
 *     s.nearest          "tolerance"; NULL where none is near
 *
 * By edit distance without regard to the case of letters: at most two edits, one for short names.
 */
#ifndef RUNG_BASE_SPELLING_H
#define RUNG_BASE_SPELLING_H

#include <stdint.h>

typedef struct Spelling {
    const char *name, *nearest;
    uint32_t distance; /* of the nearest, or of those that are too far */
} Spelling;

Spelling spelling_of(const char *name);
void spelling_try(Spelling *s, const char *candidate);

#endif
