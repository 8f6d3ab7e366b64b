/* line_diff.h -- the difference of two texts that differ in white space alone, as a unified diff.
 *
 * The number of characters before a line that are no white space tells its place in both texts, so
 * equal lines at equal places are common ones. Linear in the texts.
 */
#ifndef RUNG_FORMAT_LINE_DIFF_H
#define RUNG_FORMAT_LINE_DIFF_H

#include "base/text.h"

/* Appends to out; nothing if the texts are equal. */
void line_diff(const char *path, const Text *old, const Text *new, Text *out);

#endif
