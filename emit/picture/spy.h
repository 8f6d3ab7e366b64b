/* spy.h -- where the entries of a sparse matrix are, as SVG.
 *
 * Rows downwards, columns to the right, the diagonal blocks framed. A matrix that is larger than
 * the picture is drawn in cells of several rows and columns, and the picture says so; its size is
 * bounded whatever the matrix.
 */
#ifndef RUNG_EMIT_PICTURE_SPY_H
#define RUNG_EMIT_PICTURE_SPY_H

#include "emit/code/quote.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct SpyEntry {
    uint32_t row, column;
    bool marked; /* matched: drawn in another colour */
} SpyEntry;

typedef struct Spy {
    const char *title;
    uint32_t n_rows, n_columns, n_entries;
    const SpyEntry *entry;
    uint32_t n_blocks;
    const uint32_t *block; /* n_blocks + 1 limits on the diagonal; may be NULL */
} Spy;

void spy_svg(const Spy *s, Text *out);

#endif
