/* document.h -- texts that are open in the editor, as it has them.
 *
 * Places are bytes here and lines with columns there, both from 0; columns count units of UTF-16,
 * or bytes if both sides agreed on UTF-8. A place beyond the end of its line is that end.
 */
#ifndef RUNG_LANGUAGE_SERVER_DOCUMENT_H
#define RUNG_LANGUAGE_SERVER_DOCUMENT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Position {
    uint32_t line, column;
} Position;

typedef struct Document {
    char *uri, *path; /* path: of a file, or the URI                  */
    char *text;       /* size bytes and a 0                           */
    uint32_t size;
    long version;
    bool is_saved;   /* as it is: its models are checked as a whole   */
    bool is_checked; /* its classes have been checked since a change  */
    double check_at; /* else: when they shall be, by clock_now        */
    struct Document *next;
} Document;

typedef struct Documents {
    Document *first;
    bool utf8; /* columns count bytes */
} Documents;

Document *document_open(Documents *all, const char *uri, const char *text, long version);
Document *document_find(Documents *all, const char *uri); /* or NULL */
void document_close(Documents *all, Document *d);
bool document_is_in_file(const Document *d); /* its file has the same text */
/* Replaces bytes [begin, end). */
void document_replace(Document *d, uint32_t begin, uint32_t end, const char *text);

uint32_t position_offset(const char *text, uint32_t size, Position p, bool utf8);

/* Where lines begin, for many positions in one text. */
typedef struct Lines {
    const char *text;
    uint32_t size;
    bool utf8;
    uint32_t n, *begin;
} Lines;

Lines lines_of(const char *text, uint32_t size, bool utf8, Arena *mem);
Position lines_position(const Lines *l, uint32_t offset);

/* file:///a%20b to /a b and back; a path from another scheme is the URI itself. */
char *path_of_uri(const char *uri); /* the caller frees it */
void put_uri(Text *out, const char *path);

double clock_now(void);

#endif
