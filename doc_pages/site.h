/* site.h -- an HTML reference of classes: the pages of a folder.
 *
 *     index.html          the classes at the top, all packages
 *     classes/NAME.html   one page for each class (names: catalogue.h)
 *     icons/NAME.svg      icons of classes that draw one
 *     files/...           pictures and papers that documentation refers to (modelica://Library/...)
 *     search_index.js     names, descriptions and members, read when somebody searches
 *     search.js, style.css
 *     rung-doc.txt        the list of these files (folder.h)
 *
 * Same input, same bytes. The pages open from the file system, without a server or a network.
 */
#ifndef RUNG_DOC_PAGES_SITE_H
#define RUNG_DOC_PAGES_SITE_H

#include "doc_pages/catalogue.h"

typedef struct SiteReport {
    uint32_t n_classes, n_icons, n_diagrams;
    DocClasses unresolved; /* classes with names that were not found */
} SiteReport;

/* title: NULL: made of the classes at the top. False after an error, with a message on stderr and
 * nothing written. */
bool site_write(Catalogue *c, const char *title, const char *path, SiteReport *report);

#endif
