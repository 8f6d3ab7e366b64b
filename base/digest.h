/* digest.h -- 128 bits that stand for bytes: equal digests, equal bytes (XXH3, by libxxhash). Not
 * against someone who looks for two texts with one digest.
 */
#ifndef RUNG_BASE_DIGEST_H
#define RUNG_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Digest {
    uint64_t high, low;
} Digest;

enum { DIGEST_TEXT = 33 }; /* of a digest in hexadecimal digits, with the 0 */

/* A digest of several pieces, one after the other, with their lengths, so that ("ab", "c") differs
 * from ("a", "bc"). */
typedef struct Digester Digester;
Digester *digester_new(void);
void digester_add(Digester *d, const void *piece, size_t size);
void digester_text(Digester *d, const char *text); /* NULL is none, other than "" */
Digest digester_end(Digester *d);                  /* frees it */

Digest digest_of(const void *bytes, size_t size);
/* The digest of a file's bytes; false with errno set if it cannot be read, or is no regular
 * file. */
bool digest_file(const char *path, Digest *out);

bool digest_same(Digest a, Digest b);
void digest_print(Digest d, char text[DIGEST_TEXT]);
bool digest_scan(const char *text, Digest *out);

#endif
