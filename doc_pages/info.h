/* info.h -- Documentation(info = "<html>...") (MLS 18.2) as HTML that cannot harm the page around
 * it.
 *
 * libxml2 reads it as browsers do, whatever is missing or left open. Elements and attributes of
 * text, lists, tables, links and pictures are written; scripts, styles, forms, frames and event
 * handlers are not. Text that does not begin with <html> is plain text.
 */
#ifndef RUNG_DOC_PAGES_INFO_H
#define RUNG_DOC_PAGES_INFO_H

#include "base/text.h"

#include <stdbool.h>

typedef struct InfoLinks {
    void *self;
    /* The URL of modelica://..., #anchor or a name of a file; NULL: there is none, and a link's
     * text or a picture's alternative text stays. Addresses of http, https and mailto are kept
     * without asking, pictures there become links. */
    const char *(*url)(void *self, const char *uri, bool is_picture);
    /* A place in the text that links can name; its id is written with `doc-` before it. */
    bool (*anchor)(void *self, const char *id); /* false: the id is not written */
} InfoLinks;

void info_write(const char *info, const InfoLinks *links, Arena *mem, Text *out);
/* Calls links->anchor for each place, no more. */
void info_anchors(const char *info, const InfoLinks *links, Arena *mem);

#endif
