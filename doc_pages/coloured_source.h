/* coloured_source.h -- the text of a class as HTML: lines with numbers, keywords, strings and
 * comments marked, names of classes linked. Classes inside that have pages of their own are one
 * line. */
#ifndef RUNG_DOC_PAGES_COLOURED_SOURCE_H
#define RUNG_DOC_PAGES_COLOURED_SOURCE_H

#include "doc_pages/class_page.h"

void coloured_source(const PageWriter *w, const DocClass *x, Text *out);

#endif
