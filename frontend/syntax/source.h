/* source.h -- text of a file, read and checked before it is parsed. */
#ifndef RUNG_FRONTEND_SYNTAX_SOURCE_H
#define RUNG_FRONTEND_SYNTAX_SOURCE_H

#include "base/diag.h"
#include "base/vec.h"

/* Reads a file and registers it. 0 with a diagnostic (P10) when it cannot be read. */
uint32_t source_read(Arena *mem, Diags *d, const char *path);

/* Modelica text is UTF-8 (MLS 13.4). Other text is read as Latin-1 (ISO 8859-1) and converted, with
 * a warning; false with an error where there are zero bytes (both P09). mem holds the new text. */
bool source_check(Arena *mem, Diags *d, uint32_t file);

uint32_t source_lines(const Source *s);

/* Appends all .mo files under a directory, in the order of their names; any other path as it is,
 * for source_read to complain about. */
void source_find(Arena *mem, Diags *d, const char *path, Texts *files);

#endif
