#include "base/spelling.h"

#include <ctype.h>
#include <string.h>

/* Edit distance of short names but for the case of letters, given up beyond 2. */
static uint32_t distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t n = strlen(a);
    size_t m = strlen(b);
    if (n > LONGEST || m > LONGEST || n > m + 2 || m > n + 2)
        return 3;
    uint32_t row[LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        row[j] = (uint32_t)j;
    for (size_t i = 1; i <= n; i++) {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= m; j++) {
            uint32_t best =
                diagonal +
                (tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[m];
}

Spelling spelling_of(const char *name)
{
    size_t n = strlen(name);
    /* a short name is near to every other */
    return (Spelling){name, NULL, n <= 1 ? 1 : n <= 3 ? 2 : 3};
}

void spelling_try(Spelling *s, const char *candidate)
{
    uint32_t d = distance(s->name, candidate);
    if (d < s->distance) {
        s->distance = d;
        s->nearest = candidate;
    }
}
