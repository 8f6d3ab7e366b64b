/* transport.h -- messages of the language server protocol over two file descriptors: a header with
 * the length, then JSON (LSP 3.17, "Base Protocol").
 */
#ifndef RUNG_LANGUAGE_SERVER_TRANSPORT_H
#define RUNG_LANGUAGE_SERVER_TRANSPORT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Transport {
    int in, out;
    char *bytes; /* read and not yet understood: n of them */
    size_t n, cap;
} Transport;

/* Waits for bytes and appends them; false at the end of the input. */
bool transport_read(Transport *t);
/* The next whole message, which the caller deletes; NULL if there is none yet. Bytes that are no
 * JSON are left out. */
cJSON *transport_next(Transport *t);
/* False if the other side is gone. */
bool transport_send(Transport *t, const char *json, size_t n);
void transport_free(Transport *t);

#endif
