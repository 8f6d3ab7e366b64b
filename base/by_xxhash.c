#include "base/digest.h"

#define XXH_INLINE_ALL // nothing to link
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct Digester {
    XXH3_state_t *state;
};

static void *enough(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

Digester *digester_new(void)
{
    Digester *d = enough(malloc(sizeof *d));
    d->state = enough(XXH3_createState());
    XXH3_128bits_reset(d->state);
    return d;
}

void digester_add(Digester *d, const void *piece, size_t size)
{
    const uint64_t length = size;
    XXH3_128bits_update(d->state, &length, sizeof length);
    XXH3_128bits_update(d->state, piece, size);
}

void digester_text(Digester *d, const char *text)
{
    digester_add(d, text ? text : "", text ? strlen(text) + 1 : 0);
}

static Digest from(XXH128_hash_t h)
{
    return (Digest){h.high64, h.low64};
}

Digest digester_end(Digester *d)
{
    Digest out = from(XXH3_128bits_digest(d->state));
    XXH3_freeState(d->state);
    free(d);
    return out;
}

Digest digest_of(const void *bytes, size_t size)
{
    return from(XXH3_128bits(bytes, size));
}

bool digest_file(const char *path, Digest *out)
{
    int f = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    bool ok = f >= 0 && !fstat(f, &st);
    if (ok && !S_ISREG(st.st_mode)) {
        errno = EINVAL;
        ok = false;
    }
    size_t size = ok ? (size_t)st.st_size : 0;
    void *bytes = ok && size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, f, 0) : NULL;
    ok = ok && bytes != MAP_FAILED;
    int why = errno;
    if (ok)
        *out = digest_of(bytes, size);
    if (bytes && bytes != MAP_FAILED)
        munmap(bytes, size);
    if (f >= 0)
        close(f);
    errno = why;
    return ok;
}

bool digest_same(Digest a, Digest b)
{
    return a.high == b.high && a.low == b.low;
}

void digest_print(Digest d, char text[DIGEST_TEXT])
{
    snprintf(text, DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64, d.high, d.low);
}

bool digest_scan(const char *text, Digest *out)
{
    return strlen(text) == DIGEST_TEXT - 1 && strspn(text, "0123456789abcdef") == DIGEST_TEXT - 1 &&
           sscanf(text, "%16" SCNx64 "%16" SCNx64, &out->high, &out->low) == 2;
}
