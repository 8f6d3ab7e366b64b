#include "language_server/transport.h"

#include "base/bug.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool transport_read(Transport *t)
{
    enum { PART = 65536 };
    if (t->cap - t->n < PART) {
        t->cap = 2 * t->cap + 2 * (size_t)PART;
        t->bytes = realloc(t->bytes, t->cap);
        if (!t->bytes)
            bug("out of memory");
    }
    ssize_t n;
    do
        n = read(t->in, t->bytes + t->n, PART);
    while (n < 0 && errno == EINTR);
    t->n += n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* Where the header ends, 0 if it does not yet; the length that it names. */
static size_t header(const char *bytes, size_t n, size_t *length)
{
    static const char name[] = "Content-Length:";
    *length = 0;
    for (size_t line = 0; line < n;) {
        const char *end = memchr(bytes + line, '\n', n - line);
        if (!end)
            return 0;
        size_t size = (size_t)(end - bytes) - line;
        if (size == 0 || (size == 1 && bytes[line] == '\r'))
            return line + size + 1;
        if (size > sizeof name - 1 && strncasecmp(bytes + line, name, sizeof name - 1) == 0)
            *length = strtoul(bytes + line + sizeof name - 1, NULL, 10);
        line += size + 1;
    }
    return 0;
}

cJSON *transport_next(Transport *t)
{
    cJSON *message = NULL;
    while (!message) {
        size_t length, begin = header(t->bytes, t->n, &length);
        if (begin == 0 || length > t->n - begin)
            return NULL;
        message = cJSON_ParseWithLength(t->bytes + begin, length);
        t->n -= begin + length;
        memmove(t->bytes, t->bytes + begin + length, t->n);
    }
    return message;
}

static bool write_all(int to, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(to, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

bool transport_send(Transport *t, const char *json, size_t n)
{
    char head[64];
    int size = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", n);
    return write_all(t->out, head, (size_t)size) && write_all(t->out, json, n);
}

void transport_free(Transport *t)
{
    free(t->bytes);
    *t = (Transport){0};
}
