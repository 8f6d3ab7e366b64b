/* class_page.h -- the page of one class. */
#ifndef RUNG_DOC_PAGES_CLASS_PAGE_H
#define RUNG_DOC_PAGES_CLASS_PAGE_H

#include "doc_pages/catalogue.h"
#include "doc_pages/info.h"
#include "doc_pages/layer.h"

/* Writes pages for one folder of pages. */
typedef struct PageWriter {
    Catalogue *catalogue;
    Arena *mem;        /* of one page */
    const char *title; /* of all pages */
    const char *root;  /* from the page to the folder: "../" or "" */
    const LayerContext *layers;
    const InfoLinks *links;
} PageWriter;

/* From <!DOCTYPE html> to the path of the page in the header, which the caller writes, and from
 * there to the search field. */
void page_begin(const PageWriter *w, const char *title, Text *out);
void page_body(Text *out);
void page_end(Text *out);
/* Rows of a table: icons, names and descriptions of classes. */
void page_classes(const PageWriter *w, const DocClasses *list, bool full_names, Text *out);
/* A link to the class's page with `text`; the text alone if x is NULL. */
void page_link(const PageWriter *w, const DocClass *x, const char *text, Text *out);

void class_page(const PageWriter *w, DocClass *x, bool *has_diagram, Text *out);

#endif
