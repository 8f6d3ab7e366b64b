/* format.h -- one layout for Modelica files.
 *
 * Only white space changes: tokens and comments stay in order and byte by byte, which is checked
 * before the result is given out, as is that it has the same syntax tree. Formatting the result
 * again changes nothing. Linear in the text.
 */
#ifndef RUNG_FORMAT_FORMAT_H
#define RUNG_FORMAT_FORMAT_H

#include "base/diag.h"
#include "base/text.h"

#include <stdbool.h>

/* Appends source `file` of d, formatted, to out: with its byte order mark, its line ends (those of
 * its first line) and its encoding. False with an error, and nothing appended, if it does not
 * parse; and (P16) if the result is not the same but for white space. */
bool format_source(Arena *mem, Diags *d, uint32_t file, Text *out);

#endif
