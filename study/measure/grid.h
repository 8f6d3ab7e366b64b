/* grid.h -- the points of --sweep: structural parameters that take several values each.
 *
 *     --sweep n=1,2,4,...,64 --sweep m=1,2    is 14 points, the last parameter varying fastest
 *
 * "..." between values continues the two before it: by a constant factor if that reaches the value
 * after it, else by a constant step, as decimal numbers, exactly: 1,1.1,...,2 or 2,1.5,...,-1.
 */
#ifndef RUNG_STUDY_MEASURE_GRID_H
#define RUNG_STUDY_MEASURE_GRID_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct GridAxis {
    const char *name;
    VEC(const char *) value;
} GridAxis;

typedef struct Grid {
    uint32_t n_axes;
    GridAxis *axis;
    uint32_t n_points; /* 1 without axes */
} Grid;

enum { GRID_MOST = 1000000 }; /* values of a range */

/* Returns the text behind "name=", and the name, which may have indices (arm[2].m); NULL if the
 * text has another form.
 */
const char *grid_read_name(const char *text, const char **name, Arena *mem);
/* "name=a,b,...,c". Returns NULL, or an error text. */
const char *grid_read_axis(GridAxis *a, const char *text, Arena *mem);

/* Reads several axes; false, with a message on stderr, if one has another form. */
bool grid_read(Grid *g, const Texts *axes, Arena *mem);
/* The value of an axis at a point. */
const char *grid_value(const Grid *g, uint32_t point, uint32_t axis);
/* The model with the point's values as modifiers: M, M(k=2) become M(n=4), M(k=2, n=4). */
const char *grid_model(const Grid *g, uint32_t point, const char *model, Arena *mem);

#endif
