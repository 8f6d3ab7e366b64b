/* xml_file.h -- an XML file as a tree of libxml2 whose elements know their place in the text. */
#ifndef RUNG_IMPORT_XML_FILE_H
#define RUNG_IMPORT_XML_FILE_H

#include "base/diag.h"

#include <libxml/tree.h>
#include <stdbool.h>

typedef struct XmlFile {
    Diags *d;
    Arena *mem;
    uint32_t file; /* its number in d */
    xmlDoc *doc;
} XmlFile;

/* False after an error (P10, or I01: the file is no XML) in d. Entities are not expanded, and
 * nothing is read from elsewhere. */
bool xml_open(XmlFile *f, const char *path, Arena *mem, Diags *d);
/* The same of a text in mem; `name` stands in messages. */
bool xml_open_text(XmlFile *f, const char *name, const char *text, size_t n, Arena *mem, Diags *d);
void xml_close(XmlFile *f);

/* The start tag. */
Span xml_span(const XmlFile *f, const xmlNode *e);
bool xml_is(const xmlNode *e, const char *name);
/* The first child element of that name, or any (NULL); the next of them behind e. NULL: none. */
xmlNode *xml_child(const xmlNode *e, const char *name);
xmlNode *xml_next(const xmlNode *e, const char *name);

/* The attribute's text in mem, control characters as blanks; NULL where it is missing. */
const char *xml_text(const XmlFile *f, const xmlNode *e, const char *name);
/* The same, but an error (I02) where it is missing or empty. */
const char *xml_need(const XmlFile *f, const xmlNode *e, const char *name);
/* Reads n finite numbers apart by white space; true and v unchanged where the attribute is missing,
 * false after an error (I03) where it has another form. */
bool xml_numbers(const XmlFile *f, const xmlNode *e, const char *name, int n, double *v);

#endif
