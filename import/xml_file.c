/* xml_file.c -- libxml2 with places: its parser calls our function at each start tag, which notes
 * how much of the text was read. */
#include "import/xml_file.h"

#include "frontend/syntax/source.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parser stands behind the attributes of e. */
static void note_place(void *parser, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                       int n_namespaces, const xmlChar **namespaces, int n_attributes,
                       int n_defaulted, const xmlChar **attributes)
{
    xmlParserCtxt *p = parser;
    xmlSAX2StartElementNs(parser, name, prefix, uri, n_namespaces, namespaces, n_attributes,
                          n_defaulted, attributes);
    long at = xmlByteConsumed(p);
    if (p->node && at > 0)
        p->node->_private = (void *)(uintptr_t)at;
}

static Span span_at(const XmlFile *f, uint32_t end)
{
    const Source *s = diags_source(f->d, f->file);
    end = end < s->size ? end : s->size;
    uint32_t begin = end;
    // no attribute holds a '<' (XML 1.0, 2.3)
    while (begin > 0 && s->text[begin] != '<')
        begin--;
    return (Span){f->file, begin, end > begin ? end : begin + 1};
}

Span xml_span(const XmlFile *f, const xmlNode *e)
{
    return span_at(f, (uint32_t)(uintptr_t)e->_private);
}

static Span span_of_error(const XmlFile *f, const xmlError *e)
{
    const Source *s = diags_source(f->d, f->file);
    uint32_t at = 0;
    for (int line = 1; line < e->line && at < s->size; at++)
        line += s->text[at] == '\n';
    for (int k = 1; k < e->int2 && at < s->size && s->text[at] != '\n'; k++)
        at++;
    return (Span){f->file, at, at < s->size ? at + 1 : at};
}

/* The registered text. */
static bool parse(XmlFile *f, const char *path)
{
    Diags *d = f->d;
    const Source *s = diags_source(d, f->file);
    xmlParserCtxt *p = xmlNewParserCtxt();
    if (!p) {
        diag_error(d, SPAN_NONE, "I01", "out of memory");
        return false;
    }
    p->sax->startElementNs = note_place;
    f->doc = xmlCtxtReadMemory(p, s->text, (int)s->size, path, NULL,
                               XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (!f->doc) {
        const xmlError *e = xmlCtxtGetLastError(p);
        const char *text = e && e->message ? e->message : "unknown error";
        diag_error(d, e ? span_of_error(f, e) : SPAN_NONE, "I01", "not XML: %.*s",
                   (int)strcspn(text, "\n"), text);
    }
    xmlFreeParserCtxt(p);
    return f->doc != NULL;
}

bool xml_open(XmlFile *f, const char *path, Arena *mem, Diags *d)
{
    *f = (XmlFile){.d = d, .mem = mem, .file = source_read(mem, d, path)};
    return f->file && parse(f, path);
}

bool xml_open_text(XmlFile *f, const char *name, const char *text, size_t n, Arena *mem, Diags *d)
{
    *f = (XmlFile){.d = d, .mem = mem, .file = diags_add_source(d, name, text, (uint32_t)n)};
    return parse(f, name);
}

void xml_close(XmlFile *f)
{
    xmlFreeDoc(f->doc);
    f->doc = NULL;
}

bool xml_is(const xmlNode *e, const char *name)
{
    return e && e->type == XML_ELEMENT_NODE && (!name || strcmp((const char *)e->name, name) == 0);
}

static xmlNode *from(xmlNode *e, const char *name)
{
    while (e && !xml_is(e, name))
        e = e->next;
    return e;
}

xmlNode *xml_child(const xmlNode *e, const char *name)
{
    return e ? from(e->children, name) : NULL;
}

xmlNode *xml_next(const xmlNode *e, const char *name)
{
    return from(e->next, name);
}

const char *xml_text(const XmlFile *f, const xmlNode *e, const char *name)
{
    xmlChar *text = e ? xmlGetNoNsProp(e, (const xmlChar *)name) : NULL;
    char *copy = text ? arena_copy(f->mem, (const char *)text, strlen((const char *)text)) : NULL;
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    xmlFree(text);
    return copy;
}

const char *xml_need(const XmlFile *f, const xmlNode *e, const char *name)
{
    const char *text = xml_text(f, e, name);
    if (text && *text)
        return text;
    diag_error(f->d, xml_span(f, e), "I02", "<%s> without %s", (const char *)e->name, name);
    return NULL;
}

bool xml_numbers(const XmlFile *f, const xmlNode *e, const char *name, int n, double *v)
{
    const char *text = xml_text(f, e, name);
    if (!text)
        return true;
    double read[16];
    const char *at = text;
    int k = 0;
    for (char *end; k < n && k < 16; k++, at = end) {
        read[k] = strtod(at, &end);
        // strtod knows hexadecimal numbers and nan, which are none in XML Schema's double but for
        // NaN
        if (end == at || !isfinite(read[k]) || memchr(at, 'x', (size_t)(end - at)))
            break;
    }
    if (k < n || at[strspn(at, " \t\r\n")]) {
        diag_error(f->d, xml_span(f, e), "I03", "%s of <%s> should be %s, not '%s'", name,
                   (const char *)e->name,
                   n == 1 ? "a number" : arena_printf(f->mem, "%d numbers", n), text);
        return false;
    }
    memcpy(v, read, (size_t)n * sizeof *v);
    return true;
}
