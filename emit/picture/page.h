/* page.h -- curves as one HTML page that needs no other file: zoom by drawing over a stretch (two
 * clicks: all of it again), values under the cursor, by uPlot, which is in the page with its
 * licence. A rung that was built without uPlot puts the SVG into the page and says so in it.
 */
#ifndef RUNG_EMIT_PICTURE_PAGE_H
#define RUNG_EMIT_PICTURE_PAGE_H

#include "emit/picture/chart.h"

/* Whether this rung has uPlot. */
bool page_is_interactive(void);
/* n panels one below the other; svg: the pictures to show instead without uPlot. */
Text page_html(const Chart *panel, uint32_t n, uint32_t width, uint32_t height, const char *title,
               const Text *svg, Arena *mem);

#endif
