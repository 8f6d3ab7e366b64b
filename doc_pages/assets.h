/* assets.h -- the style and the script of the pages, inside the compiler; the table is made by
 * CMakeLists.txt of doc_pages' files assets/ (bundle.cmake). */
#ifndef RUNG_DOC_PAGES_ASSETS_H
#define RUNG_DOC_PAGES_ASSETS_H

#include "emit/model/bundle.h"

extern const BundleFile doc_assets[]; /* search.js, style.css */

#endif
