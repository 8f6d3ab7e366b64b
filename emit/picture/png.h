/* png.h -- an SVG as PNG, by librsvg where rung was built with it. */
#ifndef RUNG_EMIT_PICTURE_PNG_H
#define RUNG_EMIT_PICTURE_PNG_H

#include "base/text.h"

#include <stdbool.h>

/* Whether this rung can. */
bool png_is_there(void);
/* Twice as many pixels as the SVG has units. False with a message in mem. */
bool png_of_svg(const Text *svg, Text *png, Arena *mem, const char **error);

#endif
