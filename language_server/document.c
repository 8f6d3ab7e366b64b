#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "language_server/document.h"

#include "base/bug.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *owned(void *p)
{
    if (!p)
        bug("out of memory");
    return p;
}

Document *document_open(Documents *all, const char *uri, const char *text, long version)
{
    Document *d = document_find(all, uri);
    if (!d) {
        d = owned(calloc(1, sizeof *d));
        d->uri = owned(strdup(uri));
        d->path = path_of_uri(uri);
        d->next = all->first;
        all->first = d;
    }
    free(d->text);
    d->text = owned(strdup(text));
    d->size = (uint32_t)strlen(text);
    d->version = version;
    return d;
}

Document *document_find(Documents *all, const char *uri)
{
    for (Document *d = all->first; d; d = d->next)
        if (strcmp(d->uri, uri) == 0)
            return d;
    return NULL;
}

void document_close(Documents *all, Document *d)
{
    for (Document **at = &all->first; *at; at = &(*at)->next)
        if (*at == d) {
            *at = d->next;
            break;
        }
    free(d->uri);
    free(d->path);
    free(d->text);
    free(d);
}

void document_replace(Document *d, uint32_t begin, uint32_t end, const char *text)
{
    size_t n = strlen(text), rest = d->size - end;
    char *all = owned(malloc(begin + n + rest + 1));
    memcpy(all, d->text, begin);
    memcpy(all + begin, text, n);
    memcpy(all + begin + n, d->text + end, rest + 1);
    free(d->text);
    d->text = all;
    d->size = (uint32_t)(begin + n + rest);
}

/* ---- Positions --------------------------------------------------------------------------- */

/* Columns that the byte adds: characters beyond the basic plane are two units of UTF-16. */
static uint32_t columns(unsigned char c, bool utf8)
{
    return utf8 ? 1 : (c & 0xC0) == 0x80 ? 0 : c >= 0xF0 ? 2 : 1;
}

static bool is_inside(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

bool document_is_in_file(const Document *d)
{
    FILE *f = fopen(d->path, "rb");
    if (!f)
        return false;
    uint32_t k = 0;
    int c;
    while ((c = getc(f)) != EOF && k < d->size && (unsigned char)d->text[k] == c)
        k++;
    fclose(f);
    return c == EOF && k == d->size;
}

uint32_t position_offset(const char *text, uint32_t size, Position p, bool utf8)
{
    uint32_t k = 0;
    for (uint32_t line = 0; line < p.line; line++) {
        const char *end = memchr(text + k, '\n', size - k);
        if (!end)
            return size;
        k = (uint32_t)(end - text) + 1;
    }
    for (uint32_t column = 0; k < size && text[k] != '\n' && column < p.column; k++)
        column += columns((unsigned char)text[k], utf8);
    while (k < size && is_inside((unsigned char)text[k]))
        k++;
    return k > 0 && k < size && text[k] == '\n' && text[k - 1] == '\r' ? k - 1 : k;
}

Lines lines_of(const char *text, uint32_t size, bool utf8, Arena *mem)
{
    Lines l = {.text = text, .size = size, .utf8 = utf8, .n = 1};
    for (uint32_t k = 0; k < size; k++)
        l.n += text[k] == '\n';
    l.begin = arena_array(mem, uint32_t, l.n);
    uint32_t line = 0;
    for (uint32_t k = 0; k < size; k++)
        if (text[k] == '\n')
            l.begin[++line] = k + 1;
    return l;
}

Position lines_position(const Lines *l, uint32_t offset)
{
    uint32_t low = 0, high = l->n; /* the line is in [low, high) */
    offset = offset < l->size ? offset : l->size;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (l->begin[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    Position p = {low, 0};
    for (uint32_t k = l->begin[low]; k < offset; k++)
        p.column += columns((unsigned char)l->text[k], l->utf8);
    return p;
}

/* ---- Names of files ---------------------------------------------------------------------- */

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *path_of_uri(const char *uri)
{
    static const char scheme[] = "file://";
    char *path = owned(strdup(uri));
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return path;
    const char *at = strchr(uri + sizeof scheme - 1, '/'); /* behind a host */
    char *to = path;
    for (at = at ? at : uri + sizeof scheme - 1; *at; at++) {
        int high = *at == '%' ? digit_of(at[1]) : -1, low = high >= 0 ? digit_of(at[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *at;
        at += low >= 0 ? 2 : 0;
    }
    *to = 0;
    return path;
}

void put_uri(Text *out, const char *path)
{
    char *full = realpath(path, NULL);
    text_put(out, "file://");
    for (const char *at = full ? full : path; *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= '0' && *at <= '9') || strchr("/-._~", *at);
        if (plain)
            text_put_n(out, at, 1);
        else
            text_printf(out, "%%%02X", (unsigned char)*at);
    }
    free(full);
}

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
